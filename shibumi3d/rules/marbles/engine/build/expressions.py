"""The complete node builder, and the evaluator of constant terms that is based on it."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.build import comprehensions, geometry, values
from shibumi3d.rules.marbles.engine.build.nodes import NODE_BUILDERS, NodeBuilder
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.rules import Rules, Term
from shibumi3d.rules.marbles.pyramid import Pyramid

for makers in (
    values.VALUE_NODE_BUILDERS,
    geometry.GEOMETRY_NODE_BUILDERS,
    comprehensions.LOOP_NODE_BUILDERS,
):
    NODE_BUILDERS.update(makers)

__all__ = ["NodeBuilder"]


class ConstantEvaluator:
    """Evaluator of terms that depend only on the seat, for one board size and number of seats.

    All evaluations share one work budget. The methods raise RuleFailure when it is exceeded.
    """

    def __init__(self, pyramid: Pyramid, seats: int) -> None:
        self.machine = Machine(Rules(pyramid, seats, (0,) * seats), False)
        self.builder = NodeBuilder(self.machine, general=True)

    def eval_scalar(self, term: Term, seat: int = 0) -> int:
        """Return the value of a scalar term for a seat."""
        node = self.builder.build(term)
        self.machine.me = seat
        value: int = node.eval(self.machine)
        self.machine.me = 0
        return value

    def eval_items(self, term: Term) -> tuple[int, ...]:
        """Return the members of a family or list."""
        return tuple(self.builder.build(term).items(self.machine))

    def filter_family(self, family: tuple[int, ...], slot: int, test: Term) -> tuple[int, ...]:
        """Return the members of a family that pass a test.

        The test must depend only on the variable in ``slot``, which is set to each member in turn.
        """
        m = self.machine
        word = self.builder.word(slot)
        node = self.builder.build(test)
        m.spend_work(len(family))
        result: list[int] = []
        for value in family:
            word.value = value
            if node.eval(m):
                result.append(value)
        return tuple(result)
