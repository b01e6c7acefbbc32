"""Widgets for choices beside the boards: the choice panel, the move menu, the colour tray and the step indicator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shibumi3d.i18n import _, language
from shibumi3d.rules.marbles.colours import COLOURS
from shibumi3d.rules.marbles.move import Move
from shibumi3d.rules.marbles.pyramid import Pyramid, get_pyramid
from shibumi3d.rules.marbles.wording import sentences
from shibumi3d.rules.marbles.wording.names import display_name
from shibumi3d.rules.wording import capitalize_first
from shibumi3d.scene.pen import mix_colours
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, SMALL_TEXT_PX, Style

from ...ui import icons
from ...ui.button import Button
from ...ui.canvas import Canvas, paint_card_background
from ...ui.icons import draw_marble
from ...ui.panel import Panel
from ...ui.text_input import TextField
from ...ui.widget import Key, Widget
from .controller import MAX_NUMBER_BUTTONS, Spot
from .interfaces import MarblePage

if TYPE_CHECKING:
    from .interfaces import ActionsInterface


class ChoiceButton(Button):
    """Button for a move, with a marble if the move names a colour."""

    def __init__(self, label: str, on_click: Callable[[], None], move: Move) -> None:
        super().__init__(label, on_click, name=f"answer {move.text}")
        self.choice = move
        self.colour = COLOURS.index(move.text) if move.text in COLOURS else move.colour

    def preferred_width(self, canvas: Canvas) -> float:
        return super().preferred_width(canvas) + (18 if self.colour >= 0 else 0)

    def paint(self, canvas: Canvas, style: Style) -> None:
        label, self.label = self.label, ""
        super().paint(canvas, style)
        self.label = label
        area = self.rect.inset(10, 0)
        if self.colour >= 0:
            draw_marble(canvas, style, area.x + 7, area.cy, 7, self.colour)
            area = area.cut_left(18)[1]
        canvas.text_in(area, label, style.ink, "sans", BODY_TEXT_PX, 0.5)


class SeatButton(ChoiceButton):
    """Button that selects a player."""

    def preferred_width(self, canvas: Canvas) -> float:
        return super().preferred_width(canvas) + 22

    def __init__(self, label: str, on_click: Callable[[], None], move: Move) -> None:
        super().__init__(label, on_click, move)
        self.seat = move.value

    def paint(self, canvas: Canvas, style: Style) -> None:
        label, self.label = self.label, ""
        Button.paint(self, canvas, style)
        self.label = label
        icons.draw_seat_symbol(canvas, self.seat, self.rect.x + 18, self.rect.cy, style.action, 7)
        canvas.text_in(self.rect.inset(32, 0), label, style.ink, "sans", BODY_TEXT_PX, 0)


class ShapeButton(ChoiceButton):
    """Button for a number that denotes a shape, with a picture of that shape.

    Marbles on higher levels are drawn fainter.
    """

    def __init__(
        self, on_click: Callable[[], None], move: Move, shape: Sequence[int], geometry: Pyramid
    ) -> None:
        super().__init__("", on_click, move)
        self.positions = [geometry.centres[point] for point in shape]

    def preferred_width(self, canvas: Canvas) -> float:
        return 76

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        # Oblique projection, seen from the south.
        flat = [(x + 0.25 * y, -0.45 * y - 0.8 * z, y) for x, y, z in self.positions]
        centre_x = (min(p[0] for p in flat) + max(p[0] for p in flat)) / 2
        centre_y = (min(p[1] for p in flat) + max(p[1] for p in flat)) / 2
        for (x, y, _unused), (_unused, _unused, z) in sorted(
            zip(flat, self.positions, strict=True), key=lambda pair: -pair[0][2]
        ):
            tone = mix_colours(style.secondary_ink, style.card, 0.35 * min(1.0, z))
            at = (self.rect.cx + (x - centre_x) * 14, self.rect.cy + (y - centre_y) * 14)
            canvas.disc(*at, 7.5, style.card)
            canvas.disc(*at, 6.8, tone)


class NumberStepper(Widget):
    """Number field with − and + buttons, and a button that confirms the number.

    The number can also be typed or changed with the mouse wheel.
    """

    def __init__(self, moves: Sequence[Move], button_label: str, on_choose: Callable[[Move], None]) -> None:
        super().__init__("slip")
        self.moves = sorted(moves, key=lambda move: move.value)
        self.index = 0
        self._on_choose = on_choose
        self.decrease_button = Button("", lambda: self.step(-1), icon="minus", name="less")
        self.increase_button = Button("", lambda: self.step(1), icon="plus", name="more")
        self.number_field = TextField(
            self.moves[0].text, self._on_text_change, name="number", max_length=4, on_enter=self.choose_number
        )
        self.confirm_button = Button(button_label, self.choose_number, kind="main", name="take number")
        self.add(self.decrease_button, self.number_field, self.increase_button, self.confirm_button)

    def preferred_width(self, canvas: Canvas) -> float:
        """Return the preferred width in logical pixels."""
        return 32 + 64 + 32 + 18 + max(88.0, self.confirm_button.preferred_width(canvas))

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        self.decrease_button.layout(Rect(rect.x, rect.y, 32, rect.h))
        self.number_field.layout(Rect(rect.x + 38, rect.y, 64, rect.h))
        self.increase_button.layout(Rect(rect.x + 108, rect.y, 32, rect.h))
        self.confirm_button.layout(Rect(rect.x + 150, rect.y, rect.w - 150, rect.h))

    def step(self, steps: int) -> None:
        """Move ``steps`` places in the list of allowed numbers, stopping at either end."""
        self.index = max(0, min(len(self.moves) - 1, self.index + steps))
        self.number_field.value = self.moves[self.index].text
        self.confirm_button.enabled = True
        self.refresh()

    def _on_text_change(self, text: str) -> None:
        indices = [i for i, move in enumerate(self.moves) if move.text == text.strip()]
        self.confirm_button.enabled = bool(indices)
        self.index = indices[0] if indices else self.index

    def choose_number(self) -> None:
        """Make the move for the number in the field, if it is allowed."""
        if self.confirm_button.enabled:
            self._on_choose(self.moves[self.index])

    def on_scroll(self, x: float, y: float, dx: float, dy: float, key: Key) -> bool:
        if dy:
            self.step(1 if dy > 0 else -1)
        return True


class ChoicePanel(Widget):
    """Panel of widgets for choices that aren't made on the board: colours, seats, numbers and branches."""

    def __init__(self, page: MarblePage) -> None:
        super().__init__("answers")
        self.page = page
        self.moves: list[Move] = []

    def set_moves(self, moves: Sequence[Move]) -> None:
        """Show widgets for choosing one of ``moves``, or hide the panel if there are none.

        If there are more than :data:`.MAX_NUMBER_BUTTONS` numbers to choose from, they share a single
        :class:`NumberStepper`.
        """
        self.moves = list(moves)
        self.clear()
        self.visible = bool(moves)
        if not moves:
            return
        shapes = self.page.controller.shapes.examples_by_number()
        pyr = get_pyramid(self.page.state.size)
        numbers = [move for move in moves if move.kind == "number"]
        slip = len(numbers) > MAX_NUMBER_BUTTONS
        for move in moves:
            action = partial(self.page.actions.play_move, move)
            if move in shapes:
                self.add(ShapeButton(action, move, shapes[move], pyr))
            elif move.kind == "seat":
                self.add(SeatButton(self.page.names[move.value], action, move))
            elif move.kind != "number" or not slip:
                button = ChoiceButton(self.page.actions.move_label(move), action, move)
                button.tooltip = capitalize_first(self.page.actions.explain_word(move.label))
                self.add(button)
        if slip:
            self.add(NumberStepper(numbers, self._stepper_label(), self.page.actions.play_move))

    def _stepper_label(self) -> str:
        """Return the label of the stepper's button.

        This is the name of the branch that the last move of this turn chose, or "Choose" if there is no such branch.
        """
        plies = self.page.match.plies
        if self.page.state.step and plies and plies[-1].move in self.page.facts.labels:
            return capitalize_first(display_name(plies[-1].move, language()))
        return _("Choose")

    @property
    def button_height(self) -> float:
        """Height of each button, in logical pixels."""
        return 56.0 if any(isinstance(child, ShapeButton) for child in self.children) else 32.0

    def preferred_size(self, canvas: Canvas, max_width: float) -> tuple[float, float]:
        """Return the width and height needed for all widgets, in rows no wider than ``max_width`` if possible."""
        x = width = 10.0
        lines = 1
        for child in self.children:
            need = child.preferred_width(canvas) + 8 if isinstance(child, Button | NumberStepper) else 0
            if x + need > max_width and x > 10:
                lines, x = lines + 1, 10.0
            x += need
            width = max(width, x)
        return width + 2, 12 + (self.button_height + 8) * lines

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        canvas = self.page.app.canvas
        x, y = rect.x + 10, rect.y + 10
        for child in self.children:
            need = child.preferred_width(canvas) if isinstance(child, Button | NumberStepper) else 0
            if x + need > rect.right and x > rect.x + 10:
                x, y = rect.x + 10, y + self.button_height + 8
            child.layout(Rect(x, y, need, self.button_height))
            x += need + 8

    def paint(self, canvas: Canvas, style: Style) -> None:
        paint_card_background(canvas, style, self.rect)


class MoveMenu(Panel):
    """Popup list of moves, shown when a click on a spot could mean more than one move."""

    ROW_HEIGHT_PX = 38

    def __init__(
        self, page: MarblePage, actions: ActionsInterface, moves: Sequence[Move], spot: Spot
    ) -> None:
        super().__init__("card", is_floating=True, name="offer")
        self.page, self.spot = page, spot
        game, seen = page.controller.match.game, page.controller.observation
        for move in moves:
            label = sentences.describe_move_there(game, seen, move, language(), page.names)
            self.add(ChoiceButton(capitalize_first(label), partial(actions.play_move, move), move))
        self.add(Button(_("Cancel"), page.app.root.close_popup, kind="quiet", align=0, name="cancel"))

    def popup_rect(self, window: Rect) -> Rect:
        """Return the rectangle of the popup, beside the spot and inside the window."""
        canvas = self.page.app.canvas
        width = (
            max(child.preferred_width(canvas) for child in self.children if isinstance(child, Button)) + 16
        )
        height = self.ROW_HEIGHT_PX * len(self.children) + 10
        x, y = self.page.pointer.spot_position(self.spot)
        x = max(8.0, min(x + 14, window.right - width - 8))
        return Rect(x, max(8.0, min(y - height / 2, window.bottom - height - 8)), width, height)

    def layout(self, rect: Rect) -> None:
        super().layout(rect)
        for number, button in enumerate(self.children):
            button.layout(
                Rect(
                    rect.x + 8, rect.y + 8 + self.ROW_HEIGHT_PX * number, rect.w - 16, self.ROW_HEIGHT_PX - 4
                )
            )


class ColourTray(Widget):
    """Row of the colours that can be placed; clicking one or pressing its number key selects it."""

    cursor_shape = "hand"
    MIN_FIELD_WIDTH_PX = 62.0
    LABEL_SIZES_PX = range(SMALL_TEXT_PX, 9, -1)
    """Font sizes of the labels, in order of preference."""

    def __init__(self, page: MarblePage) -> None:
        super().__init__("tray")
        self.page = page
        self._field_width = self.MIN_FIELD_WIDTH_PX

    def holds_drawn_marble(self) -> bool:
        """Return whether the player must place a marble that was drawn or chosen earlier.

        This is so if marbles of only one colour can be placed, and they come from a stock other than the box and the
        bag.
        """
        tray = self.page.controller.available_colours
        return len(tray) == 1 and self.page.controller.source_stock(tray[0]) not in ("", "box", "bag")

    def layout_in(self, area: Rect, canvas: Canvas) -> None:
        """Lay out the tray at the bottom left of ``area``, wide enough for the names of all colours if possible."""
        widths = [canvas.text_width(label, "bold", SMALL_TEXT_PX) + 10 for label in self._labels()]
        self._field_width = max([self.MIN_FIELD_WIDTH_PX, *widths])
        if widths:
            self._field_width = min(self._field_width, (area.w - 12) / len(widths))
        self.layout(Rect(area.x, area.bottom - 84, self._field_width * len(widths) + 12, 84))

    def _labels(self) -> list[str]:
        """Return the label of each colour in the tray: its number and name, or "in hand" if it is the only one."""
        colours = self.page.controller.available_colours
        if len(colours) == 1:
            return [_("in hand")]
        return [
            _("{number}: {colour}", number=number, colour=display_name(COLOURS[colour], language()))
            for number, colour in enumerate(colours, 1)
        ]

    def _field_rect(self, index: int) -> Rect:
        return Rect(self.rect.x + 6 + self._field_width * index, self.rect.y, self._field_width, self.rect.h)

    def remaining_text(self, colour: int) -> str:
        """Return the number of marbles of ``colour`` that are left, as text.

        The result is empty if the number isn't limited or the match is over.
        """
        state = self.page.model.observation
        if state.to_move is None:
            return ""
        holders = state.reserves.get(self.page.controller.source_stock(colour), ())
        if not holders:
            return ""
        content = holders[state.to_move if len(holders) > 1 else 0]
        return str(content.get(COLOURS[colour], ""))

    def paint(self, canvas: Canvas, style: Style) -> None:
        paint_card_background(canvas, style, self.rect)
        here = self.root.pointer if self.hovered and self.root is not None else (-1.0, -1.0)
        for number, (colour, text) in enumerate(
            zip(self.page.controller.available_colours, self._labels(), strict=True)
        ):
            field = self._field_rect(number)
            on = colour == self.page.controller.next_colour
            if field.contains(*here) and not on:
                canvas.rect(field.inset(3, 4), style.hover, CORNER_RADIUS_PX)
            draw_marble(canvas, style, field.cx, field.y + 32, 17, colour)
            if on:
                canvas.ring(field.cx, field.y + 32, 23, style.action, 2.5)
            left = Rect(field.x, field.y + 22, field.w, 20)
            canvas.text_in(left, self.remaining_text(colour), style.marble_ink(colour), "bold", 14, 0.5)
            label = Rect(field.x, field.y + 58, field.w, 20)
            face, ink = ("bold", style.ink) if on else ("sans", style.secondary_ink)
            size = canvas.fit_font_size(text, face, self.LABEL_SIZES_PX, field.w - 2)
            canvas.text_in(label, text, ink, face, size, 0.5)

    def on_pointer_move(self, x: float, y: float) -> None:
        self.refresh()

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        for number in range(len(self.page.controller.available_colours)):
            if self._field_rect(number).contains(x, y):
                self.page.actions.choose_colour(number)


class StepIndicator(Widget):
    """Row of beads for the steps of a turn: finished steps, the current step and any step that must follow it.

    If there is no room for all finished steps, only the last ones have beads. The bead of the current step is paler if
    that step is optional. Clicking the bead of a finished step undoes that step and all later ones.
    """

    BEAD_SPACING_PX, MAX_BEADS = 16, 12
    MAX_WIDTH_FRACTION = 0.3
    """Maximum width, as a fraction of the width that the indicator shares with buttons and the message line."""

    def __init__(self, page: MarblePage) -> None:
        super().__init__("beads", _("Steps of this turn: click one to undo it and all later steps"))
        self.page = page
        self._max_beads = self.MAX_BEADS

    def set_available_width(self, width: float) -> None:
        """Set the width, in logical pixels, that is shared with neighbouring widgets.

        The width limits the number of beads for finished steps. If there are more finished steps than that, only the
        last ones have beads.
        """
        room = int((width * self.MAX_WIDTH_FRACTION - 14) / self.BEAD_SPACING_PX)
        self._max_beads = max(1, min(self.MAX_BEADS, room))

    @property
    def done_count(self) -> int:
        """Number of finished steps that have a bead."""
        return min(self._max_beads, int(self.page.model.observation.step))

    @property
    def is_optional(self) -> bool:
        """Whether the current step may be skipped."""
        return self.page.model.is_live and any(
            move.kind in ("done", "pass") for move in self.page.controller.moves
        )

    @property
    def required_count(self) -> int:
        """Number of steps that must follow the current one.

        It is 1 if the player must lift a marble now, since the marble must then be set down. Otherwise, it is 0.
        """
        kinds = {move.kind for move in self.page.controller.moves} if self.page.model.is_live else set()
        return int(kinds == {"lift"})

    def preferred_width(self) -> float:
        """Return the preferred width in logical pixels, or 0 if the match is over in the position shown."""
        beads = self.done_count + self.required_count
        return 14.0 + self.BEAD_SPACING_PX * beads if self.page.state.to_move is not None else 0.0

    def bead_at(self, x: float) -> int:
        """Return the index of the bead at ``x`` if its step is finished, otherwise -1."""
        number = int((x - self.rect.x) // self.BEAD_SPACING_PX)
        return number if 0 <= number < self.done_count else -1

    def paint(self, canvas: Canvas, style: Style) -> None:
        if self.page.state.to_move is None:
            return
        x = self.rect.x + 7
        here = self.bead_at(self.root.pointer[0]) if self.hovered and self.root is not None else -1
        for number in range(self.done_count):
            canvas.disc(x, self.rect.cy, 6 if number == here else 5, style.action)
            x += self.BEAD_SPACING_PX
        if self.is_optional:
            canvas.ring(x, self.rect.cy, 6, style.tertiary_ink, 1)
        else:
            canvas.ring(x, self.rect.cy, 6, style.action, 2)
        for number in range(self.required_count):
            canvas.ring(x + self.BEAD_SPACING_PX * (number + 1), self.rect.cy, 3.5, style.tertiary_ink, 1)

    def on_pointer_move(self, x: float, y: float) -> None:
        self.cursor_shape = "hand" if self.bead_at(x) >= 0 else ""
        self.refresh()

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left"

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        number = self.bead_at(x)
        if number >= 0 and self.rect.contains(x, y):
            # Only the last steps of a very long turn have beads, so count from the end.
            self.page.actions.undo_to_step(self.page.model.observation.step - self.done_count + number)
