"""Difficulty of a problem: how many simulations a search needs to solve it, and the resulting rating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shibumi3d.rules.identity import identity
from shibumi3d.search.kinds import search_of
from shibumi3d.search.players import never
from shibumi3d.search.problems.candidates import Candidate, Turn, after

TRIES = (30, 100, 300, 1_000, 3_000)
"""Numbers of simulations after which a search is checked for the solution."""
BEYOND = 10_000
"""Value of :func:`surprise` if even the maximum number of simulations does not find the solution."""
SEEDS = 5
"""Number of searches, each with its own seed."""
_RATED = (900, 1_150, 1_400, 1_650, 1_900)
"""Ratings assigned to searches with the numbers of simulations in :data:`TRIES`."""


def found_after(spot: Candidate, key: Turn) -> tuple[list[float], Counter[Turn]]:
    """Return the fraction of searches that prefer the solution, for each number of simulations.

    There are :data:`SEEDS` searches. The second result counts the visits of every other turn.
    """
    game, seat = spot.game, spot.seat
    view, goal = game.view(spot.state, seat), identity(after(game, spot.state, key))
    shares, visits = [0.0] * len(TRIES), Counter[Turn]()
    for seed in range(SEEDS):
        search, before = search_of(game, view, seat, seed), 0
        hit = False
        for place, tries in enumerate(TRIES):
            going = search.grow(tries - before, never)
            before = tries
            best = search.turns(8)
            hit = bool(best) and identity(after(game, spot.state, best[0].moves)) == goal
            shares[place] += hit / SEEDS
            if not going:
                for rest in range(place + 1, len(TRIES)):
                    shares[rest] += hit / SEEDS
                break
        for one in search.turns(8):
            if identity(after(game, spot.state, one.moves)) != goal:
                visits[one.moves] += one.visits
    return shares, visits


def surprise(shares: Sequence[float]) -> int:
    """Return the number of simulations from which on most searches find the solution.

    Return :data:`BEYOND` if most searches never find it.
    """
    for place, tries in enumerate(TRIES):
        if all(share > 0.5 for share in shares[place:]):
            return tries
    return BEYOND


def rated(shares: Sequence[float], strengths: Sequence[int] = _RATED) -> int:
    """Return the rating of a problem, given how often solvers of known strengths solved it.

    It is the rating at which the expected number of solutions (logistic, as in chess) equals the actual number. To keep
    the rating finite, one additional success and one additional failure of an average solver are assumed.
    """
    solved = sum(shares) * SEEDS + 1
    players = [*((strength, SEEDS) for strength in strengths), (strengths[len(strengths) // 2], 2)]
    low, high = 0.0, 4_000.0
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(number / (1 + 10 ** ((middle - strength) / 400)) for strength, number in players)
        low, high = (middle, high) if expected > solved else (low, middle)
    return round(low)
