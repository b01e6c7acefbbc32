"""Drop-down lists: a button that shows the chosen option and opens a list of all options."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, Style

from . import icons
from .button import Button
from .canvas import Canvas
from .core import Key
from .listing import Listing
from .panel import Panel

HIGH = 34.0
"""Height of a row in the list, in logical pixels."""


class Drop(Button):
    """Drop-down button that shows which of ``options`` is chosen.

    The left and right arrow keys change the choice; a click, Enter or Space opens the list. ``usual`` is the index of
    the default option. While another option is chosen, the button is highlighted.
    """

    def __init__(
        self,
        options: Sequence[str],
        chosen: int,
        changed: Callable[[int], None],
        *,
        name: str = "",
        usual: int = 0,
    ) -> None:
        super().__init__("", self._open, name=name, size=14)
        self.options, self.chosen, self.changed, self.usual = tuple(options), chosen, changed, usual
        self.wide = 0.0
        """Width of the list, measured when the button is painted."""

    def natural(self, canvas: Canvas) -> float:
        """Return the width needed to show the chosen option in full, in logical pixels."""
        return canvas.width(self.options[self.chosen], "sans", self.size) + 39

    def paint(self, canvas: Canvas, style: Style) -> None:
        self.on = self.chosen != self.usual
        super().paint(canvas, style)
        longest = max(canvas.width(option, "bold", self.size) for option in self.options)
        self.wide = max(longest + 20, self.rect.w)
        ink = style.action if self.on else style.ink
        words, mark = self.rect.inset(10, 0).cut_left(self.rect.w - 38)
        canvas.text_in(words, self.options[self.chosen], ink, "sans", self.size)
        icons.draw(canvas, "down", round(mark.cx + 2), round(mark.cy), style.soft, 16)

    def choose(self, number: int) -> None:
        """Choose another option and call ``changed``."""
        if number != self.chosen and 0 <= number < len(self.options):
            self.chosen = number
            self.changed(number)
            self.refresh()

    def key(self, key: Key) -> bool:
        if key.name in ("left", "right") and not (key.ctrl or key.alt):
            self.choose(self.chosen + (1 if key.name == "right" else -1))
            return True
        return super().key(key)

    def _open(self) -> None:
        root = self.root
        if root is None:
            return
        card = _Options(self)

        def place(window: Rect) -> Rect:
            wide = min(self.wide + 12, window.w - 16)
            below, above = window.bottom - self.rect.bottom - 12, self.rect.y - 12
            high = HIGH * len(self.options) + 12
            x = max(8.0, min(self.rect.x, window.right - wide - 8))
            if high <= below or below >= above:
                return Rect(x, self.rect.bottom + 4, wide, min(high, below))
            return Rect(x, max(8.0, self.rect.y - 4 - high), wide, min(high, above))

        root.popup(card, place, focus=card.list)


class _Options(Panel):
    """Popup with the list of all options."""

    def __init__(self, drop: Drop) -> None:
        super().__init__("card", floating=True, name="options")
        self.drop = drop
        self.list = Listing(
            HIGH, self._paint_option, self._look, opened=self._take, name=f"{drop.name} options"
        )
        self.list.count, self.list.current = len(drop.options), drop.chosen
        self.add(self.list)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.list.layout(rect.inset(6))

    def _look(self, row: int) -> None:
        # A click chooses an option at once; keys only move through the list.
        if self.root is not None and self.root.held is self.list:
            self._take(row)

    def _take(self, row: int) -> None:
        if self.root is not None and self.root.top is self:
            self.root.close()
            self.drop.choose(row)

    def _paint_option(self, canvas: Canvas, style: Style, rect: Rect, row: int, here: bool) -> None:
        if row == self.list.current:
            canvas.rect(rect.inset(0, 1), style.sunk, RADIUS)
        elif here:
            canvas.rect(rect.inset(0, 1), style.hover, RADIUS)
        face = "bold" if row == self.drop.chosen else "sans"
        canvas.text_in(rect.inset(8, 0), self.drop.options[row], style.ink, face, 14)
