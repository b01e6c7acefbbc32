"""Proofs that only one turn keeps the value of a position, and related counts of turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.game import Game
from shibumi3d.rules.search import Considered
from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.candidates import MOST_TURNS, USUAL, Candidate, Demands, Turn, after, turns_at

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

WORK = 10**10
"""Maximum work for a proof, in the units of the rules.

It is practically unlimited, since the CPU time is limited instead.
"""
SECONDS = 0.12
"""CPU time limit for a proof, in seconds."""
ANEW = 20.0
"""CPU time limit when a proof is repeated for verification, in seconds."""
SAME = 4
"""Maximum number of equivalent solutions."""


def patience(seconds: float | None = None, times: int = 1) -> Callable[[], bool]:
    """Return a ``stop`` callback for a CPU time limit.

    The limit is ``seconds`` if given, otherwise :data:`SECONDS` multiplied by ``times``.
    """
    end = process_time() + (times * SECONDS if seconds is None else seconds)
    return lambda: process_time() > end


def enough_choices(ways: Sequence[Any], demands: Demands = USUAL) -> bool:
    """Return whether a position offers enough turns for a problem, but not too many to examine."""
    return demands.choices <= len(ways) <= MOST_TURNS


def only(spot: Candidate, worths: Sequence[Considered], worth: float) -> list[Turn]:
    """Return the solutions: the turns proved to have the value ``worth``.

    The list is empty unless these turns are equivalent and all other turns are proved to be worse.
    """
    keys = [one.moves for one in worths if one.low == worth and one.high == worth]
    if not keys or len(keys) > SAME or sum(one.high < worth for one in worths) + len(keys) < len(worths):
        return []
    game, seat = spot.game, spot.seat
    search = search_of(game, game.view(after(game, spot.state, keys[0]), seat), seat)
    same = all(search.same(game.view(after(game, spot.state, turn), seat)) for turn in keys[1:])
    return keys if same else []


def wins_at_once(game: Game, state: State, seat: int) -> list[Turn]:
    """Return the turns with which the seat to move wins at once as the only winner."""
    return [
        turn
        for turn, there in turns_at(game, state)
        if there.result is not None and there.result.winners == (seat,)
    ]


def alive(game: Game, state: State, turns: Sequence[Turn], seat: int, most: int = MOST_TURNS) -> int:
    """Return how many of ``turns`` lose neither at once nor to the opponent's next reply.

    Counting stops at ``most``.
    """
    number = 0
    for turn in turns:
        if number == most:
            break
        there = after(game, state, turn)
        if there.result is not None:
            number += seat in there.result.winners
        else:
            search = search_of(game, game.view(there, there.to_move), there.to_move)
            number += search.wins_within(1, WORK, patience()) == 0
    return number
