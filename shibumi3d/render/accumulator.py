"""Averaging of many images of a scene, for smooth edges and accurate lighting.

Each image is shifted by a fraction of a pixel and uses different rays. The mean thus samples the light sources, whereas
a single image only approximates their light.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

import moderngl

from shibumi3d.render.gpu_resources import BLEND_OVER, GpuResources
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.scene.camera import Camera

RaySample: TypeAlias = tuple[float, float, float, float]  # two points in the unit disc: see ball.glsl
MAX_JITTER_PX = 0.57
"""Maximum shift of an image along each axis, in pixels. Slightly over half a pixel gives the smoothest edges."""
# Steps of Roberts' R2 sequence, which fills a square evenly at any length.
_JITTER_STEPS = 0.7548776662466927, 0.5698402909980532
# The same sequence in four dimensions.
_RAY_STEPS = tuple(1.1673039782614187**-power for power in (1, 2, 3, 4))


def jittered_cameras(camera: Camera, width: int, height: int, count: int) -> Iterator[Camera]:
    """Yield ``count`` copies of ``camera``, all but the first shifted by less than a pixel.

    ``width`` and ``height`` are the size of the image in pixels.
    """
    for number in range(count):
        right, upward = ((0.5 + number * step) % 1.0 * 2.0 - 1.0 for step in _JITTER_STEPS)
        x, y = camera.shift
        yield replace(
            camera,
            shift=(x + 2.0 * MAX_JITTER_PX * right / width, y + 2.0 * MAX_JITTER_PX * upward / height),
        )


def ray_samples(count: int) -> Iterator[RaySample]:
    """Yield a ray sample for each of ``count`` images.

    Each sample contains two points. Over all images, the first points are spread evenly over the unit disc, and so are
    the second points.
    """
    for number in range(count):
        a, b, c, d = ((0.5 + (number + 1) * step) % 1.0 for step in _RAY_STEPS)
        x, y = (
            (math.sqrt(out) * math.cos(math.tau * turn), math.sqrt(out) * math.sin(math.tau * turn))
            for out, turn in ((a, b), (c, d))
        )
        yield *x, *y


class Accumulator:
    """Running mean of images, stored in :attr:`texture`.

    The mean is computed in the colour space of the images.
    """

    texture: moderngl.Texture

    def __init__(self, resources: GpuResources) -> None:
        self._resources, self._ctx = resources, resources.ctx
        self._program = resources.compile_program("present", "ACCUMULATE")
        self._array = resources.full_image_array(self._program)
        self._target: moderngl.Framebuffer | None = None

    def begin(self, width: int, height: int) -> None:
        """Allocate the texture for images of ``width`` x ``height`` pixels, unless it already has this size."""
        if self._target is None or self._target.size != (width, height):
            self.release()
            self.texture = self._ctx.texture((width, height), 4, dtype="f4")
            self.texture.repeat_x = self.texture.repeat_y = False
            self._target = self._ctx.framebuffer([self.texture])

    def add(self, texture: moderngl.Texture, index: int) -> None:
        """Add the image in ``texture`` to the mean.

        ``index`` is the number of the image. The numbers are consecutive, and image 0 starts a new mean. :meth:`begin`
        must be called first.
        """
        assert self._target is not None
        self._target.use()
        self._ctx.scissor = None
        self._ctx.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._ctx.enable(moderngl.BLEND)
        self._ctx.blend_func = BLEND_OVER
        texture.use(0)
        set_uniforms(self._program, u_image=0, u_opacity=1.0 / (index + 1))
        self._array.render(moderngl.TRIANGLE_STRIP)

    def release(self) -> None:
        """Free the texture and its framebuffer."""
        self._resources.bind_idle_framebuffer()
        if self._target is not None:
            self._target.release()
            self.texture.release()
            self._target = None
