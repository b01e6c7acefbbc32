"""X11 clients in separate processes, written against the protocol rather than against the program.

python -m tests.app.x11 program        the program's clipboard without its window; stdin: "read" or "write TEXT"
python -m tests.app.x11 own MODE       a client that has copied something, as described in :class:`ClipboardOwner`
python -m tests.app.x11 drag MODE ADDRESS …   drags files, as described in :class:`DragSource`; prints the outcome
python -m tests.app.x11 take FORM      prints the clipboard in a format, and in how many pieces it came
python -m tests.app.x11 manage         a window manager that focuses each new window shortly after its creation
"""

from __future__ import annotations

import ctypes
import json
import select
import sys
import time
from types import SimpleNamespace
from typing import Any

# Importing this installs pyglet's X11 error handler, as in the program with a window.
import pyglet.display.xlib  # noqa: F401
from pyglet.libs.x11 import xlib as x

LARGE = "".join(f"line {n} é\n" for n in range(60_000))
"""More than X11 transfers at once: 829 KB in UTF-8, in which é takes two bytes."""


class Client:
    """An X11 connection with one window."""

    def __init__(self) -> None:
        self.display = x.XOpenDisplay(None)
        self.window = x.XCreateSimpleWindow(
            *(self.display, x.XDefaultRootWindow(self.display), 0, 0, 1, 1, 0, 0, 0)
        )
        x.XSelectInput(self.display, self.window, x.PropertyChangeMask)

    def atom(self, name: str) -> int:
        return int(x.XInternAtom(self.display, name.encode(), False))

    def name(self, atom: int) -> str:
        return ctypes.string_at(x.XGetAtomName(self.display, atom)).decode() if atom else ""

    def next(self) -> Any:
        event = x.XEvent()
        x.XNextEvent(self.display, ctypes.byref(event))
        return event

    def put(self, window: int, name: int, kind: str, data: bytes, form: int = 8) -> None:
        count = len(data) // (8 if form == 32 else 1)
        held = (ctypes.c_ubyte * len(data)).from_buffer_copy(data)
        x.XChangeProperty(self.display, window, name, self.atom(kind), form, 0, held, count)

    def take(self, name: int) -> tuple[str, bytes]:
        """Return the type and value of a property of this client's window, and delete the property.

        ``name`` is the atom of the property's name. If the window has no such property, the type is "" and the value is
        empty.
        """
        kind, form, count, left = x.Atom(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        data = ctypes.POINTER(ctypes.c_ubyte)()
        references = [ctypes.byref(value) for value in (kind, form, count, left, data)]
        x.XGetWindowProperty(self.display, self.window, name, 0, 1 << 24, True, 0, *references)
        # Xlib stores items of 32 bits as longs.
        return self.name(kind.value), ctypes.string_at(data, count.value * (8 if form.value == 32 else 1))

    def notify(self, asked: Any, name: int) -> None:
        event = x.XEvent()
        event.xselection.type = x.SelectionNotify
        event.xselection.requestor, event.xselection.selection = asked.requestor, asked.selection
        event.xselection.target, event.xselection.time = asked.target, asked.time
        event.xselection.property = name
        x.XSendEvent(self.display, asked.requestor, False, 0, ctypes.byref(event))
        x.XFlush(self.display)


FORMS: dict[str, dict[str, tuple[str, bytes]]] = {
    "text": {"UTF8_STRING": ("UTF8_STRING", "Zoë 弈 🙂".encode())},
    "latin": {"STRING": ("STRING", b"Zo\xeb")},
    "compound": {"COMPOUND_TEXT": ("COMPOUND_TEXT", b"Zo\xeb \x1b-F\xe1\xe2")},
    "mime": {"text/plain;charset=utf-8": ("text/plain;charset=utf-8", "Zoë".encode())},
    "broken": {"UTF8_STRING": ("UTF8_STRING", b"Zo\xeb \xff\xfe")},
    "picture": {"image/png": ("image/png", b"\x89PNG")},
    "zero": {"UTF8_STRING": ("UTF8_STRING", b"Zoe\0")},
    "empty": {"UTF8_STRING": ("UTF8_STRING", b"")},
    "odd": {"UTF8_STRING": ("image/png", b"\x89PNG")},
}
"""Formats that the owner of the clipboard offers in each mode, each with the type and the data of its answer."""


class ClipboardOwner(Client):
    """An owner of the clipboard, whose ``mode`` determines how it answers requests.

    In the modes listed in :data:`FORMS`, it offers the formats given there. In mode "large", it sends :data:`LARGE` in
    pieces. In mode "huge", it sends six times as much. In mode "stuck", it announces the pieces, but sends none. In
    mode "late", it answers two requests together, after the second. In mode "untold", it doesn't say which formats it
    offers. In mode "silent", it never answers. In mode "dead", it exits when it receives a request.
    """

    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode
        self.pieces: dict[int, list[bytes]] = {}
        self.asked: list[Any] = []

    def serve(self) -> None:
        x.XSetSelectionOwner(self.display, self.atom("CLIPBOARD"), self.window, 0)
        assert x.XGetSelectionOwner(self.display, self.atom("CLIPBOARD")) == self.window
        print("ready", flush=True)
        while True:
            event = self.next()
            if event.type == x.SelectionRequest:
                self.answer(event.xselectionrequest)
            elif event.type == x.PropertyNotify and event.xproperty.state == 1:
                parts = self.pieces.get(event.xproperty.window)
                if parts and self.mode != "stuck":
                    self.put(event.xproperty.window, event.xproperty.atom, "UTF8_STRING", parts.pop(0))
                    x.XFlush(self.display)

    def answer(self, asked: Any) -> None:
        form = self.name(asked.target)
        if self.mode == "silent":
            return
        if self.mode == "dead":
            sys.exit()
        if self.mode == "late" and form != "TARGETS":
            # The first request is answered only when the second one arrives, and before it.
            event = x.XSelectionRequestEvent()
            ctypes.memmove(ctypes.byref(event), ctypes.byref(asked), ctypes.sizeof(event))
            self.asked.append(event)
            if len(self.asked) == 2:
                for each, text in zip(self.asked, (b"first", b"second"), strict=True):
                    self.put(each.requestor, each.property, "UTF8_STRING", text)
                    self.notify(each, each.property)
                    time.sleep(0.1)
                self.asked.clear()
            return
        if self.mode in ("large", "huge", "stuck") and form == "UTF8_STRING":
            data = LARGE.encode() * (6 if self.mode == "huge" else 1)
            self.pieces[asked.requestor] = [data[n : n + 50_000] for n in range(0, len(data), 50_000)] + [b""]
            x.XSelectInput(self.display, asked.requestor, x.PropertyChangeMask)
            self.put(asked.requestor, asked.property, "INCR", bytes(ctypes.c_long(len(data))), 32)
            self.notify(asked, asked.property)
            return
        forms = FORMS.get(self.mode, FORMS["text"])
        if form == "TARGETS" and self.mode == "untold":
            return
        if form == "TARGETS":
            names = [self.atom(name) for name in ("TARGETS", *forms)]
            self.put(asked.requestor, asked.property, "ATOM", bytes((ctypes.c_long * len(names))(*names)), 32)
            self.notify(asked, asked.property)
        elif form in forms:
            self.put(asked.requestor, asked.property, *forms[form])
            self.notify(asked, asked.property)
        else:
            self.notify(asked, 0)


class DragSource(Client):
    """A client that drags files, or only text, to the first window that accepts drops.

    In mode "many", a property lists the types that it offers; in all other modes, including "few", the first message
    lists them. In mode "text", it offers only text. In mode "silent", it never sends the addresses of the files. In
    mode "leave", it leaves the window before it drops.
    """

    def target(self, window: int) -> int:
        kind, form, count, left = x.Atom(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        data = ctypes.POINTER(ctypes.c_ubyte)()
        references = [ctypes.byref(value) for value in (kind, form, count, left, data)]
        x.XGetWindowProperty(self.display, window, self.atom("XdndAware"), 0, 1, False, 0, *references)
        if kind.value:
            return window
        root, parent, many = x.Window(), x.Window(), ctypes.c_uint()
        children = ctypes.POINTER(x.Window)()
        references = [ctypes.byref(value) for value in (root, parent, children, many)]
        x.XQueryTree(self.display, window, *references)
        return next(filter(None, (self.target(children[n]) for n in range(many.value))), 0)

    def say(self, window: int, what: str, *numbers: int) -> None:
        event = x.XEvent()
        event.xclient.type, event.xclient.window, event.xclient.format = x.ClientMessage, window, 32
        event.xclient.message_type = self.atom(what)
        event.xclient.data.l[: len(numbers) + 1] = (self.window, *numbers)
        x.XSendEvent(self.display, window, False, 0, ctypes.byref(event))
        x.XFlush(self.display)

    def answered(self, what: str) -> list[int]:
        """Return the data of the next message of type ``what``.

        Until it arrives, answer requests for the dragged files, except in mode "silent".
        """
        while True:
            event = self.next()
            if event.type == x.ClientMessage and self.name(event.xclient.message_type) == what:
                return [int(number) for number in event.xclient.data.l]
            if event.type == x.SelectionRequest and self.mode != "silent":
                asked = event.xselectionrequest
                if self.name(asked.target) == "text/uri-list":
                    self.put(asked.requestor, asked.property, "text/uri-list", self.data)
                    self.notify(asked, asked.property)
                else:
                    self.notify(asked, 0)

    def drag(self, mode: str, addresses: list[str]) -> None:
        self.mode, self.data = mode, "".join(f"{address}\r\n" for address in addresses).encode()
        x.XSetSelectionOwner(self.display, self.atom("XdndSelection"), self.window, 0)
        target = self.target(x.XDefaultRootWindow(self.display))
        kinds = [self.atom(name) for name in ("text/plain", "a/b", "c/d", "text/uri-list")]
        if mode == "many":
            self.put(self.window, self.atom("XdndTypeList"), "ATOM", bytes((ctypes.c_long * 4)(*kinds)), 32)
            self.say(target, "XdndEnter", 5 << 24 | 1, *kinds[:3])
        else:
            self.say(target, "XdndEnter", 5 << 24, kinds[0], kinds[0 if mode == "text" else 3], 0)
        self.say(target, "XdndPosition", 0, 100 << 16 | 100, 0, self.atom("XdndActionCopy"))
        accepted = self.answered("XdndStatus")[1] & 1
        if mode == "leave":
            self.say(target, "XdndLeave")
        self.say(target, "XdndDrop", 0, 0)
        print(json.dumps([accepted, mode != "leave" and self.answered("XdndFinished")[1]]))


class WindowManager(Client):
    """A minimal window manager, which focuses each new window after a delay.

    Keys pressed while no window has the focus are lost.
    """

    MAPPING_SECONDS = 0.1

    def serve(self) -> None:
        root = x.XDefaultRootWindow(self.display)
        x.XSelectInput(self.display, root, x.SubstructureRedirectMask)
        x.XSync(self.display, False)
        print("ready", flush=True)
        while True:
            event = self.next()
            if event.type == x.ConfigureRequest:
                asked = event.xconfigurerequest
                wanted = x.XWindowChanges(
                    *(
                        asked.x,
                        asked.y,
                        asked.width,
                        asked.height,
                        asked.border_width,
                        asked.above,
                        asked.detail,
                    )
                )
                x.XConfigureWindow(self.display, asked.window, asked.value_mask, ctypes.byref(wanted))
            elif event.type == x.MapRequest:
                time.sleep(self.MAPPING_SECONDS)
                x.XMapWindow(self.display, event.xmaprequest.window)
                x.XSetInputFocus(self.display, event.xmaprequest.window, 0, x.CurrentTime)
            x.XFlush(self.display)


def take(form: str) -> None:
    """Print the contents of the clipboard in the format ``form``, as JSON.

    The output is a list: the type of the data, its bytes (as Latin-1), and the number of pieces in which they arrived.
    There is one piece, unless the clipboard's owner transfers the data incrementally. If the data itself is a list of
    formats, the output is only the names of these formats, in alphabetical order. If the owner refuses the request, the
    output is ``null``.
    """
    client = Client()
    place, target = client.atom("HERE"), client.atom(form)
    x.XConvertSelection(client.display, client.atom("CLIPBOARD"), target, place, client.window, 0)
    while (event := client.next()).type != x.SelectionNotify:
        pass
    if not event.xselection.property:
        print(json.dumps(None))
        return
    kind, data = client.take(place)
    pieces = 1
    if kind == "ATOM":
        atoms = (ctypes.c_ulong * (len(data) // 8)).from_buffer_copy(data)
        print(json.dumps(sorted(client.name(atom) for atom in atoms)))
        return
    if kind == "INCR":
        data, pieces = b"", 0
        x.XFlush(client.display)
        while True:
            event = client.next()
            if event.type == x.PropertyNotify and (event.xproperty.atom, event.xproperty.state) == (place, 0):
                kind, part = client.take(place)
                if kind and not part:
                    break
                data, pieces = data + part, pieces + 1
    print(json.dumps([kind, data.decode("latin-1"), pieces]))


def run_clipboard() -> None:
    """Run the program's clipboard on commands from stdin, until an empty line or the end of the input.

    Before the first command, print "ready". The command "read" pastes. The command "write TEXT" copies TEXT, given as a
    JSON string; "write LARGE" copies the value of :data:`LARGE`. After each command, print one line: a JSON list of its
    result, the clipboard's messages and the seconds taken.
    """
    from shibumi3d.app.platform.x11_selections import X11Selections
    from shibumi3d.app.shell.clipboard import Clipboard

    selections = X11Selections()
    answers: list[str] = []
    board = Clipboard(
        SimpleNamespace(write_clipboard=selections.write_clipboard, read_clipboard=selections.read_clipboard),  # type: ignore[arg-type]
        answers.append,
    )
    print("ready", flush=True)
    while True:
        for _ in range(bool(selections.poll())):
            selections.select()
        ready, _, _ = select.select([sys.stdin, selections], [], [])
        if selections in ready:
            selections.select()
        if sys.stdin not in ready:
            continue
        what, _, text = sys.stdin.readline().strip().partition(" ")
        if not what:
            return
        started_at = time.monotonic()
        found = (
            board.paste() if what == "read" else board.copy(LARGE if text == "LARGE" else json.loads(text))
        )
        print(json.dumps([found, answers, time.monotonic() - started_at]), flush=True)
        answers.clear()


if __name__ == "__main__":
    if sys.argv[1] == "own":
        ClipboardOwner(sys.argv[2]).serve()
    elif sys.argv[1] == "drag":
        DragSource().drag(sys.argv[2], sys.argv[3:])
    elif sys.argv[1] == "take":
        take(sys.argv[2])
    elif sys.argv[1] == "manage":
        WindowManager().serve()
    else:
        run_clipboard()
