"""High-quality stills shown while nothing moves: when they are rendered, and how they are faded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shibumi3d.render.still import Still, scene
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame

AFTER = 0.3
"""Time for which nothing must have moved before a still is started, in seconds."""
FADE = 6
"""Number of frames over which a still or a sharper live image is faded in."""
QUICK = 3
"""Number of frames over which a coarser image is faded in when motion or hovering begins."""
PACE = 1 / 40


class Stills:
    """Renders a still of the current scene in small steps between events, and fades it in.

    ``renderer`` draws the live images. ``later`` schedules a call, and ``refresh`` requests a redraw of the window.
    ``wanted()`` returns whether stills may be rendered.
    """

    def __init__(
        self,
        renderer: Any,
        later: Callable[[float, Callable[[], None]], None],
        refresh: Callable[[], None],
        wanted: Callable[[], bool],
    ) -> None:
        self._live, self._still = renderer, Still(renderer)
        self._later, self._refresh, self._wanted = later, refresh, wanted
        self._asked = 0
        self._fading: Any = None
        self._left = 0
        self._ticks = 0
        self._finer = False
        self._scene: tuple[Any, ...] = ()
        self._key: tuple[object, ...] = ()

    @property
    def fading(self) -> bool:
        """Whether a fade is in progress."""
        return self._left > 0

    @property
    def finer(self) -> bool:
        """Whether a still is displayed, at least partly."""
        return self._finer

    @property
    def drawing(self) -> bool:
        """Whether a still is being rendered."""
        return self._still.under_way

    @property
    def settled(self) -> bool:
        """Whether a still is fully visible and nothing else is going to change."""
        return self._still.ready and self._finer and not self.fading

    def rest(self, frame: Frame, camera: Camera, width: int, height: int) -> None:
        """Schedule a still of this scene, in which nothing moves, at ``width`` × ``height`` pixels."""
        key = scene(frame, camera, width, height)
        if key == self._key or not self._wanted():
            return
        self._scene, self._key, self._asked = (frame, camera, width, height), key, self._asked + 1
        asked = self._asked
        self._later(AFTER, lambda: self._begin(asked))

    def leave(self) -> None:
        """Discard the still, because the scene is changing."""
        self._asked += 1
        self._key, self._finer = (), False
        if self._fading is self._still:
            self._left = 0
        self._still.drop()

    def cover(self, pictures: int, moving: bool) -> float:
        """Fade from the current image to live ones; return the opacity of the next live image, 0 to 1.

        The fade takes ``pictures`` frames. The value 1 shows the live image at once, and 0 continues the current fade.
        """
        # A still in progress shows the previous scene, so it must not replace the new image.
        self.leave()
        self._fading, self._left = self._live, pictures or max(self._left, 1)
        part = self._next()
        if self.fading and not moving:
            self._go_on()
        return part

    def draw(
        self, frame: Frame, camera: Camera, target: Any, width: int, height: int, scale: float, same: bool
    ) -> bool:
        """Draw the next frame of a fade, or the still of this scene; return whether one was drawn.

        ``same`` must be true if the frame is the same as the last one drawn.
        """
        if self.fading and same:
            self._fading.present(frame, camera, target, width, height, scale, part=self._next())
            self._go_on()
            return True
        if not self._still.shows(frame, camera, width, height):
            return False
        self._still.present(frame, camera, target, width, height, scale)
        self._left, self._finer = 0, True
        return True

    def renew(self, renderer: Any) -> None:
        """Use a different renderer for live images. Call :meth:`release` first."""
        self._live, self._still = renderer, Still(renderer)

    def release(self) -> None:
        """Free all graphics memory."""
        self.leave()
        self._still.release()

    def _begin(self, asked: int) -> None:
        if asked == self._asked:
            self._still.begin(*self._scene)
            # Defer the first step, since this may be called while a frame is being drawn.
            self._later(0, lambda: self._step(asked))

    def _step(self, asked: int) -> None:
        if asked != self._asked:
            return
        more = self._still.step()
        # Clear the GL error flag, which pyglet would attribute to one of its own calls.
        _ = self._live.ctx.error
        # Return to the event loop between steps, so that input is handled promptly.
        self._later(0, lambda: self._step(asked) if more else self._come(asked))

    def _come(self, asked: int) -> None:
        if asked == self._asked:
            self._finer = True
            self._fading, self._left = self._still, FADE
            self._refresh()
            self._go_on()

    def _go_on(self) -> None:
        """Schedule the next frame of a fade or, once it ends, the sharper image that follows it."""
        self._ticks += 1
        number = self._ticks
        self._later(PACE, lambda: self._tick(number))

    def _tick(self, number: int) -> None:
        if number == self._ticks and (self.fading or not self._finer):
            self._refresh()

    def _next(self) -> float:
        """Return the opacity of the next frame.

        It is chosen so that all frames of the fade contribute equally to the image.
        """
        part, self._left = 1.0 / self._left, self._left - 1
        return part
