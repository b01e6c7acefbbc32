"""How many marbles of each colour."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.naming import word

from ..text import language, say
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.core import Widget
from ..ui.marble import marble
from ..ui.rect import Rect
from ..ui.style import RADIUS, Style

MOST = 16
"""Marbles of one colour that a hand may be given."""


class Counts(Widget):
    """How many marbles of each colour: − and + beside a marble with its number.

    There are ``least`` in all, and ``most`` of one colour.
    """

    LEAST = 104.0
    """The least width of one colour beside a label."""

    def __init__(
        self,
        counts: tuple[int, ...],
        changed: Callable[[tuple[int, ...]], None],
        *,
        name: str = "",
        least: int = 1,
        most: int = MOST,
    ) -> None:
        super().__init__(name)
        self.counts, self.changed = counts, changed
        self.least, self.most = least, most
        for colour in range(len(counts)):
            for by, icon in ((-1, "minus"), (1, "plus")):
                colour_word = word(COLOURS[colour], language())
                tip = say("form.fewer" if by < 0 else "form.more", colour=colour_word)
                name = f"{'fewer' if by < 0 else 'more'} {COLOURS[colour]}"
                self.add(Button("", self._step(colour, by), icon=icon, kind="quiet", name=name, tip=tip))

    def _step(self, colour: int, by: int) -> Callable[[], None]:
        def step() -> None:
            counts = list(self.counts)
            counts[colour] = max(0, min(self.most, counts[colour] + by))
            if sum(counts) >= self.least:
                self.counts = tuple(counts)
                self.changed(self.counts)

        return step

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        wide = rect.w / len(self.counts)
        for number, button in enumerate(self.children):
            colour, more = divmod(number, 2)
            button.layout(Rect(rect.x + wide * colour + (wide - 32 if more else 0), rect.y + 1, 32, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.sunk, RADIUS)
        wide = self.rect.w / len(self.counts)
        for colour, count in enumerate(self.counts):
            middle = self.rect.x + wide * (colour + 0.5)
            marble(canvas, style, middle - 9, self.rect.cy, 7, colour)
            canvas.text_in(Rect(middle + 3, self.rect.y, 24, self.rect.h), str(count), style.ink, "bold", 14)
