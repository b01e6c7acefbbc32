"""Clocks of a match: how much time each seat has left. Whoever can tell the time says how much of it has passed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.i18n import Unusable

LONGEST = 24 * 3600
"""The most seconds that a clock may give, for a match or for a turn."""
_WRITTEN = re.compile(r"(\d+)(?:\+(\d+))?|(\d+)s", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """How much time there is: ``seconds`` for each seat and match, or with ``each_turn`` for each turn.

    ``more`` seconds are added whenever a seat ends a turn; never where each turn has its own time.
    """

    seconds: int
    more: int = 0
    each_turn: bool = False

    def __str__(self) -> str:
        """As it is typed: ``10+5`` for ten minutes and five seconds more a turn, ``30s`` for half a minute a turn."""
        if self.each_turn or self.seconds % 60:
            return f"{self.seconds}s"
        return f"{self.seconds // 60}{f'+{self.more}' if self.more else ''}"

    @classmethod
    def read(cls, text: str) -> TimeLimit | None:
        """Return the time limit that a text means as :meth:`__str__` writes it; None for "". Raises ValueError for
        any other.
        """
        if not text:
            return None
        found = _WRITTEN.fullmatch(text.strip())
        if found is None or len(text) > 12:
            raise Unusable(
                "'{text}' is no clock: 10+5 is ten minutes and five seconds a turn, 30s is a turn",
                text=text[:20],
            )
        minutes, more, turn = found.groups()
        pace = cls(int(turn), each_turn=True) if turn else cls(int(minutes) * 60, int(more or 0))
        if not 0 < pace.seconds <= LONGEST or pace.more > LONGEST:
            raise Unusable("'{text}' is no clock: it gives from a second to a day", text=text[:20])
        return pace


class Clock:
    """The time that is left to each of so many ``seats``, in seconds.

    Time that has passed never comes back by an undo, and a turn played again earns no second addition; only where
    each turn has its own time, a turn that begins anew has all of it. A seat whose time is up may be allowed to play
    on: it stays at nothing.
    """

    def __init__(self, pace: TimeLimit, seats: int, left: Sequence[float] = ()) -> None:
        self.pace = pace
        self.left = [float(each) for each in left] or [float(pace.seconds)] * seats
        self._paid = 0
        """The number of the first turn for which nothing was added yet."""

    def spend(self, seat: int, seconds: float) -> bool:
        """Take ``seconds`` from a seat; return whether its time has just run out."""
        before = self.left[seat]
        self.left[seat] = max(0.0, before - max(0.0, seconds))
        return before > 0 and not self.left[seat]

    def out(self, seat: int) -> bool:
        """Return whether no time is left to a seat."""
        return self.left[seat] <= 0

    def went(self, seat: int, turn: int, following: int | None) -> None:
        """Add the time that the end of turn number ``turn`` of ``seat`` brings, once for each number; ``following``
        is to move next, None when nobody is.
        """
        if self.pace.each_turn:
            if following is not None:
                self.left[following] = float(self.pace.seconds)
        elif turn >= self._paid and self.left[seat] > 0:
            self.left[seat] += self.pace.more
        self._paid = max(self._paid, turn + 1)

    def begin_at(self, turn: int) -> None:
        """Add nothing to the time of anybody for turns before number ``turn``."""
        self._paid = max(self._paid, turn)

    def rounded(self) -> tuple[int, ...]:
        """Return what is left to each seat in whole seconds, rounded up: 0 only where nothing is left."""
        return tuple(math.ceil(each) for each in self.left)

    def allowance(self, seat: int) -> float:
        """Return the seconds that a computer on ``seat`` may think about one choice without coming near the end of
        its time.
        """
        if self.pace.each_turn:
            return max(0.05, self.left[seat] / 4)
        return max(0.05, self.left[seat] / 40 + self.pace.more / 2)


def shown(seconds: float) -> str:
    """Return ``seconds`` as they are shown: ``9:58``, ``1:02:03``."""
    whole = math.ceil(seconds)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
