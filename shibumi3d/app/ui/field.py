"""A line of text to type in."""

from __future__ import annotations

from collections.abc import Callable

from . import icons
from .button import Action
from .canvas import Canvas, faded
from .core import Key, Widget
from .rect import Rect
from .style import BODY, RADIUS, Style


class Field(Widget):
    """A line of text to type in."""

    focusable = True
    typed_in = True
    shape = "text"

    def __init__(
        self,
        text: str = "",
        changed: Callable[[str], None] = lambda text: None,
        *,
        hint: str = "",
        icon: str = "",
        name: str = "",
        longest: int = 60,
        entered: Action | None = None,
        clears: bool = False,
    ) -> None:
        super().__init__(name)
        self.words, self.changed, self.hint, self.icon = text, changed, hint, icon
        self.longest, self.entered = longest, entered
        self.clears = clears
        """Whether Esc empties it."""
        self.caret = len(text)
        self.whole = False
        self._starts: list[float] = []

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.action if self.focused else style.hairline, RADIUS)
        area = self.rect.inset(10, 0)
        if self.icon:
            field, area = area.cut_left(24, 2)
            icons.draw(canvas, self.icon, field.cx - 2, field.cy, style.soft, 18)
        self._starts = [
            area.x + canvas.width(self.words[:i], "sans", BODY) for i in range(len(self.words) + 1)
        ]
        shift = max(0.0, self._starts[self.caret] - (area.right - 2)) if self.focused else 0.0
        self._starts = [x - shift for x in self._starts]
        with canvas.clip(area):
            if self.whole and self.focused and self.words:
                span = Rect(self._starts[0], area.cy - 10, self._starts[-1] - self._starts[0], 20)
                canvas.rect(span, faded(style.action, 0.22))
            if self.words:
                canvas.text(self._starts[0], area.cy + BODY * 0.36, self.words, style.ink)
            elif self.hint:
                canvas.text_in(area, self.hint, style.soft)
            if self.focused:
                canvas.rect(Rect(self._starts[self.caret], area.cy - 9, 1.5, 18), style.action)

    def set(self, text: str) -> None:
        """Replaces the text and tells about it."""
        self.words = text[: self.longest]
        self.caret = len(self.words)
        self.whole = False
        self.changed(self.words)
        self.refresh()

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button != "left":
            return False
        self.whole = False
        if self._starts:
            self.caret = min(range(len(self._starts)), key=lambda i: abs(self._starts[i] - x))
            self.caret = min(self.caret, len(self.words))
        return True

    def text(self, text: str) -> bool:
        plain = "".join(c for c in text if c.isprintable())
        if not plain:
            return False
        self._replace(plain)
        return True

    def key(self, key: Key) -> bool:
        if key.alt:
            return False
        if key.ctrl:
            if key.name != "a":
                return False
            self.whole = True
            self.caret = len(self.words)
            return True
        last = len(self.words)
        if key.name == "backspace":
            if self.whole:
                self._replace("")
            elif self.caret:
                self.words = self.words[: self.caret - 1] + self.words[self.caret :]
                self.caret -= 1
                self.changed(self.words)
        elif key.name == "delete":
            if self.whole:
                self._replace("")
            elif self.caret < last:
                self.words = self.words[: self.caret] + self.words[self.caret + 1 :]
                self.changed(self.words)
        elif key.name in ("left", "right", "home", "end"):
            places = {"left": self.caret - 1, "right": self.caret + 1, "home": 0, "end": last}
            self.caret = max(0, min(last, places[key.name]))
            self.whole = False
        elif key.name == "escape" and self.clears and self.words:
            self.set("")
        elif key.name == "enter" and self.entered is not None:
            self.entered()
        else:
            return len(key.name) == 1 or key.name == "space"
        return True

    def _replace(self, text: str) -> None:
        if self.whole:
            self.words, self.caret, self.whole = "", 0, False
        room = self.longest - len(self.words)
        text = text[: max(0, room)]
        self.words = self.words[: self.caret] + text + self.words[self.caret :]
        self.caret += len(text)
        self.changed(self.words)
