"""Simple values: constants, registers, names and the marbles on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import Box, Word, count, top
from shibumi3d.rules.marbles.engine.ends import score_of
from shibumi3d.rules.marbles.engine.turns import able, is_stuck, repeats
from shibumi3d.rules.marbles.engine.workspace import Machine, Node

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


@final
class Const(Node):
    """A constant scalar."""

    def __init__(self, value: M) -> None:
        self.value: Final[M] = value

    def eval(self, m: Machine) -> M:
        return self.value


@final
class Value(Node):
    """The value of a :class:`~..board.Word`.

    This is a name, a mark or, in games with one board, the marbles of one colour.
    """

    def __init__(self, word: Word) -> None:
        self.word: Final = word

    def eval(self, m: Machine) -> M:
        return self.word.v


def word_of(a: Node) -> Word | None:
    """Return the Word whose value a node returns unchanged, or None.

    Callers can then read the Word directly instead of evaluating the node.
    """
    if isinstance(a, Value):
        return a.word
    return None


@final
class BySeat(Node):
    """The value for the current seat, given one Word for each seat."""

    def __init__(self, words: list[Word]) -> None:
        self.words: Final = words

    def eval(self, m: Machine) -> M:
        return self.words[m.me].v


@final
class OfSeat(Node):
    """The value for a computed seat, given one Word for each seat."""

    def __init__(self, words: list[Word], seat: Node) -> None:
        self.words: Final = words
        self.seat: Final = seat

    def eval(self, m: Machine) -> M:
        seat = top(self.seat.eval(m))
        if seat < 0:
            return 0
        return self.words[seat].v


class Listed(Node):
    """Base class of nodes that compute a whole list at once.

    Subclasses override ``items``.
    """

    def __init__(self) -> None:
        self.held: list[int] = []

    def begin(self, m: Machine) -> M:
        self.held = self.items(m)
        if self.held:
            return 1
        return 0

    def step(self, m: Machine, at: M) -> M:
        held = self.held
        m.value = held[at - 1]
        if at < len(held):
            return at + 1
        return 0


class Boxed(Node):
    """Base class of nodes whose members are the values of a list of Word objects.

    Subclasses pass that list to :meth:`begun` in ``begin``.
    """

    def __init__(self) -> None:
        self.row: list[Word] = []

    def begun(self, row: list[Word]) -> M:
        """Start an iteration; return the position of the first member, or 0 if there is none."""
        self.row = row
        if row:
            return 1
        return 0

    def step(self, m: Machine, at: M) -> M:
        m.value = self.row[at - 1].v
        if at < len(self.row):
            return at + 1
        return 0


@final
class ConstItems(Boxed):
    """A constant family or list."""

    def __init__(self, value: list[int]) -> None:
        super().__init__()
        self.value: Final = value
        self.row = [Word(item) for item in value]

    def items(self, m: Machine) -> list[int]:
        return self.value

    def begin(self, m: Machine) -> M:
        if self.row:
            return 1
        return 0


@final
class FixedFamilies(Boxed):
    """``[f, g, …][i]`` with constant families; the empty family if there is no entry i."""

    def __init__(self, families: list[list[int]], index: Node) -> None:
        super().__init__()
        self.families: Final = families
        self.words: Final = [[Word(item) for item in family] for family in families]
        self.place: Final = index

    def items(self, m: Machine) -> list[int]:
        i = self.place.eval(m)
        if i < 0 or i >= len(self.families):
            return []
        return self.families[i]

    def begin(self, m: Machine) -> M:
        i = self.place.eval(m)
        if i < 0 or i >= len(self.words):
            return 0
        return self.begun(self.words[i])


@final
class BoxItems(Listed):
    """The list that is the value of a name."""

    def __init__(self, box: Box) -> None:
        super().__init__()
        self.box: Final = box

    def items(self, m: Machine) -> list[int]:
        return self.box.items

    def lists(self, m: Machine) -> list[list[int]]:
        return self.box.lists


@final
class BoxOfSeat(Listed):
    """The list that is the value of a computed seat's name."""

    def __init__(self, boxes: list[Box], seat: Node) -> None:
        super().__init__()
        self.boxes: Final = boxes
        self.seat: Final = seat

    def items(self, m: Machine) -> list[int]:
        seat = top(self.seat.eval(m))
        if seat < 0:
            return []
        return self.boxes[seat].items


# ---------------------------------------------------------------- the board


@final
class OwnOnBoard(Node):
    """The marbles of the current seat on the current board.

    This node is used in games in which each seat owns one colour.
    """

    def __init__(self, colours: list[Word]) -> None:
        self.colours: Final = colours

    def eval(self, m: Machine) -> M:
        return m.board.by_colour[self.colours[m.me].v].v


@final
class ColourOnBoard(Node):
    """The marbles of a constant colour on the current board."""

    def __init__(self, colour: M) -> None:
        self.colour: Final[M] = colour

    def eval(self, m: Machine) -> M:
        return m.board.by_colour[self.colour].v


@final
class MarkOnBoard(Node):
    """The points with a mark on the current board."""

    def __init__(self, mark: M) -> None:
        self.mark: Final[M] = mark

    def eval(self, m: Machine) -> M:
        return m.board.marks[self.mark].v


@final
class Marbles(Node):
    """The marbles of colours that are computed during play."""

    def __init__(self, colours: Node) -> None:
        self.colours: Final = colours

    def eval(self, m: Machine) -> M:
        wanted = self.colours.eval(m)
        words = m.board.by_colour
        found: M = 0
        if wanted & 1:
            found |= words[0].v
        if wanted & 2:
            found |= words[1].v
        if wanted & 4:
            found |= words[2].v
        return found


@final
class Filled(Node):
    """The points with a marble."""

    def eval(self, m: Machine) -> M:
        return m.board.filled


@final
class Empty(Node):
    """The points without a marble."""

    def eval(self, m: Machine) -> M:
        board = m.board
        return board.all & ~board.filled


@final
class Playable(Node):
    """The empty points on which a marble may be placed."""

    def eval(self, m: Machine) -> M:
        return m.board.playable


@final
class Free(Node):
    """The marbles that support no other."""

    def eval(self, m: Machine) -> M:
        board = m.board
        m.spend(3 * count(board.filled))
        return board.filled & ~board.carrying(board.filled)


@final
class Movable(Node):
    """The marbles that may be taken or moved because they are not pinned."""

    def eval(self, m: Machine) -> M:
        board = m.board
        m.spend(3 * count(board.filled))
        return board.filled & ~board.pinned()


@final
class Visible(Node):
    """The marbles that are not hidden."""

    def eval(self, m: Machine) -> M:
        board = m.board
        return board.filled & ~board.hidden


@final
class Vacated(Node):
    """The points that were filled when the turn began and are now empty."""

    def eval(self, m: Machine) -> M:
        board = m.board
        return board.began_filled.v & ~board.filled


# ---------------------------------------------------------------- registers


@final
class ChosenColour(Node):
    """The colour of the marble being chosen or placed, as a set."""

    def eval(self, m: Machine) -> M:
        return m.colour


@final
class Me(Node):
    """The seat to act, as a set."""

    def eval(self, m: Machine) -> M:
        return 1 << m.me


@final
class Mover(Node):
    """The seat whose turn it is, as a set."""

    def eval(self, m: Machine) -> M:
        return 1 << m.mover


@final
class Tied(Node):
    """The seats that are tied, for use in ``tie``."""

    def eval(self, m: Machine) -> M:
        return m.tied


@final
class Winners(Node):
    """The winners of the game that has just ended, for use in ``series``."""

    def eval(self, m: Machine) -> M:
        return m.winners


@final
class Stuck(Node):
    """Whether the seat to act has no legal choice."""

    def eval(self, m: Machine) -> M:
        if is_stuck(m):
            return 1
        return 0


@final
class Able(Node):
    """Whether any seat in a set would have a choice if it moved next."""

    def __init__(self, seats: Node) -> None:
        self.seats: Final = seats

    def eval(self, m: Machine) -> M:
        if able(m, self.seats.eval(m)):
            return 1
        return 0


@final
class Repeats(Node):
    """Number of turns since the boards last were as they are now; 0 if they never were."""

    def eval(self, m: Machine) -> M:
        return repeats(m)


@final
class PassedBy(Node):
    """Whether every seat in a set passed in its last turn; false for the empty set."""

    def __init__(self, seats: Node) -> None:
        self.seats: Final = seats

    def eval(self, m: Machine) -> M:
        seats = self.seats.eval(m)
        if seats != 0 and seats & ~m.passed == 0:
            return 1
        return 0


@final
class Score(Node):
    """The score of a seat: the value of the game file's formula, or the seat's tally."""

    def __init__(self, seat: Node) -> None:
        self.seat: Final = seat

    def eval(self, m: Machine) -> M:
        seat = top(self.seat.eval(m))
        if seat < 0:
            return 0
        return score_of(m, seat)
