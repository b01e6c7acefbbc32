"""The program's window; passes input to :class:`App` and redraws only when something has changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from shibumi3d import i18n
from shibumi3d.catalogue.catalogue import Catalogue
from shibumi3d.i18n import _
from shibumi3d.match.store import Store
from shibumi3d.render.shader_cache import ensure_room
from shibumi3d.scene.style import style

from ..assets import icon
from ..host.settings import load
from ..host.sound import PygletSpeaker
from ..ui.canvas import Canvas
from ..ui.core import Key
from . import keys, pad
from .app import App
from .drops import Drops, open_dropped
from .holding import Holding
from .keyboard import Keyboard
from .mishaps import AGAIN, Mishaps, living, log
from .mouse import Mouse
from .native import NoDisplay as NoDisplay
from .native import greet, heed_modifiers, load_pyglet, on_a_screen, open_window, picture, share_selections
from .reader import Reader
from .title import Title
from .trace import Trace

FRAME = 1 / 60
SOON = 1e-6
"""Minimum delay of a scheduled call, in seconds, so that pending input is handled first."""
DAY_CHECK_SECONDS = 600
"""Maximum interval between checks for whether the date has changed, in seconds."""
CTRL = frozenset(("lctrl", "rctrl", "lcommand", "rcommand"))
ALT = frozenset(("lalt", "ralt", "lmeta", "rmeta", "loption", "roption"))
LISTEN = 0.5
"""Seconds between the first picture and the start of sound, screen reader and gamepad support.

Nothing can be drawn while these are being started.
"""


class Window:
    """Pyglet window that runs the program.

    Raises :class:`NoDisplay` if it can't be opened.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        store: Store,
        config: Path,
        *,
        trace: Trace | None = None,
        visible: bool = True,
        cache: Path | None = None,
    ) -> None:
        full = ensure_room()
        self.pyglet = load_pyglet()
        i18n.use(i18n.chosen("", os.environ))
        loaded = load(config)
        settings = loaded.settings
        self.key_names = self.pyglet.window.key
        self.native = open_window(settings.size, visible)
        self.native.set_icon(*(picture(size) for size in icon.SIZES))
        if settings.place and on_a_screen(self.native, settings.place):
            self.native.set_location(*settings.place)
        greet(self.native, picture(icon.SIZES[-1]), style(*settings.drawn).page)
        self._mishaps = Mishaps(time.monotonic)
        self._fatal: Exception | None = None
        """Exception that ends the program, or None."""
        self._pending = False
        self._over = False
        self._fresh = ""
        self._used = False
        self._cursor: str | None = None
        self._pressed: dict[int, Key] = {}
        """Keys that are down, by pyglet symbol."""
        self._state = heed_modifiers(self.native)
        self._held_keys: set[int] = getattr(self.native, "pressed_keys", set())
        """pyglet's own set of pressed keys, by which it tells presses from repetitions."""
        self._holding = Holding(lambda delay, what: self.app.later(delay, what), self.press)
        self._keyboard = Keyboard(self.native, lambda: writing(self.app))
        self._pads: list[object] = []
        self.title = Title(self.native.set_caption)
        width, height = self.native.get_framebuffer_size()
        self._selections = share_selections(self.native)
        board = self._selections
        self.app = App(
            Canvas(),
            catalogue,
            store,
            config,
            loaded,
            clock=time.monotonic,
            later=self._later,
            leave=self.close,
            speaker=PygletSpeaker(),
            fullscreen=self._fullscreen,
            copy=board.write if board is not None else self.native.set_clipboard_text,
            paste=board.read if board is not None else self.native.get_clipboard_text,
            trace=trace,
            dense=max(1.0, (self.native.dpi or 96) / 96),
            cache=cache,
        )
        if full is not None:
            self.app.warn(
                _(
                    "The disk is full, so the graphics driver can't save its cache in {path}. Starting will "
                    "take longer until you free some space.",
                    path=full,
                )
            )
        if board is not None:
            Drops(self.native, board)
        self.app.resize(width, height)
        self.reader = Reader(self.app, self._asked)
        self._mouse = Mouse(self)
        self.native.push_handlers(self, self._mouse)

    # Drawing

    def wake(self) -> None:
        """Schedule a redraw if one is needed."""
        if not self._pending and not self._over and (self.app.root.dirty or self.app.moving):
            self._pending = True
            self.pyglet.clock.schedule_once(self._draw, 0)

    @living
    def draw(self, *, boards: bool = True) -> None:
        """Draw a picture now and show it; if ``boards`` is false, the boards are left out."""
        self.native.switch_to()
        self.app.draw(boards=boards)
        self.native.flip()
        resting = boards and self.app.resting
        if resting:
            self.app.settled()
        self.title.say(self.app, resting)
        if boards and not self.app.moving:
            self.reader.update()

    def _draw(self, dt: float) -> None:
        self._pending = False
        if self._over:
            return
        self.draw()
        if (self.app.moving or self.app.root.dirty) and not self._pending:
            self._pending = True
            self.pyglet.clock.schedule_once(self._draw, FRAME)

    def _later(self, delay: float, what: Any) -> None:
        # Before polling for input, pyglet runs all calls that are due, including those scheduled in the meantime.
        self.pyglet.clock.schedule_once(lambda dt: self._call(what), max(delay, SOON))

    @living
    def _call(self, what: Callable[[], None]) -> None:
        if not self._over:
            what()
            self.wake()

    # Running and closing

    def run(self) -> None:
        """Show the window and run the event loop until it is closed."""
        # Drawing a board for the first time may take seconds, so show the rest of the page until then.
        self.app.hurry()
        self.draw(boards=False)
        self.app.root.dirty = True
        self.wake()
        self._watch_day()
        self._later(LISTEN, self.app.sounds.open)
        self._later(LISTEN, self.reader.listen)
        self._later(LISTEN, lambda: self._pads.append(pad.listen(self.press)))
        while self._fatal is None:
            began = time.monotonic()
            try:
                self.pyglet.app.run(None)
                break
            except Exception as problem:
                # The exception was raised by pyglet itself, or is meant to end the program.
                if self._fatal is None:
                    self.survive(problem, began)
        try:
            self.close()
        finally:
            if self._fatal is not None:
                raise self._fatal

    def _watch_day(self) -> None:
        """Check whether the date has changed: now, at midnight, and at intervals.

        The intervals are needed because the machine may sleep or its clock may be set.
        """
        self.app.check_day()
        now = self.app.results.problems.now()
        seconds = 86400 - (now.hour * 60 + now.minute) * 60 - now.second
        self._later(min(seconds, DAY_CHECK_SECONDS), self._watch_day)

    @living
    def press(self, key: Key) -> None:
        """Handle a key without a keyboard event: a gamepad button, or the repeat of a held key."""
        self.app.hurry()
        self.app.key(key)
        self.finish()

    def survive(self, problem: Exception, began: float) -> None:
        """Report an exception to the player and keep running.

        ``began`` is the time at which the failed handler was called. If the exception can't be reported, or has
        occurred :data:`AGAIN` times in quick succession, it is raised again, which ends the program.
        """
        if self._fatal is None:
            times = self._mishaps.met(problem, began)
            try:
                if times < AGAIN:
                    self.app.failed(problem, times > 1)
                    self.finish()
                    self._mishaps.said()
                    return
            except Exception:
                log.exception(repr(problem))
            self._fatal = problem
            self.pyglet.app.exit()
        raise problem

    def close(self) -> None:
        """Close the window and end the program; everything has already been saved."""
        if self._over:
            return
        self._over = True
        try:
            self.app.close()
            if not self.native.fullscreen:
                # A window without a screen has no location.
                place = tuple(self.native.get_location() or ())
                self.app.change(size=self.native.get_size(), place=place)
            self.native.remove_handlers(self, self._mouse)
            self.native.switch_to()
            self.app.release()
            self.native.close()
        finally:
            # The event loop must end even if something above has failed.
            self.pyglet.app.exit()
            if self._selections is not None:
                self.pyglet.app.platform_event_loop.select_devices.discard(self._selections)
                self._selections.close()
                self._selections = None

    def _fullscreen(self) -> None:
        # On systems that create a new window for full screen, releases still go to the old one.
        self.app.root.cancel_press()
        self.native.set_fullscreen(not self.native.fullscreen)
        self._keyboard.open()
        self._later(0, self._check_keys)

    # Pyglet events

    @living
    def on_resize(self, width: int, height: int) -> None:
        """Lay out the page for the new size of the framebuffer."""
        self.app.resize(*self.native.get_framebuffer_size())
        self.wake()

    @living
    def on_expose(self) -> None:
        """Redraw the window when a part of it that was covered becomes visible again."""
        self.app.root.dirty = True
        self.wake()

    @living
    def on_close(self) -> bool:
        """Close the window; return True to keep pyglet from closing it itself."""
        self.close()
        return True

    @living
    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Handle a key press; return True to keep pyglet from handling it too."""
        key = keys.read(self.key_names, symbol, modifiers)
        self._pressed[symbol] = key
        self._fresh = key.name
        self._holding.begin(key, writing(self.app))
        self.app.hurry()
        self._used = self.app.key(key)
        self.finish()
        return True

    @living
    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """Handle a key release."""
        self._used = False
        self._holding.end()
        down = self._held_keys
        if symbol not in down:
            # The key was pressed under another name, e.g. because of Shift, and is still recorded under that name.
            # Without this, pyglet would mistake its next press for a repeat.
            down.clear()
        key = keys.read(self.key_names, symbol, modifiers)
        self._pressed.pop(symbol, None)
        # With Shift, a modifier may be released under another name, so forget its whole group.
        group = next((group for group in (CTRL, ALT) if key.name in group), frozenset())
        self._pressed = {each: down for each, down in self._pressed.items() if down.name not in group}
        self.app.root.key_release(key)
        self.finish()

    @living
    def on_text(self, text: str) -> None:
        """Handle typed text, unless the key press has already been used."""
        if not self._used:
            self.app.root.type(text)
            self.finish()

    @living
    def on_text_motion(self, motion: int) -> None:
        """Handle repeats of a held key; its first press was handled by :meth:`on_key_press`."""
        name = keys.MOTIONS.get(str(self.key_names.motion_string(motion)), "")
        if name and name != self._fresh:
            self.app.root.key_press(Key(name))
        self._fresh = ""
        self.finish()

    def _asked(self) -> None:
        """Forward a screen reader's request to the window's thread; called in another thread."""
        self.pyglet.app.platform_event_loop.post_event(self.native, "on_asked")

    @living
    def on_asked(self) -> None:
        """Answer requests from screen readers."""
        self.app.hurry()
        self.reader.answer()
        self.finish()

    @living
    def on_activate(self) -> None:
        """Handle the window getting the focus."""
        self.reader.focused(True)
        self._check_keys()
        self.app.check_day()
        self.wake()
        self.app.screen.on_return()

    @living
    def on_deactivate(self) -> None:
        """Release all held keys, because another window will receive their release events."""
        self.reader.focused(False)
        self._held_keys &= self._keyboard.down(self._held_keys)
        self._release_keys(set(self._pressed))
        self.app.away = True

    @living
    def on_file_drop(self, x: float, y: float, paths: list[str]) -> None:
        """Open the first of the files that were dropped on the window."""
        self.app.hurry()
        open_dropped(self.app, paths)
        self.finish()

    # Helpers

    def _check_keys(self) -> None:
        """Release the keys that were released while another window had the focus."""
        down = self._keyboard.down(self._held_keys | set(self._pressed))
        self._held_keys &= down
        self._release_keys(set(self._pressed) - down)

    def _release_keys(self, symbols: set[int]) -> None:
        """Treat keys as released because their actual release isn't reported."""
        for symbol in symbols:
            self.app.root.key_release(self._pressed.pop(symbol))
        if symbols:
            self._holding.end()
            self.wake()

    def held(self, modifiers: int | None) -> Key:
        """Return the modifiers that are held now, as a :class:`Key` without a name.

        ``modifiers`` is pyglet's bit mask, or None for events that don't have one.
        """
        told = keys.read(self.key_names, 0, self._state[-1] if modifiers is None else modifiers)
        if modifiers is not None:
            return told
        # With sticky keys, a modifier may be active although its key isn't down.
        names = {key.name for key in self._pressed.values()}
        return Key("", told.ctrl or bool(names & CTRL), alt=told.alt or bool(names & ALT))

    def finish(self) -> None:
        """Update the page, the pointer shape and the picture after an input event."""
        if self._over:
            return
        self.app.away = False
        self.app.screen.on_input()
        hover = self.app.root.hover
        kinds = {"hand": self.native.CURSOR_HAND, "text": self.native.CURSOR_TEXT}
        wanted = kinds.get(hover.shape) if hover is not None and hover.enabled else None
        if wanted != self._cursor:
            self._cursor = wanted
            self.native.set_mouse_cursor(self.native.get_system_mouse_cursor(wanted))
        self.wake()


def writing(app: App) -> bool:
    """Return whether typed characters are text rather than commands."""
    focus = app.root.focus
    return (focus is not None and focus.typed_in) or (app.screen.letters and not app.root.floats)
