"""By kind of table: what shows a match again. Kinds that are not here are shown as their scenes are."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.rules.kinds import USUAL

from .marble_stand import MarbleStand
from .scene_stand import SceneStand
from .stand import Retold, Stand

STANDS: dict[str, Callable[[Retold], Stand]] = {USUAL: MarbleStand}


def stand_of(page: Retold) -> Stand:
    """Return what shows the match of a page again."""
    return STANDS.get(page.entry.kind, SceneStand)(page)
