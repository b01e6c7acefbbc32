"""Words for stocks, boards and numbers, and the quantifiers ``any`` and ``all``."""

from __future__ import annotations

import ast

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.engine.rules import (
    Term,
    comprehension_term,
    const_term,
    make_term,
)
from shibumi3d.rules.marbles.language.scope import BITMASK_TYPES, ExpressionError, TypedTerm
from shibumi3d.rules.marbles.language.types import SCALAR_TYPES, Type
from shibumi3d.rules.marbles.language.vocabulary import Vocabulary, WordContext, WordEntry

NUMBER_WORDS = Vocabulary()


@NUMBER_WORDS.register_word(
    "box",
    "",
    "Stock",
    "the supply: every marble that is not on a board or in another stock",
    "count(box & own)",
)
def _box(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    raise ExpressionError(
        "'box' is not declared"
    )  # every file has a box, and stocks are looked up before words


@NUMBER_WORDS.register_word("on", "Board X", "as X", "X, evaluated on another board", "on(left, filled)")
def _on(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    board = context.compile_board(args[0])
    x = context.compile_tree(args[1])
    if x.type is Type.COLOUR_WORD:
        x = TypedTerm(context.coerce(x, Type.POINTS), Type.POINTS, x.iteration_estimate)
    if x.type is Type.SETS_LIST:
        raise ExpressionError("'on' can't return a list of Sets")
    return TypedTerm(make_term("OnBoard", board, x.term), x.type, x.iteration_estimate)


@NUMBER_WORDS.register_word(
    "count",
    "X",
    "Int",
    "the number of points, sets, players, colours or numbers, or of marbles in a stock",
    "count(own)",
)
def _count(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    of = context.compile_tree(args[0])
    if of.type is Type.STOCK:
        return TypedTerm(make_term("CountStock", of.term), Type.INT)
    if of.type is Type.COLOUR_WORD:
        return TypedTerm(make_term("Count", context.coerce(of, Type.POINTS)), Type.INT)
    if of.type in BITMASK_TYPES or of.type is Type.NONE:
        return TypedTerm(make_term("Count", of.term), Type.INT)
    if of.type in SCALAR_TYPES or of.type is Type.SETS_LIST:
        raise ExpressionError("'count' takes a set, not {type}", type=of.type)
    return TypedTerm(make_term("CountItems", of.term), Type.INT)


def _aggregated_numbers(context: WordContext, args: list[ast.expr], name: str) -> Term:
    """Return the term for the numbers to which the word ``name`` (sum, max, min or prod) is applied.

    They are given as a generator expression, as a list of Ints, or as several Ints. Raises ExpressionError for anything
    else, including a single Int.
    """
    if len(args) == 1:
        if isinstance(args[0], ast.GeneratorExp):
            loops, element, _ = context.compile_comprehension(args[0].generators, args[0].elt)
            return comprehension_term("Listing", loops, context.coerce(element, Type.INT))
        of = context.compile_tree(args[0])
        if of.type is Type.INTS:
            return of.term
        raise ExpressionError("'{word}' takes numbers, not {type}", word=name, type=of.type)
    return make_term("ListItems", tuple(context.coerce(context.compile_tree(arg), Type.INT) for arg in args))


def _register_total(name: str, meaning: str, example: str) -> None:
    def build(b: WordContext, args: list[ast.expr]) -> TypedTerm:
        return TypedTerm(make_term("Total", name, _aggregated_numbers(b, args, name)), Type.INT)

    NUMBER_WORDS[name] = WordEntry(name, ("Ints",), "Int", meaning, example, build, 1, 20)


_register_total(
    "sum", N_("the sum of the numbers; 0 if there are none"), "sum(count(g) for g in groups(own))"
)
_register_total(
    "max", N_("the greatest of the numbers; 0 if there are none"), "max(count(g) for g in groups(own))"
)
_register_total("min", N_("the smallest of the numbers; 0 if there are none"), "min(2, count(box & own))")
_register_total(
    "prod", N_("the product of the numbers; 1 if there are none"), "prod(count(g) for g in groups(own))"
)


def _register_quantifier(name: str, is_all: bool, meaning: str, example: str) -> None:
    def build(b: WordContext, args: list[ast.expr]) -> TypedTerm:
        if isinstance(args[0], ast.GeneratorExp):
            return TypedTerm(b.compile_quantifier(args[0], is_all), Type.BOOL)
        of = b.compile_tree(args[0])
        if of.type is not Type.INTS:
            raise ExpressionError("'{word}' needs a loop: {word}(… for p in …)", word=name)
        return TypedTerm(make_term("AllOf" if is_all else "AnyOf", of.term), Type.BOOL)

    NUMBER_WORDS[name] = WordEntry(name, ("Bools",), "Bool", meaning, example, build)


_register_quantifier(
    "any", False, N_("at least one of the conditions is true"), "any(l <= own for l in full_lines)"
)
_register_quantifier("all", True, N_("all of the conditions are true"), "all(passed(s) for s in everyone)")


@NUMBER_WORDS.register_word(
    "range",
    "Int Int",
    "Ints",
    "the numbers from the first (default: 0) up to, but not including, the last",
    "range(bid + 1, 61)",
    min_arguments=1,
)
def _range(context: WordContext, args: list[ast.expr]) -> TypedTerm:
    numbers = [context.coerce(context.compile_tree(arg), Type.INT) for arg in args]
    low = numbers[0] if len(numbers) == 2 else const_term(0)
    high = numbers[-1]
    rounds = max(high.value - low.value, 0) if low.op == high.op == "Const" else 1000
    return TypedTerm(make_term("Range", low, high), Type.INTS, min(rounds, 1000))
