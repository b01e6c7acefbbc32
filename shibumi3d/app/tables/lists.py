"""Lists of the page: what may be chosen, and what was done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.wording import capital

from ..text import language, say
from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.core import Key
from ..ui.listing import Listing
from ..ui.rect import Rect
from ..ui.style import BODY, RADIUS, SMALL, Style

if TYPE_CHECKING:
    from shibumi3d.match.match import Match

    from .screen import TablePlay


def spoken(match: Match, number: int, events: Sequence[Any]) -> str:
    """A move that was made, in words; ``events`` are what is known of what came of it."""
    ply, names = match.plies[number], [seat.name for seat in match.seats]
    before = match.plies[number - 1].state if number else match.first
    text = ply.move.partition(":")[2] if ply.seat != before.to_move else ply.move
    try:
        move = match.game.parse(before, text, ply.seat)
    except IllegalMove:
        return ply.move
    # Where chance decides, what was chosen says little: some kinds tell what came of it.
    line = getattr(match.game, "log_line", None)
    if line is not None:
        return capital(line(before, move, events, language(), names))
    return capital(match.game.say(match.game.view(before, ply.seat), move, language(), names))


class ChoiceList(Listing):
    """A button for each move that is open now, with the number that chooses it; paler those that are closed."""

    def __init__(self, page: TablePlay) -> None:
        super().__init__(34, self._paint_choice, self._take, name="choices")
        self.page = page
        self.moves: Sequence[Any] = ()
        self.shut: Sequence[tuple[str, str]] = ()
        self.labels: list[str] = []
        self.under = -1
        """The row under the pointer."""

    def offer(
        self, moves: Sequence[Any], labels: Sequence[str], shut: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Lists ``moves``, and what is ``shut`` with the reason of each."""
        self.moves, self.shut = moves, shut
        self.labels = [*labels, *[label for label, _ in shut]]
        self.under = -1
        self.offset = 0.0
        self.fill(len(self.labels))

    def reason(self, row: int) -> str:
        """Why what stands in a row can't be chosen; empty where it can."""
        return self.shut[row - len(self.moves)][1] if len(self.moves) <= row < len(self.labels) else ""

    def on_screen(self) -> dict[str, list[int]]:
        """Where the choices in sight are, in window pixels, by what they say."""
        found = {}
        for row, label in enumerate(self.labels):
            place = self.row_rect(row)
            if self.rect.holds(place.cx, place.cy):
                found[label] = self.page.app.pixels(place.cx, place.cy)
        return found

    def _take(self, row: int) -> None:
        if row < len(self.moves):
            self.page.doing.choose(self.moves[row])
        else:
            self.page.app.sounds.tap()
            self.page.remark(self.reason(row))

    def move(self, x: float, y: float) -> None:
        self._point(self.row_at(x, y))

    def leave(self) -> None:
        self._point(-1)

    def _point(self, row: int) -> None:
        if row != self.under:
            self.under = row
            self.page.note = self.reason(row)
            self.page.pointer.looked()

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        row = self.row_at(x, y)
        if self._grip or not self.rect.holds(x, y) or row < 0:
            super().release(x, y, button, key)
            return
        self._take(row)

    def _paint_choice(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        box = rect.inset(4, 2)
        canvas.rect(box, style.card, RADIUS)
        if here or row == self.current:
            canvas.rect(box, style.hover, RADIUS)
        canvas.frame(box, style.action if row == self.current else style.hairline, RADIUS)
        ink = style.ink if row < len(self.moves) else style.faint
        if row < min(9, len(self.moves)):
            canvas.text_in(Rect(box.x + 8, box.y, 14, box.h), str(row + 1), style.soft, "sans", SMALL)
        canvas.text_in(Rect(box.x + 26, box.y, box.w - 34, box.h), self.labels[row], ink, "sans", BODY)


class Log(Listing):
    """What was done, a move a line; a click shows the table as it was after it."""

    def __init__(self, page: TablePlay) -> None:
        super().__init__(26, self._paint_move, lambda row: page.doing.look(row + 1), name="moves")
        self.page = page
        self._told: dict[tuple[int, str], str] = {}
        self._masked: frozenset[int] = frozenset()

    def update(self) -> None:
        """The match is elsewhere."""
        session = self.page.session
        self._masked = session.masked()
        self._told = {key: text for key, text in self._told.items() if key[0] < session.match.cursor - 1}
        self.fill(session.match.cursor, session.cursor - 1)

    def told(self, number: int) -> str:
        """A move in words."""
        if number in self._masked:
            return say("in-secret")
        key = (number, language())
        if key not in self._told:
            match, session = self.page.session.match, self.page.session
            self._told[key] = spoken(match, number, session.known(match.plies[number].events))
        return self._told[key]

    def _paint_move(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        match = self.page.session.match
        ply = match.plies[row]
        if row == self.current:
            canvas.rect(rect.inset(6, 1), style.sunk, RADIUS)
        elif here:
            canvas.rect(rect.inset(6, 1), style.hover, RADIUS)
        if not row or match.plies[row - 1].turn != ply.turn:
            canvas.text_in(
                Rect(rect.x + 8, rect.y, 28, rect.h), str(ply.turn + 1), style.soft, "sans", SMALL, 1
            )
        icons.sign(canvas, ply.seat, rect.x + 50, rect.cy, style.soft, 5)
        face = "italic" if row in self._masked else "sans"
        canvas.text_in(Rect(rect.x + 64, rect.y, rect.w - 76, rect.h), self.told(row), style.ink, face, 14)
