"""The boards of a match with their marbles, animations and signs, as frames to be drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.event import Ended, Event
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import CHEVRON_SIZE_RANGE_PX, Ball, Board, Frame, MarkKind, Piece
from shibumi3d.scene.marbles.actors import Cell, HeldMarble
from shibumi3d.scene.marbles.exploded_view import ExplodedView, marble_radius
from shibumi3d.scene.marbles.layout import (
    BOARD_TOP_Z,
    LABEL_OFFSET,
    RADIUS,
    Array,
    Vector,
    half_side,
    socket_depth,
)
from shibumi3d.scene.marbles.sign_painter import SignPainter
from shibumi3d.scene.marbles.signs import (
    BEAD_RADIUS,
    DRAWN_FIRST,
    ENTRY_HALF_LENGTH,
    GHOST_RADIUS,
    RING_RADIUS,
    STRONG_STROKE_PX,
    Ghost,
    Sign,
    SignKind,
)

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.state import State
from shibumi3d.scene.marbles.timeline import Timeline
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.picking import BoardSquare, PickableObject, PickShape

MAX_RING_COUNT = 24  # above this number of legal points, rings become dots
DOOMED_ALPHA = 0.4
DIMMED_SATURATION = 0.55
UNDECIDED_SATURATION = 0.75
COUNT_SECONDS_PER_MARBLE = 0.07  # seconds for each marble counted at the end of a match
MAX_COUNT_SECONDS = 1.6  # maximum duration of the count, in seconds
ENTRY_DISTANCE = 1.15  # distance of an entry mark from the first cell of its row
ENTRY_EXTRA_DISTANCE = 0.38  # extra distance for every two levels, where height does not distinguish them
MIN_LABEL_CLEARANCE = 0.45  # minimum visible distance from the names in the rim
EXPLODED_ENTRY_DISTANCE = 0.62  # distance of an entry mark in the exploded view, where it is on the rim


class MarbleScene:
    """Boards of the given ``sizes``, side by side, with their marbles.

    ``speed`` (a key of ``motion.SPEED_FACTORS``) and ``reduce_motion`` are passed to :attr:`timeline`, where they can
    be changed at any time. If ``shows_coordinates`` is set, the rims of the boards show the names of files and ranks,
    turned so that they can be read from the camera. ``can_recolour`` is set if marbles can change colour in this game.
    """

    shows_coordinates = False
    can_recolour = False

    def __init__(self, sizes: Sequence[int], speed: str = "normal", reduce_motion: bool = False) -> None:
        self.sizes = tuple(sizes)
        self.timeline = Timeline(self.sizes, speed, reduce_motion)
        self.layout = self.timeline.layout
        self._win_start = self._win_end = -math.inf
        self._shaken_cell: Cell = (0, 0)
        self._shake_start = self._shake_end = -math.inf

    # -- marbles ------------------------------------------------------------------------------------------

    def reset(self, state: State) -> None:
        """Show ``state`` and stop all motion."""
        self.timeline.reset(marbles_by_cell(state), held_marble(state))
        self._win_end = self._shake_end = -math.inf

    def play(self, events: Iterable[Event], now: float, wait: float = 0.0) -> None:
        """Animate ``events``, starting ``wait`` seconds after the current motion ends.

        If they end the match, the winning shape is traced afterwards, unless motion is reduced. Raises LookupError if
        an event refers to a marble that does not exist.
        """
        events = tuple(events)
        self.timeline.add(events, now, wait)
        if any(isinstance(event, Ended) for event in events) and not self.timeline.reduce_motion:
            # The winning shape is traced once the last marble has come to rest.
            self._win_start = max(self.timeline.end_time, now)
            self._win_end = (
                self._win_start + motion.WINNING_LINE_MS / 1000 * motion.SPEED_FACTORS[self.timeline.speed]
            )

    def rewind(self, events: Iterable[Event], now: float, before: State) -> None:
        """Play ``events`` backwards, ending with ``before``, the state before them.

        Any other motion is stopped first. Raises LookupError if an event refers to a marble that does not exist.
        """
        self._win_end = self._shake_end = -math.inf
        self.timeline.rewind(events, now, marbles_by_cell(before), held_marble(before))

    def finish(self) -> None:
        """End all motion now and put every marble in its final position."""
        self.timeline.finish()
        self._win_end = self._shake_end = -math.inf

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving at ``now``."""
        return self.timeline.is_animating(now) or now < self._win_end or now < self._shake_end

    def shake(self, board: int, point: int, now: float) -> None:
        """Shake the marble on ``point`` to show that a move is not legal.

        If the point is empty, or if motion is off or reduced, a ring is shown instead.
        """
        self._shaken_cell, self._shake_start = (board, point), now
        self._shake_end = now + motion.SHAKE_MS / 1000 * max(motion.SPEED_FACTORS[self.timeline.speed], 0.5)

    def _shake_offset(self, now: float) -> tuple[Cell | None, float]:
        """Return the cell being shaken or marked with a ring, and the current offset of its marble to the right.

        If the offset is 0, the cell is marked instead of being shaken. If there is no such cell, the result is None and
        0.
        """
        if not now < self._shake_end:
            return None, 0.0
        if (
            self.timeline.reduce_motion
            or self.timeline.speed == "off"
            or self._shaken_cell not in self.marbles
        ):
            return self._shaken_cell, 0.0
        part = max((now - self._shake_start) / (self._shake_end - self._shake_start), 0.0)
        return self._shaken_cell, motion.SHAKE_AMPLITUDE * math.sin(2 * math.tau * part + 0.2) * (
            1.0 - 0.5 * part
        )

    def _winning_line_progress(self, now: float) -> float:
        """Return the fraction of the winning shape that has been traced, from 0 to 1."""
        if not now < self._win_end:
            return 1.0
        start = self._win_start
        return motion.EASE_STANDARD((now - start) / (self._win_end - start)) if now > start else 0.0

    def _counted_so_far(self, now: float, total: int) -> int:
        """Return how many of ``total`` marbles have been counted so far.

        If counting takes longer than tracing the winning shape, the animation is extended until the count ends.
        """
        if self._win_end > self._win_start > -math.inf:
            span = (
                min(COUNT_SECONDS_PER_MARBLE * total, MAX_COUNT_SECONDS)
                * motion.SPEED_FACTORS[self.timeline.speed]
            )
            self._win_end = max(self._win_end, self._win_start + span)
        if not now < self._win_end:
            return total
        part = (now - self._win_start) / (self._win_end - self._win_start)
        return math.floor(total * max(part, 0.0))

    @property
    def marbles(self) -> dict[Cell, int]:
        """Colour of every marble that is on the boards once all motion has ended, by (board, point)."""
        return self.timeline.marbles

    @property
    def held(self) -> HeldMarble | None:
        """Marble in hand once all motion has ended, or None."""
        return self.timeline.held

    def resting_marbles(self, exploded_view: ExplodedView | None = None) -> list[tuple[Cell, Vector]]:
        """Return the cell and centre of every marble that is on the boards once all motion has ended."""
        return [(seat, self.marble_position(*seat, exploded_view)) for seat in self.marbles]

    def held_marble_target(self, exploded_view: ExplodedView | None = None) -> PickableObject | None:
        """Return the click target of the marble in hand, or None if no marble is in hand.

        While marbles are moving, this is the marble that will be in hand once all motion has ended.
        """
        held = self.held
        if held is None:
            return None
        at = self.timeline.held_position(held, (held.board, held.origin) in self.marbles)
        return PickableObject(
            at if exploded_view is None else exploded_view.displace(held.board, held.origin, at),
            marble_radius(exploded_view),
        )

    def empty_point_target(
        self, board: int, point: int, exploded_view: ExplodedView | None = None
    ) -> PickableObject:
        """Return the click target of the mark on an empty point.

        The mark is a ring around a hole in a board, or a bead where there is no such hole.
        """
        if self.is_board_hole(board, point, exploded_view):
            x, y, _ = self.marble_position(board, point, exploded_view)
            return PickableObject((x, y, BOARD_TOP_Z), RING_RADIUS, PickShape.HORIZONTAL_DISC)
        return PickableObject(self.position_in_socket(board, point, BEAD_RADIUS, exploded_view), BEAD_RADIUS)

    def position_in_socket(
        self, board: int, point: int, radius: float, exploded_view: ExplodedView | None = None
    ) -> Vector:
        """Return the centre of a ball that is smaller than a marble and rests in the socket at ``point``.

        ``radius`` is the radius of the ball.
        """
        x, y, z = self.marble_position(board, point, exploded_view)
        return x, y, z - socket_depth(radius, not self.is_board_hole(board, point, exploded_view))

    def is_board_hole(self, board: int, point: int, exploded_view: ExplodedView | None = None) -> bool:
        """Return whether a point is a hole in a board.

        This is true on level A and, once the exploded view is complete, on all levels.
        """
        return self.layout.levels[board][point] == 0 or (
            exploded_view is not None and exploded_view.is_complete
        )

    def entry_target(
        self,
        board: int,
        point: int,
        side: int,
        exploded_view: ExplodedView | None = None,
        toward_camera: Array | None = None,
    ) -> PickableObject:
        """Return the click target of the mark that shows where a marble can enter a row from ``side``.

        For the arguments, see :meth:`entry_position`.
        """
        return PickableObject(
            self.entry_position(board, point, side, exploded_view, toward_camera),
            ENTRY_HALF_LENGTH,
            PickShape.FACING_DISC,
            radius_range_px=CHEVRON_SIZE_RANGE_PX,
        )

    def boards(
        self, exploded_view: ExplodedView | None = None, covered: frozenset[int] | set[int] = frozenset()
    ) -> list[Board]:
        """Return the boards to draw; those whose numbers are in ``covered`` have covers.

        In the exploded view, these are the boards of the levels; see :meth:`.ExplodedView.level_boards`.
        """
        if exploded_view is not None:
            return [board for _, _, board in exploded_view.level_boards(covered)]
        pairs = zip(self.sizes, self.layout.origins, strict=True)
        return [Board(size, *origin, number in covered) for number, (size, origin) in enumerate(pairs)]

    def board_centre(self, board: int, exploded_view: ExplodedView | None = None) -> tuple[float, float]:
        """Return the centre (x, y) of a board or, in the exploded view, of its level A."""
        x, y = self.layout.origins[board]
        dx, dy, _ = (0.0, 0.0, 0.0) if exploded_view is None else exploded_view.level_offset(board, 0)
        return x + dx, y + dy

    def board_at(self, x: float, y: float, exploded_view: ExplodedView | None = None) -> int:
        """Return the index of the board whose upper surface contains (x, y), or -1.

        In the exploded view, each board consists of the boards of its levels.
        """
        lying = (
            [(number, board) for number, board in enumerate(self.boards())]
            if exploded_view is None
            else [(number, board) for number, _, board in exploded_view.level_boards()]
        )
        return next((n for n, b in lying if max(abs(x - b.x), abs(y - b.y)) <= b.half_side), -1)

    def board_squares(self, exploded_view: ExplodedView | None = None) -> list[BoardSquare]:
        """Return the boards in the format expected by :func:`.pick`."""
        return [(board.x, board.y, board.half_side) for board in self.boards(exploded_view)]

    def marble_position(self, board: int, point: int, exploded_view: ExplodedView | None = None) -> Vector:
        """Return the centre that a marble on ``point`` has or would have."""
        at = self.layout.point_position(board, point)
        return at if exploded_view is None else exploded_view.displace(board, point, at)

    def entry_position(
        self,
        board: int,
        point: int,
        side: int,
        exploded_view: ExplodedView | None = None,
        toward_camera: Array | None = None,
    ) -> Vector:
        """Return the position of the mark that shows that a marble can enter ``point`` from ``side``.

        ``side`` is an index into :data:`.SIDES`. The mark is in front of the row that contains ``point``, at the height
        of that row.

        ``toward_camera`` (3,) is the direction towards the camera. If it is given, the mark is moved to cover less. On
        a side that faces the camera, it is lowered towards the board, where it doesn't hide marbles of lower rows. If
        it would cover the name of a file or rank in the rim, it is moved outwards. Once the exploded view is complete,
        ``toward_camera`` has no effect.
        """
        x, y, z = self.marble_position(board, point, exploded_view)
        apart = 0.0 if exploded_view is None else exploded_view.progress
        before = ENTRY_DISTANCE + (EXPLODED_ENTRY_DISTANCE - ENTRY_DISTANCE) * apart
        dx, dy = ((-1, 0), (1, 0), (0, -1), (0, 1))[side]
        if toward_camera is not None and apart < 1.0:
            facing, rise = (
                dx * float(toward_camera[0]) + dy * float(toward_camera[1]),
                float(toward_camera[2]),
            )
            near = min(max(3.0 * facing, 0.0), 1.0) * (1.0 - apart)
            level = float(self.layout.levels[board][point])
            z = z + (BOARD_TOP_Z - z) * near
            # Heights are not visible from straight above either.
            farther = ENTRY_EXTRA_DISTANCE * (level // 2) * max(near, 4.0 * rise - 3.0)
            # A mark above the board appears farther out than the point below it, and distances along the line of sight
            # are foreshortened.
            beyond = (
                level / 2
                + RADIUS
                + LABEL_OFFSET
                + MIN_LABEL_CLEARANCE / math.sqrt(max(1.0 - facing * facing, 0.01))
            )
            beyond += farther + (z - BOARD_TOP_Z) * facing / rise
            before += max(beyond - before, 0.0) * (1.0 - apart)
        return x + before * dx, y + before * dy, z

    def connection_signs(self, board: int = 0) -> list[Sign]:
        """Return signs for the contacts between visible marbles of the same colour.

        A contact that is cut by two marbles above it has a ``CUT`` sign; any other has a ``LINKED`` sign.
        """
        pyr = get_pyramid(self.sizes[board])
        colours = {point: colour for (b, point), colour in self.marbles.items() if b == board}
        filled = sum(1 << point for point in colours)
        hidden = position.hidden_marbles(pyr, filled)
        cut = set(position.cut_contacts(pyr, filled))
        return [
            Sign(SignKind.CUT if (p, q) in cut else SignKind.LINKED, board, p, target_point=q)
            for p, q, _ in pyr.contacts
            if p in colours and colours.get(q) == colours[p] and not hidden & (1 << p | 1 << q)
        ]

    # -- frames -------------------------------------------------------------------------------------------

    def frame(
        self,
        now: float,
        camera: Camera,
        theme: Theme,
        *,
        signs: Sequence[Sign] = (),
        ghosts: Sequence[Ghost] = (),
        extra_balls: Sequence[Ball] = (),
        pieces: Sequence[Piece] = (),
        exploded_view: ExplodedView | None = None,
        aspect: float = 16 / 9,
    ) -> Frame:
        """Return the frame at ``now``.

        ``extra_balls`` contains marbles that are not on the boards, such as marbles in trays. ``pieces`` contains other
        objects on the table. ``exploded_view`` is the exploded view to show, or None. ``camera`` and ``aspect``
        determine where signs are placed and which of them are hidden by marbles.
        """
        covered = {s.board for s in signs if s.kind is SignKind.COVERED_BOARD}
        if covered:
            signs = [s for s in signs if s.board not in covered or s.kind is SignKind.ACTIVE_BOARD]
            ghosts = [ghost for ghost in ghosts if ghost.board not in covered]
        shaken, swing = self._shake_offset(now)
        right, up, _ = camera.axes()
        self.timeline.set_camera(camera, aspect)
        eager = {(s.board, s.point): s.alpha for s in signs if s.kind is SignKind.HOVER and s.is_highlighted}
        doomed = {(s.board, s.point) for s in signs if s.kind is SignKind.DOOMED}
        won = {(s.board, s.point) for s in signs if s.kind is SignKind.WIN}
        lit = won | {(s.board, s.point) for s in signs if s.kind is SignKind.DECISIVE}
        counted = {(s.board, s.point) for s in signs if s.kind is SignKind.COUNTED}
        kinds = {s.kind for s in signs}
        steps_back = bool(lit) or SignKind.DECIDED_BESIDE in kinds
        rest = (
            UNDECIDED_SATURATION if SignKind.UNDECIDED in kinds else DIMMED_SATURATION if steps_back else 1.0
        )
        if lit and (most := max((s.number for s in signs if s.kind is SignKind.NUMBER), default=0)):
            shown_count = self._counted_so_far(now, most)
            signs = [s for s in signs if s.kind is not SignKind.NUMBER or s.number <= shown_count]
        balls: list[Ball] = []
        for pose in self.timeline.sample(now):
            x, y, z = pose.position
            if pose.socket is not None and pose.socket == shaken:
                x, y = x + swing * right[0], y + swing * right[1]
            if pose.socket in eager:
                x, y, z = np.array((x, y, z)) + up * (motion.HOVER_RISE * eager[pose.socket])
                x, y, z = float(x), float(y), float(z)
            if covered and self._board_below(x, y) in covered:
                continue
            if exploded_view is not None:
                held = self.held
                cell = pose.socket or (None if held is None else (held.board, held.origin))
                x, y, z = (x, y, z) if cell is None else exploded_view.displace(*cell, (x, y, z))
            balls.append(
                Ball(
                    x,
                    y,
                    z,
                    pose.colour,
                    RADIUS if exploded_view is None else marble_radius(exploded_view),
                    alpha=pose.alpha * (DOOMED_ALPHA if pose.socket in doomed else 1.0),
                    saturation=1.0 if pose.socket in lit or pose.socket in counted else rest,
                    gold_rim=1.0 if pose.socket in lit else 0.0,
                    tint=pose.tint,
                    rotation=pose.rotation,
                    new_colour=pose.new_colour,
                    recoloured_fraction=pose.recoloured_fraction,
                    recolour_direction=pose.recolour_direction,
                    roll=pose.roll,
                )
            )
        balls.extend(extra_balls)
        solid = np.array([ball[:3] for ball in balls if ball.alpha > 0.5], dtype=np.float64).reshape(-1, 3)
        for board, point, colour, alpha in ghosts:
            # The cell may still hold a marble that will fall out of it first; this marble would hide a smaller ghost.
            taken = (board, point) in self.marbles
            at = (
                self.marble_position(board, point, exploded_view)
                if taken
                else self.position_in_socket(board, point, GHOST_RADIUS, exploded_view)
            )
            balls.append(
                Ball(*at, colour, marble_radius(exploded_view) if taken else GHOST_RADIUS, alpha=alpha)
            )
        marks = SignPainter(
            self, camera, aspect, exploded_view, solid, {(g.board, g.point) for g in ghosts}, theme
        )
        marks.place_glyphs(signs)
        legal = [sign for sign in signs if sign.kind is SignKind.LEGAL]
        entries = [sign for sign in signs if sign.kind is SignKind.ENTRY]
        for sign in sorted(signs, key=lambda sign: sign.kind not in DRAWN_FIRST):
            if sign.kind not in (SignKind.LEGAL, SignKind.ENTRY):
                marks.add_sign(sign)
        if shaken and not swing and shaken[0] not in covered:
            place, radius = self.marble_position(*shaken, exploded_view), marble_radius(exploded_view)
            marks.add_mark(MarkKind.CIRCLE, place, "stop", radius, on_top=True, stroke_width=STRONG_STROKE_PX)
        if won:
            marks.add_winning_line(
                sorted(won - {seat for seat in won if seat[0] in covered}), self._winning_line_progress(now)
            )
        for sign, hidden in zip(entries, marks.are_signs_hidden(entries), strict=True):
            marks.add_entry(sign, hidden)
        for sign, hidden in zip(legal, marks.are_signs_hidden(legal), strict=True):
            marks.add_legal(sign, hidden, len(legal) > MAX_RING_COUNT)
        names = round(camera.yaw / 90) % 4 if self.shows_coordinates else -1
        boards = tuple(board._replace(label_side=names) for board in self.boards(exploded_view, covered))
        return Frame(
            theme,
            boards,
            (*balls, *marks.beads),
            tuple(marks.marks),
            tuple(pieces),
            can_recolour=self.can_recolour,
        )

    def are_signs_hidden(
        self,
        signs: Sequence[Sign],
        camera: Camera,
        aspect: float,
        exploded_view: ExplodedView | None = None,
        extra_marbles: Sequence[Vector] = (),
    ) -> list[bool]:
        """Return, for each of ``signs``, whether marbles hide it from the camera.

        Each sign must be of the kind ``LEGAL`` or ``ENTRY``. All marbles, including the one in hand, are assumed to
        have reached their final positions. ``extra_marbles`` contains the positions of further marbles.
        """
        hand = self.held_marble_target(exploded_view)
        places = [*(at for _, at in self.resting_marbles(exploded_view)), *extra_marbles]
        if hand is not None:
            places.append(hand.position)
        solid = np.array(places, dtype=np.float64).reshape(-1, 3)
        marks = SignPainter(self, camera, aspect, exploded_view, solid, set(), Theme())
        marks.place_glyphs(signs)
        return marks.are_signs_hidden(signs)

    def _board_below(self, x: float, y: float) -> int:
        """Return the index of the board that a marble at (x, y) is at least partly above, or -1 if there is none."""
        for board, (size, (east, north)) in enumerate(zip(self.sizes, self.layout.origins, strict=True)):
            if max(abs(x - east), abs(y - north)) < half_side(size) + RADIUS:
                return board
        return -1


def marbles_by_cell(state: State) -> dict[Cell, int]:
    """Return the colour of every marble on the boards in ``state``, keyed by (board, point)."""
    return {
        (board, point): colour
        for board in range(len(state.board_names))
        for colour, mask in enumerate(state.cells(board))
        for point in iter_bits(mask)
    }


def held_marble(state: State) -> HeldMarble | None:
    """Return the marble in hand in ``state``, or None."""
    return HeldMarble(*state.held) if state.held else None
