"""Off-screen render target for the scene."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.scene.marbles.layout import Array


class Picture:
    """Render target of ``size`` pixels with a depth buffer.

    ``samples`` is the number of multisampling samples, 0 for none. If ``linear`` is set, the picture stores linear
    light as 16-bit floats. ``texture`` contains the image after :meth:`resolve`.
    """

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], samples: int, linear: bool) -> None:
        self.size = size
        parts, dtype = (4, "f2") if linear else (3, "f1")
        self.texture = ctx.texture(size, parts, dtype=dtype)
        self.texture.filter = moderngl.LINEAR, moderngl.LINEAR
        self.texture.repeat_x = self.texture.repeat_y = False
        self.smooth: moderngl.Framebuffer | None = None
        self._depth = ctx.depth_renderbuffer(size, samples=samples)
        self._target = ctx.framebuffer([self.texture], None if samples else self._depth)
        if samples:
            self._buffer = ctx.renderbuffer(size, parts, samples=samples, dtype=dtype)
            self.smooth = ctx.framebuffer([self._buffer], self._depth)
        self._drawn = self.smooth or self._target
        self._linear = linear

    def use(self) -> None:
        """Bind the picture as the drawing target."""
        self._drawn.use()

    def clear(self, floor: Array, tile: tuple[int, int, int, int] | None = None) -> None:
        """Fill the picture, or only ``tile``, with the colour ``floor``, and reset its depth."""
        self._drawn.depth_mask = True
        red, green, blue = (floor if self._linear else np.sqrt(floor * 0.9)).tolist()
        self._drawn.clear(red, green, blue, depth=1.0, viewport=tile)

    def depth(self, ctx: moderngl.Context, test: bool, write: bool = False) -> None:
        """Set whether drawing tests the depth buffer (``test``) and writes to it (``write``)."""
        (ctx.enable if test else ctx.disable)(moderngl.DEPTH_TEST)
        ctx.depth_func = "<="
        self._drawn.depth_mask = write

    def draws_colour(self, colour: bool) -> None:
        """Set whether drawing writes colour. If not, it can still write depth."""
        self._drawn.color_mask = (colour,) * 4

    def resolve(self, ctx: moderngl.Context) -> None:
        """Copy the multisampled image to ``texture``."""
        if self.smooth:
            ctx.copy_framebuffer(self._target, self.smooth)

    def release(self) -> None:
        """Free the picture. It must not be bound."""
        if self.smooth:
            self.smooth.release()
            self._buffer.release()
        self._target.release()
        self._depth.release()
        self.texture.release()
