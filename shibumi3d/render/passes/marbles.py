"""Render pass for marbles and beads."""

from __future__ import annotations

import math

import moderngl
import numpy as np

from shibumi3d.render.accumulator import RaySample
from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.drawing_order import split_by_nearest_board
from shibumi3d.render.arrays.marbles import (
    FLOATS_PER_BALL,
    MAX_NEIGHBOURS,
    BallArrays,
    make_depth_discs,
    make_neighbour_table,
)
from shibumi3d.render.gpu_resources import BLEND_OVER, BLEND_PREMULTIPLIED, GpuResources, write_rows
from shibumi3d.render.light_maps import LightMaps
from shibumi3d.render.lighting import table_colour
from shibumi3d.render.materials import MaterialTextures
from shibumi3d.render.render_target import RenderTarget
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.render.view import View
from shibumi3d.scene.frame import Board, Frame
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, HOLE_RADIUS, TABLE_Z
from shibumi3d.scene.palette import BOARD_COLOURS, MARK_COLOURS, SIGN_STRENGTHS, linear_rgb

# An octagon around the unit circle covers fewer pixels than a square, which is faster in software GL.
_OCTAGON = np.array(
    [f(math.pi * (k + 0.5) / 4) / math.cos(math.pi / 8) for k in range(8) for f in (math.cos, math.sin)],
    dtype="f4",
)
_ATTRIBUTES = (  # attributes of a marble in ball.glsl, with their numbers of floats
    *(("in_sphere", 4), ("in_colour", 4), ("in_material", 4), ("in_surface", 4)),
    *(("in_contact_level", 4), ("in_contact_above", 4), ("in_contact_below", 4), ("in_lookup", 4)),
    *(
        ("in_bounce_red", 4),
        ("in_bounce_green", 4),
        ("in_bounce_blue", 4),
        ("in_recolour", 4),
        ("in_recolour_direction", 3),
        ("in_roll", 4),
    ),
)
_MATERIAL_UNITS = (2, 3)  # texture units of the materials of the board and the table, which rays can hit


def _required_defines(frame: Frame, balls: BallArrays) -> tuple[str, ...]:
    """Return the names to define in ball.glsl for drawing a frame."""
    needs = {
        "BEADS": bool(balls.is_bead.any()),
        "RECOLOUR": frame.can_recolour or any(ball.recoloured_fraction > 0.0 for ball in frame.balls),
        "SIGNS": SIGN_STRENGTHS[frame.theme.signs] > 0.0,
        "GOLD_RIM": any(ball.gold_rim > 0.0 for ball in frame.balls),
        "DARK_BOARD_EDGE": frame.theme.board == "kuro",
        "GLASS": bool(((balls.rows[:, 14] > 0.0) & (balls.rows[:, 14] < 1.0)).any()),
    }
    return tuple(word for word, needed in needs.items() if needed)


class MarblePass:
    """Render pass for marbles.

    :meth:`begin` must be called first for each image.
    """

    def __init__(self, resources: GpuResources, materials: MaterialTextures) -> None:
        self._resources, self._ctx, self._materials = resources, resources.ctx, materials
        self._octagon = resources.buffer(_OCTAGON)
        self._rows, self._depth_rows = resources.row_buffer(FLOATS_PER_BALL, 64), resources.row_buffer(4, 64)
        self._blocker_table, self._neighbour_table = (
            resources.lookup_table(64),
            resources.lookup_table(2 * MAX_NEIGHBOURS, 32),
        )
        self._isotropic_sampler = resources.isotropic_sampler()
        self._depth_program = resources.compile_program("core")
        within = resources.buffer(_OCTAGON * math.cos(math.pi / 8))
        self._depth_array = resources.vertex_array(
            self._depth_program, [(within, "2f", "in_corner"), (self._depth_rows, "4f/i", "in_disc")]
        )
        self._programs: dict[tuple[str, ...], tuple[moderngl.Program, moderngl.VertexArray]] = {}
        self._current: tuple[moderngl.Program, moderngl.VertexArray]

    def update(self, balls: BallArrays) -> None:
        """Upload the marbles that shade others.

        If the tier uses ray tracing, also upload the neighbours of each marble.
        """
        self._blocker_table.write(balls.light_blockers)
        if self._resources.tier.ray_tracing:
            self._neighbour_table.write(make_neighbour_table(balls))

    def begin(self, view: View, balls: BallArrays, rays: RaySample | None = None) -> None:
        """Select the program for drawing ``balls``, and set its uniforms.

        Pass ``rays`` if the image is one of many that are averaged.
        """
        traced = ("ACCUMULATED",) if rays else ()
        self._balls, self._current = (
            balls,
            self._get_program((*_required_defines(view.frame, balls), *traced)),
        )
        set_uniforms(
            self._current[0],
            **view.uniforms,
            u_light_blockers=0,
            u_gold_colour=linear_rgb(MARK_COLOURS["win"]),
            u_bead_colour=linear_rgb(MARK_COLOURS["legal"]),
            u_bead_edge_colour=linear_rgb(MARK_COLOURS["edge"]),
            u_view_up=tuple(view.camera.axes()[1]),
            u_sign_strength=SIGN_STRENGTHS[view.theme.signs],
            u_ray_sample=rays,
        )

    def draw_depth(self, view: View, target: RenderTarget) -> None:
        """Write the depth of opaque marbles to ``target``, so that what they hide need not be drawn.

        The marbles themselves are drawn later.
        """
        rows = make_depth_discs(self._balls, view.eye, 2.0 * view.camera.tan_half_fov / target.size[1])
        if not len(rows):
            return
        write_rows(self._depth_rows, rows)
        set_uniforms(self._depth_program, u_view=view.uniforms["u_view"], u_eye=view.uniforms["u_eye"])
        self._ctx.disable(moderngl.CULL_FACE)
        target.set_depth_mode(self._ctx, True, write_depth=True)
        target.set_colour_writes(False)
        self._depth_array.render(moderngl.TRIANGLE_FAN, vertices=8, instances=len(rows))
        target.set_colour_writes(True)

    def draw(self, view: View, rows: Floats, light_maps: LightMaps) -> None:
        """Draw the marbles in ``rows`` (n, FLOATS_PER_BALL), in the given order.

        :meth:`begin` must be called first.
        """
        if not len(rows):
            return
        rays, (made, array) = self._resources.tier.ray_tracing, self._current
        self._blocker_table.use(0)
        self._ctx.blend_func = BLEND_PREMULTIPLIED if rays else BLEND_OVER
        for part, board in (
            split_by_nearest_board(rows, view.frame.boards) if rays else [(rows, view.frame.boards[0])]
        ):
            write_rows(self._rows, part)
            if rays:
                self._bind_surroundings(made, view, board, light_maps)
            array.render(moderngl.TRIANGLE_FAN, vertices=8, instances=len(part))
        for place in _MATERIAL_UNITS if rays else ():
            self._isotropic_sampler.clear(place)
        self._ctx.blend_func = BLEND_OVER

    def _bind_surroundings(
        self, program: moderngl.Program, view: View, board: Board, light_maps: LightMaps
    ) -> None:
        """Bind textures and uniforms for what rays can hit: neighbouring marbles, ``board`` and the table.

        ``board`` is the board nearest to the marbles to be drawn.
        """
        theme = view.theme
        self._neighbour_table.use(1)
        seen = (
            self._materials.board_textures(theme, board)[0],
            self._materials.tablecloth_texture(theme.tone),
            light_maps.board_map(board),
            light_maps.table_map(),
        )
        for place, texture in enumerate(seen, 2):
            texture.use(place)
        for place in _MATERIAL_UNITS:
            self._isotropic_sampler.use(place)
        set_uniforms(
            program,
            u_neighbours=1,
            u_board_texture=2,
            u_table_texture=3,
            u_board_light_map=4,
            u_table_light_map=5,
            u_board=(board.x, board.y, board.half_side, (board.size - 1) / 2),
            u_board_colour=linear_rgb(BOARD_COLOURS[theme.board]),
            u_table_colour=table_colour(theme),
            u_light_map_area=light_maps.table_area[2:],
            u_heights=(BOARD_TOP_Z, TABLE_Z, HOLE_RADIUS),
        )

    def _get_program(self, defines: tuple[str, ...]) -> tuple[moderngl.Program, moderngl.VertexArray]:
        if defines not in self._programs:
            made = self._resources.compile_program("ball", *defines, *self._resources.hdr_defines)
            used = [(name, floats) for name, floats in _ATTRIBUTES if name in made]
            form = " ".join(f"{floats}f" if name in made else f"{floats}x4" for name, floats in _ATTRIBUTES)
            rows = (self._rows, f"{form}/i", *(name for name, _ in used))
            self._programs[defines] = (
                made,
                self._resources.vertex_array(made, [(self._octagon, "2f", "in_corner"), rows]),
            )
        return self._programs[defines]
