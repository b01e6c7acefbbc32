"""Heuristics for particular table kinds, in one module for each kind that has any.

Such a module may define any of these:

- ``candidates(game, view, seat, moves)``: the moves that are worth searching,
- ``estimate(game, state)``: the value of a state for each seat, from 0 (lost) to 1 (won),
- ``likely(game, state, seat, moves, chance)``: the move to make in a playout (by default a random one),
- ``known(game, view, seat)``: what is known about the moves without a search, or None. It maps the text of each move
  to the probability with which it should be made, or to a pair of this probability and the value of the move, from 0
  to 1,
- ``KNOWN_FROM``: the minimum number of simulations for a level to use ``known`` (0 by default),
- ``HORIZON``: the number of moves after which a playout is cut off and evaluated by ``estimate``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.game import Game
from shibumi3d.rules.search import Search
from shibumi3d.search.rollouts import Rollouts

if TYPE_CHECKING:
    from shibumi3d.rules.game import State

HELPS: dict[str, str] = {
    "hyena-spiral": "shibumi3d.search.hyena_spiral",
    "golden-spiral": "shibumi3d.search.golden_spiral",
    "arcanoid": "shibumi3d.search.arcanoid",
}
"""Modules with heuristics, by table kind; most kinds have none."""


@cache
def helps(kind: str) -> Any:
    """Return the module with the heuristics for a table kind, or None."""
    return import_module(HELPS[kind]) if kind in HELPS else None


def search_of(game: Game, view: State, seat: int, seed: int = 0, past: Iterable[State] = ()) -> Search:
    """Return a search from ``view`` for ``seat``.

    This is the game's own search if it has one, and otherwise a search by playouts.
    """
    return game.search(view, seat, seed, past) or Rollouts(game, view, seat, seed, helps(game.kind))
