"""Verbs with which a player makes a choice."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.rules import (
    COLOUR,
    ENTER,
    GIVE,
    LIFT,
    NUMBER,
    PLACE,
    POINTS,
    SEAT,
    SET,
    TAKE,
    Instruction,
)
from shibumi3d.rules.marbles.language.scope import (
    BITMASK_TYPES,
    TypedTerm,
)
from shibumi3d.rules.marbles.language.types import Type, picked_type
from shibumi3d.rules.marbles.language.verbs.registry import SourceStep, StepContext, VerbRegistry

CHOICE_VERBS = VerbRegistry("player")


@CHOICE_VERBS.register_verb(
    "place",
    ("at", "from", "as", "because"),
    "place a marble of one of these colours from a stock (default: the supply) on a playable point in 'at' "
    "(default: any)",
    "{place: own, at: holes}",
)
def _place(context: StepContext, source_step: SourceStep) -> None:
    colours = context.reader.compile_term(source_step.verb_value, Type.COLOURS)
    allowed_points = context.reader.compile_optional_term(source_step.keys, "at", Type.POINTS, "colour")
    context.append_choice(
        Instruction(
            "Place",
            (colours, allowed_points, context.reader.compile_stock(source_step.keys.get("from"))),
            choice_kind=PLACE,
        ),
        source_step.keys,
        Type.POINTS,
    )


@CHOICE_VERBS.register_verb(
    "take",
    ("to", "as", "because"),
    "move a movable marble of the set from the board to a stock (default: the supply); any marble it carried drops",
    "{take: own}",
)
def _take(context: StepContext, source_step: SourceStep) -> None:
    points = context.reader.compile_term(source_step.verb_value, Type.POINTS)
    context.append_choice(
        Instruction(
            "Take",
            (points, context.reader.compile_stock(source_step.keys.get("to"))),
            choice_kind=TAKE,
            removes_marbles=True,
        ),
        source_step.keys,
        Type.POINTS,
    )


@CHOICE_VERBS.register_verb(
    "move",
    ("to", "onto", "as", "because"),
    "lift a movable marble, let any marble it carried drop, then put it on another playable point in 'to' "
    "(default: any), or on a marble in 'onto', which is captured",
    "{move: own, to: playable - resting_on(fallen)}",
)
def _move(context: StepContext, source_step: SourceStep) -> None:
    context.reader.has_conflict(source_step.step_item, ("to", "onto"))
    lift = Instruction(
        "Lift",
        (context.reader.compile_term(source_step.verb_value, Type.POINTS),),
        choice_kind=LIFT,
        removes_marbles=True,
    )
    context.append(lift)
    if "because" in source_step.keys:
        lift.reasons = context.reader.read_reasons(source_step.keys["because"])
    onto = "onto" in source_step.keys
    points = context.reader.compile_optional_term(
        source_step.keys, "onto" if onto else "to", Type.POINTS, "colour"
    )
    context.append_choice(
        Instruction("SetDown", (points, onto, context.reader.compile_stock(None)), choice_kind=SET),
        source_step.keys,
        Type.POINTS,
    )


@CHOICE_VERBS.register_verb(
    "enter",
    ("at", "from", "as", "because"),
    "push a marble in from the side, onto an edge point in 'at' on a level above the board; any marbles in "
    "its way are pushed along",
    "{enter: own}",
)
def _enter(context: StepContext, source_step: SourceStep) -> None:
    colours = context.reader.compile_term(source_step.verb_value, Type.COLOURS)
    allowed_points = context.reader.compile_optional_term(source_step.keys, "at", Type.POINTS, "colour")
    context.append_choice(
        Instruction(
            "Enter",
            (colours, allowed_points, context.reader.compile_stock(source_step.keys.get("from"))),
            choice_kind=ENTER,
        ),
        source_step.keys,
        Type.POINTS,
    )


@CHOICE_VERBS.register_verb(
    "pick",
    ("as", "because"),
    "choose one element of a set and name it; nothing moves",
    "{pick: range(5), as: kind}",
    chosen_type=None,
)
def _pick(context: StepContext, source_step: SourceStep) -> None:
    source = context.reader.compile_expression(source_step.verb_value, None)
    if source.type in (Type.COLOUR_WORD, Type.POINT):
        source = TypedTerm(
            context.reader.convert(source_step.verb_value, source, Type.POINTS),
            Type.POINTS,
            source.iteration_estimate,
        )
    kinds = {
        Type.POINTS: POINTS,
        Type.COLOURS: COLOUR,
        Type.SEATS: SEAT,
        Type.INTS: NUMBER,
        Type.SETS: POINTS,
    }
    if source.type not in kinds:
        if source.type is not Type.NONE:
            context.reader.report_problem(
                source_step.verb_value.location,
                "'pick' takes Points, Colours, Seats, Ints or Sets, not {type}",
                type=source.type,
            )
        return
    family = source.type not in BITMASK_TYPES
    context.append_choice(
        Instruction("Pick", (source.term, family), choice_kind=kinds[source.type]),
        source_step.keys,
        picked_type(source.type),
    )


@CHOICE_VERBS.register_verb(
    "give",
    ("from", "to", "as"),
    "choose a colour and move one marble of that colour from one stock to another (default for both: the supply)",
    "{give: colours(hand), from: hand, to: fist}",
    chosen_type=Type.COLOURS,
)
def _give(context: StepContext, source_step: SourceStep) -> None:
    colours = context.reader.compile_term(source_step.verb_value, Type.COLOURS)
    source, target = (
        context.reader.compile_stock(source_step.keys.get("from")),
        context.reader.compile_stock(source_step.keys.get("to")),
    )
    context.append_choice(
        Instruction("Give", (colours, source, target), choice_kind=GIVE), source_step.keys, Type.COLOURS
    )
