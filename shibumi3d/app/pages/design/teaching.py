"""Panel for training the strongest computer player of a game by self-play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, localize, ngettext, percent
from shibumi3d.lab.jobs import GameText
from shibumi3d.lab.learning import MOST, SECONDS, Learned, keep
from shibumi3d.lab.teaching import STORE, LearningStep
from shibumi3d.paths import cache_folder
from shibumi3d.scene.style import Style
from shibumi3d.search.judge import Portion

from ...board.seating import shown_with
from ...ui.button import Button
from ...ui.canvas import Canvas
from .bench import LINE, Bench, share

if TYPE_CHECKING:
    from ...host import Host


class Teacher(Bench):
    """Panel that shows the progress of the training.

    The result is saved only if it makes the strongest level stronger.
    """

    def __init__(self, app: Host, button: Button) -> None:
        super().__init__(app, button, "lesson")
        self.reached: LearningStep | None = None
        self.outcome = ""
        """Result of the training, in words; empty until it ends."""
        self.seconds, self.most = SECONDS, MOST
        self._library = Path()

    def begin(self, entry: Entry) -> None:
        """Start the training for a game. Jobs completed earlier are not repeated."""
        self.reached, self.outcome, self._library = None, "", Path(entry.library)
        table = GameText.of(entry, seats=shown_with(entry), size=entry.size)
        self.run("shibumi3d.lab.teaching.teach", table, cache_folder() / STORE, self.seconds, self.most)

    def stop(self) -> None:
        self.outcome = _("Stopped. Training will resume from here next time.")
        self.close()

    def failing(self, problem: BaseException) -> str:
        return _("Training failed: {problem}", problem=problem)

    def told(self, report: LearningStep) -> None:
        self.reached = report

    def ended(self, value: Learned) -> None:
        try:
            path = keep(value, self._library)
        except OSError as problem:
            self.failed = _("Couldn't save the file: {problem}.", problem=problem)
            return
        if value.reason is not None:
            self.outcome = _("This game can't be trained: {reason}.", reason=localize(value.reason))
            return
        assert value.duel is not None
        told_share = share(Portion(value.duel.share, *value.duel.interval))
        if path is None:
            self.outcome = ngettext(
                "Scored {share} in {n} game against untrained Sky: not clearly better, so nothing was saved.",
                "Scored {share} in {n} games against untrained Sky: not clearly better, so nothing was "
                "saved.",
                value.duel.games,
                share=told_share,
            )
        else:
            self.outcome = ngettext(
                "Training done: scored {share} in {n} game against untrained Sky. From now on, Sky uses "
                "what it learned.",
                "Training done: scored {share} in {n} games against untrained Sky. From now on, Sky uses "
                "what it learned.",
                value.duel.games,
                share=told_share,
            )

    def progress(self) -> tuple[str, float]:
        """Return the progress as text, and the completed fraction of the current step."""
        at = self.reached
        if at is None:
            return _("Starting training…"), 0.0
        part = at.done / max(1, at.wanted)
        if at.step == "lesson":
            return _("Training: round {number} of {wanted}", number=at.done + 1, wanted=at.wanted), part
        if at.step == "way":
            return ngettext(
                "Comparing two evaluation methods: {n} of {wanted} games",
                "Comparing two evaluation methods: {n} of {wanted} games",
                at.done,
                wanted=at.wanted,
            ), part
        if at.share is None:
            return ngettext(
                "Test: {n} of up to {wanted} games",
                "Test: {n} of up to {wanted} games",
                at.done,
                wanted=at.wanted,
            ), part
        return ngettext(
            "Test: {n} of up to {wanted} games, score {share}",
            "Test: {n} of up to {wanted} games, score {share}",
            at.done,
            wanted=at.wanted,
            share=percent(at.share),
        ), part

    def words(self) -> list[str]:
        """Return the sentences to show below the progress."""
        return [
            self.failed or self.outcome or _("You can stop at any time; training will resume from there.")
        ]

    def natural(self, canvas: Canvas, wide: float) -> float:
        return (LINE if self.running else 0.0) + self.high(canvas, self.words(), wide) + 22

    def paint(self, canvas: Canvas, style: Style) -> None:
        area = self.ground(canvas, style)
        if self.running:
            head, area = area.cut_top(LINE)
            self.head(canvas, style, head, *self.progress())
        with canvas.clip(self.rect.inset(1)):
            self.write(canvas, area, self.words(), style.brick if self.failed else style.ink)
