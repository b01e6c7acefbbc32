"""The application behind the window: settings, current page and drawing.

It can run without a window, as it does in tests.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Hashable
from typing import Any

from shibumi3d import files, i18n
from shibumi3d.catalogue.catalogue import Catalogue
from shibumi3d.i18n import _, localize
from shibumi3d.match.store import MatchStore
from shibumi3d.render.png import encode_png
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene import motion
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import make_style
from shibumi3d.search.review.results import Review

from .host import settings
from .host.board_painter import BoardPainter
from .host.desktop import is_on_battery, new_picture_path
from .host.file_chooser import FileChooser
from .host.results import ResultsService
from .host.services import Services
from .host.settings import SCALE_RANGE_PERCENT, LoadedSettings, Settings
from .host.settings_card import toggle_sound
from .host.solver import BackgroundSolver
from .host.sound import SoundPlayer
from .host.window_page import WindowPage
from .shell.clipboard import Clipboard
from .shell.gallery import Gallery
from .shell.matches import Matches
from .shell.navigation import Navigator
from .shell.page_scroll import PageScroll
from .ui.canvas import Canvas
from .ui.widget import Key, Root


class PageFade:
    """Blank paper that covers the window and fades out.

    ``clock()`` returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._start = self._length = 0.0
        self._curve: motion.Easing = motion.EASE_OUT

    def begin(self, seconds: float, curve: motion.Easing) -> None:
        """Cover the window with blank paper that fades out over ``seconds``.

        ``curve`` is the easing function.
        """
        self._start, self._length, self._curve = self._clock(), seconds, curve

    def end(self) -> None:
        self._length = 0.0

    def opacity(self, now: float) -> float:
        """Return the opacity of the paper that covers the window, from 0 to 1, at the time ``now``."""
        if not self._length or now >= self._start + self._length:
            return 0.0
        return 1.0 - self._curve((now - self._start) / self._length)


MIN_WINDOW_SIZE_PX = (640, 360)
"""Minimum size of the window, in pixels."""
MIN_VISIBLE_PAGE_PX = (400, 225)
"""Minimum size of the part of a page shown at once, in logical pixels.

If the window would show less, the scale is reduced.
"""
UNSCALED_SCREEN_PX = (1700, 960)
"""Screen size, in pixels, at which the interface has its normal size.

On a larger screen, the scale grows in steps of one half, unless the system already enlarges the interface.
"""
UNSCALED_WINDOW_PX = (1280, 720)
"""Minimum size, in logical pixels, of the part of a page shown at once when the interface is enlarged.

The limit applies to the enlargement for a large screen, but not to the scale of the system.
"""
SCROLL_BAR_WIDTH_PX = 3.0
"""Thickness of the scroll bars on a page that is larger than the window, in logical pixels."""
SCROLL_STEP_PX = 60.0
"""Scroll distance per notch of the wheel, on a page larger than the window, in logical pixels."""
DOUBLE_CLICK_GUARD_SECONDS = 0.5
"""Seconds for which a second click at the same place is ignored, if the calm setting is on."""
MAX_ERROR_CHARACTERS = 200
"""Maximum number of characters shown of an error message; the log contains the full message."""


def automatic_scale(screen_size: tuple[int, int], pixel_density: float = 1.0) -> float:
    """Return the scale of the interface for a screen, in framebuffer pixels per logical pixel.

    ``screen_size`` is in pixels. ``pixel_density`` is the scale that the system is set to, and is used if it is greater
    than 1. Otherwise, the scale is a multiple of one half, from 1 to 3, chosen so that a line of text takes up about
    the same fraction of any large screen.
    """
    if pixel_density > 1.0:
        return pixel_density
    (width, height), (normal_width, normal_height) = screen_size, UNSCALED_SCREEN_PX
    fits = min(width / normal_width, height / normal_height)
    return min(max(1.0, math.floor(2 * fits) / 2), SCALE_RANGE_PERCENT[1] / 100)


class Application:
    """The program apart from its window: settings, current page, services and drawing.

    ``loaded`` holds the settings as read from their file.
    """

    def __init__(
        self,
        canvas: Canvas,
        catalogue: Catalogue,
        store: MatchStore,
        services: Services,
        loaded: LoadedSettings,
    ) -> None:
        self.canvas, self.catalogue, self.store, self.services = canvas, catalogue, store, services
        self._board_painter: BoardPainter | None = None
        self.settings: Settings = loaded.settings
        i18n.set_language(i18n.startup_language(self.settings.language, os.environ))
        self._shown_warnings: set[str] = set()
        self._failing_page: WindowPage | None = None
        self.sounds = SoundPlayer(services.audio, lambda: self.settings)
        self.root = Root(make_style(*self.settings.style_arguments))
        self.root.schedule, self.root.clock = self.schedule, self.clock
        self.root.double_click_guard_seconds = DOUBLE_CLICK_GUARD_SECONDS if self.settings.calm else 0.0
        clipboard = Clipboard(services, self.show_message)
        self.root.copy_text, self.root.paste_text = clipboard.copy, clipboard.paste
        self.root.on_paste_too_long = lambda: self.show_message(_("The text on the clipboard is too long."))
        self.size = MIN_WINDOW_SIZE_PX
        self.page_scroll = PageScroll()
        self._revealed_area: Rect | None = None
        self.matches = Matches(self)
        self.pages = Navigator(self)
        self.results = ResultsService(
            lambda: self.store,
            lambda: self.settings.results,
            self.clock,
            self.schedule,
            self.show_warning,
        )
        self.is_moving = False
        self._pending_screenshot: Callable[[], None] | None = None
        cache = services.cache_folder
        self.gallery = Gallery(
            cache / "pictures" if cache is not None else None,
            self.schedule,
            self.root.refresh,
            lambda: self.settings.theme_arguments,
        )
        self.has_drawn = False
        self._rendered_kinds: set[tuple[type, str]] = set()
        """(page class, table kind) pairs whose boards have already been drawn."""
        self.is_in_background = False
        """Whether the window has lost the focus and received no input since."""
        self.is_first_start = loaded.is_first_start
        self.page_fade = PageFade(self.clock)
        self.current_page: WindowPage = WindowPage()
        self.reviews: dict[Hashable, Review] = {}
        self.solver = BackgroundSolver(self.schedule)
        self.file_chooser = FileChooser(lambda: self.services, self.show_message)
        if loaded.notice:
            self.show_warning(loaded.notice)

    def clock(self) -> float:
        return self.services.clock()

    def schedule(self, seconds: float, callback: Callable[[], None]) -> None:
        self.services.schedule(seconds, callback)

    @property
    def scale(self) -> float:
        """Framebuffer pixels per logical pixel.

        If the settings contain a scale, it is multiplied by the scale of the system. Otherwise, the scale depends on
        the system, the screen and the size of the window. In either case, the scale is reduced if the window would show
        too little of a page.
        """
        services = self.services
        if self.settings.scale:
            wished = services.pixel_density * self.settings.scale / 100
        else:
            room = min(self.size[0] / UNSCALED_WINDOW_PX[0], self.size[1] / UNSCALED_WINDOW_PX[1])
            wished = min(
                automatic_scale(services.screen_size, services.pixel_density),
                max(room, services.pixel_density),
            )
        (width, height), (min_width, min_height) = self.size, MIN_VISIBLE_PAGE_PX
        fits = min(width / min_width, height / min_height)
        return min(wished, max(fits, SCALE_RANGE_PERCENT[0] / 100))

    def to_window_pixels(self, x: float, y: float) -> list[int]:
        """Convert a position on the page to a position in the window.

        ``x`` and ``y`` are in logical pixels. The result is in framebuffer pixels from the top left of the window.
        """
        left, top = self.page_scroll.offset
        return [round(x * self.scale) - left, round(y * self.scale) - top]

    def to_logical(self, x: float, y: float) -> tuple[float, float]:
        """Convert a position in the window to a position on the page, in logical pixels.

        ``x`` and ``y`` are in pixels from the top left of the window.
        """
        left, top = self.page_scroll.offset
        return (x + left) / self.scale, (y + top) / self.scale

    def follow_pointer(self, x: float, y: float) -> tuple[float, float]:
        """Scroll if the pointer is near an edge of the window; return the pointer's position on the page.

        The result is in logical pixels. ``x`` and ``y`` are the pointer's position in pixels from the top left of the
        window. A page that fits in the window isn't scrolled.
        """
        self._limit_scroll()
        if self.page_scroll.follow_pointer(x, y, self.size):
            self.root.dirty = True
        return self.to_logical(x, y)

    def scroll_by_notches(self, dx: float, dy: float) -> None:
        """Scroll the page by ``dx`` and ``dy`` wheel notches, if it is larger than the window.

        Call this for notches that no widget has handled.
        """
        if self.page_scroll.scroll_by(dx * SCROLL_STEP_PX * self.scale, -dy * SCROLL_STEP_PX * self.scale):
            self.root.dirty = True

    def scroll_to_top(self) -> None:
        """Scroll to the top left of the page."""
        self.page_scroll.scroll_to_start()
        self.root.dirty = True

    # Pages

    def show_page(self, page: WindowPage, *, silent: bool = False, is_rebuilt: bool = False) -> None:
        """Make ``page`` the current page.

        Set ``is_rebuilt`` if ``page`` replaces an older version of itself: the scroll position and the focus are then
        kept. Setting ``silent`` also keeps them, and suppresses the fade and the sound of a page being turned. Nor is
        the sound played if the page opens an overlay when it is shown.
        """
        is_rebuilt = is_rebuilt or silent
        self.current_page.on_leave()
        self.current_page = page
        self.pages.remember_home(page)
        self.root.size = self._page_size()
        self.root.show_page(page, again=is_rebuilt)
        self._limit_scroll()
        if not is_rebuilt:
            self.page_scroll.scroll_to_start()
        if not silent:
            self.fade_in(motion.PAGE_FADE_MS, motion.EASE_OUT)
        page.on_show()
        if is_rebuilt:
            self.root.restore_focus()
        if not (silent or self.root.popups):  # an overlay has already played its own sound
            self.play_page_sound()

    def play_page_sound(self) -> None:
        """Play the sound of a page being turned, unless nothing has been drawn yet."""
        if self.has_drawn:
            self.sounds.play_page_turn()

    def fade_in(self, milliseconds: float, curve: motion.Easing) -> None:
        """Fade the window in from blank paper.

        ``milliseconds`` is the duration of the fade at normal speed, and ``curve`` is its easing function.
        """
        self.page_fade.begin(self.settings.animation_seconds(milliseconds), curve)

    def check_date(self) -> None:
        """If the date has changed, let the page update everything that depends on it."""
        today, screen = self.results.problems.today(), self.current_page
        before, screen.updated_on = screen.updated_on, today
        if before not in (None, today):
            screen.on_day_change()

    def show_message(self, message: str) -> None:
        from .host.dialogs import show_message

        show_message(self, message)

    def report_failure(self, error: Exception, is_repeated: bool) -> None:
        """Report an unexpected exception in a message over the page.

        While a message is already open, only errors in the rules of games are reported. If the previous failure was on
        the same page, and this one repeats it (``is_repeated``) or is an error in the rules of a game, the home page is
        shown first. A single failure never closes a page.
        """
        from .host.dialogs import MessageCard

        rules = isinstance(error, RuleFailure)
        if self._failing_page is self.current_page and (rules or is_repeated):
            self.pages.show_home()
        self._failing_page = self.current_page
        if rules:
            self.show_message(
                _(
                    "There's an error in this game's rules. {problem}.",
                    problem=capitalize_first(localize(error)),
                )
            )
        elif not any(isinstance(popup, MessageCard) for popup in self.root.popups):
            what = f"{type(error).__name__}: {error}".rstrip(": ")[:MAX_ERROR_CHARACTERS]
            log_path = self.services.log_path
            where = _("Details: {path}", path=log_path) if log_path is not None else ""
            self.show_message(
                " ".join(
                    filter(
                        None,
                        (_("Something went wrong: {problem}.", problem=what), where),
                    )
                )
            )

    def show_warning(self, sentence: str) -> None:
        """Show a warning after the current event has been handled; each sentence is shown only once."""
        if sentence not in self._shown_warnings:
            self._shown_warnings.add(sentence)
            self.schedule(0, lambda: self.show_message(sentence))

    # Settings

    def change_settings(self, **changes: Any) -> None:
        """Change settings, then save and apply them.

        Does nothing if the settings stay the same. If they can't be saved, they are still applied, and a warning is
        shown.
        """
        before = self.settings
        self.settings = before.with_changes(**changes)
        if self.settings == before:
            return
        problem = settings.save_settings(self.services.config_folder, self.settings)
        if problem:
            self.show_warning(problem)
        self.root.style = make_style(*self.settings.style_arguments)
        self.root.double_click_guard_seconds = DOUBLE_CLICK_GUARD_SECONDS if self.settings.calm else 0.0
        if self.settings.language != before.language:
            i18n.set_language(self.settings.language or i18n.system_language(os.environ))
            self.show_page(self.current_page.rebuild(), is_rebuilt=True)
        if self.settings.scale != before.scale:
            self.resize(*self.size)
        self.root.dirty = True

    # Window

    def resize(self, width: int, height: int) -> None:
        """Adapt the page to the new size of the window.

        ``width`` and ``height`` are in framebuffer pixels.
        """
        self.size = (width, height)
        self.root.resize(*self._page_size())
        self._limit_scroll()

    def relayout(self) -> None:
        self.resize(*self.size)

    def _page_size(self) -> tuple[float, float]:
        """Return the size at which the page is laid out, in logical pixels.

        The width and the height are those of the window, but at least the page's minimum.

        Also set ``root.narrow_size`` to the size of the window in logical pixels, or to None if the window is wide
        enough for the normal layout.
        """
        visible_size = self.size[0] / self.scale, self.size[1] / self.scale
        least = self.current_page.min_size_for(visible_size[0])
        wide, high = (max(pair) for pair in zip(least, visible_size, strict=True))
        self.root.narrow_size = visible_size if visible_size[0] < WindowPage.min_size[0] else None
        return wide, high

    def _limit_scroll(self) -> None:
        """Limit scrolling to the layout area of the topmost overlay, or of the page if no overlay is open."""
        window, scale = self.root.window, self.scale
        self.page_scroll.set_sizes((window.w * scale, window.h * scale), self.size)

    def _reveal_focus(self) -> None:
        """Scroll to the focused widget, or else to the topmost overlay, or else to the keyboard cursor.

        The focused widget counts only if its focus ring is shown or if it is a text field. Does nothing if the area to
        show hasn't changed since the last call, or if it is as wide as the page.
        """
        root = self.root
        focus = (
            root.focus
            if root.focus is not None and (root.is_focus_visible or root.focus.is_text_input)
            else None
        )
        place = self.current_page.cursor_rect()
        if focus is not None:
            place = focus.rect
        elif root.popups:
            place = root.popups[-1].rect
        if place is not None and place != self._revealed_area and place.w < root.window.w:
            self.page_scroll.reveal(place, self.size, self.scale)
        self._revealed_area = place

    def draw(self, *, render_boards: bool = True) -> None:
        """Draw a frame into the window's framebuffer.

        If ``render_boards`` is false, boards are drawn as simple shapes, because rendering them can take a second. The
        same happens the first time that a page of a given class shows a given table kind, unless a popup covers all of
        the page except the board.
        """
        from pyglet import gl

        now = self.clock()
        self.has_drawn = True
        self.check_date()
        self.is_moving = self.current_page.animate(now)
        self._limit_scroll()
        if not self.page_scroll.fits_window:
            self._reveal_focus()
        width, height = self.size
        r, g, b, _ = self.root.style.page
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        gl.glViewport(0, 0, width, height)
        gl.glClearColor(r, g, b, 1)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        view, aside = self.current_page.view, self.root.board_area
        kind = type(self.current_page), getattr(getattr(self.current_page, "entry", None), "kind", "")
        shows_board = view is not None and (view.visible or aside is not None)
        sketched = shows_board and not (render_boards and (aside is not None or kind in self._rendered_kinds))
        render_boards = render_boards and not sketched
        if shows_board:
            self._rendered_kinds.add(kind)
        if render_boards and shows_board and view is not None:
            view.render(now, self.is_moving, aside)
            self.is_moving = self.is_moving or self.current_page.is_fading()
        if render_boards and aside is None:
            self.current_page.render_insets(now)
        self.canvas.begin_frame(width, height, self.scale, self.page_scroll.offset)
        if sketched and view is not None:
            view.sketch(now, aside)
        self.root.draw(self.canvas, self.is_moving)
        scale, (left, top) = self.scale, self.page_scroll.offset
        for bar in self.page_scroll.scroll_bars(self.size, SCROLL_BAR_WIDTH_PX * scale):
            place = Rect((bar.x + left) / scale, (bar.y + top) / scale, bar.w / scale, bar.h / scale)
            self.canvas.rect(place, multiply_alpha(self.root.style.secondary_ink, 0.7), place.h / 2)
        fade = self.page_fade.opacity(now)
        if fade and not sketched:  # a sketch of the board is better than blank paper at first
            self.canvas.rect(self.root.window, multiply_alpha(self.root.style.page, fade))
            self.is_moving = True
        self.canvas.flush()
        if sketched:
            self.root.dirty = True  # the full picture is drawn in the next frame
            return
        screenshot, self._pending_screenshot = self._pending_screenshot, None
        if screenshot is not None:
            screenshot()

    def save_screenshot(self, title: str, area: Rect) -> None:
        """Save a screenshot of ``area`` to the user's pictures folder after the next frame is drawn.

        The file is named after ``title``. ``area`` is in logical pixels. Afterwards, a message says where the file is
        or why it couldn't be saved.
        """

        def read() -> None:
            pixels = self.canvas.read_pixels(area)
            try:
                file = new_picture_path(self.services.pictures_folder, title, "png")
                files.write(file, encode_png(pixels))
            except OSError as problem:
                message = _("Couldn't save the screenshot: {problem}.", problem=problem)
            else:
                message = _("Screenshot saved to {path}.", path=file)
            self.schedule(0, lambda: self.show_message(message))

        self._pending_screenshot = read
        self.root.dirty = True

    def report_rest(self) -> None:
        """Pass a description of the screen to :attr:`.Services.on_rest`, if that is set."""
        if self.services.on_rest is None:
            return
        widgets: dict[str, list[int]] = {}
        for page in (self.root.page, *self.root.popups):
            for widget in page.walk():
                if widget.name and widget.enabled and widget.rect.w > 0:
                    widgets[widget.name] = self.to_window_pixels(widget.rect.cx, widget.rect.cy)
        content: dict[str, object] = {"screen": self.current_page.page_name, "widgets": widgets}
        content.update(self.current_page.trace_values())
        self.services.on_rest(content)

    def handle_key(self, key: Key) -> bool:
        """Handle a key press; return False if the key can also be typed as text.

        This is the case if the key did nothing, or if a text field had the focus.
        """
        focus = self.root.focus
        is_typing = focus is not None and focus.is_text_input
        plain = self.settings.single and not (is_typing or self.current_page.takes_typed_letters)
        if key.chord == "ctrl+m" or (key.chord == "m" and plain):
            toggle_sound(self)
        elif self.root.key_press(key):
            pass
        elif key.chord == "f11":
            self.services.toggle_fullscreen()
        elif key.chord == "ctrl+q":
            self.services.on_close()
        elif key.chord == "ctrl+v" and not self.root.popups:
            self.matches.open_text(self.root.paste_text())
        elif key.chord == "ctrl+,":
            self.pages.show_settings()
        elif key.chord in ("?", "shift+?", "shift+/") and self.current_page.shortcuts:
            self.pages.show_shortcuts()
        elif key.chord == "shift+f1" and not self.root.popups:
            self.pages.show_screen_reader_help()
        elif key.chord == "escape" and focus is not None:
            self.root.focus = None
            self.root.dirty = True
        else:
            return False
        return not is_typing

    def close(self) -> None:
        """Shut down: leave the page, stop background work, save pending results and release claims on match files."""
        self.current_page.on_leave()
        self.sounds.mute()
        self.file_chooser.close()
        self.solver.close()
        self.results.flush()
        self.gallery.close()
        self.store.release()

    def board_painter(self) -> BoardPainter:
        """Return the painter that draws the boards, creating it on first use."""
        if self._board_painter is None:
            self._board_painter = BoardPainter(
                self.schedule,
                self.root.refresh,
                lambda: self.settings.stills and not is_on_battery(),
            )
        return self._board_painter

    @property
    def is_resting(self) -> bool:
        """Whether nothing is moving and no redraw is pending."""
        return not (
            self.is_moving
            or self.root.dirty
            or (self._board_painter is not None and self._board_painter.is_settling)
        )

    def release(self) -> None:
        """Free GPU resources.

        Call this while the OpenGL context still exists.
        """
        if self._board_painter is not None:
            self._board_painter.release()
        self.gallery.release()
        self.canvas.release()
