"""Operators on sets, numbers, conditions and lists, and conditional expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import Box, Word, top
from shibumi3d.rules.marbles.engine.nodes.values import Listed
from shibumi3d.rules.marbles.engine.rules import LIMIT, clamp
from shibumi3d.rules.marbles.engine.workspace import Machine, Node

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def held(value: M) -> M:
    """Return a number clamped to the range ±:data:`LIMIT`."""
    if value > LIMIT:
        return LIMIT
    if value < -LIMIT:
        return -LIMIT
    return value


class Two(Node):
    """Base class of operations with two operands."""

    def __init__(self, a: Node, b: Node) -> None:
        self.a: Final = a
        self.b: Final = b


@final
class Or(Two):
    """``a | b`` for sets: their union."""

    def eval(self, m: Machine) -> M:
        return self.a.eval(m) | self.b.eval(m)


@final
class And(Two):
    """``a & b`` for sets; b is not evaluated if a is empty."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a:
            return a & self.b.eval(m)
        return 0


@final
class AndThree(Node):
    """``a & b & c`` for sets; evaluation stops as soon as the result is empty."""

    def __init__(self, a: Node, b: Node, c: Node) -> None:
        self.a: Final = a
        self.b: Final = b
        self.c: Final = c

    def eval(self, m: Machine) -> M:
        found = self.a.eval(m)
        if found:
            found &= self.b.eval(m)
            if found:
                found &= self.c.eval(m)
        return found


@final
class AndConst(Node):
    """``a & b`` for sets, where b is constant."""

    def __init__(self, a: Node, b: M) -> None:
        self.a: Final = a
        self.b: Final[M] = b

    def eval(self, m: Machine) -> M:
        return self.a.eval(m) & self.b


@final
class Without(Two):
    """``a - b`` for sets; b is not evaluated if a is empty."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a:
            return a & ~self.b.eval(m)
        return 0


@final
class Plus(Two):
    """``a + b`` for numbers."""

    def eval(self, m: Machine) -> M:
        return held(self.a.eval(m) + self.b.eval(m))


@final
class Minus(Two):
    """``a - b`` for numbers."""

    def eval(self, m: Machine) -> M:
        return held(self.a.eval(m) - self.b.eval(m))


@final
class Times(Two):
    """``a * b``."""

    def eval(self, m: Machine) -> M:
        a: int = self.a.eval(m)
        b: int = self.b.eval(m)
        return clamp(a * b)


@final
class Divided(Two):
    """``a // b``, rounded down; 0 if b is 0."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        b = self.b.eval(m)
        if b:
            return a // b
        return 0


@final
class Modulo(Two):
    """``a % b``, which is not negative if b is positive; 0 if b is 0."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        b = self.b.eval(m)
        if b:
            return a % b
        return 0


# ---------------------------------------------------------------- tests


@final
class Equal(Two):
    """``a == b`` for numbers or sets."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) == self.b.eval(m):
            return 1
        return 0


@final
class Unequal(Two):
    """``a != b`` for numbers or sets."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) != self.b.eval(m):
            return 1
        return 0


@final
class Less(Two):
    """``a < b`` for numbers."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) < self.b.eval(m):
            return 1
        return 0


@final
class AtMost(Two):
    """``a <= b`` for numbers."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) <= self.b.eval(m):
            return 1
        return 0


@final
class PartOf(Two):
    """``a <= b`` for sets: a is a subset of b."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a and a & ~self.b.eval(m):
            return 0
        return 1


@final
class ProperPartOf(Two):
    """``a < b`` for sets: a is a proper subset of b."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        b = self.b.eval(m)
        if a != b and a & ~b == 0:
            return 1
        return 0


@final
class Among(Two):
    """``a in b`` for points, colours or seats: a is a non-empty subset of b."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a and a & ~self.b.eval(m) == 0:
            return 1
        return 0


@final
class MemberOf(Two):
    """``a in b`` for a scalar and a list."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        at = self.b.begin(m)
        while at:
            at = self.b.step(m, at)
            m.work -= 2
            if m.value == a:
                return 1
        return 0


@final
class MemberOfFixed(Node):
    """``a in b`` for a scalar and a constant list."""

    def __init__(self, a: Node, family: set[int]) -> None:
        self.a: Final = a
        self.family: Final = family

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) in self.family:
            return 1
        return 0


@final
class ItemsEqual(Two):
    """``a == b`` for lists: they have the same members, in any order."""

    def eval(self, m: Machine) -> M:
        a = self.a.items(m)
        b = self.b.items(m)
        m.spend(2 * len(a) + 2 * len(b))
        if set(a) == set(b):
            return 1
        return 0


@final
class ItemsPartOf(Two):
    """``a <= b`` for lists: every member of a is a member of b."""

    def eval(self, m: Machine) -> M:
        a = self.a.items(m)
        b = self.b.items(m)
        m.spend(2 * len(a) + 2 * len(b))
        if set(a) <= set(b):
            return 1
        return 0


@final
class Not(Node):
    """``not a``: 1 if a is zero or empty, else 0."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        if self.a.eval(m):
            return 0
        return 1


@final
class Negative(Node):
    """``-a``."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        return -self.a.eval(m)


@final
class HasItems(Node):
    """Whether a list is not empty."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        if self.a.begin(m):
            return 1
        return 0


@final
class Truth(Node):
    """``a`` as a Bool: 0 if it is zero or empty, else 1."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        if self.a.eval(m):
            return 1
        return 0


@final
class BoolAnd(Two):
    """``a and b`` for Bools; b is not evaluated if a is false."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m):
            return self.b.eval(m)
        return 0

    def witnesses(self, m: Machine) -> M:
        return witnesses_of(self.a, self.b, m)


@final
class ScalarOr(Two):
    """``a or b``: a unless it is zero or empty, else b."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a:
            return a
        return self.b.eval(m)

    def witnesses(self, m: Machine) -> M:
        return witnesses_of(self.a, self.b, m)


def witnesses_of(a: Node, b: Node, m: Machine) -> M:
    """Return the points that make either of two tests true; a false test contributes none."""
    found: M = 0
    if a.eval(m):
        found |= a.witnesses(m)
    if b.eval(m):
        found |= b.witnesses(m)
    return found


# ---------------------------------------------------------------- lists


@final
class ListItems(Listed):
    """A list whose members are computed scalars."""

    def __init__(self, nodes: list[Node]) -> None:
        super().__init__()
        self.nodes: Final = nodes

    def items(self, m: Machine) -> list[int]:
        found: list[int] = []
        for node in self.nodes:
            found.append(node.eval(m))
        return found


@final
class ListLists(Node):
    """A list whose members are families."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes: Final = nodes

    def lists(self, m: Machine) -> list[list[int]]:
        return [node.items(m) for node in self.nodes]


@final
class ItemsOr(Listed):
    """``a | b`` for lists, without duplicates."""

    def __init__(self, a: Node, b: Node) -> None:
        super().__init__()
        self.a: Final = a
        self.b: Final = b

    def items(self, m: Machine) -> list[int]:
        found = self.a.items(m) + self.b.items(m)
        m.spend(3 * len(found))
        return list(dict.fromkeys(found))


@final
class ItemsSome(Listed):
    """``a & b`` (if ``keep``) or ``a - b`` for lists."""

    def __init__(self, a: Node, b: Node, keep: bool) -> None:
        super().__init__()
        self.a: Final = a
        self.b: Final = b
        self.keep: Final = keep

    def items(self, m: Machine) -> list[int]:
        other = set(self.b.items(m))
        found = self.a.items(m)
        m.spend(2 * len(other) + 2 * len(found))
        return [x for x in found if (x in other) is self.keep]


@final
class StockOf(Node):
    """The marbles in a stock whose colour is (if ``keep``) or isn't among the given colours."""

    def __init__(self, stock: Node, colours: Node, keep: bool) -> None:
        self.stock: Final = stock
        self.colours: Final = colours
        self.keep: Final = keep
        self.wanted: M = 0

    def begin(self, m: Machine) -> M:
        colours = self.colours.eval(m)
        self.wanted = colours if self.keep else ~colours
        return self.stock.begin(m)

    def step(self, m: Machine, at: M) -> M:
        following = self.stock.step(m, at)
        m.work -= 2
        wanted = self.wanted
        self.wanted = wanted >> 1
        if not wanted & 1:
            m.value = 0
        return following


# ---------------------------------------------------------------- conditional values


@final
class IfElse(Listed):
    """``a if test else b``; it also implements ``and`` and ``or`` for lists."""

    def __init__(self, test: Node, a: Node, b: Node) -> None:
        super().__init__()
        self.test: Final = test
        self.a: Final = a
        self.b: Final = b

    def eval(self, m: Machine) -> M:
        if self.test.eval(m):
            return self.a.eval(m)
        return self.b.eval(m)

    def items(self, m: Machine) -> list[int]:
        if self.test.eval(m):
            return self.a.items(m)
        return self.b.items(m)

    def lists(self, m: Machine) -> list[list[int]]:
        if self.test.eval(m):
            return self.a.lists(m)
        return self.b.lists(m)

    def index(self, m: Machine) -> M:
        if self.test.eval(m):
            return self.a.index(m)
        return self.b.index(m)


@final
class EntryBySeat(Listed):
    """``[a, b][me]``: the entry for a seat in a list; zero or empty if the list is too short."""

    def __init__(self, entries: list[Node], seat: Node) -> None:
        super().__init__()
        self.entries: Final = entries
        self.seat: Final = seat

    def eval(self, m: Machine) -> M:
        i = top(self.seat.eval(m))
        if i < 0 or i >= len(self.entries):
            return 0
        return self.entries[i].eval(m)

    def items(self, m: Machine) -> list[int]:
        i = top(self.seat.eval(m))
        if i < 0 or i >= len(self.entries):
            return []
        return self.entries[i].items(m)


@final
class EntryOf(Listed):
    """``list[i]``, where i is an index from 0 or a seat; zero or empty if there is no such entry."""

    def __init__(self, family: Node, index: Node, by_seat: bool) -> None:
        super().__init__()
        self.family: Final = family
        self.place: Final = index
        self.by_seat: Final = by_seat

    def which(self, m: Machine) -> M:
        """Return the index of the selected entry."""
        i = self.place.eval(m)
        if self.by_seat:
            return top(i)
        return i

    def eval(self, m: Machine) -> M:
        i = self.which(m)
        entries = self.family.items(m)
        if i < 0 or i >= len(entries):
            return 0
        return entries[i]

    def items(self, m: Machine) -> list[int]:
        i = self.which(m)
        entries = self.family.lists(m)
        if i < 0 or i >= len(entries):
            return []
        return entries[i]


@final
class Bind(Node):
    """A call of a ``define``: evaluates the arguments, binds them to names and evaluates ``body``.

    The arguments in ``values`` are bound to ``words``, those in ``families`` to ``boxes``.
    """

    def __init__(
        self, words: list[Word], values: list[Node], boxes: list[Box], families: list[Node], body: Node
    ) -> None:
        self.words: Final = words
        self.values: Final = values
        self.boxes: Final = boxes
        self.families: Final = families
        self.body: Final = body

    def bind(self, m: Machine) -> None:
        """Evaluate all arguments, then bind them."""
        if len(self.words) == 1 and not self.boxes:
            self.words[0].v = self.values[0].eval(m)
            return
        scalars: list[int] = [node.eval(m) for node in self.values]
        lists = [node.items(m) for node in self.families]
        for i in range(len(scalars)):
            self.words[i].v = scalars[i]
        for i in range(len(lists)):
            self.boxes[i].items = lists[i]

    def eval(self, m: Machine) -> M:
        self.bind(m)
        return self.body.eval(m)

    def begin(self, m: Machine) -> M:
        self.bind(m)
        return self.body.begin(m)

    def step(self, m: Machine, at: M) -> M:
        return self.body.step(m, at)

    def items(self, m: Machine) -> list[int]:
        self.bind(m)
        return self.body.items(m)

    def lists(self, m: Machine) -> list[list[int]]:
        self.bind(m)
        return self.body.lists(m)
