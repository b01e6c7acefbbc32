"""Multi-line text editor with word completion, syntax colours and error messages."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from shibumi3d.scene.pen import max_visible_characters, multiply_alpha
from shibumi3d.scene.rect import Rect
from shibumi3d.scene.style import CORNER_RADIUS_PX, SMALL_TEXT_PX, Style

from .canvas import Canvas
from .list_view import ScrollArea
from .text_buffer import TextBuffer, TextPosition
from .text_input import TextInput
from .widget import Key

CODE_FACE, FONT_SIZE = "mono", 13
LINE_HEIGHT_PX = 21.0
"""Line height in logical pixels."""

_INDENT_PATTERN = re.compile(r"(?:\x20|-\x20)*+")

ColouredPieces = Sequence[tuple[str, str]]
"""Pieces of a line, each as a pair of its text and the name of its colour in :class:`.Style`."""


class LinePositions:
    """Vertical positions of ``count`` lines of text, some of which have notes below them.

    ``notes`` maps the number of a line, counted from 0, to the rows of its note.
    """

    def __init__(self, count: int = 1, notes: Mapping[int, Sequence[str]] | None = None) -> None:
        self.count = count
        self.notes = dict(notes or {})
        self._lines_with_notes = sorted(self.notes)
        self._note_rows_above = [0, *accumulate(len(self.notes[line]) for line in self._lines_with_notes)]

    def top(self, line: int) -> float:
        """Return the top of a line, in logical pixels below the top of the first line.

        If ``line`` equals ``count``, return the bottom of the whole text, including its notes.
        """
        return LINE_HEIGHT_PX * (line + self._note_rows_above[bisect_left(self._lines_with_notes, line)])

    def line_at(self, y: float) -> int:
        """Return the index of the line ``y`` logical pixels below the top of the first line, or of the nearest line."""
        return max(0, bisect_right(range(self.count), y, key=self.top) - 1)


class LineLayouts:
    """Cached character positions and coloured pieces of lines.

    ``tokenize(text)`` divides the part of a line after its indent into coloured pieces.
    """

    def __init__(self, tokenize: Callable[[str], ColouredPieces]) -> None:
        self._tokenize = tokenize
        self._scale = 0.0
        self._canvas: Canvas | None = None
        self._columns: dict[str, NDArray[np.float64]] = {}
        self._pieces: dict[str, tuple[list[int], ColouredPieces]] = {}

    def begin_frame(self, canvas: Canvas) -> None:
        """Start a frame on ``canvas``; if the canvas or its scale has changed, discard cached character positions."""
        if canvas is not self._canvas or canvas.scale != self._scale:
            self._columns = {}
        self._canvas, self._scale = canvas, canvas.scale

    def end_frame(self, visible_lines: Sequence[str]) -> None:
        """End a frame; discard the cache entries of lines that are not in ``visible_lines``."""
        visible = set(visible_lines)
        self._columns = {line: known for line, known in self._columns.items() if line in visible}
        self._pieces = {line: known for line, known in self._pieces.items() if line in visible}

    def x_of_column(self, line: str, column: int) -> float:
        """Return the x position of a column, in logical pixels from the start of the line."""
        return float(self._column_positions(line)[column])

    def column_at(self, line: str, x: float) -> int:
        """Return the column nearest to ``x``, which is in logical pixels from the start of the line."""
        positions = self._column_positions(line)
        right = min(int(np.searchsorted(positions, x)), len(line))
        left = max(0, right - 1)
        return left if x - positions[left] <= positions[right] - x else right

    def visible_pieces(self, line: str, left: float, right: float) -> Iterator[tuple[float, str, str]]:
        """Yield the x position, text and colour name of each piece that is visible between ``left`` and ``right``.

        All x positions are in logical pixels from the start of the line. Pieces are trimmed to the visible range. Each
        dash of the indent is a piece of its own.
        """
        positions = self._column_positions(line)
        first = max(0, int(np.searchsorted(positions, left, "right")) - 1)
        last = min(
            len(line), int(np.searchsorted(positions, right)), first + max_visible_characters(right - left)
        )
        lead = indent_length(line)
        for column in range(first, min(lead, last)):
            if line[column] != " ":
                yield float(positions[column]), line[column], "secondary_ink"
        if line not in self._pieces:
            parts = self._tokenize(line[lead:])
            self._pieces[line] = list(accumulate((len(text) for text, _ in parts), initial=lead)), parts
        starts, parts = self._pieces[line]
        for index in range(max(0, bisect_right(starts, first) - 1), len(parts)):
            start = starts[index]
            if start >= last:
                break
            text, colour = parts[index]
            visible_start = max(first, start)
            yield float(positions[visible_start]), text[visible_start - start : last - start], colour

    def _column_positions(self, line: str) -> NDArray[np.float64]:
        """Return the x positions of all columns, including the end of the line.

        They are measured in logical pixels from the start of the line. Before the first frame, they are all 0.
        """
        known = self._columns.get(line)
        if known is None and self._canvas is not None:
            widths = {
                character: self._canvas.text_width(character, CODE_FACE, FONT_SIZE) for character in set(line)
            }
            steps = np.array([0.0, *(widths[character] for character in line)])
            known = self._columns[line] = np.cumsum(steps)
        return known if known is not None else np.zeros(len(line) + 1)


def indent_length(line: str) -> int:
    """Return the length of a line's indent, which consists of spaces and list dashes."""
    match = _INDENT_PATTERN.match(line)
    return match.end() if match is not None else 0


LINE_NUMBER_WIDTH_PX = 40.0
"""Width of the column of line numbers, in logical pixels."""
MAX_VISIBLE_COMPLETIONS = 8
"""Maximum number of completions shown at once."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Message about a line of text, from ``column`` to the end of the line.

    Lines and columns are counted from 0.
    """

    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """Word offered as a completion, with its meaning."""

    word: str
    meaning: str = ""


class TextEditor(TextInput, ScrollArea):
    """Multi-line editor for a :class:`.TextBuffer`.

    ``on_change()`` is called after every edit, even one that changes nothing. ``find_completions(buffer, requested)``
    returns the column at which the word to complete starts, and its completions; ``requested`` is true if the user
    pressed Ctrl+Space. ``tokenize(text)`` divides a line, without its indent, into coloured pieces.

    While completions are shown, Tab accepts the selected one and Esc closes them. Otherwise, Tab indents and Esc leaves
    the editor.
    """

    def __init__(
        self,
        buffer: TextBuffer,
        on_change: Callable[[], None],
        *,
        find_completions: Callable[[TextBuffer, bool], tuple[int, Sequence[Completion]]],
        tokenize: Callable[[str], ColouredPieces],
        name: str = "editor",
    ) -> None:
        super().__init__(name, buffer=buffer)
        self.on_change, self.find_completions = on_change, find_completions
        self.diagnostics: tuple[Diagnostic, ...] = ()
        self.completions: tuple[Completion, ...] = ()
        self.completion_index = 0
        self._enter_accepts = False
        """Whether Enter accepts the completion, i.e. the user has asked for completions or moved among them."""
        self._word_start = 0
        """Column where the word to complete begins."""
        self._line_layouts = LineLayouts(tokenize)
        self._rows = LinePositions()
        self._measured: tuple[object, ...] = ()
        """Values from which the rows were last computed."""
        self._must_reveal_caret = True
        """Whether the caret must be scrolled into view."""

    # Content

    @property
    def content_height(self) -> float:
        return self._rows.top(self._rows.count) + 40

    def set_diagnostics(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Show messages below the lines that they refer to; remove any earlier messages."""
        self.diagnostics = tuple(diagnostics)
        self.refresh()

    def go_to(self, line: int, column: int = 0) -> None:
        """Move the caret to ``line`` and ``column``, both counted from 0, and scroll it into view."""
        self.buffer.move_to((line, column))
        self._close_completions()
        self._must_reveal_caret = True
        self.refresh()

    def select(self, anchor: TextPosition, caret: TextPosition) -> None:
        super().select(anchor, caret)
        self._close_completions()
        self._must_reveal_caret = True

    def insert(self, text: str) -> None:
        self.apply_edit(lambda: self.buffer.insert(text))

    def set_lines(self, lines: Sequence[str], document: object = None) -> None:
        """Replace all lines; the change can be undone.

        The new text belongs to ``document`` or, if that is None, to the same document as before.
        """
        self.apply_edit(lambda: self.buffer.set_lines(lines, document))

    def undo(self, redo: bool = False) -> None:
        """Undo the last change or, if ``redo`` is true, redo the last change that was undone."""
        self.apply_edit(self.buffer.redo if redo else self.buffer.undo)

    def _measure(self, canvas: Canvas) -> None:
        """Begin a frame and, if anything relevant has changed, recompute the positions of lines and messages."""
        self._line_layouts.begin_frame(canvas)
        count, room = len(self.buffer.lines), max(80.0, self.rect.w - LINE_NUMBER_WIDTH_PX - 40)
        made_of = (self.diagnostics, count, room, canvas.scale)
        if made_of == self._measured:
            return
        notes: dict[int, list[str]] = {}
        for remark in self.diagnostics:
            line = min(remark.line, count - 1)
            notes.setdefault(line, []).extend(canvas.wrap(remark.text, "sans", SMALL_TEXT_PX, room))
        self._rows, self._measured = LinePositions(count, notes), made_of

    def column_x(self, line: int, column: int) -> float:
        """Return the x position of a column, in logical pixels from the start of the line."""
        return self._line_layouts.x_of_column(self.buffer.lines[line], column)

    @property
    def _scroll_x(self) -> float:
        """Distance by which lines are scrolled to the left to show the caret, in logical pixels."""
        room = self.rect.w - LINE_NUMBER_WIDTH_PX - 40
        return max(0.0, self.column_x(*self.buffer.caret) - room)

    def paint(self, canvas: Canvas, style: Style) -> None:
        self._measure(canvas)
        if self._must_reveal_caret and self.rect.h > 0:
            self._must_reveal_caret = False
            line = self.buffer.caret[0]
            self.reveal(
                self._rows.top(line) - LINE_HEIGHT_PX * 0.5,
                LINE_HEIGHT_PX * (2 + len(self._rows.notes.get(line, ()))),
            )
        self.scroll_to(self.offset)
        canvas.rect(self.rect, style.card, CORNER_RADIUS_PX)
        canvas.outline(self.rect, style.action if self.focused else style.hairline, CORNER_RADIUS_PX)
        area = self.rect.inset(1)
        with canvas.clip(area):
            top = area.y + 6 - self.offset
            left = area.x + LINE_NUMBER_WIDTH_PX
            first, last = self._rows.line_at(area.y - top), self._rows.line_at(area.bottom - top)
            visible_lines = self.buffer.lines[first : last + 1]
            for index, text in enumerate(visible_lines, first):
                y = top + self._rows.top(index)
                is_current = index == self.buffer.caret[0] and self.focused
                ink = style.ink if is_current else style.tertiary_ink
                canvas.text(left - 12, y + LINE_HEIGHT_PX * 0.7, str(index + 1), ink, "sans", 11, 1)
                for row, note in enumerate(self._rows.notes.get(index, ())):
                    place = Rect(left, y + LINE_HEIGHT_PX * (row + 1), area.right - left - 14, LINE_HEIGHT_PX)
                    canvas.rect(
                        Rect(area.x, place.y, area.w, LINE_HEIGHT_PX), multiply_alpha(style.warning, 0.08)
                    )
                    canvas.text_in(place, note, style.warning, "sans", SMALL_TEXT_PX)
                with canvas.clip(Rect(left - 4, area.y, area.right - left, area.h)):
                    self._paint_line(canvas, style, index, text, left - self._scroll_x, y)
            self._line_layouts.end_frame([*visible_lines, self.buffer.lines[self.buffer.caret[0]]])
            if self.focused:
                self._paint_caret(canvas, style, left - self._scroll_x, top)
            self.paint_scroll_bar(canvas, style)

    def _paint_line(self, canvas: Canvas, style: Style, index: int, line: str, left: float, y: float) -> None:
        if self.buffer.selection is not None:
            start, end = self.buffer.selection
            if start[0] <= index <= end[0]:
                x0 = self.column_x(index, start[1]) if index == start[0] else 0.0
                x1 = self.column_x(index, end[1]) if index == end[0] else self.column_x(index, len(line)) + 6
                canvas.rect(
                    Rect(left + x0, y, max(1.0, x1 - x0), LINE_HEIGHT_PX), multiply_alpha(style.action, 0.22)
                )
        for remark in self.diagnostics:
            if remark.line == index:
                from_x = self.column_x(index, min(remark.column, len(line)))
                to_x = max(from_x + 8, self.column_x(index, len(line)))
                canvas.rect(Rect(left + from_x, y + LINE_HEIGHT_PX - 3, to_x - from_x, 1.5), style.warning)
        start_x = self.rect.x - left
        for x, text, colour in self._line_layouts.visible_pieces(line, start_x, start_x + self.rect.w):
            canvas.text(
                left + x, y + LINE_HEIGHT_PX * 0.7, text, getattr(style, colour), CODE_FACE, FONT_SIZE
            )

    def _paint_caret(self, canvas: Canvas, style: Style, left: float, top: float) -> None:
        line, column = self.buffer.caret
        x, y = left + self.column_x(line, column), top + self._rows.top(line)
        canvas.rect(Rect(x, y + 2, 1.5, LINE_HEIGHT_PX - 4), style.action)
        if not self.completions:
            return
        first = max(
            0,
            min(
                self.completion_index - MAX_VISIBLE_COMPLETIONS + 1,
                len(self.completions) - MAX_VISIBLE_COMPLETIONS,
            ),
        )
        visible = self.completions[first : first + MAX_VISIBLE_COMPLETIONS]
        wide = max(canvas.text_width(completion.word, "bold", 13) for completion in visible) + 20
        meaning_width = canvas.text_width(self.completions[self.completion_index].meaning, "sans", 12)
        box_w = min(self.rect.w - 16, max(wide + 40, min(wide + meaning_width + 20, 460)))
        lines = canvas.wrap(self.completions[self.completion_index].meaning, "sans", 12, box_w - 20)
        box_h = len(visible) * 22.0 + 10 + (len(lines) * 17 + 6 if lines != [""] else 0)
        # Leave the messages about this line visible.
        below = y + LINE_HEIGHT_PX * (1 + len(self._rows.notes.get(line, ()))) + 2
        box_y = below if below + box_h <= self.rect.bottom else max(self.rect.y + 2, y - box_h - 2)
        box = Rect(min(x, self.rect.right - box_w - 8), box_y, box_w, box_h)
        canvas.shadow(box, style.shadow)
        canvas.rect(box, style.page, CORNER_RADIUS_PX)
        canvas.outline(box, style.hairline, CORNER_RADIUS_PX)
        for row, completion in enumerate(visible):
            place = Rect(box.x + 4, box.y + 5 + row * 22, box.w - 8, 22)
            if first + row == self.completion_index:
                canvas.rect(place, style.recessed, CORNER_RADIUS_PX - 2)
            canvas.text_in(place.inset(6, 0), completion.word, style.ink, "bold", 13)
        for row, text in enumerate(lines if lines != [""] else ()):
            canvas.text(
                box.x + 10,
                box.y + 5 + len(visible) * 22 + 14 + row * 17,
                text,
                style.secondary_ink,
                "sans",
                12,
            )

    # Completion

    def _update_completions(self, requested: bool = False) -> None:
        self._word_start, completions = self.find_completions(self.buffer, requested)
        self.completions, self.completion_index, self._enter_accepts = tuple(completions), 0, requested

    def _close_completions(self) -> None:
        self.completions = ()

    def _accept_completion(self) -> None:
        line, column = self.buffer.caret
        word = self.completions[self.completion_index].word
        self._close_completions()
        self.apply_edit(lambda: self.buffer.replace((line, self._word_start), (line, column), word))

    # Input

    def apply_edit(self, edit: Callable[[], object]) -> None:
        edit()
        self._must_reveal_caret = True
        self.on_change()
        self.refresh()

    def position_at(self, x: float, y: float) -> TextPosition:
        down = y - self.rect.y - 7 + self.offset
        line = min(self._rows.line_at(down), len(self.buffer.lines) - 1)
        return line, self._line_layouts.column_at(
            self.buffer.lines[line], x - self.rect.x - 1 - LINE_NUMBER_WIDTH_PX + self._scroll_x
        )

    def on_press(self, x: float, y: float, button: str, key: Key) -> bool:
        if ScrollArea.on_press(self, x, y, button, key):
            return True
        if button != "left":
            return False
        self._close_completions()
        self.place_caret(x, y, key)
        return True

    def on_drag(self, x: float, y: float, dx: float, dy: float, button: str, key: Key) -> None:
        if self._is_dragging_handle:
            ScrollArea.on_drag(self, x, y, dx, dy, button, key)
            return
        super().on_drag(x, y, dx, dy, button, key)
        self._must_reveal_caret = True

    def on_text(self, text: str) -> bool:
        plain = "".join(c for c in text if c.isprintable())
        if not plain:
            return False
        self.apply_edit(lambda: self.buffer.insert(plain))
        self._update_completions()
        return True

    def on_key(self, key: Key) -> bool:
        if key.alt:
            return False
        if self.completions and not key.ctrl and self._handle_completion_key(key):
            return True
        if self.handle_edit_key(key):
            self._must_reveal_caret = True
            if key.chord not in ("backspace", "ctrl+space"):
                self._close_completions()
            return True
        return not key.ctrl and (len(key.name) == 1 or key.name == "space")

    def _handle_completion_key(self, key: Key) -> bool:
        if key.name in ("up", "down"):
            step = (1 if key.name == "down" else -1) if self._enter_accepts else 0
            self.completion_index, self._enter_accepts = (
                (self.completion_index + step) % len(self.completions),
                True,
            )
        elif key.name == "tab" or (key.name == "enter" and self._enter_accepts):
            self._accept_completion()
        elif key.name == "escape":
            self._close_completions()
        else:
            return False
        return True

    def handle_edit_key(self, key: Key) -> bool:
        buffer, select = self.buffer, key.shift
        page = max(1, int(self.rect.h / LINE_HEIGHT_PX) - 1)
        if key.name == "space" and key.ctrl:
            self._update_completions(True)
        elif super().handle_edit_key(key):
            if self.completions and key.chord == "backspace":
                self._update_completions()
        elif key.ctrl:
            return False
        elif key.name in ("up", "down", "pageup", "pagedown"):
            line_count = page if key.name.startswith("page") else 1
            buffer.move_by_lines(line_count if key.name.endswith("down") else -line_count, select)
        elif key.name == "enter":
            self.apply_edit(buffer.insert_line_break)
        elif key.name == "tab":
            self.apply_edit(lambda: buffer.indent(-1 if select else 1))
        else:
            return False
        return True
