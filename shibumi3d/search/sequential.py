"""A sequential probability ratio test (SPRT, Wald 1945) of whether the first player is the stronger one.

The null hypothesis is that the first player takes its expected share of the points, one half with two players. The
alternative is that it takes a tenth of all points more, 60 % with two players. Each is wrongly accepted with a
probability of about 5 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

MORE = 0.1
"""How much more than its expected share a stronger player takes."""
WRONG = 0.05
"""Error probability of the test, of both types."""
BOUND = log((1 - WRONG) / WRONG)
"""Log-likelihood ratio at which one of the hypotheses is accepted."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Result of the test.

    ``better`` is None while it is undecided. ``evidence`` is the log-likelihood ratio, positive if it favours the first
    player being stronger. ``played`` is the number of matches used.
    """

    better: bool | None
    evidence: float
    played: int


def sprt(credits: Sequence[float], seats: int) -> Sprt:
    """Test whether the first player is stronger, given its result in each match, from 0 to 1, in the order played.

    The test is only evaluated after complete rounds, in which every seat had its turn, so that no player has an
    advantage. Matches after the decision are ignored.
    """
    usual = 1 / seats
    won, lost = log((usual + MORE) / usual), log((1 - usual - MORE) / (1 - usual))
    evidence = 0.0
    for played, credit in enumerate(credits, 1):
        evidence += credit * won + (1 - credit) * lost
        if played % seats == 0 and abs(evidence) >= BOUND:
            return Sprt(evidence > 0, evidence, played)
    return Sprt(None, evidence, len(credits))
