"""What the boards in a match of marbles show, and to whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shibumi3d.match.match import Match
from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State


class Seen(Protocol):
    """One position in a match, and what the viewer may know of it."""

    @property
    def state(self) -> State:
        """State shown, including hidden information."""

    @property
    def view(self) -> State:
        """State shown, limited to what the viewer may know."""

    @property
    def cloths(self) -> frozenset[int]:
        """Indexes of the boards that are hidden from the viewer, and so drawn covered."""

    @property
    def unread(self) -> frozenset[int]:
        """Indexes of the moves that are hidden from the viewer."""

    @property
    def asking(self) -> bool:
        """Whether somebody may make a choice now."""

    @property
    def opening(self) -> bool:
        """Whether secret choices are being revealed to everybody."""

    @property
    def sitting(self) -> int:
        """Seat from whose side the table is shown.

        With three or more players, only the marbles of this seat are on the table.
        """

    def passed(self) -> Sequence[Ply]:
        """Return the moves that led to the state shown."""

    def all_know(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """Return the events of the last move, limited to what everybody may know."""


class Open:
    """Current position of ``match``, with nothing hidden and no choice to make."""

    asking = opening = False
    cloths: frozenset[int] = frozenset()
    unread: frozenset[int] = frozenset()

    def __init__(self, match: Match) -> None:
        self.match = match

    @property
    def state(self) -> State:
        """Current state of the match."""
        state: State = self.match.state
        return state

    @property
    def view(self) -> State:
        """Current state of the match; nothing is hidden."""
        return self.state

    @property
    def sitting(self) -> int:
        """Seat from whose side the table is shown, which is the seat to move."""
        return self.state.mover

    def passed(self) -> Sequence[Ply]:
        """Return the moves played so far."""
        return self.match.plies

    def all_know(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """Return the events unchanged, because nothing is hidden."""
        return events
