"""Seat symbols as polygons.

In text, the symbols are the characters of ``SIGNS``. These polygons are drawn in place of the characters, so fonts need
not contain them.
"""

from __future__ import annotations

import math

from shibumi3d.rules.marbles.wording.texts import SIGNS

Shape = tuple[tuple[float, float], ...]
"""Corners of a polygon, clockwise on the screen, at distances of about 1 from the centre."""


def _regular(corners: int, turn: float = 0.0, radius: float = 1.0, shift: float = 0.0) -> Shape:
    angles = [(i / corners + turn) * 2 * math.pi for i in range(corners)]
    return tuple((radius * math.sin(angle), shift - radius * math.cos(angle)) for angle in angles)


def _star(points: int, inner: float) -> Shape:
    outer, waist = _regular(points), _regular(points, 0.5 / points, inner)
    return tuple(corner for pair in zip(outer, waist, strict=True) for corner in pair)


_PLUS = tuple((x * 0.33, y * 0.33) for x, y in (
    (-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1), (-3, 1), (-3, -1), (-1, -1)
))  # fmt: skip

SHAPES: tuple[Shape, ...] = (
    _regular(3, 0, 1.12, 0.18),
    _regular(4, 0.125, 1.16),
    _regular(4, 0, 1.16),
    _regular(28),
    _star(5, 0.45),
    _regular(6, 0, 1.06),
    _PLUS,
    _regular(3, 0.5, 1.12, -0.18),
    _regular(5, 0, 1.08),
    _star(8, 0.6),
)
"""Polygons of the seat symbols, in turn order."""


def shape_of(character: str) -> Shape | None:
    """Return the polygon of a seat symbol, or None for any other character."""
    number = SIGNS.find(character) if len(character) == 1 else -1
    return SHAPES[number] if number >= 0 else None
