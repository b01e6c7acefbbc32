"""Moves beyond the rules of a game: claiming a draw, swapping seats and losing on time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from shibumi3d.match.clock import Clock
from shibumi3d.match.history import Ply, Seat
from shibumi3d.rules.errors import IllegalMove
from shibumi3d.rules.game import Facts, Game, State

if TYPE_CHECKING:
    from shibumi3d.rules.game import Event


CLAIM = "claim-draw"
"""Text that stands for a claim of a draw in records; it is always the last move of a match.

Game files can't use the texts of special moves as labels; see :data:`.RESERVED_LABELS`.
"""
SWAP = "swap-seats"
"""Text that stands in records for the move by which the second seat takes over the first turn."""
TIME_UP = "time-up"
"""Text that stands in records for a loss on time by the seat to move."""
SPECIAL_MOVES = frozenset((CLAIM, SWAP, TIME_UP))
DRAW_REPETITIONS = 3
"""Number of times that a position must occur before a draw may be claimed."""


class MatchLike(Protocol):
    """The part of :class:`.match.Match` that this module needs."""

    game: Game
    can_claim_repetition: bool
    has_swap_rule: bool
    clock: Clock | None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Seats in turn order, as they are at the cursor; a swap reverses them."""

    @property
    def state(self) -> State:
        """State at the cursor."""

    @property
    def plies(self) -> tuple[Ply, ...]:
        """Moves made up to the cursor."""

    def count_repetitions(self) -> int:
        """Return how many turns, including this one, began with the current position and seat to move.

        Only turns up to the cursor are counted. Returns 0 in the middle of a turn, and if the match is over.
        """


def allows_swap_rule(facts: Facts, seats: int) -> bool:
    """Return whether a game can be played with the swap rule.

    The rule requires exactly two seats that play a single game against each other, without hidden information, chance
    or simultaneous moves.
    """
    hidden = facts.has_secrets or facts.has_chance or facts.has_simultaneous_moves
    return seats == 2 and not hidden and not facts.is_series and not facts.solver


def can_swap(match: MatchLike) -> bool:
    """Return whether the second seat may take over the first turn now.

    Under the swap rule, it may do so once per match, instead of making its own first turn.
    """
    state: State = match.state
    if not match.has_swap_rule or state.to_move != 1 or state.step or state.turn != 1:
        return False
    return not is_swapped(match)


def is_swapped(match: MatchLike) -> bool:
    """Return whether the seats are swapped at the cursor."""
    return any(ply.move == SWAP for ply in early_plies(match.plies))


def original_seats(match: MatchLike) -> tuple[Seat, ...]:
    """Return the seats as they were assigned before any swap."""
    return match.seats[::-1] if is_swapped(match) else match.seats


def names_at_ply(match: MatchLike, index: int) -> list[str]:
    """Return the name of the player in each seat when the ply at ``index`` was made."""
    sat = (
        match.seats
        if any(ply.move == SWAP for ply in early_plies(match.plies[:index]))
        else original_seats(match)
    )
    return [seat.name for seat in sat]


def last_turn(plies: Sequence[Ply]) -> range:
    """Return the indices of the plies in the last turn.

    If other seats acted in that turn as well, only the plies that the last seat made after them are included. A swap
    counts as a turn of its own. If there are no plies, the range is empty.
    """
    start = len(plies)
    while start and (plies[start - 1].seat, plies[start - 1].turn) == (plies[-1].seat, plies[-1].turn):
        start -= 1
        if plies[start].move == SWAP:  # a swap counts as a turn
            return range(max(start, min(start + 1, len(plies) - 1)), len(plies))
    return range(start, len(plies))


def group_by_turn(plies: Sequence[Ply]) -> Iterator[tuple[Ply, ...]]:
    """Yield the plies grouped by turn. A swap of seats ends a group."""
    turn: list[Ply] = []
    for ply in plies:
        if turn and (turn[-1].turn != ply.turn or turn[-1].move == SWAP):
            yield tuple(turn)
            turn = []
        turn.append(ply)
    if turn:
        yield tuple(turn)


def early_plies(plies: tuple[Ply, ...]) -> Iterator[Ply]:
    """Yield the plies of the first two turns, which include any swap of seats.

    Only the first 64 plies are examined.
    """
    return (ply for ply in islice(plies, 64) if ply.turn < 2)


def can_claim_draw(match: MatchLike) -> bool:
    """Return whether a draw may be claimed now because of a repetition.

    At least three turns, including the one that begins now, must have begun with the same position and the same seat to
    move. There are no claims if ``match.can_claim_repetition`` is False. Nor are there any in solo games and series, or
    in games with hidden information, where a claim could reveal some of that information.
    """
    facts = match.game.facts(len(match.seats))
    if not match.can_claim_repetition or len(match.seats) < 2 or facts.has_secrets or facts.is_series:
        return False
    return match.count_repetitions() >= DRAW_REPETITIONS


def can_lose_on_time(match: MatchLike) -> bool:
    """Return whether the match can be ended now because the seat to move has run out of time."""
    seat = match.state.to_move
    return match.clock is not None and seat is not None and match.clock.is_out_of_time(seat)


def apply_special_move(match: MatchLike, text: str, *, is_replaying: bool) -> tuple[State, tuple[Event, ...]]:
    """Return the state and the events that result from the special move ``text``, without changing the match.

    ``text`` is one of the :data:`SPECIAL_MOVES`. Set ``is_replaying`` if the move comes from a record; the time left is
    then not checked. Raises IllegalMove if the move isn't allowed.
    """
    state = match.state
    if text == CLAIM:
        if not can_claim_draw(match):
            raise IllegalMove("a draw can only be claimed when a position comes up for the third time")
        return match.game.agree_to_draw(state)
    if text == SWAP:
        if not can_swap(match):
            raise IllegalMove(
                "seats can only be swapped instead of the second turn, and only with the swap rule"
            )
        return state, ()
    if match.clock is None or not (is_replaying or can_lose_on_time(match)):
        raise IllegalMove("nobody has run out of time")
    if state.to_move is None:
        raise IllegalMove("the match is over")
    return match.game.lose_on_time(state, state.to_move)
