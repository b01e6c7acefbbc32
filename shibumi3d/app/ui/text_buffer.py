"""Models of editable text, with one line or several: caret, selection and undo."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.names import normalize

INDENT_UNIT = "  "
"""One step of indentation."""
MAX_UNDO_STEPS = 500
"""Maximum number of changes that can be undone."""
MAX_UNDO_LINES = 2_000_000
"""Maximum total number of lines stored for undo.

Very long texts reach this limit before :data:`MAX_UNDO_STEPS`.
"""
_TOKEN_PATTERN = re.compile(r"\w+|[^\w\s]+|\s+")
_DASHES_PATTERN = re.compile(r"(?:-\x20)*+")
_ANCHOR_PATTERN = re.compile(r"\w++")

_ENTRY_PATTERN = re.compile(r"((?:-\x20)++)(\w++):")
"""Pattern for the first key of a list entry, with the dashes before it."""

TextPosition = tuple[int, int]
"""Position in a text as line and column, both counted from 0."""


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Text, caret and document before a change, stored for undo."""

    lines: tuple[str, ...]
    caret: TextPosition
    document: object


class TextBuffer:
    """Editable text with caret, selection and undo.

    An initial text longer than ``max_length`` characters is truncated, and an insertion that would make the text exceed
    this length is rejected.
    """

    def __init__(
        self, text: str = "", max_length: int = 256 * 1024, continuing_keys: frozenset[str] = frozenset()
    ) -> None:
        self.lines: list[str] = _split_lines(text[:max_length])
        self.max_length = max_length
        self.continuing_keys = continuing_keys
        """First keys of list entries for which :meth:`insert_line_break` continues the entry on the next line."""
        self._text: str | None = None
        """Cache of the whole text, or None if the text hasn't been read since the last change."""
        self.caret: TextPosition = (0, 0)
        self.anchor: TextPosition | None = None
        """End of the selection that is not the caret, or None."""
        self._preferred_column: int | None = None
        """Column to which the caret returns on longer lines, or None."""
        self.document: object = None
        """What the text belongs to, such as its file; undo restores it together with the text."""
        self._redo_stack: list[_Snapshot] = []
        self._undo_stack: list[_Snapshot] = []
        self._edit_kind = ""
        """Kind of the last change; successive changes of the same kind are undone together."""

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = "\n".join(self.lines)
        return self._text

    @property
    def selection(self) -> tuple[TextPosition, TextPosition] | None:
        """Start and end of the selection, or None if nothing is selected."""
        if self.anchor is None or self.anchor == self.caret:
            return None
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    @property
    def selected_text(self) -> str:
        """Selected text, or an empty string if there is none."""
        if self.selection is None:
            return ""
        (top, left), (bottom, right) = self.selection
        if top == bottom:
            return self.lines[top][left:right]
        return "\n".join([self.lines[top][left:], *self.lines[top + 1 : bottom], self.lines[bottom][:right]])

    # Caret

    def move_to(self, position: TextPosition, select: bool = False) -> None:
        """Move the caret to a position, clamped to the text; extend the selection if ``select`` is true."""
        line = max(0, min(position[0], len(self.lines) - 1))
        self._begin_move(select)
        self.caret = line, max(0, min(position[1], len(self.lines[line])))
        self._preferred_column = None

    def move_by(self, by: int, select: bool = False) -> None:
        """Move the caret one character forward (``by`` = 1) or back (``by`` = -1).

        If ``select`` is true, the selection is extended. Otherwise, an existing selection is collapsed to its start or
        end instead.
        """
        if self.selection is not None and not select:
            self.move_to(self.selection[by > 0])
            return
        line, column = self.caret
        column += by
        if column < 0 and line > 0:
            line, column = line - 1, len(self.lines[line - 1])
        elif column > len(self.lines[line]) and line + 1 < len(self.lines):
            line, column = line + 1, 0
        self.move_to((line, column), select)

    def move_by_word(self, by: int, select: bool = False) -> None:
        """Move the caret one word forward, or back if ``by`` is negative."""
        line, column = self.caret
        parts = [match.span() for match in _TOKEN_PATTERN.finditer(self.lines[line])]
        words = [span for span in parts if not self.lines[line][span[0]].isspace()]
        if by > 0:
            ends = [end for _, end in words if end > column]
            behind = (line + 1, 0) if line + 1 < len(self.lines) else (line, len(self.lines[line]))
            self.move_to((line, ends[0]) if ends else behind, select)
        else:
            starts = [start for start, _ in words if start < column]
            before = (line - 1, len(self.lines[line - 1])) if line else (0, 0)
            self.move_to((line, starts[-1]) if starts else before, select)

    def move_by_lines(self, by: int, select: bool = False) -> None:
        """Move the caret ``by`` lines down, or up if ``by`` is negative.

        The caret keeps its column. On a line that is too short, it stands at the end, but later moves up or down return
        to the column on longer lines. If there are too few lines, the caret moves to the start or end of the text.
        """
        wished = self.caret[1] if self._preferred_column is None else self._preferred_column
        line = self.caret[0] + by
        if not 0 <= line < len(self.lines):
            self.move_to((line, 0 if line < 0 else len(self.lines[-1])), select)
        else:
            self.move_to((line, wished), select)
        self._preferred_column = wished

    def home(self, select: bool = False) -> None:
        """Move the caret to the first non-blank character of its line or, if it is already there, to column 0."""
        line, column = self.caret
        first = len(self.lines[line]) - len(self.lines[line].lstrip())
        self.move_to((line, 0 if column == first else first), select)

    def end(self, select: bool = False) -> None:
        """Move the caret to the end of the line; extend the selection if ``select`` is true."""
        self.move_to((self.caret[0], len(self.lines[self.caret[0]])), select)

    def select_all(self) -> None:
        self.caret, self.anchor = (len(self.lines) - 1, len(self.lines[-1])), (0, 0)

    def select_word(self) -> None:
        """Select the word or run of punctuation marks at the caret, if there is one."""
        line, column = self.caret
        for match in _TOKEN_PATTERN.finditer(self.lines[line]):
            if match.start() <= column <= match.end() and not match.group().isspace():
                self.anchor, self.caret = (line, match.start()), (line, match.end())
                return

    # Changes

    def insert(self, text: str) -> bool:
        """Insert text at the caret, replacing the selection; return whether there was room.

        If there isn't enough room for the whole text, nothing changes.
        """
        text = "\n".join(_split_lines(text))
        if len(self.text) - len(self.selected_text) + len(text) > self.max_length:
            return False
        is_one_character = len(text) == 1 and text != "\n" and self.selection is None
        self._push_undo("word" if is_one_character and not text.isspace() else "")
        self._remove_selected_text()
        line, column = self.caret
        head, tail = self.lines[line][:column], self.lines[line][column:]
        if text and unicodedata.combining(text[0]) and head:
            # Combine an accent with the letter before it.
            head, text = head[:-1], normalize(head[-1] + text)
        new = (head + text).split("\n")
        self.caret = line + len(new) - 1, len(new[-1])
        self.lines[line : line + 1] = [*new[:-1], new[-1] + tail]
        self._text = None
        self._preferred_column = None
        return True

    def insert_line_break(self) -> bool:
        """Insert a line break and indent the new line; return whether there was room.

        The new line is indented like the current one, or more deeply if the text before the caret ends with a key or
        list dash that has no value. If this text begins a list entry whose first key is in ``continuing_keys`` and
        already has a value, the new line is aligned with that key.
        """
        line, column = self.caret
        before = self.lines[line][:column]
        deep = len(before) - len(before.lstrip())
        written = before.strip()
        deeper = _extra_indent(written)
        entry = _ENTRY_PATTERN.match(written)
        if not deeper and entry is not None and entry[2] in self.continuing_keys:
            deeper = len(entry[1])
        return self.insert("\n" + " " * (deep + deeper))

    def backspace(self) -> None:
        """Delete the selection or, if there is none, the character before the caret.

        At a tab stop within a line's indentation, delete a whole step of indentation.
        """
        line, column = self.caret
        if self.selection is None:
            before = self.lines[line][:column]
            step = len(INDENT_UNIT) if before and not before.strip() and column % len(INDENT_UNIT) == 0 else 1
            if not column:
                if not line:
                    return
                self.anchor = line - 1, len(self.lines[line - 1])
            else:
                self.anchor = line, column - step
        self._delete_selection("back")

    def delete(self) -> None:
        """Delete the selection or, if there is none, the character after the caret."""
        line, column = self.caret
        if self.selection is None:
            if column < len(self.lines[line]):
                self.anchor = line, column + 1
            elif line + 1 < len(self.lines):
                self.anchor = line + 1, 0
            else:
                return
        self._delete_selection("delete")

    def cut(self) -> str:
        """Delete the selection or, if there is none, the current line; return the deleted text."""
        if self.selection is None:
            line = self.caret[0]
            self.anchor, self.caret = (line, 0), (line, len(self.lines[line]))
            if line + 1 < len(self.lines):
                self.caret = line + 1, 0
        text = self.selected_text
        self._delete_selection("")
        return text

    def indent(self, by: int) -> None:
        """Indent the selected lines by one step, or unindent them if ``by`` is negative.

        Without a selection, insert spaces at the caret up to the next tab stop, or unindent the current line.
        """
        if self.selection is None and by > 0:
            self.insert(" " * (len(INDENT_UNIT) - self.caret[1] % len(INDENT_UNIT)))
            return
        self._push_undo("")
        (top, _), (bottom, right) = self.selection or (self.caret, self.caret)
        last = bottom - (right == 0 and bottom > top)
        moved = {}
        for index in range(top, last + 1):
            line = self.lines[index]
            fewer = min(len(INDENT_UNIT), len(line) - len(line.lstrip(" ")))
            new_line = (INDENT_UNIT + line if line else line) if by > 0 else line[fewer:]
            moved[index] = len(new_line) - len(line)
            self.lines[index] = new_line
        self._text = None

        def kept(position: TextPosition) -> TextPosition:
            return position[0], max(0, position[1] + moved.get(position[0], 0)) if position[1] else 0

        self.caret = kept(self.caret)
        self.anchor = kept(self.anchor) if self.anchor is not None else None

    def replace(self, start: TextPosition, end: TextPosition, text: str) -> bool:
        """Replace the text from ``start`` to ``end``; return whether there was room.

        If there isn't enough room for ``text``, the text from ``start`` to ``end`` is only selected.
        """
        self.anchor, self.caret = start, end
        self._edit_kind = ""
        return self.insert(text)

    def set_lines(self, lines: Sequence[str], document: object = None) -> None:
        """Replace all lines; the caret keeps its position, clamped to the new text.

        The new text belongs to ``document`` or, if that is None, to the same document as before.
        """
        self._push_undo("")
        self.lines, self._text = list(lines) or [""], None
        if document is not None:
            self.document = document
        self.move_to(self.caret)

    def undo(self) -> bool:
        """Undo the last change; return whether there was one."""
        return self._restore_snapshot(self._undo_stack, self._redo_stack)

    def redo(self) -> bool:
        """Redo the last change that was undone; return whether there was one."""
        return self._restore_snapshot(self._redo_stack, self._undo_stack)

    # Helpers

    def _restore_snapshot(self, source: list[_Snapshot], target: list[_Snapshot]) -> bool:
        if not source:
            return False
        target.append(self._take_snapshot())
        snapshot = source.pop()
        self.lines, self.caret, self.anchor = list(snapshot.lines), snapshot.caret, None
        self.document = snapshot.document
        self._text = None
        self._edit_kind, self._preferred_column = "", None
        return True

    def _take_snapshot(self) -> _Snapshot:
        return _Snapshot(tuple(self.lines), self.caret, self.document)

    def _begin_move(self, select: bool) -> None:
        self._edit_kind = ""
        if not select:
            self.anchor = None
        elif self.anchor is None:
            self.anchor = self.caret

    def _push_undo(self, kind: str) -> None:
        """Save the text before a change, so that the change can be undone, and clear the redo history.

        A change of the same ``kind`` as the previous one is undone together with it, unless ``kind`` is empty or the
        caret has been moved between the two changes.
        """
        if not kind or kind != self._edit_kind:
            self._undo_stack.append(self._take_snapshot())
            del self._undo_stack[: -max(1, min(MAX_UNDO_STEPS, MAX_UNDO_LINES // len(self.lines)))]
        self._edit_kind = kind
        self._redo_stack.clear()

    def _delete_selection(self, kind: str) -> None:
        self._push_undo(kind)
        self._remove_selected_text()
        self._preferred_column = None

    def _remove_selected_text(self) -> None:
        if self.selection is not None:
            (top, left), (bottom, right) = self.selection
            self.lines[top : bottom + 1] = [self.lines[top][:left] + self.lines[bottom][right:]]
            self.caret = top, left
            self._text = None
        self.anchor = None


def _extra_indent(line: str) -> int:
    """Return how many columns deeper than ``line`` the next line is indented.

    The result is 0 unless ``line`` ends with a key or list dash without a value. An anchor (``&name``) doesn't count as
    a value.
    """
    match = _DASHES_PATTERN.match(line)
    dashes = match.end() if match is not None else 0
    value, ampersand, name = line[dashes:].rpartition("&")
    if not (ampersand and _ANCHOR_PATTERN.fullmatch(name)):
        value = line[dashes:]
    value = value.rstrip()
    opens = value == "-" or (value.endswith(":") and "#" not in value)
    return dashes + len(INDENT_UNIT) if opens else 0


def _split_lines(text: str) -> list[str]:
    """Split text into lines, with tabs expanded and unprintable characters removed."""
    text = normalize(text).replace("\r\n", "\n").replace("\r", "\n").expandtabs(len(INDENT_UNIT))
    return ["".join(c for c in line if c.isprintable()) for line in text.split("\n")]


class LineBuffer(TextBuffer):
    """Single-line editable text of at most ``max_length`` characters.

    Line breaks become spaces, except that those at the start and end of a text are dropped. Text that is too long is
    cut off.
    """

    def __init__(self, text: str = "", max_length: int = 60) -> None:
        super().__init__(to_single_line(text), max_length)
        self.end()

    def insert(self, text: str) -> bool:
        """Insert as much of a text as fits, replacing the selection.

        Return whether anything was inserted.
        """
        room = self.max_length - len(self.text) + len(self.selected_text)
        text = to_single_line(text)[: max(0, room)]
        return bool(text) and super().insert(text)

    def home(self, select: bool = False) -> None:
        """Move the caret to the beginning of the text; extend the selection if ``select`` is true."""
        self.move_to((0, 0), select)

    def backspace(self) -> None:
        """Delete the selection or, if there is none, the character before the caret."""
        column = self.caret[1]
        if self.selection is None and column:
            self.anchor = 0, column - 1
        if self.selection is not None:
            self._delete_selection("back")

    def cut(self) -> str:
        """Delete the selected text and return it; return "" if nothing is selected."""
        text = self.selected_text
        if text:
            self._delete_selection("")
        return text


def to_single_line(text: str) -> str:
    """Return a text as a single line, with spaces in place of other whitespace.

    Line breaks at the start and end, and unprintable characters, are removed.
    """
    line = " ".join(normalize(text).strip("\r\n").splitlines())
    return "".join(" " if c.isspace() else c for c in line if c.isspace() or c.isprintable())
