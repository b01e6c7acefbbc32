"""A dialog with a message that must be acknowledged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect

from ..ui.button import Button
from ..ui.core import Key
from ..ui.label import Text

if TYPE_CHECKING:
    from . import Host

from ..ui.panel import Card


class Notice(Card):
    """Dialog with a message and a Continue button."""

    def __init__(self, app: Host, sentence: str) -> None:
        super().__init__("")
        self.app = app
        self.words = Text(sentence, "serif", 17, lines=99)
        self.done = Button(_("Continue"), app.root.close, kind="main", name="go on")
        self.add(self.words, self.done)

    def place(self, window: Rect) -> Rect:
        """Return the dialog's rectangle, in the middle of the window and as high as its message needs.

        If a long message doesn't fit, the font size is reduced.
        """
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        wide = min(480.0, window.w - 24)
        for size in (17, 15, 13):
            self.words.size = size
            high = len(canvas.wrap(self.words.words, "serif", size, wide - 48)) * size * 1.3 + 88
            if high <= window.h - 24:
                break
        self.words.lines = max(2, int((window.h - 112) / (self.words.size * 1.3) + 0.01))
        return window.centred(wide, min(max(high, 150.0), window.h - 24))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 20)
        button, area = area.cut_bottom(32, 8)
        self.done.layout(button.cut_right(96)[0])
        self.words.layout(area)

    def key(self, key: Key) -> bool:
        if key.name == "enter" and self.root is not None:
            self.root.close()
            return True
        return False


def tell(app: Host, sentence: str) -> None:
    """Show a message in a dialog that stays open until it is dismissed."""
    card = Notice(app, sentence)
    app.root.popup(card, card.place, focus=card.done)
