"""Storage of matches in the user's data folder, one record file per match."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from shibumi3d import files
from shibumi3d.catalogue import loader
from shibumi3d.catalogue.remembered import Remembered, Stamp, stamp_of
from shibumi3d.i18n import Message
from shibumi3d.match import lock, record
from shibumi3d.match.match import Match
from shibumi3d.match.record import LIMITS, Record, RecordedResult, RecordError, load, parse

SUFFIX = ".yaml"
LOCK = ".lock"
GONE = ".deleted"
"""Name of the folder for deleted games, which keeps them until they are purged."""
FILE = "kept-games.json"
"""Name of the cache file that holds the summaries of all files in a store."""
_COPY = re.compile(rf" \([0-9]+\)(?={re.escape(SUFFIX)}$)")
"""Pattern for the number at the end of the name of a copy, such as `` (2)``."""
DAY = 24 * 3600
LEAST = 1024
"""Number of bytes deducted from a budget for reading a smaller file."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of matches shows about one match.

    ``game`` is the id of the game, ``seats`` the names of the players, and ``turns`` the number of turns made.
    ``shown`` is set if the solution of a puzzle was shown.
    """

    game: str
    seats: tuple[str, ...]
    turns: int
    result: RecordedResult | None
    shown: bool = False

    @property
    def begun(self) -> bool:
        """Whether any turn has been played.

        If not, the match is just an edited position, or has nothing worth resuming.
        """
        return self.turns > 0


@dataclass(frozen=True, slots=True)
class Saved:
    """A file in the store, last changed at ``changed`` (seconds since 1970).

    If the file can't be read, ``summary`` is None and ``problem`` says why. If both are None, the file has not been
    read yet.
    """

    path: Path
    changed: float
    summary: Summary | None = None
    problem: Message | None = None
    read: Record | None = field(default=None, compare=False, repr=False)
    """The record, if this process has already read it."""

    @property
    def unread(self) -> bool:
        """Whether the file has not been read yet."""
        return self.summary is None and not self.problem

    @property
    def record(self) -> Record | None:
        """Record of the match, read from the file if necessary.

        It is None if the file can't be read or its summary isn't known yet.
        """
        if self.summary is None or self.read is not None:
            return self.read
        with suppress(RecordError):
            return load(self.path)
        return None


def key_of(path: Path) -> str:
    """Return the key that identifies the match in the file at ``path``.

    A copy has the same key as its original.
    """
    return _COPY.sub("", path.name)


def key_of_text(game: str, text: str) -> str:
    """Return a key for a match of ``game`` that is not in a store, computed from its record's text."""
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return files.file_name(game, f" {digest}{SUFFIX}")


class Store:
    """A folder of matches. Files that are not records are left alone.

    A match that is being played is claimed: no other process writes its file until :meth:`release` is called or this
    process ends.
    """

    def __init__(self, folder: Path | None = None, cache: Path | None = None) -> None:
        """Open the store in ``folder``, by default the folder for matches in the user's data folder.

        Summaries of the files are stored in the folder ``cache``, so that only changed files are read next time.
        """
        self.folder = default_folder() if folder is None else folder
        self._kept = Remembered(cache, FILE, self.folder, _parts)
        self._known: dict[str, tuple[Stamp, Saved]] | None = None
        """Stamp and content of each file that was read, by file name.

        None until the cache has been loaded.
        """
        self._news = False
        """Whether a file was read whose result has not been cached yet."""
        self._claimed: dict[Path, lock.Lock] = {}

    def keep(self, match: Match, now: datetime, of: str = "") -> Path:
        """Save ``match`` to a new file from its next change on, and return the path of the file.

        The file is claimed and named after the time ``now`` and the game. If the match is a copy, ``of`` is the key of
        the original: the copy is then named after the original and has the same key. Raises OSError if the folder can't
        be created.
        """
        files.make_folder(self.folder)
        self._sweep(now)
        for number in count(2 if of else 1):
            if of:
                name = f"{of.removesuffix(SUFFIX)} ({number}){SUFFIX}"
            else:
                ending = f" {number}{SUFFIX}" if number > 1 else SUFFIX
                name = files.file_name(f"{now:%Y-%m-%d %H-%M-%S} {match.game.id}", ending)
            path = files.inside(self.folder, name)
            # Another process may choose the same name at the same moment, so check again once the name is claimed.
            if path not in self._claimed and self.claim(path):
                if not os.path.lexists(path):
                    break
                self.release(path)
        match.autosave(path, at_once=False)
        return path

    def claim(self, path: Path) -> bool:
        """Claim the file at ``path``; return False if another process has claimed it.

        If files can't be locked there, returns True without claiming the file.
        """
        if path in self._claimed:
            return True
        try:
            found = lock.take(path.with_name(f".{path.name}{LOCK}"))
        except (OSError, ValueError):
            return True  # if files can't be locked here, they probably can't be written either
        if found is not None:
            self._claimed[path] = found
        return found is not None

    def release(self, path: Path | None = None) -> None:
        """Release the claim on the file at ``path``, or all claims if no path is given."""
        for one in list(self._claimed) if path is None else [path]:
            if one in self._claimed:
                self._claimed.pop(one).release()

    def delete(self, path: Path, now: datetime) -> Path | None:
        """Move the file at ``path`` to the folder of deleted games, and return its new path.

        It stays there for at least a day. Returns None, without moving it, if another process is playing the match.
        Raises OSError.
        """
        if not self.claim(path):
            return None
        try:
            gone = self.folder / GONE / f"{now.timestamp():.0f}" / path.name
            files.make_folder(gone.parent)
            os.replace(path, gone)
        finally:
            self.release(path)
        return gone

    def restore(self, gone: Path, path: Path) -> None:
        """Move a deleted file from ``gone`` back to ``path``.

        Raises FileExistsError if another file has that path by now, and OSError if moving fails.
        """
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        os.replace(gone, path)

    def holds(self, path: Path) -> bool:
        """Return whether the file at ``path`` belongs to this store."""
        return os.path.realpath(path.parent) == os.path.realpath(self.folder)

    def _sweep(self, now: datetime) -> None:
        """Delete unused locks, and partial files and deleted games that are older than a day."""
        files.sweep(self.folder, ".*.part", now.timestamp())
        for gone in (self.folder / GONE).glob("*"):
            if gone.name.isdecimal() and len(gone.name) < 16 and now.timestamp() - int(gone.name) > DAY:
                shutil.rmtree(gone, ignore_errors=True)
        for left in self.folder.glob(f".*{LOCK}"):
            with suppress(OSError):
                if (found := lock.take(left)) is not None:
                    found.release()

    def saved(self, budget: float = float("inf")) -> tuple[Saved, ...]:
        """Return all files in the store, most recently changed first.

        Files that have changed are read until ``budget`` bytes have been read; the others are returned unread.
        """
        found = tuple(self._looked(self._listed(), budget))
        self._keep(found)
        return found

    def more(self, files: Sequence[Saved], budget: float) -> tuple[Saved, ...]:
        """Return ``files`` after reading unread ones, up to about ``budget`` bytes in all.

        Their order remains the same. Files found to be deleted are left out.
        """
        found = []
        for file in files:
            if file.unread and budget > 0:
                seen = _seen(file.path)
                if seen is None:
                    continue  # deleted in the meantime
                budget -= max(seen.size, LEAST)
                found.append(self._known_or_read(seen))
            else:
                found.append(file)
        self._keep(found)
        return tuple(found)

    def _keep(self, found: Sequence[Saved]) -> None:
        """Write the summaries to the cache, unless some files have not been read yet."""
        if self._news and not any(file.unread for file in found):
            self._news = False
            names = {file.path.name for file in found}
            assert self._known is not None
            self._known = {name: known for name, known in self._known.items() if name in names}
            self._kept.write({name: _encoded(*known) for name, known in self._known.items()})

    def unfinished(self, budget: float = float("inf")) -> Saved | None:
        """Return the match to resume: the most recently changed one that has turns but no result.

        Returns None if there is no such match, or if it can't be found by reading at most ``budget`` bytes.
        """
        for saved in self._looked(self._listed(), budget):
            if saved.summary is not None and saved.summary.begun and saved.summary.result is None:
                return saved
        return None

    def _looked(self, listed: Iterable[_Seen], budget: float) -> Iterator[Saved]:
        for seen in sorted(listed, reverse=True):
            saved = self._found(seen)
            if saved.unread and budget > 0:
                budget -= max(seen.size, LEAST)
                saved = self._read(seen)
            yield saved

    def _found(self, seen: _Seen) -> Saved:
        """Return what is known about a file, without opening it."""
        if self._known is None:
            self._known = {}
            for name, told in self._kept.read().items():
                with suppress(Exception):  # an invalid entry means that the file is read again
                    self._known[name] = _decoded(self.folder / name, told)
        known = self._known.get(seen.path.name)
        if known is not None and known[0] == seen.stamp:
            return known[1]
        return Saved(seen.path, seen.time / 1e9, problem=seen.problem)

    def _known_or_read(self, seen: _Seen) -> Saved:
        saved = self._found(seen)
        return self._read(seen) if saved.unread else saved

    def _listed(self) -> Iterator[_Seen]:
        """Yield the files in the folder, without opening them."""
        try:
            names = os.listdir(self.folder)
        except OSError:
            return
        for name in names:
            if not name.endswith(SUFFIX) or name.startswith("."):
                continue
            seen = _seen(self.folder / name)
            if seen is not None:
                yield seen

    def _read(self, seen: _Seen) -> Saved:
        told, summary, problem = None, None, None
        try:
            told = parse(files.read(seen.path, LIMITS.size), str(seen.path))
        except OSError as error:
            problem = Message("{name} can't be read: {reason}", name=seen.path, reason=error)
            return Saved(seen.path, seen.time / 1e9, problem=problem)  # not cached: it may work next time
        except RecordError as error:
            problem = error.message
        else:
            summary = Summary(told.game, told.seats, len(told.turns), told.result, told.shown)
        saved = Saved(seen.path, seen.time / 1e9, summary, problem, told)
        assert self._known is not None
        self._known[seen.path.name] = seen.stamp, saved
        self._news = True
        return saved


class _Seen(NamedTuple):
    """Status of a file: time of change in nanoseconds, size in bytes, and why it can't be read."""

    time: int
    path: Path
    size: int
    problem: Message | None
    stamp: Stamp = ()


def _seen(path: Path) -> _Seen | None:
    """Return the status of a file, or None if it doesn't exist."""
    try:
        about = path.stat()
    except OSError as error:
        if os.path.islink(path):  # a broken link, not a file deleted in the meantime
            return _Seen(0, path, 0, Message("{name} can't be read: {reason}", name=path, reason=error))
        return None
    problem = None
    if not stat.S_ISREG(about.st_mode):
        problem = Message("{name} can't be read: {reason}", name=path, reason=Message("it is not a file"))
    elif about.st_size > LIMITS.size:
        problem = Message("{name} is larger than {most} KB", name=path, most=LIMITS.size // 1024)
    return _Seen(about.st_mtime_ns, path, about.st_size, problem, stamp_of(about))


def _parts() -> Iterable[Path]:
    """Return the source files on which the cached summaries depend."""
    return [Path(part.__file__ or "") for part in (record, loader)] + [Path(__file__)]


def _encoded(seen: Stamp, saved: Saved) -> dict[str, Any]:
    told: dict[str, Any] = {
        "stamp": seen,
        "changed": saved.changed,
        "problem": saved.problem and saved.problem.data(),
    }
    if (summary := saved.summary) is not None:
        result = summary.result
        told["shows"] = [summary.game, summary.seats, summary.turns, summary.shown]
        told["result"] = None if result is None else [result.winners, result.scores, result.reason]
    return told


def _decoded(path: Path, told: dict[str, Any]) -> tuple[Stamp, Saved]:
    summary = None
    if "shows" in told:
        (game, seats, turns, shown), result = told["shows"], told["result"]
        if result is not None:
            winners, scores, reason = result
            result = RecordedResult(tuple(winners), tuple(scores), reason)
        summary = Summary(game, tuple(seats), turns, result, shown)
    return tuple(told["stamp"]), Saved(
        path, told["changed"], summary, told["problem"] and Message.of_data(told["problem"])
    )


def default_folder() -> Path:
    """Return the user's folder for matches (on Linux ``~/.local/share/shibumi3d/matches``)."""
    return _user_data() / "matches"


def games_folder() -> Path:
    """Return the folder for the user's own games (on Linux ``~/.local/share/shibumi3d/games``)."""
    return _user_data() / "games"


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("shibumi3d", appauthor=False)
