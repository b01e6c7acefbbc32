"""Game clocks: time limits and the time each seat has left.

A clock doesn't read the time itself; the caller reports how much has elapsed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.i18n import Unusable

LONGEST = 24 * 3600
"""Upper limit of a time limit, per match or per turn, and of the increment, in seconds (one day)."""
_WRITTEN = re.compile(r"(\d+)(?:\+(\d+))?|(\d+)s", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """Time control of a match: ``seconds`` per seat for the whole match, or per turn if ``each_turn``.

    ``more`` is the increment in seconds, added whenever a seat ends a turn. It doesn't apply with ``each_turn``.
    """

    seconds: int
    more: int = 0
    each_turn: bool = False

    def __str__(self) -> str:
        """Return the time limit as typed, e.g. ``10+5`` (10 min + 5 s a turn) or ``30s`` (30 s a turn)."""
        if self.each_turn or self.seconds % 60:
            return f"{self.seconds}s"
        return f"{self.seconds // 60}{f'+{self.more}' if self.more else ''}"

    @classmethod
    def read(cls, text: str) -> TimeLimit | None:
        """Parse a time limit in the format of :meth:`__str__`; return None for an empty string.

        Raises ValueError if the text is in any other format or the limit is out of range.
        """
        if not text:
            return None
        found = _WRITTEN.fullmatch(text.strip())
        if found is None or len(text) > 12:
            raise Unusable(
                "'{text}' is not a clock: use 10+5 for 10 minutes plus 5 seconds a turn, 30s for 30 "
                "seconds a turn",
                text=text[:20],
            )
        minutes, more, turn = found.groups()
        pace = cls(int(turn), each_turn=True) if turn else cls(int(minutes) * 60, int(more or 0))
        if not 0 < pace.seconds <= LONGEST or pace.more > LONGEST:
            raise Unusable(
                "'{text}' is not a clock: the time must be from one second to one day", text=text[:20]
            )
        return pace


class Clock:
    """Time left to each of ``seats`` seats, in seconds.

    Undoing a move doesn't give time back, and replaying a turn doesn't earn the increment a second time. With a time
    limit per turn, each turn starts with the full time. A seat that has run out of time may be allowed to play on; its
    clock stays at 0.
    """

    def __init__(self, pace: TimeLimit, seats: int, left: Sequence[float] = ()) -> None:
        self.pace = pace
        self.left = [float(each) for each in left] or [float(pace.seconds)] * seats
        self._paid = 0
        """Number of the first turn for which no increment has been added yet."""

    def spend(self, seat: int, seconds: float) -> bool:
        """Deduct ``seconds`` from a seat's time; return whether the time has just run out."""
        before = self.left[seat]
        self.left[seat] = max(0.0, before - max(0.0, seconds))
        return before > 0 and not self.left[seat]

    def out(self, seat: int) -> bool:
        """Return whether a seat has run out of time."""
        return self.left[seat] <= 0

    def went(self, seat: int, turn: int, following: int | None) -> None:
        """Add the time due when ``seat`` ends turn number ``turn``.

        The increment is added only once per turn number. With a time limit per turn, the clock of ``following``, the
        seat to move next, is reset instead; ``following`` is None if the match is over.
        """
        if self.pace.each_turn:
            if following is not None:
                self.left[following] = float(self.pace.seconds)
        elif turn >= self._paid and self.left[seat] > 0:
            self.left[seat] += self.pace.more
        self._paid = max(self._paid, turn + 1)

    def begin_at(self, turn: int) -> None:
        """Add no increment for turns before number ``turn``."""
        self._paid = max(self._paid, turn)

    def rounded(self) -> tuple[int, ...]:
        """Return the time left to each seat in whole seconds, rounded up, so that 0 means out of time."""
        return tuple(math.ceil(each) for each in self.left)

    def allowance(self, seat: int) -> float:
        """Return how many seconds a computer on ``seat`` may think about one choice.

        The value is small enough not to risk running out of time.
        """
        if self.pace.each_turn:
            return max(0.05, self.left[seat] / 4)
        return max(0.05, self.left[seat] / 40 + self.pace.more / 2)


def shown(seconds: float) -> str:
    """Format ``seconds`` for display, e.g. ``9:58`` or ``1:02:03``."""
    whole = math.ceil(seconds)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
