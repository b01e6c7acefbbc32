"""Vertex arrays for the slab of a board, its holes and the table around it.

The quarters of the model are moved apart to fit the size of the board.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from shibumi3d.render.arrays.marbles import BallArrays
from shibumi3d.render.models import load_model
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import HOLE_RADIUS, RADIUS, TABLE_Z, Array

FLOATS_PER_VERTEX = 9  # floats per vertex: position, normal, and the offset of the outline (see board.glsl)
TOP_VERTEX_COUNT = 102  # vertices of the triangles of the flat top, which come last


@functools.lru_cache(maxsize=16)
def make_slab_mesh(half: float) -> NDArray[np.float32]:
    """Return the triangles of a slab with its top at z = 0, as an array of vertices (n, FLOATS_PER_VERTEX).

    ``half`` is half the side length of the slab.
    """
    corners = load_model("board")
    mesh = np.zeros((len(corners), FLOATS_PER_VERTEX), dtype=np.float32)
    mesh[:, :6] = corners[:, :6]
    mesh[:, :2] += np.sign(mesh[:, :2]) * np.float32(half - 1.0)
    mesh[:, 8] = 1.0
    mesh.setflags(write=False)
    return mesh


@functools.lru_cache(maxsize=16)
def _outline_candidates(half: float) -> NDArray[np.float32]:
    """Return the vertices of a slab that can be on its outline: those whose normals are not nearly vertical.

    ``half`` is half the side length of the slab.
    """
    mesh = np.unique(make_slab_mesh(half), axis=0)
    flat = np.abs(mesh[:, 5]) < 0.9
    return mesh[flat]


def make_slab_outline(
    half: float, origin: tuple[float, float, float], matrix: NDArray[np.float64], size: tuple[int, int]
) -> NDArray[np.float32]:
    """Return a triangle strip (n, FLOATS_PER_VERTEX) along the outline of a slab.

    The strip fades the edge over one pixel; it is drawn over the slab and replaces multisampling. ``half`` is half the
    side length of the slab, ``origin`` is the centre of its top, and ``size`` is the size of the image in pixels.
    ``matrix`` (4, 4) is view times projection, for row vectors.
    """
    rings = _outline_candidates(half)
    clip = np.column_stack([rings[:, :3] + np.array(origin), np.ones(len(rings))]) @ matrix
    pixels = clip[:, :2] / clip[:, 3:] * (size[0] / 2, size[1] / 2)
    hull = _convex_hull(pixels)
    corner = pixels[hull]
    # The outline is counter-clockwise, so outward is to the right of each edge; a vertex takes the mean of its two.
    along = np.roll(corner, -1, axis=0) - corner
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    normal = np.column_stack([along[:, 1], -along[:, 0]])
    out = normal + np.roll(normal, 1, axis=0)
    out /= np.maximum(np.einsum("ij,ij->i", out, out), 0.5)[:, None] / 2
    strip = np.repeat(rings[[*hull, hull[0]]], 2, axis=0)
    outer = np.vstack([out, out[:1]])
    strip[1::2, 6:8] = outer * (2 / size[0], 2 / size[1])
    strip[1::2, 8] = 0.0
    return strip


_HOLE_LIP_WIDTH = 0.06  # width of the worn lip around a hole


@functools.cache
def make_hole_octagon() -> NDArray[np.float32]:
    """Return a triangle fan (8, 3) that covers a hole and its lip, centred on the origin."""
    around = (np.arange(8) + 0.5) * (np.pi / 4)
    wide = (HOLE_RADIUS + _HOLE_LIP_WIDTH) / np.cos(np.pi / 8)
    fan = np.column_stack([np.cos(around) * wide, np.sin(around) * wide, np.zeros(8)])
    return fan.astype(np.float32)


def open_holes(board: Board, balls: BallArrays) -> NDArray[np.float32]:
    """Return the positions and scales (n, 3) of the holes of ``board`` that no opaque marble fills.

    Positions (x, y) are relative to the centre of the board. If the board lists its own ``holes``, all of them are
    returned.
    """
    if board.holes is not None:
        return np.array(board.holes, dtype=np.float32).reshape(-1, 3)
    along = np.arange(board.size) - (board.size - 1) / 2
    middles = np.array([(x, y) for y in along for x in along])
    rows = balls.rows
    filling = rows[
        (rows[:, 7] > 0.99) & ~balls.is_bead & (np.abs(rows[:, 2]) < 0.02) & (rows[:, 3] > 0.97 * RADIUS)
    ]
    apart = np.abs(filling[None, :, :2] - (board.x, board.y) - middles[:, None]).max(axis=2)
    left = middles[~(apart < 0.02).any(axis=1)]
    return np.column_stack([left, np.ones(len(left))]).astype(np.float32)


_HIDDEN_AREA_MARGIN = (
    0.12  # margin inside the slab, so that the part left out of the table is certainly hidden
)
_CORNER_CUT = 0.4  # length cut off at its corners
_SQUARE_CORNERS = np.array([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])


def table_strips_around(
    half: float,
    origin: tuple[float, float, float],
    eye: Array,
    lit_half_size: tuple[float, float],
    outer_distance: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return two triangle strips (n, 2) that cover the table except where a slab hides it.

    The first strip extends from the hidden area to the edges of a rectangle around the world origin; ``lit_half_size``
    holds half its width and half its depth. The second continues from there to the distance ``outer_distance`` from the
    centre of the slab. ``half`` is half the side length of the slab, and ``origin`` is the centre of its top. The
    camera at ``eye`` (3,) must be above the top.
    """
    long, short = half - _HIDDEN_AREA_MARGIN, half - _HIDDEN_AREA_MARGIN - _CORNER_CUT
    corners = np.array(
        [(x * a, y * b) for x in (-1, 1) for y in (-1, 1) for a, b in ((long, short), (short, long))]
    )
    corners += np.array(origin[:2])
    # Add the points where rays through the corners of the top meet the table.
    down = (eye[2] - TABLE_Z) / (eye[2] - origin[2])
    points = np.vstack([corners, eye[:2] + (corners - eye[:2]) * down])
    hull = points[_convex_hull(points)]
    # Cast rays from the centre of the slab through the corners of the hidden area and of the rectangle.
    middle, wide = np.array(origin[:2]), np.array(lit_half_size)
    ends = np.vstack([hull, wide * _SQUARE_CORNERS]) - middle
    way = ends / np.hypot(ends[:, 0], ends[:, 1])[:, None]
    way = way[np.argsort(np.arctan2(way[:, 1], way[:, 0]))]
    way = np.vstack([way, way[:1]])
    # A ray leaves the convex hidden area where it first leaves the half plane of one of its edges.
    edge = np.roll(hull, -1, axis=0) - hull
    out = np.column_stack([edge[:, 1], -edge[:, 0]])
    aside = np.einsum("ij,ij->i", out, hull - middle)
    with np.errstate(divide="ignore", invalid="ignore"):
        leaves = aside / (way @ out.T)
        border = (np.where(way > 0, wide, -wide) - middle) / way
    hole = np.where(leaves > 0, leaves, np.inf).min(axis=1)
    light = np.maximum(np.where(border > 0, border, np.inf).min(axis=1), hole)
    first, second, last = (
        middle + way * reach[:, None] for reach in (hole, light, np.full(len(way), outer_distance))
    )
    return _triangle_strip(first, second), _triangle_strip(second, last)


def whole_table_strips(
    lit_half_size: tuple[float, float], outer_distance: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the two strips of :func:`table_strips_around` for a table that no slab hides.

    The first strip starts at the world origin, and ``outer_distance`` is measured from there.
    """
    ends = np.array(lit_half_size) * _SQUARE_CORNERS
    ends = ends[np.argsort(np.arctan2(ends[:, 1], ends[:, 0]))]
    ends = np.vstack([ends, ends[:1]])
    long = np.hypot(ends[:, 0], ends[:, 1])[:, None]
    return _triangle_strip(np.zeros_like(ends), ends), _triangle_strip(ends, ends / long * outer_distance)


def _triangle_strip(inner: Array, outer: Array) -> NDArray[np.float32]:
    strip = np.empty((2 * len(inner), 2), dtype=np.float32)
    strip[0::2], strip[1::2] = inner, outer
    return strip


_DIRECTIONS = np.array([(np.cos(a), np.sin(a)) for a in np.arange(16) * (np.pi / 8)]).T


def _convex_hull(points: NDArray[np.float64]) -> list[int]:
    """Return the indices of the corners of the convex hull of ``points`` (n, 2), counter-clockwise."""
    # For speed, first discard points inside the polygon of the extreme points in a few directions.
    far = points[(points @ _DIRECTIONS).argmax(axis=0)]
    along = np.roll(far, -1, axis=0) - far
    aside = along[:, :1] * (points[:, 1] - far[:, 1:]) - along[:, 1:] * (points[:, 0] - far[:, :1])
    outer = np.flatnonzero((aside <= 1e-9 * np.abs(aside).max()).any(axis=0))
    order = outer[np.lexsort((points[outer, 1], points[outer, 0]))].tolist()
    spots = points.tolist()

    def chain(indices: list[int]) -> list[int]:
        kept: list[int] = []
        for i in indices:
            x, y = spots[i]
            while len(kept) > 1:
                (ax, ay), (bx, by) = spots[kept[-2]], spots[kept[-1]]
                if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 1e-6:
                    break
                kept.pop()
            kept.append(i)
        return kept[:-1]

    return chain(order) + chain(order[::-1])
