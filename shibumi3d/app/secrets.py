"""What the person at the screen may not know: boards under a cloth, moves made in secret, marbles in other hands.

A seat sees the state through :meth:`RuleGame.view`; here the moves already made and their events are treated alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.rules.marbles import event as ev

if TYPE_CHECKING:
    from shibumi3d.match.match import Match, Ply
    from shibumi3d.rules.marbles.game import RuleGame
    from shibumi3d.rules.marbles.state import State

IN_SECRET = "chose in secret"
ALL = -1
"""Stands for a seat where everybody looks: what one of them may not know is kept from all."""


def eyes(state: State, seat: int) -> range:
    """The seats that look."""
    return range(state.seats) if seat == ALL else range(seat, seat + 1)


def seen(game: RuleGame, state: State, seat: int | None) -> State:
    """The state as ``seat`` may know it; None: all of it."""
    if seat is not None:
        for each in eyes(state, seat):
            state = game.view(state, each)
    return state


def public_viewer(match: Match) -> int | None:
    """For whom a match is shown where nobody knows who looks: for all, until it has been played to its end."""
    every = (*match.plies, *match.undone)
    last = every[-1].state if every else match.first
    return ALL if last.result is None else None


def _place(state: State, seat: int) -> int:
    """The seat of the running game of a series on which a player sits."""
    return (seat - state.game_number + 1) % state.seats


def covered(state: State, seat: int | None) -> frozenset[int]:
    """The boards that ``seat`` may not see; none once the match is over."""
    if seat is None or state.result is not None:
        return frozenset()
    bits = sum(1 << _place(state, each) for each in eyes(state, seat))
    return frozenset(board for board, sight in enumerate(state.rules.board_sight) if bits & ~sight)


def _unseen(state: State, seat: int, stock: str, holder: int, sight: Sequence[int]) -> bool:
    """Whether a stock is kept from ``seat``: what lies in it, or how much, as ``sight`` of the rules says."""
    rules = state.rules
    if stock not in rules.stock_names:
        return False
    number = rules.stock_names.index(stock)
    if rules.stock_names.count(stock) > 1 and holder >= 0:
        number += _place(state, holder)
    return not sight[number] >> _place(state, seat) & 1


def _between(state: State, seat: int, event: ev.Drew | ev.Given, sight: Sequence[int]) -> bool:
    """Whether a marble goes from one stock kept from ``seat`` to another."""
    receiver = event.seat if isinstance(event, ev.Drew) else event.receiver
    return _unseen(state, seat, event.stock, receiver, sight) and _unseen(
        state, seat, event.source, event.seat, sight
    )


def kept(state: State, seat: int, event: ev.Event) -> bool:
    """Whether ``seat`` may not know of ``event``, or not of which colour its marble is."""
    if seat == ALL:
        return any(kept(state, each, event) for each in eyes(state, seat))
    if isinstance(event, ev.Drew | ev.Given):
        return _between(state, seat, event, state.rules.stock_sight)
    return getattr(event, "board", -1) in covered(state, seat)


def told(state: State, seat: int | None, events: Iterable[ev.Event]) -> list[ev.Event]:
    """The events as ``seat`` may know them.

    Those on covered boards are left out, also those of marbles that ``seat`` can't count; others unseen lose their
    colour.
    """
    if seat == ALL:
        for each in eyes(state, seat):
            events = told(state, each, events)
        return list(events)
    found: list[ev.Event] = []
    for event in events:
        if seat is None or state.result is not None or not kept(state, seat, event):
            found.append(event)
        elif isinstance(event, ev.Drew | ev.Given) and not _between(
            state, seat, event, state.rules.size_sight
        ):
            found.append(replace(event, colour=-1))
    return found


def masked(first: State, plies: Sequence[Ply], seat: int | None) -> frozenset[int]:
    """The numbers of the moves that ``seat`` may not read after ``plies``, which began at ``first``."""
    state = plies[-1].state if plies else first
    if seat is None or state.result is not None:
        return frozenset()
    if seat == ALL:
        return frozenset().union(*[masked(first, plies, each) for each in eyes(state, seat)])
    found: set[int] = set()
    # Where a number of marbles is hidden, so is that somebody declined in secret to add one.
    uncounted = any(not sight >> _place(state, seat) & 1 for sight in state.rules.size_sight)
    still_shut = True
    for number in range(len(plies) - 1, -1, -1):
        ply = plies[number]
        before = plies[number - 1].state if number else first
        still_shut = (
            still_shut and bool(before.at.secret) and not any(isinstance(e, ev.Revealed) for e in ply.events)
        )
        if ply.seat != seat and (
            still_shut
            or any(kept(state, seat, e) for e in ply.events)
            or (uncounted and bool(before.at.secret) and not ply.events)
        ):
            found.add(number)
    return frozenset(found)
