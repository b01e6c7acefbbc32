"""Builders of nodes for comprehensions, quantifiers and totals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine.build.costs import cost
from shibumi3d.rules.marbles.engine.build.nodes import NodeBuilder
from shibumi3d.rules.marbles.engine.nodes import loops, operators, places, totals
from shibumi3d.rules.marbles.engine.rules import LoopTerm, Term
from shibumi3d.rules.marbles.engine.workspace import Node


def _union(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    last = terms[-1]
    if (
        len(terms) > 1
        and last.kind == "bits"
        and not last.tests
        and last.whole is None
        and last.source.op == "Slot"
        and last.source.args[0] == terms[-2].slot
        and element.op == "Slot"
        and element.args[0] == last.slot
    ):
        return loops.Members(builder.loop(terms[:-1], element))
    return loops.Union(builder.loop(terms, element), builder.node(element))


def _family(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    return builder.collected(terms, element, True)


def _listing(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    return builder.collected(terms, element, False)


def _any(builder: NodeBuilder, terms: tuple[LoopTerm, ...], element: Term) -> Node:
    only = terms[0]
    if only.whole is not None and len(terms) == 1 and element.op == "Const" and not builder.general:
        rest = builder.every(only.tests)
        family = list(only.source.value)
        if len(family) * builder.pyramid.count < 1_000_000:
            made = loops.AnySubset(
                builder.word(only.slot),
                family,
                builder.node(only.whole),
                rest,
                builder.pyramid.count,
                builder.rules.seats,
            )
            made.cost = sum(cost(part) for part in only.tests)
            return made
    return loops.Any(builder.loop(terms, element), builder.truth(element))


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
        and f"v{loop.slot}" not in element.args[1].deps
        and not builder.general
    ):
        # Testing the neighbours of the whole set is the same as testing those of each point.
        table, _ = element.args[0].args
        near = places.Relation(list(getattr(builder.pyramid, table)), builder.node(loop.source))
        return operators.PartOf(near, builder.node(element.args[1]))
    return loops.All(builder.loop(terms, element), builder.truth(element))


def _total(builder: NodeBuilder, name: str, listed: Term) -> Node:
    if listed.op == "Listing" and name in ("sum", "max", "min"):
        loop, element = builder.loop(*listed.args), builder.node(listed.args[1])
        if name == "sum":
            return loops.Sum(loop, element)
        return loops.Least(loop, element, 1 if name == "max" else -1)
    return totals.SumOf(name, builder.node(listed))


MAKERS: Final[dict[str, Callable[..., Node]]] = {
    "Union": _union,
    "Family": _family,
    "Listing": _listing,
    "Any": _any,
    "All": _all,
    "Total": _total,
}
"""Functions that build the node of an operation, by operation."""
