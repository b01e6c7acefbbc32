"""Execution of jobs: in this process, in several processes, or with any other executor."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
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
from shibumi3d.i18n import LocalizedError, Message, Plural
from shibumi3d.lab.jobs import Job, Row, job_key

if TYPE_CHECKING:
    from shibumi3d.lab.row_store import RowStore


_SOURCES = ("rules", "search", "catalogue", "lab")
_job_lock = Lock()
"""Lock held while a job runs.

A worker may have several threads, which would otherwise share the mutable state of a game.
"""


class VersionMismatchError(LocalizedError, RuntimeError):
    """Raised when a worker runs another version of the program than the process that sent the job."""


class JobAbandoned(Exception):
    """Raised for a job that was abandoned because its worker died in every attempt or the executor was killed."""


class JobsLostError(LocalizedError, RuntimeError):
    """Raised when ``jobs`` were abandoned because their workers kept dying; all others are done."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.jobs = tuple(jobs)
        named = [_describe_job(job) for job in self.jobs[:MAX_NAMED_JOBS]]
        parts: Message | str = named[0]
        for job_text in named[1:]:
            parts = Message("{one}; {other}", one=parts, other=job_text)
        more = "" if len(self.jobs) <= MAX_NAMED_JOBS else ", …"
        super().__init__(
            Plural(
                "all jobs are done except {n}, whose worker died each time: {parts}{more}",
                "all jobs are done except {n}, whose workers died each time: {parts}{more}",
            ),
            n=len(self.jobs),
            parts=parts,
            more=more,
        )


MAX_NAMED_JOBS = 5
"""Maximum number of abandoned jobs that the message of :class:`JobsLostError` lists."""


def _describe_job(job: Job) -> Message:
    description = Message(
        "{game}, size {size}: {what}", what=job.kind, game=job.table.id, size=job.table.size
    )
    first, count = getattr(job, "first", None), getattr(job, "count", None)
    if first is None or count is None:
        return description
    return Message("{whole}, {first} to {last}", whole=description, first=first, last=first + count - 1)


class Stopped(Exception):
    """Raised when the user interrupts a run, with ``done`` of ``wanted`` jobs finished."""

    def __init__(self, done: int, wanted: int) -> None:
        super().__init__(f"{done} of {wanted}")
        self.done, self.wanted = done, wanted


@dataclass(frozen=True, slots=True)
class JobProgress:
    """Progress of a run.

    ``wanted`` is the total number of jobs, ``done`` the number of finished jobs, and ``kept`` the number of these that
    an earlier run finished. ``seconds`` is the CPU time of the jobs that this run has finished.
    """

    done: int
    wanted: int
    kept: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _JobResult:
    rows: str
    """The rows as JSON: one string is cheaper to store and to pass on than many objects."""
    engine: str
    seconds: float


@cache
def program_version() -> str:
    """Return an identifier of the program's version.

    It consists of the version number and a hash of the sources on which the results of jobs depend.
    """
    package, digest = Path(shibumi3d.__file__).parent, sha256()
    for layer in _SOURCES:
        for file in sorted((package / layer).rglob("*.py")):
            digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return f"{shibumi3d.__version__}+{digest.hexdigest()[:12]}"


def run_job(job: Job, version: str) -> _JobResult:
    """Run a job requested by a program of version ``version``.

    Raises VersionMismatchError if this program has another version.
    """
    if version != program_version():
        raise VersionMismatchError(
            "this worker runs version {here}, but the work is for version {there}",
            here=program_version(),
            there=version,
        )
    with _job_lock:
        start_time = process_time()
        rows = job.run()
        seconds = process_time() - start_time
    return _JobResult(json.dumps(rows, ensure_ascii=False), str(native.status), seconds)


def run(
    jobs: Iterable[Job],
    *,
    executor: Executor | None = None,
    store: RowStore | None = None,
    on_progress: Callable[[JobProgress], object] = lambda progress: None,
) -> list[Row]:
    """Run jobs and return their rows in the order of the jobs.

    Jobs whose rows this version of the program has already stored are not repeated. The rows of the other jobs are
    added to the store. Without an executor, jobs run in this process, one after the other. ``on_progress`` is called at
    the start and after each successful job.

    After a first Ctrl-C, the function still waits for the jobs that an executor is running; after a second one, it
    doesn't. In both cases, it raises Stopped. If a job fails, the other jobs still run. Then the exception of a failed
    job is raised, or JobsLostError if jobs failed only because workers died.
    """
    work = list(jobs)
    digest: dict[int, list[Row] | str] = {}
    for place, job in enumerate(work):
        rows = store.load_rows(job, program_version()) if store is not None else None
        if rows is not None:
            digest[place] = rows

    def end(place: int, result: _JobResult) -> None:
        digest[place] = result.rows

    _run_pending(work, set(digest), executor, store, end, on_progress)
    every = (digest[place] for place in range(len(work)))
    return [row for rows in every for row in (json.loads(rows) if isinstance(rows, str) else rows)]


def fill(
    jobs: Iterable[Job],
    store: RowStore,
    *,
    executor: Executor | None = None,
    on_progress: Callable[[JobProgress], object] = lambda progress: None,
) -> None:
    """Run the jobs whose rows this version of the program has not stored yet, and store their rows.

    This function works like :func:`run`, but it returns no rows, and it doesn't check whether stored rows are damaged.
    """
    work, stored = list(jobs), store.stored_jobs()
    finished = {
        place for place, job in enumerate(work) if stored.get(job_key(job), ("",))[0] == program_version()
    }
    _run_pending(work, finished, executor, store, lambda place, done: None, on_progress)


def _run_pending(
    work: list[Job],
    stored: set[int],
    executor: Executor | None,
    store: RowStore | None,
    on_result: Callable[[int, _JobResult], None],
    on_progress: Callable[[JobProgress], object],
) -> None:
    """Run the jobs in ``work`` whose indices are not in ``stored``, and add their rows to ``store``, if given.

    ``on_result`` is called with the index and result of each successful job. See :func:`run` for ``on_progress`` and
    the exceptions.
    """
    number, seconds = len(stored), 0.0
    on_progress(JobProgress(number, len(work), len(stored), 0.0))

    def end(place: int, result: _JobResult) -> None:
        nonlocal number, seconds
        number, seconds = number + 1, seconds + result.seconds
        on_result(place, result)
        if store is not None:
            store.store_rows(work[place], program_version(), result.engine, result.seconds, result.rows)
        on_progress(JobProgress(number, len(work), len(stored), seconds))

    left = [place for place in range(len(work)) if place not in stored]
    failed: dict[int, BaseException] = {}
    stopped = (
        _run_with_executor(executor, work, left, end, failed)
        if executor
        else _run_here(work, left, end, failed)
    )
    if stopped:
        raise Stopped(number, len(work))
    for error in failed.values():
        if not isinstance(error, JobAbandoned):
            raise error
    if failed:
        raise JobsLostError([work[place] for place in sorted(failed)])


def _run_here(
    work: list[Job], left: list[int], end: Callable[[int, _JobResult], None], failed: dict[int, BaseException]
) -> bool:
    """Run jobs in this process; return whether the user interrupted them.

    ``left`` contains the indices in ``work`` of the jobs to run. ``end`` is called with the index and result of each
    successful job. Exceptions are added to ``failed``, by index.
    """
    for place in left:
        try:
            end(place, run_job(work[place], program_version()))
        except KeyboardInterrupt:
            return True
        except Exception as error:
            failed[place] = error
    return False


def _run_with_executor(
    executor: Executor,
    work: list[Job],
    left: list[int],
    end: Callable[[int, _JobResult], None],
    failed: dict[int, BaseException],
) -> bool:
    """Run some of the jobs in ``work`` on an executor; return whether the user interrupted them.

    ``left`` contains the indices of the jobs to run. ``end`` is called with the index and result of each successful
    job. Exceptions are added to ``failed``, by index. After a first Ctrl-C, jobs that haven't begun are cancelled, and
    the function waits for those that are running. After a second one, it kills the executor if possible and returns at
    once.
    """
    places: dict[Future[_JobResult], int] = {}
    stopped = False
    waiting: set[Future[_JobResult]] = set()
    while True:
        try:
            if not stopped and len(places) < len(left):
                for place in left[len(places) :]:
                    future = executor.submit(run_job, work[place], program_version())
                    places[future] = place
                    waiting.add(future)
            if not waiting:
                return stopped
            ready, _ = wait(waiting, return_when="FIRST_COMPLETED")
            for future in ready:
                waiting.discard(future)
                error = future.exception()
                if error is None:
                    end(places[future], future.result())
                else:
                    failed[places[future]] = error
        except KeyboardInterrupt:
            if stopped:
                kill: Callable[[], None] = getattr(executor, "kill", lambda: None)
                kill()
                return True
            stopped = True
            waiting = {future for future in waiting if not future.cancel()}
