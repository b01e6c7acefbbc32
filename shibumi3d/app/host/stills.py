"""Finer pictures while nothing moves: when they are drawn, and how they come and go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from shibumi3d.render.still import Still, scene
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame

AFTER = 0.3
"""Seconds of rest before a still is begun."""
FADE = 6
"""Pictures in which it, or a live one that is sharper, replaces what is there."""
QUICK = 3
"""Pictures in which a coarser one does: something begins to move then, or comes under the pointer."""
PACE = 1 / 40


class Stills:
    """Draws the still of what is shown, a step between events, and fades it in.

    ``renderer`` is what draws live pictures; ``later`` and ``refresh`` are those of the window; ``wanted()`` tells
    whether stills may be drawn at all.
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
        """Whether the picture shown is still on its way to another."""
        return self._left > 0

    @property
    def finer(self) -> bool:
        """Whether something of a still is shown."""
        return self._finer

    @property
    def drawing(self) -> bool:
        """Whether a still is under way."""
        return self._still.under_way

    @property
    def settled(self) -> bool:
        """Whether a still is shown, and nothing more comes."""
        return self._still.ready and self._finer and not self.fading

    def rest(self, frame: Frame, camera: Camera, width: int, height: int) -> None:
        """Note that nothing moves and this is shown, in so many pixels: its still is begun after a while."""
        key = scene(frame, camera, width, height)
        if key == self._key or not self._wanted():
            return
        self._scene, self._key, self._asked = (frame, camera, width, height), key, self._asked + 1
        asked = self._asked
        self._later(AFTER, lambda: self._begin(asked))

    def leave(self) -> None:
        """Drop what was begun, as something moves."""
        self._asked += 1
        self._key, self._finer = (), False
        if self._fading is self._still:
            self._left = 0
        self._still.drop()

    def cover(self, pictures: int, moving: bool) -> float:
        """Begin to cover what is shown with live pictures; return how much the next one covers, from 0 to 1.

        It comes softly, in so many ``pictures``. With 0 the fade goes on as it was begun, and with 1 the picture
        comes at once.
        """
        # A still under way would come over what is drawn now, though it shows what was there before.
        self.leave()
        self._fading, self._left = self._live, pictures or max(self._left, 1)
        part = self._next()
        if self.fading and not moving:
            self._go_on()
        return part

    def draw(
        self, frame: Frame, camera: Camera, target: Any, width: int, height: int, scale: float, same: bool
    ) -> bool:
        """Draw what comes next of a fade, or a still that shows the scene; return whether there was any.

        ``same`` tells that the frame is that of the last picture.
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
        """Go on with another renderer of live pictures, after what it replaces was released."""
        self._live, self._still = renderer, Still(renderer)

    def release(self) -> None:
        """Free what lies on the graphics card."""
        self.leave()
        self._still.release()

    def _begin(self, asked: int) -> None:
        if asked == self._asked:
            self._still.begin(*self._scene)
            # Perhaps a picture is drawn in this moment.
            self._later(0, lambda: self._step(asked))

    def _step(self, asked: int) -> None:
        if asked != self._asked:
            return
        more = self._still.step()
        # Reading the error flag clears it; pyglet would take it for one of its own calls.
        _ = self._live.ctx.error
        # Input comes between any two steps, and before a picture is drawn.
        self._later(0, lambda: self._step(asked) if more else self._come(asked))

    def _come(self, asked: int) -> None:
        if asked == self._asked:
            self._finer = True
            self._fading, self._left = self._still, FADE
            self._refresh()
            self._go_on()

    def _go_on(self) -> None:
        """Asks for the next picture of a fade, or for what waits for its end: a sharper one."""
        self._ticks += 1
        number = self._ticks
        self._later(PACE, lambda: self._tick(number))

    def _tick(self, number: int) -> None:
        if number == self._ticks and (self.fading or not self._finer):
            self._refresh()

    def _next(self) -> float:
        """The part that the next picture covers of those before, so that all come to the same."""
        part, self._left = 1.0 / self._left, self._left - 1
        return part
