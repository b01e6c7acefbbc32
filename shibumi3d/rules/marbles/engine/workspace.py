"""The mutable state of a match: registers, undo log, and base classes of expressions and steps.

Changes are recorded in the undo log, so that look-ahead and search can undo them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Board, Box, Cell, Word, slot, top
from shibumi3d.rules.marbles.engine.rules import END_TERM, FALLEN, WORK, Result, Rules

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

RUNS: Final = 0
WAITS: Final = 1
ENDS: Final = 2
CHANCE: Final = 3
"""Kinds of steps: those that run at once, wait for a choice, end the turn, or are random."""

ON_WORD: Final = 0
ON_PUT: Final = 1
ON_LIFT: Final = 2
ON_PAINT: Final = 3
ON_SEAT: Final = 4
ON_BOARD: Final = 5
ON_BOX: Final = 6
ON_REGISTERS: Final = 7
"""Kinds of undo log entries."""


class Node:
    """Base class of executable expressions.

    Scalars implement :meth:`eval`. The members of families and lists are either iterated over by :meth:`begin` and
    :meth:`step`, which allocate no objects, or returned all at once by :meth:`items`.
    """

    def eval(self, m: Machine) -> M:
        """Return the value of a scalar expression."""
        raise NotImplementedError

    def begin(self, m: Machine) -> M:
        """Return the position at which an iteration over the members starts, or 0 if there are none."""
        raise NotImplementedError

    def step(self, m: Machine, at: M) -> M:
        """Store a member in ``m.value``, and return the position of the next one, or 0 after the last."""
        raise NotImplementedError

    def items(self, m: Machine) -> list[int]:
        """Return all members, in order."""
        found: list[int] = []
        at = self.begin(m)
        while at:
            at = self.step(m, at)
            found.append(m.value)
            m.work -= 2
        return found

    def lists(self, m: Machine) -> list[list[int]]:
        """Return the value of a list of families, as a list of lists of sets."""
        raise NotImplementedError

    def index(self, m: Machine) -> M:
        """Return the index of the stock that the expression denotes, or -1 if there is none."""
        raise NotImplementedError

    def witnesses(self, m: Machine) -> M:
        """Return the points that make a Bool true.

        These are the members of the lines and groups found by quantifiers.
        """
        return 0


class Step:
    """Base class of executable instructions; ``next`` is the instruction that follows."""

    def __init__(self) -> None:
        self.kind: M = RUNS
        self.number: M = 0
        """Index of the step in the program."""
        self.next: Step = self
        self.acts = False
        """Whether it may change the match; if so, the end rules that apply within turns are tested."""
        self.sure = False
        """Whether no choice, possible failure or removal of marbles can follow in the turn.

        A look-ahead need not go beyond such a step.
        """
        self.look = False
        """Whether the turn may fail later, so that options must be tried before being offered."""
        self.again = False
        """Whether the turn can return to it, so that a look-ahead remembers the positions met here."""
        self.simple = False
        """Whether its options are the points of :meth:`mask`.

        Each is coded as ``head | board << 16 | point << 7``.
        """
        self.head: M = 0
        self.choice: M = -1
        """Kind of all its choices, or -1 if they differ or there are none."""
        self.cost: M = 1
        """Work that the step costs, including expressions but not the rounds of their loops."""

    def run(self, m: Machine) -> Step | None:
        """Carry out the step; return the next instruction, or None if the step is impossible."""
        raise NotImplementedError

    def mask(self, m: Machine) -> M:
        """Return the points that a simple choice offers, as a mask."""
        raise NotImplementedError

    def offer(self, m: Machine) -> None:
        """Push the codes of the options at this step on the machine's stack, without look-ahead."""
        points = self.mask(m)
        m.push_points(self.head | m.board.index << 16, points)

    def any_raw(self, m: Machine) -> bool:
        """Return whether there is any option, without look-ahead."""
        if self.simple:
            return self.mask(m) != 0
        height = m.height
        self.offer(m)
        found = m.height > height
        m.height = height
        return found

    def accept(self, m: Machine, code: M) -> Step | None:
        """Carry out an option; return the next instruction, or None if the option is impossible."""
        raise NotImplementedError


@final
class BoundEnd:
    """Executable end rule; see :class:`~.rules.EndRule`."""

    def __init__(self, number: int, when: Node, shown: Node) -> None:
        self.number: Final = number
        self.reading: Final[M] = END_TERM + 2 * number
        self.when: Final = when
        self.shown: Final = shown
        """Test without optimizations, whose witnesses show the winning shape."""
        self.when_stuck = False
        self.by_seat = False
        self.win: Node | None = None
        self.lose: Node | None = None
        self.most: list[Node] = []
        self.listed: list[bool] = []
        self.most_is_score = False
        self.tie: Node | None = None
        self.tie_listed = False
        self.cost: M = 1
        """Work needed to test the rule for one seat."""


@final
class BoundPhase:
    """Executable phase of a game; see :class:`~.rules.Phase`."""

    def __init__(self, start: Step) -> None:
        self.start: Final = start
        self.turns: M = 0
        self.until: Node | None = None
        self.passing: Node | None = None
        self.pass_stuck = False
        self.ends: list[BoundEnd] = []
        self.early: list[BoundEnd] = []
        self.prelude = False
        self.cost: M = 1
        """Work needed to test whether the phase is over and who may pass."""


@final
class Registers:
    """Saved copy of a machine's registers: the parts of its state outside Word and Box objects."""

    def __init__(self, m: Machine) -> None:
        self.at = m.at
        self.me: M = m.me
        self.mover: M = m.mover
        self.board = m.board
        self.phase: M = m.phase
        self.phase_turns: M = m.phase_turns
        self.turn: M = m.turn
        self.idle: M = m.idle
        self.passed: M = m.passed
        self.step: M = m.step
        self.stuck = m.stuck
        self.past: M = m.past
        self.draws: M = m.draws
        self.orders = m.orders
        self.secret = m.secret
        self.game_number = m.game_number
        self.totals = m.totals
        self.result = m.result

    def restore(self, m: Machine) -> None:
        """Copy the saved values back to the machine."""
        m.at = self.at
        m.me = self.me
        m.mover = self.mover
        m.board = self.board
        m.phase = self.phase
        m.phase_turns = self.phase_turns
        m.turn = self.turn
        m.idle = self.idle
        m.passed = self.passed
        m.step = self.step
        m.stuck = self.stuck
        m.past = self.past
        m.draws = self.draws
        m.orders = self.orders
        m.secret = self.secret
        m.game_number = self.game_number
        m.totals = self.totals
        m.result = self.result


@final
class JournalLine:
    """Undo log entry: the kind of change, and what is needed to reverse it."""

    def __init__(self, cell: Cell, word: Word) -> None:
        self.kind: M = ON_WORD
        self.cell = cell
        self.word = word
        self.a: M = 0
        self.b: M = 0
        self.box: Box | None = None
        self.list: list[int] = []
        self.lists: list[list[int]] = []
        self.registers: Registers | None = None


@final
class Way:
    """A level of the look-ahead: a choice whose options are being tried."""

    def __init__(self, at: Step) -> None:
        self.at = at
        self.mark: M = 0
        self.base: M = 0
        self.step: M = 0
        self.key: M = 0
        self.end: Final[M] = 0


@final
class Machine:
    """The mutable state of one match: words, registers and undo log.

    The class contains no game logic. If ``full`` is set, it maintains everything that people see (marks, shapes and
    secrets); otherwise, it maintains only what the rules read.
    """

    def __init__(self, rules: Rules, full: bool) -> None:
        pyramid = rules.pyramid
        self.rules: Final = rules
        self.full: Final = full
        self.seats: Final[M] = rules.seats
        self.colours: Final[M] = rules.colours
        self.boards: Final[list[Board]] = [
            Board(i, pyramid, rules.colours, rules.marks + 1) for i in range(len(rules.board_names))
        ]
        self.board: Board = self.boards[0]
        rows = rules.colours + 1
        self.stocks: Final[list[list[Word]]] = [[Word(0) for _ in range(rows)] for _ in rules.stock_names]
        """Marbles in each stock, by colour, then those whose colour the viewer may not know."""
        self.names: Final[list[Word]] = [Word(0) for _ in range(max(rules.slots, 1))]
        self.boxes: Final[list[Box]] = [Box() for _ in range(max(rules.slots, 1))]
        self.saved: Final[list[Word]] = [
            self.names[i] for i in range(rules.saved_names) if i not in rules.shapes
        ]
        self.saved_boxes: Final[list[Box]] = [self.boxes[i] for i in rules.shapes if i < rules.saved_names]
        self.tallies: Final[list[Word]] = [Word(0) for _ in range(rules.seats)]
        self.loops: Final[list[Word]] = []
        """Round counts, bounds and seats of the loops and blocks in progress."""
        self.prints: list[Word] = []
        """State of the boards at the start of a ``repeat`` round or of a turn with a ``by`` block."""
        self.turn_began: Final[list[Word]] = []
        """Words of ``prints`` that stay the same during a look-ahead.

        They hold the boards at the start of the turn, or 0 outside ``by`` blocks.
        """
        self.taken: Final[Word] = Word(0)
        self.removed: Final[Word] = Word(0)
        self.next_seat: Final[Word] = Word(-1)
        self.origin: Final[Word] = Word(0)
        self.held_colour: Final[Word] = Word(-1)
        self.held_point: Final[Word] = Word(0)
        self.held_board: Final[Word] = Word(0)
        self.held_marks: Final[Word] = Word(0)
        self.turn_words: Final[list[Word]] = [
            self.taken, self.removed, self.next_seat, self.origin,
            self.held_colour, self.held_point, self.held_board, self.held_marks,
        ]  # fmt: skip
        self.lying: list[Word] = []
        self.under_way: list[Word] = []
        """Words that keys cover besides the boards.

        ``lying`` has marks, stocks, names and tallies; ``under_way`` has what lasts no longer than a turn.
        """
        self.secret_blocks: Final[list[Step]] = []
        """Steps with which blocks of secret choices begin."""
        self.secret_me: Final[list[Word]] = []
        """For each block, the seat that acted before it, counted from 1; 0 while not in progress."""
        self.secret_left: Final[list[Word]] = []
        """For each block, the seats still to choose, counted from 1, in four bits each."""
        self.history: Final[list[Word]] = []
        """Keys of the boards after each turn; only the first ``past`` of them are valid."""
        self.at: Step = Step()
        self.me: M = 0
        self.mover: M = 0
        self.phase: M = 0
        self.phase_turns: M = 0
        self.turn: M = 0
        self.idle: M = 0
        self.passed: M = 0
        self.step: M = 0
        self.stuck = False
        self.past: M = 0
        self.draws: M = 0
        self.orders: tuple[tuple[int, str], ...] = ()
        self.secret: tuple[Any, ...] = ()
        self.game_number = 1
        self.totals: tuple[int, ...] = ()
        self.result: Result | None = None
        self.winners: M = 0
        self.tied: M = 0
        self.colour: M = 0
        self.value: M = 0
        self.work: M = WORK
        self.reading: M = 0
        """Part of the rules being evaluated outside any instruction; see END_TERM in :mod:`.rules`."""
        self.score_cost: M = 1
        self.key_cost: M = 1
        """Work needed to compute the key of a position."""
        self.version: M = 0
        """Number that increases whenever a board changes, which invalidates cached values."""
        self.looking = False
        """Whether choices are being tried out rather than made."""
        self.blind = False
        """Whether a move is being previewed; what its seat can't know raises :class:`Unforeseen`."""
        self.veiled: M = 0
        self.covered: M = 0
        """Masks of the stocks (``veiled``) and boards (``covered``) hidden during a preview."""
        self.lazy = False
        """Whether a seat's options are checked only when it moves, not when its turn begins."""
        self.events: list[ev.Event] | None = None
        self.seed = 0
        self.rolling = False
        """Whether chance uses the machine's own random numbers instead of the seed."""
        self.careful = False
        """Whether to raise :class:`Unforeseen` instead of drawing a marble that nobody can foresee."""
        self.passing = False
        """Whether the turn just chosen at random is a pass."""
        self.tries = True
        """Whether playing a match involves trials, so that playouts need the undo log."""
        self.never_pass: Final = rules.never_pass
        self.passes: Final = any(phase.pass_stuck for phase in rules.phases)
        self.keep = True
        """Whether changes are recorded in the undo log."""
        self.journal: list[JournalLine] = []
        self.length: M = 0
        self.stack: Final[list[Word]] = []
        self.height: M = 0
        self.ways: Final[list[Way]] = []
        self.depth: M = 0
        self.x: M = 362436069
        self.y: M = 521288629
        self.marks_kept: list[int] = list(range(rules.marks + 1))
        """Indices of the marks that move with marbles.

        ``rules.marks``, if included, is the mark of marbles about to be removed.
        """
        self.falls = True
        self.code: list[Step] = []
        self.setup: Step | None = None
        self.phases: list[BoundPhase] = []
        self.ends: list[BoundEnd] = []
        self.starts: list[Step] = []
        """Steps that give every var its initial value."""
        self.turn_cleared: list[Word] = []
        self.boxes_cleared: Final[list[Box]] = []
        self.needs_began = rules.needs_began
        self.needs_history: Final = rules.needs_history
        self.early = False
        self.score: Node | None = None
        self.gain: Node | None = None
        self.solvable: Node | None = None

    # ------------------------------------------------------------ the undo log

    def entry(self, kind: M) -> JournalLine:
        """Add an entry to the undo log and return it."""
        at = self.length
        self.length = at + 1
        if at == len(self.journal):
            self.grow()
        found = self.journal[at]
        found.kind = kind
        return found

    def grow(self) -> None:
        """Allocate another entry of the undo log."""
        self.journal.append(JournalLine(self.boards[0].cells[0], self.taken))

    def set(self, word: Word, value: M) -> None:
        """Set the value of a Word, and record the change."""
        if word.v == value:
            return
        if self.keep:
            entry = self.entry(ON_WORD)
            entry.word = word
            entry.a = word.v
        word.v = value

    def set_box(self, box: Box, items: list[int], lists: list[list[int]]) -> None:
        """Set the contents of a Box, and record the change."""
        if self.keep:
            entry = self.entry(ON_BOX)
            entry.box = box
            entry.list = box.items
            entry.lists = box.lists
        box.items = items
        box.lists = lists

    def sit(self, seat: M) -> None:
        """Set the seat to act."""
        if self.keep:
            self.entry(ON_SEAT).a = self.me
        self.me = seat

    def begin_part(self, seat: M) -> None:
        """Begin a seat's part of a turn that several seats share.

        This saves the boards, so that the seat's changes can be told apart from those of other seats.
        """
        self.sit(seat)
        self.set(self.removed, 0)
        if self.needs_began:
            for board in self.boards:
                self.set(board.began_filled, board.filled)
                self.set(board.began_key, board.key)

    def use_board(self, index: M) -> None:
        """Switch to another board; words of the rule language then refer to that board."""
        if self.keep:
            self.entry(ON_BOARD).a = self.board.index
        self.board = self.boards[index]
        self.version += 1

    def put(self, cell: Cell, colour: M) -> None:
        """Put a marble on an empty point."""
        self.version += 1
        if self.keep:
            entry = self.entry(ON_PUT)
            entry.cell = cell
            entry.a = colour
        cell.board.put(cell, colour)

    def lift(self, cell: Cell, colour: M) -> None:
        """Remove a marble that supports no other."""
        self.version += 1
        if self.keep:
            entry = self.entry(ON_LIFT)
            entry.cell = cell
            entry.a = colour
        cell.board.lift(cell, colour)

    def paint(self, cell: Cell, before: M, after: M) -> None:
        """Replace the marble on a point by one of another colour."""
        if before == after:
            return
        self.version += 1
        if self.keep:
            entry = self.entry(ON_PAINT)
            entry.cell = cell
            entry.a = before
            entry.b = after
        cell.board.paint(cell, before, after)

    def undo(self, mark: M) -> None:
        """Undo every change made since the undo log had length ``mark``."""
        self.version += 1
        at = self.length
        while at > mark:
            at -= 1
            entry = self.journal[at]
            kind = entry.kind
            if kind == ON_WORD:
                entry.word.v = entry.a
            elif kind == ON_PUT:
                entry.cell.board.lift(entry.cell, entry.a)
            elif kind == ON_LIFT:
                entry.cell.board.put(entry.cell, entry.a)
            elif kind == ON_PAINT:
                entry.cell.board.paint(entry.cell, entry.b, entry.a)
            elif kind == ON_SEAT:
                self.me = entry.a
            elif kind == ON_BOARD:
                self.board = self.boards[entry.a]
            elif kind == ON_BOX:
                box = entry.box
                assert box is not None
                box.items = entry.list
                box.lists = entry.lists
            else:
                registers = entry.registers
                assert registers is not None
                registers.restore(self)
        self.length = mark

    def changed_since(self, mark: M) -> bool:
        """Return whether any Word or Box has changed since the undo log had length ``mark``."""
        at = self.length
        while at > mark:
            at -= 1
            entry = self.journal[at]
            first = mark
            if entry.kind == ON_BOX:
                box = entry.box
                assert box is not None
                while self.journal[first].kind != ON_BOX or self.journal[first].box is not box:
                    first += 1
                self.spend(first - mark + len(box.items))
                before = self.journal[first]
                if before.list != box.items or before.lists != box.lists:
                    return True
            elif entry.kind == ON_WORD:
                while self.journal[first].kind != ON_WORD or self.journal[first].word is not entry.word:
                    first += 1
                self.spend(first - mark)
                if self.journal[first].a != entry.word.v:
                    return True
        return False

    # ------------------------------------------------------------ marbles and marks

    def mark_moves(self, board: Board, gone: M, come: M) -> None:
        """Move a marble's marks along with it.

        ``gone`` and ``come`` are the masks of its old and new point; ``come`` is 0 if it leaves the board.
        """
        for i in self.marks_kept:
            word = board.marks[i]
            if word.v & gone:
                self.set(word, word.v & ~gone | come)

    def pick_up(self, cell: Cell) -> M:
        """Remove a movable marble from its board and return its colour; a marble that rested on it drops.

        Raises RuleFailure if the marble, or one that drops, is pinned.
        """
        board = cell.board
        colour = board.colour_at(cell.bit)
        if not self.removed.v:
            self.set(self.removed, 1)
        self.mark_moves(board, cell.bit, 0)
        holding = colour
        while True:
            carried = cell.resting & board.filled
            if not carried:
                break
            if carried & (carried - 1):
                raise RuleFailure("a pinned marble can't be lifted")
            # No other marble rests on the point below, so the falling marble has no neighbours on that side. At most
            # one marble can rest on it in turn: the one on the far side.
            above = board.cells[top(carried)]
            moving = board.colour_at(above.bit)
            self.paint(cell, holding, moving)
            self.mark_moves(board, above.bit, cell.bit)
            if self.falls:
                fallen = board.marks[FALLEN]
                self.set(fallen, fallen.v | cell.bit)
            if self.events is not None:
                self.events.append(ev.Dropped(board.index, above.point, cell.point, moving))
            holding = moving
            cell = above
        self.lift(cell, holding)
        return colour

    def supply(self, stock: M, colour: M, more: M) -> None:
        """Add ``more`` marbles of a colour to a stock, or remove some if ``more`` is negative."""
        word = self.stocks[stock][colour]
        self.set(word, word.v + more)

    # ------------------------------------------------------------ options, chance, work

    def push(self, code: M) -> None:
        """Push an option onto the stack."""
        self.work -= 2
        at = self.height
        self.height = at + 1
        if at == len(self.stack):
            self.stack.append(Word(code))
        else:
            self.stack[at].v = code

    def push_points(self, head: M, points: M) -> None:
        """Push an option for each point in a mask; its code combines ``head`` and the point."""
        at = self.height
        board = self.boards[0]
        while points:
            low = points & -points
            code = head | board.at_slot[slot(low)].point << 7
            if at == len(self.stack):
                self.stack.append(Word(code))
            else:
                self.stack[at].v = code
            at += 1
            points ^= low
        self.work -= 2 * (at - self.height)
        self.height = at

    def below(self, most: M) -> M:
        """Return a random number from 0 to ``most - 1``.

        It combines two multiply-with-carry generators (Marsaglia). Compiled code and plain Python give the same
        numbers.
        """
        self.x = x = 36969 * (self.x & 65535) + (self.x >> 16)
        self.y = y = 18000 * (self.y & 65535) + (self.y >> 16)
        return (((x << 16) + y & 0x3FFFFFFF) * most) >> 30

    def spend(self, cost: M) -> None:
        """Deduct ``cost`` from the work budget; raise RuleFailure if the budget is exceeded."""
        self.work -= cost
        if self.work < 0:
            raise RuleFailure("the rules need too much computation for a single choice")

    def who(self, seat: M) -> int:
        """Return the player at a seat; events refer to players.

        In a series, players change seats from game to game.
        """
        found: int = (seat + self.game_number - 1) % self.seats
        return found

    def boards_key(self) -> M:
        """Return a hash of the marbles on all boards (Zobrist 1970)."""
        key: M = 0
        for board in self.boards:
            key ^= board.key
        return key
