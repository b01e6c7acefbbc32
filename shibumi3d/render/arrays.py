"""Frames as arrays: what the shaders take in, and in which order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Ball, Board, Mark, MarkKind
from shibumi3d.scene.marbles.layout import RADIUS, RISE, TABLE, TOP, Array, half_side
from shibumi3d.scene.palette import Theme, linear, rgb

Floats = NDArray[np.float32]

CASTERS = 8  # as many neighbours at most keep the window from a marble
BALL = 38  # floats a marble: see ball.glsl
SPLAT = 9  # floats a shadow: see splat.glsl
MARK = 22  # floats a mark: see mark.glsl
NEAR = 16  # as many neighbours at most are seen through a marble of glass: see glass.glsl
_REACH = 0.25  # how far beyond touching a neighbour still takes light

# Highlight, rim, bands, speckles of each colour: shell, stone, clay, then glass.
_MATERIALS = (
    (0.30, 0.10, 0.030, 0.0),
    (0.20, 0.60, 0.0, 0.0),
    (0.34, 0.16, 0.0, 0.05),
    (0.42, 0.30, 0.0, 0.0),
    (0.42, 0.25, 0.0, 0.0),
    (0.38, 0.25, 0.0, 0.02),
)
_CLEAR = (0.0, 0.0, 0.0, 0.7, 0.7, 0.5)  # how clear the glass of each colour is; 0: not glass
_PLAIN = (0.15, 0.15, 0.0, 0.0)

# The directions of the twelve neighbours a marble can touch, in the order of ball.glsl.
_TOUCH: Floats = np.array(
    [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)]
    + [(x, y, z) for z in (RISE, -RISE) for y in (0.5, -0.5) for x in (0.5, -0.5)],
    dtype=np.float32,
)


@dataclass(frozen=True, slots=True)
class Balls:
    """The marbles of a frame. ``order`` sorts them for one eye; ``rows`` are in the order of the frame."""

    rows: Floats  # (n, BALL)
    casters: Floats  # (m, 4): centre and alpha of what keeps the window from them
    splats: Floats  # (k, SPLAT): sphere and alpha of what throws a shadow on level planes, colour, how clear
    shown: NDArray[np.int64]  # indices of those that can be seen at all
    glass: NDArray[np.bool_]


def _clear(colour: int) -> float:
    return _CLEAR[colour] if 0 <= colour < len(_CLEAR) else 0.0


def _shade(ball: Ball, theme: Theme) -> tuple[float, ...]:
    """Linear colour and alpha, the four numbers of the material; then colour and part of the dye."""
    colour = np.array([linear(theme.marble(ball.colour)), linear(theme.marble(ball.into))])
    material = np.array(_MATERIALS[ball.colour] if 0 <= ball.colour < len(_MATERIALS) else _PLAIN)
    if ball.dye > 0.0:
        other = np.array(_MATERIALS[ball.into] if 0 <= ball.into < len(_MATERIALS) else _PLAIN)
        material = material + (other - material) * ball.dye
    if ball.strength < 1.0:
        # Stepping back: towards the middle of the board's own tone.
        grey = np.array(linear(theme.table)) * 0.45 + np.array(linear("#808080")) * 0.25
        colour = grey + (colour - grey) * ball.strength
        material = material * ball.strength
    return (*colour[0], ball.alpha, *material, *colour[1], ball.dye)


def balls(
    items: Sequence[Ball], boards: Sequence[Board], theme: Theme, sun: Floats, glass: bool = False
) -> Balls:
    """The arrays of ``items``; ``sun`` (3,) is the direction of the window.

    With ``glass`` the colours that are of glass can be seen through.
    """
    count = len(items)
    rows = np.zeros((count, BALL), dtype=np.float32)
    if count == 0:
        none = np.zeros(0, dtype=np.int64)
        return Balls(
            rows, np.zeros((1, 4), np.float32), np.zeros((0, SPLAT), np.float32), none, none.astype(bool)
        )
    data = np.array([ball[:13] for ball in items], dtype=np.float32)
    centre, radius, alpha, beads = data[:, :3], data[:, 4], data[:, 5], data[:, 12] > 0.5
    rows[:, :3], rows[:, 3] = centre, radius
    shades: dict[tuple[float, ...], tuple[float, ...]] = {}
    found: list[tuple[float, ...]] = []
    for ball in items:
        key = ball.colour, ball.alpha, ball.strength, ball.into, ball.dye
        if key not in shades:
            shades[key] = _shade(ball, theme)
        found.append(shades[key])
    shade = np.array(found, dtype=np.float32)
    hair = 1.0 + 0.02 * data[:, 8:9]
    rows[:, 4:12], rows[:, 31:35] = shade[:, :8], shade[:, 8:]
    rows[:, 4:7] *= hair
    rows[:, 31:34] *= hair
    rows[:, 35:38] = [ball.source for ball in items]
    rows[:, 12], rows[:, 13], rows[:, 14] = data[:, 9], data[:, 7], beads
    if glass:
        clear = [_clear(ball.colour) * (1.0 - ball.dye) + _clear(ball.into) * ball.dye for ball in items]
        rows[:, 14] = np.where(beads, 1.0, clear)
    rows[:, 15] = TABLE
    shown = np.where(data[:, 11] > 0.5, data[:, 10], data[:, 3])
    rows[:, 30] = np.where((shown >= 0) & (shown < len(_MATERIALS)) & ~beads, shown + 1, 0)
    for board in boards:
        half = half_side(board.size)
        on = (np.abs(centre[:, 0] - board.x) < half) & (np.abs(centre[:, 1] - board.y) < half)
        rows[on, 15] = TOP

    weight = np.where(beads, 0.0, alpha).astype(np.float32)
    x, y, z = np.ascontiguousarray(centre.T)
    dx, dy, dz = (axis[None, :] - axis[:, None] for axis in (x, y, z))  # [i, j]: from i to j
    square = dx * dx + dy * dy + dz * dz
    shown = _beside(rows, dx, dy, dz, square, weight)
    splats = _splats(rows[shown], weight[shown])
    # A part of the light falls through glass.
    weight *= 1.0 - 0.6 * rows[:, 14]
    casters = _casters(rows, dx, dy, dz, square, sun, weight, shown)
    return Balls(rows, casters, splats, shown, beads)


def _beside(
    rows: Floats, dx: Floats, dy: Floats, dz: Floats, square: Floats, weight: Floats
) -> NDArray[np.int64]:
    """Writes how near neighbours are; which marbles any eye above the table can see at all.

    Not those on which four rest and over those one more.
    """
    i, j = np.nonzero(square < 4 * RISE * RISE + 0.02)
    apart = np.column_stack([dx[i, j], dy[i, j], dz[i, j]])
    away = np.sqrt(square[i, j])
    over = np.zeros(len(rows), dtype=bool)
    over[i[np.abs(apart[:, 2] - 2 * RISE) < 0.02]] = True
    near = (away < 1.0 + _REACH) & (away > 0.1) & (weight[j] > 0)
    i, j, apart, away = i[near], j[near], apart[near], away[near]
    if len(i):
        aligned = np.einsum("ij,kj->ik", apart, _TOUCH) / away[:, None]
        falloff = np.clip((1.0 + _REACH - away) / _REACH, 0.0, 1.0) * weight[j]
        strength = np.clip((aligned - 0.80) / 0.20, 0.0, 1.0) * falloff[:, None]
        first = np.flatnonzero(np.diff(i, prepend=-1))
        rows[i[first], 16:28] = np.maximum.reduceat(strength, first)
    return np.flatnonzero(~((rows[:, 20:24] > 0.98).all(axis=1) & over))


def _casters(
    rows: Floats,
    dx: Floats,
    dy: Floats,
    dz: Floats,
    square: Floats,
    sun: Floats,
    weight: Floats,
    shown: NDArray[np.int64],
) -> Floats:
    """Which marbles stand between each that is shown and the window, the nearest first."""
    along = dx[shown] * sun[0] + dy[shown] * sun[1] + dz[shown] * sun[2]
    reach = 1.05 + 0.17 * along
    aside = square[shown] - along * along
    i, j = np.nonzero((along > 0.05) & (along < 5.0) & (aside < reach * reach) & (weight > 0.02))
    if not len(i):
        return np.zeros((1, 4), np.float32)
    # Those nearest to the line to the window matter most.
    score = np.sqrt(np.maximum(aside[i, j], 0.0)) - 0.12 / along[i, j]
    order = np.lexsort((score, i))
    i, j = i[order], j[order]
    first = np.flatnonzero(np.diff(i, prepend=-1))
    count = np.diff(first, append=len(i))
    rank = np.arange(len(i)) - np.repeat(first, count)
    kept = rank < CASTERS
    count = np.minimum(count, CASTERS)
    rows[shown[i[first]], 28], rows[shown[i[first]], 29] = np.cumsum(count) - count, count
    j = j[kept]
    return np.column_stack([rows[j, :3], weight[j]]).astype(np.float32)


def _splats(rows: Floats, weight: Floats) -> Floats:
    """Spheres and alphas of the marbles that throw shadows; those that no eye sees stand in the dark anyway."""
    cast = weight > 0.02
    return np.column_stack([rows[cast, :4], weight[cast], rows[cast, 4:7], rows[cast, 14]]).astype(np.float32)


def near(found: Balls, rows: Floats) -> Floats:
    """The spheres and colours (n, 2 * NEAR, 4) of what stands around each of ``rows`` that is of glass.

    The nearest first; a radius of 0 ends a line that is shorter.
    """
    result = np.zeros((len(rows), 2 * NEAR, 4), dtype=np.float32)
    around = found.rows[found.shown]
    around = around[(around[:, 14] < 1.0) & (around[:, 7] > 0.5)]
    seen = np.flatnonzero((rows[:, 14] > 0.0) & (rows[:, 14] < 1.0))
    if not len(seen) or not len(around):
        return result
    apart = around[None, :, :3] - rows[seen, None, :3]
    square = np.einsum("ijk,ijk->ij", apart, apart)
    square[square < 0.01] = np.inf
    which = np.argsort(square, axis=1)[:, :NEAR]
    kept = np.isfinite(np.take_along_axis(square, which, axis=1))
    result[seen, 0 : 2 * which.shape[1] : 2] = around[which, :4] * kept[:, :, None]
    result[seen, 1 : 2 * which.shape[1] : 2, :3] = around[which, 4:7]
    return result


def far_to_near(found: Balls, eye: Array) -> NDArray[np.int64]:
    """The order in which marbles overlap rightly: by the square of the distance less that of the radius."""
    rows = found.rows[found.shown]
    to = rows[:, :3].astype(np.float64) - eye
    power = np.einsum("ij,ij->i", to, to) - rows[:, 3].astype(np.float64) ** 2
    return found.shown[np.argsort(-power, kind="stable")]


def boards_far_to_near(boards: Sequence[Board], eye: Array) -> list[Board]:
    """Boards in the order in which they cover each other."""
    return sorted(boards, key=lambda b: -((b.x - eye[0]) ** 2 + (b.y - eye[1]) ** 2))


def runs(rows: Floats, boards: Sequence[Board]) -> list[tuple[Floats, Board]]:
    """``rows`` in the same order, parted wherever the board nearest to a marble is another one."""
    away = np.array([(rows[:, 0] - board.x) ** 2 + (rows[:, 1] - board.y) ** 2 for board in boards])
    nearest = away.argmin(axis=0)
    parts = np.split(np.arange(len(rows)), np.flatnonzero(np.diff(nearest)) + 1)
    return [(rows[part], boards[nearest[part[0]]]) for part in parts]


def behind(rows: Floats, board: Board, eye: Array) -> NDArray[np.bool_]:
    """Which marbles the slab of ``board`` may cover: low ones behind it."""
    low = rows[:, 2] - rows[:, 3] < TOP - 0.2
    return low & beyond(rows[:, :2] - rows[:, 3:4], rows[:, :2] + rows[:, 3:4], board, eye)


def beyond(least: Floats | Array, most: Floats | Array, board: Board, eye: Array) -> NDArray[np.bool_]:
    """What, from ``least`` to ``most`` (n, 2), is beside ``board``, and on no side on which the eye is too."""
    half = half_side(board.size)
    hidden = np.zeros(len(least), dtype=bool)
    nearer = np.zeros(len(least), dtype=bool)
    for axis, middle in ((0, board.x), (1, board.y)):
        for sign, edge in ((-1.0, -most), (1.0, least)):
            outside = edge[:, axis] - middle * sign > half - 0.02
            if (eye[axis] - middle) * sign > half:
                nearer |= outside
            else:
                hidden |= outside
    return hidden & ~nearer


_PIXEL_KINDS = frozenset(
    (
        *(MarkKind.DOT, MarkKind.UP, MarkKind.DOWN, MarkKind.BAR, MarkKind.BARS),
        *(MarkKind.CHEVRON, MarkKind.THEREFORE, MarkKind.SWAP, MarkKind.KNOT, MarkKind.NUMBER),
    )
)
_FLAT_KINDS = frozenset((MarkKind.RING, MarkKind.FLAT_DASHED, MarkKind.RIM))
_LINE_KINDS = frozenset((MarkKind.LINE, MarkKind.DOTS, MarkKind.BROKEN))
# Marks of a family are drawn together, one family over the other; see mark.glsl.
FAMILIES: Mapping[str, frozenset[MarkKind]] = MappingProxyType(
    {
        "RIMS": frozenset((MarkKind.RIM,)),
        "SHAPES": frozenset((MarkKind.HALO, MarkKind.BRACKET)),
        "LINES": _LINE_KINDS,
        "RINGS": frozenset(
            (MarkKind.RING, MarkKind.CIRCLE, MarkKind.DASHED, MarkKind.FLAT_DASHED, MarkKind.CROSS)
        ),
        "BOWS": frozenset((MarkKind.ARC,)),
        "GLYPHS": _PIXEL_KINDS - {MarkKind.NUMBER},
        "NUMBERS": frozenset((MarkKind.NUMBER,)),
    }
)
_EAST, _NORTH = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
_CHEVRON = (11.0, 18.0)  # smallest and largest size in logical pixels
_HEAD = 4.0  # length of the head of a bow, in widths of its stroke


def marks(
    items: Sequence[Mark], found: Balls, camera: Camera, width: int, height: int, scale: float
) -> tuple[Floats, Floats]:
    """The rows (n, MARK) of ``items``, and the spheres (m, 4) that cover them."""
    rows = np.zeros((len(items), MARK), dtype=np.float32)
    if not items:
        return rows, np.zeros((1, 4), np.float32)
    eye = camera.eye(width / height)
    solid = found.rows[(found.rows[:, 7] > 0.5) & ~found.glass][:, :4].astype(np.float64)
    right, up, _ = camera.axes()
    at = np.array([mark.at for mark in items])
    spots, depth = camera.project(at, width, height)
    pixel = 1.0 / camera.pixels(1.0, depth, height)  # world units a pixel, at each mark
    ends, depth_to = camera.project(np.array([mark.to for mark in items]), width, height)
    pixel_to = 1.0 / camera.pixels(1.0, depth_to, height)
    long = np.linalg.norm(ends - spots, axis=1)  # of lines, in pixels
    sizes = np.array([mark.size for mark in items])
    reach = np.zeros(len(items))  # how far each mark extends, and how far of this towards the eye
    toward = np.zeros(len(items))
    for i, mark in enumerate(items):
        unit, size = float(pixel[i]), mark.size
        edge = (mark.width / 2 + 3.0) * scale * unit
        middle = at[i]
        if mark.kind in _LINE_KINDS:
            end = np.array(mark.to)
            along = (end - middle) / 2
            middle = middle + along
            aside = _cross(along, eye - middle)
            half = (mark.size + (8.0 if mark.kind is MarkKind.BROKEN else 2.0)) * scale
            across, upward = along, aside * (half * unit / max(math.sqrt(float(aside @ aside)), 1e-9))
            extent = (float(long[i]) / 2, half)
            reach[i] = half * unit
        elif mark.kind is MarkKind.ARC:
            size = _HEAD * mark.width
            rims = RADIUS / unit, RADIUS / float(pixel_to[i])
            begin, bend, end = bow(spots[i], ends[i], rims, scale)
            middle, across, upward = (
                (right * x - up * y) * unit for x, y in (begin - spots[i], bend - begin, end - begin)
            )
            middle = middle + at[i]
            extent = unit, (size + mark.width) * scale
            reach[i] = (float(long[i]) + size) * unit
        elif mark.kind in _PIXEL_KINDS:
            flat_right, flat_up = right, up
            if mark.kind is MarkKind.CHEVRON:
                size = min(max(mark.size / unit / scale, _CHEVRON[0]), _CHEVRON[1])
                if long[i] > 1e-6:
                    x, y = (ends[i] - spots[i]) / long[i]
                    flat_right, flat_up = right * x - up * y, right * y + up * x
            half = (size + 4.0) * scale
            across, upward, extent = flat_right * (half * unit), flat_up * (half * unit), (half, half)
            reach[i] = half * unit
        elif mark.kind in _FLAT_KINDS:
            # Seen at a slant a stroke of constant width on the screen is wide on the board.
            to = eye - middle
            half = mark.size + edge / max(float(to[2]) / math.sqrt(float(to @ to)), 0.2)
            across, upward, extent = half * _EAST, half * _NORTH, (half, half)
            reach[i] = toward[i] = mark.size + 4.0 * scale * unit
        else:
            # A sphere looks a little larger than a disc through its centre.
            to = middle - eye
            away = math.sqrt(float(to @ to))
            wide = mark.size * away / max(away * away - mark.size * mark.size, 1e-9) ** 0.5
            half = wide + edge
            flat_right = _cross(to, up)
            flat_right = flat_right / math.sqrt(float(flat_right @ flat_right))
            flat_up = _cross(flat_right, to / away)
            across, upward = flat_right * half, flat_up * half
            extent = (half * mark.size / wide, half * mark.size / wide)
            reach[i] = mark.size + 4.0 * scale * unit
        sizes[i] = size
        rows[i, :3], rows[i, 3], rows[i, 4:7], rows[i, 7:10] = middle, mark.width, across, upward
        rows[i, 10:12], rows[i, 13], rows[i, 14:17] = extent, float(mark.kind), rgb(mark.colour)
        begin_ = mark.number if mark.kind is MarkKind.NUMBER else mark.begin
        rows[i, 17:20] = mark.alpha, begin_, mark.part
    rows[:, 12] = sizes
    over = np.array([mark.over for mark in items])
    hiding = _covering(solid, eye, at, reach, toward) & ~over[:, None]
    count = hiding.sum(axis=1)
    rows[:, 20], rows[:, 21] = np.cumsum(count) - count, count
    joined = solid[np.nonzero(hiding)[1]].astype(np.float32)
    return rows, joined if len(joined) else np.zeros((1, 4), np.float32)


def bow(start: Array, end: Array, rims: tuple[float, float], scale: float) -> tuple[Array, Array, Array]:
    """The curve of a bow in pixels, y downward: its begin, the point it bends towards, its end.

    It runs between the marbles at ``start`` and ``end``, whose radii are ``rims``, from rim to rim, and bows to the
    side that is higher in the picture by a third of the way, at least so far that it clears the marbles.
    """
    way = end - start
    long = math.sqrt(float(way @ way))
    if long < 1e-6:
        way, long = np.array([1e-6, 0.0]), 1e-6
    upward = np.array([way[1], -way[0]]) / long
    if upward[1] > 1e-6:  # straight up it bows to the left, straight down to the right
        upward = -upward
    bend = (start + end) / 2 + upward * max(0.66 * long, 3.0 * max(rims))
    t = np.linspace(0.0, 1.0, 129)[:, None]
    curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * bend + t * t * end
    off = [
        np.hypot(*(curve - middle).T) > rim + scale for middle, rim in zip((start, end), rims, strict=True)
    ]
    first, last = float(t[off[0].argmax(), 0]), 1.0 - float(t[off[1][::-1].argmax(), 0])

    def at(a: float, b: float) -> Array:
        result: Array = (1 - a) * (1 - b) * start + (a * (1 - b) + b * (1 - a)) * bend + a * b * end
        return result

    return at(first, first), at(first, last), at(last, last)


def _cross(a: Array, b: Array) -> Array:
    """The vector product of two single vectors, without the detours of numpy's."""
    return np.array(
        (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]), dtype=np.float64
    )


def _covering(solid: Array, eye: Array, at: Array, reach: Array, toward: Array) -> NDArray[np.bool_]:
    """Which spheres (m) may cover each mark (n): nearer than it and overlapping it, less the one around it."""
    to, way = solid[:, :3] - eye, at - eye
    away = np.sqrt(np.einsum("ij,ij->i", way, way))
    along = (way / away[:, None]) @ to.T
    off = np.sqrt(np.maximum(np.einsum("ij,ij->i", to, to) - along * along, 0.0))
    apart = solid[None, :, :3] - at[:, None, :]
    own = np.einsum("ijk,ijk->ij", apart, apart) < (0.8 * solid[:, 3]) ** 2
    near = along - solid[:, 3] < (away + toward)[:, None]
    result: NDArray[np.bool_] = (off < solid[:, 3] + reach[:, None]) & near & ~own
    return result
