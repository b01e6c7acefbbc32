"""Quality tiers, chosen by the name of the driver, and a resolution that adapts to the frame time."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SOFTWARE = re.compile(r"llvmpipe|softpipe|swrast|SwiftShader|Basic Render|GDI Generic", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tier:
    """Quality settings of the renderer.

    ``initial_scale`` is the initial size of the image relative to the window; the scale varies between 0.5 and 1.
    ``samples`` is the number of multisampling samples for edges (0: none). ``light_map_size`` is the side length of
    light maps in texels. ``material_size`` is the width of material textures in texels; the texture of the tablecloth
    is half as wide. ``anisotropy`` is the level of anisotropic filtering for material textures.

    If ``ray_tracing`` is set, the image is stored as 16-bit linear light. Marbles then reflect each other, the light
    between them is traced instead of approximated, glass refracts and colours the light that passes through it, and
    winning gold glows.
    """

    name: str
    initial_scale: float
    samples: int
    light_map_size: int
    material_size: int
    anisotropy: float
    ray_tracing: bool


TIERS = {
    tier.name: tier
    for tier in (
        Tier("low", 0.67, 0, 192, 1024, 1.0, False),
        Tier("medium", 1.0, 4, 512, 1024, 1.0, False),
        Tier("high", 1.0, 4, 1024, 2048, 16.0, True),
    )
}


def choose_tier(driver: str) -> Tier:
    """Return the tier for a ``GL_RENDERER`` name: low for software renderers, high for all others."""
    return TIERS["low" if _SOFTWARE.search(driver) else "high"]


class ScaleController:
    """Controller that adapts the scale of the image to the frame time.

    ``scale`` is the initial scale, rounded to one of ``SCALES``, and ``target`` is the desired maximum frame time in
    seconds. The scale changes in steps, and only when several consecutive frames call for the change, so that the image
    does not visibly pulse.
    """

    SCALES = (0.5, 0.58, 0.67, 0.8, 1.0)
    FRAMES_TO_AGREE = 4

    def __init__(self, scale: float, target: float = 1 / 30) -> None:
        self.target_seconds = target
        self._step = min(range(len(self.SCALES)), key=lambda i: abs(self.SCALES[i] - scale))
        self._votes = 0
        self._fixed = 0.0

    @property
    def scale(self) -> float:
        """Scale for the next frame."""
        return self._fixed or self.SCALES[self._step]

    def fix_scale(self, scale: float) -> None:
        """Fix the scale at ``scale``; if ``scale`` is 0, adapt the scale to the frame time again."""
        self._fixed = scale

    def record_frame_time(self, seconds: float) -> bool:
        """Record the time that a frame took, in seconds, and return whether the scale has changed.

        While the scale is fixed, frame times are ignored.
        """
        if self._fixed:
            return False
        vote = 1 if seconds < self.target_seconds * 0.55 else -1 if seconds > self.target_seconds else 0
        self._votes = self._votes + vote if vote and vote * self._votes >= 0 else vote
        step = self._step + (self._votes > 0) - (self._votes < 0)
        if abs(self._votes) < self.FRAMES_TO_AGREE or not 0 <= step < len(self.SCALES):
            return False
        self._step, self._votes = step, 0
        return True
