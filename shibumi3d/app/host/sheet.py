"""The sheet of keys, as a card over the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, Style

from ..text import say
from ..ui.button import Button
from ..ui.canvas import Canvas
from ..ui.core import Key
from ..ui.listing import Scroller
from ..ui.panel import LOW, Card, middle

if TYPE_CHECKING:
    from . import Host

PLAY = (
    "point", "choose", "colour", "end", "pass", "outside-moves", "step-back", "undo", "hint", "solution",
    "analysis", "look-back", "again", "above", "quarters", "zoom", "freely", "sides", "views", "marks", "names",
    "spread", "plan", "shape", "ask-here", "without-sight", "type", "copy", "picture", "edit", "zen", "rules",
    "panel", "save", "new", "mute", "whole", "leave",
)  # fmt: skip
TABLE = (
    "places", "own-keys", "end", "undo", "hint", "analysis", "look-back", "again", "above", "plan-table",
    "quarters", "zoom", "freely", "sides", "views", "ask-here", "without-sight", "type", "copy", "picture", "zen",
    "rules", "panel", "save", "new", "mute", "whole", "leave",
)  # fmt: skip
REPLAY = (
    "run", "moves", "speed", "ends", "loop", "part", "band", "fault", "ask-here", "without-sight", "edit", "above",
    "quarters", "picture", "film", "mute", "back",
)  # fmt: skip
EDIT = (
    "walk", "set-down", "take-away", "colours", "undo", "copy", "play-here", "analysis", "solve", "ask-here",
    "without-sight", "above", "quarters", "zoom", "freely", "picture", "mute", "back",
)  # fmt: skip
HOME = (
    "search", "game", "start", "any-game", "favour", "edit", "field", "kept", "design", "settings", "without-sight",
    "mute-home", "whole", "leave",
)  # fmt: skip
DESIGN = (
    "write-words", "write-tabs", "write-indent", "write-undo", "write-copy", "write-try", "write-judge",
    "write-learn", "write-save", "write-share", "write-new", "settings", "mute-home", "whole", "write-leave", "leave",
)  # fmt: skip
"""The lines of the sheet of each page, as :data:`.text.en.KEYS` calls them."""
ROW = 30.0


LOWEST = 19.0
"""The least height of a line."""
BAR = 14.0
"""What is kept free for the bar at the right."""
SIDE = 280.0
"""The least width of a column beside another."""


class KeyLines(Scroller):
    """Keys and what they do, in two columns or one, that are moved up and down where there are more than fit."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__()
        self.keys = [(say(f"key.{line}"), say(f"does.{line}")) for line in lines]

    @property
    def columns(self) -> int:
        """How many stand side by side."""
        return 2 if self.rect.w - BAR >= 2 * SIDE else 1

    @property
    def rows(self) -> int:
        """How many lines a column has."""
        return -(-len(self.keys) // self.columns)

    @property
    def high(self) -> float:
        """From line to line."""
        return min(ROW, max(LOWEST, self.rect.h / self.rows)) if self.columns > 1 else ROW

    @property
    def height(self) -> float:
        return self.rows * self.high

    def paint(self, canvas: Canvas, style: Style) -> None:
        area, columns, rows, high = self.rect.cut_right(BAR)[1], self.columns, self.rows, self.high
        widest = max(canvas.width(keys, "bold", 13) for keys, _ in self.keys) + 14
        wide = area.w / 2 - 8 if columns > 1 else area.w
        with canvas.clip(self.rect):
            for number, (keys, meaning) in enumerate(self.keys):
                column, line = divmod(number, rows)
                x, y = area.x + column * (area.w / 2 + 8), area.y + line * high - self.offset
                left, right = Rect(x, y, wide, high).cut_left(widest, 10)
                box = min(canvas.width(keys, "bold", 13) + 14, left.w)
                sunk = Rect(left.x, left.y + 3, box, high - min(6, high / 5))
                canvas.rect(sunk, style.sunk, RADIUS - 2)
                canvas.text_in(Rect(left.x + 7, left.y, left.w - 7, left.h), keys, style.ink, "bold", 13)
                canvas.text_fit(right, meaning, style.soft, "sans", 14)
            self.paint_bar(canvas, style)


class KeyCard(Card):
    """Keys and what they do."""

    column = LOW

    def __init__(self, lines: Sequence[str], heading: str) -> None:
        super().__init__(heading)
        self.lines = KeyLines(lines)
        self.done = Button(
            say("keys.close"), self._close, kind="quiet", tip=say("keys.close.tip"), name="close keys"
        )
        self.add(self.lines, self.done)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.done.layout(Rect(rect.right - 96, rect.y + 16, 80, 32))
        area = rect.inset(24, 16).cut_top(48)[1]
        self.lines.layout(Rect(area.x, area.y, area.w + BAR, area.h))

    def key(self, key: Key) -> bool:
        if not (self.lines.bar() and self.lines.page_keys(key)):
            self._close()
        return True

    def _close(self) -> None:
        if self.root is not None:
            self.root.close()


def show(app: Host, lines: Sequence[str]) -> None:
    """Open the sheet of keys; any key closes it."""
    rows = (len(lines) + 1) // 2
    heading = say("keys.title" if app.settings.single else "keys.title-ctrl")
    app.root.popup(KeyCard(lines, heading), middle(740, 84 + rows * ROW))
