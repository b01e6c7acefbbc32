"""Choice of the search for a game: the game's own, or playouts with the heuristics of its table kind.

The heuristics of a table kind are in a module of their own, which may define any of these:

- ``candidate_moves(game, view, seat, moves)``: the moves that are worth searching,
- ``estimate_values(game, state)``: the value of a state for each seat, from 0 (lost) to 1 (won),
- ``playout_move(game, state, seat, moves, rng)``: the move to make in a playout (by default a random one),
- ``move_policy(game, view, seat)``: what is known about the moves without a search, or None. The result maps the text
  of each move to the probability with which it should be made, or to a pair of this probability and the value of the
  move, from 0 to 1,
- ``MIN_SIMULATIONS_FOR_POLICY``: the minimum number of simulations for a level to use ``move_policy`` (0 by default),
- ``PLAYOUT_MOVES``: the number of moves after which a playout is cut off and evaluated by ``estimate_values``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from shibumi3d.rules.game import Game
from shibumi3d.rules.search_protocols import Search
from shibumi3d.search.rollouts import PlayoutSearch

if TYPE_CHECKING:
    from shibumi3d.rules.game import State


HEURISTIC_MODULES: dict[str, str] = {
    "hyena-spiral": "shibumi3d.search.hyena_spiral",
    "golden-spiral": "shibumi3d.search.golden_spiral",
    "arcanoid": "shibumi3d.search.arcanoid",
}
"""Modules with heuristics, by table kind; kinds that are not listed have none."""


@cache
def heuristics_for(kind: str) -> ModuleType | None:
    """Return the module with the heuristics for a table kind, or None if there is none."""
    return import_module(HEURISTIC_MODULES[kind]) if kind in HEURISTIC_MODULES else None


def make_search(
    game: Game, view: State, seat: int, seed: int = 0, past_states: Iterable[State] = ()
) -> Search:
    """Return a search from ``view`` on behalf of ``seat``.

    This is the game's own search if it has one, and otherwise a search by playouts. ``past_states`` contains the states
    at the start of earlier turns; only the game's own search uses them.
    """
    return game.make_search(view, seat, seed, past_states) or PlayoutSearch(
        game, view, seat, seed, heuristics_for(game.kind)
    )
