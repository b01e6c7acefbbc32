"""The message catalogues are up to date and complete, and use only known placeholders and characters."""

from __future__ import annotations

import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from shibumi3d.i18n import LANGUAGES
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.words import WORDS
from tests.typography import SPACING, faults
from tools import messages

SENTENCE = re.compile(r"[A-Z][^\n;]*[.!?]$")
"""Pattern for sentences. Lists, headings and examples of files follow other typographic rules."""
TRANSLATED = [code for code in LANGUAGES if code != "en"]


def catalogue(code: str) -> Catalog:
    with messages.catalogue_path(code).open("rb") as file:
        return read_po(file, locale=code)


def forms(text: object) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (str(text),)


def gaps(text: object) -> set[str]:
    """Return the placeholders of all forms of a message, without ``n``, which a plural form may leave out."""
    return {name for form in forms(text) for _, name, _, _ in Formatter().parse(form) if name} - {"n"}


def test_catalogues_are_up_to_date() -> None:
    stale = [
        path.name
        for path, text in messages.render_catalogues().items()
        if not path.is_file() or path.read_bytes() != text
    ]
    assert stale == [], "run 'make messages'"


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_message_is_translated(code: str) -> None:
    missing = [each.id for each in catalogue(code) if each.id and (each.fuzzy or not all(forms(each.string)))]
    assert missing == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_translations_keep_their_placeholders(code: str) -> None:
    wrong = [
        (each.id, each.string)
        for each in catalogue(code)
        if each.id and "python-brace-format" in each.flags and gaps(each.string) != gaps(each.id)
    ]
    assert wrong == []


@pytest.mark.parametrize("code", TRANSLATED)
def test_translations_follow_their_languages_typography(code: str) -> None:
    found = [
        (form, marks)
        for each in catalogue(code)
        if each.id and each.context != "thousands separator" and SENTENCE.match(str(each.id))
        for form in forms(each.string)
        if (marks := faults(code if code in SPACING else "en", form)) and not re.search("://|--|when:", form)
    ]
    assert found == []


def test_every_rule_language_word_is_a_message() -> None:
    known = {each.id for each in messages.extract()}
    assert {term.meaning for term in (*WORDS.values(), *VERBS.values())} <= known


def test_marked_messages_are_extracted(tmp_path: Path) -> None:
    import ast

    source = (
        '_("a")\nngettext("b", "c", n)\npgettext("d", "e")\nMessage("f", x=1)\nIllegalMove("g", move=m)\n'
        'translate(lang, "h")\nPlural(P_("i", "j"), "k")\n_(name)\nx("no")\nProblem(mark, "l")\n'
    )
    found = set(messages.find_messages(ast.parse(source), {"IllegalMove"}))
    assert found == {
        (None, "a"), (None, ("b", "c")), ("d", "e"), (None, "f"), (None, "g"), (None, "h"), ("i", ("j", "k")),
        (None, "l"),
    }  # fmt: skip
