"""X11 selections: the clipboard, and the file names in drag and drop.

Pyglet waits forever for a selection owner that doesn't answer, can't receive text in pieces, and crashes on text that
isn't UTF-8. This module uses its own connection, which is served in pyglet's event loop, and doesn't trust other
programs to behave well. Each request has its own window, so that a late answer can't be mistaken for the answer to
another request.
"""

from __future__ import annotations

import ctypes
import select
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from shibumi3d.i18n import _

from .clipboard import MOST, Trouble

WAIT = 0.9
"""Time limit for an owner to deliver everything, in seconds."""
FIRST = 0.3
"""Time limit for an owner to list the formats that it offers, in seconds.

This time counts towards ``WAIT``.
"""
CHUNK = 64 * 1024
"""Size of the pieces in which long text is sent, in bytes."""
SENDING = 8
"""Maximum number of simultaneous transfers in pieces.

If there are more, the oldest is dropped.
"""
UTF8 = ("UTF8_STRING", "text/plain;charset=utf-8")
TEXTS = (*UTF8, "COMPOUND_TEXT", "STRING", "TEXT", "text/plain")
"""Text formats in order of preference."""
NEW, DELETED = 0, 1
"""States of a property in a PropertyNotify event."""


class Selections:
    """X11 selections, served as a device of pyglet's event loop.

    Raises :class:`Trouble` if there is no display.
    """

    def __init__(self) -> None:
        from pyglet.libs.x11 import xlib

        self._x: Any = xlib
        self._display = xlib.XOpenDisplay(None)
        if not self._display:
            raise Trouble(_("Copy and paste are not available here."))
        self._atoms: dict[str, int] = {}
        self._owner = self._window()
        self._text: bytes | None = None
        """Text copied here, or None once another program has copied something."""
        self._sending: dict[tuple[int, int], tuple[int, bytes]] = {}
        """Type and remaining data of transfers in pieces, by receiving window and property."""
        self._asking: Counter[int] = Counter()
        """Number of requests not answered in time, by the window they came from."""

    # Device for pyglet's event loop

    def fileno(self) -> int:
        """Return the file descriptor of the connection."""
        return int(self._x.XConnectionNumber(self._display))

    def poll(self) -> bool:
        """Return whether events are pending."""
        return bool(self._x.XPending(self._display))

    def select(self) -> None:
        """Handle the pending events."""
        for event in self._pending():
            self._late(event)

    def close(self) -> None:
        """Close the connection; text copied by this program is lost."""
        self._x.XCloseDisplay(self._display)

    # Reading from other programs

    def read(self) -> str:
        """Return the text on the clipboard, or "" if there is none.

        Raises :class:`Trouble` if it can't be read.
        """
        if self._text is not None:
            return self._text.decode()
        found = self.ask("CLIPBOARD", TEXTS)
        return self._decoded(*found) if found is not None else ""

    def ask(self, selection: str, forms: Sequence[str], at: int = 0) -> tuple[str, bytes] | None:
        """Return the content of a selection as (format, data), or None if nobody owns the selection.

        ``forms`` are the accepted formats in order of preference. ``at`` is the server time of the request; 0 means
        now. Raises :class:`Trouble` if the owner offers none of the formats, is too slow, or sends too much.
        """
        x, name = self._x, self.atom(selection)
        if not x.XGetSelectionOwner(self._display, name):
            return None
        end = time.monotonic() + WAIT
        window = self._window()
        try:
            for form in self._offered(window, name, forms, at, end):
                found = self._convert(window, name, form, at, end)
                if found is not None:
                    return self.name_of(found[0]), found[1]
        finally:
            # Keep the window until the request is answered: some programs crash if it is gone by then.
            if window not in self._asking:
                x.XDestroyWindow(self._display, window)
            x.XFlush(self._display)
        raise Trouble(
            _("The program you copied from is not responding.")
            if window in self._asking
            else _("The clipboard does not contain text.")
        )

    def _offered(
        self, window: int, selection: int, forms: Sequence[str], at: int, end: float
    ) -> Sequence[str]:
        """Return the accepted ``forms`` that the owner offers.

        If the owner gives no usable list of formats in time, return all ``forms``.
        """
        try:
            first = min(end, time.monotonic() + FIRST)
            found = self._convert(window, selection, "TARGETS", at, first)
        except Trouble:
            return forms
        size = ctypes.sizeof(ctypes.c_long)
        if found is None or found[0] not in (self.atom("ATOM"), self.atom("TARGETS")) or len(found[1]) % size:
            return forms
        kinds = set((ctypes.c_ulong * (len(found[1]) // size)).from_buffer_copy(found[1]))
        return [form for form in forms if self.atom(form) in kinds]

    def _convert(
        self, window: int, selection: int, form: str, at: int, end: float
    ) -> tuple[int, bytes] | None:
        """Return the type and data that the owner sends for a format, or None if it refuses."""
        x, target = self._x, self.atom(form)
        x.XDeleteProperty(self._display, window, target)
        x.XConvertSelection(self._display, selection, target, target, window, at)
        x.XFlush(self._display)
        for event in self._until(end):
            told = event.xselection
            if (event.type, told.requestor, told.selection, told.target) == (
                *(x.SelectionNotify, window, selection, target),
            ):
                if not told.property:
                    return None
                found = self.property(window, target, delete=True)
                if found is None:
                    return None
                if found[0] == self.atom("INCR"):
                    return self._pieces(window, target, end)
                return found
        self._asking[window] += 1
        raise Trouble(_("The program you copied from is not responding."))

    def _pieces(self, window: int, name: int, end: float) -> tuple[int, bytes]:
        """Receive data in pieces (INCR); an empty piece marks the end."""
        x, size = self._x, 0
        parts: list[bytes] = []
        x.XFlush(self._display)
        for event in self._until(end):
            told = event.xproperty
            if (event.type, told.window, told.atom, told.state) != (x.PropertyNotify, window, name, NEW):
                continue
            found = self.property(window, name, delete=True)
            if found is None:
                continue  # already received
            if not found[1]:
                return found[0], b"".join(parts)
            parts.append(found[1])
            size += len(found[1])
            if size > MOST:
                raise Trouble(_("The text on the clipboard is too long."))
        raise Trouble(_("The program you copied from is not responding."))

    def property(self, window: int, name: int, *, delete: bool = False) -> tuple[int, bytes] | None:
        """Return the type and data of a window's property.

        Return None if there is no such window or property.
        """
        x = self._x
        kind, form, count, left = x.Atom(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        data = ctypes.POINTER(ctypes.c_ubyte)()
        told = [ctypes.byref(value) for value in (kind, form, count, left, data)]
        asked = (self._display, window, name, 0, MOST // 4 + 1, delete, 0)
        if x.XGetWindowProperty(*asked, *told) or not kind.value:
            return None
        try:
            if left.value:
                raise Trouble(_("The text on the clipboard is too long."))
            # Xlib stores 32-bit items as C longs.
            wide = {8: 1, 16: 2, 32: ctypes.sizeof(ctypes.c_long)}.get(form.value, 0)
            return kind.value, ctypes.string_at(data, count.value * wide)
        finally:
            if data:
                x.XFree(data)

    def _decoded(self, form: str, data: bytes) -> str:
        """Decode text received in a format.

        Raises :class:`Trouble` if it isn't text.
        """
        if form == "COMPOUND_TEXT":
            return self._compound(data)
        if form not in TEXTS:
            raise Trouble(_("The clipboard does not contain text."))
        try:
            return data.decode()
        except UnicodeDecodeError:
            if form in UTF8:
                raise Trouble(_("The text on the clipboard can't be read: it is not valid UTF-8.")) from None
            # Old programs send Latin-1. Text that happens to be valid UTF-8 is decoded as UTF-8.
            return data.decode("latin-1")

    def _compound(self, data: bytes) -> str:
        """Decode compound text, an old format that switches between character sets."""
        x = self._x
        held = ctypes.create_string_buffer(data, len(data) + 1)
        told = x.XTextProperty(
            ctypes.cast(held, ctypes.POINTER(ctypes.c_ubyte)), self.atom("COMPOUND_TEXT"), 8, len(data)
        )
        parts, count = ctypes.POINTER(ctypes.c_char_p)(), ctypes.c_int()
        if x.Xutf8TextPropertyToTextList(self._display, told, ctypes.byref(parts), ctypes.byref(count)) < 0:
            raise Trouble(_("The clipboard does not contain text."))
        try:
            return "\n".join((parts[n] or b"").decode("utf-8", "replace") for n in range(count.value))
        finally:
            if parts:
                x.XFreeStringList(parts)

    # Offering to other programs

    def write(self, text: str) -> None:
        """Copy text to the clipboard.

        Raises :class:`Trouble` if the display refuses.
        """
        x, name = self._x, self.atom("CLIPBOARD")
        x.XSetSelectionOwner(self._display, name, self._owner, 0)
        if x.XGetSelectionOwner(self._display, name) != self._owner:
            raise Trouble(_("Couldn't copy: the system didn't allow it."))
        self._text = text.encode("utf-8", "replace")

    def _answer(self, asked: Any) -> None:
        """Send the copied text in the requested format, or refuse the request."""
        x = self._x
        # Obsolete clients don't specify a property.
        place = asked.property or asked.target
        ours = asked.selection == self.atom("CLIPBOARD") and self._text is not None
        forms = self._forms() if ours else {}
        kind = self.name_of(asked.target)
        data = forms.get(kind)
        if kind == "TARGETS" and data is not None:
            self._put(asked.requestor, place, self.atom("ATOM"), 32, data)
        elif data is not None:
            told = self.atom("UTF8_STRING" if kind == "TEXT" else kind)
            if len(data) <= CHUNK:
                self._put(asked.requestor, place, told, 8, data)
            else:
                self._sending.pop((asked.requestor, place), None)
                while len(self._sending) >= SENDING:
                    del self._sending[next(iter(self._sending))]
                self._sending[asked.requestor, place] = told, data
                x.XSelectInput(self._display, asked.requestor, x.PropertyChangeMask | x.StructureNotifyMask)
                size = bytes(ctypes.c_long(len(data)))
                self._put(asked.requestor, place, self.atom("INCR"), 32, size)
        event = x.XEvent()
        event.xselection.type = x.SelectionNotify
        event.xselection.requestor, event.xselection.selection = asked.requestor, asked.selection
        event.xselection.target, event.xselection.time = asked.target, asked.time
        event.xselection.property = place if data is not None else 0
        x.XSendEvent(self._display, asked.requestor, False, 0, ctypes.byref(event))
        x.XFlush(self._display)

    def _forms(self) -> dict[str, bytes]:
        """Return the copied text in all formats that this program offers."""
        text = self._text or b""
        forms = dict.fromkeys((*UTF8, "TEXT"), text)
        with suppress(UnicodeEncodeError):
            forms["STRING"] = text.decode().encode("latin-1")
        names = [self.atom(name) for name in ("TARGETS", *forms)]
        forms["TARGETS"] = bytes((ctypes.c_long * len(names))(*names))
        return forms

    def _go_on(self, window: int, name: int) -> None:
        """Send the next piece of text or, after the last one, an empty piece."""
        told, data = self._sending[window, name]
        self._put(window, name, told, 8, data[:CHUNK])
        if data:
            self._sending[window, name] = told, data[CHUNK:]
        else:
            del self._sending[window, name]
            if not any(other == window for other, _ in self._sending):
                self._x.XSelectInput(self._display, window, 0)
        self._x.XFlush(self._display)

    def _put(self, window: int, name: int, kind: int, form: int, data: bytes) -> None:
        count = len(data) // (ctypes.sizeof(ctypes.c_long) if form == 32 else 1)
        held = (ctypes.c_ubyte * len(data)).from_buffer_copy(data)
        self._x.XChangeProperty(self._display, window, name, kind, form, 0, held, count)

    def tell(self, window: int, what: str, *numbers: int) -> None:
        """Send a message of up to five numbers to a window, which may no longer exist."""
        event = self._x.XEvent()
        told = event.xclient
        told.type, told.window, told.message_type, told.format = (
            *(self._x.ClientMessage, window, self.atom(what), 32),
        )
        told.data.l[: len(numbers)] = numbers
        self._x.XSendEvent(self._display, window, False, 0, ctypes.byref(event))
        self._x.XFlush(self._display)

    # Events

    def _until(self, end: float) -> Iterator[Any]:
        """Yield events that arrive before the time ``end``; answer requests instead of yielding them."""
        while (left := end - time.monotonic()) > 0:
            for event in self._pending():
                yield event
                if time.monotonic() > end:
                    return
            if not self.poll():
                select.select([self.fileno()], [], [], left)

    def _pending(self) -> Iterator[Any]:
        """Yield pending events; answer requests instead of yielding them."""
        x = self._x
        while self.poll():
            event = x.XEvent()
            x.XNextEvent(self._display, ctypes.byref(event))
            if event.type == x.SelectionRequest:
                self._answer(event.xselectionrequest)
            elif event.type == x.SelectionClear:
                if event.xselectionclear.window == self._owner:
                    self._text = None
            elif event.type == x.DestroyNotify:
                gone = event.xdestroywindow.window
                self._sending = {place: left for place, left in self._sending.items() if place[0] != gone}
            elif event.type == x.PropertyNotify and event.xproperty.window not in (0, self._owner):
                place = event.xproperty.window, event.xproperty.atom
                if place in self._sending and event.xproperty.state == DELETED:
                    self._go_on(*place)
                else:
                    yield event
            else:
                yield event

    def _late(self, event: Any) -> None:
        """Clean up after an answer that arrived too late."""
        window = event.xselection.requestor if event.type == self._x.SelectionNotify else 0
        if window in self._asking:
            self._asking[window] -= 1
            if not self._asking[window]:
                del self._asking[window]
                self._x.XDestroyWindow(self._display, window)
                self._x.XFlush(self._display)

    # Atoms and windows

    def _window(self) -> int:
        """Create a window that is never visible."""
        x = self._x
        root = x.XDefaultRootWindow(self._display)
        window = int(x.XCreateSimpleWindow(self._display, root, -9, -9, 1, 1, 0, 0, 0))
        x.XSelectInput(self._display, window, x.PropertyChangeMask)
        return window

    def atom(self, name: str) -> int:
        """Return the atom for a name."""
        if name not in self._atoms:
            self._atoms[name] = int(self._x.XInternAtom(self._display, name.encode(), False))
        return self._atoms[name]

    def name_of(self, atom: int) -> str:
        """Return the name of an atom, or "" if this program hasn't used it."""
        return next((name for name, number in self._atoms.items() if number == atom), "")
