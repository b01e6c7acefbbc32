"""Loader of 3D models: Wavefront .obj files with normals, as written by tools/models.py."""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from shibumi3d import paths

MATERIALS = (  # see piece.glsl
    "plank", "turned", "cloth", "cord", "paint", "dark", "pale", "stone", "straw", "clay", "fur"
)  # fmt: skip


@functools.cache
def load_model(name: str) -> NDArray[np.float32]:
    """Return the corners of the triangles in ``name``.obj as a read-only array (n, 8).

    Each row consists of position (3), normal (3), visible fraction of the sky, and the index of the material in
    :data:`MATERIALS`. Raises ValueError, naming file and line, if the file is invalid.
    """
    mesh = np.array(_parse_corners(name, paths.read_text("models", f"{name}.obj")), dtype=np.float32)
    mesh.setflags(write=False)
    return mesh


def _parse_corners(name: str, text: str) -> list[list[float]]:
    result: dict[str, list[list[float]]] = {"v": [], "vt": [], "vn": []}
    sizes = {"v": 3, "vt": 1, "vn": 3}
    corners: list[list[float]] = []
    material = 0.0

    def corner(word: str) -> list[float]:
        indices = [int(number) if number else 0 for number in word.split("/")]
        if len(indices) != 3 or not (indices[0] and indices[2]) or min(indices) < 0:
            raise ValueError("a corner needs a point and a normal, counted from 1")
        point, sky, normal = indices
        light = result["vt"][sky - 1] if sky else [1.0]
        return [*result["v"][point - 1], *result["vn"][normal - 1], *light, material]

    for number, line in enumerate(text.splitlines(), 1):
        word, *rest = line.split() or ("",)
        try:
            if word in sizes:
                if len(rest) != sizes[word]:
                    raise ValueError(f"{word} needs {sizes[word]} numbers")
                result[word].append([float(part) for part in rest])
            elif word == "f":
                if len(rest) != 3:
                    raise ValueError("a face needs 3 corners")
                corners += [corner(part) for part in rest]
            elif word == "usemtl":
                if " ".join(rest) not in MATERIALS:
                    raise ValueError(f"no such material: {' '.join(rest)}")
                material = float(MATERIALS.index(rest[0]))
        except (ValueError, IndexError) as cause:
            reason = "no such corner" if isinstance(cause, IndexError) else cause
            raise ValueError(f"models/{name}.obj, line {number}: {reason}") from cause
    if not corners:
        raise ValueError(f"models/{name}.obj, line 1: no face in the whole file")
    return corners
