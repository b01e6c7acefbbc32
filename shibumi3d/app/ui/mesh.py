"""Anti-aliased flat shapes as triangles: arrays of (x, y, coverage), in pixels from their origin.

Along every edge there is a fringe one pixel wide in which coverage falls from 1 to 0, so that no multisampling is
needed. Meshes are cached by shape; the caller moves and colours copies of them.
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Mesh = NDArray[np.float32]
Points = tuple[tuple[float, float], ...]
Strokes = tuple[Points, ...]
CACHE_SIZE = 2048


def _strip_between(
    inner: NDArray[np.float64], outer: NDArray[np.float64], a: float, b: float
) -> list[NDArray[np.float64]]:
    """Return a list with one item: the closed strip of triangles between two loops.

    The loops must have the same number of points. The coverage of the strip is ``a`` at the inner loop and ``b`` at the
    outer loop.
    """
    n = len(inner)
    inside = np.column_stack([inner, np.full(n, a)])
    outside = np.column_stack([outer, np.full(n, b)])
    after_in, after_out = np.roll(inside, -1, axis=0), np.roll(outside, -1, axis=0)
    return [np.stack([inside, outside, after_out, inside, after_out, after_in], axis=1).reshape(-1, 3)]


def _mitres(loop: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the outward mitre vectors of a loop, for an offset of one pixel.

    The loop runs clockwise on the screen (y down).
    """
    edge = np.roll(loop, -1, axis=0) - loop
    length = np.maximum(np.hypot(edge[:, 0], edge[:, 1]), 1e-9)[:, None]
    side = np.column_stack([edge[:, 1], -edge[:, 0]]) / length
    before = np.roll(side, 1, axis=0)
    total = side + before
    scale = np.maximum((total * side).sum(axis=1), 0.35)[:, None]
    mitre: NDArray[np.float64] = total / scale
    return mitre


def _fan(loop: NDArray[np.float64]) -> NDArray[np.float64]:
    middle = loop.mean(axis=0)
    n = len(loop)
    centre = np.tile([*middle, 1.0], (n, 1))
    rim = np.column_stack([loop, np.ones(n)])
    return np.stack([centre, rim, np.roll(rim, -1, axis=0)], axis=1).reshape(-1, 3)


@lru_cache(CACHE_SIZE)
def polygon(points: Points) -> Mesh:
    """Return the triangles of a filled polygon whose corners run clockwise on the screen.

    Every part of it must be visible from the mean of its corners, as in convex polygons and stars.
    """
    loop = np.asarray(points, dtype=np.float64)
    mitres = _mitres(loop) * 0.5
    return np.concatenate([_fan(loop - mitres), *_strip_between(loop - mitres, loop + mitres, 1, 0)]).astype(
        np.float32
    )


@lru_cache(CACHE_SIZE)
def outline(points: Points, width: float) -> Mesh:
    """Return the triangles of a band inside the edge of a polygon.

    The corners of the polygon run clockwise on the screen. The band is ``width`` pixels wide, but at least one pixel.
    """
    loop = np.asarray(points, dtype=np.float64)
    mitres = _mitres(loop)
    solid = max(width - 1.0, 0.0)
    outer_fringe, outer, inner = loop + mitres * 0.5, loop - mitres * 0.5, loop - mitres * (0.5 + solid)
    inner_fringe = inner - mitres
    strips = _strip_between(outer, outer_fringe, 1, 0) + _strip_between(inner_fringe, inner, 0, 1)
    if solid > 0.0:  # a hairline consists of fringe only
        strips += _strip_between(inner, outer, 1, 1)
    return np.concatenate(strips).astype(np.float32)


def round_rect(width: float, height: float, radius: float) -> Points:
    """Return the outline of a rounded rectangle whose top left corner is at the origin."""
    radius = max(0.0, min(radius, width / 2, height / 2))
    if radius < 0.5:
        return ((0, 0), (width, 0), (width, height), (0, height))
    steps = max(3, math.ceil(math.sqrt(radius) * 2.2))
    points: list[tuple[float, float]] = []
    corners = ((radius, radius, 2), (width - radius, radius, 3), (width - radius, height - radius, 0))
    for x, y, quarter in (*corners, (radius, height - radius, 1)):
        for step in range(steps + 1):
            angle = (quarter + step / steps) * math.pi / 2
            points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
    return tuple(points)


@lru_cache(CACHE_SIZE)
def circle(radius: float) -> Points:
    """Return the corners of a polygon that approximates a circle around the origin."""
    count = max(10, math.ceil(math.sqrt(radius) * 7))  # the error is at most a tenth of a pixel
    turn = 2 * math.pi / count
    return tuple((radius * math.cos(i * turn), radius * math.sin(i * turn)) for i in range(count))


@lru_cache(CACHE_SIZE)
def round_line(dx: float, dy: float, width: float) -> Mesh:
    """Return a line from the origin to (dx, dy), ``width`` pixels wide and with round ends."""
    length = math.hypot(dx, dy)
    ux, uy = (dx / length, dy / length) if length > 1e-6 else (1.0, 0.0)
    # Pages have hundreds of fine lines, and software GL is slow at small triangles.
    half, steps = width / 2, 3 if width < 3.0 else 6
    start = math.atan2(uy, ux)
    points = []
    for x, y, turn in ((dx, dy, -math.pi / 2), (0.0, 0.0, math.pi / 2)):
        for step in range(steps + 1):
            angle = start + turn + math.pi * step / steps
            points.append((x + half * math.cos(angle), y + half * math.sin(angle)))
    return polygon(tuple(points))


@lru_cache(CACHE_SIZE)
def strokes(strokes: Strokes, scale: float) -> Mesh:
    """Return lines with round ends through the points of each stroke.

    Lines are 1.75 units wide, but at least one pixel; a unit is ``scale`` pixels.
    """
    lines = []
    for stroke in strokes:
        for (x0, y0), (x1, y1) in pairwise(stroke):
            dx, dy = round((x1 - x0) * scale, 2), round((y1 - y0) * scale, 2)
            line = round_line(dx, dy, max(1.0, 1.75 * scale)).copy()
            line[:, 0] += x0 * scale
            line[:, 1] += y0 * scale
            lines.append(line)
    return np.concatenate(lines)


@lru_cache(CACHE_SIZE)
def shadow(width: float, height: float, radius: float, blur: float) -> Mesh:
    """Return the triangles of a rounded rectangle with soft edges.

    Its coverage falls from 1 inside to 0 at a distance of ``blur`` pixels outside its edges.
    """
    loop = np.asarray(round_rect(width, height, max(radius, 1)), dtype=np.float64)
    out = _mitres(loop)
    levels = ((-blur / 2, 1.0), (0.0, 0.62), (blur / 2, 0.22), (blur, 0.0))
    parts = [_fan(loop + out * levels[0][0])]
    for (near, a), (far, b) in pairwise(levels):
        parts += _strip_between(loop + out * near, loop + out * far, a, b)
    return np.concatenate(parts).astype(np.float32)
