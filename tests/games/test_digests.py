"""Seeded games haven't changed: choices, events, states, views and ends, whether or not the engine is compiled."""

from __future__ import annotations

import pytest

from shibumi3d import native
from tests.games.digests import BLOCK, SEEDS, differing_aspects, stored_hashes
from tests.marble_games import marble_games, thinned
from tests.share import everything

STORED = stored_hashes()
NAMES = sorted({name for name, _ in STORED})
BLOCKS = SEEDS // BLOCK
STEP = (1 if everything else 6) if native.status.is_native else 5 if everything else BLOCKS
"""Only one block in ``STEP`` is played, starting with a different one in each game; in plain Python, playing all blocks
would take two minutes."""


@pytest.mark.parametrize("name", thinned(NAMES, 4))
def test_games_match_their_stored_digests(name: str) -> None:
    for number in range(NAMES.index(name) % STEP, BLOCKS, STEP):
        first = number * BLOCK
        assert not differing_aspects(name, first, STORED[name, first]), f"seeds from {first} on"


def test_every_game_has_stored_digests() -> None:
    firsts = range(0, SEEDS, BLOCK)
    assert set(STORED) == {(entry.id, first) for entry in marble_games() for first in firsts}
