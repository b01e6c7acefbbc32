"""A gamepad: what it does is what keys do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ui.core import Key

BUTTONS = {
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
"""Of each button the key: choose, step back, next point, hint, undo, redo, rules, settings, home, from above."""
TRIGGERS = {"lefttrigger": Key("["), "righttrigger": Key("]")}
"""They turn the view by a quarter."""
PUSHED, FREE = 0.6, 0.35
"""How far a stick or a trigger is moved until it counts, and back until it may count again."""


class Pad:
    """The handlers of a controller of pyglet; ``press`` takes the keys."""

    def __init__(self, press: Callable[[Key], None]) -> None:
        self._press = press
        self._held: dict[str, str] = {}
        """What of each stick and trigger is pushed now."""

    def on_button_press(self, controller: Any, button: str) -> None:
        """A button went down."""
        if button in BUTTONS:
            self._press(BUTTONS[button])

    def on_dpad_motion(self, controller: Any, vector: Any) -> None:
        """The cross was pushed or let go."""
        self._push("dpad", vector[0], vector[1])

    def on_stick_motion(self, controller: Any, stick: str, vector: Any) -> None:
        """A stick was moved."""
        self._push(stick, vector[0], vector[1])

    def on_trigger_motion(self, controller: Any, trigger: str, value: float) -> None:
        """A trigger was pulled or let go."""
        if value > PUSHED and trigger in TRIGGERS and not self._held.get(trigger):
            self._held[trigger] = trigger
            self._press(TRIGGERS[trigger])
        elif value < FREE:
            self._held.pop(trigger, None)

    def _push(self, what: str, x: float, y: float) -> None:
        """Goes on by one in the direction that is pushed, once for each push."""
        far = max(abs(x), abs(y))
        if far < FREE:
            self._held.pop(what, None)
        elif far > PUSHED:
            way = ("right" if x > 0 else "left") if abs(x) >= abs(y) else ("up" if y > 0 else "down")
            if self._held.get(what) != way:
                self._held[what] = way
                self._press(Key(way))


def listen(press: Callable[[Key], None]) -> Any:
    """Hears every gamepad from now on; what must be held for that, or None where the system offers none."""
    try:
        from pyglet.input import ControllerManager

        manager = ControllerManager()
        pad = Pad(press)

        def connect(controller: Any) -> None:
            controller.open()
            controller.push_handlers(pad)

        manager.set_handler("on_connect", connect)
        for controller in manager.get_controllers():
            connect(controller)
    except Exception:  # drivers fail in many ways, and the program can be played without
        return None
    return manager
