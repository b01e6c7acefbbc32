"""Table layout of Golden Spiral.

The viewing seat is in the south; x points east and y north. ``side`` is -1 for the south and 1 for the north.
"""

from __future__ import annotations

import math

from shibumi3d.scene.marbles.layout import TABLE_Z, Vector

TRAY = 0.1  # height of a tray
TRAY_AT = (-0.55, 2.5)  # x and absolute y of the centre of a tray
TRAY_HALF = (7.85, 1.2)
FLOOR = TABLE_Z + TRAY
MEDAL = (0.45, 0.09)  # radius and height
STAR = (0.36, 0.1)
DIE = 0.36  # half the side
STAND = (-0.55, 0.85)  # x and absolute y of the centre of the stand for a seat's dice
STAND_HALF = (1.75, 0.42, 0.05)  # half width, half depth, height
SCREEN = (1.7, 0.05, 1.3)  # half width, half depth, height
WEST = -6.2  # x of the first medal in a row
PITCH = 0.98  # distance between medals, unless the row is too long for it
LONGEST = 12.4
ROWS = {"gold": 1.9, "spiral": 3.1}
BOWL = (8.2, 0.0)
BOWL_RADIUS = 1.05
RIM = 1.25  # from the centre of the bowl to the plaque at its rim
STRIP = -4.75  # y of the tiles for choosing a number
TILE = 0.5
HULL: tuple[Vector, ...] = (
    (-8.5, -5.3, TABLE_Z),
    (9.3, -5.3, TABLE_Z),
    (9.3, 3.9, TABLE_Z),
    (-8.5, 3.9, TABLE_Z),
)


def side_of(seat: int, sitting: int) -> int:
    """Return the side of a seat: -1 (south) for the seat ``sitting``, otherwise 1 (north)."""
    return -1 if seat == sitting else 1


def pitch_of(number: int) -> float:
    """Return the distance between neighbouring medals in a row of ``number`` medals."""
    return min(PITCH, LONGEST / max(1, number - 1))


def medal(row: str, side: int, place: int, number: int) -> Vector:
    """Return the foot of medal number ``place`` in a row of ``number`` medals.

    Medals in a crowded row overlap, so every second medal lies slightly higher.
    """
    pitch = pitch_of(number)
    lean = 0.0 if pitch == PITCH else 0.012 * (place % 2)
    return WEST + pitch * place, side * ROWS[row], FLOOR + lean


def count(row: str, side: int, number: int) -> Vector:
    """Return the position of the label that follows a row of medals and shows their number."""
    x = WEST + pitch_of(number) * (number - 1) + 0.95 if number else WEST
    return x, side * ROWS[row], FLOOR + 0.004


def lost(place: int) -> Vector:
    """Return the foot of medal number ``place`` in the discard bowl.

    The medals lie in layers of seven.
    """
    layer, place = divmod(place, 7)
    far = 0.0 if not place else 0.52
    angle = place * math.tau / 6 + 0.4 * layer
    return BOWL[0] + far * math.cos(angle), BOWL[1] + far * math.sin(angle), TABLE_Z + 0.08 + layer * MEDAL[1]


def star(side: int, place: int) -> Vector:
    """Return the foot of star number ``place`` in the pile on a side."""
    return -7.65 + 0.03 * place, side * 2.5 + 0.2 + 0.04 * place, FLOOR + STAR[1] * place


def laid(side: int, place: int) -> Vector:
    """Return the foot of star number ``place`` among those laid down on a side."""
    return 2.7 + 0.85 * place, side * 0.8, TABLE_Z


def die(side: int, place: int) -> Vector:
    """Return the foot of die number ``place`` on a side."""
    return -0.65 + 1.3 * place, side * 0.85, TABLE_Z + STAND_HALF[2]


def screen(side: int) -> Vector:
    """Return the foot of the screen on a side."""
    return 0.0, side * 0.16, TABLE_Z


def tile(number: int, most: int) -> Vector:
    """Return the centre of the tile for a number, in a row of tiles from 1 to ``most``."""
    return (number - (most + 1) / 2) * 1.12, STRIP, TABLE_Z + 0.06
