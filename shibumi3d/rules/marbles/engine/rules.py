"""Compiled rules as plain data.

The language package compiles them from a game file, and the engine builds machines from them. Compiled rules never
change, so any number of machines can share them. (:attr:`Rules.cached_runner` merely caches a machine.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.colours import COLOUR_LETTERS, COLOURS
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
"""Kinds of choices, stored in the low four bits of a choice code.

The other fields of a code, from bit 4 upward, are:

- place: colour (3 bits), point (9 bits), board
- take, lift, set: unused (3 bits), point (9 bits), board
- enter: side (2 bits), colour (3 bits), point (9 bits), board
- points: board (4 bits), set of points
- give, colour, seat, label: index of the colour, seat or label
- number: result of :func:`encode_number`
- done, pass: none
"""

PLACED: Final = 0
MOVED: Final = 1
FALLEN: Final = 2
MARK_WORDS: Final = ("placed", "moved", "fallen")
"""Words for the marks that every board has: the marbles placed, moved and fallen in this turn."""

WORK_BUDGET: Final = 4_000_000
"""Work budget for one query or one choice: up to about a quarter of a second in pure Python.

One unit is the evaluation of one part of an expression, about a twentieth of a microsecond. Work is counted rather than
timed so that the limit is the same on every computer.
"""
SCORE_LOCATION: Final = 1
GAIN_LOCATION: Final = 2
SOLVABLE_LOCATION: Final = 3
END_RULE_LOCATION: Final = 4
UNTIL_LOCATION: Final = 5
"""Codes for parts of a game file that belong to no instruction, used to report where an error is.

End rule ``n`` has the code ``END_RULE_LOCATION + 2 * n``, and the ``until`` of phase ``n`` has ``UNTIL_LOCATION + 2 *
n``.
"""
REASON_REPETITION = -3
"""Reason number for a draw by threefold repetition."""
REASON_TIMEOUT = -4
"""Reason number for a loss on time."""
MAX_INTEGER: Final = 0xFFFFFFFFFFFFFF
"""Maximum absolute value of an integer; this limit stops rules from creating ever larger numbers."""

ALL_SEATS = -1
"""Mask of all seats."""

Dependencies = frozenset[str]
NO_DEPENDENCIES: Dependencies = frozenset()
DEPENDS_ON_STATE: Dependencies = frozenset({"state"})
DEPENDS_ON_SEAT: Dependencies = frozenset({"me"})

SEAT_READING_OPS = frozenset({"OwnMarbles", "BySeat", "Me"})
STATE_READING_OPS = frozenset(
    {
        "ColourMarbles", "OwnMarbles", "Marbles", "Filled", "Empty", "Playable", "Free", "Movable", "Visible",
        "MarkValue", "Vacated", "Taken", "ChosenColour", "Origin", "Mover", "Tied", "Winners", "Stuck", "Able",
        "Repeats", "PassedBy", "Score", "SeatSlot", "Linked", "Seen", "LongestPath", "Groups", "FullGroups",
        "ColoursOn", "ColoursIn", "Extreme", "StockValue", "OnBoard",
    }
)  # fmt: skip


def clamp(value: int) -> int:
    """Limit ``value`` to the range from -:data:`MAX_INTEGER` to :data:`MAX_INTEGER`."""
    return MAX_INTEGER if value > MAX_INTEGER else -MAX_INTEGER if value < -MAX_INTEGER else value


def encode_number(value: int) -> int:
    """Encode an integer as a natural number: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4, and so on."""
    return value * 2 if value >= 0 else -2 * value - 1


def decode_number(code: int) -> int:
    """Decode an integer encoded by :func:`encode_number`."""
    return -(code + 1) // 2 if code & 1 else code // 2


class Term:
    """An expression as data: an operation and its arguments.

    The arguments are terms, loops, plain values, or tuples of these. ``dependencies`` says what the value depends on:
    ``"state"`` stands for anything in the match, ``"me"`` for the seat for which the term is evaluated, and a name such
    as ``"v3"`` for the loop variable or ``define`` parameter in slot 3. A term without dependencies is constant for a
    given board size and number of seats.
    """

    __slots__ = ("args", "dependencies", "op")

    def __init__(self, op: str, args: tuple[Any, ...], deps: Dependencies) -> None:
        self.op = op
        self.args = args
        self.dependencies = deps

    def __repr__(self) -> str:
        return f"{self.op}{self.args}"

    @property
    def value(self) -> Any:
        """Value of a constant term, or the values of a ``BySeat`` term, in seat order."""
        return self.args[0]


@dataclass(frozen=True)
class LoopTerm:
    """One ``for … in … if …`` clause of a comprehension.

    ``slot`` is the slot of the loop variable, and ``tests`` are the conditions. ``kind`` says what the loop iterates
    over: ``bits`` (the single bits of a mask), ``sets`` (the sets of points in a family), ``lists`` (the families in a
    list) or ``items`` (the items of any other list). If ``superset`` is given, only subsets of that set are visited,
    and ``kind`` is ``sets``.
    """

    slot: int
    source: Term
    kind: str
    tests: tuple[Term, ...]
    superset: Term | None = None


def base_stock_index(stock: Term) -> int:
    """Return the index of a stock, or of the first seat's stock if each seat has one.

    For a conditional stock, this is the index of its first alternative.
    """
    base: int = base_stock_index(stock.args[1]) if stock.op == "StockChoice" else stock.args[0]
    return base


def union_dependencies(args: Iterable[Any]) -> Dependencies:
    """Return the union of the dependencies of all terms and loops in ``args``, including those in nested tuples."""
    result: set[str] = set()
    for arg in args:
        if isinstance(arg, Term):
            result |= arg.dependencies
        elif isinstance(arg, LoopTerm):
            result |= union_dependencies((arg.source, arg.superset, *arg.tests))
        elif isinstance(arg, tuple):
            result |= union_dependencies(arg)
    return frozenset(result)


def make_term(op: str, *args: Any) -> Term:
    """Return a new term, whose dependencies follow from its operation and arguments."""
    deps = union_dependencies(args)
    if op in STATE_READING_OPS:
        deps |= DEPENDS_ON_STATE
    if op in SEAT_READING_OPS:
        deps |= DEPENDS_ON_SEAT
    return Term(op, args, deps)


def const_term(value: int) -> Term:
    """Return a term for a constant scalar."""
    return Term("Const", (value,), NO_DEPENDENCIES)


def const_list_term(value: tuple[int, ...]) -> Term:
    """Return a term for a constant family or list."""
    return Term("ConstItems", (value,), NO_DEPENDENCIES)


def slot_term(slot_number: int, shape: str, dependencies: Dependencies) -> Term:
    """Return a term for a name whose value is stored in a slot.

    Such a name is a loop variable, a parameter of a ``define``, a ``var`` with a single value, or a name set by ``let``
    or ``as``. A ``var`` with one value for each seat has a ``SeatSlot`` term instead. ``shape`` says how the value is
    stored: ``scalar``, ``items`` or ``lists``.
    """
    return Term("Slot", (slot_number, shape), dependencies)


def comprehension_term(op: str, loops: tuple[LoopTerm, ...], element: Term) -> Term:
    """Return a term that applies ``op`` to all values of ``element`` in nested loops."""
    return Term(
        op, (loops, element), union_dependencies((loops, element)) - {f"v{loop.slot}" for loop in loops}
    )


def bind_term(slots: tuple[int, ...], args: tuple[Term, ...], shapes: tuple[str, ...], body: Term) -> Term:
    """Return a term that applies a ``define``: it stores the arguments in slots and then evaluates ``body``.

    ``shapes`` has the shape of each argument; see :func:`slot_term`.
    """
    deps = union_dependencies(args) | body.dependencies - {f"v{slot}" for slot in slots}
    return Term("Bind", (slots, args, shapes, body), deps)


@dataclass(eq=False)
class Instruction:
    """One instruction of a program as data: an operation, its terms, and its possible successors.

    ``next`` and the values of ``jumps`` are indices in the program. ``labels`` holds the labels of the branches of a
    ``choose``, as indices in :attr:`Rules.labels`. ``slot`` is where ``as`` stores the chosen value, or -1 if it isn't
    stored. If ``by_seat`` is set, ``slot`` is the first of several slots, one for each seat. For ``needs_lookahead``,
    ``always_completes`` and ``may_recur``, see :class:`.machine.Step`.
    """

    op: str
    terms: tuple[Any, ...] = ()
    next: int = 0
    jumps: dict[str, int] = field(default_factory=dict)
    branch_starts: list[int] = field(default_factory=list)
    """Indices of the instructions at which the branches begin."""
    branch_ends: list[int] = field(default_factory=list)
    """Index of the end of each part that look-ahead tries out separately.

    These parts are the branches of ``first`` and the bodies of ``repeat`` and ``best``.
    """
    labels: tuple[int, ...] = ()
    choice_kind: int = -1
    """The kind that all its choices have, or -1 if their kinds differ or there are none."""
    slot: int = -1
    by_seat: bool = False
    may_fail: bool = False
    """Whether the instruction may be impossible to carry out."""
    removes_marbles: bool = False
    """Whether it removes, lifts or recolours marbles, so that a turn might end in the position in which it began."""
    needs_lookahead: bool = False
    always_completes: bool = False
    may_recur: bool = False
    reasons: dict[str, str] = field(default_factory=dict)
    """Explanations by language: why a choice is not offered, or what a failed test means."""
    branch_by_choice_kind: dict[int, int] = field(default_factory=dict)
    """For each kind of choice, the index of the instruction at which its branch begins.

    Empty unless the kind alone determines the branch.
    """
    source_location: str = ""
    """Source file and line, for error messages."""

    @property
    def awaits_choice(self) -> bool:
        """Whether a seat must make a choice at this instruction."""
        return self.choice_kind >= 0 or self.op == "Choose"

    @property
    def is_random(self) -> bool:
        """Whether the outcome of the instruction is random; look-ahead stops at such instructions."""
        return self.op == "Draw"

    @property
    def changes_match(self) -> bool:
        """Whether the instruction may change the match; if so, the early end rules are tested after it."""
        return self.awaits_choice or self.op in CHANGING_OPS

    def successors(self) -> tuple[int, ...]:
        """Return the indices of the instructions that can come directly after this one."""
        if self.op == "EndTurn":
            return ()
        if self.op in ("Choose", "First"):
            return tuple(self.branch_starts)
        if self.op == "RepeatTimesHead":
            ways = (self.jumps["ask"], self.jumps["leave"])
            return (self.next, *ways) if self.terms[1] else ways
        return (self.next, *self.jumps.values())


CHANGING_OPS = frozenset(
    {"Put", "Remove", "Recolour", "Deal", "Draw", "AddScore", "Let", "SetMark", "SetNext", "ByEnd"}
)
FALLIBLE_OPS = frozenset({"Put", "Remove", "Recolour", "Deal", "Require", "First", "BestBegin", "BestEnd"})
"""Operations that may fail, not counting choices."""


@dataclass
class EndRule:
    """One rule in the ``end`` section.

    A rule is tested when a seat is stuck and can't pass. Unless ``only_when_stuck`` is set, it is also tested when a
    turn ends. If ``is_early`` is set, it is also tested during turns, after each step that can change the match.

    ``when`` is the condition of the rule. If ``is_tested_by_seat`` is set, the condition is tested for the mover and
    then for the other seats in turn order, until it holds; otherwise, it is tested only for the mover. ``number``
    identifies the rule.

    ``win`` contains the winning seats. If ``lose`` is given instead, all seats that it doesn't contain win. If
    ``compared_values`` are given instead, the seats with the highest values win; a later value counts only if the
    earlier ones are equal. ``is_list_by_value`` says for each compared value whether it is a list of numbers.

    If several seats have the highest values, they are tied, and ``tie`` decides who wins. It is a set of seats or, if
    ``tie_is_list`` is set, a list of such sets, of which the first one that contains a tied seat wins. If ``tie``
    selects nobody, this rule decides nothing, and the next rule is tested. Without ``tie``, the tied seats share the
    win; if all seats are tied, the match is drawn.
    """

    number: int
    when: Term
    only_when_stuck: bool
    is_tested_by_seat: bool
    win: Term | None = None
    lose: Term | None = None
    compared_values: tuple[Term, ...] | None = None
    is_list_by_value: tuple[bool, ...] = ()
    compares_only_score: bool = False
    """Whether the compared value serves as the score, because the match has no other."""
    tie: Term | None = None
    tie_is_list: bool = False
    is_early: bool = False


@dataclass
class Phase:
    """Phase of a game: the program of its turns, and the rules for passing and for ending.

    ``start`` is the index of the program's first instruction. The phase ends after ``max_turns`` turns (0: no limit) or
    as soon as ``until`` holds at the end of a turn; the last phase lasts until the game ends. A seat may pass at the
    start of its turn, or when it is stuck, if ``pass_condition`` holds. If ``stuck_may_pass`` is set, a stuck seat may
    always pass. ``end_rules`` are the phase's own end rules, which are tested before those of the file.
    ``may_end_before_choice`` is set if the first instruction isn't a choice, so that a turn may end or fail before its
    first choice.
    """

    start: int
    max_turns: int = 0
    until: Term | None = None
    pass_condition: Term | None = None
    stuck_may_pass: bool = False
    end_rules: tuple[EndRule, ...] = ()
    early_end_rules: tuple[EndRule, ...] = ()
    """End rules that are also tested during turns: first the phase's own, then the file's."""
    may_end_before_choice: bool = False


@dataclass
class Series:
    """A match of several games.

    ``gain`` is the number of points that a seat gains from one game. The series ends after ``game_count`` games; if
    that is 0, it ends when a player's total reaches ``target_total``, or after 1,000 games.
    """

    gain: Term
    game_count: int = 0
    target_total: int = 0


@dataclass
class InitialValue:
    """The initial value of a variable or mark.

    ``slot`` is the number of the mark or of the variable's slot. If ``by_seat`` is set, it is the number of the
    variable's first slot. ``shape`` is the shape of the value; see :func:`slot_term`.
    """

    slot: int
    is_mark: bool
    by_seat: bool
    shape: str
    type_name: str
    """Name of its type in the rule language."""
    term: Term


@dataclass(eq=False)
class Rules:
    """The compiled rules of a game for one board size and number of seats."""

    pyramid: Pyramid
    seats: int
    owned_colours: tuple[int, ...]
    program: list[Instruction] = field(default_factory=list)
    setup: int = -1
    phases: list[Phase] = field(default_factory=list)
    end_rules: tuple[EndRule, ...] = ()
    has_early_end_rules: bool = False
    score: Term | None = None
    series: Series | None = None
    solvable: Term | None = None
    """Condition that holds at the start of the first turn if the deal can be won; None if the rules have none."""
    board_names: tuple[str, ...] = ("board",)
    has_board_per_seat: bool = False
    """Whether every seat has its own board."""
    board_viewers: tuple[int, ...] = (ALL_SEATS,)
    initial_cells: tuple[int, ...] = ()
    stock_names: tuple[str, ...] = ()
    stock_holders: tuple[int, ...] = ()
    stock_viewers: tuple[int, ...] = ()
    stock_size_viewers: tuple[int, ...] = ()
    """For each stock, the mask of the seats that know how many marbles it contains."""
    initial_stocks: tuple[tuple[int, ...], ...] = ()
    drawn_stocks: frozenset[str] = frozenset()
    initial_values: list[InitialValue] = field(default_factory=list)
    mark_count: int = 3
    lasting_marks: frozenset[int] = frozenset()
    var_count: int = 0
    saved_name_count: int = 0
    slot_count: int = 0
    list_shapes: dict[int, str] = field(default_factory=dict)
    """Shapes, by slot, of the names whose values are lists: ``items`` or ``lists``."""
    labels: tuple[str, ...] = ()
    end_reasons: dict[int, dict[str, str]] = field(default_factory=dict)
    level_reasons: dict[int, dict[str, str]] = field(default_factory=dict)
    """Reasons given for a level result, by end rule and language.

    A result is level if the values that the rule compares are equal, so that at most a tie-break separates the seats.
    """
    score_tie_rules: frozenset[int] = frozenset()
    """Numbers of the end rules that compare scores, break ties, and give their own reason for a level result."""
    shared_loss_rules: frozenset[int] = frozenset()
    """Numbers of the end rules by which all seats lose together."""
    source_locations: dict[int, str] = field(default_factory=dict)
    """Source file and line of the parts that belong to no instruction, by their codes; see :data:`UNTIL_LOCATION`."""
    words_used: frozenset[str] = frozenset()
    needs_turn_start: bool = False
    needs_history: bool = False
    never_pass: bool = True
    has_uncertainty: bool = False
    colour_count: int = len(COLOURS)
    colour_letters: str = COLOUR_LETTERS
    colour_names: tuple[str, ...] = COLOURS

    cached_runner: Any = field(default=None, init=False, repr=False)
    """Cached runner with a machine for these rules, or None; it is never copied or pickled."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "cached_runner": None}

    def supply_stocks(self, for_boards_only: bool = False) -> frozenset[str]:
        """Return the names of the stocks that supply marbles after the setup.

        These are the stocks from which ``place``, ``enter``, ``put``, ``give``, ``deal`` or ``draw`` take marbles. If
        ``for_boards_only`` is set, only ``place``, ``enter`` and ``put`` count. Exchanges of marbles by ``recolour``
        never count.
        """
        first = min((phase.start for phase in self.phases), default=0)
        result: list[Term] = []
        for step in self.program[first:]:
            if step.op in ("Place", "Enter", "Put"):
                result.append(step.terms[2])
            elif step.op in ("Give", "Deal", "Draw") and not for_boards_only:
                result.append(step.terms[1])
        for stock in result:
            if stock.op == "StockChoice":
                result += stock.args[1:]
        return frozenset(self.stock_names[stock.args[0]] for stock in result if stock.op == "StockValue")

    def end_reason(self, rule_number: int, winners: int = -1, scores: tuple[int, ...] = ()) -> dict[str, str]:
        """Return the reason why the match ended, keyed by language.

        ``rule_number`` is the number of an end rule, or a negative number for one of the engine's own reasons. If the
        result is level, as explained at :attr:`level_reasons`, and that attribute has an entry for the rule, this entry
        is returned instead of the rule's normal text. ``winners`` is the mask of the seats that won, or -1 to rule out
        the text for a level result; ``scores`` has one score for each seat.
        """
        if rule_number in self.level_reasons and self._is_level(rule_number, winners, scores):
            return self.level_reasons[rule_number]
        if rule_number == -1:
            return {"en": N_("nobody can move")}
        if rule_number == -2:
            return {"en": N_("the series is over")}
        if rule_number == REASON_REPETITION:
            return {"en": N_("the same position came up three times")}
        if rule_number == REASON_TIMEOUT:
            return {"en": N_("time ran out")}
        return self.end_reasons[rule_number]

    def _is_level(self, rule_number: int, winners: int, scores: tuple[int, ...]) -> bool:
        """Return whether a result is level.

        A draw (no winners) is always level; if ``winners`` is -1, the result isn't level. Under an end rule in
        ``score_tie_rules``, a win is also level if all seats win, or if some winner's score is no higher than the score
        of some loser. This requires one score for each seat in ``scores``; otherwise, no win is level.
        """
        if winners <= 0:
            return winners == 0
        if rule_number not in self.score_tie_rules or len(scores) != self.seats:
            return False
        won = [score for seat, score in enumerate(scores) if winners >> seat & 1]
        others = [score for seat, score in enumerate(scores) if not winners >> seat & 1]
        return not others or min(won) <= max(others)


class Result(NamedTuple):
    """The result of a match.

    ``winners`` is a mask of seats, and ``scores`` has one score for each seat. After a series that was played to its
    end, both refer to players instead. After a series that ended early, by a loss on time or an agreed draw, ``scores``
    refers to players, but ``winners`` to the seats of the game that was in progress. ``rule`` is the number of the end
    rule, or a negative number for one of the engine's own reasons; see :meth:`Rules.end_reason`. ``deciding_points``
    are the points of the lines or groups that decided the match, as one mask for each board; all masks are 0 if no such
    points were found.
    """

    winners: int
    scores: tuple[int, ...]
    rule: int
    deciding_points: tuple[int, ...]


class Snapshot(NamedTuple):
    """Immutable copy of the complete state of a match, except for its random seed.

    The snapshot of a view leaves out what the viewer may not know. In a series, seat numbers refer to the current game,
    except in ``result``; see :class:`Result`.
    """

    boards: tuple[tuple[tuple[int, ...], int, int, tuple[int, ...]], ...]
    """For each board, one mask per colour, then the filled points, the playable points and the marks."""
    stocks: tuple[tuple[int, ...], ...]
    """For each stock, the number of marbles of each colour, then the number of those of unknown colour, if any."""
    name_values: tuple[Any, ...]
    """Values of the vars, then of the names that last one turn: numbers, masks, or tuples for lists."""
    tallies: tuple[int, ...]
    """Points that each seat has gained from ``score``."""
    step_index: int
    """Index of the instruction that waits for a choice."""
    loop_values: tuple[int, ...]
    """Counters, bounds and seats of the loops and blocks in progress."""
    checkpoints: tuple[int, ...]
    """Hashes and masks saved when a round of ``repeat``, or a turn with a ``by`` block, began."""
    me: int
    """Seat to act."""
    mover: int
    """Seat whose turn it is."""
    next_seat: int
    """Seat named by ``next``, or -1 for the next in turn order."""
    board_index: int
    """Index of the board to which the words of the rule language refer."""
    phase: int
    """Index of the phase, or -1 during the setup."""
    phase_turns: int
    """Number of turns completed in this phase."""
    turn: int
    """Number of turns completed in the match."""
    idle_count: int
    """Number of consecutive turns without a choice; a pass counts as 1, and a turn that offered no choice as 2."""
    passed_seats: int
    """Mask of the seats whose last turn was a pass."""
    taken_colours: int
    """Mask of the colours of the marbles removed from the boards in this turn."""
    has_removed: bool
    """Whether a marble was moved, removed or recoloured in this turn."""
    choices_made: int
    """Number of choices made in this turn."""
    origin: int
    """Mask of the point from which a marble was last picked up."""
    held_marble: tuple[int, int, int, int] | None
    """Marble in hand, if any: its colour, the point and the board it came from, and the mask of its marks."""
    turn_start: tuple[tuple[int, int], ...]
    """For each board, the filled points and the hash of the position when the turn began."""
    history: tuple[int, ...]
    """Hashes of the position at the start of the game and after each turn; empty unless the rules need them."""
    draw_count: int
    """Number of random draws so far."""
    draw_orders: tuple[tuple[int, str], ...]
    """Draws that the deal specifies, as pairs of a stock's index and the letters of its next marbles, in order."""
    secret_parts: tuple[Any, ...]
    """The parts of the current secret block that seats have begun so far.

    A part consists of the seat, the state when the seat began to act, and the index of the instruction at which the
    body of the block begins.
    """
    is_stuck: bool
    """Whether the seat to act can only pass."""
    game_number: int
    """Number of the current game in a series, from 1."""
    totals: tuple[int, ...]
    """Points that each player gained in the finished games of a series."""
    result: Result | None
    """Result of the match, or None if it is not over."""


class PositionEquivalence(NamedTuple):
    """Description of which positions of a two-player game are equivalent in a proof.

    When positions are compared, the colour of each marble either counts or is ignored. Without ``lines``, all colours
    count everywhere.
    """

    symmetry_tables: tuple[list[int], ...] = ()
    """Tables of hashes, one for each symmetry of the rules; empty if there are no usable symmetries.

    A table consists of rows of 256 hashes, one for each value of a byte. For each colour in turn, and then for marbles
    whose colour is ignored, it has a row for each byte of a set of points. Without tables, only positions in the same
    orientation are recognized as equivalent.
    """
    var_indices: tuple[int, ...] = ()
    """Slots of the vars in which positions at the start of a turn may differ."""
    lines: tuple[int, ...] = ()
    """Sets of points in which colours count while a seat can still complete them.

    ``line_colours`` holds, for each of the two seats, the mask of the colours that the seat can use to complete a set.
    """
    line_colours: tuple[int, int] = (0, 0)
    always_relevant_colours: int = 0
    """Mask of the colours that count everywhere."""
    coverable_relevant_colours: int = 0
    """Mask of the colours that count while another marble may still be placed on top."""
    always_relevant_points: int = 0
    """Mask of the points at which every colour counts."""
    ignores_stocks: bool = False
    """Whether the contents of the stocks are ignored."""
    supply_limited_colours: int = 0
    """Mask of the colours whose stocks matter only if they can run out before the board is full."""
    single_seat_colours: int = 0
    """Mask of the colours in ``supply_limited_colours`` that only one of the two seats uses, one marble per turn."""


class HasSnapshot(Protocol):
    """Protocol for objects that have a snapshot, such as a state of a match."""

    @property
    def _snapshot(self) -> Snapshot: ...
