"""The problems that there are for whoever sits here: those that came with the program and their own, and what was
tried of them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache, partial
from pathlib import Path
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
from shibumi3d.i18n import _, localize
from shibumi3d.match.daily import RatedProblem, of_date, schedule
from shibumi3d.match.database import PATIENCE, Mishap
from shibumi3d.match.store import Store
from shibumi3d.match.tries import (
    Rating,
    Tries,
    Try,
    chain,
    half_done,
    new_try,
    rating,
    row_of,
    solved,
    try_of,
)
from shibumi3d.rules.errors import GameFileError

from .pending import Pending

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
        self,
        store: Callable[[], Store],
        wanted: Callable[[], bool],
        warn: Callable[[str], None],
        pending: Callable[[], Pending] | None = None,
    ) -> None:
        """``pending()`` writes what was tried; by default that waits for another program, as a terminal can."""
        self._store, self._wanted, self._warn = store, wanted, warn
        self._pending: Callable[[], Pending] = pending or self._waiting
        self._own_pending: Pending | None = None
        self._known: tuple[object, tuple[Try, ...]] = None, ()
        """What was read last, and the file as it was then."""
        self._unread: set[str] = set()
        """What was left half done and could not be read."""
        self._own: tuple[object, dict[str, ProvedProblem]] | None = None
        self.now: Callable[[], datetime] = lambda: datetime.now().astimezone()
        """The moment by the clock on the wall."""

    def _waiting(self) -> Pending:
        """What writes and waits for other programs."""
        if self._own_pending is None:
            path = self._store().folder.parent / "results.sqlite"
            self._own_pending = Pending(path, lambda _, __: None, self._warn, PATIENCE)
        return self._own_pending

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
                self._warn(_("Couldn't read your saved problems: {problem}", problem=localize(problem)))
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
            self._warn(_("Couldn't save the problem: {problem}.", problem=reason))
            return ""
        return f"{mine.game}{_OWN}{number}"

    def find(self, name: str) -> ProvedProblem | None:
        """Return the problem of that name; None where there is none any more."""
        game, _unused, number = name.partition("#")
        if _OWN in name:
            found = self.own().get(name)
            return found if found is not None and _holds(found) else None
        try:
            return next((each for each in problems(game) if str(each.id) == number), None)
        except GameFileError as problem:
            self._warn(_("{text}.", text=localize(problem)))
            return None

    # What was tried

    def tries(self) -> tuple[Try, ...]:
        """Return every try kept, in the order in which they ended."""
        pending = self._pending()
        pending.write()
        if self._known[0] != _stamp(pending.path):
            pending.read("tries", partial(self._load, pending.path))
        rows = {one.key: one for one in self._known[1]}
        for row in pending.rows("tries").values():
            if (one := try_of(row)) is not None:
                rows[one.key] = one
        return tuple(rows.values())

    def _load(self, path: Path, patience: float) -> Callable[[], Mishap | None] | None:
        """Read every try; None where the database is locked."""
        stamp, base = _stamp(path), Tries(path, patience)
        found = base.all()
        mishap = base.mishap()
        if mishap is not None and mishap.kind == "busy":
            return None

        def take() -> Mishap | None:
            self._known = stamp, found
            if base.left_out:
                self._warn(_("Some results in {path} couldn't be read and were left out.", path=path))
            return mishap

        return take

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
            one = new_try(name, rated or UNRATED, mode, came, tries, seconds, day=day, now=self.now())
            self._pending().put("tries", row_of(one))

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
        pending = self._pending()
        pending.drop(lambda row: row.table == "tries" and game in ("", row.values[4]))
        self._known = None, ()
        base = Tries(pending.path, pending.patience)
        base.forget(game)
        pending.say(base.mishap())

    def leave(self, key: str, state: Mapping[str, Any]) -> None:
        """Keep what is half done under the name ``key``, unless what was left before could not be read."""
        if key not in self._unread:
            self._pending().put("under_way", (key, json.dumps(state)))

    def left(self, key: str) -> dict[str, Any]:
        """Return what was left half done under that name; empty for nothing."""
        pending = self._pending()
        pending.write()
        waits = pending.rows("under_way").get(key)
        if waits is not None:
            return half_done(waits[1]) if len(waits) > 1 else {}
        base = Tries(pending.path, pending.patience)
        found = base.left(key)
        mishap = base.mishap()
        (self._unread.add if mishap is not None and mishap.kind == "busy" else self._unread.discard)(key)
        pending.say(mishap)
        return found

    def done(self, key: str) -> None:
        """Forget what was left half done under that name."""
        self._unread.discard(key)
        self._pending().done(key)

    def close(self) -> None:
        """Write now what waits to be written."""
        self._pending().close()


def _stamp(path: Path) -> object:
    """What tells whether a file is another than before."""
    try:
        about = path.stat()
    except OSError:
        return path
    return path, about.st_size, about.st_mtime_ns
