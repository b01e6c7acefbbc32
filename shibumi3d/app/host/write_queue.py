"""Queue of rows to be written to the results database.

The window never waits for another program that has locked the database: failed reads and writes are retried in a
thread.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from shibumi3d import files
from shibumi3d.i18n import N_, _
from shibumi3d.match import attempts, results
from shibumi3d.match.database import (
    ATTEMPT_COLUMNS,
    LOCK_SECONDS,
    MATCH_COLUMNS,
    PROGRESS_COLUMNS,
    Database,
    DatabaseProblem,
)

from .services import Scheduler

RESULTS_FILE_TEXTS = {
    "refused": N_("Couldn't access your results in {path}: {reason}."),
    "damaged": N_(
        "{path} was damaged. It has been renamed to {new_name}, and your results will be saved in a new file."
    ),
    "busy": N_("Another program is using {path}. Shibumi 3D will try again; nothing has been lost."),
    "pending": N_("{path}, which held unsaved results, was damaged. It has been renamed to {new_name}."),
    "progress": N_(
        "Part of the progress saved in {path} was damaged. The damaged part has been kept in that file under the "
        "name {new_name}."
    ),
    "later": N_("{path} was made by a newer version of the program and has been left unchanged."),
}

ReadAttempt = Callable[[float], Callable[[], DatabaseProblem | None] | None]
"""Function that reads from the database, given a timeout in seconds.

It returns None if the database is locked. Otherwise, it returns a function that stores the result and returns any
error.
"""
POLL_SECONDS, RETRY_DELAY_SECONDS = 0.1, 3.0
"""Interval at which the thread is polled, and delay before a retry, in seconds."""
MAX_PENDING_ROWS = 1000
"""Maximum number of pending rows; if there are more, the oldest are dropped."""
MAX_PENDING_FILE_BYTES = 1 << 24
"""Maximum size of the file of pending rows, in bytes."""
COLUMNS_BY_TABLE = {"finished": MATCH_COLUMNS, "tries": ATTEMPT_COLUMNS, "under_way": PROGRESS_COLUMNS}


class PendingRow(NamedTuple):
    """Row to be written to ``table``; the first of ``values`` is its primary key.

    In the table ``under_way``, writing a row that consists only of its key deletes the existing row with that key.
    """

    table: str
    values: tuple[Any, ...]

    @property
    def key(self) -> tuple[str, object]:
        """Table and primary key. A later row with the same key replaces this one."""
        return self.table, self.values[0]

    @property
    def is_valid(self) -> bool:
        """Whether the row is a valid deletion, or can be read back after it has been written."""
        if self.table == "finished":
            return results.from_row(self.values) is not None
        if self.table == "tries":
            return attempts.from_row(self.values) is not None
        key, *text = self.values
        is_progress = not text or text == ["{}"] or bool(attempts.decode_progress(*text))
        return self.table == "under_way" and isinstance(key, str) and is_progress

    def write(self, database: Database) -> bool:
        """Write the row, or delete the existing row if this one has only a key; return whether that succeeded."""
        if len(self.values) == 1:
            return database.delete_rows(self.table, PROGRESS_COLUMNS[0], self.values[0])
        return database.replace_row(self.table, COLUMNS_BY_TABLE[self.table], self.values)


class WriteQueue:
    """Queue that writes rows to a database in the order in which they were added.

    ``show_warning`` is called with a message if something can't be read or written.
    """

    def __init__(
        self,
        path: Path,
        schedule: Scheduler,
        show_warning: Callable[[str], None],
        timeout_seconds: float = 0.0,
    ) -> None:
        """Create the queue for the database at ``path``, with any rows left behind by an earlier run.

        ``schedule(seconds, callback)`` calls ``callback`` after a delay. ``timeout_seconds`` is how long a read or
        write may wait for another program before it is postponed.
        """
        self.path, self.timeout_seconds = path, timeout_seconds
        self._schedule, self._show_warning = schedule, show_warning
        self._pending_problem: DatabaseProblem | None = None
        """Damage to the file left by an earlier run, until it is reported; otherwise None."""
        self._pending_rows = self._load_pending_file()
        self._pending_reads: dict[str, ReadAttempt] = {}
        self._thread: ThreadPoolExecutor | None = None
        self._is_retrying = False
        """Whether a retry is running or scheduled."""

    def add_row(self, table: str, values: Sequence[object]) -> None:
        """Add a row in place of any pending one with the same key, and write it immediately if possible.

        If there are then more than :data:`MAX_PENDING_ROWS` pending rows, the oldest are dropped.
        """
        row = PendingRow(table, tuple(values))
        self._pending_rows = [*(pending for pending in self._pending_rows if pending.key != row.key), row][
            -MAX_PENDING_ROWS:
        ]
        self.write()

    def delete_progress(self, key: str) -> None:
        """Delete the progress saved under ``key``."""
        self.add_row("under_way", (key,))

    def rows_of(self, table: str) -> dict[object, tuple[object, ...]]:
        """Return the values of each pending row of ``table``, by primary key."""
        return {row.values[0]: row.values for row in self._pending_rows if row.table == table}

    def discard(self, should_discard: Callable[[PendingRow], bool]) -> None:
        """Discard the pending rows for which ``should_discard`` returns true."""
        self._pending_rows = [row for row in self._pending_rows if not should_discard(row)]

    def write(self) -> None:
        """Write the pending rows, unless a retry is running or scheduled.

        Rows that can't be written are retried later. Any errors are reported to the user.
        """
        problem, self._pending_problem = self._pending_problem, None
        self.report(problem)
        if self._pending_rows and not self._is_retrying:
            self._keep_failed(
                self._pending_rows, *write_rows(self.path, self._pending_rows, self.timeout_seconds)
            )
            if self._pending_rows:
                self._schedule_retry()

    def read(self, name: str, attempt: ReadAttempt) -> bool:
        """Call ``attempt`` now and report any error; if the database is locked, try again later in a thread.

        Returns false if the read was postponed, otherwise true. A postponed read replaces any earlier one with the same
        ``name``.
        """
        take = attempt(self.timeout_seconds)
        if take is not None:
            self.report(take())
            return True
        self.report(DatabaseProblem("busy", self.path))
        self._pending_reads[name] = attempt
        self._schedule_retry()
        return False

    def report(self, error: DatabaseProblem | None) -> None:
        """Report the error, if any, to the user."""
        if error is not None:
            self._show_warning(describe_database_problem(error))

    def flush(self) -> None:
        """Write the pending rows now, and cancel any scheduled retry and all postponed reads.

        A retry that is already running is waited for. Rows that can't be written are saved, if possible, in a file next
        to the database, and loaded at the next start.
        """
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
        self._is_retrying = False
        self._pending_reads.clear()
        if not self._pending_rows:
            return
        self._keep_failed(self._pending_rows, *write_rows(self.path, self._pending_rows, LOCK_SECONDS))
        if self._pending_rows:
            with suppress(OSError):  # then the rows can't be saved anywhere
                files.make_folder(self.path.parent)
                files.write(
                    self._pending_file, json.dumps([[row.table, *row.values] for row in self._pending_rows])
                )

    def _keep_failed(
        self, attempted: Sequence[PendingRow], failed: Sequence[PendingRow], error: DatabaseProblem | None
    ) -> None:
        """Remove from the pending rows those that have been written.

        A row has been written if it is in ``attempted`` but not in ``failed``. Report any error. If no rows remain,
        delete the file of pending rows.
        """
        self._pending_rows = [row for row in self._pending_rows if row in failed or row not in attempted]
        if not self._pending_rows:
            with suppress(OSError):
                self._pending_file.unlink(missing_ok=True)
        self.report(error)

    # Retrying

    def _schedule_retry(self, seconds: float = 0.0) -> None:
        if not self._is_retrying:
            self._is_retrying = True
            self._schedule(seconds, self._retry)

    def _retry(self) -> None:
        if not self._is_retrying:
            return  # closed in the meantime
        self._thread = self._thread or ThreadPoolExecutor(1, "results")
        rows, reads = list(self._pending_rows), dict(self._pending_reads)
        self._pending_reads.clear()

        def work() -> Any:
            return write_rows(self.path, rows, LOCK_SECONDS), {
                name: read(LOCK_SECONDS) for name, read in reads.items()
            }

        future = self._thread.submit(work)

        def look() -> None:
            if not self._is_retrying:
                return
            if not future.done():
                self._schedule(POLL_SECONDS, look)
                return
            outcome, readers = future.result()
            self._keep_failed(rows, *outcome)
            for name, take in readers.items():
                if take is None:
                    self._pending_reads.setdefault(name, reads[name])
                else:
                    self.report(take())
            self._is_retrying = False
            if self._pending_rows or self._pending_reads:
                self._schedule_retry(RETRY_DELAY_SECONDS)

        look()

    # Rows that an earlier run couldn't write

    @property
    def _pending_file(self) -> Path:
        return self.path.with_name(f"{self.path.stem}.pending.json")

    def _load_pending_file(self) -> list[PendingRow]:
        """Return the valid rows in the file that an earlier run left next to the database.

        If there are more than :data:`MAX_PENDING_ROWS`, only the last ones are returned. The list is empty if there is
        no such file or it can't be read. A file that is damaged, even in part, is renamed.
        """
        rows = []
        try:
            content = files.read(self._pending_file, MAX_PENDING_FILE_BYTES)
        except OSError:
            return []
        is_damaged = False
        try:
            for table_and_values in json.loads(content):
                row = _parse_row(table_and_values)
                if row is None:
                    is_damaged = True
                else:
                    rows.append(row)
        except Exception:  # the file may contain anything
            is_damaged = True
        if is_damaged:
            self._set_pending_file_aside()
        return rows[-MAX_PENDING_ROWS:]

    def _set_pending_file_aside(self) -> None:
        """Rename the damaged file of pending rows, and remember the damage until it can be reported.

        Does nothing if the file can't be renamed.
        """
        file = self._pending_file
        with suppress(OSError):
            aside = files.set_aside(file, lambda number: f"{self.path.stem}.pending.damaged-{number}.json")
            self._pending_problem = DatabaseProblem("pending", file, aside.name)


def _parse_row(table_and_values: Any) -> PendingRow | None:
    """Return the row stored in an entry of the file of pending rows, or None if the entry is invalid."""
    with suppress(Exception):  # the entry may be anything
        table, *values = table_and_values
        row = PendingRow(table, tuple(values))
        if row.is_valid:
            return row
    return None


def describe_database_problem(problem: DatabaseProblem) -> str:
    """Return a message that tells the user about a problem with the results database."""
    return _(
        RESULTS_FILE_TEXTS[problem.kind], path=problem.path, reason=problem.reason, new_name=problem.reason
    )


def write_rows(
    path: Path, rows: Sequence[PendingRow], timeout_seconds: float
) -> tuple[list[PendingRow], DatabaseProblem | None]:
    """Write rows in order until one fails; return the rows not written, and the error or None."""
    base = Database(path, timeout_seconds)
    remaining = list(rows)
    while remaining and remaining[0].write(base):
        del remaining[0]
    return remaining, base.take_problem()
