"""Words for points: parts of the pyramid, lines and adjacency."""

from __future__ import annotations

import ast

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.engine.rules import (
    const,
    const_items,
    term,
)
from shibumi3d.rules.marbles.language.scope import Typed, Wrong
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.vocabulary import Building, WordEntry, Words

PLACES = Words()

PLACES.value("points", Type.POINTS, "all points", "points - apex", lambda b: const(b.scope.pyramid.all))
PLACES.value(
    "holes", Type.POINTS, "level A, the board", "holes & empty", lambda b: const(b.scope.pyramid.holes)
)
PLACES.value("apex", Type.POINTS, "the top point", "empty == apex", lambda b: const(b.scope.pyramid.apex))
PLACES.value(
    "west",
    Type.POINTS,
    "the west face, ridges included",
    "west & holes",
    lambda b: const(b.scope.pyramid.west),
)
PLACES.value(
    "east",
    Type.POINTS,
    "the east face, ridges included",
    "east & holes",
    lambda b: const(b.scope.pyramid.east),
)
PLACES.value(
    "south",
    Type.POINTS,
    "the south face, ridges included",
    "south & holes",
    lambda b: const(b.scope.pyramid.south),
)
PLACES.value(
    "north",
    Type.POINTS,
    "the north face, ridges included",
    "north & holes",
    lambda b: const(b.scope.pyramid.north),
)
PLACES.value(
    "levels",
    Type.SETS,
    "the list of levels, from the board up",
    "levels[0]",
    lambda b: const_items(b.scope.pyramid.levels),
)
PLACES.value(
    "rows",
    Type.SETS,
    "every run of 2 or more consecutive points along a rank or a file",
    "any(placed <= l for l in rows)",
    lambda b: const_items(b.scope.pyramid.rows),
)
PLACES.value(
    "diagonals",
    Type.SETS,
    "every run of 2 or more consecutive points along a flat diagonal",
    "any(l <= own and count(l) == 3 for l in diagonals)",
    lambda b: const_items(b.scope.pyramid.diagonals),
)
PLACES.value(
    "slopes",
    Type.SETS,
    "every straight run of 2 or more consecutive points across levels",
    "{l for l in rows | slopes if count(l) == 3}",
    lambda b: const_items(b.scope.pyramid.slopes),
)
PLACES.value(
    "full_lines",
    Type.SETS,
    "the flat lines that span their whole level from edge to edge or corner to corner",
    "any(l <= own for l in full_lines)",
    lambda b: const_items(b.scope.pyramid.full_lines),
)
PLACES.value(
    "sight_lines",
    Type.SETS,
    "runs of touching points that are straight as seen from above, and may go up and down between levels",
    "any(count(l) == 4 and l <= own and seen(l) for l in sight_lines)",
    lambda b: const_items(b.scope.pyramid.sight_lines),
)
PLACES.value(
    "size",
    Type.INT,
    "the width of the board, in points",
    "count(l) == size - level(l)",
    lambda b: const(b.scope.pyramid.size),
)
PLACES.value("players", Type.INT, "the number of players", "30 // players", lambda b: const(b.scope.seats))


@PLACES.word("Aa1", "", "Point", "a point by its name: level, file, rank", "Ab1 | Ac1")
def _point(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(const(1 << b.scope.pyramid.index["Aa1"]), Type.POINT, 1)


@PLACES.word(
    "copies",
    "Points",
    "Sets",
    "all copies of a shape that fit: rotated about the vertical, mirrored or upside down",
    "copies(Aa1 | Ab1 | Ba1)",
)
def _copies(b: Building, args: list[ast.expr]) -> Typed:
    shape = b.coerce(b.expr(args[0]), Type.POINTS)
    if shape.deps:
        raise Wrong("'copies' takes a shape of fixed points, as in copies(Aa1 | Ab1 | Ba1)")
    return Typed(term("Copies", shape), Type.SETS, b.scope.pyramid.count)


@PLACES.word(
    "level",
    "Points",
    "Int",
    "the highest level in a set, where the board is 0; -1 for the empty set",
    "level(l) < size - 1",
)
def _level(b: Building, args: list[ast.expr]) -> Typed:
    return Typed(term("Level", b.coerce(b.expr(args[0]), Type.POINTS)), Type.INT)


@PLACES.word(
    "steps",
    "Point Point",
    "Int",
    "the number of half-steps between two points as seen from above, along files plus along ranks",
    "steps(p, origin) <= 4",
)
def _steps(b: Building, args: list[ast.expr]) -> Typed:
    p, q = (b.coerce(b.expr(arg), Type.POINTS) for arg in args)
    return Typed(term("Steps", p, q), Type.INT)


def _relation(name: str, table: str, meaning: str, example: str) -> None:
    def build(b: Building, args: list[ast.expr]) -> Typed:
        pyramid = b.scope.pyramid
        return Typed(
            term("Relation", table, b.coerce(b.expr(args[0]), Type.POINTS)),
            Type.POINTS,
            pyramid.count,
        )

    PLACES[name] = WordEntry(name, ("Points",), "Points", meaning, example, build)


_relation(
    "touching",
    "touching",
    N_("points that touch any point of a set, filled or not"),
    "touching(placed) & own",
)
_relation("diagonal_to", "diagonal", N_("diagonal neighbours on the same level"), "diagonal_to(p) & colour")
_relation(
    "supports",
    "supports",
    N_("the four points that each point of a set rests on"),
    "count(supports(p) & red) == 2",
)
_relation(
    "resting_on",
    "resting",
    N_("points that rest on any point of a set, filled or not"),
    "playable - resting_on(fallen)",
)
