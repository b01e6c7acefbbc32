"""OpenGL resources that render passes share: context, tier, programs, buffers and vertex arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.shaders import program
from shibumi3d.render.tiers import Tier

OVER = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
ADDED = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
TIMES = moderngl.ZERO, moderngl.SRC_COLOR

_SQUARE = np.array([-1, -1, 1, -1, -1, 1, 1, 1], dtype="f4")


class Released(Protocol):
    """An OpenGL resource that can be released."""

    def release(self) -> Any:
        """Free the resource."""


_Kept = TypeVar("_Kept", bound=Released)


class Kit:
    """Factory and owner of the OpenGL resources that render passes need.

    It creates them in ``ctx`` for ``tier``, and frees them together in :meth:`release`. ``hdr`` holds the names to
    define in programs that output linear light; it is empty if the tier doesn't use linear light. ``square`` is a
    buffer with the corners of the whole image, for a triangle strip. ``beside`` is another kit in the same context,
    which must be released after this one.
    """

    def __init__(self, ctx: moderngl.Context, tier: Tier, beside: Kit | None = None) -> None:
        self.ctx, self.tier, self._beside = ctx, tier, beside
        self.hdr: tuple[str, ...] = ("HDR",) if tier.rays else ()
        self.compiled: list[tuple[str, tuple[str, ...]]] = []
        self._kept: list[Released] = []
        # Bound before a framebuffer is released: when moderngl creates a framebuffer, it rebinds the last one used.
        self._parked = ctx.simple_framebuffer((1, 1))
        self.square = self.buffer(_SQUARE)

    def keep(self, item: _Kept) -> _Kept:
        """Register ``item`` to be freed together with the kit, and return it."""
        self._kept.append(item)
        return item

    def program(self, name: str, *defines: str) -> moderngl.Program:
        """Compile a program and add it to ``compiled``. Raises :class:`ShaderError`."""
        self.compiled.append((name, defines))
        return self.keep(program(self.ctx, name, defines))

    def buffer(self, data: Floats | np.ndarray[Any, Any]) -> moderngl.Buffer:
        """Return a buffer that contains ``data``."""
        return self.keep(self.ctx.buffer(data.tobytes()))

    def rows(self, floats: int, count: int) -> moderngl.Buffer:
        """Return a dynamic buffer for :func:`fill`, with room for ``count`` rows of ``floats`` values."""
        return self.keep(self.ctx.buffer(reserve=floats * 4 * count, dynamic=True))

    def array(
        self, made: moderngl.Program, contents: Sequence[Any], order: moderngl.Buffer | None = None
    ) -> moderngl.VertexArray:
        """Return a vertex array that feeds ``contents`` to program ``made``.

        The arguments are passed to :meth:`moderngl.Context.vertex_array`; ``order`` is the index buffer.
        """
        return self.keep(self.ctx.vertex_array(made, contents, index_buffer=order))

    def full(self, made: moderngl.Program) -> moderngl.VertexArray:
        """Return a vertex array for ``made``: a triangle strip that covers the whole image."""
        return self.array(made, [(self.square, "2f", "in_corner")])

    def lookup(self, width: int, height: int = 1) -> Lookup:
        """Return a lookup table for shaders, initially with ``width`` x ``height`` texels."""
        return self.keep(Lookup(self.ctx, width, height))

    def plain(self) -> moderngl.Sampler:
        """Return a sampler without anisotropic filtering, for material textures.

        Anisotropic filtering is slow in llvmpipe if neighbouring pixels sample distant places. This happens when rays
        are cast, and when the pixels take different branches in the shader.
        """
        smooth = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return self.keep(self.ctx.sampler(filter=smooth, anisotropy=1.0))

    def park(self) -> None:
        """Bind an unused framebuffer, so that any other can be released."""
        self._parked.use()

    def release(self) -> None:
        """Free everything that this kit created or registered."""
        self.park()
        for item in reversed(self._kept):
            item.release()
        if self._beside:
            self._beside.park()
        self._parked.release()


class Lookup:
    """Lookup table for shaders: a texture with four floats per texel, which grows as needed."""

    def __init__(self, ctx: moderngl.Context, width: int, height: int) -> None:
        self._ctx = ctx
        self._texture = self._made(width, height)

    def _made(self, width: int, height: int) -> moderngl.Texture:
        texture = self._ctx.texture((width, height), 4, dtype="f4")
        texture.filter = moderngl.NEAREST, moderngl.NEAREST
        return texture

    def write(self, rows: Floats) -> None:
        """Write texels (n, m, 4), or a single row of them (m, 4), starting at the first texel."""
        *high, wide, _ = rows.shape
        height = high[0] if high else 1
        if wide > self._texture.width or height > self._texture.height:
            size = self._texture.size
            self._texture.release()
            self._texture = self._made(
                2 * wide if wide > size[0] else size[0], 2 * height if height > size[1] else size[1]
            )
        self._texture.write(np.ascontiguousarray(rows).tobytes(), viewport=(0, 0, wide, height))

    def use(self, place: int) -> None:
        """Bind the table to texture unit ``place``."""
        self._texture.use(place)

    def release(self) -> None:
        """Free the table."""
        self._texture.release()


def fill(buffer: moderngl.Buffer, rows: Floats) -> None:
    """Write ``rows`` to ``buffer``, enlarging it if needed."""
    data = np.ascontiguousarray(rows, dtype="f4").tobytes()
    if len(data) > buffer.size:
        buffer.orphan(2 * len(data))
    if data:
        buffer.write(data)
