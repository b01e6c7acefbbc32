"""Positions drawn as text, for tests.

A drawing shows the levels side by side, from the board upward, separated by ``|``. North is at the top, where all
levels begin; levels that aren't in the drawing are empty::

    . . . . | . . . | . .
    . W W . | . . . | . .
    B W W . | R . .
    B B . .
"""

from __future__ import annotations

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.position import parse_board
from shibumi3d.rules.marbles.pyramid import Pyramid, get_pyramid


def board(picture: str) -> str:
    rows = [["".join(cell.split()) for cell in line.split("|")] for line in picture.strip().splitlines()]
    size = len(rows)
    levels = []
    for k in range(size):
        width = size - k
        if k < len(rows[0]):
            levels.append(",".join(row[k] if k < len(row) else "" for row in rows[:width]))
        else:
            levels.append(",".join(["." * width] * width))
    return "/".join(levels)


def drawn(picture: str) -> tuple[Pyramid, int, tuple[int, ...]]:
    """Parse a drawing; return the pyramid, the mask of all marbles, and one mask per colour."""
    size, cells = parse_board(board(picture))
    filled = 0
    for mask in cells:
        filled |= mask
    return get_pyramid(size), filled, cells


def points(pyr: Pyramid, names: str) -> int:
    """Return the mask of the points listed in ``names``, such as ``"Aa1 Bb2"``."""
    return sum(1 << pyr.point_by_name[name] for name in names.split())


def names(pyr: Pyramid, mask: int) -> str:
    """Return the names of the points in a mask, lowest first: ``"Aa1 Bb2"``."""
    return " ".join(pyr.point_names[p] for p in iter_bits(mask))
