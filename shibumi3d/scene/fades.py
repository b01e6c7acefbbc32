"""Fading items in and out.

The current time is always passed in; nothing here reads a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar

from shibumi3d.scene import motion

K = TypeVar("K")


class Pace(NamedTuple):
    """Durations of fading in and out, in milliseconds, and the easing curve."""

    come: float
    leave: float = 0.0
    curve: motion.Curve = motion.linear


class _Shown(NamedTuple):
    pace: Pace
    since: float
    start: float  # progress, before the curve, when the direction last changed
    goal: float


class Fades(Generic[K]):
    """The items that are visible, including those fading in or out."""

    def __init__(self) -> None:
        self._shown: dict[K, _Shown] = {}
        self.busy = False
        """Whether anything was still fading in or out at the last :meth:`sample`."""

    def sample(self, wanted: Mapping[K, Pace], now: float, factor: float) -> dict[K, float]:
        """Return the opacity of each item that is in ``wanted`` or still fading out.

        Opacities are above 0 and at most 1. ``now`` is in seconds. ``factor`` multiplies all durations; if it is 0,
        items appear and disappear at once.
        """
        for key in [*self._shown, *(key for key in wanted if key not in self._shown)]:
            before = self._shown.get(key)
            goal = 1.0 if key in wanted else 0.0
            if before is None or before.goal != goal:
                pace = wanted[key] if key in wanted else self._shown[key].pace
                part = 0.0 if before is None else self._part(before, now, factor)
                self._shown[key] = _Shown(pace, now, part, goal)
        parts = {key: self._part(shown, now, factor) for key, shown in self._shown.items()}
        self._shown = {k: shown for k, shown in self._shown.items() if shown.goal or parts[k] > 0.0}
        self.busy = any(parts[key] != shown.goal for key, shown in self._shown.items())
        return {key: shown.pace.curve(parts[key]) for key, shown in self._shown.items() if parts[key] > 0.0}

    def finish(self) -> None:
        """End all fades now, so that every item is either fully shown or gone."""
        self._shown = {key: shown._replace(start=1.0) for key, shown in self._shown.items() if shown.goal}

    @staticmethod
    def _part(shown: _Shown, now: float, factor: float) -> float:
        length = (shown.pace.come if shown.goal else shown.pace.leave) * factor / 1000
        passed = (now - shown.since) / length if length > 0 else 1.0
        return min(shown.start + passed, 1.0) if shown.goal else max(shown.start - passed, 0.0)
