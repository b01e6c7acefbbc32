"""Page of problems: daily problems, streak, "Is there a win?", and the problems of each game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.catalogue.problems import count_problems, games_with_problems
from shibumi3d.i18n import N_, Plural, Translatable, _, ngettext
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
from shibumi3d.scene.style import BODY_TEXT_PX, HEADING_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import format_date, game_title

from ..host.courses import DailyCourse, GameCourse, ProblemCourse, StreakCourse, WinnableOrNotCourse
from ..host.page import Page
from ..host.problems import builtin_problems, problems_of_game
from ..host.window_page import NARROW_TITLE_HEIGHT_PX
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.label import Label
from ..ui.list_view import ListView
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
RESULT_MARK_PITCH_PX = 17.0
"""Distance between two result signs on a line, in logical pixels."""
CATEGORIES = (DAILY_CATEGORY, STREAK_CATEGORY, WINNABLE_CATEGORY)


class ContentRow(NamedTuple):
    """A row in the contents of a category.

    ``outcomes`` holds the results of the row's problems; a problem that hasn't been tried yet has "". ``make_course``
    returns the course that starts when the row is opened.
    """

    text: str
    outcomes: tuple[str, ...]
    make_course: Callable[[], ProblemCourse]


def outcome_of(one: Attempt | None) -> str:
    """Return the result of an attempt, or "" if there has been no attempt."""
    return one.outcome if one is not None else ""


class ProblemsPage(Page):
    """List of categories on the left, and contents of the selected category on the right.

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
        """Number of problems of each game solved without a mistake."""
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
        self.content_list = ListView(
            36, self._paint_line, self._on_row_select, on_open=self._open_row, name="problems"
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
            self.content_list,
            self.empty_label,
        )
        self.day = self.problems.today()
        """Day whose daily problems are shown."""
        self.update_content()

    def on_day_change(self) -> None:
        self.update_content()

    def update_content(self) -> None:
        """Update the contents of the selected category."""
        if not self.categories:
            self.solve_button.visible = self.share_button.visible = False
            return
        self.category_list.set_rows(len(self.categories), self.categories.index(self.category))
        filled = {
            DAILY_CATEGORY: self._fill_daily,
            STREAK_CATEGORY: self._fill_streak,
            WINNABLE_CATEGORY: self._fill_winnable,
        }.get(self.category, self._fill_game)
        self.share_button.visible = False
        filled()
        self.content_list.set_rows(len(self.content_rows), -1)
        if self.rect.w:
            self.layout(self.rect)
        self.refresh()

    def _fill_daily(self) -> None:
        problems = self.problems
        today = self.day = problems.today()
        names, tries = problems.daily_names(today), problems.attempts()
        had = attempts_of_day(tries, today, names)
        self.content_rows = [
            ContentRow(
                _("{tier}: {game}", tier=_(PROBLEMS_TIER_TEXTS[tier]), game=self.game_title_of(name)),
                (outcome_of(one),),
                lambda name=name: DailyCourse(problems, today, name),  # type: ignore[misc]  # the default is of this row
            )
            for tier, name, one in zip(DIFFICULTIES, names, had, strict=False)
        ]
        for back in range(1, DAYS_AVAILABLE):
            day = today - timedelta(back)
            before = attempts_of_day(tries, day, problems.daily_names(day))
            self.content_rows.append(
                ContentRow(
                    format_date(day),
                    tuple(map(outcome_of, before)),
                    lambda day=day: DailyCourse(problems, day),  # type: ignore[misc]
                )
            )
        self.about_label.set_caption(
            _(
                "Three a day – easy, medium and hard – from three different games. They are the same for "
                "everyone, and you don't need to be online."
            )
        )
        chain = problems.daily_streak()
        self.progress_label.set_caption(
            ngettext("{n}-day streak", "{n}-day streak", chain) if chain else _("No streak yet")
        )
        self.share_button.visible = bool(had) and all(one is not None for one in had)

    def _fill_streak(self) -> None:
        streak = StreakCourse(self.problems)
        self.content_rows = []
        self.about_label.set_caption(
            _("Problems get harder and harder until you miss three. You can leave and continue later.")
        )
        begun = bool(streak.played_names) and not streak.is_over
        self.progress_label.set_caption(
            ngettext(
                "{n} solved, {missed} missed",
                "{n} solved, {missed} missed",
                streak.solved_count,
                missed=streak.missed_count,
            )
            if begun
            else _("New streak")
        )

    def _fill_winnable(self) -> None:
        self.content_rows = []
        self.about_label.set_caption(
            _("Half of these positions have a proven win; the other half are proven to have none.")
        )
        self.progress_label.set_caption("")

    def _fill_game(self) -> None:
        problems, game = self.problems, self.category
        found = solved_problems(problems.attempts(), game)
        tried = {one.problem for one in problems.attempts()}
        self.content_rows = []
        for tier, part in zip(DIFFICULTIES, split_by_difficulty(problems_of_game(game)), strict=True):
            for head in part:
                name = head.name
                came = SOLVED if name in found else FAILED if name in tried else ""
                words = _(
                    "{number}. {task}", number=len(self.content_rows) + 1, task=self.describe_task(name)
                )
                self.content_rows.append(
                    ContentRow(
                        _("{tier}: {game}", tier=_(PROBLEMS_TIER_TEXTS[tier]), game=words),
                        (came,),
                        lambda name=name: GameCourse(problems, game, name),  # type: ignore[misc]
                    )
                )
        self.about_label.set_caption(_("Each problem has exactly one solution, and it is proven."))
        self.progress_label.set_caption(self._format_rating(game))

    def _format_rating(self, game: str = "") -> str:
        found = self.problems.rating(game)
        return (
            _("Rating: {value} ± {give}", value=found.value, give=found.margin) if found is not None else ""
        )

    def game_title_of(self, name: str) -> str:
        """Return the title of a problem's game, or ``name`` itself if there is no such game."""
        entry = self.app.catalogue.find(name.partition("#")[0])
        return game_title(entry) if entry is not None else name

    def describe_task(self, name: str) -> str:
        """Return a short description of a problem's task, e.g. ``win in 3 turns``."""
        found = self.problems.find(name)
        return _(PROBLEMS_TASK_TEXTS[found.kind], found.n) if found is not None else ""

    # Actions

    def _select_category(self, row: int) -> None:
        self.category = self.categories[row]
        self.update_content()

    def _on_row_select(self, row: int) -> None:
        self.refresh()

    def _open_row(self, row: int) -> None:
        if 0 <= row < len(self.content_rows):
            self.app.pages.show_problem(self.content_rows[row].make_course())

    def _open_selection(self) -> None:
        """Start or continue the selected row or, if none is selected, the selected category."""
        problems, picked = self.problems, self.content_list.current_row
        if not self.categories:
            return
        if 0 <= picked < len(self.content_rows):
            self._open_row(picked)
        elif self.category == DAILY_CATEGORY:
            self.app.pages.show_problem(DailyCourse(problems, self.day))
        elif self.category == STREAK_CATEGORY:
            self.app.pages.show_problem(StreakCourse(problems))
        elif self.category == WINNABLE_CATEGORY:
            self.app.pages.show_problem(WinnableOrNotCourse(problems))
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
        top, rest = rect.cut_top(56)
        self._title_rect = top
        if self.is_narrow:
            self._title_rect, rest = rest.cut_top(NARROW_TITLE_HEIGHT_PX)
        self.back_button.layout(Rect(top.x + 12, top.cy - 16, 100, 32))
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
        words, area = area.cut_top(self.about_label.max_lines * 21, 8)
        self.about_label.layout(words)
        line, area = area.cut_top(32, 10)
        x = line.x
        for button in (self.solve_button, self.share_button):
            if button.visible:
                wide = button.preferred_width(canvas)
                button.layout(Rect(x, line.y, wide, 32))
                x += wide + 10
        if self.is_narrow:
            line, area = area.cut_top(24 if self.progress_label.caption else 0, 6)
            x = line.x
        self.progress_label.layout(Rect(x, line.y, line.right - x, line.h))
        self.content_list.layout(area)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)
        canvas.hairline(self.rect.x, 55, self.rect.w, style.hairline)
        title, top = _("Problems"), self._title_rect
        canvas.text_in(top, title, style.ink, "title", HEADING_PX, 0.5)
        right = top.cut_right((self.rect.w - canvas.text_width(title, "title", HEADING_PX)) / 2 - 16)[0]
        canvas.text_fit(
            right.inset(16, 0), self._format_rating(), style.secondary_ink, "sans", BODY_TEXT_PX - 1, 1
        )

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        name = self.categories[row]
        area = self.category_list.paint_row_background(canvas, style, rect, row, here).inset(12, 2)
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

    def _paint_line(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        line = self.content_rows[row]
        area = self.content_list.paint_row_background(canvas, style, rect, row, here).inset(12, 0)
        wide = RESULT_MARK_PITCH_PX * len(line.outcomes) + 10
        for number, came in enumerate(line.outcomes):
            x = area.right - 16 - RESULT_MARK_PITCH_PX * (len(line.outcomes) - 1 - number)
            if came == SOLVED:
                canvas.disc(x, area.cy, 5, style.action)
            elif came:
                canvas.ring(x, area.cy, 5, style.secondary_ink)
            else:
                canvas.disc(x, area.cy, 1.5, style.tertiary_ink)
        canvas.text_fit(
            Rect(area.x, area.y, area.w - wide - 8, area.h), line.text, style.ink, "sans", BODY_TEXT_PX
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
        return {"chosen": self.category, "lines": [(line.text, line.outcomes) for line in self.content_rows]}
