"""Attempts at problems: storage, counts, rating and deletion; saved progress; damaged rows."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path

import pytest

from shibumi3d.match.attempts import (
    DAILY,
    FAILED,
    GAME,
    GUESS,
    HINTED,
    SHOWN,
    SOLVED,
    STREAK,
    Attempt,
    AttemptStore,
    attempts_of_day,
    compute_rating,
    daily_streak,
    format_share_line,
    new_attempt,
    solved_problems,
)
from shibumi3d.match.database import MIGRATIONS
from shibumi3d.match.results import ResultStore

NOON = datetime(2026, 11, 25, 12, tzinfo=UTC)
DAY = date(2026, 11, 25)


def make_attempt(
    number: int, outcome: str = SOLVED, game: str = "spline", rated: int = 1500, **more: object
) -> Attempt:
    """Return an attempt at problem ``number`` of a game, made ``number`` minutes after noon.

    ``rated`` is the rating of the problem. ``more`` sets further fields of the attempt.
    """
    now = NOON + timedelta(minutes=number)
    one = new_attempt(f"{game}#{number}", rated, GAME, outcome, 1, 10.0, now=now)
    return replace(one, **{"key": f"{number:04}"} | more)  # type: ignore[arg-type]  # fields are checked when they are set


@pytest.fixture
def tries(tmp_path: Path) -> AttemptStore:
    return AttemptStore(tmp_path / "data" / "results.sqlite")


def test_attempts_are_stored_and_deleted(tries: AttemptStore) -> None:
    assert tries.load() == ()
    assert not tries.path.exists()
    kept = [
        make_attempt(1),
        make_attempt(2, HINTED, "span", mode=DAILY, daily_date=DAY),
        make_attempt(3, FAILED, turns_tried=4),
    ]
    for one in reversed(kept):
        assert tries.add(one)
    assert AttemptStore(tries.path).load() == tuple(kept)
    assert solved_problems(kept, "spline") == {"spline#1"}
    assert solved_problems(kept, "span") == {"span#2"}
    assert tries.delete_all()
    assert tries.load() == ()


def test_earlier_database_is_migrated_for_attempts(tries: AttemptStore) -> None:
    """A database made before attempts at problems were stored keeps its matches and accepts attempts."""
    tries.path.parent.mkdir()
    with sqlite3.connect(tries.path) as base:
        for step in MIGRATIONS[:2]:
            base.executescript(step)
        base.execute(
            "INSERT INTO finished VALUES ('a', '2026-05-01T12:00:00.000+00:00', 'spline', '', 4, '[\"Ann\"]', "
            "'[\"person\"]', '[0]', '[]', 9, 61.5, 0, 0)"
        )
        base.execute("PRAGMA user_version = 2")
    assert tries.load() == ()
    assert tries.add(make_attempt(1))
    assert [each.key for each in ResultStore(tries.path).load()] == ["a"]
    assert len(tries.load()) == 1


@pytest.mark.parametrize(
    "spoilt",
    ["ended = 'soon'", "today = '2026-13-01'", "came = 'won'", "seconds = -1", "tries = 'x'", "mode = ''", "day = '?'",
     "rating = -3", "ended = '2026-11-25T12:00:00'", "problem = x'ff00'"],
)  # fmt: skip
def test_invalid_attempt_row_is_skipped(tries: AttemptStore, spoilt: str) -> None:
    for one in (make_attempt(1), make_attempt(2)):
        tries.add(one)
    with sqlite3.connect(tries.path) as base:
        base.execute(f"UPDATE tries SET {spoilt} WHERE key = '0002'")
    assert tries.load() == (make_attempt(1),)
    assert tries.take_problem() is None


def test_progress_is_saved_and_deleted_per_mode(tries: AttemptStore) -> None:
    assert tries.load_progress(STREAK) == {}
    tries.save_progress(STREAK, {"at": "spline#3", "missed": 2})
    tries.save_progress(DAILY, {"at": "span#1"})
    tries.save_progress(STREAK, {"at": "spline#4", "missed": 2})
    assert AttemptStore(tries.path).load_progress(STREAK) == {"at": "spline#4", "missed": 2}
    tries.delete_progress(STREAK)
    assert (tries.load_progress(STREAK), tries.load_progress(DAILY)) == ({}, {"at": "span#1"})
    with sqlite3.connect(tries.path) as base:
        base.execute("UPDATE under_way SET told = '[' || told")
    assert tries.load_progress(DAILY) == {}


def daily_attempt(back: int, outcome: str = SOLVED, late: int = 0) -> Attempt:
    """Return an attempt at the daily problem for the date ``back`` days before ``DAY``.

    The attempt is made ``late`` days after that date, with the result ``outcome``.
    """
    daily_date = DAY - timedelta(back)
    return make_attempt(
        back, outcome, mode=DAILY, daily_date=daily_date, local_date=daily_date + timedelta(late)
    )


def test_daily_streak_counts_consecutive_days() -> None:
    """A day counts if one of its problems was tried on that day without the solution being shown.

    The last three days count. On the day before them, the solution was shown, which ends the streak, so earlier
    attempts don't count.
    """
    kept = [
        daily_attempt(0),
        daily_attempt(1, FAILED),
        daily_attempt(2, HINTED),
        daily_attempt(3, SHOWN),
        daily_attempt(4, late=1),
        daily_attempt(5),
    ]
    assert daily_streak(kept, DAY) == 3
    assert daily_streak(kept, DAY + timedelta(1)) == 3  # the next day's problem can still be solved
    assert daily_streak(kept, DAY + timedelta(2)) == 0
    assert daily_streak([*kept, *kept], DAY) == 3
    assert daily_streak([], DAY) == 0


def test_daily_streak_survives_clock_and_date_line_changes() -> None:
    kept = [daily_attempt(0), daily_attempt(1), daily_attempt(2)]
    assert daily_streak(kept, DAY - timedelta(1)) == 3  # after a flight to the west, it may be the day before
    assert (
        daily_streak(kept, DAY - timedelta(2)) == 2
    )  # if the clock is set back by two days, attempts too far ahead don't count, but are kept
    assert daily_streak([*kept, daily_attempt(-900)], DAY) == 3  # once, the clock was years ahead


def test_attempt_date_uses_local_time_zone() -> None:
    moment = datetime(2026, 11, 25, 23, 30, tzinfo=UTC)
    east, west = timezone(timedelta(hours=13)), timezone(timedelta(hours=-10))
    assert new_attempt("a#1", 1, GAME, SOLVED, 1, 1.0, now=moment.astimezone(east)).local_date == date(
        2026, 11, 26
    )
    assert new_attempt("a#1", 1, GAME, SOLVED, 1, 1.0, now=moment.astimezone(west)).local_date == date(
        2026, 11, 25
    )


def test_rating_needs_ten_first_attempts() -> None:
    nine = [make_attempt(number) for number in range(9)]
    assert compute_rating(nine) is None
    assert compute_rating([*nine, make_attempt(3, key="again")]) is None
    ten = [*nine, make_attempt(9)]
    found = compute_rating(ten)
    assert found is not None
    assert found.value > 1600
    assert (
        compute_rating([*ten, make_attempt(3, FAILED, key="again", ended_at=NOON + timedelta(days=1))])
        == found
    )
    assert compute_rating(ten, "span") is None
    assert compute_rating(ten, "spline") == found


def test_guessed_wins_do_not_affect_rating() -> None:
    guessed = [make_attempt(number, mode=GUESS) for number in range(12)]
    assert compute_rating(guessed) is None
    assert solved_problems(guessed, "spline") == frozenset()
    found = [
        make_attempt(number, FAILED, key=f"later {number}", ended_at=NOON + timedelta(1))
        for number in range(12)
    ]
    both = compute_rating([*guessed, *found])
    assert both == compute_rating(found)


def test_rating_converges_to_solver_strength() -> None:
    """A player who solves all problems below 1700 and none above is rated near 1700, with a decreasing margin."""
    hard = [1300 + number * 97 % 800 for number in range(120)]
    kept = [make_attempt(n, SOLVED if rated < 1700 else FAILED, rated=rated) for n, rated in enumerate(hard)]
    early, late = compute_rating(kept[:12]), compute_rating(kept)
    assert early is not None
    assert late is not None
    assert abs(late.value - 1700) < 120
    assert late.margin < early.margin
    assert late.margin < 200


def test_hint_halves_rating_credit() -> None:
    values = []
    for outcome in (SOLVED, HINTED, FAILED, SHOWN):
        found = compute_rating([make_attempt(number, outcome) for number in range(12)])
        assert found is not None
        values.append(found.value)
    assert values[0] > values[1] > values[2] == values[3]
    assert abs(values[1] - 1500) < 5  # twelve times half a point against a rating of 1500


def test_share_line_lists_daily_attempts() -> None:
    problems = ["spline#1", "spline#2", "spline#3"]
    kept = [
        make_attempt(2, mode=DAILY, daily_date=DAY, seconds=90.4),
        make_attempt(1, HINTED, mode=DAILY, daily_date=DAY, seconds=20.0),
        make_attempt(1, SOLVED, mode=DAILY, daily_date=DAY, seconds=1.0, key="again"),
        make_attempt(3, mode=DAILY, daily_date=DAY, seconds=19.2),
        make_attempt(3, FAILED, mode=GAME),
    ]
    day = attempts_of_day(kept, DAY, problems)
    assert [one.seconds if one else None for one in day] == [20.0, 90.4, 19.2]
    assert format_share_line("25 Nov 2026", day) == "Shibumi 3D · 25 Nov 2026 · ○ ● ● · 2:10"
    assert attempts_of_day(kept, DAY - timedelta(1), problems) == (None, None, None)
