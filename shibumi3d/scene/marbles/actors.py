"""Marbles and their ways: clips of motion, dyes, and who takes part in what moves."""

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
    """A marble in hand, lifted from ``origin`` of ``board``."""

    colour: int
    origin: int
    board: int


class Pose(NamedTuple):
    """A marble at one moment. ``seat`` is where it will stand: None in hand or on its way out."""

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
    """One stretch of the way of one marble, from ``start`` to ``end`` seconds.

    ``path`` maps 0-1 to world coordinates, ``curve`` maps the part of the time to the part of the way.
    ``alpha`` goes from the first to the second number between the parts of the time ``fade``. ``look`` holds
    (tint, turn) at the start and at the end. ``spin`` is how the marble rolls.
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
    """A change of colour; the dye comes from the direction ``source``."""

    start: float
    end: float
    before: int
    after: int
    source: Vector


@dataclass(slots=True)
class Actor:
    """A marble with its way: ``seat`` None and ``gone`` False is the marble in hand."""

    colour: int
    seat: Cell | None
    at: Vector  # at the end of all clips
    look: tuple[float, float]
    gone: bool = False
    origin: Cell | None = None
    clips: list[Clip] = field(default_factory=list)
    dyes: list[Dye] = field(default_factory=list)


def look(seat: Cell) -> tuple[float, float]:
    """Return what makes the marble on a seat differ by a hair: (tint from -1 to 1, turn in radians)."""
    mixed = (seat[0] * 7919 + seat[1] + 1) * 2654435761 & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 2246822519 & 0xFFFFFFFF
    return (mixed >> 8 & 0xFFF) / 2047.5 - 1.0, (mixed >> 20) / 4096 * math.tau


def held_at(plan: Layout, held: Held, filled_again: bool, edges: motion.Edges = motion.EDGES) -> Vector:
    """Return where a lifted marble floats: above its origin, clear of another that stands there by now, and within the
    ``edges`` of the picture.
    """
    x, y, z = plan.place(held.board, held.origin)
    if not filled_again:
        return x, y, z + motion.LIFT_HEIGHT
    return clear((x, y, z), (*plan.origins[held.board], z), edges)


def clear(at: Vector, load: Vector, edges: motion.Edges, others: Sequence[Vector] = ()) -> Vector:
    """Return the place of a marble that is slipped out from under another at ``load``, which falls into its place:
    above that, or where it would be out of the picture, lower and aside, on a way that meets none of the ``others``.
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
"""Radians from the way straight out from under another."""


def _brushes(path: motion.Path, others: Sequence[Vector], falls: Sequence[Vector]) -> bool:
    """Whether a marble comes nearer than a hair to one of the ``others``, or ends where another ``falls``."""
    start, end = path(0.0), path(1.0)
    near = [(at, min(far, 1.0) - 0.04) for at in others if (far := math.dist(start, at)) < 3.0]
    if any(math.dist(path(part / 8), at) < least for part in range(1, 9) for at, least in near):
        return True
    return any(math.dist(end, at) < 0.98 for at in falls)


def own(stock: str, seat: int) -> str:
    """Return the key in :attr:`Queue.stocks` of the stock of this name that belongs to ``seat``."""
    return f"{stock} of seat {seat}"


def coloured(stock: str, colour: int) -> str:
    """Return the key in :attr:`Queue.stocks` of the marbles of one colour under the key ``stock``."""
    return f"{stock} in colour {colour}"


class Trip(NamedTuple):
    """A marble leaves the place of a stock (``by`` -1) or arrives there (1) at ``when``."""

    key: str
    colour: int
    when: float
    by: int


class Cast:
    """The marbles on the boards with their ways, and what goes with them: trips, openings, contacts.

    ``stocks`` maps keys of stocks to the world position marbles come from and go to (see :func:`own` and
    :func:`coloured`), ``rows`` to those of several that come or go one after another. ``source`` is where the marble is
    that causes what follows, ``front`` the direction in which the eye stands, ``edges`` those of its picture.
    """

    def __init__(self, sizes: Sequence[int], reduced: bool = False) -> None:
        self.plan = layout(tuple(sizes))
        self.reduced = reduced
        self.stocks: dict[str, Vector] = {}
        self.rows: Mapping[str, Sequence[Vector]] = {}
        self.used: Counter[str] = Counter()  # how many of each row, by the events being compiled
        self.actors: list[Actor] = []
        self.openings: list[tuple[float, float]] = []
        self.trips: list[Trip] = []
        self.contacts: list[Contact] = []  # of the events being compiled
        self.carries: list[motion.Carry] = []  # the same
        self.source: Vector | None = None
        self.front = (0.0, -1.0)
        self.edges = motion.EDGES

    def carry(self, start: Vector, end: Vector, others: Sequence[Vector]) -> motion.Carry:
        """Return the way on which a hand carries a marble past ``others``, in the picture; yet to be found."""
        return motion.Carry(start, end, others, self.front, self.edges)

    def above(self, at: Vector) -> Vector:
        """Return the place of a marble lifted from another, lower where it would be above the picture."""
        height, edge = motion.LIFT_HEIGHT, self.edges[0]
        if edge.z > 0.3:  # not from straight above
            height = max(min(height, -edge.beyond(at) / edge.z), motion.LEAST_HEIGHT)
        return at[0], at[1], at[2] + height

    def beside(self, seat: Cell) -> Vector:
        """Return where a marble lies on the table that has no place to lie: beside its board, in the picture if it can
        be, on the side that is towards the eye if it can be, and as far off as may be.
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
        """Return whether a marble of those beside the boards leaves the picture on its way."""
        return any(motion.beyond(self.edges, path(part / 16)) > RADIUS - LYING for part in range(17))

    def _lying(self) -> list[Vector]:
        """Where marbles of stocks lie."""
        return [*self.stocks.values(), *(at for row in self.rows.values() for at in row)]

    def lies(self, stock: str, colour: int, seat: int | None = None) -> tuple[str, Vector] | None:
        """Return the key and the place of the marbles of a colour in a stock, that of ``seat`` if it has its own."""
        names = [stock] if seat is None else [own(stock, seat), stock]
        keys = [key for name in names for key in (coloured(name, colour), name)]
        return next(((key, self.stocks[key]) for key in keys if key in self.stocks), None)

    def spot(self, stock: str, colour: int) -> tuple[str, Vector | None]:
        """Return the key of the marbles of a colour in a stock, and where the next of them comes from or goes to;
        nothing where nobody knows.
        """
        key, place = self.lies(stock, colour) or ("", None)
        row = self.rows.get(key)
        if not row:
            return key, place
        self.used[key] += 1
        return key, row[min(self.used[key], len(row)) - 1]

    def hand(self) -> Actor | None:
        """Return the marble in hand, if there is one."""
        return next((a for a in self.actors if a.seat is None and not a.gone), None)

    def find(self, board: int, point: int, colour: int) -> Actor:
        """Return the marble on a seat; of two there for a moment (one taken by the other) the one of ``colour``.

        Raises LookupError where there is none.
        """
        there = [a for a in self.actors if a.seat == (board, point)]
        for actor in there:
            if actor.colour == colour:
                return actor
        if there:
            return there[0]
        raise LookupError(f"no marble stands on point {point} of board {board}")


def pose(actor: Actor, time: float) -> Pose:
    """Return the marble as it is at a time."""
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
    # What rolls ends as it lies from then on: it changes into that in the middle, where nobody can see it.
    rolled = clip.spin.angle(way)
    ahead = clip.spin.angle(1.0) - rolled
    turn = turn0 if rolled <= ahead else turn1
    return Pose(
        at, colour, actor.seat, alpha, tint, turn, into, dye, source, (*clip.spin.axis, rolled, ahead)
    )
