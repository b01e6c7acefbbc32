"""Compiled rules as plain data: what the language makes of a game file and the engine builds machines from.

Nothing here runs and nothing here changes once it is made, so one set of rules serves any number of machines.
(:attr:`Rules.runner` only keeps one of these at hand.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.colour import COLOURS, LETTERS
from shibumi3d.rules.marbles.pyramid import Pyramid

PLACE: Final = 0
TAKE: Final = 1
LIFT: Final = 2
SET: Final = 3
ENTER: Final = 4
POINTS: Final = 5
COLOUR: Final = 6
SEAT: Final = 7
NUMBER: Final = 8
GIVE: Final = 9
LABEL: Final = 10
DONE: Final = 11
PASS: Final = 12
"""Kinds of choice, in the low four bits of a choice code. The rest of a code is, from bit 4 on:

place: colour 3 bits, point 9, board · take, lift, set: 3 unused, point 9, board · enter: colour 3, point 9, board 4,
side · points: the set · give, colour, seat, label: its number · number: see :func:`number_code`
"""

PLACED: Final = 0
MOVED: Final = 1
FALLEN: Final = 2
MARKS: Final = ("placed", "moved", "fallen")
"""The marks every board keeps: marbles placed, moved and fallen in this turn; and the words that read them."""

WORK: Final = 4_000_000
"""What answering one question, or making one choice, may cost: a quarter of a second of Python or less.

A cost of 1 is a part of an expression looked at, about a twentieth of a microsecond. How fast a machine is changes
nothing: what is too much is too much everywhere.
"""
SCORE_TERM: Final = 1
GAIN_TERM: Final = 2
SOLVABLE_TERM: Final = 3
END_TERM: Final = 4
UNTIL_TERM: Final = 5
"""What of a file is being read that no instruction names: from 4 on plus twice the number of an end rule or a phase."""
RECURS = -3
"""The number of the reason for which a draw was claimed."""
TIME_UP = -4
"""The number of the reason for which a seat lost when its time was up."""
LIMIT: Final = 0xFFFFFFFFFFFFFF
"""Numbers stay within this, so that no game file can make numbers without end."""

EVERYONE = -1
"""Every seat, as a set of seats."""

Deps = frozenset[str]
NO_DEPS: Deps = frozenset()
STATE: Deps = frozenset({"state"})
ME: Deps = frozenset({"me"})

READS_ME = frozenset({"OwnMarbles", "BySeat", "Me"})
READS_STATE = frozenset(
    {
        "ColourMarbles", "OwnMarbles", "Marbles", "Filled", "Empty", "Playable", "Free", "Movable", "Visible",
        "MarkValue", "Vacated", "Taken", "ChosenColour", "Origin", "Mover", "Tied", "Winners", "Stuck", "Able",
        "Repeats", "PassedBy", "Score", "SeatSlot", "Linked", "Seen", "LongestPath", "Groups", "FullGroups",
        "ColoursOn", "ColoursIn", "Extreme", "StockValue", "OnBoard",
    }
)  # fmt: skip


def clamp(value: int) -> int:
    """Return ``value`` held within :data:`LIMIT`."""
    return LIMIT if value > LIMIT else -LIMIT if value < -LIMIT else value


def number_code(value: int) -> int:
    """Return any Int as a number from 0: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4, and so on."""
    return value * 2 if value >= 0 else -2 * value - 1


def number_of(code: int) -> int:
    """Return the Int that :func:`number_code` coded."""
    return -(code + 1) // 2 if code & 1 else code // 2


class Term:
    """An expression as data: an operation on terms and plain values.

    ``deps`` says what the value depends on: ``"state"`` for anything of the match, ``"me"`` for the seat rated,
    ``"v3"`` for the variable in slot 3. A term without deps is a constant of the board size.
    """

    __slots__ = ("args", "deps", "op")

    def __init__(self, op: str, args: tuple[Any, ...], deps: Deps) -> None:
        self.op = op
        self.args = args
        self.deps = deps

    def __repr__(self) -> str:
        return f"{self.op}{self.args}"

    @property
    def value(self) -> Any:
        """The value of a constant."""
        return self.args[0]


@dataclass(frozen=True)
class LoopTerm:
    """One ``for … in … if …`` of a comprehension.

    ``kind`` says what it runs through: the single ``bits`` of a bit set, the numbers or ``items`` of a list, the
    point ``sets`` of a family, or the families of ``lists``. With ``whole`` only the members that are part of it.
    """

    slot: int
    source: Term
    kind: str
    tests: tuple[Term, ...]
    whole: Term | None = None


def stock_base(stock: Term) -> int:
    """Return the first holder of a stock; of one of two by a test: of the first of them."""
    base: int = stock_base(stock.args[1]) if stock.op == "StockChoice" else stock.args[0]
    return base


def deps_of(args: Iterable[Any]) -> Deps:
    """Return all that terms, and loops over them, depend on together."""
    found: set[str] = set()
    for arg in args:
        if isinstance(arg, Term):
            found |= arg.deps
        elif isinstance(arg, LoopTerm):
            found |= deps_of((arg.source, arg.whole, *arg.tests))
        elif isinstance(arg, tuple):
            found |= deps_of(arg)
    return frozenset(found)


def term(op: str, *args: Any) -> Term:
    """Return the term of an operation; its deps follow from its parts."""
    deps = deps_of(args)
    if op in READS_STATE:
        deps |= STATE
    if op in READS_ME:
        deps |= ME
    return Term(op, args, deps)


def const(value: int) -> Term:
    """Return the term of a fixed scalar."""
    return Term("Const", (value,), NO_DEPS)


def const_items(value: tuple[int, ...]) -> Term:
    """Return the term of a fixed family or list."""
    return Term("ConstItems", (value,), NO_DEPS)


def slot(number: int, shape: str, deps: Deps) -> Term:
    """Return the term of a loop variable, a name set by ``let`` or ``as``, or a var.

    ``shape``: scalar, items or lists.
    """
    return Term("Slot", (number, shape), deps)


def comprehension(op: str, loops: tuple[LoopTerm, ...], element: Term) -> Term:
    """Return the term of an operation on the values of an element over nested loops."""
    return Term(op, (loops, element), deps_of((loops, element)) - {f"v{loop.slot}" for loop in loops})


def bind(slots: tuple[int, ...], args: tuple[Term, ...], shapes: tuple[str, ...], body: Term) -> Term:
    """Return ``body`` with the values of arguments put in slots first: a call of a ``define``."""
    deps = deps_of(args) | body.deps - {f"v{slot}" for slot in slots}
    return Term("Bind", (slots, args, shapes, body), deps)


@dataclass(eq=False)
class Instruction:
    """One step of a program as data: an operation, its terms and where the program goes on.

    ``next`` and the targets in ``jumps`` are places in the program. ``slot`` is where ``as`` puts what was chosen, -1
    for nowhere; the first of several slots when it is named a seat.
    """

    op: str
    terms: tuple[Any, ...] = ()
    next: int = 0
    jumps: dict[str, int] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    """Where branches begin."""
    stops: list[int] = field(default_factory=list)
    """Where what can be tried out by itself ends: the branches of ``first``, the bodies of ``repeat`` and ``best``."""
    labels: tuple[int, ...] = ()
    kind: int = -1
    """The kind of all its choices, -1 when they differ."""
    slot: int = -1
    by_seat: bool = False
    may_fail: bool = False
    """It can be impossible to carry out."""
    clears: bool = False
    """It takes marbles up, so that the turn might end where it began."""
    look: bool = False
    sure: bool = False
    again: bool = False
    because: dict[str, str] = field(default_factory=dict)
    """By language: why what is not offered is not, or what it means that a test does not hold."""
    by_kind: dict[int, int] = field(default_factory=dict)
    """Where each kind of choice leads, when the kind alone tells the branch."""
    place: str = ""
    """The file and line that it is written in, for people."""

    @property
    def waits(self) -> bool:
        """A seat must choose."""
        return self.kind >= 0 or self.op == "Choose"

    @property
    def chance(self) -> bool:
        """Nobody can look ahead past it."""
        return self.op == "Draw"

    @property
    def acts(self) -> bool:
        """It may change the match, so rules tested after every step are tested."""
        return self.waits or self.op in ACTS

    def targets(self) -> tuple[int, ...]:
        """Return where the program can go on after it."""
        if self.op == "EndTurn":
            return ()
        if self.op in ("Choose", "First"):
            return tuple(self.starts)
        if self.op == "TimesTest":
            ways = (self.jumps["ask"], self.jumps["leave"])
            return (self.next, *ways) if self.terms[1] else ways
        return (self.next, *self.jumps.values())


ACTS = frozenset(
    {"Put", "Remove", "Recolour", "Deal", "Draw", "AddScore", "Let", "SetMark", "SetNext", "ByEnd"}
)
FAILS = frozenset({"Put", "Remove", "Recolour", "Deal", "Require", "First", "BestBegin", "BestEnd"})
"""What may fail besides choices."""


@dataclass
class EndRule:
    """One rule of ``end``. ``early``: tested after every step."""

    number: int
    when: Term
    when_stuck: bool
    by_seat: bool
    win: Term | None = None
    lose: Term | None = None
    most: tuple[Term, ...] | None = None
    most_lists: tuple[bool, ...] = ()
    most_is_score: bool = False
    """The match has no other score than what ``most`` compares."""
    tie: Term | None = None
    tie_listed: bool = False
    early: bool = False


@dataclass
class Phase:
    """One phase of a game: its turn's program and when it is over."""

    start: int
    turns: int = 0
    until: Term | None = None
    passing: Term | None = None
    pass_stuck: bool = False
    ends: tuple[EndRule, ...] = ()
    early: tuple[EndRule, ...] = ()
    """The rules tested after every step: its own, then the file's."""
    prelude: bool = False


@dataclass
class Series:
    """A match of several games."""

    gain: Term
    games: int = 0
    target: int = 0


@dataclass
class Start:
    """How one var begins: its slot (or mark), the shape of its value and the value."""

    slot: int
    mark: bool
    by_seat: bool
    shape: str
    type: str
    """The name of the language's type."""
    term: Term


@dataclass(eq=False)
class Rules:
    """The compiled rules of a game for one board size and number of seats."""

    pyramid: Pyramid
    seats: int
    owned: tuple[int, ...]
    code: list[Instruction] = field(default_factory=list)
    setup: int = -1
    phases: list[Phase] = field(default_factory=list)
    ends: tuple[EndRule, ...] = ()
    early: bool = False
    score: Term | None = None
    series: Series | None = None
    solvable: Term | None = None
    """Read when the first turn begins: whether what was dealt can be won."""
    board_names: tuple[str, ...] = ("board",)
    board_a_seat: bool = False
    """Every seat has a board of its own."""
    board_sight: tuple[int, ...] = (EVERYONE,)
    start_cells: tuple[int, ...] = ()
    stock_names: tuple[str, ...] = ()
    stock_holders: tuple[int, ...] = ()
    stock_sight: tuple[int, ...] = ()
    size_sight: tuple[int, ...] = ()
    """Who knows how many marbles lie in each stock."""
    stock_start: tuple[tuple[int, ...], ...] = ()
    drawn_from: frozenset[str] = frozenset()
    starts: list[Start] = field(default_factory=list)
    marks: int = 3
    lasting_marks: frozenset[int] = frozenset()
    var_names: int = 0
    saved_names: int = 0
    slots: int = 0
    shapes: dict[int, str] = field(default_factory=dict)
    """The saved names that hold a list: items or lists."""
    labels: tuple[str, ...] = ()
    because: dict[int, dict[str, str]] = field(default_factory=dict)
    even: dict[int, dict[str, str]] = field(default_factory=dict)
    """By the number of an end rule: why the match ended where it tells nobody from the others, or only by a tie."""
    ties: frozenset[int] = frozenset()
    """The numbers of end rules that compare scores and may decide by a tie."""
    all_lose: frozenset[int] = frozenset()
    """The numbers of end rules by which all lose together."""
    places: dict[int, str] = field(default_factory=dict)
    """File and line of what no instruction names, by SCORE_TERM and its like."""
    uses: frozenset[str] = frozenset()
    needs_began: bool = False
    needs_history: bool = False
    never_pass: bool = True
    uncertain: bool = False
    local_names: bool = False
    colours: int = len(COLOURS)
    letters: str = LETTERS
    names: tuple[str, ...] = COLOURS

    runner: Any = field(default=None, init=False, repr=False)
    """The machine on which states of these rules are looked at, once there is one; never copied or stored."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "runner": None}

    def supplies(self, of_boards: bool = False) -> frozenset[str]:
        """Return the stocks that marbles come from once the setup is done, by choice or by rule.

        With ``of_boards`` only those from which they come straight on to a board.
        """
        first = min((phase.start for phase in self.phases), default=0)
        found: list[Term] = []
        for step in self.code[first:]:
            if step.op in ("Place", "Enter", "Put"):
                found.append(step.terms[2])
            elif step.op in ("Give", "Deal", "Draw") and not of_boards:
                found.append(step.terms[1])
        for stock in found:
            if stock.op == "StockChoice":
                found += stock.args[1:]
        return frozenset(self.stock_names[stock.args[0]] for stock in found if stock.op == "StockValue")

    def reason(self, number: int, winners: int = -1, scores: tuple[int, ...] = ()) -> dict[str, str]:
        """Return why the match ended, by language: the phrase of end rule ``number``, or another where those who are
        compared are even.

        ``winners``: the seats that won, as a set; -1 where they don't matter.
        """
        if number in self.even and self._level(number, winners, scores):
            return self.even[number]
        if number == -1:
            return {"en": N_("nobody can move")}
        if number == -2:
            return {"en": N_("the series is over")}
        if number == RECURS:
            return {"en": N_("the same position came up three times")}
        if number == TIME_UP:
            return {"en": N_("time ran out")}
        return self.because[number]

    def _level(self, number: int, winners: int, scores: tuple[int, ...]) -> bool:
        """Whether what an end rule compares was equal, of all or between winners and others."""
        if winners <= 0:
            return winners == 0
        if number not in self.ties or len(scores) != self.seats:
            return False
        won = [score for seat, score in enumerate(scores) if winners >> seat & 1]
        others = [score for seat, score in enumerate(scores) if not winners >> seat & 1]
        return not others or min(won) <= max(others)


class Result(NamedTuple):
    """How a match ended: seats as a set, a score a seat, the number of the rule, the deciding shape a board."""

    winners: int
    scores: tuple[int, ...]
    rule: int
    shape: tuple[int, ...]


class Snapshot(NamedTuple):
    """Everything that a match is at one moment, frozen. Seats are those of the running game of a series."""

    boards: tuple[tuple[tuple[int, ...], int, int, tuple[int, ...]], ...]
    """A board: one mask a colour, the filled and the playable points, the marks."""
    stocks: tuple[tuple[int, ...], ...]
    """A stock: how many marbles of each colour, and of unknown ones where there are any."""
    names: tuple[Any, ...]
    """What the vars hold, then the names that last a turn: numbers, sets as masks, tuples for lists."""
    tallies: tuple[int, ...]
    """The points that each seat was given by ``score``."""
    pc: int
    """The instruction at which the program waits."""
    frames: tuple[int, ...]
    """Rounds, bounds and seats of the loops under way."""
    prints: tuple[int, ...]
    """What lay everywhere when the round of a ``repeat``, or the turn that a ``by`` shares, began, as numbers."""
    me: int
    """The seat that acts."""
    mover: int
    """The seat whose turn it is."""
    next_seat: int
    """The seat that ``next`` named, -1 for the one whose turn it is by order."""
    board_index: int
    """The board that words speak of."""
    phase: int
    """The phase, -1 while the setup asks for choices."""
    phase_turns: int
    """Complete turns of this phase."""
    turn: int
    """Complete turns of the match."""
    idle: int
    """Turns in succession in which nothing was chosen: a pass counts 1, a turn that asked nothing 2."""
    passed: int
    """The seats whose last turn was a pass, as a set."""
    taken: int
    """The colours of the marbles taken off the boards in this turn, as a set."""
    removed: bool
    """Whether a marble left its point, or changed, in this turn."""
    step: int
    """Choices made in this turn."""
    origin: int
    """The point that the marble lifted last came from, as a set."""
    held: tuple[int, int, int, int] | None
    """The marble in hand: its colour, the point and the board it came from, its marks as a set."""
    began: tuple[tuple[int, int], ...]
    """A board: the points filled when the turn began, and the key of what stood there."""
    history: tuple[int, ...]
    """The keys of the boards after each turn."""
    draws: int
    """How often chance has decided."""
    orders: tuple[tuple[int, str], ...]
    """A stock and the letters of the marbles that are drawn from it next, where a deal says so."""
    secret: tuple[Any, ...]
    """A seat's part of the secret block under way: the seat, all that it can touch as it was before, where it began."""
    stuck: bool
    """Whether the seat to act can do nothing but pass."""
    game_number: int
    """Which game of a series is played, from 1."""
    totals: tuple[int, ...]
    """What each player gained in the finished games of a series."""
    result: Result | None
    """How the match ended."""


class Alike(NamedTuple):
    """What makes positions of a game for two count as one.

    A colour that is not seen may be any other; with no ``lines`` all are seen wherever they lie.
    """

    images: tuple[list[int], ...] = ()
    """By symmetry that the rules keep, a table of 256 numbers a byte of a set of points, one colour after the other,
    and one more for marbles of whatever colour. None: positions are known again only as they are."""
    names: tuple[int, ...] = ()
    """The vars that may differ between positions at which turns begin."""
    lines: tuple[int, ...] = ()
    """Sets of points, seen as long as they may still become all of the colours ``of`` a seat."""
    of: tuple[int, int] = (0, 0)
    always: int = 0
    """The colours that are seen wherever they lie."""
    under: int = 0
    """The colours that are seen as long as a marble may still come to rest on them."""
    places: int = 0
    """The points where all colours are seen."""
    blind: bool = False
    """What lies off the board is not seen at all."""
    spare: int = 0
    """The colours of which only that they run out matters."""
    alone: int = 0
    """Those of them of which only every other turn takes one."""


class HasSnapshot(Protocol):
    """What stands at a snapshot: a state of a match."""

    @property
    def _at(self) -> Snapshot: ...
