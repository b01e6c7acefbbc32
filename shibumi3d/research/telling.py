"""Information states as text: what each seat has observed in a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shibumi3d.rules.game import Game

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, State


class Overheard:
    """What each seat has observed so far, and the secret moves that are not yet revealed. Immutable."""

    def __init__(
        self, lines: tuple[tuple[str, ...], ...], waiting: tuple[tuple[int, tuple[Any, ...]], ...] = ()
    ) -> None:
        self.lines = lines
        self.waiting = waiting
        """Secret moves not revealed yet: the seat, and the events to be told to the others."""

    @classmethod
    def of(cls, game: Game, state: State) -> Overheard:
        """Return what each seat knows at the start of a match, when its state is ``state``."""
        return cls(tuple(("\n".join(game.lines(game.view(state, seat))),) for seat in range(state.seats)))

    def then(self, game: Game, before: State, after: State, events: tuple[Event, ...]) -> Overheard:
        """Return what each seat knows after a move and its ``events``.

        The move was made by the seat to move in the state ``before``. Other seats observe a secret move only when it is
        revealed, so that a seat that chooses later gains no advantage.
        """
        actor = before.to_move
        shut = _secret(before) and _secret(after) and not any(event.reveals for event in events)
        lines = []
        for seat, known in enumerate(self.lines):
            told = [] if shut else [each for who, each in self.waiting if who != seat]
            if seat == actor or not shut:
                told.append(events)
            seen = (event for each in told for event in game.as_seen_by(after, each, seat))
            lines.append((*known, *map(repr, seen)))
        return Overheard(tuple(lines), (*self.waiting, (actor, events)) if shut else ())


def _secret(state: State) -> bool:
    return state.ask is not None and state.ask.sight == "hidden"
