"""Fade-in of a page from blank paper."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.scene import motion


class PageFade:
    """Blank paper that covers the window and fades out.

    ``clock()`` returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start = self._length = 0.0
        self._curve: motion.Curve = motion.OUT

    def begin(self, seconds: float, curve: motion.Curve) -> None:
        """Cover the window and start fading."""
        self._start, self._length, self._curve = self._clock(), seconds, curve

    def end(self) -> None:
        """End the fade at once."""
        self._length = 0.0

    def part(self, now: float) -> float:
        """Return the opacity of the paper at the time ``now``, from 0 to 1."""
        if not self._length or now >= self._start + self._length:
            return 0.0
        return 1.0 - self._curve((now - self._start) / self._length)
