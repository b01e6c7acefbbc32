"""A pseudo-language that reveals untranslated text: every French message is put in brackets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from shibumi3d import i18n
from shibumi3d.catalogue import catalogue
from shibumi3d.rules.wording import capitalize_first

OPEN, CLOSE = "⟦", "⟧"
_INNERMOST = re.compile(f"{OPEN}[^{OPEN}{CLOSE}]*{CLOSE}")
_WORD = re.compile(r"[^\W\d_]{2,}")


@contextmanager
def pseudo_language() -> Iterator[None]:
    """While the context is active, put all French messages in brackets.

    Command words, which the user has to type, and the separators in numbers are left without brackets.
    """
    look_up = i18n._look_up

    def bracketed(lang: str, text: i18n.Translatable, n: object) -> str:
        found, context = look_up(lang, text, n), i18n.Message(text).context
        if lang != "fr" or context in ("command", "decimal mark", "thousands separator") or not found.strip():
            return found
        return f"{OPEN}{found}{CLOSE}"

    i18n._look_up = bracketed
    try:
        yield
    finally:
        i18n._look_up = look_up


def untranslated(shown: str) -> list[str]:
    """Return the words of ``shown`` that have two or more letters and aren't in brackets.

    The brackets are those of :func:`pseudo_language`.
    """
    while (left := _INNERMOST.sub(" ", shown)) != shown:
        shown = left
    return _WORD.findall(shown)


def data_words() -> set[str]:
    """Return the words that come from game files: ids, titles, authors, books and French texts.

    The first word of each French text is also returned capitalized, as at the beginning of a sentence or a label.
    """
    words: set[str] = set()
    for entry in catalogue.load_catalogue():
        words.update(_WORD.findall(" ".join([entry.id, entry.title, *entry.authors, str(entry.book)])))
        words.update(_words_in(entry.meta))
    return words


def _words_in(meta: Any) -> Iterator[str]:
    """Yield the words of the French texts in the data of a game file, including those in labels of objects.

    The first word of each text is also yielded capitalized.
    """
    if isinstance(meta, Mapping):
        for key, value in meta.items():
            if key == "fr":
                for text in value if isinstance(value, tuple | list) else (str(value),):
                    yield from _WORD.findall(text)
                    yield from _WORD.findall(capitalize_first(text))[:1]
            else:
                yield from _words_in(value)
    elif isinstance(meta, tuple | list):
        for value in meta:
            yield from _words_in(value)
    elif hasattr(meta, "label"):
        yield from _words_in(meta.label)


def words_of(shown: str) -> list[str]:
    return _WORD.findall(shown)
