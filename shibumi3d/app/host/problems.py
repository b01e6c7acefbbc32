"""The problems available to the user, both built-in and their own, and the attempts at them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from functools import cache, partial
from pathlib import Path

from shibumi3d import files
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.notation import format_position
from shibumi3d.catalogue.problems import (
    ProvedProblem,
    games_with_problems,
    load_problems,
    load_ratings,
    parse_problem_file,
    rules_hash,
)
from shibumi3d.catalogue.schema import CatalogueError
from shibumi3d.i18n import FileError, LocalizedError, _, localize, ngettext
from shibumi3d.match.attempts import (
    FAILED,
    HINTED,
    SOLVED,
    Attempt,
    AttemptStore,
    Rating,
    compute_rating,
    daily_streak,
    decode_progress,
    from_row,
    new_attempt,
    solved_problems,
    to_row,
    without_oldest,
)
from shibumi3d.match.daily import RatedProblem, make_cycle, problems_of_date
from shibumi3d.match.database import LOCK_SECONDS, DatabaseProblem
from shibumi3d.match.problem_session import ProblemSession
from shibumi3d.match.sharing import ProblemResult
from shibumi3d.match.store import MatchStore
from shibumi3d.rules.errors import GameFileError, IllegalMove, RuleFailure
from shibumi3d.rules.registry import DEFAULT_KIND

from .write_queue import WriteQueue

OWN_PROBLEMS_FILE = "own.yaml"
MAX_OWN_PROBLEMS_BYTES = 1024 * 1024
"""Maximum size of the file of the user's own problems, in bytes."""
_OWN_SEPARATOR = "#own"
"""Separator between game and number in the names of the user's own problems, e.g. ``spline#own3``."""
CHALLENGES_KEY = "problem challenges"
"""Key under which the results of players who sent problems to the user are saved, by problem name."""
DEFAULT_RATING = 1500
"""Rating used for problems that have none."""


@cache
def builtin_problems() -> tuple[RatedProblem, ...]:
    """Return the game, number and rating of every built-in problem."""
    return tuple(
        RatedProblem(game, number, rated or DEFAULT_RATING)
        for game in games_with_problems()
        for number, rated in load_ratings(game)
    )


@cache
def daily_schedule() -> tuple[tuple[RatedProblem, ...], ...]:
    """Return the daily problems for each day of a repeating cycle.

    The result is empty if there are too few problems.
    """
    return make_cycle(builtin_problems())


def problems_of_game(game_id: str) -> tuple[RatedProblem, ...]:
    """Return the built-in problems of a game, from easy to hard."""
    problems = (
        RatedProblem(game_id, number, rated or DEFAULT_RATING) for number, rated in load_ratings(game_id)
    )
    return tuple(sorted(problems, key=lambda head: (head.rating, head.id)))


class ReceivedProblemError(LocalizedError, ValueError):
    """Raised when a received problem can't be played with this program's built-in games.

    The message says why; it begins in lower case and has no full stop.
    """


def _check_received(problem: ProvedProblem) -> None:
    """Raise :class:`ReceivedProblemError` if a received problem can't be played with this program's built-in games."""
    entry = load_catalogue().find(problem.game)
    if entry is None or entry.kind != DEFAULT_KIND:
        raise ReceivedProblemError("it belongs to a game that isn't built in")
    if problem.rules != rules_hash(entry):
        raise ReceivedProblemError(
            "it was made for a different version of the rules of {game}", game=entry.title
        )
    try:
        ProblemSession(problem, entry.game(variant=problem.variant))
    except (CatalogueError, GameFileError, IllegalMove, RuleFailure, ValueError):
        raise ReceivedProblemError("its moves can't be played") from None


def _builtin_name(problem: ProvedProblem) -> str:
    """Return the name of the built-in problem that is identical to ``problem``, or "" if there is none."""
    key = _task_key(problem)
    built_in = (each for each in load_problems(problem.game) if _task_key(each) == key)
    return next((f"{problem.game}#{each.id}" for each in built_in), "")


def _task_key(problem: ProvedProblem) -> tuple[object, ...]:
    """Return a key that is equal for identical problems."""
    position = format_position(problem.position) if problem.position is not None else ""
    return problem.game, problem.variant, problem.kind, problem.seed, problem.moves, position


def _has_current_rules(problem: ProvedProblem) -> bool:
    """Return whether the game still has the rules under which the problem was proved."""
    entry = load_catalogue().find(problem.game)
    return entry is not None and problem.rules == rules_hash(entry)


class ProblemLibrary:
    """The built-in problems, the user's own problems, and the attempts at both.

    ``is_storing_enabled()`` returns whether attempts are stored. ``show_warning`` is called with a message if something
    can't be read or saved.
    """

    def __init__(
        self,
        get_store: Callable[[], MatchStore],
        is_storing_enabled: Callable[[], bool],
        show_warning: Callable[[str], None],
        get_write_queue: Callable[[], WriteQueue] | None = None,
    ) -> None:
        """Initialize the library.

        ``get_write_queue()`` returns the queue to which attempts and progress are written. The default queue, meant for
        use in a terminal, waits if another program has locked the database.
        """
        self._get_store, self._is_storing_enabled, self._show_warning = (
            get_store,
            is_storing_enabled,
            show_warning,
        )
        self._get_write_queue: Callable[[], WriteQueue] = get_write_queue or self._get_blocking_queue
        self._blocking_queue: WriteQueue | None = None
        self._cached_attempts: tuple[object, tuple[Attempt, ...]] = None, ()
        """Stamp of the file when it was last read, and the attempts read then."""
        self._unreadable_keys: set[str] = set()
        """Keys of saved progress that couldn't be read."""
        self._cached_own_problems: tuple[object, dict[str, ProvedProblem]] | None = None
        self.now: Callable[[], datetime] = lambda: datetime.now().astimezone()
        """Returns the current local time; tests replace it."""

    def _get_blocking_queue(self) -> WriteQueue:
        if self._blocking_queue is None:
            path = self._get_store().folder.parent / "results.sqlite"
            self._blocking_queue = WriteQueue(path, lambda _, __: None, self._show_warning, LOCK_SECONDS)
        return self._blocking_queue

    @property
    def stores_attempts(self) -> bool:
        """Whether attempts are stored, and therefore counted and rated."""
        return self._is_storing_enabled()

    def today(self) -> date:
        """Return the current local date."""
        return self.now().date()

    def daily_names(self, day: date) -> tuple[str, ...]:
        """Return the names of the daily problems for ``day``, in the order easy, medium, hard.

        The result is empty if there are too few problems.
        """
        return tuple(head.name for head in problems_of_date(daily_schedule(), day))

    # Problems

    def own_problems(self) -> Mapping[str, ProvedProblem]:
        """Return the user's own problems by name.

        The mapping is empty if their file is missing or can't be read. In the latter case, the user is warned.
        """
        path = self._get_store().folder.parent / "problems" / OWN_PROBLEMS_FILE
        try:
            about = path.stat()
        except OSError:
            return {}
        stamp = path, about.st_size, about.st_mtime_ns
        if self._cached_own_problems is None or self._cached_own_problems[0] != stamp:
            problems: tuple[ProvedProblem, ...] = ()
            try:
                problems = parse_problem_file(files.read(path, MAX_OWN_PROBLEMS_BYTES), str(path))
            except (OSError, GameFileError) as problem:
                self._show_warning(_("Couldn't read your saved problems: {problem}.", problem=problem))
            self._cached_own_problems = (
                stamp,
                {f"{each.game}{_OWN_SEPARATOR}{each.id}": each for each in problems},
            )
        return self._cached_own_problems[1]

    def save_own(self, problem: ProvedProblem) -> str:
        """Save a problem as one of the user's own, replacing any identical problem.

        Returns the name of the problem, or an empty string if it can't be saved. The problem's ``rules`` must be
        the hash of the rules under which it was proved; its ``id`` is ignored.
        """
        return next(iter(self._save_all_own([problem])), "")

    def _save_all_own(self, problems: Sequence[ProvedProblem]) -> list[str]:
        """Save several problems as :meth:`save_own` does; return their names, or an empty list if saving fails."""
        path = self._get_store().folder.parent / "problems" / OWN_PROBLEMS_FILE
        own_problems = self.own_problems()
        if os.path.exists(path) and not own_problems:
            return []  # The file is unreadable, which has been reported. Keep it, so that the user can repair it.
        rows = {own_problem.id: own_problem for own_problem in own_problems.values()}
        known = {_task_key(own_problem): number for number, own_problem in rows.items()}
        names = []
        for problem in problems:
            number = known.setdefault(_task_key(problem), max(rows, default=0) + 1)
            rows[number] = replace(problem, id=number)
            names.append(f"{problem.game}{_OWN_SEPARATOR}{number}")
        text = "".join(f"  - {rows[number].to_row(include_game=True)}\n" for number in sorted(rows))
        content = f"problems:\n{text}"
        try:
            if len(content.encode()) > MAX_OWN_PROBLEMS_BYTES:
                raise FileError("the file would be too large")
            files.make_folder(path.parent)
            files.write(path, content)
        except OSError as reason:
            self._show_warning(
                ngettext(
                    "Couldn't save the problem: {problem}.",
                    "Couldn't save the problems: {problem}.",
                    len(problems),
                    problem=reason,
                )
            )
            return []
        return names

    def add_received(self, problems: Sequence[ProvedProblem]) -> list[str]:
        """Save problems from a file or another player as the user's own, and return their names.

        Problems that are built in keep their names and aren't saved again. If the others can't be saved, their names
        are left out. Raises :class:`ReceivedProblemError` if one of the problems can't be played here.
        """
        names: dict[int, str] = {}
        for index, problem in enumerate(problems):
            _check_received(problem)
            if name := _builtin_name(problem):
                names[index] = name
        new = [index for index in range(len(problems)) if index not in names]
        if new:
            saved = self._save_all_own([problems[index] for index in new])
            names |= zip(new, saved, strict=False)
        return [names[index] for index in sorted(names)]

    def save_challenge(self, name: str, result: ProblemResult) -> None:
        """Save the result of the player who sent the problem ``name``, replacing any earlier result for it.

        If there are too many results, the oldest are deleted.
        """
        saved = self.load_progress(CHALLENGES_KEY)
        saved.pop(name, None)
        self.save_progress(CHALLENGES_KEY, without_oldest({**saved, name: result.to_json()}))

    def challenge_result(self, name: str) -> ProblemResult | None:
        """Return the saved result of the player who sent the problem ``name``, or None if there is none."""
        return ProblemResult.from_json(self.load_progress(CHALLENGES_KEY).get(name))

    def find(self, name: str) -> ProvedProblem | None:
        """Return the problem with this name, or None if there is none.

        The user's own problems are found only if their game still has the rules under which they were proved. If the
        file with a game's built-in problems is invalid, the user is warned and the result is None.
        """
        game, _unused, number = name.partition("#")
        if _OWN_SEPARATOR in name:
            problem = self.own_problems().get(name)
            return problem if problem is not None and _has_current_rules(problem) else None
        try:
            return next((candidate for candidate in load_problems(game) if str(candidate.id) == number), None)
        except GameFileError as problem:
            self._show_warning(_("{text}.", text=localize(problem)))
            return None

    # Attempts

    def attempts(self) -> tuple[Attempt, ...]:
        """Return the saved attempts and those still to be saved, in the order in which they ended."""
        pending = self._get_write_queue()
        pending.write()
        if self._cached_attempts[0] != _file_stamp(pending.path):
            pending.read("tries", partial(self._read_attempts, pending.path))
        rows = {attempt.key: attempt for attempt in self._cached_attempts[1]}
        for row in pending.rows_of("tries").values():
            if (attempt := from_row(row)) is not None:
                rows[attempt.key] = attempt
        return tuple(rows.values())

    def _read_attempts(
        self, path: Path, timeout_seconds: float
    ) -> Callable[[], DatabaseProblem | None] | None:
        """Read all attempts and return a function that caches them, or None if the database is locked.

        The returned function warns the user if some attempts couldn't be read. It returns the error that occurred while
        loading, or None.
        """
        stamp, base = _file_stamp(path), AttemptStore(path, timeout_seconds)
        attempts = base.load()
        mishap = base.take_problem()
        if mishap is not None and mishap.kind == "busy":
            return None

        def take() -> DatabaseProblem | None:
            self._cached_attempts = stamp, attempts
            if base.skipped_rows:
                self._show_warning(_("Some results in {path} couldn't be read and were left out.", path=path))
            return mishap

        return take

    def add_attempt(
        self,
        name: str,
        rating: int,
        mode: str,
        outcome: str,
        try_count: int,
        seconds: float,
        day: date | None = None,
    ) -> None:
        """Store an attempt that ends now, unless storing is turned off.

        ``name`` and ``rating`` are those of the problem; a rating of 0 stands for :data:`DEFAULT_RATING`. ``day`` is
        the date to which a daily problem belongs, or None for other problems.
        """
        if self.stores_attempts:
            attempt = new_attempt(
                name, rating or DEFAULT_RATING, mode, outcome, try_count, seconds, day=day, now=self.now()
            )
            self.replace_attempt(attempt)

    def replace_attempt(self, attempt: Attempt) -> None:
        """Store an attempt in place of any earlier one with the same key, unless storing is turned off."""
        if self.stores_attempts:
            self._get_write_queue().add_row("tries", to_row(attempt))

    def solved(self, game_id: str) -> frozenset[str]:
        """Return the names of a game's problems that have been solved without a mistake.

        Attempts in which the user only decides whether there is a win don't count.
        """
        return solved_problems(self.attempts(), game_id)

    def count_solved(self, game_id: str) -> int:
        """Return the number of built-in problems of a game that have been solved without a mistake."""
        solved_names = self.solved(game_id)
        return sum(head.name in solved_names for head in problems_of_game(game_id))

    def daily_streak(self) -> int:
        """Return the length of the current daily streak, in days."""
        return daily_streak(self.attempts(), self.today())

    def rating(self, game: str = "") -> Rating | None:
        """Return the user's rating in ``game`` or, by default, in all games.

        The result is None if too few problems count towards the rating, or if attempts aren't stored.
        """
        return compute_rating(self.attempts(), game) if self.stores_attempts else None

    def delete_attempts(self) -> None:
        """Delete all attempts at problems and deals."""
        pending = self._get_write_queue()
        pending.discard(lambda row: row.table == "tries")
        self._cached_attempts = None, ()
        base = AttemptStore(pending.path, pending.timeout_seconds)
        base.delete_all()
        pending.report(base.take_problem())

    def save_progress(self, key: str, state: Mapping[str, object]) -> None:
        """Save progress under ``key``.

        Does nothing if the progress already saved there couldn't be read, unless it was damaged and has been set aside.
        """
        if key not in self._unreadable_keys:
            self._get_write_queue().add_row("under_way", (key, json.dumps(state)))

    def load_progress(self, key: str) -> dict[str, object]:
        """Return the progress saved under ``key``.

        The result is empty if nothing is saved there, or if the saved progress can't be read. A failure to read it is
        reported to the user.
        """
        pending = self._get_write_queue()
        pending.write()
        waits = pending.rows_of("under_way").get(key)
        if waits is not None:
            return decode_progress(waits[1]) if len(waits) > 1 else {}
        base = AttemptStore(pending.path, pending.timeout_seconds)
        progress = base.load_progress(key)
        mishap = base.take_problem()
        if mishap is None or mishap.kind in ("damaged", "progress"):  # damaged progress has been set aside
            self._unreadable_keys.discard(key)
        else:
            self._unreadable_keys.add(key)
        pending.report(mishap)
        return progress

    def delete_progress(self, key: str) -> None:
        """Delete the progress saved under ``key``."""
        self._unreadable_keys.discard(key)
        self._get_write_queue().delete_progress(key)

    def flush(self) -> None:
        """Write all pending data to the database now."""
        self._get_write_queue().flush()


def _file_stamp(path: Path) -> object:
    """Return a value that changes whenever the file is modified."""
    try:
        about = path.stat()
    except OSError:
        return path
    return path, about.st_size, about.st_mtime_ns


def describe_problem_challenge(result: ProblemResult) -> str:
    """Return a text that challenges the user to solve a problem that another player has sent.

    ``result`` is that player's result.
    """
    if result.outcome == SOLVED:
        return _("{name} solved this problem on the first try. Can you?", name=result.name)
    if result.outcome == HINTED:
        return _("{name} solved this problem with hints. Can you solve it without?", name=result.name)
    if result.outcome == FAILED:
        return _("{name} solved this problem, but not on the first try. Can you do better?", name=result.name)
    return _("{name} challenges you: can you solve this problem?", name=result.name)
