"""What is told of each seat, and how the match ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from ...text import language, say
from ...ui import icons
from ...ui.canvas import Canvas
from ...ui.core import Still
from ...ui.rect import Rect
from ...ui.sentence import Sentence
from ...ui.style import BODY, RADIUS, SMALL, Style
from .parts import Table

if TYPE_CHECKING:
    from ...board.timing import Timing
    from .parts import Advising

HEAD, LINE, LINED = 30.0, 18.0, 26.0
"""How high the name stands, each line below it, and a card of one line."""
WIDE, NARROW, LEAST = 196.0, 560.0, 118.0
"""How wide a column of cards is, the table above which they stand instead, and a card of one line."""
MORE = 1.2
"""So many times as long as its line a sentence at the foot may be before it has more room."""
GAP, SHARE = 8.0, 0.4
"""The room between cards, and how much of a narrow table they may take."""


class Seated(Table, Protocol):
    """A table with seats."""

    timing: Timing

    @property
    def advice(self) -> Advising:
        """What helps the person asked."""


class SeatList(Still):
    """A card for each seat: sign, name, score, and what the rules tell of it."""

    def __init__(self, page: Seated) -> None:
        super().__init__("seats")
        self.page = page
        self.places: list[Rect] = []
        self.lined = False
        """Whether each card has one line alone."""

    def lines(self, seat: int) -> list[str]:
        """What is told of a seat besides its name and score."""
        page = self.page
        own = page.match.game.own_line(page.session.seen(), seat, language())
        hints = page.advice.hints[seat]
        return [*([own] if own else []), *([say("seat.hints", hints)] if hints else [])]

    def _seats(self) -> range:
        return range(len(self.page.names))

    def lay(self, table: Rect, canvas: Canvas) -> Rect:
        """Puts the cards in a column beside the table, or in rows above it where it is narrow; of one line each where
        there is little room. Returns what they cover."""
        area, many = table.inset(10, 10), len(self.page.names)
        narrow = table.w < NARROW
        wide = area.w if narrow else min(WIDE, table.w * 0.3)
        across = 1
        if narrow:
            longest = max(self._natural(seat, canvas) for seat in self._seats())
            across = max(1, min(many, int((wide + GAP) // (min(longest, wide) + GAP))))
        rows = -(-many // across)
        across = -(-many // rows)
        self.lined = False
        if sum(self._heights(across)) + 2 * (rows - 1) > area.h * (SHARE if narrow else 1.0):
            self.lined = True
            across = max(across, min(many, int((wide + GAP) // (LEAST + GAP)))) if narrow else 1
            rows = -(-many // across)
        heights = self._heights(across)
        gap = max(2.0, min(GAP, (area.h - sum(heights)) / max(1, len(heights) - 1)))
        each = (wide - GAP * (across - 1)) / across
        self.places, y = [], area.y
        for row, height in enumerate(heights):
            for column in range(min(across, many - row * across)):
                self.places.append(Rect(area.x + (each + GAP) * column, y, each, height))
            y += height + gap
        covered = Rect(area.x, area.y, wide, y - gap - area.y)
        self.layout(covered)
        return covered

    def _heights(self, across: int) -> list[float]:
        """How tall each row of so many cards is."""
        lines = [0 if self.lined else len(self.lines(seat)) for seat in self._seats()]
        most = [max(lines[first : first + across]) for first in range(0, len(lines), across)]
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
            asked = set(page.session.seen().ask.seats)
        for seat, box in enumerate(self.places):
            on = seat in asked
            canvas.rect(box, style.card, RADIUS)
            canvas.frame(box, style.action if on else style.hairline, RADIUS, 2 if on else 1)
            high = LINED if self.lined else HEAD
            icons.sign(canvas, seat, box.x + 16, box.y + high / 2, style.action if on else style.soft, 7)
            score = str(state.scores[seat]) if page.session.facts.scored or any(state.scores) else ""
            if any(state.totals):
                score = f"{score} · {state.totals[seat]}" if score else str(state.totals[seat])
            right = canvas.width(score, "bold", BODY) + 12 if score else 8
            time = page.timing.line(seat)
            if time and (on or not self.lined):
                ink, face = (style.ink, "bold") if on else (style.soft, "sans")
                right += 8
                beside = Rect(box.x + 30, box.y, box.w - 30 - right, high)
                right += canvas.text_in(beside, time, ink, face, BODY, 1) + 8
            head = Rect(box.x + 30, box.y, box.w - 30 - right, high)
            canvas.text_in(head, page.names[seat], style.ink, "bold" if on else "sans", BODY)
            canvas.text_in(Rect(box.x + 30, box.y, box.w - 40, high), score, style.ink, "bold", BODY, 1)
            for number, text in enumerate([] if self.lined else self.lines(seat)):
                row = Rect(box.x + 12, box.y + HEAD - 2 + LINE * number, box.w - 20, LINE)
                canvas.text_fit(row, text, style.soft, "sans", SMALL)


class Headline(Sentence):
    """The sentence at the top, in two lines where one is too short."""

    words = ""

    def say(self, words: str) -> None:
        """Says something else."""
        if words != self.words:
            self.words = words
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.write(canvas, self.rect, self.words, style.ink, "bold", BODY + 1, 0.5)


class Telling(Still):
    """The line at the foot of the table: what the choice pointed at would do, or what stood in the way."""

    def __init__(self) -> None:
        super().__init__("telling")
        self.words = ""

    def say(self, words: str) -> None:
        """Tells something else."""
        if words != self.words:
            self.words = words
            self.refresh()

    def paint(self, canvas: Canvas, style: Style) -> None:
        if not self.words:
            return
        long = canvas.width(self.words, "sans", BODY) + 28
        wide, high = min(self.rect.w, long), self.rect.h
        if long > self.rect.w * MORE:
            # What is told in more than one line grows upwards.
            high += 16.0
        box = Rect(self.rect.cx - wide / 2, self.rect.bottom - high, wide, high)
        canvas.rect(box, style.card, RADIUS)
        canvas.frame(box, style.hairline, RADIUS)
        canvas.text_fit(box.inset(12, 2), self.words, style.ink, "sans", BODY, 0.5)
