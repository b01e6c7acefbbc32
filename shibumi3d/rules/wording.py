"""Helpers for building sentences."""

from __future__ import annotations

from collections.abc import Sequence


def joined(words: Sequence[str], last: str) -> str:
    """Join ``words`` into a list such as "a, b and c"; ``last`` is the conjunction."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def capital(sentence: str) -> str:
    """Return the sentence with its first letter in upper case."""
    return sentence[:1].upper() + sentence[1:]


def within(sentence: str) -> str:
    """Return the sentence with its first letter in lower case, for use inside another sentence.

    The sentence must not begin with a name.
    """
    return sentence[:1].lower() + sentence[1:]
