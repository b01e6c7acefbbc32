"""Render pass for marbles and beads."""

from __future__ import annotations

import math

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.arrays.marbles import BALL, NEAR, Balls, cores, near
from shibumi3d.render.arrays.order import runs
from shibumi3d.render.grains import Grains
from shibumi3d.render.kit import ADDED, OVER, Kit, fill
from shibumi3d.render.lightmaps import LightMaps
from shibumi3d.render.mean import Rays
from shibumi3d.render.picture import Picture
from shibumi3d.render.room import table_colour
from shibumi3d.render.shaders import put
from shibumi3d.render.view import View
from shibumi3d.scene.frame import Board, Frame
from shibumi3d.scene.marbles.layout import HOLE, TABLE, TOP
from shibumi3d.scene.palette import BOARDS, MARKS, SIGNS, linear

# An octagon around the unit circle covers fewer pixels than a square, which is faster in software GL.
_OCTAGON = np.array(
    [f(math.pi * (k + 0.5) / 4) / math.cos(math.pi / 8) for k in range(8) for f in (math.cos, math.sin)],
    dtype="f4",
)
_ROW = (  # attributes of a marble in ball.glsl, with their numbers of floats
    *(("in_sphere", 4), ("in_colour", 4), ("in_material", 4), ("in_detail", 4)),
    *(("in_beside", 4), ("in_upper", 4), ("in_lower", 4), ("in_casters", 4)),
    *(("in_red", 4), ("in_green", 4), ("in_blue", 4), ("in_dye", 4), ("in_source", 3), ("in_roll", 4)),
)
_GRAINS_SEEN = (2, 3)  # texture units of the wood and cloth textures that rays can hit


def _wanted(frame: Frame, found: Balls) -> tuple[str, ...]:
    """Return the names to define in ball.glsl for drawing a frame."""
    needs = {
        "BEADS": bool(found.glass.any()),
        "DYE": frame.recolours or any(ball.dye > 0.0 for ball in frame.balls),
        "SIGNS": SIGNS[frame.theme.signs] > 0.0,
        "GOLD": any(ball.rim > 0.0 for ball in frame.balls),
        "HEM": frame.theme.board == "kuro",
        "GLASS": bool(((found.rows[:, 14] > 0.0) & (found.rows[:, 14] < 1.0)).any()),
    }
    return tuple(word for word, needed in needs.items() if needed)


class MarblePass:
    """Render pass for marbles.

    :meth:`begin` must be called first for each image.
    """

    def __init__(self, kit: Kit, grains: Grains) -> None:
        self._kit, self._ctx, self._grains = kit, kit.ctx, grains
        self._octagon = kit.buffer(_OCTAGON)
        self._rows, self._cores = kit.rows(BALL, 64), kit.rows(4, 64)
        self._casters, self._near = kit.lookup(64), kit.lookup(2 * NEAR, 32)
        self._plain = kit.plain()
        self._core = kit.program("core")
        within = kit.buffer(_OCTAGON * math.cos(math.pi / 8))
        self._core_array = kit.array(
            self._core, [(within, "2f", "in_corner"), (self._cores, "4f/i", "in_core")]
        )
        self._made: dict[tuple[str, ...], tuple[moderngl.Program, moderngl.VertexArray]] = {}
        self._now: tuple[moderngl.Program, moderngl.VertexArray]

    def update(self, found: Balls) -> None:
        """Upload the marbles that shade others.

        If the tier uses rays, also upload the neighbours of each marble.
        """
        self._casters.write(found.casters)
        if self._kit.tier.rays:
            self._near.write(near(found))

    def begin(self, view: View, found: Balls, rays: Rays | None = None) -> None:
        """Select the program that draws the marbles of this image, and set its uniforms.

        If ``rays`` are given, the image is one of many that are averaged.
        """
        traced = ("TRACED",) if rays else ()
        self._found, self._now = found, self._program((*_wanted(view.frame, found), *traced))
        put(
            self._now[0],
            **view.uniforms,
            u_balls=0,
            u_gold=linear(MARKS["win"]),
            u_mark=linear(MARKS["legal"]),
            u_edge=linear(MARKS["edge"]),
            u_up=tuple(view.camera.axes()[1]),
            u_signs=SIGNS[view.theme.signs],
            u_rays=rays,
        )

    def remember(self, view: View, picture: Picture) -> None:
        """Write the depth of opaque marbles to ``picture``, so that what they hide need not be drawn.

        The marbles themselves are drawn later.
        """
        rows = cores(self._found, view.eye, 2.0 * view.camera.slope / picture.size[1])
        if not len(rows):
            return
        fill(self._cores, rows)
        put(self._core, u_view=view.uniforms["u_view"], u_eye=view.uniforms["u_eye"])
        self._ctx.disable(moderngl.CULL_FACE)
        picture.depth(self._ctx, True, write=True)
        picture.draws_colour(False)
        self._core_array.render(moderngl.TRIANGLE_FAN, vertices=8, instances=len(rows))
        picture.draws_colour(True)

    def draw(self, view: View, rows: Floats, light: LightMaps) -> None:
        """Draw the marbles ``rows`` (n, BALL) in the given order."""
        if not len(rows):
            return
        rays, (made, array) = self._kit.tier.rays, self._now
        self._casters.use(0)
        self._ctx.blend_func = ADDED if rays else OVER
        for part, board in runs(rows, view.frame.boards) if rays else [(rows, view.frame.boards[0])]:
            fill(self._rows, part)
            if rays:
                self._surround(made, view, board, light)
            array.render(moderngl.TRIANGLE_FAN, vertices=8, instances=len(part))
        for place in _GRAINS_SEEN if rays else ():
            self._plain.clear(place)
        self._ctx.blend_func = OVER

    def _surround(self, made: moderngl.Program, view: View, board: Board, light: LightMaps) -> None:
        """Bind what rays can hit: neighbouring marbles, the nearest ``board`` and the table."""
        theme = view.theme
        self._near.use(1)
        seen = (
            self._grains.board(theme, board)[0],
            self._grains.table(theme.tone),
            light.board(board),
            light.table(),
        )
        for place, texture in enumerate(seen, 2):
            texture.use(place)
        for place in _GRAINS_SEEN:
            self._plain.use(place)
        put(
            made,
            u_near=1,
            u_top=2,
            u_grain=3,
            u_board_light=4,
            u_table_light=5,
            u_board=(board.x, board.y, board.half, (board.size - 1) / 2),
            u_board_colour=linear(BOARDS[theme.board]),
            u_table_colour=table_colour(theme),
            u_domain=light.domain[2:],
            u_heights=(TOP, TABLE, HOLE),
        )

    def _program(self, wanted: tuple[str, ...]) -> tuple[moderngl.Program, moderngl.VertexArray]:
        """Return the program with the defines ``wanted`` and its vertex array, both from a cache."""
        if wanted not in self._made:
            made = self._kit.program("ball", *wanted, *self._kit.hdr)
            used = [(name, floats) for name, floats in _ROW if name in made]
            form = " ".join(f"{floats}f" if name in made else f"{floats}x4" for name, floats in _ROW)
            rows = (self._rows, f"{form}/i", *(name for name, _ in used))
            self._made[wanted] = made, self._kit.array(made, [(self._octagon, "2f", "in_corner"), rows])
        return self._made[wanted]
