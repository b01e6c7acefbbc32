"""Worker process that runs one function at a time and can be stopped at any time."""

from __future__ import annotations

import io
import os
import pickle
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from math import ceil
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from threading import Thread
from time import process_time, sleep
from types import MappingProxyType, TracebackType
from typing import Any

from shibumi3d import native
from shibumi3d.i18n import N_, LocalizedError, Message

JOIN_SECONDS = 2.0
"""Maximum time to wait for a process to end, in seconds."""
TIMEOUT_EXIT_CODE = 124
"""Exit code of a process that exceeded its time limit, on systems without CPU time limits."""
NICENESS = 5
"""Amount added to the niceness of the worker process, so that the window has priority."""
MAX_MEMORY_BYTES = 300 * 1024 * 1024
"""Maximum size of a worker's data in bytes, on systems that can enforce it."""
HURRY_MESSAGE = b""
"""Message that asks the worker to answer soon."""
_TIMEOUT_CODES = (TIMEOUT_EXIT_CODE, -getattr(signal, "SIGXCPU", TIMEOUT_EXIT_CODE))
_pipe: Connection | None = None
"""Connection to the program, inside the worker process; None in all other processes."""


class WorkerDied(LocalizedError, RuntimeError):
    """Raised when the worker process ends before it has answered."""


class WorkerTimeout(LocalizedError, RuntimeError):
    """Raised when a job exceeds its CPU time limit."""


class WorkerUnavailable(LocalizedError, RuntimeError):
    """Raised when the system can't start a worker process."""


@dataclass(frozen=True, slots=True)
class _ProgressReport:
    value: object


@dataclass(frozen=True, slots=True)
class Answer:
    """Outcome of a job: its return value, or an error if the job or the worker failed.

    If ``error`` is None, the job succeeded and ``value`` is its return value.
    """

    value: Any = None
    error: BaseException | None = None

    def result(self) -> Any:
        """Return the value of the job, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value


class Worker:
    """A process that runs functions, one at a time.

    The process starts with the first :meth:`submit` and ends, at the latest, when the program exits. No method waits
    for a job to finish. A running job is stopped by :meth:`cancel`, by the next :meth:`submit` and by :meth:`close`.

    If the process dies, the answer contains a :class:`WorkerDied`, and the next :meth:`submit` starts a new process. If
    no process can be started, the answer contains a :class:`WorkerUnavailable`. If a job uses more than
    ``max_cpu_seconds`` of CPU time, the answer contains a :class:`WorkerTimeout`; time spent waiting on a busy machine
    does not count.

    If the engine was compiled after the process started, the next :meth:`submit` starts a new process, which uses the
    compiled engine. Use an instance from one thread only.
    """

    def __init__(self, max_cpu_seconds: float | None = None) -> None:
        self._max_cpu_seconds = max_cpu_seconds
        self._process: Any = None  # a SpawnProcess, which does not exist on every system
        self._pipe: Connection | None = None
        self._sender: Thread | None = None
        self._engine_stamp = native.record_times()
        self._busy = False
        self._start_failure: Answer | None = None  # the answer if no process could be started
        self.report: Any = None
        """The last intermediate result sent with :func:`report_progress`, or None."""

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still pending."""
        return self._busy

    @property
    def pid(self) -> int | None:
        """ID of the process, or None if there is none."""
        return None if self._process is None else self._process.pid

    def submit(self, name: str, *args: object, **options: object) -> None:
        """Run the function ``name`` in the worker process, replacing any running job.

        ``name`` is the dotted name of the function, including its module, such as ``package.module.function``. The
        arguments and the result must be picklable; read-only mappings are also supported.
        """
        job = pickle_value((name, args, options, self._max_cpu_seconds))
        if self._busy or (self._process is not None and not self._process.is_alive()):
            self.cancel()
        if self._engine_stamp != (now := native.record_times()):
            self._engine_stamp = now
            self.close()
        self.report = None
        try:
            if self._process is None:
                self._start_process()
            # A process that has just started does not read yet, and a write blocks once the pipe is full.
            sender = Thread(target=_send, args=(self._pipe, job), daemon=True)
            sender.start()
        except (OSError, RuntimeError) as problem:  # no process, no pipe, no thread
            self.close()
            reason = problem if isinstance(problem, OSError) else Message(N_("a thread couldn't be started"))
            self._start_failure = Answer(
                error=WorkerUnavailable("another process couldn't be started ({reason})", reason=reason)
            )
        else:
            self._sender = sender
        self._busy = True

    def poll(self) -> Answer | None:
        """Return the answer if it has arrived, or None if it is still pending or no job is running.

        Each answer is returned only once. If the process has died or couldn't be started, the answer contains an error.
        If intermediate results have arrived, the last one is stored in ``report``.
        """
        if not self._busy:
            return None
        if self._start_failure is not None:
            answer = self._start_failure
            self.close()
            return answer
        assert self._pipe is not None
        try:
            while self._pipe.poll():
                received: Answer | _ProgressReport = pickle.loads(self._pipe.recv_bytes())
                if isinstance(received, Answer):
                    self._busy = False
                    return received
                self.report = received.value
        except (EOFError, OSError):
            pass
        else:
            if self._process.is_alive():
                return None
            if self._pipe.poll():  # it answered just before it ended
                return None
        self._process.join(JOIN_SECONDS)  # its pipe is closed, so it will soon end and have an exit code
        has_timed_out = self._process.exitcode in _TIMEOUT_CODES
        self.cancel()
        return Answer(
            error=WorkerTimeout("it took too long")
            if has_timed_out
            else WorkerDied("the worker process ended unexpectedly")
        )

    def hurry(self) -> None:
        """Ask the running job to answer soon, or cancel it if the worker hasn't received it yet.

        Only jobs that call :func:`hurry_requested` respond.
        """
        if self._busy and self._pipe is not None:
            if self._sender is not None and self._sender.is_alive():
                self.cancel()  # it has not even read the job yet
                return
            _send(self._pipe, HURRY_MESSAGE)

    def cancel(self) -> None:
        """Stop the running job, if any, by ending the process; :meth:`poll` returns no answer for it."""
        if self._busy or (self._process is not None and not self._process.is_alive()):
            self.close()

    def close(self) -> None:
        """Stop the running job and end the process; the next :meth:`submit` starts a new process."""
        self._busy, self._start_failure = False, None
        process, pipe, sender = self._process, self._pipe, self._sender
        self._process = self._pipe = self._sender = None
        if process is not None:
            process.kill()  # a busy process would ignore anything less, and it has nothing to clean up
            process.join(JOIN_SECONDS)
            with suppress(ValueError):  # still running: leave it to the system
                process.close()
        if sender is not None:
            sender.join(JOIN_SECONDS)  # nobody reads from the pipe any more, so the thread ends
        if pipe is not None:
            pipe.close()

    def _start_process(self) -> None:
        context = SpawnContext()  # unlike a fork, it does not inherit the window or graphics
        self._pipe, far = context.Pipe()
        process = context.Process(target=run_worker, args=(far,), name="shibumi3d worker", daemon=True)
        try:
            process.start()
        finally:
            far.close()
        self._process = process


def run_worker(pipe: Connection) -> None:
    """Run jobs in the worker process until the program closes the connection."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in a terminal is meant for the program
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    global _pipe  # one process, one pipe
    _pipe = pipe
    while True:
        try:
            job = pipe.recv_bytes()
        except (EOFError, OSError):
            return
        if job == HURRY_MESSAGE:  # it arrived after the answer was sent
            continue
        answer = run_job(job)
        try:
            pipe.send_bytes(answer)
        except OSError:
            return


def limit_memory() -> None:
    """Limit the memory of this process to :data:`MAX_MEMORY_BYTES` if it is a worker process.

    Nothing happens on systems that don't support such a limit.
    """
    if _pipe is None:
        return
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))


def limit_cpu_time(seconds: float | None) -> None:
    """End this process once it has used ``seconds`` more seconds of CPU time; None removes the limit.

    Except on Windows, the limit is rounded up to a full second.
    """
    try:
        import resource
    except ImportError:  # on Windows
        _watchdog.deadline = None if seconds is None else process_time() + seconds
        if _watchdog.deadline is not None and not _watchdog.is_alive():
            _watchdog.start()
        return
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        end = most if seconds is None else ceil(process_time() + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (end, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


class _CpuWatchdog(Thread):
    """Thread that ends the process when the CPU time of the process exceeds ``deadline``."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.deadline: float | None = None

    def run(self) -> None:
        while True:
            sleep(0.1)
            if (until := self.deadline) is not None and process_time() > until:
                os._exit(TIMEOUT_EXIT_CODE)


_watchdog = _CpuWatchdog()


def report_progress(value: object) -> None:
    """Send an intermediate result from this worker process to the program; see :attr:`Worker.report`.

    In any other process, do nothing.
    """
    if _pipe is not None:
        _send(_pipe, pickle_value(_ProgressReport(value)))


def hurry_requested() -> bool:
    """Return whether the program has asked this worker process to answer soon.

    Each request is reported only once. In any other process, return False. Raises SystemExit if the program is no
    longer running.
    """
    if _pipe is None:
        return False
    try:
        return _pipe.poll() and _pipe.recv_bytes() == HURRY_MESSAGE
    except (EOFError, OSError):
        raise SystemExit from None


def make_hurry_callback() -> Callable[[], bool]:
    """Return a callback that returns True once the program has asked this worker process to hurry."""
    is_requested = False

    def should_stop() -> bool:
        nonlocal is_requested
        is_requested = is_requested or hurry_requested()
        return is_requested

    return should_stop


def run_job(job: bytes) -> bytes:
    """Run a pickled job and return its :class:`Answer`, pickled.

    If the job fails, the answer contains its exception, or a RuntimeError if the exception can't be pickled. The CPU
    time limit of the job applies only in a worker process.
    """
    try:
        name, args, options, limit = pickle.loads(job)
        module, _, function = name.rpartition(".")
        work = getattr(import_module(module), function)
        if _pipe is not None:
            limit_cpu_time(limit)
        try:
            return pickle_value(Answer(work(*args, **options)))
        finally:
            if _pipe is not None:
                limit_cpu_time(None)
    except Exception as error:
        try:
            packed = pickle_value(Answer(error=error))
            pickle.loads(packed)
        except Exception:
            return pickle_value(Answer(error=RuntimeError(f"{type(error).__name__}: {error}")))
        return packed


class _Pickler(pickle.Pickler):
    """Pickler that supports read-only mappings, such as those of a game's texts."""

    def reducer_override(self, obj: object) -> Any:
        if isinstance(obj, MappingProxyType):
            return _to_mapping_proxy, (dict(obj),)
        return NotImplemented


def pickle_value(value: object) -> bytes:
    """Return a value pickled for transfer to another process."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def _to_mapping_proxy(mapping: dict[object, object]) -> MappingProxyType[object, object]:
    return MappingProxyType(mapping)


def _send(pipe: Connection, job: bytes) -> None:
    with suppress(OSError):  # the process has ended: poll() will report it
        pipe.send_bytes(job)
