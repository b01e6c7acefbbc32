"""Blocks: parts of a program that other seats carry out, or that act on another board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, final

from shibumi3d.rules.errors import RuleFailure, Unforeseen
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Word, top
from shibumi3d.rules.marbles.engine.build.maker import Maker
from shibumi3d.rules.marbles.engine.ends import nothing_done
from shibumi3d.rules.marbles.engine.frozen import boards_of, names_of, stocks_of
from shibumi3d.rules.marbles.engine.rules import Instruction, Term
from shibumi3d.rules.marbles.engine.workspace import Machine, Node, Step

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

MOST_SEATS: Final = 14
"""Maximum length of a list of seats that carry out a block one after another."""


@final
class By:
    """State shared by the start and end of a ``by`` block.

    It records the seats that still have to act, and what to restore after the block.
    """

    def __init__(
        self, left: Word, me: Word, locals_: list[Word], kept: list[Word], began: list[Word], secret: bool
    ) -> None:
        self.left: Final = left
        """Seats still to act, counted from 1, in four bits each; the next one is lowest."""
        self.me: Final = me
        """Seat that acted before the block, counted from 1; 0 outside the block."""
        self.locals: Final = locals_
        self.kept: Final = kept
        """Values that the names of a turn had before a secret block."""
        self.began: Final = began
        """Removed marbles and the boards at the start of the turn, as they were before the block.

        The first word saves ``Machine.removed``; then come ``began_filled`` and ``began_key`` of each board.
        """
        self.secret: Final = secret


@final
class ByBegin(Step):
    """Start of a ``by`` block, whose body several seats carry out one after another."""

    def __init__(self, by: By, seats: Node, listed: bool) -> None:
        super().__init__()
        self.by: Final = by
        self.seats: Final = seats
        self.listed: Final = listed
        self.leave: Step = self

    def order(self, m: Machine) -> M:
        """Return the seats in order, packed into a number.

        Each seat, counted from 1, takes four bits; the first seat is in the lowest bits. A list is already in order.
        The seats in a set are put in turn order, starting from the mover. Raises RuleFailure for a list of more than
        MOST_SEATS.
        """
        order: M = 0
        if self.listed:
            seats = [seat for seat in self.seats.items(m) if seat]
            if len(seats) > MOST_SEATS:
                raise RuleFailure("a 'by' lists more than {most} seats", most=MOST_SEATS)
            for bit in reversed(seats):
                order = order << 4 | top(bit) + 1
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
        order = self.order(m)
        if not order:
            return self.leave
        by = self.by
        if by.secret:
            for i in range(len(by.locals)):
                m.set(by.kept[i], by.locals[i].v)
        m.set(by.me, m.me + 1)
        m.set(by.left, order >> 4)
        keep_began(m, by)
        m.begin_part((order & 15) - 1)
        if by.secret:
            note_secret(m, self.next)
        return self.next


def let_others_choose(m: Machine, seat: M) -> None:
    """Mark all seats except ``seat`` as yet to choose in the current secret block.

    A view made in this state doesn't reveal which of the other seats have already chosen.
    """
    for i in range(len(m.secret_blocks)):
        before = m.secret_me[i].v
        begin = m.secret_blocks[i]
        if not before or not isinstance(begin, ByBegin):
            continue
        acting = m.me
        m.me = before - 1
        order = begin.order(m)
        m.me = acting
        left: M = 0
        place: M = 0
        while order:
            if (order & 15) - 1 != seat:
                left |= (order & 15) << place
                place += 4
            order >>= 4
        m.secret_left[i].v = left


def keep_began(m: Machine, by: By) -> None:
    """Save the position in which the turn began.

    During a block, it is replaced by the position in which each seat's part began.
    """
    m.set(by.began[0], m.removed.v)
    at = 1
    for board in m.boards:
        m.set(by.began[at], board.began_filled.v)
        m.set(by.began[at + 1], board.began_key.v)
        at += 2


def restore_began(m: Machine, by: By) -> None:
    """Restore, at the end of a block, the position in which the turn began."""
    m.set(m.removed, by.began[0].v)
    at = 1
    for board in m.boards:
        m.set(board.began_filled, by.began[at].v)
        m.set(board.began_key, by.began[at + 1].v)
        at += 2
    for word in by.began:
        m.set(word, 0)


def note_secret(m: Machine, body: Step) -> None:
    """Record the state before a seat's part of a secret block, from which views are made."""
    if m.full and not m.looking:
        m.secret = (*m.secret, (int(m.me), parts_of(m), int(body.number)))


def parts_of(m: Machine) -> tuple[Any, ...]:
    """Return the parts of the state that a secret choice can change.

    These are the boards, stocks, vars and tallies, and the record of the turn.
    """
    return (
        boards_of(m),
        stocks_of(m),
        names_of(m)[: m.rules.var_names],
        tuple([word.v for word in m.tallies]),
        (m.next_seat.v, m.taken.v, m.removed.v, m.step),
    )


@final
class ByEnd(Step):
    """End of a ``by`` block: go to the part of the next seat, or leave the block.

    Fails if a seat removed marbles but left the position unchanged.
    """

    def __init__(self, by: By) -> None:
        super().__init__()
        self.acts = True
        self.by: Final = by
        self.body: Step = self
        self.may_fail = False
        """Whether the step fails if a seat removed marbles but left the position as it found it."""

    def run(self, m: Machine) -> Step | None:
        by = self.by
        if self.may_fail and nothing_done(m):
            return None
        if by.secret:
            for i in range(len(by.locals)):
                m.set(by.locals[i], by.kept[i].v)
        left = by.left.v
        if left:
            m.set(by.left, left >> 4)
            m.begin_part((left & 15) - 1)
            if by.secret:
                note_secret(m, self.body)
            return self.body
        m.sit(by.me.v - 1)
        m.set(by.me, 0)
        restore_began(m, by)
        for word in by.kept:
            m.set(word, 0)
        if by.secret and m.full and not m.looking:
            if m.events is not None:
                seats = dict.fromkeys([m.who(seat) for seat, _, _ in m.secret])
                m.events.append(ev.Revealed(tuple(seats)))
            if m.blind:
                raise Unforeseen
            m.secret = ()
        return self.next


@final
class BoardBegin(Step):
    """Start of a ``board`` block: switch to another board."""

    def __init__(self, board: Node, before: Word) -> None:
        super().__init__()
        self.board: Final = board
        self.before: Final = before

    def run(self, m: Machine) -> Step | None:
        m.set(self.before, m.board.index)
        m.use_board(self.board.eval(m))
        return self.next


@final
class BoardEnd(Step):
    """End of a ``board`` block: switch back to the previous board."""

    def __init__(self, before: Word) -> None:
        super().__init__()
        self.before: Final = before

    def run(self, m: Machine) -> Step | None:
        m.use_board(self.before.v)
        m.set(self.before, 0)
        return self.next


def block_of(b: Maker, key: int, secret: bool) -> By:
    """Return the state shared by both ends of a block, creating it on first use."""
    if key not in b.blocks:
        m, rules = b.m, b.rules
        locals_ = [m.names[s] for s in range(rules.var_names, rules.saved_names) if s not in rules.shapes]
        left, me = b.new_word(), b.new_word()
        kept = [b.new_word() for _ in locals_] if secret else []
        began = [Word(0) for _ in range(1 + 2 * len(m.boards))]
        m.prints += began
        m.turn_began.extend(began[1:])
        b.blocks[key] = By(left, me, locals_ if secret else [], kept, began, secret)
    found = b.blocks[key]
    assert isinstance(found, By)
    return found


# ---------------------------------------------------------------- building steps from instructions


def _by_begin(b: Maker, i: Instruction, key: int, seats: Term, listed: bool, secret: bool) -> Step:
    step = ByBegin(block_of(b, key, secret), b.nodes.node(seats), listed)
    if secret:
        b.m.secret_blocks.append(step)
        b.m.secret_me.append(step.by.me)
        b.m.secret_left.append(step.by.left)
    return step


def _by_end(b: Maker, i: Instruction, key: int, secret: bool) -> Step:
    step = ByEnd(block_of(b, key, secret))
    step.may_fail = i.may_fail
    return step


def _board_begin(b: Maker, i: Instruction, key: int, board: Term) -> Step:
    return BoardBegin(b.nodes.node(board), b.of_block(key))


def _board_end(b: Maker, i: Instruction, key: int) -> Step:
    return BoardEnd(b.of_block(key))


MAKERS: Final[dict[str, Callable[..., Step]]] = {
    "ByBegin": _by_begin,
    "ByEnd": _by_end,
    "BoardBegin": _board_begin,
    "BoardEnd": _board_end,
}
"""Functions that build the step of an instruction, by operation."""
