"""The small database among the user's data: opened, brought to its present version, and set aside when damaged."""

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
from shibumi3d.i18n import Message, NoFile, reason, verbatim
from shibumi3d.match.store import default_folder

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
"""What leads from each version of the database to the next one; the version is the number of those carried out."""

PATIENCE = 2.0
"""Seconds to wait for another program that writes, where nobody waits for the answer."""
SOON = 0.004
"""Seconds after which it is tried again, at most: whoever sleeps longer never has a turn while several write."""
COLUMNS = (
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
TRIES = (
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
UNDER_WAY = ("mode", "told")
TABLES: tuple[dict[str, tuple[str, ...]], ...] = (
    {},
    {"finished": COLUMNS[:11]},
    {"finished": COLUMNS},
    {"finished": COLUMNS, "tries": TRIES, "under_way": UNDER_WAY},
)
"""The tables of each version of the database, and their columns."""
WORK = 10_000
"""How many times 10,000 of its own steps a database may take at a time: what takes more was made to."""


class Mishap(NamedTuple):
    """What went wrong with the file at ``path``.

    ``kind`` is "later" (it is of a later version, and left as it is), "refused" (the system gave a ``reason``), "busy"
    (another program has it locked) or "damaged" (it was set aside, and is called ``reason`` now).
    """

    kind: str
    path: Path
    reason: Message | str = ""


class Database:
    """The database at ``path``, made when first written to.

    Nothing here stops a program: what goes wrong is kept until it is asked for by :meth:`mishap`. A damaged file is
    set aside under another name; one of a later version is left as it is.
    """

    def __init__(self, path: Path | None = None, patience: float = PATIENCE) -> None:
        """``path`` is by default that among the user's data; ``patience`` is how many seconds to wait for another
        program that has it locked."""
        self._patience = patience
        self.path = default_folder().parent / "results.sqlite" if path is None else path
        self._mishap: Mishap | None = None
        self._said: set[Mishap] = set()

    def mishap(self) -> Mishap | None:
        """Return what went wrong since this was asked last, each thing once; None for nothing."""
        mishap, self._mishap = self._mishap, None
        if mishap is None or mishap in self._said:
            return None
        self._said.add(mishap)
        return mishap

    def write(self, told: str, values: Sequence[Any]) -> bool:
        """Carry out a statement that changes something; return whether that was possible."""
        for _ in range(2):  # once more where a damaged file was set aside
            with self._guarded(), self._open(True) as base:
                base.execute(told, values)
                return True
            if self._mishap is None or self._mishap.kind != "damaged":
                break
        return False

    def put(self, table: str, columns: Sequence[str], row: Sequence[Any]) -> bool:
        """Keep a row, in place of one with the same key; return whether that was possible."""
        marks = ", ".join("?" * len(row))
        return self.write(f"INSERT OR REPLACE INTO {table} ({', '.join(columns)}) VALUES ({marks})", row)

    def remove(self, told: str, values: Sequence[Any] = ()) -> bool:
        """Carry out a statement that removes rows, if there is a database; return whether that was possible."""
        if not os.path.exists(self.path):
            return True
        with self._guarded(), self._open(True) as base:
            base.execute(told, values)
            return True
        return False

    def drop(self, table: str, column: str, value: str) -> bool:
        """Remove the rows that have a value in a column; return whether that was possible."""
        return self.remove(f"DELETE FROM {table} WHERE {column} = ?", (value,))

    def read(self, told: str, values: Sequence[Any] = ()) -> list[Any]:
        """Return the rows that a statement finds; none where there is no database, or it can't be read."""
        if not os.path.exists(self.path):
            return []
        with self._guarded(), self._open(False) as base:
            return list(base.execute(told, values))
        return []

    @contextmanager
    def _open(self, write: bool) -> Iterator[sqlite3.Connection]:
        """The database in its present version; what is done is kept whole or not at all."""
        if write:
            files.make_folder(self.path.parent)
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise NoFile("it is not a file")
        with closing(sqlite3.connect(self.path, timeout=self._patience, isolation_level=None)) as base:
            base.text_factory = lambda data: data.decode("utf-8", "replace")
            steps = iter(range(WORK))
            base.set_progress_handler(lambda: next(steps, None) is None, 10_000)
            if not write and _version(base) == len(MIGRATIONS):
                yield base
                return
            # Who writes waits for whoever writes already; so versions are looked at by one alone.
            _begin(base, self._patience)
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
        """Keeps what goes wrong."""
        try:
            yield
        except _Later:
            self._mishap = Mishap("later", self.path)
        except OSError as error:
            self._mishap = Mishap("refused", self.path, reason(error))
        except (_Damaged, UnicodeDecodeError):  # also where its own words for what is wrong are damaged
            self._set_aside()
        except (ValueError, OverflowError) as error:  # a value that no database takes
            self._mishap = Mishap("refused", self.path, verbatim(error))
        except sqlite3.Error as error:
            if _code(error) in DAMAGED:
                self._set_aside()
            elif _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                self._mishap = Mishap("busy", self.path)
            else:
                self._mishap = Mishap("refused", self.path, reason(error))

    def _set_aside(self) -> None:
        """Give a damaged file another name."""
        try:
            aside = files.set_aside(
                self.path, lambda number: f"{self.path.stem}.damaged-{number}{self.path.suffix}"
            )
        except OSError as error:
            self._mishap = Mishap("refused", self.path, reason(error))
        else:
            self._mishap = Mishap("damaged", self.path, aside.name)


class _Later(Exception):
    """The file is of a version that is not known here."""


class _Damaged(Exception):
    """The file is a database, but none that was made here."""


DAMAGED = (
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_INTERRUPT,
)
"""What the database says where it is not as it was made here, and not where the system refuses something."""


def _code(error: sqlite3.Error) -> int:
    """What the database said, without the finer reasons."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _begin(base: sqlite3.Connection, patience: float) -> None:
    """Wait until nobody else writes, and write alone from now on."""
    until = time.monotonic() + patience
    base.execute("PRAGMA busy_timeout = 0")
    while True:
        try:
            base.execute("BEGIN IMMEDIATE")
            break
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(random.uniform(0, SOON))
    base.execute(f"PRAGMA busy_timeout = {patience * 1000:.0f}")


def _version(base: sqlite3.Connection) -> int:
    """The version of a database, 0 for an empty one. Raises :class:`_Later`, and :class:`_Damaged`."""
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise _Later
    there = dict(base.execute("SELECT name, type FROM sqlite_master LIMIT 1000"))
    if version == 0 and not there:
        return 0
    if version <= 0:
        raise _Damaged
    for table, columns in TABLES[version].items():
        found = tuple(column for _, column, *_ in base.execute(f"PRAGMA table_info({table})"))
        if there.get(table) != "table" or found != columns:
            raise _Damaged
    return int(version)


def is_count(value: Any) -> bool:
    """Return whether it is a whole number as matches bring them."""
    return type(value) is int and 0 <= value < 10**15
