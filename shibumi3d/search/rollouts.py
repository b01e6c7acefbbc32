"""Monte Carlo search for any table kind, with random playouts from states consistent with a seat's view.

It relies only on the interface of games. Every simulation determinizes the hidden information with ``determinize``. The
first move of a simulation is chosen by UCB1 (Auer, Cesa-Bianchi & Fischer 2002), without building a tree. If several
seats move at the same time without seeing each other's moves, regret matching (Hart & Mas-Colell 2000) finds a mixed
strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, sqrt
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import Game, as_move_of
from shibumi3d.rules.search_protocols import MoveEvaluation

if TYPE_CHECKING:
    from shibumi3d.rules.game import Move, State

PLAYOUT_MOVES = 60
"""Number of moves after which a playout is cut off and the state is evaluated."""
SIMULATION_EXPONENT = 0.75
"""Exponent that reduces the number of simulations: if a level allows n, only n to this power are run.

A simulation through the general interface takes far longer than a simulation in a dedicated engine.
"""
UCB_EXPLORATION = 0.6
"""Exploration constant of UCB1."""
REGRET_ITERATIONS = 4_000
"""Maximum number of iterations of regret matching; it is reduced for payoff matrices with more than 169 cells."""


class PlayoutSearch:
    """Monte Carlo search from ``view`` on behalf of ``seat``.

    ``heuristics`` is the module with the heuristics of the table kind, or None if there is none; see
    :mod:`.heuristics`.
    """

    def __init__(
        self, game: Game, view: State, seat: int, seed: int = 0, heuristics: ModuleType | None = None
    ) -> None:
        self.game = game
        self.view = view
        self.seat = seat
        self.heuristics = heuristics
        self.iterations = 0
        self.rng = Random(seed)
        self._sampled_state = game.determinize(view, seat, self.rng)
        self._moves = [
            as_move_of(move, seat, self._sampled_state) for move in game.moves(self._sampled_state, seat)
        ]
        self.candidates = self._select_candidates()
        self._stats = {move.text: _MoveStats() for move in self.candidates}
        ask = self._sampled_state.decision
        self.choosing_seats: tuple[int, ...] = (
            ask.seats if ask is not None and ask.visibility == "hidden" else ()
        )
        self._simultaneous_search = (
            _SimultaneousSearch(self)
            if len(self.choosing_seats) > 1 and seat in self.choosing_seats
            else None
        )

    def _select_candidates(self) -> list[Move]:
        """Return the moves to search: the moves selected by the heuristics, or else all moves."""
        candidates = getattr(self.heuristics, "candidate_moves", None)
        selected = list(candidates(self.game, self.view, self.seat, self._moves)) if candidates else []
        candidate_texts = {move.text for move in selected}
        return [move for move in self._moves if move.text in candidate_texts] or self._moves

    @property
    def sampled_state(self) -> State:
        """A full state that is consistent with the view."""
        return self._sampled_state

    @property
    def move_texts(self) -> tuple[str, ...]:
        """The texts of the moves that are searched."""
        return tuple(move.text for move in self.candidates)

    def restrict_moves(self, moves: Sequence[str]) -> None:
        """Search only ``moves``, the texts of moves known to be legal.

        The restriction is ignored if it would leave no moves to search.
        """
        self.candidates = [move for move in self.candidates if move.text in moves] or self.candidates

    @property
    def is_simultaneous(self) -> bool:
        """Whether the searching seat and others move at the same time without seeing each other's moves."""
        return self._simultaneous_search is not None

    @property
    def can_prove(self) -> bool:
        """Whether wins and losses can be proved; always False, since playouts prove nothing."""
        return False

    @property
    def prefers_sampling(self) -> bool:
        """Whether :meth:`sample_move` plays better than :meth:`run_simulations`; always False."""
        return False

    def run_simulations(self, simulations: int, should_stop: Callable[[], bool]) -> bool:
        """Run simulations, but stop early if ``should_stop`` returns True.

        The number of simulations run is ``simulations ** SIMULATION_EXPONENT``, rounded, but at least one. If
        ``simulations`` is at least the heuristics' ``MIN_SIMULATIONS_FOR_POLICY`` and their ``move_policy`` returns a
        policy, that policy is used instead, and no simulations are run.

        Return whether more simulations could help. The result is False if the run was stopped, if the policy was used,
        or if there is only one move to search.
        """
        known = getattr(self.heuristics, "move_policy", None)
        deep = simulations >= getattr(self.heuristics, "MIN_SIMULATIONS_FOR_POLICY", 0)
        policy = known(self.game, self.view, self.seat) if known and deep else None
        if policy:
            for text, found in policy.items():
                probability, value = found if isinstance(found, tuple) else (found, 0.0)
                if text in self._stats:
                    visits = max(1, round(1_000 * probability)) if probability > 0 else 0
                    self._stats[text].visits = visits
                    self._stats[text].sum = visits * value
            return False
        stopped = False
        for _ in range(max(1, round(simulations**SIMULATION_EXPONENT))):
            full_state = self._sampled_state
            if self.iterations:
                full_state = self.game.determinize(self.view, self.seat, self.rng)
            self.iterations += 1
            if self._simultaneous_search is not None:
                self._simultaneous_search.simulate(full_state)
            else:
                self._simulate(full_state)
            stopped = should_stop()
            if stopped:
                break
        if self._simultaneous_search is not None:
            self._simultaneous_search.store_equilibrium(self._stats)
        return not stopped and len(self.candidates) > 1

    def _simulate(self, full_state: State) -> None:
        """Run one simulation, beginning with the move that has the highest upper confidence bound."""
        total = 1 + sum(stat.visits for stat in self._stats.values())
        move = max(self.candidates, key=lambda move: self._stats[move.text].ucb(total))
        self._stats[move.text].add(self.play_out(full_state, [move])[self.seat])

    def play_out(self, state: State, moves: Sequence[Move]) -> Sequence[float]:
        """Make ``moves`` and play on; return the result for each seat, from 0 to 1.

        The further moves are chosen by the heuristics if possible, and otherwise at random. The result is an estimate
        if the playout is cut off, and 0.5 for each seat if the rules fail.
        """
        game, chance = self.game, self.rng
        likely = getattr(self.heuristics, "playout_move", None)
        try:
            for move in moves:
                state, _ = game.apply(state, move)
            for _ in range(getattr(self.heuristics, "PLAYOUT_MOVES", PLAYOUT_MOVES)):
                if state.to_move is None:
                    break
                seat = state.to_move
                open_now = game.moves(state, seat)
                move = likely(game, state, seat, open_now, chance) if likely else chance.choice(open_now)
                state, _ = game.apply(state, as_move_of(move, seat, state))
        except RuleFailure:
            return [0.5] * state.seats
        return self.evaluate(state)

    def evaluate(self, state: State) -> Sequence[float]:
        """Return the value of a state for each seat, from 0 to 1."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            share = 1 / len(outcome.winners) if outcome.winners else 1 / state.seats
            return [
                share if seat in outcome.winners or not outcome.winners else 0.0
                for seat in range(state.seats)
            ]
        estimate = getattr(self.heuristics, "estimate_values", None)
        if estimate is not None:
            result: Sequence[float] = estimate(self.game, state)
            return result
        sums = [
            score + (state.totals[seat] if state.totals else 0) for seat, score in enumerate(state.scores)
        ]
        return [_estimate_lead(sums, seat) for seat in range(state.seats)]

    def ranked_moves(self) -> list[MoveEvaluation]:
        """Return the evaluations of the moves visited so far, most visited first."""
        evaluations = [
            MoveEvaluation((text,), stat.visits, stat.mean)
            for text, stat in self._stats.items()
            if stat.visits
        ]
        return sorted(evaluations, key=lambda stats: (-stats.visits, -stats.mean_value))

    def ranked_turns(self, max_count: int = 3) -> list[MoveEvaluation]:
        """Return up to ``max_count`` of the best moves, each as a turn of its own.

        Whole turns are not searched.
        """
        return self.ranked_moves()[:max_count]

    def prove_by_lookahead(
        self, max_turns: int, max_work: int, should_stop: Callable[[], bool]
    ) -> list[MoveEvaluation]:
        """Return an empty list, since playouts prove nothing."""
        return []

    def solve(self, max_work: int, should_stop: Callable[[], bool]) -> tuple[float, float, tuple[str, ...]]:
        """Return the bounds 0 and 1 and no moves, since playouts prove nothing."""
        return 0.0, 1.0, ()

    @property
    def has_stored_proof(self) -> bool:
        """Whether there is a stored proof of who wins the game; always False."""
        return False

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
        """Return an empty list, since playouts prove nothing."""
        return []

    def turns_to_win(self, max_turns: int, max_work: int, should_stop: Callable[[], bool]) -> int:
        """Return -1, since playouts prove nothing."""
        return -1

    def own_turns_to_win(self, max_turns: int, max_work: int, should_stop: Callable[[], bool]) -> int:
        """Return -1, since playouts prove nothing."""
        return -1

    def is_equivalent(self, other: State) -> bool:
        """Return False, since this search cannot determine what matters for the rest of the match."""
        return False

    def is_similar(self, other: State) -> bool:
        """Return False, for the same reason as :meth:`is_equivalent`."""
        return False

    def distance_to(self, other: State) -> int:
        """Return 0 if ``other`` repeats the position that is searched, and 1,000 otherwise.

        This search cannot measure how different two positions are.
        """
        return 0 if self.view.repetition_key == other.repetition_key else 1_000

    def is_proved_loss(
        self, move: str, max_turns: int, max_work: int, should_stop: Callable[[], bool]
    ) -> bool:
        """Return False, since playouts prove nothing."""
        return False

    def estimate_turns_left(self, max_turns: int) -> int:
        """Return ``max_turns``, since the number of turns left is not estimated."""
        return max_turns

    def count_repetitions(self, move: str) -> int:
        """Return 0, since recurring positions are not tracked."""
        return 0

    def set_learned_weight(self, weight_share: float) -> None:
        """Do nothing, since playouts don't use a learned evaluation."""

    def sample_move(self, sample_count: int, should_stop: Callable[[], bool]) -> str:
        """Return the text of a random move."""
        return self.rng.choice(self.move_texts)


class _MoveStats:
    """Statistics of the simulations that began with one move."""

    __slots__ = ("sum", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.sum = 0.0

    @property
    def mean(self) -> float:
        return self.sum / self.visits if self.visits else 0.5

    def add(self, value: float) -> None:
        self.visits += 1
        self.sum += value

    def ucb(self, total: int) -> float:
        """Return the upper confidence bound (UCB1); it is infinite for a move that was never tried.

        ``total`` is 1 plus the number of visits of all moves.
        """
        return self.mean + UCB_EXPLORATION * sqrt(log(total) / self.visits) if self.visits else float("inf")


class _SimultaneousSearch:
    """Search of a position in which several seats answer without seeing each other's answers.

    It records the results for each combination of answers. Regret matching then determines how often each answer should
    be given in equilibrium.
    """

    def __init__(self, search: PlayoutSearch) -> None:
        self.search = search
        self.choosing_seats = search.choosing_seats
        self.answers: dict[int, list[Move]] = {}
        self.results: dict[tuple[str, ...], list[float]] = {}
        """For each combination of answers: the number of simulations, then the sum of each answering seat's results."""

    def _choices_for(self, full_state: State, seat: int) -> list[Move]:
        """Return the answers to try for a seat in ``full_state``, and add new ones to ``answers``.

        For the searching seat, these are the moves that are searched. For any other seat, they are its legal moves in
        ``full_state``. Since these may depend on the sampled hidden information, ``answers`` collects them over all
        simulations.
        """
        search = self.search
        result = search.candidates if seat == search.seat else list(search.game.moves(full_state, seat))
        known = self.answers.setdefault(seat, [])
        texts = {move.text for move in known}
        known += [move for move in result if move.text not in texts]
        return result

    def simulate(self, full_state: State) -> None:
        """Run one simulation that begins with a random answer from each seat that must choose."""
        search = self.search
        chance = search.rng
        made = [
            as_move_of(chance.choice(self._choices_for(full_state, seat)), seat, full_state)
            for seat in self.choosing_seats
        ]
        state = full_state
        values = search.play_out(state, made)
        known = self.results.setdefault(
            tuple(move.text for move in made), [0.0] * (1 + len(self.choosing_seats))
        )
        known[0] += 1
        for place, seat in enumerate(self.choosing_seats, 1):
            known[place] += values[seat]

    def store_equilibrium(self, stats: dict[str, _MoveStats]) -> None:
        """Store the searching seat's equilibrium strategy in ``stats``.

        The number of visits of each answer is proportional to its probability in the strategy. Its mean value is its
        payoff, averaged over all combinations of the other seats' answers that were simulated.
        """
        me = self.choosing_seats.index(self.search.seat)
        own_texts = [move.text for move in self.search.candidates]
        others = sorted({answer[:me] + answer[me + 1 :] for answer in self.results})
        gain, loss = self._payoff_matrices(me, own_texts, others)
        strategy = _match_regrets(gain, loss)
        total = max(1.0, sum(tries[0] for tries in self.results.values()))
        for row, text in enumerate(own_texts):
            stats[text].visits = round(total * strategy[row])
            stats[text].sum = stats[text].visits * (sum(gain[row]) / len(others) if others else 0.5)

    def _payoff_matrices(
        self, seat: int, own_moves: list[str], other_moves: list[tuple[str, ...]]
    ) -> tuple[list[list[float]], list[list[float]]]:
        """Return two payoff matrices: that of one of the choosing seats, and that of its opponents.

        The rows are ``own_moves``, the columns ``other_moves``. ``seat`` is an index into ``choosing_seats``. The
        seat's payoff in a cell averages the simulated results of the cell together with one predicted result. The
        prediction is the mean of the row plus the mean of the column, minus the overall mean. The opponents' payoff is
        1 minus the seat's.
        """
        rows, columns = (
            {text: i for i, text in enumerate(own_moves)},
            {texts: i for i, texts in enumerate(other_moves)},
        )
        counts = [[0.0] * len(other_moves) for _ in own_moves]
        gains = [[0.0] * len(other_moves) for _ in own_moves]
        for answer, tries in self.results.items():
            i, j = rows[answer[seat]], columns[answer[:seat] + answer[seat + 1 :]]
            counts[i][j] += tries[0]
            gains[i][j] += tries[1 + seat]
        every = sum(map(sum, counts)) or 1.0
        middle = sum(map(sum, gains)) / every
        row_means = [_mean(gains[i], counts[i], middle) for i in range(len(own_moves))]
        column_means = [
            _mean([row[j] for row in gains], [row[j] for row in counts], middle)
            for j in range(len(other_moves))
        ]
        for i in range(len(own_moves)):
            for j in range(len(other_moves)):
                expected = row_means[i] + column_means[j] - middle
                gains[i][j] = (gains[i][j] + expected) / (counts[i][j] + 1)
        return gains, [[1 - value for value in row] for row in gains]


def _match_regrets(gain: list[list[float]], loss: list[list[float]]) -> list[float]:
    """Return the average strategy of the row player over the iterations of regret matching.

    ``gain`` contains the payoffs to the row player, ``loss`` the payoffs to the column player. Negative regrets are set
    to 0 in every iteration (regret matching+, Tammelin 2014). In zero-sum games, the average strategies converge to an
    equilibrium.
    """
    rows, columns = len(gain), len(gain[0]) if gain else 0
    if not columns:
        return [1 / rows] * rows
    by_column = [list(column) for column in zip(*loss, strict=True)]
    regrets, other_regrets = [0.0] * rows, [0.0] * columns
    often = [0.0] * rows
    for _ in range(max(200, REGRET_ITERATIONS * 169 // max(169, rows * columns))):
        row_strategy, column_strategy = _regret_strategy(regrets), _regret_strategy(other_regrets)
        row_payoffs = [
            sum(p * value for p, value in zip(column_strategy, row, strict=True) if p) for row in gain
        ]
        other_worth = [
            sum(p * value for p, value in zip(row_strategy, column, strict=True) if p) for column in by_column
        ]
        mean = sum(p * value for p, value in zip(row_strategy, row_payoffs, strict=True))
        other_mean = sum(p * value for p, value in zip(column_strategy, other_worth, strict=True))
        for i in range(rows):
            regrets[i] = max(0.0, regrets[i] + row_payoffs[i] - mean)
            often[i] += row_strategy[i]
        for j in range(columns):
            other_regrets[j] = max(0.0, other_regrets[j] + other_worth[j] - other_mean)
    total = sum(often)
    return [stats / total for stats in often]


def _regret_strategy(regrets: list[float]) -> list[float]:
    total = sum(regrets)
    return [regret / total for regret in regrets] if total > 0 else [1 / len(regrets)] * len(regrets)


def _mean(sums: list[float], counts: list[float], default: float) -> float:
    total = sum(counts)
    return sum(sums) / total if total else default


def _estimate_lead(sums: Sequence[int], seat: int) -> float:
    """Return an estimate of a seat's result, from 0.05 to 0.95, based on its lead in the total scores ``sums``."""
    best = max((score for other, score in enumerate(sums) if other != seat), default=0)
    return 0.5 + 0.45 * (sums[seat] - best) / (abs(sums[seat]) + abs(best) + 1)
