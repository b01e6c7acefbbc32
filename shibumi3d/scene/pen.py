"""Interface for drawing 2D shapes, implemented by the window and by printed pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shibumi3d.scene.rect import Rect

Colour = tuple[float, float, float, float]
"""Red, green, blue and opacity, from 0 to 1; sRGB, not linear."""


CAP_HEIGHT_EM = 0.72
"""Height of capital letters in ems, used to centre text vertically."""


def rgba(text: str, alpha: float = 1.0) -> Colour:
    """Return the colour given by a string of the form ``#RRGGBB``, with opacity ``alpha``."""
    return int(text[1:3], 16) / 255, int(text[3:5], 16) / 255, int(text[5:7], 16) / 255, alpha


def multiply_alpha(colour: Colour, alpha: float) -> Colour:
    """Return the colour with its opacity multiplied by ``alpha``."""
    return colour[0], colour[1], colour[2], colour[3] * alpha


def mix_colours(a: Colour, b: Colour, fraction: float) -> Colour:
    """Return a mixture of two colours: ``fraction`` of it is ``b``, and the rest is ``a``."""
    return tuple(x + (y - x) * fraction for x, y in zip(a, b, strict=True))  # type: ignore[return-value]


class Pen(Protocol):
    """Drawing surface for shapes and lines of text, each drawn on top of the earlier ones.

    Lengths are in logical pixels in the window and in points on paper. The methods are described in detail in
    :class:`shibumi3d.app.ui.canvas.Canvas`.
    """

    def rect(self, rect: Rect, colour: Colour, radius: float = 0) -> None:
        """Draw a filled rectangle, with corners rounded to ``radius``."""

    def outline(self, rect: Rect, colour: Colour, radius: float = 0, width: float = 1) -> None:
        """Draw the outline of a rectangle, inside its edges."""

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        """Draw a filled circle."""

    def ring(self, x: float, y: float, radius: float, colour: Colour, width: float = 1.5) -> None:
        """Draw the outline of a circle centred on (x, y); the line lies inside the circle."""

    def polygon(self, x: float, y: float, points: Sequence[tuple[float, float]], colour: Colour) -> None:
        """Draw a filled polygon; ``points`` are clockwise and relative to (x, y)."""

    def text_in(
        self, rect: Rect, text: str, colour: Colour, face: str = "sans", size: float = 15, align: float = 0
    ) -> float:
        """Draw one line of text in ``rect``, vertically centred, and return its width.

        Text that doesn't fit is cut off with an ellipsis. ``align`` is 0 for the left edge of ``rect``, 0.5 for the
        middle and 1 for the right edge.
        """

    def text_width(self, text: str, face: str, size: float) -> float:
        """Return the width of a text."""


def max_visible_characters(width: float) -> int:
    """Return the maximum number of characters that can be visible within ``width``.

    This assumes that no character is narrower than half a pixel.
    """
    return 2 * max(1, int(width) + 1)


def ellipsize(pen: Pen, text: str, face: str, size: float, width: float) -> str:
    """Return the text, shortened with an ellipsis if it is wider than ``width``.

    The result is empty if not even one character fits before the ellipsis.
    """
    head = text[: max_visible_characters(width)]
    if len(head) == len(text) and pen.text_width(text, face, size) <= width + 0.5:
        return text
    text = head
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if pen.text_width(text[:middle].rstrip() + "…", face, size) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…" if low else ""
