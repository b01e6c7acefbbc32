"""Verbs that the engine carries out without a choice by a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import Box, Word, top
from shibumi3d.rules.marbles.engine.build.maker import Maker
from shibumi3d.rules.marbles.engine.chance import draw_from
from shibumi3d.rules.marbles.engine.nodes.operators import held
from shibumi3d.rules.marbles.engine.rules import PLACED, Instruction, Term
from shibumi3d.rules.marbles.engine.steps.choices import remove_marble
from shibumi3d.rules.marbles.engine.steps.picks import given
from shibumi3d.rules.marbles.engine.workspace import CHANCE, Machine, Node, Step

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

MARBLE_COST: Final = 60
"""Work charged for each marble put, recoloured or drawn; a removed marble costs twice as much."""
LONGEST_VALUE: Final = 100_000
"""Maximum number of sets or numbers in a list that is the value of a name."""


class Acting(Step):
    """Base class of steps that may change the match."""

    def __init__(self) -> None:
        super().__init__()
        self.acts = True


@final
class Put(Acting):
    """Step of ``put``: put a marble on every point in a set, lower levels first."""

    def __init__(self, colours: Node, at: Node, stock: Node) -> None:
        super().__init__()
        self.colours: Final = colours
        self.at: Final = at
        self.stock: Final = stock

    def run(self, m: Machine) -> Step | None:
        stock = self.stock.index(m)
        colours = self.colours.eval(m)
        colour: M = 0
        while colours:
            if colours & 1:
                m.colour = 1 << colour
                if not self.put(m, self.at.eval(m), stock, colour):
                    return None
            colours >>= 1
            colour += 1
        return self.next

    def put(self, m: Machine, left: M, stock: M, colour: M) -> bool:
        """Put marbles of a colour on points; return False if that is impossible."""
        board = m.board
        while left:
            low = left & -left
            left ^= low
            if stock < 0 or m.stocks[stock][colour].v <= 0 or not board.playable & low:
                return False
            cell = board.cells[top(low)]
            m.supply(stock, colour, -1)
            m.put(cell, colour)
            m.spend(MARBLE_COST)
            placed = board.marks[PLACED]
            m.set(placed, placed.v | low)
            if m.events is not None:
                m.events.append(ev.Placed(board.index, cell.point, colour, m.rules.stock_names[stock]))
        return True


@final
class Remove(Acting):
    """Step of ``remove``: remove every marble in a set, from the top down; marbles above them drop.

    ``mark`` is the number of an extra mark, which keeps track of the marbles still to be removed if they drop.
    """

    def __init__(self, points: Node, stock: Node, mark: int) -> None:
        super().__init__()
        self.points: Final = points
        self.stock: Final = stock
        self.mark: Final = mark

    def run(self, m: Machine) -> Step | None:
        board = m.board
        points = self.points.eval(m) & board.filled
        if not points:
            return self.next
        stock = self.stock.index(m)
        if stock < 0:
            return None
        left = board.marks[self.mark]
        m.set(left, points)
        while left.v:
            mask = left.v & ~board.pinned()
            if not mask:
                m.set(left, 0)
                return None
            m.spend(2 * MARBLE_COST)
            remove_marble(m, board.cells[top(mask)], stock)
        return self.next


@final
class Recolour(Acting):
    """Step of ``recolour``: exchange marbles for marbles of another colour from a stock."""

    def __init__(self, points: Node, into: Node, stock: Node) -> None:
        super().__init__()
        self.points: Final = points
        self.into: Final = into
        self.stock: Final = stock

    def run(self, m: Machine) -> Step | None:
        board = m.board
        left = self.points.eval(m) & board.filled
        if not left:
            return self.next
        into = self.into.eval(m)
        if not into:
            return None
        after = top(into & -into)
        stock = self.stock.index(m)
        m.set(m.removed, 1)
        while left:
            low = left & -left
            left ^= low
            before = board.colour_at(low)
            if before == after:
                continue
            if m.stocks[stock][after].v <= 0:
                return None
            m.spend(MARBLE_COST)
            cell = board.cells[top(low)]
            m.supply(stock, after, -1)
            m.supply(stock, before, 1)
            m.paint(cell, before, after)
            if m.events is not None:
                m.events.append(ev.Recoloured(board.index, cell.point, before, after))
        return self.next


@final
class Deal(Acting):
    """Step of ``deal``: move a number of marbles of each colour from one stock to another."""

    def __init__(self, colours: Node, source: Node, stock: Node, number: Node) -> None:
        super().__init__()
        self.colours: Final = colours
        self.source: Final = source
        self.stock: Final = stock
        self.amount: Final = number

    def run(self, m: Machine) -> Step | None:
        colours = self.colours.eval(m)
        if not colours:
            return self.next
        source = self.source.index(m)
        stock = self.stock.index(m)
        number = self.amount.eval(m)
        if number < 0:
            number = 0
        if source < 0 or stock < 0:
            return None
        colour: M = 0
        while colours:
            if colours & 1:
                if m.stocks[source][colour].v < number:
                    return None
                m.supply(source, colour, -number)
                m.supply(stock, colour, number)
                if m.events is not None:
                    for _ in range(number):
                        m.events.append(given(m, colour, source, stock))
            colours >>= 1
            colour += 1
        return self.next


@final
class Draw(Acting):
    """Step of ``draw``: draw random marbles from a stock, to another stock or onto points.

    If the stock has too few marbles, all of them are drawn.
    """

    def __init__(self, number: Node, source: Node, stock: Node | None, at: Node | None) -> None:
        super().__init__()
        self.kind = CHANCE
        self.amount: Final = number
        self.source: Final = source
        self.stock: Final = stock
        self.at: Final = at

    def run(self, m: Machine) -> Step | None:
        source = self.source.index(m)
        if source < 0:
            return None
        left = self.amount.eval(m)
        there: M = 0
        for word in m.stocks[source]:
            there += word.v
        if left > there:
            left = there
        if left < 0:
            left = 0
        m.spend(MARBLE_COST * left)
        if self.at is not None:
            return self.on_points(m, source, left, self.at.eval(m))
        assert self.stock is not None
        stock = self.stock.index(m)
        if stock < 0:
            return None
        names = m.rules.stock_names
        while left:
            left -= 1
            colour = draw_from(m, source)
            m.supply(stock, colour, 1)
            if m.events is not None:
                m.events.append(ev.Drew(m.who(m.me), colour, names[source], names[stock]))
        return self.next

    def on_points(self, m: Machine, source: M, left: M, points: M) -> Step | None:
        """Put one drawn marble on each of up to ``left`` points, the lowest first.

        Returns the next instruction, or None if a point isn't playable.
        """
        board = m.board
        while left and points:
            left -= 1
            low = points & -points
            points ^= low
            if not board.playable & low:
                return None
            colour = draw_from(m, source)
            cell = board.cells[top(low)]
            m.put(cell, colour)
            placed = board.marks[PLACED]
            m.set(placed, placed.v | low)
            if m.events is not None:
                m.events.append(ev.Placed(board.index, cell.point, colour, m.rules.stock_names[source]))
        return self.next


@final
class AddScore(Acting):
    """Step of ``score``: add points to the tallies of some seats."""

    def __init__(self, points: Node, seats: Node) -> None:
        super().__init__()
        self.points: Final = points
        self.seats: Final = seats

    def run(self, m: Machine) -> Step | None:
        points = self.points.eval(m)
        seats = self.seats.eval(m)
        seat: M = 0
        while seats:
            if seats & 1:
                tally = m.tallies[seat]
                m.set(tally, held(tally.v + points))
                if m.events is not None and points:
                    m.events.append(ev.Scored(m.who(seat), points))
            seats >>= 1
            seat += 1
        return self.next


@final
class LetNumber(Acting):
    """Step of ``let`` for a number or a set.

    The value is stored under a name or, if the name has a value for each seat, in the acting seat's value.
    """

    def __init__(self, words: list[Word], value: Node) -> None:
        super().__init__()
        self.words: Final = words
        self.value: Final = value

    def run(self, m: Machine) -> Step | None:
        value = self.value.eval(m)
        if len(self.words) > 1:
            m.set(self.words[m.me], value)
        else:
            m.set(self.words[0], value)
        return self.next


@final
class LetList(Acting):
    """Step of ``let`` for a list."""

    def __init__(self, title: str, boxes: list[Box], value: Node, nested: bool) -> None:
        super().__init__()
        self.title: Final = title
        self.boxes: Final = boxes
        self.value: Final = value
        self.nested: Final = nested

    def run(self, m: Machine) -> Step | None:
        items: list[int] = []
        lists: list[list[int]] = []
        if self.nested:
            lists = self.value.lists(m)
        else:
            items = list(self.value.items(m))
        if len(items) + len(lists) > LONGEST_VALUE:
            raise RuleFailure(
                "'{name}' would hold more than {most:,} values", name=self.title, most=LONGEST_VALUE
            )
        at: M = 0
        if len(self.boxes) > 1:
            at = m.me
        m.set_box(self.boxes[at], items, lists)
        return self.next


@final
class SetMark(Acting):
    """Step of ``mark``: make a name refer to certain marbles, even after they move."""

    def __init__(self, mark: int, points: Node) -> None:
        super().__init__()
        self.mark: Final = mark
        self.points: Final = points

    def run(self, m: Machine) -> Step | None:
        board = m.board
        m.set(board.marks[self.mark], self.points.eval(m) & board.filled)
        return self.next


@final
class SetNext(Acting):
    """Step of ``next``: set which seat moves next."""

    def __init__(self, seat: Node) -> None:
        super().__init__()
        self.seat: Final = seat

    def run(self, m: Machine) -> Step | None:
        seat = self.seat.eval(m)
        if seat:
            m.set(m.next_seat, top(seat & -seat))
        return self.next


@final
class BeginVar(Step):
    """Initialization of a ``var``, seat by seat."""

    def __init__(self, inner: Step, seats: int) -> None:
        super().__init__()
        self.inner: Final = inner
        self.seats: Final[M] = seats

    def run(self, m: Machine) -> Step | None:
        seat: M = 0
        while seat < self.seats:
            m.me = seat
            self.inner.run(m)
            seat += 1
        m.me = 0
        return self.next


@final
class BeginMark(Step):
    """Initialization, on every board, of a mark that lasts longer than a turn."""

    def __init__(self, inner: Step) -> None:
        super().__init__()
        self.inner: Final = inner

    def run(self, m: Machine) -> Step | None:
        before = m.board
        for board in m.boards:
            m.board = board
            m.version += 1
            self.inner.run(m)
        m.board = before
        return self.next


# ---------------------------------------------------------------- building steps from instructions


def _put(b: Maker, i: Instruction, colours: Term, at: Term, stock: Term) -> Step:
    return Put(b.nodes.node(colours), b.nodes.node(at), b.nodes.node(stock))


def _remove(b: Maker, i: Instruction, points: Term, stock: Term) -> Step:
    return Remove(b.nodes.node(points), b.nodes.node(stock), b.rules.marks)


def _recolour(b: Maker, i: Instruction, points: Term, into: Term, stock: Term) -> Step:
    return Recolour(b.nodes.node(points), b.nodes.node(into), b.nodes.node(stock))


def _deal(b: Maker, i: Instruction, colours: Term, source: Term, stock: Term, number: Term) -> Step:
    return Deal(b.nodes.node(colours), b.nodes.node(source), b.nodes.node(stock), b.nodes.node(number))


def _draw(b: Maker, i: Instruction, number: Term, source: Term, stock: Any, at: Any) -> Step:
    return Draw(b.nodes.node(number), b.nodes.node(source), b.nodes.optional(stock), b.nodes.optional(at))


def _add_score(b: Maker, i: Instruction, points: Term, seats: Term) -> Step:
    return AddScore(b.nodes.node(points), b.nodes.node(seats))


def _let(b: Maker, i: Instruction, name: str, slot: int, by_seat: bool, value: Term, shape: str) -> Step:
    slots = range(slot, slot + b.rules.seats) if by_seat else [slot]
    node = b.nodes.node(value)
    if shape == "scalar":
        return LetNumber([b.nodes.word(s) for s in slots], node)
    return LetList(name, [b.nodes.box(s) for s in slots], node, shape == "lists")


def _set_mark(b: Maker, i: Instruction, mark: int, points: Term) -> Step:
    return SetMark(mark, b.nodes.node(points))


def _set_next(b: Maker, i: Instruction, seat: Term) -> Step:
    return SetNext(b.nodes.node(seat))


MAKERS: Final[dict[str, Callable[..., Step]]] = {
    "Put": _put,
    "Remove": _remove,
    "Recolour": _recolour,
    "Deal": _deal,
    "Draw": _draw,
    "AddScore": _add_score,
    "Let": _let,
    "SetMark": _set_mark,
    "SetNext": _set_next,
}
"""Functions that build the step of an instruction, by operation."""
