"""Averaging of many images of a scene, for smooth edges and accurate lighting.

Each image is shifted by part of a pixel and uses different rays. The mean thus samples the light sources, whereas a
single image approximates them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeAlias

import moderngl

from shibumi3d.render.kit import OVER, Kit
from shibumi3d.render.shaders import put
from shibumi3d.scene.camera import Camera

Rays: TypeAlias = tuple[float, float, float, float]  # two points in the unit disc: see ball.glsl
REACH = 0.57
"""Maximum shift of an image in pixels. Slightly over half a pixel gives the smoothest edges."""
# Steps of Roberts' R2 sequence, which fills a square evenly at any length.
_STEPS = 0.7548776662466927, 0.5698402909980532
# The same sequence in four dimensions.
_RAY_STEPS = tuple(1.1673039782614187**-power for power in (1, 2, 3, 4))


def jittered(camera: Camera, width: int, height: int, count: int) -> Iterator[Camera]:
    """Yield ``count`` copies of ``camera``, each shifted by less than a pixel.

    ``width`` and ``height`` are the size of the image in pixels. The first camera is not shifted.
    """
    for number in range(count):
        right, upward = ((0.5 + number * step) % 1.0 * 2.0 - 1.0 for step in _STEPS)
        x, y = camera.shift
        yield replace(
            camera,
            shift=(x + 2.0 * REACH * right / width, y + 2.0 * REACH * upward / height),
        )


def scattered(count: int) -> Iterator[Rays]:
    """Yield the rays for each of ``count`` images, spread evenly over both discs."""
    for number in range(count):
        a, b, c, d = ((0.5 + (number + 1) * step) % 1.0 for step in _RAY_STEPS)
        x, y = (
            (math.sqrt(out) * math.cos(math.tau * turn), math.sqrt(out) * math.sin(math.tau * turn))
            for out, turn in ((a, b), (c, d))
        )
        yield *x, *y


class Mean:
    """Running mean of images in :attr:`texture`, computed in the colour space of the images."""

    texture: moderngl.Texture

    def __init__(self, kit: Kit) -> None:
        self._kit, self._ctx = kit, kit.ctx
        self._program = kit.program("present", "GATHER")
        self._array = kit.full(self._program)
        self._target: moderngl.Framebuffer | None = None

    def begin(self, width: int, height: int) -> None:
        """Allocate the texture for images of ``width`` x ``height`` pixels."""
        if self._target is None or self._target.size != (width, height):
            self.release()
            self.texture = self._ctx.texture((width, height), 4, dtype="f4")
            self.texture.repeat_x = self.texture.repeat_y = False
            self._target = self._ctx.framebuffer([self.texture])

    def add(self, picture: moderngl.Texture, number: int) -> None:
        """Add image ``number``, counted from 0, to the mean."""
        assert self._target is not None
        self._target.use()
        self._ctx.scissor = None
        self._ctx.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._ctx.enable(moderngl.BLEND)
        self._ctx.blend_func = OVER
        picture.use(0)
        put(self._program, u_picture=0, u_part=1.0 / (number + 1))
        self._array.render(moderngl.TRIANGLE_STRIP)

    def release(self) -> None:
        """Free the texture."""
        self._kit.park()
        if self._target is not None:
            self._target.release()
            self.texture.release()
            self._target = None
