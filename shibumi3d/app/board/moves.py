"""List of the turns played in a match, with variations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from shibumi3d.app.wording import BEYOND_TOLD
from shibumi3d.i18n import _, language, ngettext
from shibumi3d.match.match import Match
from shibumi3d.match.outside_moves import OUTSIDE, SWAP, swapped
from shibumi3d.match.ply import Ply
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.turns import turn_parts
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style

from ..marbles import words
from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.listing import Listing
from ..ui.marble import marble
from .screen import BoardScreen


class Moves(Listing):
    """List of the turns of a match, with headings for rounds and a tree of variations.

    Turns that have been undone are drawn paler. Each variation has a line below the turn that it replaces.

    A click on a turn calls ``shown`` with the number of moves made up to its end. A click on a variation calls
    ``taken`` with the index of the variation.
    """

    LEFT = 54.0
    """Distance of the seats' symbols from the left edge."""
    numbered = False
    """Whether every line shows its turn number, rather than only the first line of each turn."""

    def __init__(
        self, match: Match, high: float, shown: Callable[[int], None], taken: Callable[[int], None]
    ) -> None:
        super().__init__(high, self._paint_row, self._choose, name="moves")
        self.match = match
        self._shown, self._taken = shown, taken
        self.rows: list[int | str] = []
        """Content of each line: the index of a turn, -1 minus that of a variation, or a heading."""
        self.turns: list[tuple[int, int, int, int]] = []
        """For each turn: its number, its seat, its first move, and the move after its last."""
        self.every: tuple[Ply, ...] = ()
        """All moves, including those undone."""
        self._made = 0
        """Number of updates so far, which makes :meth:`content` change with each."""

    def content(self) -> object:
        return *self.looks(), self._made, self.unread()

    def unread(self) -> frozenset[int]:
        """Return the indexes of the moves that are hidden from the viewer."""
        raise NotImplementedError

    def spans(self) -> list[tuple[int, int, int, int]]:
        """Return the turns to list, in the format of :attr:`turns`."""
        raise NotImplementedError

    def pointed(self, row: int) -> None:
        """Handle the pointer entering line ``row``, or leaving the list if ``row`` is -1."""
        raise NotImplementedError

    def paint_line(self, canvas: Canvas, style: Style, rect: Rect, number: int) -> None:
        """Draw the description of a turn, to the right of its seat's symbol."""
        raise NotImplementedError

    def paint_instead(self, canvas: Canvas, style: Style, rect: Rect, variation: int) -> None:
        """Draw the description of a variation, to the right of its branch in the tree."""
        raise NotImplementedError

    def update(self, current: int) -> None:
        """Reload the match and select the line of move number ``current``, counted from 1."""
        self._made += 1
        match = self.match
        self.every = match.plies + match.undone
        self.turns = self.spans()
        ends = [last for _, _, _, last in self.turns]
        leaving = [
            next((i for i, last in enumerate(ends) if after < last), len(ends) - 1)
            for after, _ in match.variations
        ]
        self.rows, begun, here = [], "", -1
        for number, (_unused, _unused, first, last) in enumerate(self.turns):
            now = match.game.round_line(self.every[first - 1].state if first else match.first, language())
            if now != begun:
                self.rows.append(now)
                begun = now
            here = len(self.rows) if first < current <= last else here
            self.rows += [number, *(-1 - each for each, left in enumerate(leaving) if left == number)]
        self.fill(len(self.rows), here)

    def layout(self, rect: Rect) -> None:
        before = self.rect.h
        super().layout(rect)
        if before != rect.h:
            # The height has changed: keep the current line visible.
            self._keep_current()

    def _choose(self, row: int) -> None:
        number = self.rows[row]
        if isinstance(number, str):
            return
        if number < 0:
            self._taken(-1 - number)
        else:
            self._shown(self.turns[number][3])

    def move(self, x: float, y: float) -> None:
        super().move(x, y)
        self.pointed(self.row_at(x, y))

    def leave(self) -> None:
        super().leave()
        self.pointed(-1)

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        number = self.rows[row]
        if isinstance(number, str):
            canvas.text_in(Rect(rect.x + 8, rect.y, rect.w - 20, rect.h), number, style.ink, "bold", SMALL)
            return
        if row == self.current:
            canvas.rect(rect.inset(6, 1), style.sunk, RADIUS)
        elif here:
            canvas.rect(rect.inset(6, 1), style.hover, RADIUS)
        left = rect.x + self.LEFT
        if number < 0:
            canvas.rule(left, rect.y, rect.h / 2, style.faint, upright=True)
            canvas.rule(left, rect.cy, 10, style.faint)
            self.paint_instead(canvas, style, rect, -1 - number)
            return
        turn, seat, first, _ = self.turns[number]
        if self.numbered or not first or self.every[first - 1].turn != turn:
            place = Rect(rect.x + 12, rect.y, 26, rect.h)
            canvas.text_in(place, str(turn + 1), style.soft, "sans", SMALL, 1)
        icons.sign(canvas, seat, left, rect.cy, style.soft, 5)
        self.paint_line(canvas, style, rect, number)


class MoveList(Moves):
    """List of the turns of a match of marbles.

    When the pointer enters a line, ``met`` is called with the area and description of the line. When it leaves, ``met``
    is called with None.
    """

    numbered = True
    struck = False
    """Whether turns that have been undone are struck through, because they were wrong."""

    def __init__(
        self,
        screen: BoardScreen,
        shown: Callable[[int], None],
        taken: Callable[[int], None],
        met: Callable[[tuple[Rect, str] | None], None] = lambda word: None,
    ) -> None:
        super().__init__(screen.match, 28, shown, taken)
        self.screen, self._met = screen, met

    def spans(self) -> list[tuple[int, int, int, int]]:
        found: list[tuple[int, int, int, int]] = []
        for number, ply in enumerate(self.every):
            same = bool(found) and (ply.turn, ply.seat) == found[-1][:2]
            if same and self.every[number - 1].move != SWAP:
                found[-1] = (*found[-1][:3], number + 1)
            else:
                found.append((ply.turn, ply.seat, number, number + 1))
        return found

    def unread(self) -> frozenset[int]:
        return self.screen.sight.hidden

    def pointed(self, row: int) -> None:
        told = self.sentence(row) if row >= 0 else ""
        self._met((self.row_rect(row), told) if row >= 0 else None)

    def sentence(self, row: int) -> str:
        """Return a description of the turn on a line, or an empty string if the turn is secret."""
        match = self.match
        number = self.rows[row]
        if isinstance(number, str):
            return ""
        if number < 0:
            after, line = match.variations[-1 - number]
            return _("Instead: {told}", told=self._sentence(line[: _first_turn(line)], self._names(after)))
        _unused, _unused, first, last = self.turns[number]
        if not self.screen.seen.unread.isdisjoint(range(first, last)):
            return ""
        return self._sentence(self.every[first:last], self._names(first))

    def _names(self, number: int) -> Sequence[str]:
        """Return the names of the players by seat, as they were at move ``number``."""
        match = self.match
        then = any(ply.move == SWAP for ply in self.every[:number])
        names = match.names
        return names if then == swapped(match) else names[::-1]

    def _sentence(self, plies: Sequence[Ply], names: Sequence[str]) -> str:
        """Return a description of the moves, limited to what is public."""
        if not plies:
            return ""
        if plies[0].move == SWAP:
            return _("{who} swaps seats", who=names[plies[0].seat])
        events = self._known(plies)
        return sentences.told(plies[-1].state, plies[0].seat, events, language(), names, detailed=True)

    def _known(self, plies: Sequence[Ply]) -> Sequence[Any]:
        """Return the events of the moves, limited to what is public."""
        return self.screen.seen.all_know([event for ply in plies for event in ply.events])

    def paint_instead(self, canvas: Canvas, style: Style, rect: Rect, variation: int) -> None:
        _, line = self.match.variations[variation]
        last = _first_turn(line)
        told = self._told(line[:last], self._names(self.match.variations[variation][0]))
        x = self._paint_move(canvas, style, rect, rect.x + 70, told, True)
        self._strike(canvas, style, rect, x)
        if len(line) > last and x < rect.right - 30:
            more = ngettext("+ {n} turn", "+ {n} turns", len({ply.turn for ply in line[last:]}))
            canvas.text_in(Rect(x, rect.y, rect.right - 16 - x, rect.h), more, style.faint, "sans", SMALL)

    def _told(self, plies: Sequence[Ply], names: Sequence[str]) -> list[tuple[int, str]]:
        """Return what the moves of a turn did, as pairs of a colour index and a text.

        A marble of the colour is drawn before the text. If the index is -1, there is no marble.
        """
        told: list[tuple[int, str]] = []
        played = [ply for ply in plies if ply.move not in OUTSIDE]
        if played:
            parts = turn_parts(played[-1].state, played[0].seat, self._known(played), language(), names)
            told = [(part.colour, part.beside or part.words) for part in parts]
            told = told or words.tokens(played[-1].move.replace(f"seat{played[-1].seat + 1}.", ""))
        told += [(-1, _(BEYOND_TOLD[ply.move])) for ply in plies if ply.move in OUTSIDE]
        # No comma is needed before a marble.
        commas = ["," if colour < 0 else "" for colour, _words in told[1:]]
        return [(colour, text + comma) for (colour, text), comma in zip(told, [*commas, ""], strict=False)]

    def paint_line(self, canvas: Canvas, style: Style, rect: Rect, number: int) -> None:
        _unused, _unused, first, last = self.turns[number]
        ahead = first >= self.match.cursor
        x = rect.x + 70
        hidden = self.unread()
        if not hidden.isdisjoint(range(first, last)):
            area = Rect(x, rect.y, rect.right - 16 - x, rect.h)
            x += canvas.text_in(area, _("in secret"), style.soft, "italic", 14) + 8
        shown = [self.every[each] for each in range(first, last) if each not in hidden]
        x = self._paint_move(canvas, style, rect, x, self._told(shown, self._names(first)), ahead)
        if ahead:
            self._strike(canvas, style, rect, x)

    def _strike(self, canvas: Canvas, style: Style, rect: Rect, end: float) -> None:
        if self.struck:
            canvas.rect(Rect(rect.x + 66, rect.cy - 0.75, end - rect.x - 70, 1.5), style.soft)

    @staticmethod
    def _paint_move(
        canvas: Canvas, style: Style, rect: Rect, x: float, told: Sequence[tuple[int, str]], ahead: bool
    ) -> float:
        """Draw a move to the right of ``x``, cut off if there is no more room; return where it ends."""
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
    """Return the number of plies in the first turn."""
    return next((n for n, ply in enumerate(plies) if ply.turn != plies[0].turn), len(plies))
