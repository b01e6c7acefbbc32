"""Matches that were played, and such as are played by lot: without anything that players need."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from shibumi3d.rules.game import Game

LONGEST = 10_000
"""Moves after which a match by lot is given up: games may go round in circles."""


@dataclass(frozen=True, slots=True)
class Fought:
    """A match: its moves, the winners (none: a draw; None: given up), as places in the list of players, and the
    scores, in the same order; ``reason``: why it ended."""

    moves: tuple[str, ...]
    turns: int
    winners: tuple[int, ...] | None
    scores: tuple[int, ...]
    reason: str = ""


def by_lot(game: Game, seats: int, chance: Random) -> Fought:
    """Play a match in which every move is drawn by ``chance``, and what the game itself draws is too."""
    state = game.start(seats, chance.getrandbits(32))
    made: list[str] = []
    while game.outcome(state) is None and len(made) < LONGEST:
        move = chance.choice(game.moves(state))
        state, _ = game.apply(state, move)
        made.append(move.text)
    outcome = game.outcome(state)
    if outcome is None:
        return Fought(tuple(made), state.turn, None, ())
    return Fought(tuple(made), state.turn, outcome.winners, outcome.scores, outcome.reason)
