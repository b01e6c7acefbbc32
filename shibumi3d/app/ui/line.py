"""Editable text of a single line."""

from __future__ import annotations

from shibumi3d.names import plain

from .writing import Writing


class Line(Writing):
    """Editable text of one line and at most ``longest`` characters.

    Line breaks become spaces, and longer text is cut.
    """

    def __init__(self, text: str = "", longest: int = 60) -> None:
        super().__init__(flat(text), longest)
        self.end()

    def put(self, text: str) -> bool:
        """Insert as much text as fits, replacing the selection; return whether any did."""
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
    """Convert any text to one line, with spaces for other whitespace.

    Invisible characters are removed.
    """
    line = " ".join(plain(text).strip("\r\n").splitlines())
    return "".join(" " if c.isspace() else c for c in line if c.isspace() or c.isprintable())
