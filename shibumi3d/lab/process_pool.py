"""Running jobs in several processes on this machine. If a process is killed, only its job is affected."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from queue import SimpleQueue
from threading import Lock, Thread, active_count
from typing import Any, TypeVar

from shibumi3d.lab.runner import JobAbandoned

T = TypeVar("T")
MAX_TRIES = 3
"""Maximum number of attempts at a job.

A job is tried again if its process dies, but not indefinitely, since the job itself may be the cause.
"""


class Processes(ThreadPoolExecutor):
    """An executor that runs jobs in ``number`` processes, with a thread that waits for each running job.

    Unlike Python's own ProcessPoolExecutor, it doesn't end all processes when one of them dies.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._idle: SimpleQueue[_WorkerProcess] = SimpleQueue()
        self._processes: set[_WorkerProcess] = set()
        self._killed = False
        # A forked process has the program and its games in memory from the start. But if other threads are running,
        # locks that they hold would never be released in it.
        forked = sys.platform == "linux" and active_count() == 1
        for _ in range(number):
            self._idle.put(self._new_process(forked))

    def _new_process(self, forked: bool = False) -> _WorkerProcess:
        process = _WorkerProcess(forked)
        self._processes.add(process)
        return process

    def submit(self, function: Callable[..., T], /, *args: object, **options: object) -> Future[T]:
        """Run ``function`` in a process and return a future of its result.

        The function, its arguments and its result are pickled.
        """
        return super().submit(self._run, function, *args, **options)

    def _run(self, function: Callable[..., T], /, *args: object, **options: object) -> T:
        if self._killed:
            raise JobAbandoned
        process = self._idle.get()
        try:
            for left in reversed(range(MAX_TRIES)):
                try:
                    return process.call(function, args, options)  # type: ignore[no-any-return]
                except _ProcessDied:
                    self._processes.discard(process)
                    process = self._new_process()
                    if self._killed or not left:
                        raise JobAbandoned from None
            raise AssertionError
        finally:
            self._idle.put(process)

    def kill(self) -> None:
        """End all processes immediately; unfinished jobs raise :class:`.JobAbandoned`."""
        self._killed = True
        for process in list(self._processes):
            process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes once their jobs are done, and wait for that if ``wait`` is set.

        If ``cancel_futures`` is set, jobs that have not begun are cancelled.
        """
        super().shutdown(wait, cancel_futures=cancel_futures)
        if wait:
            self._end_processes()
        else:
            Thread(target=self._end_processes, name="end of jobs").start()

    def _end_processes(self) -> None:
        """Wait until all jobs are done, then end the processes."""
        super().shutdown(wait=True)
        while not self._idle.empty():
            self._idle.get().stop()


class _ProcessDied(Exception):
    """Raised when a process has died."""


class _WorkerProcess:
    """A worker process.

    If ``forked`` is set, the process is forked at once; otherwise, it is started when it is first needed.
    """

    def __init__(self, forked: bool) -> None:
        self._process: Any = None
        self._pipe: Any = None
        self._lock = Lock()
        """Lock that prevents the process from being started after it was killed."""
        self._killed = False
        if forked:
            self._start(get_context("fork"))

    def _start(self, context: Any) -> None:
        self._pipe, child_pipe = context.Pipe()
        self._process = context.Process(target=_run_worker, args=(child_pipe,), daemon=True)
        self._process.start()
        child_pipe.close()

    def call(
        self, function: Callable[..., object], args: tuple[object, ...], options: dict[str, object]
    ) -> Any:
        """Run a function in the process; return its result or raise its exception.

        Raises _ProcessDied if the process dies.
        """
        with self._lock:
            if self._killed:
                raise _ProcessDied
            if self._process is None:
                self._start(SpawnContext())
        try:
            self._pipe.send((function, args, options))
            done, result = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            raise _ProcessDied from None
        if not done:
            raise result
        return result

    def kill(self) -> None:
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()

    def stop(self) -> None:
        """Tell the process to end, and wait until it has ended."""
        if self._process is None:
            return
        with suppress(OSError):
            self._pipe.send(None)
        self._process.join()


def _run_worker(pipe: Connection[object, Any]) -> None:
    """Run the jobs received through ``pipe`` and send back their results or exceptions, until None is received."""
    _set_up_worker()
    while (asked := pipe.recv()) is not None:
        function, args, options = asked
        try:
            answer = True, function(*args, **options)
        except Exception as error:
            answer = False, error
        try:
            pipe.send(answer)
        except Exception as error:  # the result or exception cannot be pickled
            pipe.send((False, TypeError(str(error))))


def _set_up_worker() -> None:
    """Make this worker process ignore Ctrl-C, and end when the main program ends.

    Ctrl-C is left to the main program. Where the system allows it, the priority of the process is also lowered.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_exit_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(5)


def _exit_with_parent() -> None:
    """Wait until the parent process ends, then end this process, which might otherwise keep running.

    If there is no parent process, do nothing.
    """
    program = parent_process()
    if program is not None:
        program.join()
        os._exit(1)
