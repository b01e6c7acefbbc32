"""Cards of the seats, at tables other than marbles."""

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
"""Heights, in logical pixels.

In this order: the line with the name on a card, each further line, a card with only one line, and a folded card.
"""
SHORT, NAMED = 34.0, 74.0
"""Minimum widths of a folded card without and with a name, in logical pixels."""
WIDE, NARROW, LEAST = 196.0, 560.0, 118.0
"""Widths, in logical pixels.

In this order: the maximum for the column of cards, the table width below which the cards are placed in rows above the
table, and the minimum for a card with only one line.
"""
GAP, TIGHT = 8.0, 2.0
"""Preferred and minimum distance between cards, in logical pixels."""


class Seated(Table, Protocol):
    """Interface of a table page with seats and clocks."""

    timing: Timing


class SeatList(Widget):
    """Cards of all seats, each with sign, name, score, and a line supplied by the rules.

    Text that doesn't fit on a card is shown in the status line while the pointer is on the card.
    """

    def __init__(self, page: Seated) -> None:
        super().__init__("seats")
        self.page = page
        self.places: list[Rect] = []
        self.lined = False
        """Whether each card has only one line."""
        self.folded = False
        """Whether that line is reduced to the sign, the score, and a name cut to fit."""

    def seat_at(self, x: float, y: float) -> int:
        """Return the seat whose card is at (``x``, ``y``), or -1."""
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
        """Return the full text about a seat, for the status line."""
        parts = [self.page.names[seat], self._score(seat), self.page.timing.line(seat), *self.lines(seat)]
        parts += self._hints(seat)
        return " · ".join(filter(None, parts))

    def voice(self) -> str:
        """Return the text of all cards for screen readers, saying what each number counts."""
        page, told = self.page, []
        for seat in self._seats():
            own = owned(page.match.game, page.session.view, seat, page.names)
            told.append(" · ".join(filter(None, (own, page.timing.line(seat), *self._hints(seat)))))
        return ". ".join(told)

    def _score(self, seat: int) -> str:
        """Return the text of a seat's score; in a series, it includes the total score."""
        return score_of(self.page.session.state, self.page.session.facts, seat)

    def lines(self, seat: int) -> list[str]:
        """Return the lines below the name and the score of a seat."""
        own = self.page.match.game.own_line(self.page.session.view, seat, language())
        return [own] if own else []

    def _hints(self, seat: int) -> list[str]:
        hints = self.page.advice.hints[seat]
        return [ngettext("{n} hint", "{n} hints", hints)] if hints else []

    def _seats(self) -> range:
        return range(len(self.page.names))

    def lay(self, table: Rect, canvas: Canvas, clear: Callable[[Rect], bool]) -> Rect:
        """Lay out the cards beside ``table``, or in rows above it if it is narrow.

        Try full cards first, then cards with one line, then folded cards, until they fit and ``clear`` returns True for
        the area that they cover. Return that area.
        """
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
            # If there are many seats, flatten all cards rather than leave out the last ones.
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
        """Return the height of each row if there are ``across`` cards in a row."""
        lines = [0 if self.lined else len(self.lines(seat)) for seat in self._seats()]
        most = [max(lines[first : first + across]) for first in range(0, len(lines), across)]
        if self.folded:
            return [FOLDED] * len(most)
        return [LINED if self.lined else HEAD + LINE * many + (6 if many else 0) for many in most]

    def _natural(self, seat: int, canvas: Canvas) -> float:
        """Return the minimum width at which nothing on a card is truncated."""
        texts = [canvas.width(text, "sans", SMALL) + 24 for text in self.lines(seat)]
        return max([canvas.width(self.page.names[seat], "bold", BODY) + 80, *texts])

    def paint(self, canvas: Canvas, style: Style) -> None:
        page = self.page
        state = page.session.state
        asked = set(state.ask.seats) if state.ask is not None else set()
        if state.ask is not None and state.ask.sight == "hidden":
            # Don't reveal who has already made a hidden choice.
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
