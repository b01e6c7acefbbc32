"""Jobs are run: here, in processes of this machine, or wherever an executor takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future, wait
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import process_time
from typing import TYPE_CHECKING

import shibumi3d
from shibumi3d import native
from shibumi3d.lab.jobs import Job, Row
from shibumi3d.sayings import Told

if TYPE_CHECKING:
    from shibumi3d.lab.store import RowStore

_SOURCES = ("rules", "search", "catalogue", "lab")
_alone = Lock()
"""A worker may have many threads; a game that is played changes in place, and is there once."""


class Unlike(Told, RuntimeError):
    """A worker runs another version of the program."""


class Stopped(Exception):
    """Somebody wanted no more of it; what was found by then is kept. ``done`` jobs of ``wanted``."""

    def __init__(self, done: int, wanted: int) -> None:
        super().__init__(f"{done} of {wanted}")
        self.done, self.wanted = done, wanted


@dataclass(frozen=True, slots=True)
class Advance:
    """How many jobs are done of how many, how many of them an earlier run did, and the CPU time of the others."""

    done: int
    wanted: int
    kept: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Done:
    rows: list[Row]
    engine: str
    seconds: float


@cache
def program() -> str:
    """Return what this version is known by: its number, and the sources on which rows depend where they are there."""
    package, found = Path(shibumi3d.__file__).parent, sha256()
    for layer in _SOURCES:
        for file in sorted((package / layer).rglob("*.py")):
            found.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{shibumi3d.__version__}+{found.hexdigest()[:12]}"


def do(job: Job, asked: str) -> _Done:
    """Do a job for a program of the version ``asked``. Raises Unlike where this is another."""
    if asked != program():
        raise Unlike("lab.unlike", here=program(), there=asked)
    with _alone:
        begun = process_time()
        rows = job.rows()
        return _Done(rows, str(native.status), process_time() - begun)


def run(
    jobs: Iterable[Job],
    *,
    executor: Executor | None = None,
    store: RowStore | None = None,
    told: Callable[[Advance], object] = lambda progress: None,
) -> list[Row]:
    """Do jobs and return their rows, in the order of the jobs; those that the store has from before are not done again.

    Without an executor they are done here, one after the other. ``told`` is called as jobs end. On Ctrl-C what is
    under way is waited for, on a second one it is not. Raises Stopped then, and what a job raised once all others are
    done.
    """
    work = list(jobs)
    found: dict[int, list[Row]] = {}
    for place, job in enumerate(work):
        rows = store.rows(job, program()) if store is not None else None
        if rows is not None:
            found[place] = rows
    kept, seconds = len(found), 0.0
    told(Advance(kept, len(work), kept, 0.0))

    def end(place: int, done: _Done) -> None:
        nonlocal seconds
        seconds += done.seconds
        found[place] = done.rows
        if store is not None:
            store.put(work[place], program(), done.engine, done.seconds, done.rows)
        told(Advance(len(found), len(work), kept, seconds))

    left = [place for place in range(len(work)) if place not in found]
    if executor is None:
        stopped, failed = _here(work, left, end)
    else:
        stopped, failed = _elsewhere(executor, work, left, end)
    if stopped:
        raise Stopped(len(found), len(work))
    if failed is not None:
        raise failed
    return [row for place in range(len(work)) for row in found[place]]


def _here(
    work: list[Job], left: list[int], end: Callable[[int, _Done], None]
) -> tuple[bool, BaseException | None]:
    failed: BaseException | None = None
    for place in left:
        try:
            end(place, do(work[place], program()))
        except KeyboardInterrupt:
            return True, failed
        except Exception as error:
            failed = failed or error
    return False, failed


def _elsewhere(
    executor: Executor, work: list[Job], left: list[int], end: Callable[[int, _Done], None]
) -> tuple[bool, BaseException | None]:
    """Whether somebody stopped it, and what went wrong first."""
    places: dict[Future[_Done], int] = {}
    stopped, failed = False, None
    waiting: set[Future[_Done]] = set()
    while True:
        try:
            if not stopped and len(places) < len(left):
                for place in left[len(places) :]:
                    future = executor.submit(do, work[place], program())
                    places[future] = place
                    waiting.add(future)
            if not waiting:
                return stopped, failed
            ready, _ = wait(waiting, return_when="FIRST_COMPLETED")
            for future in ready:
                waiting.discard(future)
                error = future.exception()
                if error is None:
                    end(places[future], future.result())
                else:
                    failed = failed or error
        except KeyboardInterrupt:
            if stopped:
                kill: Callable[[], None] = getattr(executor, "kill", lambda: None)
                kill()
                return True, failed
            stopped = True
            waiting = {future for future in waiting if not future.cancel()}
