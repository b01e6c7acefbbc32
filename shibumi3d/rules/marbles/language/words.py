"""The words of expressions, each with its meaning, its type and an example: one documented entry a word.

The reference of the language is made from this table. A word without parameters is a value; the others are called.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.engine.rules import (
    FALLEN,
    MOVED,
    PLACED,
    Term,
    comprehension,
    const,
    const_items,
    term,
)
from shibumi3d.rules.marbles.language.expressions import SETS_OF_BITS, Builder, Typed, Wrong
from shibumi3d.rules.marbles.language.types import SCALARS, Type

Build = Callable[[Builder, list[ast.expr]], Typed]


@dataclass(frozen=True)
class Word:
    """One word of the language."""

    name: str
    params: tuple[str, ...]
    result: str
    meaning: str
    example: str
    build: Build
    least: int = -1
    most: int = -1

    def fits(self, count: int) -> bool:
        """Whether the word may be called with so many values."""
        least = len(self.params) if self.least < 0 else self.least
        most = len(self.params) if self.most < 0 else self.most
        return least <= count <= most

    @property
    def arguments(self) -> str:
        """How its parameters are written, for messages."""
        return f"({', '.join(self.params)})" if self.params else "no values"


WORDS: dict[str, Word] = {}


def word(
    name: str, params: str, result: str, meaning: str, example: str, least: int = -1, most: int = -1
) -> Callable[[Build], Build]:
    """Add a word to the language: its name, parameters, type, meaning and an example."""

    def add(build: Build) -> Build:
        WORDS[name] = Word(name, tuple(params.split()), result, meaning, example, build, least, most)
        return build

    return add


def value(name: str, kind: Type, meaning: str, example: str, make: Callable[[Builder], Term]) -> None:
    """Add a word without parameters."""

    def build(b: Builder, args: list[ast.expr]) -> Typed:
        node = make(b)
        rounds = len(node.value) if node.op == "ConstItems" else b.rounds_of(kind)
        return Typed(node, kind, rounds)

    WORDS[name] = Word(name, (), str(kind), meaning, example, build)


# ---------------------------------------------------------------- places

value("points", Type.POINTS, "all points", "points - apex", lambda b: const(b.scope.pyramid.all))
value("holes", Type.POINTS, "level A, the board", "holes & empty", lambda b: const(b.scope.pyramid.holes))
value("apex", Type.POINTS, "the top point", "empty == apex", lambda b: const(b.scope.pyramid.apex))
value(
    "west",
    Type.POINTS,
    "the west face, ridges included",
    "west & holes",
    lambda b: const(b.scope.pyramid.west),
)
value(
    "east",
    Type.POINTS,
    "the east face, ridges included",
    "east & holes",
    lambda b: const(b.scope.pyramid.east),
)
value(
    "south",
    Type.POINTS,
    "the south face, ridges included",
    "south & holes",
    lambda b: const(b.scope.pyramid.south),
)
value(
    "north",
    Type.POINTS,
    "the north face, ridges included",
    "north & holes",
    lambda b: const(b.scope.pyramid.north),
)
value(
    "levels",
    Type.SETS,
    "the levels, a list from the board up",
    "levels[0]",
    lambda b: const_items(b.scope.pyramid.levels),
)
value(
    "rows",
    Type.SETS,
    "every run of 2 or more consecutive points, flat and orthogonal",
    "any(placed <= l for l in rows)",
    lambda b: const_items(b.scope.pyramid.rows),
)
value(
    "diagonals",
    Type.SETS,
    "every run of 2 or more consecutive points, flat and diagonal",
    "any(l <= own and count(l) == 3 for l in diagonals)",
    lambda b: const_items(b.scope.pyramid.diagonals),
)
value(
    "slopes",
    Type.SETS,
    "every run of 2 or more consecutive points straight across levels",
    "{l for l in rows | slopes if count(l) == 3}",
    lambda b: const_items(b.scope.pyramid.slopes),
)
value(
    "full_lines",
    Type.SETS,
    "the flat lines that span their whole level from edge to edge or corner to corner",
    "any(l <= own for l in full_lines)",
    lambda b: const_items(b.scope.pyramid.full_lines),
)
value(
    "sight_lines",
    Type.SETS,
    "touching runs straight in plan, going up and down between levels as they like",
    "any(count(l) == 4 and l <= own and seen(l) for l in sight_lines)",
    lambda b: const_items(b.scope.pyramid.sight_lines),
)
value(
    "size",
    Type.INT,
    "the side of the board",
    "count(l) == size - level(l)",
    lambda b: const(b.scope.pyramid.size),
)
value("players", Type.INT, "the number of seats", "30 // players", lambda b: const(b.scope.seats))


@word("Aa1", "", "Point", "a point by name: level, file, rank", "Ab1 | Ac1")
def _point(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(const(1 << b.scope.pyramid.index["Aa1"]), Type.POINT, 1)


@word(
    "copies",
    "Points",
    "Sets",
    "a shape wherever it fits: turned about the vertical, mirrored, upside down",
    "copies(Aa1 | Ab1 | Ba1)",
)
def _copies(b: Builder, args: list[ast.expr]) -> Typed:
    shape = b.coerce(b.expr(args[0]), Type.POINTS)
    if shape.deps:
        raise Wrong("'copies' takes a shape of fixed points, as in copies(Aa1 | Ab1 | Ba1)")
    return Typed(term("Copies", shape), Type.SETS, b.scope.pyramid.count)


@word(
    "level",
    "Points",
    "Int",
    "the highest level in a set, the board being 0; -1 for nothing",
    "level(l) < size - 1",
)
def _level(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(term("Level", b.coerce(b.expr(args[0]), Type.POINTS)), Type.INT)


@word(
    "steps",
    "Point Point",
    "Int",
    "half-steps between two points in plan: along the files plus along the ranks",
    "steps(p, origin) <= 4",
)
def _steps(b: Builder, args: list[ast.expr]) -> Typed:
    p, q = (b.coerce(b.expr(arg), Type.POINTS) for arg in args)
    return Typed(term("Steps", p, q), Type.INT)


def _relation(name: str, table: str, meaning: str, example: str) -> None:
    def build(b: Builder, args: list[ast.expr]) -> Typed:
        pyramid = b.scope.pyramid
        return Typed(
            term("Relation", table, b.coerce(b.expr(args[0]), Type.POINTS)),
            Type.POINTS,
            pyramid.count,
        )

    WORDS[name] = Word(name, ("Points",), "Points", meaning, example, build)


_relation(
    "touching", "touching", "points in contact with any of a set, filled or not", "touching(placed) & own"
)
_relation("diagonal_to", "diagonal", "diagonal neighbours on the level", "diagonal_to(p) & colour")
_relation(
    "supports",
    "supports",
    "the four points that each point of a set rests on",
    "count(supports(p) & red) == 2",
)
_relation(
    "resting_on",
    "resting",
    "points that rest on any of a set, filled or not",
    "playable - resting_on(fallen)",
)

# ---------------------------------------------------------------- what stands where

value("empty", Type.POINTS, "points without a marble", "not empty", lambda b: term("Empty"))
value("filled", Type.POINTS, "points with a marble", "count(filled)", lambda b: term("Filled"))
value(
    "playable",
    Type.POINTS,
    "empty holes, and empty points on four marbles",
    "playable & holes",
    lambda b: term("Playable"),
)
value("free", Type.POINTS, "marbles that support no marble", "enemy & free", lambda b: term("Free"))
value(
    "movable",
    Type.POINTS,
    "marbles that support no marble or just one",
    "own & movable",
    lambda b: term("Movable"),
)
value(
    "visible", Type.POINTS, "marbles with none vertically above", "own & visible", lambda b: term("Visible")
)
value(
    "placed",
    Type.POINTS,
    "where marbles placed in this turn stand now",
    "touching(placed)",
    lambda b: term("MarkValue", PLACED),
)
value(
    "moved",
    Type.POINTS,
    "where marbles moved in this turn stand now",
    "count(moved) == 1",
    lambda b: term("MarkValue", MOVED),
)
value(
    "fallen",
    Type.POINTS,
    "where marbles that dropped in this turn stand now",
    "resting_on(fallen)",
    lambda b: term("MarkValue", FALLEN),
)
value(
    "vacated",
    Type.POINTS,
    "points filled when the turn (in a 'by', the seat's part of it) began and empty now",
    "playable & vacated",
    lambda b: term("Vacated"),
)
value(
    "origin",
    Type.POINT,
    "where the marble in hand, or the one moved last in this turn, was lifted",
    "touching(origin)",
    lambda b: term("Origin"),
)


def _on_position(name: str, result: Type, op: str, meaning: str, example: str) -> None:
    def build(b: Builder, args: list[ast.expr]) -> Typed:
        return Typed(term(op, b.coerce(b.expr(args[0]), Type.POINTS)), result, b.scope.pyramid.count)

    WORDS[name] = Word(name, ("Points",), str(result), meaning, example, build)


_on_position(
    "linked",
    Type.POINTS,
    "Linked",
    "marbles of any colour visibly connected to a set",
    "count(linked(p) & red)",
)
_on_position(
    "seen", Type.BOOL, "Seen", "all of a set is filled and visible, and no contact in it is cut", "seen(l)"
)
_on_position(
    "groups",
    Type.SETS,
    "Groups",
    "groups formed by the marbles of a set: visible connections, one colour each",
    "count(groups(own)) == 1",
)
_on_position(
    "full_groups",
    Type.SETS,
    "FullGroups",
    "groups by touching alone, hidden marbles and contacts included",
    "any(count(g) > 3 for g in full_groups(own))",
)
_on_position(
    "longest_path",
    Type.INT,
    "LongestPath",
    "marbles in the longest unbranched chain of visible connections of one colour",
    "longest_path(own)",
)

# ---------------------------------------------------------------- colours and seats


def _colour(name: str) -> None:
    value(
        name,
        Type.WORD,
        f"{name} marbles; the colour {name} where a colour is expected",
        f"count({name})",
        lambda b: const(1 << COLOURS.index(name)),
    )


for _name in COLOURS:
    _colour(_name)
value("all_colours", Type.WORD, "all colours", "place: all_colours", lambda b: const((1 << len(COLOURS)) - 1))
value(
    "own",
    Type.WORD,
    "marbles (or the colour) of the seat that acts or is rated",
    "groups(own)",
    lambda b: term("BySeat", b.scope.owned),
)


def _enemies(b: Builder) -> Term:
    every = 0
    for colours in b.scope.owned:
        every |= colours
    return term("BySeat", tuple([every & ~colours for colours in b.scope.owned]))


value("enemy", Type.WORD, "marbles (or the colours) of all other seats", "groups(enemy)", _enemies)
value("none", Type.NONE, "the empty set, of any type", "tie: none", lambda b: const(0))
value(
    "colour",
    Type.COLOURS,
    "the colour being placed, entered or moved, in 'at', 'to' and 'onto'",
    "supports(p) & colour",
    lambda b: term("ChosenColour"),
)
value(
    "taken",
    Type.COLOURS,
    "colours of the marbles taken in this turn",
    "all_colours - taken",
    lambda b: term("Taken"),
)
value("me", Type.SEATS, "the seat that acts or is rated", "score(me) >= 3", lambda b: term("Me"))
value("mover", Type.SEATS, "the seat whose turn it is", "tie: mover", lambda b: term("Mover"))
value(
    "everyone",
    Type.SEATS,
    "all seats",
    "all(passed(s) for s in everyone)",
    lambda b: const((1 << b.scope.seats) - 1),
)
value(
    "tied",
    Type.SEATS,
    "in 'tie': the seats that are equal at the top",
    "everyone - tied",
    lambda b: term("Tied"),
)
value(
    "winners",
    Type.SEATS,
    "in 'series': the winners of the game just over",
    "1 if me <= winners else 0",
    lambda b: term("Winners"),
)
value("stuck", Type.BOOL, "the seat to act can do nothing", "when: stuck", lambda b: term("Stuck"))


@word(
    "able",
    "Seats",
    "Bool",
    "in 'end': one of these seats could do more than pass if the next turn were its own",
    "not able(everyone)",
)
def _able(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(term("Able", b.coerce(b.expr(args[0]), Type.SEATS)), Type.BOOL)


value(
    "repeats",
    Type.INT,
    "how many turns ago the boards last stood as now; 0 = never",
    "repeats != players",
    lambda b: term("Repeats"),
)


@word("of", "Seats", "colour word", "the colours that seats own", "of(next(me))")
def _of(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(
        term("ColoursOf", b.scope.owned, b.coerce(b.expr(args[0]), Type.SEATS)),
        Type.WORD,
        b.scope.pyramid.count,
    )


@word("owner", "Colours", "Seats", "the seats that own one of some colours", "owner(colours(apex))")
def _owner(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(
        term("Owner", b.scope.owned, b.coerce(b.expr(args[0]), Type.COLOURS)), Type.SEATS, b.scope.seats
    )


@word("seat", "n", "Seat", "the n-th seat in turn order, counted from 1", "seat(1)")
def _seat(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(term("SeatNumber", b.coerce(b.expr(args[0]), Type.INT)), Type.SEATS, 1)


@word("next", "Seats", "Seats", "the following seat in turn order", "hand(next(me))")
def _next(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(term("Neighbour", b.coerce(b.expr(args[0]), Type.SEATS), 1), Type.SEATS, b.scope.seats)


@word("previous", "Seats", "Seats", "the seat before in turn order", "hand(previous(me))")
def _previous(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(term("Neighbour", b.coerce(b.expr(args[0]), Type.SEATS), -1), Type.SEATS, b.scope.seats)


@word(
    "passed",
    "Seats",
    "Bool",
    "the last turn of each of these seats was a pass",
    "all(passed(s) for s in everyone)",
)
def _passed(b: Builder, args: list[ast.expr]) -> Typed:
    return Typed(term("PassedBy", b.coerce(b.expr(args[0]), Type.SEATS)), Type.BOOL)


@word("score", "Seat", "Int", "the score of a seat; 'score' alone is that of me", "most: score", least=0)
def _score(b: Builder, args: list[ast.expr]) -> Typed:
    seat = b.coerce(b.expr(args[0]), Type.SEATS) if args else term("Me")
    return Typed(term("Score", seat), Type.INT)


def _extreme(name: str, most: bool, meaning: str, example: str) -> None:
    def build(b: Builder, args: list[ast.expr]) -> Typed:
        of = b.expr(args[0])
        stock = of.type is Type.STOCK
        node = of.node if stock else b.coerce(of, Type.POINTS)
        return Typed(term("Extreme", node, stock, most), Type.COLOURS, len(COLOURS))

    WORDS[name] = Word(name, ("Points or Stock",), "Colours", meaning, example, build)


@word("colours", "X", "Colours", "the colours present among marbles or in a stock", "colours(hand)")
def _colours(b: Builder, args: list[ast.expr]) -> Typed:
    of = b.expr(args[0])
    if of.type is Type.STOCK:
        return Typed(term("ColoursIn", of.node), Type.COLOURS, len(COLOURS))
    return Typed(term("ColoursOn", b.coerce(of, Type.POINTS)), Type.COLOURS, len(COLOURS))


_extreme(
    "commonest",
    True,
    "the most frequent colours of marbles or of a stock, several if equal",
    "commonest(supports(p))",
)
_extreme(
    "rarest",
    False,
    "the least frequent colours, absent ones counting 0, several if equal",
    "rarest(supports(p))",
)

# ---------------------------------------------------------------- stocks, boards, numbers


@word(
    "box",
    "",
    "Stock",
    "the supply: every marble that is on no board and in no other stock",
    "count(box & own)",
)
def _box(b: Builder, args: list[ast.expr]) -> Typed:
    raise Wrong("'box' is not declared")  # every file has a box, so its stocks are found first


@word("on", "Board X", "as X", "X as read on another board", "on(left, filled)")
def _on(b: Builder, args: list[ast.expr]) -> Typed:
    board = b.board(args[0])
    x = b.expr(args[1])
    if x.type is Type.WORD:
        x = Typed(b.coerce(x, Type.POINTS), Type.POINTS, x.rounds)
    if x.type is Type.SETS_LIST:
        raise Wrong("'on' can't give a list of Sets")
    return Typed(term("OnBoard", board, x.node), x.type, x.rounds)


@word(
    "count",
    "X",
    "Int",
    "how many points, sets, seats, colours or numbers; the marbles of a stock",
    "count(own)",
)
def _count(b: Builder, args: list[ast.expr]) -> Typed:
    of = b.expr(args[0])
    if of.type is Type.STOCK:
        return Typed(term("CountStock", of.node), Type.INT)
    if of.type is Type.WORD:
        return Typed(term("Count", b.coerce(of, Type.POINTS)), Type.INT)
    if of.type in SETS_OF_BITS or of.type is Type.NONE:
        return Typed(term("Count", of.node), Type.INT)
    if of.type in SCALARS or of.type is Type.SETS_LIST:
        raise Wrong(f"'count' takes a set, {of.type} found")
    return Typed(term("CountItems", of.node), Type.INT)


def _values(b: Builder, args: list[ast.expr], name: str) -> Term:
    """The Ints that sum, max, min or prod run over."""
    if len(args) == 1:
        if isinstance(args[0], ast.GeneratorExp):
            loops, element, _ = b.comprehension(args[0].generators, args[0].elt)
            return comprehension("Listing", loops, b.coerce(element, Type.INT))
        of = b.expr(args[0])
        if of.type is Type.INTS:
            return of.node
        raise Wrong(f"'{name}' takes numbers, {of.type} found")
    return term("ListItems", tuple(b.coerce(b.expr(arg), Type.INT) for arg in args))


def _total(name: str, meaning: str, example: str) -> None:
    def build(b: Builder, args: list[ast.expr]) -> Typed:
        return Typed(term("Total", name, _values(b, args, name)), Type.INT)

    WORDS[name] = Word(name, ("Ints",), "Int", meaning, example, build, 1, 20)


_total("sum", "the sum of numbers, 0 of none", "sum(count(g) for g in groups(own))")
_total("max", "the greatest of numbers, 0 of none", "max(count(g) for g in groups(own))")
_total("min", "the smallest of numbers, 0 of none", "min(2, count(box & own))")
_total("prod", "the product of numbers, 1 of none", "prod(count(g) for g in groups(own))")


def _quantifier(name: str, every: bool, meaning: str, example: str) -> None:
    def build(b: Builder, args: list[ast.expr]) -> Typed:
        if isinstance(args[0], ast.GeneratorExp):
            return Typed(b.quantifier(args[0], every), Type.BOOL)
        of = b.expr(args[0])
        if of.type is not Type.INTS:
            raise Wrong(f"'{name}' runs over a loop: {name}(… for p in …)")
        return Typed(term("AllOf" if every else "AnyOf", of.node), Type.BOOL)

    WORDS[name] = Word(name, ("Bools",), "Bool", meaning, example, build)


_quantifier("any", False, "at least one is true", "any(l <= own for l in full_lines)")
_quantifier("all", True, "every one is true", "all(passed(s) for s in everyone)")


@word(
    "range",
    "Int Int",
    "Ints",
    "the numbers from the first (0 when left out) up to, but not including, the last",
    "range(bid + 1, 61)",
    least=1,
)
def _range(b: Builder, args: list[ast.expr]) -> Typed:
    numbers = [b.coerce(b.expr(arg), Type.INT) for arg in args]
    low = numbers[0] if len(numbers) == 2 else const(0)
    high = numbers[-1]
    rounds = max(high.value - low.value, 0) if low.op == high.op == "Const" else 1000
    return Typed(term("Range", low, high), Type.INTS, min(rounds, 1000))
