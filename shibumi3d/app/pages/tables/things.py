"""Accessible objects of a table other than marbles, which screen readers can read and activate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from shibumi3d.i18n import _
from shibumi3d.scene.table import Spot

from ...board.heard import things_told
from ...ui.tree import Thing
from .parts import Looking, Table


class Clicked(Looking, Protocol):
    """Interface of a pointer that can also click spots."""

    def click(self, key: str) -> object:
        """Click the spot with the given key."""


class Lying(Table, Protocol):
    """Interface of a page whose spots are accessible."""

    @property
    def pointer(self) -> Clicked:
        """Pointer and keyboard cursor."""


def things(page: Lying) -> list[Thing]:
    """Return an accessible object for each spot that has a name."""

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
