"""What is under the pointer: rays and spheres on the CPU, in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shibumi3d.scene.camera import Camera
from shibumi3d.scene.marbles.layout import RADIUS, Array, Vector

LEAST = 16.0  # radius in logical pixels that every target has, however small it looks


class Target(NamedTuple):
    """Something to be clicked: a mark or marble centred on ``at``, ``radius`` in marble diameters."""

    at: Vector
    radius: float = RADIUS


def pick_all(
    camera: Camera,
    width: float,
    height: float,
    x: float,
    y: float,
    targets: Sequence[Target],
    scale: float = 1.0,
) -> tuple[int, ...]:
    """Indices of the targets under pixel (x, y), the best first.

    Nearest to its own centre comes first, of equally near ones (to half a pixel) the nearer to the eye.
    Pixels count from the top left corner; ``scale`` is pixels per logical pixel. What is no target does not
    block.
    """
    if not targets:
        return ()
    # Flat lists of numbers make the array several times faster than lists of tuples.
    data = np.array([(*target.at, target.radius) for target in targets])
    pixels, depth = camera.project(data[:, :3], width, height)
    offset = pixels - (x, y)
    away = np.sqrt(np.einsum("ij,ij->i", offset, offset))
    size = np.maximum(camera.pixels(1.0, depth, height) * data[:, 3], LEAST * scale)
    under = np.flatnonzero(away <= size)
    if len(under) == 0:
        return ()
    order = np.lexsort((depth[under], np.round(away[under] / scale * 2)))
    return tuple(int(i) for i in under[order])


def pick(
    camera: Camera,
    width: float,
    height: float,
    x: float,
    y: float,
    targets: Sequence[Target],
    scale: float = 1.0,
) -> int | None:
    """The index of the target under pixel (x, y), or None; see :func:`pick_all`."""
    found = pick_all(camera, width, height, x, y, targets, scale)
    return found[0] if found else None


def nearest_sphere(origin: Array, direction: Array, centres: Array, radius: float = RADIUS) -> int | None:
    """The index of the first of the spheres ``centres`` (n, 3) that a ray meets, or None."""
    if len(centres) == 0:
        return None
    to = np.asarray(centres) - origin
    along = to @ direction
    inside = radius * radius - (np.einsum("ij,ij->i", to, to) - along * along)
    met = np.where((inside >= 0) & (along > 0), along - np.sqrt(np.maximum(inside, 0)), np.inf)
    best = int(met.argmin())
    return best if met[best] < np.inf else None


def pick_marble(
    camera: Camera,
    width: float,
    height: float,
    x: float,
    y: float,
    marbles: Sequence[tuple[tuple[int, int], Vector]],
) -> tuple[int, int] | None:
    """The (board, point) of the nearest marble under pixel (x, y), or None.

    ``marbles`` holds ((board, point), centre) of each, as :meth:`Stage.standing` gives them.
    """
    if not marbles:
        return None
    origin, direction = camera.ray(x, y, width, height)
    found = nearest_sphere(origin, direction, np.array([at for _, at in marbles]))
    return None if found is None else marbles[found][0]
