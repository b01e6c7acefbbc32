"""Tray with the colours that can be placed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style

from ...ui.canvas import Canvas
from ...ui.card import paint_card
from ...ui.core import Key, Widget
from ...ui.marble import marble
from .parts import Table

if TYPE_CHECKING:
    pass


class Tray(Widget):
    """Row of the colours that can be placed; clicking one or pressing its number key selects it."""

    shape = "hand"
    STEP = 62

    def __init__(self, screen: Table) -> None:
        super().__init__("tray")
        self.screen = screen

    def in_hand(self) -> bool:
        """Return whether only one marble can be placed, because it was drawn or chosen earlier."""
        tray = self.screen.control.tray
        return len(tray) == 1 and self.screen.control.source(tray[0]) not in ("", "box", "bag")

    def natural(self) -> float:
        """Return the preferred width."""
        return self.STEP * len(self.screen.control.tray) + 12

    def _field(self, number: int) -> Rect:
        return Rect(self.rect.x + 6 + self.STEP * number, self.rect.y, self.STEP, self.rect.h)

    def left(self, colour: int) -> str:
        """Return the number of marbles of ``colour`` that are left, or "" if it isn't limited."""
        state = self.screen.session.view
        if state.to_move is None:
            return ""
        holders = state.reserves.get(self.screen.control.source(colour), ())
        if not holders:
            return ""
        content = holders[state.to_move if len(holders) > 1 else 0]
        return str(content.get(COLOURS[colour], ""))

    def paint(self, canvas: Canvas, style: Style) -> None:
        paint_card(canvas, style, self.rect)
        here = self.root.pointer if self.hovered and self.root is not None else (-1.0, -1.0)
        for number, colour in enumerate(self.screen.control.tray):
            field = self._field(number)
            on = colour == self.screen.control.colour
            if field.holds(*here) and not on:
                canvas.rect(field.inset(3, 4), style.hover, RADIUS)
            marble(canvas, style, field.cx, field.y + 32, 17, colour)
            if on:
                canvas.ring(field.cx, field.y + 32, 23, style.action, 2.5)
            left = Rect(field.x, field.y + 22, field.w, 20)
            canvas.text_in(left, self.left(colour), style.ink_on(colour), "bold", 14, 0.5)
            label = Rect(field.x, field.y + 58, field.w, 20)
            told = _("in hand")
            if len(self.screen.control.tray) > 1:
                told = _("{number} {colour}", number=number + 1, colour=word(COLOURS[colour], language()))
            canvas.text_in(
                label,
                told,
                style.ink if on else style.soft,
                "bold" if on else "sans",
                SMALL,
                0.5,
            )

    def move(self, x: float, y: float) -> None:
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        for number in range(len(self.screen.control.tray)):
            if self._field(number).holds(x, y):
                self.screen.doing.choose_colour(number)
