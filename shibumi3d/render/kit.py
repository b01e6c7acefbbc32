"""What all passes share: context and tier, programs, buffers and arrays, freed together."""

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
    """Something on the graphics card."""

    def release(self) -> Any:
        """Free it there."""


_Kept = TypeVar("_Kept", bound=Released)


class Kit:
    """Makes what passes need in ``ctx`` for ``tier``, and frees all of it at the end.

    ``hdr`` are the defines of programs that keep to linear light where the tier does. ``square`` are the corners of
    the whole picture, as a strip. ``beside`` is another that outlives this one in the same context.
    """

    def __init__(self, ctx: moderngl.Context, tier: Tier, beside: Kit | None = None) -> None:
        self.ctx, self.tier, self._beside = ctx, tier, beside
        self.hdr: tuple[str, ...] = ("HDR",) if tier.rays else ()
        self.compiled: list[tuple[str, tuple[str, ...]]] = []
        self._kept: list[Released] = []
        # Bound before a framebuffer is released: moderngl goes back to the one bound last when it makes another.
        self._parked = ctx.simple_framebuffer((1, 1))
        self.square = self.buffer(_SQUARE)

    def keep(self, item: _Kept) -> _Kept:
        """Return ``item``, which is freed when the kit is released."""
        self._kept.append(item)
        return item

    def program(self, name: str, *defines: str) -> moderngl.Program:
        """Compile a program, and remember that it is in use. Raises :class:`ShaderError`."""
        self.compiled.append((name, defines))
        return self.keep(program(self.ctx, name, defines))

    def buffer(self, data: Floats | np.ndarray[Any, Any]) -> moderngl.Buffer:
        """Return a buffer of ``data`` as it is."""
        return self.keep(self.ctx.buffer(data.tobytes()))

    def rows(self, floats: int, count: int) -> moderngl.Buffer:
        """Return a buffer for :func:`fill`, at first of ``count`` rows of so many ``floats``."""
        return self.keep(self.ctx.buffer(reserve=floats * 4 * count, dynamic=True))

    def array(
        self, made: moderngl.Program, contents: Sequence[Any], order: moderngl.Buffer | None = None
    ) -> moderngl.VertexArray:
        """Return how ``made`` reads ``contents``, as :meth:`moderngl.Context.vertex_array` does."""
        return self.keep(self.ctx.vertex_array(made, contents, index_buffer=order))

    def full(self, made: moderngl.Program) -> moderngl.VertexArray:
        """Return what draws the whole picture with ``made``, as a strip."""
        return self.array(made, [(self.square, "2f", "in_corner")])

    def lookup(self, width: int, height: int = 1) -> Lookup:
        """Return a table for shaders to look things up in."""
        return self.keep(Lookup(self.ctx, width, height))

    def plain(self) -> moderngl.Sampler:
        """Return what samples a grain that is not sharpened at a slant.

        Where neighbouring pixels may look far apart, rays or the two sides of a branch, llvmpipe sharpens for long.
        """
        smooth = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return self.keep(self.ctx.sampler(filter=smooth, anisotropy=1.0))

    def park(self) -> None:
        """Bind a framebuffer of no use, so that any other may be released."""
        self._parked.use()

    def release(self) -> None:
        """Free everything made here or kept."""
        self.park()
        for item in reversed(self._kept):
            item.release()
        if self._beside:
            self._beside.park()
        self._parked.release()


class Lookup:
    """A texture of four floats a texel that shaders read by place; it grows with what is written."""

    def __init__(self, ctx: moderngl.Context, width: int, height: int) -> None:
        self._ctx = ctx
        self._texture = self._made(width, height)

    def _made(self, width: int, height: int) -> moderngl.Texture:
        texture = self._ctx.texture((width, height), 4, dtype="f4")
        texture.filter = moderngl.NEAREST, moderngl.NEAREST
        return texture

    def write(self, rows: Floats) -> None:
        """Write lines (n, m, 4) of texels, or one (m, 4), from the first place on."""
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
        """Bind the table where samplers of ``place`` look."""
        self._texture.use(place)

    def release(self) -> None:
        """Free the table."""
        self._texture.release()


def fill(buffer: moderngl.Buffer, rows: Floats) -> None:
    """Write ``rows`` into ``buffer``, made larger if it must be."""
    data = np.ascontiguousarray(rows, dtype="f4").tobytes()
    if len(data) > buffer.size:
        buffer.orphan(2 * len(data))
    if data:
        buffer.write(data)
