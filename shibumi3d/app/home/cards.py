"""The match that was played last, to be continued."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text import say
from ..ui import icons
from ..ui.canvas import Canvas
from ..ui.core import Key, Widget
from ..ui.style import RADIUS, Style

if TYPE_CHECKING:
    from ..app import App


class ContinueCard(Widget):
    """The game that was being played last; a click takes it up again."""

    focusable = True
    shape = "hand"

    def __init__(self, app: App) -> None:
        super().__init__("continue")
        self.app = app

    def paint(self, canvas: Canvas, style: Style) -> None:
        record = self.app.matches.saved
        if record is None:
            return
        canvas.rect(self.rect, style.card, RADIUS)
        if self.hovered:
            canvas.rect(self.rect, style.hover, RADIUS)
        canvas.frame(self.rect, style.hairline, RADIUS)
        area = self.rect.inset(16, 10)
        mark, area = area.cut_left(40)
        icons.draw(canvas, "play", mark.x + 14, mark.cy, style.action, 26)
        upper, lower = area.cut_top(28)
        entry = self.app.entry(record.game)
        title = entry.title if entry else record.game
        canvas.text_in(upper, say("home.continue", title=title), style.ink, "title", 19)
        turns = say("turns-played", len(record.turns))
        canvas.text_in(
            lower, say("home.kept", people=" – ".join(record.seats), turns=turns), style.soft, "sans", 14
        )

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.holds(x, y):
            self.app.matches.resume()

    def key(self, key: Key) -> bool:
        if key.chord in ("enter", "space"):
            self.app.matches.resume()
            return True
        return False
