"""``shibumi3d learn``: what it stores, where, and what it prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.main import main
from shibumi3d.lab import training
from shibumi3d.match.match import Match
from shibumi3d.match.store import games_folder
from shibumi3d.rules.marbles.search import learned_weights

if TYPE_CHECKING:
    from .conftest import Run

MINE = """\
title: Mine
players: 2
sizes: [3]
turn: {place: own}
end: [{when: stuck, lose: me}]
"""


@pytest.fixture(autouse=True)
def _isolate_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Use temporary folders, and shorten the training to a few matches."""
    for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(learned_weights, "count_course_matches", lambda game, seats: 10)


@pytest.fixture
def wins(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Fake the evaluation matches.

    The trained player wins all of them if the last item of the returned list is true, and otherwise none.
    """
    said = [True]

    def run_job(self: training.EvaluationMatchesJob) -> list[dict[str, object]]:
        end = {"moves": [], "turns": 9, "winners": [0 if said[-1] else 1], "scores": [], "reason": ""}
        return [{"number": number, **end} for number in range(self.first, self.first + self.count)]

    monkeypatch.setattr(training.EvaluationMatchesJob, "run", run_job)
    return said


def test_trained_own_game_is_used_by_its_computers(run: Run, wins: list[bool]) -> None:
    folder = games_folder()
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(MINE)
    code, out, err = run("learn", "mine", "splink")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Splink: training isn't possible (a match is a series")
    assert lines[1].startswith(
        "Mine: scored 100% (70% to 100%) in 18 matches against Sky without this training"
    )
    game = load_catalogue(folder).get("mine").game()
    path = folder.parent / "learned" / game.knowledge_file_name(2)  # type: ignore[attr-defined]
    assert lines[1].endswith(f"; saved in {path}")
    assert learned_weights.get_weights(game, 2) is not None  # type: ignore[arg-type]
    # Weights that aren't better than these don't replace them.
    before = path.read_text()
    wins.append(False)
    code, out, _ = run("learn", "mine", "--seed", "1", "--json")
    result = json.loads(out)
    assert (code, result["kept"], result["share"], result["better"], result["matches"]) == (
        0,
        None,
        0.0,
        False,
        14,
    )
    assert path.read_text() == before
    wins.append(True)
    assert "saved in" in run("learn", "mine", "--seed", "2").out
    assert path.read_text() != before
    code, out, _ = run("learn", "mine", "--seed", "2")
    assert (code, out) == (0, "Mine: training found nothing new for Sky to learn\n")


def test_ignored_weights_are_reported_by_computers(run: Run, tmp_path: Path) -> None:
    game = load_catalogue().get("spline").game(size=3)
    match = Match(game, ["Ann", "Ben"], 1)
    match.play("W@Ab2")
    match.record().save(tmp_path / "match.yaml")
    path = games_folder().parent / "learned" / game.knowledge_file_name(2)  # type: ignore[attr-defined]
    path.parent.mkdir(parents=True)
    path.write_text("1 broken\n")
    code, out, err = run("analyse", tmp_path / "match.yaml", "--iterations", "4")
    assert (code, err) == (
        0,
        "The computer players can't use what they have learned: Spline: these weights are damaged\n",
    )
    assert out
    path.unlink()
    assert run("analyse", tmp_path / "match.yaml", "--iterations", "4").err == ""


@pytest.mark.usefixtures("wins")
def test_weights_go_to_a_given_or_the_package_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("learn", "spline", "--size", "3", "--out", tmp_path / "there").code == 0
    (found,) = (tmp_path / "there").iterdir()
    assert found.read_text().startswith("3 spline/3/-/2 ")
    monkeypatch.setattr("shibumi3d.cli.learn._package_weights_folder", lambda: tmp_path / "package")
    assert run("learn", "spline", "--size", "3", "--package").code == 0
    assert [path.name for path in (tmp_path / "package").iterdir()] == ["spline_3_-_2.txt"]


def test_training_output_in_french(capsys: pytest.CaptureFixture[str], wins: list[bool]) -> None:
    wins.append(False)
    assert main(["--lang", "fr", "learn", "spline", "--size", "3"]) == 0
    assert "progrès peu net ; rien n'a été enregistré" in capsys.readouterr().out


def test_unwritable_folder_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = run("learn", "spline", "--out", tmp_path / "file" / "below")
    assert code == 1
    assert "below" in err or "file" in err
