"""The pages in docs/ tell the truth: their Python runs, and the files that they name are there."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load
from shibumi3d.cli.main import main, parser
from shibumi3d.match.match import Match
from shibumi3d.search.levels import LEVELS
from tests import floors
from tests.share import THOROUGH
from tests.sources import PACKAGE
from tests.test_layers import LAYERS

DOCS = PACKAGE.parent / "docs"
PLAYERS = DOCS / "players.md"
COMMANDS = [
    line
    for block in re.findall(r"```sh\n(.*?)```", PLAYERS.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
]
"""Those that the page of players tells of."""


def test_the_python_of_the_interface_runs() -> None:
    failed, tried = doctest.testfile(str(DOCS / "api.md"), module_relative=False, encoding="utf-8")
    assert tried > 15
    assert not failed


def test_the_python_of_the_laboratory_runs() -> None:
    failed, tried = doctest.testfile(str(DOCS / "laboratory.md"), module_relative=False, encoding="utf-8")
    assert (failed, tried) == (0, 6)


def test_the_python_of_research_runs() -> None:
    failed, tried = doctest.testfile(str(DOCS / "research.md"), module_relative=False, encoding="utf-8")
    assert (failed, tried) == (0, 13)


def test_the_interface_names_what_a_game_can_do() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    game = load().get("spline").game()
    for name in re.findall(r"`(\w+)(?:\([^)]*\))?`(?=[, |])", text.partition("## Search")[0]):
        if name not in ("shibumi3d",):
            assert hasattr(game, name) or name in ("size", "variant"), name


def test_the_page_of_players_tells_the_truth() -> None:
    """Its Python runs, and its table is that of the strengths."""
    failed, tried = doctest.testfile(str(PLAYERS), module_relative=False, encoding="utf-8")
    assert (failed, tried > 6) == (0, True)
    table = PLAYERS.read_text(encoding="utf-8").partition("| strength | number |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (\w+) \| (\d) \| (.*) \|$", table, re.MULTILINE)
    assert rows == [(one.name, str(one.number), one.character) for one in LEVELS]
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_the_page_of_players_are_understood(command: str) -> None:
    name, *words = shlex.split(command)
    assert name == "shibumi3d"
    parser().parse_args(words)


@pytest.mark.parametrize(
    "command", [COMMANDS[0], *(pytest.param(one, marks=THOROUGH) for one in COMMANDS[1:])]
)
def test_commands_of_the_page_of_players_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match(load().get("spline").game(), ["Ann", "Ben"], 1)
    for move in ("W@Aa1", "B@Ad1", "W@Aa2", "B@Ad2", "W@Aa3"):
        match.play(move)
    match.record().save(tmp_path / "match.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shibumi3d.cli.play.read_line", lambda prompt: "quit")
    # One game of each series is enough.
    words = shlex.split(command.replace("--games 4", "--games 1"))
    code = main(words[1:])
    told = capsys.readouterr()
    assert told.out
    assert code in (0, 1) if words[1] == "solve" else code == 0, told.err


def test_the_picture_of_the_house_names_files_and_layers_that_are_there() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    for path in re.findall(r"`((?:app|match|rules|scene|render|search|engine|language)/[\w/.]+)`", text):
        places = (PACKAGE / path, PACKAGE / "rules/marbles" / path)
        assert any(place.exists() for place in places), path
    for path in re.findall(r"`((?:tests|docs|games)/[\w/.]*)`", text):
        assert (DOCS.parent / path).exists(), path
    for layer, (_, outside) in LAYERS.items():
        if (PACKAGE / layer).is_dir():
            assert f"| `{layer}/` |" in text, layer
            for library in outside - {"numpy", "moderngl", "pyrr", "platformdirs", "yaml"}:
                assert library in text


def test_floors_are_found() -> None:
    graph = {"top": {"beside", "low"}, "beside": {"low"}, "low": set(), "alone": set()}
    assert floors.floors(graph) == [["top"], ["beside"], ["alone", "low"]]
    with pytest.raises(ValueError, match="in a circle: one, other"):
        floors.floors({"one": {"other"}, "other": {"one"}, "low": set()})


def test_the_house_is_drawn_as_it_stands() -> None:
    drawn = floors.PICTURE.read_text(encoding="utf-8").split(floors.BEGIN)[1].split(floors.END)[0]
    assert drawn.strip() == floors.picture().strip(), "make docs draws it anew"
