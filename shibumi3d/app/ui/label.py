"""Text labels."""

from __future__ import annotations

from shibumi3d.scene.pen import max_visible_characters
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, Style

from .canvas import Canvas
from .widget import InertWidget


class Label(InertWidget):
    """One line of text, or a wrapped paragraph of at most ``max_lines`` lines.

    ``colour`` is the name of a colour in the style.
    """

    def __init__(
        self,
        text: str = "",
        font: str = "sans",
        size: int = BODY_TEXT_PX,
        colour: str = "ink",
        align: float = 0,
        max_lines: int = 1,
        name: str = "",
    ) -> None:
        super().__init__(name)
        self.caption, self.font, self.size, self.colour = text, font, size, colour
        self.align, self.max_lines = align, max_lines

    def set_caption(self, text: str, colour: str = "") -> None:
        """Replace the text, and the colour if one is given."""
        if (text, colour or self.colour) != (self.caption, self.colour):
            self.caption, self.colour = text, colour or self.colour
            self.refresh()

    def fits(self, canvas: Canvas, width: float) -> bool:
        """Return whether the whole text fits into ``max_lines`` lines of the given ``width``."""
        return len(canvas.wrap(self.caption, self.font, self.size, width)) <= self.max_lines

    def paint(self, canvas: Canvas, style: Style) -> None:
        colour = getattr(style, self.colour)
        if self.max_lines == 1:
            canvas.text_in(self.rect, self.caption, colour, self.font, self.size, self.align)
            return
        text = self.caption[: max_visible_characters(self.rect.w) * (self.max_lines + 1)]
        lines = canvas.wrap(text, self.font, self.size, self.rect.w)
        if len(lines) > self.max_lines:
            rest = " ".join(lines[self.max_lines - 1 :])
            lines = [*lines[: self.max_lines - 1], canvas.truncate(rest, self.font, self.size, self.rect.w)]
        for index, line in enumerate(lines):
            high = self.size * 1.3
            row = Rect(self.rect.x, self.rect.y + index * high, self.rect.w, high)
            canvas.text_in(row, line, colour, self.font, self.size, self.align)
