"""Widget that shows the boards of a page: camera, pointer input and rendering."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from shibumi3d.scene import camera as cameras
from shibumi3d.scene import motion
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Frame
from shibumi3d.scene.marbles.layout import Vector
from shibumi3d.scene.picking import BoardSquare, PickableObject, find_pick_pixels, pick, targets_near
from shibumi3d.scene.rect import Rect

from ..ui.widget import DOUBLE_CLICK_SECONDS, Key, Widget
from . import board_sketch

if TYPE_CHECKING:
    from . import Host


DRAG_THRESHOLD_PX = 6.0
"""Distance that the pointer must move while pressed before a drag starts, in logical pixels."""
OFFSCREEN_POSITION = (-1e6, -1e6)
SPEED_SAMPLE_SECONDS = 0.03
"""Minimum time span for measuring the speed of a drag, in seconds."""
PANEL_PLACE_TOLERANCE = 0.02
"""Fraction within which camera distances count as equal when a place for a panel is chosen."""
QUARTER_TURN_DEGREES = 90.0


class BoardView(Widget):
    """Widget that shows the frame returned by ``make_frame(now, aspect)`` and handles pointer input.

    ``on_click(x, y)`` is called for a left click and returns whether the click hit anything. ``on_cancel(x, y)`` is
    called for a right click. ``on_point(x, y)`` is called when the pointer moves, and with ``(None, None)`` when it
    leaves the view or begins to turn the camera. Positions are in logical pixels from the top left of the view.
    ``sizes`` are the side lengths of the boards, and ``aspect`` is the width of the view divided by its height.
    """

    def __init__(
        self,
        app: Host,
        sizes: Sequence[int],
        make_frame: Callable[[float, float], Frame],
        *,
        on_click: Callable[[float, float], bool],
        on_cancel: Callable[[float, float], None],
        on_point: Callable[[float | None, float | None], None],
        name: str = "board",
    ) -> None:
        super().__init__(name)
        self.app, self.make_frame = app, make_frame
        self.on_click, self.on_cancel, self.on_point = on_click, on_cancel, on_point
        self.home_camera = cameras.make_home_camera(sizes)
        self.top_camera = self.home_camera.from_above()
        """Top view of everything that the home view shows."""
        self.camera = self.home_camera
        self._transition: tuple[Camera, Camera, float] | None = None
        self._glide_speed: tuple[float, float] | None = None
        self._drag_speed = (0.0, 0.0)
        self._drag_sample = 0.0, 0.0, 0.0
        """Time at which the speed of the drag was last measured, and the distance (x, y) dragged since then."""
        self._last_drag = 0.0
        self._now = 0.0
        self._press_position = (0.0, 0.0)
        self._is_dragging = False
        self._last_click = -10.0
        self.on_grab: Callable[[float, float], bool] = lambda x, y: False
        """Called when a left drag without Shift begins; returns whether it moves a marble rather than the camera."""
        self.on_drop: Callable[[float, float], None] = lambda x, y: None
        self.find_target: Callable[[float, float], object] = lambda x, y: None
        """Returns the target at a position. A click counts only if its press and its release have the same target."""
        self.on_ctrl_wheel: Callable[[int], bool] = lambda by: False
        """Called with 1 or -1 when the wheel is turned with Ctrl held; returns whether to skip the usual zoom."""
        self.rest_camera: Camera | None = None
        """Camera to go to instead of the home view or the top view, or None."""
        self.on_quarter_turn: Callable[[int], bool] = lambda quarters: False
        """Called before the view rotates by quarter turns; returns whether the content rotates instead."""
        self._pressed_target: object = None
        self._is_carrying = False
        self._had_shift = False
        """Whether Shift was held when the button went down. With sticky keys, Shift is released before the button."""
        self._was_fitted = False
        self._object_hulls: tuple[tuple[Vector, ...], ...] = ()
        """Hulls of the objects that should be in view besides the boards."""
        self._last_fit: tuple[object, tuple[Rect, ...], tuple[Rect, ...]] = None, (), ()
        """Inputs of the last :meth:`fit`: (rectangle, objects, board), panels and transient panels."""

    # Geometry

    @property
    def aspect(self) -> float:
        """Width divided by height."""
        return self.rect.w / max(1.0, self.rect.h)

    def to_window(self, position: Vector) -> tuple[float, float]:
        """Return the window position of a point of the scene, in logical pixels."""
        pixels, _ = self.camera.project(np.array([position]), self.rect.w, self.rect.h)
        return self.rect.x + float(pixels[0, 0]), self.rect.y + float(pixels[0, 1])

    def all_to_window(self, positions: Sequence[Vector]) -> list[tuple[float, float]]:
        """Return the window positions of points of the scene, in logical pixels."""
        if not positions:
            return []
        pixels, _ = self.camera.project(np.array(positions), self.rect.w, self.rect.h)
        return [(self.rect.x + float(x), self.rect.y + float(y)) for x, y in pixels]

    def pick(
        self, x: float, y: float, objects: Sequence[PickableObject], slabs: Sequence[BoardSquare]
    ) -> int | None:
        """Return the index of the object that a click at (x, y) in the view selects, or None if it selects none.

        ``slabs`` are the boards, which can hide objects. See :func:`.pick_many` for how the object is chosen.
        """
        return pick(self.camera, self.rect.w, self.rect.h, x, y, objects, slabs)

    def pick_near(self, x: float, y: float, objects: Sequence[PickableObject]) -> list[int]:
        """Return the indices of the click targets whose centres are near (x, y) in the view.

        Targets nearer to the camera come first. Targets hidden behind others are included.
        """
        return targets_near(self.camera, self.rect.w, self.rect.h, x, y, objects)

    def clickable_positions(
        self, objects: Sequence[PickableObject], slabs: Sequence[BoardSquare]
    ) -> list[tuple[tuple[float, float], bool]]:
        """Return, for each object, a position on the page and whether a click there hits the object.

        The positions are in logical pixels. If an object can't be hit anywhere, the position is that of its centre.
        """
        pick_pixels = find_pick_pixels(self.camera, self.rect.w, self.rect.h, objects, slabs)
        return [((self.rect.x + x, self.rect.y + y), is_hit) for (x, y), is_hit in pick_pixels]

    def marble_radius(self, position: Vector) -> float:
        """Return the on-screen radius of a marble at ``position``, in logical pixels."""
        _, depth = self.camera.project(np.array([position]), self.rect.w, self.rect.h)
        return float(self.camera.projected_radius(0.5, depth, self.rect.h)[0])

    def fit(
        self,
        objects: Sequence[tuple[Vector, ...]],
        panels: Iterable[Rect],
        *,
        transient_panels: Iterable[Rect] = (),
        board: int = 0,
        keep_panels: bool = False,
    ) -> None:
        """Fit the home and top views to the boards and the ``objects`` around them, clear of ``panels``.

        Each object is given by the corners of its hull, and panels are rectangles in the window. The
        ``transient_panels`` are only shown some of the time, so they may cover something if the boards would otherwise
        become too small. If several boards would be too small when shown together, only ``board``, the current one, is
        guaranteed to be in view. :func:`.make_home_camera` describes what else gives way if there isn't enough room.

        If the camera was at the home or the top view, it moves to the new version of that view. Otherwise, it keeps its
        angles and zoom, but the framing may change. In both cases, the camera glides if its target moves horizontally,
        except in the first call.

        If ``keep_panels`` is true and nothing but the panels has changed since the previous call, the panels of that
        call are used again.
        """
        panels, transient_panels, fit_key = (
            tuple(panels),
            tuple(transient_panels),
            (self.rect, tuple(objects), board),
        )
        if keep_panels and self._last_fit[0] == fit_key:
            panels, transient_panels = self._last_fit[1:]
        self._last_fit = fit_key, panels, transient_panels
        previous = self.home_camera, self.top_camera
        self._object_hulls = tuple(objects)
        self.home_camera, self.top_camera = (
            self._fitted_camera(objects, panels, transient_panels, board, from_above)
            for from_above in (False, True)
        )
        goal = self._refit_camera(self.target_camera, *previous)
        if self._was_fitted and goal.target[:2] != self.target_camera.target[:2]:
            self.animate_to(goal)
        elif self._transition is not None:
            start, _, end = self._transition
            self._transition = (start, goal, end)
        else:
            self.camera = goal
        self._was_fitted = True

    def _fitted_camera(
        self,
        objects: Sequence[tuple[Vector, ...]],
        panels: Iterable[Rect],
        transient_panels: Iterable[Rect],
        board: int,
        from_above: bool = False,
    ) -> Camera:
        """Return the home view that :meth:`fit` chooses for these arguments.

        If ``from_above`` is true, return the top view instead.
        """
        w, h = max(1.0, self.rect.w), max(1.0, self.rect.h)
        x, y = self.rect.x, self.rect.y
        panel_parts, temporary_parts = (
            [((p.x - x) / w, (p.y - y) / h, (p.right - x) / w, (p.bottom - y) / h) for p in rects]
            for rects in (panels, transient_panels)
        )
        return cameras.make_home_camera(
            self.home_camera.sizes,
            w / h,
            objects,
            panel_parts,
            temporary_panels=temporary_parts,
            from_above=from_above,
            board=board,
        )

    def best_panel_place(
        self,
        objects: Sequence[tuple[Vector, ...]],
        panels: Sequence[Rect],
        places: Sequence[Rect],
        board: int,
    ) -> int:
        """Return the index of the place where a transient panel leaves the boards largest in the home view.

        If several places are about equally good, the first of them is chosen.
        """
        distances = [
            self._fitted_camera(objects, panels, [place], board).distance(self.aspect) for place in places
        ]
        least = min(distances) * (1 + PANEL_PLACE_TOLERANCE)
        return next(index for index, distance in enumerate(distances) if distance <= least)

    def _refit_camera(self, camera: Camera, home: Camera, above: Camera) -> Camera:
        """Return the camera that replaces ``camera`` after the home and top views have changed.

        ``home`` and ``above`` are the previous home and top views. If ``camera`` is one of them, the new version of
        that view is returned. Any other camera keeps its angles and zoom but takes over the framing of the new home
        view; it stays as it is if the home view hasn't changed or ``camera`` shows the exploded view.
        """
        if camera == home:
            return self.home_camera
        if camera == above:
            return self.top_camera
        return (
            camera
            if camera.exploded_fraction or self.home_camera == home
            else camera.with_framing_of(self.home_camera)
        )

    def top_view(self) -> Camera:
        """Return the camera to use for the top view.

        This is :attr:`rest_camera` if it is set, otherwise :attr:`top_camera`.
        """
        return self.rest_camera or self.top_camera

    def go_home(self) -> None:
        """Move the camera to :attr:`rest_camera` if it is set, otherwise to the home view."""
        self.animate_to(self.rest_camera or self.home_camera)

    # Moving the camera

    def animate_to(self, camera: Camera) -> None:
        """Move the camera to another view, at once if animation is turned off."""
        length = self.app.settings.animation_seconds(motion.CAMERA_MOVE_MS)
        self._glide_speed = None
        if length <= 0:
            self.camera = camera
        else:
            self._transition = (self.camera, camera, self.app.clock() + length)
        self.refresh()

    def stop(self) -> None:
        """Stop the camera where it is."""
        self._transition = self._glide_speed = None
        self.refresh()

    @property
    def target_camera(self) -> Camera:
        """Current camera or, during an animation, the camera at which the animation ends."""
        return self._transition[1] if self._transition else self.camera

    def turn(self, quarters: int) -> None:
        """Rotate the view by ``quarters`` quarter turns.

        If :attr:`on_quarter_turn` rotates the content instead, the view isn't rotated. If an animation is running, the
        rotation starts from the view at which that animation would have ended.
        """
        if not self.on_quarter_turn(quarters):
            self.animate_to(self.target_camera.rotated(QUARTER_TURN_DEGREES * quarters))

    def zoom(self, steps: float) -> None:
        """Zoom in by ``steps`` (-1 to 1) without animation; negative values zoom out.

        If the camera is moving to another view, that movement stops.
        """
        self._transition = None
        self.camera = self.camera.zoomed(steps)
        self.refresh()

    def animate(self, now: float) -> bool:
        """Advance the camera's motion to the time ``now``; return whether the camera is still moving."""
        elapsed, self._now = min(0.1, now - self._now), now
        if self._transition is not None:
            start, goal, end = self._transition
            length = self.app.settings.animation_seconds(motion.CAMERA_MOVE_MS)
            fraction = 1 - (end - now) / length if length > 0 else 1.0
            if fraction >= 1:
                self.camera, self._transition = goal, None
            else:
                self.camera = start.interpolate(goal, motion.EASE_STANDARD(max(0.0, fraction)))
        if self._glide_speed is not None:
            dx, dy = self._glide_speed
            half = self.app.settings.animation_seconds(motion.GLIDE_HALF_LIFE_MS)
            fade = 0.5 ** (elapsed / half) if half > 0 else 0.0
            # Integrate the decaying speed exactly, so that the distance doesn't depend on the frame rate.
            far = half / math.log(2) * (1 - fade)
            self.camera = self.camera.orbit(dx * far, dy * far)
            self._glide_speed = (dx * fade, dy * fade) if math.hypot(dx, dy) * fade > 20 else None
        return self._transition is not None or self._glide_speed is not None

    # Input

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        self._press_position, self._is_dragging, self._drag_speed = (x, y), False, (0.0, 0.0)
        self._is_carrying, self._had_shift = False, key.shift
        self._glide_speed = None
        self._pressed_target = self.find_target(x - self.rect.x, y - self.rect.y)
        return True

    def on_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        if not self._is_dragging and math.dist(self._press_position, (x, y)) > DRAG_THRESHOLD_PX:
            self._is_dragging = True
            dx, dy = x - self._press_position[0], y - self._press_position[1]
            self._drag_sample = self.app.clock(), 0.0, 0.0
            start = (self._press_position[0] - self.rect.x, self._press_position[1] - self.rect.y)
            turned = self._had_shift or key.shift
            self._is_carrying = button == "left" and not turned and self.on_grab(*start)
            if not self._is_carrying:
                self.on_point(None, None)
        if self._is_carrying:
            self.on_point(x - self.rect.x, y - self.rect.y)
        elif self._is_dragging:
            self._transition = None
            self.camera = self.camera.orbit(dx, dy)
            self._last_drag = now = self.app.clock()
            since, ax, ay = self._drag_sample
            self._drag_sample = since, ax + dx, ay + dy
            # At a low frame rate, many pointer moves arrive at once, and each of them alone would seem fast.
            if now - since >= SPEED_SAMPLE_SECONDS:
                speed = tuple(max(-900.0, min(900.0, far / (now - since))) for far in self._drag_sample[1:])
                self._drag_speed = (self._drag_speed[0] + speed[0]) / 2, (self._drag_speed[1] + speed[1]) / 2
                self._drag_sample = now, 0.0, 0.0

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        now = self.app.clock()
        if self._is_carrying:
            self._is_carrying = self._is_dragging = False
            self.on_drop(x - self.rect.x, y - self.rect.y)
            return
        if self._is_dragging:
            spinning = now - self._last_drag < 0.05 and math.hypot(*self._drag_speed) > 60
            if spinning and self.app.settings.animation_seconds(motion.GLIDE_HALF_LIFE_MS) > 0:
                self._glide_speed, self._now = self._drag_speed, now
            self._is_dragging = False
            return
        position = (x - self.rect.x, y - self.rect.y)
        if self.find_target(*position) != self._pressed_target:
            return
        if button == "right":
            self.on_cancel(*position)
        elif button == "left" and not (self._had_shift or key.shift):
            is_hit = self.on_click(*position)
            if not is_hit and now - self._last_click < DOUBLE_CLICK_SECONDS:
                self.go_home()
            self._last_click = -10.0 if is_hit else now

    def cancel_press(self) -> None:
        carrying, self._is_carrying, self._is_dragging = self._is_carrying, False, False
        if carrying:
            self.on_drop(*OFFSCREEN_POSITION)

    def on_pointer_move(self, x: float, y: float) -> None:
        self.on_point(x - self.rect.x, y - self.rect.y)

    def on_pointer_leave(self) -> None:
        self.on_point(None, None)

    def on_scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        if key.ctrl and dy and self.on_ctrl_wheel(1 if dy > 0 else -1):
            return True
        if key.alt:
            dx, dy = dx + dy, 0.0
        if dx:
            self._transition = None
            self.camera = self.camera.rotated(max(-8.0, min(8.0, dx * 4)))
        if dy:
            self.zoom(max(-1.0, min(1.0, dy)))
        return True

    # Drawing

    def render(self, now: float, is_moving: bool, board_area: Rect | None = None) -> None:
        """Draw the boards into their part of the window's framebuffer.

        If ``board_area`` is given, draw the home view of all boards into it instead.
        """
        area = framebuffer_area(self.app, self.rect if board_area is None else board_area)
        if min(area[2:]) >= 8:
            frame, camera = self._picture(now, board_area)
            self.app.board_painter().draw(frame, camera, area, self.app.scale, is_moving)

    def sketch(self, now: float, board_area: Rect | None = None) -> None:
        """Draw the boards on the canvas as flat shapes, which are shown until the boards are rendered.

        If ``board_area`` is given, draw the home view of all boards into it instead.
        """
        area = self.rect if board_area is None else board_area
        if min(area.w, area.h) >= 8:
            frame, camera = self._picture(now, board_area)
            board_sketch.paint_sketch(self.app.canvas, frame, camera, area)

    def _picture(self, now: float, board_area: Rect | None) -> tuple[Frame, Camera]:
        """Return the frame to draw and the camera to draw it with.

        If ``board_area`` is given, the camera shows the home view of all boards.
        """
        if board_area is None:
            return self.make_frame(now, self.aspect), self.camera
        aspect, camera, home = board_area.w / board_area.h, self.camera, self.home_camera
        self.camera = (
            cameras.make_home_camera_for_hull(home.hull, home.home_angles)
            if home.hull
            else cameras.make_home_camera(home.sizes, aspect, self._object_hulls)
        )
        try:
            return self.make_frame(now, aspect), self.camera
        finally:
            self.camera = camera


def framebuffer_area(app: Host, rect: Rect) -> tuple[int, int, int, int]:
    """Convert a rectangle from logical to framebuffer pixels.

    The result is (left, bottom, width, height), measured from the bottom left of the window.
    """
    left, top = app.to_window_pixels(rect.x, rect.y)
    right, bottom = app.to_window_pixels(rect.right, rect.bottom)
    return left, app.size[1] - bottom, right - left, bottom - top
