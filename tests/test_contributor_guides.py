"""The guides in CONTRIBUTING.md work: their code is applied to a copy, and the result is tried."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from shibumi3d import native

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
AT_THE_END = re.compile(
    r"[Aa]t\s+the\s+end\s+of\s+(?:the\s+(?:table|class)\s+`(\w+)`\s+in\s+)?`(shibumi3d/[\w/]+\.py)`"
)
NEW = re.compile(r"`((?:shibumi3d|games)/[\w/]+\.(?:py|yaml))`:?\s*$")


class Part(NamedTuple):
    """Code block of a guide, with its language and the file that it goes into.

    If ``file`` is empty, the block goes into no file. If ``new`` is true, the block is the whole content of the file.
    Otherwise, it is appended to the file or, if ``within`` isn't empty, to the class or collection of that name in the
    file.
    """

    file: str
    new: bool
    language: str
    code: str
    within: str = ""


def parts(heading: str) -> list[Part]:
    """Return the code blocks in the section of CONTRIBUTING.md under the second-level ``heading``.

    Each block comes with the file that it goes into, which is named in the text before the block. If that text names no
    file, ``file`` is an empty string. The list is empty if there is no such heading.
    """
    found: list[Part] = []
    guide = TEXT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    pieces = re.split(r"```(\w+)\n(.*?)```\n", guide, flags=re.DOTALL)
    for prose, language, code in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=False):
        ends, new = AT_THE_END.findall(prose), NEW.findall(prose.strip())
        within, file = ends[-1] if ends else ("", new[-1] if new else "")
        found.append(Part(file, not ends, language, code, within))
    return found


def put_at_the_end(source: str, within: str, code: str) -> str:
    """Return ``source`` with ``code`` added at the end of the class or collection named ``within``.

    ``code`` is indented by four spaces more than the class or the assignment of the collection. The closing bracket of
    a collection must be on a line of its own. Raises AssertionError if ``source`` has no such class or collection.
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == within:
            lines.insert(node.end_lineno or 0, "\n" + textwrap.indent(code, " " * (node.col_offset + 4)))
            return "".join(lines)
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if isinstance(node, ast.Assign | ast.AnnAssign) and getattr(targets[0], "id", "") == within:
            lines.insert((node.end_lineno or 0) - 1, textwrap.indent(code, " " * (node.col_offset + 4)))
            return "".join(lines)
    raise AssertionError(f"there is no {within}")


def applied(heading: str, to: Path) -> list[Part]:
    """Copy the project to ``to``, apply a guide's code to the copy, and return the guide's code blocks.

    The guide is the section of CONTRIBUTING.md under ``heading``. Only what the program needs is copied; the folder
    ``_native``, the sounds and the fonts are left out. Code blocks for which the guide names no file are returned but
    not applied.
    """
    skip = shutil.ignore_patterns("_native", "__pycache__", "*.wav", "*.ttf", "*.otf")
    for folder in ("shibumi3d", "games", "shaders", "models"):
        shutil.copytree(ROOT / folder, to / folder, ignore=skip)
    shutil.copy(ROOT / "pyproject.toml", to)
    found = parts(heading)
    for part in found:
        if part.new and part.file:
            (to / part.file).write_text(part.code, encoding="utf-8")
        elif part.within:
            source = (to / part.file).read_text(encoding="utf-8")
            (to / part.file).write_text(put_at_the_end(source, part.within, part.code), encoding="utf-8")
        elif part.file:
            with (to / part.file).open("a", encoding="utf-8") as file:
                file.write(f"\n\n{part.code}")
    return found


def run(top: Path, code: str) -> str:
    """Run code with the package in ``top``, without the compiled engine, and return what it prints."""
    surroundings = {
        **os.environ,
        native.ENGINE_VARIABLE: "no",
        "PYTHONPATH": str(top),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=top, env=surroundings, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


INLINE = """
from pathlib import Path
from shibumi3d.catalogue.catalogue import load_catalogue
text = {text!r}
game = load_catalogue().parse(("title: Example\\nboards: {{size: 3}}\\n" + text).encode(), Path("example.yaml")).game()
state = game.start()
"""


def test_word_guide_produces_a_working_word(tmp_path: Path) -> None:
    *_, rule = applied("Add a word of the rule language", tmp_path)
    assert rule.language == "yaml"
    # Ac3 is the image of Ac1: the north-eastern hole of three by three, and the south-eastern one. Ba1 rests on the
    # two southern ranks, so its image is Ba2.
    output = run(
        tmp_path,
        INLINE.format(text=rule.code) + "for move in ('W@Ac1', 'B@Ab1', 'W@Aa2', 'B@Aa1', 'W@Ac3'):\n"
        "    assert state.result is None\n"
        "    state, _ = game.apply(state, move)\n"
        "print(state.result.winners)\n",
    )
    assert output == "(0,)\n"


def test_verb_guide_produces_a_working_verb(tmp_path: Path) -> None:
    found = applied("Add a verb", tmp_path)
    assert found[-1].language == "yaml"
    assert len({part.file for part in found if part.file}) == 5, "a choosing verb takes five places"
    # Of the nine marbles, rank 3 first, White owns Aa3 and Ab3, Aa2 and Ac1; the box has black ones left.
    output = run(
        tmp_path,
        INLINE.format(text=found[-1].code) + "print(*[move.text for move in game.moves(state)])\n"
        "print(game.move_label(state, game.moves(state)[0]))\n"
        "print(game.describe_outcome(state, game.moves(state)[0]))\n"
        "print(game.describe_decision(state))\n"
        "state, events = game.apply(state, game.moves(state)[0].text)\n"
        "print(type(events[0]).__name__, state.boards[0])\n"
        "from shibumi3d.app.match.marble_view.controller import Controller, Spot\n"
        "from shibumi3d.match.match import Match\n"
        "control = Controller(Match(game, ['Ann', 'Ben']))\n"
        "print(len(control.moves_by_spot))\n"
        "from shibumi3d.rules.errors import GameFileError\n"
        "try:\n"
        "    load_catalogue().parse(b'title: Bad\\nturn:\\n  - flip: own\\n', Path('bad.yaml')).game().start()\n"
        "except GameFileError as error:\n"
        "    print(*[f'{problem.location.line}: {problem.message}' for problem in error.problems])\n",
    )
    assert output.splitlines() == [
        "~Ac1 ~Aa2 ~Aa3 ~Ab3",
        "Flip Ac1",
        "Flip Ac1 – Ac1 turns black, ends the turn",
        "choose a marble to flip",
        "Recoloured WWB,WBB,BBB/..,../.",
        "4",
        "3: 'flip' needs 'into': the new colour",
    ]


def test_game_guide_produces_a_playable_game(tmp_path: Path) -> None:
    (game,) = applied("Add a game", tmp_path)
    assert game.file == "games/echo.yaml"
    output = run(
        tmp_path,
        "from shibumi3d.cli.main import main\nassert main(['check', 'games/echo.yaml']) == 0\n"
        "import shibumi3d\n"
        "game = shibumi3d.game('echo')\n"
        "state = game.start(2)\n"
        "for text in ['W@Aa1', 'B@Ab2', 'W@Aa2', 'B@Ab3', 'W@Aa3', 'B@Ac2', 'W@Aa4']:\n"
        "    state, _ = game.apply(state, text)\n"
        "print(state.result.winners, state.result.reason)\n",
    )
    assert output.splitlines()[-1] == "(0,) full line"


def test_table_kind_guide_produces_a_playable_kind(tmp_path: Path) -> None:
    """The guide's example game can be played, in the terminal too, and its record can be replayed.

    It starts with seven counters, and whoever takes the last one wins. Ann, who moves first, leaves six, then three,
    then none.
    """
    applied("Add a kind of table", tmp_path)
    output = run(
        tmp_path,
        "import shibumi3d\n"
        "from shibumi3d.match.match import Match\n"
        "from shibumi3d.match.record import parse\n"
        "game = shibumi3d.game('counters')\n"
        "match = Match(game, ['Ann', 'Ben'], seed=5)\n"
        "for text in '1 2 1 1 2'.split():\n"
        "    match.play(text)\n"
        "print(match.state.result.winners, match.count_repetitions(), *game.table_lines(match.state))\n"
        "print(game.describe_outcome(match.initial_state, game.moves(match.initial_state)[1]))\n"
        "again = Match.from_record(parse(match.record().to_text()), game)\n"
        "print(again.state == match.state)\n"
        "from shibumi3d.cli.terminal import play\n"
        "answers = iter(['2', '1', 'tell 2', 'quit'])\n"
        "play(Match(game, ['Ann', 'Ben']), lambda _: next(answers), print)\n",
    )
    first, foretold, replayed, *terminal = output.splitlines()
    assert (first, foretold, replayed) == ("(0,) 0 heap: 0", "Take 2, leaving 5", "True")
    # Two are taken, then one; taking two more would leave two.
    assert [line for line in terminal if line.startswith("heap")] == ["heap: 7", "heap: 5", "heap: 4"]
    assert terminal[-1] == "Take 2, leaving 2."


def test_sentence_guide_produces_translatable_sentences(tmp_path: Path) -> None:
    window, below = [
        part.code.strip() for part in applied("Add a sentence", tmp_path) if part.language == "text"
    ]
    output = run(
        tmp_path,
        "from shibumi3d.i18n import InvalidValueError, localize, ngettext\n"
        f"print({window})\n"
        f"try:\n    {below}\nexcept ValueError as error:\n    print(localize(error))\n",
    )
    assert output.splitlines() == ["Ann found 3 marbles.", "nobody can be thanked for the rain"]


def test_key_guide_produces_a_working_shortcut(tmp_path: Path) -> None:
    applied("Add a key", tmp_path)
    output = run(
        tmp_path,
        "from types import SimpleNamespace\n"
        "from shibumi3d import i18n\n"
        "from shibumi3d.app.host import shortcuts\n"
        "from shibumi3d.app.host.camera_controls import CameraControls\n"
        "from shibumi3d.app.ui.widget import Key\n"
        "class View:\n"
        "    camera = SimpleNamespace(rotated=lambda yaw: f'rotated by {yaw}')\n"
        "    animate_to, zoom, turn, top_view, go_home = print, None, None, None, None\n"
        "page = SimpleNamespace(view=View)\n"
        "assert CameraControls(page).on_key(Key('u'))\n"
        "card = shortcuts.ShortcutsCard(shortcuts.PLAY_SHORTCUTS, '')\n"
        "i18n.set_language('fr')\n"
        "french = shortcuts.ShortcutsCard(shortcuts.PLAY_SHORTCUTS, '')\n"
        "print(*card.list.keys[-1], *french.list.keys[-1])\n",
    )
    assert output.splitlines() == ["rotated by 45", "U an eighth of a turn U an eighth of a turn"]


def test_page_guide_produces_a_working_page(tmp_path: Path) -> None:
    applied("Add a page", tmp_path)
    output = run(
        tmp_path,
        "from types import SimpleNamespace\n"
        "from shibumi3d import i18n\n"
        "from shibumi3d.app.shell.navigation import Navigator\n"
        "from shibumi3d.app.ui.widget import Key\n"
        "from shibumi3d.scene.rect import Rect\n"
        "shown = []\n"
        "pages = SimpleNamespace(show_home=lambda: print('home'))\n"
        "app = SimpleNamespace(show_page=shown.append, pages=pages)\n"
        "i18n.set_language('fr')\n"
        "Navigator(app).show_thanks()\n"
        "page, = shown\n"
        "page.layout(Rect(0, 0, 800, 600))\n"
        "page.paint(SimpleNamespace(rect=lambda area, ink: print(area.w, ink)), SimpleNamespace(page='paper'))\n"
        "print(page.thanks_label.caption, page.thanks_label.rect.cy)\n"
        "print(page.on_key(Key('escape')), page.on_key(Key('x')))\n",
    )
    assert output.splitlines() == [
        "800 paper",
        "Thanks to all who play. 300.0",
        "home",
        "True False",
    ]


def test_language_guide_produces_a_working_language(tmp_path: Path) -> None:
    """The guide's message catalogue is compiled and used; messages that it lacks appear in English."""
    applied("Add a language", tmp_path)
    catalogue = tmp_path / "shibumi3d/locale/eo/LC_MESSAGES/shibumi3d.po"
    catalogue.parent.mkdir(parents=True)
    (code,) = [part.code for part in parts("Add a language") if part.language == "po"]
    catalogue.write_text(
        f'msgid ""\nmsgstr "Plural-Forms: nplurals=2; plural=(n != 1);"\n\n{code}', encoding="utf-8"
    )
    with catalogue.open("rb") as file, catalogue.with_suffix(".mo").open("wb") as made:
        write_mo(made, read_po(file, locale="eo"))
    output = run(
        tmp_path,
        "from shibumi3d.i18n import _, ngettext, set_language\n"
        "set_language('eo')\n"
        "print(_('Cancel'), ngettext('{n} turn', '{n} turns', 2), _('Games'))\n",
    )
    assert output == "Rezigni 2 vicoj Games\n"


def test_code_is_inserted_after_table_and_class_entries() -> None:
    source = (
        "A = {\n    1: 2,\n}\nclass B:\n    def f(self):\n        c = (\n            1,\n        )\nD = 1\n"
    )
    assert put_at_the_end(source, "A", "3: 4,\n") == source.replace("2,\n", "2,\n    3: 4,\n")
    assert put_at_the_end(source, "c", "2,\n") == source.replace("1,\n  ", "1,\n            2,\n  ")
    assert put_at_the_end(source, "B", "x = 1\n") == source.replace("D =", "\n    x = 1\nD =")


@pytest.mark.parametrize("heading", re.findall(r"^## (Add a .*)$", TEXT, re.MULTILINE))
def test_every_guide_has_code_with_a_destination(heading: str) -> None:
    found = parts(heading)
    assert found
    for part in found:
        assert part.file or part.language in ("yaml", "text", "po"), (
            f"nothing says where this goes: {part.code[:60]}"
        )
        if part.file and not part.new:
            assert (ROOT / part.file).is_file()
