"""Writes board.obj: the slab of a board, with rounded upright corners and a bevelled upper edge.

The slab is 2 x 2 in plan and reaches from z = -THICKNESS to z = 0; every vertex lies within ROUND of a corner, so
that moving each quarter outward makes a board of any size without stretching its edges.

    python models/make.py
"""

from __future__ import annotations

import math
from pathlib import Path

THICKNESS = 0.52
ROUND = 0.30  # radius of the upright corners
BEVEL = 0.09  # radius of the upper edge
CORNER_STEPS = 8
BEVEL_STEPS = 4


def profile() -> list[tuple[float, float, float, float]]:
    """The edge from top to foot: (inset, z, outward part of the normal, upward part)."""
    edge = []
    for k in range(BEVEL_STEPS + 1):
        a = math.pi / 2 * k / BEVEL_STEPS
        edge.append((BEVEL * (1 - math.sin(a)), BEVEL * (math.cos(a) - 1), math.sin(a), math.cos(a)))
    return [*edge, (0.0, -THICKNESS, 1.0, 0.0)]


def rim() -> list[tuple[float, float, float, float]]:
    """The outline counter-clockwise: (x, y) and outward normal."""
    outline = []
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for k in range(CORNER_STEPS + 1):
            a = math.pi / 2 * (quarter + k / CORNER_STEPS)
            c, s = math.cos(a), math.sin(a)
            outline.append((sx * (1 - ROUND) + ROUND * c, sy * (1 - ROUND) + ROUND * s, c, s))
    return outline


def main() -> None:
    """Writes the model beside this file."""
    outline, edge = rim(), profile()
    vertices, normals, faces = [], [], []
    for x, y, nx, ny in outline:
        for inset, z, out, up in edge:
            vertices.append((x - nx * inset, y - ny * inset, z))
            normals.append((nx * out, ny * out, up))
    count = len(edge)
    for i in range(len(outline)):
        a, b = i * count, (i + 1) % len(outline) * count
        for k in range(count - 1):
            faces += [(a + k, a + k + 1, b + k + 1), (a + k, b + k + 1, b + k)]
    top = [i * count for i in range(len(outline))]
    faces += [(top[0], top[i], top[i + 1]) for i in range(1, len(top) - 1)]
    lines = ["# Written by make.py"]
    lines += [f"v {x:.5f} {y:.5f} {z:.5f}" for x, y, z in vertices]
    lines += [f"vn {x:.5f} {y:.5f} {z:.5f}" for x, y, z in normals]
    lines += ["f " + " ".join(f"{v + 1}//{v + 1}" for v in face) for face in faces]
    Path(__file__).with_name("board.obj").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
