"""A sequential test: after each match it is asked whether enough was played to tell (Wald 1945).

It weighs two sayings against each other: the first player takes its usual share, a half of all between two; or it takes
a tenth of all more, 60 % between two. Each is wrongly believed once in twenty times at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

MORE = 0.1
"""How much more than its usual share a better player takes."""
WRONG = 0.05
"""How often the test may be wrong, either way."""
BOUND = log((1 - WRONG) / WRONG)
"""The weight of evidence, as the logarithm of a ratio of likelihoods, at which one saying is believed."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """What matches tell: ``better`` is None while that is open, ``evidence`` for it is above 0, ``played`` are the
    matches that it took."""

    better: bool | None
    evidence: float
    played: int


def sprt(credits: Sequence[float], seats: int) -> Sprt:
    """Return what matches tell of the first player, by what each brought it from 0 to 1, in the order played.

    It is asked only when each seat had its turn, so that none has the better one. What comes after the end of the test
    is not looked at.
    """
    usual = 1 / seats
    won, lost = log((usual + MORE) / usual), log((1 - usual - MORE) / (1 - usual))
    evidence = 0.0
    for played, credit in enumerate(credits, 1):
        evidence += credit * won + (1 - credit) * lost
        if played % seats == 0 and abs(evidence) >= BOUND:
            return Sprt(evidence > 0, evidence, played)
    return Sprt(None, evidence, len(credits))
