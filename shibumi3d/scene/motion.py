"""Durations, timing curves and paths of all animations.

Times are in milliseconds at normal speed, lengths in marble diameters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np

from shibumi3d.scene.marbles.layout import LEVEL_HEIGHT, Vector

Easing: TypeAlias = Callable[[float], float]
Path: TypeAlias = Callable[[float], Vector]

SPEED_FACTORS: Mapping[str, float] = MappingProxyType(
    {"off": 0.0, "fast": 0.5, "normal": 1.0, "slow": 1.8, "again": 4.0}
)
"""Duration factor for each animation speed.

``again`` is used to replay the last turn, at a quarter of the normal speed.
"""
REWIND_DURATION_FACTOR = 0.6  # duration of an undo, as a fraction of the move's
FADE_MS = 100.0  # duration of every change if motion is reduced

LIFT_MS = 150.0
LIFT_HEIGHT = 0.6
MIN_LIFT_HEIGHT = 0.2  # minimum lift, where a full one would leave the picture at the top
CLEAR_LIFT_HEIGHT = 1.66  # height of a lifted marble whose cell was refilled: clear of the marbles that fell
SET_DOWN_MS = 160.0
REBOUND_MS = 60.0  # after a marble has landed
REBOUND_HEIGHT = 0.04
REBOUND_GAIN = 0.3  # loudness of the second contact, relative to the first
NUDGE_MS = 80.0  # time in which a marble that is nudged by a falling one moves aside and comes back
NUDGE_DISTANCE = 0.015  # one or two pixels at the default distance
CARRY_MS_RANGE = (260.0, 420.0)  # shortest and longest carry
LONGEST_CARRY_DISTANCE = 5.0  # distance at which a carry reaches its longest duration
HOP_HEIGHT = 0.5  # height of the arc of a marble that moves from stock to stock
CLEARANCE = 0.5  # between a carried marble and the marbles below it
TIGHT_CLEARANCE = 0.1  # the same if it would otherwise leave the picture
DROP_MS = 300.0
DROP_STAGGER_MS = 80.0  # delay after the start of the fall of the marble below
MAX_DROP_CHAIN_MS = 1400.0  # maximum duration of a whole chain
STACKED_PAUSE_MS = 120.0
MAX_STACKED_CHAIN_MS = 1800.0
RECOLOUR_MS = 200.0
RECOLOUR_MS_PER_DIAMETER = 60.0  # per marble diameter of distance from the cause
MAX_RECOLOUR_DELAY_MS = 600.0  # maximum time until the dye reaches the last marble
LEAVE_STAGGER_MS = 110.0  # between the starts of two removed marbles
MIN_LEAVE_STAGGER_MS = 70.0  # minimum, so that no marble hits the previous one
MAX_LEAVE_CHAIN_MS = 900.0  # maximum from the first start to the last, unless the minimum takes longer
RELEASE_MS = 40.0  # end of a removed marble's flight, straight down between those that lie there
CLEAR_FRACTION = 0.5  # fraction of the time of a removed marble's flight after which others fall
LOWER_MS = 120.0  # for a marble put in front of the row that it enters
CLEAR_BOARDS_MS = 260.0  # clearing of the boards for the next game of a series
PUSH_MS = 240.0
HAND_OVER_MS = 320.0
HAND_OVER_PAUSE_MS = 120.0
OPEN_BOXES_MS = 600.0  # opening of all boxes at once
HOVER_FADE_MS = (80.0, 120.0)  # fade in and fade out
HOVER_RISE = 0.02  # rise of a liftable marble under the pointer: two pixels at the default distance
PRESSED_SCALE = 0.98  # scale of a pressed button
GHOST_FADE_MS = 90.0
SHAKE_MS = 160.0
SHAKE_AMPLITUDE = 0.03  # amplitude in marble diameters: three pixels at the default distance
CAMERA_MOVE_MS = 420.0
GLIDE_HALF_LIFE_MS = 90.0  # half-life of the spin of a board after it is released
EXPLODE_MS = 420.0  # to or from the exploded view; the same as a camera move
RING_FADE_MS = 120.0
PANEL_MS = 200.0
PAGE_FADE_MS = 280.0
PRIVACY_SCREEN_OPEN_MS = 240.0  # its opening; it closes instantly, before anything changes
MAX_SCRUB_MS = 120.0  # maximum duration of a move while the replay slider is dragged
WINNING_LINE_MS = 600.0


def cubic_bezier(x1: float, y1: float, x2: float, y2: float) -> Easing:
    """Return the timing function given by CSS ``cubic-bezier()``.

    It runs from (0, 0) to (1, 1) and has the control points (x1, y1) and (x2, y2).
    """

    def bezier(a: float, b: float, t: float) -> float:
        return 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t * t * b + t**3

    def curve(x: float) -> float:
        if x <= 0.0:
            return 0.0
        if x >= 1.0:
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(24):
            t = (low + high) / 2
            if bezier(x1, x2, t) < x:
                low = t
            else:
                high = t
        return bezier(y1, y2, (low + high) / 2)

    return curve


EASE_STANDARD = cubic_bezier(0.2, 0.0, 0.0, 1.0)
EASE_OUT = cubic_bezier(0.0, 0.0, 0.0, 1.0)
EASE_IN = cubic_bezier(0.3, 0.0, 1.0, 1.0)
EASE_CARRY = cubic_bezier(0.4, 0.0, 0.8, 0.8)  # for removed marbles, which are not set down but fall


def linear(t: float) -> float:
    """Return ``t`` unchanged; this is the timing function for a constant rate of change."""
    return t


def ease_fall(t: float) -> float:
    """Return the fraction of a fall's height that is covered after the fraction ``t`` of its duration."""
    return t * t


def rebound_path(position: Vector) -> Path:
    """Return the path of a marble that has landed at ``position`` and rebounds once."""
    return lambda t: (position[0], position[1], position[2] + REBOUND_HEIGHT * 4 * t * (1 - t))


def nudge_path(position: Vector, other: Vector) -> Path:
    """Return the path of a marble at ``position`` that is nudged aside by a marble at ``other`` and comes back.

    The marble moves horizontally, faster on the way out.
    """
    x, y = position[0] - other[0], position[1] - other[1]
    far = math.hypot(x, y) / NUDGE_DISTANCE

    def path(t: float) -> Vector:
        part = math.sin(math.pi * math.sqrt(t)) / far
        return position[0] + x * part, position[1] + y * part, position[2]

    return path


def straight_path(start: Vector, end: Vector) -> Path:
    """Return the straight path from ``start`` to ``end``."""
    (x, y, z), (to_x, to_y, to_z) = start, end
    return lambda t: (x + (to_x - x) * t, y + (to_y - y) * t, z + (to_z - z) * t)


def roll_down_path(start: Vector, end: Vector) -> Path:
    """Return the path of a marble that rolls one level down between two marbles, touching both.

    The parameter ``t`` of the path is the fraction of the height descended. At a horizontal offset (s, s) from the
    lower socket, with 0 <= s <= 1/2, marbles at (1, 0) and (0, 1) support the centre at the height sqrt(2 s (1 - s)).
    :func:`roll_down_spin` returns the rotation.
    """
    over = (start[0] - end[0], start[1] - end[1])

    def path(t: float) -> Vector:
        z = LEVEL_HEIGHT * (1 - t)
        s = 1 - math.sqrt(max(0.0, 1 - 2 * z * z))  # twice the offset, from 1 to 0
        return end[0] + over[0] * s, end[1] + over[1] * s, end[2] + z

    return path


class Spin(NamedTuple):
    """Rotation of a rolling marble.

    ``axis`` is a horizontal unit vector (x, y). ``angle`` maps the fraction of the path covered to the angle in
    radians.
    """

    axis: tuple[float, float]
    angle: Easing


def _axis(start: Vector, end: Vector) -> tuple[float, float]:
    """Return the rotation axis of a marble that rolls forward from ``start`` to ``end``."""
    east, north = end[0] - start[0], end[1] - start[1]
    far = math.hypot(east, north)
    return -north / far, east / far


def roll_down_points(start: Vector, end: Vector, count: int) -> tuple[Vector, ...]:
    """Return ``count`` + 1 points on the path of :func:`roll_down_path`, at equal steps of the marble's rotation."""
    path = roll_down_path(start, end)
    return tuple(path(1 - math.cos(math.pi / 2 * step / count)) for step in range(count + 1))


def roll_down_spin(start: Vector, end: Vector) -> Spin:
    """Return the rotation of a marble on the path of :func:`roll_down_path`.

    The centre of the marble moves around the axis through the centres of the two supporting marbles. Since those don't
    move, the marble turns by twice the angle through which its centre moves.
    """
    return Spin(_axis(start, end), lambda t: 2 * math.acos(max(0.0, 1 - t)))


def push_path(start: Vector, end: Vector) -> Path:
    """Return the path from ``start`` to ``end``, the next cell in a row.

    The marble rolls over the two marbles that support both cells.
    """
    level = straight_path(start, end)

    def path(t: float) -> Vector:
        x, y, z = level(t)
        return x, y, z + math.sqrt(0.75 - (t - 0.5) ** 2) - LEVEL_HEIGHT

    return path


def push_spin(start: Vector, end: Vector) -> Spin:
    """Return the rotation of a marble on the path of :func:`push_path`."""
    first = math.atan2(0.5, LEVEL_HEIGHT)
    return Spin(
        _axis(start, end), lambda t: 2 * (first + math.atan2(t - 0.5, math.sqrt(0.75 - (t - 0.5) ** 2)))
    )


def slip_out_path(start: Vector, load: Vector, end: Vector) -> Path:
    """Return the path of a marble that is pulled out from under another marble at ``load``.

    The path leads from ``start`` to ``end``. The marble touches the other one at first and then gradually moves away
    from it.
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


def side_clearance_for_fall(height: float) -> float:
    """Return how far beside its socket a marble must be so that another can fall into the socket.

    The marble is held ``height`` above the socket, on the side away from the falling marble. The distance is sufficient
    for the whole fall.
    """
    falls = roll_down_points((math.sqrt(0.5), 0.0, LEVEL_HEIGHT), (0.0, 0.0, 0.0), 24)
    return max(0.0, *(math.sqrt(max(1.0 - (height - z) ** 2, 0.0)) - x for x, _, z in falls))


CLEAR_OF_LOAD_POSITIONS = tuple(
    (high, side_clearance_for_fall(high))
    for high in (CLEAR_LIFT_HEIGHT * (1 - step / 24) for step in range(21))
)
"""Positions to try for a marble pulled out from under another, highest first.

Each position is given by the height above the marble's socket and the sideways distance from it.
"""


def low_arc_path(start: Vector, end: Vector, min_distance: float) -> Path:
    """Return a low arc from ``start`` to ``end`` that bends around the boards.

    Its middle is at least ``min_distance`` away from the z axis, around which the boards are placed.
    """
    a, b = np.array(start), np.array(end)
    middle = (a + b) / 2
    away = float(np.hypot(middle[0], middle[1]))
    # A path straight across the centre bends south, towards the initial position of the camera.
    out = middle[:2] / away if away > 1e-6 else np.array([0.0, -1.0])
    bow = max(min_distance - away, 0.0) * 4 / 3

    def path(t: float) -> Vector:
        x, y, z = a + (b - a) * t
        rise = 4 * t * (1 - t)
        wide = bow * min(rise * 0.75 + 0.25 * rise * rise, 1.0)
        return float(x + out[0] * wide), float(y + out[1] * wide), float(z + HOP_HEIGHT * rise)

    return path


def carry_ms(start: Vector, end: Vector) -> float:
    """Return the duration of a carry from ``start`` to ``end``, in milliseconds."""
    return carry_ms_for_distance(math.dist(start, end))


def carry_ms_for_distance(distance: float) -> float:
    """Return the duration of a carry over the given distance, in milliseconds."""
    return CARRY_MS_RANGE[0] + (CARRY_MS_RANGE[1] - CARRY_MS_RANGE[0]) * min(
        distance / LONGEST_CARRY_DISTANCE, 1.0
    )


BOW_CANDIDATES = np.array([0.0, 1.0, 2.5, 4.0], dtype=np.float32)  # candidate bows towards the camera
EXTRA_HEIGHT_CANDIDATES = np.array(
    [0.0, 0.5, 1.2], dtype=np.float32
)  # candidate extra heights to remain visible
_EVEN_FRACTIONS = np.linspace(0.0, 1.0, 21, dtype=np.float32)[1:-1]
SAMPLE_FRACTIONS = _EVEN_FRACTIONS - np.float32(0.09) * np.sin(
    np.float32(math.tau) * _EVEN_FRACTIONS
)  # denser where the path is steep
_FIRST_CLEARANCE_SAMPLE = int(
    np.searchsorted(SAMPLE_FRACTIONS, 0.15)
)  # from this step on, other marbles are passed above rather than beside
VISIBILITY_SAMPLES = slice(2, None, 4)  # steps at which visibility is tested
ASSUMED_CAMERA_Z = 0.75  # assumed vertical component of the direction towards the camera
OFF_FRAME_PENALTY = 20.0  # penalty for leaving the picture, relative to the same amount of extra height
COLLISION_PENALTY = 4.0  # penalty for the height that a path would lack to pass above another marble
DEFAULT_BOW = 0.0, 2  # default bow: quarter turns from the direction towards the camera, and exponent
TIGHT_BOWS = DEFAULT_BOW, (-1.0, 2), (1.0, 2)
DETOUR_BOWS = tuple((turn, bend) for bend in (4, 8) for turn in (-0.5, 0.5, 0.0, -1.0, 1.0))
MAX_BATCH_ELEMENTS = 25_000  # maximum number of array elements in a batch
MIN_SQUARED_DISTANCE = 1.1  # squared minimum distance between the centres of two marbles
MAX_SQUARED_OVERLAP_DISTANCE = 0.99  # squared horizontal distance beyond which heights do not matter


class FrameEdge(NamedTuple):
    """Edge of the picture, represented as a plane in the world.

    (x, y, z) is a unit vector. A marble is entirely inside the edge if the dot product of this vector with the marble's
    centre is at most ``limit``.
    """

    x: float
    y: float
    z: float
    limit: float

    def distance_outside(self, position: Vector) -> float:
        """Return how far a marble at ``position`` extends beyond the edge, or a negative number if it is inside."""
        return self.x * position[0] + self.y * position[1] + self.z * position[2] - self.limit


FrameEdges: TypeAlias = tuple[FrameEdge, FrameEdge, FrameEdge, FrameEdge]
"""Top, bottom, left and right edge of the picture."""

_UNBOUNDED_EDGE = FrameEdge(0.0, 0.0, 1.0, math.inf)
UNBOUNDED_EDGES: FrameEdges = _UNBOUNDED_EDGE, _UNBOUNDED_EDGE, _UNBOUNDED_EDGE, _UNBOUNDED_EDGE
"""Edges that exclude nothing, used while no camera is known."""


def distance_outside(frame_edges: FrameEdges, position: Vector) -> float:
    """Return how far a marble at ``position`` extends beyond the frame, or a negative number if it is inside."""
    return max(edge.distance_outside(position) for edge in frame_edges)


class CarryPath:
    """Path of a marble carried by hand from ``start`` to ``end``, past other marbles.

    ``obstacles`` contains the centres of the other marbles. The path bows sideways by up to ``bow`` in the horizontal
    direction ``bow_direction``; by default, this is ``toward_camera``, the direction towards the camera. ``exponent``,
    an even number, determines the shape of the bow: the greater it is, the sooner the path comes close to its full bow.
    The path rises by up to ``rise`` above the straight line. ``frame_edges`` are the edges of the picture, which the
    path should not cross. :func:`choose_carry_paths` chooses ``bow_direction``, ``bow``, ``rise`` and ``exponent``.
    """

    def __init__(
        self,
        start: Vector,
        end: Vector,
        obstacles: Sequence[Vector],
        toward_camera: tuple[float, float],
        frame_edges: FrameEdges = UNBOUNDED_EDGES,
    ) -> None:
        self.start, self.end, self.obstacles, self.toward_camera, self.frame_edges = (
            start,
            end,
            obstacles,
            toward_camera,
            frame_edges,
        )
        self.bow_direction, self.bow, self.rise, self.exponent = toward_camera, 0.0, 0.25, 2

    def __call__(self, t: float) -> Vector:
        """Return the position of the marble at fraction ``t`` of the path."""
        (x, y, z), (to_x, to_y, to_z) = self.start, self.end
        bowed = self.bow * (1 - (2 * t - 1) ** self.exponent)
        over = self.rise * (1 - (2 * t - 1) ** 4)
        return (
            x + (to_x - x) * t + self.bow_direction[0] * bowed,
            y + (to_y - y) * t + self.bow_direction[1] * bowed,
            z + (to_z - z) * t + over,
        )


def choose_carry_paths(carries: Sequence[CarryPath]) -> None:
    """Choose the paths of carried marbles, as low and as visible as possible.

    If possible, a carried marble touches no other marble and, except near the ends of its path, stays at least
    :data:`CLEARANCE` above the marbles it passes over. If a path would leave the picture, other paths are tried that
    pass closer to the marbles or bow in another direction. Paths without obstacles are left unchanged.
    """
    ways = [carry for carry in carries if carry.obstacles]
    found = _best_paths(ways, CLEARANCE, *DEFAULT_BOW)
    for tries in (TIGHT_BOWS, *((way,) for way in DETOUR_BOWS)):
        beyond = [number for number, way in enumerate(found) if way.leaves_frame]
        for turn, bend in tries if beyond else ():
            closer = _best_paths([ways[number] for number in beyond], TIGHT_CLEARANCE, turn, bend)
            for number, way in zip(beyond, closer, strict=True):
                found[number] = min(found[number], way)
    for carry, way in zip(ways, found, strict=True):
        carry.bow_direction, carry.bow, carry.rise, carry.exponent = way[2:]


class _CandidatePath(NamedTuple):
    """Candidate path with its penalty, ``score``; the candidate with the lowest score is chosen.

    ``leaves_frame`` is set if the path leaves the picture. The other fields are attributes of :class:`CarryPath`.
    """

    score: float
    leaves_frame: bool
    bow_direction: tuple[float, float]
    bow: float
    rise: float
    exponent: int


def _best_paths(
    carries: Sequence[CarryPath], clearance: float, bow_quarter_turns: float, exponent: int
) -> list[_CandidatePath]:
    """Return the best path with the given clearance and exponent for each of ``carries``.

    ``bow_quarter_turns`` is the direction of the bow, in quarter turns from the direction towards the camera; negative
    values turn it to the left in the picture.
    """
    if not carries:
        return []
    # Large captures have many carries, so compute them in batches, of a size whose memory is quick to allocate.
    each = len(BOW_CANDIDATES) * len(SAMPLE_FRACTIONS) * max(len(way.obstacles) for way in carries)
    batch_size = max(1, MAX_BATCH_ELEMENTS // each)
    return [
        way
        for first in range(0, len(carries), batch_size)
        for way in _best_paths_in_batch(
            carries[first : first + batch_size], clearance, bow_quarter_turns, exponent
        )
    ]


def _best_paths_in_batch(
    carries: Sequence[CarryPath], clearance: float, bow_quarter_turns: float, exponent: int
) -> list[_CandidatePath]:
    # Pad short rows with points far below the table.
    others = np.full((len(carries), max(len(way.obstacles) for way in carries), 3), -99.0, dtype=np.float32)
    for row, way in zip(others, carries, strict=True):
        row[: len(way.obstacles)] = way.obstacles
    a, b, front = (
        np.array(each, dtype=np.float32)
        for each in (
            [way.start for way in carries],
            [way.end for way in carries],
            [way.toward_camera for way in carries],
        )
    )
    ahead, aside = math.cos(math.pi / 2 * bow_quarter_turns), math.sin(math.pi / 2 * bow_quarter_turns)
    bows = (ahead * front + aside * np.stack([-front[:, 1], front[:, 0]], axis=1)).astype(np.float32)
    rise, wide = 1 - (2 * SAMPLE_FRACTIONS - 1) ** 4, 1 - (2 * SAMPLE_FRACTIONS - 1) ** exponent
    base = a[:, None] + (b - a)[:, None] * SAMPLE_FRACTIONS[:, None]  # (ways, steps, 3)
    flat = base[:, None, :, :2] + (BOW_CANDIDATES[:, None] * wide)[:, :, None] * bows[:, None, None]
    dx = flat[..., 0, None] - others[:, None, None, :, 0]  # (ways, bows, steps, others)
    dy = flat[..., 1, None] - others[:, None, None, :, 1]
    aside = dx * dx + dy * dy
    middle = slice(_FIRST_CLEARANCE_SAMPLE, len(SAMPLE_FRACTIONS) - _FIRST_CLEARANCE_SAMPLE)
    # Large arrays are changed in place, because allocating memory would take longer than computing.
    heights_above = MIN_SQUARED_DISTANCE - aside
    np.maximum(heights_above, 0.0, out=heights_above)
    np.sqrt(heights_above, out=heights_above)
    np.copyto(heights_above[:, :, middle], 1.0 + clearance, where=aside[:, :, middle] < 1.0)
    under = others[:, None, :, 2] - base[:, :, 2, None]  # (ways, steps, others)
    heights_above += under[:, None]
    np.copyto(heights_above, 0.0, where=aside >= MAX_SQUARED_OVERLAP_DISTANCE)
    lacks = heights_above.max(axis=3)
    most = others[:, :, 2].max(axis=1) + 1.2 + clearance - np.minimum(a[:, 2], b[:, 2])
    needed, cap = np.maximum((lacks / rise).max(axis=2), 0.1), np.maximum(most, 0.4)[:, None]
    least = np.minimum(needed, cap)
    high = least[:, :, None] + EXTRA_HEIGHT_CANDIDATES  # (ways, bows, heights)
    slant = math.sqrt(1 - ASSUMED_CAMERA_Z * ASSUMED_CAMERA_Z)
    dx, dy, aside = (
        dx[:, :, None, VISIBILITY_SAMPLES],
        dy[:, :, None, VISIBILITY_SAMPLES],
        aside[:, :, None, VISIBILITY_SAMPLES],
    )
    up = (high[..., None] * rise[VISIBILITY_SAMPLES])[..., None] - under[:, None, None, VISIBILITY_SAMPLES]
    # How much farther from the camera each of the other marbles is.
    toward = slant * front[:, :, None, None, None, None]
    far = up * ASSUMED_CAMERA_Z
    far += dx * toward[:, 0] + dy * toward[:, 1]
    covers = far < 0
    np.square(far, out=far)
    np.square(up, out=up)
    up += aside
    up -= far
    covers &= up < 0.9
    hidden = covers.any(axis=4).sum(axis=3)
    heights = base[:, None, None, :, 2] + high[..., None] * rise
    out: np.ndarray = np.zeros(high.shape)
    for edge in zip(*(way.frame_edges for way in carries), strict=True):
        edges = np.array(edge, dtype=np.float32)[:, :, None, None]  # (ways, 4, 1, 1)
        # A path need not stay farther inside than its own ends.
        ends = np.maximum(*((end * edges[:, :3, 0, 0]).sum(axis=1) for end in (a, b)))
        limit = np.maximum(edges[:, 3, 0, 0], ends)[:, None, None]
        across = flat[..., 0] * edges[:, 0] + flat[..., 1] * edges[:, 1]  # (ways, bows, steps)
        over = (heights * edges[:, 2, :, :, None] + across[:, :, None]).max(axis=3) - limit
        out += np.maximum(over, 0.0)
    score = (
        heights.max(axis=3)
        + 0.1 * BOW_CANDIDATES[:, None]
        + 0.6 * hidden
        + OFF_FRAME_PENALTY * out
        + COLLISION_PENALTY * (needed - least)[:, :, None]
    ).reshape(len(carries), -1)
    least_bad = score.argmin(axis=1)
    bow, height = np.divmod(least_bad, len(EXTRA_HEIGHT_CANDIDATES))
    each = np.arange(len(carries))
    return [
        _CandidatePath(*way)
        for way in zip(
            score[each, least_bad].tolist(),
            (out[each, bow, height] > 0.0).tolist(),
            [(float(x), float(y)) for x, y in bows],
            BOW_CANDIDATES[bow].tolist(),
            high[each, bow, height].tolist(),
            [exponent] * len(carries),
            strict=True,
        )
    ]
