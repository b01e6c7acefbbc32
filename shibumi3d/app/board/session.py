"""A match on a table of any kind: the moment shown, and what of it whoever looks may know. No pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shibumi3d.match.ply import Ply

from ..marbles import secrets
from .rereading import state_after
from .who import Who, once


class Session(Who):
    """What is seen of a match by whoever looks."""

    @once
    def state(self) -> Any:
        """The state shown."""
        return self.match.state if self.looking is None else state_after(self.match, self.looking)

    @property
    def cursor(self) -> int:
        """How many moves are shown."""
        return self.match.cursor if self.looking is None else self.looking

    def passed(self) -> Sequence[Ply]:
        """The moves that led to what is shown."""
        return self.match.plies[: self.cursor]

    @once
    def view(self) -> Any:
        """The state shown, as whoever looks may know it."""
        state, kept = (self.state, self.viewer), self._view
        if kept is None or kept[0][0] is not state[0] or kept[0][1] != state[1]:
            kept = self._view = state, secrets.view_of(self.match.game, *state)
        return kept[1]

    _view: tuple[tuple[Any, int | None], Any] | None = None
    """The same as long as state and viewer are, so that it can be told by what it is."""

    def view_before(self, ply: int) -> Any:
        """The state before move number ``ply``, as whoever looks may know it."""
        return secrets.view_of(self.match.game, state_after(self.match, ply), self.viewer)

    def own_view(self) -> Any:
        """The state as the person asked knows it."""
        return self.match.game.view(self.match.state, self.asked)

    def as_seen(self, events: Iterable[Any]) -> list[Any]:
        """The events that led to the state shown, as whoever looks may know them."""
        return secrets.as_seen_by(self.match.game, self.state, self.viewer, events)

    def moves_as_seen(self, plies: Iterable[Ply]) -> list[Any]:
        """The events of moves as whoever looks may know them."""
        found = []
        for ply in plies:
            found += secrets.as_seen_by(self.match.game, ply.state, self.viewer, ply.events)
        return found

    def moves(self) -> tuple[Any, ...]:
        """What the person asked may choose now."""
        if self.asked is None or not self.live or self.covered:
            return ()
        return self.match.game.moves(self.match.state, self.asked)

    @once
    def hidden(self) -> frozenset[int]:
        """The numbers of the moves that whoever looks may not read, of those that were taken back among them."""
        match = self.match
        back = self.kept_back() if match.undone else frozenset()
        return secrets.masked(match, match.plies, self.viewer) | back

    def masked(self, number: int) -> bool:
        """Whether whoever looks may not read a move, one that was taken back among them."""
        return number in self.hidden

    def kept_back(self) -> frozenset[int]:
        """The numbers of the moves taken back that whoever looks may not read."""
        match = self.match
        every = match.plies + match.undone
        # The move that ended the match opened everything: not while it goes on elsewhere.
        ended = every[-1].state.result is not None
        hidden = secrets.masked(match, every[:-1] if ended else every, self.viewer)
        return frozenset(number for number in hidden if number >= match.cursor)

    def past(self, seat: int) -> list[Any]:
        """The states at which the turns before this one began, as ``seat`` may know them; none where none recurs."""
        if not self.facts.recurs or not self.match.plies:
            return []
        begun = [self.match.first, *[ply.state for ply in self.match.plies[:-1]]]
        return [self.match.game.view(state, seat) for state in begun if not state.step]

    def turn_start(self) -> int:
        """The number of the first move of the last turn, or of this one if it has begun."""
        plies = self.match.plies
        first = len(plies) - 1
        while first > 0 and plies[first - 1].turn == plies[-1].turn:
            first -= 1
        return max(first, 0)

    def forced(self) -> Any:
        """The one answer that the question before everybody has, which is given by itself; None where there is none."""
        ask = self.match.state.ask
        if ask is None or ask.sight != "open" or not ask.default:
            return None
        moves = self.match.game.moves(self.match.state, ask.seats[0])
        return moves[0] if len(moves) == 1 and moves[0].text == ask.default else None

    def last(self) -> Sequence[Any]:
        """The events of the last turn shown."""
        plies = self.match.plies[: self.cursor]
        turn = [ply for ply in plies if ply.turn == plies[-1].turn] if plies else []
        return self.as_seen([event for ply in turn for event in ply.events])
