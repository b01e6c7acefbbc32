"""The square pyramid of points on which marbles are stacked: tables made once a size.

A board of size n has n×n holes; level k above it has (n-k)×(n-k) points. Point (k, i, j) - level k from the
board, file i from the west, rank j from the south, all from 0 - rests on (k-1, i, j), (k-1, i+1, j), (k-1, i,
j+1) and (k-1, i+1, j+1). Points are numbered level by level from the board, in a level rank by rank from the
south, in a rank file by file from the west. A set of points is an int mask: bit p is point p.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from shibumi3d.i18n import Unusable
from shibumi3d.rules.marbles.bits import bits

SMALLEST = 2
LARGEST = 10
SIDES = ("west", "east", "south", "north")

# How (file, rank) changes for a marble that comes from each of SIDES.
_AWAY = ((1, 0), (-1, 0), (0, 1), (0, -1))
# How (file, rank) changes along a slope, one level up a step.
_UP = ((0, 0), (-1, 0), (0, -1), (-1, -1))


class Pyramid:
    """The tables of one board size; made by :func:`pyramid`, never changed. Tuples are indexed by point.

    ==================== =====================================================================================
    size, count          side of the board; number of points (30 for size 4)
    all                  mask of all points
    names, index         ``names[p]`` is the name of p (``"Ab1"``), ``index[name]`` is the point
    level, file, rank    coordinates from 0
    xyz                  centres in marble diameters: x = i + k/2 east, y = j + k/2 north, z = k/√2 up
    levels               a mask a level, from the board up
    holes, apex          masks of the lowest and of the highest level
    west east south      masks of the four faces: the outer files and ranks of all levels, ridges included
    north
    ridges               mask of the four lines from a corner hole to the apex
    interior             mask of the points on no face
    interior_hideable    mask of the points with a point vertically above: on every size equal to ``interior``
    supports             the four points under p, 0 for holes
    resting              the points (up to four) that rest on p
    resting_on           the same as tuples of points
    touching             the points in contact with p: neighbours on its level, supports, resting points
    diagonal             the diagonal neighbours of p on its level (they don't touch it)
    over, under          the point vertically above or below p, two levels away; -1 where there is none
    contacts             every contact once, as (p, q, overpass): p < q, ``overpass`` the two points that cut
                         it when both are filled, 0 when it can never be cut
    uncut                ``uncut[p][filled & resting[p]]`` is ``touching[p]`` without the cut contacts of p
    onward               ``onward[side][p]``: the next point of the level for a marble pushed from
                         ``SIDES[side]``, -1 beyond the edge
    upper                for each level above the board its points, as (bit, supports) pairs
    rows, diagonals,     masks of every run of two or more consecutive points: flat and orthogonal; flat and
    slopes               diagonal; one level up a step in a constant direction
    full_lines           the rows and diagonals that span a level from edge to edge or corner to corner
    ==================== =====================================================================================
    """

    def __init__(self, size: int) -> None:
        if not SMALLEST <= size <= LARGEST:
            raise Unusable(
                "there is no board size {size}: sizes are {least} to {most}",
                size=size,
                least=SMALLEST,
                most=LARGEST,
            )
        self.size = size
        places = [
            (k, i, j) for k in range(size) for j in range(size - k) for i in range(size - k)
        ]  # fmt: skip
        self._at = {place: p for p, place in enumerate(places)}
        self.count = len(places)
        self.all = (1 << self.count) - 1
        self.level = tuple(k for k, _, _ in places)
        self.file = tuple(i for _, i, _ in places)
        self.rank = tuple(j for _, _, j in places)
        self.names = tuple(f"{chr(65 + k)}{chr(97 + i)}{j + 1}" for k, i, j in places)
        self.index = {name: p for p, name in enumerate(self.names)}
        self.xyz = tuple((i + k / 2, j + k / 2, k / math.sqrt(2)) for k, i, j in places)

        self.levels = tuple(self._where(self.level, k) for k in range(size))
        self.holes = self.levels[0]
        self.apex = self.levels[-1]
        self.west = self._where(self.file, 0)
        self.south = self._where(self.rank, 0)
        self.east = self._mask([(k, size - k - 1, j) for k in range(size) for j in range(size - k)])
        self.north = self._mask([(k, i, size - k - 1) for k in range(size) for i in range(size - k)])
        self.ridges = (self.west | self.east) & (self.south | self.north)
        self.interior = self.all & ~(self.west | self.east | self.south | self.north)

        self.supports = tuple(
            self._mask([(k - 1, i, j), (k - 1, i + 1, j), (k - 1, i, j + 1), (k - 1, i + 1, j + 1)])
            for k, i, j in places
        )
        self.resting = tuple(self._mask([(k + 1, i + a, j + b) for a, b in _UP]) for k, i, j in places)
        self.resting_on = tuple(tuple(bits(mask)) for mask in self.resting)
        flat = tuple(self._mask([(k, i + a, j + b) for a, b in _AWAY]) for k, i, j in places)
        self.touching = tuple(flat[p] | self.supports[p] | self.resting[p] for p in range(self.count))
        self.diagonal = tuple(
            self._mask([(k, i + a, j + b) for a in (-1, 1) for b in (-1, 1)]) for k, i, j in places
        )
        self.over = tuple(self._at.get((k + 2, i - 1, j - 1), -1) for k, i, j in places)
        self.under = tuple(self._at.get((k - 2, i + 1, j + 1), -1) for k, i, j in places)
        self.interior_hideable = sum(1 << p for p in range(self.count) if self.over[p] >= 0)

        self.contacts = tuple(
            (p, q, self._overpass(p, q) if flat[p] >> q & 1 else 0)
            for p in range(self.count)
            for q in bits(self.touching[p])
            if p < q
        )
        self.uncut = tuple(self._uncut(p, flat[p]) for p in range(self.count))
        self.onward = tuple(
            tuple(self._at.get((k, i + a, j + b), -1) for k, i, j in places) for a, b in _AWAY
        )
        self.upper = tuple(
            tuple((1 << p, self.supports[p]) for p in bits(level)) for level in self.levels[1:]
        )

        self.rows = self._runs([(0, 1, 0), (0, 0, 1)])
        self.diagonals = self._runs([(0, 1, 1), (0, 1, -1)])
        self.slopes = self._runs([(1, a, b) for a, b in _UP])
        self.full_lines = self._full_lines()
        self._sight_lines: tuple[int, ...] | None = None

    def __repr__(self) -> str:
        return f"pyramid({self.size})"

    def __reduce__(self) -> tuple[Callable[[int], Pyramid], tuple[int]]:
        # Tables are made once a size in every process; compiled objects can't be copied by their fields.
        return pyramid, (self.size,)

    @property
    def sight_lines(self) -> tuple[int, ...]:
        """Masks of every run of two or more points that is straight in plan and touches from point to point.

        These are the rows and the diagonal chains that go up or down one level a step. They are made when
        first asked for, because they more than triple from size to size: 300 on size 4, 3,498 on size 6,
        37,240 on size 8 and 424,388 on size 10, where they fill some 40 MB.
        """
        if self._sight_lines is None:
            self._sight_lines = self.rows + self._chains()
        return self._sight_lines

    def copies(self, mask: int) -> tuple[int, ...]:
        """Return the shape ``mask`` wherever it fits: turned about the vertical, mirrored, upside down.

        Sorted, each once. The empty shape has no copies.
        """
        # In half holes (east, north, up) every symmetry keeps points on points.
        shape = [
            (2 * self.file[p] + self.level[p], 2 * self.rank[p] + self.level[p], self.level[p])
            for p in bits(mask)
        ]
        found: set[int] = set()
        for turned in _turns(shape):
            x0, y0, z0 = turned[0]
            for p in range(self.count):
                k = self.level[p]
                dx, dy, dz = 2 * self.file[p] + k - x0, 2 * self.rank[p] + k - y0, k - z0
                copy = 0
                for x, y, z in turned:
                    q = self._at.get((z + dz, (x + dx - z - dz) // 2, (y + dy - z - dz) // 2))
                    if q is None:
                        break
                    copy |= 1 << q
                else:
                    found.add(copy)
        return tuple(sorted(found))

    def steps(self, p: int, q: int) -> int:
        """Return the distance of two points in plan, east-west plus north-south, in half holes."""
        rise = self.level[q] - self.level[p]
        return abs(2 * (self.file[q] - self.file[p]) + rise) + abs(2 * (self.rank[q] - self.rank[p]) + rise)

    def _mask(self, places: list[tuple[int, int, int]]) -> int:
        """The mask of those of ``places`` that are points."""
        mask = 0
        for place in places:
            p = self._at.get(place, -1)
            if p >= 0:
                mask |= 1 << p
        return mask

    def _where(self, coordinate: tuple[int, ...], value: int) -> int:
        """The mask of the points with that coordinate."""
        return sum(1 << p for p in range(self.count) if coordinate[p] == value)

    def _overpass(self, p: int, q: int) -> int:
        """The two points that rest on both of two neighbours on a level; 0 on the rim, where there is one at
        most."""
        both = self.resting[p] & self.resting[q]
        return both if both.bit_count() == 2 else 0

    def _uncut(self, p: int, flat: int) -> dict[int, int]:
        """For every set of marbles that may rest on p: the points whose contact with p is not cut."""
        cuts = [(1 << q, self._overpass(p, q)) for q in bits(flat)]
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

    def _runs(self, directions: list[tuple[int, int, int]]) -> tuple[int, ...]:
        """Masks of every straight run of two or more points in the directions (level, file, rank)."""
        found = []
        for k, i, j in self._at:
            for up, east, north in directions:
                run, length = 1 << self._at[k, i, j], 1
                while (p := self._at.get((k + length * up, i + length * east, j + length * north), -1)) >= 0:
                    run |= 1 << p
                    length += 1
                    found.append(run)
        return tuple(found)

    def _full_lines(self) -> tuple[int, ...]:
        """Masks of the full lines, lower levels first."""
        found = []
        for k in range(self.size - 1):
            n = self.size - k
            found += [self._mask([(k, i, j) for i in range(n)]) for j in range(n)]
            found += [self._mask([(k, i, j) for j in range(n)]) for i in range(n)]
            found += [
                self._mask([(k, i, i) for i in range(n)]),
                self._mask([(k, i, n - 1 - i) for i in range(n)]),
            ]
        return tuple(found)

    def _chains(self) -> tuple[int, ...]:
        """Masks of the diagonal chains of :attr:`sight_lines`, eastward from each point."""
        found = []
        for up, down in (((0, 0), (1, 1)), ((0, -1), (1, 0))):
            for place in self._at:
                todo = [(place, 1 << self._at[place])]
                while todo:
                    (k, i, j), chain = todo.pop()
                    for step in ((k + 1, i + up[0], j + up[1]), (k - 1, i + down[0], j + down[1])):
                        p = self._at.get(step, -1)
                        if p >= 0:
                            longer = chain | 1 << p
                            found.append(longer)
                            todo.append((step, longer))
        return tuple(found)


def _turns(shape: list[tuple[int, int, int]]) -> list[list[tuple[int, int, int]]]:
    """The shape in the sixteen positions about its origin that keep the vertical vertical."""
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
def pyramid(size: int) -> Pyramid:
    """Return the pyramid of a board with ``size``×``size`` holes, 2 to 10. Raises ValueError for other sizes."""
    return Pyramid(size)
