"""Table layout of Hyena Spiral: a spiral on a square board, the village, bowls and dishes.

Units are marble diameters; x points east and y north. The village is in the south-western corner. The spiral turns
clockwise on its way to the well in the centre, and its places are evenly spaced along it.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, HOLE_RADIUS, TABLE_Z, Vector

TURN_SPACING = 1.155  # between two turns of the spiral
PLACE_SPACING = 0.95  # between two places
INNER_RADIUS_SQUARED = 1.69  # square of the radius at which the spiral ends
VILLAGE_ANGLE = math.radians(225)
BOARD_MARGIN = 1.0  # wood beyond the outermost places
WELL_NICHE_DISTANCE = 0.95  # from the centre of the well to a pawn there
SHARED_PLACE_OFFSET = 0.21  # from the centre of a place to pawns that share it
DENT_SIZE = 0.22  # size of the dents between places and at the homes in the village
DISH_DISTANCE = 1.3  # from the edge of the board to the centre of a dish
DISH_SPACING = 2.35  # between neighbouring dishes
DISH_TOP_Z = TABLE_Z + 0.075
NUMBER_HALF_SIZE = (0.36, 0.25)  # half the width and height of the number of a place
NUMBERED_RING_RADIUS = 0.39  # of the inlaid ring around each numbered place
# Distances to try, from a place to its number.
NUMBER_DISTANCES = (0.46, 0.5, 0.54, 0.58, 0.62, 0.66, 0.7, 0.74, 0.78)
NUMBER_CLEARANCE = 0.06  # desired distance of a number from the nearest hole
TABA_HEIGHT = 0.09
TABAS_PER_RING = 6  # tabas around the one in the middle

_RADIUS_SQUARED_PER_PLACE = TURN_SPACING * PLACE_SPACING / math.pi


class SpiralGeometry:
    """Geometry of a spiral with ``length`` places, the last of which is the well.

    Instances are immutable and shared; call :func:`spiral_geometry` to get one.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self.radius = math.sqrt(INNER_RADIUS_SQUARED + _RADIUS_SQUARED_PER_PLACE * length)
        # Leave room for the village in the corner.
        self.half_width = max(self.radius + BOARD_MARGIN, (self.radius + 3.85) / math.sqrt(2))
        places = [self._path_position(place) for place in range(1, length)]
        # A dent between two places shows that they are consecutive.
        between = [self._path_position(place + 0.5) for place in range(1, length - 1)]
        village = [self._village_position(angle, 1.15) for angle in (-16, -8, 0, 8, 16)]
        apart = math.degrees(0.6 / (self.radius + 2.1))
        huts = [self._village_position(apart * number, 2.1) for number in (-2, -1, 0, 1, 2)]
        self.village_positions, self.home_positions = tuple(village), tuple(huts)
        first = self._midpoint(self._village_position(0, 1.15), places[0])
        holes = [(x, y, 1.0) for x, y in places]
        holes += [(x, y, DENT_SIZE) for x, y in (*between, first, *huts)]
        holes += [(x, y, 0.5) for x, y in village]
        self.board = Board(
            2 * math.floor(self.half_width), 0.0, 0.0, holes=tuple(holes), rim_width=self.half_width % 1
        )
        self.hut_position = self._village_position(0, 2.85)
        self.bowl_position = (self.half_width + DISH_DISTANCE + 0.1, 0.6)
        self.bank_position = (self.half_width + DISH_DISTANCE + 0.1, -2.2)

    def _path_position(self, place: float) -> tuple[float, float]:
        inner = math.sqrt(self.radius**2 - _RADIUS_SQUARED_PER_PLACE * place)
        angle = VILLAGE_ANGLE - math.tau * (self.radius - inner) / TURN_SPACING
        return inner * math.cos(angle), inner * math.sin(angle)

    def _village_position(self, angle: float, distance: float) -> tuple[float, float]:
        way = VILLAGE_ANGLE + math.radians(angle)
        away = self.radius + distance
        return away * math.cos(way), away * math.sin(way)

    @staticmethod
    def _midpoint(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
        return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2

    def pawn_position(self, place: float, seat: int = 0) -> Vector:
        """Return where a seat's pawn stands when no other pawn is on ``place``.

        Place 0 is the village, and place ``length`` is the well. A fractional place lies on the way from one place to
        the next.
        """
        if place >= self.length:
            angle = math.radians(90 - 60 * seat)
            return WELL_NICHE_DISTANCE * math.cos(angle), WELL_NICHE_DISTANCE * math.sin(angle), BOARD_TOP_Z
        if place <= 0:
            return *self.village_positions[seat], BOARD_TOP_Z
        low, high = math.floor(place), math.ceil(place)
        if low == high or 1 <= low < high < self.length:
            return *self._path_position(place), BOARD_TOP_Z
        (x, y, _), (u, v, _) = self.pawn_position(low, seat), self.pawn_position(high, seat)
        part = place - low
        return x + (u - x) * part, y + (v - y) * part, BOARD_TOP_Z

    def number_position(self, place: int) -> Vector:
        """Return the centre of a place's number.

        It is on the outer side of the path, as near the place as the surrounding holes allow.
        """
        holes = np.array([(*self._path_position(other), HOLE_RADIUS) for other in range(1, self.length)])
        holes[9::10, 2] = NUMBERED_RING_RADIUS
        best, clearest = (0.0, 0.0), -math.inf
        for step in range(-5, 6):
            x, y = self._path_position(place + step / 8)
            away = math.hypot(x, y)
            for distance in NUMBER_DISTANCES:
                out = 1 + distance / away
                at = np.array([x * out, y * out])
                gap = np.maximum(np.abs(holes[:, :2] - at) - NUMBER_HALF_SIZE, 0.0)
                clear = float((np.hypot(gap[:, 0], gap[:, 1]) - holes[:, 2]).min())
                # Once there is enough room, prefer positions near the place.
                clear = min(clear, NUMBER_CLEARANCE) - 0.015 * abs(step) - 0.1 * distance
                if clear > clearest:
                    best, clearest = (x * out, y * out), clear
        return *best, BOARD_TOP_Z

    def dish_position(self, seat: int, seats: int) -> tuple[float, float]:
        """Return the centre of a seat's dish, one of ``seats`` dishes west of the board.

        The dish of the first seat is the northernmost.
        """
        return -self.half_width - DISH_DISTANCE, DISH_SPACING * ((seats - 1) / 2 - seat)


def heap_positions(count: int) -> list[Vector]:
    """Return the positions of ``count`` tabas in a dish, relative to the dish's centre.

    The tabas lie in layers of seven.
    """
    found = []
    for i in range(count):
        layer, spot = divmod(i, TABAS_PER_RING + 1)
        x = y = 0.0
        if spot:
            angle = math.tau * (spot / TABAS_PER_RING + 0.08 * layer)
            x, y = 0.4 * math.cos(angle), 0.4 * math.sin(angle)
        found.append((x, y, layer * TABA_HEIGHT))
    return found


def shared_place_offset(index: int, count: int) -> tuple[float, float]:
    """Return the (x, y) offset of pawn ``index`` from the centre of a place with ``count`` pawns."""
    if count < 2:
        return 0.0, 0.0
    angle = math.tau * index / count + (math.pi if count == 2 else math.pi / 2)
    far = SHARED_PLACE_OFFSET + 0.07 * max(count - 2, 0)
    return far * math.cos(angle), far * math.sin(angle)


@functools.lru_cache(maxsize=8)
def spiral_geometry(length: int) -> SpiralGeometry:
    """Return the geometry of a spiral with ``length`` places.

    The geometries used most recently are cached.
    """
    return SpiralGeometry(length)
