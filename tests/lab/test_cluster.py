"""Jobs on the workers of a Dask scheduler: they give the same rows as local ones, even if workers are killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from shibumi3d.cli.main import main
from shibumi3d.lab import (
    GameText,
    JobProgress,
    Matches,
    Processes,
    RowStore,
    Stopped,
    VersionMismatchError,
    run,
    scheduled,
)
from shibumi3d.lab.runner import JobsLostError, program_version, run_job
from tests.lab.odd import Slow, Traced, start_counts

distributed: Any = pytest.importorskip("distributed")
ROOT = Path(__file__).resolve().parents[2]
SMALL = GameText.from_entry("spline", size=3)
MATCHES = Matches(SMALL, ("pebble", "stone"), seed=3, tries=4, count=60)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@contextmanager
def local_scheduler() -> Iterator[str]:
    """Start a scheduler whose worker is a thread of this process; yield the scheduler's address."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None, protocol="tcp",
        host="127.0.0.1",
    ) as cluster:  # fmt: skip
        yield cluster.scheduler_address


@contextmanager
def scheduler_programs(nannies: bool = False) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Run a scheduler and two workers as separate programs until the context is left.

    Yield the scheduler's address and the two processes that were started for the workers. With ``nannies``, these are
    nannies: each runs a worker in another process, and restarts it if it ends.
    """
    address = f"tcp://127.0.0.1:{free_port()}"
    with ExitStack() as stack:

        def start(*words: str) -> subprocess.Popen[bytes]:
            one = subprocess.Popen(
                [sys.executable, "-m", "distributed.cli." + words[0], *words[1:]],
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=ROOT,
            )
            stack.callback(one.wait)
            stack.callback(one.kill)
            return one

        start("dask_scheduler", "--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard")
        nanny_option = "--nanny" if nannies else "--no-nanny"
        alone = ("--nthreads", "1", "--no-dashboard", "--host", "127.0.0.1")
        yield address, [start("dask_worker", address, nanny_option, *alone) for _ in range(2)]


def slow(folder: Path, count: int, seconds: float) -> list[Slow]:
    return [Slow(SMALL, number, str(folder), seconds) for number in range(count)]


def test_cluster_gives_the_same_rows_and_rejects_version_mismatch() -> None:
    matches = Matches(SMALL, count=600)
    with local_scheduler() as address, scheduled(address) as executor:
        assert run(matches.split(), executor=executor) == run(matches.split())
        with pytest.raises(VersionMismatchError, match=r"0\.0\.1\+old"):
            executor.submit(run_job, matches, "0.0.1+old").result()


@pytest.mark.parametrize("often", [1, 2])
def test_interrupted_cluster_finishes_running_jobs_unless_interrupted_again(
    tmp_path: Path, often: int
) -> None:
    store, jobs = RowStore(tmp_path / "rows.db"), slow(tmp_path, 8, 0.6)

    def stop(progress: JobProgress) -> None:
        if progress.done == 1:
            raise KeyboardInterrupt

    with local_scheduler() as address:
        start = monotonic()
        with pytest.raises(Stopped) as stopped, scheduled(address) as executor:  # noqa: PT012
            if often == 2:
                _impatient(executor)
            run(jobs, executor=executor, store=store, on_progress=stop)
        took = monotonic() - start
    kept = [one for one in jobs if store.load_rows(one, program_version()) is not None]
    assert stopped.value.done == len(kept) < 8
    if often == 1:
        # Jobs that had been started were completed, and their rows kept.
        assert len(start_counts(tmp_path)) == len(kept) >= 2
    else:
        assert len(kept) == 1
        assert took < 1.5


def _impatient(executor: Any) -> None:
    """Arrange for a second Ctrl-C shortly after ``executor`` is asked for its running jobs."""
    seen = executor.running_keys

    def running_keys() -> frozenset[str]:
        found: frozenset[str] = seen()
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        return found

    def pressed(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGALRM, pressed)
    executor.running_keys = running_keys


def test_unreachable_scheduler_is_named_promptly(
    capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    address = f"tcp://127.0.0.1:{free_port()}"
    monkeypatch.setattr("shibumi3d.lab.dask_executor.CONNECT_SECONDS", 0.5)
    assert main(["selfplay", "spline", "--games", "2", "--scheduler", address]) == 1
    assert address in capsys.readouterr().err


@pytest.mark.thorough
def test_cluster_and_local_workers_give_the_same_rows() -> None:
    rows = run(MATCHES.split())
    with Processes(2) as executor:
        assert run(MATCHES.split(), executor=executor) == rows
    with scheduler_programs() as (address, _), scheduled(address) as executor:
        assert run(MATCHES.split(), executor=executor) == rows


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="no kill -9")
def test_killed_worker_loses_at_most_its_unreported_jobs(
    tmp_path: Path,
) -> None:
    jobs = [Traced(SMALL, number, str(tmp_path), "killed late" if number == 3 else "") for number in range(8)]
    with scheduler_programs() as (address, workers), scheduled(address) as executor:
        assert [row["number"] for row in run(jobs, executor=executor)] == list(range(8))
        # It takes a moment for a killed program to be recognised as dead.
        end = monotonic() + 5
        while all(one.poll() is None for one in workers) and monotonic() < end:
            sleep(0.05)
        assert sorted(one.poll() is None for one in workers) == [False, True]
    assert start_counts(tmp_path)[3] == 2
    assert 9 <= sum(start_counts(tmp_path)) <= 10


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="no kill -9")
def test_job_that_kills_every_worker_is_named(tmp_path: Path) -> None:
    jobs = [Traced(SMALL, number, str(tmp_path), "deadly" if number == 1 else "") for number in range(4)]
    store = RowStore(tmp_path / "rows.db")
    with scheduler_programs(nannies=True) as (address, _), scheduled(address) as executor:
        with pytest.raises(JobsLostError) as lost:
            run(jobs, executor=executor, store=store)
        assert lost.value.jobs == (jobs[1],)
    assert [store.load_rows(job, program_version()) is not None for job in jobs] == [True, False, True, True]


@pytest.mark.parametrize("address", ["bogus::x", "", "tcp://", "no://a:1", "tcp://127.0.0.1:99999", "x"])
def test_invalid_scheduler_address_gives_one_message(address: str) -> None:
    """Nothing but the message is printed, not even when the program exits."""
    code = "from shibumi3d.lab import dask_executor\ndask_executor.CONNECT_SECONDS = 0.5\n"
    code += f"try: dask_executor.scheduled({address!r})\n"
    code += "except ValueError as error: print(error)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert (done.stdout, done.stderr) == (f"no scheduler responded at {address}\n", "")
