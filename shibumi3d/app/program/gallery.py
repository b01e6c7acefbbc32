"""Pictures of games and of matches that were kept, for the first page.

Each is drawn once, in a process of its own, and kept in the system's folder for caches, called by what it shows. The
window only reads them, one at a time between two of its own pictures, those in sight first.
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
"""Seconds between two looks whether a picture is drawn."""
PAUSE = 0.01
"""Seconds between two pictures that are read."""
MOST = 160
"""Pictures that are held ready to be painted; more than a page shows."""
KEPT = 600
"""Files in the folder; the oldest beyond them go."""
LARGEST = 4 << 20
"""Bytes of a picture that is read."""


class _Wanted(NamedTuple):
    """A picture: its file, and what draws it."""

    path: Path
    name: str
    arguments: tuple[Any, ...]


class Gallery:
    """The pictures that the first page shows. ``folder`` is where they are kept; without one there are none.

    ``later(seconds, what)`` and ``refresh()`` are those of the window, ``look()`` tells in what colours all is shown.
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
        """Those that were read; None where there is none to be had."""
        self._wanted: dict[Path, _Wanted] = {}
        self._digests: dict[str, tuple[Entry, str]] = {}
        self._worker: Worker | None = None
        self._drawing: _Wanted | None = None
        self._ticking = False
        self._rest: list[Entry] = []
        self._drawer = ""

    def game(self, entry: Entry) -> Picture | None:
        """The picture of a game if it is there; else it comes soon, and a new picture of the page is asked for."""
        return self._picture("game", self._digest(entry), entry)

    def record(self, file: Path, told: str, entry: Entry) -> Picture | None:
        """The picture of a match that was kept; ``told`` is what its file says."""
        return self._picture("record", f"{told}{self._digest(entry)}", file, entry)

    def moment(self, told: str, plies: int, entry: Entry) -> Picture | None:
        """The picture of a match after so many moves; ``told`` is its record. Of several that are asked for only the
        last is drawn."""
        for path in [path for path, each in self._wanted.items() if each.name == "moment"]:
            if self._drawing is None or self._drawing.path != path:
                del self._wanted[path]
        return self._picture("moment", f"{told}{plies}{self._digest(entry)}", told, plies, entry)

    @property
    def busy(self) -> bool:
        """Whether pictures are still to come."""
        return self._ticking

    def draw_all(self, entries: Iterable[Entry]) -> None:
        """Draws these too, when nothing in sight is wanted any more, so that scrolling meets no empty card."""
        self._rest = list(entries)
        self._begin()

    def rest(self) -> None:
        """Nothing is to be shown for the time being: what is under way comes to its end, and the process ends."""
        self._wanted.clear()
        self._rest.clear()

    def close(self) -> None:
        """Ends the process."""
        self.rest()
        self._drawing, self._ticking = None, False
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def release(self) -> None:
        """Frees what lies on the graphics card."""
        for picture in self._ready.values():
            if picture is not None:
                picture.release()
        self._ready.clear()

    # Inside

    def _picture(self, name: str, shows: str, *subject: Any) -> Picture | None:
        if self.folder is None:
            return None
        wanted = self._asked(name, shows, *subject)
        if wanted.path in self._ready:
            found = self._ready.pop(wanted.path)
            self._ready[wanted.path] = found  # the last seen comes last
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
        """What draws: other shaders, models or scenes show the same otherwise, and so do other ways to look at it."""
        if not self._drawer:
            found = hashlib.sha256()
            for kind in ("shaders", "models"):
                for file in sorted((paths.root() / kind).iterdir(), key=lambda file: file.name):
                    if file.is_file():
                        found.update(file.read_bytes())
            here = Path(__file__).parents[3]
            sources = [*(here / "scene").rglob("*.py"), *(here / "render").rglob("*.py")]
            sources += [
                file for file in map(Path, (drawn.__file__, showcase.__file__)) if os.path.isfile(file)
            ]
            for file in sorted(sources):
                found.update(file.read_bytes())
            self._drawer = found.hexdigest()
        return self._drawer

    def _digest(self, entry: Entry) -> str:
        """What tells a game from all others, and from itself under other rules."""
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
        """Goes on by one small thing."""
        self._ticking = False
        if self._drawing is not None:
            assert self._worker is not None
            answer = self._worker.poll()
            if answer is not None and isinstance(answer.error, WorkerLacking):  # there are no pictures
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
                break  # the next time on
        if wanted is not None:
            self._worker = self._worker or Worker()
            self._drawing = wanted
            self._worker.submit(f"shibumi3d.app.program.drawn.{wanted.name}", *wanted.arguments)

    def _read(self, wanted: _Wanted) -> bool:
        """Takes a picture from its file, if it is wanted; whether the file was in order."""
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
        """Takes the oldest files away where there are too many: what they show may be there no more."""
        if self.folder is None:
            return
        with suppress(OSError):
            drawn_before = sorted(self.folder.glob("*.png"), key=lambda file: file.stat().st_mtime)
            for file in drawn_before[:-KEPT]:
                file.unlink()
