"""Test of whether the strongest level keeps its wins.

The level plays a turn in positions that are proved wins, and another proof shows whether it has kept the win.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from shibumi3d.rules.game import Game, State
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.search.certificates import WIN, look_up_certificate
from shibumi3d.rules.marbles.search.position_table import PositionTableSearch, TooManyPositions
from shibumi3d.rules.marbles.search.relevance import find_counted_details
from shibumi3d.rules.marbles.search.symmetry import get_equivalence
from shibumi3d.search.players import Budget, player

MAX_PROOF_WORK = 400_000_000
"""Maximum cost of each proof, in the work units of the rules.

It is 25 times what the strongest level spends on a move.
"""
MAX_TRIES_PER_POSITION = 40
"""Maximum number of positions tried for each won position requested.

In most positions, a win of the seat to move can't be proved.
"""


@dataclass(frozen=True, slots=True)
class KeptWins:
    """Result of :func:`measure_kept_wins`.

    ``won`` is the number of positions in which a win was proved, and ``kept`` the number of those in which a win could
    still be proved after the player's turn. ``lost_lines`` holds, for each win that was provably thrown away, all moves
    from the start of the match to the end of that turn. For the other won positions, it couldn't be proved whether the
    win was kept.
    """

    won: int
    kept: int
    lost_lines: tuple[tuple[str, ...], ...]


def measure_kept_wins(
    game: Game,
    number: int,
    seed: int,
    budget: Budget,
    max_work: int = MAX_PROOF_WORK,
    max_turns: int | None = None,
) -> KeptWins:
    """Let the strongest level play a turn in ``number`` won positions, and count the wins that it keeps.

    The positions come from random matches of two players; in each of them, it is proved that the seat to move can win.
    ``seed`` determines the matches. If ``max_turns`` is given, at most that many turns come before each position. If
    too few won positions are found, the result covers fewer than ``number``. ``budget`` limits the thinking about each
    move, and ``max_work`` the cost of each proof, in the work units of the rules.
    """
    chance = Random(seed)
    prover = _WinProver(game, max_work)
    won = kept = 0
    lost_lines: list[tuple[str, ...]] = []
    for _ in range(MAX_TRIES_PER_POSITION * number):
        if won == number:
            break
        line = _random_line(game, chance, max_turns)
        state = _replay(game, line)
        mover = state.to_move
        if mover is None or prover.is_won(state, mover) is not True:
            continue
        won += 1
        while state.to_move == mover:
            choice = player("sky", won).choose(game, game.observe(state, mover), budget)
            line.append(choice.move)
            state, _ = game.apply(state, choice.move)
        is_won = prover.is_won(state, mover)
        kept += is_won is True
        if is_won is False:
            lost_lines.append(tuple(line))
    return KeptWins(won, kept, tuple(lost_lines))


def _random_line(game: Game, chance: Random, max_turns: int | None) -> list[str]:
    """Play a random match and return its moves up to the start of a turn chosen at random.

    If ``max_turns`` is given, at most that many turns come before the chosen one.
    """
    state = game.start(2)
    moves: list[str] = []
    turn_starts = [0]
    while state.to_move is not None and (max_turns is None or len(turn_starts) <= max_turns):
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


class _WinProver:
    """Prover that determines whether a seat can force a win from the start of a turn.

    It uses stored proofs and remembers what it has proved itself. Each proof may take at most ``max_work`` units of
    work.
    """

    def __init__(self, game: Any, max_work: int) -> None:
        self.game, self.max_work = game, max_work
        self.fast = game.make_fast_game(2)
        self.engine = get_engine(game.size)
        self.table: PositionTableSearch | None = None
        if find_counted_details(self.fast.machine.rules) is not None:
            self.table = PositionTableSearch(game, self.fast)
        equivalence = get_equivalence(game, 2)
        self.provers = [self.engine.ProofNumberSearch(self.fast.machine, equivalence) for _ in range(2)]

    def is_won(self, state: Any, seat: int) -> bool | None:
        """Return whether a seat can force a win, or None if this could be neither proved nor disproved."""
        if state.to_move is None:
            outcome = self.game.outcome(state)
            assert outcome is not None
            return bool(tuple(outcome.winners) == (seat,))
        is_lost, moves = look_up_certificate(self.game, state, state, state.to_move)
        if is_lost or moves:
            return bool(is_lost == (state.to_move != seat))
        self.fast.load(state)
        if self.table is not None:
            wanted = 1 if state.to_move == seat else -1
            self.table.work_left = self.max_work
            try:
                return self.table.evaluate() == wanted
            except TooManyPositions:
                return None
        self.provers[seat].work_left = self.max_work
        answer = self.provers[seat].prove(seat, WIN)
        return None if answer == self.engine.UNDECIDED else bool(answer == self.engine.YES)
