"""Words for colours and seats: who owns what, and whose turn it is."""

from __future__ import annotations

import ast

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    Term,
    const_term,
    make_term,
)
from shibumi3d.rules.marbles.language.scope import TypedTerm
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.vocabulary import Vocabulary, WordContext, WordEntry

SEAT_WORDS = Vocabulary()


COLOUR_MEANINGS = {
    "white": N_("white marbles; the colour white where a colour is expected"),
    "black": N_("black marbles; the colour black where a colour is expected"),
    "red": N_("red marbles; the colour red where a colour is expected"),
}


def _register_colour(name: str) -> None:
    SEAT_WORDS.register_value(
        name,
        Type.COLOUR_WORD,
        COLOUR_MEANINGS[name],
        f"count({name})",
        lambda b: const_term(1 << COLOURS.index(name)),
    )


for _name in COLOURS:
    _register_colour(_name)
SEAT_WORDS.register_value(
    "all_colours",
    Type.COLOUR_WORD,
    "all colours",
    "place: all_colours",
    lambda b: const_term((1 << len(COLOURS)) - 1),
)
SEAT_WORDS.register_value(
    "own",
    Type.COLOUR_WORD,
    "the marbles (or the colour) of the player who is acting or being evaluated",
    "groups(own)",
    lambda b: make_term("BySeat", b.scope.owned_colours),
)


def _enemy_colours(context: WordContext) -> Term:
    every = 0
    for colours in context.scope.owned_colours:
        every |= colours
    return make_term("BySeat", tuple([every & ~colours for colours in context.scope.owned_colours]))


SEAT_WORDS.register_value(
    "enemy",
    Type.COLOUR_WORD,
    "the marbles (or the colours) of all other players",
    "groups(enemy)",
    _enemy_colours,
)
SEAT_WORDS.register_value(
    "none", Type.NONE, "the empty set, of any type", "tie: none", lambda b: const_term(0)
)
SEAT_WORDS.register_value(
    "colour",
    Type.COLOURS,
    "in 'at', 'to' and 'onto': the colour of the marble being placed, entered or moved",
    "supports(p) & colour",
    lambda b: make_term("ChosenColour"),
)
SEAT_WORDS.register_value(
    "taken",
    Type.COLOURS,
    "the colours of the marbles taken this turn",
    "all_colours - taken",
    lambda b: make_term("Taken"),
)
SEAT_WORDS.register_value(
    "me",
    Type.SEATS,
    "the player who is acting or being evaluated",
    "score(me) >= 3",
    lambda b: make_term("Me"),
)
SEAT_WORDS.register_value(
    "mover", Type.SEATS, "the player whose turn it is", "tie: mover", lambda b: make_term("Mover")
)
SEAT_WORDS.register_value(
    "everyone",
    Type.SEATS,
    "all players",
    "all(passed(s) for s in everyone)",
    lambda b: const_term((1 << b.scope.seats) - 1),
)
SEAT_WORDS.register_value(
    "tied",
    Type.SEATS,
    "in 'tie': the players tied for first",
    "everyone - tied",
    lambda b: make_term("Tied"),
)
SEAT_WORDS.register_value(
    "winners",
    Type.SEATS,
    "in 'series': the winners of the game that has just ended",
    "1 if me <= winners else 0",
    lambda b: make_term("Winners"),
)
SEAT_WORDS.register_value(
    "stuck",
    Type.BOOL,
    "the player to act can't do anything, except possibly pass",
    "when: stuck",
    lambda b: make_term("Stuck"),
)


@SEAT_WORDS.register_word(
    "able",
    "Seats",
    "Bool",
    "in 'end': at least one of these players could do more than pass if the next turn were theirs",
    "not able(everyone)",
)
def _able(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(make_term("Able", context.coerce(context.compile_tree(args[0]), Type.SEATS)), Type.BOOL)


SEAT_WORDS.register_value(
    "repeats",
    Type.INT,
    "how many turns ago the boards were last in their present position; 0 if they never were",
    "repeats != players",
    lambda b: make_term("Repeats"),
)


@SEAT_WORDS.register_word("of", "Seats", "colour word", "the colours owned by these players", "of(next(me))")
def _of(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(
        make_term(
            "ColoursOf",
            context.scope.owned_colours,
            context.coerce(context.compile_tree(args[0]), Type.SEATS),
        ),
        Type.COLOUR_WORD,
        context.scope.pyramid.point_count,
    )


@SEAT_WORDS.register_word(
    "owner", "Colours", "Seats", "the players who own any of these colours", "owner(colours(apex))"
)
def _owner(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(
        make_term(
            "Owner", context.scope.owned_colours, context.coerce(context.compile_tree(args[0]), Type.COLOURS)
        ),
        Type.SEATS,
        context.scope.seats,
    )


@SEAT_WORDS.register_word("seat", "n", "Seat", "the n-th player in turn order, counted from 1", "seat(1)")
def _seat(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(
        make_term("SeatNumber", context.coerce(context.compile_tree(args[0]), Type.INT)), Type.SEATS, 1
    )


@SEAT_WORDS.register_word("next", "Seats", "Seats", "the next player in turn order", "hand(next(me))")
def _next(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(
        make_term("Neighbour", context.coerce(context.compile_tree(args[0]), Type.SEATS), 1),
        Type.SEATS,
        context.scope.seats,
    )


@SEAT_WORDS.register_word(
    "previous", "Seats", "Seats", "the previous player in turn order", "hand(previous(me))"
)
def _previous(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(
        make_term("Neighbour", context.coerce(context.compile_tree(args[0]), Type.SEATS), -1),
        Type.SEATS,
        context.scope.seats,
    )


@SEAT_WORDS.register_word(
    "passed",
    "Seats",
    "Bool",
    "each of these players passed on their last turn",
    "all(passed(s) for s in everyone)",
)
def _passed(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(
        make_term("PassedBy", context.coerce(context.compile_tree(args[0]), Type.SEATS)), Type.BOOL
    )


@SEAT_WORDS.register_word(
    "score",
    "Seat",
    "Int",
    "the score of a player; 'score' alone means score(me)",
    "most: score",
    min_arguments=0,
)
def _score(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    seat = context.coerce(context.compile_tree(args[0]), Type.SEATS) if args else make_term("Me")
    return TypedTerm(make_term("Score", seat), Type.INT)


def _register_extreme(name: str, finds_most: bool, meaning: str, example: str) -> None:
    def build(b: WordContext, args: list[ast.expr]) -> TypedTerm:
        of = b.compile_tree(args[0])
        stock = of.type is Type.STOCK
        node = of.term if stock else b.coerce(of, Type.POINTS)
        return TypedTerm(make_term("Extreme", node, stock, finds_most), Type.COLOURS, len(COLOURS))

    SEAT_WORDS[name] = WordEntry(name, ("Points or Stock",), "Colours", meaning, example, build)


@SEAT_WORDS.register_word(
    "colours", "X", "Colours", "the colours found among marbles or in a stock", "colours(hand)"
)
def _colours(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    of = context.compile_tree(args[0])
    if of.type is Type.STOCK:
        return TypedTerm(make_term("ColoursIn", of.term), Type.COLOURS, len(COLOURS))
    return TypedTerm(make_term("ColoursOn", context.coerce(of, Type.POINTS)), Type.COLOURS, len(COLOURS))


_register_extreme(
    "commonest",
    True,
    N_("the most common colours of marbles or of a stock, several if they are tied"),
    "commonest(supports(p))",
)
_register_extreme(
    "rarest",
    False,
    N_(
        "the least common colours of marbles or of a stock, several if they are tied; "
        "colours with no marbles are included"
    ),
    "rarest(supports(p))",
)
