"""Render pass for pieces, such as trays, bags and huts."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays.pieces import FLOATS_PER_VERTEX, make_outlines, model_matrix, model_mesh
from shibumi3d.render.gpu_resources import BLEND_OVER, GpuResources, write_rows
from shibumi3d.render.light_maps import LightMaps
from shibumi3d.render.lighting import horizontal_irradiance, table_colour
from shibumi3d.render.materials import MaterialTextures, piece_material
from shibumi3d.render.passes.boards import GLOSS_BY_MATERIAL
from shibumi3d.render.render_target import RenderTarget
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.render.view import View
from shibumi3d.scene.frame import Piece
from shibumi3d.scene.marbles.layout import TABLE_Z
from shibumi3d.scene.palette import linear_rgb

_BAG_COLOURS = {"day": ("#7C8388", "#C9B48E"), "night": ("#6B7277", "#A8936C")}  # cloth and cord


class PiecePass:
    """Render pass for pieces, which are drawn one by one from far to near.

    :meth:`begin` must be called first for each image.
    """

    def __init__(self, resources: GpuResources, materials: MaterialTextures) -> None:
        self._resources, self._ctx, self._materials = resources, resources.ctx, materials
        self._program = resources.compile_program("piece", *resources.hdr_defines)
        self._outline_rows = resources.row_buffer(FLOATS_PER_VERTEX, 512)
        self._outline_array = self._vertex_array(self._outline_rows)
        self._models: dict[str, moderngl.VertexArray] = {}
        self._outline_ranges: dict[Piece, tuple[int, int]] = {}

    def begin(self, view: View, target: RenderTarget) -> None:
        """Set the uniforms that all pieces share and, unless ``target`` is multisampled, compute their outlines."""
        pieces = view.frame.pieces
        self._outline_ranges = {}
        if not pieces:
            return
        window, sky = horizontal_irradiance(view.theme)
        table = np.array(table_colour(view.theme))
        set_uniforms(
            self._program,
            **view.uniforms,
            u_table_window_light=tuple(table * window),
            u_table_sky_light=tuple(table * sky),
            u_shaded_light_map=2,
        )
        if not target.multisampled:
            corners, counts = make_outlines(pieces, view.camera, target.size, view.aspect)
            write_rows(self._outline_rows, corners)
            starts = np.cumsum(counts) - counts
            self._outline_ranges = dict(
                zip(pieces, zip(starts.tolist(), counts.tolist(), strict=True), strict=True)
            )

    def draw(self, view: View, piece: Piece, light_maps: LightMaps, target: RenderTarget) -> None:
        """Draw ``piece`` and write its depth."""
        theme, cloth = view.theme, piece.model == "bag"
        kind, colour = piece_material(theme.board)
        body, cord = (linear_rgb(word) for word in (_BAG_COLOURS[theme.tone] if cloth else (colour, colour)))
        (self._materials.tablecloth_texture("day") if cloth else self._materials.piece_texture(theme)).use(0)
        light_maps.table_map().use(1)
        light_maps.table_map(with_piece_shadows=True).use(2)
        set_uniforms(
            self._program,
            u_grain=0,
            u_table_light_map=1,
            u_model=model_matrix(piece).astype("f4").tobytes(),
            u_half_size=piece.half_size,
            u_light_map_area=light_maps.table_area,
            u_table_z=TABLE_Z,
            u_colour=body,
            u_cord_colour=cord,
            u_paint_colour=linear_rgb(piece.colour or "#8C8372"),
            u_light_wrap=0.3 if cloth else 0.05,
            u_gloss=0.0 if cloth else GLOSS_BY_MATERIAL[kind],
            u_alpha=piece.alpha,
        )
        if piece.model not in self._models:
            corners, order = (self._resources.buffer(part) for part in model_mesh(piece.model))
            self._models[piece.model] = self._vertex_array(corners, order)
        self._ctx.disable(moderngl.BLEND)
        self._ctx.enable(moderngl.CULL_FACE)
        self._ctx.blend_func = BLEND_OVER
        target.set_depth_mode(self._ctx, True, write_depth=True)
        if piece.alpha < 1.0:
            self._ctx.enable(moderngl.BLEND)
            # Write the depth first, so that only the nearest sides are drawn.
            target.set_colour_writes(False)
            self._models[piece.model].render(moderngl.TRIANGLES)
            target.set_colour_writes(True)
        self._models[piece.model].render(moderngl.TRIANGLES)
        target.set_depth_mode(self._ctx, True)
        if piece in self._outline_ranges:
            first, count = self._outline_ranges[piece]
            self._ctx.enable(moderngl.BLEND)
            self._ctx.disable(moderngl.CULL_FACE)
            self._outline_array.render(moderngl.TRIANGLES, vertices=count, first=first)
        target.set_depth_mode(self._ctx, False)

    def _vertex_array(
        self, corners: moderngl.Buffer, order: moderngl.Buffer | None = None
    ) -> moderngl.VertexArray:
        form = (
            corners,
            "3f 3f 2f 3f",
            "in_position",
            "in_normal",
            "in_sky_and_material",
            "in_outline_offset",
        )
        return self._resources.vertex_array(self._program, [form], order)
