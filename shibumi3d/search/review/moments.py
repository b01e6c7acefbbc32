"""What is said of the turns of a match, and of how well its seats played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from statistics import pstdev
from typing import Any

MARKS = ((30.0, "??"), (15.0, "?"), (7.0, "?!"))
"""From how many points on a turn gets which mark."""
PASSES = 4.0
"""Points of winning chance that a turn may lose and still be a good one."""


@dataclass(frozen=True, slots=True)
class Made:
    """One move of a match, as a review takes it: by ``seat``, in turn number ``turn``, to ``state``."""

    seat: int
    turn: int
    move: str
    state: Any


@dataclass(frozen=True, slots=True)
class Worth:
    """What a position is worth to a seat, from 0 (lost) to 1 (won): surely between ``low`` and ``high``, by estimate
    ``mean``."""

    mean: float
    low: float = 0.0
    high: float = 1.0

    @property
    def proved(self) -> bool:
        """Whether it is known for sure."""
        return self.low == self.high

    @property
    def value(self) -> float:
        """What is proved, else the estimate, within what is sure."""
        return min(self.high, max(self.low, self.mean))

    def other(self) -> Worth:
        """Return the same for the other one of two seats."""
        return Worth(1.0 - self.mean, 1.0 - self.high, 1.0 - self.low)


@dataclass(frozen=True, slots=True)
class Moment:
    """One turn (or choice, where chance and secrets come in) of a match: moves ``at`` to ``until`` of its history.

    ``best`` is what the best turn, ``better``, was worth to the ``seat``, ``played`` what was played was worth; either
    is None while, or where, nobody judges that. ``wins_in`` and ``loses_in`` count turns of the seat where that is
    proved, else 0. ``only``: it is proved that no other turn would have kept as much. ``mix`` are choices made without
    knowing of each other, with the part of times that each would have been right.
    """

    at: int
    until: int
    turn: int
    seat: int
    best: Worth | None = None
    played: Worth | None = None
    better: tuple[str, ...] = ()
    wins_in: int = 0
    loses_in: int = 0
    only: bool = False
    forced: bool = False
    mix: tuple[tuple[str, float], ...] = ()

    @property
    def proved(self) -> bool:
        """Whether all that is said of it is proved."""
        return self.best is not None and self.best.proved and self.played is not None and self.played.proved

    @property
    def loss(self) -> float:
        """Points of winning chance, from 0 to 100, by which it was worse than the best; 0 where nobody judges."""
        if self.best is None or self.played is None or self.forced:
            return 0.0
        return 100.0 * max(0.0, self.best.value - self.played.value)

    @property
    def mark(self) -> str:
        """The sign that stands beside it: ``??``, ``?``, ``?!``, ``!``, or none."""
        found = next((mark for least, mark in MARKS if self.loss >= least), "")
        return found or ("!" if self.only else "")

    @property
    def gave_away(self) -> str:
        """What was proved to be there and was given up: "win" or "draw"; empty where nothing was."""
        if not self.proved or self.loss == 0.0 or self.best is None:
            return ""
        return "win" if self.best.low == 1.0 else "draw"


@dataclass(frozen=True, slots=True)
class Review:
    """What is known of the turns of a match, after ``tries`` for each; ``complete`` when no more comes.

    ``part`` of the work is done, from 0 to 1.
    """

    moments: tuple[Moment, ...]
    tries: int
    complete: bool = False
    part: float = 1.0

    def of(self, seat: int) -> list[Moment]:
        """Return the turns in which a seat had a choice and was judged."""
        return [
            one
            for one in self.moments
            if one.seat == seat and one.best is not None and one.played is not None and not one.forced
        ]

    def faults(self, seats: Sequence[int]) -> list[Moment]:
        """Return the turns of some seats that lost enough for a mark, the one that lost most first."""
        found = [one for one in self.moments if one.seat in seats and one.loss >= MARKS[-1][0]]
        return sorted(found, key=lambda one: (-round(one.loss), not one.proved, one.at))

    def accuracy(self, seat: int) -> tuple[float, float] | None:
        """Return how well a seat played in percent, and which part of its turns that is proved of; None for no turns.

        It is the mean of two means over its turns: one weighted by how much was at stake, the other harmonic.
        """
        turns = self.of(seat)
        if not turns:
            return None
        each = [accuracy(one.loss) for one in turns]
        worths = [100.0 * one.best.value for one in turns if one.best is not None]
        span = max(2, min(8, len(turns) // 5))
        weights = [
            max(0.5, min(12.0, pstdev(worths[max(0, n - span + 1) : n + 1] or [0.0])))
            for n in range(len(turns))
        ]
        weighted = sum(w * a for w, a in zip(weights, each, strict=True)) / sum(weights)
        harmonic = len(each) / sum(1.0 / max(a, 1.0) for a in each)
        return (weighted + harmonic) / 2, sum(one.proved for one in turns) / len(turns)


@dataclass(frozen=True, slots=True)
class Judged:
    """What another turn would have been worth, and what is answered to it, as texts; none where nobody can tell."""

    worth: Worth
    answer: tuple[str, ...] = ()


def accuracy(loss: float) -> float:
    """Return how well a turn was played, in percent, that lost so many points of winning chance."""
    return max(0.0, min(100.0, 103.17 * exp(-0.0435 * loss) - 3.17))
