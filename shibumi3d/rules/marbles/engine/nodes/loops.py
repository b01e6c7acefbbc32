"""Loops: comprehensions, quantifiers and sums, and the sources that they iterate over.

Iteration allocates no objects; see :class:`~..workspace.Node`. A source stores the state of its iteration, so an
iteration over a source must be finished or abandoned before the next one starts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.engine.board import Box, Word, slot, slots, top
from shibumi3d.rules.marbles.engine.nodes.operators import held
from shibumi3d.rules.marbles.engine.nodes.values import Boxed, Listed
from shibumi3d.rules.marbles.engine.rules import WORK
from shibumi3d.rules.marbles.engine.workspace import Machine, Node

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

STRIDE: Final = 5_000
"""Cost that a loop may accumulate before it is deducted from the work budget."""
MOST_VALUES: Final = 1_000_000
"""Approximate maximum number of values in a set or list."""


@final
class Bits(Node):
    """The members of a bit set (points, colours or seats), one at a time."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def begin(self, m: Machine) -> M:
        return self.a.eval(m)

    def step(self, m: Machine, at: M) -> M:
        low = at & -at
        m.value = low
        return at ^ low


@final
class Passing(Node):
    """The points in a set that pass a test.

    The test depends only on the point and on the moving marble's origin, so its results are cached for each origin.
    """

    def __init__(self, whole: Node, word: Word, test: Node, points: int) -> None:
        self.whole: Final = whole
        self.word: Final = word
        self.test: Final = test
        self.asked: Final[list[Word]] = [Word(0) for _ in range(points + 1)]
        self.good: Final[list[Word]] = [Word(0) for _ in range(points + 1)]
        """Points tested so far and those that passed, for each origin.

        Index 0 stands for no origin; point ``p`` has index ``p + 1``.
        """

    def eval(self, m: Machine) -> M:
        whole = self.whole.eval(m)
        m.work -= 2
        if not whole:
            return 0
        origin = m.origin.v
        if origin & (origin - 1):
            return self.passing(m, whole)
        place = top(origin) + 1
        good = self.good[place]
        new = whole & ~self.asked[place].v
        if new:
            good.v |= self.passing(m, new)
            self.asked[place].v |= new
        return whole & good.v

    def passing(self, m: Machine, left: M) -> M:
        """Return the points of a set that currently pass the test.

        No work is charged, because the result is usually cached.
        """
        work = m.work
        m.work = WORK
        found: M = 0
        while left:
            low = left & -left
            self.word.v = low
            if self.test.eval(m):
                found |= low
            left ^= low
        m.work = work
        return found


@final
class Subsets(Node):
    """The members of a fixed family that are subsets of a given set."""

    def __init__(self, family: list[int], whole: Node) -> None:
        self.words: Final = [Word(item) for item in family]
        self.whole: Final = whole
        self.outside: M = 0

    def begin(self, m: Machine) -> M:
        m.spend(len(self.words))
        self.outside = ~self.whole.eval(m)
        return self.find(0)

    def find(self, at: M) -> M:
        """Return 1 plus the index of the first subset found at or after index ``at``, or 0 if none is."""
        words = self.words
        outside = self.outside
        end = len(words)
        while at < end:
            if not words[at].v & outside:
                return at + 1
            at += 1
        return 0

    def step(self, m: Machine, at: M) -> M:
        m.value = self.words[at - 1].v
        return self.find(at)


@final
class Fitting(Boxed):
    """The members of a fixed family that pass a test, which also reads a second variable.

    The test depends on nothing else. The second variable is a set that usually contains a single point, so the results
    are cached for each point.
    """

    def __init__(self, family: list[int], word: Word, other: Word, test: Node, points: int) -> None:
        super().__init__()
        self.words: Final = [Word(item) for item in family]
        self.word: Final = word
        self.other: Final = other
        self.test: Final = test
        self.known: Final[list[list[Word] | None]] = [None] * points

    def begin(self, m: Machine) -> M:
        m.spend(len(self.words))
        other = self.other.v
        if other <= 0 or other & (other - 1):
            return self.begun(self.found(m))
        place = top(other)
        known = self.known[place]
        if known is None:
            known = self.found(m)
            self.known[place] = known
        return self.begun(known)

    def found(self, m: Machine) -> list[Word]:
        """Return the members that currently pass the test.

        No work is charged, because the result is usually cached.
        """
        work = m.work
        m.work = WORK
        found: list[Word] = []
        for word in self.words:
            self.word.v = word.v
            if self.test.eval(m):
                found.append(word)
        m.work = work
        return found


@final
class Lists(Node):
    """The families in a list of families; each in turn is stored in ``box``."""

    def __init__(self, a: Node, box: Box) -> None:
        self.a: Final = a
        self.box: Final = box
        self.families: list[list[int]] = []

    def begin(self, m: Machine) -> M:
        self.families = self.a.lists(m)
        if self.families:
            return 1
        return 0

    def step(self, m: Machine, at: M) -> M:
        self.box.items = self.families[at - 1]
        if at < len(self.families):
            return at + 1
        return 0


@final
class Loop:
    """One ``for … in … if …`` clause of a comprehension; ``inner`` is the loop nested in it."""

    def __init__(self, word: Word, source: Node, test: Node | None, inner: Loop | None, sets: bool) -> None:
        self.word: Final = word
        self.source: Final = source
        self.test: Final = test
        self.inner: Final = inner
        self.sets: Final = sets
        self.bits: Final = isinstance(source, Bits)
        self.cost: M = 1
        """Cost of every round; ``late`` is the extra cost of a round whose tests hold."""
        self.late: M = 0

    def next(self, m: Machine, at: M) -> M:
        """Store the next member in the variable and return its position, or 0 if there is none."""
        if self.bits:
            low = at & -at
            self.word.v = low
            return at ^ low
        at = self.source.step(m, at)
        self.word.v = m.value
        return at

    def first(self, m: Machine, element: Node, wanted: bool) -> bool:
        """Return whether any element is true (or false, if ``wanted`` is not set).

        The search stops at the first such element.
        """
        cost = self.cost
        late = self.late
        spent: M = 0
        found = False
        at = self.source.begin(m)
        while at and not found:
            at = self.next(m, at)
            spent += cost
            if self.test is None or self.test.eval(m):
                spent += late
                if self.inner is not None:
                    found = self.inner.first(m, element, wanted)
                elif element.eval(m):
                    found = wanted
                else:
                    found = not wanted
            if spent > STRIDE:
                m.spend(spent)
                spent = 0
        m.work -= spent
        if m.work < 0:
            m.spend(0)
        return found

    def union(self, m: Machine, element: Node) -> M:
        """Return the union of all elements, which are bit sets."""
        cost = self.cost
        late = self.late
        spent: M = 0
        found: M = 0
        at = self.source.begin(m)
        while at:
            at = self.next(m, at)
            spent += cost
            if self.test is None or self.test.eval(m):
                spent += late
                if self.inner is not None:
                    found |= self.inner.union(m, element)
                else:
                    found |= element.eval(m)
            if spent > STRIDE:
                m.spend(spent)
                spent = 0
        m.work -= spent
        if m.work < 0:
            m.spend(0)
        return found

    def collect(self, m: Machine, element: Node, found: list[int]) -> None:
        """Append all elements to ``found``, in order.

        Raises RuleFailure if there are too many.
        """
        cost = self.cost
        late = self.late
        spent: M = 0
        if len(found) > MOST_VALUES:
            raise RuleFailure("a set or list contains more than {most:,} values", most=MOST_VALUES)
        at = self.source.begin(m)
        while at:
            at = self.next(m, at)
            spent += cost
            if self.test is None or self.test.eval(m):
                spent += late
                if self.inner is not None:
                    self.inner.collect(m, element, found)
                else:
                    found.append(element.eval(m))
            if spent > STRIDE:
                m.spend(spent)
                spent = 0
        m.work -= spent
        if m.work < 0:
            m.spend(0)

    def collect_lists(self, m: Machine, element: Node, found: list[list[int]]) -> None:
        """Append all elements, which are families, to ``found``, in order."""
        at = self.source.begin(m)
        while at:
            at = self.next(m, at)
            m.spend(self.cost)
            if self.test is None or self.test.eval(m):
                m.work -= self.late
                if self.inner is not None:
                    self.inner.collect_lists(m, element, found)
                else:
                    found.append(element.items(m))

    def total(self, m: Machine, element: Node) -> M:
        """Return the sum of all elements."""
        found: M = 0
        at = self.source.begin(m)
        while at:
            at = self.next(m, at)
            m.spend(self.cost)
            if self.test is None or self.test.eval(m):
                m.work -= self.late
                if self.inner is not None:
                    found = held(found + self.inner.total(m, element))
                else:
                    found = held(found + element.eval(m))
        return found

    def extreme(self, m: Machine, element: Node, sign: M, best: M) -> M:
        """Return the maximum of ``best`` and all elements, each multiplied by ``sign``."""
        at = self.source.begin(m)
        while at:
            at = self.next(m, at)
            m.spend(self.cost)
            if self.test is None or self.test.eval(m):
                m.work -= self.late
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
class Members(Node):
    """``{p for g in … if … for p in g}``: the union of those members of a family that pass the tests."""

    def __init__(self, loop: Loop) -> None:
        self.loop: Final = loop
        self.element: Final[Node] = Named(loop.word)

    def eval(self, m: Machine) -> M:
        return self.loop.union(m, self.element)


@final
class Named(Node):
    """The current value of a loop variable."""

    def __init__(self, word: Word) -> None:
        self.word: Final = word

    def eval(self, m: Machine) -> M:
        return self.word.v


@final
class Collected(Listed):
    """A list comprehension whose elements are numbers or sets of points.

    If ``once`` is set, duplicates are removed and the order is kept. ``apart`` is set if the elements are known to be
    distinct.
    """

    def __init__(self, loop: Loop, element: Node, once: bool, apart: bool) -> None:
        super().__init__()
        self.loop: Final = loop
        self.element: Final = element
        self.once: Final = once and not apart
        self.apart: Final = once or apart

    def items(self, m: Machine) -> list[int]:
        found: list[int] = []
        self.loop.collect(m, self.element, found)
        if self.once and len(found) > 1:
            m.spend(4 * len(found))
            return list(dict.fromkeys(found))
        return found

    def lists(self, m: Machine) -> list[list[int]]:
        found: list[list[int]] = []
        self.loop.collect_lists(m, self.element, found)
        return found


@final
class Any(Node):
    """Whether any element is true."""

    def __init__(self, loop: Loop, element: Node) -> None:
        self.loop: Final = loop
        self.element: Final = element

    def eval(self, m: Machine) -> M:
        if self.loop.first(m, self.element, True):
            return 1
        return 0

    def witnesses(self, m: Machine) -> M:
        loop = self.loop
        found: M = 0
        if loop.inner is None and loop.sets:
            at = loop.source.begin(m)
            while at:
                at = loop.source.step(m, at)
                value = m.value
                loop.word.v = value
                if loop.test is None or loop.test.eval(m):
                    if self.element.eval(m):
                        found |= value
        return found


@final
class All(Node):
    """Whether all elements are true."""

    def __init__(self, loop: Loop, element: Node) -> None:
        self.loop: Final = loop
        self.element: Final = element

    def eval(self, m: Machine) -> M:
        if self.loop.first(m, self.element, False):
            return 0
        return 1


@final
class AnySubset(Node):
    """``any(l <= X and … for l in FIXED)`` over a fixed family.

    If X is known to contain no member of the family, only members through points that are then added to X need to be
    tested. This knowledge is about X rather than the match, so it stays valid when moves are undone.
    """

    def __init__(
        self, word: Word, family: list[int], whole: Node, rest: Node | None, points: int, seats: int
    ) -> None:
        self.word: Final = word
        self.whole: Final = whole
        self.rest: Final = rest
        self.through: Final[list[list[Word]]] = [
            [Word(line) for line in family if line >> p & 1] for p in slots(points)
        ]
        """Members through each point, by the slot of the point."""
        self.clear: Final[list[Word]] = [Word(0) for _ in range(seats)]
        self.empty: Final = 0 in family
        self.cost: M = 1
        """Cost of the other tests."""

    def eval(self, m: Machine) -> M:
        whole = self.whole.eval(m)
        new = whole & ~self.clear[m.me].v
        if not new and not self.empty:
            return 0
        return self.among(m, whole, new)

    def among(self, m: Machine, whole: M, new: M) -> M:
        """Return whether any member of the family is a subset of ``whole`` and passes the tests.

        Only members through the points in ``new`` are tested, because ``whole`` without these points contains none.
        """
        contained = False
        spent: M = 0
        left = new
        while left:
            low = left & -left
            lines = self.through[slot(low)]
            at: M = 0
            end = len(lines)
            while at < end:
                mask = lines[at].v
                at += 1
                spent += 1
                if mask & whole == mask:
                    if self.rest is None:
                        m.work -= spent
                        return 1
                    contained = True
                    self.word.v = mask
                    spent += self.cost
                    if self.rest.eval(m):
                        m.work -= spent
                        return 1
            left ^= low
            m.spend(spent)
            spent = 0
        if self.empty:
            self.word.v = 0
            if self.rest is None or self.rest.eval(m):
                return 1
        if not contained:
            self.clear[m.me].v = whole
        return 0


# ---------------------------------------------------------------- totals


@final
class Sum(Node):
    """The sum of an expression over all iterations of a loop."""

    def __init__(self, loop: Loop, element: Node) -> None:
        self.loop: Final = loop
        self.element: Final = element

    def eval(self, m: Machine) -> M:
        return self.loop.total(m, self.element)


@final
class Least(Node):
    """``max`` (``sign`` 1) or ``min`` (``sign`` -1) of an element over a loop; 0 without iterations."""

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
    """``range(a, b)``, limited to a thousand numbers."""

    def __init__(self, low: Node, high: Node) -> None:
        self.low: Final = low
        self.high: Final = high
        self.first: M = 0
        self.end: M = 0

    def begin(self, m: Machine) -> M:
        low = self.low.eval(m)
        high = self.high.eval(m)
        if high > low + 1000:
            high = low + 1000
        self.first = low
        self.end = high - low
        if high > low:
            return 1
        return 0

    def step(self, m: Machine, at: M) -> M:
        m.value = self.first + at - 1
        if at < self.end:
            return at + 1
        return 0
