"""Drawing of a seat's line, for tables of any kind: symbol, name, time and score."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, SMALL, Style

from ..ui import icons
from ..ui.canvas import Canvas

LAMP = 14.0
"""Size of the lamp icon next to the number of hints."""


def paint_box(canvas: Canvas, style: Style, box: Rect, on: bool) -> None:
    """Draw the card behind a seat's line; ``on`` highlights a seat that is to move."""
    canvas.rect(box, style.card, RADIUS)
    canvas.frame(box, style.action if on else style.hairline, RADIUS, 2 if on else 1)


def paint_time(canvas: Canvas, style: Style, place: Rect, time: str, on: bool, short: bool) -> float:
    """Draw the time that a seat has left, right-aligned in ``place``; return its width.

    The time is highlighted if the seat is to move (``on``) or has little time left (``short``).
    """
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
    """Draw a seat's line.

    The name, time and score may be empty. ``on`` and ``short`` are as in :func:`paint_time`. If the seat was given
    ``hints``, the line also shows their number and a lamp icon; a separate line would make the card taller.
    """
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
