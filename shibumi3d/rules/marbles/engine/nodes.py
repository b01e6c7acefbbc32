"""Expressions ready to run: small typed nodes that read a :class:`~shibumi3d.rules.marbles.engine.machine.Machine`.

A node has ``eval`` when its type is a scalar (see :mod:`.types`) and ``items`` when it is a tuple. ``deps`` says what
the value hangs on: ``"state"`` for anything of the match, ``"me"`` for the seat rated, ``"v3"`` for the variable in
slot 3. A node without deps is a constant of the board size and is folded when the file is compiled.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.engine.machine import Unforeseen, spend
from shibumi3d.rules.marbles.pyramid import Pyramid

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.machine import Machine

Deps = frozenset[str]
NO_DEPS: Deps = frozenset()
STATE: Deps = frozenset({"state"})
ME: Deps = frozenset({"me"})
LIMIT = (1 << 63) - 1
MOST_VALUES = 1_000_000
"""The most values of one set or list, more or less."""


def clamp(value: int) -> int:
    """``value`` held within 64 bits, so that no game file can make numbers without end."""
    return LIMIT if value > LIMIT else -LIMIT if value < -LIMIT else value


class Node:
    """One expression. Subclasses override ``eval`` or ``items``."""

    deps: Deps = NO_DEPS

    def eval(self, m: Machine) -> int:
        """The value of a scalar expression."""
        raise NotImplementedError

    def items(self, m: Machine) -> tuple[int, ...]:
        """The value of a family, list or stock."""
        raise NotImplementedError

    def lists(self, m: Machine) -> tuple[tuple[int, ...], ...]:
        """The value of a list of families."""
        raise NotImplementedError


def deps_of(*nodes: Node) -> Deps:
    """All that the nodes hang on together."""
    found: set[str] = set()
    for node in nodes:
        found |= node.deps
    return frozenset(found)


class Const(Node):
    """A fixed scalar."""

    def __init__(self, value: int) -> None:
        self.value = value

    def eval(self, m: Machine) -> int:
        return self.value


class ConstItems(Node):
    """A fixed tuple."""

    def __init__(self, value: tuple[int, ...]) -> None:
        self.value = value

    def items(self, m: Machine) -> tuple[int, ...]:
        return self.value


class ListItems(Node):
    """A list of scalars, computed."""

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self.nodes = nodes
        self.deps = deps_of(*nodes)

    def items(self, m: Machine) -> tuple[int, ...]:
        return tuple([node.eval(m) for node in self.nodes])


class ListLists(Node):
    """A list of families."""

    def __init__(self, nodes: tuple[Node, ...]) -> None:
        self.nodes = nodes
        self.deps = deps_of(*nodes)

    def lists(self, m: Machine) -> tuple[tuple[int, ...], ...]:
        return tuple([node.items(m) for node in self.nodes])


# ---------------------------------------------------------------- marbles and registers


class ColourMarbles(Node):
    """Marbles of one fixed colour."""

    deps = STATE

    def __init__(self, colour: int) -> None:
        self.colour = colour

    def eval(self, m: Machine) -> int:
        return m.board.cells[self.colour]


class OwnMarbles(Node):
    """Marbles of the rated seat, each seat owning one colour."""

    deps = STATE | ME

    def __init__(self, by_seat: tuple[int, ...]) -> None:
        self.by_seat = by_seat

    def eval(self, m: Machine) -> int:
        return m.board.cells[self.by_seat[m.me]]


class Marbles(Node):
    """Marbles of computed colours."""

    def __init__(self, colours: Node) -> None:
        self.colours = colours
        self.deps = colours.deps | STATE

    def eval(self, m: Machine) -> int:
        found = 0
        wanted = self.colours.eval(m)
        for i, cells in enumerate(m.board.cells):
            if wanted >> i & 1:
                found |= cells
        return found


class BySeat(Node):
    """A value that is fixed for each seat: ``own`` and ``enemy`` as colours."""

    deps = ME

    def __init__(self, values: tuple[int, ...]) -> None:
        self.values = values

    def eval(self, m: Machine) -> int:
        return self.values[m.me]


class Filled(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.board.filled


class Empty(Node):
    deps = STATE

    def __init__(self, pyramid: Pyramid) -> None:
        self.all = pyramid.all

    def eval(self, m: Machine) -> int:
        return self.all & ~m.board.filled


class Playable(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.board.playable


class Free(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return position.free(m.pyramid, m.board.filled)


class Movable(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return position.movable(m.pyramid, m.board.filled)


class Visible(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return position.visible(m.pyramid, m.board.filled)


class MarkValue(Node):
    """Marbles named by ``mark``, or placed, moved, fallen this turn: where they stand now."""

    deps = STATE

    def __init__(self, slot: int) -> None:
        self.slot = slot

    def eval(self, m: Machine) -> int:
        return m.board.marks[self.slot]


class Vacated(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        before = 0
        for cells in m.began[m.board_index]:
            before |= cells
        return before & ~m.board.filled


class Taken(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.taken


class ChosenColour(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.colour


class Origin(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.origin


class Me(Node):
    deps = ME

    def eval(self, m: Machine) -> int:
        return 1 << m.me


class Mover(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return 1 << m.mover


class Tied(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.tied


class Winners(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.winners


class Stuck(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.is_stuck()


class Able(Node):
    def __init__(self, seats: Node) -> None:
        self.seats = seats
        self.deps = seats.deps | STATE

    def eval(self, m: Machine) -> int:
        return m.able(self.seats.eval(m))


class Repeats(Node):
    deps = STATE

    def eval(self, m: Machine) -> int:
        return m.repeats()


class PassedBy(Node):
    def __init__(self, seats: Node) -> None:
        self.seats = seats
        self.deps = seats.deps | STATE

    def eval(self, m: Machine) -> int:
        seats = self.seats.eval(m)
        return seats != 0 and seats & ~m.passed == 0


class Score(Node):
    """The score of a seat: the file's own formula, or the tally."""

    def __init__(self, seat: Node) -> None:
        self.seat = seat
        self.deps = seat.deps | STATE

    def eval(self, m: Machine) -> int:
        seat = self.seat.eval(m)
        return m.score_of(seat.bit_length() - 1) if seat else 0


class Slot(Node):
    """A loop variable, a name set by ``let`` or ``as``, or a var."""

    def __init__(self, slot: int, deps: Deps) -> None:
        self.slot = slot
        self.deps = deps

    def eval(self, m: Machine) -> int:
        value: int = m.names[self.slot]
        return value

    def items(self, m: Machine) -> tuple[int, ...]:
        value: tuple[int, ...] = m.names[self.slot] or ()
        return value

    def lists(self, m: Machine) -> tuple[tuple[int, ...], ...]:
        value: tuple[tuple[int, ...], ...] = m.names[self.slot] or ()
        return value


class SeatSlot(Node):
    """A var with a value a seat."""

    def __init__(self, base: int, seat: Node) -> None:
        self.base = base
        self.seat = seat
        self.deps = seat.deps | STATE

    def eval(self, m: Machine) -> int:
        seat = self.seat.eval(m)
        value: int = m.names[self.base + seat.bit_length() - 1] if seat else 0
        return value

    def items(self, m: Machine) -> tuple[int, ...]:
        seat = self.seat.eval(m)
        value: tuple[int, ...] = (m.names[self.base + seat.bit_length() - 1] or ()) if seat else ()
        return value


class Bind(Node):
    """``body`` with the value of an argument put in a slot first: a call of a ``define``."""

    def __init__(
        self, slots: tuple[int, ...], args: tuple[Node, ...], tuples: tuple[bool, ...], body: Node
    ) -> None:
        self.slots = slots
        self.args = args
        self.tuples = tuples
        self.body = body
        inner = body.deps - {f"v{slot}" for slot in slots}
        self.deps = deps_of(*args) | inner

    def bind(self, m: Machine) -> None:
        values = [
            arg.items(m) if is_tuple else arg.eval(m)
            for arg, is_tuple in zip(self.args, self.tuples, strict=True)
        ]
        for slot, value in zip(self.slots, values, strict=True):
            m.names[slot] = value

    def eval(self, m: Machine) -> int:
        self.bind(m)
        return self.body.eval(m)

    def items(self, m: Machine) -> tuple[int, ...]:
        self.bind(m)
        return self.body.items(m)

    def lists(self, m: Machine) -> tuple[tuple[int, ...], ...]:
        self.bind(m)
        return self.body.lists(m)


# ---------------------------------------------------------------- operators


class Or(Node):
    """Bit sets joined; also the sum of colours."""

    def __init__(self, a: Node, b: Node) -> None:
        self.a, self.b = a, b
        self.deps = a.deps | b.deps

    def eval(self, m: Machine) -> int:
        return self.a.eval(m) | self.b.eval(m)


class And(Or):
    def eval(self, m: Machine) -> int:
        return self.a.eval(m) & self.b.eval(m)


class Without(Or):
    def eval(self, m: Machine) -> int:
        return self.a.eval(m) & ~self.b.eval(m)


class ItemsOr(Or):
    def items(self, m: Machine) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.a.items(m) + self.b.items(m)))


class ItemsAnd(Or):
    def items(self, m: Machine) -> tuple[int, ...]:
        keep = set(self.b.items(m))
        return tuple([x for x in self.a.items(m) if x in keep])


class ItemsWithout(Or):
    def items(self, m: Machine) -> tuple[int, ...]:
        drop = set(self.b.items(m))
        return tuple([x for x in self.a.items(m) if x not in drop])


class StockOf(Node):
    """The marbles of a stock that have (or have not) one of some colours."""

    def __init__(self, stock: Node, colours: Node, keep: bool) -> None:
        self.stock, self.colours, self.keep = stock, colours, keep
        self.deps = stock.deps | colours.deps

    def items(self, m: Machine) -> tuple[int, ...]:
        colours = self.colours.eval(m)
        keep = self.keep
        return tuple([n if bool(colours >> i & 1) is keep else 0 for i, n in enumerate(self.stock.items(m))])


class Plus(Or):
    def eval(self, m: Machine) -> int:
        return clamp(self.a.eval(m) + self.b.eval(m))


class Minus(Or):
    def eval(self, m: Machine) -> int:
        return clamp(self.a.eval(m) - self.b.eval(m))


class Times(Or):
    def eval(self, m: Machine) -> int:
        return clamp(self.a.eval(m) * self.b.eval(m))


class Divided(Or):
    def eval(self, m: Machine) -> int:
        b = self.b.eval(m)
        return self.a.eval(m) // b if b else 0


class Modulo(Or):
    def eval(self, m: Machine) -> int:
        b = self.b.eval(m)
        return self.a.eval(m) % b if b else 0


class Comparison(Or):
    """A test of two values: its value is 0 or 1."""


class Equal(Comparison):
    def eval(self, m: Machine) -> int:
        return self.a.eval(m) == self.b.eval(m)


class Unequal(Comparison):
    def eval(self, m: Machine) -> int:
        return self.a.eval(m) != self.b.eval(m)


class Less(Comparison):
    def eval(self, m: Machine) -> int:
        return self.a.eval(m) < self.b.eval(m)


class AtMost(Comparison):
    def eval(self, m: Machine) -> int:
        return self.a.eval(m) <= self.b.eval(m)


class PartOf(Comparison):
    def eval(self, m: Machine) -> int:
        return self.a.eval(m) & ~self.b.eval(m) == 0


class ProperPartOf(Comparison):
    def eval(self, m: Machine) -> int:
        a, b = self.a.eval(m), self.b.eval(m)
        return a != b and a & ~b == 0


class ItemsEqual(Comparison):
    def eval(self, m: Machine) -> int:
        return set(self.a.items(m)) == set(self.b.items(m))


class ItemsPartOf(Comparison):
    def eval(self, m: Machine) -> int:
        return set(self.a.items(m)) <= set(self.b.items(m))


class Among(Comparison):
    """``a in b`` for sets of points, colours or seats: a part of it, but nothing is in no set."""

    def eval(self, m: Machine) -> int:
        a = self.a.eval(m)
        return a != 0 and a & ~self.b.eval(m) == 0


class MemberOf(Comparison):
    """A scalar that is an entry of a tuple."""

    def eval(self, m: Machine) -> int:
        return self.a.eval(m) in self.b.items(m)


class MemberOfFixed(Comparison):
    """A scalar that is an entry of a fixed tuple."""

    def __init__(self, a: Node, b: ConstItems) -> None:
        super().__init__(a, b)
        self.family = frozenset(b.value)

    def eval(self, m: Machine) -> int:
        return self.a.eval(m) in self.family


class Not(Node):
    def __init__(self, a: Node) -> None:
        self.a = a
        self.deps = a.deps

    def eval(self, m: Machine) -> int:
        return not self.a.eval(m)


class Negative(Not):
    def eval(self, m: Machine) -> int:
        return -self.a.eval(m)


class HasItems(Not):
    """A tuple as a Bool: it is not empty."""

    def eval(self, m: Machine) -> int:
        return len(self.a.items(m)) > 0


class Truth(Not):
    """A number or a set as 0 or 1."""

    def eval(self, m: Machine) -> int:
        return self.a.eval(m) != 0


class BoolAnd(Or):
    def eval(self, m: Machine) -> int:
        return self.b.eval(m) if self.a.eval(m) else 0


class ScalarOr(Or):
    """``a or b``: the first that is not empty."""

    def eval(self, m: Machine) -> int:
        return self.a.eval(m) or self.b.eval(m)


class ItemsAndThen(Node):
    """``a and b`` for tuples; ``test`` is the truth of ``a``."""

    def __init__(self, test: Node, a: Node, b: Node) -> None:
        self.test, self.a, self.b = test, a, b
        self.deps = deps_of(a, b)

    def items(self, m: Machine) -> tuple[int, ...]:
        return self.b.items(m) if self.test.eval(m) else self.a.items(m)


class ItemsOrElse(ItemsAndThen):
    def items(self, m: Machine) -> tuple[int, ...]:
        return self.a.items(m) if self.test.eval(m) else self.b.items(m)


class Choice(Node):
    """``a if test else b``."""

    def __init__(self, test: Node, a: Node, b: Node) -> None:
        self.test, self.a, self.b = test, a, b
        self.deps = deps_of(test, a, b)

    def eval(self, m: Machine) -> int:
        return self.a.eval(m) if self.test.eval(m) else self.b.eval(m)

    def items(self, m: Machine) -> tuple[int, ...]:
        return self.a.items(m) if self.test.eval(m) else self.b.items(m)

    def lists(self, m: Machine) -> tuple[tuple[int, ...], ...]:
        return self.a.lists(m) if self.test.eval(m) else self.b.lists(m)


class EntryBySeat(Node):
    """``[a, b][me]``: an entry a seat; nothing for a seat beyond the list."""

    def __init__(self, entries: tuple[Node, ...], seat: Node) -> None:
        self.entries, self.seat = entries, seat
        self.deps = deps_of(seat, *entries)

    def eval(self, m: Machine) -> int:
        i = self.seat.eval(m).bit_length() - 1
        return self.entries[i].eval(m) if 0 <= i < len(self.entries) else 0

    def items(self, m: Machine) -> tuple[int, ...]:
        i = self.seat.eval(m).bit_length() - 1
        return self.entries[i].items(m) if 0 <= i < len(self.entries) else ()


class EntryOf(Node):
    """``list[i]``: the entry number i from 0, or by seat; nothing outside the list."""

    def __init__(self, family: Node, index: Node, by_seat: bool) -> None:
        self.family, self.index, self.by_seat = family, index, by_seat
        self.deps = family.deps | index.deps

    def at(self, m: Machine) -> int:
        i = self.index.eval(m)
        return i.bit_length() - 1 if self.by_seat else i

    def eval(self, m: Machine) -> int:
        i, entries = self.at(m), self.family.items(m)
        return entries[i] if 0 <= i < len(entries) else 0


class FamilyOf(EntryOf):
    """The same for a list of families."""

    def items(self, m: Machine) -> tuple[int, ...]:
        i, entries = self.at(m), self.family.lists(m)
        return entries[i] if 0 <= i < len(entries) else ()


# ---------------------------------------------------------------- loops


class Loop:
    """One ``for … in … if …`` of a comprehension.

    ``kind`` says what it runs through: the single ``bits`` of a bit set, the numbers or ``items`` of a tuple, the
    point ``sets`` of a family, or the families of ``lists``.
    """

    def __init__(self, slot: int, source: Node, kind: str, tests: tuple[Node, ...]) -> None:
        self.slot, self.source, self.kind, self.tests = slot, source, kind, tests

    def needs(self) -> Deps:
        """All that the loop hangs on, its own variable included."""
        return self.source.deps | deps_of(*self.tests)

    def values(self, m: Machine) -> list[int] | tuple[int, ...] | tuple[tuple[int, ...], ...]:
        """What the variable runs through: single bits of a bit set, or entries of a tuple."""
        if self.kind == "bits":
            return [1 << p for p in bits(self.source.eval(m))]
        if self.kind == "lists":
            return self.source.lists(m)
        return self.source.items(m)


class Comprehension(Node):
    """The values of an element over nested loops, in order."""

    def __init__(self, loops: tuple[Loop, ...], element: Node) -> None:
        self.loops, self.element = loops, element
        found: set[str] = set(element.deps)
        for loop in loops:
            found |= loop.needs()
        self.deps = frozenset(found - {f"v{loop.slot}" for loop in loops})

    def collect(self, m: Machine) -> list[int]:
        """All values of a scalar element."""
        found: list[int] = []
        self.walk(m, 0, found)
        return found

    def walk(self, m: Machine, depth: int, found: list[int]) -> None:
        loop = self.loops[depth]
        names, slot, tests = m.names, loop.slot, loop.tests
        last = depth + 1 == len(self.loops)
        values = loop.values(m)
        spend(m, len(values))
        if len(found) > MOST_VALUES:
            raise RuleFailure(f"a set or list holds more than {MOST_VALUES:,} values")
        for value in values:
            names[slot] = value
            for test in tests:
                if not test.eval(m):
                    break
            else:
                if last:
                    found.append(self.element.eval(m))
                else:
                    self.walk(m, depth + 1, found)

    def first(self, m: Machine, depth: int, wanted: bool) -> bool:
        """Whether some element is true (``wanted``) or false (not ``wanted``); stops at the first."""
        loop = self.loops[depth]
        names, slot, tests = m.names, loop.slot, loop.tests
        last = depth + 1 == len(self.loops)
        values = loop.values(m)
        spend(m, len(values))
        for value in values:
            names[slot] = value
            for test in tests:
                if not test.eval(m):
                    break
            else:
                if last:
                    if bool(self.element.eval(m)) is wanted:
                        return True
                elif self.first(m, depth + 1, wanted):
                    return True
        return False


class Union(Comprehension):
    """A set comprehension whose elements are single bits."""

    def eval(self, m: Machine) -> int:
        found = 0
        for value in self.collect(m):
            found |= value
        return found


class Family(Comprehension):
    """A set comprehension whose elements are numbers or sets of points: each once, in order."""

    def items(self, m: Machine) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.collect(m)))


class Listing(Comprehension):
    """A list comprehension."""

    def items(self, m: Machine) -> tuple[int, ...]:
        return tuple(self.collect(m))


class Any(Comprehension):
    def eval(self, m: Machine) -> int:
        return self.first(m, 0, True)


class All(Comprehension):
    def eval(self, m: Machine) -> int:
        return not self.first(m, 0, False)


class SubsetLoop(Loop):
    """A loop over the members of a fixed family that are part of one set."""

    def __init__(self, slot: int, source: Node, whole: Node, tests: tuple[Node, ...]) -> None:
        super().__init__(slot, source, "sets", tests)
        self.family = source.items(None)  # type: ignore[arg-type]  # a constant reads no machine
        self.whole = whole

    def needs(self) -> Deps:
        return super().needs() | self.whole.deps

    def values(self, m: Machine) -> list[int]:
        spend(m, len(self.family) >> 3)
        outside = ~self.whole.eval(m)
        return [line for line in self.family if not line & outside]


class AnySubset(Any):
    """``any(l <= X and … for l in FIXED)`` over a fixed family.

    A set known to contain no member stays known: later sets are only looked at where they have new points. That is a
    fact about sets, not about the match, so it needs no care when positions are taken back.
    """

    def __init__(self, loop: SubsetLoop, points: int) -> None:
        super().__init__((loop,), Const(1))
        self.family, self.whole, self.rest, self.slot = loop.family, loop.whole, loop.tests, loop.slot
        self.through = tuple([tuple([line for line in loop.family if line >> p & 1]) for p in range(points)])
        self.clear = [0, 0]

    def eval(self, m: Machine) -> int:
        whole = self.whole.eval(m)
        which = m.me & 1
        new = whole & ~self.clear[which]
        if not new:
            return 0
        family = self.family if new & (new - 1) else self.through[new.bit_length() - 1]
        outside = ~whole
        contained = False
        for line in family:
            if not line & outside:
                contained = True
                if self.holds(m, line):
                    return 1
        if not contained:
            self.clear[which] = whole
        return 0

    def holds(self, m: Machine, line: int) -> bool:
        """Whether a member that is part of the set passes the other tests."""
        m.names[self.slot] = line
        return all(node.eval(m) for node in self.rest)


class Total(Node):
    """``sum``, ``max``, ``min`` or ``prod`` of values."""

    def __init__(self, name: str, values: Node) -> None:
        self.name, self.values = name, values
        self.deps = values.deps

    def eval(self, m: Machine) -> int:
        values = self.values.items(m)
        if self.name == "sum":
            return clamp(sum(values))
        if self.name == "max":
            return max(values, default=0)
        if self.name == "min":
            return min(values, default=0)
        product = 1
        for value in values:
            product = clamp(product * value)
        return product


class AnyOf(Node):
    """``any`` of a list that is there already; a stock as a Bool: it holds a marble."""

    def __init__(self, values: Node) -> None:
        self.values = values
        self.deps = values.deps

    def eval(self, m: Machine) -> int:
        return any(self.values.items(m))


class AllOf(AnyOf):
    def eval(self, m: Machine) -> int:
        return all(self.values.items(m))


class Range(Node):
    """``range(a, b)``, at most a thousand numbers."""

    def __init__(self, low: Node, high: Node) -> None:
        self.low, self.high = low, high
        self.deps = low.deps | high.deps

    def items(self, m: Machine) -> tuple[int, ...]:
        low = self.low.eval(m)
        return tuple(range(low, min(self.high.eval(m), low + 1000)))


# ---------------------------------------------------------------- geometry


class Count(Node):
    def __init__(self, a: Node) -> None:
        self.a = a
        self.deps = a.deps

    def eval(self, m: Machine) -> int:
        return self.a.eval(m).bit_count()


class CountItems(Count):
    def eval(self, m: Machine) -> int:
        return len(self.a.items(m))


class CountStock(Count):
    def eval(self, m: Machine) -> int:
        return sum(self.a.items(m))


class Relation(Node):
    """The union over a set of points of one table: touching, diagonal_to, supports or resting_on."""

    def __init__(self, table: tuple[int, ...], a: Node) -> None:
        self.table, self.a = table, a
        self.deps = a.deps

    def eval(self, m: Machine) -> int:
        found = 0
        left = self.a.eval(m)
        while left:
            low = left & -left
            found |= self.table[low.bit_length() - 1]
            left ^= low
        return found


class Level(Node):
    def __init__(self, pyramid: Pyramid, a: Node) -> None:
        self.level, self.a = pyramid.level, a
        self.deps = a.deps

    def eval(self, m: Machine) -> int:
        points = self.a.eval(m)
        return self.level[points.bit_length() - 1] if points else -1


class Steps(Node):
    def __init__(self, pyramid: Pyramid, a: Node, b: Node) -> None:
        self.pyramid, self.a, self.b = pyramid, a, b
        self.deps = a.deps | b.deps

    def eval(self, m: Machine) -> int:
        a, b = self.a.eval(m), self.b.eval(m)
        return self.pyramid.steps(a.bit_length() - 1, b.bit_length() - 1) if a and b else 0


class Copies(Node):
    def __init__(self, pyramid: Pyramid, a: Node) -> None:
        self.pyramid, self.a = pyramid, a
        self.deps = a.deps

    def items(self, m: Machine) -> tuple[int, ...]:
        shape = self.a.eval(m)
        spend(m, 2 * self.pyramid.count * shape.bit_count())
        return self.pyramid.copies(shape)


class Linked(Node):
    def __init__(self, a: Node) -> None:
        self.a = a
        self.deps = a.deps | STATE

    def eval(self, m: Machine) -> int:
        return position.linked(m.pyramid, m.board.filled, self.a.eval(m))


class Seen(Linked):
    def eval(self, m: Machine) -> int:
        return position.seen(m.pyramid, m.board.filled, self.a.eval(m))


class LongestPath(Linked):
    def eval(self, m: Machine) -> int:
        points, board = self.a.eval(m), m.board
        return max([position.longest_path(m.pyramid, board.filled, points & cells) for cells in board.cells])


class Groups(Linked):
    """The groups of each colour among a set of marbles."""

    def items(self, m: Machine) -> tuple[int, ...]:
        points, board = self.a.eval(m), m.board
        found: tuple[int, ...] = ()
        for cells in board.cells:
            if cells & points:
                found += position.groups(m.pyramid, board.filled, cells & points)
        return found


class FullGroups(Linked):
    def items(self, m: Machine) -> tuple[int, ...]:
        points = self.a.eval(m)
        found: tuple[int, ...] = ()
        for cells in m.board.cells:
            if cells & points:
                found += position.full_groups(m.pyramid, cells & points)
        return found


# ---------------------------------------------------------------- colours, seats, stocks, boards


class ColoursOn(Node):
    """The colours present among marbles."""

    def __init__(self, a: Node) -> None:
        self.a = a
        self.deps = a.deps | STATE

    def eval(self, m: Machine) -> int:
        points = self.a.eval(m)
        found = 0
        for i, cells in enumerate(m.board.cells):
            if cells & points:
                found |= 1 << i
        return found


class ColoursIn(ColoursOn):
    """The colours present in a stock."""

    def eval(self, m: Machine) -> int:
        found = 0
        for i, n in enumerate(self.a.items(m)[: m.rules.colours]):
            if n > 0:
                found |= 1 << i
        return found


class Extreme(Node):
    """The most or least frequent colours among marbles or in a stock."""

    def __init__(self, a: Node, is_stock: bool, most: bool) -> None:
        self.a, self.is_stock, self.most = a, is_stock, most
        self.deps = a.deps | STATE

    def eval(self, m: Machine) -> int:
        if self.is_stock:
            numbers = list(self.a.items(m))[: m.rules.colours]
        else:
            points = self.a.eval(m)
            numbers = [(cells & points).bit_count() for cells in m.board.cells]
        best = max(numbers) if self.most else min(numbers)
        if self.most and best == 0:
            return 0
        found = 0
        for i, n in enumerate(numbers):
            if n == best:
                found |= 1 << i
        return found


class ColoursOf(Node):
    """The colours that seats own."""

    def __init__(self, owned: tuple[int, ...], seats: Node) -> None:
        self.owned, self.seats = owned, seats
        self.deps = seats.deps

    def eval(self, m: Machine) -> int:
        seats = self.seats.eval(m)
        found = 0
        for i, colours in enumerate(self.owned):
            if seats >> i & 1:
                found |= colours
        return found


class Owner(Node):
    """The seats that own one of some colours."""

    def __init__(self, owned: tuple[int, ...], colours: Node) -> None:
        self.owned, self.colours = owned, colours
        self.deps = colours.deps

    def eval(self, m: Machine) -> int:
        colours = self.colours.eval(m)
        found = 0
        for i, owned in enumerate(self.owned):
            if owned & colours:
                found |= 1 << i
        return found


class SeatNumber(Node):
    """``seat(n)``: the n-th seat, counted from 1."""

    def __init__(self, number: Node, seats: int) -> None:
        self.number, self.seats = number, seats
        self.deps = number.deps

    def eval(self, m: Machine) -> int:
        n = self.number.eval(m)
        return 1 << n - 1 if 1 <= n <= self.seats else 0


class Neighbour(Node):
    """``next`` or ``previous``: each seat of a set moved on by ``step`` in turn order."""

    def __init__(self, a: Node, seats: int, step: int) -> None:
        self.a, self.seats, self.step = a, seats, step
        self.deps = a.deps

    def eval(self, m: Machine) -> int:
        found = 0
        for i in bits(self.a.eval(m)):
            found |= 1 << (i + self.step) % self.seats
        return found


class StockValue(Node):
    """What lies in a stock: one number a colour."""

    def __init__(self, base: int, seat: Node | None) -> None:
        self.base, self.seat = base, seat
        self.deps = STATE if seat is None else seat.deps | STATE

    def index(self, m: Machine) -> int:
        """Which of the match's stocks it is, -1 when no seat is meant."""
        if self.seat is None:
            return self.base
        seat = self.seat.eval(m)
        return self.base + seat.bit_length() - 1 if seat else -1

    def items(self, m: Machine) -> tuple[int, ...]:
        i = self.index(m)
        if m.blind and i >= 0 and m.veiled >> i & 1:
            raise Unforeseen
        return tuple(m.stocks[i]) if i >= 0 else ()


class StockChoice(StockValue):
    """One of two stocks, by a test."""

    def __init__(self, test: Node, a: StockValue, b: StockValue) -> None:
        super().__init__(a.base, None)
        self.test, self.a, self.b = test, a, b
        self.deps = deps_of(test, a, b)

    def index(self, m: Machine) -> int:
        return self.a.index(m) if self.test.eval(m) else self.b.index(m)


class BoardOfSeat(Node):
    """The board of a seat, where each has one."""

    def __init__(self, seat: Node) -> None:
        self.seat = seat
        self.deps = seat.deps

    def eval(self, m: Machine) -> int:
        return max(self.seat.eval(m).bit_length() - 1, 0)


class OnBoard(Node):
    """``on(board, x)``: x as read on another board."""

    def __init__(self, board: Node, x: Node) -> None:
        self.board, self.x = board, x
        self.deps = board.deps | x.deps | STATE

    def eval(self, m: Machine) -> int:
        before = self.turn_to(m)
        value = self.x.eval(m)
        m.use_board(before)
        return value

    def items(self, m: Machine) -> tuple[int, ...]:
        before = self.turn_to(m)
        value = self.x.items(m)
        m.use_board(before)
        return value

    def turn_to(self, m: Machine) -> int:
        """Make the board the one in use; returns the one before."""
        before, board = m.board_index, self.board.eval(m)
        if m.blind and m.covered >> board & 1:
            raise Unforeseen
        m.use_board(board)
        return before


def witnesses(node: Node, m: Machine) -> int:
    """The points that make a Bool true: the members of lines and groups that a quantifier finds."""
    if isinstance(node, Any):
        found = 0
        slot = node.loops[-1].slot
        if len(node.loops) == 1 and node.loops[0].kind == "sets":
            for value in node.loops[0].values(m):
                m.names[slot] = value
                if all(test.eval(m) for test in node.loops[0].tests) and node.element.eval(m):
                    found |= value if isinstance(value, int) else 0
        return found
    if isinstance(node, BoolAnd | ScalarOr):
        return sum_of(witnesses(part, m) for part in (node.a, node.b) if part.eval(m))
    return 0


def sum_of(masks: Iterable[int]) -> int:
    """Sets of points joined."""
    found = 0
    for mask in masks:
        found |= mask
    return found
