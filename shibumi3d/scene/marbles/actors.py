"""Marbles and their animation: segments of motion, colour changes, and the cast of all marbles."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene import motion
from shibumi3d.scene.frame import NO_ROLL, Roll
from shibumi3d.scene.marbles.layout import LEVEL_HEIGHT, RADIUS, Layout, Vector, make_layout
from shibumi3d.scene.sound_cues import Contact

Cell: TypeAlias = tuple[int, int]  # board, point


class HeldMarble(NamedTuple):
    """A marble in hand, lifted from point ``origin`` of ``board``."""

    colour: int
    origin: int
    board: int


class Pose(NamedTuple):
    """A marble as it looks at one moment.

    ``socket`` is its final (board, point), or None if the marble is in hand or leaving. The other fields are those of
    :class:`.Ball`.
    """

    position: Vector
    colour: int
    socket: Cell | None
    alpha: float = 1.0
    tint: float = 0.0
    rotation: float = 0.0
    new_colour: int = 0
    recoloured_fraction: float = 0.0
    recolour_direction: Vector = (0.0, 0.0, 0.0)
    roll: Roll = NO_ROLL


@dataclass(frozen=True, slots=True)
class MotionSegment:
    """One segment of a marble's motion, from ``start`` to ``end`` in seconds.

    ``path`` maps the fraction of the path covered, from 0 to 1, to world coordinates. ``easing`` maps the fraction of
    the time elapsed to the fraction of the path covered. ``alpha`` is the opacity at the start and at the end; it
    changes during the interval ``fade_interval``, given as two fractions of the time. ``variation`` is (tint, rotation)
    at the start and at the end. ``spin`` is the rotation of a rolling marble, or None if the marble doesn't roll.
    """

    start: float
    end: float
    path: motion.Path
    easing: motion.Easing
    variation: tuple[tuple[float, float], tuple[float, float]]
    alpha: tuple[float, float] = (1.0, 1.0)
    fade_interval: tuple[float, float] = (0.0, 1.0)
    spin: motion.Spin | None = None


class Recolouring(NamedTuple):
    """A change of colour from ``before`` to ``after`` that spreads from ``direction``.

    ``start`` and ``end`` are times in seconds.
    """

    start: float
    end: float
    before: int
    after: int
    direction: Vector


@dataclass(slots=True)
class Actor:
    """A marble with its animation.

    ``socket`` is its final (board, point). A marble without a socket is in hand, unless ``is_leaving`` is set.
    ``origin`` is the socket from which a marble in hand was lifted.
    """

    colour: int
    socket: Cell | None
    position: Vector  # position after all segments
    variation: tuple[float, float]
    is_leaving: bool = False
    origin: Cell | None = None
    track: list[MotionSegment] = field(default_factory=list)
    recolourings: list[Recolouring] = field(default_factory=list)


def marble_variation(socket: Cell) -> tuple[float, float]:
    """Return the variation of the marble in a socket: tint from -1 to 1, and rotation in radians.

    It looks random but is always the same for the same socket.
    """
    mixed = (socket[0] * 7919 + socket[1] + 1) * 2654435761 & 0xFFFFFFFF
    mixed = (mixed ^ mixed >> 15) * 2246822519 & 0xFFFFFFFF
    return (mixed >> 8 & 0xFFF) / 2047.5 - 1.0, (mixed >> 20) / 4096 * math.tau


def side_marble_variation(position: Vector) -> tuple[float, float]:
    """Return the variation of a marble that lies beside the boards at ``position``; see :func:`marble_variation`."""
    x, y, z = (round(number * 100) for number in position)
    return marble_variation((16 + x, y * 31 + z))


@functools.lru_cache(maxsize=64)
def held_position(
    layout: Layout,
    held: HeldMarble,
    origin_is_refilled: bool,
    frame_edges: motion.FrameEdges = motion.UNBOUNDED_EDGES,
) -> Vector:
    """Return where a lifted marble floats, normally above its origin.

    If ``origin_is_refilled`` is set, another marble is now at the origin. The lifted marble then floats where the other
    marble can't touch it and, if possible, within ``frame_edges``. It can get there without hitting the marbles that
    support the origin.
    """
    x, y, z = layout.point_position(held.board, held.origin)
    if not origin_is_refilled:
        return x, y, z + motion.LIFT_HEIGHT
    # The marble that fell came from the direction of the middle of the board.
    east, north = layout.origins[held.board][0] - x, layout.origins[held.board][1] - y
    far = math.hypot(east, north)
    if far < 1e-6:
        return position_clear_of_load((x, y, z), (x, y, z), frame_edges)
    load = x + east / far * math.sqrt(0.5), y + north / far * math.sqrt(0.5), z + LEVEL_HEIGHT
    supports = iter_bits(get_pyramid(layout.sizes[held.board]).supports[held.origin])
    others = [layout.point_position(held.board, point) for point in supports]
    return position_clear_of_load((x, y, z), load, frame_edges, others)


def position_clear_of_load(
    socket_position: Vector,
    load_position: Vector,
    frame_edges: motion.FrameEdges,
    others: Sequence[Vector] = (),
    destination: Vector | None = None,
) -> Vector:
    """Return where to hold a marble that is pulled out from under another one.

    The other marble, at ``load_position``, then falls, so the marble pulled out is held above its old place,
    ``socket_position``. If that position is outside the frame, or if the other marble blocks the straight path from
    there to ``destination``, the marble is held lower and to one side, where it can go without touching the marbles at
    ``others``. If every position has one of these two faults, the least bad one is returned.
    """
    x, y = socket_position[0] - load_position[0], socket_position[1] - load_position[1]
    far = math.hypot(x, y)
    falls = motion.roll_down_points(load_position, socket_position, 8) if others else ()
    best, least = (
        (socket_position[0], socket_position[1], socket_position[2] + motion.CLEAR_LIFT_HEIGHT),
        math.inf,
    )
    for turn in ESCAPE_ANGLES_RADIANS if far > 1e-6 else ESCAPE_ANGLES_RADIANS[:1]:
        c, s = math.cos(turn), math.sin(turn)
        way = (c * x - s * y) / max(far, 1e-6), (s * x + c * y) / max(far, 1e-6)
        for high, aside in motion.CLEAR_OF_LOAD_POSITIONS[: None if far > 1e-6 else 1]:
            out = aside / max(c, 0.5)
            place = (
                socket_position[0] + out * way[0],
                socket_position[1] + out * way[1],
                socket_position[2] + high,
            )
            over = max(motion.distance_outside(frame_edges, place), 0.0)
            if destination is not None and _would_collide(place, destination, load_position):
                over += RETURN_PENALTY
            if over >= least or (
                place != best
                and _comes_too_close(
                    motion.slip_out_path(socket_position, load_position, place), others, falls
                )
            ):
                continue
            best, least = place, over
            if not least:
                return best
    return best


ESCAPE_ANGLES_RADIANS = 0.0, 0.7, -0.7, 1.4, -1.4
"""Directions to try, in radians relative to the direction straight away from the load."""


RETURN_PENALTY = 0.1
"""Distance outside the frame that is as bad as a straight path to the destination through the load."""


def _would_collide(start: Vector, end: Vector, obstacle: Vector) -> bool:
    """Return whether a marble that goes straight from ``start`` to ``end`` would hit one at ``obstacle``."""
    way = [b - a for a, b in zip(start, end, strict=True)]
    length = math.hypot(*way) or 1.0
    along = sum((o - a) * w for o, a, w in zip(obstacle, start, way, strict=True)) / length
    if along <= 0.0:
        return False
    if along > length:
        return math.dist(obstacle, end) < 2 * RADIUS
    return math.dist(obstacle, start) ** 2 - along * along < (2 * RADIUS) ** 2


def _comes_too_close(path: motion.Path, others: Sequence[Vector], falls: Sequence[Vector]) -> bool:
    """Return whether ``path`` comes too close to ``others`` or ends too close to ``falls``.

    ``others`` are the centres of marbles, and ``falls`` are points on the path of a falling marble.
    """
    start, end = path(0.0), path(1.0)
    near = [(at, min(far, 1.0) - 0.04) for at in others if (far := math.dist(start, at)) < 3.0]
    if any(math.dist(path(part / 8), at) < least for part in range(1, 9) for at, least in near):
        return True
    return any(math.dist(end, at) < 0.98 for at in falls)


def seat_stock_key(stock: str, seat: int) -> str:
    """Return the key in :attr:`Cast.stock_positions` for the stock named ``stock`` that belongs to ``seat``."""
    return f"{stock} of seat {seat}"


def colour_stock_key(stock: str, colour: int) -> str:
    """Return the key in :attr:`Cast.stock_positions` for a single colour of the stock with key ``stock``."""
    return f"{stock} in colour {colour}"


class StockChange(NamedTuple):
    """The departure of a marble from a stock (``change`` -1), or its arrival (``change`` 1), at time ``time``."""

    key: str
    colour: int
    time: float
    change: int


class Cast:
    """All marbles with their animations, and the stock changes, box openings and contacts.

    ``stock_positions`` maps the key of a stock to the world position where its marbles come from and go to; see
    :func:`seat_stock_key` and :func:`colour_stock_key`. ``stock_rows`` maps a key to the positions of successive
    marbles. ``cause_position`` is the position of the marble that causes the current events, ``toward_camera`` is the
    horizontal direction towards the camera, and ``frame_edges`` are the edges of the camera's frame.
    """

    def __init__(self, sizes: Sequence[int], reduce_motion: bool = False) -> None:
        self.layout = make_layout(tuple(sizes))
        self.reduce_motion = reduce_motion
        self.stock_positions: dict[str, Vector] = {}
        self.stock_rows: Mapping[str, Sequence[Vector]] = {}
        self.used_row_places: Counter[str] = (
            Counter()
        )  # number of places used in each row by the events being compiled
        self.actors: list[Actor] = []
        self.box_openings: list[tuple[float, float]] = []
        self.stock_changes: list[StockChange] = []
        self.contacts: list[Contact] = []  # of the events being compiled
        self.pending_carries: list[motion.CarryPath] = []  # paths of the same events, not shaped yet
        self.cause_position: Vector | None = None
        self.toward_camera = (0.0, -1.0)
        self.frame_edges = motion.UNBOUNDED_EDGES

    def make_carry_path(self, start: Vector, end: Vector, others: Sequence[Vector]) -> motion.CarryPath:
        """Return a path on which a hand-carried marble, if possible, avoids ``others`` and stays in the frame.

        The shape of the path is determined later, by :func:`.choose_carry_paths`.
        """
        return motion.CarryPath(start, end, others, self.toward_camera, self.frame_edges)

    def lift_position(self, position: Vector) -> Vector:
        """Return where a lifted marble is held: above ``position`` but, if possible, below the top of the frame."""
        height, edge = motion.LIFT_HEIGHT, self.frame_edges[0]
        if edge.z > 0.3:  # not when looking straight down
            height = max(min(height, -edge.distance_outside(position) / edge.z), motion.MIN_LIFT_HEIGHT)
        return position[0], position[1], position[2] + height

    def position_outside_frame(self, position: Vector) -> Vector:
        """Return where a marble without a stock position comes from or goes to.

        This is straight to the left or right of ``position``, as seen from the camera, and just outside the frame.
        """
        ahead = (-self.toward_camera[1], self.toward_camera[0])
        ways = []
        for side, edge in zip((-1, 1), self.frame_edges[2:], strict=True):
            x, y = side * ahead[0], side * ahead[1]
            slope = edge.x * x + edge.y * y
            # Keep its shadow, which is cast to the side, out of the frame too.
            beyond = 3 * RADIUS - edge.distance_outside(position)
            ways.append((beyond / slope if slope > 0.1 else math.inf, x, y))
        far, x, y = min(ways)
        if not math.isfinite(far):
            far = 2 * self.layout.horizontal_extent
        return position[0] + far * x, position[1] + far * y, position[2]

    def leaves_frame(self, path: motion.Path) -> bool:
        """Return whether a marble would leave the frame if it moved along ``path``."""
        return any(motion.distance_outside(self.frame_edges, path(part / 16)) > 0.0 for part in range(17))

    def find_stock(self, stock: str, colour: int, seat: int | None = None) -> tuple[str, Vector] | None:
        """Return the key and position of ``colour`` in a stock, or None if no position is known.

        If the colour has no position of its own, the key and position of the whole stock are returned. If ``seat`` has
        its own stock with this name, that stock is used.
        """
        names = [stock] if seat is None else [seat_stock_key(stock, seat), stock]
        keys = [key for name in names for key in (colour_stock_key(name, colour), name)]
        return next(((key, self.stock_positions[key]) for key in keys if key in self.stock_positions), None)

    def next_stock_position(self, stock: str, colour: int) -> tuple[str, Vector | None]:
        """Return the key of a colour in a stock, and where the next marble comes from or goes to.

        If there is a row of places for the key, each call takes the next place. Once all places have been used, the
        last one is returned again. Returns "" and None if the stock has no position.
        """
        key, place = self.find_stock(stock, colour) or ("", None)
        row = self.stock_rows.get(key)
        if not row:
            return key, place
        self.used_row_places[key] += 1
        return key, row[min(self.used_row_places[key], len(row)) - 1]

    def held_actor(self) -> Actor | None:
        """Return the marble in hand, or None if the hand is empty."""
        return next((a for a in self.actors if a.socket is None and not a.is_leaving), None)

    def find_actor(self, board: int, point: int, colour: int) -> Actor:
        """Return the marble on ``point`` of ``board``.

        If a captured marble is still there together with the marble that captured it, return the marble of ``colour``.
        Raises LookupError if there is no marble.
        """
        there = [a for a in self.actors if a.socket == (board, point)]
        for actor in there:
            if actor.colour == colour:
                return actor
        if there:
            return there[0]
        raise LookupError(f"there is no marble on point {point} of board {board}")


def pose_at(actor: Actor, time: float) -> Pose:
    """Return the pose of a marble at ``time``."""
    colour, into, dye, source = actor.colour, actor.colour, 0.0, (0.0, 0.0, 0.0)
    for change in actor.recolourings:
        if time < change.end:
            part = max(time - change.start, 0.0) / (change.end - change.start)
            colour, into, dye = change.before, change.after, motion.EASE_STANDARD(part)
            source = change.direction
            break
    clips = actor.track
    if not clips:
        return Pose(actor.position, colour, actor.socket, 1.0, *actor.variation, into, dye, source)
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
    way = clip.easing(part)
    at = actor.position if arrived else clip.path(way)
    faded = min(
        max((part - clip.fade_interval[0]) / max(clip.fade_interval[1] - clip.fade_interval[0], 1e-9), 0.0),
        1.0,
    )
    alpha = clip.alpha[0] + (clip.alpha[1] - clip.alpha[0]) * faded
    (tint0, turn0), (tint1, turn1) = clip.variation
    tint, turn = tint0 + (tint1 - tint0) * part, turn0 + (turn1 - turn0) * part
    if clip.spin is None or part >= 1.0:
        return Pose(at, colour, actor.socket, alpha, tint, turn, into, dye, source)
    # A rolling marble must end with the look it has at rest. Switch to it halfway, where nobody can see it.
    rolled = clip.spin.angle(way)
    ahead = clip.spin.angle(1.0) - rolled
    turn = turn0 if rolled <= ahead else turn1
    return Pose(
        at, colour, actor.socket, alpha, tint, turn, into, dye, source, (*clip.spin.axis, rolled, ahead)
    )
