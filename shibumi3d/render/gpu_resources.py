"""Creation and release of the OpenGL resources that render passes need, such as programs and buffers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

import moderngl
import numpy as np

from shibumi3d.render.arrays import Floats
from shibumi3d.render.quality_tiers import Tier
from shibumi3d.render.shaders import compile_program

# Moderngl also takes separate values for colour and alpha, contrary to its annotations.
BLEND_OVER: Any = (
    moderngl.SRC_ALPHA,
    moderngl.ONE_MINUS_SRC_ALPHA,
    moderngl.ONE,
    moderngl.ONE_MINUS_SRC_ALPHA,
)
"""Blend factors for drawing over an image. An opaque image stays opaque."""
BLEND_PREMULTIPLIED = moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA
BLEND_MULTIPLY = moderngl.ZERO, moderngl.SRC_COLOR

_FULL_IMAGE_CORNERS = np.array([-1, -1, 1, -1, -1, 1, 1, 1], dtype="f4")


class Releasable(Protocol):
    """An OpenGL resource that can be released."""

    def release(self) -> Any:
        """Free the resource."""


_ReleasableT = TypeVar("_ReleasableT", bound=Releasable)


class GpuResources:
    """Factory and owner of the OpenGL resources that render passes need.

    It creates them in ``ctx`` for ``tier``, and frees them together in :meth:`release`. ``hdr_defines`` holds the names
    to define in programs that output linear light; it is empty if the tier doesn't use linear light.
    ``compiled_programs`` lists the name and the defines of each program. ``corner_buffer`` is a buffer with the corners
    of the whole image, for a triangle strip. If ``parent`` is given, it is another instance in the same context and
    must be released after this one.
    """

    def __init__(self, ctx: moderngl.Context, tier: Tier, parent: GpuResources | None = None) -> None:
        self.ctx, self.tier, self._parent = ctx, tier, parent
        self.hdr_defines: tuple[str, ...] = ("HDR",) if tier.ray_tracing else ()
        self.compiled_programs: list[tuple[str, tuple[str, ...]]] = []
        self._registered: list[Releasable] = []
        # Bound before a framebuffer is released: when moderngl creates a framebuffer, it rebinds the last one used.
        self._idle_framebuffer = ctx.simple_framebuffer((1, 1))
        self.corner_buffer = self.buffer(_FULL_IMAGE_CORNERS)

    def register(self, item: _ReleasableT) -> _ReleasableT:
        """Register ``item`` to be freed by :meth:`release`, and return it."""
        self._registered.append(item)
        return item

    def compile_program(self, name: str, *defines: str) -> moderngl.Program:
        """Compile program ``name`` with ``defines``, and add both to ``compiled_programs``.

        ``defines`` are names for ``#ifdef``. Raises :class:`.ShaderError` if the program lacks a section or does not
        compile.
        """
        self.compiled_programs.append((name, defines))
        return self.register(compile_program(self.ctx, name, defines))

    def buffer(self, data: Floats | np.ndarray[Any, Any]) -> moderngl.Buffer:
        """Return a buffer that contains ``data``."""
        return self.register(self.ctx.buffer(data.tobytes()))

    def row_buffer(self, floats: int, count: int) -> moderngl.Buffer:
        """Return a dynamic buffer for :func:`write_rows`, with room for ``count`` rows.

        ``floats`` is the number of 32-bit floats in each row.
        """
        return self.register(self.ctx.buffer(reserve=floats * 4 * count, dynamic=True))

    def vertex_array(
        self, program: moderngl.Program, contents: Sequence[Any], index_buffer: moderngl.Buffer | None = None
    ) -> moderngl.VertexArray:
        """Return a vertex array that feeds ``contents`` to ``program``.

        The arguments are those of :meth:`moderngl.Context.vertex_array`.
        """
        return self.register(self.ctx.vertex_array(program, contents, index_buffer=index_buffer))

    def full_image_array(self, program: moderngl.Program) -> moderngl.VertexArray:
        """Return a vertex array with which ``program`` can draw the whole image as a triangle strip."""
        return self.vertex_array(program, [(self.corner_buffer, "2f", "in_corner")])

    def lookup_table(self, width: int, height: int = 1) -> LookupTable:
        """Return a lookup table for shaders, initially with ``width`` x ``height`` texels."""
        return self.register(LookupTable(self.ctx, width, height))

    def isotropic_sampler(self) -> moderngl.Sampler:
        """Return a sampler without anisotropic filtering, for material textures.

        Anisotropic filtering is slow in llvmpipe if neighbouring pixels sample distant places. This happens when rays
        are cast, and when the pixels take different branches in the shader.
        """
        smooth = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        return self.register(self.ctx.sampler(filter=smooth, anisotropy=1.0))

    def bind_idle_framebuffer(self) -> None:
        """Bind an unused framebuffer, so that any other can be released."""
        self._idle_framebuffer.use()

    def release(self) -> None:
        """Free all resources that this object has created or registered."""
        self.bind_idle_framebuffer()
        for item in reversed(self._registered):
            item.release()
        if self._parent:
            self._parent.bind_idle_framebuffer()
        self._idle_framebuffer.release()


class LookupTable:
    """Lookup table for shaders: a texture that has four floats per texel and grows as needed.

    When it grows, its previous content is lost.
    """

    def __init__(self, ctx: moderngl.Context, width: int, height: int) -> None:
        self._ctx = ctx
        self._texture = self._make_texture(width, height)

    def _make_texture(self, width: int, height: int) -> moderngl.Texture:
        texture = self._ctx.texture((width, height), 4, dtype="f4")
        texture.filter = moderngl.NEAREST, moderngl.NEAREST
        return texture

    def write(self, rows: Floats) -> None:
        """Write ``rows`` of texels (n, m, 4), or a single row (m, 4), starting at the first texel.

        If the table is too small, it is enlarged first, and its previous content is lost.
        """
        *high, wide, _ = rows.shape
        height = high[0] if high else 1
        if wide > self._texture.width or height > self._texture.height:
            size = self._texture.size
            self._texture.release()
            self._texture = self._make_texture(
                2 * wide if wide > size[0] else size[0], 2 * height if height > size[1] else size[1]
            )
        self._texture.write(np.ascontiguousarray(rows).tobytes(), viewport=(0, 0, wide, height))

    def use(self, unit: int) -> None:
        """Bind the table to texture unit ``unit``."""
        self._texture.use(unit)

    def release(self) -> None:
        """Free the table."""
        self._texture.release()


def write_rows(buffer: moderngl.Buffer, rows: Floats) -> None:
    """Write ``rows`` to the beginning of ``buffer``, as 32-bit floats.

    If the buffer is too small, it is enlarged, and its previous content is lost.
    """
    data = np.ascontiguousarray(rows, dtype="f4").tobytes()
    if len(data) > buffer.size:
        buffer.orphan(2 * len(data))
    if data:
        buffer.write(data)
