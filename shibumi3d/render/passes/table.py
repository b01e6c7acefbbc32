"""The table with what falls on it, and the floor beyond."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays.order import boards_far_to_near
from shibumi3d.render.arrays.slab import around
from shibumi3d.render.grains import Grains
from shibumi3d.render.kit import Kit, fill
from shibumi3d.render.light import LightMaps, extent
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.marbles.layout import TABLE, TOP, Array, half_side, layout
from shibumi3d.scene.palette import Theme, linear

_MARGIN = (14.0, 13.0)  # table beyond the boards, east-west and north-south


def floor(theme: Theme) -> Array:
    """The linear colour of the floor beyond the table."""
    return np.array(linear(theme.table)) * (0.66 if theme.tone == "day" else 0.60)


class TablePass:
    """Draws the table."""

    def __init__(self, kit: Kit, grains: Grains) -> None:
        self._grains = grains
        self._program = kit.program("table", *kit.hdr)
        self._corners = kit.rows(2, 128)
        self._array = kit.array(self._program, [(self._corners, "2f", "in_at")])

    def draw(self, view: View, light: LightMaps, size: tuple[int, int]) -> None:
        """Draws it into a picture of ``size`` pixels, but for what the nearest board hides."""
        boards = view.frame.boards
        self._grains.table(view.theme.tone).use(0)
        light.table(shaded=bool(view.frame.pieces)).use(1)
        east, north = extent(boards)
        put(
            self._program,
            **view.uniforms,
            u_grain=0,
            u_light=1,
            u_domain=light.domain[2:],
            u_half=(east + _MARGIN[0], north + _MARGIN[1]),
            u_colour=linear(view.theme.table),
            u_beyond=tuple(floor(view.theme)),
            u_size=size,
            u_height=TABLE,
        )
        near = boards_far_to_near(boards, view.eye)[-1]
        far = 20.0 * layout(view.camera.sizes).reach
        strip = around(half_side(near.size), (near.x, near.y, TOP), view.eye, far)
        fill(self._corners, strip)
        self._array.render(moderngl.TRIANGLE_STRIP, vertices=len(strip))
