"""The settings, and sentences that need an answer, as cards that float over the page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..settings import MARBLES, MARKS, MOTIONS, THEMES
from ..ui.canvas import Canvas
from ..ui.core import Key
from ..ui.rect import Rect
from ..ui.style import BODY, HEADING, Style
from ..ui.widgets import Button, Choice, Panel, Text

if TYPE_CHECKING:
    from ..app import App

SIZES = (75, 100, 125, 150, 175, 200, 250, 300)


class Card(Panel):
    """A floating surface with a heading."""

    def __init__(self, heading: str) -> None:
        super().__init__("card", floating=True)
        self.heading = heading

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        if self.heading:
            place = Rect(self.rect.x + 24, self.rect.y + 16, self.rect.w - 48, 36)
            canvas.text_in(place, self.heading, style.ink, "title", HEADING)


class SettingsCard(Card):
    """Theme, size of the interface, motion, marks, marbles."""

    SIZE = (600, 504)

    def __init__(self, app: App) -> None:
        super().__init__("Settings")
        self.app = app
        settings = app.settings
        nearest = min(range(len(SIZES)), key=lambda i: abs(SIZES[i] - settings.scale))

        def word(name: str, options: tuple[str, ...]) -> Callable[[int], None]:
            return lambda number: app.change(**{name: options[number]})

        def switch(name: str, options: tuple[str, str]) -> Choice:
            def change(number: int) -> None:
                app.change(**{name: bool(number)})

            return Choice(options, int(getattr(settings, name)), change, name=name)

        self.rows: list[tuple[str, Choice]] = [
            ("Light", Choice(THEMES, THEMES.index(settings.theme), word("theme", THEMES), name="light")),
            ("Text size", Choice([f"{s}" for s in SIZES], nearest, self._scale, name="text size")),
            (
                "Motion",
                Choice(MOTIONS, MOTIONS.index(settings.motion), word("motion", MOTIONS), name="motion"),
            ),
            ("Legal points", Choice(MARKS, MARKS.index(settings.marks), word("marks", MARKS), name="marks")),
            (
                "Marbles",
                Choice(MARBLES, MARBLES.index(settings.marbles), word("marbles", MARBLES), name="marbles"),
            ),
            ("Flights", switch("reduced", ("marbles fly", "marbles fade"))),
            ("One answer", switch("answers", ("asked for", "answers itself"))),
            ("Drag", switch("carry", ("turns the board", "carries a marble"))),
            ("Names of points", switch("coordinates", ("hidden", "on the board"))),
        ]
        self.done = Button("Done", app.root.close, kind="main", name="settings done")
        self.add(*(choice for _, choice in self.rows), self.done)

    def _scale(self, number: int) -> None:
        self.app.change(scale=SIZES[number])
        show(self.app)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 16)
        _, area = area.cut_top(44, 4)
        for _, choice in self.rows:
            line, area = area.cut_top(34, 8)
            choice.layout(line.cut_left(130)[1])
        button, _ = area.cut_bottom(32)
        self.done.layout(button.cut_right(96)[0])

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        for label, choice in self.rows:
            place = Rect(self.rect.x + 24, choice.rect.y, 126, choice.rect.h)
            canvas.text_in(place, label, style.soft, "sans", BODY - 1)


class Notice(Card):
    """A sentence and a button."""

    def __init__(self, app: App, sentence: str) -> None:
        super().__init__("")
        self.words = Text(sentence, "serif", 17, lines=4)
        self.done = Button("Go on", app.root.close, kind="main", name="go on")
        self.add(self.words, self.done)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        area = rect.inset(24, 20)
        button, area = area.cut_bottom(32, 8)
        self.done.layout(button.cut_right(96)[0])
        self.words.layout(area)

    def key(self, key: Key) -> bool:
        if key.name == "enter" and self.root is not None:
            self.root.close()
            return True
        return False


def _centre(app: App, width: float, height: float) -> Rect:
    wide, high = app.root.size
    return Rect(0, 0, wide, high).centred(min(width, wide - 24), min(height, high - 24))


def show(app: App) -> None:
    """Opens the settings."""
    app.root.close_all()
    card = SettingsCard(app)
    app.root.popup(card, _centre(app, *SettingsCard.SIZE))


def tell(app: App, sentence: str) -> None:
    """Says something that the person must have read."""
    card = Notice(app, sentence)
    app.root.popup(card, _centre(app, 480, 180), focus=card.done)
