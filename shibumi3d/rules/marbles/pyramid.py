"""The square pyramid of points on which marbles are stacked, with precomputed tables for each size.

A board of size n has n×n holes; level k above it has (n-k)×(n-k) points. Point (k, i, j) is on level k (counted from
the board), file i (from the west) and rank j (from the south), all from 0. A marble on it rests on (k-1, i, j), (k-1,
i+1, j), (k-1, i, j+1) and (k-1, i+1, j+1). Points are numbered level by level from the board up, within a level rank by
rank from the south, and within a rank file by file from the west. A set of points is an int mask in which bit p
represents point p.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.marbles.bits import iter_bits

MIN_SIZE = 2
MAX_SIZE = 10
SIDES = ("west", "east", "south", "north")

# Steps in (file, rank) of a marble pushed from each of SIDES.
_PUSH_DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))
# Steps in (file, rank) along a slope, for each level up.
_SLOPE_DIRECTIONS = ((0, 0), (-1, 0), (0, -1), (-1, -1))


class Pyramid:
    """Immutable tables for one board size, created by :func:`get_pyramid`.

    Tuples are indexed by point unless noted otherwise.

    ==================== =====================================================================================
    size                 width of the board
    point_count          number of points (30 for size 4)
    all_points           mask of all points
    point_names          ``point_names[p]`` is the name of p (``"Ab1"``)
    point_by_name        ``point_by_name[name]`` is the point
    level, file, rank    coordinates from 0
    centres              positions in marble diameters: x = file + level/2 east, y = rank + level/2 north,
                         z = level/√2 up
    levels               one mask per level, from the board up
    holes, apex          masks of the lowest and the highest level
    west east south      masks of the four faces: the outer files and ranks of all levels, ridges included
    north
    supports             mask of the four points under p, 0 for holes
    resting              mask of the points (up to four) that rest on p
    resting_points       the points that rest on p, as a tuple
    touching             mask of the points in contact with p: on its level, below and above
    diagonal             mask of the diagonal neighbours of p on its level, which don't touch it
    point_above          the point vertically above p, two levels up; -1 if there is none
    point_below          the point vertically below p, two levels down; -1 if there is none
    contacts             every contact once, as (p, q, overpass) with p < q; ``overpass`` is the mask of the
                         two points that cut it if both are filled, or 0 if it can't be cut
    uncut_contacts       ``uncut_contacts[p][filled & resting[p]]`` is ``touching[p]`` less the cut contacts of p
    next_by_side         ``next_by_side[side][p]`` is the next point on the level for a marble pushed from
                         ``SIDES[side]``, -1 beyond the edge
    upper_levels         for each level above the lowest, its points as pairs (bit, supports)
    rows, diagonals,     masks of all runs of two or more consecutive points: flat and orthogonal; flat and
    slopes               diagonal; sloping, one level per step in a constant direction
    full_lines           the rows and diagonals that span a level from edge to edge or corner to corner
    ==================== =====================================================================================
    """

    def __init__(self, size: int) -> None:
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise InvalidValueError(
                "there is no board size {size}: sizes are {least} to {most}",
                size=size,
                least=MIN_SIZE,
                most=MAX_SIZE,
            )
        self.size = size
        places = [
            (k, i, j) for k in range(size) for j in range(size - k) for i in range(size - k)
        ]  # fmt: skip
        self._point_by_coordinates = {place: p for p, place in enumerate(places)}
        self.point_count = len(places)
        self.all_points = (1 << self.point_count) - 1
        self.level = tuple(k for k, _, _ in places)
        self.file = tuple(i for _, i, _ in places)
        self.rank = tuple(j for _, _, j in places)
        self.point_names = tuple(f"{chr(65 + k)}{chr(97 + i)}{j + 1}" for k, i, j in places)
        self.point_by_name = {name: p for p, name in enumerate(self.point_names)}
        self.centres = tuple((i + k / 2, j + k / 2, k / math.sqrt(2)) for k, i, j in places)

        self.levels = tuple(self._mask_where(self.level, k) for k in range(size))
        self.holes = self.levels[0]
        self.apex = self.levels[-1]
        self.west = self._mask_where(self.file, 0)
        self.south = self._mask_where(self.rank, 0)
        self.east = self._mask_of([(k, size - k - 1, j) for k in range(size) for j in range(size - k)])
        self.north = self._mask_of([(k, i, size - k - 1) for k in range(size) for i in range(size - k)])

        self.supports = tuple(
            self._mask_of([(k - 1, i, j), (k - 1, i + 1, j), (k - 1, i, j + 1), (k - 1, i + 1, j + 1)])
            for k, i, j in places
        )
        self.resting = tuple(
            self._mask_of([(k + 1, i + a, j + b) for a, b in _SLOPE_DIRECTIONS]) for k, i, j in places
        )
        self.resting_points = tuple(tuple(iter_bits(mask)) for mask in self.resting)
        flat = tuple(self._mask_of([(k, i + a, j + b) for a, b in _PUSH_DIRECTIONS]) for k, i, j in places)
        self.touching = tuple(flat[p] | self.supports[p] | self.resting[p] for p in range(self.point_count))
        self.diagonal = tuple(
            self._mask_of([(k, i + a, j + b) for a in (-1, 1) for b in (-1, 1)]) for k, i, j in places
        )
        self.point_above = tuple(
            self._point_by_coordinates.get((k + 2, i - 1, j - 1), -1) for k, i, j in places
        )
        self.point_below = tuple(
            self._point_by_coordinates.get((k - 2, i + 1, j + 1), -1) for k, i, j in places
        )

        self.contacts = tuple(
            (p, q, self._find_overpass(p, q) if flat[p] >> q & 1 else 0)
            for p in range(self.point_count)
            for q in iter_bits(self.touching[p])
            if p < q
        )
        self.uncut_contacts = tuple(self._uncut_contacts_by_load(p, flat[p]) for p in range(self.point_count))
        self.next_by_side = tuple(
            tuple(self._point_by_coordinates.get((k, i + a, j + b), -1) for k, i, j in places)
            for a, b in _PUSH_DIRECTIONS
        )
        self.upper_levels = tuple(
            tuple((1 << p, self.supports[p]) for p in iter_bits(level)) for level in self.levels[1:]
        )

        self.rows = self._find_runs([(0, 1, 0), (0, 0, 1)])
        self.diagonals = self._find_runs([(0, 1, 1), (0, 1, -1)])
        self.slopes = self._find_runs([(1, a, b) for a, b in _SLOPE_DIRECTIONS])
        self.full_lines = self._find_full_lines()
        self._sight_lines: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        return f"pyramid({self.size})"

    def __reduce__(self) -> tuple[Callable[[int], Pyramid], tuple[int]]:
        # Each process builds the tables once per size; compiled objects can't be pickled by their fields.
        return get_pyramid, (self.size,)

    @property
    def sight_lines(self) -> tuple[int, ...]:
        """Masks of all runs of two or more touching points that look straight from above.

        These are the rows, and the diagonal chains that go up or down one level at every step. They are computed on
        first use, because their number more than triples with each size: 300 on size 4, 3,498 on size 6, 37,240 on size
        8 and 424,388 on size 10, where they take more than 30 MB.
        """
        if self._sight_lines is None:
            self._sight_lines = self.rows + self._find_diagonal_chains()
        return self._sight_lines

    def placements(self, mask: int) -> tuple[int, ...]:
        """Return the masks of all placements of the shape ``mask``, sorted and without duplicates.

        The shape is also tried rotated about the vertical, mirrored and turned upside down, in all combinations. The
        empty shape has no placements.
        """
        # With half a hole spacing as the unit east and north, and a level as the unit up, all coordinates are integers.
        shape = [
            (2 * self.file[p] + self.level[p], 2 * self.rank[p] + self.level[p], self.level[p])
            for p in iter_bits(mask)
        ]
        result: set[int] = set()
        for turned in _orientations(shape):
            x0, y0, z0 = turned[0]
            for p in range(self.point_count):
                k = self.level[p]
                dx, dy, dz = 2 * self.file[p] + k - x0, 2 * self.rank[p] + k - y0, k - z0
                copy = 0
                for x, y, z in turned:
                    q = self._point_by_coordinates.get(
                        (z + dz, (x + dx - z - dz) // 2, (y + dy - z - dz) // 2)
                    )
                    if q is None:
                        break
                    copy |= 1 << q
                else:
                    result.add(copy)
        return tuple(sorted(result))

    def half_step_distance(self, p: int, q: int) -> int:
        """Return the Manhattan distance between two points as seen from above.

        The unit is half the distance between adjacent holes.
        """
        level_difference = self.level[q] - self.level[p]
        return abs(2 * (self.file[q] - self.file[p]) + level_difference) + abs(
            2 * (self.rank[q] - self.rank[p]) + level_difference
        )

    def _mask_of(self, places: list[tuple[int, int, int]]) -> int:
        """Return the mask of those ``places`` that are points of the pyramid.

        A place is given by its level, file and rank.
        """
        mask = 0
        for place in places:
            p = self._point_by_coordinates.get(place, -1)
            if p >= 0:
                mask |= 1 << p
        return mask

    def _mask_where(self, coordinate: tuple[int, ...], value: int) -> int:
        return sum(1 << p for p in range(self.point_count) if coordinate[p] == value)

    def _find_overpass(self, p: int, q: int) -> int:
        """Return a mask of the two points that rest on both ``p`` and ``q``, or 0 if there is only one.

        ``p`` and ``q`` must be neighbours on the same level. If both are on the rim of the level, only one point rests
        on both.
        """
        both = self.resting[p] & self.resting[q]
        return both if both.bit_count() == 2 else 0

    def _uncut_contacts_by_load(self, p: int, flat: int) -> dict[int, int]:
        """Return the uncut contacts of ``p`` for every set of marbles that can rest on ``p``.

        The keys are masks of the filled points among those that rest on ``p``. The values are masks of the points that
        touch ``p`` in a contact that isn't cut. A contact between two points on the same level is cut by two marbles,
        each of which rests on both points. ``flat`` is the mask of the points that touch ``p`` on its level.
        """
        cuts = [(1 << q, self._find_overpass(p, q)) for q in iter_bits(flat)]
        table = {}
        filled = self.resting[p]
        while True:
            free = self.touching[p]
            for bit, overpass in cuts:
                if overpass and overpass & filled == overpass:
                    free &= ~bit
            table[filled] = free
            if not filled:
                return table
            filled = (filled - 1) & self.resting[p]

    def _find_runs(self, directions: list[tuple[int, int, int]]) -> tuple[int, ...]:
        """Return masks of all straight runs of two or more points in the given directions.

        A direction is a step (level, file, rank).
        """
        found = []
        for k, i, j in self._point_by_coordinates:
            for up, east, north in directions:
                run, length = 1 << self._point_by_coordinates[k, i, j], 1
                while (
                    p := self._point_by_coordinates.get(
                        (k + length * up, i + length * east, j + length * north), -1
                    )
                ) >= 0:
                    run |= 1 << p
                    length += 1
                    found.append(run)
        return tuple(found)

    def _find_full_lines(self) -> tuple[int, ...]:
        """Return masks of the full lines, lower levels first.

        These are the rows and diagonals that span a level from edge to edge or corner to corner. The top level, which
        is a single point, has none.
        """
        found = []
        for k in range(self.size - 1):
            n = self.size - k
            found += [self._mask_of([(k, i, j) for i in range(n)]) for j in range(n)]
            found += [self._mask_of([(k, i, j) for j in range(n)]) for i in range(n)]
            found += [
                self._mask_of([(k, i, i) for i in range(n)]),
                self._mask_of([(k, i, n - 1 - i) for i in range(n)]),
            ]
        return tuple(found)

    def _find_diagonal_chains(self) -> tuple[int, ...]:
        """Return masks of the diagonal chains in :attr:`sight_lines`."""
        found = []
        for up, down in (((0, 0), (1, 1)), ((0, -1), (1, 0))):
            for place in self._point_by_coordinates:
                todo = [(place, 1 << self._point_by_coordinates[place])]
                while todo:
                    (k, i, j), chain = todo.pop()
                    for step in ((k + 1, i + up[0], j + up[1]), (k - 1, i + down[0], j + down[1])):
                        p = self._point_by_coordinates.get(step, -1)
                        if p >= 0:
                            longer = chain | 1 << p
                            found.append(longer)
                            todo.append((step, longer))
        return tuple(found)


def _orientations(shape: list[tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    """Return sixteen copies of a shape, rotated about the vertical, mirrored or turned upside down.

    The shape itself and all combinations are included. If the shape is symmetric, some copies are equal. The list is
    empty for an empty shape.
    """
    if not shape:
        return []
    turns = []
    for a in (1, -1):
        for b in (1, -1):
            for c in (1, -1):
                turns.append([(a * x, b * y, c * z) for x, y, z in shape])
                turns.append([(a * y, b * x, c * z) for x, y, z in shape])
    return turns


@functools.cache
def get_pyramid(size: int) -> Pyramid:
    """Return the pyramid of a board with ``size``×``size`` holes.

    Raises ValueError unless ``size`` is from 2 to 10.
    """
    return Pyramid(size)
