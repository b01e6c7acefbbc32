"""What terms cost to evaluate: the parts that are looked at, counted once when a machine is built.

The rounds of loops are counted as they are made, and so is what words do that look at a whole board.
"""

from __future__ import annotations

from typing import Any, Final

from shibumi3d.rules.marbles.engine.rules import LoopTerm, Term

ROUND: Final = 2
"""What a round of a loop costs besides its tests and its element."""
CHEAP: Final = 10
"""What tests may cost that are counted only when they hold."""


def cost(part: Any) -> int:
    """Return what evaluating a term, or each of several, costs without the rounds of its loops."""
    if isinstance(part, Term):
        loops = part.args[0] if part.args else None
        if isinstance(loops, tuple) and loops and isinstance(loops[0], LoopTerm):
            return 1 + source_cost(loops[0])
        return 1 + sum(cost(arg) for arg in part.args)
    if isinstance(part, tuple) and part and isinstance(part[0], Term | tuple):
        return sum(cost(arg) for arg in part)
    return 0


def source_cost(loop: LoopTerm) -> int:
    """Return what it costs to begin a loop."""
    return cost(loop.source) + cost(loop.whole)


def round_costs(loop: LoopTerm, after: int) -> tuple[int, int]:
    """Return what a round of a loop costs: in any case, and more when its tests hold.

    ``after`` is the cost of what is done then. Where tests after the first cost little they are counted only when all
    hold: most rounds end at the first.
    """
    costs = [cost(test) for test in loop.tests]
    if not costs:
        return ROUND + after, 0
    rest = sum(costs[1:])
    if rest > CHEAP:
        return ROUND + costs[0] + rest, after
    return ROUND + costs[0], rest + after
