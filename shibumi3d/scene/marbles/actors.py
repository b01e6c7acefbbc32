"""Marbles and their animation: segments of motion, colour changes, and the cast of all marbles."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from shibumi3d.scene import motion
from shibumi3d.scene.frame import STILL, Roll
from shibumi3d.scene.marbles.cue import Contact
from shibumi3d.scene.marbles.layout import EDGE, LYING, RADIUS, Layout, Vector, layout

Cell: TypeAlias = tuple[int, int]  # board, point


class Held(NamedTuple):
    """A marble in hand, lifted from point ``origin`` of ``board``."""

    colour: int
    origin: int
    board: int


class Pose(NamedTuple):
    """A marble as it looks at one moment.

    ``seat`` is its final (board, point), or None if the marble is in hand or leaving. The other fields are those of
    :class:`.frame.Ball`.
    """

    at: Vector
    colour: int
    seat: Cell | None
    alpha: float = 1.0
    tint: float = 0.0
    turn: float = 0.0
    into: int = 0
    dye: float = 0.0
    source: Vector = (0.0, 0.0, 0.0)
    roll: Roll = STILL


@dataclass(frozen=True, slots=True)
class Clip:
    """One segment of a marble's motion, from ``start`` to ``end`` in seconds.

    ``path`` maps 0-1 to world coordinates; ``curve`` is the easing function, from the fraction of the time to the
    fraction of the path. ``alpha`` is the opacity at the start and at the end; it changes during the interval ``fade``,
    given as two fractions of the time. ``look`` is (tint, turn) at the start and at the end. ``spin`` is the rotation
    of a rolling marble.
    """

    start: float
    end: float
    path: motion.Path
    curve: motion.Curve
    look: tuple[tuple[float, float], tuple[float, float]]
    alpha: tuple[float, float] = (1.0, 1.0)
    fade: tuple[float, float] = (0.0, 1.0)
    spin: motion.Spin | None = None


class Dye(NamedTuple):
    """A change of colour from ``before`` to ``after`` that spreads from the direction ``source``."""

    start: float
    end: float
    before: int
    after: int
    source: Vector


@dataclass(slots=True)
class Actor:
    """A marble with its animation.

    ``seat`` is its final (board, point). A marble without ``seat`` is in hand, unless it is ``gone``.
    """

    colour: int
    seat: Cell | None
    at: Vector  # position after all clips
    look: tuple[float, float]
    gone: bool = False
    origin: Cell | None = None
    clips: list[Clip] = field(default_factory=list)
    dyes: list[Dye] = field(default_factory=list)


def look(seat: Cell) -> tuple[float, float]:
    """Return the variation of the marble in a socket: tint from -1 to 1, and turn in radians.

    It looks random but is always the same for the same socket.
    """
    mixed = (seat[0] * 7919 + seat[1] + 1) * 2654435761 & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 2246822519 & 0xFFFFFFFF
    return (mixed >> 8 & 0xFFF) / 2047.5 - 1.0, (mixed >> 20) / 4096 * math.tau


def held_at(plan: Layout, held: Held, filled_again: bool, edges: motion.Edges = motion.EDGES) -> Vector:
    """Return where a lifted marble floats, within the ``edges`` of the frame.

    This is above its origin. If ``filled_again`` is set, another marble is now at the origin, and the lifted marble
    stays clear of it.
    """
    x, y, z = plan.place(held.board, held.origin)
    if not filled_again:
        return x, y, z + motion.LIFT_HEIGHT
    return clear((x, y, z), (*plan.origins[held.board], z), edges)


def clear(at: Vector, load: Vector, edges: motion.Edges, others: Sequence[Vector] = ()) -> Vector:
    """Return where to hold a marble that is pulled out from under another.

    The marble at ``load``, which rests on it, then falls. The marble is held above its old place ``at``. If that is
    outside the frame, it is held lower and to one side, at a position with a path to it that avoids ``others``.
    """
    x, y = at[0] - load[0], at[1] - load[1]
    far = math.hypot(x, y)
    falls = motion.fallen(load, at, 8) if others else ()
    best, least = (at[0], at[1], at[2] + motion.HELD_HEIGHT), math.inf
    for turn in TURNS if far > 1e-6 else TURNS[:1]:
        c, s = math.cos(turn), math.sin(turn)
        way = (c * x - s * y) / max(far, 1e-6), (s * x + c * y) / max(far, 1e-6)
        for high, aside in motion.CLEAR_OF_LOAD[: None if far > 1e-6 else 1]:
            out = aside / max(c, 0.5)
            place = at[0] + out * way[0], at[1] + out * way[1], at[2] + high
            over = max(motion.beyond(edges, place), 0.0)
            if over >= least or (place != best and _brushes(motion.slip(at, load, place), others, falls)):
                continue
            best, least = place, over
            if not least:
                return best
    return best


TURNS = 0.0, 0.7, -0.7, 1.4, -1.4
"""Directions to try, in radians relative to the direction straight away from the load."""


def _brushes(path: motion.Path, others: Sequence[Vector], falls: Sequence[Vector]) -> bool:
    """Return whether a path comes too close to ``others`` or ends too close to ``falls``."""
    start, end = path(0.0), path(1.0)
    near = [(at, min(far, 1.0) - 0.04) for at in others if (far := math.dist(start, at)) < 3.0]
    if any(math.dist(path(part / 8), at) < least for part in range(1, 9) for at, least in near):
        return True
    return any(math.dist(end, at) < 0.98 for at in falls)


def own(stock: str, seat: int) -> str:
    """Return the key in :attr:`Cast.stocks` for the stock named ``stock`` that belongs to ``seat``."""
    return f"{stock} of seat {seat}"


def coloured(stock: str, colour: int) -> str:
    """Return the key in :attr:`Cast.stocks` for a single colour of the stock with key ``stock``."""
    return f"{stock} in colour {colour}"


class Trip(NamedTuple):
    """The departure of a marble from a stock (``by`` -1), or its arrival (``by`` 1), at time ``when``."""

    key: str
    colour: int
    when: float
    by: int


class Cast:
    """All marbles with their animations, and the stock changes, box openings and contacts.

    ``stocks`` maps the key of a stock to the world position where its marbles come from and go to; see :func:`own` and
    :func:`coloured`. ``rows`` maps a key to the positions of successive marbles. ``source`` is the position of the
    marble that causes the current events, ``front`` is the horizontal direction towards the camera, and ``edges`` are
    the edges of the camera's frame.
    """

    def __init__(self, sizes: Sequence[int], reduced: bool = False) -> None:
        self.plan = layout(tuple(sizes))
        self.reduced = reduced
        self.stocks: dict[str, Vector] = {}
        self.rows: Mapping[str, Sequence[Vector]] = {}
        self.used: Counter[str] = Counter()  # marbles counted per row, by the events being compiled
        self.actors: list[Actor] = []
        self.openings: list[tuple[float, float]] = []
        self.trips: list[Trip] = []
        self.contacts: list[Contact] = []  # of the events being compiled
        self.carries: list[motion.Carry] = []  # the same
        self.source: Vector | None = None
        self.front = (0.0, -1.0)
        self.edges = motion.EDGES

    def carry(self, start: Vector, end: Vector, others: Sequence[Vector]) -> motion.Carry:
        """Return a path for a hand-carried marble that avoids ``others`` and stays in the frame.

        Its shape is determined later, by :func:`.motion.find`.
        """
        return motion.Carry(start, end, others, self.front, self.edges)

    def above(self, at: Vector) -> Vector:
        """Return where a lifted marble is held: above ``at``, but not above the top of the frame."""
        height, edge = motion.LIFT_HEIGHT, self.edges[0]
        if edge.z > 0.3:  # not when looking straight down
            height = max(min(height, -edge.beyond(at) / edge.z), motion.LEAST_HEIGHT)
        return at[0], at[1], at[2] + height

    def beside(self, seat: Cell) -> Vector:
        """Return where to put a marble without a stock position: on the table beside its board.

        Positions within the frame are preferred, then positions towards the camera, then positions farther from the
        board.
        """
        board, point = seat
        x, y = self.front
        places = [
            self.plan.beside(board, point, way, apart) for way in ((x, y), (-y, x), (y, -x)) for apart in EDGE
        ]
        free = [at for at in places if all(math.dist(at, lies) > 2 * LYING for lies in self._lying())]
        seen = (at for at in free if motion.beyond(self.edges, at) <= RADIUS - LYING)
        return next(seen, None) or min(places, key=lambda at: motion.beyond(self.edges, at))

    def leaves(self, path: motion.Path) -> bool:
        """Return whether a marble beside the boards would leave the frame if it moved along ``path``."""
        return any(motion.beyond(self.edges, path(part / 16)) > RADIUS - LYING for part in range(17))

    def _lying(self) -> list[Vector]:
        """Return the positions of all marbles in stocks."""
        return [*self.stocks.values(), *(at for row in self.rows.values() for at in row)]

    def lies(self, stock: str, colour: int, seat: int | None = None) -> tuple[str, Vector] | None:
        """Return the key and position of a colour in a stock, or None if it has no position.

        If ``seat`` has its own stock with this name, that stock is used.
        """
        names = [stock] if seat is None else [own(stock, seat), stock]
        keys = [key for name in names for key in (coloured(name, colour), name)]
        return next(((key, self.stocks[key]) for key in keys if key in self.stocks), None)

    def spot(self, stock: str, colour: int) -> tuple[str, Vector | None]:
        """Return the key of a colour in a stock, and where its next marble comes from or goes to.

        Return "" and None if it has no position.
        """
        key, place = self.lies(stock, colour) or ("", None)
        row = self.rows.get(key)
        if not row:
            return key, place
        self.used[key] += 1
        return key, row[min(self.used[key], len(row)) - 1]

    def hand(self) -> Actor | None:
        """Return the marble in hand, or None."""
        return next((a for a in self.actors if a.seat is None and not a.gone), None)

    def find(self, board: int, point: int, colour: int) -> Actor:
        """Return the marble on a point.

        If a captured marble is still there together with the marble that captured it, return the marble of ``colour``.
        Raises LookupError if there is no marble.
        """
        there = [a for a in self.actors if a.seat == (board, point)]
        for actor in there:
            if actor.colour == colour:
                return actor
        if there:
            return there[0]
        raise LookupError(f"no marble stands on point {point} of board {board}")


def pose(actor: Actor, time: float) -> Pose:
    """Return the pose of a marble at the given time."""
    colour, into, dye, source = actor.colour, actor.colour, 0.0, (0.0, 0.0, 0.0)
    for change in actor.dyes:
        if time < change.end:
            part = max(time - change.start, 0.0) / (change.end - change.start)
            colour, into, dye = change.before, change.after, motion.STANDARD(part)
            source = change.source
            break
    clips = actor.clips
    if not clips:
        return Pose(actor.at, colour, actor.seat, 1.0, *actor.look, into, dye, source)
    clip = clips[0]
    for later in clips[1:]:
        if later.start > time:
            break
        clip = later
    if clip.end > clip.start:
        part = min(max((time - clip.start) / (clip.end - clip.start), 0.0), 1.0)
    else:
        part = 1.0 if time >= clip.start else 0.0
    arrived = part >= 1.0 and clip is clips[-1]
    way = clip.curve(part)
    at = actor.at if arrived else clip.path(way)
    faded = min(max((part - clip.fade[0]) / max(clip.fade[1] - clip.fade[0], 1e-9), 0.0), 1.0)
    alpha = clip.alpha[0] + (clip.alpha[1] - clip.alpha[0]) * faded
    (tint0, turn0), (tint1, turn1) = clip.look
    tint, turn = tint0 + (tint1 - tint0) * part, turn0 + (turn1 - turn0) * part
    if clip.spin is None or part >= 1.0:
        return Pose(at, colour, actor.seat, alpha, tint, turn, into, dye, source)
    # A rolling marble must end with the look it has at rest. Switch to it halfway, where nobody can see it.
    rolled = clip.spin.angle(way)
    ahead = clip.spin.angle(1.0) - rolled
    turn = turn0 if rolled <= ahead else turn1
    return Pose(
        at, colour, actor.seat, alpha, tint, turn, into, dye, source, (*clip.spin.axis, rolled, ahead)
    )
