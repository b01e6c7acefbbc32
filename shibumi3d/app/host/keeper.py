"""Keeps how matches end, if that is wanted."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from shibumi3d.match.match import Match
from shibumi3d.match.results import Finished, Results, finished
from shibumi3d.match.store import Store

from ..text import say
from .problems import Problems

MOST = 100
"""How many matches may wait to be kept."""


class Keeper:
    """Puts the matches of the window into the database beside the games kept, where that is ``wanted()``.

    ``clock()`` tells the time in seconds; ``warn`` is told what can't be kept or read.
    """

    def __init__(
        self,
        store: Callable[[], Store],
        wanted: Callable[[], bool],
        clock: Callable[[], float],
        warn: Callable[[str], None],
    ) -> None:
        self._store, self._wanted, self._clock, self._warn = store, wanted, clock, warn
        self.problems = Problems(store, wanted, warn)
        """The problems there are, and what was tried of them."""
        self._begun: tuple[str, float] | None = None
        self._waiting: list[Finished] = []
        """What could not be kept yet, because another window wrote for too long or the disk was full."""

    @property
    def _results(self) -> Results:
        return Results(self._store().folder.parent / "results.sqlite")

    def begins(self, key: str) -> None:
        """Note that the match called ``key`` begins now, so that it is known how long it takes."""
        self._begun = key, self._clock()

    def ended(self, match: Match, key: str) -> None:
        """Keep the match called ``key``, which is over, in the place of an earlier end of it.

        One that began at a position says nothing of who plays better, and is not counted.
        """
        if not (self._wanted() and key) or match.position is not None:
            return
        begun = self._begun if self._begun and self._begun[0] == key else None
        seconds = self._clock() - begun[1] if begun else None
        self._waiting.append(finished(match, key, seconds, datetime.now().astimezone()))
        self._keep()

    def _keep(self) -> None:
        """Keeps what waits to be kept."""
        results = self._results
        self._waiting = [each for each in self._waiting if not results.add(each)][-MOST:]
        self._tell(results)

    def close(self) -> None:
        """Keep now what waits to be kept."""
        if self._waiting:
            self._keep()

    def matches(self, game: str = "") -> tuple[Finished, ...]:
        """Return what was kept, of a game or of all, in the order in which the matches ended."""
        if self._waiting:
            self._keep()
        results = self._results
        found = results.matches(game)
        self._tell(results)
        return found

    def forget(self, game: str = "") -> None:
        """Forget what was kept, of a game or of all."""
        self._waiting = [each for each in self._waiting if game not in ("", each.game)]
        results = self._results
        results.forget(game)
        self._tell(results)
        self.problems.forget(game)

    def _tell(self, results: Results) -> None:
        mishap = results.mishap()
        if mishap is not None:
            self._warn(say(f"results.file.{mishap.kind}", path=mishap.path, reason=mishap.reason))
