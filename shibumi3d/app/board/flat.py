"""The signs of the board, drawn flat: for the plans of the levels."""

from __future__ import annotations

import math
from itertools import pairwise

from shibumi3d.scene.marbles.signs import Sign, SignKind

from ..ui.canvas import Canvas, Colour, faded
from ..ui.rect import Rect
from ..ui.style import Style
from . import over

Place = tuple[float, float]
LEGIBLE = 26.0
"""The least side of a point's square in which a number can be read."""
LINES = (SignKind.TRAIL, SignKind.THREAD, SignKind.WAY, SignKind.STACKED, SignKind.LINKED, SignKind.CUT)


def paint(canvas: Canvas, style: Style, sign: Sign, at: Place, cell: float) -> None:
    """Paints a sign that stands at one place."""
    x, y = at
    match sign.kind:
        case SignKind.NUMBER if cell >= LEGIBLE:
            px, py, size = x + cell * 0.3, y - cell * 0.3, max(7.0, cell * 0.16)
            canvas.disc(px, py, size + 1, style.ink)
            canvas.disc(px, py, size, style.card)
            place = Rect(px - size, py - size, 2 * size, 2 * size)
            canvas.text_in(place, str(sign.number), style.ink, "bold", round(size * 1.35), 0.5)
        case SignKind.HOVER:
            canvas.ring(x, y, cell * 0.46, style.soft, 1)
        case SignKind.PINNED | SignKind.LOADED:
            for bar in (0.3, 0.4) if sign.kind is SignKind.PINNED else (0.35,):
                canvas.rect(Rect(x - cell * 0.16, y + cell * bar, cell * 0.32, cell * 0.06), style.amber)
        case SignKind.DYED:
            canvas.ring(x, y, cell * 0.48, style.ink, cell * 0.12)
            canvas.ring(x, y, cell * 0.46, style.marbles[sign.colours[0]], cell * 0.08)
        case SignKind.STACKED:
            for turn in range(3):
                angle = math.tau * turn / 3
                dot = x + cell * 0.12 * math.sin(angle), y - cell * 0.12 * math.cos(angle)
                canvas.disc(*dot, cell * 0.06 + 1, style.ink)
                canvas.disc(*dot, cell * 0.06, style.card)
        case SignKind.REPLACED:
            for way in (-1, 1):
                left, right = (
                    (x - way * cell * 0.2, y + way * cell * 0.1),
                    (x + way * cell * 0.2, y + way * cell * 0.1),
                )
                over.line(canvas, left, right, style.amber)
                arrow(canvas, right, (way, 0.0), cell * 0.12, style.amber)


def join(canvas: Canvas, style: Style, sign: Sign, start: Place, end: Place, cell: float) -> None:
    """Paints a sign between two places."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy)
    if long < 1.0:
        return
    way = dx / long, dy / long
    match sign.kind:
        case SignKind.WAY:
            end = end[0], end[1] - cell * 0.44
            colour = faded(style.amber, 0.8)
            places = bow(start, end)
            for one, other in pairwise(places):
                over.line(canvas, one, other, colour)
            (x, y), (tip_x, tip_y) = places[-3], end
            last = max(math.hypot(tip_x - x, tip_y - y), 1e-6)
            arrow(canvas, end, ((tip_x - x) / last, (tip_y - y) / last), cell * 0.16, colour)
        case SignKind.TRAIL:
            over.line(canvas, start, end, style.amber)
            arrow(canvas, (start[0] + dx * 0.55, start[1] + dy * 0.55), way, cell * 0.16, style.amber)
        case SignKind.CUT:
            for a, b in ((0.15, 0.42), (0.58, 0.85)):
                one, other = (start[0] + dx * a, start[1] + dy * a), (start[0] + dx * b, start[1] + dy * b)
                over.line(canvas, one, other, style.brick)
        case _:
            over.line(canvas, start, end, style.amber)


def bow(start: Place, end: Place) -> list[Place]:
    """Places along a bow that rises a little over the straight way."""
    (x0, y0), (x1, y1) = start, end
    rise = 0.25 * math.hypot(x1 - x0, y1 - y0)
    steps = [i / 12 for i in range(13)]
    return [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t - rise * 4 * t * (1 - t)) for t in steps]


def arrow(canvas: Canvas, tip: Place, way: Place, size: float, colour: Colour) -> None:
    """The head of an arrow that points along the unit vector ``way``."""
    dx, dy = way[0] * size, way[1] * size
    canvas.polygon(
        *tip, [(0.0, 0.0), (-dx - dy * 0.6, -dy + dx * 0.6), (-dx + dy * 0.6, -dy - dx * 0.6)], colour
    )
