"""How things move: durations, curves and paths, as data. Times are in milliseconds at normal speed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np

from shibumi3d.scene.marbles.layout import RISE, Vector

Curve: TypeAlias = Callable[[float], float]
Path: TypeAlias = Callable[[float], Vector]

SPEEDS: Mapping[str, float] = MappingProxyType(
    {"off": 0.0, "fast": 0.5, "normal": 1.0, "slow": 1.8, "again": 4.0}
)
"""How many times as long everything takes; what is shown again goes at a quarter of its speed."""
REWIND = 0.6  # undo takes this part of the time of the move
FADE = 100.0  # every change, when motion is reduced

LIFT = 150.0
LIFT_HEIGHT = 0.6
LEAST_HEIGHT = 0.2  # where more would be above the picture
HELD_HEIGHT = 1.66  # of a lifted marble whose place has been filled again: clear of a chain that fell
SET_DOWN = 160.0
SETTLE = 90.0
SETTLE_HEIGHT = 0.01  # two hundredths of a radius
CARRY = (260.0, 420.0)  # nearest and farthest
CARRY_FAR = 5.0  # the distance from which a carry takes longest
HOP = 0.5  # how high a marble flies that goes from stock to stock
BRING = 240.0
BRING_FROM = (
    2.2  # how high, in reaches of the boards, a marble comes from that lay nowhere: above the picture
)
CLEARANCE = 0.5  # between the marble carried and the marbles below it
CLOSE = 0.1  # the same where it would leave the picture
DROP = 300.0
DROP_STAGGER = 80.0  # a marble starts when the one that carried it has fallen so long
DROP_CHAIN = 1400.0  # the most that a whole chain takes
STACKED_PAUSE = 120.0
STACKED_CHAIN = 1800.0
RECOLOUR = 200.0
DYE_SPEED = 60.0  # from one marble to the next, away from the cause
DYE_SPREAD = 600.0  # the most that dye takes to reach the last marble
LEAVE_STAGGER = 110.0  # from one marble that is taken to the next
LEAVE_LEAST = 70.0  # the least, so that none meets the one before
LEAVE_CHAIN = 900.0  # the most from the first to the last of those taken together, but for that
LET_GO = 80.0  # from the hand to where it lies
LET_GO_HEIGHT = 0.6
LET_DOWN = 120.0  # of what is set before the row that it enters
AWAY = 120.0  # the fade of a marble that lies beside the board and has no place to lie
CLEAR = 260.0  # in which the boards are cleared for a further game
PUSH = 240.0
HAND_OVER = 320.0
HAND_OVER_PAUSE = 120.0
OPEN = 600.0  # lids of boxes, all together
HOVER = (80.0, 120.0)  # in and out
EAGER = 0.02  # how far a marble that may be lifted rises under the pointer: two pixels at the usual distance
PRESSED = 0.98  # the size of a button that is held down
GHOST = 90.0
ILLEGAL = 160.0
SHAKE = 0.03  # how far, in marble diameters: three pixels at the usual distance
PRESET = 420.0
GLIDE = 90.0  # in which the turning of a board that was let go falls to half
SPREAD = 420.0  # as long as the eye travels
RING = 120.0
PANEL = 200.0
PAGE = 280.0
CURTAIN = 240.0  # its opening; it closes at once, before anything changes
SCRUB = 120.0  # the most that a move takes while the replay line is dragged
WIN = 600.0
FIRST_WAIT = 500.0  # a computer's move begins no sooner after the person's ended
SHOW = 220.0  # a computer's source and target light up this long before the marble moves
STEP_PAUSE = 120.0  # between two steps of a computer's turn


def bezier(x1: float, y1: float, x2: float, y2: float) -> Curve:
    """Return the timing curve through (0, 0) and (1, 1) with the two given handles, as in style sheets."""

    def at(a: float, b: float, t: float) -> float:
        return 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t * t * b + t**3

    def curve(x: float) -> float:
        if x <= 0.0:
            return 0.0
        if x >= 1.0:
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(24):
            t = (low + high) / 2
            if at(x1, x2, t) < x:
                low = t
            else:
                high = t
        return at(y1, y2, (low + high) / 2)

    return curve


STANDARD = bezier(0.2, 0.0, 0.0, 1.0)
OUT = bezier(0.0, 0.0, 0.0, 1.0)
IN = bezier(0.3, 0.0, 1.0, 1.0)
SWING = bezier(
    0.4, 0.0, 0.8, 0.8
)  # of what is thrown down, not set down: it stays as far from the next as it was


def linear(t: float) -> float:
    """Return ``t`` itself, a curve for what only fades."""
    return t


def fall(t: float) -> float:
    """Return the part of the way that is fallen through after the part ``t`` of the time, both from 0 to 1."""
    return t * t


def straight(start: Vector, end: Vector) -> Path:
    """Return the straight way."""
    (x, y, z), (to_x, to_y, to_z) = start, end
    return lambda t: (x + (to_x - x) * t, y + (to_y - y) * t, z + (to_z - z) * t)


def roll(start: Vector, end: Vector) -> Path:
    """Return the way one level down over the shoulder between two marbles, touching both; see :func:`rolls_down`.

    ``t`` is the part of the height. From the seat at horizontal offset (s, s), 0 <= s <= 1/2, the marbles at (1, 0)
    and (0, 1) keep the centre at height sqrt(2 s (1 - s)).
    """
    over = (start[0] - end[0], start[1] - end[1])

    def path(t: float) -> Vector:
        z = RISE * (1 - t)
        s = 1 - math.sqrt(max(0.0, 1 - 2 * z * z))  # twice the offset: from 1 to 0
        return end[0] + over[0] * s, end[1] + over[1] * s, end[2] + z

    return path


class Spin(NamedTuple):
    """How a marble rolls: about a level ``axis`` (x, y) of length 1, by an ``angle`` that is told by the part of the
    way.
    """

    axis: tuple[float, float]
    angle: Curve


def _axis(start: Vector, end: Vector) -> tuple[float, float]:
    """The axis about which a marble rolls forward from ``start`` to ``end``."""
    east, north = end[0] - start[0], end[1] - start[1]
    far = math.hypot(east, north)
    return -north / far, east / far


def fallen(start: Vector, end: Vector, count: int) -> tuple[Vector, ...]:
    """Return places on the way of :func:`roll`, ``count`` steps of one angle apart."""
    path = roll(start, end)
    return tuple(path(1 - math.cos(math.pi / 2 * step / count)) for step in range(count + 1))


def rolls_down(start: Vector, end: Vector) -> Spin:
    """Return how a marble rolls on the way of :func:`roll`.

    A marble rolls twice the angle by which its centre goes about the axis through those that it rests on, which do not
    turn.
    """
    return Spin(_axis(start, end), lambda t: 2 * math.acos(max(0.0, 1 - t)))


def ride(start: Vector, end: Vector) -> Path:
    """Return the way to the next place of a row over the shoulder between the two marbles below, touching both."""
    level = straight(start, end)

    def path(t: float) -> Vector:
        x, y, z = level(t)
        return x, y, z + math.sqrt(0.75 - (t - 0.5) ** 2) - RISE

    return path


def rides(start: Vector, end: Vector) -> Spin:
    """Return how a marble rolls on the way of :func:`ride`."""
    first = math.atan2(0.5, RISE)
    return Spin(
        _axis(start, end), lambda t: 2 * (first + math.atan2(t - 0.5, math.sqrt(0.75 - (t - 0.5) ** 2)))
    )


def slip(start: Vector, load: Vector, end: Vector) -> Path:
    """Return the way out from under the marble at ``load``, which rests on this one, to ``end`` above ``start``.

    The way keeps in touch with the load at first and leaves it by a hair, on the side away from it.
    """
    s, f = np.array(start), np.array(load)
    first, last = s - f, np.array(end) - f
    near, far = float(np.linalg.norm(first)), float(np.linalg.norm(last))
    a, b = first / near, last / far
    angle = math.acos(max(-1.0, min(1.0, float(a @ b))))

    def path(t: float) -> Vector:
        first_part, last_part = np.sin((1 - t) * angle), np.sin(t * angle)
        long = (near + (far - near) * t * t) / math.sin(angle)
        x, y, z = (f[i] + (a[i] * first_part + b[i] * last_part) * long for i in range(3))
        return x, y, z

    return path


def aside(high: float) -> float:
    """Return how far aside, away from the marble that falls into its place, a marble has to be that is ``high`` above
    it, to be clear of that marble all the way.
    """
    falls = fallen((math.sqrt(0.5), 0.0, RISE), (0.0, 0.0, 0.0), 24)
    return max(0.0, *(math.sqrt(max(1.0 - (high - z) ** 2, 0.0)) - x for x, _, z in falls))


CLEAR_OF_LOAD = tuple((high, aside(high)) for high in (HELD_HEIGHT * (1 - step / 24) for step in range(21)))
"""Places of a marble that has been slipped out from under another: how high above its own, and how far aside, the
highest first.
"""


def beside(start: Vector, end: Vector, clear: float) -> Path:
    """Return a low arc over the table that keeps ``clear`` of the middle, where the boards are."""
    a, b = np.array(start), np.array(end)
    middle = (a + b) / 2
    away = float(np.hypot(middle[0], middle[1]))
    # A way straight across the middle goes along the south, where the eye is at the start.
    out = middle[:2] / away if away > 1e-6 else np.array([0.0, -1.0])
    bow = max(clear - away, 0.0) * 4 / 3

    def path(t: float) -> Vector:
        x, y, z = a + (b - a) * t
        rise = 4 * t * (1 - t)
        wide = bow * min(rise * 0.75 + 0.25 * rise * rise, 1.0)
        return float(x + out[0] * wide), float(y + out[1] * wide), float(z + HOP * rise)

    return path


def carry_time(start: Vector, end: Vector) -> float:
    """Return how many milliseconds a carry takes."""
    return carry_over(math.dist(start, end))


def carry_over(distance: float) -> float:
    """Return how many milliseconds a carry over a distance takes."""
    return CARRY[0] + (CARRY[1] - CARRY[0]) * min(distance / CARRY_FAR, 1.0)


BOWS = np.array(
    [0.0, 1.0, 2.0, 3.0], dtype=np.float32
)  # how far towards the eye a marble may be carried about others
HIGHER = np.array([0.0, 0.5, 1.2], dtype=np.float32)  # how much higher than it must it may go to be seen
_EVEN = np.linspace(0.0, 1.0, 21, dtype=np.float32)[1:-1]
STEPS = _EVEN - np.float32(0.09) * np.sin(np.float32(math.tau) * _EVEN)  # closer where the way is steep
_FIRST = int(
    np.searchsorted(STEPS, 0.15)
)  # from here on a marble is carried over others, not lifted past them
SEEN = slice(2, None, 4)  # of these steps, where it is looked whether the marble is seen
UPWARD = 0.75  # how much of the way to the eye goes up
LEAVES = 20.0  # how much worse it is to leave the picture than to go as much higher
AHEAD = 0.0, 2  # how ways bow: so many right angles from the eye, and the bend
CLOSER = AHEAD, (-1.0, 2), (1.0, 2)
ROUND = tuple((turn, bend) for bend in (4, 8) for turn in (-0.5, 0.5, 0.0, -1.0, 1.0))
AT_ONCE = 25_000  # numbers
AWAY_FROM = 1.1  # square of how near the centres of two marbles may come
BESIDE = 0.99  # square of how far aside, from above, a marble is past another, however high


class Edge(NamedTuple):
    """One edge of the picture: a marble with its centre ``at`` a place is seen whole within it where
    ``x * at[0] + y * at[1] + z * at[2] <= limit``; (x, y, z) is of length 1.
    """

    x: float
    y: float
    z: float
    limit: float

    def beyond(self, at: Vector) -> float:
        """Return how far a marble at a place reaches over the edge, less than 0 within it."""
        return self.x * at[0] + self.y * at[1] + self.z * at[2] - self.limit


Edges: TypeAlias = tuple[Edge, Edge, Edge, Edge]
"""The upper one, the lower, the left, the right."""

_FAR = Edge(0.0, 0.0, 1.0, math.inf)
EDGES: Edges = _FAR, _FAR, _FAR, _FAR
"""Those where nobody knows."""


def beyond(edges: Edges, at: Vector) -> float:
    """Return how far a marble at a place reaches out of the picture, less than 0 within it."""
    return max(edge.beyond(at) for edge in edges)


class Carry:
    """The way on which a hand carries a marble from ``start`` to ``end`` past the marbles ``obstacles``.

    It bows ``out`` in the direction ``bows`` (x, y), that of the eye, ``front``, if it can, and rises ``high``: see
    :func:`find`. The higher the even number ``bend``, the sooner it is far out. Beyond the ``edges`` it would leave
    the picture.
    """

    def __init__(
        self,
        start: Vector,
        end: Vector,
        obstacles: Sequence[Vector],
        front: tuple[float, float],
        edges: Edges = EDGES,
    ) -> None:
        self.start, self.end, self.obstacles, self.front, self.edges = start, end, obstacles, front, edges
        self.bows, self.out, self.high, self.bend = front, 0.0, 0.25, 2

    def __call__(self, t: float) -> Vector:
        """Return where the marble is after the part ``t`` of the way."""
        (x, y, z), (to_x, to_y, to_z) = self.start, self.end
        bowed = self.out * (1 - (2 * t - 1) ** self.bend)
        over = self.high * (1 - (2 * t - 1) ** 4)
        return (
            x + (to_x - x) * t + self.bows[0] * bowed,
            y + (to_y - y) * t + self.bows[1] * bowed,
            z + (to_z - z) * t + over,
        )


def find(carries: Sequence[Carry]) -> None:
    """Find the ways of marbles that are carried: as low and as much in sight as they can be.

    None meets another marble, nor passes over one nearer than :data:`CLEARANCE`, but one that is too near to where the
    way begins or ends. What would leave the picture so passes closer, or bows to a side.
    """
    ways = [carry for carry in carries if carry.obstacles]
    found = _all(ways, CLEARANCE, *AHEAD)
    for tries in (CLOSER, *((way,) for way in ROUND)):
        beyond = [number for number, way in enumerate(found) if way.beyond]
        for turn, bend in tries if beyond else ():
            closer = _all([ways[number] for number in beyond], CLOSE, turn, bend)
            for number, way in zip(beyond, closer, strict=True):
                found[number] = min(found[number], way)
    for carry, way in zip(ways, found, strict=True):
        carry.bows, carry.out, carry.high, carry.bend = way[2:]


class _Way(NamedTuple):
    """How bad a way is, whether it leaves the picture, where it bows, how far, how high it is, and its bend."""

    score: float
    beyond: bool
    bows: tuple[float, float]
    out: float
    high: float
    bend: int


def _all(ways: Sequence[Carry], clearance: float, turn: float, bend: int) -> list[_Way]:
    """Finds ways that bow towards the eye, or so many right angles aside, less than 0 to its left."""
    if not ways:
        return []
    # Many at once, since there are many in a great capture, but no more than memory is quickly had for.
    each = len(BOWS) * len(STEPS) * max(len(way.obstacles) for way in ways)
    many = max(1, AT_ONCE // each)
    return [
        way
        for first in range(0, len(ways), many)
        for way in _find(ways[first : first + many], clearance, turn, bend)
    ]


def _find(ways: Sequence[Carry], clearance: float, turn: float, bend: int) -> list[_Way]:
    """Finds some of them at once."""
    # What is short is filled up far below the table.
    others = np.full((len(ways), max(len(way.obstacles) for way in ways), 3), -99.0, dtype=np.float32)
    for row, way in zip(others, ways, strict=True):
        row[: len(way.obstacles)] = way.obstacles
    a, b, front = (
        np.array(each, dtype=np.float32)
        for each in ([way.start for way in ways], [way.end for way in ways], [way.front for way in ways])
    )
    ahead, aside = math.cos(math.pi / 2 * turn), math.sin(math.pi / 2 * turn)
    bows = (ahead * front + aside * np.stack([-front[:, 1], front[:, 0]], axis=1)).astype(np.float32)
    rise, wide = 1 - (2 * STEPS - 1) ** 4, 1 - (2 * STEPS - 1) ** bend
    base = a[:, None] + (b - a)[:, None] * STEPS[:, None]  # (ways, steps, 3)
    flat = base[:, None, :, :2] + (BOWS[:, None] * wide)[:, :, None] * bows[:, None, None]
    dx = flat[..., 0, None] - others[:, None, None, :, 0]  # (ways, bows, steps, others)
    dy = flat[..., 1, None] - others[:, None, None, :, 1]
    aside = dx * dx + dy * dy
    middle = slice(_FIRST, len(STEPS) - _FIRST)
    clear = np.sqrt(np.maximum(AWAY_FROM - aside, 0.0))
    clear[:, :, middle][aside[:, :, middle] < 1.0] = 1.0 + clearance
    under = others[:, None, :, 2] - base[:, :, 2, None]  # (ways, steps, others)
    lacks = np.where(aside < BESIDE, under[:, None] + clear, 0.0).max(axis=3)
    most = others[:, :, 2].max(axis=1) + 1.2 + clearance - np.minimum(a[:, 2], b[:, 2])
    least = np.minimum(np.maximum((lacks / rise).max(axis=2), 0.1), np.maximum(most, 0.4)[:, None])
    high = least[:, :, None] + HIGHER  # (ways, bows, heights)
    slant = math.sqrt(1 - UPWARD * UPWARD)
    dx, dy, aside = dx[:, :, None, SEEN], dy[:, :, None, SEEN], aside[:, :, None, SEEN]
    up = (high[..., None] * rise[SEEN])[..., None] - under[:, None, None, SEEN]
    # How much nearer to the eye each other marble is.
    toward = slant * front[:, :, None, None, None, None]
    near = -(dx * toward[:, 0] + dy * toward[:, 1] + up * UPWARD)
    covers = (near > 0) & (aside + up * up - near * near < 0.9)
    hidden = covers.any(axis=4).sum(axis=3)
    heights = base[:, None, None, :, 2] + high[..., None] * rise
    out: np.ndarray = np.zeros(high.shape)
    for edge in zip(*(way.edges for way in ways), strict=True):
        edges = np.array(edge, dtype=np.float32)[:, :, None, None]  # (ways, 4, 1, 1)
        # Where it begins or ends at the edge it need not be farther within.
        ends = np.maximum(*((end * edges[:, :3, 0, 0]).sum(axis=1) for end in (a, b)))
        limit = np.maximum(edges[:, 3, 0, 0], ends)[:, None, None]
        across = flat[..., 0] * edges[:, 0] + flat[..., 1] * edges[:, 1]  # (ways, bows, steps)
        over = (heights * edges[:, 2, :, :, None] + across[:, :, None]).max(axis=3) - limit
        out += np.maximum(over, 0.0)
    score = (heights.max(axis=3) + 0.1 * BOWS[:, None] + 0.6 * hidden + LEAVES * out).reshape(len(ways), -1)
    least_bad = score.argmin(axis=1)
    bow, height = np.divmod(least_bad, len(HIGHER))
    each = np.arange(len(ways))
    return [
        _Way(*way)
        for way in zip(
            score[each, least_bad].tolist(),
            (out[each, bow, height] > 0.0).tolist(),
            [(float(x), float(y)) for x, y in bows],
            BOWS[bow].tolist(),
            high[each, bow, height].tolist(),
            [bend] * len(ways),
            strict=True,
        )
    ]
