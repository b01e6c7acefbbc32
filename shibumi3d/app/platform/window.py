"""The program window: event handlers, redraw scheduling and the event loop."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from shibumi3d import i18n
from shibumi3d.assets import icon
from shibumi3d.catalogue.catalogue import Catalogue
from shibumi3d.i18n import _
from shibumi3d.match.store import MatchStore
from shibumi3d.render.shader_cache import disable_cache_if_disk_full
from shibumi3d.scene.style import make_style

from ..application import Application, automatic_scale
from ..host.services import Services
from ..host.settings import load_settings
from ..host.sound import PygletAudio
from ..shell.crash_reporting import MAX_REPEATED_FAILURES, FailureCounter, log
from ..shell.trace import TraceFile
from ..ui.canvas import Canvas
from ..ui.widget import Key
from . import gamepad, keyboard
from .drag_and_drop import DropTarget, open_dropped
from .keyboard import KeyRepeat, X11Keyboard
from .pyglet_window import (
    enlarge_window,
    is_on_a_screen,
    load_pyglet,
    open_pyglet_window,
    screen_size,
    serve_selections,
    show_splash,
    track_modifiers,
    window_icon,
    x11_window_id,
)
from .screen_reader import ScreenReader
from .window_title import WindowTitle

MOUSE_BUTTON_NAMES = {1: "left", 2: "middle", 4: "right"}
"""Names of the mouse buttons, by pyglet's numbers."""


def catch_errors(handler: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an event handler so that exceptions are passed to ``self.handle_error`` instead of being raised.

    After an exception, the handler returns True. Repeated failures still end the program, because ``handle_error`` then
    raises the exception again.
    """

    @wraps(handler)
    def handle(self: ProgramWindow | MouseHandlers, *args: Any, **named: Any) -> Any:
        start = time.monotonic()
        try:
            return handler(self, *args, **named)
        except Exception as problem:
            self.handle_error(problem, start)
            return True

    return handle


class MouseHandlers:
    """Handlers of pyglet's mouse events.

    Pyglet measures positions from the bottom of the window, in units that may differ from framebuffer pixels.
    """

    def __init__(self, window: ProgramWindow) -> None:
        self._window = window
        self.handle_error = window.handle_error

    @catch_errors
    def on_mouse_motion(self, x: float, y: float, dx: float, dy: float) -> None:
        self._window.app.root.mouse_move(*self._follow_pointer(x, y))
        self._window.after_input()

    @catch_errors
    def on_mouse_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        window = self._window
        window.app.page_fade.end()
        window.app.root.mouse_press(
            *self._to_logical(x, y), MOUSE_BUTTON_NAMES.get(button, ""), window.held_modifiers(modifiers)
        )
        window.after_input()

    @catch_errors
    def on_mouse_release(self, x: float, y: float, button: int, modifiers: int) -> None:
        window = self._window
        window.app.root.mouse_release(
            *self._to_logical(x, y), MOUSE_BUTTON_NAMES.get(button, ""), window.held_modifiers(modifiers)
        )
        window.after_input()

    @catch_errors
    def on_mouse_drag(self, x: float, y: float, dx: float, dy: float, buttons: int, modifiers: int) -> None:
        window = self._window
        share = self._pixels_per_unit() / window.app.scale
        button = next((name for bit, name in MOUSE_BUTTON_NAMES.items() if buttons & bit), "")
        way = dx * share, -dy * share
        window.app.root.mouse_drag(
            *self._follow_pointer(x, y), *way, button, window.held_modifiers(modifiers)
        )
        window.after_input()

    @catch_errors
    def on_mouse_scroll(self, x: float, y: float, scroll_x: float, scroll_y: float) -> None:
        """Pass a turn of the mouse wheel to the widgets under the pointer or, if none uses it, scroll the page."""
        # Pyglet doesn't pass the modifiers of wheel events.
        window = self._window
        if not window.app.root.mouse_scroll(
            *self._to_logical(x, y), scroll_x, scroll_y, window.held_modifiers(None)
        ):
            window.app.scroll_by_notches(scroll_x, scroll_y)
        window.after_input()

    @catch_errors
    def on_mouse_leave(self, x: float, y: float) -> None:
        self._window.app.root.mouse_leave()
        self._window.after_input()

    def _pixels_per_unit(self) -> float:
        """Return the number of framebuffer pixels per unit of pyglet's mouse positions."""
        native = self._window.pyglet_window
        return float(native.get_framebuffer_size()[0] / max(1, native.get_size()[0]))

    def _to_logical(self, x: float, y: float) -> tuple[float, float]:
        dense = self._pixels_per_unit()
        return self._window.app.to_logical(x * dense, (self._window.pyglet_window.get_size()[1] - y) * dense)

    def _follow_pointer(self, x: float, y: float) -> tuple[float, float]:
        """Scroll the page to follow the pointer if needed; return the pointer's position in logical pixels.

        ``x`` and ``y`` are in pyglet's units, measured from the bottom left of the window.
        """
        dense = self._pixels_per_unit()
        return self._window.app.follow_pointer(
            x * dense, (self._window.pyglet_window.get_size()[1] - y) * dense
        )


FRAME_SECONDS = 1 / 60
MIN_DELAY_SECONDS = 1e-6
"""Minimum delay of a scheduled call, in seconds, so that pending input is handled first."""
DAY_CHECK_SECONDS = 600
"""Maximum interval between checks of the date, in seconds."""
CTRL_KEYS = frozenset(("lctrl", "rctrl", "lcommand", "rcommand"))
ALT_KEYS = frozenset(("lalt", "ralt", "lmeta", "rmeta", "loption", "roption"))
DEVICE_START_DELAY_SECONDS = 0.5
"""Seconds between the first frame and the start of sound, screen reader and gamepad support.

Nothing can be drawn while these are being started.
"""


class ProgramWindow:
    """Pyglet window of the program, with its event handlers and event loop.

    ``config`` and ``cache`` are the folders for settings and thumbnails; without ``cache``, there are no thumbnails.
    Raises :class:`.NoDisplayError` if the window can't be opened.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        store: MatchStore,
        config: Path,
        *,
        trace: TraceFile | None = None,
        visible: bool = True,
        cache: Path | None = None,
    ) -> None:
        full = disable_cache_if_disk_full()
        self.pyglet = load_pyglet()
        i18n.set_language(i18n.startup_language("", os.environ))
        loaded = load_settings(config)
        settings = loaded.settings
        self.key_names = self.pyglet.window.key
        self.pyglet_window = open_pyglet_window(settings.size, visible)
        self.pyglet_window.set_icon(*(window_icon(size) for size in icon.WINDOW_SIZES_PX))
        pixel_density = max(1.0, (self.pyglet_window.dpi or 96) / 96)
        if loaded.is_first_start and pixel_density == 1.0:
            enlarge_window(self.pyglet_window, automatic_scale(screen_size(self.pyglet_window)))
        if settings.place and is_on_a_screen(self.pyglet_window, settings.place):
            self.pyglet_window.set_location(*settings.place)
        show_splash(
            self.pyglet_window,
            window_icon(icon.WINDOW_SIZES_PX[-1]),
            make_style(*settings.style_arguments).page,
        )
        self._failures = FailureCounter(time.monotonic)
        self._fatal_error: Exception | None = None
        """Exception that ends the program, or None."""
        self._is_draw_scheduled = False
        self._is_closed = False
        self._last_pressed_name = ""
        self._was_key_used = False
        self._pointer_shape: str | None = None
        self._pressed_keys: dict[int, Key] = {}
        """Keys that are down, by pyglet symbol."""
        self._last_modifiers = track_modifiers(self.pyglet_window)
        self._pyglet_pressed_keys: set[int] = getattr(self.pyglet_window, "pressed_keys", set())
        """Set of pressed keys that pyglet itself uses to tell presses from repeats."""
        self._keyboard = X11Keyboard(self.pyglet_window, lambda: is_typing(self.app))
        self._gamepad_listeners: list[object] = []
        self.title = WindowTitle(self.pyglet_window.set_caption)
        width, height = self.pyglet_window.get_framebuffer_size()
        self._selections = serve_selections(self.pyglet_window)
        board = self._selections
        services = Services(
            config_folder=config,
            clock=time.monotonic,
            schedule=self._schedule,
            audio=PygletAudio(),
            on_close=self.close,
            toggle_fullscreen=self._toggle_fullscreen,
            write_clipboard=board.write_clipboard
            if board is not None
            else self.pyglet_window.set_clipboard_text,
            read_clipboard=board.read_clipboard
            if board is not None
            else self.pyglet_window.get_clipboard_text,
            on_rest=trace.write if trace is not None else None,
            get_window_id=lambda: x11_window_id(self.pyglet_window),
            pixel_density=pixel_density,
            screen_size=screen_size(self.pyglet_window),
            cache_folder=cache,
        )
        self.app = Application(
            Canvas(),
            catalogue,
            store,
            services,
            loaded,
        )
        self._key_repeat = KeyRepeat(self.app.schedule, self.press_key)
        if full is not None:
            self.app.show_warning(
                _(
                    "The disk is full, so the graphics driver can't save its cache in {path}. Starting will "
                    "take longer until you free some space.",
                    path=full,
                )
            )
        if board is not None:
            DropTarget(self.pyglet_window, board)
        self.app.resize(width, height)
        self.screen_reader = ScreenReader(self.app, self._post_reader_request)
        self._mouse_handlers = MouseHandlers(self)
        self.pyglet_window.push_handlers(self, self._mouse_handlers)

    # Drawing

    def schedule_draw(self) -> None:
        """Schedule a redraw if one is needed."""
        if (
            not self._is_draw_scheduled
            and not self._is_closed
            and (self.app.root.dirty or self.app.is_moving)
        ):
            self._is_draw_scheduled = True
            self.pyglet.clock.schedule_once(self._on_draw, 0)

    @catch_errors
    def draw(self, *, boards: bool = True) -> None:
        """Draw a frame now and show it; if ``boards`` is false, the boards are only sketched.

        Also update the window's title. If ``boards`` is true and nothing is moving, update screen readers too.
        """
        self.pyglet_window.switch_to()
        self.app.draw(render_boards=boards)
        self.pyglet_window.flip()
        resting = boards and self.app.is_resting
        if resting:
            self.app.report_rest()
        self.title.update(self.app, resting)
        if boards and not self.app.is_moving:
            self.screen_reader.update()

    def _on_draw(self, dt: float) -> None:
        self._is_draw_scheduled = False
        if self._is_closed:
            return
        self.draw()
        if (self.app.is_moving or self.app.root.dirty) and not self._is_draw_scheduled:
            self._is_draw_scheduled = True
            self.pyglet.clock.schedule_once(self._on_draw, FRAME_SECONDS)

    def _schedule(self, delay: float, callback: Callable[[], None]) -> None:
        # Before polling for input, pyglet runs all calls that are due, including those scheduled in the meantime.
        self.pyglet.clock.schedule_once(
            lambda dt: self._run_scheduled(callback), max(delay, MIN_DELAY_SECONDS)
        )

    @catch_errors
    def _run_scheduled(self, callback: Callable[[], None]) -> None:
        if not self._is_closed:
            callback()
            self.schedule_draw()

    # Running and closing

    def run(self) -> None:
        """Draw the page, and run the event loop until the window is closed.

        If an exception ends the program, it is raised again after the window has been closed.
        """
        # Drawing a board for the first time may take seconds, so first show the page with a sketch of it.
        self.app.page_fade.end()
        self.draw(boards=False)
        self.app.root.dirty = True
        self.schedule_draw()
        self._watch_date()
        self._schedule(DEVICE_START_DELAY_SECONDS, self.app.sounds.open)
        self._schedule(DEVICE_START_DELAY_SECONDS, self.screen_reader.listen)
        self._schedule(
            DEVICE_START_DELAY_SECONDS,
            lambda: self._gamepad_listeners.append(gamepad.listen_to_gamepads(self.press_key)),
        )
        while self._fatal_error is None:
            began = time.monotonic()
            try:
                self.pyglet.app.run(None)
                break
            except Exception as problem:
                # The exception was raised by pyglet itself, or is meant to end the program.
                if self._fatal_error is None:
                    self.handle_error(problem, began)
        try:
            self.close()
        finally:
            if self._fatal_error is not None:
                raise self._fatal_error

    def _watch_date(self) -> None:
        """Check whether the date has changed: now, at midnight, and at least every :data:`DAY_CHECK_SECONDS` seconds.

        Midnight alone isn't enough, because the machine may sleep or its clock may be set.
        """
        self.app.check_date()
        now = self.app.results.problems.now()
        seconds = 86400 - (now.hour * 60 + now.minute) * 60 - now.second
        self._schedule(min(seconds, DAY_CHECK_SECONDS), self._watch_date)

    @catch_errors
    def press_key(self, key: Key) -> None:
        """Handle a key press that isn't a keyboard event: a gamepad button, or the repeat of a held key."""
        self.app.page_fade.end()
        self.app.handle_key(key)
        self.after_input()

    def handle_error(self, error: Exception, began: float) -> None:
        """Report an exception to the player and keep running.

        ``began`` is the time at which the handler that failed was called. If the exception can't be reported, has
        occurred :data:`.MAX_REPEATED_FAILURES` times in quick succession, or follows one that is already ending the
        program, it is raised again and the program ends.
        """
        if self._fatal_error is None:
            times = self._failures.log_failure(error, began)
            try:
                if times < MAX_REPEATED_FAILURES:
                    self.app.report_failure(error, times > 1)
                    self.after_input()
                    self._failures.mark_reported()
                    return
            except Exception:
                log.exception(repr(error))
            self._fatal_error = error
            self.pyglet.app.exit()
        raise error

    def close(self) -> None:
        """Close the window and end the program.

        The size and position of the window are saved unless it is in full screen.
        """
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self.app.close()
            if not self.pyglet_window.fullscreen:
                # A window without a screen has no location.
                place = tuple(self.pyglet_window.get_location() or ())
                self.app.change_settings(size=self.pyglet_window.get_size(), place=place)
            self.pyglet_window.remove_handlers(self, self._mouse_handlers)
            self.pyglet_window.switch_to()
            self.app.release()
            self.pyglet_window.close()
        finally:
            # The event loop must end even if something above has failed.
            self.pyglet.app.exit()
            if self._selections is not None:
                self.pyglet.app.platform_event_loop.select_devices.discard(self._selections)
                self._selections.close()
                self._selections = None

    def _toggle_fullscreen(self) -> None:
        # On systems that create a new window for full screen, releases still go to the old one.
        self.app.root.cancel_press()
        self.pyglet_window.set_fullscreen(not self.pyglet_window.fullscreen)
        self._keyboard.open_input_method()
        self._schedule(0, self._release_missed_keys)

    # Pyglet events

    @catch_errors
    def on_resize(self, width: int, height: int) -> None:
        """Lay out the page for the new size of the framebuffer."""
        self.app.resize(*self.pyglet_window.get_framebuffer_size())
        self.schedule_draw()

    @catch_errors
    def on_expose(self) -> None:
        """Redraw the window when a part of it that was covered becomes visible again."""
        self.app.root.dirty = True
        self.schedule_draw()

    @catch_errors
    def on_close(self) -> bool:
        """Close the window; return True to keep pyglet from closing it itself."""
        self.close()
        return True

    @catch_errors
    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Handle a key press; return True to keep pyglet from handling it too."""
        key = keyboard.to_key(self.key_names, symbol, modifiers)
        self._pressed_keys[symbol] = key
        self._last_pressed_name = key.name
        self._key_repeat.begin(key, is_typing(self.app))
        self.app.page_fade.end()
        self._was_key_used = self.app.handle_key(key)
        self.after_input()
        return True

    @catch_errors
    def on_key_release(self, symbol: int, modifiers: int) -> None:
        self._was_key_used = False
        self._key_repeat.end()
        down = self._pyglet_pressed_keys
        if symbol not in down:
            # The key was pressed under another name, e.g. because of Shift, and is still recorded under that name.
            # Without this, pyglet would mistake its next press for a repeat.
            down.clear()
        key = keyboard.to_key(self.key_names, symbol, modifiers)
        self._pressed_keys.pop(symbol, None)
        # With Shift, a modifier may be released under another name, so forget its whole group.
        group = next((group for group in (CTRL_KEYS, ALT_KEYS) if key.name in group), frozenset())
        self._pressed_keys = {
            each: down for each, down in self._pressed_keys.items() if down.name not in group
        }
        self.app.root.key_release(key)
        self.after_input()

    @catch_errors
    def on_text(self, text: str) -> None:
        """Handle typed text, unless the key press has already been used."""
        if not self._was_key_used:
            self.app.root.type_text(text)
            self.after_input()

    @catch_errors
    def on_text_motion(self, motion: int) -> None:
        """Handle repeats of a held arrow key, Backspace or Delete; :meth:`on_key_press` has handled the first press."""
        name = keyboard.TEXT_MOTION_KEYS.get(str(self.key_names.motion_string(motion)), "")
        if name and name != self._last_pressed_name:
            self.app.root.key_press(Key(name))
        self._last_pressed_name = ""
        self.after_input()

    def _post_reader_request(self) -> None:
        """Notify the window's thread of a screen reader's request; called from another thread."""
        self.pyglet.app.platform_event_loop.post_event(self.pyglet_window, "on_reader_request")

    @catch_errors
    def on_reader_request(self) -> None:
        """Handle the queued requests of screen readers."""
        self.app.page_fade.end()
        self.screen_reader.handle_requests()
        self.after_input()

    @catch_errors
    def on_activate(self) -> None:
        """Handle the window getting the focus."""
        self.screen_reader.set_window_focus(True)
        self._release_missed_keys()
        self.app.check_date()
        self.schedule_draw()
        self.app.current_page.on_foreground()

    @catch_errors
    def on_deactivate(self) -> None:
        """Handle the window losing the focus.

        All held keys count as released, because another window will receive their releases.
        """
        self.screen_reader.set_window_focus(False)
        self._pyglet_pressed_keys &= self._keyboard.keys_down(self._pyglet_pressed_keys)
        self._release_keys(set(self._pressed_keys))
        self.app.is_in_background = True

    @catch_errors
    def on_file_drop(self, x: float, y: float, paths: list[str]) -> None:
        """Open the first of the files that were dropped on the window."""
        self.app.page_fade.end()
        open_dropped(self.app, paths)
        self.after_input()

    # Helpers

    def _release_missed_keys(self) -> None:
        """Treat keys as released if they are no longer down.

        This is needed because the window may have missed their releases. Without an X server, all keys count as
        released.
        """
        down = self._keyboard.keys_down(self._pyglet_pressed_keys | set(self._pressed_keys))
        self._pyglet_pressed_keys &= down
        self._release_keys(set(self._pressed_keys) - down)

    def _release_keys(self, symbols: set[int]) -> None:
        """Treat the keys with these pyglet symbols as released, because their actual release isn't reported."""
        for symbol in symbols:
            self.app.root.key_release(self._pressed_keys.pop(symbol))
        if symbols:
            self._key_repeat.end()
            self.schedule_draw()

    def held_modifiers(self, modifiers: int | None) -> Key:
        """Return a :class:`Key` with the modifiers that are held now; its name is meaningless.

        ``modifiers`` is pyglet's bit mask, or None for events that don't have one. If it is None, only Ctrl and Alt are
        reported: each counts as held if it was active in the last X11 event or if its key is down.
        """
        held = keyboard.to_key(
            self.key_names, 0, self._last_modifiers[-1] if modifiers is None else modifiers
        )
        if modifiers is not None:
            return held
        # With sticky keys, a modifier may be active although its key isn't down.
        names = {key.name for key in self._pressed_keys.values()}
        return Key("", held.ctrl or bool(names & CTRL_KEYS), alt=held.alt or bool(names & ALT_KEYS))

    def after_input(self) -> None:
        """Update the page and the pointer shape after an input event, and schedule a redraw if one is needed."""
        if self._is_closed:
            return
        self.app.is_in_background = False
        self.app.current_page.on_input()
        hover = self.app.root.hovered
        kinds = {"hand": self.pyglet_window.CURSOR_HAND, "text": self.pyglet_window.CURSOR_TEXT}
        wanted = kinds.get(hover.cursor_shape) if hover is not None and hover.enabled else None
        if wanted != self._pointer_shape:
            self._pointer_shape = wanted
            self.pyglet_window.set_mouse_cursor(self.pyglet_window.get_system_mouse_cursor(wanted))
        self.schedule_draw()


def is_typing(app: Application) -> bool:
    """Return whether typed characters are text rather than commands."""
    focus = app.root.focus
    return (focus is not None and focus.is_text_input) or (
        app.current_page.takes_typed_letters and not app.root.popups
    )
