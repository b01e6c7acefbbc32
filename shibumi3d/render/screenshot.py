"""Off-screen screenshots, which need no window or display."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from shibumi3d.i18n import LocalizedError
from shibumi3d.render.png import encode_png
from shibumi3d.render.renderer import Renderer
from shibumi3d.render.shader_cache import disable_cache_if_disk_full
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.colour_vision import simulate_colour_vision_srgb
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.palette import Theme

_CONTEXT_OPTIONS: dict[str, Any] = {"backend": "egl"}


class NoGraphicsError(LocalizedError, RuntimeError):
    """Raised when there is no usable OpenGL.

    The message is a single sentence for users.
    """


class OffscreenRenderer:
    """Off-screen renderer that can take several pictures in one OpenGL context.

    It can be used as a context manager. Raises :class:`NoGraphicsError` if there is no OpenGL 3.3.
    """

    def __init__(self, tier: str = "medium") -> None:
        disable_cache_if_disk_full()
        try:
            self.ctx = moderngl.create_context(standalone=True, require=330, **_CONTEXT_OPTIONS)
        except Exception as cause:  # moderngl raises plain Exception for every failure
            raise NoGraphicsError("No 3D graphics driver (OpenGL 3.3) was found.") from cause
        self.renderer = Renderer(self.ctx, tier)
        self._target: moderngl.Framebuffer | None = None

    def __enter__(self) -> OffscreenRenderer:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def render(
        self, frame: Frame, camera: Camera, width: int, height: int, scale: float = 1.0, samples: int = 1
    ) -> NDArray[np.uint8]:
        """Return the image of ``frame`` as an array (height, width, 3), top row first.

        ``scale`` is the number of physical pixels per logical pixel. If ``samples`` is above 1, the image is the mean
        of that many renderings.
        """
        if self._target is None or self._target.size != (width, height):
            old, self._target = self._target, self.ctx.framebuffer([self.ctx.texture((width, height), 3)])
            self._target.use()
            if old:
                _release_framebuffer(old)
        if samples > 1:
            for _ in self.renderer.accumulate(frame, camera, width, height, samples):
                pass
            self.renderer.present(frame, camera, self._target, width, height, scale)
        else:
            self.renderer.draw(frame, camera, self._target, width, height, scale)
        data = np.frombuffer(self._target.read(components=3, alignment=1), dtype=np.uint8)
        return np.ascontiguousarray(data.reshape(height, width, 3)[::-1])

    def release(self) -> None:
        """Free all OpenGL resources, including the context."""
        self.renderer.release()
        if self._target:
            _release_framebuffer(self._target)
        self.ctx.release()


def _release_framebuffer(target: moderngl.Framebuffer) -> None:
    attachments = target.color_attachments
    target.release()
    for attachment in attachments:
        attachment.release()


def take_screenshot(
    frame: Frame,
    camera: Camera,
    width: int,
    height: int,
    theme: Theme | None = None,
    tier: str = "medium",
    scale: float = 1.0,
    visions: Sequence[str] = (),
    reduce_size: bool = False,
    samples: int = 1,
) -> bytes:
    """Return an image of ``frame`` as a PNG file.

    ``theme`` overrides the theme of the frame. ``scale`` is the number of physical pixels per logical pixel.
    ``visions`` are the types of colour vision to simulate, as keys of :data:`.COLOUR_VISION_MATRICES`; if there are
    several, their images are arranged in two columns. ``reduce_size`` is passed to :func:`.encode_png`. ``samples`` is
    the number of renderings to average, each shifted by a fraction of a pixel; more samples give smoother edges. Raises
    :class:`NoGraphicsError` if there is no OpenGL 3.3.
    """
    with OffscreenRenderer(tier) as studio:
        studio.renderer.scale_control.fix_scale(1.0)
        shown = replace(frame, theme=theme) if theme else frame
        taken = studio.render(shown, camera, width, height, scale, samples)
    copies = [simulate_colour_vision_srgb(taken, kind) for kind in visions] or [taken]
    if len(copies) > 1:
        copies += [np.full_like(taken, 255)] * (len(copies) % 2)
        copies = [np.hstack(copies[i : i + 2]) for i in range(0, len(copies), 2)]
    return encode_png(np.vstack(copies), reduce_size)
