"""Storage of the results of finished matches, and the facts about their games needed to describe them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import _, language
from shibumi3d.match.database import DatabaseProblem
from shibumi3d.match.match import Match
from shibumi3d.match.results import FinishedMatch, ResultStore, from_row, summarize_finished, to_row
from shibumi3d.match.store import MatchStore
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.game import Facts
from shibumi3d.rules.wording import format_score
from shibumi3d.search.levels import is_player_type

from .problems import ProblemLibrary
from .services import Scheduler
from .solo import SoloLibrary
from .write_queue import WriteQueue, describe_database_problem


class ResultsService:
    """Service that stores the results of matches in a database, as long as ``is_enabled()`` returns true.

    The database is next to the folder of the store that ``get_store()`` returns. ``clock()`` returns the time in
    seconds, and ``schedule(seconds, callback)`` calls a function after a delay. ``show_warning`` is called with a
    message if results can't be saved or read.
    """

    def __init__(
        self,
        get_store: Callable[[], MatchStore],
        is_enabled: Callable[[], bool],
        clock: Callable[[], float],
        schedule: Scheduler,
        show_warning: Callable[[str], None],
    ) -> None:
        self._get_store, self._is_enabled, self._clock, self._schedule, self._show_warning = (
            get_store,
            is_enabled,
            clock,
            schedule,
            show_warning,
        )
        self.problems = ProblemLibrary(get_store, is_enabled, show_warning, self.write_queue)
        """Problems and the attempts at them."""
        self.solo = SoloLibrary(self.problems)
        """Ladders of the solo games, and the attempts at their deals."""
        self._timed_match: tuple[str, float] | None = None
        self._write_queue: WriteQueue | None = None
        self._cached_matches: dict[str, tuple[FinishedMatch, ...]] = {}
        """Results from the last successful read, by game ID; the key "" stands for all games."""

    def write_queue(self) -> WriteQueue:
        """Return the queue of rows to be written to the results database.

        If the path of the database has changed since the last call, this creates a new queue and clears the cached
        results.
        """
        path = self._get_store().folder.parent / "results.sqlite"
        if self._write_queue is None or self._write_queue.path != path:
            self._write_queue, self._cached_matches = WriteQueue(path, self._schedule, self._show_warning), {}
        return self._write_queue

    def start_timing(self, key: str) -> None:
        """Start timing the match identified by ``key``, in place of any match timed before."""
        self._timed_match = key, self._clock()

    def record_result(self, match: Match, key: str) -> None:
        """Store the result of a finished match, replacing any earlier result with the same key.

        Matches that began with an edited position, or with a deal that begins in the middle of a game, aren't stored,
        because they say nothing about the players' strength. A match with a deal from a ladder is recorded as an
        attempt at that deal, even if the deal begins in the middle of a game. Does nothing if storing is turned off or
        ``key`` is empty.
        """
        if not (self._is_enabled() and key):
            return
        timing = self._timed_match if self._timed_match and self._timed_match[0] == key else None
        seconds = self._clock() - timing[1] if timing else None
        deal = self.solo.record_match(match, key, seconds)
        if match.position is not None or (deal is not None and deal.lead):
            return
        self.write_queue().add_row(
            "finished", to_row(summarize_finished(match, key, seconds, datetime.now().astimezone()))
        )

    def flush(self) -> None:
        """Write all pending rows to the database now.

        Rows that can't be written are saved in a file and loaded at the next start.
        """
        if self._write_queue is not None:
            self._write_queue.flush()

    def matches(self, game_id: str = "") -> tuple[FinishedMatch, ...]:
        """Return the stored matches of a game, or of all games if ``game_id`` is empty, sorted by end time.

        Matches that still have to be written to the database are included. While another program has locked the
        database, the matches already stored there come from the last successful read.
        """
        pending = self.write_queue()
        pending.write()
        pending.read(f"matches/{game_id}", partial(self._read_matches, pending.path, game_id))
        known = self._cached_matches.get(game_id) or tuple(
            each for each in self._cached_matches.get("", ()) if game_id in ("", each.game)
        )
        rows = {each.key: each for each in known}
        for row in pending.rows_of("finished").values():
            match = from_row(row)
            if match is not None and game_id in ("", match.game):
                rows[match.key] = match
        return tuple(sorted(rows.values(), key=lambda each: (each.ended_at, each.key)))

    def _read_matches(
        self, path: Path, game: str, timeout_seconds: float
    ) -> Callable[[], DatabaseProblem | None] | None:
        """Read the matches of ``game``, or of all games if ``game`` is empty.

        Returns None if the database is locked. Otherwise, returns a function that caches the matches, shows a warning
        if some were left out, and returns any error.
        """
        results = ResultStore(path, timeout_seconds)
        matches = results.load(game)
        mishap = results.take_problem()
        if mishap is not None and mishap.kind == "busy":
            return None
        known = tuple(match for match in matches if all(map(is_player_type, match.player_types)))
        left_out = results.skipped_rows > 0 or len(known) < len(matches)

        def take() -> DatabaseProblem | None:
            self._cached_matches[game] = known
            if left_out:
                self._show_warning(_("Some results in {path} couldn't be read and were left out.", path=path))
            return mishap

        return take

    def delete_results(self) -> str:
        """Delete all stored results, all attempts at problems and deals, and all best runs.

        Returns a message that says why nothing was deleted, or an empty string on success. If the database was damaged,
        shows a warning and returns an empty string.
        """
        pending = self.write_queue()
        results = ResultStore(pending.path, 0.0)
        if not results.delete_all():
            problem = results.take_problem()
            if problem is not None and problem.kind == "busy":
                return _(
                    "Another program is using {path}, so nothing was deleted. Try again later.",
                    path=problem.path,
                )
            if problem is not None and problem.kind != "damaged":
                return describe_database_problem(problem)
            pending.report(problem)
        pending.discard(lambda row: row.table == "finished")
        self._cached_matches = {}
        self.problems.delete_attempts()
        self.solo.delete_runs()
        return ""


class ScoreRules:
    """Cache of game facts, for describing finished matches.

    The facts include the unit of a solo game's score and the reasons why all players can lose together.
    """

    def __init__(self) -> None:
        self._facts_by_game: dict[tuple[str, int], Facts | None] = {}

    def score_unit(self, entry: Entry | None) -> str:
        """Return the unit of a solo game's score.

        Returns an empty string if the game is unknown or invalid, or isn't played alone for a score.
        """
        facts = self._facts(entry, 1) if entry is not None and entry.players[0] == 1 else None
        return facts.score_unit if facts is not None else ""

    def format_solo_score(self, entry: Entry | None, scores: Sequence[int]) -> str:
        """Return the score of a solo match with its unit.

        The score is the first of ``scores``. Returns an empty string if ``scores`` is empty, or if the game is unknown,
        invalid or not played alone for a score.
        """
        unit = self.score_unit(entry) if scores else ""
        return format_score(scores[0], unit, language()) if unit else ""

    def is_common_loss(
        self, entry: Entry | None, winners: Sequence[object], seats: int, reason: str | None = None
    ) -> bool:
        """Return whether all seats lost a match together.

        ``reason`` says why the match ended. If it is None, return whether all seats can lose together in this game. If
        ``winners`` isn't empty, ``seats`` is 1, or the game is unknown or invalid, return False.
        """
        facts = self._facts(entry, seats) if entry is not None and seats > 1 and not winners else None
        return facts is not None and (
            bool(facts.common_loss_reasons) if reason is None else reason in facts.common_loss_reasons
        )

    def numbered_reasons(self, entry: Entry | None, seats: int) -> tuple[str, ...]:
        """Return the English templates of the reasons why a match of the game can end.

        Only reasons that contain numbers are included. Returns an empty tuple if the game is unknown or invalid.
        """
        facts = self._facts(entry, seats) if entry is not None else None
        return facts.numbered_reasons if facts is not None else ()

    def _facts(self, entry: Entry, seats: int) -> Facts | None:
        key = entry.id, seats
        if key not in self._facts_by_game:
            try:
                self._facts_by_game[key] = entry.game().facts(seats)
            except (CatalogueError, GameFileError, ValueError):
                self._facts_by_game[key] = None
        return self._facts_by_game[key]
