"""A fast form of a match for searches: moves are numbers and can be undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.errors import RuleFailure, UnknownOutcomeError
from shibumi3d.rules.marbles.engine.board import mix_hash
from shibumi3d.rules.marbles.engine.build.program import build_machine
from shibumi3d.rules.marbles.engine.end_rules import current_scores
from shibumi3d.rules.marbles.engine.lookahead import FAILED, mix_words, turn_state_key
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.play import (
    legal_choices,
    play_choice,
    play_unchecked,
    pseudo_legal_choices,
    sample_choice,
)
from shibumi3d.rules.marbles.engine.playouts import Checkpoint, play_to_end
from shibumi3d.rules.marbles.engine.rules import PASS, WORK_BUDGET, HasSnapshot, Result, Rules, Snapshot
from shibumi3d.rules.marbles.engine.snapshots import load_snapshot, position_tuple, save_snapshot
from shibumi3d.rules.marbles.engine.turns import push_registers

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


MAX_PLAYOUT_TURNS: Final = 2_000
"""Default number of turns after which a playout is abandoned."""


@final
class FastGame:
    """A match for use by searches; it maintains only what the rules read.

    It stores no events and no marks for display. Moves are choice codes as in :mod:`~shibumi3d.rules.marbles.notation`.
    ``seed`` seeds the random numbers of playouts and random moves. Random outcomes in :meth:`make` depend on the seed
    given to :meth:`load` instead.
    """

    def __init__(self, rules: Rules, seed: int = 0) -> None:
        self.machine: Final[Machine] = build_machine(rules, False)
        self.checkpoint: Final = Checkpoint(self.machine)
        self.undo_marks: list[int] = []
        self.last_playout_turns: int = 0
        """Number of turns of the last :meth:`playout`."""
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Reseed the random number generator."""
        m = self.machine
        key: int = mix_hash(mix_hash(0x1234567, seed & 0xFFFFFFFF), 1)
        m.random_x = (key & 0x3FFFFFFF) | 1
        m.random_y = (key >> 30 & 0x3FFFFFFF) | 1

    def load(self, state: HasSnapshot, seed: int = 0, reject_chance: bool = False) -> None:
        """Set up a state and clear the history of moves.

        ``seed`` is the seed for random outcomes. If ``reject_chance`` is set, moves with a random outcome raise
        UnknownOutcomeError.
        """
        load_snapshot(self.machine, state._snapshot)
        self.machine.seed = seed
        self.machine.rejects_chance = reject_chance
        self.undo_marks = []

    def save(self) -> Snapshot:
        """Return the current state as a snapshot."""
        return save_snapshot(self.machine)

    @property
    def seat_to_move(self) -> int:
        """Seat that must make the next choice; it has no meaning if the match is over."""
        m = self.machine
        if m.is_stuck:
            return m.mover
        return m.me

    def choices(self) -> list[int]:
        """Return the legal choices in a fixed order; there are none if the match is over."""
        return legal_choices(self.machine)

    def make(self, move_code: int) -> None:
        """Play one of the :meth:`choices`."""
        self.undo_marks.append(push_registers(self.machine))
        play_choice(self.machine, move_code)

    def pseudo_legal_moves(self) -> list[int]:
        """Return pseudo-legal choices, which include all legal ones.

        In a game with uncertainty (``Rules.has_uncertainty``), these are exactly the legal choices. In any other game,
        it isn't tested whether the turn can be completed after each choice, so this can be faster than :meth:`choices`.
        There are none if the match is over.
        """
        m = self.machine
        if m.result is not None or m.is_stuck or m.rules.has_uncertainty:
            return legal_choices(m)
        return pseudo_legal_choices(m)

    def try_move(self, move_code: int) -> bool:
        """Play one of the :meth:`pseudo_legal_moves`, and return whether it could be played.

        The result is False if the turn fails before another choice is needed. In a game with uncertainty
        (``Rules.has_uncertainty``), it is always True, because a seat whose turn fails counts as stuck. Even if this
        returns True, the turn may still be impossible to complete. The match is left unchanged if this returns False or
        raises RuleFailure or UnknownOutcomeError.
        """
        m = self.machine
        mark = push_registers(m)
        is_possible = True
        try:
            if move_code == PASS or m.rules.has_uncertainty:
                play_choice(m, move_code)
            else:
                m.work_left = WORK_BUDGET
                is_possible = play_unchecked(m, move_code) != FAILED
        except (RuleFailure, UnknownOutcomeError):
            m.stack_height = 0
            m.lookahead_depth = 0
            m.is_looking_ahead = False
            m.undo(mark)
            raise
        if is_possible:
            self.undo_marks.append(mark)
        else:
            m.undo(mark)
        return is_possible

    def unmake(self) -> None:
        """Undo the last choice."""
        self.machine.undo(self.undo_marks.pop())

    def random_move(self) -> int:
        """Return a random legal choice, or -1 if there is none."""
        return sample_choice(self.machine)

    def playout(self, max_turns: int = MAX_PLAYOUT_TURNS) -> int:
        """Play random moves to the end of the match, undo them, and return the winners as a mask.

        The bits of the mask stand for seats or, in a series, for players. The mask is 0 if nobody wins. Returns -1 if
        the match is not over after ``max_turns`` turns. Sets :attr:`last_playout_turns`. If a rule fails, RuleFailure
        is raised and the moves are not undone.
        """
        m = self.machine
        checkpoint = self.checkpoint
        checkpoint.save(m)
        length = m.undo_length
        m.undo_length = 0
        undo_log = m.undo_log
        m.undo_log = []
        first_turn = m.turn
        result: int = -1
        if play_to_end(m, max_turns):
            assert m.result is not None
            result = m.result.winners
        self.last_playout_turns = m.turn - first_turn
        m.undo_log = undo_log
        m.undo_length = length
        checkpoint.restore(m)
        return result

    def playouts(self, count: int, max_turns: int = MAX_PLAYOUT_TURNS) -> list[int]:
        """Play ``count`` random matches from the current position, and return how they end.

        The result contains the number of matches won by each seat or, in a series, by each player, followed by the
        number of unfinished matches. A shared win counts for each winner, and a match that nobody wins isn't counted. A
        match is abandoned as unfinished after ``max_turns`` turns. The position is restored. If a rule fails,
        RuleFailure is raised and the moves are not undone.
        """
        m = self.machine
        checkpoint = self.checkpoint
        checkpoint.save(m)
        length = m.undo_length
        undo_log = m.undo_log
        m.undo_log = []
        result: list[int] = [0 for _ in m.tallies]
        result.append(0)
        seats = m.seats
        for _ in range(count):
            if play_to_end(m, max_turns):
                assert m.result is not None
                winners: M = m.result.winners
                seat: M = 0
                while seat < seats:
                    if winners >> seat & 1:
                        result[seat] += 1
                    seat += 1
            else:
                result[-1] += 1
            m.undo_length = 0
            checkpoint.restore(m)
        m.undo_log = undo_log
        m.undo_length = length
        return result

    def median_playout_turns(self, count: int, max_turns: int) -> int:
        """Play ``count`` playouts from the current state and return their median length in turns.

        ``count`` must be at least 1. If it is even, the result is the higher of the two middle lengths. A playout stops
        after ``max_turns`` turns; turns without a choice that follow immediately are still played, and count as well.
        The position is restored. If a rule fails, however, RuleFailure is raised and the position is not restored.
        """
        result: list[int] = []
        for _ in range(count):
            self.playout(max_turns)
            result.append(self.last_playout_turns)
        result.sort()
        return result[count // 2]

    def position_hash(self) -> int:
        """Return a hash of the position, which serves to recognize positions that occur again.

        The hash covers everything on which the rest of the current game depends, with two exceptions: it ignores
        chance, and it covers only the length of a stored list of lists. In a series, the totals from earlier games are
        not included. Collisions are very rare.
        """
        return hash_position(self.machine)

    def exact_key(self) -> tuple[object, ...]:
        """Return everything on which the rest of the match depends, apart from the seed, as a hashable key.

        Unlike :meth:`position_hash`, the key contains the boards and stocks themselves instead of a hash of them, so
        different positions never have the same key.
        """
        return position_tuple(self.machine.rules, save_snapshot(self.machine))

    def result(self) -> Result | None:
        """Return how the match ended, or None if it is not over."""
        return self.machine.result

    def scores(self) -> tuple[int, ...]:
        """Return the current or final score of every seat.

        Once a series is over, the result contains each player's total instead.
        """
        result = self.machine.result
        if result is not None:
            return result.scores
        return current_scores(self.machine)


def hash_position(m: Machine) -> int:
    """Return a hash of nearly everything that affects the rest of the match.

    The hash doesn't cover chance or the totals of a series. Of a saved list of lists, it covers only the length. See
    :meth:`FastGame.position_hash`.
    """
    key = mix_hash(turn_state_key(m), m.mover << 8 | m.phase << 1 | m.is_stuck)
    if m.choices_made and m.needs_turn_start:
        # During a turn, rules may refer to the boards at its start.
        for board in m.boards:
            key = mix_hash(mix_hash(key, board.turn_start_filled.value), board.turn_start_key.value)
        key = mix_words(key, m.turn_start_words)
    key = mix_hash(key, m.passed_seats << 8 | m.idle_count)
    if m.phase + 1 < len(m.phases):
        key = mix_hash(key, m.phase_turns)
    at: M = 0
    while at < m.history_length:
        key = mix_hash(key, m.history[at].value)
        at += 1
    return mix_hash(key, m.game_number)
