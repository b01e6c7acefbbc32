"""Icons, symbols of seats, and flat marbles."""

from __future__ import annotations

import math

from shibumi3d.scene.marbles.seat_symbols import SEAT_POLYGONS
from shibumi3d.scene.pen import Colour, mix_colours, multiply_alpha
from shibumi3d.scene.style import BLACK, UNKNOWN_MARBLE_FILL, Style

from .canvas import Canvas

Stroke = tuple[tuple[float, float], ...]


def _arc(x: float, y: float, radius: float, start: float, end: float, count: int = 12) -> Stroke:
    """Return ``count`` + 1 points on an arc of a circle; angles are in turns, clockwise from the top."""
    turns = [start + (end - start) * i / count for i in range(count + 1)]
    return tuple(
        (x + radius * math.sin(t * 2 * math.pi), y - radius * math.cos(t * 2 * math.pi)) for t in turns
    )


def _ellipse_arc(direction: int) -> Stroke:
    """Return points on a long arc of a flat ellipse.

    The arc stands for rotation about a vertical axis. ``direction`` is 1, or -1 for the mirror image.
    """
    turns = [-0.33 - 0.62 * i / 18 for i in range(19)]
    return tuple(
        (10 + direction * 7.4 * math.sin(t * 2 * math.pi), 9.2 - 3.9 * math.cos(t * 2 * math.pi))
        for t in turns
    )


ICON_STROKES: dict[str, tuple[Stroke, ...]] = {
    "down": (((5, 7.5), (10, 12.5), (15, 7.5)),),
    "up": (((5, 12.5), (10, 7.5), (15, 12.5)),),
    "clock": (_arc(10, 10, 6.5, 0, 1, 24), ((10, 6), (10, 10), (12.8, 11.8))),
    "fresh": (_arc(10, 10, 6.5, 0, 1, 24), ((10, 9.6), (10, 10.4))),
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
    "turn-left": (_ellipse_arc(1), ((6.9, 9.6), (2.6, 9.2), (3.1, 13.4))),
    "turn-right": (_ellipse_arc(-1), ((13.1, 9.6), (17.4, 9.2), (16.9, 13.4))),
    "book": (
        ((10, 5.5), (7.5, 4.2), (3.5, 4.2), (3.5, 15), (7.5, 15), (10, 16.3)),
        ((10, 5.5), (12.5, 4.2), (16.5, 4.2), (16.5, 15), (12.5, 15), (10, 16.3)),
        ((10, 5.5), (10, 16.3)),
    ),
    "tip": (  # a speech bubble
        ((3.5, 4.5), (16.5, 4.5), (16.5, 13), (9.5, 13), (6, 16.5), (6, 13), (3.5, 13), (3.5, 4.5)),
        ((6.5, 7.5), (13.5, 7.5)),
        ((6.5, 10), (11, 10)),
    ),
    "settings": (
        ((3.5, 6), (16.5, 6)),
        ((3.5, 14), (16.5, 14)),
        _arc(12.5, 6, 2.2, 0, 1),
        _arc(7.5, 14, 2.2, 0, 1),
    ),
    "hint": (
        ((7.6, 13.4), (7.6, 11.6), *_arc(10, 7.6, 4.8, 0.58, 1.42), (12.4, 11.6), (12.4, 13.4), (7.6, 13.4)),
        ((8.4, 16.2), (11.6, 16.2)),
    ),
    "analysis": (((4.5, 15.5), (4.5, 11)), ((10, 15.5), (10, 4.5)), ((15.5, 15.5), (15.5, 8))),
    "person": (_arc(10, 6.5, 3, 0, 1), _arc(10, 17, 6, -0.25, 0.25)),
    "computer": (
        ((4, 4.5), (16, 4.5), (16, 12.5), (4, 12.5), (4, 4.5)),
        ((10, 12.5), (10, 15.5)),
        ((6.5, 15.8), (13.5, 15.8)),
    ),
    "panel": (((3.5, 4.5), (16.5, 4.5), (16.5, 15.5), (3.5, 15.5), (3.5, 4.5)), ((11.5, 4.5), (11.5, 15.5))),
    "theme": (_arc(10, 10, 6.5, 0, 1, 24), ((10, 3.5), (10, 16.5)), ((12.8, 5.6), (12.8, 14.4))),
    "sound": (_arc(7.6, 14.4, 2.6, 0, 1, 16), ((10.2, 14.4), (10.2, 3.8), (14.8, 5.4), (14.8, 9.2))),
    "muted": (
        _arc(7.6, 14.4, 2.6, 0, 1, 16),
        ((10.2, 14.4), (10.2, 3.8), (14.8, 5.4), (14.8, 9.2)),
        ((3.6, 4), (16.4, 16.4)),
    ),
    "search": (_arc(8.8, 8.8, 5, 0, 1, 18), ((12.6, 12.6), (16.5, 16.5))),
    "save": (  # a diskette
        ((4, 4), (13.5, 4), (16, 6.5), (16, 16), (4, 16), (4, 4)),
        ((7, 4), (7, 7.5), (12.5, 7.5), (12.5, 4)),
        ((7, 16), (7, 11.5), (13, 11.5), (13, 16)),
    ),
    "export": (  # out of a box
        ((10, 12), (10, 3.8)),
        ((6.8, 6.8), (10, 3.6), (13.2, 6.8)),
        ((6.5, 9.5), (4, 9.5), (4, 16.5), (16, 16.5), (16, 9.5), (13.5, 9.5)),
    ),
    "letter": (
        ((3.5, 5.5), (16.5, 5.5), (16.5, 14.5), (3.5, 14.5), (3.5, 5.5)),
        ((3.5, 5.5), (10, 11), (16.5, 5.5)),
    ),
    "open": (  # a folder
        ((3.5, 15.5), (3.5, 4.8), (8, 4.8), (9.8, 7), (15, 7), (15, 9)),
        ((3.5, 15.5), (6, 9), (17.5, 9), (15, 15.5), (3.5, 15.5)),
    ),
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
    "cup": (
        ((6.5, 3.8), (13.5, 3.8), (13.1, 8.6), (11.6, 11), (8.4, 11), (6.9, 8.6), (6.5, 3.8)),
        ((6.6, 5.2), (3.8, 5.2), (4.2, 8), (7, 9.2)),
        ((13.4, 5.2), (16.2, 5.2), (15.8, 8), (13, 9.2)),
        ((10, 11), (10, 14)),
        ((6.6, 16.2), (7.6, 14), (12.4, 14), (13.4, 16.2), (6.6, 16.2)),
    ),
    "pencil": (
        ((4, 16), (4.8, 12.4), (13.2, 4), (16, 6.8), (7.6, 15.2), (4, 16)),
        ((11.4, 5.8), (14.2, 8.6)),
    ),
    "marbles": (_arc(10, 6.4, 3, 0, 1, 14), _arc(6.2, 13.2, 3, 0, 1, 14), _arc(13.8, 13.2, 3, 0, 1, 14)),
    "copy": (
        ((7.5, 7.5), (16, 7.5), (16, 16), (7.5, 16), (7.5, 7.5)),
        ((12.5, 7.5), (12.5, 4), (4, 4), (4, 12.5), (7.5, 12.5)),
    ),
    "again": (_arc(10, 10.4, 6, 0.08, 0.92), ((6.2, 2.6), (8.6, 4.6), (6, 7.4))),
}


def draw_icon(canvas: Canvas, name: str, x: float, y: float, colour: Colour, size: float = 20) -> None:
    """Draw the icon called ``name``, ``size`` logical pixels wide and centred on (x, y)."""
    canvas.strokes(x, y, size, ICON_STROKES[name], 20, colour)


def draw_stars(
    canvas: Canvas, x: float, y: float, colour: Colour, filled: int, count: int, size: float = 14
) -> None:
    """Draw a row of ``count`` stars, of which the first ``filled`` are solid.

    (x, y) is the middle of the row's left edge.
    """
    corners = [(px - 10, py - 10) for px, py in ICON_STROKES["star"][0][:-1]]
    for index in range(count):
        left = x + index * (size + 2)
        if index < filled:
            canvas.polygon(
                left + size / 2, y, [(px * size / 20, py * size / 20) for px, py in corners], colour
            )
        draw_icon(canvas, "star", left + size / 2, y, colour, size)


def draw_seat_symbol(
    canvas: Canvas, seat: int, x: float, y: float, colour: Colour, radius: float = 7
) -> None:
    """Draw the symbol of a seat (0 to 9) centred on (x, y)."""
    canvas.polygon(
        x, y, [(px * radius, py * radius) for px, py in SEAT_POLYGONS[seat % len(SEAT_POLYGONS)]], colour
    )


def draw_marble(
    canvas: Canvas, style: Style, x: float, y: float, radius: float, colour: int, alpha: float = 1.0
) -> None:
    """Draw a marble as a flat disc with an edge that is visible on any background.

    ``colour`` is the marble's colour, or -1 if it is unknown.
    """
    fill = style.marbles[colour] if 0 <= colour < len(style.marbles) else UNKNOWN_MARBLE_FILL
    dark = style.is_night and sum(fill[:3]) < 0.6
    canvas.disc(x, y, radius, multiply_alpha(mix_colours(fill, BLACK, 0.7) if dark else fill, alpha))
    if dark:
        # Shading and a reflection distinguish a black marble from an empty place on a dark background.
        canvas.disc(
            x - 0.34 * radius,
            y - 0.36 * radius,
            0.24 * radius,
            multiply_alpha(style.secondary_ink, 0.8 * alpha),
        )
    edge = style.secondary_ink if style.is_night or colour == 0 else fill
    canvas.ring(x, y, radius + 0.5, multiply_alpha(edge, alpha), 1)
