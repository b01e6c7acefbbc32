"""Lessons with marbles: a match that nobody keeps, and one move that shows a rule at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.wording import capital

from ...board.staged import staged
from ...board.taught import Taught, Tried
from ...host.screen import Screen
from ...text import language
from .screen import Play

if TYPE_CHECKING:
    from ...host import Host


class LessonPage(Taught, Play):
    """A page with marbles on which something is shown."""

    taught = True

    def __init__(self, app: Host, match: Match, entry: Entry, came: Screen | None = None) -> None:
        self.came = came
        super().__init__(app, match, entry)
        self.teach()
        self.eye[-1].visible = False

    def lay_out(self) -> None:
        """A lesson stays as it is."""


class Trial(Tried, LessonPage):
    """Such a lesson with marbles."""

    def __init__(self, app: Host, entry: Entry, lesson: Lesson, came: Screen | None = None) -> None:
        self.lesson = lesson
        super().__init__(app, staged(entry, lesson), entry, came)

    def did(self) -> str:
        ply = self.match.plies[0]
        return capital(sentences.told(ply.state, ply.seat, ply.events, language(), self.names) or ply.move)

    def renewed(self) -> Trial:
        return Trial(self.app, self.entry, self.lesson, self.came)
