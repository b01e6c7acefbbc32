"""Confidence intervals of measured proportions."""

from __future__ import annotations

from math import sqrt

Z_95 = 1.96
"""Half-width of a 95% confidence interval, in standard deviations."""


def wilson_interval(mean: float, samples: float) -> tuple[float, float]:
    """Return the 95% Wilson score interval for a mean of numbers from 0 to 1 (Wilson 1927).

    ``mean`` is the measured mean, and ``samples`` is how many numbers were measured.
    """
    middle = (mean + Z_95 * Z_95 / (2 * samples)) / (1 + Z_95 * Z_95 / samples)
    reach = (
        Z_95
        * sqrt(mean * (1 - mean) / samples + Z_95 * Z_95 / (4 * samples * samples))
        / (1 + Z_95 * Z_95 / samples)
    )
    return max(0.0, middle - reach), min(1.0, middle + reach)
