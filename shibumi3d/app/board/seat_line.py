"""The line that every table has for a seat: sign, name, time and score."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, SMALL, Style

from ..ui import icons
from ..ui.canvas import Canvas

LAMP = 14.0
"""How large the lamp is at the number of hints."""


def paint_box(canvas: Canvas, style: Style, box: Rect, on: bool) -> None:
    """Paint the card on which the line stands, for a seat that is asked (``on``) or not."""
    canvas.rect(box, style.card, RADIUS)
    canvas.frame(box, style.action if on else style.hairline, RADIUS, 2 if on else 1)


def paint_time(canvas: Canvas, style: Style, place: Rect, time: str, on: bool, short: bool) -> float:
    """Paint at the right end of a place the time that a seat has left; return how wide that is."""
    ink, face = (style.ink, "bold") if on else (style.soft, "sans")
    if short:
        ink, face = style.brick, "bold"
    return canvas.text_in(place, time, ink, face, BODY, 1)


def paint_line(
    canvas: Canvas,
    style: Style,
    line: Rect,
    seat: int,
    name: str,
    score: str,
    on: bool,
    time: str = "",
    short: bool = False,
    hints: int = 0,
) -> None:
    """Paint the line. Without a ``name`` sign and score stand alone; of the ``time`` little is left if it is
    ``short``. The ``hints`` that a seat was given are a number at a lamp: a line for them would make its card grow."""
    icons.sign(canvas, seat, line.x + 16, line.cy, style.action if on else style.soft, 7)
    right = canvas.width(score, "bold", BODY) + 12 if score else 8
    if time:
        right += 8
        beside = Rect(line.x + 30, line.y, line.w - 30 - right, line.h)
        right += paint_time(canvas, style, beside, time, on, short) + 8
    if hints:
        right += 12 if score else 4
        told = Rect(line.x + 30, line.y, line.w - 30 - right, line.h)
        right += canvas.text_in(told, str(hints), style.soft, "sans", SMALL, 1) + LAMP + 10
        icons.draw(canvas, "hint", line.right - right + LAMP / 2 + 8, line.cy, style.soft, LAMP)
    head = Rect(line.x + 30, line.y, line.w - 30 - right, line.h)
    canvas.text_in(head, name, style.ink, "bold" if on else "sans", BODY)
    canvas.text_in(Rect(line.x + 30, line.y, line.w - 40, line.h), score, style.ink, "bold", BODY, 1)
