"""Panel with the opening statistics of a game: how often each first turn wins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from shibumi3d.catalogue.openings import FirstTurn, OpeningStatistics, load_openings
from shibumi3d.catalogue.schema import Entry
from shibumi3d.i18n import N_, _, format_percent, ngettext
from shibumi3d.match.match import Match
from shibumi3d.match.store import MatchSummary, SavedMatch
from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX, Style
from shibumi3d.wording import about_openings, describe_first_turn, describe_opening_matches

from ..ui.canvas import Canvas
from ..ui.list_view import ListView
from ..ui.prose import FormattedText
from ..ui.widget import Widget

if TYPE_CHECKING:
    from ..host import Host
    from .game_preview import RulesExample

ROW_HEIGHT_PX, OWN_LINE_HEIGHT_PX = 58.0, 18.0
"""Height of a row in the list, and additional height for a line about the user's own matches, in logical pixels."""
MAX_LIST_HEIGHT_FRACTION = 0.72
"""Maximum height of the list, as a fraction of the panel's height."""
TEXT_GAP_PX = 10.0
"""Gap between the list and the text below it, in logical pixels."""
BAR_HEIGHT_PX, SHARE_MARK_WIDTH_PX = 4.0, 3.0
"""Height of the bar with the confidence interval of a win rate, and width of the rate's mark, in logical pixels."""
OWN_MATCHES_TEXT = N_("Select a turn to see it. “In your matches” also counts the wins of the first player.")
READ_STEP_BYTES = 128 * 1024
"""Maximum number of bytes of saved matches to read in one step."""
READ_PAUSE_SECONDS = 0.02
"""Pause between read steps, in seconds, so that the window can be redrawn."""


def statistics_for(match: Match, entry: Entry) -> OpeningStatistics | None:
    """Return the opening statistics of a match's game, or None if there are none that apply to the match.

    They apply only if the match has the standard starting position, the game's default size, variant and options, and
    the number of seats for which the statistics were made.
    """
    statistics = load_openings(entry.id)
    if statistics is None or match.position is not None or match.state.seats != len(statistics.turns[0].wins):
        return None
    usual = entry.game()
    played = match.game
    is_usual = (played.form, played.size, played.variant) == (usual.form, usual.size, usual.variant)
    return statistics if is_usual else None


class OpeningsPanel(Widget):
    """List of the first turns of a game, with the best turns for the first player on top.

    The picture above the list shows the selected turn.
    """

    def __init__(
        self, app: Host, match: Match, entry: Entry, get_example: Callable[[], RulesExample], font_size: int
    ) -> None:
        """Create the panel.

        ``get_example`` returns the animation that shows the selected turn. ``font_size`` is the text size in logical
        pixels.
        """
        super().__init__("openings panel")
        self.app, self.match, self.entry, self._get_example = app, match, entry, get_example
        self.statistics = statistics_for(match, entry)
        rows = self.statistics.turns if self.statistics is not None else ()
        self.rows = sorted(rows, key=lambda row: -row.win_share(0))
        self._saved_matches: Sequence[SavedMatch] | None = None
        self._own_counts: dict[FirstTurn, tuple[int, int]] = {}
        """For each first turn, how many of the user's matches began with it, and how many of these seat 0 won."""
        self.about = FormattedText(
            "" if self.statistics is None else f"{about_openings(self.statistics)} {_(OWN_MATCHES_TEXT)}",
            font_size,
            name="about openings",
        )
        self.list = FirstTurnList(self)
        self.list.set_rows(len(self.rows), 0 if self.rows else -1)
        self.add(self.list, self.about)
        self.visible = False

    @cached_property
    def turn_texts(self) -> list[str]:
        """Descriptions of the first turns, one for each row."""
        return [describe_first_turn(self.entry, row, self.match.names) for row in self.rows]

    def show_turn(self) -> None:
        """Show the selected first turn in the animated picture above the openings."""
        row = self.list.current_row
        self._get_example().show_lesson(self.rows[row].lesson(), _("First turn"))
        self.app.relayout()

    def on_opened(self) -> None:
        """Show the selected turn, and count the user's own matches if that has not been done yet."""
        self.show_turn()
        if self._saved_matches is None:
            self._saved_matches = self.app.store.list_files(READ_STEP_BYTES)
            self._count_own_matches()

    def _count_own_matches(self) -> None:
        """Count the user's own finished matches for each first turn, and how many of them the first player won.

        Then update the panel and, if some of the saved matches are still unread, schedule reading more of them.
        """
        assert self.statistics is not None
        assert self._saved_matches is not None
        counts: dict[FirstTurn, tuple[int, int]] = {}
        for saved in self._saved_matches:
            summary = saved.summary
            if summary is None or not self._is_counted(summary):
                continue
            row = self.statistics.find_row(summary.first_turn)
            if row is not None and summary.result is not None:
                played, won = counts.get(row, (0, 0))
                counts[row] = played + 1, won + (0 in summary.result.winners)
        self._own_counts = counts
        row_height = ROW_HEIGHT_PX + (OWN_LINE_HEIGHT_PX if counts else 0.0)
        if row_height != self.list.row_height:
            self.list.row_height = row_height
            self.layout(self.rect)
        self.refresh()
        if any(saved.is_unread for saved in self._saved_matches):
            self.app.schedule(READ_PAUSE_SECONDS, self._read_more)

    def _read_more(self) -> None:
        if self.visible and self._saved_matches is not None:
            self._saved_matches = self.app.store.read_more(self._saved_matches, READ_STEP_BYTES)
            self._count_own_matches()
        else:
            self._saved_matches = None  # start again when the panel is next opened

    def _is_counted(self, summary: MatchSummary) -> bool:
        """Return whether a saved match has the same game, variant, size and number of seats as this match.

        A saved match with size 0 counts for every size.
        """
        game = self.match.game
        return (
            summary.game == self.entry.id
            and summary.variant == game.variant
            and summary.size in (0, game.size)
            and len(summary.seats) == self.match.state.seats
        )

    def describe_own_matches(self, row: int) -> str:
        """Return a short text about the results of the user's own matches that began with the turn in ``row``.

        The text says how many of these matches the first player won. It is empty if there are none.
        """
        played, won = self._own_counts.get(self.rows[row], (0, 0))
        if not played:
            return ""
        return ngettext("in your matches: {won} of {n}", "in your matches: {won} of {n}", played, won=won)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        high = min(self.list.content_height, rect.h * MAX_LIST_HEIGHT_FRACTION)
        above, below = rect.cut_top(high, TEXT_GAP_PX)
        self.list.layout(above)
        self.about.layout(below)


class FirstTurnList(ListView):
    """List of the first turns of a game, with the first player's share of wins after each of them."""

    def __init__(self, panel: OpeningsPanel) -> None:
        super().__init__(ROW_HEIGHT_PX, self._paint_row, lambda row: panel.show_turn(), name="openings")
        self.panel = panel
        self.accessible_name = _("Openings")

    def paint_key(self) -> object:
        return *self.paint_state(), tuple(map(self.panel.describe_own_matches, range(self.row_count)))

    def describe_row(self, row: int, spell_keys: Callable[[str], str]) -> Sequence[str]:
        panel = self.panel
        shown = panel.rows[row]
        return [
            panel.turn_texts[row],
            format_percent(shown.win_share(0)),
            describe_opening_matches(shown),
            panel.describe_own_matches(row),
        ]

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        panel = self.panel
        shown = panel.rows[row]
        area = self.paint_row_background(canvas, style, rect, row, is_hovered).inset(10, 5)
        bar_area, area = area.cut_bottom(BAR_HEIGHT_PX, 3)
        own_area, area = area.cut_bottom(self.row_height - ROW_HEIGHT_PX)
        first, second = area.cut_top(area.h / 2)
        share = format_percent(shown.win_share(0))
        wide = canvas.text_width(share, "bold", 15)
        canvas.text_in(first, share, style.ink, "bold", 15, 1)
        words = Rect(first.x, first.y, first.w - wide - 10, first.h)
        canvas.text_fit(words, panel.turn_texts[row], style.ink, "sans", 15)
        canvas.text_fit(second, describe_opening_matches(shown), style.secondary_ink, "sans", SMALL_TEXT_PX)
        if own := panel.describe_own_matches(row):
            canvas.text_in(own_area, own, style.action, "sans", SMALL_TEXT_PX)
        low, high = shown.win_interval(0)
        bar = Rect(bar_area.x, bar_area.y, bar_area.w, BAR_HEIGHT_PX)
        canvas.rect(bar, style.recessed)
        interval = Rect(bar.x + bar.w * low, bar.y, bar.w * (high - low), bar.h)
        canvas.rect(interval, multiply_alpha(style.action, 0.4))
        middle = bar.x + bar.w * shown.win_share(0)
        canvas.rect(Rect(middle - SHARE_MARK_WIDTH_PX / 2, bar.y, SHARE_MARK_WIDTH_PX, bar.h), style.action)
