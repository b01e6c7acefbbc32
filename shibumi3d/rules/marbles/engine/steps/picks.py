"""Choices of a point, a set, a colour, a seat or a number, and of a marble for ``give``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.build.maker import Maker
from shibumi3d.rules.marbles.engine.nodes.loops import Collected
from shibumi3d.rules.marbles.engine.rules import (
    COLOUR,
    GIVE,
    NUMBER,
    POINTS,
    SEAT,
    Instruction,
    Term,
    number_code,
    number_of,
)
from shibumi3d.rules.marbles.engine.steps.choices import ChoiceStep
from shibumi3d.rules.marbles.engine.workspace import Machine, Node, Step
from shibumi3d.rules.marbles.notation import text_of

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

OPTION_COST: Final = 4
"""Work charged for each option of a ``pick``."""


@final
class PickPoint(ChoiceStep):
    """A choice of a point by ``pick``."""

    def __init__(self, source: Node) -> None:
        super().__init__(POINTS)
        self.source: Final = source

    def offer(self, m: Machine) -> None:
        left = self.source.eval(m)
        while left:
            low = left & -left
            m.spend(OPTION_COST)
            m.push((low << 4 | m.board.index) << 4 | POINTS)
            left ^= low

    def accept(self, m: Machine, code: M) -> Step | None:
        return named(m, self, code, code >> 8)


@final
class PickSet(ChoiceStep):
    """A choice of a set of points, or of a number, by ``pick``."""

    def __init__(self, source: Node, kind: M) -> None:
        super().__init__(kind)
        self.source: Final = source
        self.apart: Final = isinstance(source, Collected) and source.apart
        """Whether the options are known to be distinct."""

    def offer(self, m: Machine) -> None:
        found = self.source.items(m)
        m.spend(OPTION_COST * len(found))
        if not self.apart:
            found = list(dict.fromkeys(found))
        for value in found:
            if self.choice == NUMBER:
                m.push(number_code(value) << 4 | NUMBER)
            else:
                m.push((value << 4 | m.board.index) << 4 | POINTS)

    def accept(self, m: Machine, code: M) -> Step | None:
        value = code >> 8
        if self.choice == NUMBER:
            value = number_of(code >> 4)
        return named(m, self, code, value)


@final
class PickBit(ChoiceStep):
    """A choice of a colour or a seat by ``pick``."""

    def __init__(self, source: Node, kind: M) -> None:
        super().__init__(kind)
        self.source: Final = source

    def offer(self, m: Machine) -> None:
        left = self.source.eval(m)
        at: M = 0
        while left:
            if left & 1:
                m.push(at << 4 | self.choice)
            left >>= 1
            at += 1

    def accept(self, m: Machine, code: M) -> Step | None:
        return named(m, self, code, 1 << (code >> 4))


def named(m: Machine, step: ChoiceStep, code: M, value: M) -> Step | None:
    """Store what was picked, record the event, and return the next instruction."""
    step.name(m, value)
    if m.events is not None:
        m.events.append(ev.Chose(m.who(m.me), text_of(m.rules, code, m.board.index)))
    return step.next


@final
class Give(ChoiceStep):
    """A choice of ``give``: the colour of the marble that goes from one stock to another."""

    def __init__(self, colours: Node, source: Node, stock: Node) -> None:
        super().__init__(GIVE)
        self.colours: Final = colours
        self.source: Final = source
        self.stock: Final = stock

    def offer(self, m: Machine) -> None:
        source = self.source.index(m)
        if source < 0 or self.stock.index(m) < 0:
            return
        row = m.stocks[source]
        left = self.colours.eval(m)
        at: M = 0
        while left:
            if left & 1 and row[at].v > 0:
                m.push(at << 4 | GIVE)
            left >>= 1
            at += 1

    def accept(self, m: Machine, code: M) -> Step | None:
        colour = code >> 4
        source = self.source.index(m)
        stock = self.stock.index(m)
        m.supply(source, colour, -1)
        m.supply(stock, colour, 1)
        self.name(m, 1 << colour)
        if m.events is not None:
            m.events.append(given(m, colour, source, stock))
        return self.next


def given(m: Machine, colour: M, source: M, stock: M) -> ev.Given:
    """Return the event for a marble that goes from one stock to another."""
    names = m.rules.stock_names
    holder = m.rules.stock_holders[stock]
    receiver: int = -1
    if holder >= 0:
        receiver = m.who(holder)
    return ev.Given(m.who(m.me), colour, names[source], names[stock], receiver)


# ---------------------------------------------------------------- building steps from instructions


def _pick(b: Maker, i: Instruction, source: Term, family: bool) -> Step:
    node = b.nodes.node(source)
    if i.kind in (COLOUR, SEAT):
        return PickBit(node, i.kind)
    if i.kind == POINTS and not family:
        return PickPoint(node)
    return PickSet(node, i.kind)


def _give(b: Maker, i: Instruction, colours: Term, source: Term, stock: Term) -> Step:
    return Give(b.nodes.node(colours), b.nodes.node(source), b.nodes.node(stock))


MAKERS: Final[dict[str, Callable[..., Step]]] = {
    "Pick": _pick,
    "Give": _give,
}
"""Functions that build the step of an instruction, by operation."""
