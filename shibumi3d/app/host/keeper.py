"""Storage of match results, unless the user has turned it off."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from shibumi3d.i18n import _
from shibumi3d.match.database import Mishap
from shibumi3d.match.match import Match
from shibumi3d.match.results import Finished, Results, finished, finished_of, row_of
from shibumi3d.match.store import Store
from shibumi3d.search.levels import is_kind

from .pending import Later, Pending
from .problems import Problems


class Keeper:
    """Stores the results of matches in a database, if ``wanted()`` is true.

    The database is next to the saved games. ``clock()`` returns the time in seconds, and ``later(seconds, what)`` calls
    a function after a delay. ``warn`` is called with a message if results can't be saved or read.
    """

    def __init__(
        self,
        store: Callable[[], Store],
        wanted: Callable[[], bool],
        clock: Callable[[], float],
        later: Later,
        warn: Callable[[str], None],
    ) -> None:
        self._store, self._wanted, self._clock, self._later, self._warn = store, wanted, clock, later, warn
        self.problems = Problems(store, wanted, warn, self.pending)
        """Problems and the attempts at them."""
        self._begun: tuple[str, float] | None = None
        self._pending: Pending | None = None
        self._known: dict[str, tuple[Finished, ...]] = {}
        """Results last read, by game id; "" stands for all games."""

    def pending(self) -> Pending:
        """Return the queue of rows to be written to the database."""
        path = self._store().folder.parent / "results.sqlite"
        if self._pending is None or self._pending.path != path:
            self._pending, self._known = Pending(path, self._later, self._warn), {}
        return self._pending

    def begins(self, key: str) -> None:
        """Start timing the match that has this key."""
        self._begun = key, self._clock()

    def ended(self, match: Match, key: str) -> None:
        """Store the result of a finished match, replacing any earlier result with the same key.

        Matches that started from an edited position aren't stored, because they say nothing about strength.
        """
        if not (self._wanted() and key) or match.position is not None:
            return
        begun = self._begun if self._begun and self._begun[0] == key else None
        seconds = self._clock() - begun[1] if begun else None
        self.pending().put("finished", row_of(finished(match, key, seconds, datetime.now().astimezone())))

    def close(self) -> None:
        """Write all pending rows now."""
        if self._pending is not None:
            self._pending.close()

    def matches(self, game: str = "") -> tuple[Finished, ...]:
        """Return the stored matches of one game, or of all games, in the order in which they ended.

        While another program locks the database, return the matches from the last successful read, together with the
        pending rows.
        """
        pending = self.pending()
        pending.write()
        pending.read(f"matches/{game}", partial(self._read, pending.path, game))
        known = self._known.get(game) or tuple(
            each for each in self._known.get("", ()) if game in ("", each.game)
        )
        rows = {each.key: each for each in known}
        for row in pending.rows("finished").values():
            one = finished_of(row)
            if one is not None and game in ("", one.game):
                rows[one.key] = one
        return tuple(sorted(rows.values(), key=lambda each: (each.ended, each.key)))

    def _read(self, path: Path, game: str, patience: float) -> Callable[[], Mishap | None] | None:
        """Read the matches of one game, or of all games. Return None if the database is locked."""
        results = Results(path, patience)
        found = results.matches(game)
        mishap = results.mishap()
        if mishap is not None and mishap.kind == "busy":
            return None
        known = tuple(each for each in found if all(map(is_kind, each.kinds)))
        left_out = results.left_out > 0 or len(known) < len(found)

        def take() -> Mishap | None:
            self._known[game] = known
            if left_out:
                self._warn(_("Some results in {path} couldn't be read and were left out.", path=path))
            return mishap

        return take

    def forget(self, game: str = "") -> None:
        """Delete the stored results and problem attempts of one game, or of all games."""
        pending = self.pending()
        pending.drop(lambda row: row.table == "finished" and game in ("", row.values[2]))
        self._known = {}
        results = Results(pending.path, 0.0)
        results.forget(game)
        pending.say(results.mishap())
        self.problems.forget(game)
