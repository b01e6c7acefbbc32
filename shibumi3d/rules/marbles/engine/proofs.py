"""Proofs of whole endgames for two players: proof numbers, depth first, positions known again in any orientation.

Nagai 2002 (df-pn); at nodes where all must hold the greatest number counts, and one more for each of the others (Ueda
and others 2008), since positions are reached in many orders. Only for games in which no position comes again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import Word, mixed
from shibumi3d.rules.marbles.engine.exact import NO, OPEN, WIN, YES
from shibumi3d.rules.marbles.engine.fast import position_key
from shibumi3d.rules.marbles.engine.play import choices, play
from shibumi3d.rules.marbles.engine.rules import WORK
from shibumi3d.rules.marbles.engine.turns import note_registers
from shibumi3d.rules.marbles.engine.workspace import Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

NEVER: Final = 1_000_000_000
"""The proof number of what is disproved."""
KILLERS: Final = 64
"""Turns of which it is noted which choice decided last."""
ENTRIES: Final = 4_000_000
"""Positions kept at most: with more a proof is given up."""


@final
class Prover:
    """Proves on a machine. ``images``: by symmetry that the rules keep a table of 256 numbers a byte of a set of
    points, one colour after the other, and one more for marbles of whatever colour; none: positions are known again
    only as they are. ``lines``: where rules see colours by these sets of points alone, each as long as it may still
    become all of the colours ``of`` a seat, and by the colours in ``always``: what lies in none that is open may be
    of any colour. ``blind``: what lies off the board is not seen at all."""

    def __init__(
        self,
        machine: Machine,
        images: list[list[int]],
        lines: list[int],
        of: list[int],
        always: int,
        blind: bool,
    ) -> None:
        self.machine = machine
        self.images = images
        self.lines = lines
        self.of = of
        self.always: M = always
        self.blind = blind
        self.masks: list[Word] = machine.board.by_colour
        """What lies where, as far as it matters: by colour, then what may be of any."""
        if lines:
            self.masks = [Word(0) for _ in machine.board.by_colour]
            self.masks.append(Word(0))
        self.killers: list[Word] = [Word(-1) for _ in range(KILLERS)]
        """By turn: the choice that decided last."""
        self.step: M = 256 * ((len(machine.board.cells) + 7) // 8)
        self.work: M = 0
        self.player: M = 0
        self.least: M = WIN
        self.table: dict[int, int] = {}
        """By position: the proof number and the disproof number, as one number."""
        self.looked: M = 0
        """Positions looked at."""

    def prove(self, player: int, least: int) -> int:
        """Whether a player can force a win (or, with DRAW, at least a draw), whoever is to move: YES, NO or OPEN."""
        if self.player != player or self.least != least:
            self.table = {}
        self.player = player
        self.least = least
        worth = self.worth()
        if worth != OPEN:
            return worth
        key = self.key()
        self.search(key, NEVER, NEVER)
        found: M = self.table.get(key, 1 << 32 | 1)
        if found >> 32 == 0:
            return YES
        if found & 0xFFFFFFFF == 0:
            return NO
        return OPEN

    def holding(self) -> list[int]:
        """After a proof: the choices open now after which what was asked is known to hold still."""
        m = self.machine
        found: list[int] = []
        for code in choices(m):
            mark = note_registers(m)
            play(m, code)
            worth = self.worth()
            if worth == OPEN:
                known: M = self.table.get(self.key(), 1 << 32 | 1)
                if known >> 32 == 0:
                    worth = YES
            m.undo(mark)
            if worth == YES:
                found.append(code)
        return found

    def key(self) -> M:
        """A number for the position, the same in every orientation."""
        m = self.machine
        if not self.images or m.step:
            found: M = position_key(m)
            return found
        if self.lines:
            self.mask_out()
        best: M = 0x1FFFFFFFFFFFFFFF
        step = self.step
        for table in self.images:
            x: M = 0
            base: M = 0
            for word in self.masks:
                left: M = word.v
                at: M = base
                while left:
                    number: M = table[at + (left & 255)]
                    x ^= number
                    left >>= 8
                    at += 256
                base += step
            if x < best:
                best = x
        best = mixed(best, m.mover << 8 | m.phase << 1 | m.stuck)
        best = mixed(best, m.passed << 8 | m.idle)
        if m.phase + 1 < len(m.phases):
            best = mixed(best, m.phase_turns)
        if not self.blind:
            for row in m.stocks:
                for word in row:
                    best = mixed(best, word.v)
        for word in m.tallies:
            best = mixed(best, word.v)
        return best

    def mask_out(self) -> None:
        """Forget the colours of marbles in no line that is open."""
        m = self.machine
        by_colour = m.board.by_colour
        ours: M = 0
        theirs: M = 0
        mine: M = self.of[0]
        yours: M = self.of[1]
        bit: M = 1
        for word in by_colour:
            if mine & bit:
                ours |= word.v
            if yours & bit:
                theirs |= word.v
            bit <<= 1
        filled = m.board.filled
        against_us = filled & ~ours
        against_them = filled & ~theirs
        open_to_us: M = 0
        open_to_them: M = 0
        for line in self.lines:
            points: M = line
            if not points & against_us:
                open_to_us |= points
            if not points & against_them:
                open_to_them |= points
        rest: M = 0
        at: M = 0
        bit = 1
        for word in by_colour:
            lies = word.v
            keep: M = 0
            if self.always & bit:
                keep = lies
            if mine & bit:
                keep |= open_to_us
            if yours & bit:
                keep |= open_to_them
            self.masks[at].v = lies & keep
            rest |= lies & ~keep
            at += 1
            bit <<= 1
        self.masks[at].v = rest

    def killer_first(self, codes: list[int]) -> Word:
        """Put the choice that decided last in this turn of the match first, where it is open: mostly it decides
        again. Returns where the next that decides is noted."""
        m = self.machine
        killer = self.killers[m.turn % KILLERS]
        code = killer.v
        at: M = 0
        number: M = len(codes)
        while at < number:
            other: M = codes[at]
            if other == code:
                codes[at] = codes[0]
                codes[0] = code
                break
            at += 1
        return killer

    def worth(self) -> M:
        """What the match brings where it is over: YES, NO, or OPEN where it goes on."""
        result = self.machine.result
        if result is None:
            return OPEN
        winners: M = result.winners
        if winners == 1 << self.player:
            return YES
        if winners == 1 << (1 - self.player) or self.least == WIN:
            return NO
        return YES

    def search(self, key: M, proof: M, disproof: M) -> None:
        """Look at the position until its proof number or its disproof number reaches a bound."""
        m = self.machine
        self.looked += 1
        codes = choices(m)
        self.work -= WORK - m.work
        seat = m.me
        if m.stuck:
            seat = m.mover
        mine = seat == self.player
        killer = self.killer_first(codes)
        keys: list[int] = []
        table = self.table
        for code in codes:
            mark = note_registers(m)
            play(m, code)
            self.work -= WORK - m.work
            worth = self.worth()
            after: M = 0
            if worth == OPEN:
                after = self.key()
            m.undo(mark)
            if worth == OPEN:
                keys.append(after)
            elif worth == YES:
                if mine:
                    killer.v = code
                    table[key] = NEVER
                    return
                keys.append(-1)
            else:
                if not mine:
                    killer.v = code
                    table[key] = NEVER << 32
                    return
                keys.append(-2)
        number: M = len(keys)
        while True:
            least: M = NEVER + 1
            second: M = NEVER + 1
            most: M = 0
            open_ones: M = 0
            other: M = 0
            chosen: M = 0
            at: M = 0
            while at < number:
                # What whoever chooses wants small (easy), and the other one wants small (hard).
                easy: M
                hard: M
                child: M = keys[at]
                if child < 0:
                    easy = NEVER
                    hard = 0
                else:
                    known: M = table.get(child, 1 << 32 | 1)
                    easy = known >> 32
                    hard = known & 0xFFFFFFFF
                    if not mine:
                        hard = known >> 32
                        easy = known & 0xFFFFFFFF
                if easy < least:
                    second = least
                    least = easy
                    chosen = at
                    other = hard
                elif easy < second:
                    second = easy
                if hard:
                    open_ones += 1
                    if hard > most:
                        most = hard
                at += 1
            total = most
            if open_ones > 1 and most < NEVER:
                total += open_ones - 1
            if total > NEVER:
                total = NEVER
            if least > NEVER:
                least = NEVER
            if not least:
                total = NEVER
            if not total:
                least = NEVER
            now_proof = least
            now_disproof = total
            if not mine:
                now_proof = total
                now_disproof = least
            if now_proof >= proof or now_disproof >= disproof or self.work <= 0 or len(table) >= ENTRIES:
                table[key] = now_proof << 32 | now_disproof
                return
            bound: M = second + 1 + second // 4
            hard_bound: M = disproof
            if not mine:
                hard_bound = proof
                if bound > disproof:
                    bound = disproof
            elif bound > proof:
                bound = proof
            if hard_bound < NEVER:
                hard_bound = hard_bound - total + other
            mark = note_registers(m)
            play(m, codes[chosen])
            if mine:
                self.search(keys[chosen], bound, hard_bound)
            else:
                self.search(keys[chosen], hard_bound, bound)
            m.undo(mark)
