"""The READMEs are correct: their Python code runs, and the table of games and the pictures are up to date."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from PIL import Image

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli.list import TABLE_END, TABLE_START, format_markdown
from shibumi3d.cli.main import COMMANDS
from tests.portraits import SIZE

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
BOTH = (README, ROOT / "README.fr.md")


@pytest.mark.parametrize("readme", BOTH)
def test_readme_examples_run(readme: Path) -> None:
    failed, tried = doctest.testfile(str(readme), module_relative=False, encoding="utf-8")
    assert tried > 5
    assert not failed


def test_games_table_matches_the_catalogue() -> None:
    text = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    (table,) = re.findall(rf"{TABLE_START}\n(.*?)\n{TABLE_END}", text, re.DOTALL)
    assert table == format_markdown(load_catalogue()), "bring it up to date with 'make docs'"


def test_every_game_has_a_small_picture() -> None:
    pictures = {path.stem: path for path in (ROOT / "docs" / "pictures" / "games").iterdir()}
    assert set(pictures) == {entry.id for entry in load_catalogue()}, "bring them up to date with 'make docs'"
    assert sum(path.stat().st_size for path in pictures.values()) <= 600_000
    for path in pictures.values():
        with Image.open(path) as picture:
            colours = picture.convert("RGB").getcolors(picture.width * picture.height)
            # Marbles, wood and shadows: far more than a page of one colour.
            assert picture.size == SIZE
            assert colours is not None
            assert len(colours) > 500, path.stem


@pytest.mark.parametrize("readme", BOTH)
def test_readme_lists_every_command(readme: Path) -> None:
    text = readme.read_text(encoding="utf-8")
    assert re.findall(r"^\| `shibumi3d ([\w-]+)", text, re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("readme", BOTH)
def test_readme_example_game_is_valid(tmp_path: Path, readme: Path) -> None:
    (text,) = re.findall(r"```yaml\n(.*?)```", readme.read_text(encoding="utf-8"), re.DOTALL)
    path = tmp_path / "corner.yaml"
    path.write_text(text, encoding="utf-8")
    assert load_catalogue().check([path]) == (1, ())


@pytest.mark.parametrize("readme", BOTH)
def test_readme_starts_with_a_description_and_two_commands(readme: Path) -> None:
    first = readme.read_text(encoding="utf-8").split("\n")[:20]
    assert first[2], "what it is"
    commands = [line.split("  ")[0] for line in first if line.startswith(("uv ", "make "))]
    assert commands == ["uv run shibumi3d", "make run"]


@pytest.mark.parametrize("readme", BOTH)
def test_readme_links_exist(readme: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)]+)\)", readme.read_text(encoding="utf-8"))
    assert links
    for link in links:
        if not (ROOT / link).exists():
            pytest.fail(f"{link} is missing; pictures are made by 'make shots'")


def test_readme_pictures_are_those_the_makefile_draws() -> None:
    drawn = re.findall(
        r"--(?:out|gif) (docs/pictures/\w+\.\w+)", (ROOT / "Makefile").read_text(encoding="utf-8")
    )
    for readme in BOTH:
        first, *shown = re.findall(r"!\[[^]]+\]\(([^)]+)\)", readme.read_text(encoding="utf-8"))
        assert first == "docs/pictures/store/1-match.webp"  # drawn by `make store`
        assert sorted(drawn) == sorted(shown)
    assert sorted(drawn) == sorted(
        f"docs/pictures/{path.name}" for path in (ROOT / "docs/pictures").iterdir() if path.is_file()
    )
    sizes = {name: (ROOT / name).stat().st_size for name in drawn}
    assert max(sizes.values()) <= 120_000, sizes
    assert sum(sizes.values()) <= 1_000_000
    # There are an animation and at least six still pictures.
    assert sum(name.endswith(".gif") for name in drawn) == 1
    assert len(drawn) >= 7


def parts(readme: Path) -> list[str]:
    """Return the structure of a README, in a form that is the same in English and French.

    The structure consists of heading levels, targets of pictures and links, commands and code, in order. Comments and
    ``title:`` lines in code are left out. File names, placeholders and ``--lang`` options that differ between the two
    languages are replaced by common ones.
    """
    text = readme.read_text(encoding="utf-8")
    text = re.sub(r"```(\w*)\n(.*?)```", lambda block: code(*block.groups()), text, flags=re.DOTALL)
    found = re.findall(
        r"^#+ |^CODE .*|`(?:shibumi3d|make|uv|uvx|pip|pipx|apt-get)\b[^`]*`|\]\([^)]+\)", text, re.MULTILINE
    )
    return [translated(one) for one in found]


def code(kind: str, lines: str) -> str:
    """Return a code block as one line: ``CODE``, its language and its text as a string literal.

    ``kind`` is the language, which may be empty, and ``lines`` is the text of the block. Lines that begin with
    ``title:`` are blanked out, and so are comments that follow at least two spaces.
    """
    plain = re.sub(r"  +# .*|^title: .*", "", lines, flags=re.MULTILINE)
    return f"CODE {kind} {plain!r}"


def translated(part: str) -> str:
    part = (
        part.replace("README.fr.md", "README.md")
        .replace("coin.yaml", "corner.yaml")
        .replace("--lang en", "--lang fr")
    )
    return re.sub(r"(?<![-_(\w])(?!CODE)[A-Z]{3,}(?![-_.\w])", "WORD", part)


def test_both_readmes_have_the_same_structure() -> None:
    english, french = map(parts, BOTH)
    assert len(english) > 60
    assert french == english
