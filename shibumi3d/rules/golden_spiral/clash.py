"""Clashes of The Golden Spiral, in which the numbers set by the two seats are compared.

The functions compute results without changing the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.rules.golden_spiral.state import Clashed
from shibumi3d.rules.golden_spiral.table import Tableau


@dataclass(frozen=True, slots=True)
class Fault:
    """Reason why a seat is in Default.

    ``why`` names the rule. The seat needed ``need`` but had only ``have``.
    """

    seat: int
    why: str
    need: int
    have: int


def barred(table: Tableau, gold: Sequence[int]) -> tuple[Fault, ...]:
    """Return a fault for each seat that has no legal number at the start of a clash.

    Such a seat is in Default before either seat sets a number.
    """
    return tuple(Fault(seat, "no number", 2, have) for seat, have in enumerate(gold) if not table.legal(have))


def clash(
    table: Tableau, gold: Sequence[int], numbers: Sequence[int]
) -> tuple[Clashed | None, tuple[Fault, ...]]:
    """Return the result of a clash, and a fault for each seat that it puts in Default.

    A number must be lower than the seat's own Gold; a seat that breaks this rule is in Default before anything is paid.
    The seat with the lower number loses the difference in Gold, and is in Default if it has less. The result is None if
    the numbers are equal or a seat is in Default.
    """
    faults = tuple(
        Fault(seat, "too high", number + 1, have)
        for seat, (number, have) in enumerate(zip(numbers, gold, strict=True))
        if number not in table.legal(have)
    )
    if faults or numbers[0] == numbers[1]:
        return None, faults
    high = 0 if numbers[0] > numbers[1] else 1
    low = 1 - high
    difference = numbers[high] - numbers[low]
    if difference > gold[low]:
        return None, (Fault(low, "difference", difference, gold[low]),)
    return Clashed(high, numbers[high], low, difference), ()


def surviving(table: Tableau, gold: int, other: int) -> int:
    """Return the lowest number with which a seat with ``gold`` Gold can pay any difference.

    ``other`` is the opponent's Gold.
    """
    return max(1, max(table.legal(other), default=1) - gold)
