"""What floats, folds and covers: Esc and Cancel, the panel at the side, what two widgets may not both take."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from shibumi3d.app.board.handover import HandoverScreen
from shibumi3d.app.board.line_cards import GoCard, TypeCard
from shibumi3d.app.board.saving import SaveCard
from shibumi3d.app.host import settings
from shibumi3d.app.host.notice import Notice
from shibumi3d.app.host.settings_card import SettingsCard
from shibumi3d.app.host.sheet import KeyCard
from shibumi3d.app.marbles.controller import Spot
from shibumi3d.app.pages.home.kept import SavedGames
from shibumi3d.app.pages.home.screen import Home
from shibumi3d.app.pages.play.answers import Offer
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.choice import Choice
from shibumi3d.app.ui.field import Field
from shibumi3d.scene.rect import Rect
from tests.app.test_secrets import look
from tests.app.writing import written

if TYPE_CHECKING:
    from tests.app.hand import Hand


def test_the_panel_opens_by_itself_only_where_there_is_room_for_it_and_the_board(hand: Hand) -> None:
    play = hand.start("spline")
    assert not play.side.visible
    assert play.view.rect.right == play.rect.right
    hand.app.resize(1500, 800)
    assert play.side.visible
    hand.app.resize(1499, 800)
    assert not play.side.visible
    # What is opened in a small window is meant for this match alone.
    hand.unfold()
    assert play.renewed().folding.asked
    hand.key("ctrl+b")
    assert hand.app.settings.panel
    hand.app.resize(1500, 800)
    hand.key("ctrl+b")
    hand.key("ctrl+b")
    assert not hand.app.settings.panel
    hand.app.resize(1280, 720)


def test_escape_never_folds_the_panel(hand: Hand) -> None:
    play = hand.start("spline")
    hand.unfold()
    for _ in range(3):
        hand.key("escape")
        hand.wait(0.5)
    assert play.side.visible
    assert play.folding.open
    hand.app.change(theme="night")
    kept = json.loads((hand.app.config / "settings.json").read_text())
    assert kept["panel"] is True


@pytest.mark.parametrize("size", [(640, 480), (1280, 720)])
def test_a_folded_panel_keeps_a_handle_that_is_seen(hand: Hand, size: tuple[int, int]) -> None:
    hand.app.resize(*size)
    play = hand.start("spline")
    if play.side.visible:
        hand.key("ctrl+b")
        hand.wait(0.5)
    assert not play.side.visible
    assert play.handle in list(play.walk())
    assert play.handle.rect.overlap(play.rect) == play.handle.rect
    hand.push("panel")
    hand.wait(0.5)
    assert play.side.visible
    assert play.moves.rect.right <= play.rect.right
    hand.push("panel")
    hand.wait(0.5)
    assert not play.side.visible


def test_escape_closes_the_card_and_keeps_the_path(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Ab2")
    hand.key("ctrl+s")
    card = hand.floating(SaveCard)
    path = card.path.words
    assert path.endswith(".yaml")
    hand.key("escape")
    assert hand.app.root.floats == []
    assert card.path.words == path
    assert hand.moves == ["W@Ab2"]


def test_escape_leaves_a_field_before_the_page_and_wipes_nothing(hand: Hand) -> None:
    hand.key("ctrl+o")
    page = hand.app.screen
    assert isinstance(page, SavedGames)
    hand.push("path")
    hand.type("/some/where.yaml")
    hand.key("escape")
    assert hand.app.screen is page
    assert page.path.words == "/some/where.yaml"
    assert hand.app.root.focus is None
    hand.key("escape")
    assert isinstance(hand.app.screen, Home)
    name = hand.found("seat 1", Field)
    before = name.words
    assert before
    hand.push("seat 1")
    hand.key("escape")
    assert name.words == before


def test_escape_closes_the_topmost_card_alone(hand: Hand) -> None:
    play = hand.start("spline")
    hand.unfold()
    hand.key("ctrl+s")
    card = hand.floating(SaveCard)
    hand.key("ctrl+,")
    assert isinstance(hand.app.root.floats[-1], SettingsCard)
    hand.app.tell("A sentence.")
    for kind in (SettingsCard, SaveCard):
        hand.key("escape")
        assert isinstance(hand.app.root.floats[-1], kind)
    # The keys go to the path again.
    hand.type("x")
    assert card.path.words.endswith(".yamlx")
    hand.key("escape")
    assert hand.app.root.floats == []
    assert play.side.visible


def test_cards_stay_and_keep_what_was_typed_when_the_window_changes(hand: Hand) -> None:
    hand.start("spline")
    hand.key("ctrl+s")
    card = hand.floating(SaveCard)
    hand.type("x")
    hand.app.resize(900, 600)
    assert hand.app.root.floats == [card]
    assert card.path.words.endswith("x")
    assert card.rect.cx == 450
    assert card.rect.cy == 300
    hand.type("y")
    assert card.path.words.endswith("xy")
    hand.app.resize(1280, 720)


@pytest.mark.parametrize("kind", [SaveCard, TypeCard, GoCard, Offer])
def test_a_card_that_asks_has_cancel(hand: Hand, kind: type) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2")
    match = [ply.move for ply in play.match.plies]
    if kind is Offer:
        play.doing.offer(play.control.moves[:2], Spot(0, 0))
    else:
        hand.key({SaveCard: "ctrl+s", TypeCard: "/", GoCard: "g"}[kind])
    assert isinstance(hand.app.root.floats[-1], kind)
    hand.draw()
    hand.push("cancel")
    assert hand.app.root.floats == []
    assert [ply.move for ply in play.match.plies] == match


def test_the_sheet_of_keys_is_closed_with_the_pointer(hand: Hand) -> None:
    hand.start("spline")
    hand.app.pages.keys()
    assert isinstance(hand.app.root.floats[-1], KeyCard)
    hand.push("close keys")
    assert hand.app.root.floats == []


def test_a_settings_file_set_aside_is_told_once_on_the_first_page(hand: Hand) -> None:
    hand.app.config.mkdir(parents=True, exist_ok=True)
    (hand.app.config / "settings.json").write_text("{")
    hand.app.warn(settings.load(hand.app.config).notice)
    hand.wait(0.2)
    assert "settings.json.unreadable" in hand.floating(Notice).words.words
    # The window's first change of size is not an answer.
    hand.app.resize(1000, 700)
    hand.app.resize(1280, 720)
    assert isinstance(hand.app.root.floats[-1], Notice)
    hand.key("escape")
    hand.start("spline")
    hand.wait(0.5)
    assert hand.app.root.floats == []
    assert "settings" not in hand.play.hint.sentence()[0]


def test_what_a_turn_brought_stands_beside_the_name(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in ((1280, 720), (700, 520)):
        hand.app.resize(*size)
        play = hand.start("spuzzle", ("Player 1",))
        monkeypatch.setattr(play.session, "gains", lambda: (1,))
        monkeypatch.setattr(play.cards[0], "score", lambda: "12 of 27")
        said = written(monkeypatch, hand.draw)
        assert {"Player 1", "+1", "12 of 27"} <= set(said.texts)
        assert [pair for pair in said.overprinted() if "SeatCard" in pair] == []
    hand.app.resize(1280, 720)


@pytest.mark.parametrize("size", [(640, 480), (700, 520), (900, 600), (1280, 720)])
def test_all_sizes_of_the_board_can_be_read(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    hand.app.resize(*size)
    home = hand.app.screen
    assert isinstance(home, Home)
    home.search.set("spline")
    hand.draw()
    said = written(monkeypatch, hand.draw)
    sizes = sorted(hand.app.catalogue.get("spline").sizes)
    assert sizes[-1] == 10
    assert [line.text for line in said.lines if line.by == "Choice size"] == [str(n) for n in sizes]
    hand.app.resize(1280, 720)


@pytest.mark.parametrize("game", ["spack", "spree", "spagyric", "splice", "sprout", "spy"])
@pytest.mark.parametrize("size", [(640, 480), (900, 600), (1280, 720)])
def test_nothing_covers_what_lies_on_the_table_from_above(
    hand: Hand, game: str, size: tuple[int, int]
) -> None:
    hand.app.resize(*size)
    seats = hand.app.catalogue.get(game).players[0]
    play = hand.start(game, ("Ann", "Ben", "Cem")[:seats])
    hand.app.root.close_all()
    hand.key("t")
    hand.wait(1)
    assert play.view.camera.pitch == 90
    cards = [w for w in (*play.cards, play.plans, play.answers, play.tray) if w.visible]
    # Beside a row of boards it may be far from the one in use: a card stands for it.
    assert play.places.beside or (len(play.stage.sizes) > 1 and play.tray.visible)
    for thing in play.tabletop.lay.around if play.places.beside else ():
        for place in play.view.all_on_screen(thing):
            assert play.view.rect.holds(*place)
            assert [card.name for card in cards if card.rect.holds(*place)] == []
    hand.app.resize(1280, 720)


def test_the_program_can_be_left_whatever_covers_the_page(hand: Hand) -> None:
    play = hand.start("spagyric")
    assert isinstance(hand.app.root.floats[-1], HandoverScreen)
    hand.key("ctrl+q")
    assert hand.left
    hand.left = False
    look(hand)
    hand.push("answer W!")
    look(hand)
    hand.push("answer B!")
    assert play.session.opening
    hand.key("ctrl+q")
    assert hand.left


FLOATS: dict[str, Callable[[Hand], object]] = {
    "settings": lambda hand: hand.app.pages.settings(),
    "keys": lambda hand: hand.app.pages.keys(),
    "notice": lambda hand: hand.app.tell("A sentence."),
    "save": lambda hand: hand.play.save.action(),
    "typed move": lambda hand: hand.play.commands.type_move(),
    "turn": lambda hand: hand.play.commands.go_to_turn(),
    "several moves": lambda hand: hand.play.doing.offer(hand.play.control.moves[:2], Spot(0, 0)),
}
ENDS = ("Cancel", "Done", "Continue", "Close")


@pytest.mark.parametrize("name", FLOATS)
def test_every_card_is_closed_by_esc_and_by_a_button_and_nothing_else_is(hand: Hand, name: str) -> None:
    play = hand.start("spline-plus")
    hand.unfold()
    hand.choose("Ab2")
    hand.app.tell("What lies below.")
    below = hand.app.root.floats[0]
    moves, panel = hand.moves, play.side.rect
    for end in ("escape", "button"):
        FLOATS[name](hand)
        assert len(hand.app.root.floats) == 2
        if end == "escape":
            hand.key("escape")
        else:
            buttons = [
                w for w in hand.app.root.floats[-1].walk() if isinstance(w, Button) and w.label in ENDS
            ]
            assert len(buttons) == 1
            hand.draw()
            hand.click(*hand.app.pixels(buttons[0].rect.cx, buttons[0].rect.cy))
        assert hand.app.root.floats == [below]
    hand.key("escape")
    assert hand.app.root.floats == []
    assert (hand.moves, play.side.rect) == (moves, panel)
    assert play.side.visible


def test_settings_stand_beside_the_board_that_they_change(hand: Hand) -> None:
    play = hand.start("spline")
    board = play.view.rect
    hand.app.pages.settings()
    card = hand.floating(SettingsCard)
    assert play.view.rect.w < board.w
    assert play.view.rect.overlap(card.rect).w == 0
    assert card.rect.right == hand.app.root.size[0]
    hand.key("escape")
    assert play.view.rect == board
    hand.app.pages.settings()
    for size in ((640, 480), (640, 420), (900, 600), (1011, 720)):
        hand.app.resize(*size)
        card = hand.floating(SettingsCard)
        # Where the page has no room beside it, its board alone is seen there, drawn by the view of the page.
        assert hand.app.root.aside is not None
        assert hand.app.root.aside.overlap(card.rect).w == 0
        assert hand.app.root.aside.w + card.rect.w == size[0]
        hand.draw()
        left, right = (hand.app.canvas.read(Rect(x, size[1] / 2, 1, 1)) for x in (size[0] / 4, size[0] - 2))
        assert left.tobytes() != right.tobytes()
    hand.app.resize(1280, 720)
    assert hand.app.root.aside is None
    assert play.view.rect.overlap(hand.floating(SettingsCard).rect).w == 0


@pytest.mark.parametrize("size", [(640, 480), (900, 600)])
def test_beside_settings_all_of_the_table_is_seen(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    hand.app.resize(*size)
    play = hand.start("spire")
    seen = []
    monkeypatch.setattr(hand.app.painter(), "draw", lambda frame, camera, *rest: seen.append(camera))
    hand.app.pages.settings()
    aside = hand.app.root.aside
    assert aside is not None
    play.view.render(hand.now, False, aside)
    for corners in play.tabletop.lay.around:
        at, _ = seen[-1].project(np.array(corners), aside.w, aside.h)
        assert (at >= 0).all()
        assert (at <= (aside.w, aside.h)).all()


def test_settings_show_no_board_that_a_curtain_hides(hand: Hand) -> None:
    hand.app.resize(640, 480)
    hand.start("spagyric")
    (curtain,) = hand.app.root.floats
    assert curtain.covers
    hand.app.pages.settings()
    assert hand.app.root.aside is None
    assert not hand.floating(SettingsCard).covers
    hand.app.root.close_all()
    hand.app.pages.kept()
    hand.app.pages.settings()
    assert hand.app.root.aside is None


def test_a_page_of_settings_goes_back_to_its_usual_values(hand: Hand) -> None:
    hand.app.change(marbles="clear", scale=125, motion="fast")
    hand.app.pages.settings()
    hand.push("usual settings")
    assert (hand.app.settings.marbles, hand.app.settings.scale) == ("clear", 100)
    hand.floating(SettingsCard).tabs.choose(1)
    hand.push("usual settings")
    assert hand.app.settings.marbles == "standard"
    assert hand.app.settings.motion == "fast"
    assert hand.found("marbles", Choice).chosen == 0
