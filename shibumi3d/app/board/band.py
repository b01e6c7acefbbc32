"""The band under the line of a match shown again: who stood better, turn by turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import TYPE_CHECKING

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style
from shibumi3d.search.players import Budget, Choice
from shibumi3d.search.thinker import Thinker, Trouble

from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.core import Still
from .adviser import ADVISER

if TYPE_CHECKING:
    from .stand import Retold

BUDGET = Budget(iterations=400, seconds=1.0)
"""What is thought about each turn."""
TICK = 0.1
"""Seconds between two looks at how far that is."""
SIGN = 4.0
"""Half the height of a seat's sign."""
FOOT = 3.0
"""What is left free below bars that stand on a line."""


class Band(Still):
    """A bar for each turn. In a match of two it goes up for the first seat and down for the second; among more it is as
    high as the one that stands best stands, whose sign is there where that is another one than before."""

    def __init__(self, screen: Retold) -> None:
        super().__init__("band")
        self.screen = screen
        self.on = False
        self.stood: dict[int, tuple[int, float]] = {}
        """After so many moves: how one seat stood, from 0 (lost) to 1 (won)."""
        self._skipped: set[int] = set()
        """Where nothing could be found out."""
        self._thinker: Thinker | None = None
        self._about: int | None = None
        self._ticking = False

    @property
    def possible(self) -> bool:
        """Whether several played, and to the end: nothing of it is secret any more."""
        history = self.screen.history
        return len(self.screen.names) > 1 and bool(history) and history[-1].state.to_move is None

    @property
    def shares(self) -> dict[int, float]:
        """How the first of two seats stood after so many moves."""
        return {n: share if seat == 0 else 1.0 - share for n, (seat, share) in self.stood.items()}

    def best(self) -> dict[int, tuple[int, float]]:
        """After so many moves: the seat that stood best, and how, by what each thought last; from where all did."""
        last: dict[int, float] = {}
        found = {}
        for number, (seat, share) in sorted(self.stood.items()):
            last[seat] = share
            if number == len(self.screen.history):
                found[number] = seat, share
            elif len(last) == len(self.screen.names):
                leader = max(last, key=lambda each: last[each])
                found[number] = leader, last[leader]
        return found

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
            winners = result.winners or range(len(self.screen.names))
            self.stood[len(history)] = winners[0], 1.0 / len(winners)
        turns = [n for n, state in enumerate(states[:-1]) if not state.step or not n]
        left = [n for n in turns if n not in self.stood and n not in self._skipped]
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
            past=past if self.screen.stand.recurs else [],
            moves=[move.text for move in game.moves(state)],
        )
        if not self._ticking:
            self._ticking = True
            self.screen.app.later(TICK, self._tick)

    def _tick(self) -> None:
        self._ticking = False
        if not self.screen.on_window or self._thinker is None or self._about is None:
            return
        answer = self._thinker.poll()
        if isinstance(answer, Choice):
            found = answer.analysis
            if found.iterations or found.mean != 0.5:
                self.stood[self._about] = found.seat, found.mean
            else:  # where there is one choice nobody looked what comes of it
                self._skipped.add(self._about)
            self.refresh()
            self._next()
        elif isinstance(answer, Trouble) and not answer.again:
            self._skipped.add(self._about)
            self._next()
        if self._about is not None and not self._ticking:
            self._ticking = True
            self.screen.app.later(TICK, self._tick)

    def paint(self, canvas: Canvas, style: Style) -> None:
        if not self.on or not self.screen.history:
            return
        if len(self.screen.names) == 2:
            self._paint_two(canvas, style)
        else:
            self._paint_leaders(canvas, style)

    def _bars(self, known: Iterable[int]) -> Iterator[tuple[int, float, float]]:
        """For each number of moves where it begins on the line, and how wide its bar is: up to the next one."""
        area, last, numbers = self.rect, len(self.screen.history), sorted(known)
        for number, after in zip(numbers, [*numbers[1:], last], strict=True):
            x, end = (area.x + area.w * each / last for each in (number, max(after, number)))
            wide = max(2.0, min(end - x, area.w / last * max(1, after - number)) - 1)
            yield (number, area.right - 2, 2.0) if number == last else (number, x, wide)

    def _paint_two(self, canvas: Canvas, style: Style) -> None:
        area, shares = self.rect, self.shares
        canvas.rule(area.x, area.cy, area.w, style.hairline)
        for number, x, wide in self._bars(shares):
            high = (shares[number] - 0.5) * area.h
            if abs(high) >= 0.5:
                colour = style.action if high > 0 else style.amber
                canvas.rect(Rect(x, area.cy - max(high, 0.0), wide, abs(high)), colour)

    def _paint_leaders(self, canvas: Canvas, style: Style) -> None:
        _, area = self.rect.cut_bottom(FOOT)
        canvas.rule(area.x, area.bottom, area.w, style.hairline)
        best, colours = self.best(), cycle((style.action, style.amber))
        leader, colour, free = -1, style.action, area.x
        for number, x, wide in self._bars(best):
            seat, share = best[number]
            changed, leader = seat != leader, seat
            if changed:
                colour = next(colours)
            high = share * area.h
            if high >= 0.5:
                canvas.rect(Rect(x, area.bottom - high, wide, high), colour)
            if changed and x >= free:
                icons.sign(canvas, seat, x + SIGN, area.cy, style.ink, SIGN)
                free = x + 3 * SIGN
