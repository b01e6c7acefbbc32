"""Match results: statistics worked out by hand; storage that survives damage, several writers and kills."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.i18n import Message
from shibumi3d.match.database import MATCH_COLUMNS, MIGRATIONS, DatabaseProblem
from shibumi3d.match.match import Match
from shibumi3d.match.results import FinishedMatch, ResultStore, compute_statistics, summarize_finished

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
WON = FinishedMatch("a", NOON, "spline", "", 4, ("Ann", "Ben"), ("person", "stone"), (0,), (0, 0), 9, 61.5)


@pytest.fixture
def results(tmp_path: Path) -> ResultStore:
    return ResultStore(tmp_path / "data" / "results.sqlite")


def match_after(minutes: int, match: FinishedMatch = WON, **changes: object) -> FinishedMatch:
    changed = {"key": f"{match.key}{minutes}", "ended_at": NOON + timedelta(minutes=minutes)} | changes
    return replace(match, **changed)  # type: ignore[arg-type]  # names of fields are checked when they are set


def test_finished_match_is_summarized_and_stored(results: ResultStore) -> None:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], player_types=["person", "stone"])
    for move in ["W@Aa1", "B@Aa2", "W@Ab1", "B@Ab2", "W@Ac1", "B@Ac2"]:
        match.play(move)
    with pytest.raises(ValueError, match="not over"):
        summarize_finished(match, "k")
    match.play("W@Ad1")  # four in a row
    kept = summarize_finished(match, "k", 12.0, NOON)
    assert kept == replace(WON, key="k", turns=7, seconds=12.0, scores=kept.scores)
    assert results.add(kept)
    assert results.load() == (kept,)
    assert ResultStore(results.path).load("spline") == (kept,)
    assert results.load("span") == ()
    assert results.take_problem() is None


def test_result_with_very_long_names_is_read_again(results: ResultStore) -> None:
    assert results.add(replace(WON, names=("A" * 70_000, "Ben")))
    assert results.load() == (replace(WON, names=("A" * 1000, "Ben")),)


def test_reading_results_creates_no_file(results: ResultStore) -> None:
    assert results.load() == ()
    assert results.delete_all()
    assert not results.path.parent.exists()


def test_replayed_ending_replaces_match_result(results: ResultStore) -> None:
    """A player who goes back from the end and plays differently has still played only one match."""
    assert results.add(WON)
    assert results.add(replace(WON, winners=(1,)))
    (kept,) = results.load()
    assert kept.winners == (1,)


def test_statistics_count_results_streaks_and_records() -> None:
    """Ann, in seat 0, wins twice, draws, wins three times, loses and wins.

    A shared win, such as the last of the three, counts as a win. Her winning streaks are therefore 2, 3 and 1. The
    match of 5 turns and 30 seconds was lost, so it is neither her shortest nor her fastest win. Her best score, 6,
    comes from the draw, since a match needn't be won to set it.
    """
    turns = [9, 8, 10, 7, 11, 12, 5, 9]
    seconds = [60.0, None, 50.0, 45.0, 99.0, None, 30.0, 70.0]
    winners = [(0,), (0,), (), (0,), (0,), (0, 1), (1,), (0,)]
    played = [
        match_after(n, turns=turns[n], seconds=seconds[n], winners=winners[n], scores=(n * 3 % 7, 9))
        for n in range(8)
    ]
    found = compute_statistics(played)
    assert (found.played, found.won, found.drawn, found.lost) == (8, 6, 1, 1)
    assert (found.streak, found.longest_streak) == (1, 3)
    assert (found.fewest_turns, found.fastest_win_seconds, found.best_score) == (7, 45.0, 6)
    assert compute_statistics([]) == (0, 0, 0, 0, 0, None, None, None, 0, 0)


def test_shown_solution_counts_neither_as_win_nor_loss() -> None:
    """A shown solution ends a winning streak and sets no records: its 25 points, 2 turns and 1 second don't count."""
    alone = {"names": ("Ann",), "player_types": ("person",)}
    own = match_after(0, **alone, scores=(20,), turns=9, seconds=60.0, hints=2)
    shown = match_after(1, **alone, scores=(25,), turns=2, seconds=1.0, hints=25, is_solution_shown=True)
    found = compute_statistics([own, shown])
    assert (found.played, found.won, found.solutions_shown, found.lost, found.won_with_hints) == (
        2,
        1,
        1,
        0,
        1,
    )
    assert (found.streak, found.longest_streak) == (0, 1)
    assert (found.best_score, found.fewest_turns, found.fastest_win_seconds) == (20, 9, 60.0)
    lost = compute_statistics([replace(shown, winners=())])
    assert (lost.lost, lost.solutions_shown, lost.best_score) == (0, 1, None)


def test_results_of_first_version_have_no_hints(results: ResultStore) -> None:
    results.path.parent.mkdir()
    with sqlite3.connect(results.path) as base:
        base.executescript(MIGRATIONS[0])
        base.execute(
            "INSERT INTO finished VALUES ('a', '2026-05-01T12:00:00.000+00:00', 'spline', '', 4, '[\"Ann\"]', "
            "'[\"person\"]', '[0]', '[]', 9, 61.5)"
        )
        base.execute("PRAGMA user_version = 1")
    assert results.add(replace(WON, key="b", hints=3, is_solution_shown=True))
    assert [(each.key, each.hints, each.is_solution_shown) for each in results.load()] == [
        ("a", 0, False),
        ("b", 3, True),
    ]


def test_own_seat_opponents_and_points_are_derived() -> None:
    assert (WON.own_seat, WON.opponents, WON.points) == (0, ("stone",), 1)
    second = replace(WON, player_types=("stone", "person"))
    assert (second.own_seat, second.opponents, second.points) == (1, ("stone",), 0)
    both = replace(WON, player_types=("person", "person"))
    assert both.opponents == ("Ben",)
    assert replace(WON, winners=()).points == 0.5
    alone = replace(WON, names=("Ann",), player_types=("person",), winners=())
    assert (alone.points, alone.opponents) == (0, ())


def test_results_can_be_deleted(results: ResultStore) -> None:
    for each in (WON, match_after(1, game="span"), match_after(2)):
        results.add(each)
    assert results.delete_all()
    assert results.load() == ()


def test_damaged_results_file_is_set_aside_once(results: ResultStore) -> None:
    results.path.parent.mkdir()
    for number in (1, 2):
        results.path.write_bytes(b"no database at all, but long enough to look like one" * 40)
        assert results.add(WON)
        assert results.load() == (WON,)
        aside = results.path.with_name(f"results.damaged-{number}.sqlite")
        assert aside.read_bytes().startswith(b"no database")
        assert results.take_problem() == DatabaseProblem("damaged", results.path, aside.name)
        assert results.take_problem() is None


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("names", "Ann"),
        ("names", "["),
        ("names", "[" * 100_000),
        ("names", '{"a": 1}'),
        ("names", "[]"),
        ("names", '["Ann"]'),
        ("names", '["Ann", 2]'),
        ("names", '["Ann", "' + "x" * 70_000 + '"]'),
        ("kinds", '["person", null]'),
        ("winners", "[Infinity]"),
        ("winners", "[NaN]"),
        ("winners", "[1e999]"),
        ("winners", "[0.5]"),
        ("winners", "[true]"),
        ("winners", "[2]"),
        ("winners", "[-1]"),
        ("scores", "[Infinity, 1]"),
        ("scores", "[1e999, 1]"),
        ("scores", "[1]"),
        ("scores", '["1", 2]'),
        ("scores", f"[1{'0' * 4000}, 2]"),
        ("ended", "2026-05-01T12:00:00"),
        ("ended", "yesterday"),
        ("ended", ""),
        ("ended", b"\xff"),
        ("turns", -1),
        ("turns", "many"),
        ("turns", 1e999),
        ("size", 2.5),
        ("seconds", 1e999),
        ("seconds", -1.0),
        ("seconds", "long"),
        ("game", b"spline"),
    ],
)
def test_invalid_result_rows_are_skipped(results: ResultStore, column: str, value: object) -> None:
    others = [match_after(number) for number in (1, 2)]
    for each in (others[0], WON, others[1]):
        assert results.add(each)
    with sqlite3.connect(results.path) as base:
        base.execute(f"UPDATE finished SET {column} = ? WHERE key = 'a'", (value,))
    base.close()
    assert results.load() == tuple(others)
    assert results.take_problem() is None
    assert results.add(WON), "it can be kept anew"
    assert len(results.load()) == 3


def test_results_are_ordered_across_time_zones(results: ResultStore) -> None:
    for each in (WON, match_after(1)):
        results.add(each)
    with sqlite3.connect(results.path) as base:
        base.execute("UPDATE finished SET ended = '2026-05-01T05:02:00-07:00' WHERE key = 'a'")
    base.close()
    assert [each.key for each in results.load()] == ["a1", "a"]


@pytest.mark.parametrize(
    "made",
    [
        "CREATE TABLE finished (key TEXT)",
        "CREATE TABLE notes (words TEXT); INSERT INTO notes VALUES ('mine')",
        "CREATE TABLE notes (words TEXT); PRAGMA user_version = 1",
        "PRAGMA user_version = 1",
        "CREATE TABLE finished (key TEXT); PRAGMA user_version = 1",
        "CREATE VIEW finished AS SELECT 1 AS key; PRAGMA user_version = 1",
        "CREATE TABLE finished (key TEXT); PRAGMA user_version = -3",
        "PRAGMA user_version = -1",
        "CREATE VIEW finished AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT "
        + ", ".join(f"x AS {column}" for column in MATCH_COLUMNS)
        + " FROM n; PRAGMA user_version = 1",
        f"{';'.join(MIGRATIONS)}; PRAGMA user_version = {len(MIGRATIONS)}; "
        "CREATE TRIGGER more AFTER INSERT ON finished BEGIN INSERT INTO "
        "finished SELECT * FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT max(x), '', '', '', 1, '', '', '', '', 1, 1, 0, 0 FROM n); END",
    ],
)
@pytest.mark.parametrize("first", ["add", "look"])
def test_foreign_database_is_set_aside(
    results: ResultStore, made: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shibumi3d.match.database.MAX_STEPS", 100)
    results.path.parent.mkdir()
    with sqlite3.connect(results.path) as base:
        base.executescript(made)
    base.close()
    before = results.path.read_bytes()
    if first == "look":
        assert results.load() == ()
    assert results.add(WON)
    assert results.load() == (WON,)
    aside = results.path.with_name("results.damaged-1.sqlite")
    assert aside.read_bytes() == before
    assert results.take_problem() == DatabaseProblem("damaged", results.path, aside.name)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_results_file_may_be_symlink_but_not_pipe(results: ResultStore, tmp_path: Path) -> None:
    """A symbolic link is followed and kept, even if its target is damaged; a pipe is refused without waiting."""
    results.path.parent.mkdir()
    there = tmp_path / "there.sqlite"
    results.path.symlink_to(there)
    assert results.add(WON)
    assert there.is_file()
    there.write_bytes(b"no database at all, but long enough to look like one" * 40)
    assert results.add(WON)
    assert results.path.is_symlink()
    assert ResultStore(there).load() == (WON,)
    pipe = ResultStore(tmp_path / "pipe")
    os.mkfifo(pipe.path)
    assert not pipe.add(WON)
    assert pipe.load() == ()
    assert pipe.take_problem() == DatabaseProblem("refused", pipe.path, Message("it is not a file"))
    assert pipe.path.is_fifo()


def test_result_key_with_surrogate_is_stored(results: ResultStore) -> None:
    """Keys are file names, which can contain bytes that aren't valid text.

    Python represents each such byte as a lone surrogate, which is stored as a question mark.
    """
    assert results.add(WON)
    assert results.add(replace(WON, key="b\udcff"))
    assert [each.key for each in results.load()] == ["a", "b?"]


def test_newer_results_database_is_left_alone(results: ResultStore) -> None:
    results.add(WON)
    with sqlite3.connect(results.path) as base:
        base.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    before = results.path.read_bytes()
    assert not results.add(match_after(1))
    assert results.load() == ()
    assert results.take_problem() == DatabaseProblem("later", results.path)
    assert results.path.read_bytes() == before


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_older_results_database_is_migrated(results: ResultStore, version: int) -> None:
    results.path.parent.mkdir()
    with sqlite3.connect(results.path) as base:
        for step in MIGRATIONS[:version]:
            base.executescript(step)
        base.execute(f"PRAGMA user_version = {version}")
    assert results.load() == ()
    assert results.add(WON)
    assert results.load() == (WON,)


def test_unwritable_results_folder_is_reported(results: ResultStore) -> None:
    results.path.parent.write_text("a file where the folder should be")
    assert not results.add(WON)
    mishap = results.take_problem()
    assert mishap is not None
    assert mishap.kind == "refused"
    assert mishap.reason


def test_folder_at_results_path_is_reported(results: ResultStore) -> None:
    results.path.mkdir(parents=True)
    assert not results.add(WON)
    mishap = results.take_problem()
    assert mishap is not None
    assert mishap.kind == "refused"
    assert mishap.reason


WRITER = """
import sys
from dataclasses import replace
from pathlib import Path
from shibumi3d.match.results import ResultStore
from tests.match.test_result_store import WON
results = ResultStore(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(int(sys.argv[3])):
    assert results.add(replace(WON, key=f"{sys.argv[2]}-{number:05}")), results.take_problem()
    print(number, flush=True)
"""


def writer(path: Path, name: str, number: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), name, str(number)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_four_processes_add_results_concurrently(results: ResultStore) -> None:
    writers = [writer(results.path, name, 25) for name in "abcd"]
    outs = [each.communicate()[0] for each in writers]
    assert [each.returncode for each in writers] == [0] * 4, outs
    assert len(results.load()) == 100


def test_killed_writer_leaves_results_consistent(results: ResultStore) -> None:
    """Results that a killed writer reported as stored can be loaded, and the next writer can continue."""
    for turn in range(8):
        with writer(results.path, f"k{turn}", 100_000) as process:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(3 + turn * 5)]
            process.send_signal(signal.SIGKILL)
        assert lines[-1]
        kept = [each.key for each in results.load() if each.key.startswith(f"k{turn}-")]
        assert results.take_problem() is None
        assert len(kept) >= len(lines) - 1
        assert kept == [f"k{turn}-{number:05}" for number in range(len(kept))]
    assert results.add(WON)


def test_inaccessible_results_folder_reads_as_empty(tmp_path: Path) -> None:
    results = ResultStore(tmp_path / ("x" * 300) / "results.sqlite")
    assert results.load() == ()
    assert results.delete_all()
