"""Game clocks: time limits and the time that each seat has left.

A clock doesn't measure time itself; the caller reports how much has elapsed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.i18n import InvalidValueError

MAX_SECONDS = 24 * 3600
"""Maximum time limit, per match or per turn, and maximum increment: one day, in seconds."""
_TIME_LIMIT = re.compile(r"(\d+)(?::([0-5]\d))?(?:\+(\d+))?|(\d+)s", re.ASCII)


@dataclass(frozen=True, slots=True)
class TimeLimit:
    """Time control of a match.

    ``seconds`` is the time that each seat has for the whole match, or for each turn if ``is_per_turn`` is set.
    ``increment`` is the number of seconds that a seat receives at the end of each of its turns. It doesn't apply if
    ``is_per_turn`` is set.
    """

    seconds: int
    increment: int = 0
    is_per_turn: bool = False

    def __str__(self) -> str:
        """Return the time limit as users type it.

        For example, ``10+5`` is 10 minutes per seat plus 5 seconds per turn, ``1:30`` is 90 seconds per seat, and
        ``30s`` is 30 seconds per turn.
        """
        if self.is_per_turn:
            return f"{self.seconds}s"
        minutes, seconds = divmod(self.seconds, 60)
        return (
            f"{minutes}{f':{seconds:02}' if seconds else ''}{f'+{self.increment}' if self.increment else ''}"
        )

    @classmethod
    def parse(cls, text: str) -> TimeLimit | None:
        """Parse a time limit in the format of :meth:`__str__`; return None for an empty string.

        Raises ValueError for text in any other format and for a limit that is out of range.
        """
        if not text:
            return None
        found = _TIME_LIMIT.fullmatch(text.strip())
        if found is None or len(text) > 13:
            raise InvalidValueError(
                "'{text}' is not a time control: use 10+5 for 10 minutes plus 5 seconds a turn, or 30s for "
                "30 seconds a turn",
                text=text[:20],
            )
        minutes, seconds, increment, turn = found.groups()
        limit = (
            cls(int(turn), is_per_turn=True)
            if turn
            else cls(int(minutes) * 60 + int(seconds or 0), int(increment or 0))
        )
        if not 0 < limit.seconds <= MAX_SECONDS or limit.increment > MAX_SECONDS:
            raise InvalidValueError(
                "'{text}' is not a time control: the time must be between one second and one day",
                text=text[:20],
            )
        return limit


class Clock:
    """The clock of a match with ``seats`` seats.

    ``seconds_left`` contains the seconds that each seat has left, by default the full time. With a time limit per turn,
    each turn starts with the full time, even if it was undone and is played again. With a time limit for the whole
    match, undoing a turn doesn't restore time, and playing it again doesn't earn the increment a second time. A seat
    that has run out of this time stays at 0 if it is allowed to continue.
    """

    def __init__(self, time_limit: TimeLimit, seats: int, seconds_left: Sequence[float] = ()) -> None:
        self.time_limit = time_limit
        self.seconds_left = [float(seconds) for seconds in seconds_left] or [
            float(time_limit.seconds)
        ] * seats
        self._first_turn_without_increment = 0
        """Number of the first turn for which no increment has been added yet."""

    def deduct(self, seat: int, seconds: float) -> bool:
        """Deduct ``seconds`` from a seat's time; return whether its time has just run out."""
        before = self.seconds_left[seat]
        self.seconds_left[seat] = max(0.0, before - max(0.0, seconds))
        return before > 0 and not self.seconds_left[seat]

    def is_out_of_time(self, seat: int) -> bool:
        """Return whether a seat has run out of time."""
        return self.seconds_left[seat] <= 0

    def end_turn(self, seat: int, turn: int, next_seat: int | None) -> None:
        """Update the clocks after ``seat`` has ended turn number ``turn``.

        If the time limit applies to the whole match, ``seat`` receives the increment, but only once per turn number,
        and not if it has run out of time. If the limit applies to each turn, the clock of ``next_seat`` is reset
        instead. ``next_seat`` is the seat to move next, or None if the match is over.
        """
        if self.time_limit.is_per_turn:
            if next_seat is not None:
                self.seconds_left[next_seat] = float(self.time_limit.seconds)
        elif turn >= self._first_turn_without_increment and self.seconds_left[seat] > 0:
            self.seconds_left[seat] += self.time_limit.increment
        self._first_turn_without_increment = max(self._first_turn_without_increment, turn + 1)

    def skip_increments_before(self, turn: int) -> None:
        """Stop adding the increment for turns before turn number ``turn``."""
        self._first_turn_without_increment = max(self._first_turn_without_increment, turn)

    def whole_seconds(self) -> tuple[int, ...]:
        """Return each seat's remaining time in whole seconds, rounded up, so that 0 means out of time."""
        return tuple(math.ceil(seconds) for seconds in self.seconds_left)

    def thinking_seconds(self, seat: int) -> float:
        """Return how many seconds the computer player in ``seat`` may think about one choice.

        The value is low enough that the computer is unlikely to run out of time.
        """
        if self.time_limit.is_per_turn:
            return max(0.05, self.seconds_left[seat] / 4)
        return max(0.05, self.seconds_left[seat] / 40 + self.time_limit.increment / 2)


def format_clock(seconds: float) -> str:
    """Return ``seconds``, rounded up, as text such as ``9:58`` or ``1:02:03``."""
    whole_seconds = math.ceil(seconds)
    hours, rest = divmod(whole_seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
