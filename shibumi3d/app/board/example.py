"""Animated example beside the rules: a few moves on a small board, with a caption."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import _, language, local
from shibumi3d.match.match import Match
from shibumi3d.match.ply import Ply
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.wording import capital
from shibumi3d.scene import camera as cameras
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.signs import Sign, SignKind
from shibumi3d.scene.marbles.stage import Stage
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style

from ..host.view import pixels_of
from ..ui.canvas import Canvas
from ..ui.core import Key, Widget
from ..ui.prose import Prose
from .last_turn import landed
from .staged import staged

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

    from ..host import Host

PAUSE = 1.6
"""Pause between two moves, in seconds."""
BEFORE = 1.2
"""Pause before the first move, in seconds."""
ROUNDS = 3
"""Number of times that the moves are shown; after that, a click starts the example again."""
LINE = 18.0
SAID = 15
"""Font size of the caption."""
NEARER = 0.85
"""Camera distance, relative to the distance at which a full pyramid just fits in the picture."""
PICTURE = (80.0, 176.0)
"""Minimum and maximum height of the picture."""


class Example(Widget):
    """Animation that shows the moves of a lesson a few times; a click or Enter starts it again."""

    focusable = True
    shape = "hand"

    def __init__(self, app: Host, entry: Entry, lesson: Lesson | None) -> None:
        super().__init__("example", _("Show it again"))
        self.app, self.entry, self.lesson = app, entry, lesson
        self.match: Match | None = None
        self.moved = 0
        """Number of moves shown so far."""
        self.rounds = 0
        self.picture = Rect()
        self._next = 0.0
        self._waiting = False
        self._was_seen = False
        self.stage = Stage((4,))
        self.words = Prose("", SAID)
        """Caption; its words can be explained like those of the rules."""
        self.words.focusable = False
        self.add(self.words)

    def _begun(self) -> bool:
        """Play through the lesson's moves on the first call; return whether there is an example."""
        if self.match is None and self.lesson is not None:
            try:
                self.match = staged(self.entry, self.lesson)
                for move in self.lesson.moves:
                    self.match.play(move)
            except (CatalogueError, GameFileError, RuleFailure, ValueError):
                self.lesson = self.match = None
                return False
            self._make(self.match.first)
        return self.match is not None

    # Overridden by other table kinds

    def _make(self, first: Any) -> None:
        """Create the stage that shows the moves."""
        self.stage = Stage([first.size] * len(first.board_names), self.app.settings.motion)

    def _reset(self, state: State) -> None:
        """Show a position without animation."""
        self.stage.reset(state)

    def _play(self, ply: Ply, now: float) -> float:
        """Animate a move; return the time at which the animation ends, as far as is known yet."""
        try:
            self.stage.play(ply.events, now)
        except LookupError:
            self.stage.reset(ply.state)
        return max(now, self.stage.queue.end)

    def _busy(self, now: float) -> bool:
        """Return whether anything is still moving."""
        self.stage.queue.speed, self.stage.queue.reduced = (
            self.app.settings.motion,
            self.app.settings.reduced,
        )
        return self.stage.busy(now)

    def _frame(self, now: float, aspect: float) -> tuple[Frame, Camera]:
        """Return the frame to draw, and its camera."""
        assert self.match is not None
        last = self.match.plies[self.moved - 1] if self.moved else None
        signs: list[Sign] = []
        if last is not None and not self.stage.busy(now):
            signs = [Sign(SignKind.LAST, *seat) for seat in landed(last.events)]
        camera = replace(cameras.home(self.stage.sizes, aspect), zoom=NEARER)
        frame = self.stage.frame(now, camera, self.app.settings.colours, signs=signs, aspect=aspect)
        return frame, camera

    def _did(self, number: int) -> str:
        """Return a description of what a move did."""
        assert self.match is not None
        ply = self.match.plies[number]
        names = self.match.names
        return sentences.told(ply.state, ply.seat, ply.events, language(), names) or ply.move

    # Common to all tables

    def begin(self) -> None:
        """Start showing the moves from the beginning."""
        if self._begun():
            assert self.match is not None
            self.moved = self.rounds = 0
            self._reset(self.match.first)
            self._next = self.app.clock() + BEFORE
            self.refresh()

    def animate(self, now: float) -> bool:
        """Show the next move if it is due; return whether anything is moving."""
        if not self.visible or not self.picture.h:
            self._was_seen = False
            return False
        if not self._was_seen:
            self._was_seen = True
            self.begin()
        if self.match is None:
            return False
        plies = self.match.plies
        if self._busy(now):
            self._next = max(self._next, now + PAUSE)
            return True
        if now >= self._next and self.rounds < ROUNDS:
            if self.moved < len(plies):
                end = self._play(plies[self.moved], now)
                self.moved += 1
                self.rounds += self.moved == len(plies)
            else:
                end, self.moved = now, 0
                self._reset(self.match.first)
            self._next = end + (PAUSE if self.moved else BEFORE)
            self.refresh()
        if self.rounds < ROUNDS:
            self._wake(self._next - now)
        return self._busy(now)

    def _wake(self, seconds: float) -> None:
        """Request a redraw in ``seconds``, when the next move is due."""
        if not self._waiting:
            self._waiting = True

            def due() -> None:
                self._waiting = False
                self.refresh()

            self.app.later(max(0.02, seconds), due)

    # Texts

    def told(self) -> str:
        """Return the heading: what the latest move did or, before the first move, "An example"."""
        if self.match is None or not self.moved:
            return _("An example")
        did = self._did(self.moved - 1)
        return _("{number} of {most}  {told}", number=self.moved, most=len(self.match.plies), told=did)

    def sentence(self) -> str:
        """Return the caption of the current move.

        If the lesson has only one caption, it applies to all moves.
        """
        if self.lesson is None:
            return ""
        said = self.lesson.say
        if len(said) == 1:
            return local(said[0])
        return local(said[min(max(self.moved, 1), len(said)) - 1])

    # Layout and drawing

    def natural(self, canvas: Canvas, wide: float, room: float) -> float:
        """Return the preferred height, which is at most ``room``.

        It is 0 if there is no example or too little room for it.
        """
        if self.lesson is None:
            return 0.0
        words = self._lines(canvas, wide)
        picture = min(PICTURE[1], wide * 0.7, room - words * LINE - 10)
        return picture + words * LINE + 10 if picture >= PICTURE[0] else 0.0

    def _lines(self, canvas: Canvas, wide: float) -> float:
        """Return the maximum height of the texts below the picture, as a multiple of :data:`LINE`."""
        said = self.lesson.say if self.lesson is not None else ()
        lines = max((len(canvas.wrap(local(each), "italic", SAID, wide)) for each in said), default=0)
        return 2 + lines * SAID * 1.45 / LINE

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        words = self._lines(canvas, rect.w) * LINE + 10
        self.picture = Rect(rect.x, rect.y, rect.w, max(0.0, rect.h - words))
        top = self.picture.bottom + LINE + 8
        self.words.layout(Rect(rect.x, top, rect.w + 16, rect.bottom - top))

    def render(self, now: float) -> None:
        """Draw the picture of the board into the window."""
        if self.match is None or not self.picture.h or not self.visible:
            return
        frame, camera = self._frame(now, self.picture.w / self.picture.h)
        self.app.stage.painter().beside(frame, camera, pixels_of(self.app, self.picture), self.app.scale)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.frame(self.picture, style.hairline, 4)
        line = Rect(self.rect.x, self.picture.bottom + 6, self.rect.w, LINE + 2)
        canvas.text_fit(line, capital(self.told()), style.soft, "sans", SMALL)
        self.words.say(f"*{self.sentence()}*")

    # Input

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.holds(x, y):
            self.begin()

    def key(self, key: Key) -> bool:
        if key.chord in ("enter", "space"):
            self.begin()
            return True
        return False
