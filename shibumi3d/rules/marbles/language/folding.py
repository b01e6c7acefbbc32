"""Simplification of terms at compile time, mainly constant folding."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import N_
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.engine.rules import Term, const, const_items, term
from shibumi3d.rules.marbles.language.scope import TooMuch, Typed
from shibumi3d.rules.marbles.language.types import SCALARS, Type

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.build.fixed import Fixed

TOO_LONG = N_("the constant parts of the file take too long to compute")
TRUTHS = frozenset(
    {
        "Equal", "Unequal", "Less", "AtMost", "PartOf", "ProperPartOf", "ItemsEqual", "ItemsPartOf", "Among",
        "MemberOf", "MemberOfFixed", "Not", "HasItems", "Truth",
    }
)  # fmt: skip
"""Operations whose value is always 0 or 1."""


def exact(truth: Term) -> Term:
    """Convert a Bool term to one whose value is exactly 0 or 1.

    In general, the value of a Bool term can be any set or number; it counts as true unless it is empty or zero.
    """
    if truth.op == "Const":
        return const(int(truth.value != 0))
    return truth if truth.op in TRUTHS else term("Truth", truth)


def marbles(colours: Term) -> Term:
    """Return the term for all marbles of some colours."""
    if colours.op == "Const":
        if colours.value.bit_count() == 1:
            return term("ColourMarbles", colours.value.bit_length() - 1)
        if colours.value == (1 << len(COLOURS)) - 1:
            return term("Filled")
    if colours.op == "BySeat" and all(v.bit_count() == 1 for v in colours.value):
        return term("OwnMarbles", tuple(v.bit_length() - 1 for v in colours.value))
    return term("Marbles", colours)


def folded(value: Typed, fixed: Fixed) -> Typed:
    """Return a term without dependencies as a constant, and any other term unchanged.

    Raises TooMuch if evaluating it takes too long.
    """
    node = value.node
    if (
        node.deps
        or node.op in ("Const", "ConstItems")
        or value.type in (Type.SETS_LIST, Type.STOCK, Type.BOARD)
    ):
        return value
    try:
        if value.type in SCALARS:
            return Typed(const(fixed.scalar(node)), value.type, value.rounds)
        items = fixed.items(node)
    except RuleFailure as failure:
        raise TooMuch(TOO_LONG) from failure
    return Typed(const_items(items), value.type, len(items))


def conjuncts(tests: Sequence[ast.expr]) -> list[ast.expr]:
    """Return conditions as a flat list, splitting those joined by ``and``."""
    found: list[ast.expr] = []
    for test in tests:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            found += conjuncts(test.values)
        else:
            found.append(test)
    return found


def kept(node: Term, slot: int, test: Term, fixed: Fixed) -> tuple[int, ...]:
    """Return the members of a constant family that pass a test that depends only on the member.

    Raises TooMuch if evaluating the tests takes too long.
    """
    try:
        found: tuple[int, ...] = fixed.kept(node.value, slot, test)
    except RuleFailure as failure:
        raise TooMuch(TOO_LONG) from failure
    return found


def is_subset_test(test: Term, variable: Term, here: str) -> bool:
    """Return whether a test has the form ``variable <= X``, where X depends on no loop variable."""
    return (
        test.op == "PartOf"
        and test.args[0].op == "Slot"
        and test.args[0].args[0] == variable.args[0]
        and here not in test.args[1].deps
        and not any(d.startswith("v") for d in test.args[1].deps)
    )
