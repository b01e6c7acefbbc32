"""Simplification of terms at compile time, mainly constant folding."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import N_
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.engine.rules import Term, const_list_term, const_term, make_term
from shibumi3d.rules.marbles.language.scope import ExpressionLimitError, TypedTerm
from shibumi3d.rules.marbles.language.types import SCALAR_TYPES, Type

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.build.expressions import ConstantEvaluator


CONSTANTS_TOO_COSTLY = N_("the constant parts of the file take too long to compute")
BOOLEAN_OPS = frozenset(
    {
        "Equal", "Unequal", "Less", "AtMost", "PartOf", "ProperPartOf", "ItemsEqual", "ItemsPartOf", "Among",
        "MemberOf", "MemberOfFixed", "Not", "HasItems", "Truth",
    }
)  # fmt: skip
"""Operations whose value is always 0 or 1."""


def normalize_bool(truth: Term) -> Term:
    """Convert a Bool term to a term whose value is exactly 0 or 1.

    In general, the value of a Bool term can be any set or number; it counts as true unless it is empty or zero.
    """
    if truth.op == "Const":
        return const_term(int(truth.value != 0))
    return truth if truth.op in BOOLEAN_OPS else make_term("Truth", truth)


def marbles_of_colours(colours: Term) -> Term:
    """Return the term for all marbles whose colour is in ``colours``."""
    if colours.op == "Const":
        if colours.value.bit_count() == 1:
            return make_term("ColourMarbles", colours.value.bit_length() - 1)
        if colours.value == (1 << len(COLOURS)) - 1:
            return make_term("Filled")
    if colours.op == "BySeat" and all(v.bit_count() == 1 for v in colours.value):
        return make_term("OwnMarbles", tuple(v.bit_length() - 1 for v in colours.value))
    return make_term("Marbles", colours)


def fold_constant(value: TypedTerm, evaluator: ConstantEvaluator) -> TypedTerm:
    """Return a term without dependencies as a constant, and any other term unchanged.

    Stocks, boards and lists of Sets are never evaluated. Raises ExpressionLimitError if the evaluation takes too long
    or produces too many values.
    """
    node = value.term
    if (
        node.dependencies
        or node.op in ("Const", "ConstItems")
        or value.type in (Type.SETS_LIST, Type.STOCK, Type.BOARD)
    ):
        return value
    try:
        if value.type in SCALAR_TYPES:
            return TypedTerm(const_term(evaluator.eval_scalar(node)), value.type, value.iteration_estimate)
        items = evaluator.eval_items(node)
    except RuleFailure as failure:
        raise ExpressionLimitError(CONSTANTS_TOO_COSTLY) from failure
    return TypedTerm(const_list_term(items), value.type, len(items))


def split_conjuncts(tests: Sequence[ast.expr]) -> list[ast.expr]:
    """Return conditions as a flat list, splitting those joined by ``and``."""
    conjuncts: list[ast.expr] = []
    for test in tests:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            conjuncts += split_conjuncts(test.values)
        else:
            conjuncts.append(test)
    return conjuncts


def filter_members(node: Term, slot: int, test: Term, evaluator: ConstantEvaluator) -> tuple[int, ...]:
    """Return the members of the constant family ``node`` that pass ``test``.

    ``slot`` is the slot of the loop variable, which is set to each member in turn. The test must depend on this
    variable only. Raises ExpressionLimitError if testing the members takes too long or produces too many values.
    """
    try:
        family: tuple[int, ...] = evaluator.filter_family(node.value, slot, test)
    except RuleFailure as failure:
        raise ExpressionLimitError(CONSTANTS_TOO_COSTLY) from failure
    return family


def is_subset_test(test: Term, variable: Term, loop_dependency: str) -> bool:
    """Return whether a test has the form ``variable <= X``, where X depends on no loop variable or parameter.

    ``loop_dependency`` is the dependency that stands for ``variable`` itself.
    """
    return (
        test.op == "PartOf"
        and test.args[0].op == "Slot"
        and test.args[0].args[0] == variable.args[0]
        and loop_dependency not in test.args[1].dependencies
        and not any(d.startswith("v") for d in test.args[1].dependencies)
    )
