"""Games with secrets, played with the pointer: the window shows only what the current player may know."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import shibumi3d
from shibumi3d.app.match.marble_view.boards import board_title
from shibumi3d.app.match.marble_view.playback import RevealCard
from shibumi3d.app.match.privacy_screen import PrivacyScreen
from shibumi3d.app.pages.replay import ReplayPage
from shibumi3d.match import visibility
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.move import Move
from shibumi3d.scene.marbles.scene import marbles_by_cell
from shibumi3d.scene.marbles.signs import SignKind
from tests.app.writing import written

if TYPE_CHECKING:
    from tests.app.hand import Hand


def look(hand: Hand) -> bool:
    """Close the public reveal and lift the privacy screen, if they are shown.

    Return whether there was a privacy screen.
    """
    floats = hand.app.root.popups
    if floats and isinstance(floats[-1], RevealCard):
        while hand.play.model.first_covered_choice is not None:
            hand.wait(0.1)
        hand.push("go on")
    if not floats or not isinstance(floats[-1], PrivacyScreen):
        return False
    hold = floats[-1].hold_button
    hand.press(*hand.app.to_window_pixels(hold.rect.cx, hold.rect.cy))
    hand.wait(1)
    hand.release(*hand.app.to_window_pixels(hold.rect.cx, hold.rect.cy))
    return True


def make_move_with_pointer(hand: Hand, move: Move) -> None:
    play = hand.play
    if move.kind in ("done", "pass"):
        hand.push("end turn" if move.kind == "done" else "pass")
    elif move.point >= 0 and move.kind != "points":
        if len(play.controller.available_colours) > 1 and move.colour >= 0:
            heap = play.table_marbles.find_heap(move.colour)
            if play.tray.visible:
                field = play.tray._field_rect(play.controller.available_colours.index(move.colour))
                hand.click(*hand.app.to_window_pixels(field.cx, field.cy))
            elif heap is not None and heap != play.table_contents(play.animation_time()).dish_heap:
                hand.click(*hand.marble(heap.stock, heap.colour))
        spot = next(s for s in play.controller.targets if (s.board, s.point) == (move.board, move.point))
        x, y = play.view.to_window(play.pointer.sign_position(spot))
        seen = play.view.rect.contains(x, y) and not play.level_strip.rect.contains(x, y)
        if not seen or play.pointer.spot_at(x - play.view.rect.x, y - play.view.rect.y) != spot:
            # The point is hidden behind marbles, so click it in the level strip.
            play.pointer.select_board(move.board)
            x, y = play.level_strip.point_position(spot.point)
        hand.click(*hand.app.to_window_pixels(x, y))
    elif move.kind == "points":
        for point in iter_bits(move.value):
            play.pointer.select_board(move.board)
            hand.click(*hand.app.to_window_pixels(*play.level_strip.point_position(point)))
    else:
        hand.push(f"answer {move.text}")
    hand.wait(0.3)


@pytest.mark.parametrize(
    ("game", "seats", "turns"),
    [
        ("spagyric", 2, 14),
        ("spindizzy", 3, 14),
        ("spanic", 3, 10),
        ("springe", 2, 14),
        ("spangle", 4, 16),
        ("spy", 3, 60),
        ("spair", 2, 8),
    ],
)
def test_window_shows_only_the_observation_of_the_viewer(
    hand: Hand, game: str, seats: int, turns: int
) -> None:
    hand.app.change_settings(motion="off")
    chance = random.Random(game)
    play = hand.start(game, tuple(["Ann", "Ben", "Cem", "Dan"][:seats]))
    for _ in range(turns):
        look(hand)
        moves = play.controller.moves
        if not moves:
            break
        before = play.match.cursor
        make_move_with_pointer(hand, chance.choice([m for m in moves if m.kind != "done"] or moves))
        assert play.match.cursor > before
        look(hand)
        state, viewer = play.match.state, play.model.viewer
        if viewer is None:
            break
        seen = play.match.game.observe(state, viewer)
        assert play.marble_scene.marbles == marbles_by_cell(seen)
        for board in play.visible_position.covered_boards:
            assert not any(at[0] == board for at in play.marble_scene.marbles)
            assert any(
                sign.kind is SignKind.COVERED_BOARD and sign.board == board for sign in play.static_signs()
            )
        message, _ = play.message_line.current_message()
        last = play.match.plies[-1]
        if before in play.visible_position.unrevealed_plies and last.seat != viewer:
            assert message == f"{play.names[last.seat]} chose in secret"
    hand.app.change_settings(motion="normal")


def test_secret_choice_is_masked_until_revealed(hand: Hand) -> None:
    play = hand.start("spagyric")
    look(hand)
    assert play.status_line.sentence().startswith("Aiko to move in secret")
    hand.push("answer B!")
    look(hand)
    assert 0 in play.visible_position.unrevealed_plies
    assert play.message_line.current_message() == ("Aiko chose in secret", False)
    hand.key("ctrl+z")
    assert len(hand.moves) == 1
    hand.key("ctrl+c")
    assert play.actions.message == "You can't copy the moves while some of them are secret."
    hand.push("answer W!")
    assert 0 in play.visible_position.unrevealed_plies
    look(hand)
    assert 0 not in play.visible_position.unrevealed_plies


def test_covered_board_can_be_viewed_but_reveals_nothing(hand: Hand, monkeypatch: pytest.MonkeyPatch) -> None:
    hand.app.change_settings(motion="off")
    play = hand.start("spy", ("Ann", "Ben", "Cem"))
    look(hand)
    assert board_title(play.state, play.names, 0) == ("Ann", 0)
    while play.model.viewer == 0:
        make_move_with_pointer(hand, play.controller.moves[0])
    look(hand)
    assert play.visible_position.covered_boards == {0}
    assert 0 in play.visible_position.unrevealed_plies
    names = play.match.state.pyramid.point_names
    hand.key("f6")
    assert play.active_board == 2
    hand.key("f6")
    assert play.active_board == 0
    hand.wait(1)
    assert play.level_strip.visible
    assert written(monkeypatch, hand.draw).texts.count("under a cloth") == 2, "on the board and in the strip"
    hand.click(*hand.spot(f"seat1.{names[0]}"))
    assert play.actions.message == "You can't play there: that board is under a cloth."
    hand.key("0")
    hand.wait(1)
    hand.app.change_settings(motion="normal")


def test_uncountable_marbles_stay_hidden_afterwards(hand: Hand) -> None:
    """In Springe, Ann's left fist is empty, and her right fist holds a marble.

    Ben chooses the left fist, and doesn't learn what is in the right one.
    """
    play = hand.start("springe", ("Ann", "Ben"))
    for move in ("done", "W!", "left"):
        play.match.play(move)
    match = play.match
    assert match.state.mover == 1
    assert visibility.hidden_plies(match, match.plies, 1) == {0, 1}
    assert visibility.hidden_plies(match, match.plies, 0) == set()
    events = [event for ply in match.plies for event in ply.events]
    observed = {
        type(event).__name__ for event in visibility.observe_events(match.game, match.state, 1, events)
    }
    assert observed == {"Chose", "Revealed", "TurnEnded"}
    assert "Given" in {
        type(event).__name__ for event in visibility.observe_events(match.game, match.state, 0, events)
    }


def test_unseen_discards_do_not_mask_public_choices() -> None:
    """In Springe, the plies that fill the fists are hidden from the opponent, but the later plies aren't.

    Ann hides a marble in her left fist, and one or none in the right fist. Ben chooses the left fist, and Ann places
    its marble. The right fist is then emptied unseen. Ben doesn't learn whether it held a marble, but he may see the
    choice and the placement.
    """
    for other in ("R!", "done"):
        match = Match(shibumi3d.game("springe"), ["Ann", "Ben"], 1)
        for move in ("W!", other, "left", "W@Aa1"):
            match.play(move)
        assert match.state.mover == 1
        assert visibility.hidden_plies(match, match.plies, 1) == {0, 1}


def test_replay_of_an_unfinished_match_keeps_its_secrets(hand: Hand) -> None:
    """In Spy, the Master has secretly placed four marbles of the code, which the replay doesn't show.

    The complete code is a pyramid of 30 marbles on the Master's own board. The other players' boards are still empty.
    """
    play = hand.start("spy", ("Ann", "Ben", "Cem"))
    look(hand)
    for _ in range(4):
        play.actions.play_move(play.actions.legal_moves()[0])
    hand.wait(1)
    match = play.match
    assert match.state.filled(0).bit_count() == 4
    hand.app.pages.show_saved_match(match, play.entry)
    hand.draw()
    page = hand.page(ReplayPage)
    page.go_to(4)
    hand.wait(1)
    assert page.replay_view.marble_scene.marbles == {}
    # Nothing is exposed of the covered board; the two others are empty.
    assert {thing.key.partition(".")[0] for thing in page.board_elements()} == {"seat2", "seat3"}
    assert not any(thing.is_object for thing in page.board_elements())
    assert page.replay_view.visible_position.covered_boards == {0}
    assert page.caption() == "Turn 1 – Ann chose in secret"
    page.step_by(-1)
    hand.wait(1)
    assert page.replay_view.marble_scene.marbles == {}
    hand.key("f3")
    assert "Aa" not in page.message
