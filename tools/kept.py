"""Whether the strongest keeps what is won: it chooses at positions that are proved to be won, and what comes of it is
proved again."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from shibumi3d.rules.game import Game
from shibumi3d.search.kinds import search_of
from shibumi3d.search.players import Budget, never, player

JUDGED = 400_000_000
"""What each proof of the judge may cost, as rules count work: 25 times what the strongest spends."""
TRIES = 40
"""Positions drawn for each that is wanted, at most: of many it can't be proved that whoever is to move wins."""


@dataclass(frozen=True, slots=True)
class KeptWins:
    """Of so many positions that were ``won``: how many the player ``kept``, and the choices that ``threw`` one away,
    each with the moves that lead there. Of the others it can't be said."""

    won: int
    kept: int
    threw: tuple[tuple[str, ...], ...]


def kept_wins(game: Game, number: int, seed: int, budget: Budget, judged: int = JUDGED) -> KeptWins:
    """Let the strongest choose in ``number`` positions of random matches of two that are proved to be won."""
    chance = Random(seed)
    won = kept = 0
    threw: list[tuple[str, ...]] = []
    for _ in range(TRIES * number):
        if won == number:
            break
        line = _drawn(game, chance)
        state = _at(game, line)
        mover = state.to_move
        if mover is None or _worth(game, state, mover, judged) != 1:
            continue
        won += 1
        while state.to_move == mover:
            choice = player("sky", won).choose(game, game.view(state, mover), budget)
            line.append(choice.move)
            state, _ = game.apply(state, choice.move)
        worth = _worth(game, state, mover, judged)
        kept += worth == 1
        if worth is not None and worth < 1:
            threw.append(tuple(line))
    return KeptWins(won, kept, tuple(threw))


def _drawn(game: Game, chance: Random) -> list[str]:
    """The choices of a match played at random, up to where some turn begins."""
    state = game.start(2)
    moves: list[str] = []
    begins = [0]
    while state.to_move is not None:
        moves.append(chance.choice(game.moves(state)).text)
        state, _ = game.apply(state, moves[-1])
        if not state.step and state.to_move is not None:
            begins.append(len(moves))
    return moves[: chance.choice(begins)]


def _at(game: Game, moves: list[str]) -> Any:
    state = game.start(2)
    for move in moves:
        state, _ = game.apply(state, move)
    return state


def _worth(game: Game, state: Any, seat: int, work: int) -> float | None:
    """What a moment at which a turn begins is worth to a seat, as far as it is decided."""
    if state.to_move is None:
        outcome = game.outcome(state)
        assert outcome is not None
        return float(seat in outcome.winners) / max(1, len(outcome.winners))
    asked = state.to_move
    low, high, _ = search_of(game, game.view(state, asked), asked, 0, ()).solved(work, never)
    if asked != seat:
        low, high = 1.0 - high, 1.0 - low
    if low == high or high < 1.0:
        return high if low == high else 0.5
    return None
