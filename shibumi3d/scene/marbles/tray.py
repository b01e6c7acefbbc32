"""Layout of the objects around the boards, such as trays of marbles, the bag and the boxes.

A :class:`Plan` lists the objects, and :func:`lay` determines their positions. They stay in place for a whole match.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from shibumi3d.scene.frame import Ball, Piece
from shibumi3d.scene.marbles.actors import look
from shibumi3d.scene.marbles.layout import (
    BOX_HALF,
    BOX_HEIGHT,
    BOX_SEAT,
    DISH_SEAT,
    LYING,
    SMALL,
    TABLE,
    TRAY_SEAT,
    Vector,
    half_side,
    layout,
)

DEEP = 4  # marbles of a heap shown one behind the other
SHORT = 2  # the same if both sides have heaps, and one side has several
PITCH = 1.04 * 2 * LYING  # distance between the centres of adjacent marbles
RIM = 0.12  # width of the wood around the marbles
BETWEEN = 0.16  # distance between two trays
APART = 0.42  # distance of the objects from the boards
NUMBER = 0.4  # width of the label beside a row
OUTSIDE = LYING + 0.26  # distance of a label beside a marble from the marble's centre
RIM_HIGH = 0.1  # height of a label on the rim of a tray above the table
DISH = SMALL * 0.95  # radius of the dish
BAG = SMALL * 0.8  # radius of the bag
BAG_HEIGHT = SMALL * 1.7
MOUTH = SMALL * 1.45  # height above the table at which marbles leave the bag
BOX_PITCH = SMALL * 1.6
BOX_OPEN = SMALL * 1.9  # height of an open lid
ROW_OF_BOXES = 5
FARTHER = 0.25  # distance of the eastern objects behind the centre, in half sides of the board
LID_OPEN = math.radians(105)


class Heap(NamedTuple):
    """Marbles of a stock that lie together.

    The heap contains the marbles of one ``colour``, or all marbles of the stock if ``colour`` is -1. ``seat`` is the
    seat that owns the stock, or -1.
    """

    stock: str
    seat: int
    colour: int


class Plan(NamedTuple):
    """Objects that lie around boards of ``sizes`` in the course of a match.

    The heaps in ``west`` and ``east`` are listed from left to right, and lie in trays, one tray for each stock. The
    heaps in ``spent`` lie on the bare table, with nothing in front of them. ``boxes`` is the number of boxes for secret
    choices.
    """

    sizes: tuple[int, ...]
    west: tuple[Heap, ...] = ()
    east: tuple[Heap, ...] = ()
    spent: tuple[Heap, ...] = ()
    dish: bool = False
    bag: bool = False
    boxes: int = 0


class Row(NamedTuple):
    """Positions of a heap's marbles, from front to back, and of the label that shows their number.

    The label is on the rim in front of the marbles, or beside them.
    """

    places: tuple[Vector, ...]
    number: Vector


class Table(NamedTuple):
    """Positions of everything around the boards.

    ``dish`` is the centre of a marble in the dish; ``bag`` and ``boxes`` are the centres of their bases. ``around``
    contains, for each object, the corners that must be visible.
    """

    rows: Mapping[Heap, Row]
    trays: tuple[Piece, ...]
    dish: Vector | None
    bag: Vector | None
    bag_number: Vector
    boxes: tuple[Vector, ...]
    around: tuple[tuple[Vector, ...], ...]

    def lying(
        self,
        shown: Mapping[Heap, Sequence[int]],
        dish: int | None = None,
        lit: Collection[Heap] = (),
    ) -> tuple[Ball, ...]:
        """Return the marbles in the heaps and in the dish.

        ``shown`` lists the colours of the marbles in each heap; marbles for which there is no room are left out.
        ``dish`` is the colour of the marble in the dish. Marbles of heaps in ``lit`` get a golden rim.
        """
        balls = [
            _marble(place, colour, (number, i))._replace(rim=1.0 if heap in lit else 0.0)
            for number, (heap, row) in enumerate(self.rows.items())
            for i, (place, colour) in enumerate(zip(row.places, shown.get(heap, ()), strict=False))
        ]
        if dish is not None and self.dish is not None:
            balls.append(_marble(self.dish, dish, (0, DEEP)))
        return tuple(balls)

    def pieces(self, boxes: Mapping[int, float] = MappingProxyType({})) -> tuple[Piece, ...]:
        """Return the trays, the dish, the bag and the boxes.

        ``boxes`` maps the index of each box on the table to how far it is open, from 0 to 1.
        """
        pieces = list(self.trays)
        if self.dish is not None:
            pieces.append(Piece("dish", *self.dish[:2]))
        if self.bag is not None:
            pieces.append(Piece("bag", *self.bag))
        for number, part in boxes.items():
            x, y, z = self.boxes[number]
            # The hinge is on the far side, so that the camera sees into the box.
            hinge = (x, y + BOX_HALF, z + BOX_HEIGHT)
            pieces.append(Piece("box", x, y, z, math.pi))
            pieces.append(Piece("lid", *hinge, math.pi, LID_OPEN * part))
        return tuple(pieces)

    def inside(self, colours: Mapping[int, int]) -> tuple[Ball, ...]:
        """Return the marbles in the boxes; ``colours`` maps the index of a box to a marble's colour."""
        return tuple(
            _marble((*self.boxes[number][:2], BOX_SEAT), colour, (0, number))
            for number, colour in colours.items()
        )


def _marble(at: Vector, colour: int, where: tuple[int, int]) -> Ball:
    tint, turn = look((where[0] + 16, where[1]))
    return Ball(*at, colour, LYING, tint=tint, turn=turn, into=colour)


def mixed(counts: Mapping[int, int], most: int) -> tuple[int, ...]:
    """Return the colours of up to ``most`` marbles of a heap, alternating between colours."""
    left = dict(counts)
    found: list[int] = []
    while len(found) < most and any(number > 0 for number in left.values()):
        for colour in sorted(left):
            if left[colour] > 0:
                found.append(colour)
                left[colour] -= 1
    return tuple(found[:most])


class _Block:
    """Trays with their south-western corner at (0, 0).

    They are placed side by side or, if ``short`` is set, one behind the other.
    """

    def __init__(self, heaps: Sequence[Heap], short: bool) -> None:
        self.rows: dict[Heap, tuple[list[tuple[float, float]], tuple[float, float]]] = {}
        self.trays: list[tuple[float, float, float, float]] = []
        stocks = list(dict.fromkeys(heap[:2] for heap in heaps))
        edge = 2 * RIM + 2 * LYING
        across = [RIM + LYING + PITCH * i for i in range(max(DEEP, len(heaps)))]
        at = 0.0
        for stock in stocks:
            these = [heap for heap in heaps if heap[:2] == stock]
            long = edge + PITCH * (len(these) - 1)
            if short:
                self.trays.append((0.0, at, edge + PITCH * (SHORT - 1), long))
                for i, heap in enumerate(reversed(these)):
                    y = at + across[i]
                    self.rows[heap] = [(across[k], y) for k in range(SHORT)], (RIM + LYING - OUTSIDE, y)
            else:
                self.trays.append((at, 0.0, long, edge + PITCH * (DEEP - 1)))
                for i, heap in enumerate(these):
                    x = at + across[i]
                    # The label is on the rim in front of the first marble.
                    self.rows[heap] = [(x, across[k]) for k in range(DEEP)], (x, 0.0)
            at += long + BETWEEN
        along = at - BETWEEN
        self.short = short
        self.size = (edge + PITCH * (SHORT - 1), along) if short else (along, edge + PITCH * (DEEP - 1))

    @property
    def wide(self) -> float:
        """Width, including the labels that show the numbers."""
        return self.size[0] + (NUMBER if self.short else 0.0)


@functools.lru_cache(maxsize=64)
def lay(plan: Plan) -> Table:
    """Return the positions of everything in ``plan``."""
    boards = layout(plan.sizes)
    wide = -boards.origins[0][0] + half_side(plan.sizes[0])
    deep = max(half_side(size) for size in plan.sizes)
    rows: dict[Heap, Row] = {}
    trays: list[Piece] = []
    around: list[tuple[Vector, ...]] = []
    short = bool(plan.west and plan.east) and max(len(plan.west), len(plan.east)) > 1

    def lies(block: _Block, side: int, foot: float) -> None:
        """Place a block beside the boards, with its southern end at ``foot``."""
        west = wide + APART if side > 0 else -(wide + APART) - block.size[0]
        for heap, (places, beside) in block.rows.items():
            if block.short and side > 0:
                beside = (block.size[0] - beside[0], beside[1])
            elif block.short:
                places = places[::-1]
            high = TRAY_SEAT if block.short else TABLE + RIM_HIGH
            rows[heap] = Row(
                tuple((west + x, foot + y, TRAY_SEAT) for x, y in places),
                (west + beside[0], foot + beside[1], high),
            )
        for x, y, w, d in block.trays:
            trays.append(Piece("tray", west + x + w / 2, foot + y + d / 2, size=(w / 2, d / 2)))
        out = block.wide - block.size[0]
        x0, x1 = (west, west + block.size[0] + out) if side > 0 else (west - out, west + block.size[0])
        high = TRAY_SEAT - TABLE + LYING
        around.append(_corners(x0, x1, foot, foot + block.size[1], high))

    # Western objects start at the south corner and eastern ones lie farther back, which keeps the picture narrow.
    beside, blocks = (
        -(wide + APART),
        [_Block(heaps, short and len(heaps) > 1) for heaps in (plan.west, plan.east)],
    )
    needs = [
        blocks[0].size[1] if plan.west else 0.0,
        2 * DISH if plan.dish else 0.0,
        2 * BAG if plan.bag else 0.0,
        2 * PITCH if plan.spent and not plan.west else 0.0,
    ]
    along = sum(needs) + BETWEEN * (sum(need > 0.0 for need in needs) - 1)
    foot = min(-deep, -along / 2)
    dish = bag = None
    bag_number = (0.0, 0.0, TABLE)
    if plan.west:
        lies(blocks[0], -1, foot)
        foot += needs[0] + BETWEEN
    if plan.dish:
        dish = (beside - DISH, foot + DISH, DISH_SEAT)
        foot += needs[1] + BETWEEN
        high = DISH_SEAT + LYING - TABLE
        around.append((*_ring(dish, DISH, 0.0), *_ring(dish, DISH, SMALL * 0.23), *_ring(dish, LYING, high)))
    if plan.bag:
        bag = (beside - BAG, foot + BAG, TABLE)
        bag_number = (bag[0], bag[1], TABLE + BAG_HEIGHT + 0.6 * NUMBER)
        foot += needs[2] + BETWEEN
        high = BAG_HEIGHT + NUMBER
        around.append((*_ring(bag, BAG, 0.0), *_ring(bag, BAG, SMALL), *_ring(bag, SMALL * 0.4, high)))
    # Spent marbles lie where nothing is in front of them: in the west behind the dish and the bag if there are no
    # trays, otherwise in the east from the south corner on.
    side = 1 if plan.west else -1
    deeper = DEEP // SHORT if not plan.boxes else 1
    edge, south = side * (wide + APART), -deep if plan.west else foot
    for heap in plan.spent:
        out = edge + side * (2 * LYING + PITCH * (SHORT - 1))
        lying = [
            (edge + side * (LYING + PITCH * i), south + LYING + PITCH * k, TABLE + LYING)
            for k in range(deeper)
            for i in range(SHORT)
        ]
        rows[heap] = Row(tuple(lying), ((edge + out) / 2, south, TABLE + RIM_HIGH))
        north = south + 2 * LYING + PITCH * (deeper - 1)
        around.append(_corners(min(edge, out), max(edge, out), south, north, 2 * LYING))
        south = north + BETWEEN
    if plan.east:
        least = south if plan.west and plan.spent else -math.inf
        lies(blocks[1], 1, max(FARTHER * deep - blocks[1].size[1] / 2, least))
    behind = deep + APART + BOX_HALF
    boxes = []
    for number in range(plan.boxes):
        if number < ROW_OF_BOXES:
            boxes.append((-wide + BOX_HALF + BOX_PITCH * number, behind, TABLE))
        else:
            x = max([wide, *(max(corner[0] for corner in thing) for thing in around)]) + APART + BOX_HALF
            boxes.append((x, behind - BOX_PITCH * (number - ROW_OF_BOXES + 1), TABLE))
    around += [_about(box, BOX_HALF, BOX_OPEN) for box in boxes]
    return Table(rows, tuple(trays), dish, bag, bag_number, tuple(boxes), tuple(around))


def _corners(x0: float, x1: float, y0: float, y1: float, high: float) -> tuple[Vector, ...]:
    return tuple((x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (TABLE, TABLE + high))


def _ring(foot: Vector, radius: float, high: float) -> tuple[Vector, ...]:
    """Return points on a circle, ``high`` above the table."""
    x, y, _ = foot
    ways = [math.tau * i / 8 for i in range(8)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a), TABLE + high) for a in ways)


def _about(foot: Vector, half: float, high: float) -> tuple[Vector, ...]:
    x, y, _ = foot
    return _corners(x - half, x + half, y - half, y + half, high)
