"""Solve Golden Spiral without jokers; print its value and optimal first clash: ``python -m tests.search.clashes``."""

from __future__ import annotations

import shibumi3d
from shibumi3d.search.golden_spiral_solver import ClashSolver

if __name__ == "__main__":
    rules = shibumi3d.game("golden-spiral").rules
    clashes = ClashSolver(rules)
    opening = (rules.medals, 0, rules.medals, 0)
    mix = clashes.optimal_strategy(opening)
    shares = ", ".join(f"{number}: {often:.1%}" for number, often in enumerate(mix, 1) if often > 0.0005)
    print(f"value {clashes.value(opening):+.3f}, {clashes.count_solved()} positions, {shares}")
