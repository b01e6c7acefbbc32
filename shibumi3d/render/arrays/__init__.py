"""Frames as arrays: what the shaders take in, and in which order. Nothing here needs OpenGL."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
