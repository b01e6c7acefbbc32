"""Render pass for trays, dishes, bags and boxes."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays.pieces import PIECE, matrix, mesh, outlines
from shibumi3d.render.grains import Grains, wood
from shibumi3d.render.kit import OVER, Kit, fill
from shibumi3d.render.lightmaps import LightMaps
from shibumi3d.render.passes.boards import GLOSS
from shibumi3d.render.picture import Picture
from shibumi3d.render.room import level, table_colour
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.frame import Piece
from shibumi3d.scene.marbles.layout import TABLE
from shibumi3d.scene.palette import linear

_BAG = {"day": ("#7C8388", "#C9B48E"), "night": ("#6B7277", "#A8936C")}  # cloth and cord


class PiecePass:
    """Render pass for pieces, drawn one by one from far to near.

    :meth:`begin` must be called first for each image.
    """

    def __init__(self, kit: Kit, grains: Grains) -> None:
        self._kit, self._ctx, self._grains = kit, kit.ctx, grains
        self._program = kit.program("piece", *kit.hdr)
        self._fringe = kit.rows(PIECE, 512)
        self._fringe_array = self._array(self._fringe)
        self._models: dict[str, moderngl.VertexArray] = {}
        self._fringes: dict[Piece, tuple[int, int]] = {}

    def begin(self, view: View, picture: Picture) -> None:
        """Set the common uniforms and find the outlines of all pieces.

        Outlines are not needed if ``picture`` is multisampled.
        """
        pieces = view.frame.pieces
        self._fringes = {}
        if not pieces:
            return
        window, sky = level(view.theme)
        table = np.array(table_colour(view.theme))
        put(
            self._program,
            **view.uniforms,
            u_thrown=tuple(table * window),
            u_thrown_above=tuple(table * sky),
            u_shaded=2,
        )
        if not picture.smooth:
            corners, counts = outlines(pieces, view.camera, picture.size, view.aspect)
            fill(self._fringe, corners)
            starts = np.cumsum(counts) - counts
            self._fringes = dict(zip(pieces, zip(starts.tolist(), counts.tolist(), strict=True), strict=True))

    def draw(self, view: View, piece: Piece, light: LightMaps, picture: Picture) -> None:
        """Draw ``piece`` and write its depth."""
        theme, cloth = view.theme, piece.model == "bag"
        kind, colour = wood(theme.board)
        body, cord = (linear(word) for word in (_BAG[theme.tone] if cloth else (colour, colour)))
        (self._grains.table("day") if cloth else self._grains.pieces(theme)).use(0)
        light.table().use(1)
        light.table(shaded=True).use(2)
        put(
            self._program,
            u_grain=0,
            u_light=1,
            u_place=matrix(piece).astype("f4").tobytes(),
            u_size=piece.size,
            u_domain=light.domain,
            u_table=TABLE,
            u_colour=body,
            u_cord=cord,
            u_paint=linear(piece.colour or "#8C8372"),
            u_wrap=0.3 if cloth else 0.05,
            u_gloss=0.0 if cloth else GLOSS[kind],
            u_alpha=piece.alpha,
        )
        if piece.model not in self._models:
            corners, order = (self._kit.buffer(part) for part in mesh(piece.model))
            self._models[piece.model] = self._array(corners, order)
        self._ctx.disable(moderngl.BLEND)
        self._ctx.enable(moderngl.CULL_FACE)
        self._ctx.blend_func = OVER
        picture.depth(self._ctx, True, write=True)
        if piece.alpha < 1.0:
            self._ctx.enable(moderngl.BLEND)
            # Write the depth first, so that only the nearest sides are drawn.
            picture.draws_colour(False)
            self._models[piece.model].render(moderngl.TRIANGLES)
            picture.draws_colour(True)
        self._models[piece.model].render(moderngl.TRIANGLES)
        picture.depth(self._ctx, True)
        if piece in self._fringes:
            first, count = self._fringes[piece]
            self._ctx.enable(moderngl.BLEND)
            self._ctx.disable(moderngl.CULL_FACE)
            self._fringe_array.render(moderngl.TRIANGLES, vertices=count, first=first)
        picture.depth(self._ctx, False)

    def _array(self, corners: moderngl.Buffer, order: moderngl.Buffer | None = None) -> moderngl.VertexArray:
        form = (corners, "3f 3f 2f 3f", "in_position", "in_normal", "in_stuff", "in_push")
        return self._kit.array(self._program, [form], order)
