"""Verbs that the engine carries out without a choice by a seat, including random draws of marbles."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, final

from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.board import ListWord, Word, highest_bit
from shibumi3d.rules.marbles.engine.build.context import BuildContext
from shibumi3d.rules.marbles.engine.machine import CHANCE, Machine, Node, Step
from shibumi3d.rules.marbles.engine.nodes.operators import clamp_native
from shibumi3d.rules.marbles.engine.rules import PLACED, Instruction, Term
from shibumi3d.rules.marbles.engine.steps.choices import remove_marble
from shibumi3d.rules.marbles.engine.steps.picks import given_event

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def draw_marble(m: Machine, stock: M) -> M:
    """Draw a marble from a stock and return its colour.

    If the deal specifies an order for the stock, marbles are drawn in that order until it is used up. Raises
    RuleFailure if the stock has no marble of the colour that comes next in the order.

    Without an order, or after its end, the marble is drawn at random from those of known colour. Raises RuleFailure if
    there are none. If the machine rejects chance, UnknownOutcomeError is raised instead, unless the outcome is certain:
    the stock must have marbles, all of the same known colour.
    """
    row = m.stocks[stock]
    for i, (index, order) in enumerate(m.draw_orders):
        if index == stock and order:
            colour: M = m.rules.colour_letters.index(order[0])
            m.draw_orders = (*m.draw_orders[:i], (index, order[1:]), *m.draw_orders[i + 1 :])
            if row[colour].value <= 0:
                name = m.rules.colour_names[colour]
                raise RuleFailure("the given order draws a {colour} marble, but none is left", colour=name)
            m.add_to_stock(stock, colour, -1)
            return colour
    total: M = 0
    kinds: M = 0
    for word in row:
        total += word.value
        if word.value:
            kinds += 1
    unknown = row[m.colours].value
    if m.rejects_chance and (kinds != 1 or unknown):
        raise UnknownOutcomeError
    total -= unknown
    if total <= 0:
        raise RuleFailure("there is nothing left to draw")
    at: M = 0
    if m.uses_own_random:
        at = m.random_below(total)
    else:
        m.draw_count += 1
        counter: int = m.draw_count
        bound: int = total
        at = hash_random(m.seed, counter) % bound
    colour = 0
    while at >= row[colour].value:
        at -= row[colour].value
        colour += 1
    m.add_to_stock(stock, colour, -1)
    return colour


def hash_random(seed: int, counter: int) -> int:
    """Return a 64-bit pseudorandom number that is the same on every computer.

    ``seed`` and ``counter`` are mixed by two rounds of the SplitMix64 finalizer (Steele et al. 2014).
    """
    mask = (1 << 64) - 1
    x = (seed * 0x9E3779B97F4A7C15 + counter * 0xD1B54A32D192ED03 + 0x632BE59BD9B4E019) & mask
    for _ in range(2):
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & mask
        x = (x ^ x >> 27) * 0x94D049BB133111EB & mask
        x ^= x >> 31
    return x


MARBLE_WORK: Final = 60
"""Work charged for each marble put, recoloured or drawn; a removed marble costs twice as much."""
MAX_LIST_LENGTH: Final = 100_000
"""Maximum length of a list stored under a name."""


class ChangingStep(Step):
    """Base class of steps that may change the match."""

    def __init__(self) -> None:
        super().__init__()
        self.changes_match = True


@final
class Put(ChangingStep):
    """Step of ``put``: put a marble of each given colour on every point in a set, lowest first.

    The set may depend on the colour, so it is evaluated anew for each one. The step fails if a point isn't playable or
    if the stock has no marble of the colour left.
    """

    def __init__(self, colours: Node, at: Node, stock: Node) -> None:
        super().__init__()
        self.colours: Final = colours
        self.points: Final = at
        self.stock: Final = stock

    def run(self, m: Machine) -> Step | None:
        stock = self.stock.stock_index(m)
        colours = self.colours.eval(m)
        colour: M = 0
        while colours:
            if colours & 1:
                m.chosen_colour = 1 << colour
                if not self.put_marbles(m, self.points.eval(m), stock, colour):
                    return None
            colours >>= 1
            colour += 1
        return self.next

    def put_marbles(self, m: Machine, points: M, stock: M, colour: M) -> bool:
        """Put marbles of a colour from a stock on ``points``, the lowest first; return whether every point got one.

        Stops at the first point that isn't playable, or when the stock has no marble of the colour. Marbles that were
        already put stay on the board. If ``stock`` is -1, there is no stock, and no marble can be put.
        """
        board = m.board
        while points:
            low = points & -points
            points ^= low
            if stock < 0 or m.stocks[stock][colour].value <= 0 or not board.playable & low:
                return False
            cell = board.cells[highest_bit(low)]
            m.add_to_stock(stock, colour, -1)
            m.put(cell, colour)
            m.spend_work(MARBLE_WORK)
            placed = board.marks[PLACED]
            m.set_word(placed, placed.value | low)
            if m.events is not None:
                m.events.append(ev.Placed(board.index, cell.point, colour, m.rules.stock_names[stock]))
        return True


@final
class Remove(ChangingStep):
    """Step of ``remove``: remove all marbles in a set; marbles above them drop.

    The marbles are removed one at a time. Each time, the step takes the highest marble that isn't pinned; among several
    equally high ones, it takes the one on the point with the highest number. The step fails if all marbles still to be
    removed are pinned, or if there is no stock for them. If the set contains no marbles, nothing happens.
    ``pending_mark`` is the number of an extra mark, which stays on the marbles still to be removed even if they drop.
    """

    def __init__(self, points: Node, stock: Node, mark: int) -> None:
        super().__init__()
        self.points: Final = points
        self.stock: Final = stock
        self.pending_mark: Final = mark

    def run(self, m: Machine) -> Step | None:
        board = m.board
        points = self.points.eval(m) & board.filled
        if not points:
            return self.next
        stock = self.stock.stock_index(m)
        if stock < 0:
            return None
        left = board.marks[self.pending_mark]
        m.set_word(left, points)
        while left.value:
            mask = left.value & ~board.find_pinned()
            if not mask:
                m.set_word(left, 0)
                return None
            m.spend_work(2 * MARBLE_WORK)
            remove_marble(m, board.cells[highest_bit(mask)], stock)
        return self.next


@final
class Recolour(ChangingStep):
    """Step of ``recolour``: exchange marbles for marbles of another colour from a stock.

    Empty points and marbles that already have the new colour are skipped. The step fails if the points contain marbles
    but no new colour is given, or if the stock has too few marbles of that colour.
    """

    def __init__(self, points: Node, into: Node, stock: Node) -> None:
        super().__init__()
        self.points: Final = points
        self.target_colour: Final = into
        self.stock: Final = stock

    def run(self, m: Machine) -> Step | None:
        board = m.board
        left = self.points.eval(m) & board.filled
        if not left:
            return self.next
        into = self.target_colour.eval(m)
        if not into:
            return None
        after = highest_bit(into & -into)
        stock = self.stock.stock_index(m)
        m.set_word(m.has_removed, 1)
        while left:
            low = left & -left
            left ^= low
            before = board.colour_at(low)
            if before == after:
                continue
            if m.stocks[stock][after].value <= 0:
                return None
            m.spend_work(MARBLE_WORK)
            cell = board.cells[highest_bit(low)]
            m.add_to_stock(stock, after, -1)
            m.add_to_stock(stock, before, 1)
            m.recolour(cell, before, after)
            if m.events is not None:
                m.events.append(ev.Recoloured(board.index, cell.point, before, after))
        return self.next


@final
class Deal(ChangingStep):
    """Step of ``deal``: move ``count`` marbles of each given colour from one stock to another.

    A negative ``count`` counts as 0. If no colours are given, nothing happens. Otherwise, the step fails if one of the
    stocks doesn't exist, or if ``source`` has fewer than ``count`` marbles of a given colour.
    """

    def __init__(self, colours: Node, source: Node, stock: Node, count: Node) -> None:
        super().__init__()
        self.colours: Final = colours
        self.source: Final = source
        self.stock: Final = stock
        self.amount: Final = count

    def run(self, m: Machine) -> Step | None:
        colours = self.colours.eval(m)
        if not colours:
            return self.next
        source = self.source.stock_index(m)
        stock = self.stock.stock_index(m)
        number = self.amount.eval(m)
        if number < 0:
            number = 0
        if source < 0 or stock < 0:
            return None
        colour: M = 0
        while colours:
            if colours & 1:
                if m.stocks[source][colour].value < number:
                    return None
                m.add_to_stock(source, colour, -number)
                m.add_to_stock(stock, colour, number)
                if m.events is not None:
                    for _ in range(number):
                        m.events.append(given_event(m, colour, source, stock))
            colours >>= 1
            colour += 1
        return self.next


@final
class Draw(ChangingStep):
    """Step of ``draw``: draw random marbles from a stock and move them to another stock or onto points.

    No more marbles are drawn than the stock has. If they go onto points, one is put on each point, the lowest first,
    until the marbles or the points run out. The step fails if there is no stock to take the marbles from or to move
    them to, or if the next point isn't playable.
    """

    def __init__(
        self, count: Node, source: Node, stock: Node | None, destination_points: Node | None
    ) -> None:
        super().__init__()
        self.kind = CHANCE
        self.amount: Final = count
        self.source: Final = source
        self.stock: Final = stock
        self.points: Final = destination_points

    def run(self, m: Machine) -> Step | None:
        source = self.source.stock_index(m)
        if source < 0:
            return None
        left = self.amount.eval(m)
        total: M = 0
        for word in m.stocks[source]:
            total += word.value
        if left > total:
            left = total
        if left < 0:
            left = 0
        m.spend_work(MARBLE_WORK * left)
        if self.points is not None:
            return self.draw_onto_points(m, source, left, self.points.eval(m))
        assert self.stock is not None
        stock = self.stock.stock_index(m)
        if stock < 0:
            return None
        names = m.rules.stock_names
        while left:
            left -= 1
            colour = draw_marble(m, source)
            m.add_to_stock(stock, colour, 1)
            if m.events is not None:
                m.events.append(ev.Drew(m.player_at(m.me), colour, names[source], names[stock]))
        return self.next

    def draw_onto_points(self, m: Machine, source: M, max_count: M, points: M) -> Step | None:
        """Draw marbles from a stock, and put one on each of ``points``, the lowest point first.

        ``source`` is the index of the stock. At most ``max_count`` marbles are drawn. Returns the next step, or None as
        soon as a point isn't playable; the marbles drawn before that stay on the board. For errors, see
        :func:`draw_marble`.
        """
        board = m.board
        while max_count and points:
            max_count -= 1
            low = points & -points
            points ^= low
            if not board.playable & low:
                return None
            colour = draw_marble(m, source)
            cell = board.cells[highest_bit(low)]
            m.put(cell, colour)
            placed = board.marks[PLACED]
            m.set_word(placed, placed.value | low)
            if m.events is not None:
                m.events.append(ev.Placed(board.index, cell.point, colour, m.rules.stock_names[source]))
        return self.next


@final
class AddScore(ChangingStep):
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
                m.set_word(tally, clamp_native(tally.value + points))
                if m.events is not None and points:
                    m.events.append(ev.Scored(m.player_at(seat), points))
            seats >>= 1
            seat += 1
        return self.next


@final
class LetNumber(ChangingStep):
    """Step of ``let`` for a value that isn't a list, such as a number, a Boolean or a set.

    If the name has a value for each seat, the acting seat's value is set.
    """

    def __init__(self, words: list[Word], value: Node) -> None:
        super().__init__()
        self.words_by_seat: Final = words
        self.value: Final = value

    def run(self, m: Machine) -> Step | None:
        value = self.value.eval(m)
        if len(self.words_by_seat) > 1:
            m.set_word(self.words_by_seat[m.me], value)
        else:
            m.set_word(self.words_by_seat[0], value)
        return self.next


@final
class LetList(ChangingStep):
    """Step of ``let`` for a list.

    If the name has a list for each seat, the acting seat's list is set.
    """

    def __init__(self, title: str, boxes: list[ListWord], value: Node, is_nested: bool) -> None:
        super().__init__()
        self.name: Final = title
        self.list_words: Final = boxes
        self.value: Final = value
        self.is_nested: Final = is_nested

    def run(self, m: Machine) -> Step | None:
        items: list[int] = []
        lists: list[list[int]] = []
        if self.is_nested:
            lists = self.value.lists(m)
        else:
            items = list(self.value.items(m))
        if len(items) + len(lists) > MAX_LIST_LENGTH:
            raise RuleFailure(
                "'{name}' would hold more than {most:,} values", name=self.name, most=MAX_LIST_LENGTH
            )
        at: M = 0
        if len(self.list_words) > 1:
            at = m.me
        m.set_list(self.list_words[at], items, lists)
        return self.next


@final
class SetMark(ChangingStep):
    """Step of ``mark``: give certain marbles a name, which they keep when they move.

    All other marbles on the current board lose this name.
    """

    def __init__(self, mark: int, points: Node) -> None:
        super().__init__()
        self.mark: Final = mark
        self.points: Final = points

    def run(self, m: Machine) -> Step | None:
        board = m.board
        m.set_word(board.marks[self.mark], self.points.eval(m) & board.filled)
        return self.next


@final
class SetNextSeat(ChangingStep):
    """Step of ``next``: set which seat moves next.

    If the set of seats contains several, the one with the lowest number moves next. An empty set changes nothing.
    """

    def __init__(self, seat: Node) -> None:
        super().__init__()
        self.seat: Final = seat

    def run(self, m: Machine) -> Step | None:
        seat = self.seat.eval(m)
        if seat:
            m.set_word(m.next_seat, highest_bit(seat & -seat))
        return self.next


@final
class InitializeVar(Step):
    """Initialization of a ``var``, seat by seat if it has a value for each seat."""

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
class InitializeMark(Step):
    """Initialization, on every board, of a mark that lasts longer than a turn."""

    def __init__(self, inner: Step) -> None:
        super().__init__()
        self.inner: Final = inner

    def run(self, m: Machine) -> Step | None:
        before = m.board
        for board in m.boards:
            m.board = board
            m.board_version += 1
            self.inner.run(m)
        m.board = before
        return self.next


# ---------------------------------------------------------------- building steps from instructions


def _put(context: BuildContext, instruction: Instruction, colours: Term, at: Term, stock: Term) -> Step:
    return Put(context.nodes.build(colours), context.nodes.build(at), context.nodes.build(stock))


def _remove(context: BuildContext, instruction: Instruction, points: Term, stock: Term) -> Step:
    return Remove(context.nodes.build(points), context.nodes.build(stock), context.rules.mark_count)


def _recolour(context: BuildContext, instruction: Instruction, points: Term, into: Term, stock: Term) -> Step:
    return Recolour(context.nodes.build(points), context.nodes.build(into), context.nodes.build(stock))


def _deal(
    context: BuildContext, instruction: Instruction, colours: Term, source: Term, stock: Term, count: Term
) -> Step:
    return Deal(
        context.nodes.build(colours),
        context.nodes.build(source),
        context.nodes.build(stock),
        context.nodes.build(count),
    )


def _draw(
    context: BuildContext,
    instruction: Instruction,
    count: Term,
    source: Term,
    stock: Any,
    destination_points: Any,
) -> Step:
    return Draw(
        context.nodes.build(count),
        context.nodes.build(source),
        context.nodes.build_optional(stock),
        context.nodes.build_optional(destination_points),
    )


def _add_score(context: BuildContext, instruction: Instruction, points: Term, seats: Term) -> Step:
    return AddScore(context.nodes.build(points), context.nodes.build(seats))


def _let(
    context: BuildContext,
    instruction: Instruction,
    name: str,
    slot: int,
    by_seat: bool,
    value: Term,
    shape: str,
) -> Step:
    slots = range(slot, slot + context.rules.seats) if by_seat else [slot]
    node = context.nodes.build(value)
    if shape == "scalar":
        return LetNumber([context.nodes.word(s) for s in slots], node)
    return LetList(name, [context.nodes.list_word(s) for s in slots], node, shape == "lists")


def _set_mark(context: BuildContext, instruction: Instruction, mark: int, points: Term) -> Step:
    return SetMark(mark, context.nodes.build(points))


def _set_next(context: BuildContext, instruction: Instruction, seat: Term) -> Step:
    return SetNextSeat(context.nodes.build(seat))


VERB_STEP_BUILDERS: Final[dict[str, Callable[..., Step]]] = {
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
"""Functions that build steps, by the operation of the instruction."""
