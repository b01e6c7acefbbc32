"""Text widgets: their base class, and single-line fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shibumi3d.scene.pen import multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import BODY_TEXT_PX, CORNER_RADIUS_PX, Style

from . import icons
from .button import Action
from .canvas import Canvas
from .text_buffer import LineBuffer, TextBuffer, TextPosition, to_single_line
from .widget import DOUBLE_CLICK_SECONDS, Key, Widget

if TYPE_CHECKING:
    from .widget import Root


class TextInput(Widget):
    """Base class of widgets that edit a :class:`.TextBuffer`.

    Subclasses paint the text, convert points to positions in the text, and handle changes.
    """

    focusable = True
    is_text_input = True
    cursor_shape = "text"
    root: Root | None

    def __init__(self, name: str = "", *, buffer: TextBuffer) -> None:
        super().__init__(name)
        self.buffer = buffer
        self._last_click: tuple[float, TextPosition] = (-9.0, (-1, -1))

    def apply_edit(self, edit: Callable[[], object]) -> None:
        """Call ``edit``, which changes the text, then handle the change."""
        raise NotImplementedError

    def position_at(self, x: float, y: float) -> TextPosition:
        """Return the position in the text nearest to the point (x, y)."""
        raise NotImplementedError

    def place_caret(self, x: float, y: float, key: Key) -> None:
        """Handle a click at (x, y): move the caret there, or select the word there on a double click.

        If ``key.shift`` is true, a single click extends the selection.
        """
        if self.root is None:
            return
        position, now = self.position_at(x, y), self.root.clock()
        is_double_click = now - self._last_click[0] < DOUBLE_CLICK_SECONDS and position == self._last_click[1]
        self.buffer.move_to(position, key.shift)
        if is_double_click:
            self.buffer.select_word()
        self._last_click = now, position

    def select(self, anchor: TextPosition, caret: TextPosition) -> None:
        """Select the text from ``anchor`` to ``caret``; nothing is selected if they are equal."""
        self.buffer.move_to(anchor)
        if caret != anchor:
            self.buffer.move_to(caret, True)
        self.refresh()

    def on_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        self.buffer.move_to(self.position_at(x, y), True)

    def handle_edit_key(self, key: Key) -> bool:
        """Handle ``key`` if it is an editing key that all text widgets share; return whether it is one.

        These keys move the caret, and edit, select, copy and paste text.
        """
        return self._handle_ctrl_key(key) if key.ctrl else self._handle_plain_key(key)

    def _handle_ctrl_key(self, key: Key) -> bool:
        buffer, root = self.buffer, self.root
        if key.name == "a":
            buffer.select_all()
        elif key.name == "c" and root is not None:
            if buffer.selected_text:
                root.copy_text(buffer.selected_text)
        elif key.name == "x" and root is not None:
            cut: list[str] = []
            self.apply_edit(lambda: cut.append(buffer.cut()))
            if cut[0]:
                root.copy_text(cut[0])
        elif key.name == "v" and root is not None:
            text = root.paste_text()
            if text:
                self.apply_edit(lambda: buffer.insert(text) or root.on_paste_too_long())
        elif key.name == "z":
            self.apply_edit(buffer.redo if key.shift else buffer.undo)
        elif key.name == "y":
            self.apply_edit(buffer.redo)
        elif key.name in ("left", "right"):
            buffer.move_by_word(1 if key.name == "right" else -1, key.shift)
        elif key.name in ("home", "end"):
            buffer.move_to((0, 0) if key.name == "home" else (len(buffer.lines), 1 << 20), key.shift)
        elif key.name in ("backspace", "delete"):
            if buffer.selection is None:
                buffer.move_by_word(-1 if key.name == "backspace" else 1, True)
            if buffer.selection is not None:
                self.apply_edit(buffer.delete)
        else:
            return False
        return True

    def _handle_plain_key(self, key: Key) -> bool:
        buffer, select = self.buffer, key.shift
        if key.name in ("left", "right"):
            buffer.move_by(1 if key.name == "right" else -1, select)
        elif key.name == "home":
            buffer.home(select)
        elif key.name == "end":
            buffer.end(select)
        elif key.name == "backspace":
            self.apply_edit(buffer.backspace)
        elif key.name == "delete":
            self.apply_edit(buffer.delete)
        else:
            return False
        return True


class TextField(TextInput):
    """Single-line text field for at most ``max_length`` characters.

    ``on_change(text)`` is called after every change except an assignment to :attr:`value`, and ``on_enter()`` when
    Enter is pressed. ``placeholder`` is shown while the field is empty. The icon named ``icon``, if any, is shown
    before the text.
    """

    buffer: LineBuffer

    def __init__(
        self,
        text: str = "",
        on_change: Callable[[str], None] = lambda text: None,
        *,
        placeholder: str = "",
        icon: str = "",
        name: str = "",
        max_length: int = 60,
        on_enter: Action | None = None,
        clears_on_escape: bool = False,
    ) -> None:
        super().__init__(name, buffer=LineBuffer(text, max_length))
        self.on_change, self.placeholder, self.icon = on_change, placeholder, icon
        self.on_enter = on_enter
        self.clears_on_escape = clears_on_escape
        """Whether Esc clears the field."""
        self._caret_positions: list[float] = []
        """X coordinates of the caret in the window, before each character and at the end of the text."""
        self._measured_ends: tuple[object, list[float]] = (None, [])
        self._scroll_x = 0.0

    def paint(self, canvas: Canvas, style: Style) -> None:
        canvas.rect(self.rect, style.card, CORNER_RADIUS_PX)
        canvas.outline(self.rect, style.action if self.focused else style.hairline, CORNER_RADIUS_PX)
        area = self.rect.inset(10, 0)
        if self.icon:
            field, area = area.cut_left(24, 2)
            icons.draw_icon(canvas, self.icon, field.cx - 2, field.cy, style.secondary_ink, 18)
        ends = self._measure_ends(canvas)
        caret = ends[self.buffer.caret[1]]
        # Scroll just far enough to show the caret, but never past the end of the text.
        room = area.w - 2
        shift = max(min(self._scroll_x, caret, ends[-1] - room), caret - room, 0.0)
        self._scroll_x = shift if self.focused else 0.0
        self._caret_positions = [area.x + x - self._scroll_x for x in ends]
        with canvas.clip(area):
            if self.buffer.selection is not None and self.focused:
                (_, first), (_, last) = self.buffer.selection
                left, right = self._caret_positions[first], self._caret_positions[last]
                canvas.rect(Rect(left, area.cy - 10, right - left, 20), multiply_alpha(style.action, 0.22))
            if self.value:
                canvas.text(self._caret_positions[0], area.cy + BODY_TEXT_PX * 0.36, self.value, style.ink)
            elif self.placeholder:
                size = canvas.fit_font_size(self.placeholder, "sans", (15, 14, 13, 12), area.w)
                canvas.text_in(area, self.placeholder, style.secondary_ink, "sans", size)
            if self.focused:
                canvas.rect(
                    Rect(self._caret_positions[self.buffer.caret[1]], area.cy - 9, 1.5, 18), style.action
                )

    def _measure_ends(self, canvas: Canvas) -> list[float]:
        """Return the x position of the caret before each character and at the end of the text.

        The positions are in logical pixels from the start of the text.
        """
        text = self.value
        if self._measured_ends[0] != (text, canvas.scale):
            wide = [canvas.text_width(text[:i], "sans", BODY_TEXT_PX) for i in range(len(text) + 1)]
            self._measured_ends = (text, canvas.scale), wide
        return self._measured_ends[1]

    @property
    def value(self) -> str:
        """Text in the field.

        Assigning to it discards the undo history and doesn't call ``on_change``.
        """
        return self.buffer.text

    @value.setter
    def value(self, text: str) -> None:
        self.buffer = LineBuffer(text, self.buffer.max_length)
        self.refresh()

    def set_value(self, text: str) -> None:
        """Replace the text, and call ``on_change`` if the new text is different.

        The new text is converted to a single line and cut off after ``max_length`` characters. The change can be
        undone.
        """

        def replace() -> None:
            self.buffer.set_lines([to_single_line(text)[: self.buffer.max_length]])
            self.buffer.end()

        self.apply_edit(replace)
        self.refresh()

    def apply_edit(self, edit: Callable[[], object]) -> None:
        before = self.value
        edit()
        if self.value != before:
            self.on_change(self.value)

    def position_at(self, x: float, y: float) -> TextPosition:
        starts = self._caret_positions[: len(self.value) + 1] or [0.0]
        return 0, min(range(len(starts)), key=lambda i: abs(starts[i] - x))

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        if button != "left":
            return False
        self.place_caret(x, y, key)
        return True

    def on_text(self, text: str) -> bool:
        if not to_single_line(text):
            return False
        self.apply_edit(lambda: self.buffer.insert(text))
        return True

    def on_key(self, key: Key) -> bool:
        if key.alt:
            return False
        if self.handle_edit_key(key):
            return True
        if key.ctrl:
            return False
        if key.name == "escape" and self.clears_on_escape and self.value:
            self.set_value("")
        elif key.name == "enter" and self.on_enter is not None:
            self.on_enter()
        else:
            return len(key.name) == 1 or key.name == "space"
        return True
