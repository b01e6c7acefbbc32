"""Computers at a table of any kind: they think beside the window, and answer after a moment that is always the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shibumi3d.rules.errors import IllegalMove, RuleFailure
from shibumi3d.search.players import Budget, Choice
from shibumi3d.search.thinker import Thinker, Trouble

from ..text import say

if TYPE_CHECKING:
    from .screen import TablePlay

PAUSE = 0.5
"""Seconds for which nothing has moved before a computer answers."""
TICK = 0.05
SECONDS = 5.0
"""The most that is thought about one choice."""


class Thinking:
    """The seats that computers play. Only what such a seat may know goes to the process that thinks."""

    def __init__(self, page: TablePlay) -> None:
        self.page, self.session = page, page.session
        self.thinker: Thinker | None = None
        self._asked: tuple[Any, int] | None = None
        self._choice: Choice | None = None
        self._still: float | None = None
        self._ticking = False

    def update(self) -> None:
        """The match is elsewhere."""
        if self.session.thinking is not None and not self._ticking:
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
        if page.app.screen is not page or seat is None:
            return
        state = self.session.match.state
        if self._asked is None or self._asked[0] is not state or self._asked[1] != seat:
            self._ask(state, seat)
        answer = self.thinker.poll() if self.thinker is not None else None
        if isinstance(answer, Choice):
            self._choice = answer
        elif isinstance(answer, Trouble) and not answer.again:
            page.app.tell(say("computer.gone", problem=answer.sentence))
            return
        self._answer(seat)
        page.refresh()
        self.update()

    def _ask(self, state: Any, seat: int) -> None:
        match = self.session.match
        if self.thinker is None:
            self.thinker = Thinker()
        self._asked, self._choice, self._still = (state, seat), None, None
        view = match.game.view(state, seat)
        budget = Budget(seconds=SECONDS)
        kind = match.seats[seat].kind
        self.thinker.ask(match.game, view, kind, seat=seat, seed=match.seed + seat, budget=budget)

    def _answer(self, seat: int) -> None:
        """Makes the choice when it is time."""
        page, now = self.page, self.page.app.clock()
        covered = any(widget.covers for widget in page.app.root.floats)
        if page.scene.busy(now) or not self.session.live or covered:
            self._still = None
            return
        if self._still is None:
            self._still = now
        if self._choice is None or now - self._still < PAUSE:
            return
        move, self._choice, self._asked = self._choice.move, None, None
        try:
            page.doing.made(self.session.match.play(move, seat))
        except (IllegalMove, RuleFailure) as problem:
            page.app.tell(say("computer.gone", problem=problem))
