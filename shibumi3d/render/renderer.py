"""Draws frames with OpenGL 3.3, beside whatever else draws in the same context."""

from __future__ import annotations

import math
from typing import Protocol

import moderngl
import numpy as np

from shibumi3d.render import arrays, pieces
from shibumi3d.render.digits import digits
from shibumi3d.render.shaders import program, put
from shibumi3d.render.slab import FLAT, SLAB, around, outline, slab
from shibumi3d.render.tiers import TIERS, Pace, Tier, choose
from shibumi3d.scene.camera import HOME_YAW, Camera
from shibumi3d.scene.frame import Board, Frame, Piece
from shibumi3d.scene.marbles.layout import DISH, HOLE, TABLE, THICKNESS, TOP, Array, half_side, layout
from shibumi3d.scene.palette import BOARDS, MARKS, SIGNS, Theme, linear, rgb

_CORNERS = np.array([-1, -1, 1, -1, -1, 1, 1, 1], dtype="f4")
# An octagon around the unit circle covers less than a square, and small pictures are what software GL likes.
_OCTAGON = np.array(
    [f(math.pi * (k + 0.5) / 4) / math.cos(math.pi / 8) for k in range(8) for f in (math.cos, math.sin)],
    dtype="f4",
)
_RING_SIDES = 24
_BOW_STEPS = 24
_SLABS = ("BOARD", "FLAT", "FOLD")  # board.glsl, compiled for each
_LIGHT_MARGIN = 3.2  # how far beyond the boards the table's light map reaches
_TABLE_MARGIN = (14.0, 13.0)  # table beyond the boards, east-west and north-south
_GRAIN = {"keyaki": 0, "slate": 1, "tatami": 2, "kuro": 3}
_TABLE_GRAIN = {"day": 4, "night": 5}
_GLOSS = {"keyaki": 0.035, "slate": 0.02, "tatami": 0.0, "kuro": 0.10}
_SPLAT = {
    True: ("4f 1f 4f/i", "in_sphere", "in_alpha", "in_glass"),
    False: ("4f 1f 4x4/i", "in_sphere", "in_alpha"),
}
_OVER = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
_ADDED = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
_CLOTH = {"day": "#E2DACA", "night": "#8E887C"}
_CLOTH_HEIGHT = 0.24  # over the board
_CLOTH_OVER = 0.05  # beyond its edge
_GRAINS_SEEN = (2, 3)  # places of the textures of wood and cloth that are seen through glass
_MOVING = 6  # so many marbles may move before others are asked whether they rest
_SHARP = 0.8  # how far smaller pictures of a grain are sharpened
_BAG = {"day": ("#7C8388", "#C9B48E"), "night": ("#6B7277", "#A8936C")}  # cloth and cord
_WOOD = {  # of pieces, beside each board: its grain and colour; rush is framed in wood
    **{name: (name, colour) for name, colour in BOARDS.items()},
    "tatami": ("keyaki", "#86653E"),
}
_GRAIN_MEAN = 1 / math.sqrt(2.25)


def _sun() -> Array:
    """Towards the window: upper left of the view at the start, a little on the side of the eye."""
    yaw = math.radians(HOME_YAW)
    right = np.array([math.cos(yaw), math.sin(yaw), 0.0])
    near = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    way = -0.64 * right + 0.13 * near + np.array([0.0, 0.0, 0.80])
    result: Array = way / np.linalg.norm(way)
    return result


SUN = _sun()

# Window, sky and bounce of each tone. On the level board window and sky come to 1, so that colours are those of
# the palette.
_LIGHTS = {
    "day": ((1.04, 1.01, 0.96), (0.235, 0.245, 0.265), (0.135, 0.115, 0.09)),
    "night": ((1.0, 0.91, 0.78), (0.15, 0.155, 0.17), (0.055, 0.048, 0.04)),
}


class Renderer:
    """Draws frames into framebuffers of ``ctx``.

    ``tier`` is "low", "medium", "high" or "auto": by the name of the driver. Sets all the state it needs, and
    leaves depth test and culling off, blending on, and a framebuffer of its own bound: one that is bound when it is
    released leaves an error behind as soon as moderngl goes back to it.
    """

    def __init__(self, ctx: moderngl.Context, tier: str = "auto") -> None:
        self.ctx = ctx
        self.tier: Tier = choose(ctx.info["GL_RENDERER"]) if tier == "auto" else TIERS[tier]
        self.pace = Pace(self.tier.scale)
        self._defines: tuple[str, ...] = ("HDR",) if self.tier.glass else ()
        self._compiled: list[tuple[str, tuple[str, ...]]] = []
        self._programs = {
            **{
                name: self._program(name, *self._defines)
                for name in ("table", "present", "splat", "slab", "piece", "shade")
            },
            **{name: self._program("board", name, *self._defines) for name in _SLABS},
            "grain": self._program("grain"),
            "copy": self._program("present"),
        }
        # Bound before a framebuffer is released: moderngl goes back to the one bound last when it makes another.
        self._parked = ctx.simple_framebuffer((1, 1))
        self._square = ctx.buffer(_CORNERS.tobytes())
        self._octagon = ctx.buffer(_OCTAGON.tobytes())
        self._balls = ctx.buffer(reserve=arrays.BALL * 4 * 64, dynamic=True)
        self._splats = ctx.buffer(reserve=arrays.SPLAT * 4 * 64, dynamic=True)
        self._ring = ctx.buffer(_ring(_RING_SIDES).tobytes())
        self._bow = ctx.buffer(_ribbon(_BOW_STEPS).tobytes())
        strokes = digits()
        self._digits = ctx.texture(strokes.shape[::-1], 1, strokes.tobytes(), dtype="f4")
        self._digits.filter = moderngl.LINEAR, moderngl.LINEAR
        self._rim = ctx.buffer(_ring(4, math.pi / 4).tobytes())
        self._marks = {
            family: (self._program("mark", family), ctx.buffer(reserve=arrays.MARK * 4 * 64, dynamic=True))
            for family in arrays.FAMILIES
        }
        self._ball_arrays: dict[tuple[str, ...], tuple[moderngl.Program, moderngl.VertexArray]] = {}
        self._table = ctx.buffer(reserve=2 * 4 * 128, dynamic=True)
        self._outline = ctx.buffer(reserve=SLAB * 4 * 256, dynamic=True)
        self._shades = ctx.buffer(reserve=pieces.SHADE * 4 * 16, dynamic=True)
        self._fringe = ctx.buffer(reserve=pieces.PIECE * 4 * 512, dynamic=True)
        self._models: dict[str, moderngl.VertexArray] = {}
        self._casters = self._table_texture(64)
        self._cover = self._table_texture(64)
        self._near = self._table_texture(2 * arrays.NEAR, 32)
        # Neighbouring rays part so far behind glass that software GL never ends sharpening what they meet at a slant.
        self._plain = ctx.sampler(filter=(moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR), anisotropy=1.0)
        self._grains: dict[tuple[object, ...], moderngl.Texture] = {}
        self._slabs: dict[tuple[str, float, int], moderngl.VertexArray] = {}
        self._lights: dict[object, tuple[moderngl.Texture, moderngl.Framebuffer]] = {}
        self._picture: _Picture | None = None
        self._boards: tuple[Board, ...] = ()
        self._domain = (0.0, 0.0, 1.0, 1.0)
        self._found: arrays.Balls | None = None
        self._thrown: frozenset[bytes] = frozenset()  # shadows of the last picture
        self._still: frozenset[bytes] = frozenset()  # those that its pictures of still shadows show
        self._shading: tuple[Piece, ...] = ()  # pieces whose shadows they show
        self._key: tuple[object, ...] = ()
        self._make_arrays()

    def _program(self, name: str, *defines: str) -> moderngl.Program:
        self._compiled.append((name, defines))
        return program(self.ctx, name, defines)

    def _make_arrays(self) -> None:
        ctx, programs = self.ctx, self._programs
        self._full = {
            name: ctx.vertex_array(programs[name], [(self._square, "2f", "in_corner")])
            for name in ("present", "copy", "slab", "grain")
        }
        self._table_array = ctx.vertex_array(programs["table"], [(self._table, "2f", "in_at")])
        self._splat_array = ctx.vertex_array(
            programs["splat"],
            [(self._square, "2f", "in_corner"), (self._splats, *_SPLAT[self.tier.glass])],
        )
        self._shade_array = ctx.vertex_array(
            programs["shade"],
            [
                (self._square, "2f", "in_corner"),
                (self._shades, "4f 4f 3f/i", "in_middle", "in_extent", "in_height"),
            ],
        )
        self._fringe_array = self._piece_array(self._fringe)
        self._outlines = {
            name: ctx.vertex_array(
                programs[name], [(self._outline, "3f 3f 3f", "in_position", "in_normal", "in_push")]
            )
            for name in ("BOARD", "FOLD")
        }
        corners = {"RINGS": self._ring, "RIMS": self._rim, "BOWS": self._bow}
        self._mark_arrays = {
            family: ctx.vertex_array(
                made,
                [
                    (corners.get(family, self._square), "2f", "in_corner"),
                    (
                        rows,
                        "4f 3f 3f 4f 4f 4f/i",
                        "in_at",
                        "in_across",
                        "in_upward",
                        "in_extent",
                        "in_colour",
                        "in_range",
                    ),
                ],
            )
            for family, (made, rows) in self._marks.items()
        }

    def _piece_array(
        self, corners: moderngl.Buffer, order: moderngl.Buffer | None = None
    ) -> moderngl.VertexArray:
        form = (corners, "3f 3f 2f 3f", "in_position", "in_normal", "in_stuff", "in_push")
        return self.ctx.vertex_array(self._programs["piece"], [form], index_buffer=order)

    def _ball_program(self, wanted: tuple[str, ...]) -> tuple[moderngl.Program, moderngl.VertexArray]:
        """The program that draws marbles with what is ``wanted`` of ball.glsl, made when first needed."""
        if wanted not in self._ball_arrays:
            made = self._program("ball", *wanted, *self._defines)
            names = (
                "in_sphere",
                "in_colour",
                "in_material",
                "in_detail",
                "in_beside",
                "in_upper",
                "in_lower",
            )
            dyed = ("4f 3f/i", "in_dye", "in_source") if "DYE" in wanted else ("4x4 3x4/i",)
            form = (self._balls, f"4f 4f 4f 4f 4f 4f 4f 3f {dyed[0]}", *names, "in_casters", *dyed[1:])
            self._ball_arrays[wanted] = (
                made,
                self.ctx.vertex_array(made, [(self._octagon, "2f", "in_corner"), form]),
            )
        return self._ball_arrays[wanted]

    # -- public -------------------------------------------------------------------------------------------

    def draw(
        self,
        frame: Frame,
        camera: Camera,
        framebuffer: moderngl.Framebuffer,
        width: int,
        height: int,
        scale: float = 1.0,
        origin: tuple[int, int] = (0, 0),
    ) -> None:
        """Draws ``frame`` seen by ``camera`` into ``width`` x ``height`` pixels of ``framebuffer``.

        ``scale`` is pixels per logical pixel: marks keep their size by it. ``origin`` is the lower left corner
        of the picture within the framebuffer.
        """
        self._light(frame)
        size = (max(round(width * self.pace.scale), 1), max(round(height * self.pace.scale), 1))
        picture = self._picture_of(size)
        self._scene(frame, camera, picture, width / height)
        picture.resolve(self.ctx)

        framebuffer.use()
        before = framebuffer.viewport
        framebuffer.viewport = (*origin, width, height)
        self.ctx.scissor = None
        self.ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        picture.texture.use(0)
        put(self._programs["present"], u_picture=0)
        self._full["present"].render(moderngl.TRIANGLE_STRIP)
        self.ctx.enable(moderngl.BLEND)
        self.ctx.blend_func = _OVER
        self._draw_marks(frame, camera, width, height, scale)
        framebuffer.viewport = before
        self._parked.use()

    def renewed(self) -> Renderer:
        """A renderer with the shaders as they are in their files now; this one is released.

        Raises :class:`ShaderError`, and this one stays as it is, when a shader in use does not compile.
        """
        for name, defines in self._compiled:
            program(self.ctx, name, defines).release()
        fresh = Renderer(self.ctx, self.tier.name)
        fresh.pace = self.pace
        self.release()
        fresh._parked.use()
        return fresh

    def release(self) -> None:
        """Frees everything on the graphics card."""
        kept: tuple[_Released, ...] = (
            *self._full.values(),
            *self._slabs.values(),
            *self._models.values(),
            self._fringe_array,
            self._shade_array,
            *(array for _, array in self._ball_arrays.values()),
            *(made for made, _ in self._ball_arrays.values()),
            *self._mark_arrays.values(),
            *(item for made in self._marks.values() for item in made),
            self._table_array,
            self._splat_array,
            *self._outlines.values(),
            *self._programs.values(),
            self._square,
            self._octagon,
            self._balls,
            self._splats,
            self._ring,
            self._rim,
            self._table,
            self._bow,
            self._digits,
            self._outline,
            self._fringe,
            self._shades,
            self._casters,
            self._cover,
            self._near,
            self._plain,
            *self._grains.values(),
        )
        self._parked.use()
        for item in kept:
            item.release()
        for texture, target in self._lights.values():
            target.release()
            texture.release()
        if self._picture:
            self._picture.release()
        self._parked.release()

    # -- light maps ---------------------------------------------------------------------------------------

    def _light(self, frame: Frame) -> None:
        """Draws again where light falls, when marbles or boards are not where they were."""
        key = (frame.balls, frame.boards, frame.pieces, frame.theme)
        if key == self._key and self._found is not None:
            return
        self._key = key
        domain = _table_domain(frame)
        if (frame.boards, domain) != (self._boards, self._domain):
            self._boards, self._domain = frame.boards, domain
            self._parked.use()
            for texture, target in self._lights.values():
                target.release()
                texture.release()
            self._lights.clear()
        self._found = arrays.balls(
            frame.balls, frame.boards, frame.theme, SUN.astype(np.float32), self.tier.glass
        )
        self._casters = self._upload(self._casters, self._found.casters)
        self.ctx.scissor = None
        self.ctx.disable(moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self._base()
        planes = {
            board: (board.x, board.y, half_side(board.size), half_side(board.size)) for board in frame.boards
        }
        still, moving, changed = self._moved(self._found.splats)
        if changed or frame.pieces != self._shading:
            self._shading = frame.pieces
            self._fill(self._splats, still)
            for plane, domain in planes.items():
                self._splat(("still", plane), domain, TOP, len(still), None)
                self._shade(frame.pieces, domain, TOP)
            self._splat(("still", "table"), self._domain, TABLE, len(still), "base")
            if frame.pieces:
                self._splat(("still", "shaded"), self._domain, TABLE, 0, ("still", "table"))
                self._shade(frame.pieces, self._domain, TABLE)
        self._fill(self._splats, moving)
        for plane, domain in planes.items():
            self._splat(plane, domain, TOP, len(moving), ("still", plane))
        # Pieces are lit by a table without their own shadows.
        for table in ("table", "shaded") if frame.pieces else ("table",):
            self._splat(table, self._domain, TABLE, len(moving), ("still", table))

    def _moved(self, splats: arrays.Floats) -> tuple[arrays.Floats, arrays.Floats, bool]:
        """Shadows of marbles at rest, others, and whether those at rest must be drawn anew.

        At rest are those that the pictures of still shadows show. They are chosen anew when one of them is gone, or
        when more than a few others are as they were in the last picture.
        """
        keys = [row.tobytes() for row in splats]
        now = frozenset(keys)
        last, self._thrown = self._thrown, now
        changed = ("still", "table") not in self._lights or not self._still <= now
        if changed or (len(now - self._still) > _MOVING and last & now != self._still):
            self._still, changed = last & now, True
        rests = np.array([key in self._still for key in keys], dtype=bool)
        return splats[rests], splats[~rests], changed

    def _splat(
        self,
        key: object,
        domain: tuple[float, float, float, float],
        plane: float,
        count: int,
        under: object,
    ) -> None:
        """Draws the first ``count`` shadows into the light map ``key``, over what ``under`` shows."""
        self._light_map(key).use()
        if under is None:
            self.ctx.clear(1.0, 1.0, 1.0, 1.0)
        else:
            # Drawn, since copying would wait for all that was asked for before.
            self.ctx.disable(moderngl.BLEND)
            self._lights[under][0].use(0)
            put(self._programs["copy"], u_picture=0)
            self._full["copy"].render(moderngl.TRIANGLE_STRIP)
        if not count:
            return
        self.ctx.enable(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ZERO, moderngl.SRC_COLOR
        put(self._programs["splat"], u_sun=tuple(SUN), u_domain=domain, u_plane=plane)
        self._splat_array.render(moderngl.TRIANGLE_STRIP, instances=count)

    def _shade(
        self, lying: tuple[Piece, ...], domain: tuple[float, float, float, float], plane: float
    ) -> None:
        """Throws the shadows of pieces on a level plane, into the light map that is bound."""
        rows = pieces.shades([piece for piece in lying if pieces.bounds(piece)[1][2] > plane])
        if not len(rows):
            return
        self._fill(self._shades, rows)
        self.ctx.enable(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ZERO, moderngl.SRC_COLOR
        put(self._programs["shade"], u_sun=tuple(SUN), u_domain=domain, u_plane=plane - TABLE)
        self._shade_array.render(moderngl.TRIANGLE_STRIP, instances=len(rows))

    def _light_map(self, key: object, side: int = 0) -> moderngl.Framebuffer:
        if key not in self._lights:
            side = side or self.tier.shadow
            form = (4, "f2") if self.tier.glass else (2, "f1")
            texture = self.ctx.texture((side, side), form[0], dtype=form[1])
            texture.filter = moderngl.LINEAR, moderngl.LINEAR
            texture.repeat_x = texture.repeat_y = False
            self._lights[key] = texture, self.ctx.framebuffer([texture])
        return self._lights[key][1]

    def _base(self) -> None:
        """Draws the table's light map with the boards alone."""
        if "base" in self._lights:
            return
        target = self._light_map("base")
        target.use()
        target.clear(1.0, 1.0, 1.0, 1.0)
        self.ctx.enable(moderngl.BLEND)
        self.ctx.blend_func = moderngl.ZERO, moderngl.SRC_COLOR
        for board in self._boards:
            put(
                self._programs["slab"],
                u_sun=tuple(SUN),
                u_domain=self._domain,
                u_slab=(board.x, board.y, half_side(board.size)),
                u_thickness=THICKNESS + (_CLOTH_HEIGHT if board.cloth else 0.0),
            )
            self._full["slab"].render(moderngl.TRIANGLE_STRIP)

    # -- the scene ----------------------------------------------------------------------------------------

    def _scene(self, frame: Frame, camera: Camera, picture: _Picture, aspect: float) -> None:
        assert self._found is not None
        ctx, found = self.ctx, self._found
        eye = camera.eye(aspect)
        view, projection = camera.matrices(aspect)
        matrix = view @ projection
        key, sky, ground = _LIGHTS[frame.theme.tone]
        common = {
            "u_view": matrix.astype("f4").tobytes(),
            "u_eye": tuple(eye),
            "u_sun": tuple(SUN),
            "u_key": key,
            "u_sky": sky,
            "u_ground": ground,
        }
        balls = self._ball_program(_wanted(frame, found))
        for lit in (
            self._programs["table"],
            self._programs["piece"],
            *(self._programs[name] for name in _SLABS),
            balls[0],
        ):
            put(lit, **common)
        for made, _ in self._marks.values():
            put(made, u_view=common["u_view"], u_eye=common["u_eye"])
        order = arrays.far_to_near(found, eye)
        rows = found.rows[order]
        # Each board with the pieces and marbles that it may cover, which are drawn before it; then all others.
        groups: list[tuple[Board | None, list[Piece], arrays.Floats]] = []
        left = np.ones(len(rows), dtype=bool)
        lying = pieces.far_to_near([piece for piece in frame.pieces if piece.alpha > 0.0], eye)
        for board in arrays.boards_far_to_near(frame.boards, eye):
            now = left & arrays.behind(rows, board, eye)
            left &= ~now
            covered_pieces = [piece for piece in lying if pieces.behind(piece, board, eye)]
            lying = [piece for piece in lying if piece not in covered_pieces]
            groups.append((board, covered_pieces, rows[now]))
        groups.append((None, lying, rows[left]))
        grains = {board.size: self._board_grain(frame.theme, board.size) for board in frame.boards}
        table = self._table_grain(frame.theme.tone)
        covered = any(board.cloth for board in frame.boards) or any(p.model == "bag" for p in frame.pieces)
        linen = self._table_grain("day") if covered else table
        wood = self._grain(_GRAIN[_WOOD[frame.theme.board][0]], 4.0) if frame.pieces else table

        picture.use()
        picture.clear(_floor(frame.theme))
        fringes: dict[Piece, tuple[int, int]] = {}
        if frame.pieces and not picture.smooth:
            outlines, counts = pieces.outlines(frame.pieces, camera, picture.size, aspect)
            self._fill(self._fringe, outlines)
            starts = np.cumsum(counts) - counts
            fringes = dict(zip(frame.pieces, zip(starts.tolist(), counts.tolist(), strict=True), strict=True))
        ctx.viewport = 0, 0, *picture.size
        ctx.scissor = None
        ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST)
        ctx.enable(moderngl.CULL_FACE)
        ctx.front_face = "ccw"
        ctx.cull_face = "back"
        light = self._lights["shaded" if frame.pieces else "table"][0]
        self._draw_table(frame.theme, camera, eye, picture.size, table, light)
        for near_board, near_pieces, group in groups:
            for piece in near_pieces:
                grain = linen if piece.model == "bag" else wood
                self._draw_piece(frame.theme, piece, grain, picture, fringes.get(piece))
            ctx.enable(moderngl.BLEND)
            ctx.disable(moderngl.CULL_FACE)
            ctx.blend_func = _OVER
            # The octagon through the middle of a marble is before or behind whatever the marble is.
            picture.depth(ctx, bool(frame.pieces))
            self._draw_balls(group, frame, camera, *balls)
            picture.depth(ctx, False)
            if near_board:
                self._draw_board(frame.theme, near_board, *grains[near_board.size], picture, matrix)
                if near_board.cloth:
                    self._draw_cloth(frame.theme, near_board, linen, picture, matrix)

    def _draw_table(
        self,
        theme: Theme,
        camera: Camera,
        eye: Array,
        size: tuple[int, int],
        cloth: moderngl.Texture,
        light: moderngl.Texture,
    ) -> None:
        cloth.use(0)
        light.use(1)
        east, north = _extent(self._boards)
        put(
            self._programs["table"],
            u_grain=0,
            u_light=1,
            u_domain=self._domain[2:],
            u_half=(east + _TABLE_MARGIN[0], north + _TABLE_MARGIN[1]),
            u_colour=linear(theme.table),
            u_beyond=tuple(_floor(theme)),
            u_size=size,
            u_height=TABLE,
        )
        # What the nearest board hides is not worth its price.
        near = arrays.boards_far_to_near(self._boards, eye)[-1]
        far = 20.0 * layout(camera.sizes).reach
        strip = around(half_side(near.size), (near.x, near.y, TOP), eye, far)
        self._fill(self._table, strip)
        self._table_array.render(moderngl.TRIANGLE_STRIP, vertices=len(strip))

    def _draw_piece(
        self,
        theme: Theme,
        piece: Piece,
        grain: moderngl.Texture,
        picture: _Picture,
        fringe: tuple[int, int] | None,
    ) -> None:
        """Draws a piece over what is farther away, and remembers how far it is; ``fringe`` is its outline."""
        made, cloth = self._programs["piece"], piece.model == "bag"
        kind, colour = _WOOD[theme.board]
        body, cord = (linear(word) for word in (_BAG[theme.tone] if cloth else (colour, colour)))
        grain.use(0)
        self._lights["table"][0].use(1)
        put(
            made,
            u_grain=0,
            u_light=1,
            u_place=pieces.matrix(piece).astype("f4").tobytes(),
            u_size=piece.size,
            u_domain=self._domain,
            u_table=TABLE,
            u_colour=body,
            u_cord=cord,
            u_wrap=0.3 if cloth else 0.05,
            u_gloss=0.0 if cloth else _GLOSS[kind],
            u_alpha=piece.alpha,
        )
        if piece.model not in self._models:
            corners, order = (self.ctx.buffer(part.tobytes()) for part in pieces.mesh(piece.model))
            self._models[piece.model] = self._piece_array(corners, order)
        self.ctx.disable(moderngl.BLEND)
        self.ctx.enable(moderngl.CULL_FACE)
        self.ctx.blend_func = _OVER
        picture.depth(self.ctx, True, write=True)
        if piece.alpha < 1.0:
            self.ctx.enable(moderngl.BLEND)
            # Only its nearest sides are seen, not others through them.
            picture.draws_colour(False)
            self._models[piece.model].render(moderngl.TRIANGLES)
            picture.draws_colour(True)
        self._models[piece.model].render(moderngl.TRIANGLES)
        picture.depth(self.ctx, True)
        if fringe:
            self.ctx.enable(moderngl.BLEND)
            self.ctx.disable(moderngl.CULL_FACE)
            self._fringe_array.render(moderngl.TRIANGLES, vertices=fringe[1], first=fringe[0])
        picture.depth(self.ctx, False)

    def _draw_board(
        self,
        theme: Theme,
        board: Board,
        top: moderngl.Texture,
        sides: moderngl.Texture,
        picture: _Picture,
        matrix: Array,
    ) -> None:
        top.use(0)
        sides.use(1)
        self._lights[board][0].use(2)
        for name in ("BOARD", "FLAT"):
            put(
                self._programs[name],
                u_top=0,
                u_sides=1,
                u_light=2,
                u_origin=(board.x, board.y, TOP),
                u_colour=linear(BOARDS[theme.board]),
                u_half=half_side(board.size),
                u_last=(board.size - 1) / 2,
                u_gloss=_GLOSS[theme.board],
                u_hole=(HOLE, DISH),
            )
        self._draw_slab(("BOARD", "FLAT"), half_side(board.size), (board.x, board.y, TOP), picture, matrix)

    def _draw_cloth(
        self, theme: Theme, board: Board, linen: moderngl.Texture, picture: _Picture, matrix: Array
    ) -> None:
        """A cover of folded linen that hangs over the edge of the board and is as high whatever stands there."""
        half, origin = half_side(board.size) + _CLOTH_OVER, (board.x, board.y, TOP + _CLOTH_HEIGHT)
        linen.use(0)
        linen.use(1)
        put(
            self._programs["FOLD"],
            u_top=0,
            u_sides=1,
            u_light=2,
            u_origin=origin,
            u_colour=linear(_CLOTH[theme.tone]),
            u_half=half,
            u_gloss=0.0,
        )
        self._draw_slab(("FOLD", "FOLD"), half, origin, picture, matrix)

    def _draw_slab(
        self,
        names: tuple[str, str],
        half: float,
        origin: tuple[float, float, float],
        picture: _Picture,
        matrix: Array,
    ) -> None:
        """Draws a slab: its sides and bevel, then its flat upper side, with the programs of these ``names``."""
        self.ctx.disable(moderngl.BLEND)
        self.ctx.enable(moderngl.CULL_FACE)
        for name, mesh in zip(names, (slab(half)[:-FLAT], slab(half)[-FLAT:]), strict=True):
            key = name, half, len(mesh)
            if key not in self._slabs:
                self._slabs[key] = self.ctx.vertex_array(
                    self._programs[name],
                    [(self.ctx.buffer(mesh.tobytes()), "3f 3f 3f", "in_position", "in_normal", "in_push")],
                )
            self._slabs[key].render(moderngl.TRIANGLES)
        if not picture.smooth:
            strip = outline(half, origin, matrix, picture.size)
            self._fill(self._outline, strip)
            self.ctx.enable(moderngl.BLEND)
            self.ctx.disable(moderngl.CULL_FACE)
            self._outlines[names[0]].render(moderngl.TRIANGLE_STRIP, vertices=len(strip))

    def _draw_balls(
        self,
        rows: arrays.Floats,
        frame: Frame,
        camera: Camera,
        made: moderngl.Program,
        array: moderngl.VertexArray,
    ) -> None:
        if not len(rows):
            return
        self._casters.use(0)
        put(
            made,
            u_balls=0,
            u_gold=linear(MARKS["win"]),
            u_mark=linear(MARKS["legal"]),
            u_edge=linear(MARKS["edge"]),
            u_up=tuple(camera.axes()[1]),
            u_signs=SIGNS[frame.theme.signs],
        )
        self.ctx.blend_func = _ADDED if self.tier.glass else _OVER
        glass = "u_near" in made
        for part, board in arrays.runs(rows, frame.boards) if glass else [(rows, frame.boards[0])]:
            self._fill(self._balls, part)
            if glass:
                self._look_through(part, frame.theme, board, made)
            array.render(moderngl.TRIANGLE_FAN, vertices=8, instances=len(part))
        for place in _GRAINS_SEEN if glass else ():
            self._plain.clear(place)
        self.ctx.blend_func = _OVER

    def _look_through(self, rows: arrays.Floats, theme: Theme, board: Board, made: moderngl.Program) -> None:
        """Lets marbles of glass show what is around them: marbles, the nearest ``board``, the table."""
        assert self._found is not None
        near = arrays.near(self._found, rows)
        if len(near) > self._near.height:
            self._near.release()
            self._near = self._table_texture(2 * arrays.NEAR, 2 * len(near))
        self._near.write(near.tobytes(), viewport=(0, 0, 2 * arrays.NEAR, len(near)))
        seen = (
            self._near,
            self._board_grain(theme, board.size)[0],
            self._table_grain(theme.tone),
            self._lights[board][0],
            self._lights["table"][0],
        )
        for place, texture in enumerate(seen, 1):
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
            u_board=(board.x, board.y, half_side(board.size), (board.size - 1) / 2),
            u_board_colour=linear(BOARDS[theme.board]),
            u_table_colour=linear(theme.table),
            u_domain=self._domain[2:],
            u_heights=(TOP, TABLE, HOLE),
        )

    def _draw_marks(self, frame: Frame, camera: Camera, width: int, height: int, scale: float) -> None:
        assert self._found is not None
        if not frame.marks:
            return
        families = [[m for m in frame.marks if m.kind in kinds] for kinds in arrays.FAMILIES.values()]
        ordered = [mark for family in families for mark in family]
        rows, cover = arrays.marks(ordered, self._found, camera, width, height, scale)
        self._cover = self._upload(self._cover, cover)
        self._cover.use(0)
        self._digits.use(1)
        first = 0
        for (name, (made, buffer)), family in zip(self._marks.items(), families, strict=True):
            if family:
                self._fill(buffer, rows[first : first + len(family)])
                put(made, u_cover=0, u_digits=1, u_scale=scale, u_edge=rgb(MARKS["edge"]))
                self._mark_arrays[name].render(moderngl.TRIANGLE_STRIP, instances=len(family))
            first += len(family)

    # -- materials ----------------------------------------------------------------------------------------

    def _board_grain(self, theme: Theme, size: int) -> tuple[moderngl.Texture, moderngl.Texture]:
        half = half_side(size)
        kind = _GRAIN[theme.board]
        return self._grain(kind, half), self._sides(kind, half)

    def _table_grain(self, tone: str) -> moderngl.Texture:
        return self._grain(_TABLE_GRAIN[tone], 2.38, table=True)

    def _grain(self, kind: int, half: float, table: bool = False) -> moderngl.Texture:
        key = (kind, half)
        if key not in self._grains:
            # The cloth is seen from farther off, and a small picture of it is read much faster.
            side = self.tier.grain // 2 if table else self.tier.grain
            texture, target = self._blank(side, side)
            if table:
                # The cloth repeats: 16 units of its own pattern a picture.
                self._bake(target, kind, (8.0, 8.0, 0.0), (8.0, 0.0, 0.0), (0.0, 8.0, 0.0), 16.0)
            else:
                self._bake(target, kind, (0.0, 0.0, 0.0), (half, 0.0, 0.0), (0.0, half, 0.0))
            self._parked.use()
            target.release()
            self._grains[key] = _finished(texture, self.tier.anisotropy, self.tier.name != "low")
        return self._grains[key]

    def _sides(self, kind: int, half: float) -> moderngl.Texture:
        key = (kind, half, "sides")
        if key not in self._grains:
            texture, target = self._blank(self.tier.grain, 256)
            middle, up = -THICKNESS / 2, (0.0, 0.0, THICKNESS / 2)
            for low, start, across in (
                (0, (half, 0.0, middle), (0.0, half, 0.0)),
                (128, (0.0, -half, middle), (half, 0.0, 0.0)),
            ):
                target.viewport = (0, low, self.tier.grain, 128)
                self._bake(target, kind, start, across, up)
            self._parked.use()
            target.release()
            self._grains[key] = _finished(texture, self.tier.anisotropy, self.tier.name != "low")
        return self._grains[key]

    def _blank(self, width: int, height: int) -> tuple[moderngl.Texture, moderngl.Framebuffer]:
        texture = self.ctx.texture((width, height), 3)
        return texture, self.ctx.framebuffer([texture])

    def _bake(
        self,
        target: moderngl.Framebuffer,
        kind: int,
        start: tuple[float, float, float],
        across: tuple[float, float, float],
        upward: tuple[float, float, float],
        period: float = 0.0,
    ) -> None:
        target.use()
        self.ctx.scissor = None
        self.ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        put(
            self._programs["grain"],
            u_kind=kind,
            u_from=start,
            u_across=across,
            u_upward=upward,
            u_period=period,
        )
        self._full["grain"].render(moderngl.TRIANGLE_STRIP)

    # -- buffers ------------------------------------------------------------------------------------------

    def _picture_of(self, size: tuple[int, int]) -> _Picture:
        if self._picture is None or self._picture.size != size:
            if self._picture:
                self._parked.use()
                self._picture.release()
            samples = min(self.tier.samples, self.ctx.max_samples)
            self._picture = _Picture(self.ctx, size, samples, self.tier.glass)
        return self._picture

    def _table_texture(self, width: int, height: int = 1) -> moderngl.Texture:
        texture = self.ctx.texture((width, height), 4, dtype="f4")
        texture.filter = moderngl.NEAREST, moderngl.NEAREST
        return texture

    def _upload(self, texture: moderngl.Texture, rows: arrays.Floats) -> moderngl.Texture:
        """Writes (n, 4) floats into a one line texture, a longer one if it must be."""
        if len(rows) > texture.width:
            texture.release()
            texture = self._table_texture(2 * len(rows))
        texture.write(np.ascontiguousarray(rows).tobytes(), viewport=(0, 0, len(rows), 1))
        return texture

    @staticmethod
    def _fill(buffer: moderngl.Buffer, rows: arrays.Floats) -> None:
        data = np.ascontiguousarray(rows, dtype="f4").tobytes()
        if len(data) > buffer.size:
            buffer.orphan(2 * len(data))
        if data:
            buffer.write(data)


def _ring(sides: int, first: float = 0.0) -> arrays.Floats:
    """A strip of directions around a ring: outer ones such that it fits in, inner ones 1/2; see mark.glsl."""
    around = first + np.linspace(0.0, math.tau, sides + 1)
    way = np.column_stack([np.sin(around), np.cos(around)])
    strip = np.empty((2 * len(way), 2), dtype=np.float32)
    strip[0::2], strip[1::2] = way / math.cos(math.pi / sides), way * 0.5
    return strip


def _ribbon(steps: int) -> arrays.Floats:
    """A strip along a curve: how far along, from before its begin to beyond its end; and on which side."""
    along = np.repeat([-1.0, *np.linspace(0.0, 1.0, steps + 1), 2.0], 2)
    return np.column_stack([along, np.tile([1.0, -1.0], steps + 3)]).astype(np.float32)


def _wanted(frame: Frame, found: arrays.Balls) -> tuple[str, ...]:
    """What ball.glsl must be able to do for this frame."""
    needs = {
        "BEADS": bool(found.glass.any()),
        "DYE": any(ball.dye > 0.0 for ball in frame.balls),
        "SIGNS": SIGNS[frame.theme.signs] > 0.0,
        "GOLD": any(ball.rim > 0.0 for ball in frame.balls),
        "GLASS": bool(((found.rows[:, 14] > 0.0) & (found.rows[:, 14] < 1.0)).any()),
    }
    return tuple(word for word, needed in needs.items() if needed)


def _floor(theme: Theme) -> Array:
    """The linear colour of the floor beyond the table."""
    return np.array(linear(theme.table)) * (0.66 if theme.tone == "day" else 0.60)


def _extent(boards: tuple[Board, ...]) -> tuple[float, float]:
    """How far the boards reach from the middle of the table, east-west and north-south."""
    return (
        max(abs(board.x) + half_side(board.size) for board in boards),
        max(abs(board.y) + half_side(board.size) for board in boards),
    )


def _table_domain(frame: Frame) -> tuple[float, float, float, float]:
    """The part of the table with a light map: middle and half sizes, growing in steps with marbles set aside."""
    east, north = _extent(frame.boards)
    aside = [ball for ball in frame.balls if ball.z < TOP]
    far_east = max((abs(ball.x) + 2.0 for ball in aside), default=0.0)
    far_north = max((abs(ball.y) + 2.0 for ball in aside), default=0.0)
    for piece in frame.pieces:
        least, most = pieces.bounds(piece)
        far_east = max(far_east, 1.5 - least[0], 1.5 + most[0])
        far_north = max(far_north, 1.5 - least[1], 1.5 + most[1])
    return (
        0.0,
        0.0,
        max(east + _LIGHT_MARGIN, 2.0 * math.ceil(far_east / 2)),
        max(north + _LIGHT_MARGIN, 2.0 * math.ceil(far_north / 2)),
    )


class _Released(Protocol):
    def release(self) -> None: ...


class _Picture:
    """Where the scene is drawn before it goes to the window."""

    def __init__(self, ctx: moderngl.Context, size: tuple[int, int], samples: int, linear: bool) -> None:
        self.size = size
        parts, dtype = (4, "f2") if linear else (3, "f1")
        self.texture = ctx.texture(size, parts, dtype=dtype)
        self.texture.filter = moderngl.LINEAR, moderngl.LINEAR
        self.texture.repeat_x = self.texture.repeat_y = False
        self.smooth: moderngl.Framebuffer | None = None
        self._depth = ctx.depth_renderbuffer(size, samples=samples)
        self._target = ctx.framebuffer([self.texture], None if samples else self._depth)
        if samples:
            self._buffer = ctx.renderbuffer(size, parts, samples=samples, dtype=dtype)
            self.smooth = ctx.framebuffer([self._buffer], self._depth)
        self._drawn = self.smooth or self._target
        self._linear = linear

    def use(self) -> None:
        self._drawn.use()

    def clear(self, floor: Array) -> None:
        """Fills it with the floor, as it looks far away at the edge, and forgets how far everything is."""
        self._drawn.depth_mask = True
        red, green, blue = (floor if self._linear else np.sqrt(floor * 0.9)).tolist()
        self._drawn.clear(red, green, blue, depth=1.0)

    def depth(self, ctx: moderngl.Context, test: bool, write: bool = False) -> None:
        """Whether only what is nearer than all pieces is drawn, and whether it counts as one."""
        (ctx.enable if test else ctx.disable)(moderngl.DEPTH_TEST)
        ctx.depth_func = "<="
        self._drawn.depth_mask = write

    def draws_colour(self, colour: bool) -> None:
        """Whether what is drawn can be seen, or only remembers how far it is."""
        self._drawn.color_mask = (colour,) * 4

    def resolve(self, ctx: moderngl.Context) -> None:
        if self.smooth:
            ctx.copy_framebuffer(self._target, self.smooth)

    def release(self) -> None:
        if self.smooth:
            self.smooth.release()
            self._buffer.release()
        self._target.release()
        self._depth.release()
        self.texture.release()


def _finished(texture: moderngl.Texture, anisotropy: float, blend: bool) -> moderngl.Texture:
    """Scales a baked grain so that its mean is exactly the plain colour, and makes its smaller pictures."""
    data: Array = np.frombuffer(texture.read(), dtype=np.uint8) / 255
    mean = math.sqrt(float((data * data).mean()))
    data = data.reshape(texture.height, texture.width, -1) * (_GRAIN_MEAN / mean)
    texture.build_mipmaps()
    level, sharp = 0, data
    while True:
        texture.write(np.clip(sharp * 255 + 0.5, 0, 255).astype(np.uint8).tobytes(), level=level)
        if data.shape[0] < 2 or data.shape[1] < 2:
            break
        data = (data[::2, ::2] + data[1::2, ::2] + data[::2, 1::2] + data[1::2, 1::2]) / 4
        # Sharper than the mean, since asking for a larger picture in the shader costs software GL much more.
        level, sharp = level + 1, data + _SHARP * (data - _neighbours(data))
    # Without a graphics card the step from one smaller picture to the next is not worth its price.
    smooth = moderngl.LINEAR_MIPMAP_LINEAR if blend else moderngl.LINEAR_MIPMAP_NEAREST
    texture.filter = smooth, moderngl.LINEAR
    if anisotropy > 1.0:
        texture.anisotropy = anisotropy
    return texture


def _neighbours(data: Array) -> Array:
    """The mean of the four neighbours of each texel; the picture repeats."""
    upright, level = (np.roll(data, 1, axis) + np.roll(data, -1, axis) for axis in (0, 1))
    return (upright + level) / 4
