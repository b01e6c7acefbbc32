"""*Find the turn* at tables of other kinds than marbles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match

from ...board.finding import TurnFinder
from ...host.screen import Screen
from .screen import TablePlay

if TYPE_CHECKING:
    from shibumi3d.search.review import Review

    from ...host import Host


class TableFind(TurnFinder, TablePlay):
    """Asks for better choices of a match at such a table."""

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
        self.came = came
        super().__init__(app, self.look_for(app, whole, found, number, right), entry)
        self.teach()

    def anew(self, found: Review | None, number: int, right: int) -> TableFind:
        return TableFind(self.app, self.whole, self.entry, self.came, found, number, right)

    def renewed(self) -> TableFind:
        return self.anew(self.review.found, self.number, self.right)
