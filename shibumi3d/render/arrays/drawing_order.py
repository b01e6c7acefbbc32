"""Drawing order of objects, from far to near."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.marbles import BallArrays
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, Array


def sort_balls_far_to_near(balls: BallArrays, eye: Array) -> NDArray[np.int64]:
    """Return the indices of the visible marbles in drawing order, farthest first.

    They are sorted by the squared distance from the camera minus the squared radius. This is correct wherever two
    spheres overlap in the image.
    """
    rows = balls.rows[balls.visible]
    to = rows[:, :3].astype(np.float64) - eye
    power = np.einsum("ij,ij->i", to, to) - rows[:, 3].astype(np.float64) ** 2
    return balls.visible[np.argsort(-power, kind="stable")]


def sort_boards_far_to_near(boards: Sequence[Board], eye: Array) -> list[Board]:
    """Return the boards in drawing order, farthest first."""
    return sorted(boards, key=lambda b: -((b.x - eye[0]) ** 2 + (b.y - eye[1]) ** 2))


def split_by_nearest_board(rows: Floats, boards: Sequence[Board]) -> list[tuple[Floats, Board]]:
    """Split the rows of marbles into runs with the same nearest board, and return each run with that board."""
    away = np.array([(rows[:, 0] - board.x) ** 2 + (rows[:, 1] - board.y) ** 2 for board in boards])
    nearest = away.argmin(axis=0)
    parts = np.split(np.arange(len(rows)), np.flatnonzero(np.diff(nearest)) + 1)
    return [(rows[part], boards[nearest[part[0]]]) for part in parts]


def are_balls_behind(rows: Floats, board: Board, eye: Array) -> NDArray[np.bool_]:
    """Return, for each marble in ``rows``, whether it is behind ``board`` and low enough to be hidden by it."""
    low = rows[:, 2] - rows[:, 3] < BOARD_TOP_Z - 0.2
    return low & are_rectangles_behind(rows[:, :2] - rows[:, 3:4], rows[:, :2] + rows[:, 3:4], board, eye)


def are_rectangles_behind(
    minimum: Floats | Array, maximum: Floats | Array, board: Board, eye: Array
) -> NDArray[np.bool_]:
    """Return which axis-aligned rectangles are behind ``board`` as seen from ``eye``.

    ``minimum`` and ``maximum`` (n, 2) are their minimum and maximum x and y. A rectangle is behind the board if it lies
    beyond one of the board's sides, but not beyond any side that faces the camera.
    """
    half = board.half_side
    hidden = np.zeros(len(minimum), dtype=bool)
    nearer = np.zeros(len(minimum), dtype=bool)
    for axis, middle in ((0, board.x), (1, board.y)):
        for sign, edge in ((-1.0, -maximum), (1.0, minimum)):
            outside = edge[:, axis] - middle * sign > half - 0.02
            if (eye[axis] - middle) * sign > half:
                nearer |= outside
            else:
                hidden |= outside
    return hidden & ~nearer
