"""The sequential test: sequences whose result can be worked out by hand, and its error rates."""

from __future__ import annotations

from math import log
from random import Random

import pytest

from shibumi3d.search.arena import ADVANTAGE, ERROR_RATE, LLR_BOUND, run_sprt


def test_sprt_hypotheses_and_scores() -> None:
    """With two players, a win adds log(0.6 / 0.5) to the log-likelihood ratio, and a loss log(0.4 / 0.5).

    The sequential test compares two hypotheses about the player's share of the points. By the first, the share is 1/2
    with two players and 1/3 with three; by the second, it is greater by 0.1. A draw counts as half a win and half a
    loss. As the error rate is 0.05, the sequential test ends when the log-likelihood ratio reaches log(0.95 / 0.05) =
    log 19 or -log 19.
    """
    assert (ADVANTAGE, ERROR_RATE) == (0.1, 0.05)
    assert pytest.approx(log(19)) == LLR_BOUND
    assert run_sprt([1.0], 2).llr == pytest.approx(log(1.2))
    assert run_sprt([0.0], 2).llr == pytest.approx(log(0.8))
    assert run_sprt([0.5], 2).llr == pytest.approx((log(1.2) + log(0.8)) / 2)
    assert run_sprt([1.0], 3).llr == pytest.approx(log((1 / 3 + 0.1) * 3))


@pytest.mark.parametrize(
    ("credits", "seats", "better", "played"),
    [
        # 2.944 / 0.1823 = 16.1, so 17 wins are enough; results are checked after every second match.
        ([1.0] * 30, 2, True, 18),
        ([1.0] * 16, 2, None, 16),
        # 2.944 / 0.2231 = 13.2, so 14 losses are enough.
        ([0.0] * 30, 2, False, 14),
        # A win and a loss together change it by -0.0408: 2.944 / 0.0408 = 72.1, so 73 pairs are needed.
        ([1.0, 0.0] * 200, 2, False, 146),
        ([1.0, 0.0] * 72, 2, None, 144),
        ([0.5] * 400, 2, False, 146),
        # Three wins and a loss add 0.3238: eight times that is 2.590, and two more wins make 2.955.
        ([1.0, 1.0, 1.0, 0.0] * 100, 2, True, 34),
        # With three players, a win adds log 1.3 = 0.2624: 2.944 / 0.2624 = 11.2, checked after every third match.
        ([1.0] * 30, 3, True, 12),
        ([], 2, None, 0),
    ],
)
def test_sprt_stops_at_expected_match(
    credits: list[float], seats: int, better: bool | None, played: int
) -> None:
    found = run_sprt(credits, seats)
    assert (found.is_better, found.played) == (better, played)


@pytest.mark.parametrize(("share", "right"), [(0.5, False), (0.6, True), (0.45, False), (0.7, True)])
def test_sprt_error_rate_is_bounded(share: float, right: bool) -> None:
    """Of 400 sequential tests on random results, at most 30 may reach the wrong verdict.

    The error rate of 5% allows for 20; the other ten are a margin for chance. Each result is a win with the probability
    ``share``, and otherwise a loss. With a share of 0.6 or 0.7, the player must be found stronger than the opponent;
    with 0.45 or 0.5, it must be found not to be stronger.
    """
    chance = Random(7)
    found = [
        run_sprt([float(chance.random() < share) for _ in range(2_000)], 2).is_better for _ in range(400)
    ]
    assert None not in found
    assert found.count(not right) <= 400 * ERROR_RATE * 1.5
