"""Nodes for loops: comprehensions, quantifiers and totals, and the sources that they iterate over.

Advancing an iteration allocates no objects; see :class:`~..machine.Node`. A source stores the state of its iteration,
so an iteration over a source must be finished or abandoned before the next one starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.engine.board import (
    ListWord,
    Word,
    highest_bit,
    points_by_table_index,
    table_index,
)
from shibumi3d.rules.marbles.engine.machine import Machine, Node
from shibumi3d.rules.marbles.engine.nodes.operators import clamp_native
from shibumi3d.rules.marbles.engine.nodes.values import ListNode, WordListNode
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET, clamp

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


MAX_UNCHARGED_WORK: Final = 5_000
"""Cost that a loop may accumulate before it is deducted from the work budget."""
MAX_VALUES: Final = 1_000_000
"""Approximate maximum number of values in a set or list."""


@final
class BitMembers(Node):
    """The members of a bit set (points, colours or seats), one at a time."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def start_iteration(self, m: Machine) -> M:
        return self.a.eval(m)

    def next_member(self, m: Machine, at: M) -> M:
        low = at & -at
        m.member = low
        return at ^ low


@final
class CachedFilter(Node):
    """The points in a set that pass a test.

    The test depends only on the point and on the moving marble's origin, so its results are cached for each origin.
    """

    def __init__(self, superset: Node, word: Word, test: Node, points: int) -> None:
        self.points: Final = superset
        self.word: Final = word
        self.test: Final = test
        self.tested_by_origin: Final[list[Word]] = [Word(0) for _ in range(points + 1)]
        """Points tested so far, for each origin.

        Index 0 stands for no origin; point ``p`` has index ``p + 1``.
        """
        self.passed_by_origin: Final[list[Word]] = [Word(0) for _ in range(points + 1)]
        """Points that passed the test, for each origin."""

    def eval(self, m: Machine) -> M:
        superset = self.points.eval(m)
        m.work_left -= 2
        if not superset:
            return 0
        origin = m.origin.value
        if origin & (origin - 1):
            return self.test_points(m, superset)
        place = highest_bit(origin) + 1
        good = self.passed_by_origin[place]
        new = superset & ~self.tested_by_origin[place].value
        if new:
            good.value |= self.test_points(m, new)
            self.tested_by_origin[place].value |= new
        return superset & good.value

    def test_points(self, m: Machine, remaining: M) -> M:
        """Return the points in ``remaining`` that currently pass the test.

        No work is charged, because the result is usually cached.
        """
        work = m.work_left
        m.work_left = WORK_BUDGET
        result: M = 0
        while remaining:
            low = remaining & -remaining
            self.word.value = low
            if self.test.eval(m):
                result |= low
            remaining ^= low
        m.work_left = work
        return result


@final
class ConstSubsets(Node):
    """The members of a fixed family that are subsets of a given set."""

    def __init__(self, family: list[int], superset: Node) -> None:
        self.words: Final = [Word(item) for item in family]
        self.superset: Final = superset
        self.outside: M = 0

    def start_iteration(self, m: Machine) -> M:
        m.spend_work(len(self.words))
        self.outside = ~self.superset.eval(m)
        return self.next_subset(0)

    def next_subset(self, at: M) -> M:
        """Return 1 plus the index of the first subset found at or after index ``at``, or 0 if there is none."""
        words = self.words
        outside = self.outside
        end = len(words)
        while at < end:
            if not words[at].value & outside:
                return at + 1
            at += 1
        return 0

    def next_member(self, m: Machine, at: M) -> M:
        m.member = self.words[at - 1].value
        return self.next_subset(at)


@final
class CachedFamilyFilter(WordListNode):
    """The members of a fixed family that pass a test.

    The test depends only on the member and on a second variable. This variable is a set that usually contains a single
    point, so the results are cached for each point.
    """

    def __init__(self, family: list[int], word: Word, other: Word, test: Node, points: int) -> None:
        super().__init__()
        self.family_words: Final = [Word(item) for item in family]
        self.word: Final = word
        self.other_word: Final = other
        self.test: Final = test
        self.cached_by_point: Final[list[list[Word] | None]] = [None] * points

    def start_iteration(self, m: Machine) -> M:
        m.spend_work(len(self.family_words))
        other = self.other_word.value
        if other <= 0 or other & (other - 1):
            return self.iterate_over(self.test_members(m))
        place = highest_bit(other)
        known = self.cached_by_point[place]
        if known is None:
            known = self.test_members(m)
            self.cached_by_point[place] = known
        return self.iterate_over(known)

    def test_members(self, m: Machine) -> list[Word]:
        """Return the members that currently pass the test.

        No work is charged, because the result is usually cached.
        """
        work = m.work_left
        m.work_left = WORK_BUDGET
        result: list[Word] = []
        for word in self.family_words:
            self.word.value = word.value
            if self.test.eval(m):
                result.append(word)
        m.work_left = work
        return result


@final
class FamilyMembers(Node):
    """The families in a list of families; each in turn is stored in ``list_word``."""

    def __init__(self, a: Node, box: ListWord) -> None:
        self.a: Final = a
        self.list_word: Final = box
        self.families: list[list[int]] = []

    def start_iteration(self, m: Machine) -> M:
        self.families = self.a.lists(m)
        if self.families:
            return 1
        return 0

    def next_member(self, m: Machine, at: M) -> M:
        self.list_word.items = self.families[at - 1]
        if at < len(self.families):
            return at + 1
        return 0


@final
class Loop:
    """One ``for … in … if …`` clause of a comprehension.

    ``source`` yields the values of the loop variable. They are stored in ``word``, except that lists are stored by
    ``source`` itself. ``test`` is the condition, or None if there is none. ``inner`` is the loop nested in this one, if
    any. ``sets`` says whether the values are sets of points, such as lines or groups.
    """

    def __init__(self, word: Word, source: Node, test: Node | None, inner: Loop | None, sets: bool) -> None:
        self.word: Final = word
        self.source: Final = source
        self.test: Final = test
        self.inner: Final = inner
        self.is_over_sets: Final = sets
        self.is_over_bits: Final = isinstance(source, BitMembers)
        self.cost: M = 1
        """Cost of every iteration; ``cost_if_tests_hold`` is the extra cost of an iteration whose tests hold."""
        self.cost_if_tests_hold: M = 0

    def advance(self, m: Machine, at: M) -> M:
        """Store the member at cursor ``at`` in the variable; return the next cursor, or 0 after the last member."""
        if self.is_over_bits:
            low = at & -at
            self.word.value = low
            return at ^ low
        at = self.source.next_member(m, at)
        self.word.value = m.member
        return at

    def any_element(self, m: Machine, element: Node, wanted_truth: bool) -> bool:
        """Return whether ``element`` has the truth value ``wanted_truth`` in any iteration that passes the tests.

        The search stops at the first such iteration.
        """
        cost = self.cost
        late = self.cost_if_tests_hold
        spent: M = 0
        result = False
        at = self.source.start_iteration(m)
        while at and not result:
            at = self.advance(m, at)
            spent += cost
            if self.test is None or self.test.eval(m):
                spent += late
                if self.inner is not None:
                    result = self.inner.any_element(m, element, wanted_truth)
                elif element.eval(m):
                    result = wanted_truth
                else:
                    result = not wanted_truth
            if spent > MAX_UNCHARGED_WORK:
                m.spend_work(spent)
                spent = 0
        m.work_left -= spent
        if m.work_left < 0:
            m.spend_work(0)
        return result

    def union(self, m: Machine, element: Node) -> M:
        """Return the union of the masks to which ``element`` evaluates in the iterations that pass the tests."""
        cost = self.cost
        late = self.cost_if_tests_hold
        spent: M = 0
        result: M = 0
        at = self.source.start_iteration(m)
        while at:
            at = self.advance(m, at)
            spent += cost
            if self.test is None or self.test.eval(m):
                spent += late
                if self.inner is not None:
                    result |= self.inner.union(m, element)
                else:
                    result |= element.eval(m)
            if spent > MAX_UNCHARGED_WORK:
                m.spend_work(spent)
                spent = 0
        m.work_left -= spent
        if m.work_left < 0:
            m.spend_work(0)
        return result

    def collect(self, m: Machine, element: Node, result: list[int]) -> None:
        """Append to ``result``, in order, the value of ``element`` in each iteration that passes the tests.

        If another loop is nested in this one, ``element`` is evaluated in the iterations of the innermost loop. Raises
        RuleFailure if ``result`` has more than :data:`MAX_VALUES` items when this loop or a nested one starts, or if
        the work budget is exceeded.
        """
        cost = self.cost
        late = self.cost_if_tests_hold
        spent: M = 0
        if len(result) > MAX_VALUES:
            raise RuleFailure("a set or list contains more than {most:,} values", most=MAX_VALUES)
        at = self.source.start_iteration(m)
        while at:
            at = self.advance(m, at)
            spent += cost
            if self.test is None or self.test.eval(m):
                spent += late
                if self.inner is not None:
                    self.inner.collect(m, element, result)
                else:
                    result.append(element.eval(m))
            if spent > MAX_UNCHARGED_WORK:
                m.spend_work(spent)
                spent = 0
        m.work_left -= spent
        if m.work_left < 0:
            m.spend_work(0)

    def collect_lists(self, m: Machine, element: Node, result: list[list[int]]) -> None:
        """Append to ``result``, in order, the family that ``element`` yields in each iteration that passes.

        An iteration passes if its tests hold. If another loop is nested in this one, ``element`` is evaluated in the
        iterations of the innermost loop. Raises RuleFailure if the work budget is exceeded.
        """
        at = self.source.start_iteration(m)
        while at:
            at = self.advance(m, at)
            m.spend_work(self.cost)
            if self.test is None or self.test.eval(m):
                m.work_left -= self.cost_if_tests_hold
                if self.inner is not None:
                    self.inner.collect_lists(m, element, result)
                else:
                    result.append(element.items(m))

    def total(self, m: Machine, element: Node) -> M:
        """Return the sum of the values of ``element`` in the iterations that pass the tests.

        If another loop is nested in this one, ``element`` is evaluated in the iterations of the innermost loop. After
        each addition, the sum is limited to ±:data:`.MAX_INTEGER`. Raises RuleFailure if the work budget is exceeded.
        """
        result: M = 0
        at = self.source.start_iteration(m)
        while at:
            at = self.advance(m, at)
            m.spend_work(self.cost)
            if self.test is None or self.test.eval(m):
                m.work_left -= self.cost_if_tests_hold
                if self.inner is not None:
                    result = clamp_native(result + self.inner.total(m, element))
                else:
                    result = clamp_native(result + element.eval(m))
        return result

    def extreme(self, m: Machine, element: Node, sign: M, best: M) -> M:
        """Multiply each element by ``sign``; return the largest product, or ``best`` if that is larger.

        The elements are the values of ``element`` in the iterations that pass the tests. If ``best`` is low enough, a
        ``sign`` of 1 finds the maximum of the elements, and a ``sign`` of -1 finds their minimum, negated. If there are
        no elements, the result is ``best``. Raises RuleFailure if the work budget is exceeded.
        """
        at = self.source.start_iteration(m)
        while at:
            at = self.advance(m, at)
            m.spend_work(self.cost)
            if self.test is None or self.test.eval(m):
                m.work_left -= self.cost_if_tests_hold
                if self.inner is not None:
                    best = self.inner.extreme(m, element, sign, best)
                else:
                    value = element.eval(m) * sign
                    if value > best:
                        best = value
        return best


@final
class Union(Node):
    """A set comprehension: the union of the elements, which are bit sets."""

    def __init__(self, loop: Loop, element: Node) -> None:
        self.loop: Final = loop
        self.element: Final = element

    def eval(self, m: Machine) -> M:
        return self.loop.union(m, self.element)


@final
class ListComprehension(ListNode):
    """A list comprehension; its elements are numbers, sets or families of sets.

    If ``remove_duplicates`` is set, only the first of several equal numbers or sets is kept. If
    ``elements_are_distinct`` is set, no number or set occurs twice, so nothing has to be removed. The attribute
    ``is_distinct`` is set if no number or set can occur twice in the result.
    """

    def __init__(
        self, loop: Loop, element: Node, remove_duplicates: bool, elements_are_distinct: bool
    ) -> None:
        super().__init__()
        self.loop: Final = loop
        self.element: Final = element
        self.removes_duplicates: Final = remove_duplicates and not elements_are_distinct
        self.is_distinct: Final = remove_duplicates or elements_are_distinct

    def items(self, m: Machine) -> list[int]:
        result: list[int] = []
        self.loop.collect(m, self.element, result)
        if self.removes_duplicates and len(result) > 1:
            m.spend_work(4 * len(result))
            return list(dict.fromkeys(result))
        return result

    def lists(self, m: Machine) -> list[list[int]]:
        result: list[list[int]] = []
        self.loop.collect_lists(m, self.element, result)
        return result


@final
class AnyInLoop(Node):
    """``any`` of a comprehension: whether any of its elements is true."""

    def __init__(self, loop: Loop, element: Node) -> None:
        self.loop: Final = loop
        self.element: Final = element

    def eval(self, m: Machine) -> M:
        if self.loop.any_element(m, self.element, True):
            return 1
        return 0

    def witnesses(self, m: Machine) -> M:
        loop = self.loop
        result: M = 0
        if loop.inner is None and loop.is_over_sets:
            at = loop.source.start_iteration(m)
            while at:
                at = loop.source.next_member(m, at)
                value = m.member
                loop.word.value = value
                if loop.test is None or loop.test.eval(m):
                    if self.element.eval(m):
                        result |= value
        return result


@final
class AllInLoop(Node):
    """``all`` of a comprehension: whether all its elements are true."""

    def __init__(self, loop: Loop, element: Node) -> None:
        self.loop: Final = loop
        self.element: Final = element

    def eval(self, m: Machine) -> M:
        if self.loop.any_element(m, self.element, False):
            return 0
        return 1


@final
class AnySubset(Node):
    """``any(l <= X and … for l in FIXED)`` over a fixed family.

    When a value of X is found to contain no nonempty member of the family, that value is remembered for the acting
    seat, unless the result is true because of the empty set. From then on, only the empty set and members with a point
    outside the remembered value need to be tested. The remembered value stays valid when moves are undone.
    """

    def __init__(
        self, word: Word, family: list[int], superset: Node, rest: Node | None, points: int, seats: int
    ) -> None:
        self.word: Final = word
        self.superset: Final = superset
        self.other_tests: Final = rest
        self.members_by_point: Final[list[list[Word]]] = [
            [Word(line) for line in family if line >> p & 1] for p in points_by_table_index(points)
        ]
        """Members through each point, by the table index of the point."""
        self.known_clear: Final[list[Word]] = [Word(0) for _ in range(seats)]
        """For each seat, the last superset found to contain no member of the family other than the empty set."""
        self.includes_empty_set: Final = 0 in family
        self.cost: M = 1
        """Cost of the other tests."""

    def eval(self, m: Machine) -> M:
        superset = self.superset.eval(m)
        new = superset & ~self.known_clear[m.me].value
        if not new and not self.includes_empty_set:
            return 0
        return self.any_contained(m, superset, new)

    def any_contained(self, m: Machine, superset: M, new_points: M) -> M:
        """Return whether any member of the family is a subset of ``superset`` and passes the other tests.

        ``new_points`` are the points of ``superset`` outside the seat's entry in ``known_clear``. Every nonempty member
        that ``superset`` contains has such a point, so only these members and the empty set are tried. If the result
        is False and no nonempty member is contained, ``superset`` becomes the new entry.
        """
        contained = False
        spent: M = 0
        left = new_points
        while left:
            low = left & -left
            lines = self.members_by_point[table_index(low)]
            at: M = 0
            end = len(lines)
            while at < end:
                mask = lines[at].value
                at += 1
                spent += 1
                if mask & superset == mask:
                    if self.other_tests is None:
                        m.work_left -= spent
                        return 1
                    contained = True
                    self.word.value = mask
                    spent += self.cost
                    if self.other_tests.eval(m):
                        m.work_left -= spent
                        return 1
            left ^= low
            m.spend_work(spent)
            spent = 0
        if self.includes_empty_set:
            self.word.value = 0
            if self.other_tests is None or self.other_tests.eval(m):
                return 1
        if not contained:
            self.known_clear[m.me].value = superset
        return 0


# ---------------------------------------------------------------- totals


@final
class SumLoop(Node):
    """The sum of an expression over all iterations of a loop.

    Each partial sum is limited to ±:data:`.MAX_INTEGER`.
    """

    def __init__(self, loop: Loop, element: Node) -> None:
        self.loop: Final = loop
        self.element: Final = element

    def eval(self, m: Machine) -> M:
        return self.loop.total(m, self.element)


@final
class ExtremeLoop(Node):
    """``max`` (``sign`` 1) or ``min`` (``sign`` -1) of the elements of a loop, or 0 if there are none."""

    def __init__(self, loop: Loop, element: Node, sign: M) -> None:
        self.loop: Final = loop
        self.element: Final = element
        self.sign: Final[M] = sign

    def eval(self, m: Machine) -> M:
        nothing: M = -(1 << 60)
        best = self.loop.extreme(m, self.element, self.sign, nothing)
        if best == nothing:
            return 0
        return best * self.sign


@final
class Range(Node):
    """``range(a, b)``, cut off after a thousand numbers."""

    def __init__(self, low: Node, high: Node) -> None:
        self.low: Final = low
        self.high: Final = high
        self.first: M = 0
        self.end: M = 0

    def start_iteration(self, m: Machine) -> M:
        low = self.low.eval(m)
        high = self.high.eval(m)
        if high > low + 1000:
            high = low + 1000
        self.first = low
        self.end = high - low
        if high > low:
            return 1
        return 0

    def next_member(self, m: Machine, at: M) -> M:
        m.member = self.first + at - 1
        if at < self.end:
            return at + 1
        return 0


@final
class ListTotal(Node):
    """``sum``, ``max``, ``min`` or ``prod`` of a list; for an empty list, ``max`` and ``min`` are 0.

    Sums and products are limited to ±:data:`.MAX_INTEGER`.
    """

    def __init__(self, name: str, values: Node) -> None:
        self.name: Final = name
        self.values: Final = values

    def eval(self, m: Machine) -> M:
        values = self.values.items(m)
        m.spend_work(len(values))
        if self.name == "sum":
            return clamp(sum(values))
        if self.name == "max":
            return max(values) if values else 0
        if self.name == "min":
            return min(values) if values else 0
        product: int = 1
        for value in values:
            product = clamp(product * value)
        return product


@final
class AnyInList(Node):
    """Whether any member of a list is true; for a stock, whether it contains any marbles."""

    def __init__(self, values: Node) -> None:
        self.values: Final = values

    def eval(self, m: Machine) -> M:
        at = self.values.start_iteration(m)
        while at:
            at = self.values.next_member(m, at)
            m.work_left -= 2
            if m.member:
                return 1
        return 0


@final
class AllInList(Node):
    """``all`` of a list: whether all its members are true."""

    def __init__(self, values: Node) -> None:
        self.values: Final = values

    def eval(self, m: Machine) -> M:
        at = self.values.start_iteration(m)
        while at:
            at = self.values.next_member(m, at)
            m.work_left -= 2
            if not m.member:
                return 0
        return 1


@final
class ListLength(Node):
    """The number of members in a family or list."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        result: M = 0
        at = self.a.start_iteration(m)
        while at:
            at = self.a.next_member(m, at)
            m.work_left -= 2
            result += 1
        m.spend_work(0)
        return result


@final
class StockSize(Node):
    """The number of marbles in a stock."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        result: M = 0
        at = self.a.start_iteration(m)
        while at:
            at = self.a.next_member(m, at)
            result += m.member
        return result
