"""Glyphs as they are drawn into the texture of the letters."""

from __future__ import annotations

from functools import cache
from typing import Any


def widened(grey: bytes) -> bytes:
    """Return white pixels of four bytes each whose opacity, from 0 to 255, is that of the ``grey`` ones."""
    wide = bytearray(b"\xff") * (4 * len(grey))
    wide[3::4] = grey
    return bytes(wide)


@cache
def quickened(kind: Any) -> Any:
    """Return the class by which pyglet draws the glyphs of a font, without its loop over every byte where it has one:
    that is half of what a glyph costs."""
    if not hasattr(kind, "_expand_to_rgba"):
        return kind

    class Quick(kind):  # type: ignore[misc]
        """Widens all pixels at once."""

        def _expand_to_rgba(self, data: Any, src_format: str, dst_format: str) -> Any:
            if (src_format, dst_format) == ("R", "BGRA"):
                return widened(bytes(data))
            return super()._expand_to_rgba(data, src_format, dst_format)

    return Quick
