"""Tries at problems: one row each in the database of results, what they come to, and what was left half done."""

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
"""What came of a try: found at once; with hints; only after something else, or not; shown by the program."""
CAME = (SOLVED, HINTED, FAILED, SHOWN)
DAILY, GAME, DOUBT, STREAK = "daily", "game", "doubt", "streak"
"""Where it was tried: as one of a day, of a game, where it was to be said whether there is a win, or in a streak."""
MODES = (DAILY, GAME, DOUBT, STREAK)
MISSES = 3
"""With so many a streak ends."""
FIRST = 10
"""So many tries are needed before a rating says something."""
_WORTH = {SOLVED: 1.0, HINTED: 0.5, FAILED: 0.0, SHOWN: 0.0}
_MIDDLE, _SPREAD = 1500.0, 350.0
"""What nobody knows anything of is rated at, and how far from it that may be."""
_BETA, _DRIFT = 400 / math.log(10) / math.sqrt(2), 5.0
"""Such that 400 points make it ten times as likely; how much a rating may wander from try to try."""
_SURE = 100.0
"""How far the rating of a problem may be from what it is."""
MOST = 100_000
"""How many tries are read at most, the last ones."""
LONG = 200
"""How long a text of a row may be, in signs."""
LONGEST = 1 << 16
"""How long what was left half done may be."""


@dataclass(frozen=True, slots=True)
class Try:
    """A try at ``problem``, a game and a number such as ``spline#12``, that came to its end.

    ``today`` is the day by the clock where it was tried, ``day`` the one whose problem it was, None where it was not
    one of a day. ``tries`` are the turns that were tried where one was asked for, ``rating`` that of the problem.
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
        """Whether it was found without going wrong."""
        return self.came in (SOLVED, HINTED)


class Rating(NamedTuple):
    """How strong somebody is at problems: within ``give`` of ``value``, nineteen times in twenty."""

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
    """Return a try that ends now, by the clock of the system where ``now`` is not given."""
    now = now or datetime.now().astimezone()
    game = problem.partition("#")[0]
    return Try(uuid4().hex, now, now.date(), problem, game, rating, mode, day, came, tries, seconds)


class Tries(Database):
    """The tries kept in the database, and what was left half done."""

    left_out = 0
    """How many rows could not be read the last time."""

    def add(self, one: Try) -> bool:
        """Keep a try; return whether that was possible."""
        return self.put("tries", TRIES, row_of(one))

    def all(self) -> tuple[Try, ...]:
        """Return every try kept, in the order in which they ended; broken rows are left out."""
        rows = self.read(f"SELECT {', '.join(TRIES)} FROM tries ORDER BY ended DESC, key DESC LIMIT {MOST}")
        found = [each for row in rows if (each := try_of(row)) is not None]
        self.left_out = len(rows) - len(found)
        return tuple(sorted(found, key=lambda each: (each.ended, each.key)))

    def forget(self, game: str = "") -> bool:
        """Remove every try, or those of ``game``, for good; return whether that was possible."""
        return self.remove("DELETE FROM tries WHERE ? IN ('', game)", (game,))

    def leave(self, mode: str, told: Mapping[str, Any]) -> bool:
        """Keep what is half done under the name ``mode``, in place of what was; return whether that was possible."""
        return self.put("under_way", UNDER_WAY, (mode, json.dumps(told)))

    def left(self, mode: str) -> dict[str, Any]:
        """Return what was left half done under that name; empty for nothing."""
        rows = self.read("SELECT told FROM under_way WHERE mode = ?", (mode,))
        return next((half_done(told) for (told,) in rows), {})

    def done(self, mode: str) -> bool:
        """Forget what was left half done under that name; return whether that was possible."""
        return self.drop("under_way", UNDER_WAY[0], mode)


def half_done(told: object) -> dict[str, Any]:
    """Return what was left half done, as a row tells it; empty where that can't be read."""
    if isinstance(told, str) and len(told) <= LONGEST:
        with suppress(ValueError, RecursionError):
            found = json.loads(told)
            return found if isinstance(found, dict) else {}
    return {}


def solved(tries: Iterable[Try], game: str) -> frozenset[str]:
    """Return the problems of a game that were found without going wrong; to say that there is a win finds none."""
    return frozenset(one.problem for one in tries if one.game == game and one.good and one.mode != DOUBT)


def chain(tries: Iterable[Try], today: date) -> int:
    """Return on how many days in turn, up to ``today`` or yesterday, a problem of that very day was found.

    Where it is tomorrow already, as after a flight to the west, that day counts too; what a clock that was wrong has
    put farther ahead does not.
    """
    days = {one.day for one in tries if one.day == one.today and one.came != SHOWN}
    last = next((day for back in (-1, 0, 1) if (day := today - timedelta(back)) in days), None)
    count = 0
    while last is not None and last - timedelta(count) in days:
        count += 1
    return count


def of_day(tries: Iterable[Try], day: date, problems: Sequence[str]) -> tuple[Try | None, ...]:
    """Return the first try at each of the ``problems`` of a day; None for those not tried yet."""
    found: dict[str, Try] = {}
    for one in tries:
        if one.mode == DAILY and one.day == day:
            found.setdefault(one.problem, one)
    return tuple(found.get(problem) for problem in problems)


def rating(tries: Iterable[Try], game: str = "") -> Rating | None:
    """Return how strong somebody is, in a game or in all; None before ten problems were tried.

    The first try at each problem counts: found, it is won; with hints, half of it; else it is lost. That somebody said
    right whether there is a win counts for nothing: every other guess does.
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
    """Return one line that tells how it went on a ``day``, as it is called, and gives nothing away."""
    signs = " ".join("●" if one is not None and one.came == SOLVED else "○" for one in tries)
    seconds = round(sum(one.seconds for one in tries if one is not None))
    return f"Shibumi 3D · {day} · {signs} · {seconds // 60}:{seconds % 60:02}"


def row_of(one: Try) -> tuple[Any, ...]:
    """Return a try as a row of the database."""
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
    """Return the try of a row; None where it is none."""
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
