"""Things under way: from one place to another, each by its key. A help for scenes."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import NamedTuple

from shibumi3d.scene import motion
from shibumi3d.scene.marbles.layout import Vector


class _Leg(NamedTuple):
    start: Vector
    end: Vector
    begin: float
    length: float
    hop: float
    tag: str


class Moving:
    """Where things are that move, one leg after another. Times in seconds of the page's clock.

    ``speed`` and ``reduced`` are those of a scene: with motion off everything is at once where it goes.
    """

    def __init__(self) -> None:
        self.speed = "normal"
        self.reduced = False
        self._legs: dict[Hashable, list[_Leg]] = {}
        self.end = 0.0
        """Time at which all the motion added so far has ended."""

    def clear(self) -> None:
        """End all motion, and forget what moved."""
        self._legs.clear()
        self.end = 0.0

    def free(self, now: float) -> float:
        """Return the time when all that moves at ``now`` has come to rest: the next thing begins then."""
        return max(now, self.end)

    def go(
        self,
        key: Hashable,
        start: Vector,
        end: Vector,
        begin: float,
        milliseconds: float,
        hop: float = 0.0,
        tag: str = "",
    ) -> float:
        """Move a thing at the time ``begin``, in an arc ``hop`` high; return the time when it is there.

        ``tag`` says what kind of way it is, such as "eaten".
        """
        length = milliseconds / 1000 * motion.SPEEDS[self.speed]
        if self.reduced:
            length = min(length, motion.FADE / 1000)
        if length > 0.0:
            self._legs.setdefault(key, []).append(_Leg(start, end, begin, length, hop, tag))
            self.end = max(self.end, begin + length)
        return begin + length

    def at(self, key: Hashable, now: float, rest: Vector) -> Vector:
        """Return where a thing is at ``now``, ``rest`` when it does not move."""
        leg = self._leg(key, now)
        if leg is None:
            return rest
        part = min(max((now - leg.begin) / leg.length, 0.0), 1.0)
        if self.reduced:
            return leg.start if part < 0.5 else leg.end
        part = motion.STANDARD(part)
        x, y, z = (a + (b - a) * part for a, b in zip(leg.start, leg.end, strict=True))
        return x, y, z + leg.hop * math.sin(math.pi * part)

    def alpha(self, key: Hashable, now: float) -> float:
        """Return how solid a thing is, from 0 to 1: with reduced motion it fades where it lay, and comes again where
        it goes.
        """
        leg = self._leg(key, now) if self.reduced else None
        if leg is None:
            return 1.0
        return abs(2 * min(max((now - leg.begin) / leg.length, 0.0), 1.0) - 1)

    def part(self, key: Hashable, now: float) -> tuple[float, str]:
        """Return how much of its leg a thing has gone (1: it does not move), and the leg's tag."""
        leg = self._leg(key, now)
        if leg is None:
            return 1.0, ""
        return min(max((now - leg.begin) / leg.length, 0.0), 1.0), leg.tag

    def _leg(self, key: Hashable, now: float) -> _Leg | None:
        """The leg a thing is on at ``now``; it waits where the next one begins."""
        return next((leg for leg in self._legs.get(key, ()) if now < leg.begin + leg.length), None)

    def busy(self, now: float) -> bool:
        """Return whether something still moves."""
        if now >= self.end and self._legs:
            self._legs.clear()
        return now < self.end


class MovingScene:
    """What scenes have in common whose things go from place to place: how fast, and whether they fade instead."""

    def __init__(self) -> None:
        self.moving = Moving()
        self.language = "en"

    @property
    def speed(self) -> str:
        """How fast things move: a key of :data:`.motion.SPEEDS`."""
        return self.moving.speed

    @speed.setter
    def speed(self, speed: str) -> None:
        self.moving.speed = speed

    @property
    def reduced(self) -> bool:
        """Whether things fade where they go."""
        return self.moving.reduced

    @reduced.setter
    def reduced(self, reduced: bool) -> None:
        self.moving.reduced = reduced
