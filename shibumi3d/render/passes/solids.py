"""Render pass for solids and cards."""

from __future__ import annotations

import moderngl
import numpy as np

from shibumi3d.render.arrays.glyphs import ACROSS, CELL, DOWN, named
from shibumi3d.render.arrays.solids import CARD, SOLID, card_rows, in_order, shape, solid_rows
from shibumi3d.render.kit import OVER, Kit, fill
from shibumi3d.render.lightmaps import LightMaps
from shibumi3d.render.picture import Picture
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.frame import SHAPES, Solid
from shibumi3d.scene.marbles.layout import TABLE

_NONE = (-1.0, -1.0)


class SolidPass:
    """Render pass for solids and cards. Its resources are created on first use."""

    def __init__(self, kit: Kit) -> None:
        self._kit, self._ctx = kit, kit.ctx
        self._solid: moderngl.Program | None = None
        self._card: moderngl.Program | None = None
        self._arrays: dict[str, moderngl.VertexArray] = {}
        self._cells: dict[str, tuple[float, float]] = {}

    def draw(self, view: View, light: LightMaps, picture: Picture) -> None:
        """Draw the solids and cards of a frame. Call this after everything else has been drawn."""
        frame = view.frame
        if frame.solids:
            self._draw_solids(view, light, picture)
        if frame.cards:
            self._draw_cards(view, picture)
        picture.depth(self._ctx, False)

    def _draw_solids(self, view: View, light: LightMaps, picture: Picture) -> None:
        program = self._solid or self._make_solids()
        things = [thing for thing in view.frame.solids if thing.alpha > 0.0]
        light.table(shaded=True).use(0)
        put(program, **view.uniforms, u_domain=light.domain, u_table=TABLE, u_shaded=0)
        ctx = self._ctx
        ctx.enable(moderngl.CULL_FACE)
        ctx.blend_func = OVER
        picture.depth(ctx, True, write=True)
        ctx.disable(moderngl.BLEND)
        for name in SHAPES:
            self._instances(name, [thing for thing in things if thing.shape == name and thing.alpha >= 1.0])
        ctx.enable(moderngl.BLEND)
        faint = [thing for thing in things if thing.alpha < 1.0]
        faint.sort(key=lambda thing: -float(np.linalg.norm(np.array(thing.at) - view.eye)))
        for thing in faint:
            self._instances(thing.shape, [thing])

    def _instances(self, name: str, things: list[Solid]) -> None:
        if things:
            fill(self._rows, solid_rows(things))
            self._arrays[name].render(moderngl.TRIANGLES, instances=len(things))

    def _make_solids(self) -> moderngl.Program:
        kit = self._kit
        self._solid = program = kit.program("solid", *kit.hdr)
        self._rows = kit.rows(SOLID, 256)
        names = ("in_at", "in_size", "in_colour", "in_foot", "in_east", "in_north", "in_rise")
        for name in SHAPES:
            corners = kit.buffer(shape(name))
            form = [(corners, "3f 3f", "in_position", "in_normal")]
            self._arrays[name] = kit.array(program, [*form, (self._rows, "4f 4f 4f 3f 3f 3f 3f/i", *names)])
        return program

    def _draw_cards(self, view: View, picture: Picture) -> None:
        program = self._card or self._make_cards()
        cards = in_order([card for card in view.frame.cards if card.alpha > 0.0])
        cells = [(*self._cell(card.glyph), *self._cell(card.corner)) for card in cards]
        fill(self._cards, card_rows(cards, cells))
        self._atlas.use(0)
        put(program, **view.uniforms, u_atlas=0, u_cells=(float(ACROSS), float(DOWN)))
        ctx = self._ctx
        ctx.disable(moderngl.CULL_FACE)
        ctx.enable(moderngl.BLEND)
        ctx.blend_func = OVER
        ctx.polygon_offset = -2.0, -4.0
        picture.depth(ctx, True)
        under = sum(not card.over for card in cards)
        self._render(0, under)
        picture.depth(ctx, False)
        ctx.polygon_offset = 0.0, 0.0
        if under < len(cards):
            rows = card_rows(cards[under:], cells[under:])
            fill(self._cards, rows)
            self._render(0, len(rows))

    def _render(self, first: int, count: int) -> None:
        if count:
            self._card_array.render(moderngl.TRIANGLE_STRIP, instances=count, first=first)

    def _make_cards(self) -> moderngl.Program:
        kit = self._kit
        self._card = program = kit.program("card", *kit.hdr)
        self._cards = kit.rows(CARD, 256)
        names = (
            "in_at",
            "in_right",
            "in_up",
            "in_paper",
            "in_ink",
            "in_edge",
            "in_form",
            "in_cell",
            "in_pen",
        )
        rows = (self._cards, "3f 3f 3f 4f 3f 4f 4f 4f 2f 2x4/i", *names)
        self._card_array = kit.array(program, [(kit.square, "2f", "in_corner"), rows])
        self._atlas = kit.keep(self._ctx.texture((ACROSS * CELL, DOWN * CELL), 1, dtype="f2"))
        self._atlas.filter = moderngl.LINEAR, moderngl.LINEAR
        return program

    def _cell(self, glyph: str) -> tuple[float, float]:
        """Return the atlas cell of a glyph, drawing the glyph into it on first use."""
        if not glyph:
            return _NONE
        if glyph not in self._cells:
            number = len(self._cells) % (ACROSS * DOWN)
            column, row = number % ACROSS, number // ACROSS
            made = named(glyph).astype("f2")
            self._atlas.write(made.tobytes(), viewport=(column * CELL, row * CELL, CELL, CELL))
            self._cells[glyph] = (float(column), float(row))
        return self._cells[glyph]
