"""How matches ended: one row each, in a small database among the user's data, and what can be counted in it."""

from __future__ import annotations

import json
import math
import os
import random
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from shibumi3d import files
from shibumi3d.match.match import Match
from shibumi3d.match.ply import PERSON
from shibumi3d.match.store import default_folder
from shibumi3d.sayings import NoFile, Saying, Unusable, reason

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
)
"""What leads from each version of the database to the next one; the version is the number of those carried out."""

PATIENCE = 5.0
"""Seconds to wait for another window that writes."""
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
COLUMNS_OF = (0, 11, 13)
"""How many of them each version of the database has."""
MOST = 100_000
"""How many matches are read at most, the last ones."""
LONGEST = 1 << 16
"""How long a text of a row may be, in signs."""
WORK = 10_000
"""How many times 10,000 of its own steps a database may take at a time: what takes more was made to."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that was played to its end.

    ``key`` is its own for ever; ``seconds`` is how long it took, None where that is not known. ``hints`` is how many
    were given to the seat that counts, and ``shown`` whether the program played of a puzzle what was to be found. The
    other fields are those of the match and of its outcome.
    """

    key: str
    ended: datetime
    game: str
    variant: str
    size: int
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    winners: tuple[int, ...]
    scores: tuple[int, ...]
    turns: int
    seconds: float | None = None
    hints: int = 0
    shown: bool = False

    @property
    def me(self) -> int:
        """The seat that counts: the first at which somebody sits; -1 where only computers play."""
        return next((seat for seat, kind in enumerate(self.kinds) if kind == PERSON), -1)

    @property
    def opponents(self) -> tuple[str, ...]:
        """Who sits at the other seats: names of persons, strengths of computers."""
        pairs = enumerate(zip(self.names, self.kinds, strict=True))
        return tuple(name if kind == PERSON else kind for seat, (name, kind) in pairs if seat != self.me)

    @property
    def gained(self) -> float:
        """1 for a win, a half for a draw, 0 for a loss."""
        if not self.winners and len(self.names) > 1:
            return 0.5
        return float(self.me in self.winners)


class Career(NamedTuple):
    """What came of some matches. ``streak`` is how many of the last ones were won in turn, ``longest`` the most ever.

    ``best`` is the highest score, ``fewest`` and ``quickest`` the turns and seconds of the shortest win; None where
    there is none. ``shown`` is how many puzzles were shown, which are neither won nor lost and count in nothing else;
    ``hinted`` is how many of those won were won with hints.
    """

    played: int
    won: int
    drawn: int
    streak: int
    longest: int
    best: int | None
    fewest: int | None
    quickest: float | None
    shown: int = 0
    hinted: int = 0

    @property
    def lost(self) -> int:
        """How many were lost."""
        return self.played - self.won - self.drawn - self.shown


def career(matches: Sequence[Finished]) -> Career:
    """Return what ``matches`` come to, which stand in the order in which they ended."""
    streak = longest = 0
    for match in matches:
        # What was shown was not won: it ends what was won in turn.
        streak = streak + 1 if match.gained == 1 and not match.shown else 0
        longest = max(longest, streak)
    own = [match for match in matches if not match.shown]
    won = [match for match in own if match.gained == 1]
    times = [match.seconds for match in won if match.seconds is not None]
    return Career(
        len(matches),
        len(won),
        sum(match.gained == 0.5 for match in own),
        streak,
        longest,
        max((match.scores[match.me] for match in own if match.scores), default=None),
        min((match.turns for match in won), default=None),
        min(times, default=None),
        len(matches) - len(own),
        sum(match.hints > 0 for match in won),
    )


def finished(match: Match, key: str, seconds: float | None = None, now: datetime | None = None) -> Finished:
    """Return what is to be kept of a match that is over. Raises ValueError where it goes on."""
    outcome = match.game.outcome(match.state)
    if outcome is None:
        raise Unusable("match.not-over")
    turns = match.plies[-1].turn + 1 if match.plies else 0
    me = next((seat for seat, kind in enumerate(match.kinds) if kind == PERSON), -1)
    return Finished(
        key,
        now or datetime.now(UTC),
        match.game.id,
        match.game.variant,
        match.game.size,
        tuple(seat.name for seat in match.seats),
        match.kinds,
        outcome.winners,
        outcome.scores,
        turns,
        seconds,
        match.hints[me] if me >= 0 else 0,
        match.shown,
    )


class Mishap(NamedTuple):
    """What went wrong with the file at ``path``.

    ``kind`` is "later" (it is of a later version, and left as it is), "refused" (the system gave a ``reason``) or
    "damaged" (it was set aside, and is called ``reason`` now).
    """

    kind: str
    path: Path
    reason: Saying | str = ""


class Results:
    """The database at ``path``, made when first written to.

    Nothing here stops a program: what goes wrong is kept until it is asked for by :meth:`mishap`. A damaged file is
    set aside under another name; one of a later version is left as it is.
    """

    def __init__(self, path: Path | None = None) -> None:
        """``path`` is by default that among the user's data."""
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

    def add(self, match: Finished) -> bool:
        """Keep a match, in place of one with the same key; return whether that was possible."""
        row = (
            match.key.encode("utf-8", "replace").decode(),
            match.ended.astimezone(UTC).isoformat(timespec="milliseconds"),
            match.game,
            match.variant,
            match.size,
            json.dumps(match.names),
            json.dumps(match.kinds),
            json.dumps(match.winners),
            json.dumps(match.scores),
            match.turns,
            match.seconds,
            match.hints,
            int(match.shown),
        )
        for _ in range(2):  # once more where a damaged file was set aside
            with self._guarded(), self._open(True) as base:
                marks = ", ".join("?" * len(row))
                base.execute(f"INSERT OR REPLACE INTO finished ({', '.join(COLUMNS)}) VALUES ({marks})", row)
                return True
            if self._mishap is None or self._mishap.kind != "damaged":
                break
        return False

    def matches(self, game: str = "") -> tuple[Finished, ...]:
        """Return every match kept, or those of ``game``, in the order in which they ended; broken rows are left out."""
        if not os.path.exists(self.path):
            return ()
        with self._guarded(), self._open(False) as base:
            where, values = ("WHERE game = ?", (game,)) if game else ("", ())
            rows = base.execute(
                f"SELECT {', '.join(COLUMNS)} FROM finished {where} ORDER BY ended DESC, key DESC LIMIT {MOST}",
                values,
            )
            found = [each for row in rows if (each := _finished(row)) is not None]
            return tuple(sorted(found, key=lambda each: (each.ended, each.key)))
        return ()

    def forget(self, game: str = "") -> bool:
        """Remove every match, or those of ``game``, for good; return whether that was possible."""
        if not os.path.exists(self.path):
            return True
        with self._guarded(), self._open(True) as base:
            base.execute("DELETE FROM finished WHERE ? IN ('', game)", (game,))
            return True
        return False

    @contextmanager
    def _open(self, write: bool) -> Iterator[sqlite3.Connection]:
        """The database in its present version; what is done is kept whole or not at all."""
        if write:
            files.make_folder(self.path.parent)
        if os.path.exists(self.path) and not os.path.isfile(self.path):
            raise NoFile("path.no-file")
        with closing(sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)) as base:
            base.text_factory = lambda data: data.decode("utf-8", "replace")
            steps = iter(range(WORK))
            base.set_progress_handler(lambda: next(steps, None) is None, 10_000)
            if not write and _version(base) == len(MIGRATIONS):
                yield base
                return
            # Who writes waits for whoever writes already; so versions are looked at by one alone.
            _begin(base)
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
        except _Damaged:
            self._set_aside()
        except sqlite3.Error as error:
            if _code(error) in DAMAGED:
                self._set_aside()
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


def _begin(base: sqlite3.Connection) -> None:
    """Wait until nobody else writes, and write alone from now on."""
    until = time.monotonic() + PATIENCE
    base.execute("PRAGMA busy_timeout = 0")
    while True:
        try:
            base.execute("BEGIN IMMEDIATE")
            break
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        time.sleep(random.uniform(0, SOON))
    base.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")


def _version(base: sqlite3.Connection) -> int:
    """The version of a database, 0 for an empty one. Raises :class:`_Later`, and :class:`_Damaged`."""
    (version,) = base.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise _Later
    there = dict(base.execute("SELECT name, type FROM sqlite_master LIMIT 1000"))
    if version == 0 and not there:
        return 0
    columns = tuple(column for _, column, *_ in base.execute("PRAGMA table_info(finished)"))
    if version <= 0 or there.get("finished") != "table" or columns != COLUMNS[: COLUMNS_OF[version]]:
        raise _Damaged
    return int(version)


def _finished(row: Sequence[Any]) -> Finished | None:
    """A row as it was kept; None where it is none."""
    key, ended, game, variant, size, names, kinds, winners, scores, turns, seconds, hints, shown = row
    texts = key, ended, game, variant, names, kinds, winners, scores
    if not all(isinstance(text, str) and len(text) <= LONGEST for text in texts):
        return None
    try:
        day = datetime.fromisoformat(ended)
        lists = [json.loads(text) for text in (names, kinds, winners, scores)]
    except (ValueError, RecursionError):
        return None
    seats = len(lists[0]) if isinstance(lists[0], list) else 0
    if not (
        day.utcoffset() is not None
        and all(isinstance(each, list) for each in lists)
        and all(isinstance(text, str) for text in (*lists[0], *lists[1]))
        and all(map(_is_count, (size, turns, hints)))
        and shown in (0, 1)
        and all(_is_count(seat) and seat < seats for seat in lists[2])
        and all(_is_count(abs(score)) if type(score) is int else False for score in lists[3])
        and 0 < seats == len(lists[1])
        and len(lists[3]) in (0, seats)
        and (
            seconds is None or (isinstance(seconds, int | float) and math.isfinite(seconds) and seconds >= 0)
        )
    ):
        return None
    told, sat, won, scored = map(tuple, lists)
    return Finished(key, day, game, variant, size, told, sat, won, scored, turns, seconds, hints, bool(shown))


def _is_count(value: Any) -> bool:
    """Whether it is a whole number as matches bring them."""
    return type(value) is int and 0 <= value < 10**15
