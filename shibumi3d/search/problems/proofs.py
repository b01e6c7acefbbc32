"""What is proved of the turns of a position: that only one keeps its worth, and how many of the others live on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time
from typing import Any

from shibumi3d.rules.game import Game
from shibumi3d.rules.search import Considered
from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.candidates import MOST_TURNS, USUAL, Candidate, Demands, Turn, after, turns_at

WORK = 10**10
"""What a proof may cost, as rules count work: without end, as it is the time that counts."""
SECONDS = 0.12
"""What a proof may cost in time of the processor."""
ANEW = 20.0
"""The same for a proof that is made anew."""
SAME = 4
"""Turns that may come to the same as the key, itself included."""


def patience(seconds: float | None = None, times: int = 1) -> Callable[[], bool]:
    """Return what says, from so many seconds of the processor's time on, that a proof is to stop; without them from so
    many ``times`` the usual ones on."""
    end = process_time() + (times * SECONDS if seconds is None else seconds)
    return lambda: process_time() > end


def enough_choices(ways: Sequence[Any], demands: Demands = USUAL) -> bool:
    """Return whether there is something to choose from."""
    return demands.choices <= len(ways) <= MOST_TURNS


def only(spot: Candidate, worths: Sequence[Considered], worth: float) -> list[Turn]:
    """Return the turns that are proved to be worth so much, where they all come to the same, and all others are proved
    to be worth less; else nothing."""
    keys = [one.moves for one in worths if one.low == worth and one.high == worth]
    if not keys or len(keys) > SAME or sum(one.high < worth for one in worths) + len(keys) < len(worths):
        return []
    game, seat = spot.game, spot.seat
    search = search_of(game, game.view(after(game, spot.state, keys[0]), seat), seat)
    same = all(search.same(game.view(after(game, spot.state, turn), seat)) for turn in keys[1:])
    return keys if same else []


def wins_at_once(game: Game, state: Any, seat: int) -> list[Turn]:
    """Return the turns with which a seat that is to move wins at once, alone."""
    return [
        turn
        for turn, there in turns_at(game, state)
        if there.result is not None and there.result.winners == (seat,)
    ]


def alive(game: Game, state: Any, turns: Sequence[Turn], seat: int, most: int = MOST_TURNS) -> int:
    """Return how many of some turns, up to ``most``, do not lose at once: neither by themselves nor by the answer."""
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
