"""Vertex arrays of marks: their quads, and the marbles that may hide them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.marbles import BallArrays
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import CHEVRON_SIZE_RANGE_PX, Mark, MarkKind
from shibumi3d.scene.marbles.layout import RADIUS, Array
from shibumi3d.scene.palette import rgb

FLOATS_PER_MARK = 22  # floats per mark: see mark.glsl
_PIXEL_KINDS = frozenset(
    (
        *(MarkKind.DOT, MarkKind.TICK_UP, MarkKind.TICK_DOWN, MarkKind.ONE_BAR, MarkKind.TWO_BARS),
        *(MarkKind.CHEVRON, MarkKind.THEREFORE, MarkKind.SWAP, MarkKind.KNOT, MarkKind.NUMBER),
    )
)
# Marks on a marble shrink to fit on it.
_ON_MARBLE = frozenset(
    (
        *(MarkKind.TICK_UP, MarkKind.TICK_DOWN, MarkKind.ONE_BAR, MarkKind.TWO_BARS),
        *(MarkKind.THEREFORE, MarkKind.SWAP, MarkKind.KNOT),
    )
)
_ON_MARBLE_SIZE = 0.18
_FLAT_KINDS = frozenset((MarkKind.RING, MarkKind.DASHED_RING, MarkKind.BOARD_OUTLINE))
_LINE_KINDS = frozenset((MarkKind.LINE, MarkKind.DOTTED_LINE, MarkKind.BROKEN_LINE))
# All marks of a family are drawn at once, each family over the ones before it; see mark.glsl.
FAMILIES: Mapping[str, frozenset[MarkKind]] = MappingProxyType(
    {
        "BOARD_OUTLINES": frozenset((MarkKind.BOARD_OUTLINE,)),
        "SHAPES": frozenset((MarkKind.HALO, MarkKind.BRACKETS)),
        "LINES": _LINE_KINDS,
        "RINGS": frozenset(
            (
                MarkKind.RING,
                MarkKind.CIRCLE,
                MarkKind.DASHED_CIRCLE,
                MarkKind.DASHED_RING,
                MarkKind.HATCHED_CIRCLE,
            )
        ),
        "ARCS": frozenset((MarkKind.ARC,)),
        "GLYPHS": _PIXEL_KINDS - {MarkKind.NUMBER},
        "NUMBERS": frozenset((MarkKind.NUMBER,)),
    }
)
_EAST, _NORTH = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
_ARROWHEAD_LENGTH = 4.0  # length of the arrowhead of an arc, in stroke widths


def make_mark_arrays(
    marks: Sequence[Mark], balls: BallArrays, camera: Camera, width: int, height: int, scale: float
) -> tuple[Floats, Floats]:
    """Return the rows (n, FLOATS_PER_MARK) for ``marks``, and the spheres (m, 4) that may hide them.

    ``width`` and ``height`` are the size of the image in pixels, and ``scale`` is the number of pixels per logical
    pixel. Each row contains the range of the spheres that may hide its mark.
    """
    rows = np.zeros((len(marks), FLOATS_PER_MARK), dtype=np.float32)
    if not marks:
        return rows, np.zeros((1, 4), np.float32)
    eye = camera.eye(width / height)
    solid = balls.rows[(balls.rows[:, 7] > 0.5) & ~balls.is_bead][:, :4].astype(np.float64)
    right, up, _ = camera.axes()
    at = np.array([mark.position for mark in marks])
    spots, depth = camera.project(at, width, height)
    pixel = 1.0 / camera.projected_radius(1.0, depth, height)  # world units per pixel at each mark
    ends, depth_to = camera.project(np.array([mark.end for mark in marks]), width, height)
    pixel_to = 1.0 / camera.projected_radius(1.0, depth_to, height)
    long = np.linalg.norm(ends - spots, axis=1)  # lengths of lines, in pixels
    sizes = np.array([mark.size for mark in marks])
    reach = np.zeros(len(marks))  # extent of each mark, and its extent towards the camera
    toward = np.zeros(len(marks))
    for i, mark in enumerate(marks):
        unit, size = float(pixel[i]), mark.size
        edge = (mark.stroke_width / 2 + 3.0) * scale * unit
        middle = at[i]
        if mark.kind in _LINE_KINDS:
            end = np.array(mark.end)
            along = (end - middle) / 2
            middle = middle + along
            aside = _cross(along, eye - middle)
            half = (mark.size + (8.0 if mark.kind is MarkKind.BROKEN_LINE else 2.0)) * scale
            across, upward = along, aside * (half * unit / max(math.sqrt(float(aside @ aside)), 1e-9))
            extent = (float(long[i]) / 2, half)
            reach[i] = half * unit
        elif mark.kind is MarkKind.ARC:
            size = _ARROWHEAD_LENGTH * mark.stroke_width
            rims = RADIUS / unit, RADIUS / float(pixel_to[i])
            begin, bend, end = arc_curve(spots[i], ends[i], rims, scale)
            middle, across, upward = (
                (right * x - up * y) * unit for x, y in (begin - spots[i], bend - begin, end - begin)
            )
            middle = middle + at[i]
            extent = unit, (size + mark.stroke_width) * scale
            reach[i] = (float(long[i]) + size) * unit
        elif mark.kind in _PIXEL_KINDS:
            flat_right, flat_up = right, up
            if mark.kind in _ON_MARBLE:
                size = min(size, _ON_MARBLE_SIZE / unit / scale)
            elif mark.kind is MarkKind.CHEVRON:
                size = min(max(mark.size / unit / scale, CHEVRON_SIZE_RANGE_PX[0]), CHEVRON_SIZE_RANGE_PX[1])
                if long[i] > 1e-6:
                    x, y = (ends[i] - spots[i]) / long[i]
                    flat_right, flat_up = right * x - up * y, right * y + up * x
            half = (size + 4.0) * scale
            across, upward, extent = flat_right * (half * unit), flat_up * (half * unit), (half, half)
            reach[i] = half * unit
        elif mark.kind in _FLAT_KINDS:
            # Seen at a slant, a stroke of constant width on screen is wider on the board.
            to = eye - middle
            half = mark.size + edge / max(float(to[2]) / math.sqrt(float(to @ to)), 0.2)
            across, upward, extent = half * _EAST, half * _NORTH, (half, half)
            reach[i] = toward[i] = mark.size + 4.0 * scale * unit
        else:
            # In perspective, a sphere looks slightly larger than a disc through its centre.
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
        rows[i, :3], rows[i, 3], rows[i, 4:7], rows[i, 7:10] = middle, mark.stroke_width, across, upward
        rows[i, 10:12], rows[i, 13], rows[i, 14:17] = extent, float(mark.kind), rgb(mark.colour)
        begin_ = mark.number if mark.kind is MarkKind.NUMBER else mark.sector_start
        rows[i, 17:20] = mark.alpha, begin_, mark.sector_fraction
    rows[:, 12] = sizes
    over = np.array([mark.on_top for mark in marks])
    hiding = _find_occluders(solid, eye, at, reach, toward) & ~over[:, None]
    count = hiding.sum(axis=1)
    rows[:, 20], rows[:, 21] = np.cumsum(count) - count, count
    joined = solid[np.nonzero(hiding)[1]].astype(np.float32)
    return rows, joined if len(joined) else np.zeros((1, 4), np.float32)


def arc_curve(
    start: Array, end: Array, radii: tuple[float, float], scale: float
) -> tuple[Array, Array, Array]:
    """Return an arc between two marbles as a quadratic Bézier curve: start, control point and end.

    Coordinates are in pixels, with y pointing down. ``start`` and ``end`` are the centres of the marbles, and ``radii``
    their radii. The arc runs from rim to rim, leaving a gap of ``scale`` pixels at each. It curves upward in the image,
    or sideways if it is vertical, far enough to clear both marbles. Its height is about a third of the distance between
    their centres, or more if they are close together.
    """
    way = end - start
    long = math.sqrt(float(way @ way))
    if long < 1e-6:
        way, long = np.array([1e-6, 0.0]), 1e-6
    upward = np.array([way[1], -way[0]]) / long
    if upward[1] > 1e-6:  # a vertical arc curves left if it goes up, right if it goes down
        upward = -upward
    bend = (start + end) / 2 + upward * max(0.66 * long, 3.0 * max(radii))
    t = np.linspace(0.0, 1.0, 129)[:, None]
    curve = (1 - t) ** 2 * start + 2 * t * (1 - t) * bend + t * t * end
    off = [
        np.hypot(*(curve - middle).T) > rim + scale for middle, rim in zip((start, end), radii, strict=True)
    ]
    first, last = float(t[off[0].argmax(), 0]), 1.0 - float(t[off[1][::-1].argmax(), 0])

    def control_point(a: float, b: float) -> Array:
        result: Array = (1 - a) * (1 - b) * start + (a * (1 - b) + b * (1 - a)) * bend + a * b * end
        return result

    return control_point(first, first), control_point(first, last), control_point(last, last)


def _cross(a: Array, b: Array) -> Array:
    """Return the cross product of two vectors.

    For single vectors, this is faster than ``numpy.cross``.
    """
    return np.array(
        (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]), dtype=np.float64
    )


def _find_occluders(
    spheres: Array, eye: Array, centres: Array, reach: Array, depth_reach: Array
) -> NDArray[np.bool_]:
    """Return a Boolean array (n, m) that says for each mark which spheres may hide it.

    A sphere may hide a mark if it is nearer to the camera and overlaps the mark in the image, unless it contains the
    mark. ``centres`` (n, 3) are the centres of the marks. ``reach`` (n,) is how far each mark extends from its centre,
    and ``depth_reach`` (n,) how far it extends away from the camera.
    """
    to, way = spheres[:, :3] - eye, centres - eye
    away = np.sqrt(np.einsum("ij,ij->i", way, way))
    along = (way / away[:, None]) @ to.T
    off = np.sqrt(np.maximum(np.einsum("ij,ij->i", to, to) - along * along, 0.0))
    apart = spheres[None, :, :3] - centres[:, None, :]
    own = np.einsum("ijk,ijk->ij", apart, apart) < (0.8 * spheres[:, 3]) ** 2
    near = along - spheres[:, 3] < (away + depth_reach)[:, None]
    result: NDArray[np.bool_] = (off < spheres[:, 3] + reach[:, None]) & near & ~own
    return result
