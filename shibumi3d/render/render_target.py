"""Off-screen render target for the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import moderngl
import numpy as np

from shibumi3d.scene.marbles.layout import Array

TextureMaker: TypeAlias = Callable[[tuple[int, int]], moderngl.Texture]
"""Function that makes a texture of the given size for an image with 8 bits per channel."""


class RenderTarget:
    """Render target with a depth buffer.

    ``size`` is its width and height in pixels, and ``samples`` is the number of multisampling samples, 0 for none. If
    ``is_linear`` is set, the image stores linear light as 16-bit floats. Otherwise it stores 8 bits per channel, and
    ``make_texture``, if given, makes its texture. ``texture`` contains the image after :meth:`resolve`.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        size: tuple[int, int],
        samples: int,
        is_linear: bool,
        make_texture: TextureMaker | None = None,
    ) -> None:
        self.size = size
        parts, dtype = (4, "f2") if is_linear else (3, "f1")
        self.texture = (
            make_texture(size) if make_texture and not is_linear else ctx.texture(size, parts, dtype=dtype)
        )
        self.texture.filter = moderngl.LINEAR, moderngl.LINEAR
        self.texture.repeat_x = self.texture.repeat_y = False
        self.multisampled: moderngl.Framebuffer | None = None
        self._depth = ctx.depth_renderbuffer(size, samples=samples)
        self._target = ctx.framebuffer([self.texture], None if samples else self._depth)
        if samples:
            self._buffer = ctx.renderbuffer(size, parts, samples=samples, dtype=dtype)
            self.multisampled = ctx.framebuffer([self._buffer], self._depth)
        self._active = self.multisampled or self._target
        self._is_linear = is_linear

    def use(self) -> None:
        """Bind this target for drawing."""
        self._active.use()

    def clear(self, colour: Array, tile: tuple[int, int, int, int] | None = None) -> None:
        """Fill the image, or only ``tile``, with the linear ``colour``, and reset its depth.

        ``tile`` is left, bottom, width and height in pixels. Unless the image is linear, the components of ``colour``
        must be at most 0.82, because the conversion to sRGB here doesn't compress brighter light.
        """
        self._active.depth_mask = True
        root = np.sqrt(colour)
        # The same as to_srgb() in light.glsl, so that no edge is visible where a surface fades into this colour.
        red, green, blue = (colour if self._is_linear else root * (1.164 - 0.155 * root) - 0.009).tolist()
        self._active.clear(red, green, blue, 1.0, depth=1.0, viewport=tile)

    def set_depth_mode(self, ctx: moderngl.Context, test_depth: bool, write_depth: bool = False) -> None:
        """Set whether drawing tests the depth buffer (``test_depth``) and writes to it (``write_depth``)."""
        (ctx.enable if test_depth else ctx.disable)(moderngl.DEPTH_TEST)
        ctx.depth_func = "<="
        self._active.depth_mask = write_depth

    def set_colour_writes(self, enabled: bool) -> None:
        """Set whether drawing writes colour.

        This doesn't affect whether drawing writes depth.
        """
        self._active.color_mask = (enabled,) * 4

    def resolve(self, ctx: moderngl.Context) -> None:
        """Copy the multisampled image, if there is one, to ``texture``."""
        if self.multisampled:
            ctx.copy_framebuffer(self._target, self.multisampled)

    def release(self) -> None:
        """Free the render target, which must not be bound."""
        if self.multisampled:
            self.multisampled.release()
            self._buffer.release()
        self._target.release()
        self._depth.release()
        self.texture.release()
