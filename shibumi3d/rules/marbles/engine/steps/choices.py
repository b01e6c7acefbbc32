"""Choices about marbles: placing, taking or moving one, or pushing one in over an edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Board, Cell, Word
from shibumi3d.rules.marbles.engine.build.maker import Maker
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
from shibumi3d.rules.marbles.engine.workspace import WAITS, Machine, Node, Step

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

ENTRY_COST: Final = 100
"""Work charged for finding the sides from which a point can be entered."""


class ChoiceStep(Step):
    """Base class of steps at which a seat chooses one of several options.

    If the rules name the choice by ``as``, its value is stored in ``word``, or in the acting seat's entry of ``words``.
    """

    def __init__(self, kind: M) -> None:
        super().__init__()
        self.kind = WAITS
        self.acts = True
        self.choice = kind
        self.head = kind
        self.named = False
        self.word: Word | None = None
        self.words: list[Word] = []

    def name(self, m: Machine, value: M) -> None:
        """Store the chosen value under the name given by ``as``, if there is one."""
        if self.named:
            self.keep(m, value)

    def keep(self, m: Machine, value: M) -> None:
        """Store the chosen value in the Word for the name, or in the acting seat's Word for it."""
        word = self.word
        if word is not None:
            m.set(word, value)
        elif self.words:
            m.set(self.words[m.me], value)


def cell_of(m: Machine, code: M) -> Cell:
    """Return the cell that a code of kind PLACE, TAKE, LIFT or SET refers to."""
    return m.boards[code >> 16].cells[code >> 7 & 511]


@final
class Place(ChoiceStep):
    """A choice of ``place``: put a marble from a stock on a playable point."""

    def __init__(self, colours: Node, at: Node | None, stock: Node, marks: bool) -> None:
        super().__init__(PLACE)
        self.colours: Final = colours
        self.at: Final = at
        self.stock: Final = stock
        self.marks: Final = marks
        self.own_colours: Final[list[Word]] = []
        self.own_words: Final[list[Word]] = []
        """For each seat, the only colour that it places and the number of these marbles left.

        Both lists are empty unless the rules fix the colour and the stock.
        """

    def points(self, m: Machine, colour: M) -> M:
        """Return the mask of points where a marble of a colour may go; 0 if the stock has no such marble."""
        stock = self.stock.index(m)
        if stock < 0 or m.stocks[stock][colour].v <= 0:
            return 0
        at = self.at
        if at is None:
            return m.board.playable
        m.colour = 1 << colour
        return m.board.playable & at.eval(m)

    def mask(self, m: Machine) -> M:
        if self.own_words:
            me = m.me
            if self.own_words[me].v <= 0:
                return 0
            colour = self.own_colours[me].v
            self.head = PLACE | colour << 4
            at = self.at
            if at is None:
                return m.board.playable
            m.colour = 1 << colour
            return m.board.playable & at.eval(m)
        colours = self.colours.eval(m)
        colour = colours >> 1
        self.head = PLACE | colour << 4
        return self.points(m, colour)

    def offer(self, m: Machine) -> None:
        base = PLACE | m.board.index << 16
        colours = self.colours.eval(m)
        colour: M = 0
        while colours:
            if colours & 1:
                points = self.points(m, colour)
                if points:
                    m.push_points(base | colour << 4, points)
            colours >>= 1
            colour += 1

    def any_raw(self, m: Machine) -> bool:
        if self.own_words:
            return self.mask(m) != 0
        colours = self.colours.eval(m)
        colour: M = 0
        while colours:
            if colours & 1 and self.points(m, colour):
                return True
            colours >>= 1
            colour += 1
        return False

    def accept(self, m: Machine, code: M) -> Step | None:
        colour = code >> 4 & 7
        cell = cell_of(m, code)
        stock: M = 0
        if self.own_words:
            word = self.own_words[m.me]
        else:
            stock = self.stock.index(m)
            word = m.stocks[stock][colour]
        m.set(word, word.v - 1)
        m.put(cell, colour)
        if self.marks:
            mark = cell.board.marks[PLACED]
            m.set(mark, mark.v | cell.bit)
        self.name(m, cell.bit)
        if m.events is not None:
            stock = self.stock.index(m)
            m.events.append(ev.Placed(cell.board.index, cell.point, colour, m.rules.stock_names[stock]))
        return self.next


def remove_marble(m: Machine, cell: Cell, stock: M) -> None:
    """Move a marble from the board to a stock; a marble that rested on it drops.

    Raises RuleFailure if the marble is pinned.
    """
    colour = cell.board.colour_at(cell.bit)
    if m.events is not None:
        m.events.append(ev.Removed(cell.board.index, cell.point, colour, m.rules.stock_names[stock]))
    m.pick_up(cell)
    m.supply(stock, colour, 1)
    if not m.taken.v & 1 << colour:
        m.set(m.taken, m.taken.v | 1 << colour)


@final
class Take(ChoiceStep):
    """A choice of ``take``: move a movable marble from the board to a stock."""

    def __init__(self, points: Node, stock: Node) -> None:
        super().__init__(TAKE)
        self.simple = True
        self.points: Final = points
        self.stock: Final = stock

    def mask(self, m: Machine) -> M:
        if self.stock.index(m) < 0:
            return 0
        found = self.points.eval(m) & m.board.filled
        if found:
            return found & ~m.board.pinned()
        return 0

    def accept(self, m: Machine, code: M) -> Step | None:
        cell = cell_of(m, code)
        bit = cell.bit
        remove_marble(m, cell, self.stock.index(m))
        self.name(m, bit)
        return self.next


@final
class Lift(ChoiceStep):
    """First choice of ``move``: pick up a movable marble; a marble that rested on it drops."""

    def __init__(self, points: Node) -> None:
        super().__init__(LIFT)
        self.simple = True
        self.points: Final = points

    def mask(self, m: Machine) -> M:
        found = self.points.eval(m) & m.board.filled
        if found:
            return found & ~m.board.pinned()
        return 0

    def accept(self, m: Machine, code: M) -> Step | None:
        cell = cell_of(m, code)
        board = cell.board
        marked: M = 0
        for i in m.marks_kept:
            if board.marks[i].v & cell.bit:
                marked |= 1 << i
        if m.events is not None:
            m.events.append(ev.Lifted(board.index, cell.point, board.colour_at(cell.bit)))
        colour = m.pick_up(cell)
        m.set(m.held_colour, colour)
        m.set(m.held_point, cell.point)
        m.set(m.held_board, board.index)
        m.set(m.held_marks, marked)
        m.set(m.origin, cell.bit)
        m.colour = 1 << colour
        return self.next


@final
class SetDown(ChoiceStep):
    """Second choice of ``move``: put the marble in hand on a playable point.

    With ``onto``, it replaces another marble instead, which goes to a stock.
    """

    def __init__(self, points: Node | None, onto: bool, stock: Node, marks: bool) -> None:
        super().__init__(SET)
        self.simple = True
        self.points: Final = points
        self.onto: Final = onto
        self.stock: Final = stock
        self.marks: Final = marks

    def mask(self, m: Machine) -> M:
        board = m.board
        found = board.playable
        if self.onto:
            found = board.filled
        if m.held_colour.v >= 0:
            m.colour = 1 << m.held_colour.v
        points = self.points
        if points is not None:
            found &= points.eval(m)
        return found & ~m.origin.v

    def accept(self, m: Machine, code: M) -> Step | None:
        cell = cell_of(m, code)
        board = cell.board
        bit = cell.bit
        colour = m.held_colour.v
        if colour < 0:
            raise RuleFailure("no marble is in hand")
        if self.onto:
            taken = board.colour_at(bit)
            m.mark_moves(board, bit, 0)
            stock = self.stock.index(m)
            m.supply(stock, taken, 1)
            m.set(m.taken, m.taken.v | 1 << taken)
            if m.events is not None:
                m.events.append(ev.Captured(board.index, cell.point, taken, m.rules.stock_names[stock]))
            m.paint(cell, taken, colour)
        else:
            m.put(cell, colour)
        m.set(m.held_colour, -1)
        marked = m.held_marks.v
        if marked:
            for i in m.marks_kept:
                if marked >> i & 1:
                    m.set(board.marks[i], board.marks[i].v | bit)
        if self.marks:
            mark = board.marks[MOVED]
            m.set(mark, mark.v | bit)
        self.name(m, bit)
        if m.events is not None:
            m.events.append(ev.Moved(board.index, m.held_point.v, cell.point, colour))
        return self.next


# ---------------------------------------------------------------- entering


def landing(board: Board, cell: Cell, side: int) -> Cell | None:
    """Return where a line of marbles comes to rest when pushed, or None if it can't be pushed.

    The line begins at ``cell`` and is pushed from ``side``. The result is the new cell of its leading marble. No marble
    in the line may support another. The leading marble needs four supports; if one is missing, the marble falls to that
    point, which must be playable. If ``cell`` is empty and supported, the result is ``cell`` itself.
    """
    filled = board.filled
    at: Cell | None = cell
    while at is not None and filled & at.bit:
        if at.resting & filled:
            return None
        at = at.onward[side]
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
    """A choice of ``enter``: push a marble in over an edge of an upper level.

    The marble pushes along any marbles in its way.
    """

    def __init__(self, colours: Node, at: Node | None, stock: Node, marks: bool) -> None:
        super().__init__(ENTER)
        self.colours: Final = colours
        self.at: Final = at
        self.stock: Final = stock
        self.marks: Final = marks

    def offer(self, m: Machine) -> None:
        stock = self.stock.index(m)
        if stock < 0:
            return
        board = m.board
        colours = self.colours.eval(m)
        colour: M = -1
        while colours:
            has = colours & 1
            colours >>= 1
            colour += 1
            if not has or m.stocks[stock][colour].v <= 0:
                continue
            m.colour = 1 << colour
            left = board.upper
            at = self.at
            if at is not None:
                left &= at.eval(m)
            while left:
                low = left & -left
                left ^= low
                n: int = low
                self.sides(m, board.cells[n.bit_length() - 1], colour)

    def sides(self, m: Machine, cell: Cell, colour: M) -> None:
        """Offer the sides from which a point can be entered, one for each distinct outcome."""
        board = cell.board
        if cell.supports & ~board.filled:
            return
        m.spend(ENTRY_COST)
        head = (board.index << 9 | cell.point) << 3 | colour
        seen: list[int] = []
        for side in range(4):
            if cell.onward[side ^ 1] is not None:
                continue
            end = landing(board, cell, side)
            if end is None:
                continue
            after = outcome_of(board, cell, end, side, colour)
            if after not in seen:
                seen.append(after)
                m.push((head << 2 | side) << 4 | ENTER)

    def accept(self, m: Machine, code: M) -> Step | None:
        side: int = code >> 4 & 3
        colour = code >> 6 & 7
        board = m.boards[code >> 18]
        cell = board.cells[code >> 9 & 511]
        if board.filled & cell.bit:
            self.push_line(m, cell, side, colour)
        else:
            m.put(cell, colour)
        stock = self.stock.index(m)
        m.supply(stock, colour, -1)
        if self.marks:
            mark = board.marks[PLACED]
            m.set(mark, mark.v | cell.bit)
        self.name(m, cell.bit)
        if m.events is not None:
            m.events.append(ev.Entered(board.index, cell.point, side, colour, m.rules.stock_names[stock]))
        return self.next

    def push_line(self, m: Machine, cell: Cell, side: int, colour: M) -> None:
        """Push the line of marbles that begins at ``cell`` by one point, and put the new marble on ``cell``.

        Only the point where the leading marble comes to rest is newly filled; all others change colour. Raises
        RuleFailure if the line can't be pushed.
        """
        board = cell.board
        end = landing(board, cell, side)
        if end is None:
            raise RuleFailure("the line can't be pushed")
        line: list[Cell] = []
        at: Cell | None = cell
        while at is not None and board.filled & at.bit:
            line.append(at)
            at = at.onward[side]
        if at is None:
            raise RuleFailure("the line can't be pushed")
        first = True
        ahead = at
        for one in reversed(line):
            moving = board.colour_at(one.bit)
            if m.events is not None:
                m.events.append(ev.Pushed(board.index, one.point, ahead.point, moving))
            if first:
                m.put(end, moving)
                m.mark_moves(board, one.bit, end.bit)
                first = False
            else:
                m.paint(ahead, board.colour_at(ahead.bit), moving)
                m.mark_moves(board, one.bit, ahead.bit)
            ahead = one
        if end is not at and m.events is not None:
            m.events.append(ev.SideDropped(board.index, at.point, end.point, board.colour_at(end.bit)))
        m.paint(cell, board.colour_at(cell.bit), colour)


def outcome_of(board: Board, cell: Cell, end: Cell, side: int, colour: M) -> int:
    """Return a hash of the board after an entry; entries with the same hash count as one choice."""
    key = board.key
    entering = colour
    at: Cell | None = cell
    while at is not None and board.filled & at.bit:
        before = board.colour_at(at.bit)
        key ^= at.keys[before].v ^ at.keys[entering].v
        entering = before
        at = at.onward[side]
    return key ^ end.keys[entering].v


# ---------------------------------------------------------------- building steps from instructions


def _place(b: Maker, i: Instruction, colours: Term, at: Any, stock: Term) -> Step:
    step = Place(b.nodes.node(colours), b.nodes.optional(at), b.nodes.node(stock), b.marks("placed"))
    owned = [colours.value] * b.rules.seats if colours.op == "Const" else []
    if colours.op == "BySeat":
        owned = list(colours.value)
    if owned and all(value.bit_count() == 1 for value in owned):
        step.simple = True
        seat = stock.args[1] if stock.op == "StockValue" else stock
        if stock.op == "StockValue" and (seat is None or seat.op == "Me"):
            for number, value in enumerate(owned):
                colour = value.bit_length() - 1
                step.own_colours.append(Word(colour))
                row = b.m.stocks[stock.args[0] + (number if seat is not None else 0)]
                step.own_words.append(row[colour])
    return step


def _take(b: Maker, i: Instruction, points: Term, stock: Term) -> Step:
    return Take(b.nodes.node(points), b.nodes.node(stock))


def _lift(b: Maker, i: Instruction, points: Term) -> Step:
    return Lift(b.nodes.node(points))


def _set_down(b: Maker, i: Instruction, points: Any, onto: bool, stock: Term) -> Step:
    return SetDown(b.nodes.optional(points), onto, b.nodes.node(stock), b.marks("moved"))


def _enter(b: Maker, i: Instruction, colours: Term, at: Any, stock: Term) -> Step:
    return Enter(b.nodes.node(colours), b.nodes.optional(at), b.nodes.node(stock), b.marks("placed"))


MAKERS: Final[dict[str, Callable[..., Step]]] = {
    "Place": _place,
    "Take": _take,
    "Lift": _lift,
    "SetDown": _set_down,
    "Enter": _enter,
}
"""Functions that build the step of an instruction, by operation."""
