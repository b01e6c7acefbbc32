"""Textures of wood, stone, tatami and cloth, baked by a shader and cached on disk."""

from __future__ import annotations

import math
import os
import zlib
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import moderngl
import numpy as np

from shibumi3d.files import delete_abandoned, make_folder, read, write
from shibumi3d.paths import cache_folder
from shibumi3d.render.gpu_resources import GpuResources
from shibumi3d.render.shaders import program_sources, set_uniforms
from shibumi3d.scene.frame import Board, Frame
from shibumi3d.scene.marbles.layout import BOARD_THICKNESS, Array
from shibumi3d.scene.palette import BOARD_COLOURS, Theme

MAX_CACHE_FILES = 32
"""Maximum number of cached files; the least recently used ones are deleted."""
MAX_CACHE_FILE_BYTES = 16 * 2**20
"""Maximum size of a cached file, in bytes; larger files are ignored."""


def load_cached_images(key: tuple[object, ...], sizes: Sequence[int]) -> list[bytes] | None:
    """Return the images cached under ``key``, or None if they are missing or unusable.

    ``sizes`` are the expected sizes of the images in bytes. An entry with a different total size is not used. Loading
    an entry marks it as recently used.
    """
    file = _cache_file(key)
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(read(file, MAX_CACHE_FILE_BYTES), sum(sizes) + 1)
        if len(data) != sum(sizes) or not unpacking.eof:
            return None
        os.utime(file)  # the modification time records the last use
    except (OSError, zlib.error):
        return None
    found, at = [], 0
    for length in sizes:
        found.append(data[at : at + length])
        at += length
    return found


def store_cached_images(key: tuple[object, ...], images: Sequence[bytes]) -> None:
    """Store images in the cache under ``key``; do nothing if the cache isn't writable.

    Only the :data:`MAX_CACHE_FILES` most recently used files are kept.
    """
    file = _cache_file(key)
    with suppress(OSError):
        make_folder(file.parent)
        write(file, zlib.compress(b"".join(images), 1))
        delete_abandoned(file.parent)
        files = sorted(file.parent.glob("*.z"), key=lambda one: one.stat().st_mtime)
        for old in files[:-MAX_CACHE_FILES]:
            old.unlink()


def _cache_file(key: tuple[object, ...]) -> Path:
    return cache_folder() / "grains" / f"{sha256(repr(key).encode()).hexdigest()[:40]}.z"


_BOARD_MATERIALS = {"keyaki": 0, "slate": 1, "tatami": 2, "kuro": 3}
_TABLE_MATERIALS = {"day": 4, "night": 5}
_PIECE_MATERIALS = {  # grain and colour of the pieces beside each board; tatami has a wooden frame
    **{name: (name, colour) for name, colour in BOARD_COLOURS.items()},
    "tatami": ("keyaki", "#86653E"),
}
_SIDE_HEIGHT_TEXELS = 128  # height in texels of one side of a board
_SHARPENING = 0.8  # sharpening of the smaller mipmap levels
_NEUTRAL_BRIGHTNESS = 1 / math.sqrt(2.25)
_BAKING_VERSION = 2
"""Version of the baking code. Increase it when the code changes, to invalidate cached textures."""
MAX_TEXTURES_IN_MEMORY = 4
"""Maximum number of textures kept in memory for other OpenGL contexts of this process.

This is enough for one table. Baking a texture again would take longer than drawing a frame.
"""
_memory_cache: OrderedDict[tuple[object, ...], list[bytes]] = OrderedDict()
"""Mipmap levels of each texture, largest first. The most recently used texture is last."""

Vector3 = tuple[float, float, float]


def piece_material(board: str) -> tuple[str, str]:
    """Return the material and the colour of pieces that stand next to a board of the material ``board``."""
    return _PIECE_MATERIALS[board]


class MaterialTextures:
    """Material textures, each made on first use and released with ``resources``."""

    def __init__(self, resources: GpuResources) -> None:
        self._resources = resources
        self._program = resources.compile_program("grain")
        driver = resources.ctx.info
        # Drivers round differently, so the driver is part of the cache key.
        self._baker_key = (
            _BAKING_VERSION,
            program_sources("grain"),
            driver["GL_RENDERER"],
            driver["GL_VERSION"],
        )
        self._array = resources.full_image_array(self._program)
        self._textures: dict[tuple[object, ...], moderngl.Texture] = {}

    def prepare(self, frame: Frame) -> None:
        """Make all textures that ``frame`` needs.

        This may change which framebuffer is bound.
        """
        self.tablecloth_texture(frame.theme.tone)
        for board in frame.boards:
            self.board_textures(frame.theme, board)
        if any(board.is_covered for board in frame.boards) or any(
            piece.model == "bag" for piece in frame.pieces
        ):
            self.tablecloth_texture("day")
        if frame.pieces:
            self.piece_texture(frame.theme)
        if any(solid.finish == "wood" for solid in frame.solids):
            self.wood_texture()

    def board_textures(self, theme: Theme, board: Board) -> tuple[moderngl.Texture, moderngl.Texture]:
        """Return two textures for ``board``: one of its top, and one of its sides.

        The second texture contains the four sides, stacked from bottom to top in the order east, west, south, north.
        """
        kind = _BOARD_MATERIALS[theme.board]
        return self._top_texture(kind, board.half_side), self._side_texture(kind, board.half_side)

    def tablecloth_texture(self, tone: str) -> moderngl.Texture:
        """Return the tileable texture of the tablecloth for ``tone``, "day" or "night"."""
        return self._top_texture(_TABLE_MATERIALS[tone], 2.38, table=True)

    def piece_texture(self, theme: Theme) -> moderngl.Texture:
        """Return the texture for pieces on the table; their material goes with that of the theme's boards."""
        return self._top_texture(_BOARD_MATERIALS[piece_material(theme.board)[0]], 4.0)

    def wood_texture(self) -> moderngl.Texture:
        """Return the texture of solids made of wood, whatever the boards are made of."""
        return self._top_texture(_BOARD_MATERIALS["keyaki"], 4.0)

    def _top_texture(self, kind: int, half: float, table: bool = False) -> moderngl.Texture:
        key = (kind, half)
        if key not in self._textures:
            # The cloth is seen from farther away, and a small texture is much faster to sample.
            side = self._resources.tier.material_size // 2 if table else self._resources.tier.material_size

            def bake(target: moderngl.Framebuffer) -> None:
                if table:
                    # The cloth tiles: one texture covers 16 units of its pattern.
                    self._bake(target, kind, (8.0, 8.0, 0.0), (8.0, 0.0, 0.0), (0.0, 8.0, 0.0), 16.0)
                else:
                    self._bake(target, kind, (0.0, 0.0, 0.0), (half, 0.0, 0.0), (0.0, half, 0.0))

            self._make_texture(key, side, side, bake)
        return self._textures[key]

    def _side_texture(self, kind: int, half: float) -> moderngl.Texture:
        key = (kind, half, "sides")
        if key not in self._textures:
            side = self._resources.tier.material_size
            middle, up = -BOARD_THICKNESS / 2, (0.0, 0.0, BOARD_THICKNESS / 2)
            east, north = (half, 0.0, 0.0), (0.0, half, 0.0)
            starts = (
                ((half, 0.0, middle), north),
                ((-half, 0.0, middle), north),
                ((0.0, -half, middle), east),
                ((0.0, half, middle), east),
            )

            def bake(target: moderngl.Framebuffer) -> None:
                for band, (start, across) in enumerate(starts):
                    target.viewport = (0, _SIDE_HEIGHT_TEXELS * band, side, _SIDE_HEIGHT_TEXELS)
                    self._bake(target, kind, start, across, up)

            # Long grain has the plain colour; end grain is darker.
            self._make_texture(key, side, 4 * _SIDE_HEIGHT_TEXELS, bake, slice(2 * _SIDE_HEIGHT_TEXELS, None))
        return self._textures[key]

    def _bake(
        self,
        target: moderngl.Framebuffer,
        kind: int,
        start: Vector3,
        across: Vector3,
        up: Vector3,
        period: float = 0.0,
    ) -> None:
        target.use()
        self._resources.ctx.scissor = None
        self._resources.ctx.disable(moderngl.BLEND | moderngl.DEPTH_TEST | moderngl.CULL_FACE)
        set_uniforms(
            self._program,
            u_material=kind,
            u_centre=start,
            u_right=across,
            u_up=up,
            u_period=period,
        )
        self._array.render(moderngl.TRIANGLE_STRIP)

    def _make_texture(
        self,
        key: tuple[object, ...],
        width: int,
        height: int,
        bake: Callable[[moderngl.Framebuffer], None],
        plain_rows: slice = slice(None),
    ) -> None:
        resources = self._resources
        texture = resources.register(resources.ctx.texture((width, height), 3))
        known = *self._baker_key, *key, width, height
        if known not in _memory_cache:
            found = load_cached_images(known, _mipmap_sizes(width, height))
            if found is None:
                target = resources.ctx.framebuffer([texture])
                bake(target)
                resources.bind_idle_framebuffer()
                target.release()
                found = _finish_mipmaps(texture, plain_rows)
                store_cached_images(known, found)
            _memory_cache[known] = found
        _memory_cache.move_to_end(known)
        largest, *smaller = _memory_cache[known]
        texture.write(largest)
        texture.build_mipmaps()
        for level, data in enumerate(smaller, 1):
            texture.write(data, level=level)
        while len(_memory_cache) > MAX_TEXTURES_IN_MEMORY:
            _memory_cache.popitem(last=False)
        # Blending between mipmap levels is too slow without a graphics card.
        smooth = (
            moderngl.LINEAR_MIPMAP_NEAREST if resources.tier.name == "low" else moderngl.LINEAR_MIPMAP_LINEAR
        )
        texture.filter = smooth, moderngl.LINEAR
        if resources.tier.anisotropy > 1.0:
            texture.anisotropy = resources.tier.anisotropy
        self._textures[key] = texture


def _mipmap_sizes(width: int, height: int) -> list[int]:
    """Return the size in bytes of each mipmap level that is stored for a texture, largest first.

    Each texel has 3 bytes. The last level is the one whose shorter side is a single texel.
    """
    return [3 * (width >> level) * (height >> level) for level in range(min(width, height).bit_length())]


def _finish_mipmaps(texture: moderngl.Texture, plain_rows: slice) -> list[bytes]:
    """Return the mipmap levels of a baked texture, largest first; the smaller ones are sharpened.

    The texture modulates the colour of its material. Its brightness is scaled so that, on average, the rows in
    ``plain_rows`` don't change that colour.
    """
    fresh = np.frombuffer(texture.read(), dtype=np.uint8).reshape(texture.height, texture.width, -1)
    # The largest level is most of the work, so it is handled with a table of the 256 byte values.
    values = np.arange(256) / 255
    counts = np.bincount(fresh[plain_rows].ravel(), minlength=256)
    values *= _NEUTRAL_BRIGHTNESS / math.sqrt(float((values * values) @ counts / counts.sum()))
    found = [_to_bytes(values)[fresh].tobytes()]
    data: Array = _halve(fresh.astype(np.uint16)) * values[1]
    while True:
        # Sharpen the smaller levels here: sampling a larger level in the shader instead is much slower in software GL.
        found.append(_to_bytes(data + _SHARPENING * (data - _neighbour_mean(data))).tobytes())
        if data.shape[0] < 2 or data.shape[1] < 2:
            return found
        data = _halve(data)


def _to_bytes(data: Array) -> Array:
    return np.clip(data * 255 + 0.5, 0, 255).astype(np.uint8)


def _halve(data: Array) -> Array:
    """Return the texture at half size; each texel is the mean of four."""
    return (data[::2, ::2] + data[1::2, ::2] + data[::2, 1::2] + data[1::2, 1::2]) / 4


def _neighbour_mean(data: Array) -> Array:
    """Return the mean of the four neighbours of each texel, wrapping around at the edges."""
    upright, level = (np.roll(data, 1, axis) + np.roll(data, -1, axis) for axis in (0, 1))
    return (upright + level) / 4
