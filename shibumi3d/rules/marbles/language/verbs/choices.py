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
    SETS_OF_BITS,
    Typed,
)
from shibumi3d.rules.marbles.language.types import Type, element
from shibumi3d.rules.marbles.language.verbs.registry import GivenStep, Verbs, Writing

CHOICES = Verbs("player")


@CHOICES.verb(
    "place",
    ("at", "from", "as", "because"),
    "place a marble of one of these colours from a stock (default: the box) on a playable point in 'at' (default: any)",
    "{place: own, at: holes}",
)
def _place(p: Writing, given: GivenStep) -> None:
    colours = p.reader.node(given.item, Type.COLOURS)
    at = p.reader.optional(given.table, "at", Type.POINTS, "colour")
    p.choice(
        Instruction("Place", (colours, at, p.reader.stock(given.table.get("from"))), kind=PLACE),
        given.table,
        Type.POINTS,
    )


@CHOICES.verb(
    "take",
    ("to", "as", "because"),
    "take a movable marble of the set off the board into a stock (default: the box); what it carried drops",
    "{take: own}",
)
def _take(p: Writing, given: GivenStep) -> None:
    points = p.reader.node(given.item, Type.POINTS)
    p.choice(
        Instruction("Take", (points, p.reader.stock(given.table.get("to"))), kind=TAKE, clears=True),
        given.table,
        Type.POINTS,
    )


@CHOICES.verb(
    "move",
    ("to", "onto", "as", "because"),
    "lift a movable marble, let what it carried drop, then put it on another playable point in 'to' (default: "
    "any), or on a marble in 'onto', which is captured",
    "{move: own, to: playable - resting_on(fallen)}",
)
def _move(p: Writing, given: GivenStep) -> None:
    p.reader.has_both(given.whole, ("to", "onto"))
    lift = Instruction("Lift", (p.reader.node(given.item, Type.POINTS),), kind=LIFT, clears=True)
    p.add(lift)
    if "because" in given.table:
        lift.because = p.reader.because(given.table["because"])
    onto = "onto" in given.table
    points = p.reader.optional(given.table, "onto" if onto else "to", Type.POINTS, "colour")
    p.choice(Instruction("SetDown", (points, onto, p.reader.stock(None)), kind=SET), given.table, Type.POINTS)


@CHOICES.verb(
    "enter",
    ("at", "from", "as", "because"),
    "push a marble in from an edge of a level above the board, on to an edge point in 'at'; "
    "what is there is pushed on",
    "{enter: own}",
)
def _enter(p: Writing, given: GivenStep) -> None:
    colours = p.reader.node(given.item, Type.COLOURS)
    at = p.reader.optional(given.table, "at", Type.POINTS, "colour")
    p.choice(
        Instruction("Enter", (colours, at, p.reader.stock(given.table.get("from"))), kind=ENTER),
        given.table,
        Type.POINTS,
    )


@CHOICES.verb(
    "pick",
    ("as", "because"),
    "choose one element of a set and name it; nothing moves",
    "{pick: range(5), as: kind}",
    chosen=None,
)
def _pick(p: Writing, given: GivenStep) -> None:
    source = p.reader.expression(given.item, None)
    if source.type in (Type.WORD, Type.POINT):
        source = Typed(p.reader.fitted(given.item, source, Type.POINTS), Type.POINTS, source.rounds)
    kinds = {
        Type.POINTS: POINTS,
        Type.COLOURS: COLOUR,
        Type.SEATS: SEAT,
        Type.INTS: NUMBER,
        Type.SETS: POINTS,
    }
    if source.type not in kinds:
        if source.type is not Type.NONE:
            p.reader.problem(
                given.item.mark,
                "'pick' takes Points, Colours, Seats, Ints or Sets, but found {type}",
                type=source.type,
            )
        return
    family = source.type not in SETS_OF_BITS
    p.choice(
        Instruction("Pick", (source.node, family), kind=kinds[source.type]),
        given.table,
        element(source.type),
    )


@CHOICES.verb(
    "give",
    ("from", "to", "as"),
    "choose a colour and give one marble of it from one stock to another (default for each: the box)",
    "{give: colours(hand), from: hand, to: fist}",
    chosen=Type.COLOURS,
)
def _give(p: Writing, given: GivenStep) -> None:
    colours = p.reader.node(given.item, Type.COLOURS)
    source, target = p.reader.stock(given.table.get("from")), p.reader.stock(given.table.get("to"))
    p.choice(Instruction("Give", (colours, source, target), kind=GIVE), given.table, Type.COLOURS)
