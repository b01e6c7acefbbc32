"""The turns played, as a list."""

from __future__ import annotations

from collections.abc import Sequence

from shibumi3d.match.match import CLAIM, Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.texts import listed

from .. import words
from ..text import language, say
from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.listing import Listing
from ..ui.marble import marble
from ..ui.rect import Rect
from ..ui.style import RADIUS, SMALL, Style
from .screen import BoardScreen


class MoveList(Listing):
    """The turns played, one a line. ``shown`` is told the number of plies at the end of the line clicked."""

    def __init__(self, screen: BoardScreen, shown: object) -> None:
        super().__init__(28, self._paint_turn, self._choose, name="moves")
        self.screen = screen
        self._shown = shown
        self.turns: list[tuple[int, int, int, int]] = []
        """Of each turn: its number, its seat, its first ply and the one after its last."""

    def update(self, plies: Sequence[object], current: int) -> None:
        """Lists ``plies``; the line that holds ply number ``current`` (counted from 1) is marked."""
        self.turns = []
        for number, ply in enumerate(self.screen.match.plies + self.screen.match.undone):
            if self.turns and ply.turn == self.turns[-1][0] and ply.seat == self.turns[-1][1]:
                turn, seat, first, _ = self.turns[-1]
                self.turns[-1] = (turn, seat, first, number + 1)
            else:
                self.turns.append((ply.turn, ply.seat, number, number + 1))
        row = next((i for i, (_, _, first, last) in enumerate(self.turns) if first < current <= last), -1)
        self.fill(len(self.turns), row)

    def _choose(self, row: int) -> None:
        if callable(self._shown):
            self._shown(self.turns[row][3])

    @staticmethod
    def _told(plies: Sequence[Ply], number: int, first: int, last: int) -> list[tuple[int, str]]:
        """A move as (colour index or -1, text). A number that only says which shape is laid next is left out."""
        ply = plies[number]
        if ply.move == CLAIM:
            return [(-1, say("moves.claims"))]
        if ply.move == "done" and number > first:
            return []  # the next line tells as much
        if number == first and ply.move.isdecimal():
            shape = number + 1 < last and "+" in plies[number + 1].move
            return [] if shape else [(-1, say("moves.chooses", number=ply.move))]
        if "+" in ply.move:
            colours = [event.colour for event in ply.events if isinstance(event, ev.Placed)]
            return [(colours[0] if colours else -1, listed(ply.move.split("+"), language()))]
        return words.tokens(ply.move.replace(f"seat{ply.seat + 1}.", ""))

    def _paint_turn(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        turn, seat, first, last = self.turns[row]
        ahead = first >= self.screen.match.cursor
        ink = style.soft if ahead else style.ink
        if row == self.current:
            canvas.rect(rect.inset(6, 1), style.sunk, RADIUS)
        elif here:
            canvas.rect(rect.inset(6, 1), style.hover, RADIUS)
        canvas.text_in(Rect(rect.x + 12, rect.y, 26, rect.h), f"{turn + 1}", style.soft, "sans", SMALL, 1)
        icons.sign(canvas, seat, rect.x + 54, rect.cy, style.soft, 5)
        x = rect.x + 70
        plies = self.screen.match.plies + self.screen.match.undone
        if any(self.screen.masked(number) for number in range(first, last)):
            area = Rect(x, rect.y, rect.right - 16 - x, rect.h)
            x += canvas.text_in(area, say("in-secret"), style.soft, "italic", 14) + 8
        for number in range(first, last):
            if self.screen.masked(number):
                continue
            for colour, text in self._told(plies, number, first, last):
                if x > rect.right - 30:
                    return
                if colour >= 0:
                    marble(canvas, style, x + 5, rect.cy, 5, colour, 0.5 if ahead else 1.0)
                    x += 15
                area = Rect(x, rect.y, rect.right - 16 - x, rect.h)
                x += canvas.text_in(area, text, ink, "sans", 14) + 8
