"""Proof-number search for the endgames of two-player games.

The search is depth-first (proof numbers: Allis et al. 1994; df-pn: Nagai 2002). If the rules are symmetric, it treats
rotated and mirrored positions as equal. Where all children must be proved, or all must be disproved, it doesn't add up
their numbers, but takes the largest and adds one for each other open child (weak proof-number search: Ueda et al.
2008). The full sum would be misleading, because many move orders lead to the same position. The search is sound only
for games in which no position recurs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from shibumi3d.rules.marbles.engine.board import Word, count_bits, mix_hash
from shibumi3d.rules.marbles.engine.exhaustive_search import NO, UNDECIDED, WIN, YES
from shibumi3d.rules.marbles.engine.fast_game import hash_position
from shibumi3d.rules.marbles.engine.machine import Machine
from shibumi3d.rules.marbles.engine.play import legal_choices, play_choice
from shibumi3d.rules.marbles.engine.rules import PLACE, WORK_BUDGET, PositionEquivalence
from shibumi3d.rules.marbles.engine.turns import push_registers

if TYPE_CHECKING:
    from mypy_extensions import i64 as M


INFINITY: Final = 1_000_000_000
"""The proof number of a disproved position and the disproof number of a proved one."""
KILLER_TURNS: Final = 64
KILLER_DEPTHS: Final = 4
"""Dimensions of the table of killer moves.

Its indices are the turn modulo KILLER_TURNS and the number of the choice in its turn modulo KILLER_DEPTHS.
"""
MAX_WAYS_PER_TURN: Final = 400
"""Maximum number of distinct positions that a turn may lead to if whole turns are the moves of the search.

Once a turn leads to more, the search uses single choices as moves instead.
"""
MAX_TABLE_ENTRIES: Final = 16_000_000
"""Maximum number of positions in the table; a proof is abandoned when the table is full."""


@final
class ProofNumberSearch:
    """A search that tries to prove what a player can force from the machine's current position.

    ``equivalence`` says which positions the search treats as equal. Before calling :meth:`prove`, the caller sets
    :attr:`work_left` to the work that the search may do, in the units of :data:`.WORK_BUDGET`. If the search uses up
    this work or fills the table of positions, the answer may be UNDECIDED. The answers are reliable only for games in
    which no position recurs.
    """

    def __init__(self, machine: Machine, equivalence: PositionEquivalence) -> None:
        self.machine: Final = machine
        self.symmetry_tables: Final[list[list[int]]] = list(equivalence.symmetry_tables)
        self.var_words: Final[list[Word]] = [machine.name_words[i] for i in equivalence.var_indices]
        self.lines: list[int] = []
        if self.symmetry_tables:
            self.lines = list(equivalence.lines)
        self.line_colours: Final[list[int]] = list(equivalence.line_colours)
        self.always_relevant_colours: Final[M] = equivalence.always_relevant_colours
        self.coverable_relevant_colours: Final[M] = equivalence.coverable_relevant_colours
        self.always_relevant_points: Final[M] = equivalence.always_relevant_points
        self.ignores_stocks: Final[bool] = equivalence.ignores_stocks
        self.supply_limited_colours: Final[M] = equivalence.supply_limited_colours
        self.single_seat_colours: Final[M] = equivalence.single_seat_colours
        self.relevant_masks: list[Word] = machine.board.by_colour
        """Masks, by colour, of the marbles whose colour matters.

        Unless ``lines`` is empty, a mask of all other marbles follows.
        """
        if self.lines:
            self.relevant_masks = [Word(0) for _ in machine.board.by_colour]
            self.relevant_masks.append(Word(0))
        self.winning_gaps: M = 0
        """Playable points that are the last gap in a line still open to the player to move."""
        self.killers: Final[list[Word]] = [Word(-1) for _ in range(KILLER_TURNS * KILLER_DEPTHS)]
        """Killer moves: choices that last decided a search, by turn and by depth in the turn."""
        self.searches_whole_turns = True
        """Whether whole turns are searched as units; cleared when a turn leads to too many positions."""
        self.table_stride: Final[M] = 256 * ((len(machine.board.cells) + 7) // 8)
        self.work_left: M = 0
        self.player: M = 0
        self.wanted_result: M = WIN
        self.table: dict[int, int] = {}
        """Proof number (high 32 bits) and disproof number (low 32 bits) of each position."""
        self.positions_searched: M = 0
        """Number of calls to :meth:`search` so far."""

    def prove(self, player: int, wanted_result: int) -> int:
        """Return whether a player can force a result: YES, NO, or UNDECIDED if this remains open.

        ``wanted_result`` is WIN, or DRAW for at least a draw. Either player can be to move. The table of positions is
        kept for later calls with the same player and result.
        """
        if self.player != player or self.wanted_result != wanted_result:
            self.table = {}
        self.player = player
        self.wanted_result = wanted_result
        outcome = self.outcome()
        if outcome != UNDECIDED:
            return outcome
        key = self.position_key()
        whole_turns = self.searches_whole_turns
        self.search(key, INFINITY, INFINITY)
        if whole_turns and not self.searches_whole_turns:
            # The search began with whole turns and then switched to single choices. Repeat it with single choices, so
            # that winning_choices() finds their positions in the table.
            self.search(key, INFINITY, INFINITY)
        answer: M = self.table.get(key, 1 << 32 | 1)
        if answer >> 32 == 0:
            return YES
        if answer & 0xFFFFFFFF == 0:
            return NO
        return UNDECIDED

    def winning_choices(self) -> list[int]:
        """Return the legal choices after which the wanted result can provably still be forced.

        Call :meth:`prove` first. Choices for which this isn't proved are left out, even if they preserve the result
        too, so the list may be incomplete or empty.
        """
        return [code for code in legal_choices(self.machine) if self.keeps_result(code)]

    def keeps_result(self, code: int) -> bool:
        """Return whether it is proved that the wanted result can still be forced after a choice.

        Forcing it may require certain further choices in the same turn. Call :meth:`prove` first.
        """
        m = self.machine
        mark = push_registers(m)
        seat = m.me
        turn = m.turn
        play_choice(m, code)
        outcome = self.outcome()
        result = outcome == YES
        if outcome == UNDECIDED:
            entry: M = self.table.get(self.position_key(), 1 << 32 | 1)
            result = entry >> 32 == 0
            if (
                not result
                and self.searches_whole_turns
                and m.turn == turn
                and m.me == seat
                and seat == self.player
            ):
                for further in legal_choices(m):
                    if self.keeps_result(further):
                        result = True
                        break
        m.undo(mark)
        return result

    def position_key(self) -> M:
        """Return a hash of the position.

        With symmetry tables, equivalent positions at the start of a turn have the same hash.
        """
        m = self.machine
        if not self.symmetry_tables or m.choices_made:
            result: M = hash_position(m)
            return result
        if self.lines:
            self.update_relevant_masks()
        return self.turn_start_key()

    def turn_start_key(self) -> M:
        """Return the key of the current position, which must be at the start of a turn.

        The key is based on the smallest hash of the board over all symmetries. There must be symmetry tables, since the
        key would otherwise not depend on the board. The masks in ``relevant_masks`` must be up to date.
        """
        m = self.machine
        min_hash: M = 0x1FFFFFFFFFFFFFFF
        step = self.table_stride
        for table in self.symmetry_tables:
            x: M = 0
            base: M = 0
            for word in self.relevant_masks:
                remaining: M = word.value
                at: M = base
                while remaining:
                    byte_hash: M = table[at + (remaining & 255)]
                    x ^= byte_hash
                    remaining >>= 8
                    at += 256
                base += step
            if x < min_hash:
                min_hash = x
        min_hash = mix_hash(min_hash, m.mover << 8 | m.phase << 1 | m.is_stuck)
        min_hash = mix_hash(min_hash, m.passed_seats << 8 | m.idle_count)
        if m.phase + 1 < len(m.phases):
            min_hash = mix_hash(min_hash, m.phase_turns)
        if not self.ignores_stocks:
            room: M = count_bits(m.board.all_points & ~m.board.filled)
            for row in m.stocks:
                bit: M = 1
                for word in row:
                    byte_hash = word.value
                    if self.supply_limited_colours & bit:
                        # All stocks that can't run out before the board is full are equivalent.
                        most = room
                        if self.single_seat_colours & bit:
                            most = (room + 1) // 2
                        if byte_hash > most:
                            byte_hash = most
                    min_hash = mix_hash(min_hash, byte_hash)
                    bit <<= 1
        for word in m.tallies:
            min_hash = mix_hash(min_hash, word.value)
        for word in self.var_words:
            min_hash = mix_hash(min_hash, word.value)
        return min_hash

    def update_relevant_masks(self) -> None:
        """Set ``relevant_masks`` and ``winning_gaps`` for the current position.

        Both depend on which lines each player can still complete. Call this only if ``lines`` isn't empty. Without
        lines, ``relevant_masks`` are the board's own masks, and this method would overwrite them.
        """
        m = self.machine
        board = m.board
        our_marbles: M = 0
        their_marbles: M = 0
        our_colours: M = self.line_colours[0]
        their_colours: M = self.line_colours[1]
        bit: M = 1
        for word in board.by_colour:
            if our_colours & bit:
                our_marbles |= word.value
            if their_colours & bit:
                their_marbles |= word.value
            bit <<= 1
        filled = board.filled
        against_us = filled & ~our_marbles
        against_them = filled & ~their_marbles
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
        self.winning_gaps = gaps_of_us & board.playable
        if m.mover:
            self.winning_gaps = gaps_of_them & board.playable
        under: M = 0
        if self.coverable_relevant_colours:
            under = board.supports_of(~filled)
        rest: M = 0
        at: M = 0
        bit = 1
        for word in board.by_colour:
            lies = word.value
            keep = self.always_relevant_points
            if self.always_relevant_colours & bit:
                keep = lies
            if self.coverable_relevant_colours & bit:
                keep |= under
            if our_colours & bit:
                keep |= open_to_us
            if their_colours & bit:
                keep |= open_to_them
            self.relevant_masks[at].value = lies & keep
            rest |= lies & ~keep
            at += 1
            bit <<= 1
        self.relevant_masks[at].value = rest

    def move_killer_to_front(self, codes: list[int], depth: M) -> Word:
        """If the killer move is one of ``codes``, swap it with the first of them.

        The killer move is the choice that was most recently decisive at the same depth of a turn with the same number;
        it is often decisive again. ``depth`` is the number of choices made so far in the turn. Turn numbers are
        compared modulo :data:`KILLER_TURNS`, and depths modulo :data:`KILLER_DEPTHS`. Returns the table entry in which
        to store the next killer move.
        """
        m = self.machine
        killer = self.killers[m.turn % KILLER_TURNS * KILLER_DEPTHS + depth % KILLER_DEPTHS]
        code = killer.value
        at: M = 0
        choice_count: M = len(codes)
        while at < choice_count:
            other: M = codes[at]
            if other == code:
                codes[at] = codes[0]
                codes[0] = code
                break
            at += 1
        return killer

    def outcome(self) -> M:
        """Return whether the match has ended with at least the wanted result for :attr:`player`.

        The answer is YES, NO or, if the match isn't over, UNDECIDED. A shared win counts as a draw.
        """
        result = self.machine.result
        if result is None:
            return UNDECIDED
        winners: M = result.winners
        if winners == 1 << self.player:
            return YES
        if winners == 1 << (1 - self.player) or self.wanted_result == WIN:
            return NO
        return YES

    def win_by_filling_gap(self) -> M:
        """Look for a choice that fills a gap in a line and ends the match as the player to move wants.

        Only choices that place a marble on one of the points in :attr:`winning_gaps`, which must be up to date, are
        tried. YES means that :attr:`player` is to move and can end the match with at least the wanted result. NO means
        that the opponent is to move and can end it with a result that is worse for :attr:`player`. UNDECIDED means that
        there is no such choice.
        """
        m = self.machine
        gaps = self.winning_gaps
        aim: M = NO
        if m.mover == self.player:
            aim = YES
        for code in legal_choices(m):
            choice: M = code
            if choice & 15 == PLACE and gaps >> (choice >> 7 & 511) & 1:
                mark = push_registers(m)
                play_choice(m, code)
                self.work_left -= WORK_BUDGET - m.work_left
                outcome = self.outcome()
                m.undo(mark)
                if outcome == aim:
                    return outcome
        return UNDECIDED

    def collect_turn_results(
        self,
        choices_so_far: list[int],
        ways: list[list[int]],
        keys: list[int],
        seen_keys: set[int],
        is_own_turn: bool,
    ) -> M:
        """Try the ways to complete the turn, and collect the distinct positions that result.

        Unless ``searches_whole_turns`` is set, only the next choice is tried. This flag is cleared if too many
        positions are found. A way also ends where another seat has to choose.

        For each position, its hash is appended to ``keys``, and the list of the choices that lead to it is appended to
        ``ways``. The keys -1 and -2 represent outcomes that are bad for the player to move. ``seen_keys`` is the set of
        keys found so far. ``choices_so_far`` lists the choices that have been tried out to get from the searched
        position to the current one. ``is_own_turn`` is set if the player who tries to force the result is to move.

        The search stops at the first way that is good for the player to move, and returns its outcome (YES or NO). If
        there is no such way, it returns UNDECIDED.
        """
        m = self.machine
        turn = m.turn
        seat = m.me
        depth: M = len(choices_so_far)
        codes = legal_choices(m)
        self.work_left -= WORK_BUDGET - m.work_left
        killer = self.move_killer_to_front(codes, depth)
        for code in codes:
            mark = push_registers(m)
            play_choice(m, code)
            self.work_left -= WORK_BUDGET - m.work_left
            outcome = self.outcome()
            key: M = -1
            if (
                outcome == UNDECIDED
                and m.choices_made
                and self.searches_whole_turns
                and m.turn == turn
                and m.me == seat
            ):
                choices_so_far.append(code)
                outcome = self.collect_turn_results(choices_so_far, ways, keys, seen_keys, is_own_turn)
                choices_so_far.pop()
            else:
                if outcome == UNDECIDED and (m.choices_made or not self.lines):
                    key = self.position_key()
                elif outcome == UNDECIDED:
                    self.update_relevant_masks()
                    if self.winning_gaps:
                        outcome = self.win_by_filling_gap()
                    if outcome == UNDECIDED:
                        key = self.turn_start_key()
                if outcome == YES and not is_own_turn:
                    key = -1
                elif outcome == NO and is_own_turn:
                    key = -2
                if key not in seen_keys and (outcome == UNDECIDED or (outcome == YES) != is_own_turn):
                    seen_keys.add(key)
                    keys.append(key)
                    ways.append([*choices_so_far, code])
                    if len(keys) > MAX_WAYS_PER_TURN:
                        self.searches_whole_turns = False
            m.undo(mark)
            if outcome != UNDECIDED and (outcome == YES) == is_own_turn:
                killer.value = code
                return outcome
        return UNDECIDED

    def search(self, key: M, proof_limit: M, disproof_limit: M) -> None:
        """Search until the proof number reaches ``proof_limit`` or the disproof number reaches ``disproof_limit``.

        Stores both numbers in the table under ``key``. The search also stops when the work budget is used up or the
        table is full.
        """
        m = self.machine
        self.positions_searched += 1
        seat = m.me
        if m.is_stuck:
            seat = m.mover
        mine = seat == self.player
        keys: list[int] = []
        ways: list[list[int]] = []
        seen_keys: set[int] = set()
        table = self.table
        decided = self.collect_turn_results([], ways, keys, seen_keys, mine)
        if decided == YES:
            table[key] = INFINITY
            return
        if decided == NO:
            table[key] = INFINITY << 32
            return
        child_count: M = len(keys)
        while True:
            min_easy: M = INFINITY + 1
            second_easy: M = INFINITY + 1
            max_hard: M = 0
            open_count: M = 0
            chosen_hard: M = 0
            chosen: M = 0
            at: M = 0
            while at < child_count:
                # The player to move wants ``easy`` to be small, the opponent ``hard``.
                easy: M
                hard: M
                child: M = keys[at]
                if child < 0:
                    easy = INFINITY
                    hard = 0
                else:
                    entry: M = table.get(child, 1 << 32 | 1)
                    easy = entry >> 32
                    hard = entry & 0xFFFFFFFF
                    if not mine:
                        hard = entry >> 32
                        easy = entry & 0xFFFFFFFF
                if easy < min_easy:
                    second_easy = min_easy
                    min_easy = easy
                    chosen = at
                    chosen_hard = hard
                elif easy < second_easy:
                    second_easy = easy
                if hard:
                    open_count += 1
                    if hard > max_hard:
                        max_hard = hard
                at += 1
            total = max_hard
            if open_count > 1 and max_hard < INFINITY:
                total += open_count - 1
            if total > INFINITY:
                total = INFINITY
            if min_easy > INFINITY:
                min_easy = INFINITY
            if not min_easy:
                total = INFINITY
            if not total:
                min_easy = INFINITY
            now_proof = min_easy
            now_disproof = total
            if not mine:
                now_proof = total
                now_disproof = min_easy
            if (
                now_proof >= proof_limit
                or now_disproof >= disproof_limit
                or self.work_left <= 0
                or len(table) >= MAX_TABLE_ENTRIES
            ):
                table[key] = now_proof << 32 | now_disproof
                return
            easy_limit: M = second_easy + 1 + second_easy // 4
            hard_limit: M = disproof_limit
            if not mine:
                hard_limit = proof_limit
                if easy_limit > disproof_limit:
                    easy_limit = disproof_limit
            elif easy_limit > proof_limit:
                easy_limit = proof_limit
            if hard_limit < INFINITY:
                hard_limit = hard_limit - total + chosen_hard
            mark = push_registers(m)
            for code in ways[chosen]:
                play_choice(m, code)
            if mine:
                self.search(keys[chosen], easy_limit, hard_limit)
            else:
                self.search(keys[chosen], hard_limit, easy_limit)
            m.undo(mark)
