"""Try it: a position in which one click shows the rule at work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.catalogue.lessons import Lesson
from shibumi3d.catalogue.schema import CatalogueError, Entry
from shibumi3d.match.match import Match
from shibumi3d.rules.errors import GameFileError, RuleFailure
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.wording import capital

from ...board.staged import staged
from ...host.screen import Screen
from ...text import language, local, say
from .page import LessonPage, Taught

if TYPE_CHECKING:
    from ...host import Host

BACK = 1.4
"""Seconds for which a move that is not the one is seen before it is taken back."""


class TrialPage(Protocol):
    """Makes the page on which a lesson is tried."""

    def __call__(self, app: Host, entry: Entry, lesson: Lesson, came: Screen | None) -> Screen:
        """The page. ``came`` is the one to go back to."""


def try_it(app: Host, entry: Entry, variant: str, came: Screen, make: TrialPage) -> None:
    """Shows the position to try of a game as it is played; one comes back to ``came``."""
    lesson = entry.form(variant).trial
    if lesson is None:
        return
    try:
        trial = make(app, entry, lesson, came)
    except (CatalogueError, GameFileError, RuleFailure, ValueError) as problem:
        app.tell(say("match.no-start", problem=problem))
    else:
        app.stage.show(trial)


class Tried(Taught):
    """Asks for the one move of a lesson. Another that is legal is shown, and taken back."""

    title = "trial"
    match: Match
    entry: Entry
    names: list[str]
    lesson: Lesson
    wrong = ""
    """What the move did that was taken back."""
    _going_back = False

    def did(self) -> str:
        """What the first move did, in words."""
        raise NotImplementedError

    def rewind(self) -> None:
        """Takes back what was played, as it is seen."""
        raise NotImplementedError

    @property
    def solved(self) -> bool:
        """Whether the move was found."""
        plies = self.match.plies
        return bool(plies) and plies[0].move == self.lesson.moves[0]

    @property
    def finished(self) -> bool:
        """Whether the move ended the game."""
        return self.match.state.to_move is None

    def instruct(self) -> None:
        if self.solved:
            end = sentences.ending(self.match.state, language(), self.names) if self.finished else ""
            self.tell(
                say("trial.ended" if end else "trial.done", told=self.did(), end=end), say("trial.again")
            )
        elif self.wrong:
            self.tell(say("trial.other", told=self.wrong, asked=local(self.lesson.say[0])))
        else:
            self.tell(local(self.lesson.say[0]))

    def go(self) -> None:
        self.app.stage.show(self.renewed())

    def update(self) -> None:
        if self.match.plies and not self.solved and not self._going_back:
            self.wrong, self._going_back = self.did(), True
            self.app.later(BACK, self._take_back)
        super().update()

    def _take_back(self) -> None:
        self._going_back = False
        if self.app.stage.screen is self and self.match.plies and not self.solved:
            self.rewind()


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

    def rewind(self) -> None:
        self.doing.skip()
        before = self.match.plies
        self.match.goto(0)
        self.control.refresh()
        self.playback.rewound(before)
