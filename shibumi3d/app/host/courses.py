"""One problem after the other: those of a day, of a game, a streak of harder and harder ones, and positions of which
it is to be said whether there is a win. Each goes on where it was left."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from hashlib import blake2b
from typing import Any

from shibumi3d.match.tries import DAILY, DOUBT, GAME, MISSES, STREAK, of_day, solved

from .problems import UNRATED, Problems, heads, of_game

STEP = 40
"""By so much the problems of a streak grow harder, one after the other."""
OWN_EVERY = 3
"""Of so many problems of a streak one is of the person's own, while there are any."""


class Course:
    """``at`` is the name of the problem that is to be solved now, empty where there is none."""

    mode = GAME
    doubt = False
    """Whether it is to be said if there is a win, and not which."""
    day: date | None = None

    def __init__(self, problems: Problems) -> None:
        self.problems = problems
        self.at = ""

    @property
    def key(self) -> str:
        """The name under which it is kept when it is left."""
        return self.mode

    def go_on(self) -> None:
        """Turn to the next problem."""
        raise NotImplementedError

    def ended(self, good: bool) -> None:
        """Note that the problem came to its end, found without going wrong or not."""

    def told(self) -> dict[str, Any]:
        """Return what is to be kept beside what was done of the problem."""
        return {"at": self.at}

    def leave(self, solving: Mapping[str, Any]) -> None:
        """Keep where it stands, with what was done of the problem."""
        self.problems.leave(self.key, {**self.told(), "solving": dict(solving)})

    def left(self) -> dict[str, Any]:
        """Return what was done of the problem when it was left."""
        found = self.problems.left(self.key)
        solving = found.get("solving")
        return solving if found.get("at") == self.at and isinstance(solving, dict) else {}

    def forget(self) -> None:
        """Drop what was kept of it."""
        self.problems.done(self.key)


class Daily(Course):
    """The three of a day, those that were not tried first."""

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
    """The problems of a game, from the easy to the hard ones, those not found yet; ``most`` at first, as a lesson."""

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
    """Harder and harder problems, until the third that is missed."""

    mode = STREAK

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems)
        told = problems.left(self.key)
        had = told.get("had")
        self.had = [str(name) for name in had] if isinstance(had, list) else []
        """The problems that are done."""
        missed, seed = told.get("missed"), told.get("seed")
        self.missed = missed if isinstance(missed, int) and 0 <= missed < MISSES else 0
        self.seed = seed if isinstance(seed, int) else len(problems.tries())
        at = str(told.get("at", ""))
        self.at = at if at and problems.find(at) is not None else ""
        if not self.at:
            self.go_on()

    @property
    def over(self) -> bool:
        """Whether as many were missed as may be."""
        return self.missed >= MISSES

    @property
    def found(self) -> int:
        """How many were found."""
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
    """Positions of which half can be won; the names come in an order of their own, and again when all were had."""

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
    """Return what a problem is rated at."""
    found = problems.find(name)
    return found.rating if found is not None and found.rating else UNRATED
