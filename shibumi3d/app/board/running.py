"""A match that shows itself again, move by move: whether it runs, how fast, and which part of it runs round."""

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
"""The greatest speed at which things are heard."""
PAUSE = 0.7
"""Seconds at normal speed between the end of a move and the beginning of the next."""


class Shown(Protocol):
    """A page that shows the moments of a match."""

    app: Host

    def update(self) -> None:
        """Everything that follows from the moment is made anew."""


class Running:
    """``at`` tells how many moves are shown, ``last`` how many there are; ``go`` shows so many at once, ``step`` moves
    one on. Time on the page passes as fast as the match runs."""

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
        """The time on the page at the time ``now``."""
        start, past = self._origin
        return past + (now - start) * self._pace

    def pass_time(self, hurry: float = 1.0) -> None:
        """From now on time passes ``hurry`` times as fast as the speed says."""
        pace = self.speed * hurry
        if pace != self._pace:
            now = self.page.app.clock()
            self._origin, self._pace = (now, self.time(now)), pace

    @property
    def hurried(self) -> bool:
        """Whether time passes faster than the speed says."""
        return self._pace > self.speed

    def tell(self, run: Button, pace: Button) -> None:
        """Shows on the buttons whether it runs, and how fast."""
        run.icon = "pause" if self.on else "play"
        run.tip = _("Pause  Space") if self.on else _("Play  Space")
        pace.label = _("{times}×", times=decimal(self.speed))

    def set_speed(self, speed: float) -> None:
        """Runs as many times faster."""
        self.speed = speed
        self.pass_time()
        self.page.update()

    def faster(self) -> None:
        """Takes the next speed, after the fastest the slowest."""
        self.set_speed(SPEEDS[(SPEEDS.index(self.speed) + 1) % len(SPEEDS)])

    def change_speed(self, by: int) -> None:
        """Takes a speed farther up or down, if there is one."""
        self.set_speed(SPEEDS[max(0, min(len(SPEEDS) - 1, SPEEDS.index(self.speed) + by))])

    def toggle(self) -> None:
        """Runs or pauses; at the end it begins again."""
        self.on = not self.on
        if self.on:
            begin, end = self.part.between(self._last())
            if self._at() >= end:
                self._go(begin)
            self._next = self.time(self.page.app.clock())
        self.page.update()

    def loop(self) -> None:
        """Lets the part run round, or no longer."""
        self.part.toggle()
        self.page.update()

    def mark(self, end: bool) -> None:
        """The part begins here, or ends."""
        self.part.mark(self._at(), self._last(), end)
        self.page.update()

    def animate(self, now: float, busy: bool) -> bool:
        """Goes on where it runs and nothing is ``busy`` any more; whether it runs."""
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
