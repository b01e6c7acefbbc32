"""Play random matches and print statistics: ``python -m tests.rules.golden.matches 10000``."""

from __future__ import annotations

import sys
from collections import Counter
from random import Random

from shibumi3d.rules.game import Event
from shibumi3d.rules.golden_spiral.state import State

from .bench import game

LONGEST = 400
"""Number of choices that no match exceeds: at most ten in each of 40 Spirals."""


def random_match(seed: int) -> list[tuple[State, State, tuple[Event, ...]]]:
    """Return every step of a random match as (before, after, events).

    Assert that there is always a move, that no two moves have the same text, that the counts of medals and stars stay
    valid, and that the match isn't too long.
    """
    chance = Random(seed)
    state = game().start(2, seed)
    steps: list[tuple[State, State, tuple[Event, ...]]] = []
    while state.to_move is not None:
        seat = chance.choice(state.deciding_seats)
        moves = game().moves(state, seat)
        assert moves
        assert len({move.text for move in moves}) == len(moves)
        after, events = game().apply(state, chance.choice(moves))
        assert sum(after.gold) + sum(after.spiral) + after.discarded_medals == 26
        assert min(*after.gold, *after.spiral, *after.stars, after.discarded_medals) >= 0
        assert sum(after.stars) <= sum(state.stars)
        steps.append((state, after, events))
        state = after
        assert len(steps) <= LONGEST
    assert state.result is not None
    assert state.turn <= game().rules.max_spirals
    return steps


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    turns: Counter[int] = Counter()
    winners: Counter[tuple[int, ...]] = Counter()
    for each in range(number):
        end = random_match(each)[-1][1]
        assert end.result is not None
        turns[end.turn] += 1
        winners[end.result.winners] += 1
    half = sorted(turns.elements())[number // 2]
    print(f"{number} matches, {half} Spirals in the middle, {max(turns)} at most; won {dict(winners)}")
