"""How much better a turn is than another: the measure of a tip."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game
from shibumi3d.search.players import never_stop
from shibumi3d.search.review.context import ReviewContext, final_value
from shibumi3d.search.review.estimates import Estimator
from shibumi3d.search.review.proofs import Prover
from shibumi3d.search.review.results import MISTAKE_MARKS, ReviewMove, ValueBounds

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

MIN_TIP_POINTS = MISTAKE_MARKS[1][0]
"""Minimum margin of a tip in points: what a review marks as a mistake."""
TIP_SIMULATIONS = 800
"""Number of simulations for each of the two turns."""


@dataclass(frozen=True, slots=True)
class TipMargin:
    """Values of the turn of a tip and of the turn that ignores it, for the seat that makes them."""

    followed: ValueBounds
    ignored: ValueBounds

    @property
    def points(self) -> float:
        """Margin in points of winning chance, from -100 to 100."""
        return 100.0 * (self.followed.value - self.ignored.value)

    @property
    def is_proved(self) -> bool:
        """Whether it is proved that the turn is better."""
        return self.followed.low > self.ignored.high

    @property
    def is_enough(self) -> bool:
        """Whether the margin is large enough for a tip."""
        return self.is_proved or self.points >= MIN_TIP_POINTS


def measure_tip(
    game: Game,
    state: State,
    turn: Sequence[str],
    instead: Sequence[str],
    simulations: int = TIP_SIMULATIONS,
    seed: int = 0,
) -> TipMargin:
    """Compare two turns that can be played in a state. The same seed gives the same result.

    Values are proved where possible, and otherwise estimated by ``simulations`` simulations. Raises IllegalMove.
    """
    return TipMargin(
        _value_of_turn(game, state, turn, simulations, seed),
        _value_of_turn(game, state, instead, simulations, seed),
    )


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
