"""Determinizations: random full states that are consistent with what a seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.state import State

MAX_DETERMINIZATIONS = 200
"""Maximum number of different determinizations; further iterations cycle through them."""
MAX_SAMPLING_ATTEMPTS = 20
"""Maximum number of attempts to find a determinization that has the known legal moves."""


class Determinizations:
    """Determinizations of ``view``, the view of ``seat``.

    They are sampled with the random generator ``rng``.
    """

    def __init__(self, game: BasicGame, view: State, seat: int, rng: Random) -> None:
        self._game, self._view, self._seat, self._rng = game, view, seat, rng
        self._facts = facts = game.facts(view.seats)
        self.has_several = (
            facts.has_secrets or facts.has_chance_in_play or (facts.has_chance and view._snapshot.phase < 0)
        )
        """Whether several determinizations are possible, because of hidden information or chance."""
        self._required_moves: tuple[str, ...] | None = None
        self._states: list[State] = []
        self.root_state = self.for_iteration(0)
        """Determinization that represents the position at the root of the search."""

    def for_iteration(self, iteration: int) -> State:
        """Return the determinization for an iteration of the search.

        The first :data:`MAX_DETERMINIZATIONS` iterations each get a new one; later iterations cycle through these. If
        only one determinization is possible, all iterations get the same one.
        """
        if not self.has_several:
            if not self._states:
                # Marbles dealt out of sight before the first turn and never drawn again don't matter: any deal will do.
                full_state = State(self._view._rules, self._view._snapshot, 0)
                self._states.append(self._sample() if self._facts.has_chance else full_state)
            return self._states[0]
        if iteration >= len(self._states) and len(self._states) < MAX_DETERMINIZATIONS:
            self._states.append(self._sample())
        return self._states[iteration % len(self._states)]

    def _sample(self) -> State:
        """Return a new determinization.

        If the legal moves are known, try up to :data:`MAX_SAMPLING_ATTEMPTS` times to find one that has exactly these
        moves; if none is found, return the last one sampled.
        """
        for _ in range(MAX_SAMPLING_ATTEMPTS):
            state = self._game.determinize(self._view, self._seat, self._rng)
            if self._required_moves is None or self._required_moves == legal_move_texts(self._game, state):
                break
        return state

    @property
    def moves(self) -> tuple[str, ...]:
        """Texts of the legal moves: those passed to :meth:`require_moves`, if any, else :attr:`sampled_moves`."""
        return self._required_moves or self.sampled_moves

    @property
    def sampled_moves(self) -> tuple[str, ...]:
        """Texts of the legal moves in the first determinization."""
        return legal_move_texts(self._game, self.root_state)

    def require_moves(self, moves: Sequence[str], iteration: int) -> None:
        """Set the legal moves of the searching seat, which can't always be determined from its view.

        If several determinizations are possible and the first one doesn't have exactly these legal moves, discard all
        of them and sample a new first one. ``iteration`` is the number of the current iteration.
        """
        self._required_moves = tuple(moves)
        if self.has_several and self.moves != self.sampled_moves:
            self._states = []
            self.root_state = self.for_iteration(iteration)


def legal_move_texts(game: BasicGame, state: State) -> tuple[str, ...]:
    """Return the texts of the legal moves in a full state."""
    return tuple([move.text for move in game.moves(state)])
