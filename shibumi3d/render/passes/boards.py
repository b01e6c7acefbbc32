"""Boards, and the folded cloths over them."""

from __future__ import annotations

import moderngl

from shibumi3d.render.arrays.slab import FLAT, SLAB, outline, slab
from shibumi3d.render.grains import Grains
from shibumi3d.render.kit import OVER, Kit, fill
from shibumi3d.render.light import CLOTH_HEIGHT, LightMaps
from shibumi3d.render.picture import Picture
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import DISH, HOLE, TOP, half_side
from shibumi3d.scene.palette import BOARDS, linear

_KINDS = ("BOARD", "FLAT", "FOLD")  # board.glsl, compiled for each
_CLOTH = {"day": "#E2DACA", "night": "#8E887C"}
_CLOTH_OVER = 0.05  # beyond the edge of the board
_CORNER = "3f 3f 3f", "in_position", "in_normal", "in_push"
GLOSS = {"keyaki": 0.035, "slate": 0.02, "tatami": 0.0, "kuro": 0.10}


class BoardPass:
    """Draws boards."""

    def __init__(self, kit: Kit, grains: Grains) -> None:
        self._kit, self._ctx, self._grains = kit, kit.ctx, grains
        self._programs = {kind: kit.program("board", kind, *kit.hdr) for kind in _KINDS}
        self._outline = kit.rows(SLAB, 256)
        self._outlines = {
            kind: kit.array(self._programs[kind], [(self._outline, *_CORNER)]) for kind in ("BOARD", "FOLD")
        }
        self._slabs: dict[tuple[str, float, int], moderngl.VertexArray] = {}

    def draw(self, view: View, board: Board, light: LightMaps, picture: Picture) -> None:
        """Draws ``board`` over what is there, and its cloth."""
        top, sides = self._grains.board(view.theme, board.size)
        top.use(0)
        sides.use(1)
        light.board(board).use(2)
        for kind in ("BOARD", "FLAT"):
            put(
                self._programs[kind],
                **view.uniforms,
                u_top=0,
                u_sides=1,
                u_light=2,
                u_origin=(board.x, board.y, TOP),
                u_colour=linear(BOARDS[view.theme.board]),
                u_half=half_side(board.size),
                u_last=(board.size - 1) / 2,
                u_gloss=GLOSS[view.theme.board],
                u_hole=(HOLE, DISH),
            )
        origin = board.x, board.y, TOP
        self._draw_slab(("BOARD", "FLAT"), half_side(board.size), origin, picture, view)
        if board.cloth:
            self._draw_cloth(view, board, picture)

    def _draw_cloth(self, view: View, board: Board, picture: Picture) -> None:
        """A cover of folded linen that hangs over the edge of the board and is as high whatever stands there."""
        half, origin = half_side(board.size) + _CLOTH_OVER, (board.x, board.y, TOP + CLOTH_HEIGHT)
        linen = self._grains.table("day")
        linen.use(0)
        linen.use(1)
        put(
            self._programs["FOLD"],
            **view.uniforms,
            u_top=0,
            u_sides=1,
            u_light=2,
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
        """Draws a slab: its sides and bevel, then its flat upper side, with the programs of these ``kinds``."""
        self._ctx.disable(moderngl.BLEND)
        self._ctx.enable(moderngl.CULL_FACE)
        for kind, mesh in zip(kinds, (slab(half)[:-FLAT], slab(half)[-FLAT:]), strict=True):
            key = kind, half, len(mesh)
            if key not in self._slabs:
                corners = self._kit.buffer(mesh)
                self._slabs[key] = self._kit.array(self._programs[kind], [(corners, *_CORNER)])
            self._slabs[key].render(moderngl.TRIANGLES)
        if not picture.smooth:
            strip = outline(half, origin, view.matrix, picture.size)
            fill(self._outline, strip)
            self._ctx.enable(moderngl.BLEND)
            self._ctx.disable(moderngl.CULL_FACE)
            self._ctx.blend_func = OVER
            self._outlines[kinds[0]].render(moderngl.TRIANGLE_STRIP, vertices=len(strip))
