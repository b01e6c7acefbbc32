"""Replies to a problem solver: the fastest win or longest defence, and whether its value is proved."""

from __future__ import annotations

from typing import Any

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.search.replies import find_reply
from tests.three_problems import THREE


def problem_after(number: int, *turns: str) -> tuple[Any, Any]:
    game = load_catalogue().get("spline").game()
    problem = THREE[number - 1]
    state = problem.start_state(game)
    for turn in turns:
        state, _ = game.apply(state, turn)
    return game, state


def test_only_key_turn_leaves_lost_reply() -> None:
    for turn, worth in (("W@Ac3", 0.0), ("W@Ac2", 1.0)):
        game, state = problem_after(2, turn)
        assert find_reply(game, state).value == worth


def test_reply_chooses_longest_defence() -> None:
    """Black wins in one turn after four of White's five replies, but needs two turns after W@Bb1.

    Black has already made B@Ba1, the first turn of the problem's solution, so White loses after any reply. The one that
    delays the loss longest is chosen.
    """
    game, state = problem_after(3, "B@Ba1")
    found = find_reply(game, state)
    assert (found.turn, found.value, found.turns) == (("W@Bb1",), 0.0, 2)


def test_reply_finds_immediate_win() -> None:
    game, state = problem_after(1)
    found = find_reply(game, state)
    assert (found.turn, found.value, found.turns) == (("W@Ac1",), 1.0, None)


def test_reply_without_work_or_with_chance_is_unproved() -> None:
    game = load_catalogue().get("spava").game()  # nothing is stored about it
    state = game.start(2, 1)
    found = find_reply(game, state, 0)
    assert found.value is None
    assert found.turn[0] in {move.text for move in game.moves(state)}
    drawn = load_catalogue().get("sprout").game()
    first = drawn.start(2, 1)
    found = find_reply(drawn, first)
    assert (found.value, found.turns) == (None, None)


def test_reply_contains_every_move_of_the_turn() -> None:
    game = load_catalogue().get("spaiji").game()
    state = game.start(2)
    found = find_reply(game, state, 0)
    assert len(found.turn) == 2
    for move in found.turn:
        state, _ = game.apply(state, move)
    assert state.to_move == 1
    over, _ = game.lose_on_time(game.start(2), 0)
    with pytest.raises(ValueError, match="over"):
        find_reply(game, over)
