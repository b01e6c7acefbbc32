"""Words for points: parts of the pyramid, lines and adjacency."""

from __future__ import annotations

import ast

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.engine.rules import const_list_term, const_term, make_term
from shibumi3d.rules.marbles.language.scope import ExpressionError, TypedTerm
from shibumi3d.rules.marbles.language.types import Type
from shibumi3d.rules.marbles.language.vocabulary import Vocabulary, WordContext, WordEntry

POINT_WORDS = Vocabulary()

POINT_WORDS.register_value(
    "points", Type.POINTS, "all points", "points - apex", lambda b: const_term(b.scope.pyramid.all_points)
)
POINT_WORDS.register_value(
    "holes",
    Type.POINTS,
    "the points of level A, the board itself",
    "holes & empty",
    lambda b: const_term(b.scope.pyramid.holes),
)
POINT_WORDS.register_value(
    "apex", Type.POINTS, "the top point", "empty == apex", lambda b: const_term(b.scope.pyramid.apex)
)
POINT_WORDS.register_value(
    "west",
    Type.POINTS,
    "the west face, ridges included",
    "west & holes",
    lambda b: const_term(b.scope.pyramid.west),
)
POINT_WORDS.register_value(
    "east",
    Type.POINTS,
    "the east face, ridges included",
    "east & holes",
    lambda b: const_term(b.scope.pyramid.east),
)
POINT_WORDS.register_value(
    "south",
    Type.POINTS,
    "the south face, ridges included",
    "south & holes",
    lambda b: const_term(b.scope.pyramid.south),
)
POINT_WORDS.register_value(
    "north",
    Type.POINTS,
    "the north face, ridges included",
    "north & holes",
    lambda b: const_term(b.scope.pyramid.north),
)
POINT_WORDS.register_value(
    "levels",
    Type.SETS,
    "the list of levels, from the board up",
    "levels[0]",
    lambda b: const_list_term(b.scope.pyramid.levels),
)
POINT_WORDS.register_value(
    "rows",
    Type.SETS,
    "every run of 2 or more consecutive points along a rank or a file",
    "any(placed <= l for l in rows)",
    lambda b: const_list_term(b.scope.pyramid.rows),
)
POINT_WORDS.register_value(
    "diagonals",
    Type.SETS,
    "every run of 2 or more consecutive points along a flat diagonal",
    "any(l <= own and count(l) == 3 for l in diagonals)",
    lambda b: const_list_term(b.scope.pyramid.diagonals),
)
POINT_WORDS.register_value(
    "slopes",
    Type.SETS,
    "every straight run of 2 or more consecutive points across levels",
    "{l for l in rows | slopes if count(l) == 3}",
    lambda b: const_list_term(b.scope.pyramid.slopes),
)
POINT_WORDS.register_value(
    "full_lines",
    Type.SETS,
    "the flat lines that span their whole level from edge to edge or corner to corner",
    "any(l <= own for l in full_lines)",
    lambda b: const_list_term(b.scope.pyramid.full_lines),
)
POINT_WORDS.register_value(
    "sight_lines",
    Type.SETS,
    "runs of touching points that are straight as seen from above, and may go up and down between levels",
    "any(count(l) == 4 and l <= own and seen(l) for l in sight_lines)",
    lambda b: const_list_term(b.scope.pyramid.sight_lines),
)
POINT_WORDS.register_value(
    "size",
    Type.INT,
    "the width of the board, in points",
    "count(l) == size - level(l)",
    lambda b: const_term(b.scope.pyramid.size),
)
POINT_WORDS.register_value(
    "players", Type.INT, "the number of players", "30 // players", lambda b: const_term(b.scope.seats)
)


@POINT_WORDS.register_word("Aa1", "", "Point", "a point by its name: level, file, rank", "Ab1 | Ac1")
def _point(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(const_term(1 << context.scope.pyramid.point_by_name["Aa1"]), Type.POINT, 1)


@POINT_WORDS.register_word(
    "copies",
    "Points",
    "Sets",
    "all copies of a shape that fit on the board, also rotated about the vertical, mirrored or upside down",
    "copies(Aa1 | Ab1 | Ba1)",
)
def _copies(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    shape = context.coerce(context.compile_tree(args[0]), Type.POINTS)
    if shape.dependencies:
        raise ExpressionError("'copies' takes a shape of fixed points, as in copies(Aa1 | Ab1 | Ba1)")
    return TypedTerm(make_term("Copies", shape), Type.SETS, context.scope.pyramid.point_count)


@POINT_WORDS.register_word(
    "level",
    "Points",
    "Int",
    "the highest level in a set, where the board is 0; -1 for the empty set",
    "level(l) < size - 1",
)
def _level(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    return TypedTerm(make_term("Level", context.coerce(context.compile_tree(args[0]), Type.POINTS)), Type.INT)


@POINT_WORDS.register_word(
    "steps",
    "Point Point",
    "Int",
    "the distance between two points along files and ranks, seen from above, in units of half a marble's "
    "width",
    "steps(p, origin) <= 4",
)
def _steps(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    p, q = (context.coerce(context.compile_tree(arg), Type.POINTS) for arg in args)
    return TypedTerm(make_term("Steps", p, q), Type.INT)


def _register_relation(name: str, table_name: str, meaning: str, example: str) -> None:
    def build(b: WordContext, args: list[ast.expr]) -> TypedTerm:
        pyramid = b.scope.pyramid
        return TypedTerm(
            make_term("Relation", table_name, b.coerce(b.compile_tree(args[0]), Type.POINTS)),
            Type.POINTS,
            pyramid.point_count,
        )

    POINT_WORDS[name] = WordEntry(name, ("Points",), "Points", meaning, example, build)


_register_relation(
    "touching",
    "touching",
    N_("points, filled or not, that touch any point of a set"),
    "touching(placed) & own",
)
_register_relation(
    "diagonal_to",
    "diagonal",
    N_("the diagonal neighbours, on the same level, of the points of a set"),
    "diagonal_to(p) & colour",
)
_register_relation(
    "supports",
    "supports",
    N_("the four points that each point of a set rests on"),
    "count(supports(p) & red) == 2",
)
_register_relation(
    "resting_on",
    "resting",
    N_("points, filled or not, that rest on any point of a set"),
    "playable - resting_on(fallen)",
)
