"""Light maps of the table and the boards."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TypeAlias

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.marbles import FLOATS_PER_SPHERE_SHADOW
from shibumi3d.render.arrays.pieces import FLOATS_PER_BLOCK_SHADOW, bounds, make_shadow_blocks
from shibumi3d.render.arrays.solids import items_extent, make_solid_shadow_blocks
from shibumi3d.render.gpu_resources import BLEND_MULTIPLY, GpuResources, write_rows
from shibumi3d.render.lighting import WINDOW_DIRECTION, boards_extent
from shibumi3d.render.shaders import set_uniforms
from shibumi3d.scene.frame import Board, Frame, Piece, Solid
from shibumi3d.scene.marbles.layout import BOARD_THICKNESS, BOARD_TOP_Z, TABLE_Z

MapArea: TypeAlias = tuple[
    float, float, float, float
]  # centre (x, y) and half sizes of the area of a light map

COVER_HEIGHT = 0.24  # height of a folded cover above the board
_TABLE_MAP_MARGIN = 3.2  # how far beyond the boards the table's light map reaches
_MAX_MOVING_CASTERS = 6  # moving marbles allowed before the resting ones are chosen again
_SPHERE_SHADOW_FORMAT = {
    True: ("4f 1f 4f/i", "in_sphere", "in_alpha", "in_tint"),
    False: ("4f 1f 4x4/i", "in_sphere", "in_alpha"),
}


def _table_map_area(frame: Frame) -> MapArea:
    """Return the part of the table that the light map covers.

    This area grows in steps to include everything beside the boards.
    """
    east, north = boards_extent(frame.boards)
    aside = [ball for ball in frame.balls if ball.z < BOARD_TOP_Z]
    far_east = max((abs(ball.x) + 2.0 for ball in aside), default=0.0)
    far_north = max((abs(ball.y) + 2.0 for ball in aside), default=0.0)
    for piece in frame.pieces:
        least, most = bounds(piece)
        far_east = max(far_east, 1.5 - least[0], 1.5 + most[0])
        far_north = max(far_north, 1.5 - least[1], 1.5 + most[1])
    out_east, out_north = items_extent(frame.solids, frame.cards)
    far_east, far_north = max(far_east, out_east + 1.5), max(far_north, out_north + 1.5)
    return (
        0.0,
        0.0,
        max(east + _TABLE_MAP_MARGIN, 2.0 * math.ceil(far_east / 2)),
        max(north + _TABLE_MAP_MARGIN, 2.0 * math.ceil(far_north / 2)),
    )


class LightMaps:
    """Textures that hold how much of the window and the sky is visible from each point of a surface.

    The shadows of resting marbles and of all other objects are drawn into a set of maps that is redrawn only when the
    set of resting marbles or one of the objects changes. For each frame, the shadows of moving marbles are added to
    copies of these maps. ``table_area`` is the part of the table that has a map.
    """

    def __init__(self, resources: GpuResources) -> None:
        self._resources, self._ctx = resources, resources.ctx
        self._sphere_shadow_program = resources.compile_program("splat", *resources.hdr_defines)
        self._board_shadow_program = resources.compile_program("slab", *resources.hdr_defines)
        self._block_shadow_program = resources.compile_program("shade", *resources.hdr_defines)
        self._copy_program = resources.compile_program("present", "COPY")
        self._board_shadow_array, self._copy_array = (
            resources.full_image_array(self._board_shadow_program),
            resources.full_image_array(self._copy_program),
        )
        self._sphere_shadow_rows = resources.row_buffer(FLOATS_PER_SPHERE_SHADOW, 64)
        self._sphere_shadow_array = resources.vertex_array(
            self._sphere_shadow_program,
            [
                (resources.corner_buffer, "2f", "in_corner"),
                (self._sphere_shadow_rows, *_SPHERE_SHADOW_FORMAT[resources.tier.ray_tracing]),
            ],
        )
        self._block_shadow_rows = resources.row_buffer(FLOATS_PER_BLOCK_SHADOW, 16)
        self._block_shadow_array = resources.vertex_array(
            self._block_shadow_program,
            [
                (resources.corner_buffer, "2f", "in_corner"),
                (self._block_shadow_rows, "4f 4f 3f/i", "in_block", "in_half_size", "in_heights"),
            ],
        )
        self._maps: dict[object, tuple[moderngl.Texture, moderngl.Framebuffer]] = {}
        self.boards: tuple[Board, ...] = ()
        self.table_area: MapArea = (0.0, 0.0, 1.0, 1.0)
        self._last_casters: frozenset[bytes] = frozenset()  # shadows of the last frame
        self._resting_casters: frozenset[bytes] = frozenset()  # shadows drawn in the maps of resting shadows
        self._resting_objects: tuple[tuple[Piece, ...], tuple[Solid, ...]] = (
            (),
            (),
        )  # pieces and solids whose shadows these maps include
        self._is_complete = True
        """Whether the last update was completed."""
        resources.register(self)

    def board_map(self, board: Board) -> moderngl.Texture:
        """Return the light map of the top of ``board``.

        The frame of the last update must contain the board.
        """
        return self._maps[board][0]

    def table_map(self, with_piece_shadows: bool = False) -> moderngl.Texture:
        """Return the light map of the table.

        If ``with_piece_shadows`` is set, the map includes the shadows of pieces and solids. In this case, the frame of
        the last update must contain a piece or a solid.
        """
        return self._maps["shaded" if with_piece_shadows else "table"][0]

    def update(self, frame: Frame, casters: Floats) -> None:
        """Draw the light maps for ``frame``.

        ``casters`` (n, FLOATS_PER_SPHERE_SHADOW) has a row for each marble that casts a shadow.
        """
        for _ in self.update_in_steps(frame, casters):
            pass

    def update_in_steps(self, frame: Frame, casters: Floats) -> Iterator[None]:
        """Draw the light maps for ``frame`` as :meth:`update` does, and yield after each map.

        The caller may draw other images in between. If the iterator isn't exhausted, the next update draws all maps.
        """
        domain = _table_map_area(frame)
        if (frame.boards, domain) != (self.boards, self.table_area) or not self._is_complete:
            self.boards, self.table_area = frame.boards, domain
            self.release()
        self._is_complete = False
        self._draw_base_map()
        yield
        planes: dict[Board, MapArea] = {
            board: (board.x, board.y, board.half_side, board.half_side) for board in frame.boards
        }
        still, moving, changed = self._split_casters(casters)
        if changed or (frame.pieces, frame.solids) != self._resting_objects:
            self._resting_objects = frame.pieces, frame.solids
            write_rows(self._sphere_shadow_rows, still)
            for plane, area in planes.items():
                self._draw_sphere_shadows(("still", plane), area, BOARD_TOP_Z, len(still), None)
                self._draw_block_shadows(frame, area, BOARD_TOP_Z)
                yield
            self._draw_sphere_shadows(("still", "table"), self.table_area, TABLE_Z, len(still), "base")
            yield
            if frame.pieces or frame.solids:
                self._draw_sphere_shadows(
                    ("still", "shaded"), self.table_area, TABLE_Z, 0, ("still", "table")
                )
                self._draw_block_shadows(frame, self.table_area, TABLE_Z)
                yield
        write_rows(self._sphere_shadow_rows, moving)
        for plane, area in planes.items():
            self._draw_sphere_shadows(plane, area, BOARD_TOP_Z, len(moving), ("still", plane))
            yield
        # The table light that pieces reflect must not include their own shadows.
        for table in ("table", "shaded") if frame.pieces or frame.solids else ("table",):
            self._draw_sphere_shadows(table, self.table_area, TABLE_Z, len(moving), ("still", table))
            yield
        self._is_complete = True

    def release(self) -> None:
        """Free all maps."""
        self._resources.bind_idle_framebuffer()
        for texture, target in self._maps.values():
            target.release()
            texture.release()
        self._maps.clear()

    def _split_casters(self, casters: Floats) -> tuple[Floats, Floats, bool]:
        """Return the resting shadow casters, the moving ones, and whether shadows of resting ones must be redrawn.

        The resting marbles are those whose shadows are in the maps of resting shadows. They are chosen again when these
        maps do not exist yet, when one of the resting marbles moves or disappears, or when there are more than a few
        other marbles and some of these have not moved since the last frame.
        """
        keys = [row.tobytes() for row in casters]
        now = frozenset(keys)
        last, self._last_casters = self._last_casters, now
        changed = ("still", "table") not in self._maps or not self._resting_casters <= now
        if changed or (
            len(now - self._resting_casters) > _MAX_MOVING_CASTERS and last & now != self._resting_casters
        ):
            self._resting_casters, changed = last & now, True
        rests = np.array([key in self._resting_casters for key in keys], dtype=bool)
        return casters[rests], casters[~rests], changed

    def _draw_sphere_shadows(
        self, key: object, area: MapArea, plane_z: float, count: int, base_key: object
    ) -> None:
        """Draw sphere shadows into light map ``key``, over a copy of map ``base_key``.

        The shadows are those in the first ``count`` rows of ``_sphere_shadow_rows``. If ``base_key`` is None, the map
        starts fully lit.
        """
        self._begin_map(key)
        if base_key is None:
            self._ctx.clear(1.0, 1.0, 1.0, 1.0)
        else:
            # Draw the map instead of copying it, because a copy would wait for all earlier commands.
            self._ctx.disable(moderngl.BLEND)
            self._maps[base_key][0].use(0)
            set_uniforms(self._copy_program, u_image=0)
            self._copy_array.render(moderngl.TRIANGLE_STRIP)
        if not count:
            return
        self._ctx.enable(moderngl.BLEND)
        self._ctx.blend_func = BLEND_MULTIPLY
        set_uniforms(
            self._sphere_shadow_program,
            u_window_direction=tuple(WINDOW_DIRECTION),
            u_light_map_area=area,
            u_plane_z=plane_z,
            u_fade_at_border=float(plane_z == TABLE_Z),
        )
        self._sphere_shadow_array.render(moderngl.TRIANGLE_STRIP, instances=count)

    def _draw_block_shadows(self, frame: Frame, area: MapArea, plane_z: float) -> None:
        """Draw the shadows of pieces and solids into the bound light map.

        The light map shows the part ``area`` of the plane z = ``plane_z``.
        """
        rows = make_shadow_blocks([piece for piece in frame.pieces if bounds(piece)[1][2] > plane_z])
        if frame.solids:
            rows = np.concatenate([rows, make_solid_shadow_blocks(frame.solids)])
        if not len(rows):
            return
        write_rows(self._block_shadow_rows, rows)
        self._ctx.enable(moderngl.BLEND)
        self._ctx.blend_func = BLEND_MULTIPLY
        set_uniforms(
            self._block_shadow_program,
            u_window_direction=tuple(WINDOW_DIRECTION),
            u_light_map_area=area,
            u_plane_z=plane_z - TABLE_Z,
            u_fade_at_border=float(plane_z == TABLE_Z),
        )
        self._block_shadow_array.render(moderngl.TRIANGLE_STRIP, instances=len(rows))

    def _begin_map(self, key: object) -> moderngl.Framebuffer:
        """Bind the framebuffer of a light map, set the state that all light maps need, and return the framebuffer."""
        target = self._map_framebuffer(key)
        target.use()
        self._ctx.scissor = None
        self._ctx.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        return target

    def _map_framebuffer(self, key: object) -> moderngl.Framebuffer:
        if key not in self._maps:
            side, form = (
                self._resources.tier.light_map_size,
                (4, "f2") if self._resources.tier.ray_tracing else (2, "f1"),
            )
            texture = self._ctx.texture((side, side), form[0], dtype=form[1])
            texture.filter = moderngl.LINEAR, moderngl.LINEAR
            texture.repeat_x = texture.repeat_y = False
            self._maps[key] = texture, self._ctx.framebuffer([texture])
        return self._maps[key][1]

    def _draw_base_map(self) -> None:
        """Draw the light map of the table with only the shadows of the boards, unless it already exists."""
        if "base" in self._maps:
            return
        self._begin_map("base").clear(1.0, 1.0, 1.0, 1.0)
        self._ctx.enable(moderngl.BLEND)
        self._ctx.blend_func = BLEND_MULTIPLY
        for board in self.boards:
            set_uniforms(
                self._board_shadow_program,
                u_window_direction=tuple(WINDOW_DIRECTION),
                u_light_map_area=self.table_area,
                u_board=(board.x, board.y, board.half_side),
                u_thickness=BOARD_THICKNESS + (COVER_HEIGHT if board.is_covered else 0.0),
            )
            self._board_shadow_array.render(moderngl.TRIANGLE_STRIP)
