"""What of a match with marbles is seen on its boards, and by whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shibumi3d.match.match import Match
from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.state import State


class Seen(Protocol):
    """A moment of a match, as the person at the screen may know it."""

    @property
    def state(self) -> State:
        """The state that is shown."""

    @property
    def view(self) -> State:
        """The same, as the person at the screen may know it."""

    @property
    def cloths(self) -> frozenset[int]:
        """The boards that the person at the screen may not see."""

    @property
    def unread(self) -> frozenset[int]:
        """The numbers of the moves that the person at the screen may not read."""

    @property
    def asking(self) -> bool:
        """Whether somebody may choose something now."""

    @property
    def opening(self) -> bool:
        """Whether all look at what was chosen in secret."""

    @property
    def sitting(self) -> int:
        """The seat from which the table is seen: of three and more players only its own marbles lie there."""

    def passed(self) -> Sequence[Ply]:
        """Return the moves that led to what is shown."""

    def all_know(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """Return the events of the last move as all who look may know them."""


class Open:
    """A ``match`` as it stands, of which nothing is hidden and nothing asked."""

    asking = opening = False
    cloths: frozenset[int] = frozenset()
    unread: frozenset[int] = frozenset()

    def __init__(self, match: Match) -> None:
        self.match = match

    @property
    def state(self) -> State:
        """The state that is shown."""
        state: State = self.match.state
        return state

    @property
    def view(self) -> State:
        """The same, as the person at the screen may know it."""
        return self.state

    @property
    def sitting(self) -> int:
        """The seat from which the table is seen."""
        return self.state.mover

    def passed(self) -> Sequence[Ply]:
        """Return the moves that led to what is shown."""
        return self.match.plies

    def all_know(self, events: Sequence[ev.Event]) -> Sequence[ev.Event]:
        """Return the events of the last move as all who look may know them."""
        return events
