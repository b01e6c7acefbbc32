"""The eye: it turns about the middle of the pyramid, within limits, and never rolls or wanders off."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from pyrr import matrix44

from shibumi3d.scene.layout import Array, Vector, layout

FIELD = 28.0  # vertical field of view in degrees
PITCH = (20.0, 90.0)
ZOOM = (0.7, 1.8)
STEP = 1.08  # the most that one wheel event may change the distance
DEGREES_A_PIXEL = 0.35
HOME_YAW = -24.0
HOME_PITCH = 36.0


@dataclass(frozen=True, slots=True)
class Camera:
    """A view.

    ``yaw`` is where the eye stands, in degrees: 0 south of the board, 90 east. ``pitch`` is its height above
    the horizon in degrees, held to 20-90. ``zoom`` multiplies the distance at which everything fits, held to
    0.7-1.8. ``target`` is the point looked at; ``reach`` and ``depth`` are how far what must fit into the
    picture extends from there, east-west and north-south: unequal only when boards stand side by side.
    """

    yaw: float = HOME_YAW
    pitch: float = HOME_PITCH
    zoom: float = 1.0
    target: Vector = (0.0, 0.0, -0.17)
    reach: float = 3.65
    depth: float = 3.65

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
        return replace(self, yaw=HOME_YAW * self.depth / self.reach, pitch=HOME_PITCH, zoom=1.0)

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
            mix(self.reach, other.reach),
            mix(self.depth, other.depth),
        )

    def distance(self, aspect: float) -> float:
        """How far the eye is from the target when the picture is ``aspect`` times as wide as high."""
        half = math.radians(FIELD / 2)
        across = math.atan(math.tan(half) * aspect)
        # An ellipse as seen from this side: how far it reaches to the side, and away from the eye.
        turn = math.radians(self.yaw)
        wide = math.hypot(self.reach * math.cos(turn), self.depth * math.sin(turn))
        deep = math.hypot(self.reach * math.sin(turn), self.depth * math.cos(turn))
        # Seen from a height a board is lower than it is deep, so that it may fill more of the height.
        return self.zoom * max(0.93 * deep / math.sin(half), 1.05 * wide / math.tan(across) + 0.5 * deep)

    def axes(self) -> tuple[Array, Array, Array]:
        """Unit vectors (3,) of the picture in the world: right, up, and backward (from target to eye)."""
        yaw, pitch = math.radians(self.yaw), math.radians(self.pitch)
        right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
        back = np.array([math.sin(yaw) * math.cos(pitch), -math.cos(yaw) * math.cos(pitch), math.sin(pitch)])
        return right, np.cross(back, right), back

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
        across = (2 * x / width - 1) * tall * width / height
        direction = right * across + up * (1 - 2 * y / height) * tall - back
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


@functools.lru_cache(maxsize=64)
def _matrices(camera: Camera, aspect: float) -> tuple[Array, Array]:
    distance = camera.distance(aspect)
    eye = camera.eye(aspect)
    # The up vector of the picture itself keeps straight down from being a special case.
    view = matrix44.create_look_at(eye, np.array(camera.target), camera.axes()[1])
    near, far = max(distance - 3 * camera.reach, 0.1), distance + 12 * camera.reach
    projection = matrix44.create_perspective_projection(FIELD, aspect, near, far)
    return np.asarray(view, dtype=np.float64), np.asarray(projection, dtype=np.float64)


def home(sizes: Sequence[int]) -> Camera:
    """The view at the start of boards of ``sizes``: all of them, whole pyramids in the picture."""
    plan = layout(tuple(sizes))
    return Camera(target=(0.0, 0.0, 0.12 * plan.height - 0.42), reach=plan.reach, depth=plan.depth).home()


HOME = home((4,))
TOP = HOME.top()
