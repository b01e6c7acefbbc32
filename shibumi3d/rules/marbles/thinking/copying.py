"""Search for the reply that copies a move on the opposite side of the board."""

from __future__ import annotations

from collections.abc import Iterable

from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import Pyramid
from shibumi3d.rules.marbles.thinking.symmetry import turned, ways

WHITE, BLACK = COLOURS.index("white"), COLOURS.index("black")
OTHER = {WHITE: BLACK, BLACK: WHITE}


def copied(pyramid: Pyramid, move: Move, moves: Iterable[Move]) -> Move | None:
    """Return the move in ``moves`` that copies ``move`` under a half turn of the board, or None.

    If possible, white and black are exchanged; otherwise, the copy has the same colour. If copies on several boards are
    possible, the one on the same board is preferred.
    """
    open_ = sorted(moves, key=lambda one: one.board != move.board)
    half = ways(pyramid)[2]
    point = half[move.point] if move.point >= 0 else -1
    side = move.side ^ 1 if move.side >= 0 else -1  # swap west with east, south with north
    value = turned(move.value, half) if move.kind == "points" else move.value
    for colour in dict.fromkeys((OTHER.get(move.colour, move.colour), move.colour)):
        for one in open_:
            if (one.kind, one.point, one.side, one.value, one.colour, one.label) == (
                move.kind, point, side, value, colour, move.label,
            ):  # fmt: skip
                return one
    return None
