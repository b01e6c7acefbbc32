"""Offer to show the guide, at the first start of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY

from ...ui.button import Button
from ...ui.core import Key
from ...ui.label import Text
from ...ui.panel import Card, middle

if TYPE_CHECKING:
    from ...host import Host


class Offer(Card):
    """Card that asks whether to show the guide."""

    def __init__(self, app: Host) -> None:
        super().__init__(_("New here?"))
        self.app = app
        self.words = Text(
            _(
                "Learn in one minute, on a real board, how to turn the board, place and move marbles, "
                "and undo."
            ),
            "serif",
            17,
            lines=4,
        )
        self.skip = Button(_("Skip  Esc"), app.root.close, kind="quiet", name="skip guide")
        self.show = Button(_("Show me (60 s)"), self._show, kind="main", name="show guide")
        self.add(self.words, self.skip, self.show)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        area = rect.inset(24, 20).cut_top(40)[1]
        buttons, area = area.cut_bottom(32, 8)
        self.words.layout(area)
        show, buttons = buttons.cut_right(self.show.natural(canvas), 8)
        self.show.layout(show)
        self.skip.layout(buttons.cut_right(self.skip.natural(canvas))[0])

    def _show(self) -> None:
        self.app.root.close()
        self.app.pages.guide()

    def key(self, key: Key) -> bool:
        if key.name == "enter":
            self._show()
            return True
        return False


def offer(app: Host) -> None:
    """Offer the guide, and record that it has been offered."""
    card = Offer(app)
    app.root.popup(card, middle(460, 10 * BODY + 40), focus=card.show)
    app.change(guided=True)
