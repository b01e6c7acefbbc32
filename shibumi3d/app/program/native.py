"""The window as the system gives it: loads pyglet's window part, opens a window, and says why there is none."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

from shibumi3d.i18n import _

from ..assets import icon
from .app import LEAST
from .clipboard import Trouble
from .keyboard import need_utf8
from .selections import Selections
from .title import TITLE


class NoDisplay(RuntimeError):
    """There is no window system, or none that can draw in three dimensions. The message is a sentence."""


def open_window(size: tuple[int, int], visible: bool) -> Any:
    """A window of pyglet. Raises :class:`NoDisplay` when it can't be opened."""
    from pyglet import gl
    from pyglet.window import NoSuchConfigException, NoSuchDisplayException, Window, WindowException

    make: Any = gl.Config
    # Where eight bits are not asked for, a window without a display has as few as five.
    bits = {"red_size": 8, "green_size": 8, "blue_size": 8}
    config = make(double_buffer=True, depth_size=24, major_version=3, minor_version=3, **bits)
    try:
        window = Window(
            *size, TITLE, config=config, resizable=True, vsync=True, visible=visible, file_drops=True
        )
        window.set_minimum_size(*LEAST)
        if not window.context.get_info().have_version(3, 3):  # some give what they have
            window.close()
            raise NoDisplay(
                _(
                    "Can't open a window: the display doesn't support OpenGL 3.3. Play in the terminal with "
                    "--text."
                )
            )
    except NoSuchDisplayException as problem:
        raise NoDisplay(
            _("Can't open a window: there is no display. Play in the terminal with --text.")
        ) from problem
    except (NoSuchConfigException, WindowException, gl.ContextException) as problem:
        raise NoDisplay(
            _(
                "Can't open a window: the display doesn't support OpenGL 3.3. Play in the terminal with "
                "--text."
            )
        ) from problem
    type(window).register_event_type("on_asked")
    # On a screen that is smaller than the last one the whole window can be seen.
    screen = window.screen
    whole = min(window.width, screen.width), min(window.height, screen.height)
    if whole != window.get_size():
        window.set_size(*whole)
    return window


def share_selections(native: Any) -> Selections | None:
    """What windows hand each other under X11, served in pyglet's loop; None where pyglet itself is to be asked."""
    import pyglet

    if not hasattr(native, "_x_display"):
        return None
    try:
        selections = Selections()
    except Trouble:  # the display takes no more connections
        return None
    loop: Any = pyglet.app.platform_event_loop
    loop.select_devices.add(selections)
    return selections


def picture(size: int) -> Any:
    """The window's icon in a size."""
    import pyglet

    return pyglet.image.load(f"{size}.png", file=BytesIO(icon.png(size)))


def heed_modifiers(native: Any) -> list[int]:
    """Return a list whose only entry is what the last event of X11 said of keys that are held or latched, as pyglet's
    modifiers; elsewhere it stays 0: there systems that latch a key tell that it is down."""
    last = [0]
    translate = getattr(native, "_translate_modifiers", None)
    if translate is not None and hasattr(native, "_x_display"):

        def heeded(state: int) -> int:
            last[0] = translate(state)
            return last[0]

        native._translate_modifiers = heeded
    return last


def greet(native: Any, sign: Any, paper: tuple[float, float, float, float]) -> None:
    """Shows paper and the program's sign while the first page is made."""
    from pyglet import gl

    native.switch_to()
    gl.glClearColor(*paper)
    native.clear()
    gl.glEnable(gl.GL_BLEND)
    gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
    width, height = native.get_framebuffer_size()
    sign.blit((width - sign.width) // 2, (height - sign.height) // 2)
    native.flip()


def on_a_screen(native: Any, place: tuple[int, ...]) -> bool:
    """Whether a window with its upper left corner there can be seen and moved: screens come and go."""
    x, y = place
    return any(
        screen.x <= x + LEAST[0] // 2 < screen.x + screen.width and screen.y <= y < screen.y + screen.height
        for screen in native.display.get_screens()
    )


def load_pyglet() -> Any:
    """Pyglet with its window part, which opens the display when it is imported."""
    import pyglet

    pyglet.options.dpi_scaling = "real"
    if sys.platform not in ("win32", "darwin"):
        need_utf8()
    try:
        import pyglet.window
    except ImportError:
        raise
    except Exception as problem:
        # Its first context, which no window shows, is made in the importing; several modules have this class.
        known = type(problem).__name__ == "NoSuchDisplayException"
        raise NoDisplay(
            _("Can't open a window: there is no display. Play in the terminal with --text.")
            if known
            else _(
                "Can't open a window: the display doesn't support OpenGL 3.3. Play in the terminal with "
                "--text."
            )
        ) from problem
    return pyglet
