"""Sliders."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import Style

from .canvas import Canvas
from .core import Key, Widget


class Slider(Widget):
    """Slider with stops from 0 to ``last``; ``changed(stop)`` is called when the user moves it."""

    focusable = True
    shape = "hand"

    def __init__(self, changed: Callable[[int], None], *, name: str = "") -> None:
        super().__init__(name)
        self.changed = changed
        self.last, self.value = 0, 0
        self.tall: frozenset[int] = frozenset()
        self.part: tuple[int, int] | None = None
        """First and last stop of a highlighted range, or None."""
        self.pointed: Callable[[int | None], None] = lambda stop: None
        """Callback for the stop under the pointer, or None when the pointer has left."""

    def fill(self, last: int, value: int, tall: frozenset[int] = frozenset()) -> None:
        """Set the last stop, the current stop, and the stops that have tall ticks."""
        if (last, value, tall) != (self.last, self.value, self.tall):
            self.last, self.value, self.tall = last, value, tall
            self.refresh()

    def x_of(self, stop: float) -> float:
        """Return the x position of a stop, in logical pixels."""
        return self.rect.x + 10 + (self.rect.w - 20) * (stop / self.last if self.last else 0)

    def paint(self, canvas: Canvas, style: Style) -> None:
        y = self.rect.cy
        if self.part is not None:
            left, right = map(self.x_of, self.part)
            canvas.rect(Rect(left, y - 6, right - left, 12), faded(style.action, 0.22), 3)
            for x in (left, right):
                canvas.rule(x, y - 9, 18, style.action, upright=True)
        canvas.rect(Rect(self.rect.x + 10, y - 1, self.rect.w - 20, 2), style.hairline, 1)
        canvas.rect(
            Rect(self.rect.x + 10, y - 1, self.x_of(self.value) - self.rect.x - 10, 2), style.action, 1
        )
        if self.last and (self.rect.w - 20) / self.last >= 4:
            for stop in range(self.last + 1):
                high = 8 if stop in self.tall else 4
                canvas.rule(self.x_of(stop), y - high, high, style.faint, upright=True)
        canvas.disc(self.x_of(self.value), y, 8 if self.hovered or self.pressed else 7, style.action)
        canvas.disc(self.x_of(self.value), y, 3, style.card)

    def _go(self, stop: int) -> None:
        stop = max(0, min(self.last, stop))
        if stop != self.value:
            self.value = stop
            self.changed(stop)
            self.refresh()

    def _stop_at(self, x: float) -> int:
        wide = max(1.0, self.rect.w - 20)
        return max(0, min(self.last, round((x - self.rect.x - 10) / wide * self.last)))

    def _seek(self, x: float) -> None:
        self._go(self._stop_at(x))

    def move(self, x: float, y: float) -> None:
        self.pointed(self._stop_at(x))

    def leave(self) -> None:
        self.pointed(None)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button == "left":
            self._seek(x)
        return button == "left"

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        self.pointed(None)
        self._seek(x)

    def key(self, key: Key) -> bool:
        steps = {"left": -1, "right": 1, "home": -self.last, "end": self.last}
        if key.name in steps and not (key.ctrl or key.alt):
            self._go(self.value + steps[key.name])
            return True
        return False
