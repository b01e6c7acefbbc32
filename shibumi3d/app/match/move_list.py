"""List of the turns played in a match, with variations."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from shibumi3d import wording
from shibumi3d.i18n import _, language, ngettext
from shibumi3d.match.history import Ply
from shibumi3d.match.marbles import events_of, marble_state
from shibumi3d.match.match import Match
from shibumi3d.match.special_moves import SPECIAL_MOVES, SWAP, is_swapped
from shibumi3d.rules.marbles import event as ev
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.turn_descriptions import describe_turn_parts
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import OUTSIDE_MOVE_TEXTS

from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.icons import draw_marble
from ..ui.list_view import SCROLL_BAR_SPACE_PX, ListView
from .marble_view.boards import BoardsPage

MARBLE_WIDTH_PX, MOVE_GAP_PX = 15.0, 8.0
"""Width of a marble with the space after it, and space after each part of a move, in logical pixels."""


class _Place(NamedTuple):
    """Place of an entry in the list: its line and its column. The column is -1 if the entry fills the whole line."""

    line: int
    column: int


class MoveList(ListView):
    """List of the turns of a match, with headings for rounds and a tree of variations.

    If the match has two seats, each seat has a column. A turn whose description doesn't fit in its column takes up a
    whole line.

    Turns that have been undone are drawn paler. Each variation has a line below the turn that it replaces.

    A click on a turn calls ``on_turn_click`` with the number of moves made up to its end. A click on a variation calls
    ``on_variation_click`` with the index of the variation.
    """

    SEAT_SIGN_X_PX, TEXT_X_PX, RIGHT_MARGIN_PX = 54.0, 70.0, 16.0
    """Distances of a seat's symbol and of the text from the left edge of a line, and of the text from the right edge.

    They are in logical pixels.
    """
    COLUMN_SEAT_SIGN_X_PX, COLUMN_TEXT_X_PX, COLUMN_RIGHT_MARGIN_PX = 36.0, 48.0, 4.0
    """Distances of a seat's symbol and of the text from the left edge of a column, and of the text from the right edge.

    They are in logical pixels.
    """
    numbers_every_line = False
    """Whether every line shows its turn number, rather than only the first line of each turn."""

    def __init__(
        self,
        match: Match,
        row_height: float,
        on_turn_click: Callable[[int], None],
        on_variation_click: Callable[[int], None],
    ) -> None:
        super().__init__(row_height, self._paint_row, self._on_row_click, name="moves")
        self.match = match
        self._on_turn_click, self._on_variation_click = on_turn_click, on_variation_click
        self.rows: list[int | str] = []
        """Content of each entry: the index of a turn, -1 minus the index of a variation, or a heading."""
        self.turns: list[tuple[int, int, int, int]] = []
        """For each turn: its number, its seat, the index of its first move, and the index after its last move."""
        self.all_plies: tuple[Ply, ...] = ()
        """All moves, including those undone."""
        self._places: list[_Place] = []
        self._update_count = 0
        """Number of updates so far, so that :meth:`paint_key` changes with each update."""

    def paint_key(self) -> object:
        return *self.paint_state(), self._update_count, self.hidden_plies()

    def hidden_plies(self) -> frozenset[int]:
        """Return the indices of the moves that are hidden from the viewer."""
        raise NotImplementedError

    def turn_spans(self) -> list[tuple[int, int, int, int]]:
        """Return the turns that the list shows, in the format of :attr:`turns`."""
        raise NotImplementedError

    def on_row_hover(self, row: int) -> None:
        """Handle the pointer moving over the entry with index ``row``, or off all entries if ``row`` is -1."""
        raise NotImplementedError

    def turn_width(self, turn_index: int) -> float:
        """Return the width of a turn's description, as drawn by :meth:`paint_turn`, in logical pixels."""
        raise NotImplementedError

    def paint_turn(self, canvas: Canvas, style: Style, area: Rect, turn_index: int) -> None:
        """Draw the description of a turn in ``area``."""
        raise NotImplementedError

    def paint_variation(self, canvas: Canvas, style: Style, rect: Rect, variation: int) -> None:
        """Draw the description of a variation, to the right of its branch in the tree."""
        raise NotImplementedError

    def update(self, current_ply: int) -> None:
        """Reload the turns and select the one that contains move ``current_ply``, counted from 1; 0 selects none."""
        self._update_count += 1
        match = self.match
        self.all_plies = match.plies + match.undone
        self.turns = self.turn_spans()
        ends = [last for _, _, _, last in self.turns]
        leaving = [
            next((i for i, last in enumerate(ends) if after < last), len(ends) - 1)
            for after, _ in match.variations
        ]
        self.rows, heading, current_row = [], "", -1
        for number, (_unused, _unused, first, last) in enumerate(self.turns):
            round_line = match.game.describe_round(
                self.all_plies[first - 1].state if first else match.initial_state, language()
            )
            if round_line != heading:
                self.rows.append(round_line)
                heading = round_line
            current_row = len(self.rows) if first < current_ply <= last else current_row
            self.rows += [
                number,
                *(-1 - variation for variation, left in enumerate(leaving) if left == number),
            ]
        self._place_entries()
        self.set_rows(len(self.rows), current_row)

    def layout(self, rect: Rect) -> None:
        before = self.rect
        super().layout(rect)
        if before.w != rect.w:
            self._place_entries()
        if (before.w, before.h) != (rect.w, rect.h):
            # The size has changed: keep the current line visible.
            self._clamp_scroll()

    # Columns

    @property
    def _column_width(self) -> float:
        return (self.rect.w - SCROLL_BAR_SPACE_PX) / 2

    def _place_entries(self) -> None:
        has_columns = len(self.match.seats) == 2 and self.rect.w > 0
        room = self._column_width - self.COLUMN_TEXT_X_PX - self.COLUMN_RIGHT_MARGIN_PX
        self._places, line, last_column = [], -1, -1
        for entry in self.rows:
            fits = (
                has_columns and not isinstance(entry, str) and entry >= 0 and self.turn_width(entry) <= room
            )
            column = self.turns[entry][1] if fits and not isinstance(entry, str) else -1
            # The second seat's turn goes beside the first seat's turn before it.
            line += not (column == 1 and last_column == 0)
            self._places.append(_Place(line, column))
            last_column = column

    def _line_of(self, row: int) -> int:
        return self._places[row].line if row < len(self._places) else row

    @property
    def content_height(self) -> float:
        return (self._places[-1].line + 1) * self.row_height if self._places else 0.0

    def row_rect(self, row: int) -> Rect:
        whole = super().row_rect(self._line_of(row))
        column = self._places[row].column if row < len(self._places) else -1
        if column < 0:
            return whole
        return Rect(whole.x + column * self._column_width, whole.y, self._column_width, whole.h)

    def row_at(self, x: float, y: float) -> int:
        line = int((y - self.rect.y + self.offset) // self.row_height)
        return next(
            (
                row
                for row, place in enumerate(self._places)
                if place.line == line and self.row_rect(row).contains(x, y)
            ),
            -1,
        )

    def visible_rows(self) -> range:
        first, last = (int(y // self.row_height) for y in (self.offset, self.offset + self.rect.h))
        lines = [place.line for place in self._places]
        return range(bisect_left(lines, first), bisect_right(lines, last))

    def _reveal_current_row(self) -> None:
        if self.current_row >= 0 and self.rect.h > 0:
            self.reveal(self._line_of(self.current_row) * self.row_height, self.row_height)

    def _on_row_click(self, row: int) -> None:
        number = self.rows[row]
        if isinstance(number, str):
            return
        if number < 0:
            self._on_variation_click(-1 - number)
        else:
            self._on_turn_click(self.turns[number][3])

    def on_pointer_move(self, x: float, y: float) -> None:
        super().on_pointer_move(x, y)
        self.on_row_hover(self.row_at(x, y))

    def on_pointer_leave(self) -> None:
        super().on_pointer_leave()
        self.on_row_hover(-1)

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        number = self.rows[row]
        if isinstance(number, str):
            canvas.text_in(
                Rect(rect.x + 8, rect.y, rect.w - 20, rect.h), number, style.ink, "bold", SMALL_TEXT_PX
            )
            return
        in_column = self._places[row].column >= 0
        box = rect.inset(1 if in_column else 6, 1)
        if row == self.current_row:
            canvas.rect(box, style.recessed, CORNER_RADIUS_PX)
        elif is_hovered:
            canvas.rect(box, style.hover, CORNER_RADIUS_PX)
        left = rect.x + (self.COLUMN_SEAT_SIGN_X_PX if in_column else self.SEAT_SIGN_X_PX)
        if number < 0:
            canvas.hairline(left, rect.y, rect.h / 2, style.tertiary_ink, vertical=True)
            canvas.hairline(left, rect.cy, 10, style.tertiary_ink)
            self.paint_variation(canvas, style, rect, -1 - number)
            return
        turn, seat, first, _ = self.turns[number]
        if self.numbers_every_line or not first or self.all_plies[first - 1].turn != turn:
            place = Rect(rect.x + (0 if in_column else 12), rect.y, 26, rect.h)
            canvas.text_in(place, str(turn + 1), style.secondary_ink, "sans", SMALL_TEXT_PX, 1)
        icons.draw_seat_symbol(canvas, seat, left, rect.cy, style.secondary_ink, 5)
        start = self.COLUMN_TEXT_X_PX if in_column else self.TEXT_X_PX
        margin = self.COLUMN_RIGHT_MARGIN_PX if in_column else self.RIGHT_MARGIN_PX
        self.paint_turn(canvas, style, Rect(rect.x + start, rect.y, rect.w - start - margin, rect.h), number)


class MarbleMoveList(MoveList):
    """List of the turns of a match with marbles.

    When the pointer moves over a row, the ``on_row_hover`` callback passed to the constructor is called with the area
    and the description of the row. When the pointer leaves the rows, the callback is called with None.
    """

    numbers_every_line = True
    strikes_undone = False
    """Whether variations and turns that have been undone are struck through, because they were wrong."""

    def __init__(
        self,
        page: BoardsPage,
        on_turn_click: Callable[[int], None],
        on_variation_click: Callable[[int], None],
        on_row_hover: Callable[[tuple[Rect, str] | None], None] = lambda word: None,
    ) -> None:
        super().__init__(page.match, 28, on_turn_click, on_variation_click)
        self.page, self._on_row_hover = page, on_row_hover
        self._turn_widths: dict[tuple[int, int, bool], tuple[tuple[Ply, ...], float]] = {}
        """Cached widths of turns, each with the moves for which it was measured.

        The key consists of the index of the first move, the index after the last, and whether any move is hidden.
        """

    def turn_spans(self) -> list[tuple[int, int, int, int]]:
        turns: list[tuple[int, int, int, int]] = []
        for number, ply in enumerate(self.all_plies):
            continues = bool(turns) and (ply.turn, ply.seat) == turns[-1][:2]
            if continues and self.all_plies[number - 1].move != SWAP:
                turns[-1] = (*turns[-1][:3], number + 1)
            else:
                turns.append((ply.turn, ply.seat, number, number + 1))
        return turns

    def hidden_plies(self) -> frozenset[int]:
        return self.page.snapshot.hidden_plies

    def on_row_hover(self, row: int) -> None:
        text = self.describe_turn_row(row) if row >= 0 else ""
        self._on_row_hover((self.row_rect(row), text) if row >= 0 else None)

    def describe_turn_row(self, row: int) -> str:
        """Return a description of the turn in a row of the list, or "" for a heading or a secret turn.

        For a variation, describe its first turn.
        """
        match = self.match
        number = self.rows[row]
        if isinstance(number, str):
            return ""
        if number < 0:
            after, line = match.variations[-1 - number]
            return _(
                "Variation – {told}",
                told=self._describe_plies(line[: _first_turn_length(line)], self._names_at(after)),
            )
        _unused, _unused, first, last = self.turns[number]
        if not self.page.visible_position.unrevealed_plies.isdisjoint(range(first, last)):
            return ""
        return self._describe_plies(self.all_plies[first:last], self._names_at(first))

    def _names_at(self, ply_index: int) -> Sequence[str]:
        """Return the names of the players by seat, as they were before the move with index ``ply_index``."""
        match = self.match
        then = any(ply.move == SWAP for ply in self.all_plies[:ply_index])
        names = match.names
        return names if then == is_swapped(match) else names[::-1]

    def _describe_plies(self, plies: Sequence[Ply], names: Sequence[str]) -> str:
        """Return a description of the moves, limited to what is public."""
        if not plies:
            return ""
        if plies[0].move == SWAP:
            return _("{who} swaps seats", who=names[plies[0].seat])
        events = self._public_events(plies)
        return sentences.describe_turn(
            marble_state(plies[-1].state), plies[0].seat, events, language(), names, detailed=True
        )

    def _public_events(self, plies: Sequence[Ply]) -> Sequence[ev.Event]:
        return self.page.visible_position.public_events(events_of(plies))

    def paint_variation(self, canvas: Canvas, style: Style, rect: Rect, variation: int) -> None:
        _, line = self.match.variations[variation]
        last = _first_turn_length(line)
        parts = self._move_parts(line[:last], self._names_at(self.match.variations[variation][0]))
        area = Rect(rect.x + self.TEXT_X_PX, rect.y, rect.w - self.TEXT_X_PX - self.RIGHT_MARGIN_PX, rect.h)
        x = self._paint_move(canvas, style, area, area.x, parts, True)
        self._paint_strike(canvas, style, area, x)
        if len(line) > last and x < rect.right - 30:
            more = ngettext("+ {n} turn", "+ {n} turns", len({ply.turn for ply in line[last:]}))
            canvas.text_in(
                Rect(x, rect.y, rect.right - 16 - x, rect.h), more, style.tertiary_ink, "sans", SMALL_TEXT_PX
            )

    def _move_parts(self, plies: Sequence[Ply], names: Sequence[str]) -> list[tuple[int, str]]:
        """Return what the moves of a turn did, as pairs of a colour index and a text.

        A marble of the colour is drawn before the text. If the index is -1, there is no marble. Only what everybody may
        know is described. If that is nothing, the pairs are made from the notation of the turn's last move.
        """
        tokens: list[tuple[int, str]] = []
        played = [ply for ply in plies if ply.move not in SPECIAL_MOVES]
        if played:
            parts = describe_turn_parts(
                marble_state(played[-1].state),
                played[0].seat,
                self._public_events(played),
                language(),
                names,
            )
            tokens = [(part.colour, part.text_beside_marble or part.text) for part in parts]
            tokens = tokens or wording.move_tokens(played[-1].move.replace(f"seat{played[-1].seat + 1}.", ""))
        tokens += [(-1, _(OUTSIDE_MOVE_TEXTS[ply.move])) for ply in plies if ply.move in SPECIAL_MOVES]
        # No comma is needed before a marble.
        commas = ["," if colour < 0 else "" for colour, _words in tokens[1:]]
        return [(colour, text + comma) for (colour, text), comma in zip(tokens, [*commas, ""], strict=False)]

    def turn_width(self, turn_index: int) -> float:
        _unused, _unused, first, last = self.turns[turn_index]
        plies, hidden = self.all_plies[first:last], self.hidden_plies()
        is_hidden = not hidden.isdisjoint(range(first, last))
        known = self._turn_widths.get((first, last, is_hidden))
        if known is not None and all(ply is before for ply, before in zip(plies, known[0], strict=True)):
            return known[1]
        canvas = self.page.app.canvas
        canvas.scale = self.page.app.scale
        width = canvas.text_width(_("secret move"), "italic", 14) + MOVE_GAP_PX if is_hidden else 0.0
        shown = [self.all_plies[each] for each in range(first, last) if each not in hidden]
        for colour, text in self._move_parts(shown, self._names_at(first)):
            width += (
                (MARBLE_WIDTH_PX if colour >= 0 else 0.0) + canvas.text_width(text, "sans", 14) + MOVE_GAP_PX
            )
        width -= MOVE_GAP_PX
        self._turn_widths[first, last, is_hidden] = plies, width
        return width

    def paint_turn(self, canvas: Canvas, style: Style, area: Rect, turn_index: int) -> None:
        _unused, _unused, first, last = self.turns[turn_index]
        ahead = first >= self.match.cursor
        x = area.x
        hidden = self.hidden_plies()
        if not hidden.isdisjoint(range(first, last)):
            x += canvas.text_in(area, _("secret move"), style.secondary_ink, "italic", 14) + MOVE_GAP_PX
        shown = [self.all_plies[each] for each in range(first, last) if each not in hidden]
        x = self._paint_move(canvas, style, area, x, self._move_parts(shown, self._names_at(first)), ahead)
        if ahead:
            self._paint_strike(canvas, style, area, x)

    def _paint_strike(self, canvas: Canvas, style: Style, area: Rect, end: float) -> None:
        if self.strikes_undone:
            canvas.rect(Rect(area.x - 4, area.cy - 0.75, end - area.x, 1.5), style.secondary_ink)

    @staticmethod
    def _paint_move(
        canvas: Canvas, style: Style, area: Rect, x: float, parts: Sequence[tuple[int, str]], is_undone: bool
    ) -> float:
        """Draw the parts of a move, starting at ``x``; return the x position after the last part drawn.

        ``parts`` are pairs as returned by :meth:`_move_parts`. Drawing stops when ``area`` is full; the last text drawn
        may be cut off with an ellipsis.
        """
        for colour, text in parts:
            wide = (MARBLE_WIDTH_PX if colour >= 0 else 0.0) + canvas.text_width(text, "sans", 14)
            if x + wide > area.right and x > area.right - 14:
                return x
            if colour >= 0:
                draw_marble(canvas, style, x + 5, area.cy, 5, colour, 0.5 if is_undone else 1.0)
                x += MARBLE_WIDTH_PX
            place = Rect(x, area.y, area.right - x, area.h)
            ink = style.secondary_ink if is_undone else style.ink
            x += canvas.text_in(place, text, ink, "sans", 14) + MOVE_GAP_PX
        return x


def _first_turn_length(plies: Sequence[Ply]) -> int:
    return next((n for n, ply in enumerate(plies) if ply.turn != plies[0].turn), len(plies))
