"""How hard a problem is: after how many tries a search sees the key, and which rating that makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shibumi3d.rules.identity import identity
from shibumi3d.search.kinds import search_of
from shibumi3d.search.players import never
from shibumi3d.search.problems.candidates import Candidate, Turn, after

TRIES = (30, 100, 300, 1_000, 3_000)
"""How many tries a search is given to find the key, one after the other."""
BEYOND = 10_000
"""The surprise of a key that even the most tries do not find."""
SEEDS = 5
"""How often a search begins anew to see whether it finds the key."""
_RATED = (900, 1_150, 1_400, 1_650, 1_900)
"""How strong a search is that has so many :data:`TRIES`."""


def found_after(spot: Candidate, key: Turn) -> tuple[list[float], Counter[Turn]]:
    """Return in which part of :data:`SEEDS` searches the key was seen as best after so many :data:`TRIES`, and how
    often every other turn was looked at."""
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
    """Return the least number of tries from which on most searches see the key; :data:`BEYOND` where they never do."""
    for place, tries in enumerate(TRIES):
        if all(share > 0.5 for share in shares[place:]):
            return tries
    return BEYOND


def rated(shares: Sequence[float], strengths: Sequence[int] = _RATED) -> int:
    """Return the rating at which solvers of some strengths are expected to solve as much as they did (logistic, as in
    chess), held by one solved and one failed by a solver of middling strength."""
    solved = sum(shares) * SEEDS + 1
    players = [*((strength, SEEDS) for strength in strengths), (strengths[len(strengths) // 2], 2)]
    low, high = 0.0, 4_000.0
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(number / (1 + 10 ** ((middle - strength) / 400)) for strength, number in players)
        low, high = (middle, high) if expected > solved else (low, middle)
    return round(low)
