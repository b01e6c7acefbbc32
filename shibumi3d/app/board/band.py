"""Evaluation graph of a replay: who was ahead after each turn, and which turns were mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import TYPE_CHECKING

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style

from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.core import Key, Widget
from .reviewer import Reviewer

if TYPE_CHECKING:
    from .stand import Retold

HIGH = 48.0
"""Height of the graph."""
ROOM = 20.0
"""Fraction of the height that is reserved for the marks of turns."""
NEAR = 12.0
"""Maximum horizontal distance at which the pointer still selects a mark."""
SIGN = 4.0
"""Half the height of a seat's symbol."""
FOOT = 3.0
"""Space below the baseline of the bars if there are three or more seats."""


class Band(Widget):
    """Evaluation graph with a bar for each turn.

    With two seats, a bar points up if the first seat is ahead and down if the second is. With more seats, the height of
    a bar is the evaluation of the leading seat, and the seat's symbol is drawn wherever the lead changes.

    Turns with an annotation are marked above the bars: with a filled square if the evaluations are proved, and with an
    empty square if they are estimates.
    """

    def __init__(self, screen: Retold, review: Reviewer) -> None:
        super().__init__("band")
        self.screen, self.review = screen, review
        self.visible = False

    @property
    def on(self) -> bool:
        """Whether the graph is shown."""
        return self.visible

    @property
    def possible(self) -> bool:
        """Whether the match can be reviewed.

        The match must have several seats, and it must be over, so that nothing is secret any more.
        """
        return self.review.possible

    @property
    def stood(self) -> dict[int, tuple[int, float]]:
        """Evaluations by the number of moves made: a seat, and its value from 0 (loss) to 1 (win).

        Each evaluation is for the seat to move. The entry for the end of the match holds the first winner and an equal
        share of 1 among the winners, or among all seats if there are none.
        """
        history, found = self.screen.history, self.review.found
        if found is None:
            return {}
        stood = {one.at: (one.seat, one.best.value) for one in found.moments if one.best is not None}
        if (result := history[-1].state.result) is not None:
            winners = result.winners or range(len(self.screen.names))
            stood[len(history)] = winners[0], 1.0 / len(winners)
        return stood

    @property
    def shares(self) -> dict[int, float]:
        """Evaluations from the point of view of the first of two seats, by the number of moves made."""
        return {n: share if seat == 0 else 1.0 - share for n, (seat, share) in self.stood.items()}

    def best(self) -> dict[int, tuple[int, float]]:
        """Return the leading seat and its value, by the number of moves made.

        The leader is the seat with the highest value in its latest evaluation. There are no entries until every seat
        has been evaluated. The last entry is the result.
        """
        last: dict[int, float] = {}
        found = {}
        for number, (seat, share) in sorted(self.stood.items()):
            last[seat] = share
            if number == len(self.screen.history):
                found[number] = seat, share
            elif len(last) == len(self.screen.names):
                leader = max(last, key=lambda each: last[each])
                found[number] = leader, last[leader]
        return found

    def toggle(self) -> None:
        """Show the graph and start the review, or hide the graph and stop the review."""
        self.visible = self.possible and not self.visible
        if self.visible:
            self.review.begin()
        else:
            self.review.close()
        self.screen.update()

    # Positions and input

    def x_of(self, number: float) -> float:
        """Return the x coordinate that corresponds to a number of moves made."""
        return self.rect.x + self.rect.w * number / max(1, len(self.screen.history))

    def at_mark(self, x: float) -> int | None:
        """Return the number of moves made up to the end of the turn marked near ``x``, or None."""
        near = min(self.review.marked(), key=lambda one: abs(self.x_of(one.until) - x), default=None)
        return near.until if near is not None and abs(self.x_of(near.until) - x) <= NEAR else None

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button != "left":
            return False
        stop = self.at_mark(x)
        if stop is None:
            stop = round((x - self.rect.x) / max(1.0, self.rect.w) * len(self.screen.history))
        self.screen.go(stop)
        return True

    def move(self, x: float, y: float) -> None:
        self.screen.line.pointed(self.at_mark(x))

    def leave(self) -> None:
        self.screen.line.pointed(None)

    def next_fault(self) -> int | None:
        """Return the number of moves made before the next mistake, or None if there are no mistakes.

        After the last mistake, the search starts again at the first.
        """
        places = [one.at for one in self.review.faults()]
        return next((at for at in places if at > self.screen.at_ply), min(places, default=None))

    # Painting

    def paint(self, canvas: Canvas, style: Style) -> None:
        if not self.screen.history:
            return
        marks, area = self.rect.cut_top(ROOM)
        if len(self.screen.names) == 2:
            self._paint_two(canvas, style, area)
        else:
            self._paint_leaders(canvas, style, area)
        here = self.x_of(self.screen.at_ply)
        canvas.rule(here, area.y, area.h, style.action, upright=True)
        self._paint_marks(canvas, style, marks)

    def _paint_marks(self, canvas: Canvas, style: Style, area: Rect) -> None:
        free = area.x - 20
        for one in self.review.marked():
            x = self.x_of(one.until)
            ink = style.brick if one.loss >= 15 else style.amber if one.loss else style.soft
            box = Rect(x - 3, area.bottom - 7, 6, 6)
            if one.proved:
                canvas.rect(box, ink)
            else:
                canvas.frame(box, ink, 0, 1.5)
            wide = canvas.width(one.mark, "bold", SMALL)
            if x - wide / 2 >= free:
                canvas.text_in(Rect(x - 15, area.y, 30, area.h - 8), one.mark, ink, "bold", SMALL, 0.5)
                free = x + wide / 2 + 2

    def _bars(self, known: Iterable[int]) -> Iterator[tuple[int, float, float]]:
        """Yield the bar of each evaluation: the number of moves made, its left edge and its width.

        A bar is at least 2 pixels wide and ends one pixel before the next bar if there is room. The bar of the result
        takes up the last 2 pixels.
        """
        area, last, numbers = self.rect, len(self.screen.history), sorted(known)
        for number, after in zip(numbers, [*numbers[1:], last][: len(numbers)], strict=True):
            x, end = (area.x + area.w * each / last for each in (number, max(after, number)))
            wide = max(2.0, min(end - x, area.w / last * max(1, after - number)) - 1)
            yield (number, area.right - 2, 2.0) if number == last else (number, x, wide)

    def _paint_two(self, canvas: Canvas, style: Style, area: Rect) -> None:
        shares = self.shares
        canvas.rule(area.x, area.cy, area.w, style.hairline)
        for number, x, wide in self._bars(shares):
            high = (shares[number] - 0.5) * area.h
            if abs(high) >= 0.5:
                colour = style.action if high > 0 else style.amber
                canvas.rect(Rect(x, area.cy - max(high, 0.0), wide, abs(high)), colour)

    def _paint_leaders(self, canvas: Canvas, style: Style, area: Rect) -> None:
        _, area = area.cut_bottom(FOOT)
        canvas.rule(area.x, area.bottom, area.w, style.hairline)
        best, colours = self.best(), cycle((style.action, style.amber))
        leader, colour, free = -1, style.action, area.x
        for number, x, wide in self._bars(best):
            seat, share = best[number]
            changed, leader = seat != leader, seat
            if changed:
                colour = next(colours)
            high = share * area.h
            if high >= 0.5:
                canvas.rect(Rect(x, area.bottom - high, wide, high), colour)
            if changed and x >= free:
                icons.sign(canvas, seat, x + SIGN, area.cy, style.ink, SIGN)
                free = x + 3 * SIGN
