"""What each seat was told in a match, as text: all that it may remember."""

from __future__ import annotations

from typing import Any

from shibumi3d.rules.game import Game


class Overheard:
    """What each seat was told until now, and what was chosen in secret and is not open yet. Never changed."""

    def __init__(
        self, lines: tuple[tuple[str, ...], ...], waiting: tuple[tuple[int, tuple[Any, ...]], ...] = ()
    ) -> None:
        self.lines = lines
        self.waiting = waiting
        """Seats and what came of their choices, which the others are told when it is opened."""

    @classmethod
    def of(cls, game: Game, state: Any) -> Overheard:
        """Return what each seat knows of a match that begins in ``state``."""
        return cls(tuple(("\n".join(game.lines(game.view(state, seat))),) for seat in range(state.seats)))

    def then(self, game: Game, before: Any, after: Any, events: tuple[Any, ...]) -> Overheard:
        """Return what each seat is told when the seat to move at ``before`` has chosen and ``events`` came of it.

        What is chosen in secret the others are told when it is revealed, so that nobody who chooses later has an
        advantage.
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


def _secret(state: Any) -> bool:
    return state.ask is not None and state.ask.sight == "hidden"
