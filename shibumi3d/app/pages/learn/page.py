"""A table on which something is shown: a match that nobody keeps, with a strip that says what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.match.match import Match

from ...board.coach import Coach
from ...board.meanings import meanings
from ...host.page import Page
from ...host.screen import Screen
from ...text import say
from ...ui.button import Button
from ...ui.core import Key
from ...ui.prose import Explained
from ..play.screen import Play

if TYPE_CHECKING:
    from ...host import Host


class Taught(Page):
    """What a page of a match has when it has a :class:`Coach`. ``came`` is the page to which one goes back."""

    came: Screen | None = None
    coach: Coach | None
    back: Button
    save: Button
    explained: Explained
    entry: Entry
    match: Match

    def teach(self) -> None:
        """Puts the strip on the page."""
        self.coach = Coach(self.go, self.finish)
        entry, variant = self.entry, self.match.game.variant
        self.coach.told.explain = lambda words: meanings(entry, variant, words)
        self.coach.told.met = self.explained.point
        self.children.remove(self.explained)
        self.add(self.coach, self.explained)  # what a word means lies above all
        self.back.label, self.back.tip, self.back.action = say("replay.back"), "", self.finish
        self.save.enabled = False
        self.instruct()

    def instruct(self) -> None:
        """Says what is to be done now."""

    def go(self) -> None:
        """What the button does that leads on."""

    def finish(self) -> None:
        """Leaves the lesson."""
        if self.came is None:
            self.app.pages.home()
        else:
            self.app.stage.show(self.came.renewed())

    def tell(self, words: str, go: str = "", done: int = 0, steps: int = 0) -> None:
        """Says ``words`` in the strip; ``go`` stands on the button that leads on."""
        assert self.coach is not None
        self.coach.tell(
            words, go, say("learn.skip") if steps and done < steps else say("learn.back"), done, steps
        )
        if self.rect.w:
            self.layout(self.rect)

    def update(self) -> None:
        """Everything that follows from the state is made anew."""
        super().update()  # type: ignore[misc]
        if self.coach is not None:
            self.instruct()

    def key(self, key: Key) -> bool:
        if super().key(key):
            return True
        if key.chord == "escape":
            self.finish()
            return True
        return False


class LessonPage(Taught, Play):
    """Such a page for marbles."""

    taught = True

    def __init__(self, app: Host, match: Match, entry: Entry, came: Screen | None = None) -> None:
        self.came = came
        super().__init__(app, match, entry)
        self.teach()
        self.eye[-1].visible = False

    def lay_out(self) -> None:
        """A lesson stays as it is."""
