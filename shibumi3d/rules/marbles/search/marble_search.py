"""Search from a position in a marble game, using only what one seat may know.

Hidden information is resampled for every iteration (information set Monte Carlo tree search: Cowling et al. 2012).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from time import monotonic
from typing import TYPE_CHECKING

from shibumi3d.i18n import InvalidValueError
from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.marbles.basic import BasicGame
from shibumi3d.rules.marbles.engine.board import hash_cells, mix_hash
from shibumi3d.rules.marbles.engines import get_engine
from shibumi3d.rules.marbles.notation import choice_text
from shibumi3d.rules.marbles.search.certificates import (
    MAX_PLAY_PROOF_WORK,
    load_certificate,
    look_up_certificate,
)
from shibumi3d.rules.marbles.search.determinizations import Determinizations
from shibumi3d.rules.marbles.search.hidden_boards import HiddenBoardPlayer
from shibumi3d.rules.marbles.search.learned_weights import get_weights
from shibumi3d.rules.marbles.search.learning import create_weights
from shibumi3d.rules.marbles.search.playout_settings import get_playout_settings
from shibumi3d.rules.marbles.search.position_table import PositionTableSearch, TooManyPositions
from shibumi3d.rules.marbles.search.relevance import find_counted_details
from shibumi3d.rules.marbles.search.symmetry import (
    board_symmetries,
    find_approximate_symmetries,
    get_equivalence,
    transform_mask,
)
from shibumi3d.rules.marbles.state import State
from shibumi3d.rules.search_protocols import MoveEvaluation

if TYPE_CHECKING:
    from collections.abc import Hashable

    from shibumi3d.rules.marbles.engine.exhaustive_search import ExhaustiveSearch
    from shibumi3d.rules.marbles.engine.fast_game import FastGame
    from shibumi3d.rules.marbles.engine.mcts import SearchTree
    from shibumi3d.rules.marbles.engine.proof_number_search import ProofNumberSearch


WIN, DRAW = 2, 1
"""Result codes of the engine, used as the minimum result that a proof has to show."""
PROOF_SLICE_WORK = 100_000
"""Work between two calls to ``should_stop`` during a proof, in the unit of the rules' work budget.

It is doubled whenever it is not enough to make progress.
"""
LOOKAHEAD_SLICE_WORK = 300_000
"""Work between two calls to ``should_stop`` during a search that can be resumed at almost no cost."""
MIN_POSITIONS_PER_SLICE = 300
"""Minimum number of positions that a proof should visit between two calls to ``should_stop``.

Each resumption starts again at the root, so the work of shorter slices would be wasted.
"""
MAX_TURN_POSITIONS = 1_000
"""Maximum number of positions to visit when listing whole turns, including those within a turn."""
SAMPLE_MATCHES = 5
"""Number of random matches used to estimate how many turns are left."""
STOP_CHECK_SECONDS = 0.01
"""Seconds between two calls to ``should_stop`` during simulations.

The number of iterations that fit into that time has no influence on the result.
"""


class MarbleSearch:
    """Search from ``view`` on behalf of ``seat``.

    It implements :class:`shibumi3d.rules.search_protocols.Search`. ``past`` holds the state at the start of each
    earlier turn. In games where positions can repeat, simulations count a return to one of these positions as a draw;
    exhaustive searches ignore ``past``.
    """

    def __init__(
        self, game: BasicGame, view: State, seat: int, seed: int = 0, past: Iterable[State] = ()
    ) -> None:
        self.game = game
        self.view = view
        self.seat = seat
        self.facts = game.facts(view.seats)
        self.iterations = 0
        self._rng = Random(seed)
        self._determinizations = Determinizations(game, view, seat, self._rng)
        self._fast = game.make_fast_game(view.seats, seed)
        self._past_states = tuple(past) if self.facts.positions_may_repeat else ()
        self._exhaustive_search: ExhaustiveSearch | None = None
        self._proof_search: ProofNumberSearch | None = None
        self._table_search: PositionTableSearch | None = None
        self._tree: SearchTree | None = None
        self._learned_weight = 0.0

    @property
    def sampled_state(self) -> State:
        """A full state that is consistent with the view."""
        return self._determinizations.root_state

    def restrict_moves(self, moves: Sequence[str]) -> None:
        """Set the searching seat's legal moves to ``moves``, since its view doesn't always determine them.

        ``moves`` contains the texts of the moves. For each determinization sampled from now on, up to
        :data:`.MAX_SAMPLING_ATTEMPTS` attempts are made to find one that has exactly these legal moves. If several
        determinizations are possible and the legal moves in :attr:`sampled_state` differ from ``moves``,
        :attr:`sampled_state` is sampled again.
        """
        self._determinizations.require_moves(moves, self.iterations)

    @property
    def move_texts(self) -> tuple[str, ...]:
        """Texts of the legal moves of the searching seat.

        These are the moves passed to :meth:`restrict_moves`, if any, and otherwise the legal moves in
        :attr:`sampled_state`.
        """
        return self._determinizations.moves

    @property
    def can_prove(self) -> bool:
        """Whether wins and losses can be proved.

        They can be proved in a single game between two opponents, without secrets and without chance after the setup.
        If the setup involves chance, it must be over.
        """
        facts = self.facts
        return self.view.seats == 2 and not (
            self._determinizations.has_several or facts.is_series or facts.solver
        )

    @property
    def is_simultaneous(self) -> bool:
        """Whether the searching seat and others move at the same time without seeing each other's moves.

        This is always False if the search starts from a view of a match in progress, because such a view doesn't show
        whether a secret block is open.
        """
        return self.view.is_in_secret_block

    # ------------------------------------------------------------ tree search

    def run_simulations(self, simulations: int, should_stop: Callable[[], bool]) -> bool:
        """Run up to ``simulations`` more simulations (UCT: Kocsis & Szepesvári 2006).

        Return whether it makes sense to run more. It doesn't if ``should_stop`` returned True or if further simulations
        cannot change the result.
        """
        if self._tree is None:
            self._tree = self._create_tree()
        with _garbage_collection_paused():
            return self._run_until(self._tree, self.iterations + simulations, should_stop)

    def _run_until(self, tree: SearchTree, target_iterations: int, should_stop: Callable[[], bool]) -> bool:
        """Run simulations until ``iterations`` reaches ``target_iterations``, or stop earlier.

        Returns False if ``should_stop`` returned True or if further simulations can't change the result, and True
        otherwise.
        """
        number = 1
        last_check_time = monotonic()
        while self.iterations < target_iterations:
            if self._determinizations.has_several and self.iterations:
                self._fast.load(self._determinizations.for_iteration(self.iterations), 0)
                tree.set_root()
            number = (
                1 if self._determinizations.has_several else min(number, target_iterations - self.iterations)
            )
            can_improve = tree.run(number)
            self.iterations += number
            if not can_improve:
                return False
            now = monotonic()
            if now - last_check_time < STOP_CHECK_SECONDS / 2:
                number *= 2
            elif now - last_check_time > STOP_CHECK_SECONDS:
                number = max(1, number // 2)
            if (
                not self._determinizations.has_several
                or now - last_check_time > STOP_CHECK_SECONDS
                or self.iterations == target_iterations
            ):
                last_check_time = now
                if should_stop():
                    return False
        return True

    def set_learned_weight(self, weight_share: float) -> None:
        """Use the evaluation that was learned for the game, if there is one.

        ``weight_share`` scales its weight from 0 (ignore it) to 1 (the weight that was found to work best). This method
        must be called before the first call of :meth:`run_simulations`.
        """
        self._learned_weight = weight_share

    def _create_tree(self) -> SearchTree:
        self._fast.load(self.sampled_state, 0)
        together = self.facts.solver == "win" and self.view.seats > 1
        tree = get_engine(self.game.size).SearchTree(
            self._fast.machine,
            together,
            self.facts.solver == "score",
            *get_playout_settings(self.game, self.view.seats)[:3],
            self.facts.positions_may_repeat,
        )
        learned = get_weights(self.game, self.view.seats) if self._learned_weight else None
        if learned is not None:
            weights = create_weights(self.game, self._fast.machine, self.view.seats, learned.feature_version)
            with suppress(InvalidValueError):  # raised if the number of weights does not match
                weights.set_weights(learned.values)
                tree.use_weights(
                    weights,
                    learned.weights_share * self._learned_weight,
                    learned.exploration,
                    learned.minimax_share,
                )
        for state in self._past_states:
            tree.earlier_keys.add(_tree_key(state))
        return tree

    def ranked_moves(self) -> list[MoveEvaluation]:
        """Return the evaluations of the moves in the tree, most visited first.

        Moves that have not been visited yet have a mean value of 0. Before the first simulation, the list is empty.
        """
        if self._tree is None:
            return []
        board = self.sampled_state._snapshot.board_index
        return [
            self._convert_statistics(
                (choice_text(self.view._rules, code, board),), visits, mean, low, high, far
            )
            for code, visits, mean, low, high, far in self._tree.choice_statistics(self.seat)
        ]

    def ranked_turns(self, max_count: int = 3) -> list[MoveEvaluation]:
        """Return the evaluations of up to ``max_count`` turns, most visited first.

        A turn may be incomplete: it ends before the first move that the search hasn't reached or that is illegal in
        :attr:`sampled_state`. Before the first simulation, the list is empty.
        """
        if self._tree is None:
            return []
        result = []
        for codes, visits, mean, low, high, far in self._tree.turn_statistics(self.seat, max_count):
            texts = self._legal_move_texts(codes)
            if texts:
                result.append(self._convert_statistics(texts, visits, mean, low, high, far))
        return result

    def _legal_move_texts(self, codes: list[int]) -> tuple[str, ...]:
        """Return the texts of the moves with the given codes, played one after another from the sampled state.

        The texts end before the first illegal move.
        """
        fast = self._fast
        fast.load(self.sampled_state, 0)
        texts = []
        for code in codes:
            if code not in fast.choices():
                break
            texts.append(choice_text(self.view._rules, code, fast.machine.board.index))
            fast.make(code)
        fast.load(self.sampled_state, 0)
        return tuple(texts)

    def _convert_statistics(
        self, moves: tuple[str, ...], visits: int, mean: float, low: int, high: int, decided_turn: int
    ) -> MoveEvaluation:
        turns = 0
        if not self.can_prove:
            low, high = 0, WIN
        elif self.seat:
            low, high = WIN - high, WIN - low
        if low == high:
            mean = low / WIN
            turns = decided_turn - self.view.turn
        return MoveEvaluation(moves, visits, mean, low / WIN, high / WIN, turns)

    # ------------------------------------------------------------ proofs

    def _prepare_exhaustive_search(self, max_work: int) -> ExhaustiveSearch:
        """Set up the exhaustive search at the root position with ``max_work`` units of work, and return it."""
        search = self._unloaded()
        self._fast.load(self.sampled_state, 0)
        search.work_left = max_work
        return search

    def _unloaded(self) -> ExhaustiveSearch:
        """Return the exhaustive search, creating it on first use.

        Unlike :meth:`_prepare_exhaustive_search`, this doesn't change the engine's position.
        """
        if self._exhaustive_search is None:
            self._exhaustive_search = get_engine(self.game.size).ExhaustiveSearch(self._fast.machine)
        return self._exhaustive_search

    def prove_by_lookahead(
        self, max_turns: int, max_work: int, should_stop: Callable[[], bool]
    ) -> list[MoveEvaluation]:
        """Search up to ``max_turns`` turns ahead, and return the moves with proved bounds on their values.

        The search does at most ``max_work`` units of work, in slices, and stops after a slice if ``should_stop``
        returns True. If a forced win is found, only the move that wins fastest is returned. The list is empty if
        :attr:`can_prove` is False.
        """
        if not self.can_prove:
            return []
        left, part = max_work, PROOF_SLICE_WORK
        while True:
            # Results are kept, so starting again costs little and ``should_stop`` can be called often.
            given = min(left, part)
            search = self._prepare_exhaustive_search(given)
            known = len(search.table)
            proved_choices = search.evaluate_choices(self.seat, max_turns)
            left -= given - search.work_left
            if search.work_left > 0 or left <= 0 or should_stop():
                break
            if len(search.table) == known:
                part *= 2  # generating the legal moves alone used up the slice
        board = self.sampled_state._snapshot.board_index
        evaluations = []
        for evaluation in proved_choices:
            text = choice_text(self.view._rules, evaluation.code, board)
            low, high = evaluation.low / WIN, evaluation.high / WIN
            evaluations.append(MoveEvaluation((text,), 0, low, low, high, evaluation.decided_depth))
        return [evaluation for evaluation in evaluations if evaluation.lower_bound == 1.0][:1] or evaluations

    def solve(self, max_work: int, should_stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return proved bounds on the value of the position, and moves that secure the lower bound.

        The value is from 0 (the seat loses) to 1 (it wins); the seat must be the one to move. If nothing is proved,
        e.g. because :attr:`can_prove` is False or positions can repeat, the bounds are 0 and 1. Each of the moves
        secures the lower bound by itself, but there may be others that do. There are no moves if the lower bound is 0.

        The search uses the certificate of the game, a table of its positions, or proof-number search (df-pn: Nagai
        2002). It does at most ``max_work`` units of work. If the game has a certificate, part of the work is done even
        if ``should_stop`` returns True.
        """
        low, high = 0.0, 1.0
        keeping: tuple[str, ...] = ()
        if not self.can_prove or self.facts.positions_may_repeat:
            return low, high, keeping
        lost, keeping = look_up_certificate(self.game, self.view, self.sampled_state, self.seat)
        # Half of the work is for proving a win.
        sure_work = min(MAX_PLAY_PROOF_WORK, max_work // 2) if self.has_stored_proof else 0
        if lost or keeping or not max_work:
            return float(bool(keeping)), float(not lost), keeping
        self._fast.load(self.sampled_state, 0)
        if self._table_search is None and find_counted_details(self._fast.machine.rules) is not None:
            self._table_search = PositionTableSearch(self.game, self._fast)
        if self._table_search is not None:
            # One search of the table takes the place of both proofs below.
            return self._solve_by_table(self._table_search, max_work, 2 * sure_work, should_stop)
        engine = get_engine(self.game.size)
        if self._proof_search is None:
            self._proof_search = engine.ProofNumberSearch(
                self._fast.machine, get_equivalence(self.game, self.view.seats)
            )
        prover, board = self._proof_search, self.sampled_state._snapshot.board_index
        for least in (WIN, DRAW):
            answer, left = engine.UNDECIDED, max_work // 2 if least == WIN else max_work - max_work // 2
            part, end = PROOF_SLICE_WORK, left - sure_work
            while answer == engine.UNDECIDED and left > 0 and not (left <= end and should_stop()):
                prover.work_left = min(left, part)
                left -= part
                positions_searched = prover.positions_searched
                answer = prover.prove(self.seat, least)
                if prover.positions_searched - positions_searched < MIN_POSITIONS_PER_SLICE:
                    part *= 2
            if answer == engine.YES:
                keeping = tuple(
                    [choice_text(self.view._rules, code, board) for code in prover.winning_choices()]
                )
                return max(low, least / WIN), high, keeping
            if answer == engine.NO:
                high = (least - 1) / WIN
            else:
                break
        return low, high, keeping

    def _solve_by_table(
        self,
        table_search: PositionTableSearch,
        max_work: int,
        sure_work: int,
        should_stop: Callable[[], bool],
    ) -> tuple[float, float, tuple[str, ...]]:
        """Return the result of :meth:`solve` for a game with few positions, using a table of their values.

        ``sure_work`` is the part of ``max_work`` that is done even if ``should_stop`` returns True.
        """
        board, end = self.sampled_state._snapshot.board_index, max_work - sure_work
        while max_work > 0 and not (max_work <= end and should_stop()):
            self._fast.load(self.sampled_state, 0)
            table_search.work_left = min(max_work, LOOKAHEAD_SLICE_WORK)
            max_work -= LOOKAHEAD_SLICE_WORK
            try:
                value = (table_search.evaluate() + 1) / 2
                codes = [table_search.best_move()] if value else []
            except TooManyPositions:
                continue
            return value, value, tuple([choice_text(self.view._rules, code, board) for code in codes])
        return 0.0, 1.0, ()

    @property
    def has_stored_proof(self) -> bool:
        """Whether the game has a certificate; False if :attr:`can_prove` is False."""
        return self.can_prove and load_certificate(self.game) is not None

    def estimate_turns_left(self, max_turns: int) -> int:
        """Estimate the remaining number of turns by playing a few random matches.

        The estimate is the median length of these matches. Each is stopped after ``max_turns`` turns, but turns without
        a choice that follow immediately are still played and counted. If no estimate is possible, ``max_turns`` is
        returned.
        """
        if not self.can_prove:
            return max_turns
        self._fast.load(self.sampled_state, 0)
        try:
            return int(self._fast.median_playout_turns(SAMPLE_MATCHES, max_turns))
        except RuleFailure:
            return max_turns

    def prove_turns(
        self,
        max_work: int,
        should_stop: Callable[[], bool],
        *,
        max_turns: int = 0,
        max_own_turns: int = 0,
        stop_after_wins: int = 0,
        stop_at_unproved: bool = False,
    ) -> list[MoveEvaluation]:
        """Return the whole turns that can be played now, with proved bounds on their values.

        Of the turns that lead to the same position, only one is listed. See
        :meth:`shibumi3d.rules.search_protocols.Search.prove_turns` for the arguments and for the cases in which the
        list is empty.
        """
        if not self.can_prove or (self.facts.positions_may_repeat and not max_turns and not max_own_turns):
            return []
        self._fast.load(self.sampled_state, 0)
        turns = list_whole_turns(self._fast)
        engine = get_engine(self.game.size)
        low, high = dict.fromkeys(turns, 0), dict.fromkeys(turns, WIN)
        for least in (WIN,) if max_own_turns else (WIN, DRAW):
            wins = 0
            for codes in turns:
                if high[codes] < least or should_stop():
                    continue
                self._fast.load(self.sampled_state, 0)
                for code in codes:
                    self._fast.make(code)
                result = self._prove_result(least, max_work, max_turns, max_own_turns, should_stop)
                if result == engine.YES:
                    low[codes] = least
                    wins += least == WIN
                    if wins == stop_after_wins and stop_after_wins:
                        break
                elif result == engine.NO:
                    high[codes] = least - 1
                elif stop_at_unproved:
                    wins = -1
                    break
            if wins:
                break
        self._fast.load(self.sampled_state, 0)
        return [
            MoveEvaluation(
                self._legal_move_texts(list(codes)), 0, low[codes] / WIN, low[codes] / WIN, high[codes] / WIN
            )
            for codes in turns
        ]

    def _prove_result(
        self,
        wanted_result: int,
        max_work: int,
        max_turns: int,
        max_own_turns: int,
        should_stop: Callable[[], bool],
    ) -> int:
        """Return whether the seat can force ``wanted_result`` or better from the engine's position.

        The result is the engine's YES, NO or UNDECIDED. The limits are described at
        :meth:`shibumi3d.rules.search_protocols.Search.prove_turns`.
        """
        engine = get_engine(self.game.size)
        if max_own_turns:
            return self._prove_by_lookahead(
                self._unloaded(), wanted_result, max_own_turns - 1, max_work, should_stop, own_turns_only=True
            )[0]
        if max_turns:
            left = self.sampled_state._snapshot.turn + max_turns - self._fast.machine.turn
            return self._prove_by_lookahead(self._unloaded(), wanted_result, left, max_work, should_stop)[0]
        if self._proof_search is None:
            self._proof_search = engine.ProofNumberSearch(
                self._fast.machine, get_equivalence(self.game, self.view.seats)
            )
        prover, answer, part = self._proof_search, engine.UNDECIDED, PROOF_SLICE_WORK
        while answer == engine.UNDECIDED and max_work > 0 and not should_stop():
            prover.work_left = min(max_work, part)
            max_work -= part
            positions_searched = prover.positions_searched
            answer = prover.prove(self.seat, wanted_result)
            if prover.positions_searched - positions_searched < MIN_POSITIONS_PER_SLICE:
                part *= 2
        return int(answer)

    def turns_to_win(self, max_turns: int, max_work: int, should_stop: Callable[[], bool]) -> int:
        """Return the minimum number of turns in which the search's seat can force a win.

        The turns of both players count, whichever of them is to move. Return 0 if there is no win within ``max_turns``
        turns. Return -1 if this can't be decided because ``max_work`` is used up, ``should_stop`` returned True, or
        wins can't be proved in this game.
        """
        if not self.can_prove:
            return -1
        search = self._prepare_exhaustive_search(0)
        engine = get_engine(self.game.size)
        for number in range(1, max_turns + 1):
            answer, max_work = self._prove_by_lookahead(search, WIN, number, max_work, should_stop)
            if answer == engine.YES:
                return number
            if answer == engine.NO:
                return 0
            if max_work <= 0 or should_stop():
                return -1
        return 0

    def own_turns_to_win(self, max_turns: int, max_work: int, should_stop: Callable[[], bool]) -> int:
        """Return the minimum number of the seat's own turns in which it can force a win.

        Either seat can be to move; if the seat's turn is in progress, it counts as one of the turns. Return 0 if the
        opponent is forced to lose before the seat has a turn, and ``max_turns`` + 1 if the seat can't force a win in at
        most ``max_turns`` of its turns. Return -1 if this can't be decided because ``max_work`` is used up,
        ``should_stop`` returned True, the opponent had too many turns, or wins can't be proved in this game.
        """
        if not self.can_prove:
            return -1
        search = self._prepare_exhaustive_search(0)
        engine = get_engine(self.game.size)
        for number in range(int(self._fast.machine.mover == self.seat), max_turns + 1):
            answer, max_work = self._prove_by_lookahead(
                search, WIN, number, max_work, should_stop, own_turns_only=True
            )
            if answer == engine.YES:
                return number
            if answer == engine.NO:
                break
            if max_work <= 0 or should_stop() or search.too_deep:
                return -1
        return max_turns + 1

    def _prove_by_lookahead(
        self,
        search: ExhaustiveSearch,
        wanted_result: int,
        turns: int,
        max_work: int,
        should_stop: Callable[[], bool],
        own_turns_only: bool = False,
    ) -> tuple[int, int]:
        """Return whether the seat can force ``wanted_result`` within ``turns`` turns, and the work left.

        The answer is the engine's YES, NO or UNDECIDED. A result better than ``wanted_result`` counts, too. NO means
        that such a result can't be forced in any number of turns. UNDECIDED means that no way to force it within
        ``turns`` turns was found, or that the search was cut short: because ``max_work`` was used up, because
        ``should_stop`` returned True or, with ``own_turns_only``, because the opponent can take too many turns.

        If ``own_turns_only`` is set, only the seat's own turns count towards ``turns``. The search runs in slices, each
        of which resumes from the results of the previous one.
        """
        part = LOOKAHEAD_SLICE_WORK
        while True:
            given = min(max_work, part)
            search.work_left = given
            table = search.own_turns_table if own_turns_only else search.table
            known = len(table)
            answer = int(
                (search.can_force_in_own_turns if own_turns_only else search.can_force)(
                    self.seat, wanted_result, turns
                )
            )
            left = search.work_left
            max_work -= given - max(left, 0)
            deep = own_turns_only and search.too_deep
            if (
                answer != get_engine(self.game.size).UNDECIDED
                or left > 0
                or max_work <= 0
                or deep
                or should_stop()
            ):
                return answer, max_work
            if len(table) == known:
                part *= 2

    def is_equivalent(self, other: State) -> bool:
        """Return whether the view ``other`` is known to be equivalent to the searched view.

        Two views are equivalent if the differences between them don't affect the rest of the match. At the start of a
        turn, views that differ only by a symmetry of the rules can be equivalent, too. False means only that no
        equivalence is known. If the match is over in either view, the result is True if both have the same winners and
        scores and, up to rotation and reflection, the same marbles on the boards.
        """
        ends = [
            None if end is None else (end.winners, end.scores) for end in (self.view.result, other.result)
        ]
        if ends != [None, None]:
            return ends[0] == ends[1] and not self.distance_to(other)
        if self._proof_search is None:
            self._proof_search = get_engine(self.game.size).ProofNumberSearch(
                self._fast.machine, get_equivalence(self.game, self.view.seats)
            )
        keys = []
        for state in (other, self.sampled_state):
            self._fast.load(state, 0)
            keys.append(self._proof_search.position_key())
        return bool(keys[0] == keys[1])

    def is_similar(self, other: State) -> bool:
        """Return whether ``other`` has the same marbles as the view, up to an approximate symmetry.

        Only the marbles on the boards and the player to move are compared, not the stocks or the scores. Unlike
        :meth:`is_equivalent`, this method uses symmetries even in games whose rules refer to earlier positions.
        """
        if self.view.to_move != other.to_move:
            return False
        key = "similar", self.view.seats
        if key not in self.game.cache:
            self.game.cache[key] = find_approximate_symmetries(self.game, self.view.seats)
        return self._distance_in(self.game.cache[key], other) == 0

    def distance_to(self, other: State) -> int:
        """Return the number of points at which ``other``, rotated or mirrored to fit best, differs from the view."""
        return self._distance_in(board_symmetries(self.view._rules.pyramid), other)

    def _distance_in(self, symmetries: Sequence[tuple[int, ...]], other: State) -> int:
        """Return the number of points at which ``other`` differs from the searched view.

        Of ``symmetries``, the one that makes the two views most alike is used.
        """
        pairs = list(zip(self.view._snapshot.boards, other._snapshot.boards, strict=True))
        least = self.view._rules.pyramid.point_count * len(pairs)
        for symmetry in symmetries:
            number = 0
            for (mine, *_), (theirs, *_) in pairs:
                differ = 0
                for own_point, other_point in zip(mine, theirs, strict=True):
                    differ |= transform_mask(own_point, symmetry) ^ other_point
                number += differ.bit_count()
            least = min(least, number)
        return least

    def is_proved_loss(
        self, move: str, max_turns: int, max_work: int, should_stop: Callable[[], bool]
    ) -> bool:
        """Return whether a search of ``max_turns`` turns proves that ``move`` loses.

        The turns of both players count, including the turn of ``move``. Results of earlier, deeper searches are used as
        well, so the loss itself can take more turns. The search ends when ``max_work`` units of work are used up, or
        early if ``should_stop`` returns True. The result is False if there is no proof by then, or if :attr:`can_prove`
        is False.
        """
        if not self.can_prove:
            return False
        engine, board = get_engine(self.game.size), self.sampled_state._snapshot.board_index
        self._prepare_exhaustive_search(0)
        codes = self._fast.choices()
        code = next((code for code in codes if choice_text(self.view._rules, code, board) == move), None)
        answer, left, part = engine.UNDECIDED, max_work, PROOF_SLICE_WORK
        while code is not None and answer == engine.UNDECIDED and left > 0:
            # Work in slices, each of which resumes from the results of the last, as in prove_by_lookahead().
            given = min(left, part)
            search = self._prepare_exhaustive_search(given)
            known = len(search.table)
            answer = search.can_force_after(code, self.seat, DRAW, max_turns)
            left -= given - search.work_left
            if search.work_left > 0 or should_stop():
                break
            if len(search.table) == known:
                part *= 2
        return bool(answer == engine.NO)

    # ------------------------------------------------------------ repetition and hidden boards

    def count_repetitions(self, move: str) -> int:
        """Return how many times the position after ``move`` has already occurred at the start of a turn.

        Return 0 if the move doesn't end the turn, if it ends the match, or if positions can't repeat.
        """
        if not self._past_states:
            return 0
        after, _ = self.game.apply(self.sampled_state, move)
        if after.step or after._snapshot.result is not None:
            return 0
        return sum(state.repetition_key == after.repetition_key for state in self._past_states)

    def sample_move(self, sample_count: int, should_stop: Callable[[], bool]) -> str:
        """Return the text of the best move when whole boards are hidden.

        This is the move with the highest mean score over up to ``sample_count`` guesses at the hidden boards. If there
        are many moves, only a random selection of them is compared. The move is random if no board is hidden from the
        seat, if :attr:`move_texts` aren't the legal moves of the first determinization, or if a guess can't be made or
        scored.
        """
        moves = self.move_texts
        if moves != self._determinizations.sampled_moves:
            return self._rng.choice(moves)
        try:
            return HiddenBoardPlayer(self.game, self.view, self.seat, self._rng).choose_move(
                moves, sample_count, should_stop
            )
        except RuleFailure:
            return self._rng.choice(moves)

    @property
    def prefers_sampling(self) -> bool:
        """Whether a board is hidden from some seat.

        If so, :meth:`sample_move` plays better than a tree search.
        """
        everyone = (1 << self.view.seats) - 1
        return any(sight & everyone != everyone for sight in self.view._rules.board_viewers)


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Suspend garbage collection within a ``with`` block.

    A search tree has no reference cycles but a great many objects; scanning them repeatedly would take two thirds of
    the search time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def list_whole_turns(fast: FastGame) -> list[tuple[int, ...]]:
    """Return the whole turns that can be played now, as tuples of move codes.

    Of the turns that lead to the same position, only one is listed. The list is empty if more than
    :data:`MAX_TURN_POSITIONS` positions would have to be visited.
    """
    machine = fast.machine
    first_turn = machine.turn
    seen_keys: set[tuple[Hashable, bool]] = set()
    result: list[tuple[int, ...]] = []

    def go_on(codes: tuple[int, ...]) -> bool:
        for code in fast.choices():
            fast.make(code)
            key = (fast.exact_key(), fast.result() is None)
            can_improve = True
            if key not in seen_keys:
                seen_keys.add(key)
                if len(seen_keys) > MAX_TURN_POSITIONS:
                    can_improve = False
                elif fast.result() is not None or machine.turn != first_turn:
                    result.append((*codes, code))
                else:
                    can_improve = go_on((*codes, code))
            fast.unmake()
            if not can_improve:
                return False
        return True

    return result if go_on(()) else []


def _tree_key(state: State) -> int:
    """Return the key that the tree uses for a position at the start of a turn."""
    key = 0
    for index, board in enumerate(state._snapshot.boards):
        key ^= hash_cells(index, board[0])
    return mix_hash(key, state._snapshot.mover)
