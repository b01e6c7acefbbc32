"""Boxes of numbers, and boards that keep all their masks in step.

Every number that changes is a box (:class:`Word`) made once, and whatever reads or writes it holds the box itself. The
same files run as plain Python and compiled: ``M`` is then an integer of 64 bits, and a set of points fits into 62.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.pyramid import Pyramid

if TYPE_CHECKING:
    from mypy_extensions import i64 as Half
    from mypy_extensions import i64 as M

NATIVE: Final = not __file__.endswith(".py")
"""Whether this file runs compiled."""
WIDE: Final = "engine_wide" in __name__
"""Whether this is the twin for boards whose sets need more than 62 bits."""
BY_SUMS: Final = NATIVE and not WIDE
HALF: Final = 62
LOW: Final = (1 << HALF) - 1
"""A set of a wide board of at most twice so many points is gone through in two halves, each a machine word: whatever
is done with an integer of more bits makes a new object."""


def count(mask: M) -> M:
    """Return how many points a set holds: by arithmetic where that is compiled, else by Python's own method."""
    if BY_SUMS:
        x = mask - (mask >> 1 & 0x1555555555555555)
        x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
        x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
        x += x >> 8
        x += x >> 16
        return (x + (x >> 32)) & 127
    n: int = mask
    return n.bit_count()


def top(mask: M) -> M:
    """Return the number of the highest point of a set; -1 for none."""
    n: int = mask
    return n.bit_length() - 1


def slot(bit: M) -> M:
    """Return where a row by :func:`slots` holds what belongs to a point, given as a set: found sooner than its
    number."""
    if BY_SUMS:
        # Each power of two moves other six bits of this number to where they are read.
        return bit * 0x03F79D71B4CB0A89 >> 58 & 63
    return top(bit)


def slots(count: int) -> list[int]:
    """Return, by :func:`slot`, the points up to ``count`` of a board: 0 where there is none."""
    row = [0] * max(64, count)
    for point in range(count):
        row[slot(1 << point)] = point
    return row


def lowest(half: Half) -> int:
    """Return the number of the first point of a half that holds one."""
    n: int = half & -half
    return n.bit_length() - 1


def whole(low: Half, high: Half) -> M:
    """Return the set of two halves."""
    # As numbers of any size, which a half is not.
    below: M = low
    above: M = high
    return above << HALF | below


@final
class Word:
    """One number of the match."""

    def __init__(self, v: M) -> None:
        self.v: M = v
        self.salt: M = 0
        """By what it counts in a key; see :func:`~.lookahead.stirred`."""


@final
class Box:
    """A list that a name holds: numbers or sets, or lists of them."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.lists: list[list[int]] = []


@final
class Cut:
    """With ``partner`` filled too, a marble here cuts the contact of ``a`` and ``b`` below."""

    def __init__(self, partner: M, a: Cell, b: Cell, after: Cut | None) -> None:
        self.partner: Final[M] = partner
        self.a: Final = a
        self.b: Final = b
        self.after: Final = after


@final
class Cell:
    """One point of one board: its tables, and its contacts that are not cut now."""

    def __init__(self, board: Board, pyramid: Pyramid, point: int) -> None:
        self.board: Final = board
        self.point: Final[M] = point
        self.bit: Final[M] = 1 << point
        self.resting: Final[M] = pyramid.resting[point]
        self.supports: Final[M] = pyramid.supports[point]
        self.touching: Final[M] = pyramid.touching[point]
        self.contacts: M = pyramid.touching[point]
        self.under: M = 0
        if pyramid.under[point] >= 0:
            self.under = 1 << pyramid.under[point]
        above = pyramid.resting_on[point]
        bits = [*(1 << q for q in above), 0, 0, 0, 0]
        needs = [*(pyramid.supports[q] for q in above), -1, -1, -1, -1]
        self.above_a: Final[M] = bits[0]
        self.above_b: Final[M] = bits[1]
        self.above_c: Final[M] = bits[2]
        self.above_d: Final[M] = bits[3]
        self.needs_a: Final[M] = needs[0]
        self.needs_b: Final[M] = needs[1]
        self.needs_c: Final[M] = needs[2]
        self.needs_d: Final[M] = needs[3]
        """The up to four points above that a marble here helps to carry, and what each needs; where there are fewer,
        what is never met. One by one, since a loop through them takes longer than all else that putting a marble
        does."""
        self.cuts: Cut | None = None
        self.keys: Final[list[Word]] = []
        """A number a colour: what a marble here adds to the board's key."""
        self.low_contacts: Half = 0
        self.high_contacts: Half = 0
        self.low_touching: Half = 0
        self.high_touching: Half = 0
        self.low_supports: Half = 0
        self.high_supports: Half = 0
        """Where boards are gone through in halves, those of the tables above."""
        self.onward: Final[list[Cell | None]] = []
        """By side: the next point of the level for a marble that comes from there."""


@final
class Board:
    """What stands on one board. All its masks always agree with each other."""

    def __init__(self, index: int, pyramid: Pyramid, colours: int, marks: int) -> None:
        self.index: Final[M] = index
        self.cells: Final[list[Cell]] = []
        self.at_slot: Final[list[Cell]] = []
        """The cells by :func:`slot`."""
        self.by_colour: Final[list[Word]] = [Word(0) for _ in range(colours)]
        self.first: Final[Word] = self.by_colour[0]
        self.second: Final[Word] = self.by_colour[1]
        self.third: Final[Word] = self.by_colour[2]
        self.marks: Final[list[Word]] = [Word(0) for _ in range(marks)]
        self.all: Final[M] = pyramid.all
        self.upper: Final[M] = pyramid.all & ~pyramid.holes
        self.filled: M = 0
        self.playable: M = pyramid.holes
        self.hidden: M = 0
        self.key: M = 0
        self.halves = False
        """Sets are gone through in halves."""
        self.connected = True
        """Contacts are kept up: something asks for visible connections."""
        self.began_filled: Final[Word] = Word(0)
        self.began_key: Final[Word] = Word(0)
        # Only now: nobody may know a board that has not all its attributes, or each is looked for before it is read.
        for p in range(pyramid.count):
            self.cells.append(Cell(self, pyramid, p))
        for p in slots(pyramid.count):
            self.at_slot.append(self.cells[p])
        for cell in self.cells:
            point: int = cell.point
            for colour in range(colours):
                cell.keys.append(Word(marble_key(index, point, colour)))
            for side in range(4):
                q = pyramid.onward[side][point]
                beyond: Cell | None = None
                if q >= 0:
                    beyond = self.cells[q]
                cell.onward.append(beyond)
        for a, b, overpass in pyramid.contacts:
            for p in range(pyramid.count):
                if overpass >> p & 1:
                    cell = self.cells[p]
                    cell.cuts = Cut(overpass & ~(1 << p), self.cells[a], self.cells[b], cell.cuts)
        if NATIVE and WIDE and HALF < pyramid.count <= 2 * HALF:
            self.halve()

    def halve(self) -> None:
        """Go through sets in halves from now on."""
        self.halves = True
        for cell in self.cells:
            cell.low_touching = cell.touching & LOW
            cell.high_touching = cell.touching >> HALF
            cell.low_supports = cell.supports & LOW
            cell.high_supports = cell.supports >> HALF
            self.connect(cell, cell.contacts)

    def put(self, cell: Cell, colour: M) -> None:
        """Set a marble on an empty point."""
        bit = cell.bit
        word = self.by_colour[colour]
        word.v |= bit
        filled = self.filled | bit
        self.filled = filled
        self.key ^= cell.keys[colour].v
        playable = self.playable
        if filled & cell.needs_a == cell.needs_a:
            playable |= cell.above_a
        if filled & cell.needs_b == cell.needs_b:
            playable |= cell.above_b
        if filled & cell.needs_c == cell.needs_c:
            playable |= cell.above_c
        if filled & cell.needs_d == cell.needs_d:
            playable |= cell.above_d
        self.playable = playable & ~filled
        self.hidden |= cell.under
        if not self.connected:
            return
        cut = cell.cuts
        while cut is not None:
            if filled & cut.partner:
                a = cut.a
                b = cut.b
                self.connect(a, a.contacts & ~b.bit)
                self.connect(b, b.contacts & ~a.bit)
            cut = cut.after

    def lift(self, cell: Cell, colour: M) -> None:
        """Take a marble off on which nothing rests: what :meth:`put` did, taken back.

        On a board of which little is known, one may have been put where nothing is known to carry it.
        """
        bit = cell.bit
        word = self.by_colour[colour]
        word.v &= ~bit
        filled = self.filled & ~bit
        self.filled = filled
        self.key ^= cell.keys[colour].v
        playable = (self.playable | bit) & ~cell.resting
        if filled & cell.supports != cell.supports:
            playable &= ~bit
        self.playable = playable
        self.hidden &= ~cell.under
        if not self.connected:
            return
        cut = cell.cuts
        while cut is not None:
            if filled & cut.partner:
                a = cut.a
                b = cut.b
                self.connect(a, a.contacts | b.bit)
                self.connect(b, b.contacts | a.bit)
            cut = cut.after

    def connect(self, cell: Cell, contacts: M) -> None:
        """Let these be the contacts of a point that are not cut; all that keeps them is kept in step."""
        cell.contacts = contacts
        if self.halves:
            cell.low_contacts = contacts & LOW
            cell.high_contacts = contacts >> HALF

    def paint(self, cell: Cell, before: M, after: M) -> None:
        """Exchange the marble on a point for one of another colour."""
        word = self.by_colour[before]
        word.v &= ~cell.bit
        word = self.by_colour[after]
        word.v |= cell.bit
        self.key ^= cell.keys[before].v ^ cell.keys[after].v

    def colour_at(self, bit: M) -> M:
        """Return the colour of the marble on a filled point. Raises RuleFailure where there is none."""
        if self.first.v & bit:
            return 0
        if self.second.v & bit:
            return 1
        if self.third.v & bit:
            return 2
        raise RuleFailure("there is no marble there")

    def group(self, start: M, among: M) -> M:
        """Return the group of one visible marble: ``among`` are the visible marbles it may hold, without it."""
        if self.halves:
            return self._flood(start, among, True)
        todo = start
        group = start
        while todo:
            low = todo & -todo
            new = self.at_slot[slot(low)].contacts & among
            among ^= new
            group |= new
            todo ^= low | new
        return group

    def full_group(self, start: M, among: M) -> M:
        """Return the group of one marble by touching alone: ``among`` are the marbles it may hold, without it."""
        if self.halves:
            return self._flood(start, among, False)
        todo = start
        group = start
        while todo:
            low = todo & -todo
            new = self.at_slot[slot(low)].touching & among
            among ^= new
            group |= new
            todo ^= low | new
        return group

    def _flood(self, start: M, among: M, visibly: bool) -> M:
        """Return what :meth:`group` (``visibly``) or :meth:`full_group` returns, found in halves."""
        cells = self.cells
        low_left: Half = among & LOW
        high_left: Half = among >> HALF
        low_todo: Half = start & LOW
        high_todo: Half = start >> HALF
        low_group = low_todo
        high_group = high_todo
        while low_todo or high_todo:
            if low_todo:
                cell = cells[lowest(low_todo)]
                low_todo &= low_todo - 1
            else:
                cell = cells[HALF + lowest(high_todo)]
                high_todo &= high_todo - 1
            if visibly:
                low_new = cell.low_contacts & low_left
                high_new = cell.high_contacts & high_left
            else:
                low_new = cell.low_touching & low_left
                high_new = cell.high_touching & high_left
            low_left ^= low_new
            high_left ^= high_new
            low_group |= low_new
            high_group |= high_new
            low_todo |= low_new
            high_todo |= high_new
        return whole(low_group, high_group)

    def _supports(self, points: M, twice: bool) -> M:
        """Return what some points rest on, or what two of them do (``twice``), found in halves."""
        cells = self.cells
        low_left: Half = points & LOW
        high_left: Half = points >> HALF
        low_once: Half = 0
        high_once: Half = 0
        low_twice: Half = 0
        high_twice: Half = 0
        while low_left or high_left:
            if low_left:
                cell = cells[lowest(low_left)]
                low_left &= low_left - 1
            else:
                cell = cells[HALF + lowest(high_left)]
                high_left &= high_left - 1
            low_twice |= low_once & cell.low_supports
            high_twice |= high_once & cell.high_supports
            low_once |= cell.low_supports
            high_once |= cell.high_supports
        if twice:
            return whole(low_twice, high_twice)
        return whole(low_once, high_once)

    def pinned(self) -> M:
        """Return the marbles that support two or more marbles."""
        if self.halves:
            return self._supports(self.filled & self.upper, True)
        once: M = 0
        twice: M = 0
        left = self.filled & self.upper
        while left:
            low = left & -left
            supports = self.at_slot[slot(low)].supports
            twice |= once & supports
            once |= supports
            left ^= low
        return twice

    def carrying(self, points: M) -> M:
        """Return the points on which what lies at some points rests, or would."""
        if self.halves:
            return self._supports(points & self.upper, False)
        found: M = 0
        left = points & self.upper
        while left:
            low = left & -left
            found |= self.at_slot[slot(low)].supports
            left ^= low
        return found


def marble_key(board: int, point: int, colour: int) -> int:
    """Return a number of 61 bits for a marble of a colour on a point, the same on every machine."""
    x = (board * 1_000_003 + point * 31 + colour + 1) * 0x9E3779B97F4A7C15
    mask = (1 << 64) - 1
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        x = (x ^ x >> 30) * factor & mask
    return (x ^ x >> 31) >> 3 & ((1 << 61) - 1)


def mixed(key: M, value: M) -> M:
    """Return ``key`` with a number mixed in; it stays below 2**61, so that both modes agree."""
    while value > 0x1FFFFFFFFFFFFFFF:
        key = mixed(key, value & 0x1FFFFFFFFFFFFFFF)
        value >>= 61
    x = (key ^ value) & 0x1FFFFFFFFFFFFFFF
    low = x & 0x3FFFFFFF
    high = x >> 30
    first = low * 1664525751 + high
    second = high * 1013904243 + low
    return first ^ (second & 0xFFFFFFFFFFF) << 17 ^ second >> 29


def key_of_cells(board: int, cells: tuple[int, ...]) -> int:
    """Return the key of a board on which this stands, one mask a colour."""
    key = 0
    for colour, mask in enumerate(cells):
        point = 0
        while mask:
            if mask & 1:
                key ^= marble_key(board, point, colour)
            mask >>= 1
            point += 1
    return key
