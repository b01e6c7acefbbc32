"""Sequences of problems: daily problems, problems of one game, streaks, and positions to judge.

The user can leave a sequence (a course) and resume it later.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from hashlib import blake2b
from typing import Any

from shibumi3d.match.tries import DAILY, DOUBT, GAME, MISSES, STREAK, of_day, solved

from .problems import UNRATED, Problems, heads, of_game

STEP = 40
"""Rating difference between successive problems of a streak."""
OWN_EVERY = 3
"""Interval between the user's own problems in a streak: every third problem, as long as any are left."""


class Course:
    """A sequence of problems.

    ``at`` is the name of the current problem; it is empty if there is none.
    """

    mode = GAME
    doubt = False
    """Whether the task is to decide if there is a win, rather than to find it."""
    day: date | None = None

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.at = ""

    @property
    def key(self) -> str:
        """Key under which progress is saved."""
        return self.mode

    def go_on(self) -> None:
        """Advance to the next problem."""
        raise NotImplementedError

    def ended(self, good: bool) -> None:
        """Record that the current problem is over; ``good`` means solved without a mistake."""

    def told(self) -> dict[str, Any]:
        """Return the state of the course, which is saved with the progress on its current problem."""
        return {"at": self.at}

    def leave(self, solving: Mapping[str, Any]) -> None:
        """Save the state of the course and the progress on its current problem."""
        self.problems.leave(self.key, {**self.told(), "solving": dict(solving)})

    def left(self) -> dict[str, Any]:
        """Return the saved progress on the current problem; empty if there is none."""
        found = self.problems.left(self.key)
        solving = found.get("solving")
        return solving if found.get("at") == self.at and isinstance(solving, dict) else {}

    def forget(self) -> None:
        """Delete the saved progress."""
        self.problems.done(self.key)


class Daily(Course):
    """The three daily problems of a day. Those that haven't been tried yet come first."""

    mode = DAILY

    def __init__(self, problems: Problems, day: date, at: str = "") -> None:
        super().__init__(problems)
        self.day = day
        self.names = problems.daily(day)
        self.at = at or self._open() or next(iter(self.names), "")

    @property
    def key(self) -> str:
        return f"{DAILY} {self.day}"

    def _open(self) -> str:
        assert self.day is not None
        pairs = zip(self.names, of_day(self.problems.tries(), self.day, self.names), strict=True)
        return next((name for name, one in pairs if one is None and name != self.at), "")

    def go_on(self) -> None:
        self.at = self._open()


class OfGame(Course):
    """The unsolved problems of a game, from easy to hard.

    If ``most`` is given, the course is a lesson with only that many of the easiest problems.
    """

    def __init__(self, problems: Problems, game: str, at: str = "", most: int = 0) -> None:
        super().__init__(problems)
        self.game, self.most = game, most
        self.names = [head.name for head in of_game(game)]
        if most:
            del self.names[most:]
        before = problems.left(self.key).get("at")
        self.at = at or (before if before in self.names else "")
        if not self.at:
            self.go_on()
            self.at = self.at or next(iter(self.names), "")

    @property
    def key(self) -> str:
        return f"{GAME} {self.game}"

    def go_on(self) -> None:
        found = solved(self.problems.tries(), self.game)
        place = self.names.index(self.at) + 1 if self.at in self.names else 0
        after = [*self.names[place:], *self.names[:place]]
        self.at = next((name for name in after if name not in found and name != self.at), "")


class Streak(Course):
    """Increasingly hard problems, until the user has missed three."""

    mode = STREAK

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        told = problems.left(self.key)
        had = told.get("had")
        self.had = [str(name) for name in had] if isinstance(had, list) else []
        """Names of the problems already played."""
        missed, seed = told.get("missed"), told.get("seed")
        self.missed = missed if isinstance(missed, int) and 0 <= missed < MISSES else 0
        self.seed = seed if isinstance(seed, int) else len(problems.tries())
        at = str(told.get("at", ""))
        self.at = at if at and problems.find(at) is not None else ""
        if not self.at:
            self.go_on()

    @property
    def over(self) -> bool:
        """Whether the maximum number of misses has been reached."""
        return self.missed >= MISSES

    @property
    def found(self) -> int:
        """Number of problems solved."""
        return len(self.had) - self.missed

    def go_on(self) -> None:
        if self.at and self.at not in self.had:
            self.had.append(self.at)
        self.at = "" if self.over else self._next()

    def ended(self, good: bool) -> None:
        self.missed += not good

    def _next(self) -> str:
        number = len(self.had)
        every = [name for name in self.problems.own() if name not in self.had]
        own = [name for name in every if self.problems.find(name) is not None]
        if own and number % OWN_EVERY == OWN_EVERY - 1:
            return min(own, key=self._mixed)
        left = [head for head in heads() if head.name not in self.had]
        if not left:
            return min(own, key=self._mixed, default="")
        wanted = min(head.rating for head in heads()) + STEP * number
        return min(left, key=lambda head: (abs(head.rating - wanted), self._mixed(head.name))).name

    def _mixed(self, name: str) -> bytes:
        return blake2b(f"{self.seed} {name}".encode(), digest_size=8).digest()

    def told(self) -> dict[str, Any]:
        return {"at": self.at, "had": self.had, "missed": self.missed, "seed": self.seed}


class Doubt(Course):
    """Positions in which the user must decide whether there is a win.

    The problems come in a fixed shuffled order, which repeats.
    """

    mode = DOUBT
    doubt = True

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        number = problems.left(self.key).get("number")
        self.number = number if isinstance(number, int) and number >= 0 else 0
        self._set()

    def _set(self) -> None:
        names = sorted((head.name for head in heads()), key=lambda name: blake2b(name.encode()).digest())
        self.at = names[self.number % len(names)] if names else ""

    def go_on(self) -> None:
        self.number += 1
        self._set()

    def told(self) -> dict[str, Any]:
        return {"at": self.at, "number": self.number}


def rated(problems: Problems, name: str) -> int:
    """Return the rating of a problem, or the default rating if it has none."""
    found = problems.find(name)
    return found.rating if found is not None and found.rating else UNRATED
