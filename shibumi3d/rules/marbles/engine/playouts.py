"""Random playouts, optimized for speed.

Playouts are lazy: whether a seat can move at all is determined only when the seat tries to move. Changes are recorded
in the undo log only if the rules need look-ahead (``Machine.playouts_need_undo``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.engine.board import ListWord, Word, count_bits, nth_point
from shibumi3d.rules.marbles.engine.lookahead import (
    AWAITING_CHOICE,
    FAILED,
    STOPPED_AT_CHANCE,
    TURN_OVER,
    find_completion,
    run_steps,
    take_option,
)
from shibumi3d.rules.marbles.engine.machine import Machine, Registers, Step
from shibumi3d.rules.marbles.engine.rules import PASS, WORK_BUDGET
from shibumi3d.rules.marbles.engine.turns import begin_first_turn, can_pass_now, end_turn, handle_stuck_seat

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def play_to_end(m: Machine, max_turns: M) -> bool:
    """Make random choices until the match ends or ``max_turns`` more turns have been played.

    Return whether the match ended. Every choice is drawn uniformly from the legal ones. The undo log is cleared while
    playing, so it can't restore the earlier position.
    """
    keep = m.records_undo
    lazy = m.defers_option_checks
    m.records_undo = m.playouts_need_undo
    m.defers_option_checks = True
    m.uses_own_random = True
    end = m.turn + max_turns
    while m.result is None and m.turn < end:
        m.undo_length = 0
        m.work_left = WORK_BUDGET
        if m.is_stuck:
            end_turn(m, True)
        else:
            play_random_turn(m)
    m.records_undo = keep
    m.defers_option_checks = lazy
    m.uses_own_random = False
    return m.result is not None


def play_random_turn(m: Machine) -> None:
    """Make one random choice, or several in a row if the current choice needs look-ahead.

    If this completes the turn or the setup, the next turn begins unless the match is over. The seat is stuck (see
    :func:`~.turns.handle_stuck_seat`) if it has no option or if the look-ahead finds no way to complete the turn. If
    the turn fails after a choice has been made, the seat also counts as stuck in a game with uncertainty
    (``Rules.has_uncertainty``); in any other game, RuleFailure is raised. During the setup, RuleFailure is raised in
    all these cases.
    """
    step = m.current_step
    passing = not m.never_pass and (m.stuck_may_pass or m.choices_made == 0) and can_pass_now(m)
    if step.needs_lookahead:
        m.is_looking_ahead = True
        m.chose_pass = False
        ended = find_completion(m, AWAITING_CHOICE, None, None, True, passing)
        m.is_looking_ahead = False
        if m.chose_pass:
            m.chose_pass = False
            end_turn(m, True)
            return
        if ended == FAILED:
            handle_stuck_seat(m)
            return
        if ended == STOPPED_AT_CHANCE:
            ended = run_steps(m, None)
    else:
        if step.offers_points_only and not passing:
            code = random_point_option(m, step)
        else:
            code = random_option(m, step, passing)
        if code == PASS:
            end_turn(m, True)
            return
        if code < 0:
            handle_stuck_seat(m)
            return
        ended = take_option(m, code, None)
    if ended == TURN_OVER:
        if m.phase < 0:
            begin_first_turn(m)
        else:
            end_turn(m, False)
    elif ended == FAILED:
        if not m.rules.has_uncertainty:
            raise RuleFailure("the turn can't be completed")
        handle_stuck_seat(m)


def random_point_option(m: Machine, step: Step) -> M:
    """Return the code of a random option of a simple choice, or -1 if there is none.

    The options of a simple choice are the points of one mask; see ``Step.offers_points_only``.
    """
    mask = step.option_points(m)
    n = m.random_below(count_bits(mask))
    if not mask:
        return -1
    return step.code_prefix | m.board.index << 16 | nth_point(mask, n) << 7


def random_option(m: Machine, step: Step, may_pass: bool) -> M:
    """Return the code of a random option of a choice, or -1 if there is none.

    If ``may_pass`` is set, PASS is one of the options.
    """
    base = m.stack_height
    step.push_options(m)
    if may_pass:
        m.push_option(PASS)
    n = m.stack_height - base
    code: M = -1
    if n:
        code = m.option_stack[base + m.random_below(n)].value
    m.stack_height = base
    return code


@final
class Checkpoint:
    """A saved state of a machine, to which the machine can be reset any number of times.

    The undo log and the state of the random number generator for playouts are not saved. Most of the storage for the
    state is allocated once, and then reused by each :meth:`save`.
    """

    def __init__(self, m: Machine) -> None:
        self.registers = Registers(m)
        self.saved_words: Final[list[Word]] = words_to_save(m)
        self.word_values: Final[list[Word]] = [Word(0) for _ in self.saved_words]
        self.list_values: Final[list[ListWord]] = [ListWord() for _ in m.list_words]
        self.board_values: Final[list[Word]] = []
        for board in m.boards:
            for _ in range(4 + len(board.cells)):
                self.board_values.append(Word(0))
        self.history: list[int] = []

    def save(self, m: Machine) -> None:
        """Save the current state of the machine."""
        self.registers = Registers(m)
        i: M = 0
        for word in self.saved_words:
            self.word_values[i].value = word.value
            i += 1
        i = 0
        for box in m.list_words:
            values = self.list_values[i]
            values.items = box.items
            values.lists = box.lists
            i += 1
        i = 0
        for board in m.boards:
            self.board_values[i].value = board.filled
            self.board_values[i + 1].value = board.playable
            self.board_values[i + 2].value = board.hidden
            self.board_values[i + 3].value = board.key
            i += 4
            if board.tracks_contacts:
                for cell in board.cells:
                    self.board_values[i].value = cell.uncut_contacts
                    i += 1
        # The next game of a series overwrites the history of the current one.
        self.history = (
            [word.value for word in m.history[: m.history_length]] if m.gain_node is not None else []
        )

    def restore(self, m: Machine) -> None:
        """Reset the machine to the saved state."""
        i: M = 0
        end = len(self.saved_words)
        while i < end:
            self.saved_words[i].value = self.word_values[i].value
            i += 1
        i = 0
        for box in m.list_words:
            values = self.list_values[i]
            box.items = values.items
            box.lists = values.lists
            i += 1
        i = 0
        for board in m.boards:
            board.filled = self.board_values[i].value
            board.playable = self.board_values[i + 1].value
            board.hidden = self.board_values[i + 2].value
            board.key = self.board_values[i + 3].value
            i += 4
            if board.tracks_contacts:
                for cell in board.cells:
                    cell.uncut_contacts = self.board_values[i].value
                    i += 1
        for at in range(len(self.history)):
            m.history[at].value = self.history[at]
        m.board_version += 1
        self.registers.restore(m)


def words_to_save(m: Machine) -> list[Word]:
    """Return every :class:`~.board.Word` that a checkpoint must save, other than those of the history."""
    result: list[Word] = []
    for words in (m.saved_words, m.tallies, m.loop_words, m.checkpoint_words, m.turn_words):
        result += words
    for row in m.stocks:
        result += row
    for board in m.boards:
        result += board.by_colour
        result += board.marks
        result.append(board.turn_start_filled)
        result.append(board.turn_start_key)
    return result
