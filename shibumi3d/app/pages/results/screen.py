"""Page of results: finished matches by game, with statistics for each opponent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.app.wording import titled
from shibumi3d.i18n import _, ngettext
from shibumi3d.match.results import Finished, career
from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, HEADING, RADIUS, SMALL, Style
from shibumi3d.search.levels import PERSON, kind_of

from ...board.counted import Counted
from ...board.posed_words import lasted
from ...board.seating import title_of
from ...host.page import Page
from ...host.screen import TITLED
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.core import Key
from ...ui.label import Text
from ...ui.listing import Listing

if TYPE_CHECKING:
    from ...host import Host

NARROW = 860
"""Window width below which the details are shown below the list, in logical pixels."""
HIGH, LINE = 56.0, 30.0
"""Height of a game in the list, and of a line of the details, in logical pixels."""
TOP, LISTED, BESIDES = 56.0, 140.0, 220.0
"""Heights in one column, in logical pixels: title bar, list, and all other parts together."""
MOST = 24
"""Maximum number of detail lines that the minimum height of the page allows for, in one column."""


def opponent(name: str) -> str:
    """Return the displayed name of an opponent; levels of computer players are translated."""
    return name if kind_of(name) == PERSON else title_of(name)


class ResultsPage(Page):
    """List of games with finished matches, most recent first, and statistics of the selected game."""

    title = "results"
    columned = True

    def __init__(self, app: Host) -> None:
        super().__init__(app)
        self.back = Button(_("Games"), app.pages.home, icon="back", kind="quiet", name="back")
        self.list = Listing(HIGH, self._paint_row, self._choose, name="results")
        self.none = Text(
            _("No finished games yet. Games between computers don't count."),
            "italic",
            17,
            "soft",
            0.5,
        )
        self.kept = Choice(
            [_("don't save"), _("save")],
            int(app.settings.results),
            lambda number: app.change(results=bool(number)),
            name="keep results",
        )
        self.forget = Button(_("Delete all statistics"), self._forget, kind="quiet", name="forget")
        self.asked = False
        """Whether the user is being asked to confirm that all statistics are deleted."""
        self.add(self.back, self.list, self.none, self.kept, self.forget)
        self.games: list[tuple[str, list[Finished]]] = []
        self.counted = Counted()
        self.chosen = 0
        self._read()

    def _read(self) -> None:
        """Read the results and group them by game, most recently played game first."""
        by_game: dict[str, list[Finished]] = {}
        for match in self.app.results.matches():
            if match.me >= 0:
                entry = self.app.catalogue.find(match.game)
                lost = self.counted.lost(entry, match.winners, len(match.names))
                by_game.setdefault(match.game, []).append(replace(match, lost=lost))
        self.games = sorted(by_game.items(), key=lambda item: item[1][-1].ended, reverse=True)
        self.chosen = min(self.chosen, max(0, len(self.games) - 1))
        self.list.fill(len(self.games), self.chosen if self.games else -1)
        self.none.visible = not self.games
        self.forget.enabled = bool(self.games) or bool(self.app.results.problems.tries())
        self.refresh()

    def _choose(self, row: int) -> None:
        self.chosen = row
        self._calm()
        if self.narrow:
            self.app.stage.refit()

    def _forget(self) -> None:
        if not self.asked:
            self.asked = True
            self.forget.label = _("Delete permanently")
            self.layout(self.rect)
            self.refresh()
            return
        self._calm()
        self.app.results.forget()
        self._read()

    def _calm(self) -> None:
        """Dismiss the question whether to delete all statistics."""
        if self.asked:
            self.asked = False
            self.forget.label = _("Delete all statistics")
            self.layout(self.rect)
        self.refresh()

    def name_of(self, game: str) -> str:
        """Return the title of a game, or its ID if it is no longer in the catalogue."""
        entry = self.app.catalogue.find(game)
        return titled(entry) if entry else game

    def lines(self) -> list[tuple[str, str]]:
        """Return the statistics of the selected game, as pairs of a label and a value."""
        if not self.games:
            return []
        _unused, matches = self.games[self.chosen]
        found = career(matches)
        alone = len(matches[-1].names) == 1
        told = [(_("played"), str(found.played))]
        # A solo game played for a score can't be won, and a long match isn't worse than a short one, so omit those
        # statistics.
        more = alone and self.counted.of(self.app.catalogue.find(self.games[self.chosen][0])) != ""
        if not more:
            told.append(((_("solved") if alone else _("won")), str(found.won)))
        if found.hinted:
            told.append((_("of which with hints"), str(found.hinted)))
        if found.shown:
            told.append((_("solution shown"), str(found.shown)))
        if not alone:
            told += [(_("drawn"), str(found.drawn)), (_("lost"), str(found.lost))]
        if not more:
            streaks = _("{now} (best: {most})", now=found.streak, most=found.longest)
            told.append(((_("solving streak") if alone else _("winning streak")), streaks))
        if found.fewest is not None and not more:
            told.append(
                (
                    (_("shortest solution") if alone else _("shortest win")),
                    ngettext("{n} turn", "{n} turns", found.fewest),
                )
            )
        if found.quickest is not None and not more:
            told.append(((_("fastest solution") if alone else _("fastest win")), lasted(found.quickest)))
        if found.best is not None and any(any(match.scores) for match in matches):
            told.append((_("best score"), str(found.best)))
        return told

    def against(self) -> list[tuple[str, str]]:
        """Return wins, draws and losses in the selected game, for each group of opponents.

        The most frequent opponents come first.
        """
        by_name: dict[tuple[str, ...], list[Finished]] = {}
        for match in self.games[self.chosen][1] if self.games else ():
            if match.opponents:
                by_name.setdefault(match.opponents, []).append(match)
        rows = []
        for names, matches in sorted(by_name.items(), key=lambda item: -len(item[1])):
            found = career(matches)
            counts = (
                ngettext("{n} won", "{n} won", found.won),
                ngettext("{n} drawn", "{n} drawn", found.drawn),
                ngettext("{n} lost", "{n} lost", found.lost),
            )
            rows.append((", ".join(map(opponent, names)), " · ".join(counts)))
        return rows

    # Layout

    def heading(self) -> str:
        return _("Results")

    def smallest(self, wide: float) -> tuple[float, float]:
        column, high = super().smallest(wide)
        if wide < self.least[0]:
            # Make room for every line of the details and for their title.
            lines = len(self.lines()) + len(self.against()) + 2
            high = max(high, TOP + LISTED + min(MOST, lines + 1) * LINE + BESIDES)
        return column, high

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(TOP)
        self._titled = top
        if self.narrow:
            self._titled, rest = rest.cut_top(TITLED)
        self.back.layout(Rect(top.x + 12, top.cy - 16, 100, 32))
        foot, rest = rest.inset(16, 14).cut_bottom(34, 10)
        wide = self.forget.natural(canvas)
        self.forget.layout(Rect(foot.right - wide, foot.y, wide, 32))
        if self.narrow:
            foot, rest = rest.cut_bottom(34, 10)
        label = canvas.width(_("Results"), "sans", BODY - 1) + 14
        free = foot.w - label - (0 if self.narrow else wide + 16)
        self.kept.layout(Rect(foot.x + label, foot.y, min(260, free), 32))
        if rect.w >= NARROW:
            column, self.details = rest.cut_left(rest.w * 0.46, 20)
        else:
            listed = min(LISTED, max(self.list.height, HIGH)) if self.narrow else rest.h * 0.4
            column, self.details = rest.cut_top(listed, 14)
        self.list.layout(column)
        self.none.layout(rest.cut_top(60)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)
        canvas.rule(self.rect.x, 55, self.rect.w, style.hairline)
        canvas.text_in(self._titled, _("Results"), style.ink, "title", HEADING, 0.5)
        canvas.text_in(Rect(16, self.kept.rect.y, 260, 32), _("Results"), style.soft, "sans", BODY - 1)
        if not self.games:
            return
        box = self.details
        canvas.rect(box, style.card, RADIUS)
        canvas.frame(box, style.hairline, RADIUS)
        area = box.inset(20, 14)
        title, area = area.cut_top(34)
        canvas.text_in(title, self.name_of(self.games[self.chosen][0]), style.ink, "title", HEADING - 2)
        # Place the two lists side by side if they don't fit one below the other.
        lines, others = self.lines(), self.against()
        if others and (len(lines) + len(others) + 2) * LINE > area.h:
            left, right = area.cut_left(area.w / 2 - 10, 20)
            self._paint_lines(canvas, style, left, "", lines)
            self._paint_lines(canvas, style, right, _("Against"), others)
        else:
            rest = self._paint_lines(canvas, style, area, "", lines)
            if others:
                self._paint_lines(canvas, style, rest, _("Against"), others)

    def _paint_lines(
        self, canvas: Canvas, style: Style, area: Rect, heading: str, lines: Sequence[tuple[str, str]]
    ) -> Rect:
        """Draw labels and values line by line; return the remaining part of ``area``.

        Lines that don't fit are left out.
        """
        if heading:
            place, area = area.cut_top(LINE)
            canvas.text_in(place, heading, style.soft, "bold", SMALL)
        for name, value in lines:
            if area.h < LINE:
                break
            place, area = area.cut_top(LINE)
            # If space is short, reserve at most a third of the width for the label, and shrink the value instead.
            least = min(canvas.width(name, "sans", BODY), place.w / 3)
            wide = min(canvas.width(value, "bold", BODY), place.w - least - 10)
            left, right = place.cut_left(place.w - wide)
            canvas.text_fit(Rect(left.x, left.y, left.w - 10, left.h), name, style.soft, "sans", BODY)
            canvas.text_fit(right, value, style.ink, "bold", BODY, 1)
            canvas.rule(place.x, place.bottom - 1, place.w, faded(style.hairline, 0.6))
        return area.cut_top(8)[1]

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        game, matches = self.games[row]
        box = self.list.paint_behind(canvas, style, rect, row, here)
        area = box.inset(14, 4)
        found = career(matches)
        told = _(
            "{played}, {won}",
            played=ngettext("{n} match", "{n} matches", found.played),
            won=ngettext("{n} won", "{n} won", found.won),
        )
        wide = canvas.width(told, "sans", SMALL)
        canvas.text_in(area, told, style.soft, "sans", SMALL, 1)
        canvas.text_fit(
            Rect(area.x, area.y, area.w - wide - 12, area.h), self.name_of(game), style.ink, "title", 18
        )

    def key(self, key: Key) -> bool:
        if key.chord == "escape":
            if self.asked:
                self._calm()
            else:
                self.app.pages.home()
            return True
        return self.list.key(key)

    def trace(self) -> Mapping[str, object]:
        return {"results": {game: len(matches) for game, matches in self.games}, "lines": self.lines()}
