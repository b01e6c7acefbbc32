"""Instruction strip above the board, with progress beads, a sentence and buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ..ui.button import Button, narrowed, row
from ..ui.canvas import Canvas
from ..ui.panel import Panel
from ..ui.prose import Prose

SIZE = 17
BEAD = 16.0
ROOM = 300.0
"""Minimum width of the text beside additional buttons; with less room, the text goes above them."""
LINE = 38.0
"""Height of each line of buttons below the text."""


class Coach(Panel):
    """Strip that shows one instruction at a time.

    The button that continues calls ``go``, and the button that leaves calls ``stop``. Buttons without a label are
    hidden.
    """

    def __init__(self, go: Callable[[], None], stop: Callable[[], None]) -> None:
        super().__init__("card", "bottom", name="coach")
        self.go = Button("", go, kind="main", name="coach go")
        self.stop = Button("", stop, kind="quiet", name="coach stop")
        self.told = Prose("", SIZE, measure=200)
        """Text of the instruction; its words can be explained like those of the rules."""
        self.told.focusable, self.told.close = False, True
        self.done = self.steps = 0
        self.more: tuple[Button, ...] = ()
        """Buttons placed before the two standard ones."""
        self.stacked = False
        """Whether the buttons go below the text, in as many lines as they need."""
        self.add(self.told, self.go, self.stop)

    def take(self, buttons: Sequence[Button]) -> None:
        """Add buttons before the two standard ones."""
        self.more = tuple(buttons)
        self.add(*buttons)

    @property
    def _buttons(self) -> list[Button]:
        return [button for button in (*self.more, self.stop, self.go) if button.visible]

    @property
    def words(self) -> str:
        """Text of the current instruction."""
        return self.told.words

    def tell(self, words: str, go: str, stop: str, done: int = 0, steps: int = 0) -> None:
        """Set the text, the labels of the two standard buttons, and the progress.

        There are ``steps`` beads, of which ``done`` are filled.
        """
        self.told.say(words)
        self.done, self.steps = done, steps
        self.go.label, self.stop.label = go, stop
        self.go.visible, self.stop.visible = bool(go), bool(stop)
        self.refresh()

    def _room(self, canvas: Canvas, wide: float) -> float:
        """Return the width available to the text, which goes beside the buttons or above them."""
        beside = wide - self._taken(canvas) - 40 - self._beads()
        return max(120.0, beside if self._beside(canvas, wide) else wide - 40 - self._beads())

    def _taken(self, canvas: Canvas) -> float:
        return sum(button.natural(canvas) + 8 for button in self._buttons)

    def _beside(self, canvas: Canvas, wide: float) -> bool:
        """Return whether the text goes beside the buttons.

        This is always true if only the standard buttons are visible.
        """
        room = wide - self._taken(canvas) - 40 - self._beads()
        return room >= ROOM or not any(button.visible for button in self.more)

    def _beads(self) -> float:
        return BEAD * self.steps + 10 if self.steps else 0.0

    def _lines(self, canvas: Canvas, wide: float) -> list[list[Button]]:
        """Break the buttons into lines of at most the given width."""
        lines: list[list[Button]] = []
        free = -1.0
        for button in self._buttons:
            taken = max(32.0, button.natural(canvas))
            if taken > free:
                lines.append([])
                free = wide
            lines[-1].append(button)
            free -= taken + 8
        return lines

    def natural_stacked(self, canvas: Canvas, wide: float) -> float:
        """Return the preferred height at the given width if the buttons go below the text."""
        high = self.told.natural(canvas, wide - 24 - self._beads()) + 18
        return high + LINE * len(self._lines(canvas, wide - 28)) + 4

    def natural(self, canvas: Canvas, wide: float) -> float:
        """Return the preferred height at the given width."""
        if self.stacked:
            return self.natural_stacked(canvas, wide)
        high = self.told.natural(canvas, self._room(canvas, wide) + 16) + 18
        return max(52.0, high) if self._beside(canvas, wide) else high + 38

    def lay(self, rect: Rect, canvas: Canvas) -> None:
        """Lay out the strip within ``rect``."""
        self.layout(rect)
        if self.stacked:
            self._lay_column(rect, canvas)
            return
        upper, beside = rect, self._beside(canvas, rect.w)
        if not beside:
            lower, upper = rect.cut_bottom(42)
            narrowed(self._buttons, canvas, rect.w - 28, gap=8)
        row((rect if beside else lower).inset(14, 0), self._buttons, canvas, gap=8, align=1 if beside else 0)
        wide = self._room(canvas, rect.w) + 16
        high = self.told.natural(canvas, wide)
        top = upper.y + max(0.0, (upper.h - high) / 2)
        self.told.layout(Rect(rect.x + 18 + self._beads(), top, wide, high))

    def _lay_column(self, rect: Rect, canvas: Canvas) -> None:
        lines = self._lines(canvas, rect.w - 28)
        lower, upper = rect.cut_bottom(LINE * len(lines) + 4)
        for number, buttons in enumerate(lines):
            row(Rect(lower.x + 14, lower.y + LINE * number, lower.w - 28, LINE), buttons, canvas, gap=8)
        wide = rect.w - 24 - self._beads()
        high = self.told.natural(canvas, wide)
        self.told.layout(Rect(rect.x + 18 + self._beads(), upper.cy - high / 2, wide, high))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        x, y = self.rect.x + 24, self.told.rect.cy if self.stacked else self.rect.cy
        for number in range(self.steps):
            canvas.disc(x, y, 4.5, style.action if number < self.done else style.hairline)
            x += BEAD
