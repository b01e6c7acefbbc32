"""The slab of a board: the model, its quarters moved apart to the size of the board."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from shibumi3d.render.models import model
from shibumi3d.scene.marbles.layout import TABLE, Array

SLAB = 9  # floats a corner: position, normal, and how the outline is pushed out (see board.glsl)
FLAT = 102  # corners of the triangles of the upper side, which come last


@functools.lru_cache(maxsize=16)
def slab(half: float) -> NDArray[np.float32]:
    """The triangles (n, SLAB) of a slab ``half`` a side wide, its upper side at z = 0."""
    corners = model("board")
    mesh = np.zeros((len(corners), SLAB), dtype=np.float32)
    mesh[:, :6] = corners[:, :6]
    mesh[:, :2] += np.sign(mesh[:, :2]) * np.float32(half - 1.0)
    mesh[:, 8] = 1.0
    mesh.setflags(write=False)
    return mesh


@functools.lru_cache(maxsize=16)
def _rings(half: float) -> NDArray[np.float32]:
    """The vertices that can lie on the outline: those of the outermost rings."""
    mesh = np.unique(slab(half), axis=0)
    flat = np.abs(mesh[:, 5]) < 0.9
    return mesh[flat]


def outline(
    half: float, origin: tuple[float, float, float], matrix: NDArray[np.float64], size: tuple[int, int]
) -> NDArray[np.float32]:
    """A strip (n, SLAB) along the outline of a slab that lets its edge fade over one pixel.

    The slab stands at ``origin`` in a picture of ``size`` pixels; ``matrix`` (4, 4) is view times projection for
    row vectors. Drawn as a triangle strip over the slab it takes the place of multisampling.
    """
    rings = _rings(half)
    clip = np.column_stack([rings[:, :3] + np.array(origin), np.ones(len(rings))]) @ matrix
    pixels = clip[:, :2] / clip[:, 3:] * (size[0] / 2, size[1] / 2)
    hull = _hull(pixels)
    corner = pixels[hull]
    # Outward of a counter-clockwise outline is to the right of each edge; a corner takes the mean of its two.
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


_INSIDE = 0.12  # how far within the slab what surely hides the table stays
_CUT = 0.4  # its corners are cut off
_PARTS = 3  # of each side of a hole: the far end of the table has as many corners


def around(half: float, origin: tuple[float, float, float], eye: Array, far: float) -> NDArray[np.float32]:
    """A strip (n, 2) on the table, ``far`` in all directions, with a hole where a slab at ``origin`` hides it.

    The slab is ``half`` a side wide; ``origin`` is the middle of its upper side and ``eye`` (3,) is above that.
    """
    long, short = half - _INSIDE, half - _INSIDE - _CUT
    corners = np.array(
        [(x * a, y * b) for x in (-1, 1) for y in (-1, 1) for a, b in ((long, short), (short, long))]
    )
    corners += np.array(origin[:2])
    # Where the rays through the corners of the upper side meet the table.
    down = (eye[2] - TABLE) / (eye[2] - origin[2])
    points = np.vstack([corners, eye[:2] + (corners - eye[:2]) * down])
    hull = points[_hull(points)]
    steps = np.arange(_PARTS)[None, :, None] / _PARTS
    edge = (hull[:, None] + (np.roll(hull, -1, axis=0) - hull)[:, None] * steps).reshape(-1, 2)
    edge = np.vstack([edge, edge[:1]])
    out = edge - edge.mean(axis=0)
    strip = np.empty((2 * len(edge), 2), dtype=np.float32)
    strip[0::2], strip[1::2] = edge, edge + out * (far / np.linalg.norm(out, axis=1))[:, None]
    return strip


def _hull(points: NDArray[np.float64]) -> list[int]:
    """Indices of the convex hull of points (n, 2), counter-clockwise."""
    order = np.lexsort((points[:, 1], points[:, 0])).tolist()
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
