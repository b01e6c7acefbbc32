"""The problems of a day: an easy one, a middling one and a hard one, of three games, the same on every machine.

They follow from the date alone, in one order of all problems that comes round when each was had.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import blake2b
from typing import NamedTuple

TIERS = ("easy", "middling", "hard")
BACK = 30
"""For so many days the problems of a day can be tried."""
_FIRST = date(2026, 1, 1)
"""The day that has the first of them."""


class RatedProblem(NamedTuple):
    """A problem, by its game and its number there, and how hard it is."""

    game: str
    id: int
    rating: int

    @property
    def name(self) -> str:
        """What it is called, such as ``spline#12``."""
        return f"{self.game}#{self.id}"


def thirds(heads: Iterable[RatedProblem]) -> tuple[tuple[RatedProblem, ...], ...]:
    """Return problems as three parts of the same length: the easy, the middling and the hard ones, each by rating."""
    ordered = sorted(heads, key=lambda head: (head.rating, _mixed(head)))
    count = len(ordered)
    return tuple(tuple(ordered[count * part // 3 : count * (part + 1) // 3]) for part in range(3))


def schedule(heads: Iterable[RatedProblem]) -> tuple[tuple[RatedProblem, ...], ...]:
    """Return the problems of each day of one round; nothing where there are too few for a day."""
    parts = [sorted(part, key=_mixed) for part in thirds(heads)]
    if not all(parts):
        return ()
    waiting: list[list[RatedProblem]] = [[] for _ in parts]
    # What has the fewest games to choose from chooses first.
    order = sorted(range(len(parts)), key=lambda part: len({head.game for head in parts[part]}))
    days = []
    for _ in range(max(map(len, parts))):
        day: dict[int, RatedProblem] = {}
        for number in order:
            left = waiting[number]
            taken = _next(left, day.values())
            if taken is None:
                left += [head for head in parts[number] if head not in left]
                taken = _next(left, day.values()) or left[0]
            left.remove(taken)
            day[number] = taken
        days.append(tuple(day[number] for number in range(len(parts))))
    return tuple(days)


def of_date(days: Sequence[tuple[RatedProblem, ...]], day: date) -> tuple[RatedProblem, ...]:
    """Return the problems of a ``day``, out of those of each day of a round."""
    return days[(day - _FIRST).days % len(days)] if days else ()


def _next(left: Sequence[RatedProblem], day: Iterable[RatedProblem]) -> RatedProblem | None:
    """The first one of another game than those of the day."""
    games = {head.game for head in day}
    return next((head for head in left if head.game not in games), None)


def _mixed(head: RatedProblem) -> bytes:
    """What puts problems into an order in which neither their game nor their number shows."""
    return blake2b(head.name.encode(), digest_size=8).digest()
