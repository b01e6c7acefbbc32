"""Builders of nodes for points, groups, seats and stocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine.build.nodes import NodeBuilder
from shibumi3d.rules.marbles.engine.build.terms import one_colour
from shibumi3d.rules.marbles.engine.nodes import operators, places, values
from shibumi3d.rules.marbles.engine.rules import Term
from shibumi3d.rules.marbles.engine.workspace import Node

FEW: Final = 4
"""Largest ``n`` for which ``count(a) < n`` counts points one by one and stops early."""


def _relation(builder: NodeBuilder, table: str, a: Term) -> Node:
    return places.Relation(list(getattr(builder.pyramid, table)), builder.node(a))


def _less(builder: NodeBuilder, a: Term, b: Term) -> Node:
    if not builder.general:
        if a.op == "Count" and b.op == "Const" and 1 <= b.value <= FEW:
            return places.Fewer(builder.node(a.args[0]), b.value)
        if a.op == "Const" and b.op == "Count" and 0 <= a.value < FEW:
            return operators.Not(places.Fewer(builder.node(b.args[0]), a.value + 1))
    return operators.Less(builder.node(a), builder.node(b))


def _at_most(builder: NodeBuilder, a: Term, b: Term) -> Node:
    if not builder.general:
        if a.op == "Count" and b.op == "Const" and 0 <= b.value < FEW:
            return places.Fewer(builder.node(a.args[0]), b.value + 1)
        if a.op == "Const" and b.op == "Count" and 1 <= a.value <= FEW:
            return operators.Not(places.Fewer(builder.node(b.args[0]), a.value))
    return operators.AtMost(builder.node(a), builder.node(b))


def _marbles(builder: NodeBuilder, colours: Term) -> Node:
    if colours.op == "ColoursOn" and not builder.general:
        return places.AlikeOn(builder.node(colours.args[0]))
    return values.Marbles(builder.node(colours))


def _level(builder: NodeBuilder, a: Term) -> Node:
    return places.LevelOf(builder.pyramid, builder.node(a))


def _steps(builder: NodeBuilder, a: Term, b: Term) -> Node:
    return places.Steps(builder.pyramid, builder.node(a), builder.node(b))


def _copies(builder: NodeBuilder, a: Term) -> Node:
    return places.Copies(builder.pyramid, builder.node(a))


def _longest_path(builder: NodeBuilder, a: Term) -> Node:
    return places.LongestPath(builder.pyramid, builder.node(a))


def _groups(builder: NodeBuilder, a: Term) -> Node:
    return places.GroupsOf(builder.node(a)) if one_colour(a) else places.Groups(builder.node(a))


def _colours_of(builder: NodeBuilder, owned: tuple[int, ...], seats: Term) -> Node:
    return places.BySeats(list(owned), builder.node(seats), True)


def _owner(builder: NodeBuilder, owned: tuple[int, ...], colours: Term) -> Node:
    return places.BySeats(list(owned), builder.node(colours), False)


def _seat_number(builder: NodeBuilder, number: Term) -> Node:
    return places.SeatNumber(builder.node(number), builder.rules.seats)


def _neighbour(builder: NodeBuilder, seats: Term, step: int) -> Node:
    return places.Neighbour(builder.node(seats), builder.rules.seats, step)


def _stock_value(builder: NodeBuilder, base: int, seat: Term | None) -> Node:
    return places.StockValue(base, builder.optional(seat), builder.rules.seats)


MAKERS: Final[dict[str, Callable[..., Node]]] = {
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
"""Functions that build the node of an operation, by operation."""
