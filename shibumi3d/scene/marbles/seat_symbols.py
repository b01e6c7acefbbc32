"""Seat symbols as polygons.

In text, the symbols are the characters of ``SEAT_SYMBOLS``. These polygons are drawn in place of the characters, so
fonts need not contain them.
"""

from __future__ import annotations

import math

from shibumi3d.rules.marbles.wording.messages import SEAT_SYMBOLS

Polygon = tuple[tuple[float, float], ...]
"""Corners (x, y) of a polygon with a radius of about 1, clockwise on the screen, where y points down."""


def _regular_polygon(corners: int, turn: float = 0.0, radius: float = 1.0, shift: float = 0.0) -> Polygon:
    angles = [(i / corners + turn) * 2 * math.pi for i in range(corners)]
    return tuple((radius * math.sin(angle), shift - radius * math.cos(angle)) for angle in angles)


def _star(points: int, inner: float) -> Polygon:
    outer, waist = _regular_polygon(points), _regular_polygon(points, 0.5 / points, inner)
    return tuple(corner for pair in zip(outer, waist, strict=True) for corner in pair)


_PLUS_POLYGON = tuple((x * 0.33, y * 0.33) for x, y in (
    (-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1)
))  # fmt: skip

SEAT_POLYGONS: tuple[Polygon, ...] = (
    _regular_polygon(3, 0, 1.12, 0.18),
    _regular_polygon(4, 0.125, 1.16),
    _regular_polygon(4, 0, 1.16),
    _regular_polygon(28),
    _star(5, 0.45),
    _regular_polygon(6, 0, 1.06),
    _PLUS_POLYGON,
    _regular_polygon(3, 0.5, 1.12, -0.18),
    _regular_polygon(5, 0, 1.08),
    _star(8, 0.6),
)
"""Polygons of the seat symbols, in turn order."""


def seat_polygon(character: str) -> Polygon | None:
    """Return the polygon of a seat symbol, or None for any other text."""
    number = SEAT_SYMBOLS.find(character) if len(character) == 1 else -1
    return SEAT_POLYGONS[number] if number >= 0 else None
