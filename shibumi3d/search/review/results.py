"""Results of a review: the judgement of each turn, and the accuracy of each seat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from statistics import pstdev
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


MISTAKE_MARKS = ((30.0, "??"), (15.0, "?"), (7.0, "?!"))
"""Annotation symbols, each with the minimum loss of winning chance, in points, at which it is used."""
GOOD_TURN_MAX_LOSS = 4.0
"""Maximum loss of winning chance, in points, at which a turn counts as good."""


@dataclass(frozen=True, slots=True)
class ReviewMove:
    """One move of a match, as input for a review.

    The move was made by ``seat`` in turn number ``turn`` and led to ``state``.
    """

    seat: int
    turn: int
    move: str
    state: State


@dataclass(frozen=True, slots=True)
class ValueBounds:
    """Value of a position for a seat, from 0 (lost) to 1 (won).

    ``mean`` is an estimate; ``low`` and ``high`` are proved bounds.
    """

    mean: float
    low: float = 0.0
    high: float = 1.0

    @property
    def is_proved(self) -> bool:
        """Whether the exact value is proved."""
        return self.low == self.high

    @property
    def value(self) -> float:
        """The estimate, clamped to the proved bounds."""
        return min(self.high, max(self.low, self.mean))

    def for_opponent(self) -> ValueBounds:
        """Return the value for the opponent in a match with two seats."""
        return ValueBounds(1.0 - self.mean, 1.0 - self.high, 1.0 - self.low)


@dataclass(frozen=True, slots=True)
class TurnReview:
    """Review of one turn of a match, or of a single move in games with uncertainty.

    Single moves are reviewed in games with chance, hidden information or simultaneous moves. The review covers the
    moves in the history from ``start`` up to, but not including, ``end``. ``best_turn`` is the best turn and
    ``best_value`` its value for ``seat``; ``played_value`` is the value of the turn played. A value is None if it is
    unknown. ``wins_in`` and ``loses_in`` are the numbers of the seat's own turns, including this one, until a proved
    win or loss. They are 0 if none is proved, or if it is proved but the number of turns isn't known. ``is_only_move``
    is set if the best turn has alternatives and all of them are proved to be worse. ``is_forced`` is set if the seat
    had no choice. ``mix`` is the optimal mixed strategy for simultaneous moves: the moves with their probabilities.

    If ``is_scored`` is set, the best possible scores of a solo game are proved: ``best_score`` is the highest score
    that was possible before the turn, and ``played_score`` the highest after it. Either is None if the game could only
    be lost.
    """

    start: int
    end: int
    turn: int
    seat: int
    best_value: ValueBounds | None = None
    played_value: ValueBounds | None = None
    best_turn: tuple[str, ...] = ()
    wins_in: int = 0
    loses_in: int = 0
    is_only_move: bool = False
    is_forced: bool = False
    mix: tuple[tuple[str, float], ...] = ()
    best_score: int | None = None
    played_score: int | None = None
    is_scored: bool = False

    @property
    def is_proved(self) -> bool:
        """Whether the values of the best turn and of the turn played are both proved."""
        return (
            self.best_value is not None
            and self.best_value.is_proved
            and self.played_value is not None
            and self.played_value.is_proved
        )

    @property
    def loss(self) -> float:
        """Loss of winning chance compared with the best turn, in percentage points, from 0 to 100.

        It is 0 if the turn has not been judged or was forced.
        """
        if self.best_value is None or self.played_value is None or self.is_forced:
            return 0.0
        return 100.0 * max(0.0, self.best_value.value - self.played_value.value)

    @property
    def costs_points(self) -> bool:
        """Whether the turn is proved to have lowered the best possible score or to have lost the game.

        This is known only in solo games played for a score; in all other games, the property is False.
        """
        return self.is_scored and self.best_score != self.played_score

    @property
    def is_mistake(self) -> bool:
        """Whether the turn counts as a mistake.

        A turn counts if its ``loss`` is at least the smallest value in :data:`MISTAKE_MARKS`. In a solo game played for
        a score, a turn also counts if it provably loses the game or lowers the best possible score.
        """
        return self.costs_points or self.loss >= MISTAKE_MARKS[-1][0]

    @property
    def mark(self) -> str:
        """Annotation symbol: ``??``, ``?`` or ``?!`` for a mistake, ``!`` for an only move, or an empty string."""
        found = next((mark for least, mark in MISTAKE_MARKS if self.loss >= least), "")
        return found or (MISTAKE_MARKS[-1][1] if self.is_mistake else "!" if self.is_only_move else "")

    @property
    def lost_result(self) -> str:
        """The proved result that the turn gave away: "win", "draw", or an empty string.

        In solo games played for a score, a turn that only costs points gives away no result.
        """
        if not self.is_proved or self.loss == 0.0 or self.best_value is None:
            return ""
        if self.is_scored:
            return "win" if self.played_score is None else ""
        return "win" if self.best_value.low == 1.0 else "draw"


@dataclass(frozen=True, slots=True)
class Review:
    """Results of reviewing the turns of a match.

    ``simulations`` is the largest number of simulations that any pass so far has allowed for each search. It is 0 in a
    solo game that is reviewed by its solver. :func:`.review_progressively` yields reviews repeatedly, each with the
    results so far. ``is_complete`` is set on the last one, unless the work was stopped early. ``progress`` is the
    fraction of the work done so far, from 0 to 1.
    """

    turns: tuple[TurnReview, ...]
    simulations: int
    is_complete: bool = False
    progress: float = 1.0

    def judged_turns(self, seat: int) -> list[TurnReview]:
        """Return the turns of ``seat`` that weren't forced and have both a ``best_value`` and a ``played_value``."""
        return [
            turn
            for turn in self.turns
            if turn.seat == seat
            and turn.best_value is not None
            and turn.played_value is not None
            and not turn.is_forced
        ]

    def mistakes(self, seats: Sequence[int]) -> list[TurnReview]:
        """Return the turns of the given seats that count as mistakes, worst first."""
        mistakes = [turn for turn in self.turns if turn.seat in seats and turn.is_mistake]
        return sorted(mistakes, key=lambda review: (-round(review.loss), not review.is_proved, review.start))

    def accuracy(self, seat: int) -> tuple[float, float] | None:
        """Return a seat's accuracy in percent, and the fraction of its judged turns that have proved values.

        As on Lichess, each turn has an accuracy, and the result is the average of two means over the turns. One mean is
        weighted by the volatility of the position; the other is harmonic. Return None if :meth:`judged_turns` returns
        no turns.
        """
        turns = self.judged_turns(seat)
        if not turns:
            return None
        accuracies = [turn_accuracy(turn.loss) for turn in turns]
        percentages = [100.0 * turn.best_value.value for turn in turns if turn.best_value is not None]
        window_size = max(2, min(8, len(turns) // 5))
        weights = [
            max(0.5, min(12.0, pstdev(percentages[max(0, n - window_size + 1) : n + 1] or [0.0])))
            for n in range(len(turns))
        ]
        weighted = sum(w * a for w, a in zip(weights, accuracies, strict=True)) / sum(weights)
        harmonic = len(accuracies) / sum(1.0 / max(a, 1.0) for a in accuracies)
        return (weighted + harmonic) / 2, sum(turn.is_proved for turn in turns) / len(turns)


@dataclass(frozen=True, slots=True)
class TurnEvaluation:
    """Value of a turn that could have been played instead of another.

    ``reply`` contains the move texts of the best reply if one is known. In a solo game, it contains a line to the end
    of the game instead, but only if the turn is proved to lose or to miss the best score. In all other cases, it is
    empty. ``moves_tried`` is the number of moves that the solver tried after a turn of a solo game.

    If a turn of a solo game is proved to miss the best score, ``best_score`` is the highest score still possible after
    it, and ``reply`` is a line that achieves this score. Otherwise, or if this score isn't proved, ``best_score`` is
    None.
    """

    value: ValueBounds
    reply: tuple[str, ...] = ()
    moves_tried: int = 0
    best_score: int | None = None


def turn_accuracy(loss: float) -> float:
    """Return a turn's accuracy in percent, given its loss of winning chance in percentage points.

    The formula is that of Lichess, with rounded constants.
    """
    return max(0.0, min(100.0, 103.17 * exp(-0.0435 * loss) - 3.17))
