"""The boards of a match with their marbles, animations and signs, as frames to be drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.event import Ended, Event
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import CHEVRON, Ball, Board, Frame, MarkKind, Piece
from shibumi3d.scene.marbles.actors import Cell, Held
from shibumi3d.scene.marbles.choreography import Queue
from shibumi3d.scene.marbles.layout import NAMED, RADIUS, TOP, Array, Vector, half_side, sunk
from shibumi3d.scene.marbles.marks import SignPainter
from shibumi3d.scene.marbles.signs import BEAD, ENTRY, GHOST, RING, STRONG, UNDER, Ghost, Sign, SignKind
from shibumi3d.scene.marbles.spread import Spread, radius_of
from shibumi3d.scene.palette import Theme
from shibumi3d.scene.picking import Seen, Shape, Slab

MANY = 24  # above this number of legal points, rings become dots
DOOMED_ALPHA = 0.4
LOST_STRENGTH = 0.55
EVEN_STRENGTH = 0.75
COUNT = 0.07  # seconds for each marble counted at the end of a match
COUNTING = 1.6  # maximum duration of the count, in seconds
BEFORE = 1.15  # distance of an entry mark from the first cell of its row
FARTHER = 0.38  # extra distance for every two levels, where height does not distinguish them
ASIDE = 0.45  # minimum visible distance from the names in the rim
BESIDE = 0.62  # the distance in the exploded view, where the mark is on the rim


class Standing(Protocol):
    """The properties of a game state that the stage reads."""

    @property
    def board_names(self) -> tuple[str, ...]:
        """Names of the boards."""

    @property
    def held(self) -> tuple[int, int, int] | None:
        """Marble in hand as (colour, origin, board), or None."""

    def cells(self, board: int = 0) -> tuple[int, ...]:
        """Return the points of a board that each colour occupies, as one mask for each colour."""


class Stage:
    """Boards of ``sizes`` side by side, with their marbles.

    ``speed`` (a key of ``motion.SPEEDS``) and ``reduced`` are passed to the timeline, ``queue``, where they may be
    changed at any time. If ``engraved`` is set, the rims of the boards show the names of files and ranks, turned so
    that they can be read from the camera. ``recolours`` is set if marbles can change colour in this game.
    """

    engraved = False
    recolours = False

    def __init__(self, sizes: Sequence[int], speed: str = "normal", reduced: bool = False) -> None:
        self.sizes = tuple(sizes)
        self.queue = Queue(self.sizes, speed, reduced)
        self.plan = self.queue.plan
        self._win_start = self._win_end = -math.inf
        self._shaken: Cell = (0, 0)
        self._shake_start = self._shake_end = -math.inf

    # -- marbles ------------------------------------------------------------------------------------------

    def reset(self, state: Standing) -> None:
        """Show ``state`` and stop all motion."""
        self.queue.reset(marbles_of(state), held_of(state))
        self._win_end = self._shake_end = -math.inf

    def play(self, events: Iterable[Event], now: float, wait: float = 0.0) -> None:
        """Animate ``events``, starting ``wait`` seconds after the current motion ends."""
        events = tuple(events)
        self.queue.add(events, now, wait)
        if any(isinstance(event, Ended) for event in events) and not self.queue.reduced:
            # The winning shape is traced once the last marble has come to rest.
            self._win_start = max(self.queue.end, now)
            self._win_end = self._win_start + motion.WIN / 1000 * motion.SPEEDS[self.queue.speed]

    def rewind(self, events: Iterable[Event], now: float, before: Standing) -> None:
        """Play ``events`` backwards, ending with ``before``, the state before the events."""
        self._win_end = self._shake_end = -math.inf
        self.queue.rewind(events, now, marbles_of(before), held_of(before))

    def finish(self) -> None:
        """End all motion now and put every marble in its final position."""
        self.queue.finish()
        self._win_end = self._shake_end = -math.inf

    def busy(self, now: float) -> bool:
        """Return whether anything is still moving."""
        return self.queue.busy(now) or now < self._win_end or now < self._shake_end

    def shake(self, board: int, point: int, now: float) -> None:
        """Shake the marble on ``point`` to show that a move is not legal.

        If the point is empty, or if motion is off or reduced, a ring is shown instead.
        """
        self._shaken, self._shake_start = (board, point), now
        self._shake_end = now + motion.ILLEGAL / 1000 * max(motion.SPEEDS[self.queue.speed], 0.5)

    def _swing(self, now: float) -> tuple[Cell | None, float]:
        """Return the cell being shaken, or None, and its current offset to the right.

        If the offset is 0, a ring is shown instead.
        """
        if not now < self._shake_end:
            return None, 0.0
        if self.queue.reduced or self.queue.speed == "off" or self._shaken not in self.marbles:
            return self._shaken, 0.0
        part = max((now - self._shake_start) / (self._shake_end - self._shake_start), 0.0)
        return self._shaken, motion.SHAKE * math.sin(2 * math.tau * part + 0.2) * (1.0 - 0.5 * part)

    def _traced(self, now: float) -> float:
        """Return the fraction of the winning shape that has been traced, from 0 to 1."""
        if not now < self._win_end:
            return 1.0
        start = self._win_start
        return motion.STANDARD((now - start) / (self._win_end - start)) if now > start else 0.0

    def _counted(self, now: float, most: int) -> int:
        """Return how many of ``most`` marbles have been counted so far.

        If counting takes longer than tracing the winning shape, the ending is extended.
        """
        if self._win_end > self._win_start > -math.inf:
            span = min(COUNT * most, COUNTING) * motion.SPEEDS[self.queue.speed]
            self._win_end = max(self._win_end, self._win_start + span)
        if not now < self._win_end:
            return most
        part = (now - self._win_start) / (self._win_end - self._win_start)
        return math.floor(most * max(part, 0.0))

    @property
    def marbles(self) -> dict[Cell, int]:
        """Colour of every marble by (board, point), once all motion has ended."""
        return self.queue.marbles

    @property
    def held(self) -> Held | None:
        """Marble in hand once all motion has ended, or None."""
        return self.queue.held

    def standing(self, spread: Spread | None = None) -> list[tuple[Cell, Vector]]:
        """Return the cell and centre of every marble, once all motion has ended."""
        return [(seat, self.anchor(*seat, spread)) for seat in self.marbles]

    def in_hand(self, spread: Spread | None = None) -> Seen | None:
        """Return where the marble in hand floats once all motion has ended, or None if there is none."""
        held = self.held
        if held is None:
            return None
        at = self.queue.held_at(held, (held.board, held.origin) in self.marbles)
        return Seen(at if spread is None else spread.moved(held.board, held.origin, at), radius_of(spread))

    def mark(self, board: int, point: int, spread: Spread | None = None) -> Seen:
        """Return the position of the mark of an empty point.

        The mark is a ring around the point's hole, or a bead.
        """
        if self.on_board(board, point, spread):
            x, y, _ = self.anchor(board, point, spread)
            return Seen((x, y, TOP), RING, Shape.FLAT)
        return Seen(self.seat(board, point, BEAD, spread), BEAD)

    def seat(self, board: int, point: int, radius: float, spread: Spread | None = None) -> Vector:
        """Return the centre of a ball of ``radius``, smaller than a marble, that rests in a socket."""
        x, y, z = self.anchor(board, point, spread)
        return x, y, z - sunk(radius, not self.on_board(board, point, spread))

    def on_board(self, board: int, point: int, spread: Spread | None = None) -> bool:
        """Return whether a point is a hole in a board.

        This is true on level A and, in the exploded view, on all levels.
        """
        return self.plan.levels[board][point] == 0 or (spread is not None and spread.settled)

    def entry_mark(
        self, board: int, point: int, side: int, spread: Spread | None = None, back: Array | None = None
    ) -> Seen:
        """Return the position of the mark for entering a row over ``side``.

        ``back`` (3,) is the direction towards the camera.
        """
        return Seen(self.entry_anchor(board, point, side, spread, back), ENTRY, Shape.FACE, pixels=CHEVRON)

    def boards(
        self, spread: Spread | None = None, covered: frozenset[int] | set[int] = frozenset()
    ) -> list[Board]:
        """Return the boards to draw, with a cloth over those in ``covered``.

        In the exploded view, each level has its own board.
        """
        if spread is not None:
            return [board for _, _, board in spread.lying(covered)]
        pairs = zip(self.sizes, self.plan.origins, strict=True)
        return [Board(size, *origin, number in covered) for number, (size, origin) in enumerate(pairs)]

    def middle(self, board: int, spread: Spread | None = None) -> tuple[float, float]:
        """Return the centre (x, y) of a board."""
        x, y = self.plan.origins[board]
        dx, dy, _ = (0.0, 0.0, 0.0) if spread is None else spread.shift(board, 0)
        return x + dx, y + dy

    def board_at(self, x: float, y: float, spread: Spread | None = None) -> int:
        """Return the index of the board that has (x, y) on its upper surface, or -1.

        In the exploded view, the boards of the other levels count too.
        """
        lying = (
            [(number, board) for number, board in enumerate(self.boards())]
            if spread is None
            else [(number, board) for number, _, board in spread.lying()]
        )
        return next((n for n, b in lying if max(abs(x - b.x), abs(y - b.y)) <= b.half), -1)

    def slabs(self, spread: Spread | None = None) -> list[Slab]:
        """Return the boards in the format expected by :func:`picking.pick`."""
        return [(board.x, board.y, board.half) for board in self.boards(spread)]

    def anchor(self, board: int, point: int, spread: Spread | None = None) -> Vector:
        """Return the centre of a marble on ``point``, where click targets and labels are attached."""
        at = self.plan.place(board, point)
        return at if spread is None else spread.moved(board, point, at)

    def entry_anchor(
        self, board: int, point: int, side: int, spread: Spread | None = None, back: Array | None = None
    ) -> Vector:
        """Return the position of the mark for entering ``point`` over ``side``.

        The mark is in front of the row, at the height of the row. On a side that faces the camera, marks of upper rows
        would hide marbles of lower rows, so they are at the height of the board instead. No mark covers a file or rank
        name in the rim. ``back`` (3,) is the direction towards the camera.
        """
        x, y, z = self.anchor(board, point, spread)
        apart = 0.0 if spread is None else spread.part
        before = BEFORE + (BESIDE - BEFORE) * apart
        dx, dy = ((-1, 0), (1, 0), (0, -1), (0, 1))[side]
        if back is not None and apart < 1.0:
            facing, rise = dx * float(back[0]) + dy * float(back[1]), float(back[2])
            near = min(max(3.0 * facing, 0.0), 1.0) * (1.0 - apart)
            level = float(self.plan.levels[board][point])
            z = z + (TOP - z) * near
            # Heights are not visible from straight above either.
            farther = FARTHER * (level // 2) * max(near, 4.0 * rise - 3.0)
            # A mark above the board appears farther out than the point below it, and distances along the line of sight
            # are foreshortened.
            beyond = level / 2 + RADIUS + NAMED + ASIDE / math.sqrt(max(1.0 - facing * facing, 0.01))
            beyond += farther + (z - TOP) * facing / rise
            before += max(beyond - before, 0.0) * (1.0 - apart)
        return x + before * dx, y + before * dy, z

    def connections(self, board: int = 0) -> list[Sign]:
        """Return signs for the visible contacts between marbles of the same colour.

        A contact that is cut by two marbles passing over it gets a different kind of sign.
        """
        pyr = pyramid(self.sizes[board])
        colours = {point: colour for (b, point), colour in self.marbles.items() if b == board}
        filled = sum(1 << point for point in colours)
        hidden = position.hidden(pyr, filled)
        cut = set(position.cut_contacts(pyr, filled))
        return [
            Sign(SignKind.CUT if (p, q) in cut else SignKind.LINKED, board, p, to=q)
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
        extra: Sequence[Ball] = (),
        pieces: Sequence[Piece] = (),
        spread: Spread | None = None,
        aspect: float = 16 / 9,
    ) -> Frame:
        """Return the frame at ``now``.

        ``extra`` contains marbles that are not on the boards, such as marbles in trays; a marble on the table has its
        centre at the height ``layout.TABLE + layout.LYING``. ``pieces`` contains other objects on the table. ``spread``
        selects the exploded view. ``camera`` and ``aspect`` determine which signs of legal choices are hidden by
        marbles.
        """
        covered = {s.board for s in signs if s.kind is SignKind.CLOTH}
        if covered:
            signs = [s for s in signs if s.board not in covered or s.kind is SignKind.ACTIVE]
            ghosts = [ghost for ghost in ghosts if ghost.board not in covered]
        shaken, swing = self._swing(now)
        right, up, _ = camera.axes()
        self.queue.face(camera, aspect)
        eager = {(s.board, s.point): s.alpha for s in signs if s.kind is SignKind.HOVER and s.strong}
        doomed = {(s.board, s.point) for s in signs if s.kind is SignKind.DOOMED}
        won = {(s.board, s.point) for s in signs if s.kind is SignKind.WIN}
        lit = won | {(s.board, s.point) for s in signs if s.kind is SignKind.LIT}
        counted = {(s.board, s.point) for s in signs if s.kind is SignKind.COUNTED}
        kinds = {s.kind for s in signs}
        steps_back = bool(lit) or SignKind.BESIDE in kinds
        rest = EVEN_STRENGTH if SignKind.EVEN in kinds else LOST_STRENGTH if steps_back else 1.0
        if lit and (most := max((s.number for s in signs if s.kind is SignKind.NUMBER), default=0)):
            told = self._counted(now, most)
            signs = [s for s in signs if s.kind is not SignKind.NUMBER or s.number <= told]
        balls: list[Ball] = []
        for pose in self.queue.sample(now):
            x, y, z = pose.at
            if pose.seat is not None and pose.seat == shaken:
                x, y = x + swing * right[0], y + swing * right[1]
            if pose.seat in eager:
                x, y, z = np.array((x, y, z)) + up * (motion.EAGER * eager[pose.seat])
                x, y, z = float(x), float(y), float(z)
            if covered and self._over(x, y) in covered:
                continue
            if spread is not None:
                held = self.held
                cell = pose.seat or (None if held is None else (held.board, held.origin))
                x, y, z = (x, y, z) if cell is None else spread.moved(*cell, (x, y, z))
            balls.append(
                Ball(
                    x,
                    y,
                    z,
                    pose.colour,
                    radius_of(spread) if spread is not None else self.plan.radius(x, y),
                    alpha=pose.alpha * (DOOMED_ALPHA if pose.seat in doomed else 1.0),
                    strength=1.0 if pose.seat in lit or pose.seat in counted else rest,
                    rim=1.0 if pose.seat in lit else 0.0,
                    tint=pose.tint,
                    turn=pose.turn,
                    into=pose.into,
                    dye=pose.dye,
                    source=pose.source,
                    roll=pose.roll,
                )
            )
        balls.extend(extra)
        solid = np.array([ball[:3] for ball in balls if ball.alpha > 0.5], dtype=np.float64).reshape(-1, 3)
        for board, point, colour, alpha in ghosts:
            # The cell may still hold a marble that will have fallen by then, and would hide a smaller ghost.
            taken = (board, point) in self.marbles
            at = self.anchor(board, point, spread) if taken else self.seat(board, point, GHOST, spread)
            balls.append(Ball(*at, colour, radius_of(spread) if taken else GHOST, alpha=alpha))
        marks = SignPainter(self, camera, aspect, spread, solid, {(g.board, g.point) for g in ghosts}, theme)
        marks.face(signs)
        legal = [sign for sign in signs if sign.kind is SignKind.LEGAL]
        entries = [sign for sign in signs if sign.kind is SignKind.ENTRY]
        for sign in sorted(signs, key=lambda sign: sign.kind not in UNDER):
            if sign.kind not in (SignKind.LEGAL, SignKind.ENTRY):
                marks.add(sign)
        if shaken and not swing and shaken[0] not in covered:
            place, radius = self.anchor(*shaken, spread), radius_of(spread)
            marks.put(MarkKind.CIRCLE, place, "stop", radius, over=True, width=STRONG)
        if won:
            marks.trace(sorted(won - {seat for seat in won if seat[0] in covered}), self._traced(now))
        for sign, hidden in zip(entries, marks.signs_hidden(entries), strict=True):
            marks.entry(sign, hidden)
        for sign, hidden in zip(legal, marks.signs_hidden(legal), strict=True):
            marks.legal(sign, hidden, len(legal) > MANY)
        names = round(camera.yaw / 90) % 4 if self.engraved else -1
        boards = tuple(board._replace(names=names) for board in self.boards(spread, covered))
        return Frame(
            theme, boards, (*balls, *marks.beads), tuple(marks.marks), tuple(pieces), recolours=self.recolours
        )

    def hidden(
        self,
        signs: Sequence[Sign],
        camera: Camera,
        aspect: float,
        spread: Spread | None = None,
        extra: Sequence[Vector] = (),
    ) -> list[bool]:
        """Return, for each sign of a legal choice, whether marbles hide it from the camera.

        Marbles are taken at their final positions, once all motion has ended. Marbles in ``extra`` count too.
        """
        hand = self.in_hand(spread)
        places = [*(at for _, at in self.standing(spread)), *extra]
        if hand is not None:
            places.append(hand.at)
        solid = np.array(places, dtype=np.float64).reshape(-1, 3)
        marks = SignPainter(self, camera, aspect, spread, solid, set(), Theme())
        marks.face(signs)
        return marks.signs_hidden(signs)

    def _over(self, x: float, y: float) -> int:
        """Return the index of the board below a position, or -1."""
        for board, (size, (east, north)) in enumerate(zip(self.sizes, self.plan.origins, strict=True)):
            if max(abs(x - east), abs(y - north)) < half_side(size) + RADIUS:
                return board
        return -1


def marbles_of(state: Standing) -> dict[Cell, int]:
    """Return the colour of every marble in ``state`` by (board, point)."""
    return {
        (board, point): colour
        for board in range(len(state.board_names))
        for colour, mask in enumerate(state.cells(board))
        for point in bits(mask)
    }


def held_of(state: Standing) -> Held | None:
    """Return the marble in hand in ``state``, or None."""
    return Held(*state.held) if state.held else None
