"""Off-screen screenshots, which need no window or display."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from shibumi3d.i18n import LocalizedError
from shibumi3d.render.png import png
from shibumi3d.render.renderer import Renderer
from shibumi3d.render.shader_cache import ensure_room
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.eyes import seen
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.palette import Theme

_OFFSCREEN: dict[str, Any] = {"backend": "egl"}


class NoGraphics(LocalizedError, RuntimeError):
    """Raised when there is no usable OpenGL. The message is a single plain sentence."""


class Studio:
    """Off-screen renderer that can take several pictures in one OpenGL context.

    It can be used as a context manager. Raises :class:`NoGraphics` if there is no OpenGL 3.3.
    """

    def __init__(self, tier: str = "medium") -> None:
        ensure_room()
        try:
            self.ctx = moderngl.create_context(standalone=True, require=330, **_OFFSCREEN)
        except Exception as cause:  # moderngl raises plain Exception for every failure
            raise NoGraphics("No 3D graphics driver (OpenGL 3.3) was found.") from cause
        self.renderer = Renderer(self.ctx, tier)
        self._target: moderngl.Framebuffer | None = None

    def __enter__(self) -> Studio:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def pixels(
        self, frame: Frame, camera: Camera, width: int, height: int, scale: float = 1.0, samples: int = 1
    ) -> NDArray[np.uint8]:
        """Return the image of ``frame`` as an array (height, width, 3), with rows from the top.

        If ``samples`` is above 1, the image is the mean of that many renderings.
        """
        if self._target is None or self._target.size != (width, height):
            old, self._target = self._target, self.ctx.framebuffer([self.ctx.texture((width, height), 3)])
            self._target.use()
            if old:
                _free(old)
        if samples > 1:
            for _ in self.renderer.gather(frame, camera, width, height, samples):
                pass
            self.renderer.present(frame, camera, self._target, width, height, scale)
        else:
            self.renderer.draw(frame, camera, self._target, width, height, scale)
        data = np.frombuffer(self._target.read(components=3, alignment=1), dtype=np.uint8)
        return np.ascontiguousarray(data.reshape(height, width, 3)[::-1])

    def release(self) -> None:
        """Free the renderer and the context."""
        self.renderer.release()
        if self._target:
            _free(self._target)
        self.ctx.release()


def _free(target: moderngl.Framebuffer) -> None:
    attachments = target.color_attachments
    target.release()
    for attachment in attachments:
        attachment.release()


def shot(
    frame: Frame,
    camera: Camera,
    width: int,
    height: int,
    theme: Theme | None = None,
    tier: str = "medium",
    scale: float = 1.0,
    eyes: Sequence[str] = (),
    small: bool = False,
    samples: int = 1,
) -> bytes:
    """Return an image of ``frame`` as a PNG file.

    ``theme`` overrides the theme of the frame. ``scale`` is the number of physical pixels per logical pixel. ``eyes``
    are the types of colour vision to simulate, as keys of :data:`palette.EYES`; if there are several, their images are
    arranged in two columns. ``small`` is passed to :func:`png`. ``samples`` is the number of renderings to average,
    each shifted by part of a pixel; more samples give smoother edges. Raises :class:`NoGraphics` if there is no OpenGL
    3.3.
    """
    with Studio(tier) as studio:
        studio.renderer.pace.fix(1.0)
        shown = replace(frame, theme=theme) if theme else frame
        taken = studio.pixels(shown, camera, width, height, scale, samples)
    copies = [seen(taken, kind) for kind in eyes] or [taken]
    if len(copies) > 1:
        copies += [np.full_like(taken, 255)] * (len(copies) % 2)
        copies = [np.hstack(copies[i : i + 2]) for i in range(0, len(copies), 2)]
    return png(np.vstack(copies), small)
