"""Mouse events, with pyglet's coordinates and button numbers converted to the program's own."""

from __future__ import annotations

from typing import Any, Protocol

from ..ui.core import Key
from .app import App
from .mishaps import living

BUTTONS = {1: "left", 2: "middle", 4: "right"}
"""Names of the mouse buttons, by pyglet's numbers."""


class Clicked(Protocol):
    """Interface of the window that handles the mouse events."""

    native: Any
    app: App

    def held(self, modifiers: int | None) -> Key:
        """Return the modifier keys that are held down.

        ``modifiers`` is the value passed by pyglet, or None for events without modifiers.
        """

    def finish(self) -> None:
        """Update the window after an input event."""

    def survive(self, problem: Exception, began: float) -> None:
        """Report an exception raised by a handler that was called at time ``began``."""


class Mouse:
    """Handlers of pyglet's mouse events.

    Pyglet measures positions from the bottom of the window, in units that may differ from framebuffer pixels.
    """

    def __init__(self, window: Clicked) -> None:
        self._window = window
        self.survive = window.survive

    @living
    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> None:
        """Handle pointer motion."""
        self._window.app.root.mouse_move(*self._point(x, y))
        self._window.finish()

    @living
    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Handle a press of a mouse button."""
        window = self._window
        window.app.hurry()
        window.app.root.mouse_press(*self._place(x, y), BUTTONS.get(button, ""), window.held(modifiers))
        window.finish()

    @living
    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Handle the release of a mouse button."""
        window = self._window
        window.app.root.mouse_release(*self._place(x, y), BUTTONS.get(button, ""), window.held(modifiers))
        window.finish()

    @living
    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> None:
        """Handle pointer motion while a button is held down."""
        window = self._window
        share = self._dense() / window.app.scale
        button = next((name for bit, name in BUTTONS.items() if buttons & bit), "")
        way = dx * share, -dy * share
        window.app.root.mouse_drag(*self._point(x, y), *way, button, window.held(modifiers))
        window.finish()

    @living
    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        # Pyglet doesn't pass the modifiers of wheel events.
        """Handle the mouse wheel: scroll the widget below the pointer or, if there is none, the page."""
        window = self._window
        if not window.app.root.mouse_scroll(*self._place(x, y), scroll_x, scroll_y, window.held(None)):
            window.app.roll(scroll_x, scroll_y)
        window.finish()

    @living
    def on_mouse_leave(self, x: float, y: float) -> None:
        """Handle the pointer leaving the window."""
        self._window.app.root.mouse_leave()
        self._window.finish()

    def _dense(self) -> float:
        """Return the number of framebuffer pixels per unit of pyglet's mouse positions."""
        native = self._window.native
        return float(native.get_framebuffer_size()[0] / max(1, native.get_size()[0]))

    def _place(self, x: float, y: float) -> tuple[float, float]:
        dense = self._dense()
        return self._window.app.place(x * dense, (self._window.native.get_size()[1] - y) * dense)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        """Convert a new pointer position to a logical one; this may scroll the page."""
        dense = self._dense()
        return self._window.app.point(x * dense, (self._window.native.get_size()[1] - y) * dense)
