"""Instruction strip above the board, with progress beads, a sentence and buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from ..ui.button import Button, layout_row, shrink_to_fit
from ..ui.canvas import Canvas
from ..ui.panel import Panel
from ..ui.prose import FormattedText

TEXT_SIZE_PX = 17
BEAD_SPACING_PX = 16.0
MIN_TEXT_WIDTH_PX = 300.0
"""Minimum width of the text beside additional buttons; with less room, the text goes above them."""
BUTTON_ROW_HEIGHT_PX = 38.0
"""Height of each row of buttons in a strip with :attr:`.InstructionStrip.is_stacked` set."""


class InstructionStrip(Panel):
    """Strip that shows one instruction at a time.

    The main button calls ``on_main_click``, and the leave button calls ``on_leave_click``. A button whose label is
    empty is hidden.
    """

    def __init__(self, on_main_click: Callable[[], None], on_leave_click: Callable[[], None]) -> None:
        super().__init__("card", "bottom", name="coach")
        self.main_button = Button("", on_main_click, kind="main", name="coach go")
        self.leave_button = Button("", on_leave_click, kind="quiet", name="coach stop")
        self.instruction_text = FormattedText("", TEXT_SIZE_PX, max_line_length=200)
        """Text of the instruction; pointing at a game term in it shows an explanation, as in the rules."""
        self.instruction_text.focusable, self.instruction_text.is_tight = False, True
        self.done_steps = self.total_steps = 0
        self.extra_buttons: tuple[Button, ...] = ()
        """Buttons placed before the two standard ones."""
        self.is_stacked = False
        """Whether the buttons always go below the text, in as many rows as they need."""
        self.add(self.instruction_text, self.main_button, self.leave_button)

    def add_buttons(self, buttons: Sequence[Button]) -> None:
        """Add buttons before the two standard ones."""
        self.extra_buttons = tuple(buttons)
        self.add(*buttons)

    @property
    def _visible_buttons(self) -> list[Button]:
        return [
            button for button in (*self.extra_buttons, self.leave_button, self.main_button) if button.visible
        ]

    def show_instruction(
        self, text: str, main_label: str, leave_label: str, done_steps: int = 0, total_steps: int = 0
    ) -> None:
        """Set the text, the labels of the two standard buttons, and the progress.

        ``text`` is markup for :class:`.FormattedText`. A button whose label is empty is hidden. There are
        ``total_steps`` beads, of which ``done_steps`` are filled.
        """
        self.instruction_text.set_markup(text)
        self.done_steps, self.total_steps = done_steps, total_steps
        self.main_button.label, self.leave_button.label = main_label, leave_label
        self.main_button.visible, self.leave_button.visible = bool(main_label), bool(leave_label)
        self.refresh()

    def _text_width(self, canvas: Canvas, width: float) -> float:
        """Return the width available to the text, at least 120 logical pixels.

        The text goes beside the buttons if :meth:`_fits_beside_buttons` returns true, otherwise above them.
        """
        beside = width - self._buttons_width(canvas) - 40 - self._beads_width()
        return max(
            120.0, beside if self._fits_beside_buttons(canvas, width) else width - 40 - self._beads_width()
        )

    def _buttons_width(self, canvas: Canvas) -> float:
        return sum(button.preferred_width(canvas) + 8 for button in self._visible_buttons)

    def _fits_beside_buttons(self, canvas: Canvas, width: float) -> bool:
        """Return whether the text goes beside the buttons.

        This is always true if only the standard buttons are visible.
        """
        room = width - self._buttons_width(canvas) - 40 - self._beads_width()
        return room >= MIN_TEXT_WIDTH_PX or not any(button.visible for button in self.extra_buttons)

    def _beads_width(self) -> float:
        return BEAD_SPACING_PX * self.total_steps + 10 if self.total_steps else 0.0

    def _break_buttons(self, canvas: Canvas, width: float) -> list[list[Button]]:
        lines: list[list[Button]] = []
        free = -1.0
        for button in self._visible_buttons:
            taken = max(32.0, button.preferred_width(canvas))
            if taken > free:
                lines.append([])
                free = width
            lines[-1].append(button)
            free -= taken + 8
        return lines

    def stacked_height(self, canvas: Canvas, width: float) -> float:
        """Return the preferred height at the given width, as if :attr:`is_stacked` were true."""
        high = self.instruction_text.fit_height(canvas, width - 24 - self._beads_width()) + 18
        return high + BUTTON_ROW_HEIGHT_PX * len(self._break_buttons(canvas, width - 28)) + 4

    def preferred_height(self, canvas: Canvas, width: float) -> float:
        """Return the preferred height at the given width."""
        if self.is_stacked:
            return self.stacked_height(canvas, width)
        high = self.instruction_text.fit_height(canvas, self._text_width(canvas, width) + 16) + 18
        return max(52.0, high) if self._fits_beside_buttons(canvas, width) else high + 38

    def layout_within(self, rect: Rect, canvas: Canvas) -> None:
        """Lay out the strip within ``rect``."""
        self.layout(rect)
        if self.is_stacked:
            self._layout_stacked(rect, canvas)
            return
        upper, beside = rect, self._fits_beside_buttons(canvas, rect.w)
        if not beside:
            lower, upper = rect.cut_bottom(42)
            shrink_to_fit(self._visible_buttons, canvas, rect.w - 28, gap=8)
        layout_row(
            (rect if beside else lower).inset(14, 0),
            self._visible_buttons,
            canvas,
            gap=8,
            align=1 if beside else 0,
        )
        wide = self._text_width(canvas, rect.w) + 16
        high = self.instruction_text.fit_height(canvas, wide)
        top = upper.y + max(0.0, (upper.h - high) / 2)
        self.instruction_text.layout(Rect(rect.x + 18 + self._beads_width(), top, wide, high))

    def _layout_stacked(self, rect: Rect, canvas: Canvas) -> None:
        lines = self._break_buttons(canvas, rect.w - 28)
        lower, upper = rect.cut_bottom(BUTTON_ROW_HEIGHT_PX * len(lines) + 4)
        for number, buttons in enumerate(lines):
            layout_row(
                Rect(
                    lower.x + 14, lower.y + BUTTON_ROW_HEIGHT_PX * number, lower.w - 28, BUTTON_ROW_HEIGHT_PX
                ),
                buttons,
                canvas,
                gap=8,
            )
        wide = rect.w - 24 - self._beads_width()
        high = self.instruction_text.fit_height(canvas, wide)
        self.instruction_text.layout(Rect(rect.x + 18 + self._beads_width(), upper.cy - high / 2, wide, high))

    def paint(self, canvas: Canvas, style: Style) -> None:
        super().paint(canvas, style)
        x, y = self.rect.x + 24, self.instruction_text.rect.cy if self.is_stacked else self.rect.cy
        for number in range(self.total_steps):
            canvas.disc(x, y, 4.5, style.action if number < self.done_steps else style.hairline)
            x += BEAD_SPACING_PX
