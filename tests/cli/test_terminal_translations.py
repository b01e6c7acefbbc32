"""The terminal in the pseudo-language: text without brackets was never translated."""

from __future__ import annotations

import argparse
import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shibumi3d import i18n
from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.cli import terminal
from shibumi3d.cli.main import COMMANDS, make_parser
from shibumi3d.match.match import Match
from tests.cli.conftest import Run
from tests.pseudo import data_words, pseudo_language, untranslated, words_of

SAME = "Shibumi shibumi min pebble random nom lang min CPU Ann Ben spline plus gif svg fr en"
"""Words that are the same in every language, in addition to typed words and words from game files."""

MOVES = re.compile(r"[WBR]?[@x^>]?[A-D][a-d]\d(/\w+)?|\b[\da-f]{16}\b")
"""Pattern for moves in notation and for digests of 16 hexadecimal digits."""


def typed_words(top: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the names of commands and options, and the possible values and metavariables of arguments."""
    for action in top._actions:
        yield from action.option_strings
        if isinstance(action.choices, dict):
            for name, below in action.choices.items():
                yield name
                yield from typed_words(below)
        elif action.choices:
            yield from map(str, action.choices)
        yield from [str(action.metavar or "")]


@pytest.fixture(name="known", scope="module")
def _known() -> set[str]:
    return {
        word for typed in (SAME, *COMMANDS, *typed_words(make_parser())) for word in words_of(typed)
    } | data_words()


def untranslated_words(shown: str, known: set[str]) -> list[str]:
    """Return the words in ``shown`` that should have been translated but weren't.

    Moves in notation, digests and the words in ``known`` need no translation.
    """
    return [word for word in untranslated(MOVES.sub(" ", shown)) if word not in known]


def help_commands(top: argparse.ArgumentParser, said: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield (*said, "--help")
    for action in top._actions:
        if isinstance(action.choices, dict):
            for name, below in action.choices.items():
                yield from help_commands(below, (*said, name))


@pytest.mark.parametrize("words", list(help_commands(make_parser())), ids=" ".join)
def test_help_is_fully_translated(run: Run, known: set[str], words: tuple[str, ...]) -> None:
    with pseudo_language():
        assert untranslated_words(run("--lang", "fr", *words).out, known) == []


WRONG = (
    ("--nosuch",),
    ("nosuch",),
    ("play", "nosuch", "--text"),
    ("play", "spline", "--size", "x", "--text"),
    ("play", "spline", "--seats", "Ann,Ben,Ann", "--text"),
    ("play", "spline", "--handicap", "9", "--text"),
    ("play", "spline", "--option", "a=b", "--text"),
    ("play", "spline", "--clock", "soon", "--text"),
    ("perft", "spline", "0"),
    ("export", "nosuch.yaml"),
    ("replay", "nosuch.yaml", "--text"),
    ("check", "nosuch.yaml"),
    ("selfplay", "spline", "--games", "0"),
    ("solve", "spline", "--work", "x"),
    ("problems", "play", "spline", "9999", "--text"),
    ("rules", "spline", "--variant", "nosuch"),
    ("lab", "report", "nosuch.yaml"),
)


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_error_messages_are_fully_translated(run: Run, known: set[str], words: tuple[str, ...]) -> None:
    with pseudo_language():
        said = run("--lang", "fr", *words)
    shown = f"{said.out}\n{said.err}"
    for word in words:
        shown = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", " ", shown)
    assert shown.strip()
    assert untranslated_words(shown, known) == []


@pytest.mark.parametrize("command", [("perft",), ("selfplay", "--games", "1"), ("rules",)], ids=" ".join)
def test_variant_is_given_by_its_name_or_its_label_in_the_current_language(
    run: Run, command: tuple[str, ...]
) -> None:
    name, *more = command
    more = [*more, "1"] if name == "perft" else more

    def result(variant: str, lang: str = "fr") -> tuple[int, str]:
        said = run("--lang", lang, name, "special-cake", *more, "--variant", variant)
        return said.code, said.out.splitlines()[0] if said.out else said.err

    assert result("bonbons") == result("Candy") == result("cerise-empoisonnée") == (0, result("candy")[1])
    assert result("vergiftete Kirsche", "de")[0] == 0
    assert result("bonbon") == (
        1,
        "shibumi3d : Special Cake n'a pas de variante « bonbon ». Vouliez-vous dire « bonbons » ?\n",
    )
    assert result("xyz") == (
        1,
        "shibumi3d : Special Cake n'a pas de variante « xyz ». Il a bonbons, cerise empoisonnée\n",
    )
    assert result("bonbons", "en") == (
        1,
        "shibumi3d: Special Cake has no variant 'bonbons'; it has candy, poisoned cherry\n",
    )


PRINTED = (
    ("--version",),
    ("list",),
    ("list", "--markdown"),
    ("rules", "spline"),
    ("rules", "arcanoid"),
    ("check", "games/spline.yaml"),
    ("perft", "spline", "2"),
    ("selfplay", "spline", "--games", "2"),
    ("selfplay", "spline", "--games", "1", "--seats", "pebble,random"),
    ("judge", "spline", "--games", "2"),
    ("solve", "spoff", "--seed", "1"),
    ("solve", "spline", "--size", "3"),
    ("solve", "arcanoid"),
    ("openings", "show", "spline"),
    ("openings", "show", "arcanoid"),
    ("selfplay", "hyena-spiral", "--games", "1"),
    ("selfplay", "spuzzle", "--games", "1"),
    ("problems", "show", "spline", "1"),
    ("problems", "show", "spline", "1", "--solution"),
)


@pytest.mark.parametrize("words", PRINTED, ids=" ".join)
def test_printed_output_is_fully_translated(run: Run, known: set[str], words: tuple[str, ...]) -> None:
    with pseudo_language():
        said = run("--lang", "fr", *words)
    shown = f"{said.out}\n{said.err}".replace("pictures/games", " ").replace(".webp", " ")
    assert untranslated_words(shown, known) == []


@pytest.mark.parametrize("name", ["spargo", "splush", "spree", "golden-spiral", "hyena-spiral", "arcanoid"])
def test_match_output_is_fully_translated(run: Run, known: set[str], tmp_path: Path, name: str) -> None:
    game = load_catalogue().get(name).game()
    match = Match(game, ["Ann", "Ben", "Cleo"][: game.players[0]], 1)
    for _ in range(8):
        seat = next(iter(match.state.decision.seats))
        match.play(game.moves(match.state, seat)[0], seat)
    path = tmp_path / "kept.yaml"
    match.record().save(path)
    with pseudo_language():
        for words in (("replay", path, "--text"), ("analyse", path, "--iterations", "50"), ("review", path)):
            said = run("--lang", "fr", *words)
            assert untranslated_words(f"{said.out}\n{said.err}".replace("Cleo", ""), known) == [], words


@pytest.mark.parametrize(
    "name", ["spargo", "splush", "spree", "spy", "golden-spiral", "hyena-spiral", "arcanoid"]
)
def test_terminal_play_is_fully_translated(known: set[str], name: str) -> None:
    game = load_catalogue().get(name).game()
    match = Match(game, ["Ann", "Ben", "Ann"][: game.players[0]], 1)
    said: list[str] = []
    typed = iter(
        [
            "help",
            "explain 1",
            "here",
            "mine",
            "may",
            "last",
            "nosuch",
            "hint",
            "1",
            "moves",
            "1",
            "undo",
            "quit",
        ]
    )
    with pseudo_language():
        i18n.force_language("fr")
        try:
            terminal.play(match, lambda prompt: said.append(prompt) or next(typed, "quit"), said.append)
        finally:
            i18n.force_language("")
    states = [match.initial_state, *(ply.state for ply in (*match.plies, *match.undone))]
    choices = {word for state in states for move in game.moves(state) for word in words_of(str(move))}
    assert untranslated_words("\n".join(said).replace("nosuch", ""), known | choices) == []


def test_report_is_fully_translated(run: Run, known: set[str], tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    with pseudo_language():
        run("--lang", "fr", "lab", "report", "spline", "--games", "2", "--out", page)
    shown = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert untranslated_words(html.unescape(shown), known) == []
