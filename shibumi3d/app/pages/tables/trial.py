"""*Try it* at tables of other kinds than marbles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import Entry

from ...board.staged import staged
from ...board.taught import Tried
from ...host.screen import Screen
from ...text.spoken import spoken
from .screen import TablePlay

if TYPE_CHECKING:
    from ...host import Host


class TableTrial(Tried, TablePlay):
    """Asks for the one move of a lesson at such a table."""

    def __init__(self, app: Host, entry: Entry, lesson: Lesson, came: Screen | None = None) -> None:
        self.lesson, self.came = lesson, came
        super().__init__(app, staged(entry, lesson), entry)
        self.teach()

    def did(self) -> str:
        return spoken(self.match, self.match.plies, 0, self.match.plies[0].events)

    def renewed(self) -> TableTrial:
        return TableTrial(self.app, self.entry, self.lesson, self.came)
