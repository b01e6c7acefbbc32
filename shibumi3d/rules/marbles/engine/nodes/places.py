"""Points, groups, colours, seats and stocks: contact, support, visibility and ownership."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import Unforeseen
from shibumi3d.rules.marbles import position
from shibumi3d.rules.marbles.engine.board import Word, count, slot, slots, top
from shibumi3d.rules.marbles.engine.nodes.values import Boxed, Listed, word_of
from shibumi3d.rules.marbles.engine.workspace import Machine, Node
from shibumi3d.rules.marbles.pyramid import Pyramid

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

PATH_COST: Final = 80
"""Work charged for each step of the search for the longest path."""


@final
class Count(Node):
    """The number of points, colours or seats in a set."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        return count(self.a.eval(m))


@final
class Fewer(Node):
    """``count(a) < most`` for a small ``most`` of at least 1.

    Points are removed from the set one by one, at most ``most`` of them.
    """

    def __init__(self, a: Node, most: int) -> None:
        self.a: Final = a
        self.most: Final[M] = most

    def eval(self, m: Machine) -> M:
        left = self.a.eval(m)
        most = self.most
        while left:
            most -= 1
            if not most:
                return 0
            left &= left - 1
        return 1


@final
class Relation(Node):
    """The union of the entries of a geometry table for the points in a set.

    The tables are ``touching``, ``diagonal``, ``supports`` and ``resting`` of the pyramid.
    """

    def __init__(self, table: list[int], a: Node) -> None:
        self.words: Final = [Word(table[p]) for p in slots(len(table))]
        self.a: Final = a
        self.word: Final = word_of(a)

    def eval(self, m: Machine) -> M:
        points = self.a.eval(m) if self.word is None else self.word.v
        if points & (points - 1):
            return self.of_all(m, points)
        if points:
            return self.words[slot(points)].v
        return 0

    def of_all(self, m: Machine, points: M) -> M:
        """Return the union of the entries for several points."""
        found: M = 0
        spent: M = 0
        while points:
            low = points & -points
            found |= self.words[slot(low)].v
            points ^= low
            spent += 3
        m.work -= spent
        return found


@final
class Cached(Node):
    """A value that depends only on the boards, cached until a board changes."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a
        self.version: M = -1
        self.value: M = 0

    def eval(self, m: Machine) -> M:
        if self.version != m.version:
            self.value = self.a.eval(m)
            self.version = m.version
        return self.value


@final
class CachedBySeat(Node):
    """A value that depends only on the boards and the current seat, cached until a board changes."""

    def __init__(self, a: Node, seats: int) -> None:
        self.a: Final = a
        self.versions: Final = [Word(-1) for _ in range(seats)]
        self.values: Final = [Word(0) for _ in range(seats)]

    def eval(self, m: Machine) -> M:
        version = self.versions[m.me]
        value = self.values[m.me]
        if version.v != m.version:
            value.v = self.a.eval(m)
            version.v = m.version
        return value.v


@final
class LevelOf(Node):
    """The level (from 0) of the highest point in a set; -1 for the empty set."""

    def __init__(self, pyramid: Pyramid, a: Node) -> None:
        self.levels: Final = [Word(level) for level in pyramid.level]
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        point = top(self.a.eval(m))
        if point < 0:
            return -1
        return self.levels[point].v


@final
class Steps(Node):
    """The distance between two points as seen from above, in half-steps; 0 if either set is empty."""

    def __init__(self, pyramid: Pyramid, a: Node, b: Node) -> None:
        self.pyramid: Final = pyramid
        self.a: Final = a
        self.b: Final = b

    def eval(self, m: Machine) -> M:
        a: int = top(self.a.eval(m))
        b: int = top(self.b.eval(m))
        if a < 0 or b < 0:
            return 0
        return self.pyramid.steps(a, b)


@final
class Copies(Listed):
    """All copies of a shape on the pyramid that result from its symmetries and translations."""

    def __init__(self, pyramid: Pyramid, a: Node) -> None:
        super().__init__()
        self.pyramid: Final = pyramid
        self.a: Final = a

    def items(self, m: Machine) -> list[int]:
        shape: int = self.a.eval(m)
        m.spend(2 * self.pyramid.count * shape.bit_count())
        return list(self.pyramid.copies(shape))


@final
class Linked(Node):
    """The marbles of any colour that are visibly connected to a marble in a set.

    Hidden marbles have no connections.
    """

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        board = m.board
        visible = board.filled & ~board.hidden
        found: M = 0
        left = self.a.eval(m) & visible
        m.spend(4 * count(left))
        cells = board.cells
        while left:
            low = left & -left
            n: int = low
            found |= cells[n.bit_length() - 1].contacts
            left ^= low
        return found & visible


@final
class WhollySeen(Node):
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
        m.spend(4 * count(left))
        while left:
            low = left & -left
            n: int = low
            cell = cells[n.bit_length() - 1]
            if cell.touching & points & ~cell.contacts:
                return 0
            left ^= low
        return 1


@final
class LongestPath(Node):
    """The number of marbles in the longest chain of visible connections of one colour.

    No marble is used twice.
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
            m.spend(PATH_COST)

        for word in board.by_colour:
            cells: int = word.v
            if points & cells:
                m.spend(6 * count(points))
                best = max(best, position.longest_path(self.pyramid, filled, points & cells, step))
        return best


@final
class Groups(Node):
    """The groups of each colour in a set of marbles, sorted by colour, then by lowest marble."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def begin(self, m: Machine) -> M:
        board = m.board
        points = self.a.eval(m) & board.filled & ~board.hidden
        m.spend(6 * count(points))
        return points

    def step(self, m: Machine, at: M) -> M:
        board = m.board
        words = board.by_colour
        among = at & words[0].v
        if not among:
            among = at & words[1].v
            if not among:
                among = at & words[2].v
        low = among & -among
        found = board.group(low, among ^ low)
        m.value = found
        return at & ~found


@final
class GroupsOf(Node):
    """The groups in a set of marbles of a single colour."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def begin(self, m: Machine) -> M:
        points = self.a.eval(m) & ~m.board.hidden
        m.spend(6 * count(points))
        return points

    def step(self, m: Machine, at: M) -> M:
        low = at & -at
        found = m.board.group(low, at ^ low)
        m.value = found
        return at & ~found


@final
class GroupsWith(Node):
    """The groups in a set of marbles of a single colour, limited to groups that intersect ``seeds``."""

    def __init__(self, a: Node, seeds: Node) -> None:
        self.a: Final = a
        self.seeds: Final = seeds
        self.whole: M = 0

    def begin(self, m: Machine) -> M:
        whole = self.a.eval(m) & ~m.board.hidden
        self.whole = whole
        if whole:
            m.spend(6 * count(whole))
            return whole & self.seeds.eval(m)
        return 0

    def step(self, m: Machine, at: M) -> M:
        low = at & -at
        found = m.board.group(low, self.whole ^ low)
        m.value = found
        return at & ~found


@final
class FullGroups(Node):
    """The groups of each colour, with hidden marbles and cut contacts included."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def begin(self, m: Machine) -> M:
        points = self.a.eval(m) & m.board.filled
        m.spend(6 * count(points))
        return points

    def step(self, m: Machine, at: M) -> M:
        board = m.board
        words = board.by_colour
        among = at & words[0].v
        if not among:
            among = at & words[1].v
            if not among:
                among = at & words[2].v
        low = among & -among
        found = board.full_group(low, among ^ low)
        m.value = found
        return at & ~found


# ---------------------------------------------------------------- colours


@final
class ColoursOn(Node):
    """The colours of the marbles in a set."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        points = self.a.eval(m)
        found: M = 0
        if points & m.board.first.v:
            found |= 1
        if points & m.board.second.v:
            found |= 2
        if points & m.board.third.v:
            found |= 4
        return found


@final
class AlikeOn(Node):
    """All marbles on the board whose colour occurs in a set of marbles."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a
        self.word: Final = word_of(a)

    def eval(self, m: Machine) -> M:
        points = self.a.eval(m) if self.word is None else self.word.v
        if points & (points - 1):
            return self.of_all(m, points)
        marbles = m.board.first.v
        if points & marbles:
            return marbles
        marbles = m.board.second.v
        if points & marbles:
            return marbles
        marbles = m.board.third.v
        if points & marbles:
            return marbles
        return 0

    def of_all(self, m: Machine, points: M) -> M:
        """Return all marbles whose colour occurs on any of several points."""
        found: M = 0
        for word in m.board.by_colour:
            if points & word.v:
                found |= word.v
        return found


@final
class ColoursIn(Node):
    """The colours in a stock."""

    def __init__(self, a: Node) -> None:
        self.a: Final = a

    def eval(self, m: Machine) -> M:
        found: M = 0
        bit: M = 1
        at = self.a.begin(m)
        while at:
            at = self.a.step(m, at)
            if m.value > 0 and bit < 8:
                found |= bit
            bit <<= 1
        return found


@final
class Extreme(Node):
    """The most (if ``most``) or least frequent colours in a set of marbles or a stock.

    If there are no marbles, no colour is the most frequent, and all colours are the least frequent.
    """

    def __init__(self, a: Node, is_stock: bool, most: bool) -> None:
        self.a: Final = a
        self.is_stock: Final = is_stock
        self.most: Final = most

    def eval(self, m: Machine) -> M:
        numbers: list[int] = []
        if self.is_stock:
            numbers = self.a.items(m)[:3]
            if not numbers:
                return 0
        else:
            points = self.a.eval(m)
            for word in m.board.by_colour:
                numbers.append(count(word.v & points))
        best = numbers[0]
        for number in numbers:
            if (number > best) if self.most else (number < best):
                best = number
        if self.most and best == 0:
            return 0
        found: M = 0
        bit: M = 1
        for number in numbers:
            if number == best:
                found |= bit
            bit <<= 1
        return found


# ---------------------------------------------------------------- seats, stocks, boards


@final
class BySeats(Node):
    """The colours owned by seats (if ``forward``), or the seats that own colours.

    ``owned`` is the set of colours that each seat owns.
    """

    def __init__(self, owned: list[int], a: Node, forward: bool) -> None:
        self.owned: Final = [Word(colours) for colours in owned]
        self.a: Final = a
        self.forward: Final = forward

    def eval(self, m: Machine) -> M:
        given = self.a.eval(m)
        found: M = 0
        bit: M = 1
        for word in self.owned:
            if self.forward:
                if given & bit:
                    found |= word.v
            elif given & word.v:
                found |= bit
            bit <<= 1
        return found


@final
class SeatNumber(Node):
    """``seat(n)``: the n-th seat, from 1; the empty set if there is none."""

    def __init__(self, number: Node, seats: int) -> None:
        self.number: Final = number
        self.seats: Final[M] = seats

    def eval(self, m: Machine) -> M:
        n = self.number.eval(m)
        if n < 1 or n > self.seats:
            return 0
        return 1 << n - 1


@final
class Neighbour(Node):
    """``next`` or ``previous``: the seats that follow or precede those in a set, in turn order."""

    def __init__(self, a: Node, seats: int, step: int) -> None:
        self.a: Final = a
        self.forward: Final = step > 0
        self.last: Final[M] = 1 << seats - 1

    def eval(self, m: Machine) -> M:
        given = self.a.eval(m)
        last = self.last
        if self.forward:
            found = (given & ~last) << 1
            if given & last:
                found |= 1
            return found
        found = given >> 1
        if given & 1:
            found |= last
        return found


@final
class StockValue(Boxed):
    """The contents of a stock, as a count for each colour.

    ``base`` is the index of the stock, or of the first seat's stock if each seat has one.
    """

    def __init__(self, base: int, seat: Node | None, seats: int) -> None:
        super().__init__()
        self.base: Final[M] = base
        self.seat: Final = seat
        self.seats: Final[M] = seats

    def index(self, m: Machine) -> M:
        seat = self.seat
        if seat is None:
            return self.base
        at = top(seat.eval(m))
        if at < 0:
            return -1
        return self.base + at

    def begin(self, m: Machine) -> M:
        at = self.index(m)
        if at < 0:
            return 0
        if m.blind and m.veiled >> at & 1:
            raise Unforeseen
        return self.begun(m.stocks[at])


@final
class BoardOfSeat(Node):
    """The index of a seat's board, in games where each seat has one."""

    def __init__(self, seat: Node) -> None:
        self.seat: Final = seat

    def eval(self, m: Machine) -> M:
        at = top(self.seat.eval(m))
        if at < 0:
            return 0
        return at


@final
class OnBoard(Listed):
    """``on(board, x)``: the value of x on another board."""

    def __init__(self, which: Node, x: Node) -> None:
        super().__init__()
        self.which: Final = which
        self.x: Final = x

    def turn_to(self, m: Machine) -> None:
        """Make the other board the current one.

        Raises Unforeseen if that board is hidden in a preview.
        """
        at = self.which.eval(m)
        if m.blind and m.covered >> at & 1:
            raise Unforeseen
        m.board = m.boards[at]
        m.version += 1

    def eval(self, m: Machine) -> M:
        before = m.board
        self.turn_to(m)
        value = self.x.eval(m)
        m.board = before
        m.version += 1
        return value

    def items(self, m: Machine) -> list[int]:
        before = m.board
        self.turn_to(m)
        value = self.x.items(m)
        m.board = before
        m.version += 1
        return value
