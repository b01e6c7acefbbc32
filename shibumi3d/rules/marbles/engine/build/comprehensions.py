"""Builders of nodes for comprehensions, quantifiers and totals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine.build.nodes import NodeBuilder
from shibumi3d.rules.marbles.engine.build.term_analysis import term_cost
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
        return loops.FamilyUnion(builder.loop(terms[:-1], element))
    return loops.Union(builder.loop(terms, element), builder.build(element))


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
"""Functions that build the node of an operation, by operation."""
