"""Parsed game files: plain values with their lines and columns, and the problems found in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice

from shibumi3d.i18n import Message, Translatable, shorten, to_message

MAX_SPELLING_CANDIDATES = 1000
"""Maximum number of known words; if there are more, no spelling is suggested."""


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """A location in a file; ``line`` and ``column`` are numbered from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Item:
    """One YAML value and its location.

    ``value`` is a str, int, float, bool or None (scalars), a list of Items, or a dict of Items. ``key_locations``
    contains the location of every key of a dict. ``source_text`` is the text of a scalar before it is converted, so
    that ``08`` can be read either as the number 8 or as a string of two characters.
    """

    value: object
    location: SourceLocation
    key_locations: dict[str, SourceLocation] = field(default_factory=dict)
    source_text: str = ""

    @property
    def scalar_text(self) -> str | None:
        """The scalar as text, or None for null, lists and mappings.

        This lets names look like numbers or flags, such as ``1.5`` or ``true``.
        """
        if isinstance(self.value, str):
            return self.value
        return (self.source_text or str(self.value)) if isinstance(self.value, bool | int | float) else None


def to_plain_data(item: Item) -> object:
    """Return the value of ``item`` as plain Python data, without locations."""
    value = item.value
    if isinstance(value, dict):
        return {key: to_plain_data(each) for key, each in value.items()}
    return [to_plain_data(each) for each in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True, init=False)
class Problem:
    """An error found in a file: its location and a message that says what is wrong."""

    location: SourceLocation
    message: Message

    def __init__(
        self, location: SourceLocation, template: Translatable | Message, /, **values: object
    ) -> None:
        object.__setattr__(self, "location", location)
        object.__setattr__(self, "message", to_message(template, values))

    def localize(self, lang: str) -> str:
        """Return the location and the message of the problem as text in the given language.

        In a message of more than 500 characters, the middle is replaced by an ellipsis.
        """
        return f"{self.location}: {shorten(self.message.localize(lang))}"

    def __str__(self) -> str:
        return self.localize("en")


def suggest_spelling(word: str, known_words: Iterable[str]) -> Message | str:
    """Return a hint with the known word most similar to ``word``, such as ``", did you mean 'place'?"``.

    Return "" if no known word is similar, or if there are more than :data:`MAX_SPELLING_CANDIDATES` known words.
    """
    # Comparing long words, or one word with thousands of others, would take too long for a mere hint.
    candidates = list(islice(known_words, MAX_SPELLING_CANDIDATES + 1))
    if len(candidates) > MAX_SPELLING_CANDIDATES:
        return ""
    matches = get_close_matches(word[:100], candidates, n=1, cutoff=0.6)
    return Message(", did you mean '{word}'?", word=matches[0]) if matches else ""


def suggest_or_list(word: str, known_words: Collection[str]) -> Message | str:
    """Return a hint: the most similar known word or, failing that, a list of all known words."""
    return suggest_spelling(word, known_words) or Message(
        "; expected one of {words}", words=", ".join(known_words)
    )


def suggest_or_list_existing(word: str, known_words: Collection[str]) -> Message | str:
    """Return a hint with the most similar existing word or, failing that, a list of all existing words.

    The list is given as in ``"; it has red, blue"``. If there are no existing words, the hint is ``"; it has none"``.
    """
    if not known_words:
        return Message("; it has none")
    return suggest_spelling(word, known_words) or Message("; it has {words}", words=", ".join(known_words))
