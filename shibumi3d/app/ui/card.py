"""Painting of floating cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.scene.style import RADIUS

if TYPE_CHECKING:
    from shibumi3d.scene.rect import Rect
    from shibumi3d.scene.style import Style

    from .canvas import Canvas


def paint_card(canvas: Canvas, style: Style, box: Rect, radius: float = RADIUS) -> None:
    """Paint a card with a shadow and a border; ``radius`` is in logical pixels."""
    canvas.shadow(box, style.shadow)
    canvas.rect(box, style.card, radius)
    canvas.frame(box, style.hairline, radius)
