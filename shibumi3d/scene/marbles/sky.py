"""Start times at which marbles can be carried simultaneously without colliding."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shibumi3d.scene import motion
from shibumi3d.scene.marbles.layout import Array, Layout

STEP = 10.0
"""Time between two samples, in milliseconds."""
APART = 1.0
"""Minimum distance between two marbles, as a multiple of the sum of their radii.

Between two samples, they may come slightly closer.
"""
_NOWHERE = (1e6, 1e6, 1e6, 0.0)


class Stretch(NamedTuple):
    """Part of a flight: its duration in milliseconds, its path and its timing curve.

    The path must also accept an array of fractions, and then return arrays.
    """

    length: float
    path: motion.Path
    curve: motion.Curve


@functools.lru_cache(maxsize=512)
def _parts(curve: motion.Curve, length: float, first: float) -> Any:
    """Return the completed fraction of a leg at each sample.

    The first sample is ``first`` milliseconds after the start of the leg.
    """
    count = max(math.ceil((length - first) / STEP), 0)
    return np.array([curve((first + step * STEP) / length) for step in range(count)])


class Sky:
    """Flights above the boards, sampled at regular intervals."""

    def __init__(self, plan: Layout) -> None:
        self.plan = plan
        self.flights: list[tuple[int, Array]] = []
        """For each marble, the step at which it starts and its x, y, z and radius at each step.

        The array has the shape (steps, 4).
        """

    def start(self, legs: Sequence[Stretch], earliest: float) -> float:
        """Schedule a flight; return its start time in milliseconds.

        This is the first time, not before ``earliest``, at which the marble does not collide with any marble scheduled
        before it.
        """
        way = self._places(legs)
        first = math.ceil(earliest / STEP)
        # All marbles in the air, from step ``first`` on; before and after its flight a marble is placed far away.
        flying = [(start, other) for start, other in self.flights if first < start + len(other)]
        if flying:
            last = max(start + len(other) for start, other in flying)
            air = np.full((len(flying), last - first + len(way), 4), _NOWHERE)
            for row, (start, other) in zip(air, flying, strict=True):
                skipped = max(first - start, 0)
                row[max(start - first, 0) :][: len(other) - skipped] = other[skipped:]
            late = 0
            while _near(way, air[:, late : late + len(way)]):
                late += 1
            first += late
        self.flights.append((first, way))
        return first * STEP

    def _places(self, legs: Sequence[Stretch]) -> Array:
        places: list[Array] = []
        late = 0.0
        for leg in legs:
            parts = _parts(leg.curve, round(leg.length, 1), round(late, 1))
            places.append(np.column_stack(leg.path(parts)))
            late += len(parts) * STEP - leg.length
        places.append(np.array([legs[-1].path(1.0)]))
        way = np.concatenate(places)
        return np.column_stack([way, self.plan.radii(way[:, 0], way[:, 1])])


def _near(way: Array, air: Array) -> bool:
    """Return whether a marble on its ``way`` collides with one of the marbles in the ``air``.

    ``air`` (marbles, steps, 4) contains their centres and radii at the same sample times.
    """
    gap = air - way
    near = (air[..., 3] + way[:, 3]) * APART
    return bool((np.einsum("ijk,ijk->ij", gap[..., :3], gap[..., :3]) < near * near).any())
