"""Totals over lists and stocks: sums, extreme values, quantifiers and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.rules import clamp
from shibumi3d.rules.marbles.engine.workspace import Machine, Node

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


@final
class SumOf(Node):
    """``sum``, ``max``, ``min`` or ``prod`` of a list."""

    def __init__(self, name: str, values: Node) -> None:
        self.name: Final = name
        self.values: Final = values

    def eval(self, m: Machine) -> M:
        values = self.values.items(m)
        m.spend(len(values))
        if self.name == "sum":
            return clamp(sum(values))
        if self.name == "max":
            return max(values) if values else 0
        if self.name == "min":
            return min(values) if values else 0
        product: int = 1
        for value in values:
            product = clamp(product * value)
        return product


@final
class AnyOf(Node):
    """``any`` of a list; also whether a stock contains any marbles."""

    def __init__(self, values: Node) -> None:
        self.values: Final = values

    def eval(self, m: Machine) -> M:
        at = self.values.begin(m)
        while at:
            at = self.values.step(m, at)
            m.work -= 2
            if m.value:
                return 1
        return 0


@final
class AllOf(Node):
    """``all`` of a list."""

    def __init__(self, values: Node) -> None:
        self.values: Final = values

    def eval(self, m: Machine) -> M:
        at = self.values.begin(m)
        while at:
            at = self.values.step(m, at)
            m.work -= 2
            if not m.value:
                return 0
        return 1


@final
class CountItems(Node):
    """The number of members in a family or list."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        found: M = 0
        at = self.a.begin(m)
        while at:
            at = self.a.step(m, at)
            m.work -= 2
            found += 1
        m.spend(0)
        return found


@final
class CountStock(Node):
    """The number of marbles in a stock."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        found: M = 0
        at = self.a.begin(m)
        while at:
            at = self.a.step(m, at)
            found += m.value
        return found
