"""Construction of nodes from terms.

The builder chooses the cheapest form of each node and binds it to the numbers of a machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from shibumi3d.rules.marbles.engine.board import Box, Word
from shibumi3d.rules.marbles.engine.build.costs import cost, round_costs, source_cost
from shibumi3d.rules.marbles.engine.build.terms import (
    CHEAP,
    all_differ,
    cheap,
    conjuncts,
    factors,
    of_boards,
    of_origin,
    one_colour,
    other_of,
    tests_of,
    told_by,
)
from shibumi3d.rules.marbles.engine.nodes import loops, operators, places, totals, values
from shibumi3d.rules.marbles.engine.rules import LoopTerm, Term
from shibumi3d.rules.marbles.engine.workspace import Machine, Node

PLAIN: dict[str, Callable[..., Node]] = {
    "Or": operators.Or,
    "And": operators.And,
    "Without": operators.Without,
    "Plus": operators.Plus,
    "Minus": operators.Minus,
    "Times": operators.Times,
    "Divided": operators.Divided,
    "Modulo": operators.Modulo,
    "Equal": operators.Equal,
    "Unequal": operators.Unequal,
    "PartOf": operators.PartOf,
    "ProperPartOf": operators.ProperPartOf,
    "Among": operators.Among,
    "MemberOf": operators.MemberOf,
    "ItemsEqual": operators.ItemsEqual,
    "ItemsPartOf": operators.ItemsPartOf,
    "ItemsOr": operators.ItemsOr,
    "Not": operators.Not,
    "Negative": operators.Negative,
    "HasItems": operators.HasItems,
    "Truth": operators.Truth,
    "BoolAnd": operators.BoolAnd,
    "ScalarOr": operators.ScalarOr,
    "ItemsAndThen": lambda test, a, b: operators.IfElse(test, b, a),
    "ItemsOrElse": operators.IfElse,
    "Choice": operators.IfElse,
    "StockChoice": operators.IfElse,
    "EntryOf": operators.EntryOf,
    "StockOf": operators.StockOf,
    "Filled": values.Filled,
    "Empty": values.Empty,
    "Playable": values.Playable,
    "Free": values.Free,
    "Movable": values.Movable,
    "Visible": values.Visible,
    "Vacated": values.Vacated,
    "ChosenColour": values.ChosenColour,
    "Me": values.Me,
    "Mover": values.Mover,
    "Tied": values.Tied,
    "Winners": values.Winners,
    "Stuck": values.Stuck,
    "Able": values.Able,
    "Repeats": values.Repeats,
    "PassedBy": values.PassedBy,
    "Score": values.Score,
    "Count": places.Count,
    "CountItems": totals.CountItems,
    "CountStock": totals.CountStock,
    "AnyOf": totals.AnyOf,
    "AllOf": totals.AllOf,
    "Range": loops.Range,
    "Linked": places.Linked,
    "Seen": places.WhollySeen,
    "FullGroups": places.FullGroups,
    "ColoursOn": places.ColoursOn,
    "ColoursIn": places.ColoursIn,
    "Extreme": places.Extreme,
    "BoardOfSeat": places.BoardOfSeat,
    "OnBoard": places.OnBoard,
}
"""Node classes that take the same arguments as the term, by operation."""

MAKERS: dict[str, Callable[..., Node]] = {}
"""Functions that build the nodes of all other operations, by operation.

The neighbouring modules register theirs here.
"""


class NodeBuilder:
    """Builder of the nodes of one machine.

    If ``general`` is set, it doesn't use nodes that are optimized for common cases.
    """

    def __init__(self, m: Machine, general: bool = False) -> None:
        self.m = m
        self.rules = m.rules
        self.pyramid = m.rules.pyramid
        self.one_board = len(m.boards) == 1
        self.general = general
        self.ordered = False
        """Whether the loops being built make a list, whose order matters."""

    def word(self, slot: int) -> Word:
        """Return the number or set stored in a slot."""
        while slot >= len(self.m.names):
            self.m.names.append(Word(0))
        return self.m.names[slot]

    def box(self, slot: int) -> Box:
        """Return the list stored in a slot."""
        while slot >= len(self.m.boxes):
            self.m.boxes.append(Box())
        return self.m.boxes[slot]

    def optional(self, term: Term | None) -> Node | None:
        """Return the node of a term, or None if there is no term."""
        return None if term is None else self.node(term)

    def node(self, term: Term) -> Node:
        """Return the node of a term."""
        maker = MAKERS.get(term.op)
        if maker is not None:
            return maker(self, *term.args)
        return PLAIN[term.op](*[self.node(arg) if isinstance(arg, Term) else arg for arg in term.args])

    def by_seat(self, by_seat: tuple[int, ...]) -> Node:
        """Return a node for constants that differ by seat, given in seat order."""
        if len(set(by_seat)) == 1:
            return values.Const(by_seat[0])
        return values.BySeat([Word(value) for value in by_seat])

    def all_of(self, terms: list[Term]) -> Node:
        """Return the node of an intersection of sets.

        Constants are intersected when the node is built. The node evaluates the cheapest sets first.
        """
        fixed = ~0
        seats = [~0] * self.rules.seats
        others: list[Term] = []
        for term in terms:
            if term.op == "Const":
                fixed &= term.value
            elif term.op == "BySeat":
                seats = [one & other for one, other in zip(seats, term.value, strict=True)]
            else:
                others.append(term)
        seated = any(seat != ~0 for seat in seats)
        if not others:
            return self.by_seat(tuple(fixed & seat for seat in seats))
        nodes = [self.node(term) for term in sorted(others, key=lambda term: term.op not in CHEAP)]
        if seated:
            nodes.insert(1, self.by_seat(tuple(fixed & seat for seat in seats)))
        elif fixed != ~0:
            nodes[0] = operators.AndConst(nodes[0], fixed)
        found = nodes[0]
        for node in nodes[1:]:
            if isinstance(found, operators.And):
                found = operators.AndThree(found.a, found.b, node)
            else:
                found = operators.And(found, node)
        return found

    def truth(self, term: Term) -> Node:
        """Return the node of a term that is used only as a condition.

        Zero and the empty set count as false.
        """
        if self.general:
            return self.node(term)
        if term.op == "Not":
            return operators.Not(self.truth(term.args[0]))
        if term.op == "BoolAnd":
            return operators.BoolAnd(self.truth(term.args[0]), self.truth(term.args[1]))
        if term.op == "And":
            turned = self.turned(factors(term))
            if turned is not None:
                return turned
        return self.node(term)

    def turned(self, terms: list[Term]) -> Node | None:
        """Rewrite ``touching(g) & X`` as ``g & touching(X)``; return the node, or None if impossible.

        The two are equivalent as conditions, because one set is empty exactly if the other is. ``diagonal_to`` is
        rewritten in the same way. X must depend on the board alone; ``touching(X)`` is then evaluated only once for
        each position.
        """
        for term in terms:
            if term.op == "Relation" and term.args[0] in ("touching", "diagonal"):
                table, inner = term.args
                rest = [other for other in terms if other is not term]
                if inner.op == "Slot" and rest and all(of_boards(other) for other in rest):
                    words = list(getattr(self.pyramid, table))
                    near = places.Cached(places.Relation(words, self.all_of(rest)))
                    return operators.And(self.node(inner), near)
        return None

    def every(self, tests: Iterable[Term]) -> Node | None:
        """Return the node of a conjunction of tests, or None if there are no tests."""
        found: Node | None = None
        for part in reversed(list(tests)):
            node = self.truth(part)
            found = node if found is None else operators.BoolAnd(node, found)
        return found

    def loop(self, terms: tuple[LoopTerm, ...], element: Term) -> loops.Loop:
        """Return nested loops around an element; ``terms`` lists the loops from the outermost inward."""
        term, source = self.narrowed(terms[0])
        test = self.every(term.tests)
        inner = self.loop(terms[1:], element) if len(terms) > 1 else None
        made = loops.Loop(self.word(term.slot), source, test, inner, term.kind == "sets")
        made.cost, made.late = round_costs(term, source_cost(terms[1]) if inner else cost(element))
        return made

    def source(self, term: LoopTerm) -> Node:
        """Return the node of the values that a loop iterates over."""
        if term.whole is not None:
            return loops.Subsets(list(term.source.value), self.node(term.whole))
        if term.kind == "bits":
            return loops.Bits(self.node(term.source))
        if term.kind == "lists":
            return loops.Lists(self.node(term.source), self.box(term.slot))
        if term.source.op == "Groups" and not self.general and not self.ordered:
            seeds = self.seeds(term)
            if seeds is not None and one_colour(term.source.args[0]):
                return places.GroupsWith(self.node(term.source.args[0]), seeds)
        return self.node(term.source)

    def narrowed(self, term: LoopTerm) -> tuple[LoopTerm, Node]:
        """Return a loop without its cacheable tests, and a source that applies these tests.

        There are two cases. In one, the source is a fixed family whose members must contain the point of an outer loop.
        In the other, it is a set of points, with tests that depend only on the point and on the moving marble's origin.
        """
        if self.general:
            return term, self.source(term)
        other = other_of(term)
        if other >= 0:
            test, rest = self.parted(term, lambda test: told_by(test, term.slot, other))
            words = self.word(term.slot), self.word(other)
            return rest, loops.Fitting(list(term.source.value), *words, test, self.pyramid.count)
        if term.kind == "bits" and any(of_origin(t, term.slot) for t in tests_of(term)):
            test, rest = self.parted(term, lambda test: of_origin(test, term.slot))
            points = self.node(term.source)
            passing = loops.Passing(points, self.word(term.slot), test, self.pyramid.count)
            return rest, loops.Bits(passing)
        return term, self.source(term)

    def parted(self, term: LoopTerm, known: Callable[[Term], bool]) -> tuple[Node, LoopTerm]:
        """Return the node of the tests accepted by ``known``, and the loop without them.

        ``known`` must accept at least one test.
        """
        tests = tests_of(term)
        node = self.every(test for test in tests if known(test))
        assert node is not None
        return node, replace(term, tests=tuple(test for test in tests if not known(test)))

    def seeds(self, term: LoopTerm) -> Node | None:
        """Return the node of a set that groups must intersect to pass a loop's tests, or None.

        The set is X in a test ``g & X``, which may be part of a conjunction. X must be cheap and the same for all
        groups.
        """
        here = f"v{term.slot}"
        for test in term.tests:
            for part in conjuncts(test):
                terms = factors(part)
                rest = [x for x in terms if not (x.op == "Slot" and x.args[0] == term.slot)]
                if rest and len(rest) < len(terms) and all(here not in x.deps and cheap(x) for x in rest):
                    return self.all_of(rest)
        return None

    def collected(self, terms: tuple[LoopTerm, ...], element: Term, once: bool) -> Node:
        """Return the node of a list comprehension; with ``once``, duplicates are removed."""
        before, self.ordered = self.ordered, True
        apart = len(terms) == 1 and all_differ(terms[0], element)
        found = loops.Collected(self.loop(terms, element), self.node(element), once, apart)
        self.ordered = before
        return found
