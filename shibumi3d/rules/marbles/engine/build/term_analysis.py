"""Static analysis of terms: what they depend on and how much work they cost.

Iterations of loops are counted at run time, as is the work of operations that scan a whole board.
"""

from __future__ import annotations

from typing import Any, Final

from shibumi3d.rules.marbles.engine.rules import DEPENDS_ON_STATE, STATE_READING_OPS, LoopTerm, Term

ITERATION_COST: Final = 2
"""Cost of one loop iteration, not including its tests and its element."""
MAX_CHEAP_TESTS_COST: Final = 10
"""Limit on the total cost of a loop's tests after the first.

Up to this limit, they are charged only for iterations in which all tests hold.
"""


def term_cost(value: Any) -> int:
    """Return the cost of evaluating one or more terms, not including loop iterations.

    ``value`` is a term, or a tuple of terms or of such tuples. For anything else, such as None, the cost is 0.
    """
    if isinstance(value, Term):
        loops = value.args[0] if value.args else None
        if isinstance(loops, tuple) and loops and isinstance(loops[0], LoopTerm):
            return 1 + loop_start_cost(loops[0])
        return 1 + sum(term_cost(arg) for arg in value.args)
    if isinstance(value, tuple) and value and isinstance(value[0], Term | tuple):
        return sum(term_cost(arg) for arg in value)
    return 0


def loop_start_cost(loop: LoopTerm) -> int:
    """Return the cost of starting a loop."""
    return term_cost(loop.source) + term_cost(loop.superset)


def iteration_costs(loop: LoopTerm, element_cost: int) -> tuple[int, int]:
    """Return the cost of each loop iteration, and the extra cost of an iteration whose tests hold.

    ``element_cost`` is the cost of what happens in such an iteration. If the tests after the first are cheap, they are
    part of the extra cost, because most iterations end at the first test. If there are no tests, the extra cost is 0.
    """
    costs = [term_cost(test) for test in loop.tests]
    if not costs:
        return ITERATION_COST + element_cost, 0
    rest = sum(costs[1:])
    if rest > MAX_CHEAP_TESTS_COST:
        return ITERATION_COST + costs[0] + rest, element_cost
    return ITERATION_COST + costs[0], rest + element_cost


CHEAP_OPS = frozenset(
    {"Slot", "ColourMarbles", "OwnMarbles", "MarkValue", "Playable", "Filled", "Empty", "Origin", "BySeat"}
)
"""Operations of negligible cost."""


def is_cheap(term: Term) -> bool:
    """Return whether the cost of evaluating a term is negligible.

    A set operation is cheap if all its operands are.
    """
    if term.op in ("And", "Or", "Without"):
        return all(is_cheap(arg) for arg in term.args)
    return term.op in CHEAP_OPS or term.op == "Const"


BOARD_ONLY_OPS = frozenset(
    {
        "Const",
        "Filled",
        "Empty",
        "Playable",
        "Visible",
        "Free",
        "Movable",
        "ColourMarbles",
        "And",
        "Or",
        "Without",
    }
)
"""Operations whose value depends only on the marbles on the board and on their operands."""


def depends_only_on_board(term: Term) -> bool:
    """Return whether the value of a term is known to depend only on the marbles on the board.

    The result is True if all operations in the term are in :data:`BOARD_ONLY_OPS`. For any other term, it is False,
    even if the value depends on nothing else, as with ``touching(filled)``.
    """
    return term.op in BOARD_ONLY_OPS and all(
        depends_only_on_board(arg) for arg in term.args if isinstance(arg, Term)
    )


def is_plain_set(term: Term) -> bool:
    """Return whether a term for a set consists of constants, variables and points read from the state.

    They may be combined by union, intersection and difference. A set with a constant value for each seat also counts as
    a constant.
    """
    if term.op in ("And", "Or", "Without"):
        return all(map(is_plain_set, term.args))
    return term.op in BOARD_ONLY_OPS or term.op in CHEAP_OPS


def factors(term: Term) -> list[Term]:
    """Return the operands of an intersection of sets, with nested intersections split up.

    For any other term, return a list that contains only the term itself.
    """
    if term.op == "And":
        return [*factors(term.args[0]), *factors(term.args[1])]
    return [term]


def conjuncts(term: Term) -> list[Term]:
    """Return the tests in a conjunction, with nested conjunctions split up.

    For any other term, return a list that contains only the term itself.
    """
    if term.op == "BoolAnd":
        return [*conjuncts(term.args[0]), *conjuncts(term.args[1])]
    return [term]


def is_one_colour(term: Term) -> bool:
    """Return whether a set is known to contain only marbles of a single colour."""
    if term.op in ("ColourMarbles", "OwnMarbles"):
        return True
    if term.op == "And":
        return is_one_colour(term.args[0]) or is_one_colour(term.args[1])
    return term.op == "Without" and is_one_colour(term.args[0])


def split_tests(loop: LoopTerm) -> list[Term]:
    """Return the tests of a loop, with conjunctions split into their parts."""
    return [part for test in loop.tests for part in conjuncts(test)]


def elements_are_distinct(loop: LoopTerm, element: Term) -> bool:
    """Return whether an element is known to have a different value in each iteration of a loop.

    This is the case if the element is the loop variable, and the loop runs over a constant list or family without
    duplicates. The family may also be chosen, by an index or a seat, from several such families.
    """
    if element.op != "Slot" or element.args[0] != loop.slot or loop.kind not in ("sets", "items"):
        return False
    lists = [loop.source]
    if loop.source.op == "FamilyOf" and loop.source.args[0].op == "ListLists":
        lists = loop.source.args[0].args[0]
    return all(term.op == "ConstItems" and len(set(term.value)) == len(term.value) for term in lists)


def required_outer_slot(loop: LoopTerm) -> int:
    """Return the slot of an outer variable whose points belong to every set that passes a loop's tests.

    Only a test of the form ``x <= l`` is recognized, where ``x`` is the outer variable and ``l`` the variable of the
    loop. Returns -1 if there is no such test, if the loop isn't over a fixed family, or if it has a ``superset``.
    """
    if loop.source.op != "ConstItems" or loop.superset is not None or loop.kind != "sets":
        return -1
    for test in split_tests(loop):
        if test.op == "PartOf" and all(side.op == "Slot" for side in test.args):
            part, superset = test.args
            slot: int = part.args[0]
            if superset.args[0] == loop.slot != slot and part.dependencies == {f"v{slot}"}:
                return slot
    return -1


def depends_only_on_slots(test: Term, slot: int, other_slot: int) -> bool:
    """Return whether a test depends on nothing but the two given loop variables."""
    return test.dependencies <= {f"v{slot}", f"v{other_slot}"}


def depends_only_on_origin(test: Term, slot: int) -> bool:
    """Return whether a test depends only on the loop variable in ``slot`` and the moving marble's origin."""
    return all(dep in (f"v{slot}", "state") for dep in test.dependencies) and _reads_only_origin(test)


def _reads_only_origin(value: Any) -> bool:
    if isinstance(value, LoopTerm):
        return all(map(_reads_only_origin, (value.source, value.superset, value.tests)))
    if isinstance(value, tuple):
        return all(map(_reads_only_origin, value))
    if not isinstance(value, Term) or value.op == "Origin" or not value.dependencies & DEPENDS_ON_STATE:
        return True
    return (
        value.op != "Slot" and value.op not in STATE_READING_OPS and all(map(_reads_only_origin, value.args))
    )
