"""Message line at the bottom of the table."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, Style

from ...ui.canvas import Canvas
from ...ui.widget import InertWidget

WRAP_WIDTH_RATIO = 1.2
"""Width of the text above which it is set on several lines, as a multiple of the message line's width."""
MAX_EXTRA_LINES = 3
"""Maximum number of lines in addition to the first."""


class MessageLine(InertWidget):
    """Line that describes the move, spot or seat pointed at, or shows a message."""

    def __init__(self) -> None:
        super().__init__("telling")
        self.message = ""

    def set_message(self, message: str) -> None:
        if message != self.message:
            self.message = message
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        if not self.message:
            return
        long = canvas.text_width(self.message, "sans", BODY_TEXT_PX) + 28
        wide, high = min(self.rect.w, long), self.rect.h
        if long > self.rect.w * WRAP_WIDTH_RATIO:
            # Grow upwards for a text of several lines.
            high += 16.0 * min(MAX_EXTRA_LINES, int(long / self.rect.w))
        box = Rect(self.rect.cx - wide / 2, self.rect.bottom - high, wide, high)
        canvas.rect(box, style.card, CORNER_RADIUS_PX)
        canvas.outline(box, style.hairline, CORNER_RADIUS_PX)
        canvas.text_fit(box.inset(12, 2), self.message, style.ink, "sans", BODY_TEXT_PX, 0.5)
