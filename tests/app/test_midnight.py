"""Pages left open past midnight: which problems they show and open, the day that counts, and suggested names."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from shibumi3d.app.host.courses import DailyCourse
from shibumi3d.app.match.marble_view.guided import ProblemPage
from shibumi3d.app.pages.home.cards import DailyProblemCard
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.problems import DAILY_CATEGORY, ProblemsPage
from shibumi3d.app.pages.tournaments.setup import TournamentSetupPage
from tests.app.hand import Hand
from tests.app.test_problem_page import NOON, instruction, open_course, problem_window

__all__ = ["problem_window"]

TODAY_NAMES, TOMORROW_NAMES = ("spline#1", "spline#2", "spline#3"), ("spline#2", "spline#3", "spline#1")
DAY = NOON.date()


@pytest.fixture
def two_days(problem_window: Hand, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """The program with different daily problems for today and tomorrow."""

    def daily(day: date) -> tuple[str, ...]:
        return TODAY_NAMES if day == DAY else TOMORROW_NAMES

    monkeypatch.setattr(problem_window.app.results.problems, "daily_names", daily)
    return problem_window


def pass_midnight(hand: Hand) -> None:
    hand.app.results.problems.now = lambda: NOON + timedelta(days=1)


def daily_card(hand: Hand) -> DailyProblemCard:
    hand.app.pages.show_home()
    hand.wait(1)
    page = hand.page(HomePage)
    assert page.daily_card._day is not None
    return page.daily_card


def open_problem(hand: Hand) -> tuple[date | None, str]:
    page = hand.page(ProblemPage)
    return page.course.day, page.course.current_name


def shown_position(card: DailyProblemCard) -> tuple[str, int]:
    assert card._position is not None
    return card._position[:2]


def test_home_page_opens_the_problem_it_shows_at_midnight(two_days: Hand) -> None:
    card = daily_card(two_days)
    pass_midnight(two_days)
    card.activate()
    assert open_problem(two_days) == (DAY, "spline#1")


@pytest.mark.parametrize("by", ["draw", "on_activate"])
def test_home_page_shows_the_new_daily_problem(two_days: Hand, by: str) -> None:
    card = daily_card(two_days)
    before = shown_position(card)
    pass_midnight(two_days)
    if by == "draw":
        two_days.draw()
    else:
        two_days.native.dispatch_event("on_activate")
    two_days.wait(1)
    assert card._day == DAY + timedelta(1)
    assert shown_position(card) != before
    card.activate()
    assert open_problem(two_days) == (DAY + timedelta(1), "spline#2")


def test_problems_page_opens_what_it_shows(two_days: Hand) -> None:
    for drawn, expected in ((False, (DAY, "spline#1")), (True, (DAY + timedelta(1), "spline#2"))):
        two_days.app.results.problems.now = lambda: NOON
        two_days.app.pages.show_problems(DAILY_CATEGORY)
        two_days.draw()
        page = two_days.app.current_page
        assert isinstance(page, ProblemsPage)
        pass_midnight(two_days)
        if drawn:
            two_days.draw()
        first = page.content_rows[0].make_course()
        assert (first.day, first.current_name) == expected
        page._open_selection()
        assert open_problem(two_days) == expected


def test_home_page_reopened_after_midnight_shows_the_new_day(two_days: Hand) -> None:
    card = daily_card(two_days)
    home = two_days.app.current_page
    card.activate()
    two_days.draw()
    pass_midnight(two_days)
    two_days.app.show_page(home, is_rebuilt=True)
    two_days.wait(1)
    assert card._day == DAY + timedelta(1)


def test_problem_started_before_midnight_counts_for_its_day(two_days: Hand) -> None:
    problems = two_days.app.results.problems
    page = open_course(two_days, DailyCourse(problems, DAY))
    pass_midnight(two_days)
    for _ in range(2):
        two_days.push("show the answer")
        two_days.draw()
    two_days.wait(15)
    assert page.course.day == DAY
    assert problems.attempts()[-1].daily_date == DAY
    assert "This was a daily problem for 25 Nov 2026." in instruction(page)


def test_suggested_name_of_a_tournament_follows_the_date(two_days: Hand) -> None:
    """After midnight, the suggested name shows the new date, but a name typed by the user is kept."""
    for typed, expected in (("", "Tournament, 26 Nov 2026"), ("Club night", "Club night")):
        two_days.app.results.problems.now = lambda: NOON
        two_days.app.pages.show_tournament_setup()
        two_days.draw()
        page = two_days.app.current_page
        assert isinstance(page, TournamentSetupPage)
        assert page.name_field.value == "Tournament, 25 Nov 2026"
        if typed:
            page.name_field.set_value(typed)
        pass_midnight(two_days)
        two_days.native.dispatch_event("on_activate")
        two_days.draw()
        assert page.name_field.value == expected
