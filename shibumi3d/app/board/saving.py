"""Dialog for saving a match to a file."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from shibumi3d.files import file_name, typed_path
from shibumi3d.i18n import _, localize
from shibumi3d.match.record import RecordError
from shibumi3d.rules.wording import capital
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import SMALL, Style

from ..host.desktop import SUFFIX
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.field import Field
from ..ui.panel import Card, middle

if TYPE_CHECKING:
    from .parts import MatchTable


class SaveCard(Card):
    """Dialog that asks where to save a match."""

    SIZE = (520, 176)
    LINES = 40.0
    """Additional height in a narrow window, where the error message doesn't fit beside the buttons."""
    _below = Rect()
    """Rectangle of the error message."""

    def __init__(self, screen: MatchTable) -> None:
        super().__init__(_("Save the game"))
        self.screen = screen
        name = file_name(screen.match.game.id, f" {date.today():%Y-%m-%d}{SUFFIX}")
        self.path = Field(str(Path.home() / name), name="path", longest=400, entered=self.write)
        self.ok = Button(_("Save"), self.write, kind="main", name="save file")
        self.cancel = Button(_("Cancel"), screen.app.root.close, name="cancel")
        self.problem = ""
        self.add(self.path, self.cancel, self.ok)

    def place(self, window: Rect) -> Rect:
        """Return the dialog's rectangle, centred in the window and taller in a narrow one."""
        wide, high = self.SIZE
        return middle(wide, high if window.w > wide else high + self.LINES)(window)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(44, 2)
        field, area = area.cut_top(34, 10)
        self.path.layout(field)
        ok, area = area.cut_bottom(32)[0].cut_right(96, 8)
        self.ok.layout(ok)
        cancel, beside = area.cut_right(96, 12)
        self.cancel.layout(cancel)
        narrow = rect.w < self.SIZE[0]
        self._below = Rect(field.x, field.bottom + 6, field.w, self.LINES) if narrow else beside

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        canvas.text_fit(self._below, self.problem, style.brick, "sans", SMALL)

    def write(self) -> None:
        """Save the match and close the dialog, or show why it couldn't be saved."""
        try:
            self.screen.match.record(undone=True).save(typed_path(self.path.words))
        except RecordError as problem:
            self.problem = capital(localize(problem))
        except OSError as problem:
            self.problem = _("Couldn't save the file: {problem}.", problem=problem)
        else:
            self.screen.app.root.close()
        self.refresh()


def ask_save(page: MatchTable) -> None:
    """Open the dialog for saving the page's match."""
    card = SaveCard(page)
    page.app.root.popup(card, card.place, focus=card.path)
