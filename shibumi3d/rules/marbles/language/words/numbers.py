"""Words for stocks, boards, numbers and quantifiers."""

from __future__ import annotations

import ast

from shibumi3d.i18n import N_
from shibumi3d.rules.marbles.engine.rules import (
    Term,
    comprehension,
    const,
    term,
)
from shibumi3d.rules.marbles.language.scope import SETS_OF_BITS, Typed, Wrong
from shibumi3d.rules.marbles.language.types import SCALARS, Type
from shibumi3d.rules.marbles.language.vocabulary import Building, WordEntry, Words

NUMBERS = Words()


@NUMBERS.word(
    "box",
    "",
    "Stock",
    "the supply: every marble that is not on a board or in another stock",
    "count(box & own)",
)
def _box(b: Building, args: list[ast.expr]) -> Typed:
    raise Wrong("'box' is not declared")  # every file has a box, and stocks are looked up before words


@NUMBERS.word("on", "Board X", "as X", "X, evaluated on another board", "on(left, filled)")
def _on(b: Building, args: list[ast.expr]) -> Typed:
    board = b.board(args[0])
    x = b.expr(args[1])
    if x.type is Type.WORD:
        x = Typed(b.coerce(x, Type.POINTS), Type.POINTS, x.rounds)
    if x.type is Type.SETS_LIST:
        raise Wrong("'on' can't give a list of Sets")
    return Typed(term("OnBoard", board, x.node), x.type, x.rounds)


@NUMBERS.word(
    "count",
    "X",
    "Int",
    "the number of points, sets, players, colours or numbers, or of marbles in a stock",
    "count(own)",
)
def _count(b: Building, args: list[ast.expr]) -> Typed:
    of = b.expr(args[0])
    if of.type is Type.STOCK:
        return Typed(term("CountStock", of.node), Type.INT)
    if of.type is Type.WORD:
        return Typed(term("Count", b.coerce(of, Type.POINTS)), Type.INT)
    if of.type in SETS_OF_BITS or of.type is Type.NONE:
        return Typed(term("Count", of.node), Type.INT)
    if of.type in SCALARS or of.type is Type.SETS_LIST:
        raise Wrong("'count' takes a set, but found {type}", type=of.type)
    return Typed(term("CountItems", of.node), Type.INT)


def _values(b: Building, args: list[ast.expr], name: str) -> Term:
    """Return the term for the Ints that sum, max, min or prod aggregates."""
    if len(args) == 1:
        if isinstance(args[0], ast.GeneratorExp):
            loops, element, _ = b.comprehension(args[0].generators, args[0].elt)
            return comprehension("Listing", loops, b.coerce(element, Type.INT))
        of = b.expr(args[0])
        if of.type is Type.INTS:
            return of.node
        raise Wrong("'{word}' takes numbers, not {type}", word=name, type=of.type)
    return term("ListItems", tuple(b.coerce(b.expr(arg), Type.INT) for arg in args))


def _total(name: str, meaning: str, example: str) -> None:
    def build(b: Building, args: list[ast.expr]) -> Typed:
        return Typed(term("Total", name, _values(b, args, name)), Type.INT)

    NUMBERS[name] = WordEntry(name, ("Ints",), "Int", meaning, example, build, 1, 20)


_total("sum", N_("the sum of the numbers; 0 if there are none"), "sum(count(g) for g in groups(own))")
_total("max", N_("the greatest of the numbers; 0 if there are none"), "max(count(g) for g in groups(own))")
_total("min", N_("the smallest of the numbers; 0 if there are none"), "min(2, count(box & own))")
_total("prod", N_("the product of the numbers; 1 if there are none"), "prod(count(g) for g in groups(own))")


def _quantifier(name: str, every: bool, meaning: str, example: str) -> None:
    def build(b: Building, args: list[ast.expr]) -> Typed:
        if isinstance(args[0], ast.GeneratorExp):
            return Typed(b.quantifier(args[0], every), Type.BOOL)
        of = b.expr(args[0])
        if of.type is not Type.INTS:
            raise Wrong("'{word}' needs a loop: {word}(… for p in …)", word=name)
        return Typed(term("AllOf" if every else "AnyOf", of.node), Type.BOOL)

    NUMBERS[name] = WordEntry(name, ("Bools",), "Bool", meaning, example, build)


_quantifier("any", False, N_("at least one is true"), "any(l <= own for l in full_lines)")
_quantifier("all", True, N_("all are true"), "all(passed(s) for s in everyone)")


@NUMBERS.word(
    "range",
    "Int Int",
    "Ints",
    "the numbers from the first (default: 0) up to, but not including, the last",
    "range(bid + 1, 61)",
    least=1,
)
def _range(b: Building, args: list[ast.expr]) -> Typed:
    numbers = [b.coerce(b.expr(arg), Type.INT) for arg in args]
    low = numbers[0] if len(numbers) == 2 else const(0)
    high = numbers[-1]
    rounds = max(high.value - low.value, 0) if low.op == high.op == "Const" else 1000
    return Typed(term("Range", low, high), Type.INTS, min(rounds, 1000))
