"""What the windows of X11 hand each other: texts that are copied, and names of files that are dragged.

Pyglet waits for ever for an owner that does not answer, takes no text that comes in pieces, and ends the program with
one that is not UTF-8. This is a connection of its own, served in pyglet's loop, that trusts nobody: each question has a
window of its own, so that an answer that comes too late meets no other question.
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
"""Seconds within which an owner must have handed over all."""
FIRST = 0.3
"""Of these, how many it may take to say what it offers."""
CHUNK = 64 * 1024
"""Bytes of a text that are handed over at a time."""
SENDING = 8
"""So many others are handed a text in pieces at a time; who is slowest then gets no more."""
UTF8 = ("UTF8_STRING", "text/plain;charset=utf-8")
TEXTS = (*UTF8, "COMPOUND_TEXT", "STRING", "TEXT", "text/plain")
"""The forms of a text, best first."""
NEW, DELETED = 0, 1
"""What a property became."""


class Selections:
    """The selections of the display; a device of pyglet's loop. Raises :class:`Trouble` without a display."""

    def __init__(self) -> None:
        from pyglet.libs.x11 import xlib

        self._x: Any = xlib
        self._display = xlib.XOpenDisplay(None)
        if not self._display:
            raise Trouble(_("Copy and paste are not available here."))
        self._atoms: dict[str, int] = {}
        self._owner = self._window()
        self._text: bytes | None = None
        """What was copied here, as long as nobody else has copied since."""
        self._sending: dict[tuple[int, int], tuple[int, bytes]] = {}
        """What is still to be handed over, and its form, by the window and its property."""
        self._asking: Counter[int] = Counter()
        """How many questions were not answered in time, by their windows."""

    # For pyglet's loop

    def fileno(self) -> int:
        """The connection."""
        return int(self._x.XConnectionNumber(self._display))

    def poll(self) -> bool:
        """Whether something has come."""
        return bool(self._x.XPending(self._display))

    def select(self) -> None:
        """Answers what others ask."""
        for event in self._pending():
            self._late(event)

    def close(self) -> None:
        """Leaves the display; what was copied here is gone."""
        self._x.XCloseDisplay(self._display)

    # What others have copied

    def read(self) -> str:
        """The text that was copied last; empty where nothing was. Raises :class:`Trouble`."""
        if self._text is not None:
            return self._text.decode()
        found = self.ask("CLIPBOARD", TEXTS)
        return self._decoded(*found) if found is not None else ""

    def ask(self, selection: str, forms: Sequence[str], at: int = 0) -> tuple[str, bytes] | None:
        """The first of some forms that the owner of a selection has: its name, and what it is.

        ``at`` is the time of the server that the question is about, 0 for now. Returns None where there is no owner.
        Raises :class:`Trouble` where it has none of the forms, is too slow, or hands over too much.
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
            # One that is not answered yet stands until it is: not every program outlives an answer to nobody.
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
        """Those of some forms that the owner says it has; all of them where it does not say it in time."""
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
        """What the owner hands over in a form, with its type; None where it refuses."""
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
        """A text that comes in pieces: each is taken when it is there, and an empty one is the last."""
        x, size = self._x, 0
        parts: list[bytes] = []
        x.XFlush(self._display)
        for event in self._until(end):
            told = event.xproperty
            if (event.type, told.window, told.atom, told.state) != (x.PropertyNotify, window, name, NEW):
                continue
            found = self.property(window, name, delete=True)
            if found is None:
                continue  # it was taken already
            if not found[1]:
                return found[0], b"".join(parts)
            parts.append(found[1])
            size += len(found[1])
            if size > MOST:
                raise Trouble(_("The text on the clipboard is too long."))
        raise Trouble(_("The program you copied from is not responding."))

    def property(self, window: int, name: int, *, delete: bool = False) -> tuple[int, bytes] | None:
        """The type and the content of a property of a window; None where it has none, or the window is gone."""
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
            # What has 32 bits a piece comes as C's long numbers.
            wide = {8: 1, 16: 2, 32: ctypes.sizeof(ctypes.c_long)}.get(form.value, 0)
            return kind.value, ctypes.string_at(data, count.value * wide)
        finally:
            if data:
                x.XFree(data)

    def _decoded(self, form: str, data: bytes) -> str:
        """The text that was handed over in a form. Raises :class:`Trouble` where it is none."""
        if form == "COMPOUND_TEXT":
            return self._compound(data)
        if form not in TEXTS:
            raise Trouble(_("The clipboard does not contain text."))
        try:
            return data.decode()
        except UnicodeDecodeError:
            if form in UTF8:
                raise Trouble(_("The text on the clipboard can't be read: it is not valid UTF-8.")) from None
            # As old programs have it: what is UTF-8 by chance is meant so.
            return data.decode("latin-1")

    def _compound(self, data: bytes) -> str:
        """A text as old programs write it, with changes of the alphabet within."""
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

    # What is copied here

    def write(self, text: str) -> None:
        """Gives a text to all who ask for what was copied. Raises :class:`Trouble` where the display refuses."""
        x, name = self._x, self.atom("CLIPBOARD")
        x.XSetSelectionOwner(self._display, name, self._owner, 0)
        if x.XGetSelectionOwner(self._display, name) != self._owner:
            raise Trouble(_("Couldn't copy: the system didn't allow it."))
        self._text = text.encode("utf-8", "replace")

    def _answer(self, asked: Any) -> None:
        """Hands over what was copied, in the form that somebody asks for, or refuses."""
        x = self._x
        # Who is very old names no property.
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
        """What was copied in all forms that it has here."""
        text = self._text or b""
        forms = dict.fromkeys((*UTF8, "TEXT"), text)
        with suppress(UnicodeEncodeError):
            forms["STRING"] = text.decode().encode("latin-1")
        names = [self.atom(name) for name in ("TARGETS", *forms)]
        forms["TARGETS"] = bytes((ctypes.c_long * len(names))(*names))
        return forms

    def _go_on(self, window: int, name: int) -> None:
        """The next piece of a text, or an empty one behind the last."""
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
        """Sends a message of up to five numbers to a window, which may be gone."""
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
        """What comes until a time, but for what others ask."""
        while (left := end - time.monotonic()) > 0:
            for event in self._pending():
                yield event
                if time.monotonic() > end:
                    return
            if not self.poll():
                select.select([self.fileno()], [], [], left)

    def _pending(self) -> Iterator[Any]:
        """What has come; what others ask is answered."""
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
        """An answer that nobody waits for any more."""
        window = event.xselection.requestor if event.type == self._x.SelectionNotify else 0
        if window in self._asking:
            self._asking[window] -= 1
            if not self._asking[window]:
                del self._asking[window]
                self._x.XDestroyWindow(self._display, window)
                self._x.XFlush(self._display)

    # Names and windows

    def _window(self) -> int:
        """A window that is never seen."""
        x = self._x
        root = x.XDefaultRootWindow(self._display)
        window = int(x.XCreateSimpleWindow(self._display, root, -9, -9, 1, 1, 0, 0, 0))
        x.XSelectInput(self._display, window, x.PropertyChangeMask)
        return window

    def atom(self, name: str) -> int:
        """The number that the display has for a name."""
        if name not in self._atoms:
            self._atoms[name] = int(self._x.XInternAtom(self._display, name.encode(), False))
        return self._atoms[name]

    def name_of(self, atom: int) -> str:
        """The name that a number stands for; empty where it is none of those that are known here."""
        return next((name for name, number in self._atoms.items() if number == atom), "")
