"""The card that shows, to all who play at the screen, what was chosen in secret and what comes of it."""

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
"""Seconds for which what was chosen in secret is seen."""
HIGH, GAP = 32.0, 6.0
"""The height of the field of a choice, and the room between two."""


class Opened(Table, Protocol):
    """A match in which what was secret is opened."""

    bar: Panel


class Opening(Panel):
    """Each seat with its choice, shut until the boxes are open, then also the result in words."""

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
        """At the foot of the window, below the boards."""
        area = self.screen.bar.rect
        wide = min(620.0, area.w - 28)
        high = self._lines(wide)[-1][1].bottom + 8 + 44 + 10
        return Rect(area.cx - wide / 2, window.bottom - high - 8, wide, high)

    def pass_by(self) -> None:
        """Where computers play alone nobody has to go on: it goes after a while, unless that is paused."""
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
        """The fields of the choices, from the top left corner of the card on."""
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
        """What moves is finished first; whether there was anything."""
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
