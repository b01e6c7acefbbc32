"""Render pass for the table, the shadows on it, and the floor beyond its edge."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays.order import boards_far_to_near
from shibumi3d.render.arrays.slab import around, everywhere
from shibumi3d.render.grains import Grains
from shibumi3d.render.kit import Kit, fill
from shibumi3d.render.lightmaps import LightMaps
from shibumi3d.render.room import extent, floor, level, table_colour
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.marbles.layout import TABLE, TOP, layout

_MARGIN = (14.0, 13.0)  # margin of the table around the boards, east-west and north-south
_EDGE = 0.9  # width of the worn edge


class TablePass:
    """Render pass for the table and the floor."""

    def __init__(self, kit: Kit, grains: Grains) -> None:
        self._kit, self._grains = kit, grains
        self._corners = kit.rows(2, 128)
        self._made: dict[tuple[str, ...], tuple[moderngl.Program, moderngl.VertexArray]] = {}
        for words in (("LIT",), ()):
            self._program(words)

    def draw(self, view: View, light: LightMaps) -> None:
        """Draw the table except where the nearest board hides it.

        The area covered by the light map is drawn first, then the area around it.
        """
        boards, theme = view.frame.boards, view.theme
        self._grains.table(theme.tone).use(0)
        light.table(shaded=bool(view.frame.pieces or view.frame.solids)).use(1)
        east, north = extent(boards)
        half = east + _MARGIN[0], north + _MARGIN[1]
        window, sky = level(theme)
        colour = 2.25 * np.array(table_colour(theme))
        far = 20.0 * layout(view.camera.sizes).reach
        if boards:
            near = boards_far_to_near(boards, view.eye)[-1]
            strips = around(near.half, (near.x, near.y, TOP), view.eye, light.domain[2:], far)
        else:
            strips = everywhere(light.domain[2:], far)
        edge = ("EDGE",) if _edge_in_sight(view, half) else ()
        for strip, words in zip(strips, (("LIT",), edge), strict=True):
            made, array = self._program(words)
            put(
                made,
                **view.uniforms,
                u_grain=0,
                u_light=1,
                u_domain=light.domain[2:],
                u_half=half,
                u_window=tuple(colour * window),
                u_above=tuple(colour * sky),
                u_beyond=tuple(floor(theme)),
                u_height=TABLE,
            )
            fill(self._corners, strip)
            array.render(moderngl.TRIANGLE_STRIP, vertices=len(strip))

    def _program(self, words: tuple[str, ...]) -> tuple[moderngl.Program, moderngl.VertexArray]:
        if words not in self._made:
            made = self._kit.program("table", *words, *self._kit.hdr)
            self._made[words] = made, self._kit.array(made, [(self._corners, "2f", "in_at")])
        return self._made[words]


def _edge_in_sight(view: View, half: tuple[float, float]) -> bool:
    """Return whether the image shows part of the table's worn edge or anything beyond it.

    ``half`` holds half the width and half the depth of the table.
    """
    back = np.linalg.inv(view.matrix)
    corners = np.array([(x, y, 1.0, 1.0) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]) @ back
    way = corners[:, :3] / corners[:, 3:] - view.eye
    if (way[:, 2] > -1e-6).any():
        return True
    at = view.eye + way * ((TABLE - view.eye[2]) / way[:, 2])[:, None]
    return bool((np.abs(at[:, :2]) > np.array(half) - _EDGE).any())
