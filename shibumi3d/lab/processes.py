"""Work on the cores of this machine: processes of which one that is killed takes nothing with it but its job."""

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
from threading import Thread, active_count
from typing import Any, TypeVar

from shibumi3d.lab.running import GivenUp

T = TypeVar("T")
TIMES = 3
"""How often a job is begun whose process dies: it may be its own doing."""


class Processes(ThreadPoolExecutor):
    """An executor with ``number`` processes; a thread waits for each.

    Python's own executor of several processes ends them all when one of them dies.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._free: SimpleQueue[_Process] = SimpleQueue()
        self._every: set[_Process] = set()
        self._killed = False
        # A fork has the program and its games at once. What other threads hold locked would stay so in it.
        forked = sys.platform == "linux" and active_count() == 1
        for _ in range(number):
            self._free.put(self._another(forked))

    def _another(self, forked: bool = False) -> _Process:
        process = _Process(forked)
        self._every.add(process)
        return process

    def submit(self, function: Callable[..., T], /, *args: Any, **options: Any) -> Future[T]:
        """Let a process run a function; its arguments and what it returns are pickled."""
        return super().submit(self._run, function, *args, **options)

    def _run(self, function: Callable[..., T], /, *args: Any, **options: Any) -> T:
        process = self._free.get()
        try:
            for left in reversed(range(TIMES)):
                try:
                    return process.do(function, args, options)  # type: ignore[no-any-return]
                except _Died:
                    self._every.discard(process)
                    process = self._another()
                    if self._killed or not left:
                        raise GivenUp from None
            raise AssertionError
        finally:
            self._free.put(process)

    def kill(self) -> None:
        """End all processes at once; what they do is lost."""
        self._killed = True
        for process in list(self._every):
            process.kill()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes end when their jobs are done."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        while not self._free.empty():
            self._free.get().end(wait)


class _Died(Exception):
    """A process is gone."""


class _Process:
    """One that does what it is sent; where it is not ``forked``, it begins when it is first needed."""

    def __init__(self, forked: bool) -> None:
        self._process: Any = None
        self._pipe: Any = None
        if forked:
            self._begin(get_context("fork"))

    def _begin(self, context: Any) -> None:
        self._pipe, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(there,), daemon=True)
        self._process.start()
        there.close()

    def do(self, function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return what a function returns there, or raise what it raises. Raises _Died where it takes the process
        with it."""
        if self._process is None:
            self._begin(SpawnContext())
        try:
            self._pipe.send((function, args, options))
            done, found = self._pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            raise _Died from None
        if not done:
            raise found
        return found

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()

    def end(self, wait: bool) -> None:
        """Let it end; ``wait`` until it has."""
        if self._process is None:
            return
        with suppress(OSError):
            self._pipe.send(None)
        if wait:
            self._process.join()


def _serve(pipe: Connection[Any, Any]) -> None:
    """Do what comes, until there is no more of it."""
    _begin()
    while (asked := pipe.recv()) is not None:
        function, args, options = asked
        try:
            told = True, function(*args, **options)
        except Exception as error:
            told = False, error
        try:
            pipe.send(told)
        except Exception as error:  # what it returned or raised can't be pickled
            pipe.send((False, TypeError(str(error))))


def _begin() -> None:
    """Leave it to the program what Ctrl-C means, step back behind what a person does, and end with the program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_the_program, daemon=True).start()
    if hasattr(os, "nice"):
        with suppress(OSError):
            os.nice(5)


def _end_with_the_program() -> None:
    """End this process when the program that began it is gone: nobody is left who would tell it to."""
    program = parent_process()
    if program is not None:
        program.join()
        os._exit(1)
