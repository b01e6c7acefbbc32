"""Base class of panels that run a long job for a game in a worker process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.i18n import _
from shibumi3d.scene.pen import Colour
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style
from shibumi3d.search.judge import Portion
from shibumi3d.search.worker import Worker

from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.panel import Panel

if TYPE_CHECKING:
    from ...host import Host

POLL = 0.25
"""Interval between checks of the job's progress, in seconds."""
LINE, ROW = 23.0, 17.0
"""Heights of a line of results and of a line of running text, in logical pixels."""


class Bench(Panel):
    """Panel that shows the progress and results of a job in a worker process.

    While the job is running, ``button`` is labelled "Stop".
    """

    def __init__(self, app: Host, button: Button, name: str) -> None:
        super().__init__("page", "top", name=name)
        self.app = app
        self.button = button
        self._idle = button.label, button.icon
        self.running = False
        self.failed = ""
        self.stale = False
        """Whether the text has changed since the job started."""
        self.worker: Worker | None = None
        self.visible = False

    def run(self, function: str, *args: Any) -> None:
        """Run ``function``, given by its qualified name, in a new process; abandon any running job."""
        self.close()
        self.failed, self.stale = "", False
        self.worker = Worker()
        self.worker.submit(function, *args)
        self.running = self.visible = True
        self.app.later(POLL, self._look)
        self._named()

    def close(self) -> None:
        """End the worker process."""
        self.running = False
        if self.worker is not None:
            self.worker.close()
            self.worker = None
        self._named()

    def told(self, report: Any) -> None:
        """Handle an intermediate result."""
        raise NotImplementedError

    def ended(self, value: Any) -> None:
        """Handle the final result."""
        raise NotImplementedError

    def failing(self, problem: BaseException) -> str:
        """Return the message to show if the job fails with ``problem``."""
        raise NotImplementedError

    def stop(self) -> None:
        """Stop the job early, keeping the results so far."""
        raise NotImplementedError

    def natural(self, canvas: Canvas, wide: float) -> float:
        """Return the preferred height of the panel at width ``wide``."""
        raise NotImplementedError

    def _named(self) -> None:
        label, icon = self._idle
        self.button.label = _("Stop") if self.running else label
        self.button.icon = "pause" if self.running else icon
        if self.parent is not None and self.parent.rect.w:
            self.parent.layout(self.parent.rect)
        self.refresh()

    def _look(self) -> None:
        if self.worker is None or not self.running:
            return
        answer = self.worker.poll()
        if self.worker.report is not None:
            self.told(self.worker.report)
        if answer is None:
            self.refresh()
            self.app.later(POLL, self._look)
            return
        if answer.error is not None:
            self.failed = self.failing(answer.error)
        else:
            self.ended(answer.value)
        self.close()

    def ground(self, canvas: Canvas, style: Style) -> Rect:
        """Draw the panel's background and return the area inside it."""
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        return self.rect.inset(12, 8)

    def head(self, canvas: Canvas, style: Style, place: Rect, done: str, part: float) -> None:
        """Draw the text ``done`` and a progress bar filled to the fraction ``part`` (0 to 1)."""
        wide = canvas.text_in(place, done, style.ink, "bold", SMALL)
        if self.stale:
            room = Rect(place.x + wide + 10, place.y, place.w - wide - 140, place.h)
            canvas.text_in(room, _("for an earlier version"), style.soft, "sans", SMALL)
        bar = Rect(place.right - 120, place.cy - 3, 120, 6)
        canvas.rect(bar, style.sunk, 3)
        canvas.rect(Rect(bar.x, bar.y, bar.w * part, 6), style.action, 3)

    def high(self, canvas: Canvas, sentences: Sequence[str], wide: float) -> float:
        """Return the height that ``sentences`` need in a panel of width ``wide``."""
        return ROW * sum(len(canvas.wrap(each, "sans", SMALL, wide - 24)) for each in sentences)

    def write(self, canvas: Canvas, area: Rect, sentences: Sequence[str], ink: Colour) -> None:
        """Draw ``sentences`` one below the other, wrapped to the width of ``area``."""
        for sentence in sentences:
            for row in canvas.wrap(sentence, "sans", SMALL, area.w):
                place, area = area.cut_top(ROW)
                canvas.text_in(place, row, ink, "sans", SMALL)


def share(portion: Portion) -> str:
    """Format a fraction as a percentage with its confidence interval."""
    return _(
        "{part}% ({least}–{most}%)",
        part=round(100 * portion.part),
        least=round(100 * portion.least),
        most=round(100 * portion.most),
    )
