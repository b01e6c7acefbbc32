"""What each seat has observed in a match. This module doesn't need OpenSpiel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event, State


class Observations:
    """What each seat has observed so far, and the secret moves that are not yet revealed.

    ``lines`` holds, for each seat, the initial table and the events that the seat has observed, as text. An instance is
    never changed; :meth:`after_move` returns a new one.
    """

    def __init__(
        self, lines: tuple[tuple[str, ...], ...], hidden: tuple[tuple[int, tuple[Event, ...]], ...] = ()
    ) -> None:
        self.lines = lines
        self.hidden_events = hidden
        """Secret moves that are not yet revealed, each as the seat that made it and its events."""

    @classmethod
    def at_start(cls, game: Game, state: State) -> Observations:
        """Return what each seat knows in ``state``, the initial state of a match."""
        return cls(
            tuple(("\n".join(game.table_lines(game.observe(state, seat))),) for seat in range(state.seats))
        )

    def after_move(self, game: Game, before: State, after: State, events: tuple[Event, ...]) -> Observations:
        """Return what each seat has observed after another move.

        The move was made by ``before.to_move``. It led from the state ``before`` to the state ``after`` and caused
        ``events``. Other seats observe a secret move only when it is revealed, so that a seat that chooses later gains
        no advantage.
        """
        actor = before.to_move
        assert actor is not None
        hidden_boards = (
            _is_secret_choice(before)
            and _is_secret_choice(after)
            and not any(event.ends_secrecy for event in events)
        )
        lines = []
        for seat, known in enumerate(self.lines):
            revealed = [] if hidden_boards else [each for who, each in self.hidden_events if who != seat]
            if seat == actor or not hidden_boards:
                revealed.append(events)
            seen = (event for each in revealed for event in game.observe_events(after, each, seat))
            lines.append((*known, *map(repr, seen)))
        return Observations(tuple(lines), (*self.hidden_events, (actor, events)) if hidden_boards else ())


def _is_secret_choice(state: State) -> bool:
    return state.decision is not None and state.decision.visibility == "hidden"
