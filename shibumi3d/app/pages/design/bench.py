"""What is worked out about a game beside its text, in a process of its own, and the button that begins and stops it."""

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
"""Seconds between two looks at how far it is."""
LINE, ROW = 23.0, 17.0
"""The heights of a line, and of a row of a sentence."""


class Bench(Panel):
    """Shows how far it is and what is known so far. Its button says Stop meanwhile."""

    def __init__(self, app: Host, button: Button, name: str) -> None:
        super().__init__("page", "top", name=name)
        self.app = app
        self.button = button
        self._idle = button.label, button.icon
        self.running = False
        self.failed = ""
        self.stale = False
        """Whether the text has changed since."""
        self.worker: Worker | None = None
        self.visible = False

    def run(self, function: str, *args: Any) -> None:
        """Begins a function, in place of what runs."""
        self.close()
        self.failed, self.stale = "", False
        self.worker = Worker()
        self.worker.submit(function, *args)
        self.running = self.visible = True
        self.app.later(POLL, self._look)
        self._named()

    def close(self) -> None:
        """Ends the process."""
        self.running = False
        if self.worker is not None:
            self.worker.close()
            self.worker = None
        self._named()

    def told(self, report: Any) -> None:
        """Takes up what is known before the end."""
        raise NotImplementedError

    def ended(self, value: Any) -> None:
        """Takes up what came of it."""
        raise NotImplementedError

    def failing(self, problem: BaseException) -> str:
        """What went wrong, in words."""
        raise NotImplementedError

    def stop(self) -> None:
        """Lets what is known be all."""
        raise NotImplementedError

    def natural(self, canvas: Canvas, wide: float) -> float:
        """How high it would be."""
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
        """Draws what all of it lies on, and returns the room for it."""
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        return self.rect.inset(12, 8)

    def head(self, canvas: Canvas, style: Style, place: Rect, done: str, part: float) -> None:
        """Draws what is done, in words and as a bar."""
        wide = canvas.text_in(place, done, style.ink, "bold", SMALL)
        if self.stale:
            room = Rect(place.x + wide + 10, place.y, place.w - wide - 140, place.h)
            canvas.text_in(room, _("for an earlier version"), style.soft, "sans", SMALL)
        bar = Rect(place.right - 120, place.cy - 3, 120, 6)
        canvas.rect(bar, style.sunk, 3)
        canvas.rect(Rect(bar.x, bar.y, bar.w * part, 6), style.action, 3)

    def high(self, canvas: Canvas, sentences: Sequence[str], wide: float) -> float:
        """How high sentences are on a bench of that width."""
        return ROW * sum(len(canvas.wrap(each, "sans", SMALL, wide - 24)) for each in sentences)

    def write(self, canvas: Canvas, area: Rect, sentences: Sequence[str], ink: Colour) -> None:
        """Draws sentences one below the other."""
        for sentence in sentences:
            for row in canvas.wrap(sentence, "sans", SMALL, area.w):
                place, area = area.cut_top(ROW)
                canvas.text_in(place, row, ink, "sans", SMALL)


def percent(part: float) -> str:
    """A part of all, in words."""
    return _("{part}%", part=round(100 * part))


def share(portion: Portion) -> str:
    """A part of all, and where it surely lies, in words."""
    return _(
        "{part}% ({least}–{most}%)",
        part=round(100 * portion.part),
        least=round(100 * portion.least),
        most=round(100 * portion.most),
    )
