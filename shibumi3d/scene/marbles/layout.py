"""World coordinates of the boards and of the objects around them.

The unit is the diameter of a marble on the boards; marbles beside the boards are smaller. x points east, y north and z
up. The plane z = 0 passes through the centres of the marbles of level A. A single board is centred on the origin;
several boards are placed in a row along x that is centred on the origin.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from shibumi3d.rules.marbles.pyramid import pyramid

Array: TypeAlias = NDArray[np.float64]
Vector: TypeAlias = tuple[float, float, float]

RADIUS = 0.5
RISE = math.sqrt(0.5)  # height of a level above the one below
HOLE = 0.31  # radius of a hole at the surface of the board
TOP = -math.sqrt(RADIUS**2 - HOLE**2)  # z of the surface; a marble rests on the rim of its hole
DISH = 0.37  # radius of the sphere that is cut out for a hole
THICKNESS = 0.52
TABLE = TOP - THICKNESS
MARGIN = 0.58  # width of the wood around the outermost cells
NAMED = 0.24  # from the outermost cells to the centres of the names in the rim
GAP = 0.7  # distance between two boards
SMALL = 0.72  # scale of everything beside the boards
LYING = SMALL * RADIUS  # radius of the marbles beside the boards
DISH_SEAT = TABLE + SMALL * 0.06 + LYING  # z of a marble's centre in the dish; see tools/models.py
TRAY_SEAT = TABLE + SMALL * 0.10 + LYING  # the same on a tray
BOX_SEAT = TABLE + SMALL * 0.05 + LYING  # the same in a box
BOX_HALF = SMALL * 0.675  # from the centre of a box to its hinge
BOX_HEIGHT = SMALL * 0.75  # height of the hinge of the lid above the table
EDGE = 1.1, 0.8, 0.5
"""Distances from the edge of the board at which a marble without a stock may be put down.

They are tried in this order, so the marble is put down at the greatest distance that is within the picture.
"""
BESIDE = 0.7  # distance from a board at which a marble reaches its small size


def sunk(radius: float, raised: bool) -> float:
    """Return how much lower than a marble a smaller ball lies in the same socket.

    This is the difference in height between their centres. So that the ball does not seem to float, it touches what
    would support a marble: four marbles if ``raised``, otherwise the rim of a hole.
    """
    if raised:
        return RISE - math.sqrt((RADIUS + radius) ** 2 - 0.5)
    return -TOP - math.sqrt(radius**2 - HOLE**2)


def half_side(size: int) -> float:
    """Return half the side of a board of ``size``."""
    return size / 2 + MARGIN


class Layout:
    """World coordinates of boards of ``sizes``, from left to right.

    Instances are immutable and shared; call :func:`layout` to get one. ``origins`` contains the (x, y) centres of the
    boards, ``points[board]`` is an (n, 3) array of the centres of the marbles on all points, and ``levels[board]`` is
    an (n,) array of the levels of the points. ``reach`` is the maximum distance of the boards from the vertical axis,
    ``depth`` is half the diagonal of the largest board, and ``height`` is the z of the highest point.
    """

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self.sizes = sizes
        width = sum(2 * half_side(size) for size in sizes) + GAP * (len(sizes) - 1)
        origins: list[tuple[float, float]] = []
        west = -width / 2
        for size in sizes:
            origins.append((west + half_side(size), 0.0))
            west += 2 * half_side(size) + GAP
        self.origins = tuple(origins)
        self._squares = [
            (half_side(size), east, north) for size, (east, north) in zip(sizes, origins, strict=True)
        ]
        self.points: tuple[Array, ...] = tuple(
            np.array(pyramid(size).xyz) + np.array([x - (size - 1) / 2, y - (size - 1) / 2, 0.0])
            for size, (x, y) in zip(sizes, origins, strict=True)
        )
        self.levels: tuple[Array, ...] = tuple(
            np.array(pyramid(size).level, dtype=np.float64) for size in sizes
        )
        self._places: tuple[tuple[Vector, ...], ...] = tuple(
            tuple((float(x), float(y), float(z)) for x, y, z in points) for points in self.points
        )
        for array in (*self.points, *self.levels):
            array.setflags(write=False)
        self.reach = math.hypot(width / 2, max(half_side(size) for size in sizes))
        self.depth = math.sqrt(2) * max(half_side(size) for size in sizes)
        self.height = (max(sizes) - 1) * RISE

    def radius(self, x: float, y: float) -> float:
        """Return the radius of a moving marble above (x, y).

        Within a distance of ``BESIDE`` from the nearest edge, it decreases from the radius on the boards to the radius
        beside them.
        """
        off = min([max(abs(x - east), abs(y - north)) - side for side, east, north in self._squares])
        return RADIUS + (LYING - RADIUS) * min(max(off / BESIDE, 0.0), 1.0)

    def radii(self, x: Array, y: Array) -> Array:
        """Return the radii given by :meth:`radius` for arrays of coordinates."""
        off = np.min(
            [
                np.maximum(abs(x - east), abs(y - north)) - half_side(size)
                for size, (east, north) in zip(self.sizes, self.origins, strict=True)
            ],
            axis=0,
        )
        small: Array = RADIUS + (LYING - RADIUS) * np.clip(off / BESIDE, 0.0, 1.0)
        return small

    def beside(self, board: int, point: int, way: tuple[float, float], apart: float) -> Vector:
        """Return the position on the table beside a board for a marble from ``point``.

        The position is at a distance of ``apart`` from the edge that faces in the direction ``way``.
        """
        x, y, _ = self.points[board][point]
        east, north = self.origins[board]
        out = half_side(self.sizes[board]) + apart
        if abs(way[0]) > abs(way[1]):
            return east + math.copysign(out, way[0]), float(y), TABLE + LYING
        return float(x), north + math.copysign(out, way[1]), TABLE + LYING

    def place(self, board: int, point: int) -> Vector:
        """Return the centre of a marble on ``point`` of ``board``."""
        return self._places[board][point]


@functools.lru_cache(maxsize=32)
def layout(sizes: tuple[int, ...]) -> Layout:
    """Return the layout of boards of ``sizes``, from left to right.

    Sizes are from 2 to 10. Raises ValueError if there are no boards.
    """
    if not sizes:
        raise ValueError("a layout needs at least one board")
    return Layout(sizes)


def place(sizes: Sequence[int], board: int, point: int) -> Array:
    """Return the centre (3,) of a marble on ``point`` of ``board``, among boards of ``sizes``."""
    return np.array(layout(tuple(sizes)).place(board, point))
