"""Page of problems: daily problems, a streak, "Is there a win?", and the problems of each game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.app.wording import format_date, titled
from shibumi3d.catalogue.problems import games_with_problems, how_many
from shibumi3d.i18n import N_, Plural, Translatable, _, ngettext
from shibumi3d.match.daily import BACK, TIERS, thirds
from shibumi3d.match.tries import FAILED, SOLVED, Try, of_day, share_line, solved
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, HEADING, SMALL, Style

from ...host.courses import Course, Daily, Doubt, OfGame, Streak
from ...host.page import Page
from ...host.problems import heads, of_game
from ...host.screen import TITLED
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.core import Key
from ...ui.label import Text
from ...ui.listing import Listing

if TYPE_CHECKING:
    from ...host import Host

PROBLEMS_TASK_TEXTS: dict[str, Translatable] = {
    "win": Plural("win in {n} turn", "win in {n} turns"),
    "hold": Plural("find the only move", "find the only move"),
    "once": Plural("win at once", "win at once"),
}
PROBLEMS_KIND_TEXTS = {
    "today": N_("Daily problems"),
    "streak": N_("Streak"),
    "doubt": N_("Is there a win?"),
}
PROBLEMS_TIER_TEXTS = {
    "easy": N_("easy"),
    "middling": N_("medium"),
    "hard": N_("hard"),
}

WIDE = 760
"""Minimum window width at which the gap between the two columns is wider, in logical pixels."""
TODAY, STREAK, DOUBT = "today", "streak", "doubt"
LISTED, HIGHEST = 160.0, 640.0
"""Height of the list of categories, and minimum height of the page, if there is only one column."""
BEAD = 17.0
"""Distance between two result signs on a line, in logical pixels."""
KINDS = (TODAY, STREAK, DOUBT)


class Line(NamedTuple):
    """A row in the contents of a category.

    ``came`` holds the results of the row's problems; a problem that hasn't been tried yet has "". ``begin`` returns the
    course that starts when the row is opened.
    """

    words: str
    came: tuple[str, ...]
    begin: Callable[[], Course]


def came_of(one: Try | None) -> str:
    """Return the result of an attempt, or "" if there has been no attempt."""
    return one.came if one is not None else ""


class ProblemsPage(Page):
    """List of categories on the left, and contents of the selected category on the right.

    In a narrow window, the list is above the contents.
    """

    title = "problems"
    columned = True

    def __init__(self, app: Host, chosen: str = TODAY) -> None:
        super().__init__(app)
        self.problems = app.results.problems
        there = {entry.id for entry in app.catalogue}
        self.games = [name for name in games_with_problems() if name in there and how_many(name)]
        self.games.sort(key=lambda name: titled(app.catalogue.get(name)).casefold())
        self.found = {name: self.problems.solved(name) for name in self.games}
        """Number of problems of each game solved without a mistake."""
        self.rows = [*KINDS, *self.games] if heads() else []
        self.chosen = chosen if chosen in self.rows else TODAY
        self.back = Button(_("Games"), app.pages.home, icon="back", kind="quiet", name="back")
        self.list = Listing(40, self._paint_row, self._choose, opened=lambda row: self._begin(), name="kinds")
        self.lines: list[Line] = []
        self.inner = Listing(36, self._paint_line, self._pick, opened=self._open, name="problems")
        self.about = Text("", "serif", 16, "ink", lines=3, name="about")
        self.stands = Text("", "sans", SMALL, "soft", name="stands")
        self.start = Button(_("Solve"), self._begin, kind="main", name="solve")
        self.share = Button(_("Copy result"), self._share, name="share")
        self.none = Text(_("There are no problems here yet."), "italic", 17, "soft", 0.5)
        self.none.visible = not self.rows
        self.add(self.back, self.list, self.start, self.share, self.about, self.stands, self.inner, self.none)
        self.day = self.problems.today()
        """Day whose daily problems are shown."""
        self.fill()

    def day_changed(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Update the contents of the selected category."""
        if not self.rows:
            self.start.visible = self.share.visible = False
            return
        self.list.fill(len(self.rows), self.rows.index(self.chosen))
        filled = {TODAY: self._today, STREAK: self._streak, DOUBT: self._doubt}.get(self.chosen, self._game)
        self.share.visible = False
        filled()
        self.inner.fill(len(self.lines), -1)
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def _today(self) -> None:
        problems = self.problems
        today = self.day = problems.today()
        names, tries = problems.daily(today), problems.tries()
        had = of_day(tries, today, names)
        self.lines = [
            Line(
                _("{tier}: {game}", tier=_(PROBLEMS_TIER_TEXTS[tier]), game=self.game_of(name)),
                (came_of(one),),
                lambda name=name: Daily(problems, today, name),  # type: ignore[misc]  # the default is of this row
            )
            for tier, name, one in zip(TIERS, names, had, strict=False)
        ]
        for back in range(1, BACK):
            day = today - timedelta(back)
            before = of_day(tries, day, problems.daily(day))
            self.lines.append(
                Line(format_date(day), tuple(map(came_of, before)), lambda day=day: Daily(problems, day))  # type: ignore[misc]
            )
        self.about.say(
            _(
                "Three a day – easy, medium and hard – from three different games. They are the same for "
                "everyone, and you don't need to be online."
            )
        )
        chain = problems.chain()
        self.stands.say(ngettext("{n}-day streak", "{n}-day streak", chain) if chain else _("No streak yet"))
        self.share.visible = bool(had) and all(one is not None for one in had)

    def _streak(self) -> None:
        streak = Streak(self.problems)
        self.lines = []
        self.about.say(
            _("Problems get harder and harder until you miss three. You can leave and continue later.")
        )
        begun = bool(streak.had) and not streak.over
        self.stands.say(
            ngettext(
                "{n} solved, {missed} missed",
                "{n} solved, {missed} missed",
                streak.found,
                missed=streak.missed,
            )
            if begun
            else _("New streak")
        )

    def _doubt(self) -> None:
        self.lines = []
        self.about.say(
            _("Half of these positions have a proven win; the other half are proven to have none.")
        )
        self.stands.say("")

    def _game(self) -> None:
        problems, game = self.problems, self.chosen
        found = solved(problems.tries(), game)
        tried = {one.problem for one in problems.tries()}
        self.lines = []
        for tier, part in zip(TIERS, thirds(of_game(game)), strict=True):
            for head in part:
                name = head.name
                came = SOLVED if name in found else FAILED if name in tried else ""
                words = _("{number}. {task}", number=len(self.lines) + 1, task=self.task_of(name))
                self.lines.append(
                    Line(
                        _("{tier}: {game}", tier=_(PROBLEMS_TIER_TEXTS[tier]), game=words),
                        (came,),
                        lambda name=name: OfGame(problems, game, name),  # type: ignore[misc]
                    )
                )
        self.about.say(_("Each problem has exactly one solution, and it is proven."))
        self.stands.say(self._rating(game))

    def _rating(self, game: str = "") -> str:
        found = self.problems.rating(game)
        return _("Rating: {value} ± {give}", value=found.value, give=found.give) if found is not None else ""

    def game_of(self, name: str) -> str:
        """Return the title of a problem's game, or ``name`` itself if there is no such game."""
        entry = self.app.catalogue.find(name.partition("#")[0])
        return titled(entry) if entry is not None else name

    def task_of(self, name: str) -> str:
        """Return a short description of a problem's task, e.g. ``win in 3 turns``."""
        found = self.problems.find(name)
        return _(PROBLEMS_TASK_TEXTS[found.kind], found.n) if found is not None else ""

    # Actions

    def _choose(self, row: int) -> None:
        self.chosen = self.rows[row]
        self.fill()

    def _pick(self, row: int) -> None:
        self.refresh()

    def _open(self, row: int) -> None:
        if 0 <= row < len(self.lines):
            self.app.pages.problem(self.lines[row].begin())

    def _begin(self) -> None:
        """Start or continue the selected row or, if none is selected, the selected category."""
        problems, picked = self.problems, self.inner.current
        if not self.rows:
            return
        if 0 <= picked < len(self.lines):
            self._open(picked)
        elif self.chosen == TODAY:
            self.app.pages.problem(Daily(problems, self.day))
        elif self.chosen == STREAK:
            self.app.pages.problem(Streak(problems))
        elif self.chosen == DOUBT:
            self.app.pages.problem(Doubt(problems))
        else:
            self.app.pages.problem(OfGame(problems, self.chosen))

    def _share(self) -> None:
        today = self.day
        line = share_line(
            format_date(today), of_day(self.problems.tries(), today, self.problems.daily(today))
        )
        assert self.root is not None
        self.root.copy(line)
        self.app.tell(_("Copied."))

    # Layout and drawing

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = rect.cut_top(56)
        self._titled = top
        if self.narrow:
            self._titled, rest = rest.cut_top(TITLED)
        self.back.layout(Rect(top.x + 12, top.cy - 16, 100, 32))
        rest = rest.inset(16, 14)
        self.none.layout(rest.cut_top(60)[0])
        if self.narrow:
            column, area = rest.cut_top(LISTED, 14)
        else:
            column, area = rest.cut_left(min(300, rest.w * 0.36), 20 if rect.w >= WIDE else 12)
        self.list.layout(column)
        self.about.lines = len(canvas.wrap(self.about.words, self.about.face, self.about.size, area.w))
        words, area = area.cut_top(self.about.lines * 21, 8)
        self.about.layout(words)
        line, area = area.cut_top(32, 10)
        x = line.x
        for button in (self.start, self.share):
            if button.visible:
                wide = button.natural(canvas)
                button.layout(Rect(x, line.y, wide, 32))
                x += wide + 10
        if self.narrow:
            line, area = area.cut_top(24 if self.stands.words else 0, 6)
            x = line.x
        self.stands.layout(Rect(x, line.y, line.right - x, line.h))
        self.inner.layout(area)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)
        canvas.rule(self.rect.x, 55, self.rect.w, style.hairline)
        title, top = _("Problems"), self._titled
        canvas.text_in(top, title, style.ink, "title", HEADING, 0.5)
        right = top.cut_right((self.rect.w - canvas.width(title, "title", HEADING)) / 2 - 16)[0]
        canvas.text_fit(right.inset(16, 0), self._rating(), style.soft, "sans", BODY - 1, 1)

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        name = self.rows[row]
        area = self.list.paint_behind(canvas, style, rect, row, here).inset(12, 2)
        game = name not in KINDS
        end = ""
        if game:
            end = _("{found} / {all}", found=self.found[name], all=how_many(name))
        wide = canvas.width(end, "sans", SMALL) + 8 if end else 0.0
        canvas.text_in(area, end, style.soft, "sans", SMALL, 1)
        words = self.game_of(name) if game else _(PROBLEMS_KIND_TEXTS[name])
        canvas.text_fit(
            Rect(area.x, area.y, area.w - wide, area.h), words, style.ink, "sans" if game else "bold", BODY
        )

    def _paint_line(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        line = self.lines[row]
        area = self.inner.paint_behind(canvas, style, rect, row, here).inset(12, 0)
        wide = BEAD * len(line.came) + 10
        for number, came in enumerate(line.came):
            x = area.right - 16 - BEAD * (len(line.came) - 1 - number)
            if came == SOLVED:
                canvas.disc(x, area.cy, 5, style.action)
            elif came:
                canvas.ring(x, area.cy, 5, style.soft)
            else:
                canvas.disc(x, area.cy, 1.5, style.faint)
        canvas.text_fit(Rect(area.x, area.y, area.w - wide - 8, area.h), line.words, style.ink, "sans", BODY)

    def heading(self) -> str:
        return _("Problems")

    def smallest(self, wide: float) -> tuple[float, float]:
        column, high = super().smallest(wide)
        return column, max(high, HIGHEST) if wide < self.least[0] else high

    def renewed(self) -> ProblemsPage:
        return ProblemsPage(self.app, self.chosen)

    def key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.home()
            return True
        if key.chord == "enter":
            self._begin()
            return True
        return self.list.key(key)

    def trace(self) -> Mapping[str, object]:
        return {"chosen": self.chosen, "lines": [(line.words, line.came) for line in self.lines]}
