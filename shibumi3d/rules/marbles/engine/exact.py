"""Exhaustive search for what a player can force in a two-player game.

This is a depth-limited minimax search with a transposition table and without heuristic values. It is for games without
chance or hidden information. Depth is counted in turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import mixed
from shibumi3d.rules.marbles.engine.fast import position_key
from shibumi3d.rules.marbles.engine.play import choices, play
from shibumi3d.rules.marbles.engine.rules import WORK
from shibumi3d.rules.marbles.engine.turns import note_registers
from shibumi3d.rules.marbles.engine.workspace import Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

OPEN: Final = 0
YES: Final = 1
NO: Final = 2
"""Answers to the question whether a player can force a result.

OPEN means that this isn't decided within the search depth.
"""
LOST: Final = -1
"""Table entry meaning that the result can't be forced at any depth."""
TURNS: Final = 16
"""Number of bits for each of the two turn counts in a table entry."""
IN_A_ROW: Final = 8
"""Maximum number of turns searched per turn of the player, when only the player's turns count."""
DRAW: Final = 1
WIN: Final = 2
"""Results that a player may try to force: at least a draw, or a win."""


@final
class Looked:
    """A choice, with what has been proved about its value for the player."""

    def __init__(self, code: M) -> None:
        self.code: Final[M] = code
        self.low: M = 0
        self.high: M = WIN
        """Bounds on the value of the choice: lost (0), drawn (1) or won (2)."""
        self.far: M = 0
        """Search depth at which a bound last changed, in turns including the one in progress."""


@final
class Exact:
    """Exhaustive search on a machine.

    Every query leaves the machine unchanged. ``work`` is the remaining work budget, in the same unit as for rules.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine: Final = machine
        self.work: M = 0
        self.player: M = 0
        self.least: M = WIN
        self.table: Final[dict[int, int]] = {}
        """Answers found so far, by the hash of position and question.

        An entry is LOST or two numbers: the number of turns in which the result can be forced (0 if unknown) in the
        high bits, and the depth in turns that was searched without an answer in the low bits.
        """
        self.own_table: Final[dict[int, int]] = {}
        """The same for :meth:`ask_own`, with both numbers increased by 1 to tell 0 from unknown."""
        self.too_deep = False
        """Whether the last :meth:`ask_own` met a longer run of opponent turns than it searches."""
        self.cuts: Final[dict[int, int]] = {}
        """Number of cutoffs that each choice has caused."""

    def ask(self, player: int, least: int, turns: int) -> int:
        """Return whether a player can force a result within a number of turns: YES, NO or OPEN.

        The result is a win or, if ``least`` is DRAW, at least a draw. Either player may be to move.
        """
        m = self.machine
        self.player = player
        self.least = least
        end: M = m.turn + turns
        return self.forced(end)

    def ask_own(self, player: int, least: int, turns: int) -> int:
        """Return whether a player can force a result within ``turns`` turns of its own: YES, NO or OPEN.

        The result is a win or, if ``least`` is DRAW, at least a draw. The opponent's reply to the last of these turns
        is searched as well. Either player may be to move; if the player's turn is in progress, it counts as one of the
        turns.
        """
        m = self.machine
        self.player = player
        self.least = least
        self.too_deep = False
        left: M = turns
        end: M = m.turn + (turns + 1) * IN_A_ROW
        return self.forced_in_own(left, end)

    def after(self, code: int, player: int, least: int, turns: int) -> int:
        """Return the answer of :meth:`ask` for the position after a choice.

        The turn to which the choice belongs is the first of ``turns``.
        """
        m = self.machine
        mark = note_registers(m)
        end: M = m.turn + turns
        self.player = player
        self.least = least
        play(m, code)
        self.work -= WORK - m.work
        found = self.forced(end)
        m.undo(mark)
        return found

    def look(self, player: int, most: int) -> list[Looked]:
        """Return the legal choices of the player to move, with proved bounds on their values.

        The search deepens by one turn at a time, up to ``most`` turns. It stops early when a forced win is found, all
        values are proved or ``work`` is used up.
        """
        found: list[Looked] = []
        for code in choices(self.machine):
            found.append(Looked(code))
        for turns in range(1, most + 1):
            open_ones = False
            for one in found:
                if one.low == one.high:
                    continue
                if one.high == WIN:
                    answer = self.after(one.code, player, WIN, turns)
                    if answer == YES:
                        one.low = WIN
                        one.far = turns
                        return found
                    if answer == NO:
                        one.high = DRAW
                        one.far = turns
                if one.low < DRAW:
                    answer = self.after(one.code, player, DRAW, turns)
                    if answer == NO:
                        one.high = 0
                        one.far = turns
                    elif answer == YES:
                        one.low = DRAW
                        one.far = turns
                if one.low < one.high:
                    open_ones = True
                if self.work <= 0:
                    return found
            if not open_ones:
                return found
        return found

    def forced(self, end: M) -> M:
        """Return whether the result can be forced from here before turn number ``end`` starts."""
        m = self.machine
        result = m.result
        player = self.player
        if result is not None:
            winners: M = result.winners
            if winners == 1 << player:
                return YES
            if winners == 1 << (1 - player):
                return NO
            if self.least == DRAW:
                return YES
            return NO
        if m.step == 0 and m.turn >= end:
            return OPEN
        if self.work <= 0:
            return OPEN
        key: int = mixed(position_key(m), player << 2 | self.least)
        left: M = end - m.turn
        known: M = self.table.get(key, 0)
        if known == LOST:
            return NO
        forced: M = known >> TURNS
        vain: M = known & (1 << TURNS) - 1
        if forced and forced <= left:
            return YES
        if vain >= left:
            return OPEN
        seat = m.me
        if m.stuck:
            seat = m.mover
        mine = seat == player
        good: M = NO
        bad: M = YES
        if mine:
            good = YES
            bad = NO
        answer = bad
        codes = choices(m)
        self.work -= WORK - m.work
        number: M = len(codes)
        at: M = 0
        while at < number:
            code = self.next_best(codes, at)
            at += 1
            mark = note_registers(m)
            play(m, code)
            self.work -= WORK - m.work
            found = self.forced(end)
            m.undo(mark)
            if found == good:
                self.cuts[code] = self.cuts.get(code, 0) + 1
                answer = good
                break
            if found == OPEN:
                answer = OPEN
                if self.work <= 0:
                    break
        if answer == NO:
            self.table[key] = LOST
        elif answer == YES:
            self.table[key] = left << TURNS | vain
        elif self.work > 0:
            self.table[key] = forced << TURNS | left
        return answer

    def forced_in_own(self, left: M, end: M) -> M:
        """Return whether the result can be forced within ``left`` more turns of the player.

        The search does not go beyond turn number ``end``. If one reply of the opponent leaves the answer open, the
        remaining replies are not searched.
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
            if self.least == DRAW:
                return YES
            return NO
        own = m.mover == player
        if m.step == 0 and own and left <= 0:
            return OPEN
        if self.work <= 0:
            return OPEN
        if m.turn >= end:
            self.too_deep = True
            self.work = 0
            return OPEN
        key: int = mixed(position_key(m), player << 2 | self.least)
        known: M = self.own_table.get(key, 0)
        if known == LOST:
            return NO
        forced: M = known >> TURNS
        vain: M = known & (1 << TURNS) - 1
        if forced and forced <= left + 1:
            return YES
        if vain > left:
            return OPEN
        seat = m.me
        if m.stuck:
            seat = m.mover
        mine = seat == player
        good: M = NO
        bad: M = YES
        if mine:
            good = YES
            bad = NO
        answer = bad
        begun = m.turn
        codes = choices(m)
        self.work -= WORK - m.work
        number: M = len(codes)
        at: M = 0
        while at < number:
            code = self.next_best(codes, at)
            at += 1
            mark = note_registers(m)
            play(m, code)
            self.work -= WORK - m.work
            rest = left
            if own and m.turn != begun:
                rest -= 1
            found = self.forced_in_own(rest, end)
            m.undo(mark)
            if found == good:
                self.cuts[code] = self.cuts.get(code, 0) + 1
                answer = good
                break
            if found == OPEN:
                answer = OPEN
                if not mine or self.work <= 0:
                    self.cuts[code] = self.cuts.get(code, 0) + 1
                    break
        if answer == NO:
            self.own_table[key] = LOST
        elif answer == YES:
            self.own_table[key] = (left + 1) << TURNS | vain
        elif self.work > 0:
            self.own_table[key] = forced << TURNS | (left + 1)
        return answer

    def next_best(self, codes: list[int], at: M) -> int:
        """Find the most promising choice at or after index ``at``, move it to ``at``, and return it.

        It is the choice that has caused the most cutoffs (history heuristic, Schaeffer 1989).
        """
        cuts = self.cuts
        best = at
        most: M = -1
        i = at
        number: M = len(codes)
        while i < number:
            decided: M = cuts.get(codes[i], 0)
            if decided > most:
                most = decided
                best = i
            i += 1
        code = codes[best]
        codes[best] = codes[at]
        codes[at] = code
        return code
