"""Render pass for boards and for the folded cloths that cover them."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays.marbles import MIRRORED, Balls, mirrored
from shibumi3d.render.arrays.slab import FLAT, SLAB, octagon, open_holes, outline, slab
from shibumi3d.render.grains import Grains
from shibumi3d.render.kit import OVER, Kit, fill
from shibumi3d.render.lightmaps import CLOTH_HEIGHT, LightMaps
from shibumi3d.render.passes.engraving import Engraving
from shibumi3d.render.picture import Picture
from shibumi3d.render.room import level, table_colour
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import DISH, HOLE, TOP
from shibumi3d.scene.palette import BOARDS, linear

_KINDS = ("BOARD", "FLAT", "HOLE", "FOLD")  # variants of board.glsl
_CLOTH = {"day": "#E2DACA", "night": "#8E887C"}
_CLOTH_OVER = 0.05  # overhang beyond the edge of the board
_CORNER = "3f 3f 3f", "in_position", "in_normal", "in_push"
_LEVEL = "3f 6x4", "in_position"  # the same for the flat top, without normal and offset
_SATIN = {"keyaki": 0.14, "slate": 0.16, "tatami": 0.30, "kuro": 0.03}  # reflection blur by distance
GLOSS = {"keyaki": 0.035, "slate": 0.02, "tatami": 0.0, "kuro": 0.10}


class BoardPass:
    """Render pass for boards."""

    def __init__(self, kit: Kit, grains: Grains) -> None:
        self._kit, self._ctx, self._grains = kit, kit.ctx, grains
        self._programs = {kind: kit.program("board", kind, *kit.hdr) for kind in _KINDS}
        self._outline = kit.rows(SLAB, 256)
        self._plain = kit.plain() if kit.tier.anisotropy > 1.0 else None
        self._mirrored = kit.lookup(2 * MIRRORED, 4) if kit.tier.rays else None
        self._outlines = {
            kind: kit.array(self._programs[kind], [(self._outline, *_CORNER)]) for kind in ("BOARD", "FOLD")
        }
        self._engraving = Engraving(kit)
        self._slabs: dict[tuple[str, float, int], moderngl.VertexArray] = {}
        self._middles = kit.rows(3, 16)
        self._holes = kit.array(
            self._programs["HOLE"],
            [(kit.buffer(octagon()), "3f", "in_position"), (self._middles, "3f/i", "in_middle")],
        )

    def draw(self, view: View, board: Board, found: Balls, light: LightMaps, picture: Picture) -> None:
        """Draw ``board`` with its empty holes, and its cloth if it has one."""
        theme, half, origin = view.theme, board.half, (board.x, board.y, TOP)
        top, sides = self._grains.board(theme, board)
        for place, texture in enumerate((top, sides, light.board(board), light.table())):
            texture.use(place)
        window, sky = level(theme)
        colour, table = 2.25 * np.array(linear(BOARDS[theme.board])), np.array(table_colour(theme))
        if self._mirrored:
            self._mirrored.write(mirrored(found, board))
            self._mirrored.use(4)
        for kind in ("BOARD", "FLAT", "HOLE"):
            put(
                self._programs[kind],
                **view.uniforms,
                u_top=0,
                u_sides=1,
                u_light=2,
                u_table=3,
                u_mirrored=4,
                u_parts=(board.size + 1) // 2,
                u_satin=_SATIN[theme.board],
                u_domain=light.domain[2:],
                u_origin=origin,
                u_colour=linear(BOARDS[theme.board]),
                u_half=half,
                u_gloss=GLOSS[theme.board],
                u_hole=(HOLE, DISH),
                u_window=tuple(colour * window),
                u_above=tuple(colour * sky),
                u_thrown=tuple(table * window),
                u_thrown_above=tuple(table * sky),
            )
        self._draw_slab(("BOARD", "FLAT"), half, origin, picture, view)
        middles = open_holes(board, found)
        if len(middles) and not board.cloth:
            fill(self._middles, middles)
            self._ctx.disable(moderngl.BLEND)
            self._holes.render(moderngl.TRIANGLE_FAN, vertices=8, instances=len(middles))
        if board.names >= 0 and not board.cloth:
            self._engraving.draw(view, board, light)
        if board.cloth:
            self._draw_cloth(view, board, light, picture)

    def _draw_cloth(self, view: View, board: Board, light: LightMaps, picture: Picture) -> None:
        """Draw a folded linen cover that hangs over the edge of the board.

        Its height is always the same, so that it doesn't reveal what is on the board.
        """
        half, origin = board.half + _CLOTH_OVER, (board.x, board.y, TOP + CLOTH_HEIGHT)
        linen = self._grains.table("day")
        linen.use(0)
        light.table().use(3)
        window, sky = level(view.theme)
        table = np.array(table_colour(view.theme))
        put(
            self._programs["FOLD"],
            **view.uniforms,
            u_top=0,
            u_table=3,
            u_domain=light.domain[2:],
            u_thrown=tuple(table * window),
            u_thrown_above=tuple(table * sky),
            u_origin=origin,
            u_colour=linear(_CLOTH[view.theme.tone]),
            u_half=half,
            u_gloss=0.0,
        )
        self._draw_slab(("FOLD", "FOLD"), half, origin, picture, view)

    def _draw_slab(
        self,
        kinds: tuple[str, str],
        half: float,
        origin: tuple[float, float, float],
        picture: Picture,
        view: View,
    ) -> None:
        """Draw a slab.

        ``kinds`` holds the programs for the sides with the bevel and for the flat top.
        """
        self._ctx.disable(moderngl.BLEND)
        self._ctx.enable(moderngl.CULL_FACE)
        for kind, mesh in zip(kinds, (slab(half)[:-FLAT], slab(half)[-FLAT:]), strict=True):
            key = kind, half, len(mesh)
            if key not in self._slabs:
                corners = self._kit.buffer(mesh)
                self._slabs[key] = self._kit.array(
                    self._programs[kind], [(corners, *(_LEVEL if kind == "FLAT" else _CORNER))]
                )
            # The shader selects the grain of the bevel or the sides with a branch, which makes anisotropic filtering
            # slow.
            plain = self._plain if kind != "FLAT" else None
            if plain:
                plain.use(0)
                plain.use(1)
            self._slabs[key].render(moderngl.TRIANGLES)
            if plain:
                plain.clear(0)
                plain.clear(1)
        if not picture.smooth:
            strip = outline(half, origin, view.matrix, picture.size)
            fill(self._outline, strip)
            self._ctx.enable(moderngl.BLEND)
            self._ctx.disable(moderngl.CULL_FACE)
            self._ctx.blend_func = OVER
            self._outlines[kinds[0]].render(moderngl.TRIANGLE_STRIP, vertices=len(strip))
