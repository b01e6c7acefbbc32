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

from ..shell.clipboard import MAX_TEXT_BYTES, ClipboardError

TRANSFER_SECONDS = 0.9
"""Time limit for the owner of a selection to deliver all of its content, in seconds."""
TARGETS_SECONDS = 0.3
"""Time limit for the owner of a selection to list the formats that it offers, in seconds.

This time counts towards ``TRANSFER_SECONDS``.
"""
CHUNK_BYTES = 64 * 1024
"""Size of the pieces in which long text is sent, in bytes."""
MAX_TRANSFERS = 8
"""Maximum number of simultaneous transfers in pieces.

If there are more, the oldest is dropped.
"""
UTF8_TYPES = ("UTF8_STRING", "text/plain;charset=utf-8")
TEXT_TYPES = (*UTF8_TYPES, "COMPOUND_TEXT", "STRING", "TEXT", "text/plain")
"""Text formats in order of preference."""
PROPERTY_NEW_VALUE, PROPERTY_DELETED = 0, 1
"""States of a property in a PropertyNotify event."""


class X11Selections:
    """Access to the X11 selections, as a device for pyglet's event loop.

    Raises :class:`.ClipboardError` if there is no display.
    """

    def __init__(self) -> None:
        from pyglet.libs.x11 import xlib

        self._xlib: Any = xlib
        self._display = xlib.XOpenDisplay(None)
        if not self._display:
            raise ClipboardError(_("Copy and paste aren't available here."))
        self._atoms: dict[str, int] = {}
        self._owner_window = self._create_window()
        self._copied_text: bytes | None = None
        """UTF-8 text that this program has copied; None if none, or if another program has copied something since."""
        self._transfers: dict[tuple[int, int], tuple[int, bytes]] = {}
        """Type and remaining data of transfers in pieces, by receiving window and property."""
        self._late_answers: Counter[int] = Counter()
        """Number of requests still unanswered after their time limit, by the window they came from."""

    # Device for pyglet's event loop

    def fileno(self) -> int:
        """Return the file descriptor of the connection."""
        return int(self._xlib.XConnectionNumber(self._display))

    def poll(self) -> bool:
        """Return whether events are pending."""
        return bool(self._xlib.XPending(self._display))

    def select(self) -> None:
        """Handle the pending events."""
        for event in self._pending_events():
            self._handle_late_answer(event)

    def close(self) -> None:
        """Close the connection; text copied by this program is lost."""
        self._xlib.XCloseDisplay(self._display)

    # Reading from other programs

    def read_clipboard(self) -> str:
        """Return the text on the clipboard, or "" if the clipboard is empty.

        Raises :class:`.ClipboardError` if the content isn't text or can't be read.
        """
        if self._copied_text is not None:
            return self._copied_text.decode()
        found = self.request("CLIPBOARD", TEXT_TYPES)
        return self._decode(*found) if found is not None else ""

    def request(self, selection: str, types: Sequence[str], timestamp: int = 0) -> tuple[str, bytes] | None:
        """Return the content of a selection as (format, data), or None if nobody owns the selection.

        ``types`` are the accepted formats in order of preference. ``timestamp`` is the server time of the request; 0
        means now. Raises :class:`.ClipboardError` if the owner provides none of the formats, is too slow, or sends too
        much.
        """
        x, name = self._xlib, self.atom(selection)
        if not x.XGetSelectionOwner(self._display, name):
            return None
        end = time.monotonic() + TRANSFER_SECONDS
        window = self._create_window()
        try:
            for form in self._offered_types(window, name, types, timestamp, end):
                found = self._convert(window, name, form, timestamp, end)
                if found is not None:
                    return self.atom_name(found[0]), found[1]
        finally:
            # Keep the window until the request is answered: some programs crash if it is gone by then.
            if window not in self._late_answers:
                x.XDestroyWindow(self._display, window)
            x.XFlush(self._display)
        raise ClipboardError(
            _("The program you copied from isn't responding.")
            if window in self._late_answers
            else _("The clipboard doesn't contain text.")
        )

    def _offered_types(
        self, window: int, selection: int, types: Sequence[str], timestamp: int, deadline: float
    ) -> Sequence[str]:
        """Return those of ``types`` that the owner of ``selection`` offers.

        If the owner sends no usable list in time, return all ``types``.
        """
        try:
            first = min(deadline, time.monotonic() + TARGETS_SECONDS)
            found = self._convert(window, selection, "TARGETS", timestamp, first)
        except ClipboardError:
            return types
        size = ctypes.sizeof(ctypes.c_long)
        if found is None or found[0] not in (self.atom("ATOM"), self.atom("TARGETS")) or len(found[1]) % size:
            return types
        kinds = set((ctypes.c_ulong * (len(found[1]) // size)).from_buffer_copy(found[1]))
        return [form for form in types if self.atom(form) in kinds]

    def _convert(
        self, window: int, selection: int, type_name: str, timestamp: int, deadline: float
    ) -> tuple[int, bytes] | None:
        """Return the type and data that a selection's owner sends for the format ``type_name``.

        Returns None if the owner refuses, or if the property in which it should have stored the data doesn't exist.
        Raises :class:`.ClipboardError` if the owner doesn't send everything by ``deadline``, a time of
        ``time.monotonic()``, or if it sends too much.
        """
        x, target = self._xlib, self.atom(type_name)
        x.XDeleteProperty(self._display, window, target)
        x.XConvertSelection(self._display, selection, target, target, window, timestamp)
        x.XFlush(self._display)
        for event in self._events_until(deadline):
            answer = event.xselection
            if (event.type, answer.requestor, answer.selection, answer.target) == (
                *(x.SelectionNotify, window, selection, target),
            ):
                if not answer.property:
                    return None
                found = self.read_property(window, target, delete=True)
                if found is None:
                    return None
                if found[0] == self.atom("INCR"):
                    return self._receive_incrementally(window, target, deadline)
                return found
        self._late_answers[window] += 1
        raise ClipboardError(_("The program you copied from isn't responding."))

    def _receive_incrementally(self, window: int, name: int, deadline: float) -> tuple[int, bytes]:
        """Return the type and data that arrive in pieces (INCR) in property ``name`` of ``window``.

        An empty piece marks the end. Raises :class:`.ClipboardError` if the end isn't received by ``deadline`` or the
        data is too long.
        """
        x, size = self._xlib, 0
        parts: list[bytes] = []
        x.XFlush(self._display)
        for event in self._events_until(deadline):
            change = event.xproperty
            if (event.type, change.window, change.atom, change.state) != (
                x.PropertyNotify,
                window,
                name,
                PROPERTY_NEW_VALUE,
            ):
                continue
            found = self.read_property(window, name, delete=True)
            if found is None:
                continue  # already received
            if not found[1]:
                return found[0], b"".join(parts)
            parts.append(found[1])
            size += len(found[1])
            if size > MAX_TEXT_BYTES:
                raise ClipboardError(_("The text on the clipboard is too long."))
        raise ClipboardError(_("The program you copied from isn't responding."))

    def read_property(self, window: int, name: int, *, delete: bool = False) -> tuple[int, bytes] | None:
        """Return the type and data of the property ``name`` of ``window``.

        If ``delete`` is set, the property is deleted once its data has been read completely. Returns None if there is
        no such window or property. Raises :class:`.ClipboardError` if the data is too long.
        """
        x = self._xlib
        kind, form, count, left = x.Atom(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        data = ctypes.POINTER(ctypes.c_ubyte)()
        results = [ctypes.byref(value) for value in (kind, form, count, left, data)]
        arguments = (self._display, window, name, 0, MAX_TEXT_BYTES // 4 + 1, delete, 0)
        if x.XGetWindowProperty(*arguments, *results) or not kind.value:
            return None
        try:
            if left.value:
                raise ClipboardError(_("The text on the clipboard is too long."))
            # Xlib stores 32-bit items as C longs.
            wide = {8: 1, 16: 2, 32: ctypes.sizeof(ctypes.c_long)}.get(form.value, 0)
            return kind.value, ctypes.string_at(data, count.value * wide)
        finally:
            if data:
                x.XFree(data)

    def _decode(self, type_name: str, data: bytes) -> str:
        """Decode text received as the X11 type ``type_name``.

        Raises :class:`.ClipboardError` if ``type_name`` isn't a type of text or ``data`` can't be decoded.
        """
        if type_name == "COMPOUND_TEXT":
            return self._decode_compound(data)
        if type_name not in TEXT_TYPES:
            raise ClipboardError(_("The clipboard doesn't contain text."))
        try:
            return data.decode()
        except UnicodeDecodeError:
            if type_name in UTF8_TYPES:
                raise ClipboardError(
                    _("The text on the clipboard can't be read: it isn't valid UTF-8.")
                ) from None
            # Old programs send Latin-1. Text that happens to be valid UTF-8 is decoded as UTF-8.
            return data.decode("latin-1")

    def _decode_compound(self, data: bytes) -> str:
        """Decode compound text, an old format that switches between character sets.

        Raises :class:`.ClipboardError` if it can't be decoded.
        """
        x = self._xlib
        held = ctypes.create_string_buffer(data, len(data) + 1)
        text_property = x.XTextProperty(
            ctypes.cast(held, ctypes.POINTER(ctypes.c_ubyte)), self.atom("COMPOUND_TEXT"), 8, len(data)
        )
        parts, count = ctypes.POINTER(ctypes.c_char_p)(), ctypes.c_int()
        if (
            x.Xutf8TextPropertyToTextList(
                self._display, text_property, ctypes.byref(parts), ctypes.byref(count)
            )
            < 0
        ):
            raise ClipboardError(_("The clipboard doesn't contain text."))
        try:
            return "\n".join((parts[n] or b"").decode("utf-8", "replace") for n in range(count.value))
        finally:
            if parts:
                x.XFreeStringList(parts)

    # Offering to other programs

    def write_clipboard(self, text: str) -> None:
        """Copy text to the clipboard.

        Raises :class:`.ClipboardError` if the system doesn't allow it.
        """
        x, name = self._xlib, self.atom("CLIPBOARD")
        x.XSetSelectionOwner(self._display, name, self._owner_window, 0)
        if x.XGetSelectionOwner(self._display, name) != self._owner_window:
            raise ClipboardError(_("Couldn't copy: the system didn't allow it."))
        self._copied_text = text.encode("utf-8", "replace")

    def _answer_request(self, request: Any) -> None:
        """Answer a request for the copied text or for the list of its formats; refuse any other request."""
        x = self._xlib
        # Obsolete clients don't specify a property.
        place = request.property or request.target
        ours = request.selection == self.atom("CLIPBOARD") and self._copied_text is not None
        forms = self._offered_data() if ours else {}
        kind = self.atom_name(request.target)
        data = forms.get(kind)
        if kind == "TARGETS" and data is not None:
            self._set_property(request.requestor, place, self.atom("ATOM"), 32, data)
        elif data is not None:
            type_atom = self.atom("UTF8_STRING" if kind == "TEXT" else kind)
            if len(data) <= CHUNK_BYTES:
                self._set_property(request.requestor, place, type_atom, 8, data)
            else:
                self._transfers.pop((request.requestor, place), None)
                while len(self._transfers) >= MAX_TRANSFERS:
                    del self._transfers[next(iter(self._transfers))]
                self._transfers[request.requestor, place] = type_atom, data
                x.XSelectInput(self._display, request.requestor, x.PropertyChangeMask | x.StructureNotifyMask)
                size = bytes(ctypes.c_long(len(data)))
                self._set_property(request.requestor, place, self.atom("INCR"), 32, size)
        event = x.XEvent()
        event.xselection.type = x.SelectionNotify
        event.xselection.requestor, event.xselection.selection = request.requestor, request.selection
        event.xselection.target, event.xselection.time = request.target, request.time
        event.xselection.property = place if data is not None else 0
        x.XSendEvent(self._display, request.requestor, False, 0, ctypes.byref(event))
        x.XFlush(self._display)

    def _offered_data(self) -> dict[str, bytes]:
        """Return the copied text in each format offered to other programs, by the name of the format.

        ``STRING`` is offered only if the text can be encoded in Latin-1. The key ``TARGETS`` holds the list of the
        formats, as atoms.
        """
        text = self._copied_text or b""
        forms = dict.fromkeys((*UTF8_TYPES, "TEXT"), text)
        with suppress(UnicodeEncodeError):
            forms["STRING"] = text.decode().encode("latin-1")
        names = [self.atom(name) for name in ("TARGETS", *forms)]
        forms["TARGETS"] = bytes((ctypes.c_long * len(names))(*names))
        return forms

    def _send_next_piece(self, window: int, name: int) -> None:
        """Write the next piece of the text to property ``name`` of ``window``, or an empty piece after the last one."""
        type_atom, data = self._transfers[window, name]
        self._set_property(window, name, type_atom, 8, data[:CHUNK_BYTES])
        if data:
            self._transfers[window, name] = type_atom, data[CHUNK_BYTES:]
        else:
            del self._transfers[window, name]
            if not any(other == window for other, _ in self._transfers):
                self._xlib.XSelectInput(self._display, window, 0)
        self._xlib.XFlush(self._display)

    def _set_property(self, window: int, name: int, kind: int, bits_per_item: int, data: bytes) -> None:
        count = len(data) // (ctypes.sizeof(ctypes.c_long) if bits_per_item == 32 else 1)
        held = (ctypes.c_ubyte * len(data)).from_buffer_copy(data)
        self._xlib.XChangeProperty(self._display, window, name, kind, bits_per_item, 0, held, count)

    def send_message(self, window: int, message: str, *numbers: int) -> None:
        """Send a message of the type ``message``, with up to five numbers, to a window.

        If the window no longer exists, the message is lost.
        """
        event = self._xlib.XEvent()
        client_message = event.xclient
        client_message.type, client_message.window, client_message.message_type, client_message.format = (
            *(self._xlib.ClientMessage, window, self.atom(message), 32),
        )
        client_message.data.l[: len(numbers)] = numbers
        self._xlib.XSendEvent(self._display, window, False, 0, ctypes.byref(event))
        self._xlib.XFlush(self._display)

    # Events

    def _events_until(self, deadline: float) -> Iterator[Any]:
        """Yield the events that arrive before ``deadline``, a time of ``time.monotonic()``.

        Events that concern text copied by this program are handled here instead of being yielded.
        """
        while (left := deadline - time.monotonic()) > 0:
            for event in self._pending_events():
                yield event
                if time.monotonic() > deadline:
                    return
            if not self.poll():
                select.select([self.fileno()], [], [], left)

    def _pending_events(self) -> Iterator[Any]:
        """Yield the pending events that don't concern text copied by this program.

        The others are handled here: requests for the text, the loss of the clipboard to another program, and the
        progress of transfers in pieces.
        """
        x = self._xlib
        while self.poll():
            event = x.XEvent()
            x.XNextEvent(self._display, ctypes.byref(event))
            if event.type == x.SelectionRequest:
                self._answer_request(event.xselectionrequest)
            elif event.type == x.SelectionClear:
                if event.xselectionclear.window == self._owner_window:
                    self._copied_text = None
            elif event.type == x.DestroyNotify:
                gone = event.xdestroywindow.window
                self._transfers = {place: left for place, left in self._transfers.items() if place[0] != gone}
            elif event.type == x.PropertyNotify and event.xproperty.window not in (0, self._owner_window):
                place = event.xproperty.window, event.xproperty.atom
                if place in self._transfers and event.xproperty.state == PROPERTY_DELETED:
                    self._send_next_piece(*place)
                else:
                    yield event
            else:
                yield event

    def _handle_late_answer(self, event: Any) -> None:
        """If ``event`` is an answer that arrived too late, destroy its window once no more answers are expected."""
        window = event.xselection.requestor if event.type == self._xlib.SelectionNotify else 0
        if window in self._late_answers:
            self._late_answers[window] -= 1
            if not self._late_answers[window]:
                del self._late_answers[window]
                self._xlib.XDestroyWindow(self._display, window)
                self._xlib.XFlush(self._display)

    # Atoms and windows

    def _create_window(self) -> int:
        """Create a window that is never visible."""
        x = self._xlib
        root = x.XDefaultRootWindow(self._display)
        window = int(x.XCreateSimpleWindow(self._display, root, -9, -9, 1, 1, 0, 0, 0))
        x.XSelectInput(self._display, window, x.PropertyChangeMask)
        return window

    def atom(self, name: str) -> int:
        if name not in self._atoms:
            self._atoms[name] = int(self._xlib.XInternAtom(self._display, name.encode(), False))
        return self._atoms[name]

    def atom_name(self, atom: int) -> str:
        """Return the name of an atom, or "" if this program hasn't used it."""
        return next((name for name, number in self._atoms.items() if number == atom), "")
