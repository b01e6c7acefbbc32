"""Determinization: random full states that are consistent with what a seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.state import State

DEALS = 200
"""Number of different determinizations; further iterations cycle through them."""
REDEALS = 20
"""Number of attempts to find a determinization that has the known legal moves."""


class Deals:
    """Determinizations of ``view``, which is the view of ``seat``.

    They are sampled with the random generator ``chance``.
    """

    def __init__(self, game: BasicGame, view: State, seat: int, chance: Random) -> None:
        self._game, self._view, self._seat, self._chance = game, view, seat, chance
        self._facts = facts = game.facts(view.seats)
        self.hides = facts.secrets or facts.draws or (facts.chance and view._at.phase < 0)
        """Whether several determinizations are possible, because of hidden information or chance."""
        self._offered: tuple[str, ...] | None = None
        self._dealt: list[State] = []
        self.first = self.of(0)
        """Determinization that represents the position at the root of the search."""

    def of(self, number: int) -> State:
        """Return the determinization for an iteration of the search.

        The first :data:`DEALS` iterations each get a new one; later iterations cycle through these.
        """
        if not self.hides:
            if not self._dealt:
                # Marbles dealt out of sight before the first turn and never drawn again do not matter: any deal will
                # do.
                whole = State(self._view._rules, self._view._at, 0)
                self._dealt.append(self._deal() if self._facts.chance else whole)
            return self._dealt[0]
        if number >= len(self._dealt) and len(self._dealt) < DEALS:
            self._dealt.append(self._deal())
        return self._dealt[number % len(self._dealt)]

    def _deal(self) -> State:
        """Return a new determinization.

        If the legal moves are known, try up to :data:`REDEALS` times to find one that has exactly these moves.
        """
        for _ in range(REDEALS):
            state = self._game.sample_hidden(self._view, self._seat, self._chance)
            if self._offered is None or self._offered == open_at(self._game, state):
                break
        return state

    @property
    def moves(self) -> tuple[str, ...]:
        """Texts of the legal moves: those passed to :meth:`offer`, if any, else :attr:`open`."""
        return self._offered or self.open

    @property
    def open(self) -> tuple[str, ...]:
        """Texts of the legal moves in the first determinization."""
        return open_at(self._game, self.first)

    def offer(self, moves: Sequence[str], number: int) -> None:
        """Set the legal moves of the seat to ``moves``, since its view alone may not determine them.

        If the legal moves of the first determinization differ, discard all determinizations and sample new ones,
        starting at iteration ``number``.
        """
        self._offered = tuple(moves)
        if self.hides and self.moves != self.open:
            self._dealt = []
            self.first = self.of(number)


def open_at(game: BasicGame, state: State) -> tuple[str, ...]:
    """Return the texts of the legal moves in a full state."""
    return tuple([move.text for move in game.moves(state)])
