"""The mutable state of a match: registers, undo log, and base classes of expressions and steps.

Changes are recorded in the undo log, so that look-ahead and search can undo them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Board, Cell, ListWord, Word, highest_bit, table_index
from shibumi3d.rules.marbles.engine.rules import END_RULE_LOCATION, FALLEN, WORK_BUDGET, Result, Rules

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


AUTOMATIC: Final = 0
AWAITS_CHOICE: Final = 1
ENDS_TURN: Final = 2
CHANCE: Final = 3
"""Kinds of steps: automatic, waiting for a choice, ending the turn, and random."""

UNDO_WORD: Final = 0
UNDO_PUT: Final = 1
UNDO_REMOVE: Final = 2
UNDO_RECOLOUR: Final = 3
UNDO_ACTING_SEAT: Final = 4
UNDO_BOARD_SWITCH: Final = 5
UNDO_LIST: Final = 6
UNDO_REGISTERS: Final = 7
"""Kinds of undo log entries."""


class Node:
    """Base class of executable expressions.

    Scalars implement :meth:`eval`. Callers iterate over the members of families and lists with :meth:`start_iteration`
    and :meth:`next_member`, or get them all at once from :meth:`items`.
    """

    def eval(self, m: Machine) -> M:
        """Return the value of a scalar expression, which is a single number.

        For points, colours and seats, the number is a bit mask.
        """
        raise NotImplementedError

    def start_iteration(self, m: Machine) -> M:
        """Start an iteration over the members of a family or list.

        Returns a cursor for :meth:`next_member`, or 0 if there are no members.
        """
        raise NotImplementedError

    def next_member(self, m: Machine, at: M) -> M:
        """Store the member at cursor ``at`` in ``m.member``; return the next cursor, or 0 after the last member."""
        raise NotImplementedError

    def items(self, m: Machine) -> list[int]:
        """Return all members of the family or list, in order."""
        result: list[int] = []
        at = self.start_iteration(m)
        while at:
            at = self.next_member(m, at)
            result.append(m.member)
            m.work_left -= 2
        return result

    def lists(self, m: Machine) -> list[list[int]]:
        """Return the value of a list of families, as a list of lists of sets."""
        raise NotImplementedError

    def stock_index(self, m: Machine) -> M:
        """Return the index of the stock that the expression denotes, or -1 if there is none."""
        raise NotImplementedError

    def witnesses(self, m: Machine) -> M:
        """Return the points that make a condition true, as a mask.

        For ``any`` with a single loop over sets (such as lines or groups), these are the points of all sets that pass
        the loop's tests and make its expression true. For ``and`` and ``or``, they are the witnesses of all true
        operands. For any other condition, and for an ``any`` that was optimized into another kind of node, the mask is
        empty.
        """
        return 0


class Step:
    """Base class of steps, the objects that carry out instructions; ``next`` is the step that follows."""

    def __init__(self) -> None:
        self.kind: M = AUTOMATIC
        self.program_index: M = 0
        """Index of the step in the program."""
        self.next: Step = self
        self.changes_match = False
        """Whether it may change the match; if so, the early end rules are tested after it."""
        self.always_completes = False
        """Whether the rest of the turn, from this step on, can't fail and involves no choice or removal of marbles.

        What follows a random outcome doesn't count. A look-ahead need not carry out such a step.
        """
        self.needs_lookahead = False
        """Whether the turn may fail later, so that options must be tried before being offered."""
        self.may_recur = False
        """Whether the turn can return to this step, so that a look-ahead remembers the positions met here."""
        self.offers_points_only = False
        """Whether its options are the points of :meth:`option_points`.

        Each is coded as ``code_prefix | board << 16 | point << 7``.
        """
        self.code_prefix: M = 0
        self.choice_kind: M = -1
        """Kind of all its choices, or -1 if they differ or there are none."""
        self.cost: M = 1
        """Work needed for the step, including its expressions but not the iterations of their loops."""

    def run(self, m: Machine) -> Step | None:
        """Carry out the step; return the next step, or None if this step fails."""
        raise NotImplementedError

    def option_points(self, m: Machine) -> M:
        """Return the mask of the points that this step offers.

        Steps with ``offers_points_only`` must implement this method.
        """
        raise NotImplementedError

    def push_options(self, m: Machine) -> None:
        """Push the codes of all options at this step onto the machine's stack.

        They include options that a look-ahead would rule out. Steps whose options aren't just points (see
        ``offers_points_only``) must override this method.
        """
        points = self.option_points(m)
        m.push_point_options(self.code_prefix | m.board.index << 16, points)

    def has_raw_option(self, m: Machine) -> bool:
        """Return whether the step has any options.

        Options that a look-ahead would rule out count, too.
        """
        if self.offers_points_only:
            return self.option_points(m) != 0
        height = m.stack_height
        self.push_options(m)
        result = m.stack_height > height
        m.stack_height = height
        return result

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        """Carry out an option; return the next step, or None if the option is impossible."""
        raise NotImplementedError


@final
class BoundEndRule:
    """Executable end rule; see :class:`~.rules.EndRule`."""

    def __init__(self, number: int, when: Node, shown: Node) -> None:
        self.number: Final = number
        self.location_code: Final[M] = END_RULE_LOCATION + 2 * number
        self.when: Final = when
        self.unoptimized_when: Final = shown
        """``when`` without optimizations; its witnesses are the points that form the winning shape."""
        self.only_when_stuck = False
        self.is_tested_by_seat = False
        self.win: Node | None = None
        self.lose: Node | None = None
        self.compared_values: list[Node] = []
        self.is_list_by_value: list[bool] = []
        self.compares_only_score = False
        self.tie: Node | None = None
        self.tie_is_list = False
        self.scoreless_results: dict[int, Result] = {}
        """Results of matches without scores that ended by this rule, by the set of winners."""
        self.cost: M = 1
        """Work needed to test the rule for one seat."""


@final
class BoundPhase:
    """Executable phase of a game; see :class:`~.rules.Phase`."""

    def __init__(self, start: Step) -> None:
        self.start: Final = start
        self.max_turns: M = 0
        self.until: Node | None = None
        self.pass_condition: Node | None = None
        self.stuck_may_pass = False
        self.end_rules: list[BoundEndRule] = []
        self.early_end_rules: list[BoundEndRule] = []
        self.may_end_before_choice = False
        self.cost: M = 1
        """Work needed to test whether the phase is over and whether the mover may pass."""


@final
class Registers:
    """Saved copy of a machine's registers.

    The registers hold the part of the match's state that isn't stored in boards, Words or ListWords.
    """

    def __init__(self, m: Machine) -> None:
        self.current_step = m.current_step
        self.me: M = m.me
        self.mover: M = m.mover
        self.board = m.board
        self.phase: M = m.phase
        self.phase_turns: M = m.phase_turns
        self.turn: M = m.turn
        self.idle_count: M = m.idle_count
        self.passed_seats: M = m.passed_seats
        self.choices_made: M = m.choices_made
        self.is_stuck = m.is_stuck
        self.history_length: M = m.history_length
        self.draw_count: M = m.draw_count
        self.draw_orders = m.draw_orders
        self.secret_parts = m.secret_parts
        self.game_number = m.game_number
        self.totals = m.totals
        self.result = m.result

    def restore(self, m: Machine) -> None:
        """Copy the saved values back to the machine."""
        m.current_step = self.current_step
        m.me = self.me
        m.mover = self.mover
        m.board = self.board
        m.phase = self.phase
        m.phase_turns = self.phase_turns
        m.turn = self.turn
        m.idle_count = self.idle_count
        m.passed_seats = self.passed_seats
        m.choices_made = self.choices_made
        m.is_stuck = self.is_stuck
        m.history_length = self.history_length
        m.draw_count = self.draw_count
        m.draw_orders = self.draw_orders
        m.secret_parts = self.secret_parts
        m.game_number = self.game_number
        m.totals = self.totals
        m.result = self.result


@final
class UndoEntry:
    """Undo log entry: the kind of change, and what is needed to reverse it."""

    def __init__(self, cell: Cell, word: Word) -> None:
        self.kind: M = UNDO_WORD
        self.cell = cell
        self.word = word
        self.before: M = 0
        self.after: M = 0
        self.list_word: ListWord | None = None
        self.list_before: list[int] = []
        self.lists_before: list[list[int]] = []
        self.registers: Registers | None = None


@final
class LookaheadLevel:
    """A level of the look-ahead: a choice whose options are being tried."""

    def __init__(self, at: Step) -> None:
        self.choice_step = at
        self.undo_mark: M = 0
        self.stack_base: M = 0
        self.choices_made: M = 0
        self.position_key: M = 0


@final
class Machine:
    """The mutable state of one match, with methods that change it and record the changes in an undo log.

    The rules of the game are carried out by :class:`Step` objects. If ``for_display`` is set, the machine maintains
    everything that people see, such as all marks, the points that decided the match, and the state before each seat's
    secret choices. Otherwise, it maintains only what the rules read.
    """

    def __init__(self, rules: Rules, for_display: bool) -> None:
        pyramid = rules.pyramid
        self.rules: Final = rules
        self.for_display: Final = for_display
        self.seats: Final[M] = rules.seats
        self.colours: Final[M] = rules.colour_count
        self.boards: Final[list[Board]] = [
            Board(i, pyramid, rules.colour_count, rules.mark_count + 1) for i in range(len(rules.board_names))
        ]
        self.board: Board = self.boards[0]
        rows = rules.colour_count + 1
        self.stocks: Final[list[list[Word]]] = [[Word(0) for _ in range(rows)] for _ in rules.stock_names]
        """For each stock, the number of marbles of each colour, then of those whose colour the viewer may not know."""
        self.name_words: Final[list[Word]] = [Word(0) for _ in range(max(rules.slot_count, 1))]
        self.list_words: Final[list[ListWord]] = [ListWord() for _ in range(max(rules.slot_count, 1))]
        self.saved_words: Final[list[Word]] = [
            self.name_words[i] for i in range(rules.saved_name_count) if i not in rules.list_shapes
        ]
        self.saved_list_words: Final[list[ListWord]] = [
            self.list_words[i] for i in rules.list_shapes if i < rules.saved_name_count
        ]
        self.tallies: Final[list[Word]] = [Word(0) for _ in range(rules.seats)]
        self.loop_words: Final[list[Word]] = []
        """Iteration counts, bounds and seats of the loops and blocks in progress."""
        self.checkpoint_words: list[Word] = []
        """State at the start of a ``repeat`` iteration (as a hash) or of a turn with a ``by`` block."""
        self.turn_start_words: Final[list[Word]] = []
        """Words of ``checkpoint_words`` that stay the same during a look-ahead.

        In a ``by`` block, they record the boards at the start of the turn; otherwise, they are 0.
        """
        self.taken_colours: Final[Word] = Word(0)
        self.has_removed: Final[Word] = Word(0)
        self.next_seat: Final[Word] = Word(-1)
        self.origin: Final[Word] = Word(0)
        self.held_colour: Final[Word] = Word(-1)
        self.held_point: Final[Word] = Word(0)
        self.held_board: Final[Word] = Word(0)
        self.held_marks: Final[Word] = Word(0)
        self.turn_words: Final[list[Word]] = [
            self.taken_colours, self.has_removed, self.next_seat, self.origin,
            self.held_colour, self.held_point, self.held_board, self.held_marks,
        ]  # fmt: skip
        self.lasting_words: list[Word] = []
        self.in_progress_words: list[Word] = []
        """Words that are hashed into keys, in addition to the boards.

        ``lasting_words`` has marks, stocks, names and tallies; ``in_progress_words`` has what lasts no longer than a
        turn.
        """
        self.secret_blocks: Final[list[Step]] = []
        """First steps of the blocks of secret choices."""
        self.secret_outer_seats: Final[list[Word]] = []
        """For each block, the seat that acted before it, counted from 1, or 0 while the block isn't in progress."""
        self.secret_seats_left: Final[list[Word]] = []
        """For each block, the seats still to choose, in four bits each; seats are counted from 1."""
        self.history: Final[list[Word]] = []
        """Keys of the boards at the start of a game and after each turn; only the first ``history_length`` count."""
        self.current_step: Step = Step()
        self.me: M = 0
        self.mover: M = 0
        self.phase: M = 0
        self.phase_turns: M = 0
        self.turn: M = 0
        self.idle_count: M = 0
        self.passed_seats: M = 0
        self.choices_made: M = 0
        self.is_stuck = False
        self.history_length: M = 0
        self.draw_count: M = 0
        self.draw_orders: tuple[tuple[int, str], ...] = ()
        self.secret_parts: tuple[Any, ...] = ()
        self.game_number = 1
        self.totals: tuple[int, ...] = ()
        self.completions: Final[dict[int, bool]] = {}
        """Cache for :func:`~.play.sample_choice`: whether the turn can be completed, by the key of the position."""
        self.result: Result | None = None
        self.winners: M = 0
        self.tied: M = 0
        self.chosen_colour: M = 0
        self.member: M = 0
        self.work_left: M = WORK_BUDGET
        self.location_code: M = 0
        """Code of the part of the rules being evaluated, or 0 for an instruction; see :data:`.UNTIL_LOCATION`."""
        self.score_cost: M = 1
        self.key_cost: M = 1
        """Work needed to compute the key of a position."""
        self.board_version: M = 0
        """Number that increases whenever a board changes or another is used, which invalidates cached values."""
        self.is_looking_ahead = False
        """Whether choices are being tried out rather than made."""
        self.is_previewing = False
        """Whether a move is being previewed; outcomes that its seat can't know raise :class:`UnknownOutcomeError`."""
        self.hidden_stocks: M = 0
        self.hidden_boards: M = 0
        """Masks of the stocks and of the boards that are hidden during a preview."""
        self.defers_option_checks = False
        """Whether a seat's options are checked only when it moves, not when its turn begins."""
        self.events: list[ev.Event] | None = None
        self.seed = 0
        self.uses_own_random = False
        """Whether chance uses the machine's own random numbers instead of the seed."""
        self.rejects_chance = False
        """Whether to raise :class:`UnknownOutcomeError` instead of drawing a marble that nobody can foresee."""
        self.chose_pass = False
        """Whether the turn just chosen at random is a pass."""
        self.playouts_need_undo = True
        """Whether playing a match involves look-ahead, so that playouts need the undo log."""
        self.never_pass: Final = rules.never_pass
        self.stuck_may_pass: Final = any(phase.stuck_may_pass for phase in rules.phases)
        self.records_undo = True
        """Whether changes are recorded in the undo log."""
        self.undo_log: list[UndoEntry] = []
        self.undo_length: M = 0
        self.option_stack: Final[list[Word]] = []
        self.stack_height: M = 0
        self.lookahead_levels: Final[list[LookaheadLevel]] = []
        self.lookahead_depth: M = 0
        self.random_x: M = 362436069
        self.random_y: M = 521288629
        self.moving_marks: list[int] = list(range(rules.mark_count + 1))
        """Indices of the marks that move with marbles.

        ``rules.mark_count``, if included, is the mark of marbles about to be removed.
        """
        self.marks_fallen = True
        self.program: list[Step] = []
        self.setup: Step | None = None
        self.phases: list[BoundPhase] = []
        self.end_rules: list[BoundEndRule] = []
        self.initial_value_steps: list[Step] = []
        """Steps that set the initial values of vars and marks."""
        self.words_cleared_each_turn: list[Word] = []
        self.lists_cleared_each_turn: Final[list[ListWord]] = []
        self.needs_turn_start = rules.needs_turn_start
        self.needs_history: Final = rules.needs_history
        self.has_early_end_rules = False
        self.score_node: Node | None = None
        self.gain_node: Node | None = None
        self.solvable_node: Node | None = None

    # ------------------------------------------------------------ the undo log

    def add_undo_entry(self, kind: M) -> UndoEntry:
        """Add an entry to the undo log and return it.

        ``kind`` is one of the ``UNDO_`` constants. Entries are reused, so the caller must set the fields that this kind
        of entry needs; until then, they hold old values.
        """
        at = self.undo_length
        self.undo_length = at + 1
        if at == len(self.undo_log):
            self.grow_undo_log()
        result = self.undo_log[at]
        result.kind = kind
        return result

    def grow_undo_log(self) -> None:
        """Allocate another entry of the undo log."""
        self.undo_log.append(UndoEntry(self.boards[0].cells[0], self.taken_colours))

    def set_word(self, word: Word, value: M) -> None:
        """Set the value of a Word, and add the change to the undo log if ``records_undo`` is set."""
        if word.value == value:
            return
        if self.records_undo:
            entry = self.add_undo_entry(UNDO_WORD)
            entry.word = word
            entry.before = word.value
        word.value = value

    def set_list(self, box: ListWord, items: list[int], lists: list[list[int]]) -> None:
        """Set the contents of a ListWord, and add the change to the undo log if ``records_undo`` is set."""
        if self.records_undo:
            entry = self.add_undo_entry(UNDO_LIST)
            entry.list_word = box
            entry.list_before = box.items
            entry.lists_before = box.lists
        box.items = items
        box.lists = lists

    def set_acting_seat(self, seat: M) -> None:
        """Change which seat acts, and add the change to the undo log if ``records_undo`` is set."""
        if self.records_undo:
            self.add_undo_entry(UNDO_ACTING_SEAT).before = self.me
        self.me = seat

    def begin_seat_part(self, seat: M) -> None:
        """Begin a seat's part of a turn that several seats share.

        If the rules need it, the boards are recorded, so that the seat's changes can be told apart from those of
        other seats.
        """
        self.set_acting_seat(seat)
        self.set_word(self.has_removed, 0)
        if self.needs_turn_start:
            for board in self.boards:
                self.set_word(board.turn_start_filled, board.filled)
                self.set_word(board.turn_start_key, board.key)

    def use_board(self, index: M) -> None:
        """Switch to the board at ``index``, and add the change to the undo log if ``records_undo`` is set.

        Words of the rule language then refer to that board.
        """
        if self.records_undo:
            self.add_undo_entry(UNDO_BOARD_SWITCH).before = self.board.index
        self.board = self.boards[index]
        self.board_version += 1

    def put(self, cell: Cell, colour: M) -> None:
        """Put a marble of the given colour on an empty point.

        The change is added to the undo log if ``records_undo`` is set.
        """
        self.board_version += 1
        if self.records_undo:
            entry = self.add_undo_entry(UNDO_PUT)
            entry.cell = cell
            entry.before = colour
        cell.board.put(cell, colour)

    def remove(self, cell: Cell, colour: M) -> None:
        """Remove a marble of the given colour from a point.

        The marble must support no other. The change is added to the undo log if ``records_undo`` is set.
        """
        self.board_version += 1
        if self.records_undo:
            entry = self.add_undo_entry(UNDO_REMOVE)
            entry.cell = cell
            entry.before = colour
        cell.board.remove(cell, colour)

    def recolour(self, cell: Cell, before: M, after: M) -> None:
        """Change the colour of the marble on a point from ``before`` to ``after``.

        The change is added to the undo log if ``records_undo`` is set. If both colours are the same, nothing happens.
        """
        if before == after:
            return
        self.board_version += 1
        if self.records_undo:
            entry = self.add_undo_entry(UNDO_RECOLOUR)
            entry.cell = cell
            entry.before = before
            entry.after = after
        cell.board.recolour(cell, before, after)

    def undo(self, mark: M) -> None:
        """Undo every change made since the undo log had the length ``mark``."""
        self.board_version += 1
        at = self.undo_length
        while at > mark:
            at -= 1
            entry = self.undo_log[at]
            kind = entry.kind
            if kind == UNDO_WORD:
                entry.word.value = entry.before
            elif kind == UNDO_PUT:
                entry.cell.board.remove(entry.cell, entry.before)
            elif kind == UNDO_REMOVE:
                entry.cell.board.put(entry.cell, entry.before)
            elif kind == UNDO_RECOLOUR:
                entry.cell.board.recolour(entry.cell, entry.after, entry.before)
            elif kind == UNDO_ACTING_SEAT:
                self.me = entry.before
            elif kind == UNDO_BOARD_SWITCH:
                self.board = self.boards[entry.before]
            elif kind == UNDO_LIST:
                box = entry.list_word
                assert box is not None
                box.items = entry.list_before
                box.lists = entry.lists_before
            else:
                registers = entry.registers
                assert registers is not None
                registers.restore(self)
        self.undo_length = mark

    def changed_since(self, mark: M) -> bool:
        """Return whether any Word or ListWord has changed since the undo log had the length ``mark``.

        Only changes recorded by :meth:`set_word` and :meth:`set_list` count. Marbles on the boards are not compared;
        see :meth:`hash_boards`. Values that were later restored don't count as changed. Raises RuleFailure if the work
        budget is exceeded.
        """
        at = self.undo_length
        while at > mark:
            at -= 1
            entry = self.undo_log[at]
            first = mark
            if entry.kind == UNDO_LIST:
                box = entry.list_word
                assert box is not None
                while self.undo_log[first].kind != UNDO_LIST or self.undo_log[first].list_word is not box:
                    first += 1
                self.spend_work(first - mark + len(box.items))
                before = self.undo_log[first]
                if before.list_before != box.items or before.lists_before != box.lists:
                    return True
            elif entry.kind == UNDO_WORD:
                while self.undo_log[first].kind != UNDO_WORD or self.undo_log[first].word is not entry.word:
                    first += 1
                self.spend_work(first - mark)
                if self.undo_log[first].before != entry.word.value:
                    return True
        return False

    # ------------------------------------------------------------ marbles and marks

    def move_marks(self, board: Board, old_point: M, new_point: M) -> None:
        """Move a marble's marks along with it.

        ``old_point`` and ``new_point`` are the masks of its old and new point; ``new_point`` is 0 if the marble leaves
        the board.
        """
        for i in self.moving_marks:
            word = board.marks[i]
            if word.value & old_point:
                self.set_word(word, word.value & ~old_point | new_point)

    def remove_with_drops(self, cell: Cell) -> M:
        """Remove a marble from its board and return its colour; marbles above it drop.

        Raises RuleFailure if there is no marble on ``cell``, or if the marble, or one that would drop, is pinned.
        """
        board = cell.board
        colour = board.colour_at(cell.bit)
        if not self.has_removed.value:
            self.set_word(self.has_removed, 1)
        self.move_marks(board, cell.bit, 0)
        holding = colour
        while True:
            carried = cell.points_above & board.filled
            if not carried:
                break
            if carried & (carried - 1):
                raise RuleFailure("a pinned marble can't be lifted")
            # No other marble rests on the point below, so the falling marble has no neighbours on that side. At most
            # one marble can rest on it in turn: the one on the far side.
            above = board.cells[highest_bit(carried)]
            moving = board.colour_at(above.bit)
            self.recolour(cell, holding, moving)
            self.move_marks(board, above.bit, cell.bit)
            if self.marks_fallen:
                fallen = board.marks[FALLEN]
                self.set_word(fallen, fallen.value | cell.bit)
            if self.events is not None:
                self.events.append(ev.Dropped(board.index, above.point, cell.point, moving))
            holding = moving
            cell = above
        self.remove(cell, holding)
        return colour

    def add_to_stock(self, stock: M, colour: M, change: M) -> None:
        """Add ``change`` marbles of a colour to a stock or, if ``change`` is negative, remove ``-change``.

        The change is added to the undo log if ``records_undo`` is set. Whether the stock holds enough marbles isn't
        checked.
        """
        word = self.stocks[stock][colour]
        self.set_word(word, word.value + change)

    # ------------------------------------------------------------ options, chance, work

    def push_option(self, code: M) -> None:
        """Push an option onto the stack."""
        self.work_left -= 2
        at = self.stack_height
        self.stack_height = at + 1
        if at == len(self.option_stack):
            self.option_stack.append(Word(code))
        else:
            self.option_stack[at].value = code

    def push_point_options(self, code_prefix: M, points: M) -> None:
        """Push an option for each point in ``points``, with a code that combines ``code_prefix`` and the point."""
        at = self.stack_height
        board = self.boards[0]
        while points:
            low = points & -points
            code = code_prefix | board.cells_by_table_index[table_index(low)].point << 7
            if at == len(self.option_stack):
                self.option_stack.append(Word(code))
            else:
                self.option_stack[at].value = code
            at += 1
            points ^= low
        self.work_left -= 2 * (at - self.stack_height)
        self.stack_height = at

    def random_below(self, bound: M) -> M:
        """Return a random number from 0 to ``bound - 1``.

        Two multiply-with-carry generators (Marsaglia) are combined. Compiled code and plain Python give the same
        numbers.
        """
        self.random_x = x = 36969 * (self.random_x & 65535) + (self.random_x >> 16)
        self.random_y = y = 18000 * (self.random_y & 65535) + (self.random_y >> 16)
        return (((x << 16) + y & 0x3FFFFFFF) * bound) >> 30

    def spend_work(self, cost: M) -> None:
        """Deduct ``cost`` from the work budget; raise RuleFailure if the budget is exceeded."""
        self.work_left -= cost
        if self.work_left < 0:
            raise RuleFailure("the rules need too much computation for a single choice")

    def player_at(self, seat: M) -> int:
        """Return the player at a seat of the current game.

        In a series, players change seats from game to game.
        """
        result: int = (seat + self.game_number - 1) % self.seats
        return result

    def hash_boards(self) -> M:
        """Return a hash of the marbles on all boards (Zobrist 1970)."""
        key: M = 0
        for board in self.boards:
            key ^= board.key
        return key
