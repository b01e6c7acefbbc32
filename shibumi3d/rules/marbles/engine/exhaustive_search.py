"""Exhaustive search for what a player can force in a two-player game.

This is a depth-limited minimax search with a transposition table and without heuristic values. It is for games without
chance or hidden information. Depth is counted in turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import mix_hash
from shibumi3d.rules.marbles.engine.fast_game import hash_position
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.play import legal_choices, play_choice
from shibumi3d.rules.marbles.engine.rules import WORK_BUDGET
from shibumi3d.rules.marbles.engine.turns import push_registers

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


UNDECIDED: Final = 0
YES: Final = 1
NO: Final = 2
"""Answers to the question of whether a player can force a result.

UNDECIDED means that the search depth or the work budget is too small to decide this.
"""
NEVER_FORCED: Final = -1
"""Table entry meaning that the result can't be forced at any depth."""
TURN_COUNT_BITS: Final = 16
"""Number of bits for each of the two turn counts in a table entry."""
MAX_TURNS_PER_OWN_TURN: Final = 8
"""Maximum number of turns, of both players, to search per turn of the player.

For n turns of the player, ``can_force_in_own_turns`` searches at most n + 1 times this number of turns.
"""
DRAW: Final = 1
WIN: Final = 2
"""Results that a player may try to force: at least a draw, or a win."""


@final
class ProvedChoice:
    """A legal choice, with proved bounds on its value for the player who makes it."""

    def __init__(self, code: M) -> None:
        self.code: Final[M] = code
        self.low: M = 0
        self.high: M = WIN
        """Bounds on the value of the choice: lost (0), drawn (1) or won (2)."""
        self.decided_depth: M = 0
        """Search depth at which a bound last changed, in turns including the one in progress."""


@final
class ExhaustiveSearch:
    """Exhaustive search of a two-player match on a machine.

    A query doesn't change the position in the machine. The caller sets ``work_left``, the remaining work budget, in the
    units of :data:`.WORK_BUDGET`.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine: Final = machine
        self.work_left: M = 0
        self.player: M = 0
        self.wanted_result: M = WIN
        self.table: Final[dict[int, int]] = {}
        """Answers found so far, by a hash of the position and the question.

        An entry is NEVER_FORCED or two numbers: the number of turns in which the result can be forced (0 if unknown) in
        the high bits, and the depth in turns that was searched without an answer in the low bits.
        """
        self.own_turns_table: Final[dict[int, int]] = {}
        """Like ``table``, but for :meth:`can_force_in_own_turns`.

        Both numbers count the player's own turns and are increased by 1, so that 0 means unknown.
        """
        self.too_deep = False
        """Whether the last :meth:`can_force_in_own_turns` gave up because the opponent had too many turns."""
        self.cutoff_counts: Final[dict[int, int]] = {}
        """Number of cutoffs that each choice has caused."""

    def can_force(self, player: int, wanted_result: int, turns: int) -> int:
        """Return whether a player can force a result within ``turns`` turns, counting those of both players.

        The answer is YES, NO or UNDECIDED. NO means that the result can't be forced in any number of turns. UNDECIDED
        means that the search found no way to force it within ``turns`` turns, or that ``work_left`` was used up. The
        result is a win or, if ``wanted_result`` is DRAW, at least a draw. Either player may be to move.
        """
        m = self.machine
        self.player = player
        self.wanted_result = wanted_result
        end: M = m.turn + turns
        return self._search(end)

    def can_force_in_own_turns(self, player: int, wanted_result: int, turns: int) -> int:
        """Return whether a player can force a result within ``turns`` turns of its own: YES, NO or UNDECIDED.

        The result is a win or, if ``wanted_result`` is DRAW, at least a draw. The opponent's reply to the last of the
        ``turns`` turns is searched as well. NO means that the result can't be forced in any number of turns. UNDECIDED
        means that the search found no way to force it within ``turns`` turns, that ``work_left`` was used up, or that
        the search gave up because the opponent can take too many turns (see :data:`MAX_TURNS_PER_OWN_TURN`). In the
        last case, ``too_deep`` is set and ``work_left`` is 0. Either player can be to move; if the player's turn is in
        progress, it counts as one of the turns.
        """
        m = self.machine
        self.player = player
        self.wanted_result = wanted_result
        self.too_deep = False
        turns_left: M = turns
        end: M = m.turn + (turns + 1) * MAX_TURNS_PER_OWN_TURN
        return self._search_own_turns(turns_left, end)

    def can_force_after(self, code: int, player: int, wanted_result: int, turns: int) -> int:
        """Return the answer of :meth:`can_force` for the position after a choice.

        The turn to which the choice belongs counts as the first of the ``turns`` turns.
        """
        m = self.machine
        mark = push_registers(m)
        end: M = m.turn + turns
        self.player = player
        self.wanted_result = wanted_result
        play_choice(m, code)
        self.work_left -= WORK_BUDGET - m.work_left
        result = self._search(end)
        m.undo(mark)
        return result

    def evaluate_choices(self, player: int, max_turns: int) -> list[ProvedChoice]:
        """Return the legal choices of ``player``, who is to move, with proved bounds on their values.

        The search deepens by one turn at a time, up to ``max_turns`` turns. It stops early when a forced win is found,
        all values are proved or ``work_left`` is used up.
        """
        result: list[ProvedChoice] = []
        for code in legal_choices(self.machine):
            result.append(ProvedChoice(code))
        for turns in range(1, max_turns + 1):
            has_unproved = False
            for choice in result:
                if choice.low == choice.high:
                    continue
                if choice.high == WIN:
                    answer = self.can_force_after(choice.code, player, WIN, turns)
                    if answer == YES:
                        choice.low = WIN
                        choice.decided_depth = turns
                        return result
                    if answer == NO:
                        choice.high = DRAW
                        choice.decided_depth = turns
                if choice.low < DRAW:
                    answer = self.can_force_after(choice.code, player, DRAW, turns)
                    if answer == NO:
                        choice.high = 0
                        choice.decided_depth = turns
                    elif answer == YES:
                        choice.low = DRAW
                        choice.decided_depth = turns
                if choice.low < choice.high:
                    has_unproved = True
                if self.work_left <= 0:
                    return result
            if not has_unproved:
                return result
        return result

    def _search(self, end_turn: M) -> M:
        """Return whether the wanted result can be forced before turn ``end_turn`` starts: YES, NO or UNDECIDED.

        NO means that the result can't be forced in any number of turns.
        """
        m = self.machine
        result = m.result
        player = self.player
        if result is not None:
            winners: M = result.winners
            if winners == 1 << player:
                return YES
            if winners == 1 << (1 - player):
                return NO
            if self.wanted_result == DRAW:
                return YES
            return NO
        if m.choices_made == 0 and m.turn >= end_turn:
            return UNDECIDED
        if self.work_left <= 0:
            return UNDECIDED
        key: int = mix_hash(hash_position(m), player << 2 | self.wanted_result)
        turns_left: M = end_turn - m.turn
        entry: M = self.table.get(key, 0)
        if entry == NEVER_FORCED:
            return NO
        forced_turns: M = entry >> TURN_COUNT_BITS
        vain_turns: M = entry & (1 << TURN_COUNT_BITS) - 1
        if forced_turns and forced_turns <= turns_left:
            return YES
        if vain_turns >= turns_left:
            return UNDECIDED
        seat = m.me
        if m.is_stuck:
            seat = m.mover
        mine = seat == player
        best_answer: M = NO
        worst_answer: M = YES
        if mine:
            best_answer = YES
            worst_answer = NO
        answer = worst_answer
        codes = legal_choices(m)
        self.work_left -= WORK_BUDGET - m.work_left
        choice_count: M = len(codes)
        index: M = 0
        while index < choice_count:
            code = self.move_best_to(codes, index)
            index += 1
            mark = push_registers(m)
            play_choice(m, code)
            self.work_left -= WORK_BUDGET - m.work_left
            child_answer = self._search(end_turn)
            m.undo(mark)
            if child_answer == best_answer:
                self.cutoff_counts[code] = self.cutoff_counts.get(code, 0) + 1
                answer = best_answer
                break
            if child_answer == UNDECIDED:
                answer = UNDECIDED
                if self.work_left <= 0:
                    break
        if answer == NO:
            self.table[key] = NEVER_FORCED
        elif answer == YES:
            self.table[key] = turns_left << TURN_COUNT_BITS | vain_turns
        elif self.work_left > 0:
            self.table[key] = forced_turns << TURN_COUNT_BITS | turns_left
        return answer

    def _search_own_turns(self, own_turns_left: M, end_turn: M) -> M:
        """Return whether the wanted result can be forced within ``own_turns_left`` more turns of the player.

        If the player's turn is in progress, it is the first of these turns. The opponent's reply to the last of them is
        searched as well. The answer is YES, NO or UNDECIDED; NO means that the result can't be forced in any number of
        turns. If the search reaches turn ``end_turn``, it gives up: it sets ``too_deep``, sets ``work_left`` to 0 and
        returns UNDECIDED. If one reply of the opponent leaves the answer open, the remaining replies are not searched.
        """
        m = self.machine
        result = m.result
        player = self.player
        if result is not None:
            winners: M = result.winners
            if winners == 1 << player:
                return YES
            if winners == 1 << (1 - player):
                return NO
            if self.wanted_result == DRAW:
                return YES
            return NO
        own = m.mover == player
        if m.choices_made == 0 and own and own_turns_left <= 0:
            return UNDECIDED
        if self.work_left <= 0:
            return UNDECIDED
        if m.turn >= end_turn:
            self.too_deep = True
            self.work_left = 0
            return UNDECIDED
        key: int = mix_hash(hash_position(m), player << 2 | self.wanted_result)
        entry: M = self.own_turns_table.get(key, 0)
        if entry == NEVER_FORCED:
            return NO
        forced_turns: M = entry >> TURN_COUNT_BITS
        vain_turns: M = entry & (1 << TURN_COUNT_BITS) - 1
        if forced_turns and forced_turns <= own_turns_left + 1:
            return YES
        if vain_turns > own_turns_left:
            return UNDECIDED
        seat = m.me
        if m.is_stuck:
            seat = m.mover
        mine = seat == player
        best_answer: M = NO
        worst_answer: M = YES
        if mine:
            best_answer = YES
            worst_answer = NO
        answer = worst_answer
        first_turn = m.turn
        codes = legal_choices(m)
        self.work_left -= WORK_BUDGET - m.work_left
        choice_count: M = len(codes)
        index: M = 0
        while index < choice_count:
            code = self.move_best_to(codes, index)
            index += 1
            mark = push_registers(m)
            play_choice(m, code)
            self.work_left -= WORK_BUDGET - m.work_left
            rest = own_turns_left
            if own and m.turn != first_turn:
                rest -= 1
            own_turns = self._search_own_turns(rest, end_turn)
            m.undo(mark)
            if own_turns == best_answer:
                self.cutoff_counts[code] = self.cutoff_counts.get(code, 0) + 1
                answer = best_answer
                break
            if own_turns == UNDECIDED:
                answer = UNDECIDED
                if not mine or self.work_left <= 0:
                    self.cutoff_counts[code] = self.cutoff_counts.get(code, 0) + 1
                    break
        if answer == NO:
            self.own_turns_table[key] = NEVER_FORCED
        elif answer == YES:
            self.own_turns_table[key] = (own_turns_left + 1) << TURN_COUNT_BITS | vain_turns
        elif self.work_left > 0:
            self.own_turns_table[key] = forced_turns << TURN_COUNT_BITS | (own_turns_left + 1)
        return answer

    def move_best_to(self, codes: list[int], index: M) -> int:
        """Find the most promising choice at or after ``index``, move it to ``index``, and return it.

        It is the choice that has caused the most cutoffs (history heuristic, Schaeffer 1989).
        """
        cuts = self.cutoff_counts
        best = index
        max_cutoffs: M = -1
        i = index
        choice_count: M = len(codes)
        while i < choice_count:
            cutoffs: M = cuts.get(codes[i], 0)
            if cutoffs > max_cutoffs:
                max_cutoffs = cutoffs
                best = i
            i += 1
        code = codes[best]
        codes[best] = codes[index]
        codes[index] = code
        return code
