"""The kinds of table that can be seen in a picture: by kind the class of their scenes. Loaded when first asked for.

A kind that is not here is played by buttons, before an empty table. Marbles have a stage of their own.
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
"""By kind module and class, joined by a colon. A class is made with the game and the number of seats."""


@cache
def _class(kind: str) -> Any:
    module, _, name = SCENES[kind].partition(":")
    return getattr(import_module(module), name)


def scene(game: Game, seats: int) -> TableScene:
    """Return the scene of a match of ``game``."""
    made: TableScene = _class(game.kind)(game, seats) if game.kind in SCENES else BareScene(game, seats)
    return made
