"""Functions for matches with marbles, such as casts of states, moves and events to the types of such games.

A :class:`~shibumi3d.match.match.Match` can be of any kind of game, so it declares only the general types.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from shibumi3d.match import visibility
from shibumi3d.rules.marbles.event import Dropped, Entered, Moved, Placed, Pushed, SideDropped
from shibumi3d.rules.marbles.facts import MarbleFacts

if TYPE_CHECKING:
    from shibumi3d.match.history import Ply
    from shibumi3d.match.match import Match
    from shibumi3d.rules import game
    from shibumi3d.rules.marbles import event as ev
    from shibumi3d.rules.marbles.move import Move
    from shibumi3d.rules.marbles.state import State


def has_marbles(match: Match) -> bool:
    """Return whether a match is played with marbles on boards."""
    return isinstance(match.game.facts(len(match.seats)), MarbleFacts)


def marble_state(state: game.State) -> State:
    """Return ``state`` cast to the state of a game with marbles."""
    return cast("State", state)


def marble_move(move: game.Move) -> Move:
    """Return ``move`` cast to a move in a game with marbles."""
    return cast("Move", move)


def marble_moves(moves: Sequence[game.Move]) -> tuple[Move, ...]:
    """Return ``moves`` as a tuple, cast to moves in a game with marbles."""
    return cast("tuple[Move, ...]", tuple(moves))


def marble_events(events: Iterable[game.Event]) -> tuple[ev.Event, ...]:
    """Return ``events`` as a tuple, cast to events in a game with marbles."""
    return cast("tuple[ev.Event, ...]", tuple(events))


def state_before(match: Match, plies: Sequence[Ply], ply: int) -> State:
    """Return the state before the move ``plies[ply]`` of a match with marbles.

    ``plies`` holds the moves from the beginning of the match. If ``ply`` is ``len(plies)``, return the state after all
    of them.
    """
    return marble_state(plies[ply - 1].state if ply else match.initial_state)


def events_of(plies: Iterable[Ply]) -> list[ev.Event]:
    """Return the events of moves in a match with marbles."""
    return [*marble_events(event for ply in plies for event in ply.events)]


def last_turn_points(match: Match, state: State, viewer: int | None) -> set[tuple[int, int]]:
    """Return the board and the point of each marble that was placed or moved in the last turn.

    Marbles that were only pushed or dropped are not included. If a marble that was placed or moved was then pushed or
    dropped, the point where it is now is returned. Only moves that ``viewer`` may know count, and only marbles that are
    still on the boards of ``state``.
    """
    plies, hidden = match.plies, visibility.hidden_plies(match, match.plies, viewer)
    shown = [ply for number, ply in enumerate(plies) if number not in hidden and ply.turn == plies[-1].turn]
    turn = events_of(shown)
    filled = [state.filled(board) for board in range(len(state.board_names))]
    return {(board, point) for board, point in _changed_points(turn) if filled[board] >> point & 1}


def _changed_points(events: Iterable[ev.Event]) -> set[tuple[int, int]]:
    places: set[tuple[int, int]] = set()
    for event in events:
        if isinstance(event, Placed | Moved | Entered):
            places.add((event.board, event.point))
        elif isinstance(event, Dropped | Pushed | SideDropped) and (event.board, event.origin) in places:
            places.discard((event.board, event.origin))
            places.add((event.board, event.point))
    return places
