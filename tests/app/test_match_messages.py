"""Messages during a match: who they are from, how long they stay, and which button they refer to."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

import shibumi3d
from shibumi3d.rules.marbles.wording import sentences
from tests.marble_games import marble_games

if TYPE_CHECKING:
    from tests.app.hand import Hand


def test_message_about_a_spot_clears_on_pointer_move(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    x, y = hand.spot("Ab2")
    hand.click(x, y)
    assert play.actions.message_spot is not None
    hand.point(x + 3, y)
    assert play.actions.message, "a pointer that trembles has not moved on"
    hand.point(*hand.spot("Ad4"))
    assert (play.actions.message, play.actions.message_spot) == ("", None)
    assert play.message_line.current_message() == ("Ad4 – ends the turn", False)


def test_message_about_a_plan_point_clears_on_pointer_move(hand: Hand) -> None:
    play = hand.start("spline")
    hand.choose("Ab2")
    index = play.match.state.pyramid.point_by_name
    hand.click(*play.level_strip.point_position(index["Ab2"]))
    assert play.actions.message
    hand.point(*play.level_strip.point_position(index["Aa1"]))
    assert play.actions.message == ""


def test_hover_text_replaces_a_note(hand: Hand) -> None:
    play = hand.start("spline")
    play.show_note("View 2 saved.")
    assert play.message_line.current_message()[0] == "View 2 saved."
    hand.point(*hand.spot("Ad4"))
    assert play.message_line.current_message()[0] == "Ad4 – ends the turn"


def test_hovering_a_button_describes_its_move(hand: Hand) -> None:
    play = hand.start("spirit")
    button = hand.app.root.find("pass")
    assert button is not None
    hand.point(button.rect.cx, button.rect.cy)
    assert play.message_line.current_message() == ("Pass", False)
    play = hand.start("spree")
    button = hand.app.root.find("answer R!")
    assert button is not None
    hand.point(button.rect.cx, button.rect.cy)
    assert play.message_line.current_message() == ("Red to Ben – ends the turn", False)


@pytest.mark.parametrize("name", [entry.id for entry in marble_games()])
def test_sentences_do_not_repeat_names(name: str) -> None:
    game = shibumi3d.game(name)
    for seats in sorted(set(game.players)):
        names = [f"Player {seat + 1}" for seat in range(seats)]
        state = game.start(seats, seed=2)
        rng = Random(2)
        for _ in range(60):
            moves = game.moves(state)
            if not moves:
                break
            seat, move = state.to_move, rng.choice(moves)
            assert seat is not None
            line = game.describe_outcome(game.observe(state, seat), move, names=names)
            state, events = game.apply(state, move)
            description = sentences.describe_turn(state, seat, events, names=names)
            for each in names:
                assert description.count(f"{each} ") + description.count(f"{each}:") < 2, description
                # The score and the next player may mention a name again, but never twice in a row.
                assert f"{each} {each}" not in line, line
                assert f"{each}: {each}" not in line, line


def test_passing_or_choosing_player_is_named_once() -> None:
    game = shibumi3d.game("spirit")
    state, events = game.apply(game.start(), "pass")
    assert sentences.describe_turn(state, 0, events, names=["Aiko", "Ben"]) == "Aiko passes"
    game = shibumi3d.game("spetris")
    state, events = game.apply(game.start(), "1")
    assert sentences.describe_turn(state, 0, events, names=["Aiko", "Ben"]) == "Aiko chooses 1"
    game = shibumi3d.game("spline")
    state, events = game.apply(game.start(), "W@Ab2")
    assert sentences.describe_turn(state, 0, events, names=["Aiko", "Ben"]) == "Aiko: white on Ab2"
    assert sentences.describe_turn(state, 0, events, names=["White", "Black"]) == "White: Ab2"
    assert sentences.describe_turn(state, 0, events, "de", ["Weiß", "Schwarz"]) == "Weiß: Ab2"
    assert sentences.describe_turn(state, 0, events, "fr", ["Blanc", "Noir"]) in (
        "Blanc : Ab2",
        "Blanc\xa0: Ab2",
    )
    assert sentences.describe_turn(state, 0, events, names=["Black", "White"]) == "Black: white on Ab2"
    game = shibumi3d.game("spalone")
    state = game.start(seed=1)
    state, events = game.apply(state, game.moves(state)[0])
    assert sentences.describe_turn(state, 0, events).endswith(" on Aa1")
    assert sentences.describe_turn(state, 0, events)[0].isupper()
