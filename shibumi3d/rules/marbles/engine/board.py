"""Mutable numbers, and boards that update all their masks incrementally.

A :class:`Word` is a number that can change during a match. It is created once and referenced by everything that
reads or writes it. The module runs as plain Python and in four compiled variants. In the one for normal boards, ``M``
is a 64-bit integer and a set of points has at most 62 bits. In those for larger boards, it is a 128-bit integer (for
sets of at most 124 bits), a 192-bit integer (at most 186 bits) or a Python integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.pyramid import Pyramid

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

IS_COMPILED: Final = not __file__.endswith(".py")
"""Whether this module is compiled."""
USES_64_BIT_SETS: Final = IS_COMPILED and ".engine." in __name__
USES_128_BIT_SETS: Final = IS_COMPILED and ".engine_double." in __name__
USES_192_BIT_SETS: Final = IS_COMPILED and ".engine_triple." in __name__
WORD_BITS: Final = 62
"""Maximum number of points in a set that is stored in one machine word.

A 128-bit integer has room for twice as many, and a 192-bit integer for three times as many.
"""
LOW_WORD_MASK: Final = (1 << WORD_BITS) - 1


def count_bits(mask: M) -> M:
    """Return the number of points in a set.

    Code compiled for sets of a fixed size uses bit arithmetic; all other code uses ``int.bit_count``.
    """
    if USES_64_BIT_SETS:
        return count_word_bits(mask)
    if USES_128_BIT_SETS:
        return count_word_bits(mask & LOW_WORD_MASK) + count_word_bits(mask >> WORD_BITS)
    if USES_192_BIT_SETS:
        count: M = 0
        while mask:
            count += count_word_bits(mask & LOW_WORD_MASK)
            mask >>= WORD_BITS
        return count
    n: int = mask
    return n.bit_count()


def count_word_bits(word: M) -> M:
    """Return the number of points in a set that fits into one machine word.

    Only the lowest :data:`WORD_BITS` bits may be set.
    """
    x = word - (word >> 1 & 0x1555555555555555)
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    x += x >> 8
    x += x >> 16
    return (x + (x >> 32)) & 127


def highest_bit(mask: M) -> M:
    """Return the number of the highest bit in a mask, or -1 if the mask is empty."""
    # Reduce the set to one word first, since a larger number would become a Python object.
    if USES_128_BIT_SETS:
        high: int = mask >> WORD_BITS
        if high:
            return high.bit_length() + (WORD_BITS - 1)
    if USES_192_BIT_SETS:
        base: M = 0
        while mask > LOW_WORD_MASK:
            mask >>= WORD_BITS
            base += WORD_BITS
        word: int = mask
        return base + (word.bit_length() - 1)
    n: int = mask
    return n.bit_length() - 1


def nth_point(mask: M, n: M) -> M:
    """Return the point at index ``n`` of a set, counted from the lowest.

    The set must have more than ``n`` points.
    """
    base: M = 0
    if not USES_64_BIT_SETS:
        # Skip whole words first, because every operation on a larger number takes longer.
        while mask > LOW_WORD_MASK:
            count = count_bits(mask & LOW_WORD_MASK)
            if n < count:
                mask &= LOW_WORD_MASK
            else:
                n -= count
                mask >>= WORD_BITS
                base += WORD_BITS
    while n:
        mask &= mask - 1
        n -= 1
    return base + highest_bit(mask & -mask)


def table_index(bit: M) -> M:
    """Return the index of a point in tables made by :func:`points_by_table_index`.

    ``bit`` is the set that contains only this point. In code compiled for sets of limited size, this index is faster to
    compute than the number of the point.
    """
    base: M = 0
    if USES_128_BIT_SETS or USES_192_BIT_SETS:
        while bit > LOW_WORD_MASK:
            bit >>= WORD_BITS
            base += 64
    elif not USES_64_BIT_SETS:
        return highest_bit(bit)
    # The factor is a de Bruijn sequence: each power of two shifts a different six-bit pattern to bits 58 to 63.
    return base + (bit * 0x03F79D71B4CB0A89 >> 58 & 63)


def points_by_table_index(point_count: int) -> list[int]:
    """Return a table that holds each point's number at the point's :func:`table_index`.

    The table covers the first ``point_count`` points. Unused entries contain 0.
    """
    word_count = (point_count + WORD_BITS - 1) // WORD_BITS
    row = [0] * max(64 * word_count, 1)
    for point in range(point_count):
        row[table_index(1 << point)] = point
    return row


@final
class Word:
    """A mutable number, usually part of the state of a match."""

    def __init__(self, v: M) -> None:
        self.value: M = v
        self.salt: M = 0
        """Odd number by which ``value`` is multiplied in a key; see :func:`~.lookahead.mix_words`."""


@final
class ListWord:
    """A mutable list stored under a name.

    If its members are numbers or sets, they are in ``items``; if they are lists of sets, they are in ``lists``. The
    other attribute is empty.
    """

    def __init__(self) -> None:
        self.items: list[int] = []
        self.lists: list[list[int]] = []


@final
class CuttableContact:
    """A node in the linked list of contacts that a marble on a given point can cut together with another marble.

    The contact between ``a`` and ``b`` is cut if marbles fill both the given point and the point in the mask
    ``partner``. ``next`` is the next node, or None.
    """

    def __init__(self, partner: M, a: Cell, b: Cell, after: CuttableContact | None) -> None:
        self.partner: Final[M] = partner
        self.a: Final = a
        self.b: Final = b
        self.next: Final = after


@final
class Cell:
    """A point of a board: its geometry, and its contacts that are not currently cut."""

    def __init__(self, board: Board, pyramid: Pyramid, point: int) -> None:
        self.board: Final = board
        self.point: Final[M] = point
        self.bit: Final[M] = 1 << point
        self.points_above: Final[M] = pyramid.resting[point]
        self.supports: Final[M] = pyramid.supports[point]
        self.touching: Final[M] = pyramid.touching[point]
        self.uncut_contacts: M = pyramid.touching[point]
        self.hidden_below: M = 0
        if pyramid.point_below[point] >= 0:
            self.hidden_below = 1 << pyramid.point_below[point]
        above = pyramid.resting_points[point]
        bits = [*(1 << q for q in above), 0, 0, 0, 0]
        needs = [*(pyramid.supports[q] for q in above), -1, -1, -1, -1]
        self.above_a: Final[M] = bits[0]
        self.above_b: Final[M] = bits[1]
        self.above_c: Final[M] = bits[2]
        self.above_d: Final[M] = bits[3]
        self.supports_of_a: Final[M] = needs[0]
        self.supports_of_b: Final[M] = needs[1]
        self.supports_of_c: Final[M] = needs[2]
        self.supports_of_d: Final[M] = needs[3]
        """``above_a`` to ``above_d`` are the points that rest on this point; ``supports_of_a`` etc. are their supports.

        All are sets. If fewer than four points rest on this one, the remaining supports are -1, a set that is never
        filled. The fields are separate because a loop over them would take longer than the rest of :meth:`Board.put`.
        """
        self.first_cuttable: CuttableContact | None = None
        self.zobrist_keys: Final[list[Word]] = []
        """Zobrist keys of a marble on this point, by colour."""
        self.next_by_side: Final[list[Cell | None]] = []
        """For each side, the next point on the level for a marble that enters from there, or None at the edge."""


@final
class Board:
    """The marbles and the marks on one board.

    :meth:`put`, :meth:`remove` and :meth:`recolour` keep the masks consistent with each other. There is a mask of the
    marbles of each colour, and one each of the filled, playable and hidden points. The methods also update ``key``, the
    hash of the position, but don't change the marks.
    """

    def __init__(self, index: int, pyramid: Pyramid, colour_count: int, mark_count: int) -> None:
        self.index: Final[M] = index
        self.cells: Final[list[Cell]] = []
        self.cells_by_table_index: Final[list[Cell]] = []
        """The cell at each :func:`table_index`."""
        self.by_colour: Final[list[Word]] = [Word(0) for _ in range(colour_count)]
        self.first_colour: Final[Word] = self.by_colour[0]
        self.second_colour: Final[Word] = self.by_colour[1]
        self.third_colour: Final[Word] = self.by_colour[2]
        self.marks: Final[list[Word]] = [Word(0) for _ in range(mark_count)]
        self.all_points: Final[M] = pyramid.all_points
        self.upper_points: Final[M] = pyramid.all_points & ~pyramid.holes
        self.filled: M = 0
        self.playable: M = pyramid.holes
        self.hidden: M = 0
        self.key: M = 0
        self.tracks_contacts = True
        """Whether contacts are kept up to date; only visible connections depend on them."""
        self.turn_start_filled: Final[Word] = Word(0)
        self.turn_start_key: Final[Word] = Word(0)
        # Cells come last: if a reference to the board escapes before all its attributes are set, mypyc checks every
        # later access.
        for p in range(pyramid.point_count):
            self.cells.append(Cell(self, pyramid, p))
        for p in points_by_table_index(pyramid.point_count):
            self.cells_by_table_index.append(self.cells[p])
        for cell in self.cells:
            point: int = cell.point
            for colour in range(colour_count):
                cell.zobrist_keys.append(Word(zobrist_key(index, point, colour)))
            for side in range(4):
                q = pyramid.next_by_side[side][point]
                beyond: Cell | None = None
                if q >= 0:
                    beyond = self.cells[q]
                cell.next_by_side.append(beyond)
        for a, b, overpass in pyramid.contacts:
            for p in range(pyramid.point_count):
                if overpass >> p & 1:
                    cell = self.cells[p]
                    cell.first_cuttable = CuttableContact(
                        overpass & ~(1 << p), self.cells[a], self.cells[b], cell.first_cuttable
                    )

    def put(self, cell: Cell, colour: M) -> None:
        """Place a marble of the given colour on an empty point."""
        bit = cell.bit
        word = self.by_colour[colour]
        word.value |= bit
        filled = self.filled | bit
        self.filled = filled
        self.key ^= cell.zobrist_keys[colour].value
        playable = self.playable
        if filled & cell.supports_of_a == cell.supports_of_a:
            playable |= cell.above_a
        if filled & cell.supports_of_b == cell.supports_of_b:
            playable |= cell.above_b
        if filled & cell.supports_of_c == cell.supports_of_c:
            playable |= cell.above_c
        if filled & cell.supports_of_d == cell.supports_of_d:
            playable |= cell.above_d
        self.playable = playable & ~filled
        self.hidden |= cell.hidden_below
        if not self.tracks_contacts:
            return
        cut = cell.first_cuttable
        while cut is not None:
            if filled & cut.partner:
                a = cut.a
                b = cut.b
                a.uncut_contacts &= ~b.bit
                b.uncut_contacts &= ~a.bit
            cut = cut.next

    def remove(self, cell: Cell, colour: M) -> None:
        """Remove a marble of the given colour that supports no other.

        This is the inverse of :meth:`put`. If one of the marble's supports is missing, as can happen in a view, its
        point does not become playable.
        """
        bit = cell.bit
        word = self.by_colour[colour]
        word.value &= ~bit
        filled = self.filled & ~bit
        self.filled = filled
        self.key ^= cell.zobrist_keys[colour].value
        playable = (self.playable | bit) & ~cell.points_above
        if filled & cell.supports != cell.supports:
            playable &= ~bit
        self.playable = playable
        self.hidden &= ~cell.hidden_below
        if not self.tracks_contacts:
            return
        cut = cell.first_cuttable
        while cut is not None:
            if filled & cut.partner:
                a = cut.a
                b = cut.b
                a.uncut_contacts |= b.bit
                b.uncut_contacts |= a.bit
            cut = cut.next

    def recolour(self, cell: Cell, before: M, after: M) -> None:
        """Change the colour of the marble on a point from ``before`` to ``after``."""
        word = self.by_colour[before]
        word.value &= ~cell.bit
        word = self.by_colour[after]
        word.value |= cell.bit
        self.key ^= cell.zobrist_keys[before].value ^ cell.zobrist_keys[after].value

    def colour_at(self, bit: M) -> M:
        """Return the colour of the marble on a point.

        The point is given as a set. Raises RuleFailure if there is no marble on it.
        """
        if self.first_colour.value & bit:
            return 0
        if self.second_colour.value & bit:
            return 1
        if self.third_colour.value & bit:
            return 2
        raise RuleFailure("there is no marble there")

    def find_visible_group(self, start: M, among: M) -> M:
        """Return the group of a visible marble; only uncut contacts count.

        ``start`` is the set that contains only this marble. ``among`` contains the other visible marbles that may
        belong to the group.
        """
        todo = start
        group = start
        while todo:
            low = todo & -todo
            new = self.cells_by_table_index[table_index(low)].uncut_contacts & among
            among ^= new
            group |= new
            todo ^= low | new
        return group

    def find_full_group(self, start: M, among: M) -> M:
        """Return the group of a marble; hidden marbles and cut contacts count, too.

        ``start`` is the set that contains only this marble. ``among`` contains the other marbles that can belong to the
        group.
        """
        todo = start
        group = start
        while todo:
            low = todo & -todo
            new = self.cells_by_table_index[table_index(low)].touching & among
            among ^= new
            group |= new
            todo ^= low | new
        return group

    def find_pinned(self) -> M:
        """Return the marbles that support two or more marbles."""
        once: M = 0
        twice: M = 0
        left = self.filled & self.upper_points
        while left:
            low = left & -left
            supports = self.cells_by_table_index[table_index(low)].supports
            twice |= once & supports
            once |= supports
            left ^= low
        return twice

    def supports_of(self, points: M) -> M:
        """Return the supports of some points, whether or not these points are filled."""
        result: M = 0
        left = points & self.upper_points
        while left:
            low = left & -left
            result |= self.cells_by_table_index[table_index(low)].supports
            left ^= low
        return result


def zobrist_key(board: int, point: int, colour: int) -> int:
    """Return the 61-bit Zobrist key (Zobrist 1970) for a marble of the given colour on a point of a board.

    It is computed rather than drawn at random, so it is the same on every machine.
    """
    x = (board * 1_000_003 + point * 31 + colour + 1) * 0x9E3779B97F4A7C15
    mask = (1 << 64) - 1
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):
        x = (x ^ x >> 30) * factor & mask
    return (x ^ x >> 31) >> 3 & ((1 << 61) - 1)


def mix_hash(key: M, value: M) -> M:
    """Return a hash of ``key`` and ``value``, below 2**61.

    No intermediate value overflows a signed 64-bit integer, so compiled code and plain Python give the same result.
    """
    while value > 0x1FFFFFFFFFFFFFFF:
        key = mix_hash(key, value & 0x1FFFFFFFFFFFFFFF)
        value >>= 61
    x = (key ^ value) & 0x1FFFFFFFFFFFFFFF
    low = x & 0x3FFFFFFF
    high = x >> 30
    first = low * 1664525751 + high
    second = high * 1013904243 + low
    return first ^ (second & 0xFFFFFFFFFFF) << 17 ^ second >> 29


def hash_cells(board: int, cells: tuple[int, ...]) -> int:
    """Return the hash of the marbles on board number ``board``; ``cells`` has one mask for each colour."""
    key = 0
    for colour, mask in enumerate(cells):
        point = 0
        while mask:
            if mask & 1:
                key ^= zobrist_key(board, point, colour)
            mask >>= 1
            point += 1
    return key
