"""What is told of each seat, and how the match ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from shibumi3d.app.wording import owned, score_of
from shibumi3d.i18n import language, ngettext
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, SMALL, Style

from ...board.seat_line import paint_box, paint_line
from ...ui import icons
from ...ui.canvas import Canvas
from ...ui.core import Widget
from .parts import Table

if TYPE_CHECKING:
    from ...board.timing import Timing

HEAD, LINE, LINED, FOLDED = 30.0, 18.0, 26.0, 24.0
"""How high the name stands, each line below it, a card of one line, and one that is little more than a sign."""
SHORT, NAMED = 34.0, 74.0
"""How wide a card with a sign and a number is at least, and one on which a name has room too."""
WIDE, NARROW, LEAST = 196.0, 560.0, 118.0
"""How wide a column of cards is, the table above which they stand instead, and a card of one line."""
GAP, TIGHT = 8.0, 2.0
"""The room between cards, and the least."""


class Seated(Table, Protocol):
    """A table with seats."""

    timing: Timing


class SeatList(Widget):
    """A card for each seat: sign, name, score, and what the rules tell of it. What a card leaves out is told of the one
    pointed at."""

    def __init__(self, page: Seated) -> None:
        super().__init__("seats")
        self.page = page
        self.places: list[Rect] = []
        self.lined = False
        """Whether each card has one line alone."""
        self.folded = False
        """Whether of that line sign and number are left, and as much of the name as there is room for."""

    def seat_at(self, x: float, y: float) -> int:
        """The seat whose card is there, or -1."""
        return next((seat for seat, place in enumerate(self.places) if place.holds(x, y)), -1)

    def at(self, x: float, y: float) -> Widget | None:
        return self if self.visible and self.seat_at(x, y) >= 0 else None

    def move(self, x: float, y: float) -> None:
        seat = self.seat_at(x, y)
        if seat >= 0:
            self.page.telling.say(self.told(seat))

    def leave(self) -> None:
        self.page.pointer.looked()

    def told(self, seat: int) -> str:
        """All that the card of a seat says."""
        parts = [self.page.names[seat], self._score(seat), self.page.timing.line(seat), *self.lines(seat)]
        parts += self._hints(seat)
        return " · ".join(filter(None, parts))

    def voice(self) -> str:
        """Return what the cards tell, with what their numbers count."""
        page, told = self.page, []
        for seat in self._seats():
            own = owned(page.match.game, page.session.view, seat, page.names)
            told.append(" · ".join(filter(None, (own, page.timing.line(seat), *self._hints(seat)))))
        return ". ".join(told)

    def _score(self, seat: int) -> str:
        """The main number of a seat: its score, and that of the whole series."""
        return score_of(self.page.session.state, self.page.session.facts, seat)

    def lines(self, seat: int) -> list[str]:
        """What stands below the name and score of a seat."""
        own = self.page.match.game.own_line(self.page.session.view, seat, language())
        return [own] if own else []

    def _hints(self, seat: int) -> list[str]:
        hints = self.page.advice.hints[seat]
        return [ngettext("{n} hint", "{n} hints", hints)] if hints else []

    def _seats(self) -> range:
        return range(len(self.page.names))

    def lay(self, table: Rect, canvas: Canvas, clear: Callable[[Rect], bool]) -> Rect:
        """Puts the cards in a column beside the table, or in rows above it where it is narrow; of one line each, and at
        last folded to signs, where the table is not ``clear`` beside what they cover. Returns that."""
        for self.lined, self.folded in ((False, False), (True, False), (True, True)):
            covered = self._place(table, canvas)
            if covered.bottom <= table.bottom - 10 and clear(covered):
                break
        self.layout(covered)
        return covered

    def _place(self, table: Rect, canvas: Canvas) -> Rect:
        area, many = table.inset(10, 10), len(self.page.names)
        narrow = table.w < NARROW
        wide = area.w if narrow else min(WIDE, table.w * 0.3)
        least, space, across = SHORT if self.folded else LEAST, 4.0 if self.folded else GAP, 1
        if self.folded and not narrow:
            longest = max(canvas.width(name, "bold", SMALL) for name in self.page.names)
            wide = max(NAMED + 16, min(longest + SHORT + 16, table.w * 0.2))
        if narrow and self.lined:
            across = max(1, min(many, int((wide + space) // (least + space))))
        elif narrow:
            longest = max(self._natural(seat, canvas) for seat in self._seats())
            across = max(1, min(many, int((wide + GAP) // (min(longest, wide) + GAP))))
        rows = -(-many // across)
        across = -(-many // rows)
        heights = self._heights(across)
        if self.folded:
            # Of many seats each is told on a lower card before the last has no room at all.
            heights = [min(FOLDED, (area.h + TIGHT) / len(heights) - TIGHT) for _ in heights]
        gap = max(TIGHT, min(space, (area.h - sum(heights)) / max(1, len(heights) - 1)))
        each = (wide - space * (across - 1)) / across
        if self.folded and narrow:
            each = min(each, 2 * NAMED)
        self.places, y = [], area.y
        for row, height in enumerate(heights):
            for column in range(min(across, many - row * across)):
                self.places.append(Rect(area.x + (each + space) * column, y, each, height))
            y += height + gap
        return Rect(area.x, area.y, wide, y - gap - area.y)

    def _heights(self, across: int) -> list[float]:
        """How tall each row of so many cards is."""
        lines = [0 if self.lined else len(self.lines(seat)) for seat in self._seats()]
        most = [max(lines[first : first + across]) for first in range(0, len(lines), across)]
        if self.folded:
            return [FOLDED] * len(most)
        return [LINED if self.lined else HEAD + LINE * many + (6 if many else 0) for many in most]

    def _natural(self, seat: int, canvas: Canvas) -> float:
        """How wide a card would be with nothing on it cut."""
        texts = [canvas.width(text, "sans", SMALL) + 24 for text in self.lines(seat)]
        return max([canvas.width(self.page.names[seat], "bold", BODY) + 80, *texts])

    def paint(self, canvas: Canvas, style: Style) -> None:
        page = self.page
        state = page.session.state
        asked = set(state.ask.seats) if state.ask is not None else set()
        if state.ask is not None and state.ask.sight == "hidden":
            # Who has answered in secret already is nobody's business.
            asked = set(page.session.view.ask.seats)
        for seat, box in enumerate(self.places):
            on = seat in asked
            paint_box(canvas, style, box, on)
            score = self._score(seat)
            if self.folded:
                self._paint_folded(canvas, style, seat, on, score)
                continue
            time = page.timing.line(seat) if on or not self.lined else ""
            head = Rect(box.x, box.y, box.w, LINED if self.lined else HEAD)
            short = page.timing.short(seat)
            paint_line(
                canvas, style, head, seat, page.names[seat], score, on, time, short, page.advice.hints[seat]
            )
            for number, text in enumerate([] if self.lined else self.lines(seat)):
                row = Rect(box.x + 12, box.y + HEAD - 2 + LINE * number, box.w - 20, LINE)
                canvas.text_fit(row, text, style.soft, "sans", SMALL)

    def _paint_folded(self, canvas: Canvas, style: Style, seat: int, on: bool, score: str) -> None:
        box = self.places[seat]
        icons.sign(canvas, seat, box.x + 11, box.cy, style.action if on else style.soft, 6)
        right = canvas.text_in(box.cut_right(5)[1], score, style.ink, "bold", SMALL, 1) + 9
        name = Rect(box.x + 21, box.y, box.w - 21 - right, box.h)
        if box.w >= NAMED:
            canvas.text_in(name, self.page.names[seat], style.ink, "bold" if on else "sans", SMALL)
