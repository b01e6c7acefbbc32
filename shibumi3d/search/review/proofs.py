"""Proofs about the turns of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import RuleFailure
from shibumi3d.rules.game import match_state_key
from shibumi3d.rules.search_protocols import MoveEvaluation, Search
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.review.context import ReviewContext, final_value
from shibumi3d.search.review.results import TurnReview, ValueBounds

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

MAX_WORK = 8_000_000
"""Maximum work for the proof of one position, in the units of the rules."""
MAX_LOOKAHEAD_TURNS = 60
"""Maximum number of turns to look ahead for forced results."""
MAX_UNPROVED = 2
"""Number of consecutive positions without a proof after which no earlier positions are tried."""
MAX_POSITIONS = 200
"""Maximum number of positions compared when determining whether a turn is the only good one."""


class Prover:
    """Prover for the turns of a match under review. The turns must be passed to it from last to first."""

    def __init__(self, context: ReviewContext) -> None:
        self._context = context
        self.consecutive_unproved = 0
        """Number of consecutive positions without a proof so far."""

    def prove_turn(self, index: int, _: int = 0) -> None:
        """Try to prove the value of the position before a turn and judge the turn by that value.

        If the value can't be proved within the work limit, the review of the turn stays unchanged.
        """
        review = self._context.turns[index]
        state = self._context.states[review.start]
        if state.to_move != review.seat or state.result is not None:
            return
        try:
            self._prove_position(index, review, state)
        except (RuleFailure, MemoryError):
            self.consecutive_unproved += 1

    def _prove_position(self, index: int, review: TurnReview, state: State) -> None:
        texts = tuple(self._context.move_text(n) for n in range(review.start, review.end))
        game, past = self._context.game, self._context.past_views(review.start, review.seat)
        search = make_search(game, game.observe(state, review.seat), review.seat, 1, past)
        if not search.can_prove:
            self.consecutive_unproved = MAX_UNPROVED
            return
        proved_bounds, better, wins_in, loses_in = self.prove_position(search, review.start)
        played = self.proved_value_after(review.end, review.seat) if all(texts) else None
        if played is not None:
            proved_bounds = ValueBounds(
                proved_bounds.mean, max(proved_bounds.low, played.low), max(proved_bounds.high, played.low)
            )
        self._context.proved_values[review.start] = proved_bounds
        self.consecutive_unproved = 0 if proved_bounds.is_proved else self.consecutive_unproved + 1
        if not proved_bounds.is_proved:
            return
        fields: dict[str, Any] = {"best_value": proved_bounds, "wins_in": wins_in, "loses_in": loses_in}
        if proved_bounds.high == 0.0:
            played = proved_bounds
        if played is not None:
            fields["played_value"] = played
            if played.is_proved and played.low == proved_bounds.low:
                fields["best_turn"] = texts
                fields["is_only_move"] = proved_bounds.low > 0.0 and self._is_only_move(
                    review, proved_bounds.low
                )
            elif better:
                fields["best_turn"] = self._complete_best_turn(review, better, proved_bounds.low)
        self._context.proved_fields[index] = fields
        self._context.record(index)

    def prove_position(
        self, search: Search, move_count: int = -1
    ) -> tuple[ValueBounds, tuple[str, ...], int, int]:
        """Return proved bounds on the value of a position, a move that secures the lower bound, and two distances.

        The move is an empty tuple if none is known. The distances are those to a win and to a loss. A distance is a
        number of turns of the seat to move, or 0 if it is unknown. ``move_count`` is the number of moves in the match
        before the position, or -1 if the position did not occur in the match. If it did, the moves found to lose are
        recorded in the context.
        """
        low, high, wins_in, loses_in = 0.0, 1.0, 0, 0
        better: tuple[str, ...] = ()
        evaluations = search.prove_by_lookahead(MAX_LOOKAHEAD_TURNS, MAX_WORK // 2, self._context.should_stop)
        if move_count >= 0:
            self._record_losing_turns(move_count, evaluations)
        if evaluations:
            low, high = (
                max(review.lower_bound for review in evaluations),
                max(review.upper_bound for review in evaluations),
            )
            if low == 1.0:
                high = 1.0
            best = max(evaluations, key=lambda review: (review.lower_bound, review.turns_to_end))
            if low == high:
                better = best.move_texts if low > 0.0 else ()
                wins_in = (best.turns_to_end + 1) // 2 if low == 1.0 else 0
                loses_in = (best.turns_to_end + 1) // 2 if high == 0.0 else 0
        if low < high:
            lower, upper, keeping = search.solve(MAX_WORK // 2, self._context.should_stop)
            if lower > low and keeping:
                better = keeping[:1]
            low, high = max(low, lower), min(high, upper)
        return ValueBounds((low + high) / 2, low, high), better, wins_in, loses_in

    def _record_losing_turns(self, move_count: int, evaluations: Sequence[MoveEvaluation]) -> None:
        self._context.losing_turns[move_count] = frozenset(
            review.move_texts for review in evaluations if review.upper_bound == 0.0
        )

    def proved_value_after(self, n: int, seat: int) -> ValueBounds | None:
        """Return proved bounds on what the position after ``n`` moves is worth to ``seat``.

        Return None if the match isn't over in this position and no proof of its value has been tried.
        """
        state = self._context.states[n]
        if state.result is not None:
            return final_value(state, seat)
        proved_bounds = self._context.proved_values.get(n)
        return (
            proved_bounds if proved_bounds is None or state.to_move == seat else proved_bounds.for_opponent()
        )

    def _complete_best_turn(
        self, review: TurnReview, better: tuple[str, ...], value: float
    ) -> tuple[str, ...]:
        """Return ``better``, followed by further moves of the turn as long as they are proved to keep the value."""
        here = self._context.states[review.start]
        state = self._context.state_after(here, review.seat, better)
        while state.result is None and (state.to_move, state.turn) == (review.seat, here.turn):
            search = make_search(
                self._context.game, self._context.game.observe(state, review.seat), review.seat, 1
            )
            found, more, _, _ = self.prove_position(search)
            if found.low < value or not more:
                break
            better += more
            state = self._context.state_after(state, review.seat, more)
        return better

    def _is_only_move(self, review: TurnReview, value: float) -> bool:
        """Return whether all alternatives to a turn are proved to be worth less than ``value``.

        A turn that leads to the same position as the turn played is not an alternative. Return False if there are no
        alternatives, or if there are more than :data:`MAX_POSITIONS` positions to compare.
        """
        here, goal = self._context.states[review.start], self._context.states[review.end]
        seen_keys = {match_state_key(goal)}
        ways = [here]
        others: list[State] = []
        while ways:
            state = ways.pop()
            for move in self._context.game.moves(state, review.seat):
                after, _ = self._context.game.apply(state, move)
                if match_state_key(after) in seen_keys:
                    continue
                seen_keys.add(match_state_key(after))
                inside = after.result is None and (after.to_move, after.turn) == (review.seat, here.turn)
                (ways if inside else others).append(after)
                if len(seen_keys) > MAX_POSITIONS:
                    return False
        if not others:
            return False
        for after in others:
            if after.result is not None:
                if final_value(after, review.seat).low >= value:
                    return False
                continue
            mover = after.to_move
            assert mover is not None
            search = make_search(self._context.game, self._context.game.observe(after, mover), mover, 1)
            found, _, _, _ = self.prove_position(search)
            if (found if mover == review.seat else found.for_opponent()).high >= value:
                return False
        return True
