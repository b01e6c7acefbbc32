"""Worker processes: they answer, can be stopped at any time, and leave nothing behind."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

import shibumi3d
from shibumi3d import native
from shibumi3d.search.solver import SolveResult, solve
from shibumi3d.search.worker import Answer, Worker, WorkerDied, WorkerTimeout, WorkerUnavailable

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300.0
"""Seconds after which a process counts as hanging; generous, because the machine may be busy."""


@pytest.fixture
def worker() -> Iterator[Worker]:
    with Worker() as made:
        yield made
    assert not multiprocessing.active_children()


def wait_for_answer(worker: Worker) -> Answer:
    end = monotonic() + PATIENCE
    while monotonic() < end:
        answer = worker.poll()
        if answer is not None:
            return answer
        sleep(0.005)
    raise AssertionError("no answer")


def test_worker_starts_no_process_before_first_job(worker: Worker) -> None:
    assert (worker.pid, worker.is_busy, worker.poll()) == (None, False, None)


def test_worker_reuses_its_process(worker: Worker) -> None:
    worker.submit("operator.add", 1, 2)
    assert worker.is_busy
    assert wait_for_answer(worker) == Answer(3)
    assert (worker.is_busy, worker.poll()) == (False, None)
    first = worker.pid
    worker.submit("builtins.sorted", [1, 3, 2], reverse=True)
    assert wait_for_answer(worker).result() == [3, 2, 1]
    assert worker.pid == first


def test_worker_process_is_replaced_after_engine_compilation(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests made before the compilation are answered by the old process, later ones by the new."""
    stamps = [(0, 0)]
    monkeypatch.setattr(native, "record_times", lambda: stamps[-1])
    with Worker() as another:
        another.submit("operator.add", 1, 2)
        stamps.append((7, 0))
        assert wait_for_answer(another) == Answer(3)
        first = another.pid
        another.submit("operator.add", 2, 2)
        assert wait_for_answer(another) == Answer(4)
        second = another.pid
        assert second != first
        another.submit("operator.add", 2, 3)
        assert wait_for_answer(another) == Answer(5)
        assert another.pid == second


def test_worker_returns_exceptions(worker: Worker) -> None:
    worker.submit("operator.truediv", 1, 0)
    answer = wait_for_answer(worker)
    with pytest.raises(ZeroDivisionError):
        answer.result()
    worker.submit("nowhere.to_be_found")
    assert isinstance(wait_for_answer(worker).error, ModuleNotFoundError)
    worker.submit("threading.Lock")
    assert "pickle" in str(wait_for_answer(worker).error)


def test_new_job_replaces_running_job(worker: Worker) -> None:
    worker.submit("time.sleep", 600)
    first = worker.pid
    worker.submit("operator.add", 2, 2)  # and nobody waits ten minutes
    assert wait_for_answer(worker) == Answer(4)
    assert worker.pid != first


def test_cancelled_job_gives_no_answer(worker: Worker) -> None:
    worker.submit("time.sleep", 600)
    worker.cancel()
    assert (worker.is_busy, worker.poll()) == (False, None)
    worker.cancel()
    worker.submit("operator.add", 3, 3)
    assert wait_for_answer(worker) == Answer(6)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signals")
def test_killed_worker_process_is_reported_and_replaced(worker: Worker) -> None:
    worker.submit("time.sleep", 600)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    assert isinstance(wait_for_answer(worker).error, WorkerDied)
    worker.submit("operator.add", 4, 4)
    assert wait_for_answer(worker) == Answer(8)
    os.kill(worker.pid, signal.SIGKILL)  # while it has nothing to do
    sleep(0.2)
    worker.submit("operator.add", 5, 5)
    assert wait_for_answer(worker) == Answer(10)


def test_exited_worker_process_is_reported(worker: Worker) -> None:
    worker.submit("os._exit", 3)
    assert isinstance(wait_for_answer(worker).error, WorkerDied)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc")
def test_closed_worker_leaves_no_zombies(worker: Worker) -> None:
    pids = []
    for _ in range(3):
        worker.submit("time.sleep", 600)
        pids.append(worker.pid)
    worker.close()
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def test_large_job_is_sent_without_blocking(worker: Worker) -> None:
    worker.submit("builtins.len", b"x" * 20_000_000)
    assert worker._sender is not None
    assert worker._sender.is_alive()  # a pipe holds far less, and its reader has only just begun
    assert wait_for_answer(worker) == Answer(20_000_000)


def test_game_and_state_can_be_sent_to_worker(worker: Worker) -> None:
    game = shibumi3d.game("spoff")
    state = game.start(seed=1)
    worker.submit("shibumi3d.search.solver.solve", game, state, max_moves=50_000)
    verdict = wait_for_answer(worker).result()
    assert isinstance(verdict, SolveResult)
    assert verdict == solve(game, state, max_moves=50_000)


def test_worker_loads_no_window_or_graphics() -> None:
    code = (
        "import sys, time\n"
        "from shibumi3d.search.worker import Worker\n"
        "if __name__ == '__main__':\n"
        "    worker = Worker()\n"
        "    worker.submit('builtins.eval', 'sorted(__import__(\"sys\").modules)')\n"
        "    while (answer := worker.poll()) is None:\n"
        "        time.sleep(0.01)\n"
        "    print(*answer.result())\n"
        "    print(*sorted(sys.modules))\n"
        "    worker.submit('time.sleep', 600)\n"  # and ends with the program although it is not closed
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert ran.stderr == ""
    assert ran.returncode == 0
    for modules in ran.stdout.splitlines():
        assert not {"pyglet", "moderngl", "numpy", "yaml"} & set(modules.split())


def _refusing(*_: object, **__: object) -> object:
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))


@pytest.mark.parametrize("lacking", ["context.SpawnProcess.start", "context.SpawnContext.Pipe"])
def test_unavailable_worker_process_is_reported(
    worker: Worker, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    for again in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(f"multiprocessing.{lacking}", _refusing)
            worker.submit("operator.add", 1, 2)
            assert worker.is_busy
            answer = wait_for_answer(worker)
            assert isinstance(answer.error, WorkerUnavailable)
            assert (
                str(answer.error)
                == "another process couldn't be started (the system is out of resources right now)"
            )
            assert (worker.is_busy, worker.poll(), worker.pid) == (False, None, None)
        worker.submit("operator.add", again, 2)
        assert wait_for_answer(worker) == Answer(again + 2)
        worker.close()


def test_unavailable_sender_thread_is_reported(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    class Unusable(Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr("shibumi3d.search.worker.Thread", Unusable)
        worker.submit("operator.add", 1, 2)
        assert isinstance(wait_for_answer(worker).error, WorkerUnavailable)
    assert not multiprocessing.active_children()
    worker.submit("operator.add", 4, 2)
    assert wait_for_answer(worker) == Answer(6)


needs_signals = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="processes can't be stopped here")


def test_job_exceeding_time_limit_is_stopped() -> None:
    with Worker(max_cpu_seconds=1.0) as worker:
        worker.submit("builtins.sum", range(10**12))
        assert isinstance(wait_for_answer(worker).error, WorkerTimeout)
        worker.submit("operator.add", 1, 2)
        assert wait_for_answer(worker) == Answer(3)


def test_each_job_has_its_own_time_limit() -> None:
    with Worker(max_cpu_seconds=1.0) as worker:
        worker.submit("operator.add", 1, 2)
        wait_for_answer(worker)
        first = worker.pid
        for _ in range(4):
            worker.submit("builtins.sum", range(10_000_000))
            assert wait_for_answer(worker) == Answer(49_999_995_000_000)
        assert worker.pid == first


@needs_signals
def test_paused_worker_process_does_not_time_out() -> None:
    with Worker(max_cpu_seconds=1.0) as worker:
        worker.submit("operator.add", 1, 2)
        wait_for_answer(worker)
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)
        worker.submit("operator.add", 3, 4)
        sleep(1.5)
        assert worker.poll() is None
        os.kill(worker.pid, signal.SIGCONT)
        assert wait_for_answer(worker) == Answer(7)


@needs_signals
def test_stopped_worker_process_is_ended_quickly() -> None:
    worker = Worker()
    worker.submit("time.sleep", 100)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGSTOP)
    started_at = monotonic()
    worker.close()
    assert monotonic() - started_at < 1.0
    assert not multiprocessing.active_children()
