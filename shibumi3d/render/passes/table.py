"""Render pass for the table, the shadows on it, and the floor beyond its edge."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays.drawing_order import sort_boards_far_to_near
from shibumi3d.render.arrays.slab import table_strips_around, whole_table_strips
from shibumi3d.render.gpu_resources import GpuResources, write_rows
from shibumi3d.render.light_maps import LightMaps
from shibumi3d.render.lighting import boards_extent, floor_colour, horizontal_light, table_colour
from shibumi3d.render.materials import MaterialTextures
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.render.view import View
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, TABLE_Z, make_layout

_TABLE_MARGIN = (14.0, 13.0)  # margin of the table around the boards, east-west and north-south
_WORN_EDGE_WIDTH = 0.9  # width of the worn edge


class TablePass:
    """Render pass for the table and the floor."""

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
        east, north = boards_extent(boards)
        half = east + _TABLE_MARGIN[0], north + _TABLE_MARGIN[1]
        window, sky = horizontal_light(theme)
        colour = 2.25 * np.array(table_colour(theme))
        far = 20.0 * make_layout(view.camera.sizes).horizontal_extent
        if boards:
            near = sort_boards_far_to_near(boards, view.eye)[-1]
            strips = table_strips_around(
                near.half_side, (near.x, near.y, BOARD_TOP_Z), view.eye, light_maps.table_area[2:], far
            )
        else:
            strips = whole_table_strips(light_maps.table_area[2:], far)
        edge = ("EDGE",) if _is_edge_visible(view, half) else ()
        for strip, words in zip(strips, (("LIT",), edge), strict=True):
            made, array = self._get_program(words)
            set_uniforms(
                made,
                **view.uniforms,
                u_cloth_texture=0,
                u_light_map=1,
                u_light_map_area=light_maps.table_area[2:],
                u_half_size=half,
                u_window_light=tuple(colour * window),
                u_sky_light=tuple(colour * sky),
                u_floor_colour=tuple(floor_colour(theme)),
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


def _is_edge_visible(view: View, half_size: tuple[float, float]) -> bool:
    """Return whether the image shows part of the table's worn edge or anything beyond it.

    ``half_size`` holds half the width and half the depth of the table.
    """
    back = np.linalg.inv(view.matrix)
    corners = np.array([(x, y, 1.0, 1.0) for x in (-1.0, 1.0) for y in (-1.0, 1.0)]) @ back
    way = corners[:, :3] / corners[:, 3:] - view.eye
    if (way[:, 2] > -1e-6).any():
        return True
    at = view.eye + way * ((TABLE_Z - view.eye[2]) / way[:, 2])[:, None]
    return bool((np.abs(at[:, :2]) > np.array(half_size) - _WORN_EDGE_WIDTH).any())
