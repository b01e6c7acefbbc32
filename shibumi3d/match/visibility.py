"""What a viewer may not know: covered boards, secret moves and hidden stocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from shibumi3d.match.history import Ply
    from shibumi3d.match.match import Match
    from shibumi3d.rules.game import Event, Game, State


StateT = TypeVar("StateT", bound="State")
EventT = TypeVar("EventT", bound="Event")

ALL_SEATS = -1
"""Viewer number for a screen shared by all seats: whatever must be hidden from at least one of them is hidden."""


def viewing_seats(state: State, seat: int) -> range:
    """Return the seats meant by ``seat``: all of them for :data:`ALL_SEATS`, otherwise just that seat."""
    return range(state.seats) if seat == ALL_SEATS else range(seat, seat + 1)


def observe(game: Game, state: StateT, viewer: int | None) -> StateT:
    """Return the state, limited to what ``viewer`` may know; if ``viewer`` is None, return all of it."""
    if viewer is None:
        return state
    return cast("StateT", game.observe(state, None if viewer == ALL_SEATS else viewer))


def public_viewer(match: Match) -> int | None:
    """Return the viewer to assume when it is unknown who is looking at a match.

    This is :data:`ALL_SEATS` while the match, including its undone moves, is unfinished. Afterwards it is None, so that
    everything is shown.
    """
    every = (*match.plies, *match.undone)
    last = every[-1].state if every else match.initial_state
    return ALL_SEATS if last.result is None else None


def default_perspective_seat(match: Match) -> int:
    """Return the seat from whose side to show a match.

    This is the only person's seat, or seat 0 if there isn't exactly one person.
    """
    persons = [number for number, seat in enumerate(match.seats) if not seat.is_computer]
    return persons[0] if len(persons) == 1 else 0


def covered_boards(state: State, viewer: int | None) -> frozenset[int]:
    """Return the boards hidden from ``viewer``; none if ``viewer`` is None or the match is over."""
    if viewer is None:
        return frozenset()
    shut = getattr(state, "hidden_boards", _empty_set)
    return frozenset().union(*[shut(viewing_seat) for viewing_seat in viewing_seats(state, viewer)])


def _empty_set(seat: int) -> frozenset[int]:
    """Return an empty set.

    The function stands in for two methods that only the states of marble games have: ``hidden_boards``, and
    ``has_hidden_stock_sizes``, for which the empty set counts as False.
    """
    return frozenset()


def observe_events(game: Game, state: State, viewer: int | None, events: Iterable[EventT]) -> list[EventT]:
    """Return ``events``, limited to what ``viewer`` may know in ``state``.

    If ``viewer`` is None, return all of them.
    """
    if viewer is None:
        return list(events)
    observed = game.observe_events(state, events, None if viewer == ALL_SEATS else viewer)
    return cast("list[EventT]", list(observed))


def hides_any(game: Game, state: State, seat: int, events: Sequence[Event]) -> bool:
    """Return whether any part of ``events`` is hidden from ``seat``."""
    return observe_events(game, state, seat, events) != list(events)


def is_undo_forbidden(match: Match, plies: Sequence[Ply], viewer: int | None) -> bool:
    """Return whether ``viewer`` must not undo ``plies``, which are the last moves of ``match``.

    They must not be undone if any of them involves chance, reveals information or is hidden from ``viewer``.
    """
    if any(event.blocks_undo for ply in plies for event in ply.events):
        return True
    hidden = hidden_plies(match, match.plies, viewer)
    return any(number in hidden for number in range(match.cursor - len(plies), match.cursor))


def hidden_plies(match: Match, plies: Sequence[Ply], viewer: int | None) -> frozenset[int]:
    """Return the indices of the moves among ``plies`` that are hidden from ``viewer``.

    ``plies`` are the first moves of the match; what is hidden depends on the state after them.
    """
    state: State = plies[-1].state if plies else match.initial_state
    # Go through the whole match only if it has secrets.
    if viewer is None or state.result is not None or not match.game.facts(state.seats).has_secrets:
        return frozenset()
    if viewer == ALL_SEATS:
        return frozenset().union(
            *[hidden_plies(match, plies, viewing_seat) for viewing_seat in viewing_seats(state, viewer)]
        )
    result: set[int] = set()
    # If the number of marbles in a stock is hidden, secretly declining to add one must be hidden as well.
    uncounted = getattr(state, "has_hidden_stock_sizes", _empty_set)(viewer)
    still_shut = True
    for number in range(len(plies) - 1, -1, -1):
        ply = plies[number]
        before: State = plies[number - 1].state if number else match.initial_state
        in_secret = before.decision is not None and before.decision.visibility == "hidden"
        still_shut = still_shut and in_secret and not any(event.ends_secrecy for event in ply.events)
        # Other table kinds reveal all secret choices in the end, but stocks of marbles may remain hidden.
        marbles = hasattr(state, "has_hidden_stock_sizes")
        opened = in_secret and not still_shut and not marbles
        # Look only at the choice itself. What follows from it by rule or chance is hidden separately; masking the move
        # as well would reveal that something followed. With marbles, the choice is the first event.
        chosen = ply.events[:1] if marbles else [event for event in ply.events if not event.blocks_undo]
        if ply.seat != viewer and (
            still_shut
            or (not opened and hides_any(match.game, state, viewer, chosen))
            or (uncounted and in_secret and not ply.events)
        ):
            result.add(number)
    return frozenset(result)
