"""The boards with their marbles, what moves on them, and the signs about them: makes frames."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

import numpy as np

from shibumi3d.rules.bits import bits
from shibumi3d.rules.event import Event
from shibumi3d.scene import palette
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.choreography import Held, Queue, Seat
from shibumi3d.scene.frame import Ball, Board, Frame, Mark, MarkKind
from shibumi3d.scene.layout import HOLE, RADIUS, SPREAD, TOP, Array, Vector, half_side
from shibumi3d.scene.palette import Theme

MANY = 24  # more legal points than this become dots
BEAD = 0.2  # radius of the bead on a raised legal point
DOT_PIXELS = 5.0
TICK_PIXELS = 9.0
STROKE = 2.0  # width of marks in logical pixels
STRONG = 3.0  # of those that must be found at once
GHOST_ALPHA = 0.45
DOOMED_ALPHA = 0.4
HIDDEN_ALPHA = 0.45
LOST_STRENGTH = 0.55
_SEEN = 0.3  # a mark of which less can be seen counts as hidden


class SignKind(Enum):
    """What a sign says about a point; how it is drawn is decided here."""

    LEGAL = "legal"  # may be chosen; ``colours`` when several are open
    LAST = "last"  # the last move ended here
    FELL = "fell"  # just fell
    LIFTABLE = "liftable"
    HOVER = "hover"  # thin outline of the marble under the pointer
    ORIGIN = "origin"  # the lifted marble came from here
    PINNED = "pinned"  # holds up two or more
    LOADED = "loaded"  # holds up one
    DOOMED = "doomed"  # would be captured or removed
    WIN = "win"  # belongs to the winning shape
    HINT = "hint"
    CURSOR = "cursor"  # the keyboard's place
    ENTRY = "entry"  # a marble may enter here over ``side``
    THREAD = "thread"  # a line to the point ``to``
    TRAIL = "trail"  # a dotted line to the point ``to``
    ACTIVE = "active"  # the board in use, of several


class Sign(NamedTuple):
    """A sign on ``point`` of ``board``."""

    kind: SignKind
    board: int
    point: int = 0
    colours: tuple[int, ...] = ()
    side: int = -1
    to: int = -1


class Ghost(NamedTuple):
    """A see-through marble where one would land."""

    board: int
    point: int
    colour: int
    alpha: float = GHOST_ALPHA


class Standing(Protocol):
    """What the stage needs to know of a state of a game."""

    @property
    def board_names(self) -> tuple[str, ...]:
        """One name a board."""

    @property
    def held(self) -> tuple[int, int, int] | None:
        """The marble in hand: colour, origin, board."""

    def cells(self, board: int = 0) -> tuple[int, ...]:
        """One mask a colour."""


class Stage:
    """Boards of ``sizes`` side by side.

    ``speed`` (a key of ``motion.SPEEDS``), ``reduced`` and ``stocks`` are those of the queue and may be changed
    at any time.
    """

    def __init__(self, sizes: Sequence[int], speed: str = "normal", reduced: bool = False) -> None:
        self.sizes = tuple(sizes)
        self.queue = Queue(self.sizes, speed, reduced)
        self.plan = self.queue.plan

    # -- what stands --------------------------------------------------------------------------------------

    def reset(self, state: Standing) -> None:
        """Shows ``state``, nothing moving."""
        self.queue.reset(marbles_of(state), held_of(state))

    def play(self, events: Iterable[Event], now: float, wait: float = 0.0) -> None:
        """Moves the marbles as ``events`` say, after what still runs and ``wait`` seconds."""
        self.queue.add(events, now, wait)

    def rewind(self, events: Iterable[Event], now: float, before: Standing) -> None:
        """Takes ``events`` back: the same ways in reverse, to the state ``before`` them."""
        self.queue.rewind(events, now, marbles_of(before), held_of(before))

    def finish(self) -> None:
        """Everything is where it was going, at once."""
        self.queue.finish()

    def busy(self, now: float) -> bool:
        """Whether something still moves."""
        return self.queue.busy(now)

    @property
    def marbles(self) -> dict[Seat, int]:
        """Colour by (board, point) of all marbles when nothing moves any more."""
        return self.queue.marbles

    @property
    def held(self) -> Held | None:
        """The marble in hand when nothing moves any more."""
        return self.queue.held

    def standing(self, spread: float = 0.0) -> list[tuple[Seat, Vector]]:
        """Seat and centre of every marble when nothing moves any more; for :func:`picking.pick_marble`."""
        return [(seat, self.plan.place(*seat, spread)) for seat in self.marbles]

    def anchor(self, board: int, point: int, spread: float = 0.0) -> Vector:
        """The centre of a marble on ``point``: what a target or a label is attached to."""
        return self.plan.place(board, point, spread)

    def entry_anchor(self, board: int, point: int, side: int) -> Vector:
        """Where the sign stands that a marble may enter ``point`` over ``side``."""
        x, y, z = self.plan.place(board, point)
        dx, dy = ((-1, 0), (1, 0), (0, -1), (0, 1))[side]
        # On the board's own level it lies on the wood of the rim, above it floats beside the marble.
        return x + 0.8 * dx, y + 0.8 * dy, TOP + 0.004 if z < RADIUS else z

    # -- pictures -----------------------------------------------------------------------------------------

    def frame(
        self,
        now: float,
        camera: Camera,
        theme: Theme,
        *,
        signs: Sequence[Sign] = (),
        ghosts: Sequence[Ghost] = (),
        extra: Sequence[Ball] = (),
        spread: float = 0.0,
        aspect: float = 16 / 9,
    ) -> Frame:
        """The picture at ``now``.

        ``extra`` are marbles anywhere else, such as those of a tray (``layout.TABLE + layout.RADIUS`` is the
        height of a marble that lies on the table). ``spread`` from 0 to 1 moves the levels apart. ``camera``
        and ``aspect`` decide which legal points are hidden from the eye.
        """
        doomed = {(s.board, s.point) for s in signs if s.kind is SignKind.DOOMED}
        won = {(s.board, s.point) for s in signs if s.kind is SignKind.WIN}
        balls: list[Ball] = []
        for pose in self.queue.sample(now):
            x, y, z = pose.at
            if spread and pose.seat:
                z += SPREAD * spread * float(self.plan.levels[pose.seat[0]][pose.seat[1]])
            balls.append(
                Ball(
                    x,
                    y,
                    z,
                    pose.colour,
                    alpha=pose.alpha * (DOOMED_ALPHA if pose.seat in doomed else 1.0),
                    strength=LOST_STRENGTH if won and pose.seat not in won else 1.0,
                    rim=1.0 if pose.seat in won else 0.0,
                    tint=pose.tint,
                    turn=pose.turn,
                    into=pose.into,
                    dye=pose.dye,
                )
            )
        balls.extend(extra)
        solid = np.array([ball[:3] for ball in balls if ball.alpha > 0.5], dtype=np.float64).reshape(-1, 3)
        balls.extend(
            Ball(*self.plan.place(ghost.board, ghost.point, spread), ghost.colour, alpha=ghost.alpha)
            for ghost in ghosts
        )
        marks = _Marks(self, camera, aspect, spread, solid, {(g.board, g.point) for g in ghosts})
        legal = [sign for sign in signs if sign.kind is SignKind.LEGAL]
        for sign in signs:
            if sign.kind is not SignKind.LEGAL:
                marks.add(sign)
        for sign, hidden in zip(legal, marks.hidden(legal), strict=True):
            marks.legal(sign, hidden, len(legal) > MANY)
        boards = tuple(
            Board(size, *origin) for size, origin in zip(self.sizes, self.plan.origins, strict=True)
        )
        return Frame(theme, boards, (*balls, *marks.beads), tuple(marks.marks))


def marbles_of(state: Standing) -> dict[Seat, int]:
    """Colour by (board, point) of the marbles of ``state``."""
    return {
        (board, point): colour
        for board in range(len(state.board_names))
        for colour, mask in enumerate(state.cells(board))
        for point in bits(mask)
    }


def held_of(state: Standing) -> Held | None:
    """The marble in hand in ``state``."""
    return Held(*state.held) if state.held else None


class _Marks:
    """Turns signs into marks and beads, for one frame."""

    def __init__(
        self,
        stage: Stage,
        camera: Camera,
        aspect: float,
        spread: float,
        solid: Array,
        ghosts: set[Seat],
    ) -> None:
        self.stage = stage
        self.spread = spread
        self.solid = solid
        self.ghosts = ghosts
        self.eye = camera.eye(aspect)
        self.up = camera.axes()[1]
        self.marks: list[Mark] = []
        self.beads: list[Ball] = []

    def at(self, sign: Sign) -> Vector:
        return self.stage.anchor(sign.board, sign.point, self.spread)

    def ground(self, sign: Sign) -> Vector | None:
        """The middle of the hole of a point of level A, None for others."""
        x, y, _ = self.at(sign)
        return (x, y, TOP + 0.004) if self.stage.plan.levels[sign.board][sign.point] == 0 else None

    def raised(self, at: Vector, by: float) -> Vector:
        """``by`` higher in the picture."""
        x, y, z = np.array(at) + self.up * by
        return float(x), float(y), float(z)

    def put(
        self,
        kind: MarkKind,
        at: Vector,
        colour: str,
        size: float,
        alpha: float = 1.0,
        to: Vector = (0.0, 0.0, 0.0),
        over: bool = False,
        width: float = STROKE,
    ) -> None:
        self.marks.append(Mark(kind, at, palette.MARKS[colour], size, alpha, to, over, width=width))

    def add(self, sign: Sign) -> None:
        kind = sign.kind
        if kind is SignKind.ACTIVE:
            x, y = self.stage.plan.origins[sign.board]
            size = half_side(self.stage.sizes[sign.board]) - 0.16
            self.put(MarkKind.RIM, (x, y, TOP + 0.004), "legal", size)
            return
        at = self.at(sign)
        if kind is SignKind.LAST:
            self.put(MarkKind.CIRCLE, at, "last", RADIUS, width=STRONG)
        elif kind is SignKind.WIN:
            self.put(MarkKind.CIRCLE, at, "win", RADIUS)
        elif kind is SignKind.FELL:
            self.put(MarkKind.DOWN, at, "last", TICK_PIXELS, width=STRONG)
        elif kind is SignKind.LIFTABLE:
            self.put(MarkKind.UP, self.raised(at, 0.27), "legal", TICK_PIXELS)
        elif kind is SignKind.HOVER:
            self.put(MarkKind.CIRCLE, at, "legal", RADIUS, 0.8)
        elif kind is SignKind.ORIGIN:
            self.origin(sign, at)
        elif kind is SignKind.PINNED:
            self.put(MarkKind.BARS, self.raised(at, -0.3), "legal", TICK_PIXELS)
        elif kind is SignKind.LOADED:
            self.put(MarkKind.BAR, self.raised(at, -0.3), "legal", TICK_PIXELS)
        elif kind is SignKind.DOOMED:
            self.put(MarkKind.CROSS, at, "stop", 0.36)
        elif kind is SignKind.HINT:
            self.put(MarkKind.HALO, at, "last", 0.8, 0.6)
        elif kind is SignKind.CURSOR:
            self.put(MarkKind.BRACKET, at, "legal", 0.58, over=True)
        elif kind is SignKind.ENTRY:
            end = self.stage.entry_anchor(sign.board, sign.point, sign.side)
            self.put(MarkKind.CHEVRON, end, "legal", 0.2, to=at)
        elif kind in (SignKind.THREAD, SignKind.TRAIL):
            shape = MarkKind.LINE if kind is SignKind.THREAD else MarkKind.DOTS
            end = self.stage.anchor(sign.board, sign.to, self.spread)
            self.put(shape, at, "legal", 1.2, to=end, over=True)

    def origin(self, sign: Sign, at: Vector) -> None:
        """The place a lifted marble came from, dashed, unless another has fallen into it."""
        if (sign.board, sign.point) in self.stage.marbles:
            self.put(MarkKind.DASHED, at, "legal", RADIUS)
        elif ground := self.ground(sign):
            self.put(MarkKind.FLAT_DASHED, ground, "legal", HOLE + 0.06)
        else:
            self.put(MarkKind.DASHED, at, "legal", BEAD)

    def legal(self, sign: Sign, hidden: bool, many: bool) -> None:
        at = self.at(sign)
        if (sign.board, sign.point) in self.ghosts:
            return
        ground = self.ground(sign)
        if (sign.board, sign.point) in self.stage.marbles:
            # A marble that may be chosen carries the tick of those that may be lifted.
            self.put(MarkKind.UP, self.raised(at, 0.27), "legal", TICK_PIXELS, over=hidden)
        elif hidden:
            shape, size = (MarkKind.FLAT_DASHED, HOLE + 0.06) if ground else (MarkKind.DASHED, BEAD)
            self.put(shape, ground or at, "legal", size, HIDDEN_ALPHA, over=True)
        elif many:
            self.put(MarkKind.DOT, ground or at, "legal", DOT_PIXELS / 2)
        elif len(sign.colours) > 1:
            shape, size = (MarkKind.RING, HOLE + 0.06) if ground else (MarkKind.CIRCLE, BEAD)
            part = 1 / len(sign.colours)
            for i, colour in enumerate(sign.colours):
                shade = palette.MARBLES[colour]
                self.marks.append(
                    Mark(shape, ground or at, shade, size, begin=i * part, part=part),
                )
        elif ground:
            self.put(MarkKind.RING, ground, "legal", HOLE + 0.06)
        else:
            self.beads.append(Ball(*at, 0, radius=BEAD, glass=1.0))

    def hidden(self, signs: Sequence[Sign]) -> list[bool]:
        """Whether marbles cover the places of ``signs`` from the eye."""
        if not len(self.solid) or not signs:
            return [False] * len(signs)
        centres, sizes, flat = [], [], []
        for sign in signs:
            ground = self.ground(sign)
            centres.append(ground or self.at(sign))
            sizes.append(HOLE + 0.06 if ground else BEAD)
            flat.append(ground is not None)
        middle = np.array(centres)
        # Five samples: the middle, and the ends of a cross that lies on the board or faces the eye.
        across = np.cross(self.up, self.eye - middle)
        across /= np.linalg.norm(across, axis=1, keepdims=True)
        east, north = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
        lies = np.array(flat)[:, None]
        first = np.where(lies, east, across) * np.array(sizes)[:, None]
        second = np.where(lies, north, self.up) * np.array(sizes)[:, None]
        samples = np.stack([middle, middle + first, middle - first, middle + second, middle - second], 1)
        way = samples - self.eye
        length = np.linalg.norm(way, axis=2)
        way /= length[:, :, None]
        to = self.solid - self.eye
        along = np.einsum("psk,bk->psb", way, to)
        off = np.einsum("bk,bk->b", to, to) - along**2
        own = np.linalg.norm(middle[:, None, :] - self.solid[None, :, :], axis=2) < RADIUS * 0.9
        covered = (off < RADIUS**2) & (along < length[:, :, None]) & ~own[:, None, :]
        seen = 1.0 - covered.any(axis=2).mean(axis=1)
        return [bool(part < _SEEN) for part in seen]
