"""Choice of a move when whole boards are hidden, by guessing boards that fit the known scores.

A tree search would have to guess far too much. Instead, the hidden boards are filled at random and improved by local
search until the scores computed from them match the scores that everybody sees. Each move is then judged by the score
that would result from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.engine.rules import PASS
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.state import State

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.workspace import Machine

MENDS = 150
"""Number of recolourings tried to make a guess fit the known scores."""
MOST = 60
"""Maximum number of moves evaluated; if there are more, a random sample of this size is used."""


class HiddenBoards:
    """Choice of a move for ``seat``, from whom boards are hidden in ``view``."""

    def __init__(self, game: BasicGame, view: State, seat: int, chance: Random) -> None:
        self._game = game
        self._view = view
        self._seat = seat
        self._chance = chance
        self._engine = engine_of(game.size)
        self._machine: Machine

    def best(self, moves: Sequence[str], tries: int, stop: Callable[[], bool]) -> str:
        """Return the move in ``moves`` with the highest expected score over ``tries`` guesses.

        Return a random move if no board is hidden, or if the boards can't be scored in the current state.
        """
        hidden = [i for i, sight in enumerate(self._view._rules.board_sight) if not sight >> self._seat & 1]
        if not hidden or len(moves) == 1:
            return self._chance.choice(moves)
        places = list(range(len(moves)))
        if len(places) > MOST:
            places = sorted(self._chance.sample(places, MOST))
        sums = [0] * len(moves)
        for _ in range(tries):
            whole = self._game.sample_hidden(self._view, self._seat, self._chance)
            fast = self._game.fast(self._view.seats, self._chance.getrandbits(30))
            fast.load(whole)
            self._machine = fast.machine
            self._machine.rolling = True
            if not self._engine.settled(self._machine):
                return self._chance.choice(moves)
            self._mend(hidden)
            codes = fast.choices()
            for place in places:
                sums[place] += self._gain(codes[place])
            if stop():
                break
        best = max(sums[place] for place in places)
        return moves[self._chance.choice([place for place in places if sums[place] == best])]

    def _error(self) -> int:
        """Return how far the scores of the guessed boards are from the scores that everybody sees.

        The result is the sum of the absolute differences over all seats.
        """
        counted = self._engine.settled(self._machine)
        return sum(abs(a - b) for a, b in zip(counted, self._view._at.tallies, strict=True))

    def _mend(self, hidden: list[int]) -> None:
        """Recolour random marbles on hidden boards; keep changes that do not increase the error."""
        m, chance = self._machine, self._chance
        error = self._error()
        points = [(i, p) for i in hidden for p in bits(m.boards[i].filled)]
        for _ in range(MENDS if points else 0):
            if not error:
                return
            number, point = chance.choice(points)
            cell = m.boards[number].cells[point]
            before = m.boards[number].colour_at(1 << point)
            mark = m.length
            m.paint(cell, before, (before + chance.randrange(1, m.colours)) % m.colours)
            after = self._error()
            if after <= error:
                error = after
            else:
                m.undo(mark)

    def _gain(self, code: int) -> int:
        """Return the seat's score after a move if it makes its remaining secret choices at random."""
        m, engine = self._machine, self._engine
        if code == PASS:
            return 0
        seat = m.me
        mark = engine.note_registers(m)
        ended = engine.take(m, code, None)
        while ended == engine.WAITING and m.me == seat and m.secret_me[-1].v:
            codes = engine.choices(m)
            if not codes:
                break
            ended = engine.take(m, self._chance.choice(codes), None)
            if len(codes) > MOST:
                break
        counted = engine.settled(m) or [word.v for word in m.tallies]
        m.undo(mark)
        found: int = counted[seat]
        return found
