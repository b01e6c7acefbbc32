"""Generator of the 3D models: the slab of a board, and the pieces on the table.

    python -m tools.models

Most models stand on z = 0 and are centred on the origin. The top of the slab is at z = 0. The origin of the lid is the
middle of its hinge: the lid extends north to y = 2 * :data:`BOX_HALF` and turns about the x axis. Marbles have diameter
1.

``usemtl`` names the material: plank (cut from a board), turned (on a lathe), cloth, cord, stone, straw, clay, fur, or
one of three paints: paint (the colour is set when the model is drawn), dark and pale. The number after ``vt`` is the
fraction of the sky that is visible from the vertex, from 0 to 1.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, TypeAlias

THICKNESS = 0.52
CORNER_RADIUS = 0.30  # radius of the vertical corners
BEVEL_RADIUS = 0.09  # radius of the upper edge
CORNER_STEPS = 8
BEVEL_STEPS = 4

BOX_HALF = 0.675  # half the width of a box and its lid
BOX_HEIGHT = 0.75
BOX_WALL = 0.09
BOX_FLOOR = 0.05
LID_HEIGHT = 0.40  # leaves room for a marble
DISH_FLOOR = 0.06
TRAY_FLOOR = 0.10

Outline: TypeAlias = list[tuple[float, float, float, float]]


class Vertex(NamedTuple):
    """Vertex of a mesh: its position, its normal, and the fraction of the sky that is visible from it.

    ``sky`` is from 0 to 1, or negative if it isn't written to the file.
    """

    x: float
    y: float
    z: float
    nx: float
    ny: float
    nz: float
    sky: float = -1.0


class Edge(NamedTuple):
    """Vertex of a cross section.

    ``inset`` is its distance inward from the outline and ``z`` its height. ``out`` and ``up`` are the outward and
    upward components of the normal. ``sky`` is as in :class:`Vertex`.
    """

    inset: float
    z: float
    out: float
    up: float
    sky: float = -1.0


class Part(NamedTuple):
    """Mesh of one material.

    ``columns`` go counter-clockwise around the model, and each holds the vertices along the cross section. ``faces``
    are triangles of vertex indices; the vertices are numbered from 0, column by column.
    """

    material: str
    columns: list[list[Vertex]]
    faces: list[tuple[int, int, int]]


def square(half: float, radius: float, steps: int) -> Outline:
    """Return the outline of a square with rounded corners, counter-clockwise.

    Each point is (x, y, normal x, normal y). ``half`` is half the width of the square, ``radius`` the radius of its
    corners, and ``steps`` the number of segments per corner.
    """
    outline = []
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for k in range(steps + 1):
            a = math.pi / 2 * (quarter + k / steps)
            c, s = math.cos(a), math.sin(a)
            outline.append((sx * (half - radius) + radius * c, sy * (half - radius) + radius * s, c, s))
    return outline


def circle(steps: int) -> Outline:
    """Return the outline of a circle of radius 0 with ``steps`` points, counter-clockwise.

    All points are at the origin; only their normals differ. In a cross section that is swept along this outline, a
    radius is therefore given as a negative inset.
    """
    around = [math.tau * k / steps for k in range(steps)]
    return [(0.0, 0.0, math.cos(a), math.sin(a)) for a in around]


def sweep(material: str, outline: Outline, section: list[Edge], first: bool, last: bool = False) -> Part:
    """Return the part made by sweeping a cross section along an outline.

    The section starts on the inside or at the top. Its first and its last point each trace a ring along the outline;
    ``first`` and ``last`` say whether to close these rings with a face.
    """
    columns = [
        [
            Vertex(x - nx * e.inset, y - ny * e.inset, e.z, nx * e.out, ny * e.out, e.up, e.sky)
            for e in section
        ]
        for x, y, nx, ny in outline
    ]
    return join_columns(material, columns, first, last)


def join_columns(material: str, columns: list[list[Vertex]], first: bool, last: bool = False) -> Part:
    """Return a part in which triangles join each column of vertices to the next.

    The last column is joined to the first. All columns must have equally many vertices. Where successive vertices of a
    column have the same position, no triangles are made between them. ``first`` says whether to close the ring formed
    by the first vertices of all columns, and ``last`` whether to close the ring formed by their last vertices. A ring
    that is closed must be convex.
    """
    count = len(columns[0])
    faces = []
    for i in range(len(columns)):
        a, b = i * count, (i + 1) % len(columns) * count
        for k in range(count - 1):
            if columns[i][k][:3] != columns[i][k + 1][:3]:
                faces += [(a + k, a + k + 1, b + k + 1), (a + k, b + k + 1, b + k)]
    top = [i * count for i in range(len(columns))]
    if first:
        faces += [(top[0], top[i], top[i + 1]) for i in range(1, len(top) - 1)]
    if last:
        foot = [i + count - 1 for i in top]
        faces += [(foot[0], foot[i + 1], foot[i]) for i in range(1, len(foot) - 1)]
    return Part(material, columns, faces)


def turned_section(path: Iterable[tuple[float, float, float]]) -> list[Edge]:
    """Return the cross section of a turned object, with smooth normals.

    ``path`` is the profile of the object as tuples (radius, height, visible fraction of the sky). The profile starts on
    the inside or at the top.
    """
    steps = list(path)
    section = []
    for i, (radius, z, sky) in enumerate(steps):
        before, after = steps[max(i - 1, 0)], steps[min(i + 1, len(steps) - 1)]
        across, up = after[0] - before[0], after[1] - before[1]
        length = math.hypot(across, up)
        section.append(Edge(-radius, z, -up / length, across / length, sky))
    return section


def board() -> list[Part]:
    """Return the slab of a board, with rounded vertical corners and a rounded upper edge.

    It is 2 x 2 in plan and extends from z = -THICKNESS to z = 0. Along both axes, every vertex lies within
    :data:`CORNER_RADIUS` of a corner, so moving each quarter outward makes a board of any size without distorting the
    rounded corners and edge.
    """
    section = []
    for k in range(BEVEL_STEPS + 1):
        a = math.pi / 2 * k / BEVEL_STEPS
        section.append(
            Edge(BEVEL_RADIUS * (1 - math.sin(a)), BEVEL_RADIUS * (math.cos(a) - 1), math.sin(a), math.cos(a))
        )
    section.append(Edge(0.0, -THICKNESS, 1.0, 0.0))
    return [sweep("", square(1.0, CORNER_RADIUS, CORNER_STEPS), section, first=True)]


def dish() -> list[Part]:
    """Return a shallow dish with a flat floor, a wall with a rounded lip, and a narrow foot."""
    # The floor is darker than it would really be, so that an empty dish isn't taken for a plate.
    inside = [
        (0.08, DISH_FLOOR, 0.7),
        (0.42, DISH_FLOOR + 0.004, 0.66),
        (0.52, DISH_FLOOR + 0.025, 0.6),
        (0.6, DISH_FLOOR + 0.07, 0.62),
        (0.665, DISH_FLOOR + 0.125, 0.8),
        (0.7, 0.215, 0.95),
        (0.73, 0.225, 1.0),
    ]
    outside = [
        (0.765, 0.22, 1.0),
        (0.8, 0.195, 0.95),
        (0.78, 0.13, 0.75),
        (0.67, 0.05, 0.45),
        (0.5, 0.0, 0.3),
    ]
    return [sweep("turned", circle(32), turned_section([*inside, *outside]), first=True)]


def box() -> list[Part]:
    """Return an open box for one marble."""
    w, h = BOX_WALL, BOX_HEIGHT
    section = [
        Edge(w + 0.08, BOX_FLOOR, 0.0, 1.0, 0.5),
        Edge(w, BOX_FLOOR + 0.08, -1.0, 0.0, 0.4),
        Edge(w, h - 0.02, -1.0, 0.0, 0.95),
        Edge(w - 0.02, h, 0.0, 1.0, 1.0),
        Edge(0.02, h, 0.0, 1.0, 1.0),
        Edge(0.0, h - 0.02, 1.0, 0.0, 1.0),
        Edge(0.0, 0.25, 1.0, 0.0, 0.9),
        Edge(0.0, 0.0, 1.0, 0.0, 0.45),
    ]
    return [sweep("plank", square(BOX_HALF, 0.2, 3), section, first=True)]


def lid() -> list[Part]:
    """Return the lid of a box: a flat cap with a knob."""
    h, over = LID_HEIGHT, 0.012  # overhang over the edge of the box
    w = BOX_WALL + over
    section = [
        Edge(0.05, h, 0.0, 1.0, 1.0),
        Edge(0.015, h - 0.015, 0.71, 0.71, 1.0),
        Edge(0.0, h - 0.05, 1.0, 0.0, 1.0),
        Edge(0.0, 0.03, 1.0, 0.0, 0.95),
        Edge(0.0, -0.02, 1.0, 0.0, 0.35),
        Edge(0.0, -0.02, 0.0, -1.0, 0.9),
        Edge(w, -0.02, 0.0, -1.0, 0.9),
        Edge(w, -0.02, -1.0, 0.0, 0.9),
        Edge(w, h - 0.16, -1.0, 0.0, 0.6),
        Edge(w + 0.09, h - 0.07, 0.0, -1.0, 0.6),
    ]
    outline = [(x, y + BOX_HALF, nx, ny) for x, y, nx, ny in square(BOX_HALF + over, 0.2, 3)]
    knob = turned_section(
        [(0.03, h + 0.11, 1.0), (0.10, h + 0.095, 1.0), (0.125, h + 0.06, 0.9), (0.08, h, 0.5)]
    )
    middle = [(x, y + BOX_HALF, nx, ny) for x, y, nx, ny in circle(12)]
    cap = sweep("plank", outline, section, first=True, last=True)
    return [cap, sweep("turned", middle, knob, first=True)]


def tray() -> list[Part]:
    """Return a low tray with a raised edge.

    It is 2 x 2 in plan. As with :func:`board`, moving each quarter outward enlarges it without distorting its corners
    and edge.
    """
    section = [
        Edge(0.16, TRAY_FLOOR, 0.0, 1.0, 0.8),
        Edge(0.10, TRAY_FLOOR + 0.06, -0.71, 0.71, 0.9),
        Edge(0.08, TRAY_FLOOR + 0.08, 0.0, 1.0, 1.0),
        Edge(0.03, TRAY_FLOOR + 0.08, 0.0, 1.0, 1.0),
        Edge(0.0, TRAY_FLOOR + 0.05, 1.0, 0.0, 0.95),
        Edge(0.0, 0.0, 1.0, 0.0, 0.5),
    ]
    return [sweep("plank", square(1.0, 0.22, 5), section, first=True)]


def bag() -> list[Part]:
    """Return a cloth bag, gathered and tied with a cord below its mouth."""
    path = [(0.04, 1.55), (0.2, 1.66), (0.32, 1.70), (0.37, 1.62), (0.32, 1.5), (0.24, 1.39), (0.2, 1.31)]
    path += [(0.25, 1.24), (0.41, 1.14), (0.58, 1.01), (0.71, 0.84), (0.785, 0.64), (0.8, 0.43), (0.77, 0.22)]
    path += [(0.68, 0.07), (0.56, 0.0)]
    steps, folds = 28, 6

    def at(i: int, k: int) -> tuple[float, float, float]:
        (radius, z), a = path[k], math.tau * i / steps
        gathered = min(max((z - 0.75) / 0.5, 0.0), 1.0)
        fold = math.cos(folds * a + 0.9 * math.sin(2 * a)) * (0.8 + 0.3 * math.sin(3 * a)) * gathered**2
        # The contents of the bag bulge through the cloth.
        lump = (
            0.035 * math.sin(3 * a + 4 * z) + 0.025 * math.sin(5 * a - 6 * z + 1.0) + 0.03 * math.cos(2 * a)
        )
        wide = radius * (1 + 0.17 * fold + lump * (1 - gathered))
        return wide * math.cos(a), wide * math.sin(a), z + 0.03 * fold * (z > 1.45)

    def vertex(i: int, k: int) -> Vertex:
        x, y, z = at(i, k)
        (ax, ay, az), (bx, by, bz) = at(i - 1, k), at(i + 1, k)
        (cx, cy, cz), (dx, dy, dz) = at(i, max(k - 1, 0)), at(i, min(k + 1, len(path) - 1))
        u, v = (bx - ax, by - ay, bz - az), (dx - cx, dy - cy, dz - cz)
        normal = v[1] * u[2] - v[2] * u[1], v[2] * u[0] - v[0] * u[2], v[0] * u[1] - v[1] * u[0]
        length = math.hypot(*normal)
        nx, ny, nz = (component / length for component in normal)
        gathered = min(max((path[k][1] - 0.75) / 0.5, 0.0), 1.0)
        sky = 0.35 + 0.65 * min(z / 0.45, 1.0)
        sky *= 1 - 0.30 * gathered * (1 - math.cos(folds * math.tau * i / steps)) / 2
        inner = 0.45 if k == 0 else 0.8 if k == 1 else 1.0
        return Vertex(x, y, z, nx, ny, nz, sky * inner)

    cloth = join_columns(
        "cloth", [[vertex(i, k) for k in range(len(path))] for i in range(steps)], first=True
    )
    cord = [
        (0.2, 1.375, 0.7), (0.245, 1.36, 1.0), (0.262, 1.335, 0.95), (0.24, 1.312, 0.6), (0.262, 1.29, 0.9),
        (0.245, 1.262, 0.8), (0.2, 1.25, 0.5),
    ]  # fmt: skip
    return [cloth, sweep("cord", circle(14), turned_section(cord), first=False)]


def lathe(material: str, path: list[tuple[float, float]], steps: int, last: bool = False) -> Part:
    """Return an object turned on a lathe, with sharp edges.

    ``path`` is its profile as pairs (radius, height), starting inside or at the top and going outward and down.
    ``steps`` is the number of segments around the object. If ``last`` is true, a face closes the bottom. The visible
    fraction of the sky is estimated from the height.
    """
    section = []
    for (r0, z0), (r1, z1) in itertools.pairwise(path):
        across, up = r1 - r0, z1 - z0
        length = math.hypot(across, up)
        for r, z in ((r0, z0), (r1, z1)):
            section.append(Edge(-r, z, -up / length, across / length, 0.55 + 0.45 * min(z / 0.4, 1.0)))
    return drop_flat_faces(sweep(material, circle(steps), section, first=False, last=last))


def drop_flat_faces(part: Part) -> Part:
    """Return the part without the faces that have two or more corners in the same place."""
    at = [vertex[:3] for column in part.columns for vertex in column]
    return part._replace(faces=[face for face in part.faces if len({at[corner] for corner in face}) == 3])


def prism(material: str, outline: list[tuple[float, float]], low: float, high: float) -> Part:
    """Return the top and the sides of an upright prism over a convex, counter-clockwise outline."""
    columns = []
    for (x, y), (u, v) in zip(outline, [*outline[1:], outline[0]], strict=True):
        nx, ny = v - y, x - u
        length = math.hypot(nx, ny)
        for a, b in ((x, y), (u, v)):
            side = [Vertex(a, b, z, nx / length, ny / length, 0.0, 1.0) for z in (high, low)]
            columns.append([Vertex(a, b, high, 0.0, 0.0, 1.0, 1.0), *side])
    return drop_flat_faces(join_columns(material, columns, first=True))


def move(part: Part, x: float, y: float) -> Part:
    """Return the part moved by ``x`` and ``y``."""
    columns = [[v._replace(x=v.x + x, y=v.y + y) for v in column] for column in part.columns]
    return part._replace(columns=columns)


def regular_polygon(corners: int, radius: float, turn: float = 0.0) -> list[tuple[float, float]]:
    """Return the corners of a regular polygon, counter-clockwise from the north.

    ``turn`` is a counter-clockwise rotation, as a fraction of a full turn.
    """
    angles = [math.tau * (k / corners + 0.25 + turn) for k in range(corners)]
    return [(radius * math.cos(a), radius * math.sin(a)) for a in angles]


def villager() -> list[Part]:
    """Return a pawn with a dark base, a pale ring and a flat head with room for a seat's sign."""
    body = [
        (0.0, 1.1),
        (0.22, 1.1),
        (0.25, 0.98),
        (0.2, 0.92),
        (0.12, 0.86),
        (0.21, 0.14),
    ]
    return [
        lathe("paint", body, 12),
        lathe("pale", [(0.2, 0.16), (0.255, 0.15), (0.26, 0.1)], 12),
        lathe("dark", [(0.2, 0.11), (0.27, 0.1), (0.28, 0.0)], 12),
    ]


def ellipsoid(
    material: str,
    centre: tuple[float, float, float],
    radii: tuple[float, float, float],
    steps: int = 12,
    rings: int = 6,
) -> Part:
    """Return an ellipsoid with smooth normals.

    ``radii`` are its radii along the x, y and z axes. Its surface is divided into ``rings`` bands from the top to the
    bottom, and into ``steps`` segments around the vertical axis.
    """
    columns = []
    for i in range(steps):
        a, column = math.tau * i / steps, []
        for k in range(rings + 1):
            b = math.pi * k / rings
            n = math.sin(b) * math.cos(a), math.sin(b) * math.sin(a), math.cos(b)
            slope = [c / r for c, r in zip(n, radii, strict=True)]
            length = math.hypot(*slope)
            x, y, z = (round(m + c * r, 6) for m, c, r in zip(centre, n, radii, strict=True))
            nx, ny, nz = (c / length for c in slope)
            column.append(Vertex(x, y, z, nx, ny, nz, 0.75 + 0.25 * n[2]))
        columns.append(column)
    return drop_flat_faces(join_columns(material, columns, first=False))


def hyena() -> list[Part]:
    """Return the bust of a hyena on a round base, with a painted collar and room on its head for a seat's sign.

    It looks south.
    """
    neck = [(0.17, 0.95, 0.8), (0.19, 0.82, 0.75), (0.2, 0.66, 0.8), (0.22, 0.5, 0.9), (0.25, 0.34, 0.85)]
    neck += [(0.28, 0.2, 0.7), (0.29, 0.12, 0.5)]
    collar = [(0.2, 0.66, 0.9), (0.235, 0.66, 1.0), (0.255, 0.61, 1.0), (0.26, 0.53, 0.9), (0.235, 0.5, 0.6)]
    foot = [(0.27, 0.14, 0.6), (0.31, 0.12, 0.8), (0.325, 0.07, 0.8), (0.32, 0.0, 0.5)]
    hair = [
        ellipsoid("dark", (0.0, 0.13 + 0.05 * k, 1.03 - 0.13 * k), (0.05, 0.08, 0.11), 6, 3) for k in range(5)
    ]
    spots = [
        ellipsoid("dark", (0.225 * math.sin(a), -0.225 * math.cos(a), z), (0.05, 0.05, 0.04), 6, 3)
        for a, z in (
            (0.5, 0.36),
            (1.3, 0.27),
            (2.0, 0.4),
            (-0.4, 0.27),
            (-1.1, 0.38),
            (-1.9, 0.28),
        )
    ]
    ears = [
        part
        for side in (-1, 1)
        for part in (
            ellipsoid("fur", (0.19 * side, 0.1, 1.12), (0.075, 0.045, 0.17), 8, 5),
            ellipsoid("dark", (0.195 * side, 0.07, 1.13), (0.045, 0.03, 0.12), 6, 4),
        )
    ]
    eyes = [ellipsoid("dark", (0.13 * side, -0.215, 0.99), (0.035, 0.03, 0.035), 6, 3) for side in (-1, 1)]
    return [
        sweep("fur", circle(12), turned_section(neck), first=True),
        sweep("paint", circle(12), turned_section(collar), first=False),
        sweep("pale", circle(14), turned_section(foot), first=True),
        ellipsoid("fur", (0.0, -0.02, 0.93), (0.225, 0.25, 0.2), 14, 7),
        ellipsoid("dark", (0.0, -0.27, 0.85), (0.125, 0.2, 0.115), 10, 5),
        ellipsoid("fur", (0.0, -0.18, 0.9), (0.13, 0.2, 0.12), 10, 5),
        *hair,
        *spots,
        *ears,
        *eyes,
    ]


def plate() -> list[Part]:
    """Return the round plate on a pawn, under the sign that shows whose pawn it is."""
    return [lathe("pale", [(0.0, 0.012), (0.215, 0.012), (0.215, 0.0)], 16)]


def jar() -> list[Part]:
    """Return a water jar."""
    path = [(0.0, 0.3), (0.07, 0.3), (0.06, 0.26), (0.14, 0.14), (0.08, 0.0)]
    return [lathe("paint", path, 12)]


def chip() -> list[Part]:
    """Return an octagonal chip.

    Its pale side is up and has a dark ring. Its dark side has a pale cross.
    """
    thick, wide = 0.2, 0.4
    edge = regular_polygon(8, wide, 1 / 16)
    under = prism("dark", edge, 0.0, thick / 2)
    arms = [
        prism("pale", [(-a, -b), (a, -b), (a, b), (-a, b)], 0.0, 0.012)
        for a, b in ((0.06, 0.24), (0.24, 0.06))
    ]
    ring = lathe("dark", [(0.15, 0.001), (0.15, 0.012), (0.23, 0.012), (0.23, 0.001)], 16)
    upper = [prism("pale", edge, 0.0, thick / 2), raise_part(ring, thick / 2)]
    lower = [turn_over(under), *[raise_part(turn_over(arm), -thick / 2) for arm in arms]]
    return [raise_part(part, thick / 2) for part in (*upper, *lower)]


def raise_part(part: Part, z: float) -> Part:
    """Return the part raised by ``z``."""
    return part._replace(columns=[[v._replace(z=v.z + z) for v in column] for column in part.columns])


def turn_over(part: Part) -> Part:
    """Return the part turned upside down about the x axis."""
    columns = [[v._replace(y=-v.y, z=-v.z, ny=-v.ny, nz=-v.nz) for v in column] for column in part.columns]
    return part._replace(columns=columns)


def bowl() -> list[Part]:
    """Return a wide bowl for chips and tabas, with a flat floor and a steep wall."""
    path = [(0.1, 0.06, 0.72), (0.62, 0.07, 0.62), (0.78, 0.11, 0.64), (0.84, 0.2, 0.95), (0.88, 0.225, 1.0)]
    path += [(0.95, 0.195, 0.95), (0.9, 0.1, 0.7), (0.62, 0.0, 0.3)]
    return [sweep("turned", circle(22), turned_section(path), first=True)]


def block(material: str, low: tuple[float, float, float], high: tuple[float, float, float]) -> Part:
    """Return an upright block without a bottom face; ``low`` and ``high`` are its opposite corners."""
    outline = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    return prism(material, outline, low[2], high[2])


def well() -> list[Part]:
    """Return a well with two courses of stones, water inside and a windlass above."""
    parts = [
        lathe("dark", [(0.44, 0.26), (0.47, 0.26)], 16),
        lathe("dark", [(0.62, 0.22), (0.63, 0.0)], 16),
        sweep(
            "dark", circle(16), [Edge(-0.46, 0.04, -1.0, 0.0, 0.3), Edge(-0.46, 0.28, -1.0, 0.0, 0.8)], False
        ),
        lathe("paint", [(0.0, 0.07), (0.46, 0.07)], 24),
    ]
    for course, (count, low, high) in enumerate(((11, 0.0, 0.13), (10, 0.14, 0.29))):
        for k in range(count):
            begin, end = (math.tau * (k + 0.5 * course + s) / count for s in (0.035, 0.965))
            # No two stones are alike.
            uneven = 0.012 * math.sin(7.0 * k + 3.0 * course)
            inner, outer, top = 0.455, 0.655 + uneven, high + 0.8 * uneven
            angles = [begin + (end - begin) * j / 2 for j in range(3)]
            low_ring = [(outer * math.cos(a), outer * math.sin(a)) for a in angles]
            low_ring += [(inner * math.cos(a), inner * math.sin(a)) for a in angles[::-1]]
            parts.append(cushion("stone", low_ring, low, top))
    for side in (-1, 1):
        x = 0.56 * side
        parts.append(block("straw", (x - 0.035, -0.035, 0.25), (x + 0.035, 0.035, 0.86)))
    axle = [rod_along_x("turned", 0.62, 0.045, 0.8), rod_along_x("cord", 0.12, 0.07, 0.8)]
    bucket = lathe("straw", [(0.05, 0.5), (0.075, 0.5), (0.06, 0.36)], 10)
    return [*parts, *axle, block("cord", (-0.008, -0.008, 0.5), (0.008, 0.008, 0.78)), bucket]


def rod_along_x(material: str, half: float, radius: float, z: float) -> Part:
    """Return a rod from west to east with its axis at height ``z``.

    ``half`` is half the length of the rod.
    """
    columns = []
    for k in range(10):
        a = math.tau * k / 10
        c, s = math.cos(a), math.sin(a)
        side = [Vertex(x, radius * c, z + radius * s, 0.0, c, s, 0.8 + 0.2 * s) for x in (half, -half)]
        ends = [
            Vertex(x, radius * c, z + radius * s, n, 0.0, 0.0, 0.9) for x, n in ((half, 1.0), (-half, -1.0))
        ]
        columns.append([ends[0], *side, ends[1]])
    return drop_flat_faces(join_columns(material, columns, first=True, last=True))


def cushion(material: str, outline: list[tuple[float, float]], low: float, high: float) -> Part:
    """Return the top and the sides of an upright prism with a rounded upper edge.

    It is made of ``material`` and extends from height ``low`` to height ``high``. Its outline is counter-clockwise.
    """
    middle = [sum(axis) / len(outline) for axis in zip(*outline, strict=True)]
    columns = []
    for x, y in outline:
        nx, ny = x - middle[0], y - middle[1]
        length = math.hypot(nx, ny)
        nx, ny = nx / length, ny / length
        columns.append(
            [
                Vertex(x - 0.035 * nx, y - 0.035 * ny, high, 0.35 * nx, 0.35 * ny, 0.94, 1.0),
                Vertex(x - 0.008 * nx, y - 0.008 * ny, high - 0.025, 0.71 * nx, 0.71 * ny, 0.7, 0.95),
                Vertex(x, y, high - 0.06, 0.97 * nx, 0.97 * ny, 0.2, 0.8),
                Vertex(x, y, low, nx, ny, 0.0, 0.4 + low),
            ]
        )
    return drop_flat_faces(join_columns(material, columns, first=True))


def hut() -> list[Part]:
    """Return a round hut of clay with a door in the south-east and a roof of four layers of straw."""
    parts = [
        sweep(
            "clay",
            circle(20),
            turned_section([(0.33, 0.58, 0.35), (0.36, 0.4, 0.7), (0.38, 0.0, 0.5)]),
            first=True,
        )
    ]
    steps = 22
    for layer in range(4):
        outer, low = 0.17 + 0.105 * layer, 1.0 - 0.165 * layer
        columns = []
        for k in range(steps):
            a = math.tau * k / steps
            c, s = math.cos(a), math.sin(a)
            # The straw ends unevenly.
            far = outer * (1 + 0.035 * math.sin(5 * a + 2 * layer) + 0.05 * (k % 2))
            end = low - 0.02 * (k % 2)
            out, up = 0.78, 0.62
            columns.append(
                [
                    Vertex(0.2 * outer * c, 0.2 * outer * s, low + 0.2, 0.6 * c, 0.6 * s, 0.8, 1.0),
                    Vertex(0.75 * outer * c, 0.75 * outer * s, low + 0.09, out * c, out * s, up, 0.8),
                    Vertex(far * c, far * s, end, 0.9 * c, 0.9 * s, 0.44, 1.0 - 0.15 * (k % 2)),
                    Vertex(0.8 * far * c, 0.8 * far * s, end - 0.01, 0.3 * c, 0.3 * s, -0.95, 0.35),
                ]
            )
        parts.append(drop_flat_faces(join_columns("straw", columns, first=True)))
    top = turned_section(
        [(0.012, 1.3, 1.0), (0.035, 1.28, 1.0), (0.05, 1.23, 0.9), (0.03, 1.18, 0.7), (0.06, 1.13, 0.8)]
    )
    parts.append(sweep("straw", circle(10), top, first=True))
    angle = math.radians(-50)
    door = []
    for wide, high, out, material in ((0.14, 0.42, 0.385, "turned"), (0.105, 0.38, 0.395, "dark")):
        c, s = math.cos(angle), math.sin(angle)
        left, right = ((out * c - e * wide * s, out * s + e * wide * c) for e in (-1, 1))
        columns = [
            [Vertex(*left, high, c, s, 0.0, 0.7), Vertex(*left, 0.0, c, s, 0.0, 0.5)],
            [Vertex(*right, high, c, s, 0.0, 0.7), Vertex(*right, 0.0, c, s, 0.0, 0.5)],
        ]
        door.append(Part(material, columns, [(0, 1, 3), (0, 3, 2)]))
    return [*parts, *door]


def signs() -> dict[str, list[Part]]:
    """Return the signs for the pawns of up to five seats, by model name.

    A sign is a thin, dark plate on the head of a pawn. The sign of each seat has a different shape, so the pawns can be
    told apart.
    """
    star = [
        corner
        for pair in zip(regular_polygon(5, 0.19), regular_polygon(5, 0.085, 0.1), strict=True)
        for corner in pair
    ]
    outlines = [
        [(x, y - 0.03) for x, y in regular_polygon(3, 0.19)],
        regular_polygon(4, 0.19, 0.125),
        regular_polygon(4, 0.19),
        regular_polygon(16, 0.15),
        star,
    ]
    return {f"sign{seat}": [fan(outline)] for seat, outline in enumerate(outlines, 1)}


def fan(outline: list[tuple[float, float]]) -> Part:
    """Return a thin, dark plate with the given outline, which may be a star.

    ``outline`` lists the corners counter-clockwise around the origin, where the triangles of the top meet. The plate
    has no bottom.
    """
    part = prism("dark", outline, 0.0, 0.012)
    middle = [Vertex(0.0, 0.0, 0.012, 0.0, 0.0, 1.0, 1.0)] * len(part.columns[0])
    count, sides = len(part.columns[0]), len(part.columns)
    faces = [face for face in part.faces if any(corner % count for corner in face)]
    faces += [(sides * count, i * count, (i + 1) % sides * count) for i in range(0, sides, 2)]
    return drop_flat_faces(part._replace(columns=[*part.columns, middle], faces=faces))


def format_obj(parts: list[Part]) -> str:
    """Return the content of the .obj file for a model that consists of ``parts``.

    The faces of a part with a material use one index for the position, the ``sky`` and the normal of a vertex. If any
    part has a material, the ``sky`` of every vertex of the model must therefore be at least 0.
    """
    lines = ["# Written by python -m tools.models"]
    corners, faces, first = [], [], 1
    for part in parts:
        vertices = [vertex for column in part.columns for vertex in column]
        corners += vertices
        faces += [f"usemtl {part.material}"] if part.material else []
        form = "{0}/{0}/{0}" if part.material else "{0}//{0}"
        faces += ["f " + " ".join(form.format(v + first) for v in face) for face in part.faces]
        first += len(vertices)
    lines += [f"v {v.x:.5f} {v.y:.5f} {v.z:.5f}" for v in corners]
    lines += [f"vt {v.sky:.3f}" for v in corners if v.sky >= 0.0]
    lines += [f"vn {v.nx:.5f} {v.ny:.5f} {v.nz:.5f}" for v in corners]
    return "\n".join([*lines, *faces]) + "\n"


MODEL_FOLDER = Path(__file__).resolve().parent.parent / "models"
MODELS = (board, dish, bag, box, lid, tray, villager, hyena, plate, jar, chip, bowl, well, hut)


def main() -> None:
    """Write all models to the folder from which the program loads them."""
    parts_by_name = {model.__name__: model() for model in MODELS}
    for name, parts in (parts_by_name | signs()).items():
        (MODEL_FOLDER / f"{name}.obj").write_text(format_obj(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
