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
from ..ui.panel import Card, middle

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


class KeyCard(Card):
    """Keys and what they do, in two columns."""

    def __init__(self, lines: Sequence[str], heading: str) -> None:
        super().__init__(heading)
        self.keys = [(say(f"key.{line}"), say(f"does.{line}")) for line in lines]
        self.done = Button(
            say("keys.close"), self._close, kind="quiet", tip=say("keys.close.tip"), name="close keys"
        )
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


def show(app: Host, lines: Sequence[str]) -> None:
    """Open the sheet of keys; any key closes it."""
    rows = (len(lines) + 1) // 2
    heading = say("keys.title" if app.settings.single else "keys.title-ctrl")
    app.root.popup(KeyCard(lines, heading), middle(740, 84 + rows * ROW))
