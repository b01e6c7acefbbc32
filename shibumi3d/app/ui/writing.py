"""Model of multi-line editable text with caret, selection and undo, independent of widgets."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from shibumi3d.names import plain

INDENT = "  "
"""Indentation inserted by Tab."""
STEPS = 500
"""Maximum number of changes that can be undone."""
KEPT = 2_000_000
"""Maximum total number of lines stored for undo.

Very long texts reach this limit before :data:`STEPS`.
"""
_PART = re.compile(r"\w+|[^\w\s]+|\s+")
_DASHES = re.compile(r"(?:-\x20)*+")
_ANCHOR = re.compile(r"\w++")

_ENTRY = re.compile(r"((?:-\x20)++)(\w++):")
"""Pattern for the first key of a list entry, with the dashes before it."""

Place = tuple[int, int]
"""Position in a text as line and column, both counted from 0."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """Text and caret before a change, stored for undo."""

    lines: tuple[str, ...]
    caret: Place


class Writing:
    """Editable text with caret, selection and undo.

    It holds at most ``longest`` characters; text that doesn't fit is rejected.
    """

    def __init__(
        self, text: str = "", longest: int = 256 * 1024, goes_on: frozenset[str] = frozenset()
    ) -> None:
        self.lines: list[str] = _lines(text[:longest])
        self.longest = longest
        self.goes_on = goes_on
        """Keys after which the next line continues the same list entry."""
        self._text: str | None = None
        """Whole text, or None if not read since the last change."""
        self.caret: Place = (0, 0)
        self.anchor: Place | None = None
        """End of the selection that is not the caret, or None."""
        self._wished: int | None = None
        """Column to which the caret returns on longer lines, or None."""
        self._undone: list[_Kept] = []
        self._done: list[_Kept] = []
        self._typing = ""
        """Kind of the last change; successive changes of the same kind are undone together."""

    @property
    def text(self) -> str:
        """The whole text."""
        if self._text is None:
            self._text = "\n".join(self.lines)
        return self._text

    @property
    def span(self) -> tuple[Place, Place] | None:
        """Start and end of the selection, or None if nothing is selected."""
        if self.anchor is None or self.anchor == self.caret:
            return None
        return min(self.anchor, self.caret), max(self.anchor, self.caret)

    @property
    def selected(self) -> str:
        """Selected text, or an empty string if there is none."""
        if self.span is None:
            return ""
        (top, left), (bottom, right) = self.span
        if top == bottom:
            return self.lines[top][left:right]
        return "\n".join([self.lines[top][left:], *self.lines[top + 1 : bottom], self.lines[bottom][:right]])

    # Caret

    def go(self, place: Place, select: bool = False) -> None:
        """Move the caret to a place, clamped to the text; extend the selection if ``select`` is true."""
        line = max(0, min(place[0], len(self.lines) - 1))
        self._leave(select)
        self.caret = line, max(0, min(place[1], len(self.lines[line])))
        self._wished = None

    def step(self, by: int, select: bool = False) -> None:
        """Move the caret by ``by`` characters.

        If there is a selection and ``select`` is false, collapse the selection to its start or end instead.
        """
        if self.span is not None and not select:
            self.go(self.span[by > 0])
            return
        line, column = self.caret
        column += by
        if column < 0 and line > 0:
            line, column = line - 1, len(self.lines[line - 1])
        elif column > len(self.lines[line]) and line + 1 < len(self.lines):
            line, column = line + 1, 0
        self.go((line, column), select)

    def skip(self, by: int, select: bool = False) -> None:
        """Move the caret one word forward, or back if ``by`` is negative."""
        line, column = self.caret
        parts = [found.span() for found in _PART.finditer(self.lines[line])]
        words = [span for span in parts if not self.lines[line][span[0]].isspace()]
        if by > 0:
            ends = [end for _, end in words if end > column]
            behind = (line + 1, 0) if line + 1 < len(self.lines) else (line, len(self.lines[line]))
            self.go((line, ends[0]) if ends else behind, select)
        else:
            starts = [start for start, _ in words if start < column]
            before = (line - 1, len(self.lines[line - 1])) if line else (0, 0)
            self.go((line, starts[-1]) if starts else before, select)

    def climb(self, by: int, select: bool = False) -> None:
        """Move the caret ``by`` lines down, or up if ``by`` is negative.

        In lines that are long enough, the caret returns to its original column.
        """
        wished = self.caret[1] if self._wished is None else self._wished
        line = self.caret[0] + by
        if not 0 <= line < len(self.lines):
            self.go((line, 0 if line < 0 else len(self.lines[-1])), select)
        else:
            self.go((line, wished), select)
        self._wished = wished

    def home(self, select: bool = False) -> None:
        """Move the caret to the first non-blank character or, if it is already there, to column 0."""
        line, column = self.caret
        first = len(self.lines[line]) - len(self.lines[line].lstrip())
        self.go((line, 0 if column == first else first), select)

    def end(self, select: bool = False) -> None:
        """Move the caret to the end of the line."""
        self.go((self.caret[0], len(self.lines[self.caret[0]])), select)

    def select_all(self) -> None:
        """Select the whole text."""
        self.caret, self.anchor = (len(self.lines) - 1, len(self.lines[-1])), (0, 0)

    def select_word(self) -> None:
        """Select the word at the caret."""
        line, column = self.caret
        for found in _PART.finditer(self.lines[line]):
            if found.start() <= column <= found.end() and not found.group().isspace():
                self.anchor, self.caret = (line, found.start()), (line, found.end())
                return

    # Changes

    def put(self, text: str) -> bool:
        """Insert text at the caret, replacing the selection; return whether there was room."""
        text = "\n".join(_lines(text))
        if len(self.text) - len(self.selected) + len(text) > self.longest:
            return False
        one = len(text) == 1 and text != "\n" and self.span is None
        self._remember("word" if one and not text.isspace() else "")
        self._cut()
        line, column = self.caret
        head, tail = self.lines[line][:column], self.lines[line][column:]
        if text and unicodedata.combining(text[0]) and head:
            # Combine an accent with the letter before it.
            head, text = head[:-1], plain(head[-1] + text)
        new = (head + text).split("\n")
        self.caret = line + len(new) - 1, len(new[-1])
        self.lines[line : line + 1] = [*new[:-1], new[-1] + tail]
        self._text = None
        self._wished = None
        return True

    def enter(self) -> bool:
        """Insert a line break and indent the new line; return whether there was room.

        The new line is indented like the current one, or more deeply if the current line ends with a key or list dash
        that has no value. After the first key of a list entry, the new line is aligned with that key if the key is in
        ``goes_on``.
        """
        line, column = self.caret
        before = self.lines[line][:column]
        deep = len(before) - len(before.lstrip())
        written = before.strip()
        deeper = _deeper(written)
        entry = _ENTRY.match(written)
        if not deeper and entry is not None and entry[2] in self.goes_on:
            deeper = len(entry[1])
        return self.put("\n" + " " * (deep + deeper))

    def back(self) -> None:
        """Delete the selection or, if there is none, the character before the caret.

        Within a line's indentation, delete a whole step of it.
        """
        line, column = self.caret
        if self.span is None:
            before = self.lines[line][:column]
            step = len(INDENT) if before and not before.strip() and column % len(INDENT) == 0 else 1
            if not column:
                if not line:
                    return
                self.anchor = line - 1, len(self.lines[line - 1])
            else:
                self.anchor = line, column - step
        self._take("back")

    def delete(self) -> None:
        """Delete the selection or, if there is none, the character after the caret."""
        line, column = self.caret
        if self.span is None:
            if column < len(self.lines[line]):
                self.anchor = line, column + 1
            elif line + 1 < len(self.lines):
                self.anchor = line + 1, 0
            else:
                return
        self._take("delete")

    def cut(self) -> str:
        """Delete the selection or, if there is none, the current line; return the deleted text."""
        if self.span is None:
            line = self.caret[0]
            self.anchor, self.caret = (line, 0), (line, len(self.lines[line]))
            if line + 1 < len(self.lines):
                self.caret = line + 1, 0
        text = self.selected
        self._take("")
        return text

    def shift(self, by: int) -> None:
        """Indent the selected lines by one step, or unindent them if ``by`` is negative.

        Without a selection, insert spaces at the caret up to the next multiple of a step, or unindent the current line.
        """
        if self.span is None and by > 0:
            self.put(" " * (len(INDENT) - self.caret[1] % len(INDENT)))
            return
        self._remember("")
        (top, _), (bottom, right) = self.span or (self.caret, self.caret)
        last = bottom - (right == 0 and bottom > top)
        moved = {}
        for number in range(top, last + 1):
            line = self.lines[number]
            fewer = min(len(INDENT), len(line) - len(line.lstrip(" ")))
            fresh = (INDENT + line if line else line) if by > 0 else line[fewer:]
            moved[number] = len(fresh) - len(line)
            self.lines[number] = fresh
        self._text = None

        def kept(place: Place) -> Place:
            return place[0], max(0, place[1] + moved.get(place[0], 0)) if place[1] else 0

        self.caret = kept(self.caret)
        self.anchor = kept(self.anchor) if self.anchor is not None else None

    def replace(self, start: Place, end: Place, text: str) -> bool:
        """Replace the text between two places; return whether there was room."""
        self.anchor, self.caret = start, end
        self._typing = ""
        return self.put(text)

    def set(self, lines: Sequence[str]) -> None:
        """Replace all lines; the caret keeps its position, clamped to the new text."""
        self._remember("")
        self.lines, self._text = list(lines) or [""], None
        self.go(self.caret)

    def undo(self) -> bool:
        """Undo the last change; return whether there was one."""
        return self._travel(self._done, self._undone)

    def redo(self) -> bool:
        """Redo the last change that was undone; return whether there was one."""
        return self._travel(self._undone, self._done)

    # Helpers

    def _travel(self, start: list[_Kept], end: list[_Kept]) -> bool:
        if not start:
            return False
        end.append(self._now())
        kept = start.pop()
        self.lines, self.caret, self.anchor = list(kept.lines), kept.caret, None
        self._text = None
        self._typing, self._wished = "", None
        return True

    def _now(self) -> _Kept:
        return _Kept(tuple(self.lines), self.caret)

    def _leave(self, select: bool) -> None:
        self._typing = ""
        if not select:
            self.anchor = None
        elif self.anchor is None:
            self.anchor = self.caret

    def _remember(self, kind: str) -> None:
        """Save the text for undo before a change.

        A change of the same ``kind`` as the last one is undone together with it, unless ``kind`` is empty.
        """
        if not kind or kind != self._typing:
            self._done.append(self._now())
            del self._done[: -max(1, min(STEPS, KEPT // len(self.lines)))]
        self._typing = kind
        self._undone.clear()

    def _take(self, kind: str) -> None:
        self._remember(kind)
        self._cut()
        self._wished = None

    def _cut(self) -> None:
        """Delete the selected text, if any."""
        if self.span is not None:
            (top, left), (bottom, right) = self.span
            self.lines[top : bottom + 1] = [self.lines[top][:left] + self.lines[bottom][right:]]
            self.caret = top, left
            self._text = None
        self.anchor = None


def _deeper(line: str) -> int:
    """Return how many columns deeper than ``line`` the next line is indented.

    The result is 0 unless ``line`` ends with a key or list dash without a value. An anchor (``&name``) doesn't count as
    a value.
    """
    found = _DASHES.match(line)
    dashes = found.end() if found is not None else 0
    value, sign, name = line[dashes:].rpartition("&")
    if not (sign and _ANCHOR.fullmatch(name)):
        value = line[dashes:]
    value = value.rstrip()
    opens = value == "-" or (value.endswith(":") and "#" not in value)
    return dashes + len(INDENT) if opens else 0


def _lines(text: str) -> list[str]:
    """Split text into lines, with tabs expanded and invisible characters removed."""
    text = plain(text).replace("\r\n", "\n").replace("\r", "\n").expandtabs(len(INDENT))
    return ["".join(c for c in line if c.isprintable()) for line in text.split("\n")]
