"""The evaluation of a state equals that of its best turn, and only proved values are called proved."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.search.players import Budget, analyse, player
from shibumi3d.search.solver import find_best_score, solve
from tests.marble_games import thinned


def game_after(name: str, moves: str, size: int | None = None) -> tuple[Any, Any]:
    game = shibumi3d.game(name, size=size)
    state = game.start(2)
    for move in moves.split():
        state, _ = game.apply(state, move)
    return game, state


def test_final_pass_is_win_in_one() -> None:
    """If White passes too, the match ends, and White wins with one marble against none.

    In Spirit, a match ends when all players pass in succession, and the player with the most marbles wins. Black has
    placed no marble and has just passed.
    """
    game, state = game_after("spirit", "W@Ab2 pass")
    for iterations in (1, 40):
        found = analyse(game, game.observe(state, 0), Budget(iterations))
        assert (found.wins_in, found.mean) == (1, 1.0)
        assert (found.turns[0].move_texts, found.turns[0].turns_to_end) == (("pass",), 1)


@pytest.mark.parametrize("iterations", [20, 300])
def test_lost_position_marks_every_turn_lost(iterations: int) -> None:
    """The certificate of Spline proves that the second player wins, so every first turn loses.

    An analysis lists at most three turns.
    """
    game, state = game_after("spline", "")
    found = analyse(game, game.observe(state, 0), Budget(iterations))
    assert (found.mean, len(found.turns)) == (0.0, 3)
    assert all(one.is_proved and one.mean_value == 0.0 for one in found.turns)


@pytest.mark.parametrize("name", thinned(["spline", "span", "spirit", "splastwo", "spree"], 2))
def test_analysis_value_equals_best_turn_value(name: str) -> None:
    """The value of an analysis is that of its best turn, in states from random matches.

    Some of the states are near the end. The analysis gives the number of turns to a win or loss if and only if the best
    turn is a proved win or loss and that number is known. If the best turn is a proved loss, so are all others.
    """
    game = shibumi3d.game(name, size=3)
    chance = Random(name)
    for _ in range(6):
        state = game.start(2)
        for _ in range(chance.randrange(10)):
            ahead, _ = game.apply(state, chance.choice(game.moves(state)))
            if ahead.to_move is None:
                break
            state = ahead
        found = analyse(game, game.observe(state, state.to_move), Budget(60))
        best = found.turns[0]
        assert found.mean == best.mean_value
        assert bool(found.wins_in) == (best.is_proved and best.mean_value == 1.0 and best.turns_to_end > 0)
        assert bool(found.loses_in) == (best.is_proved and best.mean_value == 0.0 and best.turns_to_end > 0)
        if best.mean_value == 0.0 and best.is_proved:
            assert all(one.is_proved and one.mean_value == 0.0 for one in found.turns)


@pytest.mark.parametrize(
    ("name", "size", "work"), [("spuzzle", 6, 2_000), ("spuzzle", 4, 900), ("spoff", 4, 500)]
)
def test_solver_respects_move_limit(name: str, size: int, work: int) -> None:
    game = shibumi3d.game(name, size=size)
    state = game.start(1)
    assert find_best_score(game, state, max_moves=work).moves_tried <= work
    assert solve(game, state, max_moves=work).moves_tried <= work


def test_interrupted_solver_claims_no_loss() -> None:
    game = shibumi3d.game("spin")
    for work in (1, 2, 3, 7):
        verdict = solve(game, game.start(1, 1), max_moves=work)
        assert verdict.is_winnable is not False
        assert verdict.moves_tried <= work


@pytest.mark.parametrize("seed", thinned([0, 2], 2))
def test_sky_player_keeps_only_winning_move(seed: int) -> None:
    """White wins only by placing a white marble on Ac3.

    According to an unlimited search, Black wins after all other turns.
    """
    game = shibumi3d.game("splice")
    state = game.position("B..R,...W,...B,WBRR/...,...,.../..,../.")
    assert player("sky", seed).choose(game, game.observe(state, 0), Budget(40)).move == "W@Ac3"
    assert [one.move_texts for one in analyse(game, game.observe(state, 0), Budget(40)).turns[:1]] == [
        ("W@Ac3",)
    ]
