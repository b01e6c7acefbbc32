"""What the person at the screen may not know: covered boards, secret moves and hidden stocks.

:meth:`Game.view` limits a state to what a seat may know, and :meth:`Game.as_seen_by` limits events. This module does
the same for earlier moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from shibumi3d.match.match import Match
    from shibumi3d.match.ply import Ply
    from shibumi3d.rules.game import Event, Game
    from shibumi3d.rules.marbles.state import State

ALL = -1
"""Viewer number for a screen shared by all seats; hides everything that any seat may not know."""


def eyes(state: State, seat: int) -> range:
    """Return the seats that are looking: all of them for :data:`ALL`, otherwise just ``seat``."""
    return range(state.seats) if seat == ALL else range(seat, seat + 1)


def view_of(game: Game, state: State, seat: int | None) -> State:
    """Return the state, limited to what ``seat`` may know; if ``seat`` is None, return all of it."""
    return state if seat is None else game.view(state, None if seat == ALL else seat)


def public_viewer(match: Match) -> int | None:
    """Return the viewer to assume when it is unknown who is looking at a match.

    This is :data:`ALL` while the match, including its undone moves, is unfinished. Afterwards it is None, so that
    everything is shown.
    """
    every = (*match.plies, *match.undone)
    last = every[-1].state if every else match.first
    return ALL if last.result is None else None


def front(match: Match) -> int:
    """Return the seat from whose side to show a match: the only person's or, by default, the first."""
    persons = [number for number, seat in enumerate(match.seats) if not seat.computer]
    return persons[0] if len(persons) == 1 else 0


def covered(state: State, seat: int | None) -> frozenset[int]:
    """Return the boards hidden from ``seat``; none if ``seat`` is None or the match is over."""
    if seat is None:
        return frozenset()
    shut = getattr(state, "covered", _nothing)
    return frozenset().union(*[shut(each) for each in eyes(state, seat)])


def _nothing(seat: int) -> frozenset[int]:
    """Return an empty set. This is the default for table kinds in which nothing can be covered."""
    return frozenset()


def as_seen_by(game: Game, state: State, seat: int | None, events: Iterable[Event]) -> list[Any]:
    """Return ``events``, limited to what ``seat`` may know in ``state``.

    If ``seat`` is None, return all of them.
    """
    return list(events if seat is None else game.as_seen_by(state, events, None if seat == ALL else seat))


def kept(game: Game, state: State, seat: int, events: Sequence[Event]) -> bool:
    """Return whether any part of ``events`` is hidden from ``seat``."""
    return as_seen_by(game, state, seat, events) != list(events)


def sealed(match: Match, plies: Sequence[Ply], viewer: int | None) -> bool:
    """Return whether ``viewer`` must not undo ``plies``, which are the last moves of ``match``.

    They must not be undone if they involved chance, revealed something, or are secrets of another seat.
    """
    if any(event.seals for ply in plies for event in ply.events):
        return True
    hidden = masked(match, match.plies, viewer)
    return any(number in hidden for number in range(match.cursor - len(plies), match.cursor))


def masked(match: Match, plies: Sequence[Ply], seat: int | None) -> frozenset[int]:
    """Return the indexes of the moves among ``plies`` that are hidden from ``seat``.

    ``plies`` are the first moves of the match; what is hidden depends on the state after them.
    """
    state: State = plies[-1].state if plies else match.first
    # Go through the whole match only if it has secrets.
    if seat is None or state.result is not None or not match.game.facts(state.seats).secrets:
        return frozenset()
    if seat == ALL:
        return frozenset().union(*[masked(match, plies, each) for each in eyes(state, seat)])
    found: set[int] = set()
    # If the number of marbles in a stock is hidden, secretly declining to add one must be hidden as well.
    uncounted = getattr(state, "uncounted", _nothing)(seat)
    still_shut = True
    for number in range(len(plies) - 1, -1, -1):
        ply = plies[number]
        before: State = plies[number - 1].state if number else match.first
        in_secret = before.ask is not None and before.ask.sight == "hidden"
        still_shut = still_shut and in_secret and not any(event.reveals for event in ply.events)
        # Other table kinds reveal all secret choices in the end, but stocks of marbles may remain hidden.
        marbles = hasattr(state, "uncounted")
        opened = in_secret and not still_shut and not marbles
        # Look only at the choice itself. What follows from it by rule or chance is hidden separately; masking the move
        # as well would reveal that something followed. With marbles, the choice is the first event.
        chosen = ply.events[:1] if marbles else [event for event in ply.events if not event.seals]
        if ply.seat != seat and (
            still_shut
            or (not opened and kept(match.game, state, seat, chosen))
            or (uncounted and in_secret and not ply.events)
        ):
            found.add(number)
    return frozenset(found)
