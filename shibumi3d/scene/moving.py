"""Animation of objects that move from one place to another, shared by the scenes."""

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
    """Animation of objects that move in legs, one after another.

    Objects are identified by keys, and times are in seconds on the page's clock. ``speed`` and ``reduced`` are the
    settings of a scene; at the speed ``off``, everything moves instantly.
    """

    def __init__(self) -> None:
        self.speed = "normal"
        self.reduced = False
        self._legs: dict[Hashable, list[_Leg]] = {}
        self.end = 0.0
        """Time at which all the motion added so far has ended."""

    def clear(self) -> None:
        """Stop all motion and discard all legs."""
        self._legs.clear()
        self.end = 0.0

    def free(self, now: float) -> float:
        """Return the earliest time, not before ``now``, at which all motion has ended."""
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
        """Schedule a move of an object; return its arrival time.

        The move starts at ``begin`` and takes ``milliseconds`` at normal speed. ``hop`` is the height of its arc.
        ``tag`` names the kind of move, such as ``"eaten"``.
        """
        length = milliseconds / 1000 * motion.SPEEDS[self.speed]
        if self.reduced:
            length = min(length, motion.FADE / 1000)
        if length > 0.0:
            self._legs.setdefault(key, []).append(_Leg(start, end, begin, length, hop, tag))
            self.end = max(self.end, begin + length)
        return begin + length

    def at(self, key: Hashable, now: float, rest: Vector) -> Vector:
        """Return the position of an object at ``now``, or ``rest`` if it is not moving."""
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
        """Return the opacity of an object, from 0 to 1.

        If motion is reduced, an object fades out at its old position and in at its new one; otherwise it is opaque.
        """
        leg = self._leg(key, now) if self.reduced else None
        if leg is None:
            return 1.0
        return abs(2 * min(max((now - leg.begin) / leg.length, 0.0), 1.0) - 1)

    def part(self, key: Hashable, now: float) -> tuple[float, str]:
        """Return the completed fraction of an object's current leg, and the leg's tag.

        These are 1 and "" if the object is not moving.
        """
        leg = self._leg(key, now)
        if leg is None:
            return 1.0, ""
        return min(max((now - leg.begin) / leg.length, 0.0), 1.0), leg.tag

    def _leg(self, key: Hashable, now: float) -> _Leg | None:
        """Return the leg that an object is moving on at ``now`` or is waiting for, or None."""
        return next((leg for leg in self._legs.get(key, ()) if now < leg.begin + leg.length), None)

    def busy(self, now: float) -> bool:
        """Return whether anything is still moving."""
        if now >= self.end and self._legs:
            self._legs.clear()
        return now < self.end


class MovingScene:
    """Base class of scenes with moving objects; it holds the animation settings."""

    def __init__(self) -> None:
        self.moving = Moving()
        self.language = "en"

    @property
    def speed(self) -> str:
        """Speed of motion, a key of :data:`.motion.SPEEDS`."""
        return self.moving.speed

    @speed.setter
    def speed(self, speed: str) -> None:
        self.moving.speed = speed

    @property
    def reduced(self) -> bool:
        """Whether objects fade instead of moving."""
        return self.moving.reduced

    @reduced.setter
    def reduced(self, reduced: bool) -> None:
        self.moving.reduced = reduced
