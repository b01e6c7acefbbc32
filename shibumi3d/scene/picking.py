"""Hit testing: which object is under the pointer.

Rays are cast on the CPU with NumPy.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.camera import Camera
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, RADIUS, Array, Vector

CLICK_TOLERANCE_PX = 16.0  # click tolerance around the centre of a target, in logical pixels
AMBIGUITY_RADIUS_PX = 6.0  # targets with centres this near to the pointer, in logical pixels, are ambiguous


class PickShape(IntEnum):
    """Shape of an object, for hit testing."""

    SPHERE = 0  # a marble
    HORIZONTAL_DISC = 1  # a horizontal disc: a hole with the ring around it
    FACING_DISC = 2  # a disc that faces the camera: a chevron


class PickableObject(NamedTuple):
    """Visible object, for hit testing.

    ``position`` is its centre and ``radius`` its radius in marble diameters. ``radius_range_px`` limits its radius on
    the screen: it contains the minimum and the maximum in logical pixels. If ``is_target`` is set, the object is a
    target: a click that hits no object selects the nearest target if that is close enough.
    """

    position: Vector
    radius: float = RADIUS
    shape: PickShape = PickShape.SPHERE
    is_target: bool = True
    radius_range_px: tuple[float, float] = (0.0, np.inf)


BoardSquare = tuple[float, float, float]
"""Centre (x, y) of a board, and half its side length. The upper surface of the board hides what is behind it."""


def pick_many(
    camera: Camera,
    width: float,
    height: float,
    pixels: Array,
    objects: Sequence[PickableObject],
    slabs: Sequence[BoardSquare] = (),
    scale: float = 1.0,
) -> NDArray[np.int64]:
    """Return the index of the object selected by each of ``pixels`` (n, 2), or -1 if it selects nothing.

    A pixel selects the first object that its ray hits. If the ray hits no object, or first hits one of the boards
    (``slabs``), the pixel selects the visible target with the nearest centre. Targets are the objects with
    ``is_target`` set. A target counts only if its centre is no farther from the pixel than its radius or
    ``CLICK_TOLERANCE_PX``, whichever is larger.

    Pixels are counted from the top left corner; ``scale`` is the number of pixels per logical pixel.
    """
    if not objects:
        return np.full(len(pixels), -1)
    scene = _project(camera, width, height, tuple(objects), tuple(slabs), scale)
    return _pick_many(scene, camera, width, height, pixels)


def _pick_many(
    scene: _ProjectedObjects, camera: Camera, width: float, height: float, pixels: Array
) -> NDArray[np.int64]:
    _, ways = camera.rays(pixels, width, height)
    distances = scene.object_distances(ways)
    result: NDArray[np.int64] = distances.argmin(axis=1)
    nothing = ~(distances[np.arange(len(pixels)), result] < scene.board_distances(ways))
    if nothing.any():
        result[nothing] = scene.nearest_targets(pixels[nothing])
    return result


def pick(
    camera: Camera,
    width: float,
    height: float,
    x: float,
    y: float,
    objects: Sequence[PickableObject],
    slabs: Sequence[BoardSquare] = (),
    scale: float = 1.0,
) -> int | None:
    """Return the index of the object selected by pixel (x, y), or None; see :func:`pick_many`."""
    found = int(pick_many(camera, width, height, np.array([[x, y]]), objects, slabs, scale)[0])
    return None if found < 0 else found


def targets_near(
    camera: Camera,
    width: float,
    height: float,
    x: float,
    y: float,
    objects: Sequence[PickableObject],
    scale: float = 1.0,
) -> list[int]:
    """Return the indices of the targets whose centres are within ``AMBIGUITY_RADIUS_PX`` of pixel (x, y).

    The radius is in logical pixels; ``scale`` is the number of pixels per logical pixel. The indices are sorted by the
    depth of the targets along the view direction, the nearest first. Hidden targets are included.
    """
    aims = [i for i, thing in enumerate(objects) if thing.is_target]
    if not aims:
        return []
    pixels, depth = camera.project(np.array([objects[i].position for i in aims]), width, height)
    near = np.hypot(*(pixels - (x, y)).T) <= AMBIGUITY_RADIUS_PX * scale
    return [aims[i] for i in np.argsort(depth, kind="stable") if near[i]]


def find_pick_pixels(
    camera: Camera,
    width: float,
    height: float,
    objects: Sequence[PickableObject],
    slabs: Sequence[BoardSquare] = (),
    scale: float = 1.0,
) -> list[tuple[tuple[float, float], bool]]:
    """Return, for each object, a pixel and whether that pixel selects the object.

    The pixel is the centre of the object if that is visible, and otherwise lies in the largest visible part of the
    object. If none of the pixels tried selects the object, its centre is returned with False.
    """
    if not objects:
        return []
    scene = _project(camera, width, height, tuple(objects), tuple(slabs), scale)
    ways = [(part, math.tau * a / count) for part, count in _SAMPLE_RINGS for a in range(count)]
    round_ = np.array([(part * math.cos(angle), part * math.sin(angle)) for part, angle in ways])
    result: list[tuple[tuple[float, float], bool]] = []
    for i, thing in enumerate(objects):
        if thing.shape is PickShape.HORIZONTAL_DISC:
            level = scene.positions[i] + np.column_stack([round_, np.zeros(len(round_))]) * scene.radius[i]
            places, _ = camera.project(level, width, height)
        else:
            places = scene.pixels[i] + round_ * (scene.radius[i] * scene.pixels_per_unit[i])
        is_hit = _pick_many(scene, camera, width, height, places) == i
        best = 0
        if not is_hit[0] and is_hit.any():
            apart = np.linalg.norm(round_[:, None, :] - round_[is_hit][None, :, :], axis=2)
            best = int(np.where(is_hit, (apart < _NEIGHBOURHOOD_RADIUS).sum(axis=1), -1).argmax())
        x, y = places[best]
        result.append(((float(x), float(y)), bool(is_hit.any())))
    return result


_SAMPLE_RINGS = ((0.0, 1), (0.3, 6), (0.6, 12), (0.85, 18))  # rings of samples: radius and number of samples
_NEIGHBOURHOOD_RADIUS = 0.4  # radius of the neighbourhood whose visible samples are counted, in radii


@functools.lru_cache(maxsize=4)
def _project(
    camera: Camera,
    width: float,
    height: float,
    objects: tuple[PickableObject, ...],
    slabs: tuple[BoardSquare, ...],
    scale: float,
) -> _ProjectedObjects:
    """Return the projected objects; they come from a cache while only the pointer moves."""
    return _ProjectedObjects(camera, width, height, objects, slabs, scale)


class _ProjectedObjects:
    """Pickable objects as arrays, with their projections onto the screen and values that are the same for all rays."""

    def __init__(
        self,
        camera: Camera,
        width: float,
        height: float,
        objects: Sequence[PickableObject],
        slabs: Sequence[BoardSquare],
        scale: float,
    ) -> None:
        # Building the array from flat tuples is several times faster than from nested ones.
        data = np.array([(*t.position, t.radius, t.shape, t.is_target, *t.radius_range_px) for t in objects])
        self.positions, self.radius, self.shape, self.is_target = (
            data[:, :3],
            data[:, 3],
            data[:, 4],
            data[:, 5] > 0,
        )
        self.pixels, self.depth = camera.project(self.positions, width, height)
        self.pixels_per_unit = camera.projected_radius(
            1.0, self.depth, height
        )  # pixels per marble diameter, for each object
        least, most = data[:, 6:].T * (scale / self.pixels_per_unit)
        self.radius = np.minimum(np.maximum(self.radius, least), most)
        self.slabs, self.scale = slabs, scale
        self.eye = camera.eye(width / height)
        to = self.positions - self.eye
        self._to_objects, self._squared_radius = to.T.copy(), self.radius**2
        self._base_inside = self._squared_radius - np.einsum("ij,ij->i", to, to)
        self._is_ball = np.where(self.shape == PickShape.SPHERE, 1.0, 0.0)
        self._discs: list[tuple[Array, NDArray[np.int64], Array, Array]] = []
        """For each disc shape in use: normal, indices, offsets from the eye, and their components along the normal."""
        for shape, normal in (
            (PickShape.HORIZONTAL_DISC, np.array([0.0, 0.0, 1.0])),
            (PickShape.FACING_DISC, camera.axes()[2]),
        ):
            which = np.flatnonzero(self.shape == shape)
            if len(which):
                self._discs.append((normal, which, to[which], to[which] @ normal))

    def object_distances(self, directions: Array) -> Array:
        """Return the distance from the eye to each of the m objects, along each of n rays.

        ``directions`` (n, 3) contains the unit directions of the rays. The result has the shape (n, m). It is infinite
        where a ray misses an object.
        """
        along = directions @ self._to_objects
        inside = self._base_inside + along**2
        at = along - np.sqrt(np.maximum(inside, 0.0) * self._is_ball)
        for normal, which, to, beyond in self._discs:
            with np.errstate(divide="ignore", invalid="ignore"):
                plane = beyond[None, :] / (directions @ normal)[:, None]
            off = directions[:, None, :] * plane[:, :, None] - to
            at[:, which] = plane
            inside[:, which] = self._squared_radius[which] - np.einsum("ijk,ijk->ij", off, off)
        return np.where((inside >= 0.0) & (at > 0.0), at, np.inf)

    def board_distances(self, directions: Array) -> Array:
        """Return the distance along each ray from the eye to the nearest board, plus a margin.

        ``directions`` (n, 3) contains the directions of the rays. The distance is infinite where a ray misses all
        boards.
        """
        eye, found = self.eye, np.full(len(directions), np.inf)
        if not self.slabs:
            return found
        with np.errstate(divide="ignore", invalid="ignore"):
            down = (BOARD_TOP_Z - eye[2]) / directions[:, 2]
        places = eye[:2] + directions[:, :2] * down[:, None]
        for x, y, half in self.slabs:
            on = (np.abs(places - (x, y)) <= half).all(axis=1) & (down > 0)
            # The margin keeps holes, which are in the surface, from being hidden by it.
            found[on] = np.minimum(found[on], down[on] + 0.02)
        return found

    def nearest_targets(self, pixels: Array) -> NDArray[np.int64]:
        """Return the index of the visible target whose centre is closest to each pixel (n, 2), or -1 if none is near.

        Targets farther away than both their radius and ``CLICK_TOLERANCE_PX`` do not count.
        """
        result = np.full(len(pixels), -1)
        reach = np.where(
            self.is_target,
            np.maximum(self.radius * self.pixels_per_unit, CLICK_TOLERANCE_PX * self.scale),
            -1.0,
        )
        off = pixels[:, None, :] - self.pixels
        away = np.sqrt(np.einsum("ijk,ijk->ij", off, off))
        near = np.flatnonzero((away <= reach).any(axis=0))
        if not len(near):
            return result
        ways = self.positions[near] - self.eye
        long = np.sqrt(np.einsum("ij,ij->i", ways, ways))
        ways /= long[:, None]
        distances = self.object_distances(ways)
        own = distances[np.arange(len(near)), near]
        seen = near[(distances.min(axis=1) >= own - 1e-9) & (own < self.board_distances(ways))]
        if not len(seen):
            return result
        # Among targets equally near to within half a pixel, take the one nearest to the camera.
        rank = np.round(away[:, seen] / self.scale * 2) + self.depth[seen] / (self.depth[seen].max() + 1.0)
        rank[away[:, seen] > reach[seen]] = np.inf
        best = rank.argmin(axis=1)
        good = rank[np.arange(len(pixels)), best] < np.inf
        result[good] = seen[best[good]]
        return result
