"""Table layout of Hyena Spiral: a spiral on a square board, the village, bowls and dishes.

Units are marble diameters; x points east and y north. The village is in the south-western corner. The spiral turns
clockwise on its way to the well in the centre, and its places are evenly spaced along it.
"""

from __future__ import annotations

import functools
import math

from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import BOARD_TOP_Z, TABLE_Z, Vector

LANE = 1.155  # between two turns of the spiral
STEP = 0.95  # between two places
INNER = 1.69  # square of the radius at which the spiral ends
VILLAGE = math.radians(225)
EDGE = 1.0  # wood beyond the outermost places
NICHE = 0.95  # from the centre of the well to a pawn there
ASIDE = 0.21  # from the centre of a place to pawns that share it
DENT = 0.22  # size of the dents between places and at the homes in the village
BESIDE = 1.5  # from the edge of the board to the centre of a dish
APART = 2.35  # between neighbouring dishes
DISH_TOP = TABLE_Z + 0.075
TABA = 0.09  # height of a taba
RING = 6  # tabas around the one in the middle

_GROWTH = LANE * STEP / math.pi


class Spiral:
    """Immutable geometry of a spiral with ``length`` places.

    Use :func:`spiral` to create it.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self.radius = math.sqrt(INNER + _GROWTH * length)
        # Leave room for the village in the corner.
        self.half = max(self.radius + EDGE, (self.radius + 3.7) / math.sqrt(2))
        places = [self._at(place) for place in range(1, length)]
        # A dent between two places shows that they are consecutive.
        between = [self._at(place + 0.5) for place in range(1, length - 1)]
        village = [self._village(angle, 1.15) for angle in (-16, -8, 0, 8, 16)]
        apart = math.degrees(0.6 / (self.radius + 2.1))
        huts = [self._village(apart * number, 2.1) for number in (-2, -1, 0, 1, 2)]
        self.village, self.homes = tuple(village), tuple(huts)
        first = self._between(self._village(0, 1.15), places[0])
        holes = [(x, y, 1.0) for x, y in places]
        holes += [(x, y, DENT) for x, y in (*between, first, *huts)]
        holes += [(x, y, 0.5) for x, y in village]
        self.board = Board(2 * math.floor(self.half), 0.0, 0.0, holes=tuple(holes), rim_width=self.half % 1)
        self.hut = self._village(0, 3.0)
        self.bowl = (self.half + BESIDE + 0.1, 0.6)
        self.bank = (self.half + BESIDE + 0.1, -2.2)

    def _at(self, place: float) -> tuple[float, float]:
        inner = math.sqrt(self.radius**2 - _GROWTH * place)
        angle = VILLAGE - math.tau * (self.radius - inner) / LANE
        return inner * math.cos(angle), inner * math.sin(angle)

    def _village(self, angle: float, beyond: float) -> tuple[float, float]:
        way = VILLAGE + math.radians(angle)
        away = self.radius + beyond
        return away * math.cos(way), away * math.sin(way)

    @staticmethod
    def _between(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
        return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2

    def at(self, place: float, seat: int = 0) -> Vector:
        """Return where a seat's pawn stands when no other pawn is on ``place``.

        Place 0 is the village. Fractions of a place are interpolated.
        """
        if place >= self.length:
            angle = math.radians(90 - 60 * seat)
            return NICHE * math.cos(angle), NICHE * math.sin(angle), BOARD_TOP_Z
        if place <= 0:
            return *self.village[seat], BOARD_TOP_Z
        low, high = math.floor(place), math.ceil(place)
        if low == high or 1 <= low < high < self.length:
            return *self._at(place), BOARD_TOP_Z
        (x, y, _), (u, v, _) = self.at(low, seat), self.at(high, seat)
        part = place - low
        return x + (u - x) * part, y + (v - y) * part, BOARD_TOP_Z

    def number_at(self, place: int) -> Vector:
        """Return the position of a place's number, just outside the spiral at that place."""
        x, y = self._at(place)
        away = math.hypot(x, y)
        out = 1 + 0.5 * LANE / away
        return x * out, y * out, BOARD_TOP_Z

    def dish(self, seat: int, seats: int) -> tuple[float, float]:
        """Return the centre of a seat's dish.

        The dish of the first seat is farthest from the camera.
        """
        return -self.half - BESIDE, APART * ((seats - 1) / 2 - seat)


def heap(number: int) -> list[Vector]:
    """Return the positions of ``number`` tabas in a dish, relative to the dish's centre.

    The tabas lie in layers of seven.
    """
    found = []
    for i in range(number):
        layer, spot = divmod(i, RING + 1)
        x = y = 0.0
        if spot:
            angle = math.tau * (spot / RING + 0.08 * layer)
            x, y = 0.4 * math.cos(angle), 0.4 * math.sin(angle)
        found.append((x, y, layer * TABA))
    return found


def aside(number: int, of: int) -> tuple[float, float]:
    """Return the (x, y) offset of pawn ``number`` of the ``of`` pawns on the same place."""
    if of < 2:
        return 0.0, 0.0
    angle = math.tau * number / of + (math.pi if of == 2 else math.pi / 2)
    far = ASIDE + 0.07 * max(of - 2, 0)
    return far * math.cos(angle), far * math.sin(angle)


@functools.lru_cache(maxsize=8)
def spiral(length: int) -> Spiral:
    """Return the geometry of a spiral with ``length`` places.

    Calls with the same length return the same object.
    """
    return Spiral(length)
