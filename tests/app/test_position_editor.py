"""The position editor: which positions are allowed, why others are refused, and what can be done with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.pages.position_editor.page import PositionEditorPage
from shibumi3d.app.pages.position_editor.position import EditablePosition, editable_position
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.match.match import Match
from shibumi3d.match.record import Record, parse
from shibumi3d.match.record import load as load_record
from shibumi3d.rules.marbles.facts import MarbleFacts
from tests.rules.inline import inline

if TYPE_CHECKING:
    from tests.app.hand import Hand

WHITE, BLACK, RED = range(3)
EMPTY = "....,....,....,..../...,...,.../..,../."
GAMES = [
    pytest.param(entry, id=entry.id)
    for entry in load_catalogue()
    if isinstance(entry.game().facts(entry.players[0]), MarbleFacts)
]


def bench(name: str = "spline", **options: int) -> EditablePosition:
    game = load_catalogue().get(name).game(**options)  # type: ignore[arg-type]
    return EditablePosition(game, [f"P{seat}" for seat in range(game.players[0])], 1)


def test_only_supported_marbles_can_be_placed_and_undo_works() -> None:
    """On a board of size 3, points are numbered from 0 in the order Aa1, Ab1, Ac1, Aa2, …

    Point 9 is Ba1, which rests on Aa1, Ab1, Aa2 and Ab2.
    """
    found = bench(size=3)
    assert found.place_marble(0, 9, RED) == "Ba1 needs four marbles below: Aa1, Ab1, Aa2 and Ab2 are empty."
    assert not found.can_undo
    for point, colour in ((0, WHITE), (1, BLACK), (3, WHITE), (4, BLACK), (9, RED)):
        assert found.place_marble(0, point, colour) == ""
    assert found.match.initial_state.boards == ("...,WB.,WB./..,R./.",)
    assert found.remove_marble(0, 0) == "The marble on Aa1 can't be removed: it carries the one on Ba1."
    assert found.place_marble(0, 0, RED) == ""
    assert found.match.initial_state.boards == ("...,WB.,RB./..,R./.",)
    assert found.remove_marble(0, 9) == ""
    assert found.undo()
    assert found.undo()
    assert found.match.initial_state.boards == ("...,WB.,WB./..,R./.",)
    assert found.redo()
    assert found.match.initial_state.boards == ("...,WB.,RB./..,R./.",)
    for _ in range(6):
        assert found.undo()
    assert not found.undo()
    assert found.match.initial_state.boards == ("...,...,.../..,../.",)


def test_resizing_keeps_marbles_that_are_still_supported() -> None:
    """When the board is resized, each marble stays on the point with the same name.

    On the small and on the large board, Ba1 rests on Aa1, Ab1, Aa2 and Ab2.
    """
    found = bench(size=3)
    for point in (0, 1, 3, 4, 8, 9):
        found.place_marble(0, point, WHITE)
    larger, reason = found.resized(load_catalogue().get("spline").game(size=4))
    assert reason == ""
    assert larger.match.initial_state.boards == ("....,..W.,WW..,WW../...,...,W../..,../.",)
    assert larger.resized(load_catalogue().get("spline").game(size=3))[0].draft == found.draft


def test_resizing_says_why_the_marbles_were_cleared() -> None:
    """On a board of size 2 with a marble, the ``repeat`` of this game would run more often than allowed.

    The marble on Aa1 would fit on the smaller board, but the rules would fail. The board is therefore cleared, and the
    returned reason names ``repeat``.
    """
    text = """
        players: 2
        vars: {x: 0}
        turn:
          - {repeat: [{let: {x: x + 1}}], times: count(filled) * (3 - size) * 90000}
          - {place: own}
    """
    found = EditablePosition(inline(text, size=3), ["Aiko", "Ben"], 1)
    assert found.place_marble(0, 0, RED) == ""
    smaller, reason = found.resized(inline(text, size=2))
    assert smaller.match.initial_state.boards == ("..,../.",)
    assert "'repeat'" in reason


def test_note_about_another_size_is_shown(hand: Hand) -> None:
    entry = load_catalogue().get("spline")
    hand.app.show_page(PositionEditorPage(hand.app, bench(size=3), entry, None))
    page = hand.page(PositionEditorPage)
    page.switch_position(bench(size=4), [page.position], "The marbles don't fit.")
    shown = hand.page(PositionEditorPage)
    assert shown.position.size == 4
    assert shown.actions.message == "The marbles don't fit."


def test_record_keeps_seat_phase_and_stocks() -> None:
    found = bench("special-cake")
    assert found.set_phase(1) == ""
    assert found.set_seat_to_move(1) == ""
    assert found.set_phase(2) == "Special Cake has no phase 3."
    assert found.set_seat_to_move(2) == "Seat 3 is to move, but there is no such seat."
    text = found.match.record().to_text()
    assert f'position: {{boards: ["{EMPTY}"], to-move: 2, phase: 2}}\n' in text
    sown = bench("spin")
    assert sown.editable_stocks == [("hand", 0, 1)]
    assert sown.set_stock_count("hand", 0, RED, 0) == ""
    assert sown.match.initial_state.reserves["hand"] == ({"white": 4, "black": 4, "red": 0},)
    assert "stocks: {hand: [WWWWBBBB]}" in sown.match.record().to_text()


@pytest.mark.parametrize("entry", GAMES)
def test_positions_of_every_marble_game_can_be_saved_and_loaded(entry: object) -> None:
    from shibumi3d.catalogue.schema import Entry

    assert isinstance(entry, Entry)
    game = entry.game()
    match = Match(game, [f"P{seat}" for seat in range(game.players[0])], 3)
    for _ in range(12):
        moves = game.moves(match.state)
        if not moves:
            break
        match.play(moves[len(moves) // 2])
    found = editable_position(match, match.cursor)
    saved = found.match.record()
    again = Match.from_record(parse(saved.to_text()), game)
    assert again.initial_state == found.match.initial_state
    assert again.record() == saved


def test_position_that_would_not_load_is_not_saved(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    page = hand.start("spline")
    page.match.play("W@Ab2")
    page.update()
    hand.key("e")
    edit = hand.page(PositionEditorPage)
    hand.key("home")
    hand.key("3")
    hand.key("enter")
    assert edit.actions.autosave_path is not None
    before = edit.actions.autosave_path.read_bytes()
    monkeypatch.setattr(Record, "to_text", lambda self: "shibumi3d: 1\nturn: {<<}\n")
    hand.key("delete")
    hand.wait(0.1)
    assert edit.actions.autosave_path.read_bytes() == before
    assert "merge keys" in hand.floating(MessageCard).message_label.caption


def test_position_can_be_edited_and_played_by_keyboard(hand: Hand) -> None:
    page = hand.start("spline")
    page.match.play("W@Ab2")
    page.update()
    hand.key("e")
    edit = hand.page(PositionEditorPage)
    assert edit.match.initial_state.boards == ("....,....,.W..,..../...,...,.../..,../.",)
    assert edit.match.initial_state.to_move == 1
    hand.key("home")  # Aa1
    hand.key("3")
    hand.key("enter")
    assert edit.match.initial_state.boards == ("....,....,.W..,R.../...,...,.../..,../.",)
    assert edit.actions.autosave_path is not None
    assert load_record(edit.actions.autosave_path).position == edit.match.position
    hand.key("ctrl+z")
    hand.key("ctrl+y")
    hand.key("delete")
    hand.key("ctrl+z")
    assert edit.match.initial_state.boards == ("....,....,.W..,R.../...,...,.../..,../.",)
    copied: list[str] = []
    hand.app.services.write_clipboard = copied.append
    hand.app.services.read_clipboard = lambda: copied[0]
    hand.key("ctrl+c")
    assert copied == [edit.match.record().to_text()]
    hand.key("4")
    hand.key("enter")
    hand.key("ctrl+v")
    assert hand.app.current_page is not edit
    edit = hand.page(PositionEditorPage)
    assert edit.match.initial_state.boards == ("....,....,.W..,R.../...,...,.../..,../.",)
    hand.app.services.read_clipboard = lambda: copied[0].replace(".W..,R.../...", ".W..,R.../W..")
    hand.key("ctrl+v")
    assert "the marble has no support" in edit.current_message()
    spiral = Match(load_catalogue().get("golden-spiral").game(), ["Aiko", "Ben"], 1).record().to_text()
    hand.app.services.read_clipboard = lambda: spiral
    hand.key("ctrl+v")
    assert edit.current_message() == "The position editor doesn't support this game."
    message = edit.current_message()
    hand.app.services.read_clipboard = str  # nothing that could be pasted, as the clipboard has already said
    hand.key("ctrl+v")
    assert edit.current_message() == message
    hand.draw()
    path = edit.actions.autosave_path
    hand.key("p")
    played = hand.page(MarbleMatchPage)
    assert hand.app.matches.current_path == path
    assert played.match.initial_state.to_move == 1
    played.match.play("B@Aa2")
    assert path is not None
    record = load_record(path)
    assert (record.position, record.turns) == (edit.match.position, (("B@Aa2",),))
    hand.app.matches.release_current()
    hand.app.matches.open_file(path)
    again = hand.page(MarbleMatchPage)
    assert again.match.state.boards == ("....,....,BW..,R.../...,...,.../..,../.",)


def test_solving_from_a_position(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each player has three of the four points of a row, so whoever is to move wins by taking the fourth."""
    from shibumi3d.search import solver
    from shibumi3d.search.worker import Answer

    def at_once(then: Callable[[Answer], None], name: str, *args: object, **options: object) -> None:
        then(Answer(getattr(solver, name)(*args, **options)))

    page = hand.start("spline")
    for move in ("W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2"):
        page.match.play(move)
    monkeypatch.setattr(hand.app.solver, "submit", at_once)
    hand.key("e")
    hand.key("s")
    edit = hand.page(PositionEditorPage)
    assert edit.current_message() == "Aiko has a forced win. First move: Place white on Ad1."
    edit.mover_dropdown.select(1)
    hand.key("s")
    assert edit.current_message() == "Ben has a forced win. First move: Place black on Ad2."


def test_removal_preview_waits_until_the_pointer_has_left(hand: Hand) -> None:
    """A marble that was just placed lies under the pointer.

    Its removal is previewed only after the pointer has moved away and come back.
    """
    hand.start("spline").edit_position()
    hand.draw()
    page = hand.page(PositionEditorPage)
    place, other = page.pointer.click_positions()["Ab2"], page.pointer.click_positions()["Ad4"]
    hand.click(*place)
    hand.point(place[0] + 1, place[1])
    assert page.position.occupied_mask(0)
    assert page.pointer.active_spot is None
    hand.point(*other)
    hand.point(*place)
    assert page.pointer.active_spot is not None
