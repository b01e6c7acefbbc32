"""Gamepad support: buttons, triggers and sticks are mapped to keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..ui.widget import Key

if TYPE_CHECKING:
    from pyglet.input import Controller, ControllerManager
    from pyglet.math import Vec2

BUTTON_KEYS = {
    "a": Key("enter"),
    "b": Key("escape"),
    "x": Key("tab"),
    "y": Key("h"),
    "leftshoulder": Key("z", ctrl=True),
    "rightshoulder": Key("y", ctrl=True),
    "start": Key("f1"),
    "back": Key(",", ctrl=True),
    "leftstick": Key("0"),
    "rightstick": Key("t"),
}
"""Keyboard key that each button stands for.

In order, the keys choose, go back a step, go to the next point, show a hint, undo, redo, open the rules, open the
settings, and switch to the home view and to the top view.
"""
TRIGGER_KEYS = {"lefttrigger": Key("["), "righttrigger": Key("]")}
"""Keyboard key that each trigger stands for; these keys rotate the view by 90 degrees."""
PUSH_THRESHOLD, RELEASE_THRESHOLD = 0.6, 0.35
"""Deflections above which a stick or trigger counts as pushed, and below which it counts as released."""


class GamepadHandlers:
    """Handlers for the events of a pyglet controller; they pass keys to ``on_key``."""

    def __init__(self, on_key: Callable[[Key], None]) -> None:
        self._on_key = on_key
        self._pushed: dict[str, str] = {}
        """Direction in which each stick and the D-pad are pushed, and the triggers that are pulled."""

    def on_button_press(self, controller: Controller, button: str) -> None:
        """Press the key assigned to a button."""
        if button in BUTTON_KEYS:
            self._on_key(BUTTON_KEYS[button])

    def on_dpad_motion(self, controller: Controller, vector: Vec2) -> None:
        """Press the arrow key for the direction in which the D-pad is pushed, once per push."""
        self._push_direction("dpad", vector[0], vector[1])

    def on_stick_motion(self, controller: Controller, stick: str, vector: Vec2) -> None:
        """Press the arrow key for the direction in which a stick is pushed, once per push."""
        self._push_direction(stick, vector[0], vector[1])

    def on_trigger_motion(self, controller: Controller, trigger: str, value: float) -> None:
        """Press the key assigned to a trigger, once per pull."""
        if value > PUSH_THRESHOLD and trigger in TRIGGER_KEYS and not self._pushed.get(trigger):
            self._pushed[trigger] = trigger
            self._on_key(TRIGGER_KEYS[trigger])
        elif value < RELEASE_THRESHOLD:
            self._pushed.pop(trigger, None)

    def _push_direction(self, stick: str, x: float, y: float) -> None:
        """Press the arrow key for the direction in which a stick or the D-pad is pushed.

        The key is pressed only once until the stick or D-pad is released or pushed in another direction.
        """
        far = max(abs(x), abs(y))
        if far < RELEASE_THRESHOLD:
            self._pushed.pop(stick, None)
        elif far > PUSH_THRESHOLD:
            way = ("right" if x > 0 else "left") if abs(x) >= abs(y) else ("up" if y > 0 else "down")
            if self._pushed.get(stick) != way:
                self._pushed[stick] = way
                self._on_key(Key(way))


def listen_to_gamepads(on_key: Callable[[Key], None]) -> ControllerManager | None:
    """Pass the input of all gamepads, including gamepads connected later, to ``on_key`` as key presses.

    Returns an object to which the caller must keep a reference, or None if gamepads can't be used.
    """
    try:
        from pyglet.input import ControllerManager

        manager = ControllerManager()
        pad = GamepadHandlers(on_key)

        def connect(controller: Controller) -> None:
            controller.open()
            controller.push_handlers(pad)

        manager.set_handler("on_connect", connect)
        for controller in manager.get_controllers():
            connect(controller)
    except Exception:  # drivers fail in many ways, and a gamepad is optional
        return None
    return manager
