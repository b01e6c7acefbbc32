"""Camera keys and buttons, the compass, and home views of scenes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol

import numpy as np

from shibumi3d.i18n import N_, _
from shibumi3d.scene import camera
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style
from shibumi3d.scene.table_scene import TableScene
from shibumi3d.wording import game_title

from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.widget import Key
from .settings import VIEWS_PER_GAME

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

    from . import Host
    from .board_view import BoardView


SIDE_NAMES = (
    N_("the south"),
    N_("the south-east"),
    N_("the east"),
    N_("the north-east"),
    N_("the north"),
    N_("the north-west"),
    N_("the west"),
    N_("the south-west"),
)
"""Names of the viewing sides, counter-clockwise from the south in steps of 45°."""
RING_RADIUS_PX, NEEDLE_LENGTH_PX, NEEDLE_HALF_WIDTH_PX = 10.0, 8.2, 3.0
FROM_ABOVE_PITCH_DEGREES = 80.0
"""Camera pitch, in degrees, beyond which the tooltip says that the view is from above."""


class CompassButton(Button):
    """Button with a needle that turns with the camera.

    The coloured half of the needle points to the north side of the boards. A click resets the view.
    """

    def __init__(self, view: BoardView) -> None:
        super().__init__("", view.go_home, kind="quiet", name="home view")
        self.view = view
        self.update_tooltip()

    def update_tooltip(self) -> None:
        """Update the tooltip, which names the side from which the boards are viewed.

        During a camera animation, this is the side from which they will be viewed at its end.
        """
        camera = self.view.target_camera
        side = SIDE_NAMES[round(camera.yaw / 45) % 8]
        self.tooltip = _(
            "Viewed from {side}. Reset view  0",
            side=_("above") if camera.pitch > FROM_ABOVE_PITCH_DEGREES else _(side),
        )

    def preferred_width(self, canvas: Canvas) -> float:
        return 32.0

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.update_tooltip()
        super().paint(canvas, style)
        x, y = round(self.rect.cx), round(self.rect.cy)
        canvas.ring(x, y, RING_RADIUS_PX, style.hairline, 1.25)
        turn = math.radians(self.view.camera.yaw)
        north, aside = (math.sin(turn), -math.cos(turn)), (math.cos(turn), math.sin(turn))
        for direction, ink in ((1.0, style.action), (-1.0, multiply_alpha(style.secondary_ink, 0.45))):
            corners = [(north[0] * NEEDLE_LENGTH_PX * direction, north[1] * NEEDLE_LENGTH_PX * direction)]
            corners += [
                (aside[0] * NEEDLE_HALF_WIDTH_PX * side, aside[1] * NEEDLE_HALF_WIDTH_PX * side)
                for side in (direction, -direction)
            ]
            canvas.polygon(x, y, corners, ink)


def fit_camera_to_scene(
    view: BoardView,
    scene: TableScene,
    panels: Sequence[Rect],
    bottom_panel: Rect | None = None,
    *,
    is_over: bool = False,
) -> None:
    """Fit the home view and the top view to the scene.

    Set ``is_over`` if the match is over; the views are then fitted to what remains on the table. The scene is kept
    clear of ``panels``, and also of ``bottom_panel`` if that panel would otherwise cover part of it. If the camera was
    at one of the two views, it moves to the new version of that view. If ``view`` is less than 8 pixels wide or high,
    nothing changes.
    """
    area = view.rect
    if min(area.w, area.h) < 8:
        return
    panel_parts, foot = [
        [
            (
                (panel.x - area.x) / area.w,
                (panel.y - area.y) / area.h,
                (panel.right - area.x) / area.w,
                (panel.bottom - area.y) / area.h,
            )
            for panel in rects
        ]
        for rects in (panels, (bottom_panel,) if bottom_panel else ())
    ]

    hull = scene.final_hull if is_over else scene.hull

    def seen(above: bool) -> Camera:
        home_camera = camera.make_home_camera_for_hull(
            hull, scene.view_direction, area.w / area.h, panel_parts, from_above=above
        )
        feet = home_camera.project(np.array(hull), area.w, area.h)[0][:, 1]
        if any(feet.max() > top * area.h for _, top, _, _ in foot):
            # The bottom panel would cover part of the scene.
            home_camera = camera.make_home_camera_for_hull(
                hull, scene.view_direction, area.w / area.h, [*panel_parts, *foot], from_above=above
            )
        return home_camera

    previous = view.home_camera, view.top_camera
    view.home_camera, view.top_camera = seen(False), seen(True)
    if view.camera in previous:
        view.camera = view.top_camera if view.camera == previous[1] else view.home_camera


SIDE_KEYS = ("left", "right", "down", "up")
"""Names of the arrow keys for the sides of the board, in the order of :data:`.SIDES`."""


class CameraControlsOwner(Protocol):
    """Page with a view of a table."""

    app: Host
    view: BoardView
    entry: Entry

    def show_note(self, sentence: str) -> None:
        """Show ``sentence`` as a message that isn't about a particular point.

        An empty sentence removes the current message.
        """


class CameraControls:
    """Camera commands of a page.

    ``extra_bindings`` maps further key chords to functions.
    """

    def __init__(
        self,
        page: CameraControlsOwner,
        extra_bindings: Mapping[str, Callable[[], object]] = MappingProxyType({}),
    ) -> None:
        self.page, self.extra_bindings = page, extra_bindings

    def on_key(self, key: Key) -> bool:
        """Handle camera keys, the screenshot key and keys in ``extra_bindings``; return whether ``key`` was handled."""
        view = self.page.view
        actions: dict[str, Callable[[], object]] = {
            "0": view.go_home,
            "t": lambda: view.animate_to(view.top_view()),
            "[": lambda: view.turn(-1),
            "]": lambda: view.turn(1),
            "plus": lambda: view.zoom(1),
            "shift+plus": lambda: view.zoom(1),
            "-": lambda: view.zoom(-1),
            "ctrl+left": lambda: view.animate_to(view.camera.rotated(-15)),
            "ctrl+right": lambda: view.animate_to(view.camera.rotated(15)),
            "ctrl+up": lambda: view.animate_to(view.camera.rotated(0, 10)),
            "ctrl+down": lambda: view.animate_to(view.camera.rotated(0, -10)),
            "o": lambda: view.turn(2),
            **{f"alt+{key_name}": partial(self.go_to_side, i) for i, key_name in enumerate(SIDE_KEYS)},
            **{f"alt+{i + 1}": partial(self.recall_view, i) for i in range(VIEWS_PER_GAME)},
            **{f"alt+shift+{i + 1}": partial(self.store_view, i) for i in range(VIEWS_PER_GAME)},
            "ctrl+shift+c": lambda: self.page.app.save_screenshot(
                game_title(self.page.entry), self.page.view.rect
            ),
            **self.extra_bindings,
        }
        action = actions.get(key.chord)
        if action is None:
            return False
        action()
        return True

    def go_to_side(self, side: int) -> None:
        """Move the camera to a side of the board.

        ``side`` is an index into :data:`.SIDES`.
        """
        self.page.view.animate_to(self.page.view.camera.from_side(side))

    def store_view(self, slot: int) -> None:
        """Store the current camera view for this game in ``slot``, counted from 0.

        The view is saved in the settings, and a message confirms it.
        """
        camera = self.page.view.camera
        views = list(self.page.app.settings.views.get(self.page.entry.id, (None,) * VIEWS_PER_GAME))
        views[slot] = round(camera.yaw, 2), round(camera.pitch, 2), round(camera.zoom, 3)
        self.page.app.change_settings(
            views={**self.page.app.settings.views, self.page.entry.id: tuple(views)}
        )
        self.page.show_note(_("View {number} saved.", number=slot + 1))

    def save_camera(self, file_name: str) -> None:
        """Store the camera position in the settings, for the match saved as ``file_name``.

        The camera position of only one match is stored at a time. The stored position is deleted if the camera is at
        the home view or the top view. If ``file_name`` is empty, nothing changes.
        """
        view, eye = self.page.view, {}
        if file_name and view.target_camera not in (view.home_camera, view.top_camera):
            camera = view.target_camera
            eye[file_name] = round(camera.yaw, 2), round(camera.pitch, 2), round(camera.zoom, 3)
        if file_name and self.page.app.settings.eye != eye:
            self.page.app.change_settings(eye=eye)

    def restore_camera(self, file_name: str) -> None:
        """Restore the camera position stored for the match saved as ``file_name``, if there is one."""
        if file_name in self.page.app.settings.eye:
            yaw, pitch, zoom = self.page.app.settings.eye[file_name]
            self.page.view.animate_to(replace(self.page.view.home_camera, yaw=yaw, pitch=pitch, zoom=zoom))

    def recall_view(self, slot: int) -> None:
        """Go to the view stored for this game in ``slot``, counted from 0.

        If the slot is empty, show a message.
        """
        stored_view = self.page.app.settings.views.get(self.page.entry.id, (None,) * VIEWS_PER_GAME)[slot]
        if stored_view is None:
            self.page.show_note(
                _(
                    "View {number} is empty. Press Shift+Alt+{number} to save the current view.",
                    number=slot + 1,
                )
            )
            return
        yaw, pitch, zoom = stored_view
        self.page.view.animate_to(replace(self.page.view.camera, yaw=yaw, pitch=pitch, zoom=zoom))
        self.page.show_note("")

    def make_buttons(self) -> list[Button]:
        """Return the camera buttons for the bottom bar."""
        view = self.page.view
        return [
            Button(
                "",
                lambda: view.turn(-1),
                icon="turn-left",
                kind="quiet",
                tip=_("Rotate left  ["),
                name="turn left",
            ),
            Button(
                "",
                lambda: view.turn(1),
                icon="turn-right",
                kind="quiet",
                tip=_("Rotate right  ]"),
                name="turn right",
            ),
            Button(
                _("Top"),
                lambda: view.animate_to(view.top_view()),
                icon="top",
                kind="quiet",
                tip=_("View from above  T"),
                name="top",
            ),
            CompassButton(view),
            Button(
                "", lambda: view.zoom(-1), icon="minus", kind="quiet", tip=_("Zoom out  −"), name="farther"
            ),
            Button("", lambda: view.zoom(1), icon="plus", kind="quiet", tip=_("Zoom in  +"), name="nearer"),
        ]
