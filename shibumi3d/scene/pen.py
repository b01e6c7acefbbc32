"""What a drawing of shapes needs of whoever draws it: the window, or a page on paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shibumi3d.scene.rect import Rect

Colour = tuple[float, float, float, float]
"""Red, green, blue (as written in the style sheet, not linear) and opacity, 0 to 1."""


CAP = 0.72
"""Height of capitals, in ems, of the faces used: text is centred by it."""


def rgb(text: str, alpha: float = 1.0) -> Colour:
    """Return the colour written ``#RRGGBB``."""
    return int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255, alpha


def faded(colour: Colour, alpha: float) -> Colour:
    """Return the colour with its opacity multiplied by ``alpha``."""
    return colour[0], colour[1], colour[2], colour[3] * alpha


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """Return ``share`` of ``b`` in ``a``."""
    return tuple(x + (y - x) * share for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


class Pen(Protocol):
    """Draws shapes and lines of text, later ones above; :class:`shibumi3d.app.ui.canvas.Canvas` says what each does.

    Lengths are logical pixels in the window, points on paper.
    """

    def rect(self, rect: Rect, colour: Colour, radius: float = 0) -> None:
        """Draw a filled rectangle."""

    def frame(self, rect: Rect, colour: Colour, radius: float = 0, width: float = 1) -> None:
        """Draw the outline of a rectangle, inside its edges."""

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a filled circle."""

    def ring(self, x: float, y: float, radius: float, colour: Colour, width: float = 1.5) -> None:
        """Draw a circle; its line lies inside ``radius``."""

    def polygon(self, x: float, y: float, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """Draw a filled polygon (clockwise) about (x, y)."""

    def text_in(
        self, rect: Rect, text: str, colour: Colour, face: str = "sans", size: float = 15, align: float = 0
    ) -> float:
        """Write one line into ``rect`` and return its width."""

    def width(self, text: str, face: str, size: float) -> float:
        """Return how wide a text is."""


def letters(width: float) -> int:
    """Return how many characters may be seen in ``width`` at the most: none is narrower than half a pixel."""
    return 2 * max(1, int(width) + 1)


def cut(pen: Pen, text: str, face: str, size: float, width: float) -> str:
    """Return the text, or as much of it as fits into ``width`` before an ellipsis."""
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
