"""Running jobs on the machines of a cluster through a dask scheduler."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

from shibumi3d.i18n import Unusable
from shibumi3d.lab.running import GivenUp

T = TypeVar("T")
PATIENCE = 10.0
"""How long to wait for a response from the scheduler, in seconds."""
TIMES = 2
"""How often a failed job is retried, since the machine may be at fault."""
FRESH = 1.0
"""How long the list of running tasks is cached, in seconds."""


class Scheduled(Executor):
    """An executor that runs functions on the workers of a dask scheduler.

    Unlike dask's own executor, it doesn't drop running jobs when it is cancelled, and doesn't always wait for them when
    it shuts down.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._killed = False
        self._seen: tuple[float, frozenset[str]] = (-FRESH, frozenset())
        self._waiting: set[_Part[Any]] = set()
        self._suspects: list[_Part[Any]] = []
        self._alone: _Part[Any] | None = None
        """Suspect job that is running alone, or None."""
        self._ending = Lock()

    def submit(self, function: Callable[..., T], /, *args: Any, **options: Any) -> Future[T]:
        """Run a function on a worker. Its arguments and result are pickled."""

        def begin() -> Any:
            return self._client.submit(function, *args, **options, retries=TIMES, pure=False)

        part: _Part[T] = _Part(self, begin)
        self._waiting.add(part)
        part.task.add_done_callback(lambda task: self._end(part, task))
        return part

    def _end(self, part: _Part[Any], task: Any) -> None:
        with self._ending:
            # Dask raises KilledWorker for every job that a dead worker had been given. Running each of these jobs alone
            # shows which one killed it. The class is compared by name because importing it requires dask.
            killed = task.status == "error" and type(task.exception()).__name__ == "KilledWorker"
            if killed and part is not self._alone:
                self._suspects.append(part)
            else:
                self._close(part, task, killed)
            self._try_suspect()

    def _try_suspect(self) -> None:
        """Run the next suspect job again, alone, once only suspects are left."""
        while self._suspects and self._alone is None and len(self._waiting) == len(self._suspects):
            part = self._suspects.pop(0)
            if part.cancelled():
                self._waiting.discard(part)
                continue
            self._alone, part.task = part, part.begin()
            part.task.add_done_callback(lambda task, part=part: self._end(part, task))

    def _close(self, part: _Part[Any], task: Any, killed: bool) -> None:
        self._waiting.discard(part)
        if part is self._alone:
            self._alone = None
        if not part.set_running_or_notify_cancel():
            return
        if task.status == "finished":
            part.set_result(task.result())
        elif task.status == "error":
            part.set_exception(GivenUp() if killed else task.exception())
        else:  # the scheduler is gone
            part.set_exception(Unusable("no scheduler responded at {address}", address=self._address))

    def under_way(self) -> frozenset[str]:
        """Return the keys of the tasks that are running on workers."""
        if monotonic() - self._seen[0] >= FRESH:
            held = self._client.processing()
            self._seen = monotonic(), frozenset(key for keys in held.values() for key in keys)
        return self._seen[1]

    def kill(self) -> None:
        """Stop at once and discard running tasks."""
        self._killed = True
        with suppress(Exception):
            self._client.cancel([part.task for part in list(self._waiting)], force=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the scheduler once the jobs are done."""
        for part in list(self._waiting):
            if cancel_futures:
                part.cancel()
            elif wait and not self._killed:
                with suppress(Exception):
                    part.result()
        self._client.close()


class _Part(Future[T]):
    """Future of a task, which can't be cancelled while a worker runs the task."""

    def __init__(self, executor: Scheduled, begin: Callable[[], Any]) -> None:
        super().__init__()
        self._executor, self.begin = executor, begin
        self.task = begin()

    def cancel(self) -> bool:
        """Cancel the task unless it is running; return whether it was cancelled."""
        if self.done() or self.task.key in self._executor.under_way():
            return False
        if not super().cancel():
            return False
        self.task.cancel()
        return True


def scheduled(address: str) -> Executor:
    """Return an executor that uses the workers of a dask scheduler, such as ``tcp://host:8786``.

    Raises ValueError with a readable message if there is no scheduler or dask is not installed.
    """
    try:
        import distributed
    except ImportError:
        raise Unusable("a scheduler needs dask: pip install 'shibumi3d[lab]'") from None
    dask: Any = distributed

    class Client(dask.Client):  # type: ignore[misc]
        """A client that prints nothing after a failed connection.

        Dask's own client waits for the scheduler when it is deleted.
        """

        connected = False

        def __del__(self) -> None:
            if self.connected:
                super().__del__()

    client: Any = None
    with suppress(Exception):  # an invalid address can raise anything
        client = Client(address, timeout=PATIENCE, set_as_default=False)
        client.connected = True
    if client is None:
        raise Unusable("no scheduler responded at {address}", address=address)
    return Scheduled(client, address)
