"""What a search knows of kinds of table besides their rules: for each, where there is such, a module of helps.

A module of helps may define any of

- ``candidates(game, view, seat, moves)``: those of the moves that are worth looking at,
- ``estimate(game, state)``: what a state is worth to each seat, from 0 (lost) to 1 (won),
- ``likely(game, state, seat, moves, chance)``: the move with which a way on is played out (by lot otherwise),
- ``known(game, view, seat)``: what is known of the moves without looking: their texts and how often each of them should
  be chosen, or None; in place of how often a pair of that and what the move is worth, from 0 to 1,
- ``KNOWN_FROM``: how many ways on a strength must be given to be told what is known (0 where it is left out),
- ``HORIZON``: after how many moves a way on is judged by ``estimate``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any

from shibumi3d.rules.game import Game
from shibumi3d.rules.search import Search
from shibumi3d.search.rollouts import Rollouts

HELPS: dict[str, str] = {
    "hyena-spiral": "shibumi3d.search.hyena_spiral",
    "golden-spiral": "shibumi3d.search.golden_spiral",
    "arcanoid": "shibumi3d.search.arcanoid",
}
"""By kind the module of its helps. Most kinds are played without any."""


@cache
def helps(kind: str) -> Any:
    """Return the module with what a kind of table knows to help the search, or None."""
    return import_module(HELPS[kind]) if kind in HELPS else None


def search_of(game: Game, view: Any, seat: int, seed: int = 0, past: Iterable[Any] = ()) -> Search:
    """Return a search from ``view`` for ``seat``: the kind's own, else one that plays ways on out to their end."""
    return game.search(view, seat, seed, past) or Rollouts(game, view, seat, seed, helps(game.kind))
