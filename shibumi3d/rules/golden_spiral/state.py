"""The state and the moves of Golden Spiral, and its rules from a game file."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from shibumi3d.i18n import LANGUAGES, Message
from shibumi3d.rules import game
from shibumi3d.rules.game import Decision, FormerStateNames, Outcome, first_deciding_seat
from shibumi3d.rules.source import Item, Problem
from shibumi3d.rules.table_reader import TableReader

CLASH_PHASE, STRATEGY_PHASE, JOKER_PHASE, REINFORCEMENT_PHASE = range(4)
"""Phases of a Spiral."""
DISCARD = -1
"""Value used in place of a seat number for the discard, which receives medals that are lost or paid."""

DecisionKind = Literal["", "bid", "joker", "amount", "reinforce"]


@dataclass(frozen=True, slots=True)
class Move(game.Move):
    """A move.

    ======== ============================================== ================
    kind     meaning                                        text
    ======== ============================================== ================
    bid      set a number behind the screen                 ``7``
    joker    announce a joker                               ``second-clash``
    pass     announce nothing                               ``pass``
    amount   choose how much a joker takes, moves or swaps  ``2``, ``1G``, ``2S``
    turn     turn ``number`` medals back to Gold            ``1``
    ======== ============================================== ================

    In records, a move made out of turn is prefixed with the number of its seat, counted from 1, e.g. ``2:7``. Such
    moves occur when both seats are asked at the same time and the second one answers first.
    """

    number: int = 0
    """Number set, or the number of medals or stars that the move concerns."""


@dataclass(frozen=True, slots=True)
class ClashResult:
    """Result of a clash between different numbers.

    Seat ``winner`` set ``winning_number``, which exceeds the number of seat ``loser`` by ``difference``.
    """

    winner: int
    winning_number: int
    loser: int
    difference: int


@dataclass(frozen=True, slots=True)
class State(FormerStateNames):
    """The state of a match.

    ``gold``, ``spiral`` and ``stars`` give each seat's number of Gold medals, Spiral medals and stars. In a view,
    ``seed`` is None and the numbers of other seats in ``secret_numbers`` are 0.
    """

    gold: tuple[int, ...]
    spiral: tuple[int, ...]
    stars: tuple[int, ...]
    discarded_medals: int = 0
    spent_stars: tuple[int, ...] = (0, 0)
    """Number of stars that each seat has spent in this Spiral. Spent stars are not returned."""
    shown_numbers: tuple[int, ...] = (0, 0)
    """Numbers that the dice have shown since the last clash; 0 before the first one."""
    secret_numbers: tuple[int, ...] = (0, 0)
    """Numbers set for the pending clash; 0 for a seat that hasn't set one."""
    clash_result: ClashResult | None = None
    """Result of the first clash of this Spiral.

    It is None until that clash is over, and stays None if the numbers were equal.
    """
    decision_kind: DecisionKind = "bid"
    deciding_seats: tuple[int, ...] = (0, 1)
    """Seats that have yet to make the pending decision."""
    first_speaker: int = -1
    """Seat that speaks first in this Spiral, or -1 if no seat does or this isn't decided yet."""
    announced_jokers: tuple[str, ...] = ()
    """Ids of the jokers announced in this Spiral, in order, with "" for a pass."""
    jokers_done: int = 0
    """Number of entries of ``announced_jokers`` that have been carried out or skipped."""
    seats_to_reinforce: tuple[int, ...] = ()
    """Seats that have yet to carry out their reinforcement, in order."""
    turn_back_limits: tuple[int, ...] = (0, 0)
    """Maximum number of medals that each seat may turn back in this reinforcement."""
    turn: int = 0
    step: int = 0
    phase: int = CLASH_PHASE
    result: Outcome | None = None
    seed: int | None = None
    viewer: int = field(default=-1, compare=False)
    """Seat whose view this is; -1 for the full state and for spectators."""

    @property
    def seats(self) -> int:
        """Number of seats."""
        return len(self.gold)

    @property
    def decision(self) -> Decision | None:
        """Pending decision, or None if the match is over."""
        if not self.deciding_seats:
            return None
        if self.decision_kind == "bid":
            return Decision("bid", self.deciding_seats, "hidden")
        return Decision(self.decision_kind, self.deciding_seats)

    @property
    def to_move(self) -> int | None:
        """Seat to move, or None if the match is over.

        If both seats have a pending decision, this is the first of them; in the view of one seat, it is that seat.
        """
        return first_deciding_seat(self.decision, self.viewer)

    @property
    def mover(self) -> int:
        """First seat with a pending decision, or 0 if the match is over."""
        return self.deciding_seats[0] if self.deciding_seats else 0

    @property
    def repetition_key(self) -> Hashable:
        """Key for detecting repetitions.

        It covers the medals, the stars, the phase, the announced jokers and how many of them are done, and the seats
        that have yet to answer.
        """
        return (
            self.gold,
            self.spiral,
            self.stars,
            self.discarded_medals,
            self.phase,
            self.announced_jokers,
            self.jokers_done,
            self.deciding_seats,
        )

    @property
    def game_number(self) -> int:
        """Always 1, because a match consists of a single game."""
        return 1

    @property
    def scores(self) -> tuple[int, ...]:
        """Always 0 for each seat, because there is no score."""
        return (0,) * self.seats

    @property
    def totals(self) -> tuple[int, ...]:
        """Always empty, because there is no series."""
        return ()

    def total_medals(self, seat: int) -> int:
        """Return the number of medals of a seat, Gold and Spiral together."""
        return self.gold[seat] + self.spiral[seat]

    def speaking_seat(self, index: int) -> int:
        """Return the seat that speaks first (``index`` 0) or second (1) in this Spiral.

        To speak is to announce a joker or to pass. The first speaker must have been determined: ``first_speaker`` must
        not be -1.
        """
        return self.first_speaker if index == 0 else 1 - self.first_speaker


TABLE_KEYS = ("medals", "stars", "limit", "dice", "back", "jokers")
OPTION_BOUNDS = {"stars": (0, 9)}
"""Options that a game file may offer before a match, with their minimum and maximum values."""
JOKER_KEYS = ("id", "name", "stars", "price", "when", "do", "take", "back")
CONDITION_NAMES = ("always", "undoable", "room", "booty", "swap", "fewer", "even", "thief", "spiral")
"""Names of the conditions for announcing a joker; see :data:`.effects.CONDITION_CHECKS`."""
EFFECT_NAMES = (
    "undo",
    "clash",
    "restock",
    "choose",
    "destroy",
    "swap",
    "take",
    "thieve",
    "reinforce",
    "flip",
)
"""Names of the effects of jokers; see :func:`.effects.apply_effect`."""
MAX_VALUE = 13
"""Maximum number that the dice may show, maximum price, and maximum number of medals moved or turned at once."""


class MedalPair(NamedTuple):
    """Numbers of Gold and Spiral medals."""

    gold: int = 0
    spiral: int = 0


NO_MEDALS = MedalPair()


@dataclass(frozen=True, slots=True)
class Joker:
    """A joker.

    If its condition ``when`` is met, a seat can announce it; this costs ``stars`` stars. After its effect ``do``, the
    seat must pay ``price`` in medals. ``take`` is the maximum number of medals that the effect takes or destroys; for
    "thieve", ``take.gold`` is a number of stars. For "take", the seat also takes up to ``back`` medals from the
    discard; for "swap", ``back`` is the maximum number of medals that it gives to the opponent. ``name`` holds pairs of
    language code and name.
    """

    id: str
    name: tuple[tuple[str, str], ...]
    stars: int
    price: MedalPair
    when: str
    do: str
    take: MedalPair = NO_MEDALS
    back: MedalPair = NO_MEDALS

    def localized_name(self, lang: str) -> str:
        """Return the name of the joker in a language, falling back to English."""
        names = dict(self.name)
        return names.get(lang) or names["en"]


@dataclass(frozen=True, slots=True)
class MedalRules:
    """Parameters of the game.

    Each seat starts with ``medals`` Gold medals and ``stars`` stars; if the game offers the option ``stars``, the value
    of that option counts instead. The match lasts at most ``max_spirals`` rounds, which are called Spirals.
    ``dice_faces`` holds the two dice faces that show each number, starting with number 1. In the reinforcement, a seat
    may turn Spiral medals back to Gold: up to ``turn_back_with_more_gold`` if it has more Gold than the opponent, up to
    ``turn_back_with_less_gold`` if it has less, and up to ``turn_back_with_equal_gold`` if both have the same. A joker
    with the effect "reinforce" turns back all of its owner's medals instead. ``jokers`` are the jokers that the seats
    can announce.
    """

    medals: int = 13
    stars: int = 5
    max_spirals: int = 40
    dice_faces: tuple[tuple[int, ...], ...] = ()
    turn_back_with_more_gold: int = 1
    turn_back_with_less_gold: int = 2
    turn_back_with_equal_gold: int = 1
    jokers: tuple[Joker, ...] = ()

    @property
    def highest_number(self) -> int:
        """Highest number that the dice can show."""
        return len(self.dice_faces)

    def joker_by_id(self, id: str) -> Joker:
        """Return the joker with this id.

        Raises KeyError if there is none.
        """
        for joker in self.jokers:
            if joker.id == id:
                return joker
        raise KeyError(id)

    def legal_numbers(self, gold: int) -> range:
        """Return the numbers that a seat with this much Gold may set.

        A number must be lower than the seat's Gold, and the dice must be able to show it.
        """
        return range(1, min(self.highest_number, gold - 1) + 1)


def read_rules(item: Item | None, problems: list[Problem]) -> MedalRules:
    """Return the parameters in ``item``, the mapping under ``table:``.

    If the mapping is missing, ``item`` is None. The dice and the jokers have no defaults. If the dice are missing or
    skip a number, ``dice_faces`` is empty. A joker is left out if it lacks a required entry or if the value of an entry
    is invalid. There are two exceptions: a joker without any entries is kept, and so is one whose id is already taken,
    which replaces any earlier joker with that id. Every other parameter that is missing or invalid is replaced by its
    default. Any errors are appended to ``problems``.
    """
    read = TableReader(item, "table", TABLE_KEYS, problems)
    back = read.sub_reader("back", ("more", "fewer", "equal"))
    return MedalRules(
        medals=read.read_int("medals", 2, 20, 13),
        stars=read.read_int("stars", *OPTION_BOUNDS["stars"], 5),
        max_spirals=read.read_int("limit", 1, 200, 40),
        dice_faces=_read_dice(read),
        turn_back_with_more_gold=back.read_int("more", 0, MAX_VALUE, 1),
        turn_back_with_less_gold=back.read_int("fewer", 0, MAX_VALUE, 2),
        turn_back_with_equal_gold=back.read_int("equal", 0, MAX_VALUE, 1),
        jokers=_read_jokers(read),
    )


def _read_dice(reader: TableReader) -> tuple[tuple[int, ...], ...]:
    """Return the two dice faces that show each number, starting with number 1.

    The faces of each number are in ascending order. Invalid numbers, invalid faces, faces that another number already
    uses, and the first missing number are reported as errors. If a number is missing, the result is empty. Invalid
    faces are replaced by an empty tuple. If the whole mapping under ``table:`` is missing, nothing is reported.
    """
    given = reader.sub_reader("dice", None)
    faces: dict[int, tuple[int, ...]] = {}
    for key in given.items:
        if not (key.isdecimal() and len(key) < 3 and 1 <= int(key) <= MAX_VALUE):
            given.report_error(
                key, "the faces of a number from 1 to {most}, as in {{1: [1, 6]}}", most=MAX_VALUE
            )
            continue
        shown = tuple(sorted(given.read_ints(key, 1, 6, (), 2)))
        if shown in faces.values():
            given.report_error(key, "faces that no other number uses")
        faces[int(key)] = shown
    missing = [number for number in range(1, max(faces, default=1) + 1) if number not in faces]
    if missing and given.location is not None:
        reader.report_error(
            "dice", "two faces for every number starting from 1, but {number} is missing", number=missing[0]
        )
    elif missing and reader.location is not None:
        reader.problems.append(
            Problem(
                reader.location, "table: 'dice' is missing; it must give the two faces that show each number"
            )
        )
    return () if missing else tuple(faces[number] for number in sorted(faces))


def _read_jokers(reader: TableReader) -> tuple[Joker, ...]:
    """Read and return the jokers, and report every id that is already used or is "pass"."""
    result: dict[str, Joker] = {}
    for row in reader.row_readers("jokers", JOKER_KEYS):
        joker = _read_joker(row)
        if joker is None:
            continue
        if joker.id in ("pass", *result):
            row.report_error("id", "a different id: '{id}' is already taken", id=joker.id)
        result[joker.id] = joker
    return tuple(result.values())


def _read_joker(table: TableReader) -> Joker | None:
    if table.location is None:
        return None
    before = len(table.problems)
    for key in ("id", "name", "stars", "price", "when", "do"):
        if table.items and key not in table.items:
            table.problems.append(
                Problem(table.location, "{row}: a joker needs '{key}'", row=table.name, key=key)
            )
    name = table.sub_reader("name", tuple(LANGUAGES))
    id = table.read_string("id", "?")
    if " " in id or ":" in id:
        table.report_error("id", "a word without spaces or ':'")
    joker = Joker(
        id,
        tuple((lang, name.read_string(lang)) for lang in LANGUAGES if lang in name.items),
        table.read_int("stars", 1, 9, 1),
        _read_pair(table, "price"),
        table.read_word("when", CONDITION_NAMES, "always"),
        table.read_word("do", EFFECT_NAMES, "flip"),
        _read_pair(table, "take"),
        _read_pair(table, "back"),
    )
    if "name" in table.items and "en" not in dict(joker.name):
        table.report_error("name", "at least the English name, as in {{en: Mirror}}")
    if joker.do == "swap" and (not joker.back.spiral or joker.take.gold % joker.back.spiral):
        problem = Message("the Gold in 'take' must be a multiple of the Spiral medals in 'back'")
        table.problems.append(
            Problem(table.location, "{row}: in a swap, {problem}", row=table.name, problem=problem)
        )
    return joker if len(table.problems) == before else None


def _read_pair(table: TableReader, key: str) -> MedalPair:
    return MedalPair(*table.read_ints(key, 0, MAX_VALUE, (0, 0), 2))
