"""The eye: it turns about the middle of the pyramid, within limits, and never rolls or wanders off."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from pyrr import matrix44

from shibumi3d.scene.layout import RADIUS, TABLE, Array, Vector, half_side, layout
from shibumi3d.scene.layout import TOP as SURFACE

FIELD = 28.0  # vertical field of view in degrees
PITCH = (20.0, 90.0)
ZOOM = (0.7, 1.8)
WIDEST = 4.0  # a picture so wide that its height decides
STEP = 1.08  # the most that one wheel event may change the distance
DEGREES_A_PIXEL = 0.35
HOME_YAW = -24.0
HOME_PITCH = 36.0
MARGIN = 0.04  # of the height, kept free around what must fit into the picture

Inset: TypeAlias = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Camera:
    """A view.

    ``yaw`` is where the eye stands, in degrees: 0 south of the board, 90 east. ``pitch`` is its height above
    the horizon in degrees, held to 20-90. ``zoom`` multiplies the distance at which full pyramids on boards of
    ``sizes`` fit into the picture, held to 0.7-1.8. ``target`` is the point looked at.

    ``inset`` is the part of the picture (left, top, right, bottom; of its width or height) that something else
    covers: the target is in the middle of the rest, and the boards fit into that. ``corners`` are width and
    height of what covers the two lower corners only, counted the same.
    """

    yaw: float = HOME_YAW
    pitch: float = HOME_PITCH
    zoom: float = 1.0
    target: Vector = (0.0, 0.0, 0.0)
    sizes: tuple[int, ...] = (4,)
    inset: Inset = (0.0, 0.0, 0.0, 0.0)
    corners: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "yaw", (self.yaw + 180) % 360 - 180)
        object.__setattr__(self, "pitch", min(max(self.pitch, PITCH[0]), PITCH[1]))
        object.__setattr__(self, "zoom", min(max(self.zoom, ZOOM[0]), ZOOM[1]))

    def orbit(self, dx: float, dy: float) -> Camera:
        """Turned by a drag of (dx, dy) logical pixels, y downwards: the table follows the pointer."""
        return self.turned(-dx * DEGREES_A_PIXEL, dy * DEGREES_A_PIXEL)

    def turned(self, yaw: float, pitch: float = 0.0) -> Camera:
        """Turned by ``yaw`` and ``pitch`` degrees."""
        return replace(self, yaw=self.yaw + yaw, pitch=self.pitch + pitch)

    def zoomed(self, steps: float) -> Camera:
        """Nearer by ``steps`` turns of the wheel (negative: farther), 8 % each and at most 8 % a call."""
        return replace(self, zoom=self.zoom * STEP ** -min(max(steps, -1.0), 1.0))

    def home(self) -> Camera:
        """The view at the start: everything in the picture, slightly turned, a row of boards less."""
        plan = layout(self.sizes)
        return replace(self, yaw=HOME_YAW * plan.depth / plan.reach, pitch=HOME_PITCH, zoom=1.0)

    def within(self, inset: Inset, corners: tuple[float, float] = (0.0, 0.0)) -> Camera:
        """The same view of a picture of which a part is covered; see the class."""
        return replace(self, inset=inset, corners=corners)

    def top(self) -> Camera:
        """Straight down, north up."""
        return replace(self, yaw=0.0, pitch=90.0)

    def side(self, index: int) -> Camera:
        """From a side: index into ``pyramid.SIDES`` (west, east, south, north)."""
        return replace(self, yaw=(-90.0, 90.0, 0.0, 180.0)[index], pitch=28.0)

    def towards(self, other: Camera, part: float) -> Camera:
        """The view ``part`` (0 to 1) of the way to ``other``, turning the short way round."""
        if part >= 1.0:
            return other
        turn = (other.yaw - self.yaw + 180) % 360 - 180

        def mix(a: float, b: float) -> float:
            return a + (b - a) * part

        return Camera(
            self.yaw + turn * part,
            mix(self.pitch, other.pitch),
            mix(self.zoom, other.zoom),
            (
                mix(self.target[0], other.target[0]),
                mix(self.target[1], other.target[1]),
                mix(self.target[2], other.target[2]),
            ),
            other.sizes,
            (
                mix(self.inset[0], other.inset[0]),
                mix(self.inset[1], other.inset[1]),
                mix(self.inset[2], other.inset[2]),
                mix(self.inset[3], other.inset[3]),
            ),
            (mix(self.corners[0], other.corners[0]), mix(self.corners[1], other.corners[1])),
        )

    def distance(self, aspect: float) -> float:
        """How far the eye is from the target when the picture is ``aspect`` times as wide as high."""
        return self.zoom * _fitting(self, aspect)

    @property
    def shift(self) -> tuple[float, float]:
        """Where the target is in the picture, from -1 to 1, rightward and upward."""
        left, top, right, bottom = self.inset
        return left - right, bottom - top

    def axes(self) -> tuple[Array, Array, Array]:
        """Unit vectors (3,) of the picture in the world: right, up, and backward (from target to eye)."""
        return _axes(self.yaw, self.pitch)

    def eye(self, aspect: float) -> Array:
        """Where the eye is (3,)."""
        return np.array(self.target) + self.axes()[2] * self.distance(aspect)

    def matrices(self, aspect: float) -> tuple[Array, Array]:
        """View and projection, (4, 4) each, for row vectors: ``[x, y, z, 1] @ view @ projection``."""
        return _matrices(self, aspect)

    def ray(self, x: float, y: float, width: float, height: float) -> tuple[Array, Array]:
        """The ray (origin, unit direction) through pixel (x, y), counted from the top left corner."""
        right, up, back = self.axes()
        tall = math.tan(math.radians(FIELD / 2))
        aside, above = self.shift
        across = (2 * x / width - 1 - aside) * tall * width / height
        direction = right * across + up * (1 - 2 * y / height - above) * tall - back
        return self.eye(width / height), direction / math.sqrt(float(direction @ direction))

    def project(self, points: Array, width: float, height: float) -> tuple[Array, Array]:
        """Pixels (n, 2) from the top left corner, and distances (n,) along the view, of ``points`` (n, 3)."""
        view, projection = self.matrices(width / height)
        at = np.atleast_2d(np.asarray(points, dtype=np.float64))
        clip = np.column_stack([at, np.ones(len(at))]) @ view @ projection
        screen = clip[:, :2] / clip[:, 3:]
        return (screen * (0.5, -0.5) + 0.5) * (width, height), clip[:, 3]

    def pixels(self, radius: float, depth: Array, height: float) -> Array:
        """How many pixels a length ``radius`` measures at distances ``depth`` (n,)."""
        return radius * height / (2 * math.tan(math.radians(FIELD / 2)) * depth)


def _axes(yaw: float, pitch: float) -> tuple[Array, Array, Array]:
    yaw, pitch = math.radians(yaw), math.radians(pitch)
    right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    back = np.array([math.sin(yaw) * math.cos(pitch), -math.cos(yaw) * math.cos(pitch), math.sin(pitch)])
    return right, np.cross(back, right), back


@functools.lru_cache(maxsize=32)
def _outermost(sizes: tuple[int, ...]) -> tuple[Array, Array]:
    """The corners (n, 3) of the slabs, and the centres (m, 3) of marbles whose hull holds all others."""
    plan = layout(sizes)
    slabs = [
        (x + sx * half_side(size), y + sy * half_side(size), z)
        for size, (x, y) in zip(sizes, plan.origins, strict=True)
        for sx in (-1, 1)
        for sy in (-1, 1)
        for z in (SURFACE, TABLE)
    ]
    marbles = [
        points[p]
        for size, points in zip(sizes, plan.points, strict=True)
        for p in (0, size - 1, size * (size - 1), size * size - 1, len(points) - 1)
    ]
    return np.array(slabs), np.array(marbles)


@functools.lru_cache(maxsize=64)
def _fitting(camera: Camera, aspect: float) -> float:
    """The distance from the target at which everything fits."""
    # One board may turn without coming nearer, so that its size is that at the start; a row of them can't.
    yaw = HOME_YAW if len(camera.sizes) == 1 else camera.yaw
    right, up, back = _axes(yaw, camera.pitch)
    slabs, marbles = (points - camera.target for points in _outermost(camera.sizes))
    aside = np.concatenate([np.abs(slabs @ right), np.abs(marbles @ right) + RADIUS])
    above = np.concatenate([slabs @ up, marbles @ up + RADIUS, marbles @ up - RADIUS])
    toward = np.concatenate([slabs @ back, marbles @ back, marbles @ back])
    aside = np.concatenate([aside, aside[len(slabs) :]])
    left, top, right_, bottom = camera.inset
    wide, high, tall = 1 - left - right_, 1 - top - bottom, math.tan(math.radians(FIELD / 2))
    margin = 2 * MARGIN

    def limit(part: Array, room: float) -> Array:
        result: Array = toward + part / (tall * max(room, 0.1))
        return result

    need = np.maximum(limit(aside, aspect * wide - margin), limit(np.abs(above), high - margin))
    if any(camera.corners):
        # Beside what covers a corner, or above it: whichever needs less room.
        beside = limit(aside, aspect * (wide - 2 * camera.corners[0]) - margin)
        clear = limit(np.maximum(-above, 0.0), high - 2 * camera.corners[1] - margin)
        need = np.maximum(need, np.minimum(beside, clear))
    return float(need.max())


@functools.lru_cache(maxsize=64)
def _matrices(camera: Camera, aspect: float) -> tuple[Array, Array]:
    distance = camera.distance(aspect)
    eye = camera.eye(aspect)
    # The up vector of the picture itself keeps straight down from being a special case.
    view = matrix44.create_look_at(eye, np.array(camera.target), camera.axes()[1])
    reach = layout(camera.sizes).reach
    near, far = max(distance - 3 * reach, 0.1), distance + 12 * reach
    projection = matrix44.create_perspective_projection(FIELD, aspect, near, far)
    projection[2, :2] -= camera.shift  # the target beside the middle of the picture
    return np.asarray(view, dtype=np.float64), np.asarray(projection, dtype=np.float64)


def home(
    sizes: Sequence[int],
    inset: Inset = (0.0, 0.0, 0.0, 0.0),
    corners: tuple[float, float] = (0.0, 0.0),
) -> Camera:
    """The view at the start of boards of ``sizes``: all of them, whole pyramids in the picture.

    ``inset`` and ``corners`` tell what covers the picture, see :class:`Camera`.
    """
    view = _home(tuple(sizes))
    left, top, right, bottom = inset
    # Above what covers the corners there may be more room than between it.
    choices = (view.within(inset, corners), view.within((left, top, right, bottom + corners[1])))
    return min(choices, key=lambda choice: _fitting(choice, 16 / 9))


@functools.lru_cache(maxsize=32)
def _home(sizes: tuple[int, ...]) -> Camera:
    top = layout(sizes).height
    # The target is where the boards need the least room.
    views = [Camera(target=(0.0, 0.0, top * part / 40 - 0.4), sizes=sizes).home() for part in range(41)]
    return min(views, key=lambda view: _fitting(view, WIDEST))


HOME = home((4,))
TOP = HOME.top()
