"""Buttons and fields for choices that are not made on the board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.colour import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import Pyramid, pyramid
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.naming import word
from shibumi3d.rules.wording import capital
from shibumi3d.scene.pen import mixed
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, Style

from ...marbles.controller import Spot
from ...marbles.shapes import FEW
from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import Canvas
from ...ui.card import paint_card
from ...ui.core import Key, Widget
from ...ui.field import Field
from ...ui.marble import marble
from ...ui.panel import Panel
from .parts import Table

if TYPE_CHECKING:
    from .parts import Acting


class ChoiceButton(Button):
    """Button for a move; shows a marble if the move names a colour."""

    def __init__(self, label: str, action: Callable[[], None], move: Move) -> None:
        super().__init__(label, action, name=f"answer {move.text}")
        self.choice = move
        self.colour = COLOURS.index(move.text) if move.text in COLOURS else move.colour

    def natural(self, canvas: Canvas) -> float:
        return super().natural(canvas) + (18 if self.colour >= 0 else 0)

    def paint(self, canvas: Canvas, style: Style) -> None:
        label, self.label = self.label, ""
        super().paint(canvas, style)
        self.label = label
        area = self.rect.inset(10, 0)
        if self.colour >= 0:
            marble(canvas, style, area.x + 7, area.cy, 7, self.colour)
            area = area.cut_left(18)[1]
        canvas.text_in(area, label, style.ink, "sans", BODY, 0.5)


class SeatAnswer(ChoiceButton):
    """Button that selects a player."""

    def natural(self, canvas: Canvas) -> float:
        return super().natural(canvas) + 22

    def __init__(self, label: str, action: Callable[[], None], move: Move) -> None:
        super().__init__(label, action, move)
        self.seat = move.value

    def paint(self, canvas: Canvas, style: Style) -> None:
        label, self.label = self.label, ""
        Button.paint(self, canvas, style)
        self.label = label
        icons.sign(canvas, self.seat, self.rect.x + 18, self.rect.cy, style.action, 7)
        canvas.text_in(self.rect.inset(32, 0), label, style.ink, "sans", BODY, 0)


class ShapeAnswer(ChoiceButton):
    """Button for a number that denotes a shape, with a picture of that shape.

    Marbles on higher levels are drawn fainter.
    """

    def __init__(self, action: Callable[[], None], move: Move, shape: Sequence[int], pyr: Pyramid) -> None:
        super().__init__("", action, move)
        self.places = [pyr.xyz[point] for point in shape]

    def natural(self, canvas: Canvas) -> float:
        return 76

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        # Oblique projection, seen from the south.
        flat = [(x + 0.25 * y, -0.45 * y - 0.8 * z, y) for x, y, z in self.places]
        wide = (min(p[0] for p in flat) + max(p[0] for p in flat)) / 2
        high = (min(p[1] for p in flat) + max(p[1] for p in flat)) / 2
        for (x, y, _unused), (_unused, _unused, z) in sorted(
            zip(flat, self.places, strict=True), key=lambda pair: -pair[0][2]
        ):
            tone = mixed(style.soft, style.card, 0.35 * min(1.0, z))
            at = (self.rect.cx + (x - wide) * 14, self.rect.cy + (y - high) * 14)
            canvas.disc(*at, 7.5, style.card)
            canvas.disc(*at, 6.8, tone)


class Stepper(Widget):
    """Number field with − and + buttons.

    The number can also be typed or changed with the mouse wheel.
    """

    def __init__(self, moves: Sequence[Move], verb: str, chosen: Callable[[Move], None]) -> None:
        super().__init__("slip")
        self.moves = sorted(moves, key=lambda move: move.value)
        self.place = 0
        self._chosen = chosen
        self.less = Button("", lambda: self.step(-1), icon="minus", name="less")
        self.more = Button("", lambda: self.step(1), icon="plus", name="more")
        self.field = Field(self.moves[0].text, self._typed, name="number", longest=4, entered=self.take)
        self.ok = Button(verb, self.take, kind="main", name="take number")
        self.add(self.less, self.field, self.more, self.ok)

    def natural(self, canvas: Canvas) -> float:
        """Return the preferred width."""
        return 32 + 64 + 32 + 18 + max(88.0, self.ok.natural(canvas))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.less.layout(Rect(rect.x, rect.y, 32, rect.h))
        self.field.layout(Rect(rect.x + 38, rect.y, 64, rect.h))
        self.more.layout(Rect(rect.x + 108, rect.y, 32, rect.h))
        self.ok.layout(Rect(rect.x + 150, rect.y, rect.w - 150, rect.h))

    def step(self, by: int) -> None:
        """Move ``by`` places in the list of allowed numbers, stopping at either end."""
        self.place = max(0, min(len(self.moves) - 1, self.place + by))
        self.field.words = self.moves[self.place].text
        self.ok.enabled = True
        self.refresh()

    def _typed(self, text: str) -> None:
        found = [i for i, move in enumerate(self.moves) if move.text == text.strip()]
        self.ok.enabled = bool(found)
        self.place = found[0] if found else self.place

    def take(self) -> None:
        """Make the move for the number in the field, if it is allowed."""
        if self.ok.enabled:
            self._chosen(self.moves[self.place])

    def scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        self.step(1 if dy > 0 else -1)
        return True


class Answers(Widget):
    """Widgets for moves that are not made on the board: colours, seats, numbers and branches."""

    def __init__(self, screen: Table) -> None:
        super().__init__("answers")
        self.screen = screen
        self.moves: list[Move] = []

    def fill(self, moves: Sequence[Move]) -> None:
        """Replace the widgets with widgets for ``moves``; hide the panel if there are no moves.

        More than :data:`.FEW` numbers share a single :class:`Stepper`.
        """
        self.moves = list(moves)
        self.clear()
        self.visible = bool(moves)
        if not moves:
            return
        shapes = self.screen.control.shapes.by_number()
        pyr = pyramid(self.screen.state.size)
        numbers = [move for move in moves if move.kind == "number"]
        slip = len(numbers) > FEW
        for move in moves:
            action = partial(self.screen.doing.play_move, move)
            if move in shapes:
                self.add(ShapeAnswer(action, move, shapes[move], pyr))
            elif move.kind == "seat":
                self.add(SeatAnswer(self.screen.names[move.value], action, move))
            elif move.kind != "number" or not slip:
                button = ChoiceButton(self.screen.doing.say_choice(move), action, move)
                button.tip = capital(self.screen.doing.meaning_of(move.label))
                self.add(button)
        if slip:
            self.add(Stepper(numbers, self._verb(), self.screen.doing.play_move))

    def _verb(self) -> str:
        """Return the label of the stepper's button.

        If the last move of this turn chose a branch, the label is the name of that branch.
        """
        plies = self.screen.match.plies
        if self.screen.state.step and plies and plies[-1].move in self.screen.facts.labels:
            return capital(word(plies[-1].move, language()))
        return _("Choose")

    @property
    def high(self) -> float:
        """Height of each button, in logical pixels."""
        return 56.0 if any(isinstance(child, ShapeAnswer) for child in self.children) else 32.0

    def natural(self, canvas: Canvas, most: float) -> tuple[float, float]:
        """Return the width and height needed for all buttons, within the width ``most``."""
        x = wide = 10.0
        lines = 1
        for child in self.children:
            need = child.natural(canvas) + 8 if isinstance(child, Button | Stepper) else 0
            if x + need > most and x > 10:
                lines, x = lines + 1, 10.0
            x += need
            wide = max(wide, x)
        return wide + 2, 12 + (self.high + 8) * lines

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.screen.app.canvas
        x, y = rect.x + 10, rect.y + 10
        for child in self.children:
            need = child.natural(canvas) if isinstance(child, Button | Stepper) else 0
            if x + need > rect.right and x > rect.x + 10:
                x, y = rect.x + 10, y + self.high + 8
            child.layout(Rect(x, y, need, self.high))
            x += need + 8

    def paint(self, canvas: Canvas, style: Style) -> None:
        paint_card(canvas, style, self.rect)


class Offer(Panel):
    """Popup list of moves, shown when a click on a place could mean more than one move."""

    STEP = 38

    def __init__(self, screen: Table, doing: Acting, moves: Sequence[Move], spot: Spot) -> None:
        super().__init__("card", floating=True, name="offer")
        self.screen, self.spot = screen, spot
        game, seen = screen.control.match.game, screen.control.view
        for move in moves:
            label = sentences.say_there(game, seen, move, language(), screen.names)
            self.add(ChoiceButton(capital(label), partial(doing.play_move, move), move))
        self.add(Button(_("Cancel"), screen.app.root.close, kind="quiet", align=0, name="cancel"))

    def place(self, window: Rect) -> Rect:
        """Return the rectangle of the popup, beside the place and inside the window."""
        canvas = self.screen.app.canvas
        wide = max(child.natural(canvas) for child in self.children if isinstance(child, Button)) + 16
        high = self.STEP * len(self.children) + 10
        x, y = self.screen.pointing.where(self.spot)
        x = max(8.0, min(x + 14, window.right - wide - 8))
        return Rect(x, max(8.0, min(y - high / 2, window.bottom - high - 8)), wide, high)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for number, button in enumerate(self.children):
            button.layout(Rect(rect.x + 8, rect.y + 8 + self.STEP * number, rect.w - 16, self.STEP - 4))
