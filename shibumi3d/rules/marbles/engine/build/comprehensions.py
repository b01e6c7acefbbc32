"""Builders of nodes for comprehensions, quantifiers and totals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from shibumi3d.rules.marbles.engine.build.geometry import INVERSE_RELATIONS
from shibumi3d.rules.marbles.engine.build.nodes import NodeBuilder
from shibumi3d.rules.marbles.engine.build.term_analysis import factors, is_plain_set, split_tests, term_cost
from shibumi3d.rules.marbles.engine.machine import Node
from shibumi3d.rules.marbles.engine.nodes import geometry, loops, operators
from shibumi3d.rules.marbles.engine.rules import LoopTerm, Term


def _union(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    last = terms[-1]
    if (
        len(terms) > 1
        and last.kind == "bits"
        and not last.tests
        and last.superset is None
        and last.source.op == "Slot"
        and last.source.args[0] == terms[-2].slot
        and element.op == "Slot"
        and element.args[0] == last.slot
    ):
        return _union(builder, terms[:-1], last.source)  # {p for g in … for p in g} is the union of all g
    if len(terms) == 1 and element.op == "Slot" and element.args[0] == last.slot and not builder.is_general:
        passing = passing_points(builder, last, element)
        if passing is not None:
            return passing
    return loops.Union(builder.loop(terms, element), builder.build(element))


def passing_points(builder: NodeBuilder, loop: LoopTerm, element: Term) -> Node | None:
    """Return a node for ``{p for p in … if …}`` that tests many points at once, or None if that is impossible.

    ``element`` is the term for ``p``. Every test that can be made on all points at once is replaced by the set of all
    points that pass it; see :func:`points_that_pass`. If there are other tests, they are still applied to one point at
    a time.
    """
    if loop.kind != "bits" or loop.superset is not None:
        return None
    sets: list[Node] = []
    rest: list[Term] = []
    for test in split_tests(loop):
        node = points_that_pass(builder, test, loop.slot)
        if node is None:
            rest.append(test)
        else:
            sets.append(node)
    if not sets:
        return None
    source = builder.build(loop.source)
    for node in sets:
        source = operators.SetIntersection(source, node)
    if not rest:
        return source
    return loops.Union(
        builder.loop((replace(loop, tests=tuple(rest)),), element, source), builder.build(element)
    )


def points_that_pass(builder: NodeBuilder, test: Term, slot: int) -> Node | None:
    """Return the node for the set of all points that pass a test, or None if there is no such node.

    For instance, ``p`` passes ``supports(p) & X`` if it is among the points that rest on X, and passes ``all(q & X for
    q in supports(p))`` if it isn't among those that rest on a point outside X. ``slot`` is the slot of the variable for
    the point. The set can include bits that stand for no point. The result is None if the test doesn't depend on this
    variable, or if the set can't be computed all at once.
    """
    name = f"v{slot}"
    if name not in test.dependencies:
        return None
    if test.op == "Not":
        return _complement(points_that_pass(builder, test.args[0], slot))
    if test.op == "BoolAnd":
        both = [points_that_pass(builder, part, slot) for part in test.args]
        return None if both[0] is None or both[1] is None else operators.SetIntersection(both[0], both[1])
    if test.op in ("Less", "AtMost"):
        return _points_related_to_few(builder, builder.condition(test), slot)
    if test.op in ("All", "Any"):
        return _points_with_related(builder, test, slot)
    if test.op == "PartOf":
        part, whole = test.args
        if name in whole.dependencies or not is_plain_set(whole):
            return None
        outside = operators.Complement(builder.build(whole), builder.pyramid.all_points)
        return _complement(_points_meeting(builder, part, outside, slot))
    if test.op == "And":
        terms = factors(test)
        varying = [term for term in terms if name in term.dependencies]
        rest = [term for term in terms if name not in term.dependencies]
        if len(varying) == 1 and rest and all(map(is_plain_set, rest)):
            return _points_meeting(builder, varying[0], builder.intersection(rest), slot)
    return None


def _complement(node: Node | None) -> Node | None:
    """Return the node for the complement of a set, or None if ``node`` is None.

    The complement includes the bits that stand for no point.
    """
    return None if node is None else operators.Complement(node, -1)


def _points_meeting(builder: NodeBuilder, term: Term, others: Node, slot: int) -> Node | None:
    """Return the node for the set of all points p for which ``term`` intersects the set ``others``.

    ``slot`` is the slot of the variable p, on which ``term`` must depend. The result is None unless ``term`` is p
    itself or the set of the points that are related to p in a certain way, such as its supports.
    """
    if term.op == "Slot":
        return others
    if term.op == "Relation" and term.args[1].op == "Slot" and term.args[1].args[0] == slot:
        inverse = INVERSE_RELATIONS[term.args[0]]
        return geometry.RelatedPoints(list(getattr(builder.pyramid, inverse)), others)
    return None


def _points_related_to_few(builder: NodeBuilder, test: Node, slot: int) -> Node | None:
    """Return the node for the points that pass ``test``.

    ``slot`` is the slot of the variable for the point. The result is None unless ``test`` compares the number of
    marbles related to this point with a limit.
    """
    word = builder.word(slot)
    if isinstance(test, geometry.FewerRelated) and test.point is word:
        return _complement(geometry.CrowdedPoints(test))
    if isinstance(test, operators.Not):
        fewer = test.a
        if isinstance(fewer, geometry.FewerRelated) and fewer.point is word:
            return geometry.CrowdedPoints(fewer)
    return None


def _points_with_related(builder: NodeBuilder, test: Term, slot: int) -> Node | None:
    """Return the node for the points that pass ``test``, or None if they can't be computed all at once.

    ``test`` is an ``all`` or ``any``, and ``slot`` is the slot of the variable for the tested point. The result is None
    unless the test has a single loop, which runs over the tested point itself or over points related to it, such as its
    supports.
    """
    loops_around, element = test.args
    loop = loops_around[0]
    is_all = test.op == "All"
    if len(loops_around) > 1 or loop.kind != "bits" or loop.superset is not None:
        return None
    tests = split_tests(loop)
    if element.op != "Const":
        tests.append(element)
    if len(tests) != 1 or (is_all and loop.tests) or f"v{slot}" in tests[0].dependencies:
        return None
    passing = points_that_pass(builder, tests[0], loop.slot)
    if passing is None:
        return None
    if is_all:
        failing = operators.Complement(passing, builder.pyramid.all_points)
        return _complement(_points_meeting(builder, loop.source, failing, slot))
    passing = operators.ConstIntersection(passing, builder.pyramid.all_points)
    return _points_meeting(builder, loop.source, passing, slot)


def _family(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    return builder.list_comprehension(terms, element, True)


def _listing(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    return builder.list_comprehension(terms, element, False)


def _any(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    only = terms[0]
    if only.superset is not None and len(terms) == 1 and element.op == "Const" and not builder.is_general:
        rest = builder.conjunction(only.tests)
        family = list(only.source.value)
        if len(family) * builder.pyramid.point_count < 1_000_000:
            made = loops.AnySubset(
                builder.word(only.slot),
                family,
                builder.build(only.superset),
                rest,
                builder.pyramid.point_count,
                builder.rules.seats,
            )
            made.cost = sum(term_cost(part) for part in only.tests)
            return made
    return loops.AnyInLoop(builder.loop(terms, element), builder.condition(element))


def _all(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    loop = terms[0]
    if (
        len(terms) == 1
        and loop.kind == "bits"
        and not loop.tests
        and element.op == "PartOf"
        and element.args[0].op == "Relation"
        and element.args[0].args[1].op == "Slot"
        and element.args[0].args[1].args[0] == loop.slot
        and f"v{loop.slot}" not in element.args[1].dependencies
        and not builder.is_general
    ):
        # Testing the neighbours of the whole set is the same as testing those of each point.
        table, _ = element.args[0].args
        near = geometry.RelatedPoints(list(getattr(builder.pyramid, table)), builder.build(loop.source))
        return operators.Subset(near, builder.build(element.args[1]))
    return loops.AllInLoop(builder.loop(terms, element), builder.condition(element))


def _total(builder: NodeBuilder, name: str, list_term: Term) -> Node:
    if list_term.op == "Listing" and name in ("sum", "max", "min"):
        loop, element = builder.loop(*list_term.args), builder.build(list_term.args[1])
        if name == "sum":
            return loops.SumLoop(loop, element)
        return loops.ExtremeLoop(loop, element, 1 if name == "max" else -1)
    return loops.ListTotal(name, builder.build(list_term))


LOOP_NODE_BUILDERS: Final[dict[str, Callable[..., Node]]] = {
    "Union": _union,
    "Family": _family,
    "Listing": _listing,
    "Any": _any,
    "All": _all,
    "Total": _total,
}
"""Functions that build nodes, by operation."""
