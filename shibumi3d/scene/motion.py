"""How things move: durations, curves and paths, as data. Times are in milliseconds at normal speed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from shibumi3d.scene.marbles.layout import RISE, Vector

Curve: TypeAlias = Callable[[float], float]
Path: TypeAlias = Callable[[float], Vector]

SPEEDS: Mapping[str, float] = MappingProxyType({"off": 0.0, "fast": 0.5, "normal": 1.0, "slow": 1.8})
REWIND = 0.6  # undo takes this part of the time of the move
FADE = 100.0  # every change, when motion is reduced

LIFT = 150.0
LIFT_HEIGHT = 0.6
HELD_HEIGHT = 1.7  # of a lifted marble whose place has been filled again: clear of a chain that fell
SET_DOWN = 160.0
SETTLE = 90.0
SETTLE_HEIGHT = 0.01  # two hundredths of a radius
CARRY = (260.0, 420.0)  # nearest and farthest
CARRY_FAR = 5.0  # the distance from which a carry takes longest
HOP = 0.5  # how high a marble flies that goes from stock to stock
CLEARANCE = 0.5  # between the marble carried and the marbles below it
DROP = 300.0
DROP_STAGGER = 80.0  # a marble starts when the one that carried it has fallen so long
DROP_CHAIN = 1400.0  # the most that a whole chain takes
STACKED = 160.0
STACKED_PAUSE = 120.0
STACKED_CHAIN = 1800.0
RECOLOUR = 200.0
DYE_SPEED = 60.0  # from one marble to the next, away from the cause
DYE_SPREAD = 600.0  # the most that dye takes to reach the last marble
LEAVE_STAGGER = 90.0  # from one marble that is taken to the next
LEAVE_CHAIN = 600.0  # the most from the first to the last of those taken together
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
TRAIL = 4000.0  # the longest that it stays
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


def linear(t: float) -> float:
    """Return ``t`` itself, a curve for what only fades."""
    return t


def fall(t: float) -> float:
    """Return the part of the way that is fallen through after the part ``t`` of the time, both from 0 to 1."""
    return t * t


def straight(start: Vector, end: Vector) -> Path:
    """Return the straight way."""
    a, b = np.array(start), np.array(end)

    def path(t: float) -> Vector:
        x, y, z = a + (b - a) * t
        return float(x), float(y), float(z)

    return path


def roll(start: Vector, end: Vector) -> Path:
    """Return the way one level down over the shoulder between two marbles, touching both.

    ``t`` is the part of the height. From the seat at horizontal offset (s, s), 0 <= s <= 1/2, the marbles at (1, 0)
    and (0, 1) keep the centre at height sqrt(2 s (1 - s)).
    """
    over = (start[0] - end[0], start[1] - end[1])

    def path(t: float) -> Vector:
        z = RISE * (1 - t)
        s = 1 - math.sqrt(max(0.0, 1 - 2 * z * z))  # twice the offset: from 1 to 0
        return end[0] + over[0] * s, end[1] + over[1] * s, end[2] + z

    return path


def slip(start: Vector, load: Vector, height: float) -> Path:
    """Return the way out from under the marble at ``load``, which rests on this one, and to ``height`` above
    ``start``.

    The way keeps in touch with the load at first and leaves it by a hair, on the side away from it.
    """
    s, f = np.array(start), np.array(load)
    first, last = s - f, np.array([0.0, 0.0, height]) + s - f
    near, far = float(np.linalg.norm(first)), float(np.linalg.norm(last))
    a, b = first / near, last / far
    angle = math.acos(max(-1.0, min(1.0, float(a @ b))))

    def path(t: float) -> Vector:
        way = (a * math.sin((1 - t) * angle) + b * math.sin(t * angle)) / math.sin(angle)
        x, y, z = f + way * (near + (far - near) * t)
        return float(x), float(y), float(z)

    return path


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


def along(first: Path, second: Path, part: float) -> Path:
    """Return the path that takes ``first`` for ``part`` of the way, then ``second``."""
    return lambda t: first(t / part) if t < part else second((t - part) / (1 - part))


def carry_time(start: Vector, end: Vector) -> float:
    """Return how many milliseconds a carry takes."""
    part = min(math.dist(start, end) / CARRY_FAR, 1.0)
    return CARRY[0] + (CARRY[1] - CARRY[0]) * part


def arc(start: Vector, end: Vector, obstacles: Sequence[Vector]) -> Path:
    """Return a flat-topped arc that passes no nearer than :data:`CLEARANCE` above the marbles ``obstacles``."""
    a, b = np.array(start), np.array(end)
    others = np.array(obstacles, dtype=np.float64).reshape(-1, 3)
    steps = np.linspace(0.0, 1.0, 33)
    base = a + (b - a) * steps[:, None]
    shape = 1 - (2 * steps - 1) ** 4
    middle = (steps >= 0.2) & (steps <= 0.8)
    height = 0.25
    if len(others):
        flat = base[:, None, :2] - others[None, :, :2]
        aside = np.einsum("ijk,ijk->ij", flat, flat)
        # No higher than clear of everything: a marble too near to either end can't be avoided by going up.
        limit = float(others[:, 2].max()) + 1.2 + CLEARANCE - min(start[2], end[2])
        while height < limit:
            up = (base[:, 2] + height * shape)[:, None] - others[None, :, 2]
            touching = aside + np.where(up > 0, up * up, 0.0) < 1.0 - 1e-6
            low = (aside < 1.0) & (up < 1.0 + CLEARANCE) & middle[:, None]
            if not (touching.any() or low.any()):
                break
            height += 0.1

    def path(t: float) -> Vector:
        x, y, z = a + (b - a) * t
        return float(x), float(y), float(z + height * (1 - (2 * t - 1) ** 4))

    return path


BOWS = np.array([0.0, 1.0, 2.0, 3.0])  # how far towards the eye a marble may be carried about the others
STEPS = np.linspace(0.0, 1.0, 17)
UPWARD = 0.75  # how much of the way to the eye goes up


def before(start: Vector, end: Vector, obstacles: Sequence[Vector], front: tuple[float, float]) -> Path:
    """Return an arc that passes over or in front of the marbles ``obstacles``, as low and as much in sight as it can.

    ``front`` is the direction (x, y) of length 1 in which the eye stands. No marble is met, nor passed over nearer than
    :data:`CLEARANCE`; where there is no such way, the marble goes straight over all, as in :func:`arc`.
    """
    others = np.array(obstacles, dtype=np.float64).reshape(-1, 3)
    if not len(others):
        return arc(start, end, obstacles)
    a, b = np.array(start), np.array(end)
    most = max(float(others[:, 2].max()) + 1.2 + CLEARANCE - min(start[2], end[2]), 0.4)
    heights = np.arange(0.1, most + 0.4, 0.4)
    bow, height = (each.ravel() for each in np.meshgrid(BOWS, heights, indexing="ij"))
    rise, wide = 1 - (2 * STEPS - 1) ** 4, 4 * STEPS * (1 - STEPS)
    ways = np.broadcast_to(a + (b - a) * STEPS[:, None], (len(bow), len(STEPS), 3)).copy()
    ways[:, :, :2] += (bow[:, None] * wide)[:, :, None] * np.array(front)
    ways[:, :, 2] += height[:, None] * rise
    off = ways[:, :, None, :] - others  # (ways, steps, others, 3)
    aside = off[..., 0] ** 2 + off[..., 1] ** 2
    up = off[..., 2]
    met = (aside + np.where(up > 0, up * up, 0.0) < 1.0 - 1e-6).any(axis=(1, 2))
    middle = (STEPS >= 0.2) & (STEPS <= 0.8)
    low = ((aside < 1.0) & (up < 1.0 + CLEARANCE) & middle[:, None]).any(axis=(1, 2))
    free = ~(met | low)
    if not free.any():
        return arc(start, end, obstacles)
    off, ways, bow, height = off[free], ways[free], bow[free], height[free]
    flat = math.sqrt(1 - UPWARD * UPWARD)
    eye = np.array([front[0] * flat, front[1] * flat, UPWARD])
    near = -(off @ eye)  # how much nearer to the eye each other marble is
    covers = (near > 0) & ((aside + up * up)[free] - near * near < 0.9)
    hidden = covers.any(axis=2).sum(axis=1)
    best = int((ways[:, :, 2].max(axis=1) + 0.1 * bow + 0.2 * hidden).argmin())
    out, high = float(bow[best]), float(height[best])

    def path(t: float) -> Vector:
        x, y, z = a + (b - a) * t
        bowed = out * 4 * t * (1 - t)
        over = high * (1 - (2 * t - 1) ** 4)
        return float(x + front[0] * bowed), float(y + front[1] * bowed), float(z + over)

    return path
