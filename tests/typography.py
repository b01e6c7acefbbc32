"""Typography of texts: plain apostrophes and spaces, and French spacing of punctuation."""

from __future__ import annotations

import re
from collections.abc import Iterator

UNWANTED_CHARACTERS = r"[’\u00a0\u202f]"
"""Pattern for characters to avoid: texts use plain apostrophes and spaces, and the window keeps French punctuation with
its word."""
SPACING = {"fr": r"\S[;!»]|[^\s\d][?]|\w:(?=\s|$)|«\S"}
"""Patterns for missing spaces, by language: French has a space before ; : ! ? » and after «."""


def faults(lang: str, words: str) -> list[str]:
    """Return the parts of a text that break the typographic rules of its language."""
    patterns = (UNWANTED_CHARACTERS, SPACING[lang]) if lang in SPACING else (UNWANTED_CHARACTERS,)
    return [hit.group() for pattern in patterns for hit in re.finditer(pattern, words, re.MULTILINE)]


def texts_by_language(value: object) -> Iterator[tuple[str, str]]:
    """Yield each translated text in ``value``, the data of a file, as (language code, text)."""
    if isinstance(value, dict) and {"en", "fr"} <= set(value):
        yield from ((lang, words) for lang, texts in value.items() for words in _strings(texts))
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts_by_language(part)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)
    elif isinstance(value, str):
        yield value
