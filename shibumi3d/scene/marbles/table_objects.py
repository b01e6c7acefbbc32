"""Layout of trays, bag, dish and boxes around the boards, and colours of the plaques on trays.

A :class:`TableObjects` lists the objects, and :func:`arrange_objects` determines their positions. They stay in place
for a whole match.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from shibumi3d.scene.frame import Ball, Piece
from shibumi3d.scene.marbles.actors import side_marble_variation
from shibumi3d.scene.marbles.layout import (
    BOX_HINGE_DISTANCE,
    BOX_HINGE_HEIGHT,
    BOX_MARBLE_Z,
    DISH_MARBLE_Z,
    RADIUS,
    TABLE_Z,
    TRAY_MARBLE_Z,
    Vector,
    half_side,
    make_layout,
)
from shibumi3d.scene.palette import BOARD_COLOURS, ENGRAVING_COLOURS, Theme, luminance
from shibumi3d.scene.pen import Colour, mix_colours, rgba

HEAP_DEPTH = 2  # marbles of a heap shown one behind the other
MARBLE_PITCH = 1.01 * 2 * RADIUS  # distance between the centres of adjacent marbles
PILE_RISE = math.sqrt(
    (2 * RADIUS) ** 2 - MARBLE_PITCH**2 / 2
)  # height of a layer of a pile above the one below
PILE_SIDES = (2, 5)  # marbles along the sides of a pile; with the layer above, it holds 14
OWN_PILE_SIDES = (2, 4)  # the same for what one of two players has taken; it holds 11
CROWDED_PILE_SIDES = (2, 3)  # marbles along the sides of a pile if there are trays too
CRAMPED_PILE_SIDES = (2, 2)  # the same if there are also boxes
TRAY_RIM_WIDTH = 0.08  # width of the wood around the marbles
TRAY_GAP = 0.1  # distance between two trays
BOARD_DISTANCE = 0.42  # distance of the objects from the boards
LABEL_WIDTH = 0.4  # width of the label beside a row
LABEL_DISTANCE = RADIUS + 0.26  # distance of a label beside a marble from the marble's centre
FRONT_LABEL_DISTANCE = RADIUS + 0.36  # the same in front of a row, where the distance looks foreshortened
RIM_LABEL_HEIGHT = 0.1  # height above the table of a label on the rim of a dish
DISH_RADIUS = 0.8  # radius of the dish
BAG_RADIUS = 0.8  # radius of the bag
BAG_HEIGHT = 1.7
BAG_MOUTH_HEIGHT = 1.45  # height above the table at which marbles leave the bag
BOX_PITCH = 1.6
OPEN_BOX_HEIGHT = 1.9  # height of an open lid
BOXES_PER_ROW = 5
WEST_SETBACK = (
    0.65  # minimum distance of the western objects behind the front edge, in half sides of the board
)
EAST_SETBACK = 0.25  # distance of the eastern objects behind the centre, in half sides of the board
EAST_DISH_SETBACK = -0.08  # the same for the eastern one of two dishes, which is long
LID_OPEN_RADIANS = math.radians(105)


class Heap(NamedTuple):
    """Marbles of a stock that lie together.

    The heap contains the marbles of one ``colour``, or all marbles of the stock if ``colour`` is -1. ``seat`` is the
    seat that owns the stock or has taken the marbles, -1 if the heap is shared, or -2 if it belongs to the viewer.
    """

    stock: str
    seat: int
    colour: int


class TableObjects(NamedTuple):
    """Objects around the boards during a match.

    ``sizes`` contains the size of each board. The heaps in ``west`` and ``east`` lie in trays, one for each stock;
    heaps that lie side by side are listed from left to right. The heaps in ``spent`` are piles of captured and
    discarded marbles, each in one or two wooden dishes. ``has_dish`` is set if there is a dish for a single marble, and
    ``has_bag`` if there is a bag. ``box_count`` is the number of boxes for secret choices.
    """

    sizes: tuple[int, ...]
    west: tuple[Heap, ...] = ()
    east: tuple[Heap, ...] = ()
    spent: tuple[Heap, ...] = ()
    has_dish: bool = False
    has_bag: bool = False
    box_count: int = 0


class HeapLayout(NamedTuple):
    """Positions of the marbles in a heap, and of the label that shows how many there are.

    ``positions`` are in the order in which they are filled. The label is in front of the heap or, if heaps in trays lie
    one behind the other, on the side away from the boards.
    """

    positions: tuple[Vector, ...]
    label_position: Vector


class TableLayout(NamedTuple):
    """Positions of everything around the boards.

    ``dish_position`` is the centre of a marble in the dish, and ``bag_position`` the centre of the base of the bag;
    each is None if there is no such object. ``bag_label_position`` is meaningful only if there is a bag.
    ``box_positions`` contains the centres of the bases of the boxes. ``outlines`` contains, for each object, the
    corners that must be visible.
    """

    heaps: Mapping[Heap, HeapLayout]
    trays: tuple[Piece, ...]
    dish_position: Vector | None
    bag_position: Vector | None
    bag_label_position: Vector
    box_positions: tuple[Vector, ...]
    outlines: tuple[tuple[Vector, ...], ...]

    def heap_balls(
        self,
        colours_by_heap: Mapping[Heap, Sequence[int]],
        dish_colour: int | None = None,
        highlighted: Collection[Heap] = (),
    ) -> tuple[Ball, ...]:
        """Return the marbles in the heaps and in the dish.

        ``colours_by_heap`` lists the colours of the marbles in each heap; marbles for which there is no room are left
        out. ``dish_colour`` is the colour of the marble in the dish, or None if the dish is empty. Marbles of heaps in
        ``highlighted`` get a golden rim.
        """
        balls = [
            _make_ball(place, colour)._replace(gold_rim=1.0 if heap in highlighted else 0.0)
            for heap, row in self.heaps.items()
            for place, colour in zip(row.positions, colours_by_heap.get(heap, ()), strict=False)
        ]
        if dish_colour is not None and self.dish_position is not None:
            balls.append(_make_ball(self.dish_position, dish_colour))
        return tuple(balls)

    def make_pieces(self, openings: Mapping[int, float] = MappingProxyType({})) -> tuple[Piece, ...]:
        """Return the trays, the dish, the bag and the boxes.

        ``openings`` maps the index of each box on the table to how far it is open, from 0 to 1.
        """
        pieces = list(self.trays)
        if self.dish_position is not None:
            pieces.append(Piece("dish", *self.dish_position[:2]))
        if self.bag_position is not None:
            pieces.append(Piece("bag", *self.bag_position))
        for number, part in openings.items():
            x, y, z = self.box_positions[number]
            # The hinge is on the far side, so that the camera sees into the box.
            hinge = (x, y + BOX_HINGE_DISTANCE, z + BOX_HINGE_HEIGHT)
            pieces.append(Piece("box", x, y, z, math.pi))
            pieces.append(Piece("lid", *hinge, math.pi, LID_OPEN_RADIANS * part))
        return tuple(pieces)

    def box_balls(self, colours: Mapping[int, int]) -> tuple[Ball, ...]:
        """Return the marbles in the boxes; ``colours`` maps the index of a box to a marble's colour."""
        return tuple(
            _make_ball((*self.box_positions[number][:2], BOX_MARBLE_Z), colour)
            for number, colour in colours.items()
        )


def _make_ball(position: Vector, colour: int) -> Ball:
    tint, turn = side_marble_variation(position)
    return Ball(*position, colour, tint=tint, rotation=turn, new_colour=colour)


def interleave_colours(counts: Mapping[int, int], max_count: int) -> tuple[int, ...]:
    """Return the colours of up to ``max_count`` marbles, alternating between colours.

    ``counts`` maps each colour to the number of marbles of that colour.
    """
    left = dict(counts)
    result: list[int] = []
    while len(result) < max_count and any(number > 0 for number in left.values()):
        for colour in sorted(left):
            if left[colour] > 0:
                result.append(colour)
                left[colour] -= 1
    return tuple(result[:max_count])


class _TrayBlock:
    """A block of trays whose south-western corner is at (0, 0).

    The trays are placed side by side or, if ``is_short`` is set, one behind the other.
    """

    def __init__(self, heaps: Sequence[Heap], is_short: bool) -> None:
        self.rows: dict[Heap, tuple[list[tuple[float, float]], tuple[float, float]]] = {}
        self.trays: list[tuple[float, float, float, float]] = []
        stocks = list(dict.fromkeys(heap[:2] for heap in heaps))
        edge = 2 * TRAY_RIM_WIDTH + 2 * RADIUS
        across = [TRAY_RIM_WIDTH + RADIUS + MARBLE_PITCH * i for i in range(max(HEAP_DEPTH, len(heaps)))]
        at = 0.0
        for stock in stocks:
            these = [heap for heap in heaps if heap[:2] == stock]
            long = edge + MARBLE_PITCH * (len(these) - 1)
            if is_short:
                self.trays.append((0.0, at, edge + MARBLE_PITCH * (HEAP_DEPTH - 1), long))
                for i, heap in enumerate(reversed(these)):
                    y = at + across[i]
                    self.rows[heap] = (
                        [(across[k], y) for k in range(HEAP_DEPTH)],
                        (TRAY_RIM_WIDTH + RADIUS - LABEL_DISTANCE, y),
                    )
            else:
                self.trays.append((at, 0.0, long, edge + MARBLE_PITCH * (HEAP_DEPTH - 1)))
                for i, heap in enumerate(these):
                    x = at + across[i]
                    # Seen from the front, the label is on the rim.
                    front = TRAY_RIM_WIDTH + RADIUS - FRONT_LABEL_DISTANCE
                    self.rows[heap] = [(x, across[k]) for k in range(HEAP_DEPTH)], (x, front)
            at += long + TRAY_GAP
        along = at - TRAY_GAP
        self.is_short = is_short
        self.size = (
            (edge + MARBLE_PITCH * (HEAP_DEPTH - 1), along)
            if is_short
            else (along, edge + MARBLE_PITCH * (HEAP_DEPTH - 1))
        )

    @property
    def labelled_width(self) -> float:
        """Width of the block, including any labels beside its trays."""
        return self.size[0] + (LABEL_WIDTH if self.is_short else 0.0)


@functools.lru_cache(maxsize=64)
def arrange_objects(objects: TableObjects) -> TableLayout:
    """Return the positions of everything in ``objects``."""
    boards = make_layout(objects.sizes)
    wide = -boards.origins[0][0] + half_side(objects.sizes[0])
    deep = max(half_side(size) for size in objects.sizes)
    rows: dict[Heap, HeapLayout] = {}
    trays: list[Piece] = []
    around: list[tuple[Vector, ...]] = []
    short = bool(objects.west and objects.east) and max(len(objects.west), len(objects.east)) > 1

    def place_block(block: _TrayBlock, side: int, foot: float) -> None:
        """Place a block to the west (``side`` -1) or east (1) of the boards, with its southern end at y = ``foot``."""
        west = wide + BOARD_DISTANCE if side > 0 else -(wide + BOARD_DISTANCE) - block.size[0]
        for heap, (places, beside) in block.rows.items():
            if block.is_short and side > 0:
                beside = (block.size[0] - beside[0], beside[1])
            elif block.is_short:
                places = places[::-1]
            # At the height of the marbles, a label stays in line with its row from wherever it is seen.
            rows[heap] = HeapLayout(
                tuple((west + x, foot + y, TRAY_MARBLE_Z) for x, y in places),
                (west + beside[0], foot + beside[1], TRAY_MARBLE_Z),
            )
        for x, y, w, d in block.trays:
            trays.append(Piece("tray", west + x + w / 2, foot + y + d / 2, half_size=(w / 2, d / 2)))
        out = block.labelled_width - block.size[0]
        x0, x1 = (west, west + block.size[0] + out) if side > 0 else (west - out, west + block.size[0])
        high = TRAY_MARBLE_Z - TABLE_Z + RADIUS
        around.append(_box_corners(x0, x1, foot, foot + block.size[1], high))

    # Western objects are centred beside the boards and eastern ones lie farther back, which keeps the picture small.
    beside, blocks = (
        -(wide + BOARD_DISTANCE),
        [_TrayBlock(heaps, short and len(heaps) > 1) for heaps in (objects.west, objects.east)],
    )
    wide_piles = 0 if objects.west or objects.east else len({heap.stock for heap in objects.spent})
    pile_sides = OWN_PILE_SIDES if any(heap.seat >= 0 for heap in objects.spent) else PILE_SIDES
    needs = [
        blocks[0].size[1] if objects.west else 0.0,
        2 * DISH_RADIUS if objects.has_dish else 0.0,
        2 * BAG_RADIUS if objects.has_bag else 0.0,
        (_pile_length(pile_sides[1]) + TRAY_GAP) * wide_piles - TRAY_GAP if wide_piles else 0.0,
    ]
    along = sum(needs) + TRAY_GAP * (sum(need > 0.0 for need in needs) - 1)
    foot = max(-along / 2, (WEST_SETBACK - 1) * deep)
    dish = bag = None
    bag_number = (0.0, 0.0, TABLE_Z)
    if objects.west:
        place_block(blocks[0], -1, foot)
        foot += needs[0] + TRAY_GAP
    if objects.has_dish:
        dish = (beside - DISH_RADIUS, foot + DISH_RADIUS, DISH_MARBLE_Z)
        foot += needs[1] + TRAY_GAP
        high = DISH_MARBLE_Z + RADIUS - TABLE_Z
        around.append(
            (
                *_ring_points(dish, DISH_RADIUS, 0.0),
                *_ring_points(dish, DISH_RADIUS, 0.23),
                *_ring_points(dish, RADIUS, high),
            )
        )
    if objects.has_bag:
        bag = (beside - BAG_RADIUS, foot + BAG_RADIUS, TABLE_Z)
        bag_number = (bag[0], bag[1], TABLE_Z + BAG_HEIGHT + 0.6 * LABEL_WIDTH)
        foot += needs[2] + TRAY_GAP
        high = BAG_HEIGHT + LABEL_WIDTH
        around.append(
            (
                *_ring_points(bag, BAG_RADIUS, 0.0),
                *_ring_points(bag, BAG_RADIUS, 1.0),
                *_ring_points(bag, 0.4, high),
            )
        )

    def add_pile(heap: Heap, side: int, south: float, columns: int, ranks: int) -> float:
        """Place a dish whose southern end is at y = ``south``, and return the y coordinate of its northern end.

        The dish is for ``heap`` and stands to the west (``side`` -1) or east (1) of the boards. The pile's lowest layer
        has ``columns`` marbles from west to east and ``ranks`` from south to north. If the heap has a dish already,
        this is its second one, for what the first one can't hold.
        """
        width, depth = _pile_length(columns), _pile_length(ranks)
        x = side * (wide + BOARD_DISTANCE + width / 2)
        trays.append(Piece("tray", x, south + depth / 2, half_size=(width / 2, depth / 2)))
        pile = _pile_positions(x, south + depth / 2, -side, columns, ranks)
        first = rows.get(heap)
        rows[heap] = (
            first._replace(positions=first.positions + pile)
            if first
            else HeapLayout(pile, (x, south, TABLE_Z + RIM_LABEL_HEIGHT))
        )
        high = TRAY_MARBLE_Z - TABLE_Z + RADIUS
        around.append(_box_corners(x - width / 2, x + width / 2, south, south + depth, high))
        (left, near, _), (right, back, top) = pile[-(1 + abs(columns - ranks))], pile[-1]
        around.append(
            _box_corners(left - RADIUS, right + RADIUS, near - RADIUS, back + RADIUS, top + RADIUS - TABLE_Z)
        )
        return south + depth

    least = -math.inf
    if wide_piles:
        # One dish on each side: one for each player, or a second one for what the first can't hold.
        east_foot = EAST_DISH_SETBACK * deep - needs[3] / 2
        for heap in objects.spent:
            if heap.seat != 1:
                foot = add_pile(heap, -1, foot, *pile_sides) + TRAY_GAP
            if heap.seat != 0:
                east_foot = add_pile(heap, 1, east_foot, *pile_sides) + TRAY_GAP
    elif objects.spent:
        side, start = (1, -deep) if objects.west else (-1, foot)
        for heap in objects.spent:
            sides = CRAMPED_PILE_SIDES if objects.box_count else CROWDED_PILE_SIDES
            start = add_pile(heap, side, start, *sides) + TRAY_GAP
        least = start if objects.west else least
    if objects.east:
        place_block(blocks[1], 1, max(EAST_SETBACK * deep - blocks[1].size[1] / 2, least))
    in_row = min(objects.box_count, BOXES_PER_ROW)
    covered = -wide + 2 * BOX_HINGE_DISTANCE + BOX_PITCH * (in_row - 1) if in_row else -math.inf
    # The row of boxes may reach beyond the boards, behind what lies there.
    north = max([deep, *(y for thing in around for x, y, _ in thing if -wide < x < covered)])
    behind = north + BOARD_DISTANCE + BOX_HINGE_DISTANCE
    boxes = []
    for number in range(objects.box_count):
        if number < BOXES_PER_ROW:
            boxes.append((-wide + BOX_HINGE_DISTANCE + BOX_PITCH * number, behind, TABLE_Z))
        else:
            x = (
                max([wide, *(max(corner[0] for corner in thing) for thing in around)])
                + BOARD_DISTANCE
                + BOX_HINGE_DISTANCE
            )
            boxes.append((x, behind - BOX_PITCH * (number - BOXES_PER_ROW + 1), TABLE_Z))
    around += [_surrounding_corners(box, BOX_HINGE_DISTANCE, OPEN_BOX_HEIGHT) for box in boxes]
    return TableLayout(rows, tuple(trays), dish, bag, bag_number, tuple(boxes), tuple(around))


def _pile_length(count: int) -> float:
    """Return the length of a side of the dish for a pile with ``count`` marbles along that side."""
    return 2 * (TRAY_RIM_WIDTH + RADIUS) + MARBLE_PITCH * (count - 1)


def _pile_positions(x: float, y: float, toward_board: int, columns: int, rows: int) -> tuple[Vector, ...]:
    """Return the positions in a pile centred on (x, y), in the order in which they are filled.

    Each layer is filled before the one above it, starting at the side away from the board, so that no marble passes
    over another. ``toward_board`` is 1 if the board is to the east of the pile, and -1 if it is to the west.
    """
    return tuple(
        (
            x + toward_board * MARBLE_PITCH * (column - (columns - 1 - layer) / 2),
            y + MARBLE_PITCH * (row - (rows - 1 - layer) / 2),
            TRAY_MARBLE_Z + PILE_RISE * layer,
        )
        for layer in range(min(columns, rows))
        for column in range(columns - layer)
        for row in range(rows - layer)
    )


def _box_corners(x0: float, x1: float, y0: float, y1: float, height: float) -> tuple[Vector, ...]:
    return tuple((x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (TABLE_Z, TABLE_Z + height))


def _ring_points(foot: Vector, radius: float, height: float) -> tuple[Vector, ...]:
    """Return eight points on a circle around ``foot``, at ``height`` above the table."""
    x, y, _ = foot
    ways = [math.tau * i / 8 for i in range(8)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a), TABLE_Z + height) for a in ways)


def _surrounding_corners(foot: Vector, half_side: float, height: float) -> tuple[Vector, ...]:
    x, y, _ = foot
    return _box_corners(x - half_side, x + half_side, y - half_side, y + half_side, height)


PLAQUE_SHADE: Colour = (0.05, 0.04, 0.03, 1.0)
"""Dark colour mixed into the edges of plaques and, at night or under inlaid figures, into their wood."""
PLAQUE_CONTRAST = 0.25
"""Fraction of white or shade mixed into a plaque's wood by day, so that its figures are readable."""
WHITE: Colour = (1.0, 1.0, 1.0, 1.0)


class PlaqueColours(NamedTuple):
    """Colours of a plaque: its wood, its edge and its figures."""

    wood: Colour
    edge: Colour
    ink: Colour


def make_plaque_colours(theme: Theme) -> PlaqueColours:
    """Return the colours of plaques, derived from the colours of the board and its engraving."""
    wood, ink = rgba(BOARD_COLOURS[theme.board]), rgba(ENGRAVING_COLOURS[theme.board])
    if theme.tone == "night":
        wood, ink = mix_colours(wood, PLAQUE_SHADE, 0.35), mix_colours(WHITE, ink, 0.2)
    else:
        # Lighter under figures burnt into the wood, darker under inlaid ones.
        burnt = luminance(BOARD_COLOURS[theme.board]) > luminance(ENGRAVING_COLOURS[theme.board])
        wood = mix_colours(wood, WHITE if burnt else PLAQUE_SHADE, PLAQUE_CONTRAST)
    return PlaqueColours(wood, mix_colours(wood, PLAQUE_SHADE, 0.35), ink)
