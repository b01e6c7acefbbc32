"""Page of saved games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.app.wording import titled
from shibumi3d.catalogue.schema import Entry
from shibumi3d.files import typed_path
from shibumi3d.i18n import N_, _, language, localize, ngettext
from shibumi3d.match.match import reason_of
from shibumi3d.match.store import Saved
from shibumi3d.rules.ending import who_won
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import HEADING, RADIUS, SMALL, Style

from ...board.counted import Counted
from ...host.page import Page
from ...host.screen import TITLED
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.choice import Choice
from ...ui.core import Key
from ...ui.field import Field
from ...ui.label import Text
from ...ui.listing import Listing

if TYPE_CHECKING:
    from ...host import Host

from .filters import folded

KEPT_SHOW_TEXTS = {
    "all": N_("all"),
    "unfinished": N_("in progress"),
    "finished": N_("finished"),
}

READ = 128 * 1024
"""Maximum number of bytes of saved games to read in one step."""
IN_SIGHT = 64
"""Maximum number of match records kept in memory to draw the pictures of visible rows."""
PICTURED = 480.0
"""Minimum width at which a row has a picture, in logical pixels."""
FINISHED = ("all", "unfinished", "finished")
"""Options of the filter that selects unfinished or finished matches."""
HIGH, TALL = 60.0, 76.0
"""Heights of a normal row and of a row whose second line may wrap, in logical pixels."""
PAUSE = 0.02
"""Pause between read steps, in seconds, so that the window can be redrawn."""


def when(changed: float) -> str:
    """Format a Unix timestamp; return an empty string if it is 0 or out of range."""
    try:
        return datetime.fromtimestamp(changed).strftime(_("%d %b %Y, %H:%M")) if changed else ""
    except (OverflowError, OSError, ValueError):
        return ""


class SavedGames(Page):
    """List of all saved matches with at least one turn, most recently changed first.

    Opening an unfinished match resumes it; opening a finished one replays it.
    """

    title = "saved"
    columned = True

    def __init__(self, app: Host) -> None:
        self._reasons: dict[tuple[str, str], str] = {}
        self._texts: dict[Saved, str] = {}
        """Searchable text of each file."""
        self._records: dict[Saved, str] = {}
        """Records of the visible files as text, from which their pictures are drawn."""
        self._every: tuple[Saved, ...] | None = None
        self.counted = Counted()
        super().__init__(app)
        self.files: tuple[Saved, ...] = ()
        self.back = Button(_("Games"), app.pages.home, icon="back", kind="quiet", name="back")
        self.list = Listing(HIGH, self._paint_row, lambda row: None, opened=self._open, name="saved")
        self.go = Button(_("Open"), lambda: self._open(self.list.current), kind="main", name="open")
        self.results = Button(_("Results"), app.pages.results, kind="quiet", name="show results")
        self.none = Text(_("No saved games yet."), "italic", 17, "soft", 0.5)
        self.wanted = Choice(
            [_(KEPT_SHOW_TEXTS[which]) for which in FINISHED], 0, lambda number: self._show(), name="finished"
        )
        self.search = Field(
            "",
            lambda words: self._show(),
            hint=_("Game, name or date"),
            icon="search",
            name="search kept",
            clears=True,
        )
        self.delete = Button(_("Delete"), self._delete, kind="quiet", name="delete")
        self.undo = Button(_("Restore"), self._restore, icon="undo", kind="quiet", name="restore")
        self.deleted: list[tuple[Path, Path]] = []
        """Files deleted on this page, latest last: the current path and the original one."""
        self.path = Field(
            "", hint=_("Or enter a file path"), name="path", longest=400, entered=self._open_path
        )
        self.path.heard, self.search.heard = _("Path of the file to open"), _("Search saved games")
        self.add(self.back, self.list, self.go, self.results, self.none, self.path)
        self.add(self.wanted, self.search, self.delete, self.undo)
        self._read()

    def shown(self) -> None:
        self.app.later(PAUSE, self._read_on)

    def leave_screen(self) -> None:
        self.app.gallery.rest()

    def _read(self) -> None:
        """Refresh the list of files, and read some of the files that haven't been read yet."""
        self._every = self.app.store.saved(READ)
        self._show()

    def _show(self) -> None:
        """Show the files that match the filter and the search words."""
        assert self._every is not None
        every = [file for file in self._every if file.summary is None or file.summary.begun]
        here = self.files[self.list.current].path if 0 <= self.list.current < len(self.files) else None
        self.unread = any(file.unread for file in self._every)
        words = folded(self.search.words).split()
        self.files = tuple(
            [file for file in every if self._asked_for(file, FINISHED[self.wanted.chosen], words)]
        )
        row = next((n for n, file in enumerate(self.files) if file.path == here), 0)
        self.list.fill(len(self.files), row if self.files else -1)
        self.go.enabled = self.delete.enabled = bool(self.files)
        self.undo.visible = bool(self.deleted)
        self.none.visible = not self.files
        self.none.say(_("No saved games match.") if every else _("No saved games yet."))
        self.refresh()

    def _read_on(self) -> None:
        """Read some of the remaining files, and schedule the next step."""
        if self.app.stage.screen is self and self.unread and self._every is not None:
            self._every = self.app.store.more(self._every, READ)
            self._show()
            self.app.later(PAUSE, self._read_on)

    def _asked_for(self, file: Saved, which: str, words: Sequence[str]) -> bool:
        """Return whether a file matches the filter option ``which`` and contains all ``words``."""
        summary = file.summary
        if summary is None:
            return not words and which == "all"
        if which != "all" and (summary.result is None) != (which == "unfinished"):
            return False
        if not words:
            return True
        if file not in self._texts:
            entry = self.app.catalogue.find(summary.game)
            titles = (entry.title, *entry.titles.values()) if entry else (summary.game,)
            self._texts[file] = folded(" ".join((*titles, *summary.seats, when(file.changed))))
        return all(word in self._texts[file] for word in words)

    def _record(self, file: Saved) -> str:
        """Return the record of a visible file as text, or an empty string if it can't be read."""
        if file not in self._records:
            if len(self._records) >= IN_SIGHT:
                del self._records[next(iter(self._records))]
            record = file.record
            self._records[file] = record.text() if record is not None else ""
        return self._records[file]

    def _delete(self) -> None:
        """Delete the selected match; it can be restored until the page is left."""
        if not 0 <= self.list.current < len(self.files):
            return
        path = self.files[self.list.current].path
        try:
            gone = self.app.store.delete(path, datetime.now())
        except OSError as problem:
            self.app.tell(_("Couldn't delete this game: {problem}.", problem=problem))
            return
        if gone is None:
            self.app.tell(_("This game is being played in another window."))
            return
        self.deleted.append((gone, path))
        row = self.list.current
        self._read()
        if self.files:
            self.list.pick(min(row, len(self.files) - 1))
        self.layout(self.rect)

    def _restore(self) -> None:
        """Restore the most recently deleted match."""
        if not self.deleted:
            return
        gone, path = self.deleted.pop()
        try:
            self.app.store.restore(gone, path)
        except OSError as problem:
            self.app.tell(_("Couldn't restore this game: {problem}.", problem=problem))
        self._read()
        self.list.pick(next((n for n, file in enumerate(self.files) if file.path == path), 0))
        self.layout(self.rect)

    def heading(self) -> str:
        return _("Saved games")

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        top, rest = rect.cut_top(56)
        self.back.layout(Rect(top.x + 12, top.cy - 16, 100, 32))
        self.go.layout(Rect(top.right - 124, top.cy - 16, 104, 32))
        canvas = self.app.canvas
        canvas.scale = self.app.scale
        wide = self.results.natural(canvas)
        self.results.layout(Rect(top.right - 136 - wide, top.cy - 16, wide, 32))
        if self.narrow:
            self._titled, rest = rest.cut_top(TITLED)
        else:
            self._titled = top
        column = rest.centred(min(760, rest.w - 32), rest.h - 28)
        foot, column = column.cut_bottom(34, 10)
        file = foot
        if self.narrow:
            file, column = column.cut_bottom(34, 10)
        for button in (self.delete, self.undo):
            if button.visible:
                wide = button.natural(canvas)
                last, foot = foot.cut_right(wide, 8)
                button.layout(Rect(last.x, last.y + 1, wide, 32))
        self.path.layout(file if self.narrow else foot)
        line, column = column.cut_top(34, 10)
        if self.narrow:
            shown = line
            found, column = column.cut_top(34, 10)
        else:
            shown, found = line.cut_left(min(self.wanted.natural(canvas) + 40, line.w * 0.6), 10)
        self.list.row_height = TALL if self.narrow else HIGH
        self.wanted.layout(shown)
        self.search.layout(found)
        self.list.layout(column)
        self.none.layout(column.cut_top(60)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.page)
        canvas.rule(self.rect.x, 55, self.rect.w, style.hairline)
        canvas.text_in(self._titled, _("Saved games"), style.ink, "title", HEADING, 0.5)

    def key(self, key: Key) -> bool:
        if key.chord == "escape":
            self.app.pages.home()
            return True
        if key.chord == "delete":
            self._delete()
            return True
        if key.chord == "ctrl+z":
            self._restore()
            return True
        return self.list.key(key)

    def trace(self) -> Mapping[str, object]:
        return {"saved": [file.path.name for file in self.files]}

    def _open(self, row: int) -> None:
        if 0 <= row < len(self.files):
            file = self.files[row]
            if file.problem:
                self.app.tell(_("Couldn't open this game: {problem}.", problem=file.problem))
            else:
                self.app.matches.open_path(file.path)

    def _open_path(self) -> None:
        """Open the file whose path the user has entered."""
        words = self.path.words.strip()
        try:
            if words:
                self.app.matches.open_path(typed_path(words))
        except OSError as problem:
            self.app.tell(_("Couldn't open {path}: {problem}.", path=words, problem=problem))

    def _paint_row(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        file = self.files[row]
        box = self.list.paint_behind(canvas, style, rect, row, here)
        area, summary = box.inset(14, 6), file.summary
        entry = self.app.catalogue.find(summary.game) if summary is not None else None
        if self.app.gallery.folder is not None and rect.w >= PICTURED:
            field, area = area.cut_left(area.h * 1.6, 12)
            picture = None
            if entry is not None and (record := self._record(file)):
                picture = self.app.gallery.record(file.path, record, entry)
            if picture is None:
                canvas.rect(field, style.sunk, RADIUS - 2)
            else:
                canvas.picture(field, picture, RADIUS - 2)
        upper, lower = area.cut_top(24)
        canvas.text_in(upper, when(file.changed), style.soft, "sans", SMALL, 1)
        if summary is None:
            canvas.text_in(upper.cut_left(upper.w - 150)[0], file.path.name, style.soft, "title", 18)
            canvas.text_in(lower, localize(file.problem or ""), style.brick, "sans", SMALL)
            return
        canvas.text_in(
            upper.cut_left(upper.w - 150)[0], titled(entry) if entry else summary.game, style.ink, "title", 18
        )
        turns = ngettext("{n} turn", "{n} turns", summary.turns)
        ended, result = _("in progress"), summary.result
        if result is not None:
            winners = [summary.seats[seat] for seat in result.winners]
            reason = self._reason(result.reason, entry) if result.reason else ""
            score = self.counted.told(entry, result.scores) if len(summary.seats) == 1 else ""
            ended = who_won(
                winners,
                len(summary.seats),
                reason,
                language(),
                score=score,
                shown=summary.shown,
                lost=self.counted.lost(entry, winners, len(summary.seats), result.reason),
            )
        line = _("{people} · {turns} · {ended}", people=" – ".join(summary.seats), turns=turns, ended=ended)
        canvas.text_fit(lower, line, style.soft, "sans", SMALL)

    def _reason(self, english: str, entry: Entry | None) -> str:
        """Return the translated reason for a result, from the texts of the game file or the program."""
        key = (english, entry.id if entry else "")
        if key not in self._reasons:
            found = entry.phrase(english, language()) if entry is not None else ""
            self._reasons[key] = found or localize(reason_of(english))
        return self._reasons[key]
