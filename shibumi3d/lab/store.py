"""Where rows are kept: one SQLite file, by job, so that a second run does only what is missing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from shibumi3d.lab.jobs import Job, Row, key, told
from shibumi3d.sayings import Unusable

_APPLICATION = 0x5348424C
"""Names such files among those of SQLite: "SHBL"."""
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
WAIT = 60.0
"""Seconds that one run waits for another that writes to the same file."""


class RowStore:
    """Rows by job in a file, which several runs may share. What another version of the program found is found anew.

    Raises ValueError with a sentence where the file is something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._open() as base:
            (application,) = base.execute("PRAGMA application_id").fetchone()
            (tables,) = base.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if application != _APPLICATION and (application or tables):
                raise Unusable("lab.file", path=path)
            base.executescript(f"PRAGMA application_id = {_APPLICATION}; {_TABLES}")

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one thing: whoever is killed leaves nothing half written."""
        try:
            with closing(sqlite3.connect(self.path, timeout=WAIT)) as base, base:
                yield base
        except sqlite3.Error as error:
            raise Unusable("lab.sqlite", path=self.path, reason=str(error)) from None

    def rows(self, job: Job, program: str) -> list[Row] | None:
        """Return the rows of a job as that version found them; None where it did not."""
        with self._open() as base:
            found = base.execute(
                "SELECT rows FROM jobs WHERE key = ? AND program = ?", (key(job), program)
            ).fetchone()
        if found is None:
            return None
        rows: list[Row] = json.loads(found[0])
        return rows

    def held(self) -> dict[str, tuple[str, float]]:
        """Return of all jobs that are kept, by key, the version that did them and the CPU time it took in seconds."""
        with self._open() as base:
            found = base.execute("SELECT key, program, seconds FROM jobs").fetchall()
        return {known: (program, seconds) for known, program, seconds in found}

    def put(self, job: Job, program: str, engine: str, seconds: float, rows: str) -> None:
        """Keep what a job found: its rows as JSON."""
        table = job.table
        with self._open() as base:
            base.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?)", (table.hash, table.id, table.text))
            base.execute(
                "INSERT OR REPLACE INTO jobs VALUES (?, ?, ?, ?, ?, ?)",
                (key(job), told(job), program, engine, round(seconds, 3), rows),
            )
