"""Faster expansion of glyph bitmaps for pyglet's glyph textures."""

from __future__ import annotations

from functools import cache
from typing import Any


def widened(grey: bytes) -> bytes:
    """Return white RGBA pixels whose alpha values are the bytes of ``grey``."""
    wide = bytearray(b"\xff") * (4 * len(grey))
    wide[3::4] = grey
    return bytes(wide)


@cache
def quickened(kind: Any) -> Any:
    """Return a subclass of a pyglet glyph renderer that expands bitmaps without a slow loop.

    Pyglet spends half of the time needed for a glyph in a loop over all bytes. A renderer without this loop is returned
    unchanged.
    """
    if not hasattr(kind, "_expand_to_rgba"):
        return kind

    class Quick(kind):  # type: ignore[misc]
        """Glyph renderer that expands all pixels of a bitmap in one operation."""

        def _expand_to_rgba(self, data: Any, src_format: str, dst_format: str) -> Any:
            if (src_format, dst_format) == ("R", "BGRA"):
                return widened(bytes(data))
            return super()._expand_to_rgba(data, src_format, dst_format)

    return Quick
