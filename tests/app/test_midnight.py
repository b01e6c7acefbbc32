"""Pages that stay open past midnight open the problems that they show."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from shibumi3d.app.host.courses import DailyCourse
from shibumi3d.app.match.marble_view.guided import ProblemPage
from shibumi3d.app.pages.home.cards import DailyProblemCard
from shibumi3d.app.pages.home.page import HomePage
from shibumi3d.app.pages.problems import DAILY_CATEGORY, ProblemsPage
from tests.app.hand import Hand
from tests.app.test_problem_page import NOON, begin, posing, told

__all__ = ["posing"]

TODAY_NAMES, TOMORROW_NAMES = ("spline#1", "spline#2", "spline#3"), ("spline#2", "spline#3", "spline#1")
DAY = NOON.date()


@pytest.fixture
def night(posing: Hand, monkeypatch: pytest.MonkeyPatch) -> Hand:
    """Two days with different problems."""

    def daily(day: date) -> tuple[str, ...]:
        return TODAY_NAMES if day == DAY else TOMORROW_NAMES

    monkeypatch.setattr(posing.app.results.problems, "daily_names", daily)
    return posing


def pass_midnight(hand: Hand) -> None:
    hand.app.results.problems.now = lambda: NOON + timedelta(days=1)


def first_page(hand: Hand) -> DailyProblemCard:
    hand.app.pages.show_home()
    hand.wait(1)
    page = hand.app.current_page
    assert isinstance(page, HomePage)
    assert page.daily_card._day is not None
    return page.daily_card


def opened(hand: Hand) -> tuple[date | None, str]:
    page = hand.app.current_page
    assert isinstance(page, ProblemPage)
    return page.course.day, page.course.current_name


def shown(card: DailyProblemCard) -> tuple[str, int]:
    assert card._position is not None
    return card._position[:2]


def test_home_page_opens_the_problem_it_shows_at_midnight(night: Hand) -> None:
    card = first_page(night)
    pass_midnight(night)
    card.activate()
    assert opened(night) == (DAY, "spline#1")


@pytest.mark.parametrize("by", ["draw", "on_activate"])
def test_home_page_shows_the_new_daily_problem(night: Hand, by: str) -> None:
    card = first_page(night)
    before = shown(card)
    pass_midnight(night)
    if by == "draw":
        night.draw()
    else:
        night.native.dispatch_event("on_activate")
    night.wait(1)
    assert card._day == DAY + timedelta(1)
    assert shown(card) != before
    card.activate()
    assert opened(night) == (DAY + timedelta(1), "spline#2")


def test_problems_page_opens_what_it_shows(night: Hand) -> None:
    for drawn, expected in ((False, (DAY, "spline#1")), (True, (DAY + timedelta(1), "spline#2"))):
        night.app.results.problems.now = lambda: NOON
        night.app.pages.show_problems(DAILY_CATEGORY)
        night.draw()
        page = night.app.current_page
        assert isinstance(page, ProblemsPage)
        pass_midnight(night)
        if drawn:
            night.draw()
        first = page.content_rows[0].make_course()
        assert (first.day, first.current_name) == expected
        page._open_selection()
        assert opened(night) == expected


def test_home_page_reopened_after_midnight_shows_the_new_day(night: Hand) -> None:
    card = first_page(night)
    home = night.app.current_page
    card.activate()
    night.draw()
    pass_midnight(night)
    night.app.show_page(home, is_rebuilt=True)
    night.wait(1)
    assert card._day == DAY + timedelta(1)


def test_problem_started_before_midnight_counts_for_its_day(night: Hand) -> None:
    problems = night.app.results.problems
    page = begin(night, DailyCourse(problems, DAY))
    pass_midnight(night)
    for _ in range(2):
        night.push("show the answer")
        night.draw()
    night.wait(15)
    assert page.course.day == DAY
    assert problems.attempts()[-1].daily_date == DAY
    assert "This was a daily problem from 25 Nov 2026." in told(page)
