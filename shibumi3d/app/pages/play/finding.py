"""*Find the turn* with marbles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.wording import sentences

from ...board.finding import TurnFinder
from ...host.screen import Screen
from ...text import language
from .lesson import LessonPage

if TYPE_CHECKING:
    from shibumi3d.search.review import Review

    from ...host import Host


class Find(TurnFinder, LessonPage):
    """Asks for better turns of a match of marbles."""

    def __init__(
        self,
        app: Host,
        whole: Match,
        entry: Entry,
        came: Screen | None,
        found: Review | None = None,
        number: int = 0,
        right: int = 0,
    ) -> None:
        super().__init__(app, self.look_for(app, whole, found, number, right), entry, came)

    def anew(self, found: Review | None, number: int, right: int) -> Find:
        page = Find(self.app, self.whole, self.entry, self.came, found, number, right)
        page.view.home, page.view.camera = self.view.home, self.view.camera
        return page

    def words(self, state: Any, seat: int, events: Sequence[Any]) -> str:
        return sentences.told(state, seat, events, language(), self.names)

    def renewed(self) -> Find:
        return self.anew(self.review.found, self.number, self.right)
