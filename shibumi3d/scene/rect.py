"""Rectangles that are cut into rectangles: the whole layout system."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rect:
    """Left, top, width and height in logical pixels."""

    x: float = 0
    y: float = 0
    w: float = 0
    h: float = 0

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """The bottom edge."""
        return self.y + self.h

    @property
    def cx(self) -> float:
        """The middle from left to right."""
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        """The middle from top to bottom."""
        return self.y + self.h / 2

    def holds(self, x: float, y: float) -> bool:
        """Return whether the point lies inside (left and top edge included)."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, dx: float, dy: float | None = None) -> Rect:
        """Return it smaller by ``dx`` on the left and right and ``dy`` (default ``dx``) above and below, never below
        zero.
        """
        dy = dx if dy is None else dy
        return Rect(self.x + dx, self.y + dy, max(0.0, self.w - 2 * dx), max(0.0, self.h - 2 * dy))

    def moved(self, dx: float, dy: float) -> Rect:
        """Return the same size elsewhere."""
        return Rect(self.x + dx, self.y + dy, self.w, self.h)

    def cut_top(self, height: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return the top strip, and what is left below it and ``gap``."""
        return Rect(self.x, self.y, self.w, height), self._rest(0, height + gap, 0, 0)

    def cut_bottom(self, height: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return the bottom strip, and what is left above it and ``gap``."""
        return Rect(self.x, self.bottom - height, self.w, height), self._rest(0, 0, 0, height + gap)

    def cut_left(self, width: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return the left strip, and what is left right of it and ``gap``."""
        return Rect(self.x, self.y, width, self.h), self._rest(width + gap, 0, 0, 0)

    def cut_right(self, width: float, gap: float = 0) -> tuple[Rect, Rect]:
        """Return the right strip, and what is left left of it and ``gap``."""
        return Rect(self.right - width, self.y, width, self.h), self._rest(0, 0, width + gap, 0)

    def centred(self, width: float, height: float) -> Rect:
        """Return a rectangle of that size in the middle of this one."""
        return Rect(self.cx - width / 2, self.cy - height / 2, width, height)

    def around(self, other: Rect) -> Rect:
        """Return the least rectangle that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Rect(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def overlap(self, other: Rect) -> Rect:
        """Return what both have in common (may be empty)."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Rect(
            x, y, max(0.0, min(self.right, other.right) - x), max(0.0, min(self.bottom, other.bottom) - y)
        )

    def _rest(self, left: float, top: float, right: float, bottom: float) -> Rect:
        return Rect(
            self.x + left, self.y + top, max(0.0, self.w - left - right), max(0.0, self.h - top - bottom)
        )
