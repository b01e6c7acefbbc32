"""The language reference matches the program, and every word of the language is used."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from shibumi3d.catalogue.reference import count_usage, fill_tables
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.words import WORDS
from tests.rules import test_rule_words, test_verbs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language.md"


@cache
def games_by_word() -> tuple[dict[str, int], dict[str, int]]:
    return count_usage()


@cache
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def test_reference_page_is_up_to_date() -> None:
    assert fill_tables(page()) == page(), "run: make docs"


@pytest.mark.parametrize("name", WORDS)
def test_every_word_is_documented_tested_and_used(name: str) -> None:
    word = WORDS[name]
    assert word.meaning
    assert word.example
    assert re.search(rf"^\| `{name}[`(].*\| {re.escape(word.meaning)} \|", page(), re.MULTILINE)
    tested = {case.word for case in (*test_rule_words.CASES, *test_rule_words.ELSEWHERE)}
    assert name in tested, "give it a case in tests/rules/test_rule_words.py"
    assert games_by_word()[0][name], "no game needs it"


@pytest.mark.parametrize("name", VERBS)
def test_every_verb_is_documented_tested_and_used(name: str) -> None:
    verb = VERBS[name]
    assert verb.meaning
    assert verb.example
    assert re.search(rf"^\| `{name}` .*\| {re.escape(verb.meaning)} \|", page(), re.MULTILINE)
    source = Path(test_verbs.__file__).read_text(encoding="utf-8")
    for key in (name, *verb.modifiers):
        assert re.search(rf"\b{key}: ", source), f"test '{key}' in tests/rules/test_verbs.py"
    assert games_by_word()[1][name], "no game needs it"


def test_single_use_words_are_listed_with_a_reason() -> None:
    _, _, part = page().partition("### Words used by one game\n")
    listed = dict(re.findall(r"(?m)^- `(\w+)`: (.+)$", part.partition("\n## ")[0]))
    words, verbs = games_by_word()
    assert set(listed) == {name for name, count in {**words, **verbs}.items() if count == 1}
    assert all(len(reason) > 30 for reason in listed.values())
