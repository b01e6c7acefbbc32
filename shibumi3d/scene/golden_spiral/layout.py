"""Where things lie on the table. The seat looked from is in the south; x points east, y north."""

from __future__ import annotations

import math

from shibumi3d.scene.marbles.layout import TABLE, Vector

TRAY = 0.1  # how high a tray is
TRAY_AT = (-0.55, 2.5)  # the middle of a tray, and how far it is from that of the table
TRAY_HALF = (7.85, 1.2)
FLOOR = TABLE + TRAY
MEDAL = (0.45, 0.09)  # radius and height
STAR = (0.36, 0.1)
DIE = 0.36  # half its side
STAND = (-0.55, 0.85)  # the middle of what the dice of a seat stand on, as that of a tray
STAND_HALF = (1.75, 0.42, 0.05)  # half its width and depth, and its height
SCREEN = (1.7, 0.05, 1.3)  # half its width and depth, and its height
WEST = -6.2  # the first medal of a row
PITCH = 0.98  # from medal to medal, closer where a row is long
LONGEST = 12.4
ROWS = {"gold": 1.9, "spiral": 3.1}
BOWL = (8.2, 0.0)
BOWL_RADIUS = 1.05
RIM = 1.25  # from the middle of the bowl to the plaque at its rim
STRIP = -4.75  # where numbers to be set lie
TILE = 0.5
HULL: tuple[Vector, ...] = (
    (-8.5, -5.3, TABLE),
    (9.3, -5.3, TABLE),
    (9.3, 3.9, TABLE),
    (-8.5, 3.9, TABLE),
)


def side_of(seat: int, sitting: int) -> int:
    """Return -1 for the seat in the south, 1 for the one in the north."""
    return -1 if seat == sitting else 1


def pitch_of(number: int) -> float:
    """Return how far apart the medals of a row of so many lie."""
    return min(PITCH, LONGEST / max(1, number - 1))


def medal(row: str, side: int, place: int, number: int) -> Vector:
    """Return the foot of the medal at a place of a row of so many; a closer row lies like scales."""
    pitch = pitch_of(number)
    lean = 0.0 if pitch == PITCH else 0.012 * (place % 2)
    return WEST + pitch * place, side * ROWS[row], FLOOR + lean


def count(row: str, side: int, number: int) -> Vector:
    """Return where the number of medals of a row stands: after the last."""
    x = WEST + pitch_of(number) * (number - 1) + 0.95 if number else WEST
    return x, side * ROWS[row], FLOOR + 0.004


def lost(place: int) -> Vector:
    """Return the foot of a medal in the discard."""
    layer, place = divmod(place, 7)
    far = 0.0 if not place else 0.52
    angle = place * math.tau / 6 + 0.4 * layer
    return BOWL[0] + far * math.cos(angle), BOWL[1] + far * math.sin(angle), TABLE + 0.08 + layer * MEDAL[1]


def star(side: int, place: int) -> Vector:
    """Return the foot of a star in the pile of the seat on a side."""
    return -7.65 + 0.03 * place, side * 2.5 + 0.2 + 0.04 * place, FLOOR + STAR[1] * place


def laid(side: int, place: int) -> Vector:
    """Return the foot of a star that is laid down."""
    return 2.7 + 0.85 * place, side * 0.8, TABLE


def die(side: int, place: int) -> Vector:
    """Return the foot of a die."""
    return -0.65 + 1.3 * place, side * 0.85, TABLE + STAND_HALF[2]


def screen(side: int) -> Vector:
    """Return the foot of a screen."""
    return 0.0, side * 0.16, TABLE


def tile(number: int, most: int) -> Vector:
    """Return the middle of the tile with a number, of so many."""
    return (number - (most + 1) / 2) * 1.12, STRIP, TABLE + 0.06
