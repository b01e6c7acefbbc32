"""Where matches are kept: one record file each, in the user's data folder."""

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
"""The folder in which deleted games lie until they are swept up."""
FILE = "kept-games.json"
"""What is kept of the files in the cache."""
_COPY = re.compile(rf" \([0-9]+\)(?={re.escape(SUFFIX)}$)")
"""What the name of a copy has more than that of the original."""
DAY = 24 * 3600
LEAST = 1024
"""What a file counts as at least, in bytes read."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list shows of a match: the id of the game, who sat there, how many turns were made, the result, and
    whether it is a puzzle that was shown."""

    game: str
    seats: tuple[str, ...]
    turns: int
    result: RecordedResult | None
    shown: bool = False

    @property
    def begun(self) -> bool:
        """Whether a turn was made: else it is a position that was laid out, or nothing that anybody goes on with."""
        return self.turns > 0


@dataclass(frozen=True, slots=True)
class Saved:
    """A file in the store, last changed at ``changed`` (seconds since 1970).

    ``summary`` is None when it can't be read, and ``problem`` says why; without a problem it was not read yet.
    """

    path: Path
    changed: float
    summary: Summary | None = None
    problem: Message | None = None
    read: Record | None = field(default=None, compare=False, repr=False)
    """The match, if it was read while this program runs."""

    @property
    def unread(self) -> bool:
        """Whether nobody has looked into it yet."""
        return self.summary is None and not self.problem

    @property
    def record(self) -> Record | None:
        """The match, read now if it was not before; None where it can't be read, or was not looked into yet."""
        if self.summary is None or self.read is not None:
            return self.read
        with suppress(RecordError):
            return load(self.path)
        return None


def key_of(path: Path) -> str:
    """Return what tells the match in the file at ``path`` from all others; a copy has that of its original."""
    return _COPY.sub("", path.name)


def key_of_text(game: str, text: str) -> str:
    """Return the key of a match of a ``game`` that lies in no store: that of its record's ``text``."""
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]
    return files.file_name(game, f" {digest}{SUFFIX}")


class Store:
    """A folder of matches. Files that are not records stay where they are and as they are.

    A match that is being played is claimed: no other program writes its file until :meth:`release`, or until this
    program ends.
    """

    def __init__(self, folder: Path | None = None, cache: Path | None = None) -> None:
        """``folder`` is by default the one that the system gives programs for the user's data. In the folder
        ``cache`` is kept what was found, so that only what has changed is read the next time."""
        self.folder = default_folder() if folder is None else folder
        self._kept = Remembered(cache, FILE, self.folder, _parts)
        self._known: dict[str, tuple[Stamp, Saved]] | None = None
        """What was read from each file, by file name, with the file's stamp at that time.

        None until the cache has been loaded.
        """
        self._news = False
        """Whether a file was read whose result has not been cached yet."""
        self._claimed: dict[Path, lock.Lock] = {}

    def keep(self, match: Match, now: datetime, of: str = "") -> Path:
        """Save ``match`` from its next change on, in a new file named by the time ``now`` and the game; return its
        path.

        A copy of another match is named by the key of that one, ``of``, and has the same. The file is claimed. Raises
        OSError when the folder can't be made.
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
            # Another program may choose the same name at the same moment: who has claimed it looks again.
            if path not in self._claimed and self.claim(path):
                if not os.path.lexists(path):
                    break
                self.release(path)
        match.autosave(path, at_once=False)
        return path

    def claim(self, path: Path) -> bool:
        """Claim the file at ``path`` for this program; return whether no other one plays that match."""
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
        """Give up the claim on the file at ``path``; without a path, on every one."""
        for one in list(self._claimed) if path is None else [path]:
            if one in self._claimed:
                self._claimed.pop(one).release()

    def delete(self, path: Path, now: datetime) -> Path | None:
        """Take the match in the file at ``path`` out of the store; return where it lies until it is swept up.

        Returns None, with nothing done, where another program plays it. Raises OSError.
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
        """Bring back to ``path`` what was deleted there.

        Raises OSError, and FileExistsError where another file lies there by now.
        """
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
        os.replace(gone, path)

    def holds(self, path: Path) -> bool:
        """Return whether the file at ``path`` lies in this store."""
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
        """Return every file in the store, the last changed first.

        At most ``budget`` bytes are read beyond what was read before; the files that are left wait for the next time.
        """
        found = tuple(self._looked(self._listed(), budget))
        self._keep(found)
        return found

    def more(self, files: Sequence[Saved], budget: float) -> tuple[Saved, ...]:
        """Return the ``files`` of a list, in the same order, with at most ``budget`` bytes read of those that wait."""
        found = []
        for file in files:
            if file.unread and budget > 0:
                seen = _seen(file.path)
                if seen is None:
                    continue  # it has gone meanwhile
                budget -= max(seen.size, LEAST)
                found.append(self._known_or_read(seen))
            else:
                found.append(file)
        self._keep(found)
        return tuple(found)

    def _keep(self, found: Sequence[Saved]) -> None:
        """Keep what was found, once nothing waits any more."""
        if self._news and not any(file.unread for file in found):
            self._news = False
            names = {file.path.name for file in found}
            assert self._known is not None
            self._known = {name: known for name, known in self._known.items() if name in names}
            self._kept.write({name: _encoded(*known) for name, known in self._known.items()})

    def unfinished(self, budget: float = float("inf")) -> Saved | None:
        """Return the match to continue: the last changed of those begun and without a result.

        Returns None where there is none, or where ``budget`` bytes are not enough to find it.
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
        """What is known of a file that was not opened now."""
        if self._known is None:
            self._known = {}
            for name, told in self._kept.read().items():
                with suppress(Exception):  # then it is read anew
                    self._known[name] = _decoded(self.folder / name, told)
        known = self._known.get(seen.path.name)
        if known is not None and known[0] == seen.stamp:
            return known[1]
        return Saved(seen.path, seen.time / 1e9, problem=seen.problem)

    def _known_or_read(self, seen: _Seen) -> Saved:
        saved = self._found(seen)
        return self._read(seen) if saved.unread else saved

    def _listed(self) -> Iterator[_Seen]:
        """The files as the folder has them; none is opened."""
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
            return Saved(seen.path, seen.time / 1e9, problem=problem)  # perhaps it can be the next time
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
    """A file that was not opened: its time in nanoseconds, size in bytes, and why it is none that can be read."""

    time: int
    path: Path
    size: int
    problem: Message | None
    stamp: Stamp = ()


def _seen(path: Path) -> _Seen | None:
    """A file as its folder has it; None where there is none."""
    try:
        about = path.stat()
    except OSError as error:
        if os.path.islink(path):  # and no file that has gone meanwhile
            return _Seen(0, path, 0, Message("{name} can't be read: {reason}", name=path, reason=error))
        return None
    problem = None
    if not stat.S_ISREG(about.st_mode):
        problem = Message("{name} can't be read: {reason}", name=path, reason=Message("it is not a file"))
    elif about.st_size > LIMITS.size:
        problem = Message("{name} is larger than {most} KB", name=path, most=LIMITS.size // 1024)
    return _Seen(about.st_mtime_ns, path, about.st_size, problem, stamp_of(about))


def _parts() -> Iterable[Path]:
    """The parts of the program that read records."""
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
    """Return the folder for matches among the user's data (on Linux ``~/.local/share/shibumi3d/matches``)."""
    return _user_data() / "matches"


def games_folder() -> Path:
    """Return the folder for game files of the user's own (on Linux ``~/.local/share/shibumi3d/games``)."""
    return _user_data() / "games"


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("shibumi3d", appauthor=False)
