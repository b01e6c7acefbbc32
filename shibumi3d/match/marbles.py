"""States, moves and events of matches with marbles, with their specific types.

A :class:`~shibumi3d.match.match.Match` can be about any kind of game, so it declares only the general types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from shibumi3d.match.history import Ply
    from shibumi3d.match.match import Match
    from shibumi3d.rules import game
    from shibumi3d.rules.marbles import event as ev
    from shibumi3d.rules.marbles.move import Move
    from shibumi3d.rules.marbles.state import State


def marble_state(state: game.State) -> State:
    """Return ``state``, which belongs to a game with marbles."""
    return cast("State", state)


def marble_move(move: game.Move) -> Move:
    """Return ``move``, which belongs to a game with marbles."""
    return cast("Move", move)


def marble_moves(moves: Sequence[game.Move]) -> tuple[Move, ...]:
    """Return ``moves`` as a tuple; they belong to a game with marbles."""
    return cast("tuple[Move, ...]", tuple(moves))


def marble_events(events: Iterable[game.Event]) -> tuple[ev.Event, ...]:
    """Return ``events`` as a tuple; they belong to a game with marbles."""
    return cast("tuple[ev.Event, ...]", tuple(events))


def state_before(match: Match, plies: Sequence[Ply], ply: int) -> State:
    """Return the state before the move with index ``ply`` of ``plies``, the first moves of a match with marbles.

    The index may be that of the next move to be made.
    """
    return marble_state(plies[ply - 1].state if ply else match.initial_state)


def events_of(plies: Iterable[Ply]) -> list[ev.Event]:
    """Return the events of moves in a match with marbles."""
    return [*marble_events(event for ply in plies for event in ply.events)]
