"""Nodes of places, seats and stocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine.build.nodes import NodeBuilder
from shibumi3d.rules.marbles.engine.build.terms import one_colour
from shibumi3d.rules.marbles.engine.nodes import places
from shibumi3d.rules.marbles.engine.rules import Term
from shibumi3d.rules.marbles.engine.workspace import Node


def _relation(builder: NodeBuilder, table: str, a: Term) -> Node:
    return places.Relation(list(getattr(builder.pyramid, table)), builder.node(a))


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
"""By operation what makes a node of it."""
