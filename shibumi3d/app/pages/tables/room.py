"""Whether the table is seen beside what stands on its picture."""

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
"""The least width of the table beside cards, by that which it has without any."""

Points = NDArray[np.float64]


def outline(view: Camera, hull: Sequence[Vector], table: Rect) -> list[tuple[float, float]]:
    """The corners, in the window, of the convex outline of a table as a view shows it."""
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
    """Whether a rectangle lies over a convex outline: no line keeps them apart."""
    box = [(place.x, place.y), (place.right, place.y), (place.right, place.bottom), (place.x, place.bottom)]
    for shape, other in ((box, corners), (corners, box)):
        for number, a in enumerate(shape):
            b = shape[(number + 1) % len(shape)]
            if all(_turn(a, b, point) <= 0 for point in other):
                return False
    return True


def roomy(view: Camera, hull: tuple[Vector, ...], eye: Eye, table: Rect, places: Iterable[Rect]) -> bool:
    """Whether a table is free of all ``places`` in a view, and not much smaller than it could be."""
    corners = outline(view, hull, table)
    if any(covers(place, corners) for place in places):
        return False
    return _width(corners) >= ENOUGH * _alone(hull, eye, table.w, table.h)


@lru_cache(maxsize=64)
def _alone(hull: tuple[Vector, ...], eye: Eye, wide: float, high: float) -> float:
    """How wide a table is that has a picture for itself."""
    return _width(outline(home_of(hull, eye, wide / high), hull, Rect(0, 0, wide, high)))


def _width(corners: Sequence[tuple[float, float]]) -> float:
    return max(x for x, _ in corners) - min(x for x, _ in corners)
