"""The judgement of a game, beside its text: matches between computers are played in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style
from shibumi3d.search.judge import GAMES, HINTS, Judgement, Portion
from shibumi3d.search.worker import Worker

from ...board.seating import shown_with
from ...text import say, told
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.panel import Panel

if TYPE_CHECKING:
    from ...host import Host

POLL = 0.25
"""Seconds between two looks at how far it is."""
LINE = 23.0
HINT = 17.0


class Judge(Panel):
    """Shows what matches between computers have told so far, and stops them."""

    def __init__(self, app: Host, left: Button) -> None:
        super().__init__("page", "top", name="judgement")
        self.app = app
        self.left = left
        """The button that judges: it says Stop meanwhile."""
        self.verdict: Judgement | None = None
        self.running = False
        self.failed = ""
        self.stale = False
        """Whether the text has changed since."""
        self.games = GAMES
        self._worker: Worker | None = None
        self.visible = False

    def begin(self, entry: Entry) -> None:
        """Judges a game, from the first match on."""
        self.close()
        self._worker = Worker()
        self.verdict, self.failed, self.stale = None, "", False
        game = entry.game(size=entry.size)
        self._worker.submit("shibumi3d.search.judge.judge", game, shown_with(entry), self.games)
        self.running = True
        self.app.later(POLL, self._look)
        self.visible = True
        self._named()

    def stop(self) -> None:
        """Lets what is known be all."""
        if self._worker is not None and self.running:
            self._worker.hurry()

    def close(self) -> None:
        """Ends the process."""
        self.running = False
        if self._worker is not None:
            self._worker.close()
            self._worker = None
        self._named()

    def _named(self) -> None:
        self.left.label = say("design.stop" if self.running else "design.judge")
        self.left.icon = "pause" if self.running else "analysis"
        if self.parent is not None and self.parent.rect.w:
            self.parent.layout(self.parent.rect)
        self.refresh()

    def _look(self) -> None:
        if self._worker is None or not self.running:
            return
        answer = self._worker.poll()
        if self._worker.report is not None:
            before, self.verdict = (self.lines(), self.hints()), self._worker.report
            if [len(part) for part in before] != [len(self.lines()), len(self.hints())]:
                self._named()
        if answer is None:
            self.refresh()
            self.app.later(POLL, self._look)
            return
        if answer.error is not None:
            self.failed = say("judge.failed", problem=answer.error)
        elif answer.value is not None:
            self.verdict = answer.value
        self.close()

    # What is shown

    def lines(self) -> list[tuple[str, str]]:
        """What is known: names and values."""
        found = self.verdict
        if found is None:
            return []
        mean, least, most = found.turns
        told_of = [(say("judge.turns"), say("judge.range", mean=f"{mean:.0f}", least=least, most=most))]
        if len(found.seats) > 1:
            told_of += [
                (say("judge.seat", n=number + 1), _share(share)) for number, share in enumerate(found.seats)
            ][:4]
            told_of.append((say("judge.draws"), _percent(found.draws)))
        else:
            told_of.append((say("judge.solved"), _share(found.seats[0])))
        told_of.append((say("judge.dead"), _percent(found.dead + found.endless)))
        told_of.append((say("judge.choices"), f"{found.choices:.0f}"))
        if found.stronger is not None:
            told_of.append((say("judge.stronger"), _share(found.stronger)))
        return told_of

    def hints(self) -> list[str]:
        """What should be changed, in the language in use; that nothing must be, once enough was played."""
        found = self.verdict
        if found is None:
            return []
        if not found.hints and found.games == found.wanted:
            return [say("judge.fine")]
        return [told(HINTS[key]) for key in found.hints]

    def natural(self, canvas: Canvas, wide: float) -> float:
        """How high it would be."""
        rows = sum(len(canvas.wrap(hint, "sans", SMALL, wide - 24)) for hint in self.hints())
        return LINE * (len(self.lines()) + 1) + HINT * rows + 22

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        area = self.rect.inset(12, 8)
        found = self.verdict
        head, area = area.cut_top(LINE)
        if self.failed:
            canvas.text_fit(head, self.failed, style.brick, "sans", SMALL)
        elif found is None:
            canvas.text_in(head, say("judge.begins"), style.soft, "sans", SMALL)
        else:
            done = say("judge.games", found.games, wanted=found.wanted)
            wide = canvas.text_in(head, done, style.ink, "bold", SMALL)
            if self.stale:
                place = Rect(head.x + wide + 10, head.y, head.w - wide - 140, head.h)
                canvas.text_in(place, say("judge.before"), style.soft, "sans", SMALL)
            bar = Rect(head.right - 120, head.cy - 3, 120, 6)
            canvas.rect(bar, style.sunk, 3)
            canvas.rect(Rect(bar.x, bar.y, bar.w * found.games / max(1, found.wanted), 6), style.action, 3)
        with canvas.clip(self.rect.inset(1)):
            for name, value in self.lines():
                place, area = area.cut_top(LINE)
                wide = canvas.width(value, "bold", SMALL)
                canvas.text_in(
                    Rect(place.x, place.y, place.w - wide - 8, place.h), name, style.soft, "sans", SMALL
                )
                canvas.text_in(place, value, style.ink, "bold", SMALL, 1)
                canvas.rule(place.x, place.bottom - 1, place.w, faded(style.hairline, 0.6))
            _, area = area.cut_top(6)
            for hint in self.hints():
                for row in canvas.wrap(hint, "sans", SMALL, area.w):
                    place, area = area.cut_top(HINT)
                    canvas.text_in(place, row, style.ink, "sans", SMALL)


def _percent(part: float) -> str:
    return say("judge.percent", part=round(100 * part))


def _share(share: Portion) -> str:
    return say(
        "judge.share",
        part=round(100 * share.part),
        least=round(100 * share.least),
        most=round(100 * share.most),
    )
