"""The steps of a turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.scene.style import Style

from ...ui.canvas import Canvas
from ...ui.core import Key, Widget
from .parts import Table

if TYPE_CHECKING:
    pass


class StepIndicator(Widget):
    """The steps of the turn: those done, the one to be done now, and one that is sure to come.

    The one now is paler when it may be left out. A click on a bead goes back to before it.
    """

    STEP = 16

    def __init__(self, screen: Table) -> None:
        super().__init__("beads", _("Steps of this turn: click one to go back to it"))
        self.screen = screen

    @property
    def done(self) -> int:
        """How many beads are shown as done."""
        return min(12, int(self.screen.session.view.step))

    @property
    def optional(self) -> bool:
        """Whether the step to be done now may be left out."""
        return self.screen.session.live and any(
            move.kind in ("done", "pass") for move in self.screen.control.moves
        )

    @property
    def to_come(self) -> int:
        """How many steps are sure to follow: a marble that is lifted has to be set down."""
        kinds = {move.kind for move in self.screen.control.moves} if self.screen.session.live else set()
        return int(kinds == {"lift"})

    def natural(self) -> float:
        """Its width."""
        beads = self.done + self.to_come
        return 14.0 + self.STEP * beads if self.screen.state.to_move is not None else 0.0

    def bead_at(self, x: float) -> int:
        """The step done whose bead is under ``x``, or -1."""
        number = int((x - self.rect.x) // self.STEP)
        return number if 0 <= number < self.done else -1

    def paint(self, canvas: Canvas, style: Style) -> None:
        if self.screen.state.to_move is None:
            return
        x = self.rect.x + 7
        here = self.bead_at(self.root.pointer[0]) if self.hovered and self.root is not None else -1
        for number in range(self.done):
            canvas.disc(x, self.rect.cy, 6 if number == here else 5, style.action)
            x += self.STEP
        if self.optional:
            canvas.ring(x, self.rect.cy, 6, style.faint, 1)
        else:
            canvas.ring(x, self.rect.cy, 6, style.action, 2)
        for number in range(self.to_come):
            canvas.ring(x + self.STEP * (number + 1), self.rect.cy, 3.5, style.faint, 1)

    def move(self, x: float, y: float) -> None:
        self.shape = "hand" if self.bead_at(x) >= 0 else ""
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        number = self.bead_at(x)
        if number >= 0 and self.rect.holds(x, y):
            # Of a very long turn only the last steps fit: each bead is counted from the end.
            self.screen.doing.back_to(self.screen.session.view.step - self.done + number)
