"""Daily problems: three a day, of different difficulty and from different games, without repeats in a cycle."""

from __future__ import annotations

from datetime import date, timedelta

from shibumi3d.match.daily import RatedProblem, make_cycle, problems_of_date, split_by_difficulty

HEADS = [
    RatedProblem(f"game-{game}", number, 800 + number * 40 + game * 7)
    for game in range(40)
    for number in range(1, 31)
]
"""Thirty problems of each of forty games."""


def test_daily_cycle_has_distinct_problems_of_each_difficulty() -> None:
    """Each day has an easy, a medium and a hard problem, from three different games, and no problem is used twice."""
    days = make_cycle(HEADS)
    assert len(days) == 400
    parts = split_by_difficulty(HEADS)
    for day in days:
        assert len({head.game for head in day}) == 3
        assert all(head in part for head, part in zip(day, parts, strict=True))
    assert len({head for day in days for head in day}) == 1200
    assert max(head.rating for head in parts[0]) <= min(head.rating for head in parts[1])


def test_daily_problems_do_not_depend_on_input_order() -> None:
    days, other = make_cycle(HEADS), make_cycle(HEADS[::-1])
    begin = date(2026, 11, 25)
    assert days == other
    had = [problems_of_date(days, begin + timedelta(number)) for number in range(400)]
    assert sorted(had) == sorted(days)
    assert problems_of_date(days, begin + timedelta(400)) == had[0]
    assert problems_of_date(days, begin - timedelta(30_000)) in days  # a clock that is wrong by decades
    assert [head.name for head in had[0]] == ["game-5#1", "game-21#18", "game-7#26"]  # must never change


def test_daily_cycle_needs_three_problems() -> None:
    """With fewer than three problems, the cycle has no days, and no date has any problems.

    The three problems of a day come from different games if possible. If all problems are from one game, a day still
    has three different problems from it.
    """
    one = [RatedProblem("a", number, number * 100) for number in (1, 2, 3, 4)]
    assert {len({*day}) for day in make_cycle(one)} == {3}
    assert make_cycle(one[:2]) == ()
    assert problems_of_date((), date(2026, 1, 1)) == ()


def test_daily_problems_span_three_games_despite_uneven_sets() -> None:
    """Each of the first ten days has problems from three games, although the sets are uneven.

    One game has half of all problems, including all the hard ones, and another has all the easy ones. The medium
    problem of these days must therefore be from the third game, which has ten problems.
    """
    heads = [RatedProblem("a", n, 2000 + n) for n in range(30)] + [
        RatedProblem("b", n, 1000 + n) for n in range(20)
    ]
    heads += [RatedProblem("c", n, 1500 + n) for n in range(10)]
    assert all(len({head.game for head in day}) == 3 for day in make_cycle(heads)[:10])
