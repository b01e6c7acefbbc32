"""Review of solo games by their solver: up to which turn a game could be won, or what each turn cost in points.

The game is over, so the solver knows the order in which marbles were drawn and would have been drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game
from shibumi3d.search.players import never_stop
from shibumi3d.search.review.context import ReviewContext
from shibumi3d.search.review.results import Review, ReviewMove, TurnEvaluation, TurnReview, ValueBounds
from shibumi3d.search.solo import is_only_move
from shibumi3d.search.solver import find_best_score, solve

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

MAX_MOVES = 500_000
"""Maximum number of moves tried to solve one position.

Without the compiled engine, this can take more than a minute.
"""
LINE_TRIES = 30
"""Number of random playouts, of which the longest is shown after a turn that loses."""
MAX_UNPROVED = 2
"""Number of consecutive positions without a proof after which no earlier positions are tried."""
WON, LOST = ValueBounds(1.0, 1.0, 1.0), ValueBounds(0.0, 0.0, 0.0)


def can_review_solo(game: Game, seats: int) -> bool:
    """Return whether ``game`` with ``seats`` seats is a solo game that has a solver."""
    return seats == 1 and bool(game.facts(seats).solver)


def review_solo(
    game: Game,
    initial_state: State,
    history: Sequence[ReviewMove],
    should_stop: Callable[[], bool] = never_stop,
) -> Iterator[Review]:
    """Yield the review of a solo game repeatedly, with the results so far.

    The turns are analysed from the last to the first, and a review is yielded after each of them. If
    :data:`MAX_UNPROVED` consecutive positions can't be proved, the earlier turns are left out; in games played for a
    score, a single one is enough. Unless ``should_stop`` returns True, a final review with ``is_complete`` set follows.
    """
    context = ReviewContext(game, initial_state, history, 0, should_stop)
    turns = context.turns
    reviewer = _SoloReviewer(context)
    for done, place in enumerate(reversed(range(len(turns)))):
        if should_stop() or reviewer.consecutive_unproved >= MAX_UNPROVED:
            break
        turns[place] = reviewer.review_turn(turns[place])
        yield Review(tuple(turns), 0, progress=done / len(turns))
    if not should_stop():
        yield Review(tuple(_scale_values(turns)), 0, is_complete=True)


class _SoloReviewer:
    """Reviewer of the turns of a solo game. The turns must be passed to it from last to first."""

    def __init__(self, context: ReviewContext) -> None:
        self._context, self._game = context, context.game
        self._for_score = context.facts.solver == "score"
        result = context.states[-1].result
        self._is_winnable: bool | None = result is not None and bool(result.winners)
        """Whether the position after the next turn to review can be won; None if unknown."""
        won = result is not None and result.winners
        self._score = result.scores[0] if self._for_score and won and result is not None else None
        """The highest score that is possible after the next turn to review; None if the game is lost."""
        self.consecutive_unproved = 0
        """Number of consecutive positions without a proof so far."""

    def review_turn(self, turn: TurnReview) -> TurnReview:
        """Return ``turn``, updated with any results that could be proved."""
        state = self._context.states[turn.start]
        played = tuple(self._context.move_text(n) for n in range(turn.start, turn.end))
        if state.to_move is None or not all(played):
            return turn
        turn = replace(turn, is_forced=len(self._game.moves(state)) == 1 and len(played) == 1)
        return (
            self._review_score(turn, state, played)
            if self._for_score
            else self._review_win(turn, state, played)
        )

    def _review_win(self, turn: TurnReview, state: State, played: tuple[str, ...]) -> TurnReview:
        after = self._is_winnable
        if after:
            only = not turn.is_forced and is_only_move(self._game, state, played[0], None)
            return replace(turn, best_value=WON, played_value=WON, best_turn=played, is_only_move=only)
        solve_result = solve(self._game, state, max_moves=MAX_MOVES, known_chance=True)
        self._is_winnable = solve_result.is_winnable
        self.consecutive_unproved = (
            0 if solve_result.is_winnable is not None else self.consecutive_unproved + 1
        )
        if solve_result.is_winnable is None or (solve_result.is_winnable and after is None):
            return turn
        if not solve_result.is_winnable:
            return replace(turn, best_value=LOST, played_value=LOST, best_turn=played)
        best_turn = self._first_turn(state, solve_result.moves)
        only = is_only_move(self._game, state, best_turn[0], None)
        return replace(turn, best_value=WON, played_value=LOST, best_turn=best_turn, is_only_move=only)

    def _review_score(self, turn: TurnReview, state: State, played: tuple[str, ...]) -> TurnReview:
        reached = self._score
        solve_result = solve(
            self._game,
            state,
            max_moves=MAX_MOVES,
            known_chance=True,
            target_score=None if reached is None else reached + 1,
        )
        if solve_result.is_winnable is None:
            self.consecutive_unproved = MAX_UNPROVED  # earlier turns can't be judged without this proof
            return turn
        if not solve_result.is_winnable:
            return replace(turn, best_turn=played, best_score=reached, played_score=reached, is_scored=True)
        best = find_best_score(self._game, state, max_moves=2 * MAX_MOVES, known_chance=True)
        if not best.is_proved:
            self.consecutive_unproved = MAX_UNPROVED
            return turn
        self._score = best.score
        return replace(
            turn,
            best_turn=self._first_turn(state, best.moves),
            best_score=best.score,
            played_score=reached,
            is_scored=True,
        )

    def _first_turn(self, state: State, moves: Sequence[str]) -> tuple[str, ...]:
        """Return the first turn in ``moves``, or only its first move if there is chance or hidden information.

        The moves are played from ``state``.
        """
        number, taken = state.turn, 0
        for text in moves:
            state, _ = self._game.apply(state, text)
            taken += 1
            if state.turn != number or state.to_move is None or self._context.has_uncertainty:
                break
        return tuple(moves[:taken])


def _scale_values(turns: Sequence[TurnReview]) -> Iterator[TurnReview]:
    """Yield the turns, with ``best_value`` and ``played_value`` set on those that are scored.

    Each value is the corresponding score as a fraction of the highest ``best_score`` of any turn, from 0 to 1. It is 0
    if the game could only be lost. If the highest ``best_score`` is 0 or less, every score has the value 1.
    """
    highest = max((turn.best_score for turn in turns if turn.best_score is not None), default=0)
    for turn in turns:
        if turn.is_scored:
            best, played = (_fraction(score, highest) for score in (turn.best_score, turn.played_score))
            turn = replace(turn, best_value=best, played_value=played)
        yield turn


def _fraction(score: int | None, highest: int) -> ValueBounds:
    if score is None:
        return LOST
    share = min(1.0, max(0.0, score / highest)) if highest > 0 else 1.0
    return ValueBounds(share, share, share)


def evaluate_solo_turn(
    game: Game, state: State, turn: TurnReview, texts: Sequence[str], max_moves: int = MAX_MOVES
) -> TurnEvaluation:
    """Evaluate the moves in ``texts`` as an alternative to ``turn``, which was played from ``state``.

    If the alternative is proved to lose or to miss the best score, the ``reply`` of the result is a line to the end of
    the game: the best line if one is proved, and otherwise a long one. If the solver can't decide this within
    ``max_moves`` moves, the value is 0.5.
    """
    for text in texts:
        state, _ = game.apply(state, game.parse(state, text, 0))
    result = solve(game, state, max_moves=max_moves, known_chance=True, target_score=turn.best_score)
    if result.is_winnable is None:
        return TurnEvaluation(ValueBounds(0.5), moves_tried=result.moves_tried)
    if result.is_winnable:
        return TurnEvaluation(turn.best_value or WON, moves_tried=result.moves_tried)
    if turn.best_score is not None:
        best = find_best_score(game, state, max_moves=2 * max_moves, known_chance=True)
        if best.is_proved and best.score is not None and best.moves:
            return TurnEvaluation(LOST, best.moves, result.moves_tried, best_score=best.score)
    return TurnEvaluation(LOST, find_long_line(game, state), result.moves_tried)


def find_long_line(game: Game, state: State) -> tuple[str, ...]:
    """Return the moves of the longest of several random playouts from ``state``.

    The playouts are the same every time.
    """
    longest: tuple[str, ...] = ()
    for seed in range(LINE_TRIES):
        chance, at, line = Random(seed), state, []
        while at.to_move is not None:
            move = chance.choice(game.moves(at))
            at, _ = game.apply(at, move)
            line.append(move.text)
        longest = max(longest, tuple(line), key=len)
    return longest
