"""What a drawing of shapes needs of whoever draws it: the window, or a page on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .rect import Rect

Colour = tuple[float, float, float, float]
"""Red, green, blue (as written in the style sheet, not linear) and opacity, 0 to 1."""


class Pen(Protocol):
    """Draws shapes and lines of text, later ones above; :class:`.canvas.Canvas` says what each does.

    Lengths are logical pixels in the window, points on paper.
    """

    def rect(self, rect: Rect, colour: Colour, radius: float = 0) -> None:
        """A filled rectangle."""

    def frame(self, rect: Rect, colour: Colour, radius: float = 0, width: float = 1) -> None:
        """The outline of a rectangle, inside its edges."""

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """A filled circle."""

    def ring(self, x: float, y: float, radius: float, colour: Colour, width: float = 1.5) -> None:
        """A circle; its line lies inside ``radius``."""

    def polygon(self, x: float, y: float, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """A filled polygon (clockwise) about (x, y)."""

    def text_in(
        self, rect: Rect, text: str, colour: Colour, face: str = "sans", size: float = 15, align: float = 0
    ) -> float:
        """Writes one line into ``rect``; returns its width."""

    def width(self, text: str, face: str, size: float) -> float:
        """How wide a text is."""


def letters(width: float) -> int:
    """How many characters may be seen in ``width`` at the most: none is narrower than half a pixel."""
    return 2 * max(1, int(width) + 1)


def cut(pen: Pen, text: str, face: str, size: float, width: float) -> str:
    """The text, or as much of it as fits into ``width`` before an ellipsis."""
    head = text[: letters(width)]
    if len(head) == len(text) and pen.width(text, face, size) <= width + 0.5:
        return text
    text = head
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if pen.width(text[:middle].rstrip() + "…", face, size) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""
