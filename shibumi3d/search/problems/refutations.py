"""Proved refutations of wrong turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game
from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.candidates import USUAL, Candidate, Turn, after
from shibumi3d.search.problems.lines import fastest
from shibumi3d.search.problems.proofs import ANEW, WORK, patience

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

PUNISHED = 6
"""Maximum number of wrong turns examined in order to find three with a refutation."""
OPEN = 2.0
"""Placeholder for an unknown value; it is greater than any possible value."""


def refutation(game: Game, state: State) -> Turn:
    """Return a reply that is proved to refute the last turn, or () if none is known.

    It is the fastest win, or else a reply after which the other seat does not win.
    """
    seat = state.to_move
    soon = fastest(game, state, seat, 3)
    if soon:
        return soon
    search = search_of(game, game.view(state, seat), seat)
    worths = search.worths(WORK, patience(), enough=1) or search.worths(
        WORK, patience(), within=USUAL.longest - 1, enough=1
    )
    held = sorted((one for one in worths if one.low > 0.0), key=lambda one: -one.low)
    return held[0].moves if held else ()


def punished(
    spot: Candidate, wrong: Sequence[Turn], visits: Counter[Turn], kind: str, number: int
) -> tuple[tuple[Turn, Turn], ...]:
    """Return up to three wrong turns with their refutations, the most visited turns first."""
    found = []
    for turn in sorted(wrong, key=lambda turn: -visits[turn])[:PUNISHED]:
        there = after(spot.game, spot.state, turn)
        if there.result is None and there.to_move != spot.seat:
            answer = refutation(spot.game, there)
            if answer and not unrefuted(spot, kind, number, turn, answer):
                found.append((turn, answer))
        if len(found) == 3:
            break
    return tuple(found)


def unrefuted(spot: Candidate, kind: str, number: int, turn: Turn, answer: Turn) -> str:
    """Return why ``answer`` is not proved to refute ``turn``, or an empty string if it is.

    "wrong" means that the turn achieves the goal after all, and "open" that this could not be decided. ``number`` is
    the number of turns that the solver needs.
    """
    game, seat = spot.game, spot.seat
    recurs = game.facts(spot.state.seats).recurs
    there = after(game, after(game, spot.state, turn), answer)
    most = _most(game, there, seat, number - 1 if recurs else None)
    if most < (1.0 if kind == "win" else 0.5):
        return ""
    return "wrong" if most < OPEN else "open"


def _most(game: Game, state: State, seat: int, within: int | None) -> float:
    """Return a proved upper bound on the value of a match for a seat, or :data:`OPEN`.

    If ``within`` is given, a win counts only if it takes at most that many of the seat's turns.
    """
    if state.result is not None:
        winners = state.result.winners
        return 0.5 if not winners else float(seat in winners)
    search = search_of(game, game.view(state, seat), seat)
    if within is not None:
        number = search.own_turns(within, WORK, patience(ANEW))
        return OPEN if number < 0 else float(number <= within)
    other = search_of(game, game.view(state, state.to_move), state.to_move)
    low, high, _ = other.solved(WORK, patience(ANEW))
    if state.to_move != seat:
        low, high = 1.0 - high, 1.0 - low
    return high if low == high or high < 1.0 else OPEN
