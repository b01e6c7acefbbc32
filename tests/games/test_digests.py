"""Games played by numbers go as they always went: choices, events, states and views, compiled or not."""

from __future__ import annotations

import os

import pytest

from shibumi3d import native
from tests.games.digests import BLOCK, SEEDS, block_of, stored
from tests.marble_games import marble_games

STORED = stored()
BLOCKS = SEEDS // BLOCK
ALL = native.status.native or "CI" in os.environ
"""Else a tenth of the games, another one of each: in plain Python all take two minutes."""


@pytest.mark.parametrize("name", sorted(STORED))
def test_games_go_as_they_always_went(name: str) -> None:
    known = STORED[name].split()[1:]
    chosen = range(BLOCKS) if ALL else [sorted(STORED).index(name) % BLOCKS]
    for number in chosen:
        assert block_of(name, number) == known[number], f"seeds from {number * BLOCK} on"


def test_every_game_has_its_digests() -> None:
    assert sorted(STORED) == sorted(entry.id for entry in marble_games())
    assert all(len(line.split()) == 1 + BLOCKS for line in STORED.values())
