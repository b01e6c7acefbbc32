"""A clash: two numbers against each other. Nothing is moved here; what comes of it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.rules.golden_spiral.state import Clashed
from shibumi3d.rules.golden_spiral.table import Tableau


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a seat is in Default: what it needed and what it had."""

    seat: int
    why: str
    need: int
    have: int


def barred(table: Tableau, gold: Sequence[int]) -> tuple[Fault, ...]:
    """Return the seats that have no legal number when a clash opens: they are in Default before anybody chooses."""
    return tuple(Fault(seat, "no number", 2, have) for seat, have in enumerate(gold) if not table.legal(have))


def clash(
    table: Tableau, gold: Sequence[int], numbers: Sequence[int]
) -> tuple[Clashed | None, tuple[Fault, ...]]:
    """Return how a clash goes, None for equal numbers, and who is in Default by it.

    A number must lie below the own Gold; who breaks that is in Default before anything is paid. Who showed less pays
    the difference in Gold.
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
    """Return the smallest number that can pay whatever the other seat, with so much Gold, may set."""
    return max(1, max(table.legal(other), default=1) - gold)
