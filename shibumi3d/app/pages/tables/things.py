"""What lies on a table as those are told who do not see it: a thing a name, and what a click on it does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.table import Spot

from ...board.heard import things_told
from ...ui.tree import Thing
from .parts import Looking, Table


class Clicked(Looking, Protocol):
    """What follows the pointer, and clicks."""

    def click(self, key: str) -> object:
        """Do what a click on the spot of that key does."""


class Lying(Table, Protocol):
    """A page whose things are told."""

    @property
    def pointer(self) -> Clicked:
        """What follows the pointer and the cursor."""


def things(page: Lying) -> list[Thing]:
    """Return what can be pointed at and has a name."""

    def where(spot: Spot) -> tuple[float, float]:
        x, y = page.pointer.on_screen(spot)
        return page.view.rect.x + x, page.view.rect.y + y

    def press(key: str) -> Callable[[], object] | None:
        return (lambda: page.pointer.click(key)) if key in page.picking.open else None

    hint, numbers = page.advice.spots(), dict(page.advice.numbered())

    def marked(key: str) -> list[str]:
        words = [_("chosen")] if key in page.picking.picks else []
        words += [_("marked")] if key in hint else []
        return [*words, _("best move no. {number}", number=numbers[key])] if key in numbers else words

    return things_told(page.match.game, page.session.view, page.scene, page.names, where, press, marked)
