"""A window without content that reads keys as the program does, and prints the text and keys received.

python -m tests.app.typed [writing]
"""

from __future__ import annotations

import sys

from shibumi3d.app.platform.keyboard import X11Keyboard, set_utf8_locale


def main(writing: bool) -> None:
    """Open a window; print "ready" when it is activated, "key NAME" for each key and "text TEXT" for text.

    With Ctrl held, a key is printed as "key NAME ctrl". F11 also toggles full screen. If ``writing`` is true, keys are
    read as in a text field.
    """
    set_utf8_locale()
    import pyglet
    from pyglet.window import Window, key

    window = Window(200, 100, "typed")
    keyboard = X11Keyboard(window, lambda: writing)
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]

    def report(*words: str) -> None:
        print(*words, flush=True)

    def pressed(symbol: int, modifiers: int) -> bool:
        report("key", key.symbol_string(symbol), "ctrl" if modifiers & key.MOD_CTRL else "")
        if symbol == key.F11:
            window.set_fullscreen(not window.fullscreen)
            keyboard.open_input_method()
        return True

    window.push_handlers(on_key_press=pressed, on_text=lambda text: report("text", text))
    window.push_handlers(on_activate=lambda: report("ready"))
    pyglet.app.run(None)


if __name__ == "__main__":
    main("writing" in sys.argv)
