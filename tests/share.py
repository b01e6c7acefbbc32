"""Selects the share of cases that ``make test`` runs; ``make thorough`` runs all."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest

everything = True
"""Whether those that are left to ``make thorough`` run too; set by ``tests/conftest.py`` before tests are read."""
THOROUGH = pytest.mark.thorough
"""Left to ``make thorough``: a test that takes minutes, or shows once more what another shows."""


def some(cases: Iterable[Any], count: int, first: int = 0) -> list[Any]:
    """All the cases, of which ``make test`` takes so many, evenly spread; another ``first`` means others of them.

    A case of several arguments is a tuple, one of a single argument is none.
    """
    every = list(cases)
    taken = {(first + number * len(every) // count) % len(every) for number in range(min(count, len(every)))}
    return [case if place in taken else _left(case) for place, case in enumerate(every)]


def crossed(*axes: Iterable[Any]) -> list[Any]:
    """All combinations of a value of each axis, of which ``make test`` takes half: of two that differ in one value
    alone, and lie next to each other there, one."""
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
