"""Text labels."""

from __future__ import annotations

from shibumi3d.scene.pen import letters
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, Style

from .canvas import Canvas
from .core import Still


class Text(Still):
    """One line of text, or a wrapped paragraph of at most ``lines`` lines."""

    def __init__(
        self,
        text: str = "",
        face: str = "sans",
        size: int = BODY,
        colour: str = "ink",
        align: float = 0,
        lines: int = 1,
        name: str = "",
    ) -> None:
        super().__init__(name)
        self.words, self.face, self.size, self.colour = text, face, size, colour
        self.align, self.lines = align, lines

    def say(self, text: str, colour: str = "") -> None:
        """Replace the text, and the colour if one is given."""
        if (text, colour or self.colour) != (self.words, self.colour):
            self.words, self.colour = text, colour or self.colour
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        colour = getattr(style, self.colour)
        if self.lines == 1:
            canvas.text_in(self.rect, self.words, colour, self.face, self.size, self.align)
            return
        seen = self.words[: letters(self.rect.w) * (self.lines + 1)]
        lines = canvas.wrap(seen, self.face, self.size, self.rect.w)
        if len(lines) > self.lines:
            rest = " ".join(lines[self.lines - 1 :])
            lines = [*lines[: self.lines - 1], canvas.cut(rest, self.face, self.size, self.rect.w)]
        for number, line in enumerate(lines):
            high = self.size * 1.3
            row = Rect(self.rect.x, self.rect.y + number * high, self.rect.w, high)
            canvas.text_in(row, line, colour, self.face, self.size, self.align)
