"""Clashes of The Golden Spiral, where two numbers are compared.

The functions return results; they don't change the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.rules.golden_spiral.state import Clashed
from shibumi3d.rules.golden_spiral.table import Tableau


@dataclass(frozen=True, slots=True)
class Fault:
    """The reason a seat is in Default: the rule ``why``, what it needed and what it had."""

    seat: int
    why: str
    need: int
    have: int


def barred(table: Tableau, gold: Sequence[int]) -> tuple[Fault, ...]:
    """Return a fault for each seat that has no legal number when a clash opens.

    Such a seat is in Default before anyone chooses.
    """
    return tuple(Fault(seat, "no number", 2, have) for seat, have in enumerate(gold) if not table.legal(have))


def clash(
    table: Tableau, gold: Sequence[int], numbers: Sequence[int]
) -> tuple[Clashed | None, tuple[Fault, ...]]:
    """Return the result of a clash, and a fault for each seat that it puts in Default.

    A number must be lower than the seat's own Gold; a seat that breaks this rule is in Default before anything is paid.
    The seat with the lower number loses the difference in Gold, and is in Default if it has less. The result is None
    for equal numbers or if a seat is in Default.
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
    """Return the smallest number whose difference a seat with ``gold`` Gold can always pay.

    ``other`` is the opponent's Gold.
    """
    return max(1, max(table.legal(other), default=1) - gold)
