"""Render pass for the table, and the shadows on it."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays.drawing_order import sort_boards_far_to_near
from shibumi3d.render.arrays.slab import table_strips_around, whole_table_strips
from shibumi3d.render.gpu_resources import GpuResources, write_rows
from shibumi3d.render.light_maps import LightMaps
from shibumi3d.render.lighting import background_colour, horizontal_irradiance, table_colour
from shibumi3d.render.materials import MaterialTextures
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.render.view import View
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, TABLE_Z

# Distances from the centre at which the cloth begins to fade into the background and at which it is gone. The unit is
# the horizontal extent of what stands on the table. The table ends nowhere else, so that no camera sees an edge.
_FADE_START, _FADE_END = 3.0, 10.0
_TABLE_END = 30.0  # all of its outline must be farther away than _FADE_END


class TablePass:
    """Render pass for the table."""

    def __init__(self, resources: GpuResources, materials: MaterialTextures) -> None:
        self._resources, self._materials = resources, materials
        self._strip_rows = resources.row_buffer(2, 128)
        self._programs: dict[tuple[str, ...], tuple[moderngl.Program, moderngl.VertexArray]] = {}
        for words in (("LIT",), ()):
            self._get_program(words)

    def draw(self, view: View, light_maps: LightMaps) -> None:
        """Draw the table except where the nearest board hides it.

        The area covered by the light map is drawn first, then the area around it.
        """
        boards, theme = view.frame.boards, view.theme
        self._materials.tablecloth_texture(theme.tone).use(0)
        light_maps.table_map(with_piece_shadows=bool(view.frame.pieces or view.frame.solids)).use(1)
        window, sky = horizontal_irradiance(theme)
        colour = 2.25 * np.array(table_colour(theme))
        reach = view.camera.horizontal_extent
        far = _TABLE_END * reach
        if boards:
            near = sort_boards_far_to_near(boards, view.eye)[-1]
            strips = table_strips_around(
                near.half_side, (near.x, near.y, BOARD_TOP_Z), view.eye, light_maps.table_area[2:], far
            )
        else:
            strips = whole_table_strips(light_maps.table_area[2:], far)
        fade = ("FADE",) if _is_visible_beyond(view, _FADE_START * reach) else ()
        for strip, words in zip(strips, (("LIT",), fade), strict=True):
            made, array = self._get_program(words)
            set_uniforms(
                made,
                **view.uniforms,
                u_cloth_texture=0,
                u_light_map=1,
                u_light_map_area=light_maps.table_area[2:],
                u_fade_radii=(_FADE_START * reach, _FADE_END * reach),
                u_window_light=tuple(colour * window),
                u_sky_light=tuple(colour * sky),
                u_background=tuple(background_colour(theme)),
                u_table_z=TABLE_Z,
            )
            write_rows(self._strip_rows, strip)
            array.render(moderngl.TRIANGLE_STRIP, vertices=len(strip))

    def _get_program(self, defines: tuple[str, ...]) -> tuple[moderngl.Program, moderngl.VertexArray]:
        if defines not in self._programs:
            made = self._resources.compile_program("table", *defines, *self._resources.hdr_defines)
            self._programs[defines] = (
                made,
                self._resources.vertex_array(made, [(self._strip_rows, "2f", "in_position")]),
            )
        return self._programs[defines]


def _is_visible_beyond(view: View, distance: float) -> bool:
    """Return whether the image shows part of the table farther than ``distance`` from the table's centre."""
    back = np.linalg.inv(view.matrix)
    corners = np.array([(x, y, 1.0, 1.0) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]) @ back
    way = corners[:, :3] / corners[:, 3:] - view.eye
    if (way[:, 2] > -1e-6).any():
        return True
    at = view.eye + way * ((TABLE_Z - view.eye[2]) / way[:, 2])[:, None]
    return bool((np.hypot(at[:, 0], at[:, 1]) > distance).any())
