"""Winners in all games, sizes and seat counts: the highest score, tie-breaks, and draws."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from itertools import combinations
from random import Random
from typing import Any

import pytest

import shibumi3d
from shibumi3d.rules.marbles.engine.machine import BoundEndRule, Machine
from shibumi3d.rules.marbles.engines import get_engine
from tests.marble_games import marble_games, thinned

THIRD_WINS = {"spinca", "spindizzy"}
"""Games in which two players who tie for the highest score lose to the third (rule book page 63, annex 1 page
118).
"""
TOGETHER = {"sprout"}
"""Games that all players win or lose together (annex 1, page 132)."""
CHOICES = 4000
"""Number of choices after which a random game is stopped, as some may go on for a very long time."""


def all_forms() -> list[tuple[str, str, int, int]]:
    """Return (game, variant, size, seats) for every form of every marble game."""
    found = []
    for entry in marble_games():
        for variant in ("", *entry.variants):
            form = entry.with_variant(variant)
            least, most = form.players
            for size in form.sizes:
                found += [(entry.id, variant, size, seats) for seats in range(least, most + 1)]
    return found


def play_to_end(name: str, variant: str, size: int, seats: int, seed: int) -> Machine | None:
    """Play a random game to its end and return the machine, or None if the game takes too long.

    Of a series, only the first game is played.
    """
    game = shibumi3d.game(name, size=size, variant=variant or None)
    rules = game._rules_for(seats)
    engine = get_engine(size)
    machine: Machine = engine.build_machine(replace(rules, series=None))
    engine.load_snapshot(machine, game.start(seats, seed=seed)._snapshot)
    machine.seed = seed
    rng = Random(seed)
    for _ in range(CHOICES):
        if machine.result is not None:
            return machine
        engine.play_choice(machine, rng.choice(engine.legal_choices(machine)))
    return None


def end_rule_module(size: int) -> Any:
    """Return the engine's module of end rules for a board size.

    The compiled engine has separate modules for larger boards.
    """
    return import_module(get_engine(size).__name__.removesuffix("interface") + "end_rules")


def seats_in_mask(seats: int, mask: int) -> set[int]:
    return {seat for seat in range(seats) if mask >> seat & 1}


def final_rule(machine: Machine) -> BoundEndRule | None:
    """Return the end rule that decided a game, or None if play couldn't continue and no rule decided it."""
    assert machine.result is not None
    every = [*machine.end_rules, *[rule for phase in machine.phases for rule in phase.end_rules]]
    return next((rule for rule in every if rule.number == machine.result.rule), None)


@pytest.mark.parametrize(("name", "variant", "size", "seats"), thinned(all_forms(), 10, 3))
def test_seats_with_the_best_value_win(name: str, variant: str, size: int, seats: int) -> None:
    ends = end_rule_module(size)
    for seed in range(3 if size <= 4 else 1):
        machine = play_to_end(name, variant, size, seats, seed)
        if machine is None:
            continue
        assert machine.result is not None
        winners = seats_in_mask(seats, machine.result.winners)
        assert seats == 1 or name in TOGETHER or len(winners) < seats, "a draw is won by nobody"
        rule = final_rule(machine)
        if rule is None or not rule.compared_values:
            continue
        ratings = []
        for seat in range(seats):
            machine.me = seat
            ratings.append(ends.compared_values_of(machine, rule))
        best = {seat for seat in range(seats) if ratings[seat] == max(ratings)}
        if len(best) == 1:
            assert winners == best
        elif rule.tie is None:
            assert winners == (best if len(best) < seats else set())
        if rule.tie is None:
            continue
        # Ties are broken among the tied, whoever they are.
        machine.me = machine.mover
        for count in range(2, seats + 1):
            for tied in combinations(range(seats), count):
                machine.tied = sum(1 << seat for seat in tied)
                chosen = seats_in_mask(seats, ends.break_tie(machine, rule))
                third = name in THIRD_WINS and (seats, count) == (3, 2)
                assert chosen <= (set(range(seats)) - set(tied) if third else set(tied)), tied


def test_apex_breaks_ties_only_among_the_tied() -> None:
    """In Splastwo, a tie for first place is won by whichever of the tied players placed the apex.

    On a board of size 7, a total of eight points can be scored, two of them for the apex. In the first case, White and
    Black have three points each. Red places the apex but has only two points, so White and Black share the win. In the
    second case, White has three points and Black two. Red has three with the apex, so Red is tied with White and wins.
    """
    game = shibumi3d.game("splastwo", size=7)
    board = "/".join(",".join(["W" * side] * side) for side in range(7, 1, -1)) + "/."
    state = game.position(board, seats=3, to_move=2, stocks={"box": "R"})
    state = replace(state, _snapshot=state._snapshot._replace(tallies=(3, 3, 0)))
    outcome = game.outcome(game.apply(state, "R@Ga1")[0])
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((0, 1), (3, 3, 2))
    state = replace(state, _snapshot=state._snapshot._replace(tallies=(3, 2, 1)))
    outcome = game.outcome(game.apply(state, "R@Ga1")[0])
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == ((2,), (3, 2, 3))
