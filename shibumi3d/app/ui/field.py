"""Single-line text fields."""

from __future__ import annotations

from collections.abc import Callable

from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY, RADIUS, Style

from . import icons
from .button import Action
from .canvas import Canvas
from .core import Key
from .line import Line, flat
from .writing import Place
from .written import Written


class Field(Written):
    """Single-line text field for at most ``longest`` characters.

    ``changed(text)`` is called after every change, and ``entered()`` when Enter is pressed. ``hint`` is shown while the
    field is empty.
    """

    writing: Line

    def __init__(
        self,
        text: str = "",
        changed: Callable[[str], None] = lambda text: None,
        *,
        hint: str = "",
        icon: str = "",
        name: str = "",
        longest: int = 60,
        entered: Action | None = None,
        clears: bool = False,
    ) -> None:
        super().__init__(name, writing=Line(text, longest))
        self.changed, self.hint, self.icon = changed, hint, icon
        self.entered = entered
        self.clears = clears
        """Whether Esc clears the field."""
        self._starts: list[float] = []
        """Horizontal window positions at which the characters begin and the last one ends."""
        self._measured: tuple[object, list[float]] = (None, [])
        self._shift = 0.0

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.action if self.focused else style.hairline, RADIUS)
        area = self.rect.inset(10, 0)
        if self.icon:
            field, area = area.cut_left(24, 2)
            icons.draw(canvas, self.icon, field.cx - 2, field.cy, style.soft, 18)
        ends = self._ends(canvas)
        caret = ends[self.writing.caret[1]]
        # Scroll just far enough to show the caret, but never past the end of the text.
        room = area.w - 2
        shift = max(min(self._shift, caret, ends[-1] - room), caret - room, 0.0)
        self._shift = shift if self.focused else 0.0
        self._starts = [area.x + x - self._shift for x in ends]
        with canvas.clip(area):
            if self.writing.span is not None and self.focused:
                (_, first), (_, last) = self.writing.span
                left, right = self._starts[first], self._starts[last]
                canvas.rect(Rect(left, area.cy - 10, right - left, 20), faded(style.action, 0.22))
            if self.words:
                canvas.text(self._starts[0], area.cy + BODY * 0.36, self.words, style.ink)
            elif self.hint:
                size = canvas.fitting(self.hint, "sans", (15, 14, 13, 12), area.w)
                canvas.text_in(area, self.hint, style.soft, "sans", size)
            if self.focused:
                canvas.rect(Rect(self._starts[self.writing.caret[1]], area.cy - 9, 1.5, 18), style.action)

    def _ends(self, canvas: Canvas) -> list[float]:
        """Return the possible x positions of the caret, from the start to the end of the text."""
        words = self.words
        if self._measured[0] != (words, canvas.scale):
            wide = [canvas.width(words[:i], "sans", BODY) for i in range(len(words) + 1)]
            self._measured = (words, canvas.scale), wide
        return self._measured[1]

    @property
    def words(self) -> str:
        """Text in the field.

        Assigning to this discards the undo history and doesn't call ``changed``.
        """
        return self.writing.text

    @words.setter
    def words(self, text: str) -> None:
        self.writing = Line(text, self.writing.longest)
        self.refresh()

    def set(self, text: str) -> None:
        """Replace the text and call ``changed``; the change can be undone."""

        def replace() -> None:
            self.writing.set([flat(text)[: self.writing.longest]])
            self.writing.end()

        self.change(replace)
        self.refresh()

    def change(self, what: Callable[[], object]) -> None:
        before = self.words
        what()
        if self.words != before:
            self.changed(self.words)

    def place_at(self, x: float, y: float) -> Place:
        starts = self._starts[: len(self.words) + 1] or [0.0]
        return 0, min(range(len(starts)), key=lambda i: abs(starts[i] - x))

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button != "left":
            return False
        self.click(x, y, key)
        return True

    def text(self, text: str) -> bool:
        if not flat(text):
            return False
        self.change(lambda: self.writing.put(text))
        return True

    def key(self, key: Key) -> bool:
        if key.alt:
            return False
        if self.write(key):
            return True
        if key.ctrl:
            return False
        if key.name == "escape" and self.clears and self.words:
            self.set("")
        elif key.name == "enter" and self.entered is not None:
            self.entered()
        else:
            return len(key.name) == 1 or key.name == "space"
        return True
