"""Marbles drawn as flat discs."""

from __future__ import annotations

from shibumi3d.scene.pen import faded, mixed
from shibumi3d.scene.style import DARK, UNKNOWN, Style

from .canvas import Canvas


def marble(
    canvas: Canvas, style: Style, x: float, y: float, radius: float, colour: int, alpha: float = 1.0
) -> None:
    """Draw a marble as a flat disc with an edge that is visible on any background."""
    fill = style.marbles[colour] if 0 <= colour < len(style.marbles) else UNKNOWN
    dark = style.night and sum(fill[:3]) < 0.6
    canvas.disc(x, y, radius, faded(mixed(fill, DARK, 0.7) if dark else fill, alpha))
    if dark:
        # Shading and a reflection distinguish a black marble from an empty place on a dark background.
        canvas.disc(x - 0.34 * radius, y - 0.36 * radius, 0.24 * radius, faded(style.soft, 0.8 * alpha))
    edge = style.soft if style.night or colour == 0 else fill
    canvas.ring(x, y, radius + 0.5, faded(edge, alpha), 1)
