"""Which problem comes next: daily, by game, in a streak, when guessing, and among the user's own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from shibumi3d.app.host import courses
from shibumi3d.app.host.courses import DailyCourse, GameCourse, StreakCourse, WinnabilityCourse
from shibumi3d.app.host.problems import ProblemLibrary
from shibumi3d.match.attempts import DAILY, FAILED, GAME, HINTED, SOLVED
from shibumi3d.match.daily import RatedProblem
from shibumi3d.match.store import MatchStore
from tests.three_problems import THREE, three

DAY = date(2026, 11, 25)


class Shelf(ProblemLibrary):
    def __init__(self, folder: Path) -> None:
        self.warned: list[str] = []
        super().__init__(lambda: MatchStore(folder / "matches"), lambda: True, self.warned.append)


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with three(tmp_path / "sets"):
        yield Shelf(tmp_path / "data")


def keep_own(folder: Path, *rows: str) -> None:
    (folder / "problems").mkdir(parents=True, exist_ok=True)
    (folder / "problems" / "own.yaml").write_text("problems:\n" + "".join(f"  - {row}\n" for row in rows))


def test_unsolved_problems_of_a_game_come_first(shelf: Shelf) -> None:
    course = GameCourse(shelf, "spline")
    assert course.current_name == "spline#1"
    shelf.add_attempt("spline#1", 1100, GAME, SOLVED, 1, 3.0)
    course.advance()
    assert course.current_name == "spline#2"
    shelf.add_attempt("spline#2", 1400, GAME, FAILED, 2, 3.0)
    course.advance()
    assert course.current_name == "spline#3"
    shelf.add_attempt("spline#3", 1700, GAME, HINTED, 1, 3.0)
    course.advance()
    assert course.current_name == "spline#2"  # it was solved only after a mistake
    assert GameCourse(shelf, "spline").current_name == "spline#2"
    assert shelf.count_solved("spline") == 2
    shelf.delete_attempts()
    assert shelf.count_solved("spline") == 0
    short = GameCourse(shelf, "spline", max_problems=1)
    assert (short.names, short.solved_steps, short.total_steps) == (["spline#1"], 0, 1)
    shelf.add_attempt("spline#1", 1100, GAME, SOLVED, 1, 3.0)
    shelf.add_attempt("spline#2", 1400, GAME, SOLVED, 1, 3.0)
    assert short.solved_steps == 1
    assert GameCourse(shelf, "spline").total_steps == 0, "there are too many for a row of beads"
    assert GameCourse(shelf, "no-such-game").current_name == ""


def test_daily_problems(shelf: Shelf) -> None:
    course = DailyCourse(shelf, DAY)
    assert sorted(course.names) == ["spline#1", "spline#2", "spline#3"]
    assert course.current_name == course.names[0]
    shelf.add_attempt(course.current_name, 1100, DAILY, SOLVED, 1, 3.0, DAY)
    course.advance()
    assert course.current_name == course.names[1]
    assert DailyCourse(shelf, DAY).current_name == course.names[1]
    assert (
        DailyCourse(shelf, date(2026, 11, 24)).current_name == DailyCourse(shelf, date(2026, 11, 24)).names[0]
    )


def test_progress_belongs_to_its_own_problem(shelf: Shelf) -> None:
    course = GameCourse(shelf, "spline", "spline#2")
    course.save_progress({"moves": ["W@Ac3"]})
    assert GameCourse(shelf, "spline").current_name == "spline#2"
    assert GameCourse(shelf, "spline").saved_attempt() == {"moves": ["W@Ac3"]}
    assert GameCourse(shelf, "spline", "spline#3").saved_attempt() == {}
    course.delete_progress()
    assert GameCourse(shelf, "spline", "spline#2").saved_attempt() == {}


def test_streak_gets_harder_and_ends_with_the_third_miss(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each problem of a streak is harder than the one before, and the third miss ends the streak.

    The forty problems are numbered in ascending order of rating. Their ratings are 40 points apart, which is also the
    step by which a streak's target rating rises. After each of the first seven problems, two of which are missed, the
    streak is saved and opened again. The eighth problem is the third miss.
    """
    many = tuple(RatedProblem("spline", number, 1000 + 40 * number) for number in range(40))
    monkeypatch.setattr(courses, "builtin_problems", lambda: many)
    monkeypatch.setattr(shelf, "find", lambda name: THREE[0])
    course, ratings = StreakCourse(shelf), []
    for good in (True, True, False, True, False, True, True):
        ratings.append(int(course.current_name.partition("#")[2]))
        course.record_result(good)
        course.advance()
        course.save_progress({})
        course = StreakCourse(shelf)
    assert ratings == sorted(set(ratings))
    assert (course.solved_count, course.missed_count, course.is_over) == (5, 2, False)
    course.record_result(False)
    course.advance()
    assert (course.is_over, course.current_name) == (True, "")
    course.delete_progress()
    assert StreakCourse(shelf).played_names == []


def test_streaks_include_own_problems(shelf: Shelf, tmp_path: Path) -> None:
    own_rows = [replace(THREE[1], id=number).to_row(include_game=True) for number in (7, 8)]
    old = replace(THREE[1], id=9, rules="of yesterday").to_row(include_game=True)
    keep_own(tmp_path / "data", *own_rows, old)
    assert list(shelf.own_problems()) == ["spline#own7", "spline#own8", "spline#own9"]
    assert shelf.find("spline#own9") is None  # the rules have changed
    found = shelf.find("spline#own8")
    assert found is not None
    assert found.line == THREE[1].line
    course, names = StreakCourse(shelf), []
    while course.current_name:
        names.append(course.current_name)
        course.record_result(True)
        course.advance()
    assert len(names) == len(set(names)) == 5
    assert "#own" in names[2]
    assert sum("#own" in name for name in names) == 2


def test_problem_can_be_saved_as_own_problem(shelf: Shelf, tmp_path: Path) -> None:
    first, second = replace(THREE[0], id=40), replace(THREE[1], id=40)
    assert shelf.save_own(first) == "spline#own1"
    assert shelf.save_own(second) == "spline#own2"
    assert shelf.save_own(replace(first, rating=900)) == "spline#own1"
    found = Shelf(tmp_path / "data").own_problems()
    assert {name: (each.line, each.rating, each.rules) for name, each in found.items()} == {
        "spline#own1": (first.line, 900, first.rules),
        "spline#own2": (second.line, second.rating, second.rules),
    }
    path = tmp_path / "data" / "problems" / "own.yaml"
    path.write_text("nothing that can be read")
    assert shelf.save_own(first) == ""
    assert path.read_text() == "nothing that can be read"
    assert len(shelf.warned) == 1


def test_warning_says_how_many_problems_could_not_be_saved(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir(parents=True, exist_ok=True)
    (tmp_path / "data" / "problems").write_text("a file instead of a folder")
    assert shelf.save_own(THREE[0]) == ""
    assert shelf._save_all_own(THREE[:2]) == []
    one, several = shelf.warned
    assert one.startswith("Couldn't save the problem: ")
    assert several.startswith("Couldn't save the problems: ")


def test_unreadable_own_problems_are_reported_once(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.own_problems() == {}
    keep_own(tmp_path / "data", "{id: 1}")
    assert shelf.own_problems() == {}
    assert shelf.own_problems() == {}
    (said,) = shelf.warned
    assert said.startswith("Couldn't read your saved problems: ")
    assert said.endswith(".")
    assert not said.endswith("..")
    assert StreakCourse(shelf).current_name


def test_win_or_no_win_problems_come_up_again(shelf: Shelf) -> None:
    course, names = WinnabilityCourse(shelf), []
    for _ in range(4):
        names.append(course.current_name)
        course.advance()
        course.save_progress({})
    assert sorted(names[:3]) == ["spline#1", "spline#2", "spline#3"]
    assert names[3] == names[0]
    assert WinnabilityCourse(shelf).number == 4


def test_invalid_progress_is_ignored(shelf: Shelf) -> None:
    shelf.save_progress("streak", {"at": "gone#9", "had": 3, "missed": 99, "seed": "x"})
    course = StreakCourse(shelf)
    assert (course.played_names, course.missed_count) == ([], 0)
    assert course.current_name.startswith("spline#")
    shelf.save_progress("doubt", {"number": -4})
    assert WinnabilityCourse(shelf).number == 0
