"""What is told of each seat, and how the match ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text import language, say
from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.core import Still
from ..ui.rect import Rect
from ..ui.style import BODY, RADIUS, SMALL, Style

if TYPE_CHECKING:
    from .screen import TablePlay

HEAD, LINE = 30, 18


class SeatList(Still):
    """A card for each seat: sign, name, score, and what the rules tell of it."""

    def __init__(self, page: TablePlay) -> None:
        super().__init__("seats")
        self.page = page

    def lines(self, seat: int) -> list[str]:
        """What is told of a seat besides its name and score."""
        page = self.page
        own = page.match.game.own_line(page.session.seen(), seat, language())
        hints = page.advice.hints[seat]
        return [*([own] if own else []), *([say("seat.hints", hints)] if hints else [])]

    def heights(self) -> list[float]:
        """How tall each card is."""
        return [
            HEAD + LINE * len(self.lines(seat)) + (6 if self.lines(seat) else 0) for seat in self._seats()
        ]

    def _seats(self) -> range:
        return range(len(self.page.names))

    def places(self, rect: Rect) -> list[Rect]:
        """Where the cards are: one below the other, closer where there is little room."""
        heights = self.heights()
        gap = max(0.0, min(8.0, (rect.h - sum(heights)) / max(1, len(heights))))
        found, y = [], rect.y
        for height in heights:
            found.append(Rect(rect.x, y, rect.w, height))
            y += height + gap
        return found

    def paint(self, canvas: Canvas, style: Style) -> None:
        page = self.page
        state = page.session.state
        asked = set(state.ask.seats) if state.ask is not None else set()
        if state.ask is not None and state.ask.sight == "hidden":
            # Who has answered in secret already is nobody's business.
            asked = set(page.session.seen().ask.seats)
        for seat, box in enumerate(self.places(self.rect)):
            on = seat in asked
            canvas.rect(box, style.card, RADIUS)
            canvas.frame(box, style.action if on else style.hairline, RADIUS, 2 if on else 1)
            icons.sign(canvas, seat, box.x + 16, box.y + 15, style.action if on else style.soft, 7)
            score = str(state.scores[seat]) if page.session.facts.scored or any(state.scores) else ""
            if any(state.totals):
                score = f"{score} · {state.totals[seat]}" if score else str(state.totals[seat])
            right = canvas.width(score, "bold", BODY) + 12 if score else 8
            if time := page.timing.line(seat):
                ink, face = (style.ink, "bold") if on else (style.soft, "sans")
                beside = Rect(box.x + 30, box.y, box.w - 30 - right, HEAD)
                right += canvas.text_in(beside, time, ink, face, BODY, 1) + 8
            head = Rect(box.x + 30, box.y, box.w - 30 - right, HEAD)
            canvas.text_in(head, page.names[seat], style.ink, "bold" if on else "sans", BODY)
            canvas.text_in(Rect(box.x + 30, box.y, box.w - 40, HEAD), score, style.ink, "bold", BODY, 1)
            for number, text in enumerate(self.lines(seat)):
                row = Rect(box.x + 12, box.y + HEAD - 2 + LINE * number, box.w - 20, LINE)
                canvas.text_in(row, text, style.soft, "sans", SMALL)


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
        wide = min(self.rect.w, canvas.width(self.words, "sans", BODY) + 28)
        box = Rect(self.rect.cx - wide / 2, self.rect.y, wide, self.rect.h)
        canvas.rect(box, style.card, RADIUS)
        canvas.frame(box, style.hairline, RADIUS)
        canvas.text_fit(box.inset(12, 2), self.words, style.ink, "sans", BODY, 0.5)
