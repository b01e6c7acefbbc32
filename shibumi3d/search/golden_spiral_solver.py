"""Exact solver for Golden Spiral without jokers, and the solver for zero-sum matrix games that it is based on.

The exact solver finds the value of each position and the optimal mixed strategy. A position consists of the medals on
the table at the start of a clash: Gold and Spiral of one seat, then of the other. A seat that may turn medals back is
assumed to turn back the maximum number.

The number of medals in play never grows, and equal numbers only reduce the number of Spiral medals. Every position
therefore leads to positions that can be solved first or, if the numbers are equal and nothing can be turned back, to
itself. The rule that ends the match after a certain number of Spirals is ignored.
"""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.rules.golden_spiral.effects import resolve_clash
from shibumi3d.rules.golden_spiral.state import MedalRules

EPSILON = 1e-9


def solve_matrix_game(payoffs: Sequence[Sequence[float]]) -> tuple[float, list[float], list[float]]:
    """Return the value of a matrix game for the row player, and an optimal mixed strategy of each player.

    ``payoffs`` contains the payoffs to the row player. The first strategy is for the rows, the second for the columns.
    The solution is exact except for rounding. All payoffs are shifted above 0. The simplex method then maximizes the
    sum of the column weights under the condition that the weighted payoffs of each row add up to at most 1. Bland's
    rule prevents cycling.
    """
    rows, columns = len(payoffs), len(payoffs[0])
    shift = 1.0 - min(map(min, payoffs))
    table = [
        [gain + shift for gain in row] + [1.0 if i == j else 0.0 for j in range(rows)] + [1.0]
        for i, row in enumerate(payoffs)
    ]
    goal = [-1.0] * columns + [0.0] * (rows + 1)
    basis = list(range(columns, columns + rows))
    while True:
        enter = next((j for j in range(columns + rows) if goal[j] < -EPSILON), -1)
        ratios = [(row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > EPSILON]
        if enter < 0 or not ratios:  # nothing left to improve beyond rounding errors
            break
        leave = min(ratios)[2]
        pivot = table[leave]
        by = pivot[enter]
        table[leave] = pivot = [value / by for value in pivot]
        for i, row in enumerate(table):
            factor = row[enter]
            if i != leave and (factor > EPSILON or factor < -EPSILON):
                table[i] = [value - factor * part for value, part in zip(row, pivot, strict=True)]
        factor = goal[enter]
        goal = [value - factor * part for value, part in zip(goal, pivot, strict=True)]
        basis[leave] = enter
    total = goal[-1]
    weights = [0.0] * (columns + rows)
    for i, variable in enumerate(basis):
        weights[variable] = table[i][-1]
    column_strategy = [weight / total for weight in weights[:columns]]
    row_strategy = [max(0.0, goal[columns + i]) / total for i in range(rows)]
    return 1 / total - shift, row_strategy, column_strategy


Position = tuple[int, int, int, int]
"""Gold and Spiral of one seat, then Gold and Spiral of the other."""
VALUE_TOLERANCE = 1e-5
"""Tolerance for the value of a position that can lead to itself."""


class ClashSolver:
    """Solver for the values of positions in Golden Spiral without jokers.

    A value is from -1 (lost for the first seat) to 1 (won for the first seat). The first seat is the one whose medals
    the position lists first. Values are computed on demand and cached.
    """

    def __init__(self, table: MedalRules) -> None:
        self.settings = table
        self.values: dict[Position, float] = {}

    def value(self, position: Position) -> float:
        """Return the value of a position for its first seat, from -1 (lost) to 1 (won)."""
        gold, spiral, other_gold, other_spiral = position
        if gold < 2 or other_gold < 2:
            if gold < 2 and other_gold < 2:
                return float((spiral > other_spiral) - (spiral < other_spiral))
            return -1.0 if gold < 2 else 1.0
        turned = (other_gold, other_spiral, gold, spiral)
        if turned == position:
            self.values[position] = 0.0
            return 0.0
        if turned < position:
            return -self.value(turned)
        if position not in self.values:
            self.values[position] = self._solve(position)[0]
        return self.values[position]

    def count_solved(self) -> int:
        """Return the number of positions solved so far.

        A position and the one with the seats exchanged count as two, unless they are the same.
        """
        return sum(1 if at == (*at[2:], *at[:2]) else 2 for at in self.values)

    def optimal_strategy(self, position: Position) -> list[float]:
        """Return the first seat's optimal mixed strategy: the probabilities of the numbers 1, 2, 3 and so on.

        Both seats must have at least 2 Gold.
        """
        return self._solve(position)[1]

    def _solve(self, position: Position) -> tuple[float, list[float]]:
        gold, _, other_gold, _ = position
        following = [
            [
                self.position_after(position, mine, theirs)
                for theirs in self.settings.legal_numbers(other_gold)
            ]
            for mine in self.settings.legal_numbers(gold)
        ]
        gains = [
            [0.0 if after == position else self._value_after(after) for after in row] for row in following
        ]
        value, mine, _ = solve_matrix_game(gains)
        if abs(value) < VALUE_TOLERANCE or not any(position in row for row in following):
            return value, mine
        # Playing on forever is worth 0. The value of a position that leads to itself lies between 0 and the result that
        # it favours; it is the fixed point closest to 0. Find it by bisection.
        near, far = 0.0, 1.0 if value > 0 else -1.0
        while abs(far - near) > VALUE_TOLERANCE:
            itself = (near + far) / 2
            value, mine, _ = solve_matrix_game(
                [
                    [itself if after == position else gain for after, gain in zip(row, gained, strict=True)]
                    for row, gained in zip(following, gains, strict=True)
                ]
            )
            if (value - itself) * far > EPSILON:
                near = itself
            else:
                far = itself
        return far, mine

    def _value_after(self, after: Position | float) -> float:
        return after if isinstance(after, float) else self.value(after)

    def position_after(self, position: Position, first_number: int, second_number: int) -> Position | float:
        """Return the position after the seats have played their numbers and turned medals back.

        Both turn back as many medals as allowed. If the clash puts a seat in Default, return the value for the first
        seat instead: -1 or 1.
        """
        gold, spiral = [position[0], position[2]], [position[1], position[3]]
        result, faults = resolve_clash(self.settings, gold, (first_number, second_number))
        if faults:
            return 1.0 if faults[0].seat == 1 else -1.0
        if result is not None:
            gold[result.winner] -= result.winning_number
            spiral[result.winner] += result.winning_number
            gold[result.loser] -= result.difference
        return self.reinforce((gold[0], spiral[0], gold[1], spiral[1]))

    def reinforce(self, position: Position) -> Position:
        """Return the position after both seats have turned back as many medals as allowed."""
        gold, spiral, other_gold, other_spiral = position
        table = self.settings
        first = second = table.turn_back_with_equal_gold
        if gold != other_gold:
            first, second = (
                (table.turn_back_with_less_gold, table.turn_back_with_more_gold)
                if gold < other_gold
                else (table.turn_back_with_more_gold, table.turn_back_with_less_gold)
            )
        first, second = min(first, spiral), min(second, other_spiral)
        return gold + first, spiral - first, other_gold + second, other_spiral - second
