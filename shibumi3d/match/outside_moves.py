"""What may be done in a match beyond the rules of its game: a draw claimed, seats swapped, a match lost on time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Protocol

from shibumi3d.match.clock import Clock
from shibumi3d.match.ply import Ply, Seat
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Facts, Game, State

CLAIM = "claim-draw"
"""How a claimed draw stands in a record, as the last move. No label of a game file can hold the hyphen."""
SWAP = "swap-seats"
"""How it stands in a record that the second seat took over the first turn."""
TIME_UP = "time-up"
"""How it stands in a record that the match was ended because the time of the seat to move was up."""
OUTSIDE = frozenset((CLAIM, SWAP, TIME_UP))
TIMES = 3
"""How often a position stands before a draw may be claimed."""


class OngoingMatch(Protocol):
    """What is asked here of a match."""

    game: Game
    repetition: bool
    swap: bool
    clock: Clock | None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Who sits where, at the cursor."""

    @property
    def state(self) -> Any:
        """The state at the cursor."""

    @property
    def plies(self) -> tuple[Ply, ...]:
        """The moves made up to the cursor."""

    def times_stood(self) -> int:
        """Return how often the position at the cursor has stood at the beginning of a turn."""


def swappable(facts: Facts, seats: int) -> bool:
    """Return whether a game may be played with the swap rule: two seats against each other, nothing secret, no
    chance.
    """
    hidden = facts.secrets or facts.chance or facts.simultaneous
    return seats == 2 and not hidden and not facts.series and not facts.solver


def may_swap(match: OngoingMatch) -> bool:
    """Return whether the second seat may take over what the first one has done: instead of its first turn, once a
    match.
    """
    state: State = match.state
    if not match.swap or state.to_move != 1 or state.step or state.turn != 1:
        return False
    return not swapped(match)


def swapped(match: OngoingMatch) -> bool:
    """Return whether the seats are swapped at the cursor."""
    return any(ply.move == SWAP for ply in early(match.plies))


def at_first(match: OngoingMatch) -> tuple[Seat, ...]:
    """Return who sat where before a swap, by seat."""
    return match.seats[::-1] if swapped(match) else match.seats


def names_at(match: OngoingMatch, number: int) -> list[str]:
    """Return the names of who sat where when move ``number`` of the plies was made."""
    sat = match.seats if any(ply.move == SWAP for ply in early(match.plies[:number])) else at_first(match)
    return [seat.name for seat in sat]


def last_turn(plies: Sequence[Ply]) -> range:
    """Return the numbers of the moves of the last turn of ``plies``, as far as one seat made them in a row."""
    start = len(plies)
    while start and (plies[start - 1].seat, plies[start - 1].turn) == (plies[-1].seat, plies[-1].turn):
        start -= 1
        if plies[start].move == SWAP:  # a turn of its own
            return range(max(start, min(start + 1, len(plies) - 1)), len(plies))
    return range(start, len(plies))


def early(plies: tuple[Ply, ...]) -> Iterator[Ply]:
    """Return the plies of the first two turns: a swap is among these or nowhere."""
    return (ply for ply in islice(plies, 64) if ply.turn < 2)


def may_claim_draw(match: OngoingMatch) -> bool:
    """Return whether a draw may be claimed now, because the position recurs; never where something is secret, since a
    claim would tell of it.
    """
    facts = match.game.facts(len(match.seats))
    if not match.repetition or len(match.seats) < 2 or facts.secrets or facts.series:
        return False
    return match.times_stood() >= TIMES


def may_lose_on_time(match: OngoingMatch) -> bool:
    """Return whether the match may be ended now because the seat to move has no time left."""
    seat = match.state.to_move
    return match.clock is not None and seat is not None and match.clock.out(seat)


def carried_out(match: OngoingMatch, text: str, *, told: bool) -> tuple[Any, tuple[Any, ...]]:
    """Return the state after one of :data:`OUTSIDE`, and what happened.

    ``told``: a record says so, which knows no time of day. Raises IllegalMove where it is not allowed.
    """
    state = match.state
    if text == CLAIM:
        if not may_claim_draw(match):
            raise IllegalMove("a draw is claimed when a position stands for the third time")
        return match.game.drawn(state)
    if text == SWAP:
        if not may_swap(match):
            raise IllegalMove("seats are swapped instead of the second turn, where that was agreed")
        return state, ()
    if match.clock is None or not (told or may_lose_on_time(match)):
        raise IllegalMove("nobody's time is up")
    return match.game.lost(state, state.to_move)
