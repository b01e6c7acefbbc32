"""Panel that evaluates a game by having computer players play it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import _, localize, ngettext, percent
from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style
from shibumi3d.search.judge import GAMES, HINTS, Judgement

from ...board.seating import shown_with
from ...ui.button import Button
from ...ui.canvas import Canvas
from .bench import LINE, Bench, share

if TYPE_CHECKING:
    from ...host import Host


class Judge(Bench):
    """Panel with statistics from matches between computer players, and suggestions for the game."""

    def __init__(self, app: Host, button: Button) -> None:
        super().__init__(app, button, "judgement")
        self.verdict: Judgement | None = None
        self.games = GAMES

    def begin(self, entry: Entry) -> None:
        """Start evaluating a game, discarding any earlier results."""
        self.verdict = None
        self.run("shibumi3d.search.judge.judge", entry.game(size=entry.size), shown_with(entry), self.games)

    def stop(self) -> None:
        if self.worker is not None and self.running:
            self.worker.hurry()

    def failing(self, problem: BaseException) -> str:
        return _("Playtest failed: {problem}", problem=problem)

    def told(self, report: Judgement) -> None:
        before, self.verdict = (self.lines(), self.hints()), report
        if [len(part) for part in before] != [len(self.lines()), len(self.hints())]:
            self._named()

    def ended(self, value: Judgement | None) -> None:
        if value is not None:
            self.verdict = value

    # Display

    def lines(self) -> list[tuple[str, str]]:
        """Return the statistics so far as pairs of a label and a value."""
        found = self.verdict
        if found is None:
            return []
        mean, least, most = found.turns
        told_of = [
            (_("Turns per game"), _("{mean} ({least}–{most})", mean=f"{mean:.0f}", least=least, most=most))
        ]
        if len(found.seats) > 1:
            told_of += [
                (_("Seat {n} wins", n=number + 1), share(portion))
                for number, portion in enumerate(found.seats)
            ][:4]
            told_of.append((_("Draws"), percent(found.draws)))
        else:
            told_of.append((_("Solved"), share(found.seats[0])))
        told_of.append((_("Stuck or endless"), percent(found.dead + found.endless)))
        told_of.append((_("Choices per move"), f"{found.choices:.0f}"))
        if found.stronger is not None:
            told_of.append((_("Stronger player wins"), share(found.stronger)))
        return told_of

    def hints(self) -> list[str]:
        """Return translated suggestions for the game.

        If all matches have been played and there is nothing to improve, a sentence says so.
        """
        found = self.verdict
        if found is None:
            return []
        if not found.hints and found.games == found.wanted:
            return [_("No problems found: the game is fair, it ends, and skill matters.")]
        return [localize(HINTS[key]) for key in found.hints]

    def natural(self, canvas: Canvas, wide: float) -> float:
        return LINE * (len(self.lines()) + 1) + self.high(canvas, self.hints(), wide) + 22

    def paint(self, canvas: Canvas, style: Style) -> None:
        area = self.ground(canvas, style)
        found = self.verdict
        head, area = area.cut_top(LINE)
        if self.failed:
            canvas.text_fit(head, self.failed, style.brick, "sans", SMALL)
        elif found is None:
            canvas.text_in(head, _("Starting…"), style.soft, "sans", SMALL)
        else:
            done = ngettext(
                "{n} of {wanted} games", "{n} of {wanted} games", found.games, wanted=found.wanted
            )
            self.head(canvas, style, head, done, found.games / max(1, found.wanted))
        with canvas.clip(self.rect.inset(1)):
            for name, value in self.lines():
                place, area = area.cut_top(LINE)
                wide = canvas.width(value, "bold", SMALL)
                canvas.text_in(
                    Rect(place.x, place.y, place.w - wide - 8, place.h), name, style.soft, "sans", SMALL
                )
                canvas.text_in(place, value, style.ink, "bold", SMALL, 1)
                canvas.rule(place.x, place.bottom - 1, place.w, faded(style.hairline, 0.6))
            _unused, area = area.cut_top(6)
            self.write(canvas, area, self.hints(), style.ink)
