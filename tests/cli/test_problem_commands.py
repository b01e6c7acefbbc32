"""The commands that show problems, draw them, prove them again and mine new ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from shibumi3d import paths
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.catalogue.notation import format_turns
from shibumi3d.catalogue.problems import load_problems, parse_problem_file
from shibumi3d.cli.main import main
from shibumi3d.search.problems.candidates import Candidate, FoundProblem
from shibumi3d.search.problems.selection import ProblemSelection

SET = Path(str(paths.catalogue_folder())) / "problems" / "spline.yaml"


def write_problem_set(folder: Path, rows: int, *change: str) -> Path:
    """Write a file with the first ``rows`` problems of Spline, and return its path.

    If ``change`` is given, it consists of a string in the file and its replacement.
    """
    text = "".join(SET.read_text(encoding="utf-8").splitlines(keepends=True)[: 2 + rows])
    file = folder / "spline.yaml"
    file.write_text(text.replace(*change) if change else text, encoding="utf-8")
    return file


def test_problem_is_printed_with_its_task_and_solution(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "show", "spline", "1", "--solution"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = load_problems("spline")[0]
    assert lines[0].startswith("level A")
    assert lines[-3].endswith("to move and win in 1 turn.")
    assert first.themes == ("at-once",)
    assert lines[-2:] == [format_turns(first.line), "Themes: wins at once."]


def test_unknown_problem_number_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "show", "spline", "9999"]) == 1
    assert "there is no problem 9999 for Spline" in capsys.readouterr().err


def test_diagram_page_of_problems_includes_their_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.svg"
    assert main(["problems", "show", "spline", "1", "2", "--svg", str(page)]) == 0
    assert page.read_text(encoding="utf-8").count("win in 1 turn.") == 2
    pdf = tmp_path / "page.pdf"
    assert main(["problems", "show", "spline", "1", "2", "--pdf", str(pdf)]) == 0
    assert pdf.read_bytes().startswith(b"%PDF")
    numbers = [str(number) for number in range(1, 12)]
    assert main(["problems", "show", "spline", *numbers, "--svg", str(page)]) == 1
    assert capsys.readouterr().err


def test_check_command_proves_problems_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", "check", str(write_problem_set(tmp_path, 2))]) == 0
    assert "2 problems checked, 0 wrong," in capsys.readouterr().out
    assert main(["problems", "check", "--other", "--first", "1", str(write_problem_set(tmp_path, 2))]) == 0
    assert "1 problem checked, 0 wrong," in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ((" n: 1,", " n: 2,"), "the solution doesn't end in a win"),
        (('moves: "', 'moves: "x'), "its moves can't be played"),
        (("rules: ", "rules: 1"), "the rules have changed"),
    ],
)
def test_check_command_reports_wrong_problems(
    change: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if change[0] == "rules: ":
        change = (SET.read_text(encoding="utf-8").splitlines()[0], 'rules: "0"')
    assert main(["problems", "check", str(write_problem_set(tmp_path, 1, *change))]) == 1
    assert f"Spline 1: {said}." in capsys.readouterr().out


def test_mining_adds_to_an_existing_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = load_catalogue().get("spline").game()
    third = load_problems("spline")[2]
    at = Candidate(game, third.start_state(game), third.moves)
    new = FoundProblem("win", at, third.n, third.line, wrong=third.wrong, rating=1)

    def mined(
        table: object, fits: object, do: object, known: list[FoundProblem], **more: object
    ) -> tuple[int, ProblemSelection]:
        return 1, ProblemSelection(lambda one: True, [*known, new])

    monkeypatch.setattr("shibumi3d.lab.mining.mine_problems", mined)
    file = write_problem_set(tmp_path, 2, "id: 2,", "id: 7,")
    before = file.read_text(encoding="utf-8")
    assert main(["problems", "mine", "spline", "--out", str(file)]) == 0
    assert "Spline: 3 problems saved; 1 match searched in " in capsys.readouterr().out
    after = file.read_text(encoding="utf-8")
    # Existing problems keep their places and numbers, although the new one is easier.
    assert after.startswith(before)
    assert [one.id for one in parse_problem_file(after.encode(), "", "spline")] == [1, 7, 8]
    # A set made for other rules is not continued.
    file.write_text(before.replace('rules: "', 'rules: "0', 1), encoding="utf-8")
    assert main(["problems", "mine", "spline", "--out", str(file)]) == 0
    assert [one.id for one in parse_problem_file(file.read_bytes(), "", "spline")] == [1]


@pytest.mark.thorough
def test_mined_problems_are_written_as_a_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sponnect.yaml"
    assert main(["problems", "mine", "sponnect", "--out", str(out), "--seconds", "1"]) == 0
    output = capsys.readouterr().out
    if out.exists():
        found = parse_problem_file(out.read_bytes(), str(out), "sponnect")
        assert f"Sponnect: {len(found)} problem" in output
    else:
        assert "Sponnect: 0 problems" in output
