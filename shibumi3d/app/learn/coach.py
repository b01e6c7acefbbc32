"""The strip above the board that says what to do: how far one is, a sentence, buttons."""

from __future__ import annotations

from collections.abc import Callable

from ..ui.button import Button, row
from ..ui.canvas import Canvas
from ..ui.panel import Panel
from ..ui.rect import Rect
from ..ui.style import Style

SIZE = 17
LINE = 23.0
BEAD = 16.0


class Coach(Panel):
    """Says one thing at a time. ``go`` leads on, ``stop`` leaves; a button without a label is not there."""

    def __init__(self, go: Callable[[], None], stop: Callable[[], None]) -> None:
        super().__init__("card", "bottom", name="coach")
        self.go = Button("", go, kind="main", name="coach go")
        self.stop = Button("", stop, kind="quiet", name="coach stop")
        self.words = ""
        self.done = self.steps = 0
        self.add(self.go, self.stop)

    def tell(self, words: str, go: str, stop: str, done: int = 0, steps: int = 0) -> None:
        """Says something else."""
        self.words, self.done, self.steps = words, done, steps
        self.go.label, self.stop.label = go, stop
        self.go.visible, self.stop.visible = bool(go), bool(stop)
        self.refresh()

    def _room(self, canvas: Canvas, wide: float) -> float:
        """How wide the words may be beside the buttons."""
        taken = sum(b.natural(canvas) + 8 for b in (self.go, self.stop) if b.visible)
        return max(120.0, wide - taken - 40 - self._beads())

    def _beads(self) -> float:
        return BEAD * self.steps + 10 if self.steps else 0.0

    def natural(self, canvas: Canvas, wide: float) -> float:
        """The height that it asks for in that width."""
        lines = len(canvas.wrap(self.words, "serif", SIZE, self._room(canvas, wide)))
        return max(52.0, lines * LINE + 18)

    def lay(self, rect: Rect, canvas: Canvas) -> None:
        """Takes its place."""
        self.layout(rect)
        row(rect.inset(14, 0), [self.stop, self.go], canvas, gap=8, align=1)

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        x = self.rect.x + 24
        for number in range(self.steps):
            canvas.disc(x, self.rect.cy, 4.5, style.action if number < self.done else style.hairline)
            x += BEAD
        left = self.rect.x + 18 + self._beads()
        lines = canvas.wrap(self.words, "serif", SIZE, self._room(canvas, self.rect.w))
        top = self.rect.cy - LINE * len(lines) / 2
        for number, line in enumerate(lines):
            place = Rect(left, top + LINE * number, self.rect.right - left, LINE)
            canvas.text_in(place, line, style.ink, "serif", SIZE)
