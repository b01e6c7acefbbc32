"""Conversion of frames to the vertex arrays of the shaders, without OpenGL."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]
