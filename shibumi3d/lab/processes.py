"""Work on the cores of this machine: processes of which one that is killed takes nothing with it but its job."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from shibumi3d.lab.running import GivenUp

T = TypeVar("T")
TIMES = 3
"""How often a job is begun whose process dies: it may be its own doing."""


class Processes(ThreadPoolExecutor):
    """An executor with ``number`` processes, each begun when it is first needed.

    A thread waits for each process. Python's own executor of several processes ends them all when one of them dies.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._pools: SimpleQueue[ProcessPoolExecutor] = SimpleQueue()
        for _ in range(number):
            self._pools.put(_pool())
        self._numbers: set[int] = set()
        self._killed = False

    def submit(self, function: Callable[..., T], /, *args: Any, **options: Any) -> Future[T]:
        """Let a process run a function; its arguments and what it returns are pickled."""
        return super().submit(self._run, function, *args, **options)

    def _run(self, function: Callable[..., T], /, *args: Any, **options: Any) -> T:
        pool = self._pools.get()
        try:
            for left in reversed(range(TIMES)):
                try:
                    self._numbers.add(pool.submit(os.getpid).result())
                    return pool.submit(function, *args, **options).result()
                except BrokenProcessPool:
                    pool.shutdown()
                    pool = _pool()
                    if self._killed or not left:
                        raise GivenUp from None
            raise AssertionError
        finally:
            self._pools.put(pool)

    def kill(self) -> None:
        """End all processes at once; what they do is lost."""
        self._killed = True
        for number in self._numbers:
            with suppress(OSError):
                os.kill(number, getattr(signal, "SIGKILL", signal.SIGTERM))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the processes end when their jobs are done."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        while not self._pools.empty():
            self._pools.get().shutdown(wait)


def _pool() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=SpawnContext(), initializer=_begin)


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
