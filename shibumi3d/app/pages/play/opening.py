"""Card that reveals secret choices and their outcome to everybody at the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, Style

from ...board.handover import PASSED_ON
from ...marbles.reveals import Reveal, SecretChoice
from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.core import Key
from ...ui.marble import marble
from ...ui.panel import Panel
from .parts import Table

if TYPE_CHECKING:
    from collections.abc import Callable


REVEALED = 3.0
"""Seconds for which revealed choices are shown if only computers play."""
HIGH, GAP = 32.0, 6.0
"""Height of the field for a choice, and gap between fields, in logical pixels."""


class Opened(Table, Protocol):
    """Interface of the page that :class:`Opening` uses."""

    bar: Panel


class Opening(Panel):
    """Card with the choice of each seat and a sentence about the outcome.

    Both are hidden until the boxes that contain the choices are open.
    """

    def __init__(self, screen: Opened, reveal: Reveal, closes: Callable[[], None]) -> None:
        super().__init__("card", floating=True, name="opening")
        self.screen, self.reveal, self._closes = screen, reveal, closes
        self.go_on = Button(_("Continue"), self._go_on, kind="main", name="go on")
        self.add(self.go_on)

    @property
    def open(self) -> bool:
        """Whether the boxes are open."""
        return self.screen.session.shut_from is None

    def place(self, window: Rect) -> Rect:
        """Return the rectangle of the card, at the bottom of the window and below the boards."""
        area = self.screen.bar.rect
        wide = min(620.0, area.w - 28)
        high = self._lines(wide)[-1][1].bottom + 8 + 44 + 10
        return Rect(area.cx - wide / 2, window.bottom - high - 8, wide, high)

    def pass_by(self) -> None:
        """Close the card after a while if only computers play, unless they are paused."""
        computers = self.screen.computers
        if not computers.alone:
            return

        def closes() -> None:
            if self.root is None or computers.halted:
                return
            if self.open:
                self.root.close()
            else:
                self.pass_by()

        self.screen.app.later(REVEALED / computers.watching.speed, closes)

    def _lines(self, wide: float) -> list[tuple[SecretChoice, Rect]]:
        """Return each choice with the rectangle of its field, relative to the card's top left corner."""
        canvas, x, y, found = self.screen.app.canvas, 14.0, 14.0, []
        for choice in self.reveal.choices:
            long = 20 + 22 + canvas.width(self.screen.names[choice.seat], "bold", BODY) + 10
            for colour, text in choice.said:
                long += (20 if colour >= 0 else 0) + canvas.width(text, "sans", BODY) + 8
            long = min(long, wide - 28)
            if x + long > wide - 14 and x > 14:
                x, y = 14.0, y + HIGH + GAP
            found.append((choice, Rect(x, y, long, HIGH)))
            x += long + GAP
        return found

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.go_on.layout(Rect(rect.right - 14 - 96, rect.bottom - 10 - 38, 96, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for choice, field in self._lines(self.rect.w):
            self._choice(canvas, style, choice, field.moved(self.rect.x, self.rect.y))
        left = self.rect.x + 16
        place = Rect(left, self.rect.bottom - 10 - 44, self.go_on.rect.x - 12 - left, 44)
        words = self.reveal.sentence if self.open else _("Everyone has chosen.")
        canvas.text_fit(place, words, style.ink if self.open else style.soft, "title", 18)

    def _choice(self, canvas: Canvas, style: Style, choice: SecretChoice, field: Rect) -> None:
        canvas.rect(field, style.sunk, RADIUS)
        icons.sign(canvas, choice.seat, field.x + 16, field.cy, style.action, 7)
        x = field.x + 30
        space = Rect(x, field.y, field.right - x, field.h)
        x += canvas.text_in(space, self.screen.names[choice.seat], style.ink, "bold", BODY) + 10
        for colour, text in choice.said if self.open else ():
            if colour >= 0:
                marble(canvas, style, x + 7, field.cy, 7, colour)
                x += 20
            space = Rect(x, field.y, field.right - x, field.h)
            x += canvas.text_in(space, text, style.ink, "sans", BODY) + 8

    def _hurry(self) -> bool:
        """Open the boxes at once if they are still shut; return whether they were shut."""
        shut = not self.open
        if shut:
            self.screen.stage.finish()
            self.refresh()
        return shut

    def _go_on(self) -> None:
        if not self._hurry() and self.root is not None:
            self.root.close()

    def key(self, key: Key) -> bool:
        if key.name in ("escape", "enter", "space"):
            self._go_on()
        return key.chord not in PASSED_ON

    def outside(self) -> bool:
        return not self._hurry()

    def closed(self) -> None:
        self._closes()
