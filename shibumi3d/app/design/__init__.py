"""Where people make games of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.catalogue.sharing import text_of
from shibumi3d.rules.wording import capital

from ..text import say, told

if TYPE_CHECKING:
    from ..host import Host


def make_game(app: Host, entry: Entry | None = None) -> None:
    """Shows the page on which games are made: with ``entry``, a game of one's own, or the draft that was left there."""
    from .screen import Design

    app.matches.leave()
    page = Design(app)
    app.stage.show(page)
    if entry is not None and entry.own and not entry.path and entry.id != page.draft.name:
        page.draft.open(entry.id)


def take_in(app: Host, line: str) -> None:
    """Shows the game that a line tells, to be looked at before it is saved; or says what is wrong with the line."""
    from .screen import Design

    try:
        text = text_of(line)
    except CatalogueError as problem:
        app.tell(say("sentence", text=capital(told(problem))))
        return
    app.matches.leave()
    page = app.stage.screen if isinstance(app.stage.screen, Design) else Design(app)
    if app.stage.screen is not page:
        app.stage.show(page)
    page.draft.take_in(text)
