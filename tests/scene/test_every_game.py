"""Every game of the catalogue, played at random: what the events move ends where the state has it."""

from __future__ import annotations

import random

import pytest

from shibumi3d.catalogue.catalogue import load
from shibumi3d.scene.marbles.stage import Stage
from tests.marble_games import marble_games

STEPS = 60


@pytest.mark.parametrize("identity", [entry.id for entry in marble_games()])
@pytest.mark.parametrize("reduced", [False, True])
def test_the_scene_after_the_queue_has_drained_is_that_of_the_state(identity: str, reduced: bool) -> None:
    chance = random.Random(f"{identity} {reduced}")
    game = load().get(identity).game()
    state = game.start(seed=chance.randrange(1000))
    sizes = [state.size] * len(state.board_names)
    played, fresh, now = Stage(sizes, reduced=reduced), Stage(sizes), 0.0
    played.reset(state)
    for _ in range(STEPS):
        moves = game.moves(state)
        if not moves:
            break
        state, events = game.apply(state, chance.choice(moves))
        played.play(events, now)
        for part in range(4):
            played.queue.sample(now + (max(played.queue.end, now) - now) * part / 4)
        now = max(played.queue.end, now) + 0.001
        fresh.reset(state)
        assert played.marbles == fresh.marbles
        assert played.held == fresh.held
        assert played.queue.sample(now) == fresh.queue.sample(now)
