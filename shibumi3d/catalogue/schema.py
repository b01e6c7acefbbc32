"""The metadata of a game file: who made the game, for how many, how long, and its texts.

The rules part of a file is not read here, but by its kind (:mod:`shibumi3d.rules.kinds`).
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
"""The keys of games that have boards, which come in sizes."""
META = (
    "id", "file", "variant", "title", "titles", "kind", "authors", "year", "book", "page", "category", "complexity",
    "minutes", "players", "sizes", "size", "variants", "options", "best", "summary", "aim", "words", "rules", "own",
    "path",
)  # fmt: skip
"""What of an entry are plain values."""
MOST_VARIANTS = 30
MOST_LETTERS = 60
"""The length of a title."""


_NAME = re.compile(r"[a-z0-9]+([ -][a-z0-9]+)*")


class CatalogueError(LocalizedError, ValueError):
    """A game, a variant or a size that does not exist was asked for. The message is a plain sentence."""


class Contents(NamedTuple):
    """What is large in a game file, and asked for one game at a time; see :class:`Entry`."""

    item: Item
    below: Item | None
    aim: Mapping[str, tuple[str, ...]]
    words: Mapping[str, Mapping[str, str]]
    rules: Mapping[str, str]
    example: Lesson | None
    trial: Lesson | None


class Shelved:
    """Contents that lie in their file until somebody asks for them.

    ``read`` gives them; what it raises is kept, and a file that can't be read any more tells nothing.
    """

    __slots__ = ("_contents", "_problem", "_read")

    def __init__(self, contents: Contents | None, read: Callable[[], Contents] | None = None) -> None:
        self._contents = contents
        self._read = read
        self._problem: GameFileError | None = None

    @property
    def awaits(self) -> bool:
        """Whether nobody has said yet where they come from."""
        return self._contents is None and self._read is None

    def comes_from(self, read: Callable[[], Contents]) -> None:
        """Let ``read`` make the contents when they are first asked for."""
        self._read = read

    def get(self) -> Contents:
        """Return the contents, those of an empty file when it can't be read any more."""
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
        """Return the contents. Raises :class:`GameFileError` when the file can't be read any more."""
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
    """One game of the catalogue, or one variant of it.

    ``players`` are the least and the most seats, ``sizes`` the board sizes allowed and ``size`` the usual one: what
    the file's ``boards`` fix, else the first of ``sizes``.
    Games without boards have no ``sizes``, and ``size`` 0.
    ``options`` are what else is chosen before a match.
    ``best`` is the greatest score that anybody can reach, by board size, as far as it is known.
    ``summary`` and ``rules`` are texts by language ("en", "fr"), ``aim`` likewise what each seat is after, the last of
    the texts standing for all further seats. ``words`` explains names that the game shows: name, then language. What a
    file leaves out is 0, "" or empty. ``titles`` are what the game is called in other languages.
    ``example`` and ``trial`` show how the game is played; a variant has only its own.
    ``own`` games did not come with the program; ``path`` is where the file is that is in no folder of games, else "".
    ``library`` is the folder in which what its games have learned is kept, else "".
    ``item`` is the whole file, laid over ``below``, the game that it extends. What is large is read when it is first
    asked for.
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
        """The whole file, laid over what it extends."""
        return self.shelved.get().item

    @property
    def below(self) -> Item | None:
        """The game that the file extends."""
        return self.shelved.get().below

    @property
    def aim(self) -> Mapping[str, tuple[str, ...]]:
        """What each seat is after, by language."""
        return self.shelved.get().aim

    @property
    def words(self) -> Mapping[str, Mapping[str, str]]:
        """Names that the game shows, explained by language."""
        return self.shelved.get().words

    @property
    def rules(self) -> Mapping[str, str]:
        """How the game is played, by language."""
        return self.shelved.get().rules

    @property
    def example(self) -> Lesson | None:
        """Moves that show how it is played."""
        return self.shelved.get().example

    @property
    def trial(self) -> Lesson | None:
        """A move to be found."""
        return self.shelved.get().trial

    def phrase(self, english: str, language: str) -> str:
        """Return what the file says in another language where it says ``english``; "" where it says nothing."""
        for item in (self.item, self.below):
            found = _phrase(item, english, language) if item is not None else ""
            if found:
                return found
        return ""

    @property
    def meta(self) -> Mapping[str, object]:
        """All but what is for the compiler, by name: plain values, safe to print as JSON."""
        return MappingProxyType({name: getattr(self, name) for name in META})

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
        """Return this game as changed by ``variant``; the game itself for None or "".

        Raises :class:`CatalogueError` for an unknown variant, :class:`GameFileError` for a broken one.
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
        """Return the playable game on a board of ``size``, with ``options`` by name; those left out are the usual
        ones.

        Raises :class:`CatalogueError` for a size, a variant or an option that the game does not have and
        :class:`GameFileError` when the file is wrong.
        """
        form = self.form(variant)
        form.shelved.must()
        chosen = form.size if size is None else size
        if chosen not in (form.sizes or (0,)):
            if not form.sizes:
                raise CatalogueError("{game} has no board that comes in sizes", game=form.title)
            allowed = _or(form.sizes)
            raise CatalogueError(
                "{game} is not played on size {size}, only on {allowed}",
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
    """Return the entry of the game ``name`` whose merged file is ``item``, or of one of its variants.

    ``layers`` are the file alone and the files it extends, one by one: their keys are checked (variants too).
    Everything wrong is added to ``problems``; None is returned when there is no title to call the game by.
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
                "title: expected a text of at most {most} characters",
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
                "titles: expected texts of at most {most} characters",
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
    """The sizes, one or another."""
    return sizes[0] if len(sizes) == 1 else Message("{one} or {other}", one=_or(sizes[:-1]), other=sizes[-1])


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
    check_known(own, (*known, "extends", "variants"), Message("key"), problems)
    entries = own.value
    variants = entries.get("variants") if isinstance(entries, dict) else None
    if variants is None or variants.value is None:
        return
    if not isinstance(variants.value, dict):
        problems.append(Problem(variants.mark, "variants: expected a mapping of names to keys"))
        return
    if len(variants.value) > MOST_VARIANTS:
        problems.append(Problem(variants.mark, "variants: a game has at most {most}", most=MOST_VARIANTS))
    for name, item in variants.value.items():
        if not _NAME.fullmatch(name):
            problems.append(
                Problem(
                    variants.keys[name],
                    "variant '{name}': a name is made of small letters and digits, joined by spaces or '-'",
                    name=name,
                )
            )
        if not isinstance(item.value, dict):
            problems.append(Problem(item.mark, "variant '{name}': expected a mapping of keys", name=name))
        else:
            check_known(item, known, Message("key"), problems)


def _phrase(item: Item, english: str, language: str) -> str:
    """The text of a language beside an English one, wherever it stands in an item."""
    value = item.value
    if isinstance(value, dict):
        told, other = value.get("en"), value.get(language)
        if told is not None and other is not None and told.value == english:
            return str(other.value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((found for part in parts if (found := _phrase(part, english, language))), "")
