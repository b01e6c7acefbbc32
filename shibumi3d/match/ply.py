"""Seats of a match and the moves made in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PERSON = "person"
"""Player type of a human player."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a match. ``kind`` is "person" or the level of the computer that plays."""

    name: str
    kind: str = PERSON

    @property
    def computer(self) -> bool:
        """Whether a computer plays this seat."""
        return self.kind != PERSON


@dataclass(frozen=True, slots=True)
class Ply:
    """A move that was made by ``seat`` in turn number ``turn`` (both from 0), with its events and the state after it.

    ``move`` is its text, prefixed with the seat (from 1) if it was made out of turn, e.g. ``3:steal``. The types of
    ``state`` and ``events`` depend on the game.
    """

    seat: int
    turn: int
    move: str
    events: tuple[Any, ...]
    state: Any
