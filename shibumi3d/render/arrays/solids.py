"""Vertex arrays of solids and cards: meshes of shapes, a row for each item, and shadows."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.pieces import FLOATS_PER_BLOCK_SHADOW
from shibumi3d.scene.frame import BOWL_FLOOR, COIN_FIELD, DIE_BEVEL, FINISHES, Card, Solid
from shibumi3d.scene.marbles.layout import TABLE_Z, Array
from shibumi3d.scene.palette import linear_rgb

FLOATS_PER_SOLID = 25  # floats per solid: see solid.glsl
FLOATS_PER_CARD = 29  # floats per card: see card.glsl
_SIDES = {"disc": 48, "octagon": 8, "box": 4}
_BALL_RINGS = 12
_DIE_STEPS = 2  # segments from the middle of a die's rounded edge to its side
_DIE_SIDES = tuple(
    np.array(turn, dtype=np.float64)
    for turn in (
        ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
        ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
        ((0, 0, -1), (-1, 0, 0), (0, 1, 0)),
        ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
        ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    )
)
"""Matrices (3, 3) that rotate the upper side of a die to each of its sides."""
_RAIL_STEPS = 3  # segments from the side of a rail to its top
_TURNED_SIDES = {"coin": 20, "bowl": 48}
_TURNED_SECTIONS = {
    "coin": ((0.0, COIN_FIELD[1]), COIN_FIELD, (0.88, 1.0), (1.0, 0.78), (1.0, 0.0)),
    "bowl": (
        *((0.0, BOWL_FLOOR[1]), BOWL_FLOOR, (0.86, 0.5), (0.92, 0.94), (0.95, 1.0)),
        *((0.98, 0.96), (1.0, 0.82), (0.96, 0.4), (0.82, 0.0)),
    ),
}
"""Sections of solids that look turned on a lathe, from the middle outward: radius and height of each corner."""


@functools.cache
def shape_vertices(name: str) -> Floats:
    """Return the vertices (n, 6) of the triangles of a shape: position and normal.

    x and y range from -1 to 1, z from 0 to 1.
    """
    special = {"ball": _ball_vertices, "die": _die_vertices, "rail": _rail_vertices}
    if name in _TURNED_SECTIONS:
        made = _turned_vertices(_TURNED_SECTIONS[name], _TURNED_SIDES[name])
    else:
        made = special[name]() if name in special else _prism_vertices(_SIDES[name], name)
    made.setflags(write=False)
    return made


@functools.cache
def shape_mesh(name: str) -> tuple[Floats, NDArray[np.int32]]:
    """Return the unique vertices (n, 6) of a shape, and its triangles as indices (m,) of these vertices.

    A vertex consists of a position and a normal. Every three indices form a triangle.
    """
    corners, order = np.unique(shape_vertices(name), axis=0, return_inverse=True)
    return corners, order.ravel().astype(np.int32)


def _prism_vertices(sides: int, name: str) -> Floats:
    begin = {"box": math.tau / 8, "octagon": math.tau / 16}.get(name, 0.0)
    reach = math.sqrt(2) if name == "box" else 1 / math.cos(math.pi / 8) if name == "octagon" else 1.0
    angles = [begin + math.tau * k / sides for k in range(sides + 1)]
    at = [(reach * math.cos(a), reach * math.sin(a)) for a in angles]
    rows: list[tuple[float, ...]] = []
    for k in range(sides):
        (ax, ay), (bx, by) = at[k], at[k + 1]
        middle = (angles[k] + angles[k + 1]) / 2
        ends = (angles[k], angles[k + 1]) if name == "disc" else (middle, middle)
        na, nb = ((math.cos(a), math.sin(a), 0.0) for a in ends)
        side = [(ax, ay, 0, *na), (bx, by, 0, *nb), (bx, by, 1, *nb), (ax, ay, 1, *na)]
        rows += [side[0], side[1], side[2], side[0], side[2], side[3]]
        rows += [(0, 0, 1, 0, 0, 1), (ax, ay, 1, 0, 0, 1), (bx, by, 1, 0, 0, 1)]
        rows += [(0, 0, 0, 0, 0, -1), (bx, by, 0, 0, 0, -1), (ax, ay, 0, 0, 0, -1)]
    return np.array(rows, dtype=np.float32)


def _ball_vertices() -> Floats:
    def place(i: int, k: int) -> tuple[float, ...]:
        low, a = math.pi * i / _BALL_RINGS, math.tau * k / (2 * _BALL_RINGS)
        x, y, z = math.sin(low) * math.cos(a), math.sin(low) * math.sin(a), -math.cos(low)
        return x, y, (z + 1) / 2, x, y, z

    rows = []
    for i in range(_BALL_RINGS):
        for k in range(2 * _BALL_RINGS):
            a, b, c, d = place(i, k), place(i, k + 1), place(i + 1, k + 1), place(i + 1, k)
            rows += [a, b, c, a, c, d]
    return np.array(rows, dtype=np.float32)


def _die_vertices() -> Floats:
    """Return the vertices of a cube with rounded edges."""
    radius = 2 * DIE_BEVEL
    inner = 1 - radius
    # Across a side, from the middle of one rounded edge to that of the opposite one: the coordinate of the centre of
    # curvature, and the slope of the surface.
    bend = [math.tan(math.pi / 4 * k / _DIE_STEPS) for k in range(_DIE_STEPS + 1)]
    ways = [*((-inner, -slope) for slope in bend[::-1]), *((inner, slope) for slope in bend)]

    def corner(side: int, i: int, k: int) -> tuple[float, ...]:
        (u, su), (v, sv) = ways[i], ways[k]
        long = math.sqrt(su * su + sv * sv + 1)
        n = np.array([su, sv, 1.0]) / long
        at = np.array([u, v, inner]) + radius * n
        turn = _DIE_SIDES[side]
        (x, y, z), normal = turn @ at, turn @ n
        return float(x), float(y), float(z + 1) / 2, *(float(number) for number in normal)

    rows = []
    for side in range(len(_DIE_SIDES)):
        for i in range(len(ways) - 1):
            for k in range(len(ways) - 1):
                a, b = corner(side, i, k), corner(side, i + 1, k)
                c, d = corner(side, i + 1, k + 1), corner(side, i, k + 1)
                rows += [a, b, c, a, c, d]
    return np.array(rows, dtype=np.float32)


def _rail_vertices() -> Floats:
    """Return the vertices of a moulding that runs along x and has a rounded top."""
    section = [(-1.0, 0.0, -1.0, 0.0)]
    for middle, begin in ((-0.5, -math.pi / 2), (0.5, 0.0)):
        for k in range(_RAIL_STEPS + 1):
            a = begin + math.pi / 2 * k / _RAIL_STEPS
            s, c = math.sin(a), math.cos(a)
            section.append((middle + 0.5 * s, 0.6 + 0.4 * c, s, c))
    section.append((1.0, 0.0, 1.0, 0.0))
    rows: list[tuple[float, ...]] = []
    for (y0, z0, ny0, nz0), (y1, z1, ny1, nz1) in itertools.pairwise(section):
        first, second = (-1.0, y0, z0, 0.0, ny0, nz0), (1.0, y0, z0, 0.0, ny0, nz0)
        third, last = (1.0, y1, z1, 0.0, ny1, nz1), (-1.0, y1, z1, 0.0, ny1, nz1)
        rows += [first, second, third, first, third, last]
        for x in (-1.0, 1.0):
            fan = [(x, *at, x, 0.0, 0.0) for at in ((0.0, 0.0), (y0, z0), (y1, z1))]
            rows += fan if x < 0 else fan[::-1]
    below = [(x, y, 0.0, 0.0, 0.0, -1.0) for x, y in ((-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0))]
    rows += [*below[:3], below[0], *below[2:]]
    return np.array(rows, dtype=np.float32)


def _turned_vertices(at: Sequence[tuple[float, float]], sides: int) -> Floats:
    """Return the vertices of a turned solid that is divided into ``sides`` sectors.

    ``at`` is its section in the form of :data:`_TURNED_SECTIONS`; the first segment is a flat floor.
    """
    # Normals of the segments as (outward, upward). Heights count double, because z ranges from 0 to 1, but x and y
    # from -1 to 1.
    slopes = [(2 * (z - z1), r1 - r) for (r, z), (r1, z1) in itertools.pairwise(at)]
    flat = [(out / math.hypot(out, up), up / math.hypot(out, up)) for out, up in slopes]
    path = [(*at[0], *flat[0]), (*at[1], *flat[0])]
    for k in range(1, len(flat)):
        out, up = (sum(flat[min(j, len(flat) - 1)][axis] for j in (k, k + 1)) for axis in (0, 1))
        if k == 1:
            path.append((*at[1], *flat[1]))
        path.append((*at[k + 1], out / math.hypot(out, up), up / math.hypot(out, up)))
    angles = [math.tau * k / sides for k in range(sides + 1)]
    rows: list[tuple[float, ...]] = []
    for one, other in itertools.pairwise(angles):
        for inside, outside in itertools.pairwise(path):
            first, second, third, last = (
                (r * math.cos(t), r * math.sin(t), z, out * math.cos(t), out * math.sin(t), up)
                for (r, z, out, up), t in ((inside, one), (outside, one), (outside, other), (inside, other))
            )
            if outside[:2] != inside[:2]:
                rows += [first, second, third]
                rows += [first, third, last] if inside[0] else []
        foot = at[-1][0]
        ends = [(foot * math.cos(t), foot * math.sin(t), 0.0, 0.0, 0.0, -1.0) for t in (other, one)]
        rows += [(0.0, 0.0, 0.0, 0.0, 0.0, -1.0), *ends]
    return np.array(rows, dtype=np.float32)


@functools.lru_cache(maxsize=512)
def rotation_matrix(yaw: float, tilt: float, roll: float) -> Array:
    """Return the rotation matrix (3, 3) of an item, for row vectors.

    The angles are in radians. ``roll`` rotates about the north axis and is applied first. ``tilt`` then rotates about
    the east axis, and ``yaw`` about the vertical axis.
    """
    c, s = math.cos(roll), math.sin(roll)
    rolled = np.array([[c, 0, -s], [0, 1, 0], [s, 0, c]])
    c, s = math.cos(tilt), math.sin(tilt)
    tilted = np.array([[1, 0, 0], [0, c, s], [0, -s, c]])
    c, s = math.cos(yaw), math.sin(yaw)
    return np.asarray(rolled @ tilted @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]))


def solid_rows(solids: Sequence[Solid]) -> Floats:
    """Return an array (n, FLOATS_PER_SOLID) with a row for each solid."""
    rows = [
        (
            *(*thing.position, thing.alpha),
            *(*thing.size, thing.taper),
            *(*linear_rgb(thing.colour), float(thing.receives_shadows)),
            *(*linear_rgb(thing.side_colour or thing.colour), FINISHES[thing.finish]),
            *rotation_matrix(thing.yaw, thing.tilt, thing.roll).ravel(),
        )
        for thing in solids
    ]
    return np.array(rows, dtype=np.float32).reshape(-1, FLOATS_PER_SOLID)


def card_rows(cards: Sequence[Card], cells: Sequence[tuple[float, float]]) -> Floats:
    """Return an array (n, FLOATS_PER_CARD) with a row for each card.

    ``cells`` holds the atlas cell (column, row) of each card's glyph, or (-1, -1) for a card without a glyph.
    """
    rows = []
    for card, cell in zip(cards, cells, strict=True):
        stands = rotation_matrix(card.yaw, card.tilt, card.roll)
        right, up = stands[0] * card.half_size[0], stands[1] * card.half_size[1]
        paper = (*linear_rgb(card.fill), 1.0) if card.fill else (0.0, 0.0, 0.0, 0.0)
        edge = (*linear_rgb(card.outline), 1.0) if card.outline else (0.0, 0.0, 0.0, 0.0)
        form = (*card.half_size, card.corner_rounding * min(card.half_size), card.glyph_scale)
        rows.append(
            (
                *card.position,
                *right,
                *up,
                *paper,
                *linear_rgb(card.ink),
                *edge,
                *form,
                *cell,
                card.stroke_width,
                card.alpha,
                card.softness,
            )
        )
    return np.array(rows, dtype=np.float32).reshape(-1, FLOATS_PER_CARD)


def in_drawing_order(cards: Sequence[Card]) -> list[Card]:
    """Return the cards in drawing order: lowest first, but those visible through objects last."""
    return sorted(cards, key=lambda card: (card.on_top, card.position[2]))


def make_solid_shadow_blocks(solids: Sequence[Solid]) -> Floats:
    """Return the blocks (n, FLOATS_PER_BLOCK_SHADOW) that represent solids in shadow computations.

    The blocks are upright, even if the solids are not. Solids that are invisible or receive shadows have no block.
    """
    rows = []
    for thing in solids:
        if thing.receives_shadows or thing.alpha <= 0.0:
            continue
        x, y, z = thing.position
        wide, deep, high = thing.size
        least = min(wide, deep)
        rounded = {"disc": 1.0, "coin": 1.0, "bowl": 1.0, "ball": 1.0, "octagon": 0.6, "die": 0.16}.get(
            thing.shape, 0.0
        ) * least
        foot = z - TABLE_Z
        narrow = (1 - thing.taper) * least
        aside = (math.cos(thing.yaw), math.sin(thing.yaw))
        rows.append((x, y, *aside, wide, deep, rounded, narrow, foot, foot + high, thing.alpha))
    return np.array(rows, dtype=np.float32).reshape(-1, FLOATS_PER_BLOCK_SHADOW)


def items_extent(solids: Sequence[Solid], cards: Sequence[Card]) -> tuple[float, float]:
    """Return roughly how far items extend from the centre of the table along x and y, ignoring their rotation."""
    east = [abs(t.position[0]) + max(t.size[:2]) for t in solids] + [
        abs(c.position[0]) + max(c.half_size) for c in cards
    ]
    north = [abs(t.position[1]) + max(t.size[:2]) for t in solids] + [
        abs(c.position[1]) + max(c.half_size) for c in cards
    ]
    return max(east, default=0.0), max(north, default=0.0)
