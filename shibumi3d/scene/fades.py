"""Fading items in and out.

The current time is always passed in; nothing here reads a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, NamedTuple, TypeVar

from shibumi3d.scene import motion

K = TypeVar("K")


class FadeTiming(NamedTuple):
    """Durations of fading in and out, in milliseconds, and the easing function."""

    fade_in_ms: float
    fade_out_ms: float = 0.0
    easing: motion.Easing = motion.linear


class _Fade(NamedTuple):
    timing: FadeTiming
    since: float
    start_progress: float  # progress, before easing, when the direction last changed
    goal: float


class Fades(Generic[K]):
    """Opacities of items that fade in when they are shown and fade out when they are hidden."""

    def __init__(self) -> None:
        self._fades: dict[K, _Fade] = {}
        self.is_fading = False
        """Whether anything was still fading in or out at the last :meth:`sample`."""

    def sample(self, visible: Mapping[K, FadeTiming], now: float, duration_factor: float) -> dict[K, float]:
        """Return the opacity of each item that is in ``visible`` or still fading out.

        A fade begins for each item that has entered or left ``visible`` since the last call. Items with an opacity of 0
        are left out. ``visible`` maps each item that should be visible to its timing. ``now`` is in seconds.
        ``duration_factor`` multiplies all durations; if it is 0, items appear and disappear immediately.
        """
        for key in [*self._fades, *(key for key in visible if key not in self._fades)]:
            before = self._fades.get(key)
            goal = 1.0 if key in visible else 0.0
            if before is None or before.goal != goal:
                pace = visible[key] if key in visible else self._fades[key].timing
                part = 0.0 if before is None else self._progress(before, now, duration_factor)
                self._fades[key] = _Fade(pace, now, part, goal)
        parts = {key: self._progress(shown, now, duration_factor) for key, shown in self._fades.items()}
        self._fades = {k: shown for k, shown in self._fades.items() if shown.goal or parts[k] > 0.0}
        self.is_fading = any(parts[key] != shown.goal for key, shown in self._fades.items())
        return {
            key: shown.timing.easing(parts[key]) for key, shown in self._fades.items() if parts[key] > 0.0
        }

    def finish(self) -> None:
        """End all fades now, so that every item is either fully shown or gone."""
        self._fades = {
            key: shown._replace(start_progress=1.0) for key, shown in self._fades.items() if shown.goal
        }

    @staticmethod
    def _progress(fade: _Fade, now: float, duration_factor: float) -> float:
        length = (fade.timing.fade_in_ms if fade.goal else fade.timing.fade_out_ms) * duration_factor / 1000
        passed = (now - fade.since) / length if length > 0 else 1.0
        return min(fade.start_progress + passed, 1.0) if fade.goal else max(fade.start_progress - passed, 0.0)
