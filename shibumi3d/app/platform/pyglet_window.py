"""The native window: loading pyglet, opening a window, and reporting failures."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import Any

from shibumi3d.assets import icon
from shibumi3d.i18n import _

from ..application import MIN_WINDOW_SIZE_PX
from ..shell.clipboard import ClipboardError
from .keyboard import set_utf8_locale
from .window_title import PROGRAM_TITLE
from .x11_selections import X11Selections


class NoDisplayError(RuntimeError):
    """Raised when there is no display, or none that supports OpenGL 3.3.

    The message is shown to the user.
    """


def open_pyglet_window(size: tuple[int, int], visible: bool) -> Any:
    """Open and return a pyglet window of the given ``size``, but no larger than the screen.

    Raises :class:`NoDisplayError` if that isn't possible.
    """
    import pyglet
    from pyglet import gl
    from pyglet.window import NoSuchConfigException, NoSuchDisplayException, Window, WindowException

    make: Any = gl.Config
    # Unless 8 bits per channel are requested, a headless window may have only 5.
    bits = {"red_size": 8, "green_size": 8, "blue_size": 8}
    config = make(double_buffer=True, depth_size=24, major_version=3, minor_version=3, **bits)
    try:
        if pyglet.options.headless:
            # Unlike a window on a screen, a headless one may also have 10, and is then slower to draw.
            matching = pyglet.display.get_display().get_default_screen().get_matching_configs(config)
            config = next((found for found in matching if found.red_size == 8), config)
        window = Window(
            *size, PROGRAM_TITLE, config=config, resizable=True, vsync=True, visible=visible, file_drops=True
        )
        window.set_minimum_size(*MIN_WINDOW_SIZE_PX)
        if not window.context.get_info().have_version(
            3, 3
        ):  # some drivers return a lower version than requested
            window.close()
            raise NoDisplayError(
                _(
                    "Can't open a window: the display doesn't support OpenGL 3.3. Play in the terminal with "
                    "--text."
                )
            )
    except NoSuchDisplayException as problem:
        raise NoDisplayError(
            _("Can't open a window: there is no display. Play in the terminal with --text.")
        ) from problem
    except (NoSuchConfigException, WindowException, gl.ContextException) as problem:
        raise NoDisplayError(
            _(
                "Can't open a window: the display doesn't support OpenGL 3.3. Play in the terminal with "
                "--text."
            )
        ) from problem
    type(window).register_event_type("on_reader_request")
    # Shrink the window to fit a screen that is smaller than the last one.
    screen = window.screen
    whole = min(window.width, screen.width), min(window.height, screen.height)
    if whole != window.get_size():
        window.set_size(*whole)
    return window


def serve_selections(pyglet_window: Any) -> X11Selections | None:
    """Start serving the X11 clipboard and drag-and-drop in pyglet's event loop.

    Returns the object that serves them. If the window isn't an X11 window or the display accepts no more connections,
    returns None, and pyglet's own clipboard must be used.
    """
    import pyglet

    if not hasattr(pyglet_window, "_x_display"):
        return None
    try:
        selections = X11Selections()
    except ClipboardError:  # the display accepts no more connections
        return None
    loop: Any = pyglet.app.platform_event_loop
    loop.select_devices.add(selections)
    return selections


def window_icon(size: int) -> Any:
    """Return the window icon, ``size`` pixels wide and high."""
    import pyglet

    return pyglet.image.load(f"{size}.png", file=BytesIO(icon.png_data(size)))


def track_modifiers(pyglet_window: Any) -> list[int]:
    """Return a one-element list that holds the modifiers of the latest X11 key or mouse button event.

    The list is updated as events arrive. Wheel events count as button events, and pointer motion updates the list only
    while a button is down. The value includes latched (sticky) keys and uses pyglet's encoding. On other systems, it
    stays 0, because pyglet itself reports latched keys as pressed there.
    """
    last = [0]
    translate = getattr(pyglet_window, "_translate_modifiers", None)
    if translate is not None and hasattr(pyglet_window, "_x_display"):

        def heeded(state: int) -> int:
            last[0] = translate(state)
            return last[0]

        pyglet_window._translate_modifiers = heeded
    return last


def show_splash(pyglet_window: Any, icon_image: Any, background: tuple[float, float, float, float]) -> None:
    """Draw ``icon_image`` on a plain background; the picture remains until the first page is drawn."""
    from pyglet import gl

    pyglet_window.switch_to()
    gl.glClearColor(*background)
    pyglet_window.clear()
    gl.glEnable(gl.GL_BLEND)
    gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
    width, height = pyglet_window.get_framebuffer_size()
    icon_image.blit((width - icon_image.width) // 2, (height - icon_image.height) // 2)
    pyglet_window.flip()


def is_on_a_screen(pyglet_window: Any, position: tuple[int, ...]) -> bool:
    """Return whether a window whose top left corner is at ``position`` would be reachable on a screen.

    The point tested is on the window's top edge, half the minimum window width to the right of the corner.
    """
    x, y = position
    return any(
        screen.x <= x + MIN_WINDOW_SIZE_PX[0] // 2 < screen.x + screen.width
        and screen.y <= y < screen.y + screen.height
        for screen in pyglet_window.display.get_screens()
    )


def x11_window_id(pyglet_window: Any) -> int:
    """Return the X11 ID of a window, or 0 if it has none."""
    found = getattr(pyglet_window, "_window", 0) if sys.platform.startswith("linux") else 0
    return int(found or 0)


def screen_size(pyglet_window: Any) -> tuple[int, int]:
    """Return the size of the window's screen, in framebuffer pixels."""
    screen, ratio = pyglet_window.screen, pyglet_window.get_framebuffer_size()[0] / pyglet_window.width
    return round(screen.width * ratio), round(screen.height * ratio)


def enlarge_window(pyglet_window: Any, scale: float) -> None:
    """Multiply the size of the window by ``scale``, up to the size of its screen."""
    screen, (width, height) = pyglet_window.screen, pyglet_window.get_size()
    whole = min(round(width * scale), screen.width), min(round(height * scale), screen.height)
    if whole != (width, height):
        pyglet_window.set_size(*whole)


def load_pyglet() -> Any:
    """Import and configure pyglet and its window module, and return pyglet.

    Importing the window module opens the display. Raises ImportError if pyglet can't be imported, or
    :class:`NoDisplayError` if there is no usable display.
    """
    import pyglet

    pyglet.options.dpi_scaling = "real"
    pyglet.options.debug_gl = False  # otherwise, pyglet checks for errors after each of its OpenGL calls
    if sys.platform not in ("win32", "darwin"):
        set_utf8_locale()
    try:
        import pyglet.window
    except ImportError:
        raise
    except Exception as problem:
        # The import creates a first, hidden context. Several modules define this exception, so compare its name.
        known = type(problem).__name__ == "NoSuchDisplayException"
        raise NoDisplayError(
            _("Can't open a window: there is no display. Play in the terminal with --text.")
            if known
            else _(
                "Can't open a window: the display doesn't support OpenGL 3.3. Play in the terminal with "
                "--text."
            )
        ) from problem
    return pyglet
