"""A card that shares something as a line of text through the clipboard, and opens what others have sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, Style

from ..ui.button import Button, layout_row
from ..ui.canvas import Canvas
from ..ui.panel import Card, centred_placement

if TYPE_CHECKING:
    from . import Host


MORE_ROW_HEIGHT_PX = 44
"""Height of the row of further buttons, in logical pixels."""


class ShareCard(Card):
    """Card with buttons that copy a line of text to the clipboard and open what the clipboard contains.

    Below the title, it shows ``introduction`` until a note replaces it. More buttons can be added in a second row.
    ``on_copy`` and ``on_paste`` are called when the buttons labelled ``copy_label`` and ``paste_label`` are pressed.
    """

    SIZE_PX = (520, 190)

    def __init__(
        self,
        app: Host,
        title: str,
        introduction: str,
        *,
        copy_label: str,
        on_copy: Callable[[], None],
        paste_label: str,
        on_paste: Callable[[], None],
    ) -> None:
        super().__init__(title)
        self.app, self.introduction = app, introduction
        self.note, self.is_error = "", False
        self.copy_button = Button(copy_label, on_copy, kind="main", name="copy line")
        self.paste_button = Button(paste_label, on_paste, name="take in")
        self.close_button = Button(_("Close"), app.root.close_popup, kind="quiet", name="close share")
        self.more_buttons: tuple[Button, ...] = ()
        self.add(self.copy_button, self.paste_button, self.close_button)

    def add_buttons(self, *buttons: Button) -> None:
        """Add buttons in a row below the others."""
        self.more_buttons = buttons
        self.add(*buttons)

    def open(self) -> None:
        """Open the card over the page, with the focus on its first button."""
        wide, high = self.SIZE_PX
        high += MORE_ROW_HEIGHT_PX if self.more_buttons else 0
        self.app.root.open_popup(self, centred_placement(wide, high), focus=self.copy_button)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.app.canvas
        area = rect.inset(24, 16)
        _, area = area.cut_top(42)
        if self.more_buttons:
            more, area = area.cut_bottom(34, MORE_ROW_HEIGHT_PX - 34)
            layout_row(more, self.more_buttons, canvas, 8)
        foot, self._note_rect = area.cut_bottom(34, 12)
        buttons = self.copy_button, self.paste_button, self.close_button
        # If there is no room for the last button, it goes to the top right.
        if layout_row(foot, buttons, canvas, 8) > foot.w:
            self.close_button.layout(Rect(rect.right - 112, rect.y + 16, 96, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        colour = style.warning if self.is_error else style.secondary_ink
        canvas.text_fit(self._note_rect, self.note or self.introduction, colour, "sans", BODY_TEXT_PX - 1)

    def show_note(self, note: str, *, is_error: bool = False) -> None:
        """Show a note in place of the introduction, in the warning colour if ``is_error`` is set."""
        self.note, self.is_error = note, is_error
        self.refresh()
