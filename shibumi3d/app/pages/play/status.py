"""The sentence at the top: whose turn it is, and what is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, HEADING, SMALL, Style

from ...board.match_page import LEAST_SENTENCE, stage_of_play
from ...text import say, titled
from ...ui import icons
from ...ui.canvas import Canvas
from ...ui.sentence import Sentence
from .parts import Table

if TYPE_CHECKING:
    from shibumi3d.catalogue.schema import Entry

    from .parts import Sitting


class Told(Table, Protocol):
    """A match of which is told how it stands."""

    entry: Entry
    rect: Rect

    @property
    def opening(self) -> bool:
        """Whether all look at what was chosen in secret."""

    @property
    def computers(self) -> Sitting:
        """The seats that computers play."""


class Status(Sentence):
    """The game's name, whose turn it is, and what is asked for."""

    steady = True

    def __init__(self, screen: Told) -> None:
        super().__init__("status")
        self.screen = screen

    def sentence(self) -> str:
        """The sentence."""
        screen = self.screen
        state = screen.match.state
        if not screen.session.live:
            assert screen.session.looking is not None
            if not screen.session.looking:
                return say("status.first")
            return say("status.after", turn=screen.match.plies[screen.session.looking - 1].turn + 1)
        if screen.session.waits():
            return ""
        if screen.opening:
            return say("status.chosen")
        if state.to_move is None:
            return say("status.over")
        if screen.control.away:
            return screen.computers.busy_line().removesuffix(".") + self.stage_of_play()
        asked = screen.control.ask()
        who = screen.names[state.to_move]
        told = capital(asked)
        if len(screen.names) > 1:
            told = say(
                "status.to-move-secretly" if state.in_secret else "status.to-move", who=who, asked=asked
            )
        return told + self.stage_of_play()

    def stage_of_play(self) -> str:
        """Which phase and which game of a series it is, where there are several."""
        return stage_of_play(self.screen.session)

    def seed_line(self) -> str:
        """The seed, by which what chance has dealt to those who play against nobody is dealt again."""
        facts = self.screen.facts
        return say("status.seed", seed=self.screen.match.seed) if facts.solver and facts.chance else ""

    def content(self) -> object:
        screen = self.screen
        asking = screen.session.asking, screen.match.state.to_move, len(screen.names)
        return self.sentence(), self.seed_line(), asking, screen.rect

    def paint(self, canvas: Canvas, style: Style) -> None:
        screen, left, end = self.screen, self.rect.x, self.rect.right
        title, text = titled(screen.entry), self.sentence()
        wide = canvas.width(title, "title", HEADING - 2) + 24
        if end - left - wide < LEAST_SENTENCE:
            # The sentence says more than the name.
            wide = 0.0
        else:
            space = Rect(left, self.rect.y, wide, self.rect.h)
            canvas.text_in(space, title, style.ink, "title", HEADING - 2)
            seed = self.seed_line()
            more = canvas.width(seed, "sans", SMALL) + 16 if seed else 0.0
            if seed and end - left - wide - more >= LEAST_SENTENCE:
                place = Rect(left + wide - 8, self.rect.y + 2, more, self.rect.h)
                canvas.text_in(place, seed, style.soft, "sans", SMALL)
                wide += more
        long = canvas.width(text, "bold", BODY + 1) + 28
        begin = max(left + wide, min(screen.rect.cx - long / 2, end - long))
        state = screen.match.state
        if screen.session.asking and state.to_move is not None and len(screen.names) > 1:
            icons.sign(canvas, state.to_move, begin + 9, self.rect.cy, style.action, 8)
            begin += 26
        self.write(
            canvas, Rect(begin, self.rect.y, end - begin, self.rect.h), text, style.ink, "bold", BODY + 1
        )
