"""The program's own picture: drawn as lines for desktops (``shibumi3d.svg``), and as points for its window."""

from __future__ import annotations

from importlib.resources import files

SIZES = (32, 128)
"""Width and height of the pictures in points."""


def svg() -> str:
    """The picture as SVG."""
    return (files(__package__) / "shibumi3d.svg").read_text(encoding="utf-8")


def png(size: int) -> bytes:
    """The picture as PNG, in one of the :data:`SIZES`."""
    return (files(__package__) / f"{size}.png").read_bytes()
