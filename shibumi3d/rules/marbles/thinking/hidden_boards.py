"""Choosing where whole boards are hidden: guesses that fit all answers, and what brings most if they are right.

A tree would have to guess far too much. What is hidden is laid at random and mended until counting up now would give
the scores that everybody sees; then each choice is judged by what counting up would give after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.bits import bits
from shibumi3d.rules.marbles.engine.rules import PASS
from shibumi3d.rules.marbles.engines import engine_of
from shibumi3d.rules.marbles.state import State

MENDS = 150
"""Marbles changed at most to make a guess fit."""
MOST = 60
"""Choices judged at most; of more, so many at random."""


class HiddenBoards:
    """What brings most to ``seat`` at ``view``, where boards are hidden from it."""

    def __init__(self, game: BasicGame, view: State, seat: int, chance: Random) -> None:
        self._game = game
        self._view = view
        self._seat = seat
        self._chance = chance
        self._engine = engine_of(game.size)
        self._machine: Any = None

    def best(self, moves: Sequence[str], tries: int, stop: Callable[[], bool]) -> str:
        """Return the one of ``moves`` that brings most, by so many guesses; any, where nothing can be told."""
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
        """By how much counting up now would differ from what everybody sees."""
        counted = self._engine.settled(self._machine)
        return sum(abs(a - b) for a, b in zip(counted, self._view._at.tallies, strict=True))

    def _mend(self, hidden: list[int]) -> None:
        """Change marbles on hidden boards, one by one, as long as that fits better."""
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
        """What counting up would give after a choice, what is left of it being done at random."""
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
