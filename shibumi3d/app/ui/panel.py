"""Panels, and floating cards with a heading."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, HEADING_PX, Style

from .canvas import Canvas
from .widget import POPUP_MARGIN_PX, Key, Placement, Widget

MAX_TEXT_CARD_HEIGHT_PX = 240.0
"""Maximum height of a card with scrolling text in a narrow window, in logical pixels.

It is small enough for the whole card to be visible at once.
"""


class Panel(Widget):
    """Rectangular surface.

    ``fill`` is its colour in the style (``page``, ``card`` or ``recessed``), or ``none``. ``borders`` names the sides
    that have a border line, e.g. ``"top left"``. A floating panel has a shadow and a border on all sides.
    """

    def __init__(
        self, fill: str = "page", borders: str = "", is_floating: bool = False, name: str = ""
    ) -> None:
        super().__init__(name)
        self.fill, self.borders, self.is_floating = fill, borders, is_floating
        self.unpainted_area: Rect | None = None
        """Area that is left unpainted so that an earlier picture shows through, or None."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        if self.is_floating:
            canvas.shadow(self.rect, style.shadow)
        if self.fill != "none":
            for part in (
                [self.rect] if self.unpainted_area is None else rects_around(self.rect, self.unpainted_area)
            ):
                canvas.rect(part, getattr(style, self.fill), CORNER_RADIUS_PX if self.is_floating else 0)
        if self.is_floating:
            canvas.outline(self.rect, style.hairline, CORNER_RADIUS_PX)
        if "top" in self.borders:
            canvas.hairline(self.rect.x, self.rect.y, self.rect.w, style.hairline)
        if "bottom" in self.borders:
            canvas.hairline(self.rect.x, self.rect.bottom - 1, self.rect.w, style.hairline)
        if "left" in self.borders:
            canvas.hairline(self.rect.x, self.rect.y, self.rect.h, style.hairline, vertical=True)
        if "right" in self.borders:
            canvas.hairline(self.rect.right - 1, self.rect.y, self.rect.h, style.hairline, vertical=True)

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return self.fill != "none"


def rects_around(outer: Rect, inner: Rect) -> list[Rect]:
    """Return the four rectangles that cover ``outer`` except for ``inner``."""
    return [
        Rect(outer.x, outer.y, outer.w, inner.y - outer.y),
        Rect(outer.x, inner.bottom, outer.w, outer.bottom - inner.bottom),
        Rect(outer.x, inner.y, inner.x - outer.x, inner.h),
        Rect(inner.right, inner.y, outer.right - inner.right, inner.h),
    ]


class Card(Panel):
    """Floating panel with a heading.

    Everything behind the card is drawn darker unless ``dims_page`` is false.
    """

    max_column_height = 480.0
    dims_page = True

    def __init__(self, heading: str) -> None:
        super().__init__("card", is_floating=True)
        self.heading = heading

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        if self.heading:
            place = Rect(self.rect.x + 24, self.rect.y + 16, self.rect.w - 48, 36)
            canvas.text_in(place, self.heading, style.ink, "title", HEADING_PX)


def centred_placement(width: float, height: float) -> Placement:
    """Return a function that places a popup in the middle of the window.

    The popup has the given size, or less if the window is too small.
    """
    return lambda window: window.centred(
        min(width, window.w - 2 * POPUP_MARGIN_PX), min(height, window.h - 2 * POPUP_MARGIN_PX)
    )
