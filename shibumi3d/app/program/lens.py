"""Where a page is larger than the window: the part of it that is seen, and what moves that on."""

from __future__ import annotations

from shibumi3d.scene.rect import Rect

EDGE = 0.2
"""The part of the window at each side in which the pointer moves the page."""
REACH = 1.15
"""So much sooner than at the very edge the end of the page is reached."""
BESIDE = 8.0
"""Logical pixels that are seen beside what is brought into sight."""


class Lens:
    """The part of a page that the window shows. In the middle of the window the pointer moves nothing; towards an edge
    it brings the page's own edge in. All numbers are pixels."""

    def __init__(self) -> None:
        self.shift = (0, 0)
        """How much of the page lies left of the window and above it."""
        self._spare = (0.0, 0.0)

    def fit(self, page: tuple[float, float], window: tuple[int, int]) -> None:
        """Take the sizes of the page and the window; nothing beside the page is shown."""
        self._spare = max(0.0, page[0] - window[0]), max(0.0, page[1] - window[1])
        self._move(*self.shift)

    @property
    def whole(self) -> bool:
        """Whether all of the page is seen."""
        return self._spare == (0.0, 0.0)

    def follow(self, x: float, y: float, window: tuple[int, int]) -> bool:
        """Go after the pointer at (x, y) in the window; return whether another part is seen now."""
        wanted = []
        for at, side, spare, shift in zip((x, y), window, self._spare, self.shift, strict=True):
            near, far = at / max(1, side) / EDGE, (1 - at / max(1, side)) / EDGE
            shift = min(shift, round(spare * max(0.0, 1 - REACH * (1 - near)))) if near < 1 else shift
            shift = max(shift, round(spare * min(1.0, REACH * (1 - far)))) if far < 1 else shift
            wanted.append(shift)
        return self._move(*wanted)

    def reveal(self, place: Rect, window: tuple[int, int], scale: float) -> bool:
        """Bring a place of the page into sight, its begin where it is larger than the window; return whether another
        part is seen now."""
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
        """Show the beginning of the page."""
        self._move(0, 0)

    def move_by(self, x: float, y: float) -> bool:
        """Go on by so much; return whether another part is seen now."""
        return self._move(self.shift[0] + x, self.shift[1] + y)

    def bars(self, window: tuple[int, int], thick: float) -> list[Rect]:
        """Return which part is seen, as bars at the foot and at the right edge of the window."""
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
