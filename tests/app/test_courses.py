"""Which problem comes next: of a day, of a game, in a streak, where it is doubted; one's own; what is forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from shibumi3d.app.host import courses
from shibumi3d.app.host.courses import Daily, Doubt, OfGame, Streak
from shibumi3d.app.host.problems import Problems
from shibumi3d.match.daily import RatedProblem
from shibumi3d.match.store import Store
from shibumi3d.match.tries import DAILY, FAILED, GAME, HINTED, SOLVED
from tests.three_problems import THREE, three

DAY = date(2026, 11, 25)


class Shelf(Problems):
    """Problems whose warnings are kept."""

    def __init__(self, folder: Path) -> None:
        self.warned: list[str] = []
        super().__init__(lambda: Store(folder / "matches"), lambda: True, self.warned.append)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with three(tmp_path / "sets"):
        yield Shelf(tmp_path / "data")


def keep_own(folder: Path, *rows: str) -> None:
    (folder / "problems").mkdir(parents=True, exist_ok=True)
    (folder / "problems" / "own.yaml").write_text("problems:\n" + "".join(f"  - {row}\n" for row in rows))


def test_problems_of_a_game_those_not_found_first(shelf: Shelf) -> None:
    course = OfGame(shelf, "spline")
    assert course.at == "spline#1"
    shelf.add("spline#1", 1100, GAME, SOLVED, 1, 3.0)
    course.go_on()
    assert course.at == "spline#2"
    shelf.add("spline#2", 1400, GAME, FAILED, 2, 3.0)
    course.go_on()
    assert course.at == "spline#3"
    shelf.add("spline#3", 1700, GAME, HINTED, 1, 3.0)
    course.go_on()
    assert course.at == "spline#2"  # it was not found without going wrong
    assert OfGame(shelf, "spline").at == "spline#2"
    assert shelf.solved("spline") == 2
    shelf.forget()
    assert shelf.solved("spline") == 0
    assert OfGame(shelf, "spline", most=1).names == ["spline#1"]
    assert OfGame(shelf, "no-such-game").at == ""


def test_problems_of_a_day(shelf: Shelf) -> None:
    course = Daily(shelf, DAY)
    assert sorted(course.names) == ["spline#1", "spline#2", "spline#3"]
    assert course.at == course.names[0]
    shelf.add(course.at, 1100, DAILY, SOLVED, 1, 3.0, DAY)
    course.go_on()
    assert course.at == course.names[1]
    assert Daily(shelf, DAY).at == course.names[1]
    assert Daily(shelf, date(2026, 11, 24)).at == Daily(shelf, date(2026, 11, 24)).names[0]


def test_what_was_done_of_a_problem_is_of_that_problem(shelf: Shelf) -> None:
    course = OfGame(shelf, "spline", "spline#2")
    course.leave({"moves": ["W@Ac3"]})
    assert OfGame(shelf, "spline").at == "spline#2"
    assert OfGame(shelf, "spline").left() == {"moves": ["W@Ac3"]}
    assert OfGame(shelf, "spline", "spline#3").left() == {}
    course.forget()
    assert OfGame(shelf, "spline", "spline#2").left() == {}


def test_a_streak_rises_and_ends(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of forty problems forty points apart each is harder than the one before; it ends with the third miss."""
    many = tuple(RatedProblem("spline", number, 1000 + 40 * number) for number in range(40))
    monkeypatch.setattr(courses, "heads", lambda: many)
    monkeypatch.setattr(shelf, "find", lambda name: THREE[0])
    course, ratings = Streak(shelf), []
    for good in (True, True, False, True, False, True, True):
        ratings.append(int(course.at.partition("#")[2]))
        course.ended(good)
        course.go_on()
        course.leave({})
        course = Streak(shelf)
    assert ratings == sorted(set(ratings))
    assert (course.found, course.missed, course.over) == (5, 2, False)
    course.ended(False)
    course.go_on()
    assert (course.over, course.at) == (True, "")
    course.forget()
    assert Streak(shelf).had == []


def test_own_problems_come_up_in_a_streak(shelf: Shelf, tmp_path: Path) -> None:
    own = [replace(THREE[1], id=number).row(alone=True) for number in (7, 8)]
    old = replace(THREE[1], id=9, rules="of yesterday").row(alone=True)
    keep_own(tmp_path / "data", *own, old)
    assert list(shelf.own()) == ["spline#own7", "spline#own8", "spline#own9"]
    assert shelf.find("spline#own9") is None  # the rules are others now
    found = shelf.find("spline#own8")
    assert found is not None
    assert found.line == THREE[1].line
    course, names = Streak(shelf), []
    while course.at:
        names.append(course.at)
        course.ended(True)
        course.go_on()
    assert len(names) == len(set(names)) == 5
    assert "#own" in names[2]
    assert sum("#own" in name for name in names) == 2


def test_a_problem_is_kept_as_one_of_ones_own(shelf: Shelf, tmp_path: Path) -> None:
    first, second = replace(THREE[0], id=40), replace(THREE[1], id=40)
    assert shelf.keep(first) == "spline#own1"
    assert shelf.keep(second) == "spline#own2"
    assert shelf.keep(replace(first, rating=900)) == "spline#own1"
    found = Shelf(tmp_path / "data").own()
    assert {name: (each.line, each.rating, each.rules) for name, each in found.items()} == {
        "spline#own1": (first.line, 900, first.rules),
        "spline#own2": (second.line, second.rating, second.rules),
    }
    path = tmp_path / "data" / "problems" / "own.yaml"
    path.write_text("nothing that can be read")
    assert shelf.keep(first) == ""
    assert path.read_text() == "nothing that can be read"
    assert len(shelf.warned) == 1


def test_own_problems_that_can_not_be_read_are_said_once(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.own() == {}
    keep_own(tmp_path / "data", "{id: 1}")
    assert shelf.own() == {}
    assert shelf.own() == {}
    (said,) = shelf.warned
    assert said.startswith("Couldn't read your saved problems: ")
    assert Streak(shelf).at


def test_doubts_come_round(shelf: Shelf) -> None:
    course, names = Doubt(shelf), []
    for _ in range(4):
        names.append(course.at)
        course.go_on()
        course.leave({})
    assert sorted(names[:3]) == ["spline#1", "spline#2", "spline#3"]
    assert names[3] == names[0]
    assert Doubt(shelf).number == 4


def test_broken_states_are_left_out(shelf: Shelf) -> None:
    shelf.leave("streak", {"at": "gone#9", "had": 3, "missed": 99, "seed": "x"})
    course = Streak(shelf)
    assert (course.had, course.missed) == ([], 0)
    assert course.at.startswith("spline#")
    shelf.leave("doubt", {"number": -4})
    assert Doubt(shelf).number == 0
