"""Textures of wood, stone, tatami and cloth, which a shader bakes when they are first needed."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable

import moderngl
import numpy as np

from shibumi3d.render import baked
from shibumi3d.render.kit import Kit
from shibumi3d.render.shaders import put, sources
from shibumi3d.scene.frame import Board, Frame
from shibumi3d.scene.marbles.layout import THICKNESS, Array
from shibumi3d.scene.palette import BOARDS, Theme

_KINDS = {"keyaki": 0, "slate": 1, "tatami": 2, "kuro": 3}
_TABLES = {"day": 4, "night": 5}
_WOOD = {  # grain and colour of the pieces beside each board; tatami has a wooden frame
    **{name: (name, colour) for name, colour in BOARDS.items()},
    "tatami": ("keyaki", "#86653E"),
}
_BAND = 128  # height in texels of one side of a board
_SHARP = 0.8  # sharpening of the smaller mipmap levels
_MEAN = 1 / math.sqrt(2.25)
_MADE = 1
"""Version of the baking code. Increase it when the code changes, to invalidate cached textures."""
MOST = 4
"""Number of textures kept in memory for other OpenGL contexts of this process.

It is enough for one table. They are kept because baking a texture takes longer than drawing a frame.
"""
_kept: OrderedDict[tuple[object, ...], list[bytes]] = OrderedDict()
"""Mipmap levels of each texture, largest first. The most recently used texture is last."""

Place = tuple[float, float, float]


def wood(board: str) -> tuple[str, str]:
    """Return the material and colour of pieces next to a board of the given material."""
    return _WOOD[board]


class Grains:
    """The material textures of one :class:`Kit`."""

    def __init__(self, kit: Kit) -> None:
        self._kit = kit
        self._program = kit.program("grain")
        driver = kit.ctx.info
        # Drivers round differently, so the driver is part of the cache key.
        self._baker = _MADE, sources("grain"), driver["GL_RENDERER"], driver["GL_VERSION"]
        self._array = kit.full(self._program)
        self._made: dict[tuple[object, ...], moderngl.Texture] = {}

    def prepare(self, frame: Frame) -> None:
        """Bake all textures that ``frame`` needs.

        This changes which framebuffer is bound.
        """
        self.table(frame.theme.tone)
        for board in frame.boards:
            self.board(frame.theme, board)
        if any(board.cloth for board in frame.boards) or any(piece.model == "bag" for piece in frame.pieces):
            self.table("day")
        if frame.pieces:
            self.pieces(frame.theme)

    def board(self, theme: Theme, board: Board) -> tuple[moderngl.Texture, moderngl.Texture]:
        """Return the textures of the top and of the sides of ``board``.

        The texture of the sides stacks them from bottom to top, in the order east, west, south, north.
        """
        kind = _KINDS[theme.board]
        return self._grain(kind, board.half), self._sides(kind, board.half)

    def table(self, tone: str) -> moderngl.Texture:
        """Return the tileable texture of the tablecloth."""
        return self._grain(_TABLES[tone], 2.38, table=True)

    def pieces(self, theme: Theme) -> moderngl.Texture:
        """Return the wood texture for pieces on the table."""
        return self._grain(_KINDS[wood(theme.board)[0]], 4.0)

    def _grain(self, kind: int, half: float, table: bool = False) -> moderngl.Texture:
        key = (kind, half)
        if key not in self._made:
            # The cloth is seen from farther away, and a small texture is much faster to sample.
            side = self._kit.tier.grain // 2 if table else self._kit.tier.grain

            def bake(target: moderngl.Framebuffer) -> None:
                if table:
                    # The cloth tiles: one texture covers 16 units of its pattern.
                    self._bake(target, kind, (8.0, 8.0, 0.0), (8.0, 0.0, 0.0), (0.0, 8.0, 0.0), 16.0)
                else:
                    self._bake(target, kind, (0.0, 0.0, 0.0), (half, 0.0, 0.0), (0.0, half, 0.0))

            self._make(key, side, side, bake)
        return self._made[key]

    def _sides(self, kind: int, half: float) -> moderngl.Texture:
        key = (kind, half, "sides")
        if key not in self._made:
            side = self._kit.tier.grain
            middle, up = -THICKNESS / 2, (0.0, 0.0, THICKNESS / 2)
            east, north = (half, 0.0, 0.0), (0.0, half, 0.0)
            starts = (
                ((half, 0.0, middle), north),
                ((-half, 0.0, middle), north),
                ((0.0, -half, middle), east),
                ((0.0, half, middle), east),
            )

            def bake(target: moderngl.Framebuffer) -> None:
                for band, (start, across) in enumerate(starts):
                    target.viewport = (0, _BAND * band, side, _BAND)
                    self._bake(target, kind, start, across, up)

            # Long grain has the plain colour; end grain is darker.
            self._make(key, side, 4 * _BAND, bake, slice(2 * _BAND, None))
        return self._made[key]

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

    def _make(
        self,
        key: tuple[object, ...],
        width: int,
        height: int,
        bake: Callable[[moderngl.Framebuffer], None],
        plain: slice = slice(None),
    ) -> None:
        kit = self._kit
        texture = kit.keep(kit.ctx.texture((width, height), 3))
        known = *self._baker, *key, width, height
        if known not in _kept:
            found = baked.find(known, _lengths(width, height))
            if found is None:
                target = kit.ctx.framebuffer([texture])
                bake(target)
                kit.park()
                target.release()
                found = _finished(texture, plain)
                baked.keep(known, found)
            _kept[known] = found
        _kept.move_to_end(known)
        largest, *smaller = _kept[known]
        texture.write(largest)
        texture.build_mipmaps()
        for level, data in enumerate(smaller, 1):
            texture.write(data, level=level)
        while len(_kept) > MOST:
            _kept.popitem(last=False)
        # Blending between mipmap levels is too slow without a graphics card.
        smooth = moderngl.LINEAR_MIPMAP_NEAREST if kit.tier.name == "low" else moderngl.LINEAR_MIPMAP_LINEAR
        texture.filter = smooth, moderngl.LINEAR
        if kit.tier.anisotropy > 1.0:
            texture.anisotropy = kit.tier.anisotropy
        self._made[key] = texture


def _lengths(width: int, height: int) -> list[int]:
    """Return the size in bytes of each mipmap level of a texture."""
    return [3 * (width >> level) * (height >> level) for level in range(min(width, height).bit_length())]


def _finished(texture: moderngl.Texture, plain: slice) -> list[bytes]:
    """Return the mipmap levels of a baked texture, largest first.

    Brightness is normalized so that the rows in ``plain`` average out to the plain colour.
    """
    fresh = np.frombuffer(texture.read(), dtype=np.uint8).reshape(texture.height, texture.width, -1)
    # The largest level is most of the work, so it is handled with a table of the 256 byte values.
    values = np.arange(256) / 255
    counts = np.bincount(fresh[plain].ravel(), minlength=256)
    values *= _MEAN / math.sqrt(float((values * values) @ counts / counts.sum()))
    found = [_bytes(values)[fresh].tobytes()]
    data: Array = _halved(fresh.astype(np.uint16)) * values[1]
    while True:
        # Sharpen the smaller levels here: sampling a larger level in the shader instead is much slower in software GL.
        found.append(_bytes(data + _SHARP * (data - _neighbours(data))).tobytes())
        if data.shape[0] < 2 or data.shape[1] < 2:
            return found
        data = _halved(data)


def _bytes(data: Array) -> Array:
    """Convert light values from 0 to 1 to bytes."""
    return np.clip(data * 255 + 0.5, 0, 255).astype(np.uint8)


def _halved(data: Array) -> Array:
    """Return the texture at half size; each texel is the mean of four."""
    return (data[::2, ::2] + data[1::2, ::2] + data[::2, 1::2] + data[1::2, 1::2]) / 4


def _neighbours(data: Array) -> Array:
    """Return the mean of the four neighbours of each texel, wrapping around at the edges."""
    upright, level = (np.roll(data, 1, axis) + np.roll(data, -1, axis) for axis in (0, 1))
    return (upright + level) / 4
