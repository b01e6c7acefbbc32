"""Choices about marbles: placing, taking or moving one, or pushing one in over an edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Board, Cell, Word
from shibumi3d.rules.marbles.engine.build.context import BuildContext
from shibumi3d.rules.marbles.engine.machine import AWAITS_CHOICE, Machine, Node, Step
from shibumi3d.rules.marbles.engine.rules import (
    ENTER,
    LIFT,
    MOVED,
    PLACE,
    PLACED,
    SET,
    TAKE,
    Instruction,
    Term,
)

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

ENTRY_WORK: Final = 100
"""Work charged for finding the sides from which a point can be entered."""


class ChoiceStep(Step):
    """Base class of steps at which a seat chooses one of several options.

    If the rules name the choice with ``as``, the chosen value is stored in ``word`` or, if that is None, in the acting
    seat's entry of ``words``.
    """

    def __init__(self, kind: M) -> None:
        super().__init__()
        self.kind = AWAITS_CHOICE
        self.changes_match = True
        self.choice_kind = kind
        self.code_prefix = kind
        self.is_named = False
        self.word: Word | None = None
        self.words: list[Word] = []

    def store_if_named(self, m: Machine, value: M) -> None:
        """Store the chosen value under the name given by ``as``, if there is one."""
        if self.is_named:
            self.store(m, value)

    def store(self, m: Machine, value: M) -> None:
        """Store the chosen value in ``word``, or in the acting seat's entry of ``words``."""
        word = self.word
        if word is not None:
            m.set_word(word, value)
        elif self.words:
            m.set_word(self.words[m.me], value)


def cell_of_code(m: Machine, code: M) -> Cell:
    """Return the cell that a code of kind PLACE, TAKE, LIFT or SET refers to."""
    return m.boards[code >> 16].cells[code >> 7 & 511]


@final
class Place(ChoiceStep):
    """Step of ``place``: the seat chooses a colour and a playable point.

    A marble of that colour is taken from a stock and put on that point.
    """

    def __init__(self, colours: Node, at: Node | None, stock: Node, marks: bool) -> None:
        super().__init__(PLACE)
        self.colours: Final = colours
        self.allowed_points: Final = at
        self.stock: Final = stock
        self.updates_placed_mark: Final = marks
        self.own_colours: Final[list[Word]] = []
        self.own_stock_words: Final[list[Word]] = []
        """For each seat, how many marbles are left of the only colour that it places; see ``own_colours``.

        Both lists are empty unless the rules fix the colour and the stock.
        """

    def placeable_points(self, m: Machine, colour: M) -> M:
        """Return a mask of the points where a marble of the given colour may go; 0 if the stock has no such marble."""
        stock = self.stock.stock_index(m)
        if stock < 0 or m.stocks[stock][colour].value <= 0:
            return 0
        at = self.allowed_points
        if at is None:
            return m.board.playable
        m.chosen_colour = 1 << colour
        return m.board.playable & at.eval(m)

    def option_points(self, m: Machine) -> M:
        if self.own_stock_words:
            me = m.me
            if self.own_stock_words[me].value <= 0:
                return 0
            colour = self.own_colours[me].value
            self.code_prefix = PLACE | colour << 4
            at = self.allowed_points
            if at is None:
                return m.board.playable
            m.chosen_colour = 1 << colour
            return m.board.playable & at.eval(m)
        colours = self.colours.eval(m)
        colour = colours >> 1
        self.code_prefix = PLACE | colour << 4
        return self.placeable_points(m, colour)

    def push_options(self, m: Machine) -> None:
        base = PLACE | m.board.index << 16
        colours = self.colours.eval(m)
        colour: M = 0
        while colours:
            if colours & 1:
                points = self.placeable_points(m, colour)
                if points:
                    m.push_point_options(base | colour << 4, points)
            colours >>= 1
            colour += 1

    def has_raw_option(self, m: Machine) -> bool:
        if self.own_stock_words:
            return self.option_points(m) != 0
        colours = self.colours.eval(m)
        colour: M = 0
        while colours:
            if colours & 1 and self.placeable_points(m, colour):
                return True
            colours >>= 1
            colour += 1
        return False

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        colour = code >> 4 & 7
        cell = cell_of_code(m, code)
        stock: M = 0
        if self.own_stock_words:
            word = self.own_stock_words[m.me]
        else:
            stock = self.stock.stock_index(m)
            word = m.stocks[stock][colour]
        m.set_word(word, word.value - 1)
        m.put(cell, colour)
        if self.updates_placed_mark:
            mark = cell.board.marks[PLACED]
            m.set_word(mark, mark.value | cell.bit)
        self.store_if_named(m, cell.bit)
        if m.events is not None:
            stock = self.stock.stock_index(m)
            m.events.append(ev.Placed(cell.board.index, cell.point, colour, m.rules.stock_names[stock]))
        return self.next


def remove_marble(m: Machine, cell: Cell, stock: M) -> None:
    """Move a marble from the board to a stock, and record its colour as taken.

    Marbles above it drop. Raises RuleFailure if there is no marble on ``cell``, or if the marble, or one that would
    drop, is pinned.
    """
    colour = cell.board.colour_at(cell.bit)
    if m.events is not None:
        m.events.append(ev.Removed(cell.board.index, cell.point, colour, m.rules.stock_names[stock]))
    m.remove_with_drops(cell)
    m.add_to_stock(stock, colour, 1)
    if not m.taken_colours.value & 1 << colour:
        m.set_word(m.taken_colours, m.taken_colours.value | 1 << colour)


@final
class Take(ChoiceStep):
    """Step of ``take``: the seat moves a movable marble of its choice from the board to a stock."""

    def __init__(self, points: Node, stock: Node) -> None:
        super().__init__(TAKE)
        self.offers_points_only = True
        self.points: Final = points
        self.stock: Final = stock

    def option_points(self, m: Machine) -> M:
        if self.stock.stock_index(m) < 0:
            return 0
        found = self.points.eval(m) & m.board.filled
        if found:
            return found & ~m.board.find_pinned()
        return 0

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        cell = cell_of_code(m, code)
        bit = cell.bit
        remove_marble(m, cell, self.stock.stock_index(m))
        self.store_if_named(m, bit)
        return self.next


@final
class Lift(ChoiceStep):
    """First step of ``move``: the seat picks up a movable marble; marbles above it drop."""

    def __init__(self, points: Node) -> None:
        super().__init__(LIFT)
        self.offers_points_only = True
        self.points: Final = points

    def option_points(self, m: Machine) -> M:
        found = self.points.eval(m) & m.board.filled
        if found:
            return found & ~m.board.find_pinned()
        return 0

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        cell = cell_of_code(m, code)
        board = cell.board
        marked: M = 0
        for i in m.moving_marks:
            if board.marks[i].value & cell.bit:
                marked |= 1 << i
        if m.events is not None:
            m.events.append(ev.Lifted(board.index, cell.point, board.colour_at(cell.bit)))
        colour = m.remove_with_drops(cell)
        m.set_word(m.held_colour, colour)
        m.set_word(m.held_point, cell.point)
        m.set_word(m.held_board, board.index)
        m.set_word(m.held_marks, marked)
        m.set_word(m.origin, cell.bit)
        m.chosen_colour = 1 << colour
        return self.next


@final
class SetDown(ChoiceStep):
    """Second step of ``move``: the seat puts the lifted marble on a playable point other than its origin.

    If ``onto`` is set, the marble replaces another one instead, and the replaced marble goes to a stock.
    """

    def __init__(self, points: Node | None, onto: bool, stock: Node, marks: bool) -> None:
        super().__init__(SET)
        self.offers_points_only = True
        self.points: Final = points
        self.replaces_marble: Final = onto
        self.stock: Final = stock
        self.updates_moved_mark: Final = marks

    def option_points(self, m: Machine) -> M:
        board = m.board
        found = board.playable
        if self.replaces_marble:
            found = board.filled
        if m.held_colour.value >= 0:
            m.chosen_colour = 1 << m.held_colour.value
        points = self.points
        if points is not None:
            found &= points.eval(m)
        return found & ~m.origin.value

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        cell = cell_of_code(m, code)
        board = cell.board
        bit = cell.bit
        colour = m.held_colour.value
        if colour < 0:
            raise RuleFailure("no marble is in hand")
        if self.replaces_marble:
            old_colour = board.colour_at(bit)
            m.move_marks(board, bit, 0)
            stock = self.stock.stock_index(m)
            m.add_to_stock(stock, old_colour, 1)
            m.set_word(m.taken_colours, m.taken_colours.value | 1 << old_colour)
            if m.events is not None:
                m.events.append(ev.Captured(board.index, cell.point, old_colour, m.rules.stock_names[stock]))
            m.recolour(cell, old_colour, colour)
        else:
            m.put(cell, colour)
        m.set_word(m.held_colour, -1)
        marked = m.held_marks.value
        if marked:
            for i in m.moving_marks:
                if marked >> i & 1:
                    m.set_word(board.marks[i], board.marks[i].value | bit)
        if self.updates_moved_mark:
            mark = board.marks[MOVED]
            m.set_word(mark, mark.value | bit)
        self.store_if_named(m, bit)
        if m.events is not None:
            m.events.append(ev.Moved(board.index, m.held_point.value, cell.point, colour))
        return self.next


# ---------------------------------------------------------------- entering


def find_landing(board: Board, cell: Cell, side: int) -> Cell | None:
    """Return the cell where a pushed line's leading marble comes to rest, or None if the line can't move.

    The line begins at ``cell`` and is pushed from ``side``. It can't be pushed if it reaches the opposite edge of its
    level, or if a marble rests on any of its marbles. Above the lowest level, the leading marble needs four supports.
    If just one support is missing, the marble falls to the point of that support, which must be playable; if more are
    missing, the line can't be pushed. If ``cell`` is empty and supported, the result is ``cell`` itself.
    """
    filled = board.filled
    at: Cell | None = cell
    while at is not None and filled & at.bit:
        if at.points_above & filled:
            return None
        at = at.next_by_side[side]
    if at is None:
        return None
    missing = at.supports & ~filled
    if not missing:
        return at
    if missing & (missing - 1):
        return None
    n: int = missing
    below = board.cells[n.bit_length() - 1]
    if below.supports & ~filled:
        return None
    return below


@final
class Enter(ChoiceStep):
    """Step of ``enter``: the seat pushes a marble in over an edge of an upper level.

    If there are marbles in the way, they are pushed along; the leading one may fall to the level below.
    """

    def __init__(self, colours: Node, at: Node | None, stock: Node, marks: bool) -> None:
        super().__init__(ENTER)
        self.colours: Final = colours
        self.allowed_points: Final = at
        self.stock: Final = stock
        self.updates_placed_mark: Final = marks

    def push_options(self, m: Machine) -> None:
        stock = self.stock.stock_index(m)
        if stock < 0:
            return
        board = m.board
        colours = self.colours.eval(m)
        colour: M = -1
        while colours:
            has = colours & 1
            colours >>= 1
            colour += 1
            if not has or m.stocks[stock][colour].value <= 0:
                continue
            m.chosen_colour = 1 << colour
            left = board.upper_points
            at = self.allowed_points
            if at is not None:
                left &= at.eval(m)
            while left:
                low = left & -left
                left ^= low
                n: int = low
                self.push_side_options(m, board.cells[n.bit_length() - 1], colour)

    def push_side_options(self, m: Machine, cell: Cell, colour: M) -> None:
        """Offer the sides from which a marble of the given colour can enter ``cell``.

        If several sides lead to the same outcome, only the first of them is offered.
        """
        board = cell.board
        if cell.supports & ~board.filled:
            return
        m.spend_work(ENTRY_WORK)
        head = (board.index << 9 | cell.point) << 3 | colour
        visited: list[int] = []
        for side in range(4):
            if cell.next_by_side[side ^ 1] is not None:
                continue
            end = find_landing(board, cell, side)
            if end is None:
                continue
            after = hash_entry_outcome(board, cell, end, side, colour)
            if after not in visited:
                visited.append(after)
                m.push_option((head << 2 | side) << 4 | ENTER)

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        side: int = code >> 4 & 3
        colour = code >> 6 & 7
        board = m.boards[code >> 18]
        cell = board.cells[code >> 9 & 511]
        if board.filled & cell.bit:
            self.push_line(m, cell, side, colour)
        else:
            m.put(cell, colour)
        stock = self.stock.stock_index(m)
        m.add_to_stock(stock, colour, -1)
        if self.updates_placed_mark:
            mark = board.marks[PLACED]
            m.set_word(mark, mark.value | cell.bit)
        self.store_if_named(m, cell.bit)
        if m.events is not None:
            m.events.append(ev.Entered(board.index, cell.point, side, colour, m.rules.stock_names[stock]))
        return self.next

    def push_line(self, m: Machine, cell: Cell, side: int, colour: M) -> None:
        """Push a new marble onto ``cell``, and move the line of marbles that begins there one point further.

        ``cell`` must be filled. The line is pushed from ``side``; the new marble has the given colour. If exactly one
        support is missing under the point to which the leading marble is pushed, that marble falls to the level below.
        Only the point where the leading marble comes to rest is newly filled; at the other points of the line, the
        colour changes to that of the marble pushed there. The marks of the pushed marbles move along with them. Raises
        RuleFailure if the line can't be pushed.
        """
        board = cell.board
        end = find_landing(board, cell, side)
        if end is None:
            raise RuleFailure("the line can't be pushed")
        line: list[Cell] = []
        at: Cell | None = cell
        while at is not None and board.filled & at.bit:
            line.append(at)
            at = at.next_by_side[side]
        if at is None:
            raise RuleFailure("the line can't be pushed")
        first = True
        ahead = at
        for code in reversed(line):
            moving = board.colour_at(code.bit)
            if m.events is not None:
                m.events.append(ev.Pushed(board.index, code.point, ahead.point, moving))
            if first:
                m.put(end, moving)
                m.move_marks(board, code.bit, end.bit)
                first = False
            else:
                m.recolour(ahead, board.colour_at(ahead.bit), moving)
                m.move_marks(board, code.bit, ahead.bit)
            ahead = code
        if end is not at and m.events is not None:
            m.events.append(ev.SideDropped(board.index, at.point, end.point, board.colour_at(end.bit)))
        m.recolour(cell, board.colour_at(cell.bit), colour)


def hash_entry_outcome(board: Board, cell: Cell, end: Cell, side: int, colour: M) -> int:
    """Return a hash of the board after an entry.

    Entries of the same colour at the same point count as one choice if their hashes are equal. ``end`` is the result of
    :func:`find_landing` for ``cell`` and ``side``.
    """
    key = board.key
    entering = colour
    at: Cell | None = cell
    while at is not None and board.filled & at.bit:
        before = board.colour_at(at.bit)
        key ^= at.zobrist_keys[before].value ^ at.zobrist_keys[entering].value
        entering = before
        at = at.next_by_side[side]
    return key ^ end.zobrist_keys[entering].value


# ---------------------------------------------------------------- building steps from instructions


def _place(
    context: BuildContext, instruction: Instruction, colours: Term, allowed_points: Any, stock: Term
) -> Step:
    step = Place(
        context.nodes.build(colours),
        context.nodes.build_optional(allowed_points),
        context.nodes.build(stock),
        context.needs_mark("placed"),
    )
    owned = [colours.value] * context.rules.seats if colours.op == "Const" else []
    if colours.op == "BySeat":
        owned = list(colours.value)
    if owned and all(value.bit_count() == 1 for value in owned):
        step.offers_points_only = True
        seat = stock.args[1] if stock.op == "StockValue" else stock
        if stock.op == "StockValue" and (seat is None or seat.op == "Me"):
            for number, value in enumerate(owned):
                colour = value.bit_length() - 1
                step.own_colours.append(Word(colour))
                row = context.m.stocks[stock.args[0] + (number if seat is not None else 0)]
                step.own_stock_words.append(row[colour])
    return step


def _take(context: BuildContext, instruction: Instruction, points: Term, stock: Term) -> Step:
    return Take(context.nodes.build(points), context.nodes.build(stock))


def _lift(context: BuildContext, instruction: Instruction, points: Term) -> Step:
    return Lift(context.nodes.build(points))


def _set_down(context: BuildContext, instruction: Instruction, points: Any, onto: bool, stock: Term) -> Step:
    return SetDown(
        context.nodes.build_optional(points), onto, context.nodes.build(stock), context.needs_mark("moved")
    )


def _enter(
    context: BuildContext, instruction: Instruction, colours: Term, allowed_points: Any, stock: Term
) -> Step:
    return Enter(
        context.nodes.build(colours),
        context.nodes.build_optional(allowed_points),
        context.nodes.build(stock),
        context.needs_mark("placed"),
    )


CHOICE_STEP_BUILDERS: Final[dict[str, Callable[..., Step]]] = {
    "Place": _place,
    "Take": _take,
    "Lift": _lift,
    "SetDown": _set_down,
    "Enter": _enter,
}
"""Functions that build steps, by the operation of the instruction."""
