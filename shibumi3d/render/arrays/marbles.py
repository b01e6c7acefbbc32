"""Vertex arrays of marbles: colours, materials, neighbours and shadow casters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shibumi3d.render.arrays import Floats
from shibumi3d.render.lighting import WINDOW_DIRECTION, WINDOW_HALF_ANGLE_RADIANS, room_light
from shibumi3d.scene.frame import Ball, Board
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, LEVEL_HEIGHT, RADIUS, TABLE_Z, Array
from shibumi3d.scene.palette import Theme, linear_rgb

MAX_CASTERS_PER_BALL = 8  # maximum number of neighbours that can shade a marble
FLOATS_PER_BALL = 55  # floats per marble: see ball.glsl
FLOATS_PER_SPHERE_SHADOW = 9  # floats per shadow: see splat.glsl
MAX_NEIGHBOURS = 16  # maximum number of neighbours that rays from a marble can hit: see rays.glsl
MAX_REFLECTED_BALLS = 32  # maximum number of marbles reflected in one part of a board: see board.glsl
_MAX_CONTACT_GAP = 0.25  # gap up to which a neighbour still blocks light

_BOUNCE_COLUMNS, _RECOLOUR_COLUMNS, _RECOLOUR_DIRECTION_COLUMNS, _ROLL_COLUMNS = (
    slice(32, 44),
    slice(44, 48),
    slice(48, 51),
    slice(51, 55),
)  # columns of BallArrays.rows
_MAX_BOUNCE_DISTANCE = 2.1  # maximum distance of neighbours whose colour is reflected onto a marble

# Highlight, roughness, bands and speckles by colour: shell, stone, glazed clay, then glass.
_MATERIALS = (
    (0.30, 0.50, 0.030, 0.0),
    (0.20, 0.375, 0.0, 0.0),
    (0.34, 0.175, 0.0, 0.05),
    (0.42, 0.175, 0.0, 0.0),
    (0.42, 0.175, 0.0, 0.0),
    (0.38, 0.175, 0.0, 0.02),
)
_TRANSPARENCY = (0.0, 0.0, 0.0, 0.7, 0.7, 0.5)  # transparency by colour; 0 = not glass
_DEFAULT_MATERIAL = (0.15, 0.5, 0.0, 0.0)

# Directions to the twelve neighbours that a marble can touch, in the order of ball.glsl.
_CONTACT_DIRECTIONS: Floats = np.array(
    [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)]
    + [(x, y, z) for z in (LEVEL_HEIGHT, -LEVEL_HEIGHT) for y in (0.5, -0.5) for x in (0.5, -0.5)],
    dtype=np.float32,
)


@dataclass(frozen=True, slots=True)
class BallArrays:
    """Vertex arrays for the marbles of a frame.

    All indices refer to the marbles in the order of the frame.
    """

    rows: Floats  # (n, FLOATS_PER_BALL)
    light_blockers: Floats  # (m, 4): centre and opacity of marbles that shade others
    shadow_casters: Floats  # (k, FLOATS_PER_SPHERE_SHADOW) of marbles that cast shadows
    visible: NDArray[np.int64]  # indices of the marbles that are not hidden from every side
    is_bead: NDArray[np.bool_]  # (n,) whether each is a bead
    window_fraction: Floats  # (n,) fraction of the window visible from the centre of each


def _transparency(colour: int) -> float:
    return _TRANSPARENCY[colour] if 0 <= colour < len(_TRANSPARENCY) else 0.0


def _material_values(ball: Ball, theme: Theme) -> tuple[float, ...]:
    """Return the values that describe a marble's material.

    In order: the colour (linear RGB), the opacity, four values as in :data:`_MATERIALS`, the new colour, and the
    fraction recoloured.
    """
    colour = np.array(
        [linear_rgb(theme.marble_colour(ball.colour)), linear_rgb(theme.marble_colour(ball.new_colour))]
    )
    material = np.array(_MATERIALS[ball.colour] if 0 <= ball.colour < len(_MATERIALS) else _DEFAULT_MATERIAL)
    if ball.recoloured_fraction > 0.0:
        other = np.array(
            _MATERIALS[ball.new_colour] if 0 <= ball.new_colour < len(_MATERIALS) else _DEFAULT_MATERIAL
        )
        material = material + (other - material) * ball.recoloured_fraction
    if ball.saturation < 1.0:
        # Dimmed: blend towards grey mixed with the colour of the table.
        grey = np.array(linear_rgb(theme.table_colour)) * 0.45 + np.array(linear_rgb("#808080")) * 0.25
        colour = grey + (colour - grey) * ball.saturation
        material = material * ball.saturation
    return (*colour[0], ball.alpha, *material, *colour[1], ball.recoloured_fraction)


def make_ball_arrays(
    balls: Sequence[Ball], boards: Sequence[Board], theme: Theme, glass_is_clear: bool = False
) -> BallArrays:
    """Return the vertex arrays for ``balls``.

    If ``glass_is_clear`` is set, marbles of a glass colour are transparent.
    """
    count = len(balls)
    rows = np.zeros((count, FLOATS_PER_BALL), dtype=np.float32)
    if count == 0:
        none, nothing = np.zeros(0, np.int64), np.zeros(0, np.float32)
        return BallArrays(
            rows,
            np.zeros((1, 4), np.float32),
            np.zeros((0, FLOATS_PER_SPHERE_SHADOW), np.float32),
            none,
            none.astype(bool),
            nothing,
        )
    data = np.array([ball[:13] for ball in balls], dtype=np.float32)
    centre, radius, alpha, beads = data[:, :3], data[:, 4], data[:, 5], data[:, 12] > 0.5
    rows[:, :3], rows[:, 3] = centre, radius
    shades: dict[tuple[float, ...], tuple[float, ...]] = {}
    found: list[tuple[float, ...]] = []
    for ball in balls:
        key = ball.colour, ball.alpha, ball.saturation, ball.new_colour, ball.recoloured_fraction
        if key not in shades:
            shades[key] = _material_values(ball, theme)
        found.append(shades[key])
    shade = np.array(found, dtype=np.float32)
    hair = 1.0 + 0.02 * data[:, 8:9]
    rows[:, 4:12], rows[:, _RECOLOUR_COLUMNS] = shade[:, :8], shade[:, 8:]
    rows[:, 4:7] *= hair
    rows[:, _RECOLOUR_COLUMNS.start : _RECOLOUR_COLUMNS.start + 3] *= hair
    rows[:, _RECOLOUR_DIRECTION_COLUMNS] = [ball.recolour_direction for ball in balls]
    rows[:, _ROLL_COLUMNS] = [ball.roll for ball in balls]
    rows[:, 12], rows[:, 13], rows[:, 14] = data[:, 9], data[:, 7], beads
    if glass_is_clear:
        clear = [
            _transparency(ball.colour) * (1.0 - ball.recoloured_fraction)
            + _transparency(ball.new_colour) * ball.recoloured_fraction
            for ball in balls
        ]
        rows[:, 14] = np.where(beads, 1.0, clear)
    rows[:, 15], rows[:, 31] = TABLE_Z, np.arange(count)
    shown = np.where(data[:, 11] > 0.5, data[:, 10], data[:, 3])
    rows[:, 30] = np.where((shown >= 0) & (shown < len(_MATERIALS)) & ~beads, shown + 1, 0)
    for board in boards:
        half = board.half_side
        on = (np.abs(centre[:, 0] - board.x) < half) & (np.abs(centre[:, 1] - board.y) < half)
        rows[on, 15] = BOARD_TOP_Z

    weight = np.where(beads, 0.0, alpha).astype(np.float32)
    x, y, z = np.ascontiguousarray(centre.T)
    dx, dy, dz = (axis[None, :] - axis[:, None] for axis in (x, y, z))  # [i, j]: from i to j
    square = dx * dx + dy * dy + dz * dz
    shown = _write_contacts(rows, dx, dy, dz, square, weight)
    splats = _shadow_casters(rows[shown], weight[shown])
    # Glass lets some of the light through.
    through = weight * (1.0 - 0.6 * rows[:, 14])
    casters, lit = _find_light_blockers(rows, dx, dy, dz, square, through, shown)
    _write_bounced_light(rows, dx, dy, dz, square, weight * lit, theme)
    return BallArrays(rows, casters, splats, shown, beads, lit)


def _write_contacts(
    rows: Floats, dx: Floats, dy: Floats, dz: Floats, square: Floats, weight: Floats
) -> NDArray[np.int64]:
    """Write into ``rows`` how close the neighbours of each marble are; return the indices of the visible marbles.

    A marble is invisible from above the table if four marbles rest on it and another one rests on those four. The
    vector from marble i to marble j is (``dx[i, j]``, ``dy[i, j]``, ``dz[i, j]``), and ``square[i, j]`` is its squared
    length. ``weight`` (n,) is the opacity of each marble, or 0 for beads.
    """
    i, j = np.nonzero(square < 4 * LEVEL_HEIGHT * LEVEL_HEIGHT + 0.02)
    apart = np.column_stack([dx[i, j], dy[i, j], dz[i, j]])
    away = np.sqrt(square[i, j])
    over = np.zeros(len(rows), dtype=bool)
    over[i[np.abs(apart[:, 2] - 2 * LEVEL_HEIGHT) < 0.02]] = True
    near = (away < 1.0 + _MAX_CONTACT_GAP) & (away > 0.1) & (weight[j] > 0)
    i, j, apart, away = i[near], j[near], apart[near], away[near]
    if len(i):
        aligned = np.einsum("ij,kj->ik", apart, _CONTACT_DIRECTIONS) / away[:, None]
        falloff = np.clip((1.0 + _MAX_CONTACT_GAP - away) / _MAX_CONTACT_GAP, 0.0, 1.0) * weight[j]
        strength = np.clip((aligned - 0.80) / 0.20, 0.0, 1.0) * falloff[:, None]
        first = np.flatnonzero(np.diff(i, prepend=-1))
        rows[i[first], 16:28] = np.maximum.reduceat(strength, first)
    return np.flatnonzero(~((rows[:, 20:24] > 0.98).all(axis=1) & over))


def _find_light_blockers(
    rows: Floats,
    dx: Floats,
    dy: Floats,
    dz: Floats,
    square: Floats,
    weight: Floats,
    shown: NDArray[np.int64],
) -> tuple[Floats, Floats]:
    """Return the marbles that block light from the window, and how much of the window each marble sees.

    The first array (m, 4) holds the centre of each blocking marble and the fraction of light that it blocks. Its rows
    form groups, one for each marble in ``shown`` (the indices of the visible marbles) whose light is blocked. A group
    contains at most ``MAX_CASTERS_PER_BALL`` blockers of that marble; the most important ones, near the line from the
    marble to the window, come first. The start and length of each group are written to ``rows``. If no light is
    blocked, the array is a single row of zeros.

    The second array (n,) is the fraction of the window that is visible from the centre of each marble, or 0 for marbles
    that are not shown. ``weight`` (n,) is the fraction of light that each marble blocks; ``dx``, ``dy``, ``dz`` and
    ``square`` are as in :func:`_write_contacts`.
    """
    lit = np.zeros(len(rows), dtype=np.float32)
    lit[shown] = 1.0
    sun = WINDOW_DIRECTION.astype(np.float32)
    along = dx[shown] * sun[0] + dy[shown] * sun[1] + dz[shown] * sun[2]
    reach = 1.05 + 0.17 * along
    aside = square[shown] - along * along
    i, j = np.nonzero((along > 0.05) & (along < 5.0) & (aside < reach * reach) & (weight > 0.02))
    if not len(i):
        return np.zeros((1, 4), np.float32), lit
    # Marbles nearest to the line to the window matter most.
    far, off = along[i, j], np.sqrt(np.maximum(aside[i, j], 0.0))
    score = off - 0.12 / far
    order = np.lexsort((score, i))
    i, j, far, off = i[order], j[order], far[order], off[order]
    first = np.flatnonzero(np.diff(i, prepend=-1))
    count = np.diff(first, append=len(i))
    soft = 0.05 + WINDOW_HALF_ANGLE_RADIANS * far
    seen = np.clip((off - RADIUS + soft) / (2 * soft), 0.0, 1.0)
    seen *= seen * (3.0 - 2.0 * seen)
    lit[shown[i[first]]] = np.multiply.reduceat(1.0 - (1.0 - seen) * weight[j], first)
    rank = np.arange(len(i)) - np.repeat(first, count)
    kept = rank < MAX_CASTERS_PER_BALL
    count = np.minimum(count, MAX_CASTERS_PER_BALL)
    rows[shown[i[first]], 28], rows[shown[i[first]], 29] = np.cumsum(count) - count, count
    j = j[kept]
    return np.column_stack([rows[j, :3], weight[j]]).astype(np.float32), lit


def _write_bounced_light(
    rows: Floats, dx: Floats, dy: Floats, dz: Floats, square: Floats, lit: Floats, theme: Theme
) -> None:
    """Write into ``rows`` the light that each marble receives from its neighbours.

    The light of each channel (red, green and blue) is written as a vector towards its sources and the amount that comes
    from all sides. ``lit`` (n,) is the opacity of each marble times the fraction of the window that it sees, or 0 for
    beads. ``dx``, ``dy``, ``dz`` and ``square`` are as in :func:`_write_contacts`.
    """
    i, j = np.nonzero((square < _MAX_BOUNCE_DISTANCE * _MAX_BOUNCE_DISTANCE) & (square > 0.04) & (lit > 0.0))
    if not len(i):
        return
    lights, away = room_light(theme), np.sqrt(square[i, j])
    way = np.column_stack([dx[i, j], dy[i, j], dz[i, j]]) / away[:, None]
    facing = np.clip(0.34 - 0.6 * (way @ WINDOW_DIRECTION.astype(np.float32)), 0.0, 1.0) * lit[j]
    dyed = rows[:, _RECOLOUR_COLUMNS.stop - 1 : _RECOLOUR_COLUMNS.stop]
    colour = (
        rows[:, 4:7] * (1.0 - dyed) + rows[:, _RECOLOUR_COLUMNS.start : _RECOLOUR_COLUMNS.start + 3] * dyed
    )
    thrown = colour[j] * (
        facing[:, None] * np.array(lights.key, np.float32) + 0.35 * np.array(lights.sky, np.float32)
    )
    thrown *= (0.42 / away**3)[:, None]
    towards = np.column_stack([way / 2, np.full(len(i), 0.25, dtype=np.float32)])
    first = np.flatnonzero(np.diff(i, prepend=-1))
    all_ = np.add.reduceat((thrown[:, :, None] * towards[:, None, :]).reshape(-1, 12), first)
    rows[i[first], _BOUNCE_COLUMNS] = all_


def _shadow_casters(rows: Floats, weight: Floats) -> Floats:
    """Return the shadow casters (k, FLOATS_PER_SPHERE_SHADOW) among the marbles in ``rows``.

    ``weight`` (n,) is the opacity of each marble, or 0 for beads. Hidden marbles can be left out of ``rows``, because
    they lie in the shadow of others.
    """
    cast = weight > 0.02
    return np.column_stack([rows[cast, :4], weight[cast], rows[cast, 4:7], rows[cast, 14]]).astype(np.float32)


def make_depth_discs(balls: BallArrays, eye: Array, pixel_angle: float) -> Floats:
    """Return discs inside the outlines of the visible opaque marbles, as rows (n, 4) of centre and radius.

    The discs face the camera at ``eye``. ``pixel_angle`` is the width of a pixel at distance 1. Beads, and marbles that
    look no larger than a pixel or two, have no disc.
    """
    rows = balls.rows[balls.visible].astype(np.float64)
    rows = rows[(rows[:, 7] >= 1.0) & ~balls.is_bead[balls.visible], :4]
    to = rows[:, :3] - eye
    square = np.einsum("ij,ij->i", to, to)
    # In perspective, a sphere looks slightly larger than a disc through its centre.
    wide = rows[:, 3] * np.sqrt(square / (square - rows[:, 3] ** 2))
    rows[:, 3] = 0.97 * wide - pixel_angle * np.sqrt(square)
    return rows[rows[:, 3] > 0.0].astype(np.float32)


def make_neighbour_table(balls: BallArrays) -> Floats:
    """Return the marbles near each visible marble as an array (n, 2 * MAX_NEIGHBOURS, 4), nearest first.

    Each nearby marble takes two entries: its sphere (centre and radius), then its colour and the fraction of the window
    that it sees. Beads and faint marbles are left out. Unused entries, and those of hidden marbles, have radius 0.
    """
    rows = balls.rows
    result = np.zeros((len(rows), 2 * MAX_NEIGHBOURS, 4), dtype=np.float32)
    around = balls.visible[(rows[balls.visible, 14] < 1.0) & (rows[balls.visible, 7] > 0.5)]
    if not len(around):
        return result
    apart = rows[around, :3][None] - rows[balls.visible, :3][:, None]
    square = np.einsum("ijk,ijk->ij", apart, apart)
    square[square < 0.01] = np.inf
    most = min(MAX_NEIGHBOURS, len(around))
    which = np.argpartition(square, most - 1, axis=1)[:, :most]
    away = np.take_along_axis(square, which, axis=1)
    order = np.argsort(away, axis=1)
    which, away = np.take_along_axis(which, order, axis=1), np.take_along_axis(away, order, axis=1)
    spheres = rows[around[which], :4] * np.isfinite(away)[:, :, None]
    lights = np.concatenate([rows[around[which], 4:7], balls.window_fraction[around[which], None]], axis=2)
    result[balls.visible, 0 : 2 * most : 2], result[balls.visible, 1 : 2 * most : 2] = spheres, lights
    return result


def make_reflection_table(balls: BallArrays, board: Board) -> Floats:
    """Return the marbles that may be reflected in the top of ``board``.

    The shape is (parts * parts, 2 * MAX_REFLECTED_BALLS, 4). The board is divided into parts of about two by two holes,
    row by row from the south-west corner. Each part lists the marbles nearest to it, nearest first. Each marble takes
    two entries: the sphere, then its colour and the fraction of the window that it sees. Beads, faint marbles and
    marbles beside the board are left out. Unused entries have radius 0.
    """
    rows, half, parts = balls.rows, board.half_side, (board.size + 1) // 2
    result = np.zeros((parts * parts, 2 * MAX_REFLECTED_BALLS, 4), dtype=np.float32)
    apart = np.abs(rows[:, :2] - (board.x, board.y)).max(axis=1)
    seen = balls.visible[((rows[:, 14] < 1.0) & (rows[:, 7] > 0.5) & (apart < half))[balls.visible]]
    if not len(seen):
        return result
    middles = ((np.arange(parts) + 0.5) / parts * 2.0 - 1.0) * half
    places = np.array(
        [(board.x + x, board.y + y, BOARD_TOP_Z) for y in middles for x in middles], dtype=np.float32
    )
    away = places[:, None] - rows[seen, :3][None]
    order = np.argsort(np.einsum("ijk,ijk->ij", away, away), axis=1)[:, :MAX_REFLECTED_BALLS]
    most = order.shape[1]
    result[:, 0 : 2 * most : 2] = rows[seen[order], :4]
    result[:, 1 : 2 * most : 2] = np.concatenate(
        [rows[seen[order], 4:7], balls.window_fraction[seen[order], None]], axis=2
    )
    return result
