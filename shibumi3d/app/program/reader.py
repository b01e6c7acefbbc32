"""Hands what the window shows to screen readers, and does what they ask, by AccessKit where that is installed.

Readers ask in a thread of their own: what they want waits until the loop of the window comes to it.
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
"""What AccessKit calls the parts of a tree."""
DISABLED_BUTTON = "COLOR_WELL"
"""AccessKit tells AT-SPI that every BUTTON is enabled. This role is a push button there too, and can be disabled."""
PRESSED = 1
"""What the number of a node differs by where it can be pressed: AT-SPI never asks anew what can be done with one."""
ACTIONS = {
    "press": "CLICK",
    "focus": "FOCUS",
    "set": "SET_VALUE",
    "select": "SET_TEXT_SELECTION",
    "more": "INCREMENT",
    "less": "DECREMENT",
}
RUNS, LINES = 1 << 56, 24
"""Where the numbers of the lines of texts begin, and how many bits of one tell which line it is."""
PART = re.compile(r"\w+\s*|[^\w\s]+\s*|\s+")
"""A word, by which readers go through a text, with the spaces after it."""
SETTLED = 0.2
"""Seconds from when a reader comes until it is told more. AccessKit asks what the window is with a lock held that all
its calls take: who calls it before that is answered waits for the lock, keeps Python from answering, and so waits for
ever."""
LONGEST = 255
"""So many characters AccessKit takes for a word at most."""


class Reader:
    """Serves readers from when it is told to listen. ``wake`` is called from another thread when one asks something."""

    def __init__(self, app: App, wake: Callable[[], None]) -> None:
        self.app, self._wake = app, wake
        self._asked: queue.SimpleQueue[tuple[int, str, Any]] = queue.SimpleQueue()
        self._reading = Reading(app.root, app.canvas, called, keyed)
        self._tree: Tree | None = None
        self._kit: Any = None
        self._adapter: Any = None
        self._come, self._there = False, True
        self.active = False
        """Whether a reader listens, and may be told something."""

    def listen(self) -> None:
        """Begin to listen where AccessKit is installed and the system has readers of the kind that is tried here."""
        try:
            import accesskit  # type: ignore[import-untyped]  # its types lie in no file
        except ImportError:
            return
        if hasattr(accesskit, "unix"):
            self._kit = accesskit
            self._adapter = accesskit.unix.Adapter(self._begin, self._ask, self._end)

    def focused(self, there: bool) -> None:
        """Tell whether the window has the keys."""
        self._there = there
        if self.active:
            self._adapter.update_window_focus_state(there)

    def update(self) -> None:
        """Tell what the window shows now, where that is another than before."""
        if not self.active:
            return
        tree = self.tree()
        if self._tree is None or tree[:2] != self._tree[:2]:
            self._adapter.update_if_active(lambda: self._update(tree.window, tree.focus))
        self._tree = tree

    def tree(self) -> Tree:
        """Return what the window shows now; of a page under something else nothing."""
        screen = self.app.screen
        title = f"{screen.heading()} – {TITLE}" if screen.heading() else TITLE
        said = screen.spoken() if not self.app.root.floats else ""
        return self._reading.tree(title, said, screen.things(), screen.seen_on)

    def answer(self) -> None:
        """Do what readers have asked for since the last time."""
        while not self._asked.empty():
            key, does, value = self._asked.get()
            if does == "begin":
                self.app.later(SETTLED, self._begun)
            act = self._tree.acts.get((key, does)) if self._tree is not None else None
            if act is not None:
                act(*value) if does == "select" else act(value) if does == "set" else act()
                self.app.root.dirty = True

    def _begun(self) -> None:
        """Tell a reader that has come what the window shows, if it is still there."""
        self.active, self._tree = self._come, None
        self.focused(self._there)
        self.update()

    # In the thread of the reader

    def _begin(self) -> Any:
        """A reader has come: a window alone is told until the loop tells the rest."""
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

    # As AccessKit has it

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
        """Makes a node of each line of a text, and tells the one of the text where caret and selection are."""
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
    """A length as several, none of which is too long."""
    return [LONGEST] * (long // LONGEST) + ([long % LONGEST] if long % LONGEST else [])


def _place(at: Any) -> Place:
    """The line and column that AccessKit means."""
    return at.node & (1 << LINES) - 1, at.character_index
