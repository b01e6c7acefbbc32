"""What is said below the window, in French: every sentence of the source has one, and English stays as it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shibumi3d.app import text
from shibumi3d.app.text.below import translated
from shibumi3d.app.text.below_fr import TABLE
from tests.sources import PACKAGE, name_of, nodes

RAISED = {
    "RecordError", "CatalogueError", "Wrong", "IllegalMove", "RuleFailure", "Failure", "ArgumentTypeError",
    "ValueError",
}  # fmt: skip
"""Errors whose message people read."""
SAID = {
    "Problem": 1, "problem": 1, "_problem": 1, "wrong": 1, "_wrong": 1, "say": 0, "told": 0, "command": 3,
    "add_argument_group": 0,
    "_give_up": 0, "error": 0,
}  # fmt: skip
"""Functions that are given a sentence, and which argument it is."""
NAMED = {"help", "description", "epilog", "problem"}
LAYERS = ("cli", "catalogue", "match", "rules", "search")
FILES = [
    file
    for layer in LAYERS
    for file in sorted((PACKAGE / layer).rglob("*.py"))
    # The words of the language are told to those who write games, in English; other tables tell of their own moves.
    if file.name not in ("reference.py", "vocabulary.py")
    and (layer != "rules" or file.parent.name == "rules" or "marbles" in file.parts)
]
LETTERS = re.compile(r"[^\W\d_]{2}.* | .*[^\W\d_]{2}")
APART = {"§ checked: §", "§: error: §"}
"""Sentences that stand in the table by what fills their gaps."""
UNREAD = {
    # Keys of the texts of marble games, which stand in two languages beside the rules.
    "reasons.py",
    # Counts for those who build the program.
    "perft.py",
}  # fmt: skip
"""Files whose sentences are for builders; their help is not, and is looked at by running it."""
INSIDE = re.compile(r"the history has|values are worked out")
"""Errors that only a mistake of the program itself can raise."""


def template(node: ast.AST) -> str | None:
    """A literal; one with gaps has "§" for each."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "§" for part in node.values)
    return None


def parts(node: ast.AST) -> Iterator[str]:
    """The sentences that an argument may be."""
    found = template(node)
    if found is not None:
        yield found
    elif isinstance(node, ast.IfExp):
        yield from parts(node.body)
        yield from parts(node.orelse)


def said(file: Path) -> Iterator[tuple[int, str]]:
    """What a file says to people, by line."""
    for node in nodes(file):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = node.args[:1] if name in RAISED else []
        if name in SAID:
            given = node.args[SAID[name] : SAID[name] + 1]
        given += [each.value for each in node.keywords if each.arg in NAMED]
        for each in given:
            for sentence in parts(each):
                if LETTERS.search(sentence):
                    yield node.lineno, sentence


def test_sentences_are_found(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text('raise RecordError(f"{name} is gone")\nsay("Not now." if x else "Not yet.")\nf("a b")\n')
    assert [sentence for _, sentence in said(file)] == ["§ is gone", "Not now.", "Not yet."]


def test_the_source_says_a_lot() -> None:
    assert sum(1 for file in FILES for _ in said(file)) > 150


def test_what_is_said_below_the_window_has_a_french_sentence() -> None:
    missing = [
        f"{name_of(file)}:{line}: {sentence}"
        for file in FILES
        if file.name not in UNREAD
        for line, sentence in said(file)
        if sentence not in APART
        and not INSIDE.search(sentence)
        # A gap at the end of a word is the s of the plural.
        and (singular := re.sub(r"(?<=\w)§", "", sentence)) not in TABLE
        and translated(singular, TABLE) == singular
    ]
    assert missing == []


def test_a_sentence_and_its_french_have_the_same_gaps() -> None:
    assert [
        (english, french)
        for english, french in TABLE.items()
        if english.count("{}") != len(re.findall(r"\{\d*\}", french))
    ] == []


@pytest.mark.parametrize(
    ("english", "french"),
    [
        (
            "a.yaml is broken at line 3: seed: expected a whole number",
            "a.yaml est abîmé à la ligne 3 : seed : un nombre entier est attendu",
        ),
        (
            "game.yaml:12:5: unknown verb 'plcae', did you mean 'place'?",
            "game.yaml:12:5: verbe inconnu « plcae ». Plutôt « place » ?",
        ),
        (
            "there is no game 'splin', did you mean 'spline'?",
            "il n'y a pas de jeu « splin ». Plutôt « spline » ?",
        ),
        (
            "the record does not replay: in turn 2, 'W@Aa1' is not possible now",
            "la partie ne se rejoue pas : au tour 2, « W@Aa1 » n'est pas possible maintenant",
        ),
        ("a\nthe file is empty", "a\nle fichier est vide"),
        ("Nobody ever said this.", "Nobody ever said this."),
    ],
)
def test_sentences_and_what_they_hold_are_told_in_french(english: str, french: str) -> None:
    assert translated(english, TABLE) == french
    text.use("fr")
    try:
        assert text.told(english) == french
    finally:
        text.use("en")
    assert text.told(english) == english
