"""A game file as read: plain values that know the line and column they stand at, and the problems found in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice

from shibumi3d.i18n import Message, Translatable, cut, message

MOST_CANDIDATES = 1000
"""Among more words than this, none is proposed in place of an unknown one."""


@dataclass(frozen=True, slots=True)
class FilePlace:
    """A place in a file; ``line`` and ``column`` count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Item:
    """One YAML value and where it stands.

    ``value`` is a str, int, float, bool or None (scalars), a list of Items, or a dict of Items. ``keys`` gives the
    place of every key of a dict, ``written`` a scalar as it stands in the file: ``08`` is the number 8 where one is
    wanted, and else a text of two signs.
    """

    value: object
    mark: FilePlace
    keys: dict[str, FilePlace] = field(default_factory=dict)
    written: str = ""

    @property
    def text(self) -> str | None:
        """The scalar as a text: a name may be ``1.5`` or ``true`` too; None for nothing, lists and mappings."""
        if isinstance(self.value, str):
            return self.value
        return (self.written or str(self.value)) if isinstance(self.value, bool | int | float) else None


def plain(item: Item) -> object:
    """Return what a file says, without where."""
    value = item.value
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


@dataclass(frozen=True, slots=True, init=False)
class Problem:
    """One mistake of a game file: where, and a saying of what is wrong and what was expected."""

    mark: FilePlace
    message: Message

    def __init__(self, mark: FilePlace, what: Translatable | Message, /, **values: object) -> None:
        object.__setattr__(self, "mark", mark)
        object.__setattr__(self, "message", message(what, values))

    def localize(self, lang: str) -> str:
        """Return the place and what is wrong in the language of that code."""
        return f"{self.mark}: {cut(self.message.localize(lang))}"

    def __str__(self) -> str:
        return self.localize("en")


def nearest(word: str, known: Iterable[str]) -> Message | str:
    """Return ``", did you mean 'place'?"`` for the known word closest to ``word``, or ""."""
    # Comparing long words, or a word with thousands of others, takes too long for a hint.
    candidates = list(islice(known, MOST_CANDIDATES + 1))
    if len(candidates) > MOST_CANDIDATES:
        return ""
    found = get_close_matches(word[:100], candidates, n=1, cutoff=0.6)
    return Message(", did you mean '{word}'?", word=found[0]) if found else ""


def or_list(word: str, known: Collection[str]) -> Message | str:
    """Return a hint at the nearest word, else at the words there are."""
    return nearest(word, known) or Message("; expected one of {words}", words=", ".join(known))


def or_has(word: str, known: Collection[str]) -> Message | str:
    """Return a hint at the nearest word, else at those that something has."""
    if not known:
        return Message("; it has none")
    return nearest(word, known) or Message("; it has {words}", words=", ".join(known))
