"""Scrolling widgets: lists of rows and grids of cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, RULES_TEXT_PX, Style

from .canvas import Canvas, Picture
from .widget import Key, Widget

SCROLL_BAR_SPACE_PX = 10.0
"""Space that a list leaves free for its scroll bar, in logical pixels."""


class ScrollArea(Widget):
    """Widget whose content may be taller than the widget itself.

    It is scrolled with the mouse wheel or the scroll bar. Subclasses override :attr:`content_height`, and can call
    :meth:`handle_scroll_key` to support keys too.
    """

    def __init__(self, name: str = "") -> None:
        super().__init__(name)
        self.offset = 0.0
        self._is_dragging_handle = False

    @property
    def content_height(self) -> float:
        """Height of the content in logical pixels."""
        return 0.0

    def scroll_to(self, offset: float) -> None:
        """Scroll to ``offset`` logical pixels below the top of the content, or as near to that as possible."""
        fitting = max(0.0, min(offset, self.content_height - self.rect.h)) if self.rect.h > 0 else 0.0
        if fitting != self.offset:
            self.offset = fitting
            self.refresh()

    def reveal(self, top: float, height: float) -> None:
        """Scroll as little as needed to show the content from ``top`` to ``top + height``."""
        if top < self.offset:
            self.scroll_to(top)
        elif top + height > self.offset + self.rect.h:
            self.scroll_to(top + height - self.rect.h)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.scroll_to(self.offset)

    def scroll_handle(self) -> Rect | None:
        """Return the rectangle of the scroll bar's handle, or None if all content fits or the area has no height."""
        if self.content_height <= self.rect.h + 0.5 or self.rect.h <= 0:
            return None
        high = max(28.0, self.rect.h * self.rect.h / self.content_height)
        top = (self.rect.h - high) * self.offset / (self.content_height - self.rect.h)
        return Rect(self.rect.right - 8, self.rect.y + top, 5, high)

    def paint_scroll_bar(self, canvas: Canvas, style: Style) -> None:
        """Paint the handle of the scroll bar."""
        handle = self.scroll_handle()
        if handle is not None:
            canvas.rect(
                handle, multiply_alpha(style.tertiary_ink, 0.9 if self._is_dragging_handle else 0.45), 2.5
            )

    def on_scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        if self.content_height <= self.rect.h:
            return False
        self.scroll_to(self.offset - dy * 60)
        return True

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        handle = self.scroll_handle()
        self._is_dragging_handle = handle is not None and handle.inset(-6, 0).contains(x, y)
        return self._is_dragging_handle

    def on_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        handle = self.scroll_handle()
        if self._is_dragging_handle and handle is not None:
            self.scroll_to(
                self.offset + dy * (self.content_height - self.rect.h) / max(1.0, self.rect.h - handle.h)
            )

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        self._is_dragging_handle = False

    def cancel_press(self) -> None:
        self._is_dragging_handle = False

    def handle_scroll_key(self, key: Key) -> bool:
        """Scroll if ``key`` is a scrolling key; return whether it is one."""
        distances = {"up": -40.0, "down": 40.0, "pageup": -self.rect.h * 0.9, "pagedown": self.rect.h * 0.9}
        if key.name in distances:
            self.scroll_to(self.offset + distances[key.name])
        elif key.name == "home":
            self.scroll_to(0)
        elif key.name == "end":
            self.scroll_to(self.content_height)
        else:
            return False
        return True


class ListView(ScrollArea):
    """List of rows of equal height; only visible rows are painted.

    ``paint_row(canvas, style, rect, row, hovered)`` paints a row. ``on_select(row)`` is called when the user selects a
    row, which becomes the current one. ``on_open(row)`` is called when Enter or Space is pressed on the current row.
    """

    is_static = True

    focusable = True
    cursor_shape = "hand"

    def __init__(
        self,
        row_height: float,
        paint_row: Callable[[Canvas, Style, Rect, int, bool], None],
        on_select: Callable[[int], None],
        *,
        on_open: Callable[[int], None] | None = None,
        name: str = "",
    ) -> None:
        super().__init__(name)
        self.row_height, self.paint_row, self.on_select, self.on_open = (
            row_height,
            paint_row,
            on_select,
            on_open,
        )
        self.row_count = 0
        self.current_row = -1
        self.follows_current_row = True
        """Whether the list scrolls to the current row when it is filled or first laid out."""
        self._was_picked = False
        """Whether the current row has been picked since the list was filled."""

    @property
    def content_height(self) -> float:
        return self.row_count * self.row_height

    def set_rows(self, count: int, current: int = -1) -> None:
        """Set the number of rows and the current row; -1 means that no row is current.

        If :attr:`follows_current_row` is true, the list scrolls to the current row.
        """
        self.row_count, self.current_row, self._was_picked = count, current, False
        self._clamp_scroll()
        self.refresh()

    def layout(self, rect: Rect) -> None:
        is_first_layout = self.rect.h == 0
        super().layout(rect)
        if is_first_layout:
            self._clamp_scroll()

    def _clamp_scroll(self) -> None:
        """Clamp the scroll position; scroll to the current row if the list follows it or the user has picked it."""
        self.scroll_to(self.offset)
        if self.follows_current_row or self._was_picked:
            self._reveal_current_row()

    def _reveal_current_row(self) -> None:
        if self.current_row >= 0 and self.rect.h > 0:
            self.reveal(self.current_row * self.row_height, self.row_height)

    def row_at(self, x: float, y: float) -> int:
        """Return the row at (x, y), or -1 if there is none."""
        row = int((y - self.rect.y + self.offset) // self.row_height)
        return row if 0 <= row < self.row_count else -1

    def describe_row(self, row: int, spell_keys: Callable[[str], str]) -> Sequence[str]:
        """Return sentences that describe a row for a screen reader.

        If no sentences are returned, the row's painted text is read. ``spell_keys`` converts a keyboard shortcut to the
        words that are read out.
        """
        return ()

    def row_heading(self, row: int) -> str:
        """Return the heading above ``row``, or "" if the row isn't the first of a section."""
        return ""

    def can_choose(self, row: int) -> bool:
        return True

    def describe_row_graphics(self, row: int) -> str:
        """Return a screen-reader description of what a row shows only as graphics, or "" if there is nothing."""
        return ""

    def paint_row_background(
        self, canvas: Canvas, style: Style, rect: Rect, row: int, is_hovered: bool
    ) -> Rect:
        """Paint the background of a tall row, and return the rectangle that it takes up.

        The current row is drawn as a card. A hovered row is highlighted, and any other row has a line below it.
        """
        box = rect.inset(0, 3)
        if self.content_height > self.rect.h:
            box = Rect(box.x, box.y, box.w - SCROLL_BAR_SPACE_PX, box.h)
        if row == self.current_row:
            canvas.rect(box, style.card, CORNER_RADIUS_PX)
            canvas.outline(box, style.action, CORNER_RADIUS_PX, 1.5)
        elif is_hovered:
            canvas.rect(box, style.hover, CORNER_RADIUS_PX)
        else:
            canvas.hairline(box.x + 12, rect.bottom - 1, box.w - 24, multiply_alpha(style.hairline, 0.6))
        return box

    def row_rect(self, row: int) -> Rect:
        """Return the rectangle of a row, even if it is scrolled out of view."""
        return Rect(
            self.rect.x, self.rect.y + row * self.row_height - self.offset, self.rect.w, self.row_height
        )

    def paint(self, canvas: Canvas, style: Style) -> None:
        hovered_row = self.row_at(*self.root.pointer) if self.hovered and self.root is not None else -1
        with canvas.clip(self.rect):
            for row in self.visible_rows():
                self.paint_row(canvas, style, self.row_rect(row), row, row == hovered_row)
            self.paint_scroll_bar(canvas, style)

    def paint_state(self) -> tuple[object, ...]:
        """Return the values on which the painted content depends, other than the content of the rows."""
        hovered_row = self.row_at(*self.root.pointer) if self.hovered and self.root is not None else -1
        return self.row_count, self.current_row, self.offset, hovered_row, self._is_dragging_handle

    def visible_rows(self) -> range:
        """Return a range of rows that covers all those at least partly in view."""
        first = int(self.offset // self.row_height)
        last = int((self.offset + self.rect.h) // self.row_height)
        return range(first, min(self.row_count, last + 1))

    def on_pointer_move(self, x: float, y: float) -> None:
        self.refresh()

    def select_row(self, row: int) -> None:
        """Make ``row`` the current row, scroll to it and call ``on_select``; do nothing if there is no such row."""
        if 0 <= row < self.row_count:
            self.current_row, self._was_picked = row, True
            self._reveal_current_row()
            self.on_select(row)
            self.refresh()

    def key_steps(self) -> dict[str, int]:
        """Return how many rows each navigation key moves the selection forward, or back if negative.

        The selection never moves beyond the first or last row.
        """
        return {
            "up": -1,
            "down": 1,
            "pageup": -8,
            "pagedown": 8,
            "home": -self.row_count,
            "end": self.row_count,
        }

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return super().on_press(x, y, button, key) or button == "left"

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        grip = self._is_dragging_handle
        super().on_release(x, y, button, key)
        if not grip and self.rect.contains(x, y):
            self.select_row(self.row_at(x, y))

    def on_key(self, key: Key) -> bool:
        if key.ctrl or key.alt or not self.row_count:
            return False
        steps = self.key_steps()
        if key.name in steps:
            self.select_row(max(0, min(self.row_count - 1, self.current_row + steps[key.name])))
            return True
        if key.name in ("enter", "space") and self.on_open is not None and self.current_row >= 0:
            self.on_open(self.current_row)
            return True
        return False


class ActionList(ListView):
    """List whose rows may have a button at their end.

    A click on the button makes its row the current one, and calls ``on_action(row)`` instead of ``on_select(row)``.
    """

    ACTION_PADDING_PX, ACTION_HEIGHT_PX = 12.0, 30.0

    def __init__(
        self,
        row_height: float,
        paint_row: Callable[[Canvas, Style, Rect, int, bool], None],
        on_select: Callable[[int], None],
        on_action: Callable[[int], None],
        *,
        on_open: Callable[[int], None] | None = None,
        name: str = "",
    ) -> None:
        super().__init__(row_height, paint_row, on_select, on_open=on_open, name=name)
        self.on_action = on_action
        self._action_widths: dict[str, float] = {}

    def action_label(self, row: int) -> str:
        """Return the label of a row's button, or "" if the row has no button."""
        return ""

    def action_rect(self, row: int) -> Rect:
        box = self.row_rect(row)
        if self.content_height > self.rect.h:
            box = Rect(box.x, box.y, box.w - SCROLL_BAR_SPACE_PX, box.h)
        wide = self._action_widths.get(self.action_label(row), 80.0)
        high = min(self.ACTION_HEIGHT_PX, self.row_height - 12)
        return Rect(box.right - wide - 10, box.cy - high / 2, wide, high)

    def area_beside_action(self, canvas: Canvas, row: int, area: Rect) -> Rect:
        """Return the part of ``area`` to the left of a row's button, or all of it if the row has no button."""
        label = self.action_label(row)
        if not label:
            return area
        self._action_widths[label] = canvas.text_width(label, "sans", 14) + 2 * self.ACTION_PADDING_PX
        return Rect(area.x, area.y, self.action_rect(row).x - 10 - area.x, area.h)

    def paint_action(self, canvas: Canvas, style: Style, row: int, is_main: bool) -> None:
        """Paint a row's button, if the row has one.

        If ``is_main`` is true, the button is highlighted as the next thing to do. Call this after painting the row's
        text, so that screen readers read the button's label last.
        """
        if label := self.action_label(row):
            place = self.action_rect(row)
            canvas.rect(place, style.card, CORNER_RADIUS_PX)
            canvas.outline(place, style.action if is_main else style.hairline, CORNER_RADIUS_PX)
            canvas.text_in(place, label, style.action if is_main else style.ink, "sans", 14, 0.5)

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        row = self.row_at(x, y)
        is_action = (
            not self._is_dragging_handle
            and self.rect.contains(x, y)
            and row >= 0
            and bool(self.action_label(row))
            and self.action_rect(row).inset(-10, -6).contains(x, y)
        )
        if not is_action:
            super().on_release(x, y, button, key)
            return
        self.cancel_press()
        self.current_row, self._was_picked = row, True
        self.refresh()
        self.on_action(row)


class CardGrid(ListView):
    """List that shows its rows as cards, with as many cards side by side as fit.

    The rows may be divided into sections, each of which has a heading and begins on a new line.
    """

    GAP_PX = 12.0
    """Space between cards, in logical pixels."""
    HEADING_HEIGHT_PX = 32.0
    """Height of a section's heading, in logical pixels."""

    def __init__(
        self,
        min_card_width: float,
        card_height: Callable[[float], float],
        paint_row: Callable[[Canvas, Style, Rect, int, bool], None],
        on_select: Callable[[int], None],
        *,
        on_open: Callable[[int], None] | None = None,
        name: str = "",
    ) -> None:
        """Create a grid whose cards are at least ``min_card_width`` wide, if there is room.

        ``card_height(width)`` returns the height of a card of the given width.
        """
        super().__init__(1.0, paint_row, on_select, on_open=on_open, name=name)
        self.min_card_width, self.card_height, self.columns = min_card_width, card_height, 1
        self.headings: dict[int, str] = {}
        """Heading of each section, by the section's first row; empty if there are no sections."""

    @property
    def content_height(self) -> float:
        last = self._sections()[-1]
        return last.top + last.line_count * self.row_height

    @property
    def _column_pitch(self) -> float:
        """Distance between the left edges of neighbouring cards, in logical pixels."""
        return (self.rect.w - 2 + self.GAP_PX - 10) / self.columns

    def _sections(self) -> list[_GridSection]:
        """Return the sections from top to bottom, or a single section if there are no headings."""
        starts = sorted(self.headings) or [0]
        sections, top = [], 0.0
        for start, end in zip(starts, [*starts[1:], self.row_count], strict=True):
            top += self.HEADING_HEIGHT_PX if self.headings else 0.0
            sections.append(_GridSection(start, end, top, -(-(end - start) // self.columns)))
            top += sections[-1].line_count * self.row_height
        return sections

    def _section_of(self, row: int) -> _GridSection:
        return next(
            section for section in reversed(self._sections()) if section.start <= row or not section.start
        )

    def _line_top(self, row: int) -> float:
        """Return the distance from the top of the content to the line of cards that includes ``row``."""
        section = self._section_of(row)
        return section.top + (row - section.start) // self.columns * self.row_height

    def layout(self, rect: Rect) -> None:
        has_new_width = self.rect.h == 0 or self.rect.w != rect.w
        self.columns = max(1, int((rect.w + self.GAP_PX - 12) // (self.min_card_width + self.GAP_PX)))
        self.rect = rect
        self.row_height = self.card_height(self._column_pitch - self.GAP_PX) + self.GAP_PX
        super().layout(rect)
        if has_new_width:
            self._clamp_scroll()

    def _reveal_current_row(self) -> None:
        if self.current_row >= 0 and self.rect.h > 0:
            section = self._section_of(self.current_row)
            top = self._line_top(self.current_row)
            above = self.HEADING_HEIGHT_PX if self.headings and top == section.top else 0.0
            self.reveal(top - above, self.row_height + above)

    def row_heading(self, row: int) -> str:
        return self.headings.get(row, "")

    def row_at(self, x: float, y: float) -> int:
        across, down = (x - self.rect.x) / self._column_pitch, y - self.rect.y + self.offset
        for section in self._sections():
            row = section.start + int((down - section.top) // self.row_height) * self.columns + int(across)
            inside = section.top <= down and 0 <= across < self.columns and row < section.end
            if inside and self.row_rect(row).contains(x, y):
                return row
        return -1

    def row_rect(self, row: int) -> Rect:
        across = (row - self._section_of(row).start) % self.columns
        top = self.rect.y + self._line_top(row) - self.offset
        wide, high = self._column_pitch - self.GAP_PX, self.row_height - self.GAP_PX
        return Rect(self.rect.x + 1 + across * self._column_pitch, top + 1, wide, high)

    def visible_rows(self) -> range:
        line_starts = [
            row
            for section in self._sections()
            for row in range(section.start, section.end, self.columns)
            if self.offset - self.row_height < self._line_top(row) <= self.offset + self.rect.h
        ]
        if not line_starts:
            return range(0)
        section = self._section_of(line_starts[-1])
        return range(line_starts[0], min(section.end, line_starts[-1] + self.columns))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        with canvas.clip(self.rect):
            for section in self._sections() if self.headings else ():
                top = self.rect.y + section.top - self.HEADING_HEIGHT_PX - self.offset
                line = Rect(self.rect.x + 2, top, self.rect.w - 14, self.HEADING_HEIGHT_PX - 6)
                if line.bottom > self.rect.y and line.y < self.rect.bottom:
                    canvas.text_in(line, self.headings[section.start], style.ink, "title", RULES_TEXT_PX)

    def paint_state(self) -> tuple[object, ...]:
        return *super().paint_state(), tuple(self.headings.items())

    def _row_beside(self, lines: int) -> int:
        """Return the index of the card that is ``lines`` lines below the current card.

        Negative values of ``lines`` count upwards. If there are too few lines, the last line is used, or the first when
        counting upwards. The card is in the same column as the current card or, if its line is too short, at the end of
        the line. If there is no current card, return 0.
        """
        starts = [
            (row, min(row + self.columns, section.end) - 1)
            for section in self._sections()
            for row in range(section.start, section.end, self.columns)
        ]
        line_index = next(
            (n for n, (first, last) in enumerate(starts) if first <= self.current_row <= last), -1
        )
        if line_index < 0:
            return 0
        first, last = starts[max(0, min(len(starts) - 1, line_index + lines))]
        return min(last, first + self.current_row - starts[line_index][0])

    def key_steps(self) -> dict[str, int]:
        current_row = self.current_row
        page = max(1, int(self.rect.h // self.row_height))
        line_steps = {"up": -1, "down": 1, "pageup": -page, "pagedown": page}
        steps = {key: self._row_beside(lines) - current_row for key, lines in line_steps.items()}
        return {"left": -1, "right": 1, **steps, "home": -self.row_count, "end": self.row_count}


class _GridSection(NamedTuple):
    """Section of a grid: the cards with indices from ``start`` up to but not including ``end``.

    The cards fill ``line_count`` lines. ``top`` is the distance of the first line from the top of the content, in
    logical pixels.
    """

    start: int
    end: int
    top: float
    line_count: int


class PictureCardGrid(CardGrid):
    """Grid of cards, each with a picture above its text; a click on a card opens it."""

    PICTURE_ASPECT = 0.6
    """Height of a picture as a fraction of the card's width."""

    def __init__(
        self,
        min_card_width: float,
        text_height: float,
        paint_card: Callable[[Canvas, Style, Rect, int, bool], None],
        on_open: Callable[[int], None],
        *,
        name: str = "",
    ) -> None:
        """Create a grid whose cards have ``text_height`` logical pixels for text.

        ``on_open`` is called with the index of the card that was clicked or opened with a key, or with -1 for a click
        between the cards.
        """
        super().__init__(
            min_card_width,
            lambda wide: round(wide * self.PICTURE_ASPECT + text_height),
            paint_card,
            lambda row: self.refresh(),
            on_open=on_open,
            name=name,
        )
        self.text_height = text_height

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        was_dragging = self._is_dragging_handle
        super().on_release(x, y, button, key)
        if not was_dragging and self.rect.contains(x, y) and self.on_open is not None:
            self.on_open(self.row_at(x, y))

    def paint_picture(self, canvas: Canvas, style: Style, card: Rect, picture: Picture | None) -> Rect:
        """Paint a card's background and its picture, and return the area for the text.

        If ``picture`` is None, an empty field is painted instead of the picture.
        """
        canvas.rect(card, style.card, CORNER_RADIUS_PX)
        field, text_area = card.cut_top(card.h - self.text_height)
        field = field.inset(5)
        if picture is not None:
            canvas.picture(field, picture, CORNER_RADIUS_PX - 2)
        else:
            canvas.rect(field, style.recessed, CORNER_RADIUS_PX - 2)
        return text_area

    def paint_outline(self, canvas: Canvas, style: Style, card: Rect, row: int, is_hovered: bool) -> None:
        """Paint the outline of a card, thicker if the card is the current one; highlight the card if it is hovered."""
        if is_hovered:
            canvas.rect(card, style.hover, CORNER_RADIUS_PX)
        on = row == self.current_row
        canvas.outline(card, style.action if on else style.hairline, CORNER_RADIUS_PX, 2 if on else 1)
