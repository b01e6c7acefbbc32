"""Files dropped on the window: the X11 drag-and-drop protocol (XDND), and opening the files.

Pyglet crashes on drags that offer few types or no files, and never tells the source that a drop is finished. So this
module implements the protocol, which is needed only on X11. Files are opened in the same way on all systems.
"""

from __future__ import annotations

import ctypes
import os
import re
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from shibumi3d import files
from shibumi3d.catalogue.sharing import LONGEST, is_shared
from shibumi3d.i18n import _
from shibumi3d.rules.errors import GameFileError

from ..board.seating import people
from ..pages.home.form import seed_of
from .clipboard import Trouble
from .selections import Selections

if TYPE_CHECKING:
    from ..host import Host

FILES = "text/uri-list"
KINDS = ("XdndEnter", "XdndPosition", "XdndDrop", "XdndLeave")
"""XDND messages that the source of a drag sends."""
_GAME = re.compile(r"^\ufeff?title\s*:", re.MULTILINE)
_RECORD = re.compile(r"^\ufeff?shibumi3d\s*:", re.MULTILINE)


def open_dropped(app: Host, paths: Sequence[str]) -> None:
    """Open the first of the dropped files: a saved match, a game, or a shared line of text."""
    if not paths:
        app.tell(_("Only files can be dropped here."))
        return
    path, before = Path(paths[0]), app.stage.screen
    try:
        text = files.read(path, LONGEST)[:LONGEST].decode("utf-8-sig", "replace")
    except OSError:
        text = ""  # opening the file below reports why it can't be read
    if is_shared(text):
        app.pages.take_in(text)
    elif _GAME.search(text) and not _RECORD.search(text):
        _begin(app, path)
    else:
        app.matches.open_path(path)
    if len(paths) > 1 and app.stage.screen is not before:
        app.tell(_("Only the first file was opened: {name}.", name=path.name))


def _begin(app: Host, path: Path) -> None:
    """Start the game in a file, with two players or the nearest number that it allows."""
    try:
        entry = app.catalogue.open(path)
    except (GameFileError, OSError) as problem:
        app.tell(_("Couldn't start this game: {problem}.", problem=problem))
        return
    seats = max(entry.players[0], min(entry.players[1], 2))
    names = people(app.settings.names, seats)
    app.matches.start(entry, names, entry.size, "", seed_of(""), remember=False)


def paths_of(data: bytes) -> list[str]:
    """Return the paths of local files in a ``text/uri-list`` (one URI per line); skip other URIs."""
    found = []
    for line in data.replace(b"\0", b"\n").splitlines():
        scheme, _, rest = line.strip().partition(b":")
        host, slash, path = rest[2:].partition(b"/") if rest[:2] == b"//" else (b"", b"", rest)
        here = host.lower() in (b"", b"localhost", socket.gethostname().lower().encode())
        if scheme.lower() == b"file" and here and (slash + path)[:1] == b"/":
            found.append(os.fsdecode(unquote_to_bytes(slash + path)))
    return found


class Drops:
    """XDND target for an X11 window; it dispatches pyglet's ``on_file_drop`` event."""

    def __init__(self, native: Any, selections: Selections) -> None:
        from pyglet.libs.x11 import xlib

        self._x: Any = xlib
        self._native, self._selections = native, selections
        self._kinds = {selections.atom(kind): kind for kind in KINDS}
        self._source = 0
        """X11 window that is the source of the current drag."""
        self._files = False
        self._others = native._event_handlers[xlib.ClientMessage]
        native._event_handlers[xlib.ClientMessage] = self._message

    def _message(self, event: Any) -> None:
        told = event.xclient
        data = [int(number) & 0xFFFFFFFF for number in told.data.l]
        kind = self._kinds.get(int(told.message_type), "")
        if told.format != 32 or not kind:
            self._others(event)
        elif kind == "XdndEnter":
            self._source = data[0]
            self._files = self._selections.atom(FILES) in self._types(data)
        elif data[0] != self._source:
            return
        elif kind == "XdndPosition":
            copies = self._selections.atom("XdndActionCopy") if self._files else 0
            self._say("XdndStatus", int(self._files), 0, 0, copies)
        elif kind == "XdndDrop":
            self._drop(data[2])
        elif kind == "XdndLeave":
            self._source = 0

    def _types(self, data: Sequence[int]) -> Sequence[int]:
        """Return the atoms of the offered types, from the message (up to three) or from a property."""
        if not data[1] & 1:
            return data[2:]
        try:
            found = self._selections.property(self._source, self._selections.atom("XdndTypeList"))
        except Trouble:
            return ()
        size = ctypes.sizeof(ctypes.c_long)
        many = len(found[1]) // size if found is not None else 0
        return list((ctypes.c_ulong * many).from_buffer_copy(found[1])) if found is not None else ()

    def _drop(self, at: int) -> None:
        """Fetch the file names, tell the source that the drop is finished, and dispatch the event."""
        paths: list[str] = []
        with suppress(Trouble):
            found = self._selections.ask("XdndSelection", (FILES,), at) if self._files else None
            paths = paths_of(found[1]) if found is not None else []
        taken = bool(paths)
        self._say("XdndFinished", int(taken), self._selections.atom("XdndActionCopy") if taken else 0)
        self._source = 0
        self._native.dispatch_event("on_file_drop", 0, 0, paths)

    def _say(self, what: str, *numbers: int) -> None:
        self._selections.tell(self._source, what, int(self._native._window), *numbers)
