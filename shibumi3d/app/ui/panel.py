"""Panels, and floating cards with a heading."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import HEADING, RADIUS, Style

from .canvas import Canvas
from .core import AROUND, Key, Place, Widget

LOW = 240.0
"""Maximum height of a card with scrolling text in a narrow window, in logical pixels.

It is low enough for the whole card to be visible at once.
"""


class Panel(Widget):
    """Rectangular surface.

    ``fill`` is its colour in the style (``page``, ``card`` or ``sunk``), or ``none``. ``edge`` names the sides that
    have a border line, e.g. ``"top left"``. A floating panel has a shadow and a border on all sides.
    """

    def __init__(self, fill: str = "page", edge: str = "", floating: bool = False, name: str = "") -> None:
        super().__init__(name)
        self.fill, self.edge, self.floating = fill, edge, floating
        self.hole: Rect | None = None
        """Area left unpainted, through which an earlier picture shows; or None."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        if self.floating:
            canvas.shadow(self.rect, style.shadow)
        if self.fill != "none":
            for part in [self.rect] if self.hole is None else around(self.rect, self.hole):
                canvas.rect(part, getattr(style, self.fill), RADIUS if self.floating else 0)
        if self.floating:
            canvas.frame(self.rect, style.hairline, RADIUS)
        if "top" in self.edge:
            canvas.rule(self.rect.x, self.rect.y, self.rect.w, style.hairline)
        if "bottom" in self.edge:
            canvas.rule(self.rect.x, self.rect.bottom - 1, self.rect.w, style.hairline)
        if "left" in self.edge:
            canvas.rule(self.rect.x, self.rect.y, self.rect.h, style.hairline, upright=True)
        if "right" in self.edge:
            canvas.rule(self.rect.right - 1, self.rect.y, self.rect.h, style.hairline, upright=True)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return self.fill != "none"


def around(outer: Rect, inner: Rect) -> list[Rect]:
    """Return the four rectangles that cover ``outer`` except for ``inner``."""
    return [
        Rect(outer.x, outer.y, outer.w, inner.y - outer.y),
        Rect(outer.x, inner.bottom, outer.w, outer.bottom - inner.bottom),
        Rect(outer.x, inner.y, inner.x - outer.x, inner.h),
        Rect(inner.right, inner.y, outer.right - inner.right, inner.h),
    ]


class Card(Panel):
    """Floating panel with a heading."""

    column = 480.0

    def __init__(self, heading: str) -> None:
        super().__init__("card", floating=True)
        self.heading = heading

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        if self.heading:
            place = Rect(self.rect.x + 24, self.rect.y + 16, self.rect.w - 48, 36)
            canvas.text_in(place, self.heading, style.ink, "title", HEADING)


def middle(width: float, height: float) -> Place:
    """Return a function that places a popup in the middle of the window.

    The popup has the given size, or is as large as fits.
    """
    return lambda window: window.centred(
        min(width, window.w - 2 * AROUND), min(height, window.h - 2 * AROUND)
    )
