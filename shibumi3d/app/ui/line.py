"""Model of single-line editable text."""

from __future__ import annotations

from shibumi3d.names import plain

from .writing import Writing


class Line(Writing):
    """Single-line editable text of at most ``longest`` characters.

    Line breaks become spaces, and text that is too long is cut off.
    """

    def __init__(self, text: str = "", longest: int = 60) -> None:
        super().__init__(flat(text), longest)
        self.end()

    def put(self, text: str) -> bool:
        """Insert as much of a text as fits, replacing the selection.

        Return whether anything was inserted.
        """
        room = self.longest - len(self.text) + len(self.selected)
        text = flat(text)[: max(0, room)]
        return bool(text) and super().put(text)

    def home(self, select: bool = False) -> None:
        """Move the caret to the beginning."""
        self.go((0, 0), select)

    def back(self) -> None:
        """Delete the selection, or the character before the caret."""
        column = self.caret[1]
        if self.span is None and column:
            self.anchor = 0, column - 1
        if self.span is not None:
            self._take("back")

    def cut(self) -> str:
        """Delete the selection and return it."""
        text = self.selected
        if text:
            self._take("")
        return text


def flat(text: str) -> str:
    """Return a text as a single line, with spaces in place of other whitespace.

    Invisible characters are removed.
    """
    line = " ".join(plain(text).strip("\r\n").splitlines())
    return "".join(" " if c.isspace() else c for c in line if c.isspace() or c.isprintable())
