"""Page of saved games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.catalogue.schema import Entry
from shibumi3d.files import expand_path
from shibumi3d.i18n import N_, _, language, localize, ngettext
from shibumi3d.match.match import reason_message
from shibumi3d.match.store import SavedMatch
from shibumi3d.rules.wording import capitalize_first, describe_winners
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, HEADING_PX, SMALL_TEXT_PX, Style
from shibumi3d.wording import game_title

from ...host.file_deletion import FileDeletion
from ...host.page import TITLE_BAR_HEIGHT_PX, Page
from ...host.results import ScoreRules
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.label import Label
from ...ui.list_view import ListView
from ...ui.text_input import TextField
from ...ui.widget import Key
from .filters import fold_for_search

if TYPE_CHECKING:
    from ...host import Host


FILTER_TEXTS = {
    "all": N_("all"),
    "unfinished": N_("in progress"),
    "finished": N_("finished"),
}

READ_STEP_BYTES = 128 * 1024
"""Maximum number of bytes of saved games to read in one step."""
MAX_CACHED_RECORDS = 64
"""Maximum number of match records kept in memory to draw the pictures of visible rows."""
MIN_WIDTH_WITH_PICTURE_PX = 480.0
"""Minimum width at which a row has a picture, in logical pixels."""
STATUS_FILTERS = ("all", "unfinished", "finished")
"""Options of the filter that selects unfinished or finished matches."""
ROW_HEIGHT_PX, TALL_ROW_HEIGHT_PX = 60.0, 76.0
"""Heights of a normal row and of a row whose second line may wrap, in logical pixels."""
READ_PAUSE_SECONDS = 0.02
"""Pause between read steps, in seconds, so that the window can be redrawn."""


def format_time(changed: float) -> str:
    """Format a Unix timestamp; return an empty string if it is 0 or out of range."""
    try:
        return datetime.fromtimestamp(changed).strftime(_("%d %b %Y, %H:%M")) if changed else ""
    except (OverflowError, OSError, ValueError):
        return ""


class SavedGamesPage(Page):
    """Page that lists all saved matches with at least one turn, most recently changed first.

    Opening an unfinished match resumes it; opening a finished one replays it. Files that can't be read are listed, too.
    """

    page_name = "saved"
    has_narrow_layout = True

    def __init__(self, app: Host) -> None:
        self._translated_reasons: dict[tuple[str, str], str] = {}
        self._search_texts: dict[SavedMatch, str] = {}
        """Text to search in for each file, as returned by :func:`.fold_for_search`; filled as needed."""
        self._records: dict[SavedMatch, str] = {}
        """Records of the visible files as text, from which their pictures are drawn."""
        self._all_files: tuple[SavedMatch, ...] | None = None
        self.score_rules = ScoreRules()
        super().__init__(app)
        self.files: tuple[SavedMatch, ...] = ()
        self.back_button = Button(_("Games"), app.pages.show_home, icon="back", kind="quiet", name="back")
        self.game_list = ListView(
            ROW_HEIGHT_PX, self._paint_row, lambda row: None, on_open=self._open_row, name="saved"
        )
        self.open_button = Button(
            _("Open"), lambda: self._open_row(self.game_list.current_row), kind="main", name="open"
        )
        self.statistics_button = Button(
            _("Results"), app.pages.show_statistics, kind="quiet", name="show results"
        )
        self.empty_label = Label(_("No saved games yet."), "italic", 17, "secondary_ink", 0.5)
        self.status_filter = Choice(
            [_(FILTER_TEXTS[which]) for which in STATUS_FILTERS],
            0,
            lambda number: self._update_list(),
            name="finished",
        )
        self.search_field = TextField(
            "",
            lambda words: self._update_list(),
            placeholder=_("Game, player or date"),
            icon="search",
            name="search kept",
            clears_on_escape=True,
        )
        self.deletion = FileDeletion(app, app.store, self._selected_path, self._on_files_changed)
        self.path_field = TextField(
            "", placeholder=_("Enter a file path"), name="path", max_length=400, on_enter=self._open_path
        )
        self.choose_button = Button(
            _("Choose file…"),
            self.choose_file,
            tip=_(
                "Open any Shibumi 3D file: a saved match, a game, a set of problems, or a text file with a "
                "shared link  Ctrl+O"
            ),
            name="choose file",
        )
        self.path_field.accessible_name, self.search_field.accessible_name = (
            _("Path of the file to open"),
            _("Search saved games"),
        )
        self.add(
            self.back_button,
            self.game_list,
            self.open_button,
            self.statistics_button,
            self.empty_label,
            self.path_field,
            self.choose_button,
        )
        self.add(
            self.status_filter,
            self.search_field,
            self.deletion.delete_button,
            self.deletion.restore_button,
        )
        self._read_files()

    def on_show(self) -> None:
        self.app.schedule(READ_PAUSE_SECONDS, self._read_more)

    def on_leave(self) -> None:
        self.app.gallery.cancel_pending()

    def _read_files(self) -> None:
        """Refresh the list of files, and read some of the files that haven't been read yet."""
        self._all_files = self.app.store.list_files(READ_STEP_BYTES)
        self._update_list()

    def _update_list(self) -> None:
        assert self._all_files is not None
        files = [file for file in self._all_files if file.summary is None or file.summary.has_turns]
        current_path = (
            self.files[self.game_list.current_row].path
            if 0 <= self.game_list.current_row < len(self.files)
            else None
        )
        self.has_unread = any(file.is_unread for file in self._all_files)
        words = fold_for_search(self.search_field.value).split()
        self.files = tuple(
            [
                file
                for file in files
                if self._matches_filter(file, STATUS_FILTERS[self.status_filter.selected_index], words)
            ]
        )
        row = next((n for n, file in enumerate(self.files) if file.path == current_path), 0)
        self.game_list.set_rows(len(self.files), row if self.files else -1)
        self.open_button.enabled = self.deletion.delete_button.enabled = bool(self.files)
        self.empty_label.visible = not self.files
        self.empty_label.set_caption(_("No saved games match.") if files else _("No saved games yet."))
        self.refresh()

    def _read_more(self) -> None:
        if self.app.current_page is self and self.has_unread and self._all_files is not None:
            self._all_files = self.app.store.read_more(self._all_files, READ_STEP_BYTES)
            self._update_list()
            self.app.schedule(READ_PAUSE_SECONDS, self._read_more)

    def _matches_filter(self, file: SavedMatch, status: str, words: Sequence[str]) -> bool:
        """Return whether a file matches the filter option ``status`` and all search ``words``.

        A file that is unreadable or hasn't been read yet matches only if ``status`` is "all" and there are no words.
        """
        summary = file.summary
        if summary is None:
            return not words and status == "all"
        if status != "all" and (summary.result is None) != (status == "unfinished"):
            return False
        if not words:
            return True
        if file not in self._search_texts:
            entry = self.app.catalogue.find(summary.game)
            titles = (entry.title, *entry.titles.values()) if entry else (summary.game,)
            self._search_texts[file] = fold_for_search(
                " ".join((*titles, *summary.seats, format_time(file.modified_at)))
            )
        return all(word in self._search_texts[file] for word in words)

    def _record_text(self, file: SavedMatch) -> str:
        """Return the match record in a file as text, or an empty string if it can't be read."""
        if file not in self._records:
            if len(self._records) >= MAX_CACHED_RECORDS:
                del self._records[next(iter(self._records))]
            record = file.record
            self._records[file] = record.to_text() if record is not None else ""
        return self._records[file]

    def _selected_path(self) -> Path | None:
        row = self.game_list.current_row
        return self.files[row].path if 0 <= row < len(self.files) else None

    def _on_files_changed(self, restored_path: Path | None) -> None:
        """Read the files again after one has been deleted or restored.

        A restored file is selected. ``restored_path`` is its path, or None after a deletion.
        """
        row = self.game_list.current_row
        self._read_files()
        if restored_path is not None:
            row = next((n for n, file in enumerate(self.files) if file.path == restored_path), 0)
        if self.files:
            self.game_list.select_row(min(row, len(self.files) - 1))
        self.layout(self.rect)

    def heading(self) -> str:
        return _("Saved games")

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        top, rest = self.layout_title_bar(rect, self.back_button)
        self.open_button.layout(Rect(top.right - 124, top.cy - 16, 104, 32))
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        wide = self.statistics_button.preferred_width(canvas)
        self.statistics_button.layout(Rect(top.right - 136 - wide, top.cy - 16, wide, 32))
        column = rest.centred(min(760, rest.w - 32), rest.h - 28)
        foot, column = column.cut_bottom(34, 10)
        file = foot
        if self.is_narrow:
            file, column = column.cut_bottom(34, 10)
        foot = self.deletion.layout(foot)
        file = file if self.is_narrow else foot
        choose, file = file.cut_right(self.choose_button.preferred_width(canvas), 8)
        self.choose_button.layout(Rect(choose.x, choose.y + 1, choose.w, 32))
        self.path_field.layout(file)
        line, column = column.cut_top(34, 10)
        if self.is_narrow:
            filter_rect = line
            search_rect, column = column.cut_top(34, 10)
        else:
            filter_rect, search_rect = line.cut_left(
                min(self.status_filter.preferred_width(canvas) + 40, line.w * 0.6), 10
            )
        self.game_list.row_height = TALL_ROW_HEIGHT_PX if self.is_narrow else ROW_HEIGHT_PX
        self.status_filter.layout(filter_rect)
        self.search_field.layout(search_rect)
        self.game_list.layout(column)
        self.empty_label.layout(column.cut_top(60)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)
        canvas.hairline(self.rect.x, TITLE_BAR_HEIGHT_PX - 1, self.rect.w, style.hairline)
        title, place = _("Saved games"), self.title_rect
        if not self.is_narrow:
            # The title goes in the middle of the window, or as near to it as the buttons allow.
            left, right = self.back_button.rect.right + 8, self.statistics_button.rect.x - 8
            wide = min(canvas.text_width(title, "title", HEADING_PX), right - left)
            place = Rect(max(left, min(place.cx - wide / 2, right - wide)), place.y, wide, place.h)
        size = canvas.fit_font_size(title, "title", range(HEADING_PX, 15, -1), place.w)
        canvas.text_in(place, title, style.ink, "title", size, 0.5)

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.show_home()
            return True
        if key.chord == "ctrl+o":
            self.choose_file()
            return True
        return self.deletion.on_key(key) or self.game_list.on_key(key)

    def trace_values(self) -> Mapping[str, object]:
        return {"saved": [file.path.name for file in self.files]}

    def _open_row(self, row: int) -> None:
        if 0 <= row < len(self.files):
            file = self.files[row]
            if file.problem:
                self.app.show_message(_("{text}.", text=capitalize_first(localize(file.problem))))
            else:
                self.app.matches.open_file(file.path)

    def choose_file(self) -> None:
        """Show the system's file dialog, and open the file that the user chooses."""
        self.app.file_chooser.open_file(_("Open file"), self.app.matches.open_path)

    def _open_path(self) -> None:
        path_text = self.path_field.value.strip()
        try:
            if path_text:
                self.app.matches.open_path(expand_path(path_text))
        except OSError as problem:
            self.app.show_message(_("Couldn't open {path}: {problem}.", path=path_text, problem=problem))

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        file = self.files[row]
        box = self.game_list.paint_row_background(canvas, style, rect, row, is_hovered)
        area, summary = box.inset(14, 6), file.summary
        entry = self.app.catalogue.find(summary.game) if summary is not None else None
        if self.app.gallery.folder is not None and rect.w >= MIN_WIDTH_WITH_PICTURE_PX:
            field, area = area.cut_left(area.h * 1.6, 12)
            picture = None
            if entry is not None and (record := self._record_text(file)):
                picture = self.app.gallery.match_picture(file.path, record, entry)
            if picture is None:
                canvas.rect(field, style.recessed, CORNER_RADIUS_PX - 2)
            else:
                canvas.picture(field, picture, CORNER_RADIUS_PX - 2)
        upper, lower = area.cut_top(24)
        canvas.text_in(upper, format_time(file.modified_at), style.secondary_ink, "sans", SMALL_TEXT_PX, 1)
        if summary is None:
            canvas.text_in(upper.cut_left(upper.w - 150)[0], file.path.name, style.secondary_ink, "title", 18)
            canvas.text_in(lower, localize(file.problem or ""), style.warning, "sans", SMALL_TEXT_PX)
            return
        canvas.text_in(
            upper.cut_left(upper.w - 150)[0],
            game_title(entry) if entry else summary.game,
            style.ink,
            "title",
            18,
        )
        turns = ngettext("{n} turn", "{n} turns", summary.turns)
        ended, result = _("in progress"), summary.result
        if result is not None:
            winners = [summary.seats[seat] for seat in result.winners]
            reason = self._translate_reason(result.reason, entry, len(summary.seats)) if result.reason else ""
            score = (
                self.score_rules.format_solo_score(entry, result.scores) if len(summary.seats) == 1 else ""
            )
            ended = describe_winners(
                winners,
                len(summary.seats),
                reason,
                language(),
                score=score,
                solution_shown=summary.is_solution_shown,
                is_common_loss=self.score_rules.is_common_loss(
                    entry, winners, len(summary.seats), result.reason
                ),
            )
        line = _("{people} · {turns} · {ended}", people=" – ".join(summary.seats), turns=turns, ended=ended)
        canvas.text_fit(lower, line, style.secondary_ink, "sans", SMALL_TEXT_PX)

    def _translate_reason(self, english: str, entry: Entry | None, seats: int) -> str:
        """Translate ``english``, the reason why a match ended, into the current language.

        The translation comes from the game file or, failing that, from the program. If neither has one, the English
        text is returned. ``entry`` is the game, or None if it isn't in the catalogue, and ``seats`` is the number of
        seats.
        """
        key = (english, entry.id if entry else "")
        if key not in self._translated_reasons:
            translation = entry.find_translation(english, language()) if entry is not None else ""
            numbered = self.score_rules.numbered_reasons(entry, seats)
            self._translated_reasons[key] = translation or localize(reason_message(english, numbered))
        return self._translated_reasons[key]
