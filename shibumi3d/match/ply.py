"""Who sits at a match, and one move that was made in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PERSON = "person"
"""The kind of a seat at which somebody sits."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits where. ``kind`` is "person", or the strength of the computer that plays there."""

    name: str
    kind: str = PERSON

    @property
    def computer(self) -> bool:
        """Whether nobody sits there."""
        return self.kind != PERSON


@dataclass(frozen=True, slots=True)
class Ply:
    """One move that was made: by ``seat``, in turn number ``turn`` (both from 0), what happened, what came of it.

    ``move`` is its text; out of turn with the seat before it, as in ``3:steal``. ``state`` and ``events`` are those of
    the game's own kind.
    """

    seat: int
    turn: int
    move: str
    events: tuple[Any, ...]
    state: Any
