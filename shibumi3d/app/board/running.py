"""Playback of a match on a page: play and pause, speed, and looping over a range of moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, decimal

from ..ui.button import Button
from .part import Part

if TYPE_CHECKING:
    from ..host import Host

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
HEARD = 2.0
"""Maximum speed at which sounds are still played."""
PAUSE = 0.7
"""Pause between the end of one move and the start of the next, in seconds at normal speed."""


class Shown(Protocol):
    """Page that plays back a match."""

    app: Host

    def update(self) -> None:
        """Update everything that depends on the current move."""


class Running:
    """Playback of a match, with its own clock, which runs at the playback speed.

    ``at`` returns the number of moves shown, and ``last`` the total number. ``go`` jumps to a number of moves without
    animation, and ``step`` plays the given number of moves.
    """

    def __init__(
        self,
        page: Shown,
        at: Callable[[], int],
        last: Callable[[], int],
        go: Callable[[int], None],
        step: Callable[[int], None],
    ) -> None:
        self.page, self._at, self._last, self._go, self._step = page, at, last, go, step
        self.on = False
        self.part = Part()
        self.speed = 1.0
        self._origin = (page.app.clock(), page.app.clock())
        self._pace = 1.0
        self._next = 0.0

    def time(self, now: float) -> float:
        """Convert ``now``, a time of the app's clock, to playback time."""
        start, past = self._origin
        return past + (now - start) * self._pace

    def pass_time(self, hurry: float = 1.0) -> None:
        """From now on, run the playback clock at ``hurry`` times the selected speed."""
        pace = self.speed * hurry
        if pace != self._pace:
            now = self.page.app.clock()
            self._origin, self._pace = (now, self.time(now)), pace

    @property
    def hurried(self) -> bool:
        """Whether the playback clock is running at more than the selected speed."""
        return self._pace > self.speed

    def tell(self, run: Button, pace: Button) -> None:
        """Update the two buttons, which show whether the match is playing, and how fast."""
        run.icon = "pause" if self.on else "play"
        run.tip = _("Pause  Space") if self.on else _("Play  Space")
        pace.label = _("{times}×", times=decimal(self.speed))

    def set_speed(self, speed: float) -> None:
        """Set the speed, as a multiple of normal speed."""
        self.speed = speed
        self.pass_time()
        self.page.update()

    def faster(self) -> None:
        """Switch to the next higher speed or, after the highest, back to the lowest."""
        self.set_speed(SPEEDS[(SPEEDS.index(self.speed) + 1) % len(SPEEDS)])

    def change_speed(self, by: int) -> None:
        """Change the speed by ``by`` steps in SPEEDS, stopping at either end of the list."""
        self.set_speed(SPEEDS[max(0, min(len(SPEEDS) - 1, SPEEDS.index(self.speed) + by))])

    def toggle(self) -> None:
        """Play or pause. At the end of the match or loop, start again from its beginning."""
        self.on = not self.on
        if self.on:
            begin, end = self.part.between(self._last())
            if self._at() >= end:
                self._go(begin)
            self._next = self.time(self.page.app.clock())
        self.page.update()

    def loop(self) -> None:
        """Switch looping on or off."""
        self.part.toggle()
        self.page.update()

    def mark(self, end: bool) -> None:
        """Set the start of the loop to the current move, or its end if ``end`` is true."""
        self.part.mark(self._at(), self._last(), end)
        self.page.update()

    def animate(self, now: float, busy: bool) -> bool:
        """Play the next move if it is due; return whether the match is playing.

        A move is due once ``busy`` has been false for PAUSE seconds.
        """
        if not self.on:
            return False
        time = self.time(now)
        if busy:
            self._next = time + PAUSE
        elif time >= self._next:
            begin, end = self.part.between(self._last())
            self._next = time + PAUSE
            if self._at() < end:
                self._step(1)
            elif self.part.on:
                self._go(begin)
            else:
                self.on = False
                self.page.update()
        return True
