"""Vertex arrays of pieces: meshes, outlines and shadows."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.drawing_order import are_rectangles_behind
from shibumi3d.render.models import load_model
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Board, Piece
from shibumi3d.scene.marbles.layout import TABLE_Z, Array

FLOATS_PER_VERTEX = (
    11  # floats per vertex: those of the model, and the offset of the outline (see piece.glsl)
)
FLOATS_PER_BLOCK_SHADOW = 11  # floats per shadow: see shade.glsl


@functools.cache
def model_mesh(name: str) -> tuple[Floats, NDArray[np.int32]]:
    """Return a model's unique vertices (n, FLOATS_PER_VERTEX) and the vertex indices (m,) of its triangles."""
    corners, order = np.unique(load_model(name), axis=0, return_inverse=True)
    made = np.zeros((len(corners), FLOATS_PER_VERTEX), dtype=np.float32)
    made[:, :8], made[:, 10] = corners, 1.0
    made.setflags(write=False)
    return made, order.ravel().astype(np.int32)


@functools.lru_cache(maxsize=64)
def model_matrix(piece: Piece) -> Array:
    """Return the matrix (4, 4) from model to world coordinates, for row vectors.

    It does not include the size of the piece, which is applied first.
    """
    cos, sin, up, over = *_cos_sin(piece.yaw), *_cos_sin(piece.tilt)
    tilted = np.array([[1.0, 0.0, 0.0], [0.0, up, over], [0.0, -over, up]])
    made = np.eye(4)
    made[:3, :3] = tilted @ np.array([[cos, sin, 0.0], [-sin, cos, 0.0], [0.0, 0.0, 1.0]])
    made[3, :3] = piece.x, piece.y, piece.z
    return made


def _cos_sin(angle: float) -> tuple[float, float]:
    return math.cos(angle), math.sin(angle)


@functools.lru_cache(maxsize=64)
def bounds(piece: Piece) -> tuple[Array, Array]:
    """Return the minimum and maximum world coordinates (3,) of a piece."""
    at = (
        _model_geometry(piece.model, piece.half_size).points @ model_matrix(piece)[:3, :3]
        + model_matrix(piece)[3, :3]
    )
    return at.min(axis=0), at.max(axis=0)


def sort_pieces_far_to_near(pieces: Sequence[Piece], eye: Array) -> list[Piece]:
    """Return the pieces in drawing order, farthest first."""
    middles = [(sum(bounds(piece)) / 2, piece) for piece in pieces]
    return [piece for _, piece in sorted(middles, key=lambda pair: -float(np.linalg.norm(pair[0] - eye)))]


def is_piece_behind(piece: Piece, board: Board, eye: Array) -> bool:
    """Return whether the slab of ``board`` may hide a piece; see :func:`.are_rectangles_behind`."""
    least, most = bounds(piece)
    return bool(are_rectangles_behind(least[None], most[None], board, eye)[0])


SLICED_MODELS = ("hut", "hyena", "villager", "well")
"""Models whose shadow is cast by several blocks, one above the other."""
_SLICES = 3
_SAMPLES_PER_EDGE = 12


@functools.lru_cache(maxsize=64)
def _shadow_slices(model: str, size: tuple[float, float], tilt: float) -> tuple[tuple[float, ...], ...]:
    """Return the upright blocks that represent a model in shadow computations, relative to its base.

    Each block is given by its centre (x, y), half its width, half its depth, its corner radius, how far its top is set
    back on each side, and the heights of its bottom and its top. ``size`` is half the width and half the depth of the
    model, and ``tilt`` is its tilt in radians. Dimensions and rounding are estimated from the edges of the model. The
    models in :data:`SLICED_MODELS` are cut into slices, so that their shadows resemble their outlines.
    """
    turned = model_matrix(Piece(model, 0.0, 0.0, 0.0, tilt=tilt))[:3, :3]
    bones = _model_geometry(model, size)
    ends = bones.points[bones.edges] @ turned
    bottom, top = float(ends[:, :, 2].min()), float(ends[:, :, 2].max())
    count = _SLICES if model in SLICED_MODELS else 1
    part = np.linspace(0.0, 1.0, _SAMPLES_PER_EDGE if count > 1 else 2)[:, None, None]
    at = (ends[:, 0] + (ends[:, 1] - ends[:, 0]) * part).reshape(-1, 3)
    found = []
    for k in range(count):
        low, high = (bottom + (top - bottom) * (k + end) / count for end in (0, 1))
        inside = at[(at[:, 2] >= low - 1e-9) & (at[:, 2] <= high + 1e-9)]
        if not len(inside):
            continue
        first, last = inside.min(axis=0), inside.max(axis=0)
        middle, half = (first + last)[:2] / 2, (last - first)[:2] / 2
        aside = inside[:, :2] - middle
        # The extent towards the corners determines their radius, and that of the top how much narrower the top is.
        corner = float((np.abs(aside).sum(axis=1)).max())
        round_ = min(max((float(half.sum()) - corner) / (2 - math.sqrt(2)), 0.0), float(half.min()))
        upper = np.abs(aside[inside[:, 2] > low + 0.7 * (high - low)])
        narrower = max(float((half - upper.max(axis=0)).min()), 0.0) if len(upper) else 0.0
        found.append((*middle, *half, round_, narrower, low, high))
    return tuple(found)


@functools.lru_cache(maxsize=64)
def _shadow_blocks(piece: Piece) -> tuple[tuple[float, ...], ...]:
    cos, sin = _cos_sin(piece.yaw)
    foot = piece.z - TABLE_Z
    return tuple(
        (
            *(piece.x + x * cos - y * sin, piece.y + x * sin + y * cos, cos, sin),
            *(wide, deep, round_, narrower, low + foot, high + foot, piece.alpha),
        )
        for x, y, wide, deep, round_, narrower, low, high in _shadow_slices(
            piece.model, piece.half_size, piece.tilt
        )
    )


def make_shadow_blocks(pieces: Sequence[Piece]) -> Floats:
    """Return the upright blocks (n, FLOATS_PER_BLOCK_SHADOW) that represent pieces in shadow computations."""
    rows = [block for piece in pieces for block in _shadow_blocks(piece)]
    return np.array(rows, dtype=np.float32).reshape(-1, FLOATS_PER_BLOCK_SHADOW)


@dataclass(frozen=True, slots=True)
class _OutlineGeometry:
    """Geometry for finding outlines: unique points, planes of triangles, and edges."""

    points: Array  # (n, 3)
    normals: Array  # (k, 3) normals of triangles
    offsets: Array  # (k,) dot products of the normals with a point of the triangle
    edges: NDArray[np.int64]  # (m, 2) points: start and end, in the winding order of the first triangle
    adjacent_triangles: NDArray[np.int64]  # (m, 2) triangles on both sides; -1 for none
    edge_vertices: Floats  # (m, 2, 2, FLOATS_PER_VERTEX), in the order of both triangles
    owner: NDArray[np.int64]  # (m,) index of the piece


@functools.lru_cache(maxsize=32)
def _model_geometry(name: str, size: tuple[float, float]) -> _OutlineGeometry:
    """Return the geometry of a model in model coordinates; ``size`` is half its width and depth."""
    corners, order = model_mesh(name)
    points, which = np.unique(corners[:, :3] + 0.0, axis=0, return_inverse=True)
    faces, known = which.ravel()[order].reshape(-1, 3), order.tolist()
    found: dict[tuple[int, int], tuple[int, int, int]] = {}
    for face, places in enumerate(faces.tolist()):
        for k in range(3):
            ends = known[3 * face + k], known[3 * face + (k + 1) % 3]
            found[places[k], places[(k + 1) % 3]] = face, *ends
    edges, beside, rows = [], [], []
    for (a, b), (face, first, second) in found.items():
        other, last, next_ = found.get((b, a), (-1, second, first))
        if a < b or other < 0:
            edges.append((a, b))
            beside.append((face, other))
            rows.append(((first, second), (last, next_)))
    at = points.astype(np.float64)
    at[:, :2] += np.sign(at[:, :2]) * (np.array(size) - 1.0)
    a_, b_, c_ = (at[faces[:, k]] for k in range(3))
    normals = np.cross(b_ - a_, c_ - a_)
    offsets = np.einsum("ij,ij->i", normals, a_)
    none = np.zeros(len(edges), dtype=np.int64)
    return _OutlineGeometry(
        at, normals, offsets, np.array(edges), np.array(beside), corners[np.array(rows)], none
    )


@functools.lru_cache(maxsize=8)
def _combined_geometry(pieces: tuple[Piece, ...]) -> _OutlineGeometry:
    """Return the combined geometry of ``pieces``, with points and planes in world coordinates."""
    parts: list[_OutlineGeometry] = []
    places = faces = 0
    for i, piece in enumerate(pieces):
        bones, place = _model_geometry(piece.model, piece.half_size), model_matrix(piece)
        normals = bones.normals @ place[:3, :3]
        beside = np.where(bones.adjacent_triangles < 0, -1, bones.adjacent_triangles + faces)
        parts.append(
            _OutlineGeometry(
                bones.points @ place[:3, :3] + place[3, :3],
                normals,
                bones.offsets + normals @ place[3, :3],
                bones.edges + places,
                beside,
                bones.edge_vertices,
                bones.owner + i,
            )
        )
        places, faces = places + len(bones.points), faces + len(normals)
    joined = [np.concatenate([getattr(part, name) for part in parts]) for name in _OutlineGeometry.__slots__]
    return _OutlineGeometry(*joined)


@functools.lru_cache(maxsize=8)
def make_outlines(
    pieces: tuple[Piece, ...], camera: Camera, image_size: tuple[int, int], aspect: float
) -> tuple[Floats, NDArray[np.int64]]:
    """Return triangles that fade the edges of pieces over one pixel, and how many rows each piece has.

    The triangles are an array (n, FLOATS_PER_VERTEX) with one row per vertex; the rows of each piece are together. The
    outline of a piece consists of the edges that belong to exactly one triangle facing the camera. ``image_size`` is
    the size of the image in pixels.
    """
    bones = _combined_geometry(pieces)
    # The last entry is for a missing triangle (index -1).
    facing = np.append(bones.normals @ camera.eye(aspect) > bones.offsets, False)
    first, second = facing[bones.adjacent_triangles.T]
    on = np.flatnonzero(first != second)
    back = second[on].astype(np.int64)
    edges = np.where(back[:, None], bones.edges[on, ::-1], bones.edges[on])
    used, places = np.unique(edges, return_inverse=True)
    places = places.reshape(-1, 2)
    view, projection = camera.matrices(aspect)
    clip = np.column_stack([bones.points[used], np.ones(len(used))]) @ (view @ projection)
    pixels = clip[:, :2] / clip[:, 3:] * (image_size[0] / 2, image_size[1] / 2)
    along = pixels[places[:, 1]] - pixels[places[:, 0]]
    along /= np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-9)[:, None]
    # Outward is to the right of an edge of a triangle that faces the camera; a vertex takes the mean of its edges.
    normal, corners = np.column_stack([along[:, 1], -along[:, 0]]), places.T.ravel()
    out = np.column_stack([np.bincount(corners, np.tile(normal[:, k], 2), len(used)) for k in (0, 1)])
    count = np.bincount(corners, minlength=len(used))
    out *= (count / np.maximum(np.einsum("ij,ij->i", out, out), 0.5))[:, None]
    made = bones.edge_vertices[on, back][:, [0, 1, 1, 0, 1, 0]]
    made[:, [2, 4, 5], 8:10] = out[places[:, [1, 1, 0]]] * (2 / image_size[0], 2 / image_size[1])
    made[:, [2, 4, 5], 10] = 0.0
    return made.reshape(-1, FLOATS_PER_VERTEX), 6 * np.bincount(bones.owner[on], minlength=len(pieces))
