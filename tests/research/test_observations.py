"""No observation reveals another seat's secret choice before it is public."""

from __future__ import annotations

import random

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from shibumi3d.research.observations import Observations


def test_secret_duel_is_observed_after_both_choices() -> None:
    """In Spagyric, each player hides a marble in a fist, and the two marbles are revealed together."""
    game = load_catalogue().get("spagyric").game()
    start = game.start()
    first = start.to_move
    assert first is not None
    second = 1 - first
    found = []
    for mine in ("W!", "B!"):
        after, events = game.apply(start, mine)
        alone = Observations.at_start(game, start).after_move(game, start, after, events)
        end, events = game.apply(after, "R!")
        found.append((alone, alone.after_move(game, after, end, events)))
    (white, both), (black, other) = found
    assert white.lines[first] != black.lines[first]
    assert white.lines[second] == black.lines[second] == Observations.at_start(game, start).lines[second]
    assert white.lines[first][-1] in both.lines[second]
    assert white.lines[first][-1] not in other.lines[second]
    assert len(both.lines[first]) > len(white.lines[first])
    for line in white.lines[first]:
        assert both.lines[first].count(line) == 1


@pytest.mark.parametrize("name", ["spagyric", "spangle", "spindizzy", "springe", "spy"])
def test_secret_choices_do_not_affect_other_observations(name: str) -> None:
    """Two secret choices that give another seat the same view also give it the same observations.

    :class:`.Observations` records what each seat has observed, as lines of text. The lines of the seat that makes the
    choice differ.
    """
    game = load_catalogue().get(name).game()
    chance = random.Random(name)
    state = game.start(None, 1)
    observations = Observations.at_start(game, state)
    tried = 0
    for _ in range(40):
        moves = game.moves(state)
        if not moves:
            break
        ways = [game.apply(state, move) for move in chance.sample(list(moves), min(2, len(moves)))]
        after = [observations.after_move(game, state, *way) for way in ways]
        if len(ways) == 2 and all(each.is_in_secret_block for each in (state, *(way[0] for way in ways))):
            one, other = (way[0] for way in ways)
            for seat in {*range(state.seats)} - {state.to_move}:
                if game.observe(one, seat) == game.observe(other, seat):
                    tried += 1
                    assert after[0].lines[seat] == after[1].lines[seat]
            assert after[0].lines[state.to_move] != after[1].lines[state.to_move]
        state, observations = ways[0][0], after[0]
    assert tried
