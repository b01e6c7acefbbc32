"""Reasons for moves in solo games: what they claim is checked with the rules alone."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import shibumi3d
from shibumi3d.rules.game import Game, State
from shibumi3d.search.explanations import explain_move


def is_winnable(game: Game, state: State, known: dict[object, bool]) -> bool:
    """Return whether a solo game without chance can still be won, determined by brute force.

    ``known`` caches the results by state; the function adds to it. A match that is over counts as won if it has a
    winner.
    """
    if state.result is not None:
        return bool(state.result.winners)
    if state not in known:
        known[state] = any(is_winnable(game, game.apply(state, move)[0], known) for move in game.moves(state))
    return known[state]


def test_move_said_to_keep_the_win_keeps_it() -> None:
    """In the last turns of Spin, a solo game, brute force confirms what the reasons say about winning.

    After a move that is said to keep the win, the game can still be won. If the move is said to be the only one that
    keeps it, the game can't be won after any move that leads to another state. The very easy hand has only six marbles,
    so the brute-force search is short.
    """
    game, known, reasons = shibumi3d.game("spin", variant="very easy"), dict[object, bool](), Counter[str]()
    for seed in range(3):
        state, chance = game.start(1, seed), Random(seed)
        while state.to_move is not None:
            every = [(move, game.apply(state, move)[0]) for move in game.moves(state)]
            for move, after in every if state.turn >= 4 else ():
                said = {why.context for why in explain_move(game, state, move)}
                reasons.update(said)
                if said & {"why.keeps-win", "why.only-win"}:
                    assert is_winnable(game, after, known)
                if "why.only-win" in said:
                    assert all(other == after or not is_winnable(game, other, known) for _, other in every)
            chance.shuffle(every)
            winnable = (after for _, after in every if state.turn >= 3 and is_winnable(game, after, known))
            state = next(winnable, every[0][1])
    assert reasons["why.keeps-win"]
    assert reasons["why.only-win"]


@pytest.mark.parametrize("name", ["spalone", "sprout"])
def test_next_marble_fits_as_often_as_said(name: str) -> None:
    game, reasons = shibumi3d.game(name), Counter[int]()
    for seed in range(4):
        state, chance = game.start(1, seed), Random(seed)
        while state.to_move is not None:
            move = chance.choice(game.moves(state))
            for why in explain_move(game, state, move):
                if why.context == "why.leaves-places":
                    least = why.values["n"]
                    assert isinstance(least, int)
                    reasons[least] += 1
                    for draw in range(300, 320):
                        then, _ = game.apply(game.determinize(state, 0, Random(draw)), move)
                        places = {each.text for each in game.moves(then) if "@" in each.text}
                        assert len(places) >= least
            state, _ = game.apply(state, move)
    assert len(reasons) > 1


def test_last_marble_and_games_for_points_have_no_such_reason() -> None:
    game = shibumi3d.game("spruit")
    state = game.start(1, 1)
    contexts = {why.context for move in game.moves(state) for why in explain_move(game, state, move)}
    assert not contexts & {"why.leaves-places", "why.keeps-win", "why.only-win"}


def test_cost_of_a_move_is_the_difference_of_the_best_scores() -> None:
    """The best scores in the last turns of Spuzzle are found by brute force."""
    game, known, reasons = shibumi3d.game("spuzzle", size=3), dict[object, int](), Counter[str]()

    def best(state: State) -> int:
        if state.result is not None:
            return state.result.scores[0] if state.result.winners else -1
        if state not in known:
            known[state] = max(best(game.apply(state, move)[0]) for move in game.moves(state))
        return known[state]

    for seed in range(6):
        state, chance = game.start(1, seed), Random(seed)
        while state.to_move is not None:
            moves = game.moves(state)
            for move in moves if state.turn >= 8 else ():
                after, _ = game.apply(state, move)
                for why in explain_move(game, state, move):
                    reasons[why.context] += 1
                    if why.context == "why.keeps-best":
                        assert best(after) == best(state) == why.values["n"]
                    if why.context == "why.costs":
                        assert best(state) - best(after) == why.values["n"]
            state, _ = game.apply(state, chance.choice(moves))
    assert reasons["why.keeps-best"]
    assert reasons["why.costs"]
