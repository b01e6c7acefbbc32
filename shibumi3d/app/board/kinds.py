"""Replay views by table kind. Kinds that are not listed use the replay view for scenes."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.rules.kinds import USUAL

from .marble_stand import MarbleStand
from .scene_stand import SceneStand
from .stand import Retold, Stand

STANDS: dict[str, Callable[[Retold], Stand]] = {USUAL: MarbleStand}


def stand_of(page: Retold) -> Stand:
    """Create the replay view for a page's match."""
    return STANDS.get(page.entry.kind, SceneStand)(page)
