"""The whole program without a display: pyglet's headless window, and a clock that the test controls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from shibumi3d import i18n
from shibumi3d.app.application import Application
from shibumi3d.app.host import board_painter, settings
from shibumi3d.app.host.dialogs import MessageCard
from shibumi3d.app.match.marble_view.page import MarbleMatchPage
from shibumi3d.app.ui.canvas import Canvas
from shibumi3d.app.ui.widget import Widget
from shibumi3d.catalogue import catalogue
from shibumi3d.match.store import MatchStore
from shibumi3d.render.quality_tiers import ScaleController
from shibumi3d.render.renderer import Renderer
from shibumi3d.scene.frame import Ball
from tests import share
from tests.app.recorder import Recorder

W = TypeVar("W", bound=Widget)


class Hand:
    """A user of the program who moves the pointer and presses keys.

    Positions are in pixels of the window, from its top left corner; :meth:`.Application.to_window_pixels` converts
    logical positions. The clock is simulated: it advances only in :meth:`wait` and :meth:`drag`, and in methods that
    call them. A new instance resets the settings, keeps the program's files in ``place`` and shows the home page.
    """

    def __init__(self, window: object, place: Path) -> None:
        self.window = window
        self.native = window.pyglet_window  # type: ignore[attr-defined]
        self.app: Application = window.app  # type: ignore[attr-defined]
        self.now = 1000.0
        self.step = STEP
        self.smooth = self.unseen = False
        self.pictures = 0
        self.waiting: list[tuple[float, Callable[[], None]]] = []
        self.left = False
        self.app.services.clock = lambda: self.now
        self.app.services.schedule = lambda delay, what: self.waiting.append((self.now + delay, what))
        self.app.services.on_close = self._leave
        self.app.store = MatchStore(place / "matches")
        self.app.services.config_folder = place / "config"
        # Stills are slow, so only the tests about them turn them on.
        self.app.settings = settings.Settings(stills=False, language="en")
        i18n.set_language("en")
        self.app.resize(1280, 720)
        self.app.sounds.output = self.speaker = Recorder()
        self.app.has_drawn = False
        if self.app._board_painter is not None:
            self.app._board_painter._is_sharpening_scheduled = False
            self.app._board_painter.stills.discard()
        self.app.matches.last_game_id = ""
        self.app.pages.last_home = None
        self.app._shown_warnings.clear()
        self.app.change_settings(theme="night")
        self.app.change_settings(theme="day")
        self.app.pages.show_home()
        # Leaving the last test's page stored its camera, and matches started in the same second share a name.
        self.app.change_settings(eye={})
        self.point(5, 715)

    def _leave(self) -> None:
        self.left = True

    def draw(self) -> None:
        self.window.draw()  # type: ignore[attr-defined]

    def pass_over(self) -> None:
        """Draw a frame, but render its pixels only if a screenshot is pending."""
        self.unseen = self.app._pending_screenshot is None
        self.draw()
        if self.unseen and self.app._board_painter is not None:
            self.app._board_painter._drawn_scene = ()
        self.unseen = False

    def wait(self, seconds: float) -> None:
        """Advance the window's clock by ``seconds``, making the calls and drawing the frames that are due.

        To save time, the pixels of only one frame in every :data:`SEEN` are rendered, unless a screenshot is pending.
        In tests marked as smooth and in ``make thorough``, the pixels of every frame are rendered.
        """
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + self.step)
            due = [what for when, what in self.waiting if when <= self.now]
            self.waiting = [item for item in self.waiting if item[0] > self.now]
            for what in due:
                what()
            if self.app.root.dirty or self.app.is_moving:
                self.pictures += 1
                if self.smooth or share.everything or self.pictures % SEEN == 0:
                    self.draw()
                else:
                    self.pass_over()

    def wait_until(self, is_done: Callable[[], bool]) -> None:
        """Advance the window's clock, and wait for other processes, until ``is_done`` returns true.

        Raises AssertionError if that takes more than 300 seconds of real time.
        """
        end = time.monotonic() + 300  # far more than it takes, even on a busy machine
        while not is_done():
            assert time.monotonic() < end
            time.sleep(0.02)
            self.wait(self.step)

    def point(self, x: float, y: float) -> None:
        self.native.dispatch_event("on_mouse_motion", x, 720 - y, 0, 0)

    def press(self, x: float, y: float, button: int = 1, held: int = 0) -> None:
        self.point(x, y)
        self.native.dispatch_event("on_mouse_press", x, 720 - y, button, held)

    def release(self, x: float, y: float, button: int = 1, held: int = 0) -> None:
        self.native.dispatch_event("on_mouse_release", x, 720 - y, button, held)

    def click(self, x: float, y: float, button: int = 1, held: int = 0) -> None:
        self.press(x, y, button, held)
        self.release(x, y, button, held)

    def drag(
        self, start: tuple[float, float], end: tuple[float, float], button: int = 1, held: int = 0
    ) -> None:
        self.press(*start, button, held)
        (x0, y0), (x1, y1) = start, end
        self.native.dispatch_event("on_mouse_drag", x1, 720 - y1, x1 - x0, y0 - y1, button, held)
        self.now += 1
        self.release(x1, y1, button, held)

    def found(self, name: str, kind: type[W]) -> W:
        widget = self.app.root.find(name)
        assert isinstance(widget, kind)
        return widget

    def page(self, kind: type[W]) -> W:
        page = self.app.current_page
        assert isinstance(page, kind)
        return page

    def floating(self, kind: type[W]) -> W:
        widget = self.app.root.popups[-1]
        assert isinstance(widget, kind)
        return widget

    def dismiss_message(self) -> str:
        """Close the topmost message and return its text."""
        message = self.floating(MessageCard)
        self.key("enter")
        assert message not in self.app.root.popups
        return message.message_label.caption

    def push(self, name: str) -> None:
        widget = self.app.root.find(name)
        assert widget is not None, f"there is no {name}"
        self.click(*self.app.to_window_pixels(widget.rect.cx, widget.rect.cy))

    def key(self, chord: str, held: bool = False) -> None:
        """Press a key or a chord such as ``ctrl+shift+z``, and release it unless ``held``.

        Unless Ctrl or Alt is in the chord, a key with a one-character name also enters this character as text.
        """
        from pyglet.window import key

        from shibumi3d.app.platform import keyboard

        *with_, name = chord.split("+")
        bits = {"ctrl": key.MOD_CTRL, "shift": key.MOD_SHIFT, "alt": key.MOD_ALT}
        raw = next((raw for raw, plain in keyboard.KEY_NAMES.items() if plain == name), name.upper())
        symbol = getattr(key, raw)
        modifiers = sum(bits[word] for word in with_)
        self.native.dispatch_event("on_key_press", symbol, modifiers)
        if len(name) == 1 and not {"ctrl", "alt"} & set(with_):
            self.native.dispatch_event("on_text", name)
        if not held:
            self.native.dispatch_event("on_key_release", symbol, modifiers)

    def type(self, text: str) -> None:
        for character in text:
            self.window._was_key_used = False  # type: ignore[attr-defined]  # a separate key press
            self.native.dispatch_event("on_text", character)

    def start(
        self, game: str, names: tuple[str, ...] = ("Aiko", "Ben"), size: int = 4, seed: int = 1
    ) -> MarbleMatchPage:
        entry = catalogue.load_catalogue().get(game)
        self.app.matches.start(entry, list(names), size, "", seed)
        self.draw()
        screen = self.app.current_page
        assert isinstance(screen, MarbleMatchPage)
        return screen

    def unfold(self) -> None:
        """Open the side panel, which must be closed."""
        self.key("ctrl+b")
        self.wait(0.5)
        assert self.play.side_panel_background.visible

    @property
    def play(self) -> MarbleMatchPage:
        assert isinstance(self.app.current_page, MarbleMatchPage)
        return self.app.current_page

    def spot(self, name: str) -> tuple[float, float]:
        x, y = self.play.point_pixels()[name]
        return x, y

    def marble(self, stock: str, colour: int, seat: int | None = None) -> tuple[float, float]:
        """Return the window position of the front marble of ``colour`` in a stock.

        If several seats have this stock, ``seat`` says whose it is.
        """
        table = self.play.tabletop.layout
        heap = next(h for h in table.heaps if h[::2] == (stock, colour) and seat in (None, h.seat))
        assert self.play.table_contents(self.play.animation_time()).heaps[heap], f"no marble lies in {heap}"
        return self.app.to_window_pixels(*self.play.view.to_window(table.heaps[heap].positions[0]))

    @property
    def balls(self) -> list[Ball]:
        """All marbles drawn on the boards; those on the table are left out."""
        lying = self.play.table_contents(self.play.animation_time()).balls
        return [ball for ball in self.play.sign_layer.make_frame(self.now, 1.7).balls if ball not in lying]

    def choose(self, *points: str, button: int = 1) -> None:
        """Click points, and wait 1.2 seconds after each click for its animation."""
        for name in points:
            self.click(*self.spot(name), button)
            self.wait(1.2)

    @property
    def moves(self) -> list[str]:
        return [ply.move for ply in self.play.match.plies]


@pytest.fixture(scope="session")
def window(needs_gl: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    """The headless window that is shared by all tests that use this fixture.

    Events are dispatched at once, as they are while pyglet's own event loop runs. With this setting, pyglet can't open
    another window.
    """
    import pyglet

    pyglet.options.headless = True
    pyglet.options.audio = ("silent",)
    from shibumi3d.app.platform.window import ProgramWindow

    place = tmp_path_factory.mktemp("window")
    window = ProgramWindow(catalogue.load_catalogue(), MatchStore(place), place)
    # Dispatch events at once, as pyglet's own event loop does.
    window.pyglet_window.dispatch_events()
    type(window.pyglet_window)._enable_event_queue = False
    yield window
    window.pyglet_window.context.set_current()
    window.close()


STEP, SMOOTH_STEP = 0.25, 0.1
"""Seconds between frames, normally and in tests marked as smooth."""
COARSE = 0.2
"""Resolution of the boards relative to that of the window, in tests that aren't marked as smooth. Together with
:data:`STEP`, it halves the time that these tests take."""
SEEN = 12
"""To save time, :meth:`Hand.wait` renders the pixels of only one frame in this many. Smooth tests and ``make thorough``
render every frame; a test that reads pixels must draw a frame first."""


def _unless_unseen(hand: Hand, fill: Callable[..., None]) -> Callable[..., None]:
    return lambda *given, **named: None if hand.unseen else fill(*given, **named)


@pytest.fixture
def hand(
    window: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Hand]:
    smooth = request.node.get_closest_marker("smooth")
    if not smooth:
        monkeypatch.setattr(ScaleController, "scale", COARSE)
    # Tests without a window may have made their own OpenGL context current.
    window.pyglet_window.context.set_current()  # type: ignore[attr-defined]
    hand = Hand(window, tmp_path)
    hand.app.reviews.clear()
    for where, name in ((Renderer, "draw"), (Canvas, "flush"), (board_painter, "_blit_to_window")):
        monkeypatch.setattr(where, name, _unless_unseen(hand, getattr(where, name)))
    hand.pass_over()
    hand.step, hand.smooth = (SMOOTH_STEP, True) if smooth else (STEP, False)
    adviser = hand.app.solver
    yield hand
    # Don't wait for pending requests to the worker.
    adviser.close()
    # Reset the language for tests without a window.
    i18n.set_language("en")
