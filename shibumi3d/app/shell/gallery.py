"""Small pictures of games, matches, problems and deals.

A worker process draws each picture once. The files are kept in the system's cache folder. Their names are hashes of
everything that determines what the pictures look like. The window only reads files, one at a time between two frames,
starting with the visible ones.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d import files, paths
from shibumi3d.render.png import decode_png
from shibumi3d.rules.source import to_plain_data
from shibumi3d.search.worker import Worker, WorkerUnavailable

from ..match import game_preview
from ..ui.canvas import Picture
from . import thumbnails

if TYPE_CHECKING:
    from shibumi3d.catalogue.problems import ProvedProblem
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.catalogue.solo import SoloDeal


POLL_SECONDS = 0.1
"""Interval at which to check whether a picture is finished, in seconds."""
READ_PAUSE_SECONDS = 0.01
"""Seconds between reading two pictures."""
MAX_PICTURES_IN_MEMORY = 160
"""Maximum number of pictures in memory, which is more than a page shows."""
MAX_CACHED_FILES = 600
"""Maximum number of files in the folder; when there are more, the oldest are deleted."""
MAX_PICTURE_BYTES = 4 << 20
"""Maximum size of a picture file, in bytes."""


class _PictureRequest(NamedTuple):
    """Request for a picture that a function in :mod:`.thumbnails` draws.

    ``path`` is the file of the picture. The function named ``function_name`` is called with ``arguments``.
    """

    path: Path
    function_name: str
    arguments: tuple[object, ...]


class Gallery:
    """Small pictures of games and positions, stored in ``folder``.

    If ``folder`` is None, there are no pictures.

    ``schedule(seconds, callback)`` calls ``callback`` after a delay, ``request_redraw()`` requests a new frame, and
    ``get_theme()`` returns the arguments for :func:`.make_theme`.
    """

    def __init__(
        self,
        folder: Path | None,
        schedule: Callable[[float, Callable[[], None]], None],
        request_redraw: Callable[[], None],
        get_theme: Callable[[], thumbnails.ThemeArguments],
    ) -> None:
        self.folder, self._schedule, self._request_redraw, self._get_theme = (
            folder,
            schedule,
            request_redraw,
            get_theme,
        )
        self._pictures: dict[Path, Picture | None] = {}
        """Pictures in memory, by file; None for those that can't be drawn."""
        self._requests: dict[Path, _PictureRequest] = {}
        self._digests: dict[str, tuple[Entry, str]] = {}
        self._worker: Worker | None = None
        self._current_request: _PictureRequest | None = None
        self._is_ticking = False
        self._preload_entries: list[Entry] = []
        self._renderer_digest = ""

    def game_picture(self, entry: Entry) -> Picture | None:
        """Return the picture of a game, or None if it isn't ready or can't be drawn.

        A picture that isn't ready is requested. Once the picture has been loaded, the page is redrawn.
        """
        return self._get_or_request("draw_game", self._game_digest(entry), entry)

    def match_picture(self, file: Path, record_text: str, entry: Entry) -> Picture | None:
        return self._get_or_request("draw_match", f"{record_text}{self._game_digest(entry)}", file, entry)

    def position_picture(self, record_text: str, ply_count: int, entry: Entry) -> Picture | None:
        """Return the picture of a match after ``ply_count`` moves, or None if it isn't ready or can't be drawn.

        ``record_text`` is the record of the match. A picture that isn't ready is requested. Earlier requests for
        positions are dropped, except one that the worker is already drawing.
        """
        for path in [
            path for path, request in self._requests.items() if request.function_name == "draw_position"
        ]:
            if self._current_request is None or self._current_request.path != path:
                del self._requests[path]
        return self._get_or_request(
            "draw_position",
            f"{record_text}{ply_count}{self._game_digest(entry)}",
            record_text,
            ply_count,
            entry,
        )

    def problem_picture(self, problem: ProvedProblem, entry: Entry) -> Picture | None:
        content = f"{problem.to_row(include_game=True)}{self._game_digest(entry)}"
        return self._get_or_request("draw_problem", content, problem, entry)

    def deal_picture(self, deal: SoloDeal, entry: Entry) -> Picture | None:
        return self._get_or_request(
            "draw_deal", f"{deal.name}{deal.to_row()}{self._game_digest(entry)}", deal, entry
        )

    @property
    def is_busy(self) -> bool:
        return self._is_ticking

    def preload(self, entries: Iterable[Entry]) -> None:
        """Draw and save any missing pictures of ``entries`` whenever no other picture is requested.

        This avoids empty cards during scrolling. Each call replaces the entries of the previous one.
        """
        self._preload_entries = list(entries)
        self._start_ticking()

    def cancel_pending(self) -> None:
        """Drop all requests; the worker process ends once it has finished the current picture."""
        self._requests.clear()
        self._preload_entries.clear()

    def close(self) -> None:
        """Drop all requests and end the worker process."""
        self.cancel_pending()
        self._current_request, self._is_ticking = None, False
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def release(self) -> None:
        """Free the GPU textures."""
        for picture in self._pictures.values():
            if picture is not None:
                picture.release()
        self._pictures.clear()

    # Internals

    def _get_or_request(self, name: str, content: str, *subject: object) -> Picture | None:
        if self.folder is None:
            return None
        request = self._make_request(name, content, *subject)
        if request.path in self._pictures:
            picture = self._pictures.pop(request.path)
            self._pictures[request.path] = picture  # most recently used last
            return picture
        if request.path not in self._requests:
            self._requests[request.path] = request
            self._start_ticking()
        return None

    def _make_request(self, name: str, content: str, *subject: object) -> _PictureRequest:
        assert self.folder is not None
        look = self._get_theme()
        hashed_text = "\0".join((name, content, *look, self._get_renderer_digest()))
        path = self.folder / f"{hashlib.sha256(hashed_text.encode()).hexdigest()[:32]}.png"
        return _PictureRequest(path, name, (*subject, look, path))

    def _get_renderer_digest(self) -> str:
        """Return a digest of the shaders, models and source files that determine how pictures are drawn."""
        if not self._renderer_digest:
            digest = hashlib.sha256()
            for folder_name in ("shaders", "models"):
                for file in sorted((paths.data_root() / folder_name).iterdir(), key=lambda file: file.name):
                    if file.is_file():
                        digest.update(file.read_bytes())
            package = Path(__file__).parents[2]
            sources = [*(package / "scene").rglob("*.py"), *(package / "render").rglob("*.py")]
            sources += [
                file
                for file in map(Path, (thumbnails.__file__, game_preview.__file__))
                if os.path.isfile(file)
            ]
            for file in sorted(sources):
                digest.update(file.read_bytes())
            self._renderer_digest = digest.hexdigest()
        return self._renderer_digest

    def _game_digest(self, entry: Entry) -> str:
        """Return a digest that identifies a game with its current rules."""
        known = self._digests.get(entry.id)
        if known is None or known[0] is not entry:
            text = repr((entry.id, to_plain_data(entry.item), entry.base and to_plain_data(entry.base)))
            known = entry, hashlib.sha256(text.encode()).hexdigest()
            self._digests[entry.id] = known
        return known[1]

    def _start_ticking(self) -> None:
        if not self._is_ticking and self.folder is not None:
            self._is_ticking = True
            self._schedule(READ_PAUSE_SECONDS, self._tick)

    def _tick(self) -> None:
        """Do a small amount of work on the requested pictures, and schedule the next call if more is left.

        If no work is left and a worker process is running, end it and delete old files. If no worker process is
        available, drop all requests and draw no more pictures.
        """
        self._is_ticking = False
        if self._current_request is not None:
            assert self._worker is not None
            answer = self._worker.poll()
            if answer is not None and isinstance(
                answer.error, WorkerUnavailable
            ):  # without a worker process there are no pictures
                self.folder, self._current_request = None, None
                self.cancel_pending()
                return
            if answer is not None:
                if answer.value is not True or not self._load_picture(self._current_request):
                    self._store_picture(self._current_request.path, None)
                self._requests.pop(self._current_request.path, None)
                self._current_request = None
        read = next((request for request in self._requests.values() if os.path.exists(request.path)), None)
        if read is not None:
            self._requests.pop(read.path)
            if not self._load_picture(read):
                with suppress(OSError):
                    read.path.unlink()
        elif self._current_request is None:
            self._draw_next()
        if self._current_request is not None or self._requests or self._preload_entries:
            self._is_ticking = True
            self._schedule(
                POLL_SECONDS if read is None and self._current_request is not None else READ_PAUSE_SECONDS,
                self._tick,
            )
        elif self._worker is not None:
            self._worker.close()
            self._worker = None
            self._delete_old_files()

    def _draw_next(self) -> None:
        request = next(iter(self._requests.values()), None)
        while request is None and self._preload_entries:
            entry = self._preload_entries.pop(0)
            request = self._make_request("draw_game", self._game_digest(entry), entry)
            if request.path in self._pictures or os.path.exists(request.path):
                request = None
                break  # continue in the next tick
        if request is not None:
            self._worker = self._worker or Worker()
            self._current_request = request
            self._worker.submit(f"shibumi3d.app.shell.thumbnails.{request.function_name}", *request.arguments)

    def _load_picture(self, request: _PictureRequest) -> bool:
        """Load a picture from its file; return whether it could be loaded."""
        try:
            data = files.read(request.path, MAX_PICTURE_BYTES)
            if len(data) > MAX_PICTURE_BYTES:
                return False
            pixels = decode_png(data)
        except (OSError, ValueError):
            return False
        self._store_picture(request.path, Picture(pixels))
        return True

    def _store_picture(self, path: Path, picture: Picture | None) -> None:
        self._pictures[path] = picture
        while len(self._pictures) > MAX_PICTURES_IN_MEMORY:
            oldest = self._pictures.pop(next(iter(self._pictures)))
            if oldest is not None:
                oldest.release()
        self._request_redraw()

    def _delete_old_files(self) -> None:
        """Delete the oldest files if there are more than :data:`MAX_CACHED_FILES`."""
        if self.folder is None:
            return
        with suppress(OSError):
            drawn_before = sorted(self.folder.glob("*.png"), key=lambda file: file.stat().st_mtime)
            for file in drawn_before[:-MAX_CACHED_FILES]:
                file.unlink()
