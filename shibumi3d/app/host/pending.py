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
from shibumi3d.match.database import COLUMNS, PATIENCE, TRIES, UNDER_WAY, Database, Mishap

RESULTS_FILE_TEXTS = {
    "refused": N_("Couldn't save your results to {path}: {reason}."),
    "damaged": N_("{path} was damaged. It has been renamed to {reason}, and a new file was started."),
    "busy": N_("Another program is using {path}. Shibumi 3D will try again, and nothing is lost."),
    "later": N_("{path} was made by a newer version of the program and has been left unchanged."),
}

Later = Callable[[float, Callable[[], None]], None]
Read = Callable[[float], Callable[[], Mishap | None] | None]
"""Function that reads from the database, given a timeout in seconds.

It returns None if the database is locked. Otherwise, it returns a function that stores the result and returns any
error.
"""
POLL, PAUSE = 0.1, 3.0
"""Interval at which the thread is polled, and delay before a retry, in seconds."""
MOST = 1000
"""Maximum number of pending rows."""
LARGEST = 1 << 24
"""Maximum size of the file of pending rows, in bytes."""
TABLES = {"finished": COLUMNS, "tries": TRIES, "under_way": UNDER_WAY}


class Row(NamedTuple):
    """Row to be written to ``table``.

    In the table ``under_way``, writing a row that consists only of its key deletes the existing row with that key.
    """

    table: str
    values: tuple[Any, ...]

    @property
    def key(self) -> tuple[str, Any]:
        """Table and primary key. A later row with the same key replaces this one."""
        return self.table, self.values[0]

    def write(self, base: Database) -> bool:
        """Write the row; return whether it has been written."""
        if len(self.values) == 1:
            return base.drop(self.table, UNDER_WAY[0], self.values[0])
        return base.put(self.table, TABLES[self.table], self.values)


class Pending:
    """Writes rows in the order in which they were added.

    ``warn`` is called with a message if something can't be read or written.
    """

    def __init__(self, path: Path, later: Later, warn: Callable[[str], None], patience: float = 0.0) -> None:
        """Create the queue for the database at ``path``, with any rows left behind by an earlier run.

        ``later(seconds, what)`` calls a function after a delay. ``patience`` is how long each read or write may wait
        for another program, in seconds.
        """
        self.path, self.patience = path, patience
        self._later, self._warn = later, warn
        self._waiting = self._left_behind()
        self._reads: dict[str, Read] = {}
        self._thread: ThreadPoolExecutor | None = None
        self._trying = False
        """Whether a retry is running or scheduled."""

    def put(self, table: str, values: Sequence[Any]) -> None:
        """Add a row, and write it at once if possible."""
        row = Row(table, tuple(values))
        self._waiting = [*(each for each in self._waiting if each.key != row.key), row][-MOST:]
        self.write()

    def done(self, mode: str) -> None:
        """Delete the progress saved under the key ``mode``."""
        self.put("under_way", (mode,))

    def rows(self, table: str) -> dict[Any, tuple[Any, ...]]:
        """Return the pending rows of a table by key."""
        return {row.values[0]: row.values for row in self._waiting if row.table == table}

    def drop(self, unwanted: Callable[[Row], bool]) -> None:
        """Discard the pending rows for which ``unwanted`` returns true."""
        self._waiting = [row for row in self._waiting if not unwanted(row)]

    def write(self) -> None:
        """Write the pending rows, unless a retry is scheduled. Rows that fail are retried later."""
        if self._waiting and not self._trying:
            self._keep(self._waiting, *written(self.path, self._waiting, self.patience))
            if self._waiting:
                self._try_later()

    def read(self, name: str, read: Read) -> bool:
        """Read now or, if the database is locked, later in the thread; return whether it was read now.

        A postponed read replaces any earlier postponed read with the same ``name``.
        """
        take = read(self.patience)
        if take is not None:
            self.say(take())
            return True
        self.say(Mishap("busy", self.path))
        self._reads[name] = read
        self._try_later()
        return False

    def say(self, mishap: Mishap | None) -> None:
        """Report the error, if any, to the user."""
        if mishap is not None:
            self._warn(_(RESULTS_FILE_TEXTS[mishap.kind], path=mishap.path, reason=mishap.reason))

    def close(self) -> None:
        """Write the pending rows now.

        Rows that can't be written are saved in a file next to the database and loaded at the next start.
        """
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
        self._trying = False
        self._reads.clear()
        if not self._waiting:
            return
        self._keep(self._waiting, *written(self.path, self._waiting, PATIENCE))
        if self._waiting:
            with suppress(OSError):  # it can't be stored anywhere
                files.make_folder(self.path.parent)
                files.write(self._beside, json.dumps([[row.table, *row.values] for row in self._waiting]))

    def _keep(self, tried: Sequence[Row], left: Sequence[Row], mishap: Mishap | None) -> None:
        """Keep the rows that couldn't be written and the rows added in the meantime; report any error."""
        self._waiting = [row for row in self._waiting if row in left or row not in tried]
        if not self._waiting:
            with suppress(OSError):
                self._beside.unlink(missing_ok=True)
        self.say(mishap)

    # Retrying

    def _try_later(self, seconds: float = 0.0) -> None:
        if not self._trying:
            self._trying = True
            self._later(seconds, self._try)

    def _try(self) -> None:
        """Retry all pending rows and reads in the thread."""
        if not self._trying:
            return  # closed in the meantime
        self._thread = self._thread or ThreadPoolExecutor(1, "results")
        rows, reads = list(self._waiting), dict(self._reads)
        self._reads.clear()

        def work() -> Any:
            return written(self.path, rows, PATIENCE), {name: read(PATIENCE) for name, read in reads.items()}

        doing = self._thread.submit(work)

        def look() -> None:
            if not self._trying:
                return
            if not doing.done():
                self._later(POLL, look)
                return
            outcome, found = doing.result()
            self._keep(rows, *outcome)
            for name, take in found.items():
                if take is None:
                    self._reads.setdefault(name, reads[name])
                else:
                    self.say(take())
            self._trying = False
            if self._waiting or self._reads:
                self._try_later(PAUSE)

        look()

    # Rows that an earlier run could not write

    @property
    def _beside(self) -> Path:
        return self.path.with_name(f"{self.path.stem}.pending.json")

    def _left_behind(self) -> list[Row]:
        """Return the valid rows in the file that an earlier run left next to the database."""
        found = []
        with suppress(Exception):  # the file may contain anything
            for table, *values in json.loads(files.read(self._beside, LARGEST)):
                whole = len(values) == len(TABLES[table]) or (table == "under_way" and len(values) == 1)
                if whole and all(each is None or isinstance(each, str | int | float) for each in values):
                    found.append(Row(table, tuple(values)))
        return found[-MOST:]


def written(path: Path, rows: Sequence[Row], patience: float) -> tuple[list[Row], Mishap | None]:
    """Write rows in order until one fails; return the rows not written, and the error or None."""
    base = Database(path, patience)
    left = list(rows)
    while left and left[0].write(base):
        del left[0]
    return left, base.mishap()
