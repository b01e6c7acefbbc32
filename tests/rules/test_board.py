"""The masks of a board agree with each other, also where little is known of what stands on it."""

from __future__ import annotations

from random import Random

import pytest

from shibumi3d.rules.marbles.engine.board import Board, count
from shibumi3d.rules.marbles.pyramid import pyramid


@pytest.mark.parametrize("seed", range(20))
def test_what_is_playable_is_an_empty_point_whose_supports_are_all_filled(seed: int) -> None:
    """Of a board that a seat does not see, marbles may be put where nothing is known to carry them, and come and go
    in any order. What is playable is worked out anew each time, from its definition."""
    chance = Random(seed)
    table = pyramid(4)
    board = Board(0, table, 3, 3)
    colours: dict[int, int] = {}
    for _ in range(200):
        point = chance.randrange(table.count)
        if point in colours:
            board.lift(board.cells[point], colours.pop(point))
        else:
            colours[point] = chance.randrange(3)
            board.put(board.cells[point], colours[point])
        filled = sum(1 << point for point in colours)
        playable = {
            p
            for p in range(table.count)
            if p not in colours
            and all(q in colours for q in range(table.count) if table.supports[p] >> q & 1)
        }
        assert board.filled == filled
        assert {p for p in range(table.count) if board.playable >> p & 1} == playable


def test_points_are_counted_in_words_of_any_density() -> None:
    """Compiled, they are counted by sums of neighbouring bits, each of which could be one off."""
    chance = Random(1)
    masks = [(1 << n) - 1 for n in range(63)] + [chance.getrandbits(62) for _ in range(200)]
    assert [count(mask) for mask in masks] == [bin(mask).count("1") for mask in masks]
