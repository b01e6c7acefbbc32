"""Compiled rules: what a machine runs. Made by :mod:`.program` from a game file."""

from __future__ import annotations

from dataclasses import dataclass, field

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.colour import COLOURS, LETTERS
from shibumi3d.rules.marbles.engine import nodes as n
from shibumi3d.rules.marbles.engine import steps as st
from shibumi3d.rules.marbles.engine.machine import (
    COLOUR,
    DONE,
    ENTER,
    FAILED,
    GIVE,
    LABEL,
    LIFT,
    NUMBER,
    OVER,
    PLACE,
    POINTS,
    SEAT,
    SET,
    TAKE,
    WAITING,
    Board,
    Machine,
    code_of,
    spend,
)
from shibumi3d.rules.marbles.language.expressions import Name
from shibumi3d.rules.marbles.language.types import SCALARS, Type
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import SIDES, Pyramid

RECURS = -3
"""The number of the reason for which a draw was claimed."""
KINDS = (
    "place", "take", "lift", "set", "enter", "points", "colour", "seat", "number", "give", "label", "done", "pass",
)  # fmt: skip
"""The kinds of moves, in the order of the kinds of choice."""
EVERYONE = -1
"""Every seat, as a set of seats."""
DEALS = 10_000
"""How often a setup may be dealt again because its ``require`` fails."""
DEAL_COST = 500
"""What a deal counts as, in rounds of a loop."""


@dataclass
class EndRule:
    """One rule of ``end``."""

    number: int
    when: n.Node
    when_stuck: bool
    by_seat: bool
    win: n.Node | None = None
    lose: n.Node | None = None
    most: tuple[n.Node, ...] | None = None
    most_lists: tuple[bool, ...] = ()
    most_is_score: bool = False
    """The match has no other score than what ``most`` compares."""
    tie: n.Node | None = None
    tie_listed: bool = False
    early: bool = False
    """Tested after every step."""

    def rating(self, m: Machine) -> tuple[int, ...]:
        """What ``most`` compares, for the seat rated."""
        assert self.most is not None
        found: list[int] = []
        for node, listed in zip(self.most, self.most_lists, strict=True):
            if listed:
                found += node.items(m)
            else:
                found.append(node.eval(m))
        return tuple(found)

    def broken(self, m: Machine) -> int:
        """The winners that ``tie`` names; a list means the first of it that is tied."""
        assert self.tie is not None
        if not self.tie_listed:
            return self.tie.eval(m)
        return next((seat for seat in self.tie.items(m) if seat & m.tied), 0)

    def shape(self, m: Machine, board: int) -> int:
        """The points on a board that make the rule hold: the winning line or group."""
        before = m.board_index
        m.use_board(board)
        found = n.witnesses(self.when, m) & m.board.filled
        m.use_board(before)
        return found


@dataclass
class Phase:
    """One phase of a game: its turn's program and when it is over."""

    start: int
    turns: int = 0
    until: n.Node | None = None
    passing: n.Node | None = None
    pass_stuck: bool = False
    ends: tuple[EndRule, ...] = ()
    early: tuple[EndRule, ...] = ()
    """The rules tested after every step: its own, then the file's."""
    prelude: bool = False


@dataclass
class Series:
    """A match of several games."""

    gain: n.Node
    games: int = 0
    target: int = 0

    def finished(self, game: int, totals: list[int]) -> bool:
        """Whether the series is over after game number ``game``."""
        return game >= self.games if self.games else max(totals) >= self.target or game >= 1000


@dataclass
class Start:
    """How one var begins: its slots, its value and how to read it."""

    name: Name
    node: n.Node
    type: Type


@dataclass
class Rules:
    """The compiled rules of a game for one board size and number of seats."""

    pyramid: Pyramid
    seats: int
    owned: tuple[int, ...]
    code: list[st.Step] = field(default_factory=list)
    setup: int = -1
    phases: list[Phase] = field(default_factory=list)
    ends: tuple[EndRule, ...] = ()
    early: bool = False
    score: n.Node | None = None
    series: Series | None = None
    solvable: n.Node | None = None
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
    labels: tuple[str, ...] = ()
    because: dict[int, dict[str, str]] = field(default_factory=dict)
    uses: frozenset[str] = frozenset()
    needs_began: bool = False
    needs_history: bool = False
    never_pass: bool = True
    uncertain: bool = False
    local_names: bool = False
    colours: int = len(COLOURS)
    letters: str = LETTERS
    names: tuple[str, ...] = COLOURS

    # ------------------------------------------------------------ starting

    def set_up(self, m: Machine) -> None:
        """Put the match at its beginning: boards, stocks and vars, then the setup, up to the first choice."""
        for attempt in range(DEALS):
            spend(m, DEAL_COST)
            self.lay_out(m)
            m.orders = m.orders if attempt == 0 else ()
            if self.setup < 0:
                self.first_turn(m)
                return
            m.phase = -1
            m.pc = self.setup
            events = m.events
            if events is not None:
                m.events = []
            ended = m.run()
            if ended == FAILED or (ended == WAITING and not m.code[m.pc].options(m)):  # type: ignore[attr-defined]
                m.events = events
                if m.orders and attempt == 0:
                    raise RuleFailure("the given deal can't be played")
                continue
            if events is not None and m.events is not None:
                events += m.events
                m.events = events
            if ended == OVER:
                self.first_turn(m)
            return
        raise RuleFailure("no deal meets what the setup requires")

    def lay_out(self, m: Machine) -> None:
        """Boards, stocks and vars as the file begins."""
        filled = 0
        for mask in self.start_cells:
            filled |= mask
        playable = position.playable(self.pyramid, filled)
        count = len(self.board_names)
        m.boards = [Board(list(self.start_cells), filled, playable, [0] * self.marks) for _ in range(count)]
        m.stocks = [list(content) for content in self.stock_start]
        m.names = [0] * max(self.slots, 1)
        m.tallies = [0] * self.seats
        m.frames = ()
        m.history = ()
        m.secret = ()
        m.phase = m.phase_turns = m.idle = m.passed = m.taken = m.step = m.mover = m.me = 0
        m.turn = 0 if m.game_number == 1 else m.turn
        m.following = -1
        m.removed = m.stuck = False
        m.held = None
        m.result = None
        m.colour = m.origin = 0
        m.use_board(0)
        m.began = m.boards_now()
        for start in self.starts:
            self.begin_var(m, start)
        if self.needs_history:
            m.history = (m.boards_now(),)

    def begin_var(self, m: Machine, start: Start) -> None:
        """Give a var its first value."""
        name = start.name
        if name.kind == "mark":
            for board in m.boards:
                board.marks[name.slot] = start.node.eval(m) & board.filled
            return
        for seat in range(self.seats if name.by_seat else 1):
            m.me = seat
            if start.type in SCALARS:
                m.names[name.slot + seat] = start.node.eval(m)
            elif start.type is Type.SETS_LIST:
                m.names[name.slot + seat] = start.node.lists(m)
            else:
                m.names[name.slot + seat] = start.node.items(m)
        m.me = 0

    def first_turn(self, m: Machine) -> None:
        """The setup is done: the first turn begins."""
        m.phase = 0
        if m.following >= 0:
            m.mover = m.following
        m.following = -1
        if self.needs_history:
            m.history = (m.boards_now(),)
        m.begin_turn()

    def clear_locals(self, m: Machine) -> None:
        """Forget the names that last one turn, and the marks."""
        for i in range(self.var_names, self.saved_names):
            m.names[i] = 0
        for board in m.boards:
            for i in range(3, self.marks):
                if i not in self.lasting_marks:
                    board.marks[i] = 0

    def supplies(self, of_boards: bool = False) -> frozenset[str]:
        """The stocks that marbles come from once the setup is done, by choice or by rule.

        With ``of_boards`` only those from which they come straight on to a board.
        """
        first = min((phase.start for phase in self.phases), default=0)
        found: list[n.StockValue] = []
        for step in self.code[first:]:
            if isinstance(step, st.Place | st.Enter | st.Put):
                found.append(step.stock)
            elif isinstance(step, st.Give | st.Deal | st.Draw) and not of_boards:
                found.append(step.source)
        for stock in found:
            if isinstance(stock, n.StockChoice):
                found += (stock.a, stock.b)
        return frozenset(self.stock_names[stock.base] for stock in found)

    def reason(self, number: int) -> dict[str, str]:
        """Why the match ended, by language: the phrase of end rule ``number``."""
        if number == -1:
            return {"en": "nobody can play on", "fr": "personne ne peut continuer"}
        if number == -2:
            return {"en": "the series is over", "fr": "la série est terminée"}
        if number == RECURS:
            return {
                "en": "the position stood three times",
                "fr": "la position s'est présentée trois fois",
            }
        return self.because[number]

    # ------------------------------------------------------------ choices as text

    def text_of(self, code: int, board: int) -> str:
        """A choice as written in records and typed by people (see :class:`~shibumi3d.rules.marbles.move.Move`)."""
        return self.move_fields(code, board)[1]

    def move_fields(self, code: int, board: int) -> tuple[str, str, int, int, int, int, int, str]:
        """kind, text, board, point, colour, side, value and label of a choice."""
        kind, payload = code & 15, code >> 4
        if kind == PLACE:
            colour, point, board = payload & 7, payload >> 3 & 511, payload >> 12
            return "place", f"{LETTERS[colour]}@{self.point(point, board)}", board, point, colour, -1, 0, ""
        if kind in (TAKE, LIFT, SET):
            point, board = payload & 511, payload >> 9
            name = ("take", "lift", "set")[kind - TAKE]
            return name, "x^>"[kind - TAKE] + self.point(point, board), board, point, -1, -1, 0, ""
        if kind == ENTER:
            side, colour, point, board = payload & 3, payload >> 2 & 7, payload >> 5 & 511, payload >> 14
            text = f"{LETTERS[colour]}>{self.point(point, board)}/{SIDES[side][0].upper()}"
            return "enter", text, board, point, colour, side, 0, ""
        if kind == POINTS:
            points, board = payload >> 4, payload & 15
            text = "+".join(self.point(p, board) for p in bits(points)) or "none"
            single = points.bit_length() - 1 if points.bit_count() == 1 else -1
            return "points", text, board, single, -1, -1, points, ""
        if kind == COLOUR:
            return "colour", COLOURS[payload], board, -1, payload, -1, 0, ""
        if kind == SEAT:
            return "seat", f"seat {payload + 1}", board, -1, -1, -1, payload, ""
        if kind == NUMBER:
            number = st.number_of(payload)
            return "number", str(number), board, -1, -1, -1, number, ""
        if kind == GIVE:
            return "give", f"{LETTERS[payload]}!", board, -1, payload, -1, 0, ""
        if kind == LABEL:
            return "label", self.labels[payload], board, -1, -1, -1, 0, self.labels[payload]
        name = "done" if kind == DONE else "pass"
        return name, name, board, -1, -1, -1, 0, ""

    def code_of(self, move: Move) -> int:
        """The choice that a move is: what :meth:`move_fields` read backwards."""
        place = move.board << 9 | move.point
        if move.kind == "place":
            payload = place << 3 | move.colour
        elif move.kind == "enter":
            payload = (place << 3 | move.colour) << 2 | move.side
        elif move.kind == "points":
            payload = move.value << 4 | move.board
        elif move.kind == "number":
            payload = st.number_code(move.value)
        elif move.kind == "label":
            payload = self.labels.index(move.label)
        else:
            payload = {
                "seat": move.value,
                "colour": move.colour,
                "give": move.colour,
                "done": 0,
                "pass": 0,
            }.get(move.kind, place)
        return code_of(KINDS.index(move.kind), payload)

    def point(self, point: int, board: int) -> str:
        """A point's name, with its board's where there are several."""
        name = self.pyramid.names[point]
        return f"{self.board_names[board]}.{name}" if len(self.board_names) > 1 else name
