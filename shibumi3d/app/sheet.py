"""The sheet of keys, as a card over the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .ui.button import Button
from .ui.canvas import Canvas
from .ui.core import Key
from .ui.panel import Card, middle
from .ui.rect import Rect
from .ui.style import RADIUS, Style

if TYPE_CHECKING:
    from .app import App

PLAY = (
    ("Tab, arrows", "go to a point"),
    ("Enter, Space", "choose it"),
    ("1 2 3", "colour in the tray"),
    ("Ctrl+Enter", "end the turn"),
    ("P", "pass"),
    ("Esc, right click", "step back"),
    ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    (", .  G", "look back, on, at a turn"),
    ("B", "last turn again"),
    ("T, 0", "from above, home"),
    ("[ ]", "quarter turns"),
    ("+ −, wheel", "nearer, farther"),
    ("Ctrl+arrows, drag", "turn freely"),
    ("O, Alt+arrows", "other side, four sides"),
    ("Alt+1 to 4", "views; with Shift, store"),
    ("L", "marks of legal points"),
    ("K, C", "connections, names"),
    ("X held, V", "spread, better angle"),
    ("F2, F6", "flat plan, other board"),
    ("; then Enter", "turn a shape, set it"),
    ("/", "type a move"),
    ("Ctrl+C", "copy the moves"),
    ("Ctrl+Shift+C", "keep a picture"),
    ("Z", "only the board"),
    ("F1", "rules"),
    ("Ctrl+B", "panel at the side"),
    ("Ctrl+S, Ctrl+O", "save, open"),
    ("Ctrl+N", "new game"),
    ("M", "sound on, off"),
    ("F11", "whole screen"),
    ("Ctrl+Q", "leave"),
)
REPLAY = (
    ("Space", "play, pause"),
    ("← →", "move by move"),
    ("↑ ↓", "faster, slower"),
    ("Home, End", "first, last"),
    ("L", "loop"),
    ("T, 0", "from above, home"),
    ("[ ]", "quarter turns"),
    ("Ctrl+Shift+C", "keep a picture"),
    ("M", "sound on, off"),
    ("Esc", "back"),
)
HOME = (
    ("letters", "search"),
    ("↑ ↓", "choose a game"),
    ("Enter", "play it"),
    ("Tab", "go to the next field"),
    ("Ctrl+O", "games kept"),
    ("Ctrl+,", "settings"),
    ("Ctrl+M", "sound on, off"),
    ("F11", "whole screen"),
    ("Ctrl+Q", "leave"),
)
ROW = 30.0


class KeyCard(Card):
    """Keys and what they do, in two columns."""

    def __init__(self, keys: Sequence[tuple[str, str]], heading: str) -> None:
        super().__init__(heading)
        self.keys = keys
        self.done = Button("Close", self._close, kind="quiet", tip="Any key", name="close keys")
        self.add(self.done)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.done.layout(Rect(rect.right - 96, rect.y + 16, 80, 32))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        rows = (len(self.keys) + 1) // 2
        widest = max(canvas.width(keys, "bold", 13) for keys, _ in self.keys) + 14
        area = self.rect.inset(24, 16)
        high = min(ROW, (area.h - 48) / rows)
        for number, (keys, meaning) in enumerate(self.keys):
            column, line = divmod(number, rows)
            x = area.x + column * (area.w / 2 + 8)
            place = Rect(x, area.y + 48 + line * high, area.w / 2 - 8, high)
            left, right = place.cut_left(widest, 10)
            wide = canvas.width(keys, "bold", 13) + 14
            canvas.rect(
                Rect(left.x, left.y + 3, min(wide, left.w), high - min(6, high / 5)), style.sunk, RADIUS - 2
            )
            canvas.text_in(Rect(left.x + 7, left.y, left.w - 7, left.h), keys, style.ink, "bold", 13)
            canvas.text_fit(right, meaning, style.soft, "sans", 14)

    def key(self, key: Key) -> bool:
        self._close()
        return True

    def _close(self) -> None:
        if self.root is not None:
            self.root.close()


def show(app: App, keys: Sequence[tuple[str, str]]) -> None:
    """Opens the sheet; any key closes it."""
    rows = (len(keys) + 1) // 2
    heading = "Keys" if app.settings.single else "Keys, single ones with Ctrl (or Alt)"
    app.root.popup(KeyCard(keys, heading), middle(740, 84 + rows * ROW))
