"""Select the share of test cases that ``make test`` runs; ``make thorough`` runs all."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

everything = True
"""Whether cases left to ``make thorough`` run too; set by ``tests/conftest.py`` before tests are collected."""
THOROUGH = pytest.mark.thorough
"""Marks a test to be run only by ``make thorough``, because it takes minutes or covers much the same as another."""


def some(cases: Iterable[Any], count: int, first: int = 0) -> list[Any]:
    """Return all cases, marked so that ``make test`` runs at most ``count`` of them, evenly spread.

    The others are run only by ``make thorough``. The selection begins with the case at index ``first`` and wraps around
    at the end of the list. A case is a tuple of arguments, the argument itself if there is only one, or a
    ``pytest.param``.
    """
    every = list(cases)
    count = min(count, len(every))
    taken = {(first + number * len(every) // count) % len(every) for number in range(count)}
    return [case if place in taken else _left(case) for place, case in enumerate(every)]


def crossed(*axes: Iterable[Any]) -> list[Any]:
    """Return all combinations of one value from each axis, marked so that ``make test`` runs about half.

    The combinations to run are selected as on a chessboard: of two combinations that differ by one step on one axis,
    exactly one is run.
    """
    found = []
    for combined in product(*(list(enumerate(axis)) for axis in axes)):
        case = tuple(value for _, value in combined)
        found.append(_left(case) if sum(place for place, _ in combined) % 2 else case)
    return found


def _left(case: Any) -> Any:
    if isinstance(case, type(pytest.param())):
        return pytest.param(*case.values, marks=(*case.marks, THOROUGH), id=case.id)
    return (
        pytest.param(*case, marks=THOROUGH) if isinstance(case, tuple) else pytest.param(case, marks=THOROUGH)
    )
