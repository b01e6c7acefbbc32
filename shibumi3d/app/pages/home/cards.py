"""Cards above the list of games: resume a match, daily problem, game editor and guide."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from shibumi3d.app.wording import titled
from shibumi3d.catalogue.problems import ProvedProblem, games_with_problems
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import N_, _, ngettext
from shibumi3d.match.tries import of_day
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style

from ...host.courses import Daily
from ...ui import icons
from ...ui.canvas import Canvas, Picture
from ...ui.core import Key, Widget

if TYPE_CHECKING:
    from ...host import Host

PROBLEMS_ASKED_TEXTS = {
    "win": N_("{who} to move and win in {n}"),
    "hold": N_("{who} to move and avoid losing"),
    "once": N_("{who} to move and win at once"),
}


LEAST = 14
"""Minimum font size of a card's title."""


class TopCard(Widget):
    """Card with a picture or an icon, a title and a line of text; a click or Enter activates it."""

    focusable = True
    shape = "hand"
    icon = "play"

    def __init__(self, app: Host, name: str) -> None:
        super().__init__(name)
        self.app = app

    def words(self) -> tuple[str, str]:
        """Return the title and the line below it."""
        raise NotImplementedError

    def act(self) -> None:
        """Perform the card's action."""
        raise NotImplementedError

    def picture(self) -> Picture | None:
        """Return the picture on the left, or None if there is no picture or it isn't ready yet."""
        return None

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, RADIUS)
        title, below = self.words()
        area = self.rect
        left = min(self.rect.h * 1.55, self.rect.w * 0.4)
        needs = canvas.width(title, "title", LEAST)
        if self.pictured and self.app.gallery.folder is not None and needs < area.w - left - 18:
            picture = self.picture()
            field, area = area.cut_left(left)
            field = field.inset(5)
            if picture is None:
                canvas.rect(field, style.sunk, RADIUS - 2)
            else:
                canvas.picture(field, picture, RADIUS - 2)
            area = Rect(area.x + 6, area.y, area.w - 18, area.h)
        elif needs < area.w - 60:
            mark, area = area.inset(12, 0).cut_left(36)
            icons.draw(canvas, self.icon, mark.x + 14, mark.cy, style.action, 24)
        else:
            area = area.inset(12, 0)
        # The text below the title may wrap to two lines.
        high = min(64.0 if area.h >= 72 else 56.0, area.h)
        upper, lower = area.centred(area.w, high).cut_top(min(28.0, high / 2))
        size = canvas.fitting(title, "title", range(18, LEAST - 1, -1), upper.w)
        canvas.text_in(upper, title, style.ink, "title", size)
        canvas.text_fit(Rect(lower.x, lower.y, lower.w, lower.h), below, style.soft, "sans", SMALL)
        if self.hovered:
            canvas.rect(self.rect, style.hover, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)

    pictured = False
    """Whether this type of card has a picture."""

    @property
    def there(self) -> bool:
        """Whether to show the card, i.e. whether its action is available."""
        return True

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.holds(x, y):
            self.act()

    def key(self, key: Key) -> bool:
        if key.chord in ("enter", "space"):
            self.act()
            return True
        return False


class ContinueCard(TopCard):
    """Card that resumes the most recently played unfinished match."""

    pictured = True

    def __init__(self, app: Host) -> None:
        super().__init__(app, "continue")

    @property
    def there(self) -> bool:
        return self.app.matches.saved is not None

    def words(self) -> tuple[str, str]:
        record = self.app.matches.saved
        if record is None:
            return "", ""
        entry = self.app.catalogue.find(record.game)
        turns = ngettext("{n} turn played", "{n} turns played", len(record.turns))
        title = titled(entry) if entry else record.game
        people = " – ".join(record.seats)
        return _("Continue {title}", title=title), _("{people} · {turns}", people=people, turns=turns)

    def picture(self) -> Picture | None:
        record, path = self.app.matches.saved, self.app.matches.saved_path
        entry = self.app.catalogue.find(record.game) if record is not None else None
        if record is None or path is None or entry is None:
            return None
        return self.app.gallery.record(path, record.text(), entry)

    def act(self) -> None:
        self.app.matches.resume()


class ProblemCard(TopCard):
    """Card that opens the first untried daily problem or, if all were tried, the list of problems."""

    pictured = True
    icon = "hint"

    def __init__(self, app: Host) -> None:
        super().__init__(app, "today")
        self._below = ""
        self._day: date | None = None
        """Day of the problem shown, or None if there is none yet."""
        self._stands: tuple[str, int, Entry] | None = None
        """Record of the problem, number of moves played, and game; None if there is none yet."""

    @property
    def there(self) -> bool:
        return bool(games_with_problems())

    def find(self) -> None:
        """Find the problem now, and prepare its position later to keep the page responsive."""
        app, problems = self.app, self.app.results.problems
        today = problems.today()
        course = Daily(problems, today)
        problem = problems.find(course.at)
        entry = app.catalogue.find(problem.game) if problem is not None else None
        if problem is None or entry is None:
            return
        done = all(one is not None for one in of_day(problems.tries(), today, course.names))
        app.later(0, lambda: self._show(today, problem, entry, done))

    def _show(self, day: date, problem: ProvedProblem, entry: Entry, done: bool) -> None:
        from ...board.posed import fresh

        try:
            solving = fresh(entry, problem)
            told = solving.match.record().text()
        except (CatalogueError, GameFileError, RuleFailure, ValueError):
            return
        self._day, self._stands = day, (told, solving.match.cursor, entry)
        task = _("All three done")
        if not done:
            seat = solving.match.seats[solving.seat].name
            of = _(PROBLEMS_ASKED_TEXTS[problem.kind], n=problem.n, who=seat)
            task = _("{tier}: {game}", tier=titled(entry), game=of)
        chain = self.app.results.problems.chain()
        self._below = (
            _("{task} · {chain}", task=task, chain=ngettext("{n}-day streak", "{n}-day streak", chain))
            if chain
            else task
        )
        self.refresh()

    def words(self) -> tuple[str, str]:
        return _("Daily problem"), self._below

    def picture(self) -> Picture | None:
        return None if self._stands is None else self.app.gallery.moment(*self._stands)

    def act(self) -> None:
        problems = self.app.results.problems
        day = self._day or problems.today()  # open the problem shown on the card, even if midnight has passed
        course = Daily(problems, day)
        tried = of_day(problems.tries(), day, course.names)
        if course.at and not all(one is not None for one in tried):
            self.app.pages.problem(course, self.app.stage.screen)
        else:
            self.app.pages.problems()


class DesignCard(TopCard):
    """Card that opens the game editor."""

    icon = "pencil"

    def __init__(self, app: Host) -> None:
        super().__init__(app, "make")

    def words(self) -> tuple[str, str]:
        return _("Design a game"), _("Write your own rules and play them")

    def act(self) -> None:
        self.app.pages.design()


class GuideCard(TopCard):
    """Card that opens the guide for new players."""

    icon = "book"

    def __init__(self, app: Host) -> None:
        super().__init__(app, "guide")

    def words(self) -> tuple[str, str]:
        return _("New here?"), _("Learn the basics in a minute")

    def act(self) -> None:
        self.app.pages.guide()
