"""The plain paper that a page comes out of."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.scene import motion


class PageFade:
    """Paper over the whole window that fades; ``clock`` tells the time in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start = self._length = 0.0
        self._curve: motion.Curve = motion.OUT

    def begin(self, seconds: float, curve: motion.Curve) -> None:
        """Covers the window and begins to fade."""
        self._start, self._length, self._curve = self._clock(), seconds, curve

    def end(self) -> None:
        """It is gone at once."""
        self._length = 0.0

    def part(self, now: float) -> float:
        """How much the paper still covers at the time ``now``: 1 all, 0 nothing."""
        if not self._length or now >= self._start + self._length:
            return 0.0
        return 1.0 - self._curve((now - self._start) / self._length)
