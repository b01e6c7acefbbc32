"""Screen reader help: a card over the page, which can be read paragraph by paragraph."""

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
    """Help on playing with the keyboard and a screen reader, and in a terminal."""

    column = LOW

    def __init__(self, app: Host) -> None:
        super().__init__(_("Screen reader help"))
        self.prose = Prose(
            _(
                "You can do everything with the keyboard, and everything can be read aloud. Press the "
                "question mark key to list a page's shortcuts, Tab to move to the next item, Enter to "
                "activate it, and Escape to go back.\n\n"
                "## With a screen reader\n\n"
                "Buttons, fields, lists and dialogs all have names and come in reading order. Boards are "
                "read point by point, level by level: “Ab2, white, supports 2” is a marble; “Ab2, empty, "
                "ends the turn” is a spot you can choose. Activate it to choose it. Everything that "
                "happens is announced once. What you aren't allowed to see is never read out.\n\n"
                "If your screen reader can't read the window, open *Settings*, *Sound* and turn on "
                "*Announce in the window title*: the title will then say what happens.\n\n"
                "## Five questions\n\n"
                "During any game, five keys ask a question, and the answer is read aloud.\n\n"
                "- **F3**: the last turn.\n"
                "- **F4**: what is at the cursor, in its row and column, and on its level. Without a "
                "cursor, it reads one level after another.\n"
                "- **F7**: what you have, what your goal is, what you can still take, and your points.\n"
                "- **F8**: how many choices you have. Press it again to hear them one by one.\n"
                "- **F9**: whose turn it is, and the clocks.\n\n"
                "## On the board\n\n"
                "Move between points with Tab and the arrow keys, and choose one with Enter. Press slash "
                "to type a move, H for a hint, and Ctrl+Z to undo.\n\n"
                "## In a terminal\n\n"
                "“shibumi3d play spline --text” plays any game as plain text; type “help” for the list "
                "of commands."
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
    """Open the card with its text focused, so that it is read aloud and the arrow keys scroll it."""
    card = HeardCard(app)
    app.root.popup(card, middle(*SIZE), card.prose)
