"""Estimates, by simulation, of the values of turns without a proved value."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.rules.game import match_state_key
from shibumi3d.rules.search_protocols import MoveEvaluation
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.players import rank_key
from shibumi3d.search.review.context import ReviewContext, final_value, starts_with_any
from shibumi3d.search.review.proofs import Prover
from shibumi3d.search.review.results import MISTAKE_MARKS, TurnEvaluation, TurnReview, ValueBounds
from shibumi3d.search.rollouts import SIMULATION_EXPONENT, PlayoutSearch

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

QUICK_SIMULATIONS = 100
"""Maximum number of simulations for each turn in the first, quick pass."""
MAX_REPLACEMENTS = 5
"""Maximum number of times that a suggested turn is replaced because it is proved to lose."""
DETERMINIZATIONS = 6
"""Number of determinizations in which each move is tried in games with a search of their own."""


class Estimator:
    """Estimator for the turns of a match under review.

    The estimates respect the bounds that a :class:`.Prover` has proved.
    """

    def __init__(self, context: ReviewContext, prover: Prover) -> None:
        self._context, self._prover = context, prover
        self._cache: dict[
            tuple[int, int, frozenset[tuple[str, ...]]], tuple[ValueBounds, MoveEvaluation | None]
        ] = {}
        """Cached search results, by number of moves made, simulations and excluded turns.

        Each holds the value for the seat to move and the best turn.
        """

    def estimate_turn(self, index: int, simulations: int) -> None:
        """Estimate the value of a turn with ``simulations`` simulations and record it in the context.

        Proved values take precedence. Nothing is recorded if the turn cannot be estimated.
        """
        review = self._context.turns[index]
        texts = [self._context.move_text(n) for n in range(review.start, review.end)]
        try:
            if not all(texts):
                self._context.record(
                    index, best_value=self._value_of_position(review.start, review.seat, simulations)
                )
            elif not self._context.has_uncertainty:
                self._estimate_open(index, texts, simulations)
            else:
                self._estimate_hidden(index, texts[0], simulations)
        except (RuleFailure, IllegalMove, MemoryError):
            return  # what cannot be tried is not judged

    def _estimate_open(self, index: int, texts: Sequence[str], simulations: int) -> None:
        """Judge a turn in a game without chance, hidden information or simultaneous moves.

        The turn played and the best turn found are both judged by the positions after them, so that their values are
        comparable.
        """
        review = self._context.turns[index]
        state, next_state = self._context.states[review.start], self._context.states[review.end]
        proved_bounds = self._context.proved_values.get(review.start)
        forced = len(texts) == 1 and len(self._context.game.moves(state, review.seat)) == 1
        played = self._value_after_turn(review.end, review.seat, simulations)
        lost = self._context.losing_turns.get(review.start, frozenset())
        _, best_move = self._search(review.start, state, review.seat, simulations, lost)
        better, reached = self._complete_turn(state, review.seat, best_move, simulations, review.start)
        if match_state_key(reached) == match_state_key(next_state):
            best = played
        elif starts_with_any(better, lost):
            best = ValueBounds(0.0, 0.0, 0.0)
        else:
            best = self._value_of_state(reached, review.seat, simulations, review.start)
        if played.value >= best.value:
            better, best = tuple(texts), played
        low, high = best.low, 1.0
        if proved_bounds is not None:
            low, high = max(low, proved_bounds.low), proved_bounds.high
            played = ValueBounds(played.mean, min(played.low, high), min(played.high, high))
        self._context.record(
            index,
            best_value=ValueBounds(best.value, min(low, high), high),
            played_value=played,
            best_turn=better,
            is_forced=forced,
        )

    def recheck_mistake(self, index: int, simulations: int) -> None:
        """Estimate the turn at ``index`` again if it seems to be a mistake and its values aren't proved.

        The new estimate uses ``simulations`` simulations. If the turn suggested instead is proved to lose, that
        suggestion is excluded and the estimate is repeated, up to :data:`MAX_REPLACEMENTS` times. In games with chance,
        hidden information or simultaneous moves, nothing is done.
        """
        for number in range(MAX_REPLACEMENTS + 1):
            review = self._context.turns[index]
            if self._context.has_uncertainty or review.is_proved or review.loss < MISTAKE_MARKS[-1][0]:
                return
            self.estimate_turn(index, simulations)
            if number == MAX_REPLACEMENTS:
                return
            review, game = self._context.turns[index], self._context.game
            after = self._context.state_after(
                self._context.states[review.start], review.seat, review.best_turn
            )
            if after.result is not None or self._context.should_stop():
                return
            assert after.to_move is not None
            search = make_search(game, game.observe(after, after.to_move), after.to_move, 1)
            if not search.can_prove:
                return
            proved_bounds, _, _, _ = self._prover.prove_position(search)
            if (proved_bounds if after.to_move == review.seat else proved_bounds.for_opponent()).high > 0.0:
                return
            lost = self._context.losing_turns.get(review.start, frozenset())
            self._context.losing_turns[review.start] = lost | {review.best_turn}

    def _estimate_hidden(self, index: int, text: str, simulations: int) -> None:
        """Judge the move ``text`` in a game with chance, hidden information or simultaneous choices.

        The best move and the move played are tried in the same determinizations, unless the heuristics know their
        values. If the choice is simultaneous, the move is not judged; the best mixed strategy is recorded instead, with
        its value. If there is only one legal move, it is only recorded as forced. Nothing is recorded if the search
        prefers sampling (see :attr:`.Search.prefers_sampling`).
        """
        review = self._context.turns[index]
        game, state, seat = self._context.game, self._context.states[review.start], review.seat
        view = game.observe(state, seat)
        open_ = [move.text for move in game.moves(state, seat)]
        if len(open_) == 1:
            self._context.record(index, is_forced=True)
            return
        search = make_search(
            game,
            view,
            seat,
            self._context.seed_at(review.start),
            self._context.past_views(review.start, seat),
        )
        search.restrict_moves(open_)
        if search.prefers_sampling:
            return
        search.run_simulations(simulations, self._context.should_stop)
        ranked = sorted(search.ranked_moves(), key=rank_key)
        secretly = (
            self._context.facts.has_simultaneous_moves
            and state.decision is not None
            and state.decision.visibility == "hidden"
        )
        if secretly or search.is_simultaneous:
            total_visits = sum(evaluation.visits for evaluation in ranked) or 1
            shares = [
                (evaluation.move_texts[0], round(evaluation.visits / total_visits, 3))
                for evaluation in ranked
                if evaluation.visits
            ]
            mean = sum(evaluation.visits * evaluation.mean_value for evaluation in ranked) / total_visits
            self._context.record(index, best_value=ValueBounds(mean) if ranked else None, mix=tuple(shares))
            return
        if not ranked:
            return
        better = ranked[0].move_texts[0]
        known = {evaluation.move_texts[0]: evaluation.mean_value for evaluation in ranked}
        if (
            isinstance(search, PlayoutSearch)
            and not search.iterations
            and text in known
            and any(known.values())
        ):
            values = [known[better], known[text]]  # the heuristics knew the values, so nothing was simulated
        else:
            values = [self._mean_over_deals(review, move, simulations) for move in (better, text)]
        if values[1] >= values[0] or better == text:
            better, values = text, [values[1], values[1]]
        self._context.record(
            index, best_value=ValueBounds(values[0]), played_value=ValueBounds(values[1]), best_turn=(better,)
        )

    def _mean_over_deals(self, review: TurnReview, text: str, simulations: int) -> float:
        """Return the mean value of a move over several determinizations, or 0.5 if it is illegal in all of them."""
        game, state, seat = self._context.game, self._context.states[review.start], review.seat
        view = game.observe(state, seat)
        chance, sums, count = Random(self._context.seed_at(review.start)), 0.0, 0
        search = make_search(game, view, seat, self._context.seed_at(review.start))
        if isinstance(search, PlayoutSearch):
            for _ in range(max(1, round(simulations**SIMULATION_EXPONENT / 2))):
                sampled_state = game.determinize(view, seat, chance)
                try:
                    sums += search.play_out(sampled_state, [game.parse(sampled_state, text, seat)])[seat]
                except IllegalMove:
                    continue
                count += 1
                if self._context.should_stop():
                    break
        else:
            for _ in range(DETERMINIZATIONS):
                sampled_state = game.determinize(view, seat, chance)
                try:
                    after, _ = game.apply(sampled_state, game.parse(sampled_state, text, seat))
                except IllegalMove:
                    continue
                sums += self._value_of_state(after, seat, simulations // DETERMINIZATIONS, review.start).value
                count += 1
        return sums / count if count else 0.5

    def _value_after_turn(self, n: int, seat: int, simulations: int) -> ValueBounds:
        """Return the value of the position after ``n`` moves for the seat whose turn led to it."""
        state = self._context.states[n]
        if state.result is not None:
            return final_value(state, seat)
        result, proved_bounds = (
            self._value_of_position(n, seat, simulations),
            self._prover.proved_value_after(n, seat),
        )
        if proved_bounds is not None:
            result = ValueBounds(
                result.mean, max(result.low, proved_bounds.low), min(result.high, proved_bounds.high)
            )
        return result

    def _value_of_position(self, n: int, seat: int, simulations: int) -> ValueBounds:
        """Return the value, for ``seat``, of the position after ``n`` moves of the match."""
        return self._value_of_state(self._context.states[n], seat, simulations, n, in_match=True)

    def _value_of_state(
        self, state: State, seat: int, simulations: int, n: int, in_match: bool = False
    ) -> ValueBounds:
        """Return the value of a state for a seat.

        If ``in_match`` is set, the state occurred in the match, after ``n`` moves; otherwise, it is a continuation of
        the position after ``n`` moves. If the opponent in a two-player game is to move, the value is derived from the
        opponent's value. In cooperative games and in games with more seats, the other seats are assumed to play the
        turns that they consider best until the seat is to move. If no value is found in this way, the result is 0.5.
        """
        for followed in range(2 * state.seats + 2):
            if state.result is not None:
                # A result after moves that are only estimated proves nothing.
                end = final_value(state, seat)
                return ValueBounds(end.mean) if followed else end
            mover = state.to_move
            assert mover is not None
            found, best = self._search(n if in_match else -1 - n, state, mover, simulations)
            if mover == seat:
                return ValueBounds(found.mean) if followed else found
            if state.seats == 2 and not self._context.facts.solver:
                return found.for_opponent()
            if best is None:
                break
            state, in_match = self._context.state_after(state, mover, best.move_texts), False
        return ValueBounds(0.5)

    def _search(
        self,
        n: int,
        state: State,
        seat: int,
        simulations: int,
        lost: frozenset[tuple[str, ...]] = frozenset(),
    ) -> tuple[ValueBounds, MoveEvaluation | None]:
        """Search a position; return its value for ``seat``, the seat to move, and the best turn found.

        If no turn is found, the value is 0.5 and the turn is None. The turn can be incomplete; :meth:`_complete_turn`
        completes it. A turn that begins with a sequence in ``lost`` is avoided if the search finds others.

        If the position occurred in the match, ``n`` is the number of moves made before it. Otherwise, the position is a
        continuation of the one after k moves of the match, and ``n`` is -1 - k.
        """
        key = n, simulations, lost
        if n >= 0 and key in self._cache:
            return self._cache[key]
        game, past = self._context.game, self._context.past_views(n if n >= 0 else -1 - n, seat)
        search = make_search(game, game.observe(state, seat), seat, self._context.seed_at(n), past)
        search.run_simulations(max(1, simulations), self._context.should_stop)
        ranked = sorted(search.ranked_moves(), key=rank_key)
        value, best = ValueBounds(0.5), None
        if ranked:
            low = max(review.lower_bound for review in ranked) if search.can_prove else 0.0
            every = len(ranked) == len(search.move_texts)
            high = max(review.upper_bound for review in ranked) if search.can_prove and every else 1.0
            if low not in (0.0, 1.0) or high not in (0.0, 1.0):
                low, high = 0.0, 1.0  # a draw may depend on recurring positions: leave that to the solver
            value = ValueBounds(ranked[0].mean_value, low, high)
            turns = [] if self._context.has_uncertainty else sorted(search.ranked_turns(8), key=rank_key)
            turns = [turn for turn in turns if not starts_with_any(turn.move_texts, lost)] or turns
            best = (
                turns[0]
                if turns and (turns[0].lower_bound == 1.0 or ranked[0].lower_bound < 1.0)
                else ranked[0]
            )
        if n >= 0:
            self._cache[key] = value, best
        return value, best

    def _complete_turn(
        self, state_before: State, seat: int, best_move: MoveEvaluation | None, simulations: int, n: int
    ) -> tuple[tuple[str, ...], State]:
        """Return the complete best turn of ``seat`` in ``state_before``, and the state after it.

        ``best_move`` contains the first moves of the turn, or is None if no move is known. Further searches add the
        missing moves. If one of them finds no move, the turn stays incomplete. ``n`` is the number of moves made in the
        match before the turn under review.
        """
        texts = list(best_move.move_texts) if best_move is not None else []
        state = self._context.state_after(state_before, seat, texts)
        while state.result is None and (state.to_move, state.turn) == (seat, state_before.turn):
            _, best = self._search(-1 - n, state, seat, max(QUICK_SIMULATIONS // 2, simulations // 4))
            if best is None:
                break
            texts += best.move_texts
            state = self._context.state_after(state, seat, best.move_texts)
        return tuple(texts), state

    def evaluate_alternative(
        self, review: TurnReview, texts: Sequence[str], simulations: int
    ) -> TurnEvaluation:
        """Return the value of a turn played instead of the one in ``review``, and the best reply to it.

        ``texts`` contains the moves of the turn played instead. Its value is proved if possible, and otherwise
        estimated by simulation. A reply is given only if the match goes on and another seat moves next. In games with
        chance, hidden information or simultaneous moves, only the first move is evaluated, by simulation and without a
        reply.
        """
        if self._context.has_uncertainty:
            return TurnEvaluation(ValueBounds(self._mean_over_deals(review, texts[0], simulations)))
        state = self._context.state_after(self._context.states[review.start], review.seat, texts)
        if state.result is not None:
            return TurnEvaluation(final_value(state, review.seat))
        mover = state.to_move
        assert mover is not None
        search = make_search(self._context.game, self._context.game.observe(state, mover), mover, 1)
        proved_bounds, better, _, _ = (
            self._prover.prove_position(search) if search.can_prove else (ValueBounds(0.5), (), 0, 0)
        )
        found = self._value_of_state(state, review.seat, simulations, review.start)
        if proved_bounds.is_proved:
            found = proved_bounds if mover == review.seat else proved_bounds.for_opponent()
        if mover == review.seat:
            return TurnEvaluation(found)
        _, best_move = self._search(-1 - review.start, state, mover, simulations)
        if better:
            best_move = MoveEvaluation(better, 0, 0.5)
        return TurnEvaluation(
            found, self._complete_turn(state, mover, best_move, simulations, review.start)[0]
        )
