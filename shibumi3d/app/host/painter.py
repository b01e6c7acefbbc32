"""Rendering of board scenes into a part of the window, with caching and cross-fades."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame


class Painter:
    """Renders frames into a part of the window.

    The image is cached, so while nothing changes, it is only copied. During motion, its resolution may be reduced until
    the driver is fast enough; once motion stops, it is rendered at full resolution. Changes of quality are cross-faded
    unless the camera moves or motion continues.

    ``later`` schedules a call, and ``refresh`` requests a redraw of the window. ``stills()`` returns whether
    high-quality stills may be rendered while nothing moves. If the environment variable ``SHIBUMI3D_SHADERS`` is set to
    ``watch``, shaders are reloaded whenever their files change.
    """

    SETTLE = 0.2
    WATCH = 0.3
    AHEAD = 1.0
    """Delay between the first full-resolution image and compiling the end-of-match shader, in seconds."""

    def __init__(
        self,
        later: Callable[[float, Callable[[], None]], None],
        refresh: Callable[[], None],
        stills: Callable[[], bool],
    ) -> None:
        import moderngl

        from shibumi3d.render.renderer import Renderer
        from shibumi3d.render.shaders import Watch

        from .stills import Stills

        self._later, self._refresh = later, refresh
        self._context = moderngl.create_context(require=330)
        self._renderer = Renderer(self._context)
        self.stills = Stills(self._renderer, later, refresh, stills)
        """High-quality stills, rendered while nothing moves."""
        self._key: tuple[object, ...] = ()
        self._drawn = 0.0
        """Resolution scale of the last live image."""
        self._sharp = False
        self._moved = False
        self._waiting = False
        self._ready = False
        self._texture: Any = None
        self._target: Any = None
        self._beside: Beside | None = None
        if os.environ.get("SHIBUMI3D_SHADERS") == "watch":
            self._watch = Watch()
            self._later(self.WATCH, self._reload)

    def draw(
        self, frame: Frame, camera: Camera, area: tuple[int, int, int, int], scale: float, moving: bool
    ) -> None:
        """Draw ``frame`` into ``area`` of the window: left, bottom, width and height in pixels."""
        width, height = area[2:]
        if self._target is None or self._target.size != (width, height):
            self._make(width, height)
        key = (frame, camera, scale)
        finer = self.stills.finer
        if moving:
            self.stills.leave()
        if self.stills.draw(frame, camera, self._target, width, height, scale, key == self._key):
            self._key = key
            # Clear the GL error flag, which pyglet would attribute to one of its own calls.
            _ = self._context.error
        elif key != self._key or (not self._sharp and not moving and not self._waiting):
            pace = self._renderer.pace
            fresh = key != self._key
            self._sharp = pace.scale >= 1 or not (moving or fresh)
            pace.fix(1.0 if self._sharp else 0.0)
            begin = time.perf_counter()
            pictures = self._pictures(camera, finer, pace.scale, fresh, moving)
            part = self.stills.cover(pictures, moving)
            self._renderer.draw(frame, camera, self._target, width, height, scale, part=part)
            # Clear the GL error flag, which pyglet would attribute to one of its own calls.
            _ = self._context.error
            if moving:
                self._context.finish()
                pace.fix(0.0)
                pace.took(time.perf_counter() - begin)
            pace.fix(0.0)
            self._key = key
            if not self._sharp and not moving and not self._waiting:
                self._waiting = True
                self._later(self.SETTLE, self._settle)
        if self._sharp and not moving:
            self.stills.rest(frame, camera, width, height)
            if not self._ready and frame.balls:
                self._ready = True
                self._later(self.AHEAD, lambda: self._ahead(frame, camera))
        self._moved = moving
        _copy(self._target, area)

    def _pictures(self, camera: Camera, finer: bool, scale: float, fresh: bool, moving: bool) -> int:
        """Return the number of frames over which the next live image fades in.

        The value 1 means no fade, and 0 continues the current fade. ``finer`` is set if a still is displayed, ``fresh``
        if the scene has changed, and ``moving`` if the scene is in motion.
        """
        from .stills import FADE, QUICK

        last, self._drawn = self._drawn, scale
        if not self._key or camera != self._key[1]:
            return 1
        if not (finer or scale != last):
            return 0
        if moving and self._moved and not finer:
            return 1  # a fade would show moving objects twice
        return QUICK if fresh else FADE

    def beside(self, frame: Frame, camera: Camera, area: tuple[int, int, int, int], scale: float) -> None:
        """Draw a second, small image into ``area`` of the window, from the cache if it is unchanged."""
        if min(area[2:]) < 8:
            return
        if self._beside is None:
            self._beside = Beside(self._context, self._renderer)
        self._beside.draw(frame, camera, area, scale)

    @property
    def tier(self) -> str:
        """Name of the quality tier chosen for the graphics driver."""
        return str(self._renderer.tier.name)

    @property
    def settling(self) -> bool:
        """Whether the image at full resolution hasn't been rendered yet."""
        return self._waiting

    def release(self) -> None:
        """Free all graphics memory."""
        self._free()
        self._leave_beside()
        self.stills.release()
        self._renderer.release()

    def _leave_beside(self) -> None:
        if self._beside is not None:
            self._beside.release()
            self._beside = None

    def _ahead(self, frame: Frame, camera: Camera) -> None:
        """Draw a gold-rimmed marble off-screen, so that the driver compiles its shader now.

        Otherwise, the driver would compile it on first use, which would cause a delay at the end of a match.
        """
        if self._moved or self.stills.fading or self.stills.drawing:
            self._later(self.AHEAD, lambda: self._ahead(frame, camera))
            return
        first, *others = frame.balls
        gold = replace(frame, balls=(first._replace(rim=1.0), *others))
        unseen = self._context.simple_framebuffer((64, 36))
        self._renderer.draw(gold, camera, unseen, 64, 36, 1.0)
        _ = self._context.error
        unseen.release()
        self._key = ()

    def _settle(self) -> None:
        self._waiting = False
        self._refresh()

    def _reload(self) -> None:
        """Reload changed shaders. If any don't compile, print an error and keep the old shaders."""
        from shibumi3d.render.shaders import ShaderError

        if self._watch.changed():
            try:
                self.renew()
            except ShaderError as error:
                print(error, file=sys.stderr, flush=True)
        self._later(self.WATCH, self._reload)

    def renew(self) -> None:
        """Recreate the renderer with the current contents of the shader files.

        If a shader in use doesn't compile, the old shaders are kept and ShaderError is raised.
        """
        self._leave_beside()
        self.stills.release()
        self._renderer = self._renderer.renewed()
        self.stills.renew(self._renderer)
        self._key, self._ready = (), False
        self._refresh()

    def _make(self, width: int, height: int) -> None:
        self._free()
        self._texture = self._context.texture((width, height), 4)
        self._target = self._context.framebuffer([self._texture])
        self._key = ()

    def _free(self) -> None:
        if self._target is not None:
            self._target.release()
            self._texture.release()
            self._target = None


class Beside:
    """A small image beside the main one, with its own cache and renderer."""

    def __init__(self, context: Any, live: Any) -> None:
        from shibumi3d.render.renderer import Renderer

        self._context = context
        self._renderer = Renderer(context, live.tier.name, live=live)
        self._renderer.pace.fix(1.0)
        self._target: Any = None
        self._texture: Any = None
        self._key: tuple[object, ...] = ()

    def draw(self, frame: Frame, camera: Camera, area: tuple[int, int, int, int], scale: float) -> None:
        """Draw ``frame`` into ``area`` of the window: left, bottom, width and height in pixels."""
        size = area[2:]
        if self._target is None or self._target.size != size:
            self._free()
            self._texture = self._context.texture(size, 4)
            self._target = self._context.framebuffer([self._texture])
            self._key = ()
        if self._key != (frame, camera, scale):
            self._key = (frame, camera, scale)
            self._renderer.draw(frame, camera, self._target, *size, scale)
            # Clear the GL error flag, which pyglet would attribute to one of its own calls.
            _ = self._context.error
        _copy(self._target, area)

    def release(self) -> None:
        """Free all graphics memory."""
        self._free()
        self._renderer.release()

    def _free(self) -> None:
        if self._target is not None:
            self._target.release()
            self._texture.release()
            self._target = None


def _copy(target: Any, area: tuple[int, int, int, int]) -> None:
    """Copy a framebuffer to ``area``, given as left, bottom, width and height in pixels of the window."""
    from pyglet import gl

    left, bottom, width, height = area
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, target.glo)
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, 0)
    gl.glDisable(gl.GL_SCISSOR_TEST)
    corners = (0, 0, width, height, left, bottom, left + width, bottom + height)
    gl.glBlitFramebuffer(*corners, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
