"""What lies on the table about the boards: rows of marbles, the hand dish, a bag, boxes, and what is spent.

The same things keep their places for a whole match: a :class:`Plan` says what there is, :func:`lay` where it lies.
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

DEEP = 4  # marbles of a heap that lie one behind the other
SHORT = 2  # where there are heaps on both sides of the boards, and several on one
PITCH = 1.04 * 2 * LYING  # from marble to marble
RIM = 0.12  # wood about them
BETWEEN = 0.16  # between two trays
APART = 0.42  # between the boards and what lies beside them
NUMBER = 0.4  # room for a number beside a row
OUTSIDE = LYING + 0.26  # how far from the centre of a marble a number stands beside it
RIM_HIGH = 0.1  # how high over the table a number stands on the rim of a tray
DISH = SMALL * 0.95  # radius of the dish
BAG = SMALL * 0.8  # of the bag
BAG_HEIGHT = SMALL * 1.7
MOUTH = SMALL * 1.45  # how high over the table marbles come out of the bag
BOX_PITCH = SMALL * 1.6
BOX_OPEN = SMALL * 1.9  # how high an open lid reaches
ROW_OF_BOXES = 5
FARTHER = 0.25  # how far what lies in the east is farther from the eye than the middle, in half sides
LID_OPEN = math.radians(105)


class Heap(NamedTuple):
    """Marbles that lie together: those of one ``colour`` in a stock, or with -1 whatever is in it.

    ``seat`` is the seat whose own they are, or -1.
    """

    stock: str
    seat: int
    colour: int


class Plan(NamedTuple):
    """All that ever lies on the table of a match, about boards of ``sizes``.

    Heaps ``west`` and ``east`` are named from left to right, and lie in trays, one for each stock. ``spent`` lie
    where nothing stands before them. ``boxes`` is the number of boxes for secret choices.
    """

    sizes: tuple[int, ...]
    west: tuple[Heap, ...] = ()
    east: tuple[Heap, ...] = ()
    spent: tuple[Heap, ...] = ()
    dish: bool = False
    bag: bool = False
    boxes: int = 0


class Row(NamedTuple):
    """The places of the marbles of a heap, the foremost first; ``number`` is where that of its marbles stands: on the
    rim before them, or beside them.
    """

    places: tuple[Vector, ...]
    number: Vector


class Table(NamedTuple):
    """Where everything lies.

    ``dish`` is the centre of a marble in the dish, ``bag`` and ``boxes`` are the middles of their feet. ``around``
    holds the corners of what must be seen, thing by thing.
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
        """Return the marbles: of each heap the colours ``shown`` as far as there are places, and ``dish`` in the
        dish. Those of heaps that are ``lit`` have a gold rim.
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
        """Return the things of wood and cloth; ``boxes`` says which boxes are there and how far each is open, from 0
        to 1.
        """
        pieces = list(self.trays)
        if self.dish is not None:
            pieces.append(Piece("dish", *self.dish[:2]))
        if self.bag is not None:
            pieces.append(Piece("bag", *self.bag))
        for number, part in boxes.items():
            x, y, z = self.boxes[number]
            # The hinge is on the far side, so that the eye looks in.
            hinge = (x, y + BOX_HALF, z + BOX_HEIGHT)
            pieces.append(Piece("box", x, y, z, math.pi))
            pieces.append(Piece("lid", *hinge, math.pi, LID_OPEN * part))
        return tuple(pieces)

    def inside(self, colours: Mapping[int, int]) -> tuple[Ball, ...]:
        """Return the marbles in the boxes: colour by number of the box."""
        return tuple(
            _marble((*self.boxes[number][:2], BOX_SEAT), colour, (0, number))
            for number, colour in colours.items()
        )


def _marble(at: Vector, colour: int, where: tuple[int, int]) -> Ball:
    tint, turn = look((where[0] + 16, where[1]))
    return Ball(*at, colour, LYING, tint=tint, turn=turn, into=colour)


def mixed(counts: Mapping[int, int], most: int) -> tuple[int, ...]:
    """Return up to ``most`` marbles of a heap of all colours: one of each colour first."""
    left = dict(counts)
    found: list[int] = []
    while len(found) < most and any(number > 0 for number in left.values()):
        for colour in sorted(left):
            if left[colour] > 0:
                found.append(colour)
                left[colour] -= 1
    return tuple(found[:most])


class _Block:
    """Trays side by side, or where room is short one behind the other, with their south-west corner at (0, 0)."""

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
                    # On the rim before the foremost.
                    self.rows[heap] = [(x, across[k]) for k in range(DEEP)], (x, 0.0)
            at += long + BETWEEN
        along = at - BETWEEN
        self.short = short
        self.size = (edge + PITCH * (SHORT - 1), along) if short else (along, edge + PITCH * (DEEP - 1))

    @property
    def wide(self) -> float:
        """The width with room for the numbers."""
        return self.size[0] + (NUMBER if self.short else 0.0)


@functools.lru_cache(maxsize=64)
def lay(plan: Plan) -> Table:
    """Return where everything of ``plan`` lies."""
    boards = layout(plan.sizes)
    wide = -boards.origins[0][0] + half_side(plan.sizes[0])
    deep = max(half_side(size) for size in plan.sizes)
    rows: dict[Heap, Row] = {}
    trays: list[Piece] = []
    around: list[tuple[Vector, ...]] = []
    short = bool(plan.west and plan.east) and max(len(plan.west), len(plan.east)) > 1

    def lies(block: _Block, side: int, foot: float) -> None:
        """Lays a block beside the boards, its southern end at ``foot``."""
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

    # In the west everything lies from the south corner on, in the east farther back: in the picture that is least wide.
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
    # What is spent lies where nothing stands before it: in the west after all else where no tray is, or in the east
    # from the south corner on.
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
    """A circle over the table."""
    x, y, _ = foot
    ways = [math.tau * i / 8 for i in range(8)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a), TABLE + high) for a in ways)


def _about(foot: Vector, half: float, high: float) -> tuple[Vector, ...]:
    x, y, _ = foot
    return _corners(x - half, x + half, y - half, y + half, high)
