"""The heuristics for battles in Arcanoid: what they consider, and that they beat random play."""

from __future__ import annotations

from random import Random

import pytest

import shibumi3d
from shibumi3d.search import arcanoid
from shibumi3d.search.heuristics import make_search


def test_playout_policy_beats_random_play() -> None:
    game = shibumi3d.game("arcanoid", options={"rounds": 1})
    won = 0
    for seed in range(20):
        chance, me = Random(seed), seed % 2
        state = game.start(2, seed)
        while state.result is None:
            seat = state.to_move
            moves = game.moves(state, seat)
            view = game.observe(state, seat)
            move = (
                arcanoid.playout_move(game, view, seat, moves, chance) if seat == me else chance.choice(moves)
            )
            state, _ = game.apply(state, move)
        won += me in state.result.winners
    # A random player would win about 10 of 20 matches against another, and hardly ever 18.
    assert won >= 18


@pytest.mark.parametrize("seats", [2, 5])
def test_search_limits_candidates_and_values_sum_to_one(seats: int) -> None:
    game = shibumi3d.game("arcanoid")
    chance = Random(5)
    state = game.start(seats, 5)
    for _ in range(120):
        seat = state.to_move
        moves = game.moves(state, seat)
        search = make_search(game, game.observe(state, seat), seat)
        assert 1 <= len(search.move_texts) <= arcanoid.MAX_CANDIDATES
        assert set(search.move_texts) <= {move.text for move in moves}
        assert sum(arcanoid.estimate_values(game, state)) == pytest.approx(1.0)
        state, _ = game.apply(state, chance.choice(moves))


def test_engaging_the_royal_couple_beats_giving_up() -> None:
    """Engaging the royal couple is better than giving up its field or discarding the queen.

    The queen and king of a suit, engaged together on the field of that suit, beat any number of points. Seat 0 has the
    queen and king of swords in hand.
    """
    game = shibumi3d.game("arcanoid")
    state = game.start(2, 1, {"first": "1", "stock": "SQ SK T2 C3 D4 T5 D2 D3 D5 C2 C4 C5"})
    search = make_search(game, game.observe(state, 0), 0)
    search.run_simulations(400, lambda: False)
    worth = {one.move_texts[0]: one.mean_value for one in search.ranked_moves()}
    assert worth["S:SQ+SK"] > worth["S:-"] + 0.05
    assert worth["S:SQ+SK"] > worth["-SQ"] + 0.05
