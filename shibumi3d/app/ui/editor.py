"""Multi-line text editor with word completion, and error messages below the lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shibumi3d.scene.pen import faded
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import RADIUS, SMALL, Style

from .canvas import Canvas
from .core import Key
from .lines import HIGH, TYPE, Lines, Parts, Rows
from .listing import Scroller
from .writing import Place, Writing
from .written import Written

NUMBERS = 40.0
"""Width of the column of line numbers, in logical pixels."""
MOST = 8
"""Maximum number of completions shown at once."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Message about a line from ``column`` to its end; line and column are counted from 0."""

    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Offer:
    """Word offered as a completion, with its meaning."""

    word: str
    meaning: str = ""


class Editor(Written, Scroller):
    """Multi-line editor for a :class:`Writing`.

    ``changed()`` is called after every change. ``offers(writing, asked)`` returns the column at which the word to
    complete starts, and its completions; ``asked`` is true if the user pressed Ctrl+Space. ``parts(line)`` divides a
    line into coloured pieces. Tab indents, and Esc leaves the editor.
    """

    def __init__(
        self,
        writing: Writing,
        changed: Callable[[], None],
        *,
        offers: Callable[[Writing, bool], tuple[int, Sequence[Offer]]],
        parts: Callable[[str], Parts],
        name: str = "editor",
    ) -> None:
        super().__init__(name, writing=writing)
        self.changed, self.offers = changed, offers
        self.remarks: tuple[Remark, ...] = ()
        self.offered: tuple[Offer, ...] = ()
        self.offer = 0
        self._picked = False
        """Whether Enter accepts the completion: the user asked for completions or moved among them."""
        self._from = 0
        """Column where the word to complete begins."""
        self._lines = Lines(parts)
        self._rows = Rows()
        self._measured: tuple[object, ...] = ()
        """Values from which the rows were computed last."""
        self._moved = True
        """Whether the caret must be scrolled into view."""

    # Content

    @property
    def height(self) -> float:
        return self._rows.top(self._rows.count) + 40

    def remark(self, remarks: Sequence[Remark]) -> None:
        """Show messages below the lines that they refer to; remove any earlier messages."""
        self.remarks = tuple(remarks)
        self.refresh()

    def show(self, line: int, column: int = 0) -> None:
        """Move the caret to ``line`` and ``column``, and scroll to it."""
        self.writing.go((line, column))
        self._leave_offers()
        self._moved = True
        self.refresh()

    def select(self, anchor: Place, caret: Place) -> None:
        super().select(anchor, caret)
        self._leave_offers()
        self._moved = True

    def put(self, text: str) -> None:
        """Insert text at the caret."""
        self.change(lambda: self.writing.put(text))

    def set(self, lines: Sequence[str]) -> None:
        """Replace all lines; this can be undone."""
        self.change(lambda: self.writing.set(lines))

    def step_back(self, on: bool = False) -> None:
        """Undo the last change.

        If ``on`` is set, redo the last change that was undone instead.
        """
        self.change(self.writing.redo if on else self.writing.undo)

    def _measure(self, canvas: Canvas) -> None:
        """Measure the vertical positions of the lines, including the messages between them."""
        self._lines.begin(canvas)
        count, room = len(self.writing.lines), max(80.0, self.rect.w - NUMBERS - 40)
        made_of = (self.remarks, count, room, canvas.scale)
        if made_of == self._measured:
            return
        notes: dict[int, list[str]] = {}
        for remark in self.remarks:
            line = min(remark.line, count - 1)
            notes.setdefault(line, []).extend(canvas.wrap(remark.text, "sans", SMALL, room))
        self._rows, self._measured = Rows(count, notes), made_of

    def column_x(self, line: int, column: int) -> float:
        """Return the x position of a column, in logical pixels from the start of the text."""
        return self._lines.x(self.writing.lines[line], column)

    @property
    def _shift(self) -> float:
        """Distance by which lines are scrolled to the left to show the caret, in logical pixels."""
        room = self.rect.w - NUMBERS - 40
        return max(0.0, self.column_x(*self.writing.caret) - room)

    def paint(self, canvas: Canvas, style: Style) -> None:
        self._measure(canvas)
        if self._moved and self.rect.h > 0:
            self._moved = False
            line = self.writing.caret[0]
            self.reveal(self._rows.top(line) - HIGH * 0.5, HIGH * (2 + len(self._rows.notes.get(line, ()))))
        self.to(self.offset)
        canvas.rect(self.rect, style.card, RADIUS)
        canvas.frame(self.rect, style.action if self.focused else style.hairline, RADIUS)
        area = self.rect.inset(1)
        with canvas.clip(area):
            top = area.y + 6 - self.offset
            left = area.x + NUMBERS
            first, last = self._rows.at(area.y - top), self._rows.at(area.bottom - top)
            seen = self.writing.lines[first : last + 1]
            for number, words in enumerate(seen, first):
                y = top + self._rows.top(number)
                here = number == self.writing.caret[0] and self.focused
                ink = style.ink if here else style.faint
                canvas.text(left - 12, y + HIGH * 0.7, str(number + 1), ink, "sans", 11, 1)
                for row, note in enumerate(self._rows.notes.get(number, ())):
                    place = Rect(left, y + HIGH * (row + 1), area.right - left - 14, HIGH)
                    canvas.rect(Rect(area.x, place.y, area.w, HIGH), faded(style.brick, 0.08))
                    canvas.text_in(place, note, style.brick, "sans", SMALL)
                with canvas.clip(Rect(left - 4, area.y, area.right - left, area.h)):
                    self._paint_line(canvas, style, number, words, left - self._shift, y)
            self._lines.end([*seen, self.writing.lines[self.writing.caret[0]]])
            if self.focused:
                self._paint_caret(canvas, style, left - self._shift, top)
            self.paint_bar(canvas, style)

    def _paint_line(
        self, canvas: Canvas, style: Style, number: int, line: str, left: float, y: float
    ) -> None:
        if self.writing.span is not None:
            start, end = self.writing.span
            if start[0] <= number <= end[0]:
                x0 = self.column_x(number, start[1]) if number == start[0] else 0.0
                x1 = (
                    self.column_x(number, end[1])
                    if number == end[0]
                    else self.column_x(number, len(line)) + 6
                )
                canvas.rect(Rect(left + x0, y, max(1.0, x1 - x0), HIGH), faded(style.action, 0.22))
        for remark in self.remarks:
            if remark.line == number:
                from_x = self.column_x(number, min(remark.column, len(line)))
                to_x = max(from_x + 8, self.column_x(number, len(line)))
                canvas.rect(Rect(left + from_x, y + HIGH - 3, to_x - from_x, 1.5), style.brick)
        begun = self.rect.x - left
        for x, text, colour in self._lines.pieces(line, begun, begun + self.rect.w):
            canvas.text(left + x, y + HIGH * 0.7, text, getattr(style, colour), "sans", TYPE)

    def _paint_caret(self, canvas: Canvas, style: Style, left: float, top: float) -> None:
        line, column = self.writing.caret
        x, y = left + self.column_x(line, column), top + self._rows.top(line)
        canvas.rect(Rect(x, y + 2, 1.5, HIGH - 4), style.action)
        if not self.offered:
            return
        first = max(0, min(self.offer - MOST + 1, len(self.offered) - MOST))
        shown = self.offered[first : first + MOST]
        wide = max(canvas.width(one.word, "bold", 13) for one in shown) + 20
        meant = canvas.width(self.offered[self.offer].meaning, "sans", 12)
        box_w = min(self.rect.w - 16, max(wide + 40, min(wide + meant + 20, 460)))
        lines = canvas.wrap(self.offered[self.offer].meaning, "sans", 12, box_w - 20)
        box_h = len(shown) * 22.0 + 10 + (len(lines) * 17 + 6 if lines != [""] else 0)
        below = y + HIGH + 2
        box_y = below if below + box_h <= self.rect.bottom else max(self.rect.y + 2, y - box_h - 2)
        box = Rect(min(x, self.rect.right - box_w - 8), box_y, box_w, box_h)
        canvas.shadow(box, style.shadow)
        canvas.rect(box, style.page, RADIUS)
        canvas.frame(box, style.hairline, RADIUS)
        for row, one in enumerate(shown):
            place = Rect(box.x + 4, box.y + 5 + row * 22, box.w - 8, 22)
            if first + row == self.offer:
                canvas.rect(place, style.sunk, RADIUS - 2)
            canvas.text_in(place.inset(6, 0), one.word, style.ink, "bold", 13)
        for row, said in enumerate(lines if lines != [""] else ()):
            canvas.text(box.x + 10, box.y + 5 + len(shown) * 22 + 14 + row * 17, said, style.soft, "sans", 12)

    # Completion

    def _look_for_offers(self, asked: bool = False) -> None:
        self._from, found = self.offers(self.writing, asked)
        self.offered, self.offer, self._picked = tuple(found), 0, asked

    def _leave_offers(self) -> None:
        self.offered = ()

    def _take_offer(self) -> None:
        line, column = self.writing.caret
        word = self.offered[self.offer].word
        self._leave_offers()
        self.change(lambda: self.writing.replace((line, self._from), (line, column), word))

    # Input

    def change(self, what: Callable[[], object]) -> None:
        what()
        self._moved = True
        self.changed()
        self.refresh()

    def place_at(self, x: float, y: float) -> Place:
        down = y - self.rect.y - 7 + self.offset
        line = min(self._rows.at(down), len(self.writing.lines) - 1)
        return line, self._lines.column(self.writing.lines[line], x - self.rect.x - 1 - NUMBERS + self._shift)

    def press(self, x: float, y: float, button: str, key: Key) -> bool:
        if Scroller.press(self, x, y, button, key):
            return True
        if button != "left":
            return False
        self._leave_offers()
        self.click(x, y, key)
        return True

    def drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        if self._grip:
            Scroller.drag(self, x, y, dx, dy, button, key)
            return
        super().drag(x, y, dx, dy, button, key)
        self._moved = True

    def text(self, text: str) -> bool:
        plain = "".join(c for c in text if c.isprintable())
        if not plain:
            return False
        self.change(lambda: self.writing.put(plain))
        self._look_for_offers()
        return True

    def key(self, key: Key) -> bool:
        if key.alt:
            return False
        if self.offered and not key.ctrl and self._offer_key(key):
            return True
        if self.write(key):
            self._moved = True
            if key.chord not in ("backspace", "ctrl+space"):
                self._leave_offers()
            return True
        return not key.ctrl and (len(key.name) == 1 or key.name == "space")

    def _offer_key(self, key: Key) -> bool:
        if key.name in ("up", "down"):
            step = (1 if key.name == "down" else -1) if self._picked else 0
            self.offer, self._picked = (self.offer + step) % len(self.offered), True
        elif key.name == "tab" or (key.name == "enter" and self._picked):
            self._take_offer()
        elif key.name == "escape":
            self._leave_offers()
        else:
            return False
        return True

    def write(self, key: Key) -> bool:
        writing, select = self.writing, key.shift
        page = max(1, int(self.rect.h / HIGH) - 1)
        if key.name == "space" and key.ctrl:
            self._look_for_offers(True)
        elif super().write(key):
            if self.offered and key.chord == "backspace":
                self._look_for_offers()
        elif key.ctrl:
            return False
        elif key.name in ("up", "down", "pageup", "pagedown"):
            many = page if key.name.startswith("page") else 1
            writing.climb(many if key.name.endswith("down") else -many, select)
        elif key.name == "enter":
            self.change(writing.enter)
        elif key.name == "tab":
            self.change(lambda: writing.shift(-1 if select else 1))
        else:
            return False
        return True
