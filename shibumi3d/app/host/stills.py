"""High-quality stills shown while nothing moves: when they are rendered, and how they are faded in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.render.stills import Still, scene_key
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame

if TYPE_CHECKING:
    import moderngl

    from shibumi3d.render.renderer import Renderer

STILL_DELAY_SECONDS = 0.3
"""Time that must pass without motion before a still is started, in seconds."""
FADE_FRAMES = 6
"""Number of frames over which a still or a sharper live image is faded in."""
QUICK_FADE_FRAMES = 3
"""Number of frames over which a coarser image is faded in when motion or hovering begins."""
FADE_FRAME_SECONDS = 1 / 40


class Stills:
    """High-quality stills of the current scene, rendered in small steps and then faded in.

    ``live_renderer`` draws the live images. ``schedule(seconds, callback)`` calls a function after a delay,
    ``request_redraw()`` causes the window to be redrawn, and ``are_stills_enabled()`` returns whether stills may be
    rendered.
    """

    def __init__(
        self,
        live_renderer: Renderer,
        schedule: Callable[[float, Callable[[], None]], None],
        request_redraw: Callable[[], None],
        are_stills_enabled: Callable[[], bool],
    ) -> None:
        self._live_renderer, self._still = live_renderer, Still(live_renderer)
        self._schedule, self._request_redraw, self._are_stills_enabled = (
            schedule,
            request_redraw,
            are_stills_enabled,
        )
        self._request_number = 0
        self._fade_source: Renderer | Still = live_renderer
        self._frames_left = 0
        self._tick_number = 0
        self._is_still_visible = False
        self._scene: tuple[Frame, Camera, int, int] | None = None
        self._key: tuple[object, ...] = ()

    @property
    def is_fading(self) -> bool:
        return self._frames_left > 0

    @property
    def is_still_visible(self) -> bool:
        """Whether a still is displayed, at least partly."""
        return self._is_still_visible

    @property
    def is_rendering(self) -> bool:
        """Whether a still is being rendered."""
        return self._still.is_rendering

    @property
    def is_settled(self) -> bool:
        """Whether a still is fully visible and no fade is in progress."""
        return self._still.is_ready and self._is_still_visible and not self.is_fading

    def schedule_still(self, frame: Frame, camera: Camera, width: int, height: int) -> None:
        """Schedule a still of ``frame`` as seen by ``camera``.

        Call this only while nothing in ``frame`` moves. The still will have ``width`` × ``height`` pixels. Does nothing
        if stills are disabled, or if the last still scheduled was the same and hasn't been discarded.
        """
        key = scene_key(frame, camera, width, height)
        if key == self._key or not self._are_stills_enabled():
            return
        self._scene, self._key, self._request_number = (
            (frame, camera, width, height),
            key,
            self._request_number + 1,
        )
        request_number = self._request_number
        self._schedule(STILL_DELAY_SECONDS, lambda: self._begin(request_number))

    def discard(self) -> None:
        """Discard the current still, as well as any still that is scheduled or being rendered.

        Call this when the scene changes.
        """
        self._request_number += 1
        self._key, self._is_still_visible = (), False
        if self._fade_source is self._still:
            self._frames_left = 0
        self._still.discard()

    def fade_to_live(self, frames: int, is_moving: bool) -> float:
        """Fade from the current image to live ones; return the opacity of the next live image, from 0 to 1.

        Any still is discarded. The fade takes ``frames`` frames; if ``frames`` is 1, the live image is shown at once.
        If ``frames`` is 0, the current fade between live images continues or, if there is none, the live image is shown
        at once. If ``is_moving`` is false, the next frame of the fade is scheduled, because it wouldn't be drawn
        otherwise.
        """
        # A still in progress shows the previous scene, so it must not replace the new image.
        self.discard()
        self._fade_source, self._frames_left = self._live_renderer, frames or max(self._frames_left, 1)
        part = self._next_opacity()
        if self.is_fading and not is_moving:
            self._schedule_next_frame()
        return part

    def draw_still_or_fade(
        self,
        frame: Frame,
        camera: Camera,
        target: moderngl.Framebuffer,
        width: int,
        height: int,
        scale: float,
        is_unchanged: bool,
    ) -> bool:
        """Draw the next image of a fade or the still of ``frame``; return whether either was drawn.

        The image is drawn into ``target``. ``is_unchanged`` says whether the frame, the camera and the scale are the
        same as for the last image; a fade continues only if they are. ``width`` and ``height`` are in physical pixels,
        and ``scale`` is the number of physical pixels per logical pixel.
        """
        if self.is_fading and is_unchanged:
            self._fade_source.present(
                frame, camera, target, width, height, scale, opacity=self._next_opacity()
            )
            self._schedule_next_frame()
            return True
        if not self._still.shows(frame, camera, width, height):
            return False
        self._still.present(frame, camera, target, width, height, scale)
        self._frames_left, self._is_still_visible = 0, True
        return True

    def set_renderer(self, renderer: Renderer) -> None:
        """Use a different renderer for live images and stills.

        Call :meth:`release` first.
        """
        self._live_renderer, self._still = renderer, Still(renderer)

    def release(self) -> None:
        """Discard the still and free its graphics memory."""
        self.discard()
        self._still.release()

    def _begin(self, request_number: int) -> None:
        if request_number == self._request_number:
            assert self._scene is not None
            self._still.begin(*self._scene)
            # Defer the first step, since this may be called while a frame is being drawn.
            self._schedule(0, lambda: self._step(request_number))

    def _step(self, request_number: int) -> None:
        if request_number != self._request_number:
            return
        more = self._still.step()
        # Clear the GL error flag, which pyglet would attribute to one of its own calls.
        _ = self._live_renderer.ctx.error
        # Return to the event loop between steps, so that input is handled promptly.
        self._schedule(0, lambda: self._step(request_number) if more else self._start_fade_in(request_number))

    def _start_fade_in(self, request_number: int) -> None:
        if request_number == self._request_number:
            self._is_still_visible = True
            self._fade_source, self._frames_left = self._still, FADE_FRAMES
            self._request_redraw()
            self._schedule_next_frame()

    def _schedule_next_frame(self) -> None:
        """Schedule a redraw for the next frame of a fade.

        After a fade to live images has ended, the window is redrawn once more, so that a sharper image can follow.
        """
        self._tick_number += 1
        tick_number = self._tick_number
        self._schedule(FADE_FRAME_SECONDS, lambda: self._tick(tick_number))

    def _tick(self, tick_number: int) -> None:
        if tick_number == self._tick_number and (self.is_fading or not self._is_still_visible):
            self._request_redraw()

    def _next_opacity(self) -> float:
        """Return the opacity of the next frame of the fade, and count that frame as drawn.

        The opacity is chosen so that the old image fades by the same amount in each frame.
        """
        part, self._frames_left = 1.0 / self._frames_left, self._frames_left - 1
        return part
