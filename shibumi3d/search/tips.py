"""Measurement of a tip: how much better its turn is than another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game
from shibumi3d.search.players import never_stop, player
from shibumi3d.search.problems.candidates import state_after
from shibumi3d.search.review.context import ReviewContext, final_value
from shibumi3d.search.review.estimates import Estimator
from shibumi3d.search.review.proofs import Prover
from shibumi3d.search.review.results import MISTAKE_MARKS, ReviewMove, ValueBounds
from shibumi3d.search.solo import play_to_end
from shibumi3d.search.solver import find_best_score

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

MIN_TIP_POINTS = MISTAKE_MARKS[1][0]
"""Minimum margin of a tip, in percentage points: the minimum loss at which a review marks a turn with ``?``."""
TIP_SIMULATIONS = 800
"""Number of simulations for each of the two turns."""
CONTINUATIONS = 100
"""Number of continuations in which a margin is measured if the turns can't be compared by simulations."""
CONTINUING_STRENGTH = "stone"
"""Level of the computer player that plays the continuations."""
BEST_SCORE_MOVES = 60_000
"""Maximum number of moves tried to prove the best score after a turn."""


@dataclass(frozen=True, slots=True)
class TipMargin:
    """Values of the turn recommended by a tip (``followed``) and of another turn (``ignored``).

    The values are those for the seat to move. In games played for a score, the value of a turn is the share of
    continuations in which it leads to a better result than the other turn does. However, if the best result after each
    turn is proved, the better turn has the value 1 and the other 0. Ties count for neither turn. ``is_for_score`` is
    set in these games.
    """

    followed: ValueBounds
    ignored: ValueBounds
    is_for_score: bool = False

    @property
    def points(self) -> float:
        """Margin in percentage points, from -100 to 100."""
        return 100.0 * (self.followed.value - self.ignored.value)

    @property
    def is_proved(self) -> bool:
        """Whether the recommended turn is proved to be better than the turn with which it is compared."""
        return self.followed.low > self.ignored.high

    @property
    def is_enough(self) -> bool:
        """Whether the recommended turn is proved to be better, or ``points`` is at least :data:`MIN_TIP_POINTS`."""
        return self.is_proved or self.points >= MIN_TIP_POINTS


def measure_tip(
    game: Game,
    state: State,
    turn: Sequence[str],
    instead: Sequence[str],
    simulations: int = TIP_SIMULATIONS,
    seed: int = 0,
    continuations: int = CONTINUATIONS,
) -> TipMargin:
    """Compare ``turn``, which the tip recommends, with ``instead``; both are turns played in ``state``.

    Usually, the value of each turn is proved or, if it can't be, estimated by ``simulations`` simulations. If the seat
    to move chooses in secret, the value is the mean result of ``continuations`` matches instead. Computer players
    finish these matches, and the opponents don't know the choice.

    In games played for a score, the best scores after the two turns are compared if both are proved. Otherwise, a
    computer player finishes the game ``continuations`` times after each turn, with the same draws for both.

    The same seed gives the same result. Raises IllegalMove if one of the turns is illegal.
    """
    if game.facts(state.seats).solver == "score":
        return _compare_scores(game, state, turn, instead, seed, continuations)
    measure, count = (
        (_value_of_secret_choice, continuations)
        if _chooses_in_secret(state)
        else (_value_of_turn, simulations)
    )
    return TipMargin(measure(game, state, turn, count, seed), measure(game, state, instead, count, seed))


def _value_of_turn(game: Game, state: State, turn: Sequence[str], simulations: int, seed: int) -> ValueBounds:
    """Return the value of a turn for the seat that makes it, as a review would judge it."""
    seat, now, history = state.to_move, state, []
    assert seat is not None
    for text in turn:
        after, _ = game.apply(now, game.parse(now, text, seat))
        history.append(ReviewMove(seat, now.turn, text, after))
        now = after
    if now.result is not None:
        return final_value(now, seat)
    context = ReviewContext(game, state, history, seed, never_stop)
    estimates = Estimator(context, Prover(context))
    return estimates.evaluate_alternative(context.turns[0], turn, simulations).value


def _chooses_in_secret(state: State) -> bool:
    """Return whether several seats choose at the same time without seeing each other's choices."""
    return state.decision is not None and state.decision.visibility == "hidden" and state.seats > 1


def _value_of_secret_choice(
    game: Game, state: State, turn: Sequence[str], continuations: int, seed: int
) -> ValueBounds:
    """Return the estimated value of a turn that begins with a secret choice.

    The value is the mean result of ``continuations`` continuations. In each of them, the hidden information is drawn
    anew, the moves of the turn are made, and a computer player finishes the match for all seats. The other seats answer
    without knowing the choice.
    """
    seat = state.to_move
    assert seat is not None
    view, total = game.observe(state, seat), 0.0
    for number in range(continuations):
        chance = Random(f"{seed}/{number}")
        now = game.determinize(view, seat, chance)
        for text in turn:
            now, _ = game.apply(now, game.parse(now, text, seat))
        total += final_value(_play_on(game, now, chance.getrandbits(30)), seat).value
    return ValueBounds(total / continuations)


def _play_on(game: Game, state: State, seed: int) -> State:
    """Have a computer player finish a match for all seats; return the state at the end.

    The player knows only what the seat to move may know.
    """
    continuing = player(CONTINUING_STRENGTH, seed)
    while state.to_move is not None:
        seat = state.to_move
        moves = [move.text for move in game.moves(state, seat)]
        text = continuing.choose(game, game.observe(state, seat), seat=seat, moves=moves).move
        state, _ = game.apply(state, game.parse(state, text, seat))
    return state


def _compare_scores(
    game: Game, state: State, turn: Sequence[str], instead: Sequence[str], seed: int, continuations: int
) -> TipMargin:
    if not game.facts(1).has_chance:
        proved = [_proved_rank(game, state_after(game, state, texts)) for texts in (turn, instead)]
        if proved[0] is not None and proved[1] is not None:
            is_better, is_worse = float(proved[0] > proved[1]), float(proved[0] < proved[1])
            return TipMargin(
                ValueBounds(is_better, is_better, is_better),
                ValueBounds(is_worse, is_worse, is_worse),
                is_for_score=True,
            )
    view, better, worse = game.observe(state, 0), 0, 0
    for number in range(continuations):
        start = game.determinize(view, 0, Random(f"{seed}/{number}"))
        followed, ignored = (
            _rank(play_to_end(game, state_after(game, start, texts), CONTINUING_STRENGTH, number))
            for texts in (turn, instead)
        )
        better += followed > ignored
        worse += followed < ignored
    return TipMargin(
        ValueBounds(better / continuations), ValueBounds(worse / continuations), is_for_score=True
    )


def _rank(state: State) -> tuple[bool, int]:
    """Return a sort key for the result of a solo game: a lost game is worse than any score."""
    result = state.result
    won = result is not None and bool(result.winners)
    return won, result.scores[0] if won and result is not None else 0


def _proved_rank(game: Game, state: State) -> tuple[bool, int] | None:
    """Return the sort key (see :func:`_rank`) of the best result still possible, or None if it isn't proved."""
    best = find_best_score(game, state, max_moves=2 * BEST_SCORE_MOVES)
    return (best.score is not None, best.score or 0) if best.is_proved else None
