"""Construction of nodes from terms.

The builder chooses the cheapest form of each node and binds it to the Words of a machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from shibumi3d.rules.marbles.engine.board import ListWord, Word
from shibumi3d.rules.marbles.engine.build.term_analysis import (
    CHEAP_OPS,
    conjuncts,
    depends_only_on_board,
    depends_only_on_origin,
    depends_only_on_slots,
    elements_are_distinct,
    factors,
    is_cheap,
    is_one_colour,
    iteration_costs,
    loop_start_cost,
    required_outer_slot,
    split_tests,
    term_cost,
)
from shibumi3d.rules.marbles.engine.machine import Machine, Node
from shibumi3d.rules.marbles.engine.nodes import geometry, loops, operators, values
from shibumi3d.rules.marbles.engine.rules import LoopTerm, Term

NODE_CLASSES: dict[str, Callable[..., Node]] = {
    "Or": operators.SetUnion,
    "And": operators.SetIntersection,
    "Without": operators.SetDifference,
    "Plus": operators.Add,
    "Minus": operators.Subtract,
    "Times": operators.Multiply,
    "Divided": operators.FloorDivide,
    "Modulo": operators.Modulo,
    "Equal": operators.Equal,
    "Unequal": operators.Unequal,
    "PartOf": operators.Subset,
    "ProperPartOf": operators.ProperSubset,
    "Among": operators.NonEmptySubset,
    "MemberOf": operators.InList,
    "ItemsEqual": operators.ListsEqual,
    "ItemsPartOf": operators.ListSubset,
    "ItemsOr": operators.ListUnion,
    "Not": operators.Not,
    "Negative": operators.Negate,
    "HasItems": operators.ListNotEmpty,
    "Truth": operators.AsBool,
    "BoolAnd": operators.BoolAnd,
    "ScalarOr": operators.OrElse,
    "ItemsAndThen": lambda test, a, b: operators.Conditional(test, b, a),
    "ItemsOrElse": operators.Conditional,
    "Choice": operators.Conditional,
    "StockChoice": operators.Conditional,
    "EntryOf": operators.ItemAt,
    "StockOf": operators.StockByColour,
    "Filled": values.Filled,
    "Empty": values.Empty,
    "Playable": values.Playable,
    "Free": values.SupportingNone,
    "Movable": values.Movable,
    "Visible": values.Visible,
    "Vacated": values.Vacated,
    "ChosenColour": values.ChosenColour,
    "Me": values.Me,
    "Mover": values.Mover,
    "Tied": values.Tied,
    "Winners": values.Winners,
    "Stuck": values.Stuck,
    "Able": values.AnyAble,
    "Repeats": values.TurnsSinceRepetition,
    "PassedBy": values.AllPassed,
    "Score": values.Score,
    "Count": geometry.SetSize,
    "CountItems": loops.ListLength,
    "CountStock": loops.StockSize,
    "AnyOf": loops.AnyInList,
    "AllOf": loops.AllInList,
    "Range": loops.Range,
    "Linked": geometry.VisiblyLinked,
    "Seen": geometry.IsFullyVisible,
    "FullGroups": geometry.FullGroups,
    "ColoursOn": geometry.ColoursOfMarbles,
    "ColoursIn": geometry.ColoursInStock,
    "Extreme": geometry.ExtremeColours,
    "BoardOfSeat": geometry.BoardOfSeat,
    "OnBoard": geometry.OnBoard,
}
"""Classes or functions that make nodes from the arguments of their terms, by operation."""

NODE_BUILDERS: dict[str, Callable[..., Node]] = {}
"""Functions that build the nodes of all other operations, by operation.

The neighbouring modules add their functions here.
"""


class NodeBuilder:
    """Builder of nodes for one machine.

    By default, the builder makes faster nodes for common forms of terms, which, for example, cache tests or test all
    points of a loop at once. If ``is_general`` is set, it leaves out most of these optimizations. It keeps some simple
    ones, such as a special node for the intersection with a constant.
    """

    def __init__(self, m: Machine, general: bool = False) -> None:
        self.m = m
        self.rules = m.rules
        self.pyramid = m.rules.pyramid
        self.has_one_board = len(m.boards) == 1
        self.is_general = general
        self.keeps_order = False
        """Whether the loops being built make a list, whose order matters."""

    def word(self, slot: int) -> Word:
        """Return the Word that stores the number or set in a slot, creating it on first use."""
        while slot >= len(self.m.name_words):
            self.m.name_words.append(Word(0))
        return self.m.name_words[slot]

    def list_word(self, slot: int) -> ListWord:
        """Return the ListWord that stores the list in a slot, creating it on first use."""
        while slot >= len(self.m.list_words):
            self.m.list_words.append(ListWord())
        return self.m.list_words[slot]

    def build_optional(self, term: Term | None) -> Node | None:
        """Return the node for a term, or None if there is no term."""
        return None if term is None else self.build(term)

    def build(self, term: Term) -> Node:
        """Return the node for a term."""
        maker = NODE_BUILDERS.get(term.op)
        if maker is not None:
            return maker(self, *term.args)
        return NODE_CLASSES[term.op](
            *[self.build(arg) if isinstance(arg, Term) else arg for arg in term.args]
        )

    def constants_by_seat(self, by_seat: tuple[int, ...]) -> Node:
        """Return a node for the acting seat's value in ``by_seat``.

        ``by_seat`` contains a constant for each seat, in seat order.
        """
        if len(set(by_seat)) == 1:
            return values.Const(by_seat[0])
        return values.ForActingSeat([Word(value) for value in by_seat])

    def intersection(self, terms: list[Term]) -> Node:
        """Return the node for an intersection of sets.

        Constants are intersected when the node is built. The node evaluates sets that are cheap to compute before the
        others.
        """
        fixed = ~0
        seats = [~0] * self.rules.seats
        others: list[Term] = []
        for term in terms:
            if term.op == "Const":
                fixed &= term.value
            elif term.op == "BySeat":
                seats = [mask & other for mask, other in zip(seats, term.value, strict=True)]
            else:
                others.append(term)
        seated = any(seat != ~0 for seat in seats)
        if not others:
            return self.constants_by_seat(tuple(fixed & seat for seat in seats))
        nodes = [self.build(term) for term in sorted(others, key=lambda term: term.op not in CHEAP_OPS)]
        if seated:
            nodes.insert(1, self.constants_by_seat(tuple(fixed & seat for seat in seats)))
        elif fixed != ~0:
            nodes[0] = operators.ConstIntersection(nodes[0], fixed)
        result = nodes[0]
        for node in nodes[1:]:
            if isinstance(result, operators.SetIntersection):
                result = operators.TripleIntersection(result.a, result.b, node)
            else:
                result = operators.SetIntersection(result, node)
        return result

    def condition(self, term: Term) -> Node:
        """Return a node for a term that serves only as a condition; zero and the empty set are false.

        The value of the node can differ from that of the term, but both are zero or empty in the same cases.
        """
        if self.is_general:
            return self.build(term)
        if term.op == "Not":
            return operators.Not(self.condition(term.args[0]))
        if term.op == "BoolAnd":
            return operators.BoolAnd(self.condition(term.args[0]), self.condition(term.args[1]))
        if term.op == "And":
            turned = self.swap_relation(factors(term))
            if turned is not None:
                return turned
        return self.build(term)

    def swap_relation(self, terms: list[Term]) -> Node | None:
        """Rewrite ``touching(g) & X`` as ``g & touching(X)``; return the node, or None if that is impossible.

        ``terms`` are the operands of the intersection. The two forms are equivalent as conditions, because one set is
        empty if and only if the other is. ``diagonal_to`` is rewritten in the same way. ``g`` must be a variable, and X
        must depend on the board alone; ``touching(X)`` is then evaluated only once for each position.
        """
        for term in terms:
            if term.op == "Relation" and term.args[0] in ("touching", "diagonal"):
                table, inner = term.args
                rest = [other for other in terms if other is not term]
                if inner.op == "Slot" and rest and all(depends_only_on_board(other) for other in rest):
                    words = list(getattr(self.pyramid, table))
                    near = geometry.CachedByBoard(geometry.RelatedPoints(words, self.intersection(rest)))
                    return operators.SetIntersection(self.build(inner), near)
        return None

    def conjunction(self, tests: Iterable[Term]) -> Node | None:
        """Return the node for a conjunction of tests, or None if there are no tests."""
        result: Node | None = None
        for part in reversed(list(tests)):
            node = self.condition(part)
            result = node if result is None else operators.BoolAnd(node, result)
        return result

    def loop(self, terms: tuple[LoopTerm, ...], element: Term, points: Node | None = None) -> loops.Loop:
        """Return the loop for the first of ``terms``, with the loops for the other terms nested inside it.

        ``element`` is the term to be evaluated in the innermost loop; here, only its cost matters. ``points``, if
        given, is the set over which the outermost loop iterates instead of its source.
        """
        term, source = self.split_cacheable_tests(terms[0], points)
        test = self.conjunction(term.tests)
        inner = self.loop(terms[1:], element) if len(terms) > 1 else None
        loop = loops.Loop(self.word(term.slot), source, test, inner, term.kind == "sets")
        loop.cost, loop.cost_if_tests_hold = iteration_costs(
            term, loop_start_cost(terms[1]) if inner else term_cost(element)
        )
        return loop

    def source(self, term: LoopTerm) -> Node:
        """Return the node for the values that a loop iterates over.

        Groups that can't pass the loop's tests may be left out, unless ``is_general`` or ``keeps_order`` is set. For a
        loop over lists, the node also stores each family in the list word of the loop's slot.
        """
        if term.superset is not None:
            return loops.ConstSubsets(list(term.source.value), self.build(term.superset))
        if term.kind == "bits":
            return loops.BitMembers(self.build(term.source))
        if term.kind == "lists":
            return loops.FamilyMembers(self.build(term.source), self.list_word(term.slot))
        if term.source.op == "Groups" and not self.is_general and not self.keeps_order:
            seeds = self.group_seeds(term)
            if seeds is not None and is_one_colour(term.source.args[0]):
                return geometry.OneColourGroupsMeeting(self.build(term.source.args[0]), seeds)
        return self.build(term.source)

    def split_cacheable_tests(self, term: LoopTerm, points: Node | None = None) -> tuple[LoopTerm, Node]:
        """Return a loop without its cacheable tests, and a source that applies these tests.

        ``points``, if given, is a set that replaces the source of a loop over points. It is ignored if ``is_general``
        is set.

        Tests can be cached in two cases. In one, the source is a fixed family, a test requires its members to contain
        the points of an outer variable, and the tests to be cached depend on nothing but the loop variable and this
        outer variable. In the other, the source is a set of points, colours or seats, and the tests to be cached depend
        only on the loop variable and on the moving marble's origin. If there are no such tests or if ``is_general`` is
        set, the loop is returned unchanged.
        """
        if self.is_general:
            return term, self.source(term)
        other = required_outer_slot(term)
        if other >= 0:
            test, rest = self.split_tests_by(term, lambda test: depends_only_on_slots(test, term.slot, other))
            words = self.word(term.slot), self.word(other)
            return rest, loops.CachedFamilyFilter(
                list(term.source.value), *words, test, self.pyramid.point_count
            )
        if term.kind == "bits" and any(depends_only_on_origin(t, term.slot) for t in split_tests(term)):
            test, rest = self.split_tests_by(term, lambda test: depends_only_on_origin(test, term.slot))
            source = self.build(term.source) if points is None else points
            passing = loops.CachedFilter(source, self.word(term.slot), test, self.pyramid.point_count)
            return rest, loops.BitMembers(passing)
        return term, self.source(term) if points is None else loops.BitMembers(points)

    def split_tests_by(self, term: LoopTerm, is_cacheable: Callable[[Term], bool]) -> tuple[Node, LoopTerm]:
        """Return the node for the tests accepted by ``is_cacheable``, and the loop without them.

        ``is_cacheable`` must accept at least one test.
        """
        tests = split_tests(term)
        node = self.conjunction(test for test in tests if is_cacheable(test))
        assert node is not None
        return node, replace(term, tests=tuple(test for test in tests if not is_cacheable(test)))

    def group_seeds(self, term: LoopTerm) -> Node | None:
        """Return the node for a set that groups must intersect to pass a loop's tests, or None if there is none.

        The set is X in a test ``g & X``, where ``g`` is the loop variable. The test can be part of a conjunction. X
        must be cheap and the same for all groups.
        """
        name = f"v{term.slot}"
        for test in term.tests:
            for part in conjuncts(test):
                terms = factors(part)
                rest = [x for x in terms if not (x.op == "Slot" and x.args[0] == term.slot)]
                if (
                    rest
                    and len(rest) < len(terms)
                    and all(name not in x.dependencies and is_cheap(x) for x in rest)
                ):
                    return self.intersection(rest)
        return None

    def list_comprehension(self, terms: tuple[LoopTerm, ...], element: Term, remove_duplicates: bool) -> Node:
        """Return the node for a list comprehension.

        If ``remove_duplicates`` is set, duplicate numbers or sets are removed from the list.
        """
        before, self.keeps_order = self.keeps_order, True
        apart = len(terms) == 1 and elements_are_distinct(terms[0], element)
        found = loops.ListComprehension(
            self.loop(terms, element), self.build(element), remove_duplicates, apart
        )
        self.keeps_order = before
        return found
