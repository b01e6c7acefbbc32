"""Verbs that the engine carries out without a choice by a player."""

from __future__ import annotations

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.engine.rules import Instruction, base_stock_index, const_term, make_term
from shibumi3d.rules.marbles.language.constant_folding import normalize_bool
from shibumi3d.rules.marbles.language.scope import storage_shape
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.verbs.registry import SourceStep, StepContext, VerbRegistry

ENGINE_VERBS = VerbRegistry("engine")


@ENGINE_VERBS.register_verb(
    "put",
    ("at", "from"),
    "put marbles of these colours on every point in 'at', lower levels first; 'at' is evaluated again for each colour",
    "{put: red, at: vacated}",
)
def _put(context: StepContext, source_step: SourceStep) -> None:
    if "at" not in source_step.keys:
        context.reader.report_problem(source_step.step_item.location, "'put' needs 'at': the points to fill")
        return
    context.append(
        Instruction(
            "Put",
            (
                context.reader.compile_term(source_step.verb_value, Type.COLOURS),
                context.reader.compile_term(source_step.keys["at"], Type.POINTS, "score", "colour"),
                context.reader.compile_stock(source_step.keys.get("from")),
            ),
        )
    )


@ENGINE_VERBS.register_verb(
    "remove",
    ("to",),
    "remove every marble of the set, from the top down; the marbles they carried drop",
    "{remove: dead & free}",
)
def _remove(context: StepContext, source_step: SourceStep) -> None:
    context.append(
        Instruction(
            "Remove",
            (
                context.reader.compile_term(source_step.verb_value, Type.POINTS),
                context.reader.compile_stock(source_step.keys.get("to")),
            ),
            removes_marbles=True,
        )
    )


@ENGINE_VERBS.register_verb(
    "recolour",
    ("into",),
    "replace each marble of the set with one of another colour from the supply",
    "{recolour: placed, into: red}",
)
def _recolour(context: StepContext, source_step: SourceStep) -> None:
    if "into" not in source_step.keys:
        context.reader.report_problem(
            source_step.step_item.location, "'recolour' needs 'into': the new colour"
        )
        return
    context.append(
        Instruction(
            "Recolour",
            (
                context.reader.compile_term(source_step.verb_value, Type.POINTS),
                context.reader.compile_term(source_step.keys["into"], Type.COLOURS),
                context.reader.compile_stock(None),
            ),
            removes_marbles=True,
        )
    )


@ENGINE_VERBS.register_verb(
    "deal",
    ("count", "from", "to"),
    "move 'count' marbles (default: 1) of each of these colours from one stock to another",
    "{deal: own, count: 2, to: reserve}",
)
def _deal(context: StepContext, source_step: SourceStep) -> None:
    count = context.reader.compile_optional_term(source_step.keys, "count", Type.INT) or const_term(1)
    colours = context.reader.compile_term(source_step.verb_value, Type.COLOURS)
    stocks = (
        context.reader.compile_stock(source_step.keys.get("from")),
        context.reader.compile_stock(source_step.keys.get("to")),
    )
    context.append(Instruction("Deal", (colours, *stocks, count)))


@ENGINE_VERBS.register_verb(
    "draw",
    ("from", "to", "at"),
    "draw this many marbles at random (fewer if the stock runs out) and put them into a "
    "stock, or put one on each point in 'at'",
    "{draw: 1, from: bag, to: hand}",
)
def _draw(context: StepContext, source_step: SourceStep) -> None:
    if not context.reader.has_one(
        source_step.step_item, ("to", "at"), N_("'draw' needs either 'to' (a stock) or 'at' (points)")
    ):
        return
    source = context.reader.compile_stock(source_step.keys.get("from"))
    context.drawn_stocks.add(context.reader.rules.stock_names[base_stock_index(source)])
    stock = context.reader.compile_stock(source_step.keys["to"]) if "to" in source_step.keys else None
    destination_points = context.reader.compile_optional_term(source_step.keys, "at", Type.POINTS)
    context.append(
        Instruction(
            "Draw",
            (
                context.reader.compile_term(source_step.verb_value, Type.INT),
                source,
                stock,
                destination_points,
            ),
        )
    )


@ENGINE_VERBS.register_verb("score", ("to",), "give points to a player (default: me)", "{score: 2}")
def _score(context: StepContext, source_step: SourceStep) -> None:
    seats = context.reader.compile_optional_term(source_step.keys, "to", Type.SEATS) or make_term("Me")
    context.append(
        Instruction("AddScore", (context.reader.compile_term(source_step.verb_value, Type.INT), seats))
    )


@ENGINE_VERBS.register_verb(
    "let", (), "give names to values; a var keeps its value between turns", "{let: {last: me}}"
)
def _let(context: StepContext, source_step: SourceStep) -> None:
    for name, value in context.reader.read_mapping(source_step.verb_value, "'let'").items():
        known = context.reader.scope.names.get(name)
        if known is None or known.kind == "mark":
            continue
        node = context.reader.compile_term(value, known.type)
        if known.type is Type.BOOL:
            node = normalize_bool(node)
        context.append(
            Instruction("Let", (name, known.slot, known.is_per_seat, node, storage_shape(known.type)))
        )


@ENGINE_VERBS.register_verb(
    "mark",
    (),
    "give a name to marbles; the name follows them wherever they drop or are pushed",
    "{mark: {tail: placed}}",
)
def _mark(context: StepContext, source_step: SourceStep) -> None:
    for name, value in context.reader.read_mapping(source_step.verb_value, "'mark'").items():
        known = context.reader.scope.names.get(name)
        if known is not None and known.kind == "mark":
            context.append(
                Instruction("SetMark", (known.slot, context.reader.compile_term(value, Type.POINTS)))
            )


@ENGINE_VERBS.register_verb("next", (), "set whose turn comes next", "{next: me}")
def _next(context: StepContext, source_step: SourceStep) -> None:
    context.append(Instruction("SetNext", (context.reader.compile_term(source_step.verb_value, Type.SEATS),)))
