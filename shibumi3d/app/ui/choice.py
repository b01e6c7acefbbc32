"""Rows of options to choose from, and tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, Style

from .canvas import Canvas
from .widget import Key, Widget

OPTION_PADDING_PX = 4.0
"""Minimum space on either side of an option's text, in logical pixels."""


class Choice(Widget):
    """Set of options, one of which is chosen.

    The options are side by side. If one row is too narrow for them, they wrap onto several rows. The left and right
    arrow keys change the choice.
    """

    focusable = True
    cursor_shape = "hand"

    def __init__(
        self, options: Sequence[str], selected_index: int, on_change: Callable[[int], None], *, name: str = ""
    ) -> None:
        super().__init__(name)
        self.options, self.selected_index, self.on_change = tuple(options), selected_index, on_change
        self.disabled_options: frozenset[int] = frozenset()
        """Indices of the options that can't be selected."""
        self.option_padding_px = OPTION_PADDING_PX
        """Minimum space on each side of an option's text, in logical pixels."""
        self._text_widths: list[float] = []

    def preferred_width(self, canvas: Canvas) -> float:
        """Return the width at which all options fit on one row, in logical pixels."""
        return sum(
            canvas.text_width(option, "sans", 14) + 2 * self.option_padding_px for option in self.options
        )

    def measure(self, canvas: Canvas) -> None:
        """Measure the texts of all options, for :meth:`wrap_options`."""
        self._text_widths = [canvas.text_width(option, "sans", 14) for option in self.options]

    def wrap_options(self, max_width: float) -> list[list[float]]:
        """Divide the options into as few rows as possible; return the widths of the texts in each row.

        No row is wider than ``max_width`` unless it holds a single option. Among such divisions, choose one whose
        widest row is as narrow as possible.
        """

        def widest(rows: list[list[float]]) -> float:
            return max(map(self._row_width, rows))

        rows = self._fill_rows(max_width)
        while len(rows) > 1:
            narrower = self._fill_rows(widest(rows) - 1.0)
            if len(narrower) > len(rows) or widest(narrower) >= widest(rows):
                break
            rows = narrower
        return rows

    def _row_width(self, text_widths: Sequence[float]) -> float:
        return sum(text_widths) + 2 * self.option_padding_px * len(text_widths)

    def _fill_rows(self, max_width: float) -> list[list[float]]:
        """Return the widths of the texts in each row if every row takes as many options as fit."""
        rows: list[list[float]] = [[]]
        for width in self._text_widths or [0.0] * len(self.options):
            if rows[-1] and self._row_width([*rows[-1], width]) > max_width:
                rows.append([])
            rows[-1].append(width)
        return rows

    def option_rects(self) -> list[Rect]:
        """Return the rectangle of each option.

        The options in a row are equally wide if their texts fit. Otherwise each gets the width of its text and an equal
        share of the remaining space.
        """
        result: list[Rect] = []
        rows = self.wrap_options(self.rect.w)
        high = self.rect.h / len(rows)
        for row, widths in enumerate(rows):
            equal_width = self.rect.w / max(1, len(widths))
            spare = (self.rect.w - sum(widths)) / max(1, len(widths))
            even = max(widths, default=0.0) + 2 * self.option_padding_px <= equal_width
            x = self.rect.x
            for width in widths:
                share = equal_width if even else width + spare
                result.append(Rect(x, self.rect.y + high * row, share, high))
                x += share
        return result

    def draw(self, canvas: Canvas, style: Style) -> None:
        self.measure(canvas)
        super().draw(canvas, style)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.recessed, CORNER_RADIUS_PX)
        for index, (field, option) in enumerate(zip(self.option_rects(), self.options, strict=False)):
            is_hovered = self.hovered and self.root is not None and field.contains(*self.root.pointer)
            if index == self.selected_index:
                canvas.rect(field.inset(2), style.card, CORNER_RADIUS_PX - 2)
                canvas.outline(field.inset(2), style.hairline, CORNER_RADIUS_PX - 2)
            elif is_hovered and index not in self.disabled_options:
                canvas.rect(field.inset(2), style.hover, CORNER_RADIUS_PX - 2)
            colour = style.ink if index == self.selected_index else style.secondary_ink
            if index in self.disabled_options:
                colour = multiply_alpha(colour, 0.45)
            canvas.text_in(field.inset(1, 0), option, colour, "sans", 14, 0.5)

    def select(self, index: int) -> None:
        """Choose an option and call ``on_change``.

        Do nothing if the option is already chosen, unavailable or out of range.
        """
        if (
            index != self.selected_index
            and 0 <= index < len(self.options)
            and index not in self.disabled_options
        ):
            self.selected_index = index
            self.on_change(index)
            self.refresh()

    def on_pointer_move(self, x: float, y: float) -> None:
        self.refresh()

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        for index, field in enumerate(self.option_rects()):
            if field.contains(x, y):
                self.select(index)

    def on_key(self, key: Key) -> bool:
        if key.name in ("left", "right") and not (key.ctrl or key.alt):
            step = 1 if key.name == "right" else -1
            index = self.selected_index + step
            while index in self.disabled_options:
                index += step
            self.select(index)
            return True
        return False


class Tabs(Choice):
    """Row of tab titles, with the chosen one underlined."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.hairline(self.rect.x, self.rect.bottom - 1, self.rect.w, style.hairline)
        for index, (field, option) in enumerate(zip(self.option_rects(), self.options, strict=False)):
            on = index == self.selected_index
            canvas.text_in(
                field.inset(1, 0),
                option,
                style.ink if on else style.secondary_ink,
                "bold" if on else "sans",
                14,
                0.5,
            )
            if on:
                wide = min(field.w - 4, max(field.w - 24, self._text_widths[index] + 8))
                canvas.rect(Rect(field.cx - wide / 2, field.bottom - 2, wide, 2), style.action)
