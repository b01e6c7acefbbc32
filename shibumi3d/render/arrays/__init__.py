"""Conversion of frames into vertex arrays for the shaders, without using OpenGL."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
