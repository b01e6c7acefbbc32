"""Buttons and rows of buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene import motion
from shibumi3d.scene.pen import mix_colours, multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, Style

from . import icons
from .canvas import Canvas
from .widget import Key, Widget

Action = Callable[[], None]

ICON_AREA_WIDTH_PX = 32.0
"""Width of the area for an icon beside a label, in logical pixels."""


class Button(Widget):
    """Push button that calls ``on_click`` when clicked.

    ``kind`` is ``main`` (filled), ``plain`` (outlined) or ``quiet`` (without an outline).
    """

    is_static = True

    focusable = True
    cursor_shape = "hand"

    def __init__(
        self,
        label: str,
        on_click: Action,
        *,
        icon: str = "",
        kind: str = "plain",
        tip: str = "",
        name: str = "",
        size: int = BODY_TEXT_PX,
        align: float = 0.5,
    ) -> None:
        super().__init__(name or label, tip)
        self.label, self.on_click, self.icon, self.kind = label, on_click, icon, kind
        self.size, self.align = size, align
        self.is_on: bool | None = None
        """State of a toggle button, or None for any other button."""
        self.is_icon_only = False
        """Whether a button with an icon is shown without its label, to save room."""

    @property
    def hover_text(self) -> str:
        return self.tooltip or (self.label if self.shows_only_icon else "")

    @property
    def shows_only_icon(self) -> bool:
        """Whether the button shows an icon without a label."""
        return bool(self.icon) and (self.is_icon_only or not self.label)

    def toggle_state(self) -> bool | None:
        """Return the on/off state for screen readers, or None if the button isn't a toggle."""
        return self.is_on

    def preferred_width(self, canvas: Canvas) -> float:
        """Return the width needed for the icon and the label, in logical pixels."""
        text = canvas.text_width(self.label, self._font, self.size) if self.label else 0.0
        if self.icon:
            return 32 + (text + 8 if self.label and not self.is_icon_only else 0)
        return text + (28 if self.kind != "quiet" else 20)

    @property
    def _font(self) -> str:
        return "bold" if self.kind == "main" else "sans"

    def icon_area(self, box: Rect) -> Rect:
        """Return the part of the button's rectangle ``box`` in which the icon is centred."""
        return box if self.shows_only_icon else box.cut_left(ICON_AREA_WIDTH_PX)[0]

    def paint_key(self) -> object:
        if type(self).paint is not Button.paint:
            return None
        return self.label, self.icon, self.kind, self.is_on, self.is_icon_only, self.size, self.align

    def paint(self, canvas: Canvas, style: Style) -> None:
        less = (1.0 - motion.PRESSED_SCALE) / 2 if self.pressed else 0.0
        box = self.rect.inset(self.rect.w * less, self.rect.h * less)
        ink = style.ink
        if self.kind == "main" and self.enabled:
            fill = mix_colours(style.action, style.ink, 0.15) if self.hovered else style.action
            canvas.rect(box, fill, CORNER_RADIUS_PX)
            ink = style.on_action
        else:
            if self.is_on:
                canvas.rect(box, mix_colours(style.card, style.action, 0.16), CORNER_RADIUS_PX)
            elif self.kind != "quiet" and self.enabled:
                canvas.rect(box, style.card, CORNER_RADIUS_PX)
            if self.hovered:
                canvas.rect(box, style.hover, CORNER_RADIUS_PX)
            if self.kind != "quiet":
                canvas.outline(box, style.hairline, CORNER_RADIUS_PX)
            if self.is_on:
                ink = style.action
        if not self.enabled:
            ink = multiply_alpha(style.tertiary_ink, 0.75)
        area = box
        if self.icon:
            field = self.icon_area(box)
            if self.label and not self.is_icon_only:
                area = Rect(field.right - 2, box.y, box.w - field.w - 4, box.h)
            icons.draw_icon(canvas, self.icon, round(field.cx), round(field.cy), ink)
        if self.label and not (self.icon and self.is_icon_only):
            inner = area.inset(2 if self.icon else 8, 0)
            # Text that is too long for one line is shrunk or wrapped.
            fits = canvas.text_width(self.label, self._font, self.size) <= inner.w + 0.5
            write = canvas.text_in if fits else canvas.text_fit
            write(inner, self.label, ink, self._font, self.size, 0 if self.icon else self.align)

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left" and self.enabled

    def on_release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.contains(x, y) and self.enabled:
            self.on_click()

    def on_key(self, key: Key) -> bool:
        if key.name in ("enter", "space") and not (key.ctrl or key.alt) and self.enabled:
            self.on_click()
            return True
        return False


def quiet_button(label: str, on_click: Action, icon: str, tip: str, *, name: str) -> Button:
    """Return a button without an outline, with an icon, a label or both."""
    return Button(label, on_click, icon=icon, kind="quiet", tip=tip, name=name)


def shrink_to_fit(buttons: Sequence[Button], canvas: Canvas, max_width: float, gap: float = 6) -> bool:
    """Show the labels of a row of buttons if the row is then at most ``max_width`` wide; hide them otherwise.

    Buttons without icons always keep their labels. Returns whether the row fits in ``max_width`` in the end.
    """
    for bare in (False, True):
        for button in buttons:
            button.is_icon_only = bare
        wide = (
            sum(max(32.0, button.preferred_width(canvas)) + gap for button in buttons if button.visible) - gap
        )
        if wide <= max_width:
            return True
    return False


def layout_row(
    rect: Rect, buttons: Sequence[Button], canvas: Canvas, gap: float = 6, align: float = 0
) -> float:
    """Lay out the visible buttons side by side at their preferred widths; return the total width.

    Each button is at least 32 logical pixels wide. ``align`` is 0 for the left end of ``rect``, 0.5 for the middle and
    1 for the right end.
    """
    widths = [max(32.0, button.preferred_width(canvas)) for button in buttons if button.visible]
    total = sum(widths) + gap * max(0, len(widths) - 1)
    x, y = rect.x + (rect.w - total) * align, rect.cy - 16
    for button in buttons:
        if button.visible:
            wide = widths.pop(0)
            button.layout(Rect(x, y, wide, 32))
            x += wide + gap
    return total
