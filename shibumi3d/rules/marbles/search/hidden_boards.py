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
from shibumi3d.rules.marbles.bits import iter_bits
from shibumi3d.rules.marbles.engine.rules import PASS
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.state import State

if TYPE_CHECKING:
    from shibumi3d.rules.marbles.engine.machine import Machine


MAX_RECOLOURINGS = 150
"""Maximum number of recolourings tried to make a guess fit the known scores."""
MAX_MOVES_EVALUATED = 60
"""Maximum number of moves evaluated; if there are more, a random sample of this size is used."""


class HiddenBoardPlayer:
    """A computer player that chooses moves for ``seat`` when ``view`` has boards hidden from this seat."""

    def __init__(self, game: BasicGame, view: State, seat: int, rng: Random) -> None:
        self._game = game
        self._view = view
        self._seat = seat
        self._rng = rng
        self._engine = get_engine(game.size)
        self._machine: Machine

    def choose_move(self, moves: Sequence[str], guesses: int, should_stop: Callable[[], bool]) -> str:
        """Guess the hidden boards up to ``guesses`` times; return the move with the best average score.

        ``moves`` are all legal moves in the engine's order. If there are more than :data:`MAX_MOVES_EVALUATED`, only a
        random selection of that many is evaluated. ``should_stop`` is called after every guess; if it returns True, no
        more guesses are made. Return a random move if no board is hidden, or if no secret block is in progress, because
        the boards can't be scored then.
        """
        hidden = [i for i, sight in enumerate(self._view._rules.board_viewers) if not sight >> self._seat & 1]
        if not hidden or len(moves) == 1:
            return self._rng.choice(moves)
        places = list(range(len(moves)))
        if len(places) > MAX_MOVES_EVALUATED:
            places = sorted(self._rng.sample(places, MAX_MOVES_EVALUATED))
        sums = [0] * len(moves)
        for _ in range(guesses):
            full_state = self._game.determinize(self._view, self._seat, self._rng)
            fast = self._game.make_fast_game(self._view.seats, self._rng.getrandbits(30))
            fast.load(full_state)
            self._machine = fast.machine
            self._machine.uses_own_random = True
            if not self._engine.tallies_after_secrets(self._machine):
                return self._rng.choice(moves)
            self._fit_to_scores(hidden)
            codes = fast.choices()
            for place in places:
                sums[place] += self._score_after(codes[place])
            if should_stop():
                break
        best = max(sums[place] for place in places)
        return moves[self._rng.choice([place for place in places if sums[place] == best])]

    def _score_error(self) -> int:
        """Return how far the scores of the guessed boards are from the scores that everybody sees.

        The result is the sum of the absolute differences over all seats.
        """
        counted = self._engine.tallies_after_secrets(self._machine)
        return sum(abs(a - b) for a, b in zip(counted, self._view._snapshot.tallies, strict=True))

    def _fit_to_scores(self, hidden: list[int]) -> None:
        """Recolour random marbles on the boards ``hidden``; keep each change that doesn't increase the score error."""
        m, chance = self._machine, self._rng
        error = self._score_error()
        points = [(i, p) for i in hidden for p in iter_bits(m.boards[i].filled)]
        for _ in range(MAX_RECOLOURINGS if points else 0):
            if not error:
                return
            number, point = chance.choice(points)
            cell = m.boards[number].cells[point]
            before = m.boards[number].colour_at(1 << point)
            mark = m.undo_length
            m.recolour(cell, before, (before + chance.randrange(1, m.colours)) % m.colours)
            after = self._score_error()
            if after <= error:
                error = after
            else:
                m.undo(mark)

    def _score_after(self, code: int) -> int:
        """Return the seat's tally after a move, or 0 for a pass.

        After the move, the seat's remaining secret choices are made at random, up to and including the first one that
        has more than :data:`MAX_MOVES_EVALUATED` options. If the secret block is still in progress then, the result is
        what the tally would be if the block ended at that point. Everything is undone afterwards.
        """
        m, engine = self._machine, self._engine
        if code == PASS:
            return 0
        seat = m.me
        mark = engine.push_registers(m)
        ended = engine.take_option(m, code, None)
        while ended == engine.AWAITING_CHOICE and m.me == seat and m.secret_outer_seats[-1].value:
            codes = engine.legal_choices(m)
            if not codes:
                break
            ended = engine.take_option(m, self._rng.choice(codes), None)
            if len(codes) > MAX_MOVES_EVALUATED:
                break
        counted = engine.tallies_after_secrets(m) or [word.value for word in m.tallies]
        m.undo(mark)
        result: int = counted[seat]
        return result
