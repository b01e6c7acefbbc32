"""Marbles that are carried at one time: when each may start so that it meets none of those before it."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from shibumi3d.scene import motion
from shibumi3d.scene.marbles.layout import Array, Layout

STEP = 10.0
"""Milliseconds from one moment that is looked at to the next."""
APART = 1.0
"""How near two may come, of their two radii together; a little nearer between two moments."""
_NOWHERE = (1e6, 1e6, 1e6, 0.0)


class Stretch(NamedTuple):
    """A stretch of a way: how many milliseconds it takes, where it leads, and how the time is spent on it.

    The path is one that takes an array of parts of the way too, and returns arrays.
    """

    length: float
    path: motion.Path
    curve: motion.Curve


@functools.lru_cache(maxsize=512)
def _parts(curve: motion.Curve, length: float, first: float) -> Any:
    """The parts of a leg that are done at each step from ``first`` milliseconds on."""
    count = max(math.ceil((length - first) / STEP), 0)
    return np.array([curve((first + step * STEP) / length) for step in range(count)])


class Sky:
    """What is in the air over the boards, by steps of time."""

    def __init__(self, plan: Layout) -> None:
        self.plan = plan
        self.flights: list[tuple[int, Array]] = []
        """For each marble, the step at which it starts and its x, y, z and radius at each step.

        The array has the shape (steps, 4).
        """

    def start(self, legs: Sequence[Stretch], earliest: float) -> float:
        """Return when a marble may start, ``earliest`` or later, and note that it does; in milliseconds."""
        way = self._places(legs)
        first = math.ceil(earliest / STEP)
        # All in the air at once, each from the first moment on; what lies is far away.
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
    """Return whether a marble on its ``way`` meets one of those in the ``air`` (marbles, steps, 4) at those times."""
    gap = air - way
    near = (air[..., 3] + way[:, 3]) * APART
    return bool((np.einsum("ijk,ijk->ij", gap[..., :3], gap[..., :3]) < near * near).any())
