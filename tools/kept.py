"""Tests whether the strongest level keeps its wins.

The level moves in positions that are proved wins, and another proof shows whether they still are after its turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from shibumi3d.rules.game import Game, State
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.players import Budget, never_stop, player

MAX_PROOF_WORK = 400_000_000
"""Maximum cost of each proof, in the work units of the rules.

It is 25 times what the strongest level spends on a move.
"""
MAX_TRIES_PER_POSITION = 40
"""Maximum number of positions drawn for each won position requested.

In most positions, a win of the seat to move can't be proved.
"""


@dataclass(frozen=True, slots=True)
class KeptWins:
    """Result of a test.

    ``won`` is the number of positions that were proved wins, and ``kept`` how many of them were still proved wins after
    the player's turn. ``lost_lines`` holds, for each win that was thrown away, all moves from the start of the match.
    For the remaining positions, neither could be proved.
    """

    won: int
    kept: int
    lost_lines: tuple[tuple[str, ...], ...]


def measure_kept_wins(
    game: Game, number: int, seed: int, budget: Budget, judged: int = MAX_PROOF_WORK
) -> KeptWins:
    """Let the strongest level play a turn in ``number`` won positions, and judge the result.

    The positions come from random matches of two players and are proved wins for the seat to move. There may be fewer
    than ``number`` if too few are found.
    """
    chance = Random(seed)
    won = kept = 0
    lost_lines: list[tuple[str, ...]] = []
    for _ in range(MAX_TRIES_PER_POSITION * number):
        if won == number:
            break
        line = _random_line(game, chance)
        state = _replay(game, line)
        mover = state.to_move
        if mover is None or _prove_value(game, state, mover, judged) != 1:
            continue
        won += 1
        while state.to_move == mover:
            choice = player("sky", won).choose(game, game.observe(state, mover), budget)
            line.append(choice.move)
            state, _ = game.apply(state, choice.move)
        value = _prove_value(game, state, mover, judged)
        kept += value == 1
        if value is not None and value < 1:
            lost_lines.append(tuple(line))
    return KeptWins(won, kept, tuple(lost_lines))


def _random_line(game: Game, chance: Random) -> list[str]:
    """Play a random match and return its moves up to the start of a random turn."""
    state = game.start(2)
    moves: list[str] = []
    turn_starts = [0]
    while state.to_move is not None:
        moves.append(chance.choice(game.moves(state)).text)
        state, _ = game.apply(state, moves[-1])
        if not state.step and state.to_move is not None:
            turn_starts.append(len(moves))
    return moves[: chance.choice(turn_starts)]


def _replay(game: Game, moves: list[str]) -> State:
    state = game.start(2)
    for move in moves:
        state, _ = game.apply(state, move)
    return state


def _prove_value(game: Game, state: State, seat: int, work: int) -> float | None:
    """Return the proved value for a seat of a position at the start of a turn, or None.

    1 is a win and 0 a loss; None means that not enough could be proved. If a win is disproved but the exact value is
    unknown, the result is 0.5.
    """
    if state.to_move is None:
        outcome = game.outcome(state)
        assert outcome is not None
        return float(seat in outcome.winners) / max(1, len(outcome.winners))
    seat_to_move = state.to_move
    low, high, _ = make_search(game, game.observe(state, seat_to_move), seat_to_move, 0, ()).solve(
        work, never_stop
    )
    if seat_to_move != seat:
        low, high = 1.0 - high, 1.0 - low
    if low == high or high < 1.0:
        return high if low == high else 0.5
    return None
