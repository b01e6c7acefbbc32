"""The metadata of a game file: title, authors, number of players, duration and texts.

The rules in the file are read by its table kind (:mod:`shibumi3d.rules.kinds`), not here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.catalogue.fields import LANGUAGES as LANGUAGES
from shibumi3d.catalogue.fields import SIZES, Fields, check_known
from shibumi3d.catalogue.lessons import KEYS as LESSONS
from shibumi3d.catalogue.lessons import Lesson, read_lesson
from shibumi3d.catalogue.merge import merge, only, without
from shibumi3d.catalogue.options import chosen_of, read_options
from shibumi3d.i18n import LocalizedError, Message, Unusable
from shibumi3d.rules.errors import GameFileError, Problems
from shibumi3d.rules.game import Option
from shibumi3d.rules.kinds import MODULES, USUAL, kind
from shibumi3d.rules.learner import Learner
from shibumi3d.rules.source import Item, Problem, or_has

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
    "race",
    "bidding",
    "cards",
)
META_KEYS = (
    "title",
    "titles",
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
    *LESSONS,
)
BOARD_KEYS = ("sizes", "best")
"""Keys that are allowed only in games whose boards come in several sizes."""
META = (
    "id", "file", "variant", "title", "titles", "kind", "authors", "year", "book", "page", "category", "complexity",
    "minutes", "players", "sizes", "size", "variants", "options", "best", "summary", "aim", "words", "rules", "own",
    "path",
)  # fmt: skip
"""The fields of an entry that hold plain values."""
MOST_VARIANTS = 30
MOST_LETTERS = 60
"""Maximum length of a title in characters."""


_NAME = re.compile(r"[a-z0-9]+([ -][a-z0-9]+)*")


class CatalogueError(LocalizedError, ValueError):
    """Raised when a game, variant, size or option doesn't exist. The message is for the player."""


class Contents(NamedTuple):
    """The large parts of a game file, loaded only for the games that need them; see :class:`Entry`."""

    item: Item
    below: Item | None
    aim: Mapping[str, tuple[str, ...]]
    words: Mapping[str, Mapping[str, str]]
    rules: Mapping[str, str]
    example: Lesson | None
    trial: Lesson | None


class Shelved:
    """Contents of a game file, loaded on first use.

    ``read`` loads them. If it raises an error, the error is stored and the contents are empty.
    """

    __slots__ = ("_contents", "_problem", "_read")

    def __init__(self, contents: Contents | None, read: Callable[[], Contents] | None = None) -> None:
        self._contents = contents
        self._read = read
        self._problem: GameFileError | None = None

    @property
    def awaits(self) -> bool:
        """Whether neither the contents nor a function that loads them has been set yet."""
        return self._contents is None and self._read is None

    def comes_from(self, read: Callable[[], Contents]) -> None:
        """Set the function that loads the contents on first use."""
        self._read = read

    def get(self) -> Contents:
        """Return the contents, or empty contents if the file can no longer be read."""
        if self._contents is None:
            assert self._read is not None
            try:
                self._contents = self._read()
            except GameFileError as error:
                self._problem = error
                nothing: Mapping[str, str] = MappingProxyType({})
                mark = error.problems[0].mark
                self._contents = Contents(
                    Item({}, mark), None, MappingProxyType({}), MappingProxyType({}), nothing, None, None
                )
            self._read = None
        return self._contents

    def must(self) -> Contents:
        """Return the contents. Raises :class:`GameFileError` if the file can no longer be read."""
        found = self.get()
        if self._problem is not None:
            raise self._problem
        return found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shelved) and self.get() == other.get()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Shelved], tuple[Contents]]:
        return Shelved, (self.get(),)


@dataclass(frozen=True, slots=True)
class Entry:
    """A game of the catalogue, or a variant of one.

    Fields that a file leaves out are 0, "" or empty. ``titles`` holds the title in other languages. ``players`` is the
    minimum and maximum number of seats. ``sizes`` are the allowed board sizes. ``size`` is the default: the size fixed
    by ``boards`` in the file, else the first of ``sizes``. Games without boards have no ``sizes``, and their ``size``
    is 0. ``options`` are the other settings that players choose before a match. ``best`` is the highest possible score
    by board size, where known.

    ``summary`` and ``rules`` are texts by language ("en", "fr"). ``aim`` holds the goal of each seat by language; the
    last text applies to all further seats. ``words`` explains names that the game shows, by name and then by language.
    ``example`` and ``trial`` show how the game is played; a variant doesn't inherit them.

    ``own`` is set for games that are not built in. ``path`` is the path of a file outside the game folders, else "".
    ``library`` is the folder for what the game learns, else "". ``item`` is the whole file, merged over ``below``, the
    game that it extends. The large parts are loaded on first use.
    """

    id: str
    file: str
    variant: str
    title: str
    titles: Mapping[str, str]
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
    options: tuple[Option, ...]
    best: Mapping[int, int]
    summary: Mapping[str, str]
    shelved: Shelved = field(repr=False)
    own: bool = False
    path: str = ""
    library: str = ""

    @property
    def item(self) -> Item:
        """The whole file, merged over the game that it extends."""
        return self.shelved.get().item

    @property
    def below(self) -> Item | None:
        """Game that the file extends, or None."""
        return self.shelved.get().below

    @property
    def aim(self) -> Mapping[str, tuple[str, ...]]:
        """Goal of each seat, by language."""
        return self.shelved.get().aim

    @property
    def words(self) -> Mapping[str, Mapping[str, str]]:
        """Explanations of names that the game shows, by name and language."""
        return self.shelved.get().words

    @property
    def rules(self) -> Mapping[str, str]:
        """Rules of the game as text, by language."""
        return self.shelved.get().rules

    @property
    def example(self) -> Lesson | None:
        """Moves that show how the game is played."""
        return self.shelved.get().example

    @property
    def trial(self) -> Lesson | None:
        """Exercise with one move to find."""
        return self.shelved.get().trial

    def phrase(self, english: str, language: str) -> str:
        """Return the file's translation of the text ``english``, or "" if there is none."""
        for item in (self.item, self.below):
            found = _phrase(item, english, language) if item is not None else ""
            if found:
                return found
        return ""

    @property
    def meta(self) -> Mapping[str, object]:
        """Metadata by name, as plain values that can be printed as JSON, without the rules."""
        return MappingProxyType({name: getattr(self, name) for name in META})

    @property
    def program(self) -> Item:
        """The part of the file that defines the rules, as read by its table kind."""
        return only(self.item, kind(self.kind).KEYS)

    @property
    def terms(self) -> Mapping[str, Mapping[str, str]]:
        """The ``words`` that are also explained where they occur in running text.

        Names of stocks, vars and labels are excluded because they may be everyday words.
        """
        shown = _keys(only(self.item, ("stocks", "vars", "setup", "turn", "phases")))
        return {name: texts for name, texts in self.words.items() if name not in shown}

    def form(self, variant: str | None) -> Entry:
        """Return this game in ``variant``, or the game itself if ``variant`` is None or "".

        Raises :class:`CatalogueError` if the variant is unknown, and :class:`GameFileError` if it is invalid.
        """
        if not variant or variant == self.variant:
            return self
        variant = next((name for name in self.variants if _same(name, variant)), variant)
        if variant not in self.variants:
            raise CatalogueError(
                "{game} has no variant '{variant}'{hint}",
                game=self.title,
                variant=variant,
                hint=or_has(variant, self.variants),
            )
        problems = Problems()
        entry = read_entry(
            self.id,
            self.file,
            self.shelved.must().item,
            problems,
            variant,
            below=self.below,
            own=self.own,
            path=self.path,
        )
        if entry is None or problems:
            raise GameFileError(problems)
        return replace(entry, library=self.library)

    def game(
        self,
        *,
        size: int | None = None,
        variant: str | None = None,
        options: Mapping[str, int | str] | None = None,
    ) -> Game:
        """Return a playable game with a board of ``size`` and the given ``options``.

        Whatever is left out takes its default. Raises :class:`CatalogueError` for a size, variant or option that the
        game doesn't have, and :class:`GameFileError` if the file is invalid.
        """
        form = self.form(variant)
        form.shelved.must()
        chosen = form.size if size is None else size
        if chosen not in (form.sizes or (0,)):
            if not form.sizes:
                raise CatalogueError("{game} has no board sizes to choose from", game=form.title)
            allowed = _or(form.sizes)
            raise CatalogueError(
                "{game} can't be played on size {size}, only on {allowed}",
                game=form.title,
                size=chosen,
                allowed=allowed,
            )
        try:
            wanted = chosen_of(form.options, options or {}, form.title)
        except Unusable as error:
            raise CatalogueError(error.message) from None
        game = kind(form.kind).make(
            form.id,
            form.title,
            form.program,
            form.players,
            {"size": chosen, "variant": form.variant, **wanted},
            form.meta,
        )
        if self.library and isinstance(game, Learner):
            game.library = self.library
        return game


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
    """Return the entry for the game ``name``, or for a variant of it, from the merged file ``item``.

    ``layers`` are the file and the files that it extends, before merging; unknown keys in them and in their variants
    are reported. All errors are appended to ``problems``. Returns None if there is no valid title.
    """
    told = _value(item, "kind")
    kind_name = told if isinstance(told, str) and told in MODULES else USUAL
    rule_keys = kind(kind_name).KEYS
    boarded = "boards" in rule_keys
    known = tuple(key for key in META_KEYS if boarded or key not in BOARD_KEYS)
    for layer in layers:
        _check_keys(layer, (*known, *rule_keys), problems)
    variants = _mapping(item, "variants")
    if variant:
        item = merge(without(item, "variants", *LESSONS), variants[variant])
    read = Fields(item, problems)
    title = read.text("title")
    if len(title) > MOST_LETTERS:
        problems.append(
            Problem(
                read.entries["title"].mark,
                "title: expected text of at most {most} characters",
                most=MOST_LETTERS,
            )
        )
        return None
    if not title:
        if "title" not in read.entries:
            problems.append(Problem(item.mark, "a game needs a title"))
        return None
    titles = read.by_language("titles")
    if any(len(each) > MOST_LETTERS for each in titles.values()):
        problems.append(
            Problem(
                read.entries["titles"].mark,
                "titles: expected text of at most {most} characters in each language",
                most=MOST_LETTERS,
            )
        )
    source = read.mapping("source", ("book", "page"))
    board = Fields(read.entries["boards"], []) if isinstance(_value(item, "boards"), dict) else None
    fixed = board.integer("size", *SIZES) if board is not None else 0
    sizes = (read.integers("sizes", *SIZES) or (fixed or 4,)) if boarded else ()
    players = read.players()
    return Entry(
        id=name,
        file=file,
        variant=variant,
        title=title,
        titles=titles,
        kind=read.choice("kind", tuple(MODULES)) or USUAL,
        authors=read.texts("authors"),
        year=read.integer("year", 1900, 2100),
        book=source.text("book"),
        page=source.integer("page", 1, 9999),
        category=read.choice("category", CATEGORIES),
        complexity=read.integer("complexity", 1, 5),
        minutes=read.integer("minutes", 1, 600),
        players=players,
        sizes=sizes,
        size=fixed if fixed in sizes or not sizes else sizes[0],
        variants=() if variant else tuple(variants)[:MOST_VARIANTS],
        options=read_options(read, players, problems) if "options" in rule_keys else (),
        best=read.by_size("best"),
        summary=read.by_language("summary"),
        shelved=Shelved(
            Contents(
                item=item,
                below=below,
                aim=read.lists_by_language("aim"),
                words=read.explained("words"),
                rules=read.by_language("rules"),
                example=read_lesson(read, "example", problems),
                trial=read_lesson(read, "try", problems),
            )
        ),
        own=own,
        path=path,
    )


def _or(sizes: tuple[int, ...]) -> Message | int:
    """Join sizes with "or", for use in a sentence."""
    return sizes[0] if len(sizes) == 1 else Message("{one} or {other}", one=_or(sizes[:-1]), other=sizes[-1])


def _keys(item: Item) -> set[str]:
    """Return the keys of all mappings in an item, including nested ones."""
    found: set[str] = set()
    if isinstance(item.value, dict):
        found = found.union(item.value, *map(_keys, item.value.values()))
    elif isinstance(item.value, list):
        found = found.union(*map(_keys, item.value))
    return found


def _same(name: str, given: str) -> bool:
    """Return whether ``given`` is another spelling of the variant name ``name``.

    Case is ignored, and "-", which is easier to type in a shell, is equivalent to a space.
    """
    return name.replace("-", " ") == given.strip().casefold().replace("-", " ")


def _value(item: Item, key: str) -> object:
    entries = item.value
    return entries[key].value if isinstance(entries, dict) and key in entries else None


def _mapping(item: Item, key: str) -> dict[str, Item]:
    value = _value(item, key)
    return {k: v for k, v in value.items() if isinstance(v.value, dict)} if isinstance(value, dict) else {}


def _check_keys(own: Item, known: tuple[str, ...], problems: list[Problem]) -> None:
    """Report all keys of the file and its variants that are not in ``known``."""
    check_known(own, (*known, "extends", "variants"), Message("key"), problems)
    entries = own.value
    variants = entries.get("variants") if isinstance(entries, dict) else None
    if variants is None or variants.value is None:
        return
    if not isinstance(variants.value, dict):
        problems.append(Problem(variants.mark, "variants: expected a mapping of names to keys"))
        return
    if len(variants.value) > MOST_VARIANTS:
        problems.append(
            Problem(variants.mark, "variants: a game can have at most {most}", most=MOST_VARIANTS)
        )
    for name, item in variants.value.items():
        if not _NAME.fullmatch(name):
            problems.append(
                Problem(
                    variants.keys[name],
                    "variant '{name}': use lowercase letters and digits, joined by spaces or '-'",
                    name=name,
                )
            )
        if not isinstance(item.value, dict):
            problems.append(Problem(item.mark, "variant '{name}': expected a mapping of keys", name=name))
        else:
            check_known(item, known, Message("key"), problems)


def _phrase(item: Item, english: str, language: str) -> str:
    """Return the translation next to an occurrence of the text ``english`` in an item, or ""."""
    value = item.value
    if isinstance(value, dict):
        told, other = value.get("en"), value.get(language)
        if told is not None and other is not None and told.value == english:
            return str(other.value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((found for part in parts if (found := _phrase(part, english, language))), "")
