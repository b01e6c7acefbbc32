"""Matches of computer players in every game; :mod:`tests.search.matches` can be run to play more of them."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from tests.marble_games import thinned
from tests.search.matches import series

HIDING = {"spoker", "spanic", "springe", "spagyric", "spindizzy", "spangle", "spy"}
"""Games in which something lies hidden or is drawn while others play (the book, by game)."""

MARBLES = [entry.id for entry in load_catalogue() if entry.kind == "marbles"]


@pytest.mark.parametrize("name", thinned(MARBLES, 5, 2))
def test_computers_play_every_game_to_the_end(name: str) -> None:
    """Against random play and against itself: every choice is open, takes no more thought than allowed and is the same
    whatever is hidden from its seat, and the match ends."""
    entry = load_catalogue().get(name)
    found = list(series(entry.game(), entry.players[0], 1, 2))
    assert len(found) == 2
    assert not any(one.given_up for one in found)
    assert all(one.compared > 0 for one in found) or name not in HIDING
