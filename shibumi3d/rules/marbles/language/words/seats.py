"""Words for colours and seats: who owns what, and whose turn it is."""

from __future__ import annotations

import ast

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    Term,
    const,
    term,
)
from shibumi3d.rules.marbles.language.scope import Typed
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.vocabulary import Building, WordEntry, Words

SEATS = Words()


COLOUR_MEANINGS = {
    "white": N_("white marbles; the colour white where a colour is expected"),
    "black": N_("black marbles; the colour black where a colour is expected"),
    "red": N_("red marbles; the colour red where a colour is expected"),
}


def _colour(name: str) -> None:
    SEATS.value(
        name,
        Type.WORD,
        COLOUR_MEANINGS[name],
        f"count({name})",
        lambda b: const(1 << COLOURS.index(name)),
    )


for _name in COLOURS:
    _colour(_name)
SEATS.value(
    "all_colours", Type.WORD, "all colours", "place: all_colours", lambda b: const((1 << len(COLOURS)) - 1)
)
SEATS.value(
    "own",
    Type.WORD,
    "the marbles (or the colour) of the player who is acting or being evaluated",
    "groups(own)",
    lambda b: term("BySeat", b.scope.owned),
)


def _enemies(b: Building) -> Term:
    every = 0
    for colours in b.scope.owned:
        every |= colours
    return term("BySeat", tuple([every & ~colours for colours in b.scope.owned]))


SEATS.value(
    "enemy", Type.WORD, "the marbles (or the colours) of all other players", "groups(enemy)", _enemies
)
SEATS.value("none", Type.NONE, "the empty set, of any type", "tie: none", lambda b: const(0))
SEATS.value(
    "colour",
    Type.COLOURS,
    "the colour being placed, entered or moved, in 'at', 'to' and 'onto'",
    "supports(p) & colour",
    lambda b: term("ChosenColour"),
)
SEATS.value(
    "taken",
    Type.COLOURS,
    "the colours of the marbles taken this turn",
    "all_colours - taken",
    lambda b: term("Taken"),
)
SEATS.value("me", Type.SEATS, "the player who acts or is evaluated", "score(me) >= 3", lambda b: term("Me"))
SEATS.value("mover", Type.SEATS, "the player whose turn it is", "tie: mover", lambda b: term("Mover"))
SEATS.value(
    "everyone",
    Type.SEATS,
    "all players",
    "all(passed(s) for s in everyone)",
    lambda b: const((1 << b.scope.seats) - 1),
)
SEATS.value(
    "tied",
    Type.SEATS,
    "in 'tie': the players tied for first",
    "everyone - tied",
    lambda b: term("Tied"),
)
SEATS.value(
    "winners",
    Type.SEATS,
    "in 'series': the winners of the game that has just ended",
    "1 if me <= winners else 0",
    lambda b: term("Winners"),
)
SEATS.value("stuck", Type.BOOL, "the player to act can't do anything", "when: stuck", lambda b: term("Stuck"))


@SEATS.word(
    "able",
    "Seats",
    "Bool",
    "in 'end': at least one of these players could do more than pass if the next turn were theirs",
    "not able(everyone)",
)
def _able(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(term("Able", b.coerce(b.expr(args[0]), Type.SEATS)), Type.BOOL)


SEATS.value(
    "repeats",
    Type.INT,
    "how many turns ago the boards were last in their present position; 0 means never",
    "repeats != players",
    lambda b: term("Repeats"),
)


@SEATS.word("of", "Seats", "colour word", "the colours owned by these players", "of(next(me))")
def _of(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(
        term("ColoursOf", b.scope.owned, b.coerce(b.expr(args[0]), Type.SEATS)),
        Type.WORD,
        b.scope.pyramid.count,
    )


@SEATS.word("owner", "Colours", "Seats", "the players who own any of these colours", "owner(colours(apex))")
def _owner(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(
        term("Owner", b.scope.owned, b.coerce(b.expr(args[0]), Type.COLOURS)), Type.SEATS, b.scope.seats
    )


@SEATS.word("seat", "n", "Seat", "the n-th player in turn order, counted from 1", "seat(1)")
def _seat(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(term("SeatNumber", b.coerce(b.expr(args[0]), Type.INT)), Type.SEATS, 1)


@SEATS.word("next", "Seats", "Seats", "the next player in turn order", "hand(next(me))")
def _next(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(term("Neighbour", b.coerce(b.expr(args[0]), Type.SEATS), 1), Type.SEATS, b.scope.seats)


@SEATS.word("previous", "Seats", "Seats", "the previous player in turn order", "hand(previous(me))")
def _previous(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(term("Neighbour", b.coerce(b.expr(args[0]), Type.SEATS), -1), Type.SEATS, b.scope.seats)


@SEATS.word(
    "passed",
    "Seats",
    "Bool",
    "each of these players passed on their last turn",
    "all(passed(s) for s in everyone)",
)
def _passed(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(term("PassedBy", b.coerce(b.expr(args[0]), Type.SEATS)), Type.BOOL)


@SEATS.word(
    "score", "Seat", "Int", "the score of a player; 'score' alone means score(me)", "most: score", least=0
)
def _score(b: Building, args: list[ast.expr]) -> Typed:
    seat = b.coerce(b.expr(args[0]), Type.SEATS) if args else term("Me")
    return Typed(term("Score", seat), Type.INT)


def _extreme(name: str, most: bool, meaning: str, example: str) -> None:
    def build(b: Building, args: list[ast.expr]) -> Typed:
        of = b.expr(args[0])
        stock = of.type is Type.STOCK
        node = of.node if stock else b.coerce(of, Type.POINTS)
        return Typed(term("Extreme", node, stock, most), Type.COLOURS, len(COLOURS))

    SEATS[name] = WordEntry(name, ("Points or Stock",), "Colours", meaning, example, build)


@SEATS.word("colours", "X", "Colours", "the colours found among marbles or in a stock", "colours(hand)")
def _colours(b: Building, args: list[ast.expr]) -> Typed:
    of = b.expr(args[0])
    if of.type is Type.STOCK:
        return Typed(term("ColoursIn", of.node), Type.COLOURS, len(COLOURS))
    return Typed(term("ColoursOn", b.coerce(of, Type.POINTS)), Type.COLOURS, len(COLOURS))


_extreme(
    "commonest",
    True,
    N_("the most common colours of marbles or of a stock, several if they are tied"),
    "commonest(supports(p))",
)
_extreme(
    "rarest",
    False,
    N_("the scarcest colours, several if they are tied; missing colours count as 0"),
    "rarest(supports(p))",
)
