"""The metadata of a game file: who made the game, for how many, how long, and its texts.

The rules part of a file is not read here, but by its kind (:mod:`shibumi3d.rules.kinds`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

from shibumi3d.catalogue.merge import merge, only, without
from shibumi3d.rules.errors import GameFileError
from shibumi3d.rules.kinds import MODULES, USUAL, kind
from shibumi3d.rules.source import Item, Mark, Problem, nearest

if TYPE_CHECKING:
    from shibumi3d.rules.game import Game

CATEGORIES = (
    "alignment",
    "connection",
    "pattern",
    "completion",
    "elimination",
    "capture",
    "score",
    "puzzle",
    "mixed",
)
LANGUAGES = ("en", "fr")
SIZES = (2, 10)
PLAYERS = (1, 10)

META_KEYS = (
    "title",
    "kind",
    "authors",
    "year",
    "source",
    "category",
    "complexity",
    "minutes",
    "sizes",
    "best",
    "summary",
    "aim",
    "words",
    "rules",
)
ITEMS = ("item", "below")
"""The fields of an entry that hold parts of the file as read."""
MOST_VARIANTS = 30
MOST_LETTERS = 60
"""The length of a title."""


_T = TypeVar("_T")
_NAME = re.compile(r"[a-z0-9]+([ -][a-z0-9]+)*")


class CatalogueError(ValueError):
    """A game, a variant or a size that does not exist was asked for. The message is a plain sentence."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One game of the catalogue, or one variant of it.

    ``players`` are the least and the most seats, ``sizes`` the board sizes allowed and ``size`` the usual one: what
    the file's ``boards`` fix, else the first of ``sizes``.
    ``best`` is the greatest score that anybody can reach, by board size, as far as it is known.
    ``summary`` and ``rules`` are texts by language ("en", "fr"), ``aim`` likewise what each seat is after, the last of
    the texts standing for all further seats. ``words`` explains names that the game shows: name, then language. What a
    file leaves out is 0, "" or empty.
    ``own`` games did not come with the program; ``path`` is where the file is that is in no folder of games, else "".
    ``item`` is the whole file, laid over ``below``, the game that it extends.
    """

    id: str
    file: str
    variant: str
    title: str
    kind: str
    authors: tuple[str, ...]
    year: int
    book: str
    page: int
    category: str
    complexity: int
    minutes: int
    players: tuple[int, int]
    sizes: tuple[int, ...]
    size: int
    variants: tuple[str, ...]
    best: Mapping[int, int]
    summary: Mapping[str, str]
    aim: Mapping[str, tuple[str, ...]]
    words: Mapping[str, Mapping[str, str]]
    rules: Mapping[str, str]
    item: Item
    below: Item | None = None
    own: bool = False
    path: str = ""

    @property
    def meta(self) -> Mapping[str, object]:
        """All but what is for the compiler, by name: plain values, safe to print as JSON."""
        return MappingProxyType({f.name: getattr(self, f.name) for f in fields(self) if f.name not in ITEMS})

    @property
    def program(self) -> Item:
        """The rules part alone, as its kind reads it."""
        return only(self.item, kind(self.kind).KEYS)

    @property
    def terms(self) -> Mapping[str, Mapping[str, str]]:
        """Those of ``words`` to explain in texts too: names of stocks, vars and labels may be everyday words."""
        shown = _keys(only(self.item, ("stocks", "vars", "setup", "turn", "phases")))
        return {name: texts for name, texts in self.words.items() if name not in shown}

    def form(self, variant: str | None) -> Entry:
        """This game as changed by ``variant``; the game itself for None or "".

        Raises :class:`CatalogueError` for an unknown variant, :class:`GameFileError` for a broken one.
        """
        if not variant or variant == self.variant:
            return self
        variant = next((name for name in self.variants if _same(name, variant)), variant)
        if variant not in self.variants:
            known = f"; it has {', '.join(self.variants)}" if self.variants else "; it has none"
            raise CatalogueError(
                f"{self.title} has no variant '{variant}'{nearest(variant, self.variants) or known}"
            )
        problems: list[Problem] = []
        entry = read_entry(
            self.id,
            self.file,
            self.item,
            problems,
            variant,
            below=self.below,
            own=self.own,
            path=self.path,
        )
        if entry is None or problems:
            raise GameFileError(problems)
        return entry

    def game(self, *, size: int | None = None, variant: str | None = None) -> Game:
        """The playable game on a board of ``size``.

        Raises :class:`CatalogueError` for a size or variant that the game does not have and
        :class:`GameFileError` when the file is wrong.
        """
        form = self.form(variant)
        chosen = form.size if size is None else size
        if chosen not in form.sizes:
            allowed = " or ".join(map(str, form.sizes))
            raise CatalogueError(f"{form.title} is not played on size {chosen}, only on {allowed}")
        return kind(form.kind).make(
            form.id,
            form.title,
            form.program,
            form.players,
            {"size": chosen, "variant": form.variant},
            form.meta,
        )


def read_entry(
    name: str,
    file: str,
    item: Item,
    problems: list[Problem],
    variant: str = "",
    *,
    layers: Iterable[Item] = (),
    below: Item | None = None,
    own: bool = False,
    path: str = "",
) -> Entry | None:
    """The entry of the game ``name`` whose merged file is ``item``, or of one of its variants.

    ``layers`` are the file alone and the files it extends, one by one: their keys are checked (variants too).
    Everything wrong is added to ``problems``; None is returned when there is no title to call the game by.
    """
    told = _value(item, "kind")
    kind_name = told if isinstance(told, str) and told in MODULES else USUAL
    for layer in layers:
        _check_keys(layer, (*META_KEYS, *kind(kind_name).KEYS), problems)
    variants = _mapping(item, "variants")
    if variant:
        item = merge(without(item, "variants"), variants[variant])
    read = _Fields(item, problems)
    title = read.text("title")
    if len(title) > MOST_LETTERS:
        problems.append(
            Problem(
                read.entries["title"].mark, f"title: expected a text of at most {MOST_LETTERS} characters"
            )
        )
        return None
    if not title:
        if "title" not in read.entries:
            problems.append(Problem(item.mark, "a game needs a title"))
        return None
    source = read.mapping("source", ("book", "page"))
    board = _Fields(read.entries["boards"], []) if isinstance(_value(item, "boards"), dict) else None
    fixed = board.integer("size", *SIZES) if board is not None else 0
    sizes = read.integers("sizes", *SIZES) or (fixed or 4,)
    return Entry(
        id=name,
        file=file,
        variant=variant,
        title=title,
        kind=read.choice("kind", tuple(MODULES)) or USUAL,
        authors=read.texts("authors"),
        year=read.integer("year", 1900, 2100),
        book=source.text("book"),
        page=source.integer("page", 1, 9999),
        category=read.choice("category", CATEGORIES),
        complexity=read.integer("complexity", 1, 5),
        minutes=read.integer("minutes", 1, 600),
        players=read.players(),
        sizes=sizes,
        size=fixed if fixed in sizes else sizes[0],
        variants=() if variant else tuple(variants)[:MOST_VARIANTS],
        best=read.by_size("best"),
        summary=read.by_language("summary"),
        aim=read.lists_by_language("aim"),
        words=read.explained("words"),
        rules=read.by_language("rules"),
        item=item,
        below=below,
        own=own,
        path=path,
    )


def _keys(item: Item) -> set[str]:
    """The keys of all mappings in an item."""
    found: set[str] = set()
    if isinstance(item.value, dict):
        found = found.union(item.value, *map(_keys, item.value.values()))
    elif isinstance(item.value, list):
        found = found.union(*map(_keys, item.value))
    return found


def _same(name: str, given: str) -> bool:
    """Whether ``given`` means the variant ``name``: spaces and '-' are one, as shells like it."""
    return name.replace("-", " ") == given.strip().casefold().replace("-", " ")


def _value(item: Item, key: str) -> object:
    entries = item.value
    return entries[key].value if isinstance(entries, dict) and key in entries else None


def _mapping(item: Item, key: str) -> dict[str, Item]:
    value = _value(item, key)
    return {k: v for k, v in value.items() if isinstance(v.value, dict)} if isinstance(value, dict) else {}


def _check_keys(own: Item, known: tuple[str, ...], problems: list[Problem]) -> None:
    """Every key of the file and of its variants must be ``known``."""
    _check_known(own, (*known, "extends", "variants"), "key", problems)
    entries = own.value
    variants = entries.get("variants") if isinstance(entries, dict) else None
    if variants is None or variants.value is None:
        return
    if not isinstance(variants.value, dict):
        problems.append(Problem(variants.mark, "variants: expected a mapping of names to keys"))
        return
    if len(variants.value) > MOST_VARIANTS:
        problems.append(Problem(variants.mark, f"variants: a game has at most {MOST_VARIANTS}"))
    for name, item in variants.value.items():
        if not _NAME.fullmatch(name):
            message = f"variant '{name}': a name is made of small letters and digits, joined by spaces or '-'"
            problems.append(Problem(variants.keys[name], message))
        if not isinstance(item.value, dict):
            problems.append(Problem(item.mark, f"variant '{name}': expected a mapping of keys"))
        else:
            _check_known(item, known, "key", problems)


def _check_known(item: Item, known: tuple[str, ...], what: str, problems: list[Problem]) -> None:
    for key, mark in item.keys.items():
        if key not in known:
            problems.append(Problem(mark, f"unknown {what} '{key}'{_or_list(key, known)}"))


def _or_list(word: str, known: tuple[str, ...]) -> str:
    """A hint at the nearest word, else the words there are."""
    return nearest(word, known) or f"; expected one of {', '.join(known)}"


class _Fields:
    """Reads the entries of a mapping as the types they should have, noting what does not fit."""

    def __init__(self, item: Item | None, problems: list[Problem]) -> None:
        self.entries: dict[str, Item] = (
            item.value if item is not None and isinstance(item.value, dict) else {}
        )
        self._problems = problems

    def _wrong(self, mark: Mark, key: str, expected: str) -> None:
        self._problems.append(Problem(mark, f"{key}: expected {expected}"))

    def text(self, key: str) -> str:
        item = self.entries.get(key)
        if item is None:
            return ""
        if isinstance(item.value, str | int) and not isinstance(item.value, bool) and str(item.value).strip():
            return str(item.value).strip()
        self._wrong(item.mark, key, "a text")
        return ""

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts; one alone may stand without a list."""
        item = self.entries.get(key)
        if item is None:
            return ()
        if isinstance(item.value, str) and item.value.strip():
            return (item.value.strip(),)
        return self._list(item, key, "a list of texts", lambda v: v.strip() if isinstance(v, str) else "")

    def integer(self, key: str, least: int, most: int) -> int:
        """An integer within bounds, else 0."""
        item = self.entries.get(key)
        if item is None:
            return 0
        number = _integer(item.value, least, most)
        if number is None:
            self._wrong(item.mark, key, f"a number from {least} to {most}")
        return number or 0

    def integers(self, key: str, least: int, most: int) -> tuple[int, ...]:
        item = self.entries.get(key)
        if item is None:
            return ()
        expected = f"a list of numbers from {least} to {most}"
        found = self._list(item, key, expected, lambda v: _integer(v, least, most))
        return tuple(dict.fromkeys(found))

    def choice(self, key: str, known: tuple[str, ...]) -> str:
        word = self.text(key)
        if not word or word in known:
            return word
        mark = self.entries[key].mark
        self._problems.append(Problem(mark, f"unknown {key} '{word}'{_or_list(word, known)}"))
        return ""

    def mapping(self, key: str, known: tuple[str, ...]) -> _Fields:
        item = self.entries.get(key)
        if item is not None:
            if isinstance(item.value, dict):
                _check_known(item, known, f"key of {key}", self._problems)
            else:
                self._wrong(item.mark, key, f"a mapping with {' and '.join(known)}")
        return _Fields(item, self._problems)

    def by_language(self, key: str) -> Mapping[str, str]:
        texts = self.mapping(key, LANGUAGES)
        return MappingProxyType({word: texts.text(word) for word in LANGUAGES if word in texts.entries})

    def lists_by_language(self, key: str) -> Mapping[str, tuple[str, ...]]:
        """Texts by language; one alone may stand without a list."""
        texts = self.mapping(key, LANGUAGES)
        return MappingProxyType({word: texts.texts(word) for word in LANGUAGES if word in texts.entries})

    def explained(self, key: str) -> Mapping[str, Mapping[str, str]]:
        """Names, each with a text by language."""
        item = self.entries.get(key)
        if item is None:
            return MappingProxyType({})
        if not isinstance(item.value, dict):
            self._wrong(item.mark, key, "a mapping of names to texts by language")
            return MappingProxyType({})
        names = _Fields(item, self._problems)
        return MappingProxyType({name: names.by_language(name) for name in item.value})

    def by_size(self, key: str) -> Mapping[int, int]:
        """Numbers by board size."""
        item = self.entries.get(key)
        if item is None:
            return MappingProxyType({})
        expected = f"numbers by board size, as in {{4: 27}}, sizes from {SIZES[0]} to {SIZES[1]}"
        found: dict[int, int] = {}
        for word, value in (item.value if isinstance(item.value, dict) else {"": item}).items():
            size, number = (
                _integer(int(word) if word.isdecimal() and len(word) < 3 else None, *SIZES),
                _integer(value.value, 0, 10**6),
            )
            if size is None or number is None:
                self._wrong(value.mark, key, expected)
            else:
                found[size] = number
        return MappingProxyType(found)

    def players(self) -> tuple[int, int]:
        """The least and the most players; 2 and 2 when the file does not say."""
        item = self.entries.get("players")
        if item is None:
            return (2, 2)
        one = _integer(item.value, *PLAYERS)
        if one is not None:
            return (one, one)
        if isinstance(item.value, list) and len(item.value) == 2:
            least, most = (_integer(i.value, *PLAYERS) for i in item.value)
            if least is not None and most is not None and least <= most:
                return (least, most)
        self._wrong(item.mark, "players", "a number from 1 to 10, or the least and the most: [2, 3]")
        return (2, 2)

    def _list(
        self, item: Item, key: str, expected: str, read: Callable[[object], _T | None]
    ) -> tuple[_T, ...]:
        if not isinstance(item.value, list) or not item.value:
            self._wrong(item.mark, key, expected)
            return ()
        found: list[_T] = []
        for entry in item.value:
            value = read(entry.value)
            if value:
                found.append(value)
            else:
                self._wrong(entry.mark, key, expected)
        return tuple(found)


def _integer(value: object, least: int, most: int) -> int | None:
    return (
        value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None
    )
