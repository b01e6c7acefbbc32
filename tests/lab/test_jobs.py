"""Jobs: the same rows wherever they run, stored once; a killed process loses only its current job."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from argparse import Namespace
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from multiprocessing import active_children
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.job_runner import run_from_args
from shibumi3d.lab import (
    GameText,
    JobProgress,
    Judging,
    Matches,
    Processes,
    RowStore,
    Stopped,
    VersionMismatchError,
    fill,
    run,
)
from shibumi3d.lab.jobs import job_to_json, row_to_match
from shibumi3d.lab.report import RecordedMatchesJob
from shibumi3d.lab.runner import JobAbandoned, JobsLostError, program_version, run_job
from shibumi3d.search.arena import play_series
from shibumi3d.search.game_quality import mean_move_count, measure_progressively, summarize
from shibumi3d.search.players import Budget, player
from tests.lab.odd import Traced, start_counts

SMALL = GameText.from_entry("spline", size=3)


@pytest.fixture(scope="module")
def processes() -> Iterator[Processes]:
    with Processes(2) as executor:
        yield executor


def trace_jobs(folder: Path, *ends: str) -> list[Traced]:
    return [Traced(SMALL, number, str(folder), end) for number, end in enumerate(ends)]


class Halting(Executor):
    """Executor that completes the first ``count`` jobs immediately and none of the others."""

    def __init__(self, count: int) -> None:
        self.left = count

    def submit(self, function: Any, /, *args: Any, **options: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if self.left:
            self.left -= 1
            future.set_result(function(*args, **options))
        return future


def test_matches_equal_an_arena_series(processes: Processes) -> None:
    matches = Matches(SMALL, ("pebble", "random"), seed=7, tries=4, count=23)
    assert [job.count for job in matches.split()] == [10, 10, 3]
    rows = run(matches.split())
    assert [row["number"] for row in rows] == list(range(23))
    players = [player("pebble", 0), player("random", 1)]
    fought = list(play_series(SMALL.load_game(), players, match_count=23, seed=7, budget=Budget(4)))
    assert [row_to_match(row) for row in rows] == fought
    assert run(matches.split(), executor=processes) == rows


def test_judging_in_parts_gives_the_same_verdict() -> None:
    rows = run(Judging(SMALL, seed=2, count=13).split())
    *_, verdict = measure_progressively(SMALL.load_game(), 2, 13, 2)
    equals = [row_to_match(row) for row in rows if row["strong"] is None]
    uneven = [(row["strong"], row_to_match(row)) for row in rows if row["strong"] is not None]
    assert len(uneven) == 4
    assert summarize(2, 13, equals, uneven, mean_move_count(SMALL.load_game(), 2, 2)) == verdict


def test_job_contains_the_game_text_and_no_path(tmp_path: Path) -> None:
    file = tmp_path / "wider.yaml"
    file.write_text("title: Wider\nextends: spline\n")
    table = GameText.from_entry(load_catalogue().open(file), size=5)
    assert str(tmp_path) not in repr(table)
    assert "extends" not in table.text
    file.unlink()
    (row,) = run([Matches(table, count=1)])
    assert row["turns"] > 5
    assert table.hash in job_to_json(Matches(table))
    assert table.hash != GameText.from_entry("spline").hash


def test_impossible_seats_and_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="2 players"):
        GameText.from_entry("spline", seats=3)
    with pytest.raises(ValueError, match="size 99"):
        GameText.from_entry("spline", size=99)


@pytest.mark.skipif(os.name == "nt", reason="no kill -9")
def test_killed_worker_process_loses_only_its_job(tmp_path: Path, processes: Processes) -> None:
    store, jobs = RowStore(tmp_path / "rows.db"), trace_jobs(tmp_path, "", "killed", "deadly", *[""] * 5)
    with pytest.raises(
        JobsLostError, match=r"all jobs are done except 1, .*: spline, size 3: traced$"
    ) as lost:
        run(jobs, executor=processes, store=store)
    # A job that kills its process is given up after three attempts; the others are completed.
    assert lost.value.jobs == (jobs[2],)
    assert [store.load_rows(job, program_version()) is not None for job in jobs] == [
        True,
        True,
        False,
        *[True] * 5,
    ]
    assert start_counts(tmp_path) == [1, 2, 3, 1, 1, 1, 1, 1]


def await_children(wanted: set[Any]) -> set[Any]:
    """Wait up to 30 seconds until the child processes are exactly those in ``wanted``.

    Return the ones that exist at the end.
    """
    end = monotonic() + 30
    while (children := {*active_children()}) != wanted and monotonic() < end:
        sleep(0.02)
    return children


def test_busy_worker_processes_end_after_their_jobs() -> None:
    before = {*active_children()}
    executor = Processes(2)
    futures = [executor.submit(abs, -1), *[executor.submit(sleep, 0.3) for _ in range(3)]]
    executor.shutdown(wait=False)
    assert [future.result(timeout=60) for future in futures] == [1, None, None, None]
    assert await_children(before) == before


def test_no_job_begins_after_the_processes_were_killed() -> None:
    before = {*active_children()}
    with Processes(1) as executor:
        assert executor.submit(abs, -1).result() == 1
        futures = [executor.submit(sleep, 600.0) for _ in range(2)]
        executor.kill()
        for future in futures:
            with pytest.raises(JobAbandoned):
                future.result(timeout=60)
        assert await_children(before) == before


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="no kill -9")
def test_worker_processes_end_when_the_program_is_killed() -> None:
    text = """
import os, signal
from shibumi3d.lab import Processes
if __name__ == "__main__":
    processes = Processes(2)
    asked = [processes.submit(os.getpid) for _ in range(20)]
    print(*{one.result() for one in asked}, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        left, end = {*map(int, killed.stdout.readline().split())}, monotonic() + 10
    while left and monotonic() < end:
        for number in list(left):
            try:
                os.kill(number, 0)
            except ProcessLookupError:
                left.discard(number)
        sleep(0.05)
    for number in left:
        os.kill(number, signal.SIGKILL)
    assert not left, "they went on"


def test_unpicklable_result_fails_without_ending_the_worker(processes: Processes) -> None:
    with pytest.raises(TypeError, match="pickle"):
        processes.submit(open, os.devnull).result()
    assert processes.submit(abs, -1).result() == 1


def test_fill_computes_and_stores_missing_rows(tmp_path: Path) -> None:
    store, jobs = RowStore(tmp_path / "rows.db"), trace_jobs(tmp_path, "", "", "")
    run(jobs[:1], store=store)
    seen: list[JobProgress] = []
    fill(jobs, store, on_progress=seen.append)
    assert start_counts(tmp_path) == [1, 1, 1]
    assert [(one.done, one.wanted, one.kept) for one in seen] == [(1, 3, 1), (2, 3, 1), (3, 3, 1)]
    assert [row["number"] for row in run(jobs, store=store)] == [0, 1, 2]
    assert start_counts(tmp_path) == [1, 1, 1]


def test_cpu_time_is_returned_to_a_caller_that_follows_the_progress() -> None:
    args = Namespace(store=None, scheduler=None, workers=1)
    seen: list[JobProgress] = []
    rows, seconds = run_from_args(args, Matches(SMALL, count=2).split(), seen.append)
    assert len(rows) == 2
    assert seconds == seen[-1].seconds > 0


def test_list_of_lost_jobs_is_shortened() -> None:
    lost = JobsLostError(list(Matches(SMALL, ("pebble", "stone"), count=70).split()))
    named = "; ".join(f"spline, size 3: matches, {first} to {first + 9}" for first in range(0, 50, 10))
    assert str(lost) == (f"all jobs are done except 7, whose workers died each time: {named}, …")


def test_threads_of_one_worker_are_independent() -> None:
    jobs = list(RecordedMatchesJob(SMALL, count=20).split())
    rows = run(jobs)
    with ThreadPoolExecutor(2) as executor:
        assert run(jobs, executor=executor) == rows


def test_stored_rows_are_not_recomputed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, jobs = RowStore(tmp_path / "rows.db"), trace_jobs(tmp_path, "", "", "")
    seen: list[JobProgress] = []
    first = run(jobs[:2], store=store)
    assert run(jobs, store=RowStore(tmp_path / "rows.db"), on_progress=seen.append)[:2] == first
    assert start_counts(tmp_path) == [1, 1, 1]
    assert [(one.done, one.wanted, one.kept) for one in seen] == [(2, 3, 2), (3, 3, 2)]
    # Results of another version may differ, so they aren't reused.
    monkeypatch.setattr("shibumi3d.lab.runner.program_version", lambda: "another")
    run(jobs[:1], store=store)
    assert start_counts(tmp_path) == [2, 1, 1]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_other_jobs_finish_and_are_stored_after_a_failure(tmp_path: Path, elsewhere: bool) -> None:
    store, jobs = RowStore(tmp_path / "rows.db"), trace_jobs(tmp_path, "", "failed", "")
    with ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match="job 1"):
        run(jobs, store=store, executor=executor if elsewhere else None)
    assert start_counts(tmp_path) == [1, 1, 1]
    assert [store.load_rows(job, program_version()) is not None for job in jobs] == [True, False, True]


@pytest.mark.parametrize("elsewhere", [False, True])
def test_interrupted_run_continues_with_the_remaining_jobs(tmp_path: Path, elsewhere: bool) -> None:
    store, jobs = RowStore(tmp_path / "rows.db"), trace_jobs(tmp_path, *[""] * 5)

    def stop(progress: JobProgress) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        run(jobs, store=store, on_progress=stop, executor=Halting(3) if elsewhere else None)
    # The jobs that were running when it was stopped are completed and kept.
    done = 3 if elsewhere else 2
    assert (stopped.value.done, stopped.value.wanted) == (done, 5)
    assert start_counts(tmp_path) == [1] * done
    assert [row["number"] for row in run(jobs, store=store)] == list(range(5))
    assert start_counts(tmp_path) == [1] * 5


def test_worker_of_another_version_refuses_the_job() -> None:
    with pytest.raises(VersionMismatchError, match=r"0\.0\.1\+old") as refused:
        run_job(Matches(SMALL, count=1), "0.0.1+old")
    assert program_version() in str(refused.value)


def test_foreign_file_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    text, other = tmp_path / "text", tmp_path / "other.db"
    text.write_text("a letter to somebody, of more than a hundred bytes, as SQLite reads that much" * 3)
    with sqlite3.connect(other) as base:
        base.execute("CREATE TABLE mine (a)")
    for file in (text, other):
        before = file.read_bytes()
        with pytest.raises(ValueError, match=file.name):
            RowStore(file)
        assert file.read_bytes() == before


def test_corrupted_store_is_refused_or_recomputed(tmp_path: Path) -> None:
    file, jobs = tmp_path / "rows.db", trace_jobs(tmp_path, "", "")
    run(jobs, store=RowStore(file))
    whole = file.read_bytes()
    places = [*range(0, 100, 7), *range(100, len(whole), 1013)]
    places += [
        at + step for at in range(len(whole)) if whole[at : at + 6] == b"CREATE" for step in range(0, 120, 9)
    ]
    damaged = [whole[:place] + bytes([whole[place] ^ 0xA0]) + whole[place + 1 :] for place in places]
    for content in [*damaged, *(whole[:size] for size in (0, 1, 50, 100, 4096, len(whole) - 1))]:
        file.write_bytes(content)
        refused, rows = "", None
        try:
            store = RowStore(file)
            store.stored_jobs()
            rows = run(jobs, store=store)
        except ValueError as error:
            refused = str(error)
        assert str(file) in refused if refused else len(rows or ()) == 2


def test_locked_store_is_waited_for_with_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shibumi3d.lab.row_store.NOTICE_SECONDS", 0.1)
    monkeypatch.setattr("shibumi3d.lab.row_store.LOCK_SECONDS", 0.5)
    file, jobs, said = tmp_path / "rows.db", trace_jobs(tmp_path, ""), list[str]()
    rows = run(jobs, store=RowStore(file))
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(ValueError, match="database is locked"):
        RowStore(file, lambda: said.append("waits"))
    assert said == ["waits"]
    assert run(jobs, store=RowStore(file, lambda: other.execute("ROLLBACK"))) == rows
    other.close()
