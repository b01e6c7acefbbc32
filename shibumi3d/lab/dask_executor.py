"""Running jobs on the machines of a cluster through a dask scheduler."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from shibumi3d.i18n import InvalidValueError
from shibumi3d.lab.runner import JobAbandoned

T = TypeVar("T")
CONNECT_SECONDS = 10.0
"""Maximum time to wait for a response from the scheduler, in seconds."""
MAX_RETRIES = 2
"""Maximum number of times that a failed job is retried, since the machine may be at fault."""
RUNNING_CACHE_SECONDS = 1.0
"""Time for which the list of running tasks is cached, in seconds."""


class DaskExecutor(Executor):
    """An executor that runs functions on the workers of a dask scheduler.

    Unlike dask's own executor, it doesn't cancel running jobs unless it is killed, and :meth:`shutdown` accepts
    ``cancel_futures``.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._killed = False
        self._running_cache: tuple[float, frozenset[str]] = (-RUNNING_CACHE_SECONDS, frozenset())
        self._pending: set[_TaskFuture[Any]] = set()
        self._suspects: list[_TaskFuture[Any]] = []
        self._isolated: _TaskFuture[object] | None = None
        """Suspect job that is running alone, or None."""
        self._end_lock = Lock()

    def submit(self, function: Callable[..., T], /, *args: object, **options: object) -> Future[T]:
        """Run ``function`` on a worker and return a future of its result.

        The function, its arguments and its result are pickled.
        """

        def begin() -> object:
            return self._client.submit(function, *args, **options, retries=MAX_RETRIES, pure=False)

        part: _TaskFuture[T] = _TaskFuture(self, begin)
        self._pending.add(part)
        part.task.add_done_callback(lambda task: self._task_ended(part, task))
        return part

    def _task_ended(self, part: _TaskFuture[Any], task: Any) -> None:
        with self._end_lock:
            # Dask raises KilledWorker for every job that a dead worker had been given. Running each of these jobs alone
            # shows which one killed it. The class is compared by name because importing it requires dask.
            killed = task.status == "error" and type(task.exception()).__name__ == "KilledWorker"
            if killed and part is not self._isolated:
                self._suspects.append(part)
            else:
                self._complete(part, task, killed)
            self._run_next_suspect()

    def _run_next_suspect(self) -> None:
        """Run the next suspect job again, alone, if only suspect jobs are left and none of them is running.

        A job is suspect if it may have killed a worker.
        """
        while self._suspects and self._isolated is None and len(self._pending) == len(self._suspects):
            part = self._suspects.pop(0)
            if part.cancelled():
                self._pending.discard(part)
                continue
            self._isolated, part.task = part, part.start_task()
            part.task.add_done_callback(lambda task, part=part: self._task_ended(part, task))

    def _complete(self, part: _TaskFuture[object], task: Any, killed: bool) -> None:
        self._pending.discard(part)
        if part is self._isolated:
            self._isolated = None
        if not part.set_running_or_notify_cancel():
            return
        if task.status == "finished":
            part.set_result(task.result())
        elif task.status == "error":
            part.set_exception(JobAbandoned() if killed else task.exception())
        else:  # the scheduler is gone
            part.set_exception(
                InvalidValueError("no scheduler responded at {address}", address=self._address)
            )

    def running_keys(self) -> frozenset[str]:
        """Return the keys of the tasks on the workers; the result is cached for :data:`RUNNING_CACHE_SECONDS`."""
        if monotonic() - self._running_cache[0] >= RUNNING_CACHE_SECONDS:
            held = self._client.processing()
            self._running_cache = monotonic(), frozenset(key for keys in held.values() for key in keys)
        return self._running_cache[1]

    def kill(self) -> None:
        """Cancel all pending tasks immediately, including those that are running."""
        self._killed = True
        with suppress(Exception):
            self._client.cancel([part.task for part in list(self._pending)], force=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the scheduler.

        If ``cancel_futures`` is set, cancel the jobs that are not running yet, and don't wait for the others.
        Otherwise, if ``wait`` is set and :meth:`kill` was not called, wait for all pending jobs first.
        """
        for part in list(self._pending):
            if cancel_futures:
                part.cancel()
            elif wait and not self._killed:
                with suppress(Exception):
                    part.result()
        self._client.close()


class _TaskFuture(Future[T]):
    """Future that can't be cancelled while a worker runs its task."""

    def __init__(self, executor: DaskExecutor, begin: Callable[[], Any]) -> None:
        super().__init__()
        self._executor, self.start_task = executor, begin
        self.task = begin()

    def cancel(self) -> bool:
        if self.done() or self.task.key in self._executor.running_keys():
            return False
        if not super().cancel():
            return False
        self.task.cancel()
        return True


def scheduled(address: str) -> Executor:
    """Return an executor that uses the workers of the dask scheduler at ``address``, e.g. ``tcp://host:8786``.

    Raises ValueError with a readable message if there is no scheduler or dask is not installed.
    """
    try:
        import distributed
    except ImportError:
        raise InvalidValueError("using a scheduler requires dask: pip install 'shibumi3d[lab]'") from None
    dask: Any = distributed

    class Client(dask.Client):  # type: ignore[misc]
        """Dask client that does nothing when it is garbage-collected without having connected.

        Dask's own client would wait for the scheduler and print an error.
        """

        connected = False

        def __del__(self) -> None:
            if self.connected:
                super().__del__()

    client: Any = None
    with suppress(Exception):  # an invalid address can raise anything
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        client.connected = True
    if client is None:
        raise InvalidValueError("no scheduler responded at {address}", address=address)
    return DaskExecutor(client, address)
