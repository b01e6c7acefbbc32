"""Nodes for simple values: constants, registers, names and the marbles on the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import ListWord, Word, count_bits, highest_bit
from shibumi3d.rules.marbles.engine.end_rules import score_at
from shibumi3d.rules.marbles.engine.machine import Machine, Node
from shibumi3d.rules.marbles.engine.turns import can_any_move, is_stuck, turns_since_repetition

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
class WordValue(Node):
    """The current value of a :class:`~..board.Word`.

    The Word holds a named value, the taken colours or the origin. In games with one board, it can also hold the points
    with a certain mark or the marbles of one colour.
    """

    def __init__(self, word: Word) -> None:
        self.word: Final = word

    def eval(self, m: Machine) -> M:
        return self.word.value


def word_behind(a: Node) -> Word | None:
    """Return the Word if a node does nothing but read a Word, and None otherwise.

    Callers can read the Word directly instead of evaluating the node.
    """
    if isinstance(a, WordValue):
        return a.word
    return None


@final
class ForActingSeat(Node):
    """The value of the Word that belongs to the acting seat."""

    def __init__(self, words: list[Word]) -> None:
        self.words: Final = words

    def eval(self, m: Machine) -> M:
        return self.words[m.me].value


@final
class ForSeat(Node):
    """The value of the Word that belongs to a computed seat, or 0 if ``seat`` yields no seat.

    If ``seat`` yields several seats, the last one in seat order counts.
    """

    def __init__(self, words: list[Word], seat: Node) -> None:
        self.words: Final = words
        self.seat: Final = seat

    def eval(self, m: Machine) -> M:
        seat = highest_bit(self.seat.eval(m))
        if seat < 0:
            return 0
        return self.words[seat].value


class ListNode(Node):
    """Base class of nodes that compute a whole list at once.

    Subclasses override :meth:`items`.
    """

    def __init__(self) -> None:
        self.current_items: list[int] = []

    def start_iteration(self, m: Machine) -> M:
        self.current_items = self.items(m)
        if self.current_items:
            return 1
        return 0

    def next_member(self, m: Machine, at: M) -> M:
        held = self.current_items
        m.member = held[at - 1]
        if at < len(held):
            return at + 1
        return 0


class WordListNode(Node):
    """Base class of nodes whose members are the values of a list of Word objects.

    In :meth:`start_iteration`, subclasses pass that list to :meth:`iterate_over`. If it is constant, they may instead
    assign it to ``words`` once.
    """

    def __init__(self) -> None:
        self.words: list[Word] = []

    def iterate_over(self, words: list[Word]) -> M:
        """Start an iteration over ``words``; return a cursor for :meth:`next_member`, or 0 if there are none."""
        self.words = words
        if words:
            return 1
        return 0

    def next_member(self, m: Machine, at: M) -> M:
        m.member = self.words[at - 1].value
        if at < len(self.words):
            return at + 1
        return 0


@final
class ConstItems(WordListNode):
    """A constant family or list."""

    def __init__(self, value: list[int]) -> None:
        super().__init__()
        self.value: Final = value
        self.words = [Word(item) for item in value]

    def items(self, m: Machine) -> list[int]:
        return self.value

    def start_iteration(self, m: Machine) -> M:
        if self.words:
            return 1
        return 0


@final
class ConstFamilyAt(WordListNode):
    """``[f, g, …][i]`` with constant families; the empty family if there is no entry i."""

    def __init__(self, families: list[list[int]], index: Node) -> None:
        super().__init__()
        self.families: Final = families
        self.family_words: Final = [[Word(item) for item in family] for family in families]
        self.index_node: Final = index

    def items(self, m: Machine) -> list[int]:
        i = self.index_node.eval(m)
        if i < 0 or i >= len(self.families):
            return []
        return self.families[i]

    def start_iteration(self, m: Machine) -> M:
        i = self.index_node.eval(m)
        if i < 0 or i >= len(self.family_words):
            return 0
        return self.iterate_over(self.family_words[i])


@final
class StoredList(ListNode):
    """The list stored under a name."""

    def __init__(self, box: ListWord) -> None:
        super().__init__()
        self.list_word: Final = box

    def items(self, m: Machine) -> list[int]:
        return self.list_word.items

    def lists(self, m: Machine) -> list[list[int]]:
        return self.list_word.lists


@final
class StoredListOfSeat(ListNode):
    """The list that a name stores for one seat, which the node ``seat`` yields.

    The list is empty if the node yields no seat. If it yields several seats, the last one in seat order counts.
    """

    def __init__(self, boxes: list[ListWord], seat: Node) -> None:
        super().__init__()
        self.list_words: Final = boxes
        self.seat: Final = seat

    def items(self, m: Machine) -> list[int]:
        seat = highest_bit(self.seat.eval(m))
        if seat < 0:
            return []
        return self.list_words[seat].items


# ---------------------------------------------------------------- the board


@final
class OwnMarblesOnBoard(Node):
    """The marbles of the acting seat on the current board.

    This node is used if a game has several boards and each seat owns one colour.
    """

    def __init__(self, colours: list[Word]) -> None:
        self.colours: Final = colours

    def eval(self, m: Machine) -> M:
        return m.board.by_colour[self.colours[m.me].value].value


@final
class ColourMarblesOnBoard(Node):
    """The marbles of a constant colour on the current board."""

    def __init__(self, colour: M) -> None:
        self.colour: Final[M] = colour

    def eval(self, m: Machine) -> M:
        return m.board.by_colour[self.colour].value


@final
class MarkOnBoard(Node):
    """The points that have a certain mark on the current board."""

    def __init__(self, mark: M) -> None:
        self.mark: Final[M] = mark

    def eval(self, m: Machine) -> M:
        return m.board.marks[self.mark].value


@final
class MarblesOfColours(Node):
    """The marbles on the current board whose colour is in a set computed during play."""

    def __init__(self, colours: Node) -> None:
        self.colours: Final = colours

    def eval(self, m: Machine) -> M:
        wanted = self.colours.eval(m)
        words = m.board.by_colour
        result: M = 0
        if wanted & 1:
            result |= words[0].value
        if wanted & 2:
            result |= words[1].value
        if wanted & 4:
            result |= words[2].value
        return result


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
        return board.all_points & ~board.filled


@final
class Playable(Node):
    """The empty points on which a marble can rest."""

    def eval(self, m: Machine) -> M:
        return m.board.playable


@final
class SupportingNone(Node):
    """The marbles that support no other."""

    def eval(self, m: Machine) -> M:
        board = m.board
        m.spend_work(3 * count_bits(board.filled))
        return board.filled & ~board.supports_of(board.filled)


@final
class Movable(Node):
    """The marbles that are not pinned, and so can be taken or moved."""

    def eval(self, m: Machine) -> M:
        board = m.board
        m.spend_work(3 * count_bits(board.filled))
        return board.filled & ~board.find_pinned()


@final
class Visible(Node):
    """The marbles with no marble vertically above them."""

    def eval(self, m: Machine) -> M:
        board = m.board
        return board.filled & ~board.hidden


@final
class Vacated(Node):
    """The points that are now empty but were filled when the turn began.

    In a ``by`` block, the start of the seat's part of the turn counts instead.
    """

    def eval(self, m: Machine) -> M:
        board = m.board
        return board.turn_start_filled.value & ~board.filled


# ---------------------------------------------------------------- registers


@final
class ChosenColour(Node):
    """The colour of the marble being placed, put, entered or moved, as a set."""

    def eval(self, m: Machine) -> M:
        return m.chosen_colour


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
    """Whether the seat to act is stuck: it can do nothing except possibly pass.

    During the setup, this refers to the seat that moves first. See :func:`.is_stuck` for a case in which a seat that
    can only pass doesn't count as stuck.
    """

    def eval(self, m: Machine) -> M:
        if is_stuck(m):
            return 1
        return 0


@final
class AnyAble(Node):
    """Whether any seat in a set could do more than pass if it moved next."""

    def __init__(self, seats: Node) -> None:
        self.seats: Final = seats

    def eval(self, m: Machine) -> M:
        if can_any_move(m, self.seats.eval(m)):
            return 1
        return 0


@final
class TurnsSinceRepetition(Node):
    """The number of turns since a turn last began with the boards as they are now; 0 if none did.

    For how the turns are counted, see :func:`.turns_since_repetition`.
    """

    def eval(self, m: Machine) -> M:
        return turns_since_repetition(m)


@final
class AllPassed(Node):
    """Whether every seat in a set passed in its last turn; false for the empty set."""

    def __init__(self, seats: Node) -> None:
        self.seats: Final = seats

    def eval(self, m: Machine) -> M:
        seats = self.seats.eval(m)
        if seats != 0 and seats & ~m.passed_seats == 0:
            return 1
        return 0


@final
class Score(Node):
    """The score of a seat; 0 if ``seat`` yields no seat.

    The score is the value of the game file's formula or, if the file has none, the seat's tally. If ``seat`` yields
    several seats, the last one in seat order counts.
    """

    def __init__(self, seat: Node) -> None:
        self.seat: Final = seat

    def eval(self, m: Machine) -> M:
        seat = highest_bit(self.seat.eval(m))
        if seat < 0:
            return 0
        return score_at(m, seat)
