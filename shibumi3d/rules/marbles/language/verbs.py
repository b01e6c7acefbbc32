"""The step verbs and their modifiers, each with its meaning and an example; the reference is made from this table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Verb:
    """One verb: a step is a mapping with exactly one verb and that verb's modifiers."""

    name: str
    kind: str
    """player (somebody chooses), engine (nobody is asked) or combinator (order)"""
    modifiers: tuple[str, ...]
    meaning: str
    example: str


VERBS: dict[str, Verb] = {
    verb.name: verb
    for verb in (
        Verb(
            "place",
            "player",
            ("at", "from", "as", "because"),
            "a marble of one of these colours goes from a stock (the box) to a playable point of 'at' (any)",
            "{place: own, at: holes}",
        ),
        Verb(
            "take",
            "player",
            ("to", "as", "because"),
            "a movable marble of the set leaves the board for a stock (the box); what it carried drops",
            "{take: own}",
        ),
        Verb(
            "move",
            "player",
            ("to", "onto", "as", "because"),
            "a movable marble is lifted, drops settle, then it is put on another playable point of 'to' (any), or on "
            "a marble of 'onto', which is taken",
            "{move: own, to: playable - resting_on(fallen)}",
        ),
        Verb(
            "enter",
            "player",
            ("at", "from", "as", "because"),
            "a marble comes in over an edge of a level above the board on to an edge point of 'at'; "
            "what is there is pushed on",
            "{enter: own}",
        ),
        Verb(
            "pick",
            "player",
            ("as", "because"),
            "one element of a set is chosen and named; nothing moves",
            "{pick: range(5), as: kind}",
        ),
        Verb(
            "give",
            "player",
            ("from", "to", "as"),
            "one marble of a chosen colour goes from a stock to another (each the box when left out)",
            "{give: colours(hand), from: hand, to: fist}",
        ),
        Verb(
            "put",
            "engine",
            ("at", "from"),
            "marbles of these colours go on every point of 'at', read for each colour, lower levels first",
            "{put: red, at: vacated}",
        ),
        Verb(
            "remove",
            "engine",
            ("to",),
            "every marble of the set leaves, from the top down, drops settling",
            "{remove: dead & free}",
        ),
        Verb(
            "recolour",
            "engine",
            ("into",),
            "each marble of the set is exchanged for one of another colour from the box",
            "{recolour: placed, into: red}",
        ),
        Verb(
            "deal",
            "engine",
            ("count", "from", "to"),
            "so many (1) marbles of each of these colours go from a stock to another",
            "{deal: own, count: 2, to: reserve}",
        ),
        Verb(
            "draw",
            "engine",
            ("from", "to", "at"),
            "so many marbles by chance, fewer if the stock runs out, to a stock or one each on the points of 'at'",
            "{draw: 1, from: bag, to: hand}",
        ),
        Verb("score", "engine", ("to",), "points for a seat (me)", "{score: 2}"),
        Verb("let", "engine", (), "names values; a var keeps its value between turns", "{let: {last: me}}"),
        Verb(
            "mark",
            "engine",
            (),
            "names marbles; the name follows them wherever they drop or are pushed",
            "{mark: {tail: placed}}",
        ),
        Verb("next", "engine", (), "whose turn comes next", "{next: me}"),
        Verb(
            "choose",
            "combinator",
            (),
            "one of several programs: the first choice made decides which; with labels the label is the choice",
            "{choose: [{place: own}, {move: own}]}",
        ),
        Verb("may", "combinator", (), "a program that may be declined", "{may: {take: own}}"),
        Verb(
            "first",
            "combinator",
            (),
            "the first of several programs that can be carried out as a whole",
            "{first: [{place: own}, []]}",
        ),
        Verb(
            "repeat",
            "combinator",
            ("times",),
            "a program again and again until it is impossible or changes nothing; or 'times' times, n or [least, most]",
            "{repeat: {place: own}, times: [1, 3]}",
        ),
        Verb(
            "if",
            "combinator",
            ("then", "else"),
            "a program when a condition holds, another when not",
            "{if: not hand, then: {next: me}}",
        ),
        Verb(
            "require",
            "combinator",
            ("because",),
            "what went before is impossible unless this holds; 'because' says so to whoever tries",
            "{require: not again}",
        ),
        Verb(
            "best",
            "combinator",
            ("do",),
            "of all ways through a program only those with the greatest value at its end",
            "{best: -count(prey), do: {repeat: {take: prey}}}",
        ),
        Verb(
            "by",
            "combinator",
            ("do", "secret"),
            "these seats do it one after the other; secret: each sees only what it does itself until all are done",
            "{by: everyone, secret: true, do: {give: colours(hand), from: hand, to: fist}}",
        ),
        Verb("board", "combinator", ("do",), "a program on another board", "{board: left, do: {place: own}}"),
    )
}
