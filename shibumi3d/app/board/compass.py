"""Compass button, which shows the viewing direction and returns to the home view when clicked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from shibumi3d.i18n import N_, _
from shibumi3d.scene.pen import faded
from shibumi3d.scene.style import Style

from ..ui.button import Button
from ..ui.canvas import Canvas

if TYPE_CHECKING:
    from ..host.view import View

SIDES = (
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
RING, LONG, WIDE = 10.0, 8.2, 3.0
STEEP = 80.0
"""Camera pitch, in degrees, above which the tooltip describes the view as from above."""


class Compass(Button):
    """Button with a needle that turns with the camera. Its coloured half points to the boards' north."""

    def __init__(self, view: View) -> None:
        super().__init__("", view.go_home, kind="quiet", name="home view")
        self.view = view
        self.follow()

    def follow(self) -> None:
        """Update the tooltip to the current viewing direction."""
        camera = self.view.goal
        side = SIDES[round(camera.yaw / 45) % 8]
        self.tip = _(
            "Viewed from {side}. Reset view  0",
            side=_("above") if camera.pitch > STEEP else _(side),
        )

    def natural(self, canvas: Canvas) -> float:
        return 32.0

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.follow()
        super().paint(canvas, style)
        x, y = round(self.rect.cx), round(self.rect.cy)
        canvas.ring(x, y, RING, style.hairline, 1.25)
        turn = math.radians(self.view.camera.yaw)
        north, aside = (math.sin(turn), -math.cos(turn)), (math.cos(turn), math.sin(turn))
        for way, ink in ((1.0, style.action), (-1.0, faded(style.soft, 0.45))):
            corners = [(north[0] * LONG * way, north[1] * LONG * way)]
            corners += [(aside[0] * WIDE * side, aside[1] * WIDE * side) for side in (way, -way)]
            canvas.polygon(x, y, corners, ink)
