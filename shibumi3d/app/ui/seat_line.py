"""Drawing of a seat's line: symbol, name, hints, time and score."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style

from . import icons
from .canvas import Canvas

HINT_ICON_SIZE_PX = 14.0
"""Size of the lamp icon next to the number of hints."""


def paint_seat_card(canvas: Canvas, style: Style, rect: Rect, is_to_move: bool) -> None:
    """Draw the card behind a seat's line, highlighted if ``is_to_move`` is true."""
    canvas.rect(rect, style.card, CORNER_RADIUS_PX)
    canvas.outline(
        rect, style.action if is_to_move else style.hairline, CORNER_RADIUS_PX, 2 if is_to_move else 1
    )


def paint_time(canvas: Canvas, style: Style, rect: Rect, text: str, is_to_move: bool, is_low: bool) -> float:
    """Draw the time that a seat has left, right-aligned in ``rect``; return the width of the text.

    The time is highlighted if the seat is to move (``is_to_move``) or has little time left (``is_low``).
    """
    ink, face = (style.ink, "bold") if is_to_move else (style.secondary_ink, "sans")
    if is_low:
        ink, face = style.warning, "bold"
    return canvas.text_in(rect, text, ink, face, BODY_TEXT_PX, 1)


def paint_seat_line(
    canvas: Canvas,
    style: Style,
    rect: Rect,
    seat: int,
    name: str,
    score: str,
    is_to_move: bool,
    time: str = "",
    is_time_low: bool = False,
    hints: int = 0,
) -> None:
    """Draw a seat's line: its symbol, name, hints, time and score.

    The name, time and score may be empty. If ``is_to_move`` is true, the symbol, name and time are highlighted. If
    ``is_time_low`` is true, the time is drawn in a warning colour. If ``hints`` isn't 0, the number of hints is shown
    beside a lamp icon.
    """
    icons.draw_seat_symbol(
        canvas, seat, rect.x + 16, rect.cy, style.action if is_to_move else style.secondary_ink, 7
    )
    right = canvas.text_width(score, "bold", BODY_TEXT_PX) + 12 if score else 8
    if time:
        right += 8
        beside = Rect(rect.x + 30, rect.y, rect.w - 30 - right, rect.h)
        right += paint_time(canvas, style, beside, time, is_to_move, is_time_low) + 8
    if hints:
        right += 12 if score else 4
        hints_rect = Rect(rect.x + 30, rect.y, rect.w - 30 - right, rect.h)
        right += (
            canvas.text_in(hints_rect, str(hints), style.secondary_ink, "sans", SMALL_TEXT_PX, 1)
            + HINT_ICON_SIZE_PX
            + 10
        )
        icons.draw_icon(
            canvas,
            "hint",
            rect.right - right + HINT_ICON_SIZE_PX / 2 + 8,
            rect.cy,
            style.secondary_ink,
            HINT_ICON_SIZE_PX,
        )
    head = Rect(rect.x + 30, rect.y, rect.w - 30 - right, rect.h)
    canvas.text_in(head, name, style.ink, "bold" if is_to_move else "sans", BODY_TEXT_PX)
    canvas.text_in(Rect(rect.x + 30, rect.y, rect.w - 40, rect.h), score, style.ink, "bold", BODY_TEXT_PX, 1)
