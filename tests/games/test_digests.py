"""Games played by numbers go as they always went: choices, events, states and views, compiled or not."""

from __future__ import annotations

import os

import pytest

from shibumi3d import native
from tests.games.digests import BLOCK, SEEDS, block_of, stored
from tests.marble_games import marble_games

STORED = stored()
BLOCKS = SEEDS // BLOCK
STEP = 1 if native.status.native else 5 if "CI" in os.environ else BLOCKS
"""Of so many blocks one is played, from another one on in each game: in plain Python all take two minutes."""


@pytest.mark.parametrize("name", sorted(STORED))
def test_games_go_as_they_always_went(name: str) -> None:
    known = STORED[name].split()[1:]
    for number in range(sorted(STORED).index(name) % STEP, BLOCKS, STEP):
        assert block_of(name, number) == known[number], f"seeds from {number * BLOCK} on"


def test_every_game_has_its_digests() -> None:
    assert sorted(STORED) == sorted(entry.id for entry in marble_games())
    assert all(len(line.split()) == 1 + BLOCKS for line in STORED.values())
