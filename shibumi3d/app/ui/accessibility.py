"""The window's accessibility tree, built on request for screen readers.

Its nodes are plain values. Widgets that consist of text report the text that they paint, so that what is heard matches
what is seen.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, cast
from weakref import WeakKeyDictionary

from shibumi3d.scene.rect import Rect

from .button import Button
from .canvas import Canvas
from .choice import Choice
from .dropdown import Dropdown
from .list_view import ListView
from .prose import FormattedText
from .slider import Slider
from .text_buffer import TextPosition
from .text_editor import TextEditor
from .text_input import TextField, TextInput
from .widget import Key, Root, Widget

Action = Callable[[], object]


class BoardElement(NamedTuple):
    """Element of a board or table, as presented to screen readers.

    ``on_press`` is None for an element that can't be clicked.
    """

    key: str
    name: str
    rect: Rect
    on_press: Action | None = None
    group: str = ""
    """Group that the element belongs to, such as a level."""
    is_object: bool = True
    """Whether the element is an object rather than an empty place."""
    action_text: str = ""
    """Description of what a click on the element does."""
    line_texts: Sequence[str] = ()
    """Descriptions of the lines through the element, such as its row and column."""


class EditableText(NamedTuple):
    """Editable text: its lines, the caret, and the other end of the selection.

    ``caret`` and ``anchor`` are pairs of line and column. If nothing is selected, they are equal.
    """

    lines: tuple[str, ...]
    caret: TextPosition
    anchor: TextPosition


@dataclass(frozen=True, slots=True)
class AccessibleNode:
    """Node of the accessibility tree.

    ``rect`` is in logical pixels of the window. ``is_on`` says whether a toggle button is on, or whether an option or
    row is the chosen one; it is None for all other nodes.
    """

    key: int
    role: str
    name: str
    value: str = ""
    rect: Rect = field(default_factory=Rect)
    is_enabled: bool = True
    is_on: bool | None = None
    actions: tuple[str, ...] = ()
    """Supported actions, from among ``press``, ``focus``, ``set``, ``select``, ``more`` and ``less``."""
    children: tuple[AccessibleNode, ...] = ()
    text: EditableText | None = None
    """Content of an editable node, or None for any other node."""

    def walk(self) -> Iterator[AccessibleNode]:
        """Yield this node and all its descendants in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def format_tree(self, depth: int = 0) -> str:
        """Return the tree as indented text with one line per node.

        Each line is indented by two spaces per level; this node is at level ``depth``.
        """
        state = [] if self.is_enabled else ["off"]
        state += [] if self.is_on is None else ["yes" if self.is_on else "no"]
        parts = [
            self.role,
            repr(self.name),
            *([f"= {self.value!r}"] if self.value else []),
            *state,
            *self.actions,
        ]
        return "\n".join(
            ["  " * depth + " ".join(parts), *(child.format_tree(depth + 1) for child in self.children)]
        )


class AccessibilityTree(NamedTuple):
    """Accessibility tree: its root node, the key of the focused node, and the actions.

    ``actions`` maps pairs of a node key and an action name to functions that carry out the action.
    """

    root: AccessibleNode
    focus_key: int
    actions: dict[tuple[int, str], Callable[..., object]]


MAX_FULL_LIST_ROWS = 200
"""Maximum number of rows in a list that is reported in full.

Of a longer list, only the visible rows are reported.
"""
MAX_SIDE_LABEL_DISTANCE_PX, MAX_TOP_LABEL_DISTANCE_PX = 20.0, 44.0
"""Maximum vertical distances from a field to a label beside it and to a label above it.

Both are in logical pixels. The first is measured from the middle of the field, the second from its top. The first is
also the maximum horizontal distance between the left edges of a field and a label above it.
"""
SEAT_SIGN_PATTERN = re.compile(r"[\u25a0-\u27bf\u2b00-\u2bff]\s+(?=\w)")
"""Pattern for a seat's symbol in front of a player's name.

The symbol is removed, because screen readers would read out the name of the character.
"""
SHORTCUT_PATTERN = re.compile(r"(?<!\s)\s\s++(\S.*)$")
"""Pattern for a keyboard shortcut at the end of a text, after at least two spaces."""
WINDOW_KEY, ANNOUNCEMENT_KEY = 0, 1
"""Keys of the nodes for the window and for announcements."""


class TreeBuilder:
    """Builder of accessibility trees.

    A widget has the same key in all trees made by the same builder.
    """

    def __init__(
        self,
        root: Root,
        canvas: Canvas,
        name_widget: Callable[[str], str] = str,
        spell_keys: Callable[[str], str] = str,
    ) -> None:
        """Create a builder for the content of ``root``.

        ``name_widget`` maps the name of a widget without text to its spoken name. ``spell_keys`` maps a keyboard
        shortcut to its spoken form.
        """
        self.root, self.canvas, self._name_widget, self._spell_keys = root, canvas, name_widget, spell_keys
        self._keys: WeakKeyDictionary[Widget, dict[str, int]] = WeakKeyDictionary()
        self._next = itertools.count(ANNOUNCEMENT_KEY + 1)
        self._actions: dict[tuple[int, str], Callable[..., object]] = {}

    def build(
        self,
        title: str,
        announcement: str,
        elements: Sequence[BoardElement] = (),
        board: Widget | None = None,
    ) -> AccessibilityTree:
        """Return the tree of what is visible: only the topmost popup, or the page if no popup is open.

        ``title`` is the name of the window. ``announcement`` is a text to be read out, or "" for none. ``elements``
        describe the places and objects shown in the widget ``board``.
        """
        self._actions = {}
        top = self.root.top
        inner = _number_duplicates(self._nodes_of(top, elements, board))
        if self.root.popups:
            texts = self.painted_texts(top)
            name = join_sentences(texts[:1]) or self._fallback_name(top)
            # The dialog's other texts, except those that are already the name of a node.
            names = {node.name for inner_node in inner for node in inner_node.walk()}
            more = join_sentences([word for word in texts[1:] if word.strip(" :") not in names])
            if more:
                inner = [self._make_node(top, "text", more, part="words"), *inner]
            inner = [
                AccessibleNode(
                    self._node_key(top, "all"), "dialog", name, "", top.rect, children=tuple(inner)
                )
            ]
        # An empty live region would be announced as silence.
        news = [AccessibleNode(ANNOUNCEMENT_KEY, "said", "", announcement)] if announcement.strip() else []
        window = AccessibleNode(WINDOW_KEY, "window", title, rect=self.root.window, children=(*inner, *news))
        focus = self.root.focus
        known = {node.key for node in window.walk()}
        focus_key = self._node_key(focus) if focus is not None else WINDOW_KEY
        # If nothing in a dialog has the focus, the dialog itself gets it so that readers announce it.
        above = self._node_key(top, "all") if self.root.popups else WINDOW_KEY
        return AccessibilityTree(
            window, focus_key if focus_key in known and focus_key != WINDOW_KEY else above, self._actions
        )

    def describe_focus(self) -> str:
        """Return the name of the focused widget, followed by its chosen option or value, if any.

        The value of a button is left out. Returns "" if no visible widget has the focus.
        """
        focus = self.root.focus
        if focus is None:
            return ""
        for node in self._own_nodes(focus):
            chosen = next((child.name for child in node.children if child.is_on), "")
            return " ".join(
                filter(None, (node.name, chosen or ("" if node.role == "button" else node.value)))
            )
        return ""

    def painted_texts(self, widget: Widget) -> list[str]:
        """Return the texts that a widget itself paints, in painting order."""
        return self._record_texts(widget).texts

    def _record_texts(self, widget: Widget) -> TextRecorder:
        """Return a recorder with the texts that a widget itself paints."""
        recorder = TextRecorder(self.canvas)
        widget.paint(cast(Canvas, recorder), self.root.style)
        return recorder

    def _node_key(self, widget: Widget, part: str = "") -> int:
        keys = self._keys.setdefault(widget, {})
        if part not in keys:
            keys[part] = next(self._next)
        return keys[part]

    def _make_node(
        self,
        widget: Widget,
        role: str,
        name: str,
        value: str = "",
        *,
        part: str = "",
        rect: Rect | None = None,
        is_on: bool | None = None,
        enabled: bool = True,
        actions: dict[str, Callable[..., object]] | None = None,
        children: Sequence[AccessibleNode] = (),
    ) -> AccessibleNode:
        key = self._node_key(widget, part)
        actions = actions or {} if enabled else {}
        for does, act in actions.items():
            self._actions[key, does] = act
        rect = widget.rect if rect is None else rect
        return AccessibleNode(key, role, name, value, rect, enabled, is_on, tuple(actions), tuple(children))

    def _nodes_of(
        self, widget: Widget, elements: Sequence[BoardElement], board: Widget | None
    ) -> list[AccessibleNode]:
        if not widget.visible:
            return []
        if widget is board and elements:
            return [self._board_node(widget, elements)]
        own = self._own_nodes(widget)
        inner = [node for child in widget.children for node in self._nodes_of(child, elements, board)]
        return [*own, *inner]

    def _focus_action(self, widget: Widget) -> dict[str, Callable[..., object]]:
        def focus() -> None:
            self.root.focus, self.root.is_focus_visible = widget, True
            self.root.dirty = True

        return {"focus": focus} if widget.focusable else {}

    def _own_nodes(self, widget: Widget) -> list[AccessibleNode]:
        root, enabled, focus = self.root, widget.enabled, self._focus_action(widget)
        if widget.rect.w <= 0 or widget.rect.h <= 0:
            return []
        if isinstance(widget, Dropdown):
            chosen = widget.options[widget.selected_index] if widget.options else ""
            acts = {**focus, "press": widget.on_click, **self._step_actions(widget)}
            return [
                self._make_node(
                    widget, "drop", self._accessible_name(widget), chosen, enabled=enabled, actions=acts
                )
            ]
        if isinstance(widget, Choice):
            options = [
                self._make_node(
                    widget,
                    "option",
                    option,
                    part=f"option:{n}",
                    rect=place,
                    is_on=n == widget.selected_index,
                    enabled=enabled and n not in widget.disabled_options,
                    actions={"press": lambda n=n: widget.select(n)},
                )
                for n, (option, place) in enumerate(zip(widget.options, widget.option_rects(), strict=False))
            ]
            return [
                self._make_node(
                    widget,
                    "options",
                    self._accessible_name(widget),
                    enabled=enabled,
                    actions=focus,
                    children=options,
                )
            ]
        if isinstance(widget, TextEditor):
            line, column = widget.buffer.caret
            name = f"{self._fallback_name(widget)} {line + 1}:{column + 1}"
            return [self._text_node(widget, "editor", name, lambda text: widget.set_lines(text.split("\n")))]
        if isinstance(widget, TextField):
            name = (
                widget.accessible_name
                or widget.tooltip
                or widget.placeholder
                or self._accessible_name(widget)
            )
            return [self._text_node(widget, "field", name, widget.set_value)]
        if isinstance(widget, Slider):
            acts = {**focus, **self._step_actions(widget)}
            return [
                self._make_node(
                    widget,
                    "slider",
                    self._accessible_name(widget),
                    f"{widget.value} / {widget.max_value}",
                    actions=acts,
                )
            ]
        if isinstance(widget, FormattedText):
            return (
                [self._make_node(widget, "text", widget.plain_text, actions=focus)] if widget.markup else []
            )
        if isinstance(widget, ListView):
            return [self._list_node(widget, focus)]
        voice = widget.accessible_text()
        painted_text = join_sentences(self.painted_texts(widget)) if voice is None else voice
        if isinstance(widget, Button) or widget.cursor_shape == "hand":
            label = getattr(widget, "label", "")
            name = widget.accessible_name or label or painted_text
            if SHORTCUT_PATTERN.sub("", widget.tooltip) == name:
                name = widget.tooltip
            if not name:
                # The label beside a button distinguishes it from similar ones.
                beside = self._adjacent_label(widget)
                name = ": ".join(filter(None, (beside, widget.tooltip or self._fallback_name(widget))))
            about = self._spell_shortcut(widget.tooltip) if widget.tooltip not in name else ""
            name = self._spell_shortcut(name)
            about = about if about != name else ""
            on = widget.toggle_state() if isinstance(widget, Button) else None
            acts = {**focus, "press": widget.activate}
            return [self._make_node(widget, "button", name, about, is_on=on, enabled=enabled, actions=acts)]
        if widget.focusable:
            return [
                self._make_node(
                    widget,
                    "button",
                    painted_text or self._fallback_name(widget),
                    enabled=enabled,
                    actions=focus,
                )
            ]
        floats = root.popups and widget is root.top
        return [self._make_node(widget, "text", painted_text)] if painted_text and not floats else []

    def _text_node(
        self, widget: TextInput, role: str, name: str, set_text: Callable[[str], object]
    ) -> AccessibleNode:
        buffer = widget.buffer
        acts: dict[str, Callable[..., object]] = {"set": set_text, "select": widget.select}
        acts = {**self._focus_action(widget), **acts}
        node = self._make_node(widget, role, name, buffer.text, actions=acts, enabled=widget.enabled)
        text = EditableText(tuple(buffer.lines), buffer.caret, buffer.anchor or buffer.caret)
        return replace(node, text=text)

    def _fallback_name(self, widget: Widget) -> str:
        return (
            widget.accessible_name or self._spell_shortcut(widget.tooltip) or self._name_widget(widget.name)
        )

    def _spell_shortcut(self, words: str) -> str:
        """Return a text with its keyboard shortcut, if any, spelled out, as in "Rules, shortcut F1"."""
        keys = SHORTCUT_PATTERN.search(words)
        return f"{words[: keys.start()]}, {self._spell_keys(keys[1])}" if keys else words

    def _accessible_name(self, widget: Widget) -> str:
        return widget.accessible_name or self._adjacent_label(widget) or self._fallback_name(widget)

    def _adjacent_label(self, widget: Widget) -> str:
        """Return the label that a container has painted to the left of a widget or above it.

        Returns "" if there is none.
        """
        within, rect = widget.parent, widget.rect
        while within is not None:
            recorder, candidates = self._record_texts(within), []
            for word, (x, y) in zip(recorder.texts, recorder.positions, strict=True):
                if word.strip() and x < rect.x and abs(y - rect.cy) <= MAX_SIDE_LABEL_DISTANCE_PX:
                    candidates.append((rect.x - x, word))
                elif (
                    word.strip()
                    and abs(x - rect.x) < MAX_SIDE_LABEL_DISTANCE_PX
                    and 0 <= rect.y - y <= MAX_TOP_LABEL_DISTANCE_PX
                ):
                    candidates.append((1000 + rect.y - y, word))
            if candidates:
                return min(candidates)[1].strip(" :")
            within = within.parent
        return ""

    def _step_actions(self, widget: Widget) -> dict[str, Callable[..., object]]:
        return {"less": lambda: widget.on_key(Key("left")), "more": lambda: widget.on_key(Key("right"))}

    def _list_node(self, widget: ListView, focus: dict[str, Callable[..., object]]) -> AccessibleNode:
        rows = []
        for row in (
            range(widget.row_count) if widget.row_count <= MAX_FULL_LIST_ROWS else widget.visible_rows()
        ):
            place = widget.row_rect(row)

            def press(row: int = row) -> None:
                was_current = widget.current_row == row
                widget.select_row(row)
                if was_current and widget.on_open is not None:
                    widget.on_open(row)

            rows.append(
                self._make_node(
                    widget,
                    "row",
                    self._row_text(widget, row, place),
                    part=f"row:{row}",
                    rect=place,
                    is_on=row == widget.current_row,
                    enabled=widget.can_choose(row),
                    actions={"press": press},
                )
            )
        return self._make_node(
            widget, "rows", self._fallback_name(widget), str(widget.row_count), actions=focus, children=rows
        )

    def _row_text(self, widget: ListView, row: int, rect: Rect) -> str:
        """Return what is read out for a row: the heading above it, its text, and a description of its graphics.

        The text is provided by the list or, by default, taken from what is painted in the row.
        """
        texts = widget.describe_row(row, self._spell_keys)
        if not texts:
            recorder = TextRecorder(self.canvas)
            widget.paint_row(cast(Canvas, recorder), self.root.style, rect, row, False)
            texts = recorder.texts
        spoken = map(self._spell_shortcut, texts)
        return join_sentences([widget.row_heading(row), *spoken, widget.describe_row_graphics(row)])

    def _board_node(self, widget: Widget, elements: Sequence[BoardElement]) -> AccessibleNode:
        groups: dict[str, list[AccessibleNode]] = {}
        known_names: set[tuple[str, str]] = set()
        for element in elements:
            if element.on_press is None and (element.group, element.name) in known_names:
                continue  # one of several identical objects, such as medals in a row, whose name includes their number
            known_names.add((element.group, element.name))
            acts: dict[str, Callable[..., object]] = (
                {"press": element.on_press} if element.on_press is not None else {}
            )
            node = self._make_node(
                widget,
                "thing",
                ", ".join(filter(None, (element.name, element.action_text))),
                part=f"thing:{element.key}",
                rect=element.rect,
                enabled=element.on_press is not None,
                actions=acts,
            )
            groups.setdefault(element.group, []).append(node)
        children: list[AccessibleNode] = []
        for group, nodes in groups.items():
            if group:
                children.append(
                    self._make_node(widget, "group", group, part=f"group:{group}", children=nodes)
                )
            else:
                children += nodes
        return self._make_node(widget, "board", self._fallback_name(widget), children=children)


def _number_duplicates(nodes: Sequence[AccessibleNode]) -> list[AccessibleNode]:
    """Add numbers to the names of interactive siblings that share a role and a name.

    Returns the nodes with the new names. The descendants of all nodes are treated in the same way.
    """
    count = Counter((node.role, node.name) for node in nodes if node.actions)
    used_counts: Counter[tuple[str, str]] = Counter()
    numbered = []
    for node in nodes:
        role_and_name = node.role, node.name
        if node.actions and count[role_and_name] > 1:
            used_counts[role_and_name] += 1
            node = replace(node, name=f"{node.name} ({used_counts[role_and_name]})")
        numbered.append(
            replace(node, children=tuple(_number_duplicates(node.children))) if node.children else node
        )
    return numbered


def join_sentences(texts: Sequence[str]) -> str:
    """Join separate texts into sentences, omitting duplicates."""
    sentences = ""
    for word in dict.fromkeys(word.strip().rstrip(",") for word in texts):
        if word:
            sentences += ("" if not sentences else " " if sentences[-1] in ".!?…:" else ". ") + word
    return sentences


class TextRecorder:
    """Recorder of drawn text, used in place of a canvas.

    It measures text in the same way as the canvas.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.texts: list[str] = []
        self.positions: list[tuple[float, float]] = []
        """Left edge of each text, and its baseline or, if it was drawn in a rectangle, the rectangle's middle."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._canvas, name)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: object,
        face: str = "sans",
        size: float = 15,
        align: float = 0,
    ) -> float:
        """Record a line of text, unless it is only decoration, and return its width."""
        wide = self._canvas.text_width(text, face, size)
        if face in ("seal", "kanji"):  # decoration only
            return wide
        text = SEAT_SIGN_PATTERN.sub("", text)
        self.texts.append(text)
        self.positions.append((x - wide * align, y))
        return wide

    def text_in(
        self, rect: Rect, text: str, colour: object, face: str = "sans", size: float = 15, align: float = 0
    ) -> float:
        """Record a line of text as :meth:`text` does, even if it doesn't fit in ``rect``, and return its width."""
        return self.text(rect.x + rect.w * align, rect.cy, text, colour, face, size, align) if text else 0.0

    def text_fit(
        self, rect: Rect, text: str, colour: object, face: str = "sans", size: float = 15, align: float = 0
    ) -> list[tuple[Rect, str, float]]:
        """Record a text as a single line; return a list with the single tuple (``rect``, ``text``, ``size``)."""
        self.text_in(rect, text, colour, face, size, align)
        return [(rect, text, size)]

    def truncate(self, text: str, face: str, size: float, width: float) -> str:
        """Return the text unchanged."""
        return text

    def rect(self, *_: object, **__: object) -> None:
        """Ignore a shape."""

    outline = shadow = hairline = disc = ring = polygon = picture = strokes = area = path = rect

    def record(self, paint: Callable[[], None]) -> None:
        """Call ``paint`` without recording it for replay."""
        paint()

    def replay(self, recording: object) -> bool:
        """Return False, since nothing is recorded for replay."""
        return False

    @contextmanager
    def clip(self, rect: Rect) -> Iterator[None]:
        """Ignore clipping."""
        yield
