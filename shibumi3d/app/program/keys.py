"""Conversion of pyglet's key symbols to key names."""

from __future__ import annotations

from typing import Any

from ..ui.core import Key

NAMES = {
    "RETURN": "enter", "ENTER": "enter", "NUM_ENTER": "enter", "ESCAPE": "escape", "BACKSPACE": "backspace",
    "DELETE": "delete", "TAB": "tab", "SPACE": "space", "LEFT": "left", "RIGHT": "right", "UP": "up", "DOWN": "down",
    "HOME": "home", "END": "end", "PAGEUP": "pageup", "PAGEDOWN": "pagedown", "BRACKETLEFT": "[",
    "BRACKETRIGHT": "]", "PLUS": "plus", "EQUAL": "plus", "NUM_ADD": "plus", "MINUS": "-", "NUM_SUBTRACT": "-",
    "COMMA": ",", "PERIOD": ".", "SLASH": "/", "QUESTION": "?", "SEMICOLON": ";", "APOSTROPHE": "'",
    "COLON": ";",
    "NUM_0": "0", "NUM_1": "1", "NUM_2": "2", "NUM_3": "3", "NUM_4": "4", "NUM_5": "5", "NUM_6": "6", "NUM_7": "7",
    "NUM_8": "8", "NUM_9": "9", "_0": "0", "_1": "1", "_2": "2", "_3": "3", "_4": "4", "_5": "5", "_6": "6",
    "_7": "7", "_8": "8", "_9": "9",
}  # fmt: skip
MOTIONS = {
    "MOTION_LEFT": "left", "MOTION_RIGHT": "right", "MOTION_UP": "up", "MOTION_DOWN": "down",
    "MOTION_BACKSPACE": "backspace", "MOTION_DELETE": "delete",
}  # fmt: skip
CODES = {10: "1", 11: "2", 12: "3", 13: "4", 23: "tab"}
"""Key names by X11 key code, for keys that have no pyglet symbol while Shift is held."""
DIGITS = {"exclamation": "1", "at": "2", "doublequote": "2", "pound": "3", "hash": "3", "dollar": "4"}
"""Digits by the names that pyglet gives their keys while Shift is held."""


def read(module: Any, symbol: int, modifiers: int) -> Key:
    """Convert a pyglet key event to a :class:`Key`.

    ``module`` is ``pyglet.window.key``. It is passed in because importing it opens the display.
    """
    raw = str(module.symbol_string(symbol))
    shift, alt = bool(modifiers & module.MOD_SHIFT), bool(modifiers & module.MOD_ALT)
    coded = CODES.get(int(raw[9:-1], 16)) if raw.startswith("user_key(") else None
    name = coded or NAMES.get(raw, raw.lower())
    if shift and alt:
        name = DIGITS.get(name, name)
    return Key(name, bool(modifiers & (module.MOD_CTRL | module.MOD_COMMAND)), shift, alt)
