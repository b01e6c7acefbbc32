"""Panels, popups and overlays: Esc and Cancel, the side panel, and clicks that only one widget may handle."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from shibumi3d.app.host import board_sketch, settings
from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.host.settings_card import SettingsCard, show_settings
from shibumi3d.app.host.shortcuts import ShortcutsCard
from shibumi3d.app.match.dialogs import GoToTurnCard, SaveDialog, TypeMoveCard
from shibumi3d.app.match.marble_view.choices import MoveMenu
from shibumi3d.app.match.marble_view.controller import Spot
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.home.saved_games import SavedGamesPage
from shibumi3d.app.ui.button import Button
from shibumi3d.app.ui.choice import Choice
from shibumi3d.app.ui.text_input import TextField
from shibumi3d.scene.rect import Rect
from tests.app.test_hidden_information import look
from tests.app.writing import written

if TYPE_CHECKING:
    from tests.app.hand import Hand


def test_side_panel_opens_automatically_only_if_it_fits(hand: Hand) -> None:
    play = hand.start("spline")
    assert not play.side_panel_background.visible
    assert play.view.rect.right == play.rect.right
    hand.app.resize(1500, 800)
    assert play.side_panel_background.visible
    hand.app.resize(1499, 800)
    assert not play.side_panel_background.visible
    # A panel opened in a small window stays open only for this match.
    hand.unfold()
    assert play.rebuild().side_panel.is_opened_by_user
    hand.key("ctrl+b")
    assert hand.app.settings.panel
    hand.app.resize(1500, 800)
    hand.key("ctrl+b")
    hand.key("ctrl+b")
    assert not hand.app.settings.panel
    hand.app.resize(1280, 720)


def test_escape_never_collapses_the_side_panel(hand: Hand) -> None:
    play = hand.start("spline")
    hand.unfold()
    for _ in range(3):
        hand.key("escape")
        hand.wait(0.5)
    assert play.side_panel_background.visible
    assert play.side_panel.is_open
    hand.app.change_settings(theme="night")
    kept = json.loads((hand.app.services.config_folder / "settings.json").read_text())
    assert kept["panel"] is True


@pytest.mark.parametrize("size", [(640, 480), (1280, 720)])
def test_collapsed_panel_keeps_a_visible_handle(hand: Hand, size: tuple[int, int]) -> None:
    hand.app.resize(*size)
    play = hand.start("spline")
    if play.side_panel_background.visible:
        hand.key("ctrl+b")
        hand.wait(0.5)
    assert not play.side_panel_background.visible
    assert play.side_panel_button in list(play.walk())
    assert play.side_panel_button.rect.intersection(play.rect) == play.side_panel_button.rect
    hand.push("panel")
    hand.wait(0.5)
    assert play.side_panel_background.visible
    assert play.move_list.rect.right <= play.rect.right
    hand.push("panel")
    hand.wait(0.5)
    assert not play.side_panel_background.visible


def test_escape_closes_the_card_and_keeps_the_typed_path(hand: Hand) -> None:
    hand.start("spline")
    hand.choose("Ab2")
    hand.key("ctrl+s")
    card = hand.floating(SaveDialog)
    path = card.path_field.value
    assert path.endswith(".yaml")
    hand.key("escape")
    assert hand.app.root.popups == []
    assert card.path_field.value == path
    assert hand.moves == ["W@Ab2"]


def test_escape_leaves_a_field_before_the_page_and_keeps_its_text(hand: Hand) -> None:
    hand.key("ctrl+o")
    page = hand.page(SavedGamesPage)
    hand.push("path")
    hand.type("/some/where.yaml")
    hand.key("escape")
    assert hand.app.current_page is page
    assert page.path_field.value == "/some/where.yaml"
    assert hand.app.root.focus is None
    hand.key("escape")
    assert isinstance(hand.app.current_page, HomePage)
    name = hand.found("seat 1", TextField)
    before = name.value
    assert before
    hand.push("seat 1")
    hand.key("escape")
    assert name.value == before


def test_escape_closes_only_the_topmost_popup(hand: Hand) -> None:
    play = hand.start("spline")
    hand.unfold()
    hand.key("ctrl+s")
    card = hand.floating(SaveDialog)
    hand.key("ctrl+,")
    assert isinstance(hand.app.root.popups[-1], SettingsCard)
    hand.app.show_message("A sentence.")
    for kind in (SettingsCard, SaveDialog):
        hand.key("escape")
        assert isinstance(hand.app.root.popups[-1], kind)
    # Typing goes to the path field again.
    hand.type("x")
    assert card.path_field.value.endswith(".yamlx")
    hand.key("escape")
    assert hand.app.root.popups == []
    assert play.side_panel_background.visible


def test_popups_keep_typed_text_when_the_window_is_resized(hand: Hand) -> None:
    hand.start("spline")
    hand.key("ctrl+s")
    card = hand.floating(SaveDialog)
    hand.type("x")
    hand.app.resize(900, 600)
    assert hand.app.root.popups == [card]
    assert card.path_field.value.endswith("x")
    assert card.rect.cx == 450
    assert card.rect.cy == 300
    hand.type("y")
    assert card.path_field.value.endswith("xy")
    hand.app.resize(1280, 720)


@pytest.mark.parametrize("kind", [SaveDialog, TypeMoveCard, GoToTurnCard, MoveMenu])
def test_every_question_has_a_cancel_button(hand: Hand, kind: type) -> None:
    play = hand.start("spline-plus")
    hand.choose("Ab2")
    match = [ply.move for ply in play.match.plies]
    if kind is MoveMenu:
        play.actions.ask_which_move(play.controller.moves[:2], Spot(0, 0))
    else:
        hand.key({SaveDialog: "ctrl+s", TypeMoveCard: "/", GoToTurnCard: "g"}[kind])
    assert isinstance(hand.app.root.popups[-1], kind)
    hand.draw()
    hand.push("cancel")
    assert hand.app.root.popups == []
    assert [ply.move for ply in play.match.plies] == match


def test_shortcut_sheet_can_be_closed_with_the_pointer(hand: Hand) -> None:
    hand.start("spline")
    hand.app.pages.show_shortcuts()
    assert isinstance(hand.app.root.popups[-1], ShortcutsCard)
    hand.push("close keys")
    assert hand.app.root.popups == []


def test_set_aside_settings_file_is_reported_once_on_the_home_page(hand: Hand) -> None:
    hand.app.services.config_folder.mkdir(parents=True, exist_ok=True)
    (hand.app.services.config_folder / "settings.json").write_text("{")
    hand.app.show_warning(settings.load_settings(hand.app.services.config_folder).notice)
    hand.wait(0.2)
    assert "settings.json.unreadable" in hand.floating(MessageCard).message_label.caption
    # A change of the window's size doesn't close the message.
    hand.app.resize(1000, 700)
    hand.app.resize(1280, 720)
    assert isinstance(hand.app.root.popups[-1], MessageCard)
    hand.key("escape")
    hand.start("spline")
    hand.wait(0.5)
    assert hand.app.root.popups == []
    assert "settings" not in hand.play.message_line.current_message()[0]


def test_score_change_is_shown_beside_the_name(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    for size in ((1280, 720), (700, 520)):
        hand.app.resize(*size)
        play = hand.start("spuzzle", ("Player 1",))
        monkeypatch.setattr(type(play.model), "score_changes", (1,))
        monkeypatch.setattr(play.seat_cards[0], "score", lambda: "12 of 27")
        drawn_texts = written(monkeypatch, hand.draw)
        assert {"Player 1", "+1", "12 of 27"} <= set(drawn_texts.texts)
        assert [pair for pair in drawn_texts.overprinted() if "SeatCard" in pair] == []
    hand.app.resize(1280, 720)


@pytest.mark.parametrize("size", [(640, 480), (700, 520), (900, 600), (1280, 720)])
def test_all_board_sizes_fit_in_their_list(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    hand.app.resize(*size)
    home = hand.page(HomePage)
    home.search_field.set_value("spline")
    hand.draw()
    drawn_texts = written(monkeypatch, hand.draw)
    sizes = sorted(hand.app.catalogue.get("spline").sizes)
    assert sizes[-1] == 10
    assert [line.text for line in drawn_texts.lines if line.by == "Choice size"] == [str(n) for n in sizes]
    hand.app.resize(1280, 720)


@pytest.mark.parametrize("game", ["spack", "spree", "spagyric", "splice", "sprout", "spy"])
@pytest.mark.parametrize("size", [(640, 480), (900, 600), (1280, 720)])
def test_nothing_covers_the_table_in_the_top_view(hand: Hand, game: str, size: tuple[int, int]) -> None:
    hand.app.resize(*size)
    seats = hand.app.catalogue.get(game).players[0]
    play = hand.start(game, ("Ann", "Ben", "Cem")[:seats])
    hand.app.root.close_popups()
    hand.key("t")
    hand.wait(1)
    assert play.view.camera.pitch == 90
    cards = [w for w in (*play.seat_cards, play.level_strip, play.choice_panel, play.tray) if w.visible]
    # Beside a row of boards, the marbles may be far from the board in use, so the tray shows them instead.
    assert play.page_layout.are_side_objects_visible or (
        len(play.marble_scene.sizes) > 1 and play.tray.visible
    )
    for thing in play.tabletop.layout.outlines if play.page_layout.are_side_objects_visible else ():
        for place in play.view.all_to_window(thing):
            assert play.view.rect.contains(*place)
            assert [card.name for card in cards if card.rect.contains(*place)] == []
    hand.app.resize(1280, 720)


def test_program_can_be_quit_whatever_popup_is_open(hand: Hand) -> None:
    play = hand.start("spagyric")
    assert isinstance(hand.app.root.popups[-1], PrivacyScreen)
    hand.key("ctrl+q")
    assert hand.left
    hand.left = False
    look(hand)
    hand.push("answer W!")
    look(hand)
    hand.push("answer B!")
    assert play.model.is_revealing
    hand.key("ctrl+q")
    assert hand.left


FLOATS: dict[str, Callable[[Hand], object]] = {
    "settings": lambda hand: hand.app.pages.show_settings(),
    "keys": lambda hand: hand.app.pages.show_shortcuts(),
    "notice": lambda hand: hand.app.show_message("A sentence."),
    "save": lambda hand: hand.play.save_button.on_click(),
    "typed move": lambda hand: hand.play.shortcut_handler.ask_move(),
    "turn": lambda hand: hand.play.shortcut_handler.ask_turn(),
    "several moves": lambda hand: hand.play.actions.ask_which_move(
        hand.play.controller.moves[:2], Spot(0, 0)
    ),
}
ENDS = ("Cancel", "Done", "Continue", "Close")


@pytest.mark.parametrize("name", FLOATS)
def test_escape_and_a_button_close_every_popup(hand: Hand, name: str) -> None:
    play = hand.start("spline-plus")
    hand.unfold()
    hand.choose("Ab2")
    hand.app.show_message("What lies below.")
    below = hand.app.root.popups[0]
    moves, panel = hand.moves, play.side_panel_background.rect
    for end in ("escape", "button"):
        FLOATS[name](hand)
        assert len(hand.app.root.popups) == 2
        if end == "escape":
            hand.key("escape")
        else:
            buttons = [
                w for w in hand.app.root.popups[-1].walk() if isinstance(w, Button) and w.label in ENDS
            ]
            assert len(buttons) == 1
            hand.draw()
            hand.click(*hand.app.to_window_pixels(buttons[0].rect.cx, buttons[0].rect.cy))
        assert hand.app.root.popups == [below]
    hand.key("escape")
    assert hand.app.root.popups == []
    assert (hand.moves, play.side_panel_background.rect) == (moves, panel)
    assert play.side_panel_background.visible


def test_settings_are_beside_the_board_they_change(hand: Hand) -> None:
    play = hand.start("spline")
    board = play.view.rect
    hand.app.pages.show_settings()
    card = hand.floating(SettingsCard)
    assert play.view.rect.w < board.w
    assert play.view.rect.intersection(card.rect).w == 0
    assert card.rect.right == hand.app.root.size[0]
    hand.key("escape")
    assert play.view.rect == board
    hand.app.pages.show_settings()
    for size in ((640, 480), (640, 420), (900, 600), (1011, 720)):
        hand.app.resize(*size)
        card = hand.floating(SettingsCard)
        # If the page has no room beside the card, only its board is shown there, drawn by the page's own view.
        assert hand.app.root.board_area is not None
        assert hand.app.root.board_area.intersection(card.rect).w == 0
        assert hand.app.root.board_area.w + card.rect.w == size[0]
        hand.draw()
        left, right = (
            hand.app.canvas.read_pixels(Rect(x, size[1] / 2, 1, 1)) for x in (size[0] / 4, size[0] - 2)
        )
        assert left.tobytes() != right.tobytes()
    hand.app.resize(1280, 720)
    assert hand.app.root.board_area is None
    assert play.view.rect.intersection(hand.floating(SettingsCard).rect).w == 0


@pytest.mark.parametrize("size", [(640, 360), (853, 480), (1100, 470)])
@pytest.mark.parametrize("tab", range(len(SettingsCard.TABS)))
def test_labels_of_settings_are_not_covered_in_a_low_window(
    hand: Hand, tab: int, size: tuple[int, int]
) -> None:
    hand.start("spline")
    hand.app.resize(*size)
    show_settings(hand.app, tab)
    hand.draw()
    card = hand.floating(SettingsCard)
    for label, widget in card.rows:
        place = Rect(widget.rect.x, widget.rect.y - 20, widget.rect.w, 18)
        others = [other.rect.intersection(place) for other in (card.tabs, *[row for _, row in card.rows])]
        covered = max(other.h for other in others if other.w > 0 or other.h <= 0)
        assert covered < 4, label  # the letters are smaller than their line
        if isinstance(widget, Choice):
            assert min(option.h for option in widget.option_rects()) > 24


@pytest.mark.parametrize("size", [(640, 480), (900, 600)])
def test_whole_table_is_visible_beside_the_settings(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    hand.app.resize(*size)
    play = hand.start("spire")
    seen = []
    monkeypatch.setattr(hand.app.board_painter(), "draw", lambda frame, camera, *rest: seen.append(camera))
    hand.app.pages.show_settings()
    aside = hand.app.root.board_area
    assert aside is not None
    play.view.render(hand.now, False, aside)
    for corners in play.tabletop.layout.outlines:
        at, _ = seen[-1].project(np.array(corners), aside.w, aside.h)
        assert (at >= 0).all()
        assert (at <= (aside.w, aside.h)).all()


def test_boards_beside_the_settings_are_sketched_before_they_are_rendered(
    hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand.app.resize(640, 480)
    hand.start("spire")
    hand.draw()
    hand.app.pages.show_settings()
    aside = hand.app.root.board_area
    assert aside is not None
    areas = []
    monkeypatch.setattr(board_sketch, "paint_sketch", lambda *values: areas.append(values[-1]))
    hand.app.draw(render_boards=False)
    assert areas == [aside]
    assert hand.app.root.dirty, "the picture follows"


def test_settings_do_not_show_a_board_behind_the_privacy_screen(hand: Hand) -> None:
    hand.app.resize(640, 480)
    hand.start("spagyric")
    (curtain,) = hand.app.root.popups
    assert curtain.covers_page
    hand.app.pages.show_settings()
    assert hand.app.root.board_area is None
    assert not hand.floating(SettingsCard).covers_page
    hand.app.root.close_popups()
    hand.app.pages.show_saved_games()
    hand.app.pages.show_settings()
    assert hand.app.root.board_area is None


def test_restore_defaults_resets_a_settings_tab(hand: Hand) -> None:
    hand.app.change_settings(marbles="clear", scale=125, motion="fast")
    hand.app.pages.show_settings()
    hand.push("usual settings")
    assert (hand.app.settings.marbles, hand.app.settings.scale) == ("clear", 0)
    assert "except the language" in hand.floating(SettingsCard).restore_button.tooltip
    hand.floating(SettingsCard).tabs.select(1)
    assert "except" not in hand.floating(SettingsCard).restore_button.tooltip
    hand.push("usual settings")
    assert hand.app.settings.marbles == "standard"
    assert hand.app.settings.motion == "fast"
    assert hand.found("marbles", Choice).selected_index == 0
