"""Storage for rows: an SQLite file with the results of jobs, so that no job is done twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from shibumi3d.i18n import InvalidValueError
from shibumi3d.lab.jobs import Job, Row, job_key, job_to_json

_APPLICATION_ID = 0x5348424C
"""SQLite application ID of row stores, which spells "SHBL"."""
_TABLES = """
CREATE TABLE IF NOT EXISTS games (rules TEXT PRIMARY KEY, id TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS jobs (
    key TEXT PRIMARY KEY,
    job TEXT NOT NULL,
    program TEXT NOT NULL,
    engine TEXT NOT NULL,
    seconds REAL NOT NULL,
    rows TEXT NOT NULL
);
"""
LOCK_SECONDS = 60.0
"""Maximum time to wait for another program that is writing to the file, in seconds."""
_COLUMNS = {
    "games": ["rules", "id", "text"],
    "jobs": ["key", "job", "program", "engine", "seconds", "rows"],
}
NOTICE_SECONDS = 2.0
"""Time to wait for a locked file before the user is informed, in seconds."""


class RowStore:
    """A file that stores the rows of jobs and can be shared by several runs.

    Results of other program versions are not reused. All methods raise ValueError with a readable message if the file
    can't be used, e.g. because it is not a row store.
    """

    def __init__(self, path: Path, on_wait: Callable[[], object] = lambda: None) -> None:
        """Open the file, or create it if it doesn't exist.

        ``on_wait`` is called whenever a method has waited for :data:`NOTICE_SECONDS` because another program has locked
        the file.
        """
        self.path, self._on_wait = path, on_wait
        with self._open() as base:
            (application,) = base.execute("PRAGMA application_id").fetchone()
            (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if application != _APPLICATION_ID and (application or tables):
                raise InvalidValueError("{path} is a different kind of file; choose another one", path=path)
        if not tables:
            with self._open("BEGIN IMMEDIATE") as base:
                base.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
                for statement in filter(str.strip, _TABLES.split(";")):
                    base.execute(statement)
        with self._open() as base:
            columns = {
                table: [each[1] for each in base.execute(f"PRAGMA table_info({table})")] for table in _COLUMNS
            }
            if columns != _COLUMNS:
                raise InvalidValueError("{path} is damaged; delete it, or choose another file", path=path)

    @contextmanager
    def _open(self, begin: str = "PRAGMA schema_version") -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction, which begins with the statement ``begin``.

        If the process is killed, nothing is left half-written. Raises InvalidValueError if the file is damaged or can't
        be used.
        """
        try:
            with closing(sqlite3.connect(self.path, timeout=NOTICE_SECONDS)) as base, base:
                self._begin(base, begin)
                yield base
        except UnicodeDecodeError:
            raise InvalidValueError(
                "{path} is damaged; delete it, or choose another file", path=self.path
            ) from None
        except sqlite3.Error as error:
            raise InvalidValueError(
                "{path} can't be used: {reason}", path=self.path, reason=str(error)
            ) from None

    def _begin(self, base: sqlite3.Connection, statement: str) -> None:
        """Execute ``statement``; if another program has locked the file, report this, wait and try again."""
        try:
            base.execute(statement)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                raise
            self._on_wait()
            base.execute(f"PRAGMA busy_timeout = {LOCK_SECONDS * 1000:.0f}")
            base.execute(statement)

    def load_rows(self, job: Job, program: str) -> list[Row] | None:
        """Return the rows that the program version ``program`` has stored for a job.

        Return None if that version has stored nothing for the job, or if the rows are damaged.
        """
        with self._open() as base:
            found = base.execute(
                "SELECT rows FROM jobs WHERE key = ? AND program = ?", (job_key(job), program)
            ).fetchone() or ("",)
        with suppress(TypeError, ValueError, RecursionError):  # damaged rows are computed again
            rows = json.loads(found[0])
            if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
                return rows
        return None

    def stored_jobs(self) -> dict[str, tuple[str, float]]:
        """Return the stored jobs by key.

        Each value is the program version that did the job and the CPU time used, in seconds.
        """
        with self._open() as base:
            rows = base.execute("SELECT key, program, seconds FROM jobs").fetchall()
        return {
            known: (program, seconds) for known, program, seconds in rows if isinstance(seconds, int | float)
        }

    def store_rows(self, job: Job, program: str, engine: str, seconds: float, rows: str) -> None:
        """Store the rows of a job, replacing any that are already stored for it.

        ``rows`` is the rows as JSON text. ``program`` is the version of the program, ``engine`` says whether the
        compiled engine was used, and ``seconds`` is the CPU time used.
        """
        table = job.table
        with self._open("BEGIN IMMEDIATE") as base:
            base.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?)", (table.hash, table.id, table.text))
            base.execute(
                "INSERT OR REPLACE INTO jobs VALUES (?, ?, ?, ?, ?, ?)",
                (job_key(job), job_to_json(job), program, engine, round(seconds, 3), rows),
            )
