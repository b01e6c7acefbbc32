"""Where things are in the world.

Marbles on the boards have diameter 1, those that lie beside them are smaller; x points east, y north, z up. z = 0 is
the plane through the centres of level A. One board is centred on the origin; several stand side by side along x, the
row centred on the origin.
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
RISE = math.sqrt(0.5)  # from one level to the next
HOLE = 0.31  # radius of a hole at the surface of the board
TOP = -math.sqrt(RADIUS**2 - HOLE**2)  # the surface: a marble rests on the rim of its hole
DISH = 0.37  # radius of the sphere that hollows out a hole
THICKNESS = 0.52
TABLE = TOP - THICKNESS
MARGIN = 0.58  # wood between the outermost marbles and the edge
NAMED = 0.24  # from their edge to the middles of names in the rim
GAP = 0.7  # between two boards
SMALL = 0.72  # all that lies beside the boards is made smaller by this
LYING = SMALL * RADIUS  # radius of marbles there
DISH_SEAT = TABLE + SMALL * 0.06 + LYING  # the centre of one in the middle of a dish, see tools/models.py
TRAY_SEAT = TABLE + SMALL * 0.10 + LYING  # of one on a tray
BOX_SEAT = TABLE + SMALL * 0.05 + LYING  # of one in a box
BOX_HALF = SMALL * 0.675  # from the middle of a box to its hinge
BOX_HEIGHT = SMALL * 0.75  # the hinge over the table: what carries a lid
EDGE = 1.1, 0.8, 0.5
"""How far from the edge of its board a marble lies that has no place to lie: as far as there is room in the picture."""
BESIDE = 0.7  # how far from a board a marble is as small as those that lie there


def sunk(radius: float, raised: bool) -> float:
    """Return how much lower than a marble a smaller ball lies in the same seat: on four marbles (``raised``) or in a
    hole.

    It rests on what a marble rests on, so that it seems to lie and not to float.
    """
    if raised:
        return RISE - math.sqrt((RADIUS + radius) ** 2 - 0.5)
    return -TOP - math.sqrt(radius**2 - HOLE**2)


def half_side(size: int) -> float:
    """Return half the side of the board of ``size``."""
    return size / 2 + MARGIN


class Layout:
    """The world coordinates of boards of ``sizes``, left to right. Made by :func:`layout`, never changed.

    ``origins`` are the (x, y) centres of the boards, ``points[board]`` is an (n, 3) array of the centres of
    all its points, ``levels[board]`` the (n,) levels. ``reach`` is the greatest distance of anything
    from the vertical axis, ``depth`` that of the largest board alone, ``height`` the z of the highest point.
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
        """Return the radius of a marble on its way between the boards and what lies beside them, over the place (x,
        y).
        """
        off = min(
            max(abs(x - east), abs(y - north)) - half_side(size)
            for size, (east, north) in zip(self.sizes, self.origins, strict=True)
        )
        return RADIUS + (LYING - RADIUS) * min(max(off / BESIDE, 0.0), 1.0)

    def radii(self, x: Array, y: Array) -> Array:
        """Return :meth:`radius` of many places at once."""
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
        """Return where on the table a marble from ``point`` lies beside the board: ``apart`` from the edge that is in
        the direction ``way``.
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
    """Return the layout of boards of ``sizes`` (2 to 10 each), left to right. Raises ValueError for no boards."""
    if not sizes:
        raise ValueError("a layout needs at least one board")
    return Layout(sizes)


def place(sizes: Sequence[int], board: int, point: int) -> Array:
    """Return the centre (3,) of a marble on ``point`` of ``board``, among boards of ``sizes``."""
    return np.array(layout(tuple(sizes)).place(board, point))
