"""Compile-time evaluation of terms that depend only on the seat."""

from __future__ import annotations

from shibumi3d.rules.marbles.engine.build.expressions import NodeBuilder
from shibumi3d.rules.marbles.engine.rules import Rules, Term
from shibumi3d.rules.marbles.engine.workspace import Machine
from shibumi3d.rules.marbles.pyramid import Pyramid


class Fixed:
    """Evaluator of terms that depend only on the seat, for one board size and number of seats.

    Its methods raise RuleFailure if the evaluation takes too long.
    """

    def __init__(self, pyramid: Pyramid, seats: int) -> None:
        self.machine = Machine(Rules(pyramid, seats, (0,) * seats), False)
        self.builder = NodeBuilder(self.machine, general=True)

    def scalar(self, term: Term, seat: int = 0) -> int:
        """Return the value of a scalar term for a seat."""
        node = self.builder.node(term)
        self.machine.me = seat
        value: int = node.eval(self.machine)
        self.machine.me = 0
        return value

    def items(self, term: Term) -> tuple[int, ...]:
        """Return the members of a family or list."""
        return tuple(self.builder.node(term).items(self.machine))

    def kept(self, family: tuple[int, ...], slot: int, test: Term) -> tuple[int, ...]:
        """Return the members of a family that pass a test.

        The test depends only on the variable in ``slot``, which is set to each member in turn.
        """
        m = self.machine
        word = self.builder.word(slot)
        node = self.builder.node(test)
        m.spend(len(family))
        found: list[int] = []
        for value in family:
            word.v = value
            if node.eval(m):
                found.append(value)
        return tuple(found)
