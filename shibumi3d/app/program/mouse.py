"""What the mouse says to the window, in the places and names of the program."""

from __future__ import annotations

from typing import Any, Protocol

from ..ui.core import Key
from .app import App
from .mishaps import living

BUTTONS = {1: "left", 2: "middle", 4: "right"}
"""As pyglet numbers them."""


class Clicked(Protocol):
    """The window that the mouse is over."""

    native: Any
    app: App

    def held(self, modifiers: int | None) -> Key:
        """Return the keys that are held; ``modifiers`` is what pyglet says of them, None where it says nothing."""

    def finish(self) -> None:
        """Be done with what was put in."""

    def survive(self, problem: Exception, began: float) -> None:
        """Say what went wrong in something that began at that time, and go on."""


class Mouse:
    """Hears pyglet's events of the mouse; its places count from the bottom of the window, in units of their own."""

    def __init__(self, window: Clicked) -> None:
        self._window = window
        self.survive = window.survive

    @living
    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> None:
        self._window.app.root.mouse_move(*self._point(x, y))
        self._window.finish()

    @living
    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        window = self._window
        window.app.hurry()
        window.app.root.mouse_press(*self._place(x, y), BUTTONS.get(button, ""), window.held(modifiers))
        window.finish()

    @living
    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        window = self._window
        window.app.root.mouse_release(*self._place(x, y), BUTTONS.get(button, ""), window.held(modifiers))
        window.finish()

    @living
    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> None:
        window = self._window
        share = self._dense() / window.app.scale
        button = next((name for bit, name in BUTTONS.items() if buttons & bit), "")
        way = dx * share, -dy * share
        window.app.root.mouse_drag(*self._point(x, y), *way, button, window.held(modifiers))
        window.finish()

    @living
    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        # Pyglet does not say what is held while the wheel turns.
        window = self._window
        if not window.app.root.mouse_scroll(*self._place(x, y), scroll_x, scroll_y, window.held(None)):
            window.app.roll(scroll_x, scroll_y)
        window.finish()

    @living
    def on_mouse_leave(self, x: float, y: float) -> None:
        self._window.app.root.mouse_leave()
        self._window.finish()

    def _dense(self) -> float:
        """Pixels a unit of pyglet's mouse places."""
        native = self._window.native
        return float(native.get_framebuffer_size()[0] / max(1, native.get_size()[0]))

    def _place(self, x: float, y: float) -> tuple[float, float]:
        dense = self._dense()
        return self._window.app.place(x * dense, (self._window.native.get_size()[1] - y) * dense)

    def _point(self, x: float, y: float) -> tuple[float, float]:
        """A place to which the pointer has moved: the page may follow it."""
        dense = self._dense()
        return self._window.app.point(x * dense, (self._window.native.get_size()[1] - y) * dense)
