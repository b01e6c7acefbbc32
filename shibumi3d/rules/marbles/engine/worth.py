"""What a moment is worth by what stands there: weights of small pieces of the board, and how they are learned.

A moment is a few hundred pieces (what stands on a point, on two points that touch, on a line, on a square and above
it, what is left in a stock, who leads and who chooses), and every piece has a number: their sum says who wins. All is
counted in integers, so that plain Python and the compiled engine agree, and the sum on every machine.

Learning from the end of matches against oneself by TD(λ): Sutton 1988; Tesauro 1995.
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
"""A weight of one."""
CONTENTS: Final = 5
"""What may stand on a point: nothing yet, nothing but a marble may come, one of three colours."""
MOST_COUNTED: Final = 4
"""So many marbles of a colour are told apart on a line or a square, and no more."""
COUNTS: Final = 25
LEFT: Final = 8
"""So many numbers of marbles in a stock are told apart."""
LEADS: Final = 13
"""So many leads in score, the middle one being none."""
STEPS: Final = 4
"""So many choices of a turn."""
FEW: Final = 12
"""More choices than that are not compared while learning: so many are drawn."""
BY_LOT: Final = 150
"""Of 1,000 choices while learning, those made at random."""
KEEPS: Final = 0.8
"""How far what comes of a match is believed more than what is thought a choice later: λ."""


@final
class Share:
    """What a match brought one player, from 0 to 1."""

    def __init__(self) -> None:
        self.v: float = 0.0


@final
class Pattern:
    """Points of a board that are looked at together: ``base`` is where its weights begin.

    One point, two, or the set ``mask`` of which marbles are counted, with what stands on ``point`` above (-1: none).
    """

    def __init__(self, point: M, other: M, mask: M, base: M) -> None:
        self.point: Final[M] = point
        self.other: Final[M] = other
        self.mask: Final[M] = mask
        self.base: Final[M] = base


@final
class Weights:
    """What the pieces of a moment are worth, for one game in one form.

    ``pieces``: by board, (point, other point or -1, set of points or 0, base). ``size``: how many weights the pieces of
    a stage of the match have. ``stages``: by how many marbles lie. ``scale``: half of the lead that counts as much, 0
    where there is no score.
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
        """How many points there are."""
        self.sets: M = m.seats
        if m.seats == 2:
            self.sets = 1
        self.seats: Final[M] = m.seats
        self.stocks: Final[M] = size * stages
        """Where the weights of the stocks begin; then come those of leads, and of who chooses."""
        self.leads: Final[M] = self.stocks + len(m.stocks) * self.rows * LEFT
        self.movers: Final[M] = self.leads + self.seats * LEADS
        self.all: Final[M] = self.movers + self.seats * STEPS
        """How many weights there are for one seat."""
        self.numbers: Final[list[Word]] = [Word(0) for _ in range(self.all * self.sets)]
        self.shares: Final[list[Share]] = [Share() for _ in range(m.seats)]
        """What the moment looked at last is worth, by seat."""
        self.content: Final[list[Word]] = [Word(0) for _ in m.boards[0].cells]
        most = len(m.stocks) * self.rows + 2 * m.seats + 2
        for board in self.pieces:
            most += len(board)
        self.found: Final[list[Word]] = [Word(0) for _ in range(most)]
        """The weights of the moment looked at last, of the first seat."""
        self.number: M = 0
        """How many these are."""

    def fill(self, numbers: list[int]) -> None:
        """Give all weights their numbers, in units of 1 / 65,536. Raises Unusable when there are more or fewer."""
        if len(numbers) != len(self.numbers):
            raise Unusable(
                "{found} weights given, but the game needs {wanted}",
                found=len(numbers),
                wanted=len(self.numbers),
            )
        for i in range(len(numbers)):
            self.numbers[i].v = numbers[i]

    def all_numbers(self) -> list[int]:
        """Return the numbers of all weights, in units of 1 / 65,536."""
        return [word.v for word in self.numbers]

    def note(self, at: M) -> None:
        """Note that a weight is one of the moment's."""
        self.found[self.number].v = at
        self.number += 1

    def look(self, m: Machine) -> None:
        """Find the weights of the moment at which a machine stands."""
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
        """Note by how much every seat leads, or is behind."""
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
        """Work out what the moment looked at last is worth to every seat."""
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
        """Return how likely a seat wins, by its own weights alone."""
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
        """Bring what a seat's weights say of the moment looked at last nearer to what came of it."""
        step: M = int((wanted - self.part(which)) * pace * 65536.0)
        shift = which * self.all
        i: M = 0
        while i < self.number:
            self.numbers[self.found[i].v + shift].v += step
            i += 1


@final
class Lessons:
    """A game played against oneself, again and again from where the machine stands, to learn its weights."""

    def __init__(self, machine: Machine, weights: Weights, limit: int) -> None:
        self.machine: Final = machine
        self.weights: Final = weights
        self.limit: Final[M] = limit
        """Turns after which a match counts as a draw."""
        self.kept: Final = Kept(machine)
        self.kept.keep(machine)
        self.past: Final[list[list[int]]] = []
        """The weights of every moment of the match."""

    def matches(self, number: int, pace: float) -> None:
        """Play so many matches, and learn from each. Raises RuleFailure where the rules ask for too much work."""
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
        """Play one match, by what the weights say so far."""
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
        """Return the choice after which the moment is worth most to whoever chooses."""
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
        """Learn from the match just played, from its end backwards."""
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
    """Return what the end of a match brought a seat: winners share one, a draw is shared by all."""
    winners: M = result.winners
    if not winners:
        return 1.0 / float(seats)
    if winners >> seat & 1:
        return 1.0 / float(count(winners))
    return 0.0


def set_all(content: list[Word], mask: M, value: M) -> None:
    """Write down what stands on all points of a set."""
    left = mask
    while left:
        low = left & -left
        n: int = low
        content[n.bit_length() - 1].v = value
        left ^= low


def goes_on(m: Machine) -> bool:
    """Return whether the match is not over: asked anew, since type checkers believe that calls change no attribute."""
    return m.result is None


def logistic(x: float) -> float:
    """Return a share from far behind (0) over level (a half) to far ahead (1)."""
    if x > 30.0:
        return 1.0
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + math.exp(-x))
