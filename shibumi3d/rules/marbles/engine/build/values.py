"""Builders of nodes for values, names, marbles and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shibumi3d.rules.marbles.engine.board import Word
from shibumi3d.rules.marbles.engine.build.nodes import NodeBuilder
from shibumi3d.rules.marbles.engine.build.term_analysis import factors
from shibumi3d.rules.marbles.engine.machine import Node
from shibumi3d.rules.marbles.engine.nodes import operators, values
from shibumi3d.rules.marbles.engine.rules import Term


def _const(builder: NodeBuilder, value: int) -> Node:
    return values.Const(value)


def _const_items(builder: NodeBuilder, items: tuple[int, ...]) -> Node:
    return values.ConstItems(list(items))


def _slot(builder: NodeBuilder, slot: int, shape: str) -> Node:
    return (
        values.WordValue(builder.word(slot))
        if shape == "scalar"
        else values.StoredList(builder.list_word(slot))
    )


def _seat_slot(builder: NodeBuilder, base: int, seat: Term, shape: str) -> Node:
    seats = range(base, base + builder.rules.seats)
    if shape != "scalar":
        return values.StoredListOfSeat([builder.list_word(slot) for slot in seats], builder.build(seat))
    words = [builder.word(slot) for slot in seats]
    return values.ForActingSeat(words) if seat.op == "Me" else values.ForSeat(words, builder.build(seat))


def _colour_marbles(builder: NodeBuilder, colour: int) -> Node:
    if builder.has_one_board:
        return values.WordValue(builder.m.board.by_colour[colour])
    return values.ColourMarblesOnBoard(colour)


def _own_marbles(builder: NodeBuilder, colours: tuple[int, ...]) -> Node:
    if builder.has_one_board:
        return values.ForActingSeat([builder.m.board.by_colour[colour] for colour in colours])
    return values.OwnMarblesOnBoard([Word(colour) for colour in colours])


def _mark_value(builder: NodeBuilder, mark: int) -> Node:
    if builder.has_one_board:
        return values.WordValue(builder.m.board.marks[mark])
    return values.MarkOnBoard(mark)


def _taken(builder: NodeBuilder) -> Node:
    return values.WordValue(builder.m.taken_colours)


def _origin(builder: NodeBuilder) -> Node:
    return values.WordValue(builder.m.origin)


def _and(builder: NodeBuilder, a: Term, b: Term) -> Node:
    return builder.intersection(factors(a) + factors(b))


def _member_of_fixed(builder: NodeBuilder, a: Term, family: Term) -> Node:
    return operators.InConstList(builder.build(a), set(family.value))


def _items_and(builder: NodeBuilder, items: Term, included: Term) -> Node:
    return operators.FilteredList(builder.build(items), builder.build(included), True)


def _items_without(builder: NodeBuilder, items: Term, excluded: Term) -> Node:
    return operators.FilteredList(builder.build(items), builder.build(excluded), False)


def _list_items(builder: NodeBuilder, nodes: tuple[Term, ...]) -> Node:
    return operators.ListDisplay([builder.build(node) for node in nodes])


def _list_lists(builder: NodeBuilder, nodes: tuple[Term, ...]) -> Node:
    return operators.NestedListDisplay([builder.build(node) for node in nodes])


def _entry_by_seat(builder: NodeBuilder, entries: tuple[Term, ...], seat: Term) -> Node:
    return operators.ItemForSeat([builder.build(entry) for entry in entries], builder.build(seat))


def _bind(
    builder: NodeBuilder, slots: tuple[int, ...], args: tuple[Term, ...], shapes: tuple[str, ...], body: Term
) -> Node:
    words, scalars, boxes, families = [], [], [], []
    for slot, arg, shape in zip(slots, args, shapes, strict=True):
        if shape == "scalar":
            words.append(builder.word(slot))
            scalars.append(builder.build(arg))
        else:
            boxes.append(builder.list_word(slot))
            families.append(builder.build(arg))
    return operators.CallDefine(words, scalars, boxes, families, builder.build(body))


def _family_of(builder: NodeBuilder, families: Term, index: Term, by_seat: bool) -> Node:
    fixed = families.op == "ListLists" and all(family.op == "ConstItems" for family in families.args[0])
    if fixed and not by_seat and not builder.is_general:
        return values.ConstFamilyAt([list(family.value) for family in families.args[0]], builder.build(index))
    return operators.ItemAt(builder.build(families), builder.build(index), by_seat)


def _by_seat(builder: NodeBuilder, numbers: tuple[int, ...]) -> Node:
    return builder.constants_by_seat(numbers)


VALUE_NODE_BUILDERS: Final[dict[str, Callable[..., Node]]] = {
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
"""Functions that build nodes, by operation."""
