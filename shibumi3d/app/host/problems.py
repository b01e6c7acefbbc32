"""The problems available to the user, both built-in and their own, and the attempts at them."""

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
"""Maximum size of the file of the user's own problems, in bytes."""
_OWN = "#own"
"""Separator between game and number in the names of the user's own problems, e.g. ``spline#own3``."""
UNRATED = 1500
"""Rating used for problems that have none."""


@cache
def heads() -> tuple[RatedProblem, ...]:
    """Return the game, number and rating of every built-in problem."""
    return tuple(
        RatedProblem(game, number, rated or UNRATED)
        for game in games_with_problems()
        for number, rated in ratings(game)
    )


@cache
def days() -> tuple[tuple[RatedProblem, ...], ...]:
    """Return the daily problems for each day of the cycle."""
    return schedule(heads())


def of_game(game: str) -> tuple[RatedProblem, ...]:
    """Return the built-in problems of a game, from easy to hard."""
    found = (RatedProblem(game, number, rated or UNRATED) for number, rated in ratings(game))
    return tuple(sorted(found, key=lambda head: (head.rating, head.id)))


def _holds(problem: ProvedProblem) -> bool:
    """Return whether the game still has the rules under which the problem was proved."""
    entry = load().find(problem.game)
    return entry is not None and problem.rules == rules_hash(entry)


class Problems:
    """The built-in problems, the user's own problems, and the attempts at both.

    ``wanted()`` returns whether attempts are stored. ``warn`` is called with a message if something can't be read or
    saved.
    """

    def __init__(
        self,
        store: Callable[[], Store],
        wanted: Callable[[], bool],
        warn: Callable[[str], None],
        pending: Callable[[], Pending] | None = None,
    ) -> None:
        """Initialize with ``pending()``, which returns the queue for writing attempts.

        The default queue waits while other programs lock the database, which is suitable for use in a terminal.
        """
        self._store, self._wanted, self._warn = store, wanted, warn
        self._pending: Callable[[], Pending] = pending or self._waiting
        self._own_pending: Pending | None = None
        self._known: tuple[object, tuple[Try, ...]] = None, ()
        """Stamp of the file when it was last read, and the attempts read then."""
        self._unread: set[str] = set()
        """Keys of saved progress that couldn't be read."""
        self._own: tuple[object, dict[str, ProvedProblem]] | None = None
        self.now: Callable[[], datetime] = lambda: datetime.now().astimezone()
        """Returns the current local time; tests replace it."""

    def _waiting(self) -> Pending:
        """Return a queue that waits for other programs."""
        if self._own_pending is None:
            path = self._store().folder.parent / "results.sqlite"
            self._own_pending = Pending(path, lambda _, __: None, self._warn, PATIENCE)
        return self._own_pending

    @property
    def kept(self) -> bool:
        """Whether attempts are stored, and therefore counted and rated."""
        return self._wanted()

    def today(self) -> date:
        """Return the current local date."""
        return self.now().date()

    def daily(self, day: date) -> tuple[str, ...]:
        """Return the names of the daily problems for ``day``: easy, medium and hard.

        The result is empty if there are too few problems.
        """
        return tuple(head.name for head in of_date(days(), day))

    # Problems

    def own(self) -> Mapping[str, ProvedProblem]:
        """Return the user's own problems by name.

        If their file can't be read, warn and return an empty mapping.
        """
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
        """Save a problem as one of the user's own, replacing any identical problem.

        Returns the name of the problem, or an empty string if it can't be saved. ``rules`` must identify the rules
        under which the problem was proved; ``id`` is replaced by a new number.
        """
        path = self._store().folder.parent / "problems" / OWN
        own = self.own()
        if os.path.exists(path) and not own:
            return ""  # The file is unreadable, which has been reported. Keep it, so that the user can repair it.
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
        """Return the problem with this name, or None if it doesn't exist or its rules have changed."""
        game, _unused, number = name.partition("#")
        if _OWN in name:
            found = self.own().get(name)
            return found if found is not None and _holds(found) else None
        try:
            return next((each for each in problems(game) if str(each.id) == number), None)
        except GameFileError as problem:
            self._warn(_("{text}.", text=localize(problem)))
            return None

    # Attempts

    def tries(self) -> tuple[Try, ...]:
        """Return all stored attempts, in the order in which they ended."""
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
        """Read all attempts. Return None if the database is locked."""
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
        """Store an attempt that ends now, unless the user has turned that off."""
        if self.kept:
            one = new_try(name, rated or UNRATED, mode, came, tries, seconds, day=day, now=self.now())
            self._pending().put("tries", row_of(one))

    def solved(self, game: str) -> int:
        """Return how many built-in problems of a game have been solved without a mistake."""
        found = solved(self.tries(), game)
        return sum(head.name in found for head in of_game(game))

    def chain(self) -> int:
        """Return the length of the current daily streak, in days."""
        return chain(self.tries(), self.today())

    def rating(self, game: str = "") -> Rating | None:
        """Return the user's rating for one game, or for all games; None if it isn't known."""
        return rating(self.tries(), game) if self.kept else None

    def forget(self, game: str = "") -> None:
        """Delete the attempts at problems of one game, or of all games."""
        pending = self._pending()
        pending.drop(lambda row: row.table == "tries" and game in ("", row.values[4]))
        self._known = None, ()
        base = Tries(pending.path, pending.patience)
        base.forget(game)
        pending.say(base.mishap())

    def leave(self, key: str, state: Mapping[str, Any]) -> None:
        """Save progress under ``key``.

        Does nothing if progress that was saved there earlier couldn't be read.
        """
        if key not in self._unread:
            self._pending().put("under_way", (key, json.dumps(state)))

    def left(self, key: str) -> dict[str, Any]:
        """Return the progress saved under ``key``; empty if there is none."""
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
        """Delete the progress saved under ``key``."""
        self._unread.discard(key)
        self._pending().done(key)

    def close(self) -> None:
        """Write all pending rows now."""
        self._pending().close()


def _stamp(path: Path) -> object:
    """Return a value that changes whenever the file is modified."""
    try:
        about = path.stat()
    except OSError:
        return path
    return path, about.st_size, about.st_mtime_ns
