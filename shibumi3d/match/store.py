"""Storage of matches in the user's data folder, one record file per match, with file locks between processes."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from shibumi3d import files
from shibumi3d.catalogue import yaml_parser
from shibumi3d.catalogue.folder_cache import FileStamp, FolderCache, stamp_from_stat
from shibumi3d.i18n import FileError, Message
from shibumi3d.match import file_format, record
from shibumi3d.match.history import PERSON
from shibumi3d.match.match import Match
from shibumi3d.match.record import LIMITS, Record, RecordedResult, RecordError, load, parse

if sys.platform == "win32":
    import msvcrt

    def _lock_handle(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock_handle(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


MAX_LOCK_WAIT_SECONDS, LOCK_POLL_SECONDS = 2.0, 0.01
"""Maximum time to wait for a lock, and the time between two attempts."""
LOCKED_ERRNOS = (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
"""Error codes which show that another process holds the lock."""


@dataclass(frozen=True, slots=True)
class FileLock:
    """A lock that this process holds, with the handle of the open lock file."""

    path: Path
    handle: int

    def release(self) -> None:
        """Release the lock and remove its file."""
        with suppress(OSError):  # Windows can't remove an open file
            self.path.unlink()
        os.close(self.handle)
        if sys.platform == "win32":
            with suppress(OSError):
                self.path.unlink()


def acquire_lock(path: Path) -> FileLock | None:
    """Lock the file at ``path``, creating it if needed; return None if it is already locked.

    Raises OSError if the file can't be opened or locked for any other reason.
    """
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            _lock_handle(handle)
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return FileLock(path, handle)
        except FileNotFoundError:
            pass  # another process removed the file while it was being opened: try again with a new file
        except OSError as error:
            os.close(handle)
            if error.errno in LOCKED_ERRNOS:
                return None
            raise
        os.close(handle)


@contextmanager
def hold_lock(path: Path, max_wait_seconds: float = MAX_LOCK_WAIT_SECONDS) -> Iterator[None]:
    """Lock the file at ``path`` against other processes while the block runs.

    Raises OSError if another process still holds the lock after ``max_wait_seconds``. If the file can't be locked at
    all, the block runs without a lock.
    """
    end = time.monotonic() + max_wait_seconds
    lock: FileLock | None = None
    is_lockable = True
    try:
        while (lock := acquire_lock(path)) is None and time.monotonic() < end:
            time.sleep(LOCK_POLL_SECONDS)
    except OSError:
        is_lockable = False
    if lock is None and is_lockable:
        raise FileError("another window is writing to it", path=path)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


SUFFIX = ".yaml"
LOCK_SUFFIX = ".lock"
TRASH_FOLDER = ".deleted"
"""Name of the folder in which deleted files are kept until they are purged."""
CACHE_FILE = "kept-games.json"
"""Name of the cache file that holds the summaries of all files in a store."""
_COPY_NUMBER = re.compile(rf" \([0-9]+\)(?={re.escape(SUFFIX)}$)")
"""Pattern for the number at the end of the name of a copy, such as `` (2)``."""
DAY_SECONDS = 24 * 3600
MIN_READ_COST_BYTES = 1024
"""Minimum number of bytes that reading a file uses up of a limit such as ``max_bytes``."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """What a list of matches shows about one match.

    ``game`` is the id of the game, ``seats`` the names of the players, and ``turns`` the number of turns made.
    ``is_solution_shown`` is set if the solution of a puzzle was shown. ``size`` and ``variant`` are as in the record.
    """

    game: str
    seats: tuple[str, ...]
    turns: int
    result: RecordedResult | None
    is_solution_shown: bool = False
    size: int = 0
    variant: str = ""
    first_turn: tuple[str, ...] = ()
    """Moves of the first turn.

    Empty if only computers play, or if the record has a game file, a deal, options, a position or the swap rule.
    """

    @property
    def has_turns(self) -> bool:
        """Whether any turn has been played.

        A match without turns is just a starting position, with nothing to resume.
        """
        return self.turns > 0


@dataclass(frozen=True, slots=True)
class SavedMatch:
    """A file in the store, last changed at ``modified_at`` (seconds since 1970).

    If the file can't be read, ``summary`` is None and ``problem`` says why. If both are None, the file has not been
    read yet.
    """

    path: Path
    modified_at: float
    summary: MatchSummary | None = None
    problem: Message | None = None
    loaded_record: Record | None = field(default=None, compare=False, repr=False)
    """The record, if this process has already read it."""

    @property
    def is_unread(self) -> bool:
        """Whether the file has not been read yet."""
        return self.summary is None and not self.problem

    @property
    def record(self) -> Record | None:
        """Record of the match, or None if there is none.

        If the record is not in ``loaded_record``, it is read from the file at each access. It is None if the file can't
        be read, or if ``summary`` is None.
        """
        if self.summary is None or self.loaded_record is not None:
            return self.loaded_record
        with suppress(RecordError):
            return load(self.path)
        return None


def match_key(path: Path) -> str:
    """Return the key that identifies the match in the file at ``path``.

    A copy has the same key as its original.
    """
    return _COPY_NUMBER.sub("", path.name)


def key_for_text(game: str, text: str) -> str:
    """Return a key for a match that is not in a store.

    ``game`` is the ``id`` of its game, and ``text`` is the text of its record.
    """
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return files.file_name(game, f" {digest}{SUFFIX}")


class MatchStore:
    """A folder of matches.

    Hidden files and files without the suffix :data:`SUFFIX` are ignored. A match that is being played is claimed: no
    other process writes its file until :meth:`release` is called or this process ends.
    """

    def __init__(self, folder: Path | None = None, cache: Path | None = None) -> None:
        """Open the store in ``folder``, by default the folder for matches in the user's data folder.

        If a folder ``cache`` is given, summaries of the files are stored there, so that only changed files are read
        next time.
        """
        self.folder = matches_folder() if folder is None else folder
        self._cache = FolderCache(cache, CACHE_FILE, self.folder, _source_files)
        self._summaries: dict[str, tuple[FileStamp, SavedMatch]] | None = None
        """Stamp and content of each file that was read, by file name.

        None until the cache has been loaded.
        """
        self._has_new_summaries = False
        """Whether any summary has not been written to the cache yet."""
        self._claimed: dict[Path, FileLock] = {}

    def save_new(self, match: Match, now: datetime, original_key: str = "") -> Path:
        """Start autosaving ``match`` to a new file at its next change, and return the file's path.

        The file is claimed. It is named after the time ``now`` and the game. A copy of a match is named after the
        original instead, so that both have the same key; ``original_key`` is then the key of the original. Old files
        left by interrupted saves, and matches that were deleted more than a day ago, are removed from the folder.
        Raises OSError if the folder can't be created, and RecordError for a match that can't be recorded.
        """
        files.make_folder(self.folder)
        self._clean_up(now)
        for number in count(2 if original_key else 1):
            if original_key:
                name = f"{original_key.removesuffix(SUFFIX)} ({number}){SUFFIX}"
            else:
                ending = f" {number}{SUFFIX}" if number > 1 else SUFFIX
                name = files.file_name(f"{now:%Y-%m-%d %H-%M-%S} {match.game.id}", ending)
            path = files.path_in_folder(self.folder, name)
            # Another process may choose the same name at the same moment, so check again once the name is claimed.
            if path not in self._claimed and self.claim(path):
                if not os.path.lexists(path):
                    break
                self.release(path)
        match.start_autosave(path, save_now=False)
        return path

    def claim(self, path: Path) -> bool:
        """Claim the file at ``path``; return False if another process has claimed it.

        If locking fails for any other reason, returns True without claiming the file.
        """
        if path in self._claimed:
            return True
        try:
            found = acquire_lock(path.with_name(f".{path.name}{LOCK_SUFFIX}"))
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
        """Move the file at ``path`` to the folder of deleted files, and return its new path.

        It stays there for at least a day. Returns None, without moving it, if another process is playing the match.
        Raises OSError if moving fails.
        """
        if not self.claim(path):
            return None
        try:
            trashed = self.folder / TRASH_FOLDER / f"{now.timestamp():.0f}" / path.name
            files.make_folder(trashed.parent)
            os.replace(path, trashed)
        finally:
            self.release(path)
        return trashed

    def restore(self, deleted_path: Path, path: Path) -> None:
        """Move a deleted file from ``deleted_path`` back to ``path``.

        Raises FileExistsError if ``path`` already exists, and OSError if moving fails.
        """
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        os.replace(deleted_path, path)

    def contains(self, path: Path) -> bool:
        """Return whether ``path`` is directly in the folder of this store.

        The file itself need not exist.
        """
        return os.path.realpath(path.parent) == os.path.realpath(self.folder)

    def _clean_up(self, now: datetime) -> None:
        """Remove unused locks, old partial files, and matches that were deleted more than a day ago."""
        files.delete_abandoned(self.folder, ".*.part", now.timestamp())
        for trashed in (self.folder / TRASH_FOLDER).glob("*"):
            if (
                trashed.name.isdecimal()
                and len(trashed.name) < 16
                and now.timestamp() - int(trashed.name) > DAY_SECONDS
            ):
                shutil.rmtree(trashed, ignore_errors=True)
        for left in self.folder.glob(f".*{LOCK_SUFFIX}"):
            with suppress(OSError):
                if (found := acquire_lock(left)) is not None:
                    found.release()

    def list_files(self, max_bytes: float = float("inf")) -> tuple[SavedMatch, ...]:
        """Return all files in the store, most recently changed first.

        New and changed files are read, up to about ``max_bytes`` bytes in all; any further ones are returned unread.
        """
        result = tuple(self._read_within_budget(self._scan_folder(), max_bytes))
        self._write_cache(result)
        return result

    def read_more(self, files: Sequence[SavedMatch], max_bytes: float) -> tuple[SavedMatch, ...]:
        """Return ``files`` with the unread ones read, up to about ``max_bytes`` bytes in all.

        Any further ones remain unread. The order remains the same, and files found to be deleted are left out.
        """
        found = []
        for file in files:
            if file.is_unread and max_bytes > 0:
                status = _file_status(file.path)
                if status is None:
                    continue  # deleted in the meantime
                max_bytes -= max(status.size, MIN_READ_COST_BYTES)
                found.append(self._known_or_read(status))
            else:
                found.append(file)
        self._write_cache(found)
        return tuple(found)

    def _write_cache(self, saved_matches: Sequence[SavedMatch]) -> None:
        """Write the summaries to the cache if some are new and all of ``saved_matches`` have been read.

        Summaries of files that aren't among ``saved_matches`` are dropped.
        """
        if self._has_new_summaries and not any(file.is_unread for file in saved_matches):
            self._has_new_summaries = False
            names = {file.path.name for file in saved_matches}
            assert self._summaries is not None
            self._summaries = {name: known for name, known in self._summaries.items() if name in names}
            self._cache.write({name: _encode(*known) for name, known in self._summaries.items()})

    def find_unfinished(self, max_bytes: float = float("inf")) -> SavedMatch | None:
        """Return the match to resume: the most recently changed one that has turns but no result.

        Returns None if there is no such match, or if it isn't found after reading about ``max_bytes`` bytes.
        """
        for saved in self._read_within_budget(self._scan_folder(), max_bytes):
            if saved.summary is not None and saved.summary.has_turns and saved.summary.result is None:
                return saved
        return None

    def _read_within_budget(self, statuses: Iterable[_FileStatus], max_bytes: float) -> Iterator[SavedMatch]:
        for status in sorted(statuses, reverse=True):
            saved = self._from_cache(status)
            if saved.is_unread and max_bytes > 0:
                max_bytes -= max(status.size, MIN_READ_COST_BYTES)
                saved = self._read(status)
            yield saved

    def _from_cache(self, status: _FileStatus) -> SavedMatch:
        """Return what is known about a file, without opening it.

        If the cache has no entry for the current version of the file, only its path, the time of its last change and
        any problem are known.
        """
        if self._summaries is None:
            self._summaries = {}
            for name, data in self._cache.read().items():
                with suppress(Exception):  # an invalid entry means that the file is read again
                    self._summaries[name] = _decode(self.folder / name, data)
        known = self._summaries.get(status.path.name)
        if known is not None and known[0] == status.stamp:
            return known[1]
        return SavedMatch(status.path, status.time / 1e9, problem=status.problem)

    def _known_or_read(self, status: _FileStatus) -> SavedMatch:
        saved = self._from_cache(status)
        return self._read(status) if saved.is_unread else saved

    def _scan_folder(self) -> Iterator[_FileStatus]:
        """Yield the status of each record file in the folder, without opening any."""
        try:
            names = os.listdir(self.folder)
        except OSError:
            return
        for name in names:
            if not name.endswith(SUFFIX) or name.startswith("."):
                continue
            status = _file_status(self.folder / name)
            if status is not None:
                yield status

    def _read(self, status: _FileStatus) -> SavedMatch:
        parsed, summary, problem = None, None, None
        try:
            parsed = parse(files.read(status.path, LIMITS.size), str(status.path))
        except OSError as error:
            problem = Message("{name} can't be read: {reason}", name=status.path, reason=error)
            # This is not cached: it may work next time.
            return SavedMatch(status.path, status.time / 1e9, problem=problem)
        except RecordError as error:
            problem = error.message
        else:
            summary = MatchSummary(
                parsed.game,
                parsed.seats,
                len(parsed.turns),
                parsed.result,
                parsed.is_solution_shown,
                parsed.size,
                parsed.variant,
                _first_turn(parsed),
            )
        saved = SavedMatch(status.path, status.time / 1e9, summary, problem, parsed)
        assert self._summaries is not None
        self._summaries[status.path.name] = status.stamp, saved
        self._has_new_summaries = True
        return saved


class _FileStatus(NamedTuple):
    """Status of a file.

    ``time`` is the time of the last change in nanoseconds, and ``size`` is in bytes; both are 0 for a broken link.
    ``problem`` says why the file can't be read, or is None. ``stamp`` shows whether the file has changed since it was
    last read; a broken link has none.
    """

    time: int
    path: Path
    size: int
    problem: Message | None
    stamp: FileStamp = ()


def _file_status(path: Path) -> _FileStatus | None:
    """Return the status of a file, or None if it doesn't exist or can't be accessed.

    For a broken link, a file that isn't a regular file, and a file that is too large, the status says why it can't be
    read.
    """
    try:
        about = path.stat()
    except OSError as error:
        if os.path.islink(path):  # a broken link, not a file deleted in the meantime
            return _FileStatus(0, path, 0, Message("{name} can't be read: {reason}", name=path, reason=error))
        return None
    problem = None
    if not stat.S_ISREG(about.st_mode):
        problem = Message("{name} can't be read: {reason}", name=path, reason=Message("it is not a file"))
    elif about.st_size > LIMITS.size:
        problem = Message("{name} is larger than {most} KB", name=path, most=LIMITS.size // 1024)
    return _FileStatus(about.st_mtime_ns, path, about.st_size, problem, stamp_from_stat(about))


def _first_turn(parsed: Record) -> tuple[str, ...]:
    """Return the value of :attr:`MatchSummary.first_turn` for the record ``parsed``."""
    unusual = (parsed.file, parsed.deal, parsed.options, parsed.position, parsed.has_swap_rule)
    only_computers = parsed.player_types and PERSON not in parsed.player_types
    return () if any(unusual) or only_computers or not parsed.turns else parsed.turns[0]


def _source_files() -> Iterable[Path]:
    """Return the source files on which the cached summaries depend."""
    return [Path(part.__file__ or "") for part in (record, file_format, yaml_parser)] + [Path(__file__)]


def _encode(status: FileStamp, saved: SavedMatch) -> dict[str, object]:
    data: dict[str, object] = {
        "stamp": status,
        "changed": saved.modified_at,
        "problem": saved.problem and saved.problem.to_data(),
    }
    if (summary := saved.summary) is not None:
        result = summary.result
        data["shows"] = [summary.game, summary.seats, summary.turns, summary.is_solution_shown]
        data["opening"] = [summary.size, summary.variant, summary.first_turn]
        data["result"] = None if result is None else [result.winners, result.scores, result.reason]
    return data


def _decode(path: Path, data: dict[str, Any]) -> tuple[FileStamp, SavedMatch]:
    summary = None
    if "shows" in data:
        (game, seats, turns, shown), result = data["shows"], data["result"]
        size, variant, first_turn = data["opening"]
        if result is not None:
            winners, scores, reason = result
            result = RecordedResult(tuple(winners), tuple(scores), reason)
        summary = MatchSummary(game, tuple(seats), turns, result, shown, size, variant, tuple(first_turn))
    return tuple(data["stamp"]), SavedMatch(
        path, data["changed"], summary, data["problem"] and Message.from_data(data["problem"])
    )


def matches_folder() -> Path:
    """Return the user's folder for matches (on Linux ``~/.local/share/shibumi3d/matches``)."""
    return _user_data_folder() / "matches"


def games_folder() -> Path:
    """Return the folder for the user's own games (on Linux ``~/.local/share/shibumi3d/games``)."""
    return _user_data_folder() / "games"


def _user_data_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("shibumi3d", appauthor=False)
