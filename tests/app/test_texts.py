"""All that people read stands in ``app/text``: no sentence elsewhere, and every language says the same."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from string import Formatter

import pytest

from shibumi3d.app import text
from shibumi3d.app.text.meanings_fr import MEANINGS
from shibumi3d.app.text.spoken import BEYOND_TOLD
from shibumi3d.app.text.template import Language, Template
from shibumi3d.catalogue.problems import THEMES
from shibumi3d.cli.common import ARGPARSE
from shibumi3d.rules.arcanoid.texts import TEXTS as ARCANOID
from shibumi3d.rules.golden_spiral.words import WORDS as GOLDEN_SPIRAL
from shibumi3d.rules.hyena_spiral.texts import TEXTS as HYENA_SPIRAL
from shibumi3d.rules.marbles.language.verbs import VERBS
from shibumi3d.rules.marbles.language.words import WORDS
from shibumi3d.rules.marbles.wording.glossary import GLOSSARY
from shibumi3d.rules.marbles.wording.texts import TEXTS as MARBLES
from shibumi3d.rules.wording import filled
from tests.sources import PACKAGE, name_of, nodes
from tests.typography import faults, texts_by_language

APP = PACKAGE / "app"
FILES = [file for file in sorted(APP.rglob("*.py")) if "text" not in file.relative_to(APP).parts]
SAYING = [*FILES, APP / "text" / "own.py", *sorted((PACKAGE / "cli").rglob("*.py"))]
"""Those that ask for texts of the window's tables."""
SENTENCE = re.compile(r"[^\W\d_].* | .*[^\W\d_]|^[A-Z][a-z]")
"""Letters with a space beside them, or a word with a capital: how everything is written that people read."""

UNREAD = {
    # The name of the program, which is the same in all languages.
    "Shibumi 3D",
    # Keys of other tables of texts.
    "ask shape",
    # The names of widgets, by which tests find them: see the argument ``name`` too.
    "hold to look", "go to turn", "flat plan", "signs on marbles", "legal points",
    "colour ",
    # Files.
    " .png", " .yaml",
    # Fonts: files and families.
    "Sans.ttf", "SansSemibold.ttf", "Serif.ttf", "SerifItalic.ttf", "SerifSemibold.ttf", "Mincho.ttf", "Seal.ttf",
    "Shibumi Sans", "Shibumi Sans Semibold", "Shibumi Serif", "Shibumi Serif Italic", "Shibumi Serif Semibold",
    "Shibumi Mincho", "Shibumi Seal",
    # What windows of X11 say to each other when something is dragged.
    "XdndEnter", "XdndPosition", "XdndDrop", "XdndLeave", "XdndStatus", "XdndFinished", "XdndSelection",
    "XdndTypeList", "XdndActionCopy",
    # The log.
    "%(asctime)s %(message)s",
    # What the system and the window call things.
    "Discharging", "NoSuchDisplayException", "NoDisplay",
    # Said in the terminal, where no window could be opened.
    "No window can be opened here: there is no display. Play in the terminal with --text.",
    "No window can be opened here: the display offers no OpenGL 3.3. Play in the terminal with --text.",
}  # fmt: skip
SHOWN = {
    "text": 2,
    "text_in": 1,
    "text_fit": 1,
    "Text": 0,
    "Button": 0,
    "Card": 0,
    "tell": 0,
    "warn": 0,
    "say_to": 0,
}
"""Functions that show a text, and which argument it is."""


def plain(node: ast.AST) -> str | None:
    """The text of a literal; of one with gaps all between them."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "" for part in node.values)
    return None


def literals(node: ast.AST) -> Iterator[tuple[int, str]]:
    """The literals of a file that may be shown, by line: without documentation, errors and names of widgets."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Raise) or (
            isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        ):
            continue
        if isinstance(child, ast.keyword) and child.arg == "name":
            continue
        found = plain(child)
        if found is not None:
            yield child.lineno, found  # type: ignore[attr-defined]
        if not isinstance(child, ast.JoinedStr):
            yield from literals(child)
        else:
            for part in child.values:
                if isinstance(part, ast.FormattedValue):
                    yield from literals(part.value)


def sentences(source: str) -> list[str]:
    """What is written in a source that people may read."""
    whole = ast.parse(source)
    found = [
        f"line {line}: {words}"
        for line, words in literals(whole)
        if SENTENCE.search(words) and words not in UNREAD and "#version" not in words
    ]
    for node in ast.walk(whole):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            place = SHOWN.get(called, len(node.args))
            shown = [*node.args[place : place + 1]]
            shown += [each.value for each in node.keywords if each.arg in ("tip", "hint", "label")]
            for each in shown:
                words = plain(each)
                if words and re.search(r"[^\W\d_]", words) and words not in UNREAD and not cjk(words):
                    found.append(f"line {node.lineno}: {words}")
    return found


def cjk(words: str) -> bool:
    """Whether a text is a sign of the seal or of a group, which is a picture."""
    return all(c > "\u3000" for c in words)


@pytest.mark.parametrize(
    "source",
    [
        'tell("Not now.")',
        'x = f"{n} more"',
        'Button("undo", act)',
        'B(act, tip="undo")',
        'c.text_in(r, f"{n}x", i)',
    ],
)
def test_sentences_are_found(source: str) -> None:
    assert sentences(source)


@pytest.mark.parametrize(
    "source", ['"""A text."""', 'raise E("a b")', 'B(act, name="a b")', 'x = "usual"', 'f"{n}"']
)
def test_what_nobody_reads_is_left_alone(source: str) -> None:
    assert not sentences(source)


def test_no_sentence_stands_outside_the_texts() -> None:
    found = {name_of(file): sentences(file.read_text(encoding="utf-8")) for file in FILES}
    assert {file: words for file, words in found.items() if words} == {}


def gaps(template: Template) -> set[str]:
    """The gaps of a template; ``n`` is left out, which a language may tell by its form alone."""
    forms = (template,) if isinstance(template, str) else template
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name} - {"n"}


@pytest.mark.parametrize("lang", text.LANGUAGES)
def test_every_language_says_the_same(lang: str) -> None:
    english, other = text.LANGUAGES["en"].texts, text.LANGUAGES[lang].texts
    assert list(other) == list(english)
    for key, template in english.items():
        assert gaps(other[key]) == gaps(template), key
        assert isinstance(other[key], str) or isinstance(template, tuple), f"{key}: nothing is counted there"


AS_IT_IS = {
    # Lists and files.
    "desktop.words", "design.first", "terminal.help", "help.option", "help.markdown",
    # Heads of the help, which end with a colon of argparse.
    "arguments", "options", "commands", "short",
}  # fmt: skip
"""Texts that are no sentences."""


def test_texts_keep_the_typography_of_their_language() -> None:
    spoken = {
        lang: {key: words for key, words in language.texts.items() if key not in AS_IT_IS}
        for lang, language in text.LANGUAGES.items()
    }
    tables = [spoken, MARBLES, ARCANOID, GOLDEN_SPIRAL, HYENA_SPIRAL, GLOSSARY]
    texts = [pair for table in tables for pair in texts_by_language(table)]
    assert len(texts) > 1500
    assert [(words, found) for lang, words in texts if (found := faults(lang, words))] == []


@pytest.mark.parametrize(
    ("lang", "words", "count"),
    [
        ("en", "If there is none, somebody else plays.", 0),
        ("fr", "Le dernier à poser gagne; tous jouent.", 1),
        ("fr", "Qui commence ? En cas d'égalité, « Noir » gagne.", 0),
        ("fr", "L\u2019arête\u00a0: une pente.", 2),
    ],
)
def test_faults_of_typography_are_found(lang: str, words: str, count: int) -> None:
    assert len(faults(lang, words)) == count


def test_every_word_and_verb_of_the_language_is_explained_in_french() -> None:
    known = [*(f"verb.{name}" for name in VERBS), *(f"word.{name}" for name in WORDS)]
    assert sorted(MEANINGS) == sorted(known)
    text.use("fr")
    try:
        assert text.meaning("word.everyone", "all players") == "tous les joueurs"
        assert text.meaning("word.new", "as it is") == "as it is"
    finally:
        text.use("en")
    assert text.meaning("word.everyone", "all players") == "all players"


def asked(file: Path) -> Iterator[tuple[str, set[str], bool]]:
    """The texts that a file asks for: the key (a pattern where a part of it is chosen), its gaps, whether it counts."""
    for node in nodes(file):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in (("phrase",) if "cli" in file.parts else ("say", "every"))
        ):
            given, counted = {each.arg or "" for each in node.keywords}, len(node.args) > 1
            for key in keys(node.args[0]):
                yield key, given, counted


def keys(node: ast.expr) -> Iterator[str]:
    """The keys that an argument may be, as patterns."""
    if isinstance(node, ast.IfExp):
        yield from keys(node.body)
        yield from keys(node.orelse)
    elif isinstance(node, ast.Constant):
        yield re.escape(str(node.value))
    elif isinstance(node, ast.JoinedStr):
        yield "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else ".+" for p in node.values)
    elif isinstance(node, ast.Name):
        yield from NAMED.get(node.id, ())


NAMED = {"ends": ("play\\.end", "go\\-on", "play\\.take"), "of": ("status\\.game", "status\\.game\\-of")}
"""The keys that are held in a name before they are asked for."""


def test_texts_are_asked_for_by_keys_that_exist_with_their_gaps_and_none_is_left_over() -> None:
    english = text.LANGUAGES["en"].texts
    used = {*BEYOND_TOLD.values(), *(key for key in english if key in ARGPARSE.values())}
    for file in SAYING:
        for pattern, given, counted in asked(file):
            found = {key for key in english if re.fullmatch(pattern, key)}
            assert found, f"{file.name}: {pattern}"
            for key in found:
                assert gaps(english[key]) <= given, f"{file.name}: {key}"
                assert counted or not isinstance(english[key], tuple), f"{file.name}: {key} counts"
            used |= found
    assert set(english) - used == set()


def test_a_count_chooses_the_form_and_a_vowel_takes_the_last_letter() -> None:
    texts: dict[str, Template] = {"turns": ("{n} coup", "{n} coups"), "of": "la suite {game:de}"}
    french = Language("Français", texts, frozenset((0, 1)), {"de": "d'"})
    assert [french.fill("turns", n, {}) for n in (0, 1, 2)] == ["0 coup", "1 coup", "2 coups"]
    assert french.fill("of", None, {"game": "Spline"}) == "la suite de Spline"
    assert french.fill("of", None, {"game": "Éclipse"}) == "la suite d'Éclipse"


def test_names_are_joined_to_french_words_as_french_does() -> None:
    said = partial(filled, ARCANOID, "fr")
    assert said("hands", None, {"who": "Ben", "other": "Aiko"}) == "Ben regarde la main d'Aiko"
    assert (
        said("hands", None, {"who": "Aiko", "other": "le démon de Ben"})
        == "Aiko regarde la main du démon de Ben"
    )
    assert said("demon", None, {"seat": "Aiko"}) == "le démon d'Aiko"
    stolen = {"who": "Ben", "what": "le 2", "on": "à épées"}
    assert said("stolen", None, {**stolen, "other": "le démon d'Aiko"}).endswith(
        "au démon d'Aiko avec le Fou"
    )
    assert said("stolen", None, {**stolen, "other": "Aiko"}).endswith("à Aiko avec le Fou")


def test_what_a_language_lacks_is_given_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(text.LANGUAGES, "xx", Language("Xx", {"cancel": "X"}))
    text.use("xx")
    try:
        assert (text.language(), text.say("cancel"), text.say("go-on")) == ("xx", "X", "Go on")
        assert text.local({"en": "a", "xx": "b"}) == "b"
        assert text.local({"en": "a", "fr": "b"}) == "a"
    finally:
        text.use("en")
    text.use("no such language")
    assert text.language() == "en"
    with pytest.raises(KeyError):
        text.say("no such text")


@pytest.mark.parametrize("language", text.LANGUAGES)
def test_every_theme_of_problems_has_a_name(language: str) -> None:
    assert [theme for theme in THEMES if f"theme.{theme}" not in text.LANGUAGES[language].texts] == []
