"""A game file as read: plain values that know the line and column they stand at, and the problems found in them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from itertools import islice

from shibumi3d.sayings import Saying, cut, saying

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
    saying: Saying

    def __init__(self, mark: FilePlace, what: str | Saying, /, **values: object) -> None:
        object.__setattr__(self, "mark", mark)
        object.__setattr__(self, "saying", saying(what, values))

    @property
    def message(self) -> str:
        """What is wrong, in English."""
        return str(self.saying)

    def told(self, lang: str) -> str:
        """Return the place and what is wrong in the language of that code."""
        return f"{self.mark}: {cut(self.saying.told(lang))}"

    def __str__(self) -> str:
        return self.told("en")


def nearest(word: str, known: Iterable[str]) -> Saying | str:
    """Return ``", did you mean 'place'?"`` for the known word closest to ``word``, or ""."""
    # Comparing long words, or a word with thousands of others, takes too long for a hint.
    candidates = list(islice(known, MOST_CANDIDATES + 1))
    if len(candidates) > MOST_CANDIDATES:
        return ""
    found = get_close_matches(word[:100], candidates, n=1, cutoff=0.6)
    return Saying("nearest", word=found[0]) if found else ""


def or_list(word: str, known: Collection[str]) -> Saying | str:
    """Return a hint at the nearest word, else at the words there are."""
    return nearest(word, known) or Saying("one-of", words=", ".join(known))


def or_has(word: str, known: Collection[str]) -> Saying | str:
    """Return a hint at the nearest word, else at those that something has."""
    if not known:
        return Saying("it-has-none")
    return nearest(word, known) or Saying("it-has", words=", ".join(known))
