"""What the person at the screen may not know: boards under a cloth, moves made in secret, marbles in other hands.

A seat sees the state through :meth:`Game.view` and is told of events by :meth:`Game.as_seen_by`; here the moves already
made are treated alike.
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
"""Stands for a seat where everybody looks: what one of them may not know is kept from all."""


def eyes(state: State, seat: int) -> range:
    """The seats that look."""
    return range(state.seats) if seat == ALL else range(seat, seat + 1)


def view_of(game: Game, state: State, seat: int | None) -> State:
    """The state as ``seat`` may know it; None: all of it."""
    return state if seat is None else game.view(state, None if seat == ALL else seat)


def public_viewer(match: Match) -> int | None:
    """For whom a match is shown where nobody knows who looks: for all, until it has been played to its end."""
    every = (*match.plies, *match.undone)
    last = every[-1].state if every else match.first
    return ALL if last.result is None else None


def front(match: Match) -> int:
    """Return the seat from whose side a match is shown all the way: that of the only person, else the first."""
    persons = [number for number, seat in enumerate(match.seats) if not seat.computer]
    return persons[0] if len(persons) == 1 else 0


def covered(state: State, seat: int | None) -> frozenset[int]:
    """The boards that ``seat`` may not see; none once the match is over."""
    if seat is None:
        return frozenset()
    shut = getattr(state, "covered", _nothing)
    return frozenset().union(*[shut(each) for each in eyes(state, seat)])


def _nothing(seat: int) -> frozenset[int]:
    """What is covered on tables without boards that can be."""
    return frozenset()


def as_seen_by(game: Game, state: State, seat: int | None, events: Iterable[Event]) -> list[Any]:
    """The events as ``seat`` may know them at ``state``; None: all of them."""
    return list(events if seat is None else game.as_seen_by(state, events, None if seat == ALL else seat))


def kept(game: Game, state: State, seat: int, events: Sequence[Event]) -> bool:
    """Whether ``seat`` may not know all of ``events``."""
    return as_seen_by(game, state, seat, events) != list(events)


def sealed(match: Match, plies: Sequence[Ply], viewer: int | None) -> bool:
    """Whether the last moves of ``match``, ``plies``, can't be taken back by ``viewer``: chance decided, something was
    shown, or they are another seat's secret."""
    if any(event.seals for ply in plies for event in ply.events):
        return True
    hidden = masked(match, match.plies, viewer)
    return any(number in hidden for number in range(match.cursor - len(plies), match.cursor))


def masked(match: Match, plies: Sequence[Ply], seat: int | None) -> frozenset[int]:
    """The numbers of the moves that ``seat`` may not read after ``plies``, the first moves of a match."""
    state: State = plies[-1].state if plies else match.first
    # The whole match is gone through only where there is anything to keep.
    if seat is None or state.result is not None or not match.game.facts(state.seats).secrets:
        return frozenset()
    if seat == ALL:
        return frozenset().union(*[masked(match, plies, each) for each in eyes(state, seat)])
    found: set[int] = set()
    # Where a number of marbles is hidden, so is that somebody declined in secret to add one.
    uncounted = getattr(state, "uncounted", _nothing)(seat)
    still_shut = True
    for number in range(len(plies) - 1, -1, -1):
        ply = plies[number]
        before: State = plies[number - 1].state if number else match.first
        in_secret = before.ask is not None and before.ask.sight == "hidden"
        still_shut = still_shut and in_secret and not any(event.reveals for event in ply.events)
        # On other tables all that was chosen in secret is open once it is revealed; stocks of marbles may stay shut.
        marbles = hasattr(state, "uncounted")
        opened = in_secret and not still_shut and not marbles
        # What follows from a choice by rule or chance is kept by itself: that there was any would tell something. With
        # marbles the choice comes first.
        chosen = ply.events[:1] if marbles else [event for event in ply.events if not event.seals]
        if ply.seat != seat and (
            still_shut
            or (not opened and kept(match.game, state, seat, chosen))
            or (uncounted and in_secret and not ply.events)
        ):
            found.add(number)
    return frozenset(found)
