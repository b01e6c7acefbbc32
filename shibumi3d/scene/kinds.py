"""Scene classes by table kind, imported when first needed.

Kinds without a scene are played with buttons, on an empty table. Marble games use :class:`.marbles.stage.Stage`
instead.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from shibumi3d.rules.game import Game
from shibumi3d.scene.bare import BareScene
from shibumi3d.scene.table import TableScene

SCENES: dict[str, str] = {
    "arcanoid": "shibumi3d.scene.arcanoid.scene:CardScene",
    "golden-spiral": "shibumi3d.scene.golden_spiral.scene:MedalScene",
    "hyena-spiral": "shibumi3d.scene.hyena_spiral.scene:HyenaScene",
}
"""Scene class of each table kind, as ``module:class``.

The class is called with the game and the number of seats.
"""


@cache
def _class(kind: str) -> Any:
    module, _, name = SCENES[kind].partition(":")
    return getattr(import_module(module), name)


def scene(game: Game, seats: int) -> TableScene:
    """Return a new scene for a match of ``game``."""
    made: TableScene = _class(game.kind)(game, seats) if game.kind in SCENES else BareScene(game, seats)
    return made
