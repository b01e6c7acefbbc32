"""Rectangles and operations on them, from which all layouts are built."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rect:
    """Rectangle given by its left edge, top edge, width and height.

    Lengths are in logical pixels in the window, in pixels in images, and in points on paper.
    """

    x: float = 0
    y: float = 0
    w: float = 0
    h: float = 0

    @property
    def right(self) -> float:
        """The x coordinate of the right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The y coordinate of the bottom edge."""
        return self.y + self.h

    @property
    def cx(self) -> float:
        """The x coordinate of the centre."""
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        """The y coordinate of the centre."""
        return self.y + self.h / 2

    def contains(self, x: float, y: float) -> bool:
        """Return whether the rectangle contains a point.

        The left and top edges belong to it; the right and bottom edges do not.
        """
        # Each motion of the pointer asks many widgets, so this doesn't go through properties.
        return self.x <= x < self.x + self.w and self.y <= y < self.y + self.h

    def inset(self, dx: float, dy: float | None = None) -> Rect:
        """Return the rectangle shrunk on all sides.

        It is reduced by ``dx`` on the left and right, and by ``dy`` (by default ``dx``) at the top and bottom. Width
        and height do not become negative.
        """
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, max(0.0, self.w - 2 * dx), max(0.0, self.h - 2 * dy))

    def moved(self, dx: float, dy: float) -> Rect:
        """Return the rectangle moved by (``dx``, ``dy``)."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def cut_top(self, height: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return a strip of ``height`` at the top, and the rest of the rectangle below a ``gap``."""
        return Rect(self.x, self.y, self.w, height), self._trimmed(0, height + gap, 0, 0)

    def cut_bottom(self, height: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return a strip of ``height`` at the bottom, and the rest of the rectangle above a ``gap``."""
        return Rect(self.x, self.bottom - height, self.w, height), self._trimmed(0, 0, 0, height + gap)

    def cut_left(self, width: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return a strip of ``width`` on the left, and the rest of the rectangle to the right of a ``gap``."""
        return Rect(self.x, self.y, width, self.h), self._trimmed(width + gap, 0, 0, 0)

    def cut_right(self, width: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return a strip of ``width`` on the right, and the rest of the rectangle to the left of a ``gap``."""
        return Rect(self.right - width, self.y, width, self.h), self._trimmed(0, 0, width + gap, 0)

    def centred(self, width: float, height: float) -> Rect:
        """Return a rectangle of the given size with the same centre."""
        return Rect(self.cx - width / 2, self.cy - height / 2, width, height)

    def union(self, other: Rect) -> Rect:
        """Return the smallest rectangle that contains both rectangles."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Rect(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def intersection(self, other: Rect) -> Rect:
        """Return the intersection of both rectangles.

        If they do not overlap, its width or height is 0.
        """
        # Drawn text and shapes are clipped with this, so it doesn't go through properties.
        x, y = max(self.x, other.x), max(self.y, other.y)
        right, bottom = min(self.x + self.w, other.x + other.w), min(self.y + self.h, other.y + other.h)
        return Rect(x, y, max(0.0, right - x), max(0.0, bottom - y))

    def _trimmed(self, left: float, top: float, right: float, bottom: float) -> Rect:
        return Rect(
            self.x + left, self.y + top, max(0.0, self.w - left - right), max(0.0, self.h - top - bottom)
        )
