"""Choices of a point, a set, a colour, a seat or a number, and of a marble for ``give``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.engine.build.context import BuildContext
from shibumi3d.rules.marbles.engine.machine import Machine, Node, Step
from shibumi3d.rules.marbles.engine.nodes.loops import ListComprehension
from shibumi3d.rules.marbles.engine.rules import (
    COLOUR,
    GIVE,
    NUMBER,
    POINTS,
    SEAT,
    Instruction,
    Term,
    decode_number,
    encode_number,
)
from shibumi3d.rules.marbles.engine.steps.choices import ChoiceStep
from shibumi3d.rules.marbles.notation import choice_text

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

PICK_OPTION_WORK: Final = 4
"""Work charged for each option of a ``pick`` of points, sets or numbers."""


@final
class PickPoint(ChoiceStep):
    """Step of ``pick``: the seat chooses a point."""

    def __init__(self, source: Node) -> None:
        super().__init__(POINTS)
        self.options: Final = source

    def push_options(self, m: Machine) -> None:
        left = self.options.eval(m)
        while left:
            low = left & -left
            m.spend_work(PICK_OPTION_WORK)
            m.push_option((low << 4 | m.board.index) << 4 | POINTS)
            left ^= low

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        return store_pick(m, self, code, code >> 8)


@final
class PickSet(ChoiceStep):
    """Step of ``pick``: the seat chooses a number or a set of points."""

    def __init__(self, source: Node, kind: M) -> None:
        super().__init__(kind)
        self.options: Final = source
        self.is_distinct: Final = isinstance(source, ListComprehension) and source.is_distinct
        """Whether the options are known to be distinct."""

    def push_options(self, m: Machine) -> None:
        found = self.options.items(m)
        m.spend_work(PICK_OPTION_WORK * len(found))
        if not self.is_distinct:
            found = list(dict.fromkeys(found))
        for value in found:
            if self.choice_kind == NUMBER:
                m.push_option(encode_number(value) << 4 | NUMBER)
            else:
                m.push_option((value << 4 | m.board.index) << 4 | POINTS)

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        value = code >> 8
        if self.choice_kind == NUMBER:
            value = decode_number(code >> 4)
        return store_pick(m, self, code, value)


@final
class PickBit(ChoiceStep):
    """Step of ``pick``: the acting seat chooses a colour or one of the seats."""

    def __init__(self, source: Node, kind: M) -> None:
        super().__init__(kind)
        self.options: Final = source

    def push_options(self, m: Machine) -> None:
        left = self.options.eval(m)
        at: M = 0
        while left:
            if left & 1:
                m.push_option(at << 4 | self.choice_kind)
            left >>= 1
            at += 1

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        return store_pick(m, self, code, 1 << (code >> 4))


def store_pick(m: Machine, step: ChoiceStep, code: M, value: M) -> Step | None:
    """Store the picked value if the rules name it, record the choice, and return the next step.

    ``value`` is what was picked, and ``code`` is the code of the choice. The choice is recorded as an event only if the
    machine records events.
    """
    step.store_if_named(m, value)
    if m.events is not None:
        m.events.append(ev.Chose(m.player_at(m.me), choice_text(m.rules, code, m.board.index)))
    return step.next


@final
class Give(ChoiceStep):
    """Step of ``give``: the seat chooses the colour of the marble that goes from one stock to another."""

    def __init__(self, colours: Node, source: Node, stock: Node) -> None:
        super().__init__(GIVE)
        self.colours: Final = colours
        self.source: Final = source
        self.stock: Final = stock

    def push_options(self, m: Machine) -> None:
        source = self.source.stock_index(m)
        if source < 0 or self.stock.stock_index(m) < 0:
            return
        row = m.stocks[source]
        left = self.colours.eval(m)
        at: M = 0
        while left:
            if left & 1 and row[at].value > 0:
                m.push_option(at << 4 | GIVE)
            left >>= 1
            at += 1

    def apply_choice(self, m: Machine, code: M) -> Step | None:
        colour = code >> 4
        source = self.source.stock_index(m)
        stock = self.stock.stock_index(m)
        m.add_to_stock(source, colour, -1)
        m.add_to_stock(stock, colour, 1)
        self.store_if_named(m, 1 << colour)
        if m.events is not None:
            m.events.append(given_event(m, colour, source, stock))
        return self.next


def given_event(m: Machine, colour: M, source: M, stock: M) -> ev.Given:
    """Return the event for a marble of the given colour that goes from one stock to another.

    ``source`` is the index of the stock that the marble leaves; ``stock`` is the index of the stock that receives it.
    """
    names = m.rules.stock_names
    holder = m.rules.stock_holders[stock]
    receiver: int = -1
    if holder >= 0:
        receiver = m.player_at(holder)
    return ev.Given(m.player_at(m.me), colour, names[source], names[stock], receiver)


# ---------------------------------------------------------------- building steps from instructions


def _pick(context: BuildContext, instruction: Instruction, source: Term, family: bool) -> Step:
    node = context.nodes.build(source)
    if instruction.choice_kind in (COLOUR, SEAT):
        return PickBit(node, instruction.choice_kind)
    if instruction.choice_kind == POINTS and not family:
        return PickPoint(node)
    return PickSet(node, instruction.choice_kind)


def _give(context: BuildContext, instruction: Instruction, colours: Term, source: Term, stock: Term) -> Step:
    return Give(context.nodes.build(colours), context.nodes.build(source), context.nodes.build(stock))


PICK_STEP_BUILDERS: Final[dict[str, Callable[..., Step]]] = {
    "Pick": _pick,
    "Give": _give,
}
"""Functions that build steps, by the operation of the instruction."""
