"""Render pass for solids and cards."""

from __future__ import annotations

import itertools
import operator

import moderngl
import numpy as np

from shibumi3d.render.arrays.distance_fields import (
    ATLAS_COLUMNS,
    ATLAS_ROWS,
    GLYPH_CELL_TEXELS,
    make_glyph_field,
)
from shibumi3d.render.arrays.solids import (
    FLOATS_PER_CARD,
    FLOATS_PER_SOLID,
    card_rows,
    in_drawing_order,
    shape_mesh,
    solid_rows,
)
from shibumi3d.render.gpu_resources import BLEND_OVER, GpuResources, write_rows
from shibumi3d.render.light_maps import LightMaps
from shibumi3d.render.materials import MaterialTextures
from shibumi3d.render.render_target import RenderTarget
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.render.view import View
from shibumi3d.scene.frame import CARD_SURFACES, Solid
from shibumi3d.scene.marbles.layout import TABLE_Z

_NO_CELL = (-1.0, -1.0)
_CARD_ATTRIBUTES = (
    ("in_position", 3),
    ("in_right", 3),
    ("in_up", 3),
    ("in_fill", 4),
    ("in_ink", 3),
    ("in_outline", 4),
    ("in_shape", 4),
    ("in_atlas_cell", 2),
    ("in_stroke", 3),
)
"""Attributes of a card in card.glsl: the name and the number of floats of each."""


class SolidPass:
    """Render pass for solids and cards.

    Its resources are created on first use.
    """

    def __init__(self, resources: GpuResources, materials: MaterialTextures) -> None:
        self._resources, self._ctx, self._materials = resources, resources.ctx, materials
        self._solid_programs: dict[bool, moderngl.Program] = {}
        """Programs for wood (True) and for everything else."""
        self._wood_sampler: moderngl.Sampler | None = None
        self._card_programs: dict[str, moderngl.Program] = {}
        self._card_uniform_names: dict[str, frozenset[str]] = {}
        self._card_arrays: dict[tuple[int, str], tuple[moderngl.Buffer, moderngl.VertexArray]] = {}
        self._solid_arrays: dict[tuple[str, bool], tuple[moderngl.Buffer, moderngl.VertexArray]] = {}
        """Row buffer and vertex array for solids, by their shape and whether they are made of wood.

        Writing to a buffer that has just been drawn makes software GL finish all drawing first, so no two groups of
        solids, and no two runs of cards, share one.
        """
        self._cells: dict[str, tuple[float, float]] = {}

    def draw_opaque_solids(self, view: View, light_maps: LightMaps, target: RenderTarget) -> None:
        """Draw the opaque solids of a frame, and write their depth."""
        self._prepare_solids(view, light_maps)
        ctx = self._ctx
        ctx.enable(moderngl.CULL_FACE)
        ctx.blend_func = BLEND_OVER
        target.set_depth_mode(ctx, True, write_depth=True)
        ctx.disable(moderngl.BLEND)
        groups: dict[tuple[str, bool], list[Solid]] = {}
        for thing in view.frame.solids:
            if thing.alpha >= 1.0:
                groups.setdefault((thing.shape, thing.finish == "wood"), []).append(thing)
        for key, group in groups.items():
            self._draw_instances(key, group)
        if self._wood_sampler:
            self._wood_sampler.clear(1)
        target.set_depth_mode(ctx, False)

    def draw(self, view: View, light_maps: LightMaps, target: RenderTarget) -> None:
        """Draw the translucent solids and the cards of a frame.

        All other objects must already be drawn.
        """
        frame = view.frame
        faint = [thing for thing in frame.solids if 0.0 < thing.alpha < 1.0]
        if faint:
            self._draw_translucent_solids(view, faint, light_maps, target)
        if frame.cards:
            self._draw_cards(view, target)
        target.set_depth_mode(self._ctx, False)

    def _draw_translucent_solids(
        self, view: View, solids: list[Solid], light_maps: LightMaps, target: RenderTarget
    ) -> None:
        self._prepare_solids(view, light_maps)
        ctx = self._ctx
        ctx.enable(moderngl.CULL_FACE | moderngl.BLEND)
        ctx.blend_func = BLEND_OVER
        target.set_depth_mode(ctx, True, write_depth=True)
        for thing in sorted(
            solids, key=lambda thing: -float(np.linalg.norm(np.array(thing.position) - view.eye))
        ):
            self._draw_instances((thing.shape, thing.finish == "wood"), [thing])
        if self._wood_sampler:
            self._wood_sampler.clear(1)

    def _prepare_solids(self, view: View, light_maps: LightMaps) -> None:
        if not self._solid_programs:
            self._create_solids()
        light_maps.table_map(with_piece_shadows=True).use(0)
        for is_wood, program in self._solid_programs.items():
            if any((thing.finish == "wood") == is_wood for thing in view.frame.solids):
                if is_wood:
                    self._materials.wood_texture().use(1)
                    if self._wood_sampler:
                        self._wood_sampler.use(1)
                    program["u_grain"] = 1
                set_uniforms(
                    program,
                    **view.uniforms,
                    u_light_map_area=light_maps.table_area,
                    u_table_z=TABLE_Z,
                    u_shaded_light_map=0,
                )

    def _draw_instances(self, key: tuple[str, bool], solids: list[Solid]) -> None:
        if key not in self._solid_arrays:
            shape, is_wood = key
            corners, order = (self._resources.buffer(part) for part in shape_mesh(shape))
            rows = self._resources.row_buffer(FLOATS_PER_SOLID, 64)
            names = (
                "in_base",
                "in_size",
                "in_colour",
                "in_side_colour",
                "in_axis_x",
                "in_axis_y",
                "in_axis_z",
            )
            contents = [
                (corners, "3f 3f", "in_position", "in_normal"),
                (rows, "4f 4f 4f 4f 3f 3f 3f/i", *names),
            ]
            made = self._resources.vertex_array(self._solid_programs[is_wood], contents, order)
            self._solid_arrays[key] = rows, made
        rows, array = self._solid_arrays[key]
        write_rows(rows, solid_rows(solids))
        array.render(moderngl.TRIANGLES, instances=len(solids))

    def _create_solids(self) -> None:
        resources = self._resources
        if not resources.tier.ray_tracing:
            # Blending between mipmap levels takes longer than everything else that is done for a solid.
            smooth = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.LINEAR)
            self._wood_sampler = resources.register(self._ctx.sampler(filter=smooth))
        for is_wood in (False, True):
            self._solid_programs[is_wood] = resources.compile_program(
                "solid", *resources.hdr_defines, *(("WOOD",) if is_wood else ())
            )

    def _draw_cards(self, view: View, target: RenderTarget) -> None:
        if not self._card_programs:
            self._create_cards()
        cards = in_drawing_order([card for card in view.frame.cards if card.alpha > 0.0])
        cells = self._cells  # looked up here, since a call for each card would take longer
        fresh = {card.glyph for card in cards}.difference(cells)
        if len(cells) + len(fresh) > ATLAS_COLUMNS * ATLAS_ROWS:
            cells.clear()  # the atlas would overflow, so its cells are assigned again
        rows = card_rows(cards, [cells.get(card.glyph) or self._glyph_cell(card.glyph) for card in cards])
        self._atlas.use(0)
        ctx = self._ctx
        ctx.disable(moderngl.CULL_FACE)
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = BLEND_OVER
        for surface in {card.surface for card in cards}:
            program = self._card_programs[surface]
            names = {
                "u_atlas": 0,
                "u_atlas_size": (float(ATLAS_COLUMNS), float(ATLAS_ROWS)),
                **view.uniforms,
            }
            used = names.keys() & self._card_uniform_names[surface]
            set_uniforms(program, **{name: names[name] for name in used})
        first = 0
        runs = itertools.groupby(cards, operator.attrgetter("on_top", "surface"))
        for number, ((on_top, surface), run) in enumerate(runs):
            count = len(list(run))
            ctx.polygon_offset = (0.0, 0.0) if on_top else (-2.0, -4.0)
            target.set_depth_mode(ctx, not on_top)
            buffer, array = self._card_arrays.get((number, surface)) or self._create_card_array(
                number, surface
            )
            write_rows(buffer, rows[first : first + count])
            array.render(moderngl.TRIANGLE_STRIP, instances=count)
            first += count
        ctx.polygon_offset = 0.0, 0.0

    def _create_cards(self) -> None:
        resources = self._resources
        fine = ("FINE",) if resources.tier.name != "low" else ()
        for surface in CARD_SURFACES:
            defines = () if surface == "print" else (surface.upper(), *(fine if surface == "felt" else ()))
            program = resources.compile_program("card", *resources.hdr_defines, *defines)
            self._card_programs[surface], self._card_uniform_names[surface] = program, frozenset(program)
        self._atlas = resources.register(
            self._ctx.texture(
                (ATLAS_COLUMNS * GLYPH_CELL_TEXELS, ATLAS_ROWS * GLYPH_CELL_TEXELS), 1, dtype="f2"
            )
        )
        self._atlas.filter = moderngl.LINEAR, moderngl.LINEAR

    def _create_card_array(self, index: int, surface: str) -> tuple[moderngl.Buffer, moderngl.VertexArray]:
        """Create the buffer and the vertex array for a run of consecutive cards with the same ``surface``.

        ``index`` is the number of the run.
        """
        program = self._card_programs[surface]
        # Attributes that a surface doesn't use are missing from its program.
        used = [name if name in program else "" for name, _ in _CARD_ATTRIBUTES]
        form = " ".join(
            f"{floats}f" if name else f"{4 * floats}x"
            for name, (_, floats) in zip(used, _CARD_ATTRIBUTES, strict=True)
        )
        buffer = self._resources.row_buffer(FLOATS_PER_CARD, 64)
        rows = (buffer, f"{form}/i", *filter(None, used))
        array = self._resources.vertex_array(
            program, [(self._resources.corner_buffer, "2f", "in_corner"), rows]
        )
        self._card_arrays[index, surface] = buffer, array
        return buffer, array

    def _glyph_cell(self, glyph: str) -> tuple[float, float]:
        """Return the atlas cell of ``glyph``, or ``_NO_CELL`` if ``glyph`` is empty.

        The glyph is drawn into its cell on first use.
        """
        if not glyph:
            return _NO_CELL
        if glyph not in self._cells:
            number = len(self._cells) % (ATLAS_COLUMNS * ATLAS_ROWS)
            column, row = number % ATLAS_COLUMNS, number // ATLAS_COLUMNS
            made = make_glyph_field(glyph).astype("f2")
            self._atlas.write(
                made.tobytes(),
                viewport=(
                    column * GLYPH_CELL_TEXELS,
                    row * GLYPH_CELL_TEXELS,
                    GLYPH_CELL_TEXELS,
                    GLYPH_CELL_TEXELS,
                ),
            )
            self._cells[glyph] = (float(column), float(row))
        return self._cells[glyph]
