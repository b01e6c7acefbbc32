"""What is to be written into the database of results. While another program has that locked nothing waits for it: what
could not be read or written is tried again in a thread."""

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
"""Reads with so many seconds of patience, and returns what takes that up and tells what went wrong; None where the
database is locked."""
POLL, PAUSE = 0.1, 3.0
"""Seconds between two looks whether the thread is done, and between two attempts."""
MOST = 1000
"""How many rows may wait."""
LARGEST = 1 << 24
"""How large the file of what waits may be, in bytes."""
TABLES = {"finished": COLUMNS, "tries": TRIES, "under_way": UNDER_WAY}


class Row(NamedTuple):
    """A row of the table of that name; of ``under_way`` without values it is the one that is to go."""

    table: str
    values: tuple[Any, ...]

    @property
    def key(self) -> tuple[str, Any]:
        """What tells it from others: a later one takes its place."""
        return self.table, self.values[0]

    def write(self, base: Database) -> bool:
        """Write it; return whether that was possible."""
        if len(self.values) == 1:
            return base.drop(self.table, UNDER_WAY[0], self.values[0])
        return base.put(self.table, TABLES[self.table], self.values)


class Pending:
    """Writes rows in the order in which they came. ``warn`` is told what can't be written or read."""

    def __init__(self, path: Path, later: Later, warn: Callable[[str], None], patience: float = 0.0) -> None:
        """``path`` is that of the database, ``later(seconds, what)`` calls something after a while. Whoever asks waits
        so many seconds for another program."""
        self.path, self.patience = path, patience
        self._later, self._warn = later, warn
        self._waiting = self._left_behind()
        self._reads: dict[str, Read] = {}
        self._thread: ThreadPoolExecutor | None = None
        self._trying = False
        """Whether it is tried again now, or in a while."""

    def put(self, table: str, values: Sequence[Any]) -> None:
        """Write a row, at once where that is possible."""
        row = Row(table, tuple(values))
        self._waiting = [*(each for each in self._waiting if each.key != row.key), row][-MOST:]
        self.write()

    def done(self, mode: str) -> None:
        """Remove what was left half done under that name."""
        self.put("under_way", (mode,))

    def rows(self, table: str) -> dict[Any, tuple[Any, ...]]:
        """Return the rows of a table that wait to be written, by key."""
        return {row.values[0]: row.values for row in self._waiting if row.table == table}

    def drop(self, unwanted: Callable[[Row], bool]) -> None:
        """Forget rows that wait."""
        self._waiting = [row for row in self._waiting if not unwanted(row)]

    def write(self) -> None:
        """Write what waits, as far as that is possible without waiting."""
        if self._waiting and not self._trying:
            self._keep(self._waiting, *written(self.path, self._waiting, self.patience))
            if self._waiting:
                self._try_later()

    def read(self, name: str, read: Read) -> bool:
        """Read at once, or where that is not possible in the thread, under a name of which one is enough; return
        whether it was possible."""
        take = read(self.patience)
        if take is not None:
            self.say(take())
            return True
        self.say(Mishap("busy", self.path))
        self._reads[name] = read
        self._try_later()
        return False

    def say(self, mishap: Mishap | None) -> None:
        """Tell what went wrong."""
        if mishap is not None:
            self._warn(_(RESULTS_FILE_TEXTS[mishap.kind], path=mishap.path, reason=mishap.reason))

    def close(self) -> None:
        """Write now what waits; what can't be written lies in a file beside the database until the next start."""
        if self._thread is not None:
            self._thread.shutdown()
            self._thread = None
        self._trying = False
        self._reads.clear()
        if not self._waiting:
            return
        self._keep(self._waiting, *written(self.path, self._waiting, PATIENCE))
        if self._waiting:
            with suppress(OSError):  # then there is no place for it at all
                files.make_folder(self.path.parent)
                files.write(self._beside, json.dumps([[row.table, *row.values] for row in self._waiting]))

    def _keep(self, tried: Sequence[Row], left: Sequence[Row], mishap: Mishap | None) -> None:
        """Keep waiting what could not be written, and what came meanwhile."""
        self._waiting = [row for row in self._waiting if row in left or row not in tried]
        if not self._waiting:
            with suppress(OSError):
                self._beside.unlink(missing_ok=True)
        self.say(mishap)

    # Trying again

    def _try_later(self, seconds: float = 0.0) -> None:
        if not self._trying:
            self._trying = True
            self._later(seconds, self._try)

    def _try(self) -> None:
        """Try all of it in the thread."""
        if not self._trying:
            return  # it was closed
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

    # What a program that ended could not write

    @property
    def _beside(self) -> Path:
        return self.path.with_name(f"{self.path.stem}.pending.json")

    def _left_behind(self) -> list[Row]:
        """The rows in the file; none where it is damaged."""
        found = []
        with suppress(Exception):  # whatever lies there
            for table, *values in json.loads(files.read(self._beside, LARGEST)):
                whole = len(values) == len(TABLES[table]) or (table == "under_way" and len(values) == 1)
                if whole and all(each is None or isinstance(each, str | int | float) for each in values):
                    found.append(Row(table, tuple(values)))
        return found[-MOST:]


def written(path: Path, rows: Sequence[Row], patience: float) -> tuple[list[Row], Mishap | None]:
    """Write rows; return those for which that was not possible, and what went wrong."""
    base = Database(path, patience)
    left = list(rows)
    while left and left[0].write(base):
        del left[0]
    return left, base.mishap()
