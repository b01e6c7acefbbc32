"""Records of matches between computer players, and random matches.

This module does not depend on computer players.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from shibumi3d.rules.game import Game

LONGEST = 10_000
"""Number of moves after which a random match is abandoned, since some games can go on forever."""


@dataclass(frozen=True, slots=True)
class Fought:
    """A finished or abandoned match.

    ``winners`` contains indices into the list of players; it is empty for a draw, and None if the match was abandoned.
    ``scores`` has the same order as that list. ``reason`` says why the match ended.
    """

    moves: tuple[str, ...]
    turns: int
    winners: tuple[int, ...] | None
    scores: tuple[int, ...]
    reason: str = ""


def by_lot(game: Game, seats: int, chance: Random) -> Fought:
    """Play a match with random moves.

    ``chance`` is the random generator for the moves; it also seeds the game's own random events.
    """
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
