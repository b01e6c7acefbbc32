"""Matches of computer players in every marble game; run :mod:`tests.search.matches` to play more of them."""

from __future__ import annotations

import pytest

from shibumi3d.catalogue.catalogue import load_catalogue
from tests.marble_games import thinned
from tests.search.matches import play_match_pairs

HIDING = {"spoker", "spanic", "springe", "spagyric", "spindizzy", "spangle", "spy"}
"""Games with hidden information or chance during play, according to the book."""

MARBLES = [entry.id for entry in load_catalogue() if entry.kind == "marbles"]


@pytest.mark.parametrize("name", thinned(MARBLES, 5, 2))
def test_computers_play_every_game_to_the_end(name: str) -> None:
    """The computer player plays against random players and against itself.

    Its choices are legal, within the budget and independent of what is hidden from its seat, and the match ends.
    """
    entry = load_catalogue().get(name)
    found = list(play_match_pairs(entry.game(), entry.players[0], 1, 2))
    assert len(found) == 2
    assert not any(one.given_up for one in found)
    assert all(one.compared > 0 for one in found) or name not in HIDING
