"""The band under the line of a match shown again: who stood better, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shibumi3d.search.players import Budget, Choice
from shibumi3d.search.thinker import Thinker, Trouble

from ..board.counsel import ADVISER
from ..ui.canvas import Canvas
from ..ui.core import Still
from ..ui.rect import Rect
from ..ui.style import Style

if TYPE_CHECKING:
    from .screen import Replay

BUDGET = Budget(iterations=400, seconds=1.0)
"""What is thought about each turn."""
TICK = 0.1
"""Seconds between two looks at how far that is."""


class Band(Still):
    """A bar for each turn of a match of two: up for the first seat, down for the second."""

    def __init__(self, screen: Replay) -> None:
        super().__init__("band")
        self.screen = screen
        self.on = False
        self.shares: dict[int, float] = {}
        """How the first seat stood after so many moves, from 0 (lost) to 1 (won)."""
        self._skipped: set[int] = set()
        """Where nothing could be found out."""
        self._thinker: Thinker | None = None
        self._about: int | None = None
        self._ticking = False

    @property
    def possible(self) -> bool:
        """Whether two played, and to the end: nothing of it is secret any more."""
        history = self.screen.history
        return len(self.screen.names) == 2 and bool(history) and history[-1].state.to_move is None

    def toggle(self) -> None:
        """Shows it and finds out what is not known yet, or hides it."""
        self.on = self.possible and not self.on
        if self.on:
            self._next()
        else:
            self.close()
        self.screen.update()

    def close(self) -> None:
        """Nothing more is found out."""
        self._about = None
        if self._thinker is not None:
            self._thinker.close()
            self._thinker = None

    def _next(self) -> None:
        """Asks about the first turn that is not known; the one shown comes before all others."""
        history, first = self.screen.history, self.screen.match.first
        states = [first, *[ply.state for ply in history]]
        result = states[-1].result
        if result is not None:
            self.shares[len(history)] = 1 - result.winners[0] if len(result.winners) == 1 else 0.5
        turns = [n for n, state in enumerate(states[:-1]) if not state.step or not n]
        left = [n for n in turns if n not in self.shares and n not in self._skipped]
        left.sort(key=lambda n: n != self.screen.at_ply)
        if not left:
            self.close()
            return
        self._about = left[0]
        state, game = states[self._about], self.screen.match.game
        if self._thinker is None:
            self._thinker = Thinker()
        past = [game.view(each, state.to_move) for each in states[: self._about] if not each.step]
        self._thinker.ask(
            game,
            game.view(state, state.to_move),
            ADVISER,
            budget=BUDGET,
            past=past if self.screen.facts.recurs else [],
            moves=[move.text for move in game.moves(state)],
        )
        if not self._ticking:
            self._ticking = True
            self.screen.app.later(TICK, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        if self.screen.app.screen is not self.screen or self._thinker is None or self._about is None:
            return
        answer = self._thinker.poll()
        if isinstance(answer, Choice):
            found = answer.analysis
            mean = 1.0 if found.wins_in else 0.0 if found.loses_in else found.mean
            self.shares[self._about] = mean if found.seat == 0 else 1.0 - mean
            self.refresh()
            self._next()
        elif isinstance(answer, Trouble) and not answer.again:
            self._skipped.add(self._about)
            self._next()
        if self._about is not None and not self._ticking:
            self._ticking = True
            self.screen.app.later(TICK, self._tick)

    def paint(self, canvas: Canvas, style: Style) -> None:
        last = len(self.screen.history)
        if not self.on or not last:
            return
        area = self.rect
        canvas.rule(area.x, area.cy, area.w, style.hairline)
        known = sorted(self.shares)
        for number, after in zip(known, [*known[1:], last], strict=True):
            x, end = (area.x + area.w * each / last for each in (number, max(after, number)))
            high = (self.shares[number] - 0.5) * area.h
            wide = max(2.0, min(end - x, area.w / last * max(1, after - number)) - 1)
            if number == last:
                x, wide = area.right - 2, 2.0
            colour = style.action if high > 0 else style.amber
            if abs(high) >= 0.5:
                canvas.rect(Rect(x, area.cy - max(high, 0.0), wide, abs(high)), colour)
