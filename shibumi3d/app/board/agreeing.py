"""Card on which all players must agree before the analysis is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, Style

from ..ui import icons
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.panel import Card

HIGH = 40.0
"""Height of each player's line, in logical pixels."""


class Agreeing(Card):
    """Card with an Agree button for each human player.

    Once all buttons are pressed, the card closes and calls ``then``.
    """

    def __init__(self, names: Sequence[str], persons: Sequence[int], then: Callable[[], None]) -> None:
        """Create a button for each of ``persons``, the seats that must agree."""
        super().__init__(_("Analysis"))
        self.names, self.persons, self.then = names, persons, then
        self.seats = [
            Button(_("Agree"), partial(self._agree, number), name=f"agree {seat + 1}")
            for number, seat in enumerate(self.persons)
        ]
        self.add(*self.seats)

    def place(self, window: Rect) -> Rect:
        """Return the card's rectangle, in the middle of the window."""
        return window.centred(min(440.0, window.w - 24), min(104 + HIGH * len(self.seats), window.h - 24))

    def _agree(self, number: int) -> None:
        self.seats[number].on = not self.seats[number].on
        if all(button.on for button in self.seats) and self.root is not None:
            self.root.close()
            self.then()
        self.refresh()

    def _lines(self) -> list[Rect]:
        top = self.rect.y + 92
        return [Rect(self.rect.x + 24, top + HIGH * n, self.rect.w - 48, 34) for n in range(len(self.seats))]

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for button, line in zip(self.seats, self._lines(), strict=True):
            button.layout(line.cut_right(120)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        place = Rect(self.rect.x + 24, self.rect.y + 54, self.rect.w - 48, 30)
        canvas.text_fit(
            place, _("The analysis is shown to everyone once all agree."), style.soft, "sans", BODY
        )
        for seat, line in zip(self.persons, self._lines(), strict=True):
            icons.sign(canvas, seat, line.x + 8, line.cy, style.action, 7)
            space = Rect(line.x + 26, line.y, line.w - 150, line.h)
            canvas.text_fit(space, self.names[seat], style.ink, "bold", BODY)
