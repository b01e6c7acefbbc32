"""Two choose at once, and what one gains the other loses: how often each choice is made where both choose best."""

from __future__ import annotations

from collections.abc import Sequence

SMALL = 1e-9


def solved(gains: Sequence[Sequence[float]]) -> tuple[float, list[float], list[float]]:
    """Return the value of a matrix for the one who chooses a row, and how often rows and columns are chosen.

    ``gains`` are what the row's side gains. Found exactly but for rounding, by the simplex method: all gains are made
    greater than 0, and the sum of the column's weights is made as great as it may be with every row at most 1. Bland's
    rule keeps it from going round.
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
        if enter < 0 or not ratios:  # none is left but for rounding
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
