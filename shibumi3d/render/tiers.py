"""How much work a picture may be: chosen by the driver, adapted to the time a frame takes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SOFTWARE = re.compile(r"llvmpipe|softpipe|swrast|SwiftShader|Basic Render|GDI Generic", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tier:
    """``scale`` is the first size of the picture against that of the window; it moves between 0.5 and 1.

    ``samples`` smooths the edges of the boards (0: none), ``shadow`` is the side of light maps in texels,
    ``grain`` that of the pictures of wood and cloth, ``anisotropy`` sharpens those seen at a slant. With ``rays``
    the picture is kept in linear light of 16 bits, marbles mirror, shade and tint each other, glass refracts and
    colours what falls through it, and winning gold glows.
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
    """Return the tier for a driver, by its ``GL_RENDERER`` name: low without a graphics card, else high."""
    return TIERS["low" if _SOFTWARE.search(driver) else "high"]


class ScaleControl:
    """Adapts the scale of the picture to the time that frames take.

    ``target`` is the time in seconds that a frame should stay under. The scale only moves after several
    frames agree, in steps, so that the picture does not breathe.
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
        """The scale to draw the next frame with."""
        return self._fixed or self.STEPS[self._step]

    def fix(self, scale: float) -> None:
        """Draw at ``scale`` from now on, whatever the time."""
        self._fixed = scale

    def took(self, seconds: float) -> bool:
        """Note how many ``seconds`` one frame took; return whether the scale changed."""
        if self._fixed:
            return False
        vote = 1 if seconds < self.target * 0.55 else -1 if seconds > self.target else 0
        self._votes = self._votes + vote if vote and vote * self._votes >= 0 else vote
        step = self._step + (self._votes > 0) - (self._votes < 0)
        if abs(self._votes) < self.PATIENCE or not 0 <= step < len(self.STEPS):
            return False
        self._step, self._votes = step, 0
        return True
