"""Card that shows the result of a match, with buttons for what to do next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from shibumi3d.i18n import _, language, ngettext, pgettext
from shibumi3d.match.sharing import ResultToBeat
from shibumi3d.match.store import match_key
from shibumi3d.rules.wording import (
    capitalize_first,
    describe_result,
    describe_winners,
    format_score,
    result_reason,
)
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, Style

from ...match.copies import continue_with
from ...match.loop import find_biggest_fall
from ..host.solo import describe_result_to_beat
from ..host.solver import find_solution
from ..ui import icons
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.panel import Panel
from ..ui.widget import Key
from .players import MatchPageInterface

TABLE_ROW_HEIGHT_PX = 22.0
"""Height of a row in the table of results."""
HEADLINE_HEIGHT_PX, HEADLINE_FONT_SIZE_PX, SEAT_SYMBOL_RADIUS_PX = 66.0, 26, 10.0
"""Total height of the headline and the reason, font size of the headline, and radius of the seats' symbols."""
LOW_VIEW_HEIGHT_PX = 280.0
"""Height of the view below which the card is compact, since a full card would hide most of the table."""
COMPACT_HEIGHT_PX, COMPACT_FONT_SIZE_PX, COMPACT_SIGN_RADIUS_PX = 56.0, 20, 8.0
"""Height of a compact card, font size of its headline, and radius of the seats' symbols on it."""
COMPACT_LINE_HEIGHT_PX = 18.0
"""Additional height of a compact card whose reason takes two lines."""
BUTTON_ROW_HEIGHT_PX = 40.0
"""Distance between rows of buttons on the card."""
MENU_ROW_HEIGHT_PX = 36.0
"""Height of a button in the menu of further actions."""
MAX_CARD_WIDTH_PX, CARD_BOTTOM_MARGIN_PX = 780.0, 14.0
"""Maximum width of the card, and its distance from the bottom edge of the view."""
MAX_LISTED_SEATS = 4
"""Maximum number of seats whose scores or symbols are shown; if there are more, none are shown."""


class ButtonMenu(Panel):
    """Vertical menu of buttons, which closes when a button is pressed."""

    def __init__(self, buttons: Sequence[Button]) -> None:
        super().__init__("card", is_floating=True, name="offers")
        self.buttons = buttons
        for button in buttons:
            button.align = 0.0
            button.on_click = partial(self._close_and_run, button.on_click)
        self.add(*buttons)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for number, button in enumerate(self.buttons):
            button.layout(
                Rect(rect.x + 6, rect.y + 6 + MENU_ROW_HEIGHT_PX * number, rect.w - 12, MENU_ROW_HEIGHT_PX)
            )

    def on_key(self, key: Key) -> bool:
        root = self.root
        if root is not None and key.chord in ("up", "down"):
            here = next((number for number, each in enumerate(self.buttons) if each is root.focus), 0)
            root.focus = self.buttons[(here + (1 if key.chord == "down" else -1)) % len(self.buttons)]
            root.dirty = True
            return True
        return super().on_key(key)

    def _close_and_run(self, action: Callable[[], object]) -> None:
        if self.root is not None:
            self.root.close_popup()
        action()


class ResultBar(Panel):
    """Card that says who won and why, with buttons for what to do next.

    If the view of the table is too low for a full card, the card is compact, with most of its buttons in a menu. A card
    that lists the results of a series is never compact.
    """

    def __init__(self, page: MatchPageInterface) -> None:
        super().__init__("card", is_floating=True, name="band")
        self.page = page
        self.is_compact = False
        self._has_buttons_below = False
        """Whether the buttons of a compact card are below its text, because there is no room beside it."""
        app = page.app
        self.deal = app.results.solo.find(page.match)
        """Ladder deal that is played in the match, or None."""
        self.rematch_button = Button(self._next_label(), self._start_next, kind="main", name="rematch")
        self.mistakes_button = Button(
            _("Learn from your mistakes"),
            lambda: app.pages.show_mistakes(page.match, page.entry, app.current_page),
            tip=_("Find better moves for up to three of your turns"),
            name="find the turn",
        )
        self.swap_button = Button(
            (pgettext("result", "Swap seats") if len(page.names) == 2 else _("Rotate seats")),
            lambda: app.matches.rematch(page.match, page.entry, 1),
            tip=_("Rematch with everyone moved one seat along"),
            name="swap seats",
        )
        self.same_deal_button = Button(
            _("Same deal again"),
            lambda: app.matches.rematch(page.match, page.entry, same_deal=True),
            name="same deal",
        )
        self.solution_button = Button(
            _("Show solution"),
            self.show_solution,
            tip=_("How this deal could have been won  Shift+H"),
            name="show the way",
        )
        self.more_button = Button(
            _("More…"), self._open_more_menu, tip=_("Replay the match or save a picture of it"), name="more"
        )
        self.add(
            self.rematch_button,
            self.mistakes_button,
            self.same_deal_button,
            self.swap_button,
            self.solution_button,
            self.more_button,
        )
        self._best_score_cache: tuple[object, int | None] = None, None
        """Final state for which the player's best score in other matches was looked up, and that score or None."""

    @cached_property
    def result_to_beat(self) -> ResultToBeat | None:
        """Result that somebody challenged the player to beat in this match, or None."""
        return self.page.app.results.solo.result_to_beat(self.page.match)

    @property
    def _secondary_buttons(self) -> list[Button]:
        """Secondary buttons that apply to this match, from right to left.

        On a compact card, they are in the menu.
        """
        page = self.page
        if len(page.names) == 1:
            found = [self.mistakes_button] if page.model.facts.solver and not self._is_best_result else []
            lost = [self.solution_button] if self.is_lost_deal else []
            return [*found, *lost, *([self.same_deal_button] if lost or self.deal is not None else [])]
        several = [*([self.swap_button] if self.page.tournament_path is None else []), self.mistakes_button]
        return [self.solution_button, *several, self.same_deal_button] if self.is_lost_deal else several

    def _open_more_menu(self) -> None:
        """Open a menu with the review, a postcard and, if many marbles fell in a turn, a replay of that turn.

        If the card is compact, the menu begins with the buttons for which the card has no room.
        """
        buttons = [
            Button(_("Review"), self._open_review, kind="quiet", name="review"),
            Button(
                _("Postcard"),
                self._open_postcard,
                kind="quiet",
                tip=_("Save a picture of the final position with the game, names and date"),
                name="postcard",
            ),
        ]
        if find_biggest_fall(self.page.match.plies) is not None:
            fall_button = Button(
                _("Replay biggest marble drop"),
                self._replay_biggest_fall,
                kind="quiet",
                tip=_("The turn in which the most marbles dropped, looped in slow motion"),
                name="last fall",
            )
            buttons.insert(1, fall_button)
        if self.is_compact:
            buttons[:0] = [
                Button(each.label, each.on_click, kind="quiet", tip=each.tooltip, name=each.name)
                for each in reversed(self._secondary_buttons)
            ]
        card = ButtonMenu(buttons)
        root, wide = (
            self.page.app.root,
            max(each.preferred_width(self.page.app.canvas) for each in buttons) + 16,
        )

        def place(window: Rect) -> Rect:
            button, high = self.more_button.rect, MENU_ROW_HEIGHT_PX * len(buttons) + 12
            x = max(8.0, min(button.right - wide, window.right - wide - 8))
            return Rect(x, max(8.0, button.y - 6 - high), wide, high)

        root.open_popup(card, place, focus=buttons[0])

    @property
    def _leads_on(self) -> bool:
        """Whether the match is part of the path of first games, and its result lets the player move on."""
        page, result = self.page, self.page.match.state.result
        if page.app.pages.path_row is None or result is None:
            return False
        return len(page.names) == 1 or any(seat in page.model.human_seats for seat in result.winners)

    def _next_label(self) -> str:
        if self._leads_on:
            return _("Continue")
        if self.page.tournament_path is not None:
            return _("Tournament")
        if self.deal is not None:
            return _("Next deal")
        return _("Rematch") if len(self.page.names) > 1 else _("Play again")

    def _start_next(self) -> None:
        """Go back to the path or the tournament, start the next deal, or start the same game again."""
        page = self.page
        path_row = page.app.pages.path_row
        if path_row is not None and self._leads_on:
            page.app.pages.show_learning(path_row)
            return
        if page.tournament_path is not None:
            page.app.pages.show_tournament(page.tournament_path)
            return
        if self.deal is not None:
            following = page.app.results.solo.next_deal(page.match.game.id, self.deal.name)
            if following is not None:
                page.app.matches.start_deal(following, page.entry)
                return
        page.app.matches.rematch(page.match, page.entry)

    def _open_review(self) -> None:
        page = self.page
        page.app.pages.show_replay(page.match, page.entry)

    def _open_postcard(self) -> None:
        page = self.page
        page.app.pages.show_postcard(page.match, page.entry)

    def _replay_biggest_fall(self) -> None:
        page = self.page
        span = find_biggest_fall(page.match.plies)
        if span is not None:
            page.app.pages.show_replay(page.match, page.entry, loop_range=span)

    @property
    def is_lost_deal(self) -> bool:
        """Whether a solo or cooperative game was lost and its deal can be tried again.

        The game must have a solver, and all seats must have been played by people.
        """
        match, page = self.page.match, self.page
        result = match.state.result
        persons = len(page.model.human_seats) == len(match.seats)
        return bool(page.model.facts.solver) and persons and result is not None and not result.winners

    def show_solution(self) -> None:
        """Search for a solution of the lost deal, and replay the solution if there is one.

        Does nothing if the result bar is hidden or the deal wasn't lost. A solution found after the user has left the
        page or changed the match is ignored. Before the replay starts, the program records that it has shown the
        solution of this puzzle.
        """
        page = self.page
        match, app = page.match, page.app
        if not (self.visible and self.is_lost_deal):
            return
        plies = len(self.deal.lead) if self.deal is not None else 0
        ended = match.state

        def is_current() -> bool:
            return page.is_current and page.match.state is ended

        def on_found(moves: Sequence[str]) -> None:
            if is_current():
                with match.save_once():
                    app.matches.mark_solution_shown(match)
                fresh = continue_with(match, plies, moves)
                app.pages.show_replay(fresh, page.entry, app.current_page, autoplay=True)

        def show_note(text: str) -> None:
            if is_current():
                page.show_note(text)

        find_solution(app.solver, match, plies, on_found, show_note)

    def _own_best_score(self) -> int | None:
        """Return the player's best score in other won matches of the same variant and board size, or None.

        Matches whose solution was shown don't count. The result is None if no match counts, if results aren't saved, or
        if this match began from a custom position.
        """
        page, match = self.page, self.page.match
        if not page.app.settings.results or match.position is not None:
            return None
        if self._best_score_cache[0] is not match.state:
            key = (
                match_key(page.app.matches.current_path) if page.app.matches.current_path is not None else ""
            )
            form = match.game.variant, match.game.size
            scores = [
                each.scores[each.own_seat]
                for each in page.app.results.matches(match.game.id)
                if each.scores and each.winners and not each.is_solution_shown and each.key != key
                if (each.variant, each.size) == form and each.own_seat >= 0
            ]
            self._best_score_cache = match.state, max(scores, default=None)
        return self._best_score_cache[1]

    def describe_result(self) -> str:
        """Return who won and why, or the score if the game was won and has a score unit.

        The score is compared with the proved maximum, the player's best score in other matches and the result to beat,
        if known. The text is empty during the match.
        """
        page, state = self.page, self.page.match.state
        result = state.result
        if result is None:
            return ""
        shown, counted = page.match.is_solution_shown, page.model.facts.score_unit
        if not (counted and result.winners):
            return describe_result(state, language(), page.names, score_unit=counted, solution_shown=shown)
        score = format_score(result.scores[0], counted, language())
        headline = _(
            "{text}.", text=describe_winners(["·"], 1, "", language(), score=score, solution_shown=shown)
        )
        return " ".join([headline, *self._compare_score()])

    def headline(self) -> str:
        """Return a headline that says who won, or that nobody did; return "" during the match.

        If the game has a score unit, the headline of a match that was won gives the score instead of the winner. If the
        match was won after the solution was shown, the headline says so.
        """
        page, state = self.page, self.page.match.state
        result = state.result
        if result is None:
            return ""
        shown, counted = page.match.is_solution_shown, page.model.facts.score_unit
        score = format_score(result.scores[0], counted, language()) if counted and result.winners else ""
        winners = [page.names[seat] for seat in result.winners]
        return capitalize_first(
            describe_winners(
                winners,
                len(page.names),
                "",
                language(),
                score=score,
                solution_shown=shown,
                is_common_loss=result.is_common_loss,
            )
        )

    def reason_line(self) -> str:
        """Return the line below the headline; empty during the match.

        It gives the reason for the result and any result to beat. If the game was won and has a score unit, the line
        instead compares the score with the best possible, the player's best in other matches, and the result to beat,
        each if known. With two to :data:`MAX_LISTED_SEATS` seats, the scores of all seats follow, unless all are 0. The
        number of hints that the winners used comes last, unless it is 0 or the solution was shown.
        """
        page, result = self.page, self.page.match.state.result
        if result is None:
            return ""
        parts = []
        if page.model.facts.score_unit and result.winners:
            parts.append(" ".join(self._compare_score()))
        else:
            parts.append(result_reason(result, language()))
            if self.result_to_beat is not None:
                parts.append(describe_result_to_beat(self.result_to_beat))
        if 1 < len(page.names) <= MAX_LISTED_SEATS and any(result.scores):
            order = sorted(range(len(page.names)), key=lambda seat: -result.scores[seat])
            parts.append(", ".join(f"{page.names[seat]} {result.scores[seat]}" for seat in order))
        hints = sum(page.match.hints[seat] for seat in result.winners if seat < len(page.match.hints))
        if hints and not page.match.is_solution_shown:
            parts.append(ngettext("with {n} hint", "with {n} hints", hints))
        return capitalize_first(" · ".join(part for part in parts if part))

    @property
    def _is_best_result(self) -> bool:
        """Whether the game was won with the best possible result.

        If the game's solver looks for the best score, that score must have been reached; the property is false while
        the best score isn't known. In all other games, any win counts.
        """
        page, result = self.page, self.page.match.state.result
        if result is None or not result.winners:
            return False
        if page.model.facts.solver != "score":
            return True
        best = page.app.results.solo.best_score(page.match, page.entry)
        return best is not None and result.scores[0] >= best

    def _compare_score(self) -> list[str]:
        """Return sentences about the scores with which the result can be compared.

        These are the proved maximum, the player's best score in other matches, and the result to beat. Scores that
        aren't known are left out.
        """
        page, parts = self.page, []
        most = page.app.results.solo.best_score(page.match, page.entry)
        if self._is_best_result:
            parts.append(_("That's the best possible score."))
        elif most is not None:
            parts.append(_("Best possible: {n}.", n=most))
        own = self._own_best_score()
        if own is not None:
            parts.append(_("Your best in other matches: {n}.", n=own))
        if self.result_to_beat is not None:
            parts.append(describe_result_to_beat(self.result_to_beat))
        return parts

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.page.app.canvas
        for number, buttons in enumerate(reversed(self._button_rows(canvas, rect.w))):
            line = Rect(rect.x + 12, rect.bottom - 52 - BUTTON_ROW_HEIGHT_PX * number, rect.w - 24, 52)
            if self.is_compact and not self._has_buttons_below:
                line = rect.inset(12, 0)
            right = line.right
            for button in buttons:
                wide = button.preferred_width(canvas)
                button.layout(Rect(right - wide, line.cy - 16, wide, 32))
                right -= wide + 8

    def _button_rows(self, canvas: Canvas, max_width: float) -> list[list[Button]]:
        """Return the visible buttons in rows at most ``max_width`` wide, from top to bottom.

        Within a row, the buttons are listed from right to left.
        """
        rows: list[list[Button]] = [[]]
        for button in reversed(self._visible_buttons()):
            if (
                rows[-1]
                and sum(each.preferred_width(canvas) + 8 for each in (*rows[-1], button)) + 16 > max_width
            ):
                rows.append([])
            rows[-1].insert(0, button)
        return rows

    def _visible_buttons(self) -> list[Button]:
        """Return the visible buttons from right to left."""
        secondary = [] if self.is_compact else self._secondary_buttons
        return [self.more_button, *secondary, self.rematch_button]

    def preferred_size(self, canvas: Canvas, max_width: float) -> tuple[float, float]:
        """Update the buttons; return the width and height of the card, which is at most ``max_width`` wide."""
        self.rematch_button.label = self._next_label()
        for button in (self.same_deal_button, self.mistakes_button, self.swap_button, self.solution_button):
            button.visible = button in self._visible_buttons()
        rows = self._button_rows(canvas, max_width)
        buttons = max(sum(button.preferred_width(canvas) + 8 for button in row) for row in rows)
        if self.is_compact:
            text = self._text_width(canvas, COMPACT_FONT_SIZE_PX)
            wide = min(max_width, text + 40 + buttons)
            lines = self._compact_lines(canvas, wide - 40 - buttons)
            self._has_buttons_below = lines > 2
            high = COMPACT_HEIGHT_PX
            if self._has_buttons_below:
                wide = min(max_width, max(text + 40, buttons + 24))
                lines = self._compact_lines(canvas, wide - 40)
                high += BUTTON_ROW_HEIGHT_PX * len(rows)
            return wide, high + (COMPACT_LINE_HEIGHT_PX if lines > 1 else 0.0)
        table = TABLE_ROW_HEIGHT_PX * (len(self._series_rows()) + 1) + 8 if self._series_rows() else 0
        long = self._text_width(canvas, HEADLINE_FONT_SIZE_PX) + 40
        high = HEADLINE_HEIGHT_PX + BUTTON_ROW_HEIGHT_PX * len(rows) + 12 + table
        return min(max_width, max(420.0, long, buttons + 24)), high

    def _compact_lines(self, canvas: Canvas, width: float) -> int:
        """Return how many lines the reason needs in a compact card, or 3 if the headline doesn't fit in ``width``.

        The text fits if the result is at most 2.
        """
        head = canvas.text_width(self.headline(), "title", COMPACT_FONT_SIZE_PX)
        if head + self._signs_width(COMPACT_SIGN_RADIUS_PX) > max(width, 0.0):
            return 3
        return len(canvas.wrap(self.reason_line(), "sans", BODY_TEXT_PX, width))

    def _text_width(self, canvas: Canvas, headline_size_px: int) -> float:
        """Return the width of the headline with its symbols, or of the reason, whichever is wider."""
        radius = COMPACT_SIGN_RADIUS_PX if self.is_compact else SEAT_SYMBOL_RADIUS_PX
        head = canvas.text_width(self.headline(), "title", headline_size_px) + self._signs_width(radius)
        return max(head, canvas.text_width(self.reason_line(), "sans", BODY_TEXT_PX))

    def place_in_view(
        self, canvas: Canvas, view: Rect, free_area: Rect, *, is_over_table: bool = True
    ) -> None:
        """Lay out the card at the bottom of ``view``, centred or moved sideways to stay within ``free_area``.

        ``is_over_table`` says whether the view shows the table. If it doesn't, the card is never compact.
        """
        self.is_compact = is_over_table and view.h < LOW_VIEW_HEIGHT_PX and not self._series_rows()
        wide, high = self.preferred_size(canvas, min(MAX_CARD_WIDTH_PX, free_area.w))
        x = max(free_area.x, min(view.cx - wide / 2, free_area.right - wide))
        self.layout(Rect(x, view.bottom - CARD_BOTTOM_MARGIN_PX - high, wide, high))

    def _headline_seats(self) -> list[int]:
        """Return the seats whose symbols precede the headline: the winners, or all if nobody won.

        The list is empty during the match, in a solo game, or if it would have more than :data:`MAX_LISTED_SEATS`
        seats.
        """
        result = self.page.match.state.result
        seats = len(self.page.names)
        if result is None or seats == 1:
            return []
        found = list(result.winners) or list(range(seats))
        return found if len(found) <= MAX_LISTED_SEATS else []

    def _signs_width(self, radius: float) -> float:
        """Return the width of the symbols before the headline and of the gap after them."""
        signs = len(self._headline_seats())
        return (2 * radius + 6) * signs + 6 if signs else 0.0

    def _series_rows(self) -> list[tuple[str, str, str]]:
        """Return the rows of the results table for a series of matches between computer players.

        The list is empty while a match is running, or if the series has only one match.
        """
        controls = self.page.computer_players.series_controls
        series = controls.series
        if not controls.is_match_over or max(series.target_matches, series.matches_played) == 1:
            return []
        return series.result_rows()

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        box = self.rect
        left = box.x + 18
        table = self._series_rows()
        if table:
            head, rest = box.cut_top(TABLE_ROW_HEIGHT_PX * (len(table) + 1) + 8)
            self._paint_table(canvas, style, head.inset(18, 8), table)
            box = rest
        won = bool(self.page.match.state.result and self.page.match.state.result.winners)
        size_px, radius = HEADLINE_FONT_SIZE_PX, SEAT_SYMBOL_RADIUS_PX
        head, why = Rect(left, box.y + 6, box.right - 14 - left, HEADLINE_HEIGHT_PX - 6).cut_top(36)
        if self.is_compact:
            size_px, radius = COMPACT_FONT_SIZE_PX, COMPACT_SIGN_RADIUS_PX
            if self._has_buttons_below:
                text = box.inset(18, 4).cut_bottom(box.bottom - self.more_button.rect.y)[1]
            else:
                right = min(button.rect.x for button in self._visible_buttons()) - 12
                text = Rect(left, box.y + 4, right - left, box.h - 8)
            head, why = text.cut_top(26)
        for seat in self._headline_seats():
            icons.draw_seat_symbol(
                canvas,
                seat,
                head.x + radius,
                head.cy,
                style.action if won else style.secondary_ink,
                radius - 1,
            )
            head = head.cut_left(2 * radius + 6)[1]
        head = head.cut_left(6 if self._headline_seats() else 0)[1]
        canvas.text_fit(head, self.headline(), style.ink if won else style.secondary_ink, "title", size_px)
        if why.h > COMPACT_LINE_HEIGHT_PX * 2:
            first, *others = canvas.wrap(self.reason_line(), "sans", BODY_TEXT_PX, why.w)
            line, why = why.cut_top(why.h / 2)
            canvas.text_fit(line, first, style.secondary_ink, "sans", BODY_TEXT_PX)
            canvas.text_fit(why, " ".join(others), style.secondary_ink, "sans", BODY_TEXT_PX)
        else:
            canvas.text_fit(why, self.reason_line(), style.secondary_ink, "sans", BODY_TEXT_PX)

    def _paint_table(
        self, canvas: Canvas, style: Style, area: Rect, rows: list[tuple[str, str, str]]
    ) -> None:
        """Draw the table of results, with a row for each computer player and a row for draws."""
        series = self.page.computer_players.series_controls.series
        caption = ngettext("After {n} match", "After {n} matches", series.matches_played)
        canvas.text_in(
            Rect(area.x, area.y, area.w, TABLE_ROW_HEIGHT_PX),
            caption,
            style.secondary_ink,
            "sans",
            BODY_TEXT_PX,
        )
        for number, (name, won, share) in enumerate(rows, 1):
            line = Rect(area.x, area.y + number * TABLE_ROW_HEIGHT_PX, area.w, TABLE_ROW_HEIGHT_PX)
            canvas.text_in(line, name, style.ink, "bold", BODY_TEXT_PX)
            canvas.text_in(
                Rect(line.right - 220, line.y, 150, TABLE_ROW_HEIGHT_PX),
                won,
                style.ink,
                "sans",
                BODY_TEXT_PX,
                1,
            )
            canvas.text_in(
                Rect(line.right - 60, line.y, 60, TABLE_ROW_HEIGHT_PX),
                share,
                style.secondary_ink,
                "sans",
                BODY_TEXT_PX,
                1,
            )
