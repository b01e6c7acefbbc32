"""Simulation of colour vision deficiencies, and of greyscale vision."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.marbles.layout import Array
from shibumi3d.scene.palette import COLOUR_VISION_MATRICES


def simulate_colour_vision(light: Array, vision: str) -> Array:
    """Return linear RGB light (…, 3) as perceived with ``vision``, a key of :data:`.COLOUR_VISION_MATRICES`."""
    return np.asarray(np.clip(light @ np.array(COLOUR_VISION_MATRICES[vision]).T, 0.0, 1.0))


def simulate_colour_vision_srgb(pixels: NDArray[np.uint8], vision: str) -> NDArray[np.uint8]:
    """Return an sRGB image (height, width, 3) as perceived with ``vision``; see :func:`simulate_colour_vision`."""
    srgb = np.arange(256) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    light = simulate_colour_vision(linear[pixels], vision)
    back = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.round(back * 255), dtype=np.uint8)
