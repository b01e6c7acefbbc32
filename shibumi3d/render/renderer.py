"""OpenGL 3.3 renderer of frames, which can share its context with other drawing code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats, pieces
from shibumi3d.render.arrays.marbles import Balls, balls
from shibumi3d.render.arrays.order import behind, boards_far_to_near, far_to_near
from shibumi3d.render.grains import Grains
from shibumi3d.render.kit import OVER, Kit
from shibumi3d.render.lightmaps import LightMaps
from shibumi3d.render.mean import Mean, Rays, jittered, scattered
from shibumi3d.render.passes.boards import BoardPass
from shibumi3d.render.passes.marbles import MarblePass
from shibumi3d.render.passes.marks import MarkPass
from shibumi3d.render.passes.pieces import PiecePass
from shibumi3d.render.passes.solids import SolidPass
from shibumi3d.render.passes.table import TablePass
from shibumi3d.render.picture import Picture
from shibumi3d.render.room import floor, rest
from shibumi3d.render.shaders import program, put
from shibumi3d.render.tiers import TIERS, ScaleControl, Tier, choose
from shibumi3d.render.view import View, view
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Board, Frame, Piece

Area: TypeAlias = tuple[int, int, int, int]  # left, bottom, width and height in pixels
Group: TypeAlias = tuple[
    Board | None, list[Piece], Floats
]  # a board with the pieces and marbles drawn before it


class Renderer:
    """Renderer of frames into framebuffers of the context ``ctx``.

    ``tier`` is a :class:`Tier`, ``"low"``, ``"medium"``, ``"high"``, or ``"auto"``, which chooses a tier by the name of
    the driver. ``live`` is another renderer in the same context, whose textures this one shares. This renderer must
    then be released first.

    The renderer sets all OpenGL state that it needs. It leaves depth test and culling off, blending on, and one of its
    own framebuffers bound. If a framebuffer were released while bound, moderngl would cause an error when binding it
    again.
    """

    def __init__(
        self, ctx: moderngl.Context, tier: str | Tier = "auto", live: Renderer | None = None
    ) -> None:
        self.ctx = ctx
        if isinstance(tier, str):
            tier = choose(ctx.info["GL_RENDERER"]) if tier == "auto" else TIERS[tier]
        self.tier: Tier = tier
        self.pace = ScaleControl(self.tier.scale)
        self._kit: Kit = Kit(ctx, self.tier, live._kit if live else None)
        kit = self._kit
        self._grains: Grains = live._grains if live else Grains(kit)
        self._light = LightMaps(kit)
        self._table = TablePass(kit, self._grains)
        self._boards = BoardPass(kit, self._grains)
        self._pieces = PiecePass(kit, self._grains)
        self._marbles = MarblePass(kit, self._grains)
        self._solids = SolidPass(kit)
        self._marks = MarkPass(kit)
        self._present = kit.program("present", *kit.hdr)
        self._present_array = kit.full(self._present)
        self._picture: Picture | None = None
        self._mean: Mean | None = None
        self._gathered = False
        self._found: Balls | None = None
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
        part: float = 1.0,
    ) -> None:
        """Draw ``frame`` as seen by ``camera`` into ``width`` x ``height`` pixels of ``framebuffer``.

        ``scale`` is the number of physical pixels per logical pixel, which determines the size of marks. ``origin`` is
        the lower left corner of the image in the framebuffer. ``part`` is the opacity, from 0 to 1.
        """
        found = self._prepare(frame)
        size = (max(round(width * self.pace.scale), 1), max(round(height * self.pace.scale), 1))
        picture = self._picture_of(size)
        seen = view(frame, camera, width / height)
        self._grains.prepare(frame)
        self._scene(seen, found, _groups(seen, found), picture)
        picture.resolve(self.ctx)
        self._gathered = False
        self._show(seen, found, picture.texture, framebuffer, (*origin, width, height), scale, part)

    def parts(
        self,
        frame: Frame,
        camera: Camera,
        width: int,
        height: int,
        tiles: Iterable[Area],
        *,
        whole: bool = True,
    ) -> Iterator[None]:
        """Draw the scene of ``frame`` at full size, tile by tile.

        Yields after each step: first the preparation, then each tile. If ``whole`` is set, :meth:`present` can show the
        scene afterwards. Nothing else may be drawn with this renderer until the iterator is exhausted.
        """
        found = self._prepare(frame)
        self._gathered = False
        self.ctx.finish()
        yield
        self._grains.prepare(frame)
        picture, seen = self._picture_of((width, height)), view(frame, camera, width / height)
        groups = _groups(seen, found)
        for tile in tiles:
            self._scene(seen, found, groups, picture, tile)
            self._kit.park()
            self.ctx.finish()
            yield
        if whole:
            picture.resolve(self.ctx)
            self._kit.park()
            self.ctx.finish()

    def present(
        self,
        frame: Frame,
        camera: Camera,
        framebuffer: moderngl.Framebuffer,
        width: int,
        height: int,
        scale: float = 1.0,
        part: float = 1.0,
    ) -> None:
        """Show the last scene drawn, at opacity ``part``, with the signs of ``frame`` on top."""
        assert self._picture is not None
        assert self._found is not None
        seen = view(frame, camera, width / height)
        shown = self._mean.texture if self._mean and self._gathered else self._picture.texture
        self._show(seen, self._found, shown, framebuffer, (0, 0, width, height), scale, part)

    def gather(self, frame: Frame, camera: Camera, width: int, height: int, count: int) -> Iterator[None]:
        """Draw the scene of ``frame`` ``count`` times with sub-pixel shifts, and average the images.

        Yields after each image. :meth:`present` then shows the mean. Nothing else may be drawn with this renderer until
        the iterator is exhausted.
        """
        found = self._prepare(frame)
        self._grains.prepare(frame)
        if self._mean is None:
            self._mean = Mean(self._kit)
        mean, self._gathered = self._mean, True
        mean.begin(width, height)
        ways = zip(jittered(camera, width, height, count), scattered(count), strict=True)
        for number, (aside, rays) in enumerate(ways):
            picture, seen = self._picture_of((width, height)), view(frame, aside, width / height)
            self._scene(seen, found, _groups(seen, found), picture, rays=rays if self.tier.rays else None)
            picture.resolve(self.ctx)
            mean.add(picture.texture, number)
            self._kit.park()
            self.ctx.finish()
            yield

    @property
    def compiled(self) -> Sequence[tuple[str, tuple[str, ...]]]:
        """Names and defines of all shader programs in use."""
        return self._kit.compiled

    def _show(
        self,
        seen: View,
        found: Balls,
        picture: moderngl.Texture,
        framebuffer: moderngl.Framebuffer,
        area: Area,
        scale: float,
        part: float = 1.0,
    ) -> None:
        framebuffer.use()
        before = framebuffer.viewport
        framebuffer.viewport = area
        self.ctx.scissor = None
        self.ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        self.ctx.blend_func = OVER
        if part < 1.0:
            self.ctx.enable(moderngl.BLEND)
        picture.use(0)
        put(self._present, u_picture=0, u_part=part)
        self._present_array.render(moderngl.TRIANGLE_STRIP)
        self.ctx.enable(moderngl.BLEND)
        self._marks.draw(seen, found, area[2], area[3], scale)
        framebuffer.viewport = before
        self._kit.park()

    def renewed(self) -> Renderer:
        """Return a new renderer with shaders reloaded from their files, and release this one.

        Raises :class:`ShaderError` if one of the shaders in use does not compile; this renderer is then unchanged.
        """
        for name, defines in self.compiled:
            program(self.ctx, name, defines).release()
        fresh = Renderer(self.ctx, self.tier.name)
        fresh.pace = self.pace
        self.release()
        fresh._kit.park()
        return fresh

    def release(self) -> None:
        """Free all OpenGL resources."""
        self._kit.park()
        if self._picture:
            self._picture.release()
        if self._mean:
            self._mean.release()
        self._kit.release()

    def _prepare(self, frame: Frame) -> Balls:
        """Return the marbles of ``frame``, and update the light maps if anything has moved."""
        key = (frame.balls, frame.boards, frame.pieces, frame.solids, frame.theme)
        if key != self._key or self._found is None:
            self._key = key
            self._found = balls(frame.balls, frame.boards, frame.theme, self.tier.rays)
            self._marbles.update(self._found)
            self._light.update(frame, self._found.splats)
        return self._found

    def _picture_of(self, size: tuple[int, int]) -> Picture:
        if self._picture is None or self._picture.size != size:
            if self._picture:
                self._kit.park()
                self._picture.release()
            samples = min(self.tier.samples, self.ctx.max_samples)
            self._picture = Picture(self.ctx, size, samples, self.tier.rays)
        return self._picture

    def _scene(
        self,
        seen: View,
        found: Balls,
        groups: list[Group],
        picture: Picture,
        tile: Area | None = None,
        rays: Rays | None = None,
    ) -> None:
        """Draw the scene without its signs, from far to near.

        If ``tile`` is given, only that part of the picture is drawn. ``rays`` are given if the picture is one of many
        that are averaged.
        """
        ctx, frame = self.ctx, seen.frame
        picture.use()
        picture.clear(floor(seen.theme) * rest(seen.theme), tile)
        self._marbles.begin(seen, found, rays)
        self._pieces.begin(seen, picture)
        ctx.viewport = 0, 0, *picture.size
        ctx.scissor = tile
        ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST)
        # Marbles hide about half of most boards and pyramids, so draw their depth first. This can't be done if rays are
        # cast, because llvmpipe then tests the depth of multisamples wrongly.
        hides = not (self.tier.rays or frame.solids or frame.cards)
        if hides:
            self._marbles.remember(seen, picture)
        ctx.enable(moderngl.CULL_FACE)
        ctx.front_face = "ccw"
        ctx.cull_face = "back"
        picture.depth(ctx, hides)
        self._table.draw(seen, self._light)
        for board, pieces_, rows in groups:
            for piece in pieces_:
                self._pieces.draw(seen, piece, self._light, picture)
            ctx.enable(moderngl.BLEND)
            ctx.disable(moderngl.CULL_FACE)
            # A marble is drawn as an octagon through its centre, whose depth orders correctly against anything that the
            # marble is in front of or behind.
            picture.depth(ctx, hides or bool(frame.pieces))
            self._marbles.draw(seen, rows, self._light)
            picture.depth(ctx, hides)
            if board:
                self._boards.draw(seen, board, found, self._light, picture)
        self._solids.draw(seen, self._light, picture)
        ctx.scissor = None


def _groups(seen: View, found: Balls) -> list[Group]:
    """Group pieces and marbles by the board that may hide them, with the boards from far to near.

    Each group is drawn before its board, so that the board covers it. The last group has no board and contains the
    rest.
    """
    frame, eye = seen.frame, seen.eye
    rows = found.rows[far_to_near(found, eye)]
    groups: list[Group] = []
    left = np.ones(len(rows), dtype=bool)
    lying = pieces.far_to_near([piece for piece in frame.pieces if piece.alpha > 0.0], eye)
    for board in boards_far_to_near(frame.boards, eye):
        now = left & behind(rows, board, eye)
        left &= ~now
        covered = [piece for piece in lying if pieces.behind(piece, board, eye)]
        lying = [piece for piece in lying if piece not in covered]
        groups.append((board, covered, rows[now]))
    groups.append((None, lying, rows[left]))
    return groups
