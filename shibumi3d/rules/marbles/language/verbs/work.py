"""Verbs that the engine carries out without a choice by a player."""

from __future__ import annotations

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.engine.rules import (
    Instruction,
    const,
    stock_base,
    term,
)
from shibumi3d.rules.marbles.language.folding import exact
from shibumi3d.rules.marbles.language.scope import (
    shape,
)
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.verbs.registry import GivenStep, Verbs, Writing

WORK = Verbs("engine")


@WORK.verb(
    "put",
    ("at", "from"),
    "put marbles of these colours on every point in 'at', which is evaluated for each colour, lower levels first",
    "{put: red, at: vacated}",
)
def _put(p: Writing, given: GivenStep) -> None:
    if "at" not in given.table:
        p.reader.problem(given.whole.mark, "'put' needs 'at': the points to fill")
        return
    p.add(
        Instruction(
            "Put",
            (
                p.reader.node(given.item, Type.COLOURS),
                p.reader.node(given.table["at"], Type.POINTS, "score", "colour"),
                p.reader.stock(given.table.get("from")),
            ),
        )
    )


@WORK.verb(
    "remove",
    ("to",),
    "remove every marble of the set, from the top down; what they carried drops",
    "{remove: dead & free}",
)
def _remove(p: Writing, given: GivenStep) -> None:
    p.add(
        Instruction(
            "Remove",
            (p.reader.node(given.item, Type.POINTS), p.reader.stock(given.table.get("to"))),
            clears=True,
        )
    )


@WORK.verb(
    "recolour",
    ("into",),
    "replace each marble of the set with one of another colour from the box",
    "{recolour: placed, into: red}",
)
def _recolour(p: Writing, given: GivenStep) -> None:
    if "into" not in given.table:
        p.reader.problem(given.whole.mark, "'recolour' needs 'into': the new colour")
        return
    p.add(
        Instruction(
            "Recolour",
            (
                p.reader.node(given.item, Type.POINTS),
                p.reader.node(given.table["into"], Type.COLOURS),
                p.reader.stock(None),
            ),
            clears=True,
        )
    )


@WORK.verb(
    "deal",
    ("count", "from", "to"),
    "move 'count' marbles (default: 1) of each of these colours from one stock to another",
    "{deal: own, count: 2, to: reserve}",
)
def _deal(p: Writing, given: GivenStep) -> None:
    count = p.reader.optional(given.table, "count", Type.INT) or const(1)
    colours = p.reader.node(given.item, Type.COLOURS)
    stocks = p.reader.stock(given.table.get("from")), p.reader.stock(given.table.get("to"))
    p.add(Instruction("Deal", (colours, *stocks, count)))


@WORK.verb(
    "draw",
    ("from", "to", "at"),
    "draw this many marbles at random (fewer if the stock runs out) and put them into a "
    "stock, or put one on each point in 'at'",
    "{draw: 1, from: bag, to: hand}",
)
def _draw(p: Writing, given: GivenStep) -> None:
    if not p.reader.has_one(
        given.whole, ("to", "at"), N_("'draw' needs either 'to' (a stock) or 'at' (points)")
    ):
        return
    source = p.reader.stock(given.table.get("from"))
    p.drawn.add(p.reader.rules.stock_names[stock_base(source)])
    stock = p.reader.stock(given.table["to"]) if "to" in given.table else None
    at = p.reader.optional(given.table, "at", Type.POINTS)
    p.add(Instruction("Draw", (p.reader.node(given.item, Type.INT), source, stock, at)))


@WORK.verb("score", ("to",), "give points to a player (default: me)", "{score: 2}")
def _score(p: Writing, given: GivenStep) -> None:
    seats = p.reader.optional(given.table, "to", Type.SEATS) or term("Me")
    p.add(Instruction("AddScore", (p.reader.node(given.item, Type.INT), seats)))


@WORK.verb("let", (), "give names to values; a var keeps its value between turns", "{let: {last: me}}")
def _let(p: Writing, given: GivenStep) -> None:
    for name, value in p.reader.table(given.item, "'let'").items():
        known = p.reader.scope.names.get(name)
        if known is None or known.kind == "mark":
            continue
        node = p.reader.node(value, known.type)
        if known.type is Type.BOOL:
            node = exact(node)
        p.add(Instruction("Let", (name, known.slot, known.by_seat, node, shape(known.type))))


@WORK.verb(
    "mark",
    (),
    "give a name to marbles; it follows them wherever they drop or are pushed",
    "{mark: {tail: placed}}",
)
def _mark(p: Writing, given: GivenStep) -> None:
    for name, value in p.reader.table(given.item, "'mark'").items():
        known = p.reader.scope.names.get(name)
        if known is not None and known.kind == "mark":
            p.add(Instruction("SetMark", (known.slot, p.reader.node(value, Type.POINTS))))


@WORK.verb("next", (), "set whose turn comes next", "{next: me}")
def _next(p: Writing, given: GivenStep) -> None:
    p.add(Instruction("SetNext", (p.reader.node(given.item, Type.SEATS),)))
