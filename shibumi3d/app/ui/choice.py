"""Rows of options to choose from, and tabs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, Style

from .canvas import Canvas
from .core import Key, Widget

PAD = 4.0
"""Minimum space on either side of an option's text, in logical pixels."""


class Choice(Widget):
    """Row of options, one of which is chosen; the left and right arrow keys change the choice."""

    focusable = True
    shape = "hand"

    def __init__(
        self, options: Sequence[str], chosen: int, changed: Callable[[int], None], *, name: str = ""
    ) -> None:
        super().__init__(name)
        self.options, self.chosen, self.changed = tuple(options), chosen, changed
        self.unavailable: frozenset[int] = frozenset()
        """Indices of the options that can't be selected."""
        self._widths: list[float] = []

    def natural(self, canvas: Canvas) -> float:
        """Return the width at which all options fit on one row, in logical pixels."""
        return sum(canvas.width(option, "sans", 14) + 2 * PAD for option in self.options)

    def measure(self, canvas: Canvas) -> None:
        """Measure the texts of all options."""
        self._widths = [canvas.width(option, "sans", 14) for option in self.options]

    def rows(self, wide: float) -> list[list[float]]:
        """Divide the options into rows of width ``wide``; return the widths of the texts in each row."""
        rows: list[list[float]] = [[]]
        for width in self._widths or [0.0] * len(self.options):
            if rows[-1] and sum(rows[-1]) + width + 2 * PAD * (len(rows[-1]) + 1) > wide:
                rows.append([])
            rows[-1].append(width)
        return rows

    def fields(self) -> list[Rect]:
        """Return the rectangle of each option.

        The options in a row are equally wide if their texts fit. Otherwise each gets the width of its text and an equal
        share of the remaining space.
        """
        found: list[Rect] = []
        rows = self.rows(self.rect.w)
        high = self.rect.h / len(rows)
        for number, widths in enumerate(rows):
            each = self.rect.w / max(1, len(widths))
            spare = (self.rect.w - sum(widths)) / max(1, len(widths))
            even = max(widths, default=0.0) + 2 * PAD <= each
            x = self.rect.x
            for width in widths:
                share = each if even else width + spare
                found.append(Rect(x, self.rect.y + high * number, share, high))
                x += share
        return found

    def draw(self, canvas: Canvas, style: Style) -> None:
        self.measure(canvas)
        super().draw(canvas, style)

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.sunk, RADIUS)
        for number, (field, option) in enumerate(zip(self.fields(), self.options, strict=False)):
            here = self.hovered and self.root is not None and field.holds(*self.root.pointer)
            if number == self.chosen:
                canvas.rect(field.inset(2), style.card, RADIUS - 2)
                canvas.frame(field.inset(2), style.hairline, RADIUS - 2)
            elif here and number not in self.unavailable:
                canvas.rect(field.inset(2), style.hover, RADIUS - 2)
            colour = style.ink if number == self.chosen else style.soft
            if number in self.unavailable:
                colour = faded(colour, 0.45)
            canvas.text_in(field.inset(1, 0), option, colour, "sans", 14, 0.5)

    def choose(self, number: int) -> None:
        """Choose an option and call ``changed``.

        Do nothing if the option is already chosen, unavailable or out of range.
        """
        if number != self.chosen and 0 <= number < len(self.options) and number not in self.unavailable:
            self.chosen = number
            self.changed(number)
            self.refresh()

    def move(self, x: float, y: float) -> None:
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        for number, field in enumerate(self.fields()):
            if field.holds(x, y):
                self.choose(number)

    def key(self, key: Key) -> bool:
        if key.name in ("left", "right") and not (key.ctrl or key.alt):
            step = 1 if key.name == "right" else -1
            number = self.chosen + step
            while number in self.unavailable:
                number += step
            self.choose(number)
            return True
        return False


class Tabs(Choice):
    """Row of tab titles, with the chosen one underlined."""

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rule(self.rect.x, self.rect.bottom - 1, self.rect.w, style.hairline)
        for number, (field, option) in enumerate(zip(self.fields(), self.options, strict=False)):
            on = number == self.chosen
            canvas.text_in(
                field.inset(1, 0), option, style.ink if on else style.soft, "bold" if on else "sans", 14, 0.5
            )
            if on:
                wide = min(field.w - 4, max(field.w - 24, self._widths[number] + 8))
                canvas.rect(Rect(field.cx - wide / 2, field.bottom - 2, wide, 2), style.action)
