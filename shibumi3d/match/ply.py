"""Seats of a match and moves made in it."""

from __future__ import annotations

from dataclasses import dataclass

from shibumi3d.rules.game import Event, State

PERSON = "person"
"""Player type of a human player."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player in a match. ``kind`` is "person" or the level of the computer player."""

    name: str
    kind: str = PERSON

    @property
    def computer(self) -> bool:
        """Whether a computer plays this seat."""
        return self.kind != PERSON


@dataclass(frozen=True, slots=True)
class Ply:
    """A move made by ``seat`` in turn ``turn`` (both from 0), with its events and the state after it.

    ``move`` is its text. If the move was made out of turn, the text is prefixed with the seat, counted from 1, as in
    ``3:steal``. The types of ``state`` and ``events`` depend on the game.
    """

    seat: int
    turn: int
    move: str
    events: tuple[Event, ...]
    state: State
