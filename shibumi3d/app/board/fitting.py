"""Default camera views for tables that are drawn by their own scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from shibumi3d.scene import camera as cameras
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.table import TableScene

if TYPE_CHECKING:
    from ..host.view import View


def fit_scene(view: View, scene: TableScene, panels: Sequence[Rect], foot: Rect) -> None:
    """Fit the home view and the top view to the scene.

    The scene is kept clear of ``panels``. It is also kept clear of the panel ``foot`` if the panel would otherwise
    cover part of it. If the camera was at one of the two views, it moves to the new version of that view. If the view
    is less than 8 pixels wide or high, nothing changes.
    """
    area = view.rect
    if min(area.w, area.h) < 8:
        return
    *parts, last = [
        (
            (each.x - area.x) / area.w,
            (each.y - area.y) / area.h,
            (each.right - area.x) / area.w,
            (each.bottom - area.y) / area.h,
        )
        for each in (*panels, foot)
    ]

    def seen(above: bool) -> Camera:
        found = cameras.home_of(scene.hull, scene.eye, area.w / area.h, parts, above=above)
        feet = found.project(np.array(scene.hull), area.w, area.h)[0][:, 1]
        if feet.max() > last[1] * area.h:
            # The foot would cover part of the scene.
            found = cameras.home_of(scene.hull, scene.eye, area.w / area.h, [*parts, last], above=above)
        return found

    was = view.home, view.above
    view.home, view.above = seen(False), seen(True)
    if view.camera in was:
        view.camera = view.above if view.camera == was[1] else view.home
