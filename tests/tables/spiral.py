"""Hyena Spiral games for tests, created without a file."""

from __future__ import annotations

from shibumi3d.rules.hyena_spiral.game import HyenaGame
from shibumi3d.rules.hyena_spiral.state import HyenaRules


def spiral(length: int = 80, rounds: int = 0, exact: bool = False) -> HyenaGame:
    """Return a game with the standard rules on ``length`` places; ``rounds`` is 0 for the standard number of rounds.

    ``exact`` selects the variant in which the well must be reached by an exact throw.
    """
    form: dict[str, int | str] = {"length": length, "variant": "exact well" if exact else ""}
    if rounds:
        form["rounds"] = rounds
    return HyenaGame("spiral", "Spiral", HyenaRules(exact_arrival=exact), (2, 5), form)
