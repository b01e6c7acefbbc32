"""What the person at the screen may not know: covered boards, secret moves and hidden stocks.

:meth:`Game.view` limits the state to what a seat may know, and :meth:`Game.as_seen_by` limits the events. This module
does the same for moves made earlier.
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
"""Seat number that stands for a shared screen: whatever any one seat may not know is hidden."""


def eyes(state: State, seat: int) -> range:
    """Return the seats that are looking: all of them for :data:`ALL`, else just ``seat``."""
    return range(state.seats) if seat == ALL else range(seat, seat + 1)


def view_of(game: Game, state: State, seat: int | None) -> State:
    """Return the state as ``seat`` may know it, or all of it if ``seat`` is None."""
    return state if seat is None else game.view(state, None if seat == ALL else seat)


def public_viewer(match: Match) -> int | None:
    """Return the viewer for whom to show a match when it is unknown who is looking.

    It is :data:`ALL` as long as the match, including undone moves, is unfinished. After that it is None, which shows
    everything.
    """
    every = (*match.plies, *match.undone)
    last = every[-1].state if every else match.first
    return ALL if last.result is None else None


def front(match: Match) -> int:
    """Return the seat from whose side a match is shown: the only person, else the first seat."""
    persons = [number for number, seat in enumerate(match.seats) if not seat.computer]
    return persons[0] if len(persons) == 1 else 0


def covered(state: State, seat: int | None) -> frozenset[int]:
    """Return the boards hidden from ``seat``: none if it is None, or if the match is over."""
    if seat is None:
        return frozenset()
    shut = getattr(state, "covered", _nothing)
    return frozenset().union(*[shut(each) for each in eyes(state, seat)])


def _nothing(seat: int) -> frozenset[int]:
    """Return an empty set: the default for table kinds that can't cover anything."""
    return frozenset()


def as_seen_by(game: Game, state: State, seat: int | None, events: Iterable[Event]) -> list[Any]:
    """Return ``events`` as ``seat`` may know them in ``state``, or all of them if ``seat`` is None."""
    return list(events if seat is None else game.as_seen_by(state, events, None if seat == ALL else seat))


def kept(game: Game, state: State, seat: int, events: Sequence[Event]) -> bool:
    """Return whether any part of ``events`` is hidden from ``seat``."""
    return as_seen_by(game, state, seat, events) != list(events)


def sealed(match: Match, plies: Sequence[Ply], viewer: int | None) -> bool:
    """Return whether ``viewer`` must not undo ``plies``, the last moves of ``match``.

    That is so if they involved chance, revealed something, or are another seat's secret.
    """
    if any(event.seals for ply in plies for event in ply.events):
        return True
    hidden = masked(match, match.plies, viewer)
    return any(number in hidden for number in range(match.cursor - len(plies), match.cursor))


def masked(match: Match, plies: Sequence[Ply], seat: int | None) -> frozenset[int]:
    """Return the indices of the moves hidden from ``seat`` after ``plies``.

    ``plies`` are the first moves of the match.
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
        # Other table kinds reveal everything that was chosen in secret; stocks of marbles may stay hidden.
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
