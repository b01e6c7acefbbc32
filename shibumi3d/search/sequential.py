"""Sequential probability ratio test (SPRT, Wald 1945) of whether the first player is the stronger one.

The null hypothesis is that the first player gets its expected share of the points, which is one half with two players.
The alternative hypothesis is that the first player gets an additional tenth of all points, i.e. 60 % with two players.
Each hypothesis is wrongly accepted with a probability of about 5 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

MORE = 0.1
"""Share of the points that a stronger player gets in addition to its expected share."""
WRONG = 0.05
"""Error probability of the test, for both types of error."""
BOUND = log((1 - WRONG) / WRONG)
"""Log-likelihood ratio at which one of the hypotheses is accepted."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Result of the test.

    ``better`` is None while the test is undecided. ``evidence`` is the log-likelihood ratio; it is positive if it
    favours the hypothesis that the first player is stronger. ``played`` is the number of matches used.
    """

    better: bool | None
    evidence: float
    played: int


def sprt(credits: Sequence[float], seats: int) -> Sprt:
    """Test whether the first player is stronger, given its results from 0 to 1 in the order played.

    The test is evaluated only after complete rounds, in which the players have rotated through all seats, so that no
    player has an advantage. Matches after the decision are ignored.
    """
    usual = 1 / seats
    won, lost = log((usual + MORE) / usual), log((1 - usual - MORE) / (1 - usual))
    evidence = 0.0
    for played, credit in enumerate(credits, 1):
        evidence += credit * won + (1 - credit) * lost
        if played % seats == 0 and abs(evidence) >= BOUND:
            return Sprt(evidence > 0, evidence, played)
    return Sprt(None, evidence, len(credits))
