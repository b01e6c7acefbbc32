"""Builders of nodes for points, groups, seats and stocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine.build.nodes import NodeBuilder
from shibumi3d.rules.marbles.engine.build.term_analysis import factors, is_one_colour
from shibumi3d.rules.marbles.engine.machine import Node
from shibumi3d.rules.marbles.engine.nodes import geometry, operators, values
from shibumi3d.rules.marbles.engine.rules import Term

MAX_EARLY_COUNT: Final = 4
"""Largest ``n`` for which ``count(a) < n`` counts points one by one and stops early."""


def _relation(builder: NodeBuilder, table_name: str, points: Term) -> Node:
    return geometry.RelatedPoints(list(getattr(builder.pyramid, table_name)), builder.build(points))


INVERSE_RELATIONS: Final = {
    "touching": "touching",
    "diagonal": "diagonal",
    "supports": "resting",
    "resting": "supports",
}
"""Names of the pyramid's relation tables, each mapped to the name of the inverse relation's table."""


def _varies_in_loop(term: Term) -> bool:
    """Return whether a term depends on a loop variable or on a parameter of a ``define``."""
    return any(name.startswith("v") for name in term.dependencies)


def _fewer(builder: NodeBuilder, a: Term, limit: int) -> Node:
    """Return the node for ``count(a) < limit``.

    ``limit`` must be from 1 to :data:`MAX_EARLY_COUNT`. Where possible, the node is a :class:`.FewerRelated`, which
    tests all points of a loop together.
    """
    terms = factors(a)
    for term in terms:
        if term.op != "Relation":
            continue
        table, related = term.args
        rest = [other for other in terms if other is not term]
        if related.op == "Slot" and _varies_in_loop(related) and rest and not any(map(_varies_in_loop, rest)):
            inverse = INVERSE_RELATIONS[table]
            return geometry.FewerRelated(
                list(getattr(builder.pyramid, table)),
                list(getattr(builder.pyramid, inverse)),
                builder.word(related.args[0]),
                builder.intersection(rest),
                limit,
            )
    return geometry.FewerThan(builder.build(a), limit)


def _less(builder: NodeBuilder, a: Term, b: Term) -> Node:
    if not builder.is_general:
        if a.op == "Count" and b.op == "Const" and 1 <= b.value <= MAX_EARLY_COUNT:
            return _fewer(builder, a.args[0], b.value)
        if a.op == "Const" and b.op == "Count" and 0 <= a.value < MAX_EARLY_COUNT:
            return operators.Not(_fewer(builder, b.args[0], a.value + 1))
    return operators.Less(builder.build(a), builder.build(b))


def _at_most(builder: NodeBuilder, a: Term, b: Term) -> Node:
    if not builder.is_general:
        if a.op == "Count" and b.op == "Const" and 0 <= b.value < MAX_EARLY_COUNT:
            return _fewer(builder, a.args[0], b.value + 1)
        if a.op == "Const" and b.op == "Count" and 1 <= a.value <= MAX_EARLY_COUNT:
            return operators.Not(_fewer(builder, b.args[0], a.value))
    return operators.LessOrEqual(builder.build(a), builder.build(b))


def _marbles(builder: NodeBuilder, colours: Term) -> Node:
    if colours.op == "ColoursOn" and not builder.is_general:
        return geometry.SameColourAs(builder.build(colours.args[0]))
    return values.MarblesOfColours(builder.build(colours))


def _level(builder: NodeBuilder, a: Term) -> Node:
    return geometry.LevelOf(builder.pyramid, builder.build(a))


def _steps(builder: NodeBuilder, a: Term, b: Term) -> Node:
    return geometry.HalfStepDistance(builder.pyramid, builder.build(a), builder.build(b))


def _copies(builder: NodeBuilder, a: Term) -> Node:
    return geometry.ShapeCopies(builder.pyramid, builder.build(a))


def _longest_path(builder: NodeBuilder, a: Term) -> Node:
    return geometry.LongestPath(builder.pyramid, builder.build(a))


def _groups(builder: NodeBuilder, a: Term) -> Node:
    return (
        geometry.OneColourGroups(builder.build(a)) if is_one_colour(a) else geometry.Groups(builder.build(a))
    )


def _colours_of(builder: NodeBuilder, owned: tuple[int, ...], seats: Term) -> Node:
    return geometry.OwnershipMap(list(owned), builder.build(seats), True)


def _owner(builder: NodeBuilder, owned: tuple[int, ...], colours: Term) -> Node:
    return geometry.OwnershipMap(list(owned), builder.build(colours), False)


def _seat_number(builder: NodeBuilder, seat_number: Term) -> Node:
    return geometry.SeatByNumber(builder.build(seat_number), builder.rules.seats)


def _neighbour(builder: NodeBuilder, seats: Term, step: int) -> Node:
    return geometry.AdjacentSeats(builder.build(seats), builder.rules.seats, step)


def _stock_value(builder: NodeBuilder, base: int, seat: Term | None) -> Node:
    return geometry.StockContents(base, builder.build_optional(seat), builder.rules.seats)


GEOMETRY_NODE_BUILDERS: Final[dict[str, Callable[..., Node]]] = {
    "Less": _less,
    "AtMost": _at_most,
    "Marbles": _marbles,
    "Relation": _relation,
    "Level": _level,
    "Steps": _steps,
    "Copies": _copies,
    "LongestPath": _longest_path,
    "Groups": _groups,
    "ColoursOf": _colours_of,
    "Owner": _owner,
    "SeatNumber": _seat_number,
    "Neighbour": _neighbour,
    "StockValue": _stock_value,
}
"""Functions that build nodes, by operation."""
