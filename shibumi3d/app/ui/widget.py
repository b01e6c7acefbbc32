"""Base class of widgets, and the root that routes input to them, manages the focus and draws them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, SMALL_TEXT_PX, Style

from .canvas import Canvas, Recording, paint_card_background

Placement: TypeAlias = Callable[[Rect], Rect]
"""Function that returns the rectangle of a popup, given the rectangle in which to lay it out, usually the window."""
POPUP_MARGIN_PX = 12.0
"""Minimum distance of a popup from the edges of the window, in logical pixels."""
TOOLTIP_DELAY_SECONDS = 0.5
"""Time from the moment the pointer enters a widget until its tooltip appears, in seconds."""
DOUBLE_CLICK_SECONDS = 0.35
"""Maximum time between the clicks of a double click, in seconds."""
SAME_CLICK_DISTANCE_PX = 16.0
"""Distance below which two clicks count as being at the same place, in logical pixels."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key press with the modifiers held.

    ``name`` is a lower-case letter, a digit, a punctuation mark, or a name such as ``enter``, ``escape`` or ``left``.
    In mouse events, which have modifiers but no key, it is empty.
    """

    name: str
    ctrl: bool = False
    shift: bool = False
    alt: bool = False

    @property
    def chord(self) -> str:
        """Key press in the notation of key bindings, such as ``ctrl+shift+z``."""
        held = (("ctrl", self.ctrl), ("alt", self.alt), ("shift", self.shift))
        return "+".join([name for name, down in held if down] + [self.name])


class Widget:
    """Part of the screen that can contain other widgets.

    Subclasses override the methods for painting and input.
    """

    focusable = False
    is_text_input = False
    """Whether this widget takes typed text, so that a click gives it the focus.

    A click that is used by any other widget removes the focus; keys then go to the topmost popup or the page.
    """
    cursor_shape = ""
    covers_page = False
    """Whether this widget hides everything below it, so that nothing below needs to be drawn."""
    dims_page = False
    """Whether everything below this popup is drawn darker, so that the popup stands out."""
    board_area: Rect | None = None
    """Part of the window in which the page's board stays visible while this popup covers the rest."""
    max_column_height = 0.0
    """Height to which the popup's own column may grow in a narrow window, in logical pixels.

    The column fills the visible area, and is taller only if the popup needs more room. If this is 0, the popup is laid
    out in the same rectangle as the widget below it.
    """
    is_static = False
    """Whether to replay this widget from a recording during animations.

    It is repainted nevertheless if a redraw is requested.
    """

    accessible_name = ""
    """Name for screen readers, for a widget that has no text on it or beside it."""

    def __init__(self, name: str = "", tip: str = "") -> None:
        self.name = name
        self.tooltip = tip
        self.rect = Rect()
        self.visible = True
        self.enabled = True
        self.children: list[Widget] = []
        self.parent: Widget | None = None
        self.root: Root | None = None

    @property
    def hover_text(self) -> str:
        """Text shown while the pointer rests on the widget; empty for none."""
        return self.tooltip

    def add(self, *widgets: Widget) -> None:
        """Add child widgets on top of the existing ones."""
        for widget in widgets:
            self.children.append(widget)
            widget.parent = self
            widget.attach(self.root)

    def attach(self, root: Root | None) -> None:
        """Set the root of this widget and all its descendants; None detaches them."""
        if root is None and self.root is not None:
            self.root.save_lost_focus(self)
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
        return self.root is not None and self.root.hovered is self and self.enabled

    @property
    def pressed(self) -> bool:
        """Whether a mouse button pressed on this widget is still down and the pointer is still on the widget."""
        return self.root is not None and self.root.pressed is self and self.root.hovered is self

    @property
    def focused(self) -> bool:
        return self.root is not None and self.root.focus is self

    def widget_at(self, x: float, y: float) -> Widget | None:
        """Return the topmost visible widget at (x, y) among this widget and its descendants, or None."""
        if not self.visible or not self.rect.contains(x, y):
            return None
        for child in reversed(self.children):
            widget = child.widget_at(x, y)
            if widget is not None:
                return widget
        return self

    def walk(self) -> Iterator[Widget]:
        """Yield this widget and its descendants, skipping each invisible one with all its descendants."""
        if self.visible:
            yield self
            for child in self.children:
                yield from child.walk()

    def walk_all(self) -> Iterator[Widget]:
        """Yield this widget and all its descendants, including invisible ones."""
        yield self
        for child in self.children:
            yield from child.walk_all()

    def layout(self, rect: Rect) -> None:
        """Set the widget's rectangle; subclasses also lay out their children."""
        self.rect = rect

    def accessible_text(self) -> str | None:
        """Return the text for screen readers, or None to have the painted text read."""
        return None

    def docked_width(self, window: Rect) -> float:
        """Return the width of the strip on the right that the page leaves free for this popup.

        If the width is 0, the popup overlays the page.
        """
        return 0.0

    def on_click_outside(self) -> bool:
        """Handle a click outside this popup; return whether the popup should be closed."""
        return True

    def on_close(self) -> None:
        """Handle the closing of this popup, after it has been removed.

        Does nothing by default.
        """

    def draw(self, canvas: Canvas, style: Style) -> None:
        """Draw the widget and its children, or replay a recording of them if there is a valid one."""
        root = self.root
        if root is None:
            self._draw_uncached(canvas, style)
        elif root.animation_cache is not None and self.is_static:
            cache = root.animation_cache
            if self not in cache or not canvas.replay(cache[self]):
                cache[self] = canvas.record(lambda: self._draw_uncached(canvas, style))
        elif (content := self.paint_key()) is None:
            self._draw_uncached(canvas, style)
        else:
            at = (
                self.enabled,
                root.hovered is self,
                root.pressed is self,
                root.focus is self and root.is_focus_visible,
            )
            key = content, at, self.rect, style, canvas.scale
            recording = root.paint_cache.get(self)
            if recording is None or recording[0] != key or not canvas.replay(recording[1]):
                root.paint_cache[self] = key, canvas.record(lambda: self._draw_uncached(canvas, style))

    def paint_key(self) -> object:
        """Return a value that changes whenever the painted content does, or None to always repaint.

        As long as nothing changes, a recording of the widget is replayed. The value needn't include the rectangle, the
        style, the scale, or whether the widget is enabled, hovered, pressed or focused: these are compared separately.
        """
        return None

    def _draw_uncached(self, canvas: Canvas, style: Style) -> None:
        self.paint(canvas, style)
        for child in self.children:
            if child.visible:
                child.draw(canvas, style)
        if self.focused and self.root is not None and self.root.is_focus_visible and self.focusable:
            gap = self.rect.inset(-1)
            canvas.outline(gap, style.page, CORNER_RADIUS_PX + 1, 1)
            canvas.outline(self.rect.inset(-3), style.action, CORNER_RADIUS_PX + 3, 2)

    def paint(self, canvas: Canvas, style: Style) -> None:
        """Paint this widget, without its children."""

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        """Handle a mouse press; return whether it was used.

        ``button`` is ``left``, ``middle`` or ``right``. If the press was used, the drag and the release that follow are
        reported to the same widget.
        """
        return False

    def activate(self) -> None:
        """Simulate a left click in the middle of this widget, if it is enabled."""
        x, y, none = self.rect.cx, self.rect.cy, Key("")
        if self.enabled and self.on_press(x, y, "left", none):
            self.on_release(x, y, "left", none)

    def on_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        """Handle pointer motion by (dx, dy) while the button pressed on this widget is down."""

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        """Handle the release of the button that was pressed on this widget."""

    def cancel_press(self) -> None:
        """Abort a press whose release won't be reported, without triggering a click."""

    def on_pointer_move(self, x: float, y: float) -> None:
        """Handle pointer motion over this widget."""

    def on_pointer_leave(self) -> None:
        """Handle the pointer leaving this widget."""

    def on_scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        """Handle a mouse wheel movement; return whether it was used.

        ``dx`` and ``dy`` are in notches; ``dy`` is positive when scrolling up.
        """
        return False

    def on_key(self, key: Key) -> bool:
        """Handle a key press while the widget is focused or topmost; return whether the key was used."""
        return False

    def on_key_release(self, key: Key) -> None:
        """Handle the release of a key.

        Only the topmost popup, or the page if no popup is open, receives key releases.
        """

    def on_text(self, text: str) -> bool:
        """Handle typed text; return whether it was used.

        The focused widget, if any, receives the text first. If it doesn't use the text, the topmost popup receives it
        or, if no popup is open, the page.
        """
        return False


class InertWidget(Widget):
    """Widget that takes no input."""

    def widget_at(self, x: float, y: float) -> Widget | None:
        return None


class Root:
    """Root of the widget tree, with the page and the popups above it.

    The window calls the root; the root doesn't know about the window.
    """

    def __init__(self, style: Style) -> None:
        self.style = style
        self.page = Widget()
        self.popups: list[Widget] = []
        self._popup_origins: list[tuple[Placement, Widget | None]] = []
        """For each popup: its placement function, and the widget focused before it opened."""
        self._popup_windows: list[Rect] = []
        """For each popup: the rectangle in which it is laid out."""
        self.narrow_size: tuple[float, float] | None = None
        """Width and height visible at once if the window is narrow, otherwise None.

        In a narrow window, pages are laid out in one column.
        """
        self.hovered: Widget | None = None
        self.pressed: Widget | None = None
        self.pressed_button = ""
        self.focus: Widget | None = None
        self._lost_focus: tuple[type[Widget], str, int] | None = None
        """Class, name and tab position of a widget that was removed or hidden while focused, or None."""
        self.is_focus_visible = False
        self.dirty = True
        self.animation_cache: dict[Widget, Recording] | None = None
        """Recordings of static widgets during an animation, otherwise None."""
        self.paint_cache: dict[Widget, tuple[object, Recording]] = {}
        """For each widget with a :meth:`Widget.paint_key`: what its recording depends on, and the recording."""
        self.pointer = (-1.0, -1.0)
        self.size = (0.0, 0.0)
        self.tooltip_widget: Widget | None = None
        self.schedule: Callable[[float, Callable[[], None]], None] = lambda delay, callback: None
        self.clock: Callable[[], float] = time.monotonic
        self.double_click_guard_seconds = 0.0
        """Seconds after a click during which another one at the same place is ignored."""
        self._last_click = (-math.inf, 0.0, 0.0)
        """Time and position of the last click that wasn't ignored."""
        self.copy_text: Callable[[str], object] = lambda text: None
        self.paste_text: Callable[[], str] = lambda: ""
        self.on_paste_too_long: Callable[[], None] = lambda: None
        """Callback that reports a pasted text as too long."""

    def refresh(self) -> None:
        """Request a redraw."""
        self.dirty = True

    def show_page(self, page: Widget, *, again: bool = False) -> None:
        """Replace the page and close all popups.

        If ``again`` is true, ``page`` is a rebuilt version of the current page. The widget that replaces the focused
        one, if there is one, then gets the focus at the next call of :meth:`restore_focus` or :meth:`draw`. If
        ``again`` is false, no widget is focused.
        """
        if self.popups:
            self.focus = self._popup_origins[0][1]
        self.page.attach(None)
        lost_focus = self._lost_focus if again else None
        self.page = page
        self.paint_cache.clear()
        self.close_popups()
        self.hovered = self.pressed = self.focus = self.tooltip_widget = None
        self._lost_focus = lost_focus
        page.attach(self)
        self._layout_page()
        self._update_hover()
        self.dirty = True

    def open_popup(self, widget: Widget, placement: Placement, focus: Widget | None = None) -> None:
        """Open ``widget`` as a popup where ``placement`` puts it; only the topmost popup gets input.

        The focus moves to ``focus``; if it is None, no widget is focused.
        """
        widget.attach(self)
        window = self._popup_window(widget, placement)
        self.popups.append(widget)
        self._popup_origins.append((placement, self.focus))
        self._popup_windows.append(window)
        widget.layout(placement(window))
        if widget.docked_width(window):
            self._layout_page()
        self.focus = focus
        self._update_hover()
        self.dirty = True

    def close_popup(self) -> None:
        """Close the topmost popup, if any, and return the focus to the widget that had it before the popup opened.

        If that widget has been replaced, its replacement gets the focus. Finally, :meth:`Widget.on_close` of the popup
        is called.
        """
        if self.popups:
            widget = self.popups.pop()
            widget.attach(None)
            self.paint_cache.clear()
            _, before = self._popup_origins.pop()
            self._popup_windows.pop()
            self.pressed = self.focus = self._lost_focus = None
            if before is not None and before.root is self:
                self.focus = before
            elif before is not None:
                self._lost_focus = type(before), before.name, 0
            if widget.docked_width(Rect(0, 0, *self.size)):
                self._layout_page()
            self._update_hover()
            self.dirty = True
            widget.on_close()

    def close_popups(self) -> None:
        while self.popups:
            self.close_popup()

    def resize(self, width: float, height: float) -> None:
        """Lay out the page and the popups in an area of the given size, in logical pixels.

        The area is as large as the window, or larger if the page needs more room.
        """
        self.size = (width, height)
        self._layout_page()
        self._popup_windows.clear()
        for widget, (place, _) in zip(self.popups, self._popup_origins, strict=True):
            self._popup_windows.append(self._popup_window(widget, place))
            widget.layout(place(self._popup_windows[-1]))
        self.dirty = True

    @property
    def window(self) -> Rect:
        """Rectangle in which the topmost widget is laid out.

        This is usually the whole window. In a narrow window, some popups have a column of their own instead; see
        :attr:`.Widget.max_column_height`.
        """
        return self._popup_windows[-1] if self._popup_windows else Rect(0, 0, *self.size)

    def _popup_window(self, widget: Widget, placement: Placement) -> Rect:
        """Return the rectangle in which to lay out a new topmost popup."""
        if not widget.max_column_height or self.narrow_size is None:
            return self.window
        wide, visible_height = self.narrow_size
        needs = placement(Rect(0, 0, wide, widget.max_column_height)).h + 2 * POPUP_MARGIN_PX
        return Rect(0, 0, wide, max(visible_height, min(needs, widget.max_column_height)))

    def draw(self, canvas: Canvas, moving: bool = False) -> None:
        """Draw the page, the popups and the tooltip.

        Whatever lies below a popup that covers the page is left out. Set ``moving`` during an animation. Static widgets
        are then drawn from recordings, unless a redraw has been requested.
        """
        if self.dirty or not moving:
            self.animation_cache = None
        elif self.animation_cache is None:
            self.animation_cache = {}
        self._restore_focus_if_lost()
        layers = [self.page, *self.popups]
        first = max(i for i, widget in enumerate(layers) if widget.covers_page or not i)
        dimming = max((i for i, widget in enumerate(layers) if widget.dims_page), default=-1)
        for index, widget in enumerate(layers[first:], first):
            if index == dimming:
                canvas.rect(Rect(0, 0, *self.size), self.style.scrim)
            widget.draw(canvas, self.style)
        if self.tooltip_widget is not None and self.tooltip_widget.hover_text:
            self._draw_tooltip(canvas, self.tooltip_widget)
        self.dirty = False

    @property
    def top(self) -> Widget:
        """Widget that receives input: the topmost popup, or the page if there is none."""
        return self.popups[-1] if self.popups else self.page

    @property
    def board_area(self) -> Rect | None:
        """Part of the window in which only the page's board is visible, or None if the page is shown as usual."""
        return next((widget.board_area for widget in self.popups if widget.board_area is not None), None)

    # Input

    def mouse_move(self, x: float, y: float) -> None:
        """Handle pointer motion with no button down."""
        self.pointer = (x, y)
        self._update_hover()
        if self.hovered is not None:
            self.hovered.on_pointer_move(x, y)

    def mouse_press(self, x: float, y: float, button: str, key: Key) -> None:
        """Handle a mouse press.

        It is ignored while an earlier press lasts, or if it follows another at the same place too soon. A press outside
        the topmost popup does nothing except close that popup, if the popup allows it.
        """
        self.pointer = (x, y)
        self._update_hover()
        self.tooltip_widget = None
        self.is_focus_visible, self._lost_focus = False, None
        if self.pressed is not None or self._is_repeated_click(x, y):
            return
        if self.popups and self.hovered is None:
            if self.top.on_click_outside():
                self.close_popup()
            return
        widget = self.hovered
        if widget is None or not widget.enabled:
            return
        if widget.on_press(x, y, button, key):
            self.pressed, self.pressed_button = widget, button
            self.focus = widget if widget.is_text_input else None
        self.dirty = True

    def _is_repeated_click(self, x: float, y: float) -> bool:
        """Return whether to ignore a click because it follows another at the same place too soon.

        A click that isn't ignored is recorded for the next comparison.
        """
        now = self.clock()
        when, *where = self._last_click
        if (
            0.0 <= now - when < self.double_click_guard_seconds
            and math.dist(where, (x, y)) < SAME_CLICK_DISTANCE_PX
        ):
            return True
        self._last_click = (now, x, y)
        return False

    def mouse_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        """Handle pointer motion with a button down."""
        self.pointer = (x, y)
        if self.pressed is not None:
            self.hovered = self.pressed if self.pressed.widget_at(x, y) is self.pressed else None
            self.pressed.on_drag(x, y, dx, dy, self.pressed_button, key)
            self.dirty = True

    def mouse_release(self, x: float, y: float, button: str, key: Key) -> None:
        self.pointer = (x, y)
        widget = self.pressed
        if widget is None or button != self.pressed_button:
            return
        self.hovered = widget if widget.widget_at(x, y) is widget else None
        widget.on_release(x, y, button, key)
        self.pressed = None
        self._update_hover()
        self.dirty = True

    def cancel_press(self) -> None:
        """Abort the current mouse press, because its release won't be reported."""
        widget, self.pressed = self.pressed, None
        if widget is not None:
            widget.cancel_press()
            self._update_hover()
            self.dirty = True

    def mouse_leave(self) -> None:
        """Handle the pointer leaving the window."""
        self.pointer = (-1.0, -1.0)
        self._update_hover()

    def mouse_scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        """Handle the mouse wheel; return whether it was used.

        The innermost widget under the pointer is tried first, then the widgets that contain it.
        """
        self.tooltip_widget = None
        widget = self.top.widget_at(x, y)
        while widget is not None:
            if widget.on_scroll(x, y, dx, dy, key):
                self.dirty = True
                return True
            widget = widget.parent
        return False

    def key_press(self, key: Key) -> bool:
        """Handle a key press; return whether it was used.

        The focused widget is tried first, then the topmost popup or, if none is open, the page. If neither uses the
        key, Esc closes the topmost popup and Tab moves the focus. If no popup is open and a focused text field doesn't
        use Esc, the field loses the focus, and the page doesn't get the key.
        """
        self.tooltip_widget = None
        self._restore_focus_if_lost()
        if self.focus is not None and self.focus.on_key(key):
            self.dirty = True
            return True
        if key.name == "escape" and not self.popups and self.focus is not None and self.focus.is_text_input:
            # Leave the field, but keep the text typed in it.
            self.focus = None
            self.dirty = True
            return True
        if self.top.on_key(key):
            self.dirty = True
            return True
        if self.popups and key.name == "escape":
            self.close_popup()
            return True
        if key.name == "tab":
            self.step_focus(-1 if key.shift else 1)
            return True
        return False

    def key_release(self, key: Key) -> None:
        self.top.on_key_release(key)

    def type_text(self, text: str) -> bool:
        """Handle typed text; return whether it was used.

        The focused widget is tried first, then the topmost popup or, if none is open, the page.
        """
        self._restore_focus_if_lost()
        if (self.focus is not None and self.focus.on_text(text)) or self.top.on_text(text):
            self.dirty = True
            return True
        return False

    def step_focus(self, direction: int) -> None:
        """Move the focus to the next focusable widget, or to the previous one if ``direction`` is negative.

        The focus wraps around. If the focused widget has been removed or hidden, start from the widget that replaces it
        or, if there is none, from the place where it was.
        """
        self._restore_focus_if_lost()
        self.is_focus_visible = True
        self.dirty = True
        stops = [widget for widget in self.top.walk() if widget.focusable and widget.enabled]
        if not stops:
            return
        order = _focus_order(self.top)
        focus_index = (
            order.index(self.focus) if self.focus in order else self._lost_focus[2] if self._lost_focus else 0
        )
        before = sum(order.index(widget) < focus_index for widget in stops)
        if direction > 0:
            before += self.focus in stops
            self.focus = stops[before % len(stops)]
        else:
            self.focus = stops[before - 1]
        self._lost_focus = None

    def save_lost_focus(self, widget: Widget) -> None:
        """Take the focus from ``widget``, which is being removed or has been hidden, and remember its place.

        The focus will later move to the widget that replaces it. Do nothing if ``widget`` isn't focused.
        """
        if widget is self.focus:
            order = _focus_order(_layer_of(widget))
            self._lost_focus = type(widget), widget.name, order.index(widget) if widget in order else 0
            self.focus = None

    def _restore_focus_if_lost(self) -> None:
        """If the focused widget has been removed or hidden, focus its replacement, if there is one."""
        if self.focus is not None and not _is_shown(self.focus):
            self.save_lost_focus(self.focus)
        if self.focus is None:
            self.restore_focus()

    def restore_focus(self) -> None:
        """If a widget lost the focus because it was removed or hidden, focus its replacement, if any.

        The replacement is the first visible, enabled and focusable widget in :attr:`top` with the same class and the
        same non-empty name.
        """
        if self._lost_focus is None:
            return
        widget_class, name, _ = self._lost_focus
        for widget in self.top.walk():
            if (
                widget.name == name
                and type(widget) is widget_class
                and widget.focusable
                and widget.enabled
                and name
            ):
                self.focus, self._lost_focus = widget, None
                return

    def find(self, name: str) -> Widget | None:
        """Return the first visible widget with the given name, or None if there is none.

        The popups are searched first, from the topmost one down, and then the page.
        """
        for root in (*reversed(self.popups), self.page):
            for widget in root.walk():
                if widget.name == name:
                    return widget
        return None

    # Helpers

    def _layout_page(self) -> None:
        """Lay out the page in the window, or in the part of it that a popup at the side leaves free."""
        window = Rect(0, 0, *self.size)
        docked_width = max([widget.docked_width(window) for widget in self.popups], default=0.0)
        self.page.layout(Rect(0, 0, window.w - docked_width, window.h))

    def _update_hover(self) -> None:
        if self.pressed is not None:
            return
        widget = self.top.widget_at(*self.pointer)
        if widget is self.hovered:
            return
        if self.hovered is not None and self.hovered.root is self:
            self.hovered.on_pointer_leave()
        self.hovered = widget
        self.tooltip_widget = None
        self.dirty = True
        if widget is not None and widget.hover_text:

            def show() -> None:
                if self.hovered is widget and self.pressed is None:
                    self.tooltip_widget = widget
                    self.dirty = True

            self.schedule(TOOLTIP_DELAY_SECONDS, show)

    def _draw_tooltip(self, canvas: Canvas, widget: Widget) -> None:
        style, text = self.style, widget.hover_text
        wide = canvas.text_width(text, "sans", SMALL_TEXT_PX) + 16
        x = min(max(4.0, widget.rect.cx - wide / 2), self.window.w - wide - 4)
        above = widget.rect.y - 32
        box = Rect(x, above if above > 4 else widget.rect.bottom + 6, wide, 26)
        paint_card_background(canvas, style, box)
        canvas.text_in(box.inset(8, 0), text, style.ink, size=SMALL_TEXT_PX)


def _layer_of(widget: Widget) -> Widget:
    """Return the page or popup that contains ``widget``."""
    while widget.parent is not None:
        widget = widget.parent
    return widget


def _focus_order(root: Widget) -> list[Widget]:
    """Return all focusable widgets in ``root``, in focus order, including disabled and invisible ones."""
    return [widget for widget in root.walk_all() if widget.focusable]


def _is_shown(widget: Widget) -> bool:
    """Return whether a widget and all widgets that contain it are visible."""
    ancestor: Widget | None = widget
    while ancestor is not None and ancestor.visible:
        ancestor = ancestor.parent
    return ancestor is None
