"""Sliders."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from .canvas import Canvas
from .widget import Key, Widget


class Slider(Widget):
    """Slider with stops from 0 to ``max_value``.

    ``on_change(stop)`` is called when the user moves the slider to another stop.
    """

    focusable = True
    cursor_shape = "hand"

    def __init__(self, on_change: Callable[[int], None], *, name: str = "") -> None:
        super().__init__(name)
        self.on_change = on_change
        self.max_value, self.value = 0, 0
        self.tall_ticks: frozenset[int] = frozenset()
        self.highlighted_range: tuple[int, int] | None = None
        """First and last stop of a highlighted range, or None."""
        self.on_hover: Callable[[int | None], None] = lambda stop: None
        """Called with the stop under the pointer, or with None when the pointer leaves or drags the slider."""

    def set_stops(self, max_value: int, value: int, tall_ticks: frozenset[int] = frozenset()) -> None:
        """Set the highest stop, the current stop, and the stops that have tall ticks; the lowest stop is 0."""
        if (max_value, value, tall_ticks) != (self.max_value, self.value, self.tall_ticks):
            self.max_value, self.value, self.tall_ticks = max_value, value, tall_ticks
            self.refresh()

    def x_of(self, stop: float) -> float:
        """Return the x position of a stop, in logical pixels."""
        return self.rect.x + 10 + (self.rect.w - 20) * (stop / self.max_value if self.max_value else 0)

    def paint(self, canvas: Canvas, style: Style) -> None:
        y = self.rect.cy
        if self.highlighted_range is not None:
            left, right = map(self.x_of, self.highlighted_range)
            canvas.rect(Rect(left, y - 6, right - left, 12), multiply_alpha(style.action, 0.22), 3)
            for x in (left, right):
                canvas.hairline(x, y - 9, 18, style.action, vertical=True)
        canvas.rect(Rect(self.rect.x + 10, y - 1, self.rect.w - 20, 2), style.hairline, 1)
        canvas.rect(
            Rect(self.rect.x + 10, y - 1, self.x_of(self.value) - self.rect.x - 10, 2), style.action, 1
        )
        if self.max_value and (self.rect.w - 20) / self.max_value >= 4:
            for stop in range(self.max_value + 1):
                high = 8 if stop in self.tall_ticks else 4
                canvas.hairline(self.x_of(stop), y - high, high, style.tertiary_ink, vertical=True)
        canvas.disc(self.x_of(self.value), y, 8 if self.hovered or self.pressed else 7, style.action)
        canvas.disc(self.x_of(self.value), y, 3, style.card)

    def _set_value(self, stop: int) -> None:
        stop = max(0, min(self.max_value, stop))
        if stop != self.value:
            self.value = stop
            self.on_change(stop)
            self.refresh()

    def _stop_at(self, x: float) -> int:
        wide = max(1.0, self.rect.w - 20)
        return max(0, min(self.max_value, round((x - self.rect.x - 10) / wide * self.max_value)))

    def _seek(self, x: float) -> None:
        self._set_value(self._stop_at(x))

    def on_pointer_move(self, x: float, y: float) -> None:
        self.on_hover(self._stop_at(x))

    def on_pointer_leave(self) -> None:
        self.on_hover(None)

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button == "left":
            self._seek(x)
        return button == "left"

    def on_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        self.on_hover(None)
        self._seek(x)

    def on_key(self, key: Key) -> bool:
        steps = {"left": -1, "right": 1, "home": -self.max_value, "end": self.max_value}
        if key.name in steps and not (key.ctrl or key.alt):
            self._set_value(self.value + steps[key.name])
            return True
        return False
