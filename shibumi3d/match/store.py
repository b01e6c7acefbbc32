"""Where matches are kept: one record file each, in the user's data folder."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path
from typing import NamedTuple

from shibumi3d import files
from shibumi3d.match import lock
from shibumi3d.match.match import Match
from shibumi3d.match.record import LIMITS, Record, RecordError, parse

SUFFIX = ".yaml"
LOCK = ".lock"
GONE = ".deleted"
"""The folder in which deleted games lie until they are swept up."""
DAY = 24 * 3600
LEAST = 1024
"""What a file counts as at least, in bytes read."""


@dataclass(frozen=True, slots=True)
class Saved:
    """A file in the store, last changed at ``changed`` (seconds since 1970).

    ``record`` is None when it can't be read, and ``problem`` says why; without a problem it was not read yet.
    """

    path: Path
    changed: float
    record: Record | None = None
    problem: str = ""

    @property
    def unread(self) -> bool:
        """Whether nobody has looked into it yet."""
        return self.record is None and not self.problem


class Store:
    """A folder of matches. Files that are not records stay where they are and as they are.

    A match that is being played is claimed: no other program writes its file until :meth:`release`, or until this
    program ends.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """``folder`` is by default the one that the system gives programs for the user's data."""
        self.folder = default_folder() if folder is None else folder
        self._known: dict[str, tuple[tuple[int, int], Saved]] = {}
        """What was read, by the name of the file, with its size and time then."""
        self._claimed: dict[Path, lock.Lock] = {}

    def keep(self, match: Match, now: datetime) -> Path:
        """Save ``match`` from its next change on, in a new file called by the time ``now`` and the game.

        The file is claimed. Raises OSError when the folder can't be made.
        """
        files.make_folder(self.folder)
        self._sweep(now)
        for number in count(1):
            ending = f" {number}{SUFFIX}" if number > 1 else SUFFIX
            path = files.inside(
                self.folder, files.file_name(f"{now:%Y-%m-%d %H-%M-%S} {match.game.id}", ending)
            )
            # Another program may choose the same name at the same moment: who has claimed it looks again.
            if path not in self._claimed and self.claim(path):
                if not os.path.lexists(path):
                    break
                self.release(path)
        match.autosave(path, at_once=False)
        return path

    def claim(self, path: Path) -> bool:
        """Whether the match in the file at ``path`` is played by this program alone, from now on."""
        if path in self._claimed:
            return True
        try:
            found = lock.take(path.with_name(f".{path.name}{LOCK}"))
        except (OSError, ValueError):
            return True  # where nothing can be locked there is hardly anything to be written
        if found is not None:
            self._claimed[path] = found
        return found is not None

    def release(self, path: Path | None = None) -> None:
        """The match in the file at ``path`` is played no longer; without a path, none is."""
        for one in list(self._claimed) if path is None else [path]:
            if one in self._claimed:
                self._claimed.pop(one).release()

    def delete(self, path: Path, now: datetime) -> Path | None:
        """Take the match in the file at ``path`` out of the store; it lies where is returned until it is swept up.

        None, and nothing done, where another program plays it. Raises OSError.
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
        """Bring back to ``path`` what was deleted there. Raises OSError, FileExistsError where another file lies."""
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        os.replace(gone, path)

    def holds(self, path: Path) -> bool:
        """Whether the file at ``path`` lies in this store."""
        return os.path.realpath(path.parent) == os.path.realpath(self.folder)

    def _sweep(self, now: datetime) -> None:
        """Remove what programs that were killed have left: half-written files once a day old, and locks; and what was
        deleted a day ago."""
        files.sweep(self.folder, ".*.part", now.timestamp())
        for gone in (self.folder / GONE).glob("*"):
            if gone.name.isdecimal() and len(gone.name) < 16 and now.timestamp() - int(gone.name) > DAY:
                shutil.rmtree(gone, ignore_errors=True)
        for left in self.folder.glob(f".*{LOCK}"):
            with suppress(OSError):
                if (found := lock.take(left)) is not None:
                    found.release()

    def saved(self, budget: float = float("inf")) -> tuple[Saved, ...]:
        """Every file in the store, the last changed first.

        At most ``budget`` bytes are read beyond what was read before; the files that are left wait for the next time.
        """
        return tuple(self._looked(budget))

    def unfinished(self, budget: float = float("inf")) -> Saved | None:
        """The match last changed that has no result yet: the one to continue, if ``budget`` bytes are enough."""
        found = self._looked(budget)
        return next((s for s in found if s.record is not None and s.record.result is None), None)

    def _looked(self, budget: float) -> Iterator[Saved]:
        for seen in sorted(self._listed(), reverse=True):
            saved = Saved(seen.path, seen.time / 1e9, problem=seen.problem)
            known = self._known.get(seen.path.name)
            if known is not None and known[0] == (seen.size, seen.time):
                saved = known[1]
            elif saved.unread and budget > 0:
                budget -= max(seen.size, LEAST)
                saved = self._read(seen)
            yield saved

    def _listed(self) -> Iterator[_Seen]:
        """The files as the folder has them; none is opened."""
        try:
            names = os.listdir(self.folder)
        except OSError:
            return
        for name in names:
            path = self.folder / name
            if path.suffix != SUFFIX or name.startswith("."):
                continue
            try:
                about = path.stat()
            except OSError as error:
                if os.path.islink(path):  # and no file that has gone meanwhile
                    yield _Seen(0, path, 0, f"{path} can't be read: {error.strerror}")
                continue
            problem = ""
            if not stat.S_ISREG(about.st_mode):
                problem = f"{path} can't be read: it is not a file"
            elif about.st_size > LIMITS.size:
                problem = f"{path} is larger than {LIMITS.size // 1024} KB"
            yield _Seen(about.st_mtime_ns, path, about.st_size, problem)

    def _read(self, seen: _Seen) -> Saved:
        record, problem = None, ""
        try:
            record = parse(files.read(seen.path, LIMITS.size), str(seen.path))
        except OSError as error:
            problem = f"{seen.path} can't be read: {error.strerror or error}"
            return Saved(seen.path, seen.time / 1e9, problem=problem)  # perhaps it can be the next time
        except RecordError as error:
            problem = str(error)
        saved = Saved(seen.path, seen.time / 1e9, record, problem)
        self._known[seen.path.name] = (seen.size, seen.time), saved
        return saved


class _Seen(NamedTuple):
    """A file that was not opened: its time in nanoseconds, size in bytes, and why it is none that can be read."""

    time: int
    path: Path
    size: int
    problem: str


def default_folder() -> Path:
    """The folder for matches among the user's data (on Linux ``~/.local/share/shibumi3d/matches``)."""
    return _user_data() / "matches"


def games_folder() -> Path:
    """The folder for game files of the user's own (on Linux ``~/.local/share/shibumi3d/games``)."""
    return _user_data() / "games"


def cache_folder() -> Path:
    """The folder for what can be made anew (on Linux ``~/.cache/shibumi3d``)."""
    from platformdirs import user_cache_path

    return user_cache_path("shibumi3d", appauthor=False)


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("shibumi3d", appauthor=False)
