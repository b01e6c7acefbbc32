"""Proof-number search for endgames of two players.

The search is depth-first (proof numbers: Allis et al. 1994; df-pn: Nagai 2002) and treats rotated and mirrored
positions as equal. At nodes where every child must be proved, it adds up only the largest child's number and one for
each other open child (weak proof-number search: Ueda et al. 2008). The full sum would be misleading, because many move
orders lead to the same position. The search is sound only for games in which no position recurs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import Word, count, mixed
from shibumi3d.rules.marbles.engine.exact import NO, OPEN, WIN, YES
from shibumi3d.rules.marbles.engine.fast import position_key
from shibumi3d.rules.marbles.engine.play import choices, play
from shibumi3d.rules.marbles.engine.rules import PLACE, WORK, Alike
from shibumi3d.rules.marbles.engine.turns import note_registers
from shibumi3d.rules.marbles.engine.workspace import Machine

if TYPE_CHECKING:
    from mypy_extensions import i64 as M

NEVER: Final = 1_000_000_000
"""Infinity: the proof number of a disproved position and the disproof number of a proved one."""
KILLERS: Final = 64
DEPTHS: Final = 4
"""Size of the table of killer moves.

Its indices are the turn modulo KILLERS and the number of the choice in its turn modulo DEPTHS.
"""
WAYS: Final = 400
"""Maximum number of ways to complete a turn if whole turns are to be the moves of the search.

Once any turn has more ways, the search uses single choices as moves instead.
"""
ENTRIES: Final = 16_000_000
"""Maximum number of positions in the table; a proof is abandoned when the table is full."""


@final
class Prover:
    """Proof-number search on a machine.

    ``alike`` defines which positions are equivalent. The caller sets :attr:`work`, the remaining work budget. A search
    that uses it up leaves the question open.
    """

    def __init__(self, machine: Machine, alike: Alike) -> None:
        self.machine: Final = machine
        self.images: Final[list[list[int]]] = list(alike.images)
        self.names: Final[list[Word]] = [machine.names[i] for i in alike.names]
        self.lines: list[int] = []
        if self.images:
            self.lines = list(alike.lines)
        self.of: Final[list[int]] = list(alike.of)
        self.always: Final[M] = alike.always
        self.under: Final[M] = alike.under
        self.places: Final[M] = alike.places
        self.blind: Final[bool] = alike.blind
        self.spare: Final[M] = alike.spare
        self.alone: Final[M] = alike.alone
        self.masks: list[Word] = machine.board.by_colour
        """Marbles that matter, by colour, then marbles whose colour does not matter."""
        if self.lines:
            self.masks = [Word(0) for _ in machine.board.by_colour]
            self.masks.append(Word(0))
        self.gaps: M = 0
        """Playable points that are the last gap in a line still open to the player to move."""
        self.killers: Final[list[Word]] = [Word(-1) for _ in range(KILLERS * DEPTHS)]
        """Killer moves: choices that last decided a search, by turn and by depth in the turn."""
        self.whole = True
        """Whether whole turns are searched as units; cleared when a turn has too many ways."""
        self.step: Final[M] = 256 * ((len(machine.board.cells) + 7) // 8)
        self.work: M = 0
        self.player: M = 0
        self.least: M = WIN
        self.table: dict[int, int] = {}
        """Proof number (high 32 bits) and disproof number (low 32 bits) of each position."""
        self.looked: M = 0
        """Number of positions searched."""

    def prove(self, player: int, least: int) -> int:
        """Return whether a player can force a result: YES, NO, or OPEN if this remains undecided.

        ``least`` is the result: WIN, or DRAW for at least a draw. Either player may be to move. The table of positions
        is kept for later calls with the same player and result.
        """
        if self.player != player or self.least != least:
            self.table = {}
        self.player = player
        self.least = least
        worth = self.worth()
        if worth != OPEN:
            return worth
        key = self.key()
        whole = self.whole
        self.search(key, NEVER, NEVER)
        if whole and not self.whole:
            # The search began with whole turns and then switched to single choices. Repeat it with single choices, so
            # that holding() finds their positions in the table.
            self.search(key, NEVER, NEVER)
        found: M = self.table.get(key, 1 << 32 | 1)
        if found >> 32 == 0:
            return YES
        if found & 0xFFFFFFFF == 0:
            return NO
        return OPEN

    def holding(self) -> list[int]:
        """Return the legal choices after which the result can provably still be forced.

        Call :meth:`prove` first.
        """
        return [code for code in choices(self.machine) if self.holds(code)]

    def holds(self, code: int) -> bool:
        """Return whether the result can provably still be forced after a choice.

        This may require certain further choices in the same turn.
        """
        m = self.machine
        mark = note_registers(m)
        seat = m.me
        turn = m.turn
        play(m, code)
        worth = self.worth()
        found = worth == YES
        if worth == OPEN:
            known: M = self.table.get(self.key(), 1 << 32 | 1)
            found = known >> 32 == 0
            if not found and self.whole and m.turn == turn and m.me == seat and seat == self.player:
                for further in choices(m):
                    if self.holds(further):
                        found = True
                        break
        m.undo(mark)
        return found

    def key(self) -> M:
        """Return a hash of the position; at the start of a turn, it is the same in every orientation."""
        m = self.machine
        if not self.images or m.step:
            found: M = position_key(m)
            return found
        if self.lines:
            self.look_at_lines()
        return self.key_at_turn()

    def key_at_turn(self) -> M:
        """Return :meth:`key` for the start of a turn; ``masks`` must be up to date.

        It is based on the smallest hash of the board over all symmetries.
        """
        m = self.machine
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
            room: M = count(m.board.all & ~m.board.filled)
            for row in m.stocks:
                bit: M = 1
                for word in row:
                    number = word.v
                    if self.spare & bit:
                        # All stocks that can't run out before the board is full are equivalent.
                        most = room
                        if self.alone & bit:
                            most = (room + 1) // 2
                        if number > most:
                            number = most
                    best = mixed(best, number)
                    bit <<= 1
        for word in m.tallies:
            best = mixed(best, word.v)
        for word in self.names:
            best = mixed(best, word.v)
        return best

    def look_at_lines(self) -> None:
        """Find the lines that can still be completed, and the colours that no longer matter.

        Sets ``masks`` and ``gaps`` accordingly.
        """
        m = self.machine
        board = m.board
        ours: M = 0
        theirs: M = 0
        mine: M = self.of[0]
        yours: M = self.of[1]
        bit: M = 1
        for word in board.by_colour:
            if mine & bit:
                ours |= word.v
            if yours & bit:
                theirs |= word.v
            bit <<= 1
        filled = board.filled
        against_us = filled & ~ours
        against_them = filled & ~theirs
        open_to_us: M = 0
        open_to_them: M = 0
        gaps_of_us: M = 0
        gaps_of_them: M = 0
        for line in self.lines:
            points: M = line
            gap = points & ~filled
            if not points & against_us:
                open_to_us |= points
                if not gap & (gap - 1):
                    gaps_of_us |= gap
            if not points & against_them:
                open_to_them |= points
                if not gap & (gap - 1):
                    gaps_of_them |= gap
        self.gaps = gaps_of_us & board.playable
        if m.mover:
            self.gaps = gaps_of_them & board.playable
        under: M = 0
        if self.under:
            under = board.carrying(~filled)
        rest: M = 0
        at: M = 0
        bit = 1
        for word in board.by_colour:
            lies = word.v
            keep = self.places
            if self.always & bit:
                keep = lies
            if self.under & bit:
                keep |= under
            if mine & bit:
                keep |= open_to_us
            if yours & bit:
                keep |= open_to_them
            self.masks[at].v = lies & keep
            rest |= lies & ~keep
            at += 1
            bit <<= 1
        self.masks[at].v = rest

    def killer_first(self, codes: list[int], depth: M) -> Word:
        """Move the killer move to the front of ``codes``, if it is legal here.

        The killer move is the choice that was decisive when this turn and depth were last searched. It often is
        decisive again. Returns the table entry in which to store the next killer move.
        """
        m = self.machine
        killer = self.killers[m.turn % KILLERS * DEPTHS + depth % DEPTHS]
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
        """Return YES or NO if the match ended with or without the result, OPEN if it isn't over."""
        result = self.machine.result
        if result is None:
            return OPEN
        winners: M = result.winners
        if winners == 1 << self.player:
            return YES
        if winners == 1 << (1 - self.player) or self.least == WIN:
            return NO
        return YES

    def at_once(self) -> M:
        """Return YES or NO if the player to move can decide the match by completing a line, else OPEN."""
        m = self.machine
        gaps = self.gaps
        aim: M = NO
        if m.mover == self.player:
            aim = YES
        for code in choices(m):
            choice: M = code
            if choice & 15 == PLACE and gaps >> (choice >> 7 & 511) & 1:
                mark = note_registers(m)
                play(m, code)
                self.work -= WORK - m.work
                worth = self.worth()
                m.undo(mark)
                if worth == aim:
                    return worth
        return OPEN

    def follow(self, way: list[int], ways: list[list[int]], keys: list[int], met: set[int], mine: bool) -> M:
        """Try every way to complete the turn, and collect the distinct positions that result.

        Appends the hash of each position to ``keys`` and the choices that lead to it to ``ways``. ``met`` is the set of
        hashes found so far. The keys -1 and -2 represent outcomes that are bad for the player to move. ``way`` lists
        the choices made so far in this turn. ``mine`` is set if it is the turn of the player who tries to force the
        result.

        Returns YES or NO as soon as one way decides the question in favour of the player to move, else OPEN.
        """
        m = self.machine
        turn = m.turn
        seat = m.me
        depth: M = len(way)
        codes = choices(m)
        self.work -= WORK - m.work
        killer = self.killer_first(codes, depth)
        for code in codes:
            mark = note_registers(m)
            play(m, code)
            self.work -= WORK - m.work
            worth = self.worth()
            key: M = -1
            if worth == OPEN and m.step and self.whole and m.turn == turn and m.me == seat:
                way.append(code)
                worth = self.follow(way, ways, keys, met, mine)
                way.pop()
            else:
                if worth == OPEN and (m.step or not self.lines):
                    key = self.key()
                elif worth == OPEN:
                    self.look_at_lines()
                    if self.gaps:
                        worth = self.at_once()
                    if worth == OPEN:
                        key = self.key_at_turn()
                if worth == YES and not mine:
                    key = -1
                elif worth == NO and mine:
                    key = -2
                if key not in met and (worth == OPEN or (worth == YES) != mine):
                    met.add(key)
                    keys.append(key)
                    ways.append([*way, code])
                    if len(keys) > WAYS:
                        self.whole = False
            m.undo(mark)
            if worth != OPEN and (worth == YES) == mine:
                killer.v = code
                return worth
        return OPEN

    def search(self, key: M, proof: M, disproof: M) -> None:
        """Search the position until its proof number or its disproof number reaches its limit.

        Stores both numbers in the table under ``key``. The search also stops when the work budget is used up or the
        table is full.
        """
        m = self.machine
        self.looked += 1
        seat = m.me
        if m.stuck:
            seat = m.mover
        mine = seat == self.player
        keys: list[int] = []
        ways: list[list[int]] = []
        met: set[int] = set()
        table = self.table
        decided = self.follow([], ways, keys, met, mine)
        if decided == YES:
            table[key] = NEVER
            return
        if decided == NO:
            table[key] = NEVER << 32
            return
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
                # The player to move wants ``easy`` to be small, the opponent ``hard``.
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
            for code in ways[chosen]:
                play(m, code)
            if mine:
                self.search(keys[chosen], bound, hard_bound)
            else:
                self.search(keys[chosen], hard_bound, bound)
            m.undo(mark)
