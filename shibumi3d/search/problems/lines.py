"""The complete solution of a problem: the fastest win against the longest resistance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game
from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.candidates import USUAL, Candidate, Turn, after, turns_at
from shibumi3d.search.problems.proofs import WORK, patience

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


def fastest(game: Game, state: State, seat: int, longest: int = USUAL.longest) -> Turn:
    """Return the turn with which the seat to move wins fastest, or () if none is known."""
    best: Turn = ()
    least, late = longest + 1, patience(times=4)
    for turn, there in turns_at(game, state):
        if there.result is not None:
            if there.result.winners == (seat,):
                return turn
            continue
        if late():
            continue
        found = search_of(game, game.view(there, seat), seat).wins_within(least - 1, WORK, late)
        if 0 < found < least:
            best, least = turn, found
    return best


def longest_defence(game: Game, state: State, seat: int, longest: int = USUAL.longest) -> Turn:
    """Return the reply that resists longest against a winning seat.

    Among equally long defences, prefer the reply that leaves the winning seat the most moves. A reply that loses at
    once counts as the shortest defence. Return () if the length of a defence is unknown.
    """
    best: tuple[int, int] = (-1, -1)
    found: Turn = ()
    for turn, there in turns_at(game, state):
        if there.result is not None:
            found = found or turn
            continue
        length = search_of(game, game.view(there, seat), seat).wins_within(longest, WORK, patience())
        if length <= 0:
            return ()
        if (length, ways := len(game.moves(there))) > best:
            best, found = (length, ways), turn
    return found


def winning_line(spot: Candidate, key: Turn) -> tuple[Turn, ...]:
    """Return the winning line that begins with ``key``, against the longest resistance.

    Return () if it is too long.
    """
    game, seat = spot.game, spot.seat
    line = [key]
    state = after(game, spot.state, key)
    longest = spot.demands.longest
    while state.result is None and len(line) < longest:
        play = fastest if state.to_move == seat else longest_defence
        turn = play(game, state, seat, longest)
        if not turn:
            return ()
        line.append(turn)
        state = after(game, state, turn)
    return tuple(line) if state.result is not None and state.result.winners == (seat,) else ()


def own_turns(spot: Candidate, line: Sequence[Turn]) -> int:
    """Return the number of turns of a line that the solver has to find."""
    state, number = spot.state, 0
    for turn in line:
        number += state.to_move == spot.seat
        state = after(spot.game, state, turn)
    return number


def alternates(spot: Candidate, line: Sequence[Turn]) -> bool:
    """Return whether the seats alternate in a line.

    Otherwise, the solver would play two turns without a reply in between.
    """
    state, before = spot.state, None
    for turn in line:
        if state.to_move == before:
            return False
        before = state.to_move
        state = after(spot.game, state, turn)
    return True
