"""Model of a match page, for tables of any kind: the position shown, and what the viewer may know.

Nothing here depends on how a table is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.match.ply import Ply

from ..marbles import secrets
from .rereading import state_after
from .who import Who, once

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, Move, State


class Session(Who):
    """A match as the current viewer sees it, at the current or an earlier position."""

    @once
    def state(self) -> State:
        """State shown, including hidden information."""
        return self.match.state if self.looking is None else state_after(self.match, self.looking)

    @property
    def cursor(self) -> int:
        """Number of moves made up to the state shown."""
        return self.match.cursor if self.looking is None else self.looking

    def passed(self) -> Sequence[Ply]:
        """Return the moves that led to the state shown."""
        return self.match.plies[: self.cursor]

    @once
    def view(self) -> State:
        """State shown, limited to what the viewer may know."""
        state, kept = (self.state, self.viewer), self._view
        if kept is None or kept[0][0] is not state[0] or kept[0][1] != state[1]:
            kept = self._view = state, secrets.view_of(self.match.game, *state)
        return kept[1]

    _view: tuple[tuple[Any, int | None], Any] | None = None
    """Cached view, with the state and the viewer for which it was computed.

    As long as neither changes, ``view`` returns the same object, so callers may compare views by identity.
    """

    def view_before(self, ply: int) -> State:
        """Return the state before the move with index ``ply``, limited to what the viewer may know."""
        return secrets.view_of(self.match.game, state_after(self.match, ply), self.viewer)

    def own_view(self) -> State:
        """Return the current state, limited to what the seat to choose may know."""
        return self.match.game.view(self.match.state, self.asked)

    def as_seen(self, events: Iterable[Event]) -> list[Any]:
        """Return the events that led to the state shown, limited to what the viewer may know."""
        return secrets.as_seen_by(self.match.game, self.state, self.viewer, events)

    def moves_as_seen(self, plies: Iterable[Ply]) -> list[Move]:
        """Return the events of moves, limited to what the viewer may know."""
        found = []
        for ply in plies:
            found += secrets.as_seen_by(self.match.game, ply.state, self.viewer, ply.events)
        return found

    def moves(self) -> tuple[Move, ...]:
        """Return the legal moves of the person who must choose now.

        There are none while an earlier position is shown or the handover screen covers the board.
        """
        if self.asked is None or not self.live or self.covered:
            return ()
        return self.match.game.moves(self.match.state, self.asked)

    @once
    def hidden(self) -> frozenset[int]:
        """Indexes of the moves that are hidden from the viewer, including undone moves."""
        match = self.match
        back = self.kept_back() if match.undone else frozenset()
        return secrets.masked(match, match.plies, self.viewer) | back

    def masked(self, number: int) -> bool:
        """Return whether a move, which may have been undone, is hidden from the viewer."""
        return number in self.hidden

    def kept_back(self) -> frozenset[int]:
        """Return the indexes of the undone moves that are hidden from the viewer."""
        match = self.match
        every = match.plies + match.undone
        # The last move of a match reveals everything. Ignore that once it has been undone, since play may continue
        # differently.
        ended = every[-1].state.result is not None
        hidden = secrets.masked(match, every[:-1] if ended else every, self.viewer)
        return frozenset(number for number in hidden if number >= match.cursor)

    def past(self, seat: int) -> list[Any]:
        """Return the states at the start of earlier turns, each limited to what ``seat`` may know.

        The list is empty for games in which positions can't repeat.
        """
        if not self.facts.recurs or not self.match.plies:
            return []
        begun = [self.match.first, *[ply.state for ply in self.match.plies[:-1]]]
        return [self.match.game.view(state, seat) for state in begun if not state.step]

    def turn_start(self) -> int:
        """Return the index of the first move of the last turn, which may be unfinished."""
        plies = self.match.plies
        first = len(plies) - 1
        while first > 0 and plies[first - 1].turn == plies[-1].turn:
            first -= 1
        return max(first, 0)

    def forced(self) -> Any:
        """Return the move to play automatically, or None.

        A move is played automatically if it is the default of an open choice and no other move is legal.
        """
        ask = self.match.state.ask
        if ask is None or ask.sight != "open" or not ask.default:
            return None
        moves = self.match.game.moves(self.match.state, ask.seats[0])
        return moves[0] if len(moves) == 1 and moves[0].text == ask.default else None

    def last(self) -> Sequence[Any]:
        """Return the events of the last turn shown, limited to what the viewer may know."""
        plies = self.match.plies[: self.cursor]
        turn = [ply for ply in plies if ply.turn == plies[-1].turn] if plies else []
        return self.as_seen([event for ply in turn for event in ply.events])
