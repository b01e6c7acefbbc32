"""Scrolling of a page that is larger than the window."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect

EDGE_FRACTION = 0.2
"""Width of the zone along each edge in which the pointer scrolls the page, as a fraction of the window's size."""
SCROLL_LEAD_FACTOR = 1.15
"""Factor by which scrolling runs ahead of the pointer.

It lets scrolling end before the pointer reaches the window's edge.
"""
REVEAL_MARGIN_PX = 8.0
"""Margin around an area that is scrolled into view, in logical pixels."""


class PageScroll:
    """Scroll position of a page in the window.

    When the pointer comes near an edge of the window, the page scrolls towards that edge. All numbers are in
    framebuffer pixels unless noted otherwise.
    """

    def __init__(self) -> None:
        self.offset = (0, 0)
        """How far the page extends beyond the left and top edges of the window."""
        self._max_offset = (0.0, 0.0)

    def set_sizes(self, page: tuple[float, float], window: tuple[int, int]) -> None:
        """Set the sizes of the page and the window, and limit the scroll position to the page."""
        self._max_offset = max(0.0, page[0] - window[0]), max(0.0, page[1] - window[1])
        self._set_offset(*self.offset)

    @property
    def fits_window(self) -> bool:
        return self._max_offset == (0.0, 0.0)

    def follow_pointer(self, x: float, y: float, window: tuple[int, int]) -> bool:
        """Scroll if the pointer at (x, y) is near the window's edge; return whether :attr:`offset` changed.

        ``window`` is the size of the window.
        """
        new_offset = []
        for position, side, spare, shift in zip((x, y), window, self._max_offset, self.offset, strict=True):
            near, far = position / max(1, side) / EDGE_FRACTION, (1 - position / max(1, side)) / EDGE_FRACTION
            shift = (
                min(shift, round(spare * max(0.0, 1 - SCROLL_LEAD_FACTOR * (1 - near))))
                if near < 1
                else shift
            )
            shift = max(shift, round(spare * min(1.0, SCROLL_LEAD_FACTOR * (1 - far)))) if far < 1 else shift
            new_offset.append(shift)
        return self._set_offset(*new_offset)

    def reveal(self, rect: Rect, window: tuple[int, int], scale: float) -> bool:
        """Scroll ``rect`` into view; return whether the scroll position changed.

        ``rect`` is in logical pixels. ``window`` is the size of the window in framebuffer pixels. ``scale`` is the
        number of framebuffer pixels per logical pixel. If ``rect`` is larger than the window, its top left corner is
        shown.
        """
        beside = REVEAL_MARGIN_PX * scale
        new_offset = []
        for begin, end, side, shift in zip(
            (rect.x * scale, rect.y * scale),
            (rect.right * scale, rect.bottom * scale),
            window,
            self.offset,
            strict=True,
        ):
            new_offset.append(min(max(shift, end + beside - side), begin - beside))
        return self._set_offset(*new_offset)

    def scroll_to_start(self) -> None:
        """Scroll to the top left of the page."""
        self._set_offset(0, 0)

    def scroll_by(self, x: float, y: float) -> bool:
        """Scroll by a distance; return whether the position changed."""
        return self._set_offset(self.offset[0] + x, self.offset[1] + y)

    def scroll_bars(self, window: tuple[int, int], thickness: float) -> list[Rect]:
        """Return the rectangles of the scroll bars, one for each direction in which the page can scroll.

        The bars are ``thickness`` pixels thick and lie near the bottom and right edges of the window.
        """
        bars = []
        for axis, (side, across) in enumerate((window, window[::-1])):
            spare, shift = self._max_offset[axis], self.offset[axis]
            if spare:
                begin, long = shift * side / (side + spare), side * side / (side + spare)
                cross_start, rest = across - 1.5 * thickness, thickness
                bars.append(
                    Rect(begin, cross_start, long, rest)
                    if axis == 0
                    else Rect(cross_start, begin, rest, long)
                )
        return bars

    def _set_offset(self, x: float, y: float) -> bool:
        before = self.offset
        self.offset = (
            round(max(0.0, min(self._max_offset[0], x))),
            round(max(0.0, min(self._max_offset[1], y))),
        )
        return self.offset != before
