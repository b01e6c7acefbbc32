"""Screen reader support through AccessKit, if it is installed.

Requests arrive in one of AccessKit's threads. They are queued until the window's event loop handles them.
"""

from __future__ import annotations

import queue
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ui.accessibility import (
    ANNOUNCEMENT_KEY,
    WINDOW_KEY,
    AccessibilityTree,
    AccessibleNode,
    EditableText,
    TreeBuilder,
)
from ..ui.text_buffer import TextPosition
from .window_title import PROGRAM_TITLE, spell_keys, widget_display_name

if TYPE_CHECKING:
    from ..application import Application


ACCESSKIT_ROLES = {
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
PRESSED_BITS = 1
"""Number of low bits in a node's ID that encode whether it can be pressed.

AT-SPI reads the actions of a node only once, so a node whose actions change needs a new ID.
"""
ACCESSKIT_ACTIONS = {
    "press": "CLICK",
    "focus": "FOCUS",
    "set": "SET_VALUE",
    "select": "SET_TEXT_SELECTION",
    "more": "INCREMENT",
    "less": "DECREMENT",
}
TEXT_LINE_FLAG, LINE_NUMBER_BITS = 1 << 56, 24
"""Flag in the node IDs of text lines, and the number of low bits that hold the line number."""
WORD_PATTERN = re.compile(r"\w+\s*|[^\w\s]+\s*|\s+")
"""Pattern for a word or a run of punctuation marks, with the spaces after it, or for spaces at the start of a text.

Screen readers move through text in these units.
"""
FIRST_UPDATE_SECONDS = 0.2
"""Seconds between the arrival of a screen reader and the first update sent to it.

AccessKit requests the initial tree while it holds a lock that all its calls need. A call made before the answer would
wait for that lock and keep Python from answering: a deadlock.
"""
MAX_WORD_CHARACTERS = 255
"""Maximum length of a word that AccessKit accepts, in characters."""


class ScreenReader:
    """Connection to screen readers; idle until :meth:`listen` is called.

    ``on_request`` is called from another thread when a screen reader has requested something.
    """

    def __init__(self, app: Application, on_request: Callable[[], None]) -> None:
        self.app, self._on_request = app, on_request
        self._requests: queue.SimpleQueue[tuple[int, str, Any]] = queue.SimpleQueue()
        self._tree_builder = TreeBuilder(app.root, app.canvas, widget_display_name, spell_keys)
        self._tree: AccessibilityTree | None = None
        self._accesskit: Any = None
        self._adapter: Any = None
        self._is_connected, self._has_focus = False, True
        self.is_active = False
        """Whether a screen reader is connected and may be sent updates."""

    def listen(self) -> None:
        """Start serving screen readers, if AccessKit is installed and the system uses AT-SPI."""
        try:
            import accesskit  # type: ignore[import-untyped]  # it comes without type information
        except ImportError:
            return
        if hasattr(accesskit, "unix"):
            self._accesskit = accesskit
            self._adapter = accesskit.unix.Adapter(
                self._on_connect, self._on_action_request, self._on_disconnect
            )

    def set_window_focus(self, has_focus: bool) -> None:
        """Tell screen readers whether the window has the keyboard focus."""
        self._has_focus = has_focus
        if self.is_active:
            self._adapter.update_window_focus_state(has_focus)

    def update(self) -> None:
        """Send the content of the window to screen readers, if it has changed."""
        if not self.is_active:
            return
        tree = self.build_tree()
        if self._tree is None or tree[:2] != self._tree[:2]:
            self._adapter.update_if_active(lambda: self._to_tree_update(tree.root, tree.focus_key))
        self._tree = tree

    def build_tree(self) -> AccessibilityTree:
        """Return the accessibility tree of the topmost popup or, if no popup is open, of the page."""
        screen = self.app.current_page
        title = f"{screen.heading()} – {PROGRAM_TITLE}" if screen.heading() else PROGRAM_TITLE
        announcement = screen.announcement() if not self.app.root.popups else ""
        return self._tree_builder.build(title, announcement, screen.board_elements(), screen.board_widget)

    def handle_requests(self) -> None:
        """Carry out the requests that have arrived since the last call."""
        while not self._requests.empty():
            key, does, value = self._requests.get()
            if does == "begin":
                self.app.schedule(FIRST_UPDATE_SECONDS, self._send_first_tree)
            act = self._tree.actions.get((key, does)) if self._tree is not None else None
            if act is not None:
                act(*value) if does == "select" else act(value) if does == "set" else act()
                self.app.root.dirty = True

    def _send_first_tree(self) -> None:
        """Send the first full tree to a new screen reader, if it is still connected."""
        self.is_active, self._tree = self._is_connected, None
        self.set_window_focus(self._has_focus)
        self.update()

    # Callbacks in AccessKit's thread

    def _on_connect(self) -> Any:
        """Record that a screen reader has connected, request the full tree, and return a minimal one for now."""
        self._is_connected = True
        self._requests.put((WINDOW_KEY, "begin", None))
        self._on_request()
        return self._to_tree_update(
            AccessibleNode(
                WINDOW_KEY, "window", PROGRAM_TITLE, children=(AccessibleNode(ANNOUNCEMENT_KEY, "said", ""),)
            ),
            WINDOW_KEY,
        )

    def _on_disconnect(self) -> None:
        self._is_connected = self.is_active = False

    def _on_action_request(self, request: Any) -> None:
        does = next(
            (name for name, theirs in ACCESSKIT_ACTIONS.items() if str(request.action).endswith(theirs)), ""
        )
        data = request.data
        value = data[1] if isinstance(data, tuple) and len(data) > 1 else data
        if does == "select":
            value = [_to_text_position(each) for each in (value.anchor, value.focus)]
        self._requests.put((request.target >> PRESSED_BITS, does, value))
        self._on_request()

    # Conversion to AccessKit

    def _to_tree_update(self, window: AccessibleNode, focus: int) -> Any:
        kit, pixels = self._accesskit, self.app.to_window_pixels
        numbers = {node.key: node.key << PRESSED_BITS | ("press" in node.actions) for node in window.walk()}
        update = kit.TreeUpdate(numbers[focus])
        for node in window.walk():
            role = ACCESSKIT_ROLES[node.role]
            made = kit.Node(
                getattr(kit.Role, role if node.is_enabled or role != "BUTTON" else DISABLED_BUTTON)
            )
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
            if not node.is_enabled:
                made.set_disabled()
            if node.is_on is not None:
                if node.role == "row":
                    made.set_selected(node.is_on)
                else:
                    made.set_toggled(kit.Toggled.TRUE if node.is_on else kit.Toggled.FALSE)
            r = node.rect
            made.set_bounds(kit.Rect(*pixels(r.x, r.y), *pixels(r.right, r.bottom)))
            for does in node.actions:
                made.add_action(getattr(kit.Action, ACCESSKIT_ACTIONS[does]))
            below = [numbers[child.key] for child in node.children]
            if node.text is not None:
                lines = self._to_text_runs(numbers[node.key], node.text, made)
                below += [number for number, _ in lines]
                update.nodes.extend(lines)
            made.set_children(below)
            update.nodes.append((numbers[node.key], made))
        tree = kit.Tree(numbers[WINDOW_KEY])
        tree.toolkit_name = "shibumi3d"
        update.tree = tree
        return update

    def _to_text_runs(self, number: int, text: EditableText, node: Any) -> list[tuple[int, Any]]:
        """Return the ID and the node of each line of ``text``, and set the text selection of ``node``.

        ``node`` is the node of the whole text, and ``number`` its ID.
        """
        kit, first = self._accesskit, TEXT_LINE_FLAG | number << LINE_NUMBER_BITS
        ends = [kit.TextPosition(first + line, column) for line, column in (text.anchor, text.caret)]
        node.set_text_selection(kit.TextSelection(*ends))
        text_runs = []
        for line, words in enumerate(text.lines):
            words += "\n" if line + 1 < len(text.lines) else ""
            run = kit.Node(kit.Role.TEXT_RUN)
            run.set_value(words)
            run.set_character_lengths([len(character.encode()) for character in words])
            lengths = [len(part) for part in WORD_PATTERN.findall(words)]
            run.set_word_lengths([part for length in lengths for part in _split_length(length)])
            text_runs.append((first + line, run))
        return text_runs


def _split_length(length: int) -> list[int]:
    """Split a length into parts of at most :data:`MAX_WORD_CHARACTERS` characters."""
    return [MAX_WORD_CHARACTERS] * (length // MAX_WORD_CHARACTERS) + (
        [length % MAX_WORD_CHARACTERS] if length % MAX_WORD_CHARACTERS else []
    )


def _to_text_position(position: Any) -> TextPosition:
    """Convert AccessKit's text position to a line and a column."""
    return position.node & (1 << LINE_NUMBER_BITS) - 1, position.character_index
