"""Widgets, and the root that gives them input, focus and a picture."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style

from .canvas import Canvas, Painted
from .card import paint_card

Place: TypeAlias = Callable[[Rect], Rect]
"""Where in a window of that extent something floats."""
AROUND = 12.0
"""What is left around a card in a narrow window, in logical pixels."""
TIP_DELAY = 0.5
"""Seconds that the pointer rests before a tooltip shows."""
NEAR = 16.0
"""Logical pixels between two clicks in the same place, at the most."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key with the modifiers held: ``name`` is a letter in lower case, a sign, or ``enter`` ``escape`` ``left`` …"""

    name: str
    ctrl: bool = False
    shift: bool = False
    alt: bool = False

    @property
    def chord(self) -> str:
        """The key as bindings write it, e.g. ``ctrl+shift+z``."""
        held = (("ctrl", self.ctrl), ("alt", self.alt), ("shift", self.shift))
        return "+".join([name for name, down in held if down] + [self.name])


class Widget:
    """A part of the screen. Subclasses paint themselves and answer input; every answer ``True`` means "taken"."""

    focusable = False
    typed_in = False
    """Whether a click gives it the focus: what is clicked otherwise leaves the keys to the page."""
    shape = ""
    covers = False
    """Whether it hides all below it for as long as it is there."""
    aside: Rect | None = None
    """Where the board of the page is seen while this covers the rest of it."""
    column = 0.0
    """Where it floats in a narrow window it has one of its own, as wide as what is seen and as high as it needs, at the
    most so high in logical pixels; 0: it floats in the window of what is below it."""
    steady = False
    """Whether it looks the same, unless a new picture is asked for, while marbles move."""

    heard = ""
    """What a screen reader calls it, where that is neither written on it nor beside it."""

    def __init__(self, name: str = "", tip: str = "") -> None:
        self.name = name
        self.tip = tip
        self.rect = Rect()
        self.visible = True
        self.enabled = True
        self.children: list[Widget] = []
        self.parent: Widget | None = None
        self.root: Root | None = None

    def add(self, *widgets: Widget) -> None:
        """Puts widgets on top of those already there."""
        for widget in widgets:
            self.children.append(widget)
            widget.parent = self
            widget.attach(self.root)

    def attach(self, root: Root | None) -> None:
        """Tells the widget and what it holds where they belong."""
        if root is None and self.root is not None:
            self.root.lose(self)
        self.root = root
        for child in self.children:
            child.attach(root)

    def clear(self) -> None:
        """Takes all children away."""
        for child in self.children:
            child.attach(None)
        self.children.clear()

    def refresh(self) -> None:
        """Asks for a new picture."""
        if self.root is not None:
            self.root.dirty = True

    @property
    def hovered(self) -> bool:
        """Whether the pointer is on it."""
        return self.root is not None and self.root.hover is self and self.enabled

    @property
    def pressed(self) -> bool:
        """Whether the button of the mouse went down on it and is still down."""
        return self.root is not None and self.root.held is self and self.root.hover is self

    @property
    def focused(self) -> bool:
        """Whether keys go to it."""
        return self.root is not None and self.root.focus is self

    def at(self, x: float, y: float) -> Widget | None:
        """The topmost visible widget there."""
        if not self.visible or not self.rect.holds(x, y):
            return None
        for child in reversed(self.children):
            found = child.at(x, y)
            if found is not None:
                return found
        return self

    def walk(self) -> Iterator[Widget]:
        """This widget and all it holds, as far as they are visible."""
        if self.visible:
            yield self
            for child in self.children:
                yield from child.walk()

    def everything(self) -> Iterator[Widget]:
        """This widget and all it holds, the invisible too."""
        yield self
        for child in self.children:
            yield from child.everything()

    def layout(self, rect: Rect) -> None:
        """Takes its place; subclasses with children place them here."""
        self.rect = rect

    def voice(self) -> str | None:
        """Return what a screen reader says of it; None where that is what it writes."""
        return None

    def beside(self, window: Rect) -> float:
        """How much at the right of a window the page leaves to it while it floats, instead of lying under it."""
        return 0.0

    def outside(self) -> bool:
        """A button went down beside it while it floats: whether that takes it away."""
        return True

    def closed(self) -> None:
        """It floated and was taken away."""

    def draw(self, canvas: Canvas, style: Style) -> None:
        """Paints the widget and what it holds; a steady one as it was, while nothing but marbles moves."""
        root = self.root
        if root is None:
            self._draw(canvas, style)
        elif root.kept is not None and self.steady:
            kept = root.kept
            if self not in kept or not canvas.again(kept[self]):
                kept[self] = canvas.keep(lambda: self._draw(canvas, style))
        elif (content := self.content()) is None:
            self._draw(canvas, style)
        else:
            at = self.enabled, root.hover is self, root.held is self, root.focus is self and root.by_keys
            key = content, at, self.rect, style, canvas.scale
            found = root.painted.get(self)
            if found is None or found[0] != key or not canvas.again(found[1]):
                root.painted[self] = key, canvas.keep(lambda: self._draw(canvas, style))

    def content(self) -> object:
        """Return all that its picture tells, to be compared: while that is equal it is not painted anew; None: it is.

        Its place, the style, and where pointer and focus are need not be told.
        """
        return None

    def _draw(self, canvas: Canvas, style: Style) -> None:
        self.paint(canvas, style)
        for child in self.children:
            if child.visible:
                child.draw(canvas, style)
        if self.focused and self.root is not None and self.root.by_keys and self.focusable:
            gap = self.rect.inset(-1)
            canvas.frame(gap, style.page, RADIUS + 1, 1)
            canvas.frame(self.rect.inset(-3), style.action, RADIUS + 3, 2)

    def paint(self, canvas: Canvas, style: Style) -> None:
        """Paints the widget alone."""

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        """A button of the mouse (``left``, ``middle`` or ``right``) went down here."""
        return False

    def act(self) -> None:
        """Does what a click on its middle does; asked without a pointer."""
        x, y, none = self.rect.cx, self.rect.cy, Key("")
        if self.enabled and self.press(x, y, "left", none):
            self.release(x, y, "left", none)

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        """The pointer moved by (dx, dy) with the button down that was pressed here."""

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        """The button that was pressed here went up."""

    def cancel_press(self) -> None:
        """End what a press began, without a click: the release goes to nobody."""

    def move(self, x: float, y: float) -> None:
        """The pointer moved over it."""

    def leave(self) -> None:
        """The pointer went elsewhere."""

    def scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        """The wheel turned by ``dy`` notches (up is positive)."""
        return False

    def key(self, key: Key) -> bool:
        """A key went down while it had the focus."""
        return False

    def key_up(self, key: Key) -> None:
        """A key went up while it had the input."""

    def text(self, text: str) -> bool:
        """Text was typed while it had the focus."""
        return False


class Still(Widget):
    """A widget that is only looked at: it takes no input."""

    def at(self, x: float, y: float) -> Widget | None:
        return None


class Root:
    """Holds a page and what floats above it. The window calls it; it never looks at the window."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self.page = Widget()
        self.floats: list[Widget] = []
        self._behind: list[tuple[Place, Widget | None]] = []
        """Placement function of each floating widget, and the widget focused before it opened."""
        self._windows: list[Rect] = []
        """Area in which each floating widget is placed."""
        self.narrow: tuple[float, float] | None = None
        """Width and height visible at once if the window is narrow, otherwise None.

        Pages are then laid out in one column.
        """
        self.hover: Widget | None = None
        self.held: Widget | None = None
        self.held_button = ""
        self.focus: Widget | None = None
        self._left: tuple[type[Widget], str, int] | None = None
        """Class, name and tab position of a widget that was removed while focused, or None."""
        self.by_keys = False
        self.dirty = True
        self.kept: dict[Widget, Painted] | None = None
        """Cached drawings of steady widgets while only marbles move, otherwise None."""
        self.painted: dict[Widget, tuple[object, Painted]] = {}
        """Content and drawing of each widget that implements :meth:`Widget.content`."""
        self.pointer = (-1.0, -1.0)
        self.size = (0.0, 0.0)
        self.tip: Widget | None = None
        self.later: Callable[[float, Callable[[], None]], None] = lambda delay, what: None
        self.clock: Callable[[], float] = time.monotonic
        self.heels = 0.0
        """Seconds after a click during which another one at the same place is ignored."""
        self._clicked = (-math.inf, 0.0, 0.0)
        """Time and position of the last click that wasn't ignored."""
        self.copy: Callable[[str], object] = lambda text: None
        self.paste: Callable[[], str] = lambda: ""
        self.full: Callable[[], None] = lambda: None
        """Callback that reports a pasted text as too long."""

    def refresh(self) -> None:
        """Asks for a new picture."""
        self.dirty = True

    def show(self, page: Widget, *, again: bool = False) -> None:
        """Makes ``page`` the whole picture; ``again`` where it is the one before, made anew: the focus stays then."""
        if self.floats:
            self.focus = self._behind[0][1]
        self.page.attach(None)
        left = self._left if again else None
        self.page = page
        self.painted.clear()
        self.close_all()
        self.hover = self.held = self.focus = self.tip = None
        self._left = left
        page.attach(self)
        self._lay_page()
        self._point()
        self.dirty = True

    def popup(self, widget: Widget, place: Place, focus: Widget | None = None) -> None:
        """Shows a widget above the page, at its ``place`` in the window. Input goes to it alone until :meth:`close`."""
        widget.attach(self)
        window = self._window_of(widget, place)
        self.floats.append(widget)
        self._behind.append((place, self.focus))
        self._windows.append(window)
        widget.layout(place(window))
        if widget.beside(window):
            self._lay_page()
        self.focus = focus
        self._point()
        self.dirty = True

    def close(self) -> None:
        """Takes the topmost floating widget away; the keys go again to what had them before."""
        if self.floats:
            widget = self.floats.pop()
            widget.attach(None)
            self.painted.clear()
            _, before = self._behind.pop()
            self._windows.pop()
            self.held = self.focus = self._left = None
            if before is not None and before.root is self:
                self.focus = before
            elif before is not None:
                self._left = type(before), before.name, 0
            if widget.beside(Rect(0, 0, *self.size)):
                self._lay_page()
            self._point()
            self.dirty = True
            widget.closed()

    def close_all(self) -> None:
        """Takes everything that floats away."""
        while self.floats:
            self.close()

    def resize(self, width: float, height: float) -> None:
        """Lays everything out anew."""
        self.size = (width, height)
        self._lay_page()
        self._windows.clear()
        for widget, (place, _) in zip(self.floats, self._behind, strict=True):
            self._windows.append(self._window_of(widget, place))
            widget.layout(place(self._windows[-1]))
        self.dirty = True

    @property
    def window(self) -> Rect:
        """What the topmost widget lies in: the page, or its own window where it has one."""
        return self._windows[-1] if self._windows else Rect(0, 0, *self.size)

    def _window_of(self, widget: Widget, place: Place) -> Rect:
        """The window in which something floats, above all that does already."""
        if not widget.column or self.narrow is None:
            return self.window
        wide, seen = self.narrow
        needs = place(Rect(0, 0, wide, widget.column)).h + 2 * AROUND
        return Rect(0, 0, wide, max(seen, min(needs, widget.column)))

    def draw(self, canvas: Canvas, moving: bool = False) -> None:
        """Paints everything. While things are ``moving`` and no more was asked for, what is steady stays as it is."""
        if self.dirty or not moving:
            self.kept = None
        elif self.kept is None:
            self.kept = {}
        self._regain()
        layers = [self.page, *self.floats]
        first = max(i for i, widget in enumerate(layers) if widget.covers or not i)
        for widget in layers[first:]:
            widget.draw(canvas, self.style)
        if self.tip is not None and self.tip.tip:
            self._draw_tip(canvas, self.tip)
        self.dirty = False

    @property
    def top(self) -> Widget:
        """What gets the input now."""
        return self.floats[-1] if self.floats else self.page

    @property
    def aside(self) -> Rect | None:
        """Where alone the board of the page is seen; None while the page is seen as it is."""
        return next((widget.aside for widget in self.floats if widget.aside is not None), None)

    # Input

    def mouse_move(self, x: float, y: float) -> None:
        """The pointer moved with no button down."""
        self.pointer = (x, y)
        self._point()
        if self.hover is not None:
            self.hover.move(x, y)

    def mouse_press(self, x: float, y: float, button: str, key: Key) -> None:
        """A button went down. Outside a floating widget it closes that and does nothing else."""
        self.pointer = (x, y)
        self._point()
        self.tip = None
        self.by_keys, self._left = False, None
        if self.held is not None or self._on_heels(x, y):
            return
        if self.floats and self.hover is None:
            if self.top.outside():
                self.close()
            return
        widget = self.hover
        if widget is None or not widget.enabled:
            return
        if widget.press(x, y, button, key):
            self.held, self.held_button = widget, button
            self.focus = widget if widget.typed_in else None
        self.dirty = True

    def _on_heels(self, x: float, y: float) -> bool:
        """Whether a click there comes so soon after another that it was not meant; else it counts from now on."""
        now = self.clock()
        when, *where = self._clicked
        if 0.0 <= now - when < self.heels and math.dist(where, (x, y)) < NEAR:
            return True
        self._clicked = (now, x, y)
        return False

    def mouse_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        """The pointer moved with a button down."""
        self.pointer = (x, y)
        if self.held is not None:
            self.hover = self.held if self.held.at(x, y) is self.held else None
            self.held.drag(x, y, dx, dy, self.held_button, key)
            self.dirty = True

    def mouse_release(self, x: float, y: float, button: str, key: Key) -> None:
        """A button went up."""
        self.pointer = (x, y)
        widget = self.held
        if widget is None or button != self.held_button:
            return
        self.hover = widget if widget.at(x, y) is widget else None
        widget.release(x, y, button, key)
        self.held = None
        self._point()
        self.dirty = True

    def cancel_press(self) -> None:
        """Forget a mouse button that is down: its release will not be reported."""
        widget, self.held = self.held, None
        if widget is not None:
            widget.cancel_press()
            self._point()
            self.dirty = True

    def mouse_leave(self) -> None:
        """The pointer left the window."""
        self.pointer = (-1.0, -1.0)
        self._point()

    def mouse_scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        """The wheel turned: the innermost widget under the pointer that wants it gets it; whether one did."""
        self.tip = None
        widget = self.top.at(x, y)
        while widget is not None:
            if widget.scroll(x, y, dx, dy, key):
                self.dirty = True
                return True
            widget = widget.parent
        return False

    def key_press(self, key: Key) -> bool:
        """A key went down. Returns whether something used it; the page's own keys are asked last."""
        self.tip = None
        self._regain()
        if self.focus is not None and self.focus.key(key):
            self.dirty = True
            return True
        if key.name == "escape" and not self.floats and self.focus is not None and self.focus.typed_in:
            # The field is left, and what is typed in it stays.
            self.focus = None
            self.dirty = True
            return True
        if self.top.key(key):
            self.dirty = True
            return True
        if self.floats and key.name == "escape":
            self.close()
            return True
        if key.name == "tab":
            self.step_focus(-1 if key.shift else 1)
            return True
        return False

    def key_release(self, key: Key) -> None:
        """A key went up."""
        self.top.key_up(key)

    def type(self, text: str) -> bool:
        """Text was typed. What the focus does not want is for the page."""
        self._regain()
        if (self.focus is not None and self.focus.text(text)) or self.top.text(text):
            self.dirty = True
            return True
        return False

    def step_focus(self, by: int) -> None:
        """Moves the focus to the next or previous widget that can have it; also from where one is no more."""
        self._regain()
        self.by_keys = True
        self.dirty = True
        stops = [widget for widget in self.top.walk() if widget.focusable and widget.enabled]
        if not stops:
            return
        order = _order(self.top)
        here = order.index(self.focus) if self.focus in order else self._left[2] if self._left else 0
        before = sum(order.index(widget) < here for widget in stops)
        if by > 0:
            before += self.focus in stops
            self.focus = stops[before % len(stops)]
        else:
            self.focus = stops[before - 1]
        self._left = None

    def lose(self, widget: Widget) -> None:
        """A widget is about to be taken away: if it has the focus, what comes in its place has it again."""
        if widget is self.focus:
            order = _order(_whole(widget))
            self._left = type(widget), widget.name, order.index(widget) if widget in order else 0
            self.focus = None

    def _regain(self) -> None:
        """Takes the focus from what is no longer seen, and gives it to what has come for it."""
        if self.focus is not None and not _seen(self.focus):
            self.lose(self.focus)
        if self.focus is None:
            self.go_back()

    def go_back(self) -> None:
        """What has come in the place of what had the focus last gets it, if there is such a thing."""
        if self._left is None:
            return
        kind, name, _ = self._left
        for widget in self.top.walk():
            if widget.name == name and type(widget) is kind and widget.focusable and widget.enabled and name:
                self.focus, self._left = widget, None
                return

    def find(self, name: str) -> Widget | None:
        """The visible widget of that name."""
        for root in (*reversed(self.floats), self.page):
            for widget in root.walk():
                if widget.name == name:
                    return widget
        return None

    # Inside

    def _lay_page(self) -> None:
        """Lays the page out in the window, or beside what floats there."""
        window = Rect(0, 0, *self.size)
        taken = max([widget.beside(window) for widget in self.floats], default=0.0)
        self.page.layout(Rect(0, 0, window.w - taken, window.h))

    def _point(self) -> None:
        if self.held is not None:
            return
        found = self.top.at(*self.pointer)
        if found is self.hover:
            return
        if self.hover is not None and self.hover.root is self:
            self.hover.leave()
        self.hover = found
        self.tip = None
        self.dirty = True
        if found is not None and found.tip:

            def show() -> None:
                if self.hover is found and self.held is None:
                    self.tip = found
                    self.dirty = True

            self.later(TIP_DELAY, show)

    def _draw_tip(self, canvas: Canvas, widget: Widget) -> None:
        style = self.style
        wide = canvas.width(widget.tip, "sans", SMALL) + 16
        x = min(max(4.0, widget.rect.cx - wide / 2), self.window.w - wide - 4)
        above = widget.rect.y - 32
        box = Rect(x, above if above > 4 else widget.rect.bottom + 6, wide, 26)
        paint_card(canvas, style, box)
        canvas.text_in(box.inset(8, 0), widget.tip, style.ink, size=SMALL)


def _whole(widget: Widget) -> Widget:
    """The page or what floats of which a widget is a part."""
    while widget.parent is not None:
        widget = widget.parent
    return widget


def _order(within: Widget) -> list[Widget]:
    """All that could have the focus if it were visible and enabled, in the order in which it goes."""
    return [widget for widget in within.everything() if widget.focusable]


def _seen(widget: Widget) -> bool:
    """Whether a widget and all that hold it are visible."""
    each: Widget | None = widget
    while each is not None and each.visible:
        each = each.parent
    return each is None
