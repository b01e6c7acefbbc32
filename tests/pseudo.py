"""A language that shows what was never translated: every French text between brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from shibumi3d import sayings
from shibumi3d.app import text
from shibumi3d.catalogue import catalogue
from shibumi3d.rules.arcanoid.texts import TEXTS as ARCANOID
from shibumi3d.rules.ending import TEXTS as ENDING
from shibumi3d.rules.golden_spiral.words import WORDS as GOLDEN_SPIRAL
from shibumi3d.rules.hyena_spiral.texts import TEXTS as HYENA_SPIRAL
from shibumi3d.rules.marbles.wording.glossary import GLOSSARY
from shibumi3d.rules.marbles.wording.texts import NAMES
from shibumi3d.rules.marbles.wording.texts import TEXTS as MARBLES

OPEN, CLOSE = "⟦", "⟧"
TABLES: tuple[Any, ...] = (MARBLES, NAMES, ARCANOID, GOLDEN_SPIRAL, HYENA_SPIRAL, GLOSSARY, ENDING)
TYPED = ("command.",)
"""How the keys of texts begin that people type."""
_INNERMOST = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
_WORD = re.compile(r"[^\W\d_]{2,}")


def bracketed(template: Any) -> Any:
    """Return a template between brackets, each of its forms."""
    if isinstance(template, tuple):
        return tuple(map(bracketed, template))
    return f"{OPEN}{template}{CLOSE}" if isinstance(template, str) and template.strip() else template


def _wrapped(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: words if key.startswith(TYPED) else bracketed(words) for key, words in table.items()}


@contextmanager
def pseudo_language() -> Iterator[None]:
    """Put every French text between brackets for a while."""
    french, saying = text.LANGUAGES["fr"], sayings.table
    before = [table.get("fr") for table in TABLES]
    wrapped = _wrapped(saying("fr"))
    text.LANGUAGES["fr"] = replace(french, texts=_wrapped(french.texts))
    sayings.table = lambda lang: wrapped if lang == "fr" else saying(lang)  # type: ignore[assignment]
    for table in TABLES:
        if "fr" in table:
            table["fr"] = _wrapped(table["fr"])
    try:
        yield
    finally:
        text.LANGUAGES["fr"] = french
        sayings.table = saying
        for table, was in zip(TABLES, before, strict=True):
            if was is not None:
                table["fr"] = was


def untranslated(shown: str) -> list[str]:
    """Return the words that stand in no brackets."""
    while (left := _INNERMOST.sub(" ", shown)) != shown:
        shown = left
    return _WORD.findall(shown)


def data_words() -> set[str]:
    """Return the words of game files: their names and authors, and what they say in French."""
    words: set[str] = set()
    for entry in catalogue.load():
        words.update(_WORD.findall(" ".join([entry.id, entry.title, *entry.authors, str(entry.book)])))
        words.update(_words_in(entry.meta))
    return words


def _words_in(meta: Any) -> Iterator[str]:
    """Yield the words of the French texts in a game file, of its names for things too."""
    if isinstance(meta, Mapping):
        for key, value in meta.items():
            if key == "fr":
                yield from _WORD.findall(str(value))
            else:
                yield from _words_in(value)
    elif isinstance(meta, tuple | list):
        for value in meta:
            yield from _words_in(value)
    elif hasattr(meta, "label"):
        yield from _words_in(meta.label)


def words_of(shown: str) -> list[str]:
    """Return the words of a text."""
    return _WORD.findall(shown)
