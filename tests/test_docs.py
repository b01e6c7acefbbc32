"""The pages in docs/ are correct: their Python code runs, and the files they name exist."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
from pathlib import Path

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.main import main, make_parser
from shibumi3d.match.match import Match
from shibumi3d.search.levels import LEVELS
from tests import layers
from tests.share import THOROUGH
from tests.sources import PACKAGE
from tests.test_import_layers import LAYERS

DOCS = PACKAGE.parent / "docs"
PLAYERS = DOCS / "players.md"
COMMANDS = [
    line
    for page in (PLAYERS, DOCS / "practice.md", DOCS / "together.md")
    for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
]
"""The commands on the pages for players."""


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub and similar sites generate for a page's headings.

    The numbers that they add to the anchors of repeated headings are left out. Comments that begin with ``#`` in code
    blocks are taken for headings, too.
    """
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "page",
    [*sorted(DOCS.rglob("*.md")), *sorted(DOCS.parent.glob("*.md"))],
    ids=lambda page: page.relative_to(DOCS.parent).as_posix(),
)
def test_links_between_pages_lead_to_headings(page: Path) -> None:
    for link, anchor in re.findall(r"\]\(([^():#]*\.md|)#([^)]+)\)", page.read_text(encoding="utf-8")):
        assert anchor in anchors((page.parent / link).resolve() if link else page), f"{link}#{anchor}"


def test_api_page_examples_run() -> None:
    failed, tried = doctest.testfile(str(DOCS / "api.md"), module_relative=False, encoding="utf-8")
    assert tried > 15
    assert not failed


def test_laboratory_page_examples_run() -> None:
    failed, tried = doctest.testfile(str(DOCS / "laboratory.md"), module_relative=False, encoding="utf-8")
    assert (failed, tried) == (0, 6)


def test_research_page_examples_run() -> None:
    failed, tried = doctest.testfile(str(DOCS / "research.md"), module_relative=False, encoding="utf-8")
    assert (failed, tried) == (0, 13)


def test_api_page_names_existing_game_members() -> None:
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    game = load_catalogue().get("spline").game()
    for name in re.findall(r"`(\w+)(?:\([^)]*\))?`(?=[, |])", text.partition("## Search")[0]):
        if name not in ("shibumi3d",):
            assert hasattr(game, name) or name in ("size", "variant"), name


def test_players_page_examples_run_and_table_matches_levels() -> None:
    failed, tried = doctest.testfile(str(PLAYERS), module_relative=False, encoding="utf-8")
    assert (failed, tried > 6) == (0, True)
    table = PLAYERS.read_text(encoding="utf-8").partition("| level | number |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (\w+) \| (\d) \| (.*) \|$", table, re.MULTILINE)
    assert rows == [(one.name, str(one.number), one.description) for one in LEVELS]
    assert len(COMMANDS) >= 6


@pytest.mark.parametrize("command", COMMANDS)
def test_players_page_commands_parse(command: str) -> None:
    name, *words = shlex.split(command)
    assert name == "shibumi3d"
    make_parser().parse_args(words)


@pytest.mark.parametrize(
    "command", [COMMANDS[0], *(pytest.param(one, marks=THOROUGH) for one in COMMANDS[1:])]
)
def test_players_page_commands_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match(load_catalogue().get("spline").game(), ["Ann", "Ben"], 1)
    for move in ("W@Aa1", "B@Ad1", "W@Aa2", "B@Ad2", "W@Aa3"):
        match.play(move)
    match.record().save(tmp_path / "match.yaml")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shibumi3d.cli.play.read_line", lambda prompt: "quit")
    # One game of each series is enough.
    words = shlex.split(command.replace("--games 4", "--games 1"))
    code = main(words[1:])
    output = capsys.readouterr()
    assert output.out
    assert code in (0, 1) if words[1] == "solve" else code == 0, output.err


ARCHITECTURE = (DOCS / "architecture.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`([\w/]+\.(?:py|yaml))`((?:,? `(?!\w+\.(?:py|yaml)`)\w+(?:\.\w+)*`)+)")
"""Pattern for a file followed by names defined in it, as in tables."""
NAMES_IN_FILE = re.compile(r"(`\w+(?:\.\w+)*`(?:(?:,| and| or) `\w+(?:\.\w+)*`)*) in `([\w/]+\.py)`")
"""Pattern for names followed by the file that defines them, as in sentences."""


def test_architecture_page_names_existing_files_and_layers() -> None:
    paths = re.findall(
        r"`((?:app|assets|catalogue|cli|engine|export|lab|language|match|render|research|rules|scene|search)/[\w/.]+)`",
        ARCHITECTURE,
    )
    assert len(paths) > 50
    for path in paths:
        places = (PACKAGE / path, PACKAGE / "rules/marbles" / path)
        assert any(place.exists() for place in places), path
    for path in re.findall(r"`((?:tests|docs|games|tools)/[\w/.]*)`", ARCHITECTURE):
        assert (DOCS.parent / path).exists(), path
    for layer, (_, outside) in LAYERS.items():
        if (PACKAGE / layer).is_dir():
            assert f"| `{layer}/` |" in ARCHITECTURE, layer
            for library in outside - {"numpy", "moderngl", "pyrr", "platformdirs", "yaml"}:
                assert library in ARCHITECTURE


def defined_names(file: Path) -> set[str]:
    """Return the names of functions, classes and variables defined in a module and its classes.

    Methods and nested classes are also included as ``Class.name``. Definitions inside functions or statements such as
    ``if`` are left out, and so are names that are assigned as part of a tuple.
    """
    found: set[str] = set()
    left: list[tuple[str, ast.AST]] = [("", ast.parse(file.read_text(encoding="utf-8")))]
    while left:
        prefix, owner = left.pop()
        for node in ast.iter_child_nodes(owner):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                found |= {node.name, prefix + node.name}
                if isinstance(node, ast.ClassDef):
                    left.append((f"{node.name}.", node))
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def missing_names(text: str) -> list[str]:
    """Return "path name" for each name that isn't defined in the file that ``text`` gives for it.

    A file that doesn't exist or isn't a Python file counts as defining no names.
    """
    missing = []
    pairs = NAMED.findall(text)
    pairs += [(path, names) for names, path in NAMES_IN_FILE.findall(" ".join(text.split()))]
    for path, names in pairs:
        places = (PACKAGE / path, PACKAGE / "rules/marbles" / path, PACKAGE.parent / path)
        file = next((place for place in places if place.is_file()), None)
        known = defined_names(file) if file is not None and file.suffix == ".py" else set()
        missing += [f"{path} {name}" for name in re.findall(r"`([\w.]+)`", names) if name not in known]
    return missing


def test_architecture_page_names_existing_functions_and_classes() -> None:
    assert missing_names(ARCHITECTURE) == []
    assert missing_names("`match/match.py` `Match.play`, `Match.sing`, `Song`") == [
        "match/match.py Match.sing",
        "match/match.py Song",
    ]
    assert missing_names("`Match`, `Song` and `Match.sing`\nin `match/match.py`") == [
        "match/match.py Song",
        "match/match.py Match.sing",
    ]


ADDITIONS = (
    "A button on the result bar",
    "A keyboard shortcut",
    "A setting",
    "The text of a hint",
    "A word of the rule language",
    "A verb of the rule language",
    "A kind of table",
    "A heuristic for computer players",
    "A page",
    "An export format",
    "A language",
    "A spoken answer (F3 to F9)",
    "A motion of the marbles",
    "The thinking time of computer players",
    "A sound",
    "A sign on the board",
    "A terminal command",
    "A statistic",
)
"""What a new contributor may want to add."""


def test_architecture_page_says_where_additions_belong() -> None:
    table = ARCHITECTURE.partition("\n## Where do I put …?\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| ([A-Z][^|]*?) \| ([^|]*) \|", table, re.MULTILINE)
    assert tuple(what for what, _ in rows) == ADDITIONS
    for what, where in rows:
        assert NAMED.search(where), f"{what}: name the file, and a function or class in it"


def test_architecture_page_has_one_short_section_per_layer() -> None:
    sections = (
        ARCHITECTURE.partition("\n## The layers one by one\n")[2].partition("\n## ")[0].split("\n### ")[1:]
    )
    layers = [section.partition("\n")[0].strip("`/") for section in sections]
    assert layers == [name for name in LAYERS if (PACKAGE / name).is_dir()]
    for section in sections:
        assert 3 <= len(section.strip().splitlines()) <= 30, section.partition("\n")[0]


def test_modules_are_sorted_into_layers() -> None:
    graph = {"top": {"middle", "low"}, "middle": {"low"}, "low": set(), "alone": set()}
    assert layers.sort_into_layers(graph) == [["top"], ["middle"], ["alone", "low"]]
    with pytest.raises(ValueError, match="circular imports: one, other"):
        layers.sort_into_layers({"one": {"other"}, "other": {"one"}, "low": set()})


def test_layer_diagram_is_up_to_date() -> None:
    drawn = (
        layers.PAGE.read_text(encoding="utf-8").split(layers.PICTURE_BEGIN)[1].split(layers.PICTURE_END)[0]
    )
    assert drawn.strip() == layers.draw_layers().strip(), "run make docs to update it"
