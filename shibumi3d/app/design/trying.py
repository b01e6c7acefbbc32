"""A game that is being made, played to see how it is; nobody keeps the match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.kinds import USUAL

from ..home.who import people
from ..learn.page import LessonPage
from ..text import say
from . import make_game
from .reading import seats_of

if TYPE_CHECKING:
    from ..app import App


class Trying(LessonPage):
    """The page of a match that tries a game out."""

    title = "trying"

    def instruct(self) -> None:
        self.tell(say("design.trying"), say("design.anew"))

    def go(self) -> None:
        try_out(self.app, self.entry)

    def finish(self) -> None:
        make_game(self.app)


def try_out(app: App, entry: Entry) -> None:
    """Begins a match of ``entry`` that nobody keeps."""
    try:
        game = entry.game(size=entry.size)
        seats = seats_of(entry)
        match = Match(game, people((), seats), seed=0)
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        app.tell(say("match.no-start", problem=problem))
        return
    app.matches.leave()
    app.show(Trying(app, match, entry) if entry.kind == USUAL else app.matches.page(match, entry))
