"""Sets of points as ints: bit p of a mask is point p."""

from __future__ import annotations

from collections.abc import Iterator


def bits(mask: int) -> Iterator[int]:
    """Yield the points of ``mask``, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def count(mask: int) -> int:
    """Return how many points ``mask`` holds."""
    return mask.bit_count()


def lowest(mask: int) -> int:
    """Return the lowest point of ``mask``, -1 when it is empty."""
    return (mask & -mask).bit_length() - 1
