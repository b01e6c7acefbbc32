"""Page that lists all tournaments."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, localize, ngettext
from shibumi3d.match.tournament import Tournament
from shibumi3d.match.tournament_store import SavedTournament
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL_TEXT_PX, Style
from shibumi3d.wording import SYSTEM_TEXTS, format_date, tournament_round_title

from ...host.file_deletion import FileDeletion
from ...host.page import Page
from ...host.tournaments import collect_results, tournament_store
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.label import Label
from ...ui.list_view import ListView
from ...ui.widget import Key

if TYPE_CHECKING:
    from ...host import Host

ROW_HEIGHT_PX = 64.0


def describe_progress(tournament: Tournament) -> str:
    """Return a text that names a tournament's current round or, once the tournament is over, its winners."""
    if not tournament.is_over:
        return tournament_round_title(tournament, tournament.current_round)
    winners = [tournament.players[row.player].name for row in tournament.standings() if row.rank == 1]
    return ngettext("winner: {names}", "winners: {names}", len(winners), names=", ".join(winners))


class TournamentsPage(Page):
    """Page that lists all tournaments, most recently changed first."""

    page_name = "tournaments"
    has_narrow_layout = True

    def __init__(self, app: Host) -> None:
        super().__init__(app)
        self.store = tournament_store(app)
        self.files: list[SavedTournament] = []
        self.back_button = Button(_("Games"), app.pages.show_home, icon="back", kind="quiet", name="back")
        self.new_button = Button(
            _("New tournament"), app.pages.show_tournament_setup, icon="plus", name="new tournament"
        )
        self.tournament_list = ListView(
            ROW_HEIGHT_PX, self._paint_row, lambda row: None, on_open=self._open_row, name="tournaments"
        )
        self.open_button = Button(
            _("Open"), lambda: self._open_row(self.tournament_list.current_row), kind="main", name="open"
        )
        self.deletion = FileDeletion(app, self.store, self._selected_path, self._on_files_changed)
        self.empty_label = Label(
            _("No tournaments yet. A tournament needs 3 to 16 players, who can be people or computers."),
            "italic",
            17,
            "secondary_ink",
            0.5,
            max_lines=3,
        )
        self.add(
            self.back_button,
            self.new_button,
            self.tournament_list,
            self.open_button,
            self.deletion.delete_button,
            self.deletion.restore_button,
            self.empty_label,
        )
        self._read_files()

    def _read_files(self) -> None:
        self.files = [
            SavedTournament(saved.path, saved.modified_at, collect_results(self.app, saved.tournament))
            if saved.tournament is not None
            else saved
            for saved in self.store.list_files()
        ]
        row = max(0, min(self.tournament_list.current_row, len(self.files) - 1))
        self.tournament_list.set_rows(len(self.files), row if self.files else -1)
        self.open_button.enabled = self.deletion.delete_button.enabled = bool(self.files)
        self.empty_label.visible = not self.files
        self.refresh()

    def _open_row(self, row: int) -> None:
        if 0 <= row < len(self.files):
            self.app.pages.show_tournament(self.files[row].path)

    def _selected_path(self) -> Path | None:
        row = self.tournament_list.current_row
        return self.files[row].path if 0 <= row < len(self.files) else None

    def _on_files_changed(self, restored_path: Path | None) -> None:
        self._read_files()
        self.layout(self.rect)

    def heading(self) -> str:
        return _("Tournaments")

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        top, rest = self.layout_title_bar(rect, self.back_button)
        wide = self.new_button.preferred_width(canvas)
        self.new_button.layout(Rect(top.right - 20 - wide, top.cy - 16, wide, 32))
        column = rest.centred(min(760, rest.w - 32), rest.h - 28)
        foot, column = column.cut_bottom(34, 10)
        place, foot = foot.cut_right(self.open_button.preferred_width(canvas), 8)
        self.open_button.layout(Rect(place.x, place.y + 1, place.w, 32))
        self.deletion.layout(foot)
        self.tournament_list.layout(column)
        self.empty_label.layout(column.cut_top(80)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.paint_title_bar(canvas, style)

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        saved = self.files[row]
        box = self.tournament_list.paint_row_background(canvas, style, rect, row, is_hovered)
        upper, lower = box.inset(14, 6).cut_top(24)
        day = format_date(datetime.fromtimestamp(saved.modified_at))
        wide = canvas.text_in(upper, day, style.secondary_ink, "sans", SMALL_TEXT_PX, 1)
        tournament = saved.tournament
        title = tournament.name if tournament is not None else saved.path.name
        canvas.text_in(upper.cut_right(wide + 12)[1], title, style.ink, "title", 18)
        if tournament is None:
            canvas.text_fit(lower, localize(saved.problem), style.warning, "sans", SMALL_TEXT_PX)
            return
        about = (
            _(SYSTEM_TEXTS[tournament.system]),
            ngettext("{n} player", "{n} players", len(tournament.players)),
            describe_progress(tournament),
        )
        canvas.text_fit(lower, " · ".join(about), style.secondary_ink, "sans", SMALL_TEXT_PX)

    def on_key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.show_home()
            return True
        return self.deletion.on_key(key) or self.tournament_list.on_key(key)

    def trace_values(self) -> Mapping[str, object]:
        return {"tournaments": [saved.path.name for saved in self.files]}
