"""Test of whether the strongest level keeps its wins.

It moves in positions that are proved to be won, and another proof shows whether they still are.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from shibumi3d.rules.game import Game, State
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.players import Budget, never_stop, player

JUDGED = 400_000_000
"""Maximum cost of each proof, in the work units of the rules.

It is 25 times what the strongest level spends on a move.
"""
TRIES = 40
"""Maximum number of positions drawn for each one wanted.

In most, a win of the seat to move can't be proved.
"""


@dataclass(frozen=True, slots=True)
class KeptWins:
    """Result of a test.

    ``won`` is the number of positions that were proved wins. ``kept`` is how many of them still were after the player's
    turn. ``threw`` has the moves, from the start of the match, to each position in which the win was lost. For the
    rest, neither could be proved.
    """

    won: int
    kept: int
    threw: tuple[tuple[str, ...], ...]


def kept_wins(game: Game, number: int, seed: int, budget: Budget, judged: int = JUDGED) -> KeptWins:
    """Let the strongest level play a turn in ``number`` won positions, and judge the result.

    The positions come from random matches of two players and are proved wins for the seat to move. There may be fewer
    than ``number`` if too few are found.
    """
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
            choice = player("sky", won).choose(game, game.observe(state, mover), budget)
            line.append(choice.move)
            state, _ = game.apply(state, choice.move)
        worth = _worth(game, state, mover, judged)
        kept += worth == 1
        if worth is not None and worth < 1:
            threw.append(tuple(line))
    return KeptWins(won, kept, tuple(threw))


def _drawn(game: Game, chance: Random) -> list[str]:
    """Play a random match and return its moves up to the start of a random turn."""
    state = game.start(2)
    moves: list[str] = []
    begins = [0]
    while state.to_move is not None:
        moves.append(chance.choice(game.moves(state)).text)
        state, _ = game.apply(state, moves[-1])
        if not state.step and state.to_move is not None:
            begins.append(len(moves))
    return moves[: chance.choice(begins)]


def _at(game: Game, moves: list[str]) -> State:
    state = game.start(2)
    for move in moves:
        state, _ = game.apply(state, move)
    return state


def _worth(game: Game, state: State, seat: int, work: int) -> float | None:
    """Return the proved value for a seat of a position at the start of a turn, or None.

    1 is a win and 0 a loss; None means that not enough could be proved. Where a win is disproved but the value isn't
    known, the result is 0.5.
    """
    if state.to_move is None:
        outcome = game.outcome(state)
        assert outcome is not None
        return float(seat in outcome.winners) / max(1, len(outcome.winners))
    asked = state.to_move
    low, high, _ = make_search(game, game.observe(state, asked), asked, 0, ()).solve(work, never_stop)
    if asked != seat:
        low, high = 1.0 - high, 1.0 - low
    if low == high or high < 1.0:
        return high if low == high else 0.5
    return None
