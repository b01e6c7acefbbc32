"""Marbles: their colours and materials, what stands around them, the shadows they throw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shibumi3d.render.arrays import Floats
from shibumi3d.render.room import SPREAD, SUN, light
from shibumi3d.scene.frame import Ball, Board
from shibumi3d.scene.marbles.layout import RADIUS, RISE, TABLE, TOP, Array
from shibumi3d.scene.palette import Theme, linear

CASTERS = 8  # as many neighbours at most keep the window from a marble
BALL = 55  # floats a marble: see ball.glsl
SPLAT = 9  # floats a shadow: see splat.glsl
NEAR = 16  # as many neighbours at most are met by rays from a marble: see rays.glsl
MIRRORED = 32  # as many marbles at most are mirrored in a part of a board: see board.glsl
_REACH = 0.25  # how far beyond touching a neighbour still takes light

_THROWN, _DYE, _SOURCE, _ROLL = slice(32, 44), slice(44, 48), slice(48, 51), slice(51, 55)  # columns of rows
_NEIGHBOURS = 2.1  # how far away neighbours are whose colour is seen on a marble

# Highlight, roughness, bands, speckles of each colour: shell, stone, glazed clay, then glass.
_MATERIALS = (
    (0.30, 0.50, 0.030, 0.0),
    (0.20, 0.375, 0.0, 0.0),
    (0.34, 0.175, 0.0, 0.05),
    (0.42, 0.175, 0.0, 0.0),
    (0.42, 0.175, 0.0, 0.0),
    (0.38, 0.175, 0.0, 0.02),
)
_CLEAR = (0.0, 0.0, 0.0, 0.7, 0.7, 0.5)  # how clear the glass of each colour is; 0: not glass
_PLAIN = (0.15, 0.5, 0.0, 0.0)

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
    glass: NDArray[np.bool_]  # beads
    lit: Floats  # (n,) how much of the window the middle of each sees


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


def balls(items: Sequence[Ball], boards: Sequence[Board], theme: Theme, glass: bool = False) -> Balls:
    """Return the arrays of ``items``. With ``glass`` the colours that are of glass can be seen through."""
    count = len(items)
    rows = np.zeros((count, BALL), dtype=np.float32)
    if count == 0:
        none, nothing = np.zeros(0, np.int64), np.zeros(0, np.float32)
        return Balls(
            rows,
            np.zeros((1, 4), np.float32),
            np.zeros((0, SPLAT), np.float32),
            none,
            none.astype(bool),
            nothing,
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
    rows[:, 4:12], rows[:, _DYE] = shade[:, :8], shade[:, 8:]
    rows[:, 4:7] *= hair
    rows[:, _DYE.start : _DYE.start + 3] *= hair
    rows[:, _SOURCE] = [ball.source for ball in items]
    rows[:, _ROLL] = [ball.roll for ball in items]
    rows[:, 12], rows[:, 13], rows[:, 14] = data[:, 9], data[:, 7], beads
    if glass:
        clear = [_clear(ball.colour) * (1.0 - ball.dye) + _clear(ball.into) * ball.dye for ball in items]
        rows[:, 14] = np.where(beads, 1.0, clear)
    rows[:, 15], rows[:, 31] = TABLE, np.arange(count)
    shown = np.where(data[:, 11] > 0.5, data[:, 10], data[:, 3])
    rows[:, 30] = np.where((shown >= 0) & (shown < len(_MATERIALS)) & ~beads, shown + 1, 0)
    for board in boards:
        half = board.half
        on = (np.abs(centre[:, 0] - board.x) < half) & (np.abs(centre[:, 1] - board.y) < half)
        rows[on, 15] = TOP

    weight = np.where(beads, 0.0, alpha).astype(np.float32)
    x, y, z = np.ascontiguousarray(centre.T)
    dx, dy, dz = (axis[None, :] - axis[:, None] for axis in (x, y, z))  # [i, j]: from i to j
    square = dx * dx + dy * dy + dz * dz
    shown = _beside(rows, dx, dy, dz, square, weight)
    splats = _splats(rows[shown], weight[shown])
    # A part of the light falls through glass.
    through = weight * (1.0 - 0.6 * rows[:, 14])
    casters, lit = _casters(rows, dx, dy, dz, square, through, shown)
    _throw(rows, dx, dy, dz, square, weight * lit, theme)
    return Balls(rows, casters, splats, shown, beads, lit)


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
    weight: Floats,
    shown: NDArray[np.int64],
) -> tuple[Floats, Floats]:
    """Which marbles stand between each that is shown and the window, the nearest first.

    The second array (n,) is how much of the window the middle of each marble sees: 0 for those not shown.
    """
    lit = np.zeros(len(rows), dtype=np.float32)
    lit[shown] = 1.0
    sun = SUN.astype(np.float32)
    along = dx[shown] * sun[0] + dy[shown] * sun[1] + dz[shown] * sun[2]
    reach = 1.05 + 0.17 * along
    aside = square[shown] - along * along
    i, j = np.nonzero((along > 0.05) & (along < 5.0) & (aside < reach * reach) & (weight > 0.02))
    if not len(i):
        return np.zeros((1, 4), np.float32), lit
    # Those nearest to the line to the window matter most.
    far, off = along[i, j], np.sqrt(np.maximum(aside[i, j], 0.0))
    score = off - 0.12 / far
    order = np.lexsort((score, i))
    i, j, far, off = i[order], j[order], far[order], off[order]
    first = np.flatnonzero(np.diff(i, prepend=-1))
    count = np.diff(first, append=len(i))
    soft = 0.05 + SPREAD * far
    seen = np.clip((off - RADIUS + soft) / (2 * soft), 0.0, 1.0)
    seen *= seen * (3.0 - 2.0 * seen)
    lit[shown[i[first]]] = np.multiply.reduceat(1.0 - (1.0 - seen) * weight[j], first)
    rank = np.arange(len(i)) - np.repeat(first, count)
    kept = rank < CASTERS
    count = np.minimum(count, CASTERS)
    rows[shown[i[first]], 28], rows[shown[i[first]], 29] = np.cumsum(count) - count, count
    j = j[kept]
    return np.column_stack([rows[j, :3], weight[j]]).astype(np.float32), lit


def _throw(
    rows: Floats, dx: Floats, dy: Floats, dz: Floats, square: Floats, lit: Floats, theme: Theme
) -> None:
    """Writes what light neighbours throw on each marble: red, green and blue, by direction and from all around.

    ``lit`` (n,) is how much of the window each sees, 0 for those that throw none.
    """
    i, j = np.nonzero((square < _NEIGHBOURS * _NEIGHBOURS) & (square > 0.04) & (lit > 0.0))
    if not len(i):
        return
    lights, away = light(theme), np.sqrt(square[i, j])
    way = np.column_stack([dx[i, j], dy[i, j], dz[i, j]]) / away[:, None]
    facing = np.clip(0.34 - 0.6 * (way @ SUN.astype(np.float32)), 0.0, 1.0) * lit[j]
    dyed = rows[:, _DYE.stop - 1 : _DYE.stop]
    colour = rows[:, 4:7] * (1.0 - dyed) + rows[:, _DYE.start : _DYE.start + 3] * dyed
    thrown = colour[j] * (
        facing[:, None] * np.array(lights.key, np.float32) + 0.35 * np.array(lights.sky, np.float32)
    )
    thrown *= (0.42 / away**3)[:, None]
    towards = np.column_stack([way / 2, np.full(len(i), 0.25, dtype=np.float32)])
    first = np.flatnonzero(np.diff(i, prepend=-1))
    all_ = np.add.reduceat((thrown[:, :, None] * towards[:, None, :]).reshape(-1, 12), first)
    rows[i[first], _THROWN] = all_


def _splats(rows: Floats, weight: Floats) -> Floats:
    """Spheres and alphas of the marbles that throw shadows; those that no eye sees stand in the dark anyway."""
    cast = weight > 0.02
    return np.column_stack([rows[cast, :4], weight[cast], rows[cast, 4:7], rows[cast, 14]]).astype(np.float32)


def cores(found: Balls, eye: Array, pixel: float) -> Floats:
    """Return the middles of marbles that nothing is seen through (n, 4), and the radii of discs inside their edges.

    ``pixel`` is how wide one is at the distance 1.
    """
    rows = found.rows[found.shown].astype(np.float64)
    rows = rows[(rows[:, 7] >= 1.0) & ~found.glass[found.shown], :4]
    to = rows[:, :3] - eye
    square = np.einsum("ij,ij->i", to, to)
    # A sphere looks a little larger than a disc through its centre.
    wide = rows[:, 3] * np.sqrt(square / (square - rows[:, 3] ** 2))
    rows[:, 3] = 0.97 * wide - pixel * np.sqrt(square)
    return rows[rows[:, 3] > 0.0].astype(np.float32)


def near(found: Balls) -> Floats:
    """Return what stands around each marble (n, 2 * NEAR, 4), the nearest first: sphere; colour and how lit it is.

    A radius of 0 ends a line that is shorter.
    """
    rows = found.rows
    result = np.zeros((len(rows), 2 * NEAR, 4), dtype=np.float32)
    around = found.shown[(rows[found.shown, 14] < 1.0) & (rows[found.shown, 7] > 0.5)]
    if not len(around):
        return result
    apart = rows[around, :3][None] - rows[found.shown, :3][:, None]
    square = np.einsum("ijk,ijk->ij", apart, apart)
    square[square < 0.01] = np.inf
    most = min(NEAR, len(around))
    which = np.argpartition(square, most - 1, axis=1)[:, :most]
    away = np.take_along_axis(square, which, axis=1)
    order = np.argsort(away, axis=1)
    which, away = np.take_along_axis(which, order, axis=1), np.take_along_axis(away, order, axis=1)
    spheres = rows[around[which], :4] * np.isfinite(away)[:, :, None]
    lights = np.concatenate([rows[around[which], 4:7], found.lit[around[which], None]], axis=2)
    result[found.shown, 0 : 2 * most : 2], result[found.shown, 1 : 2 * most : 2] = spheres, lights
    return result


def mirrored(found: Balls, board: Board) -> Floats:
    """Return what the coat of ``board`` may mirror (parts * parts, 2 * MIRRORED, 4): spheres; colours and how lit
    they are.

    The board is cut into parts of two by two holes, from its south-western corner, each with the marbles nearest to
    it, the nearest first. A radius of 0 ends a line that is shorter.
    """
    rows, half, parts = found.rows, board.half, (board.size + 1) // 2
    result = np.zeros((parts * parts, 2 * MIRRORED, 4), dtype=np.float32)
    apart = np.abs(rows[:, :2] - (board.x, board.y)).max(axis=1)
    seen = found.shown[((rows[:, 14] < 1.0) & (rows[:, 7] > 0.5) & (apart < half))[found.shown]]
    if not len(seen):
        return result
    middles = ((np.arange(parts) + 0.5) / parts * 2.0 - 1.0) * half
    places = np.array([(board.x + x, board.y + y, TOP) for y in middles for x in middles], dtype=np.float32)
    away = places[:, None] - rows[seen, :3][None]
    order = np.argsort(np.einsum("ijk,ijk->ij", away, away), axis=1)[:, :MIRRORED]
    most = order.shape[1]
    result[:, 0 : 2 * most : 2] = rows[seen[order], :4]
    result[:, 1 : 2 * most : 2] = np.concatenate(
        [rows[seen[order], 4:7], found.lit[seen[order], None]], axis=2
    )
    return result
