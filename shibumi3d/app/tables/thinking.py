"""Computers at a table of any kind: they think beside the window, and answer after a moment that is always the same."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.search.players import Budget, Choice
from shibumi3d.search.thinker import Thinker, Trouble

from ..text import say
from ..ui.button import Button

if TYPE_CHECKING:
    from .screen import TablePlay

PAUSE = 0.5
"""Seconds for which nothing has moved before a computer answers."""
TICK = 0.05
SECONDS = 5.0
"""The most that is thought about one choice."""
SECRET = 2.0
"""Seconds after which computers answer what is asked of hands nobody else sees: always as many, or twice as many and so
on where thinking took longer, so that the time tells nothing of the hand."""
SPARE = 0.6
"""Seconds of these that are not for thinking."""


class Thinking:
    """The seats that computers play. Only what such a seat may know goes to the process that thinks. Those that are
    asked at the same time answer together, when all have thought."""

    def __init__(self, page: TablePlay) -> None:
        self.page, self.session = page, page.session
        self.thinker: Thinker | None = None
        self._state: Any = None
        """What is thought about."""
        self._asked: int | None = None
        """The seat that thinks now."""
        self._choices: dict[int, str] = {}
        self._still: float | None = None
        self._ready: float | None = None
        self._ticking = False
        self.halted = False
        """Whether they were told to stop."""
        self.now = Button(say("computer.now"), self._hurry, name="move now")
        self.stop = Button(say("computer.stop"), self._stop, name="stop thinking")
        self.on = Button(say("computer.on"), self._go_on, kind="main", name="go on thinking")
        self.buttons = (self.now, self.stop, self.on)

    def update(self) -> None:
        """The match is elsewhere."""
        thinks = self.session.thinking is not None
        self.halted = self.halted and thinks
        # Where time must tell nothing nobody is hurried.
        self.now.visible = thinks and self.session.live and not self.halted and not self.session.telltale
        self.stop.visible = thinks and self.session.live and not self.halted
        self.on.visible = thinks and self.session.live and self.halted
        self._tick_soon()

    def _hurry(self) -> None:
        if self.thinker is not None:
            self.thinker.now()

    def _stop(self) -> None:
        self.halted, self._state, self._asked = True, None, None
        if self.thinker is not None and self.thinker.busy:
            self.thinker.stop()
        self.page.update()

    def _go_on(self) -> None:
        self.halted = False
        self.page.update()

    def _tick_soon(self) -> None:
        if self.session.thinking is not None and not self.halted and not self._ticking:
            self._ticking = True
            self.page.app.later(TICK, self._tick)

    def close(self) -> None:
        """The page is left."""
        if self.thinker is not None:
            self.thinker.close()
            self.thinker = None

    def _tick(self) -> None:
        self._ticking = False
        page, seat = self.page, self.session.thinking
        if page.app.screen is not page or seat is None or self.halted:
            return
        state = self.session.match.state
        if self._state is not state:
            self._state, self._asked, self._choices, self._still, self._ready = state, None, {}, None, None
        seats = self.session.computers
        if self._asked is None and len(self._choices) < len(seats):
            self._ask(next(each for each in seats if each not in self._choices))
        answer = self.thinker.poll() if self.thinker is not None and self._asked is not None else None
        if isinstance(answer, Choice) and self._asked is not None:
            self._choices[self._asked], self._asked = answer.move, None
        elif isinstance(answer, Trouble) and not answer.again:
            page.app.tell(say("computer.gone", problem=answer.sentence))
            return
        self._answer(seats)
        page.refresh()
        self._tick_soon()

    def _ask(self, seat: int) -> None:
        match = self.session.match
        if self.thinker is None:
            self.thinker = Thinker()
        self._asked = seat
        view = match.game.view(match.state, seat)
        seconds = (SECRET - SPARE) / len(self.session.computers) if self.session.telltale else SECONDS
        if match.clock is not None:
            seconds = min(seconds, match.clock.allowance(seat))
        kind, budget = match.seats[seat].kind, Budget(seconds=seconds)
        self.thinker.ask(match.game, view, kind, seat=seat, seed=match.seed + seat, budget=budget)

    def _answer(self, seats: Sequence[int]) -> None:
        """Makes the choices when it is time."""
        page, now = self.page, self.page.app.clock()
        covered = any(widget.covers for widget in page.app.root.floats)
        if page.scene.busy(page.now()) or not self.session.live or covered:
            self._still = None
            return
        if self._still is None:
            self._still = now
        if len(self._choices) < len(seats):
            return
        if self._ready is None:
            self._ready = now
        wait = SECRET if self.session.telltale else PAUSE
        if self.session.telltale:
            wait *= max(1, math.ceil((self._ready - self._still) / wait))
        if now - self._still < wait:
            return
        match, choices = self.session.match, self._choices
        self._state = None
        try:
            for seat in seats:
                # What another has answered just now may leave nothing to answer, or something else.
                if match.state.ask is None or seat not in match.state.ask.seats:
                    continue
                if seat == seats[0] or any(
                    choices[seat] == m.text for m in match.game.moves(match.state, seat)
                ):
                    page.doing.made(match.play(choices[seat], seat))
        except (IllegalMove, RuleFailure) as problem:
            page.app.tell(say("computer.gone", problem=problem))
