"""OpenGL 3.3 renderer of frames, which can share its context with other drawing code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import moderngl
import numpy as np

from shibumi3d.render.accumulator import Accumulator, RaySample, jittered_cameras, ray_samples
from shibumi3d.render.arrays import Floats, pieces
from shibumi3d.render.arrays.drawing_order import (
    are_balls_behind,
    sort_balls_far_to_near,
    sort_boards_far_to_near,
)
from shibumi3d.render.arrays.marbles import BallArrays, make_ball_arrays
from shibumi3d.render.gpu_resources import BLEND_OVER, GpuResources
from shibumi3d.render.light_maps import LightMaps
from shibumi3d.render.lighting import background_colour
from shibumi3d.render.materials import MaterialTextures
from shibumi3d.render.passes.boards import BoardPass
from shibumi3d.render.passes.marbles import MarblePass
from shibumi3d.render.passes.marks import MarkPass
from shibumi3d.render.passes.pieces import PiecePass
from shibumi3d.render.passes.solids import SolidPass
from shibumi3d.render.passes.table import TablePass
from shibumi3d.render.quality_tiers import TIERS, ScaleController, Tier, choose_tier
from shibumi3d.render.render_target import RenderTarget, TextureMaker
from shibumi3d.render.shaders import compile_program, set_uniforms
from shibumi3d.render.view import View, make_view
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Board, Frame, Piece

PixelArea: TypeAlias = tuple[int, int, int, int]  # left, bottom, width and height in pixels
DrawGroup: TypeAlias = tuple[
    Board | None, list[Piece], Floats
]  # a board with the pieces and marbles drawn before it


class Renderer:
    """Renderer that draws frames into framebuffers of the context ``ctx``.

    ``tier`` is a :class:`Tier`, ``"low"``, ``"medium"``, ``"high"``, or ``"auto"``, which chooses a tier by the name of
    the driver. ``share_with`` is another renderer in the same context, whose material textures this one shares. This
    renderer must be released before that one.

    If ``make_texture`` is given, it makes the texture for the image of the scene, unless the tier uses ray tracing. If
    ``upside_down`` is set, the images are drawn upside down. If ``share_with`` is given, both settings are taken from
    it instead.

    The renderer sets all OpenGL state that it needs. :meth:`draw` and :meth:`present` leave depth test and culling off,
    blending on, and one of the renderer's own framebuffers bound. If a caller's framebuffer stayed bound and were
    released, moderngl would cause an error when binding it again.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        tier: str | Tier = "auto",
        share_with: Renderer | None = None,
        *,
        make_texture: TextureMaker | None = None,
        upside_down: bool = False,
    ) -> None:
        self.ctx = ctx
        self._make_texture: TextureMaker | None = share_with._make_texture if share_with else make_texture
        self.upside_down: bool = share_with.upside_down if share_with else upside_down
        if isinstance(tier, str):
            tier = choose_tier(ctx.info["GL_RENDERER"]) if tier == "auto" else TIERS[tier]
        self.tier: Tier = tier
        self.scale_control = ScaleController(self.tier.initial_scale)
        self._resources: GpuResources = GpuResources(
            ctx, self.tier, share_with._resources if share_with else None
        )
        resources = self._resources
        self._materials: MaterialTextures = (
            share_with._materials if share_with else MaterialTextures(resources)
        )
        self._light_maps = LightMaps(resources)
        self._table_pass = TablePass(resources, self._materials)
        self._board_pass = BoardPass(resources, self._materials)
        self._piece_pass = PiecePass(resources, self._materials)
        self._marble_pass = MarblePass(resources, self._materials)
        self._solid_pass = SolidPass(resources, self._materials)
        self._mark_pass = MarkPass(resources)
        self._present_program = resources.compile_program("present", *resources.hdr_defines)
        self._present_array = resources.full_image_array(self._present_program)
        self._copy_program = resources.compile_program("present", "COPY")
        self._copy_array = resources.full_image_array(self._copy_program)
        self._target: RenderTarget | None = None
        self._accumulator: Accumulator | None = None
        self._shows_accumulated = False
        self._balls: BallArrays | None = None
        self._key: tuple[object, ...] = ()

    def draw(
        self,
        frame: Frame,
        camera: Camera,
        framebuffer: moderngl.Framebuffer,
        width: int,
        height: int,
        scale: float = 1.0,
        origin: tuple[int, int] = (0, 0),
        opacity: float = 1.0,
    ) -> None:
        """Draw ``frame`` as seen by ``camera`` into ``width`` x ``height`` pixels of ``framebuffer``.

        ``scale`` is the number of physical pixels per logical pixel, which determines the size of marks. ``origin`` is
        the lower left corner of the image in the framebuffer. ``opacity`` is the opacity of the image over what is
        already there, from 0 to 1.
        """
        found = self._prepare(frame)
        size = (
            max(round(width * self.scale_control.scale), 1),
            max(round(height * self.scale_control.scale), 1),
        )
        picture = self._target_of_size(size)
        seen = make_view(frame, camera, width / height)
        self._materials.prepare(frame)
        self._draw_scene(seen, found, _group_by_board(seen, found), picture)
        picture.resolve(self.ctx)
        self._shows_accumulated = False
        self._composite(seen, found, picture.texture, framebuffer, (*origin, width, height), scale, opacity)

    def draw_tiles(
        self,
        frame: Frame,
        camera: Camera,
        width: int,
        height: int,
        tiles: Iterable[PixelArea],
        *,
        resolve: bool = True,
    ) -> Iterator[None]:
        """Draw the scene of ``frame`` as seen by ``camera``, at full size and tile by tile.

        Yields after each step of the preparation, then after each tile. If ``resolve`` is set, :meth:`present`
        can show the scene afterwards. Nothing else may be drawn with this renderer until the iterator is exhausted.
        """
        self._shows_accumulated = False
        for _ in self._prepare_in_steps(frame):
            self._resources.bind_idle_framebuffer()
            self.ctx.finish()
            yield
        found = self._prepare(frame)
        self._materials.prepare(frame)
        picture, seen = self._target_of_size((width, height)), make_view(frame, camera, width / height)
        groups = _group_by_board(seen, found)
        for tile in tiles:
            self._draw_scene(seen, found, groups, picture, tile)
            self._resources.bind_idle_framebuffer()
            self.ctx.finish()
            yield
        if resolve:
            picture.resolve(self.ctx)
            self._resources.bind_idle_framebuffer()
            self.ctx.finish()

    def present(
        self,
        frame: Frame,
        camera: Camera,
        framebuffer: moderngl.Framebuffer,
        width: int,
        height: int,
        scale: float = 1.0,
        opacity: float = 1.0,
    ) -> None:
        """Copy the last scene to ``framebuffer``, and draw the marks of ``frame`` over it.

        The scene is the one last drawn by :meth:`draw`, :meth:`draw_tiles` or :meth:`accumulate`. ``scale`` and
        ``opacity`` are as in :meth:`draw`.
        """
        assert self._target is not None
        assert self._balls is not None
        seen = make_view(frame, camera, width / height)
        shown = (
            self._accumulator.texture
            if self._accumulator and self._shows_accumulated
            else self._target.texture
        )
        self._composite(seen, self._balls, shown, framebuffer, (0, 0, width, height), scale, opacity)

    def accumulate(self, frame: Frame, camera: Camera, width: int, height: int, count: int) -> Iterator[None]:
        """Draw the scene of ``frame`` with ``count`` different sub-pixel shifts, and average the images.

        Yields after each image. :meth:`present` then shows the mean. Nothing else may be drawn with this renderer until
        the iterator is exhausted.
        """
        found = self._prepare(frame)
        self._materials.prepare(frame)
        if self._accumulator is None:
            self._accumulator = Accumulator(self._resources)
        mean, self._shows_accumulated = self._accumulator, True
        mean.begin(width, height)
        ways = zip(jittered_cameras(camera, width, height, count), ray_samples(count), strict=True)
        for number, (aside, rays) in enumerate(ways):
            picture, seen = self._target_of_size((width, height)), make_view(frame, aside, width / height)
            self._draw_scene(
                seen,
                found,
                _group_by_board(seen, found),
                picture,
                rays=rays if self.tier.ray_tracing else None,
            )
            picture.resolve(self.ctx)
            mean.add(picture.texture, number)
            self._resources.bind_idle_framebuffer()
            self.ctx.finish()
            yield

    @property
    def compiled_programs(self) -> Sequence[tuple[str, tuple[str, ...]]]:
        """Names and defines of the shader programs that this renderer has compiled."""
        return self._resources.compiled_programs

    def _composite(
        self,
        view: View,
        balls: BallArrays,
        texture: moderngl.Texture,
        framebuffer: moderngl.Framebuffer,
        area: PixelArea,
        scale: float,
        opacity: float = 1.0,
    ) -> None:
        framebuffer.use()
        before = framebuffer.viewport
        framebuffer.viewport = area
        self.ctx.scissor = None
        self.ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self.ctx.blend_func = BLEND_OVER
        texture.use(0)
        up = -1.0 if self.upside_down else 1.0
        if opacity < 1.0 or self.tier.ray_tracing:
            if opacity < 1.0:
                self.ctx.enable(moderngl.BLEND)
            set_uniforms(self._present_program, u_image=0, u_opacity=opacity, u_up=up)
            self._present_array.render(moderngl.TRIANGLE_STRIP)
        else:
            set_uniforms(self._copy_program, u_image=0, u_up=up)
            self._copy_array.render(moderngl.TRIANGLE_STRIP)
        self.ctx.enable(moderngl.BLEND)
        self._mark_pass.draw(view, balls, area[2], area[3], scale, self.upside_down)
        framebuffer.viewport = before
        self._resources.bind_idle_framebuffer()

    def with_reloaded_shaders(self) -> Renderer:
        """Return a new renderer with shaders reloaded from their files, and release this one.

        Raises :class:`.ShaderError` if one of the shaders in use does not compile; this renderer is then unchanged.
        """
        for name, defines in self.compiled_programs:
            compile_program(self.ctx, name, defines).release()
        fresh = Renderer(
            self.ctx, self.tier.name, make_texture=self._make_texture, upside_down=self.upside_down
        )
        fresh.scale_control = self.scale_control
        self.release()
        fresh._resources.bind_idle_framebuffer()
        return fresh

    def release(self) -> None:
        """Free all OpenGL resources."""
        self._resources.bind_idle_framebuffer()
        if self._target:
            self._target.release()
        if self._accumulator:
            self._accumulator.release()
        self._resources.release()

    def _prepare(self, frame: Frame) -> BallArrays:
        """Bring the marble arrays and the light maps up to date with ``frame``, and return the arrays."""
        for _ in self._prepare_in_steps(frame):
            pass
        assert self._balls is not None
        return self._balls

    def _prepare_in_steps(self, frame: Frame) -> Iterator[None]:
        """Update the marble arrays and the light maps if the scene has changed; yield after each light map."""
        key = (frame.balls, frame.boards, frame.pieces, frame.solids, frame.theme)
        if key == self._key and self._balls is not None:
            return
        self._key = ()
        self._balls = make_ball_arrays(frame.balls, frame.boards, frame.theme, self.tier.ray_tracing)
        self._marble_pass.update(self._balls)
        yield from self._light_maps.update_in_steps(frame, self._balls.shadow_casters)
        self._key = key

    def _target_of_size(self, size: tuple[int, int]) -> RenderTarget:
        if self._target is None or self._target.size != size:
            if self._target:
                self._resources.bind_idle_framebuffer()
                self._target.release()
            samples = min(self.tier.samples, self.ctx.max_samples)
            self._target = RenderTarget(self.ctx, size, samples, self.tier.ray_tracing, self._make_texture)
        return self._target

    def _draw_scene(
        self,
        view: View,
        balls: BallArrays,
        groups: list[DrawGroup],
        target: RenderTarget,
        tile: PixelArea | None = None,
        rays: RaySample | None = None,
    ) -> None:
        """Draw the scene without its marks; boards, pieces and marbles are drawn from far to near.

        If ``tile`` is given, only that part of the image is drawn. ``rays`` is the ray sample of the image if several
        ray-traced images are averaged, and otherwise None.
        """
        ctx, frame = self.ctx, view.frame
        target.use()
        target.clear(background_colour(view.theme), tile)
        self._marble_pass.begin(view, balls, rays)
        self._piece_pass.begin(view, target)
        ctx.viewport = 0, 0, *target.size
        ctx.scissor = tile
        ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST)
        # Marbles hide about half of most boards and pyramids, so draw their depth first. This can't be done if rays are
        # cast, because llvmpipe then tests the depth of multisamples wrongly.
        hides = not (self.tier.ray_tracing or frame.solids or frame.cards)
        if hides:
            self._marble_pass.draw_depth(view, target)
        ctx.enable(moderngl.CULL_FACE)
        ctx.front_face = "ccw"
        ctx.cull_face = "back"
        # If nothing else is on the table, solids are drawn before it, so that the parts that they hide aren't shaded.
        covers = bool(frame.solids) and not (
            self.tier.ray_tracing or frame.boards or frame.pieces or frame.balls
        )
        if covers:
            self._solid_pass.draw_opaque_solids(view, self._light_maps, target)
        target.set_depth_mode(ctx, hides or covers)
        self._table_pass.draw(view, self._light_maps)
        for board, pieces_, rows in groups:
            for piece in pieces_:
                self._piece_pass.draw(view, piece, self._light_maps, target)
            ctx.enable(moderngl.BLEND)
            ctx.disable(moderngl.CULL_FACE)
            # A marble is drawn as an octagon through its centre, whose depth sorts correctly against anything that the
            # marble is in front of or behind.
            target.set_depth_mode(ctx, hides or bool(frame.pieces))
            self._marble_pass.draw(view, rows, self._light_maps)
            target.set_depth_mode(ctx, hides)
            if board:
                self._board_pass.draw(view, board, balls, self._light_maps, target)
        if frame.solids and not covers:
            self._solid_pass.draw_opaque_solids(view, self._light_maps, target)
        self._solid_pass.draw(view, self._light_maps, target)
        ctx.scissor = None


def _group_by_board(view: View, balls: BallArrays) -> list[DrawGroup]:
    """Group pieces and marbles by the board that can hide them, with the boards from far to near.

    If several boards can hide an object, it belongs to the group of the farthest. Each group is drawn before its board,
    so that the board covers it. The last group has no board and contains all other pieces and marbles. Invisible ones
    are left out.
    """
    frame, eye = view.frame, view.eye
    rows = balls.rows[sort_balls_far_to_near(balls, eye)]
    groups: list[DrawGroup] = []
    left = np.ones(len(rows), dtype=bool)
    lying = pieces.sort_pieces_far_to_near([piece for piece in frame.pieces if piece.alpha > 0.0], eye)
    for board in sort_boards_far_to_near(frame.boards, eye):
        now = left & are_balls_behind(rows, board, eye)
        left &= ~now
        covered = [piece for piece in lying if pieces.is_piece_behind(piece, board, eye)]
        lying = [piece for piece in lying if piece not in covered]
        groups.append((board, covered, rows[now]))
    groups.append((None, lying, rows[left]))
    return groups
