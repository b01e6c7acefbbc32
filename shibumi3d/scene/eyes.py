"""How eyes that tell fewer colours apart see a picture, and how it looks without any colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.marbles.layout import Array
from shibumi3d.scene.palette import EYES


def light_seen(light: Array, eyes: str) -> Array:
    """Return linear light (…, 3) as ``eyes``, a key of :data:`palette.EYES`, see it."""
    return np.asarray(np.clip(light @ np.array(EYES[eyes]).T, 0.0, 1.0))


def seen(pixels: NDArray[np.uint8], eyes: str) -> NDArray[np.uint8]:
    """Return the picture (height, width, 3) in sRGB as ``eyes`` see it."""
    srgb = np.arange(256) / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    light = light_seen(linear[pixels], eyes)
    back = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(np.round(back * 255), dtype=np.uint8)
