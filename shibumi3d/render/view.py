"""One frame as one eye sees it: what every pass wants to know."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.render.room import uniforms
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.layout import Array
from shibumi3d.scene.palette import Theme


@dataclass(frozen=True, slots=True)
class View:
    """``eye`` (3,) is in the world, ``matrix`` (4, 4) view times projection for row vectors."""

    frame: Frame
    camera: Camera
    aspect: float
    eye: Array
    matrix: Array
    uniforms: dict[str, object]
    """Those of light.glsl and of all programs that draw the scene."""

    @property
    def theme(self) -> Theme:
        """The colours of the frame."""
        return self.frame.theme


def view(frame: Frame, camera: Camera, aspect: float) -> View:
    """Return ``frame`` seen by ``camera`` in a picture of ``aspect``, width by height."""
    eye = camera.eye(aspect)
    look, projection = camera.matrices(aspect)
    matrix = look @ projection
    common = {
        "u_view": matrix.astype("f4").tobytes(),
        "u_eye": tuple(eye),
        **uniforms(frame.theme, frame.boards),
    }
    return View(frame, camera, aspect, eye, matrix, common)
