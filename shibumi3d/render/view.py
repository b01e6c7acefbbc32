"""A frame as seen by a camera, with the data that all render passes share."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.render.lighting import light_uniforms
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.layout import Array
from shibumi3d.scene.palette import Theme


@dataclass(frozen=True, slots=True)
class View:
    """A frame as seen by a camera, with the data that all render passes share.

    ``aspect`` is the image's width divided by its height. ``eye`` (3,) is the camera position in world coordinates.
    ``matrix`` (4, 4) is view times projection, for row vectors.
    """

    frame: Frame
    camera: Camera
    aspect: float
    eye: Array
    matrix: Array
    uniforms: dict[str, object]
    """Uniforms of light.glsl, and those shared by all programs that draw the scene."""

    @property
    def theme(self) -> Theme:
        """Theme of the frame."""
        return self.frame.theme


def make_view(frame: Frame, camera: Camera, aspect: float) -> View:
    """Return ``frame`` as seen by ``camera``; ``aspect`` is the image's width divided by its height."""
    eye = camera.eye(aspect)
    look, projection = camera.matrices(aspect)
    matrix = look @ projection
    common = {
        "u_view": matrix.astype("f4").tobytes(),
        "u_eye": tuple(eye),
        **light_uniforms(frame.theme, frame.boards),
    }
    return View(frame, camera, aspect, eye, matrix, common)
