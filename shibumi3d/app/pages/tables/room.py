"""Tests for whether the table is visible beside the widgets that overlay its view."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.camera import Camera, home_of
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.table import Eye

ENOUGH = 0.72
"""Minimum width of the table beside the cards, as a fraction of its width without them."""

Points = NDArray[np.float64]


def outline(view: Camera, hull: Sequence[Vector], table: Rect) -> list[tuple[float, float]]:
    """Return the corners of the convex hull of a table as it appears in a view, in window coordinates.

    ``hull`` are points in world coordinates, and ``table`` is the rectangle of the view.
    """
    pixels = view.project(np.array(hull), table.w, table.h)[0]
    places = sorted((float(x) + table.x, float(y) + table.y) for x, y in pixels)
    found: list[tuple[float, float]] = []
    for way in (places, places[::-1]):
        begun = len(found)
        for place in way:
            while len(found) > begun + 1 and _turn(found[-2], found[-1], place) <= 0:
                found.pop()
            found.append(place)
        found.pop()
    return found


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def covers(place: Rect, corners: Sequence[tuple[float, float]]) -> bool:
    """Return whether a rectangle and a convex polygon overlap.

    They don't overlap if a side of one of them separates the two.
    """
    box = [(place.x, place.y), (place.right, place.y), (place.right, place.bottom), (place.x, place.bottom)]
    for shape, other in ((box, corners), (corners, box)):
        for number, a in enumerate(shape):
            b = shape[(number + 1) % len(shape)]
            if all(_turn(a, b, point) <= 0 for point in other):
                return False
    return True


def roomy(view: Camera, hull: tuple[Vector, ...], eye: Eye, table: Rect, places: Iterable[Rect]) -> bool:
    """Return whether the table is clear of all ``places`` and large enough.

    The table's width must be at least :data:`ENOUGH` times its width in a view without widgets.
    """
    corners = outline(view, hull, table)
    if any(covers(place, corners) for place in places):
        return False
    return _width(corners) >= ENOUGH * _alone(hull, eye, table.w, table.h)


@lru_cache(maxsize=64)
def _alone(hull: tuple[Vector, ...], eye: Eye, wide: float, high: float) -> float:
    """Return the width of a table in a view without widgets over it."""
    return _width(outline(home_of(hull, eye, wide / high), hull, Rect(0, 0, wide, high)))


def _width(corners: Sequence[tuple[float, float]]) -> float:
    return max(x for x, _ in corners) - min(x for x, _ in corners)
