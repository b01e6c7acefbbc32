"""Scales time limits to the speed of the machine that runs the tests, which varies from hour to hour."""

from __future__ import annotations

from time import process_time

USUAL = 0.038
"""CPU seconds of the yardstick where the limits were set."""


def _yardstick() -> float:
    """CPU seconds of a fixed piece of plain Python: numbers, lists and a dictionary."""
    begun = process_time()
    seen: dict[int, list[float]] = {}
    for i in range(400_000):
        seen.setdefault(i * 7 % 1000, []).append(i * 0.5)
    assert sum(map(len, seen.values())) == 400_000
    return process_time() - begun


def in_time(spent: float, seconds: float) -> bool:
    """Whether CPU seconds that were spent here, now, are fewer than ``seconds`` were where the limits were set."""
    # How fast the machine is now is only asked where it matters: to measure that takes longer than most tests.
    return spent < seconds or spent < seconds * min(_yardstick() for _ in range(3)) / USUAL
