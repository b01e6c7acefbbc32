"""Status line at the bottom of the table."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, Style

from ...ui.canvas import Canvas
from ...ui.core import Still

MORE = 1.2
"""Width of the text, relative to the status line, above which it is set on several lines."""
MOST_LINES = 3
"""Maximum number of lines in addition to the first."""


class Telling(Still):
    """Status line: what the move pointed at would do, or why it isn't possible."""

    def __init__(self) -> None:
        super().__init__("telling")
        self.words = ""

    def say(self, words: str) -> None:
        """Set the text."""
        if words != self.words:
            self.words = words
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        if not self.words:
            return
        long = canvas.width(self.words, "sans", BODY) + 28
        wide, high = min(self.rect.w, long), self.rect.h
        if long > self.rect.w * MORE:
            # Grow upwards for a text of several lines.
            high += 16.0 * min(MOST_LINES, int(long / self.rect.w))
        box = Rect(self.rect.cx - wide / 2, self.rect.bottom - high, wide, high)
        canvas.rect(box, style.card, RADIUS)
        canvas.frame(box, style.hairline, RADIUS)
        canvas.text_fit(box.inset(12, 2), self.words, style.ink, "sans", BODY, 0.5)
