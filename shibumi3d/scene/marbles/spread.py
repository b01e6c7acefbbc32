"""The levels apart: each on a board of its own beside the others, seen from straight above, as large as may be."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from shibumi3d.rules.marbles.pyramid import pyramid
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import MARGIN, RADIUS, RISE, Vector, layout

LOOSE = 0.49  # radius of marbles that must not cover their neighbours, seen at a slant at the edge of a wide window
RIM = 0.2  # wood about the marbles of all levels but the lowest
GAP = 0.12  # between two levels
APART = 0.7  # between two boards with all their levels
PLAIN = 0.9  # a row or a column is taken when marbles are no smaller than this part of what is possible
_STEP = 1.004
_TRIES = 60

Free: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom of a part of a picture, in pixels."""
Place: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spread:
    """Where levels are that move apart: ``part`` of the way to ``middles``, the (x, y) of each board and level.

    Turned by ``turn`` quarters against the clock they fill a rectangle ``wide`` and ``high``, centred on the origin.
    """

    sizes: tuple[int, ...]
    middles: tuple[tuple[Place, ...], ...]
    wide: float
    high: float
    turn: int = 0
    part: float = 1.0

    def shift(self, board: int, level: int) -> Vector:
        """Return how far a level is from its place in the pyramid."""
        x, y = self.middles[board][level]
        east, north = layout(self.sizes).origins[board]
        return (x - east) * self.part, (y - north) * self.part, -level * RISE * self.part

    def moved(self, board: int, point: int, at: Vector) -> Vector:
        """Return a place about ``point``, moved with its level."""
        x, y, z = self.shift(board, pyramid(self.sizes[board]).level[point])
        return at[0] + x, at[1] + y, at[2] + z

    @property
    def radius(self) -> float:
        """The radius of the marbles: they don't touch when apart."""
        return RADIUS + (LOOSE - RADIUS) * self.part

    @property
    def settled(self) -> bool:
        """Whether every level lies on its board."""
        return self.part >= 1.0

    def lying(self, covered: frozenset[int] | set[int] = frozenset()) -> list[tuple[int, int, Board]]:
        """Return board and level of what the levels lie on.

        These are the boards themselves, and for the other levels boards of their own as soon as they are free of
        these. The levels of ``covered`` boards have none, since nothing of them is shown.
        """
        origins = layout(self.sizes).origins
        found: list[tuple[int, int, Board]] = []
        for board, (size, (east, north)) in enumerate(zip(self.sizes, origins, strict=True)):
            x, y, _ = self.shift(board, 0)
            found.append((board, 0, Board(size, east + x, north + y, board in covered)))
        lowest = [lies for _, _, lies in found]
        for board, size in enumerate(self.sizes):
            for level in range(1, size if board not in covered else 0):
                one = Board(size - level, *self.middles[board][level], rim=RIM)
                if all(_clear(one, other) for other in lowest):
                    found.append((board, level, one))
        return found


def _clear(one: Board, other: Board) -> bool:
    return max(abs(one.x - other.x), abs(one.y - other.y)) >= one.half + other.half


@functools.lru_cache(maxsize=64)
def arrange(sizes: tuple[int, ...], width: float, height: float, turn: int = 0) -> Spread:
    """Return the levels of boards of ``sizes`` such that marbles are as large as may be in ``width`` x ``height``
    pixels.

    They stand in a row where the picture is wide, in a column where it is high, or close together.
    """
    best: tuple[float, int, dict[int, tuple[Block, float]]] | None = None
    for columns in range(1, len(sizes) + 1):
        rows = -(-len(sizes) // columns)
        blocks = {size: _packed(_sides(size), width / columns, height / rows) for size in set(sizes)}
        scale = min(scale for _, scale in blocks.values())
        if best is None or scale > best[0]:
            best = scale, columns, blocks
    assert best is not None
    _, columns, blocks = best
    rows = -(-len(sizes) // columns)
    boxes = {size: _box(block) for size, (block, _) in blocks.items()}
    cell = max(w for w, _ in boxes.values()) + APART, max(h for _, h in boxes.values()) + APART
    wide, high = columns * cell[0] - APART, rows * cell[1] - APART
    middles = []
    for board, size in enumerate(sizes):
        row, column = divmod(board, columns)
        left = -wide / 2 + column * cell[0] + (cell[0] - APART - boxes[size][0]) / 2
        top = high / 2 - row * cell[1] - (cell[1] - APART - boxes[size][1]) / 2
        middles.append(
            tuple(_turned(left + x + side / 2, top - y - side / 2, turn) for x, y, side in blocks[size][0])
        )
    return Spread(sizes, tuple(middles), wide, high, turn % 4)


def above(spread: Spread, width: float, height: float, free: Free) -> Camera:
    """Return the view from straight above in which the levels apart fill a ``free`` part of ``width`` x ``height``
    pixels.
    """
    left, top, right, bottom = free
    span = max(spread.high / (bottom - top), spread.wide / (right - left)) * height
    shift = (left + right) / width - 1.0, 1.0 - (top + bottom) / height
    return Camera(90.0 * spread.turn, 90.0, 1.0, (0.0, 0.0, 0.0), spread.sizes, shift, span=span, apart=1.0)


def _turned(x: float, y: float, turn: int) -> Place:
    """A place of the picture in the world, when the eye has turned by quarters."""
    for _ in range(turn % 4):
        x, y = -y, x
    return x, y


def _sides(size: int) -> list[float]:
    return [size + 2 * MARGIN, *(side + 2 * RIM for side in range(size - 1, 0, -1))]


Block: TypeAlias = list[tuple[float, float, float]]
"""Of every level the left, the upper edge and the side of its board."""


def _box(block: Block) -> Place:
    return max(x + side for x, _, side in block), max(y + side for _, y, side in block)


def _packed(sides: Sequence[float], width: float, height: float) -> tuple[Block, float]:
    """Squares as large as may be in a rectangle, and how many pixels their unit measures."""
    row = list(itertools.accumulate(sides[:-1], lambda x, side: x + side + GAP, initial=0.0))
    wide: Block = [(x, (sides[0] - side) / 2, side) for x, side in zip(row, sides, strict=True)]
    high: Block = [((sides[0] - side) / 2, y, side) for y, side in zip(row, sides, strict=True)]
    plain = max(((_scale(block, width, height), block) for block in (wide, high)), key=lambda pair: pair[0])
    scale, block = plain
    most = min(min(width, height) / sides[0], math.sqrt(width * height / sum(side * side for side in sides)))
    for order in _orders(len(sides)):
        ordered = [sides[i] for i in order]
        for way in range(3):
            tried = scale * _STEP
            while tried <= most:
                found = _laid(ordered, width / tried, height / tried, way)
                if found is None:
                    break
                block = [found[order.index(i)] for i in range(len(sides))]
                scale = _scale(block, width, height)
                tried = scale * _STEP
    if plain[0] >= PLAIN * scale:
        return plain[::-1]
    # The same once more as far to the right as may be, so that levels come in their order.
    return _laid(sides, width / scale, height / scale, 3) or block, scale


def _scale(block: Block, width: float, height: float) -> float:
    wide, high = _box(block)
    return min(width / wide, height / high)


def _orders(count: int) -> Iterator[list[int]]:
    """Orders in which squares are tried, the lowest level first: as they are, then each with a few exchanged."""
    order = list(range(count))
    yield list(order)
    for number in range(_TRIES if count > 6 else 0):
        # A simple sequence that visits many pairs.
        one, other = 1 + number % (count - 1), 1 + (number * 7 + number // (count - 1)) % (count - 1)
        order[one], order[other] = order[other], order[one]
        yield list(order)


def _laid(sides: Sequence[float], width: float, height: float, way: int) -> Block | None:
    """Squares one after another where they fit: farthest left, highest, so that the whole grows least, or farthest
    right of those that touch others."""
    laid: Block = []
    xs, ys = [0.0], [0.0]
    for side in sides:
        places = [(x, y) for x in xs for y in ys if x + side <= width + 1e-9 and y + side <= height + 1e-9]

        def cost(place: Place, side: float = side) -> tuple[float, ...]:
            x, y = place
            if way != 2:
                return ((x, y), (y, x), (), (-x, y))[way]
            return max((x + side) / width, (y + side) / height), x, y

        for x, y in sorted(places, key=cost):
            if all(
                max(x - (left + other), left - (x + side), y - (top + other), top - (y + side)) >= GAP - 1e-9
                for left, top, other in laid
            ):
                laid.append((x, y, side))
                xs.append(x + side + GAP)
                ys.append(y + side + GAP)
                break
        else:
            return None
    return laid


def radius_of(spread: Spread | None) -> float:
    """Return the radius of marbles on boards, which shrink by a hair when their levels lie apart."""
    return RADIUS if spread is None else spread.radius
