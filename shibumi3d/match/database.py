"""The SQLite database in the user's data folder: opening, migration and handling of damaged files."""

from __future__ import annotations

import os
import random
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from shibumi3d import files
from shibumi3d.i18n import FileError, Message, describe_error, untranslated
from shibumi3d.match.store import matches_folder

MIGRATIONS = (
    """
    CREATE TABLE finished (
        key TEXT PRIMARY KEY,
        ended TEXT NOT NULL,
        game TEXT NOT NULL,
        variant TEXT NOT NULL,
        size INTEGER NOT NULL,
        names TEXT NOT NULL,
        kinds TEXT NOT NULL,
        winners TEXT NOT NULL,
        scores TEXT NOT NULL,
        turns INTEGER NOT NULL,
        seconds REAL
    );
    CREATE INDEX finished_by_game ON finished (game, ended);
    """,
    """
    ALTER TABLE finished ADD COLUMN hints INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE finished ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;
    """,
    """
    CREATE TABLE tries (
        key TEXT PRIMARY KEY,
        ended TEXT NOT NULL,
        today TEXT NOT NULL,
        problem TEXT NOT NULL,
        game TEXT NOT NULL,
        rating INTEGER NOT NULL,
        mode TEXT NOT NULL,
        day TEXT NOT NULL,
        came TEXT NOT NULL,
        tries INTEGER NOT NULL,
        seconds REAL NOT NULL
    );
    CREATE INDEX tries_by_problem ON tries (problem, ended);
    CREATE TABLE under_way (
        mode TEXT PRIMARY KEY,
        told TEXT NOT NULL
    );
    """,
)
"""SQL scripts, each of which migrates the database to its next version.

The version is the number of scripts that have been applied.
"""

LOCK_SECONDS = 2.0
"""Default time in seconds to wait for another program that is writing."""
MAX_RETRY_DELAY_SECONDS = 0.004
"""Maximum delay in seconds between attempts to start writing.

With a longer delay, a program might never get its turn while several others write.
"""
MATCH_COLUMNS = (
    "key",
    "ended",
    "game",
    "variant",
    "size",
    "names",
    "kinds",
    "winners",
    "scores",
    "turns",
    "seconds",
    "hints",
    "shown",
)
ATTEMPT_COLUMNS = (
    "key",
    "ended",
    "today",
    "problem",
    "game",
    "rating",
    "mode",
    "day",
    "came",
    "tries",
    "seconds",
)
PROGRESS_COLUMNS = ("mode", "told")
TABLES: tuple[dict[str, tuple[str, ...]], ...] = (
    {},
    {"finished": MATCH_COLUMNS[:11]},
    {"finished": MATCH_COLUMNS},
    {"finished": MATCH_COLUMNS, "tries": ATTEMPT_COLUMNS, "under_way": PROGRESS_COLUMNS},
)
"""Tables and their columns in each version of the database."""
MAX_STEPS = 10_000
"""Maximum work per connection, in units of 10,000 instructions of SQLite's virtual machine.

Only a maliciously crafted file could require more.
"""


class DatabaseProblem(NamedTuple):
    """A problem with the file at ``path``, which is the database unless ``kind`` is "pending".

    ``kind`` says what the problem is. "later": the database was written by a newer version and is left unchanged.
    "refused": the system or SQLite refused the operation, and ``reason`` says why. "busy": another program has locked
    the database. "damaged": the database was damaged and has been renamed to ``reason``. "progress": a row with saved
    progress was damaged and has been renamed to ``reason``. "pending": the file of rows that couldn't yet be written to
    the database was damaged and has been renamed to ``reason``.
    """

    kind: str
    path: Path
    reason: Message | str = ""


class Database:
    """The database at ``path``, which is created when it is first written to.

    Errors are not raised; :meth:`take_problem` returns the latest one. A damaged file is renamed. A file written
    by a newer version is left unchanged.
    """

    def __init__(self, path: Path | None = None, lock_seconds: float = LOCK_SECONDS) -> None:
        """Set the path of the database and the number of seconds to wait for locks.

        By default, the database is in the user's data folder.
        """
        self._lock_seconds = lock_seconds
        self.path = matches_folder().parent / "results.sqlite" if path is None else path
        self._problem: DatabaseProblem | None = None
        self._reported: set[DatabaseProblem] = set()

    def take_problem(self) -> DatabaseProblem | None:
        """Return the latest problem since the last call, or None.

        A problem that was returned before isn't returned again, even if it recurs.
        """
        problem, self._problem = self._problem, None
        if problem is None or problem in self._reported:
            return None
        self._reported.add(problem)
        return problem

    def execute(self, sql: str, values: Sequence[object]) -> bool:
        """Execute a statement that changes the database; return whether that succeeded."""
        for _ in range(2):  # if a damaged file was renamed, try again
            with self._guarded(), self._open(True) as base:
                base.execute(sql, _storable(values))
                return True
            if self._problem is None or self._problem.kind != "damaged":
                break
        return False

    def replace_row(self, table: str, columns: Sequence[str], row: Sequence[object]) -> bool:
        """Insert a row, replacing one with the same key; return whether that succeeded."""
        marks = ", ".join("?" * len(row))
        return self.execute(f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({marks})", row)

    def execute_delete(self, sql: str, values: Sequence[object] = ()) -> bool:
        """Execute a statement that deletes rows; return whether that succeeded.

        If there is no database, nothing is done and the result is True.
        """
        if not os.path.exists(self.path):
            return True
        with self._guarded(), self._open(True) as base:
            base.execute(sql, _storable(values))
            return True
        return False

    def delete_rows(self, table: str, column: str, value: str) -> bool:
        """Delete the rows of ``table`` with ``value`` in ``column``; return whether that succeeded.

        If there is no database, nothing is done and the result is True.
        """
        return self.execute_delete(f"DELETE FROM {table} WHERE {column} = ?", (value,))

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows of a query, or no rows if there is no database or it can't be read."""
        with self._guarded():
            if not _exists(self.path):
                return []
            with self._open(False) as base:
                return list(base.execute(sql, _storable(values)))
        return []

    @contextmanager
    def _open(self, write: bool) -> Iterator[sqlite3.Connection]:
        """Open the database and migrate it if needed.

        The block runs in a transaction if ``write`` is set or the database is migrated.
        """
        if write:
            files.make_folder(self.path.parent)
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise FileError("it is not a file")
        with closing(sqlite3.connect(self.path, timeout=self._lock_seconds, isolation_level=None)) as base:
            base.text_factory = lambda data: data.decode("utf-8", "replace")
            steps = iter(range(MAX_STEPS))
            base.set_progress_handler(lambda: next(steps, None) is None, 10_000)
            if not write and _version(base) == len(MIGRATIONS):
                yield base
                return
            # The transaction waits for other writers, so only one program at a time checks and migrates the version.
            _begin_transaction(base, self._lock_seconds)
            try:
                for step in MIGRATIONS[_version(base) :]:
                    for statement in filter(str.strip, step.split(";")):
                        base.execute(statement)
                base.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
                yield base
                base.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    base.execute("ROLLBACK")
                raise

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Catch errors raised in the block and store them for :meth:`take_problem`.

        A damaged database file is renamed.
        """
        try:
            yield
        except _NewerVersionError:
            self._problem = DatabaseProblem("later", self.path)
        except OSError as error:
            self._problem = DatabaseProblem("refused", self.path, describe_error(error))
        except (_DamagedError, UnicodeDecodeError):  # decoding fails if the damage reaches the error message
            self._set_aside()
        except (ValueError, OverflowError) as error:  # a value that SQLite can't store
            self._problem = DatabaseProblem("refused", self.path, untranslated(error))
        except sqlite3.Error as error:
            if _error_code(error) in DAMAGE_CODES:
                self._set_aside()
            elif _error_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                self._problem = DatabaseProblem("busy", self.path)
            else:
                self._problem = DatabaseProblem("refused", self.path, describe_error(error))

    def _set_aside(self) -> None:
        """Rename the damaged file, and store the problem for :meth:`take_problem`."""
        try:
            aside = files.set_aside(
                self.path, lambda number: f"{self.path.stem}.damaged-{number}{self.path.suffix}"
            )
        except OSError as error:
            self._problem = DatabaseProblem("refused", self.path, describe_error(error))
        else:
            self._problem = DatabaseProblem("damaged", self.path, aside.name)


class _NewerVersionError(Exception):
    """Raised for a file that was written by a newer version of the program."""


class _DamagedError(Exception):
    """Raised for a database file that doesn't have the expected tables."""


DAMAGE_CODES = (
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_INTERRUPT,
)
"""SQLite error codes which show that the file is damaged or isn't a database."""


def _exists(path: Path) -> bool:
    """Return whether there is a file or folder at ``path``.

    Raises OSError if that can't be determined.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def _storable(values: Sequence[object]) -> list[object]:
    """Return ``values`` with lone surrogates, which SQLite can't store, replaced by ``?``."""
    return [
        value.encode("utf-8", "replace").decode() if isinstance(value, str) else value for value in values
    ]


def _error_code(error: sqlite3.Error) -> int:
    """Return the primary SQLite error code without the extended part, or 0 if ``error`` has no code."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _begin_transaction(base: sqlite3.Connection, lock_seconds: float) -> None:
    """Begin a write transaction, waiting up to ``lock_seconds`` seconds for other programs to finish writing.

    Raises sqlite3.OperationalError if the database is still locked after that time.
    """
    until = time.monotonic() + lock_seconds
    base.execute("PRAGMA busy_timeout = 0")
    while True:
        try:
            base.execute("BEGIN IMMEDIATE")
            break
        except sqlite3.OperationalError as error:
            if _error_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(random.uniform(0, MAX_RETRY_DELAY_SECONDS))
    base.execute(f"PRAGMA busy_timeout = {lock_seconds * 1000:.0f}")


def _version(base: sqlite3.Connection) -> int:
    """Return the version of the database, or 0 if it is empty.

    Raises _NewerVersionError if it was written by a newer version of the program, and _DamagedError if its tables
    aren't those of its version.
    """
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise _NewerVersionError
    existing = dict(base.execute("SELECT name, type FROM sqlite_master LIMIT 1000"))
    if version == 0 and not existing:
        return 0
    if version <= 0:
        raise _DamagedError
    for table, columns in TABLES[version].items():
        found = tuple(column for _, column, *_ in base.execute(f"PRAGMA table_info({table})"))
        if existing.get(table) != "table" or found != columns:
            raise _DamagedError
    return int(version)


def is_valid_count(value: object) -> bool:
    """Return whether ``value`` is a plausible count: an integer from 0 to 10**15 - 1."""
    return type(value) is int and 0 <= value < 10**15
