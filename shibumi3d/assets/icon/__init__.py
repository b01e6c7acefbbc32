"""The program icon: an SVG file for desktops (``shibumi3d.svg``), and PNG files for the window."""

from __future__ import annotations

from importlib.resources import files

PNG_SIZES_PX = (32, 128)
"""Sizes of the square PNG files, in pixels."""


def svg_source() -> str:
    """Return the icon as SVG source."""
    return (files(__package__) / "shibumi3d.svg").read_text(encoding="utf-8")


def png_data(size: int) -> bytes:
    """Return the contents of the PNG file of the given size, one of :data:`PNG_SIZES_PX`."""
    return (files(__package__) / f"{size}.png").read_bytes()
