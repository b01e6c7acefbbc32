"""Parameters of the Golden Spiral, read from ``table:`` in a game file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from shibumi3d.i18n import LANGUAGES, Message
from shibumi3d.rules.reading import TableReader
from shibumi3d.rules.source import Item, Problem

KEYS = ("medals", "stars", "limit", "dice", "back", "jokers")
CHOICES = {"stars": (0, 9)}
"""Options that a game file may offer before a match, with their minimum and maximum values."""
JOKER_KEYS = ("id", "name", "stars", "price", "when", "do", "take", "back")
WHEN = ("always", "undoable", "room", "booty", "swap", "fewer", "even", "thief", "spiral")
"""Names of the conditions for announcing a joker; see :data:`.jokers.WHEN`."""
DO = ("undo", "clash", "restock", "choose", "destroy", "swap", "take", "thieve", "reinforce", "flip")
"""Names of the effects of jokers; see :func:`.jokers.use`."""
MOST = 13
"""Maximum number that the dice may show, maximum price, and maximum number of medals moved at once."""


class Pair(NamedTuple):
    """Numbers of Gold and Spiral medals."""

    gold: int = 0
    spiral: int = 0


NO_MEDALS = Pair()


@dataclass(frozen=True, slots=True)
class Joker:
    """A joker.

    If its condition ``when`` is met, a seat can announce it by spending ``stars``. After its effect ``do``, the seat
    must pay ``price``. ``take`` is the maximum that it takes. ``back`` is what the seat also takes from the discard or,
    for the effect "swap", the maximum that the seat gives to the opponent. ``name`` holds pairs of language code and
    name.
    """

    id: str
    name: tuple[tuple[str, str], ...]
    stars: int
    price: Pair
    when: str
    do: str
    take: Pair = NO_MEDALS
    back: Pair = NO_MEDALS

    def called(self, lang: str) -> str:
        """Return the name of the joker in a language, falling back to English."""
        names = dict(self.name)
        return names.get(lang) or names["en"]


@dataclass(frozen=True, slots=True)
class Tableau:
    """Parameters of the game.

    ``medals`` and ``stars`` are the numbers with which each seat starts. ``limit`` is the maximum number of Spirals.
    ``dice`` holds the faces that show each number, starting with number 1. In the reinforcement, the seat with more
    Gold may turn back ``more`` medals, and the seat with less Gold may turn back ``fewer``. If Gold is tied, each may
    turn back ``equal``.
    """

    medals: int = 13
    stars: int = 5
    limit: int = 40
    dice: tuple[tuple[int, ...], ...] = ()
    more: int = 1
    fewer: int = 2
    equal: int = 1
    jokers: tuple[Joker, ...] = ()

    @property
    def highest(self) -> int:
        """Highest number that the dice can show."""
        return len(self.dice)

    def joker(self, id: str) -> Joker:
        """Return the joker with this id.

        Raises KeyError if there is none.
        """
        for joker in self.jokers:
            if joker.id == id:
                return joker
        raise KeyError(id)

    def legal(self, gold: int) -> range:
        """Return the numbers that a seat with this much Gold may set.

        A number must be lower than the seat's Gold, and the dice must be able to show it.
        """
        return range(1, min(self.highest, gold - 1) + 1)


def read_table(item: Item | None, problems: list[Problem]) -> Tableau:
    """Return the parameters under ``table:``; any errors are appended to ``problems``."""
    read = TableReader(item, "table", KEYS, problems)
    back = read.table("back", ("more", "fewer", "equal"))
    return Tableau(
        medals=read.whole("medals", 2, 20, 13),
        stars=read.whole("stars", *CHOICES["stars"], 5),
        limit=read.whole("limit", 1, 200, 40),
        dice=_dice(read),
        more=back.whole("more", 0, MOST, 1),
        fewer=back.whole("fewer", 0, MOST, 2),
        equal=back.whole("equal", 0, MOST, 1),
        jokers=_jokers(read),
    )


def _dice(read: TableReader) -> tuple[tuple[int, ...], ...]:
    """Return the faces that show each number, from 1 on.

    Missing numbers, and faces that are used for two numbers, are reported as errors.
    """
    given = read.table("dice", None)
    faces: dict[int, tuple[int, ...]] = {}
    for key in given.items:
        if not (key.isdecimal() and len(key) < 3 and 1 <= int(key) <= MOST):
            given.wrong(key, "the faces of a number from 1 to {most}, as in {{1: [1, 6]}}", most=MOST)
            continue
        shown = tuple(sorted(given.wholes(key, 1, 6, (), 2)))
        if shown in faces.values():
            given.wrong(key, "faces that no other number uses")
        faces[int(key)] = shown
    missing = [number for number in range(1, max(faces, default=1) + 1) if number not in faces]
    if missing and given.mark is not None:
        read.wrong(
            "dice", "two faces for every number starting from 1, but {number} is missing", number=missing[0]
        )
    elif missing and read.mark is not None:
        read.problems.append(
            Problem(read.mark, "table: 'dice' is missing: it gives the faces for each number")
        )
    return () if missing else tuple(faces[number] for number in sorted(faces))


def _jokers(read: TableReader) -> tuple[Joker, ...]:
    """Return the jokers, and report duplicate ids."""
    found: dict[str, Joker] = {}
    for row in read.rows("jokers", JOKER_KEYS):
        joker = _joker(row)
        if joker is None:
            continue
        if joker.id in ("pass", *found):
            row.wrong("id", "a different id: '{id}' is already taken", id=joker.id)
        found[joker.id] = joker
    return tuple(found.values())


def _joker(row: TableReader) -> Joker | None:
    if row.mark is None:
        return None
    before = len(row.problems)
    for key in ("id", "name", "stars", "price", "when", "do"):
        if row.items and key not in row.items:
            row.problems.append(Problem(row.mark, "{row}: a joker needs '{key}'", row=row.name, key=key))
    name = row.table("name", tuple(LANGUAGES))
    id = row.text("id", "?")
    if " " in id or ":" in id:
        row.wrong("id", "a word without spaces or ':'")
    found = Joker(
        id,
        tuple((lang, name.text(lang)) for lang in LANGUAGES if lang in name.items),
        row.whole("stars", 1, 9, 1),
        _pair(row, "price"),
        row.word("when", WHEN, "always"),
        row.word("do", DO, "flip"),
        _pair(row, "take"),
        _pair(row, "back"),
    )
    if "name" in row.items and "en" not in dict(found.name):
        row.wrong("name", "at least the English name, as in {{en: Mirror}}")
    if found.do == "swap" and (not found.back.spiral or found.take.gold % found.back.spiral):
        problem = Message("the Gold in 'take' must be a multiple of the Spiral medals in 'back'")
        row.problems.append(Problem(row.mark, "{row}: in a swap, {problem}", row=row.name, problem=problem))
    return found if len(row.problems) == before else None


def _pair(row: TableReader, key: str) -> Pair:
    """Parse a list of two numbers, Gold and Spiral."""
    return Pair(*row.wholes(key, 0, MOST, (0, 0), 2))
