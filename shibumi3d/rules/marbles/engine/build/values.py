"""Builders of nodes for values, names, marbles and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.build.nodes import NodeBuilder
from shibumi3d.rules.marbles.engine.build.terms import factors
from shibumi3d.rules.marbles.engine.nodes import operators, values
from shibumi3d.rules.marbles.engine.rules import Term
from shibumi3d.rules.marbles.engine.workspace import Node


def _const(builder: NodeBuilder, value: int) -> Node:
    return values.Const(value)


def _const_items(builder: NodeBuilder, items: tuple[int, ...]) -> Node:
    return values.ConstItems(list(items))


def _slot(builder: NodeBuilder, slot: int, shape: str) -> Node:
    return values.Value(builder.word(slot)) if shape == "scalar" else values.BoxItems(builder.box(slot))


def _seat_slot(builder: NodeBuilder, base: int, seat: Term, shape: str) -> Node:
    seats = range(base, base + builder.rules.seats)
    if shape != "scalar":
        return values.BoxOfSeat([builder.box(slot) for slot in seats], builder.node(seat))
    words = [builder.word(slot) for slot in seats]
    return values.BySeat(words) if seat.op == "Me" else values.OfSeat(words, builder.node(seat))


def _colour_marbles(builder: NodeBuilder, colour: int) -> Node:
    if builder.one_board:
        return values.Value(builder.m.board.by_colour[colour])
    return values.ColourOnBoard(colour)


def _own_marbles(builder: NodeBuilder, colours: tuple[int, ...]) -> Node:
    if builder.one_board:
        return values.BySeat([builder.m.board.by_colour[colour] for colour in colours])
    return values.OwnOnBoard([Word(colour) for colour in colours])


def _mark_value(builder: NodeBuilder, mark: int) -> Node:
    if builder.one_board:
        return values.Value(builder.m.board.marks[mark])
    return values.MarkOnBoard(mark)


def _taken(builder: NodeBuilder) -> Node:
    return values.Value(builder.m.taken)


def _origin(builder: NodeBuilder) -> Node:
    return values.Value(builder.m.origin)


def _and(builder: NodeBuilder, a: Term, b: Term) -> Node:
    return builder.all_of(factors(a) + factors(b))


def _member_of_fixed(builder: NodeBuilder, a: Term, family: Term) -> Node:
    return operators.MemberOfFixed(builder.node(a), set(family.value))


def _items_and(builder: NodeBuilder, a: Term, b: Term) -> Node:
    return operators.ItemsSome(builder.node(a), builder.node(b), True)


def _items_without(builder: NodeBuilder, a: Term, b: Term) -> Node:
    return operators.ItemsSome(builder.node(a), builder.node(b), False)


def _list_items(builder: NodeBuilder, nodes: tuple[Term, ...]) -> Node:
    return operators.ListItems([builder.node(node) for node in nodes])


def _list_lists(builder: NodeBuilder, nodes: tuple[Term, ...]) -> Node:
    return operators.ListLists([builder.node(node) for node in nodes])


def _entry_by_seat(builder: NodeBuilder, entries: tuple[Term, ...], seat: Term) -> Node:
    return operators.EntryBySeat([builder.node(entry) for entry in entries], builder.node(seat))


def _bind(
    builder: NodeBuilder, slots: tuple[int, ...], args: tuple[Term, ...], shapes: tuple[str, ...], body: Term
) -> Node:
    words, scalars, boxes, families = [], [], [], []
    for slot, arg, shape in zip(slots, args, shapes, strict=True):
        if shape == "scalar":
            words.append(builder.word(slot))
            scalars.append(builder.node(arg))
        else:
            boxes.append(builder.box(slot))
            families.append(builder.node(arg))
    return operators.Bind(words, scalars, boxes, families, builder.node(body))


def _family_of(builder: NodeBuilder, families: Term, index: Term, by_seat: bool) -> Node:
    fixed = families.op == "ListLists" and all(family.op == "ConstItems" for family in families.args[0])
    if fixed and not by_seat and not builder.general:
        return values.FixedFamilies([list(family.value) for family in families.args[0]], builder.node(index))
    return operators.EntryOf(builder.node(families), builder.node(index), by_seat)


def _by_seat(builder: NodeBuilder, numbers: tuple[int, ...]) -> Node:
    return builder.by_seat(numbers)


MAKERS: Final[dict[str, Callable[..., Node]]] = {
    "Const": _const,
    "BySeat": _by_seat,
    "ConstItems": _const_items,
    "Slot": _slot,
    "SeatSlot": _seat_slot,
    "ColourMarbles": _colour_marbles,
    "OwnMarbles": _own_marbles,
    "MarkValue": _mark_value,
    "Taken": _taken,
    "Origin": _origin,
    "And": _and,
    "MemberOfFixed": _member_of_fixed,
    "ItemsAnd": _items_and,
    "ItemsWithout": _items_without,
    "ListItems": _list_items,
    "ListLists": _list_lists,
    "EntryBySeat": _entry_by_seat,
    "FamilyOf": _family_of,
    "Bind": _bind,
}
"""Functions that build the node of an operation, by operation."""
