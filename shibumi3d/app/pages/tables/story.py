"""Summary of what happened since the viewer's last move, and the current round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import language
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, SMALL, Style

from ...ui.canvas import Canvas
from ...ui.card import paint_card
from ...ui.sentence import Sentence
from .parts import Table

if TYPE_CHECKING:
    from shibumi3d.match.ply import Ply

    from ...board.session import Session

LINE = 19.0
"""Height of a line, in logical pixels."""
LINES = 5
"""Maximum number of lines.

A longer text is set in a smaller font size, and is truncated only if it still doesn't fit.
"""


def since(session: Session) -> Sequence[Ply]:
    """Return the moves shown so far, starting with the viewer's last move.

    The viewer is the only human player or, if there are several, the one to move. If none of them is to move, start
    with the last move by any of them. If there is no such move, return all moves.
    """
    plies = session.match.plies[: session.cursor]
    persons = session.persons
    mine = persons if len(persons) == 1 or session.asked is None else [session.asked]
    last = next((number for number in reversed(range(len(plies))) if plies[number].seat in mine), 0)
    return plies[last:]


class Story(Sentence):
    """Text that shows the current round and, below it, a sentence about what happened."""

    def __init__(self, page: Table) -> None:
        super().__init__("story")
        self.page = page
        self.round = ""
        self.words = ""
        self.floating = False
        """Whether the text floats over the table, on a card."""
        self._plies: list[Ply] = []
        """Moves that the sentence describes."""

    def update(self) -> None:
        """Update the text after the match or the position shown has changed."""
        page, session = self.page, self.page.session
        self.round = page.match.game.round_line(session.view, language())
        self._plies = list(since(session))
        self.words = self._tell()
        self.refresh()

    def _tell(self) -> str:
        page, session = self.page, self.page.session
        events = session.moves_as_seen(self._plies)
        return capital(page.match.game.happened(session.view, events, language(), page.names))

    def natural(self, canvas: Canvas, wide: float) -> float:
        """Return the preferred height at width ``wide``, or 0 if there is no text.

        If the sentence is too long, its earliest moves are left out.
        """
        lines = self._lines(canvas, wide)
        while lines > LINES and len(self._plies) > 1:
            del self._plies[0]
            self.words = self._tell()
            lines = self._lines(canvas, wide)
        many = min(LINES, lines)
        return LINE * (many + bool(self.round)) + (4 if many or self.round else 0)

    @property
    def usual(self) -> float:
        """Height of a summary with two lines of text."""
        return LINE * (2 + bool(self.round)) + 4

    def _lines(self, canvas: Canvas, wide: float) -> int:
        return len(canvas.wrap(self.words, "sans", BODY - 1, wide)) if self.words else 0

    def paint(self, canvas: Canvas, style: Style) -> None:
        rest = self.rect
        if self.floating:
            paint_card(canvas, style, rest)
            rest = rest.inset(8, 6)
        if self.round:
            head, rest = rest.cut_top(LINE)
            canvas.text_in(head, self.round, style.soft, "bold", SMALL)
        if self.words:
            place = Rect(rest.x, rest.y, rest.w, rest.h)
            self.write(canvas, place, self.words, style.ink, "sans", BODY - 1)
