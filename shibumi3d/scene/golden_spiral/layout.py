"""Table layout of Golden Spiral.

The viewing seat is in the south; x points east and y north. ``side`` is -1 for the south and 1 for the north.
"""

from __future__ import annotations

import math

from shibumi3d.scene.frame import COIN_FIELD
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector

TRAY_HEIGHT = 0.1  # height of a tray
TRAY_CENTRE = (-0.55, 2.5)  # x and absolute y of the centre of a tray
TRAY_HALF_SIZE = (7.85, 1.2)
TRAY_FLOOR_Z = TABLE_Z + TRAY_HEIGHT
RAIL_SIZE = (0.09, 0.19)  # half the width and the height of the rails around a tray
MEDAL_RADIUS_AND_HEIGHT = (0.45, 0.11)  # radius and height
STAR_RADIUS_AND_HEIGHT = (0.36, 0.1)
DIE_HALF_SIDE = 0.36  # half the side
DICE_STAND_CENTRE = (-0.55, 0.85)  # x and absolute y of the centre of the stand for a seat's dice
DICE_STAND_SIZE = (1.75, 0.42, 0.05)  # half width, half depth, height
SCREEN_SIZE = (1.7, 0.03, 1.3)  # half width, half depth, height
SCREEN_FRAME_WIDTH = 0.05  # half the width of the frame of each panel of a screen
FIRST_MEDAL_X = -6.2  # x of the first medal in a row
MAX_MEDAL_SPACING = 0.98  # distance between medals, unless the row is too long for it
MAX_ROW_LENGTH = 12.4
ROW_Y = {"gold": 1.9, "spiral": 3.1}
BOWL_CENTRE = (8.2, 0.0)
BOWL_RADIUS = 1.2
BOWL_HEIGHT = 0.12
BOWL_PLAQUE_DISTANCE = 1.4  # from the centre of the bowl to the plaque at its rim
NUMBER_TILES_Y = -4.75  # y of the tiles for choosing a number
TILE_HALF_SIDE = 0.5
TABLE_CORNERS: tuple[Vector, ...] = (
    (-8.5, -5.3, TABLE_Z),
    (9.3, -5.3, TABLE_Z),
    (9.3, 3.9, TABLE_Z),
    (-8.5, 3.9, TABLE_Z),
)


def side_of_seat(seat: int, perspective_seat: int) -> int:
    """Return the side of a seat: -1 (south) for the seat ``perspective_seat``, otherwise 1 (north)."""
    return -1 if seat == perspective_seat else 1


def medal_spacing(count: int) -> float:
    """Return the distance between neighbouring medals in a row of ``count`` medals."""
    return min(MAX_MEDAL_SPACING, MAX_ROW_LENGTH / max(1, count - 1))


def medal_position(row: str, side: int, index: int, count: int) -> Vector:
    """Return the position of the base of medal ``index`` in a row of ``count`` medals.

    Medals in a crowded row overlap, so every second medal lies slightly higher.
    """
    pitch = medal_spacing(count)
    lean = 0.0 if pitch == MAX_MEDAL_SPACING else 0.012 * (index % 2)
    return FIRST_MEDAL_X + pitch * index, side * ROW_Y[row], TRAY_FLOOR_Z + lean


def count_label_position(row: str, side: int, medal_count: int) -> Vector:
    """Return the position of the label that follows a row of medals and shows their number."""
    x = (
        FIRST_MEDAL_X + medal_spacing(medal_count) * (medal_count - 1) + 0.95
        if medal_count
        else FIRST_MEDAL_X
    )
    return x, side * ROW_Y[row], TRAY_FLOOR_Z + 0.004


def discarded_medal_position(index: int) -> Vector:
    """Return the position of the base of medal ``index`` in the discard bowl.

    The medals lie in layers of seven.
    """
    layer, index = divmod(index, 7)
    far = 0.0 if not index else 0.52
    angle = index * math.tau / 6 + 0.4 * layer
    return (
        BOWL_CENTRE[0] + far * math.cos(angle),
        BOWL_CENTRE[1] + far * math.sin(angle),
        TABLE_Z + COIN_FIELD[1] * BOWL_HEIGHT + layer * MEDAL_RADIUS_AND_HEIGHT[1],
    )


def star_position(side: int, index: int) -> Vector:
    """Return the position of the base of star ``index`` in the pile on a side."""
    return (
        -7.65 + 0.03 * index,
        side * 2.5 + 0.2 + 0.04 * index,
        TRAY_FLOOR_Z + STAR_RADIUS_AND_HEIGHT[1] * index,
    )


def spent_star_position(side: int, index: int) -> Vector:
    """Return the position of the base of star ``index`` among the spent stars on a side."""
    return 2.7 + 0.85 * index, side * 0.8, TABLE_Z


def die_position(side: int, index: int) -> Vector:
    """Return the position of the base of die ``index`` on a side."""
    return -0.65 + 1.3 * index, side * 0.85, TABLE_Z + DICE_STAND_SIZE[2]


def screen_position(side: int) -> Vector:
    """Return the position of the base of the screen on a side."""
    return 0.0, side * 0.16, TABLE_Z


def tile_position(number: int, max_number: int) -> Vector:
    """Return the centre of the tile for a number, in a row of tiles from 1 to ``max_number``."""
    return (number - (max_number + 1) / 2) * 1.12, NUMBER_TILES_Y, TABLE_Z + 0.06
