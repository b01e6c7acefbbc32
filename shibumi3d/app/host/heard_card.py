"""How one plays without seeing the window: a card over the page, which screen readers tell paragraph by paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.scene.rect import Rect

from ..text import say
from ..ui.button import Button
from ..ui.panel import LOW, Card, middle
from ..ui.prose import Prose

if TYPE_CHECKING:
    from . import Host

SIZE = (620, 560)


class HeardCard(Card):
    """Tells of keys, of the five questions and of the terminal."""

    column = LOW

    def __init__(self, app: Host) -> None:
        super().__init__(say("heard.title"))
        self.prose = Prose(say("heard.text"), name="playing without sight")
        self.done = Button(say("keys.close"), app.root.close, kind="quiet", name="close heard")
        self.add(self.prose, self.done)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.done.layout(Rect(rect.right - 96, rect.y + 16, 80, 32))
        self.prose.layout(Rect(rect.x + 24, rect.y + 60, rect.w - 40, rect.h - 72))


def show(app: Host) -> None:
    """Open the card, with its text in focus: it is read aloud, and arrow keys turn it on."""
    card = HeardCard(app)
    app.root.popup(card, middle(*SIZE), card.prose)
