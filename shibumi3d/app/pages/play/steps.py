"""Indicator of the steps in the current turn."""

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
    """Row of beads: finished steps, the current step and, if it must follow, the next step.

    The bead of the current step is paler if that step is optional. Clicking the bead of a finished step undoes the turn
    back to the point before that step.
    """

    STEP = 16

    def __init__(self, screen: Table) -> None:
        super().__init__("beads", _("Steps of this turn: click one to go back to it"))
        self.screen = screen

    @property
    def done(self) -> int:
        """Number of finished steps that have a bead, at most 12."""
        return min(12, int(self.screen.session.view.step))

    @property
    def optional(self) -> bool:
        """Whether the current step may be skipped."""
        return self.screen.session.live and any(
            move.kind in ("done", "pass") for move in self.screen.control.moves
        )

    @property
    def to_come(self) -> int:
        """Number of steps that must follow the current one.

        It is 1 if the current step lifts a marble, since the marble must then be set down. Otherwise it is 0.
        """
        kinds = {move.kind for move in self.screen.control.moves} if self.screen.session.live else set()
        return int(kinds == {"lift"})

    def natural(self) -> float:
        """Return the preferred width, which is 0 once the match is over."""
        beads = self.done + self.to_come
        return 14.0 + self.STEP * beads if self.screen.state.to_move is not None else 0.0

    def bead_at(self, x: float) -> int:
        """Return the index of the finished step whose bead is at ``x``, or -1."""
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
            # Only the last steps of a very long turn have beads, so count from the end.
            self.screen.doing.back_to(self.screen.session.view.step - self.done + number)
