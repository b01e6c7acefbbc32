"""Widget for choosing the number of marbles of each colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, Style

from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.core import Widget
from ..ui.marble import marble

MOST = 16
"""Maximum number of marbles of one colour in a hand."""


class Counts(Widget):
    """Number of marbles of each colour, with − and + buttons beside each marble.

    The total is at least ``least``, and each number is at most ``most``. ``colours`` are the colours to count, by
    default the first ``len(counts)`` colours. Changes that ``allowed`` rejects are ignored. ``changed`` is called with
    the new numbers.
    """

    LEAST = 104.0
    """Minimum width for one colour beside a label, in logical pixels."""

    def __init__(
        self,
        counts: tuple[int, ...],
        changed: Callable[[tuple[int, ...]], None],
        *,
        name: str = "",
        least: int = 1,
        most: int = MOST,
        colours: Sequence[int] = (),
        allowed: Callable[[tuple[int, ...]], bool] = lambda counts: True,
    ) -> None:
        super().__init__(name)
        self.counts, self.changed = counts, changed
        self.least, self.most = least, most
        self.colours, self.allowed = tuple(colours) or tuple(range(len(counts))), allowed
        for place, colour in enumerate(self.colours):
            for by, icon in ((-1, "minus"), (1, "plus")):
                colour_word = word(COLOURS[colour], language())
                tip = (
                    _("fewer {colour}", colour=colour_word)
                    if by < 0
                    else _("more {colour}", colour=colour_word)
                )
                name = f"{'fewer' if by < 0 else 'more'} {COLOURS[colour]}"
                self.add(Button("", self._step(place, by), icon=icon, kind="quiet", name=name, tip=tip))

    def _step(self, place: int, by: int) -> Callable[[], None]:
        def step() -> None:
            counts = list(self.counts)
            counts[place] = max(0, min(self.most, counts[place] + by))
            if sum(counts) >= self.least and self.allowed(tuple(counts)):
                self.counts = tuple(counts)
                self.changed(self.counts)

        return step

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        wide = rect.w / len(self.counts)
        for number, button in enumerate(self.children):
            place, more = divmod(number, 2)
            button.layout(Rect(rect.x + wide * place + (wide - 32 if more else 0), rect.y + 1, 32, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.sunk, RADIUS)
        wide = self.rect.w / len(self.counts)
        for place, (colour, count) in enumerate(zip(self.colours, self.counts, strict=True)):
            middle = self.rect.x + wide * (place + 0.5)
            marble(canvas, style, middle - 9, self.rect.cy, 7, colour)
            canvas.text_in(Rect(middle + 3, self.rect.y, 24, self.rect.h), str(count), style.ink, "bold", 14)
