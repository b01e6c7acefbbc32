"""What is hidden from a seat, dealt at random: whole states that look like its view, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.state import State

DEALS = 200
"""How many ways of dealing what is hidden are looked at; then they come again."""
REDEALS = 20
"""Deals tried until one offers what is known to be open."""


class Deals:
    """Whole states that look like the ``view`` of a ``seat``, drawn with ``chance``."""

    def __init__(self, game: BasicGame, view: State, seat: int, chance: Random) -> None:
        self._game, self._view, self._seat, self._chance = game, view, seat, chance
        self._facts = facts = game.facts(view.seats)
        self.hides = facts.secrets or facts.draws or (facts.chance and view._at.phase < 0)
        """Whether there is more than one: something is hidden, or chance decides what is to come."""
        self._offered: tuple[str, ...] | None = None
        self._dealt: list[State] = []
        self.first = self.of(0)
        """The whole state from which it is looked."""

    def of(self, number: int) -> State:
        """Return the whole state for a try of that number, another one each time until there are enough."""
        if not self.hides:
            if not self._dealt:
                # What was dealt before the first turn, unseen and never drawn from again, may be anything.
                whole = State(self._view._rules, self._view._at, 0)
                self._dealt.append(self._deal() if self._facts.chance else whole)
            return self._dealt[0]
        if number >= len(self._dealt) and len(self._dealt) < DEALS:
            self._dealt.append(self._deal())
        return self._dealt[number % len(self._dealt)]

    def _deal(self) -> State:
        """What is hidden dealt anew, so that what is known to be open is open, if that can be found."""
        for _ in range(REDEALS):
            state = self._game.sample_hidden(self._view, self._seat, self._chance)
            if self._offered is None or self._offered == open_at(self._game, state):
                break
        return state

    @property
    def moves(self) -> tuple[str, ...]:
        """The choices open now."""
        return self._offered or self.open

    @property
    def open(self) -> tuple[str, ...]:
        """The choices that the first whole state offers."""
        return open_at(self._game, self.first)

    def offer(self, moves: Sequence[str], number: int) -> None:
        """Take it as known that these texts are open to the seat, from the try of that number on."""
        self._offered = tuple(moves)
        if self.hides and self.moves != self.open:
            self._dealt = []
            self.first = self.of(number)


def open_at(game: BasicGame, state: State) -> tuple[str, ...]:
    """Return what may be chosen at a whole state."""
    return tuple([move.text for move in game.moves(state)])
