"""Where people make games of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..app import App


def make_game(app: App) -> None:
    """Shows the page on which games are made, with the draft that was left there."""
    from .screen import Design

    app.matches.leave()
    app.show(Design(app))
