"""The strip above the board that says what to do: how far one is, a sentence, buttons."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ..ui.button import Button, row
from ..ui.canvas import Canvas
from ..ui.panel import Panel
from ..ui.prose import Prose

SIZE = 17
BEAD = 16.0


class Coach(Panel):
    """Says one thing at a time. ``go`` leads on, ``stop`` leaves; a button without a label is not there."""

    def __init__(self, go: Callable[[], None], stop: Callable[[], None]) -> None:
        super().__init__("card", "bottom", name="coach")
        self.go = Button("", go, kind="main", name="coach go")
        self.stop = Button("", stop, kind="quiet", name="coach stop")
        self.told = Prose("", SIZE, measure=200)
        """What it says; its words explain themselves like those of the rules."""
        self.told.focusable, self.told.close = False, True
        self.done = self.steps = 0
        self.add(self.told, self.go, self.stop)

    @property
    def words(self) -> str:
        """What it says."""
        return self.told.words

    def tell(self, words: str, go: str, stop: str, done: int = 0, steps: int = 0) -> None:
        """Says something else."""
        self.told.say(words)
        self.done, self.steps = done, steps
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
        return max(52.0, self.told.natural(canvas, self._room(canvas, wide) + 16) + 18)

    def lay(self, rect: Rect, canvas: Canvas) -> None:
        """Takes its place."""
        self.layout(rect)
        row(rect.inset(14, 0), [self.stop, self.go], canvas, gap=8, align=1)
        wide = self._room(canvas, rect.w) + 16
        high = self.told.natural(canvas, wide)
        top = rect.y + max(0.0, (rect.h - high) / 2)
        self.told.layout(Rect(rect.x + 18 + self._beads(), top, wide, high))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        x = self.rect.x + 24
        for number in range(self.steps):
            canvas.disc(x, self.rect.cy, 4.5, style.action if number < self.done else style.hairline)
            x += BEAD
