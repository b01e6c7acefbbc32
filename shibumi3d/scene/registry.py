"""Registry of scene classes by table kind; each class is imported when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from shibumi3d.rules.game import Game
from shibumi3d.scene.empty_table import EmptyTableScene
from shibumi3d.scene.table_scene import TableScene

SCENE_CLASSES: dict[str, str] = {
    "arcanoid": "shibumi3d.scene.arcanoid.scene:CardScene",
    "golden-spiral": "shibumi3d.scene.golden_spiral.scene:MedalScene",
    "hyena-spiral": "shibumi3d.scene.hyena_spiral.scene:HyenaScene",
}
"""Scene class of each table kind, as ``module:class``.

The class is called with the game and the number of seats.
"""


@cache
def _load_scene_class(kind: str) -> Callable[[Game, int], TableScene]:
    module, _, name = SCENE_CLASSES[kind].partition(":")
    scene_class: Callable[[Game, int], TableScene] = getattr(import_module(module), name)
    return scene_class


def make_scene(game: Game, seats: int) -> TableScene:
    """Return a new scene for a match of ``game``.

    If the game's table kind has no scene class, the scene is an empty table.
    """
    scene_class = _load_scene_class(game.kind) if game.kind in SCENE_CLASSES else EmptyTableScene
    return scene_class(game, seats)
