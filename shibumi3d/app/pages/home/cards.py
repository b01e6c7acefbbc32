"""Cards above the list of games, and the offer of the tutorial at the first start."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from shibumi3d.catalogue.problems import ProvedProblem, games_with_problems
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.i18n import N_, _, ngettext
from shibumi3d.match.attempts import attempts_of_day
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.scene.pen import CAP_HEIGHT_EM
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import game_title

from ...host.courses import DailyCourse
from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import LINE_HEIGHT_FACTOR, Canvas, Picture
from ...ui.label import Label
from ...ui.panel import Card, centred_placement
from ...ui.widget import Key, Widget

if TYPE_CHECKING:
    from ...host import Host


PROBLEM_TASK_TEXTS = {
    "win": N_("{who} to move and win in {n}"),
    "hold": N_("{who} to move and avoid losing"),
    "once": N_("{who} to move and win at once"),
}


SUBTITLE_LINE_PX = SMALL_TEXT_PX * LINE_HEIGHT_FACTOR
"""Height of a line of the text below a card's title, in logical pixels."""
MIN_TITLE_GAP_PX, TITLE_GAP_PX = 9.0, 12.0
"""Minimum and maximum distance, in logical pixels, between a card's title and the capitals of the text below it."""
MIN_TITLE_SIZE, MIN_SUBTITLE_SIZE = 14, SMALL_TEXT_PX - 2
"""Minimum font sizes of a card's title and of the text below it; if that text is still too long, it takes two lines."""


class HomeCard(Widget):
    """Card with a title and a short text, beside a picture or an icon if there is room for it.

    A click, Enter or Space activates it.
    """

    focusable = True
    cursor_shape = "hand"
    icon = "play"

    def __init__(self, app: Host, name: str) -> None:
        super().__init__(name)
        self.app = app

    def texts(self) -> tuple[str, str]:
        """Return the title and the text below it."""
        raise NotImplementedError

    def activate(self) -> None:
        """Perform the card's action."""
        raise NotImplementedError

    def picture(self) -> Picture | None:
        """Return the picture on the left, or None if there is no picture or it isn't ready yet."""
        return None

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, CORNER_RADIUS_PX)
        title, below = self.texts()
        area = self.rect
        left = min(self.rect.h * 1.55, self.rect.w * 0.4)
        needs = canvas.text_width(title, "title", MIN_TITLE_SIZE)
        if self.has_picture and self.app.gallery.folder is not None and needs < area.w - left - 18:
            picture = self.picture()
            field, area = area.cut_left(left)
            field = field.inset(5)
            if picture is None:
                canvas.rect(field, style.recessed, CORNER_RADIUS_PX - 2)
            else:
                canvas.picture(field, picture, CORNER_RADIUS_PX - 2)
            area = Rect(area.x + 6, area.y, area.w - 18, area.h)
        elif needs < area.w - 60 and self._fits_below(canvas, below, area.w - 60):
            mark, area = area.inset(12, 0).cut_left(36)
            icons.draw_icon(canvas, self.icon, mark.x + 14, mark.cy, style.action, 24)
        else:
            area = area.inset(12, 0)
        size = canvas.fit_font_size(title, "title", range(18, MIN_TITLE_SIZE - 1, -1), area.w)
        lines = 1 if canvas.text_width(below, "sans", MIN_SUBTITLE_SIZE) <= area.w else 2
        # Both texts together are centred, from the capitals of the title to the last baseline.
        title_height, capitals = size * CAP_HEIGHT_EM, SMALL_TEXT_PX * CAP_HEIGHT_EM
        below_height = capitals + (lines - 1) * SUBTITLE_LINE_PX
        texts_height = title_height + below_height
        gap = max(MIN_TITLE_GAP_PX, min(TITLE_GAP_PX, (area.h - texts_height) / 3))
        upper, lower = area.centred(area.w, texts_height + gap).cut_top(title_height, gap)
        canvas.text_in(upper, title, style.ink, "title", size)
        lower = lower.centred(lower.w, lines * SUBTITLE_LINE_PX)
        canvas.text_fit(lower, below, style.secondary_ink, "sans", SMALL_TEXT_PX)
        if self.hovered:
            canvas.rect(self.rect, style.hover, CORNER_RADIUS_PX)
        canvas.outline(self.rect, style.hairline, CORNER_RADIUS_PX)

    def _fits_below(self, canvas: Canvas, text: str, width: float) -> bool:
        """Return whether ``text``, in its minimum font size, fits on two lines that are ``width`` wide."""
        lines = canvas.wrap(text, "sans", MIN_SUBTITLE_SIZE, width)
        return len(lines) <= 2 and all(
            canvas.text_width(line, "sans", MIN_SUBTITLE_SIZE) <= width for line in lines
        )

    has_picture = False
    """Whether this type of card has a picture."""

    @property
    def is_available(self) -> bool:
        """Whether the card's action is available; if it isn't, the card isn't shown."""
        return True

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.contains(x, y):
            self.activate()

    def on_key(self, key: Key) -> bool:
        if key.chord in ("enter", "space"):
            self.activate()
            return True
        return False


class ResumeCard(HomeCard):
    """Card that resumes the most recently played unfinished match."""

    has_picture = True

    def __init__(self, app: Host) -> None:
        super().__init__(app, "continue")

    @property
    def is_available(self) -> bool:
        return self.app.matches.unfinished is not None

    def texts(self) -> tuple[str, str]:
        record = self.app.matches.unfinished
        if record is None:
            return "", ""
        entry = self.app.catalogue.find(record.game)
        turns = ngettext("{n} turn played", "{n} turns played", len(record.turns))
        title = game_title(entry) if entry else record.game
        people = " – ".join(record.seats)
        return _("Continue {title}", title=title), _("{people} · {turns}", people=people, turns=turns)

    def picture(self) -> Picture | None:
        record, path = self.app.matches.unfinished, self.app.matches.unfinished_path
        entry = self.app.catalogue.find(record.game) if record is not None else None
        if record is None or path is None or entry is None:
            return None
        return self.app.gallery.match_picture(path, record.to_text(), entry)

    def activate(self) -> None:
        self.app.matches.resume_unfinished()


class DailyProblemCard(HomeCard):
    """Card that opens the first untried daily problem or, if all have been tried, the list of problems."""

    has_picture = True
    icon = "hint"

    def __init__(self, app: Host) -> None:
        super().__init__(app, "today")
        self._subtitle = ""
        self._day: date | None = None
        """Day of the problem shown, or None if no problem is shown yet."""
        self._position: tuple[str, int, Entry] | None = None
        """Record of the problem shown, number of moves played, and game; None if no problem is shown yet."""

    @property
    def is_available(self) -> bool:
        return bool(games_with_problems())

    def find_problem(self) -> None:
        """Find the problem for the card: the first untried daily problem of today.

        If all have been tried, it is the first one. The problem's position is prepared later, so that the page stays
        responsive.
        """
        app, problems = self.app, self.app.results.problems
        today = problems.today()
        course = DailyCourse(problems, today)
        problem = problems.find(course.current_name)
        entry = app.catalogue.find(problem.game) if problem is not None else None
        if problem is None or entry is None:
            return
        is_all_done = all(
            attempt is not None for attempt in attempts_of_day(problems.attempts(), today, course.names)
        )
        app.schedule(0, lambda: self._set_problem(today, problem, entry, is_all_done))

    def _set_problem(self, day: date, problem: ProvedProblem, entry: Entry, is_all_done: bool) -> None:
        from ...match.problem import new_attempt

        try:
            solving = new_attempt(entry, problem)
            record_text = solving.match.record().to_text()
        except (CatalogueError, GameFileError, RuleFailure, ValueError):
            return
        self._day, self._position = day, (record_text, solving.match.cursor, entry)
        task = _("All three done for today")
        if not is_all_done:
            seat = solving.match.seats[solving.seat].name
            of = _(PROBLEM_TASK_TEXTS[problem.kind], n=problem.n, who=seat)
            task = _("{tier}: {game}", tier=game_title(entry), game=of)
        streak = self.app.results.problems.daily_streak()
        self._subtitle = (
            _("{task} · {chain}", task=task, chain=ngettext("{n}-day streak", "{n}-day streak", streak))
            if streak
            else task
        )
        self.refresh()

    def texts(self) -> tuple[str, str]:
        return _("Daily problems"), self._subtitle

    def picture(self) -> Picture | None:
        return None if self._position is None else self.app.gallery.position_picture(*self._position)

    def activate(self) -> None:
        problems = self.app.results.problems
        day = self._day or problems.today()  # open the problem shown on the card, even if midnight has passed
        course = DailyCourse(problems, day)
        tried = attempts_of_day(problems.attempts(), day, course.names)
        if course.current_name and not all(attempt is not None for attempt in tried):
            self.app.pages.show_problem(course, self.app.current_page)
        else:
            self.app.pages.show_problems()


class DesignCard(HomeCard):
    """Card that opens the game editor."""

    icon = "pencil"

    def __init__(self, app: Host) -> None:
        super().__init__(app, "make")

    def texts(self) -> tuple[str, str]:
        return _("Design a game"), _("Write your own rules and try them out")

    def activate(self) -> None:
        self.app.pages.show_game_designer()


class TutorialCard(HomeCard):
    """Card that opens the guide for new players."""

    icon = "book"

    def __init__(self, app: Host) -> None:
        super().__init__(app, "guide")

    def texts(self) -> tuple[str, str]:
        return _("New here?"), _("Learn the basics in a minute")

    def activate(self) -> None:
        self.app.pages.show_tutorial()


class TutorialOfferCard(Card):
    """Card that asks whether to show the tutorial."""

    def __init__(self, app: Host) -> None:
        super().__init__(_("New here?"))
        self.app = app
        self.text = Label(
            _("Learn in one minute how to rotate the board, place and move marbles, and undo a turn."),
            "serif",
            17,
            max_lines=4,
        )
        self.skip_button = Button(_("Skip  Esc"), app.root.close_popup, kind="quiet", name="skip guide")
        self.show_button = Button(_("Show me (1 min)"), self._show_tutorial, kind="main", name="show guide")
        self.add(self.text, self.skip_button, self.show_button)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        area = rect.inset(24, 20).cut_top(40)[1]
        buttons, area = area.cut_bottom(32, 8)
        self.text.layout(area)
        show, buttons = buttons.cut_right(self.show_button.preferred_width(canvas), 8)
        self.show_button.layout(show)
        self.skip_button.layout(buttons.cut_right(self.skip_button.preferred_width(canvas))[0])

    def _show_tutorial(self) -> None:
        self.app.root.close_popup()
        self.app.pages.show_tutorial()

    def on_key(self, key: Key) -> bool:
        if key.name == "enter":
            self._show_tutorial()
            return True
        return False


def offer_tutorial(app: Host) -> None:
    """Offer the tutorial, and record that it has been offered."""
    card = TutorialOfferCard(app)
    app.root.open_popup(card, centred_placement(460, 10 * BODY_TEXT_PX + 40), focus=card.show_button)
    app.change_settings(guided=True)
