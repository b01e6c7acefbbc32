"""The turns played, as a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.match.outside_moves import CLAIM, OUTSIDE, SWAP, swapped
from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.texts import listed

from ..marbles import words
from ..text import language, say
from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.listing import Listing
from ..ui.marble import marble
from ..ui.rect import Rect
from ..ui.style import RADIUS, SMALL, Style
from .screen import BoardScreen


class MoveList(Listing):
    """The turns played, one a line, and below a turn what was played instead of it, as a tree.

    ``shown`` is told the number of plies at the end of the line clicked, ``taken`` the number of the variation.
    ``met`` is told what a line says in words when the pointer is on it.
    """

    def __init__(
        self,
        screen: BoardScreen,
        shown: Callable[[int], None],
        taken: Callable[[int], None],
        met: Callable[[tuple[Rect, str] | None], None] = lambda word: None,
    ) -> None:
        super().__init__(28, self._paint_row, self._choose, name="moves")
        self.screen = screen
        self._shown, self._taken, self._met = shown, taken, met
        self.rows: list[int] = []
        """Of each line: the number of a turn, or -1, -2 and so on for the variations."""
        self.turns: list[tuple[int, int, int, int]] = []
        """Of each turn: its number, its seat, its first ply and the one after its last."""

    _made = 0
    """How often it was filled."""

    def content(self) -> object:
        return *self.looks(), self._made, self.screen.sight.hidden

    def update(self, plies: Sequence[object], current: int) -> None:
        """Lists ``plies``; the line that holds ply number ``current`` (counted from 1) is marked."""
        self.turns = []
        self._made += 1
        every = self.screen.match.plies + self.screen.match.undone
        for number, ply in enumerate(every):
            same = bool(self.turns) and (ply.turn, ply.seat) == self.turns[-1][:2]
            if same and every[number - 1].move != SWAP:
                turn, seat, first, _ = self.turns[-1]
                self.turns[-1] = (turn, seat, first, number + 1)
            else:
                self.turns.append((ply.turn, ply.seat, number, number + 1))
        turn_now = next(
            (i for i, (_, _, first, last) in enumerate(self.turns) if first < current <= last), -1
        )
        leaving = [
            next((i for i, (_, _, _, last) in enumerate(self.turns) if after < last), len(self.turns) - 1)
            for after, _ in self.screen.match.variations
        ]
        self.rows = []
        for turn in range(len(self.turns)):
            self.rows += [turn, *(-1 - number for number, left in enumerate(leaving) if left == turn)]
        self.fill(len(self.rows), self.rows.index(turn_now) if turn_now >= 0 else -1)

    def _choose(self, row: int) -> None:
        if self.rows[row] < 0:
            self._taken(-1 - self.rows[row])
        else:
            self._shown(self.turns[self.rows[row]][3])

    def move(self, x: float, y: float) -> None:
        super().move(x, y)
        row = self.row_at(x, y)
        self._met((self.row_rect(row), self.sentence(row)) if row >= 0 else None)

    def leave(self) -> None:
        super().leave()
        self._met(None)

    def sentence(self, row: int) -> str:
        """What happened in the turn of that line, in words; empty where that may not be read."""
        match = self.screen.match
        if self.rows[row] < 0:
            after, line = match.variations[-1 - self.rows[row]]
            return say("moves.instead", told=self._sentence(line[: _first_turn(line)], self._names(after)))
        _, _, first, last = self.turns[self.rows[row]]
        if any(self.screen.masked(number) for number in range(first, last)):
            return ""
        return self._sentence((match.plies + match.undone)[first:last], self._names(first))

    def _names(self, number: int) -> Sequence[str]:
        """Who sat where when move number ``number`` was made."""
        match = self.screen.match
        then = any(ply.move == SWAP for ply in (match.plies + match.undone)[:number])
        names = [seat.name for seat in match.seats]
        return names if then == swapped(match) else names[::-1]

    def _sentence(self, plies: Sequence[Ply], names: Sequence[str]) -> str:
        """What moves did, as everybody may know it."""
        if not plies:
            return ""
        if plies[0].move == SWAP:
            return say("moves.swapped", who=names[plies[0].seat])
        events = self.screen.all_know([event for ply in plies for event in ply.events])
        return sentences.told(plies[-1].state, plies[0].seat, events, language(), names)

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        if self.rows[row] >= 0:
            self._paint_turn(canvas, style, rect, row, here)
            return
        _, line = self.screen.match.variations[-1 - self.rows[row]]
        if here:
            canvas.rect(rect.inset(6, 1), style.hover, RADIUS)
        left, last = rect.x + 54, _first_turn(line)
        canvas.rule(left, rect.y, rect.h / 2, style.faint, upright=True)
        canvas.rule(left, rect.cy, 10, style.faint)
        x = rect.x + 70
        for number in range(last):
            x = self._paint_move(canvas, style, rect, x, self._told(line, number, 0, last), True)
        if len(line) > last and x < rect.right - 30:
            more = say("moves.more", len({ply.turn for ply in line[last:]}))
            canvas.text_in(Rect(x, rect.y, rect.right - 16 - x, rect.h), more, style.faint, "sans", SMALL)

    @staticmethod
    def _told(plies: Sequence[Ply], number: int, first: int, last: int) -> list[tuple[int, str]]:
        """A move as (colour index or -1, text). A number that only says which shape is laid next is left out."""
        ply = plies[number]
        if ply.move in OUTSIDE:
            told = say("moves.swaps") if ply.move == SWAP else say("moves.time-up")
            return [(-1, say("moves.claims") if ply.move == CLAIM else told)]
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
        turn, seat, first, last = self.turns[self.rows[row]]
        ahead = first >= self.screen.match.cursor
        if row == self.current:
            canvas.rect(rect.inset(6, 1), style.sunk, RADIUS)
        elif here:
            canvas.rect(rect.inset(6, 1), style.hover, RADIUS)
        canvas.text_in(Rect(rect.x + 12, rect.y, 26, rect.h), f"{turn + 1}", style.soft, "sans", SMALL, 1)
        icons.sign(canvas, seat, rect.x + 54, rect.cy, style.soft, 5)
        x = rect.x + 70
        plies = self.screen.match.plies + self.screen.match.undone
        hidden = self.screen.sight.hidden
        if not hidden.isdisjoint(range(first, last)):
            area = Rect(x, rect.y, rect.right - 16 - x, rect.h)
            x += canvas.text_in(area, say("in-secret"), style.soft, "italic", 14) + 8
        for number in range(first, last):
            if number in hidden:
                continue
            x = self._paint_move(canvas, style, rect, x, self._told(plies, number, first, last), ahead)

    @staticmethod
    def _paint_move(
        canvas: Canvas, style: Style, rect: Rect, x: float, told: Sequence[tuple[int, str]], ahead: bool
    ) -> float:
        """Paints a move from ``x`` on, as far as there is room, and returns where it ends."""
        for colour, text in told:
            if x > rect.right - 30:
                return x
            if colour >= 0:
                marble(canvas, style, x + 5, rect.cy, 5, colour, 0.5 if ahead else 1.0)
                x += 15
            area = Rect(x, rect.y, rect.right - 16 - x, rect.h)
            x += canvas.text_in(area, text, style.soft if ahead else style.ink, "sans", 14) + 8
        return x


def _first_turn(plies: Sequence[Ply]) -> int:
    """How many of the moves are of one turn."""
    return next((n for n, ply in enumerate(plies) if ply.turn != plies[0].turn), len(plies))
