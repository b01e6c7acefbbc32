"""Work done beside the program: a process of its own that runs one function at a time and can be stopped at once."""

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
"""Seconds that are waited for a process that was killed."""
LATE = 124
"""How a process ends that has used up its time, where the system does not see to that."""
NICENESS = 5
"""How far the worker steps back behind the window."""
MEMORY = 300 * 1024 * 1024
"""Bytes of data that the worker may hold, where the system sees to that."""
HURRY = b""
"""The message that asks for an answer soon."""
_LATE_CODES = (LATE, -getattr(signal, "SIGXCPU", LATE))
_pipe: Connection | None = None
"""Within the process: the way to the program."""


class WorkerDied(LocalizedError, RuntimeError):
    """The worker's process ended before it had an answer."""


class WorkerLate(LocalizedError, RuntimeError):
    """The job has used more of the processor's time than it may."""


class WorkerLacking(LocalizedError, RuntimeError):
    """The system gives no process to work in."""


@dataclass(frozen=True, slots=True)
class _Report:
    """What is known before the answer."""

    value: Any


@dataclass(frozen=True, slots=True)
class Answer:
    """What a function returned, or, when ``error`` is not None, what it raised."""

    value: Any = None
    error: BaseException | None = None

    def result(self) -> Any:
        """Return the value of the job; raises its error when there is one."""
        if self.error is not None:
            raise self.error
        return self.value


class Worker:
    """Runs functions in a process of its own, one at a time. The process begins with the first :meth:`submit`.

    Nothing here waits for the work. What is under way is stopped by :meth:`cancel`, by the next :meth:`submit` and
    by :meth:`close`; should the process die, the answer is a :class:`WorkerDied` and the next :meth:`submit` begins
    a new one; should none begin, the answer is a :class:`WorkerLacking`. A job that uses more than ``limit`` seconds
    of the processor's time is answered by a :class:`WorkerLate`: however busy the machine is, none is given up that
    only had to wait. It ends with the program. When the engine was
    compiled since the process began, the next :meth:`submit` begins a new one, which runs what was compiled. To be used
    from one thread.
    """

    def __init__(self, limit: float | None = None) -> None:
        self._limit = limit
        self._process: Any = None  # a SpawnProcess, a name that only some systems have
        self._pipe: Connection | None = None
        self._sender: Thread | None = None
        self._compiled = native.stamp()
        self._busy = False
        self._lacking: Answer | None = None  # what is answered where no process could be begun
        self.report: Any = None
        """What the function last told of with :func:`tell`; None when nothing yet."""

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._busy

    @property
    def pid(self) -> int | None:
        """The number of the process, None while there is none."""
        return None if self._process is None else self._process.pid

    def submit(self, name: str, *args: Any, **options: Any) -> None:
        """Begin to run the function called ``name`` (module and name joined by a dot), in place of what runs now.

        Arguments and result must be picklable; mappings that can't be written to are seen to.
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
            # A process that has only just begun does not read yet, and a pipe holds no more than so much.
            sender = Thread(target=_send, args=(self._pipe, job), daemon=True)
            sender.start()
        except (OSError, RuntimeError) as problem:  # no process, no pipe, no thread
            self.close()
            reason = problem if isinstance(problem, OSError) else Message(N_("can't start new thread"))
            self._lacking = Answer(
                error=WorkerLacking("no other process could be started ({reason})", reason=reason)
            )
        else:
            self._sender = sender
        self._busy = True

    def poll(self) -> Answer | None:
        """Return the answer, once; None while there is none yet or nothing was asked."""
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
        self._process.join(GRACE)  # its pipe is closed: it is ending, and how is known in a moment
        late = self._process.exitcode in _LATE_CODES
        self.cancel()
        return Answer(
            error=WorkerLate("it took too long")
            if late
            else WorkerDied("the process that did the work ended unexpectedly")
        )

    def hurry(self) -> None:
        """Ask the running job for its answer, which it gives if it looks for that with :func:`hurried`."""
        if self._busy and self._pipe is not None:
            if self._sender is not None and self._sender.is_alive():
                self.cancel()  # it does not even read yet
                return
            _send(self._pipe, HURRY)

    def cancel(self) -> None:
        """Stop the running job; its answer never comes."""
        if self._busy or (self._process is not None and not self._process.is_alive()):
            self.close()

    def close(self) -> None:
        """Stop the running job and end the process. Another :meth:`submit` begins a new one."""
        self._busy, self._lacking = False, None
        process, pipe, sender = self._process, self._pipe, self._sender
        self._process = self._pipe = self._sender = None
        if process is not None:
            process.kill()  # what is stopped would not heed anything less, and it has nothing to put away
            process.join(GRACE)
            with suppress(ValueError):  # not ended even so: the system is left to clear it away
                process.close()
        if sender is not None:
            sender.join(GRACE)  # nobody reads any more, so it ends
        if pipe is not None:
            pipe.close()

    def _begin(self) -> None:
        context = SpawnContext()  # unlike a fork it takes no window or graphics along
        self._pipe, far = context.Pipe()
        process = context.Process(target=serve, args=(far,), name="shibumi3d worker", daemon=True)
        try:
            process.start()
        finally:
            far.close()
        self._process = process


def serve(pipe: Connection) -> None:
    """Answer jobs in the process until the other side is gone."""
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
        if job == HURRY:  # it came after the answer
            continue
        answer = carry_out(job)
        try:
            pipe.send_bytes(answer)
        except OSError:
            return


def bound_memory() -> None:
    """Keep this process from holding more than :data:`MEMORY` from now on."""
    if _pipe is None:
        return
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def bound_time(seconds: float | None) -> None:
    """Let this process end once it has used so many seconds more of the processor's time; None: never."""
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
    """Ends the process when it has used up its time."""

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
    """Let the program know something before the answer, from within the process; see :attr:`Worker.report`."""
    if _pipe is not None:
        _send(_pipe, pickled(_Report(value)))


def hurried() -> bool:
    """Return whether the program asks for an answer soon, from within the process; end it when the program is gone."""
    if _pipe is None:
        return False
    try:
        return _pipe.poll() and _pipe.recv_bytes() == HURRY
    except (EOFError, OSError):
        raise SystemExit from None


def carry_out(job: bytes) -> bytes:
    """Run one pickled job; return the pickled :class:`Answer`."""
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
    """Pickles mappings that can't be written to, too, such as those of a game's texts."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, MappingProxyType):
            return _frozen, (dict(obj),)
        return NotImplemented


def pickled(value: Any) -> bytes:
    """Return a value as bytes for another process."""
    buffer = io.BytesIO()
    _Pickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def _frozen(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


def _send(pipe: Connection, job: bytes) -> None:
    with suppress(OSError):  # the process has ended: poll() will tell
        pipe.send_bytes(job)
