"""Files dropped on the window: the X11 drag-and-drop protocol (XDND), and opening the files.

Pyglet crashes on drags that offer few types or no files, and never tells the source that a drop is finished. So this
module implements the protocol, which is needed only on X11. Files are opened in the same way on all systems.
"""

from __future__ import annotations

import ctypes
import os
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from shibumi3d.i18n import _

from ..shell.clipboard import ClipboardError
from .x11_selections import X11Selections

if TYPE_CHECKING:
    from ..host import Host


URI_LIST_TYPE = "text/uri-list"
XDND_MESSAGES = ("XdndEnter", "XdndPosition", "XdndDrop", "XdndLeave")
"""XDND messages that the source of a drag sends."""


def open_dropped(app: Host, paths: Sequence[str]) -> None:
    """Open the first of the dropped files; show a message if there are none.

    Also shows a message if the first file was opened and the others were ignored.
    """
    if not paths:
        app.show_message(_("Only files can be dropped here."))
        return
    path, before = Path(paths[0]), app.current_page
    app.matches.open_path(path)
    if len(paths) > 1 and app.current_page is not before:
        app.show_message(_("Only the first file was opened: {name}.", name=path.name))


def parse_uri_list(data: bytes) -> list[str]:
    """Return the paths of local files in a ``text/uri-list`` (one URI per line); skip other URIs."""
    found = []
    for line in data.replace(b"\0", b"\n").splitlines():
        scheme, _, rest = line.strip().partition(b":")
        host, slash, path = rest[2:].partition(b"/") if rest[:2] == b"//" else (b"", b"", rest)
        here = host.lower() in (b"", b"localhost", socket.gethostname().lower().encode())
        if scheme.lower() == b"file" and here and (slash + path)[:1] == b"/":
            found.append(os.fsdecode(unquote_to_bytes(slash + path)))
    return found


class DropTarget:
    """XDND target for an X11 window; it dispatches pyglet's ``on_file_drop`` event."""

    def __init__(self, pyglet_window: Any, selections: X11Selections) -> None:
        from pyglet.libs.x11 import xlib

        self._pyglet_window, self._selections = pyglet_window, selections
        self._message_names = {selections.atom(kind): kind for kind in XDND_MESSAGES}
        self._source = 0
        """ID of the X11 window from which something is being dragged, or 0."""
        self._has_files = False
        self._default_handler = pyglet_window._event_handlers[xlib.ClientMessage]
        pyglet_window._event_handlers[xlib.ClientMessage] = self._on_client_message

    def _on_client_message(self, event: Any) -> None:
        message = event.xclient
        data = [int(number) & 0xFFFFFFFF for number in message.data.l]
        kind = self._message_names.get(int(message.message_type), "")
        if message.format != 32 or not kind:
            self._default_handler(event)
        elif kind == "XdndEnter":
            self._source = data[0]
            self._has_files = self._selections.atom(URI_LIST_TYPE) in self._offered_types(data)
        elif data[0] != self._source:
            return
        elif kind == "XdndPosition":
            copies = self._selections.atom("XdndActionCopy") if self._has_files else 0
            self._send_to_source("XdndStatus", int(self._has_files), 0, 0, copies)
        elif kind == "XdndDrop":
            self._accept_drop(data[2])
        elif kind == "XdndLeave":
            self._source = 0

    def _offered_types(self, data: Sequence[int]) -> Sequence[int]:
        """Return the atoms of the types offered by an XdndEnter message with the content ``data``.

        Up to three are in the message itself. If there are more, they are read from a property of the source window; if
        that fails, return no atoms.
        """
        if not data[1] & 1:
            return data[2:]
        try:
            found = self._selections.read_property(self._source, self._selections.atom("XdndTypeList"))
        except ClipboardError:
            return ()
        size = ctypes.sizeof(ctypes.c_long)
        many = len(found[1]) // size if found is not None else 0
        return list((ctypes.c_ulong * many).from_buffer_copy(found[1])) if found is not None else ()

    def _accept_drop(self, timestamp: int) -> None:
        """Fetch the file names, tell the source that the drop is finished, and dispatch an ``on_file_drop`` event."""
        paths: list[str] = []
        with suppress(ClipboardError):
            found = (
                self._selections.request("XdndSelection", (URI_LIST_TYPE,), timestamp)
                if self._has_files
                else None
            )
            paths = parse_uri_list(found[1]) if found is not None else []
        taken = bool(paths)
        self._send_to_source(
            "XdndFinished", int(taken), self._selections.atom("XdndActionCopy") if taken else 0
        )
        self._source = 0
        self._pyglet_window.dispatch_event("on_file_drop", 0, 0, paths)

    def _send_to_source(self, message: str, *numbers: int) -> None:
        self._selections.send_message(self._source, message, int(self._pyglet_window._window), *numbers)
