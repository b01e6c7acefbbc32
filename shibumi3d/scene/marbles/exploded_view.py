"""Exploded view of the boards, seen from straight above.

Each level is on a board of its own, and all boards are as large as possible.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from shibumi3d.rules.marbles.pyramid import get_pyramid
from shibumi3d.scene.camera import Camera
from shibumi3d.scene.frame import Board
from shibumi3d.scene.marbles.layout import BOARD_MARGIN, LEVEL_HEIGHT, RADIUS, Vector, make_layout

EXPLODED_RADIUS = (
    0.49  # marble radius; larger marbles would hide their neighbours near the edges of a wide window
)
LEVEL_RIM_WIDTH = 0.22  # width of the wood around the cells of all levels above level A
LEVEL_GAP = 0.12  # distance between two levels
BOARD_GROUP_GAP = 0.7  # distance between the groups of levels of two boards
MIN_ROW_SCALE_RATIO = 0.9  # prefer a row or column if its scale is at least this fraction of the best one
_SCALE_STEP = 1.004
_ORDER_TRIES = 60

FreeArea: TypeAlias = tuple[float, float, float, float]
"""Left, top, right and bottom edges of the free part of a picture, in pixels."""
Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ExplodedView:
    """Positions of the levels in the exploded view, or during the transition to it.

    ``level_centres`` contains the (x, y) centres of the levels of each board in the exploded view. ``progress`` is the
    completed fraction of the transition. The exploded view is made for a camera that is turned counter-clockwise by
    ``quarter_turns`` quarter turns. As this camera sees it, the levels fill a rectangle of ``width`` by ``height`` that
    is centred on the origin.
    """

    sizes: tuple[int, ...]
    level_centres: tuple[tuple[Point, ...], ...]
    width: float
    height: float
    quarter_turns: int = 0
    progress: float = 1.0

    def level_offset(self, board: int, level: int) -> Vector:
        """Return the offset of a level from its place in the pyramid."""
        x, y = self.level_centres[board][level]
        east, north = make_layout(self.sizes).origins[board]
        return (x - east) * self.progress, (y - north) * self.progress, -level * LEVEL_HEIGHT * self.progress

    def displace(self, board: int, point: int, position: Vector) -> Vector:
        """Return ``position``, which is near ``point``, shifted together with the point's level."""
        x, y, z = self.level_offset(board, get_pyramid(self.sizes[board]).level[point])
        return position[0] + x, position[1] + y, position[2] + z

    @property
    def radius(self) -> float:
        """Radius of the marbles, which are slightly smaller in the exploded view."""
        return RADIUS + (EXPLODED_RADIUS - RADIUS) * self.progress

    @property
    def is_complete(self) -> bool:
        """Whether every level has reached its own board."""
        return self.progress >= 1.0

    def level_boards(self, covered: frozenset[int] | set[int] = frozenset()) -> list[tuple[int, int, Board]]:
        """Return the boards under the levels, as (board, level, Board) tuples.

        The real boards carry level A. The other levels get their own boards as soon as these no longer overlap the real
        boards. If a board is in ``covered``, only its level A has a board, since nothing on it is shown.
        """
        origins = make_layout(self.sizes).origins
        result: list[tuple[int, int, Board]] = []
        for board, (size, (east, north)) in enumerate(zip(self.sizes, origins, strict=True)):
            x, y, _ = self.level_offset(board, 0)
            result.append((board, 0, Board(size, east + x, north + y, board in covered)))
        lowest = [lies for _, _, lies in result]
        for board, size in enumerate(self.sizes):
            for level in range(1, size if board not in covered else 0):
                one = Board(size - level, *self.level_centres[board][level], rim_width=LEVEL_RIM_WIDTH)
                if all(_are_disjoint(one, other) for other in lowest):
                    result.append((board, level, one))
        return result


def _are_disjoint(first: Board, second: Board) -> bool:
    return max(abs(first.x - second.x), abs(first.y - second.y)) >= first.half_side + second.half_side


@functools.lru_cache(maxsize=64)
def make_exploded_view(
    sizes: tuple[int, ...], width: float, height: float, quarter_turns: int = 0
) -> ExplodedView:
    """Return the exploded view of boards of the given sizes, with marbles about as large as possible.

    ``width`` and ``height`` are the size of the picture in pixels. The levels of each board form a row or a column,
    whichever makes the marbles larger. If a closer packing makes the marbles clearly larger, it is used instead.
    ``quarter_turns`` is explained in :class:`ExplodedView`.
    """
    best: tuple[float, int, dict[int, tuple[SquarePacking, float]]] | None = None
    for columns in range(1, len(sizes) + 1):
        rows = -(-len(sizes) // columns)
        blocks = {
            size: _pack_squares(_level_sides(size), width / columns, height / rows) for size in set(sizes)
        }
        scale = min(scale for _, scale in blocks.values())
        if best is None or scale > best[0]:
            best = scale, columns, blocks
    assert best is not None
    _, columns, blocks = best
    rows = -(-len(sizes) // columns)
    boxes = {size: _packing_size(block) for size, (block, _) in blocks.items()}
    cell = (
        max(w for w, _ in boxes.values()) + BOARD_GROUP_GAP,
        max(h for _, h in boxes.values()) + BOARD_GROUP_GAP,
    )
    wide, high = columns * cell[0] - BOARD_GROUP_GAP, rows * cell[1] - BOARD_GROUP_GAP
    middles = []
    for board, size in enumerate(sizes):
        row, column = divmod(board, columns)
        left = -wide / 2 + column * cell[0] + (cell[0] - BOARD_GROUP_GAP - boxes[size][0]) / 2
        top = high / 2 - row * cell[1] - (cell[1] - BOARD_GROUP_GAP - boxes[size][1]) / 2
        middles.append(
            tuple(
                _rotate(left + x + side / 2, top - y - side / 2, quarter_turns)
                for x, y, side in blocks[size][0]
            )
        )
    return ExplodedView(sizes, tuple(middles), wide, high, quarter_turns % 4)


def exploded_view_camera(
    exploded_view: ExplodedView, width: float, height: float, free_area: FreeArea
) -> Camera:
    """Return the camera that looks straight down on the exploded view.

    The picture is ``width`` by ``height`` pixels. The exploded view is centred in ``free_area``, a part of the picture,
    and is as large as possible within it.
    """
    left, top, right, bottom = free_area
    span = max(exploded_view.height / (bottom - top), exploded_view.width / (right - left)) * height
    shift = (left + right) / width - 1.0, 1.0 - (top + bottom) / height
    return Camera(
        90.0 * exploded_view.quarter_turns,
        90.0,
        1.0,
        (0.0, 0.0, 0.0),
        exploded_view.sizes,
        shift,
        frame_height=span,
        exploded_fraction=1.0,
    )


def _rotate(x: float, y: float, quarter_turns: int) -> Point:
    """Return (x, y) rotated counter-clockwise around the origin by ``quarter_turns`` quarter turns."""
    for _ in range(quarter_turns % 4):
        x, y = -y, x
    return x, y


def _level_sides(size: int) -> list[float]:
    return [size + 2 * BOARD_MARGIN, *(side + 2 * LEVEL_RIM_WIDTH for side in range(size - 1, 0, -1))]


SquarePacking: TypeAlias = list[tuple[float, float, float]]
"""Left edge, top edge and side length of each level's board."""


def _packing_size(block: SquarePacking) -> Point:
    return max(x + side for x, _, side in block), max(y + side for _, y, side in block)


def _pack_squares(sides: Sequence[float], width: float, height: float) -> tuple[SquarePacking, float]:
    """Return a layout of squares with ``sides`` in a rectangle of ``width`` by ``height`` pixels, and its scale.

    The scale, in pixels per unit of the layout, is about as large as possible. A row or a column is preferred if its
    scale is at least ``MIN_ROW_SCALE_RATIO`` of the best one found.
    """
    row = list(itertools.accumulate(sides[:-1], lambda x, side: x + side + LEVEL_GAP, initial=0.0))
    wide: SquarePacking = [(x, (sides[0] - side) / 2, side) for x, side in zip(row, sides, strict=True)]
    high: SquarePacking = [((sides[0] - side) / 2, y, side) for y, side in zip(row, sides, strict=True)]
    plain = max(
        ((_packing_scale(block, width, height), block) for block in (wide, high)), key=lambda pair: pair[0]
    )
    scale, block = plain
    most = min(min(width, height) / sides[0], math.sqrt(width * height / sum(side * side for side in sides)))
    for order in _packing_orders(len(sides)):
        ordered = [sides[i] for i in order]
        for way in range(3):
            tried = scale * _SCALE_STEP
            while tried <= most:
                found = _place_squares(ordered, width / tried, height / tried, way)
                if found is None:
                    break
                block = [found[order.index(i)] for i in range(len(sides))]
                scale = _packing_scale(block, width, height)
                tried = scale * _SCALE_STEP
    if plain[0] >= MIN_ROW_SCALE_RATIO * scale:
        return plain[::-1]
    # Pack again with the rightmost places, to keep the levels in order.
    return _place_squares(sides, width / scale, height / scale, 3) or block, scale


def _packing_scale(block: SquarePacking, width: float, height: float) -> float:
    wide, high = _packing_size(block)
    return min(width / wide, height / high)


def _packing_orders(count: int) -> Iterator[list[int]]:
    """Yield orders in which to pack the squares; the lowest level always comes first.

    The first order is 0, 1, 2 and so on. If there are more than six squares, further orders follow.
    """
    order = list(range(count))
    yield list(order)
    for number in range(_ORDER_TRIES if count > 6 else 0):
        # A simple sequence that covers many pairs.
        one, other = 1 + number % (count - 1), 1 + (number * 7 + number // (count - 1)) % (count - 1)
        order[one], order[other] = order[other], order[one]
        yield list(order)


def _place_squares(
    sides: Sequence[float], width: float, height: float, preference: int
) -> SquarePacking | None:
    """Return the places of squares with ``sides`` in a rectangle, or None if one of them does not fit.

    The rectangle is ``width`` by ``height``. The squares are placed one after another, ``LEVEL_GAP`` or more apart.
    ``preference`` selects the preferred place: 0 for the leftmost, 1 for the topmost, 2 for the place that enlarges the
    layout least, and 3 for the rightmost place next to other squares.
    """
    laid: SquarePacking = []
    xs, ys = [0.0], [0.0]
    for side in sides:
        places = [(x, y) for x in xs for y in ys if x + side <= width + 1e-9 and y + side <= height + 1e-9]

        def cost(corner: Point, side: float = side) -> tuple[float, ...]:
            x, y = corner
            if preference != 2:
                return ((x, y), (y, x), (), (-x, y))[preference]
            return max((x + side) / width, (y + side) / height), x, y

        for x, y in sorted(places, key=cost):
            if all(
                max(x - (left + other), left - (x + side), y - (top + other), top - (y + side))
                >= LEVEL_GAP - 1e-9
                for left, top, other in laid
            ):
                laid.append((x, y, side))
                xs.append(x + side + LEVEL_GAP)
                ys.append(y + side + LEVEL_GAP)
                break
        else:
            return None
    return laid


def marble_radius(exploded_view: ExplodedView | None) -> float:
    """Return the radius of the marbles on the boards; it is slightly smaller in an exploded view.

    ``exploded_view`` is None for the normal view.
    """
    return RADIUS if exploded_view is None else exploded_view.radius
