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
    start_time: float
    duration: float
    arc_height: float
    tag: str


class ObjectAnimator:
    """Animator of objects, each of which moves in successive legs.

    Objects are identified by keys, and times are in seconds on the page's clock. ``speed`` is a key of
    :data:`.SPEED_FACTORS`; at the speed "off", everything moves instantly. If ``reduce_motion`` is set, objects fade
    briefly instead of moving.
    """

    def __init__(self) -> None:
        self.speed = "normal"
        self.reduce_motion = False
        self._legs: dict[Hashable, list[_Leg]] = {}
        self.end_time = 0.0
        """Time at which all the motion added so far has ended."""

    def clear(self) -> None:
        """Stop all motion and discard all legs."""
        self._legs.clear()
        self.end_time = 0.0

    def next_start(self, now: float) -> float:
        """Return the earliest time, not before ``now``, at which all motion has ended."""
        return max(now, self.end_time)

    def add_move(
        self,
        key: Hashable,
        start: Vector,
        end: Vector,
        start_time: float,
        milliseconds: float,
        arc_height: float = 0.0,
        tag: str = "",
    ) -> float:
        """Schedule a move of an object; return its arrival time.

        The move starts at ``start_time`` and takes ``milliseconds`` at normal speed, but no longer than
        :data:`.FADE_MS` if motion is reduced. ``arc_height`` is the height of its arc. ``tag`` names the kind of move,
        such as ``"turn"``.
        """
        length = milliseconds / 1000 * motion.SPEED_FACTORS[self.speed]
        if self.reduce_motion:
            length = min(length, motion.FADE_MS / 1000)
        if length > 0.0:
            self._legs.setdefault(key, []).append(_Leg(start, end, start_time, length, arc_height, tag))
            self.end_time = max(self.end_time, start_time + length)
        return start_time + length

    def position_at(self, key: Hashable, now: float, resting_position: Vector) -> Vector:
        """Return the position of an object at ``now``, or ``resting_position`` if it has no legs left."""
        leg = self._current_leg(key, now)
        if leg is None:
            return resting_position
        part = min(max((now - leg.start_time) / leg.duration, 0.0), 1.0)
        if self.reduce_motion:
            return leg.start if part < 0.5 else leg.end
        part = motion.EASE_STANDARD(part)
        x, y, z = (a + (b - a) * part for a, b in zip(leg.start, leg.end, strict=True))
        return x, y, z + leg.arc_height * math.sin(math.pi * part)

    def opacity_at(self, key: Hashable, now: float) -> float:
        """Return the opacity of an object, from 0 to 1.

        If motion is reduced, an object fades out at its old position and in at its new one; otherwise it is opaque.
        """
        leg = self._current_leg(key, now) if self.reduce_motion else None
        if leg is None:
            return 1.0
        return abs(2 * min(max((now - leg.start_time) / leg.duration, 0.0), 1.0) - 1)

    def progress_at(self, key: Hashable, now: float) -> tuple[float, str]:
        """Return the completed fraction of an object's current leg, and the leg's tag.

        These are 1 and "" if the object has no legs left.
        """
        leg = self._current_leg(key, now)
        if leg is None:
            return 1.0, ""
        return min(max((now - leg.start_time) / leg.duration, 0.0), 1.0), leg.tag

    def _current_leg(self, key: Hashable, now: float) -> _Leg | None:
        """Return an object's leg at ``now``, or None if it has no legs left.

        While the object waits, this is the leg that it will start next.
        """
        for leg in self._legs.get(key, ()):
            if now < leg.start_time + leg.duration:
                return leg
        return None

    def is_animating(self, now: float) -> bool:
        """Return whether anything is still moving at ``now``.

        If not, all legs are discarded.
        """
        if now >= self.end_time and self._legs:
            self._legs.clear()
        return now < self.end_time


class AnimatedScene:
    """Base class for scenes with moving objects.

    It holds the animation settings and the language.
    """

    def __init__(self) -> None:
        self.animator = ObjectAnimator()
        self.language = "en"

    @property
    def speed(self) -> str:
        """Speed of motion, a key of :data:`.SPEED_FACTORS`."""
        return self.animator.speed

    @speed.setter
    def speed(self, speed: str) -> None:
        self.animator.speed = speed

    @property
    def reduce_motion(self) -> bool:
        """Whether objects fade instead of moving."""
        return self.animator.reduce_motion

    @reduce_motion.setter
    def reduce_motion(self, enabled: bool) -> None:
        self.animator.reduce_motion = enabled
