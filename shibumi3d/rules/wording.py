"""Small helpers for putting sentences together."""

from __future__ import annotations

from collections.abc import Sequence


def joined(words: Sequence[str], last: str) -> str:
    """Return the words as a list in a sentence, ``last`` between the last two: "a, b and c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(sentence: str) -> str:
    """Return the sentence with a capital at its beginning."""
    return sentence[:1].upper() + sentence[1:]


def within(sentence: str) -> str:
    """Return the sentence as it stands within another: it begins small, so it must not begin with a name."""
    return sentence[:1].lower() + sentence[1:]
