"""Nodes for points, groups, colours, seats and stocks, and for contact, support, visibility and ownership."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import UnknownOutcomeError
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.engine.board import (
    Word,
    count_bits,
    highest_bit,
    points_by_table_index,
    table_index,
)
from shibumi3d.rules.marbles.engine.machine import Machine, Node
from shibumi3d.rules.marbles.engine.nodes.values import ListNode, WordListNode, word_behind
from shibumi3d.rules.marbles.pyramid import Pyramid

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


PATH_STEP_WORK: Final = 80
"""Work charged for each step of the search for the longest path."""


@final
class SetSize(Node):
    """The number of points, colours or seats in a set."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        return count_bits(self.a.eval(m))


@final
class FewerThan(Node):
    """``count(a) < limit`` for a set ``a`` and a ``limit`` of at least 1.

    The members are counted one by one, and counting stops at ``limit``.
    """

    def __init__(self, a: Node, limit: int) -> None:
        self.a: Final = a
        self.limit: Final[M] = limit

    def eval(self, m: Machine) -> M:
        left = self.a.eval(m)
        most = self.limit
        while left:
            most -= 1
            if not most:
                return 0
            left &= left - 1
        return 1


@final
class FewerRelated(Node):
    """``count(relation(p) & marbles) < limit`` for a variable ``p`` and a ``limit`` from 1 to 4.

    The node is meant for loops over points: all points related to at least ``limit`` of the marbles are found together,
    and cached as long as the marbles stay the same. If ``p`` is a set of several points, the marbles related to any of
    them are counted. ``table`` is the table of the relation, and ``inverse`` that of the inverse relation.
    """

    def __init__(self, table: list[int], inverse: list[int], point: Word, marbles: Node, limit: int) -> None:
        order = points_by_table_index(len(table))
        self.words: Final = [Word(table[p]) for p in order]
        self.inverse_words: Final = [Word(inverse[p]) for p in order]
        self.point: Final = point
        self.marbles: Final = marbles
        self.limit: Final[M] = limit
        self.known_marbles: M = 0
        self.crowded_points: M = 0
        """Points related to at least ``limit`` of the ``known_marbles``."""

    def eval(self, m: Machine) -> M:
        points = self.point.value
        marbles = self.marbles.eval(m)
        if points & (points - 1):
            return self.is_below_limit(points, marbles)
        if points & self.find_crowded_points(m, marbles):
            return 0
        return 1

    def is_below_limit(self, points: M, marbles: M) -> M:
        """Return whether fewer than ``limit`` of the ``marbles`` are related to any of the ``points``."""
        related: M = 0
        while points:
            low = points & -points
            related |= self.words[table_index(low)].value
            points ^= low
        if count_bits(related & marbles) < self.limit:
            return 1
        return 0

    def find_crowded_points(self, m: Machine, marbles: M) -> M:
        """Return the points related to at least ``limit`` of the ``marbles``."""
        if marbles == self.known_marbles:
            return self.crowded_points
        left = marbles
        most = self.limit
        spent: M = 0
        one: M = 0
        two: M = 0
        three: M = 0
        four: M = 0
        while left:
            low = left & -left
            left ^= low
            near = self.inverse_words[table_index(low)].value
            four |= three & near
            three |= two & near
            two |= one & near
            one |= near
            spent += 3
        m.work_left -= spent
        self.known_marbles = marbles
        if most == 1:
            self.crowded_points = one
        elif most == 2:
            self.crowded_points = two
        elif most == 3:
            self.crowded_points = three
        else:
            self.crowded_points = four
        return self.crowded_points


@final
class CrowdedPoints(Node):
    """The points for which ``test``, a :class:`FewerRelated`, is false.

    They are the points related to at least ``test.limit`` of ``test.marbles``.
    """

    def __init__(self, test: FewerRelated) -> None:
        self.test: Final = test

    def eval(self, m: Machine) -> M:
        return self.test.find_crowded_points(m, self.test.marbles.eval(m))


@final
class RelatedPoints(Node):
    """All points that are related to any point in a set.

    The relation is given by one of the pyramid's tables: ``touching``, ``diagonal``, ``supports`` or ``resting``.
    """

    def __init__(self, table: list[int], a: Node) -> None:
        self.words: Final = [Word(table[p]) for p in points_by_table_index(len(table))]
        self.a: Final = a
        self.word: Final = word_behind(a)

    def eval(self, m: Machine) -> M:
        points = self.a.eval(m) if self.word is None else self.word.value
        if points & (points - 1):
            return self.union_of_entries(m, points)
        if points:
            return self.words[table_index(points)].value
        return 0

    def union_of_entries(self, m: Machine, points: M) -> M:
        """Return the union of the table's entries for all ``points``."""
        result: M = 0
        spent: M = 0
        while points:
            low = points & -points
            result |= self.words[table_index(low)].value
            points ^= low
            spent += 3
        m.work_left -= spent
        return result


@final
class CachedByBoard(Node):
    """A value that depends only on the current board, cached until a board changes or another becomes current."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a
        self.version: M = -1
        self.value: M = 0

    def eval(self, m: Machine) -> M:
        if self.version != m.board_version:
            self.value = self.a.eval(m)
            self.version = m.board_version
        return self.value


@final
class LevelOf(Node):
    """The level of the highest point in a set, counted from 0; -1 for the empty set."""

    def __init__(self, pyramid: Pyramid, a: Node) -> None:
        self.levels: Final = [Word(level) for level in pyramid.level]
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        point = highest_bit(self.a.eval(m))
        if point < 0:
            return -1
        return self.levels[point].value


@final
class HalfStepDistance(Node):
    """The Manhattan distance, seen from above, between the highest points of two sets.

    The unit is half the distance between adjacent holes. If several points of a set are on its highest level, the one
    with the highest number counts. The distance is 0 if either set is empty.
    """

    def __init__(self, pyramid: Pyramid, a: Node, b: Node) -> None:
        self.pyramid: Final = pyramid
        self.a: Final = a
        self.b: Final = b

    def eval(self, m: Machine) -> M:
        a: int = highest_bit(self.a.eval(m))
        b: int = highest_bit(self.b.eval(m))
        if a < 0 or b < 0:
            return 0
        return self.pyramid.half_step_distance(a, b)


@final
class ShapeCopies(ListNode):
    """All copies of a shape that fit on the pyramid.

    They include copies that are rotated about the vertical, mirrored or turned upside down.
    """

    def __init__(self, pyramid: Pyramid, a: Node) -> None:
        super().__init__()
        self.pyramid: Final = pyramid
        self.a: Final = a

    def items(self, m: Machine) -> list[int]:
        shape: int = self.a.eval(m)
        m.spend_work(2 * self.pyramid.point_count * shape.bit_count())
        return list(self.pyramid.placements(shape))


@final
class VisiblyLinked(Node):
    """The visible marbles of any colour that have an uncut contact with a visible marble in a set."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        board = m.board
        visible = board.filled & ~board.hidden
        linked: M = 0
        left = self.a.eval(m) & visible
        m.spend_work(4 * count_bits(left))
        cells = board.cells
        while left:
            low = left & -left
            n: int = low
            linked |= cells[n.bit_length() - 1].uncut_contacts
            left ^= low
        return linked & visible


@final
class IsFullyVisible(Node):
    """Whether all points in a set are filled and visible, with no cut contact between them.

    This is true for the empty set.
    """

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        board = m.board
        points = self.a.eval(m)
        if points & ~(board.filled & ~board.hidden):
            return 0
        cells = board.cells
        left = points
        m.spend_work(4 * count_bits(left))
        while left:
            low = left & -left
            n: int = low
            cell = cells[n.bit_length() - 1]
            if cell.touching & points & ~cell.uncut_contacts:
                return 0
            left ^= low
        return 1


@final
class LongestPath(Node):
    """The number of marbles in the longest chain of visibly connected marbles of one colour within a set.

    A chain contains each marble at most once.
    """

    def __init__(self, pyramid: Pyramid, a: Node) -> None:
        self.pyramid: Final = pyramid
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        board = m.board
        points: int = self.a.eval(m)
        filled: int = board.filled
        best = 0

        def step() -> None:
            m.spend_work(PATH_STEP_WORK)

        for word in board.by_colour:
            cells: int = word.value
            if points & cells:
                m.spend_work(6 * count_bits(points))
                best = max(best, position.longest_path_length(self.pyramid, filled, points & cells, step))
        return best


@final
class Groups(Node):
    """The groups of visibly connected marbles of each colour in a set.

    They are sorted by colour, then by lowest point number.
    """

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def start_iteration(self, m: Machine) -> M:
        board = m.board
        points = self.a.eval(m) & board.filled & ~board.hidden
        m.spend_work(6 * count_bits(points))
        return points

    def next_member(self, m: Machine, at: M) -> M:
        board = m.board
        words = board.by_colour
        among = at & words[0].value
        if not among:
            among = at & words[1].value
            if not among:
                among = at & words[2].value
        low = among & -among
        visible_group = board.find_visible_group(low, among ^ low)
        m.member = visible_group
        return at & ~visible_group


@final
class OneColourGroups(Node):
    """The groups of visibly connected marbles in a set of marbles of a single colour."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def start_iteration(self, m: Machine) -> M:
        points = self.a.eval(m) & ~m.board.hidden
        m.spend_work(6 * count_bits(points))
        return points

    def next_member(self, m: Machine, at: M) -> M:
        low = at & -at
        visible_group = m.board.find_visible_group(low, at ^ low)
        m.member = visible_group
        return at & ~visible_group


@final
class OneColourGroupsMeeting(Node):
    """Like :class:`OneColourGroups`, but only the groups that intersect the set ``seeds``."""

    def __init__(self, a: Node, seeds: Node) -> None:
        self.a: Final = a
        self.seeds: Final = seeds
        self.all_marbles: M = 0

    def start_iteration(self, m: Machine) -> M:
        visible = self.a.eval(m) & ~m.board.hidden
        self.all_marbles = visible
        if visible:
            m.spend_work(6 * count_bits(visible))
            return visible & self.seeds.eval(m)
        return 0

    def next_member(self, m: Machine, at: M) -> M:
        low = at & -at
        visible_group = m.board.find_visible_group(low, self.all_marbles ^ low)
        m.member = visible_group
        return at & ~visible_group


@final
class FullGroups(Node):
    """The groups of connected marbles of the same colour in a set.

    Hidden marbles and cut contacts count, too.
    """

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def start_iteration(self, m: Machine) -> M:
        points = self.a.eval(m) & m.board.filled
        m.spend_work(6 * count_bits(points))
        return points

    def next_member(self, m: Machine, at: M) -> M:
        board = m.board
        words = board.by_colour
        among = at & words[0].value
        if not among:
            among = at & words[1].value
            if not among:
                among = at & words[2].value
        low = among & -among
        full_group = board.find_full_group(low, among ^ low)
        m.member = full_group
        return at & ~full_group


# ---------------------------------------------------------------- colours


@final
class ColoursOfMarbles(Node):
    """The colours of the marbles in a set."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        points = self.a.eval(m)
        result: M = 0
        if points & m.board.first_colour.value:
            result |= 1
        if points & m.board.second_colour.value:
            result |= 2
        if points & m.board.third_colour.value:
            result |= 4
        return result


@final
class SameColourAs(Node):
    """All marbles on the board whose colour occurs in a set of marbles."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a
        self.word: Final = word_behind(a)

    def eval(self, m: Machine) -> M:
        points = self.a.eval(m) if self.word is None else self.word.value
        if points & (points - 1):
            return self.union_of_colours(m, points)
        marbles = m.board.first_colour.value
        if points & marbles:
            return marbles
        marbles = m.board.second_colour.value
        if points & marbles:
            return marbles
        marbles = m.board.third_colour.value
        if points & marbles:
            return marbles
        return 0

    def union_of_colours(self, m: Machine, points: M) -> M:
        """Return all marbles whose colour occurs on any of the ``points``."""
        result: M = 0
        for word in m.board.by_colour:
            if points & word.value:
                result |= word.value
        return result


@final
class ColoursInStock(Node):
    """The colours of the marbles in a stock; marbles of unknown colour don't count."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        result: M = 0
        bit: M = 1
        at = self.a.start_iteration(m)
        while at:
            at = self.a.next_member(m, at)
            if m.member > 0 and bit < 8:
                result |= bit
            bit <<= 1
        return result


@final
class ExtremeColours(Node):
    """The most or least frequent colours in a set of marbles or in a stock.

    If ``finds_most`` is set, these are the most frequent colours; otherwise, they are the least frequent ones, which
    may be colours that don't occur at all. Marbles of unknown colour don't count. If no marbles count, no colour is the
    most frequent, and all colours are the least frequent. If ``is_stock`` is set and ``a`` yields no stock, the result
    is empty.
    """

    def __init__(self, a: Node, is_stock: bool, finds_most: bool) -> None:
        self.a: Final = a
        self.is_stock: Final = is_stock
        self.finds_most: Final = finds_most

    def eval(self, m: Machine) -> M:
        numbers: list[int] = []
        if self.is_stock:
            numbers = self.a.items(m)[:3]
            if not numbers:
                return 0
        else:
            points = self.a.eval(m)
            for word in m.board.by_colour:
                numbers.append(count_bits(word.value & points))
        best = numbers[0]
        for number in numbers:
            if (number > best) if self.finds_most else (number < best):
                best = number
        if self.finds_most and best == 0:
            return 0
        result: M = 0
        bit: M = 1
        for number in numbers:
            if number == best:
                result |= bit
            bit <<= 1
        return result


# ---------------------------------------------------------------- seats, stocks, boards


@final
class OwnershipMap(Node):
    """The colours owned by the given seats if ``seats_to_colours`` is set, else the owners of the given colours.

    ``owned_by_seat`` holds one set of colours for each seat: those that the seat owns.
    """

    def __init__(self, owned: list[int], a: Node, forward: bool) -> None:
        self.owned_by_seat: Final = [Word(colours) for colours in owned]
        self.a: Final = a
        self.seats_to_colours: Final = forward

    def eval(self, m: Machine) -> M:
        given = self.a.eval(m)
        result: M = 0
        bit: M = 1
        for word in self.owned_by_seat:
            if self.seats_to_colours:
                if given & bit:
                    result |= word.value
            elif given & word.value:
                result |= bit
            bit <<= 1
        return result


@final
class SeatByNumber(Node):
    """``seat(n)``: the n-th seat, counted from 1; the empty set if there is none."""

    def __init__(self, seat_number: Node, seats: int) -> None:
        self.number: Final = seat_number
        self.seats: Final[M] = seats

    def eval(self, m: Machine) -> M:
        n = self.number.eval(m)
        if n < 1 or n > self.seats:
            return 0
        return 1 << n - 1


@final
class AdjacentSeats(Node):
    """For each seat in a set, the next seat in turn order if ``step`` is positive, else the previous one."""

    def __init__(self, a: Node, seats: int, step: int) -> None:
        self.a: Final = a
        self.forward: Final = step > 0
        self.last_seat: Final[M] = 1 << seats - 1

    def eval(self, m: Machine) -> M:
        given = self.a.eval(m)
        last = self.last_seat
        if self.forward:
            result = (given & ~last) << 1
            if given & last:
                result |= 1
            return result
        result = given >> 1
        if given & 1:
            result |= last
        return result


@final
class StockContents(WordListNode):
    """The contents of a stock: a count for each colour, then one for marbles of unknown colour.

    ``base`` is the index of the stock, or of the first seat's stock if each seat has one. If ``seat`` yields no seat,
    the contents are empty. Iteration raises UnknownOutcomeError if the stock is hidden in a preview.
    """

    def __init__(self, base: int, seat: Node | None, seats: int) -> None:
        super().__init__()
        self.base: Final[M] = base
        self.seat: Final = seat
        self.seats: Final[M] = seats

    def stock_index(self, m: Machine) -> M:
        seat = self.seat
        if seat is None:
            return self.base
        at = highest_bit(seat.eval(m))
        if at < 0:
            return -1
        return self.base + at

    def start_iteration(self, m: Machine) -> M:
        at = self.stock_index(m)
        if at < 0:
            return 0
        if m.is_previewing and m.hidden_stocks >> at & 1:
            raise UnknownOutcomeError
        return self.iterate_over(m.stocks[at])


@final
class BoardOfSeat(Node):
    """The index of a seat's board, or 0 if ``seat`` yields no seat.

    This node is used only in games in which each seat has a board.
    """

    def __init__(self, seat: Node) -> None:
        self.seat: Final = seat

    def eval(self, m: Machine) -> M:
        at = highest_bit(self.seat.eval(m))
        if at < 0:
            return 0
        return at


@final
class OnBoard(ListNode):
    """``on(board, x)``: the value of x, evaluated on the given board."""

    def __init__(self, board: Node, x: Node) -> None:
        super().__init__()
        self.board_index: Final = board
        self.inner: Final = x

    def switch_board(self, m: Machine) -> None:
        """Make the board given by ``board_index`` the current one.

        Raises UnknownOutcomeError if that board is hidden in a preview.
        """
        at = self.board_index.eval(m)
        if m.is_previewing and m.hidden_boards >> at & 1:
            raise UnknownOutcomeError
        m.board = m.boards[at]
        m.board_version += 1

    def eval(self, m: Machine) -> M:
        before = m.board
        self.switch_board(m)
        value = self.inner.eval(m)
        m.board = before
        m.board_version += 1
        return value

    def items(self, m: Machine) -> list[int]:
        before = m.board
        self.switch_board(m)
        value = self.inner.items(m)
        m.board = before
        m.board_version += 1
        return value
