"""Icons as lines in a field of 20 by 20, and the signs of the seats beside names."""

from __future__ import annotations

import math

from .canvas import Canvas, Colour
from .signs import SHAPES

Stroke = tuple[tuple[float, float], ...]


def _arc(x: float, y: float, radius: float, start: float, end: float, count: int = 12) -> Stroke:
    """Part of a circle; angles in turns clockwise from the top."""
    turns = [start + (end - start) * i / count for i in range(count + 1)]
    return tuple(
        (x + radius * math.sin(t * 2 * math.pi), y - radius * math.cos(t * 2 * math.pi)) for t in turns
    )


def _orbit(way: int) -> Stroke:
    """Most of a flat ellipse: the path of something that turns about the upright."""
    turns = [-0.33 - 0.62 * i / 18 for i in range(19)]
    return tuple(
        (10 + way * 7.4 * math.sin(t * 2 * math.pi), 9.2 - 3.9 * math.cos(t * 2 * math.pi)) for t in turns
    )


LINES: dict[str, tuple[Stroke, ...]] = {
    "back": (((12.5, 4), (6.5, 10), (12.5, 16)),),
    "undo": (_arc(10.5, 11, 5.5, -0.2, 0.62), ((8.5, 2.5), (5.2, 6.2), (9.6, 8.6))),
    "redo": (_arc(9.5, 11, 5.5, 0.2, -0.62), ((11.5, 2.5), (14.8, 6.2), (10.4, 8.6))),
    "first": (((14.5, 4.5), (8.5, 10), (14.5, 15.5)), ((5, 4.5), (5, 15.5))),
    "last": (((5.5, 4.5), (11.5, 10), (5.5, 15.5)), ((15, 4.5), (15, 15.5))),
    "step-back": (((12.5, 4.5), (7, 10), (12.5, 15.5)),),
    "step": (((7.5, 4.5), (13, 10), (7.5, 15.5)),),
    "play": (((6.5, 4), (15.5, 10), (6.5, 16), (6.5, 4)),),
    "pause": (((7, 4.5), (7, 15.5)), ((13, 4.5), (13, 15.5))),
    "loop": (
        ((4, 10), (4, 8.5), (5.5, 6), (14.5, 6)),
        ((12, 3.2), (15, 6), (12, 8.8)),
        ((16, 10), (16, 11.5), (14.5, 14), (5.5, 14)),
        ((8, 11.2), (5, 14), (8, 16.8)),
    ),
    "top": (((4.5, 4.5), (15.5, 4.5), (15.5, 15.5), (4.5, 15.5), (4.5, 4.5)), ((10, 9.6), (10, 10.4))),
    "home": (((3.5, 10.5), (10, 4), (16.5, 10.5)), ((5.5, 9), (5.5, 16), (14.5, 16), (14.5, 9))),
    "turn-left": (_orbit(1), ((6.9, 9.6), (2.6, 9.2), (3.1, 13.4))),
    "turn-right": (_orbit(-1), ((13.1, 9.6), (17.4, 9.2), (16.9, 13.4))),
    "book": (
        ((10, 5.5), (7.5, 4.2), (3.5, 4.2), (3.5, 15), (7.5, 15), (10, 16.3)),
        ((10, 5.5), (12.5, 4.2), (16.5, 4.2), (16.5, 15), (12.5, 15), (10, 16.3)),
        ((10, 5.5), (10, 16.3)),
    ),
    "settings": (
        ((3.5, 6), (16.5, 6)),
        ((3.5, 14), (16.5, 14)),
        _arc(12.5, 6, 2.2, 0, 1),
        _arc(7.5, 14, 2.2, 0, 1),
    ),
    "theme": (_arc(10, 10, 6.5, 0, 1, 24), ((10, 3.5), (10, 16.5)), ((12.8, 5.6), (12.8, 14.4))),
    "sound": (_arc(7.6, 14.4, 2.6, 0, 1, 16), ((10.2, 14.4), (10.2, 3.8), (14.8, 5.4), (14.8, 9.2))),
    "muted": (
        _arc(7.6, 14.4, 2.6, 0, 1, 16),
        ((10.2, 14.4), (10.2, 3.8), (14.8, 5.4), (14.8, 9.2)),
        ((3.6, 4), (16.4, 16.4)),
    ),
    "search": (_arc(8.8, 8.8, 5, 0, 1, 18), ((12.6, 12.6), (16.5, 16.5))),
    "save": (((10, 3.5), (10, 12)), ((6.5, 8.8), (10, 12.2), (13.5, 8.8)), ((4, 15.8), (16, 15.8))),
    "open": (((10, 12), (10, 3.8)), ((6.5, 7), (10, 3.6), (13.5, 7)), ((4, 15.8), (16, 15.8))),
    "plus": (((10, 4.5), (10, 15.5)), ((4.5, 10), (15.5, 10))),
    "minus": (((4.5, 10), (15.5, 10)),),
    "spread": (
        ((4, 15.5), (16, 15.5)),
        ((6, 11), (14, 11)),
        ((8, 6.5), (12, 6.5)),
        ((10, 2.5), (10, 4.5)),
    ),
    "plan": (
        ((4, 4), (16, 4), (16, 16), (4, 16), (4, 4)),
        ((8, 4), (8, 16)),
        ((12, 4), (12, 16)),
        ((4, 8), (16, 8)),
        ((4, 12), (16, 12)),
    ),
    "dice": (
        ((4, 4), (16, 4), (16, 16), (4, 16), (4, 4)),
        ((7.4, 7.3), (7.4, 7.6)),
        ((12.6, 12.4), (12.6, 12.7)),
        ((10, 9.9), (10, 10.2)),
    ),
    "star": (
        (
            *((10, 3.2), (12, 7.8), (16.9, 8.2), (13.2, 11.4), (14.3, 16.3), (10, 13.7)),
            *((5.7, 16.3), (6.8, 11.4), (3.1, 8.2), (8, 7.8), (10, 3.2)),
        ),
    ),
    "again": (_arc(10, 10.4, 6, 0.08, 0.92), ((6.2, 2.6), (8.6, 4.6), (6, 7.4))),
}


def draw(canvas: Canvas, name: str, x: float, y: float, colour: Colour, size: float = 20) -> None:
    """Draws the icon centred on (x, y)."""
    canvas.drawing(x, y, size, LINES[name], 20, colour)


def sign(canvas: Canvas, seat: int, x: float, y: float, colour: Colour, radius: float = 7) -> None:
    """Draws the sign of a seat (0 to 9) centred on (x, y)."""
    canvas.polygon(x, y, [(px * radius, py * radius) for px, py in SHAPES[seat % len(SHAPES)]], colour)
