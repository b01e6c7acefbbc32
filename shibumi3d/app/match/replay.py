"""Replays: views for every kind of table, playback with speed and loop, and previews above the timeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _, format_decimal, language
from shibumi3d.match.history import Ply
from shibumi3d.match.marbles import marble_events, marble_state
from shibumi3d.match.special_moves import last_turn
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State as MarbleState
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.registry import DEFAULT_KIND
from shibumi3d.scene import camera, motion
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.registry import make_scene
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style
from shibumi3d.scene.table_scene import TableHighlights
from shibumi3d.wording import describe_ply, format_score

from ...match import visibility
from ...match.loop import LoopRange
from ..host.board_view import BoardView
from ..host.camera_controls import fit_camera_to_scene
from ..ui.accessibility import BoardElement
from ..ui.button import Button
from ..ui.canvas import Canvas, paint_card_background
from ..ui.seat_line import paint_seat_card, paint_seat_line
from ..ui.widget import InertWidget
from .accessibility import board_elements, scene_elements
from .marble_view.boards import BoardOverlay, BoardsView, coordinates_shortcut
from .model import OpenPosition

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Event, State

    from ..host import Host
    from ..ui.slider import Slider
    from ..ui.widget import Widget


PLAYBACK_SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0)
MAX_SOUND_SPEED = 2.0
"""Maximum speed at which sounds are still played."""
PLAYBACK_PAUSE_SECONDS = 0.7
"""Pause between the end of one move and the start of the next, in seconds at normal speed."""


class Playback:
    """Playback of a match, timed by a clock that usually runs at the selected speed.

    When the slider is dragged by a single move, the clock runs faster until that move's animation ends. ``get_ply``
    returns the number of moves shown, and ``get_ply_count`` the total number. ``jump_to`` shows the position after a
    given number of moves, without animation, and ``play_plies`` plays a given number of moves.
    """

    def __init__(
        self,
        page: ReplayOwner,
        get_ply: Callable[[], int],
        get_ply_count: Callable[[], int],
        jump_to: Callable[[int], None],
        play_plies: Callable[[int], None],
    ) -> None:
        self.page, self._get_ply, self._get_ply_count, self._jump_to, self._play_plies = (
            page,
            get_ply,
            get_ply_count,
            jump_to,
            play_plies,
        )
        self.is_playing = False
        self.loop_range = LoopRange()
        self.speed = 1.0
        self._clock_origin = (page.app.clock(), page.app.clock())
        self._clock_rate = 1.0
        self._next_move_time = 0.0

    def playback_time(self, now: float) -> float:
        """Convert ``now``, a time on the app's clock, to playback time."""
        start, past = self._clock_origin
        return past + (now - start) * self._clock_rate

    def set_clock_rate(self, factor: float = 1.0) -> None:
        """Make the playback clock run at ``factor`` times the selected speed."""
        pace = self.speed * factor
        if pace != self._clock_rate:
            now = self.page.app.clock()
            self._clock_origin, self._clock_rate = (now, self.playback_time(now)), pace

    @property
    def is_sped_up(self) -> bool:
        """Whether the playback clock is running faster than the selected speed."""
        return self._clock_rate > self.speed

    def update_buttons(self, play_button: Button, speed_button: Button) -> None:
        """Update the icon and tooltip of the play button, and the label of the speed button."""
        play_button.icon = "pause" if self.is_playing else "play"
        play_button.tooltip = _("Pause  Space") if self.is_playing else _("Play  Space")
        speed_button.label = _("{times}×", times=format_decimal(self.speed))

    def set_speed(self, speed: float) -> None:
        """Set the speed, as a multiple of normal speed."""
        self.speed = speed
        self.set_clock_rate()
        self.page.update()

    def next_speed(self) -> None:
        """Switch to the next higher speed or, after the highest, back to the lowest."""
        self.set_speed(PLAYBACK_SPEEDS[(PLAYBACK_SPEEDS.index(self.speed) + 1) % len(PLAYBACK_SPEEDS)])

    def change_speed(self, steps: int) -> None:
        """Change the speed by ``steps`` steps in :data:`PLAYBACK_SPEEDS`, but not past either end of the list."""
        self.set_speed(
            PLAYBACK_SPEEDS[max(0, min(len(PLAYBACK_SPEEDS) - 1, PLAYBACK_SPEEDS.index(self.speed) + steps))]
        )

    def toggle(self) -> None:
        """Start or pause playback; at the end of the match or loop, start over from its beginning."""
        self.is_playing = not self.is_playing
        if self.is_playing:
            begin, end = self.loop_range.playing_range(self._get_ply_count())
            if self._get_ply() >= end:
                self._jump_to(begin)
            self._next_move_time = self.playback_time(self.page.app.clock())
        self.page.update()

    def toggle_loop(self) -> None:
        self.loop_range.toggle()
        self.page.update()

    def set_loop_end(self, is_end: bool) -> None:
        """Set the start of the loop, or its end if ``is_end`` is true, to the current position.

        If the loop would be empty, its other boundary is reset to the start or end of the match. If it is still empty,
        looping is turned off; otherwise, looping is turned on.
        """
        self.loop_range.set_end(self._get_ply(), self._get_ply_count(), is_end)
        self.page.update()

    def animate(self, now: float, is_animating: bool) -> bool:
        """Play the next move if it is due, or loop or stop at the end; return whether playback was on.

        ``now`` is a time on the app's clock. A move is due when ``is_animating`` has been false for
        :data:`PLAYBACK_PAUSE_SECONDS` of playback time. If nothing is animating when playback starts, the first move is
        due at once.
        """
        if not self.is_playing:
            return False
        time = self.playback_time(now)
        if is_animating:
            self._next_move_time = time + PLAYBACK_PAUSE_SECONDS
        elif time >= self._next_move_time:
            begin, end = self.loop_range.playing_range(self._get_ply_count())
            self._next_move_time = time + PLAYBACK_PAUSE_SECONDS
            if self._get_ply() < end:
                self._play_plies(1)
            elif self.loop_range.is_on:
                self._jump_to(begin)
            else:
                self.is_playing = False
                self.page.update()
        return True


class ReplayOwner(Protocol):
    """Page on which a match is replayed."""

    app: Host
    match: Match
    entry: Entry
    names: list[str]
    history: tuple[Ply, ...]
    at_ply: int
    """Number of moves shown."""
    viewer: int | None
    """Viewer, in the form accepted by :func:`.visibility.observe`.

    It is :data:`.ALL_SEATS` unless the match is over.
    """
    replay_view: ReplayView
    timeline: Slider
    record_text: str
    """Text of the match record."""

    @property
    def plays_sounds(self) -> bool:
        """Whether sounds are played at the selected speed."""

    def playback_time(self, now: float) -> float:
        """Convert ``now``, a time on the app's clock, to playback time."""

    def current_playback_time(self) -> float:
        """Return the current playback time."""

    def go_to(self, ply: int) -> None:
        """Jump to the state after ``ply`` moves, without animation."""

    def caption(self, ply: int | None = None) -> str:
        """Return a description of move number ``ply``, counted from 1; 0 stands for the start of the match.

        The default is the last move shown.
        """

    def update(self) -> None:
        """Update everything that depends on the current move or on the review."""

    def refresh(self) -> None:
        """Request a new frame."""


class ReplayView(Protocol):
    """View of the position shown on a replay page, for one kind of table.

    It is created by :func:`make_replay_view`.
    """

    view: BoardView
    is_end_sound_pending: bool
    """Whether the match is over but its final sound hasn't been played yet.

    The sound is played once nothing moves.
    """
    shortcuts: Mapping[str, Callable[[], object]]
    """Key bindings that show or hide things on this kind of table."""
    can_edit_position: bool
    """Whether positions can be opened in the position editor."""
    can_export_diagrams: bool
    """Whether diagrams of positions can be exported."""

    @property
    def overlay(self) -> Widget:
        """Widget drawn on top of the view."""

    def show_position(self) -> None:
        """Show the current position without animation."""

    def animate_ply(self, ply: Ply) -> None:
        """Animate ``ply``, which is the last move shown."""

    def animate_undo(self, ply: Ply) -> None:
        """Animate undoing ``ply``.

        The replay has already gone back to the position before ``ply``.
        """

    def finish_animations(self) -> None:
        """Finish all animations immediately."""

    def is_animating(self, time: float) -> bool:
        """Return whether anything is moving at playback time ``time``."""

    def scrub_speed_factor(self, playback_speed: float) -> float:
        """Return the factor by which to speed up playback while the slider is dragged.

        ``playback_speed`` is the selected playback speed. In games with marbles, this also discards all pending sounds.
        """

    def board_elements(self) -> Sequence[BoardElement]:
        """Return the items on the table, for screen readers."""

    def describe_ply(self, ply_index: int) -> str:
        """Return a description of the move with index ``ply_index``, or "" if there is nothing to say about it.

        In games with marbles, the description includes the earlier moves of the same turn. It doesn't reveal hidden
        moves.
        """

    def fit_view(self) -> None:
        """Fit the table into the view."""

    def animate(self, now: float) -> bool:
        """Advance the view to ``now``, a time on the app's clock; return whether anything moves."""

    def is_fading(self) -> bool:
        """Return whether anything is still fading in or out."""


PREVIEW_PICTURE_SIZE_PX = (240.0, 150.0)
"""Width and height of the picture in a preview, in logical pixels."""
MAX_PREVIEW_WIDTH_PX = 520.0
"""Maximum width of a preview whose caption is wider than the picture, in logical pixels."""
MAX_PREVIEW_OVERHANG_PX = 18.0
"""Maximum distance by which a preview and the gap below it may extend below the board view, in logical pixels."""
PREVIEW_CAPTION_HEIGHT_PX = 26.0
NOTABLE_EVENTS = (ev.Dropped, ev.SideDropped, ev.Captured, ev.Removed)
"""Events that give a move a tall tick on the timeline: a marble falls, is captured or is removed."""


def find_notable_plies(initial_state: State, history: tuple[Ply, ...]) -> frozenset[int]:
    """Return the numbers of the notable moves, counted from 1.

    A move is notable if a marble fell, was captured or was removed, or if the lead changed.
    """
    notable, leading = set(), _leading_seats(initial_state)
    for number, ply in enumerate(history, 1):
        leaders = _leading_seats(ply.state)
        if leaders != leading or any(isinstance(event, NOTABLE_EVENTS) for event in ply.events):
            notable.add(number)
        leading = leaders
    return frozenset(notable)


def _leading_seats(state: State) -> frozenset[int]:
    scores = state.scores
    return frozenset(seat for seat, score in enumerate(scores) if score == max(scores))


class PositionPreview(InertWidget):
    """Preview above the timeline: a picture of the position under the pointer, with a caption about its last move.

    A background process draws the picture, so that the board stays responsive. Until the picture is ready, or if the
    board already shows the position, there is only the caption.
    """

    def __init__(self, page: ReplayOwner) -> None:
        super().__init__("glance")
        self.page = page
        self.previewed_ply: int | None = None
        """Number of moves that lead to the position previewed, or None if there is no preview."""

    def preview_ply(self, ply: int | None) -> None:
        """Preview the position after ``ply`` moves; if ``ply`` is None, hide the preview."""
        if ply != self.previewed_ply:
            self.previewed_ply = ply
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        page, stop = self.page, self.previewed_ply
        if stop is None or not 0 <= stop <= len(page.history):
            return
        gallery = page.app.gallery
        picture = (
            gallery.position_picture(page.record_text, stop, page.entry) if stop != page.at_ply else None
        )
        height = PREVIEW_CAPTION_HEIGHT_PX + (PREVIEW_PICTURE_SIZE_PX[1] if picture is not None else 0.0)
        line, area = page.timeline, self.rect
        words = page.caption(stop)
        width = min(
            max(PREVIEW_PICTURE_SIZE_PX[0], canvas.text_width(words, "sans", SMALL_TEXT_PX) + 24),
            MAX_PREVIEW_WIDTH_PX,
            area.w - 16,
        )
        x = min(max(line.x_of(stop) - width / 2, area.x + 8), area.right - width - 8)
        box = Rect(x, min(line.rect.y, area.bottom + MAX_PREVIEW_OVERHANG_PX) - height - 8, width, height)
        paint_card_background(canvas, style, box)
        foot = box
        if picture is not None:
            field, foot = box.cut_top(PREVIEW_PICTURE_SIZE_PX[1])
            field = Rect(
                field.cx - PREVIEW_PICTURE_SIZE_PX[0] / 2, field.y, PREVIEW_PICTURE_SIZE_PX[0], field.h
            )
            canvas.picture(field.inset(4), picture, CORNER_RADIUS_PX - 2)
        canvas.text_fit(foot.inset(10, 0), words, style.ink, "sans", SMALL_TEXT_PX)


class ReplayPosition(OpenPosition):
    """Position shown in a replay, both in full and limited to what the viewer may know.

    Once the match is over, the viewer may know everything, so :attr:`state` and :attr:`observation` are the same.
    """

    def __init__(self, page: ReplayOwner) -> None:
        super().__init__(page.match)
        self.page = page

    @property
    def state(self) -> MarbleState:
        """Complete state of the position, including hidden information."""
        return marble_state(self.match.state_after(self.page.at_ply))

    @property
    def observation(self) -> MarbleState:
        """The state being shown, limited to what the viewer may know."""
        return visibility.observe(self.match.game, self.state, self.page.viewer)

    @property
    def covered_boards(self) -> frozenset[int]:  # type: ignore[override]
        return visibility.covered_boards(self.state, self.page.viewer)

    def shown_plies(self) -> Sequence[Ply]:
        return self.page.history[: self.page.at_ply]


class MarbleReplayView(BoardsView):
    """Replay view of the boards, and of the objects beside them on the table."""

    can_edit_position = can_export_diagrams = True

    def __init__(self, page: ReplayOwner) -> None:
        self.page = page
        self.refresh = page.refresh
        self.hidden_plies = visibility.hidden_plies(page.match, page.history, page.viewer)
        """Indices of the moves that are hidden from the viewer; none once the match is over."""
        super().__init__(page.app, page.match, page.entry, ReplayPosition(page))
        self.overlay = BoardOverlay(self)
        self.shortcuts: Mapping[str, Callable[[], object]] = coordinates_shortcut(page.app)

    def make_view(self) -> BoardView:
        return BoardView(
            self.app,
            self.marble_scene.sizes,
            self.make_current_frame,
            on_click=lambda x, y: False,
            on_cancel=lambda x, y: None,
            on_point=lambda x, y: None,
        )

    def _observe_events(self, ply: Ply) -> list[ev.Event]:
        return visibility.observe_events(
            self.match.game, ply.state, self.page.viewer, marble_events(ply.events)
        )

    def to_animation_time(self, now: float) -> float:
        return self.page.playback_time(now)

    @property
    def plays_sounds(self) -> bool:
        return self.page.plays_sounds

    def make_current_frame(self, now: float, aspect: float) -> Frame:
        """Return the frame at ``now``, a time on the app's clock."""
        return self.make_frame(now, aspect, self.static_signs())

    def show_position(self) -> None:
        self.last_turn.trails = []
        self.marble_scene.reset(self.visible_position.observation)

    def animate_ply(self, ply: Ply) -> None:
        known = self._observe_events(ply)
        self.set_stock_positions(self.visible_position.shown_plies(), known)
        try:
            self.marble_scene.play(known, self.animation_time())
        except LookupError:
            self.marble_scene.reset(self.visible_position.observation)
        self.last_turn.show_trails(known)

    def animate_undo(self, ply: Ply) -> None:
        known = self._observe_events(ply)
        self.set_stock_positions((*self.visible_position.shown_plies(), ply), known)
        self.last_turn.trails = []
        try:
            self.marble_scene.rewind(known, self.animation_time(), self.visible_position.observation)
        except LookupError:
            self.marble_scene.reset(self.visible_position.observation)

    def finish_animations(self) -> None:
        self.marble_scene.finish()

    def is_animating(self, time: float) -> bool:
        return self.marble_scene.is_animating(time)

    def scrub_speed_factor(self, playback_speed: float) -> float:
        self.marble_scene.timeline.discard_cues()
        left = (self.marble_scene.timeline.end_time - self.animation_time()) / playback_speed
        return max(1.0, left * 1000 / motion.MAX_SCRUB_MS)

    def board_elements(self) -> list[BoardElement]:
        covered = visibility.covered_boards(self.state, self.page.viewer)
        return board_elements(
            self.marble_scene,
            self.visible_position.observation,
            self.view,
            self.names,
            self.facts.picks_up_marbles,
            covered,
        )

    def describe_ply(self, ply_index: int) -> str:
        ply = self.page.history[ply_index]
        if ply_index in self.hidden_plies:
            return _("{who} chose in secret", who=self.names[ply.seat])
        history = self.page.history[: ply_index + 1]
        turn = [history[each] for each in last_turn(history) if each not in self.hidden_plies]
        events = [event for each in turn for event in self._observe_events(each)]
        text = sentences.describe_turn(marble_state(ply.state), ply.seat, events, language(), self.names)
        return text or (self.names[ply.seat] if len(self.names) > 1 else "")

    def fit_view(self) -> None:
        self.view.fit(self.tabletop.layout.outlines, ())


SCRUB_SPEED_FACTOR = 8.0
"""Factor by which the animations of a scene are sped up while the slider is dragged."""
SEAT_BOX_HEIGHT_PX, SEAT_BOX_GAP_PX = 28.0, 8.0
"""Height of a seat's box, and the gap between the boxes in a row, in logical pixels."""
MAX_NAMED_BOXES_FRACTION = 0.3
"""Maximum fraction of the table's height that boxes with names may cover."""


class SceneReplayView:
    """Replay view of a table drawn by a TableScene, with the seats and their scores at the top."""

    is_end_sound_pending = can_edit_position = can_export_diagrams = False
    shortcuts: Mapping[str, Callable[[], object]] = MappingProxyType({})

    def __init__(self, page: ReplayOwner) -> None:
        self.page, match = page, page.match
        self.facts = match.game.facts(len(match.seats))
        self.front_seat = visibility.default_perspective_seat(match)
        self.scene = make_scene(match.game, len(match.seats))
        self.view = BoardView(
            page.app,
            (4,),
            self.make_current_frame,
            on_click=lambda x, y: False,
            on_cancel=lambda x, y: None,
            on_point=lambda x, y: None,
            name="table",
        )
        self.view.home_camera = self.view.camera = camera.make_home_camera_for_hull(
            self.scene.hull, self.scene.view_direction
        )
        self.view.top_camera = camera.make_home_camera_for_hull(
            self.scene.hull, self.scene.view_direction, from_above=True
        )
        self.overlay = ReplaySeatBoxes(self)
        self.show_position()

    @property
    def state(self) -> State:
        """State after the moves shown, including hidden information."""
        page = self.page
        return page.match.state_after(page.at_ply)

    def _observe_state(self) -> State:
        return visibility.observe(self.page.match.game, self.state, self.page.viewer)

    def _observe_events(self, ply: Ply) -> list[Event]:
        return visibility.observe_events(self.page.match.game, ply.state, self.page.viewer, ply.events)

    def make_current_frame(self, now: float, aspect: float) -> Frame:
        """Return the frame for the time ``now`` on the app's clock, with the last turn highlighted."""
        page = self.page
        passed = page.history[: page.at_ply]
        last = [event for ply in passed if ply.turn == passed[-1].turn for event in self._observe_events(ply)]
        colours = page.app.settings.board_theme_after(page.at_ply)
        return self.scene.frame(page.playback_time(now), colours, TableHighlights(last_events=tuple(last)))

    def show_position(self) -> None:
        self.scene.reset(self._observe_state(), self.front_seat)

    def animate_ply(self, ply: Ply) -> None:
        self._animate(self.scene.play, ply)

    def animate_undo(self, ply: Ply) -> None:
        self._animate(self.scene.rewind, ply)

    def _animate(self, motion: Callable[[Sequence[Event], float, State, int], None], ply: Ply) -> None:
        try:
            motion(
                self._observe_events(ply),
                self.page.current_playback_time(),
                self._observe_state(),
                self.front_seat,
            )
        except LookupError:
            self.show_position()

    def finish_animations(self) -> None:
        self.scene.finish()

    def is_animating(self, time: float) -> bool:
        return self.scene.is_animating(time)

    def scrub_speed_factor(self, playback_speed: float) -> float:
        return SCRUB_SPEED_FACTOR

    def board_elements(self) -> list[BoardElement]:
        return scene_elements(
            self.page.match.game,
            self._observe_state(),
            self.scene,
            self.page.names,
            lambda spot: self.view.to_window(spot.position),
        )

    def describe_ply(self, ply_index: int) -> str:
        page = self.page
        ply = page.history[ply_index]
        did = describe_ply(page.match, page.history, ply_index, self._observe_events(ply))
        return _("{who}: {did}", who=page.names[ply.seat], did=did) if len(page.names) > 1 else did

    def fit_view(self) -> None:
        seats = self.overlay.layout_boxes(self.view.rect, self.page.app.canvas)
        fit_camera_to_scene(self.view, self.scene, [seats])

    def animate(self, now: float) -> bool:
        app, scene = self.page.app, self.scene
        scene.speed, scene.reduce_motion, scene.language = (
            app.settings.motion,
            app.settings.reduced,
            language(),
        )
        for cue in scene.take_cues(self.page.playback_time(now)):
            if self.page.plays_sounds:
                app.sounds.play_marble(cue)
        moving = scene.is_animating(self.page.playback_time(now))
        if self.is_end_sound_pending and not moving:
            self.is_end_sound_pending = False
            app.sounds.play_match_end()
        return self.view.animate(now) or moving

    def is_fading(self) -> bool:
        return False


class ReplaySeatBoxes(InertWidget):
    """Boxes with the symbol, name and score of each seat, in rows at the top of the table."""

    def __init__(self, replay_view: SceneReplayView) -> None:
        super().__init__("seats")
        self.replay_view = replay_view
        self.seat_rects: list[Rect] = []
        self.shows_names = True
        """Whether there is room for the names."""

    def layout_boxes(self, area: Rect, canvas: Canvas) -> Rect:
        """Lay out the boxes at the top of ``area``; return the rectangle that they cover.

        The names are left out if the boxes would otherwise take up more than :data:`MAX_NAMED_BOXES_FRACTION` of
        the height of the area.
        """
        room = area.inset(10, 10)
        plies, names = self.replay_view.page.history, self.replay_view.page.names
        end = plies[-1].state if plies else self.replay_view.state
        score = max(
            canvas.text_width(format_score(end, self.replay_view.facts, seat), "bold", BODY_TEXT_PX)
            for seat in range(len(names))
        )
        for self.shows_names in (True, False):
            self.seat_rects, x, y = [], room.x, room.y
            for name in names:
                wide = canvas.text_width(name, "bold", BODY_TEXT_PX) + 10 if self.shows_names else 0.0
                wide = min(room.w, 30 + wide + max(score, 24.0) + 14)
                if x > room.x and x + wide > room.right:
                    x, y = room.x, y + SEAT_BOX_HEIGHT_PX + SEAT_BOX_GAP_PX / 2
                self.seat_rects.append(Rect(x, y, wide, SEAT_BOX_HEIGHT_PX))
                x += wide + SEAT_BOX_GAP_PX
            if y + SEAT_BOX_HEIGHT_PX - area.y <= area.h * MAX_NAMED_BOXES_FRACTION:
                break
        right = max(place.right for place in self.seat_rects)
        self.layout(Rect(room.x, room.y, right - room.x, y + SEAT_BOX_HEIGHT_PX - room.y))
        return self.rect

    def paint(self, canvas: Canvas, style: Style) -> None:
        state = self.replay_view.state
        for seat, box in enumerate(self.seat_rects):
            on = state.decision is not None and seat in state.decision.seats
            paint_seat_card(canvas, style, box, on)
            name = self.replay_view.page.names[seat] if self.shows_names else ""
            paint_seat_line(
                canvas, style, box, seat, name, format_score(state, self.replay_view.facts, seat), on
            )


REPLAY_VIEWS: dict[str, Callable[[ReplayOwner], ReplayView]] = {DEFAULT_KIND: MarbleReplayView}


def make_replay_view(page: ReplayOwner) -> ReplayView:
    """Create the replay view for a page's match."""
    return REPLAY_VIEWS.get(page.entry.kind, SceneReplayView)(page)
