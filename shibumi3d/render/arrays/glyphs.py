"""Distance fields of glyphs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.glyphs import FIELD, GLYPHS, strokes

CELL = 64  # texels per side
ACROSS, DOWN = 16, 16
FAR = 6.0  # maximum distance stored, in units of the path


def field(path: str) -> NDArray[np.float32]:
    """Return the distance field of a path as an array of shape (CELL, CELL).

    Each texel holds the distance to the middle of the nearest stroke, or to the edge of the nearest dot, limited to
    ``FAR``. Distances are in the units of the path. The first row is the lowest one.
    """
    side = (np.arange(CELL) + 0.5) / CELL * FIELD
    x, y = np.meshgrid(side, FIELD - side)
    found = np.full((CELL, CELL), FAR)
    lines, dots = strokes(path)
    for line in lines:
        for (ax, ay), (bx, by) in pairwise(line):
            dx, dy = bx - ax, by - ay
            long = dx * dx + dy * dy
            part = np.clip(((x - ax) * dx + (y - ay) * dy) / long, 0.0, 1.0) if long else np.zeros_like(x)
            found = np.minimum(found, np.hypot(x - ax - part * dx, y - ay - part * dy))
    for cx, cy, radius in dots:
        found = np.minimum(found, np.maximum(np.hypot(x - cx, y - cy) - radius, 0.0))
    return found.astype(np.float32)


def named(glyph: str) -> NDArray[np.float32]:
    """Return the distance field of the glyph with this name. Raises KeyError if it doesn't exist."""
    return field(GLYPHS[glyph])
