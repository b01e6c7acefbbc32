"""Widget for choosing the number of marbles of each colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, Style

from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.icons import draw_marble
from ..ui.widget import Widget

MAX_MARBLES_PER_COLOUR = 16
"""Maximum number of marbles of one colour in a hand."""


class ColourCounts(Widget):
    """Counters for the marbles of each colour, each with − and + buttons.

    ``colours`` are the colours to count, by default the first ``len(counts)`` colours. Each number is at most
    ``max_count``. Changes that would leave the total below ``min_total``, or that ``is_allowed`` rejects, are ignored.
    ``on_change`` is called with the new numbers.
    """

    MIN_COLUMN_WIDTH_PX = 104.0
    """Width that each colour needs, in logical pixels; in less space, labels beside the widget should be left out."""

    def __init__(
        self,
        counts: tuple[int, ...],
        on_change: Callable[[tuple[int, ...]], None],
        *,
        name: str = "",
        min_total: int = 1,
        max_count: int = MAX_MARBLES_PER_COLOUR,
        colours: Sequence[int] = (),
        is_allowed: Callable[[tuple[int, ...]], bool] = lambda counts: True,
    ) -> None:
        super().__init__(name)
        self.counts, self.on_change = counts, on_change
        self.min_total, self.max_count = min_total, max_count
        self.colours, self.is_allowed = tuple(colours) or tuple(range(len(counts))), is_allowed
        for index, colour in enumerate(self.colours):
            for change, icon in ((-1, "minus"), (1, "plus")):
                colour_word = display_name(COLOURS[colour], language())
                tip = (
                    _("Fewer {colour} marbles", colour=colour_word)
                    if change < 0
                    else _("More {colour} marbles", colour=colour_word)
                )
                name = f"{'fewer' if change < 0 else 'more'} {COLOURS[colour]}"
                self.add(
                    Button("", self._make_step(index, change), icon=icon, kind="quiet", name=name, tip=tip)
                )

    def _make_step(self, index: int, change: int) -> Callable[[], None]:
        def step() -> None:
            counts = list(self.counts)
            counts[index] = max(0, min(self.max_count, counts[index] + change))
            if sum(counts) >= self.min_total and self.is_allowed(tuple(counts)):
                self.counts = tuple(counts)
                self.on_change(self.counts)

        return step

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        wide = rect.w / len(self.counts)
        for button_index, button in enumerate(self.children):
            index, more = divmod(button_index, 2)
            button.layout(Rect(rect.x + wide * index + (wide - 32 if more else 0), rect.y + 1, 32, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.recessed, CORNER_RADIUS_PX)
        wide = self.rect.w / len(self.counts)
        for index, (colour, count) in enumerate(zip(self.colours, self.counts, strict=True)):
            middle = self.rect.x + wide * (index + 0.5)
            draw_marble(canvas, style, middle - 9, self.rect.cy, 7, colour)
            canvas.text_in(Rect(middle + 3, self.rect.y, 24, self.rect.h), str(count), style.ink, "bold", 14)
