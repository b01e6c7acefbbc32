"""Answers to wrong turns, each proved to refute what it answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from shibumi3d.rules.game import Game
from shibumi3d.search.kinds import search_of
from shibumi3d.search.problems.candidates import USUAL, Candidate, Turn, after
from shibumi3d.search.problems.lines import fastest
from shibumi3d.search.problems.proofs import ANEW, WORK, patience

PUNISHED = 6
"""Wrong turns to which an answer is looked for at most, to find three."""
OPEN = 2.0
"""More than a match can be worth, in place of what is not known."""


def refutation(game: Game, state: Any) -> Turn:
    """Return an answer proved to refute what was played: the one that wins soonest, else one after which the other does
    not win; () where none is known."""
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
    """Return the three wrong turns that were looked at most, each with the answer that refutes it."""
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
    """Return "wrong" where a turn does what is asked in spite of an answer, "open" where that can't be told, and ""
    where the answer is proved to refute it. ``number``: the turns of the solver in which the problem is solved."""
    game, seat = spot.game, spot.seat
    recurs = game.facts(spot.state.seats).recurs
    there = after(game, after(game, spot.state, turn), answer)
    most = _most(game, there, seat, number - 1 if recurs else None)
    if most < (1.0 if kind == "win" else 0.5):
        return ""
    return "wrong" if most < OPEN else "open"


def _most(game: Game, state: Any, seat: int, within: int | None) -> float:
    """The most that a match is worth to a seat, proved, or :data:`OPEN`; ``within``: as far as so many turns of that
    seat tell."""
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
