"""Attempts at problems (one database row each), statistics about them, and saved progress."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from shibumi3d.match.database import (
    ATTEMPT_COLUMNS,
    PROGRESS_COLUMNS,
    Database,
    DatabaseProblem,
    is_valid_count,
)

SOLVED, HINTED, FAILED, SHOWN = "solved", "hinted", "failed", "shown"
"""Outcomes of an attempt.

``SOLVED``: solved without mistakes or hints. ``HINTED``: solved with hints, but without mistakes. ``FAILED``: solved
after a mistake, or not solved. ``SHOWN``: the solution was shown.
"""
OUTCOMES = (SOLVED, HINTED, FAILED, SHOWN)
DAILY, GAME, GUESS, STREAK, SOLO = "daily", "game", "doubt", "streak", "solo"
"""Modes: daily problems, the problems of a game, deciding whether there is a win, streaks, and deals of solo games."""
MODES = (DAILY, GAME, GUESS, STREAK, SOLO)
STREAK_MAX_MISSES = 3
"""Number of misses after which a streak ends."""
MIN_RATED_PROBLEMS = 10
"""Number of problems that must be tried before there is a rating."""
_POINTS = {SOLVED: 1.0, HINTED: 0.5, FAILED: 0.0, SHOWN: 0.0}
_INITIAL_RATING, _INITIAL_DEVIATION = 1500.0, 350.0
"""Initial rating of a player and its standard deviation."""
_RATING_BETA, _RATING_TAU = 400 / math.log(10) / math.sqrt(2), 5.0
"""Parameters of the rating model.

The first scales ratings so that a difference of 400 points means odds of 10 to 1. The second is how much the player's
strength may change between attempts, as a standard deviation.
"""
_PROBLEM_DEVIATION = 100.0
"""Standard deviation assumed for the rating of a problem."""
MAX_ROWS = 100_000
"""Maximum number of attempts that are read; older ones are ignored."""
MAX_TEXT_LENGTH = 200
"""Maximum length of a text in a row, in characters."""
MAX_PROGRESS_LENGTH = 1 << 16
"""Maximum length of saved progress, in characters."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A finished attempt at a problem.

    ``key`` identifies the attempt. ``problem`` names the problem by its game and number, such as ``spline#12``, and
    ``rating`` is the rating of the problem. ``mode`` is one of :data:`MODES`, and ``outcome`` one of :data:`OUTCOMES`.
    ``local_date`` is the local date on which the attempt ended. ``daily_date`` is the date to which a daily problem
    belongs, or None for other problems. ``turns_tried`` is the number of turns tried, and ``seconds`` the time spent.
    """

    key: str
    ended_at: datetime
    local_date: date
    problem: str
    game: str
    rating: int
    mode: str
    daily_date: date | None
    outcome: str
    turns_tried: int
    seconds: float

    @property
    def is_solved(self) -> bool:
        """Whether the problem was solved without a mistake."""
        return self.outcome in (SOLVED, HINTED)


class Rating(NamedTuple):
    """A rating of a player's strength at solving problems.

    The 95% interval is ``value`` ± ``margin``.
    """

    value: int
    margin: int


def new_attempt(
    problem: str,
    rating: int,
    mode: str,
    outcome: str,
    turns_tried: int,
    seconds: float,
    *,
    day: date | None = None,
    now: datetime | None = None,
) -> Attempt:
    """Return an attempt that ended at ``now``, by default the current time.

    ``day`` is the date to which a daily problem belongs, or None for other problems.
    """
    now = now or datetime.now().astimezone()
    game = problem.partition("#")[0]
    return Attempt(
        uuid4().hex, now, now.date(), problem, game, rating, mode, day, outcome, turns_tried, seconds
    )


class AttemptStore(Database):
    """Attempts and saved progress in the database."""

    skipped_rows = 0
    """Number of invalid rows that the last call of :meth:`load` skipped."""

    def add(self, attempt: Attempt) -> bool:
        """Store an attempt, replacing one with the same key; return whether that succeeded."""
        return self.replace_row("tries", ATTEMPT_COLUMNS, to_row(attempt))

    def load(self) -> tuple[Attempt, ...]:
        """Return the valid attempts among the latest :data:`MAX_ROWS`, in the order in which they ended.

        Also set :attr:`skipped_rows` to the number of invalid rows.
        """
        rows = self.query(
            f"SELECT {', '.join(ATTEMPT_COLUMNS)} FROM tries ORDER BY ended DESC, key DESC LIMIT {MAX_ROWS}"
        )
        found = [attempt for row in rows if (attempt := from_row(row)) is not None]
        self.skipped_rows = len(rows) - len(found)
        return tuple(sorted(found, key=lambda attempt: (attempt.ended_at, attempt.key)))

    def delete_all(self) -> bool:
        """Permanently delete all attempts; return whether that succeeded."""
        return self.execute_delete("DELETE FROM tries")

    def save_progress(self, mode: str, progress: Mapping[str, object]) -> bool:
        """Save progress for ``mode`` in place of any earlier progress; return whether that succeeded."""
        return self.replace_row("under_way", PROGRESS_COLUMNS, (mode, json.dumps(progress)))

    def load_progress(self, mode: str) -> dict[str, Any]:
        """Return the saved progress for ``mode``, or an empty dict if there is none or it is invalid.

        An invalid row is renamed, so that saving progress doesn't overwrite it. :meth:`take_problem` then reports the
        invalid row.
        """
        rows = self.query("SELECT told FROM under_way WHERE mode = ?", (mode,))
        for (text,) in rows:
            progress = decode_progress(text)
            if not progress and text != "{}":
                self._rename_progress(mode)
            return progress
        return {}

    def _rename_progress(self, mode: str) -> None:
        """Rename the invalid progress row of ``mode``, so that saving progress doesn't overwrite it.

        If that succeeds, :meth:`take_problem` will report the row's new name.
        """
        taken = {name for (name,) in self.query("SELECT mode FROM under_way")}
        new_name = next(name for n in itertools.count(1) if (name := f"{mode}.damaged-{n}") not in taken)
        if self.execute("UPDATE under_way SET mode = ? WHERE mode = ?", (new_name, mode)):
            self._problem = DatabaseProblem("progress", self.path, new_name)

    def delete_progress(self, mode: str) -> bool:
        """Delete the saved progress for ``mode``; return whether that succeeded."""
        return self.delete_rows("under_way", PROGRESS_COLUMNS[0], mode)


def without_oldest(progress: Mapping[str, object]) -> dict[str, object]:
    """Return a copy of ``progress`` that fits into :data:`MAX_PROGRESS_LENGTH`.

    If necessary, the oldest entries, which come first, are left out.
    """
    lengths = {key: len(json.dumps({key: value})) for key, value in progress.items()}
    excess = sum(lengths.values()) - MAX_PROGRESS_LENGTH
    kept = dict(progress)
    for key, length in lengths.items():
        if excess <= 0:
            break
        del kept[key]
        excess -= length
    return kept


def decode_progress(text: object) -> dict[str, Any]:
    """Decode the text of saved progress; return an empty dict if the text is invalid."""
    if isinstance(text, str) and len(text) <= MAX_PROGRESS_LENGTH:
        with suppress(ValueError, RecursionError):
            found = json.loads(text)
            return found if isinstance(found, dict) else {}
    return {}


def solved_problems(attempts: Iterable[Attempt], game: str) -> frozenset[str]:
    """Return the names of a game's problems that have been solved without a mistake at least once.

    Attempts in the mode :data:`GUESS`, in which the user only decides whether there is a win, don't count.
    """
    return frozenset(
        attempt.problem
        for attempt in attempts
        if attempt.game == game and attempt.is_solved and attempt.mode != GUESS
    )


def daily_streak(attempts: Iterable[Attempt], today: date) -> int:
    """Return the length of the current daily streak in days.

    A day counts if at least one of its problems was attempted on that day without showing the solution. The last day of
    the streak may be yesterday, today or, after a flight west, tomorrow. Later dates must come from a wrong clock and
    don't count.
    """
    days = {
        attempt.daily_date
        for attempt in attempts
        if attempt.daily_date == attempt.local_date and attempt.outcome != SHOWN
    }
    last = next((day for back in (-1, 0, 1) if (day := today - timedelta(back)) in days), None)
    count = 0
    while last is not None and last - timedelta(count) in days:
        count += 1
    return count


def attempts_of_day(
    attempts: Iterable[Attempt], day: date, problems: Sequence[str]
) -> tuple[Attempt | None, ...]:
    """Return the first attempt at each of the daily ``problems`` of ``day``.

    It is None for a problem that hasn't been tried as a daily problem of that day.
    """
    result: dict[str, Attempt] = {}
    for attempt in attempts:
        if attempt.mode == DAILY and attempt.daily_date == day:
            result.setdefault(attempt.problem, attempt)
    return tuple(result.get(problem) for problem in problems)


def compute_rating(attempts: Iterable[Attempt], game: str = "") -> Rating | None:
    """Return the rating in ``game`` (by default, in all games), or None if fewer than ten problems count.

    Only the first attempt at each problem counts: as 1 if the problem was solved without mistakes or hints, as 0.5 if
    it was solved with hints but without mistakes, and as 0 otherwise. Attempts in the mode :data:`GUESS`, in which the
    user only decides whether there is a win, don't count, since half of all guesses are right. Deals of solo games
    don't count either. The model is OpenSkill's Plackett–Luce (Weng & Lin 2011).
    """
    ratings = _rate(attempts, game)
    return ratings[-1] if len(ratings) >= MIN_RATED_PROBLEMS else None


def rating_history(attempts: Iterable[Attempt]) -> list[int]:
    """Return the overall rating after the tenth problem that counts and after each later one.

    The ratings are returned without their margins. Attempts count as in :func:`compute_rating`. If fewer than ten
    problems count, the list is empty.
    """
    return [rating.value for rating in _rate(attempts, "")[MIN_RATED_PROBLEMS - 1 :]]


def _rate(attempts: Iterable[Attempt], game: str) -> list[Rating]:
    """Return the player's ratings in ``game``, one after each problem that counts.

    If ``game`` is "", the problems of all games are included. Attempts count as in :func:`compute_rating`. If fewer
    than :data:`MIN_RATED_PROBLEMS` problems count, the list is empty.
    """
    first: dict[str, Attempt] = {}
    for attempt in attempts:
        if game in ("", attempt.game) and attempt.mode not in (GUESS, SOLO):
            first.setdefault(attempt.problem, attempt)
    if len(first) < MIN_RATED_PROBLEMS:
        return []
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=_INITIAL_RATING, sigma=_INITIAL_DEVIATION, beta=_RATING_BETA, tau=_RATING_TAU)
    mine, ratings = model.rating(), []
    for attempt in first.values():
        other = model.create_rating([float(attempt.rating), _PROBLEM_DEVIATION])
        points = _POINTS[attempt.outcome]
        (mine,), _ = model.rate([[mine], [other]], scores=[points, 1.0 - points])
        ratings.append(Rating(round(mine.mu), max(1, round(1.96 * mine.sigma))))
    return ratings


def format_share_line(day: str, tries: Sequence[Attempt | None]) -> str:
    """Return a line for sharing the results and the total time of a day's problems without spoilers.

    ``day`` is the date as the line shows it. ``tries`` holds the attempt at each problem, or None if there was none. A
    filled circle stands for a problem that was solved without mistakes or hints, and an empty circle for any other
    problem.
    """
    signs = " ".join("●" if attempt is not None and attempt.outcome == SOLVED else "○" for attempt in tries)
    seconds = round(sum(attempt.seconds for attempt in tries if attempt is not None))
    return f"Shibumi 3D · {day} · {signs} · {seconds // 60}:{seconds % 60:02}"


def to_row(attempt: Attempt) -> tuple[object, ...]:
    """Convert an attempt to a database row."""
    return (
        attempt.key,
        attempt.ended_at.astimezone(UTC).isoformat(timespec="milliseconds"),
        attempt.local_date.isoformat(),
        attempt.problem,
        attempt.game,
        attempt.rating,
        attempt.mode,
        attempt.daily_date.isoformat() if attempt.daily_date is not None else "",
        attempt.outcome,
        attempt.turns_tried,
        attempt.seconds,
    )


def from_row(row: Sequence[Any]) -> Attempt | None:
    """Convert a database row to an attempt; return None if it is invalid."""
    key, ended, today, problem, game, rated, mode, day, outcome, tries, seconds = row
    texts = key, ended, today, problem, game, mode, day, outcome
    if not all(isinstance(text, str) and len(text) <= MAX_TEXT_LENGTH for text in texts):
        return None
    if not (is_valid_count(rated) and is_valid_count(tries) and outcome in OUTCOMES and mode in MODES):
        return None
    if not (isinstance(seconds, int | float) and math.isfinite(seconds) and seconds >= 0):
        return None
    try:
        moment, tried = datetime.fromisoformat(ended), date.fromisoformat(today)
        of = date.fromisoformat(day) if day else None
    except ValueError:
        return None
    if moment.utcoffset() is None:
        return None
    return Attempt(key, moment, tried, problem, game, rated, mode, of, outcome, tries, float(seconds))
