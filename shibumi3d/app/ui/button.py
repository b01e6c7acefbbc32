"""Buttons and rows of buttons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shibumi3d.scene import motion
from shibumi3d.scene.pen import faded, mixed
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, Style

from . import icons
from .canvas import Canvas
from .core import Key, Widget

Action = Callable[[], None]


class Button(Widget):
    """Push button that calls ``action`` when clicked.

    ``kind`` is ``main`` (filled), ``plain`` (outlined) or ``quiet`` (without an outline).
    """

    steady = True

    focusable = True
    shape = "hand"

    def __init__(
        self,
        label: str,
        action: Action,
        *,
        icon: str = "",
        kind: str = "plain",
        tip: str = "",
        name: str = "",
        size: int = BODY,
        align: float = 0.5,
    ) -> None:
        super().__init__(name or label, tip)
        self.label, self.action, self.icon, self.kind = label, action, icon, kind
        self.size, self.align = size, align
        self.on: bool | None = None
        """State of a toggle button, or None for any other button."""
        self.bare = False
        """Whether only the icon is shown, to save room."""

    def state(self) -> bool | None:
        """Return the on/off state for screen readers, or None if the button isn't a toggle."""
        return self.on

    def natural(self, canvas: Canvas) -> float:
        """Return the width needed for the icon and the label, in logical pixels."""
        text = canvas.width(self.label, self._face, self.size) if self.label else 0.0
        if self.icon:
            return 32 + (text + 8 if self.label and not self.bare else 0)
        return text + (28 if self.kind != "quiet" else 20)

    @property
    def _face(self) -> str:
        return "bold" if self.kind == "main" else "sans"

    def content(self) -> object:
        if type(self).paint is not Button.paint:
            return None
        return self.label, self.icon, self.kind, self.on, self.bare, self.size, self.align

    def paint(self, canvas: Canvas, style: Style) -> None:
        less = (1.0 - motion.PRESSED) / 2 if self.pressed else 0.0
        box = self.rect.inset(self.rect.w * less, self.rect.h * less)
        ink = style.ink
        if self.kind == "main" and self.enabled:
            fill = mixed(style.action, style.ink, 0.15) if self.hovered else style.action
            canvas.rect(box, fill, RADIUS)
            ink = style.on_action
        else:
            if self.on:
                canvas.rect(box, mixed(style.card, style.action, 0.16), RADIUS)
            elif self.kind != "quiet" and self.enabled:
                canvas.rect(box, style.card, RADIUS)
            if self.hovered:
                canvas.rect(box, style.hover, RADIUS)
            if self.kind != "quiet":
                canvas.frame(box, style.hairline, RADIUS)
            if self.on:
                ink = style.action
        if not self.enabled:
            ink = faded(style.faint, 0.75)
        area = box
        if self.icon:
            square = 32.0
            if self.label and not self.bare:
                field, area = box.cut_left(square)
                area = Rect(area.x - 2, area.y, area.w - 4, area.h)
            else:
                field = box
            icons.draw(canvas, self.icon, round(field.cx), round(field.cy), ink)
        if self.label and not (self.icon and self.bare):
            inner = area.inset(2 if self.icon else 8, 0)
            # Text that is too long for one line is shrunk or wrapped.
            fits = canvas.width(self.label, self._face, self.size) <= inner.w + 0.5
            write = canvas.text_in if fits else canvas.text_fit
            write(inner, self.label, ink, self._face, self.size, 0 if self.icon else self.align)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        return button == "left" and self.enabled

    def release(self, x: float, y: float, button: str, key: Key) -> None:
        if self.rect.holds(x, y) and self.enabled:
            self.action()

    def key(self, key: Key) -> bool:
        if key.name in ("enter", "space") and not (key.ctrl or key.alt) and self.enabled:
            self.action()
            return True
        return False


def quiet(label: str, action: Action, icon: str, tip: str, *, name: str) -> Button:
    """Return a button without an outline, with an icon before its label."""
    return Button(label, action, icon=icon, kind="quiet", tip=tip, name=name)


def narrowed(widgets: Sequence[Button], canvas: Canvas, most: float, gap: float = 6) -> bool:
    """Hide the labels beside icons if the row would be wider than ``most``.

    Return whether the buttons fit side by side after that.
    """
    for bare in (False, True):
        for button in widgets:
            button.bare = bare
        wide = sum(max(32.0, button.natural(canvas)) + gap for button in widgets if button.visible) - gap
        if wide <= most:
            return True
    return False


def row(rect: Rect, widgets: Sequence[Button], canvas: Canvas, gap: float = 6, align: float = 0) -> float:
    """Lay out the visible buttons side by side at their natural widths; return the total width."""
    widths = [max(32.0, button.natural(canvas)) for button in widgets if button.visible]
    total = sum(widths) + gap * max(0, len(widths) - 1)
    x = rect.x + (rect.w - total) * align
    for button in widgets:
        if button.visible:
            wide = widths.pop(0)
            button.layout(Rect(x, rect.cy - 16, wide, 32))
            x += wide + gap
    return total
