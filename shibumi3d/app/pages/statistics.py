"""Page of statistics: finished matches by game and opponent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shibumi3d.catalogue.solo import games_with_ladder
from shibumi3d.i18n import _, ngettext
from shibumi3d.match.results import FinishedMatch, compute_statistics
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, HEADING_PX, SMALL_TEXT_PX, Style
from shibumi3d.search.levels import PERSON, player_type_of
from shibumi3d.wording import game_title

from ..host.page import TITLE_BAR_HEIGHT_PX, Page
from ..host.player_setup import player_type_title
from ..host.results import ScoreRules
from ..host.solo import ladder_of
from ..host.window_page import NARROW_TITLE_HEIGHT_PX
from ..match.problem import format_duration
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.choice import Choice
from ..ui.label import Label
from ..ui.list_view import ListView
from ..ui.widget import Key

if TYPE_CHECKING:
    from ..host import Host


MIN_TWO_COLUMN_WIDTH_PX = 860
"""Minimum window width at which the details are beside the list rather than below it, in logical pixels."""
GAME_ROW_HEIGHT_PX, DETAIL_LINE_HEIGHT_PX = 56.0, 30.0
"""Height of a game in the list, and of a line of the details, in logical pixels."""
FOOTER_HEIGHT_PX = 44.0
"""Height of the row of controls at the bottom, in logical pixels."""
MAX_SHORT_LIST_HEIGHT_PX, LIST_GAP_PX = 140.0, 14.0
"""Maximum height of the list above the details, and the gap between them, in logical pixels."""
DETAILS_FRAME_HEIGHT_PX = 70.0
"""Height of the details without their lines, in logical pixels."""
MARGIN_PX = 14.0
"""Margin above and below the list and the details, in logical pixels."""
SEPARATOR, NO_BREAK_SPACE = " · ", "\N{NO-BREAK SPACE}"


def opponent_title(name: str) -> str:
    """Return the displayed name of an opponent.

    If ``name`` stands for a computer player, return the display name of its player type. Any other name is returned
    unchanged.
    """
    return name if player_type_of(name) == PERSON else player_type_title(name)


class StatisticsPage(Page):
    """Page that lists games with finished matches or attempted deals, and shows the selected game's statistics."""

    page_name = "results"
    has_narrow_layout = True

    def __init__(self, app: Host) -> None:
        super().__init__(app)
        self.back_button = Button(_("Games"), app.pages.show_home, icon="back", kind="quiet", name="back")
        self.game_list = ListView(GAME_ROW_HEIGHT_PX, self._paint_row, self._select_row, name="results")
        self.empty_label = Label(
            _("No finished games yet. Games between computer players don't count."),
            "italic",
            17,
            "secondary_ink",
            0.5,
        )
        self.save_choice = Choice(
            [_("don't save"), _("save")],
            int(app.settings.results),
            lambda index: app.change_settings(results=bool(index)),
            name="keep results",
        )
        self.delete_button = Button(
            _("Delete all results"), self._confirm_or_delete, kind="quiet", name="forget"
        )
        self.cancel_button = Button(_("Cancel"), self._cancel_confirmation, name="cancel")
        self.cancel_button.visible = False
        self.add(
            self.back_button,
            self.game_list,
            self.empty_label,
            self.save_choice,
            self.cancel_button,
            self.delete_button,
        )
        self.matches_by_game: list[tuple[str, list[FinishedMatch]]] = []
        self.score_rules = ScoreRules()
        self.selected_row = 0
        self._load_results()

    def _load_results(self) -> None:
        """Read the results, group them by game and update the page.

        Matches between computer players are left out. The most recently played game comes first. Solo games without
        results but with attempts at deals come last.
        """
        by_game: dict[str, list[FinishedMatch]] = {}
        for match in self.app.results.matches():
            if match.own_seat >= 0:
                entry = self.app.catalogue.find(match.game)
                lost = self.score_rules.is_common_loss(entry, match.winners, len(match.names))
                by_game.setdefault(match.game, []).append(replace(match, is_common_loss=lost))
        self.matches_by_game = sorted(by_game.items(), key=lambda item: item[1][-1].ended_at, reverse=True)
        # Deals that begin in the middle of a game are stored only as attempts.
        solo = self.app.results.solo
        self.matches_by_game += [
            (game, []) for game in games_with_ladder() if game not in by_game and solo.attempts(game)
        ]
        self.selected_row = min(self.selected_row, max(0, len(self.matches_by_game) - 1))
        self.game_list.set_rows(len(self.matches_by_game), self.selected_row if self.matches_by_game else -1)
        self.empty_label.visible = not self.matches_by_game
        self.delete_button.enabled = bool(self.matches_by_game) or bool(self.app.results.problems.attempts())
        self.refresh()

    def _select_row(self, row: int) -> None:
        self.selected_row = row
        self._cancel_confirmation()
        self.app.relayout()

    @property
    def is_confirming(self) -> bool:
        """Whether the user is being asked to confirm the deletion of all results."""
        return self.cancel_button.visible

    def _confirm_or_delete(self) -> None:
        if not self.is_confirming:
            self.cancel_button.visible = True
            self.delete_button.label = _("Delete permanently")
            self.layout(self.rect)
            self.refresh()
            return
        self._cancel_confirmation()
        reason = self.app.results.delete_results()
        self._load_results()
        self.app.relayout()
        if reason:
            self.app.show_message(reason)

    def _cancel_confirmation(self) -> None:
        if self.is_confirming:
            self.cancel_button.visible = False
            self.delete_button.label = _("Delete all results")
            self.layout(self.rect)
        self.refresh()

    def game_title_of(self, game: str) -> str:
        """Return the title of a game, or its ID if it is no longer in the catalogue."""
        entry = self.app.catalogue.find(game)
        return game_title(entry) if entry else game

    def statistics(self) -> list[tuple[str, str]]:
        """Return the statistics of the selected game, as pairs of a label and a value."""
        if not self.matches_by_game:
            return []
        _unused, matches = self.matches_by_game[self.selected_row]
        if not matches:
            return self._level_statistics()
        totals = compute_statistics(matches)
        alone = len(matches[-1].names) == 1
        rows = [(_("played"), str(totals.played))]
        # A solo game played for a score can't be won, and a long match isn't worse than a short one, so omit those
        # statistics.
        more = (
            alone
            and self.score_rules.score_unit(
                self.app.catalogue.find(self.matches_by_game[self.selected_row][0])
            )
            != ""
        )
        if not more:
            rows.append(((_("solved") if alone else _("won")), str(totals.won)))
        if totals.won_with_hints:
            solved = _("completed with hints") if more else _("solved with hints")
            rows.append(((solved if alone else _("won with hints")), str(totals.won_with_hints)))
        if totals.solutions_shown:
            rows.append((_("solution shown"), str(totals.solutions_shown)))
        if not alone:
            rows += [(_("drawn"), str(totals.drawn)), (_("lost"), str(totals.lost))]
        if not more:
            streaks = _("{now} (best: {most})", now=totals.streak, most=totals.longest_streak)
            rows.append(((_("solving streak") if alone else _("winning streak")), streaks))
        if totals.fewest_turns is not None and not more:
            rows.append(
                (
                    (_("shortest solution") if alone else _("shortest win")),
                    ngettext("{n} turn", "{n} turns", totals.fewest_turns),
                )
            )
        if totals.fastest_win_seconds is not None and not more:
            rows.append(
                (
                    (_("fastest solution") if alone else _("fastest win")),
                    format_duration(totals.fastest_win_seconds),
                )
            )
        if totals.best_score is not None and any(any(match.scores) for match in matches):
            rows.append((_("best score"), str(totals.best_score)))
        return rows + (self._level_statistics() if alone else [])

    def _level_statistics(self) -> list[tuple[str, str]]:
        """Return the statistics of each level of the selected solo game, as pairs of a label and a value.

        Each value says how many of the level's deals have been solved, and how long the current and the longest streaks
        of successful attempts are. Levels that haven't been tried are left out.
        """
        game = self.matches_by_game[self.selected_row][0]
        sizes = Counter(deal.level for deal in ladder_of(game))
        rows = []
        for number, level in self.app.results.solo.statistics(game).items():
            if level.played:
                parts = (
                    _("{found} / {all}", found=level.solved_deals, all=sizes[number]),
                    _("{now} in a row (best: {most})", now=level.streak, most=level.longest_streak),
                )
                rows.append((_("Level {n}", n=number), SEPARATOR.join(parts)))
        return rows

    def opponent_statistics(self) -> list[tuple[str, str]]:
        """Return the opponents in the selected game, with a text that says how the player fared against each.

        The text gives the player's wins, draws and losses. In games with several opponents, those of a match count as
        one entry; the same opponents in a different seat order are listed separately. The most frequent opponents come
        first.
        """
        by_name: dict[tuple[str, ...], list[FinishedMatch]] = {}
        for match in self.matches_by_game[self.selected_row][1] if self.matches_by_game else ():
            if match.opponents:
                by_name.setdefault(match.opponents, []).append(match)
        rows = []
        for names, matches in sorted(by_name.items(), key=lambda item: -len(item[1])):
            statistics = compute_statistics(matches)
            counts = (
                ngettext("{n} won", "{n} won", statistics.won),
                ngettext("{n} drawn", "{n} drawn", statistics.drawn),
                ngettext("{n} lost", "{n} lost", statistics.lost),
            )
            rows.append((", ".join(map(opponent_title, names)), SEPARATOR.join(counts)))
        return rows

    # Layout

    def heading(self) -> str:
        return _("Results")

    def min_size_for(self, window_width: float) -> tuple[float, float]:
        column, high = super().min_size_for(window_width)
        # Make room for every line of the details.
        opponent_count = len(self.opponent_statistics())
        lines = len(self.statistics()) + (opponent_count + 1 if opponent_count else 0)
        needed = (
            TITLE_BAR_HEIGHT_PX + FOOTER_HEIGHT_PX + DETAILS_FRAME_HEIGHT_PX + lines * DETAIL_LINE_HEIGHT_PX
        )
        if window_width < MIN_TWO_COLUMN_WIDTH_PX:
            needed += self._short_list_height + LIST_GAP_PX
        if window_width < self.min_size[0]:
            needed += NARROW_TITLE_HEIGHT_PX + FOOTER_HEIGHT_PX
        return column, max(high, needed + 2 * MARGIN_PX)

    @property
    def _short_list_height(self) -> float:
        """Height of the list when the details are below it, in logical pixels."""
        return min(MAX_SHORT_LIST_HEIGHT_PX, max(self.game_list.content_height, GAME_ROW_HEIGHT_PX))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        _unused, rest = self.layout_title_bar(rect, self.back_button)
        footer, rest = rest.inset(16, MARGIN_PX).cut_bottom(FOOTER_HEIGHT_PX - 10, 10)
        wide = self.delete_button.preferred_width(canvas)
        self.delete_button.layout(Rect(footer.right - wide, footer.y, wide, 32))
        if self.is_confirming:
            cancel = self.cancel_button.preferred_width(canvas)
            self.cancel_button.layout(Rect(footer.right - wide - 8 - cancel, footer.y, cancel, 32))
            wide += 8 + cancel
        if self.is_narrow:
            footer, rest = rest.cut_bottom(FOOTER_HEIGHT_PX - 10, 10)
        label = canvas.text_width(_("Results"), "sans", BODY_TEXT_PX - 1) + 14
        free = footer.w - label - (0 if self.is_narrow else wide + 16)
        self.save_choice.layout(Rect(footer.x + label, footer.y, min(260, free), 32))
        if rect.w >= MIN_TWO_COLUMN_WIDTH_PX:
            column, self.details_rect = rest.cut_left(rest.w * 0.46, 20)
        else:
            column, self.details_rect = rest.cut_top(self._short_list_height, LIST_GAP_PX)
        self.game_list.layout(column)
        self.empty_label.layout(rest.cut_top(60)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.paint_title_bar(canvas, style)
        canvas.text_in(
            Rect(16, self.save_choice.rect.y, 260, 32),
            _("Results"),
            style.secondary_ink,
            "sans",
            BODY_TEXT_PX - 1,
        )
        if not self.matches_by_game:
            return
        box = self.details_rect
        canvas.rect(box, style.card, CORNER_RADIUS_PX)
        canvas.outline(box, style.hairline, CORNER_RADIUS_PX)
        area = box.inset(20, 14)
        title, area = area.cut_top(34)
        canvas.text_in(
            title,
            self.game_title_of(self.matches_by_game[self.selected_row][0]),
            style.ink,
            "title",
            HEADING_PX - 2,
        )
        rest = self._paint_lines(canvas, style, area, "", self.statistics())
        opponent_rows = self.opponent_statistics()
        if opponent_rows:
            self._paint_lines(canvas, style, rest, _("Against"), opponent_rows)

    def _paint_lines(
        self, canvas: Canvas, style: Style, area: Rect, heading: str, lines: Sequence[tuple[str, str]]
    ) -> Rect:
        """Draw ``heading``, if any, and a line for each label and value; return the remaining part of ``area``."""
        if heading:
            place, area = area.cut_top(DETAIL_LINE_HEIGHT_PX)
            canvas.text_in(place, heading, style.secondary_ink, "bold", SMALL_TEXT_PX)
        for name, value in lines:
            place, area = area.cut_top(DETAIL_LINE_HEIGHT_PX)
            # If a value must be wrapped, each of its numbers stays with its word.
            value = SEPARATOR.join(part.replace(" ", NO_BREAK_SPACE) for part in value.split(SEPARATOR))
            # If space is short, reserve at most a third of the width for the label, and shrink the value instead.
            min_label_width = min(canvas.text_width(name, "sans", BODY_TEXT_PX), place.w / 3)
            wide = min(canvas.text_width(value, "bold", BODY_TEXT_PX), place.w - min_label_width - 10)
            left, right = place.cut_left(place.w - wide)
            canvas.text_fit(
                Rect(left.x, left.y, left.w - 10, left.h), name, style.secondary_ink, "sans", BODY_TEXT_PX
            )
            canvas.text_fit(right, value, style.ink, "bold", BODY_TEXT_PX, 1)
            canvas.hairline(place.x, place.bottom - 1, place.w, multiply_alpha(style.hairline, 0.6))
        return area.cut_top(8)[1]

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        game, matches = self.matches_by_game[row]
        box = self.game_list.paint_row_background(canvas, style, rect, row, is_hovered)
        area = box.inset(14, 4)
        statistics = compute_statistics(matches)
        attempts = () if matches else self.app.results.solo.attempts(game)
        counts_text = _(
            "{played}, {won}",
            played=ngettext("{n} match", "{n} matches", statistics.played + len(attempts)),
            won=ngettext(
                "{n} won", "{n} won", statistics.won + sum(attempt.is_solved for attempt in attempts)
            ),
        )
        wide = canvas.text_width(counts_text, "sans", SMALL_TEXT_PX)
        canvas.text_in(area, counts_text, style.secondary_ink, "sans", SMALL_TEXT_PX, 1)
        canvas.text_fit(
            Rect(area.x, area.y, area.w - wide - 12, area.h), self.game_title_of(game), style.ink, "title", 18
        )

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape":
            if self.is_confirming:
                self._cancel_confirmation()
            else:
                self.app.pages.show_home()
            return True
        return self.game_list.on_key(key)

    def trace_values(self) -> Mapping[str, object]:
        return {
            "results": {game: len(matches) for game, matches in self.matches_by_game},
            "lines": self.statistics(),
        }
