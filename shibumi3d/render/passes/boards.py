"""Render passes for boards, their covers, and the coordinates engraved in their rims."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.distance_fields import GLYPH_CELL_TEXELS, make_glyph_field
from shibumi3d.render.arrays.marbles import MAX_REFLECTED_BALLS, BallArrays, make_reflection_table
from shibumi3d.render.arrays.slab import (
    FLOATS_PER_VERTEX,
    TOP_VERTEX_COUNT,
    make_hole_octagon,
    make_slab_mesh,
    make_slab_outline,
    open_holes,
)
from shibumi3d.render.gpu_resources import BLEND_OVER, GpuResources, write_rows
from shibumi3d.render.light_maps import COVER_HEIGHT, LightMaps
from shibumi3d.render.lighting import horizontal_irradiance, table_colour
from shibumi3d.render.materials import MaterialTextures
from shibumi3d.render.render_target import RenderTarget
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.render.view import View
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import (
    BOARD_MARGIN,
    BOARD_TOP_Z,
    HOLE_RADIUS,
    HOLE_SPHERE_RADIUS,
    LABEL_OFFSET,
)
from shibumi3d.scene.palette import BOARD_COLOURS, ENGRAVING_COLOURS, linear_rgb

MAX_BOARD_SIZE = 10
"""Number of files on the largest board."""
_LABEL_HALF_HEIGHTS = (
    0.10,
    0.13,
)  # half the height of a label's image, on the smallest and on the largest board
_FLOATS_PER_LABEL = 4  # floats per label: position, size and image number


def make_label_rows(size: int, rim_width: float = BOARD_MARGIN) -> Floats:
    """Return the rows (4 * ``size``, 4) for the labels of a board with ``size`` files and a rim of ``rim_width``.

    A row is x, y, half the height, and the number of the image. x and y are relative to the centre of the board. File
    letters (images 0 to 9) are on the south and north sides, and rank numbers (images 10 to 19) on the other two.
    """
    along = np.arange(size) - (size - 1) / 2
    rim = size / 2 + min(LABEL_OFFSET, rim_width / 2)
    high = _LABEL_HALF_HEIGHTS[0] + (_LABEL_HALF_HEIGHTS[1] - _LABEL_HALF_HEIGHTS[0]) * (size - 2) / (
        MAX_BOARD_SIZE - 2
    )
    rows = [(at, side * rim, high, number) for side in (-1, 1) for number, at in enumerate(along)]
    rows += [
        (side * rim, at, high, MAX_BOARD_SIZE + number) for side in (-1, 1) for number, at in enumerate(along)
    ]
    return np.array(rows, dtype=np.float32)


class CoordinatePass:
    """Render pass for the coordinates in the rims of boards.

    Its resources are created on first use.
    """

    def __init__(self, resources: GpuResources) -> None:
        self._resources = resources
        self._program: moderngl.Program | None = None

    def draw(self, view: View, board: Board, light_maps: LightMaps) -> None:
        """Draw the coordinates of ``board`` so that they can be read from its ``label_side``."""
        program = self._program or self._create()
        theme, ctx = view.theme, self._resources.ctx
        rows = make_label_rows(board.size, board.rim_width)
        write_rows(self._rows, rows)
        self._atlas.use(0)
        light_maps.board_map(board).use(2)
        window, sky = horizontal_irradiance(theme)
        ink = np.array(linear_rgb(ENGRAVING_COLOURS[theme.board]))
        set_uniforms(
            program,
            **view.uniforms,
            u_atlas=0,
            u_board_light_map=2,
            u_origin=(board.x, board.y, BOARD_TOP_Z),
            u_half_side=board.half_side,
            u_text_direction=text_direction(board.label_side),
            u_window_light=tuple(ink * window),
            u_sky_light=tuple(ink * sky),
        )
        ctx.disable(moderngl.CULL_FACE)
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = BLEND_OVER
        self._array.render(moderngl.TRIANGLE_STRIP, instances=len(rows))

    def _create(self) -> moderngl.Program:
        resources = self._resources
        self._program = program = resources.compile_program("engraving", *resources.hdr_defines)
        self._rows = resources.row_buffer(_FLOATS_PER_LABEL, 4 * MAX_BOARD_SIZE)
        row = self._rows, "4f/i", "in_label"
        self._array = resources.vertex_array(program, [(resources.corner_buffer, "2f", "in_corner"), row])
        letters = [f"file {chr(ord('a') + number)}" for number in range(MAX_BOARD_SIZE)]
        names = letters + [str(number + 1) for number in range(MAX_BOARD_SIZE)]
        atlas = np.concatenate([make_glyph_field(name) for name in names], axis=1)
        self._atlas = resources.register(
            resources.ctx.texture(
                (len(names) * GLYPH_CELL_TEXELS, GLYPH_CELL_TEXELS), 1, atlas.tobytes(), dtype="f4"
            )
        )
        self._atlas.filter = moderngl.LINEAR, moderngl.LINEAR
        return program


def text_direction(side: int) -> tuple[float, float]:
    """Return the direction (x, y) of text to be read from a given side of the board.

    ``side`` is 0 for the south side; the other sides follow counter-clockwise.
    """
    return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[side % 4]


_SHADER_VARIANTS = ("SIDES", "TOP", "HOLE", "COVER")  # variants of board.glsl
_COVER_COLOURS = {"day": "#E2DACA", "night": "#8E887C"}
_COVER_OVERHANG = 0.05  # overhang beyond the edge of the board
_VERTEX_FORMAT = "3f 3f 3f", "in_position", "in_normal", "in_outline_offset"
_TOP_VERTEX_FORMAT = "3f 6x4", "in_position"  # the same for the flat top, without normal and offset
_REFLECTION_BLUR = {
    "keyaki": 0.14,
    "slate": 0.16,
    "tatami": 0.30,
    "kuro": 0.03,
}  # how fast reflections blur with distance, by material
GLOSS_BY_MATERIAL = {"keyaki": 0.035, "slate": 0.02, "tatami": 0.0, "kuro": 0.10}


class BoardPass:
    """Render pass for boards, with their holes, coordinates and covers."""

    def __init__(self, resources: GpuResources, materials: MaterialTextures) -> None:
        self._resources, self._ctx, self._materials = resources, resources.ctx, materials
        self._programs = {
            kind: resources.compile_program("board", kind, *resources.hdr_defines)
            for kind in _SHADER_VARIANTS
        }
        self._outline_rows = resources.row_buffer(FLOATS_PER_VERTEX, 256)
        self._isotropic_sampler = resources.isotropic_sampler() if resources.tier.anisotropy > 1.0 else None
        self._reflection_table = (
            resources.lookup_table(2 * MAX_REFLECTED_BALLS, 4) if resources.tier.ray_tracing else None
        )
        self._outlines = {
            kind: resources.vertex_array(self._programs[kind], [(self._outline_rows, *_VERTEX_FORMAT)])
            for kind in ("SIDES", "COVER")
        }
        self._coordinates = CoordinatePass(resources)
        self._slabs: dict[tuple[str, float, int], moderngl.VertexArray] = {}
        self._hole_rows = resources.row_buffer(3, 16)
        self._hole_array = resources.vertex_array(
            self._programs["HOLE"],
            [
                (resources.buffer(make_hole_octagon()), "3f", "in_position"),
                (self._hole_rows, "3f/i", "in_hole"),
            ],
        )

    def draw(
        self, view: View, board: Board, balls: BallArrays, light_maps: LightMaps, target: RenderTarget
    ) -> None:
        """Draw ``board`` with its cover or, if it has none, with its empty holes and any coordinates."""
        theme, half, origin = view.theme, board.half_side, (board.x, board.y, BOARD_TOP_Z)
        top, sides = self._materials.board_textures(theme, board)
        for place, texture in enumerate((top, sides, light_maps.board_map(board), light_maps.table_map())):
            texture.use(place)
        window, sky = horizontal_irradiance(theme)
        colour, table = 2.25 * np.array(linear_rgb(BOARD_COLOURS[theme.board])), np.array(table_colour(theme))
        if self._reflection_table:
            self._reflection_table.write(make_reflection_table(balls, board))
            self._reflection_table.use(4)
        for kind in ("SIDES", "TOP", "HOLE"):
            set_uniforms(
                self._programs[kind],
                **view.uniforms,
                u_top_texture=0,
                u_side_texture=1,
                u_board_light_map=2,
                u_table_light_map=3,
                u_reflected_balls=4,
                u_part_count=(board.size + 1) // 2,
                u_reflection_blur=_REFLECTION_BLUR[theme.board],
                u_light_map_area=light_maps.table_area[2:],
                u_origin=origin,
                u_colour=linear_rgb(BOARD_COLOURS[theme.board]),
                u_half_side=half,
                u_gloss=GLOSS_BY_MATERIAL[theme.board],
                u_hole_radii=(HOLE_RADIUS, HOLE_SPHERE_RADIUS),
                u_window_light=tuple(colour * window),
                u_sky_light=tuple(colour * sky),
                u_table_window_light=tuple(table * window),
                u_table_sky_light=tuple(table * sky),
            )
        self._draw_slab(("SIDES", "TOP"), half, origin, target, view)
        middles = open_holes(board, balls)
        if len(middles) and not board.is_covered:
            write_rows(self._hole_rows, middles)
            self._ctx.disable(moderngl.BLEND)
            self._hole_array.render(moderngl.TRIANGLE_FAN, vertices=8, instances=len(middles))
        if board.label_side >= 0 and not board.is_covered:
            self._coordinates.draw(view, board, light_maps)
        if board.is_covered:
            self._draw_cover(view, board, light_maps, target)

    def _draw_cover(self, view: View, board: Board, light_maps: LightMaps, target: RenderTarget) -> None:
        """Draw a folded linen cover that hangs over the edge of the board.

        Its height is always the same, so that it doesn't reveal what is on the board.
        """
        half, origin = board.half_side + _COVER_OVERHANG, (board.x, board.y, BOARD_TOP_Z + COVER_HEIGHT)
        linen = self._materials.tablecloth_texture("day")
        linen.use(0)
        light_maps.table_map().use(3)
        window, sky = horizontal_irradiance(view.theme)
        table = np.array(table_colour(view.theme))
        set_uniforms(
            self._programs["COVER"],
            **view.uniforms,
            u_top_texture=0,
            u_table_light_map=3,
            u_light_map_area=light_maps.table_area[2:],
            u_table_window_light=tuple(table * window),
            u_table_sky_light=tuple(table * sky),
            u_origin=origin,
            u_colour=linear_rgb(_COVER_COLOURS[view.theme.tone]),
            u_half_side=half,
            u_gloss=0.0,
        )
        self._draw_slab(("COVER", "COVER"), half, origin, target, view)

    def _draw_slab(
        self,
        kinds: tuple[str, str],
        half: float,
        origin: tuple[float, float, float],
        target: RenderTarget,
        view: View,
    ) -> None:
        """Draw a slab with the centre of its top at ``origin``.

        ``half`` is half its side length. ``kinds`` are the names of the programs for its sides, including the bevel,
        and for its flat top. The uniforms of these programs, including ``u_origin``, must already be set.
        """
        self._ctx.disable(moderngl.BLEND)
        self._ctx.enable(moderngl.CULL_FACE)
        for kind, mesh in zip(
            kinds,
            (make_slab_mesh(half)[:-TOP_VERTEX_COUNT], make_slab_mesh(half)[-TOP_VERTEX_COUNT:]),
            strict=True,
        ):
            key = kind, half, len(mesh)
            if key not in self._slabs:
                corners = self._resources.buffer(mesh)
                self._slabs[key] = self._resources.vertex_array(
                    self._programs[kind],
                    [(corners, *(_TOP_VERTEX_FORMAT if kind == "TOP" else _VERTEX_FORMAT))],
                )
            # The shader selects the grain of the bevel or the sides with a branch, which makes anisotropic filtering
            # slow.
            plain = self._isotropic_sampler if kind != "TOP" else None
            if plain:
                plain.use(0)
                plain.use(1)
            self._slabs[key].render(moderngl.TRIANGLES)
            if plain:
                plain.clear(0)
                plain.clear(1)
        if not target.multisampled:
            strip = make_slab_outline(half, origin, view.matrix, target.size)
            write_rows(self._outline_rows, strip)
            self._ctx.enable(moderngl.BLEND)
            self._ctx.disable(moderngl.CULL_FACE)
            self._ctx.blend_func = BLEND_OVER
            self._outlines[kinds[0]].render(moderngl.TRIANGLE_STRIP, vertices=len(strip))
