"""Learned evaluation of positions: weights for small patterns, and how they are learned.

A position is described by a few hundred patterns: the contents of a point, of two points in contact, of a line, and of
a square with the point above it; the marbles left in a stock; who leads; and who is to choose. Each pattern has a
weight, and the sum of the weights predicts who will win. Sums are integers, so that plain Python and compiled code
agree on every machine.

Weights are learned by self-play with TD(λ) (Sutton 1988; Tesauro 1995).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, final

from shibumi3d.i18n import Unusable
from shibumi3d.rules.marbles.engine.board import Word, count
from shibumi3d.rules.marbles.engine.ends import standings
from shibumi3d.rules.marbles.engine.play import choices, play
from shibumi3d.rules.marbles.engine.playouts import Kept
from shibumi3d.rules.marbles.engine.rules import Result
from shibumi3d.rules.marbles.engine.turns import note_registers
from shibumi3d.rules.marbles.engine.workspace import Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

UNIT: Final = 65536
"""The integer that represents a weight of 1."""
CONTENTS: Final = 5
"""Number of possible contents of a point: not playable, playable, or a marble of one of three colours."""
MOST_COUNTED: Final = 4
"""Maximum count of marbles of one colour on a line or square; larger counts are treated as this one."""
COUNTS: Final = 25
LEFT: Final = 8
"""Number of distinguished counts of marbles in a stock: 0 to 7, where 7 stands for 7 or more."""
LEADS: Final = 13
"""Number of classes of leads in score; the middle class stands for no lead."""
STEPS: Final = 4
"""Number of steps in a turn that have their own weights; later steps share those of the last."""
FEW: Final = 12
"""Maximum number of choices compared in self-play; if there are more, this many are drawn at random."""
BY_LOT: Final = 150
"""Average number of random choices per 1,000 choices in self-play."""
KEEPS: Final = 0.8
"""λ in TD(λ): the weight of later estimates and the outcome, relative to the next estimate."""


@final
class Share:
    """A player's share in the result of a match, from 0 to 1."""

    def __init__(self) -> None:
        self.v: float = 0.0


@final
class Pattern:
    """A group of points on a board that are evaluated together.

    This is one point, two points, or a set. For a set, ``mask`` contains the points on which marbles are counted; the
    counts are combined with the contents of ``point``, which lies above the set and is -1 if there is no such point.
    ``base`` is the index of the pattern's first weight.
    """

    def __init__(self, point: M, other: M, mask: M, base: M) -> None:
        self.point: Final[M] = point
        self.other: Final[M] = other
        self.mask: Final[M] = mask
        self.base: Final[M] = base


@final
class Weights:
    """The weights of all patterns for one form of a game.

    ``pieces`` has, for each board, the tuples (point, other point or -1, mask or 0, base) of its patterns. ``stages``
    is the number of stages of a match, which depend on how many marbles are on the boards. ``size`` is the number of
    weights for these patterns in one stage. ``scale`` is the width of a class of leads in score: half the scale of
    playouts, or 0 if there is no score.
    """

    def __init__(
        self,
        machine: Machine,
        pieces: list[list[tuple[int, int, int, int]]],
        size: int,
        stages: int,
        scale: float,
    ) -> None:
        m = machine
        self.pieces: Final[list[list[Pattern]]] = [[Pattern(*one) for one in board] for board in pieces]
        self.size: Final[M] = size
        self.stages: Final[M] = stages
        self.scale: Final[float] = scale
        self.rows: Final[M] = m.colours + 1
        self.points: Final[M] = len(m.boards[0].cells) * len(m.boards)
        """Number of points on all boards."""
        self.sets: M = m.seats
        if m.seats == 2:
            self.sets = 1
        self.seats: Final[M] = m.seats
        self.stocks: Final[M] = size * stages
        """Index of the first weight for stocks; those for leads and for the chooser follow."""
        self.leads: Final[M] = self.stocks + len(m.stocks) * self.rows * LEFT
        self.movers: Final[M] = self.leads + self.seats * LEADS
        self.all: Final[M] = self.movers + self.seats * STEPS
        """Number of weights for one seat."""
        self.numbers: Final[list[Word]] = [Word(0) for _ in range(self.all * self.sets)]
        self.shares: Final[list[Share]] = [Share() for _ in range(m.seats)]
        """Each seat's share in the position last evaluated; see :meth:`weigh`."""
        self.content: Final[list[Word]] = [Word(0) for _ in m.boards[0].cells]
        most = len(m.stocks) * self.rows + 2 * m.seats + 2
        for board in self.pieces:
            most += len(board)
        self.found: Final[list[Word]] = [Word(0) for _ in range(most)]
        """Indices of the weights that apply to the position last looked at, for the first seat."""
        self.number: M = 0
        """Number of valid entries in ``found``."""

    def fill(self, numbers: list[int]) -> None:
        """Set all weights, given in units of 1 / 65,536.

        Raises Unusable if the number of values differs from the number of weights of the game.
        """
        if len(numbers) != len(self.numbers):
            raise Unusable(
                "{found} weights given, but the game needs {wanted}",
                found=len(numbers),
                wanted=len(self.numbers),
            )
        for i in range(len(numbers)):
            self.numbers[i].v = numbers[i]

    def all_numbers(self) -> list[int]:
        """Return all weights, in units of 1 / 65,536."""
        return [word.v for word in self.numbers]

    def note(self, at: M) -> None:
        """Add a weight to those that apply to the current position."""
        self.found[self.number].v = at
        self.number += 1

    def look(self, m: Machine) -> None:
        """Find the weights that apply to a machine's position."""
        self.number = 0
        filled: M = 0
        for board in m.boards:
            filled += count(board.filled)
        stage = filled * self.stages // (self.points + 1)
        begin = stage * self.size
        content = self.content
        which: M = 0
        for board in m.boards:
            for word in content:
                word.v = 0
            set_all(content, board.playable, 1)
            colour: M = 0
            first: M = 0
            second: M = 0
            for cells in board.by_colour:
                if colour == 0:
                    first = cells.v
                elif colour == 1:
                    second = cells.v
                set_all(content, cells.v, 2 + colour)
                colour += 1
            for piece in self.pieces[which]:
                at = begin + piece.base
                if piece.mask:
                    one = count(piece.mask & first)
                    two = count(piece.mask & second)
                    if one > MOST_COUNTED:
                        one = MOST_COUNTED
                    if two > MOST_COUNTED:
                        two = MOST_COUNTED
                    at += one * 5 + two
                    if piece.point >= 0:
                        at += content[piece.point].v * COUNTS
                else:
                    at += content[piece.point].v
                    if piece.other >= 0:
                        at += content[piece.other].v * CONTENTS
                self.note(at)
            which += 1
        at = self.stocks
        for stock in m.stocks:
            for word in stock:
                left = word.v
                if left >= LEFT:
                    left = LEFT - 1
                elif left < 0:
                    left = 0
                self.note(at + left)
                at += LEFT
        seat = m.me
        if m.stuck:
            seat = m.mover
        step = m.step
        if step >= STEPS:
            step = STEPS - 1
        self.note(self.movers + seat * STEPS + step)
        if self.scale > 0.0:
            self.note_leads(m)

    def note_leads(self, m: Machine) -> None:
        """Add the weights for how far each seat leads or trails in score."""
        stand = standings(m)
        seat: M = 0
        while seat < self.seats:
            best: float = -1e18
            other: M = 0
            while other < self.seats:
                score: float = float(stand[other])
                if other != seat and score > best:
                    best = score
                other += 1
            lead: float = (float(stand[seat]) - best) / self.scale + 6.5
            bucket: M = 0
            if lead >= 12.0:
                bucket = 12
            elif lead > 0.0:
                bucket = int(lead)
            self.note(self.leads + seat * LEADS + bucket)
            seat += 1

    def weigh(self) -> None:
        """Compute the share of every seat in the position last passed to :meth:`look`."""
        which: M = 0
        total: float = 0.0
        while which < self.sets:
            share = self.shares[which]
            share.v = self.part(which)
            total += share.v
            which += 1
        if self.sets == 1:
            self.shares[1].v = 1.0 - self.shares[0].v
        else:
            for share in self.shares:
                share.v /= total

    def part(self, which: M) -> float:
        """Return a seat's probability of winning, according to its own weights alone."""
        numbers = self.numbers
        found = self.found
        shift = which * self.all
        total: M = 0
        i: M = 0
        while i < self.number:
            total += numbers[found[i].v + shift].v
            i += 1
        return logistic(float(total) / 65536.0)

    def learn(self, which: M, wanted: float, pace: float) -> None:
        """Adjust a seat's weights for the position last passed to :meth:`look` toward ``wanted``.

        ``pace`` is the learning rate.
        """
        step: M = int((wanted - self.part(which)) * pace * 65536.0)
        shift = which * self.all
        i: M = 0
        while i < self.number:
            self.numbers[self.found[i].v + shift].v += step
            i += 1


@final
class Lessons:
    """Repeated self-play from a machine's position, to learn the weights for a game."""

    def __init__(self, machine: Machine, weights: Weights, limit: int) -> None:
        self.machine: Final = machine
        self.weights: Final = weights
        self.limit: Final[M] = limit
        """Number of turns after which a match counts as a draw."""
        self.kept: Final = Kept(machine)
        self.kept.keep(machine)
        self.past: Final[list[list[int]]] = []
        """Indices of the weights that apply to each position of the match."""

    def matches(self, number: int, pace: float) -> None:
        """Play ``number`` matches, and learn from each; ``pace`` is the learning rate.

        Raises RuleFailure if the rules require too much work.
        """
        m = self.machine
        rolling = m.rolling
        m.rolling = True
        for _ in range(number):
            self.kept.restore(m)
            self.past.clear()
            self.play()
            self.believe(pace)
        self.kept.restore(m)
        m.length = 0
        m.rolling = rolling

    def play(self) -> None:
        """Play one match with the current weights, making some choices at random."""
        m = self.machine
        weights = self.weights
        while goes_on(m) and m.turn < self.limit:
            m.length = 0
            codes = choices(m)
            if not codes:
                return
            code: M = codes[0]
            if len(codes) > 1:
                if m.below(1000) < BY_LOT:
                    code = codes[m.below(len(codes))]
                else:
                    code = self.best(codes)
            play(m, code)
            if goes_on(m):
                weights.look(m)
                self.past.append([word.v for word in weights.found[: weights.number]])

    def best(self, codes: list[int]) -> M:
        """Return the choice that leads to the best position for the seat that must choose.

        At most FEW choices are compared.
        """
        m = self.machine
        weights = self.weights
        seat = m.me
        if m.stuck:
            seat = m.mover
        left: M = len(codes)
        looked: M = 0
        best: M = codes[0]
        best_value: float = -1.0
        while left and looked < FEW:
            at: int = m.below(left)
            left -= 1
            looked += 1
            last: int = left
            code: M = codes[at]
            codes[at] = codes[last]
            mark = note_registers(m)
            play(m, code)
            value: float
            result = m.result
            if result is not None:
                value = won(result, seat, m.seats)
            else:
                weights.look(m)
                weights.weigh()
                value = weights.shares[seat].v
            m.undo(mark)
            if value > best_value:
                best_value = value
                best = code
        return best

    def believe(self, pace: float) -> None:
        """Learn from the match just played, going backward from its end."""
        m = self.machine
        weights = self.weights
        which: M = 0
        while which < weights.sets:
            result = m.result
            wanted: float = 1.0 / float(m.seats)
            if result is not None:
                wanted = won(result, which, m.seats)
            at: M = len(self.past)
            while at:
                at -= 1
                pieces = self.past[at]
                weights.number = 0
                for one in pieces:
                    weights.note(one)
                thought = weights.part(which)
                weights.learn(which, wanted, pace)
                wanted = (1.0 - KEEPS) * thought + KEEPS * wanted
            which += 1


def won(result: Result, seat: M, seats: M) -> float:
    """Return a seat's share in a result.

    The winners share 1 equally; in a draw, all seats do.
    """
    winners: M = result.winners
    if not winners:
        return 1.0 / float(seats)
    if winners >> seat & 1:
        return 1.0 / float(count(winners))
    return 0.0


def set_all(content: list[Word], mask: M, value: M) -> None:
    """Record the same contents for all points in a mask."""
    left = mask
    while left:
        low = left & -left
        n: int = low
        content[n.bit_length() - 1].v = value
        left ^= low


def goes_on(m: Machine) -> bool:
    """Return whether the match isn't over yet.

    Type checkers assume that calls don't change attributes, so repeated tests of ``m.result`` would mislead them.
    """
    return m.result is None


def logistic(x: float) -> float:
    """Return the logistic function: near 0 for far behind, 0.5 for level, near 1 for far ahead."""
    if x > 30.0:
        return 1.0
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + math.exp(-x))
