"""Screen reader support through AccessKit, if it is installed.

Requests arrive in one of AccessKit's threads. They are queued until the window's event loop handles them.
"""

from __future__ import annotations

import queue
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ui.tree import ROOT, SAID, Node, Reading, Text, Tree
from ..ui.writing import Place
from .title import TITLE, called, keyed

if TYPE_CHECKING:
    from .app import App

ROLES = {
    "window": "WINDOW",
    "dialog": "DIALOG",
    "board": "GROUP",
    "group": "GROUP",
    "thing": "BUTTON",
    "button": "BUTTON",
    "drop": "COMBO_BOX",
    "options": "RADIO_GROUP",
    "option": "RADIO_BUTTON",
    "rows": "LIST_BOX",
    "row": "LIST_BOX_OPTION",
    "field": "TEXT_INPUT",
    "editor": "MULTILINE_TEXT_INPUT",
    "slider": "SLIDER",
    "text": "LABEL",
    "said": "LABEL",
}
"""AccessKit role for each node role."""
DISABLED_BUTTON = "COLOR_WELL"
"""AccessKit role for disabled buttons.

AccessKit reports every BUTTON to AT-SPI as enabled. This role is also a push button in AT-SPI, but can be disabled.
"""
PRESSED = 1
"""Number of low bits in a node's ID that encode whether it can be pressed.

AT-SPI reads the actions of a node only once, so a node whose actions change needs a new ID.
"""
ACTIONS = {
    "press": "CLICK",
    "focus": "FOCUS",
    "set": "SET_VALUE",
    "select": "SET_TEXT_SELECTION",
    "more": "INCREMENT",
    "less": "DECREMENT",
}
RUNS, LINES = 1 << 56, 24
"""Flag in the node IDs of text lines, and the number of low bits that hold the line number."""
PART = re.compile(r"\w+\s*|[^\w\s]+\s*|\s+")
"""Pattern for a word and the spaces after it.

Screen readers move through text in these units.
"""
SETTLED = 0.2
"""Seconds between the arrival of a screen reader and the first update sent to it.

AccessKit requests the initial tree while it holds a lock that all its calls need. A call made before the answer would
wait for that lock and keep Python from answering, which is a deadlock.
"""
LONGEST = 255
"""Maximum length of a word that AccessKit accepts, in characters."""


class Reader:
    """Connection to screen readers; idle until :meth:`listen` is called.

    ``wake`` is called from another thread when a screen reader has requested something.
    """

    def __init__(self, app: App, wake: Callable[[], None]) -> None:
        self.app, self._wake = app, wake
        self._asked: queue.SimpleQueue[tuple[int, str, Any]] = queue.SimpleQueue()
        self._reading = Reading(app.root, app.canvas, called, keyed)
        self._tree: Tree | None = None
        self._kit: Any = None
        self._adapter: Any = None
        self._come, self._there = False, True
        self.active = False
        """Whether a screen reader is connected and may be sent updates."""

    def listen(self) -> None:
        """Start serving screen readers, if AccessKit is installed and the system uses AT-SPI."""
        try:
            import accesskit  # type: ignore[import-untyped]  # its types lie in no file
        except ImportError:
            return
        if hasattr(accesskit, "unix"):
            self._kit = accesskit
            self._adapter = accesskit.unix.Adapter(self._begin, self._ask, self._end)

    def focused(self, there: bool) -> None:
        """Report whether the window has the keyboard focus."""
        self._there = there
        if self.active:
            self._adapter.update_window_focus_state(there)

    def update(self) -> None:
        """Report the content of the window, if it has changed."""
        if not self.active:
            return
        tree = self.tree()
        if self._tree is None or tree[:2] != self._tree[:2]:
            self._adapter.update_if_active(lambda: self._update(tree.window, tree.focus))
        self._tree = tree

    def tree(self) -> Tree:
        """Return the accessibility tree of the window, leaving out a page that an overlay covers."""
        screen = self.app.screen
        title = f"{screen.heading()} – {TITLE}" if screen.heading() else TITLE
        said = screen.spoken() if not self.app.root.floats else ""
        return self._reading.tree(title, said, screen.things(), screen.seen_on)

    def answer(self) -> None:
        """Carry out the requests that have arrived since the last call."""
        while not self._asked.empty():
            key, does, value = self._asked.get()
            if does == "begin":
                self.app.later(SETTLED, self._begun)
            act = self._tree.acts.get((key, does)) if self._tree is not None else None
            if act is not None:
                act(*value) if does == "select" else act(value) if does == "set" else act()
                self.app.root.dirty = True

    def _begun(self) -> None:
        """Send the first full tree to a new screen reader, if it is still connected."""
        self.active, self._tree = self._come, None
        self.focused(self._there)
        self.update()

    # Callbacks in AccessKit's thread

    def _begin(self) -> Any:
        """Return a minimal tree for a new screen reader; the event loop sends the rest later."""
        self._come = True
        self._asked.put((ROOT, "begin", None))
        self._wake()
        return self._update(Node(ROOT, "window", TITLE, children=(Node(SAID, "said", ""),)), ROOT)

    def _end(self) -> None:
        self._come = self.active = False

    def _ask(self, request: Any) -> None:
        does = next((name for name, theirs in ACTIONS.items() if str(request.action).endswith(theirs)), "")
        data = request.data
        value = data[1] if isinstance(data, tuple) and len(data) > 1 else data
        if does == "select":
            value = [_place(each) for each in (value.anchor, value.focus)]
        self._asked.put((request.target >> PRESSED, does, value))
        self._wake()

    # Conversion to AccessKit

    def _update(self, window: Node, focus: int) -> Any:
        kit, pixels = self._kit, self.app.pixels
        numbers = {node.key: node.key << PRESSED | ("press" in node.does) for node in window.walk()}
        update = kit.TreeUpdate(numbers[focus])
        for node in window.walk():
            role = ROLES[node.role]
            made = kit.Node(getattr(kit.Role, role if node.enabled or role != "BUTTON" else DISABLED_BUTTON))
            value = node.value
            if node.role in ("text", "said"):
                made.set_value(node.name or node.value)
            else:
                made.set_label(node.name)
                if value and node.role == "button":
                    made.set_description(value)
                elif value:
                    made.set_value(value)
            if node.role == "said":
                made.set_live(kit.Live.POLITE)
            if node.role == "dialog":
                made.set_modal()
            if not node.enabled:
                made.set_disabled()
            if node.on is not None:
                if node.role == "row":
                    made.set_selected(node.on)
                else:
                    made.set_toggled(kit.Toggled.TRUE if node.on else kit.Toggled.FALSE)
            r = node.rect
            made.set_bounds(kit.Rect(*pixels(r.x, r.y), *pixels(r.right, r.bottom)))
            for does in node.does:
                made.add_action(getattr(kit.Action, ACTIONS[does]))
            below = [numbers[child.key] for child in node.children]
            if node.text is not None:
                lines = self._lines(numbers[node.key], node.text, made)
                below += [number for number, _ in lines]
                update.nodes.extend(lines)
            made.set_children(below)
            update.nodes.append((numbers[node.key], made))
        tree = kit.Tree(numbers[ROOT])
        tree.toolkit_name = "shibumi3d"
        update.tree = tree
        return update

    def _lines(self, number: int, text: Text, made: Any) -> list[tuple[int, Any]]:
        """Return a node for each line of a text, and set the text selection of ``made``."""
        kit, first = self._kit, RUNS | number << LINES
        ends = [kit.TextPosition(first + line, column) for line, column in (text.anchor, text.caret)]
        made.set_text_selection(kit.TextSelection(*ends))
        found = []
        for line, words in enumerate(text.lines):
            words += "\n" if line + 1 < len(text.lines) else ""
            run = kit.Node(kit.Role.TEXT_RUN)
            run.set_value(words)
            run.set_character_lengths([len(sign.encode()) for sign in words])
            lengths = [len(part) for part in PART.findall(words)]
            run.set_word_lengths([n for long in lengths for n in _shared(long)])
            found.append((first + line, run))
        return found


def _shared(long: int) -> list[int]:
    """Split a length into parts of at most :data:`LONGEST` characters."""
    return [LONGEST] * (long // LONGEST) + ([long % LONGEST] if long % LONGEST else [])


def _place(at: Any) -> Place:
    """Return the line and column for a text position of AccessKit."""
    return at.node & (1 << LINES) - 1, at.character_index
