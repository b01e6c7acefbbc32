"""List of the turns played in a match, with variations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
from ..ui.list_view import ListView
from .marble_view.boards import BoardsPage


class MoveList(ListView):
    """List of the turns of a match, with headings for rounds and a tree of variations.

    Turns that have been undone are drawn paler. Each variation has a line below the turn that it replaces.

    A click on a turn calls ``on_turn_click`` with the number of moves made up to its end. A click on a variation calls
    ``on_variation_click`` with the index of the variation.
    """

    SEAT_SIGN_X_PX = 54.0
    """Distance of the seats' symbols from the left edge."""
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
        """Content of each line: the index of a turn, -1 minus that of a variation, or a heading."""
        self.turns: list[tuple[int, int, int, int]] = []
        """For each turn: its number, its seat, its first move, and the move after its last."""
        self.all_plies: tuple[Ply, ...] = ()
        """All moves, including those undone."""
        self._update_count = 0
        """Number of updates so far, which makes :meth:`paint_key` change with each."""

    def paint_key(self) -> object:
        return *self.paint_state(), self._update_count, self.hidden_plies()

    def hidden_plies(self) -> frozenset[int]:
        """Return the indexes of the moves that are hidden from the viewer."""
        raise NotImplementedError

    def turn_spans(self) -> list[tuple[int, int, int, int]]:
        """Return the turns to list, in the format of :attr:`turns`."""
        raise NotImplementedError

    def on_row_hover(self, row: int) -> None:
        """Handle the pointer entering line ``row``, or leaving the list if ``row`` is -1."""
        raise NotImplementedError

    def paint_turn(self, canvas: Canvas, style: Style, rect: Rect, turn_index: int) -> None:
        """Draw the description of a turn, to the right of its seat's symbol."""
        raise NotImplementedError

    def paint_variation(self, canvas: Canvas, style: Style, rect: Rect, variation: int) -> None:
        """Draw the description of a variation, to the right of its branch in the tree."""
        raise NotImplementedError

    def update(self, current_ply: int) -> None:
        """Reload the match and select the line of move number ``current_ply``, counted from 1."""
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
        self.set_rows(len(self.rows), current_row)

    def layout(self, rect: Rect) -> None:
        before = self.rect.h
        super().layout(rect)
        if before != rect.h:
            # The height has changed: keep the current line visible.
            self._clamp_scroll()

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
        if row == self.current_row:
            canvas.rect(rect.inset(6, 1), style.recessed, CORNER_RADIUS_PX)
        elif is_hovered:
            canvas.rect(rect.inset(6, 1), style.hover, CORNER_RADIUS_PX)
        left = rect.x + self.SEAT_SIGN_X_PX
        if number < 0:
            canvas.hairline(left, rect.y, rect.h / 2, style.tertiary_ink, vertical=True)
            canvas.hairline(left, rect.cy, 10, style.tertiary_ink)
            self.paint_variation(canvas, style, rect, -1 - number)
            return
        turn, seat, first, _ = self.turns[number]
        if self.numbers_every_line or not first or self.all_plies[first - 1].turn != turn:
            place = Rect(rect.x + 12, rect.y, 26, rect.h)
            canvas.text_in(place, str(turn + 1), style.secondary_ink, "sans", SMALL_TEXT_PX, 1)
        icons.draw_seat_sign(canvas, seat, left, rect.cy, style.secondary_ink, 5)
        self.paint_turn(canvas, style, rect, number)


class MarbleMoveList(MoveList):
    """List of the turns of a match of marbles.

    When the pointer enters a line, ``on_row_hover`` is called with the area and description of the line. When it
    leaves, ``on_row_hover`` is called with None.
    """

    numbers_every_line = True
    strikes_undone = False
    """Whether turns that have been undone are struck through, because they were wrong."""

    def __init__(
        self,
        page: BoardsPage,
        on_turn_click: Callable[[int], None],
        on_variation_click: Callable[[int], None],
        on_row_hover: Callable[[tuple[Rect, str] | None], None] = lambda word: None,
    ) -> None:
        super().__init__(page.match, 28, on_turn_click, on_variation_click)
        self.page, self._on_row_hover = page, on_row_hover

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
        """Return a description of the turn on a line, or an empty string if the turn is secret."""
        match = self.match
        number = self.rows[row]
        if isinstance(number, str):
            return ""
        if number < 0:
            after, line = match.variations[-1 - number]
            return _(
                "Instead: {told}",
                told=self._describe_plies(line[: _first_turn_length(line)], self._names_at(after)),
            )
        _unused, _unused, first, last = self.turns[number]
        if not self.page.visible_position.unrevealed_plies.isdisjoint(range(first, last)):
            return ""
        return self._describe_plies(self.all_plies[first:last], self._names_at(first))

    def _names_at(self, ply_index: int) -> Sequence[str]:
        """Return the names of the players by seat, as they were at move ``ply_index``."""
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
        """Return the events of the moves, limited to what is public."""
        return self.page.visible_position.public_events(events_of(plies))

    def paint_variation(self, canvas: Canvas, style: Style, rect: Rect, variation: int) -> None:
        _, line = self.match.variations[variation]
        last = _first_turn_length(line)
        parts = self._move_parts(line[:last], self._names_at(self.match.variations[variation][0]))
        x = self._paint_move(canvas, style, rect, rect.x + 70, parts, True)
        self._paint_strike(canvas, style, rect, x)
        if len(line) > last and x < rect.right - 30:
            more = ngettext("+ {n} turn", "+ {n} turns", len({ply.turn for ply in line[last:]}))
            canvas.text_in(
                Rect(x, rect.y, rect.right - 16 - x, rect.h), more, style.tertiary_ink, "sans", SMALL_TEXT_PX
            )

    def _move_parts(self, plies: Sequence[Ply], names: Sequence[str]) -> list[tuple[int, str]]:
        """Return what the moves of a turn did, as pairs of a colour index and a text.

        A marble of the colour is drawn before the text. If the index is -1, there is no marble.
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

    def paint_turn(self, canvas: Canvas, style: Style, rect: Rect, turn_index: int) -> None:
        _unused, _unused, first, last = self.turns[turn_index]
        ahead = first >= self.match.cursor
        x = rect.x + 70
        hidden = self.hidden_plies()
        if not hidden.isdisjoint(range(first, last)):
            area = Rect(x, rect.y, rect.right - 16 - x, rect.h)
            x += canvas.text_in(area, _("in secret"), style.secondary_ink, "italic", 14) + 8
        shown = [self.all_plies[each] for each in range(first, last) if each not in hidden]
        x = self._paint_move(canvas, style, rect, x, self._move_parts(shown, self._names_at(first)), ahead)
        if ahead:
            self._paint_strike(canvas, style, rect, x)

    def _paint_strike(self, canvas: Canvas, style: Style, rect: Rect, end: float) -> None:
        if self.strikes_undone:
            canvas.rect(Rect(rect.x + 66, rect.cy - 0.75, end - rect.x - 70, 1.5), style.secondary_ink)

    @staticmethod
    def _paint_move(
        canvas: Canvas, style: Style, rect: Rect, x: float, parts: Sequence[tuple[int, str]], is_undone: bool
    ) -> float:
        """Draw a move to the right of ``x``, cut off if there is no more room; return where it ends."""
        for colour, text in parts:
            if x > rect.right - 30:
                return x
            if colour >= 0:
                draw_marble(canvas, style, x + 5, rect.cy, 5, colour, 0.5 if is_undone else 1.0)
                x += 15
            area = Rect(x, rect.y, rect.right - 16 - x, rect.h)
            x += canvas.text_in(area, text, style.secondary_ink if is_undone else style.ink, "sans", 14) + 8
        return x


def _first_turn_length(plies: Sequence[Ply]) -> int:
    """Return the number of plies in the first turn."""
    return next((n for n, ply in enumerate(plies) if ply.turn != plies[0].turn), len(plies))
