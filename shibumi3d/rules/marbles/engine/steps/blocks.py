"""Blocks: parts of a program that other seats carry out, or that act on another board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, final

from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Word, highest_bit
from shibumi3d.rules.marbles.engine.build.context import BuildContext
from shibumi3d.rules.marbles.engine.end_rules import removed_without_effect
from shibumi3d.rules.marbles.engine.machine import Machine, Node, Step
from shibumi3d.rules.marbles.engine.rules import Instruction, Term
from shibumi3d.rules.marbles.engine.snapshots import snapshot_boards, snapshot_names, snapshot_stocks

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

MAX_BLOCK_SEATS: Final = 14
"""Maximum length of a list of seats that carry out a block one after another."""


@final
class ByBlock:
    """State shared by the start and end of a ``by`` block.

    It records the seats that still have to act, and what to restore after the block or, in a secret block, after each
    seat's part.
    """

    def __init__(
        self,
        seats_left: Word,
        me: Word,
        locals_: list[Word],
        outer_turn_words: list[Word],
        outer_turn_start: list[Word],
        secret: bool,
    ) -> None:
        self.seats_left: Final = seats_left
        """Seats still to act, in four bits each and counted from 1; the lowest bits hold the next seat."""
        self.outer_seat: Final = me
        """Seat that acted before the block, counted from 1; 0 outside the block."""
        self.turn_words: Final = locals_
        self.outer_turn_words: Final = outer_turn_words
        """Values that ``turn_words`` had before a secret block, to be restored after each seat's part."""
        self.outer_turn_start: Final = outer_turn_start
        """Values from before the block, to be restored after it.

        The first word saves ``Machine.has_removed``; then come ``turn_start_filled`` and ``turn_start_key`` of each
        board.
        """
        self.is_secret: Final = secret


@final
class ByBegin(Step):
    """Start of a ``by`` block, whose body several seats carry out one after another."""

    def __init__(self, by: ByBlock, seats: Node, is_list: bool) -> None:
        super().__init__()
        self.block: Final = by
        self.seats: Final = seats
        self.is_list: Final = is_list
        self.exit_step: Step = self

    def packed_seats(self, m: Machine) -> M:
        """Return the seats that carry out the block, in order, packed into a number.

        Each seat, counted from 1, takes four bits; the first seat is in the lowest bits. A list keeps its order; its
        empty entries are skipped, and an entry with several seats stands for the last of them in seat order. The seats
        in a set are put in turn order, starting from the mover. Raises RuleFailure for a list of more than
        :data:`MAX_BLOCK_SEATS` seats.
        """
        order: M = 0
        if self.is_list:
            seats = [seat for seat in self.seats.items(m) if seat]
            if len(seats) > MAX_BLOCK_SEATS:
                raise RuleFailure("a 'by' lists more than {most} seats", most=MAX_BLOCK_SEATS)
            for bit in reversed(seats):
                order = order << 4 | highest_bit(bit) + 1
            return order
        wanted = self.seats.eval(m)
        left = m.seats
        while left:
            left -= 1
            seat = (m.mover + left) % m.seats
            if wanted >> seat & 1:
                order = order << 4 | seat + 1
        return order

    def run(self, m: Machine) -> Step | None:
        order = self.packed_seats(m)
        if not order:
            return self.exit_step
        by = self.block
        if by.is_secret:
            for i in range(len(by.turn_words)):
                m.set_word(by.outer_turn_words[i], by.turn_words[i].value)
        m.set_word(by.outer_seat, m.me + 1)
        m.set_word(by.seats_left, order >> 4)
        save_turn_start(m, by)
        m.begin_seat_part((order & 15) - 1)
        if by.is_secret:
            record_secret_part(m, self.next)
        return self.next


def hide_who_has_chosen(m: Machine, seat: M) -> None:
    """Mark all seats of the current secret block, except ``seat``, as still to choose.

    A view made in this state doesn't reveal which of the other seats have already chosen. If no secret block is in
    progress, nothing is changed. The change isn't added to the undo log.
    """
    for i in range(len(m.secret_blocks)):
        before = m.secret_outer_seats[i].value
        begin = m.secret_blocks[i]
        if not before or not isinstance(begin, ByBegin):
            continue
        acting = m.me
        m.me = before - 1
        order = begin.packed_seats(m)
        m.me = acting
        remaining: M = 0
        shift: M = 0
        while order:
            if (order & 15) - 1 != seat:
                remaining |= (order & 15) << shift
                shift += 4
            order >>= 4
        m.secret_seats_left[i].value = remaining


def save_turn_start(m: Machine, by: ByBlock) -> None:
    """At the start of a block, save in ``by`` what the machine has recorded about the turn.

    The records are ``has_removed`` and, for each board, the position in which the turn began. During the block, the
    machine overwrites them with records about each seat's part. At the end of the block, :func:`restore_turn_start`
    restores the saved values.
    """
    m.set_word(by.outer_turn_start[0], m.has_removed.value)
    at = 1
    for board in m.boards:
        m.set_word(by.outer_turn_start[at], board.turn_start_filled.value)
        m.set_word(by.outer_turn_start[at + 1], board.turn_start_key.value)
        at += 2


def restore_turn_start(m: Machine, by: ByBlock) -> None:
    """Restore what :func:`save_turn_start` saved about the turn, and clear the saved copy.

    The restored values are ``has_removed`` and, for each board, the position in which the turn began. The boards
    themselves don't change. Call this at the end of a block.
    """
    m.set_word(m.has_removed, by.outer_turn_start[0].value)
    at = 1
    for board in m.boards:
        m.set_word(board.turn_start_filled, by.outer_turn_start[at].value)
        m.set_word(board.turn_start_key, by.outer_turn_start[at + 1].value)
        at += 2
    for word in by.outer_turn_start:
        m.set_word(word, 0)


def record_secret_part(m: Machine, body: Step) -> None:
    """Record the state before a seat's part of a secret block; views are made from this state.

    ``body`` is the first step of the block's body. Nothing is recorded during a look-ahead, or by a machine without
    ``for_display``.
    """
    if m.for_display and not m.is_looking_ahead:
        m.secret_parts = (*m.secret_parts, (int(m.me), secret_state(m), int(body.program_index)))


def secret_state(m: Machine) -> tuple[Any, ...]:
    """Return the parts of the state that a secret choice can change.

    These are the boards, stocks, vars and tallies, and what has been recorded about the turn.
    """
    return (
        snapshot_boards(m),
        snapshot_stocks(m),
        snapshot_names(m)[: m.rules.var_count],
        tuple([word.value for word in m.tallies]),
        (m.next_seat.value, m.taken_colours.value, m.has_removed.value, m.choices_made),
    )


@final
class ByEnd(Step):
    """End of a ``by`` block: continue with the part of the next seat, or leave the block."""

    def __init__(self, by: ByBlock) -> None:
        super().__init__()
        self.changes_match = True
        self.block: Final = by
        self.body: Step = self
        self.may_fail = False
        """Whether the step fails if a seat leaves the position as it found it.

        A seat may do so if it has not moved, removed or recoloured any marbles.
        """

    def run(self, m: Machine) -> Step | None:
        by = self.block
        if self.may_fail and removed_without_effect(m):
            return None
        if by.is_secret:
            for i in range(len(by.turn_words)):
                m.set_word(by.turn_words[i], by.outer_turn_words[i].value)
        left = by.seats_left.value
        if left:
            m.set_word(by.seats_left, left >> 4)
            m.begin_seat_part((left & 15) - 1)
            if by.is_secret:
                record_secret_part(m, self.body)
            return self.body
        m.set_acting_seat(by.outer_seat.value - 1)
        m.set_word(by.outer_seat, 0)
        restore_turn_start(m, by)
        for word in by.outer_turn_words:
            m.set_word(word, 0)
        if by.is_secret and m.for_display and not m.is_looking_ahead:
            if m.events is not None:
                seats = dict.fromkeys([m.player_at(seat) for seat, _, _ in m.secret_parts])
                m.events.append(ev.Revealed(tuple(seats)))
            if m.is_previewing:
                raise UnknownOutcomeError
            m.secret_parts = ()
        return self.next


@final
class BoardBegin(Step):
    """Start of a ``board`` block: switch to another board."""

    def __init__(self, board: Node, before: Word) -> None:
        super().__init__()
        self.board: Final = board
        self.outer_board: Final = before

    def run(self, m: Machine) -> Step | None:
        m.set_word(self.outer_board, m.board.index)
        m.use_board(self.board.eval(m))
        return self.next


@final
class BoardEnd(Step):
    """End of a ``board`` block: switch back to the previous board."""

    def __init__(self, before: Word) -> None:
        super().__init__()
        self.outer_board: Final = before

    def run(self, m: Machine) -> Step | None:
        m.use_board(self.outer_board.value)
        m.set_word(self.outer_board, 0)
        return self.next


def get_block(context: BuildContext, key: int, secret: bool) -> ByBlock:
    """Return the state that the start and the end of a ``by`` block share; create it on first use.

    ``key`` identifies the block, and ``secret`` says whether its seats choose in secret.
    """
    if key not in context.blocks:
        m, rules = context.m, context.rules
        locals_ = [
            m.name_words[s]
            for s in range(rules.var_count, rules.saved_name_count)
            if s not in rules.list_shapes
        ]
        seats_left, me = context.new_word(), context.new_word()
        outer_turn_words = [context.new_word() for _ in locals_] if secret else []
        outer_turn_start = [Word(0) for _ in range(1 + 2 * len(m.boards))]
        m.checkpoint_words += outer_turn_start
        m.turn_start_words.extend(outer_turn_start[1:])
        context.blocks[key] = ByBlock(
            seats_left, me, locals_ if secret else [], outer_turn_words, outer_turn_start, secret
        )
    block = context.blocks[key]
    assert isinstance(block, ByBlock)
    return block


# ---------------------------------------------------------------- building steps from instructions


def _by_begin(
    context: BuildContext, instruction: Instruction, key: int, seats: Term, is_list: bool, secret: bool
) -> Step:
    step = ByBegin(get_block(context, key, secret), context.nodes.build(seats), is_list)
    if secret:
        context.m.secret_blocks.append(step)
        context.m.secret_outer_seats.append(step.block.outer_seat)
        context.m.secret_seats_left.append(step.block.seats_left)
    return step


def _by_end(context: BuildContext, instruction: Instruction, key: int, secret: bool) -> Step:
    step = ByEnd(get_block(context, key, secret))
    step.may_fail = instruction.may_fail
    return step


def _board_begin(context: BuildContext, instruction: Instruction, key: int, board: Term) -> Step:
    return BoardBegin(context.nodes.build(board), context.block_word(key))


def _board_end(context: BuildContext, instruction: Instruction, key: int) -> Step:
    return BoardEnd(context.block_word(key))


BLOCK_STEP_BUILDERS: Final[dict[str, Callable[..., Step]]] = {
    "ByBegin": _by_begin,
    "ByEnd": _by_end,
    "BoardBegin": _board_begin,
    "BoardEnd": _board_end,
}
"""Functions that build steps, by the operation of the instruction."""
