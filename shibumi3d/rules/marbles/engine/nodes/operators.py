"""Nodes for operators on sets, numbers, conditions and lists, for conditionals and indexing, and for calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import ListWord, Word, highest_bit
from shibumi3d.rules.marbles.engine.machine import Machine, Node
from shibumi3d.rules.marbles.engine.nodes.values import ListNode
from shibumi3d.rules.marbles.engine.rules import MAX_INTEGER, clamp

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


def clamp_native(value: M) -> M:
    """Limit a number to the range ±:data:`.MAX_INTEGER`; unlike :func:`.clamp`, this works on native integers."""
    if value > MAX_INTEGER:
        return MAX_INTEGER
    if value < -MAX_INTEGER:
        return -MAX_INTEGER
    return value


class BinaryNode(Node):
    """Base class of operations with two operands."""

    def __init__(self, a: Node, b: Node) -> None:
        self.a: Final = a
        self.b: Final = b


@final
class SetUnion(BinaryNode):
    """``a | b`` for sets: their union."""

    def eval(self, m: Machine) -> M:
        return self.a.eval(m) | self.b.eval(m)


@final
class SetIntersection(BinaryNode):
    """``a & b`` for sets; b is not evaluated if a is empty."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a:
            return a & self.b.eval(m)
        return 0


@final
class TripleIntersection(Node):
    """``a & b & c`` for sets; evaluation stops as soon as the result is empty."""

    def __init__(self, a: Node, b: Node, c: Node) -> None:
        self.a: Final = a
        self.b: Final = b
        self.c: Final = c

    def eval(self, m: Machine) -> M:
        result = self.a.eval(m)
        if result:
            result &= self.b.eval(m)
            if result:
                result &= self.c.eval(m)
        return result


@final
class ConstIntersection(Node):
    """``a & b`` for sets, where b is constant."""

    def __init__(self, a: Node, b: M) -> None:
        self.a: Final = a
        self.b: Final[M] = b

    def eval(self, m: Machine) -> M:
        return self.a.eval(m) & self.b


@final
class Complement(Node):
    """``whole - a`` for sets, where ``whole`` is constant."""

    def __init__(self, a: Node, whole: M) -> None:
        self.a: Final = a
        self.whole: Final[M] = whole

    def eval(self, m: Machine) -> M:
        return self.whole & ~self.a.eval(m)


@final
class SetDifference(BinaryNode):
    """``a - b`` for sets; b is not evaluated if a is empty."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a:
            return a & ~self.b.eval(m)
        return 0


@final
class Add(BinaryNode):
    """``a + b`` for numbers, limited to ±:data:`.MAX_INTEGER`."""

    def eval(self, m: Machine) -> M:
        return clamp_native(self.a.eval(m) + self.b.eval(m))


@final
class Subtract(BinaryNode):
    """``a - b`` for numbers, limited to ±:data:`.MAX_INTEGER`."""

    def eval(self, m: Machine) -> M:
        return clamp_native(self.a.eval(m) - self.b.eval(m))


@final
class Multiply(BinaryNode):
    """``a * b``, limited to ±:data:`.MAX_INTEGER`."""

    def eval(self, m: Machine) -> M:
        a: int = self.a.eval(m)
        b: int = self.b.eval(m)
        return clamp(a * b)


@final
class FloorDivide(BinaryNode):
    """``a // b``, rounded down; 0 if b is 0."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        b = self.b.eval(m)
        if b:
            return a // b
        return 0


@final
class Modulo(BinaryNode):
    """``a % b``, or 0 if b is 0.

    The value is not negative if b is positive.
    """

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        b = self.b.eval(m)
        if b:
            return a % b
        return 0


# ---------------------------------------------------------------- tests


@final
class Equal(BinaryNode):
    """``a == b`` for numbers or sets."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) == self.b.eval(m):
            return 1
        return 0


@final
class Unequal(BinaryNode):
    """``a != b`` for numbers or sets."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) != self.b.eval(m):
            return 1
        return 0


@final
class Less(BinaryNode):
    """``a < b`` for numbers."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) < self.b.eval(m):
            return 1
        return 0


@final
class LessOrEqual(BinaryNode):
    """``a <= b`` for numbers."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) <= self.b.eval(m):
            return 1
        return 0


@final
class Subset(BinaryNode):
    """``a <= b`` for sets: a is a subset of b."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a and a & ~self.b.eval(m):
            return 0
        return 1


@final
class ProperSubset(BinaryNode):
    """``a < b`` for sets: a is a proper subset of b."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        b = self.b.eval(m)
        if a != b and a & ~b == 0:
            return 1
        return 0


@final
class NonEmptySubset(BinaryNode):
    """``a in b`` for points, colours or seats: a is a non-empty subset of b."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a and a & ~self.b.eval(m) == 0:
            return 1
        return 0


@final
class InList(BinaryNode):
    """``a in b`` for a scalar and a list."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        at = self.b.start_iteration(m)
        while at:
            at = self.b.next_member(m, at)
            m.work_left -= 2
            if m.member == a:
                return 1
        return 0


@final
class InConstList(Node):
    """``a in b`` for a scalar and a constant list."""

    def __init__(self, a: Node, family: set[int]) -> None:
        self.a: Final = a
        self.family: Final = family

    def eval(self, m: Machine) -> M:
        if self.a.eval(m) in self.family:
            return 1
        return 0


@final
class ListsEqual(BinaryNode):
    """``a == b`` for lists: they have the same members, regardless of order and repetition."""

    def eval(self, m: Machine) -> M:
        a = self.a.items(m)
        b = self.b.items(m)
        m.spend_work(2 * len(a) + 2 * len(b))
        if set(a) == set(b):
            return 1
        return 0


@final
class ListSubset(BinaryNode):
    """``a <= b`` for lists: all members of ``a`` are members of ``b``."""

    def eval(self, m: Machine) -> M:
        a = self.a.items(m)
        b = self.b.items(m)
        m.spend_work(2 * len(a) + 2 * len(b))
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
class Negate(Node):
    """``-a``."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        return -self.a.eval(m)


@final
class ListNotEmpty(Node):
    """Whether a list is not empty."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        if self.a.start_iteration(m):
            return 1
        return 0


@final
class AsBool(Node):
    """``a`` as a Bool: 0 if it is zero or empty, else 1."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        if self.a.eval(m):
            return 1
        return 0


@final
class BoolAnd(BinaryNode):
    """``a and b`` for Bools; :meth:`eval` doesn't evaluate b if a is false."""

    def eval(self, m: Machine) -> M:
        if self.a.eval(m):
            return self.b.eval(m)
        return 0

    def witnesses(self, m: Machine) -> M:
        return union_witnesses(self.a, self.b, m)


@final
class OrElse(BinaryNode):
    """``a or b``: b if a is zero or empty, else a."""

    def eval(self, m: Machine) -> M:
        a = self.a.eval(m)
        if a:
            return a
        return self.b.eval(m)

    def witnesses(self, m: Machine) -> M:
        return union_witnesses(self.a, self.b, m)


def union_witnesses(a: Node, b: Node, m: Machine) -> M:
    """Return the points that make either of two tests true; a false test contributes none."""
    result: M = 0
    if a.eval(m):
        result |= a.witnesses(m)
    if b.eval(m):
        result |= b.witnesses(m)
    return result


# ---------------------------------------------------------------- lists


@final
class ListDisplay(ListNode):
    """A list whose members are computed scalars."""

    def __init__(self, nodes: list[Node]) -> None:
        super().__init__()
        self.nodes: Final = nodes

    def items(self, m: Machine) -> list[int]:
        result: list[int] = []
        for node in self.nodes:
            result.append(node.eval(m))
        return result


@final
class NestedListDisplay(Node):
    """A list whose members are families of sets."""

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes: Final = nodes

    def lists(self, m: Machine) -> list[list[int]]:
        return [node.items(m) for node in self.nodes]


@final
class ListUnion(ListNode):
    """``a | b`` for lists, without duplicates."""

    def __init__(self, a: Node, b: Node) -> None:
        super().__init__()
        self.a: Final = a
        self.b: Final = b

    def items(self, m: Machine) -> list[int]:
        found = self.a.items(m) + self.b.items(m)
        m.spend_work(3 * len(found))
        return list(dict.fromkeys(found))


@final
class FilteredList(ListNode):
    """``a & b`` for lists if ``keeps_members`` is set, else ``a - b``."""

    def __init__(self, a: Node, b: Node, keep: bool) -> None:
        super().__init__()
        self.a: Final = a
        self.b: Final = b
        self.keeps_members: Final = keep

    def items(self, m: Machine) -> list[int]:
        other = set(self.b.items(m))
        found = self.a.items(m)
        m.spend_work(2 * len(other) + 2 * len(found))
        return [x for x in found if (x in other) is self.keeps_members]


@final
class StockByColour(Node):
    """The contents of a stock, reduced to the marbles of certain colours.

    As in :class:`.StockContents`, the members are a count for each colour, then one for marbles of unknown colour. If
    ``keeps_colours`` is set, only the counts of ``colours`` are kept; otherwise, all counts except those of ``colours``
    are kept. The other counts are replaced by 0.
    """

    def __init__(self, stock: Node, colours: Node, keep: bool) -> None:
        self.stock: Final = stock
        self.colours: Final = colours
        self.keeps_colours: Final = keep
        self.wanted_colours: M = 0

    def start_iteration(self, m: Machine) -> M:
        colours = self.colours.eval(m)
        self.wanted_colours = colours if self.keeps_colours else ~colours
        return self.stock.start_iteration(m)

    def next_member(self, m: Machine, at: M) -> M:
        following = self.stock.next_member(m, at)
        m.work_left -= 2
        wanted = self.wanted_colours
        self.wanted_colours = wanted >> 1
        if not wanted & 1:
            m.member = 0
        return following


# ---------------------------------------------------------------- conditional values


@final
class Conditional(ListNode):
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

    def stock_index(self, m: Machine) -> M:
        if self.test.eval(m):
            return self.a.stock_index(m)
        return self.b.stock_index(m)


@final
class ItemForSeat(ListNode):
    """``[a, b][me]``: the entry of a list that belongs to a seat; zero or empty if there is no such entry."""

    def __init__(self, entries: list[Node], seat: Node) -> None:
        super().__init__()
        self.entries: Final = entries
        self.seat: Final = seat

    def eval(self, m: Machine) -> M:
        i = highest_bit(self.seat.eval(m))
        if i < 0 or i >= len(self.entries):
            return 0
        return self.entries[i].eval(m)

    def items(self, m: Machine) -> list[int]:
        i = highest_bit(self.seat.eval(m))
        if i < 0 or i >= len(self.entries):
            return []
        return self.entries[i].items(m)


@final
class ItemAt(ListNode):
    """``list[i]``, where i is a seat if ``by_seat`` is set, else an index counted from 0.

    The value is zero or empty if there is no such entry.
    """

    def __init__(self, family: Node, index: Node, by_seat: bool) -> None:
        super().__init__()
        self.family: Final = family
        self.index_node: Final = index
        self.by_seat: Final = by_seat

    def item_index(self, m: Machine) -> M:
        """Return the index to look up, without checking that it is in range."""
        i = self.index_node.eval(m)
        if self.by_seat:
            return highest_bit(i)
        return i

    def eval(self, m: Machine) -> M:
        i = self.item_index(m)
        entries = self.family.items(m)
        if i < 0 or i >= len(entries):
            return 0
        return entries[i]

    def items(self, m: Machine) -> list[int]:
        i = self.item_index(m)
        entries = self.family.lists(m)
        if i < 0 or i >= len(entries):
            return []
        return entries[i]


@final
class CallDefine(Node):
    """A call to a ``define``: the arguments are evaluated and bound to names, and then ``body`` is evaluated.

    The arguments in ``values`` are bound to ``words``, those in ``families`` to ``list_words``.
    """

    def __init__(
        self, words: list[Word], values: list[Node], boxes: list[ListWord], families: list[Node], body: Node
    ) -> None:
        self.words: Final = words
        self.values: Final = values
        self.list_words: Final = boxes
        self.families: Final = families
        self.body: Final = body

    def bind_arguments(self, m: Machine) -> None:
        """Evaluate all arguments, then bind them."""
        if len(self.words) == 1 and not self.list_words:
            self.words[0].value = self.values[0].eval(m)
            return
        scalars: list[int] = [node.eval(m) for node in self.values]
        lists = [node.items(m) for node in self.families]
        for i in range(len(scalars)):
            self.words[i].value = scalars[i]
        for i in range(len(lists)):
            self.list_words[i].items = lists[i]

    def eval(self, m: Machine) -> M:
        self.bind_arguments(m)
        return self.body.eval(m)

    def start_iteration(self, m: Machine) -> M:
        self.bind_arguments(m)
        return self.body.start_iteration(m)

    def next_member(self, m: Machine, at: M) -> M:
        return self.body.next_member(m, at)

    def items(self, m: Machine) -> list[int]:
        self.bind_arguments(m)
        return self.body.items(m)

    def lists(self, m: Machine) -> list[list[int]]:
        self.bind_arguments(m)
        return self.body.lists(m)
