"""Hyena Spiral games for tests, created without a file."""

from __future__ import annotations

from shibumi3d.rules.hyena_spiral.game import HyenaGame
from shibumi3d.rules.hyena_spiral.state import HyenaRules


def spiral(length: int = 80, rounds: int = 0, exact: bool = False) -> HyenaGame:
    """Return a game of Hyena Spiral with the standard rules, on a path of the given ``length``.

    The village is place 0, and the well is place ``length``. ``rounds`` is 0 for the standard number of rounds, which
    depends on the number of players. ``exact`` selects the variant in which the well must be reached by an exact throw.
    """
    form: dict[str, int | str] = {"length": length, "variant": "exact well" if exact else ""}
    if rounds:
        form["rounds"] = rounds
    return HyenaGame("spiral", "Spiral", HyenaRules(exact_arrival=exact), (2, 5), form)
