"""World coordinates of the boards and of the objects around them.

The unit is the diameter of a marble. x points east, y north and z up. The plane z = 0 passes through the centres of the
marbles of level A. A single board is centred on the origin; several boards are placed in a row along x that is centred
on the origin.
"""

from __future__ import annotations

import functools
import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shibumi3d.rules.marbles.pyramid import get_pyramid

Array: TypeAlias = NDArray[np.float64]
Vector: TypeAlias = tuple[float, float, float]

RADIUS = 0.5
LEVEL_HEIGHT = math.sqrt(0.5)  # height of a level above the one below
HOLE_RADIUS = 0.31  # radius of a hole at the surface of the board
BOARD_TOP_Z = -math.sqrt(
    RADIUS**2 - HOLE_RADIUS**2
)  # z of the surface; a marble rests on the rim of its hole
HOLE_SPHERE_RADIUS = 0.37  # radius of the sphere that is cut out for a hole
BOARD_THICKNESS = 0.52
TABLE_Z = BOARD_TOP_Z - BOARD_THICKNESS
BOARD_MARGIN = 0.58  # width of the wood around the outermost cells
LABEL_OFFSET = 0.24  # from the outermost cells to the centres of the names in the rim
BOARD_GAP = 0.7  # distance between two boards
DISH_MARBLE_Z = TABLE_Z + 0.06 + RADIUS  # z of a marble's centre in the dish; see tools/models.py
TRAY_MARBLE_Z = TABLE_Z + 0.10 + RADIUS  # the same on a tray
BOX_MARBLE_Z = TABLE_Z + 0.05 + RADIUS  # the same in a box
BOX_HINGE_DISTANCE = 0.675  # from the centre of a box to its hinge
BOX_HINGE_HEIGHT = 0.75  # height of the hinge of the lid above the table


def socket_depth(radius: float, rests_on_marbles: bool) -> float:
    """Return the height of a marble's centre above that of a smaller ball of ``radius`` in the same socket.

    So that the ball does not seem to float, it touches what would support a marble: four marbles if
    ``rests_on_marbles``, otherwise the rim of a hole.
    """
    if rests_on_marbles:
        return LEVEL_HEIGHT - math.sqrt((RADIUS + radius) ** 2 - 0.5)
    return -BOARD_TOP_Z - math.sqrt(radius**2 - HOLE_RADIUS**2)


def half_side(size: int) -> float:
    """Return half the side length of a board of ``size``, including its rim."""
    return size / 2 + BOARD_MARGIN


class Layout:
    """World coordinates of boards of the given ``sizes``, arranged from left to right.

    Instances are immutable and shared; call :func:`make_layout` to get one. ``origins`` contains the (x, y) centres of
    the boards, ``points[board]`` is an (n, 3) array of the centres of the marbles on all points, and ``levels[board]``
    is an (n,) array of the levels of the points. ``horizontal_extent`` is the maximum distance of the boards from the
    vertical axis, ``half_diagonal`` is half the diagonal of the largest board, and ``height`` is the z coordinate of
    the highest point.
    """

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        width = sum(2 * half_side(size) for size in sizes) + BOARD_GAP * (len(sizes) - 1)
        origins: list[tuple[float, float]] = []
        west = -width / 2
        for size in sizes:
            origins.append((west + half_side(size), 0.0))
            west += 2 * half_side(size) + BOARD_GAP
        self.origins = tuple(origins)
        self.points: tuple[Array, ...] = tuple(
            np.array(get_pyramid(size).centres) + np.array([x - (size - 1) / 2, y - (size - 1) / 2, 0.0])
            for size, (x, y) in zip(sizes, origins, strict=True)
        )
        self.levels: tuple[Array, ...] = tuple(
            np.array(get_pyramid(size).level, dtype=np.float64) for size in sizes
        )
        self._positions: tuple[tuple[Vector, ...], ...] = tuple(
            tuple((float(x), float(y), float(z)) for x, y, z in points) for points in self.points
        )
        for array in (*self.points, *self.levels):
            array.setflags(write=False)
        self.horizontal_extent = math.hypot(width / 2, max(half_side(size) for size in sizes))
        self.half_diagonal = math.sqrt(2) * max(half_side(size) for size in sizes)
        self.height = (max(sizes) - 1) * LEVEL_HEIGHT

    def point_position(self, board: int, point: int) -> Vector:
        """Return the centre of a marble on ``point`` of ``board``."""
        return self._positions[board][point]


@functools.lru_cache(maxsize=32)
def make_layout(sizes: tuple[int, ...]) -> Layout:
    """Return the layout of boards of ``sizes``, from left to right.

    Raises ValueError if there are no boards, or if a size is not from 2 to 10.
    """
    if not sizes:
        raise ValueError("a layout needs at least one board")
    return Layout(sizes)
