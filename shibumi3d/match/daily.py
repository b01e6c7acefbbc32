"""Daily problems: an easy, a medium and a hard one, the same on every machine.

The three problems of a day come from different games if possible, and depend only on the date and the problems
available. They follow a fixed cycle that starts over when all of its days are used up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import blake2b
from typing import NamedTuple

DIFFICULTIES = ("easy", "middling", "hard")
DAYS_AVAILABLE = 30
"""Number of days for which the daily problems remain available."""
_FIRST_DATE = date(2026, 1, 1)
"""Date on which the cycle of daily problems starts."""


class RatedProblem(NamedTuple):
    """A problem: its game, its number within that game, and its rating."""

    game: str
    id: int
    rating: int

    @property
    def name(self) -> str:
        """Name of the problem, such as ``spline#12``."""
        return f"{self.game}#{self.id}"


def split_by_difficulty(problems: Iterable[RatedProblem]) -> tuple[tuple[RatedProblem, ...], ...]:
    """Split problems into easy, medium and hard ones: three parts of about equal size, each sorted by rating."""
    ordered = sorted(problems, key=lambda head: (head.rating, _shuffle_key(head)))
    count = len(ordered)
    return tuple(tuple(ordered[count * part // 3 : count * (part + 1) // 3]) for part in range(3))


def make_cycle(problems: Iterable[RatedProblem]) -> tuple[tuple[RatedProblem, ...], ...]:
    """Return the three problems of each day of a cycle, or () if there are too few problems for a single day."""
    parts = [sorted(part, key=_shuffle_key) for part in split_by_difficulty(problems)]
    if not all(parts):
        return ()
    waiting: list[list[RatedProblem]] = [[] for _ in parts]
    # Start with the difficulty that has the fewest games, since it leaves the least choice.
    order = sorted(range(len(parts)), key=lambda part: len({head.game for head in parts[part]}))
    days = []
    for _ in range(max(map(len, parts))):
        day: dict[int, RatedProblem] = {}
        for number in order:
            left = waiting[number]
            taken = _next_from_new_game(left, day.values())
            if taken is None:
                left += [head for head in parts[number] if head not in left]
                taken = _next_from_new_game(left, day.values()) or left[0]
            left.remove(taken)
            day[number] = taken
        days.append(tuple(day[number] for number in range(len(parts))))
    return tuple(days)


def problems_of_date(days: Sequence[tuple[RatedProblem, ...]], day: date) -> tuple[RatedProblem, ...]:
    """Return the problems for the date ``day``.

    ``days`` is the result of :func:`make_cycle`. If it is empty, there are no problems.
    """
    return days[(day - _FIRST_DATE).days % len(days)] if days else ()


def _next_from_new_game(
    candidates: Sequence[RatedProblem], day: Iterable[RatedProblem]
) -> RatedProblem | None:
    """Return the first of ``candidates`` whose game doesn't occur among the problems in ``day``, or None."""
    games = {head.game for head in day}
    return next((head for head in candidates if head.game not in games), None)


def _shuffle_key(head: RatedProblem) -> bytes:
    """Return a key that sorts problems in a reproducible shuffled order."""
    return blake2b(head.name.encode(), digest_size=8).digest()
