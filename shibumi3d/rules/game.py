"""A game as the rest of the program sees it: four verbs on a frozen state, and a view that keeps secrets."""

from __future__ import annotations

from typing import Any, Protocol

from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.state import Outcome, State


class Game(Protocol):
    """What match, record, search, scene and app know of a game. Seats are counted from 0."""

    id: str
    title: str

    def start(self, seats: int | None = None, seed: int = 0, deal: Any = None) -> State:
        """The first moment of a match."""

    def moves(self, state: State) -> tuple[Move, ...]:
        """The choices open now; none when the match is over."""

    def apply(self, state: State, move: Move | str) -> tuple[State, tuple[ev.Event, ...]]:
        """The state after a choice and what happened, in order. Raises IllegalMove."""

    def outcome(self, state: State) -> Outcome | None:
        """How the match ended, or None."""

    def view(self, state: State, seat: int) -> State:
        """The state with all that a seat may not know left out."""
