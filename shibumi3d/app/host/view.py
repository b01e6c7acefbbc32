"""Widget that shows the boards of a page: camera, pointer input and rendering."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene import camera as cameras
from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.layout import Array, Vector
from shibumi3d.scene.picking import Seen, Slab, about, met_at, pick, picks
from shibumi3d.scene.rect import Rect

from ..ui.core import Key, Widget
from . import rough

if TYPE_CHECKING:
    from . import Host

THRESHOLD = 6.0
"""Distance that the pointer must move while pressed before a drag starts, in logical pixels."""
NOWHERE = (-1e6, -1e6)
"""Position that is far outside any view."""
PULL = 0.03
"""Minimum time span for measuring the speed of a drag, in seconds."""
DOUBLE = 0.35
"""Maximum interval between the clicks of a double click, in seconds."""
QUARTER = 90.0


class View(Widget):
    """Shows the frame returned by ``picture(now, aspect)``, and turns pointer input into calls.

    ``clicked(x, y)`` is called for a left click and returns whether the click hit anything. ``cancelled(x, y)`` is
    called for a right click. ``pointed(x, y)`` is called when the pointer moves, and with ``(None, None)`` when it
    leaves the view. Positions are in logical pixels from the top left of the view.
    """

    def __init__(
        self,
        app: Host,
        sizes: Sequence[int],
        picture: Callable[[float, float], Frame],
        *,
        clicked: Callable[[float, float], bool],
        cancelled: Callable[[float, float], None],
        pointed: Callable[[float | None, float | None], None],
        name: str = "board",
    ) -> None:
        super().__init__(name)
        self.app, self.picture = app, picture
        self.clicked, self.cancelled, self.pointed = clicked, cancelled, pointed
        self.home = cameras.home(sizes)
        self.above = self.home.top()
        """Top view of everything in the default view."""
        self.camera = self.home
        self._travel: tuple[Camera, Camera, float] | None = None
        self._glide: tuple[float, float] | None = None
        self._spin = (0.0, 0.0)
        self._pull = 0.0, 0.0, 0.0
        """Start time and distance (x, y) of the drag since its speed was last measured."""
        self._last_drag = 0.0
        self._now = 0.0
        self._start = (0.0, 0.0)
        self._dragging = False
        self._last_click = -10.0
        self.grab: Callable[[float, float], bool] = lambda x, y: False
        """Called when a drag begins; returns whether it moves a marble instead of turning the view."""
        self.dropped: Callable[[float, float], None] = lambda x, y: None
        self.meant: Callable[[float, float], object] = lambda x, y: None
        """Returns the target at a position. A click counts if it is the same at press and release."""
        self.wheeled: Callable[[int], bool] = lambda by: False
        """Called when the wheel turns with Ctrl held; returns whether that was handled instead of zooming."""
        self.rest: Camera | None = None
        """Camera to return to instead of the default view, or None."""
        self.spun: Callable[[int], bool] = lambda quarters: False
        """Called before the view turns by quarters; returns whether the content turns instead."""
        self._pressed: object = None
        self._carrying = False
        self._shifted = False
        """Whether Shift was held when the button went down. With sticky keys, it is released before the button."""
        self._seen = False
        self._around: tuple[tuple[Vector, ...], ...] = ()
        """Hulls of the objects that must be in view besides the boards."""
        self._covered: tuple[object, tuple[Rect, ...], tuple[Rect, ...]] = None, (), ()
        """Layout of the last :meth:`fit` (rectangle, objects, board), its panels and its passing panels."""

    # Geometry

    @property
    def aspect(self) -> float:
        """Width divided by height."""
        return self.rect.w / max(1.0, self.rect.h)

    def on_screen(self, at: Vector) -> tuple[float, float]:
        """Return the window position of a point of the scene, in logical pixels."""
        pixels, _ = self.camera.project(np.array([at]), self.rect.w, self.rect.h)
        return self.rect.x + float(pixels[0, 0]), self.rect.y + float(pixels[0, 1])

    def all_on_screen(self, places: Sequence[Vector]) -> list[tuple[float, float]]:
        """Return the window positions of points of the scene, in logical pixels."""
        if not places:
            return []
        pixels, _ = self.camera.project(np.array(places), self.rect.w, self.rect.h)
        return [(self.rect.x + float(x), self.rect.y + float(y)) for x, y in pixels]

    def pick(self, x: float, y: float, things: Sequence[Seen], slabs: Sequence[Slab]) -> int | None:
        """Return the index of the object at a position in the view, or None if there is none."""
        return pick(self.camera, self.rect.w, self.rect.h, x, y, things, slabs)

    def picked(self, places: Array, things: Sequence[Seen]) -> NDArray[np.int64]:
        """Return the index of the object at each of the (n, 2) window positions, or -1."""
        places = places - np.array([self.rect.x, self.rect.y])
        return picks(self.camera, self.rect.w, self.rect.h, places, things)

    def about(self, x: float, y: float, things: Sequence[Seen]) -> list[int]:
        """Return the indexes of the click targets whose centres are near a position.

        They are sorted by distance from the camera, nearest first, and include targets hidden behind others. The
        position is relative to the view.
        """
        return about(self.camera, self.rect.w, self.rect.h, x, y, things)

    def met_at(self, things: Sequence[Seen], slabs: Sequence[Slab]) -> list[tuple[tuple[float, float], bool]]:
        """Return, for each object, a window position and whether a click there hits the object.

        If an object can't be hit anywhere, the position is its centre.
        """
        found = met_at(self.camera, self.rect.w, self.rect.h, things, slabs)
        return [((self.rect.x + x, self.rect.y + y), met) for (x, y), met in found]

    def size_of(self, at: Vector) -> float:
        """Return the radius on the screen of a marble at ``at``, in logical pixels."""
        _, depth = self.camera.project(np.array([at]), self.rect.w, self.rect.h)
        return float(self.camera.pixels(0.5, depth, self.rect.h)[0])

    def fit(
        self,
        around: Sequence[tuple[Vector, ...]],
        panels: Iterable[Rect],
        *,
        passing: Iterable[Rect] = (),
        board: int = 0,
        hold: bool = False,
    ) -> None:
        """Fit the home view to the boards and the objects ``around`` them, clear of ``panels``.

        Each object is given by the corners of its hull, and panels are rectangles in the window. ``passing`` panels are
        visible only at times, so they may cover objects if the boards would otherwise become too small. If there are
        several boards and all would be too small, only the current one, ``board``, is guaranteed to be in view.

        If the camera was at the previous home view, it moves to the new one, gliding there if its target changes. If
        ``hold`` is set and nothing but the panels has changed since the previous call, the panels of that call are used
        again.
        """
        panels, passing, whole = tuple(panels), tuple(passing), (self.rect, tuple(around), board)
        if hold and self._covered[0] == whole:
            panels, passing = self._covered[1:]
        self._covered = whole, panels, passing
        w, h = max(1.0, self.rect.w), max(1.0, self.rect.h)
        x, y = self.rect.x, self.rect.y
        parts, more = (
            [((p.x - x) / w, (p.y - y) / h, (p.right - x) / w, (p.bottom - y) / h) for p in rects]
            for rects in (panels, passing)
        )
        was, sizes = (self.home, self.above), self.home.sizes
        self._around = tuple(around)
        self.home = cameras.home(sizes, w / h, around, parts, passing=more, board=board)
        self.above = cameras.home(sizes, w / h, around, parts, passing=more, above=True, board=board)
        goal = self._fitted(self.goal, *was)
        if self._seen and goal.target[:2] != self.goal.target[:2]:
            self.go(goal)
        elif self._travel is not None:
            start, _, end = self._travel
            self._travel = (start, goal, end)
        else:
            self.camera = goal
        self._seen = True

    def _fitted(self, camera: Camera, home: Camera, above: Camera) -> Camera:
        """Return the camera that replaces ``camera`` after the home and top views have changed.

        ``home`` and ``above`` are the previous views.
        """
        if camera == home:
            return self.home
        if camera == above:
            return self.above
        return camera if camera.apart or self.home == home else camera.within(self.home)

    def from_above(self) -> Camera:
        """Return the top view of everything that the home view shows."""
        return self.rest or self.above

    def go_home(self) -> None:
        """Animate the camera to the home view."""
        self.go(self.rest or self.home)

    # Moving the camera

    def go(self, camera: Camera) -> None:
        """Animate the camera to another view."""
        length = self.app.settings.travel(motion.PRESET)
        self._glide = None
        if length <= 0:
            self.camera = camera
        else:
            self._travel = (self.camera, camera, self.app.clock() + length)
        self.refresh()

    def stop(self) -> None:
        """Stop the camera where it is."""
        self._travel = self._glide = None
        self.refresh()

    @property
    def goal(self) -> Camera:
        """Current camera or, during an animation, the camera at which the animation ends."""
        return self._travel[1] if self._travel else self.camera

    def turn(self, quarters: int) -> None:
        """Rotate the view by quarter turns.

        During an animation, the turns are added to the view at which the animation ends.
        """
        if not self.spun(quarters):
            self.go(self.goal.turned(QUARTER * quarters))

    def zoom(self, steps: float) -> None:
        """Zoom in by ``steps`` without animation; negative values zoom out."""
        self._travel = None
        self.camera = self.camera.zoomed(steps)
        self.refresh()

    def animate(self, now: float) -> bool:
        """Advance the camera to the time ``now``; return whether it is still moving."""
        elapsed, self._now = min(0.1, now - self._now), now
        if self._travel is not None:
            start, goal, end = self._travel
            length = self.app.settings.travel(motion.PRESET)
            part = 1 - (end - now) / length if length > 0 else 1.0
            if part >= 1:
                self.camera, self._travel = goal, None
            else:
                self.camera = start.towards(goal, motion.STANDARD(max(0.0, part)))
        if self._glide is not None:
            dx, dy = self._glide
            half = self.app.settings.travel(motion.GLIDE)
            fade = 0.5 ** (elapsed / half) if half > 0 else 0.0
            # Integrate the decaying speed exactly, so that the distance doesn't depend on the frame rate.
            far = half / math.log(2) * (1 - fade)
            self.camera = self.camera.orbit(dx * far, dy * far)
            self._glide = (dx * fade, dy * fade) if math.hypot(dx, dy) * fade > 20 else None
        return self._travel is not None or self._glide is not None

    # Input

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        self._start, self._dragging, self._spin = (x, y), False, (0.0, 0.0)
        self._carrying, self._shifted = False, key.shift
        self._glide = None
        self._pressed = self.meant(x - self.rect.x, y - self.rect.y)
        return True

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        if not self._dragging and math.dist(self._start, (x, y)) > THRESHOLD:
            self._dragging = True
            dx, dy = x - self._start[0], y - self._start[1]
            self._pull = self.app.clock(), 0.0, 0.0
            start = (self._start[0] - self.rect.x, self._start[1] - self.rect.y)
            turned = self._shifted or key.shift
            self._carrying = button == "left" and not turned and self.grab(*start)
            if not self._carrying:
                self.pointed(None, None)
        if self._carrying:
            self.pointed(x - self.rect.x, y - self.rect.y)
        elif self._dragging:
            self._travel = None
            self.camera = self.camera.orbit(dx, dy)
            self._last_drag = now = self.app.clock()
            since, ax, ay = self._pull
            self._pull = since, ax + dx, ay + dy
            # At a low frame rate, many pointer moves arrive at once, and each of them alone would seem fast.
            if now - since >= PULL:
                way = tuple(max(-900.0, min(900.0, far / (now - since))) for far in self._pull[1:])
                self._spin = (self._spin[0] + way[0]) / 2, (self._spin[1] + way[1]) / 2
                self._pull = now, 0.0, 0.0

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        now = self.app.clock()
        if self._carrying:
            self._carrying = self._dragging = False
            self.dropped(x - self.rect.x, y - self.rect.y)
            return
        if self._dragging:
            spinning = now - self._last_drag < 0.05 and math.hypot(*self._spin) > 60
            if spinning and self.app.settings.travel(motion.GLIDE) > 0:
                self._glide, self._now = self._spin, now
            self._dragging = False
            return
        place = (x - self.rect.x, y - self.rect.y)
        if self.meant(*place) != self._pressed:
            return
        if button == "right":
            self.cancelled(*place)
        elif button == "left" and not (self._shifted or key.shift):
            met = self.clicked(*place)
            if not met and now - self._last_click < DOUBLE:
                self.go_home()
            self._last_click = -10.0 if met else now

    def cancel_press(self) -> None:
        carrying, self._carrying, self._dragging = self._carrying, False, False
        if carrying:
            self.dropped(*NOWHERE)

    def move(self, x: float, y: float) -> None:
        self.pointed(x - self.rect.x, y - self.rect.y)

    def leave(self) -> None:
        self.pointed(None, None)

    def scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        if key.ctrl and dy and self.wheeled(1 if dy > 0 else -1):
            return True
        if key.alt:
            dx, dy = dx + dy, 0.0
        if dx:
            self._travel = None
            self.camera = self.camera.turned(max(-8.0, min(8.0, dx * 4)))
        if dy:
            self.zoom(max(-1.0, min(1.0, dy)))
        return True

    # Drawing

    def render(self, now: float, moving: bool, aside: Rect | None = None) -> None:
        """Draw the boards into their part of the window's framebuffer.

        If ``aside`` is given, draw the home view of all boards into it instead.
        """
        area = pixels_of(self.app, self.rect if aside is None else aside)
        if min(area[2:]) < 8:
            return
        aspect, camera = self.aspect, self.camera
        if aside is not None:
            aspect, home = aside.w / aside.h, self.home
            self.camera = (
                cameras.home_of(home.hull, home.start)
                if home.hull
                else cameras.home(home.sizes, aspect, self._around)
            )
        frame = self.picture(now, aspect)
        self.app.stage.painter().draw(frame, self.camera, area, self.app.scale, moving)
        self.camera = camera

    def sketch(self, now: float) -> None:
        """Draw a quick preview of the boards on the canvas, which is shown until they are rendered."""
        if min(self.rect.w, self.rect.h) >= 8:
            rough.paint(self.app.canvas, self.picture(now, self.aspect), self.camera, self.rect)


def pixels_of(app: Host, rect: Rect) -> tuple[int, int, int, int]:
    """Convert a logical rectangle to left, bottom, width and height in pixels of the window."""
    left, top = app.pixels(rect.x, rect.y)
    right, bottom = app.pixels(rect.right, rect.bottom)
    return left, app.stage.size[1] - bottom, right - left, bottom - top
