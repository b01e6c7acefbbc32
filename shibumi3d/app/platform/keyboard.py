"""Keyboard input: names of pyglet's keys, key repeat, and input methods under X11.

Under X11, :class:`X11Keyboard` replaces pyglet's handling of keys. Pyglet opens only Xlib's own input method, and for
the wrong window. It crashes on non-ASCII text if the locale isn't UTF-8, and in any locale on text of several
characters.
"""

from __future__ import annotations

import ctypes
import locale
from collections.abc import Callable, Iterable
from typing import Any

from ..ui.widget import Key

INPUT_METHODS = (b"", b"@im=none")
"""Input methods to try: the system's (e.g. ibus or fcitx), then Xlib's own, which has dead keys."""
LATIN_KEYS_BY_CODE = {
    **dict(zip(range(24, 36), "qwertyuiop[]", strict=True)),
    **dict(zip(range(38, 49), "asdfghjkl;'", strict=True)),
    **dict(zip(range(52, 62), "zxcvbnm,./", strict=True)),
}
"""Characters on a Latin keyboard by X11 key code, used for layouts without Latin letters."""
LETTER_CODES = range(ord("a"), ord("z") + 1)
UTF8_LOCALES = ("C.UTF-8", "C.utf8", "en_US.UTF-8")
TEXT_BUFFER_BYTES = 256
"""Initial size of the buffer for typed text, in bytes; it grows if an input method needs more."""


def set_utf8_locale() -> None:
    """Make sure that LC_CTYPE is a UTF-8 locale that X11 supports; if none can be found, set it to C."""
    from pyglet.libs.x11 import xlib

    for name in ("", *UTF8_LOCALES):
        try:
            if name:
                locale.setlocale(locale.LC_CTYPE, name)
            if locale.getlocale(locale.LC_CTYPE)[1] == "UTF-8" and xlib.XSupportsLocale():
                return
        except (locale.Error, ValueError):
            continue
    locale.setlocale(locale.LC_CTYPE, "C")


class X11Keyboard:
    """Replacement for pyglet's handling of a window's key events.

    ``is_typing()`` returns whether the user is typing text. Key events go through the input method only then;
    otherwise, the keys are commands.
    """

    def __init__(self, pyglet_window: Any, is_typing: Callable[[], bool]) -> None:
        self._pyglet_window, self._is_typing = pyglet_window, is_typing
        self._input_window: Any = None
        self._input_method: Any = None
        self._is_composing = False
        self._code_by_symbol: dict[int, int] = {}
        """X11 key codes by pyglet symbol, for keys that have been pressed."""
        if hasattr(pyglet_window, "_x_display"):
            from pyglet.libs.x11 import xlib

            self._xlib: Any = xlib
            xlib.XCreateIC.argtypes = [
                xlib.XIM, *[ctypes.c_char_p, ctypes.c_int], *2 * [ctypes.c_char_p, xlib.Window], ctypes.c_void_p
            ]  # fmt: skip
            self._keysym = xlib._lib.XkbKeycodeToKeysym
            self._keysym.restype = ctypes.c_ulong
            self._keysym.argtypes = [ctypes.c_void_p, ctypes.c_ubyte, ctypes.c_int, ctypes.c_int]
            pyglet_window._event_text_symbol = self.read_key_event
            self.open_input_method()

    def open_input_method(self) -> None:
        """Open an input method for the current X11 window, unless one is already open.

        Call this again whenever the X11 window may have changed; full screen uses a different one.
        """
        x, native = self._xlib, self._pyglet_window
        if native._x_ic is None or (self._input_window == native._window and x.XIMOfIC(native._x_ic)):
            return
        for name in INPUT_METHODS:
            # The input method may have gone away. Don't wait for it; use Xlib's own from then on.
            if name or self._input_window is None:
                x.XSetLocaleModifiers(name)
                self._input_method = x.XOpenIM(native._x_display, None, None, None) or self._input_method
            made = self._input_method and x.XCreateIC(
                self._input_method, b"inputStyle", x.XIMPreeditNothing | x.XIMStatusNothing,
                b"clientWindow", native._window, b"focusWindow", native._window, None,
            )  # fmt: skip
            if made:
                x.XDestroyIC(native._x_ic)
                native._x_ic, self._input_window = made, native._window
                x.XSetICFocus(made)
                return

    def read_key_event(self, event: Any) -> tuple[str | None, int | None]:
        """Return the text of a key event and pyglet's symbol for the key; either may be None."""
        x, key = self._xlib, event.xkey
        self.open_input_method()
        if self._is_typing():
            self._is_composing = True
            # The input method expects the focused window, but the event may belong to the view inside it.
            if x.XFilterEvent(event, self._pyglet_window._window):
                return None, None
        elif self._is_composing:
            self._is_composing = False
            if self._pyglet_window._x_ic is not None:
                x.Xutf8ResetIC(self._pyglet_window._x_ic)
        symbol = ctypes.c_ulong()
        text = self._lookup_text(key, symbol) if event.type == x.KeyPress else ""
        if not symbol.value:
            x.XLookupString(key, None, 0, ctypes.byref(symbol), None)
        named = self._to_pyglet_symbol(symbol.value, key) if key.keycode else None
        if named is not None and event.type == x.KeyPress:
            self._code_by_symbol[named] = key.keycode
        return _printable(text), named

    def keys_down(self, symbols: Iterable[int]) -> set[int]:
        """Return the pyglet key symbols in ``symbols`` whose keys are held down, according to the X server.

        Without an X server, the set is empty.
        """
        if not hasattr(self._pyglet_window, "_x_display"):
            return set()
        bits = ctypes.create_string_buffer(32)
        self._xlib.XQueryKeymap(self._pyglet_window._x_display, bits)
        codes = {symbol: self._code_by_symbol.get(symbol, 0) for symbol in symbols}
        return {symbol for symbol, code in codes.items() if bits.raw[code >> 3] >> (code & 7) & 1}

    def _lookup_text(self, key: Any, symbol: ctypes.c_ulong) -> str:
        """Return the text of a key press, and store its X11 keysym in ``symbol``."""
        x, context = self._xlib, self._pyglet_window._x_ic
        if context is None:
            buffer = ctypes.create_string_buffer(TEXT_BUFFER_BYTES)
            return buffer.raw[
                : x.XLookupString(key, buffer, TEXT_BUFFER_BYTES, ctypes.byref(symbol), None)
            ].decode("latin-1")
        size, status = TEXT_BUFFER_BYTES, ctypes.c_int()
        for _ in range(2):
            buffer = ctypes.create_string_buffer(size)
            arguments = buffer, size, ctypes.byref(symbol), ctypes.byref(status)
            size = x.Xutf8LookupString(context, key, *arguments)
            if status.value != x.XBufferOverflow:
                break
        written = status.value in (x.XLookupChars, x.XLookupBoth)
        return buffer.raw[:size].decode("utf-8", "replace") if written else ""

    def _to_pyglet_symbol(self, symbol: int, key: Any) -> int | None:
        """Return pyglet's symbol for a key, or None if the key has no symbol.

        Letters are in lower case. A key that pyglet doesn't know gets one of pyglet's ``user_key`` symbols. If the
        current layout has no Latin letters, a letter or punctuation key that is unknown, or is pressed with Ctrl or
        Alt, gets the letter that it has in another of the user's layouts or, failing that, its character on a QWERTY
        keyboard.
        """
        names = self._pyglet_key_names()
        group, held = key.state >> 13 & 3, key.state & (self._xlib.ControlMask | self._xlib.Mod1Mask)
        lower = ord(chr(symbol).lower()) if symbol < 0x110000 else symbol
        known = symbol if symbol in names else lower if lower in names else None
        if (
            key.keycode in LATIN_KEYS_BY_CODE
            and (known is None or held)
            and not self._has_latin_letters(group)
        ):
            others = (self._keysym(self._pyglet_window._x_display, key.keycode, n, 0) for n in range(4))
            return next(
                (other for other in others if other in LETTER_CODES), ord(LATIN_KEYS_BY_CODE[key.keycode])
            )
        if known is None and symbol:
            from pyglet.window import key as keys

            return int(keys.user_key(key.keycode))
        return known

    def _has_latin_letters(self, group: int) -> bool:
        """Return whether the keyboard layout with index ``group`` has a Latin letter on any key."""
        return any(
            self._keysym(self._pyglet_window._x_display, code, group, 0) in LETTER_CODES
            for code in LATIN_KEYS_BY_CODE
        )

    @staticmethod
    def _pyglet_key_names() -> Any:
        from pyglet.window import key as keys

        return keys._key_names


def _printable(text: str) -> str | None:
    """Return the printable characters of typed text, or None if there are none.

    A single carriage return is returned unchanged.
    """
    return text if text == "\r" else "".join(c for c in text if c.isprintable()) or None


KEY_NAMES = {
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
TEXT_MOTION_KEYS = {
    "MOTION_LEFT": "left", "MOTION_RIGHT": "right", "MOTION_UP": "up", "MOTION_DOWN": "down",
    "MOTION_BACKSPACE": "backspace", "MOTION_DELETE": "delete",
}  # fmt: skip
KEYS_BY_X11_CODE = {10: "1", 11: "2", 12: "3", 13: "4", 23: "tab"}
"""Key names by X11 key code, for keys that have no pyglet symbol while Shift is held."""
SHIFTED_DIGITS = {"exclamation": "1", "at": "2", "doublequote": "2", "pound": "3", "hash": "3", "dollar": "4"}
"""Digits by the names that pyglet gives their keys while Shift is held."""


def to_key(key_module: Any, symbol: int, modifiers: int) -> Key:
    """Convert a pyglet key event to a :class:`Key`.

    The Command key counts as Ctrl. ``key_module`` is ``pyglet.window.key``; it is passed in because importing it opens
    the display.
    """
    raw = str(key_module.symbol_string(symbol))
    shift, alt = bool(modifiers & key_module.MOD_SHIFT), bool(modifiers & key_module.MOD_ALT)
    coded = KEYS_BY_X11_CODE.get(int(raw[9:-1], 16)) if raw.startswith("user_key(") else None
    name = coded or KEY_NAMES.get(raw, raw.lower())
    if shift and alt:
        name = SHIFTED_DIGITS.get(name, name)
    return Key(name, bool(modifiers & (key_module.MOD_CTRL | key_module.MOD_COMMAND)), shift, alt)


FIRST_REPEAT_SECONDS, REPEAT_SECONDS = 0.5, 0.08
"""Seconds until a held key repeats for the first time, and between further repeats."""
UNDO_CHORDS = frozenset(("ctrl+z", "ctrl+y", "ctrl+shift+z"))
"""Keys for undo and redo, which repeat on every page."""
EDITING_KEYS = frozenset(("left", "right", "up", "down", "backspace", "delete", "pageup", "pagedown"))
"""Keys that repeat in text fields; pyglet repeats some of them itself if no modifier is held."""


class KeyRepeat:
    """Repeater that calls ``on_press`` with a key again and again while the key is held down.

    Only certain keys are repeated; see :meth:`begin`. ``schedule(seconds, callback)`` calls ``callback`` after the
    given number of seconds.
    """

    def __init__(
        self, schedule: Callable[[float, Callable[[], None]], None], on_press: Callable[[Key], None]
    ) -> None:
        self._schedule, self._on_press = schedule, on_press
        self._press_number = 0
        """Number of the latest press or release; older repeats are ignored."""

    def begin(self, key: Key, is_typing: bool) -> None:
        """Stop any previous repeat, and start repeating ``key`` if it is an undo, redo or editing key.

        The undo and redo keys are :data:`UNDO_CHORDS`, and the editing keys are :data:`EDITING_KEYS`. An editing key is
        repeated only if ``is_typing`` is true, Alt isn't held and pyglet doesn't repeat the key itself.
        """
        self.end()
        page = key.name.startswith("page")
        if key.chord in UNDO_CHORDS or (
            is_typing and key.name in EDITING_KEYS and not key.alt and (key.ctrl or key.shift or page)
        ):
            held = self._press_number
            self._schedule(FIRST_REPEAT_SECONDS, lambda: self._repeat(key, held))

    def end(self) -> None:
        """Stop repeating.

        This is called whenever any key is pressed or released, and when the focus is lost.
        """
        self._press_number += 1

    def _repeat(self, key: Key, press_number: int) -> None:
        if press_number == self._press_number:
            self._schedule(REPEAT_SECONDS, lambda: self._repeat(key, press_number))
            self._on_press(key)
