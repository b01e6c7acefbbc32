"""Game clocks: time limits and the time left to each seat.

A clock doesn't measure time itself; the caller reports how much has elapsed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.i18n import Unusable

LONGEST = 24 * 3600
"""Maximum time limit, per match or per turn, and maximum increment: one day, in seconds."""
_WRITTEN = re.compile(r"(\d+)(?:\+(\d+))?|(\d+)s", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """Time control of a match: ``seconds`` per seat for the whole match, or per turn if ``each_turn``.

    ``more`` is the increment in seconds, which a seat receives at the end of each of its turns. It doesn't apply if
    ``each_turn`` is set.
    """

    seconds: int
    more: int = 0
    each_turn: bool = False

    def __str__(self) -> str:
        """Return the time limit as users type it.

        For example, ``10+5`` is 10 minutes and 5 seconds per turn, and ``30s`` is 30 seconds per turn.
        """
        if self.each_turn or self.seconds % 60:
            return f"{self.seconds}s"
        return f"{self.seconds // 60}{f'+{self.more}' if self.more else ''}"

    @classmethod
    def read(cls, text: str) -> TimeLimit | None:
        """Parse a time limit in the format of :meth:`__str__`; return None for an empty string.

        Raises ValueError for text in any other format and for a limit that is out of range.
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

    Undoing a move doesn't restore time, and playing a turn again doesn't earn the increment a second time. With a time
    limit per turn, each turn starts with the full time. A seat that has run out of time may be allowed to continue; its
    clock then remains at 0.
    """

    def __init__(self, pace: TimeLimit, seats: int, left: Sequence[float] = ()) -> None:
        self.pace = pace
        self.left = [float(each) for each in left] or [float(pace.seconds)] * seats
        self._paid = 0
        """Number of the first turn for which no increment has been added yet."""

    def spend(self, seat: int, seconds: float) -> bool:
        """Deduct ``seconds`` from a seat's time; return whether its time has just run out."""
        before = self.left[seat]
        self.left[seat] = max(0.0, before - max(0.0, seconds))
        return before > 0 and not self.left[seat]

    def out(self, seat: int) -> bool:
        """Return whether a seat has run out of time."""
        return self.left[seat] <= 0

    def went(self, seat: int, turn: int, following: int | None) -> None:
        """Update the clocks after ``seat`` has ended turn number ``turn``.

        The increment is added, but only once per turn number. With a time limit per turn, the clock of ``following`` is
        reset instead. ``following`` is the seat to move next, or None if the match is over.
        """
        if self.pace.each_turn:
            if following is not None:
                self.left[following] = float(self.pace.seconds)
        elif turn >= self._paid and self.left[seat] > 0:
            self.left[seat] += self.pace.more
        self._paid = max(self._paid, turn + 1)

    def begin_at(self, turn: int) -> None:
        """Don't add the increment for turns before turn number ``turn``."""
        self._paid = max(self._paid, turn)

    def rounded(self) -> tuple[int, ...]:
        """Return the time left to each seat in whole seconds, rounded up, so that 0 means out of time."""
        return tuple(math.ceil(each) for each in self.left)

    def allowance(self, seat: int) -> float:
        """Return how many seconds the computer on ``seat`` may think about one choice.

        The value is low enough that the computer is unlikely to run out of time.
        """
        if self.pace.each_turn:
            return max(0.05, self.left[seat] / 4)
        return max(0.05, self.left[seat] / 40 + self.pace.more / 2)


def shown(seconds: float) -> str:
    """Format ``seconds`` for display, e.g. ``9:58`` or ``1:02:03``."""
    whole = math.ceil(seconds)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
