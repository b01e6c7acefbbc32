"""Widgets of the position editor: the tray of tools, and the card for marbles beside the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, Style

from ...host.colour_counts import ColourCounts
from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.dropdown import Dropdown
from ...ui.icons import draw_marble
from ...ui.panel import Card
from .position import MAX_STOCK_MARBLES

if TYPE_CHECKING:
    from .position import EditablePosition


ROW_HEIGHT_PX = 40.0
REMOVE_TOOL = len(COLOURS)
"""Number of the tool that removes marbles; the lower numbers are colours."""


class ToolButton(Button):
    """Tray button that selects a colour or the tool for removing marbles."""

    def __init__(self, tool: int, on_select: Callable[[int], None]) -> None:
        self.tool = tool
        if tool == REMOVE_TOOL:
            tip, name = _("Remove  {number}", number=tool + 1), "take-away"
        else:
            colour = display_name(COLOURS[tool], language())
            tip, name = (
                _("{colour}  {number}", colour=capitalize_first(colour), number=tool + 1),
                COLOURS[tool],
            )
        super().__init__("", lambda: on_select(tool), kind="quiet", tip=tip, name=name)

    def preferred_width(self, canvas: Canvas) -> float:
        return 40.0

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        x, y = self.rect.cx, self.rect.cy
        if self.tool == REMOVE_TOOL:
            icons.draw_icon(canvas, "minus", round(x), round(y), style.ink)
        else:
            draw_marble(canvas, style, x, y, 11, self.tool)
        if self.is_on:
            canvas.outline(self.rect, style.action, CORNER_RADIUS_PX, 2)


class StocksCard(Card):
    """Card for editing the marbles beside the board.

    If each seat has its own marbles, the card shows only those of one seat at a time.
    """

    def __init__(
        self, position: EditablePosition, on_change: Callable[[str], None], on_close_click: Callable[[], None]
    ) -> None:
        super().__init__(_("Off-board marbles"))
        self.position, self._on_change = position, on_change
        self.seat = position.draft.to_move
        self.close_button = Button(_("Close"), on_close_click, kind="quiet", name="close")
        self.seat_dropdown: Dropdown | None = None
        self.rows: list[tuple[str, ColourCounts]] = []
        self._build_widgets()

    @property
    def preferred_height(self) -> float:
        """Height at which the card has room for all its rows, in logical pixels."""
        return 84 + ROW_HEIGHT_PX * (len(self.rows) + (self.seat_dropdown is not None))

    def _build_widgets(self) -> None:
        self.clear()
        self.rows = []
        names = self.position.names
        several = any(holders > 1 for _, _, holders in self.position.editable_stocks)
        if several:
            seat_texts = [_("{who}'s marbles", who=name) for name in names]
            self.seat_dropdown = Dropdown(
                seat_texts, self.seat, self._select_seat, name="whose", default_index=self.seat
            )
            self.add(self.seat_dropdown)
        for stock, holder, holders in self.position.editable_stocks:
            if holder in (0 if holders == 1 else self.seat,):
                stock_counts = self.position.stock_counts(stock, holder)
                counts = ColourCounts(
                    stock_counts,
                    self._count_setter(stock, holder),
                    name=stock,
                    min_total=0,
                    max_count=MAX_STOCK_MARBLES,
                )
                self.rows.append((capitalize_first(display_name(stock, language())), counts))
                self.add(counts)
        self.add(self.close_button)

    def _select_seat(self, seat: int) -> None:
        self.seat = seat
        self._build_widgets()
        self.layout(self.rect)

    def _count_setter(self, stock: str, holder: int) -> Callable[[tuple[int, ...]], None]:
        def on_counts_change(counts: tuple[int, ...]) -> None:
            before = self.position.stock_counts(stock, holder)
            for colour, (old_count, new_count) in enumerate(zip(before, counts, strict=True)):
                if old_count != new_count:
                    self._on_change(self.position.set_stock_count(stock, holder, colour, new_count))
            for title, row in self.rows:
                if row.name == stock and title:
                    row.counts = self.position.stock_counts(stock, holder)

        return on_counts_change

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.close_button.layout(Rect(rect.right - 112, rect.y + 16, 96, 32))
        area = rect.inset(24, 16)
        _, area = area.cut_top(44)
        if self.seat_dropdown is not None:
            line, area = area.cut_top(32, ROW_HEIGHT_PX - 32)
            self.seat_dropdown.layout(line.cut_left(min(240.0, line.w))[0])
        for _unused, counts in self.rows:
            line, area = area.cut_top(34, ROW_HEIGHT_PX - 34)
            counts.layout(line.cut_right(min(3 * ColourCounts.MIN_COLUMN_WIDTH_PX, line.w - 76))[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for title, counts in self.rows:
            left = self.rect.x + 24
            place = Rect(left, counts.rect.y, counts.rect.x - left - 8, counts.rect.h)
            canvas.text_fit(place, title, style.secondary_ink, "sans", BODY_TEXT_PX - 1)
