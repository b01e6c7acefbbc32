"""Drop-down lists: a button that shows the chosen option and opens a list of all options."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, Style

from . import icons
from .button import Button
from .canvas import Canvas
from .list_view import ListView
from .panel import Panel
from .widget import Key

ROW_HEIGHT_PX = 34.0
"""Height of a row in the list, in logical pixels."""


class Dropdown(Button):
    """Drop-down button that shows which of ``options`` is chosen.

    The left and right arrow keys change the choice; a click, Enter or Space opens the list. ``default_index`` is the
    index of the default option. While another option is chosen, the button is highlighted.
    """

    def __init__(
        self,
        options: Sequence[str],
        selected_index: int,
        on_change: Callable[[int], None],
        *,
        name: str = "",
        default_index: int = 0,
    ) -> None:
        super().__init__("", self._open_list, name=name, size=14)
        self.options, self.selected_index, self.on_change, self.default_index = (
            tuple(options),
            selected_index,
            on_change,
            default_index,
        )
        self.list_width = 0.0
        """Width of the list, measured when the button is painted."""

    def preferred_width(self, canvas: Canvas) -> float:
        """Return the width needed to show the chosen option in full, in logical pixels."""
        return canvas.text_width(self.options[self.selected_index], "sans", self.size) + 39

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.is_on = self.selected_index != self.default_index
        super().paint(canvas, style)
        longest = max(canvas.text_width(option, "bold", self.size) for option in self.options)
        self.list_width = max(longest + 20, self.rect.w)
        ink = style.action if self.is_on else style.ink
        text_rect, mark = self.rect.inset(10, 0).cut_left(self.rect.w - 38)
        canvas.text_in(text_rect, self.options[self.selected_index], ink, "sans", self.size)
        icons.draw_icon(canvas, "down", round(mark.cx + 2), round(mark.cy), style.secondary_ink, 16)

    def select(self, index: int) -> None:
        """Choose an option and call ``on_change``.

        Do nothing if the option is already chosen or out of range.
        """
        if index != self.selected_index and 0 <= index < len(self.options):
            self.selected_index = index
            self.on_change(index)
            self.refresh()

    def on_key(self, key: Key) -> bool:
        if key.name in ("left", "right") and not (key.ctrl or key.alt):
            self.select(self.selected_index + (1 if key.name == "right" else -1))
            return True
        return super().on_key(key)

    def _open_list(self) -> None:
        root = self.root
        if root is None:
            return
        card = _OptionList(self)

        def place(window: Rect) -> Rect:
            wide = min(self.list_width + 12, window.w - 16)
            below, above = window.bottom - self.rect.bottom - 12, self.rect.y - 12
            high = ROW_HEIGHT_PX * len(self.options) + 12
            x = max(8.0, min(self.rect.x, window.right - wide - 8))
            if high <= below or below >= above:
                return Rect(x, self.rect.bottom + 4, wide, min(high, below))
            return Rect(x, max(8.0, self.rect.y - 4 - high), wide, min(high, above))

        root.open_popup(card, place, focus=card.list)


class _OptionList(Panel):
    def __init__(self, dropdown: Dropdown) -> None:
        super().__init__("card", is_floating=True, name="options")
        self.dropdown = dropdown
        self.list = ListView(
            ROW_HEIGHT_PX,
            self._paint_option,
            self._on_highlight,
            on_open=self._select_option,
            name=f"{dropdown.name} options",
        )
        self.list.row_count, self.list.current_row = len(dropdown.options), dropdown.selected_index
        self.add(self.list)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.list.layout(rect.inset(6))

    def _on_highlight(self, row: int) -> None:
        # A click chooses an option at once; keys only move through the list.
        if self.root is not None and self.root.pressed is self.list:
            self._select_option(row)

    def _select_option(self, row: int) -> None:
        if self.root is not None and self.root.top is self:
            self.root.close_popup()
            self.dropdown.select(row)

    def _paint_option(self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool) -> None:
        if row == self.list.current_row:
            canvas.rect(rect.inset(0, 1), style.recessed, CORNER_RADIUS_PX)
        elif is_hovered:
            canvas.rect(rect.inset(0, 1), style.hover, CORNER_RADIUS_PX)
        face = "bold" if row == self.dropdown.selected_index else "sans"
        canvas.text_in(rect.inset(8, 0), self.dropdown.options[row], style.ink, face, 14)
