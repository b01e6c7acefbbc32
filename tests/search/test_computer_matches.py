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
    """The computer player plays one match against random players and one against itself.

    Its choices must be legal and within the budget, and both matches must end. In games with secrets or chance, some
    choices are made a second time after the information hidden from the seat has been redrawn at random; they must not
    change.
    """
    entry = load_catalogue().get(name)
    found = list(play_match_pairs(entry.game(), entry.players[0], 1, 2))
    assert len(found) == 2
    assert not any(one.given_up for one in found)
    assert all(one.compared > 0 for one in found) or name not in HIDING
