"""Page of problems: daily problems, streak, "Is there a win?", and the problems of each game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.catalogue.problems import count_problems, games_with_problems
from shibumi3d.i18n import N_, P_, Plural, Translatable, _, ngettext
from shibumi3d.match.attempts import (
    FAILED,
    SOLVED,
    Attempt,
    attempts_of_day,
    format_share_line,
    solved_problems,
)
from shibumi3d.match.daily import DAYS_AVAILABLE, DIFFICULTIES, split_by_difficulty
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, HEADING_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import format_date, format_day, game_title

from ..host.courses import DailyCourse, GameCourse, ProblemCourse, StreakCourse, WinnabilityCourse
from ..host.page import Page
from ..host.problems import builtin_problems, problems_of_game
from ..ui import icons
from ..ui.button import Button, quiet_button
from ..ui.canvas import Canvas
from ..ui.label import Label
from ..ui.list_view import CardGrid, ListView, PictureCardGrid
from ..ui.widget import Key

if TYPE_CHECKING:
    from ..host import Host


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

MIN_WIDE_GAP_WINDOW_PX = 760
"""Minimum window width at which the gap between the two columns is wider, in logical pixels."""
DAILY_CATEGORY, STREAK_CATEGORY, WINNABLE_CATEGORY = "today", "streak", "doubt"
NARROW_LIST_HEIGHT_PX, MIN_NARROW_HEIGHT_PX = 160.0, 640.0
"""Height of the list of categories, and minimum height of the page, if there is only one column."""
RESULT_MARK_PITCH_PX = 15.0
"""Distance between two result symbols on a line, in logical pixels."""
OUTCOME_TEXTS = {
    SOLVED: P_("outcome", "solved"),
    "": P_("outcome", "not tried yet"),
}
"""What screen readers say about the result of a problem; all other results are "not solved"."""
MIN_CARD_WIDTH_PX, MIN_NARROW_CARD_WIDTH_PX = 160.0, 150.0
"""Minimum widths of a problem's card, with two columns on the page and with one."""
MAX_DAILY_CARD_WIDTH_PX = 320.0
"""Upper limit for the minimum width of a daily problem's card."""
CARD_TEXT_HEIGHT_PX = 54.0
"""Height of the text below a card's picture, in logical pixels."""
MIN_DAY_TEXT_PX = 12
"""Minimum font size for a day that is shown on one line."""
STAR_PITCH_PX = 16.0
"""Distance between two stars, in logical pixels."""
MIN_HEIGHT_FOR_TEXT_PX = 300.0
"""Minimum height of a category's contents for showing the explanation above the cards, in logical pixels."""
STRIP_DAYS, STRIP_HEIGHT_PX = 7, 54.0
"""Number of days that are shown at once, and the height of their strip in logical pixels."""
CATEGORIES = (DAILY_CATEGORY, STREAK_CATEGORY, WINNABLE_CATEGORY)


class ContentRow(NamedTuple):
    """A problem in the contents of a category.

    ``title`` and ``text`` are shown on its card. ``name`` is the name of the problem, ``tier`` is the index of its
    difficulty, and ``outcome`` is the user's result, or "" if the problem hasn't been tried yet. ``make_course``
    returns the course that starts when the problem is opened.
    """

    name: str
    title: str
    text: str
    tier: int
    outcome: str
    make_course: Callable[[], ProblemCourse]


class DayRow(NamedTuple):
    """A day and the results of its daily problems, each in the form of :attr:`ContentRow.outcome`."""

    day: date
    outcomes: tuple[str, ...]


def outcome_of(attempt: Attempt | None) -> str:
    """Return the result of an attempt, or "" if there has been no attempt."""
    return attempt.outcome if attempt is not None else ""


class ProblemsPage(Page):
    """Page with a list of categories on the left and the contents of the selected category on the right.

    In a narrow window, the list is above the contents.
    """

    page_name = "problems"
    has_narrow_layout = True

    def __init__(self, app: Host, category: str = DAILY_CATEGORY) -> None:
        super().__init__(app)
        self.problems = app.results.problems
        there = {entry.id for entry in app.catalogue}
        self.game_ids = [name for name in games_with_problems() if name in there and count_problems(name)]
        self.game_ids.sort(key=lambda name: game_title(app.catalogue.get(name)).casefold())
        self.solved_counts = {name: self.problems.count_solved(name) for name in self.game_ids}
        """Number of problems that have been solved without a mistake, by game ID."""
        self.categories = [*CATEGORIES, *self.game_ids] if builtin_problems() else []
        self.category = category if category in self.categories else DAILY_CATEGORY
        self.back_button = Button(_("Games"), app.pages.show_home, icon="back", kind="quiet", name="back")
        self.category_list = ListView(
            40,
            self._paint_row,
            self._select_category,
            on_open=lambda row: self._open_selection(),
            name="kinds",
        )
        self.content_rows: list[ContentRow] = []
        self.content_list = ProblemGrid(self)
        self.content_list.follows_current_row = False
        self.day_rows: list[DayRow] = []
        """All days whose problems are available, the earliest first."""
        self.day_list = DayStrip(self)
        self.earlier_button, self.later_button = (
            quiet_button(
                "", lambda: self._turn_days(-STRIP_DAYS), "step-back", _("Earlier days"), name="earlier days"
            ),
            quiet_button("", lambda: self._turn_days(STRIP_DAYS), "step", _("Later days"), name="later days"),
        )
        self.about_label = Label("", "serif", 16, "ink", max_lines=3, name="about")
        self.progress_label = Label("", "sans", SMALL_TEXT_PX, "secondary_ink", name="stands")
        self.solve_button = Button(_("Solve"), self._open_selection, kind="main", name="solve")
        self.share_button = Button(_("Copy result"), self._copy_result, name="share")
        self.empty_label = Label(_("There are no problems here yet."), "italic", 17, "secondary_ink", 0.5)
        self.empty_label.visible = not self.categories
        self.add(
            self.back_button,
            self.category_list,
            self.solve_button,
            self.share_button,
            self.about_label,
            self.progress_label,
            self.earlier_button,
            self.day_list,
            self.later_button,
            self.content_list,
            self.empty_label,
        )
        self.day = self.problems.today()
        """Day whose daily problems are shown."""
        self.update_content()

    def on_day_change(self) -> None:
        self.day = self.problems.today()
        self.update_content()

    def on_leave(self) -> None:
        self.app.gallery.cancel_pending()
        super().on_leave()

    def update_content(self) -> None:
        """Update the page to show the contents of the selected category."""
        if not self.categories:
            self.solve_button.visible = self.share_button.visible = False
            self.day_list.visible = self.earlier_button.visible = self.later_button.visible = False
            return
        self.category_list.set_rows(len(self.categories), self.categories.index(self.category))
        filled = {
            DAILY_CATEGORY: self._fill_daily,
            STREAK_CATEGORY: self._fill_streak,
            WINNABLE_CATEGORY: self._fill_winnable,
        }.get(self.category, self._fill_game)
        self.share_button.visible = False
        self.app.gallery.cancel_pending()  # pictures of the problems shown before
        filled()
        for widget in (self.earlier_button, self.day_list, self.later_button):
            widget.visible = self.category == DAILY_CATEGORY
        self.content_list.set_rows(len(self.content_rows), -1)
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def _fill_daily(self) -> None:
        problems, tries = self.problems, self.problems.attempts()
        today = problems.today()
        self.day_rows = [
            DayRow(day, tuple(map(outcome_of, attempts_of_day(tries, day, problems.daily_names(day)))))
            for day in (today - timedelta(back) for back in reversed(range(DAYS_AVAILABLE)))
        ]
        day, names = self.day, problems.daily_names(self.day)
        day_attempts = attempts_of_day(tries, day, names)
        self.content_rows = [
            ContentRow(
                name,
                self.game_title_of(name),
                self.describe_task(name),
                tier,
                outcome_of(attempt),
                lambda name=name: DailyCourse(problems, day, name),  # type: ignore[misc]  # binds this row's name
            )
            for tier, (name, attempt) in enumerate(zip(names, day_attempts, strict=True))
        ]
        self.day_list.show_day(day)
        self._update_day_buttons()
        self.about_label.set_caption(
            _(
                "Three a day – easy, medium and hard – from three different games. They are the same for "
                "everyone, and you don't need to be online."
            )
        )
        daily_streak = problems.daily_streak()
        self.progress_label.set_caption(
            ngettext("{n}-day streak", "{n}-day streak", daily_streak) if daily_streak else _("No streak yet")
        )
        self.share_button.visible = bool(day_attempts) and all(
            attempt is not None for attempt in day_attempts
        )

    def _fill_streak(self) -> None:
        streak = StreakCourse(self.problems)
        self.content_rows = []
        self.about_label.set_caption(
            _("Problems get harder and harder until you miss three. You can leave and continue later.")
        )
        has_begun = bool(streak.played_names) and not streak.is_over
        self.progress_label.set_caption(
            ngettext(
                "{n} solved, {missed} missed",
                "{n} solved, {missed} missed",
                streak.solved_count,
                missed=streak.missed_count,
            )
            if has_begun
            else _("New streak")
        )

    def _fill_winnable(self) -> None:
        self.content_rows = []
        self.about_label.set_caption(
            _("Half of these positions have a proven win; the other half have been proved to have none.")
        )
        self.progress_label.set_caption("")

    def _fill_game(self) -> None:
        problems, game = self.problems, self.category
        solved_names = solved_problems(problems.attempts(), game)
        tried = {attempt.problem for attempt in problems.attempts()}
        self.content_rows = []
        for tier, part in enumerate(split_by_difficulty(problems_of_game(game))):
            for head in part:
                name = head.name
                self.content_rows.append(
                    ContentRow(
                        name,
                        _("Problem {n}", n=len(self.content_rows) + 1),
                        self.describe_task(name),
                        tier,
                        SOLVED if name in solved_names else FAILED if name in tried else "",
                        lambda name=name: GameCourse(problems, game, name),  # type: ignore[misc]
                    )
                )
        self.about_label.set_caption(_("Each problem has been proved to have exactly one solution."))
        self.progress_label.set_caption(self._format_rating(game))

    def _format_rating(self, game: str = "") -> str:
        rating = self.problems.rating(game)
        return (
            _("Rating: {value} ± {give}", value=rating.value, give=rating.margin)
            if rating is not None
            else ""
        )

    def game_title_of(self, name: str) -> str:
        """Return the title of the game that ``name`` refers to, or ``name`` itself if there is no such game.

        ``name`` is the name of a problem or the ID of a game.
        """
        entry = self.app.catalogue.find(name.partition("#")[0])
        return game_title(entry) if entry is not None else name

    def describe_task(self, name: str) -> str:
        """Return a short description of a problem's task, e.g. ``win in 3 turns``, or "" for an unknown problem."""
        problem = self.problems.find(name)
        return _(PROBLEMS_TASK_TEXTS[problem.kind], problem.n) if problem is not None else ""

    # Actions

    def _select_category(self, row: int) -> None:
        self.category = self.categories[row]
        self.update_content()

    def select_day(self, day: date) -> None:
        """Show the problems of a day."""
        self.day = day
        self.update_content()

    def _turn_days(self, days: int) -> None:
        """Move the strip of days forward by ``days`` days, or back if ``days`` is negative.

        The selected day stays selected.
        """
        self.day_list.move_by(days)
        self._update_day_buttons()

    def _update_day_buttons(self) -> None:
        self.earlier_button.enabled = self.day_list.first_day > 0
        self.later_button.enabled = self.day_list.first_day + STRIP_DAYS < len(self.day_rows)

    def open_row(self, row: int) -> None:
        """Open the problem on the card with index ``row``, if there is one."""
        if 0 <= row < len(self.content_rows):
            self.app.pages.show_problem(self.content_rows[row].make_course())

    def _open_selection(self) -> None:
        """Open the problem in the selected row or, if no row is selected, open the course of the selected category."""
        problems, picked = self.problems, self.content_list.current_row
        if not self.categories:
            return
        if 0 <= picked < len(self.content_rows):
            self.open_row(picked)
        elif self.category == DAILY_CATEGORY:
            self.app.pages.show_problem(DailyCourse(problems, self.day))
        elif self.category == STREAK_CATEGORY:
            self.app.pages.show_problem(StreakCourse(problems))
        elif self.category == WINNABLE_CATEGORY:
            self.app.pages.show_problem(WinnabilityCourse(problems))
        else:
            self.app.pages.show_problem(GameCourse(problems, self.category))

    def _copy_result(self) -> None:
        today = self.day
        line = format_share_line(
            format_date(today),
            attempts_of_day(self.problems.attempts(), today, self.problems.daily_names(today)),
        )
        assert self.root is not None
        self.root.copy_text(line)
        self.app.show_message(_("Copied."))

    # Layout and drawing

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        _unused, rest = self.layout_title_bar(rect, self.back_button)
        rest = rest.inset(16, 14)
        self.empty_label.layout(rest.cut_top(60)[0])
        if self.is_narrow:
            column, area = rest.cut_top(NARROW_LIST_HEIGHT_PX, 14)
        else:
            column, area = rest.cut_left(
                min(300, rest.w * 0.36), 20 if rect.w >= MIN_WIDE_GAP_WINDOW_PX else 12
            )
        self.category_list.layout(column)
        self.about_label.max_lines = len(
            canvas.wrap(self.about_label.caption, self.about_label.font, self.about_label.size, area.w)
        )
        # In a low window, the cards matter more than the explanation.
        self.about_label.visible = area.h >= MIN_HEIGHT_FOR_TEXT_PX or not self.content_rows
        words, area = area.cut_top(
            self.about_label.max_lines * 21 if self.about_label.visible else 0,
            8 if self.about_label.visible else 0,
        )
        self.about_label.layout(words)
        days, area = area.cut_top(32, 10)
        line, x = days, days.x
        for button in (self.solve_button, self.share_button):
            if button.visible:
                wide = button.preferred_width(canvas)
                button.layout(Rect(x, line.y, wide, 32))
                x += wide + 10
        if self.is_narrow:
            line, area = area.cut_top(24 if self.progress_label.caption else 0, 6)
            x = line.x
        end = line.right - (74 if line is days and self.day_list.visible else 0)
        self.progress_label.layout(Rect(x, line.y, end - x, line.h))
        if self.day_list.visible:
            strip, area = area.cut_top(STRIP_HEIGHT_PX + 2, 10)
            self.earlier_button.layout(Rect(days.right - 66, days.y, 32, 32))
            self.later_button.layout(Rect(days.right - 32, days.y, 32, 32))
            self.day_list.layout(strip)
        min_card_width = MIN_NARROW_CARD_WIDTH_PX if self.is_narrow else MIN_CARD_WIDTH_PX
        if self.category == DAILY_CATEGORY:
            # The three problems of a day share the line.
            min_card_width = max(
                min_card_width, min(MAX_DAILY_CARD_WIDTH_PX, area.w / len(DIFFICULTIES) - 14)
            )
        self.content_list.min_card_width = min_card_width
        self.content_list.layout(area)

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.paint_title_bar(canvas, style)
        title_width = canvas.text_width(self.heading(), "title", HEADING_PX)
        right = self.title_rect.cut_right((self.rect.w - title_width) / 2 - 16)[0]
        canvas.text_fit(
            right.inset(16, 0), self._format_rating(), style.secondary_ink, "sans", BODY_TEXT_PX - 1, 1
        )

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        name = self.categories[row]
        area = self.category_list.paint_row_background(canvas, style, rect, row, is_hovered).inset(12, 2)
        game = name not in CATEGORIES
        end = ""
        if game:
            end = _("{found} / {all}", found=self.solved_counts[name], all=count_problems(name))
        wide = canvas.text_width(end, "sans", SMALL_TEXT_PX) + 8 if end else 0.0
        canvas.text_in(area, end, style.secondary_ink, "sans", SMALL_TEXT_PX, 1)
        words = self.game_title_of(name) if game else _(PROBLEMS_KIND_TEXTS[name])
        canvas.text_fit(
            Rect(area.x, area.y, area.w - wide, area.h),
            words,
            style.ink,
            "sans" if game else "bold",
            BODY_TEXT_PX,
        )

    def heading(self) -> str:
        return _("Problems")

    def min_size_for(self, window_width: float) -> tuple[float, float]:
        column, high = super().min_size_for(window_width)
        return column, max(high, MIN_NARROW_HEIGHT_PX) if window_width < self.min_size[0] else high

    def rebuild(self) -> ProblemsPage:
        return ProblemsPage(self.app, self.category)

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.show_home()
            return True
        if key.chord == "enter":
            self._open_selection()
            return True
        return self.category_list.on_key(key)

    def trace_values(self) -> Mapping[str, object]:
        lines = [(line.title, line.text, line.outcome) for line in self.content_rows]
        return {"chosen": self.category, "lines": lines}


def paint_outcomes(canvas: Canvas, style: Style, outcomes: Sequence[str], right: float, y: float) -> None:
    """Paint the results of problems as a row of symbols that ends at ``right``, with their centres at height ``y``."""
    for index, outcome in enumerate(reversed(outcomes)):
        x = right - 6 - RESULT_MARK_PITCH_PX * index
        if outcome == SOLVED:
            canvas.disc(x, y, 5, style.action)
        elif outcome:
            canvas.ring(x, y, 5, style.secondary_ink)
        else:
            canvas.disc(x, y, 1.5, style.tertiary_ink)


def describe_outcome(outcome: str) -> str:
    """Return the result of a problem in words."""
    return _(OUTCOME_TEXTS.get(outcome, P_("outcome", "not solved")))


class ProblemGrid(PictureCardGrid):
    """Grid of problems, each on a card with a picture of its position.

    Clicking a card opens its problem.
    """

    def __init__(self, page: ProblemsPage) -> None:
        super().__init__(
            MIN_CARD_WIDTH_PX, CARD_TEXT_HEIGHT_PX, self._paint_card, page.open_row, name="problems"
        )
        self.page = page

    def describe_row_graphics(self, row: int) -> str:
        line = self.page.content_rows[row]
        tier = _(PROBLEMS_TIER_TEXTS[DIFFICULTIES[line.tier]])
        return _("{difficulty}, {result}", difficulty=tier, result=describe_outcome(line.outcome))

    def _paint_card(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        line, app = self.page.content_rows[row], self.page.app
        entry, problem = app.catalogue.find(line.name.partition("#")[0]), app.results.problems.find(line.name)
        picture = (
            app.gallery.problem_picture(problem, entry) if entry is not None and problem is not None else None
        )
        lines = self.paint_picture(canvas, style, rect, picture)
        upper, lower = lines.inset(10, 0).cut_top(26)
        stars = len(DIFFICULTIES) * STAR_PITCH_PX
        place = upper.cut_left(upper.w - stars - 6)[0]
        size = canvas.fit_font_size(line.title, "title", (17, 16, 15, 14), place.w)
        canvas.text_in(place, line.title, style.ink, "title", size)
        icons.draw_stars(
            canvas, upper.right - stars + 2, upper.cy, style.amber, line.tier + 1, len(DIFFICULTIES)
        )
        words, end = lower.cut_top(20)[0].cut_left(lower.w - 18)
        canvas.text_fit(words, line.text, style.secondary_ink, "sans", SMALL_TEXT_PX)
        paint_outcomes(canvas, style, (line.outcome,), end.right, words.cy)
        self.paint_outline(canvas, style, rect, row, is_hovered)


class DayStrip(CardGrid):
    """Strip of up to seven successive days, each with the results of its problems."""

    GAP_PX = 6.0

    def __init__(self, page: ProblemsPage) -> None:
        super().__init__(
            1.0, lambda wide: STRIP_HEIGHT_PX - self.GAP_PX, self._paint_day, self._on_select, name="days"
        )
        self.page = page
        self.first_day = 0
        """Index of the first day shown, among all available days."""

    def show_day(self, day: date) -> None:
        """Select ``day`` or, if it isn't available, the last available day; move the strip if necessary."""
        days = [row.day for row in self.page.day_rows]
        index = days.index(day) if day in days else len(days) - 1
        if not self.first_day <= index < self.first_day + self.row_count:
            self.first_day = max(0, min(len(days) - STRIP_DAYS, index - STRIP_DAYS + 1))
        self.set_rows(min(STRIP_DAYS, len(days)), index - self.first_day)

    def move_by(self, days: int) -> None:
        """Move the strip forward by ``days`` days, or back if ``days`` is negative, within the available days."""
        rows = self.page.day_rows
        self.first_day = max(0, min(len(rows) - STRIP_DAYS, self.first_day + days))
        visible_days = [row.day for row in rows[self.first_day : self.first_day + STRIP_DAYS]]
        self.set_rows(
            len(visible_days), visible_days.index(self.page.day) if self.page.day in visible_days else -1
        )

    def paint_state(self) -> tuple[object, ...]:
        return *super().paint_state(), self.first_day

    def layout(self, rect: Rect) -> None:
        self.min_card_width = (rect.w - 12) / STRIP_DAYS - self.GAP_PX - 1
        super().layout(rect)

    def on_scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        return False

    def describe_row_graphics(self, row: int) -> str:
        outcomes = self.page.day_rows[self.first_day + row].outcomes
        return _("{n} of {most} solved", n=outcomes.count(SOLVED), most=len(outcomes))

    def _on_select(self, row: int) -> None:
        self.page.select_day(self.page.day_rows[self.first_day + row].day)

    def _paint_day(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        about = self.page.day_rows[self.first_day + row]
        on = row == self.current_row
        canvas.rect(rect, style.card, CORNER_RADIUS_PX)
        if is_hovered and not on:
            canvas.rect(rect, style.hover, CORNER_RADIUS_PX)
        canvas.outline(rect, style.action if on else style.hairline, CORNER_RADIUS_PX, 2 if on else 1)
        text, face, inner = _("Today"), "bold" if on else "sans", rect.inset(3, 4)
        is_today = about.day == self.page.problems.today()
        if not is_today or canvas.text_width(text, face, MIN_DAY_TEXT_PX) > inner.w:
            text = format_day(about.day)
        # In a narrow cell, the day and the month are on separate lines.
        high = 22 if canvas.text_width(text, face, MIN_DAY_TEXT_PX) <= inner.w else 30
        upper, lower = inner.cut_top(high)
        canvas.text_fit(upper, text, style.ink, face, SMALL_TEXT_PX, 0.5)
        width = RESULT_MARK_PITCH_PX * (len(about.outcomes) - 1) + 12
        paint_outcomes(canvas, style, about.outcomes, lower.cx + width / 2, lower.cy)
