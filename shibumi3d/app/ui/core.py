"""Widgets, and the root widget that routes input to them, manages the focus and draws them."""

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
"""Function that returns the rectangle of a popup, given the rectangle of the window."""
AROUND = 12.0
"""Margin around a card in a narrow window, in logical pixels."""
TIP_DELAY = 0.5
"""Seconds that the pointer must rest before a tooltip appears."""
NEAR = 16.0
"""Distance below which two clicks count as being at the same place, in logical pixels."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key press with the modifiers held.

    ``name`` is a lower-case letter, a punctuation mark, or a name such as ``enter``, ``escape`` or ``left``.
    """

    name: str
    ctrl: bool = False
    shift: bool = False
    alt: bool = False

    @property
    def chord(self) -> str:
        """Notation used in key bindings, e.g. ``ctrl+shift+z``."""
        held = (("ctrl", self.ctrl), ("alt", self.alt), ("shift", self.shift))
        return "+".join([name for name, down in held if down] + [self.name])


class Widget:
    """Part of the screen that may contain other widgets.

    Subclasses override the methods for painting and input. Input handlers return True if they used the input.
    """

    focusable = False
    typed_in = False
    """Whether a click gives this widget the focus.

    After a click on any other widget, keys go to the page.
    """
    shape = ""
    covers = False
    """Whether this widget hides everything below it, so that nothing below needs to be drawn."""
    aside: Rect | None = None
    """Part of the window in which the page's board stays visible while this popup covers the rest."""
    column = 0.0
    """Maximum height of the popup's own column in a narrow window, in logical pixels.

    A popup with a column is laid out as wide as the visible area and as high as it needs, up to this height. If this is
    0, the popup is laid out in the same rectangle as the widget below it.
    """
    steady = False
    """Whether to replay this widget from a recording during animations.

    It is repainted nevertheless if a redraw is requested.
    """

    heard = ""
    """Name for screen readers, for a widget that has no text on it or beside it."""

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
        """Add child widgets on top of the existing ones."""
        for widget in widgets:
            self.children.append(widget)
            widget.parent = self
            widget.attach(self.root)

    def attach(self, root: Root | None) -> None:
        """Set the root of this widget and all its descendants; None detaches them."""
        if root is None and self.root is not None:
            self.root.lose(self)
        self.root = root
        for child in self.children:
            child.attach(root)

    def clear(self) -> None:
        """Remove all children."""
        for child in self.children:
            child.attach(None)
        self.children.clear()

    def refresh(self) -> None:
        """Request a redraw."""
        if self.root is not None:
            self.root.dirty = True

    @property
    def hovered(self) -> bool:
        """Whether this widget is enabled and under the pointer."""
        return self.root is not None and self.root.hover is self and self.enabled

    @property
    def pressed(self) -> bool:
        """Whether a mouse button pressed on this widget is still down and the pointer is still on it."""
        return self.root is not None and self.root.held is self and self.root.hover is self

    @property
    def focused(self) -> bool:
        """Whether this widget has the keyboard focus."""
        return self.root is not None and self.root.focus is self

    def at(self, x: float, y: float) -> Widget | None:
        """Return the topmost visible widget at (x, y), or None."""
        if not self.visible or not self.rect.holds(x, y):
            return None
        for child in reversed(self.children):
            found = child.at(x, y)
            if found is not None:
                return found
        return self

    def walk(self) -> Iterator[Widget]:
        """Yield this widget and its descendants, except for invisible ones."""
        if self.visible:
            yield self
            for child in self.children:
                yield from child.walk()

    def everything(self) -> Iterator[Widget]:
        """Yield this widget and all its descendants, including invisible ones."""
        yield self
        for child in self.children:
            yield from child.everything()

    def layout(self, rect: Rect) -> None:
        """Set the widget's rectangle; subclasses also lay out their children."""
        self.rect = rect

    def voice(self) -> str | None:
        """Return the text for screen readers, or None to have the painted text read."""
        return None

    def beside(self, window: Rect) -> float:
        """Return the width of the strip that the page leaves free for this popup at the right.

        If it is 0, the popup overlays the page.
        """
        return 0.0

    def outside(self) -> bool:
        """Handle a click outside this popup; return whether the popup should be closed."""
        return True

    def closed(self) -> None:
        """Respond to the closing of this popup."""

    def draw(self, canvas: Canvas, style: Style) -> None:
        """Draw the widget and its children, or replay a recording if their content hasn't changed."""
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
        """Return a value that changes whenever the painted content does, or None to always repaint.

        While the value stays equal, the widget is replayed from a recording. The value needn't include the rectangle,
        the style, the hover state or the focus, which are compared separately.
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
        """Paint this widget, without its children."""

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        """Handle a mouse press; the button is ``left``, ``middle`` or ``right``."""
        return False

    def act(self) -> None:
        """Click the middle of this widget, on behalf of a caller without a pointer."""
        x, y, none = self.rect.cx, self.rect.cy, Key("")
        if self.enabled and self.press(x, y, "left", none):
            self.release(x, y, "left", none)

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        """Handle pointer motion by (dx, dy) while the button pressed on this widget is down."""

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        """Handle the release of the button that was pressed on this widget."""

    def cancel_press(self) -> None:
        """Abort a press without a click, because its release won't be reported."""

    def move(self, x: float, y: float) -> None:
        """Handle pointer motion over this widget."""

    def leave(self) -> None:
        """Handle the pointer leaving this widget."""

    def scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        """Handle the mouse wheel; return whether it was used.

        ``dx`` and ``dy`` are in notches; ``dy`` is positive when scrolling up.
        """
        return False

    def key(self, key: Key) -> bool:
        """Handle a key press while focused or topmost; return whether it was used."""
        return False

    def key_up(self, key: Key) -> None:
        """Handle a key release while topmost."""

    def text(self, text: str) -> bool:
        """Handle typed text while focused or topmost; return whether it was used."""
        return False


class Still(Widget):
    """Widget that takes no input."""

    def at(self, x: float, y: float) -> Widget | None:
        return None


class Root:
    """Root of the widgets: the page and the popups above it.

    The window calls the root; the root doesn't know about the window.
    """

    def __init__(self, style: Style) -> None:
        self.style = style
        self.page = Widget()
        self.floats: list[Widget] = []
        self._behind: list[tuple[Place, Widget | None]] = []
        """For each popup: its placement function, and the widget focused before it opened."""
        self._windows: list[Rect] = []
        """For each popup: the rectangle in which it is laid out."""
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
        """Recordings of steady widgets during an animation, otherwise None."""
        self.painted: dict[Widget, tuple[object, Painted]] = {}
        """For each widget with a :meth:`Widget.content`: what its recording depends on, and the recording."""
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
        """Request a redraw."""
        self.dirty = True

    def show(self, page: Widget, *, again: bool = False) -> None:
        """Replace the page and close all popups.

        If ``again`` is set, ``page`` is a rebuilt version of the current page. In that case, the focus moves to the
        widget that replaces the focused one.
        """
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
        """Open a popup at ``place``; only the topmost popup gets input."""
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
        """Close the topmost popup, and return the focus to the widget that had it before."""
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
        """Close all popups."""
        while self.floats:
            self.close()

    def resize(self, width: float, height: float) -> None:
        """Lay out the page and the popups for a new window size, in logical pixels."""
        self.size = (width, height)
        self._lay_page()
        self._windows.clear()
        for widget, (place, _) in zip(self.floats, self._behind, strict=True):
            self._windows.append(self._window_of(widget, place))
            widget.layout(place(self._windows[-1]))
        self.dirty = True

    @property
    def window(self) -> Rect:
        """Rectangle in which the topmost widget is laid out: the window, or the widget's own column."""
        return self._windows[-1] if self._windows else Rect(0, 0, *self.size)

    def _window_of(self, widget: Widget, place: Place) -> Rect:
        """Return the rectangle in which to lay out a new topmost popup."""
        if not widget.column or self.narrow is None:
            return self.window
        wide, seen = self.narrow
        needs = place(Rect(0, 0, wide, widget.column)).h + 2 * AROUND
        return Rect(0, 0, wide, max(seen, min(needs, widget.column)))

    def draw(self, canvas: Canvas, moving: bool = False) -> None:
        """Draw the page, the popups and the tooltip.

        While something is ``moving`` and no redraw has been requested, steady widgets are replayed from recordings.
        """
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
        """Widget that receives input: the topmost popup, or the page if there is none."""
        return self.floats[-1] if self.floats else self.page

    @property
    def aside(self) -> Rect | None:
        """Part of the window in which only the page's board is visible.

        None if the page is shown as usual.
        """
        return next((widget.aside for widget in self.floats if widget.aside is not None), None)

    # Input

    def mouse_move(self, x: float, y: float) -> None:
        """Handle pointer motion with no button down."""
        self.pointer = (x, y)
        self._point()
        if self.hover is not None:
            self.hover.move(x, y)

    def mouse_press(self, x: float, y: float, button: str, key: Key) -> None:
        """Handle a mouse press.

        A press outside the topmost popup does nothing except close that popup, if the popup allows it.
        """
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
        """Return whether to ignore a click because it follows another at the same place too soon.

        A click that isn't ignored is recorded for the next comparison.
        """
        now = self.clock()
        when, *where = self._clicked
        if 0.0 <= now - when < self.heels and math.dist(where, (x, y)) < NEAR:
            return True
        self._clicked = (now, x, y)
        return False

    def mouse_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        """Handle pointer motion with a button down."""
        self.pointer = (x, y)
        if self.held is not None:
            self.hover = self.held if self.held.at(x, y) is self.held else None
            self.held.drag(x, y, dx, dy, self.held_button, key)
            self.dirty = True

    def mouse_release(self, x: float, y: float, button: str, key: Key) -> None:
        """Handle a mouse release."""
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
        """Abort the current mouse press, because its release won't be reported."""
        widget, self.held = self.held, None
        if widget is not None:
            widget.cancel_press()
            self._point()
            self.dirty = True

    def mouse_leave(self) -> None:
        """Handle the pointer leaving the window."""
        self.pointer = (-1.0, -1.0)
        self._point()

    def mouse_scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        """Handle the mouse wheel; return whether it was used.

        The innermost widget under the pointer is tried first, then the widgets that contain it.
        """
        self.tip = None
        widget = self.top.at(x, y)
        while widget is not None:
            if widget.scroll(x, y, dx, dy, key):
                self.dirty = True
                return True
            widget = widget.parent
        return False

    def key_press(self, key: Key) -> bool:
        """Handle a key press; return whether it was used.

        The focused widget is tried first, then the topmost one. If neither uses the key, Esc closes a popup and Tab
        moves the focus. In a text field with no popup open, Esc leaves the field first.
        """
        self.tip = None
        self._regain()
        if self.focus is not None and self.focus.key(key):
            self.dirty = True
            return True
        if key.name == "escape" and not self.floats and self.focus is not None and self.focus.typed_in:
            # Leave the field, but keep the text typed in it.
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
        """Handle the release of a key."""
        self.top.key_up(key)

    def type(self, text: str) -> bool:
        """Handle typed text; return whether it was used.

        The focused widget is tried first, then the topmost one.
        """
        self._regain()
        if (self.focus is not None and self.focus.text(text)) or self.top.text(text):
            self.dirty = True
            return True
        return False

    def step_focus(self, by: int) -> None:
        """Move the focus to the next widget, or to the previous one if ``by`` is negative.

        The focus wraps around. If the focused widget has been removed, start from the place where it was.
        """
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
        """Take the focus from ``widget``, which is about to be removed, and remember its place.

        The focus will later move to the widget that replaces it. Do nothing if ``widget`` isn't focused.
        """
        if widget is self.focus:
            order = _order(_whole(widget))
            self._left = type(widget), widget.name, order.index(widget) if widget in order else 0
            self.focus = None

    def _regain(self) -> None:
        """If the focused widget is no longer visible, give the focus to its replacement."""
        if self.focus is not None and not _seen(self.focus):
            self.lose(self.focus)
        if self.focus is None:
            self.go_back()

    def go_back(self) -> None:
        """Focus the replacement of the widget that was last focused, if there is one.

        The replacement is an enabled widget of the same class and name.
        """
        if self._left is None:
            return
        kind, name, _ = self._left
        for widget in self.top.walk():
            if widget.name == name and type(widget) is kind and widget.focusable and widget.enabled and name:
                self.focus, self._left = widget, None
                return

    def find(self, name: str) -> Widget | None:
        """Return the visible widget with the given name, or None; popups are searched first."""
        for root in (*reversed(self.floats), self.page):
            for widget in root.walk():
                if widget.name == name:
                    return widget
        return None

    # Helpers

    def _lay_page(self) -> None:
        """Lay out the page in the window, or in the part of it that a popup at the side leaves free."""
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
    """Return the page or popup that contains ``widget``."""
    while widget.parent is not None:
        widget = widget.parent
    return widget


def _order(within: Widget) -> list[Widget]:
    """Return all focusable widgets in focus order, including disabled and invisible ones."""
    return [widget for widget in within.everything() if widget.focusable]


def _seen(widget: Widget) -> bool:
    """Return whether a widget and all widgets that contain it are visible."""
    each: Widget | None = widget
    while each is not None and each.visible:
        each = each.parent
    return each is None
