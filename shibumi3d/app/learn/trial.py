"""Try it: a position in which one click shows the rule at work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles import sentences
from shibumi3d.rules.wording import capital

from ..text import language, local, say
from .page import LessonPage
from .staged import staged

if TYPE_CHECKING:
    from ..app import App
    from ..play.screen import Play
    from ..screen import Screen

BACK = 1.4
"""Seconds for which a move that is not the one is seen before it is taken back."""


def try_it(page: Play) -> None:
    """Shows the position to try of the game that is played on ``page``."""
    lesson = page.entry.form(page.match.game.variant).trial
    if lesson is None:
        return
    try:
        trial = Trial(page.app, page.entry, lesson, page)
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        page.app.tell(say("match.no-start", problem=problem))
    else:
        page.app.show(trial)


class Trial(LessonPage):
    """Asks for the one move of a lesson. Another that is legal is shown, and taken back."""

    title = "trial"

    def __init__(self, app: App, entry: Entry, lesson: Lesson, came: Screen | None = None) -> None:
        self.lesson = lesson
        self.wrong = ""
        """What the move did that was taken back."""
        super().__init__(app, staged(entry, lesson), entry, came)

    @property
    def solved(self) -> bool:
        """Whether the move was found."""
        plies = self.match.plies
        return bool(plies) and plies[0].move == self.lesson.moves[0]

    def _did(self) -> str:
        """What the first move did, in words."""
        ply = self.match.plies[0]
        return capital(sentences.told(ply.state, ply.seat, ply.events, language(), self.names) or ply.move)

    def instruct(self) -> None:
        if self.solved:
            told = self._did()
            end = sentences.ending(self.match.state, language(), self.names) if self.finished else ""
            self.tell(say("trial.ended" if end else "trial.done", told=told, end=end), say("trial.again"))
        elif self.wrong:
            self.tell(say("trial.other", told=self.wrong, asked=local(self.lesson.say[0])))
        else:
            self.tell(local(self.lesson.say[0]))

    @property
    def finished(self) -> bool:
        """Whether the move ended the game."""
        return self.match.state.to_move is None

    def go(self) -> None:
        self.app.show(Trial(self.app, self.entry, self.lesson, self.came))

    def renewed(self) -> Trial:
        return Trial(self.app, self.entry, self.lesson, self.came)

    def update(self) -> None:
        if self.match.plies and not self.solved and not self._going_back:
            self.wrong, self._going_back = self._did(), True
            self.app.later(BACK, self._take_back)
        super().update()

    _going_back = False

    def _take_back(self) -> None:
        self._going_back = False
        if self.app.screen is self and self.match.plies and not self.solved:
            self.doing.skip()
            before = self.match.plies
            self.match.goto(0)
            self.control.refresh()
            self.playback.rewound(before)
