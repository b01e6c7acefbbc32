"""Problems in the terminal: wrong turns and their refutation, hints, solutions and stored results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shibumi3d import i18n
from shibumi3d.app.host.problems import ProblemLibrary
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli import terminal_problems
from shibumi3d.match.attempts import FAILED, HINTED, SHOWN
from shibumi3d.match.store import MatchStore
from tests.three_problems import three
from tests.typed_lines import make_reader


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[ProblemLibrary]:
    with three(tmp_path / "problems"):
        yield ProblemLibrary(lambda: MatchStore(tmp_path / "data" / "matches"), lambda: True, print)


def play_lines(shelf: ProblemLibrary, number: int, *lines: str, lang: str = "en") -> str:
    """Play the problems of Spline, starting with problem ``number``, and return the output.

    ``lines`` are the lines of input. If ``number`` is 0, the first problem is the one at which the player left off.
    """
    said: list[str] = []
    ask = make_reader(list(lines), said.append)
    i18n.set_language(lang)
    try:
        terminal_problems.play_problems(
            load_catalogue().get("spline"), shelf, number, ask, said.append, lambda: 5.0
        )
    finally:
        i18n.set_language("en")
    return "\n".join(said)


def attempt_results(shelf: ProblemLibrary) -> list[tuple[str, str, int]]:
    return [(one.problem, one.outcome, one.turns_tried) for one in shelf.attempts()]


def test_problem_is_solved_after_a_wrong_turn(shelf: ProblemLibrary) -> None:
    said = play_lines(shelf, 2, "W@Ab1", "undo", "Ac3", "1000", "help", "Ac2", "quit")
    assert "White to move and win in 2 turns." in said
    assert "The reply – White on" not in said
    assert "black on Ad4" in said  # the refutation
    assert "Ab1. The reply – " in said
    assert "White to move and win in 1 turn." in said
    assert "Solved on try 2, in 0:00." in said
    assert attempt_results(shelf) == [("spline#2", FAILED, 2)]


def test_hint_and_solution_are_given_and_recorded(shelf: ProblemLibrary) -> None:
    said = play_lines(shelf, 1, "hint", "Ac1", "", "W@Ab1", "show", "quit")
    assert "Try W@Ac1." in said
    assert "Spline, problem 2" in said
    assert attempt_results(shelf) == [("spline#1", HINTED, 1), ("spline#2", SHOWN, 2)]


def test_shown_solution_does_not_repeat_a_colour_after_the_name(shelf: ProblemLibrary) -> None:
    said = play_lines(shelf, 1, "show", "quit")
    assert "White: Ac1" in said
    assert "White: white" not in said


def test_problem_is_resumed_in_french(shelf: ProblemLibrary) -> None:
    play_lines(shelf, 3, "B@Bb1", "Ba1", "quit")
    assert shelf.load_progress("game spline")["solving"]["wrong"] == [["B@Bb1"]]
    said = play_lines(shelf, 0, "suivant", lang="fr")
    assert "Spline, problème 3" in said
    assert "Noir joue et gagne en 2 tours." in said
    assert "Spline, problème 1" in said
