"""Solver for two-player zero-sum matrix games."""

from __future__ import annotations

from collections.abc import Sequence

SMALL = 1e-9


def solved(gains: Sequence[Sequence[float]]) -> tuple[float, list[float], list[float]]:
    """Return the value of a matrix game for the row player, and both optimal mixed strategies.

    ``gains`` contains the payoffs to the row player. The first strategy is for the rows, the second for the columns.
    The solution is exact except for rounding: all payoffs are shifted above 0, and the simplex method maximizes the sum
    of the column weights with every row at most 1. Bland's rule prevents cycling.
    """
    rows, columns = len(gains), len(gains[0])
    shift = 1.0 - min(map(min, gains))
    table = [
        [gain + shift for gain in row] + [1.0 if i == j else 0.0 for j in range(rows)] + [1.0]
        for i, row in enumerate(gains)
    ]
    goal = [-1.0] * columns + [0.0] * (rows + 1)
    basis = list(range(columns, columns + rows))
    while True:
        enter = next((j for j in range(columns + rows) if goal[j] < -SMALL), -1)
        ratios = [(row[-1] / row[enter], basis[i], i) for i, row in enumerate(table) if row[enter] > SMALL]
        if enter < 0 or not ratios:  # nothing left to improve beyond rounding errors
            break
        leave = min(ratios)[2]
        pivot = table[leave]
        by = pivot[enter]
        table[leave] = pivot = [value / by for value in pivot]
        for i, row in enumerate(table):
            factor = row[enter]
            if i != leave and (factor > SMALL or factor < -SMALL):
                table[i] = [value - factor * part for value, part in zip(row, pivot, strict=True)]
        factor = goal[enter]
        goal = [value - factor * part for value, part in zip(goal, pivot, strict=True)]
        basis[leave] = enter
    total = goal[-1]
    weights = [0.0] * (columns + rows)
    for i, variable in enumerate(basis):
        weights[variable] = table[i][-1]
    theirs = [weight / total for weight in weights[:columns]]
    mine = [max(0.0, goal[columns + i]) / total for i in range(rows)]
    return 1 / total - shift, mine, theirs
