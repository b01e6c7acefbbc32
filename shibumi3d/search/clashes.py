"""Exact solver for Golden Spiral without jokers.

It finds the value of each position and the optimal mixed strategy. A position consists of the medals on the table at
the start of a clash: Gold and Spiral of one seat, then of the other. A seat that may turn medals back is assumed to
turn back the maximum number.

The number of medals in play never grows, and equal numbers only reduce the number of Spiral medals. Every position
therefore leads to positions that can be solved first or, if the numbers are equal and nothing can be turned back, to
itself. The rule that ends the match after a number of Spirals is ignored.
"""

from __future__ import annotations

from shibumi3d.rules.golden_spiral.clash import clash
from shibumi3d.rules.golden_spiral.table import Tableau
from shibumi3d.search.matrix import SMALL, solved

Position = tuple[int, int, int, int]
"""Gold and Spiral of one seat, then Gold and Spiral of the other."""
CLOSE = 1e-5
"""Tolerance for the value of a position that can lead to itself."""


class Clashes:
    """Values of positions for the first seat, from -1 (lost) to 1 (won), computed on demand and cached."""

    def __init__(self, table: Tableau) -> None:
        self.table = table
        self.known: dict[Position, float] = {}

    def value(self, position: Position) -> float:
        """Return the value of a position for its first seat, from -1 (lost) to 1 (won)."""
        gold, spiral, other_gold, other_spiral = position
        if gold < 2 or other_gold < 2:
            if gold < 2 and other_gold < 2:
                return float((spiral > other_spiral) - (spiral < other_spiral))
            return -1.0 if gold < 2 else 1.0
        turned = (other_gold, other_spiral, gold, spiral)
        if turned == position:
            self.known[position] = 0.0
            return 0.0
        if turned < position:
            return -self.value(turned)
        if position not in self.known:
            self.known[position] = self._solved(position)[0]
        return self.known[position]

    def positions(self) -> int:
        """Return the number of positions solved so far.

        A position and its mirror image count as two.
        """
        return sum(1 if at == (*at[2:], *at[:2]) else 2 for at in self.known)

    def mix(self, position: Position) -> list[float]:
        """Return the first seat's optimal mixed strategy: the probabilities of the numbers from 1 up."""
        return self._solved(position)[1]

    def _solved(self, position: Position) -> tuple[float, list[float]]:
        gold, _, other_gold, _ = position
        following = [
            [self.after(position, mine, theirs) for theirs in self.table.legal(other_gold)]
            for mine in self.table.legal(gold)
        ]
        gains = [[0.0 if after == position else self._worth(after) for after in row] for row in following]
        value, mine, _ = solved(gains)
        if abs(value) < CLOSE or not any(position in row for row in following):
            return value, mine
        # Playing on forever is worth 0. The value of a position that leads to itself lies between 0 and the result that
        # it favours: the value closest to 0 that is a fixed point. Find it by bisection.
        near, far = 0.0, 1.0 if value > 0 else -1.0
        while abs(far - near) > CLOSE:
            itself = (near + far) / 2
            value, mine, _ = solved(
                [
                    [itself if after == position else gain for after, gain in zip(row, gained, strict=True)]
                    for row, gained in zip(following, gains, strict=True)
                ]
            )
            if (value - itself) * far > SMALL:
                near = itself
            else:
                far = itself
        return far, mine

    def _worth(self, after: Position | float) -> float:
        return after if isinstance(after, float) else self.value(after)

    def after(self, position: Position, mine: int, theirs: int) -> Position | float:
        """Return the position after both seats have played a number and turned medals back.

        Both turn back as many medals as allowed. If the match ends, return its value for the first seat instead: -1 or
        1.
        """
        gold, spiral = [position[0], position[2]], [position[1], position[3]]
        result, faults = clash(self.table, gold, (mine, theirs))
        if faults:
            return 1.0 if faults[0].seat == 1 else -1.0
        if result is not None:
            gold[result.high] -= result.number
            spiral[result.high] += result.number
            gold[result.low] -= result.difference
        return self.reinforced((gold[0], spiral[0], gold[1], spiral[1]))

    def reinforced(self, position: Position) -> Position:
        """Return a position after the reinforcement.

        Both seats turn back as many medals as allowed.
        """
        gold, spiral, other_gold, other_spiral = position
        table = self.table
        first = second = table.equal
        if gold != other_gold:
            first, second = (table.fewer, table.more) if gold < other_gold else (table.more, table.fewer)
        first, second = min(first, spiral), min(second, other_spiral)
        return gold + first, spiral - first, other_gold + second, other_spiral - second
