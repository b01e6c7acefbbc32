"""Animated previews of a game: a position from a random match, and the example beside the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import _, language, localize_texts
from shibumi3d.match.history import Ply
from shibumi3d.match.marbles import marble_events, marble_state
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene import camera as cameras
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import Sign, SignKind
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.style import SMALL_TEXT_PX, Style
from shibumi3d.scene.table_scene import NO_HIGHLIGHTS, TableHighlights, TableScene

from ..host.board_view import BoardView, framebuffer_area
from ..host.player_setup import lesson_match
from ..ui.canvas import Canvas
from ..ui.prose import FormattedText
from ..ui.widget import Key, Widget
from .marble_view.boards import first_placement

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, State

    from ..host import Host


EXAMPLE_MOVE_PAUSE_SECONDS = 1.6
"""Pause between two moves, in seconds."""
EXAMPLE_START_PAUSE_SECONDS = 1.2
"""Pause before the first move, in seconds."""
EXAMPLE_ROUNDS = 3
"""Number of times that the moves are shown; after that, a click starts the example again."""
EXAMPLE_LINE_HEIGHT_PX, MAX_HEADING_LINES = 18.0, 2
CAPTION_SIZE_PX = 15
EXAMPLE_CAMERA_ZOOM = 0.85
"""Camera distance, relative to the distance at which a full pyramid just fits in the picture."""
PICTURE_HEIGHT_RANGE_PX = (80.0, 176.0)
"""Minimum and maximum height of the picture."""


class RulesExample(Widget):
    """Animation that shows the moves of a lesson a few times; a click, Enter or Space starts it again."""

    focusable = True
    cursor_shape = "hand"

    def __init__(self, app: Host, entry: Entry, lesson: Lesson | None) -> None:
        super().__init__("example", _("Show it again"))
        self.app, self.entry, self.lesson = app, entry, lesson
        self.title = ""
        """Heading before the first move; if it is empty, the heading says that this is an example."""
        self.match: Match | None = None
        self.moves_shown = 0
        self.rounds_shown = 0
        self.picture_rect = self.heading_rect = Rect()
        self._max_heading_lines = MAX_HEADING_LINES
        self._next_move_time = 0.0
        self._is_redraw_scheduled = False
        self._was_visible = False
        self.marble_scene = MarbleScene((4,))
        self.caption = FormattedText("", CAPTION_SIZE_PX)
        """Caption of the current move, in which terms are explained as in the rules."""
        self.caption.focusable = False
        self.add(self.caption)

    def _ensure_match(self) -> bool:
        """Play through the lesson's moves on the first call; return whether there is an example."""
        if self.match is None and self.lesson is not None:
            try:
                self.match = lesson_match(self.entry, self.lesson)
                for move in self.lesson.moves:
                    self.match.play(move)
            except (CatalogueError, GameFileError, RuleFailure, ValueError):
                self.lesson = self.match = None
                return False
            self._make_scene(self.match.initial_state)
        return self.match is not None

    def show_lesson(self, lesson: Lesson | None, title: str) -> None:
        """Show another lesson from its beginning, or nothing if ``lesson`` is None.

        ``title`` is the heading shown before the first move. If it is empty, the heading says that this is an example.
        """
        self.lesson, self.title, self.match, self._was_visible = lesson, title, None, False
        self.refresh()

    # Overridden for other tables

    def _make_scene(self, initial_state: State) -> None:
        first = marble_state(initial_state)
        self.marble_scene = MarbleScene([first.size] * len(first.board_names), self.app.settings.motion)

    def _show_state(self, state: State) -> None:
        """Show a position without animation."""
        self.marble_scene.reset(marble_state(state))

    def _animate_ply(self, ply: Ply, now: float) -> float:
        """Animate a move; return the time at which the animation is expected to end.

        If the move can't be animated, the position after it is shown immediately.
        """
        try:
            self.marble_scene.play(marble_events(ply.events), now)
        except LookupError:
            self.marble_scene.reset(marble_state(ply.state))
        return max(now, self.marble_scene.timeline.end_time)

    def _is_animating(self, now: float) -> bool:
        """Pass the motion settings on to the scene, and return whether anything is still moving."""
        self.marble_scene.timeline.speed, self.marble_scene.timeline.reduce_motion = (
            self.app.settings.motion,
            self.app.settings.reduced,
        )
        return self.marble_scene.is_animating(now)

    def _make_frame(self, now: float, aspect: float) -> tuple[Frame, Camera]:
        assert self.match is not None
        last = self.match.plies[self.moves_shown - 1] if self.moves_shown else None
        signs: list[Sign] = []
        if last is not None and not self.marble_scene.is_animating(now):
            signs = [Sign(SignKind.LAST, *seat) for seat in first_placement(last.events)]
        camera = replace(cameras.make_home_camera(self.marble_scene.sizes, aspect), zoom=EXAMPLE_CAMERA_ZOOM)
        frame = self.marble_scene.frame(
            now, camera, self.app.settings.board_theme, signs=signs, aspect=aspect
        )
        return frame, camera

    def _describe_ply(self, index: int) -> str:
        assert self.match is not None
        ply = self.match.plies[index]
        state, events = marble_state(ply.state), marble_events(ply.events)
        return sentences.describe_turn(state, ply.seat, events, language(), self.match.names) or ply.move

    # Common to all tables

    def restart(self) -> None:
        """Start showing the moves from the beginning."""
        if self._ensure_match():
            assert self.match is not None
            self.moves_shown = self.rounds_shown = 0
            self._show_state(self.match.initial_state)
            self._next_move_time = self.app.clock() + EXAMPLE_START_PAUSE_SECONDS
            self.refresh()

    def animate(self, now: float) -> bool:
        """Show the next step of the example if it is due; return whether anything is moving.

        The sequence of moves is shown :data:`EXAMPLE_ROUNDS` times. When the example becomes visible, it starts from
        the beginning.
        """
        if not self.visible or not self.picture_rect.h:
            self._was_visible = False
            return False
        if not self._was_visible:
            self._was_visible = True
            self.restart()
        if self.match is None:
            return False
        plies = self.match.plies
        if self._is_animating(now):
            self._next_move_time = max(self._next_move_time, now + EXAMPLE_MOVE_PAUSE_SECONDS)
            return True
        if now >= self._next_move_time and self.rounds_shown < EXAMPLE_ROUNDS:
            if self.moves_shown < len(plies):
                end = self._animate_ply(plies[self.moves_shown], now)
                self.moves_shown += 1
                self.rounds_shown += self.moves_shown == len(plies)
            else:
                end, self.moves_shown = now, 0
                self._show_state(self.match.initial_state)
            self._next_move_time = end + (
                EXAMPLE_MOVE_PAUSE_SECONDS if self.moves_shown else EXAMPLE_START_PAUSE_SECONDS
            )
            self.refresh()
        if self.rounds_shown < EXAMPLE_ROUNDS:
            self._schedule_redraw(self._next_move_time - now)
        return self._is_animating(now)

    def _schedule_redraw(self, seconds: float) -> None:
        if not self._is_redraw_scheduled:
            self._is_redraw_scheduled = True

            def redraw() -> None:
                self._is_redraw_scheduled = False
                self.refresh()

            self.app.schedule(max(0.02, seconds), redraw)

    # Texts

    def heading(self) -> str:
        """Return the heading: what the last move shown did or, before the first move, the example's title."""
        return self._heading_after(self.moves_shown)

    def _heading_after(self, moves_shown: int) -> str:
        if self.match is None or not moves_shown:
            return self.title or _("An example")
        did = capitalize_first(self._describe_ply(moves_shown - 1))
        return _("{number} of {most} · {told}", number=moves_shown, most=len(self.match.plies), told=did)

    def _wrap_heading(self, canvas: Canvas, moves_shown: int, width: float) -> list[str]:
        return canvas.wrap(self._heading_after(moves_shown), "sans", SMALL_TEXT_PX, width)

    def caption_text(self) -> str:
        """Return the caption of the current move, or "" if there is no lesson.

        The caption of the first move is also shown before that move. If the lesson has only one caption, it applies to
        all moves.
        """
        if self.lesson is None:
            return ""
        comments = self.lesson.comments
        if len(comments) == 1:
            return localize_texts(comments[0])
        return localize_texts(comments[min(max(self.moves_shown, 1), len(comments)) - 1])

    # Layout and drawing

    def preferred_height(self, canvas: Canvas, width: float, max_height: float) -> float:
        """Return the preferred height, which is at most ``max_height``.

        It is 0 if there is no example or too little room for it.
        """
        if not self._ensure_match():
            return 0.0
        # With little room, long headings are cut to one line.
        for self._max_heading_lines in range(MAX_HEADING_LINES, 0, -1):
            words = self._text_line_count(canvas, width) * EXAMPLE_LINE_HEIGHT_PX + 10
            picture = min(PICTURE_HEIGHT_RANGE_PX[1], width * 0.7, max_height - words)
            if picture >= PICTURE_HEIGHT_RANGE_PX[0]:
                return picture + words
        return 0.0

    def _heading_line_count(self, canvas: Canvas, width: float) -> int:
        """Return the number of lines of the longest heading, limited to the maximum for the current layout."""
        moves = range(len(self.match.plies) + 1) if self.match is not None else ()
        most = max((len(self._wrap_heading(canvas, number, width)) for number in moves), default=1)
        return min(self._max_heading_lines, most)

    def _text_line_count(self, canvas: Canvas, width: float) -> float:
        """Return the maximum height of the texts below the picture, as a multiple of :data:`EXAMPLE_LINE_HEIGHT_PX`."""
        comments = self.lesson.comments if self.lesson is not None else ()
        lines = max(
            (
                len(canvas.wrap(text, "italic", CAPTION_SIZE_PX, width))
                for comment in comments
                if (text := localize_texts(comment))
            ),
            default=0,
        )
        caption = 1 + lines * CAPTION_SIZE_PX * 1.45 / EXAMPLE_LINE_HEIGHT_PX if lines else 0
        return self._heading_line_count(canvas, width) + caption

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        words = self._text_line_count(canvas, rect.w) * EXAMPLE_LINE_HEIGHT_PX + 10
        self.picture_rect = Rect(rect.x, rect.y, rect.w, max(0.0, rect.h - words))
        heading = self._heading_line_count(canvas, rect.w) * EXAMPLE_LINE_HEIGHT_PX
        self.heading_rect = Rect(rect.x, self.picture_rect.bottom + 6, rect.w, heading + 2)
        top = self.heading_rect.bottom
        comments = self.lesson.comments if self.lesson is not None else ()
        self.caption.visible = any(map(localize_texts, comments))
        self.caption.layout(Rect(rect.x, top, rect.w + 16, rect.bottom - top))

    def render_picture(self, now: float) -> None:
        """Draw the picture of the board into the window."""
        if self.match is None or not self.picture_rect.h or not self.visible:
            return
        frame, camera = self._make_frame(now, self.picture_rect.w / self.picture_rect.h)
        self.app.board_painter().draw_inset(
            frame, camera, framebuffer_area(self.app, self.picture_rect), self.app.scale
        )

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.outline(self.picture_rect, style.hairline, 4)
        rest, lines = self.heading_rect, self._wrap_heading(canvas, self.moves_shown, self.rect.w)
        if len(lines) > self._max_heading_lines:
            canvas.text_fit(rest, self.heading(), style.secondary_ink, "sans", SMALL_TEXT_PX)
            lines = []
        for text in lines:
            line, rest = rest.cut_top(EXAMPLE_LINE_HEIGHT_PX)
            canvas.text_in(line, text, style.secondary_ink, "sans", SMALL_TEXT_PX)
        self.caption.set_markup(f"*{self.caption_text()}*")

    # Input

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.contains(x, y):
            self.restart()

    def on_key(self, key: Key) -> bool:
        if key.chord in ("enter", "space"):
            self.restart()
            return True
        return False


SHOWN_MATCH_FRACTION = 0.6
"""Fraction of the random match that has been played at the position shown."""
MAX_RANDOM_MOVES = 60
"""Maximum number of random moves, since random play may never end some games."""
CHANGE_DELAY_SECONDS = 0.12
"""Delay in seconds before the preview changes, which keeps scrolling through the list smooth."""


def random_position(entry: Entry, size: int, variant: str, seats: int) -> State | None:
    """Return a state from the middle of a random match, or None if the game can't be loaded or played.

    The random seed is fixed, so the result is always the same. In games with marbles, the state is at the start of a
    turn if possible. In other games, it calls for the kind of decision that is most frequent in the match, if possible,
    and is limited to what the seat to move may know.
    """
    try:
        game = entry.game(size=size, variant=variant)
        states = [game.start(seats, 1)]
        chance = Random(1)
        while len(states) <= MAX_RANDOM_MOVES and (moves := game.moves(states[-1])):
            states.append(game.apply(states[-1], chance.choice(moves))[0])
    except (CatalogueError, GameFileError, RuleFailure, ValueError):
        return None
    shown = states[: round(SHOWN_MATCH_FRACTION * (len(states) - 1)) + 1]
    if entry.kind != DEFAULT_KIND:
        kinds = Counter(state.decision.kind for state in states if state.decision is not None)
        most = kinds.most_common(1)[0][0] if kinds else ""
        usual = [state for state in shown if state.decision is not None and state.decision.kind == most]
        state = (usual or shown)[-1]
        return game.observe(state, state.mover)
    # At step 0 no marble is in hand.
    return next((state for state in reversed(shown) if not state.step), shown[-1])


class GamePreview(BoardView):
    """View that previews a game and can be rotated by dragging."""

    def __init__(self, app: Host) -> None:
        self.marble_scene = MarbleScene((4,))
        super().__init__(
            app,
            self.marble_scene.sizes,
            self._make_frame,
            on_click=lambda x, y: False,
            on_cancel=lambda x, y: None,
            on_point=lambda x, y: None,
            name="showcase",
        )
        self.shown_state: State | None = None
        self.table_scene: TableScene | None = None
        """Scene of the table in a game without marbles, or None."""
        self._requested_game: tuple[Entry, int, str, int] | None = None
        self._state_before_demo: State | None = None
        self._last_events: tuple[Event, ...] = ()
        """Events of the last move of the demo match."""

    def show_game(self, entry: Entry, size: int, variant: str, seats: int) -> None:
        """Show a position from a random match with ``seats`` players after a short pause.

        Does nothing if the previous call had the same arguments. A later call replaces one that is still waiting. If
        the user leaves the page during the pause, nothing is shown.
        """
        wanted = (entry, size, variant, seats)
        if wanted == self._requested_game:
            return
        self._requested_game = wanted

        def now() -> None:
            if self._requested_game is wanted and self.app.current_page.view is self:
                self._show_state(random_position(*wanted))

        self.app.schedule(CHANGE_DELAY_SECONDS, now)

    def _show_state(self, state: State | None) -> None:
        self.shown_state = state
        self.table_scene = None
        entry, size, variant, seats = self._requested_game or (None, 0, "", 0)
        if state is not None and entry is not None and entry.kind != DEFAULT_KIND:
            self.table_scene = make_scene(entry.game(size=size, variant=variant), seats)
            self.table_scene.reset(state, state.mover)
            self.camera = self.home_camera = cameras.make_home_camera_for_hull(
                self.table_scene.hull, self.table_scene.view_direction, self.aspect
            )
            self.refresh()
            return
        if state is not None:
            seen = marble_state(state)
            sizes = (seen.size,) * len(seen.board_names)
            if sizes != self.marble_scene.sizes or self.camera.hull:
                self.marble_scene = MarbleScene(sizes)
                self.camera = self.home_camera = cameras.make_home_camera(sizes)
            self.marble_scene.reset(seen)
        self.refresh()

    # Demo match

    def start_demo(self, match: Match) -> None:
        """Show the start of a demo match.

        In games without marbles, only what a spectator may know is shown.
        """
        self._state_before_demo, self._last_events = self.shown_state, ()
        self._show_state(
            match.game.observe(match.state, None) if self.table_scene is not None else match.state
        )

    def animate_demo_move(self, match: Match, events: Iterable[Event], now: float) -> None:
        """Animate ``events``, the events of the last move in the demo match.

        If they can't be animated, the state after the move is shown at once.
        """
        events = tuple(events)
        settings = self.app.settings
        if self.table_scene is not None:
            seen = match.game.observe(match.state, None)
            self.table_scene.speed, self.table_scene.reduce_motion = settings.motion, settings.reduced
            self._last_events = match.game.observe_events(match.state, events, None)
            try:
                self.table_scene.play(self._last_events, now, seen, 0)
            except LookupError:
                self.table_scene.reset(seen, 0)
        else:
            self._last_events = events
            self.marble_scene.timeline.speed, self.marble_scene.timeline.reduce_motion = (
                settings.motion,
                settings.reduced,
            )
            try:
                self.marble_scene.play(marble_events(events), now)
            except LookupError:
                self.marble_scene.reset(marble_state(match.state))
        self.refresh()

    def end_demo(self) -> None:
        """Show the state that was shown before the demo match."""
        self._last_events = ()
        self._show_state(self._state_before_demo)

    def is_animating(self, now: float) -> bool:
        """Return whether anything is moving at ``now``.

        In a game without marbles, this also discards the sounds that are due by then.
        """
        if self.table_scene is not None:
            self.table_scene.take_cues(now)  # discard the sounds
            return self.table_scene.is_animating(now)
        return self.marble_scene.is_animating(now)

    def animate(self, now: float) -> bool:
        moving = super().animate(now)
        return self.is_animating(now) or moving

    def _make_frame(self, now: float, aspect: float) -> Frame:
        colours = self.app.settings.board_theme
        if self.table_scene is not None:
            return self.table_scene.frame(
                now,
                colours,
                TableHighlights(last_events=self._last_events) if self._last_events else NO_HIGHLIGHTS,
            )
        signs = (
            []
            if self.is_animating(now)
            else [Sign(SignKind.LAST, *seat) for seat in first_placement(self._last_events)]
        )
        return self.marble_scene.frame(now, self.camera, colours, signs=signs, aspect=aspect)
