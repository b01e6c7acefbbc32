"""Scrolling of a page that is larger than the window."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect

EDGE = 0.2
"""Fraction of the window, along each side, in which the pointer scrolls the page."""
REACH = 1.15
"""Factor by which scrolling runs ahead of the pointer.

It lets scrolling end before the pointer reaches the window's edge.
"""
BESIDE = 8.0
"""Margin around an area that is scrolled into view, in logical pixels."""


class Lens:
    """Scroll position of a page in the window.

    The pointer scrolls the page when it is near an edge of the window, but not in the middle. All numbers are in
    framebuffer pixels unless noted otherwise.
    """

    def __init__(self) -> None:
        self.shift = (0, 0)
        """Scroll offsets: pixels of the page to the left of the window and above it."""
        self._spare = (0.0, 0.0)

    def fit(self, page: tuple[float, float], window: tuple[int, int]) -> None:
        """Set the sizes of the page and the window, and limit the scroll position to the page."""
        self._spare = max(0.0, page[0] - window[0]), max(0.0, page[1] - window[1])
        self._move(*self.shift)

    @property
    def whole(self) -> bool:
        """Whether the whole page fits in the window."""
        return self._spare == (0.0, 0.0)

    def follow(self, x: float, y: float, window: tuple[int, int]) -> bool:
        """Scroll to follow the pointer at (x, y) in the window; return whether the position changed."""
        wanted = []
        for at, side, spare, shift in zip((x, y), window, self._spare, self.shift, strict=True):
            near, far = at / max(1, side) / EDGE, (1 - at / max(1, side)) / EDGE
            shift = min(shift, round(spare * max(0.0, 1 - REACH * (1 - near)))) if near < 1 else shift
            shift = max(shift, round(spare * min(1.0, REACH * (1 - far)))) if far < 1 else shift
            wanted.append(shift)
        return self._move(*wanted)

    def reveal(self, place: Rect, window: tuple[int, int], scale: float) -> bool:
        """Scroll ``place`` into view; return whether the position changed.

        ``place`` is in logical pixels, each ``scale`` framebuffer pixels wide. If it is larger than the window, its top
        left corner is shown.
        """
        beside = BESIDE * scale
        wanted = []
        for begin, end, side, shift in zip(
            (place.x * scale, place.y * scale),
            (place.right * scale, place.bottom * scale),
            window,
            self.shift,
            strict=True,
        ):
            wanted.append(min(max(shift, end + beside - side), begin - beside))
        return self._move(*wanted)

    def begin(self) -> None:
        """Scroll to the top left of the page."""
        self._move(0, 0)

    def move_by(self, x: float, y: float) -> bool:
        """Scroll by a distance; return whether the position changed."""
        return self._move(self.shift[0] + x, self.shift[1] + y)

    def bars(self, window: tuple[int, int], thick: float) -> list[Rect]:
        """Return the scroll bars at the bottom and right edges, if the page can be scrolled that way."""
        found = []
        for axis, (side, across) in enumerate((window, window[::-1])):
            spare, shift = self._spare[axis], self.shift[axis]
            if spare:
                begin, long = shift * side / (side + spare), side * side / (side + spare)
                at, rest = across - 1.5 * thick, thick
                found.append(Rect(begin, at, long, rest) if axis == 0 else Rect(at, begin, rest, long))
        return found

    def _move(self, x: float, y: float) -> bool:
        before = self.shift
        self.shift = (
            round(max(0.0, min(self._spare[0], x))),
            round(max(0.0, min(self._spare[1], y))),
        )
        return self.shift != before
