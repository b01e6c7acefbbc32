"""Pictures of games and saved matches for the home page.

A worker process draws each picture once. The files are kept in the system's cache folder and named by a hash of their
content. The window only reads files, one at a time between two frames, starting with visible ones.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shibumi3d import files, paths
from shibumi3d.render.png import unpacked
from shibumi3d.rules.source import plain
from shibumi3d.search.worker import Worker, WorkerLacking

from ..board import showcase
from ..ui.canvas import Picture
from . import drawn

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry


POLL = 0.1
"""Interval between checks for whether a picture is finished, in seconds."""
PAUSE = 0.01
"""Seconds between reading two pictures."""
MOST = 160
"""Maximum number of pictures in memory, which is more than a page shows."""
KEPT = 600
"""Maximum number of files in the folder; when there are more, the oldest are deleted."""
LARGEST = 4 << 20
"""Maximum size of a picture file, in bytes."""


class _Wanted(NamedTuple):
    """A requested picture: its file, and the function in :mod:`drawn` that draws it, with arguments."""

    path: Path
    name: str
    arguments: tuple[Any, ...]


class Gallery:
    """Pictures for the home page, stored in ``folder``; if it is None, there are no pictures.

    ``later(seconds, what)`` calls ``what`` after a delay, ``refresh()`` requests a new frame, and ``look()`` returns
    the colours to use.
    """

    def __init__(
        self,
        folder: Path | None,
        later: Callable[[float, Callable[[], None]], None],
        refresh: Callable[[], None],
        look: Callable[[], drawn.Look],
    ) -> None:
        self.folder, self._later, self._refresh, self._look = folder, later, refresh, look
        self._ready: dict[Path, Picture | None] = {}
        """Pictures in memory, by file; None for those that can't be drawn."""
        self._wanted: dict[Path, _Wanted] = {}
        self._digests: dict[str, tuple[Entry, str]] = {}
        self._worker: Worker | None = None
        self._drawing: _Wanted | None = None
        self._ticking = False
        self._rest: list[Entry] = []
        self._drawer = ""

    def game(self, entry: Entry) -> Picture | None:
        """Return the picture of a game, or None if it isn't ready.

        A picture that isn't ready is requested, and the page is redrawn when it is.
        """
        return self._picture("game", self._digest(entry), entry)

    def record(self, file: Path, told: str, entry: Entry) -> Picture | None:
        """Return the picture of a saved match, or None; ``told`` is the content of ``file``."""
        return self._picture("record", f"{told}{self._digest(entry)}", file, entry)

    def moment(self, told: str, plies: int, entry: Entry) -> Picture | None:
        """Return the picture of a match after ``plies`` moves, or None; ``told`` is its record.

        If several such pictures are requested, only the last one is drawn.
        """
        for path in [path for path, each in self._wanted.items() if each.name == "moment"]:
            if self._drawing is None or self._drawing.path != path:
                del self._wanted[path]
        return self._picture("moment", f"{told}{plies}{self._digest(entry)}", told, plies, entry)

    @property
    def busy(self) -> bool:
        """Whether any pictures are still being read or drawn."""
        return self._ticking

    def draw_all(self, entries: Iterable[Entry]) -> None:
        """Draw the pictures of these games too, after the pictures that are visible now.

        This avoids empty cards during scrolling.
        """
        self._rest = list(entries)
        self._begin()

    def rest(self) -> None:
        """Drop all requests, finish the current picture, and then end the worker process."""
        self._wanted.clear()
        self._rest.clear()

    def close(self) -> None:
        """End the worker process."""
        self.rest()
        self._drawing, self._ticking = None, False
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def release(self) -> None:
        """Free the GPU textures."""
        for picture in self._ready.values():
            if picture is not None:
                picture.release()
        self._ready.clear()

    # Internals

    def _picture(self, name: str, shows: str, *subject: Any) -> Picture | None:
        if self.folder is None:
            return None
        wanted = self._asked(name, shows, *subject)
        if wanted.path in self._ready:
            found = self._ready.pop(wanted.path)
            self._ready[wanted.path] = found  # most recently used last
            return found
        if wanted.path not in self._wanted:
            self._wanted[wanted.path] = wanted
            self._begin()
        return None

    def _asked(self, name: str, shows: str, *subject: Any) -> _Wanted:
        assert self.folder is not None
        look = self._look()
        told = "\0".join((name, shows, *look, self._drawn_by()))
        path = self.folder / f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.png"
        return _Wanted(path, name, (*subject, look, path))

    def _drawn_by(self) -> str:
        """Return a digest of everything that affects a picture's look: shaders, models and sources."""
        if not self._drawer:
            found = hashlib.sha256()
            for kind in ("shaders", "models"):
                for file in sorted((paths.root() / kind).iterdir(), key=lambda file: file.name):
                    if file.is_file():
                        found.update(file.read_bytes())
            here = Path(__file__).parents[2]
            sources = [*(here / "scene").rglob("*.py"), *(here / "render").rglob("*.py")]
            sources += [
                file for file in map(Path, (drawn.__file__, showcase.__file__)) if os.path.isfile(file)
            ]
            for file in sorted(sources):
                found.update(file.read_bytes())
            self._drawer = found.hexdigest()
        return self._drawer

    def _digest(self, entry: Entry) -> str:
        """Return a digest that identifies a game with its current rules."""
        known = self._digests.get(entry.id)
        if known is None or known[0] is not entry:
            text = repr((entry.id, plain(entry.item), entry.below and plain(entry.below)))
            known = entry, hashlib.sha256(text.encode()).hexdigest()
            self._digests[entry.id] = known
        return known[1]

    def _begin(self) -> None:
        if not self._ticking and self.folder is not None:
            self._ticking = True
            self._later(PAUSE, self._tick)

    def _tick(self) -> None:
        """Do one small piece of work: take over a finished picture, read a file, or start drawing one."""
        self._ticking = False
        if self._drawing is not None:
            assert self._worker is not None
            answer = self._worker.poll()
            if answer is not None and isinstance(
                answer.error, WorkerLacking
            ):  # without a worker process there are no pictures
                self.folder, self._drawing = None, None
                self.rest()
                return
            if answer is not None:
                if answer.value is not True or not self._read(self._drawing):
                    self._hold(self._drawing.path, None)
                self._wanted.pop(self._drawing.path, None)
                self._drawing = None
        read = next((each for each in self._wanted.values() if os.path.exists(each.path)), None)
        if read is not None:
            self._wanted.pop(read.path)
            if not self._read(read):
                with suppress(OSError):
                    read.path.unlink()
        elif self._drawing is None:
            self._draw_next()
        if self._drawing is not None or self._wanted or self._rest:
            self._ticking = True
            self._later(POLL if read is None and self._drawing is not None else PAUSE, self._tick)
        elif self._worker is not None:
            self._worker.close()
            self._worker = None
            self._sweep()

    def _draw_next(self) -> None:
        wanted = next(iter(self._wanted.values()), None)
        while wanted is None and self._rest:
            entry = self._rest.pop(0)
            wanted = self._asked("game", self._digest(entry), entry)
            if wanted.path in self._ready or os.path.exists(wanted.path):
                wanted = None
                break  # continue in the next tick
        if wanted is not None:
            self._worker = self._worker or Worker()
            self._drawing = wanted
            self._worker.submit(f"shibumi3d.app.program.drawn.{wanted.name}", *wanted.arguments)

    def _read(self, wanted: _Wanted) -> bool:
        """Load a picture from its file; return whether the file is valid."""
        try:
            data = files.read(wanted.path, LARGEST)
            if len(data) > LARGEST:
                return False
            pixels = unpacked(data)
        except (OSError, ValueError):
            return False
        self._hold(wanted.path, Picture(pixels))
        return True

    def _hold(self, path: Path, picture: Picture | None) -> None:
        self._ready[path] = picture
        while len(self._ready) > MOST:
            gone = self._ready.pop(next(iter(self._ready)))
            if gone is not None:
                gone.release()
        self._refresh()

    def _sweep(self) -> None:
        """Delete the oldest files if there are too many.

        Their games or matches may no longer exist.
        """
        if self.folder is None:
            return
        with suppress(OSError):
            drawn_before = sorted(self.folder.glob("*.png"), key=lambda file: file.stat().st_mtime)
            for file in drawn_before[:-KEPT]:
                file.unlink()
