"""Distance fields of glyphs and digits."""

from __future__ import annotations

import functools
import math
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.glyphs import GLYPH_GRID_SIZE, GLYPHS, parse_path

DIGIT_CELL_SIZE = (0.9, 1.4)  # width and height of one digit's image, in digit heights; see mark.glsl
TEXELS_PER_DIGIT_HEIGHT = 40

Polyline = list[tuple[float, float]]


def _arc_points(x: float, y: float, x_radius: float, y_radius: float, start: float, end: float) -> Polyline:
    """Return points along the arc from ``start`` to ``end`` of an ellipse around (x, y).

    ``start`` and ``end`` are angles in degrees, counter-clockwise from the positive x axis.
    """
    angles = np.radians(np.linspace(start, end, 25))
    return [(x + x_radius * math.cos(a), y + y_radius * math.sin(a)) for a in angles]


def _digit_strokes(digit: int) -> list[Polyline]:
    """Return the polylines of a digit.

    The digit is centred on the origin and has height 1; y points up.
    """
    six = [
        _arc_points(0.0, -0.2, 0.28, 0.3, 0, 360),
        [(-0.28, -0.2), (-0.265, -0.02), (-0.2, 0.16), (-0.06, 0.36), (0.07, 0.5)],
    ]
    return {
        0: [_arc_points(0.0, 0.0, 0.29, 0.5, 0, 360)],
        1: [[(-0.19, 0.34), (0.05, 0.5), (0.05, -0.5)]],
        2: [[*_arc_points(0.0, 0.22, 0.27, 0.28, 165, -38), (-0.28, -0.5), (0.29, -0.5)]],
        3: [
            _arc_points(-0.01, 0.245, 0.25, 0.255, 152, -90),
            _arc_points(-0.01, -0.235, 0.29, 0.265, 90, -152),
        ],
        4: [[(0.13, -0.5), (0.13, 0.5), (-0.31, -0.22), (0.31, -0.22)]],
        5: [[(0.23, 0.5), (-0.2, 0.5), (-0.235, 0.06), *_arc_points(-0.01, -0.175, 0.285, 0.325, 132, -148)]],
        6: six,
        7: [[(-0.28, 0.5), (0.28, 0.5), (-0.1, -0.5)]],
        8: [_arc_points(0.0, 0.26, 0.235, 0.24, 0, 360), _arc_points(0.0, -0.235, 0.285, 0.265, 0, 360)],
        9: [[(-x, -y) for x, y in path] for path in six],
    }[digit]


@functools.cache  # every renderer needs them
def make_digit_fields() -> NDArray[np.float32]:
    """Return an image of all ten digits: each pixel holds its distance to the nearest stroke.

    The digits are side by side, and the first row of the image is the lowest one. Distances are in digit heights.
    """
    wide, high = (
        round(DIGIT_CELL_SIZE[0] * TEXELS_PER_DIGIT_HEIGHT),
        round(DIGIT_CELL_SIZE[1] * TEXELS_PER_DIGIT_HEIGHT),
    )
    x = ((np.arange(wide) + 0.5) / wide - 0.5) * DIGIT_CELL_SIZE[0]
    y = ((np.arange(high) + 0.5) / high - 0.5) * DIGIT_CELL_SIZE[1]
    at = np.stack(np.meshgrid(x, y), axis=-1)[:, :, None]
    cells = []
    for digit in range(10):
        ways = [np.array(path) for path in _digit_strokes(digit)]
        start, end = (np.concatenate([way[k : len(way) - 1 + k] for way in ways]) for k in (0, 1))
        along = end - start
        part = np.einsum("ijkl,kl->ijk", at - start, along) / np.einsum("kl,kl->k", along, along)
        off = at - start - along * np.clip(part, 0.0, 1.0)[..., None]
        cells.append(np.sqrt(np.einsum("ijkl,ijkl->ijk", off, off)).min(axis=2))
    return np.concatenate(cells, axis=1).astype(np.float32)


GLYPH_CELL_TEXELS = 64  # texels per side
ATLAS_COLUMNS, ATLAS_ROWS = 16, 24
MAX_STORED_DISTANCE = 6.0  # maximum distance stored, in units of the path


def make_distance_field(path: str) -> NDArray[np.float32]:
    """Return the distance field of a path as an array of shape (GLYPH_CELL_TEXELS, GLYPH_CELL_TEXELS).

    Each texel holds the distance to the middle of the nearest stroke, or to the nearest dot if that is less, limited to
    ``MAX_STORED_DISTANCE``. The distance is 0 inside a dot. Distances are in the units of the path. The first row is
    the lowest one.
    """
    side = (np.arange(GLYPH_CELL_TEXELS) + 0.5) / GLYPH_CELL_TEXELS * GLYPH_GRID_SIZE
    x, y = np.meshgrid(side, GLYPH_GRID_SIZE - side)
    found = np.full((GLYPH_CELL_TEXELS, GLYPH_CELL_TEXELS), MAX_STORED_DISTANCE)
    lines, dots = parse_path(path)
    for line in lines:
        for (ax, ay), (bx, by) in pairwise(line):
            dx, dy = bx - ax, by - ay
            long = dx * dx + dy * dy
            part = np.clip(((x - ax) * dx + (y - ay) * dy) / long, 0.0, 1.0) if long else np.zeros_like(x)
            found = np.minimum(found, np.hypot(x - ax - part * dx, y - ay - part * dy))
    for cx, cy, radius in dots:
        found = np.minimum(found, np.maximum(np.hypot(x - cx, y - cy) - radius, 0.0))
    return found.astype(np.float32)


def make_glyph_field(glyph: str) -> NDArray[np.float32]:
    """Return the distance field of the glyph named ``glyph``.

    Raises KeyError if there is no such glyph.
    """
    return make_distance_field(GLYPHS[glyph])
