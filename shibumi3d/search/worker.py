"""Worker process that runs one function at a time and can be stopped at any time."""

from __future__ import annotations

import io
import os
import pickle
import signal
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

GRACE = 2.0
"""Time to wait for a process to end, in seconds."""
LATE = 124
"""Exit code of a process that exceeded its time limit, on systems without CPU time limits."""
NICENESS = 5
"""Niceness of the worker process, so that the window has priority."""
MEMORY = 300 * 1024 * 1024
"""Maximum size of a worker's data in bytes, on systems that can enforce it."""
HURRY = b""
"""Message that asks the worker to answer soon."""
_LATE_CODES = (LATE, -getattr(signal, "SIGXCPU", LATE))
_pipe: Connection | None = None
"""Connection to the program, inside the worker process."""


class WorkerDied(LocalizedError, RuntimeError):
    """Error: the worker process ended before it answered."""


class WorkerLate(LocalizedError, RuntimeError):
    """Error: the job exceeded its CPU time limit."""


class WorkerLacking(LocalizedError, RuntimeError):
    """Error: the system could not start a worker process."""


@dataclass(frozen=True, slots=True)
class _Report:
    """An intermediate result of a job."""

    value: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """The return value of a job or, if ``error`` is not None, the exception that it raised."""

    value: Any = None
    error: BaseException | None = None

    def result(self) -> Any:
        """Return the value of the job, or raise its exception."""
        if self.error is not None:
            raise self.error
        return self.value


class Worker:
    """A process that runs functions, one at a time.

    The process starts with the first :meth:`submit` and ends with the program. No method waits for a job to finish. A
    running job is stopped by :meth:`cancel`, by the next :meth:`submit` and by :meth:`close`.

    If the process dies, the answer is a :class:`WorkerDied`, and the next :meth:`submit` starts a new process. If no
    process can be started, the answer is a :class:`WorkerLacking`. If a job uses more than ``limit`` seconds of CPU
    time, the answer is a :class:`WorkerLate`; time spent waiting on a busy machine does not count.

    If the engine was compiled after the process started, the next :meth:`submit` starts a new process that runs the
    compiled engine. Use an instance from one thread only.
    """

    def __init__(self, limit: float | None = None) -> None:
        self._limit = limit
        self._process: Any = None  # a SpawnProcess, which does not exist on every system
        self._pipe: Connection | None = None
        self._sender: Thread | None = None
        self._compiled = native.stamp()
        self._busy = False
        self._lacking: Answer | None = None  # the answer if no process could be started
        self.report: Any = None
        """The last intermediate result sent with :func:`tell`, or None."""

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def busy(self) -> bool:
        """Whether an answer is still pending."""
        return self._busy

    @property
    def pid(self) -> int | None:
        """ID of the process, or None if there is none."""
        return None if self._process is None else self._process.pid

    def submit(self, name: str, *args: Any, **options: Any) -> None:
        """Run the function ``name`` in the worker process, replacing any running job.

        ``name`` consists of the module and the function, joined by a dot. Arguments and result must be picklable;
        read-only mappings are supported, too.
        """
        job = pickled((name, args, options, self._limit))
        if self._busy or (self._process is not None and not self._process.is_alive()):
            self.cancel()
        if self._compiled != (now := native.stamp()):
            self._compiled = now
            self.close()
        self.report = None
        try:
            if self._process is None:
                self._begin()
            # A process that has just started does not read yet, and a write blocks once the pipe is full.
            sender = Thread(target=_send, args=(self._pipe, job), daemon=True)
            sender.start()
        except (OSError, RuntimeError) as problem:  # no process, no pipe, no thread
            self.close()
            reason = problem if isinstance(problem, OSError) else Message(N_("a thread couldn't be started"))
            self._lacking = Answer(
                error=WorkerLacking("another process couldn't be started ({reason})", reason=reason)
            )
        else:
            self._sender = sender
        self._busy = True

    def poll(self) -> Answer | None:
        """Return the answer when it is available, but only once; otherwise, return None."""
        if not self._busy:
            return None
        if self._lacking is not None:
            answer = self._lacking
            self.close()
            return answer
        assert self._pipe is not None
        try:
            while self._pipe.poll():
                told: Answer | _Report = pickle.loads(self._pipe.recv_bytes())
                if isinstance(told, Answer):
                    self._busy = False
                    return told
                self.report = told.value
        except (EOFError, OSError):
            pass
        else:
            if self._process.is_alive():
                return None
            if self._pipe.poll():  # it answered just before it ended
                return None
        self._process.join(GRACE)  # its pipe is closed, so it is about to end and have an exit code
        late = self._process.exitcode in _LATE_CODES
        self.cancel()
        return Answer(
            error=WorkerLate("it took too long")
            if late
            else WorkerDied("the worker process ended unexpectedly")
        )

    def hurry(self) -> None:
        """Ask the running job to answer soon; only jobs that call :func:`hurried` respond to this."""
        if self._busy and self._pipe is not None:
            if self._sender is not None and self._sender.is_alive():
                self.cancel()  # it has not even read the job yet
                return
            _send(self._pipe, HURRY)

    def cancel(self) -> None:
        """Stop the running job without returning an answer."""
        if self._busy or (self._process is not None and not self._process.is_alive()):
            self.close()

    def close(self) -> None:
        """Stop the running job and end the process; the next :meth:`submit` starts a new one."""
        self._busy, self._lacking = False, None
        process, pipe, sender = self._process, self._pipe, self._sender
        self._process = self._pipe = self._sender = None
        if process is not None:
            process.kill()  # a busy process would ignore anything less, and it has nothing to clean up
            process.join(GRACE)
            with suppress(ValueError):  # still running: leave it to the system
                process.close()
        if sender is not None:
            sender.join(GRACE)  # nobody reads from the pipe any more, so the thread ends
        if pipe is not None:
            pipe.close()

    def _begin(self) -> None:
        context = SpawnContext()  # unlike a fork, it does not inherit the window or graphics
        self._pipe, far = context.Pipe()
        process = context.Process(target=serve, args=(far,), name="shibumi3d worker", daemon=True)
        try:
            process.start()
        finally:
            far.close()
        self._process = process


def serve(pipe: Connection) -> None:
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
        if job == HURRY:  # it arrived after the answer was sent
            continue
        answer = carry_out(job)
        try:
            pipe.send_bytes(answer)
        except OSError:
            return


def bound_memory() -> None:
    """Limit the memory of this process to :data:`MEMORY` if it is a worker process."""
    if _pipe is None:
        return
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def bound_time(seconds: float | None) -> None:
    """End this process after another ``seconds`` of CPU time; None removes the limit."""
    try:
        import resource
    except ImportError:  # on Windows
        _watch.until = None if seconds is None else process_time() + seconds
        if _watch.until is not None and not _watch.is_alive():
            _watch.start()
        return
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(resource.RLIMIT_CPU)
        end = most if seconds is None else ceil(process_time() + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (end, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


class _Watch(Thread):
    """Thread that ends the process when its CPU time is used up."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.until: float | None = None

    def run(self) -> None:
        while True:
            sleep(0.1)
            if (until := self.until) is not None and process_time() > until:
                os._exit(LATE)


_watch = _Watch()


def tell(value: Any) -> None:
    """Send an intermediate result from the worker process to the program; see :attr:`Worker.report`."""
    if _pipe is not None:
        _send(_pipe, pickled(_Report(value)))


def hurried() -> bool:
    """Return whether the program has asked this worker process to answer soon.

    If the program is no longer running, exit.
    """
    if _pipe is None:
        return False
    try:
        return _pipe.poll() and _pipe.recv_bytes() == HURRY
    except (EOFError, OSError):
        raise SystemExit from None


def carry_out(job: bytes) -> bytes:
    """Run a pickled job; return its :class:`Answer`, pickled."""
    try:
        name, args, options, limit = pickle.loads(job)
        module, _, function = name.rpartition(".")
        work = getattr(import_module(module), function)
        if _pipe is not None:
            bound_time(limit)
        try:
            return pickled(Answer(work(*args, **options)))
        finally:
            if _pipe is not None:
                bound_time(None)
    except Exception as error:
        try:
            packed = pickled(Answer(error=error))
            pickle.loads(packed)
        except Exception:
            return pickled(Answer(error=RuntimeError(f"{type(error).__name__}: {error}")))
        return packed


class _Pickler(pickle.Pickler):
    """Pickler that supports read-only mappings, such as those of a game's texts."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, MappingProxyType):
            return _frozen, (dict(obj),)
        return NotImplemented


def pickled(value: Any) -> bytes:
    """Return a value pickled for transfer to another process."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def _frozen(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


def _send(pipe: Connection, job: bytes) -> None:
    with suppress(OSError):  # the process has ended: poll() will report it
        pipe.send_bytes(job)
