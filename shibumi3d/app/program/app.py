"""The program behind the window: settings, navigation and drawing.

It can run without a window, as tests do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import platformdirs

from shibumi3d import files, i18n
from shibumi3d.catalogue.catalogue import Catalogue
from shibumi3d.i18n import _
from shibumi3d.match.store import Store
from shibumi3d.render.png import png
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.scene import motion
from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import style
from shibumi3d.search.review.moments import Review

from ..host import settings as keeping
from ..host.keeper import Keeper
from ..host.painter import Painter
from ..host.pictures import picture_file
from ..host.power import on_battery
from ..host.screen import Screen
from ..host.settings import SCALES, Loaded, Settings
from ..host.solver import BackgroundSolver
from ..host.sound import Sounds, Speaker
from ..host.toggles import toggle_sound
from ..ui.canvas import Canvas
from ..ui.core import Key, Root
from .clipboard import Clipboard
from .gallery import Gallery
from .lens import Lens
from .matches import Matches
from .page_fade import PageFade
from .pages import ProgramPages
from .trace import Trace

LEAST = (640, 360)
"""Minimum size of the window, in pixels."""
SEEN = (400, 225)
"""Minimum size of the part of a page shown at once, in logical pixels.

If the window would show less, the scale is reduced.
"""
BAR = 3.0
"""Thickness of the scroll bars on a page that is larger than the window, in logical pixels."""
NOTCH = 60.0
"""Scroll distance per notch of the wheel, on a page larger than the window, in logical pixels."""
HEELS = 0.5
"""Seconds for which a second click at the same place is ignored, if the calm setting is on."""
SHOWN = 200
"""Maximum number of characters shown of an error message; the log contains the full message."""
Later = Callable[[float, Callable[[], None]], None]


class App:
    """Everything that the window shows and does.

    ``loaded`` are the settings read from the folder ``config``. Pictures of games are cached in the folder ``cache``;
    if it is None, no pictures are drawn.

    Access to the environment is passed in, so that tests can replace it: ``later(seconds, what)`` calls ``what`` after
    a delay, ``leave()`` closes the window, ``clock()`` returns the time in seconds, and ``speaker`` plays sounds. Sizes
    passed to the methods are in framebuffer pixels.
    """

    def __init__(
        self,
        canvas: Canvas,
        catalogue: Catalogue,
        store: Store,
        config: Path,
        loaded: Loaded,
        *,
        clock: Callable[[], float],
        later: Later,
        leave: Callable[[], None],
        speaker: Speaker,
        fullscreen: Callable[[], None] = lambda: None,
        copy: Callable[[str], None] = lambda text: None,
        paste: Callable[[], str] = lambda: "",
        trace: Trace | None = None,
        dense: float = 1.0,
        cache: Path | None = None,
    ) -> None:
        self.canvas, self.catalogue, self.store, self.config = canvas, catalogue, store, config
        self.clock, self.later, self.leave, self.fullscreen = clock, later, leave, fullscreen
        clipboard = Clipboard(copy, paste, lambda sentence: self.tell(sentence))
        self.copy: Callable[[str], object] = clipboard.copy
        self.paste = clipboard.paste
        self._painter: Painter | None = None
        self._trace = trace
        self.dense = dense
        self.settings: Settings = loaded.settings
        i18n.use(i18n.chosen(self.settings.language, os.environ))
        self._warned: set[str] = set()
        self._failing: Screen | None = None
        self.log: Path | None = None
        """Path of the error log."""
        self.sounds = Sounds(speaker, lambda: self.settings)
        self.root = Root(style(*self.settings.drawn))
        self.root.later, self.root.clock = later, lambda: self.clock()
        self.root.heels = HEELS if self.settings.calm else 0.0
        self.root.copy, self.root.paste = lambda text: self.copy(text), lambda: self.paste()
        self.root.full = lambda: self.tell(_("The text on the clipboard is too long."))
        self.size = LEAST
        self.lens = Lens()
        self._shown_place: Rect | None = None
        """Area that was last scrolled into view."""
        self.matches = Matches(self)
        self.pages = ProgramPages(self)
        self.stage = self
        self.results = Keeper(
            lambda: self.store,
            lambda: self.settings.results,
            lambda: self.clock(),
            lambda delay, what: self.later(delay, what),
            lambda sentence: self.warn(sentence),
        )
        self.moving = False
        self._wanted_picture: Callable[[], None] | None = None
        self.pictures = Path(platformdirs.user_pictures_dir()) / "Shibumi 3D"
        """Folder for screenshots."""
        self.gallery = Gallery(
            cache / "pictures" if cache is not None else None,
            lambda delay, what: self.later(delay, what),
            lambda: self.root.refresh(),
            lambda: self.settings.look,
        )
        self.begun = False
        """Whether a frame has been drawn."""
        self._met: set[tuple[type, str]] = set()
        """Classes of pages, with the kind of table, whose boards have been shown."""
        self.away = False
        """Whether the window lost the focus and has had no input since."""
        self.first = loaded.first
        """Whether the program is running for the first time."""
        self._page_fade = PageFade(lambda: self.clock())
        self.screen: Screen = Screen()
        self.reviews: dict[Hashable, Review] = {}
        self.solver = BackgroundSolver(lambda delay, what: self.later(delay, what))
        if loaded.notice:
            self.warn(loaded.notice)

    @property
    def scale(self) -> float:
        """Framebuffer pixels per logical pixel.

        This is the scale from the settings, or a smaller one if the window would otherwise show too little of a page.
        """
        fits = min(have / need for have, need in zip(self.size, SEEN, strict=True))
        wished = self.dense * self.settings.scale / 100
        return min(wished, max(fits, SCALES[0] / 100))

    def pixels(self, x: float, y: float) -> list[int]:
        """Convert a logical position to a position in pixels from the top left of the window."""
        left, top = self.lens.shift
        return [round(x * self.scale) - left, round(y * self.scale) - top]

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Convert a position in pixels from the top left of the window to a logical position."""
        left, top = self.lens.shift
        return (x + left) / self.scale, (y + top) / self.scale

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Scroll a page larger than the window to follow the pointer; return its logical position.

        ``x`` and ``y`` are the pointer's position in pixels from the top left of the window.
        """
        self._fit()
        if self.lens.follow(x, y, self.size):
            self.root.dirty = True
        return self.place(x, y)

    def roll(self, dx: float, dy: float) -> None:
        """Scroll a page larger than the window by wheel notches that no widget has handled."""
        if self.lens.move_by(dx * NOTCH * self.scale, -dy * NOTCH * self.scale):
            self.root.dirty = True

    def to_top(self) -> None:
        """Scroll a page larger than the window to its top left."""
        self.lens.begin()
        self.root.dirty = True

    # Pages

    def show(self, screen: Screen, *, quietly: bool = False, again: bool = False) -> None:
        """Make ``screen`` the current page.

        If ``again`` or ``quietly`` is set, the page replaces an older version of itself and keeps the scroll position.
        If ``quietly`` is set, the fade and the sound are skipped too.
        """
        again = again or quietly
        self.screen.leave_screen()
        self.screen = screen
        self.pages.seen(screen)
        self.root.size = self._extent()
        self.root.show(screen, again=again)
        self._fit()
        if not again:
            self.lens.begin()
        if not quietly:
            self.fade_in(motion.PAGE, motion.OUT)
        screen.shown()
        if again:
            self.root.go_back()
        if not (quietly or self.root.floats):  # an overlay has already played its own sound
            self.rustle()

    def rustle(self) -> None:
        """Play the sound of a page being turned, unless nothing has been drawn yet."""
        if self.begun:
            self.sounds.page()

    def fade_in(self, milliseconds: float, curve: motion.Curve) -> None:
        """Fade in the window from blank paper, in ``milliseconds`` scaled by the motion setting."""
        self._page_fade.begin(self.settings.travel(milliseconds), curve)

    def check_day(self) -> None:
        """If the date has changed, let the page update everything that depends on it."""
        today, screen = self.results.problems.today(), self.screen
        before, screen.shown_on = screen.shown_on, today
        if before not in (None, today):
            screen.day_changed()

    def hurry(self) -> None:
        """End the fade between pages because of user input."""
        self._page_fade.end()

    def tell(self, sentence: str) -> None:
        """Show a message until the next input."""
        from ..host.notice import tell

        tell(self, sentence)

    def failed(self, problem: Exception, again: bool) -> None:
        """Report an unexpected exception in a message over the page.

        If the last failure was on the same page, also go to the home page, provided that this failure repeats it
        (``again``) or comes from the rules of a game. A single failure never closes a page.
        """
        from ..host.notice import Notice

        rules = isinstance(problem, RuleFailure)
        if self._failing is self.screen and (rules or again):
            self.pages.home()
        self._failing = self.screen
        if rules:
            self.tell(
                _("This game's rules caused an error: {problem}. The match stays as it was.", problem=problem)
            )
        elif not any(isinstance(each, Notice) for each in self.root.floats):
            what = f"{type(problem).__name__}: {problem}".rstrip(": .")[:SHOWN]
            where = _("Details: {path}", path=self.log) if self.log is not None else ""
            self.tell(
                " ".join(
                    filter(
                        None,
                        (
                            _(
                                "Something went wrong: {problem}. Nothing was changed.",
                                problem=what,
                            ),
                            where,
                        ),
                    )
                )
            )

    def warn(self, sentence: str) -> None:
        """Show a warning over the next page; each sentence is shown only once."""
        if sentence not in self._warned:
            self._warned.add(sentence)
            self.later(0, lambda: self.tell(sentence))

    # Settings

    def change(self, **changes: Any) -> None:
        """Change settings, then apply and save them."""
        before = self.settings
        self.settings = before.with_(**changes)
        if self.settings == before:
            return
        problem = keeping.save(self.config, self.settings)
        if problem:
            self.warn(problem)
        self.root.style = style(*self.settings.drawn)
        self.root.heels = HEELS if self.settings.calm else 0.0
        if self.settings.language != before.language:
            i18n.use(self.settings.language or i18n.system(os.environ))
            self.show(self.screen.renewed(), again=True)
        if self.settings.scale != before.scale:
            self.resize(*self.size)
        self.root.dirty = True

    # Window

    def resize(self, width: int, height: int) -> None:
        """Adapt the page to the window's new size in pixels."""
        self.size = (width, height)
        self.root.resize(*self._extent())
        self._fit()

    def refit(self) -> None:
        """Lay out the page again because its required height may have changed."""
        self.resize(*self.size)

    def _extent(self) -> tuple[float, float]:
        """Return the size of the page in logical pixels: the size of the window, or larger if needed."""
        seen = self.size[0] / self.scale, self.size[1] / self.scale
        least = self.screen.smallest(seen[0])
        wide, high = (max(pair) for pair in zip(least, seen, strict=True))
        self.root.narrow = seen if seen[0] < Screen.least[0] else None
        return wide, high

    def _fit(self) -> None:
        """Limit scrolling to the area in which the page, or else the topmost overlay, is laid out."""
        window, scale = self.root.window, self.scale
        self.lens.fit((window.w * scale, window.h * scale), self.size)

    def _reveal(self) -> None:
        """Scroll to the focused widget, topmost overlay or keyboard cursor if it has moved."""
        root = self.root
        focus = root.focus if root.focus is not None and (root.by_keys or root.focus.typed_in) else None
        place = self.screen.marked()
        if focus is not None:
            place = focus.rect
        elif root.floats:
            place = root.floats[-1].rect
        if place is not None and place != self._shown_place and place.w < root.window.w:
            self.lens.reveal(place, self.size, self.scale)
        self._shown_place = place

    def draw(self, *, boards: bool = True) -> None:
        """Draw a frame into the window's framebuffer.

        Rendering boards may take a second, so they are drawn as simple shapes if ``boards`` is false, and in the first
        frame of each kind of page that shows boards.
        """
        from pyglet import gl

        now = self.clock()
        self.begun = True
        self.check_day()
        self.moving = self.screen.animate(now)
        self._fit()
        if not self.lens.whole:
            self._reveal()
        width, height = self.size
        r, g, b, _ = self.root.style.page
        gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
        gl.glViewport(0, 0, width, height)
        gl.glClearColor(r, g, b, 1)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT | gl.GL_DEPTH_BUFFER_BIT)
        view, aside = self.screen.view, self.root.aside
        kind = type(self.screen), getattr(getattr(self.screen, "entry", None), "kind", "")
        seen = view is not None and (view.visible or aside is not None)
        sketched = seen and aside is None and not (boards and kind in self._met)
        boards = boards and not sketched
        if seen:
            self._met.add(kind)
        if boards and seen and view is not None:
            view.render(now, self.moving, aside)
            self.moving = self.moving or self.screen.fading()
        if boards and aside is None:
            self.screen.render_beside(now)
        self.canvas.begin(width, height, self.scale, self.lens.shift)
        if sketched and view is not None:
            view.sketch(now)
        self.root.draw(self.canvas, self.moving)
        scale, (left, top) = self.scale, self.lens.shift
        for bar in self.lens.bars(self.size, BAR * scale):
            place = Rect((bar.x + left) / scale, (bar.y + top) / scale, bar.w / scale, bar.h / scale)
            self.canvas.rect(place, faded(self.root.style.soft, 0.7), place.h / 2)
        fade = self._page_fade.part(now)
        if fade and not sketched:  # a sketch of the board is better than blank paper at first
            self.canvas.rect(self.root.window, faded(self.root.style.page, fade))
            self.moving = True
        self.canvas.flush()
        if sketched:
            self.root.dirty = True  # the full picture is drawn in the next frame
            return
        wanted, self._wanted_picture = self._wanted_picture, None
        if wanted is not None:
            wanted()

    def keep_picture(self, title: str, area: Rect) -> None:
        """Save ``area`` of the next frame as a screenshot in the user's picture folder."""

        def read() -> None:
            pixels = self.canvas.read(area)
            try:
                file = picture_file(self.pictures, title, "png")
                files.write(file, png(pixels))
            except OSError as problem:
                told = _("Couldn't save the screenshot: {problem}.", problem=problem)
            else:
                told = _("Screenshot saved to {path}.", path=file)
            self.later(0, lambda: self.tell(told))

        self._wanted_picture = read
        self.root.dirty = True

    def settled(self) -> None:
        """Write a description of the screen to the trace, for tests, after a frame without motion."""
        if self._trace is None:
            return
        widgets: dict[str, list[int]] = {}
        for page in (self.root.page, *self.root.floats):
            for widget in page.walk():
                if widget.name and widget.enabled and widget.rect.w > 0:
                    widgets[widget.name] = self.pixels(widget.rect.cx, widget.rect.cy)
        content: dict[str, object] = {"screen": self.screen.title, "widgets": widgets}
        content.update(self.screen.trace())
        self._trace.write(content)

    def key(self, key: Key) -> bool:
        """Handle a key press; return whether it was used.

        A key press that was used must not also be typed as text.
        """
        focus = self.root.focus
        writing = focus is not None and focus.typed_in
        plain = self.settings.single and not (writing or self.screen.letters)
        if key.chord == "ctrl+m" or (key.chord == "m" and plain):
            toggle_sound(self)
        elif self.root.key_press(key):
            pass
        elif key.chord == "f11":
            self.fullscreen()
        elif key.chord == "ctrl+q":
            self.leave()
        elif key.chord == "ctrl+v" and not self.root.floats:
            self.matches.open_text(self.paste())
        elif key.chord == "ctrl+,":
            self.pages.settings()
        elif key.chord in ("?", "shift+?", "shift+/") and self.screen.keys:
            self.pages.keys()
        elif key.chord == "shift+f1" and not self.root.floats:
            self.pages.without_sight()
        elif key.chord == "escape" and focus is not None:
            self.root.focus = None
            self.root.dirty = True
        else:
            return False
        return not writing

    def close(self) -> None:
        """Shut down: leave the page, stop background work and release the saved games."""
        self.screen.leave_screen()
        self.sounds.hush()
        self.solver.close()
        self.results.close()
        self.gallery.close()
        self.store.release()

    def painter(self) -> Painter:
        """Return the renderer for boards, creating it on first use."""
        if self._painter is None:
            self._painter = Painter(
                lambda delay, what: self.later(delay, what),
                lambda: self.root.refresh(),
                lambda: self.settings.stills and not on_battery(),
            )
        return self._painter

    @property
    def resting(self) -> bool:
        """Whether nothing is moving and the picture is final."""
        return not (self.moving or self.root.dirty or (self._painter is not None and self._painter.settling))

    def release(self) -> None:
        """Free GPU resources while the OpenGL context still exists."""
        if self._painter is not None:
            self._painter.release()
        self.gallery.release()
        self.canvas.release()
