"""Spargo and Spline+, implemented independently and played in parallel with the engine.

After every choice, the legal moves, the board and the winners must be the same.
"""

from __future__ import annotations

from random import Random

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from tests.naive.pyramid import format_position
from tests.naive.spargo import Spargo
from tests.naive.spline_plus import SplinePlus

REFERENCES = {"spargo": Spargo, "spline-plus": SplinePlus}
LONG = 70
"""Number of choices after which a match is stopped; in Spline+, marbles could be moved for ever."""


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("size", [3, 4])
@pytest.mark.parametrize("name", REFERENCES)
def test_engine_agrees_with_reference_game(name: str, size: int, seed: int) -> None:
    game, chance = load_catalogue().get(name).game(size=size), Random(f"{name} {size} {seed}")
    state, reference = game.start(2), REFERENCES[name](size)
    for _ in range(LONG):
        moves = sorted(str(move) for move in game.moves(state))
        assert moves == sorted(reference.moves()), format_position(size, reference.marbles)
        outcome, winners = game.outcome(state), reference.winners()
        assert (outcome is None) == (winners is None)
        if outcome is not None and winners is not None:
            assert set(outcome.winners or (0, 1)) == winners
            return
        move = chance.choice(moves)
        reference.play(move)
        state, _ = game.apply(state, move)
        assert state.boards[0] == format_position(size, reference.marbles)
