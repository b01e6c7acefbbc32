"""Light maps of the table and the boards."""

from __future__ import annotations

import math
from typing import TypeAlias

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.marbles import SPLAT
from shibumi3d.render.arrays.pieces import SHADE, bounds, shades
from shibumi3d.render.arrays.solids import reach, solid_shades
from shibumi3d.render.kit import TIMES, Kit, fill
from shibumi3d.render.room import SUN, extent
from shibumi3d.render.shaders import put
from shibumi3d.scene.frame import Board, Frame, Piece, Solid
from shibumi3d.scene.marbles.layout import TABLE, THICKNESS, TOP

Domain: TypeAlias = tuple[
    float, float, float, float
]  # centre (x, y) and half sizes of the area of a light map

CLOTH_HEIGHT = 0.24  # height of a folded cover above the board
_MARGIN = 3.2  # how far beyond the boards the table's light map reaches
_MOVING = 6  # moving marbles allowed before the resting ones are chosen again
_SPLAT = {
    True: ("4f 1f 4f/i", "in_sphere", "in_alpha", "in_glass"),
    False: ("4f 1f 4x4/i", "in_sphere", "in_alpha"),
}


def _table_domain(frame: Frame) -> Domain:
    """Return the part of the table that the light map covers.

    It grows in steps to include marbles and pieces beside the boards.
    """
    east, north = extent(frame.boards)
    aside = [ball for ball in frame.balls if ball.z < TOP]
    far_east = max((abs(ball.x) + 2.0 for ball in aside), default=0.0)
    far_north = max((abs(ball.y) + 2.0 for ball in aside), default=0.0)
    for piece in frame.pieces:
        least, most = bounds(piece)
        far_east = max(far_east, 1.5 - least[0], 1.5 + most[0])
        far_north = max(far_north, 1.5 - least[1], 1.5 + most[1])
    out_east, out_north = reach(frame.solids, frame.cards)
    far_east, far_north = max(far_east, out_east + 1.5), max(far_north, out_north + 1.5)
    return (
        0.0,
        0.0,
        max(east + _MARGIN, 2.0 * math.ceil(far_east / 2)),
        max(north + _MARGIN, 2.0 * math.ceil(far_north / 2)),
    )


class LightMaps:
    """Textures that hold how much of the window and the sky is visible from each point of a surface.

    Shadows of resting marbles and of other objects are kept in separate maps. Maps of resting shadows are redrawn only
    when something that casts them has moved. ``domain`` is the part of the table that has a map.
    """

    def __init__(self, kit: Kit) -> None:
        self._kit, self._ctx = kit, kit.ctx
        self._splat = kit.program("splat", *kit.hdr)
        self._slab = kit.program("slab", *kit.hdr)
        self._shade = kit.program("shade", *kit.hdr)
        self._copy = kit.program("present", "COPY")
        self._slab_array, self._copy_array = kit.full(self._slab), kit.full(self._copy)
        self._splats = kit.rows(SPLAT, 64)
        self._splat_array = kit.array(
            self._splat, [(kit.square, "2f", "in_corner"), (self._splats, *_SPLAT[kit.tier.rays])]
        )
        self._shades = kit.rows(SHADE, 16)
        self._shade_array = kit.array(
            self._shade,
            [
                (kit.square, "2f", "in_corner"),
                (self._shades, "4f 4f 3f/i", "in_middle", "in_extent", "in_height"),
            ],
        )
        self._maps: dict[object, tuple[moderngl.Texture, moderngl.Framebuffer]] = {}
        self.boards: tuple[Board, ...] = ()
        self.domain: Domain = (0.0, 0.0, 1.0, 1.0)
        self._thrown: frozenset[bytes] = frozenset()  # shadows of the last frame
        self._still: frozenset[bytes] = frozenset()  # shadows drawn in the maps of resting shadows
        self._lying: tuple[tuple[Piece, ...], tuple[Solid, ...]] = (
            (),
            (),
        )  # pieces and solids whose shadows these maps include
        kit.keep(self)

    def board(self, board: Board) -> moderngl.Texture:
        """Return the light map of the top of ``board``."""
        return self._maps[board][0]

    def table(self, shaded: bool = False) -> moderngl.Texture:
        """Return the light map of the table.

        It includes the shadows of pieces if ``shaded`` is set.
        """
        return self._maps["shaded" if shaded else "table"][0]

    def update(self, frame: Frame, splats: Floats) -> None:
        """Draw the light maps for ``frame``; ``splats`` (n, SPLAT) are the shadow casters."""
        domain = _table_domain(frame)
        if (frame.boards, domain) != (self.boards, self.domain):
            self.boards, self.domain = frame.boards, domain
            self.release()
        self._ctx.scissor = None
        self._ctx.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._base()
        planes: dict[Board, Domain] = {
            board: (board.x, board.y, board.half, board.half) for board in frame.boards
        }
        still, moving, changed = self._moved(splats)
        if changed or (frame.pieces, frame.solids) != self._lying:
            self._lying = frame.pieces, frame.solids
            fill(self._splats, still)
            for plane, area in planes.items():
                self._throw(("still", plane), area, TOP, len(still), None)
                self._throw_pieces(frame, area, TOP)
            self._throw(("still", "table"), self.domain, TABLE, len(still), "base")
            if frame.pieces or frame.solids:
                self._throw(("still", "shaded"), self.domain, TABLE, 0, ("still", "table"))
                self._throw_pieces(frame, self.domain, TABLE)
        fill(self._splats, moving)
        for plane, area in planes.items():
            self._throw(plane, area, TOP, len(moving), ("still", plane))
        # The table light that pieces reflect must not include their own shadows.
        for table in ("table", "shaded") if frame.pieces or frame.solids else ("table",):
            self._throw(table, self.domain, TABLE, len(moving), ("still", table))

    def release(self) -> None:
        """Free all maps."""
        self._kit.park()
        for texture, target in self._maps.values():
            target.release()
            texture.release()
        self._maps.clear()

    def _moved(self, splats: Floats) -> tuple[Floats, Floats, bool]:
        """Return the shadows of resting marbles, all others, and whether to redraw the resting ones.

        Marbles count as resting if their shadows are drawn in the maps of resting shadows. The set of resting marbles
        is chosen again when one of them is gone, or when there are more than a few other marbles and some of these have
        not moved since the last frame.
        """
        keys = [row.tobytes() for row in splats]
        now = frozenset(keys)
        last, self._thrown = self._thrown, now
        changed = ("still", "table") not in self._maps or not self._still <= now
        if changed or (len(now - self._still) > _MOVING and last & now != self._still):
            self._still, changed = last & now, True
        rests = np.array([key in self._still for key in keys], dtype=bool)
        return splats[rests], splats[~rests], changed

    def _throw(self, key: object, domain: Domain, plane: float, count: int, under: object) -> None:
        """Draw the first ``count`` shadows into light map ``key``, over a copy of map ``under``.

        If ``under`` is None, the map starts fully lit.
        """
        self._map(key).use()
        if under is None:
            self._ctx.clear(1.0, 1.0, 1.0, 1.0)
        else:
            # Draw the map instead of copying it, because a copy would wait for all earlier commands.
            self._ctx.disable(moderngl.BLEND)
            self._maps[under][0].use(0)
            put(self._copy, u_picture=0)
            self._copy_array.render(moderngl.TRIANGLE_STRIP)
        if not count:
            return
        self._ctx.enable(moderngl.BLEND)
        self._ctx.blend_func = TIMES
        put(self._splat, u_sun=tuple(SUN), u_domain=domain, u_plane=plane, u_border=float(plane == TABLE))
        self._splat_array.render(moderngl.TRIANGLE_STRIP, instances=count)

    def _throw_pieces(self, frame: Frame, domain: Domain, plane: float) -> None:
        """Draw the shadows of pieces and solids on the height ``plane`` into the bound light map."""
        rows = shades([piece for piece in frame.pieces if bounds(piece)[1][2] > plane])
        if frame.solids:
            rows = np.concatenate([rows, solid_shades(frame.solids)])
        if not len(rows):
            return
        fill(self._shades, rows)
        self._ctx.enable(moderngl.BLEND)
        self._ctx.blend_func = TIMES
        put(
            self._shade,
            u_sun=tuple(SUN),
            u_domain=domain,
            u_plane=plane - TABLE,
            u_border=float(plane == TABLE),
        )
        self._shade_array.render(moderngl.TRIANGLE_STRIP, instances=len(rows))

    def _map(self, key: object) -> moderngl.Framebuffer:
        if key not in self._maps:
            side, form = self._kit.tier.shadow, (4, "f2") if self._kit.tier.rays else (2, "f1")
            texture = self._ctx.texture((side, side), form[0], dtype=form[1])
            texture.filter = moderngl.LINEAR, moderngl.LINEAR
            texture.repeat_x = texture.repeat_y = False
            self._maps[key] = texture, self._ctx.framebuffer([texture])
        return self._maps[key][1]

    def _base(self) -> None:
        """Draw the light map of the table with only the shadows of the boards, unless it exists."""
        if "base" in self._maps:
            return
        target = self._map("base")
        target.use()
        target.clear(1.0, 1.0, 1.0, 1.0)
        self._ctx.enable(moderngl.BLEND)
        self._ctx.blend_func = TIMES
        for board in self.boards:
            put(
                self._slab,
                u_sun=tuple(SUN),
                u_domain=self.domain,
                u_slab=(board.x, board.y, board.half),
                u_thickness=THICKNESS + (CLOTH_HEIGHT if board.cloth else 0.0),
            )
            self._slab_array.render(moderngl.TRIANGLE_STRIP)
