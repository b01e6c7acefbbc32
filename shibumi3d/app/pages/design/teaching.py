"""A game that is written learns by matches against itself, and its strongest opponents use what makes them stronger."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, localize, ngettext
from shibumi3d.lab.jobs import GameText
from shibumi3d.lab.learning import MOST, SECONDS, Learned, keep
from shibumi3d.lab.teaching import STORE, LearningStep
from shibumi3d.paths import cache_folder
from shibumi3d.scene.style import Style
from shibumi3d.search.judge import Portion

from ...board.seating import shown_with
from ...ui.button import Button
from ...ui.canvas import Canvas
from .bench import LINE, Bench, percent, share

if TYPE_CHECKING:
    from ...host import Host


class Teacher(Bench):
    """Shows how far a game has got, and keeps what it has learned where that makes the strongest stronger."""

    def __init__(self, app: Host, button: Button) -> None:
        super().__init__(app, button, "lesson")
        self.reached: LearningStep | None = None
        self.outcome = ""
        """What came of it."""
        self.seconds, self.most = SECONDS, MOST
        self._library = Path()

    def begin(self, entry: Entry) -> None:
        """Lets a game learn. What was done before is not done again."""
        self.reached, self.outcome, self._library = None, "", Path(entry.library)
        table = GameText.of(entry, seats=shown_with(entry), size=entry.size)
        self.run("shibumi3d.lab.teaching.teach", table, cache_folder() / STORE, self.seconds, self.most)

    def stop(self) -> None:
        self.outcome = _("Stopped. It goes on from there the next time.")
        self.close()

    def failing(self, problem: BaseException) -> str:
        return _("Learning failed: {problem}", problem=problem)

    def told(self, report: LearningStep) -> None:
        self.reached = report

    def ended(self, value: Learned) -> None:
        try:
            path = keep(value, self._library)
        except OSError as problem:
            self.failed = _("That place can't be written: {problem}.", problem=problem)
            return
        if value.reason is not None:
            self.outcome = _("It can't learn: {reason}.", reason=localize(value.reason))
            return
        assert value.duel is not None
        told_share = share(Portion(value.duel.share, *value.duel.interval))
        if path is None:
            self.outcome = ngettext(
                "{share} of {n} game against the sky that knows nothing: not surely better, so "
                "nothing is kept.",
                "{share} of {n} games against the sky that knows nothing: not surely better, so "
                "nothing is kept.",
                value.duel.games,
                share=told_share,
            )
        else:
            self.outcome = ngettext(
                "It has learned: {share} of {n} game against the sky that knows nothing. From "
                "now on the sky plays by it.",
                "It has learned: {share} of {n} games against the sky that knows nothing. From "
                "now on the sky plays by it.",
                value.duel.games,
                share=told_share,
            )

    def progress(self) -> tuple[str, float]:
        """How far it is, in words and as a part of what it does now."""
        at = self.reached
        if at is None:
            return _("It begins to play against itself…"), 0.0
        part = at.done / max(1, at.wanted)
        if at.step == "lesson":
            return _("Lesson {number} of {wanted}", number=at.done + 1, wanted=at.wanted), part
        if at.step == "way":
            return ngettext(
                "Two ways of judging: {n} of {wanted} games",
                "Two ways of judging: {n} of {wanted} games",
                at.done,
                wanted=at.wanted,
            ), part
        if at.share is None:
            return ngettext(
                "Test: {n} of at most {wanted} games",
                "Test: {n} of at most {wanted} games",
                at.done,
                wanted=at.wanted,
            ), part
        return ngettext(
            "Test: {n} of at most {wanted} games, {share}",
            "Test: {n} of at most {wanted} games, {share}",
            at.done,
            wanted=at.wanted,
            share=percent(at.share),
        ), part

    def words(self) -> list[str]:
        """The sentences below how far it is."""
        return [self.failed or self.outcome or _("Stopped, it goes on from there the next time.")]

    def natural(self, canvas: Canvas, wide: float) -> float:
        return (LINE if self.running else 0.0) + self.high(canvas, self.words(), wide) + 22

    def paint(self, canvas: Canvas, style: Style) -> None:
        area = self.ground(canvas, style)
        if self.running:
            head, area = area.cut_top(LINE)
            self.head(canvas, style, head, *self.progress())
        with canvas.clip(self.rect.inset(1)):
            self.write(canvas, area, self.words(), style.brick if self.failed else style.ink)
