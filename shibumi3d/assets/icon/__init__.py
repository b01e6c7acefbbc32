"""The program icon: an SVG file (``shibumi3d.svg``), and PNG files made from it for the window and for desktops."""

from __future__ import annotations

from importlib.resources import files

PNG_SIZES_PX = (16, 24, 32, 48, 64, 128, 256, 512)
"""Sizes of the square PNG files, in pixels."""
WINDOW_SIZES_PX = (32, 128)
"""Sizes of the window's icons, in pixels; the last one is also shown while the program starts."""


def svg_source() -> str:
    """Return the icon as SVG source."""
    return (files(__package__) / "shibumi3d.svg").read_text(encoding="utf-8")


def png_data(size: int) -> bytes:
    """Return the contents of the icon's PNG file for ``size``, which is one of :data:`PNG_SIZES_PX`."""
    return (files(__package__) / f"{size}.png").read_bytes()
