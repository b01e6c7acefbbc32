"""Accessibility tree of the window for screen readers, built on request from plain values.

Widgets that consist of text report the text that they paint, so that what is heard matches what is seen.
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
from .core import Key, Root, Widget
from .drop import Drop
from .editor import Editor
from .field import Field
from .listing import Listing
from .prose import Prose
from .slider import Slider
from .writing import Place
from .written import Written

Act = Callable[[], object]


class Thing(NamedTuple):
    """Element of a board or table: its key there, its name, its rectangle and its click action."""

    key: str
    name: str
    rect: Rect
    press: Act | None = None
    group: str = ""
    """Group that the element belongs to, such as a level."""
    stands: bool = True
    """Whether the element is an object rather than an empty place."""
    does: str = ""
    """Description of what a click on the element does."""
    lines: Sequence[str] = ()
    """Descriptions of the lines through the element, such as its row and column."""


class Text(NamedTuple):
    """Editable text: its lines, the caret, and the other end of the selection.

    The two positions are given as line and column.
    """

    lines: tuple[str, ...]
    caret: Place
    anchor: Place


@dataclass(frozen=True, slots=True)
class Node:
    """Node of the accessibility tree.

    ``rect`` is in logical pixels of the window. ``on`` is None for a node that can't be switched on and off.
    """

    key: int
    role: str
    name: str
    value: str = ""
    rect: Rect = field(default_factory=Rect)
    enabled: bool = True
    on: bool | None = None
    does: tuple[str, ...] = ()
    """Supported actions, out of ``press``, ``focus``, ``set``, ``select``, ``more`` and ``less``."""
    children: tuple[Node, ...] = ()
    text: Text | None = None
    """Text of an editable node, otherwise None."""

    def walk(self) -> Iterator[Node]:
        """Yield this node and all its descendants in reading order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def told(self, depth: int = 0) -> str:
        """Return the tree as text, one line per node, indented by depth."""
        state = [] if self.enabled else ["off"]
        state += [] if self.on is None else ["yes" if self.on else "no"]
        words = [
            self.role,
            repr(self.name),
            *([f"= {self.value!r}"] if self.value else []),
            *state,
            *self.does,
        ]
        return "\n".join(
            ["  " * depth + " ".join(words), *(child.told(depth + 1) for child in self.children)]
        )


class Tree(NamedTuple):
    """Accessibility tree: its root node, the key of the focused node, and the actions.

    ``acts`` maps pairs of a node key and an action name to functions that carry out the action.
    """

    window: Node
    focus: int
    acts: dict[tuple[int, str], Callable[..., object]]


MANY = 200
"""Maximum number of rows in a list that is reported in full.

Of a longer list, only the visible rows are reported.
"""
BESIDE, ABOVE = 20.0, 44.0
"""Maximum vertical distances from a field to a label beside it and to a label above it.

Both are in logical pixels. The first is measured from the middle of the field, the second from its top.
"""
SIGNS = re.compile(r"[\u25a0-\u27bf\u2b00-\u2bff]\s+(?=\w)")
"""Pattern for a seat sign in front of a player's name, which a screen reader would spell out."""
KEYED = re.compile(r"(?<!\s)\s\s++(\S.*)$")
"""Pattern for keys at the end of a button's text, after at least two spaces."""
ROOT, SAID = 0, 1
"""Keys of the nodes for the window and for announcements."""


class Reading:
    """Builder of accessibility trees, in which each widget has the same key in every tree."""

    def __init__(
        self,
        root: Root,
        canvas: Canvas,
        called: Callable[[str], str] = str,
        keyed: Callable[[str], str] = str,
    ) -> None:
        """Create a builder for the content of ``root``.

        ``called`` returns the translated names of widgets that have no text of their own; ``keyed`` turns keys into
        words.
        """
        self.root, self.canvas, self._call, self._keyed = root, canvas, called, keyed
        self._keys: WeakKeyDictionary[Widget, dict[str, int]] = WeakKeyDictionary()
        self._next = itertools.count(SAID + 1)
        self._acts: dict[tuple[int, str], Callable[..., object]] = {}

    def tree(self, title: str, said: str, things: Sequence[Thing] = (), board: Widget | None = None) -> Tree:
        """Return the tree of what is visible: only the topmost popup, or the page if no popup is open.

        ``said`` is the latest announcement. ``things`` are the objects on the widget ``board``.
        """
        self._acts = {}
        top = self.root.top
        inner = _apart(self._of(top, things, board))
        if self.root.floats:
            words = self.words(top)
            name = sentences(words[:1]) or self._named(top)
            # The dialog's other texts, except those that serve as the name of a node.
            names = {node.name for each in inner for node in each.walk()}
            more = sentences([word for word in words[1:] if word.strip(" :") not in names])
            if more:
                inner = [self._node(top, "text", more, part="words"), *inner]
            inner = [Node(self._key(top, "all"), "dialog", name, "", top.rect, children=tuple(inner))]
        # An empty live region would be announced as silence.
        news = [Node(SAID, "said", "", said)] if said.strip() else []
        window = Node(ROOT, "window", title, rect=self.root.window, children=(*inner, *news))
        focus = self.root.focus
        known = {node.key for node in window.walk()}
        wanted = self._key(focus) if focus is not None else ROOT
        # If nothing in a dialog has the focus, the dialog itself gets it so that readers announce it.
        above = self._key(top, "all") if self.root.floats else ROOT
        return Tree(window, wanted if wanted in known and wanted != ROOT else above, self._acts)

    def focused(self) -> str:
        """Return the name and value of the focused widget, or an empty string if there is none."""
        focus = self.root.focus
        if focus is None:
            return ""
        for node in self._own(focus):
            chosen = next((child.name for child in node.children if child.on), "")
            return " ".join(
                filter(None, (node.name, chosen or ("" if node.role == "button" else node.value)))
            )
        return ""

    def words(self, widget: Widget) -> list[str]:
        """Return the texts that a widget itself paints, in painting order."""
        return self._heard(widget).words

    def _heard(self, widget: Widget) -> Heard:
        """Return the texts that a widget itself paints, and their positions."""
        heard = Heard(self.canvas)
        widget.paint(cast(Canvas, heard), self.root.style)
        return heard

    def _key(self, widget: Widget, part: str = "") -> int:
        keys = self._keys.setdefault(widget, {})
        if part not in keys:
            keys[part] = next(self._next)
        return keys[part]

    def _node(
        self,
        widget: Widget,
        role: str,
        name: str,
        value: str = "",
        *,
        part: str = "",
        rect: Rect | None = None,
        on: bool | None = None,
        enabled: bool = True,
        acts: dict[str, Callable[..., object]] | None = None,
        children: Sequence[Node] = (),
    ) -> Node:
        key = self._key(widget, part)
        acts = acts or {} if enabled else {}
        for does, act in acts.items():
            self._acts[key, does] = act
        rect = widget.rect if rect is None else rect
        return Node(key, role, name, value, rect, enabled, on, tuple(acts), tuple(children))

    def _of(self, widget: Widget, things: Sequence[Thing], board: Widget | None) -> list[Node]:
        """Return the nodes for a widget and its children."""
        if not widget.visible:
            return []
        if widget is board and things:
            return [self._board(widget, things)]
        own = self._own(widget)
        inner = [node for child in widget.children for node in self._of(child, things, board)]
        return [*own, *inner]

    def _focus(self, widget: Widget) -> dict[str, Callable[..., object]]:
        def focus() -> None:
            self.root.focus, self.root.by_keys = widget, True
            self.root.dirty = True

        return {"focus": focus} if widget.focusable else {}

    def _own(self, widget: Widget) -> list[Node]:
        root, enabled, focus = self.root, widget.enabled, self._focus(widget)
        if widget.rect.w <= 0 or widget.rect.h <= 0:
            return []
        if isinstance(widget, Drop):
            chosen = widget.options[widget.chosen] if widget.options else ""
            acts = {**focus, "press": widget.action, **self._steps(widget)}
            return [self._node(widget, "drop", self._called(widget), chosen, enabled=enabled, acts=acts)]
        if isinstance(widget, Choice):
            options = [
                self._node(
                    widget,
                    "option",
                    option,
                    part=f"option:{n}",
                    rect=place,
                    on=n == widget.chosen,
                    enabled=enabled and n not in widget.unavailable,
                    acts={"press": lambda n=n: widget.choose(n)},
                )
                for n, (option, place) in enumerate(zip(widget.options, widget.fields(), strict=False))
            ]
            return [
                self._node(
                    widget, "options", self._called(widget), enabled=enabled, acts=focus, children=options
                )
            ]
        if isinstance(widget, Editor):
            line, column = widget.writing.caret
            name = f"{self._named(widget)} {line + 1}:{column + 1}"
            return [self._written(widget, "editor", name, lambda text: widget.set(text.split("\n")))]
        if isinstance(widget, Field):
            name = widget.heard or widget.tip or widget.hint or self._called(widget)
            return [self._written(widget, "field", name, widget.set)]
        if isinstance(widget, Slider):
            acts = {**focus, **self._steps(widget)}
            return [
                self._node(
                    widget, "slider", self._called(widget), f"{widget.value} / {widget.last}", acts=acts
                )
            ]
        if isinstance(widget, Prose):
            return [self._node(widget, "text", widget.plain, acts=focus)] if widget.words else []
        if isinstance(widget, Listing):
            return [self._list(widget, focus)]
        voice = widget.voice()
        words = sentences(self.words(widget)) if voice is None else voice
        if isinstance(widget, Button) or widget.shape == "hand":
            label = getattr(widget, "label", "")
            name = widget.heard or label or words
            if KEYED.sub("", widget.tip) == name:
                name = widget.tip
            if not name:
                # The label beside a button distinguishes it from similar ones.
                beside = self._beside(widget)
                name = ": ".join(filter(None, (beside, widget.tip or self._named(widget))))
            about = self._with_keys(widget.tip) if widget.tip not in name else ""
            name = self._with_keys(name)
            about = about if about != name else ""
            on = widget.state() if isinstance(widget, Button) else None
            acts = {**focus, "press": widget.act}
            return [self._node(widget, "button", name, about, on=on, enabled=enabled, acts=acts)]
        if widget.focusable:
            return [self._node(widget, "button", words or self._named(widget), enabled=enabled, acts=focus)]
        floats = root.floats and widget is root.top
        return [self._node(widget, "text", words)] if words and not floats else []

    def _written(self, widget: Written, role: str, name: str, set_text: Callable[[str], object]) -> Node:
        writing = widget.writing
        acts: dict[str, Callable[..., object]] = {"set": set_text, "select": widget.select}
        acts = {**self._focus(widget), **acts}
        node = self._node(widget, role, name, writing.text, acts=acts, enabled=widget.enabled)
        text = Text(tuple(writing.lines), writing.caret, writing.anchor or writing.caret)
        return replace(node, text=text)

    def _named(self, widget: Widget) -> str:
        return widget.heard or self._with_keys(widget.tip) or self._call(widget.name)

    def _with_keys(self, words: str) -> str:
        """Return a button's text with its keys in words, e.g. "Rules, key F1"."""
        keys = KEYED.search(words)
        return f"{words[: keys.start()]}, {self._keyed(keys[1])}" if keys else words

    def _called(self, widget: Widget) -> str:
        return widget.heard or self._beside(widget) or self._named(widget)

    def _beside(self, widget: Widget) -> str:
        """Return the label that a container has painted to the left of a widget or above it."""
        within, rect = widget.parent, widget.rect
        while within is not None:
            heard, found = self._heard(within), []
            for word, (x, y) in zip(heard.words, heard.places, strict=True):
                if word.strip() and x < rect.x and abs(y - rect.cy) <= BESIDE:
                    found.append((rect.x - x, word))
                elif word.strip() and abs(x - rect.x) < BESIDE and 0 <= rect.y - y <= ABOVE:
                    found.append((1000 + rect.y - y, word))
            if found:
                return min(found)[1].strip(" :")
            within = within.parent
        return ""

    def _steps(self, widget: Widget) -> dict[str, Callable[..., object]]:
        return {"less": lambda: widget.key(Key("left")), "more": lambda: widget.key(Key("right"))}

    def _list(self, widget: Listing, focus: dict[str, Callable[..., object]]) -> Node:
        rows = []
        for row in range(widget.count) if widget.count <= MANY else widget.in_sight():
            place = widget.row_rect(row)

            def press(row: int = row) -> None:
                again = widget.current == row
                widget.pick(row)
                if again and widget.opened is not None:
                    widget.opened(row)

            rows.append(
                self._node(
                    widget,
                    "row",
                    self._row(widget, row, place),
                    part=f"row:{row}",
                    rect=place,
                    on=row == widget.current,
                    enabled=widget.takes(row),
                    acts={"press": press},
                )
            )
        return self._node(widget, "rows", self._named(widget), str(widget.count), acts=focus, children=rows)

    def _row(self, widget: Listing, row: int, place: Rect) -> str:
        """Return the text of a row, as provided by the list or, by default, as painted in the row."""
        told = widget.told_row(row, self._keyed)
        if not told:
            heard = Heard(self.canvas)
            widget.paint_row(cast(Canvas, heard), self.root.style, place, row, False)
            told = heard.words
        return sentences([*map(self._with_keys, told), widget.unwritten(row)])

    def _board(self, widget: Widget, things: Sequence[Thing]) -> Node:
        groups: dict[str, list[Node]] = {}
        told: set[tuple[str, str]] = set()
        for thing in things:
            if thing.press is None and (thing.group, thing.name) in told:
                continue  # one of several identical objects, such as medals in a row, whose name includes their number
            told.add((thing.group, thing.name))
            acts: dict[str, Callable[..., object]] = {"press": thing.press} if thing.press is not None else {}
            node = self._node(
                widget,
                "thing",
                ", ".join(filter(None, (thing.name, thing.does))),
                part=f"thing:{thing.key}",
                rect=thing.rect,
                enabled=thing.press is not None,
                acts=acts,
            )
            groups.setdefault(thing.group, []).append(node)
        children: list[Node] = []
        for group, nodes in groups.items():
            if group:
                children.append(self._node(widget, "group", group, part=f"group:{group}", children=nodes))
            else:
                children += nodes
        return self._node(widget, "board", self._named(widget), children=children)


def _apart(nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes, numbering interactive ones that have the same role and name.

    Only nodes with the same parent are compared.
    """
    count = Counter((node.role, node.name) for node in nodes if node.does)
    met: Counter[tuple[str, str]] = Counter()
    found = []
    for node in nodes:
        kind = node.role, node.name
        if node.does and count[kind] > 1:
            met[kind] += 1
            node = replace(node, name=f"{node.name} ({met[kind]})")
        found.append(replace(node, children=tuple(_apart(node.children))) if node.children else node)
    return found


def sentences(words: Sequence[str]) -> str:
    """Join separate texts into sentences, omitting duplicates."""
    told = ""
    for word in dict.fromkeys(word.strip().rstrip(",") for word in words):
        if word:
            told += ("" if not told else " " if told[-1] in ".!?…:" else ". ") + word
    return told


class Heard:
    """Stand-in for a canvas that records the text drawn on it.

    It measures text in the same way as the canvas.
    """

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.words: list[str] = []
        self.places: list[tuple[float, float]] = []
        """Left edge and baseline of each text."""

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
        """Record a line of text and return its width."""
        wide = self._canvas.width(text, face, size)
        if face in ("seal", "kanji"):  # decoration only
            return wide
        text = SIGNS.sub("", text)
        self.words.append(text)
        self.places.append((x - wide * align, y))
        return wide

    def text_in(
        self, rect: Rect, text: str, colour: object, face: str = "sans", size: float = 15, align: float = 0
    ) -> float:
        """Record a line of text in full, even if it doesn't fit, and return its width."""
        return self.text(rect.x + rect.w * align, rect.cy, text, colour, face, size, align) if text else 0.0

    def text_fit(
        self, rect: Rect, text: str, colour: object, face: str = "sans", size: float = 15, align: float = 0
    ) -> list[tuple[Rect, str, float]]:
        """Record a sentence as a single line."""
        self.text_in(rect, text, colour, face, size, align)
        return [(rect, text, size)]

    def cut(self, text: str, face: str, size: float, width: float) -> str:
        """Return the text unchanged."""
        return text

    def rect(self, *_: object, **__: object) -> None:
        """Ignore a shape."""

    frame = shadow = rule = disc = ring = polygon = picture = drawing = rect

    def keep(self, paint: Callable[[], None]) -> None:
        """Call ``paint`` without recording it for replay."""
        paint()

    def again(self, kept: object) -> bool:
        """Return False, since nothing is recorded for replay."""
        return False

    @contextmanager
    def clip(self, rect: Rect) -> Iterator[None]:
        """Ignore clipping."""
        yield
