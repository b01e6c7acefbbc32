"""The boards in a match with marbles as one viewer sees them: frames, last-turn signs, labels, and a base page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, language
from shibumi3d.match.history import Ply
from shibumi3d.match.marbles import events_of, marble_events, marble_state, state_before
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.facts import marble_facts
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene import motion
from shibumi3d.scene.fades import Fades, FadeTiming
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.displacements import find_displacements
from shibumi3d.scene.marbles.exploded_view import ExplodedView
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, BOX_HINGE_DISTANCE, BOX_HINGE_HEIGHT, half_side
from shibumi3d.scene.marbles.scene import MarbleScene
from shibumi3d.scene.marbles.signs import HIGHLIGHT_KINDS, Ghost, Sign, SignKind, make_ending_signs
from shibumi3d.scene.marbles.table_objects import Heap, make_plaque_colours
from shibumi3d.scene.marbles.tabletop import SecretBox, TableContents, Tabletop
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX, Style

from ... import secret_reveals
from ...host.board_view import BoardView
from ...host.camera_controls import CameraControls
from ...host.page import Page
from ...ui import icons
from ...ui.canvas import Canvas
from ...ui.widget import InertWidget
from ..model import BoardsSnapshot, Memo, OpenPosition, VisiblePosition

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event

    from ...host import Host


PLACING_EVENTS = ev.Placed | ev.Moved | ev.Entered
TAKING_EVENTS = ev.Lifted | ev.Removed


def first_placement(events: Iterable[Event]) -> list[tuple[int, int]]:
    """Return the board and point of the first marble that is set down in the ``events`` of a move.

    The result is a list with one item, or an empty list if no marble is set down. Marbles that land later are
    consequences of the move, so they are ignored.
    """
    for event in events:
        if isinstance(event, PLACING_EVENTS):
            return [(event.board, event.point)]
    return []


def number_signs(cells: Sequence[tuple[int, int]], is_highlighted: bool = False) -> list[Sign]:
    """Return signs that number ``cells`` in order, or no signs if there are fewer than two cells.

    Each cell is a (board, point) pair. If ``is_highlighted`` is set, all the signs are highlighted.
    """
    if len(cells) < 2:
        return []
    return [
        Sign(SignKind.NUMBER, *seat, is_highlighted=is_highlighted, number=i)
        for i, seat in enumerate(cells, 1)
    ]


def crossed_out_signs(plies: Sequence[Ply]) -> tuple[list[Sign], list[Ghost]]:
    """Return signs and ghosts that cross out a turn, to be drawn over the position before it.

    ``plies`` are the plies of the turn. Ghosts show the marbles that the turn would set down. Signs cross out these
    ghosts and the marbles that the turn would take, and arrows show how marbles would move. For each ply, only the
    first of these effects is shown, since a better move might have the same later effects.
    """
    places: dict[tuple[int, int], Sign] = {}
    ghosts: dict[tuple[int, int], Ghost] = {}
    ways: list[Sign] = []
    for ply in plies:
        event = next((each for each in ply.events if isinstance(each, PLACING_EVENTS | TAKING_EVENTS)), None)
        if event is None:
            continue
        place = event.board, event.point
        places[place] = Sign(SignKind.DOOMED, *place)
        if isinstance(event, PLACING_EVENTS):
            ghosts[place] = Ghost(*place, event.colour)
        if isinstance(event, ev.Moved) and event.origin >= 0:
            places.pop((event.board, event.origin), None)
            ways.append(Sign(SignKind.HAND_MOVE, event.board, event.origin, target_point=event.point))
    return [*ways, *places.values()], list(ghosts.values())


class LastTurnSigns:
    """Signs that show the last turn in which a marble was set down."""

    def __init__(self, page: BoardsView) -> None:
        self.page = page
        self.trails: list[Sign] = []
        """Signs for the paths of marbles that have just fallen."""

    def last_turn_plies(self, shown_plies: Sequence[Ply], unrevealed_plies: frozenset[int]) -> list[Ply]:
        """Return the plies in ``shown_plies`` that belong to the last turn in which a marble was set down.

        Plies with an index in ``unrevealed_plies`` are hidden from the viewer, so they are ignored.
        """
        plies = [ply for number, ply in enumerate(shown_plies) if number not in unrevealed_plies]
        turn = next((ply.turn for ply in reversed(plies) if first_placement(ply.events)), None)
        return [ply for ply in plies if ply.turn == turn]

    def placed_cells(self, plies: Sequence[Ply]) -> list[tuple[int, int]]:
        """Return the cell of the first marble set down in each of ``plies``.

        Plies that set down no marble are skipped, as are cells that are empty in the position shown.
        """
        seen = self.page.visible_position.observation
        cells = [cell for ply in plies for cell in first_placement(ply.events)]
        return [cell for cell in cells if seen.filled(cell[0]) >> cell[1] & 1]

    def make_signs(self, plies: Sequence[Ply]) -> list[Sign]:
        """Return signs that show where marbles came from and in which order they were placed.

        ``plies`` are the plies of the last turn. There are no signs while a turn is unfinished, or once the match is
        over.
        """
        seen = self.page.visible_position.observation
        if seen.step or seen.result is not None:
            return []
        events = events_of(plies)
        # With reduced motion, falls are not animated, so they are numbered as well.
        falls = self.page.app.settings.reduced
        displacements = [
            s
            for s in find_displacements(events)
            if seen.filled(s.board) >> s.point & 1 and (falls or not s.has_fallen)
        ]
        moved = [s for s in displacements if s.origin not in (-1, s.point) and not s.has_fallen]
        signs = [Sign(SignKind.HAND_MOVE, s.board, s.origin, target_point=s.point) for s in moved]
        return signs + number_signs([(s.board, s.point) for s in displacements])

    def show_trails(self, events: Iterable[ev.Event]) -> None:
        """Show the paths of the marbles that fell in ``events``.

        The paths appear once nothing moves. They are removed by :meth:`.BoardsView.finish_fades`, for example after a
        click.
        """
        kinds = (ev.Dropped, ev.SideDropped)
        self.trails = [
            Sign(SignKind.TRAIL, e.board, e.origin, target_point=e.point)
            for e in events
            if isinstance(e, kinds)
        ]


SIGN_FADES = {
    SignKind.LAST: FadeTiming(motion.RING_FADE_MS),
    SignKind.HAND_MOVE: FadeTiming(motion.RING_FADE_MS),
    SignKind.NUMBER: FadeTiming(motion.RING_FADE_MS),
    SignKind.TRAIL: FadeTiming(motion.RING_FADE_MS),
    SignKind.HOVER: FadeTiming(*motion.HOVER_FADE_MS, motion.EASE_OUT),
}
"""Fade durations by kind of sign. Signs of other kinds appear and disappear at once."""
ENDING_SIGNS = (*HIGHLIGHT_KINDS, SignKind.COUNTED, SignKind.UNDECIDED, SignKind.DECIDED_BESIDE)
"""Kinds of signs that show how a match ended."""
SIGNS_AT_REST = (SignKind.LAST, SignKind.HAND_MOVE, SignKind.NUMBER, *ENDING_SIGNS)
"""Kinds of signs that are shown only while nothing is moving."""
GHOST_FADE = FadeTiming(motion.GHOST_FADE_MS, motion.GHOST_FADE_MS)


def coordinates_shortcut(app: Host) -> dict[str, Callable[[], object]]:
    """Return the key binding that shows or hides the names of points."""
    return {"c": lambda: app.change_settings(coordinates=not app.settings.coordinates)}


class BoardsView:
    """Base class for views of a position in a match with marbles, including animations and sounds.

    Subclasses add interaction.
    """

    refresh: Callable[[], None]
    """Function that requests a new frame."""

    def __init__(
        self, app: Host, match: Match, entry: Entry, position: VisiblePosition | None = None
    ) -> None:
        self.app = app
        self.visible_position = position or OpenPosition(match)
        self.match, self.entry = match, entry
        self._snapshot = Memo(self.make_snapshot, lambda: (self.state, self.app.settings))
        self.facts = marble_facts(match.game, len(match.seats))
        self.names = match.names
        initial_state = marble_state(match.initial_state)
        self.marble_scene = MarbleScene(
            [initial_state.size] * len(initial_state.board_names), app.settings.motion
        )
        self.marble_scene.can_recolour = self.facts.can_recolour
        self.marble_scene.reset(self.visible_position.observation)
        self.last_turn = LastTurnSigns(self)
        self._fades: Fades[Sign | Ghost] = Fades()
        self.tabletop = Tabletop(initial_state, self.facts)
        self._contents_cache: tuple[State, tuple[object, ...], TableContents] | None = None
        self.view: BoardView = self.make_view()

    def make_view(self) -> BoardView:
        """Create the view and connect it to the page's click handlers."""
        raise NotImplementedError

    @property
    def state(self) -> State:
        """Complete state of the position shown, including hidden information."""
        return self.visible_position.state

    @property
    def active_board(self) -> int:
        """Index of the current board.

        This is 0 unless a subclass overrides it.
        """
        return 0

    banner_text = ""
    """Announcement of a new phase, or of the next game of a series, shown briefly; empty if there is none."""
    exploded_layout: ExplodedView | None = None
    """Layout of the levels in the exploded view, or None while they are stacked as pyramids."""
    is_end_sound_pending = False
    """Whether the match is over but its final sound hasn't been played yet.

    The sound is played once nothing moves.
    """

    # The table

    is_zen_mode = False
    """Whether only the boards are shown, without the objects beside them."""

    def dish_heap(self) -> Heap | None:
        """Return the heap from which the next marble will be placed, or None if there is none.

        The front marble of this heap is shown in the dish.
        """
        return None

    def table_contents(self, time: float) -> TableContents:
        """Return the objects on the table at ``time``, given in seconds on the scene's clock."""
        queue, shown = self.marble_scene.timeline, self.snapshot
        seen, passed = shown.observation, shown.shown_plies
        under_way = queue.pending_stock_changes(time)
        boxes = self.box_openings(passed, time)
        still = not queue.is_animating(time)
        chosen = self.dish_heap() if still else None
        lit = self.tabletop.decisive_heaps(seen, shown.perspective_seat) if still else frozenset()
        key = (
            self.tabletop,
            self.tabletop.is_dish_shown,
            len(passed),
            shown.perspective_seat,
            chosen,
            lit,
            tuple(boxes.items()),
            tuple(under_way.items()),
        )
        if (
            self._contents_cache is None
            or self._contents_cache[0] is not seen
            or self._contents_cache[1] != key
        ):
            self._contents_cache = (
                seen,
                key,
                self.tabletop.make_contents(
                    seen, shown.perspective_seat, under_way, chosen, boxes, lit, passed
                ),
            )
        return self._contents_cache[2]

    _boxes_cache: tuple[tuple[State, bool, bool], list[SecretBox], set[SecretBox]] | None = None

    def box_openings(self, plies: Sequence[Ply], time: float) -> dict[SecretBox, float]:
        """Return how far each box for secret choices is open at ``time``, after the moves ``plies``.

        The values range from 0 (shut) to 1 (open). Boxes that aren't in use are left out. All boxes are shut while
        choices are being made. Once everybody has chosen, the boxes whose contents become public open together. A box
        then stays open for as long as it holds marbles that everybody may see.
        """
        table, queue = self.tabletop, self.marble_scene.timeline
        if not table.objects.box_count:
            return {}
        is_reveal = (
            bool(plies)
            and secret_reveals.includes_reveal(plies[-1].events)
            and (self.visible_position.is_revealing or queue.is_animating(time))
        )
        key = (self.state, is_reveal, self.visible_position.is_revealing)
        if (
            self._boxes_cache is None
            or self._boxes_cache[0][0] is not self.state
            or self._boxes_cache[0] != key
        ):
            slots: list[SecretBox] = []
            opens: set[SecretBox] = set()
            if is_reveal:
                slots = table.boxes_of_seats(secret_reveals.giving_seats(self.match, plies, True))
                known = self.visible_position.public_events(marble_events(plies[-1].events))
                opens = table.opened_boxes(known)
            elif self.state.is_in_secret_block:
                slots = table.boxes_of_seats(secret_reveals.giving_seats(self.match, plies, False))
            else:
                slots = table.boxes_left_open(state_before(self.match, plies, len(plies)))
                opens = set(slots)
            self._boxes_cache = key, slots, opens
        opening = queue.box_opening(time)
        return {slot: opening if slot in self._boxes_cache[2] else 0.0 for slot in self._boxes_cache[1]}

    def finish_fades(self) -> None:
        """Finish all fades immediately, and remove the trails of fallen marbles."""
        self._fades.finish()
        self.last_turn.trails = []

    def set_stock_positions(self, plies: Sequence[Ply], events: Sequence[ev.Event]) -> None:
        """Set the places on the table at which marbles start or end while ``events`` are animated.

        Call this before the animation. ``events`` may belong to several moves; ``plies`` ends with one of these moves.
        """
        boxes: list[SecretBox] = []
        if self.tabletop.objects.box_count:
            before = state_before(self.match, plies, len(plies) - 1)
            opened = secret_reveals.includes_reveal(plies[-1].events)
            boxes = self.tabletop.boxes_left_open(before)
            if before.is_in_secret_block:
                boxes = self.tabletop.boxes_of_seats(secret_reveals.giving_seats(self.match, plies, opened))
        heaps, chosen = (
            (self._contents_cache[2].heaps, self._contents_cache[2].dish_heap)
            if self._contents_cache
            else ({}, None)
        )
        if self.is_zen_mode:
            self.marble_scene.timeline.set_stocks({}, {})
        else:
            places = self.tabletop.stock_positions(
                self.visible_position.perspective_seat, plies[-1].seat, boxes, heaps, chosen, events
            )
            self.marble_scene.timeline.set_stocks(places, self.tabletop.row_positions)

    def to_animation_time(self, now: float) -> float:
        """Convert ``now``, a time on the app's clock, to a time on the scene's clock.

        By default, both clocks show the same time.
        """
        return now

    def animation_time(self) -> float:
        """Return the current time on the scene's clock."""
        return self.to_animation_time(self.app.clock())

    def animate(self, now: float) -> bool:
        """Advance all animations and sounds to ``now``; return whether anything is still moving."""
        self._snapshot.invalidate()
        self.marble_scene.timeline.speed = self.app.settings.motion
        self.marble_scene.timeline.reduce_motion = self.app.settings.reduced
        moving = self.view.animate(now)
        self.play_due_sounds(now)
        return self.marble_scene.is_animating(self.to_animation_time(now)) or moving

    @property
    def plays_sounds(self) -> bool:
        """Whether the sounds of the marbles are played.

        This is True unless a subclass overrides it.
        """
        return True

    def play_due_sounds(self, now: float) -> None:
        """Play the sounds that are due by ``now``.

        The sounds of marbles are skipped if :attr:`plays_sounds` is false. If :attr:`is_end_sound_pending` is true and
        nothing moves any more, the final sound of the match is played, too, and the attribute becomes false.
        """
        time = self.to_animation_time(now)
        for cue in self.marble_scene.timeline.take_cues(time):
            if self.plays_sounds:
                self.app.sounds.play_marble(cue)
        if self.is_end_sound_pending and not self.marble_scene.timeline.is_animating(time):
            self.is_end_sound_pending = False
            self.app.sounds.play_match_end()

    def is_fading(self) -> bool:
        """Return whether a sign or a ghost is still fading in or out."""
        return self._fades.is_fading

    def covering_rects(self) -> list[Rect]:
        """Return the rectangles of the panels that cover parts of the view.

        There are none by default.
        """
        return []

    # Signs

    @property
    def snapshot(self) -> BoardsSnapshot:
        """Snapshot of what is shown, rebuilt for each frame and after each change."""
        return self._snapshot.get()

    def make_snapshot(self) -> BoardsSnapshot:
        """Return a new snapshot of what is shown now."""
        known = self.visible_position
        seen, passed, hidden = known.observation, known.shown_plies(), known.unrevealed_plies
        turn = self.last_turn.last_turn_plies(passed, hidden)
        landed = self.last_turn.placed_cells(turn)
        return BoardsSnapshot(
            self.app.settings,
            known.state,
            seen,
            passed,
            hidden,
            known.covered_boards,
            self.active_board,
            known.perspective_seat,
            known.can_choose,
            self.marble_scene.marbles,
            tuple(landed),
            (*self._make_static_signs(seen, known.covered_boards, landed), *self.last_turn.make_signs(turn)),
        )

    def static_signs(self) -> list[Sign]:
        """Return the signs that don't depend on the pointer.

        They mark the marbles set down in the last turn, with their origins and their order. They also mark fallen
        marbles, the origin of the held marble, and covered boards. Once the match is over, they show how it ended.
        While nothing moves, they include the trails of fallen marbles.
        """
        still = not self.marble_scene.timeline.is_animating(self.animation_time())
        return [*self.snapshot.static_signs, *(self.last_turn.trails if still else ())]

    def _make_static_signs(
        self, state: State, covered_boards: frozenset[int], placed_cells: Sequence[tuple[int, int]]
    ) -> list[Sign]:
        boards = range(len(state.board_names))
        signs = [Sign(SignKind.COVERED_BOARD, board) for board in covered_boards]
        signs += [Sign(SignKind.FALLEN, b, p) for b in boards for p in iter_bits(state.fallen_points(b))]
        beside = not self.is_zen_mode and bool(
            self.tabletop.decisive_heaps(state, self.visible_position.perspective_seat)
        )
        signs += make_ending_signs(state, placed_cells, beside)
        if state.held is not None:
            signs.append(Sign(SignKind.ORIGIN, state.held[2], state.held[1]))
        if beside or any(sign.kind in HIGHLIGHT_KINDS for sign in signs):
            return signs  # highlight only what decided the match
        return signs + [Sign(SignKind.LAST, *seat) for seat in placed_cells]

    def make_frame(
        self, now: float, aspect: float, signs: Sequence[Sign], ghosts: Sequence[Ghost] = ()
    ) -> Frame:
        """Return the frame for the time ``now`` on the app's clock, with the given signs and ghosts.

        Earlier signs and ghosts that are still fading out are drawn as well. While something moves, the given signs of
        the kinds in :data:`SIGNS_AT_REST` are ignored.
        """
        if self.marble_scene.timeline.is_animating(self.to_animation_time(now)):
            signs = [sign for sign in signs if sign.kind not in SIGNS_AT_REST]
        wanted: dict[Sign | Ghost, FadeTiming] = {
            s: SIGN_FADES[s.kind] for s in signs if s.kind in SIGN_FADES
        }
        wanted.update(dict.fromkeys(ghosts, GHOST_FADE))
        soft = self._fades.sample(wanted, now, motion.SPEED_FACTORS[self.app.settings.motion])
        signs = [sign for sign in signs if sign.kind not in SIGN_FADES]
        signs += [key._replace(alpha=alpha) for key, alpha in soft.items() if isinstance(key, Sign)]
        ghosts = [k._replace(alpha=k.alpha * alpha) for k, alpha in soft.items() if isinstance(k, Ghost)]
        # The exploded view needs the whole table.
        lying = (
            None
            if self.is_zen_mode or self.exploded_layout is not None
            else self.table_contents(self.to_animation_time(now))
        )
        self.marble_scene.shows_coordinates = self.app.settings.coordinates
        return self.marble_scene.frame(
            self.to_animation_time(now),
            self.view.camera,
            self.app.settings.board_theme_after(len(self.snapshot.shown_plies)),
            signs=signs,
            ghosts=ghosts,
            extra_balls=lying.balls if lying else (),
            pieces=lying.pieces if lying else (),
            aspect=aspect,
            exploded_view=self.exploded_layout,
        )

    def point_pixels(self) -> dict[str, list[int]]:
        """Return the position of each point in window pixels, by the point's name.

        If there are several boards, names have the form ``board.point``.
        """
        from shibumi3d.rules.marbles.pyramid import get_pyramid

        pyr = get_pyramid(self.state.size)
        result: dict[str, list[int]] = {}
        state = self.state
        for board, title in enumerate(self.state.board_names):
            head = f"{title}." if len(self.state.board_names) > 1 else ""
            filled = state.filled(board)
            places = [
                self.marble_scene.marble_position(board, point, self.exploded_layout)
                if filled >> point & 1
                else self.marble_scene.empty_point_target(board, point, self.exploded_layout).position
                for point in range(pyr.point_count)
            ]
            for point, place in enumerate(self.view.all_to_window(places)):
                result[head + pyr.point_names[point]] = self.app.to_window_pixels(*place)
        return result


TITLE_OFFSETS_PX = (0.0, 24.0, -24.0, 48.0, 72.0, 96.0, 120.0, 144.0, 168.0)
"""Horizontal offsets, in pixels, that are tried in turn to find a free place for a board's name."""
SEAT_BOARD_PATTERN = re.compile(r"seat(\d+)")
MAX_PLAQUE_SHIFT_PX = 40.0
"""Maximum distance in pixels by which a plaque may be moved up if its usual place is occupied."""


def board_title(state: State, names: Sequence[str], board: int) -> tuple[str, int]:
    """Return the title of a board and its owner's seat, which is -1 if the board has no owner.

    The title of a seat's board is the seat's name in ``names``.
    """
    name = state.board_names[board]
    name_match = SEAT_BOARD_PATTERN.fullmatch(name)
    if name_match is not None and int(name_match[1]) <= len(names):
        seat = int(name_match[1]) - 1
        return names[seat], seat
    return capitalize_first(display_name(name, language())), -1


def board_at(
    view: BoardView, marble_scene: MarbleScene, exploded_layout: ExplodedView | None, x: float, y: float
) -> int:
    """Return the index of the board at (x, y) in the view, or -1 if there is none."""
    origin, way = view.camera.ray(x, y, view.rect.w, view.rect.h)
    if way[2] >= 0:
        return -1
    east, north = (origin + way * ((BOARD_TOP_Z - origin[2]) / way[2]))[:2]
    return marble_scene.board_at(float(east), float(north), exploded_layout)


class BoardOverlay(InertWidget):
    """Overlay that shows labels and announcements on the board view.

    It takes no input.
    """

    def __init__(self, boards: BoardsView) -> None:
        super().__init__()
        self.boards = boards
        self.occupied_rects: list[Rect] = []
        """Areas covered by panels and by labels placed so far."""

    def accessible_text(self) -> str:
        """Return the current announcement, or "" if there is none.

        The labels on the board view aren't included.
        """
        return self.boards.banner_text

    def reserve(self, rect: Rect) -> bool:
        """Reserve a rectangle for a label if it is free; return whether it was free."""
        common = [rect.intersection(other) for other in self.occupied_rects]
        free = not any(part.w > 1 and part.h > 1 for part in common)
        if free:
            self.occupied_rects.append(rect)
        return free

    def reserve_nearby(self, rect: Rect) -> Rect | None:
        """Reserve ``rect`` or, if it overlaps reserved rectangles, a free place just above one of them.

        Returns the reserved rectangle, or None if no such place is free. ``rect`` is moved up by at most
        :data:`MAX_PLAQUE_SHIFT_PX`.
        """
        if self.reserve(rect):
            return rect
        for other in self.occupied_rects:
            part, above = rect.intersection(other), rect.moved(0.0, other.y - 2 - rect.bottom)
            if part.w > 1 and part.h > 1 and rect.y - above.y <= MAX_PLAQUE_SHIFT_PX and self.reserve(above):
                return above
        return None

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen = self.boards
        if screen.banner_text:
            width = canvas.text_width(screen.banner_text, "title", 18) + 48
            box = Rect(self.rect.cx - width / 2, self.rect.y + 18, width, 40)
            canvas.shadow(box, style.shadow)
            canvas.rect(box, style.card, 6)
            canvas.outline(box, style.action, 6, 1.5)
            canvas.text_in(box, screen.banner_text, style.ink, "title", 18, 0.5)
        if not screen.view.visible:
            return
        self.occupied_rects = screen.covering_rects()
        with canvas.clip(screen.view.rect):
            several = len(screen.marble_scene.sizes) > 1
            shown = screen.snapshot
            hidden = shown.covered_boards
            for board in range(len(screen.marble_scene.sizes)):
                if board in hidden:
                    self._paint_covered_label(canvas, style, board)
                if several and screen.exploded_layout is None:
                    self._paint_title(canvas, style, board, board == shown.active_board)
            if not screen.is_zen_mode and screen.exploded_layout is None:
                self._paint_box_labels(canvas, style)
                self._paint_counts(canvas, style)
            if screen.exploded_layout is not None and screen.exploded_layout.is_complete:
                self._paint_level_letters(canvas, style, screen.exploded_layout)

    def _board_corners(self, board: int, height: float, fraction: float = 1.0) -> list[tuple[float, float]]:
        x, y = self.boards.marble_scene.board_centre(board, self.boards.exploded_layout)
        half = half_side(self.boards.marble_scene.sizes[board]) * fraction
        ways = ((-1, -1), (-1, 1), (1, 1), (1, -1))
        return self.boards.view.all_to_window([(x + half * i, y + half * j, height) for i, j in ways])

    def _paint_covered_label(self, canvas: Canvas, style: Style, board: int) -> None:
        corners = self._board_corners(board, BOARD_TOP_Z, 1.0)
        x, y = (sum(p[0] for p in corners) / 4, sum(p[1] for p in corners) / 4)
        text = _("under a cloth")
        width = canvas.text_width(text, "sans", SMALL_TEXT_PX) + 16
        box = Rect(x - width / 2, y - 12, width, 24)
        self.occupied_rects.append(box)
        canvas.rect(box, multiply_alpha(style.card, 0.9), 5)
        canvas.text_in(box, text, style.secondary_ink, "sans", SMALL_TEXT_PX, 0.5)

    def _paint_title(self, canvas: Canvas, style: Style, board: int, is_active: bool) -> None:
        """Draw the name of a board below its nearest edge or, if there is no room there, elsewhere around the board.

        The name is left out if there is no room at all.
        """
        corners = self._board_corners(board, BOARD_TOP_Z, 1.0)
        edges = list(zip(corners, [*corners[1:], corners[0]], strict=True))
        edges.sort(key=lambda edge: -edge[0][1] - edge[1][1])
        text, seat = board_title(self.boards.state, self.boards.names, board)
        sign_width = 20 if seat >= 0 else 0
        width = canvas.text_width(text, "bold" if is_active else "sans", 14) + 16 + sign_width
        places = [
            Rect((ax + bx) / 2 - width / 2 + aside, (ay + by) / 2 + 14, width, 24)
            for aside in TITLE_OFFSETS_PX
            for (ax, ay), (bx, by) in edges
        ]
        area = self.boards.view.rect.inset(2)
        places = [place for place in places if place.intersection(area) == place]
        box = next((place for place in places if self.reserve(place)), None)
        if box is None:
            # There is no room for the name, or the board is out of view.
            return
        canvas.rect(box, multiply_alpha(style.card, 0.9), 5)
        if is_active:
            canvas.outline(box, style.action, 5, 1.5)
        if seat >= 0:
            icons.draw_seat_symbol(canvas, seat, box.x + 14, box.cy, style.action, 6)
        place = Rect(box.x + 8 + sign_width, box.y, box.w - 14 - sign_width, box.h)
        canvas.text_in(place, text, style.ink, "bold" if is_active else "sans", 14)

    def _paint_counts(self, canvas: Canvas, style: Style) -> None:
        """Draw wooden plaques with the numbers of marbles in the trays, the dishes and the bag.

        The plaque of a dish also shows the symbol of the player whose marbles it holds. If all marbles in a dish can be
        seen, their number is left out. Plaques for which there is no room are left out, too.
        """
        labels = self.boards.table_contents(self.boards.animation_time()).labels()
        places = self.boards.view.all_to_window([label.position for label in labels])
        look = make_plaque_colours(self.boards.app.settings.board_theme)
        for (x, y), label in zip(places, labels, strict=True):
            sign_width = 18.0 if label.seat >= 0 else 0.0
            text_width = canvas.text_width(label.text, "bold", SMALL_TEXT_PX) if label.text else 0.0
            width = max(20.0, sign_width + text_width + (8 if label.text else 4))
            box = self.reserve_nearby(Rect(x - width / 2, y - 9, width, 18))
            if box is None:
                continue
            canvas.rect(box, look.edge, 3)
            canvas.rect(Rect(box.x, box.y, box.w, box.h - 2), look.wood, 3)
            if label.seat >= 0:
                icons.draw_seat_symbol(canvas, label.seat, box.x + 11, box.cy - 1, look.ink, 5)
            ink = multiply_alpha(look.ink, 0.6 if label.number == 0 else 1.0)
            place = box.cut_left(sign_width)[1]
            canvas.text_in(place, label.text, ink, "bold", SMALL_TEXT_PX, 0.5)

    def _paint_box_labels(self, canvas: Canvas, style: Style) -> None:
        """Draw a label at each box: its owner's symbol and, if each seat has several boxes, its name.

        Labels for which there is no room are left out.
        """
        screen, table = self.boards, self.boards.tabletop
        slots = list(screen.box_openings(screen.snapshot.shown_plies, screen.animation_time()))
        feet = [table.layout.box_positions[table.box_index(*slot)] for slot in slots]
        fronts = [(x, y - BOX_HINGE_DISTANCE, z + BOX_HINGE_HEIGHT / 2) for x, y, z in feet]
        for (seat, stock), (x, y) in zip(slots, screen.view.all_to_window(fronts), strict=True):
            name = display_name(stock, language()) if len(table.secret_stocks) > 1 else ""
            width = 22 + (canvas.text_width(name, "sans", SMALL_TEXT_PX) + 6 if name else 0)
            places = [
                Rect(x - width / 2 + dx, y - 11 + dy, width, 22) for dx, dy in ((0, 0), (0, -22), (16, 22))
            ]
            box = next((place for place in places if self.reserve(place)), None)
            if box is None:
                continue
            canvas.rect(box, multiply_alpha(style.card, 0.9), 5)
            icons.draw_seat_symbol(canvas, seat, box.x + 11, box.cy, style.action, 5)
            canvas.text_in(Rect(box.x + 20, box.y, width - 18, 22), name, style.ink, "sans", SMALL_TEXT_PX)

    def _paint_level_letters(self, canvas: Canvas, style: Style, exploded_layout: ExplodedView) -> None:
        """Draw the letter of each level in the exploded view on a corner of that level.

        On a covered board, only level A gets its letter, because the other levels aren't shown. If the match has
        several boards, the letter A is preceded by the title of its board.
        """
        several = len(exploded_layout.sizes) > 1
        for board, level, lies in exploded_layout.level_boards(self.boards.visible_position.covered_boards):
            half = lies.half_side - 0.1
            corners = [(lies.x + half * i, lies.y + half * j, BOARD_TOP_Z) for i in (-1, 1) for j in (-1, 1)]
            x, y = min(self.boards.view.all_to_window(corners), key=sum)
            text = chr(ord("A") + level)
            if several and not level:
                text = f"{board_title(self.boards.state, self.boards.names, board)[0]}  {text}"
            width = max(18.0, canvas.text_width(text, "bold", 12) + 11)
            canvas.rect(Rect(x - 9, y - 9, width, 18), multiply_alpha(style.card, 0.85), 9)
            canvas.text_in(Rect(x - 9, y - 9, width, 18), text, style.ink, "bold", 12, 0.5)


class BoardsPage(BoardsView, Page):
    """Page that shows one position of a match in a marble game."""

    view: BoardView
    save_file_name = ""
    """Name of the file in which the match is saved; empty if there is none."""

    def __init__(
        self, app: Host, match: Match, entry: Entry, position: VisiblePosition | None = None
    ) -> None:
        Page.__init__(self, app)
        BoardsView.__init__(self, app, match, entry, position)
        self.camera_controls = CameraControls(self, coordinates_shortcut(app))

    def refresh(self) -> None:
        self._snapshot.invalidate()
        Page.refresh(self)

    def edit_position(self) -> None:
        """Open the position editor with the position being shown.

        If a turn is in progress there, the editor opens with the position at the start of that turn. At the end of the
        match, it opens with the final position. If no turn can begin from the position, a message is shown instead.
        """
        self.app.pages.edit_position(self.match, len(self.visible_position.shown_plies()), self.entry)

    def save_camera(self) -> None:
        """Save the camera position, so that it can be restored when the match is opened again.

        Does nothing if the match isn't saved in a file.
        """
        self.camera_controls.save_camera(self.save_file_name)

    def show_note(self, sentence: str) -> None:
        """Show a message that isn't about a particular point.

        Does nothing by default.
        """
