"""Status line of a match page: whose turn it is, and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from shibumi3d.app.wording import titled
from shibumi3d.i18n import _, language, local
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, HEADING, SMALL, Style

from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.sentence import Sentence
from .parts import MatchTable

if TYPE_CHECKING:
    from .computers import Computers
    from .doing import Doing

LEAST_SENTENCE = 220.0
"""Minimum width of the sentence. If there is less room, the name of the game is left out."""


class Told(MatchTable, Protocol):
    """Match page with a status line."""

    @property
    def doing(self) -> Doing:
        """Object that makes the moves."""

    @property
    def computers(self) -> Computers:
        """Computer players."""


class Status(Sentence):
    """Status line with the game's name, whose turn it is, and what to do."""

    steady = True

    def __init__(self, page: Told) -> None:
        super().__init__("status")
        self.page = page

    def sentence(self) -> str:
        """Return whose turn it is and what to do, or that the game is over.

        If an earlier position is shown, return its turn number instead. While the page waits for something else, the
        result is an empty string.
        """
        page, session, state = self.page, self.page.session, self.page.match.state
        if not session.live:
            ply = session.cursor
            return (
                _("After turn {turn}", turn=page.match.plies[ply - 1].turn + 1)
                if ply
                else _("Before the first turn")
            )
        if session.suspended:
            return ""
        if session.opening:
            return _("Everyone has chosen")
        if state.to_move is None:
            return _("The game is over")
        if session.window:
            everybody = page.match.game.view(state, None)
            return capital(page.match.game.ask_line(everybody, language(), page.names))
        if session.asked is None:
            return page.computers.busy_line().removesuffix(".") + self._stage_of_play()
        asked = page.doing.ask()
        if len(page.names) == 1:
            return capital(asked) + self._stage_of_play()
        secretly, who = state.ask.sight == "hidden", page.names[session.asked]
        told = (
            _("{who} to move in secret – {asked}", who=who, asked=asked)
            if secretly
            else _("{who} to move – {asked}", who=who, asked=asked)
        )
        return told + self._stage_of_play()

    def _stage_of_play(self) -> str:
        """Return the number of the game within a series and the name of the phase, if there are any."""
        facts, state, told = self.page.session.facts, self.page.match.state, ""
        if facts.series:
            told += (
                _(" · game {number} of {games}", number=state.game_number, games=facts.games)
                if facts.games
                else _(" · game {number}", number=state.game_number, games=facts.games)
            )
        if 0 <= state.phase < len(facts.phases):
            told += _(" · {phase}", phase=local(facts.phases[state.phase]))
        return told

    def seed_line(self) -> str:
        """Return the seed, which can be used to play the same deal again.

        It is empty except in solo games with chance.
        """
        facts = self.page.session.facts
        return _("seed {seed}", seed=self.page.match.seed) if facts.solver and facts.chance else ""

    @property
    def seat(self) -> int | None:
        """Seat whose symbol is drawn before the sentence, or None."""
        session = self.page.session
        if not session.asking or session.window or len(self.page.names) == 1:
            return None
        return session.asked if session.asked is not None else session.thinking

    def content(self) -> object:
        return self.sentence(), self.seed_line(), self.seat, self.page.rect

    def paint(self, canvas: Canvas, style: Style) -> None:
        page, left, end = self.page, self.rect.x, self.rect.right
        title, text = titled(page.entry), self.sentence()
        wide = canvas.width(title, "title", HEADING - 2) + 24
        if end - left - wide < LEAST_SENTENCE:
            # The sentence matters more than the name.
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
        begin = max(left + wide, min(page.rect.cx - long / 2, end - long))
        if self.seat is not None:
            icons.sign(canvas, self.seat, begin + 9, self.rect.cy, style.action, 8)
            begin += 26
        place = Rect(begin, self.rect.y, end - begin, self.rect.h)
        self.write(canvas, place, text, style.ink, "bold", BODY + 1)
