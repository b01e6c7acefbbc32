"""Static costs of terms: the number of parts to evaluate, computed when a machine is built.

Iterations of loops are counted at run time, as is the work of words that scan a whole board.
"""

from __future__ import annotations

from typing import Any, Final

from shibumi3d.rules.marbles.engine.rules import LoopTerm, Term

ROUND: Final = 2
"""Cost of one loop iteration, not including its tests and its element."""
CHEAP: Final = 10
"""Limit on the total cost of a loop's tests after the first.

Up to this limit, they are charged only for iterations in which all tests hold.
"""


def cost(part: Any) -> int:
    """Return the cost of evaluating one or more terms, not including loop iterations."""
    if isinstance(part, Term):
        loops = part.args[0] if part.args else None
        if isinstance(loops, tuple) and loops and isinstance(loops[0], LoopTerm):
            return 1 + source_cost(loops[0])
        return 1 + sum(cost(arg) for arg in part.args)
    if isinstance(part, tuple) and part and isinstance(part[0], Term | tuple):
        return sum(cost(arg) for arg in part)
    return 0


def source_cost(loop: LoopTerm) -> int:
    """Return the cost of starting a loop."""
    return cost(loop.source) + cost(loop.whole)


def round_costs(loop: LoopTerm, after: int) -> tuple[int, int]:
    """Return the cost of every loop iteration, and the extra cost of an iteration whose tests hold.

    ``after`` is the cost of what happens in such an iteration. If the tests after the first are cheap, they are part of
    the extra cost, because most iterations end at the first test.
    """
    costs = [cost(test) for test in loop.tests]
    if not costs:
        return ROUND + after, 0
    rest = sum(costs[1:])
    if rest > CHEAP:
        return ROUND + costs[0] + rest, after
    return ROUND + costs[0], rest + after
