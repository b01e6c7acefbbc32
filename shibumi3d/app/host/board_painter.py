"""Rendering of board scenes into a part of the window, with caching and cross-fades."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame

if TYPE_CHECKING:
    import moderngl

    from shibumi3d.render.renderer import Renderer


class BoardPainter:
    """Painter that renders frames into a part of the window.

    The image is cached, so while nothing changes, it is only copied. During motion, its resolution may be reduced to
    keep rendering fast enough; once motion stops, it is rendered at full resolution. Changes of quality are cross-faded
    unless the camera moves or motion continues.

    ``schedule(seconds, callback)`` calls ``callback`` after a delay, and ``request_redraw()`` requests a redraw of the
    window. ``are_stills_enabled()`` returns whether high-quality stills may be rendered while nothing moves. If the
    environment variable ``SHIBUMI3D_SHADERS`` is set to ``watch``, shaders are reloaded whenever their files change.
    """

    SETTLE_SECONDS = 0.2
    SHADER_POLL_SECONDS = 0.3
    PRECOMPILE_DELAY_SECONDS = 1.0
    """Delay between the first full-resolution image and compiling the shader of gold-rimmed marbles, in seconds."""

    def __init__(
        self,
        schedule: Callable[[float, Callable[[], None]], None],
        request_redraw: Callable[[], None],
        are_stills_enabled: Callable[[], bool],
    ) -> None:
        import moderngl

        from shibumi3d.render.renderer import Renderer
        from shibumi3d.render.shaders import ShaderWatcher

        from .stills import Stills

        self._schedule, self._request_redraw = schedule, request_redraw
        self._context = moderngl.create_context(require=330)
        self._renderer = Renderer(
            self._context,
            make_texture=partial(make_window_texture, self._context),
            upside_down=True,
        )
        self.stills = Stills(self._renderer, schedule, request_redraw, are_stills_enabled)
        self._drawn_key: tuple[object, ...] = ()
        self._drawn_scene: tuple[object, ...] = ()
        """Key of the scene that was last rendered; it covers everything but the marks."""
        self._drawn_scale = 0.0
        """Resolution scale of the last live image."""
        self._is_full_resolution = False
        self._was_moving = False
        self._is_sharpening_scheduled = False
        self._is_precompiled = False
        self._target: WindowTarget | None = None
        self._inset_painter: InsetPainter | None = None
        if os.environ.get("SHIBUMI3D_SHADERS") == "watch":
            self._shader_watch = ShaderWatcher()
            self._schedule(self.SHADER_POLL_SECONDS, self._poll_shaders)

    def draw(
        self, frame: Frame, camera: Camera, area: tuple[int, int, int, int], scale: float, is_moving: bool
    ) -> None:
        """Draw ``frame`` into ``area`` of the window.

        ``area`` gives the left edge, the bottom edge, the width and the height in physical pixels. ``scale`` is the
        number of physical pixels per logical pixel. ``is_moving`` says whether anything in the scene is in motion.
        """
        from shibumi3d.render.stills import scene_key

        width, height = area[2:]
        if self._target is None or self._target.size != (width, height):
            self._release_target()
            self._target = WindowTarget(self._context, (width, height))
            self._drawn_key = ()
        target = self._target.framebuffer
        key, scene = (frame, camera, scale), scene_key(frame, camera, width, height)
        finer = self.stills.is_still_visible
        if is_moving:
            self.stills.discard()
        if self.stills.draw_still_or_fade(
            frame, camera, target, width, height, scale, key == self._drawn_key
        ):
            self._drawn_key = key
            # Clear the GL error flag, which pyglet would attribute to one of its own calls.
            _ = self._context.error
        elif (
            key != self._drawn_key
            and scene == self._drawn_scene
            and (self._is_full_resolution or is_moving)
            and not (self.stills.is_fading or finer)
        ):  # only marks have changed
            self._renderer.present(frame, camera, target, width, height, scale)
            _ = self._context.error
            self._drawn_key = key
        elif key != self._drawn_key or (
            not self._is_full_resolution and not is_moving and not self._is_sharpening_scheduled
        ):
            pace = self._renderer.scale_control
            has_changed = key != self._drawn_key
            self._is_full_resolution = pace.scale >= 1 or not (is_moving or has_changed)
            pace.fix_scale(1.0 if self._is_full_resolution else 0.0)
            begin = time.perf_counter()
            pictures = self._fade_frames(camera, finer, pace.scale, has_changed, is_moving)
            opacity = self.stills.fade_to_live(pictures, is_moving)
            self._renderer.draw(frame, camera, target, width, height, scale, opacity=opacity)
            # Clear the GL error flag, which pyglet would attribute to one of its own calls.
            _ = self._context.error
            self._drawn_scene = scene
            if is_moving:
                self._context.finish()
                pace.fix_scale(0.0)
                pace.record_frame_time(time.perf_counter() - begin)
            pace.fix_scale(0.0)
            self._drawn_key = key
            if not self._is_full_resolution and not is_moving and not self._is_sharpening_scheduled:
                self._is_sharpening_scheduled = True
                self._schedule(self.SETTLE_SECONDS, self._sharpen)
        if self._is_full_resolution and not is_moving:
            self.stills.schedule_still(frame, camera, width, height)
            if not self._is_precompiled and frame.balls:
                self._is_precompiled = True
                self._schedule(
                    self.PRECOMPILE_DELAY_SECONDS, lambda: self._precompile_gold_rim(frame, camera)
                )
        self._was_moving = is_moving
        _blit_to_window(self._target, area)

    def _fade_frames(
        self, camera: Camera, shows_still: bool, scale: float, has_changed: bool, is_moving: bool
    ) -> int:
        """Return the number of frames over which the next live image fades in, and remember its scale.

        The value 1 means no fade, and 0 continues the current fade. ``shows_still`` says whether a still is displayed,
        and ``is_moving`` whether the scene is in motion. ``scale`` is the resolution scale of the next image, and
        ``has_changed`` says whether that image shows anything new.
        """
        from .stills import FADE_FRAMES, QUICK_FADE_FRAMES

        last, self._drawn_scale = self._drawn_scale, scale
        if not self._drawn_key or camera != self._drawn_key[1]:
            return 1
        if not (shows_still or scale != last):
            return 0
        if is_moving and self._was_moving and not shows_still:
            return 1  # a fade would show moving objects twice
        return QUICK_FADE_FRAMES if has_changed else FADE_FRAMES

    def draw_inset(self, frame: Frame, camera: Camera, area: tuple[int, int, int, int], scale: float) -> None:
        """Draw a second, small image into ``area`` of the window, unless the area is less than 8 pixels wide or high.

        An unchanged image is only copied. ``area`` and ``scale`` are as in :meth:`draw`.
        """
        if min(area[2:]) < 8:
            return
        if self._inset_painter is None:
            self._inset_painter = InsetPainter(self._context, self._renderer)
        self._inset_painter.draw(frame, camera, area, scale)

    @property
    def tier(self) -> str:
        """Name of the quality tier chosen for the graphics driver."""
        return str(self._renderer.tier.name)

    @property
    def is_settling(self) -> bool:
        """Whether an image at full resolution is scheduled to be rendered."""
        return self._is_sharpening_scheduled

    def release(self) -> None:
        """Free all graphics memory."""
        self._release_target()
        self._release_inset()
        self.stills.release()
        self._renderer.release()

    def _release_inset(self) -> None:
        if self._inset_painter is not None:
            self._inset_painter.release()
            self._inset_painter = None

    def _precompile_gold_rim(self, frame: Frame, camera: Camera) -> None:
        """Make the driver compile the shader of gold-rimmed marbles now, by drawing one off-screen.

        Otherwise, the driver would compile the shader on first use, which would cause a delay at the end of a match. If
        anything is moving or fading, or a still is being rendered, the method schedules another attempt instead.
        """
        if self._was_moving or self.stills.is_fading or self.stills.is_rendering:
            self._schedule(self.PRECOMPILE_DELAY_SECONDS, lambda: self._precompile_gold_rim(frame, camera))
            return
        first_ball, *other_balls = frame.balls
        gold = replace(frame, balls=(first_ball._replace(gold_rim=1.0), *other_balls))
        unseen = self._context.simple_framebuffer((64, 36))
        self._renderer.draw(gold, camera, unseen, 64, 36, 1.0)
        _ = self._context.error
        unseen.release()
        self._drawn_key = self._drawn_scene = ()

    def _sharpen(self) -> None:
        self._is_sharpening_scheduled = False
        self._request_redraw()

    def _poll_shaders(self) -> None:
        """Reload the shaders if their files have changed, and schedule the next check.

        If a shader doesn't compile, an error is printed and the old shaders are kept.
        """
        from shibumi3d.render.shaders import ShaderError

        if self._shader_watch.check_for_changes():
            try:
                self.reload_shaders()
            except ShaderError as error:
                print(error, file=sys.stderr, flush=True)
        self._schedule(self.SHADER_POLL_SECONDS, self._poll_shaders)

    def reload_shaders(self) -> None:
        """Recreate the renderer with the current contents of the shader files.

        If a shader in use doesn't compile, the old shaders are kept and ShaderError is raised.
        """
        self._release_inset()
        self.stills.release()
        self._renderer = self._renderer.with_reloaded_shaders()
        self.stills.set_renderer(self._renderer)
        self._drawn_key = self._drawn_scene = ()
        self._is_precompiled = False
        self._request_redraw()

    def _release_target(self) -> None:
        if self._target is not None:
            self._target.release()
            self._target = None


class InsetPainter:
    """Painter that renders and caches a small image, in addition to the main image of the window."""

    def __init__(self, context: moderngl.Context, main_renderer: Renderer) -> None:
        from shibumi3d.render.renderer import Renderer

        self._context = context
        self._renderer = Renderer(context, main_renderer.tier.name, share_with=main_renderer)
        self._renderer.scale_control.fix_scale(1.0)
        self._target: WindowTarget | None = None
        self._key: tuple[object, ...] = ()

    def draw(self, frame: Frame, camera: Camera, area: tuple[int, int, int, int], scale: float) -> None:
        """Draw ``frame`` into ``area`` of the window.

        If the image would be the same as last time, the previous one is copied. ``area`` and ``scale`` are as in
        :meth:`BoardPainter.draw`.
        """
        size = area[2:]
        if self._target is None or self._target.size != size:
            self._release_target()
            self._target = WindowTarget(self._context, size)
            self._key = ()
        if self._key != (frame, camera, scale):
            self._key = (frame, camera, scale)
            self._renderer.draw(frame, camera, self._target.framebuffer, *size, scale)
            # Clear the GL error flag, which pyglet would attribute to one of its own calls.
            _ = self._context.error
        _blit_to_window(self._target, area)

    def release(self) -> None:
        """Free all graphics memory."""
        self._release_target()
        self._renderer.release()

    def _release_target(self) -> None:
        if self._target is not None:
            self._target.release()
            self._target = None


def make_window_texture(context: moderngl.Context, size: tuple[int, int]) -> moderngl.Texture:
    """Return a texture of ``size`` pixels for an image that is shown in the window.

    Its channels are in the order that most windows use, so that software GL needn't convert them when it copies the
    image.
    """
    from pyglet import gl

    texture = context.texture(size, 4)
    # Moderngl can't choose this order, so replace the storage of its texture.
    gl.glActiveTexture(gl.GL_TEXTURE0)
    gl.glBindTexture(gl.GL_TEXTURE_2D, texture.glo)
    pixel_format = gl.GL_BGRA, gl.GL_UNSIGNED_INT_8_8_8_8_REV
    gl.glTexImage2D(gl.GL_TEXTURE_2D, 0, gl.GL_RGBA, *size, 0, *pixel_format, None)
    return texture


class WindowTarget:
    """Framebuffer of ``size`` pixels for an image that is shown in the window.

    The image is drawn upside down. Software GL can then copy it unchanged, because the rows of a window are stored from
    top to bottom.
    """

    def __init__(self, context: moderngl.Context, size: tuple[int, int]) -> None:
        self.size = size
        self._texture = make_window_texture(context, size)
        self.framebuffer = context.framebuffer([self._texture])

    def release(self) -> None:
        """Free the graphics memory of the target."""
        self.framebuffer.release()
        self._texture.release()


def _blit_to_window(target: WindowTarget, area: tuple[int, int, int, int]) -> None:
    """Copy the upside-down image in ``target`` into ``area`` of the window, the right way up.

    ``area`` is the left, bottom, width and height in pixels.
    """
    from pyglet import gl

    left, bottom, width, height = area
    gl.glBindFramebuffer(gl.GL_READ_FRAMEBUFFER, target.framebuffer.glo)
    gl.glBindFramebuffer(gl.GL_DRAW_FRAMEBUFFER, 0)
    gl.glDisable(gl.GL_SCISSOR_TEST)
    corners = (0, 0, width, height, left, bottom + height, left + width, bottom)
    gl.glBlitFramebuffer(*corners, gl.GL_COLOR_BUFFER_BIT, gl.GL_NEAREST)
    gl.glBindFramebuffer(gl.GL_FRAMEBUFFER, 0)
