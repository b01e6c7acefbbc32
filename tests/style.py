"""What texts avoid: turns of phrase that readers stumbled over, and signs that are written in one way only."""

from __future__ import annotations

import re
from collections.abc import Iterator

AVOIDED = {
    "en": {
        r"\balso (if|when|on|one|those|hidden|a red)\b": "even …, or …, … included",
        r"\bthe own\b|\ball own\b|\bthree own\b": "their own, one's own",
        r"\bplayer wins who\b": "a player wins by",
        r"(?<!there )\b(is|are) none\b": "does not count",
        r"(?<!body )(?<!thing )\belse\b": "otherwise",
        r"\bwin together\b|\bare a draw\b": "share the win, the game is drawn",
        r"\b(his|him)\b": "their, them",
        r"\bWho (can't|had|has|is|shows?|showed|was)\b[^.?\n]*\.": "whoever",
        r"\bworks? alike\b": "all play alike",
    },
    "fr": {
        r"\bQui [^.?\n]*\.": "celui qui",
        r"(^|[.;:] )[àÀ] égalité\b": "en cas d'égalité",
        r"\bc'est (celle|celui|le troisième|Blanc|Noir|Rouge)\b[^.;]* gagne\b": "celui … gagne",
        r"\b([àÀ] la|[sS]ur la|([aA]ux|[sS]ur les)( autres| grandes)?) tailles?\b": "en taille 4, dans les autres",
        r"\bpass\w+ (à la|de) suite\b": "l'un après l'autre",
        r"\b[eE]ntrez une bille\b": "faites entrer",
        r"\bgagnent ensemble\b": "partagent la victoire",
        r"\S[;!»]|[^\s\d][?]|\w:(?=\s|$)|«\S": "a space before ; : ! ? » and after «",
    },
}
"""Patterns by language, each with what is said instead."""
ONE_WAY = r"[’\u00a0\u202f]"
"""Apostrophes and spaces are the plain ones: the window keeps signs that stand apart with their words by itself."""


def stumbles(lang: str, words: str) -> list[str]:
    """What a text says that texts avoid, each with what to say instead."""
    return [
        f"{hit.group()!r}: {instead}"
        for pattern, instead in {**AVOIDED[lang], ONE_WAY: "the plain sign"}.items()
        for hit in re.finditer(pattern, words, re.MULTILINE)
    ]


def told(value: object) -> Iterator[tuple[str, str]]:
    """All texts of a file or a table, each with its language: what stands under the names of languages."""
    if isinstance(value, dict) and set(value) == set(AVOIDED):
        yield from ((lang, words) for lang, texts in value.items() for words in _texts(texts))
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from told(part)


def _texts(value: object) -> Iterator[str]:
    """The texts of one language: one, a list of them, or a table."""
    if isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value
