"""Flat drawing of signs, for diagrams that show each level from above."""

from __future__ import annotations

import math
from itertools import pairwise

from shibumi3d.scene.marbles.diagram import EDGE, LAST, STOP, halo, stroke
from shibumi3d.scene.marbles.signs import Sign, SignKind
from shibumi3d.scene.pen import Colour, Pen, faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

Place = tuple[float, float]
LEGIBLE = 26.0
"""Minimum size of a point's square, in pixels, at which the point's number is still legible."""
LINES = (SignKind.TRAIL, SignKind.THREAD, SignKind.WAY, SignKind.STACKED, SignKind.LINKED, SignKind.CUT)


def paint(pen: Pen, style: Style, sign: Sign, at: Place, cell: float) -> None:
    """Draw a sign at a single point.

    ``at`` is the centre of the point's square, and ``cell`` the length of the square's sides.
    """
    x, y = at
    match sign.kind:
        case SignKind.NUMBER if cell >= LEGIBLE:
            px, py, size = x + cell * 0.3, y - cell * 0.3, max(7.0, cell * 0.16)
            pen.disc(px, py, size + 1, style.ink)
            pen.disc(px, py, size, style.card)
            place = Rect(px - size, py - size, 2 * size, 2 * size)
            pen.text_in(place, str(sign.number), style.ink, "bold", round(size * 1.35), 0.5)
        case SignKind.HOVER:
            halo(pen, x, y, cell * 0.46, style.card, max(1.0, cell * 0.02))
        case SignKind.PINNED | SignKind.LOADED:
            for bar in (0.3, 0.4) if sign.kind is SignKind.PINNED else (0.35,):
                pen.rect(Rect(x - cell * 0.18, y + cell * (bar - 0.02), cell * 0.36, cell * 0.1), EDGE)
                pen.rect(Rect(x - cell * 0.16, y + cell * bar, cell * 0.32, cell * 0.06), LAST)
        case SignKind.DYED:
            pen.ring(x, y, cell * 0.48, EDGE, cell * 0.12)
            pen.ring(x, y, cell * 0.46, style.marbles[sign.colours[0]], cell * 0.08)
        case SignKind.STACKED:
            for turn in range(3):
                angle = math.tau * turn / 3
                dot = x + cell * 0.12 * math.sin(angle), y - cell * 0.12 * math.cos(angle)
                pen.disc(*dot, cell * 0.06 + 1, style.ink)
                pen.disc(*dot, cell * 0.06, style.card)
        case SignKind.REPLACED:
            for way in (-1, 1):
                left, right = (
                    (x - way * cell * 0.2, y + way * cell * 0.1),
                    (x + way * cell * 0.2, y + way * cell * 0.1),
                )
                thread(pen, left, right, LAST, cell)
                arrow(pen, right, (way, 0.0), cell * 0.12, LAST)


def join(pen: Pen, style: Style, sign: Sign, start: Place, end: Place, cell: float) -> None:
    """Draw a sign that connects two points."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy)
    if long < 1.0:
        return
    way = dx / long, dy / long
    match sign.kind:
        case SignKind.WAY:
            end = end[0], end[1] - cell * 0.44
            places = bow(start, end)
            for one, other in pairwise(places):
                thread(pen, one, other, LAST, cell)
            (x, y), (tip_x, tip_y) = places[-3], end
            last = max(math.hypot(tip_x - x, tip_y - y), 1e-6)
            arrow(pen, end, ((tip_x - x) / last, (tip_y - y) / last), cell * 0.16, LAST)
        case SignKind.TRAIL:
            thread(pen, start, end, LAST, cell)
            arrow(pen, (start[0] + dx * 0.55, start[1] + dy * 0.55), way, cell * 0.2, LAST)
        case SignKind.CUT:
            for a, b in ((0.15, 0.42), (0.58, 0.85)):
                one, other = (start[0] + dx * a, start[1] + dy * a), (start[0] + dx * b, start[1] + dy * b)
                thread(pen, one, other, STOP, cell)
        case _:
            thread(pen, start, end, LAST, cell)


def thread(pen: Pen, start: Place, end: Place, colour: Colour, cell: float) -> None:
    """Draw a line with a dark outline, which makes it visible on marbles, wood and paper."""
    width = max(1.2, cell * 0.035)
    stroke(pen, start, end, faded(EDGE, 0.8), width * 2.2)
    stroke(pen, start, end, colour, width)


def bow(start: Place, end: Place) -> list[Place]:
    """Return 13 points on an arc from ``start`` to ``end``.

    In the middle, the arc is above the straight line by a quarter of the line's length.
    """
    (x0, y0), (x1, y1) = start, end
    rise = 0.25 * math.hypot(x1 - x0, y1 - y0)
    steps = [i / 12 for i in range(13)]
    return [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t - rise * 4 * t * (1 - t)) for t in steps]


def arrow(pen: Pen, tip: Place, way: Place, size: float, colour: Colour) -> None:
    """Draw an arrowhead at ``tip`` that points in the direction of the unit vector ``way``."""
    for part, tint in ((1.35, EDGE), (1.0, colour)):
        dx, dy = way[0] * size * part, way[1] * size * part
        head = [(0.0, 0.0), (-dx - dy * 0.6, -dy + dx * 0.6), (-dx + dy * 0.6, -dy - dx * 0.6)]
        pen.polygon(
            tip[0] + way[0] * size * (part - 1) * 0.5, tip[1] + way[1] * size * (part - 1) * 0.5, head, tint
        )
