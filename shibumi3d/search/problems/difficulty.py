"""Difficulty of a problem: how many simulations a search needs to solve it, and the resulting rating."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shibumi3d.rules.game import match_state_key
from shibumi3d.search.heuristics import make_search
from shibumi3d.search.players import never_stop
from shibumi3d.search.problems.candidates import Candidate, Turn, state_after

SIMULATION_STEPS = (30, 100, 300, 1_000, 3_000)
"""Numbers of simulations after which a search is checked for the solution."""
UNSOLVED = 10_000
"""Result of :func:`simulations_needed` if even the largest number of simulations isn't enough."""
SEARCHES = 5
"""Number of searches for each problem, each with its own seed."""
_SIMULATION_RATINGS = (900, 1_150, 1_400, 1_650, 1_900)
"""Ratings assigned to searches with the numbers of simulations in :data:`SIMULATION_STEPS`."""


def measure_difficulty(candidate: Candidate, solution: Turn) -> tuple[list[float], Counter[Turn]]:
    """Return how often searches prefer the solution, and how often they visit other turns.

    The position is searched :data:`SEARCHES` times, each time with another seed. The first result contains the fraction
    of searches that prefer ``solution`` after each number of simulations in :data:`SIMULATION_STEPS`. The second result
    contains the number of visits of each other turn, summed over the searches in which this turn is among the eight
    most visited. Turns that lead to the same state as ``solution`` count as the solution.
    """
    game, seat = candidate.game, candidate.seat
    view, goal = (
        game.observe(candidate.state, seat),
        match_state_key(state_after(game, candidate.state, solution)),
    )
    shares, visits = [0.0] * len(SIMULATION_STEPS), Counter[Turn]()
    for seed in range(SEARCHES):
        search, before = make_search(game, view, seat, seed), 0
        hit = False
        for place, tries in enumerate(SIMULATION_STEPS):
            can_continue = search.run_simulations(tries - before, never_stop)
            before = tries
            best = search.ranked_turns(8)
            hit = (
                bool(best) and match_state_key(state_after(game, candidate.state, best[0].move_texts)) == goal
            )
            shares[place] += hit / SEARCHES
            if not can_continue:
                for rest in range(place + 1, len(SIMULATION_STEPS)):
                    shares[rest] += hit / SEARCHES
                break
        for ranked_turn in search.ranked_turns(8):
            if match_state_key(state_after(game, candidate.state, ranked_turn.move_texts)) != goal:
                visits[ranked_turn.move_texts] += ranked_turn.visits
    return shares, visits


def simulations_needed(shares: Sequence[float]) -> int:
    """Return how many simulations are enough for most searches to find the solution.

    ``shares`` contains the fraction of searches that find it after each number in :data:`SIMULATION_STEPS`. The result
    is the smallest of these numbers such that the fraction exceeds one half there and at every larger number. It is
    :data:`UNSOLVED` if even the largest number isn't enough.
    """
    for place, tries in enumerate(SIMULATION_STEPS):
        if all(share > 0.5 for share in shares[place:]):
            return tries
    return UNSOLVED


def estimate_rating(shares: Sequence[float], strengths: Sequence[int] = _SIMULATION_RATINGS) -> int:
    """Return the rating of a problem, given how often solvers of known strengths solved it.

    For each solver, ``shares`` contains the fraction of its :data:`SEARCHES` tries that succeeded, and ``strengths``
    contains its rating. The result is the rating at which the expected number of successes equals the actual number.
    The expectation is a logistic function of the difference in rating, as in chess. To keep the rating finite, one
    additional success and one additional failure of an average solver are assumed.
    """
    solved = sum(shares) * SEARCHES + 1
    players = [*((strength, SEARCHES) for strength in strengths), (strengths[len(strengths) // 2], 2)]
    low, high = 0.0, 4_000.0
    for _ in range(40):
        middle = (low + high) / 2
        expected = sum(number / (1 + 10 ** ((middle - strength) / 400)) for strength, number in players)
        low, high = (middle, high) if expected > solved else (low, middle)
    return round(low)
