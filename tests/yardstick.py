"""Scale time limits to the speed of the machine, which varies from hour to hour."""

from __future__ import annotations

from time import process_time

USUAL = 0.038
"""CPU seconds that the yardstick took on the machine where the limits were set."""


def _yardstick() -> float:
    """Return the CPU time, in seconds, of a fixed piece of Python code with numbers, lists and a dictionary."""
    started_at = process_time()
    seen: dict[int, list[float]] = {}
    for i in range(400_000):
        seen.setdefault(i * 7 % 1000, []).append(i * 0.5)
    assert sum(map(len, seen.values())) == 400_000
    return process_time() - started_at


def in_time(spent: float, seconds: float) -> bool:
    """Return whether ``spent`` seconds of CPU time are within a limit of ``seconds``.

    The limit was set on the reference machine. On a slower machine, it is extended in proportion; on a faster one, it
    stays the same.
    """
    # Measure the speed of the machine only if it matters, as that takes longer than most tests.
    return spent < seconds or spent < seconds * min(_yardstick() for _ in range(3)) / USUAL
