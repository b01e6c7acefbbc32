"""How one plays without seeing the window: a card over the page, which screen readers tell paragraph by paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect

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
        super().__init__(_("Playing without sight"))
        self.prose = Prose(
            _(
                "Everything can be done with keys, and all of it can be heard. Question mark "
                "lists the keys of a page, Tab goes on from one thing to the next, Enter presses "
                "it, Escape goes back.\n"
                "\n"
                "## With a screen reader\n"
                "\n"
                "The window tells buttons, fields, lists and dialogs by name, in the order of "
                "reading. Boards are told point by point, level by level: “Ab2, white, carries "
                "2” is a marble, “Ab2, empty, ends the turn” a place that may be chosen. "
                "Pressing it chooses it. What happens is announced, each thing once. What you "
                "may not see is not told.\n"
                "\n"
                "Where no reader is served, the title of the window says it: *Settings*, "
                "*Sound*, *Reading aloud*, *in the title*.\n"
                "\n"
                "## Five questions\n"
                "\n"
                "Wherever there is a table five keys ask it, and the answer is read aloud.\n"
                "\n"
                "- **F3**: the last turn.\n"
                "- **F4**: what stands where the cursor is, in its row and column and on its "
                "level; where it is on no point, one level after the other.\n"
                "- **F7**: what is yours, what you are after, what you may still take, your "
                "points.\n"
                "- **F8**: how many choices there are; again: one after the other.\n"
                "- **F9**: whose turn it is, and the clocks.\n"
                "\n"
                "## On the board\n"
                "\n"
                "Tab and the arrow keys go among the points, Enter chooses. Slash types a move. "
                "H is a hint, Ctrl+Z takes back.\n"
                "\n"
                "## In a terminal\n"
                "\n"
                "“shibumi3d play spline --text” plays any game as plain lines; “help” lists the "
                "words."
            ),
            name="playing without sight",
        )
        self.done = Button(_("Close"), app.root.close, kind="quiet", name="close heard")
        self.add(self.prose, self.done)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.done.layout(Rect(rect.right - 96, rect.y + 16, 80, 32))
        self.prose.layout(Rect(rect.x + 24, rect.y + 60, rect.w - 40, rect.h - 72))


def show(app: Host) -> None:
    """Open the card, with its text in focus: it is read aloud, and arrow keys turn it on."""
    card = HeardCard(app)
    app.root.popup(card, middle(*SIZE), card.prose)
