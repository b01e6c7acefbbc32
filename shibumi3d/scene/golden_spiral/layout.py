"""Table layout of Golden Spiral.

The viewing seat is in the south; x points east and y north. ``side`` is -1 for the south and 1 for the north.
"""

from __future__ import annotations

import math

from shibumi3d.scene.frame import BOWL_FLOOR
from shibumi3d.scene.marbles.layout import TABLE_Z, Vector

TRAY_HEIGHT = 0.1
TRAY_Y = 3.05  # absolute y of the centre of a tray
TRAY_HALF_SIZE = (7.15, 1.2)
TRAY_FLOOR_Z = TABLE_Z + TRAY_HEIGHT
RAIL_SIZE = (0.09, 0.19)  # half the width and the height of the rails around a tray
MEDAL_RADIUS_AND_HEIGHT = (0.48, 0.12)
STAR_RADIUS_AND_HEIGHT = (0.42, 0.11)
DIE_HALF_SIDE = 0.4
PLANK_CENTRE = (-2.55, 1.0)  # x and absolute y of the centre of the plank with a seat's sign, stars and dice
PLANK_SIZE = (4.6, 0.6, 0.08)  # half width, half depth, height
PLANK_TOP_Z = TABLE_Z + PLANK_SIZE[2]
SEAT_SIGN_X, STAR_X, STAR_COUNT_X, NUMBER_X = -6.5, -5.2, -4.3, -1.7
"""x coordinates of things on the plank: the seat's sign, the stars, the number of stars, and the number on the dice."""
FIRST_DIE_X, DIE_SPACING = -0.4, 1.3
SCREEN_SIZE = (2.1, 0.03, 1.35)  # half width, half depth, height
SCREEN_X = FIRST_DIE_X + DIE_SPACING / 2
SCREEN_FRAME_WIDTH = 0.05  # half the width of the frame of each panel of a screen
FIRST_MEDAL_X = -6.45  # x of the first medal in a row
MAX_MEDAL_SPACING = 1.0  # distance between medals, unless the row is too long for it
MAX_ROW_LENGTH = 12.0
ROW_Y = {"gold": 2.45, "spiral": 3.65}
BOWL_CENTRE = (5.85, 0.0)
BOWL_RADIUS = 1.25
BOWL_HEIGHT = 0.3
BOWL_PLAQUE_DISTANCE = 1.3  # from the centre of the bowl to the plaque at its rim
NUMBER_TILES_Y = -5.15  # y of the tiles for choosing a number
TILE_HALF_SIDE, TILE_SPACING = 0.52, 1.1
TABLE_CORNERS: tuple[Vector, ...] = (
    (-7.45, -5.75, TABLE_Z),
    (7.45, -5.75, TABLE_Z),
    (7.45, 4.4, TABLE_Z),
    (-7.45, 4.4, TABLE_Z),
)
"""Corners of the table, including the tiles for choosing a number in the south.

Everything except these tiles lies on or between the two trays, so that the table nearly fills a window.
"""
CORNERS_WITHOUT_TILES: tuple[Vector, ...] = tuple((x, y, TABLE_Z) for x in (-7.45, 7.45) for y in (-4.6, 4.6))


def side_of_seat(seat: int, perspective_seat: int) -> int:
    """Return the side of a seat: -1 (south) for the seat ``perspective_seat``, otherwise 1 (north)."""
    return -1 if seat == perspective_seat else 1


def medal_spacing(count: int) -> float:
    """Return the distance between neighbouring medals in a row of ``count`` medals."""
    return min(MAX_MEDAL_SPACING, MAX_ROW_LENGTH / max(1, count - 1))


def medal_position(row: str, side: int, index: int, count: int) -> Vector:
    """Return the position of the base of medal ``index`` in a row of ``count`` medals.

    ``row`` is ``gold`` or ``spiral``. Medals in a crowded row overlap, so every second medal lies slightly higher.
    """
    pitch = medal_spacing(count)
    lean = 0.0 if pitch == MAX_MEDAL_SPACING else 0.012 * (index % 2)
    return FIRST_MEDAL_X + pitch * index, side * ROW_Y[row], TRAY_FLOOR_Z + lean


def count_label_position(row: str, side: int, medal_count: int) -> Vector:
    """Return the position of the label that shows the number of medals in a row.

    The label follows the last medal; in an empty row, it is where the first medal would be. ``row`` is ``gold`` or
    ``spiral``.
    """
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
    far = 0.0 if not index else 0.54
    angle = index * math.tau / 6 + 0.4 * layer
    return (
        BOWL_CENTRE[0] + far * math.cos(angle),
        BOWL_CENTRE[1] + far * math.sin(angle),
        TABLE_Z + BOWL_FLOOR[1] * BOWL_HEIGHT + layer * MEDAL_RADIUS_AND_HEIGHT[1],
    )


def star_position(side: int, index: int) -> Vector:
    """Return the position of the base of star ``index`` in the pile on a side."""
    return (
        STAR_X + 0.03 * index,
        side * PLANK_CENTRE[1] + 0.04 * index - 0.08,
        PLANK_TOP_Z + STAR_RADIUS_AND_HEIGHT[1] * index,
    )


def spent_star_position(side: int, index: int) -> Vector:
    """Return the position of the base of star ``index`` among the spent stars on a side.

    They overlap, so every second star lies slightly higher.
    """
    return 2.95 + 0.4 * index, side * 0.85, TABLE_Z + 0.012 * (index % 2)


def die_position(side: int, index: int) -> Vector:
    """Return the position of the base of die ``index`` in the south (``side`` -1) or north (1)."""
    return FIRST_DIE_X + DIE_SPACING * index, side * PLANK_CENTRE[1], PLANK_TOP_Z


def screen_position(side: int) -> Vector:
    """Return the position of the base of the screen in the south (``side`` -1) or north (1)."""
    return SCREEN_X, side * 0.16, TABLE_Z


def tile_position(number: int, max_number: int) -> Vector:
    """Return the centre of the tile for a number, in a row of tiles from 1 to ``max_number``."""
    return (number - (max_number + 1) / 2) * TILE_SPACING, NUMBER_TILES_Y, TABLE_Z + 0.06
