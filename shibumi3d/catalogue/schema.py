"""The metadata of a game file: title, authors, number of players, duration and texts.

The rules in the file are read by its table kind (:mod:`shibumi3d.rules.registry`), not here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from shibumi3d.catalogue.fields import LANGUAGES as LANGUAGES
from shibumi3d.catalogue.fields import SIZE_RANGE, FieldReader, check_keys
from shibumi3d.catalogue.lessons import LESSON_KEYS, Lesson, read_lesson
from shibumi3d.catalogue.merge import merge_mappings, only_keys, without_keys
from shibumi3d.catalogue.options import check_options, read_options
from shibumi3d.catalogue.tips import TIPS_KEY, Tip, read_tips
from shibumi3d.i18n import InvalidValueError, LocalizedError, Message
from shibumi3d.rules.errors import GameFileError, ProblemList
from shibumi3d.rules.game import LearnsBySelfPlay, Option, Text
from shibumi3d.rules.registry import DEFAULT_KIND, KIND_MODULES, load_kind
from shibumi3d.rules.source import Item, Problem, suggest_or_list_existing

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
    "recommend",
    "summary",
    "aim",
    "words",
    "rules",
    *LESSON_KEYS,
    TIPS_KEY,
)
SHOWN_KEYS = (*LESSON_KEYS, TIPS_KEY)
"""Keys of lessons and tips. Neither a game's variants nor games that extend it inherit them."""
BOARD_GAME_KEYS = ("sizes", "best")
"""Keys that are allowed only in games of table kinds with boards."""
VARIANT_LABEL_KEY = "label"
"""Key in a variant for the name that players see, by language. Records use the variant's name in the file instead."""
PLAIN_FIELDS = (
    "id", "file", "variant", "title", "titles", "kind", "authors", "year", "book", "page", "category", "complexity",
    "minutes", "players", "sizes", "size", "variants", "variant_labels", "options", "best", "recommended", "summary",
    "aim", "words", "rules", "own", "path",
)  # fmt: skip
"""Names of the fields in :attr:`.Entry.meta`."""
SWAP_RULE = "swap"
RECOMMENDABLE_SETTINGS = (SWAP_RULE,)
"""Settings of a match that a game file can recommend; currently, this is only the swap rule."""
MAX_VARIANTS = 30
MAX_TITLE_LENGTH = 60
"""Maximum length of a title in characters."""


_VARIANT_NAME = re.compile(r"[a-z0-9]+([ -][a-z0-9]+)*")


class CatalogueError(LocalizedError, ValueError):
    """Raised if a game can't be found or read, or doesn't have the requested variant, size or option.

    The message is for the player.
    """


class GameFileContents(NamedTuple):
    """The large parts of a game file, which are loaded only when they are needed; see :class:`Entry`."""

    item: Item
    base: Item | None
    aim: Mapping[str, tuple[str, ...]]
    words: Mapping[str, Mapping[str, str]]
    rules: Mapping[str, str]
    example: Lesson | None
    exercise: Lesson | None
    tips: tuple[Tip, ...] = ()


class LazyContents:
    """Contents of a game file, loaded on first use.

    ``load`` is called to load them, unless ``contents`` is given. If ``load`` raises :class:`GameFileError`,
    :meth:`get` returns empty contents, and :meth:`get_or_raise` raises the error. If both ``contents`` and ``load`` are
    None, :meth:`set_loader` must be called before the first use.
    """

    __slots__ = ("_contents", "_load", "_problem")

    def __init__(
        self, contents: GameFileContents | None, load: Callable[[], GameFileContents] | None = None
    ) -> None:
        self._contents = contents
        self._load = load
        self._problem: GameFileError | None = None

    @property
    def needs_loader(self) -> bool:
        """Whether neither the contents nor a function that loads them has been set yet."""
        return self._contents is None and self._load is None

    def set_loader(self, load: Callable[[], GameFileContents]) -> None:
        """Set the function that loads the contents on first use."""
        self._load = load

    def get(self) -> GameFileContents:
        """Return the contents, or empty contents if the file can't be read or is invalid."""
        if self._contents is None:
            assert self._load is not None
            try:
                self._contents = self._load()
            except GameFileError as error:
                self._problem = error
                nothing: Mapping[str, str] = MappingProxyType({})
                mark = error.problems[0].location
                self._contents = GameFileContents(
                    Item({}, mark), None, MappingProxyType({}), MappingProxyType({}), nothing, None, None
                )
            self._load = None
        return self._contents

    def get_or_raise(self) -> GameFileContents:
        """Return the contents. Raises :class:`GameFileError` if the file can't be read or is invalid."""
        result = self.get()
        if self._problem is not None:
            raise self._problem
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LazyContents) and self.get() == other.get()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[LazyContents], tuple[GameFileContents]]:
        return LazyContents, (self.get(),)


@dataclass(frozen=True, slots=True)
class Entry:
    """A game in the catalogue, or a variant of one.

    Fields that are missing in a file are 0, "" or empty, with three exceptions: ``kind`` is then :data:`.DEFAULT_KIND`;
    ``players`` is (2, 2); and ``sizes``, in a game with boards, holds the size fixed by ``boards`` in the file, or else
    4.

    ``titles`` holds the title in other languages. ``players`` is the minimum and maximum number of seats. ``sizes`` are
    the allowed board sizes. ``size`` is the default: the size fixed by ``boards`` if it is allowed, or else the first
    of ``sizes``. Games without boards have no ``sizes``, and their ``size`` is 0. ``variants`` are the names of the
    variants as written in records. ``variant_labels`` are the names that players see, by variant and then by language.
    A variant keeps the labels of its game, but has no ``variants``. ``options`` are the other settings that players
    choose before a match. ``best`` is the highest possible score by board size, where known. ``recommended`` names the
    :data:`RECOMMENDABLE_SETTINGS` that the game recommends.

    ``summary`` and ``rules`` are texts by language code. ``aim`` holds the goal of each seat by language; the last text
    applies to all further seats. ``words`` explains names that the game shows, by name and then by language.
    ``example`` and ``exercise`` show how the game is played, and ``tips`` how to play it well; variants don't inherit
    them.

    ``own`` is set for games that are not built in. ``path`` is the path of a file outside the game folders, else "".
    ``learned_folder`` is the folder for what has been learned about the game, or "" if none is set. ``item`` is the
    whole file, merged over ``base``, the game that it extends. The large parts are loaded on first use.
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
    variant_labels: Mapping[str, Text]
    options: tuple[Option, ...]
    best: Mapping[int, int]
    summary: Mapping[str, str]
    lazy_contents: LazyContents = field(repr=False)
    own: bool = False
    path: str = ""
    learned_folder: str = ""
    recommended: tuple[str, ...] = ()

    @property
    def item(self) -> Item:
        """The contents of the file, merged over the game that it extends, if any."""
        return self.lazy_contents.get().item

    @property
    def base(self) -> Item | None:
        """Game that the file extends, or None."""
        return self.lazy_contents.get().base

    @property
    def aim(self) -> Mapping[str, tuple[str, ...]]:
        """Goal of each seat, by language."""
        return self.lazy_contents.get().aim

    @property
    def words(self) -> Mapping[str, Mapping[str, str]]:
        """Explanations of names that the game shows, by name and language."""
        return self.lazy_contents.get().words

    @property
    def rules(self) -> Mapping[str, str]:
        """Rules of the game as text, by language."""
        return self.lazy_contents.get().rules

    @property
    def example(self) -> Lesson | None:
        """Lesson that shows how the game is played, or None if there is none."""
        return self.lazy_contents.get().example

    @property
    def exercise(self) -> Lesson | None:
        """Exercise with one move to find, or None if there is none."""
        return self.lazy_contents.get().exercise

    @property
    def tips(self) -> tuple[Tip, ...]:
        """Advice on how to play well."""
        return self.lazy_contents.get().tips

    def find_translation(self, english: str, language: str) -> str:
        """Return the translation of ``english`` into ``language``, or "" if there is none.

        The game's own file is searched first, and then the game that it extends.
        """
        for item in (self.item, self.base):
            translation = _find_translation(item, english, language) if item is not None else ""
            if translation:
                return translation
        return ""

    @property
    def meta(self) -> Mapping[str, object]:
        """Metadata of the game by name: the fields in :data:`PLAIN_FIELDS`.

        They include the rules as text, but not the keys of the file that define the rules.
        """
        return MappingProxyType({name: getattr(self, name) for name in PLAIN_FIELDS})

    @property
    def rules_item(self) -> Item:
        """The part of :attr:`item` that defines the rules: the keys that the game's table kind can read."""
        return only_keys(self.item, load_kind(self.kind).KEYS)

    @property
    def glossary(self) -> Mapping[str, Mapping[str, str]]:
        """The :attr:`words` that are explained where they occur in running text.

        Names that occur as keys in ``stocks``, ``vars``, ``setup``, ``turn`` or ``phases``, such as labels, are
        excluded because they may be everyday words.
        """
        shown = _all_keys(only_keys(self.item, ("stocks", "vars", "setup", "turn", "phases")))
        return {name: texts for name, texts in self.words.items() if name not in shown}

    def with_variant(self, variant: str | None) -> Entry:
        """Return this game in the given variant.

        If ``variant`` is None, "" or exactly the variant of this entry, return the entry unchanged. Otherwise, it may
        be spelled in any way that :func:`is_same_variant` accepts. Raises :class:`CatalogueError` if this entry has no
        such variant, which is always the case if it is a variant itself, and :class:`GameFileError` if the variant is
        invalid or the file can't be read.
        """
        if not variant or variant == self.variant:
            return self
        variant = next((name for name in self.variants if is_same_variant(name, variant)), variant)
        if variant not in self.variants:
            raise CatalogueError(
                "{game} has no variant '{variant}'{hint}",
                game=self.title,
                variant=variant,
                hint=suggest_or_list_existing(variant, self.variants),
            )
        problems = ProblemList()
        entry = read_entry(
            self.id,
            self.file,
            self.lazy_contents.get_or_raise().item,
            problems,
            variant,
            below=self.base,
            own=self.own,
            path=self.path,
        )
        if entry is None or problems:
            raise GameFileError(problems)
        return replace(entry, learned_folder=self.learned_folder)

    def game(
        self,
        *,
        size: int | None = None,
        variant: str | None = None,
        options: Mapping[str, int | str] | None = None,
    ) -> Game:
        """Return a playable game with the given board size, variant and options.

        Whatever is left out takes its default. Raises :class:`CatalogueError` if the game doesn't have the size, the
        variant, an option or the value chosen for an option. Raises :class:`GameFileError` if the file is invalid.
        """
        form = self.with_variant(variant)
        form.lazy_contents.get_or_raise()
        chosen = form.size if size is None else size
        if chosen not in (form.sizes or (0,)):
            if not form.sizes:
                raise CatalogueError("{game} has no board sizes to choose from", game=form.title)
            allowed = ", ".join(map(str, sorted(form.sizes)))
            raise CatalogueError(
                "{game} can't be played on a board of size {size}; possible sizes: {allowed}",
                game=form.title,
                size=chosen,
                allowed=allowed,
            )
        try:
            wanted = check_options(form.options, options or {}, form.title)
        except InvalidValueError as error:
            raise CatalogueError(error.message) from None
        game = load_kind(form.kind).make(
            form.id,
            form.title,
            form.rules_item,
            form.players,
            {"size": chosen, "variant": form.variant, **wanted},
            form.meta,
        )
        if self.learned_folder and isinstance(game, LearnsBySelfPlay):
            game.learned_folder = self.learned_folder
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
    """Return the entry for the game ``name``, or for a variant of it, from its game file.

    ``item`` is the file merged with the files that it extends. ``variant`` names the variant, or is "" for the game
    itself. ``layers`` are the file and the files that it extends, before merging; unknown keys in them and in their
    variants are reported. ``below`` is the game that the file extends, merged from its own layers, or None. ``file``,
    ``own`` and ``path`` become fields of the entry. Errors are appended to ``problems``. Returns None if there is no
    valid title.
    """
    given = _value_of(item, "kind")
    kind_name = given if isinstance(given, str) and given in KIND_MODULES else DEFAULT_KIND
    rule_keys = load_kind(kind_name).KEYS
    boarded = "boards" in rule_keys
    known = tuple(key for key in META_KEYS if boarded or key not in BOARD_GAME_KEYS)
    for layer in layers:
        _check_keys(layer, (*known, *rule_keys), problems)
    variants = _mapping_of(item, "variants")
    variant_labels = _read_variant_labels(variants, [] if variant else problems)
    if variant:
        item = merge_mappings(
            without_keys(item, "variants", *SHOWN_KEYS), without_keys(variants[variant], VARIANT_LABEL_KEY)
        )
    read = FieldReader(item, problems)
    title = read.text("title")
    if len(title) > MAX_TITLE_LENGTH:
        problems.append(
            Problem(
                read.entries["title"].location,
                "title: expected text of at most {most} characters",
                most=MAX_TITLE_LENGTH,
            )
        )
        return None
    if not title:
        if "title" not in read.entries:
            problems.append(Problem(item.location, "a game needs a title"))
        return None
    titles = read.by_language("titles")
    if any(len(title) > MAX_TITLE_LENGTH for title in titles.values()):
        problems.append(
            Problem(
                read.entries["titles"].location,
                "titles: expected text of at most {most} characters in each language",
                most=MAX_TITLE_LENGTH,
            )
        )
    source = read.mapping("source", ("book", "page"))
    recommended = read.mapping("recommend", RECOMMENDABLE_SETTINGS)
    board = FieldReader(read.entries["boards"], []) if isinstance(_value_of(item, "boards"), dict) else None
    fixed = board.integer("size", *SIZE_RANGE) if board is not None else 0
    sizes = (read.integers("sizes", *SIZE_RANGE) or (fixed or 4,)) if boarded else ()
    players = read.players()
    return Entry(
        id=name,
        file=file,
        variant=variant,
        title=title,
        titles=titles,
        kind=read.choice("kind", tuple(KIND_MODULES)) or DEFAULT_KIND,
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
        variants=() if variant else tuple(variant_labels),
        variant_labels=variant_labels,
        options=read_options(read, players, problems) if "options" in rule_keys else (),
        best=read.by_size("best"),
        summary=read.by_language("summary"),
        lazy_contents=LazyContents(
            GameFileContents(
                item=item,
                base=below,
                aim=read.lists_by_language("aim"),
                words=read.explanations("words"),
                rules=read.by_language("rules"),
                example=read_lesson(read, "example", problems),
                exercise=read_lesson(read, "try", problems),
                tips=read_tips(read, problems),
            )
        ),
        own=own,
        path=path,
        recommended=tuple([name for name in RECOMMENDABLE_SETTINGS if recommended.flag(name)]),
    )


def _read_variant_labels(variants: Mapping[str, Item], problems: list[Problem]) -> Mapping[str, Text]:
    """Return the labels of the first :data:`MAX_VARIANTS` variants, by variant and then by language.

    The English label defaults to the variant's name, with spaces instead of hyphens. Errors are appended to
    ``problems``.
    """
    return MappingProxyType(
        {
            name: MappingProxyType(
                {
                    "en": name.replace("-", " "),
                    **FieldReader(variants[name], problems).by_language(VARIANT_LABEL_KEY),
                }
            )
            for name in tuple(variants)[:MAX_VARIANTS]
        }
    )


def _all_keys(item: Item) -> set[str]:
    """Return the keys of all mappings in an item, including nested ones."""
    result: set[str] = set()
    if isinstance(item.value, dict):
        result = result.union(item.value, *map(_all_keys, item.value.values()))
    elif isinstance(item.value, list):
        result = result.union(*map(_all_keys, item.value))
    return result


def is_same_variant(name: str, given: str) -> bool:
    """Return whether ``given`` matches ``name``, the name or label of a variant.

    Case is ignored, and "-", which is easier to type in a shell, is equivalent to a space.
    """
    return name.casefold().replace("-", " ") == given.strip().casefold().replace("-", " ")


def _value_of(item: Item, key: str) -> object:
    entries = item.value
    return entries[key].value if isinstance(entries, dict) and key in entries else None


def _mapping_of(item: Item, key: str) -> dict[str, Item]:
    value = _value_of(item, key)
    return {k: v for k, v in value.items() if isinstance(v.value, dict)} if isinstance(value, dict) else {}


def _check_keys(own: Item, known: tuple[str, ...], problems: list[Problem]) -> None:
    """Report unknown keys in the file ``own`` and in its variants, and report invalid variants.

    The keys in ``known`` are allowed in both.
    """
    check_keys(own, (*known, "extends", "variants"), Message("key"), problems)
    entries = own.value
    variants = entries.get("variants") if isinstance(entries, dict) else None
    if variants is None or variants.value is None:
        return
    if not isinstance(variants.value, dict):
        problems.append(
            Problem(
                variants.location,
                "variants: expected a mapping from the name of each variant to the keys it changes",
            )
        )
        return
    if len(variants.value) > MAX_VARIANTS:
        problems.append(
            Problem(variants.location, "variants: a game can have at most {most} of them", most=MAX_VARIANTS)
        )
    for name, item in variants.value.items():
        if not _VARIANT_NAME.fullmatch(name):
            problems.append(
                Problem(
                    variants.key_locations[name],
                    "variant '{name}': use lowercase letters and digits, joined by spaces or '-'",
                    name=name,
                )
            )
        if not isinstance(item.value, dict):
            problems.append(Problem(item.location, "variant '{name}': expected a mapping", name=name))
        else:
            check_keys(item, (*known, VARIANT_LABEL_KEY), Message("key"), problems)


def _find_translation(item: Item, english: str, language: str) -> str:
    """Return the first translation of ``english`` into ``language`` in ``item``, or "" if there is none."""
    value = item.value
    if isinstance(value, dict):
        original, other = value.get("en"), value.get(language)
        if original is not None and other is not None and original.value == english:
            return str(other.value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next(
        (translation for part in parts if (translation := _find_translation(part, english, language))), ""
    )
