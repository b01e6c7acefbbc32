"""Pictures of wood, stone, rush and cloth, baked by a shader when they are first needed."""

from __future__ import annotations

import itertools
import math

import moderngl
import numpy as np

from shibumi3d.render.kit import Kit
from shibumi3d.render.shaders import put
from shibumi3d.scene.frame import Board, Frame
from shibumi3d.scene.marbles.layout import THICKNESS, Array
from shibumi3d.scene.palette import BOARDS, Theme

_KINDS = {"keyaki": 0, "slate": 1, "tatami": 2, "kuro": 3}
_TABLES = {"day": 4, "night": 5}
_WOOD = {  # of pieces, beside each board: its grain and colour; rush is framed in wood
    **{name: (name, colour) for name, colour in BOARDS.items()},
    "tatami": ("keyaki", "#86653E"),
}
_BAND = 128  # rows of texels of one side of a board
_SHARP = 0.8  # how far smaller pictures of a grain are sharpened
_MEAN = 1 / math.sqrt(2.25)

Place = tuple[float, float, float]


def wood(board: str) -> tuple[str, str]:
    """Return the material, and its colour, of pieces beside a board of this material."""
    return _WOOD[board]


class Grains:
    """The materials of one kit."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._program = kit.program("grain")
        self._array = kit.full(self._program)
        self._made: dict[tuple[object, ...], moderngl.Texture] = {}

    def prepare(self, frame: Frame) -> None:
        """Bake all grains that ``frame`` shows, which binds framebuffers of its own."""
        self.table(frame.theme.tone)
        for board in frame.boards:
            self.board(frame.theme, board)
        if any(board.cloth for board in frame.boards) or any(piece.model == "bag" for piece in frame.pieces):
            self.table("day")
        if frame.pieces:
            self.pieces(frame.theme)

    def board(self, theme: Theme, board: Board) -> tuple[moderngl.Texture, moderngl.Texture]:
        """Return the upper side of a ``board``, and its sides: east, west, south, north from below."""
        kind = _KINDS[theme.board]
        return self._grain(kind, board.half), self._sides(kind, board.half)

    def table(self, tone: str) -> moderngl.Texture:
        """Return the cloth of the table, which repeats."""
        return self._grain(_TABLES[tone], 2.38, table=True)

    def pieces(self, theme: Theme) -> moderngl.Texture:
        """Return the wood of what lies on the table."""
        return self._grain(_KINDS[wood(theme.board)[0]], 4.0)

    def _grain(self, kind: int, half: float, table: bool = False) -> moderngl.Texture:
        key = (kind, half)
        if key not in self._made:
            # The cloth is seen from farther off, and a small picture of it is read much faster.
            side = self._kit.tier.grain // 2 if table else self._kit.tier.grain
            texture, target = self._blank(side, side)
            if table:
                # The cloth repeats: 16 units of its own pattern a picture.
                self._bake(target, kind, (8.0, 8.0, 0.0), (8.0, 0.0, 0.0), (0.0, 8.0, 0.0), 16.0)
            else:
                self._bake(target, kind, (0.0, 0.0, 0.0), (half, 0.0, 0.0), (0.0, half, 0.0))
            self._finish(key, texture, target)
        return self._made[key]

    def _sides(self, kind: int, half: float) -> moderngl.Texture:
        key = (kind, half, "sides")
        if key not in self._made:
            side = self._kit.tier.grain
            texture, target = self._blank(side, 4 * _BAND)
            middle, up = -THICKNESS / 2, (0.0, 0.0, THICKNESS / 2)
            east, north = (half, 0.0, 0.0), (0.0, half, 0.0)
            for band, (start, across) in enumerate(
                (
                    ((half, 0.0, middle), north),
                    ((-half, 0.0, middle), north),
                    ((0.0, -half, middle), east),
                    ((0.0, half, middle), east),
                )
            ):
                target.viewport = (0, _BAND * band, side, _BAND)
                self._bake(target, kind, start, across, up)
            # Long grain has the plain colour, end grain is darker.
            self._finish(key, texture, target, slice(2 * _BAND, None))
        return self._made[key]

    def _blank(self, width: int, height: int) -> tuple[moderngl.Texture, moderngl.Framebuffer]:
        texture = self._kit.keep(self._kit.ctx.texture((width, height), 3))
        return texture, self._kit.ctx.framebuffer([texture])

    def _bake(
        self,
        target: moderngl.Framebuffer,
        kind: int,
        start: Place,
        across: Place,
        upward: Place,
        period: float = 0.0,
    ) -> None:
        target.use()
        self._kit.ctx.scissor = None
        self._kit.ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        put(
            self._program,
            u_kind=kind,
            u_from=start,
            u_across=across,
            u_upward=upward,
            u_period=period,
        )
        self._array.render(moderngl.TRIANGLE_STRIP)

    def _finish(
        self,
        key: tuple[object, ...],
        texture: moderngl.Texture,
        target: moderngl.Framebuffer,
        plain: slice = slice(None),
    ) -> None:
        self._kit.park()
        target.release()
        self._made[key] = _finished(texture, plain, self._kit.tier.anisotropy, self._kit.tier.name != "low")


def _finished(texture: moderngl.Texture, plain: slice, anisotropy: float, blend: bool) -> moderngl.Texture:
    """Makes the mean of the ``plain`` rows of a baked grain the plain colour; and its smaller pictures."""
    baked = np.frombuffer(texture.read(), dtype=np.uint8).reshape(texture.height, texture.width, -1)
    # Of the largest picture, which is most of the work, all is done in whole numbers: there are 256 of them.
    values = np.arange(256) / 255
    counts = np.bincount(baked[plain].ravel(), minlength=256)
    values *= _MEAN / math.sqrt(float((values * values) @ counts / counts.sum()))
    texture.build_mipmaps()
    texture.write(_bytes(values)[baked].tobytes())
    data: Array = _halved(baked.astype(np.uint16)) * values[1]
    for level in itertools.count(1):
        # Sharper than the mean, since asking for a larger picture in the shader costs software GL much more.
        sharp = data + _SHARP * (data - _neighbours(data))
        texture.write(_bytes(sharp).tobytes(), level=level)
        if data.shape[0] < 2 or data.shape[1] < 2:
            break
        data = _halved(data)
    # Without a graphics card the step from one smaller picture to the next is not worth its price.
    smooth = moderngl.LINEAR_MIPMAP_LINEAR if blend else moderngl.LINEAR_MIPMAP_NEAREST
    texture.filter = smooth, moderngl.LINEAR
    if anisotropy > 1.0:
        texture.anisotropy = anisotropy
    return texture


def _bytes(data: Array) -> Array:
    """Shares of the full light as bytes."""
    return np.clip(data * 255 + 0.5, 0, 255).astype(np.uint8)


def _halved(data: Array) -> Array:
    """The mean of each four texels that lie together."""
    return (data[::2, ::2] + data[1::2, ::2] + data[::2, 1::2] + data[1::2, 1::2]) / 4


def _neighbours(data: Array) -> Array:
    """The mean of the four neighbours of each texel; the picture repeats."""
    upright, level = (np.roll(data, 1, axis) + np.roll(data, -1, axis) for axis in (0, 1))
    return (upright + level) / 4
