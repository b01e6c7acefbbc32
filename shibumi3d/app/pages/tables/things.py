"""What lies on a table as those are told who do not see it: a thing a name, and what a click on it does."""

from __future__ import annotations

from typing import Any

from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect

from ...text import language
from ...ui.tree import Thing

HALF = 14.0
"""Half the side of the square, in logical pixels, in which a thing is said to lie."""


def things(page: Any) -> list[Thing]:
    """Return what can be pointed at and has a name, in the order in which the scene tells it."""
    found = []
    game, view = page.match.game, page.session.view
    for key, spot in page.scene.spots().items():
        line = game.thing_line(view, key, language(), page.names)
        if not line:
            continue
        x, y = page.pointer.on_screen(spot)
        place = Rect(page.view.rect.x + x - HALF, page.view.rect.y + y - HALF, 2 * HALF, 2 * HALF)

        def press(key: str = key) -> None:
            page.pointer.click(key)

        found.append(Thing(key, capital(line), place, press if key in page.picking.open else None))
    return found
