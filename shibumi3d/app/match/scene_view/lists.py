"""Lists beside the table: seat cards, legal moves, moves played, and the summary of recent events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language, ngettext
from shibumi3d.rules.game import UnavailableEntry
from shibumi3d.rules.wording import capitalize_first, join_words
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import describe_ply, describe_seat, format_score

from ...ui import icons
from ...ui.canvas import Canvas, paint_card_background
from ...ui.list_view import ListView
from ...ui.prose import ExplainedSentence
from ...ui.seat_line import paint_seat_card, paint_seat_line
from ...ui.widget import Key, Widget
from ..move_list import MoveList
from .interfaces import ScenePage

if TYPE_CHECKING:
    from shibumi3d.match.history import Ply
    from shibumi3d.rules.game import Move

    from ..model import MatchModel, ResponderChoice


ROW_HEIGHT_PX, TALL_ROW_HEIGHT_PX = 34.0, 46.0
"""Heights of a row without and with a line of details, in logical pixels."""
PASS_KEY = "p"
"""Key for passing, for ending a choice, and for giving the default answer."""


class ChoiceList(ListView):
    """List of the legal moves, each with its key, price and effect, if it has them.

    The prices and effects are omitted if fewer than half of the rows have any. Entries that can't be chosen at present
    follow in a fainter colour.
    """

    def __init__(self, page: ScenePage) -> None:
        super().__init__(ROW_HEIGHT_PX, self._paint_choice, self._choose_row, name="choices")
        self.page = page
        self.moves: Sequence[Move | ResponderChoice] = ()
        self.unavailable: Sequence[UnavailableEntry] = ()
        self.labels: list[str] = []
        self.keys: list[str] = []
        """Keyboard key of each row, or "" if it has none."""
        self.details: list[str] = []
        """Price of each row and, on a second line, its effect; "" if it has neither."""
        self.hovered_row = -1
        """Row under the pointer, or -1."""

    def set_choices(
        self,
        moves: Sequence[Move | ResponderChoice],
        labels: Sequence[str],
        unavailable: Sequence[UnavailableEntry] = (),
        *,
        keys: Sequence[str] = (),
        details: Sequence[str] = (),
    ) -> None:
        """Fill the list with ``moves``, followed by ``unavailable``, the entries that can't be chosen at present.

        ``labels``, ``keys`` and ``details`` have one item per move; ``keys`` and ``details`` may be empty. Details are
        omitted if fewer than half of the rows have them.
        """
        self.moves, self.unavailable = moves, unavailable
        self.labels = [*labels, *[each.label for each in unavailable]]
        self.keys = [*(keys or [""] * len(moves)), *[each.key for each in unavailable]]
        self.details = [*(details or [""] * len(moves)), *[each.detail for each in unavailable]]
        if 2 * sum(map(bool, self.details)) < len(self.details):
            # Don't make all rows taller for a few details, since the message line shows them anyway.
            self.details = [""] * len(self.details)
        self.row_height = TALL_ROW_HEIGHT_PX if any(self.details) else ROW_HEIGHT_PX
        self.hovered_row = -1
        self.offset = 0.0
        self.set_rows(len(self.labels))

    def restore_position(self, row: int, offset: float) -> None:
        """Select row ``row`` and restore the scroll position ``offset`` (in logical pixels).

        If ``row`` is -1, no row is selected. If there are too few rows, the last one is selected. If the selected row
        would be out of view, the list scrolls further until the row is visible.
        """
        self.offset = offset
        self.set_rows(self.row_count, min(row, self.row_count - 1))

    def move_for_key(self, key: str) -> Move | ResponderChoice | None:
        """Return the move that ``key`` selects, or None."""
        keys = self.keys[: len(self.moves)]
        return self.moves[keys.index(key)] if key in keys else None

    def scroll_to_move(self, move: Move | None) -> None:
        """Scroll to ``move``, if it is listed, and redraw."""
        if move is not None and move in self.moves:
            self.reveal(list(self.moves).index(move) * self.row_height, self.row_height)
        self.refresh()

    def unavailable_reason(self, row: int) -> str:
        """Return why a row can't be chosen, or "" if it can."""
        return (
            self.unavailable[row - len(self.moves)].reason
            if len(self.moves) <= row < len(self.labels)
            else ""
        )

    def visible_row_positions(self) -> dict[str, list[int]]:
        """Return the centres of the visible rows in window pixels, by label."""
        found = {}
        for row, label in enumerate(self.labels):
            place = self.row_rect(row)
            if self.rect.contains(place.cx, place.cy):
                found[label] = self.page.app.to_window_pixels(place.cx, place.cy)
        return found

    def _choose_row(self, row: int) -> None:
        if row < len(self.moves):
            self.page.actions.choose_move(self.moves[row])
        else:
            self.page.app.sounds.play_rejected()
            self.page.show_note(self.unavailable_reason(row))

    def on_pointer_move(self, x: float, y: float) -> None:
        self._set_hovered_row(self.row_at(x, y))

    def on_pointer_leave(self) -> None:
        self._set_hovered_row(-1)

    def _set_hovered_row(self, row: int) -> None:
        if row != self.hovered_row:
            self.hovered_row = row
            self.page.message = self._explain_unavailable(row)
            self.page.pointer.update_message()

    def _explain_unavailable(self, row: int) -> str:
        """Return why a row can't be chosen, followed by the row's details, if any, or "" if it can be chosen."""
        reason = self.unavailable_reason(row)
        return " ".join(filter(None, (reason, *self.details[row].split("\n")))) if reason else ""

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        row = self.row_at(x, y)
        if self._is_dragging_handle or not self.rect.contains(x, y) or row < 0:
            super().on_release(x, y, button, key)
            return
        self._choose_row(row)

    def describe_row(self, row: int, spell_keys: Callable[[str], str]) -> list[str]:
        """Return what a screen reader says about a row, as three texts.

        The first contains the row's label, price and key. The second describes its effect; it may be empty. The third
        says why the row can't be chosen; it is empty if the row can be chosen. ``spell_keys`` returns the spoken form
        of a key.
        """
        price, _unused, effect = self.details[row].partition("\n")
        price = join_words(price.split(", "), _("and"))
        key = spell_keys(self.keys[row].upper()) if self.keys[row] else ""
        return [", ".join(filter(None, (self.labels[row], price, key))), effect, self.unavailable_reason(row)]

    def can_choose(self, row: int) -> bool:
        return row < len(self.moves)

    def describe_row_graphics(self, row: int) -> str:
        return _("marked") if self._is_hinted(row) else ""

    def _is_hinted(self, row: int) -> bool:
        return row < len(self.moves) and self.moves[row] == self.page.advice.hinted_move()

    def _paint_choice(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        box = rect.inset(4, 2)
        is_hinted = self._is_hinted(row)
        canvas.rect(box, style.card, CORNER_RADIUS_PX)
        if is_hovered or row == self.current_row:
            canvas.rect(box, style.hover, CORNER_RADIUS_PX)
        edge = style.action if row == self.current_row or is_hinted else style.hairline
        canvas.outline(box, edge, CORNER_RADIUS_PX, 2 if is_hinted else 1)
        ink = style.ink if row < len(self.moves) else style.tertiary_ink
        upper = Rect(box.x, box.y, box.w, 26) if self.details[row] else box
        if self.keys[row]:
            place = Rect(upper.x + 8, upper.y, 14, upper.h)
            canvas.text_in(place, self.keys[row].upper(), style.secondary_ink, "sans", SMALL_TEXT_PX)
        price, _, effect = self.details[row].partition("\n")
        name = Rect(upper.x + 26, upper.y, upper.w - 36, upper.h)
        widest = name.w - 8 - canvas.text_width(price, "sans", SMALL_TEXT_PX)
        if price and effect and canvas.text_width(self.labels[row], "sans", SMALL_TEXT_PX) > widest:
            # The label needs the whole line.
            price, effect = "", f"{price} · {effect}"
        if price:
            name = name.cut_right(
                canvas.text_in(name, price, style.secondary_ink, "sans", SMALL_TEXT_PX, 1) + 8
            )[1]
        canvas.text_fit(name, self.labels[row], ink, "sans", BODY_TEXT_PX)
        if effect:
            below = Rect(box.x + 26, box.y + 22, box.w - 34, 18)
            canvas.text_fit(below, effect, style.secondary_ink, "sans", SMALL_TEXT_PX - 1)


class ScenePlayedMoves(MoveList):
    """List of the moves played, one per entry, with variations.

    Clicking a move shows the position after it. Clicking a variation continues the match with that variation.
    """

    def __init__(self, page: ScenePage) -> None:
        super().__init__(
            page.match,
            26,
            page.actions.view_ply,
            page.actions.switch_to_variation,
        )
        self.page = page
        self._descriptions: dict[tuple[int, int | None, str], tuple[Ply, str]] = {}
        """Cached descriptions of moves, by identity of the move, viewer and language."""

    def paint_key(self) -> object:
        return super().paint_key(), self.page.model.viewer

    def hidden_plies(self) -> frozenset[int]:
        return self.page.model.hidden_plies

    def turn_spans(self) -> list[tuple[int, int, int, int]]:
        known = set(map(id, self.all_plies)).union(*[map(id, line) for _, line in self.match.variations])
        self._descriptions = {key: text for key, text in self._descriptions.items() if key[0] in known}
        return [(ply.turn, ply.seat, number, number + 1) for number, ply in enumerate(self.all_plies)]

    def on_row_hover(self, row: int) -> None:
        number = self.rows[row] if row >= 0 else ""
        if isinstance(number, str):
            self.page.pointer.update_message()
        elif number < 0:
            self.page.message_line.set_message(
                _("Variation – {told}", told=self.describe_variation(-1 - number))
            )
        else:
            self.page.message_line.set_message(self.describe_move(number))

    def describe_move(self, index: int) -> str:
        """Return a description of a move, or "Secret move" if the viewer may not know it."""
        if self.page.model.is_ply_hidden(index):
            return capitalize_first(_("secret move"))
        return self._describe(self.all_plies, index)

    def describe_variation(self, variation: int) -> str:
        """Describe the first move of a variation.

        The move is never secret, since games with hidden information have no variations.
        """
        after, line = self.match.variations[variation]
        return self._describe(self.all_plies[:after] + line, after)

    def _describe(self, plies: Sequence[Ply], index: int) -> str:
        model, ply = self.page.model, plies[index]
        key = (id(ply), model.viewer, language())
        if key not in self._descriptions:
            self._descriptions[key] = (
                ply,
                describe_ply(self.match, plies, index, model.observe_events(ply.events)),
            )
        return self._descriptions[key][1]

    def _turn_face(self, turn_index: int) -> str:
        return "italic" if self.page.model.is_ply_hidden(turn_index) else "sans"

    def turn_width(self, turn_index: int) -> float:
        canvas = self.page.app.canvas
        canvas.scale = self.page.app.scale
        return canvas.text_width(self.describe_move(turn_index), self._turn_face(turn_index), 14)

    def paint_turn(self, canvas: Canvas, style: Style, area: Rect, turn_index: int) -> None:
        ink = style.tertiary_ink if turn_index >= self.match.cursor else style.ink
        canvas.text_in(area, self.describe_move(turn_index), ink, self._turn_face(turn_index), 14)

    def paint_variation(self, canvas: Canvas, style: Style, rect: Rect, variation: int) -> None:
        space = Rect(rect.x + 70, rect.y, rect.w - 82, rect.h)
        _, line = self.match.variations[variation]
        more = len({ply.turn for ply in line}) - 1
        if more:
            text = ngettext("+ {n} turn", "+ {n} turns", more)
            space = space.cut_right(
                canvas.text_in(space, text, style.tertiary_ink, "sans", SMALL_TEXT_PX, 1) + 8
            )[1]
        canvas.text_in(space, self.describe_variation(variation), style.secondary_ink, "sans", 14)


NAME_LINE_HEIGHT_PX, TEXT_LINE_HEIGHT_PX, SINGLE_LINE_CARD_HEIGHT_PX, FOLDED_CARD_HEIGHT_PX = (
    30.0,
    18.0,
    26.0,
    24.0,
)
"""Heights of the line with the name, of each further line, of a card with only one line, and of a folded card."""
DETAIL_SEPARATOR = " · "
"""Separator between details of a seat that are on the same line."""
DETAIL_MARGINS_PX = 20.0
"""Total of the margins to the left and right of the lines below the name, in logical pixels."""
MIN_FOLDED_WIDTH_PX, MIN_NAMED_WIDTH_PX = 34.0, 74.0
"""Minimum widths of a folded card without and with a name, in logical pixels."""
MIN_COLUMN_WIDTH_PX, MAX_COLUMN_WIDTH_PX = 196.0, 290.0
"""Minimum and maximum width of the column of cards, in logical pixels.

These limits don't apply to a narrow table or to folded cards. Any other column takes up at most 30 % of the table's
width, even if that is less than the minimum.
"""
LARGE_TABLE_WIDTH_PX, EXTRA_COLUMN_WIDTH_FRACTION = 1280.0, 0.27
"""Table width, in logical pixels, above which the column grows, and the column's share of any width beyond it."""
ROWS_MAX_TABLE_WIDTH_PX, MIN_SINGLE_LINE_WIDTH_PX = 560.0, 118.0
"""Table width below which the cards are in rows at the top, and minimum width of a card with only one line there."""
CARD_GAP_PX, MIN_CARD_GAP_PX = 8.0, 2.0
"""Preferred and minimum distance between cards, in logical pixels."""


class SeatCards(Widget):
    """Cards of all seats, each with a symbol, a name, a score, and lines supplied by the rules.

    While the pointer is on a card, the message line shows the card's whole text, including what doesn't fit on the
    card.
    """

    def __init__(self, page: ScenePage) -> None:
        super().__init__("seats")
        self.page = page
        self.card_rects: list[Rect] = []
        self.is_wrapped = False
        """Whether details that don't fit together on one line of a card are spread over several lines."""
        self.is_single_line = False
        """Whether each card has only one line."""
        self.is_folded = False
        """Whether each card is reduced to the seat's symbol, the score and, if it is wide enough, the name."""

    def seat_at(self, x: float, y: float) -> int:
        """Return the seat whose card is at (``x``, ``y``), or -1 if there is none."""
        return next((seat for seat, place in enumerate(self.card_rects) if place.contains(x, y)), -1)

    def widget_at(self, x: float, y: float) -> Widget | None:
        return self if self.visible and self.seat_at(x, y) >= 0 else None

    def on_pointer_move(self, x: float, y: float) -> None:
        seat = self.seat_at(x, y)
        if seat >= 0:
            self.page.message_line.set_message(self.describe_seat(seat))

    def on_pointer_leave(self) -> None:
        self.page.pointer.update_message()

    def describe_seat(self, seat: int) -> str:
        """Return the full text about a seat, for the message line."""
        parts = [
            self.page.names[seat],
            self._score_text(seat),
            self.page.clocks.time_text(seat),
            *self._details(seat),
        ]
        parts += self._hint_count_lines(seat)
        return " · ".join(filter(None, parts))

    def accessible_text(self) -> str:
        """Return the text of all cards for screen readers.

        The text says what each number counts.
        """
        page, texts = self.page, []
        for seat in self._seats():
            own = describe_seat(page.match.game, page.model.observation, seat, page.names)
            texts.append(
                " · ".join(filter(None, (own, page.clocks.time_text(seat), *self._hint_count_lines(seat))))
            )
        return ". ".join(texts)

    def _score_text(self, seat: int) -> str:
        """Return the score of a seat as text, followed by any total from earlier games of a series.

        The result is empty if there is neither a score nor a total.
        """
        return format_score(self.page.model.state, self.page.model.facts, seat)

    def _details(self, seat: int) -> tuple[str, ...]:
        """Return the texts below the name and the score of a seat."""
        return self.page.match.game.describe_seat(self.page.model.observation, seat, language())

    def _hint_count_lines(self, seat: int) -> list[str]:
        hints = self.page.advice.hint_counts[seat]
        return [ngettext("{n} hint", "{n} hints", hints)] if hints else []

    def _seats(self) -> range:
        return range(len(self.page.names))

    def layout_cards(self, table: Rect, canvas: Canvas, has_room: Callable[[Rect], bool]) -> Rect:
        """Lay out the cards at the left of ``table``, or in rows at its top if it is narrow; return their area.

        These layouts are tried in turn: full cards with details on several lines, full cards with details on one line,
        cards with only one line, and folded cards. The first layout that fits and whose area ``has_room`` accepts is
        used; if there is none, the last is used. The area returned is the last one that ``has_room`` was called with.
        """
        for self.is_wrapped, self.is_single_line, self.is_folded in (
            (True, False, False),
            (False, False, False),
            (False, True, False),
            (False, True, True),
        ):
            covered = self._place_cards(table, canvas)
            if has_room(covered) and covered.bottom <= table.bottom - 10:
                break
        self.layout(covered)
        return covered

    def _place_cards(self, table: Rect, canvas: Canvas) -> Rect:
        area, many = table.inset(10, 10), len(self.page.names)
        narrow = table.w < ROWS_MAX_TABLE_WIDTH_PX
        extra = EXTRA_COLUMN_WIDTH_FRACTION * max(0.0, table.w - LARGE_TABLE_WIDTH_PX)
        column = min(MIN_COLUMN_WIDTH_PX + extra, MAX_COLUMN_WIDTH_PX)
        wide = area.w if narrow else min(column, table.w * 0.3)
        least, space, across = (
            MIN_FOLDED_WIDTH_PX if self.is_folded else MIN_SINGLE_LINE_WIDTH_PX,
            4.0 if self.is_folded else CARD_GAP_PX,
            1,
        )
        if self.is_folded and not narrow:
            longest = max(canvas.text_width(name, "bold", SMALL_TEXT_PX) for name in self.page.names)
            wide = max(MIN_NAMED_WIDTH_PX + 16, min(longest + MIN_FOLDED_WIDTH_PX + 16, table.w * 0.2))
        if narrow and self.is_single_line:
            across = max(1, min(many, int((wide + space) // (least + space))))
        elif narrow:
            longest = max(self._full_width(seat, canvas) for seat in self._seats())
            across = max(1, min(many, int((wide + CARD_GAP_PX) // (min(longest, wide) + CARD_GAP_PX))))
        rows = -(-many // across)
        across = -(-many // rows)
        each = (wide - space * (across - 1)) / across
        heights = self._row_heights(across, each, canvas)
        if self.is_folded:
            # If there are many seats, flatten all cards rather than leave out the last ones.
            heights = [
                min(FOLDED_CARD_HEIGHT_PX, (area.h + MIN_CARD_GAP_PX) / len(heights) - MIN_CARD_GAP_PX)
                for _ in heights
            ]
        gap = max(MIN_CARD_GAP_PX, min(space, (area.h - sum(heights)) / max(1, len(heights) - 1)))
        if self.is_folded and narrow:
            each = min(each, 2 * MIN_NAMED_WIDTH_PX)
        self.card_rects, y = [], area.y
        for row, height in enumerate(heights):
            for column in range(min(across, many - row * across)):
                self.card_rects.append(Rect(area.x + (each + space) * column, y, each, height))
            y += height + gap
        return Rect(area.x, area.y, wide, y - gap - area.y)

    def _card_lines(self, seat: int, width: float, canvas: Canvas) -> list[str]:
        """Return the lines below the name and the score on a card of the given width."""
        if self.is_single_line:
            return []
        lines: list[str] = []
        for detail in self._details(seat):
            longer = DETAIL_SEPARATOR.join((*lines[-1:], detail))
            is_wide = canvas.text_width(longer, "sans", SMALL_TEXT_PX) > width - DETAIL_MARGINS_PX
            lines[-1:] = [*lines[-1:], detail] if self.is_wrapped and is_wide else [longer]
        return lines

    def _row_heights(self, columns: int, width: float, canvas: Canvas) -> list[float]:
        """Return the heights of the rows if each holds up to ``columns`` cards of the given width."""
        lines = [len(self._card_lines(seat, width, canvas)) for seat in self._seats()]
        most = [max(lines[first : first + columns]) for first in range(0, len(lines), columns)]
        if self.is_folded:
            return [FOLDED_CARD_HEIGHT_PX] * len(most)
        return [
            SINGLE_LINE_CARD_HEIGHT_PX
            if self.is_single_line
            else NAME_LINE_HEIGHT_PX + TEXT_LINE_HEIGHT_PX * many + (6 if many else 0)
            for many in most
        ]

    def _full_width(self, seat: int, canvas: Canvas) -> float:
        """Return an estimate of the width at which nothing on the seat's card is truncated.

        The width is in logical pixels. It includes a fixed amount for what is beside the name: symbol, score, time and
        hints.
        """
        details = canvas.text_width(DETAIL_SEPARATOR.join(self._details(seat)), "sans", SMALL_TEXT_PX) + 24
        return max(canvas.text_width(self.page.names[seat], "bold", BODY_TEXT_PX) + 80, details)

    def paint(self, canvas: Canvas, style: Style) -> None:
        page = self.page
        state = page.model.state
        asked = set(state.decision.seats) if state.decision is not None else set()
        if state.decision is not None and state.decision.visibility == "hidden":
            # Don't reveal who has already made a hidden choice: the observation lists all seats that were asked.
            known = page.model.observation.decision
            asked = set(known.seats) if known is not None else set()
        for seat, box in enumerate(self.card_rects):
            on = seat in asked
            paint_seat_card(canvas, style, box, on)
            score = self._score_text(seat)
            if self.is_folded:
                self._paint_folded(canvas, style, seat, on, score)
                continue
            time = page.clocks.time_text(seat) if on or not self.is_single_line else ""
            head = Rect(
                box.x,
                box.y,
                box.w,
                SINGLE_LINE_CARD_HEIGHT_PX if self.is_single_line else NAME_LINE_HEIGHT_PX,
            )
            short = page.clocks.is_time_low(seat)
            paint_seat_line(
                canvas,
                style,
                head,
                seat,
                page.names[seat],
                score,
                on,
                time,
                short,
                page.advice.hint_counts[seat],
            )
            for number, text in enumerate(self._card_lines(seat, box.w, canvas)):
                row = Rect(
                    box.x + 12,
                    box.y + NAME_LINE_HEIGHT_PX - 2 + TEXT_LINE_HEIGHT_PX * number,
                    box.w - DETAIL_MARGINS_PX,
                    TEXT_LINE_HEIGHT_PX,
                )
                canvas.text_fit(row, text, style.secondary_ink, "sans", SMALL_TEXT_PX)

    def _paint_folded(self, canvas: Canvas, style: Style, seat: int, is_to_move: bool, score: str) -> None:
        box = self.card_rects[seat]
        icons.draw_seat_symbol(
            canvas, seat, box.x + 11, box.cy, style.action if is_to_move else style.secondary_ink, 6
        )
        right = canvas.text_in(box.cut_right(5)[1], score, style.ink, "bold", SMALL_TEXT_PX, 1) + 9
        name = Rect(box.x + 21, box.y, box.w - 21 - right, box.h)
        if box.w >= MIN_NAMED_WIDTH_PX:
            canvas.text_in(
                name, self.page.names[seat], style.ink, "bold" if is_to_move else "sans", SMALL_TEXT_PX
            )


SUMMARY_LINE_HEIGHT_PX = 19.0
"""Height of a line of the summary, in logical pixels."""
MAX_SUMMARY_LINES, MAX_FINAL_SUMMARY_LINES = 5, 9
"""Maximum number of lines of the summary above a list of moves, and without such a list.

If the text is longer, the earliest moves are left out. If this isn't enough, it is set in a smaller font size, and is
truncated only if it still doesn't fit.
"""


def moves_since_viewer(model: MatchModel) -> Sequence[Ply]:
    """Return the moves shown so far, starting with the current player's last move.

    The current player is the only human player or, if there are several, the one who must choose now. If there are
    several and none of them must choose now, start with the last move by any of them. If there is no such move, return
    all moves shown so far.
    """
    plies = model.match.plies[: model.cursor]
    persons = model.human_seats
    viewer_seats = persons if len(persons) == 1 or model.choosing_seat is None else [model.choosing_seat]
    first_ply = next(
        (number for number in reversed(range(len(plies))) if plies[number].seat in viewer_seats), 0
    )
    return plies[first_ply:]


class EventSummary(ExplainedSentence):
    """Text that shows the current round and, below it, a sentence about the latest moves.

    The sentence covers the moves returned by :func:`moves_since_viewer`. If there is too little room, the earliest of
    them are left out.
    """

    def __init__(self, page: ScenePage) -> None:
        super().__init__("story")
        self.page = page
        self.round_text = ""
        self.summary_text = ""
        self.is_floating = False
        """Whether the text floats over the table, on a card."""
        self._summarized_moves: list[Ply] = []
        """Moves that the sentence describes."""

    def update(self) -> None:
        """Update the text after the match or the position shown has changed."""
        page, model = self.page, self.page.model
        self.round_text = page.match.game.describe_round(model.observation, language())
        self._summarized_moves = list(moves_since_viewer(model))
        self.summary_text = self._summarize()
        self.refresh()

    def _summarize(self) -> str:
        page, model = self.page, self.page.model
        events = model.observe_plies(self._summarized_moves)
        return capitalize_first(
            page.match.game.summarize_events(model.observation, events, language(), page.names)
        )

    def fit_height(self, canvas: Canvas, width: float, max_lines: int = MAX_SUMMARY_LINES) -> float:
        """Shorten the summary to fit ``max_lines`` lines, and return its preferred height at the given width.

        The earliest moves are dropped until the summary fits or only one move is left. The line for the round doesn't
        count towards ``max_lines``. The height is 0 if there is no text.
        """
        lines = self._count_lines(canvas, width)
        while lines > max_lines and len(self._summarized_moves) > 1:
            del self._summarized_moves[0]
            self.summary_text = self._summarize()
            lines = self._count_lines(canvas, width)
        many = min(max_lines, lines)
        return SUMMARY_LINE_HEIGHT_PX * (many + bool(self.round_text)) + (4 if many or self.round_text else 0)

    @property
    def two_line_height(self) -> float:
        """Height of a summary with two lines of text, plus the line for the round if there is one."""
        return SUMMARY_LINE_HEIGHT_PX * (2 + bool(self.round_text)) + 4

    def _count_lines(self, canvas: Canvas, width: float) -> int:
        return (
            len(canvas.wrap(self.summary_text, "sans", BODY_TEXT_PX - 1, width)) if self.summary_text else 0
        )

    def paint(self, canvas: Canvas, style: Style) -> None:
        rest = self.rect
        if self.is_floating:
            paint_card_background(canvas, style, rest)
            rest = rest.inset(8, 6)
        if self.round_text:
            head, rest = rest.cut_top(SUMMARY_LINE_HEIGHT_PX)
            canvas.text_in(head, self.round_text, style.secondary_ink, "bold", SMALL_TEXT_PX)
        if self.summary_text:
            place = Rect(rest.x, rest.y, rest.w, rest.h)
            self.draw_sentence(canvas, place, self.summary_text, style.ink, "sans", BODY_TEXT_PX - 1)
