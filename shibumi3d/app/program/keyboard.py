"""Keyboard input under X11: input methods, dead keys, and letter keys by position.

Pyglet opens only Xlib's own input method, and for the wrong window. It crashes on non-ASCII text if the locale isn't
UTF-8, and in any locale on text of several characters. Other systems don't need this module.
"""

from __future__ import annotations

import ctypes
import locale
from collections.abc import Callable, Iterable
from typing import Any

METHODS = (b"", b"@im=none")
"""Input methods to try: the system's (e.g. ibus or fcitx), then Xlib's own, which has dead keys."""
PLACES = {
    **dict(zip(range(24, 36), "qwertyuiop[]", strict=True)),
    **dict(zip(range(38, 49), "asdfghjkl;'", strict=True)),
    **dict(zip(range(52, 62), "zxcvbnm,./", strict=True)),
}
"""Characters on a Latin keyboard by X11 key code, used for layouts without Latin letters."""
LETTERS = range(ord("a"), ord("z") + 1)
LOCALES = ("C.UTF-8", "C.utf8", "en_US.UTF-8")
BUFFER = 256
"""Initial size of the buffer for typed text, in bytes; it grows if an input method needs more."""


def need_utf8() -> None:
    """Set LC_CTYPE to a UTF-8 locale that X11 supports, or to C if there is none."""
    from pyglet.libs.x11 import xlib

    for name in ("", *LOCALES):
        try:
            if name:
                locale.setlocale(locale.LC_CTYPE, name)
            if locale.getlocale(locale.LC_CTYPE)[1] == "UTF-8" and xlib.XSupportsLocale():
                return
        except (locale.Error, ValueError):
            continue
    locale.setlocale(locale.LC_CTYPE, "C")


class Keyboard:
    """Replacement for pyglet's handling of a window's key events.

    ``writing()`` returns whether typed keys are text. Only then do they go through the input method; otherwise they are
    commands and are not composed.
    """

    def __init__(self, native: Any, writing: Callable[[], bool]) -> None:
        self._native, self._writing = native, writing
        self._window: Any = None
        self._method: Any = None
        self._composing = False
        self._codes: dict[int, int] = {}
        """X11 key codes by pyglet symbol, for keys that have been pressed."""
        if hasattr(native, "_x_display"):
            from pyglet.libs.x11 import xlib

            self._x: Any = xlib
            xlib.XCreateIC.argtypes = [
                xlib.XIM, *[ctypes.c_char_p, ctypes.c_int], *2 * [ctypes.c_char_p, xlib.Window], ctypes.c_void_p
            ]  # fmt: skip
            self._keysym = xlib._lib.XkbKeycodeToKeysym
            self._keysym.restype = ctypes.c_ulong
            self._keysym.argtypes = [ctypes.c_void_p, ctypes.c_ubyte, ctypes.c_int, ctypes.c_int]
            native._event_text_symbol = self.read
            self.open()

    def open(self) -> None:
        """Open the input method for the current X11 window; call it again when that changes.

        Full screen uses a different X11 window.
        """
        x, native = self._x, self._native
        if native._x_ic is None or (self._window == native._window and x.XIMOfIC(native._x_ic)):
            return
        for name in METHODS:
            # The input method may have gone away. Don't wait for it; use Xlib's own from then on.
            if name or self._window is None:
                x.XSetLocaleModifiers(name)
                self._method = x.XOpenIM(native._x_display, None, None, None) or self._method
            made = self._method and x.XCreateIC(
                self._method, b"inputStyle", x.XIMPreeditNothing | x.XIMStatusNothing,
                b"clientWindow", native._window, b"focusWindow", native._window, None,
            )  # fmt: skip
            if made:
                x.XDestroyIC(native._x_ic)
                native._x_ic, self._window = made, native._window
                x.XSetICFocus(made)
                return

    def read(self, event: Any) -> tuple[str | None, int | None]:
        """Return the text of a key event and pyglet's symbol for the key; either may be None."""
        x, key = self._x, event.xkey
        self.open()
        if self._writing():
            self._composing = True
            # The input method expects the focused window, but the event may belong to the view inside it.
            if x.XFilterEvent(event, self._native._window):
                return None, None
        elif self._composing:
            self._composing = False
            if self._native._x_ic is not None:
                x.Xutf8ResetIC(self._native._x_ic)
        symbol = ctypes.c_ulong()
        text = self._text(key, symbol) if event.type == x.KeyPress else ""
        if not symbol.value:
            x.XLookupString(key, None, 0, ctypes.byref(symbol), None)
        named = self._named(symbol.value, key) if key.keycode else None
        if named is not None and event.type == x.KeyPress:
            self._codes[named] = key.keycode
        return _plain(text), named

    def down(self, symbols: Iterable[int]) -> set[int]:
        """Return those of pyglet's ``symbols`` whose keys are held down, according to the X server.

        On other systems, the set is empty.
        """
        if not hasattr(self._native, "_x_display"):
            return set()
        bits = ctypes.create_string_buffer(32)
        self._x.XQueryKeymap(self._native._x_display, bits)
        codes = {symbol: self._codes.get(symbol, 0) for symbol in symbols}
        return {symbol for symbol, code in codes.items() if bits.raw[code >> 3] >> (code & 7) & 1}

    def _text(self, key: Any, symbol: ctypes.c_ulong) -> str:
        """Return the text of a key press, and store its X11 keysym in ``symbol``."""
        x, context = self._x, self._native._x_ic
        if context is None:
            buffer = ctypes.create_string_buffer(BUFFER)
            return buffer.raw[: x.XLookupString(key, buffer, BUFFER, ctypes.byref(symbol), None)].decode(
                "latin-1"
            )
        size, status = BUFFER, ctypes.c_int()
        for _ in range(2):
            buffer = ctypes.create_string_buffer(size)
            told = buffer, size, ctypes.byref(symbol), ctypes.byref(status)
            size = x.Xutf8LookupString(context, key, *told)
            if status.value != x.XBufferOverflow:
                break
        written = status.value in (x.XLookupChars, x.XLookupBoth)
        return buffer.raw[:size].decode("utf-8", "replace") if written else ""

    def _named(self, symbol: int, key: Any) -> int | None:
        """Return pyglet's symbol for a key, with letters in lower case.

        If the layout has no Latin letters, the position of the key determines the letter.
        """
        names = self._native_keys()
        group, held = key.state >> 13 & 3, key.state & (self._x.ControlMask | self._x.Mod1Mask)
        lower = ord(chr(symbol).lower()) if symbol < 0x110000 else symbol
        known = symbol if symbol in names else lower if lower in names else None
        if key.keycode in PLACES and (known is None or held) and not self._latin(group):
            others = (self._keysym(self._native._x_display, key.keycode, n, 0) for n in range(4))
            return next((other for other in others if other in LETTERS), ord(PLACES[key.keycode]))
        if known is None and symbol:
            from pyglet.window import key as keys

            return int(keys.user_key(key.keycode))
        return known

    def _latin(self, group: int) -> bool:
        """Return whether the layout ``group`` has a Latin letter on any key."""
        return any(self._keysym(self._native._x_display, code, group, 0) in LETTERS for code in PLACES)

    @staticmethod
    def _native_keys() -> Any:
        from pyglet.window import key as keys

        return keys._key_names


def _plain(text: str) -> str | None:
    """Return the printable characters of typed text, or None if there are none.

    A text that is just a Return is kept.
    """
    return text if text == "\r" else "".join(c for c in text if c.isprintable()) or None
