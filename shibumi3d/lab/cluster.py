"""Work on the machines of a cluster, by a dask scheduler."""

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
"""Seconds in which a scheduler must answer."""
TIMES = 2
"""How often a job that fails is tried again: what is wrong may be its machine."""
FRESH = 1.0
"""Seconds for which it is held true what the workers do."""


class Scheduled(Executor):
    """An executor on the workers of a dask scheduler.

    The one that dask has gives up what is under way with what is not when it is cancelled, and waits for it when it is
    to end.
    """

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._killed = False
        self._seen: tuple[float, frozenset[str]] = (-FRESH, frozenset())
        self._waiting: set[_Part[Any]] = set()
        self._suspects: list[_Part[Any]] = []
        self._alone: _Part[Any] | None = None
        """The suspect that is tried again, with nothing else in hand."""
        self._ending = Lock()

    def submit(self, function: Callable[..., T], /, *args: Any, **options: Any) -> Future[T]:
        """Let a worker run a function; its arguments and what it returns are pickled."""

        def begin() -> Any:
            return self._client.submit(function, *args, **options, retries=TIMES, pure=False)

        part: _Part[T] = _Part(self, begin)
        self._waiting.add(part)
        part.task.add_done_callback(lambda task: self._end(part, task))
        return part

    def _end(self, part: _Part[Any], task: Any) -> None:
        with self._ending:
            # So dask says it, of a class that only whoever has dask can import; and of all that a worker that died had
            # been given. Which of them killed it is seen when each is tried alone.
            killed = task.status == "error" and type(task.exception()).__name__ == "KilledWorker"
            if killed and part is not self._alone:
                self._suspects.append(part)
            else:
                self._close(part, task, killed)
            self._try_suspect()

    def _try_suspect(self) -> None:
        """Try the next suspect again, once nothing but suspects is left."""
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
        else:  # nobody is left to ask
            part.set_exception(Unusable("no scheduler answers at {address}", address=self._address))

    def under_way(self) -> frozenset[str]:
        """Return the keys of what workers have in hand."""
        if monotonic() - self._seen[0] >= FRESH:
            held = self._client.processing()
            self._seen = monotonic(), frozenset(key for keys in held.values() for key in keys)
        return self._seen[1]

    def kill(self) -> None:
        """End it at once; what workers have in hand is lost."""
        self._killed = True
        with suppress(Exception):
            self._client.cancel([part.task for part in list(self._waiting)], force=True)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler when the jobs are done."""
        for part in list(self._waiting):
            if cancel_futures:
                part.cancel()
            elif wait and not self._killed:
                with suppress(Exception):
                    part.result()
        self._client.close()


class _Part(Future[T]):
    """What comes of a task; one that a worker has in hand can't be cancelled."""

    def __init__(self, executor: Scheduled, begin: Callable[[], Any]) -> None:
        super().__init__()
        self._executor, self.begin = executor, begin
        self.task = begin()

    def cancel(self) -> bool:
        """Call it off, unless it is under way; return whether that was done."""
        if self.done() or self.task.key in self._executor.under_way():
            return False
        if not super().cancel():
            return False
        self.task.cancel()
        return True


def scheduled(address: str) -> Executor:
    """Return an executor on the workers of a dask scheduler, such as tcp://host:8786.

    Raises ValueError with a sentence where there is none, or where dask is not installed.
    """
    try:
        import distributed
    except ImportError:
        raise Unusable("for a scheduler dask is needed: pip install 'shibumi3d[lab]'") from None
    dask: Any = distributed

    class Client(dask.Client):  # type: ignore[misc]
        """One that says nothing more once it could not be made: dask's own waits for a scheduler when it is deleted."""

        connected = False

        def __del__(self) -> None:
            if self.connected:
                super().__del__()

    client: Any = None
    with suppress(Exception):  # whatever is wrong with an address
        client = Client(address, timeout=PATIENCE, set_as_default=False)
        client.connected = True
    if client is None:
        raise Unusable("no scheduler answers at {address}", address=address)
    return Scheduled(client, address)
