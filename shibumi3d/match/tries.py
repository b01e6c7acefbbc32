"""Attempts at problems, stored in one database row each; statistics about them; and saved progress."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple
from uuid import uuid4

from shibumi3d.match.database import TRIES, UNDER_WAY, Database, is_count

SOLVED, HINTED, FAILED, SHOWN = "solved", "hinted", "failed", "shown"
"""Outcomes of an attempt.

The problem was solved without mistakes or hints, solved with hints, or not solved without a mistake; or its solution
was shown.
"""
CAME = (SOLVED, HINTED, FAILED, SHOWN)
DAILY, GAME, DOUBT, STREAK = "daily", "game", "doubt", "streak"
"""Modes: daily problems, the problems of a game, deciding whether there is a win, and streaks."""
MODES = (DAILY, GAME, DOUBT, STREAK)
MISSES = 3
"""Number of misses after which a streak ends."""
FIRST = 10
"""Number of problems that must be tried before there is a rating."""
_WORTH = {SOLVED: 1.0, HINTED: 0.5, FAILED: 0.0, SHOWN: 0.0}
_MIDDLE, _SPREAD = 1500.0, 350.0
"""Initial rating of a player and its standard deviation."""
_BETA, _DRIFT = 400 / math.log(10) / math.sqrt(2), 5.0
"""Parameters of the rating model.

The first scales ratings so that a difference of 400 points means odds of 10 to 1. The second is how much the player's
strength may change between attempts, as a standard deviation.
"""
_SURE = 100.0
"""Standard deviation assumed for the rating of a problem."""
MOST = 100_000
"""Maximum number of attempts that are read; earlier ones are ignored."""
LONG = 200
"""Maximum length of a text in a row, in characters."""
LONGEST = 1 << 16
"""Maximum length of saved progress, in characters."""


@dataclass(frozen=True, slots=True)
class Try:
    """A finished attempt at ``problem``, given by game and number, such as ``spline#12``.

    ``today`` is the local date of the attempt. ``day`` is the date to which a daily problem belongs, or None for other
    problems. ``tries`` is the number of turns tried, and ``rating`` the rating of the problem.
    """

    key: str
    ended: datetime
    today: date
    problem: str
    game: str
    rating: int
    mode: str
    day: date | None
    came: str
    tries: int
    seconds: float

    @property
    def good(self) -> bool:
        """Whether the problem was solved without a mistake."""
        return self.came in (SOLVED, HINTED)


class Rating(NamedTuple):
    """Playing strength at problems. The 95% interval is ``value`` ± ``give``."""

    value: int
    give: int


def new_try(
    problem: str,
    rating: int,
    mode: str,
    came: str,
    tries: int,
    seconds: float,
    *,
    day: date | None = None,
    now: datetime | None = None,
) -> Try:
    """Return an attempt that ends at ``now``, by default the current time."""
    now = now or datetime.now().astimezone()
    game = problem.partition("#")[0]
    return Try(uuid4().hex, now, now.date(), problem, game, rating, mode, day, came, tries, seconds)


class Tries(Database):
    """The attempts in the database, and saved progress."""

    left_out = 0
    """Number of invalid rows that the last read skipped."""

    def add(self, one: Try) -> bool:
        """Store an attempt; return whether that succeeded."""
        return self.put("tries", TRIES, row_of(one))

    def all(self) -> tuple[Try, ...]:
        """Return the valid stored attempts in the order in which they ended."""
        rows = self.read(f"SELECT {', '.join(TRIES)} FROM tries ORDER BY ended DESC, key DESC LIMIT {MOST}")
        found = [each for row in rows if (each := try_of(row)) is not None]
        self.left_out = len(rows) - len(found)
        return tuple(sorted(found, key=lambda each: (each.ended, each.key)))

    def forget(self, game: str = "") -> bool:
        """Permanently delete all attempts, or those of ``game``; return whether that succeeded."""
        return self.remove("DELETE FROM tries WHERE ? IN ('', game)", (game,))

    def leave(self, mode: str, told: Mapping[str, Any]) -> bool:
        """Save progress for ``mode`` in place of any earlier progress; return whether that succeeded."""
        return self.put("under_way", UNDER_WAY, (mode, json.dumps(told)))

    def left(self, mode: str) -> dict[str, Any]:
        """Return the saved progress for ``mode``, or an empty dict if there is none."""
        rows = self.read("SELECT told FROM under_way WHERE mode = ?", (mode,))
        return next((half_done(told) for (told,) in rows), {})

    def done(self, mode: str) -> bool:
        """Delete the saved progress for ``mode``; return whether that succeeded."""
        return self.drop("under_way", UNDER_WAY[0], mode)


def half_done(told: object) -> dict[str, Any]:
    """Decode saved progress from a row; return an empty dict if it is invalid."""
    if isinstance(told, str) and len(told) <= LONGEST:
        with suppress(ValueError, RecursionError):
            found = json.loads(told)
            return found if isinstance(found, dict) else {}
    return {}


def solved(tries: Iterable[Try], game: str) -> frozenset[str]:
    """Return the problems of a game that were solved without a mistake.

    Attempts to decide whether there is a win don't count.
    """
    return frozenset(one.problem for one in tries if one.game == game and one.good and one.mode != DOUBT)


def chain(tries: Iterable[Try], today: date) -> int:
    """Return the length of the current daily streak in days.

    A day counts if one of its problems was tried on that day and its solution wasn't shown. The streak may end
    yesterday, today, or tomorrow, which is possible after a flight west. Later dates are due to a wrong clock and don't
    count.
    """
    days = {one.day for one in tries if one.day == one.today and one.came != SHOWN}
    last = next((day for back in (-1, 0, 1) if (day := today - timedelta(back)) in days), None)
    count = 0
    while last is not None and last - timedelta(count) in days:
        count += 1
    return count


def of_day(tries: Iterable[Try], day: date, problems: Sequence[str]) -> tuple[Try | None, ...]:
    """Return the first attempt at each of the daily ``problems``; None for a problem not yet tried."""
    found: dict[str, Try] = {}
    for one in tries:
        if one.mode == DAILY and one.day == day:
            found.setdefault(one.problem, one)
    return tuple(found.get(problem) for problem in problems)


def rating(tries: Iterable[Try], game: str = "") -> Rating | None:
    """Return the rating in ``game``, or in all games; None if fewer than ten problems were tried.

    Only the first attempt at each problem counts, as 1 if solved, 0.5 if solved with hints, and 0 otherwise. Deciding
    whether there is a win doesn't count, since half of all guesses are right. The model is OpenSkill's Plackett–Luce
    (Weng & Lin 2011).
    """
    first: dict[str, Try] = {}
    for one in tries:
        if game in ("", one.game) and one.mode != DOUBT:
            first.setdefault(one.problem, one)
    if len(first) < FIRST:
        return None
    from openskill.models import PlackettLuce

    model = PlackettLuce(mu=_MIDDLE, sigma=_SPREAD, beta=_BETA, tau=_DRIFT)
    mine = model.rating()
    for one in first.values():
        other = model.create_rating([float(one.rating), _SURE])
        worth = _WORTH[one.came]
        (mine,), _ = model.rate([[mine], [other]], scores=[worth, 1.0 - worth])
    return Rating(round(mine.mu), max(1, round(1.96 * mine.sigma)))


def share_line(day: str, tries: Sequence[Try | None]) -> str:
    """Return a line for sharing the results of ``day`` without spoilers."""
    signs = " ".join("●" if one is not None and one.came == SOLVED else "○" for one in tries)
    seconds = round(sum(one.seconds for one in tries if one is not None))
    return f"Shibumi 3D · {day} · {signs} · {seconds // 60}:{seconds % 60:02}"


def row_of(one: Try) -> tuple[Any, ...]:
    """Convert an attempt to a database row."""
    return (
        one.key,
        one.ended.astimezone(UTC).isoformat(timespec="milliseconds"),
        one.today.isoformat(),
        one.problem,
        one.game,
        one.rating,
        one.mode,
        one.day.isoformat() if one.day is not None else "",
        one.came,
        one.tries,
        one.seconds,
    )


def try_of(row: Sequence[Any]) -> Try | None:
    """Convert a database row to an attempt; return None if it is invalid."""
    key, ended, today, problem, game, rated, mode, day, came, tries, seconds = row
    texts = key, ended, today, problem, game, mode, day, came
    if not all(isinstance(text, str) and len(text) <= LONG for text in texts):
        return None
    if not (is_count(rated) and is_count(tries) and came in CAME and mode in MODES):
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
    return Try(key, moment, tried, problem, game, rated, mode, of, came, tries, float(seconds))
