"""The problems that there are for whoever sits here: those that came with the program and their own, and what was
tried of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from typing import Any

from shibumi3d import files
from shibumi3d.catalogue.catalogue import load
from shibumi3d.catalogue.problems import (
    ProvedProblem,
    games_with_problems,
    problems,
    ratings,
    read_problems,
    rules_hash,
)
from shibumi3d.match.daily import RatedProblem, of_date, schedule
from shibumi3d.match.store import Store
from shibumi3d.match.tries import Rating, Tries, Try, chain, new_try, rating, solved
from shibumi3d.rules.errors import GameFileError

from ..text import say, told

OWN = "own.yaml"
LARGEST = 1024 * 1024
"""How large the file of one's own problems may be, in bytes."""
_OWN = "#own"
"""What stands in the names of one's own problems between game and number, as in ``spline#own3``."""
UNRATED = 1500
"""What a problem counts as that nobody rated."""


@cache
def heads() -> tuple[RatedProblem, ...]:
    """Return all problems that came with the program, by their heads."""
    return tuple(
        RatedProblem(game, number, rated or UNRATED)
        for game in games_with_problems()
        for number, rated in ratings(game)
    )


@cache
def days() -> tuple[tuple[RatedProblem, ...], ...]:
    """Return the problems of each day of a round."""
    return schedule(heads())


def of_game(game: str) -> tuple[RatedProblem, ...]:
    """Return the problems of a game that came with the program, the easy ones first."""
    found = (RatedProblem(game, number, rated or UNRATED) for number, rated in ratings(game))
    return tuple(sorted(found, key=lambda head: (head.rating, head.id)))


def _holds(problem: ProvedProblem) -> bool:
    """Whether the rules of its game are those for which a problem was proved."""
    entry = load().find(problem.game)
    return entry is not None and problem.rules == rules_hash(entry)


class Problems:
    """What there is and what was tried. ``wanted()``: whether it is kept; ``warn`` is told what can't be read."""

    def __init__(
        self, store: Callable[[], Store], wanted: Callable[[], bool], warn: Callable[[str], None]
    ) -> None:
        self._store, self._wanted, self._warn = store, wanted, warn
        self._read: tuple[object, tuple[Try, ...]] | None = None
        self._own: tuple[object, dict[str, ProvedProblem]] | None = None
        self.now: Callable[[], datetime] = lambda: datetime.now().astimezone()
        """The moment by the clock on the wall."""

    @property
    def _tries(self) -> Tries:
        return Tries(self._store().folder.parent / "results.sqlite")

    @property
    def kept(self) -> bool:
        """Whether what is tried is kept, so that it is counted and rated."""
        return self._wanted()

    def today(self) -> date:
        """Return the day by the clock on the wall."""
        return self.now().date()

    def daily(self, day: date) -> tuple[str, ...]:
        """Return the names of the problems of a day: easy, middling, hard; none where there are too few."""
        return tuple(head.name for head in of_date(days(), day))

    # The problems

    def own(self) -> Mapping[str, ProvedProblem]:
        """Return one's own problems by name; none where their file can't be read, which is said."""
        path = self._store().folder.parent / "problems" / OWN
        try:
            about = path.stat()
        except OSError:
            return {}
        stamp = path, about.st_size, about.st_mtime_ns
        if self._own is None or self._own[0] != stamp:
            found: tuple[ProvedProblem, ...] = ()
            try:
                found = read_problems(files.read(path, LARGEST), str(path))
            except (OSError, GameFileError) as problem:
                self._warn(say("problems.own-unread", problem=told(problem)))
            self._own = stamp, {f"{each.game}{_OWN}{each.id}": each for each in found}
        return self._own[1]

    def keep(self, problem: ProvedProblem) -> str:
        """Keep a problem as one's own, in place of the same one; return its name, empty where that can't be.

        Its ``rules`` are those for which it is proved; whatever its ``id``, it is given one of its own.
        """
        path = self._store().folder.parent / "problems" / OWN
        own = self.own()
        if os.path.exists(path) and not own:
            return ""  # it can't be read, which was said; whoever wrote it may mend it
        known = {(each.game, each.moves): each.id for each in own.values()}
        number = known.get(
            (problem.game, problem.moves), max((each.id for each in own.values()), default=0) + 1
        )
        mine = replace(problem, id=number)
        rows = [each for each in own.values() if each.id != number] + [mine]
        text = "".join(f"  - {each.row(alone=True)}\n" for each in sorted(rows, key=lambda each: each.id))
        try:
            files.make_folder(path.parent)
            files.write(path, f"problems:\n{text}")
        except OSError as reason:
            self._warn(say("problems.own-unkept", problem=reason))
            return ""
        return f"{mine.game}{_OWN}{number}"

    def find(self, name: str) -> ProvedProblem | None:
        """Return the problem of that name; None where there is none any more."""
        game, _, number = name.partition("#")
        if _OWN in name:
            found = self.own().get(name)
            return found if found is not None and _holds(found) else None
        try:
            return next((each for each in problems(game) if str(each.id) == number), None)
        except GameFileError as problem:
            self._warn(say("sentence", text=told(problem)))
            return None

    # What was tried

    def tries(self) -> tuple[Try, ...]:
        """Return every try kept, in the order in which they ended."""
        path = self._tries.path
        try:
            about = path.stat()
            stamp: object = (path, about.st_size, about.st_mtime_ns)
        except OSError:
            stamp = path
        if self._read is None or self._read[0] != stamp:
            base = self._tries
            self._read = stamp, base.all()
            self._tell(base)
        return self._read[1]

    def add(
        self,
        name: str,
        rated: int,
        mode: str,
        came: str,
        tries: int,
        seconds: float,
        day: date | None = None,
    ) -> None:
        """Keep that a try came to its end now, where that is wanted."""
        if self.kept:
            base = self._tries
            base.add(new_try(name, rated or UNRATED, mode, came, tries, seconds, day=day, now=self.now()))
            self._read = None
            self._tell(base)

    def solved(self, game: str) -> int:
        """Return how many problems of a game were found without going wrong, of those that came with the program."""
        found = solved(self.tries(), game)
        return sum(head.name in found for head in of_game(game))

    def chain(self) -> int:
        """Return on how many days in turn one of that very day was found."""
        return chain(self.tries(), self.today())

    def rating(self, game: str = "") -> Rating | None:
        """Return how strong somebody is, in a game or in all; None while that is not known."""
        return rating(self.tries(), game) if self.kept else None

    def forget(self, game: str = "") -> None:
        """Forget what was tried, of a game or of all."""
        base = self._tries
        base.forget(game)
        self._read = None
        self._tell(base)

    def leave(self, key: str, state: Mapping[str, Any]) -> None:
        """Keep what is half done under the name ``key``."""
        self._tries.leave(key, state)

    def left(self, key: str) -> dict[str, Any]:
        """Return what was left half done under that name; empty for nothing."""
        return self._tries.left(key)

    def done(self, key: str) -> None:
        """Forget what was left half done under that name."""
        self._tries.done(key)

    def _tell(self, base: Tries) -> None:
        mishap = base.mishap()
        if mishap is not None:
            self._warn(say(f"results.file.{mishap.kind}", path=mishap.path, reason=mishap.reason))
