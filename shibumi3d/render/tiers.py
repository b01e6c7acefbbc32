"""Quality tiers: chosen by driver, with a resolution that adapts to the frame time."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SOFTWARE = re.compile(r"llvmpipe|softpipe|swrast|SwiftShader|Basic Render|GDI Generic", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tier:
    """Quality settings of the renderer.

    ``scale`` is the initial size of the picture relative to the window; this scale varies between 0.5 and 1.
    ``samples`` is the number of multisampling samples for the edges of boards (0: none). ``shadow`` is the side length
    of light maps in texels, and ``grain`` is the side length of wood and cloth textures. ``anisotropy`` is the level of
    anisotropic filtering for these textures.

    If ``rays`` is set, the picture is stored as 16-bit linear light. Marbles then reflect, shade and tint each other,
    glass refracts and colours the light that passes through it, and winning gold glows.
    """

    name: str
    scale: float
    samples: int
    shadow: int
    grain: int
    anisotropy: float
    rays: bool


TIERS = {
    tier.name: tier
    for tier in (
        Tier("low", 0.67, 0, 192, 1024, 1.0, False),
        Tier("medium", 1.0, 4, 512, 1024, 1.0, False),
        Tier("high", 1.0, 4, 1024, 2048, 16.0, True),
    )
}


def choose(driver: str) -> Tier:
    """Return the tier for a ``GL_RENDERER`` name: low for software renderers, high for all others."""
    return TIERS["low" if _SOFTWARE.search(driver) else "high"]


class ScaleControl:
    """Controller that adapts the scale of the picture to the frame time.

    ``target`` is the desired maximum frame time in seconds. The scale changes in steps, and only when several
    consecutive frames call for the change, so that the picture does not visibly pulse.
    """

    STEPS = (0.5, 0.58, 0.67, 0.8, 1.0)
    PATIENCE = 4

    def __init__(self, scale: float, target: float = 1 / 30) -> None:
        self.target = target
        self._step = min(range(len(self.STEPS)), key=lambda i: abs(self.STEPS[i] - scale))
        self._votes = 0
        self._fixed = 0.0

    @property
    def scale(self) -> float:
        """Scale for the next frame."""
        return self._fixed or self.STEPS[self._step]

    def fix(self, scale: float) -> None:
        """Draw at a fixed ``scale`` from now on, regardless of the frame time."""
        self._fixed = scale

    def took(self, seconds: float) -> bool:
        """Record a frame time in ``seconds``; return whether the scale has changed."""
        if self._fixed:
            return False
        vote = 1 if seconds < self.target * 0.55 else -1 if seconds > self.target else 0
        self._votes = self._votes + vote if vote and vote * self._votes >= 0 else vote
        step = self._step + (self._votes > 0) - (self._votes < 0)
        if abs(self._votes) < self.PATIENCE or not 0 <= step < len(self.STEPS):
            return False
        self._step, self._votes = step, 0
        return True
