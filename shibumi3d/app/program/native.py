"""The native window: loading pyglet, opening a window, and reporting failures."""

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
    """Raised when there is no display, or none that supports OpenGL 3.3.

    The message is shown to the user.
    """


def open_window(size: tuple[int, int], visible: bool) -> Any:
    """Open and return a pyglet window.

    Raises :class:`NoDisplay` if that isn't possible.
    """
    from pyglet import gl
    from pyglet.window import NoSuchConfigException, NoSuchDisplayException, Window, WindowException

    make: Any = gl.Config
    # Unless 8 bits per channel are requested, a headless window may have only 5.
    bits = {"red_size": 8, "green_size": 8, "blue_size": 8}
    config = make(double_buffer=True, depth_size=24, major_version=3, minor_version=3, **bits)
    try:
        window = Window(
            *size, TITLE, config=config, resizable=True, vsync=True, visible=visible, file_drops=True
        )
        window.set_minimum_size(*LEAST)
        if not window.context.get_info().have_version(
            3, 3
        ):  # some drivers return a lower version than requested
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
    # Shrink the window to fit a screen that is smaller than the last one.
    screen = window.screen
    whole = min(window.width, screen.width), min(window.height, screen.height)
    if whole != window.get_size():
        window.set_size(*whole)
    return window


def share_selections(native: Any) -> Selections | None:
    """Start serving the X11 clipboard and drag-and-drop in pyglet's event loop.

    Returns None on other systems, or if the display accepts no more connections. In that case, use pyglet's own
    clipboard.
    """
    import pyglet

    if not hasattr(native, "_x_display"):
        return None
    try:
        selections = Selections()
    except Trouble:  # the display accepts no more connections
        return None
    loop: Any = pyglet.app.platform_event_loop
    loop.select_devices.add(selections)
    return selections


def picture(size: int) -> Any:
    """Return the window icon at the given size."""
    import pyglet

    return pyglet.image.load(f"{size}.png", file=BytesIO(icon.png(size)))


def heed_modifiers(native: Any) -> list[int]:
    """Return a one-element list that always contains the modifiers of the latest X11 event.

    The value includes latched (sticky) keys and uses pyglet's encoding. On other systems, the value stays 0, because
    pyglet itself reports latched keys as pressed there.
    """
    last = [0]
    translate = getattr(native, "_translate_modifiers", None)
    if translate is not None and hasattr(native, "_x_display"):

        def heeded(state: int) -> int:
            last[0] = translate(state)
            return last[0]

        native._translate_modifiers = heeded
    return last


def greet(native: Any, sign: Any, paper: tuple[float, float, float, float]) -> None:
    """Show the program's icon on blank paper until the first page is ready."""
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
    """Return whether a window with this top left corner would be reachable on a current screen."""
    x, y = place
    return any(
        screen.x <= x + LEAST[0] // 2 < screen.x + screen.width and screen.y <= y < screen.y + screen.height
        for screen in native.display.get_screens()
    )


def load_pyglet() -> Any:
    """Import pyglet with its window module, which opens the display.

    Raises :class:`NoDisplay` if there is no usable display.
    """
    import pyglet

    pyglet.options.dpi_scaling = "real"
    pyglet.options.debug_gl = False  # else pyglet asks for errors after each of its OpenGL calls
    if sys.platform not in ("win32", "darwin"):
        need_utf8()
    try:
        import pyglet.window
    except ImportError:
        raise
    except Exception as problem:
        # The import creates a first, hidden context. Several modules define this exception, so compare its name.
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
