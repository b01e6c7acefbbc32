"""Label next to a point of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ...marbles.controller import Spot
from ...ui.canvas import Canvas
from ...ui.core import Still
from .parts import Table

if TYPE_CHECKING:
    pass


def beside(area: Rect, x: float, y: float, radius: float, wide: float, high: float) -> Rect:
    """Return a rectangle of size ``wide`` × ``high`` beside a marble, inside ``area``.

    The centre of the marble is at (``x``, ``y``). The rectangle is to the right of the marble if there is room,
    otherwise to the left, above or below.
    """
    top = min(max(area.y, y - radius * 0.6 - high), area.bottom - high)
    right, left = x + radius * 0.9 + 6, x - radius * 0.9 - 6 - wide
    if right + wide <= area.right:
        return Rect(right, top, wide, high)
    if left >= area.x:
        return Rect(left, top, wide, high)
    # There is no room to the right or left.
    above, below = y - radius - 6 - high, y + radius + 6
    return Rect(
        max(area.x, min(x - wide / 2, area.right - wide)), above if above >= area.y else below, wide, high
    )


class Tag(Still):
    """Label beside a point with a message about it or, by default, the name of the point.

    If there is no message, the label appears at the point under the pointer.
    """

    def __init__(self, screen: Table) -> None:
        super().__init__()
        self.screen = screen

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen = self.screen
        if screen.doing.note_at is not None:
            self._card(canvas, style, screen.doing.note_at, screen.doing.note, True)
        elif (
            screen.session.live and screen.pointing.active is not None and not screen.stage.busy(screen.now())
        ):
            spot = screen.pointing.active
            name = pyramid(screen.state.size).names[spot.point]
            if len(screen.pointing.overlap) > 1 and screen.pointing.hover == spot:
                number, most = screen.pointing.overlap_at + 1, len(screen.pointing.overlap)
                name = _("{point}  {number}/{most} Tab", point=name, number=number, most=most)
            self._card(canvas, style, spot, name, False)

    def _card(self, canvas: Canvas, style: Style, spot: Spot, text: str, note: bool) -> None:
        screen = self.screen
        x, y = screen.pointing.where(spot)
        radius = screen.pointing.radius(spot)
        lines = canvas.wrap(text, "sans", 14, 300)
        wide = max(canvas.width(line, "sans", 14) for line in lines) + 18
        high = 19 * len(lines) + 9
        box = beside(self.rect.inset(6), x, y, radius, wide, high)
        canvas.shadow(box, style.shadow)
        canvas.rect(box, style.card, 5)
        canvas.frame(box, style.amber if note else style.hairline, 5)
        for number, line in enumerate(lines):
            place = Rect(box.x + 9, box.y + 5 + 19 * number, wide - 12, 19)
            canvas.text_in(place, line, style.amber if note else style.ink, "sans", 14)
